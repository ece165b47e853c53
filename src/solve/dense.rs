//! The states within a step of a solution, by the method that computed the step.

use super::control::{Path, Step, StepPlan};
use super::dop853::{Dop853, Polynomial};
use super::integrator::Integrator;
use super::motion::{FreeBody, Motion, Rates, Unknowns};
use super::rosenbrock::Curve;
use crate::error::Error;
use crate::kernel::State;

/// The polynomial through a step serves if its slope differs from that of the motion by at most this
/// many tolerances, at these parts of the step. The error of the state, of order 8, is about an
/// eighth of the error of the slope in units of the step.
const OF_SLOPE: f64 = 8.0;
const LOOKED_AT: [f64; 2] = [0.5, 0.9];

/// The states within a step, as functions of the part of the step that has passed.
#[allow(clippy::large_enum_variant)] // one at a time, on the stack
pub(super) enum Dense<'a> {
    /// The free rotation from an elapsed time on.
    Exact { body: FreeBody<'a>, start: f64 },
    /// The dense output of DOP853.
    OfOrder7(Polynomial),
    /// The dense output of DOP853 in parts, for a step whose length stability decides.
    InParts(Parts),
    /// The dense output of RODAS.
    OfOrder3(Curve),
}

impl Dense<'_> {
    /// The state at a part of the step, from 0 to 1, which is at the time `elapsed`. At 1 it has the
    /// bits of the step's end.
    pub(super) fn at(&self, part: f64, elapsed: f64) -> Result<State<f64>, Error> {
        match self {
            Dense::Exact { body, start } => body.after(elapsed - start),
            Dense::OfOrder7(polynomial) => Ok(polynomial.at(part)),
            Dense::InParts(parts) => Ok(parts.at(part)),
            Dense::OfOrder3(curve) => Ok(curve.at(part)),
        }
    }
}

/// The number of parts of a step whose length stability decides.
const PARTS: usize = 4;

/// The dense output of shorter steps through a step.
///
/// Where stability decides the length `h` of a step, something decays by `e^−z` in it, with `z` up
/// to 6. The end of the step damps this decay, but the polynomial of order 7 follows `e^−zθ` only
/// with an error of `z⁸`: it multiplies the remainder of the decay, which has the size of the
/// tolerance, by up to 500. In a quarter of the step the error is 4⁸ times smaller.
pub(super) struct Parts {
    polynomials: [Polynomial; PARTS],
    /// The end of the step, which differs from the end of the last part by the error of the step.
    end_state: State<f64>,
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

impl<'a> Integrator<'a> {
    /// The states within the step from [`Integrator::next_step`]. An explicit step takes five more
    /// evaluations or, where a polynomial does not follow the motion, 65; and the evaluation at its
    /// end, which the next step needs anyway.
    pub(super) fn dense(&mut self) -> Result<Dense<'a>, Error> {
        match (self.step.path, self.free, self.curve) {
            (Path::Exact, Some(body), _) => Ok(Dense::Exact {
                body,
                start: self.span.start,
            }),
            (Path::Stiff, _, Some(curve)) => Ok(Dense::OfOrder3(curve)),
            _ => self.explicit_dense().map_err(|error| self.located(error)),
        }
    }

    fn explicit_dense(&mut self) -> Result<Dense<'a>, Error> {
        let Step {
            plan, end_state, ..
        } = self.step;
        let at_end = self.motion.rates(plan.end, &end_state)?;
        self.rates_at_end = Some(at_end);
        let polynomial = (self.explicit).dense(&mut self.motion, &plan, &self.state, &at_end)?;
        if !self.follows(&polynomial, &plan)?
            && let Some(parts) = self.parts(&plan, end_state)?
        {
            return Ok(Dense::InParts(parts));
        }
        Ok(Dense::OfOrder7(polynomial))
    }

    /// Whether a polynomial follows the motion within a step.
    fn follows(&mut self, polynomial: &Polynomial, plan: &StepPlan) -> Result<bool, Error> {
        for part in LOOKED_AT {
            let (state, slope) = polynomial.with_slope(part);
            let rates = match (self.motion).rates(plan.elapsed(part), &state) {
                Ok(rates) => rates,
                Err(Error::TorqueNotFinite { .. } | Error::Overflow { .. }) => return Ok(false),
                Err(cause) => return Err(cause),
            };
            let apart = slope.minus(&Unknowns::of(&state).gain_at(&rates, plan.h));
            if self.control.exceeds(OF_SLOPE, plan, &apart.squared()) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Shorter steps through a step; `None` if one of them overflows, or meets a torque that is not
    /// finite.
    fn parts(&mut self, whole: &StepPlan, end_state: State<f64>) -> Result<Option<Parts>, Error> {
        match self.polynomials(whole) {
            Ok(polynomials) => Ok(Some(Parts {
                polynomials,
                end_state,
            })),
            Err(Error::Overflow { .. } | Error::TorqueNotFinite { .. }) => Ok(None),
            Err(cause) => Err(cause),
        }
    }

    /// The dense output of each part of a step.
    fn polynomials(&mut self, whole: &StepPlan) -> Result<[Polynomial; PARTS], Error> {
        let mut part = PartOfStep {
            method: Dop853::new(&self.state),
            start: self.state,
            rates: self.first_rates()?,
        };
        Ok([
            part.next(&mut self.motion, &whole.part(0, PARTS))?,
            part.next(&mut self.motion, &whole.part(1, PARTS))?,
            part.next(&mut self.motion, &whole.part(2, PARTS))?,
            part.next(&mut self.motion, &whole.part(3, PARTS))?,
        ])
    }
}

/// The start of a part of a step, and the method that goes through it.
struct PartOfStep {
    method: Dop853,
    start: State<f64>,
    rates: Rates,
}

impl PartOfStep {
    /// Goes to the end of the part, and returns its dense output.
    fn next(&mut self, motion: &mut Motion, plan: &StepPlan) -> Result<Polynomial, Error> {
        (self.method).try_step(motion, plan, &self.start, &self.rates)?;
        let at_end = motion.rates(plan.end, &self.method.end)?;
        let polynomial = (self.method).dense(motion, plan, &self.start, &at_end)?;
        self.start = self.method.end;
        self.rates = at_end;
        Ok(polynomial)
    }
}
