//! The memory in which a chunk asks for its torques.

use super::random_loops::Noise;
use crate::error::Error;
use crate::kernel::MOST_LANES;
use crate::memory::{self, Block};

/// The torques on a chunk, as they are asked.
#[derive(Default)]
pub(crate) struct Torques {
    /// The packed arrays of a callback: 4 numbers per body, then 3 and 3: orientations, angular
    /// velocities, torques.
    pub(crate) packed: Vec<Block<10>>,
    /// In the body frame.
    pub(crate) tile: Vec<Block<3>>,
    pub(crate) noise: Noise,
    pub(crate) resistances: Vec<Block<3>>,
}

impl Torques {
    pub(crate) fn new(blocks: usize) -> Result<Self, Error> {
        let bodies = blocks * MOST_LANES;
        Ok(Torques {
            packed: memory::filled(bodies, [0.0; 10])?,
            tile: memory::filled(bodies, [0.0; 3])?,
            noise: Noise::new(blocks)?,
            resistances: memory::filled(bodies, [0.0; 3])?,
        })
    }
}
