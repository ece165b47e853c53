//! Linear rotational drag.

use super::ready_made;
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
