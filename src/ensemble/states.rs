//! Where the states of an ensemble are: in its own blocks, or in the caller's arrays.

use super::{AT_REST, active::Active, binding::Bound};
use crate::memory::{self, Block, ViewMut, blocks_for};
use crate::{error::Error, kernel::MOST_LANES};

pub(super) struct StateStore<'a> {
    /// The states; unused where the caller's arrays hold them.
    pub(super) own: Vec<Block<7>>,
    /// A second set of states: before a step, after it, or of a stage. Empty until it is needed.
    pub(super) spare: Vec<Block<7>>,
    pub(super) bound: Bound<'a>,
    pub(super) predicted: Option<Predicted<'a>>,
    /// Whether the spare blocks hold the states of the bodies that do not move, where only the first ones move.
    pub(super) rest_is_copied: bool,
}

/// The array for predicted angular velocities.
pub(super) struct Predicted<'a> {
    pub(super) array: ViewMut<'a, 3>,
    pub(super) ahead: f64,
    /// The values of the current call, by position: the array is written when all bodies have succeeded.
    pub(super) values: Vec<Block<3>>,
}

impl StateStore<'_> {
    /// Makes the spare blocks, if there are none yet.
    #[inline]
    pub(super) fn prepare(&mut self) -> Result<(), Error> {
        if self.spare.is_empty() {
            self.spare = memory::filled(self.own.len() * MOST_LANES, AT_REST)?;
        }
        Ok(())
    }

    /// Whether chunks are gathered from the caller's arrays, or from a list of active bodies.
    #[inline]
    pub(super) fn gathers(&self, active: &Active) -> bool {
        !self.bound.is_empty() || active.are_listed()
    }

    /// The block that holds both bodies that move and others, before a step in blocks. Copies the others to the spare blocks, which are
    /// swapped with the own ones.
    pub(super) fn shared_block(&mut self, active: &Active) -> Option<(usize, Block<7>)> {
        if active.are_all() {
            return None;
        }
        let first = active.count;
        if !self.rest_is_copied {
            let rest = blocks_for(first)..;
            self.spare[rest.clone()].copy_from_slice(&self.own[rest]);
            self.rest_is_copied = true;
        }
        let block = *self.own.get(first / MOST_LANES)?;
        Some((first, block))
    }

    /// After the step: the bodies in that block that do not move have moved with the others.
    pub(super) fn restore_shared_block(&mut self, (first, before): (usize, Block<7>)) {
        for body in first..blocks_for(first) * MOST_LANES {
            let state = before.get(body % MOST_LANES);
            memory::set(&mut self.own, body, state);
            memory::set(&mut self.spare, body, state);
        }
    }

    /// Writes the predicted velocities to the caller's array.
    pub(super) fn put_predicted(&mut self, active: &Active) {
        if let Some(predicted) = &mut self.predicted {
            for i in 0..active.count {
                predicted.array.put(active.body(i), memory::get(&predicted.values, i));
            }
        }
    }
}
