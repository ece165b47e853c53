//! Two blocks as one: while an operation of the first waits for its operands, one of the second runs.

use crate::kernel::Number;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A block of twice as many lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<N>(N, N);

macro_rules! both {
    ($($operator:ident $method:ident),*) => {$(
        impl<N: Number> $operator for Pair<N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Pair($operator::$method(self.0, other.0), $operator::$method(self.1, other.1))
            }
        }
    )*};
}
both!(Add add, Sub sub, Mul mul, Div div);

impl<N: Number> Neg for Pair<N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Pair(-self.0, -self.1)
    }
}

impl<N: Number> Number for Pair<N> {
    const LANES: usize = 2 * N::LANES;

    #[inline(always)]
    fn load(from: &[f64]) -> Self {
        Pair(N::load(from), N::load(&from[N::LANES..]))
    }

    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        self.0.store(to);
        self.1.store(&mut to[N::LANES..]);
    }

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Pair(N::splat(value), N::splat(value))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Pair(self.0.sqrt(), self.1.sqrt())
    }

    #[inline(always)]
    fn if_at_most(self, bound: f64, then: Self, otherwise: Self) -> Self {
        Pair(self.0.if_at_most(bound, then.0, otherwise.0), self.1.if_at_most(bound, then.1, otherwise.1))
    }

    #[inline(always)]
    fn any_above(self, bound: f64) -> bool {
        self.0.any_above(bound) | self.1.any_above(bound)
    }
}
