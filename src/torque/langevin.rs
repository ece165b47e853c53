//! Random torques on a body: the drag of a fluid, and the noise that belongs to it.

use super::FluidDrag;
use crate::error::{Error, finite};
use crate::kernel::Vec3;

/// Drag `−cᵢ (ωᵢ − flowᵢ)` about each body axis, with noise at the energy kT: see [`Body::set_langevin`](crate::Body::set_langevin).
#[derive(Clone, Copy, Debug)]
pub struct Langevin {
    /// The drag.
    pub drag: FluidDrag<f64>,
    /// kT.
    pub kt: f64,
    /// Of all noise of a simulation.
    pub seed: u64,
    /// Of the noise of this body.
    pub id: u64,
}

impl Langevin {
    /// Errors: the numbers must be finite, coefficients and kT not negative.
    pub fn new(coefficients: [f64; 3], flow: [f64; 3], kt: f64, seed: u64, id: u64) -> Result<Self, Error> {
        let coefficients = Vec3(not_negative("coefficients", coefficients)?);
        let drag = FluidDrag { coefficients, flow: Vec3(finite("flow", flow)?) };
        let [kt] = not_negative("kt", [kt])?;
        Ok(Langevin { drag, kt, seed, id })
    }
}

/// What refuses random torques and a drag together.
pub(crate) const NOT_BOTH: &str = "must be those of one drag: random torques bring their own";

/// Returns the values if they are finite and none is negative.
pub(crate) fn not_negative<const N: usize>(name: &'static str, values: [f64; N]) -> Result<[f64; N], Error> {
    let values = finite(name, values)?;
    if values.iter().any(|value| *value < 0.0) {
        Err(Error::Invalid { name, must: "must not be negative" })
    } else {
        Ok(values)
    }
}
