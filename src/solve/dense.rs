//! The states within a step.

use super::rates::{Numbers, Rates};
use super::{agreement::Doubts, inertia::Unit, rosenbrock::Curve, tableau::DENSE};
use crate::kernel::State;

/// The states within a step.
#[allow(clippy::large_enum_variant)] // one at a time, on the stack
pub(crate) enum Dense {
    OfOrder7(Polynomial),
    OfOrder3(Curve),
}

impl Dense {
    /// The state at a part of the step, from 0 to 1; at 1 the bits of the step's end.
    pub(crate) fn at(&self, part: f64) -> State<f64> {
        match self {
            Dense::OfOrder7(polynomial) => polynomial.at(part),
            Dense::OfOrder3(curve) => curve.at(part),
        }
    }
}

/// Dense output of order 7, in the form of HNW93, II.6, the quaternion then normalised:
/// ```text
///     y(θ) = y₀ + θ (c₀ + (1−θ)(c₁ + θ (c₂ + (1−θ)(c₃ + θ (c₄ + (1−θ)(c₅ + θ c₆))))))
/// ```
pub(crate) struct Polynomial {
    unit: Unit,
    start: Numbers,
    doubts: Doubts,
    coefficients: [Numbers; 7],
}

impl Polynomial {
    /// `start`, and what the step gains.
    pub(super) fn new(unit: &Unit, start: &Numbers, gained: &Numbers, doubts: Doubts, rates: &Rates) -> Self {
        let at_start = rates.at(0).minus(gained);
        let at_end = gained.minus(rates.at(12)).minus(&at_start);
        let [c3, c4, c5, c6] = [0, 1, 2, 3].map(|i| rates.weighted(DENSE[i]));
        Polynomial { unit: *unit, start: *start, doubts, coefficients: [*gained, at_start, at_end, c3, c4, c5, c6] }
    }

    fn at(&self, part: f64) -> State<f64> {
        let mut sum = self.coefficients[6].times(part);
        for i in (0..6).rev() {
            sum = sum.plus(&self.coefficients[i]).times(if i % 2 == 0 { part } else { 1.0 - part });
        }
        let mut end = self.start.plus(&sum);
        if part < 1.0 {
            end = end.plus(&self.unit.correction(&end, &self.doubts)); // at 1 the gain contains it
        }
        // within a step that did not overflow
        self.unit.state(&end).unwrap_or(State { q: end.q(), omega_body: end.momentum() })
    }
}
