//! What Python functions return: torques, and the values of events.

#![allow(unsafe_code)] // three numbers are read from the memory of an array

use crate::arrays::{Doubles, as_tuple, float_array, is_aligned, shape_of, vector};
use numpy::{PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyTuple};

/// The result of a Python function. `None`, which a function without a `return` gives, is refused.
/// `what` is the meaning of the result, `wanted` its form.
pub(crate) fn returned<'a, 'py>(
    object: &'a Bound<'py, PyAny>,
    what: &str,
    wanted: &str,
) -> PyResult<&'a Bound<'py, PyAny>> {
    if object.is_none() {
        return Err(PyTypeError::new_err(format!(
            "{what} is {wanted}; the function returned None: has each path through it a `return` with a value?"
        )));
    }
    Ok(object)
}

/// The number that an event function returned.
#[inline]
pub(crate) fn number(object: &Bound<'_, PyAny>) -> PyResult<f64> {
    if let Ok(number) = object.cast_exact::<PyFloat>() {
        return Ok(number.value());
    }
    let class = object.get_type().name()?;
    let is_bool = class.to_string_lossy().starts_with("bool"); // numpy has a class of its own
    if is_bool && shape_of(object).is_empty() {
        let message = "an event is a number that changes its sign; the function returned True or False: return a difference, such \
                       as `omega[0] - 0.5`, in place of a comparison";
        return Err(PyTypeError::new_err(message));
    }
    let shape = shape_of(returned(object, "an event", "a number")?);
    if !shape.is_empty() {
        let shape = as_tuple(&shape);
        return Err(PyTypeError::new_err(format!(
            "an event is a number; the function returned an array of the shape {shape}: return one of its elements"
        )));
    }
    object.extract()
}

/// The torque that a function of one body returned.
#[inline]
pub(crate) fn three(py: Python<'_>, object: &Bound<'_, PyAny>) -> PyResult<[f64; 3]> {
    if let Ok(tuple) = object.cast_exact::<PyTuple>()
        && tuple.len() == 3
    {
        let mut numbers = [0.0; 3];
        for (i, number) in numbers.iter_mut().enumerate() {
            *number = tuple.get_borrowed_item(i)?.extract()?;
        }
        return Ok(numbers);
    }
    if let Ok(array) = object.cast_exact::<Doubles>()
        && array.shape() == [3]
        && is_aligned(array)
    {
        let first = array.data();
        let stride = array.strides()[0];
        // SAFETY: three aligned numbers with this stride; attached to Python.
        return Ok([0, 1, 2].map(|i| unsafe { first.byte_offset(i * stride).read() }));
    }
    let array = float_array(py, returned(object, "a torque", "3 numbers")?, "torque")?;
    if array.shape() != [3] {
        let shape = as_tuple(array.shape());
        return Err(PyValueError::new_err(format!(
            "a torque is 3 numbers; the function returned the shape {shape}"
        )));
    }
    vector(py, &array, "torque")
}
