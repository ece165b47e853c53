//! New arrays of numpy, for results.

#![allow(unsafe_code)] // memory that numpy has allocated becomes a slice

use crate::errors::{Outcome, raised};
use numpy::npyffi::{NPY_ARRAY_WRITEABLE, PY_ARRAY_API};
use numpy::{
    Element, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use quatint::{Error, Failure, ViewMut};
use std::ffi::c_int;
use std::ops::{Deref, DerefMut};

/// A new array in the order of C, which nobody else has yet. It is also a slice of its numbers.
pub(crate) struct NewArray<'py, T>(Bound<'py, PyArrayDyn<T>>);

impl<'py> NewArray<'py, f64> {
    #[inline]
    pub(crate) fn zeros(py: Python<'py>, shape: &[usize]) -> PyResult<Self> {
        let array = allocated::<f64>(py, shape)?;
        // SAFETY: memory for so many numbers, of which 0 bits are 0.
        unsafe { array.data().write_bytes(0, array.len()) };
        Ok(NewArray(array))
    }
}

impl<'py, T: Element + Copy> NewArray<'py, T> {
    /// A copy of these numbers, as many as the shape has.
    #[inline]
    pub(crate) fn of(py: Python<'py>, numbers: &[T], shape: &[usize]) -> PyResult<Self> {
        let array = allocated::<T>(py, shape)?;
        assert_eq!(numbers.len(), array.len());
        // SAFETY: memory for so many numbers, which nobody else has.
        unsafe {
            array
                .data()
                .copy_from_nonoverlapping(numbers.as_ptr(), numbers.len())
        };
        Ok(NewArray(array))
    }
}

/// An array whose numbers are still to be written. Where numpy has no memory for them, the error is
/// an `OutOfMemoryError`: the crate's own function panics.
#[inline]
fn allocated<'py, T: Element>(
    py: Python<'py>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let dimensions = shape.as_ptr().cast_mut().cast(); // numpy only reads them
    let dtype = T::get_dtype(py).into_dtype_ptr(); // numpy takes this reference over
    // SAFETY: the arguments are those that numpy documents. The result is NULL or a new array with
    // elements of this type.
    let array = unsafe {
        let array = PY_ARRAY_API.PyArray_Empty(py, shape.len() as c_int, dimensions, dtype, 0);
        Bound::from_owned_ptr_or_err(py, array).map(|array| array.cast_into_unchecked())
    };
    array.map_err(|_| raised(py, Error::Memory))
}

impl<'py, T> NewArray<'py, T> {
    /// The array itself.
    #[inline]
    pub(crate) fn into_inner(self) -> Bound<'py, PyArrayDyn<T>> {
        self.0
    }

    /// The array, for Python.
    pub(crate) fn writeable(self) -> Bound<'py, PyAny> {
        self.0.into_any()
    }

    /// The array, for Python. What a property returns is a copy, and numbers that a program writes
    /// into a copy would be lost: so they cannot be written.
    #[inline]
    pub(crate) fn read_only(self) -> Bound<'py, PyAny> {
        // SAFETY: nobody else has the array, so nobody reads its flags at the same time.
        unsafe { (*self.0.as_array_ptr()).fields.flags &= !NPY_ARRAY_WRITEABLE };
        self.0.into_any()
    }

    /// Where the numbers are, and how many there are.
    #[inline]
    fn parts(&self) -> (*mut T, usize) {
        let untyped: &Bound<'py, PyUntypedArray> = self.0.as_untyped();
        (self.0.data(), untyped.len())
    }
}

impl<T> Deref for NewArray<'_, T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        let (data, count) = self.parts();
        // SAFETY: the numbers lie side by side and have been written, and the array lives.
        unsafe { std::slice::from_raw_parts(data, count) }
    }
}

impl<T> DerefMut for NewArray<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        let (data, count) = self.parts();
        // SAFETY: as in `deref`; nobody else has the array.
        unsafe { std::slice::from_raw_parts_mut(data, count) }
    }
}

/// A new array of this shape, with `K` numbers for each body, written by `fill`.
pub(crate) fn filled<'py, const K: usize>(
    py: Python<'py>,
    shape: &[usize],
    fill: &mut dyn FnMut(&mut ViewMut<K>) -> PyResult<()>,
) -> PyResult<NewArray<'py, f64>> {
    let mut numbers = NewArray::zeros(py, shape)?;
    let mut view = ViewMut::rows(&mut numbers).raise(py)?;
    fill(&mut view)?;
    Ok(numbers)
}

/// Gets the number of a row, and writes it.
pub(crate) type RowFunction<'a> = dyn FnMut(usize, &mut [f64]) -> Result<(), Error> + 'a;

/// What `f` writes for each row: an array `(n, width)`, or `(n,)` if a row is one number. Without a
/// count it is the single row, or the single number.
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
        if let Err(cause) = f(i, row) {
            let failure = Failure {
                cause,
                body: count.map(|_| i),
                completed: 0,
            };
            return Err(raised(py, failure));
        }
    }
    let array = numbers.writeable();
    if count.is_none() && width == 1 {
        return array.get_item(0);
    }
    Ok(array)
}
