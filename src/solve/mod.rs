//! One body with error control: steps of a size that a tolerance chooses, dense output, and events.
//!
//! The Runge-Kutta method DOP853, of order 8 with 12 torques a step, for the quaternion and the angular momentum in the world frame. The
//! momentum changes by the torque alone, so it is smoother than the angular velocity of any frame: a heavy top takes a fifth to a third
//! fewer steps. The momentum in the body frame and the energy are unknowns too, by which the quaternion is corrected. For stiff
//! torques RODAS, a Rosenbrock method of order 4. A free body takes one step, which is exact. `Body::solve` is the interface.

mod attempt;
mod control;
mod event;
mod inertia;
mod integrator;
mod rates;
mod rosenbrock;
mod run;
mod tableau;

pub(crate) use attempt::{FreeBody, drifted, is_finite};
pub use event::Crossing;
pub(crate) use integrator::{Ask, Integrator};
pub(crate) use run::{Event, Rows};

/// How [`Body::solve`](crate::Body::solve) and its relatives take their steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SolveMethod {
    /// DOP853, a Runge-Kutta method of order 8: 12 torques a step. The default.
    #[default]
    Nonstiff,
    /// RODAS, a Rosenbrock method of order 4, where it costs less: see [`qi_set_solve_method`](crate::ffi::qi_set_solve_method).
    Stiff,
}

/// How a solution goes, besides its tolerance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The longest step; infinite: of any length.
    pub(crate) longest: f64,
    /// The most evaluations of the torque, or of an event function where there is no torque.
    pub(crate) most: u64,
}

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
