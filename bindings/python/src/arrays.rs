//! Arrays of numpy as arguments that are read.

#![allow(unsafe_code)] // the memory of an array becomes a view

use crate::errors::Outcome;
use numpy::npyffi::{NPY_ARRAY_WRITEABLE, PyArray_Descr};
use numpy::{
    Element, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyFloat, PyList, PyTuple};
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

const MASKED: &str = "has masked numbers, which have no value: fill them, or leave them out";
const BOOLS: &str = "must be numbers, not bools";

/// Lists within lists beyond this depth are no argument: numpy refuses them.
const DEEPEST: usize = 32;

/// The mask of an array, if it has one.
pub(crate) fn mask_of<'py>(array: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let is_plain = array.is_exact_instance_of::<PyUntypedArray>();
    if is_plain || !array.is_instance_of::<PyUntypedArray>() {
        return Ok(None);
    }
    array.getattr_opt("mask")
}

/// Whether the class is that of truth values, of Python or of numpy.
pub(crate) fn is_bool(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let name = object.get_type().name()?;
    Ok(object.is_instance_of::<PyBool>() || name == "bool" || name == "bool_")
}

/// What is wrong with an argument of which numpy would make other numbers without a word: it drops
/// the mask of a masked array, and True becomes 1.
fn fault_of(object: &Bound<'_, PyAny>, depth: usize) -> PyResult<Option<&'static str>> {
    if object.is_instance_of::<PyFloat>() || depth > DEEPEST {
        return Ok(None);
    }
    if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        for item in object.try_iter()? {
            let fault = fault_of(&item?, depth + 1)?;
            if fault.is_some() {
                return Ok(fault);
            }
        }
        return Ok(None);
    }
    let Ok(array) = object.cast::<PyUntypedArray>() else {
        return Ok(is_bool(object)?.then_some(BOOLS));
    };
    if let Some(mask) = mask_of(object)?
        && numpy_module(object.py())?
            .call_method1("any", (mask,))?
            .is_truthy()?
    {
        return Ok(Some(MASKED));
    }
    Ok((array.dtype().kind() == b'b').then_some(BOOLS))
}

/// Refuses masked numbers and bools in the place of numbers.
fn check_numbers(object: &Bound<'_, PyAny>, name: &str) -> PyResult<()> {
    match fault_of(object, 0)? {
        Some(fault) => Err(PyTypeError::new_err(format!("`{name}` {fault}"))),
        None => Ok(()),
    }
}

/// A whole number of an argument. True and False are refused: they are 1 and 0 to Python, but where
/// a count is wanted they are another argument's value.
pub(crate) fn whole<'py, T: FromPyObjectOwned<'py>>(object: &Bound<'py, PyAny>) -> PyResult<T> {
    if is_bool(object)? {
        return Err(PyTypeError::new_err("must be a whole number, not a bool"));
    }
    object.extract().map_err(Into::into)
}

/// The whole numbers of an argument of the shape `(n,)`. `what` says which are allowed.
pub(crate) fn whole_numbers<'py, T: Element + FromPyObjectOwned<'py>>(
    py: Python<'py>,
    object: &Bound<'py, PyAny>,
    name: &str,
    what: &str,
) -> PyResult<Vec<T>> {
    check_numbers(object, name)?;
    let array = made_by_numpy(py, object, name)?;
    let shape = shape_of(&array);
    let [count] = shape[..] else {
        return Err(wrong_shape(name, "(n,)", &shape));
    };
    if count == 0 {
        return Ok(Vec::new()); // [] is an array of floats
    }
    if let Some(numbers) = to_vec(&array)? {
        return Ok(numbers);
    }
    // of great integers in a list numpy makes floats, so they are taken from the list
    let listed = if object.is_instance_of::<PyUntypedArray>() {
        array.call_method0("tolist")?
    } else {
        object.clone()
    };
    listed.extract().map_err(|_| {
        let dtype = array.getattr("dtype");
        let dtype = dtype.map_or_else(|_| String::new(), |dtype| dtype.to_string());
        PyTypeError::new_err(format!("`{name}` must be {what}, not of dtype {dtype}"))
    })
}

/// real_numbers(given, name): a plain array of float64 with the numbers of an argument, which may be
/// that argument itself.
#[pyfunction]
pub(crate) fn real_numbers<'py>(
    py: Python<'py>,
    given: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let array = float_array(py, given, name)?;
    numpy_module(py)?.call_method1("asarray", (array,))
}

/// The array that numpy makes of an argument. If its rows differ in length, numpy does not say whose.
pub(crate) fn made_by_numpy<'py>(
    py: Python<'py>,
    object: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let array = numpy_module(py)?.call_method1("asarray", (object,));
    array.map_err(|error| {
        if !error.is_instance_of::<PyValueError>(py) {
            return error; // of a class of a user
        }
        let why = error.value(py);
        let message = format!("`{name}` must be numbers in rows of one length: {why}");
        let named = PyValueError::new_err(message);
        named.set_cause(py, Some(error));
        named
    })
}

/// An array of float64 with the numbers of an argument: itself if it is one, else a copy. Complex
/// numbers, strings, objects, bools and masked numbers are refused.
pub(crate) fn float_array<'py>(
    py: Python<'py>,
    object: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Bound<'py, Doubles>> {
    let is_plain = object.is_exact_instance_of::<PyUntypedArray>();
    if !is_plain {
        check_numbers(object, name)?;
    }
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
    let array = made_by_numpy(py, object, name)?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if !"fiu".contains(kind.as_str()) {
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
            (shape, _) if width == 1 => return Err(wrong_shape(name, "() or (n,)", shape)),
            (shape, _) => {
                let wanted = format!("({width},) or (n, {width})");
                return Err(wrong_shape(name, &wanted, shape));
            }
        };
        Ok(Place {
            data: array.data(),
            count,
            body_stride: body_stride / DOUBLE,
            component_stride: component_stride / DOUBLE,
        })
    }
}

/// The exception for an argument that has not the shape that is wanted.
pub(crate) fn wrong_shape(name: &str, wanted: &str, shape: &[usize]) -> PyErr {
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

    /// The same, where it may be None.
    pub(crate) fn or_none(
        py: Python<'py>,
        object: Option<&Bound<'py, PyAny>>,
        name: &'static str,
    ) -> PyResult<Option<Self>> {
        object
            .map(|object| Input::new(py, object, name))
            .transpose()
    }

    /// The numbers of an argument that may be None, as an array for `count` bodies.
    pub(crate) fn view_or_none<'a>(
        given: &'a Option<Self>,
        py: Python<'py>,
        count: usize,
    ) -> PyResult<Option<View<'a, K>>> {
        let view = given.as_ref().map(|given| given.view(py, count));
        view.transpose()
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
        view.raise(py)
    }
}

/// A vector argument: `(K,)`; with `K = 1` a number.
pub(crate) fn vector<const K: usize>(
    py: Python<'_>,
    object: &Bound<'_, PyAny>,
    name: &'static str,
) -> PyResult<[f64; K]> {
    let array = float_array(py, object, name)?;
    let wanted: &[usize] = if K == 1 { &[] } else { &[K] };
    if array.shape() != wanted {
        return Err(wrong_shape(name, &as_tuple(wanted), array.shape()));
    }
    Ok(Input::<K>::new(py, &array, name)?.view(py, 1)?.get(0))
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
