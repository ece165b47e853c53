//! The one trait between the formulas and the hardware.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A real number, or a block of them that is computed lane by lane.
///
/// Each operation is IEEE 754 double precision in every lane, and no lane ever sees another: so the bits of a lane are the
/// bits of the same computation done with `f64`.
pub trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self> + 'static
{
    /// The same value in every lane.
    fn splat(value: f64) -> Self;

    /// The square root, correctly rounded.
    fn sqrt(self) -> Self;

    /// `then` where `self <= bound`, and `otherwise` elsewhere (where `self` is NaN, too).
    fn if_at_most(self, bound: f64, then: Self, otherwise: Self) -> Self;

    /// `results`, but where `self > bound` the lane is `rare(self)` instead. For what is seldom needed and cannot be done
    /// without a branch: a block pays for it only when one of its lanes needs it, and its other lanes keep their bits.
    fn replace_above(self, bound: f64, results: (Self, Self), rare: fn(f64) -> (f64, f64)) -> (Self, Self);
}

impl Number for f64 {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }

    #[inline(always)]
    fn if_at_most(self, bound: f64, then: Self, otherwise: Self) -> Self {
        if self <= bound { then } else { otherwise }
    }

    #[inline(always)]
    fn replace_above(self, bound: f64, results: (Self, Self), rare: fn(f64) -> (f64, f64)) -> (Self, Self) {
        if self > bound { rare(self) } else { results }
    }
}
