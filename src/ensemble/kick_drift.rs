//! Kicks and drifts, the two halves of velocity Verlet: for callers that compute all torques
//! themselves, once per step. A kick adds `duration × torque` to the angular momentum at constant
//! orientation. A drift is an exact free rotation.

use super::Ensemble;
use super::acting::ask::Forces;
use super::acting::torque::EnsembleTorque;
use super::states::own::Predicted;
use super::stepping::kick_loops::KickDrift;
use super::stepping::transaction::Transaction;
use super::stepping::whole::WholeSteps;
use crate::error::{Failure, check, finite};
use crate::memory::{self, View, ViewMut};
use crate::method::{Method, WhatActs};
use crate::torque::Frame;
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
            is_step: false,
        };
        let is_gathered = motion.states.gathers(active);
        let mut transaction = Transaction::begin(motion, active, inertias);
        let free_steps = if is_drift && rotors.is_none() && !is_gathered {
            let plan = Method::Splitting.plan(WhatActs::default());
            WholeSteps::select(plan, &EnsembleTorque::Free, inertias, drift)
        } else {
            None
        };
        match free_steps {
            Some(steps) => transaction.run_whole_steps(steps, 1)?,
            None => transaction.run(&kick_drift, drift, 1)?,
        }
        transaction.commit();
        self.motion.last.forget();
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

    pub(super) fn overlaps_predicted<const K: usize>(&self, array: &View<K>) -> bool {
        self.motion
            .states
            .predicted
            .as_ref()
            .is_some_and(|predicted| array.overlaps(&predicted.array.as_view()))
    }
}
