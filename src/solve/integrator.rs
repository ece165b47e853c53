//! The integrator of one body with error control: it tries steps until one is exact enough.

use super::control::{Control, ErrorEstimate, FARTHEST, Path, Step, StepPlan, time_to_turn};
use super::dop853::Dop853;
use super::extrapolation::{self, Extrapolation};
use super::motion::{FreeBody, Motion, Rates, Unknowns};
use super::rosenbrock::{Curve, FARTHEST_STIFF, INCREMENT_OF_TIME, Slopes};
use super::{Limits, Settings, SolveMethod, Statistics};
use crate::clock::Span;
use crate::error::Error;
use crate::kernel::{State, Vec3};

/// A step of DOP853 is stable while nothing decays by more than `e⁻⁶` in it. The torque looks stiff
/// after `STIFF_STEPS` steps in a row in which something decays by more than `e^−NEAR`.
const NEAR: f64 = 3.7;
const STIFF_STEPS: u32 = 10;

/// A solution for stiff torques begins with stiff steps. It goes on with explicit ones when a bound
/// of the rates in the motion, times the length of the next step, falls below `SMOOTH`. It comes
/// back after `STIFF_ENOUGH` explicit steps in which something decays by more than `e^−STIFF`: from
/// there on a stiff step costs less for the time it covers.
const STIFF: f64 = 2.0;
const STIFF_ENOUGH: u32 = 3;
const SMOOTH: f64 = 2.0;

/// A step that overflows, or in which the torque is not finite, is tried again with these fractions
/// of its length.
const AFTER_OVERFLOW: f64 = 0.25;
const AFTER_NON_FINITE_TORQUE: f64 = 0.1;

/// A body on its way through a solution, with its torque.
pub(crate) struct Integrator<'a> {
    /// The state at the start of the solution.
    pub(super) start: State<f64>,
    /// The unknowns of [`Motion`]: the state, where the inertia is constant.
    pub(crate) state: State<f64>,
    /// The time since the clock's time at the start of the solution.
    pub(crate) elapsed: f64,
    pub(super) span: Span,
    pub(super) limits: Limits,
    pub(super) accepted: u64,
    rejected: u64,
    /// The body at the start, if nothing acts on it.
    pub(super) free: Option<FreeBody<'a>>,
    /// The longest time that is a step for a free body.
    pub(super) longest_free: f64,
    pub(crate) motion: Motion<'a>,
    /// The last step that was computed. It stays here because passing it on would take as long as
    /// one of its stages: a copy waits for numbers that have just been written.
    pub(super) step: Step,
    /// The rates at `state`; `None` before the first step.
    rates: Option<Rates>,
    /// The rates at the end of the step, if [`Integrator::dense`] has computed them.
    pub(super) rates_at_end: Option<Rates>,
    pub(super) control: Control,
    pub(super) explicit: Dop853,
    /// The method, if it is the extrapolated splitting.
    pub(super) splitting: Option<Extrapolation>,
    /// Whether the method is for stiff torques.
    may_be_stiff: bool,
    /// Whether the next step is stiff.
    is_stiff: bool,
    /// The derivatives for a stiff step from `state`.
    slopes: Option<Slopes>,
    /// The last stiff step that was computed.
    pub(super) curve: Option<Curve>,
    /// The length of the last step, if it was explicit and its stability has not been looked at.
    last_explicit: Option<f64>,
    /// Explicit steps, of the last ones, whose length stability decided.
    stiff_steps: u32,
}

/// What became of a step that was tried.
enum Trial {
    Accepted,
    TooInaccurate,
    Overflowed,
    /// The step may only be too long, so that its stages are where the body never comes.
    TorqueNotFinite(Error),
}

