//! Software prefetching of the next chunk, where the hardware prefetcher does not reach.

use super::block::States;
use crate::kernel::MOST_LANES;
use crate::simd::{LINE, prefetch, prefetch_at};

/// The rows of the bodies in an array. They are only prefetched, never read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowAddresses {
    /// Address of the first number of body 0; of the last one, if it may be in another cache line.
    first: *const u8,
    last: Option<*const u8>,
    /// Bytes from body to body.
    stride: isize,
}

// SAFETY: the addresses are never dereferenced.
unsafe impl Send for RowAddresses {}
// SAFETY: as above.
unsafe impl Sync for RowAddresses {}

impl RowAddresses {
    /// From the addresses of the first and last number of body 0, and the distance of bodies in bytes.
    pub(super) fn new(first: *const u8, last: *const u8, stride: isize) -> Self {
        let share_a_line = stride % LINE as isize == 0 && first.addr() / LINE == last.addr() / LINE;
        RowAddresses { first, last: if share_a_line { None } else { Some(last) }, stride }
    }

    #[inline(always)]
    fn prefetch(&self, bodies: std::ops::Range<usize>) {
        for body in bodies {
            prefetch_at(self.first.wrapping_offset(self.stride * body as isize));
            if let Some(last) = self.last {
                prefetch_at(last.wrapping_offset(self.stride * body as isize));
            }
        }
    }
}

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
        for rows in self.rows.iter().flatten() {
            let first = self.first + b * MOST_LANES;
            rows.prefetch(first..first + MOST_LANES);
        }
    }
}
