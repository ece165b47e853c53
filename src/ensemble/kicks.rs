//! Kicks and drifts, the two halves of velocity Verlet: for callers that compute all torques
//! themselves, once per step. A kick adds `duration × torque` to the angular momentum at constant
//! orientation. A drift is an exact free rotation.

use super::lanes::{finite_check, is_not_finite, lanes};
use super::parameters::{InertiaSource, Inertias, Parameter};
use super::pass::{Chunk, Leaves, Pass};
use super::torque_loops::TorqueSource;
use super::{
    AT_REST, Ensemble, besides::Drag, forces::Forces, scratch::Between, states::Predicted,
};
use super::{torque::EnsembleTorque, transaction::Transaction, whole::WholeSteps};
use crate::error::{Error, Failure, check, finite};
use crate::kernel::{FreeRotation, MOST_LANES, Rotor, State, Vec3, free_rotation, velocity_kicked};
use crate::memory::{self, Block, States, View, ViewMut, load, load_vector, store, store_vector};
use crate::method::{self, Composition, Method, drifted_with_rotors};
use crate::simd::{self, Job, Lanes};
use crate::torque::Frame;

/// A kick, a drift, or both in this order.
pub(super) struct KickDrift<'a> {
    pub(super) kick: f64,
    pub(super) torque: Option<(View<'a, 3>, Frame)>,
    pub(super) drift: f64,
    /// Predicts the angular velocities for this duration after the drift.
    pub(super) ahead: Option<f64>,
    pub(super) drag: Option<&'a Drag>,
    /// The angular momenta of rotors, and how the method drifts bodies with them.
    pub(super) rotors: Option<(&'a Parameter<3>, &'static Composition)>,
    pub(super) inertias: &'a Inertias,
    /// A free step, which drifts: bound quantities are then converted as in other steps.
    pub(super) is_step: bool,
}

impl<'a> Ensemble<'a> {
    /// Adds `duration × torque` to the angular momenta of the (active) bodies: see
    /// [`qi_kick_ensemble`](crate::ffi::qi_kick_ensemble). Errors: a number is not finite, with the
    /// first such body; [`Error::Capacity`]; [`Error::Order`] in the middle of a step.
    pub fn kick(&mut self, duration: f64, torque: View<3>, frame: Frame) -> Result<(), Failure> {
        let [duration] = finite("duration", [duration])?;
        self.take_kick_drift(duration, 0.0, Some((torque, frame)), None)
    }

    /// Rotates the (active) bodies freely for a duration: see
    /// [`qi_drift_ensemble`](crate::ffi::qi_drift_ensemble). Errors: [`Error::NotFinite`],
    /// [`Error::Overflow`] with the first such body, [`Error::Order`].
    pub fn drift(&mut self, duration: f64) -> Result<(), Failure> {
        let [duration] = finite("duration", [duration])?;
        self.take_kick_drift(0.0, duration, None, None)
    }

    /// A kick, then a drift, in one pass over the bodies. `torque`: `None` is zero torque. Errors:
    /// as [`Ensemble::kick`] and [`Ensemble::drift`], also if a predicted velocity overflows; then
    /// nothing has changed.
    pub fn kick_drift(
        &mut self,
        kick: f64,
        drift: f64,
        torque: Option<View<3>>,
        frame: Frame,
    ) -> Result<(), Failure> {
        let ahead = self
            .motion
            .states
            .predicted
            .as_ref()
            .map(|predicted| predicted.ahead);
        self.take_kick_drift(kick, drift, torque.map(|torque| (torque, frame)), ahead)?;
        if let Some(predicted) = &mut self.motion.states.predicted {
            for i in 0..self.active.moving {
                predicted
                    .array
                    .put(self.active.body(i), memory::get(&predicted.values, i));
            }
        }
        Ok(())
    }

