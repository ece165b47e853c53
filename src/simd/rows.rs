//! Transposition between rows in memory (arrays of structs) and columns of lanes (blocks of bodies).

use crate::kernel::{MOST_LANES, Number};

/// A [`Number`] that can load each lane from a separate row.
pub trait Lanes: Number {
    /// Loads `K` numbers (3 or 4) of [`Number::LANES`] rows, row `i` at `first + i stride`: number `k` of each into column `k`.
    /// # Safety
    /// The rows are readable and aligned.
    #[inline(always)]
    unsafe fn load_rows<const K: usize>(first: *const f64, stride: isize) -> [Self; K] {
        let mut columns = [[0.0; MOST_LANES]; K];
        for lane in 0..Self::LANES {
            for k in 0..K {
                // SAFETY: guaranteed by the caller.
                columns[k][lane] = unsafe { first.offset(lane as isize * stride + k as isize).read() };
            }
        }
        let mut out = [Self::splat(0.0); K];
        for k in 0..K {
            out[k] = Self::load(&columns[k]);
        }
        out
    }

    /// The reverse: writes these numbers and no others.
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
                unsafe { first.offset(lane as isize * stride + k as isize).write(lanes[k][lane]) };
            }
        }
    }
}

impl Lanes for f64 {}

/// [`Lanes::load_rows`] for contiguous rows.
#[inline(always)]
pub(crate) fn load_packed<N: Lanes, const K: usize>(from: &[f64]) -> [N; K] {
    assert!(from.len() >= K * N::LANES);
    // SAFETY: the slice holds `LANES` rows of `K`.
    unsafe { N::load_rows(from.as_ptr(), K as isize) }
}

/// [`Lanes::store_rows`] for contiguous rows.
#[inline(always)]
pub(crate) fn store_packed<N: Lanes, const K: usize>(columns: [N; K], to: &mut [f64]) {
    assert!(to.len() >= K * N::LANES);
    // SAFETY: the slice holds `LANES` rows of `K`.
    unsafe { N::store_rows(columns, to.as_mut_ptr(), K as isize) }
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

#[inline(always)]
pub(crate) fn store_columns<N: Lanes, const K: usize>(columns: [N; K], to: &mut [f64], stride: usize) {
    assert!(is_within::<N, K>(to.len(), stride));
    for k in 0..K {
        // SAFETY: as above.
        let column = unsafe { std::slice::from_raw_parts_mut(to.as_mut_ptr().add(k * stride), N::LANES) };
        columns[k].store(column);
    }
}

/// One check for all columns: a check per column costs more than the load.
#[inline(always)]
fn is_within<N: Lanes, const K: usize>(len: usize, stride: usize) -> bool {
    stride <= len && (K - 1) * stride + N::LANES <= len // no slice is long enough to overflow this
}
