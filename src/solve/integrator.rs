//! The integrator of one body with error control: it tries steps until one is exact enough.

use super::control::{ComputedStep, Control, ErrorEstimate, FARTHEST, StepPlan, time_to_turn};
use super::dop853::Dop853;
use super::extrapolation::{self, Extrapolation};
use super::motion::{Equations, FreeBody, Rates, Unknowns};
use super::rosenbrock::{FARTHEST_STIFF, INCREMENT_OF_TIME, Slopes, StiffStep};
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
    /// The unknowns of [`Equations`]: the state, where the inertia is constant.
    pub(crate) state: State<f64>,
    /// The time since the clock's time at the start of the solution.
    pub(crate) elapsed: f64,
    pub(super) span: Span,
    pub(super) limits: Limits,
    pub(super) accepted: u64,
    rejected: u64,
    pub(crate) motion: Equations<'a>,
    /// The last step that was computed. It stays here because passing it on would take as long as
    /// one of its stages: a copy waits for numbers that have just been written.
    pub(super) step: ComputedStep,
    /// The rates at `state`; `None` before the first step.
    rates: Option<Rates>,
    /// The rates at the end of the step, if [`Integrator::dense`] has computed them.
    pub(super) rates_at_end: Option<Rates>,
    pub(super) control: Control,
    /// The body at the start, if nothing acts on it: its rotation is exact over any time.
    pub(super) free: Option<FreeBody<'a>>,
    /// The longest step of a free body.
    pub(super) longest_free: f64,
    /// How the steps of a body under a torque are taken.
    pub(super) stepper: Stepper,
}

/// How the steps of a body under a torque are taken.
#[allow(clippy::large_enum_variant)] // one for a solution, on the stack
pub(super) enum Stepper {
    RungeKutta(RungeKutta),
    Splitting(Extrapolation),
}

