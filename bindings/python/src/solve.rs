//! A body with error control.

use crate::acting::{Acting, with_torque};
use crate::arrays::{Input, whole};
use crate::body::{Body, Inner};
use crate::callables::Function;
use crate::compiled::{self, pointer_of};
use crate::errors::{Outcome, raised, refused, with_note};
use crate::functions::{check_function, is_compiled, with_address};
use crate::interrupt::{Interruptible, Signals};
use crate::names::{crossing_of, name_of_solve_method, solve_method_of};
use crate::returned::number;
use crate::rotors::has_rotors;
use crate::steps::trajectory;
use crate::torques::result;
use nalgebra::{UnitQuaternion, Vector3};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use quatint::rotation::components;
use quatint::{Crossing, Error, Failure, Frame, Layout, Record, Statistics};
use std::ops::ControlFlow;

/// As a named tuple.
fn statistics<'py>(py: Python<'py>, of: Statistics) -> PyResult<Bound<'py, PyAny>> {
    result(py, "Statistics", (of.evaluations, of.accepted, of.rejected))
}

/// The body, and the torque, or the one in its place that is asked: without, a solution with
/// rotors, a drag or an inertia that changes would not look for signals.
fn asked<'a>(
    inner: &'a mut Inner,
    nothing: &'a mut Acting,
) -> (&'a mut quatint::Body, &'a mut Acting) {
    let takes_time = !inner.is_free() && matches!(inner.acting, Acting::Free(_));
    let acting = if takes_time {
        nothing
    } else {
        &mut inner.acting
    };
    (&mut inner.body, acting)
}

/// Follows a solution: handles signals, and calls the monitor that the user gave. Without a monitor
/// signals are handled where the torque is asked: each look of a follower takes a fifth of a step.
struct Follower<'a> {
    signals: Signals<'a>,
    monitor: &'a mut Function,
}

impl Follower<'_> {
    fn look(
        &mut self,
        time: f64,
        q: &UnitQuaternion<f64>,
        omega: &Vector3<f64>,
    ) -> ControlFlow<i32> {
        if self.signals.interrupt() {
            return ControlFlow::Break(1);
        }
        let answer = (self.monitor).call(time, components(*q), (*omega).into(), expect_none);
        match answer {
            Some(()) => ControlFlow::Continue(()),
            None => ControlFlow::Break(1),
        }
    }
}

/// Refuses what a monitor returns: whoever returns `True` means something by it.
fn expect_none(_: Python<'_>, returned: &Bound<'_, PyAny>) -> PyResult<()> {
    if returned.is_none() {
        return Ok(());
    }
    let kind = returned.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "a monitor returns None, not {kind}: it ends the solution by an exception"
    )))
}

