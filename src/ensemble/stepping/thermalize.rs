//! Drag and noise alone, and the scaling of angular momenta: for hosts that kick and drift, or have
//! thermostats of their own.

use super::motion::{Chunk, ChunkScratch, Pass};
use super::transaction::Transaction;
use crate::ensemble::Ensemble;
use crate::ensemble::acting::random::Drawing;
use crate::ensemble::acting::random_loops::Noise;
use crate::ensemble::lanes::{finite_check, first_not_finite, is_not_finite, lanes};
use crate::ensemble::states::own::StateStore;
use crate::error::{Error, Failure, check, finite};
use crate::kernel::{MOST_LANES, Number, State, Vec3};
use crate::memory::{load, store};
use crate::method::{Change, FORWARDS};
use crate::simd::{self, Job};

impl Ensemble<'_, '_> {
    /// Drag and noise alone: see [`Body::thermalize`](crate::Body::thermalize). Errors: as there,
    /// with the first body; [`Error::Order`].
    pub fn thermalize(&mut self, duration: f64) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let [duration] = finite("duration", [duration])?;
        check(duration >= 0.0, "duration", FORWARDS)?;
        self.prepare_heat_bath(duration, false)?;
        let (forces, active, motion) = self.split(self.plan());
        let drawing = forces.acting.random.drawing().ok_or(Error::Invalid {
            name: "ensemble",
            must: "must have random torques: set them first, as by qi_set_ensemble_langevin",
        })?;
        let mut transaction = Transaction::begin(motion, active, forces.inertias);
        transaction.run(&drawing, 0.0, 1)?;
        transaction.commit();
        self.acting.random.draws = self.acting.random.draws.wrapping_add(1);
        self.motion.last.forget(Change::Motion);
        Ok(())
    }

    /// Multiplies the angular momenta of the (active) bodies by a factor. Bound numbers are
    /// multiplied as they are. Orientations and clock stay. Errors: [`Error::NotFinite`];
    /// [`Error::OutOfRange`] with the first body; [`Error::Order`]. Then nothing has changed.
    pub fn scale_angular_momenta(&mut self, factor: f64) -> Result<(), Failure> {
        let [factor] = finite("factor", [factor])?;
        self.check_no_step_begun()?;
        let scaled = |body, state: &State<f64>| {
            let omega = state.omega_body * factor;
            let [x, y, z] = (self
                .motion
                .states
                .bound
                .get(&self.motion.states.current, body)
                .omega_body
                * factor)
                .0;
            [omega.dot(omega), x, y, z]
        };
        self.read_finite(scaled, |_| {})?;
        self.begin(Change::Motion)?;
        let StateStore { current, bound, .. } = &mut self.motion.states;
        for body in (0..self.active.moving).map(|position| self.active.body(position)) {
            let numbers = bound.get(current, body);
            bound.put(
                current,
                body,
                State {
                    omega_body: numbers.omega_body * factor,
                    ..numbers
                },
            );
        }
        Ok(())
    }
}

/// Drag and noise alone.
impl Pass for Drawing<'_> {
    fn visit(&self, mut chunk: Chunk, chunk_scratch: &mut ChunkScratch) -> Result<(), Failure> {
        let bodies = chunk.bodies;
        let count = chunk.bodies.count();
        let time = chunk.clock.now();
        let noise = &mut chunk_scratch.torques.noise;
        noise.draw(self, (bodies, chunk.first), 0);
        let mut job = ThermalizeLoop {
            chunk: &mut chunk,
            noise,
            drawing: self,
        };
        let bad = if simd::run_on(count, &mut job) {
            None
        } else {
            first_not_finite(chunk.end, count)
        };
        match bad {
            None => Ok(()),
            Some(bad) => Err(Failure::of_body(
                bodies.get(bad),
                Error::Overflow { time, size: None },
            )),
        }
    }
}

struct ThermalizeLoop<'b, 'a> {
    chunk: &'b mut Chunk<'a>,
    noise: &'b Noise,
    drawing: &'b Drawing<'b>,
}

impl Job<bool> for ThermalizeLoop<'_, '_> {
    const FEW_IN_A_PAIR: bool = true;

    #[inline(always)]
    fn in_lanes<N: Number>(&mut self) -> bool {
        let ThermalizeLoop {
            noise,
            drawing: &Drawing {
                heat_bath, modes, ..
            },
            ..
        } = *self;
        let Chunk {
            bodies,
            first,
            start,
            ..
        } = *self.chunk;
        let count = bodies.count();
        let end = &mut *self.chunk.end;
        let mut finite_checks = N::splat(0.0);
        lanes!(count, N, b, lane, {
            let State { q, omega_body } = load::<N>(&start[b], lane);
            let bath = noise.bath(heat_bath, (bodies, first), (b, lane), q, modes.is_some());
            let flow = if let Some(flow) = bath.flow_body {
                flow
            } else {
                Vec3::splat(0.0)
            };
            let next = State {
                q,
                omega_body: bath.relaxed(omega_body, flow),
            };
            store(&next, &mut end[b], lane);
            finite_checks = finite_checks + finite_check(&next);
        });
        !is_not_finite(finite_checks)
    }
}
