//! A body with error control.

use super::stepping::{Dragged, Guarded};
use super::{Body, Record, record_of, states::SpacedState};
use crate::clock::{Clock, Span};
use crate::error::{Error, Failure, finite};
use crate::solve::{Attempt, Crossing, Integrator, Statistics, Watch, checked_tolerance};
use crate::{kernel::State, torque::Torque};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

impl Body {
    /// Advances the body to the time `end_time`, before or after its own, in steps that the tolerance chooses; its clock then shows `end_time`.
    ///
    /// `tolerance`, from 1e-15 to 0.1: the local error of a step, in radians of orientation and relative to the greatest angular velocity
    /// so far. The errors of the steps add up. A Runge-Kutta method of order 8 takes them, whatever [`Body::method`] says, with 12
    /// evaluations of the torque each; a drag ([`Body::set_drag`]) is part of the torque here, and a stiff one takes small steps. A free
    /// body takes one step, which is exact.
    ///
    /// Errors: an argument is refused; the torque is not finite, or returned an error; no step is short enough
    /// ([`Error::StepUnderflow`]). The body and its clock are then where the last accepted step ended; [`Failure::completed`] counts them.
    ///
    /// ```
    /// use nalgebra::{UnitQuaternion, Vector3};
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
        let outcome = match self.path(end_time, torque) {
            Path::Free => self.drift_to(end_time),
            Path::Driven(mut torque) => self.integrate(end_time, tolerance, &mut torque, |_, _| Ok(None)).map(|_| ()),
        };
        self.finish(outcome).map(|()| self.statistics)
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
            let outcome = match self.path(end, torque) {
                Path::Free => self.record_free(end, &mut rows),
                Path::Driven(mut torque) => self.record_driven(end, tolerance, &mut rows, &mut torque),
            };
            self.finish(outcome).map(|()| self.statistics)
        });
        (written, outcome)
    }

    /// As [`Body::solve`], but stops where the function `event(time, orientation, angular velocity)` crosses zero, with the angular
    /// velocity in the world frame. Returns the time of the event, where the body then is, or `None` at `end_time`.
    ///
    /// The event is located in the dense output to the last digits. The body stops where the function is 0 or has just changed sign, so
    /// the next call finds the next event. A start at which the function is exactly 0 is no event until the function has left 0. Each
    /// step is searched in 16 parts or more; two crossings within a part may be missed.
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
        let outcome = match self.path(end_time, torque) {
            Path::Free => self.find_free(end_time, event, crossing),
            Path::Driven(mut torque) => self.find_driven(end_time, tolerance, event, crossing, &mut torque),
        };
        self.finish(outcome)
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

    fn finish<R>(&mut self, outcome: Result<R, Error>) -> Result<R, Failure> {
        if self.statistics.accepted > 0 {
            self.forget_torque(); // that of the state before
        }
        outcome.map_err(|cause| Failure { cause, body: None, completed: self.statistics.accepted })
    }

    fn path<'t, T: Torque<Error: Into<Error>> + ?Sized>(&self, end: f64, torque: &'t mut T) -> Path<'t, T> {
        if T::ACTS || self.extras.is_some() {
            let guarded = Guarded { torque, span: Span::new(self.clock, end) };
            let is_locked = self.inertia.principal().is_locked();
            Path::Driven(Dragged { guarded, drag: self.drag(), rotor: self.rotor(), is_locked })
        } else {
            Path::Free
        }
    }

    pub(super) fn settle(&mut self, state: &State<f64>, clock: Clock) {
        (self.state, self.clock) = (SpacedState::new(state), clock);
    }
}

/// An event function of time and state.
pub(crate) type Event<'e> = dyn FnMut(f64, &State<f64>) -> f64 + 'e;

/// The same, checked.
pub(super) type Checked<'e> = dyn FnMut(f64, &State<f64>) -> Result<f64, Error> + 'e;

enum Path<'t, T: ?Sized> {
    Free,
    Driven(Dragged<'t, T>),
}

/// The rows of a record, of which some are written.
pub(super) struct Recording<'r> {
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
    pub(super) fn next_until(&self, span: &Span, end: f64) -> Option<(f64, f64)> {
        let time = self.next()?;
        let elapsed = span.elapsed(time);
        (if span.end < 0.0 { elapsed >= end } else { elapsed <= end }).then_some((elapsed, time))
    }

    pub(super) fn write_start(&mut self, body: &Body) {
        while self.next() == Some(body.time()) {
            self.write(body.time(), &body.state.get());
        }
    }

    pub(super) fn write(&mut self, time: f64, state: &State<f64>) {
        (self.put)(*self.written, record_of(time, state));
        *self.written += 1;
    }
}

/// A state at an elapsed time.
type At = (f64, State<f64>);

/// Under a torque.
impl Body {
    /// Takes steps to the end, or to the state within a step at which `visit` stops. Whatever happens, the body is then where the
    /// integrator is.
    fn integrate<T: Torque<Error = Error> + ?Sized>(
        &mut self, end: f64, tolerance: f64, torque: &mut T,
        mut visit: impl FnMut(&mut Integrator<T>, &Attempt) -> Result<Option<At>, Error>,
    ) -> Result<Option<f64>, Error> {
        let (inertia, span) = (*self.inertia.principal(), Span::new(self.clock, end));
        let mut integrator = Integrator::new(&self.state.get(), &inertia, torque, span, tolerance, self.limits);
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
            self.settle(&integrator.state, span.clock(integrator.elapsed));
            self.drive_rotors(integrator.elapsed - span.start);
        }
        self.statistics = integrator.statistics;
        outcome
    }

    fn record_driven<T>(&mut self, end: f64, tolerance: f64, rows: &mut Recording, torque: &mut T) -> Result<(), Error>
    where
        T: Torque<Error = Error> + ?Sized,
    {
        let span = Span::new(self.clock, end);
        rows.write_start(self);
        let outcome = self.integrate(end, tolerance, torque, |integrator, step| {
            let inside = rows.next_until(&span, step.end).is_some_and(|(elapsed, _)| elapsed != step.end);
            let dense = if inside { Some(integrator.dense(step)?) } else { None };
            while let Some((elapsed, time)) = rows.next_until(&span, step.end) {
                match &dense {
                    Some(dense) if elapsed != step.end => rows.write(time, &dense.at(step.part(elapsed))),
                    _ => rows.write(time, &step.state),
                }
            }
            Ok(None)
        });
        outcome.map(|_| ())
    }

    fn find_driven<T>(
        &mut self, end: f64, tolerance: f64, event: &mut Checked, crossing: Crossing, torque: &mut T,
    ) -> Result<Option<f64>, Error>
    where
        T: Torque<Error = Error> + ?Sized,
    {
        let span = Span::new(self.clock, end);
        let mut watch = Watch::new(crossing, event(self.time(), &self.state.get())?);
        self.integrate(end, tolerance, torque, |integrator, step| {
            let dense = integrator.dense(step)?;
            let found =
                watch.search(step.resolution(), &mut |part| event(span.time(step.elapsed(part)), &dense.at(part)))?;
            let found = found.or((step.end == span.end && watch.is_on_event()).then_some(1.0));
            Ok(found.map(|part| (step.elapsed(part), dense.at(part))))
        })
    }
}
