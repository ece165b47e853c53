//! A body with error control.

use super::acting::{Dragged, Guarded};
use super::{Body, Record, record_of, states::SpacedState};
use crate::error::{Error, Failure, finite};
use crate::kernel::{State, Vec3};
use crate::solve::{Ask, Attempt, Crossing, Integrator, SolveMethod, Statistics, Watch, checked_tolerance};
use crate::{clock::Span, inertia::least_moment, method::length, torque::Torque};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

impl Body {
    /// Advances the body to the time `end_time`, before or after its own, in steps that the tolerance chooses; its clock then shows `end_time`.
    ///
    /// `tolerance`, from 1e-15 to 0.1: the local error of a step, in radians of orientation and relative to the greatest angular velocity
    /// so far. The errors of the steps add up. A Runge-Kutta method of order 8 takes them, whatever [`Body::method`] says, with 12
    /// evaluations of the torque each; a drag ([`Body::set_drag`]) is part of the torque here, and a stiff one takes small steps unless
    /// [`Body::set_solve_method`] allows others. A free body takes one step, which is exact.
    ///
    /// Errors: an argument is refused; the torque is not finite, or returned an error; no step is short enough
    /// ([`Error::StepUnderflow`]). The body and its clock are then where the last accepted step ended; [`Failure::completed`] counts them.
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
    pub fn solve<T>(&mut self, end_time: f64, tolerance: f64, torque: &mut T) -> Result<Statistics, Failure>
    where
        T: Torque<Error: Into<Error>> + ?Sized,
    {
        self.begin(end_time, "end_time", tolerance)?;
        self.under(torque, end_time, tolerance, |body, task| {
            body.integrate(task, f64::INFINITY, &mut |_, _| Ok(None))
        })?;
        Ok(self.statistics)
    }

    /// As [`Body::solve`] to the last of the `times`, with a row for each of them, by dense output of order 7. The first may be the time
    /// of the body; they ascend, or descend. The end is the same, bit for bit, as that of [`Body::solve`]. Returns the number of rows
    /// written, all unless it fails. Errors: as [`Body::solve`], and [`Error::Capacity`] if `rows` is shorter than `times`.
    pub fn solve_record<T>(
        &mut self, times: &[f64], rows: &mut [Record], tolerance: f64, torque: &mut T,
    ) -> (usize, Result<Statistics, Failure>)
    where
        T: Torque<Error: Into<Error>> + ?Sized,
    {
        if rows.len() < times.len() {
            let error = Error::Capacity { name: "rows", needed: times.len() as u64, given: rows.len() as u64 };
            return (0, Err(error.into()));
        }
        self.solve_record_into(times.len(), &|i| times[i], &mut |i, row| rows[i] = row, tolerance, torque)
    }

    /// [`Body::solve_record`], with callbacks `time(i)` and `put(i, row)`, `i < count`.
    pub(crate) fn solve_record_into<T>(
        &mut self, count: usize, time: &dyn Fn(usize) -> f64, put: &mut dyn FnMut(usize, Record), tolerance: f64,
        torque: &mut T,
    ) -> (usize, Result<Statistics, Failure>)
    where
        T: Torque<Error: Into<Error>> + ?Sized,
    {
        let mut written = 0;
        let outcome = self.begin_record(count, time, tolerance).and_then(|end| {
            let mut rows = Recording { count, written: &mut written, time, put };
            self.under(torque, end, tolerance, |body, task| body.integrate_and_record(task, &mut rows))
        });
        (written, outcome.map(|_| self.statistics))
    }

