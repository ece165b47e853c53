//! An inertia that changes with time: functions of Python, compiled or not.

use crate::compiled::{self, pointer_of};
use crate::errors::{Outcome, raised, with_note};
use crate::functions::{check_function, is_compiled, with_address};
use crate::inertia::Given;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use quatint::{Body, Error, Failure, Frame, Inertia, Layout};
use std::sync::{Arc, Mutex, PoisonError};

/// The function that gives a body its inertia.
pub(crate) struct InertiaFunction {
    /// As the user gave it.
    pub(crate) given: Py<PyAny>,
    /// What the body calls; `None`: a function pointer.
    python: Option<Arc<PythonInertia>>,
}

/// A Python function, which its body shares. Another body has another one, so that each reference
/// belongs to one object for the garbage collector.
struct PythonInertia {
    function: Py<PyAny>,
    /// What the function raised.
    raised: Mutex<Option<PyErr>>,
}

impl PythonInertia {
    fn inertia(&self, time: f64) -> Result<Inertia, Error> {
        let given = Python::attach(|py| Given::of(py, &self.function.bind(py).call1((time,))?));
        match given {
            Ok(given) => given.checked(),
            Err(error) => {
                self.put(Some(error));
                Err(Error::InertiaCallback { result: 1, time })
            }
        }
    }

    fn put(&self, error: Option<PyErr>) -> Option<PyErr> {
        let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *raised, error)
    }
}

impl InertiaFunction {
    /// Gives a function to a body. If that fails, the body keeps what it has.
    pub(crate) fn set(body: &mut Body, function: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = function.py();
        let function = &with_address(function, Frame::World, Layout::Aos)?;
        let given = function.clone().unbind();
        if is_compiled(function)? {
            let inertia = compiled::inertia(pointer_of(function, "inertia")?.get());
            body.set_inertia_function(inertia).raise(py)?;
            return Ok(InertiaFunction {
                given,
                python: None,
            });
        }
        check_function(
            function,
            "an inertia function is a function or quatint.compiled(f)",
            1,
        )?;
        let python = Arc::new(PythonInertia {
            function: given.clone_ref(py),
            raised: Mutex::default(),
        });
        let asked = python.clone();
        let outcome = body.set_inertia_function(move |time| asked.inertia(time));
        let made = InertiaFunction {
            given,
            python: Some(python),
        };
        outcome.map_err(|error| made.explained(py, error.into()))?;
        Ok(made)
    }

    pub(crate) fn is_python(&self) -> bool {
        self.python.is_some()
    }

    /// The exception that the function has raised, unchanged but for a note, if the failure is
    /// that.
    pub(crate) fn exception(&self, py: Python<'_>, failure: &Failure) -> Option<PyErr> {
        let error = self.python.as_ref()?.put(None)?;
        let Error::InertiaCallback { time, .. } = failure.cause else {
            return None;
        };
        let note = format!("raised in the inertia function at time {time:?}");
        Some(with_note(py, error, &note))
    }

    fn explained(&self, py: Python<'_>, failure: Failure) -> PyErr {
        self.exception(py, &failure)
            .unwrap_or_else(|| raised(py, failure))
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        if let Some(python) = &self.python {
            visit.call(&python.function)?;
        }
        visit.call(&self.given)
    }
}
