//! The states within a step.

use super::gained::{Gained, Rates, moved};
use super::tableau::DENSE;
use crate::kernel::{State, Vec3};

/// Dense output of order 7 for rotation vector and angular velocity, in the form of HNW93, II.6:
/// ```text
///     y(θ) = y₀ + θ (c₀ + (1−θ)(c₁ + θ (c₂ + (1−θ)(c₃ + θ (c₄ + (1−θ)(c₅ + θ c₆))))))
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dense {
    start: State<f64>,
    coefficients: [Gained; 7],
}

impl Dense {
    pub(super) fn new(start: &State<f64>, gained: Gained, rates: &Rates) -> Self {
        let (before, after) = (rates.at(0), rates.at(12));
        let at_start = Gained { u: before.u - gained.u, omega: before.omega - gained.omega };
        let at_end = Gained { u: gained.u - after.u - at_start.u, omega: gained.omega - after.omega - at_start.omega };
        let mut coefficients = [gained, at_start, at_end, gained, gained, gained, gained];
        for (coefficient, weights) in coefficients[3..].iter_mut().zip(DENSE) {
            *coefficient = rates.weighted(weights);
        }
        Dense { start: *start, coefficients }
    }

    /// The state at a part of the step, from 0 to 1; at 1 the bits of the step's end.
    pub(crate) fn at(&self, part: f64) -> State<f64> {
        let mut sum = Gained { u: Vec3::splat(0.0), omega: Vec3::splat(0.0) };
        for (i, coefficient) in self.coefficients.iter().enumerate().rev() {
            let factor = if i % 2 == 0 { part } else { 1.0 - part };
            sum.u = (sum.u + coefficient.u) * factor;
            sum.omega = (sum.omega + coefficient.omega) * factor;
        }
        moved(&self.start, &sum).unwrap_or(self.start) // within a step that did not overflow
    }
}