    /// As [`Body::solve`], but stops where the function `event(time, orientation, angular velocity)` crosses zero, with the angular
    /// velocity in the world frame. Returns the time of the event, where the body then is, or `None` at `end_time`.
    ///
    /// The event is located in the dense output to the last digits. The body stops where the function is 0 or has just changed sign, so
    /// the next call finds the next event. A start at which the function is exactly 0 is no event until the function has left 0. Each
    /// step is searched in 16 to 256 parts, until cubics through its values predict those between them to 2 % of their range. Where such a
    /// function comes near zero and turns back, its extremum is searched too: a crossing there and back is found however little
    /// it passes zero. A function with other features shorter than a part may be missed there: see [`Body::set_solve_longest_step`].
    ///
    /// Errors: as [`Body::solve`], and [`Error::EventNotFinite`]; the body is then at the start of the step in which it happened.
    pub fn solve_until<T>(
        &mut self, end_time: f64, tolerance: f64,
        mut event: impl FnMut(f64, &UnitQuaternion<f64>, &Vector3<f64>) -> f64, crossing: Crossing, torque: &mut T,
    ) -> Result<Option<f64>, Failure>
    where
        T: Torque<Error: Into<Error>> + ?Sized,
    {
        let event = &mut |time: f64, state: &State<f64>| {
            let [w, x, y, z] = state.q.0;
            let omega_world = Vector3::from(state.q.to_world(state.omega_body).0);
            event(time, &UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z)), &omega_world)
        };
        self.solve_until_zero(end_time, tolerance, event, crossing, torque)
    }

    /// [`Body::solve_until`] with an event function of states.
    pub(crate) fn solve_until_zero<T>(
        &mut self, end_time: f64, tolerance: f64, event: &mut Event, crossing: Crossing, torque: &mut T,
    ) -> Result<Option<f64>, Failure>
    where
        T: Torque<Error: Into<Error>> + ?Sized,
    {
        self.begin(end_time, "end_time", tolerance)?;
        let event = &mut |time: f64, state: &State<f64>| match event(time, state) {
            value if value.is_finite() => Ok(value),
            value => Err(Error::EventNotFinite { time, value }),
        };
        self.under(torque, end_time, tolerance, |body, task| body.integrate_and_find(task, event, crossing))
    }

    /// What the last [`Body::solve`], [`Body::solve_record`] or [`Body::solve_until`] of this body cost, also if it failed.
    pub fn solve_statistics(&self) -> Statistics {
        self.statistics
    }

    /// The longest step that [`Body::solve`] and its relatives take, in units of time; 0: any length. A torque that acts for a short
    /// time only may fall between two evaluations, and is then not seen: no step should be longer than such a pulse. Events are
    /// searched in steps of at most this length too. Errors: [`Error::NotFinite`]; [`Error::Invalid`] if it is negative.
    pub fn set_solve_longest_step(&mut self, longest: f64) -> Result<(), Error> {
        let [longest] = finite("longest", [longest])?;
        if longest < 0.0 {
            return Err(Error::Invalid { name: "longest", must: "must be positive, or 0 for steps of any length" });
        }
        self.limits.longest = if longest == 0.0 { f64::INFINITY } else { longest };
        Ok(())
    }

    /// The most evaluations of the torque in a call of [`Body::solve`] or its relatives; 0: no limit. Where no torque acts,
    /// evaluations of the event function count. Beyond it a solution ends with [`Error::TooManyEvaluations`], and the body is where the
    /// last accepted step ended.
    pub fn set_solve_most_evaluations(&mut self, most: u64) {
        self.limits.most = if most == 0 { u64::MAX } else { most };
    }

    /// How [`Body::solve`] and its relatives take their steps; see [`SolveMethod`]. A solution of the default method that crawls, because
    /// the torque is stiff, says so in its error when it ends by [`Body::set_solve_most_evaluations`].
    pub fn set_solve_method(&mut self, method: SolveMethod) {
        self.solve_method = method;
    }

    /// The choice of [`Body::set_solve_method`].
    pub fn solve_method(&self) -> SolveMethod {
        self.solve_method
    }

    fn begin(&mut self, end: f64, name: &'static str, tolerance: f64) -> Result<(), Error> {
        self.statistics = Statistics::default();
        finite(name, [end])?;
        checked_tolerance(tolerance)?;
        if self.random().is_some() {
            let must = "must have no random torques: their noise has no derivative that error control could use";
            return Err(Error::Invalid { name: "body", must });
        }
        if !(end - self.time()).is_finite() {
            return Err(Error::OutOfRange { name });
        }
        Ok(())
    }

    /// The end of the record.
    fn begin_record(&mut self, count: usize, time: &dyn Fn(usize) -> f64, tolerance: f64) -> Result<f64, Failure> {
        self.statistics = Statistics::default();
        let (start, end) = (self.time(), if count == 0 { self.time() } else { time(count - 1) });
        for i in 0..count {
            if !time(i).is_finite() {
                return Err(Error::NotFinite { name: "times", index: Some(i), value: time(i) }.into());
            }
        }
        self.begin(end, "times", tolerance)?;
        let before = |i: usize| if i == 0 { start } else { time(i - 1) };
        if (0..count).any(|i| if end < start { time(i) > before(i) } else { time(i) < before(i) }) {
            let must = "must ascend from the time of the body, or descend from it";
            return Err(Error::Invalid { name: "times", must }.into());
        }
        Ok(end)
    }

    /// Runs `run` with the torque and all that acts besides it.
    fn under<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self, torque: &mut T, end: f64, tolerance: f64,
        run: impl FnOnce(&mut Self, Task) -> Result<Option<f64>, Error>,
    ) -> Result<Option<f64>, Failure> {
        let (inertia, span) = (*self.inertia.principal(), Span::new(self.clock, end));
        let (drag, rotor, is_locked) = (self.drag(), self.rotor(), inertia.is_locked());
        let mut all = Dragged { guarded: Guarded { torque, span }, drag, rotor, is_locked };
        let torque: &mut Ask = &mut |time, here| all.torque_world(time, here, &inertia);
        let is_free = !T::ACTS && self.extras.is_none();
        let outcome = run(self, Task { span, tolerance, torque, is_free });
        if self.statistics.accepted > 0 {
            self.forget_torque(); // that of the state before
        }
        outcome.map_err(|cause| Failure { cause, body: None, completed: self.statistics.accepted })
    }
}

/// An event function of time and state.
pub(crate) type Event<'e> = dyn FnMut(f64, &State<f64>) -> f64 + 'e;

/// The same, checked.
type Checked<'e> = dyn FnMut(f64, &State<f64>) -> Result<f64, Error> + 'e;

