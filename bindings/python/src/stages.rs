//! The stages of steps, for loops that compute the torques themselves.

use crate::arrays::whole;
use crate::ensemble::{Ensemble, Inner};
use crate::errors::{Outcome, count_of_steps, exclusive, raised};
use crate::names::layout_of;
use crate::passed::StageArrays;
use crate::staged::{next_stage, stage_arrays};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use quatint::{Error, Progress};
use std::sync::{Mutex, MutexGuard};

/// An iterator over the stages of steps; Ensemble.stages makes it.
#[pyclass(frozen, module = "quatint")]
pub(crate) struct Stages {
    ensemble: Py<Ensemble>,
    /// Which of the ensemble's iterators this is.
    number: u64,
    state: Mutex<State>,
}

struct State {
    arrays: StageArrays,
    next: Next,
}

/// What the loop does next.
#[derive(Clone, Copy, PartialEq)]
enum Next {
    First,
    Send,
    Continue,
    Nothing,
}

/// The time, the orientations and the angular velocities of a stage.
type Stage = (f64, Py<PyAny>, Py<PyAny>);

impl Stages {
    /// Cancels the step if it is this iterator's.
    fn cancel(&self, inner: &mut Inner) {
        if inner.stages == self.number {
            inner.ensemble.cancel_step();
        }
    }

    fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, State>> {
        exclusive(py, &self.state, "iterator over stages")
    }

    fn order(py: Python<'_>, message: &'static str) -> PyErr {
        raised(py, Error::Order(message))
    }
}

impl Drop for Stages {
    fn drop(&mut self) {
        // If another thread holds the lock at this moment, the step stays begun: `stages` of the
        // same ensemble says so, and `close` ends it.
        if let Ok(mut inner) = self.ensemble.get().0.try_lock()
            && self
                .state
                .get_mut()
                .is_ok_and(|state| state.next != Next::Nothing)
            && inner.stages == self.number
        {
            inner.ensemble.cancel_step();
        }
    }
}

#[pymethods]
impl Stages {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// The next stage (t, q, omega). The torque of the one before must have been sent.
    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Stage>> {
        let mut state = self.lock(py)?;
        let State { arrays, next } = &mut *state;
        match next {
            Next::Nothing => return Ok(None),
            Next::Send => {
                return Err(Stages::order(
                    py,
                    "send the torque of this stage before you ask for the next one",
                ));
            }
            Next::First | Next::Continue => {}
        }
        let mut inner = self.ensemble.get().lock(py)?;
        if inner.stages != self.number {
            *next = Next::Nothing;
            return Err(Stages::order(
                py,
                "these stages have been cancelled: others have been begun",
            ));
        }
        let is_first = *next == Next::First;
        *next = Next::Nothing; // unless there is another stage
        let progress = next_stage(py, &mut inner.ensemble, arrays, is_first, None);
        let progress = progress.map(|progress| match progress {
            Progress::NeedTorque(time) => Some(time),
            Progress::Done => None,
        });
        match progress {
            Ok(Some(time)) => {
                *next = Next::Send;
                Ok(Some((
                    time,
                    arrays.orientation.array.clone_ref(py),
                    arrays.angular_velocity.array.clone_ref(py),
                )))
            }
            Ok(None) => Ok(None),
            Err(failure) => {
                self.cancel(&mut inner);
                Err(raised(py, failure))
            }
        }
    }

    /// Give the torque of this stage, world frame: anything that broadcasts to (n, 3). It is
    /// copied.
    fn send(&self, py: Python<'_>, torque: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut state = self.lock(py)?;
        if !matches!(state.next, Next::Send | Next::Continue) {
            return Err(Stages::order(py, "there is no stage that needs a torque"));
        }
        state.arrays.take(py, torque)?;
        state.next = Next::Continue;
        Ok(())
    }

    /// Cancel the current step and those after it. The ensemble is as before the current step.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let mut state = self.lock(py)?;
        if state.next != Next::Nothing {
            self.cancel(&mut *self.ensemble.get().lock(py)?);
            state.next = Next::Nothing;
        }
        Ok(())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.ensemble)
    }
}

#[pymethods]
impl Ensemble {
    /// Steps whose torques a loop computes, for torques between bodies and for programs of their
    /// own:
    ///
    ///     stages = e.stages(dt, steps)
    ///     for t, q, omega in stages:
    ///         stages.send(torque(t, q, omega))
    ///
    /// q (n, 4) and omega (n, 3), in the world frame, are of the active bodies; they are read-only,
    /// and the next stage overwrites them. A step is complete when the loop asks for more. Leaving
    /// the loop early cancels the current step; until then nothing else may change the ensemble.
    /// layout: "aos", arrays in C order, or "soa", in Fortran order.
    #[pyo3(signature = (dt, steps=1, *, layout="aos"))]
    fn stages(
        slf: &Bound<'_, Self>,
        dt: f64,
        #[pyo3(from_py_with = whole)] steps: i64,
        layout: &str,
    ) -> PyResult<Stages> {
        let py = slf.py();
        let steps = count_of_steps(py, "steps", steps)?;
        let layout = layout_of(py, layout)?;
        let inner = &mut *slf.get().lock(py)?;
        inner.ensemble.set_stage_layout(layout).raise(py)?;
        let arrays = stage_arrays(py, None, &inner.ensemble, layout)?;
        inner.ensemble.begin_steps(dt, steps).raise(py)?;
        inner.stages += 1;
        let state = Mutex::new(State {
            arrays,
            next: Next::First,
        });
        Ok(Stages {
            ensemble: slf.clone().unbind(),
            number: inner.stages,
            state,
        })
    }
}
