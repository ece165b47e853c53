//! The states within a step.

use super::rates::{Numbers, Rates};
use super::{inertia::Unit, tableau::DENSE};
use crate::kernel::State;

/// Dense output of order 7, in the form of HNW93, II.6, the quaternion then normalised:
/// ```text
///     y(θ) = y₀ + θ (c₀ + (1−θ)(c₁ + θ (c₂ + (1−θ)(c₃ + θ (c₄ + (1−θ)(c₅ + θ c₆))))))
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dense {
    unit: Unit,
    start: Numbers,
    coefficients: [Numbers; 7],
}

impl Dense {
    pub(super) fn new(unit: &Unit, start: &Numbers, gained: &Numbers, rates: &Rates) -> Self {
        let at_start = rates.at(0).minus(gained);
        let at_end = gained.minus(rates.at(12)).minus(&at_start);
        let [c3, c4, c5, c6] = [0, 1, 2, 3].map(|i| rates.weighted(DENSE[i]));
        Dense { unit: *unit, start: *start, coefficients: [*gained, at_start, at_end, c3, c4, c5, c6] }
    }

    /// The state at a part of the step, from 0 to 1; at 1 the bits of the step's end.
    pub(crate) fn at(&self, part: f64) -> State<f64> {
        let mut sum = self.coefficients[6].times(part);
        for i in (0..6).rev() {
            sum = sum.plus(&self.coefficients[i]).times(if i % 2 == 0 { part } else { 1.0 - part });
        }
        let end = self.start.plus(&sum);
        // within a step that did not overflow
        self.unit.state(&end).unwrap_or(State { q: end.q(), omega_body: end.momentum() })
    }
}
