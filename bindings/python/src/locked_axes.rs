//! Locked axes of the bodies of an ensemble.

use crate::arrays::is_bool;
use crate::ensemble::Ensemble;
use crate::errors::{Outcome, raised};
use crate::names::axes_of;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use quatint::{Error, Failure};

/// The axes of one body, from a string of letters or from a number.
fn axes_of_body(py: Python<'_>, given: &Bound<'_, PyAny>, body: usize) -> PyResult<i32> {
    if let Ok(letters) = given.extract::<String>() {
        return axes_of(py, &letters);
    }
    let number = if is_bool(given)? {
        None
    } else {
        given.extract::<i64>().ok()
    };
    let Some(number) = number else {
        let class = given.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "the axes of a body must be a string or an integer, not {class}"
        )));
    };
    let axes = i32::try_from(number).ok().filter(|n| (0..8).contains(n));
    axes.ok_or_else(|| {
        let must = "must be a sum of 1 for x, 2 for y and 4 for z";
        let cause = Error::Invalid { name: "axes", must };
        raised(
            py,
            Failure {
                cause,
                body: Some(body),
                completed: 0,
            },
        )
    })
}

/// The axes of each body.
fn axes_of_each(py: Python<'_>, given: &Bound<'_, PyAny>) -> PyResult<Vec<i32>> {
    let bodies = given.try_iter().map_err(|_| {
        let kind = given.get_type();
        PyTypeError::new_err(format!(
            "`axes` must be letters for all bodies, such as \"xy\", or a sequence with those of each, not {kind}"
        ))
    })?;
    let bodies = bodies.enumerate();
    bodies
        .map(|(body, axes)| axes_of_body(py, &axes?, body))
        .collect()
}

#[pymethods]
impl Ensemble {
    /// Lock body axes of the bodies, in addition to those that are locked: see Body.lock_axes.
    ///
    /// axes: the letters of the axes for all bodies, such as "z" or "xy"; or a sequence with the
    /// letters for each body, "" for none, or with a sum of 1 for x, 2 for y and 4 for z for each.
    /// A new inertia unlocks.
    fn lock_axes(&self, py: Python<'_>, axes: &Bound<'_, PyAny>) -> PyResult<()> {
        let are_shared = axes.is_instance_of::<PyString>();
        let axes = if are_shared {
            vec![axes_of_body(py, axes, 0)?]
        } else {
            axes_of_each(py, axes)?
        };
        let mut inner = self.lock(py)?;
        let count = inner.ensemble.count();
        if !are_shared && axes.len() != count {
            let given = axes.len();
            return Err(PyValueError::new_err(format!(
                "`axes` has {given} elements, but must have {count}"
            )));
        }
        inner.ensemble.lock_axes(&axes, are_shared).raise(py)
    }
}
