//! The integrator of one body with error control: it tries steps until one is exact enough.

use super::control::{Control, FARTHEST};
use super::dense::{Dense, PARTS, Parts, Polynomial};
use super::dop853::Dop853;
use super::free::FreeBody;
use super::motion::Motion;
use super::rosenbrock::{Curve, FARTHEST_STIFF, Slopes};
use super::step::{ErrorEstimate, Path, Plan, Step};
use super::unknowns::Unknowns;
use super::{Limits, SolveMethod, Statistics};
use crate::clock::Span;
use crate::error::Error;
use crate::kernel::{State, Vec3};

/// A step of DOP853 is stable up to a decay of `e⁻⁶` in it. After so many steps in a row near that
/// the torque looks stiff.
const NEAR: f64 = 3.7;
const STIFF_STEPS: u32 = 10;

/// A solution for stiff torques begins with stiff steps. It goes on with explicit ones when a bound
/// of the rates in the motion, times the length of the next step, falls below `SMOOTH`. It comes
/// back after `STIFF_ENOUGH` explicit steps in which something decays by more than `e^STIFF`: from
/// there on a stiff step costs less for the way it makes.
const STIFF: f64 = 2.0;
const STIFF_ENOUGH: u32 = 3;
const SMOOTH: f64 = 2.0;

/// The polynomial through a step serves if its slope is that of the motion to this many tolerances
/// at these parts of the step. The error of the state, of order 8, is about an eighth of that of the
/// slope in units of the step.
const OF_SLOPE: f64 = 8.0;
const LOOKED_AT: [f64; 2] = [0.5, 0.9];

/// The curve through a stiff step serves if it is as exact as a step to its middle.
const OF_CURVE: f64 = 1.0;

/// A step that overflows, or in which the torque is not finite, is tried again with these fractions
/// of its length.
const AFTER_OVERFLOW: f64 = 0.25;
const AFTER_NON_FINITE_TORQUE: f64 = 0.1;

/// A body on its way, with its torque.
pub(crate) struct Integrator<'a> {
    pub(crate) state: State<f64>,
    /// From what the clock showed at the start of the solution.
    pub(crate) elapsed: f64,
    pub(super) span: Span,
    pub(super) limits: Limits,
    accepted: u64,
    rejected: u64,
    /// The body at the start, if nothing acts on it.
    pub(super) free: Option<FreeBody<'a>>,
    /// The longest time that is a step for a free body.
    pub(super) longest_free: f64,
    motion: Motion<'a>,
    /// The last step that was computed. It stays here, because to pass it on would take as long as
    /// one of its stages: a copy waits for numbers that have just been written.
    pub(super) step: Step,
    /// `ω'` at `state`; `None` before the first step.
    acceleration: Option<Vec3<f64>>,
    /// `ω'` at the end of the step that [`Integrator::dense`] was asked for.
    acceleration_at_end: Option<Vec3<f64>>,
    control: Control,
    explicit: Dop853,
    /// Whether the method is for stiff torques, and whether its next step is stiff.
    may_be_stiff: bool,
    is_stiff: bool,
    /// The derivatives for a stiff step from `state`, and the last of these steps.
    slopes: Option<Slopes>,
    curve: Option<Curve>,
    /// Whether the curve is exact enough for rows; `None`: nobody has looked.
    curve_serves: Option<bool>,
    /// The length of the last step, if it was explicit and its stability has not been looked at.
    last_explicit: Option<f64>,
    /// Steps whose length stability decided.
    stiff_steps: u32,
}

/// What became of a step that was tried.
enum Trial {
    Accepted,
    TooInaccurate,
    Overflowed,
    /// The step may only be too long, its stages in places that the body avoids.
    TorqueNotFinite(Error),
}

impl<'a> Integrator<'a> {
    /// `free`: the body, if nothing acts on it.
    pub(crate) fn new(
        state: State<f64>,
        free: Option<FreeBody<'a>>,
        motion: Motion<'a>,
        span: Span,
        tolerance: f64,
        limits: Limits,
        method: SolveMethod,
    ) -> Self {
        Integrator {
            state,
            elapsed: span.start,
            span,
            limits,
            accepted: 0,
            rejected: 0,
            free,
            longest_free: f64::INFINITY,
            motion,
            step: Step {
                plan: Plan {
                    start: span.start,
                    end: span.start,
                    h: 0.0,
                    is_shortest: false,
                },
                end_state: state,
                path: Path::Exact,
            },
            acceleration: None,
            acceleration_at_end: None,
            control: Control::new(tolerance, limits.longest, &span, state.omega_body),
            explicit: Dop853::new(&state),
            may_be_stiff: method == SolveMethod::Stiff,
            is_stiff: method == SolveMethod::Stiff,
            slopes: None,
            curve: None,
            curve_serves: None,
            last_explicit: None,
            stiff_steps: 0,
        }
    }

