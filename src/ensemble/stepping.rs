//! Steps of an ensemble: which pass takes them, what it needs before, and what was too large if the
//! motion overflows.

use super::active::Active;
use super::extra_forces::ExtraForces;
use super::forces::Forces;
use super::kick_loops::KickDrift;
use super::last_torques::ComputedBy;
use super::motion::Motion;
use super::stages::Stages;
use super::torque_loops::AtStates;
use super::transaction::Transaction;
use super::{Ensemble, whole::WholeSteps};
use crate::error::{Error, Failure, check_steps, finite};
use crate::kernel::{TorqueState, Vec3};
use crate::{memory::Block, step_size::StepSize};

impl Ensemble<'_> {
    /// Takes one step of length `dt` of all (active) bodies. Negative: backwards in time; 0: does
    /// nothing. Errors: as [`Body::step`](crate::Body::step), with the first failed body (in a
    /// chunk: at the earliest stage). No body has moved.
    pub fn step(&mut self, dt: f64) -> Result<(), Failure> {
        self.advance(dt, 1)
    }

    /// Takes many steps. Results and failures are the same, bit for bit, as those of as many calls
    /// of [`Ensemble::step`]. Errors: as [`Ensemble::step`], with the number of completed steps;
    /// their result stays.
    #[inline(always)] // also for a single step
    pub fn advance(&mut self, dt: f64, steps: u64) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let [dt] = finite("dt", [dt])?;
        check_steps(steps)?;
        if dt == 0.0 {
            return Ok(());
        }
        let clock_stays_finite = || (self.time() + dt * steps as f64).is_finite();
        let drifts = || {
            self.plan().composition().is_some()
                && !self.torque.acts()
                && self.inertias.shared_aligned().is_none()
        };
        let converts = || self.plan().is_random() && !self.motion.states.bound.is_empty();
        // many where nothing is asked between steps, and the pass takes more than one; bodies that
        // do not move start each sweep at rest
        let is_many = steps > 1
            && clock_stays_finite()
            && !self.torque.is_callback()
            && !drifts()
            && !converts();
        let most = if self.active.are_all() { 256 } else { 16 };
        let mut completed = 0;
        let at_once = if is_many { most } else { 1 };
        while completed < steps {
            self.motion
                .clock
                .advanced(dt)
                .map_err(|error| Failure::from(error).after(completed))?;
            let now = at_once.min(steps - completed);
            if let Err(failure) = self.take_steps(dt, now) {
                if let Error::ChunkCallback { result, .. } = failure.cause {
                    self.callback_result = result;
                }
                // retakes the steps before the one that failed
                if failure.completed > 0 {
                    self.take_steps(dt, failure.completed)
                        .map_err(|failure| failure.after(completed))?;
                }
                return Err(self
                    .with_step_size(failure, dt, Self::torque_now)
                    .after(completed));
            }
            completed += now;
        }
        Ok(())
    }

    /// Takes `steps` steps of `h`, or none. A failure tells how many could have been completed.
    fn take_steps(&mut self, h: f64, steps: u64) -> Result<(), Failure> {
        let influences = self.influences();
        self.begin_random(influences, h)?;
        let plan = self.method.plan(influences);
        self.check_stable(h)?;
        let (forces, active, motion) = self.split(plan);
        let mut transaction = Transaction::begin(motion, active, forces.inertias);
        if plan.keeps_torque {
            transaction.ask_first_torques(&forces, active, h)?;
        }
        transaction.take_steps(&forces, h, steps)?;
        transaction.commit();
        if plan.is_random() {
            self.random.draws = self.random.draws.wrapping_add(steps);
        }
        Ok(())
    }

    /// The failure, with the size of the step if the motion overflows. `torque_body`: on the body
    /// at a position, in the state before the step.
    #[cold]
    #[inline(never)]
    pub(super) fn with_step_size(
        &mut self,
        failure: Failure,
        h: f64,
        torque_body: impl FnOnce(&mut Self, usize, &TorqueState<f64>) -> Option<Vec3<f64>>,
    ) -> Failure {
        let (&Error::Overflow { time, .. }, Some(body)) = (&failure.cause, failure.body) else {
            return failure;
        };
        if let Err(cause) = self.motion.states.bound.check_velocity(body) {
            return Failure { cause, ..failure };
        }
        let here = &TorqueState::at(&self.state(body));
        let position = self.active.position_of(body);
        let torque_body = torque_body(self, position, here);
        let inertia = &self.inertias.of_body(body);
        let rotor = self.extra_forces.rotor_of(body);
        let size = StepSize::of(
            self.method.bounds(),
            self.resists(),
            h,
            inertia,
            rotor,
            here.omega_body,
            torque_body,
        );
        Failure {
            cause: Error::Overflow {
                time,
                size: Some(size),
            },
            ..failure
        }
    }

    /// Asks once more for the torque on the body at a position; `None`: none acts, or the callback
    /// fails.
    fn torque_now(&mut self, position: usize, here: &TorqueState<f64>) -> Option<Vec3<f64>> {
        let [w, x, y, z] = here.q.0;
        let [a, b, c] = here.omega_body.0;
        let states = &[Block::filled([w, x, y, z, a, b, c])];
        let nothing = ExtraForces::default();
        let (forces, active, Motion { workers, clock, .. }) = self.split(self.plan());
        let bodies = &active.bodies(position, 1);
        if !forces.torque.is_callback() {
            let to = &mut [Block::filled([0.0; 3])]; // whole steps have no scratch memory
            forces.torque.evaluate(&mut AtStates {
                bodies,
                states,
                inertias: forces.inertias,
                to: &mut to[..],
                of_resistance: false,
            });
            return forces.torque.acts().then(|| Vec3(to[0].get(0)));
        }
        let alone = Forces {
            extra_forces: &nothing,
            ..forces
        };
        let torques = &mut workers.scratch.first_mut()?.chunk_scratch.torques;
        alone
            .ask((bodies, position), states, clock.now(), torques)
            .ok()?;
        Some(Vec3(torques.tile[0].get(0)))
    }
}

