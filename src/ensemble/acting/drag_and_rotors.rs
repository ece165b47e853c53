//! What acts on the bodies of an ensemble besides the torque: a linear drag, and rotors.

use super::torque_loops::TorqueSource;
use crate::ensemble::Ensemble;
use crate::ensemble::bodies::parameters::{Parameter, TorqueParameters};
use crate::ensemble::states::bind::NOT_WITH_MOMENTA;
use crate::error::{Failure, check, finite};
use crate::kernel::{Number, Vec3};
use crate::memory::{Bodies, View};
use crate::method::Change;
use crate::torque::FluidDrag;

pub(crate) struct Drag {
    pub(crate) coefficients: Parameter<3>,
    pub(crate) flow: Parameter<3>,
}

impl TorqueSource for &Drag {
    type At<N: Number> = FluidDrag<N>;

    #[inline(always)]
    fn at<N: Number>(&self, bodies: &Bodies, i: usize) -> FluidDrag<N> {
        FluidDrag {
            coefficients: Vec3(self.coefficients.at(bodies, i)),
            flow: Vec3(self.flow.at(bodies, i)),
        }
    }
}

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
        let coefficients = self.parameter(coefficients)?;
        let flow = flow.map_or(Ok(Parameter::Shared([0.0; 3])), |flow| self.parameter(flow))?;
        let drag = Some(Drag { coefficients, flow });
        self.put("drag", |acting| &mut acting.drag, drag)?;
        Ok(())
    }

    /// Removes the drag of [`Ensemble::set_drag`]. Errors: `Error::Order` in the middle of a step.
    pub fn clear_drag(&mut self) -> Result<(), Failure> {
        let old = self.put("drag", |acting| &mut acting.drag, None)?;
        if old.is_some() {
            self.motion.last.forget(Change::Motion);
        }
        Ok(())
    }

    pub(crate) fn parameter<const K: usize>(
        &self,
        given: View<K>,
    ) -> Result<Parameter<K>, Failure> {
        self.check_count(&given)?;
        Parameter::new(given, |numbers| finite(given.name(), numbers))
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
        let rotors = rotors.map(|each| TorqueParameters { each, shared: () });
        self.put("rotor", |acting| &mut acting.rotors, rotors)?;
        Ok(())
    }
}
