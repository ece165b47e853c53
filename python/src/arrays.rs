//! numpy arrays: arguments that are read, arrays that an ensemble steps in place, and arrays that
//! torques are called with.

#![allow(unsafe_code)] // the memory of numpy arrays becomes views and slices

use crate::bind::Held;
use crate::errors::raised;
use crate::numpy::{Array, NewArray, to_vec};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use quatint::{Error, Failure, Layout, View, ViewMut};
use std::slice::{from_raw_parts, from_raw_parts_mut};

const DOUBLE: isize = size_of::<f64>() as isize;

fn numpy<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyModule>> {
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
) -> PyResult<Bound<'py, PyAny>> {
    if let Some(array) = Array::of(object)
        && array.elements::<f64>().is_some()
        && array.is_aligned()
        && array.strides.iter().all(|stride| stride % DOUBLE == 0)
    {
        return Ok(object.clone());
    }
    if object.is_none() {
        return Err(PyTypeError::new_err(format!(
            "`{name}` must be numbers, not None"
        )));
    }
    let array = numpy(py)?.call_method1("asarray", (object,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if !"fiub".contains(kind.as_str()) {
        let dtype = array.getattr("dtype")?;
        return Err(PyTypeError::new_err(format!(
            "`{name}` must be real numbers, not of dtype {dtype}"
        )));
    }
    // a new array: aligned, of native byte order, contiguous; numpy.array would keep another type
    // of the same numbers
    array.call_method1("astype", ("float64",))
}

/// A shape as Python writes it.
pub(crate) fn as_tuple(shape: &[usize]) -> String {
    match shape {
        [n] => format!("({n},)"),
        _ => format!(
            "({})",
            shape
                .iter()
                .map(usize::to_string)
                .collect::<Vec<_>>()
                .join(", ")
        ),
    }
}

pub(crate) fn shape_of(array: &Bound<'_, PyAny>) -> Vec<usize> {
    Array::of(array)
        .map(|array| array.shape.to_vec())
        .unwrap_or_default()
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
    fn of(array: &Bound<'_, PyAny>, width: usize, name: &str) -> PyResult<Self> {
        let (array, data) = doubles(array)?;
        let (count, body_stride, component_stride) = match (array.shape, array.strides) {
            ([], _) if width == 1 => (None, 0, DOUBLE),
            (&[1], _) if width == 1 => (Some(1), 0, DOUBLE),
            (&[n], &[body]) if width == 1 => (Some(n), body, DOUBLE),
            (&[k], &[component]) if k == width && width > 1 => (None, 0, component),
            (&[1, k], &[_, component]) if k == width => (Some(1), 0, component),
            (&[n, k], &[body, component]) if k == width => (Some(n), body, component),
            (shape, _) => {
                let wanted = if width == 1 {
                    "() or (n,)".to_owned()
                } else {
                    format!("({width},) or (n, {width})")
                };
                let message = format!(
                    "`{name}` must have the shape {wanted}, not {}",
                    as_tuple(shape)
                );
                return Err(PyValueError::new_err(message));
            }
        };
        Ok(Place {
            data,
            count,
            body_stride: body_stride / DOUBLE,
            component_stride: component_stride / DOUBLE,
        })
    }
}

/// An argument with `K` numbers per body: `(n, K)`, or `(K,)` for all bodies; with `K = 1` also
/// `(n,)` and a number.
pub(crate) struct Input<'py, const K: usize> {
    _array: Bound<'py, PyAny>,
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
        let (
            Place {
                data,
                count: given,
                body_stride,
                component_stride,
            },
            name,
        ) = (&self.place, self.name);
        if let Some(given) = given.filter(|given| *given != count && *given != 1) {
            return Err(PyValueError::new_err(format!(
                "`{name}` has {given} rows, but must have {count}"
            )));
        }
        // SAFETY: an aligned array of float64 with these strides, which `_array` keeps alive. With
        // a stride of 0 its K numbers exist.
        unsafe { View::from_raw(*data, count, *body_stride, *component_stride, name) }
            .map_err(|error| raised(py, error))
    }

    /// The numbers of a single body.
    pub(crate) fn one(&self, py: Python<'py>) -> PyResult<[f64; K]> {
        if self.place.count.is_some() {
            let name = self.name;
            let wanted = if K == 1 {
                "a number".to_owned()
            } else {
                format!("{K} numbers")
            };
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

const IN_PLACE: &str = "the ensemble works in the memory of the array and makes no copy";

/// An array of the caller in which an ensemble works, `(count, K)`. The ensemble must be dropped
/// before the array is released.
pub(crate) fn bound<const K: usize>(
    object: &Bound<'_, PyAny>,
    count: usize,
    name: &'static str,
) -> PyResult<ViewMut<'static, K>> {
    let (data, [body, component]) = writeable(object, [count, K], name)?;
    // SAFETY: aligned and writeable at these places for as long as the array lives, which outlives
    // the ensemble (see the callers).
    unsafe { ViewMut::from_raw(data, count, body / DOUBLE, component / DOUBLE, name) }.map_err(
        |error| {
            PyValueError::new_err(format!(
                "`{name}` has strides of {body} and {component} bytes: {error} ({IN_PLACE})"
            ))
        },
    )
}

/// Where the numbers of such an array are, with its strides in bytes.
fn writeable(
    object: &Bound<'_, PyAny>,
    [count, width]: [usize; 2],
    name: &str,
) -> PyResult<(*mut f64, [isize; 2])> {
    let Some(array) = Array::of(object) else {
        let class = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "`{name}` must be a numpy array of float64, not {class}: {IN_PLACE}"
        )));
    };
    let Some(data) = array.elements() else {
        let dtype = object.getattr("dtype")?;
        let message = format!(
            "its dtype is {dtype}; convert it by `array.astype(float)` and bind the result"
        );
        return Err(PyTypeError::new_err(format!(
            "`{name}` must be a numpy array of float64: {message} ({IN_PLACE})"
        )));
    };
    let refuse = |problem: String| {
        Err(PyValueError::new_err(format!(
            "`{name}` {problem} ({IN_PLACE})"
        )))
    };
    if !array.is_writeable() {
        return refuse("is read-only; bind a writeable array, such as `array.copy()`".to_owned());
    }
    let (&[n, k], &[body, component]) = (array.shape, array.strides) else {
        return refuse(format!(
            "must have the shape (n, {width}), not {}",
            as_tuple(array.shape)
        ));
    };
    if k != width {
        return refuse(format!("must have the shape (n, {width}), not ({n}, {k})"));
    }
    if n != count {
        return refuse(format!("has {n} rows, but {count} are needed"));
    }
    let body = if n < 2 { width as isize * DOUBLE } else { body }; // numpy leaves it undefined
    if !array.is_aligned() || body % DOUBLE != 0 || component % DOUBLE != 0 {
        return refuse(
            "is not aligned: addresses and strides must be multiples of 8 bytes (take aligned structs)".to_owned(),
        );
    }
    Ok((data, [body, component]))
}

