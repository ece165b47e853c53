//! Transposition between rows in memory (arrays of structs) and columns of lanes (blocks of
//! bodies).

use crate::kernel::{MOST_LANES, Number};
use std::mem::MaybeUninit;

/// Loads `K` numbers of each of [`Number::LANES`] rows. Row `i` is at `first + i stride`; number
/// `k` of each goes to column `k`.
///
/// # Safety
/// The rows are readable and aligned.
#[inline(always)]
pub unsafe fn load_rows<N: Number, const K: usize>(first: *const f64, stride: isize) -> [N; K] {
    let mut numbers = [[0.0; MOST_LANES]; K];
    for lane in 0..N::LANES {
        for k in 0..K {
            let number = first.wrapping_offset(lane as isize * stride + k as isize);
            // SAFETY: guaranteed by the caller.
            numbers[k][lane] = unsafe { number.read() };
        }
    }
    let mut columns = [N::splat(0.0); K];
    for k in 0..K {
        columns[k] = N::load(&numbers[k]);
    }
    columns
}

/// The reverse of [`load_rows`]. Writes these numbers and no others.
///
/// # Safety
/// The rows are writable and aligned.
#[inline(always)]
pub unsafe fn store_rows<N: Number, const K: usize>(
    columns: [N; K],
    first: *mut f64,
    stride: isize,
) {
    let mut numbers = [[0.0; MOST_LANES]; K];
    for k in 0..K {
        columns[k].store(&mut numbers[k]);
    }
    for lane in 0..N::LANES {
        for k in 0..K {
            let number = first.wrapping_offset(lane as isize * stride + k as isize);
            // SAFETY: guaranteed by the caller.
            unsafe { number.write(numbers[k][lane]) };
        }
    }
}

/// [`load_rows`] for contiguous rows of three.
#[inline(always)]
pub(crate) fn load_packed<N: Number>(from: &[f64]) -> [N; 3] {
    assert!(from.len() >= 3 * N::LANES);
    // SAFETY: the slice holds `LANES` rows of three.
    unsafe { load_rows(from.as_ptr(), 3) }
}

/// [`store_rows`] for contiguous rows.
#[inline(always)]
pub(crate) fn store_packed<N: Number, const K: usize>(
    columns: [N; K],
    to: &mut [MaybeUninit<f64>],
) {
    assert!(to.len() >= K * N::LANES);
    // SAFETY: the slice holds `LANES` rows of `K`.
    unsafe { store_rows(columns, to.as_mut_ptr().cast(), K as isize) }
}

/// Loads the first [`Number::LANES`] numbers of `K` columns at distance `stride`.
#[inline(always)]
pub(crate) fn load_columns<N: Number, const K: usize>(from: &[f64], stride: usize) -> [N; K] {
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
pub(crate) fn store_columns<N: Number, const K: usize>(
    columns: [N; K],
    to: &mut [MaybeUninit<f64>],
    stride: usize,
) {
    assert!(is_within::<N, K>(to.len(), stride));
    for k in 0..K {
        let mut lanes = [0.0; MOST_LANES];
        columns[k].store(&mut lanes);
        // SAFETY: the last number of the last column is in the slice, so all are.
        unsafe {
            let column: *mut f64 = to.as_mut_ptr().add(k * stride).cast();
            column.copy_from_nonoverlapping(lanes.as_ptr(), N::LANES);
        }
    }
}

/// Whether all columns are in a slice. One check serves for all, because a check per column would
/// cost more than the load.
#[inline(always)]
fn is_within<N: Number, const K: usize>(len: usize, stride: usize) -> bool {
    stride <= len && (K - 1) * stride + N::LANES <= len // no slice is long enough to overflow this
}