    fn take_kick_drift(
        &mut self,
        kick: f64,
        drift: f64,
        torque: Option<(View<3>, Frame)>,
        ahead: Option<f64>,
    ) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let [kick] = finite("kick", [kick])?;
        let [drift] = finite("drift", [drift])?;
        self.motion.clock.advanced(drift)?;
        if let Some((torque, _)) = &torque {
            self.check_count(torque)?;
            check(
                !self.motion.states.bound.overlaps(torque),
                torque.name(),
                "must not overlap a bound array",
            )?;
        }
        let composition = self.method.gyrostat();
        let (forces, active, motion) = self.split(self.plan());
        let Forces {
            inertias, besides, ..
        } = forces;
        let torque = torque.filter(|_| kick != 0.0 || ahead.is_some());
        let drag = besides
            .drag
            .as_ref()
            .filter(|_| kick != 0.0 || ahead.is_some());
        let rotors = besides
            .rotors
            .as_ref()
            .map(|rotors| (&rotors.each, composition));
        let is_drift = torque.is_none() && ahead.is_none() && drag.is_none();
        if is_drift && drift == 0.0 {
            return Ok(());
        }
        let these = KickDrift {
            kick,
            torque,
            drift,
            ahead,
            drag,
            rotors,
            inertias,
            is_step: false,
        };
        let is_gathered = motion.states.gathers(active);
        let mut transaction = Transaction::begin(motion, active, inertias);
        let free_steps = if is_drift && rotors.is_none() && !is_gathered {
            let plan = Method::Splitting.plan(false, false, false);
            WholeSteps::select(plan, &EnsembleTorque::Free, inertias, drift)
        } else {
            None
        };
        match free_steps {
            Some(steps) => transaction.run_whole_steps(steps, 1)?,
            None => transaction.run(&these, drift, 1)?,
        }
        transaction.commit(drift, 1);
        self.motion.last.forget();
        Ok(())
    }

    /// From now on, [`Ensemble::kick_drift`] writes predicted angular velocities (world frame) to
    /// this array; `None`: no longer. See
    /// [`qi_bind_predicted_velocities`](crate::ffi::qi_bind_predicted_velocities). Errors:
    /// [`Error::NotFinite`], [`Error::Capacity`], [`Error::Memory`], [`Error::Order`]; the array
    /// overlaps a bound one.
    pub fn bind_predicted_velocities(
        &mut self,
        array: Option<ViewMut<'a, 3>>,
        ahead: f64,
    ) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let Some(array) = array else {
            self.motion.states.predicted = None;
            return Ok(());
        };
        let [ahead] = finite("ahead", [ahead])?;
        let view = array.as_view();
        self.check_count(&view)?;
        check(
            !self.motion.states.bound.overlaps(&view),
            view.name(),
            "must not overlap another bound array",
        )?;
        let values = memory::filled(self.count(), [0.0; 3])?;
        self.motion.states.predicted = Some(memory::boxed(Predicted {
            array,
            ahead,
            values,
        })?);
        Ok(())
    }

    /// The predicted angular velocity of a body, world frame; `None` if no array is bound for them.
    pub fn predicted_velocity(&self, body: usize) -> Option<[f64; 3]> {
        self.motion
            .states
            .predicted
            .as_ref()
            .map(|predicted| predicted.array.as_view().get(body))
    }

    pub(super) fn overlaps_predicted<const K: usize>(&self, array: &View<K>) -> bool {
        self.motion
            .states
            .predicted
            .as_ref()
            .is_some_and(|predicted| array.overlaps(&predicted.array.as_view()))
    }
}

impl Pass for KickDrift<'_> {
    fn leaves(&self) -> Leaves {
        if self.is_step {
            Leaves::States
        } else {
            Leaves::StatesOrMomenta
        }
    }

    fn visit(&self, mut chunk: Chunk, between: &mut Between) -> Result<(), Failure> {
        let torques = &mut between.end[..];
        if let Some((torque, _)) = &self.torque {
            memory::clear_behind(chunk.bodies.count(), torques, AT_REST);
            torque.gather(chunk.bodies, torques);
        }
        let finite = simd::run_on(
            chunk.bodies.count(),
            &mut KickDriftLoop {
                these: self,
                chunk: &mut chunk,
                torques,
            },
        );
        let time = chunk.clock.now();
        let Chunk {
            bodies,
            start,
            end,
            predicted,
            ..
        } = chunk;
        let bad = |end: States, predicted: &[Block<3>]| {
            let cause = |i: usize| {
                let [.., x, y, z] = memory::get(torques, i);
                if self.torque.is_some() && ![x, y, z].iter().all(|number| number.is_finite()) {
                    return Some(Error::TorqueNotFinite {
                        time,
                        torque: [x, y, z],
                    });
                }
                let predicted = Vec3(if self.ahead.is_some() {
                    memory::get(predicted, i)
                } else {
                    [0.0; 3]
                });
                let state: State<f64> = load(&end[i / MOST_LANES], i % MOST_LANES);
                let is_finite =
                    finite_check(&state).is_finite() && predicted.dot(predicted).is_finite();
                (!is_finite).then_some(Error::Overflow { time, size: None })
            };
            let failure = |i: usize| Some(Failure::of_body(bodies.get(i), cause(i)?));
            (0..bodies.count()).find_map(failure).map_or(Ok(()), Err)
        };
        if !finite {
            bad(end, predicted)?; // if none is, a sum has overflowed, or lanes behind the last body
        }
        if let Some((momenta, composition)) = self.rotors.filter(|_| self.drift != 0.0) {
            // they drift one by one: each takes as many parts as it needs
            for i in 0..bodies.count() {
                let b = i / MOST_LANES;
                let lane = i % MOST_LANES;
                let body = bodies.get(i);
                let inertia = self.inertias.of_body(body);
                let rotor = Rotor::new(Vec3(momenta.at(bodies, i)), None);
                let drifted = drifted_with_rotors(
                    composition,
                    &inertia,
                    &rotor,
                    &load(&end[b], lane),
                    self.drift,
                );
                let state = drifted.map_err(|cause| Failure::of_body(body, cause))?;
                store(&state, &mut end[b], lane);
                if let Some(ahead) = self.ahead {
                    let given = load_vector::<f64, 7>(&torques[b], 4, lane);
                    let torque_body = match self.torque {
                        None => Vec3::splat(0.0),
                        Some((_, Frame::Body)) => given,
                        Some((_, Frame::World)) => load::<f64>(&start[b], lane).q.to_body(given),
                    };
                    let gained = match self.drag {
                        Some(drag) => {
                            let drag = drag.at(bodies, i);
                            method::kicked_with_drag(&inertia, &state, &drag, torque_body, ahead)
                        }
                        None => velocity_kicked(&inertia, torque_body, ahead),
                    };
                    let later = state.omega_body + gained;
                    store_vector(state.q.to_world(later), &mut predicted[b], 0, lane);
                }
            }
            bad(end, predicted)?;
        }
        Ok(())
    }
}

