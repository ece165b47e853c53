//! Linear rotational drag.

use super::{on_each, ready_made};
use crate::error::{Error, finite};
use crate::kernel::{Here, Number, PrincipalInertia, Vec3};

/// Linear drag about each **body** axis: `τᵢ = −cᵢ ωᵢ`.
#[derive(Clone, Copy, Debug)]
pub struct LinearDrag<N> {
    /// `(c₁, c₂, c₃)` in body axes: torque per angular velocity.
    pub coefficients: Vec3<N>,
}

impl LinearDrag<f64> {
    /// Errors: the coefficients must be finite. A negative coefficient drives the rotation.
    pub fn new(coefficients: [f64; 3]) -> Result<Self, Error> {
        Ok(LinearDrag { coefficients: Vec3(finite("coefficients", coefficients)?) })
    }
}

impl<N: Number> LinearDrag<N> {
    #[inline(always)]
    pub(crate) fn at(&self, here: &Here<N>, _: &PrincipalInertia<N>) -> Vec3<N> {
        -self.coefficients.times(here.omega_body)
    }
}
ready_made!(LinearDrag, asks_orientation: false, resistance: coefficients);
on_each!(LinearDrag, 3, (), |each, ()| LinearDrag { coefficients: Vec3(each) }, RESISTS);

/// Linear drag about each **body** axis toward the rotation of a fluid, `τᵢ = −cᵢ (ωᵢ − flowᵢ)`: acts besides another torque.
#[derive(Clone, Copy, Debug)]
pub struct FluidDrag<N> {
    /// `(c₁, c₂, c₃)` in body axes: torque per angular velocity.
    pub coefficients: Vec3<N>,
    /// Angular velocity of the fluid, world frame, rad/s.
    pub flow: Vec3<N>,
}

impl FluidDrag<f64> {
    /// Errors: the numbers must be finite. A negative coefficient drives the rotation.
    pub fn new(coefficients: [f64; 3], flow: [f64; 3]) -> Result<Self, Error> {
        let coefficients = Vec3(finite("coefficients", coefficients)?);
        Ok(FluidDrag { coefficients, flow: Vec3(finite("flow", flow)?) })
    }
}

impl<N: Number> FluidDrag<N> {
    #[inline(always)]
    pub(crate) fn at(&self, here: &Here<N>) -> Vec3<N> {
        self.coefficients.times(here.to_world.rotate_back(self.flow) - here.omega_body)
    }
}
