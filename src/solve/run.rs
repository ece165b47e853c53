//! A solution to its end, with rows at some times, or until an event.

use super::{Crossing, Integrator, attempt::Attempt, event::Watch};
use crate::{error::Error, error::check, kernel::State};

/// Looks at a step before it is taken, and may stop within it, with a state at an elapsed time.
type Visit<'v> =
    dyn FnMut(&mut Integrator, &Attempt) -> Result<Option<(f64, State<f64>)>, Error> + 'v;

/// An event function of time and state.
pub(crate) type Event<'e> = dyn FnMut(f64, &State<f64>) -> f64 + 'e;

/// The rows of a record, of which some are written: the `i`-th at `time(i)`.
pub(crate) struct Rows<'r> {
    pub(crate) now: f64,
    pub(crate) count: usize,
    pub(crate) written: usize,
    pub(crate) time: &'r dyn Fn(usize) -> f64,
    pub(crate) put: &'r mut dyn FnMut(usize, f64, &State<f64>),
}

impl Rows<'_> {
    /// The last time; without times, `now`.
    pub(crate) fn end(&self) -> Result<f64, Error> {
        match (0..self.count)
            .map(self.time)
            .enumerate()
            .find(|(_, time)| !time.is_finite())
        {
            Some((i, value)) => Err(Error::NotFinite {
                name: "times",
                index: Some(i),
                value,
            }),
            None => Ok((0..self.count).last().map_or(self.now, self.time)),
        }
    }

    fn next(&self) -> Option<f64> {
        (self.written < self.count).then(|| (self.time)(self.written))
    }

    fn write(&mut self, time: f64, state: &State<f64>) {
        (self.put)(self.written, time, state);
        self.written += 1;
    }
}

impl Integrator<'_> {
    /// Takes steps to the end, or to the state within a step at which `visit` stops: returns the time then.
    fn run(&mut self, visit: &mut Visit) -> Result<Option<f64>, Error> {
        while self.elapsed != self.span.end {
            let step = self.attempt()?;
            match visit(self, &step)? {
                None => self.take(&step),
                Some((elapsed, state)) => {
                    self.stop(elapsed, &state);
                    return Ok(Some(self.time()));
                }
            }
        }
        Ok(None)
    }

    pub(crate) fn go_to_end(&mut self) -> Result<Option<f64>, Error> {
        self.run(&mut |_, _| Ok(None))
    }

    pub(crate) fn record(&mut self, rows: &mut Rows) -> Result<Option<f64>, Error> {
        let (span, now, time) = (self.span, rows.now, rows.time);
        let before = |i: usize| if i == 0 { now } else { time(i - 1) };
        let turns_back = |i| {
            if span.end < 0.0 {
                time(i) > before(i)
            } else {
                time(i) < before(i)
            }
        };
        let must = "must ascend from the time of the body, or descend from it";
        check(!(0..rows.count).any(turns_back), "times", must)?;
        while rows.next() == Some(now) {
            rows.write(now, &self.state);
        }
        self.run(&mut |integrator, step| {
            let mut dense = None;
            while let Some(next) = rows.next() {
                let elapsed = span.elapsed(next);
                if elapsed == step.end {
                    rows.write(next, &step.state);
                } else if (elapsed > step.end) == (span.end > 0.0) {
                    break;
                } else {
                    let dense = match &dense {
                        Some(dense) => dense,
                        None => dense.insert(integrator.dense(step)?),
                    };
                    rows.write(next, &dense.at((elapsed - step.start) / step.h, elapsed)?);
                }
            }
            Ok(None)
        })
    }

    /// To an event. A free body is searched in stretches of at most a radian, 1000 or more.
    pub(crate) fn find(
        &mut self,
        event: &mut Event,
        crossing: Crossing,
    ) -> Result<Option<f64>, Error> {
        let event = &mut |time: f64, state: &State<f64>| match event(time, state) {
            value if value.is_finite() => Ok(value),
            value => Err(Error::EventNotFinite { time, value }),
        };
        let (span, limits, mut asked) = (self.span, self.limits, 0);
        let value = event(self.time(), &self.state)?;
        let mut watch = Watch {
            crossing,
            side: value,
            last: value,
        };
        if let Some((body, longest)) = &mut self.free {
            *longest = body.radian().min(1e-3 * span.end.abs()).min(limits.longest);
        }
        self.run(&mut |integrator, step| {
            let dense = integrator.dense(step)?;
            let at = |part: f64| dense.at(part, step.elapsed(part));
            let resolution = f64::EPSILON * step.start.abs().max(step.end.abs()) / step.h.abs(); // of time, in parts
            let found = watch.search(resolution, step.end == span.end, &mut |part| {
                if integrator.free.is_some() && asked == limits.most {
                    let (most, time) = (limits.most, span.time(step.start));
                    return Err(Error::TooManyEvaluations {
                        most,
                        time,
                        looks_stiff: false,
                    });
                }
                asked += 1;
                event(span.time(step.elapsed(part)), &at(part)?)
            })?;
            found
                .map(|part| Ok((step.elapsed(part), at(part)?)))
                .transpose()
        })
    }
}
