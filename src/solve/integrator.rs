//! The integrator of one body with error control: the stages of its steps.

use super::control::{Control, Errors, Plan};
use super::inertia::{Unit, here, of_unit_length, to_scaled_matrix};
use super::rates::{NEWEST, Numbers, Rates, turned};
use super::tableau::{DENSE_SLOPES, SLOPES};
use super::{Limits, Statistics, dense::Dense};
use crate::kernel::{Here, PrincipalInertia, Quat, State, Vec3, velocity_gained};
use crate::{clock::Span, error::Error, torque::Torque};

/// A step that is exact enough, not yet taken. Its start and end are elapsed times of the [`Span`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt {
    pub(crate) start: f64,
    pub(crate) end: f64,
    pub(crate) state: State<f64>,
    h: f64,
    gained: Numbers,
    momentum: Vec3<f64>,
}

impl Attempt {
    /// The time elapsed at a part of the step.
    pub(crate) fn elapsed(&self, part: f64) -> f64 {
        if part < 1.0 { self.start + part * self.h } else { self.end }
    }

    /// The part of the step that is over at an elapsed time.
    pub(crate) fn part(&self, elapsed: f64) -> f64 {
        (elapsed - self.start) / self.h
    }

    /// The part of the step that elapsed time resolves.
    pub(crate) fn resolution(&self) -> f64 {
        f64::EPSILON * self.start.abs().max(self.end.abs()) / self.h.abs()
    }
}

/// A body on its way, with its torque.
pub(crate) struct Integrator<'a, T: ?Sized> {
    pub(crate) state: State<f64>,
    /// Since the start.
    pub(crate) elapsed: f64,
    span: Span,
    pub(crate) statistics: Statistics,
    /// World frame, in units of moments: it is not computed from `state` again, which would add rounding errors.
    momentum: Vec3<f64>,
    unit: Unit,
    inertia: &'a PrincipalInertia<f64>,
    torque: &'a mut T,
    /// The rate of the momentum at `state`; `None` before the first step.
    rate: Option<Vec3<f64>>,
    /// The same at the end of the step that [`Integrator::dense`] was asked for.
    ahead: Option<Vec3<f64>>,
    limits: Limits,
    control: Control,
    rates: Rates,
}

impl<'a, T: Torque<Error = Error> + ?Sized> Integrator<'a, T> {
    pub(crate) fn new(
        state: &State<f64>, inertia: &'a PrincipalInertia<f64>, torque: &'a mut T, span: Span, tolerance: f64,
        limits: Limits,
    ) -> Self {
        let unit = Unit::new(inertia);
        Integrator {
            state: *state,
            elapsed: span.start,
            span,
            statistics: Statistics::default(),
            momentum: unit.of(state).momentum(),
            unit,
            inertia,
            torque,
            rate: None,
            ahead: None,
            limits,
            control: Control::new(tolerance, limits.longest, &span, state.omega_body),
            rates: Rates::zero(),
        }
    }

    /// Tries steps until one is exact enough. An error leaves the state as it is.
    pub(crate) fn attempt(&mut self) -> Result<Attempt, Error> {
        let rate = self.first_rate()?;
        loop {
            let plan = self.control.plan(self.elapsed, self.state.omega_body);
            let cause = match self.trial(&plan, rate) {
                Ok((step, errors)) if self.control.accepts(&plan, &errors) => return Ok(step),
                Ok(_) => None,
                Err(Error::Overflow { .. }) => {
                    self.control.shorten(&plan, 0.25);
                    None
                }
                Err(cause @ Error::TorqueNotFinite { .. }) => {
                    self.control.shorten(&plan, 0.1); // the step may only be too long, its stages in places that the body avoids
                    Some(cause)
                }
                Err(cause) => return Err(cause),
            };
            self.statistics.rejected += 1;
            if plan.is_shortest {
                return Err(cause.unwrap_or(Error::StepUnderflow { time: self.time(), step: plan.h }));
            }
        }
    }

    /// Takes a step from [`Integrator::attempt`].
    pub(crate) fn take(&mut self, step: &Attempt) {
        (self.state, self.elapsed, self.momentum) = (step.state, step.end, step.momentum);
        self.rate = self.ahead.take();
        self.statistics.accepted += 1;
    }

    /// Takes a part of a step, as the last one.
    pub(crate) fn stop(&mut self, elapsed: f64, state: &State<f64>) {
        (self.state, self.elapsed) = (*state, elapsed);
        self.statistics.accepted += 1;
    }

    /// The states within a step from [`Integrator::attempt`]: three more evaluations, and that at its end, which the next step needs too.
    pub(crate) fn dense(&mut self, step: &Attempt) -> Result<Dense, Error> {
        let (start, h) = (Numbers::new(self.state.q, self.momentum), step.h);
        let after = self.rate_at(step.end, &step.state)?;
        self.ahead = Some(after);
        self.rates.put(12, rates_of(&step.state, after, h));
        for (stage, at) in (13..).zip(&DENSE_SLOPES) {
            let numbers = start.plus(&self.rates.weighted(at.weights));
            let q = of_unit_length(numbers.q());
            let omega_body = self.unit.omega_body(&q.to_matrix(), numbers.momentum());
            let rate = self.rate_at(step.start + at.at * h, &State { q, omega_body })?;
            self.rates.put(stage, rates_of(&State { q: numbers.q(), omega_body }, rate, h));
        }
        Ok(Dense::new(&self.unit, &start, &step.gained, &self.rates))
    }

