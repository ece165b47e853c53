//! Arrays that Python functions are called with again and again.

#![allow(unsafe_code)] // the memory of arrays becomes slices

use crate::arrays::{
    DOUBLE, Doubles, as_tuple, dtype_of, float_array, has_no_base, is_aligned, is_writeable,
};
use crate::bound_arrays::Held;
use crate::errors::Outcome;
use crate::new_arrays::NewArray;
use crate::returned::returned;
use numpy::npyffi::PyArray_Descr;
use numpy::{PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use quatint::{Layout, View};
use std::slice::{from_raw_parts, from_raw_parts_mut};

/// Never on a free-threaded interpreter, where another thread may change the count at any time.
#[inline]
fn has_references(object: &Bound<'_, PyAny>, count: isize) -> bool {
    if cfg!(Py_GIL_DISABLED) {
        return false;
    }
    // SAFETY: a live object; attached to Python, so that its count does not change meanwhile.
    unsafe { pyo3::ffi::Py_REFCNT(object.as_ptr()) == count }
}

/// Whether nobody else has the object.
#[inline]
fn is_alone(object: &Bound<'_, PyAny>) -> bool {
    has_references(object, 1)
}

/// A short array that is passed to a Python function again and again, as long as nobody else holds
/// it.
#[derive(Default)]
pub(crate) struct Reused<const K: usize>(Option<Kept>);

/// An array, and what its header was when it was made.
struct Kept {
    array: Py<Doubles>,
    data: *mut f64,
    dtype: *mut PyArray_Descr,
}

// SAFETY: the pointers are used by threads that are attached to Python only.
unsafe impl Send for Kept {}

impl Kept {
    fn new(array: &Bound<'_, Doubles>) -> Self {
        Kept {
            array: array.clone().unbind(),
            data: array.data(),
            dtype: dtype_of(array),
        }
    }

    /// Whether the function has left the array as it was made, with `length` numbers.
    #[inline]
    fn is_unchanged(&self, array: &Bound<'_, Doubles>, length: usize) -> bool {
        array.data() == self.data
            && array.shape() == [length]
            && array.strides() == [DOUBLE]
            && dtype_of(array) == self.dtype
            && is_writeable(array)
    }
}

impl<const K: usize> Reused<K> {
    /// An array with these numbers. Whoever keeps it, keeps the numbers: the next call then makes
    /// another array.
    #[inline]
    pub(crate) fn with<'py>(
        &mut self,
        py: Python<'py>,
        numbers: [f64; K],
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some(kept) = &self.0
            && let array = kept.array.bind(py)
            && is_alone(array)
            && kept.is_unchanged(array, K)
        {
            // SAFETY: attached to Python, so that nobody else changes the count or the header
            // meanwhile. With one reference, ours, no other code can read the numbers. The header
            // shows that the array still has its memory and its shape.
            unsafe { kept.data.cast::<[f64; K]>().write(numbers) };
            return Ok(array.clone().into_any());
        }
        let array = NewArray::of(py, &numbers, &[K])?.into_inner();
        self.0 = Some(Kept::new(&array));
        Ok(array.into_any())
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

/// The distances in an array of a stage, in numbers.
#[derive(Clone, Copy)]
pub(crate) struct Strides {
    pub(crate) body: usize,
    pub(crate) component: usize,
}

impl StageArrays {
    pub(crate) fn new(py: Python<'_>, count: usize, layout: Layout) -> PyResult<Self> {
        let mut orientation = NewArray::zeros(py, &[count * 4])?;
        let mut angular_velocity = NewArray::zeros(py, &[count * 3])?;
        let mut torque = NewArray::zeros(py, &[count * 3])?;
        let data = [
            orientation.as_mut_ptr(),
            angular_velocity.as_mut_ptr(),
            torque.as_mut_ptr(),
        ];
        Ok(StageArrays {
            count,
            layout,
            orientation: shaped(&orientation.writeable(), count, 4, layout)?,
            angular_velocity: shaped(&angular_velocity.writeable(), count, 3, layout)?,
            _torque: torque.writeable().unbind(),
            data,
        })
    }

    pub(crate) fn is_for(&self, count: usize, layout: Layout) -> bool {
        self.count == count && self.layout == layout
    }

    /// In the arrays with `width` numbers per body.
    pub(crate) fn strides(&self, width: usize) -> Strides {
        match self.layout {
            Layout::Aos => Strides {
                body: width,
                component: 1,
            },
            Layout::Soa => Strides {
                body: 1,
                component: self.count,
            },
        }
    }

    /// Whether the torque function has kept neither the arrays that it saw nor a part of them. Else
    /// another thread might read what is being written, unless it waits for the lock of the
    /// interpreter.
    pub(crate) fn are_ours_alone(&self, py: Python<'_>) -> bool {
        is_ours_alone(py, &self.orientation) && is_ours_alone(py, &self.angular_velocity)
    }

    /// Refuses to go on where the function has taken the memory of the arrays away.
    fn expect_in_place(&self, py: Python<'_>) -> PyResult<()> {
        if self.orientation.is_in_place(py) && self.angular_velocity.is_in_place(py) {
            return Ok(());
        }
        Err(PyValueError::new_err(
            "the torque function has taken away the memory of the arrays that it was called with",
        ))
    }

    pub(crate) fn slices(&mut self) -> StageSlices<'_> {
        let [orientation, angular_velocity, torque] = self.data;
        let n = self.count;
        // SAFETY: so many numbers a body, each array in memory of its own. While they are written,
        // nobody else reads them: either this thread has the lock of the interpreter, or
        // `are_ours_alone`.
        unsafe {
            StageSlices {
                orientation: from_raw_parts_mut(orientation, 4 * n),
                angular_velocity: from_raw_parts_mut(angular_velocity, 3 * n),
                torque: from_raw_parts_mut(torque, 3 * n),
            }
        }
    }

    /// Copies the torques that a function returned: an array that broadcasts to `(n, 3)`.
    pub(crate) fn take(&mut self, py: Python<'_>, given: &Bound<'_, PyAny>) -> PyResult<()> {
        self.expect_in_place(py)?;
        let given = returned(given, "a torque", "an array that broadcasts to (n, 3)")?;
        let array = float_array(py, given, "torque")?;
        let n = self.count;
        let Some([body, component]) = broadcast_strides(&array, n) else {
            let shape = as_tuple(array.shape());
            return Err(PyValueError::new_err(format!(
                "the torques must broadcast to the shape ({n}, 3), but have the shape {shape}"
            )));
        };
        if n == 0 {
            return Ok(());
        }
        let to = self.strides(3);
        let taken = self.slices().torque;
        if body == to.body as isize && component == to.component as isize {
            // SAFETY: aligned and contiguous, in the order of the layout; `array` lives.
            taken.copy_from_slice(unsafe { from_raw_parts(array.data(), 3 * n) });
            return Ok(());
        }
        // SAFETY: the strides stay within the array, which is aligned and lives.
        let torques =
            unsafe { View::<3>::from_raw(array.data(), n, body, component, "torque") }.raise(py)?;
        for i in 0..n {
            for (c, number) in torques.get(i).into_iter().enumerate() {
                taken[i * to.body + c * to.component] = number;
            }
        }
        Ok(())
    }

    /// The torques that a function returned, where they lie, if they are in the order of the layout
    /// and nobody else can reach them.
    pub(crate) fn in_place<'a>(&self, given: &'a Bound<'_, PyAny>) -> Option<&'a [f64]> {
        self.expect_in_place(given.py()).ok()?; // `take` says why
        let array = given.cast_exact::<Doubles>().ok()?;
        let is_ordered = match self.layout {
            Layout::Aos => array.is_c_contiguous(),
            Layout::Soa => array.is_fortran_contiguous(),
        };
        let is_ours = is_alone(given) && has_no_base(array);
        if !is_ordered || !is_ours || !is_aligned(array) || array.shape() != [self.count, 3] {
            return None;
        }
        // SAFETY: contiguous and aligned; it owns its memory, and we hold the only reference.
        Some(unsafe { from_raw_parts(array.data(), 3 * self.count) })
    }
}

/// A read-only view of an array, with `width` numbers per body.
fn shaped(owner: &Bound<'_, PyAny>, count: usize, width: usize, layout: Layout) -> PyResult<Held> {
    let view = match layout {
        Layout::Aos => owner.call_method1("reshape", (count, width))?,
        Layout::Soa => {
            let columns = owner.call_method1("reshape", (width, count))?;
            columns.getattr("T")?
        }
    };
    view.call_method1("setflags", (false,))?;
    Held::new(&view)
}

fn is_ours_alone(py: Python<'_>, held: &Held) -> bool {
    let array = held.array.bind(py);
    let Ok(base) = array.getattr("base") else {
        return false;
    };
    // the memory belongs to the base of the array; `held` has a second reference to it, and `base`
    // here is the third
    has_references(&base, 3) && has_references(array, 1)
}

/// The strides, in numbers, by which an array is one of the shape `(n, 3)`; `None` if it does not
/// broadcast to that.
fn broadcast_strides(array: &Bound<'_, Doubles>, n: usize) -> Option<[isize; 2]> {
    match array.shape().len() {
        0 => Some([0, 0]),
        1 => Some([0, broadcast_stride(array, 0, 3)?]),
        2 => Some([
            broadcast_stride(array, 0, n)?,
            broadcast_stride(array, 1, 3)?,
        ]),
        _ => None,
    }
}

fn broadcast_stride(array: &Bound<'_, Doubles>, axis: usize, wanted: usize) -> Option<isize> {
    let length = array.shape()[axis];
    if length == 1 {
        return Some(0);
    }
    if length == wanted {
        return Some(array.strides()[axis] / DOUBLE);
    }
    None
}
