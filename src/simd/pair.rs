//! Two vectors as one: operations of one fill the latency of those of the other.

use super::Lanes;
use crate::kernel::{Number, RareWork, operators};

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
        Pair(self.0.if_at_most(bound, then.0, otherwise.0), self.1.if_at_most(bound, then.1, otherwise.1))
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

impl<N: Lanes> Lanes for Pair<N> {
    #[inline(always)]
    unsafe fn load_rows<const K: usize>(first: *const f64, stride: isize) -> [Self; K] {
        let second = first.wrapping_offset(N::LANES as isize * stride);
        // SAFETY: guaranteed by the caller, for the rows of each half.
        let (a, b): ([N; K], [N; K]) = unsafe { (N::load_rows(first, stride), N::load_rows(second, stride)) };
        let mut out = [Self::splat(0.0); K];
        for k in 0..K {
            out[k] = Pair(a[k], b[k]);
        }
        out
    }

    #[inline(always)]
    unsafe fn store_rows<const K: usize>(columns: [Self; K], first: *mut f64, stride: isize) {
        let (mut a, mut b) = ([N::splat(0.0); K], [N::splat(0.0); K]);
        for k in 0..K {
            (a[k], b[k]) = (columns[k].0, columns[k].1);
        }
        // SAFETY: guaranteed by the caller, for the rows of each half.
        unsafe {
            N::store_rows(a, first, stride);
            N::store_rows(b, first.wrapping_offset(N::LANES as isize * stride), stride);
        }
    }
}
