//! A linear drag on the bodies of an ensemble, besides the torque.

use super::{Ensemble, parameters::Parameter, stores::Store, torque_loops::TorqueSource};
use crate::error::{Error, Failure, finite};
use crate::kernel::{Here, Number, Quat, State, Vec3};
use crate::memory::{Bodies, View};
use crate::torque::{FluidDrag, NOT_BOTH};

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
}

impl TorqueSource for &Drag {
    type At<N: Number> = FluidDrag<N>;

    #[inline(always)]
    fn at<N: Number>(&self, bodies: &Bodies, i: usize) -> FluidDrag<N> {
        FluidDrag { coefficients: Vec3(self.coefficients.at(bodies, i)), flow: Vec3(self.flow.at(bodies, i)) }
    }
}

impl Ensemble<'_> {
    /// A linear drag on each body, `−cᵢ (ωᵢ − flowᵢ)`, besides the torque: coefficients about the body axes, and the angular velocity of the
    /// fluid in the world frame (`None`: at rest). It is taken implicitly in every step and kick, which are then stable for any
    /// coefficients; CF4 takes it explicitly, and refuses steps for which it is too stiff.
    /// Errors: a number is not finite (with the first such body); [`Error::Invalid`](crate::Error::Invalid) under a splitting of order 4 or
    /// 6, also force-gradient; `Error::Capacity`; `Error::Memory`; `Error::Order` in the middle of a step. Nothing has changed.
    pub fn set_drag(&mut self, coefficients: View<3>, flow: Option<View<3>>) -> Result<(), Failure> {
        let coefficients_name = coefficients.name();
        let coefficients = self.parameter(coefficients)?;
        let flow = match flow {
            Some(flow) => self.parameter(flow)?,
            None => Parameter::Shared([0.0; 3]),
        };
        self.check_no_step_begun()?;
        self.method.check(true, "drag")?;
        if self.random.bath.is_some() {
            return Err(Error::Invalid { name: coefficients_name, must: NOT_BOTH }.into());
        }
        self.begin_change_to(self.method.plan(true, self.besides.rotors.is_some(), false))?;
        self.besides.drag = Some(Drag { coefficients, flow });
        Ok(())
    }

    /// Removes the drag of [`Ensemble::set_drag`]. Errors: `Error::Order` in the middle of a step.
    pub fn clear_drag(&mut self) -> Result<(), Failure> {
        self.begin_change()?;
        self.besides.drag = None;
        Ok(())
    }

    pub(super) fn parameter<const K: usize>(&self, given: View<K>) -> Result<Parameter<K>, Failure> {
        self.check_count(&given)?;
        Parameter::new(given, |numbers| finite(given.name(), numbers))
    }

    /// Refuses a step of `h` that is not stable, with the body for which it is least.
    #[inline(always)]
    pub(super) fn check_stable(&self, h: f64) -> Result<(), Failure> {
        if self.method.most_stiffness().is_none() || !self.resists() { Ok(()) } else { self.check_stiffness(h) }
    }

    #[cold]
    fn check_stiffness(&self, h: f64) -> Result<(), Failure> {
        let at_rest = &Here::at(&State { q: Quat::identity(), omega_body: Vec3::splat(0.0) });
        for body in self.active_bodies() {
            let besides = self.besides.drag.as_ref().map(|drag| drag.at::<f64>(&Bodies::one(body), 0).coefficients);
            let own = self.torque.ready().and_then(|torque| torque.of_body(body, at_rest, &self.inertias).1);
            let coefficients = besides.unwrap_or(Vec3::splat(0.0)) + own.unwrap_or(Vec3::splat(0.0));
            let stable = self.method.check_stable(&self.inertia_of(body), coefficients, h);
            stable.map_err(|cause| Failure::of_body(body, cause))?;
        }
        Ok(())
    }
}
