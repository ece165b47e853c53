//! A body with error control.

use super::acting::{Dragged, Guarded};
use super::{Body, Record, record_of, states::SpacedState};
use crate::clock::{Clock, Span};
use crate::error::{Error, Failure, finite};
use crate::solve::{Ask, Attempt, Crossing, Integrator, SolveMethod, Statistics, Watch, checked_tolerance};
use crate::{kernel::State, torque::Torque};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// Runs `$run` with a torque of any type behind a pointer.
macro_rules! asking {
    ($body:ident, $torque:ident => $run:expr) => {{
        let (mut all, inertia) = ($torque, *$body.inertia.principal());
        let $torque: &mut Ask = &mut |time, here| all.torque_world(time, here, &inertia);
        $run
    }};
}

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
        let outcome = match self.all_torques(end_time, torque) {
            None => self.drift_to(end_time),
            Some(torque) => {
                asking!(self, torque => self.integrate(end_time, tolerance, torque, &mut |_, _| Ok(None)).map(|_| ()))
            }
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
            let outcome = match self.all_torques(end, torque) {
                None => self.record_free(end, &mut rows),
                Some(torque) => asking!(self, torque => self.record_driven(end, tolerance, &mut rows, torque)),
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
        let outcome = match self.all_torques(end_time, torque) {
            None => self.find_free(end_time, event, crossing),
            Some(torque) => asking!(self, torque => self.find_driven(end_time, tolerance, event, crossing, torque)),
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

    fn finish<R>(&mut self, outcome: Result<R, Error>) -> Result<R, Failure> {
        if self.statistics.accepted > 0 {
            self.forget_torque(); // that of the state before
        }
        outcome.map_err(|cause| Failure { cause, body: None, completed: self.statistics.accepted })
    }

    /// The torque with all that acts besides; `None`: the body is free.
    fn all_torques<'t, T: Torque<Error: Into<Error>> + ?Sized>(
        &self, end: f64, torque: &'t mut T,
    ) -> Option<Dragged<'t, T>> {
        let guarded = Guarded { torque, span: Span::new(self.clock, end) };
        let is_locked = self.inertia.principal().is_locked();
        let (drag, rotor) = (self.drag(), self.rotor());
        (T::ACTS || self.extras.is_some()).then_some(Dragged { guarded, drag, rotor, is_locked })
    }

    pub(super) fn settle(&mut self, state: &State<f64>, clock: Clock) {
        (self.state, self.clock) = (SpacedState::new(state), clock);
    }
}

/// An event function of time and state.
pub(crate) type Event<'e> = dyn FnMut(f64, &State<f64>) -> f64 + 'e;

/// The same, checked.
pub(super) type Checked<'e> = dyn FnMut(f64, &State<f64>) -> Result<f64, Error> + 'e;

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

/// Looks at a step before it is taken, and may stop within it.
type Visit<'v> = dyn FnMut(&mut Integrator, &Attempt) -> Result<Option<At>, Error> + 'v;

/// Under a torque.
impl Body {
    /// Takes steps to the end, or to the state within a step at which `visit` stops. Whatever happens, the body is then where the
    /// integrator is.
    fn integrate(
        &mut self, end: f64, tolerance: f64, torque: &mut Ask, visit: &mut Visit,
    ) -> Result<Option<f64>, Error> {
        let (inertia, span, limits) = (*self.inertia.principal(), Span::new(self.clock, end), self.limits);
        let mut integrator =
            Integrator::new(&self.state.get(), &inertia, torque, span, tolerance, limits, self.solve_method);
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

    fn record_driven(&mut self, end: f64, tolerance: f64, rows: &mut Recording, torque: &mut Ask) -> Result<(), Error> {
        let span = Span::new(self.clock, end);
        rows.write_start(self);
        let outcome = self.integrate(end, tolerance, torque, &mut |integrator, step| {
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

    fn find_driven(
        &mut self, end: f64, tolerance: f64, event: &mut Checked, crossing: Crossing, torque: &mut Ask,
    ) -> Result<Option<f64>, Error> {
        let span = Span::new(self.clock, end);
        let mut watch = Watch::new(crossing, event(self.time(), &self.state.get())?);
        self.integrate(end, tolerance, torque, &mut |integrator, step| {
            let dense = integrator.dense(step)?;
            let found =
                watch.search(step.resolution(), &mut |part| event(span.time(step.elapsed(part)), &dense.at(part)))?;
            let found = found.or((step.end == span.end && watch.is_on_event()).then_some(1.0));
            Ok(found.map(|part| (step.elapsed(part), dense.at(part))))
        })
    }
}