/// A new array of this shape, with `K` numbers for each body, written by `fill`.
pub(crate) fn filled<'py, const K: usize>(
    py: Python<'py>,
    shape: &[usize],
    fill: &mut dyn FnMut(&mut ViewMut<K>) -> PyResult<()>,
) -> PyResult<NewArray<'py, f64>> {
    let mut numbers = NewArray::zeros(py, shape)?;
    fill(&mut ViewMut::rows(&mut numbers).map_err(|error| raised(py, error))?)?;
    Ok(numbers)
}

/// How many rows two arguments have, which broadcast. `None`: both are the same for any.
pub(crate) fn together(first: Option<usize>, second: Option<usize>) -> Option<usize> {
    if let (Some(1), Some(_)) = (first, second) {
        second
    } else {
        first.or(second)
    }
}

/// Gets the number of a row, and writes it.
pub(crate) type RowFunction<'a> = dyn FnMut(usize, &mut [f64]) -> Result<(), Error> + 'a;

/// What `f` writes for each row: an array `(n, width)`, or `(n,)` if a row is one number; with no
/// count the single row.
pub(crate) fn mapped<'py>(
    py: Python<'py>,
    count: Option<usize>,
    width: usize,
    f: &mut RowFunction<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    let shape: &[usize] = match (count, width) {
        (None, _) => &[width],
        (Some(n), 1) => &[n],
        (Some(n), _) => &[n, width],
    };
    let mut numbers = NewArray::zeros(py, shape)?;
    for (i, row) in numbers.chunks_exact_mut(width).enumerate() {
        f(i, row).map_err(|cause| {
            raised(
                py,
                Failure {
                    cause,
                    body: count.map(|_| i),
                    completed: 0,
                },
            )
        })?;
    }
    let array = numbers.writeable();
    if (count, width) == (None, 1) {
        array.get_item(0)
    } else {
        Ok(array)
    }
}

/// The numbers of an array that `float_array` returned, in the order of C.
pub(crate) fn elements_of(array: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    to_vec(array)?.ok_or_else(not_doubles)
}

