//! The integrator of one body with error control: the stages of its steps.

use super::attempt::{Attempt, Dense, FreeBody};
use super::control::{Control, FARTHEST, Plan};
use super::inertia::{Doubts, Unit, of_length, of_unit_length, to_scaled_matrix};
use super::rates::{Numbers, Rates, turned};
use super::rosenbrock::{Curve, Slopes};
use super::tableau::{AT, DENSE, DENSE_AT, DENSE_SLOPES, SLOPES};
use super::{Limits, SolveMethod, Statistics};
use crate::kernel::{Here, Quat, RotationMatrix, State, Vec3, velocity_gained};
use crate::{clock::Span, error::Error};

/// The torque in the world frame at an elapsed time, with all that acts, behind a pointer: the methods are compiled once.
pub(crate) type Ask<'a> = dyn FnMut(f64, &Here<f64>) -> Result<Vec3<f64>, Error> + 'a;

/// A step of DOP853 is stable up to a decay of `e⁻⁶` in it. After so many steps in a row near that the torque looks stiff.
const NEAR: f64 = 3.7;
const STIFF_STEPS: u32 = 10;

/// The solution for stiff torques goes on with stiff steps after some above the first, where one costs less; and comes back below the
/// second, the bound of the rates in the motion times the next stiff step.
const STIFF: f64 = 2.0;
const STIFF_ENOUGH: u32 = 3;
const SMOOTH: f64 = 2.0;

/// Of the time, in units of the step, for the derivative by it: a compromise of rounding and curvature.
const INCREMENT: f64 = 1e-5;

/// The farthest turn that a stiff step is planned for, rad.
const FARTHEST_STIFF: f64 = 1.0;

/// A body on its way, with its torque.
pub(crate) struct Integrator<'a> {
    /// The body at the start, if it is free, and the longest time that is a step for it.
    pub(super) free: Option<(FreeBody<'a>, f64)>,
    pub(crate) state: State<f64>,
    /// Since the start.
    pub(crate) elapsed: f64,
    pub(super) span: Span,
    pub(crate) statistics: Statistics,
    /// World frame, in units of moments: it is not computed from `state` again, which would add rounding errors.
    momentum: Vec3<f64>,
    /// In the same units; so is this, as long as the state has it to rounding.
    energy: f64,
    unit: Unit,
    torque: &'a mut Ask<'a>,
    /// The rate of the momentum at `state`; `None` before the first step.
    rate: Option<Vec3<f64>>,
    /// The same at the end of the step that [`Integrator::dense`] was asked for.
    ahead: Option<Vec3<f64>>,
    pub(super) limits: Limits,
    control: Control,
    rates: Rates,
    /// The last stage of the last step: its momentum, and the length of the step.
    last: (Vec3<f64>, f64),
    /// Steps whose length stability decided.
    stiff_steps: u32,
    /// Whether the method is for stiff torques.
    may_be_stiff: bool,
    /// Whether the next step is stiff, and the derivatives for it.
    is_stiff: bool,
    slopes: Option<Slopes>,
}

impl<'a> Integrator<'a> {
    pub(crate) fn new(
        body: FreeBody<'a>,
        is_free: bool,
        torque: &'a mut Ask<'a>,
        span: Span,
        tolerance: f64,
        limits: Limits,
        method: SolveMethod,
    ) -> Self {
        let (unit, state) = (Unit::new(body.inertia), body.state);
        Integrator {
            free: is_free.then_some((body, f64::INFINITY)),
            state,
            elapsed: span.start,
            span,
            statistics: Statistics::default(),
            momentum: unit.of(&state).momentum(),
            energy: unit.of(&state).energy(),
            unit,
            torque,
            rate: None,
            ahead: None,
            limits,
            control: Control::new(tolerance, limits.longest, &span, state.omega_body),
            rates: Rates([unit.of(&state); 16]), // not used
            last: (Vec3::splat(0.0), 0.0),
            stiff_steps: 0,
            may_be_stiff: method == SolveMethod::Stiff,
            is_stiff: method == SolveMethod::Stiff,
            slopes: None,
        }
    }

