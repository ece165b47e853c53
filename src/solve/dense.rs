//! The states within a step of a solution, by the method that computed the step.

use super::control::{ComputedStep, StepPlan};
use super::curve::Curve;
use super::dop853::{Dop853, Polynomial};
use super::integrator::{Integrator, RungeKutta, Stepper};
use super::motion::{FreeBody, Rates, Unknowns};
use super::rosenbrock;
use crate::error::Error;
use crate::kernel::State;

/// The polynomial through a step serves if its slope differs from that of the motion by at most
/// this many tolerances, at these parts of the step. The error of the state, of order 8, is about
/// an eighth of the error of the slope in units of the step.
const OF_SLOPE: f64 = 8.0;

/// The states within a step, as functions of the part of the step that has passed.
#[allow(clippy::large_enum_variant)] // one at a time, on the stack
pub(super) enum Dense<'a> {
    /// The free rotation from an elapsed time on.
    Exact { body: FreeBody<'a>, start: f64 },
    /// The dense output of DOP853, or of the extrapolated splitting.
    Whole(StepCurve),
    /// That of shorter steps, where the polynomial through the step does not follow the motion.
    InParts(ShorterSteps),
    /// The dense output of RODAS.
    OfOrder3(rosenbrock::StiffStep),
}

/// The polynomial through a step, whose slope can be compared with that of the motion.
#[allow(clippy::large_enum_variant)] // one at a time, on the stack
pub(super) enum StepCurve {
    Explicit(Polynomial),
    Extrapolated(Curve),
}

impl StepCurve {
    fn at(&self, part: f64) -> State<f64> {
        match self {
            StepCurve::Explicit(polynomial) => polynomial.at(part),
            StepCurve::Extrapolated(curve) => curve.at(part),
        }
    }

    fn with_slope(&self, part: f64) -> (State<f64>, Unknowns) {
        match self {
            StepCurve::Explicit(polynomial) => polynomial.with_slope(part),
            StepCurve::Extrapolated(curve) => curve.with_slope(part),
        }
    }

    /// The parts of the step at which slopes are compared.
    fn looked_at(&self) -> [f64; 2] {
        match self {
            StepCurve::Explicit(_) => [0.5, 0.9],
            StepCurve::Extrapolated(curve) => curve.where_errors_are_steepest(),
        }
    }
}

impl Dense<'_> {
    /// The state at a part of the step, from 0 to 1, which is at the time `elapsed`. At 1 it has
    /// the bits of the step's end.
    pub(super) fn at(&self, part: f64, elapsed: f64) -> Result<State<f64>, Error> {
        match self {
            Dense::Exact { body, start } => body.after(elapsed - start),
            Dense::Whole(within) => Ok(within.at(part)),
            Dense::InParts(parts) => Ok(parts.at(part)),
            Dense::OfOrder3(curve) => Ok(curve.at(part)),
        }
    }
}

/// The longest and the shortest of the shorter steps through a step, as parts of it.
const LONGEST_PART: f64 = 0.25;
const SHORTEST_PART: f64 = 1.0 / 128.0;

/// The dense output of shorter steps through a step.
///
/// Where stability decides the length `h` of a step, something decays by `e^−z` in it, with `z` up
/// to 6, or oscillates by `z` radians. The end of the step damps this motion, or amplifies it no
/// further than the tolerance, but the polynomial of order 7 follows `e^−zθ` only with an error of
/// `z⁸`: it multiplies the remainder of the motion, which has the size of the tolerance, by 500 and
/// more. In a quarter of the step the error is 4⁸ times smaller.
///
/// A body at rest in a stable equilibrium moves by rounding alone, so in its steps `z` may be 100
/// and more, until the rounding that they amplify has the size of the tolerance. Four steps of a
/// quarter amplify it further. So each of the shorter steps is itself looked at, and halved until
/// its polynomial follows the motion.
pub(super) struct ShorterSteps {
    parts: Vec<ShorterStep>,
    /// The end of the step, which differs from the end of the last part by the error of the step.
    end_state: State<f64>,
}

/// One of the shorter steps.
struct ShorterStep {
    /// Where it starts and how long it is, as parts of the whole step.
    start: f64,
    length: f64,
    within: StepCurve,
}

impl ShorterSteps {
    fn at(&self, part: f64) -> State<f64> {
        if part == 1.0 {
            return self.end_state;
        }
        let after = self.parts.partition_point(|other| other.start <= part);
        let here = &self.parts[after.saturating_sub(1)];
        here.within.at((part - here.start) / here.length)
    }
}