fn not_doubles() -> PyErr {
    PyTypeError::new_err("an array of float64 is needed")
}

/// The header of an array that `float_array` returned, and where its numbers are.
fn doubles<'a>(array: &'a Bound<'_, PyAny>) -> PyResult<(Array<'a>, *mut f64)> {
    let array = Array::of(array).and_then(|array| Some((array, array.elements()?)));
    array.ok_or_else(not_doubles)
}

/// Whether nobody else has the object.
#[inline]
fn is_alone(object: &Bound<'_, PyAny>) -> bool {
    has_references(object, 1)
}

#[inline]
fn has_references(object: &Bound<'_, PyAny>, count: isize) -> bool {
    // SAFETY: a live object; attached to Python, so that its count does not change meanwhile.
    unsafe { pyo3::ffi::Py_REFCNT(object.as_ptr()) == count }
}

/// A short array that is passed to a Python function again and again, as long as nobody else holds
/// it.
#[derive(Default)]
pub(crate) struct Reused<const K: usize>(Option<(Py<PyAny>, *mut f64)>);

// SAFETY: the pointer is used by threads that are attached to Python only.
unsafe impl<const K: usize> Send for Reused<K> {}

impl<const K: usize> Reused<K> {
    /// An array with these numbers. Whoever keeps it, keeps the numbers: the next call then makes
    /// another array.
    #[inline]
    pub(crate) fn with<'py>(
        &mut self,
        py: Python<'py>,
        numbers: [f64; K],
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some((array, data)) = &self.0
            && let array = array.bind(py)
            && is_alone(array)
            && let Some(header) = Array::of(array)
            && header.elements() == Some(*data)
            && header.shape == [K]
            && header.strides == [DOUBLE]
            && header.is_writeable()
        {
            // SAFETY: attached to Python, so that nobody else changes the count or the header
            // meanwhile. With one reference, ours, no other code can read the numbers. The header
            // shows that the array still has its memory and its shape.
            unsafe { data.cast::<[f64; K]>().write(numbers) };
            return Ok(array.clone());
        }
        let array = NewArray::of(py, &numbers, &[K])?.writeable();
        self.0 = Some((array.clone().unbind(), doubles(&array)?.1));
        Ok(array)
    }
}

/// The result of a Python function. `None`, for which a `return` is missing, is refused. `wanted`:
/// what `what` is.
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
    if let Ok(number) = object.cast_exact::<pyo3::types::PyFloat>() {
        return Ok(number.value());
    }
    if object
        .get_type()
        .name()?
        .to_string_lossy()
        .starts_with("bool")
        && shape_of(object).is_empty()
    {
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
    if let Some(array) = Array::of(object)
        && let Some(data) = array.elements::<f64>()
        && array.shape == [3]
        && array.is_aligned()
    {
        let (data, stride) = (data.cast::<u8>(), array.strides[0]);
        // SAFETY: three aligned numbers with this stride; attached to Python.
        return Ok([0, 1, 2].map(|i| unsafe { data.offset(i * stride).cast::<f64>().read() }));
    }
    let array = float_array(py, returned(object, "a torque", "3 numbers")?, "torque")?;
    match shape_of(&array).as_slice() {
        [3] => Input::<3>::new(py, &array, "torque")?.one(py),
        shape => {
            let message = format!(
                "a torque is 3 numbers; the function returned the shape {}",
                as_tuple(shape)
            );
            Err(PyValueError::new_err(message))
        }
    }
}

/// The arrays that a torque function of an ensemble is called with. Python sees them as read-only;
/// each stage overwrites them.
pub(crate) struct StageArrays {
    pub(crate) count: usize,
    layout: Layout,
    pub(crate) orientation: Held,
    pub(crate) angular_velocity: Held,
    /// Owns the memory of the torques.
    _torque: Py<PyAny>,
    data: [*mut f64; 3],
}

// SAFETY: the pointers are to memory that this object owns.
unsafe impl Send for StageArrays {}

/// The numbers of a stage: orientations and angular velocities to be written, and the torques.
pub(crate) struct StageSlices<'a> {
    pub(crate) orientation: &'a mut [f64],
    pub(crate) angular_velocity: &'a mut [f64],
    pub(crate) torque: &'a mut [f64],
}

