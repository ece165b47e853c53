//! The trait between the formulas and the hardware.

use super::roots;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A real number, or a SIMD vector. Lanes are independent IEEE 754 doubles, with the bits of the
/// same `f64` computation.
pub trait Number:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + 'static
{
    /// The number of lanes: 1 for `f64`, at most [`MOST_LANES`].
    const LANES: usize;

    /// The same value in every lane.
    fn splat(value: f64) -> Self;

    /// Loads the first [`Number::LANES`] values of a slice; the slice must have as many.
    fn load(from: &[f64]) -> Self;

    /// Stores to the first [`Number::LANES`] values of a slice; the slice must have as many.
    fn store(self, to: &mut [f64]);

    /// The square root, correctly rounded.
    fn sqrt(self) -> Self;

    /// Per lane: `then` if `self <= bound`, otherwise (also if `self` is NaN) `otherwise`.
    fn if_at_most(self, bound: f64, then: Self, otherwise: Self) -> Self;

    /// Whether `self > bound` in any lane.
    fn any_above(self, bound: f64) -> bool;

    /// Does the work `W` out of line, with the instructions of `Self`. `N` is `Self` or made of it.
    fn rarely<N: Number, W: RareWork>(given: W::Given<'_, N>) -> W::Outcome<N>;
}

/// Work that lanes rarely need. It is compiled once for each [`Number`] and called: it takes no
/// registers from the loop around it.
pub trait RareWork {
    /// The arguments. A reference to numbers of the loop would keep them in memory there, so it
    /// must refer to copies.
    type Given<'a, N: Number>;
    /// The result.
    type Outcome<N: Number>;

    /// Computes the result. This function and all that it calls with lanes must be
    /// `#[inline(always)]`, to be compiled with their instructions.
    fn of_lanes<N: Number>(given: Self::Given<'_, N>) -> Self::Outcome<N>;
}

/// Implements operators of a type over numbers `N`, each by an expression.
macro_rules! operators {
    ($type:ident: $($operator:ident $method:ident($self:ident $(, $other:ident: $operand:ty)?) $value:expr;)*) => {$(
        impl<N: Number> std::ops::$operator$(<$operand>)? for $type<N> {
            type Output = Self;
            #[inline(always)]
            fn $method($self $(, $other: $operand)?) -> Self {
                $value
            }
        }
    )*};
}
pub(crate) use operators;

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
        roots::sqrt(self)
    }

    #[inline(always)]
    fn if_at_most(self, bound: f64, then: Self, otherwise: Self) -> Self {
        if self <= bound { then } else { otherwise }
    }

    #[inline(always)]
    fn any_above(self, bound: f64) -> bool {
        self > bound
    }

    #[cold]
    #[inline(never)]
    fn rarely<N: Number, W: RareWork>(given: W::Given<'_, N>) -> W::Outcome<N> {
        W::of_lanes(given)
    }
}

/// The largest number of lanes of any [`Number`].
#[cfg(not(target_arch = "nvptx64"))]
pub const MOST_LANES: usize = 16;
/// A thread of a GPU computes one body, and an array of more would be in its slow local memory.
#[cfg(target_arch = "nvptx64")]
pub const MOST_LANES: usize = 1;
