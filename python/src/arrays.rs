//! numpy arrays: arguments that are read, arrays that an ensemble steps in place, and arrays that torques are called with.

#![allow(unsafe_code)] // the memory of numpy arrays becomes views and slices

use crate::errors::raised;
use numpy::npyffi::NPY_ARRAY_WRITEABLE;
use numpy::{PyArray, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use quatint::{Layout, View, ViewMut};

const DOUBLE: isize = size_of::<f64>() as isize;

fn numpy<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyModule>> {
    static NUMPY: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    NUMPY.get_or_try_init(py, || py.import("numpy").map(Bound::unbind)).map(|module| module.bind(py))
}

/// An array of float64 with the numbers of an argument: itself if it is one, else a copy. Complex numbers, strings and objects are refused.
pub(crate) fn float_array<'py>(py: Python<'py>, object: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(array) = object.cast::<PyArrayDyn<f64>>()
        && array.is_aligned()
        && array.strides().iter().all(|stride| stride % DOUBLE == 0)
    {
        return Ok(object.clone());
    }
    if object.is_none() {
        return Err(PyTypeError::new_err(format!("`{name}` must be numbers, not None")));
    }
    let array = numpy(py)?.call_method1("asarray", (object,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if !"fiub".contains(kind.as_str()) {
        let dtype = array.getattr("dtype")?;
        return Err(PyTypeError::new_err(format!("`{name}` must be real numbers, not of dtype {dtype}")));
    }
    // a new array: aligned, of native byte order, contiguous
    numpy(py)?.call_method1("array", (array, "float64"))
}

/// A shape as Python writes it.
pub(crate) fn as_tuple(shape: &[usize]) -> String {
    match shape {
        [n] => format!("({n},)"),
        _ => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

pub(crate) fn shape_of(array: &Bound<'_, PyAny>) -> Vec<usize> {
    array.cast::<PyUntypedArray>().map(|array| array.shape().to_vec()).unwrap_or_default()
}

/// An argument with `K` numbers per body: `(n, K)`, or `(K,)` for all bodies; with `K = 1` also `(n,)` and a number.
pub(crate) struct Input<'py, const K: usize> {
    _array: Bound<'py, PyAny>,
    data: *const f64,
    /// The number of bodies; `None`: the same numbers for any.
    count: Option<usize>,
    body_stride: isize,
    component_stride: isize,
    name: &'static str,
}

impl<'py, const K: usize> Input<'py, K> {
    pub(crate) fn new(py: Python<'py>, object: &Bound<'py, PyAny>, name: &'static str) -> PyResult<Self> {
        let array = float_array(py, object, name)?;
        let doubles = array.cast::<PyArrayDyn<f64>>()?;
        let strides: Vec<isize> = doubles.strides().iter().map(|stride| stride / DOUBLE).collect();
        let (count, body_stride, component_stride) = match (doubles.shape(), &strides[..]) {
            ([], _) if K == 1 => (None, 0, 1),
            (&[1], _) if K == 1 => (Some(1), 0, 1),
            (&[n], &[body]) if K == 1 => (Some(n), body, 1),
            (&[k], &[component]) if k == K && K > 1 => (None, 0, component),
            (&[1, k], &[_, component]) if k == K => (Some(1), 0, component),
            (&[n, k], &[body, component]) if k == K => (Some(n), body, component),
            (shape, _) => {
                let wanted = if K == 1 { "() or (n,)".to_owned() } else { format!("({K},) or (n, {K})") };
                return Err(PyValueError::new_err(format!(
                    "`{name}` must have the shape {wanted}, not {}",
                    as_tuple(shape)
                )));
            }
        };
        let data = doubles.data().cast_const();
        Ok(Input { data, count, body_stride, component_stride, name, _array: array })
    }

    /// The number of bodies; `None`: the same numbers for any.
    pub(crate) fn count(&self) -> Option<usize> {
        self.count
    }

    /// The numbers as an array for `count` bodies.
    pub(crate) fn view(&self, py: Python<'py>, count: usize) -> PyResult<View<'_, K>> {
        if self.count.is_some_and(|given| given != count && given != 1) {
            let (name, given) = (self.name, self.count.unwrap_or_default());
            return Err(PyValueError::new_err(format!("`{name}` has {given} rows, but must have {count}")));
        }
        // SAFETY: an aligned array of float64 with these strides, which `_array` keeps alive. With a stride of 0 its K numbers exist.
        unsafe { View::from_raw(self.data, count, self.body_stride, self.component_stride, self.name) }
            .map_err(|error| raised(py, error))
    }

    /// The numbers of a single body.
    pub(crate) fn one(&self, py: Python<'py>) -> PyResult<[f64; K]> {
        if self.count.is_some() {
            let name = self.name;
            let wanted = if K == 1 { "a number".to_owned() } else { format!("{K} numbers") };
            return Err(PyValueError::new_err(format!("`{name}` must be {wanted}, not an array of rows")));
        }
        Ok(self.view(py, 1)?.get(0))
    }
}

/// A vector argument.
pub(crate) fn vector<const K: usize>(
    py: Python<'_>, object: &Bound<'_, PyAny>, name: &'static str,
) -> PyResult<[f64; K]> {
    Input::new(py, object, name)?.one(py)
}

/// An array of the caller in which an ensemble works, `(count, K)`. The ensemble must be dropped before the array is released.
pub(crate) fn bound<const K: usize>(
    object: &Bound<'_, PyAny>, count: usize, name: &'static str,
) -> PyResult<ViewMut<'static, K>> {
    let hint = "the ensemble works in the memory of the array and makes no copy";
    let Ok(array) = object.cast::<PyUntypedArray>() else {
        let class = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!("`{name}` must be a numpy array of float64, not {class}: {hint}")));
    };
    let Ok(doubles) = object.cast::<PyArrayDyn<f64>>() else {
        let message =
            format!("its dtype is {}; convert it by `array.astype(float)` and bind the result", array.dtype());
        return Err(PyTypeError::new_err(format!("`{name}` must be a numpy array of float64: {message} ({hint})")));
    };
    let refuse = |problem: String| Err(PyValueError::new_err(format!("`{name}` {problem} ({hint})")));
    // SAFETY: the header of a live array.
    let flags = unsafe { (*array.as_array_ptr()).fields.flags };
    if flags & NPY_ARRAY_WRITEABLE == 0 {
        return refuse("is read-only; bind a writeable array, such as `array.copy()`".to_owned());
    }
    let (&[n, k], &[body, component]) = (doubles.shape(), doubles.strides()) else {
        return refuse(format!("must have the shape (n, {K}), not {}", as_tuple(doubles.shape())));
    };
    if k != K {
        return refuse(format!("must have the shape (n, {K}), not ({n}, {k})"));
    }
    if n != count {
        return refuse(format!("has {n} rows, but {count} are needed"));
    }
    let body = if n < 2 { K as isize * DOUBLE } else { body }; // numpy leaves it undefined
    if !array.is_aligned() || body % DOUBLE != 0 || component % DOUBLE != 0 {
        return refuse(
            "is not aligned: addresses and strides must be multiples of 8 bytes (take aligned structs)".to_owned(),
        );
    }
    // SAFETY: aligned and writeable at these places for as long as the array lives, which outlives the ensemble (see the callers).
    unsafe { ViewMut::from_raw(doubles.data(), n, body / DOUBLE, component / DOUBLE, name) }
        .or_else(|error| refuse(format!("has strides of {body} and {component} bytes: {error}")))
}

/// A new array of `K` numbers for each of `count` bodies, written by `fill`.
pub(crate) fn filled<'py, const K: usize>(
    py: Python<'py>, count: usize, fill: &mut dyn FnMut(&mut ViewMut<K>) -> PyResult<()>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let mut numbers = zeros(py, count, K)?;
    fill(&mut ViewMut::rows(&mut numbers).map_err(|error| raised(py, error))?)?;
    PyArray1::from_vec(py, numbers).reshape([count, K])
}

