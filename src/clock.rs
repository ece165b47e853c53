//! The clock: a compensated sum of the time steps.

use crate::error::Error;

/// Sums time steps without accumulating rounding errors (Kahan's compensated sum, with Knuth's
/// exact addition). A plain sum of a million steps of 1e-3 is off by 1e-8: a phase error that
/// matters to a fast driving torque. It has two numbers: the time, and the remainder that rounding
/// has left of the sum.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Clock(pub(crate) [f64; 2]);

impl Clock {
    #[inline(always)]
    pub(crate) fn now(&self) -> f64 {
        self.0[0]
    }

    /// The clock after a time step. Errors: the time overflows.
    #[inline(always)]
    pub(crate) fn advanced(mut self, dt: f64) -> Result<Clock, Error> {
        self.advance(dt);
        if self.now().is_finite() {
            Ok(self)
        } else {
            Err(Error::OutOfRange { name: "time" })
        }
    }

    /// The time after some steps.
    #[cold]
    pub(crate) fn after(mut self, steps: u64, dt: f64) -> f64 {
        for _ in 0..steps {
            self.advance(dt);
        }
        self.now()
    }

    #[inline(always)]
    pub(crate) fn advance(&mut self, dt: f64) {
        let a = self.0[0];
        let b = dt + self.0[1];
        let sum = a + b;
        let b_taken = sum - a;
        self.0 = [sum, (a - (sum - b_taken)) + (b - b_taken)];
    }
}

/// The span of time of a solution or a step. Within it, elapsed time is counted from the time of
/// the clock at its start, so that the steps of a fast body are resolved wherever the clock stands,
/// be it Unix time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    clock: Clock,
    end_time: f64,
    /// The elapsed time at the start: the remainder that rounding has left of the clock's sum.
    pub(crate) start: f64,
    /// The elapsed time at the end.
    pub(crate) end: f64,
}

impl Span {
    /// From the clock to the time `end_time`.
    pub(crate) fn new(clock: Clock, end_time: f64) -> Self {
        let [time, carried] = clock.0;
        let end = time_between(time, end_time);
        let is_rest = time + carried == time; // a caller may have set anything
        Span {
            clock,
            end_time,
            start: if end != 0.0 && is_rest { carried } else { 0.0 },
            end,
        }
    }

    /// From the time at the start of a step. The end is not known.
    #[inline(always)]
    pub(crate) fn from(start: f64) -> Self {
        Span {
            clock: Clock([start, 0.0]),
            end_time: f64::NAN,
            start: 0.0,
            end: f64::NAN,
        }
    }

    /// A time that the clock resolves well, to a part in 4096.
    pub(crate) fn resolved(&self) -> f64 {
        4096.0 * f64::EPSILON * self.clock.now().abs().max(self.end_time.abs())
    }

    /// The elapsed time when the clock shows `time`; 0 if it is denormal.
    pub(crate) fn elapsed(&self, time: f64) -> f64 {
        time_between(self.clock.now(), time)
    }

    /// The times of the clock before and after a time, this far from it or at the ends of the span.
    pub(crate) fn neighbours(&self, time: f64, apart: f64) -> [f64; 2] {
        let ends = [self.clock.now(), self.end_time];
        let first = ends[0].min(ends[1]);
        let last = ends[0].max(ends[1]);
        [(time - apart).max(first), (time + apart).min(last)]
    }

    /// The time of the clock at an elapsed time.
    #[inline(always)]
    pub(crate) fn time(&self, elapsed: f64) -> f64 {
        if elapsed == self.end {
            self.end_time
        } else {
            self.clock.now() + elapsed
        }
    }

    /// The clock at an elapsed time.
    pub(crate) fn clock(&self, elapsed: f64) -> Clock {
        let mut clock = Clock([self.clock.now(), 0.0]);
        clock.advance(elapsed);
        if elapsed == self.end {
            Clock([self.end_time, 0.0])
        } else {
            clock
        }
    }
}

/// The time from one time to another, or 0 if it is denormal: its reciprocal may not be finite.
fn time_between(from: f64, to: f64) -> f64 {
    let apart = to - from;
    if apart.abs() < f64::MIN_POSITIVE {
        0.0
    } else {
        apart
    }
}