    /// Tries steps until one is exact enough. An error leaves the state as it is.
    pub(super) fn attempt(&mut self) -> Result<Attempt, Error> {
        if let Some((body, longest)) = self.free {
            // the last step ends where one from the start to the end does
            let (
                start,
                Span {
                    start: first,
                    end: last,
                    ..
                },
            ) = (self.elapsed, self.span);
            let is_last = (last - start).abs() <= longest || start + longest == start;
            let end = if is_last {
                last
            } else {
                start + longest.copysign(last)
            };
            let (from, since) = if is_last {
                (body.state, first)
            } else {
                (self.state, start)
            };
            let state = FreeBody {
                state: from,
                ..body
            }
            .after(end - since)?;
            let (gained, doubts) = (self.start(), Doubts::NONE); // not used
            return Ok(Attempt {
                start,
                end,
                state,
                h: end - start,
                gained,
                doubts,
                curve: None,
            });
        }
        let rate = self.first_rate()?;
        self.watch_stability(rate);
        loop {
            let farthest = if self.is_stiff {
                FARTHEST_STIFF
            } else {
                FARTHEST
            };
            let plan = self
                .control
                .plan(self.elapsed, self.state.omega_body, farthest);
            let outcome = if self.is_stiff {
                self.stiff_trial(&plan, rate)
            } else {
                self.trial(&plan, rate)
            };
            let (shorter, cause) = match outcome {
                Ok((step, true)) => return Ok(step),
                Ok(_) => (None, None),
                Err(Error::Overflow { .. }) => (Some(0.25), None),
                // the step may only be too long, its stages in places that the body avoids
                Err(cause @ Error::TorqueNotFinite { .. }) => (Some(0.1), Some(cause)),
                Err(cause) => return Err(cause),
            };
            if let Some(factor) = shorter {
                (self.control.h, self.control.was_rejected) = (plan.h * factor, true);
            }
            self.statistics.rejected += 1;
            if plan.is_shortest {
                let (time, looks_stiff) = self.whereabouts();
                return Err(cause.unwrap_or(Error::StepUnderflow {
                    time,
                    step: plan.h,
                    looks_stiff,
                }));
            }
        }
    }

    /// Takes a step from [`Integrator::attempt`].
    pub(super) fn take(&mut self, step: &Attempt) {
        if self.free.is_some() {
            return self.stop(step.end, &step.state);
        }
        let (end, own) = (
            self.start().plus(&step.gained),
            self.unit.of(&step.state).energy(),
        );
        (self.state, self.elapsed, self.momentum) = (step.state, step.end, end.momentum());
        self.energy = if (end.energy() - own).abs() <= 64.0 * f64::EPSILON * own {
            end.energy()
        } else {
            own
        };
        self.rate = self.ahead.take();
        self.statistics.accepted += 1;
        if let (Some(slopes), Some(_)) = (self.slopes.take(), step.curve) {
            self.is_stiff = slopes.rate() * self.control.h.abs() > SMOOTH;
            self.stiff_steps = 0;
        }
    }

    /// Takes a part of a step, as the last one. All steps of a free body are one.
    pub(super) fn stop(&mut self, elapsed: f64, state: &State<f64>) {
        (self.state, self.elapsed) = (*state, elapsed);
        self.statistics.accepted = if self.free.is_some() {
            1
        } else {
            self.statistics.accepted + 1
        };
    }

