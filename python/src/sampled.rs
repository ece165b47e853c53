//! A solution with samples of the motion, from which `quatint._solution` makes dense output and
//! finds events.

use crate::acting::{Acting, check_function, is_compiled};
use crate::arrays::number;
use crate::body::{Body, components};
use crate::callables::Function;
use crate::compiled::{self, pointer_of};
use crate::errors::{raised, refused, with_note};
use crate::interrupt::Signals;
use crate::names::crossing_of;
use crate::numpy::NewArray;
use crate::rotors::has_rotors;
use pyo3::prelude::*;
use quatint::{Crossing, Error};

type Value = dyn FnMut(f64, [f64; 4], [f64; 3]) -> f64 + Send;

/// An event that stops the solution.
struct Stop {
    crossing: Crossing,
    /// From which time on which sign is before the next crossing.
    before: Option<(f64, f64)>,
}

/// Sees the events at each state that the search for events asks for.
struct Watcher {
    values: Vec<Box<Value>>,
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

impl Samples {
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
            let ([w, x, y, z], [a, b, c]) = (q, omega);
            self.rows.push(([time, w, x, y, z, a, b, c], values));
        }
    }

    /// In the order of time, with the end of the solution.
    fn finish(&mut self, time: f64, q: [f64; 4], omega: [f64; 3], values: Vec<f64>) {
        let (direction, least) = (self.direction, self.gap / 40.0);
        self.rows
            .retain(|(row, _)| direction * (time - row[0]) > least);
        self.rows
            .sort_by(|a, b| (direction * a.0[0]).total_cmp(&(direction * b.0[0])));
        let ([w, x, y, z], [a, b, c]) = (q, omega);
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
        let values: Vec<f64> = self
            .values
            .iter_mut()
            .map(|value| value(time, q, omega))
            .collect();
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

/// An event as a function, and the Python function that it calls, if any.
fn value_of(
    event: &Bound<'_, PyAny>,
    raised: &std::sync::Arc<std::sync::Mutex<Option<PyErr>>>,
) -> PyResult<Box<Value>> {
    if is_compiled(event)? {
        if event.getattr("frame")?.extract::<String>()? != "world" {
            let message =
                "an event gets the angular velocity in the world frame: leave out frame=\"body\"";
            return Err(refused(event.py(), message));
        }
        return Ok(Box::new(compiled::event(pointer_of(event, "event")?.get())));
    }
    check_function(
        event,
        "an event is a function, quatint.Event(f) or quatint.compiled(f)",
    )?;
    let (mut function, raised) = (Function::new(event.clone().unbind()), raised.clone());
    Ok(Box::new(move |time, q, omega| {
        let value = function.call(time, q, omega, |_, value| number(value));
        if let (Some(error), Ok(mut raised)) = (function.raised.take(), raised.lock()) {
            *raised = Some(error);
        }
        value.unwrap_or(f64::NAN)
    }))
}

type Arrays<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Option<usize>);

#[pymethods]
impl Body {
    /// For solve_dense. events: (function, crossing, whether it stops). Returns rows of time,
    /// orientation and angular velocity, which are 0 where the motion is free and therefore known;
    /// the values of the events in these rows; and the number of the event that stopped it.
    fn _solve_sampled<'py>(
        &self,
        py: Python<'py>,
        end_time: f64,
        tolerance: f64,
        events: Vec<(Bound<'py, PyAny>, String, bool)>,
    ) -> PyResult<Arrays<'py>> {
        let (raised_in_event, mut values, mut stops) =
            (std::sync::Arc::default(), Vec::new(), Vec::new());
        for (function, crossing, does_stop) in &events {
            values.push(value_of(function, &raised_in_event)?);
            let crossing = crossing_of(py, crossing)?;
            stops.push(does_stop.then_some(Stop {
                crossing,
                before: None,
            }));
        }
        let has_python = events
            .iter()
            .map(|event| is_compiled(&event.0))
            .collect::<PyResult<Vec<_>>>()?
            .contains(&false);
        let inner = &mut *self.lock(py)?;
        let is_free = matches!(inner.acting, Acting::Free(_))
            && inner.body.drag().is_none()
            && !has_rotors(&inner.body);
        let direction = if end_time < inner.body.time() {
            -1.0
        } else {
            1.0
        };
        let samples = Samples {
            direction,
            keeps_states: !is_free,
            rows: Vec::new(),
            gap: 0.0,
            last: 0.0,
            no_memory: false,
        };
        let mut watcher = Watcher {
            values,
            stops,
            samples,
        };
        let (mut interrupt, mut stop) = (None, None);
        let found = if is_free && events.is_empty() {
            inner.solve_to(py, end_time, tolerance)?;
            Ok(None)
        } else if has_python {
            let value = |time: f64, q: [f64; 4], omega: [f64; 3]| watcher.look(time, q, omega).0;
            inner.solve_until(
                end_time,
                tolerance,
                &mut { value },
                Crossing::Falling,
                &mut interrupt,
            )
        } else {
            inner.released(py, u64::MAX, |inner| {
                let mut signals = Signals::new(&mut stop); // without a torque nothing else asks
                let value = |time: f64, q: [f64; 4], omega: [f64; 3]| match signals.interrupt() {
                    true => f64::NAN,
                    false => watcher.look(time, q, omega).0,
                };
                inner.solve_until(
                    end_time,
                    tolerance,
                    &mut { value },
                    Crossing::Falling,
                    &mut interrupt,
                )
            })
        };
        let of_event = |time: f64| {
            let error = raised_in_event
                .lock()
                .ok()
                .and_then(|mut error| error.take())?;
            Some(with_note(
                py,
                error,
                &format!("raised in the event function at time {time:?}"),
            ))
        };
        let found = found.map_err(|failure| match failure.cause {
            Error::EventNotFinite { .. } if watcher.samples.no_memory => raised(py, Error::Memory),
            Error::EventNotFinite { time, .. } => {
                of_event(time).unwrap_or_else(|| inner.unsolved(py, interrupt.or(stop), failure))
            }
            _ => inner.unsolved(py, interrupt.or(stop), failure),
        })?;
        let body = &inner.body;
        let (time, q, omega) = (
            body.time(),
            components(body.orientation()),
            body.angular_velocity().into(),
        );
        let (_, distances) = watcher.look(time, q, omega);
        if let Some(error) = of_event(time) {
            return Err(error);
        }
        let nearest = (0..distances.len()).min_by(|a, b| distances[*a].total_cmp(&distances[*b]));
        let values: Vec<f64> = watcher
            .values
            .iter_mut()
            .map(|value| value(time, q, omega))
            .collect();
        watcher.samples.finish(time, q, omega, values);
        let rows = &watcher.samples.rows;
        let states: Vec<f64> = rows.iter().flat_map(|row| row.0).collect();
        let values: Vec<f64> = rows.iter().flat_map(|row| row.1.iter().copied()).collect();
        let states = NewArray::of(py, &states, &[rows.len(), 8])?.writeable();
        let values = NewArray::of(py, &values, &[rows.len(), events.len()])?.writeable();
        Ok((states, values, nearest.filter(|_| found.is_some())))
    }

    /// As solve(end_time), but return the solution: a function of time, with the events on the way.
    ///
    /// solve_dense(end_time, tolerance=1e-9, *, events=()) returns a quatint.Solution.
    /// ``solution(times)`` is a Trajectory at any times of it, by interpolation as exact as the
    /// steps; ``t``, ``q``, ``omega`` are states to plot, 16 or more of each step; ``t_events``,
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
