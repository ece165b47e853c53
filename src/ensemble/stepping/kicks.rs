//! Kicks and drifts, the two halves of velocity Verlet: for callers that compute all torques
//! themselves, once per step. A kick adds `duration × torque` to the angular momentum at constant
//! orientation. A drift is an exact free rotation.

use super::motion::{Chunk, ChunkScratch, Pass, Writes};
use super::transaction::Transaction;
use super::whole::WholeSteps;
use crate::ensemble::Ensemble;
use crate::ensemble::acting::ask::Forces;
use crate::ensemble::acting::drag_and_rotors::Drag;
use crate::ensemble::acting::torque_loops::TorqueSource;
use crate::ensemble::bodies::parameters::{InertiaSource, Inertias, Parameter};
use crate::ensemble::lanes::{AT_REST, finite_check, is_not_finite, lanes};
use crate::ensemble::states::own::Predicted;
use crate::error::{Error, Failure, check, finite};
use crate::kernel::{MOST_LANES, Number, PrincipalInertia, Rotor, State, Vec3};
use crate::kernel::{free_rotation, velocity_kicked};
use crate::memory::{self, States, View, ViewMut, load, load_vector, store, store_vector};
use crate::method::{self, Change, Composition, drifted_with_rotors};
use crate::simd::{self, Job};
use crate::torque::{FluidDrag, Frame};
use nalgebra::Vector3;

impl<'a> Ensemble<'a, '_> {
    /// Adds `duration × torque` to the angular momenta of the (active) bodies: see
    /// `qi_kick_ensemble`. Errors: a number is not finite, with the first such body;
    /// [`Error::Capacity`](crate::Error::Capacity); [`Error::Order`](crate::Error::Order) in the
    /// middle of a step.
    pub fn kick(&mut self, duration: f64, torque: View<3>, frame: Frame) -> Result<(), Failure> {
        let [duration] = finite("duration", [duration])?;
        self.take_kick_drift(duration, 0.0, Some((torque, frame)), None)
    }

    /// Rotates the (active) bodies freely for a duration: see `qi_drift_ensemble`. Errors:
    /// [`Error::NotFinite`](crate::Error::NotFinite), [`Error::Overflow`](crate::Error::Overflow)
    /// with the first such body, [`Error::Order`](crate::Error::Order).
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

    fn check_kick_drift(
        &self,
        kick: f64,
        drift: f64,
        torque: Option<&View<3>>,
    ) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        finite("kick", [kick])?;
        finite("drift", [drift])?;
        self.motion.clock.advanced(drift)?;
        let Some(torque) = torque else {
            return Ok(());
        };
        self.check_count(torque)?;
        check(
            !self.motion.states.bound.overlaps(torque),
            torque.name(),
            "must not overlap a bound array",
        )?;
        Ok(())
    }

    fn take_kick_drift(
        &mut self,
        kick: f64,
        drift: f64,
        torque: Option<(View<3>, Frame)>,
        ahead: Option<f64>,
    ) -> Result<(), Failure> {
        self.check_kick_drift(kick, drift, torque.as_ref().map(|(torque, _)| torque))?;
        let composition = self.method.gyrostat();
        let (forces, active, motion) = self.split(self.plan());
        let Forces {
            inertias, acting, ..
        } = forces;
        let kicks = kick != 0.0 || ahead.is_some();
        let torque = if kicks { torque } else { None };
        let drag = if kicks { acting.drag.as_ref() } else { None };
        let rotors = acting
            .rotors
            .as_ref()
            .map(|rotors| (&rotors.each, composition));
        let is_drift = torque.is_none() && ahead.is_none() && drag.is_none();
        if is_drift && drift == 0.0 {
            return Ok(());
        }
        let kick_drift = KickDrift {
            kick,
            torque,
            drift,
            ahead,
            drag,
            rotors,
            inertias,
        };
        let may_be_whole = is_drift && rotors.is_none() && !motion.states.gathers(active);
        let mut transaction = Transaction::begin(motion, active, inertias);
        if may_be_whole {
            transaction.run_whole_steps(WholeSteps::drifts(inertias, drift), 1)?;
        } else {
            transaction.run(&kick_drift, drift, 1)?;
        }
        transaction.commit();
        self.motion.last.forget(Change::Motion);
        Ok(())
    }

    /// From now on, [`Ensemble::kick_drift`] writes predicted angular velocities (world frame) to
    /// this array; `None`: no longer. See `qi_bind_predicted_velocities`. Errors:
    /// [`Error::NotFinite`](crate::Error::NotFinite), [`Error::Capacity`](crate::Error::Capacity),
    /// [`Error::Memory`](crate::Error::Memory), [`Error::Order`](crate::Error::Order); the array
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
            !self.motion.states.bound.overlaps(&view) && !self.overlaps_flow_gradients(&view),
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
    pub fn predicted_velocity(&self, body: usize) -> Option<Vector3<f64>> {
        self.motion
            .states
            .predicted
            .as_ref()
            .map(|predicted| predicted.array.as_view().get(body).into())
    }

    pub(crate) fn overlaps_predicted<const K: usize>(&self, array: &View<K>) -> bool {
        self.motion
            .states
            .predicted
            .as_ref()
            .is_some_and(|predicted| array.overlaps(&predicted.array.as_view()))
    }
}

