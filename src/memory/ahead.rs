//! Software prefetching of the next chunk, where the hardware prefetcher does not reach.

use super::block::States;
use crate::kernel::MOST_LANES;
use crate::simd::{prefetch, prefetch_at};

/// The rows of the bodies in an array. They are only prefetched, never read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowAddresses {
    /// Address of the first number of body 0; of the last one, if it may be in another cache line.
    pub(super) first: *const u8,
    pub(super) last: Option<*const u8>,
    /// Bytes from body to body.
    pub(super) stride: isize,
}

// SAFETY: the addresses are never dereferenced.
unsafe impl Send for RowAddresses {}
// SAFETY: as above.
unsafe impl Sync for RowAddresses {}

pub(crate) struct Ahead<'a> {
    /// The blocks of the next chunk and all after it.
    pub(crate) blocks: [States<'a>; 2],
    /// The rows of the caller's arrays, from body `first` on.
    pub(crate) rows: [Option<RowAddresses>; 2],
    pub(crate) first: usize,
}

impl Ahead<'_> {
    /// Prefetches block `b` of each. Out of line: inlined it would slow the calling loop by 5 %.
    #[cold]
    #[inline(never)]
    pub(crate) fn prefetch(&self, b: usize) {
        for blocks in self.blocks {
            if let Some(block) = blocks.get(b) {
                prefetch(block);
            }
        }
        for RowAddresses { first, last, stride } in self.rows.iter().flatten() {
            for body in (self.first + b * MOST_LANES..).take(MOST_LANES) {
                prefetch_at(first.wrapping_offset(stride * body as isize));
                last.iter().for_each(|last| prefetch_at(last.wrapping_offset(stride * body as isize)));
            }
        }
    }
}
