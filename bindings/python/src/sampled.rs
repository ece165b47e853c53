//! A solution with samples of the motion, from which `quatint._solution` makes dense output and
//! finds events.

use crate::body::Body;
use crate::callables::Function;
use crate::errors::{is_of_motion, raised};
use crate::functions::{check_function, is_compiled};
use crate::names::crossing_of;
use crate::new_arrays::NewArray;
use crate::returned::number;
use crate::solve::{EventValue, compiled_event, with_time_of_event};
use pyo3::exceptions::PyBaseException;
use pyo3::prelude::*;
use quatint::rotation::components;
use quatint::{Crossing, Error};
use std::sync::{Arc, Mutex};

/// An event that stops the solution.
struct Stop {
    crossing: Crossing,
    /// From which time on which sign is before the next crossing.
    before: Option<(f64, f64)>,
}

/// Sees the events at each state that the search for events asks for.
struct Watcher {
    values: Vec<Box<EventValue<'static>>>,
    /// `None` for an event that does not stop the solution.
    stops: Vec<Option<Stop>>,
    samples: Samples,
}

/// States and values of the events at times that are apart from each other, in the order in which
/// they were asked.
struct Samples {
    /// 1 or -1: that of the time.
    direction: f64,
    keeps_states: bool,
    rows: Vec<([f64; 8], Vec<f64>)>,
    /// The step between the last two times that were later than all before.
    gap: f64,
    last: f64,
    no_memory: bool,
}

impl Default for Samples {
    fn default() -> Self {
        Samples {
            direction: 1.0,
            keeps_states: true,
            rows: Vec::new(),
            gap: 0.0,
            last: 0.0,
            no_memory: false,
        }
    }
}

impl Samples {
    /// The states and the values of the events, each as rows.
    fn arrays<'py>(
        &self,
        py: Python<'py>,
        events: usize,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let count = self.rows.len();
        let states: Vec<f64> = self.rows.iter().flat_map(|row| row.0).collect();
        let values: Vec<f64> = self
            .rows
            .iter()
            .flat_map(|row| row.1.iter().copied())
            .collect();
        let states = NewArray::of(py, &states, &[count, 8])?;
        let values = NewArray::of(py, &values, &[count, events])?;
        Ok((states.writeable(), values.writeable()))
    }

    /// Each step is first asked from its start to its end, then between, in at most 32 parts of
    /// these. Times that are closer are those of the search for a zero, or an ulp beside an end:
    /// interpolation between them would magnify rounding.
    fn is_apart(&self, time: f64) -> bool {
        let least = (self.gap / 40.0).max(ulps(time));
        // the rows of a step are the last ones, at most 256 and a few
        self.rows
            .iter()
            .rev()
            .take(400)
            .all(|(row, _)| (row[0] - time).abs() > least)
    }

    fn take(&mut self, time: f64, q: [f64; 4], omega: [f64; 3], values: Vec<f64>) {
        let is_later = self.rows.is_empty() || self.direction * (time - self.last) > ulps(time);
        if is_later {
            self.gap = if self.rows.is_empty() {
                0.0
            } else {
                (time - self.last).abs()
            };
            self.last = time;
        } else if !self.is_apart(time) {
            return;
        }
        self.no_memory |= self.rows.try_reserve(1).is_err();
        if !self.no_memory {
            let [w, x, y, z] = q;
            let [a, b, c] = omega;
            self.rows.push(([time, w, x, y, z, a, b, c], values));
        }
    }

    /// In the order of time, with the end of the solution.
    fn finish(&mut self, time: f64, q: [f64; 4], omega: [f64; 3], values: Vec<f64>) {
        let direction = self.direction;
        let least = self.gap / 40.0;
        self.rows
            .retain(|(row, _)| direction * (time - row[0]) > least);
        self.rows
            .sort_by(|a, b| (direction * a.0[0]).total_cmp(&(direction * b.0[0])));
        let [w, x, y, z] = q;
        let [a, b, c] = omega;
        self.rows.push(([time, w, x, y, z, a, b, c], values));
    }
}

