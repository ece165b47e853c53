//! What steps change, and the memory that they need: of all bodies, of a thread, and of a chunk.
//! What is done with a chunk is a pass.

use super::last_torques::LastTorques;
use crate::clock::Clock;
use crate::ensemble::acting::torque_loops::Torques;
use crate::ensemble::bodies::parameters::InertiaTile;
use crate::ensemble::lanes::AT_REST;
use crate::ensemble::states::own::StateStore;
use crate::error::{Error, Failure};
use crate::kernel::{self, Column, MOST_LANES, Number, Vec3, load_saved};
use crate::memory::{self, Block, Bodies, States, StatesMut, blocks_for, make_room};
use crate::method::{MOST_SAVED, Scheme};
use crate::threads::{Threads, unlocked};
use std::sync::Mutex;

/// What the steps of an ensemble change, and the memory that they need.
pub(crate) struct Motion<'a> {
    pub(crate) states: StateStore<'a>,
    pub(crate) last: LastTorques,
    pub(crate) clock: Clock,
    /// Which steps lead from the other blocks to the current ones; `None`: the other blocks hold
    /// something else.
    pub(crate) checkpoint: Option<Checkpoint>,
    pub(crate) workers: Workers,
    /// For each chunk of gathered bodies whether its new states have been scattered.
    pub(crate) scattered: Vec<bool>,
}

/// `steps` whole steps of `h` with the present torque and inertias. Taken again they give the same
/// bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checkpoint {
    pub(crate) h: f64,
    pub(crate) steps: u64,
    pub(crate) are_drifts: bool,
}

impl Motion<'_> {
    /// Of bodies as created.
    pub(crate) fn at_rest(count: usize) -> Result<Self, Error> {
        Ok(Motion {
            states: StateStore::at_rest(count)?,
            last: LastTorques::default(),
            clock: Clock::default(),
            checkpoint: None,
            workers: Workers::default(),
            scattered: Vec::new(),
        })
    }
}

/// The threads of an ensemble and their memory. It is made when first needed, for as many bodies as
/// a chunk of this ensemble has.
#[derive(Default)]
pub(crate) struct Workers {
    /// Locked only by calls that do not change the ensemble, of which several may run at once.
    pub(crate) threads: Option<Box<Mutex<Threads>>>,
    pub(crate) scratch: Vec<Scratch>,
}

impl Workers {
    /// Makes the memory of each thread: for a chunk of so many bodies or, where none is needed (0),
    /// nothing but its place.
    #[inline(always)]
    pub(crate) fn prepare(&mut self, count: usize) -> Result<(), Error> {
        let blocks = blocks_for(count);
        if self
            .scratch
            .first()
            .is_some_and(|first| first.start.len() >= blocks)
        {
            Ok(())
        } else {
            self.make(blocks)
        }
    }

    #[cold]
    fn make(&mut self, blocks: usize) -> Result<(), Error> {
        let threads = match unlocked(&mut self.threads) {
            Some(threads) => threads.count(),
            None => 1,
        };
        let mut all = Vec::new();
        make_room(&mut all, threads)?;
        for _ in 0..threads {
            all.push(if blocks > 0 {
                Scratch::new(blocks)?
            } else {
                Scratch::default()
            });
        }
        self.scratch = all;
        Ok(())
    }
}

/// The memory of a thread.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) start: Vec<Block<7>>,
    pub(crate) end: Vec<Block<7>>,
    pub(crate) chunk_scratch: ChunkScratch,
}

/// Data of a chunk between stages and steps.
#[derive(Default)]
pub(crate) struct ChunkScratch {
    pub(crate) torques: Torques,
    pub(crate) saved: Vec<Column>,
    pub(crate) inertias: InertiaTile,
    /// The result of a step other than the last.
    pub(crate) end: Vec<Block<7>>,
}

impl Scratch {
    fn new(blocks: usize) -> Result<Self, Error> {
        let bodies = blocks * MOST_LANES;
        let saved = memory::repeated(MOST_SAVED * blocks, [0.0; MOST_LANES])?;
        let torques = Torques::new(blocks)?;
        let moments = memory::filled(bodies, [1.0; 6])?;
        let turns = memory::filled(bodies, [1.0; 4])?;
        let inertias = InertiaTile {
            moments,
            turns,
            shared: None,
        };
        let chunk_scratch = ChunkScratch {
            torques,
            saved,
            inertias,
            end: memory::filled(bodies, AT_REST)?,
        };
        Ok(Scratch {
            start: memory::filled(bodies, AT_REST)?,
            end: memory::filled(bodies, AT_REST)?,
            chunk_scratch,
        })
    }
}

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
    /// Whether there are so many bodies that their states are hardly in a cache.
    pub(crate) is_far: bool,
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
            is_far: false,
        }
    }
}

/// The values that a method saves: as many columns per block as numbers per body.
pub(crate) struct Saved<'a> {
    /// Those before the step, if the method keeps them; `None`: they are in `to`.
    pub(crate) from: Option<&'a [Column]>,
    pub(crate) to: &'a mut [Column],
}

impl<'a> Saved<'a> {
    /// Where the method keeps nothing from step to step, it saves to scratch memory.
    #[inline(always)]
    pub(crate) fn or_between_stages(self, scratch: &'a mut [Column]) -> Self {
        if self.to.is_empty() {
            Saved {
                from: None,
                to: scratch,
            }
        } else {
            self
        }
    }

    pub(crate) fn reborrow(&mut self) -> Saved<'_> {
        Saved {
            from: self.from,
            to: &mut *self.to,
        }
    }

    /// At stage `i`.
    #[inline(always)]
    pub(crate) fn load<S: Scheme, N: Number>(
        &self,
        i: usize,
        b: usize,
        lane: usize,
    ) -> kernel::Saved<N> {
        let columns = 3 * S::SAVED;
        match self.from {
            _ if i == 0 && !S::KEEPS_TORQUE => [Vec3::splat(0.0); 2],
            Some(from) if i == 0 => load_saved(&from[b * columns..][..columns], lane),
            _ => load_saved(&self.to[b * columns..][..columns], lane),
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
    /// The states of a stage, which do not become those of the bodies yet.
    Stage,
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

    /// Refuses the numbers of bound arrays from which a stage starts. `first` is the position of
    /// the first of these bodies.
    fn check_bound(
        &self,
        _first: usize,
        _bodies: &Bodies,
        _numbers: States,
    ) -> Result<(), Failure> {
        Ok(())
    }

    fn visit(&self, chunk: Chunk, chunk_scratch: &mut ChunkScratch) -> Result<(), Failure>;
}
