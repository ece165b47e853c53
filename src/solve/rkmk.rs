//! Steps of a Runge-Kutta-Munthe-Kaas method: the integrator of one body with error control.

use super::Statistics;
use super::chart::{chart, turned};
use super::control::{Control, Plan};
use super::dense::Dense;
use super::gained::{Gained, Rates, moved, sum};
use super::tableau::{DENSE_STAGES, STAGES};
use crate::error::Error;
use crate::kernel::{Here, PrincipalInertia, Quat, State, Vec3, velocity_gained};
use crate::torque::Torque;

/// A step that is exact enough, not yet taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) start: f64,
    pub(crate) end: f64,
    pub(crate) state: State<f64>,
    pub(super) h: f64,
    pub(super) gained: Gained,
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
        let (statistics, rates) = (Statistics::default(), Rates::zero());
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
        let (start, h, gained) = (self.state, step.h, step.gained);
        let after = self.acceleration_at(step.end, &step.state)?;
        self.ahead = Some(after);
        let (_, c) = self.chart(gained.u)?;
        self.rates.put(12, Gained { u: turned(gained.u, step.state.omega_body * h, c), omega: after * h });
        for (stage, at) in (13..).zip(&DENSE_STAGES) {
            let gained = self.rates.weighted(at.weights);
            let (turn, c) = self.chart(gained.u)?;
            let state = State { q: start.q * turn, omega_body: start.omega_body + gained.omega };
            let omega = self.acceleration_at(step.start + at.at * h, &state)? * h;
            self.rates.put(stage, Gained { u: turned(gained.u, state.omega_body * h, c), omega });
        }
        Ok(Dense::new(&start, step.gained, &self.rates))
    }

    /// All stages of a step but that at its end.
    ///
    /// The orientation of the next stage depends on the angular velocity of this one, not on its torque. It comes before the torque, so
    /// that a processor can do both at once: 38 ns an evaluation instead of 43.
    #[inline(always)]
    fn trial(&mut self, plan: &Plan, acceleration: Vec3<f64>) -> Result<Step, Error> {
        let (h, start, inertia) = (plan.h, self.state, self.inertia);
        self.rates.put(0, Gained { u: start.omega_body * h, omega: acceleration * h });
        let mut gained = self.rates.weighted(STAGES[0].weights);
        let (mut turn, mut c) = self.chart(gained.u)?;
        for stage in 1..12 {
            let (at, next) = (STAGES[stage - 1].at, STAGES[stage].weights);
            let time = if at < 1.0 { self.time + at * h } else { plan.end };
            let state = State { q: start.q * turn, omega_body: start.omega_body + gained.omega };
            self.rates.u[stage] = turned(gained.u, state.omega_body * h, c);
            gained.u = sum(&self.rates.u, next);
            (turn, c) = self.chart(gained.u)?;

            self.statistics.evaluations += 1;
            let torque = self.torque.torque_if_any(time, &Here::at(&state), inertia)?;
            self.rates.omega[stage] = velocity_gained(inertia, state.omega_body, torque, h);
            gained.omega = sum(&self.rates.omega, next);
        }
        let state = moved(&start, &gained).ok_or(Error::Overflow { time: self.time, size: None })?;
        Ok(Step { start: self.time, end: plan.end, state, h, gained })
    }

    /// The rotation of a rotation vector, and `c` of its rate.
    #[inline(always)]
    fn chart(&self, u: Vec3<f64>) -> Result<(Quat<f64>, f64), Error> {
        chart(u).ok_or(Error::Overflow { time: self.time, size: None })
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
            let ahead = moved(&self.state, &Gained { u: omega * h, omega: acceleration * h });
            match ahead.map(|state| self.acceleration_at(self.time + h, &state)) {
                Some(Ok(after)) => self.control.begin(omega, acceleration, after),
                // The first step is shorter.
                None | Some(Err(Error::TorqueNotFinite { .. } | Error::Overflow { .. })) => {}
                Some(Err(cause)) => return Err(cause),
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
