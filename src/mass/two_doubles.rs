//! Numbers of two doubles, whose sums and products lose no digits that a double would show.

/// The sum of two doubles, of which the second is at most a rounding error of the first: 106 bits
/// (T. J. Dekker, Numer. Math. 18, 224 (1971); D. E. Knuth, *The Art of Computer Programming* 2,
/// 4.2.2).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TwoDoubles {
    high: f64,
    low: f64,
}

/// The bits of a double without the last `count`.
fn without_last_bits(x: f64, count: u32) -> f64 {
    f64::from_bits(x.to_bits() >> count << count)
}

impl TwoDoubles {
    /// The sum of any two doubles, exact.
    pub(super) fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let taken = high - a;
        let low = (a - (high - taken)) + (b - taken);
        TwoDoubles { high, low }
    }

    /// The product of two doubles, exact but for the last of 106 bits.
    pub(super) fn product(a: f64, b: f64) -> Self {
        let [a_high, b_high] = [a, b].map(|x| without_last_bits(x, 27));
        let [a_low, b_low] = [a - a_high, b - b_high];
        let high = a * b;
        let low = ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low;
        Self::sum(high, low)
    }

    pub(super) fn value(self) -> f64 {
        self.high
    }

    pub(super) fn plus(self, other: Self) -> Self {
        let high = Self::sum(self.high, other.high);
        let low = Self::sum(self.low, other.low);
        let most = Self::sum(high.high, high.low + low.high);
        Self::sum(most.high, most.low + low.low)
    }

    pub(super) fn minus(self, other: Self) -> Self {
        self.plus(TwoDoubles {
            high: -other.high,
            low: -other.low,
        })
    }

    pub(super) fn times(self, other: Self) -> Self {
        let product = Self::product(self.high, other.high);
        let rest = self.high * other.low + self.low * other.high;
        Self::sum(product.high, product.low + rest)
    }

    pub(super) fn over(self, other: Self) -> Self {
        let quotient = self.high / other.high;
        let rest = self.minus(other.times(quotient.into()));
        Self::sum(quotient, rest.high / other.high)
    }

    /// A double of 30 bits and what is left. Such numbers may be added element by element: the sums
    /// of the first doubles are exact as long as none of them has more than 53 bits.
    pub(super) fn coarse_and_fine(self) -> [f64; 2] {
        let coarse = without_last_bits(self.high, 23);
        [coarse, (self.high - coarse) + self.low]
    }
}

impl From<f64> for TwoDoubles {
    fn from(high: f64) -> Self {
        TwoDoubles { high, low: 0.0 }
    }
}
