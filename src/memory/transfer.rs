//! Transfers between the caller's arrays and blocks, as many bodies at a time as there are lanes.

use super::block::Block;
use super::strided::{Shape, Strided};
use crate::kernel::MOST_LANES;
use crate::simd::{self, Job, Lanes};

impl<const K: usize> Strided<K> {
    /// Copies the numbers of `count` consecutive bodies to the columns from `column` on, in the first lanes of `to`.
    /// # Safety
    /// The bodies are readable.
    pub(super) unsafe fn gather(&self, body: usize, count: usize, to: &mut [Block<7>], column: usize) {
        simd::run_on(count, &mut Gather { place: self, body, count, to, column });
    }

    /// The reverse of [`Strided::gather`].
    /// # Safety
    /// The bodies are writable.
    pub(super) unsafe fn scatter(&self, body: usize, count: usize, from: &[Block<7>], column: usize) {
        simd::run_on(count, &mut Scatter { place: self, body, count, from, column });
    }
}

/// Constructed only by [`Strided::gather`].
struct Gather<'a, const K: usize> {
    place: &'a Strided<K>,
    body: usize,
    count: usize,
    to: &'a mut [Block<7>],
    column: usize,
}

impl<const K: usize> Job for Gather<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<N: Lanes>(&mut self) {
        let Gather { place, body, count, column, .. } = *self;
        assert!(body + count <= place.count);
        let mut i = 0;
        while i + N::LANES <= count {
            let (block, lane) = (&mut self.to[i / MOST_LANES], i % MOST_LANES);
            let start = place.base.wrapping_offset((body + i) as isize * place.body_stride);
            match place.shape {
                Shape::Rows(offset, order) => {
                    let row = start.wrapping_offset(offset).cast_const();
                    // SAFETY: rows of bodies in the array, which is readable.
                    let columns = unsafe { N::load_rows::<K>(row, place.body_stride) };
                    for k in 0..K {
                        block.store(column + order[k], lane, columns[k]);
                    }
                }
                Shape::Columns => {
                    for c in 0..K {
                        let first = start.wrapping_offset(place.offsets[c]).cast_const();
                        // SAFETY: component `c` of `LANES` bodies in the array, which is readable.
                        let numbers = unsafe { std::slice::from_raw_parts(first, N::LANES) };
                        block.store(column + c, lane, N::load(numbers));
                    }
                }
                Shape::Apart => break,
            }
            i += N::LANES;
        }
        // SAFETY: bodies in the array, which is readable.
        (i..count).for_each(|i| unsafe { place.take(body + i, self.to, i, column) });
    }
}

/// Constructed only by [`Strided::scatter`].
struct Scatter<'a, const K: usize> {
    place: &'a Strided<K>,
    body: usize,
    count: usize,
    from: &'a [Block<7>],
    column: usize,
}

impl<const K: usize> Job for Scatter<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<N: Lanes>(&mut self) {
        let Scatter { place, body, count, column, .. } = *self;
        assert!(body + count <= place.count);
        let mut i = 0;
        while i + N::LANES <= count {
            let (block, lane) = (&self.from[i / MOST_LANES], i % MOST_LANES);
            let start = place.base.wrapping_offset((body + i) as isize * place.body_stride);
            match place.shape {
                Shape::Rows(offset, order) => {
                    let mut columns = [N::splat(0.0); K];
                    for k in 0..K {
                        columns[k] = block.load(column + order[k], lane);
                    }
                    // SAFETY: rows of bodies in the array, which is writable.
                    unsafe { N::store_rows(columns, start.wrapping_offset(offset), place.body_stride) };
                }
                Shape::Columns => {
                    for c in 0..K {
                        let first = start.wrapping_offset(place.offsets[c]);
                        // SAFETY: component `c` of `LANES` bodies in the array, which is writable.
                        let numbers = unsafe { std::slice::from_raw_parts_mut(first, N::LANES) };
                        block.load::<N>(column + c, lane).store(numbers);
                    }
                }
                Shape::Apart => break,
            }
            i += N::LANES;
        }
        // SAFETY: bodies in the array, which is writable.
        (i..count).for_each(|i| unsafe { place.give(body + i, self.from, i, column) });
    }
}
