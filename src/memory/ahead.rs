//! Reading ahead: asking for memory that the next chunk will need, where it is farther away than the processor foresees.

use super::block::States;
use crate::kernel::MOST_LANES;
use crate::simd::{LINE, prefetch, prefetch_at};

/// Rows of memory, one for each body. They are only ever prefetched, never read through this.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    /// The first number of body 0, and the last one where that can be in another cache line.
    first: *const u8,
    last: Option<*const u8>,
    /// Bytes from body to body.
    stride: isize,
}

// SAFETY: addresses that are never dereferenced.
unsafe impl Send for Rows {}
// SAFETY: as above.
unsafe impl Sync for Rows {}

impl Rows {
    /// From the first and the last number of body 0, and the bytes from body to body.
    pub(super) fn new(first: *const u8, last: *const u8, stride: isize) -> Self {
        let share_a_line = stride % LINE as isize == 0 && first.addr() / LINE == last.addr() / LINE;
        Rows { first, last: if share_a_line { None } else { Some(last) }, stride }
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

/// What a chunk will need, to be prefetched while the chunk before it is worked on.
pub(crate) struct Ahead<'a> {
    /// Its blocks and those that follow.
    pub(crate) blocks: [States<'a>; 2],
    /// Its rows of the caller's arrays, from body `first` on.
    pub(crate) rows: [Option<Rows>; 2],
    pub(crate) first: usize,
}

impl Ahead<'_> {
    /// Prefetches block `b` of each. Kept out of the loop that calls it, which would be slower by a twentieth.
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
