//! Steps of a Runge-Kutta-Munthe-Kaas method: the integrator of one body with error control.

use super::Statistics;
use super::chart::{chart, turned};
use super::control::{Control, Plan};
use super::dense::Dense;
use super::tableau::{DENSE_STAGES, END, STAGES, Stage, Weights};
use crate::error::Error;
use crate::kernel::{Here, PrincipalInertia, State, Vec3, velocity_gained};
use crate::torque::Torque;

/// Rotation vector `u` since the start of the step, rad, and angular velocity, rad/s, body frame; or their rates times the step.
pub(super) type Six = [f64; 6];

/// The rates of the stages, times the step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rates([Six; 16]);

impl Rates {
    #[inline(always)]
    pub(super) fn weighted(&self, weights: &Weights) -> Six {
        let mut sum = [0.0; 6];
        for &(stage, weight) in weights {
            let rate = &self.0[stage % 16];
            for m in 0..6 {
                sum[m] += weight * rate[m];
            }
        }
        sum
    }

    pub(super) fn at(&self, stage: usize) -> Six {
        self.0[stage % 16]
    }
}

/// A step that is exact enough, not yet taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) start: f64,
    pub(crate) end: f64,
    pub(crate) state: State<f64>,
    pub(super) h: f64,
    pub(super) gained: Six,
}

impl Step {
    /// The time at a part of the step.
    pub(crate) fn time(&self, part: f64) -> f64 {
        if part < 1.0 { self.start + part * self.h } else { self.end }
    }

    /// The part of the step that is over at a time.
    pub(crate) fn part(&self, time: f64) -> f64 {
        (time - self.start) / self.h
    }

    /// The part of the step that the clock resolves.
    pub(crate) fn resolution(&self) -> f64 {
        f64::EPSILON * self.start.abs().max(self.end.abs()) / self.h.abs()
    }
}

/// A body on its way, with its torque.
pub(crate) struct Integrator<'a, T: ?Sized> {
    pub(crate) state: State<f64>,
    pub(crate) time: f64,
    pub(crate) statistics: Statistics,
    inertia: &'a PrincipalInertia<f64>,
    torque: &'a mut T,
    /// ω̇ at `state`, rad/s²; `None` before the first step.
    acceleration: Option<Vec3<f64>>,
    /// The same at the end of the step that [`Integrator::dense`] was asked for.
    ahead: Option<Vec3<f64>>,
    control: Control,
    rates: Rates,
}

impl<'a, T: Torque<Error = Error> + ?Sized> Integrator<'a, T> {
    pub(crate) fn new(
        state: &State<f64>,
        inertia: &'a PrincipalInertia<f64>,
        torque: &'a mut T,
        [time, end]: [f64; 2],
        tolerance: f64,
    ) -> Self {
        let control = Control::new(tolerance, time, end, state.omega_body.dot(state.omega_body).sqrt());
        let (statistics, rates) = (Statistics::default(), Rates([[0.0; 6]; 16]));
        Integrator { state: *state, time, statistics, inertia, torque, acceleration: None, ahead: None, control, rates }
    }

    /// Tries steps until one is exact enough. An error leaves the state as it is.
    pub(crate) fn attempt(&mut self) -> Result<Step, Error> {
        let acceleration = self.first_acceleration()?;
        loop {
            let plan = self.control.plan(self.time, self.state.omega_body);
            let cause = match self.trial(&plan, acceleration) {
                Ok(step) if self.control.accepts(&plan, step.state.omega_body, &self.rates) => return Ok(step),
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
                return Err(cause.unwrap_or(Error::StepUnderflow { time: self.time, step: plan.h }));
            }
        }
    }

    /// Takes a step from [`Integrator::attempt`], or a part of it as the last one.
    pub(crate) fn take(&mut self, end: f64, state: &State<f64>) {
        self.state = *state;
        self.time = end;
        self.acceleration = self.ahead.take();
        self.statistics.accepted += 1;
    }

