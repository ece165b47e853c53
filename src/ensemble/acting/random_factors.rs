//! What random torques do with each body, but for the deviates. Computed again when the step, the
//! moving bodies or their parameters change.

use super::random::HeatBath;
use crate::ensemble::Ensemble;
use crate::ensemble::bodies::active::Active;
use crate::ensemble::bodies::parameters::{InertiaSource, Inertias, Parameter};
use crate::ensemble::lanes::{CHUNK, lanes};
use crate::error::{Error, Failure};
use crate::kernel::{MOST_LANES, Number, Vec3};
use crate::memory::{self, Block, Bodies, blocks_for};
use crate::method::{
    MODE_NUMBERS, Method, Modes, WhatActs, check_diffusion, diffusion, relaxation,
};
use crate::simd::{self, Job};
use crate::threads::{End, Threads, locked, unlocked};
use std::{hint::black_box, sync::Mutex};

impl HeatBath {
    fn coefficients_of(&self, body: usize) -> Vec3<f64> {
        Vec3(self.coefficients.at(&Bodies::one(body), 0))
    }

    /// Whether drag and noise do the same with all bodies.
    fn are_all_equal(&self, inertias: &Inertias) -> bool {
        matches!(
            (&self.coefficients, inertias),
            (Parameter::Shared(_), Inertias::Shared(_))
        )
    }

    /// Computes what depends on coefficients and inertias alone, for so many bodies.
    fn prepare(&mut self, inertias: &Inertias, total: usize) -> Result<(), Error> {
        let are_all_equal = self.are_all_equal(inertias);
        self.modes = if !inertias.are_turned() || total == 0 {
            None
        } else if are_all_equal {
            Some(Parameter::Shared(self.modes_of(inertias, 0)))
        } else {
            let each = memory::of_each::<_, Error>(total, |body| Ok(self.modes_of(inertias, body)));
            Some(Parameter::Each(each?))
        };
        let looked_at = if are_all_equal { total.min(1) } else { total };
        self.has_unfit = (0..looked_at).any(|body| {
            check_diffusion(&inertias.of_body(body), self.coefficients_of(body)).is_err()
        });
        self.has_flow = !matches!(self.flow, Parameter::Shared([0.0, 0.0, 0.0]));
        self.is_prepared = true;
        Ok(())
    }

    fn modes_of(&self, inertias: &Inertias, body: usize) -> [f64; MODE_NUMBERS] {
        Modes::new(&inertias.of_body(body), self.coefficients_of(body)).numbers()
    }
}

impl Ensemble<'_, '_> {
    /// Before steps of `h` with random torques.
    pub(crate) fn prepare_heat_bath(&mut self, h: f64, is_brownian: bool) -> Result<(), Failure> {
        let Self {
            acting,
            inertias,
            active,
            motion,
            ..
        } = self;
        let Some(heat_bath) = &mut acting.random.heat_bath else {
            return Ok(());
        };
        let steps = Some((h.to_bits(), is_brownian));
        if heat_bath.of_steps == steps {
            return Ok(());
        }
        if !heat_bath.is_prepared {
            heat_bath.prepare(inertias, active.total)?;
        }
        if is_brownian && heat_bath.has_unfit {
            for body in (0..active.moving).map(|i| active.body(i)) {
                check_diffusion(&inertias.of_body(body), heat_bath.coefficients_of(body))
                    .map_err(|cause| Failure::of_body(body, cause))?;
            }
        }
        heat_bath.of_steps = None;
        let previous = std::mem::replace(&mut heat_bath.factors, Parameter::Shared([0.0; 6]));
        let factors = Factors {
            heat_bath,
            inertias,
            is_brownian,
            h,
        };
        heat_bath.factors = if heat_bath.are_all_equal(inertias) {
            Parameter::Shared(factors.at(&Bodies::one(0), 0))
        } else {
            let mut each = match previous {
                Parameter::Each(each) => each,
                Parameter::Shared(_) => Vec::new(),
            };
            if each.len() < blocks_for(active.total) {
                // otherwise what there is serves: a step does not allocate
                each = memory::filled(active.total, [0.0; 6])?;
            }
            factors.write(active, unlocked(&mut motion.workers.threads), &mut each);
            Parameter::Each(each)
        };
        heat_bath.of_steps = steps;
        Ok(())
    }