/// The monitor of a solution, which is a Python function.
fn monitor_of(function: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Function>> {
    let Some(function) = function else {
        return Ok(None);
    };
    check_function(function, "a monitor is a function", 3)?;
    Ok(Some(Function::new(function.clone().unbind())))
}

impl Inner {
    /// Whether the motion is known without steps.
    pub(crate) fn is_free(&self) -> bool {
        matches!(self.acting, Acting::Free(_))
            && self.body.drag().is_none()
            && !has_rotors(&self.body)
            && self.inertia_function.is_none()
    }

    pub(crate) fn set_limits(&mut self, py: Python<'_>, longest: f64, most: u64) -> PyResult<()> {
        self.body.set_solve_longest_step(longest).raise(py)?;
        self.body.set_solve_most_evaluations(most);
        self.limits = (longest, most);
        Ok(())
    }

    /// The exception of a failed solution: the signal that interrupted it, what a function has
    /// raised, or the library's.
    pub(crate) fn unsolved(
        &mut self,
        py: Python<'_>,
        interrupt: Option<PyErr>,
        failure: Failure,
    ) -> PyErr {
        interrupt.unwrap_or_else(|| self.explained(py, failure))
    }

    /// As `unsolved`, of a solution that a monitor follows.
    fn unfollowed(
        &mut self,
        py: Python<'_>,
        interrupt: Option<PyErr>,
        monitor: Option<Function>,
        failure: Failure,
    ) -> PyErr {
        if let Error::Monitor { time, .. } = failure.cause
            && let Some(error) = monitor.and_then(|monitor| monitor.raised)
        {
            let note = format!("raised in the monitor at time {time:?}");
            return with_note(py, error, &note);
        }
        self.unsolved(py, interrupt, failure)
    }

    pub(crate) fn solve_to(
        &mut self,
        py: Python<'_>,
        end: f64,
        tolerance: f64,
        mut monitor: Option<Function>,
    ) -> PyResult<Statistics> {
        let mut interrupt = None;
        let outcome = self.released(py, u64::MAX, |inner| {
            let Some(monitor) = &mut monitor else {
                let mut nothing = Acting::nothing();
                let (body, acting) = asked(inner, &mut nothing);
                return with_torque!(acting, torque => {
                    body.solve(end, tolerance, &mut Interruptible::new(torque, &mut interrupt))
                });
            };
            let signals = Signals::new(&mut interrupt);
            let mut follower = Follower { signals, monitor };
            let Inner { body, acting, .. } = inner;
            with_torque!(acting, torque => {
                body.solve_monitored(end, tolerance, torque, 1, |t, q, omega| follower.look(t, q, omega))
            })
        });
        outcome.map_err(|failure| self.unfollowed(py, interrupt, monitor, failure))
    }

    fn solve_at(
        &mut self,
        py: Python<'_>,
        times: &[f64],
        tolerance: f64,
        mut monitor: Option<Function>,
    ) -> PyResult<Vec<Record>> {
        let mut interrupt = None;
        let mut rows = Vec::new();
        rows.try_reserve_exact(times.len())
            .map_err(|_| raised(py, Error::Memory))?;
        rows.resize(times.len(), [0.0; 8]);
        let (_, outcome) = self.released(py, u64::MAX, |inner| {
            let Some(monitor) = &mut monitor else {
                let mut nothing = Acting::nothing();
                let (body, acting) = asked(inner, &mut nothing);
                return with_torque!(acting, torque => {
                    body.solve_record(times, &mut rows, tolerance, &mut Interruptible::new(torque, &mut interrupt))
                });
            };
            let signals = Signals::new(&mut interrupt);
            let mut follower = Follower { signals, monitor };
            let Inner { body, acting, .. } = inner;
            with_torque!(acting, torque => {
                body.solve_record_monitored(times, &mut rows, tolerance, torque, 1, |t, q, omega| {
                    follower.look(t, q, omega)
                })
            })
        });
        outcome.map_err(|failure| self.unfollowed(py, interrupt, monitor, failure))?;
        Ok(rows)
    }
}

/// The value of an event at a state: the time, the orientation, the angular velocity in the world
/// frame.
pub(crate) type EventValue<'a> = dyn FnMut(f64, [f64; 4], [f64; 3]) -> f64 + Send + 'a;

/// A compiled function as an event.
pub(crate) fn compiled_event(
    event: &Bound<'_, PyAny>,
) -> PyResult<impl FnMut(f64, [f64; 4], [f64; 3]) -> f64 + Send + use<>> {
    if event.getattr("frame")?.extract::<String>()? != "world" {
        let message =
            "an event gets the angular velocity in the world frame: leave out frame=\"body\"";
        return Err(refused(event.py(), message));
    }
    Ok(compiled::event(pointer_of(event, "event")?.get()))
}

/// Adds to an exception of an event function when it happened.
pub(crate) fn with_time_of_event(py: Python<'_>, error: PyErr, time: f64) -> PyErr {
    let note = format!("raised in the event function at time {time:?}");
    with_note(py, error, &note)
}

impl Inner {
    /// Moves the body to the end, or to the first event: its time. Besides, what a handler of a
    /// signal has raised. `needs_lock`: whether the event needs the lock of the interpreter.
    pub(crate) fn solve_until(
        &mut self,
        py: Python<'_>,
        (end, tolerance): (f64, f64),
        crossing: Crossing,
        value: &mut EventValue<'_>,
        needs_lock: bool,
    ) -> (Result<Option<f64>, Failure>, Option<PyErr>) {
        let mut interrupt = None;
        let mut run = |Inner { body, acting, .. }: &mut Self| {
            let mut signals = Signals::new(&mut interrupt);
            let value = |time: f64, q: &UnitQuaternion<f64>, omega: &Vector3<f64>| {
                if signals.interrupt() {
                    return f64::NAN;
                }
                value(time, components(*q), (*omega).into())
            };
            with_torque!(acting, torque => {
                body.solve_until(end, tolerance, value, crossing, torque)
            })
        };
        let outcome = if needs_lock {
            run(self)
        } else {
            self.released(py, u64::MAX, run)
        };
        (outcome, interrupt)
    }
}

#[pymethods]
impl Body {
    /// Advance with error control, in steps that a tolerance from 1e-15 to 0.1 chooses, by a method
    /// of order 8.
    ///
    /// solve(end_time) returns the cost: Statistics(evaluations, accepted, rejected). solve(times),
    /// with an array of ascending or descending times, returns Trajectory(t, q, omega): times (m,),
    /// orientations (m, 4) and angular velocities (m, 3), by dense output. tolerance: the local
    /// error of a step, in rad, and relative to the greatest angular velocity. A body without
    /// torque is exact. If it fails, the body is where the last accepted step ended; the error's
    /// ``step`` counts the accepted ones.
    ///
    /// monitor: a function ``monitor(t, q, omega)`` that is called after each step that is taken,
    /// with the time and arrays of 4 and 3 numbers (world frame). It follows a long solution, and
    /// ends it by an exception, which comes out unchanged. It changes no bit.
    #[pyo3(signature = (times, tolerance=1e-9, *, monitor=None))]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        times: &Bound<'py, PyAny>,
        tolerance: f64,
        monitor: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let monitor = monitor_of(monitor)?;
        // an array of one time is an array
        if !times.hasattr("__len__")?
            || times
                .getattr("ndim")
                .is_ok_and(|ndim| ndim.eq(0).unwrap_or(false))
        {
            let kind = times.get_type();
            let must = "must be a number, the end, or an array of times";
            let end = times.extract::<f64>().map_err(|error| {
                let is_of_type = error.is_instance_of::<PyTypeError>(py);
                let named = || PyTypeError::new_err(format!("`times` {must}, not {kind}"));
                if is_of_type { named() } else { error }
            })?;
            let cost = self.lock(py)?.solve_to(py, end, tolerance, monitor)?;
            return statistics(py, cost);
        }
        let array = Input::<1>::new(py, times, "times")?;
        let count = array.count().unwrap_or(1);
        let view = array.view(py, count)?;
        let times: Vec<f64> = (0..count).map(|i| view.get(i)[0]).collect();
        let rows = self.lock(py)?.solve_at(py, &times, tolerance, monitor)?;
        trajectory(py, &rows)
    }

    /// As solve(end_time), but stop where ``event(t, q, omega)`` becomes zero or changes its sign:
    /// return the time, or None at the end.
    ///
    /// event: gets the time and arrays of 4 and 3 numbers (world frame), returns a number; or a
    /// numba.cfunc(quatint.EVENT_SIGNATURE), or quatint.compiled(f), where f has the signature of
    /// qi_event_fn. crossing: "any", "rising" or "falling". Each step is searched in
    /// 16 parts or more, and for extrema near zero.
    #[pyo3(signature = (event, end_time, tolerance=1e-9, *, crossing="any"))]
    fn solve_until(
        &self,
        py: Python<'_>,
        event: &Bound<'_, PyAny>,
        end_time: f64,
        tolerance: f64,
        crossing: &str,
    ) -> PyResult<Option<f64>> {
        let crossing = crossing_of(py, crossing)?;
        let event = &with_address(event, Frame::World, Layout::Aos)?;
        let inner = &mut *self.lock(py)?;
        let span = (end_time, tolerance);
        if is_compiled(event)? {
            let mut value = compiled_event(event)?;
            let (outcome, interrupt) = inner.solve_until(py, span, crossing, &mut value, false);
            return outcome.map_err(|failure| inner.unsolved(py, interrupt, failure));
        }
        check_function(event, "an event is a function or quatint.compiled(f)", 3)?;
        let mut event = Function::new(event.clone().unbind());
        let mut value = |time: f64, q: [f64; 4], omega: [f64; 3]| {
            let value = event.call(time, q, omega, |_, value| number(value));
            value.unwrap_or(f64::NAN)
        };
        let (outcome, interrupt) = inner.solve_until(py, span, crossing, &mut value, true);
        outcome.map_err(|failure| {
            if let Error::EventNotFinite { time, .. } = failure.cause
                && let Some(error) = event.raised.take()
            {
                return with_time_of_event(py, error, time);
            }
            inner.unsolved(py, interrupt, failure)
        })
    }

    /// The longest step of solve and the other solutions, in units of time; 0: any length. A torque that
    /// acts for a short time only may fall between two evaluations, and is then not seen: take no
    /// more than the length of such a pulse.
    #[getter]
    fn solve_longest_step(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.lock(py)?.limits.0)
    }

    #[setter]
    fn set_solve_longest_step(&self, py: Python<'_>, solve_longest_step: f64) -> PyResult<()> {
        let mut inner = self.lock(py)?;
        let most = inner.limits.1;
        inner.set_limits(py, solve_longest_step, most)
    }

    /// The most evaluations of the torque in a call of solve or another solution; 0: no limit. Beyond
    /// it: MotionError, with the body where the last accepted step ended.
    #[getter]
    fn solve_most_evaluations(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.lock(py)?.limits.1)
    }

    #[setter]
    fn set_solve_most_evaluations(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = whole)] solve_most_evaluations: u64,
    ) -> PyResult<()> {
        let mut inner = self.lock(py)?;
        let longest = inner.limits.0;
        inner.set_limits(py, longest, solve_most_evaluations)
    }

    /// "nonstiff", the default; "stiff": for torques that change faster than the motion, such as
    /// stiff drag and springs (the error of a solution that crawls says when to choose it); or
    /// "splitting": for functions of orientation and time, which it calls least. They are given NaN
    /// for the angular velocity.
    #[getter]
    fn solve_method(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(name_of_solve_method(self.lock(py)?.body.solve_method()))
    }

    #[setter]
    fn set_solve_method(&self, py: Python<'_>, solve_method: &str) -> PyResult<()> {
        let method = solve_method_of(py, solve_method)?;
        self.lock(py)?.body.set_solve_method(method);
        Ok(())
    }

    /// What the last solve or solve_until cost, also if it failed: Statistics(evaluations,
    /// accepted, rejected).
    #[getter]
    fn solve_statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let cost = self.lock(py)?.body.solve_statistics();
        statistics(py, cost)
    }
}