/// Times as close as this are the same.
fn ulps(time: f64) -> f64 {
    4.0 * f64::EPSILON * time.abs()
}

impl Watcher {
    /// A number that is positive until the first event that stops the solution, and each event's
    /// part of it.
    fn look(&mut self, time: f64, q: [f64; 4], omega: [f64; 3]) -> (f64, Vec<f64>) {
        let values = self.values_at(time, q, omega);
        if self.samples.no_memory || values.iter().any(|value| !value.is_finite()) {
            return (f64::NAN, values);
        }
        let direction = self.samples.direction;
        let distance = |(stop, &value): (&mut Option<Stop>, &f64)| {
            let Some(Stop { crossing, before }) = stop else {
                return f64::INFINITY;
            };
            let may_begin = match crossing {
                Crossing::Rising => value < 0.0,
                Crossing::Falling => value > 0.0,
                Crossing::Any => value != 0.0,
            };
            if may_begin && before.is_none_or(|(since, _)| direction * (time - since) < 0.0) {
                *before = Some((time, value.signum()));
            }
            match before {
                Some((since, side)) if direction * (time - *since) >= 0.0 => *side * value,
                _ => value.abs().max(f64::MIN_POSITIVE),
            }
        };
        let distances: Vec<f64> = self.stops.iter_mut().zip(&values).map(distance).collect();
        let keeps = if self.samples.keeps_states {
            (q, omega)
        } else {
            ([0.0; 4], [0.0; 3])
        };
        self.samples.take(time, keeps.0, keeps.1, values);
        let nearest = distances.iter().copied().fold(f64::INFINITY, f64::min);
        (if nearest.is_finite() { nearest } else { 1.0 }, distances)
    }
}

/// Where the Python functions of events leave what they have raised.
type Raised = Arc<Mutex<Option<PyErr>>>;

/// An event as a function.
fn value_of(event: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<Box<EventValue<'static>>> {
    if is_compiled(event)? {
        return Ok(Box::new(compiled_event(event)?));
    }
    check_function(
        event,
        "an event is a function, quatint.Event(f) or quatint.compiled(f)",
        3,
    )?;
    let mut function = Function::new(event.clone().unbind());
    let raised = raised.clone();
    Ok(Box::new(move |time, q, omega| {
        let value = function.call(time, q, omega, |_, value| number(value));
        if let (Some(error), Ok(mut raised)) = (function.raised.take(), raised.lock()) {
            *raised = Some(error);
        }
        value.unwrap_or(f64::NAN)
    }))
}

/// An event as Python gives it: the function, the crossing, and whether it stops the solution.
type GivenEvent<'py> = (Bound<'py, PyAny>, String, bool);

