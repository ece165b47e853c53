//! The states within a step.

use super::rates::{Numbers, Rates};
use super::{inertia::Unit, rosenbrock::Curve, tableau::DENSE};
use crate::kernel::State;

/// The states within a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dense(Form);

#[allow(clippy::large_enum_variant)] // one at a time, on the stack
#[derive(Clone, Copy, Debug)]
enum Form {
    OfOrder7(Polynomial),
    OfOrder3(Curve),
}

impl Dense {
    pub(super) fn of(unit: &Unit, start: &Numbers, step: (&Numbers, f64), rates: &Rates) -> Self {
        Dense(Form::OfOrder7(Polynomial::new(unit, start, step, rates)))
    }

    pub(super) fn of_curve(curve: Curve) -> Self {
        Dense(Form::OfOrder3(curve))
    }

    /// The state at a part of the step, from 0 to 1; at 1 the bits of the step's end.
    pub(crate) fn at(&self, part: f64) -> State<f64> {
        match &self.0 {
            Form::OfOrder7(polynomial) => polynomial.at(part),
            Form::OfOrder3(curve) => curve.at(part),
        }
    }
}

/// Dense output of order 7, in the form of HNW93, II.6, the quaternion then normalised:
/// ```text
///     y(θ) = y₀ + θ (c₀ + (1−θ)(c₁ + θ (c₂ + (1−θ)(c₃ + θ (c₄ + (1−θ)(c₅ + θ c₆))))))
/// ```
#[derive(Clone, Copy, Debug)]
struct Polynomial {
    unit: Unit,
    start: Numbers,
    doubt: f64,
    coefficients: [Numbers; 7],
}

impl Polynomial {
    fn new(unit: &Unit, start: &Numbers, step: (&Numbers, f64), rates: &Rates) -> Self {
        let (gained, doubt) = step;
        let at_start = rates.at(0).minus(gained);
        let at_end = gained.minus(rates.at(12)).minus(&at_start);
        let [c3, c4, c5, c6] = [0, 1, 2, 3].map(|i| rates.weighted(DENSE[i]));
        Polynomial { unit: *unit, start: *start, doubt, coefficients: [*gained, at_start, at_end, c3, c4, c5, c6] }
    }

    fn at(&self, part: f64) -> State<f64> {
        let mut sum = self.coefficients[6].times(part);
        for i in (0..6).rev() {
            sum = sum.plus(&self.coefficients[i]).times(if i % 2 == 0 { part } else { 1.0 - part });
        }
        let mut end = self.start.plus(&sum);
        if part < 1.0 {
            end = end.plus(&self.unit.turn_of_energy(&end, self.doubt));
        }
        // within a step that did not overflow
        self.unit.state(&end).unwrap_or(State { q: end.q(), omega_body: end.momentum() })
    }
}
