//! A pass: what is done with each chunk of bodies while its states are at hand.

use super::{scratch::ChunkScratch, stage_loops::Saved};
use crate::memory::{Block, Bodies, States, StatesMut};
use crate::{clock::Clock, error::Failure};

/// A chunk of bodies, with angular velocities in the body frame.
pub(super) struct Chunk<'a> {
    pub(super) bodies: &'a Bodies<'a>,
    pub(super) first: usize,
    /// Empty where the steps are taken in place, in `end`.
    pub(super) start: States<'a>,
    pub(super) end: StatesMut<'a>,
    pub(super) saved: Saved<'a>,
    /// Columns 4 to 6: the bound angular momenta at the start, world frame, for passes that leave
    /// them.
    pub(super) momenta: Option<States<'a>>,
    pub(super) predicted: &'a mut [Block<3>],
    pub(super) clock: Clock,
    pub(super) steps: u64,
}

/// What a pass leaves in `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaves {
    /// Nothing: only what is saved is new.
    Nothing,
    States,
    /// Where angular momenta are bound in the world frame, orientations and these angular momenta,
    /// otherwise the states.
    StatesOrMomenta,
}

pub(super) trait Pass: Sync {
    #[inline(always)]
    fn leaves(&self) -> Leaves {
        Leaves::States
    }

    /// Columns of [`Chunk::saved`] per block.
    fn saved_columns(&self) -> usize {
        0
    }

    /// Whether it uses the scratch memory of a thread, where the states are in the ensemble's own
    /// blocks.
    #[inline(always)]
    fn needs_scratch(&self) -> bool {
        true
    }

    fn visit(&self, chunk: Chunk, chunk_scratch: &mut ChunkScratch) -> Result<(), Failure>;
}
