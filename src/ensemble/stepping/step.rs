//! Steps of an ensemble: which pass takes them, what it needs before, and what was too large if the
//! motion overflows.

use super::last_torques::ComputedBy;
use super::motion::Motion;
use super::stages::Stages;
use super::transaction::Transaction;
use super::whole::WholeSteps;
use crate::ensemble::Ensemble;
use crate::ensemble::acting::ask::Forces;
use crate::ensemble::acting::torque_loops::TorqueTask;
use crate::ensemble::bodies::active::Active;
use crate::error::{Error, Failure, check_steps, finite};
use crate::kernel::{TorqueState, Vec3};
use crate::method::Change;
use crate::{memory::Block, method::Plan, step_size::StepSize};

impl<'a> Ensemble<'a, '_> {
    /// What decides how the bodies move, which of them do, and what their steps change.
    #[inline(always)]
    pub(crate) fn split(&mut self, plan: &'static Plan) -> (Forces<'_>, &Active, &mut Motion<'a>) {
        let forces = Forces::new(plan, &self.acting, &self.inertias);
        (forces, &self.active, &mut self.motion)
    }
}

impl Ensemble<'_, '_> {
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
        let known = self.motion.last.known;
        let outcome = self.advance_in_flow(dt, steps);
        if outcome
            .as_ref()
            .is_err_and(|failure| failure.completed == 0)
        {
            self.motion.last.known = known;
        }
        outcome
    }

    /// [`Ensemble::advance`]. What is known of the last torques may change even if it fails.
    #[inline(always)]
    fn advance_in_flow(&mut self, dt: f64, steps: u64) -> Result<(), Failure> {
        if self.acting.is_in_shear_flow() {
            self.begin_in_flow()?;
        }
        let at_once = if steps > 1 {
            self.most_steps_at_once(dt, steps)
        } else {
            1
        };
        let mut completed = 0;
        while completed < steps {
            self.motion
                .clock
                .advanced(dt)
                .map_err(|error| Failure::from(error).after(completed))?;
            let now = at_once.min(steps - completed);
            if let Err(failure) = self.take_steps(dt, now) {
                return Err(self.settle(failure, dt).after(completed));
            }
            completed += now;
        }
        Ok(())
    }

    /// How many steps of `dt` a sweep may take, if there are `steps` of them.
    fn most_steps_at_once(&self, dt: f64, steps: u64) -> u64 {
        // The torques of a callback may depend on all bodies, so these take each step together.
        let is_callback = self.acting.torque.is_callback();
        // Noise depends on the number of the step within a visit of a chunk, but where bound
        // quantities are converted after each step, each is a visit of its own.
        let has_gathered_noise = self.plan().is_random() && !self.motion.states.bound.is_empty();
        let ends_at_finite_time = (self.time() + dt * steps as f64).is_finite();
        if is_callback || has_gathered_noise || !ends_at_finite_time {
            1
        } else if self.active.are_all() {
            256
        } else {
            // Bodies that share a block with the last one that moves are computed too, from rest.
            // If `dt` is too long for them, they might overflow after more steps.
            16
        }
    }

    /// After steps of `dt` that have failed together: takes those before the one that failed, and
    /// completes the failure.
    #[cold]
    #[inline(never)]
    fn settle(&mut self, failure: Failure, dt: f64) -> Failure {
        if let Error::ChunkCallback { result, .. } = failure.cause {
            self.callback_result = result;
        }
        if failure.completed > 0
            && let Err(failure) = self.take_steps(dt, failure.completed)
        {
            return failure;
        }
        let resists = self.acting.what_acts().resists;
        self.with_step_size(failure, resists, dt, Self::torque_now)
    }

    /// Takes `steps` steps of `h` or, if one of them fails, none. The failure tells how many could
    /// have been completed.
    fn take_steps(&mut self, h: f64, steps: u64) -> Result<(), Failure> {
        let outcome = self.try_steps(h, steps);
        match outcome {
            Ok(()) => self.motion.last.drop_aside(),
            Err(_) => self.motion.last.take_back(),
        }
        outcome
    }

    fn try_steps(&mut self, h: f64, steps: u64) -> Result<(), Failure> {
        let what_acts = self.acting.what_acts();
        if self.method.concerns_noise(what_acts) {
            self.begin_random(what_acts, h, steps)?;
        }
        let method = self.method;
        let plan = method.plan(what_acts);
        let (forces, active, motion) = self.split(plan);
        if what_acts.resists {
            forces.check_stable(method, active, h)?;
        }
        if plan.keeps_torque {
            motion.last.begin(plan, active.total)?;
        }
        let mut transaction = Transaction::begin(motion, active, forces.inertias);
        if plan.keeps_torque {
            transaction.ask_first_torques(&forces, active)?;
        }
        transaction.run_steps(&forces, h, steps)?;
        transaction.commit();
        if plan.is_random() {
            self.acting.random.draws = self.acting.random.draws.wrapping_add(steps);
        }
        Ok(())
    }

    /// The failure, with the size of the step if the motion overflows, or with its cause if the
    /// torque reads what the method hides. `torque_body`: on the body
    /// at a position, in the state before the step.
    #[cold]
    #[inline(never)]
    pub(crate) fn with_step_size(
        &mut self,
        failure: Failure,
        resists: bool,
        h: f64,
        torque_body: impl FnOnce(&mut Self, usize, &TorqueState<f64>) -> Option<Vec3<f64>>,
    ) -> Failure {
        let (&Error::Overflow { time, .. }, Some(body)) = (&failure.cause, failure.body) else {
            let cause = self.method.explained(failure.cause);
            return Failure { cause, ..failure };
        };
        if let Err(cause) = self.motion.states.bound.check_velocity(body) {
            return Failure { cause, ..failure };
        }
        let here = &TorqueState::at(&self.state(body));
        let position = self.active.position_of(body);
        let torque_body = torque_body(self, position, here);
        let inertia = &self.inertias.of_body(body);
        let rotor = self.acting.rotor_of(body);
        let size = StepSize::of(
            self.method.bounds(),
            resists,
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
        let (forces, active, Motion { workers, clock, .. }) = self.split(self.plan());
        let bodies = &active.bodies(position, 1);
        if !forces.torque.is_callback() {
            // whole steps have no scratch memory
            let gradients = &mut [Block::filled([0.0; 10])];
            let to = &mut [Block::filled([0.0; 3])];
            forces.read_flow_gradients(bodies, gradients);
            let at = &mut TorqueTask {
                bodies,
                states,
                inertias: forces.inertias,
                to: &mut to[..],
                of_resistance: false,
                at_rest: forces.sees_rest(),
            };
            forces.write_ready_made(at, gradients);
            return forces.torque.acts().then(|| Vec3(to[0].get(0)));
        }
        let torques = &mut workers.scratch.first_mut()?.chunk_scratch.torques;
        forces
            .ask_torque((bodies, position), states, clock.now(), torques)
            .ok()?;
        Some(Vec3(torques.tile[0].get(0)))
    }
}

