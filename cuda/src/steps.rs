//! Steps, kicks and drifts: each call starts kernels and does not wait for them.

use crate::columns::Columns;
use crate::ensemble::Ensemble;
use crate::error::{check_steps, finite};
use crate::last_torques::ComputedBy;
use crate::layout::{Array, CONSTANT_BODY, FREE, SAVED_NUMBERS, SHEAR_FLOW};
use crate::method::{Plan, SchemeKind};
use crate::opened::Work;
use crate::refusal::Refusal;

/// A torque for a kick.
#[derive(Clone, Copy)]
pub(crate) struct KickTorque {
    pub(crate) array: Array,
    pub(crate) is_in_body_frame: bool,
}

impl Ensemble {
    /// Steps of `dt` by the ready-made torque.
    pub(crate) fn advance(&mut self, dt: f64, steps: u64) -> Result<(), Refusal> {
        self.protocol.check_no_step_begun()?;
        let [dt] = finite("dt", [dt])?;
        check_steps(steps)?;
        if dt == 0.0 || steps == 0 {
            return Ok(());
        }
        self.arguments()?; // before anything changes
        let mut clock = self.clock;
        for _ in 0..steps {
            clock = clock.advanced(dt)?;
        }
        self.begin_random(self.what_acts(), dt)?;
        self.check_stable(dt)?;
        if self.torque.kind == SHEAR_FLOW && self.flow_gradients.is_some() {
            self.last.by = None; // the caller may have written other gradients
        }
        let plan = self.plan();
        if plan.keeps_torque {
            self.ask_first_torques(plan)?;
        }
        self.take_steps(plan, dt, steps)?;
        self.clock = clock;
        if plan.is_random() {
            self.random.draws = self.random.draws.wrapping_add(steps);
        }
        Ok(())
    }

    /// Before steps by a method that keeps the last torques: asks for them if they are not known.
    fn ask_first_torques(&mut self, plan: &Plan) -> Result<(), Refusal> {
        if self.acts() && self.last.are_asked_anew(plan, ComputedBy::Ensemble) {
            self.make_room_for_torques()?;
            let mut arguments = self.arguments()?;
            arguments.saved_before = self.last.rates();
            arguments.saved_after = self.last.array();
            arguments.sees_rest = u32::from(self.sees_rest(plan));
            self.last.by = None;
            self.launch(Work::FirstTorques, &arguments)?;
            self.last.become_known_by(ComputedBy::Ensemble);
        }
        self.last.continue_by(ComputedBy::Ensemble);
        Ok(())
    }

    pub(crate) fn make_room_for_torques(&mut self) -> Result<(), Refusal> {
        if self.last.columns.is_none() {
            let columns = Columns::new::<f64>(self.device(), self.count, SAVED_NUMBERS)?;
            self.last.columns = Some(columns);
        }
        Ok(())
    }

    /// Whether the torque acts as on bodies at rest, beside random torques whose drag is the whole
    /// one.
    fn sees_rest(&self, plan: &Plan) -> bool {
        plan.is_random() && self.torque.resists()
    }

    fn take_steps(&mut self, plan: &Plan, h: f64, steps: u64) -> Result<(), Refusal> {
        let mut arguments = self.arguments()?;
        arguments.h = h;
        arguments.steps = steps;
        arguments.saved_before = self.last.array();
        arguments.saved_after = self.last.array();
        arguments.sees_rest = u32::from(self.sees_rest(plan));
        // the choices of `Transaction::run_steps` on the CPU, which have different roundings
        let work = match (plan.scheme, self.torque.kind) {
            (SchemeKind::Splitting(_), _) if !self.acts() => Work::KickDrift,
            (SchemeKind::Pcdm, FREE | CONSTANT_BODY) if self.drag.is_none() => Work::PcdmInAxes,
            (SchemeKind::Cf4, FREE) if self.drag.is_none() => Work::Cf4InAxes,
            (scheme, _) => Work::of(scheme),
        };
        self.launch(work, &arguments)
    }

    /// A kick by torques on the device (`None`: zero torque), then a drift.
    pub(crate) fn kick_drift(
        &mut self,
        kick: f64,
        drift: f64,
        torque: Option<KickTorque>,
    ) -> Result<(), Refusal> {
        self.protocol.check_no_step_begun()?;
        let [kick] = finite("kick", [kick])?;
        let [drift] = finite("drift", [drift])?;
        let clock = self.clock.advanced(drift)?;
        let mut arguments = self.arguments()?;
        let torque = torque.filter(|_| kick != 0.0);
        if let Some(torque) = torque {
            arguments.torque_array = torque.array;
            arguments.torque_is_in_body_frame = u32::from(torque.is_in_body_frame);
        }
        let is_still = torque.is_none() && (kick == 0.0 || self.drag.is_none());
        if is_still && drift == 0.0 {
            return Ok(());
        }
        arguments.kick = kick;
        arguments.h = drift;
        arguments.keeps_momenta = 1;
        self.launch(Work::KickDrift, &arguments)?;
        self.clock = clock;
        self.last.forget();
        Ok(())
    }
}
