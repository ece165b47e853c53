//! The clock: a compensated sum of the time steps.

use crate::error::Error;

/// Sums time steps without accumulating rounding errors (Kahan's compensated sum, with Knuth's exact addition). A plain sum of
/// a million steps of 1e-3 is off by 1e-8: a phase error that matters to a fast driving torque.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Clock {
    time: f64,
    carried: f64,
}

impl Clock {
    pub(crate) fn at(time: f64) -> Self {
        Clock { time, carried: 0.0 }
    }

    /// The time, and what rounding has left of the sum.
    pub(crate) fn whole(&self) -> [f64; 2] {
        [self.time, self.carried]
    }

    /// A clock from its two numbers.
    pub(crate) fn of([time, carried]: [f64; 2]) -> Self {
        Clock { time, carried }
    }

    #[inline(always)]
    pub(crate) fn now(&self) -> f64 {
        self.time
    }

    /// Errors: the time overflows.
    #[inline(always)]
    pub(crate) fn advanced(mut self, dt: f64) -> Result<Clock, Error> {
        self.advance(dt);
        if self.time.is_finite() { Ok(self) } else { Err(Error::OutOfRange { name: "time" }) }
    }

    #[cold]
    pub(crate) fn after(mut self, steps: u64, dt: f64) -> f64 {
        (0..steps).for_each(|_| self.advance(dt));
        self.time
    }

    #[inline(always)]
    pub(crate) fn advance(&mut self, dt: f64) {
        let (a, b) = (self.time, dt + self.carried);
        let sum = a + b;
        let b_taken = sum - a;
        self.carried = (a - (sum - b_taken)) + (b - b_taken);
        self.time = sum;
    }
}
