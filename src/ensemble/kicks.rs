//! Kicks and drifts, the two halves of velocity Verlet: for callers that compute all torques themselves, once per step.
//! A kick adds `duration × torque` to the angular momentum at constant orientation. A drift is an exact free rotation.

use super::drag::Drag;
use super::lanes::{Tile, finite_check, first_not_finite, is_not_finite, lanes};
use super::parameters::{InertiaSource, Inertias};
use super::{Ensemble, VelocityKind};
use crate::error::{Error, Failure, finite};
use crate::kernel::{FreeRotation, MOST_LANES, Vec3, free_rotation, velocity_kicked};
use crate::memory::{self, Block, Bodies, States, StatesMut, View, ViewMut, load, load_vector, store, store_vector};
use crate::method;
use crate::simd::{self, Job, Lanes};
use crate::torque::Frame;

/// A kick, a drift, or both in this order.
#[derive(Clone, Copy)]
pub(super) struct Motion<'a> {
    kick: f64,
    torque: Option<(View<'a, 3>, Frame)>,
    pub(super) drift: f64,
    /// Predicts the angular velocities for this duration after the drift.
    ahead: Option<f64>,
}

/// The array for predicted angular velocities.
pub(super) struct Predicted<'a> {
    array: ViewMut<'a, 3>,
    ahead: f64,
    /// The values of the current call, by position: the array is written when all bodies have succeeded.
    values: Vec<Block<3>>,
}

impl<'a> Ensemble<'a> {
    /// Adds `duration × torque` to the angular momenta of the (active) bodies. The torque is given by body; `frame`: of its
    /// components. The orientations do not change, nor does the clock. Angular momenta bound in the world frame are only added to.
    /// Errors: a number is not finite, with the first such body; [`Error::Capacity`]; [`Error::Order`] in the middle of a step.
    pub fn kick(&mut self, duration: f64, torque: View<3>, frame: Frame) -> Result<(), Failure> {
        let [duration] = finite("duration", [duration])?;
        self.take_motion(duration, 0.0, Some(torque), frame, None)
    }

    /// Rotates the (active) bodies freely for a duration; exact, whatever its length. The clock moves on. Angular momenta bound in the
    /// world frame are not written. Errors: [`Error::NotFinite`], [`Error::Overflow`] with the first such body, [`Error::Order`].
    pub fn drift(&mut self, duration: f64) -> Result<(), Failure> {
        let [duration] = finite("duration", [duration])?;
        self.take_motion(0.0, duration, None, Frame::World, None)
    }

    /// A kick, then a drift, in one pass over the bodies. `torque`: `None` is zero torque. Errors: as [`Ensemble::kick`] and
    /// [`Ensemble::drift`]; then nothing has changed.
    pub fn kick_drift(&mut self, kick: f64, drift: f64, torque: Option<View<3>>, frame: Frame) -> Result<(), Failure> {
        let ahead = self.predicted.as_ref().map(|predicted| predicted.ahead);
        self.take_motion(kick, drift, torque, frame, ahead)?;
        let positions = self.active_count();
        if let Some(predicted) = &mut self.predicted {
            for i in 0..positions {
                let body = Bodies::at_positions(self.active.list(), i, 1).get(0);
                predicted.array.put(body, memory::get(&predicted.values, i));
            }
        }
        Ok(())
    }

