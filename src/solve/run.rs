//! What a solution is for: the state at its end, rows at some times, or an event.

use super::control::StepPlan;
use super::dense::Dense;
use super::event::{Crossing, Samples, Search, StepSearch, WithinStep};
use super::event_function::{CheckedEvent, Event, Moment, Rounding, Side};
use super::integrator::Integrator;
use super::motion::Equations;
use crate::clock::Span;
use crate::error::{Error, check, finite};
use crate::kernel::State;

/// What a body is asked for: one value for all of `Body::solve`'s relatives.
pub(crate) struct Solution<'g, 'm> {
    pub(crate) goal: Goal<'g>,
    pub(crate) tolerance: f64,
    pub(crate) monitor: Option<Monitor<'m>>,
}

/// What a solution is for.
pub(crate) enum Goal<'g> {
    /// The state at a time.
    End(EndTime),
    /// Rows at some times; it ends at the last.
    Rows(Rows<'g>),
    /// The state at the first event, or at the end.
    Event {
        end: EndTime,
        function: &'g mut Event<'g>,
        crossing: Crossing,
    },
}

impl Goal<'_> {
    /// Whether there is nothing to be done.
    pub(crate) fn is_nothing(&self) -> bool {
        matches!(self, Goal::Rows(rows) if rows.count == 0)
    }

    /// When the solution ends. Errors: it never does.
    pub(crate) fn end(&self) -> Result<EndTime, Error> {
        match self {
            Goal::End(end) | Goal::Event { end, .. } => end.finite(),
            Goal::Rows(rows) => rows.end(),
        }
    }
}

/// The time at which a solution ends.
#[derive(Clone, Copy)]
pub(crate) struct EndTime {
    /// The argument that the time comes from.
    pub(crate) name: &'static str,
    pub(crate) time: f64,
}

impl EndTime {
    pub(crate) fn at(name: &'static str, time: f64) -> Self {
        EndTime { name, time }
    }

    fn finite(&self) -> Result<EndTime, Error> {
        finite(self.name, [self.time])?;
        Ok(*self)
    }
}

/// A caller who follows a solution: the function gets the time and the state after every `every`
/// steps, and ends the solution by an error.
pub(crate) struct Monitor<'m> {
    pub(crate) every: u64,
    pub(crate) function: &'m mut MonitorFunction<'m>,
}

pub(crate) type MonitorFunction<'m> = dyn FnMut(f64, &State<f64>) -> Result<(), Error> + 'm;

/// The rows of a record. Row `i` is that of the time `time(i)`.
pub(crate) struct Rows<'r> {
    pub(crate) now: f64,
    pub(crate) count: usize,
    /// How many rows have been written.
    pub(crate) written: &'r mut usize,
    pub(crate) time: &'r dyn Fn(usize) -> f64,
    pub(crate) put: &'r mut dyn FnMut(usize, f64, &State<f64>),
}

impl Rows<'_> {
    /// The last of the times.
    fn end(&self) -> Result<EndTime, Error> {
        let mut end = EndTime::at("times", self.now);
        for i in 0..self.count {
            end.time = (self.time)(i);
            if !end.time.is_finite() {
                return Err(Error::NotFinite {
                    name: end.name,
                    index: Some(i),
                    value: end.time,
                });
            }
        }
        Ok(end)
    }

    /// Refuses times that do not ascend or, backwards, descend.
    fn check_order(&self) -> Result<(), Error> {
        let is_backwards = self.count > 0 && (self.time)(self.count - 1) < self.now;
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
        if *self.written < self.count {
            Some((self.time)(*self.written))
        } else {
            None
        }
    }

    /// Writes the next row.
    fn write(&mut self, time: f64, state: &State<f64>) {
        (self.put)(*self.written, time, state);
        *self.written += 1;
    }
}

/// What is looked for in each step before it is taken.
enum Watch<'w, 'g> {
    Nothing,
    Rows(&'w mut Rows<'g>),
    Event {
        search: Search,
        event: CheckedEvent<'w, 'g>,
    },
}

/// Where a solution stops within a step.
struct Stop {
    elapsed: f64,
    state: State<f64>,
}

