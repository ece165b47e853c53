//! The clock: a compensated sum of the time steps.

use crate::error::Error;

/// Sums time steps without accumulating rounding errors (Kahan's compensated sum, with Knuth's
/// exact addition). A plain sum of a million steps of 1e-3 is off by 1e-8: a phase error that
/// matters to a fast driving torque. Two numbers: the time, and what rounding has left of the sum.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Clock(pub(crate) [f64; 2]);

impl Clock {
    #[inline(always)]
    pub(crate) fn now(&self) -> f64 {
        self.0[0]
    }

    /// Errors: the time overflows.
    #[inline(always)]
    pub(crate) fn advanced(mut self, dt: f64) -> Result<Clock, Error> {
        self.advance(dt);
        if self.now().is_finite() {
            Ok(self)
        } else {
            Err(Error::OutOfRange { name: "time" })
        }
    }

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

/// What a solution spans. Within it time is counted from what the clock shows at its start: the
/// steps of a fast body are then resolved wherever the clock stands, be it Unix time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    clock: Clock,
    end_time: f64,
    /// The elapsed time at the start: what rounding has left of the clock's sum.
    pub(crate) start: f64,
    pub(crate) end: f64,
}

impl Span {
    pub(crate) fn new(clock: Clock, end_time: f64) -> Self {
        let [time, carried] = clock.0;
        let end = end_time - clock.now();
        let is_rest = time + carried == time; // a caller may have set anything
        Span {
            clock,
            end_time,
            start: if end != 0.0 && is_rest { carried } else { 0.0 },
            end,
        }
    }

    /// From what the clock shows at the start of a step.
    #[inline(always)]
    pub(crate) fn from(start: f64) -> Self {
        Span {
            clock: Clock([start, 0.0]),
            end_time: f64::NAN,
            start: 0.0,
            end: f64::NAN,
        }
    }

    /// The elapsed time when the clock shows `time`.
    pub(crate) fn elapsed(&self, time: f64) -> f64 {
        time - self.clock.now()
    }

    #[inline(always)]
    pub(crate) fn time(&self, elapsed: f64) -> f64 {
        if elapsed == self.end {
            self.end_time
        } else {
            self.clock.now() + elapsed
        }
    }

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
