//! Exact sums of doubles, which do not depend on the order of the terms (U. Kulisch, W. L.
//! Miranker, SIAM Rev. 28, 1 (1986)).

/// The sum as a number with fixed point: `Σ limbs[k] 2^(32 k − 1074)`. The limbs of several sums
/// can be added one by one, also by the integer sums of MPI: the result stays exact.
///
/// ```
/// use quatint::ExactSum;
///
/// let (mut a, mut b) = (ExactSum::default(), ExactSum::default());
/// for x in [1e16, 1.0, 1e-300] {
///     a.add(x);
/// }
/// for x in [-1e16, -1e-300] {
///     b.add(x);
/// }
/// a.add_sum(&b);
/// assert_eq!(a.value(), 1.0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ExactSum {
    limbs: [i64; ExactSum::SIZE],
    /// Terms since the last carry.
    terms: u32,
}

/// The exponent of the least double, the unit of the sum.
const LEAST: i32 = -1074;
const LIMB: u32 = 32;
const MASK: i64 = (1 << LIMB) - 1;
/// The most terms between two carries. A term changes a limb by less than 2^32, so that no limb
/// overflows.
const MOST_TERMS: u32 = 1 << 30;

impl PartialEq for ExactSum {
    fn eq(&self, other: &Self) -> bool {
        self.limbs() == other.limbs()
    }
}

impl Eq for ExactSum {}

impl Default for ExactSum {
    fn default() -> Self {
        ExactSum {
            limbs: [0; Self::SIZE],
            terms: 0,
        }
    }
}

/// The limbs of the magnitude. The last one may be the least integer, which has no opposite of its
/// own type.
fn magnitude(limbs: &[i64; ExactSum::SIZE]) -> [u64; ExactSum::SIZE] {
    const LAST: usize = ExactSum::SIZE - 1;
    let is_negative = limbs[LAST] < 0;
    let mut magnitude = [0; ExactSum::SIZE];
    let mut carry = 0;
    for k in 0..LAST {
        let limb = i128::from(limbs[k]);
        let sum = if is_negative { carry - limb } else { limb };
        magnitude[k] = (sum & i128::from(MASK)) as u64;
        carry = sum >> LIMB;
    }
    let last = i128::from(limbs[LAST]);
    magnitude[LAST] = (if is_negative { carry - last } else { last }) as u64;
    magnitude
}

impl ExactSum {
    /// The number of limbs: the bits of all doubles, and of the sum of 2^63 of them.
    pub const SIZE: usize = 68;

    /// From [`ExactSum::limbs`], or from element-wise sums of up to 2^31 of these.
    pub fn from_limbs(limbs: [i64; Self::SIZE]) -> Self {
        let mut sum = ExactSum { limbs, terms: 0 };
        sum.carry();
        sum
    }

    /// All limbs but the last are within 0 and 2^32; equal sums have equal limbs.
    pub fn limbs(mut self) -> [i64; Self::SIZE] {
        self.carry();
        self.limbs
    }

    /// Adds a finite number.
    #[inline]
    pub fn add(&mut self, term: f64) {
        debug_assert!(term.is_finite());
        let bits = term.to_bits();
        let exponent = (bits >> 52) as usize & 0x7ff;
        let fraction = bits & ((1 << 52) - 1);
        let mut place = 0;
        let mut mantissa = fraction;
        if exponent != 0 {
            place = exponent - 1;
            mantissa |= 1 << 52;
        }
        let shifted = u128::from(mantissa) << (place % LIMB as usize);
        let sign = if term < 0.0 { -1 } else { 1 };
        let limbs = &mut self.limbs[place / LIMB as usize..][..3];
        for (k, limb) in limbs.iter_mut().enumerate() {
            *limb += sign * ((shifted >> (LIMB as usize * k)) as i64 & MASK);
        }
        self.terms += 1;
        if self.terms == MOST_TERMS {
            self.carry();
        }
    }

    /// Adds another sum.
    pub fn add_sum(&mut self, other: &ExactSum) {
        self.carry();
        for (limb, more) in self.limbs.iter_mut().zip(other.limbs()) {
            *limb += more;
        }
        self.carry();
    }

    /// The double nearest to the sum; halves are rounded to even.
    pub fn value(&self) -> f64 {
        let limbs = self.limbs();
        let is_negative = limbs[Self::SIZE - 1] < 0;
        let magnitude = magnitude(&limbs);
        let Some(top) = magnitude.iter().rposition(|&limb| limb != 0) else {
            return 0.0;
        };
        let low = top.saturating_sub(2);
        let mut leading: u128 = 0;
        for &limb in magnitude[low..=top].iter().rev() {
            leading = leading << LIMB | u128::from(limb);
        }
        // three limbs have more than 64 bits, so the limbs below them matter only to tell a half
        // from more than a half
        if magnitude[..low].iter().any(|&limb| limb != 0) {
            leading |= 1;
        }
        let value = libm::scalbn(leading as f64, LEAST + (LIMB as usize * low) as i32);
        if is_negative { -value } else { value }
    }

    /// Makes all limbs but the last nonnegative and less than 2^32.
    fn carry(&mut self) {
        let mut carry = 0;
        for limb in &mut self.limbs[..Self::SIZE - 1] {
            let sum = i128::from(*limb) + carry;
            *limb = sum as i64 & MASK;
            carry = sum >> LIMB;
        }
        let last = &mut self.limbs[Self::SIZE - 1];
        // if this saturates, the sum is far beyond all doubles
        *last = last.saturating_add(carry as i64);
        self.terms = 0;
    }
}
