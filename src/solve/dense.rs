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
    /// The same, of a step whose length stability decides.
    InParts(Parts),
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
            Dense::InParts(parts) => Ok(parts.at(part)),
            Dense::OfOrder3(curve) => Ok(curve.at(part)),
        }
    }
}

/// How many parts a step has whose length stability decides.
pub(super) const PARTS: usize = 4;

/// The dense output of shorter steps through a step.
///
/// Where stability decides the length `h` of a step, something decays by `e^−z` in it, with `z` up
/// to 6. The end of the step damps that, but the polynomial of order 7 follows `e^−zθ` only with an
/// error of `z⁸`: it multiplies what is left of the decay, at the size of the tolerance, by up to
/// 500. In a quarter of the step the error is 4⁸ times smaller.
pub(super) struct Parts {
    pub(super) polynomials: [Polynomial; PARTS],
    /// Of the step, which differs from that of the last part by the error of the step.
    pub(super) end_state: State<f64>,
}

impl Parts {
    fn at(&self, part: f64) -> State<f64> {
        if part == 1.0 {
            return self.end_state;
        }
        let place = part * PARTS as f64;
        let i = (place as usize).min(PARTS - 1);
        self.polynomials[i].at(place - i as f64)
    }
}

impl Polynomial {
    /// The state at a part of the step, and its derivative by the part.
    pub(super) fn with_slope(&self, part: f64) -> (State<f64>, Unknowns) {
        let rest = 1.0 - part;
        let mut sum = self.coefficients[6].times(part);
        let mut slope = self.coefficients[6];
        for i in (0..6).rev() {
            let inner = sum.plus(&self.coefficients[i]);
            if i % 2 == 0 {
                slope = slope.times(part).plus(&inner);
                sum = inner.times(part);
            } else {
                slope = slope.times(rest).minus(&inner);
                sum = inner.times(rest);
            }
        }
        (self.start.plus(&sum).end_state(), slope)
    }

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
