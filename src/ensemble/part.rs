//! Consecutive positions with their memory, which threads and chunks divide among themselves.

use super::lanes::CHUNK;
use crate::memory::{Block, StatesMut, blocks_for};
use crate::{kernel::Column, threads::End};

/// Consecutive positions: the work of one thread.
pub(super) struct Part<'a> {
    pub(super) first: usize,
    pub(super) count: usize,
    /// The own blocks of these positions; empty where states are gathered.
    pub(super) own: StatesMut<'a>,
    /// The spare blocks of these positions.
    pub(super) spare: StatesMut<'a>,
    /// For each chunk: whether its new states have been scattered.
    pub(super) done: &'a mut [bool],
    /// What the method keeps, before the sweep and, unless it is in place, after it: so many columns per block.
    pub(super) columns: usize,
    pub(super) before: &'a mut [Column],
    pub(super) after: &'a mut [Column],
    /// The predicted velocities; empty if none are predicted.
    pub(super) predicted: &'a mut [Block<3>],
}

impl<'a> Part<'a> {
    /// Splits off `grain` positions at one end; `None` if none are left.
    pub(super) fn take_at(&mut self, end: End, grain: usize) -> Option<Part<'a>> {
        match end {
            End::Front => self.take(grain),
            End::Back => {
                let others = self.count.saturating_sub(1) / grain * grain;
                let front = self.take(others);
                let back = self.take(grain);
                if let Some(front) = front {
                    *self = front;
                }
                back
            }
        }
    }

    /// Splits off the first `count` positions, or all if there are fewer; `None` if none are left.
    pub(super) fn take(&mut self, count: usize) -> Option<Part<'a>> {
        let (first, count, columns) = (self.first, self.count.min(count), self.columns);
        if count == 0 {
            return None;
        }
        let blocks = blocks_for(count);
        self.first += count;
        self.count -= count;
        Some(Part {
            first,
            count,
            own: take_front(&mut self.own, blocks),
            spare: take_front(&mut self.spare, blocks),
            done: take_front(&mut self.done, count.div_ceil(CHUNK)),
            columns,
            before: take_front(&mut self.before, blocks * columns),
            after: take_front(&mut self.after, blocks * columns),
            predicted: take_front(&mut self.predicted, blocks),
        })
    }
}

#[inline(always)]
pub(super) fn take_front<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    slice.split_off_mut(..count.min(slice.len())).unwrap_or_default()
}
