//! Scratch memory of a thread, and the arrays exchanged with a callback.

use super::lanes::{CHUNK, CHUNK_BLOCKS, Tile};
use super::stages::WriteStates;
use super::torque::ChunkTorque;
use crate::error::{Error, Failure};
use crate::kernel::{Column, MOST_LANES};
use crate::memory::{Block, Bodies, Layout, PackedStates, States};
use crate::simd;
use crate::torque::Frame;

/// The most numbers per body that a method saves between stages only.
const MOST_SAVED: usize = 6;

#[derive(Clone, Copy)]
pub(super) struct Scratch {
    pub(super) start: Tile<7>,
    pub(super) end: Tile<7>,
    pub(super) between: ChunkScratch,
}

/// Data of a chunk between stages and steps.
#[derive(Clone, Copy)]
pub(super) struct ChunkScratch {
    pub(super) exchange: Exchange,
    pub(super) saved: [Column; MOST_SAVED * CHUNK_BLOCKS],
    /// The result of a step other than the last.
    pub(super) end: Tile<7>,
}

/// The packed arrays of a callback, and the rotation matrices of the states in them.
#[derive(Clone, Copy)]
pub(super) struct Exchange {
    orientation: [f64; 4 * CHUNK],
    angular_velocity: [f64; 3 * CHUNK],
    pub(super) matrices: Tile<12>,
    pub(super) torque: [f64; 3 * CHUNK],
}

/// Copied to the heap from here: 23 KB would be much on a small stack.
static EMPTY: Scratch = Scratch::new();

impl Scratch {
    const fn new() -> Self {
        let tile = [Block::filled(super::AT_REST); CHUNK_BLOCKS];
        let exchange = Exchange {
            orientation: [0.0; 4 * CHUNK],
            angular_velocity: [0.0; 3 * CHUNK],
            matrices: [Block::filled([0.0; 12]); CHUNK_BLOCKS],
            torque: [0.0; 3 * CHUNK],
        };
        let saved = [[0.0; MOST_LANES]; MOST_SAVED * CHUNK_BLOCKS];
        Scratch { start: tile, end: tile, between: ChunkScratch { exchange, saved, end: tile } }
    }

    pub(super) fn each(threads: usize) -> Result<Vec<Scratch>, Failure> {
        let mut all = Vec::new();
        all.try_reserve_exact(threads)?;
        (0..threads).for_each(|_| all.extend_from_slice(std::slice::from_ref(&EMPTY)));
        Ok(all)
    }
}

impl Exchange {
    pub(super) fn show(&mut self, layout: Layout, frame: Frame, count: usize, states: States) {
        let Exchange { orientation, angular_velocity, matrices, .. } = self;
        let shown = PackedStates { layout, orientation, angular_velocity, stride: count };
        simd::run_on(count, &mut WriteStates { count, states, frame, matrices: Some(matrices), shown, ahead: None });
    }

    /// Calls the callback. `first`: position of the first of `bodies`.
    #[inline(always)] // a call costs 2 % of a chunk
    pub(super) fn ask(&mut self, torque: &ChunkTorque, bodies: &Bodies, first: usize, t: f64) -> Result<(), Failure> {
        let count = bodies.count();
        let (orientation, angular_velocity) = (&self.orientation[..4 * count], &self.angular_velocity[..3 * count]);
        let given = &mut self.torque[..3 * count];
        // In short pieces: the C library's `memset` has a slow path for long arrays, with a high start-up cost.
        given.chunks_mut(CHUNK).for_each(|part| part.fill(0.0));
        torque(t, first, count, orientation, angular_velocity, given).map_err(|result| {
            let (first, last) = bodies.ends().unwrap_or_default();
            Failure::of_body(first, Error::ChunkCallback { first, last, result, time: t })
        })
    }
}