/// A new array, from now on read-only: what a property returns is a copy, and what is written into a copy would be lost.
pub(crate) fn read_only<'py, T, D>(array: Bound<'py, PyArray<T, D>>) -> Bound<'py, PyArray<T, D>> {
    // SAFETY: the header of a live array that nobody else has.
    unsafe { (*array.as_array_ptr()).fields.flags &= !NPY_ARRAY_WRITEABLE };
    array
}

/// Zeros, or an exception where a `Vec` would abort.
pub(crate) fn zeros(py: Python<'_>, count: usize, width: usize) -> PyResult<Vec<f64>> {
    let mut numbers = Vec::new();
    let length = count.saturating_mul(width);
    numbers.try_reserve_exact(length).map_err(|_| raised(py, quatint::Error::Memory))?;
    numbers.resize(length, 0.0);
    Ok(numbers)
}

/// A short array that is passed to a Python function again and again, as long as nobody else holds it.
#[derive(Default)]
pub(crate) struct Reused<const K: usize>(Option<(Py<PyArray1<f64>>, *mut f64)>);

// SAFETY: the pointer is used by threads that are attached to Python only.
unsafe impl<const K: usize> Send for Reused<K> {}

impl<const K: usize> Reused<K> {
    /// An array with these numbers. Whoever keeps it, keeps the numbers: the next call then makes another array.
    #[inline]
    pub(crate) fn with<'py>(&mut self, py: Python<'py>, numbers: [f64; K]) -> Bound<'py, PyArray1<f64>> {
        if let Some((array, data)) = &self.0 {
            // SAFETY: attached to Python, so that nobody else changes the count or the header meanwhile. With one reference, ours, no
            // other code can read the numbers. The header shows that the array still has its memory and its shape.
            unsafe {
                let header = &(*array.as_ptr().cast::<numpy::npyffi::PyArrayObject>()).fields;
                if pyo3::ffi::Py_REFCNT(array.as_ptr()) == 1
                    && header.data.cast::<f64>() == *data
                    && header.nd == 1
                    && *header.dimensions == K as isize
                    && *header.strides == DOUBLE
                    && header.flags & NPY_ARRAY_WRITEABLE != 0
                {
                    data.cast::<[f64; K]>().write(numbers);
                    return array.bind(py).clone();
                }
            }
        }
        let array = PyArray1::from_slice(py, &numbers);
        self.0 = Some((array.clone().unbind(), array.data()));
        array
    }
}