    pub(crate) fn statistics(&self) -> Statistics {
        Statistics {
            evaluations: self.motion.evaluations,
            accepted: self.accepted,
            rejected: self.rejected,
        }
    }

    pub(super) fn time(&self) -> f64 {
        self.span.time(self.elapsed)
    }

    /// Computes `step`: tries steps until one is exact enough. An error leaves the state as it is.
    pub(super) fn next_step(&mut self) -> Result<(), Error> {
        match self.free {
            Some(body) => self.free_step(&body),
            None => self
                .step_under_torque()
                .map_err(|error| self.located(error)),
        }
    }

    /// Each stretch of a free body ends where one from the start of the solution does, so that
    /// rounding does not add up.
    fn free_step(&mut self, body: &FreeBody<'a>) -> Result<(), Error> {
        let start = self.elapsed;
        let longest = self.longest_free;
        let is_last = (self.span.end - start).abs() <= longest || start + longest == start;
        let end = if is_last {
            self.span.end
        } else {
            start + longest.copysign(self.span.end)
        };
        let end_state = body.after(end - self.span.start)?;
        let plan = Plan {
            start,
            end,
            h: end - start,
            is_shortest: false,
        };
        self.step = Step {
            plan,
            end_state,
            path: Path::Exact,
        };
        Ok(())
    }

    fn step_under_torque(&mut self) -> Result<(), Error> {
        let acceleration = self.first_acceleration()?;
        self.watch_stability(acceleration);
        let farthest = if self.is_stiff {
            FARTHEST_STIFF
        } else {
            FARTHEST
        };
        loop {
            let plan = (self.control).plan(self.elapsed, self.state.omega_body, farthest);
            let cause = match self.try_step(plan, acceleration)? {
                Trial::Accepted => return Ok(()),
                Trial::TooInaccurate => None,
                Trial::Overflowed => {
                    self.control.shorten(&plan, AFTER_OVERFLOW);
                    None
                }
                Trial::TorqueNotFinite(cause) => {
                    self.control.shorten(&plan, AFTER_NON_FINITE_TORQUE);
                    Some(cause)
                }
            };
            self.rejected += 1;
            if plan.is_shortest {
                return Err(cause.unwrap_or(Error::StepUnderflow {
                    time: self.time(),
                    step: plan.h,
                    looks_stiff: false,
                }));
            }
        }
    }

    fn try_step(&mut self, plan: Plan, acceleration: Vec3<f64>) -> Result<Trial, Error> {
        let computed = if self.is_stiff {
            self.try_stiff_step(&plan, acceleration)
        } else {
            self.try_explicit_step(&plan, acceleration)
        };
        let error = match computed {
            Ok(error) => error,
            Err(Error::Overflow { .. }) => return Ok(Trial::Overflowed),
            Err(cause @ Error::TorqueNotFinite { .. }) => return Ok(Trial::TorqueNotFinite(cause)),
            Err(cause) => return Err(cause),
        };
        let omega = self.step.end_state.omega_body;
        if self.control.accepts(&plan, &error, omega) {
            Ok(Trial::Accepted)
        } else {
            Ok(Trial::TooInaccurate)
        }
    }

    fn try_explicit_step(
        &mut self,
        plan: &Plan,
        acceleration: Vec3<f64>,
    ) -> Result<ErrorEstimate, Error> {
        let error = (self.explicit).try_step(&mut self.motion, plan, &self.state, acceleration)?;
        self.last_explicit = Some(plan.h);
        self.step = Step {
            plan: *plan,
            end_state: self.explicit.end,
            path: Path::Explicit,
        };
        Ok(error)
    }

