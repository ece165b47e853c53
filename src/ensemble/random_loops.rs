//! The loops with noise: what drag and noise do with a chunk, and the stage of a step that takes it.

use super::lanes::{finite_check, is_not_finite, lanes};
use super::parameters::{ChunkInertias, EITHER};
use super::random::Drawing;
use crate::kernel::{Column, DRAWN, Here, MOST_LANES, Number, Quat, SavedNumbers, drawn, drawn_columns, normals};
use crate::memory::{Ahead, Block, Bodies, States, StatesMut, load, load_vector, store, store_vector};
use crate::method::{self, Bath, Modes, Response, Scheme, Step, diffusion, relaxation};
use crate::simd::{self, Job, Lanes};
use std::{hint::black_box, marker::PhantomData};

/// Numbers of each body for a [`Bath`]: the response, as factors or rows of a matrix, the noise, and the flow in the world.
pub(super) const NOISE: usize = 15;

impl Drawing<'_> {
    /// Writes what drag and noise do with the bodies in a step of the sweep.
    pub(super) fn draw(&self, bodies: &Bodies, inertias: ChunkInertias, step: u64, to: &mut [Block<NOISE>]) {
        simd::run_in_pairs_on(bodies.count(), &mut Draw { these: self, bodies, inertias, step, to });
    }
}

struct Draw<'a> {
    these: &'a Drawing<'a>,
    bodies: &'a Bodies<'a>,
    inertias: ChunkInertias<'a>,
    step: u64,
    to: &'a mut [Block<NOISE>],
}

impl Job for Draw<'_> {
    type Output = ();

    #[inline(always)]
    fn in_lanes<N: Lanes>(&mut self) {
        let Draw { these: &Drawing { noise, is_brownian, h, shared }, bodies, inertias, step, .. } = *self;
        let (to, count, draw) = (&mut *self.to, bodies.count(), noise.draw.wrapping_add(step));
        let (bath, seed, has_flow) = (noise.bath, noise.bath.seed, noise.bath.has_flow());
        let mut numbers = Block::filled([0.0; DRAWN]);
        lanes!(count, N, b, lane, {
            if lane == 0 && count <= 2 {
                for i in 0..count {
                    numbers.set(i, drawn(seed, noise.id(bodies.get(i)), draw));
                }
            } else if lane == 0 {
                let mut ids = [0; MOST_LANES];
                for i in b * MOST_LANES..count.min((b + 1) * MOST_LANES) {
                    ids[i % MOST_LANES] = noise.id(bodies.get(i));
                }
                drawn_columns(seed, &ids, draw, &mut numbers.0);
            }
            let mut these = [N::splat(0.0); DRAWN];
            for k in 0..DRAWN {
                these[k] = numbers.load(k, lane);
            }
            let (i, deviates, to) = (b * MOST_LANES + lane, normals(these), &mut to[b]);
            if let Some([response, spread]) = shared {
                store_vector(response.splat_each::<N>(), to, 0, lane);
                store_vector(spread.splat_each().times(deviates), to, 9, lane);
            } else {
                let (reciprocals, bath) = (inertias.reciprocals(b, lane), black_box(bath));
                let coefficients = bath.coefficients_at(bodies, i);
                if is_brownian {
                    let [response, spread] = diffusion(reciprocals, coefficients, bath.kt, h);
                    store_vector(response, to, 0, lane);
                    store_vector(spread.times(deviates), to, 9, lane);
                } else {
                    let turned = bath.modes_at(bodies, i);
                    let modes =
                        if let Some(modes) = turned { modes } else { Modes::aligned(reciprocals, coefficients) };
                    let (response, noise) = modes.in_body(relaxation(&modes, bath.kt, h), deviates);
                    match response {
                        Response::Diagonal(factors) => store_vector(factors, to, 0, lane),
                        Response::Full([x, y, z]) => {
                            store_vector(x, to, 0, lane);
                            store_vector(y, to, 3, lane);
                            store_vector(z, to, 6, lane);
                        }
                    }
                    store_vector(noise, to, 9, lane);
                }
            }
            if has_flow {
                store_vector(black_box(bath).flow_at::<N>(bodies, i), to, 12, lane);
            }
        });
    }
}

/// What [`Drawing::draw`] has written for a body whose orientation is q.
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

/// The stage of a step that takes noise: its first.
pub(super) struct RandomStage<'a> {
    pub(super) bodies: &'a Bodies<'a>,
    pub(super) start: States<'a>,
    pub(super) stage: StatesMut<'a>,
    /// The last torques; `None`: they are in `kept`, where they go.
    pub(super) last: Option<&'a [Column]>,
    pub(super) kept: &'a mut [Column],
    /// For the methods that keep none.
    pub(super) tile: &'a [Block<3>],
    /// From [`Drawing::draw`].
    pub(super) noise: &'a [Block<NOISE>],
    pub(super) has_flow: bool,
    pub(super) inertias: ChunkInertias<'a>,
    pub(super) ahead: Option<&'a Ahead<'a>>,
    pub(super) h: f64,
}

impl RandomStage<'_> {
    /// Whether all states are finite.
    pub(super) fn take<S: Scheme>(&mut self) -> bool {
        simd::run_in_pairs_on(self.bodies.count(), &mut Each::<S>(self, PhantomData))
    }
}

struct Each<'b, 'a, S>(&'b mut RandomStage<'a>, PhantomData<S>);

impl<S: Scheme> Job for Each<'_, '_, S> {
    type Output = bool;

    #[inline(always)]
    fn in_lanes<N: Lanes>(&mut self) -> bool {
        // Copies: the compiler must assume that any store may change the fields behind the reference.
        let RandomStage { bodies, start, last, tile, noise, inertias, has_flow, ahead, h, .. } = *self.0;
        let (stage, kept, columns) = (&mut *self.0.stage, &mut *self.0.kept, <S::Saved<N> as SavedNumbers<N>>::COUNT);
        let is_turned = S::KEEPS_TORQUE && inertias.is_turned;
        let mut finite_checks = N::splat(0.0);
        lanes!(bodies.count(), N, b, lane, ahead: ahead, {
            let state = load::<N>(&start[b], lane);
            let inertia = inertias.at::<N, EITHER>(b, lane);
            let bath = Some(bath(&noise[b], state.q, is_turned, has_flow, lane));
            let step = Step { bath, ..Step::new(h, state.omega_body, &inertia) };
            let (mut numbers, mut torque) = (S::Saved::<N>::empty(), None);
            if S::KEEPS_TORQUE {
                numbers = match last {
                    Some(last) => SavedNumbers::load(&last[b * columns..][..columns], lane),
                    None => SavedNumbers::load(&kept[b * columns..][..columns], lane),
                };
            } else {
                torque = Some(load_vector(&tile[b], 0, lane));
            }
            let next = method::next_state::<S, N>(0, &state, &step, &Here::at(&state), torque, &mut numbers);
            if S::KEEPS_TORQUE {
                numbers.store(&mut kept[b * columns..][..columns], lane);
            }
            store(&next, &mut stage[b], lane);
            finite_checks = finite_checks + finite_check(&next);
        });
        !is_not_finite(finite_checks)
    }
}
