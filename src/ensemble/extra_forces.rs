//! What acts on the bodies of an ensemble besides the torque: a linear drag, and rotors.

use super::parameters::{Parameter, TorqueParameters};
use super::torque_loops::{AtStates, TorqueSource, source};
use super::{Ensemble, lanes::CHUNK_BLOCKS, states::CHUNK_AT_REST, torque::EnsembleTorque};
use crate::error::{Failure, check, finite};
use crate::kernel::{Number, Vec3};
use crate::memory::{self, Block, Bodies, View};
use crate::torque::{FluidDrag, Gyroscopic, RANDOM_FIRST};

#[derive(Default)]
pub(super) struct ExtraForces {
    pub(super) drag: Option<Drag>,
    /// The angular momenta of the rotors, body frame.
    pub(super) rotors: Option<TorqueParameters<Gyroscopic<f64>, 3>>,
}

impl ExtraForces {
    pub(super) fn acts(&self) -> bool {
        self.drag.is_some() || self.rotors.is_some()
    }

    /// Adds their torques or resistances. `gyroscopic`: also that of rotors.
    #[inline(always)]
    pub(super) fn add_to(&self, at: &mut AtStates, gyroscopic: bool) {
        if let Some(drag) = &self.drag {
            at.write::<true>(drag);
        }
        if let (true, Some(rotors)) = (gyroscopic, &self.rotors) {
            at.write::<true>(rotors);
        }
    }

    pub(super) fn rotor_of(&self, body: usize) -> Option<Vec3<f64>> {
        Some(Vec3(self.rotors.as_ref()?.each.at(&Bodies::one(body), 0)))
    }
}

pub(super) struct Drag {
    pub(super) coefficients: Parameter<3>,
    pub(super) flow: Parameter<3>,
}

source!(&Drag => FluidDrag<N>, |this, bodies, i|
    FluidDrag { coefficients: Vec3(this.coefficients.at(bodies, i)), flow: Vec3(this.flow.at(bodies, i)) });

impl Ensemble<'_, '_> {
    /// A linear drag on each body, besides the torque: see `qi_set_drag`. The flow is in the world
    /// frame; `None`: at rest. Errors: a number is not finite (with the first such body);
    /// `Error::Invalid` under a splitting of order 4 or 6, also force-gradient; `Error::Capacity`;
    /// `Error::Memory`; `Error::Order` in the middle of a step. Nothing has changed.
    pub fn set_drag(
        &mut self,
        coefficients: View<3>,
        flow: Option<View<3>>,
    ) -> Result<(), Failure> {
        let name = coefficients.name();
        let coefficients = self.parameter(coefficients)?;
        let flow = flow.map_or(Ok(Parameter::Shared([0.0; 3])), |flow| self.parameter(flow))?;
        self.check_no_step_begun()?;
        self.method.check(true, "drag")?;
        check(self.random.heat_bath.is_none(), name, RANDOM_FIRST)?;
        self.begin_change_of_forces()?;
        self.extra_forces.drag = Some(Drag { coefficients, flow });
        Ok(())
    }

    /// Removes the drag of [`Ensemble::set_drag`]. Errors: `Error::Order` in the middle of a step.
    pub fn clear_drag(&mut self) -> Result<(), Failure> {
        self.begin_change()?;
        self.extra_forces.drag = None;
        Ok(())
    }

    pub(super) fn parameter<const K: usize>(
        &self,
        given: View<K>,
    ) -> Result<Parameter<K>, Failure> {
        self.check_count(&given)?;
        Parameter::new(given, |numbers| finite(given.name(), numbers))
    }

    /// Refuses a step of `h` that is not stable, with the body for which it is least. The torque
    /// that is set is not used in a step of the stage protocol.
    #[inline(always)]
    pub(super) fn check_stable(&mut self, h: f64, is_staged: bool) -> Result<(), Failure> {
        if self.method.most_stiffness().is_none() {
            return Ok(());
        }
        let influences = if is_staged {
            self.staged_influences()
        } else {
            self.influences()
        };
        if !influences.resists {
            return Ok(());
        }
        let method = self.method;
        let (mut forces, active, _) = self.split(method.plan(influences));
        if is_staged {
            forces.torque = &EnsembleTorque::Free;
        }
        for (_, bodies) in active.chunks() {
            let coefficients = &mut [Block::filled([0.0; 3]); CHUNK_BLOCKS];
            forces.write_resistances(&bodies, &CHUNK_AT_REST, coefficients);
            for (i, body) in (0..bodies.count()).map(|i| (i, bodies.get(i))) {
                let inertia = &forces.inertias.of_body(body);
                let stable = method.check_stable(inertia, Vec3(memory::get(coefficients, i)), h);
                stable.map_err(|cause| Failure::of_body(body, cause))?;
            }
        }
        Ok(())
    }

    /// The angular momentum of rotors in each body, body frame; `None`: no rotors. Totals of
    /// angular momentum contain the rotors. See `qi_set_ensemble_rotor_momentum`. Errors: a number
    /// is not finite (with the first such body); `Error::Capacity`, `Error::Memory`,
    /// `Error::Order`; `Error::Invalid` while angular momenta are bound, which are those of the
    /// bodies alone. Nothing has changed.
    pub fn set_rotor_momentum(&mut self, momenta: Option<View<3>>) -> Result<(), Failure> {
        let rotors = momenta.map(|momenta| self.parameter(momenta)).transpose()?;
        self.check_no_step_begun()?;
        check(
            rotors.is_none() || !self.motion.states.bound.kind.is_momentum(),
            "rotor",
            NOT_WITH_MOMENTA,
        )?;
        self.begin_change_of_forces()?;
        self.extra_forces.rotors = rotors.map(|each| TorqueParameters { each, shared: () });
        Ok(())
    }
}

pub(super) const NOT_WITH_MOMENTA: &str =
    "must not be there with bound angular momenta: bind angular velocities";
