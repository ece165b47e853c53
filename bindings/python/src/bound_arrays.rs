//! Arrays of the caller in which an ensemble works.

#![allow(unsafe_code)] // the memory of an array becomes a view for as long as the ensemble lives

use crate::arrays::{DOUBLE, Doubles, as_tuple, is_aligned, is_writeable, mask_of};
use crate::errors::refused;
use numpy::{PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use quatint::{VelocityKind, View, ViewMut};

const IN_PLACE: &str = "the ensemble works in the memory of the array and makes no copy";

/// An array in whose memory something works.
pub(crate) struct Held {
    pub(crate) array: Py<PyAny>,
    /// The array that owns the memory: the last one in the chain of bases. numpy frees the memory
    /// of an array whose state is set (`__setstate__`), or whose `data` is, whoever works in it.
    owner: Py<PyAny>,
    /// Where its memory was when it was taken.
    data: usize,
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
        let reference = weakref.call_method1("ref", (&owner,))?;
        Ok(Held {
            array: array.clone().unbind(),
            data: address_of(&owner),
            owner: owner.unbind(),
            _against_resize: reference.unbind(),
        })
    }

    /// Whether the array has the memory that it had.
    #[inline]
    pub(crate) fn is_in_place(&self, py: Python<'_>) -> bool {
        address_of(self.owner.bind(py)) == self.data
    }
}

/// Where the memory of an array begins; 0 for what is no array.
#[inline]
fn address_of(array: &Bound<'_, PyAny>) -> usize {
    let Ok(array) = array.cast::<PyUntypedArray>() else {
        return 0;
    };
    // SAFETY: the header of a live object; attached to Python, so that nobody changes it meanwhile.
    unsafe { (*array.as_array_ptr()).fields.data.addr() }
}

/// The array of the velocities, and what it holds.
pub(crate) struct HeldVelocities {
    pub(crate) held: Held,
    pub(crate) kind: VelocityKind,
    /// The row of each body; `None`: its index.
    pub(crate) rows: Option<Vec<i32>>,
}

/// The arrays that an ensemble works in.
#[derive(Default)]
pub(crate) struct Bindings {
    pub(crate) orientations: Option<Held>,
    pub(crate) velocities: Option<HeldVelocities>,
    pub(crate) predicted: Option<Held>,
    pub(crate) flow_gradients: Option<Held>,
}

impl Bindings {
    pub(crate) fn all(&self) -> [(&'static str, Option<&Held>); 4] {
        let velocities = self.velocities.as_ref().map(|bound| &bound.held);
        [
            ("orientations", self.orientations.as_ref()),
            ("angular velocities", velocities),
            ("predicted velocities", self.predicted.as_ref()),
            ("flow gradients", self.flow_gradients.as_ref()),
        ]
    }

    /// Refuses the use of an ensemble of which an array has lost its memory: the states were there.
    #[inline]
    pub(crate) fn expect_in_place(&self, py: Python<'_>) -> PyResult<()> {
        for (name, held) in self.all() {
            if held.is_some_and(|held| !held.is_in_place(py)) {
                let message = format!(
                    "the array bound for the {name} has lost its memory, by `__setstate__` or `data`: the ensemble cannot be used \
                     any more"
                );
                return Err(refused(py, &message));
            }
        }
        Ok(())
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
    let strides = matrix_strides(array, count, name)?.map(|bytes| bytes / DOUBLE);
    // SAFETY: aligned at these places for as long as the array lives, which outlives the ensemble
    // (see the caller).
    let view = unsafe { View::matrices_from_raw(array.data(), count, strides, name) };
    view.map_err(|error| unfit(name, &format!("cannot be bound: {error}")))
}

fn doubles_of<'a, 'py>(
    object: &'a Bound<'py, PyAny>,
    name: &str,
) -> PyResult<&'a Bound<'py, Doubles>> {
    if mask_of(object)?.is_some() {
        let message = format!("`{name}` is masked: bind `array.data` ({IN_PLACE})");
        return Err(PyTypeError::new_err(message));
    }
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

/// The same for an array with a matrix for each body, which may be read-only: from body to body,
/// from row to row, and from column to column.
fn matrix_strides(array: &Bound<'_, Doubles>, count: usize, name: &str) -> PyResult<[isize; 3]> {
    let (n, strides) = match (array.shape(), array.strides()) {
        (&[n, 9], &[body, component]) => (n, [body, 3 * component, component]),
        (&[n, 3, 3], &[body, row, column]) => (n, [body, row, column]),
        (shape, _) => {
            let shape = as_tuple(shape);
            let problem = format!("must have the shape (n, 3, 3) or (n, 9), not {shape}");
            return Err(unfit(name, &problem));
        }
    };
    usable_strides(array, [n, count, 9], strides, name)
}

/// The strides of an array with `n` rows of `width` numbers, if it has one for each of `count`
/// bodies and is aligned. The first is the one from body to body.
fn usable_strides<const S: usize>(
    array: &Bound<'_, Doubles>,
    [n, count, width]: [usize; 3],
    mut strides: [isize; S],
    name: &str,
) -> PyResult<[isize; S]> {
    if n != count {
        let problem = format!("has {n} rows, but {count} are needed");
        return Err(unfit(name, &problem));
    }
    if n < 2 {
        strides[0] = width as isize * DOUBLE; // numpy leaves the stride between rows undefined
    }
    if n == 0 {
        strides[1..].fill(DOUBLE);
    }
    if !is_aligned(array) || strides.iter().any(|stride| stride % DOUBLE != 0) {
        let problem = "is not aligned: addresses and strides must be multiples of 8 bytes (take \
                       aligned structs)";
        return Err(unfit(name, problem));
    }
    Ok(strides)
}

fn unfit(name: &str, problem: &str) -> PyErr {
    PyValueError::new_err(format!("`{name}` {problem} ({IN_PLACE})"))
}
