//! What a user gives as a function: one of Python, or a compiled one.

use crate::names::{name_of_frame, name_of_layout};
use crate::torques::class;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use quatint::{Frame, Layout};

/// Refuses what is no Python function of so many arguments. `wanted`: what would be accepted.
pub(crate) fn check_function(
    object: &Bound<'_, PyAny>,
    wanted: &str,
    arguments: usize,
) -> PyResult<()> {
    let is_class = object.is_instance_of::<PyType>();
    let is_pointer = object.hasattr("address")? || object.hasattr("native_name")?;
    if object.is_callable() && !is_class && !is_pointer {
        return check_jitted(object, arguments);
    }
    let name = object.get_type().name()?;
    let hint = if is_pointer {
        ": wrap compiled functions by quatint.compiled(f)"
    } else {
        ""
    };
    Err(PyTypeError::new_err(format!("{wanted}, not {name}{hint}")))
}

/// Refuses a `numba.njit` function that has the arguments of a compiled one. With those of a Python
/// function it is one.
fn check_jitted(function: &Bound<'_, PyAny>, arguments: usize) -> PyResult<()> {
    if !function.hasattr("nopython_signatures")? || !function.hasattr("py_func")? {
        return Ok(());
    }
    let code = function.getattr("py_func")?.getattr("__code__")?;
    let count: usize = code.getattr("co_argcount")?.extract()?;
    if count <= arguments
        || function
            .getattr("py_func")?
            .getattr("__defaults__")?
            .is_truthy()?
    {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!(
        "this numba.njit function has {count} arguments, but is called with {arguments}: for a function with the arguments of C \
         write @numba.cfunc(quatint.BODY_SIGNATURE), ENSEMBLE_SIGNATURE, EVENT_SIGNATURE or INERTIA_SIGNATURE in place of @numba.njit"
    )))
}

/// A `numba.cfunc` as `quatint.compiled` makes a function of it; anything else as it is.
pub(crate) fn with_address<'py>(
    function: &Bound<'py, PyAny>,
    frame: Frame,
    layout: Layout,
) -> PyResult<Bound<'py, PyAny>> {
    let is_class = function.is_instance_of::<PyType>();
    if is_class || !function.hasattr("address")? || !function.hasattr("_sig")? {
        return Ok(function.clone());
    }
    let module = function.py().import("quatint._compiled")?;
    let names = (name_of_layout(layout), name_of_frame(frame));
    module
        .getattr("of_numba")?
        .call1((function, names.0, names.1))
}

/// Whether `quatint.compiled` has made it.
pub(crate) fn is_compiled(function: &Bound<'_, PyAny>) -> PyResult<bool> {
    function.is_instance(&class(function.py(), "Compiled")?)
}