impl<'a> Integrator<'a> {
    /// The states within the step from [`Integrator::next_step`]. An explicit step takes five more
    /// evaluations or, where a polynomial does not follow the motion, 17 for each of some shorter
    /// steps, 73 or more; and the evaluation at its end, which the next step needs anyway.
    pub(super) fn dense(&mut self) -> Result<Dense<'a>, Error> {
        if let Some(body) = self.free {
            let start = self.span.start;
            return Ok(Dense::Exact { body, start });
        }
        if let Stepper::RungeKutta(RungeKutta {
            stiff_step: Some(step),
            ..
        }) = &self.stepper
        {
            return Ok(Dense::OfOrder3(*step));
        }
        self.dense_under_torque()
            .map_err(|error| self.located(error))
    }

    fn dense_under_torque(&mut self) -> Result<Dense<'a>, Error> {
        let ComputedStep { plan, end_state } = self.step;
        let at_end = self.motion.rates(plan.end, &end_state)?;
        self.rates_at_end = Some(at_end);
        let start = self.state;
        let rates = self.first_rates()?;
        let motion = &mut self.motion;
        let within = match &mut self.stepper {
            Stepper::Splitting(method) => {
                StepCurve::Extrapolated(method.dense(motion, &plan, &start, [&rates, &at_end])?)
            }
            Stepper::RungeKutta(method) => {
                StepCurve::Explicit(method.explicit.dense(motion, &plan, &start, &at_end)?)
            }
        };
        if !self.follows(&within, &plan)?
            && let Some(parts) = self.parts(&plan, end_state)?
        {
            return Ok(Dense::InParts(parts));
        }
        Ok(Dense::Whole(within))
    }

    /// Whether a polynomial follows the motion within a step.
    fn follows(&mut self, within: &StepCurve, plan: &StepPlan) -> Result<bool, Error> {
        for part in within.looked_at() {
            let (state, slope) = within.with_slope(part);
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

    /// Shorter steps through a step; `None` if the shortest of them overflows. Errors: it meets a
    /// torque that is not finite, over which the step itself has passed.
    fn parts(
        &mut self,
        whole: &StepPlan,
        end_state: State<f64>,
    ) -> Result<Option<ShorterSteps>, Error> {
        let mut parts = Vec::new();
        let mut start_state = self.state;
        let mut rates = self.first_rates()?;
        let mut start = 0.0;
        let longest = match &self.stepper {
            Stepper::Splitting(_) => 0.5,
            Stepper::RungeKutta(_) => LONGEST_PART,
        };
        let mut length = longest;
        while start < 1.0 {
            let plan = whole.between(start, start + length);
            let is_shortest = length <= SHORTEST_PART;
            let (within, rates_at_end) = match self.shorter_step(&plan, &start_state, &rates) {
                Ok((within, _)) if !is_shortest && !self.follows(&within, &plan)? => {
                    length *= 0.5;
                    continue;
                }
                Ok(step) => step,
                Err(Error::Overflow { .. }) if is_shortest => return Ok(None),
                Err(Error::Overflow { .. } | Error::TorqueNotFinite { .. }) if !is_shortest => {
                    length *= 0.5;
                    continue;
                }
                Err(cause) => return Err(cause),
            };
            start_state = within.at(1.0);
            rates = rates_at_end;
            parts.try_reserve(1)?;
            parts.push(ShorterStep {
                start,
                length,
                within,
            });
            start += length;
            if length < longest && start % (2.0 * length) == 0.0 {
                length *= 2.0;
            }
        }
        Ok(Some(ShorterSteps { parts, end_state }))
    }

    /// The dense output of a step from a state, and the rates at its end.
    fn shorter_step(
        &mut self,
        plan: &StepPlan,
        start: &State<f64>,
        rates: &Rates,
    ) -> Result<(StepCurve, Rates), Error> {
        let motion = &mut self.motion;
        if let Stepper::Splitting(whole) = &self.stepper {
            let mut method = whole.from(start)?;
            method.extrapolate(motion, plan, start, rates, &self.control)?;
            let at_end = motion.rates(plan.end, &method.end)?;
            let curve = method.dense(motion, plan, start, [rates, &at_end])?;
            return Ok((StepCurve::Extrapolated(curve), at_end));
        }
        let mut method = Dop853::new(start);
        method.try_step(motion, plan, start, rates)?;
        let at_end = motion.rates(plan.end, &method.end)?;
        let polynomial = method.dense(motion, plan, start, &at_end)?;
        Ok((StepCurve::Explicit(polynomial), at_end))
    }
}
