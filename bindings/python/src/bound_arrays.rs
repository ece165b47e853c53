//! Arrays of the caller in which an ensemble works.

#![allow(unsafe_code)] // the memory of an array becomes a view for as long as the ensemble lives

use crate::arrays::{DOUBLE, Doubles, as_tuple, is_aligned, is_writeable};
use numpy::{PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use quatint::{View, ViewMut};

const IN_PLACE: &str = "the ensemble works in the memory of the array and makes no copy";

/// An array in whose memory something works.
pub(crate) struct Held {
    pub(crate) array: Py<PyAny>,
    /// numpy does not resize an array to which there is a weak reference, whatever `refcheck` says.
    _against_resize: Py<PyAny>,
}

impl Held {
    pub(crate) fn new(array: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut owner = array.clone();
        while let Ok(base) = owner.getattr("base")
            && base.is_instance_of::<PyUntypedArray>()
        {
            owner = base;
        }
        let weakref = array.py().import("weakref")?;
        let reference = weakref.call_method1("ref", (owner,))?;
        Ok(Held {
            array: array.clone().unbind(),
            _against_resize: reference.unbind(),
        })
    }
}

/// The memory of an array of the caller, `(count, K)`. The ensemble that works in it must be
/// dropped before the array is released.
pub(crate) fn bound<const K: usize>(
    object: &Bound<'_, PyAny>,
    count: usize,
    name: &'static str,
) -> PyResult<ViewMut<'static, K>> {
    let array = doubles_of(object, name)?;
    let [body, component] = checked_strides(array, [count, K], name)?;
    let body_stride = body / DOUBLE;
    let component_stride = component / DOUBLE;
    // SAFETY: aligned and writeable at these places for as long as the array lives, which outlives
    // the ensemble (see the callers).
    let view =
        unsafe { ViewMut::from_raw(array.data(), count, body_stride, component_stride, name) };
    view.map_err(|error| {
        PyValueError::new_err(format!(
            "`{name}` has strides of {body} and {component} bytes: {error} ({IN_PLACE})"
        ))
    })
}

/// The memory of an array of the caller with nine numbers for each body, `(count, 3, 3)` or
/// `(count, 9)`, which is read and never written. Otherwise as `bound`.
pub(crate) fn bound_matrices(
    object: &Bound<'_, PyAny>,
    count: usize,
    name: &'static str,
) -> PyResult<View<'static, 9>> {
    let array = doubles_of(object, name)?;
    let [body, component] = matrix_strides(array, count, name)?;
    let body_stride = body / DOUBLE;
    let component_stride = component / DOUBLE;
    // SAFETY: aligned at these places for as long as the array lives, which outlives the ensemble
    // (see the caller).
    let view = unsafe { View::from_raw(array.data(), count, body_stride, component_stride, name) };
    view.map_err(|error| unfit(name, &format!("cannot be bound: {error}")))
}

fn doubles_of<'a, 'py>(
    object: &'a Bound<'py, PyAny>,
    name: &str,
) -> PyResult<&'a Bound<'py, Doubles>> {
    if let Ok(array) = object.cast::<Doubles>() {
        return Ok(array);
    }
    if object.is_instance_of::<PyUntypedArray>() {
        let dtype = object.getattr("dtype")?;
        return Err(PyTypeError::new_err(format!(
            "`{name}` must be a numpy array of float64: its dtype is {dtype}; convert it by \
             `array.astype(float)` and bind the result ({IN_PLACE})"
        )));
    }
    let class = object.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "`{name}` must be a numpy array of float64, not {class}: {IN_PLACE}"
    )))
}

/// The strides of an array that an ensemble can work in, in bytes.
fn checked_strides(
    array: &Bound<'_, Doubles>,
    [count, width]: [usize; 2],
    name: &str,
) -> PyResult<[isize; 2]> {
    if !is_writeable(array) {
        let problem = "is read-only; bind a writeable array, such as `array.copy()`";
        return Err(unfit(name, problem));
    }
    let (&[n, k], &[body, component]) = (array.shape(), array.strides()) else {
        let shape = as_tuple(array.shape());
        let problem = format!("must have the shape (n, {width}), not {shape}");
        return Err(unfit(name, &problem));
    };
    if k != width {
        let problem = format!("must have the shape (n, {width}), not ({n}, {k})");
        return Err(unfit(name, &problem));
    }
    usable_strides(array, [n, count, width], [body, component], name)
}

/// The same for an array with a matrix for each body, which may be read-only.
fn matrix_strides(array: &Bound<'_, Doubles>, count: usize, name: &str) -> PyResult<[isize; 2]> {
    let (n, body, component) = match (array.shape(), array.strides()) {
        (&[n, 9], &[body, component]) => (n, body, component),
        (&[n, 3, 3], &[body, row, component]) if row == 3 * component => (n, body, component),
        (&[_, 3, 3], _) => {
            let problem = "must have the nine numbers of a body row by row and at equal distances, \
                           as an array in C order has them";
            return Err(unfit(name, problem));
        }
        (shape, _) => {
            let shape = as_tuple(shape);
            let problem = format!("must have the shape (n, 3, 3) or (n, 9), not {shape}");
            return Err(unfit(name, &problem));
        }
    };
    usable_strides(array, [n, count, 9], [body, component], name)
}

/// The strides of an array with `n` rows of `width` numbers, if it has one for each of `count`
/// bodies and is aligned.
fn usable_strides(
    array: &Bound<'_, Doubles>,
    [n, count, width]: [usize; 3],
    [body, component]: [isize; 2],
    name: &str,
) -> PyResult<[isize; 2]> {
    if n != count {
        let problem = format!("has {n} rows, but {count} are needed");
        return Err(unfit(name, &problem));
    }
    let body = if n < 2 {
        width as isize * DOUBLE // numpy leaves the stride between rows undefined
    } else {
        body
    };
    let component = if n == 0 { DOUBLE } else { component };
    if !is_aligned(array) || body % DOUBLE != 0 || component % DOUBLE != 0 {
        let problem = "is not aligned: addresses and strides must be multiples of 8 bytes (take \
                       aligned structs)";
        return Err(unfit(name, problem));
    }
    Ok([body, component])
}

fn unfit(name: &str, problem: &str) -> PyErr {
    PyValueError::new_err(format!("`{name}` {problem} ({IN_PLACE})"))
}