    /// All stages of a step but that at its end.
    ///
    /// The orientation of the next stage depends on the angular velocity of this one, not on its torque. It comes before the torque, so
    /// that a processor can do both at once.
    #[inline(always)]
    fn trial(&mut self, plan: &Plan, rate: Vec3<f64>) -> Result<(Attempt, Errors), Error> {
        let (h, unit) = (plan.h, self.unit);
        let (half, per_unit) = (0.5 * h, h * unit.reciprocal);
        let start = Numbers::new(self.state.q, self.momentum);
        let first = rates_of(&self.state, rate, h);
        self.rates.put(0, first);
        let numbers = start.plus(&first.times(NEWEST[1]));
        let (mut q, mut momentum) = (numbers.q(), numbers.momentum());
        let mut last = (q, momentum);
        for stage in 1..12 {
            let (to_world, squared) = to_scaled_matrix(q);
            let per = 1.0 / squared;
            let omega_body = unit.omega_body(&to_world, momentum) * per;
            let here = here(q, omega_body, (to_world, squared), per);
            last = (q, omega_body);
            let q_rate = turned(q, omega_body);
            let (older, weight) = (self.rates.before_newest(stage + 1, &start), NEWEST[stage + 1]);
            q = sum(older.q(), q_rate.scaled(half * weight));

            let at = SLOPES[stage - 1].at;
            let time = if at < 1.0 { self.elapsed + at * h } else { plan.end };
            self.limits.count(&mut self.statistics.evaluations, &|| self.span.time(self.elapsed))?;
            let momentum_rate = self.torque.torque_world(time, &here, self.inertia)?;
            self.rates.put(stage, Numbers::new(q_rate, momentum_rate).scaled(half, per_unit));
            momentum = older.momentum() + momentum_rate * (per_unit * weight);
        }
        let (gained, [fifth, third]) = self.rates.ends();
        let end = start.plus(&gained);
        let state = unit.state(&end).ok_or(Error::Overflow { time: self.time(), size: None })?;
        // The last stage is at the end of the step, to a lower order: near enough for an estimate, and known earlier.
        let (q, omega_body) = last;
        let to_world = of_unit_length(q).to_matrix();
        let errors = Errors {
            fifth: (fifth.q(), unit.omega_body(&to_world, fifth.momentum())),
            third: (third.q(), unit.omega_body(&to_world, third.momentum())),
            omega_body,
        };
        Ok((Attempt { start: self.elapsed, end: plan.end, state, h, gained, momentum: end.momentum() }, errors))
    }

    /// The rate of the momentum at the state; before the first step also the size of that step.
    fn first_rate(&mut self) -> Result<Vec3<f64>, Error> {
        if let Some(rate) = self.rate {
            return Ok(rate);
        }
        let rate = self.rate_at(self.elapsed, &{ self.state })?;
        self.rate = Some(rate);
        if self.statistics.accepted == 0 {
            self.look_ahead(rate)?;
        }
        Ok(rate)
    }

    #[cold]
    fn look_ahead(&mut self, rate: Vec3<f64>) -> Result<(), Error> {
        let (state, omega) = (self.state, self.state.omega_body);
        let acceleration = self.acceleration(&state, rate);
        let h = self.control.probe(omega, acceleration);
        let ahead = Numbers::new(state.q, self.momentum).plus(&rates_of(&state, rate, h));
        let ahead = self.unit.state(&ahead).map(|state| (state, self.rate_at(self.elapsed + h, &state)));
        match ahead {
            Some((state, Ok(after))) => self.control.begin(omega, acceleration, self.acceleration(&state, after)),
            // The first step is shorter.
            None | Some((_, Err(Error::TorqueNotFinite { .. } | Error::Overflow { .. }))) => {}
            Some((_, Err(cause))) => return Err(cause),
        }
        Ok(())
    }

    fn time(&self) -> f64 {
        self.span.time(self.elapsed)
    }

    /// ω̇, rad/s², body frame.
    fn acceleration(&self, state: &State<f64>, rate: Vec3<f64>) -> Vec3<f64> {
        velocity_gained(&self.unit.inertia, state.omega_body, Some(state.q.to_body(rate)), 1.0)
    }

    fn rate_at(&mut self, elapsed: f64, state: &State<f64>) -> Result<Vec3<f64>, Error> {
        self.limits.count(&mut self.statistics.evaluations, &|| self.span.time(self.elapsed))?;
        Ok(self.torque.torque_world(elapsed, &Here::at(state), self.inertia)? * self.unit.reciprocal)
    }
}

/// The rates of a state, times the step.
#[inline(always)]
fn rates_of(state: &State<f64>, rate: Vec3<f64>, h: f64) -> Numbers {
    Numbers::new(turned(state.q.scaled(0.5 * h), state.omega_body), rate * h)
}

#[inline(always)]
fn sum(left: Quat<f64>, right: Quat<f64>) -> Quat<f64> {
    let ([a, b, c, d], [w, x, y, z]) = (left.0, right.0);
    Quat([a + w, b + x, c + y, d + z])
}
