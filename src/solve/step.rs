//! A step: planned, tried, not yet taken. Its times are elapsed times of the
//! [`Span`](crate::clock::Span).

use crate::kernel::{State, Vec3};

/// From where a step starts and how far it shall go.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    pub(super) start: f64,
    pub(super) end: f64,
    /// `end − start`, with its sign.
    pub(super) h: f64,
    /// The time elapsed so far cannot resolve a shorter one.
    pub(super) is_shortest: bool,
}

impl Plan {
    /// The `i`-th of `count` equal parts.
    pub(super) fn part(&self, i: usize, count: usize) -> Plan {
        let start = self.elapsed(i as f64 / count as f64);
        let end = self.elapsed((i + 1) as f64 / count as f64);
        Plan {
            start,
            end,
            h: end - start,
            is_shortest: self.is_shortest,
        }
    }

    /// The time at a part of the step, from 0 to 1.
    #[inline(always)]
    pub(super) fn elapsed(&self, part: f64) -> f64 {
        if part < 1.0 {
            self.start + part * self.h
        } else {
            self.end
        }
    }
}

/// A step and the state at its end.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) plan: Plan,
    pub(super) end_state: State<f64>,
    pub(super) path: Path,
}

/// By which method a step was computed, which has the states within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Path {
    /// A free rotation.
    Exact,
    /// [`Dop853`](super::dop853::Dop853).
    Explicit,
    /// [`Curve`](super::rosenbrock::Curve).
    Stiff,
}

/// An estimate of the error that a step has made.
pub(super) enum ErrorEstimate {
    /// Of DOP853: estimates of order 5 and of order 3.
    Explicit {
        fifth: SquaredError,
        third: SquaredError,
    },
    /// Of RODAS: the difference to a solution of order 3.
    Stiff(SquaredError),
}

/// The squares of an error.
#[derive(Clone, Copy, Debug)]
pub(super) struct SquaredError {
    /// Of the orientation, rad².
    pub(super) turn: f64,
    /// Of the angular velocity, rad²/s².
    pub(super) omega: f64,
}

impl SquaredError {
    /// The mean over six numbers, with the angular velocity in units of a speed.
    #[inline(always)]
    pub(super) fn mean(&self, speed_squared: f64) -> f64 {
        (self.turn + self.omega / speed_squared) / 6.0
    }

    #[inline(always)]
    pub(super) fn new(turn: f64, omega: Vec3<f64>) -> Self {
        SquaredError {
            turn,
            omega: omega.dot(omega),
        }
    }
}
