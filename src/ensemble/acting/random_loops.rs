//! The loops that draw noise: what drag and noise do with a chunk.

use super::random::{Drawing, HeatBath};
use crate::ensemble::lanes::lanes;
use crate::error::Error;
use crate::kernel::{MOST_LANES, Number, Quat, Vec3, drawn, normals};
use crate::memory::{self, Block, Bodies, load_vector, store_vector};
use crate::method::{Bath, Modes, Response};
use crate::simd::{self, Job};
use std::hint::black_box;

/// What drag and noise do with the bodies of a chunk in a step.
#[derive(Default)]
pub(crate) struct Noise {
    /// Random bits, the deviates that are made of them, and these in double precision.
    words: Vec<[[u32; MOST_LANES]; 4]>,
    singles: Vec<[[f32; MOST_LANES]; 3]>,
    deviates: Vec<Block<3>>,
    /// Where the axes of drag and noise are not the body axes: the response, as rows of a matrix,
    /// the noise, and what a rotation of the fluid about locked axes adds, as rows.
    turned: Vec<Block<21>>,
}

impl Noise {
    pub(crate) fn new(blocks: usize) -> Result<Self, Error> {
        let words = [[0; MOST_LANES]; 4];
        let singles = [[0.0; MOST_LANES]; 3];
        let words = memory::repeated(blocks, words)?;
        let singles = memory::repeated(blocks, singles)?;
        let turned = memory::filled(blocks * MOST_LANES, [0.0; 21])?;
        let deviates = memory::filled(blocks * MOST_LANES, [0.0; 3])?;
        Ok(Noise {
            words,
            singles,
            deviates,
            turned,
        })
    }

    /// Draws the noise of a step of the sweep, for these bodies, from a position on.
    pub(crate) fn draw(&mut self, drawing: &Drawing, (bodies, first): (&Bodies, usize), step: u64) {
        simd::run_on(
            bodies.count(),
            &mut Draw {
                drawing,
                bodies,
                first,
                step,
                to: self,
            },
        );
    }

    /// What drag and noise do with a body whose orientation is q. Noise has been drawn for this
    /// heat bath and these bodies. Choices are made in the loop: a loop for each of them would be
    /// as long as this one.
    #[inline(always)]
    pub(crate) fn bath<N: Number>(
        &self,
        heat_bath: &HeatBath,
        (bodies, first): (&Bodies, usize),
        (b, lane): (usize, usize),
        q: Quat<N>,
        is_turned: bool,
    ) -> Bath<N> {
        let i = b * MOST_LANES + lane;
        let heat_bath = black_box(heat_bath);
        let bath = if black_box(is_turned) {
            let turned = &self.turned[b];
            Bath {
                response: Response::Full(rows(turned, 0, lane)),
                noise: load_vector(turned, 9, lane),
                drawn: if heat_bath.has_flow {
                    Some(rows(turned, 12, lane))
                } else {
                    None
                },
                flow_body: None,
            }
        } else {
            let [response, spread] = heat_bath.factors_at(first + i);
            Bath {
                response: Response::Diagonal(response),
                noise: spread.times(load_vector(&self.deviates[b], 0, lane)),
                drawn: None,
                flow_body: None,
            }
        };
        let flow_body = if heat_bath.has_flow {
            Some(q.to_body(Vec3(heat_bath.flow.at(bodies, i))))
        } else {
            None
        };
        Bath { flow_body, ..bath }
    }
}

/// The rows of a matrix, from the `k`-th number on.
#[inline(always)]
fn rows<N: Number>(from: &Block<21>, k: usize, lane: usize) -> [Vec3<N>; 3] {
    [
        load_vector(from, k, lane),
        load_vector(from, k + 3, lane),
        load_vector(from, k + 6, lane),
    ]
}

struct Draw<'a> {
    drawing: &'a Drawing<'a>,
    bodies: &'a Bodies<'a>,
    first: usize,
    step: u64,
    to: &'a mut Noise,
}

impl Job for Draw<'_> {
    const FEW_IN_A_PAIR: bool = true;

    #[inline(always)]
    fn in_lanes<N: Number>(&mut self) {
        let Draw {
            drawing:
                &Drawing {
                    random,
                    heat_bath,
                    modes,
                },
            bodies,
            first,
            step,
            ..
        } = *self;
        let to = &mut *self.to;
        let count = bodies.count();
        let draw = random.draws.wrapping_add(step);
        if N::LANES == 2 && count <= 2 {
            for i in 0..count {
                let three =
                    normals::<1>(&drawn(heat_bath.seed, draw, |_| random.id(bodies.get(i))));
                // one fills the pair
                for k in 0..3 {
                    to.deviates[0].0[k][i..2].fill(f64::from(three[k][0]));
                }
            }
        } else {
            // in loops of their own: in one, the processor's queues would be full before work on
            // two blocks overlaps
            let blocks = count.div_ceil(MOST_LANES);
            for (b, words) in to.words[..blocks].iter_mut().enumerate() {
                let first = b * MOST_LANES;
                *words = match (&random.ids, bodies) {
                    (None, Bodies::From { first: at, .. }) => {
                        drawn(heat_bath.seed, draw, |i| (at + first + i) as u64)
                    }
                    (Some(ids), Bodies::From { first: at, .. })
                        if (at + first).is_multiple_of(MOST_LANES) =>
                    {
                        let [column] = &ids[(at + first) / MOST_LANES].0;
                        drawn(heat_bath.seed, draw, |i| column[i].to_bits())
                    }
                    _ => {
                        let mut ids = [0; MOST_LANES];
                        for (i, id) in (first..count).zip(&mut ids) {
                            *id = random.id(bodies.get(i));
                        }
                        drawn(heat_bath.seed, draw, |i| ids[i])
                    }
                };
            }
            for (singles, words) in to.singles.iter_mut().zip(&to.words[..blocks]) {
                *singles = normals(words);
            }
            let singles = to.singles[..blocks].as_flattened().as_flattened();
            let doubles = memory::numbers_mut(&mut to.deviates[..blocks]);
            for (double, single) in doubles.iter_mut().zip(singles) {
                *double = f64::from(*single);
            }
        }
        let Some(modes) = modes else { return };
        lanes!(count, N, b, lane, {
            let i = b * MOST_LANES + lane;
            let turned = &mut to.turned[b];
            let deviates = load_vector(&to.deviates[b], 0, lane);
            let modes = Modes::<N>::of_numbers(modes.at(bodies, i));
            let factors = heat_bath.factors_at(first + i);
            let bath = modes.in_body(factors, deviates);
            if let (Response::Full(rows), Some(drawn)) = (bath.response, bath.drawn) {
                for k in 0..3 {
                    store_vector(rows[k], turned, 3 * k, lane);
                    store_vector(drawn[k], turned, 12 + 3 * k, lane);
                }
            }
            store_vector(bath.noise, turned, 9, lane);
        });
    }
}