/// The result of a Python function. `None`, for which a `return` is missing, is refused. `wanted`: what `what` is.
pub(crate) fn returned<'a, 'py>(
    object: &'a Bound<'py, PyAny>, what: &str, wanted: &str,
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
    if let Ok(number) = object.cast_exact::<pyo3::types::PyFloat>() {
        return Ok(number.value());
    }
    if object.get_type().name()?.to_string_lossy().starts_with("bool") && shape_of(object).is_empty() {
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

/// Three numbers that a Python function returned.
#[inline]
pub(crate) fn three(py: Python<'_>, object: &Bound<'_, PyAny>) -> PyResult<[f64; 3]> {
    if let Ok(tuple) = object.cast_exact::<pyo3::types::PyTuple>()
        && tuple.len() == 3
    {
        let mut numbers = [0.0; 3];
        for (i, number) in numbers.iter_mut().enumerate() {
            *number = tuple.get_borrowed_item(i)?.extract()?;
        }
        return Ok(numbers);
    }
    if let Ok(array) = object.cast::<PyArray1<f64>>()
        && array.shape() == [3]
        && array.is_aligned()
    {
        let (data, stride) = (array.data().cast::<u8>(), array.strides()[0]);
        // SAFETY: three aligned numbers with this stride; attached to Python.
        return Ok([0, 1, 2].map(|i| unsafe { data.offset(i * stride).cast::<f64>().read() }));
    }
    let array = float_array(py, returned(object, "a torque", "3 numbers")?, "torque")?;
    match shape_of(&array).as_slice() {
        [3] => Input::<3>::new(py, &array, "torque")?.one(py),
        shape => {
            let message = format!("a torque is 3 numbers; the function returned the shape {}", as_tuple(shape));
            Err(PyValueError::new_err(message))
        }
    }
}

/// The arrays that a torque function of an ensemble is called with. Python sees them as read-only; each stage overwrites them.
pub(crate) struct StageArrays {
    pub(crate) count: usize,
    layout: Layout,
    pub(crate) orientation: Py<PyAny>,
    pub(crate) angular_velocity: Py<PyAny>,
    /// Own the memory of both.
    _owners: [Py<PyArray1<f64>>; 2],
    data: [*mut f64; 2],
    torque: Vec<f64>,
}

// SAFETY: the pointers are to memory that this object owns.
unsafe impl Send for StageArrays {}

/// An array, the one that owns its memory, and where the memory is.
type Owned = (Py<PyAny>, Py<PyArray1<f64>>, *mut f64);

/// The numbers of a stage: orientations and angular velocities to be written, and the torques.
pub(crate) struct StageSlices<'a> {
    pub(crate) orientation: &'a mut [f64],
    pub(crate) angular_velocity: &'a mut [f64],
    pub(crate) torque: &'a [f64],
}

impl StageArrays {
    pub(crate) fn new(py: Python<'_>, count: usize, layout: Layout) -> PyResult<Self> {
        // views of an owner: numpy resizes no view
        let part = |width: usize| -> PyResult<Owned> {
            let owner = PyArray1::from_vec(py, zeros(py, count, width)?);
            let shaped = match layout {
                Layout::Aos => owner.call_method1("reshape", (count, width))?,
                Layout::Soa => owner.call_method1("reshape", (width, count))?.getattr("T")?,
            };
            shaped.call_method1("setflags", (false,))?;
            Ok((shaped.unbind(), owner.clone().unbind(), owner.data()))
        };
        let ((orientation, q_owner, q), (angular_velocity, omega_owner, omega)) = (part(4)?, part(3)?);
        let (_owners, data, torque) = ([q_owner, omega_owner], [q, omega], zeros(py, count, 3)?);
        Ok(StageArrays { count, layout, orientation, angular_velocity, _owners, data, torque })
    }

    pub(crate) fn is_for(&self, count: usize, layout: Layout) -> bool {
        self.count == count && self.layout == layout
    }

    /// Where component `c` of body `i` of an array of vectors is, and of an array of quaternions.
    pub(crate) fn strides(&self) -> [(usize, usize); 2] {
        match self.layout {
            Layout::Aos => [(3, 1), (4, 1)],
            Layout::Soa => [(1, self.count); 2],
        }
    }

    pub(crate) fn slices(&mut self) -> StageSlices<'_> {
        // SAFETY: 4 and 3 numbers a body, each in memory of its own. Others read them, if they keep the arrays against the rules, and see
        // numbers of some stage.
        let (orientation, angular_velocity) = unsafe {
            let [q, omega] = self.data;
            (std::slice::from_raw_parts_mut(q, 4 * self.count), std::slice::from_raw_parts_mut(omega, 3 * self.count))
        };
        StageSlices { orientation, angular_velocity, torque: &self.torque }
    }

    /// The torques to be changed, beside the orientations.
    pub(crate) fn torque_and_orientation(&mut self) -> (&mut [f64], &[f64]) {
        // SAFETY: as above.
        let q = unsafe { std::slice::from_raw_parts(self.data[0], 4 * self.count) };
        (&mut self.torque, q)
    }

    /// Copies the torques that a function returned: an array that broadcasts to `(n, 3)`.
    pub(crate) fn take(&mut self, py: Python<'_>, given: &Bound<'_, PyAny>) -> PyResult<()> {
        let array = float_array(py, returned(given, "a torque", "an array that broadcasts to (n, 3)")?, "torque")?;
        let doubles = array.cast::<PyArrayDyn<f64>>()?;
        let (n, shape) = (self.count, doubles.shape());
        let stride = |axis: usize, wanted: usize| match (shape[axis], doubles.strides()[axis] / DOUBLE) {
            (1, _) => Some(0),
            (length, stride) if length == wanted => Some(stride),
            _ => None,
        };
        let strides = match shape.len() {
            0 => Some((0, 0)),
            1 => stride(0, 3).map(|component| (0, component)),
            2 => stride(0, n).zip(stride(1, 3)),
            _ => None,
        };
        let Some((body, component)) = strides else {
            let message =
                format!("the torques must broadcast to the shape ({n}, 3), but have the shape {}", as_tuple(shape));
            return Err(PyValueError::new_err(message));
        };
        if n == 0 {
            return Ok(());
        }
        // SAFETY: the strides stay within the array, which is aligned.
        let torques = unsafe { View::<3>::from_raw(doubles.data(), n, body, component, "torque") }
            .map_err(|error| raised(py, error))?;
        let [(per_body, per_component), _] = self.strides();
        if body == 3 && component == 1 && self.layout == Layout::Aos
            || component == n as isize && body == 1 && self.layout == Layout::Soa
        {
            // SAFETY: contiguous, in the order of the layout.
            self.torque.copy_from_slice(unsafe { std::slice::from_raw_parts(doubles.data(), 3 * n) });
            return Ok(());
        }
        for i in 0..n {
            for (c, number) in torques.get(i).into_iter().enumerate() {
                self.torque[i * per_body + c * per_component] = number;
            }
        }
        Ok(())
    }

    /// The torques that a function returned, where they lie, if they are in the order of the layout and nobody else can reach them.
    pub(crate) fn in_place<'a>(&self, given: &'a Bound<'_, PyAny>) -> Option<&'a [f64]> {
        let array = given.cast::<PyArray2<f64>>().ok()?;
        let is_ordered = match self.layout {
            Layout::Aos => array.is_c_contiguous(),
            Layout::Soa => array.is_fortran_contiguous(),
        };
        // SAFETY: attached to Python: the header and the count do not change meanwhile.
        let is_alone =
            unsafe { pyo3::ffi::Py_REFCNT(array.as_ptr()) == 1 && (*array.as_array_ptr()).fields.base.is_null() };
        if !(is_ordered && is_alone && array.is_aligned() && array.shape() == [self.count, 3]) {
            return None;
        }
        // SAFETY: contiguous and aligned; it owns its memory, and we hold the only reference.
        Some(unsafe { std::slice::from_raw_parts(array.data(), 3 * self.count) })
    }
}
