//! Failures of the library as Python exceptions: the classes of `quatint._errors`.

use nalgebra::Vector3;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use quatint::status::*;
use quatint::{Error, Failure};
use std::sync::{Mutex, MutexGuard, TryLockError};

/// The exception for a failure.
pub(crate) fn raised(py: Python<'_>, failure: impl Into<Failure>) -> PyErr {
    let failure = failure.into();
    let (class, status) = class_of(&failure.cause);
    new(
        py,
        class,
        &failure.to_string(),
        status,
        failure.body,
        failure.completed,
    )
}

/// What a function of the library gives: a value, or a failure, which Python raises.
pub(crate) trait Outcome {
    type Value;

    fn raise(self, py: Python<'_>) -> PyResult<Self::Value>;
}

impl<T, E: Into<Failure>> Outcome for Result<T, E> {
    type Value = T;

    fn raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|failure| raised(py, failure))
    }
}

/// What cannot fail.
macro_rules! values {
    ($($type:ty),*) => { $(
        impl Outcome for $type {
            type Value = $type;

            fn raise(self, _: Python<'_>) -> PyResult<$type> {
                Ok(self)
            }
        }
    )* };
}

values!((), f64, u64, [f64; 2], Vector3<f64>, Option<Vector3<f64>>);

/// The exception for an argument that the binding refuses.
pub(crate) fn refused(py: Python<'_>, message: &str) -> PyErr {
    new(py, "ArgumentError", message, QI_ERR_INVALID, None, 0)
}

/// Whether an exception says that the motion cannot go on.
pub(crate) fn is_of_motion(py: Python<'_>, error: &PyErr) -> bool {
    let class = module(py).and_then(|module| module.getattr("MotionError"));
    class.is_ok_and(|class| error.matches(py, class).unwrap_or(false))
}

/// The exception for an index that no body has.
pub(crate) fn no_body(py: Python<'_>, index: i64, count: usize) -> PyErr {
    let message =
        format!("there is no body {index}: the ensemble has {count} bodies, counted from 0");
    new(py, "BodyIndexError", &message, QI_ERR_INVALID, None, 0)
}

/// `quatint._errors`.
fn module(py: Python<'_>) -> PyResult<&Bound<'_, PyModule>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module = MODULE.get_or_try_init(py, || py.import("quatint._errors").map(Bound::unbind))?;
    Ok(module.bind(py))
}

fn new(
    py: Python<'_>,
    class: &str,
    message: &str,
    status: qi_status,
    body: Option<usize>,
    step: u64,
) -> PyErr {
    let made =
        module(py).and_then(|module| module.getattr(class)?.call1((message, status, body, step)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// The class of the exception, and the status of C.
fn class_of(error: &Error) -> (&'static str, qi_status) {
    match error {
        Error::NotFinite { .. } => ("ArgumentError", QI_ERR_NON_FINITE),
        Error::TorqueNotFinite { .. }
        | Error::TorqueReadsVelocity { .. }
        | Error::EventNotFinite { .. }
        | Error::Overflow { .. }
        | Error::OutOfRange { .. } => ("MotionError", QI_ERR_NON_FINITE),
        Error::NotUnit { .. } | Error::NotRotation { .. } => ("ArgumentError", QI_ERR_ORIENTATION),
        Error::InertiaNotSymmetric { .. }
        | Error::InertiaNotPositive { .. }
        | Error::NotPrincipal { .. }
        | Error::InertiaOutOfRange { .. } => ("ArgumentError", QI_ERR_INERTIA),
        Error::Capacity { .. } => ("ArgumentError", QI_ERR_CAPACITY),
        Error::Callback { .. }
        | Error::ChunkCallback { .. }
        | Error::InertiaCallback { .. }
        | Error::RateCallback { .. }
        | Error::Monitor { .. } => ("CallbackError", QI_ERR_CALLBACK),
        Error::InertiaFunction { cause, .. } => class_of(cause),
        Error::Order(_) => ("OrderError", QI_ERR_ORDER),
        Error::Memory => ("OutOfMemoryError", QI_ERR_MEMORY),
        Error::StepUnderflow { .. } | Error::TooManyEvaluations { .. } => {
            ("MotionError", QI_ERR_STEP)
        }
        _ => ("ArgumentError", QI_ERR_INVALID),
    }
}

/// Exclusive use of an object during a call. A second use, by another thread or by the object's own
/// torque, is refused and does not wait: a torque that waited for its own body would wait for ever.
pub(crate) fn exclusive<'a, T>(
    py: Python<'_>,
    object: &'a Mutex<T>,
    name: &str,
) -> PyResult<MutexGuard<'a, T>> {
    match object.try_lock() {
        Ok(guard) => Ok(guard),
        // a failed call has changed nothing
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => {
            let message = format!(
                "the {name} is in use: by another thread, or by a call whose torque uses it again"
            );
            Err(new(py, "BusyError", &message, QI_ERR_BUSY, None, 0))
        }
    }
}

/// Adds to an exception what its message does not say.
pub(crate) fn with_note(py: Python<'_>, error: PyErr, note: &str) -> PyErr {
    let added = error.value(py).call_method1("add_note", (note,));
    let _ = added; // an exception that takes no note is raised without one
    error
}

/// A number of steps.
pub(crate) fn count_of_steps(py: Python<'_>, name: &'static str, steps: i64) -> PyResult<u64> {
    u64::try_from(steps).map_err(|_| {
        raised(
            py,
            Error::Invalid {
                name,
                must: "must not be negative",
            },
        )
    })
}

/// A number of steps between the rows of a record.
pub(crate) fn steps_between_rows(py: Python<'_>, every: i64) -> PyResult<u64> {
    match count_of_steps(py, "every", every)? {
        0 => Err(raised(
            py,
            Error::Invalid {
                name: "every",
                must: "must be at least 1",
            },
        )),
        steps => Ok(steps),
    }
}
