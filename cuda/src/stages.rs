//! The stage protocol: the caller's kernels compute the torques between the calls.

use crate::columns::{Columns, array_of};
use crate::ensemble::Ensemble;
use crate::error::{check_steps, finite};
use crate::last_torques::ComputedBy;
use crate::layout::{Arguments, Array, FREE, SAVED_NUMBERS, STATE_NUMBERS, SUPPLIED};
use crate::method::WhatActs;
use crate::opened::Work;
use crate::protocol::Begun;
use crate::refusal::Refusal;

/// Where the states of a stage are shown; address 0: they are not wanted.
#[derive(Clone, Copy, Default)]
pub(crate) struct Shown {
    pub(crate) orientation: Array,
    pub(crate) velocity: Array,
}

impl Ensemble {
    /// Begins steps of `dt`, with torques from the caller.
    pub(crate) fn begin_steps(&mut self, dt: f64, steps: u64) -> Result<(), Refusal> {
        self.protocol.check_no_step_begun()?;
        let [dt] = finite("dt", [dt])?;
        check_steps(steps)?;
        self.arguments()?;
        self.check_stable(dt)?;
        if dt != 0.0 && steps != 0 {
            self.begin_random(self.under_given_torques(), dt)?;
        }
        if self.protocol.states.is_none() {
            let device = self.device();
            let states = Columns::new::<f64>(device, self.count, STATE_NUMBERS)?;
            let saved = Columns::new::<f64>(device, self.count, SAVED_NUMBERS)?;
            self.protocol.states = Some(states);
            self.protocol.saved = Some(saved);
        }
        let plan = self.plan();
        if plan.keeps_torque {
            self.make_room_for_torques()?;
        }
        if self.last.are_asked_anew(plan, ComputedBy::Stages) {
            self.last.by = None;
        }
        self.last.continue_by(ComputedBy::Stages);
        self.protocol.pending = Some(Begun {
            dt,
            steps,
            stage: 0,
            awaits_torque: false,
        });
        Ok(())
    }

    /// Shows the states of the next stage. Returns the time of the torque that is awaited; `None`:
    /// all steps are complete.
    pub(crate) fn next_stage(&mut self, shown: Shown) -> Result<Option<f64>, Refusal> {
        let mut begun = self.protocol.begun(false)?;
        let plan = self.plan();
        if begun.stage == plan.torque_at.len() {
            begun.stage = 0;
            begun.steps -= 1;
            self.protocol.pending = Some(begun);
        }
        if begun.steps == 0 || begun.dt == 0.0 {
            self.protocol.pending = None;
            return Ok(None);
        }
        if begun.stage == 0 && plan.keeps_torque && self.last.by.is_some() {
            self.take_stage(&mut begun, None)?;
        }
        if shown.orientation.address != 0 || shown.velocity.address != 0 {
            let mut arguments = self.stage_arguments(begun)?;
            arguments.shown_orientation = shown.orientation;
            arguments.shown_velocity = shown.velocity;
            arguments.hides_velocity = u32::from(plan.hides_velocity());
            self.launch(Work::Show, &arguments)?;
        }
        begun.awaits_torque = true;
        self.protocol.pending = Some(begun);
        Ok(Some(
            self.clock.now() + plan.torque_at[begun.stage] * begun.dt,
        ))
    }

    /// Takes the torques of the stage, world frame, and moves on. With those of the last stage the
    /// step is complete, and the bound arrays have its end.
    pub(crate) fn supply_torque(&mut self, torque: Array) -> Result<(), Refusal> {
        let mut begun = self.protocol.begun(true)?;
        let keeps_first = self.plan().keeps_torque && begun.stage == 0;
        if keeps_first {
            let mut arguments = self.stage_arguments(begun)?;
            arguments.torque_array = torque;
            arguments.saved_before = self.last.rates();
            arguments.saved_after = self.last.array();
            self.launch(Work::FirstTorques, &arguments)?;
            self.last.become_known_by(ComputedBy::Stages);
        } else {
            self.take_stage(&mut begun, Some(torque))?;
        }
        begun.awaits_torque = false;
        self.protocol.pending = Some(begun);
        Ok(())
    }

    /// Cancels the step. Without one, does nothing. The bodies are as before the step.
    pub(crate) fn cancel_step(&mut self) {
        self.protocol.pending = None;
    }

    fn stage_arguments(&self, begun: Begun) -> Result<Arguments, Refusal> {
        let stage = begun.stage as u32;
        let mut arguments = self.arguments()?;
        arguments.h = begun.dt;
        arguments.stages = [stage, stage + 1];
        arguments.torque = SUPPLIED;
        arguments.stage = array_of(self.protocol.states.as_ref());
        Ok(arguments)
    }

    /// Advances all bodies from this stage to the next, or to the end of the step.
    fn take_stage(&mut self, begun: &mut Begun, torque: Option<Array>) -> Result<(), Refusal> {
        let plan = self.plan();
        let is_last = begun.stage + 1 == plan.torque_at.len();
        let clock = self.clock.advanced(begun.dt)?;
        let between = array_of(self.protocol.saved.as_ref());
        let kept = self.last.array();
        let mut arguments = self.stage_arguments(*begun)?;
        match torque {
            Some(torque) => arguments.torque_array = torque,
            // the method takes the torque that it has kept
            None => arguments.torque = FREE,
        }
        arguments.saved_before = if begun.stage == 0 { kept } else { between };
        arguments.saved_after = if is_last { kept } else { between };
        self.launch(Work::of(plan.scheme), &arguments)?;
        begun.stage += 1;
        if is_last {
            self.clock = clock;
            let draws = u64::from(plan.is_random());
            self.random.draws = self.random.draws.wrapping_add(draws);
        }
        Ok(())
    }

    /// What acts in the stage protocol, where the ready-made torque does not.
    fn under_given_torques(&self) -> WhatActs {
        WhatActs {
            resists: false,
            ..self.what_acts()
        }
    }
}
