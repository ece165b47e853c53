//! The stage protocol: the caller computes the torques between calls, without a callback. A step is
//! taken in the same stages as by a callback, each of all bodies before the next, and each a
//! transaction. The other blocks hold the states of the stage, in the order of positions.

use super::last_torques::{ComputedBy, Known};
use super::motion::{Chunk, ChunkScratch, Pass, Scratch, Writes};
use super::stages::Stages;
use super::transaction::Transaction;
use crate::ensemble::Ensemble;
use crate::ensemble::acting::ask::Forces;
use crate::ensemble::acting::torque_loops::PackStates;
use crate::ensemble::lanes::CHUNK;
use crate::ensemble::states::own::StateStore;
use crate::error::{Error, Failure, check_room, check_steps, finite};
use crate::kernel::Vec3;
use crate::memory::{
    self, Bodies, Layout, Output, PackedStates, PackedTorques, States, blocks_for,
};
use crate::method::Change;
use crate::{simd, torque::Frame};
use std::sync::atomic::{AtomicU64, Ordering};

const REWRITTEN: &str =
    "a bound array has been written to in the middle of a step, which is cancelled";

/// Writes the first `count` of these states to the caller's arrays.
#[inline(always)]
fn pack_states(states: States, count: usize, hides_velocity: bool, to: PackedStates) {
    simd::run_on(
        count,
        &mut PackStates {
            count,
            states,
            frame: Frame::World,
            hides_velocity,
            to,
        },
    );
}

pub(crate) struct Protocol {
    pub(crate) pending: Option<Begun>,
    layout: Layout,
    /// Of the numbers in bound arrays at the start of the step, for each chunk: the caller must not
    /// write to them before the step is complete. Written by the thread that takes the chunk.
    fingerprints: Vec<AtomicU64>,
}

impl Protocol {
    /// No step has been begun.
    pub(crate) fn idle() -> Self {
        Protocol {
            pending: None,
            layout: Layout::Aos,
            fingerprints: Vec::new(),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Begun {
    dt: f64,
    /// Steps to be taken, including the current one.
    steps: u64,
    /// The next stage to be written, or the stage whose torque is awaited. Equal to the number of
    /// stages: the step is complete.
    stage: usize,
    /// Whether the torque of this stage is awaited.
    awaits_torque: bool,
}

/// A stage by the caller's torques or, if there are none, by those that the method has kept.
struct StageOfCaller<'s> {
    stages: Stages<'s, 's>,
    /// Columns of what is saved from stage to stage.
    saved_columns: usize,
    fingerprints: &'s [AtomicU64],
    /// Whether the step begins, so that bound arrays may hold other numbers than before.
    begins: bool,
}

impl Pass for StageOfCaller<'_> {
    fn writes(&self) -> Writes {
        Writes::Stage
    }

    fn saved_columns(&self) -> usize {
        self.saved_columns
    }

    fn check_bound(&self, first: usize, bodies: &Bodies, numbers: States) -> Result<(), Failure> {
        let at_start = &self.fingerprints[first / CHUNK];
        let now = memory::fingerprint(numbers, bodies.count());
        if self.begins {
            at_start.store(now, Ordering::Relaxed);
        } else if at_start.load(Ordering::Relaxed) != now {
            return Err(Failure::of_body(bodies.get(0), Error::Order(REWRITTEN)));
        }
        Ok(())
    }

    #[inline(always)] // a copy of what a call has just written would wait for its stores
    fn visit(&self, chunk: Chunk, chunk_scratch: &mut ChunkScratch) -> Result<(), Failure> {
        self.stages.visit(chunk, chunk_scratch)
    }
}

/// What the caller of the stage protocol has to do next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Progress {
    /// Supply the torque at this time, for the states just written.
    NeedTorque(f64),
    /// Nothing: all steps are complete.
    Done,
}

