//! A pass: what is done with each chunk of bodies while its states are at hand.

use super::scratch::ChunkScratch;
use super::stage_loops::Saved;
use crate::memory::{Block, Bodies, States, StatesMut};
use crate::{clock::Clock, error::Failure};

/// A chunk of bodies, with angular velocities in the body frame.
pub(crate) struct Chunk<'a> {
    pub(crate) bodies: &'a Bodies<'a>,
    pub(crate) first: usize,
    /// Empty where the steps are taken in place, in `end`.
    pub(crate) start: States<'a>,
    pub(crate) end: StatesMut<'a>,
    pub(crate) saved: Saved<'a>,
    /// Columns 4 to 6: the bound angular momenta at the start, world frame, for passes that leave
    /// them.
    pub(crate) momenta: Option<States<'a>>,
    pub(crate) predicted: &'a mut [Block<3>],
    pub(crate) clock: Clock,
    pub(crate) steps: u64,
}

impl<'a> Chunk<'a> {
    /// `steps` steps of these bodies, from `start` to `end`. Where something is kept, predicted or
    /// left, its field is set besides.
    #[inline(always)]
    pub(crate) fn new(
        bodies: &'a Bodies<'a>,
        first: usize,
        start: States<'a>,
        end: StatesMut<'a>,
        clock: Clock,
        steps: u64,
    ) -> Self {
        Chunk {
            bodies,
            first,
            start,
            end,
            saved: Saved {
                from: None,
                to: &mut [],
            },
            momenta: None,
            predicted: &mut [],
            clock,
            steps,
        }
    }
}

/// What a pass leaves in `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writes {
    /// Nothing: only what is saved is new.
    Nothing,
    States,
    /// Where angular momenta are bound in the world frame, orientations and these angular momenta,
    /// otherwise the states.
    StatesOrMomenta,
}

pub(crate) trait Pass: Sync {
    #[inline(always)]
    fn writes(&self) -> Writes {
        Writes::States
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