impl StageArrays {
    pub(crate) fn new(py: Python<'_>, count: usize, layout: Layout) -> PyResult<Self> {
        let [q, omega, torque] = [4, 3, 3].map(|width| {
            let mut numbers = NewArray::zeros(py, &[count * width])?;
            Ok::<_, PyErr>((numbers.as_mut_ptr(), numbers.writeable()))
        });
        let [(q, q_owner), (omega, omega_owner), (torque, _torque)] = [q?, omega?, torque?];
        let shaped = |owner: Bound<'_, PyAny>, width: usize| {
            let shaped = match layout {
                Layout::Aos => owner.call_method1("reshape", (count, width))?,
                Layout::Soa => owner
                    .call_method1("reshape", (width, count))?
                    .getattr("T")?,
            };
            shaped.call_method1("setflags", (false,))?;
            Held::new(&shaped)
        };
        let (orientation, angular_velocity) = (shaped(q_owner, 4)?, shaped(omega_owner, 3)?);
        let (_torque, data) = (_torque.unbind(), [q, omega, torque]);
        Ok(StageArrays {
            count,
            layout,
            orientation,
            angular_velocity,
            _torque,
            data,
        })
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

    /// Whether the torque function has kept neither the arrays that it saw nor a part of them. Else
    /// another thread might read what is being written, unless it waits for the lock of the
    /// interpreter.
    pub(crate) fn are_ours_alone(&self, py: Python<'_>) -> bool {
        [&self.orientation, &self.angular_velocity]
            .iter()
            .all(|held| {
                let array = held.array.bind(py);
                // the memory belongs to the base of the array; `base` here is the second reference
                // to it
                let base = array.getattr("base");
                base.is_ok_and(|base| has_references(&base, 2)) && has_references(array, 1)
            })
    }

    pub(crate) fn slices(&mut self) -> StageSlices<'_> {
        let ([q, omega, torque], n) = (self.data, self.count);
        // SAFETY: so many numbers a body, each array in memory of its own. While they are written,
        // nobody else reads them: either this thread has the lock of the interpreter, or
        // `are_ours_alone`.
        unsafe {
            StageSlices {
                orientation: from_raw_parts_mut(q, 4 * n),
                angular_velocity: from_raw_parts_mut(omega, 3 * n),
                torque: from_raw_parts_mut(torque, 3 * n),
            }
        }
    }

    /// Copies the torques that a function returned: an array that broadcasts to `(n, 3)`.
    pub(crate) fn take(&mut self, py: Python<'_>, given: &Bound<'_, PyAny>) -> PyResult<()> {
        let array = float_array(
            py,
            returned(given, "a torque", "an array that broadcasts to (n, 3)")?,
            "torque",
        )?;
        let (Array { shape, strides, .. }, data) = doubles(&array)?;
        let n = self.count;
        let stride = |axis: usize, wanted: usize| match (shape[axis], strides[axis] / DOUBLE) {
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
            let message = format!(
                "the torques must broadcast to the shape ({n}, 3), but have the shape {}",
                as_tuple(shape)
            );
            return Err(PyValueError::new_err(message));
        };
        if n == 0 {
            return Ok(());
        }
        // SAFETY: the strides stay within the array, which is aligned.
        let torques = unsafe { View::<3>::from_raw(data, n, body, component, "torque") }
            .map_err(|error| raised(py, error))?;
        let ([(per_body, per_component), _], layout) = (self.strides(), self.layout);
        // SAFETY: so many numbers, which only this object has.
        let taken = unsafe { from_raw_parts_mut(self.data[2], 3 * n) };
        if body == 3 && component == 1 && layout == Layout::Aos
            || component == n as isize && body == 1 && layout == Layout::Soa
        {
            // SAFETY: contiguous, in the order of the layout.
            taken.copy_from_slice(unsafe { from_raw_parts(data, 3 * n) });
            return Ok(());
        }
        for i in 0..n {
            for (c, number) in torques.get(i).into_iter().enumerate() {
                taken[i * per_body + c * per_component] = number;
            }
        }
        Ok(())
    }

    /// The torques that a function returned, where they lie, if they are in the order of the layout
    /// and nobody else can reach them.
    pub(crate) fn in_place<'a>(&self, given: &'a Bound<'_, PyAny>) -> Option<&'a [f64]> {
        let array = Array::of(given)?;
        let is_ordered = match self.layout {
            Layout::Aos => array.is_c_contiguous(),
            Layout::Soa => array.is_fortran_contiguous(),
        };
        let is_alone = is_alone(given) && array.has_no_base;
        if !(is_ordered && is_alone && array.is_aligned() && array.shape == [self.count, 3]) {
            return None;
        }
        let data = array.elements()?;
        // SAFETY: contiguous and aligned; it owns its memory, and we hold the only reference.
        Some(unsafe { from_raw_parts(data, 3 * self.count) })
    }
}