    /// The derivatives at the start serve until a step from there is accepted.
    fn try_stiff_step(
        &mut self,
        plan: &Plan,
        acceleration: Vec3<f64>,
    ) -> Result<ErrorEstimate, Error> {
        let slopes = match self.slopes {
            Some(slopes) => slopes,
            None => {
                let speed = self.control.speed(plan);
                let later = self.resolved(plan);
                Slopes::new(
                    &mut self.motion,
                    plan,
                    &self.state,
                    acceleration,
                    speed,
                    later,
                )?
            }
        };
        self.slopes = Some(slopes);
        let Some(curve) = Curve::new(&mut self.motion, plan, &self.state, &slopes)? else {
            return Err(self.overflow());
        };
        self.curve = Some(curve);
        self.curve_serves = None;
        self.step = Step {
            plan: *plan,
            end_state: curve.at(1.0),
            path: Path::Stiff,
        };
        Ok(ErrorEstimate::Stiff(curve.error))
    }

    /// The time for the derivative by it, as the clock resolves it.
    fn resolved(&self, plan: &Plan) -> f64 {
        let later = super::rosenbrock::INCREMENT_OF_TIME * plan.h;
        let resolved = self.span.time(plan.start + later) - self.span.time(plan.start);
        if resolved == 0.0 {
            later // the clock does not resolve it, but rotors do
        } else {
            resolved
        }
    }

    /// Takes the step from [`Integrator::next_step`].
    pub(super) fn take(&mut self) {
        let Step {
            plan, end_state, ..
        } = self.step;
        self.stop(plan.end, &end_state);
        self.acceleration = self.acceleration_at_end.take();
        if let Some(slopes) = self.slopes.take() {
            self.is_stiff = slopes.rate() * self.control.next_length() > SMOOTH;
            self.stiff_steps = 0;
        }
    }

    /// Takes a part of a step, as the last one. All steps of a free body are one.
    pub(super) fn stop(&mut self, elapsed: f64, state: &State<f64>) {
        self.state = *state;
        self.elapsed = elapsed;
        if self.free.is_some() {
            self.accepted = 1;
        } else {
            self.accepted += 1;
        }
    }