/// A kick, a drift, or both in this order.
pub(crate) struct KickDrift<'a> {
    pub(crate) kick: f64,
    pub(crate) torque: Option<(View<'a, 3>, Frame)>,
    pub(crate) drift: f64,
    /// Predicts the angular velocities for this duration after the drift.
    pub(crate) ahead: Option<f64>,
    pub(crate) drag: Option<&'a Drag>,
    /// The angular momenta of rotors, and how the method drifts bodies with them.
    pub(crate) rotors: Option<(&'a Parameter<3>, &'static Composition)>,
    pub(crate) inertias: &'a Inertias,
}

impl Pass for KickDrift<'_> {
    fn writes(&self) -> Writes {
        Writes::StatesOrMomenta
    }

    fn visit(&self, mut chunk: Chunk, chunk_scratch: &mut ChunkScratch) -> Result<(), Failure> {
        debug_assert_eq!(chunk.steps, 1, "a kick is no step");
        let torques = &mut chunk_scratch.end[..];
        if let Some((torque, _)) = &self.torque {
            memory::fill_idle_lanes(chunk.bodies.count(), torques, AT_REST);
            torque.gather(chunk.bodies, torques);
        }
        let are_finite = simd::run_on(
            chunk.bodies.count(),
            &mut KickDriftLoop {
                pass: self,
                chunk: &mut chunk,
                torques,
            },
        );
        if !are_finite {
            // If this finds none, only the sum of the checks has overflowed, or an idle lane.
            self.check_finite(&chunk, torques)?;
        }
        if let Some((momenta, composition)) = self.rotors
            && self.drift != 0.0
        {
            self.drift_with_rotors(&mut chunk, torques, momenta, composition)?;
            self.check_finite(&chunk, torques)?;
        }
        Ok(())
    }
}

impl KickDrift<'_> {
    /// Refuses the first body whose torque or result is not finite.
    fn check_finite(&self, chunk: &Chunk, torques: States) -> Result<(), Failure> {
        let time = chunk.clock.now();
        for i in 0..chunk.bodies.count() {
            let body = chunk.bodies.get(i);
            if self.torque.is_some() {
                let [.., x, y, z] = memory::get(torques, i);
                let torque = [x, y, z];
                if torque.iter().any(|component| !component.is_finite()) {
                    return Err(Failure::of_body(
                        body,
                        Error::TorqueNotFinite { time, torque },
                    ));
                }
            }
            let state: State<f64> = load(&chunk.end[i / MOST_LANES], i % MOST_LANES);
            let mut is_finite = finite_check(&state).is_finite();
            if self.ahead.is_some() {
                let predicted = Vec3(memory::get(chunk.predicted, i));
                is_finite = is_finite && predicted.dot(predicted).is_finite();
            }
            if !is_finite {
                return Err(Failure::of_body(body, Error::Overflow { time, size: None }));
            }
        }
        Ok(())
    }

    /// Bodies with rotors drift one by one, because each takes as many parts as it needs.
    fn drift_with_rotors(
        &self,
        chunk: &mut Chunk,
        torques: States,
        momenta: &Parameter<3>,
        composition: &'static Composition,
    ) -> Result<(), Failure> {
        let bodies = chunk.bodies;
        for i in 0..bodies.count() {
            let b = i / MOST_LANES;
            let lane = i % MOST_LANES;
            let body = bodies.get(i);
            let inertia = self.inertias.of_body(body);
            let rotor = Rotor::new(Vec3(momenta.at(bodies, i)), None);
            let kicked = load(&chunk.end[b], lane);
            let drifted = drifted_with_rotors(composition, &inertia, &rotor, &kicked, self.drift);
            let state = drifted.map_err(|cause| Failure::of_body(body, cause))?;
            store(&state, &mut chunk.end[b], lane);
            if let Some(ahead) = self.ahead {
                let given = load_vector::<f64, 7>(&torques[b], 4, lane);
                let torque_body = match self.torque {
                    None => Vec3::splat(0.0),
                    Some((_, Frame::Body)) => given,
                    Some((_, Frame::World)) => load::<f64>(&chunk.start[b], lane).q.to_body(given),
                };
                let drag = self.drag.map(|drag| drag.at(bodies, i));
                let later = velocity_later(&inertia, &state, &drag, torque_body, ahead);
                store_vector(state.q.to_world(later), &mut chunk.predicted[b], 0, lane);
            }
        }
        Ok(())
    }
}

struct KickDriftLoop<'b, 'a> {
    pass: &'b KickDrift<'b>,
    chunk: &'b mut Chunk<'a>,
    torques: States<'b>,
}

