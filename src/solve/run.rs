//! What a solution is for: the state at its end, rows at some times, or an event.

use super::control::StepPlan;
use super::dense::Dense;
use super::event::{
    CheckedEvent, Crossing, Event, Noise, Samples, Search, Side, StepSearch, WithinStep,
};
use super::integrator::Integrator;
use super::motion::Motion;
use crate::clock::Span;
use crate::error::{Error, check};
use crate::kernel::State;

/// A caller who follows a solution: the function gets the time and the state after every `every`
/// steps, and ends the solution by an error.
pub(crate) struct Monitor<'m> {
    pub(crate) every: u64,
    pub(crate) function: &'m mut MonitorFunction<'m>,
}

pub(crate) type MonitorFunction<'m> = dyn FnMut(f64, &State<f64>) -> Result<(), Error> + 'm;

/// A function that looks at each step of an integrator before it is taken, and may stop within it.
type Visit<'v> = dyn FnMut(&mut Integrator) -> Result<Option<Stop>, Error> + 'v;

/// Where a solution stops within a step.
struct Stop {
    elapsed: f64,
    state: State<f64>,
}

/// The rows of a record. Row `i` is that of the time `time(i)`.
pub(crate) struct Rows<'r> {
    pub(crate) now: f64,
    pub(crate) count: usize,
    /// How many rows have been written.
    pub(crate) written: usize,
    pub(crate) time: &'r dyn Fn(usize) -> f64,
    pub(crate) put: &'r mut dyn FnMut(usize, f64, &State<f64>),
}

impl Rows<'_> {
    /// The last of the times.
    pub(crate) fn end(&self) -> Result<f64, Error> {
        let mut end = self.now;
        for i in 0..self.count {
            end = (self.time)(i);
            if !end.is_finite() {
                return Err(Error::NotFinite {
                    name: "times",
                    index: Some(i),
                    value: end,
                });
            }
        }
        Ok(end)
    }

    /// Refuses times that do not ascend or, backwards, descend.
    fn check_order(&self, is_backwards: bool) -> Result<(), Error> {
        let mut before = self.now;
        for i in 0..self.count {
            let time = (self.time)(i);
            let turns_back = if is_backwards {
                time > before
            } else {
                time < before
            };
            let must = "must ascend from the time of the body, or descend from it";
            check(!turns_back, "times", must)?;
            before = time;
        }
        Ok(())
    }

    /// The time of the next row.
    fn next(&self) -> Option<f64> {
        if self.written < self.count {
            Some((self.time)(self.written))
        } else {
            None
        }
    }

    /// Writes the next row.
    fn write(&mut self, time: f64, state: &State<f64>) {
        (self.put)(self.written, time, state);
        self.written += 1;
    }
}

fn check_monitor(monitor: &Option<&mut Monitor>) -> Result<(), Error> {
    let every = monitor.as_ref().map_or(1, |monitor| monitor.every);
    check(every > 0, "every", "must be positive")
}

