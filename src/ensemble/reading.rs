//! Many states are read chunk by chunk, as in steps: gathered and converted in lanes, but into memory on the stack.

use super::lanes::{CHUNK, chunks};
use super::{Ensemble, states::CHUNK_AT_REST};
use crate::error::Failure;
use crate::kernel::{MOST_LANES, State};
use crate::memory::{Bodies, load};

impl Ensemble<'_> {
    /// Shows the states of bodies, which may be in any order, to `read`. The caller's numbers in a bound array are checked by a step, not here.
    #[inline]
    pub(super) fn read_each(
        &self, bodies: &Bodies, mut read: impl FnMut(usize, &State<f64>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let [mut raw, mut states] = [CHUNK_AT_REST; 2];
        for bodies in chunks_of(bodies) {
            let _ = self.states.bound.read(&self.states.own, &self.inertias, &bodies, &mut raw, &mut states);
            for i in 0..bodies.count() {
                read(bodies.get(i), &load(&states[i / MOST_LANES], i % MOST_LANES))?;
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
