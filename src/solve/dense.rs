//! The states within a step.

use super::rkmk::{Rates, Six, Step, moved};
use super::tableau::DENSE;
use crate::kernel::State;

/// Dense output of order 7 for rotation vector and angular velocity, in the form of HNW93, II.6:
/// ```text
///     y(θ) = y₀ + θ (c₀ + (1−θ)(c₁ + θ (c₂ + (1−θ)(c₃ + θ (c₄ + (1−θ)(c₅ + θ c₆))))))
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dense {
    start: State<f64>,
    coefficients: [Six; 7],
}

impl Dense {
    pub(super) fn new(start: &State<f64>, step: &Step, rates: &Rates) -> Self {
        let (gained, before, after) = (step.gained, rates.at(0), rates.at(12));
        let mut coefficients = [gained; 7];
        for m in 0..6 {
            coefficients[1][m] = before[m] - gained[m];
            coefficients[2][m] = gained[m] - after[m] - coefficients[1][m];
        }
        for (coefficient, weights) in coefficients[3..].iter_mut().zip(DENSE) {
            *coefficient = rates.weighted(weights);
        }
        Dense { start: *start, coefficients }
    }

    /// The state at a part of the step, from 0 to 1; at 1 the bits of the step's end.
    pub(crate) fn at(&self, part: f64) -> State<f64> {
        let mut sum = [0.0; 6];
        for (i, coefficient) in self.coefficients.iter().enumerate().rev() {
            let factor = if i % 2 == 0 { part } else { 1.0 - part };
            for m in 0..6 {
                sum[m] = (sum[m] + coefficient[m]) * factor;
            }
        }
        moved(&self.start, &sum).unwrap_or(self.start) // within a step that did not overflow
    }
}
