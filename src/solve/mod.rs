//! One body with error control: steps of a size that a tolerance chooses, dense output, and events.
//!
//! Runge-Kutta-Munthe-Kaas on the rotation vector since the start of the step and the angular velocity, with the tableau DOP853: order 8,
//! 12 torques a step. `Body::solve` is the interface; a free body does not come here, its rotation is exact.
//!
//! | file | contents |
//! |---|---|
//! | tableau | the coefficients |
//! | chart | rotation vectors: exponential and rate |
//! | gained | what a motion gains from the start of a step; the rates of its stages |
//! | rkmk | the integrator: stages, trial and accepted steps |
//! | control | the size of the steps |
//! | dense | the states within a step |
//! | event | zeros of a function of the motion |

mod chart;
mod control;
mod dense;
mod event;
mod gained;
mod rkmk;
mod tableau;

pub use event::Crossing;
pub(crate) use event::Watch;
pub(crate) use rkmk::{Integrator, Step};

use crate::error::{Error, finite};

/// What a solution cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Evaluations of the torque. 0 for a free body.
    pub evaluations: u64,
    /// Steps that were taken.
    pub accepted: u64,
    /// Steps that were tried and not taken, because their error was too large.
    pub rejected: u64,
}

/// Checks a tolerance.
pub(crate) fn checked_tolerance(tolerance: f64) -> Result<f64, Error> {
    let [tolerance] = finite("tolerance", [tolerance])?;
    if !(1e-15..=0.1).contains(&tolerance) {
        return Err(Error::Invalid { name: "tolerance", must: "must be from 1e-15 to 0.1" });
    }
    Ok(tolerance)
}