    fn take_motion(
        &mut self,
        kick: f64,
        drift: f64,
        torque: Option<View<3>>,
        frame: Frame,
        ahead: Option<f64>,
    ) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let ([kick], [drift]) = (finite("kick", [kick])?, finite("drift", [drift])?);
        self.clock.advanced(drift)?;
        if let Some(torque) = &torque {
            self.check_count(torque)?;
            if self.bound.overlaps(torque) {
                return Err(Error::Invalid { name: torque.name(), must: "must not overlap a bound array" }.into());
            }
        }
        let torque = torque.filter(|_| kick != 0.0 || ahead.is_some()).map(|torque| (torque, frame));
        let is_damped = self.drag.is_some() && kick != 0.0;
        if torque.is_none() && drift == 0.0 && ahead.is_none() && !is_damped {
            return Ok(());
        }
        let (known, retake) = (self.known_torque, self.retake.take());
        self.begin_change()?;
        self.retake = retake;
        self.sweep_motion(Motion { kick, torque, drift, ahead }).inspect_err(|_| self.known_torque = known)
    }

    /// From now on, [`Ensemble::kick_drift`] writes predicted angular velocities (world frame) to this array: those at the end of the
    /// drift, changed by the torque of the kick, held in the body frame, for `ahead` more. With `ahead` half a step, torques that
    /// depend on the angular velocity keep order 2. `None`: no longer.
    /// Errors: [`Error::NotFinite`], [`Error::Capacity`], [`Error::Memory`], [`Error::Order`]; the array overlaps a bound one.
    pub fn bind_predicted_velocities(&mut self, array: Option<ViewMut<'a, 3>>, ahead: f64) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let Some(array) = array else {
            self.predicted = None;
            return Ok(());
        };
        let [ahead] = finite("ahead", [ahead])?;
        self.check_count(&array.as_view())?;
        if self.bound.overlaps(&array.as_view()) {
            let must = "must not overlap another bound array";
            return Err(Error::Invalid { name: array.as_view().name(), must }.into());
        }
        let values = memory::filled(self.count, [0.0; 3])?;
        self.predicted = Some(Predicted { array, ahead, values });
        Ok(())
    }

    /// The predicted angular velocity of a body, world frame; `None` if no array is bound for them.
    pub fn predicted_velocity(&self, body: usize) -> Option<[f64; 3]> {
        self.predicted.as_ref().map(|predicted| predicted.array.as_view().get(body))
    }

    /// Whether an array overlaps the one for predicted velocities.
    pub(super) fn overlaps_predicted<const K: usize>(&self, array: &View<K>) -> bool {
        self.predicted.as_ref().is_some_and(|predicted| array.overlaps(&predicted.array.as_view()))
    }
}

impl Predicted<'_> {
    pub(super) fn values(&mut self) -> &mut [Block<3>] {
        &mut self.values
    }
}

/// The bodies of a chunk, and what is known of them.
pub(super) struct Chunk<'a> {
    pub(super) bodies: &'a Bodies<'a>,
    pub(super) memory: Moved<'a>,
    pub(super) inertias: &'a Inertias,
    pub(super) drag: Option<&'a Drag>,
    pub(super) time: f64,
}

/// The memory of a chunk.
pub(super) struct Moved<'a> {
    pub(super) start: States<'a>,
    /// Output: the states, or with `momenta` orientations and angular momenta.
    pub(super) end: StatesMut<'a>,
    /// Columns 4 to 6: angular momenta at the start, world frame.
    pub(super) momenta: Option<States<'a>>,
    /// Scratch memory for the torques.
    pub(super) torques: &'a mut Tile<7>,
    /// Output, if asked for.
    pub(super) predicted: &'a mut [Block<3>],
}

impl Motion<'_> {
    pub(super) fn take(&self, chunk: Chunk) -> Result<(), Failure> {
        let Chunk { bodies, memory, inertias, drag, time } = chunk;
        let Moved { start, end, momenta, torques, predicted } = memory;
        if let Some((torque, _)) = &self.torque {
            torque.gather(bodies, torques);
        }
        let mut job = Move { motion: self, bodies, start, end, momenta, torques, predicted, inertias, drag };
        if simd::run_on(bodies.count(), &mut job) {
            return Ok(());
        }
        let torque = |i: usize| {
            let [.., x, y, z] = memory::get(torques, i);
            [x, y, z]
        };
        let bad = (0..bodies.count()).find(|i| torque(*i).iter().any(|t| !t.is_finite()));
        if let (Some(i), Some(_)) = (bad, &self.torque) {
            let cause = Error::TorqueNotFinite { time, torque: torque(i) };
            return Err(Failure::of_body(bodies.get(i), cause));
        }
        let bad = first_not_finite(end, bodies.count());
        bad.map_or(Ok(()), |i| Err(Failure::of_body(bodies.get(i), Error::Overflow { time, size: None })))
    }

    /// Whether it is a drift alone.
    pub(super) fn is_drift(&self) -> bool {
        self.torque.is_none() && self.ahead.is_none()
    }

    /// Whether the angular momenta at the end replace the angular velocities there.
    pub(super) fn adds_to_momenta(kind: VelocityKind) -> bool {
        kind == VelocityKind::AngularMomentumWorld
    }
}

