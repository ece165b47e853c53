//! The loop that draws noise: what drag and noise do with a chunk.

use super::{lanes::lanes, parameters::ChunkInertias, random::Drawing};
use crate::kernel::{DRAWN, MOST_LANES, Number, Quat, Vec3, drawn, normals};
use crate::memory::{Block, Bodies, load_vector, store_vector};
use crate::method::{Bath, Modes, Response, diffusion, relaxation};
use crate::simd::{Job, Lanes};
use std::hint::black_box;

/// Numbers of each body for a [`Bath`]: the response, as factors or rows of a matrix, the noise, and the flow in the world.
pub(super) const NOISE: usize = 15;
/// Until the deviates are made, the last of them are what they are made of.
const DRAWN_AT: usize = NOISE - DRAWN;

/// Writes what drag and noise do with the bodies in a step of the sweep.
pub(super) struct Draw<'a> {
    pub(super) these: &'a Drawing<'a>,
    pub(super) bodies: &'a Bodies<'a>,
    pub(super) inertias: ChunkInertias<'a>,
    pub(super) step: u64,
    pub(super) to: &'a mut [Block<NOISE>],
}

impl Job for Draw<'_> {
    type Output = ();
    const FEW_IN_A_PAIR: bool = true;

    #[inline(always)]
    fn in_lanes<N: Lanes>(&mut self) {
        let Draw { these: &Drawing { random, bath, is_brownian, h, shared, .. }, bodies, inertias, step, .. } = *self;
        let (to, count, draw) = (&mut *self.to, bodies.count(), random.draws.wrapping_add(step));
        let (seed, has_flow) = (bath.seed, bath.has_flow());
        // in a loop of its own: with the next one in the same loop, the processor's queues would be full before work on two blocks overlaps
        for b in 0..count.div_ceil(MOST_LANES) {
            if N::LANES == 2 && count <= 2 {
                for i in 0..count {
                    let drawn = drawn(seed, &[random.id(bodies.get(i))], 0, draw);
                    (0..DRAWN).for_each(|k| to[b].0[DRAWN_AT + k][i..2].fill(drawn[k][0])); // the other lane is computed too
                }
            } else {
                let mut ids = [0; MOST_LANES];
                let plus = random.write_ids(bodies, b * MOST_LANES, &mut ids);
                to[b].0[DRAWN_AT..].copy_from_slice(&drawn(seed, &ids, plus, draw));
            }
        }
        lanes!(count, N, b, lane, {
            let mut these = [N::splat(0.0); DRAWN];
            for k in 0..DRAWN {
                these[k] = to[b].load(DRAWN_AT + k, lane);
            }
            let (i, deviates, to) = (b * MOST_LANES + lane, normals(these), &mut to[b]);
            if let Some([response, spread]) = shared {
                store_vector(response.splat_each::<N>(), to, 0, lane);
                store_vector(spread.splat_each().times(deviates), to, 9, lane);
            } else {
                let (reciprocals, bath) = (inertias.reciprocals(b, lane), black_box(bath));
                let coefficients = Vec3(bath.coefficients.at(bodies, i));
                if is_brownian {
                    let [response, spread] = diffusion(reciprocals, coefficients, bath.kt, h);
                    store_vector(response, to, 0, lane);
                    store_vector(spread.times(deviates), to, 9, lane);
                } else {
                    let modes = match &bath.modes {
                        Some(turned) => Modes::of_numbers(turned.at(bodies, i)),
                        None => Modes::aligned(reciprocals, coefficients),
                    };
                    let (response, noise) = modes.in_body(relaxation(&modes, bath.kt, h), deviates);
                    match response {
                        Response::Diagonal(factors) => store_vector(factors, to, 0, lane),
                        Response::Full(rows) => {
                            for k in 0..3 {
                                store_vector(rows[k], to, 3 * k, lane);
                            }
                        }
                    }
                    store_vector(noise, to, 9, lane);
                }
            }
            if has_flow {
                store_vector(Vec3::<N>(black_box(bath).flow.at(bodies, i)), to, 12, lane);
            }
        });
    }
}

/// What [`Draw`] has written for a body whose orientation is q.
#[inline(always)]
pub(super) fn bath<N: Number>(
    from: &Block<NOISE>, q: Quat<N>, is_turned: bool, has_flow: bool, lane: usize,
) -> Bath<N> {
    let mut response = Response::Diagonal(load_vector(from, 0, lane));
    if black_box(is_turned) {
        response = Response::Full([load_vector(from, 0, lane), load_vector(from, 3, lane), load_vector(from, 6, lane)]);
    }
    let flow_body = if black_box(has_flow) { Some(q.to_body(load_vector(from, 12, lane))) } else { None };
    Bath { response, noise: load_vector(from, 9, lane), flow_body }
}
