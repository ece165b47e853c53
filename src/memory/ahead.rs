//! Software prefetching of the next chunk, where the hardware prefetcher does not reach.

use super::block::States;
use crate::kernel::MOST_LANES;
use crate::simd::{prefetch, prefetch_at};
use std::ptr::without_provenance;

/// The rows of the bodies in an array. They are only prefetched, never read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowAddresses {
    /// Address of the first number of body 0.
    pub(super) first: usize,
    /// Address of its last number, if that may be in another cache line.
    pub(super) last: Option<usize>,
    /// Bytes from body to body.
    pub(super) stride: isize,
}

/// The memory of the next chunk.
pub(crate) struct Ahead<'a> {
    /// The blocks of the next chunk and all after it.
    pub(crate) blocks: [States<'a>; 2],
    /// The rows of the caller's arrays, from body `first` on.
    pub(crate) rows: [Option<RowAddresses>; 2],
    pub(crate) first: usize,
}

impl Ahead<'_> {
    /// Prefetches block `b` of each. It is out of line, because it would slow the calling loop by 5 %.
    #[cold]
    #[inline(never)]
    pub(crate) fn prefetch(&self, b: usize) {
        for blocks in self.blocks {
            if let Some(block) = blocks.get(b) {
                prefetch(block);
            }
        }
        for RowAddresses {
            first,
            last,
            stride,
        } in self.rows.iter().flatten()
        {
            let mut offset = stride.wrapping_mul((self.first + b * MOST_LANES) as isize);
            for _ in 0..MOST_LANES {
                prefetch_at(without_provenance(first.wrapping_add_signed(offset)));
                if let Some(last) = last {
                    prefetch_at(without_provenance(last.wrapping_add_signed(offset)));
                }
                offset = offset.wrapping_add(*stride);
            }
        }
    }
}
