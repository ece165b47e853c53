//! Arrays of numpy as arguments that are read.

#![allow(unsafe_code)] // the memory of an array becomes a view

use crate::errors::raised;
use numpy::npyffi::{NPY_ARRAY_WRITEABLE, PyArray_Descr};
use numpy::{Element, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use quatint::View;

/// The size of a number in bytes, in which numpy gives strides.
pub(crate) const DOUBLE: isize = size_of::<f64>() as isize;

/// An array of float64, of any shape and in the byte order of the machine. Its header is that of
/// the moment: Python code, whenever it runs, may change it.
///
/// The binding reads and writes through raw pointers and does not ask the crate's table of borrows.
/// That table knows the extensions written with the crate alone; and it would refuse calls that are
/// in order, such as one that reads an array in which an ensemble works.
pub(crate) type Doubles = PyArrayDyn<f64>;

/// Whether the elements lie where Rust may read them. numpy calls any array without elements
/// aligned.
#[inline]
pub(crate) fn is_aligned(array: &Bound<'_, Doubles>) -> bool {
    array.is_aligned() && array.data().is_aligned()
}

#[inline]
pub(crate) fn is_writeable(array: &Bound<'_, Doubles>) -> bool {
    // SAFETY: the header of a live object; attached to Python, so that nobody changes it meanwhile.
    // On a free-threaded interpreter numpy leaves that to the program, as docs/python.md says.
    unsafe { (*array.as_array_ptr()).fields.flags & NPY_ARRAY_WRITEABLE != 0 }
}

/// Whether the array owns its memory, and is no view of another object.
#[inline]
pub(crate) fn has_no_base(array: &Bound<'_, Doubles>) -> bool {
    // SAFETY: as in `is_writeable`.
    unsafe { (*array.as_array_ptr()).fields.base.is_null() }
}

/// The descriptor of the elements, for comparisons.
#[inline]
pub(crate) fn dtype_of(array: &Bound<'_, Doubles>) -> *mut PyArray_Descr {
    // SAFETY: as in `is_writeable`.
    unsafe { (*array.as_array_ptr()).fields.descr }
}

fn numpy_module<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyModule>> {
    static NUMPY: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    NUMPY
        .get_or_try_init(py, || py.import("numpy").map(Bound::unbind))
        .map(|module| module.bind(py))
}

/// An array of float64 with the numbers of an argument: itself if it is one, else a copy. Complex
/// numbers, strings and objects are refused.
pub(crate) fn float_array<'py>(
    py: Python<'py>,
    object: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Bound<'py, Doubles>> {
    if let Ok(array) = object.cast::<Doubles>()
        && is_aligned(array)
        && array.strides().iter().all(|stride| stride % DOUBLE == 0)
    {
        return Ok(array.clone());
    }
    if object.is_none() {
        return Err(PyTypeError::new_err(format!(
            "`{name}` must be numbers, not None"
        )));
    }
    let array = numpy_module(py)?.call_method1("asarray", (object,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if !"fiub".contains(kind.as_str()) {
        let dtype = array.getattr("dtype")?;
        return Err(PyTypeError::new_err(format!(
            "`{name}` must be real numbers, not of dtype {dtype}"
        )));
    }
    // a new array: aligned, of native byte order, contiguous; numpy.array would keep another type
    // of the same numbers
    let array = array.call_method1("astype", ("float64",))?;
    Ok(array.cast_into::<Doubles>()?)
}

/// The numbers of an array of any shape, in the order of C; `None` if they are of another type, or
/// if a class of a user does not give all.
pub(crate) fn to_vec<T: Element>(array: &Bound<'_, PyAny>) -> PyResult<Option<Vec<T>>> {
    let Ok(given) = array.cast::<PyUntypedArray>() else {
        return Ok(None);
    };
    let count = given.len();
    let flat = array.call_method0("ravel")?;
    let Ok(flat) = flat.cast::<PyArrayDyn<T>>() else {
        return Ok(None);
    };
    if !flat.is_c_contiguous() || flat.len() != count {
        return Ok(None);
    }
    Ok(flat.to_vec().ok()) // `None` if it is not aligned
}

/// The numbers of an array of float64, in the order of C.
pub(crate) fn elements_of(array: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    to_vec(array)?.ok_or_else(|| PyTypeError::new_err("an array of float64 is needed"))
}

/// A shape as Python writes it.
pub(crate) fn as_tuple(shape: &[usize]) -> String {
    if let [n] = shape {
        return format!("({n},)");
    }
    let lengths: Vec<_> = shape.iter().map(usize::to_string).collect();
    format!("({})", lengths.join(", "))
}

/// The shape of an array; that of anything else is empty, as that of a number.
pub(crate) fn shape_of(array: &Bound<'_, PyAny>) -> Vec<usize> {
    match array.cast::<PyUntypedArray>() {
        Ok(array) => array.shape().to_vec(),
        Err(_) => Vec::new(),
    }
}

/// Where the numbers of an argument are.
struct Place {
    data: *const f64,
    /// The number of bodies; `None`: the same numbers for any.
    count: Option<usize>,
    body_stride: isize,
    component_stride: isize,
}

impl Place {
    /// In an array of `float_array`, with `width` numbers per body.
    fn of(array: &Bound<'_, Doubles>, width: usize, name: &str) -> PyResult<Self> {
        let (count, body_stride, component_stride) = match (array.shape(), array.strides()) {
            ([], _) if width == 1 => (None, 0, DOUBLE),
            (&[1], _) if width == 1 => (Some(1), 0, DOUBLE),
            (&[n], &[body]) if width == 1 => (Some(n), body, DOUBLE),
            (&[k], &[component]) if k == width && width > 1 => (None, 0, component),
            (&[1, k], &[_, component]) if k == width => (Some(1), 0, component),
            (&[n, k], &[body, component]) if k == width => (Some(n), body, component),
            (shape, _) => return Err(wrong_shape(name, width, shape)),
        };
        Ok(Place {
            data: array.data(),
            count,
            body_stride: body_stride / DOUBLE,
            component_stride: component_stride / DOUBLE,
        })
    }
}

fn wrong_shape(name: &str, width: usize, shape: &[usize]) -> PyErr {
    let wanted = if width == 1 {
        "() or (n,)".to_owned()
    } else {
        format!("({width},) or (n, {width})")
    };
    let shape = as_tuple(shape);
    PyValueError::new_err(format!(
        "`{name}` must have the shape {wanted}, not {shape}"
    ))
}

/// An argument with `K` numbers per body: `(n, K)`, or `(K,)` for all bodies; with `K = 1` also
/// `(n,)` and a number.
pub(crate) struct Input<'py, const K: usize> {
    /// Keeps the numbers alive.
    _array: Bound<'py, Doubles>,
    place: Place,
    name: &'static str,
}

impl<'py, const K: usize> Input<'py, K> {
    pub(crate) fn new(
        py: Python<'py>,
        object: &Bound<'py, PyAny>,
        name: &'static str,
    ) -> PyResult<Self> {
        let array = float_array(py, object, name)?;
        Ok(Input {
            place: Place::of(&array, K, name)?,
            name,
            _array: array,
        })
    }

    /// The number of bodies; `None`: the same numbers for any.
    pub(crate) fn count(&self) -> Option<usize> {
        self.place.count
    }

    /// The numbers as an array for `count` bodies.
    pub(crate) fn view(&self, py: Python<'py>, count: usize) -> PyResult<View<'_, K>> {
        let name = self.name;
        if let Some(given) = self.place.count
            && given != count
            && given != 1
        {
            return Err(PyValueError::new_err(format!(
                "`{name}` has {given} rows, but must have {count}"
            )));
        }
        let Place {
            data,
            body_stride,
            component_stride,
            ..
        } = self.place;
        // SAFETY: an aligned array of float64 with these strides, which `_array` keeps alive. With
        // a stride of 0 its K numbers exist.
        let view = unsafe { View::from_raw(data, count, body_stride, component_stride, name) };
        view.map_err(|error| raised(py, error))
    }

    /// The numbers of a single body.
    pub(crate) fn one(&self, py: Python<'py>) -> PyResult<[f64; K]> {
        if self.place.count.is_some() {
            let wanted = if K == 1 {
                "a number".to_owned()
            } else {
                format!("{K} numbers")
            };
            let name = self.name;
            return Err(PyValueError::new_err(format!(
                "`{name}` must be {wanted}, not an array of rows"
            )));
        }
        Ok(self.view(py, 1)?.get(0))
    }
}

/// A vector argument.
pub(crate) fn vector<const K: usize>(
    py: Python<'_>,
    object: &Bound<'_, PyAny>,
    name: &'static str,
) -> PyResult<[f64; K]> {
    Input::new(py, object, name)?.one(py)
}

/// The same, where it may be None.
pub(crate) fn vector_or_none<const K: usize>(
    py: Python<'_>,
    object: Option<&Bound<'_, PyAny>>,
    name: &'static str,
) -> PyResult<Option<[f64; K]>> {
    object.map(|object| vector(py, object, name)).transpose()
}

/// How many rows two arguments have, which broadcast. `None`: both are the same for any.
pub(crate) fn together(first: Option<usize>, second: Option<usize>) -> Option<usize> {
    if let (Some(1), Some(_)) = (first, second) {
        second
    } else {
        first.or(second)
    }
}
