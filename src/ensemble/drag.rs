//! A linear drag on the bodies of an ensemble, besides the torque.

use super::Ensemble;
use super::parameters::{InertiaSource, Parameter};
use super::stores::Store;
use super::torque::{EnsembleTorque, ReadyMade};
use crate::error::{Failure, finite};
use crate::kernel::{Number, Vec3};
use crate::memory::{Bodies, View};
use crate::method::Choice;
use crate::torque::FluidDrag;

/// The coefficients of each body, and the rotation of the fluid around it.
#[derive(Debug)]
pub(super) struct Drag {
    coefficients: Parameter<3>,
    flow: Parameter<3>,
}

impl Drag {
    pub(super) fn parameters(&self) -> [&dyn Store; 2] {
        [&self.coefficients, &self.flow]
    }

    pub(super) fn parameters_mut(&mut self) -> [&mut dyn Store; 2] {
        [&mut self.coefficients, &mut self.flow]
    }

    /// The drag on the `i`-th and the following bodies, one per lane.
    #[inline(always)]
    pub(super) fn at<N: Number>(&self, bodies: &Bodies, i: usize) -> FluidDrag<N> {
        FluidDrag { coefficients: Vec3(self.coefficients.at(bodies, i)), flow: Vec3(self.flow.at(bodies, i)) }
    }
}

impl ReadyMade {
    /// The coefficients of the resistance in this torque; `None`: it has none.
    #[inline(always)]
    pub(super) fn resistance<N: Number>(&self, bodies: &Bodies, i: usize) -> Option<Vec3<N>> {
        match self {
            ReadyMade::LinearDrag(coefficients) => Some(Vec3(coefficients.at(bodies, i))),
            ReadyMade::ShearFlow { resistances, .. } => {
                let [_, _, _, a, b, c] = resistances.at(bodies, i);
                Some(Vec3([a, b, c]))
            }
            _ => None,
        }
    }
}

/// The resistance of a drag and of a ready-made torque together.
#[inline(always)]
pub(super) fn resistance<N: Number>(
    drag: Option<&Drag>,
    torque: Option<&ReadyMade>,
    bodies: &Bodies,
    i: usize,
) -> Vec3<N> {
    let mut sum = Vec3::splat(0.0);
    if let Some(drag) = drag {
        sum = sum + drag.at(bodies, i).coefficients;
    }
    if let Some(torque) = torque
        && let Some(own) = torque.resistance(bodies, i)
    {
        sum = sum + own;
    }
    sum
}

impl Ensemble<'_> {
    /// A linear drag on each body, `−cᵢ (ωᵢ − flowᵢ)`, besides the torque: coefficients about the body axes, and the angular velocity of the
    /// fluid in the world frame (`None`: at rest). It is taken implicitly in every step and kick, which are then stable for any
    /// coefficients; CF4 takes it explicitly, and refuses steps for which it is too stiff.
    /// Errors: a number is not finite (with the first such body); [`Error::Invalid`](crate::Error::Invalid) under a splitting of order 4 or
    /// 6, also force-gradient; `Error::Capacity`; `Error::Memory`; `Error::Order` in the middle of a step. Nothing has changed.
    pub fn set_drag(&mut self, coefficients: View<3>, flow: Option<View<3>>) -> Result<(), Failure> {
        let coefficients = self.parameter(coefficients)?;
        let flow = match flow {
            Some(flow) => self.parameter(flow)?,
            None => Parameter::Shared([0.0; 3]),
        };
        self.check_no_step_begun()?;
        let choice = Choice { method: self.method, resists: true };
        choice.check("drag")?;
        self.reserve_for(choice)?;
        self.begin_change()?;
        self.drag = Some(Drag { coefficients, flow });
        Ok(())
    }

    /// Removes the drag of [`Ensemble::set_drag`]. Errors: `Error::Order` in the middle of a step.
    pub fn clear_drag(&mut self) -> Result<(), Failure> {
        self.begin_change()?;
        self.drag = None;
        Ok(())
    }

    pub(super) fn parameter<const K: usize>(&self, given: View<K>) -> Result<Parameter<K>, Failure> {
        self.check_count(&given)?;
        Parameter::new(given, |numbers| finite(given.name(), numbers))
    }

    /// The method, and whether the torque or a drag is known to resist the rotation.
    pub(super) fn choice(&self) -> Choice {
        Choice { method: self.method, resists: self.drag.is_some() || self.torque.resists() }
    }

    /// Refuses a step of `h` that is not stable, with the body for which it is least.
    pub(super) fn check_stable(&self, h: f64) -> Result<(), Failure> {
        let choice = self.choice();
        if !choice.is_explicit_under_resistance() {
            return Ok(());
        }
        let torque = match &self.torque {
            EnsembleTorque::Ready(torque) => Some(torque),
            EnsembleTorque::Callback { .. } => None,
        };
        for i in 0..self.active_count() {
            let bodies = &Bodies::at_positions(self.active.list(), i, 1);
            let inertia = &(&self.inertias).at::<f64>(bodies, 0);
            let coefficients = resistance(self.drag.as_ref(), torque, bodies, 0);
            choice.check_stable(inertia, coefficients, h).map_err(|cause| Failure::of_body(bodies.get(0), cause))?;
        }
        Ok(())
    }
}