struct KickDriftLoop<'b, 'a> {
    these: &'b KickDrift<'b>,
    chunk: &'b mut Chunk<'a>,
    torques: States<'b>,
}

impl Job<bool> for KickDriftLoop<'_, '_> {
    #[inline(always)]
    fn in_lanes<N: Lanes>(&mut self) -> bool {
        let KickDrift {
            inertias,
            drag,
            ahead,
            ..
        } = *self.these;
        match inertias.shared_aligned() {
            Some(&shared) if self.chunk.momenta.is_none() && ahead.is_none() && drag.is_none() => {
                self.all::<N, _, true>(&shared)
            }
            _ => self.all::<N, _, false>(&inertias),
        }
    }
}

impl KickDriftLoop<'_, '_> {
    #[inline(always)]
    fn all<N: Lanes, I: InertiaSource, const PLAIN: bool>(&mut self, inertias: &I) -> bool {
        let KickDrift {
            kick,
            torque,
            drift,
            ahead,
            drag,
            rotors,
            ..
        } = *self.these;
        let Chunk {
            bodies,
            start,
            momenta,
            ..
        } = *self.chunk;
        let torques = self.torques;
        let end = &mut *self.chunk.end;
        let predicted = &mut *self.chunk.predicted;
        let mut finite_checks = N::splat(0.0);
        let is_locked = self.these.inertias.is_locked();
        lanes!(bodies.count(), N, b, lane, {
            let state = load::<N>(&start[b], lane);
            let inertia = inertias.at(bodies, b * MOST_LANES + lane);
            let mut end_state = state;
            let [mut torque_body, mut torque_world, mut impulse_world] = [Vec3::splat(0.0); 3];
            if let Some((_, frame)) = torque {
                let given = load_vector(&torques[b], 4, lane);
                (torque_world, torque_body) = match frame {
                    Frame::World => (given, state.q.to_body(given)),
                    Frame::Body => (
                        if PLAIN {
                            torque_world
                        } else {
                            state.q.to_world(given)
                        },
                        given,
                    ), // not used if plain
                };
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
                end_state.omega_body =
                    state.omega_body + velocity_kicked(&inertia, torque_body, kick);
                impulse_world = torque_world * N::splat(kick);
            }
            if drift != 0.0 && rotors.is_none() {
                let FreeRotation {
                    rotation,
                    gained,
                    motion,
                } = free_rotation(&inertia, end_state.omega_body, drift);
                end_state.omega_body = end_state.omega_body + gained;
                end_state.q = state.q.turned_freely(rotation, motion);
            }
            finite_checks = finite_checks + finite_check(&end_state);
            if !PLAIN && let Some(ahead) = ahead {
                let gained = match drag {
                    Some(drag) => {
                        let drag = drag.at(bodies, b * MOST_LANES + lane);
                        method::kicked_with_drag(&inertia, &end_state, &drag, torque_body, ahead)
                    }
                    None => velocity_kicked(&inertia, torque_body, ahead),
                };
                let later = end_state.omega_body + gained;
                let predicted_state = State {
                    omega_body: later,
                    ..end_state
                };
                finite_checks = finite_checks + finite_check(&predicted_state);
                store_vector(end_state.q.to_world(later), &mut predicted[b], 0, lane);
            }
            store(&end_state, &mut end[b], lane);
            if !PLAIN && let Some(momenta) = momenta {
                let momentum = load_vector::<N, 7>(&momenta[b], 4, lane);
                let mut momentum = if kick != 0.0 {
                    momentum + impulse_world
                } else {
                    momentum
                };
                if is_locked {
                    momentum =
                        momentum - state.q.to_world(inertia.locked(state.q.to_body(momentum)));
                }
                finite_checks = finite_checks + momentum.dot(Vec3::splat(0.0));
                store_vector(momentum, &mut end[b], 4, lane);
            }
        });
        !is_not_finite(finite_checks)
    }
}