    /// The states within a step from [`Integrator::attempt`]: three more evaluations, and that at its end, which the next step needs too.
    pub(crate) fn dense(&mut self, step: &Step) -> Result<Dense, Error> {
        let ([u, omega], h) = (halves(&step.gained), step.h);
        let (inertia, start) = (self.inertia, self.state);
        let after = self.acceleration_at(step.end, &step.state)?;
        self.ahead = Some(after);
        let Some((_, c)) = chart(u) else { return Err(Error::Overflow { time: self.time }) };
        self.rates.0[12] = joined(turned(u, (start.omega_body + omega) * h, c), after * h);
        for (stage, at) in DENSE_STAGES.iter().enumerate() {
            let time = step.start + at.at * h;
            self.statistics.evaluations += 1;
            self.rates.0[13 + stage] = rate(inertia, self.torque, time, &start, &self.rates.weighted(at.weights), h)?;
        }
        Ok(Dense::new(&start, step, &self.rates))
    }

    /// All stages of a step but the last.
    #[inline(always)]
    fn trial(&mut self, plan: &Plan, acceleration: Vec3<f64>) -> Result<Step, Error> {
        let (h, start, inertia) = (plan.h, self.state, self.inertia);
        self.rates.0[0] = joined(start.omega_body * h, acceleration * h);
        for (stage, Stage { at, weights }) in STAGES.iter().enumerate() {
            let time = if *at < 1.0 { self.time + at * h } else { plan.end };
            self.statistics.evaluations += 1;
            self.rates.0[stage + 1] = rate(inertia, self.torque, time, &start, &self.rates.weighted(weights), h)?;
        }
        let gained = self.rates.weighted(END);
        let state = moved(&start, &gained).ok_or(Error::Overflow { time: self.time })?;
        Ok(Step { start: self.time, end: plan.end, state, h, gained })
    }

    /// ω̇ at the state; before the first step also the size of that step.
    fn first_acceleration(&mut self) -> Result<Vec3<f64>, Error> {
        if let Some(acceleration) = self.acceleration {
            return Ok(acceleration);
        }
        let acceleration = self.acceleration_at(self.time, &{ self.state })?;
        self.acceleration = Some(acceleration);
        if self.statistics.accepted == 0 {
            let omega = self.state.omega_body;
            let h = self.control.probe(omega, acceleration);
            let ahead = moved(&self.state, &joined(omega * h, acceleration * h));
            // A torque that fails there is asked again in the first step, which may be shorter.
            if let Some(Ok(after)) = ahead.map(|state| self.acceleration_at(self.time + h, &state)) {
                self.control.begin(omega, acceleration, after);
            }
        }
        Ok(acceleration)
    }

    fn acceleration_at(&mut self, time: f64, state: &State<f64>) -> Result<Vec3<f64>, Error> {
        self.statistics.evaluations += 1;
        let torque = self.torque.torque_if_any(time, &Here::at(state), self.inertia)?;
        Ok(velocity_gained(self.inertia, state.omega_body, torque, 1.0))
    }
}

/// The rates times the step, at a state that has gained `six` since the start of the step.
#[inline(always)]
fn rate<T: Torque<Error = Error> + ?Sized>(
    inertia: &PrincipalInertia<f64>,
    torque: &mut T,
    time: f64,
    start: &State<f64>,
    six: &Six,
    h: f64,
) -> Result<Six, Error> {
    let [u, omega] = halves(six);
    let Some((turn, c)) = chart(u) else { return Err(Error::Overflow { time }) };
    let state = State { q: start.q * turn, omega_body: start.omega_body + omega };
    let torque = torque.torque_if_any(time, &Here::at(&state), inertia)?;
    let gained = velocity_gained(inertia, state.omega_body, torque, h);
    Ok(joined(turned(u, state.omega_body * h, c), gained))
}

/// The state that has gained `six` since the start of the step; `None` if it overflows.
#[inline(always)]
pub(super) fn moved(start: &State<f64>, six: &Six) -> Option<State<f64>> {
    let [u, omega] = halves(six);
    let (turn, _) = chart(u)?;
    let state = State { q: (start.q * turn).renormalised(), omega_body: start.omega_body + omega };
    state.omega_body.dot(state.omega_body).is_finite().then_some(state)
}

#[inline(always)]
fn halves(six: &Six) -> [Vec3<f64>; 2] {
    let [a, b, c, d, e, f] = *six;
    [Vec3([a, b, c]), Vec3([d, e, f])]
}

#[inline(always)]
fn joined(u: Vec3<f64>, omega: Vec3<f64>) -> Six {
    let ([a, b, c], [d, e, f]) = (u.0, omega.0);
    [a, b, c, d, e, f]
}
