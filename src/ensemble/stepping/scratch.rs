//! The threads of an ensemble and their memory, with the arrays exchanged with a callback. It is
//! made when first needed, for as many bodies as a chunk of this ensemble has.

use crate::ensemble::acting::torques::Torques;
use crate::ensemble::bodies::parameters::InertiaTile;
use crate::ensemble::lanes::AT_REST;
use crate::error::Error;
use crate::kernel::{Column, MOST_LANES};
use crate::memory::{self, Block, blocks_for, make_room};
use crate::method::MOST_SAVED;
use crate::threads::{Threads, unlocked};
use std::sync::Mutex;

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
