//! The states within a step.

use super::free::FreeBody;
use super::rosenbrock::Curve;
use super::unknowns::Unknowns;
use crate::error::Error;
use crate::kernel::State;

/// The states within a step, as functions of the part of the step that has passed.
#[allow(clippy::large_enum_variant)] // one at a time, on the stack
pub(super) enum Dense<'a> {
    /// The free rotation from an elapsed time on.
    Exact { body: FreeBody<'a>, start: f64 },
    /// The dense output of DOP853.
    OfOrder7(Polynomial),
    /// The dense output of RODAS.
    OfOrder3(Curve),
}

/// The dense output of DOP853, HNW93, II.6; the quaternion is then normalised:
///
/// ```text
///     y(θ) = y₀ + θ (c₀ + (1−θ)(c₁ + θ (c₂ + (1−θ)(c₃ + θ (c₄ + (1−θ)(c₅ + θ c₆))))))
/// ```
pub(super) struct Polynomial {
    pub(super) start: Unknowns,
    pub(super) coefficients: [Unknowns; 7],
    pub(super) end_state: State<f64>,
}

impl Dense<'_> {
    /// The state at a part of the step, from 0 to 1, and at that elapsed time; at 1 the bits of the
    /// step's end.
    pub(super) fn at(&self, part: f64, elapsed: f64) -> Result<State<f64>, Error> {
        match self {
            Dense::Exact { body, start } => body.after(elapsed - start),
            Dense::OfOrder7(polynomial) => Ok(polynomial.at(part)),
            Dense::OfOrder3(curve) => Ok(curve.at(part)),
        }
    }
}

impl Polynomial {
    fn at(&self, part: f64) -> State<f64> {
        if part == 1.0 {
            return self.end_state;
        }
        let rest = 1.0 - part;
        let mut sum = self.coefficients[6].times(part);
        for i in (0..6).rev() {
            let factor = if i % 2 == 0 { part } else { rest };
            sum = sum.plus(&self.coefficients[i]).times(factor);
        }
        self.start.plus(&sum).end_state()
    }
}
