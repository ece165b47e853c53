//! A step that is exact enough.

use super::{agreement::Doubts, rates::Numbers, rosenbrock::Curve};
use crate::kernel::State;

/// A step that is exact enough, not yet taken. Its start and end are elapsed times of the [`Span`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt {
    pub(crate) start: f64,
    pub(crate) end: f64,
    pub(crate) state: State<f64>,
    pub(super) h: f64,
    pub(super) gained: Numbers,
    pub(super) doubts: Doubts,
    /// The step, if it is of the stiff method.
    pub(super) curve: Option<Curve>,
}

impl Attempt {
    /// The time elapsed at a part of the step.
    pub(crate) fn elapsed(&self, part: f64) -> f64 {
        if part < 1.0 { self.start + part * self.h } else { self.end }
    }

    /// The part of the step that is over at an elapsed time.
    pub(crate) fn part(&self, elapsed: f64) -> f64 {
        (elapsed - self.start) / self.h
    }

    /// The part of the step that elapsed time resolves.
    pub(crate) fn resolution(&self) -> f64 {
        f64::EPSILON * self.start.abs().max(self.end.abs()) / self.h.abs()
    }
}