    /// The states within the step from [`Integrator::next_step`]. Those of an explicit step take
    /// five more evaluations or, where a polynomial does not follow the motion, 65; and that at its
    /// end, which the next step needs too.
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
        let at_end = self.motion.acceleration(plan.end, &end_state)?;
        self.acceleration_at_end = Some(at_end);
        let polynomial = (self.explicit).dense(&mut self.motion, &plan, &self.state, at_end)?;
        if !self.follows(&polynomial, &plan)?
            && let Some(parts) = self.parts(&plan, end_state)?
        {
            return Ok(Dense::InParts(parts));
        }
        Ok(Dense::OfOrder7(polynomial))
    }

    /// Whether a polynomial follows the motion within a step.
    fn follows(&mut self, polynomial: &Polynomial, plan: &Plan) -> Result<bool, Error> {
        for part in LOOKED_AT {
            let (state, slope) = polynomial.with_slope(part);
            let acceleration = match (self.motion).acceleration(plan.elapsed(part), &state) {
                Ok(acceleration) => acceleration,
                Err(Error::TorqueNotFinite { .. } | Error::Overflow { .. }) => return Ok(false),
                Err(cause) => return Err(cause),
            };
            let apart = slope.minus(&Unknowns::of(&state).gain(acceleration, plan.h));
            if self.control.exceeds(OF_SLOPE, plan, &apart.squared()) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The state within a stiff step through which the curve, of order 3 only, is not exact enough.
    pub(super) fn within_stiff_step(&mut self, elapsed: f64) -> Result<Option<State<f64>>, Error> {
        let (Path::Stiff, Some(slopes), Some(curve)) = (self.step.path, self.slopes, self.curve)
        else {
            return Ok(None);
        };
        let serves = match self.curve_serves {
            Some(serves) => serves,
            None => self.curve_serves(&slopes, &curve)?,
        };
        self.curve_serves = Some(serves);
        if serves {
            return Ok(None);
        }
        self.shorter_stiff_step(&slopes, elapsed)
    }

    /// Whether the curve through a stiff step is as exact as a step to its middle.
    fn curve_serves(&mut self, slopes: &Slopes, curve: &Curve) -> Result<bool, Error> {
        let plan = self.step.plan;
        let Some(middle) = self.shorter_stiff_step(slopes, plan.elapsed(0.5))? else {
            return Ok(true);
        };
        let apart = Unknowns::of(&curve.at(0.5)).minus(&Unknowns::of(&middle));
        Ok(!self.control.exceeds(OF_CURVE, &plan, &apart.squared()))
    }

    /// A stiff step from the start of the last one, with the same derivatives; `None`: it fails.
    fn shorter_stiff_step(
        &mut self,
        slopes: &Slopes,
        elapsed: f64,
    ) -> Result<Option<State<f64>>, Error> {
        let start = self.step.plan.start;
        let plan = Plan {
            end: elapsed,
            h: elapsed - start,
            ..self.step.plan
        };
        match Curve::new(&mut self.motion, &plan, &self.state, slopes) {
            Ok(curve) => Ok(curve.map(|curve| curve.at(1.0))),
            Err(Error::Overflow { .. } | Error::TorqueNotFinite { .. }) => Ok(None),
            Err(cause) => Err(self.located(cause)),
        }
    }

    /// Shorter steps through a step; `None` if one of them overflows, or meets a torque that is not
    /// finite.
    fn parts(&mut self, whole: &Plan, end_state: State<f64>) -> Result<Option<Parts>, Error> {
        let mut method = Dop853::new(&self.state);
        let mut start = self.state;
        let mut acceleration = self.first_acceleration()?;
        let mut next = |i: usize| -> Result<Polynomial, Error> {
            let plan = whole.part(i, PARTS);
            method.try_step(&mut self.motion, &plan, &start, acceleration)?;
            let at_end = self.motion.acceleration(plan.end, &method.end)?;
            let polynomial = method.dense(&mut self.motion, &plan, &start, at_end)?;
            start = method.end;
            acceleration = at_end;
            Ok(polynomial)
        };
        let mut all = || Ok([next(0)?, next(1)?, next(2)?, next(3)?]);
        match all() {
            Ok(polynomials) => Ok(Some(Parts {
                polynomials,
                end_state,
            })),
            Err(Error::Overflow { .. } | Error::TorqueNotFinite { .. }) => Ok(None),
            Err(cause) => Err(cause),
        }
    }

    /// The acceleration at the state; before the first step also the size of that step.
    fn first_acceleration(&mut self) -> Result<Vec3<f64>, Error> {
        if let Some(acceleration) = self.acceleration {
            return Ok(acceleration);
        }
        let acceleration = self.motion.acceleration(self.elapsed, &self.state)?;
        self.acceleration = Some(acceleration);
        if self.accepted == 0 {
            self.look_ahead(acceleration)?;
        }
        Ok(acceleration)
    }

    fn look_ahead(&mut self, acceleration: Vec3<f64>) -> Result<(), Error> {
        let omega = self.state.omega_body;
        let h = self.control.probe(omega, acceleration);
        let start = Unknowns::of(&self.state);
        let ahead = start.plus(&start.gain(acceleration, h)).state();
        match self.motion.acceleration(self.elapsed + h, &ahead) {
            Ok(after) => self.control.begin(omega, acceleration, after),
            // The first step is shorter.
            Err(Error::TorqueNotFinite { .. } | Error::Overflow { .. }) => {}
            Err(cause) => return Err(cause),
        }
        Ok(())
    }

    /// Whether stability decided the length of the last step.
    fn watch_stability(&mut self, acceleration: Vec3<f64>) {
        let Some(h) = self.last_explicit.take() else {
            return;
        };
        if self.is_stiff {
            return;
        }
        let bound = if self.may_be_stiff { STIFF } else { NEAR };
        if (self.explicit).changes_by_more_than(bound, acceleration, h) {
            self.stiff_steps += 1;
        } else {
            self.stiff_steps /= 2;
        }
        self.is_stiff = self.may_be_stiff && self.stiff_steps >= STIFF_ENOUGH;
    }

    fn overflow(&self) -> Error {
        Error::Overflow {
            time: self.time(),
            size: None,
        }
    }

    /// Adds to an error where the body is, and whether the torque looks stiff and the method is not
    /// for such.
    #[cold]
    fn located(&self, error: Error) -> Error {
        let time = self.time();
        let looks_stiff = !self.may_be_stiff && self.stiff_steps >= STIFF_STEPS;
        match error {
            Error::TooManyEvaluations { most, .. } => Error::TooManyEvaluations {
                most,
                time,
                looks_stiff,
            },
            Error::Overflow {
                time: unknown,
                size,
            } if unknown.is_nan() => Error::Overflow { time, size },
            Error::StepUnderflow { step, .. } => Error::StepUnderflow {
                time,
                step,
                looks_stiff,
            },
            other => other,
        }
    }
}
