//! Transposition between rows in memory (arrays of structs) and columns of lanes (blocks of
//! bodies).

use crate::kernel::{MOST_LANES, Number, RareWork, operators};
use std::mem::MaybeUninit;

/// A [`Number`] that can load each lane from a separate row.
pub trait Lanes: Number {
    /// Loads `K` numbers (3 or 4) of each of [`Number::LANES`] rows. Row `i` is at `first + i stride`;
    /// number `k` of each goes to column `k`. With 3 numbers the last column is any.
    /// # Safety
    /// The rows are readable and aligned.
    #[inline(always)]
    unsafe fn load_rows<const K: usize>(first: *const f64, stride: isize) -> [Self; 4] {
        let mut columns = [[0.0; MOST_LANES]; 4];
        for lane in 0..Self::LANES {
            for k in 0..K {
                // SAFETY: guaranteed by the caller.
                columns[k][lane] =
                    unsafe { first.offset(lane as isize * stride + k as isize).read() };
            }
        }
        let [a, b, c, d] = &columns;
        [Self::load(a), Self::load(b), Self::load(c), Self::load(d)]
    }

    /// Writes the lanes to `to`, which may hold nothing yet.
    /// # Safety
    /// [`Number::LANES`] numbers can be written there.
    #[inline(always)]
    unsafe fn store_to(self, to: *mut f64) {
        let mut lanes = [0.0; MOST_LANES];
        self.store(&mut lanes);
        // SAFETY: guaranteed by the caller.
        unsafe { to.copy_from_nonoverlapping(lanes.as_ptr(), Self::LANES) }
    }

    /// The reverse of [`Lanes::load_rows`]. Writes these numbers and no others.
    /// # Safety
    /// The rows are writable and aligned.
    #[inline(always)]
    unsafe fn store_rows<const K: usize>(columns: [Self; K], first: *mut f64, stride: isize) {
        let mut lanes = [[0.0; MOST_LANES]; K];
        for k in 0..K {
            columns[k].store(&mut lanes[k]);
        }
        for lane in 0..Self::LANES {
            for k in 0..K {
                // SAFETY: guaranteed by the caller.
                unsafe {
                    first
                        .offset(lane as isize * stride + k as isize)
                        .write(lanes[k][lane])
                };
            }
        }
    }
}

impl Lanes for f64 {}

/// [`Lanes::load_rows`] for contiguous rows of three.
#[inline(always)]
pub(crate) fn load_packed<N: Lanes>(from: &[f64]) -> [N; 3] {
    assert!(from.len() >= 3 * N::LANES);
    // SAFETY: the slice holds `LANES` rows of three.
    let [x, y, z, _] = unsafe { N::load_rows::<3>(from.as_ptr(), 3) };
    [x, y, z]
}

/// [`Lanes::store_rows`] for contiguous rows.
#[inline(always)]
pub(crate) fn store_packed<N: Lanes, const K: usize>(columns: [N; K], to: &mut [MaybeUninit<f64>]) {
    assert!(to.len() >= K * N::LANES);
    // SAFETY: the slice holds `LANES` rows of `K`.
    unsafe { N::store_rows(columns, to.as_mut_ptr().cast(), K as isize) }
}

/// Loads the first [`Number::LANES`] numbers of `K` columns at distance `stride`.
#[inline(always)]
pub(crate) fn load_columns<N: Lanes, const K: usize>(from: &[f64], stride: usize) -> [N; K] {
    assert!(is_within::<N, K>(from.len(), stride));
    let mut columns = [N::splat(0.0); K];
    for k in 0..K {
        // SAFETY: the last number of the last column is in the slice, so all are.
        let column = unsafe { std::slice::from_raw_parts(from.as_ptr().add(k * stride), N::LANES) };
        columns[k] = N::load(column);
    }
    columns
}

/// Stores `K` columns at distance `stride`.
#[inline(always)]
pub(crate) fn store_columns<N: Lanes, const K: usize>(
    columns: [N; K],
    to: &mut [MaybeUninit<f64>],
    stride: usize,
) {
    assert!(is_within::<N, K>(to.len(), stride));
    for k in 0..K {
        // SAFETY: the last number of the last column is in the slice, so all are.
        unsafe { columns[k].store_to(to.as_mut_ptr().add(k * stride).cast()) };
    }
}

/// Whether all columns are in a slice. One check serves for all, because a check per column would
/// cost more than the load.
#[inline(always)]
fn is_within<N: Lanes, const K: usize>(len: usize, stride: usize) -> bool {
    stride <= len && (K - 1) * stride + N::LANES <= len // no slice is long enough to overflow this
}

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

impl<N: Lanes> Lanes for Pair<N> {
    #[inline(always)]
    unsafe fn load_rows<const K: usize>(first: *const f64, stride: isize) -> [Self; 4] {
        let second = first.wrapping_offset(N::LANES as isize * stride);
        // SAFETY: guaranteed by the caller, for the rows of each half.
        let [a, b] = unsafe {
            [
                N::load_rows::<K>(first, stride),
                N::load_rows::<K>(second, stride),
            ]
        };
        [
            Pair(a[0], b[0]),
            Pair(a[1], b[1]),
            Pair(a[2], b[2]),
            Pair(a[3], b[3]),
        ]
    }

    #[inline(always)]
    unsafe fn store_rows<const K: usize>(columns: [Self; K], first: *mut f64, stride: isize) {
        let mut a = [N::splat(0.0); K];
        let mut b = [N::splat(0.0); K];
        for k in 0..K {
            a[k] = columns[k].0;
            b[k] = columns[k].1;
        }
        // SAFETY: guaranteed by the caller, for the rows of each half.
        unsafe {
            N::store_rows(a, first, stride);
            N::store_rows(b, first.wrapping_offset(N::LANES as isize * stride), stride);
        }
    }
}