impl Integrator<'_> {
    /// Takes steps until the goal is reached. Returns the time of an event.
    pub(crate) fn run<'g>(
        &mut self,
        goal: &mut Goal<'g>,
        mut monitor: Option<Monitor>,
    ) -> Result<Option<f64>, Error> {
        let every = monitor.as_ref().map_or(1, |monitor| monitor.every);
        check(every > 0, "every", "must be positive")?;
        let mut watch = self.begin(goal)?;
        while self.elapsed != self.span.end {
            self.next_step()?;
            if let Some(stop) = self.look(&mut watch)? {
                self.stop(stop.elapsed, &stop.state);
                return Ok(Some(self.time()));
            }
            self.take();
            if let Some(monitor) = &mut monitor
                && self.accepted.is_multiple_of(every)
            {
                let state = self.motion.state_of(self.elapsed, &self.state)?;
                (monitor.function)(self.time(), &state)?;
            }
        }
        Ok(None)
    }

    /// What the steps are looked at for. Writes the rows of the start.
    fn begin<'w, 'g>(&mut self, goal: &'w mut Goal<'g>) -> Result<Watch<'w, 'g>, Error> {
        match goal {
            Goal::End(_) => Ok(Watch::Nothing),
            Goal::Rows(rows) => {
                rows.check_order()?;
                while let Some(next) = rows.next()
                    && self.span.elapsed(next) == 0.0
                {
                    rows.write(next, &self.start);
                }
                Ok(Watch::Rows(rows))
            }
            Goal::Event {
                function, crossing, ..
            } => self.begin_search(function, *crossing),
        }
    }

    /// The motion of a free body is searched in stretches of at most a radian, at least 1000 of
    /// them. Neither these stretches nor, of other bodies, the first step are cut so short, for the
    /// length of the call, that the clock hardly resolves them.
    fn begin_search<'w, 'g>(
        &mut self,
        function: &'w mut Event<'g>,
        crossing: Crossing,
    ) -> Result<Watch<'w, 'g>, Error> {
        let longest_step = self.limits.longest_step;
        let resolved = self.span.resolved();
        self.control.longest_first = self.control.longest_first.max(resolved);
        let mut most = u64::MAX; // under a torque, its evaluations are counted
        if let Some(body) = &self.free {
            let stretch = body.radian().min(1e-3 * self.span.end.abs());
            self.longest_free = stretch.max(resolved).min(longest_step);
            most = self.limits.most_evaluations;
        }
        let mut event = CheckedEvent {
            function,
            asked: 0,
            most,
        };
        let here = Moment {
            time: self.time(),
            elapsed: self.elapsed,
            state: self.start,
        };
        let start = event.value(here.time, &here.state)?;
        let rounding = event.rounding(&self.motion, &self.span, &here)?;
        let search = Search {
            crossing,
            side: Side::of(start, rounding.zero),
            last: start,
            rounding,
        };
        Ok(Watch::Event { search, event })
    }

    /// Looks at the step that has been computed. Returns where the solution stops within it.
    fn look(&mut self, watch: &mut Watch) -> Result<Option<Stop>, Error> {
        match watch {
            Watch::Nothing => Ok(None),
            Watch::Rows(rows) => self.write_rows(rows).map(|()| None),
            Watch::Event { search, event } => {
                search_step(self, search, event).map_err(|error| located(error, self.time()))
            }
        }
    }

    /// Writes the rows of the step.
    fn write_rows(&mut self, rows: &mut Rows) -> Result<(), Error> {
        let span = self.span;
        let step = self.step;
        let mut dense = None;
        while let Some(next) = rows.next() {
            let elapsed = span.elapsed(next);
            let is_beyond =
                elapsed != step.plan.end && (elapsed > step.plan.end) == (span.end > 0.0);
            // a monitor that ends where the clock shows this time wants its row
            if is_beyond && next != span.time(step.plan.end) {
                break;
            }
            if is_beyond || elapsed == step.plan.end {
                let state = self.motion.state_of(step.plan.end, &step.end_state)?;
                rows.write(next, &state);
                continue;
            }
            let dense = match &dense {
                Some(dense) => dense,
                None => dense.insert(self.dense()?),
            };
            let part = (elapsed - step.plan.start) / step.plan.h;
            let unknowns = dense.at(part, elapsed)?;
            rows.write(next, &self.motion.state_of(elapsed, &unknowns)?);
        }
        Ok(())
    }
}

/// An event function within a step.
struct EventInStep<'w, 'f, 'e, 'd> {
    event: &'w mut CheckedEvent<'f, 'e>,
    dense: &'w Dense<'d>,
    motion: &'w Equations<'d>,
    plan: &'w StepPlan,
    span: Span,
}

impl EventInStep<'_, '_, '_, '_> {
    fn at(&self, part: f64) -> Result<Moment, Error> {
        let elapsed = self.plan.elapsed(part);
        let unknowns = self.dense.at(part, elapsed)?;
        Ok(Moment {
            time: self.span.time(elapsed),
            elapsed,
            state: self.motion.state_of(elapsed, &unknowns)?,
        })
    }
}

impl WithinStep for EventInStep<'_, '_, '_, '_> {
    fn value(&mut self, part: f64) -> Result<f64, Error> {
        let here = self.at(part)?;
        self.event.value(here.time, &here.state)
    }

    fn rounding(&mut self, part: f64) -> Result<Rounding, Error> {
        let here = self.at(part)?;
        self.event.rounding(self.motion, &self.span, &here)
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
    let latest_time = span.time(plan.start).abs().max(span.time(plan.end).abs());
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
        ulp: f64::EPSILON * latest_time / plan.h.abs(),
        rounding_at_end: within.rounding(1.0)?,
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
