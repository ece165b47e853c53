//! What a chunk needs besides its states: room to work in, and the exchange with a callback.

use super::lanes::{CHUNK, CHUNK_BLOCKS, Tile};
use super::stages::{Matrices, Show};
use super::torque::ChunkTorque;
use crate::error::{Error, Failure};
use crate::kernel::MOST_LANES;
use crate::memory::{Block, Bodies, Layout, PackedStates, States};
use crate::simd;
use crate::torque::Frame;

/// The most numbers that a method remembers of a body.
pub(super) const MOST_MEMORY: usize = 12;

/// Room to work in, for one thread.
pub(super) struct Scratch {
    pub(super) start: Tile<7>,
    pub(super) end: Tile<7>,
    pub(super) between: Between,
}

/// What is kept of a chunk between the stages and the steps, and the exchange with a callback.
pub(super) struct Between {
    pub(super) exchange: Exchange,
    pub(super) memory: [[f64; MOST_LANES]; MOST_MEMORY * CHUNK_BLOCKS],
    /// The end of a step that is not the last.
    pub(super) end: Tile<7>,
}

/// The packed arrays of a callback, and the matrices of the states they show.
pub(super) struct Exchange {
    orientation: [f64; 4 * CHUNK],
    angular_velocity: [f64; 3 * CHUNK],
    pub(super) matrices: Matrices,
    pub(super) torque: [f64; 3 * CHUNK],
}

impl Scratch {
    pub(super) fn new() -> Self {
        let tile = [Block::filled([0.0; 7]); CHUNK_BLOCKS];
        let exchange = Exchange {
            orientation: [0.0; 4 * CHUNK],
            angular_velocity: [0.0; 3 * CHUNK],
            matrices: [Block::filled([0.0; 12]); CHUNK_BLOCKS],
            torque: [0.0; 3 * CHUNK],
        };
        let memory = [[0.0; MOST_LANES]; MOST_MEMORY * CHUNK_BLOCKS];
        Scratch { start: tile, end: tile, between: Between { exchange, memory, end: tile } }
    }

    /// One for each thread.
    pub(super) fn each(threads: usize) -> Result<Vec<Scratch>, Failure> {
        let mut all = Vec::new();
        all.try_reserve_exact(threads)?;
        all.resize_with(threads, Scratch::new);
        Ok(all)
    }
}

impl Exchange {
    /// Shows a callback the states of some bodies.
    pub(super) fn show(&mut self, layout: Layout, frame: Frame, count: usize, states: States) {
        let Exchange { orientation, angular_velocity, matrices, .. } = self;
        let shown = PackedStates { layout, orientation, angular_velocity, stride: count };
        simd::run_on(count, &mut Show { count, states, frame, matrices: Some(matrices), shown, ahead: None });
    }

    /// Calls it, for the bodies whose first is at position `first`.
    pub(super) fn ask(
        &mut self,
        torque: &ChunkTorque,
        bodies: &Bodies,
        first: usize,
        time: f64,
    ) -> Result<(), Failure> {
        let count = bodies.count();
        let (orientation, angular_velocity) = (&self.orientation[..4 * count], &self.angular_velocity[..3 * count]);
        let given = &mut self.torque[..3 * count];
        // in parts so short that the C library does not take its routine for long arrays, which is slow to start
        given.chunks_mut(CHUNK).for_each(|part| part.fill(0.0));
        torque(time, first, count, orientation, angular_velocity, given).map_err(|result| {
            let (first, last) = bodies.ends().unwrap_or_default();
            Failure::of_body(first, Error::ChunkCallback { first, last, result, time })
        })
    }
}
