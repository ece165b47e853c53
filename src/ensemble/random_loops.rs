//! The loops that draw noise: what drag and noise do with a chunk.

use super::{lanes::lanes, parameters::ChunkInertias, parameters::Parameter, random::Drawing};
use crate::error::Error;
use crate::kernel::{MOST_LANES, Quat, Vec3, drawn, normals};
use crate::memory::{self, Block, Bodies, load_vector, store_vector};
use crate::method::{Bath, Modes, Response, diffusion, relaxation};
use crate::simd::{self, Job, Lanes};
use std::hint::black_box;

/// What drag and noise do with the bodies of a chunk in a step.
#[derive(Default)]
pub(super) struct Noise {
    /// Random bits, the deviates that are made of them, and these in double precision.
    words: Vec<[[u32; MOST_LANES]; 4]>,
    singles: Vec<[[f32; MOST_LANES]; 3]>,
    deviates: Vec<Block<3>>,
    /// The response and the factors of the deviates, if all bodies have the same.
    shared: Option<[Vec3<f64>; 2]>,
    /// What is not shared: the response, as factors or rows of a matrix, the noise, and the flow in the world.
    each: Vec<Block<15>>,
    has_flow: bool,
}

impl Noise {
    pub(super) fn new(blocks: usize) -> Result<Self, Error> {
        let (words, singles) = ([[0; MOST_LANES]; 4], [[0.0; MOST_LANES]; 3]);
        let (words, singles) = (memory::repeated(blocks, words)?, memory::repeated(blocks, singles)?);
        let each = memory::filled(blocks * MOST_LANES, [0.0; 15])?;
        let deviates = memory::filled(blocks * MOST_LANES, [0.0; 3])?;
        Ok(Noise { words, singles, deviates, each, ..Noise::default() })
    }

    /// Draws the noise of a step of the sweep.
    pub(super) fn draw(&mut self, these: &Drawing, bodies: &Bodies, inertias: ChunkInertias, step: u64) {
        (self.shared, self.has_flow) = (these.shared, !matches!(these.bath.flow, Parameter::Shared([0.0, 0.0, 0.0])));
        simd::run_on(bodies.count(), &mut Draw { these, bodies, inertias, step, to: self });
    }

    /// Of a body whose orientation is q. Choices are made in the loop: a loop for each of them would be as long as this one.
    #[inline(always)]
    pub(super) fn bath<N: Lanes>(&self, (b, lane): (usize, usize), q: Quat<N>, is_turned: bool) -> Bath<N> {
        let vector = |k: usize| load_vector(&self.each[b], k, lane);
        let deviates = load_vector(&self.deviates[b], 0, lane);
        let (response, noise) = match black_box(&self.shared) {
            Some([stays, spread]) => (Response::Diagonal(stays.splat_each()), spread.splat_each().times(deviates)),
            None if black_box(is_turned) => (Response::Full([vector(0), vector(3), vector(6)]), vector(9)),
            None => (Response::Diagonal(vector(0)), vector(9)),
        };
        let flow_body = if black_box(self.has_flow) { Some(q.to_body(vector(12))) } else { None };
        Bath { response, noise, flow_body }
    }
}

struct Draw<'a> {
    these: &'a Drawing<'a>,
    bodies: &'a Bodies<'a>,
    inertias: ChunkInertias<'a>,
    step: u64,
    to: &'a mut Noise,
}

impl Job for Draw<'_> {
    type Output = ();
    const FEW_IN_A_PAIR: bool = true;

    #[inline(always)]
    fn in_lanes<N: Lanes>(&mut self) {
        let Draw { these: &Drawing { random, bath, is_brownian, h, shared, .. }, bodies, inertias, step, .. } = *self;
        let (to, count, draw) = (&mut *self.to, bodies.count(), random.draws.wrapping_add(step));
        let (seed, has_flow) = (bath.seed, to.has_flow);
        if N::LANES == 2 && count <= 2 {
            for i in 0..count {
                let three = normals::<1>(&drawn(seed, draw, |_| random.id(bodies.get(i))));
                (0..3).for_each(|k| to.deviates[0].0[k][i..2].fill(f64::from(three[k][0]))); // one fills the pair
            }
        } else {
            // in loops of their own: in one, the processor's queues would be full before work on two blocks overlaps
            let blocks = count.div_ceil(MOST_LANES);
            for (b, words) in to.words[..blocks].iter_mut().enumerate() {
                let first = b * MOST_LANES;
                *words = match (&random.ids, bodies) {
                    (None, Bodies::From { first: at, .. }) => drawn(seed, draw, |i| (at + first + i) as u64),
                    (Some(ids), Bodies::From { first: at, .. }) if (at + first).is_multiple_of(MOST_LANES) => {
                        let [column] = &ids[(at + first) / MOST_LANES].0;
                        drawn(seed, draw, |i| column[i].to_bits())
                    }
                    _ => {
                        let mut ids = [0; MOST_LANES];
                        (first..count).zip(&mut ids).for_each(|(i, id)| *id = random.id(bodies.get(i)));
                        drawn(seed, draw, |i| ids[i])
                    }
                };
            }
            for (singles, words) in to.singles.iter_mut().zip(&to.words[..blocks]) {
                *singles = normals(words);
            }
            let singles = to.singles[..blocks].as_flattened().as_flattened();
            let doubles = memory::numbers_mut(&mut to.deviates[..blocks]);
            doubles.iter_mut().zip(singles).for_each(|(double, single)| *double = f64::from(*single));
        }
        if shared.is_some() && !has_flow {
            return;
        }
        let deviates = &to.deviates[..];
        lanes!(count, N, b, lane, {
            let (i, to) = (b * MOST_LANES + lane, &mut to.each[b]);
            if has_flow {
                store_vector(Vec3::<N>(black_box(bath).flow.at(bodies, i)), to, 12, lane);
            }
            if black_box(shared.is_none()) {
                let (reciprocals, bath) = (inertias.reciprocals(b, lane), black_box(bath));
                let (coefficients, kt) = (Vec3(bath.coefficients.at(bodies, i)), bath.kt);
                let deviates = load_vector::<N, 3>(&deviates[b], 0, lane);
                let (response, noise) = if is_brownian {
                    let [response, spread] = diffusion(reciprocals, coefficients, kt, h);
                    (Response::Diagonal(response), spread.times(deviates))
                } else {
                    let modes = match &bath.modes {
                        Some(turned) => Modes::of_numbers(turned.at(bodies, i)),
                        None => Modes::aligned(reciprocals, coefficients),
                    };
                    modes.in_body(relaxation(&modes, kt, h), deviates)
                };
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
        });
    }
}