impl Integrator<'_> {
    /// Takes steps to the end, or to the state within a step at which `visit` stops. In the second
    /// case it returns the time.
    fn run(
        &mut self,
        visit: &mut Visit,
        mut monitor: Option<&mut Monitor>,
    ) -> Result<Option<f64>, Error> {
        check_monitor(&monitor)?;
        while self.elapsed != self.span.end {
            self.next_step()?;
            match visit(self)? {
                None => {
                    self.take();
                    if let Some(monitor) = &mut monitor
                        && self.accepted.is_multiple_of(monitor.every)
                    {
                        let state = self.motion.state_of(self.elapsed, &self.state)?;
                        (monitor.function)(self.time(), &state)?;
                    }
                }
                Some(stop) => {
                    self.stop(stop.elapsed, &stop.state);
                    return Ok(Some(self.time()));
                }
            }
        }
        Ok(None)
    }

    /// Goes to the end.
    pub(crate) fn go_to_end(
        &mut self,
        monitor: Option<&mut Monitor>,
    ) -> Result<Option<f64>, Error> {
        self.run(&mut |_| Ok(None), monitor)
    }

    /// Goes to the end, and writes the rows on the way.
    pub(crate) fn record(
        &mut self,
        rows: &mut Rows,
        monitor: Option<&mut Monitor>,
    ) -> Result<Option<f64>, Error> {
        let span = self.span;
        rows.check_order(span.end < 0.0)?;
        check_monitor(&monitor)?;
        while rows.next() == Some(rows.now) {
            rows.write(rows.now, &self.start);
        }
        let mut write_rows = |integrator: &mut Integrator| {
            let step = integrator.step;
            let mut dense = None;
            while let Some(next) = rows.next() {
                let elapsed = span.elapsed(next);
                if elapsed == step.plan.end {
                    let state = integrator.motion.state_of(elapsed, &step.end_state)?;
                    rows.write(next, &state);
                    continue;
                }
                let is_beyond = (elapsed > step.plan.end) == (span.end > 0.0);
                if is_beyond {
                    break;
                }
                let dense = match &dense {
                    Some(dense) => dense,
                    None => dense.insert(integrator.dense()?),
                };
                let part = (elapsed - step.plan.start) / step.plan.h;
                let unknowns = dense.at(part, elapsed)?;
                rows.write(next, &integrator.motion.state_of(elapsed, &unknowns)?);
            }
            Ok(None)
        };
        self.run(&mut write_rows, monitor)
    }

    /// Goes to the first event, or to the end without one. The motion of a free body is searched in
    /// stretches of at most a radian, at least 1000 of them.
    pub(crate) fn find(
        &mut self,
        event: &mut Event,
        crossing: Crossing,
    ) -> Result<Option<f64>, Error> {
        let most = if self.free.is_some() {
            self.limits.most_evaluations
        } else {
            u64::MAX // evaluations of the torque are counted then
        };
        let mut event = CheckedEvent {
            function: event,
            asked: 0,
            most,
        };
        let start = event.value(self.time(), &self.start)?;
        let noise = event.noise(self.time(), &self.start)?;
        let mut search = Search {
            crossing,
            side: Side::of(start, noise.total()),
            last: start,
            noise,
        };
        if let Some(body) = &self.free {
            let stretch = body.radian().min(1e-3 * self.span.end.abs());
            self.longest_free = stretch.min(self.limits.longest_step);
        }
        let mut look_for_event = |integrator: &mut Integrator| {
            let found = search_step(integrator, &mut search, &mut event);
            found.map_err(|error| located(error, integrator.time()))
        };
        self.run(&mut look_for_event, None)
    }
}

/// An event function within a step.
struct EventInStep<'w, 'f, 'e, 'd> {
    event: &'w mut CheckedEvent<'f, 'e>,
    dense: &'w Dense<'d>,
    motion: &'w Motion<'d>,
    plan: &'w StepPlan,
    span: Span,
}

impl EventInStep<'_, '_, '_, '_> {
    fn state(&self, part: f64) -> Result<(f64, State<f64>), Error> {
        let elapsed = self.plan.elapsed(part);
        let unknowns = self.dense.at(part, elapsed)?;
        let state = self.motion.state_of(elapsed, &unknowns)?;
        Ok((self.span.time(elapsed), state))
    }
}

impl WithinStep for EventInStep<'_, '_, '_, '_> {
    fn value(&mut self, part: f64) -> Result<f64, Error> {
        let (time, state) = self.state(part)?;
        self.event.value(time, &state)
    }

    fn noise(&mut self, part: f64) -> Result<Noise, Error> {
        let (time, state) = self.state(part)?;
        self.event.noise(time, &state)
    }
}

/// Searches the step that the integrator has computed for an event.
fn search_step(
    integrator: &mut Integrator,
    search: &mut Search,
    event: &mut CheckedEvent,
) -> Result<Option<Stop>, Error> {
    let span = integrator.span;
    let step = integrator.step;
    let dense = integrator.dense()?;
    let plan = &step.plan;
    let latest = plan.start.abs().max(plan.end.abs());
    let mut within = EventInStep {
        event,
        dense: &dense,
        motion: &integrator.motion,
        plan,
        span,
    };
    let mut searched = StepSearch {
        samples: Samples::new(search.last, &mut within)?,
        resolution: f64::EPSILON * latest / plan.h.abs(),
        noise_at_end: within.noise(1.0)?,
        is_last: plan.end == span.end,
    };
    let found = search.through(&mut searched, &mut within)?;
    let Some(part) = found else {
        return Ok(None);
    };
    let elapsed = plan.elapsed(part);
    let state = dense.at(part, elapsed)?;
    Ok(Some(Stop { elapsed, state }))
}

/// Adds the time of the body to the error of an event function that was asked too often.
fn located(error: Error, time: f64) -> Error {
    match error {
        Error::TooManyEvaluations {
            most,
            time: unknown,
            looks_stiff,
        } if unknown.is_nan() => Error::TooManyEvaluations {
            most,
            time,
            looks_stiff,
        },
        other => other,
    }
}
