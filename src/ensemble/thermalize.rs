//! Drag and noise alone, and the scaling of angular momenta: for hosts that kick and drift, or have thermostats of their own.

use super::lanes::{finite_check, first_not_finite, is_not_finite, lanes};
use super::pass::{Chunk, Leaves, Pass};
use super::random::Drawing;
use super::random_loops::{NOISE, bath};
use super::{Ensemble, parameters::Inertias, scratch::Between};
use crate::error::{Error, Failure, finite};
use crate::kernel::{MOST_LANES, State, Vec3};
use crate::memory::{self, Block, States, StatesMut, load, store};
use crate::method::FORWARDS;
use crate::simd::{self, Job, Lanes};

struct Thermalize<'a> {
    drawing: Drawing<'a>,
    inertias: &'a Inertias,
}

impl Ensemble<'_> {
    /// Drag and noise alone: see [`Body::thermalize`](crate::Body::thermalize). Errors: as there, with the first body; [`Error::Order`] in
    /// the middle of a step.
    pub fn thermalize(&mut self, duration: f64) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let [duration] = finite("duration", [duration])?;
        if duration < 0.0 {
            return Err(Error::Invalid { name: "duration", must: FORWARDS }.into());
        }
        self.prepare_bath()?;
        let (forces, mut moving) = self.split();
        let Some(noise) = forces.noise else {
            return Err(Error::Invalid { name: "ensemble", must: "must have random torques" }.into());
        };
        let inertias = forces.inertias;
        moving.sweep(inertias, &Thermalize { drawing: noise.over(duration, false, inertias), inertias }, 0.0, 1)?;
        self.random.draws = self.random.draws.wrapping_add(1);
        self.last.forget();
        Ok(())
    }

    /// Multiplies the angular momenta of the (active) bodies by a factor. Bound numbers are multiplied as they are. Orientations and clock stay.
    /// Errors: [`Error::NotFinite`]; [`Error::OutOfRange`] with the first body; [`Error::Order`] in the middle of a step. Then nothing has
    /// changed.
    pub fn scale_angular_momenta(&mut self, factor: f64) -> Result<(), Failure> {
        let [factor] = finite("factor", [factor])?;
        self.check_no_step_begun()?;
        let scaled = |v: [f64; 3]| (Vec3(v) * factor).0;
        let bound = self.states.bound.velocities.as_ref().map(|array| array.as_view());
        self.check_finite(|body, state| {
            let omega = state.omega_body * factor;
            let [x, y, z] = bound.as_ref().map_or([0.0; 3], |array| scaled(array.get(body)));
            [omega.dot(omega), x, y, z]
        })?;
        self.begin_change()?;
        let Self { states, active, .. } = self;
        for position in 0..active.moving {
            let body = active.body(position);
            if let Some(array) = &mut states.bound.velocities {
                array.put(body, scaled(array.as_view().get(body)));
            } else {
                let [w, x, y, z, a, b, c] = memory::get(&states.own, body);
                let [a, b, c] = scaled([a, b, c]);
                memory::set(&mut states.own, body, [w, x, y, z, a, b, c]);
            }
        }
        Ok(())
    }
}

impl Pass for Thermalize<'_> {
    fn leaves(&self) -> Leaves {
        Leaves::States
    }

    fn visit(&self, chunk: Chunk, between: &mut Between) -> Result<(), Failure> {
        let (bodies, end, time) = (&chunk.bodies, chunk.end, chunk.clock.now());
        let inertias = self.inertias.of_chunk(bodies, &mut between.inertias);
        self.drawing.draw(bodies, inertias, 0, &mut between.torques.noise);
        let (start, noise, is_turned) = (chunk.start, &between.torques.noise[..], inertias.is_turned);
        let has_flow = self.drawing.noise.bath.has_flow();
        let mut job = ThermalizeLoop { count: bodies.count(), start, end, noise, is_turned, has_flow };
        let is_finite = simd::run_in_pairs_on(bodies.count(), &mut job);
        match first_not_finite(end, if is_finite { 0 } else { bodies.count() }) {
            Some(bad) => Err(Failure::of_body(bodies.get(bad), Error::Overflow { time, size: None })),
            None => Ok(()),
        }
    }
}

struct ThermalizeLoop<'a> {
    count: usize,
    start: States<'a>,
    end: StatesMut<'a>,
    noise: &'a [Block<NOISE>],
    is_turned: bool,
    has_flow: bool,
}

impl Job for ThermalizeLoop<'_> {
    /// Whether all states are finite.
    type Output = bool;

    #[inline(always)]
    fn in_lanes<N: Lanes>(&mut self) -> bool {
        let ThermalizeLoop { count, start, noise, is_turned, has_flow, .. } = *self;
        let (end, mut finite_checks) = (&mut *self.end, N::splat(0.0));
        lanes!(count, N, b, lane, {
            let State { q, omega_body } = load::<N>(&start[b], lane);
            let bath = bath(&noise[b], q, is_turned, has_flow, lane);
            let flow = if let Some(flow) = bath.flow_body { flow } else { Vec3::splat(0.0) };
            let next = State { q, omega_body: bath.relaxed(omega_body, flow) };
            store(&next, &mut end[b], lane);
            finite_checks = finite_checks + finite_check(&next);
        });
        !is_not_finite(finite_checks)
    }
}