impl<'p> Transaction<'_, '_, 'p> {
    /// Before steps by a method that keeps the last torque: asks for those that are not known.
    #[inline(never)]
    fn ask_first_torques(&mut self, forces: &Forces, active: &Active) -> Result<(), Failure> {
        let plan = forces.plan;
        let last = self.last_torques();
        if !forces.act() {
            last.forget(Change::Motion); // free rotations keep nothing
            return Ok(());
        }
        let asks_all = last.are_asked_anew(plan, ComputedBy::Ensemble);
        if !asks_all {
            last.look_for_newcomers(active.total);
        }
        if asks_all || last.known.newcomers {
            let rates_are_known = last.known.rates;
            self.run(&Stages::first_torques(forces, rates_are_known), 0.0, 1)?;
            self.replace_last_torques(asks_all, ComputedBy::Ensemble);
        }
        self.last_torques().continue_by(ComputedBy::Ensemble);
        Ok(())
    }

    #[inline(always)]
    fn run_steps(&mut self, forces: &Forces<'p>, h: f64, steps: u64) -> Result<(), Failure> {
        match WholeSteps::select(forces, h) {
            Some(whole) => self.run_whole_steps(whole, steps),
            None => self.run(&Stages::of_steps(forces, h), h, steps),
        }
    }
}