impl<'p> Transaction<'_, '_, 'p> {
    /// Before steps of `h` by a method that keeps the last torque: asks for those that are not
    /// known.
    #[inline(never)]
    fn ask_first_torques(
        &mut self,
        forces: &Forces,
        active: &Active,
        h: f64,
    ) -> Result<(), Failure> {
        let plan = forces.plan;
        let last = self.last_torques();
        let asks_all = last.are_asked_anew(plan, h, ComputedBy::Ensemble);
        if forces.act() {
            if !asks_all {
                last.look_for_newcomers(plan, active.total);
            }
            if asks_all || last.known.newcomers {
                self.run(&Stages::first_torques(forces), 0.0, 1)?;
                self.replace_last_torques(plan, asks_all);
            }
        }
        self.last_torques().continue_by(ComputedBy::Ensemble, h);
        Ok(())
    }

    #[inline(always)]
    fn take_steps(&mut self, forces: &Forces<'p>, h: f64, steps: u64) -> Result<(), Failure> {
        let plan = forces.plan;
        if !forces.extra_forces.acts()
            && let Some(whole) = WholeSteps::select(plan, forces.torque, forces.inertias, h)
        {
            return self.run_whole_steps(whole, steps);
        }
        if plan.composition().is_some() && !forces.act() {
            let drift = KickDrift {
                kick: 0.0,
                torque: None,
                drift: h,
                ahead: None,
                drag: None,
                rotors: None,
                inertias: forces.inertias,
                is_step: true,
            };
            return self.run(&drift, h, steps); // a single one
        }
        self.run(&Stages::of_steps(forces, h), h, steps)
    }
}