/// The rows of a record, of which some are written.
struct Recording<'r> {
    count: usize,
    written: &'r mut usize,
    time: &'r dyn Fn(usize) -> f64,
    put: &'r mut dyn FnMut(usize, Record),
}

impl Recording<'_> {
    fn next(&self) -> Option<f64> {
        (*self.written < self.count).then(|| (self.time)(*self.written))
    }

    /// The elapsed time and the time of the next row, if it comes before `end`, an elapsed time, or then.
    fn next_until(&self, span: &Span, end: f64) -> Option<(f64, f64)> {
        let time = self.next()?;
        let elapsed = span.elapsed(time);
        (if span.end < 0.0 { elapsed >= end } else { elapsed <= end }).then_some((elapsed, time))
    }

    fn write(&mut self, time: f64, state: &State<f64>) {
        (self.put)(*self.written, record_of(time, state));
        *self.written += 1;
    }
}

/// What is to be solved.
struct Task<'a> {
    span: Span,
    tolerance: f64,
    torque: &'a mut Ask<'a>,
    /// Whether there is no torque.
    is_free: bool,
}

/// Looks at a step before it is taken, and may stop within it, with a state at an elapsed time.
type Visit<'v> = dyn FnMut(&mut Integrator, &Attempt) -> Result<Option<(f64, State<f64>)>, Error> + 'v;

impl Body {
    /// Takes steps to the end, or to the state within a step at which `visit` stops: returns the time then. Whatever happens, the body is
    /// then where the integrator is. `longest`: a step of a free body.
    fn integrate(&mut self, task: Task, longest: f64, visit: &mut Visit) -> Result<Option<f64>, Error> {
        let (inertia, Task { span, tolerance, torque, is_free }) = (*self.inertia.principal(), task);
        let (start, free, method) = (&self.state.get(), is_free.then_some(longest), self.solve_method);
        let mut integrator = Integrator::new(start, &inertia, torque, span, tolerance, self.limits, method, free);
        let outcome = loop {
            if integrator.elapsed == span.end {
                break Ok(None);
            }
            match integrator.attempt().and_then(|step| Ok((visit(&mut integrator, &step)?, step))) {
                Err(cause) => break Err(cause),
                Ok((None, step)) => integrator.take(&step),
                Ok((Some((elapsed, state)), _)) => {
                    integrator.stop(elapsed, &state);
                    break Ok(Some(span.time(elapsed)));
                }
            }
        };
        if integrator.statistics.accepted > 0 {
            (self.state, self.clock) = (SpacedState::new(&integrator.state), span.clock(integrator.elapsed));
            self.drive_rotors(integrator.elapsed - span.start);
        }
        self.statistics = integrator.statistics;
        outcome
    }

    fn integrate_and_record(&mut self, task: Task, rows: &mut Recording) -> Result<Option<f64>, Error> {
        let span = task.span;
        while rows.next() == Some(self.time()) {
            rows.write(self.time(), &self.state.get());
        }
        self.integrate(task, f64::INFINITY, &mut |integrator, step| {
            let inside = rows.next_until(&span, step.end).is_some_and(|(elapsed, _)| elapsed != step.end);
            let dense = if inside { Some(integrator.dense(step)?) } else { None };
            while let Some((elapsed, time)) = rows.next_until(&span, step.end) {
                match &dense {
                    Some(dense) if elapsed != step.end => rows.write(time, &dense.at(step.part(elapsed), elapsed)?),
                    _ => rows.write(time, &step.state),
                }
            }
            Ok(None)
        })
    }

    /// A free body is searched in stretches of at most a radian, 1000 or more.
    fn integrate_and_find(
        &mut self, task: Task, event: &mut Checked, crossing: Crossing,
    ) -> Result<Option<f64>, Error> {
        let (span, is_free, limits, mut asked) = (task.span, task.is_free, self.limits, 0);
        let mut watch = Watch::new(crossing, event(self.time(), &self.state.get())?);
        let longest = if is_free { self.radian().min(1e-3 * span.end.abs()).min(limits.longest) } else { 0.0 };
        self.integrate(task, longest, &mut |integrator, step| {
            let dense = integrator.dense(step)?;
            let at = |part: f64| dense.at(part, step.elapsed(part));
            let found = watch.search(step.resolution(), &mut |part| {
                if is_free {
                    limits.count(&mut asked, &|| span.time(step.start))?;
                }
                event(span.time(step.elapsed(part)), &at(part)?)
            })?;
            let found = found.or((step.end == span.end && watch.is_on_event()).then_some(1.0));
            found.map(|part| Ok((step.elapsed(part), at(part)?))).transpose()
        })
    }

    /// The time in which the fastest rotation with the energy of this body turns it by a radian: |ω|² is at most twice the energy over the
    /// least moment.
    fn radian(&self) -> f64 {
        let (moments, omega) = (self.inertia.principal().moments, self.state.get().omega_body);
        let least = least_moment(moments.0);
        let fastest = length(Vec3(std::array::from_fn(|axis| (moments.0[axis] / least).sqrt() * omega.0[axis])));
        1.0 / fastest.max(f64::MIN_POSITIVE)
    }
}