/// DOP853 and, if the torque may be stiff, RODAS where it costs less.
pub(super) struct RungeKutta {
    span: Span,
    pub(super) explicit: Dop853,
    may_be_stiff: bool,
    /// Whether the next step is stiff.
    is_stiff: bool,
    /// The derivatives for a stiff step from the state.
    slopes: Option<Slopes>,
    /// The last step that was computed, if it was stiff.
    pub(super) stiff_step: Option<StiffStep>,
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
        motion: Equations<'a>,
        span: Span,
        settings: Settings,
    ) -> Result<Self, Error> {
        let longest_step = settings.limits.longest_step;
        let start = state;
        let state = motion.unknowns_of(&start);
        let stepper = match settings.method {
            SolveMethod::Nonstiff => Stepper::RungeKutta(RungeKutta::new(&state, span, false)),
            SolveMethod::Stiff => Stepper::RungeKutta(RungeKutta::new(&state, span, true)),
            SolveMethod::Splitting => {
                Stepper::Splitting(Extrapolation::new(&state, settings.tolerance)?)
            }
        };
        Ok(Integrator {
            start,
            state,
            elapsed: span.start,
            span,
            limits: settings.limits,
            accepted: 0,
            rejected: 0,
            motion,
            step: ComputedStep {
                plan: StepPlan {
                    start: span.start,
                    end: span.start,
                    h: 0.0,
                    is_shortest: false,
                },
                end_state: state,
            },
            rates: None,
            rates_at_end: None,
            control: Control::new(settings.tolerance, longest_step, &span, state.omega_body),
            free,
            longest_free: f64::INFINITY,
            stepper,
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
        self.step = ComputedStep { plan, end_state };
        Ok(())
    }

    fn step_under_torque(&mut self) -> Result<(), Error> {
        let rates = self.first_rates()?;
        if let Stepper::RungeKutta(method) = &mut self.stepper {
            method.watch_stability(rates.acceleration);
        }
        loop {
            let longest = self.stepper.longest(&self.motion, &rates);
            let plan = (self.control).plan(self.elapsed, longest);
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

    fn try_step(&mut self, plan: StepPlan, rates: &Rates) -> Result<Trial, Error> {
        let motion = &mut self.motion;
        let computed = (self.stepper).try_step(motion, &plan, &self.state, rates, &self.control);
        let error = match computed {
            Ok(error) => error,
            Err(Error::Overflow { .. }) => return Ok(Trial::Overflowed),
            Err(cause @ Error::TorqueNotFinite { .. }) => return Ok(Trial::TorqueNotFinite(cause)),
            Err(cause) => return Err(cause),
        };
        let end_state = self.stepper.end();
        self.step = ComputedStep { plan, end_state };
        let omega = end_state.omega_body;
        if self.control.accepts(&plan, &error, omega) {
            Ok(Trial::Accepted)
        } else {
            Ok(Trial::TooInaccurate)
        }
    }

    /// Takes the step from [`Integrator::next_step`].
    pub(super) fn take(&mut self) {
        let ComputedStep { plan, end_state } = self.step;
        self.stop(plan.end, &end_state);
        self.rates = self.rates_at_end.take();
        if let Stepper::RungeKutta(method) = &mut self.stepper {
            method.accepted(self.control.next_length());
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

    /// Adds to an error the time of the body, and whether the torque looks stiff under a method
    /// that is not for stiff torques.
    #[cold]
    pub(super) fn located(&self, error: Error) -> Error {
        let time = self.time();
        let looks_stiff = match &self.stepper {
            Stepper::RungeKutta(method) => method.looks_stiff(),
            Stepper::Splitting(_) => {
                extrapolation::longest_in_drag(&self.motion) <= self.control.next_length()
            }
        };
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
                if matches!(self.stepper, Stepper::Splitting(_))
                    && torque.iter().any(|x| x.is_nan()) =>
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

impl Stepper {
    /// The longest step for the motion at a state, whatever its error.
    fn longest(&self, motion: &Equations, rates: &Rates) -> f64 {
        match self {
            Stepper::RungeKutta(method) => time_to_turn(method.farthest(), rates.omega_body),
            Stepper::Splitting(_) => extrapolation::longest(motion, rates),
        }
    }

    #[inline(always)]
    fn try_step(
        &mut self,
        motion: &mut Equations,
        plan: &StepPlan,
        start: &State<f64>,
        rates: &Rates,
        control: &Control,
    ) -> Result<ErrorEstimate, Error> {
        match self {
            Stepper::RungeKutta(method) => method.try_step(motion, plan, start, rates, control),
            Stepper::Splitting(method) => method.try_step(motion, plan, start, rates, control),
        }
    }

    /// The end of the last step that was computed.
    #[inline(always)]
    fn end(&self) -> State<f64> {
        match self {
            Stepper::RungeKutta(method) => method.end(),
            Stepper::Splitting(method) => method.end,
        }
    }
}

impl RungeKutta {
    fn new(start: &State<f64>, span: Span, may_be_stiff: bool) -> Self {
        RungeKutta {
            span,
            explicit: Dop853::new(start),
            may_be_stiff,
            is_stiff: may_be_stiff,
            slopes: None,
            stiff_step: None,
            last_explicit: None,
            stiff_steps: 0,
        }
    }

    /// The longest turn that the next step is planned for, rad.
    fn farthest(&self) -> f64 {
        if self.is_stiff {
            FARTHEST_STIFF
        } else {
            FARTHEST
        }
    }

    #[inline(always)]
    fn try_step(
        &mut self,
        motion: &mut Equations,
        plan: &StepPlan,
        start: &State<f64>,
        rates: &Rates,
        control: &Control,
    ) -> Result<ErrorEstimate, Error> {
        if self.is_stiff {
            return self.try_stiff_step(motion, plan, start, rates.acceleration, control);
        }
        self.stiff_step = None;
        let error = self.explicit.try_step(motion, plan, start, rates)?;
        self.last_explicit = Some(plan.h);
        Ok(error)
    }

    /// The derivatives at the start are computed once and serve until a step from there is
    /// accepted.
    fn try_stiff_step(
        &mut self,
        motion: &mut Equations,
        plan: &StepPlan,
        start: &State<f64>,
        acceleration: Vec3<f64>,
        control: &Control,
    ) -> Result<ErrorEstimate, Error> {
        let slopes = match self.slopes {
            Some(slopes) => slopes,
            None => {
                let speed = control.speed(plan);
                let later = self.resolved(plan);
                Slopes::new(motion, plan, start, acceleration, speed, later)?
            }
        };
        self.slopes = Some(slopes);
        let Some(stiff_step) = StiffStep::new(motion, plan, start, &slopes)? else {
            return Err(motion.overflow());
        };
        self.stiff_step = Some(stiff_step);
        Ok(ErrorEstimate::Stiff(stiff_step.error))
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

    /// The end of the last step that was computed.
    #[inline(always)]
    fn end(&self) -> State<f64> {
        match &self.stiff_step {
            Some(stiff_step) => stiff_step.at(1.0),
            None => self.explicit.end,
        }
    }

    /// The step has been accepted. `next` is the length of the next one.
    fn accepted(&mut self, next: f64) {
        if let Some(slopes) = self.slopes.take() {
            self.is_stiff = slopes.rate() * next > SMOOTH;
            self.stiff_steps = 0;
        }
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

    /// Whether the torque looks stiff under a method that is not for stiff torques.
    fn looks_stiff(&self) -> bool {
        !self.may_be_stiff && self.stiff_steps >= STIFF_STEPS
    }
}
