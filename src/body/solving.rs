//! A body with error control.

use super::stepping::{Sees, TotalTorque};
use super::{Body, Keep, Record, record_of};
use crate::clock::Span;
use crate::error::{Error, Failure, check, finite};
use crate::kernel::{Rotor, State};
use crate::method::Change;
use crate::rotation::orientation_of;
use crate::solve::{
    ChangingInertia, Crossing, EndTime, Equations, FreeBody, Goal, Integrator, Monitor, Rows,
    Settings, Solution, SolveMethod, Statistics, TorqueFunction, here_of_unnormalised,
};
use crate::torque::{DragAndRotor, Torque};
use nalgebra::{UnitQuaternion, Vector3};
use std::ops::ControlFlow;

/// A monitor, as error control asks it.
fn followed(
    mut monitor: impl FnMut(f64, &UnitQuaternion<f64>, &Vector3<f64>) -> ControlFlow<i32>,
) -> impl FnMut(f64, &State<f64>) -> Result<(), Error> {
    move |time, &State { q, omega_body }| {
        let angular_velocity = q.to_world(omega_body).0.into();
        match monitor(time, &orientation_of(q), &angular_velocity) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(result) => Err(Error::Monitor { result, time }),
        }
    }
}

impl Body {
    /// Advances the body to the time `end_time`, in steps that a tolerance chooses. See `qi_solve`.
    /// Errors: an argument is refused; the torque is not finite, or returned an error; no step is
    /// short enough ([`Error::StepUnderflow`]). The body and its clock are then where the last
    /// accepted step ended; [`Failure::completed`] counts them.
    ///
    /// ```
    /// use quatint::nalgebra::{UnitQuaternion, Vector3};
    /// use quatint::{Body, Inertia, torque::UniformField};
    ///
    /// let inertia = Inertia::from_moments(Vector3::new(1.0, 1.0, 0.5))?;
    /// let inclined = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), 1.0);
    /// let mut top = Body::new(inertia, inclined, inclined * Vector3::new(0.0, 0.0, 8.0))?;
    /// let mut weight = UniformField::new([0.0, 0.0, 1.0], [0.0, 0.0, -1.0])?;
    ///
    /// top.solve(1.670852791361963, 1e-10, &mut weight)?; // a period of its nutation
    /// let tilt = (top.orientation() * Vector3::z()).angle(&Vector3::z());
    /// assert!((tilt - 1.0).abs() < 1e-9);
    /// # Ok::<(), quatint::Error>(())
    /// ```
    pub fn solve<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        end_time: f64,
        tolerance: f64,
        torque: &mut T,
    ) -> Result<Statistics, Failure> {
        let solution = Solution {
            goal: Goal::End(EndTime::at("end_time", end_time)),
            tolerance,
            monitor: None,
        };
        self.run(solution, torque)?;
        Ok(self.statistics)
    }

    /// As [`Body::solve`], with the same bits, and calls `monitor(time, orientation, angular
    /// velocity)` after every `every` steps that are taken, with the angular velocity in the world
    /// frame. The monitor may follow the solution, and end it by a number: see
    /// `qi_solve_monitored`. Errors: as [`Body::solve`]; [`Error::Monitor`] with that number;
    /// [`Error::Invalid`] if `every` is 0.
    ///
    /// ```
    /// use quatint::nalgebra::{UnitQuaternion, Vector3};
    /// use quatint::{Body, Inertia, torque::UniformField};
    /// use std::ops::ControlFlow;
    ///
    /// let inertia = Inertia::from_moments(Vector3::new(1.0, 1.5, 0.7))?;
    /// let inclined = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), 1.0);
    /// let mut top = Body::new(inertia, inclined, Vector3::new(0.0, 0.0, 5.0))?;
    /// let mut weight = UniformField::new([0.0, 0.0, 1.0], [0.0, 0.0, -1.0])?;
    ///
    /// let mut times = vec![]; // of the integrator's own steps
    /// top.solve_monitored(10.0, 1e-9, &mut weight, 1, |time, _orientation, _omega| {
    ///     times.push(time);
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(times.last(), Some(&10.0));
    /// # Ok::<(), quatint::Error>(())
    /// ```
    pub fn solve_monitored<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        end_time: f64,
        tolerance: f64,
        torque: &mut T,
        every: u64,
        monitor: impl FnMut(f64, &UnitQuaternion<f64>, &Vector3<f64>) -> ControlFlow<i32>,
    ) -> Result<Statistics, Failure> {
        let function = &mut followed(monitor);
        let solution = Solution {
            goal: Goal::End(EndTime::at("end_time", end_time)),
            tolerance,
            monitor: Some(Monitor { every, function }),
        };
        self.run(solution, torque)?;
        Ok(self.statistics)
    }

    /// As [`Body::solve`] to the last of the `times`, with a row for each: see `qi_solve_record`.
    /// Returns the number of rows written, all unless it fails. Errors: as [`Body::solve`], and
    /// [`Error::Capacity`] if `rows` is shorter than `times`.
    pub fn solve_record<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        times: &[f64],
        rows: &mut [Record],
        tolerance: f64,
        torque: &mut T,
    ) -> (usize, Result<Statistics, Failure>) {
        self.solve_rows(times, rows, tolerance, torque, None)
    }

    /// As [`Body::solve_record`], with the same bits, and calls a monitor after every `every`
    /// steps, when their rows have been written: see [`Body::solve_monitored`].
    pub fn solve_record_monitored<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        times: &[f64],
        rows: &mut [Record],
        tolerance: f64,
        torque: &mut T,
        every: u64,
        monitor: impl FnMut(f64, &UnitQuaternion<f64>, &Vector3<f64>) -> ControlFlow<i32>,
    ) -> (usize, Result<Statistics, Failure>) {
        let function = &mut followed(monitor);
        let monitor = Monitor { every, function };
        self.solve_rows(times, rows, tolerance, torque, Some(monitor))
    }

    /// [`Body::solve_record`], with or without a monitor.
    fn solve_rows<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        times: &[f64],
        rows: &mut [Record],
        tolerance: f64,
        torque: &mut T,
        monitor: Option<Monitor>,
    ) -> (usize, Result<Statistics, Failure>) {
        self.statistics = Statistics::default();
        if rows.len() < times.len() {
            let error = Error::Capacity {
                name: "rows",
                needed: times.len() as u64,
                given: rows.len() as u64,
            };
            return (0, Err(error.into()));
        }
        let mut written = 0;
        let goal = Goal::Rows(Rows {
            now: self.time(),
            count: times.len(),
            written: &mut written,
            time: &|i| times[i],
            put: &mut |i, time, state| rows[i] = record_of(time, state),
        });
        let solution = Solution {
            goal,
            tolerance,
            monitor,
        };
        let outcome = self.run(solution, torque);
        (written, outcome.map(|_| self.statistics))
    }

    /// As [`Body::solve`], but stops where the function
    /// `event(time, orientation, angular velocity)` becomes zero or changes its sign, with the
    /// angular velocity in the world frame: see `qi_solve_until`. Returns the time of the event, or
    /// `None` at `end_time`. Errors: as [`Body::solve`], and [`Error::EventNotFinite`].
    pub fn solve_until<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        end_time: f64,
        tolerance: f64,
        mut event: impl FnMut(f64, &UnitQuaternion<f64>, &Vector3<f64>) -> f64,
        crossing: Crossing,
        torque: &mut T,
    ) -> Result<Option<f64>, Failure> {
        let event = &mut |time: f64, &State { q, omega_body }: &State<f64>| {
            event(time, &orientation_of(q), &q.to_world(omega_body).0.into())
        };
        let goal = Goal::Event {
            end: EndTime::at("end_time", end_time),
            function: event,
            crossing,
        };
        let solution = Solution {
            goal,
            tolerance,
            monitor: None,
        };
        self.run(solution, torque)
    }

    /// The cost of the last [`Body::solve`], [`Body::solve_record`] or [`Body::solve_until`] of
    /// this body, also if it failed.
    pub fn solve_statistics(&self) -> Statistics {
        self.statistics
    }

    /// The longest step of [`Body::solve`] and the other solutions; 0: any length. See
    /// `qi_set_solve_longest_step`. Errors: [`Error::NotFinite`]; [`Error::Invalid`] if it is
    /// negative.
    pub fn set_solve_longest_step(&mut self, longest: f64) -> Result<(), Error> {
        let [longest] = finite("longest", [longest])?;
        check(
            longest >= 0.0,
            "longest",
            "must be positive, or 0 for steps of any length",
        )?;
        self.solve_limits.longest_step = if longest == 0.0 {
            f64::INFINITY
        } else {
            longest
        };
        Ok(())
    }

    /// The most evaluations of a solution; 0: any. See `qi_set_solve_most_evaluations`.
    pub fn set_solve_most_evaluations(&mut self, most: u64) {
        self.solve_limits.most_evaluations = if most == 0 { u64::MAX } else { most };
    }

    /// How [`Body::solve`] and the other solutions take their steps. See `qi_set_solve_method`.
    pub fn set_solve_method(&mut self, method: SolveMethod) {
        self.solve_method = method;
    }

    /// The choice of [`Body::set_solve_method`].
    pub fn solve_method(&self) -> SolveMethod {
        self.solve_method
    }

    /// Goes as far as a solution leads under the total torque, also if it then fails. Returns the
    /// time of its event.
    pub(crate) fn run<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        solution: Solution,
        torque: &mut T,
    ) -> Result<Option<f64>, Failure> {
        self.statistics = Statistics::default();
        let end = solution.goal.end()?;
        check_tolerance(solution.tolerance)?;
        if solution.goal.is_nothing() {
            return Ok(None); // whatever acts on the body
        }
        self.check_solution(&end, torque.resistance().is_some())?;
        let span = Span::new(self.clock, end.time);
        self.integrate(solution, span, torque)
    }

    fn integrate<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        solution: Solution,
        span: Span,
        torque: &mut T,
    ) -> Result<Option<f64>, Failure> {
        let Solution {
            mut goal,
            tolerance,
            monitor,
        } = solution;
        let inertia = self.inertia.principal;
        let rotor = self.rotor().copied();
        let (besides, apart, sees) = self.taken_apart(rotor.as_ref(), &span);
        let mut total_torque = TotalTorque {
            torque,
            span,
            besides,
            sees,
        };
        let torque_function: &mut TorqueFunction = &mut |elapsed, state, inertia| {
            total_torque.torque_body(elapsed, &here_of_unnormalised(state), inertia)
        };
        let acting = self.acting.as_deref();
        let changing_inertia = acting.and_then(|acting| acting.changing_inertia.as_ref());
        let inertias = changing_inertia.map(|changing| changing.along(span, self.inertia));
        let inertia_at = (inertias.as_ref()).map(|inertias| |elapsed| inertias.at(elapsed));
        let changing_inertia = match &inertia_at {
            Some(at) => Some(ChangingInertia::new(at, &inertia, span.end)?),
            None => None,
        };
        let is_free = !T::ACTS && self.acting.is_none();
        let free = is_free.then(|| FreeBody {
            inertia: &inertia,
            state: self.state.get(),
            time: self.time(),
        });
        let motion = Equations {
            inertia: &inertia,
            changing_inertia,
            torque: torque_function,
            apart,
            evaluations: 0,
            most_evaluations: self.solve_limits.most_evaluations,
        };
        let settings = self.settings(tolerance);
        let mut integrator = Integrator::new(self.state.get(), free, motion, span, settings)?;
        let outcome = integrator.run(&mut goal, monitor);
        self.statistics = integrator.statistics();
        let elapsed = integrator.elapsed;
        let end = (integrator.motion).state_of(elapsed, &integrator.state);
        let arrived = end.and_then(|end| self.arrive_by_solution(&span, elapsed, &end));
        outcome
            .and_then(|event| arrived.map(|()| event))
            .map_err(|cause| Failure {
                cause,
                body: None,
                completed: self.statistics.accepted,
            })
    }

    /// The drag and the rotors that are in the total torque, those that the method takes apart from
    /// it, and what the torque is shown of the rotation.
    fn taken_apart<'r>(
        &self,
        rotor: Option<&'r Rotor<f64>>,
        span: &Span,
    ) -> (DragAndRotor<'r>, DragAndRotor<'r>, Sees) {
        let all = self.drag_and(rotor, span);
        let none = DragAndRotor::default();
        match self.solve_method {
            SolveMethod::Nonstiff | SolveMethod::Stiff => (all, none, Sees::Rotation),
            SolveMethod::Splitting => (none, all, Sees::NoVelocity),
        }
    }

    fn settings(&self, tolerance: f64) -> Settings {
        Settings {
            method: self.solve_method,
            tolerance,
            limits: self.solve_limits,
        }
    }

    /// Moves the body to a state at an elapsed time, if a step has been taken, or the clock has
    /// passed over a time that is too short for one.
    fn arrive_by_solution(
        &mut self,
        span: &Span,
        elapsed: f64,
        state: &State<f64>,
    ) -> Result<(), Error> {
        let clock = span.clock(elapsed);
        if self.statistics.accepted == 0 && clock.now() == self.time() {
            return Ok(());
        }
        let mut end_inertia = None;
        if let Some(changing) = self.changing_inertia() {
            end_inertia = Some(changing.at(clock.now())?);
        }
        let before = self.state;
        self.state.put(state);
        if let Some(inertia) = end_inertia {
            self.exchange_inertia(inertia, Keep::AngularVelocity)
                .inspect_err(|_| self.state = before)?;
        }
        self.clock = clock;
        self.drive_rotors(elapsed - span.start);
        self.forget(Change::Motion); // it is that of the state before
        Ok(())
    }

    /// Refuses a solution that cannot be computed. `resists`: the torque is known to depend on the
    /// angular velocity.
    fn check_solution(&self, end: &EndTime, resists: bool) -> Result<(), Error> {
        check(
            self.random().is_none(),
            "body",
            "must have no random torques: their noise has no derivative that error control could \
             use",
        )?;
        check(
            self.changing_inertia().is_none() || self.solve_method == SolveMethod::Nonstiff,
            "method",
            "must be QI_SOLVE_NONSTIFF where the inertia changes",
        )?;
        check(
            self.solve_method != SolveMethod::Splitting || !resists,
            "method",
            "must not be QI_SOLVE_SPLITTING under a torque that depends on the angular velocity: \
             take QI_SOLVE_NONSTIFF or, in place of the torque, qi_set_drag()",
        )?;
        if (end.time - self.time()).is_finite() {
            Ok(())
        } else {
            Err(Error::OutOfRange { name: end.name })
        }
    }
}

fn check_tolerance(tolerance: f64) -> Result<(), Error> {
    let [tolerance] = finite("tolerance", [tolerance])?;
    let must = "must be from 1e-15 to 0.1";
    check((1e-15..=0.1).contains(&tolerance), "tolerance", must)
}
