//! The one trait between the formulas and the hardware.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A real number, or a block of them that is computed lane by lane.
///
/// Each operation is IEEE 754 double precision in every lane, and no lane ever sees another: so the bits of a lane are the
/// bits of the same computation done with `f64`.
pub trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self> + 'static
{
    /// How many numbers: 1 for `f64`, at most [`MOST_LANES`].
    const LANES: usize;

    /// The same value in every lane.
    fn splat(value: f64) -> Self;

    /// The first [`Number::LANES`] of a slice, which has at least as many.
    fn load(from: &[f64]) -> Self;

    /// Over the first [`Number::LANES`] of a slice, which has at least as many.
    fn store(self, to: &mut [f64]);

    /// The square root, correctly rounded.
    fn sqrt(self) -> Self;

    /// `then` where `self <= bound`, and `otherwise` elsewhere (where `self` is NaN, too).
    fn if_at_most(self, bound: f64, then: Self, otherwise: Self) -> Self;

    /// Whether `self > bound` in any lane.
    fn any_above(self, bound: f64) -> bool;
}

/// The most lanes that a [`Number`] has.
pub const MOST_LANES: usize = 16;

impl Number for f64 {
    const LANES: usize = 1;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn load(from: &[f64]) -> Self {
        from[0]
    }

    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        to[0] = self;
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
    fn any_above(self, bound: f64) -> bool {
        self > bound
    }
}
