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
//! `τ` is the total torque: the torque, drag, rotors and their motors (a splitting takes the last
//! three apart, see [`DragAndRotor`](crate::torque::DragAndRotor)). No quantity is computed in
//! two ways that would have to be reconciled, so a body at rest, a turning point and a thin rod are
//! no special cases. (A Runge-Kutta method commutes with linear maps, so unknowns `q` and `I ω`
//! take the same steps; `ω` needs no unit of mass, and the slow spin of a rod about its length
//! keeps all of its digits.) The rates of a stage use `q` as it is; a torque is shown `q / |q|`,
//! and `q` is normalised at the end of a step. Time is counted from the start of the solution,
//! wherever the clock stands. Where the inertia changes, the unknown in place of `ω` is the angular
//! momentum ([`ChangingInertia`]).
//!
//! # How a step runs
//!
//! ```text
//!     run           what a solution is for: an end, rows or an event. Looks at each step first
//!      integrator   next_step plans a step and tries it, shorter and shorter, until it is exact
//!                   enough; take moves on
//!       control     plan: how long a step may be. accepts: whether its error is small enough
//!       dop853      try_step: the stages of a step, its end, an estimate of its error
//!                   dense: the polynomial through it
//!       extrapolation  the same by Strang's splitting, for torques of orientation and time, in the
//!                   same unknowns; `curve` is the polynomial
//!       rosenbrock  the same for stiff torques, in six unknowns of the step: the rotation vector
//!                   and h ω
//!        motion     rates: asks for the torque, counts evaluations, solves Euler's equation
//!      dense        the states within a step, for rows and events
//!      event        searches them for a zero of the event function (event_function)
//! ```
//!
//! A body on which nothing acts moves exactly (`motion::FreeBody`), in one step; where an event is
//! sought, in stretches that count as one step. `Body::solve` is the interface.

mod control;
mod curve;
mod dense;
mod dop853;
mod event;
mod event_function;
mod extrapolation;
mod integrator;
mod motion;
mod rosenbrock;
mod run;

pub use event::Crossing;
pub(crate) use integrator::Integrator;
pub(crate) use motion::{
    ChangingInertia, Equations, FreeBody, TorqueFunction, here_of_unnormalised,
};
pub(crate) use run::{EndTime, Goal, Monitor, Rows, Solution};

/// How [`Body::solve`](crate::Body::solve) and the other solutions take their steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SolveMethod {
    /// DOP853, a Runge-Kutta method of order 8: 12 torque evaluations a step. The default.
    #[default]
    Nonstiff,
    /// RODAS, a Rosenbrock method of order 4, where it costs less: see `qi_set_solve_method`.
    Stiff,
    /// Strang's splitting, extrapolated, for torques of orientation and time: see
    /// `QI_SOLVE_SPLITTING`.
    Splitting,
}

/// How far a step of a solution may go, and the whole solution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The longest step; infinite if a step may have any length.
    pub(crate) longest_step: f64,
    /// The most evaluations of the torque, or of an event function where there is no torque.
    pub(crate) most_evaluations: u64,
}

impl Limits {
    pub(crate) const NONE: Limits = Limits {
        longest_step: f64::INFINITY,
        most_evaluations: u64::MAX,
    };
}

/// The choices for a solution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) method: SolveMethod,
    pub(crate) tolerance: f64,
    pub(crate) limits: Limits,
}

/// The cost of a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Evaluations of the torque. 0 for a free body.
    pub evaluations: u64,
    /// Steps that were taken.
    pub accepted: u64,
    /// Steps that were tried and not taken, because their error was too large.
    pub rejected: u64,
}
