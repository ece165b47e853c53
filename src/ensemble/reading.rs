//! Many states are read chunk by chunk, as in steps: gathered and converted in lanes, but into memory on the stack.

use super::lanes::{CHUNK, CHUNK_BLOCKS, chunks};
use super::{AT_REST, Ensemble, parameters::Inertias, states::Bound};
use crate::error::Failure;
use crate::kernel::{MOST_LANES, State};
use crate::memory::{Block, Bodies, States, load};

/// Memory for a chunk.
pub(super) struct Tile {
    raw: [Block<7>; CHUNK_BLOCKS],
    pub(super) states: [Block<7>; CHUNK_BLOCKS],
}

impl Tile {
    pub(super) fn new() -> Self {
        let at_rest = [const { Block::filled(AT_REST) }; CHUNK_BLOCKS];
        Tile { raw: at_rest, states: at_rest }
    }

    /// Gathers and converts the states of these bodies. Errors: as [`Bound::convert`], which has converted all nevertheless.
    pub(super) fn fill(
        &mut self, own: States, bound: &Bound, inertias: &Inertias, bodies: &Bodies,
    ) -> Result<(), Failure> {
        if bound.is_empty() {
            bound.gather(own, bodies, &mut self.states);
            return Ok(());
        }
        bound.gather(own, bodies, &mut self.raw);
        bound.convert(inertias, bodies, &self.raw, &mut self.states)
    }
}

impl Ensemble<'_> {
    /// Shows the states of bodies, which may be in any order, to `read`. The caller's numbers in a bound array are checked by a step, not here.
    #[inline]
    pub(super) fn read_each(
        &self, bodies: &Bodies, mut read: impl FnMut(usize, &State<f64>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut tile = Tile::new();
        for bodies in chunks_of(bodies) {
            let _ = tile.fill(&self.states.own, &self.states.bound, &self.inertias, &bodies);
            for i in 0..bodies.count() {
                read(bodies.get(i), &load(&tile.states[i / MOST_LANES], i % MOST_LANES))?;
            }
        }
        Ok(())
    }
}

/// Chunks of bodies, each by ascending index.
pub(super) fn chunks_of<'b>(bodies: &Bodies<'b>) -> impl Iterator<Item = Bodies<'b>> {
    let (count, list) = match *bodies {
        Bodies::From { count, .. } => (count, &[][..]),
        Bodies::Listed(list) => (0, list),
    };
    let runs = list.chunk_by(|a, b| a < b).flat_map(|run| run.chunks(CHUNK)).map(Bodies::Listed);
    chunks(count).map(|(first, count)| Bodies::From { first, count }).chain(runs)
}