impl Ensemble<'_, '_> {
    /// Begins `steps` steps of length `dt`, with torques from the caller. Until they end, nothing
    /// else may change the ensemble. Errors: `dt` is not finite; a step has begun
    /// ([`Error::Order`]).
    pub fn begin_steps(&mut self, dt: f64, steps: u64) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let [dt] = finite("dt", [dt])?;
        check_steps(steps)?;
        let what_acts = self.acting.what_acts_in_stages();
        let plan = self.staged_plan();
        if what_acts.resists {
            let forces = Forces::of_stages(plan, &self.acting, &self.inertias, None);
            forces.check_stable(self.method, &self.active, dt)?;
        }
        if self.method.concerns_noise(what_acts) {
            self.begin_random(what_acts, dt, steps)?;
        }
        let chunks = self.count().div_ceil(CHUNK);
        self.motion.states.prepare()?;
        self.motion.workers.prepare(self.count().clamp(1, CHUNK))?;
        let count = self.count();
        memory::make_room(&mut self.protocol.fingerprints, chunks)?;
        self.motion.last.begin(plan, count)?;
        self.protocol
            .fingerprints
            .resize_with(chunks, AtomicU64::default);
        self.motion.checkpoint = None;
        let last = &mut self.motion.last;
        if last.are_asked_anew(plan, ComputedBy::Stages) {
            last.forget(Change::Forces);
        }
        last.continue_by(ComputedBy::Stages);
        last.look_for_newcomers(count);
        self.protocol.pending = Some(Begun {
            dt,
            steps,
            stage: 0,
            awaits_torque: false,
        });
        Ok(())
    }

    /// Writes the states of the next stage, if any: see `qi_next_ensemble_stage`. Both arrays may
    /// be empty. After the last torque of a step, it completes the step and goes on to the first
    /// stage of the next one, if any. Errors: [`Error::Order`] if no step has begun or a torque is
    /// awaited; [`Error::Capacity`]; or as [`Ensemble::step`].
    pub fn next_stage(
        &mut self,
        orientation: &mut [f64],
        angular_velocity: &mut [f64],
    ) -> Result<Progress, Failure> {
        self.write_next_stage(Output::of(orientation), Output::of(angular_velocity))
    }

    /// As [`Ensemble::next_stage`].
    pub(crate) fn write_next_stage(
        &mut self,
        orientation: Output,
        angular_velocity: Output,
    ) -> Result<Progress, Failure> {
        let progress = self.go_on(orientation, angular_velocity);
        self.take_back_unless_pending();
        progress
    }

    /// Where no step is pending any more, and none was completed, the steps of another kind go on
    /// with what they have kept.
    fn take_back_unless_pending(&mut self) {
        if self.protocol.pending.is_none() {
            self.motion.last.take_back();
        }
    }

    fn go_on(
        &mut self,
        mut orientation: Output,
        mut angular_velocity: Output,
    ) -> Result<Progress, Failure> {
        let mut begun = self.begun(false)?;
        self.checked_output(orientation.from(0), angular_velocity.from(0))?; // before a step ends
        if begun.stage == self.staged_plan().torque_at.len() {
            begun = self.complete_step(begun)?;
        }
        if begun.steps == 0 || begun.dt == 0.0 {
            self.protocol.pending = None;
            return Ok(Progress::Done);
        }
        let output = self.checked_output(orientation, angular_velocity)?;
        if begun.stage == 0 && self.knows_first_torques() {
            let outcome = self.take_stage(begun, None);
            let resists = self.acting.what_acts_in_stages().resists;
            begun.stage = outcome.map_err(|failure| {
                self.with_step_size(failure, resists, begun.dt, |_, _, _| None)
            })?;
        }
        if begun.stage == 0 && !self.motion.states.bound.is_empty() {
            self.check_bound_states()?;
        }
        if let Some(output) = output {
            self.pack_stage(begun.stage, output)?;
        }
        Ok(self.await_torque(begun))
    }

    /// Whether the method has kept the torques of stage 0.
    fn knows_first_torques(&self) -> bool {
        let Known { by, newcomers, .. } = self.motion.last.known;
        self.staged_plan().keeps_torque && by.is_some() && !newcomers
    }

    /// Before anything is written: checks all bound orientations, and takes the fingerprints.
    fn check_bound_states(&mut self) -> Result<(), Failure> {
        let StateStore { current, bound, .. } = &self.motion.states;
        let Scratch {
            start, end: raw, ..
        } = &mut self.motion.workers.scratch[0];
        for (first, bodies) in self.active.chunks() {
            bound.at_start(current, &self.inertias, &bodies, raw, start)?;
            *self.protocol.fingerprints[first / CHUNK].get_mut() =
                memory::fingerprint(raw, bodies.count());
        }
        Ok(())
    }

    /// Writes the states of a stage to the caller's arrays.
    fn pack_stage(&mut self, stage: usize, mut output: PackedStates) -> Result<(), Failure> {
        let hides_velocity = self.staged_plan().hides_velocity();
        let StateStore {
            current,
            other,
            bound,
            ..
        } = &self.motion.states;
        let Scratch {
            start, end: raw, ..
        } = &mut self.motion.workers.scratch[0];
        for (first, bodies) in self.active.chunks() {
            let states = match stage {
                0 => bound.at_start(current, &self.inertias, &bodies, raw, start)?,
                _ => &other[blocks_for(first)..],
            };
            let to = output.from(first);
            pack_states(states, bodies.count(), hides_velocity, to);
        }
        Ok(())
    }

    /// Advances all bodies from this stage to the next. Supplied torques at the start of a step are
    /// only saved by a method that keeps them, and the stage stays. Returns the number of the stage
    /// that comes next. If it fails, the step is cancelled.
    fn take_stage(
        &mut self,
        begun: Begun,
        supplied: Option<PackedTorques>,
    ) -> Result<usize, Failure> {
        self.protocol.pending = None; // put back if all goes well
        let plan = self.staged_plan();
        let forces = Forces::of_stages(plan, &self.acting, &self.inertias, supplied);
        let known = self.motion.last.known;
        let asks_first = plan.keeps_torque && begun.stage == 0 && supplied.is_some();
        let stages = if asks_first {
            Stages::first_torques(&forces, known.rates)
        } else {
            Stages::one(&forces, begun.dt, begun.stage)
        };
        let pass = StageOfCaller {
            stages,
            saved_columns: plan.saved,
            fingerprints: &self.protocol.fingerprints,
            begins: supplied.is_none(),
        };
        let mut transaction = Transaction::begin(&mut self.motion, &self.active, &self.inertias);
        transaction.run(&pass, 0.0, 1)?;
        if asks_first {
            transaction.replace_last_torques(known.by.is_none(), ComputedBy::Stages);
        }
        transaction.commit();
        Ok(begun.stage + usize::from(!asks_first))
    }

    /// Completes the current step. Returns the remaining steps.
    fn complete_step(&mut self, begun: Begun) -> Result<Begun, Failure> {
        self.protocol.pending = None;
        let plan = self.staged_plan();
        Transaction::begin(&mut self.motion, &self.active, &self.inertias)
            .commit_stages(begun.dt, plan.keeps_torque)?;
        self.motion.last.drop_aside();
        let random = &mut self.acting.random;
        random.draws = random.draws.wrapping_add(u64::from(plan.is_random()));
        let begun = Begun {
            steps: begun.steps - 1,
            stage: 0,
            ..begun
        };
        self.protocol.pending = Some(begun);
        Ok(begun)
    }

    /// Supplies the torques of the stage written last: packed, 3 numbers per body, world frame.
    /// # Errors
    /// [`Error::Order`] if none is awaited. [`Error::Capacity`], [`Error::TorqueNotFinite`]: the
    /// torque is still awaited. [`Error::Overflow`]: this step and those after it are cancelled.
    pub fn supply_torque(&mut self, torque: &[f64]) -> Result<(), Failure> {
        let outcome = self.take_torque(torque);
        self.take_back_unless_pending();
        outcome
    }

    fn take_torque(&mut self, torque: &[f64]) -> Result<(), Failure> {
        let begun = self.begun(true)?;
        let stride = self.active_count();
        check_room(
            torque.len() >= 3 * stride,
            "torque",
            3 * stride,
            torque.len(),
        )?;
        let torque = PackedTorques {
            layout: self.protocol.layout,
            torque: &torque[..3 * stride],
            stride,
        };
        // A bad torque must leave the stage as it is. Stage 0 starts from states that it does not
        // change, so its result shows early enough that one is bad.
        if begun.stage > 0 && !are_all_finite(torque.torque) {
            self.check_torque(&torque, begun)?;
        }
        let taken = self.take_stage(begun, Some(torque));
        let stage = taken.or_else(|failure| {
            let bad_torque = self.check_torque(&torque, begun);
            bad_torque.inspect_err(|_| self.protocol.pending = Some(begun))?; // still awaited
            let resists = self.acting.what_acts_in_stages().resists;
            Err(
                self.with_step_size(failure, resists, begun.dt, |_, position, here| {
                    (begun.stage == 0).then(|| here.to_world.rotate_back(Vec3(torque.of(position))))
                }),
            )
        })?;
        let begun = Begun {
            stage,
            awaits_torque: false,
            ..begun
        };
        self.protocol.pending = Some(begun);
        Ok(())
    }

    /// [`Ensemble::supply_torque`] and [`Ensemble::next_stage`] in one call. Errors: as both.
    pub fn continue_step(
        &mut self,
        torque: &[f64],
        orientation: &mut [f64],
        angular_velocity: &mut [f64],
    ) -> Result<Progress, Failure> {
        let orientation = Output::of(orientation);
        let angular_velocity = Output::of(angular_velocity);
        self.continue_and_write(torque, orientation, angular_velocity)
    }

    /// As [`Ensemble::continue_step`].
    pub(crate) fn continue_and_write(
        &mut self,
        torque: &[f64],
        mut orientation: Output,
        mut angular_velocity: Output,
    ) -> Result<Progress, Failure> {
        self.checked_output(orientation.from(0), angular_velocity.from(0))?; // before a stage ends
        self.supply_torque(torque)?;
        self.write_next_stage(orientation, angular_velocity)
    }

    /// The output arrays, if they are large enough; `None`: they are not wanted.
    fn checked_output<'a>(
        &self,
        orientation: Output<'a>,
        angular_velocity: Output<'a>,
    ) -> Result<Option<PackedStates<'a>>, Failure> {
        let stride = self.active_count();
        if orientation.is_empty() && angular_velocity.is_empty() {
            return Ok(None);
        }
        for (name, needed, given) in [
            ("orientation", 4 * stride, orientation.len()),
            ("angular_velocity", 3 * stride, angular_velocity.len()),
        ] {
            check_room(given >= needed, name, needed, given)?;
        }
        Ok(Some(PackedStates {
            layout: self.protocol.layout,
            orientation,
            angular_velocity,
            stride,
        }))
    }

    /// The step that has been begun, if its torque is awaited or, otherwise, if it is not.
    fn begun(&self, awaits_torque: bool) -> Result<Begun, Error> {
        Err(Error::Order(match self.protocol.pending {
            Some(begun) if begun.awaits_torque == awaits_torque => return Ok(begun),
            None => "no step has been begun",
            Some(_) if awaits_torque => "no torque is awaited: ask for the next stage first",
            Some(_) => "the torque of the last stage has not been supplied",
        }))
    }

    fn await_torque(&mut self, begun: Begun) -> Progress {
        self.protocol.pending = Some(Begun {
            awaits_torque: true,
            ..begun
        });
        Progress::NeedTorque(self.stage_time(begun))
    }

    fn stage_time(&self, begun: Begun) -> f64 {
        self.motion.clock.now() + self.staged_plan().torque_at[begun.stage] * begun.dt
    }

    #[cold]
    fn check_torque(&self, torque: &PackedTorques, begun: Begun) -> Result<(), Failure> {
        let time = self.stage_time(begun);
        for i in 0..self.active_count() {
            if let Some(cause) = torque.refused(i, time) {
                let cause = self.method.explained(cause);
                return Err(Failure::of_body(self.active.body(i), cause));
            }
        }
        Ok(())
    }

    /// Sets the layout of the stage arrays. Errors: [`Error::Order`] in the middle of a step.
    pub fn set_stage_layout(&mut self, layout: Layout) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        self.protocol.layout = layout;
        Ok(())
    }

    /// The layout of the stage arrays.
    pub fn stage_layout(&self) -> Layout {
        self.protocol.layout
    }

    /// Cancels the current step and those after it. The ensemble is as before the step. Without a
    /// step, does nothing.
    pub fn cancel_step(&mut self) {
        self.protocol.pending = None;
        self.take_back_unless_pending();
    }
}

/// A loop to the end, because one that ends early is not vectorised.
#[inline(always)]
fn are_all_finite(numbers: &[f64]) -> bool {
    let mut test = || {
        let mut all = true;
        for number in numbers {
            all &= number.is_finite();
        }
        all
    };
    simd::run_on(numbers.len(), &mut test)
}
