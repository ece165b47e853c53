//! The threads of an ensemble and their memory, with the arrays exchanged with a callback. It is
//! made when first needed, for as many bodies as a chunk of this ensemble has.

use super::{AT_REST, parameters::InertiaTile, random_loops::Noise};
use crate::error::Error;
use crate::kernel::{Column, MOST_LANES};
use crate::memory::{self, Block, blocks_for, make_room};
use crate::{method::MOST_SAVED, threads::Threads};
use std::sync::{Mutex, PoisonError};

#[derive(Default)]
pub(super) struct Workers {
    /// Locked only by calls that do not change the ensemble, of which several may run at once.
    pub(super) threads: Option<Box<Mutex<Threads>>>,
    pub(super) scratch: Vec<Scratch>,
}

impl Workers {
    /// Makes the memory of each thread: for a chunk of so many bodies or, where none is needed (0),
    /// nothing but its place.
    #[inline(always)]
    pub(super) fn prepare(&mut self, count: usize) -> Result<(), Error> {
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

/// The threads, for a call that changes the ensemble.
#[inline(always)]
pub(super) fn unlocked(threads: &mut Option<Box<Mutex<Threads>>>) -> Option<&mut Threads> {
    match threads {
        Some(threads) => Some(threads.get_mut().unwrap_or_else(PoisonError::into_inner)),
        None => None,
    }
}

#[derive(Default)]
pub(super) struct Scratch {
    pub(super) start: Vec<Block<7>>,
    pub(super) end: Vec<Block<7>>,
    pub(super) chunk_scratch: ChunkScratch,
}

/// Data of a chunk between stages and steps.
#[derive(Default)]
pub(super) struct ChunkScratch {
    pub(super) torques: Torques,
    pub(super) saved: Vec<Column>,
    pub(super) inertias: InertiaTile,
    /// The result of a step other than the last.
    pub(super) end: Vec<Block<7>>,
}

/// The torques on a chunk, as they are asked.
#[derive(Default)]
pub(super) struct Torques {
    /// The packed arrays of a callback: 4 numbers per body, then 3 and 3: orientations, angular
    /// velocities, torques.
    pub(super) packed: Vec<Block<10>>,
    /// In the body frame.
    pub(super) tile: Vec<Block<3>>,
    pub(super) noise: Noise,
    pub(super) resistances: Vec<Block<3>>,
}

impl Scratch {
    fn new(blocks: usize) -> Result<Self, Error> {
        let bodies = blocks * MOST_LANES;
        let saved = memory::repeated(MOST_SAVED * blocks, [0.0; MOST_LANES])?;
        let packed = memory::filled(bodies, [0.0; 10])?;
        let noise = Noise::new(blocks)?;
        let vectors = || memory::filled(bodies, [0.0; 3]);
        let torques = Torques {
            packed,
            tile: vectors()?,
            noise,
            resistances: vectors()?,
        };
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