impl Job<bool> for KickDriftLoop<'_, '_> {
    #[inline(always)]
    fn in_lanes<N: Number>(&mut self) -> bool {
        let KickDrift {
            inertias,
            drag,
            ahead,
            ..
        } = *self.pass;
        match inertias.shared_aligned() {
            Some(&shared) if self.chunk.momenta.is_none() && ahead.is_none() && drag.is_none() => {
                self.all::<N, _, true>(&shared)
            }
            _ => self.all::<N, _, false>(&inertias),
        }
    }
}

impl KickDriftLoop<'_, '_> {
    /// `PLAIN`: no drag, no momenta, no prediction (PERF-10).
    #[inline(always)]
    fn all<N: Number, I: InertiaSource, const PLAIN: bool>(&mut self, inertias: &I) -> bool {
        let KickDrift {
            kick,
            torque,
            drift,
            ahead,
            drag,
            rotors,
            ..
        } = *self.pass;
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
        let has_zero_moment = self.pass.inertias.has_zero_moment();
        lanes!(bodies.count(), N, b, lane, {
            let i = b * MOST_LANES + lane;
            let state = load::<N>(&start[b], lane);
            let inertia = inertias.at(bodies, i);
            let torque_here = match torque {
                None => TorqueBoth::zero(),
                Some((_, frame)) => {
                    let given = load_vector(&torques[b], 4, lane);
                    TorqueBoth::of::<PLAIN>(given, frame, &state)
                }
            };
            let mut next = state;
            let mut impulse_world = Vec3::splat(0.0);
            if !PLAIN
                && kick != 0.0
                && let Some(drag) = drag
            {
                let drag = drag.at(bodies, i);
                let change =
                    method::kicked_with_drag(&inertia, &state, &drag, torque_here.body, kick);
                next.omega_body = state.omega_body + change;
                impulse_world = state.q.to_world(inertia.angular_momentum(change));
            } else if torque.is_some() {
                next.omega_body =
                    state.omega_body + velocity_kicked(&inertia, torque_here.body, kick);
                impulse_world = torque_here.world * N::splat(kick);
            }
            if drift != 0.0 && rotors.is_none() {
                let free = free_rotation(&inertia, next.omega_body, drift);
                next.omega_body = next.omega_body + free.gained;
                next.q = state.q.turned_freely(free.rotation, free.motion);
            }
            finite_checks = finite_checks + finite_check(&next);
            if !PLAIN && let Some(ahead) = ahead {
                let drag = if let Some(drag) = drag {
                    Some(drag.at(bodies, i))
                } else {
                    None
                };
                let later = velocity_later(&inertia, &next, &drag, torque_here.body, ahead);
                finite_checks = finite_checks
                    + finite_check(&State {
                        omega_body: later,
                        ..next
                    });
                store_vector(next.q.to_world(later), &mut predicted[b], 0, lane);
            }
            store(&next, &mut end[b], lane);
            if !PLAIN && let Some(momenta) = momenta {
                let mut momentum = load_vector::<N, 7>(&momenta[b], 4, lane);
                if kick != 0.0 {
                    momentum = momentum + impulse_world;
                }
                if has_zero_moment {
                    let locked = inertia.locked(state.q.to_body(momentum));
                    momentum = momentum - state.q.to_world(locked);
                }
                finite_checks = finite_checks + momentum.dot(Vec3::splat(0.0));
                store_vector(momentum, &mut end[b], 4, lane);
            }
        });
        !is_not_finite(finite_checks)
    }
}

/// A torque in both frames.
struct TorqueBoth<N> {
    world: Vec3<N>,
    body: Vec3<N>,
}

impl<N: Number> TorqueBoth<N> {
    #[inline(always)]
    fn zero() -> Self {
        TorqueBoth {
            world: Vec3::splat(0.0),
            body: Vec3::splat(0.0),
        }
    }

    /// `PLAIN`: only the one in the body frame is used.
    #[inline(always)]
    fn of<const PLAIN: bool>(given: Vec3<N>, frame: Frame, state: &State<N>) -> Self {
        match frame {
            Frame::World => TorqueBoth {
                world: given,
                body: state.q.to_body(given),
            },
            Frame::Body if PLAIN => TorqueBoth {
                world: Vec3::splat(0.0),
                body: given,
            },
            Frame::Body => TorqueBoth {
                world: state.q.to_world(given),
                body: given,
            },
        }
    }
}

/// The angular velocity in the body frame after a kick of length `ahead`.
#[inline(always)]
fn velocity_later<N: Number>(
    inertia: &PrincipalInertia<N>,
    state: &State<N>,
    drag: &Option<FluidDrag<N>>,
    torque_body: Vec3<N>,
    ahead: f64,
) -> Vec3<N> {
    let gained = if let Some(drag) = drag {
        method::kicked_with_drag(inertia, state, drag, torque_body, ahead)
    } else {
        velocity_kicked(inertia, torque_body, ahead)
    };
    state.omega_body + gained
}
