//! Two vectors as one.

use crate::kernel::{Number, RareWork, operators};

/// Two vectors as one: operations of the one fill the latency of the other.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Pair<N>(N, N);

operators!(Pair:
    Add add(self, other: Self) Pair(self.0 + other.0, self.1 + other.1);
    Sub sub(self, other: Self) Pair(self.0 - other.0, self.1 - other.1);
    Mul mul(self, other: Self) Pair(self.0 * other.0, self.1 * other.1);
    Div div(self, other: Self) Pair(self.0 / other.0, self.1 / other.1);
    Neg neg(self) Pair(-self.0, -self.1);
);

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
        Pair(
            self.0.if_at_most(bound, then.0, otherwise.0),
            self.1.if_at_most(bound, then.1, otherwise.1),
        )
    }

    #[inline(always)]
    fn any_above(self, bound: f64) -> bool {
        self.0.any_above(bound) | self.1.any_above(bound)
    }

    #[inline(always)]
    fn rarely<M: Number, W: RareWork>(given: W::Given<'_, M>) -> W::Outcome<M> {
        N::rarely::<M, W>(given)
    }
}