    /// Before `steps` steps of `h` with random torques, or of Brownian motion: refuses those that
    /// cannot be taken, and prepares the random torques.
    pub(crate) fn begin_random(
        &mut self,
        under: WhatActs,
        h: f64,
        steps: u64,
    ) -> Result<(), Failure> {
        if h == 0.0 || steps == 0 {
            return Ok(());
        }
        self.method.check_random(under, h)?;
        self.prepare_heat_bath(h, self.method == Method::Brownian)
    }
}

/// What drag and noise do with a body, but for the deviates, in steps of `h`, with inertia or
/// Brownian.
struct Factors<'a> {
    heat_bath: &'a HeatBath,
    inertias: &'a Inertias,
    is_brownian: bool,
    h: f64,
}

impl Factors<'_> {
    /// The response and the factors of the deviates, of the `i`-th and the following bodies.
    #[inline(always)]
    fn at<N: Number>(&self, bodies: &Bodies, i: usize) -> [N; 6] {
        let Factors {
            heat_bath,
            inertias,
            is_brownian,
            h,
        } = *self;
        let reciprocals = inertias.at::<N>(bodies, i).reciprocals;
        let coefficients = Vec3(black_box(heat_bath).coefficients.at(bodies, i));
        let kt = heat_bath.kt;
        let [Vec3([a, b, c]), Vec3([x, y, z])] = match &heat_bath.modes {
            _ if is_brownian => diffusion(reciprocals, coefficients, kt, h),
            Some(turned) => relaxation(&Modes::of_numbers(turned.at(bodies, i)), kt, h),
            None => relaxation(&Modes::aligned(reciprocals, coefficients), kt, h),
        };
        [a, b, c, x, y, z]
    }

    /// Writes those of each (active) body, by position; on several threads if there are many.
    fn write(&self, active: &Active, threads: Option<&mut Threads>, to: &mut [Block<6>]) {
        let pieces = Mutex::new(
            to[..blocks_for(active.moving)]
                .chunks_mut(PIECE / MOST_LANES)
                .enumerate(),
        );
        let work = |_: End| {
            let next = || locked(&pieces).next(); // the lock is released when it returns
            while let Some((k, to)) = next() {
                let bodies = &active.bodies(PIECE * k, PIECE.min(active.moving - PIECE * k));
                simd::run_on(
                    bodies.count(),
                    &mut FactorsLoop {
                        factors: self,
                        bodies,
                        to,
                    },
                );
            }
        };
        match threads.filter(|threads| threads.are_here() && active.moving > PIECE) {
            Some(threads) => threads.run(active.moving.div_ceil(PIECE), &work),
            None => work(End::Front),
        }
        // what is there may be of bodies that are gone
        memory::fill_idle_lanes(active.moving, to, [0.0; 6]);
    }
}

/// The bodies that a thread takes at once.
const PIECE: usize = 16 * CHUNK;

struct FactorsLoop<'a> {
    factors: &'a Factors<'a>,
    bodies: &'a Bodies<'a>,
    to: &'a mut [Block<6>],
}

impl Job for FactorsLoop<'_> {
    const FEW_IN_A_PAIR: bool = true;

    #[inline(always)]
    fn in_lanes<N: Number>(&mut self) {
        lanes!(self.bodies.count(), N, b, lane, {
            let numbers = self.factors.at::<N>(self.bodies, b * MOST_LANES + lane);
            for k in 0..6 {
                self.to[b].store(k, lane, numbers[k]);
            }
        });
    }
}