struct Move<'a> {
    motion: &'a Motion<'a>,
    bodies: &'a Bodies<'a>,
    start: States<'a>,
    end: StatesMut<'a>,
    momenta: Option<States<'a>>,
    torques: &'a Tile<7>,
    predicted: &'a mut [Block<3>],
    inertias: &'a Inertias,
    drag: Option<&'a Drag>,
}

impl Job for Move<'_> {
    /// Whether all results are finite.
    type Output = bool;

    #[inline(always)]
    fn run<N: Lanes>(&mut self) -> bool {
        let is_plain = self.momenta.is_none() && self.motion.ahead.is_none() && self.drag.is_none();
        match self.inertias.shared_aligned() {
            Some(shared) if is_plain => self.all::<N, _, true>(&shared),
            _ => {
                let inertias = self.inertias;
                self.all::<N, _, false>(&inertias)
            }
        }
    }
}

impl Move<'_> {
    #[inline(always)]
    fn all<N: Lanes, I: InertiaSource, const PLAIN: bool>(&mut self, inertias: &I) -> bool {
        let Move { motion: &Motion { kick, torque, drift, ahead }, bodies, start, momenta, torques, drag, .. } = *self;
        let (end, predicted) = (&mut *self.end, &mut *self.predicted);
        let mut finite_checks = N::splat(0.0);
        lanes!(bodies.count(), N, b, lane, {
            let state = load::<N>(&start[b], lane);
            let inertia = inertias.at(bodies, b * MOST_LANES + lane);
            let mut end_state = state;
            let mut torque_body = Vec3::splat(0.0);
            let mut torque_world = Vec3::splat(0.0);
            let mut impulse_world = Vec3::splat(0.0);
            if let Some((_, frame)) = torque {
                let given = load_vector(&torques[b], 4, lane);
                if frame == Frame::World {
                    (torque_world, torque_body) = (given, state.q.to_body(given));
                } else {
                    torque_body = given;
                    if !PLAIN {
                        torque_world = state.q.to_world(given);
                    }
                }
            }
            if !PLAIN
                && kick != 0.0
                && let Some(drag) = drag
            {
                let drag = drag.at(bodies, b * MOST_LANES + lane);
                let change = method::kicked_with_drag(&inertia, &state, &drag, torque_body, kick);
                end_state.omega_body = state.omega_body + change;
                impulse_world = state.q.to_world(inertia.angular_momentum(change));
            } else if torque.is_some() {
                end_state.omega_body = state.omega_body + velocity_kicked(&inertia, torque_body, kick);
                impulse_world = torque_world * N::splat(kick);
            }
            if drift != 0.0 {
                let FreeRotation { rotation, gained, motion } = free_rotation(&inertia, end_state.omega_body, drift);
                end_state.omega_body = end_state.omega_body + gained;
                end_state.q = state.q.turned_freely(rotation, motion);
            }
            finite_checks = finite_checks + finite_check(&end_state);
            if !PLAIN && let Some(ahead) = ahead {
                let later = end_state.omega_body + velocity_kicked(&inertia, torque_body, ahead);
                store_vector(end_state.q.to_world(later), &mut predicted[b], 0, lane);
            }
            store(&end_state, &mut end[b], lane);
            if !PLAIN && let Some(momenta) = momenta {
                let momentum = load_vector::<N, 7>(&momenta[b], 4, lane);
                let momentum = if kick != 0.0 { momentum + impulse_world } else { momentum };
                finite_checks = finite_checks + momentum.dot(Vec3::splat(0.0));
                store_vector(momentum, &mut end[b], 4, lane);
            }
        });
        !is_not_finite(finite_checks)
    }
}