    /// The states within a step from [`Integrator::attempt`]: three more evaluations, and that at its end, which the next step needs too.
    pub(super) fn dense(&mut self, step: &Attempt) -> Result<Dense<'a>, Error> {
        if let Some((body, _)) = self.free {
            return Ok(Dense::Exact(
                FreeBody {
                    state: self.state,
                    ..body
                },
                step.start,
            ));
        }
        if let Some(curve) = step.curve {
            return Ok(Dense::OfOrder3(curve));
        }
        let (start, h) = (self.start(), step.h);
        let after = self.rate_at(step.end, &step.state)?;
        self.ahead = Some(after);
        let unit = self.unit;
        self.rates.0[12] = unit.rates(&unit.of(&step.state), step.state.omega_body, after, h);
        for (stage, (at, weights)) in (13..).zip(DENSE_AT.iter().zip(DENSE_SLOPES)) {
            let numbers = start.plus(&self.rates.weighted(weights));
            let q = of_unit_length(numbers.q());
            let omega_body = unit.omega_body(&q.to_matrix(), numbers.momentum());
            let rate = self.rate_at(step.start + at * h, &State { q, omega_body })?;
            self.rates.0[stage] = unit.rates(&numbers, omega_body, rate, h);
        }
        let (&Attempt { gained, doubts, .. }, rates) = (step, &self.rates);
        let at_start = rates.0[0].minus(&gained);
        let at_end = gained.minus(&rates.0[12]).minus(&at_start);
        let [c3, c4, c5, c6] = DENSE.map(|weights| rates.weighted(weights));
        Ok(Dense::OfOrder7 {
            unit,
            start,
            doubts,
            coefficients: [gained, at_start, at_end, c3, c4, c5, c6],
        })
    }

    /// All stages of a step but that at its end.
    ///
    /// The orientation of the next stage depends on the angular velocity of this one, not on its torque. It comes before the torque, so
    /// that a processor can do both at once.
    #[inline(always)]
    fn trial(&mut self, plan: &Plan, rate: Vec3<f64>) -> Result<(Attempt, bool), Error> {
        let (h, unit) = (plan.h, self.unit);
        let (half, per_unit) = (0.5 * h, h * unit.reciprocal);
        let start = self.start();
        let first = unit.rates(&start, self.state.omega_body, rate, h);
        self.rates.0[0] = first;
        let numbers = start.plus(&first.times(SLOPES[0][0].1));
        let (mut q, mut momentum, mut own) = (numbers.q(), numbers.momentum(), numbers.own());
        let mut last = (q, momentum);
        for stage in 1..12 {
            let (to_world, squared) = to_scaled_matrix(q);
            let per = 1.0 / squared;
            let omega_body = unit.omega_body(&to_world, momentum) * per;
            let ([a, b, c], omega_world) = (to_world.0, to_world.rotate(omega_body) * per);
            let (unit_q, rotation) = (
                q.scaled(of_length(squared)),
                RotationMatrix([a * per, b * per, c * per]),
            );
            let here = Here {
                q: unit_q,
                to_world: rotation,
                omega_body,
                omega_world,
            };
            last = (q, omega_body);
            self.last.0 = momentum;
            let q_rate = turned(q, omega_body);
            let (older, weight) = self.rates.before_newest(stage + 1, &start);
            let ([a, b, c, d], [w, x, y, z]) = (older.q().0, q_rate.scaled(half * weight).0);
            q = Quat([a + w, b + x, c + y, d + z]);

            let at = AT[stage - 1];
            let time = if at < 1.0 {
                self.elapsed + at * h
            } else {
                plan.end
            };
            self.count()?;
            let momentum_rate = (self.torque)(time, &here)?;
            let power = here.omega_world.dot(momentum_rate);
            let own_rate =
                unit.gyroscopic(own) * h + here.to_world.rotate_back(momentum_rate) * per_unit;
            let rates = Numbers::new(
                q_rate.scaled(half),
                momentum_rate * per_unit,
                power * per_unit,
                own_rate,
            );
            self.rates.0[stage] = rates;
            momentum = older.momentum() + momentum_rate * (per_unit * weight);
            own = older.own() + own_rate * weight;
        }
        let (gained, [fifth, third]) = self.rates.ends();
        let end = start.plus(&gained);
        let doubts = Doubts::new(&end, &fifth, &third);
        let gained = gained.plus(&unit.correction(&end, &doubts));
        let end = start.plus(&gained);
        let state = unit.state(&end).ok_or_else(|| self.overflow())?;
        // The last stage is at the end of the step, to a lower order: near enough for an estimate, and known earlier.
        let (q, omega_body) = last;
        let to_world = of_unit_length(q).to_matrix();
        let squares = |error: Numbers| {
            let omega = unit.omega_body(&to_world, error.momentum());
            [4.0 * error.q().norm_squared(), omega.dot(omega)]
        };
        self.last.1 = h;
        let step = Attempt {
            start: self.elapsed,
            end: plan.end,
            state,
            h,
            gained,
            doubts,
            curve: None,
        };
        Ok((
            step,
            self.control
                .accepts(plan, squares(fifth), Some(squares(third)), omega_body),
        ))
    }

    /// A step for stiff torques. Its derivatives serve until it is accepted.
    fn stiff_trial(&mut self, plan: &Plan, rate: Vec3<f64>) -> Result<(Attempt, bool), Error> {
        let (state, start, h) = (self.state, self.elapsed, plan.h);
        let acceleration = self.acceleration(&state, rate);
        let (speed, known) = (self.control.speed(plan), self.slopes);
        let later = match self.span.time(start + INCREMENT * h) - self.span.time(start) {
            0.0 => INCREMENT * h, // the clock does not resolve it, but rotors do
            resolved => resolved,
        };
        let at = &mut |after: f64, state: &State<f64>| {
            let rate = self.rate_at(start + after, state)?;
            Ok(self.acceleration(state, rate))
        };
        let slopes =
            known.map_or_else(|| Slopes::new(&state, acceleration, speed, later, at), Ok)?;
        let curve = Curve::new(&state, &slopes, h, at)?;
        self.slopes = Some(slopes);
        let curve = curve.ok_or_else(|| self.overflow())?;
        let (state, doubts) = (curve.at(1.0), Doubts::NONE);
        let gained = self.unit.of(&state).minus(&self.start());
        let step = Attempt {
            start,
            end: plan.end,
            state,
            h,
            gained,
            doubts,
            curve: Some(curve),
        };
        Ok((
            step,
            self.control
                .accepts(plan, curve.errors, None, state.omega_body),
        ))
    }

    /// Whether stability decided the length of the last step: from the rates of its last stage and at its end, which differ by little.
    fn watch_stability(&mut self, rate: Vec3<f64>) {
        let (momentum, h) = self.last;
        if self.is_stiff || h == 0.0 {
            return;
        }
        let (apart, faster) = (
            self.momentum - momentum,
            rate * h - self.rates.0[11].momentum(),
        );
        let bound = if self.may_be_stiff { STIFF } else { NEAR };
        let is_near = faster.dot(faster) > bound * bound * apart.dot(apart);
        self.stiff_steps = if is_near {
            self.stiff_steps + 1
        } else {
            self.stiff_steps / 2
        };
        self.is_stiff = self.may_be_stiff && self.stiff_steps >= STIFF_ENOUGH;
        self.last.1 = 0.0;
    }

    /// The time, and whether the torque looks stiff and the method is not for such: for errors.
    #[cold]
    fn whereabouts(&self) -> (f64, bool) {
        (
            self.time(),
            !self.may_be_stiff && self.stiff_steps >= STIFF_STEPS,
        )
    }

    #[inline(always)]
    fn count(&mut self) -> Result<(), Error> {
        if self.statistics.evaluations == self.limits.most {
            let (time, looks_stiff) = self.whereabouts();
            return Err(Error::TooManyEvaluations {
                most: self.limits.most,
                time,
                looks_stiff,
            });
        }
        self.statistics.evaluations += 1;
        Ok(())
    }

    /// The rate of the momentum at the state; before the first step also the size of that step.
    fn first_rate(&mut self) -> Result<Vec3<f64>, Error> {
        if let Some(rate) = self.rate {
            return Ok(rate);
        }
        let (state, omega) = (self.state, self.state.omega_body);
        let rate = self.rate_at(self.elapsed, &state)?;
        self.rate = Some(rate);
        if self.statistics.accepted > 0 {
            return Ok(rate);
        }
        let acceleration = self.acceleration(&state, rate);
        let h = self.control.probe(omega, acceleration);
        let ahead = self
            .start()
            .plus(&self.unit.rates(&self.start(), omega, rate, h));
        let ahead = self
            .unit
            .state(&ahead)
            .map(|state| (state, self.rate_at(self.elapsed + h, &state)));
        match ahead {
            Some((state, Ok(after))) => {
                self.control
                    .begin(omega, acceleration, self.acceleration(&state, after))
            }
            // The first step is shorter.
            None | Some((_, Err(Error::TorqueNotFinite { .. } | Error::Overflow { .. }))) => {}
            Some((_, Err(cause))) => return Err(cause),
        }
        Ok(rate)
    }

    fn start(&self) -> Numbers {
        let State { q, omega_body } = self.state;
        Numbers::new(
            q,
            self.momentum,
            self.energy,
            self.unit.inertia.angular_momentum(omega_body),
        )
    }

    pub(super) fn time(&self) -> f64 {
        self.span.time(self.elapsed)
    }

    fn overflow(&self) -> Error {
        Error::Overflow {
            time: self.time(),
            size: None,
        }
    }

    /// ω̇, rad/s², body frame.
    fn acceleration(&self, state: &State<f64>, rate: Vec3<f64>) -> Vec3<f64> {
        velocity_gained(
            &self.unit.inertia,
            state.omega_body,
            Some(state.q.to_body(rate)),
            1.0,
        )
    }

    fn rate_at(&mut self, elapsed: f64, state: &State<f64>) -> Result<Vec3<f64>, Error> {
        self.count()?;
        Ok((self.torque)(elapsed, &Here::at(state))? * self.unit.reciprocal)
    }
}