impl<'a> Integrator<'a> {
    /// `free` is the body, if nothing acts on it.
    pub(crate) fn new(
        state: State<f64>,
        free: Option<FreeBody<'a>>,
        motion: Motion<'a>,
        span: Span,
        settings: Settings,
    ) -> Result<Self, Error> {
        let longest_step = settings.limits.longest_step;
        let is_stiff = settings.method == SolveMethod::Stiff;
        let start = state;
        let state = motion.unknowns_of(&start);
        let splitting = match settings.method {
            SolveMethod::Splitting => Some(Extrapolation::new(&state, settings.tolerance)?),
            SolveMethod::Nonstiff | SolveMethod::Stiff => None,
        };
        Ok(Integrator {
            start,
            state,
            elapsed: span.start,
            span,
            limits: settings.limits,
            accepted: 0,
            rejected: 0,
            free,
            longest_free: f64::INFINITY,
            motion,
            step: Step {
                plan: StepPlan {
                    start: span.start,
                    end: span.start,
                    h: 0.0,
                    is_shortest: false,
                },
                end_state: state,
                path: Path::Exact,
            },
            rates: None,
            rates_at_end: None,
            control: Control::new(settings.tolerance, longest_step, &span, state.omega_body),
            explicit: Dop853::new(&state),
            splitting,
            may_be_stiff: is_stiff,
            is_stiff,
            slopes: None,
            curve: None,
            last_explicit: None,
            stiff_steps: 0,
        })
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

    /// Computes `step`: tries steps until one is exact enough. The state does not change.
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
        let plan = StepPlan {
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
        let rates = self.first_rates()?;
        self.watch_stability(rates.acceleration);
        loop {
            let plan = (self.control).plan(self.elapsed, self.longest(&rates));
            let cause = match self.try_step(plan, &rates)? {
                Trial::Accepted => {
                    self.step.end_state =
                        self.motion.unknowns_at(plan.end, &self.step.end_state)?;
                    return Ok(());
                }
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

    /// The longest step for the motion at the state, whatever its error.
    fn longest(&self, rates: &Rates) -> f64 {
        if self.splitting.is_some() {
            return extrapolation::longest(&self.motion, rates);
        }
        let farthest = if self.is_stiff {
            FARTHEST_STIFF
        } else {
            FARTHEST
        };
        time_to_turn(farthest, rates.omega_body)
    }

    fn try_step(&mut self, plan: StepPlan, rates: &Rates) -> Result<Trial, Error> {
        let computed = if self.splitting.is_some() {
            self.try_extrapolated_step(&plan, rates)
        } else if self.is_stiff {
            self.try_stiff_step(&plan, rates.acceleration)
        } else {
            self.try_explicit_step(&plan, rates)
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
        plan: &StepPlan,
        rates: &Rates,
    ) -> Result<ErrorEstimate, Error> {
        let error = (self.explicit).try_step(&mut self.motion, plan, &self.state, rates)?;
        self.last_explicit = Some(plan.h);
        self.step = Step {
            plan: *plan,
            end_state: self.explicit.end,
            path: Path::Explicit,
        };
        Ok(error)
    }

    fn try_extrapolated_step(
        &mut self,
        plan: &StepPlan,
        rates: &Rates,
    ) -> Result<ErrorEstimate, Error> {
        let Some(method) = &mut self.splitting else {
            unreachable!("asked of this method alone")
        };
        let error = method.try_step(&mut self.motion, plan, &self.state, rates, &self.control)?;
        self.step = Step {
            plan: *plan,
            end_state: method.end,
            path: Path::Extrapolated,
        };
        Ok(error)
    }

    /// The derivatives at the start are computed once and serve until a step from there is
    /// accepted.
    fn try_stiff_step(
        &mut self,
        plan: &StepPlan,
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
        self.step = Step {
            plan: *plan,
            end_state: curve.at(1.0),
            path: Path::Stiff,
        };
        Ok(ErrorEstimate::Stiff(curve.error))
    }

    /// The difference of times for the derivative by the time, as the clock resolves it.
    fn resolved(&self, plan: &StepPlan) -> f64 {
        let later = INCREMENT_OF_TIME * plan.h;
        let resolved = self.span.time(plan.start + later) - self.span.time(plan.start);
        if resolved == 0.0 {
            later // the clock does not resolve it; driven rotors depend on the elapsed time
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
        self.rates = self.rates_at_end.take();
        if let Some(slopes) = self.slopes.take() {
            self.is_stiff = slopes.rate() * self.control.next_length() > SMOOTH;
            self.stiff_steps = 0;
        }
    }

    /// Moves to a state within a step or at its end. All steps of a free body count as one.
    pub(super) fn stop(&mut self, elapsed: f64, state: &State<f64>) {
        self.state = *state;
        self.elapsed = elapsed;
        if self.free.is_some() {
            self.accepted = 1;
        } else {
            self.accepted += 1;
        }
    }

    /// The rates at the state. Before the first step, this also chooses the size of that step.
    pub(super) fn first_rates(&mut self) -> Result<Rates, Error> {
        if let Some(rates) = self.rates {
            return Ok(rates);
        }
        let rates = self.motion.rates(self.elapsed, &self.state)?;
        self.rates = Some(rates);
        if self.accepted == 0 {
            self.look_ahead(&rates)?;
        }
        Ok(rates)
    }

    fn look_ahead(&mut self, rates: &Rates) -> Result<(), Error> {
        let omega = rates.omega_body;
        let acceleration = rates.acceleration;
        let h = self.control.probe(omega, acceleration);
        let start = Unknowns::of(&self.state);
        let ahead = start.plus(&start.gain_at(rates, h)).state();
        match self.motion.rates(self.elapsed + h, &ahead) {
            Ok(after) => (self.control).begin(omega, acceleration, after.acceleration),
            // the probe stays as the size of the first step
            Err(Error::TorqueNotFinite { .. } | Error::Overflow { .. }) => {}
            Err(cause) => return Err(cause),
        }
        Ok(())
    }

    /// Counts the steps whose length stability decided. Chooses whether the next step is stiff.
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

    /// Adds to an error the time of the body, and whether the torque looks stiff under a method
    /// that is not for stiff torques.
    #[cold]
    pub(super) fn located(&self, error: Error) -> Error {
        let time = self.time();
        let stability_decides = if self.splitting.is_some() {
            extrapolation::longest_in_drag(&self.motion) <= self.control.next_length()
        } else {
            self.stiff_steps >= STIFF_STEPS
        };
        let looks_stiff = !self.may_be_stiff && stability_decides;
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
            Error::TorqueNotFinite { time, torque }
                if self.splitting.is_some() && torque.iter().any(|x| x.is_nan()) =>
            {
                Error::TorqueReadsVelocity {
                    time,
                    method: "extrapolated splitting",
                    others: "QI_SOLVE_NONSTIFF and QI_SOLVE_STIFF",
                }
            }
            other => other,
        }
    }
}
