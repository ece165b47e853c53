//! Exact sums: the double nearest to the sum of any finite numbers, in any order and in any number of parts.

use proptest::prelude::*;
use quatint::ExactSum;

fn sum(terms: &[f64]) -> ExactSum {
    let mut sum = ExactSum::default();
    terms.iter().for_each(|&term| sum.add(term));
    sum
}

#[test]
fn a_sum_is_rounded_once_to_the_nearest_double_and_halves_to_even() {
    let ulp = f64::EPSILON;
    for (terms, wanted) in [
        (&[][..], 0.0),
        (&[1e308, 1e308, -1e308], 1e308),
        (&[1e16, 1.0, -1e16], 1.0),
        (&[f64::MAX, f64::MIN_POSITIVE, -f64::MAX], f64::MIN_POSITIVE),
        (&[5e-324, 5e-324, 5e-324], 1.5e-323),
        (&[f64::MIN_POSITIVE, -5e-324], f64::MIN_POSITIVE - 5e-324),
        (&[1.0, 0.5 * ulp], 1.0),
        (&[1.0 + ulp, 0.5 * ulp], 1.0 + 2.0 * ulp),
        (&[1.0, 0.5 * ulp, 5e-324], 1.0 + ulp),
        (&[-1.0, -0.5 * ulp, -5e-324], -1.0 - ulp),
        (&[1.0, -1.0, -0.0], 0.0),
        (&[f64::MAX, f64::MAX], f64::INFINITY),
    ] {
        assert_eq!(sum(terms).value().to_bits(), wanted.to_bits(), "{terms:?}");
    }
}

/// Any integers come from C: the least of them has no opposite of its own type.
#[test]
fn limbs_of_any_integers_have_a_value() {
    let mut limbs = [0; ExactSum::SIZE];
    limbs[0] = i64::MIN;
    let least = 2_f64.powi(-1074);
    assert_eq!(
        ExactSum::from_limbs(limbs).value(),
        -(2_f64.powi(63) * least)
    );
    limbs = [0; ExactSum::SIZE];
    limbs[ExactSum::SIZE - 1] = i64::MIN;
    assert_eq!(ExactSum::from_limbs(limbs).value(), f64::NEG_INFINITY);
    limbs = [i64::MIN; ExactSum::SIZE];
    assert_eq!(ExactSum::from_limbs(limbs).value(), f64::NEG_INFINITY);
}

proptest! {
    /// The reference: integers of 128 bits, whose conversion to f64 is correctly rounded.
    #[test]
    fn it_is_the_sum_of_integers(terms in prop::collection::vec(-(1_i64 << 53)..(1 << 53), 0..200), scale in 0..60_u32) {
        let exact: i128 = terms.iter().map(|&n| i128::from(n) << (n.unsigned_abs() as u32 % (scale + 1))).sum();
        let doubles: Vec<f64> = terms.iter().map(|&n| n as f64 * 2_f64.powi((n.unsigned_abs() as u32 % (scale + 1)) as i32)).collect();
        prop_assert_eq!(sum(&doubles).value(), exact as f64);
    }

    #[test]
    fn no_order_and_no_division_changes_an_integer(
        terms in prop::collection::vec(any::<f64>().prop_filter("finite", |x| x.is_finite()), 1..60),
        cut in 0..60_usize,
    ) {
        let whole = sum(&terms);
        let cut = cut.min(terms.len());
        let mut parts = sum(&terms[cut..]);
        parts.add_sum(&sum(&terms[..cut]));
        prop_assert_eq!(parts, sum(&terms.iter().rev().copied().collect::<Vec<_>>()));
        // as MPI adds them
        let (a, b) = (sum(&terms[..cut]).limbs(), sum(&terms[cut..]).limbs());
        let added = ExactSum::from_limbs(std::array::from_fn(|k| a[k] + b[k]));
        prop_assert_eq!(added.limbs(), whole.limbs());
        prop_assert_eq!(added.value().to_bits(), whole.value().to_bits());
    }
}
