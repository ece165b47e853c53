//! Portions of steps between which Python handles signals, so that Ctrl-C works. The bits do not
//! depend on the portions: many steps are the same as so many single ones.

use crate::portions::{PORTION, Portions};
use pyo3::prelude::*;
use quatint::kernel::{PrincipalInertia, TorqueState, Vec3};
use quatint::{Error, Failure, Torque};
use std::time::Instant;

/// The most calls between two looks at the clock.
const MOST_CALLS: u32 = 64;

/// Takes `steps` steps by calls of `take(done, steps)`. `usual`: so many steps take some
/// milliseconds. What is done stays if a call fails.
pub(crate) fn in_portions(
    py: Python<'_>,
    steps: u64,
    usual: u64,
    mut take: impl FnMut(u64, u64) -> PyResult<()>,
) -> PyResult<()> {
    let mut done = 0;
    let mut portions = Portions::new(usual);
    loop {
        let now = portions.steps().min(steps - done);
        let started = Instant::now();
        take(done, now)?;
        done += now;
        if done == steps {
            return Ok(());
        }
        portions.took(started.elapsed());
        py.check_signals()?;
    }
}

/// A failure after `done` steps of earlier portions.
pub(crate) fn after(done: u64, failure: Failure) -> Failure {
    Failure {
        completed: failure.completed + done,
        ..failure
    }
}

/// Handles signals now and then. `interrupt` gets what a handler has raised.
pub(crate) struct Signals<'a> {
    /// Calls until the clock is read, and how many there were from the time before to the last.
    left: u32,
    interval: u32,
    checked: Instant,
    interrupt: &'a mut Option<PyErr>,
}

impl<'a> Signals<'a> {
    pub(crate) fn new(interrupt: &'a mut Option<PyErr>) -> Self {
        Signals {
            left: 1,
            interval: 1,
            checked: Instant::now(),
            interrupt,
        }
    }

    /// Whether a handler has raised. To be called often.
    #[inline(always)]
    pub(crate) fn interrupt(&mut self) -> bool {
        self.left -= 1;
        self.left == 0 && self.check()
    }

    /// Reads the clock more often where the calls take long.
    #[cold]
    fn check(&mut self) -> bool {
        let elapsed = self.checked.elapsed();
        if elapsed > PORTION {
            self.checked = Instant::now();
            let fitting = PORTION.as_secs_f64() / elapsed.as_secs_f64();
            self.interval = (f64::from(self.interval / 2) * fitting).max(1.0) as u32;
            *self.interrupt = Python::attach(|py| py.check_signals()).err();
        } else {
            self.interval = (self.interval * 2).min(MOST_CALLS);
        }
        self.left = self.interval;
        self.interrupt.is_some()
    }
}

/// A torque that handles signals while error control asks for it.
pub(crate) struct Interruptible<'a, T> {
    torque: &'a mut T,
    signals: Signals<'a>,
}

impl<'a, T> Interruptible<'a, T> {
    pub(crate) fn new(torque: &'a mut T, interrupt: &'a mut Option<PyErr>) -> Self {
        Interruptible {
            torque,
            signals: Signals::new(interrupt),
        }
    }

    #[inline(always)]
    fn check(&mut self, time: f64) -> Result<(), Error> {
        if self.signals.interrupt() {
            Err(Error::Callback { result: 1, time })
        } else {
            Ok(())
        }
    }
}

impl<T: Torque<Error: Into<Error>>> Torque for Interruptible<'_, T> {
    type Error = Error;
    const ACTS: bool = T::ACTS;
    const IS_READY_MADE: bool = T::IS_READY_MADE;

    #[inline(always)]
    fn asks_orientation(&self) -> bool {
        self.torque.asks_orientation()
    }

    #[inline(always)]
    fn torque_body(
        &mut self,
        time: f64,
        here: &TorqueState<f64>,
        inertia: &PrincipalInertia<f64>,
    ) -> Result<Vec3<f64>, Error> {
        self.check(time)?;
        self.torque
            .torque_body(time, here, inertia)
            .map_err(Into::into)
    }

    fn resistance(&self) -> Option<Vec3<f64>> {
        self.torque.resistance()
    }

    fn is_of_fluid(&self) -> bool {
        self.torque.is_of_fluid()
    }
}
