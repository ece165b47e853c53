//! All that acts on the bodies of an ensemble, as one value.
//!
//! In a file of its own because the compiler makes units of machine code of files: joined with
//! `ask`, a step of one body with a callback took 6 to 8 % longer in each of three builds.

use super::drag_and_rotors::Drag;
use super::fluid::FlowGradients;
use super::random::Random;
use super::torque::EnsembleTorque;
use super::torque_loops::TorqueTask;
use crate::ensemble::Ensemble;
use crate::ensemble::bodies::parameters::TorqueParameters;
use crate::error::Error;
use crate::kernel::Vec3;
use crate::memory::Bodies;
use crate::method::{Change, WhatActs};
use crate::torque::Gyroscopic;

pub(crate) struct Acting<'a, 't> {
    pub(crate) torque: EnsembleTorque<'t>,
    /// What the torque of a shear flow reads.
    pub(crate) fluid: FlowGradients<'a>,
    pub(crate) drag: Option<Drag>,
    /// The angular momenta of the rotors, body frame.
    pub(crate) rotors: Option<TorqueParameters<Gyroscopic<f64>, 3>>,
    pub(crate) random: Random,
}

impl Acting<'_, '_> {
    pub(crate) fn nothing() -> Self {
        Acting {
            torque: EnsembleTorque::Free,
            fluid: FlowGradients::WithTorque,
            drag: None,
            rotors: None,
            random: Random::default(),
        }
    }

    /// What a method has to know of it.
    pub(crate) fn what_acts(&self) -> WhatActs {
        self.what_acts_under(&self.torque)
    }

    /// As [`Acting::what_acts`], in the stage protocol: the caller's torques take the place of the
    /// one that is set.
    pub(crate) fn what_acts_in_stages(&self) -> WhatActs {
        self.what_acts_under(&EnsembleTorque::Free)
    }

    /// As [`Acting::what_acts`], with another torque.
    pub(crate) fn what_acts_under(&self, torque: &EnsembleTorque) -> WhatActs {
        let is_random = self.random.heat_bath.is_some();
        WhatActs {
            resists: self.drag.is_some() || torque.resists_besides(is_random),
            has_drag: self.drag.is_some(),
            has_rotors: self.rotors.is_some(),
            is_random,
            inertia_changes: false,
        }
    }

    pub(crate) fn is_in_shear_flow(&self) -> bool {
        matches!(self.torque, EnsembleTorque::ShearFlow(_))
    }

    /// Whether there is a drag, or rotors.
    pub(crate) fn acts_besides_torque(&self) -> bool {
        self.drag.is_some() || self.rotors.is_some()
    }

    /// Adds the torques of drag and rotors, or their resistances. `gyroscopic`: also that of
    /// rotors.
    #[inline(always)]
    pub(crate) fn add_to(&self, at: &mut TorqueTask, gyroscopic: bool) {
        if let Some(drag) = &self.drag {
            at.write::<true>(drag);
        }
        if let (true, Some(rotors)) = (gyroscopic, &self.rotors) {
            at.write::<true>(rotors);
        }
    }

    /// The angular momentum of the rotors in a body, body frame.
    pub(crate) fn rotor_of(&self, body: usize) -> Option<Vec3<f64>> {
        Some(Vec3(self.rotors.as_ref()?.each.at(&Bodies::one(body), 0)))
    }
}

impl<'a, 't> Ensemble<'a, 't> {
    /// Puts a part in place of that which acts so far, if the method takes what then acts. Returns
    /// that of before. Errors: the method does not, and `name` is refused; `Error::Order` in the
    /// middle of a step. Then nothing has changed.
    pub(crate) fn put<P>(
        &mut self,
        name: &'static str,
        part: for<'f> fn(&'f mut Acting<'a, 't>) -> &'f mut P,
        mut new: P,
    ) -> Result<P, Error> {
        self.check_no_step_begun()?;
        std::mem::swap(part(&mut self.acting), &mut new);
        match self.method.takes(self.acting.what_acts(), name) {
            Ok(plan) => {
                self.begin(Change::of_forces(plan.is_damped()))?;
                Ok(new)
            }
            Err(error) => {
                std::mem::swap(part(&mut self.acting), &mut new);
                Err(error)
            }
        }
    }
}
