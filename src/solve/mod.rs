//! One body with error control: steps of a size that a tolerance chooses, states within a step,
//! events.
//!
//! # The unknowns
//!
//! Seven numbers: the quaternion `q` and the angular velocity `ω` in the body frame.
//!
//! ```text
//!     q' = ½ q ⊗ (0, ω)        I ω' = τ(t, q, ω) − ω × I ω
//! ```
//!
//! `τ` is all that acts: the torque, drag, rotors and their motors. Nothing is computed twice, so
//! nothing has to be reconciled: a body at rest, a turning point and a thin rod are no special
//! cases. (A Runge-Kutta method commutes with linear maps, so unknowns `q` and `I ω` take the same
//! steps; `ω` needs no unit of mass, and the slow spin of a rod about its length keeps all of its
//! digits.) The rates of a stage use `q` as it is; a torque is shown `q / |q|`, and `q` is
//! normalised at the end of a step. Time is counted from the start of the solution, wherever the
//! clock stands.
//!
//! # How a step runs
//!
//! ```text
//!     run           what a solution is for: go_to_end, record, find. Looks at each step first
//!      integrator   next_step plans a step and tries it, shorter and shorter, until it is exact
//!                   enough; take moves on
//!       control     plan: how long a step may be. accepts: whether its error is small enough
//!       dop853      try_step: the stages of a step, its end, an estimate of its error
//!                   dense: the states within it
//!       rosenbrock  the same for stiff torques, in six unknowns of the step: the rotation vector
//!                   and h ω. `linear` solves its equations
//!        motion     acceleration: asks for the torque, counts that, solves Euler's equation
//!      event        searches the states within a step for a zero of the event function
//! ```
//!
//! A body on which nothing acts moves exactly (`free`), in one step; where an event is sought, in
//! stretches that count as one. `Body::solve` is the interface.

mod control;
mod dense;
mod dop853;
mod event;
mod free;
mod integrator;
mod linear;
mod motion;
mod rosenbrock;
mod run;
mod step;
mod tableau;
mod unknowns;

pub use event::Crossing;
pub(crate) use event::Event;
pub(crate) use free::{FreeBody, drifted, is_finite};
pub(crate) use integrator::Integrator;
pub(crate) use motion::{Motion, TotalTorque};
pub(crate) use run::Rows;
pub(crate) use unknowns::shown;

/// How [`Body::solve`](crate::Body::solve) and its relatives take their steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SolveMethod {
    /// DOP853, a Runge-Kutta method of order 8: 12 torque evaluations a step. The default.
    #[default]
    Nonstiff,
    /// RODAS, a Rosenbrock method of order 4, where it costs less: see
    /// [`qi_set_solve_method`](crate::ffi::qi_set_solve_method).
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
