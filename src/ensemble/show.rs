//! What a callback, or the caller of the stage protocol, is shown: the states of a chunk in packed arrays.

use super::lanes::lanes;
use crate::kernel::{Here, MOST_LANES, Number, RotationMatrix, State};
use crate::memory::{Ahead, Block, PackedStates, States, load, load_vector, store_vector};
use crate::simd::{Job, Lanes};
use crate::torque::Frame;

/// Writes the states of a chunk to packed arrays.
pub(super) struct Show<'a> {
    pub(super) count: usize,
    pub(super) states: States<'a>,
    pub(super) frame: Frame,
    /// Output: what [`keep`] keeps; only in the world frame.
    pub(super) matrices: Option<&'a mut [Block<12>]>,
    pub(super) shown: PackedStates<'a>,
    pub(super) ahead: Option<&'a Ahead<'a>>,
}

impl Job for Show<'_> {
    type Output = ();

    #[inline(always)]
    fn in_lanes<N: Lanes>(&mut self) {
        match self.frame {
            Frame::World => lanes!(self.count, N, b, lane, ahead: self.ahead, {
                let state = load::<N>(&self.states[b], lane);
                let here = Here::at(&state);
                if let Some(matrices) = &mut self.matrices {
                    keep(&here, &mut matrices[b], lane);
                }
                self.shown.put::<N>(b * MOST_LANES + lane, self.count, state.q, here.omega_world);
            }),
            Frame::Body => lanes!(self.count, N, b, lane, ahead: self.ahead, {
                let state = load::<N>(&self.states[b], lane);
                self.shown.put::<N>(b * MOST_LANES + lane, self.count, state.q, state.omega_body);
            }),
        }
    }
}

/// Keeps the rotation matrix (9, by rows) and the world angular velocity (3) of a body while the callback works.
#[inline(always)]
fn keep<N: Number>(here: &Here<N>, to: &mut Block<12>, lane: usize) {
    for (i, row) in here.to_world.rows().into_iter().enumerate() {
        store_vector(row, to, 3 * i, lane);
    }
    store_vector(here.omega_world, to, 9, lane);
}

/// What [`keep`] has kept of a state.
#[inline(always)]
pub(super) fn kept<N: Number>(state: &State<N>, from: &Block<12>, lane: usize) -> Here<N> {
    let rows = [load_vector(from, 0, lane), load_vector(from, 3, lane), load_vector(from, 6, lane)];
    let to_world = RotationMatrix::from_rows(rows);
    Here { q: state.q, to_world, omega_body: state.omega_body, omega_world: load_vector(from, 9, lane) }
}