fn are_all_compiled(events: &[GivenEvent<'_>]) -> PyResult<bool> {
    for (function, _, _) in events {
        if !is_compiled(function)? {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Watcher {
    fn new(
        py: Python<'_>,
        events: &[GivenEvent<'_>],
        raised: &Raised,
        samples: Samples,
    ) -> PyResult<Self> {
        let mut values = Vec::new();
        let mut stops = Vec::new();
        for (function, crossing, does_stop) in events {
            values.push(value_of(function, raised)?);
            let crossing = crossing_of(py, crossing)?;
            stops.push(does_stop.then_some(Stop {
                crossing,
                before: None,
            }));
        }
        Ok(Watcher {
            values,
            stops,
            samples,
        })
    }

    /// The values of the events at a state.
    fn values_at(&mut self, time: f64, q: [f64; 4], omega: [f64; 3]) -> Vec<f64> {
        let values = self.values.iter_mut();
        values.map(|value| value(time, q, omega)).collect()
    }
}

fn taken(raised: &Raised) -> Option<PyErr> {
    raised.lock().ok()?.take()
}

/// Rows of states, rows of values, the number of the event that stopped the solution, and the
/// exception that ended it.
type Arrays<'py> = (
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Option<usize>,
    Option<Py<PyBaseException>>,
);

#[pymethods]
impl Body {
    /// For solve_dense. events: (function, crossing, whether it stops). Returns rows of time,
    /// orientation and angular velocity, which are 0 where the motion is free and therefore known;
    /// the values of the events in these rows; the number of the event that stopped it; and the
    /// MotionError that ended it, up to which the rows are known.
    fn _solve_sampled<'py>(
        &self,
        py: Python<'py>,
        end_time: f64,
        tolerance: f64,
        events: Vec<GivenEvent<'py>>,
    ) -> PyResult<Arrays<'py>> {
        let raised_in_event = Raised::default();
        let mut watcher = Watcher::new(py, &events, &raised_in_event, Samples::default())?;
        let needs_lock = !are_all_compiled(&events)?;
        let inner = &mut *self.lock(py)?;
        let is_free = inner.is_free();
        if end_time < inner.body.time() {
            watcher.samples.direction = -1.0;
        }
        watcher.samples.keeps_states = !is_free;
        let mut found = None;
        let mut failed = None;
        if is_free && events.is_empty() {
            inner.solve_to(py, end_time, tolerance, None)?;
        } else {
            let mut value =
                |time: f64, q: [f64; 4], omega: [f64; 3]| watcher.look(time, q, omega).0;
            let span = (end_time, tolerance);
            let (outcome, interrupt) =
                inner.solve_until(py, span, Crossing::Falling, &mut value, needs_lock);
            let outcome = outcome.map_err(|failure| {
                if let Error::EventNotFinite { time, .. } = failure.cause {
                    if watcher.samples.no_memory {
                        return raised(py, Error::Memory);
                    }
                    if let Some(error) = taken(&raised_in_event) {
                        return with_time_of_event(py, error, time);
                    }
                }
                inner.unsolved(py, interrupt, failure)
            });
            match outcome {
                Ok(time) => found = time,
                Err(error) if is_of_motion(py, &error) => failed = Some(error.into_value(py)),
                Err(error) => return Err(error),
            }
        }
        let time = inner.body.time();
        let q = components(inner.body.orientation());
        let omega = inner.body.angular_velocity().into();
        let (_, distances) = watcher.look(time, q, omega);
        if let Some(error) = taken(&raised_in_event) {
            return Err(with_time_of_event(py, error, time));
        }
        let nearest = (0..distances.len()).min_by(|a, b| distances[*a].total_cmp(&distances[*b]));
        let values = watcher.values_at(time, q, omega);
        watcher.samples.finish(time, q, omega, values);
        let (states, values) = watcher.samples.arrays(py, events.len())?;
        let stopped_by = nearest.filter(|_| found.is_some());
        Ok((states, values, stopped_by, failed))
    }

    /// As solve(end_time), but return the solution: a function of time, with the events on the way.
    ///
    /// solve_dense(end_time, tolerance=1e-9, *, events=()) returns a quatint.Solution.
    /// ``solution(times)`` is a Trajectory at any times of it, by interpolation as exact as the
    /// steps, except those of ``solve_method = "splitting"``, which are so long that it is off by
    /// up to a thousand tolerances: solve(times) has exact rows; ``t``, ``q``, ``omega`` are states to plot, 16 or more of each step; ``t_events``,
    /// ``q_events`` and ``omega_events`` have an array for each event; ``stopped_by`` is the number
    /// of the event that ended it, or None.
    ///
    /// events: one or several of: a function ``(t, q, omega) -> number``, quatint.compiled(f), or
    /// quatint.Event(f, crossing, stops). The attributes ``terminal`` and ``direction`` of a
    /// function mean what they mean in scipy. Events that do not stop it change no bit.
    #[pyo3(signature = (end_time, tolerance=1e-9, *, events=None))]
    fn solve_dense<'py>(
        this: &Bound<'py, Self>,
        end_time: f64,
        tolerance: f64,
        events: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let module = this.py().import("quatint._solution")?;
        module
            .getattr("solve_dense")?
            .call1((this, end_time, tolerance, events))
    }
}
