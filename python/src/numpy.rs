//! numpy's arrays: what their headers say, and new ones. This uses the header of an array, the class and `PyArray_New` of numpy's C
//! interface, which numpy 2 has kept from numpy 1. The crate for all of that interface takes, with what it depends on, half as long to
//! compile as this extension.

#![allow(unsafe_code)] // numpy's C interface

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyCapsule;
use std::ffi::{c_int, c_long, c_void};
use std::ptr::{null, null_mut};
use std::slice::from_raw_parts;

/// `PyArrayObject_fields` of numpy/ndarraytypes.h.
#[repr(C)]
struct Header {
    object: ffi::PyObject,
    data: *mut c_void,
    nd: c_int,
    dimensions: *mut usize,
    strides: *mut isize,
    base: *mut ffi::PyObject,
    descr: *mut Descr,
    flags: c_int,
}

/// The start of `PyArray_Descr` of numpy/ndarraytypes.h.
#[repr(C)]
struct Descr {
    object: ffi::PyObject,
    class: *mut ffi::PyTypeObject,
    kind: u8,
    character: u8,
    byte_order: u8,
    former_flags: u8,
    number: c_int,
}

/// `NPY_ARRAY_C_CONTIGUOUS` and its like.
const C_CONTIGUOUS: c_int = 0x1;
const F_CONTIGUOUS: c_int = 0x2;
const ALIGNED: c_int = 0x100;
const WRITEABLE: c_int = 0x400;

/// Class, dimensions, their lengths, number of the element's type, strides, data, size of an element, flags, object: `PyArray_New`.
type New = unsafe extern "C" fn(
    *mut ffi::PyTypeObject,
    c_int,
    *const usize,
    c_int,
    *const isize,
    *mut c_void,
    c_int,
    c_int,
    *mut ffi::PyObject,
) -> *mut ffi::PyObject;

/// What is used of the table `PyArray_API` of numpy/__multiarray_api.h.
struct Api {
    class: *mut ffi::PyTypeObject,
    new: New,
}

// SAFETY: numpy never changes nor frees the table.
unsafe impl Send for Api {}
// SAFETY: as above.
unsafe impl Sync for Api {}

#[inline]
fn api(py: Python<'_>) -> PyResult<&Api> {
    static API: PyOnceLock<Api> = PyOnceLock::new();
    API.get_or_try_init(py, || {
        let module = py.import("numpy._core.multiarray").or_else(|_| py.import("numpy.core.multiarray"))?; // numpy 2, 1
        let capsule = module.getattr("_ARRAY_API")?.cast_into::<PyCapsule>()?;
        let table = capsule.pointer_checked(None)?.cast::<*mut c_void>();
        // SAFETY: the class and `PyArray_New` are at these places.
        Ok(unsafe {
            Api {
                class: table.add(2).read().cast(),
                new: std::mem::transmute::<*mut c_void, New>(table.add(93).read()),
            }
        })
    })
}

/// The element of an array, with its number in `NPY_TYPES`.
pub(crate) trait Element: Copy + Send + 'static {
    const NUMBER: c_int;
}

impl Element for f64 {
    const NUMBER: c_int = 12;
}

impl Element for i64 {
    const NUMBER: c_int = if size_of::<c_long>() == 8 { 7 } else { 9 };
}

impl Element for u64 {
    const NUMBER: c_int = i64::NUMBER + 1;
}

/// The header of an array at the moment: Python code, whenever it runs, may change it.
#[derive(Clone, Copy)]
pub(crate) struct Array<'a> {
    data: *mut c_void,
    pub(crate) shape: &'a [usize],
    /// In bytes.
    pub(crate) strides: &'a [isize],
    number: c_int,
    flags: c_int,
    /// Whether the memory is its own.
    pub(crate) is_owner: bool,
}

impl<'a> Array<'a> {
    /// The header of an object, if that is an array.
    #[inline]
    pub(crate) fn of(object: &'a Bound<'_, PyAny>) -> Option<Self> {
        let class = api(object.py()).ok()?.class;
        // SAFETY: attached to Python; an object of this class, or of one that is derived from it, begins with the header.
        unsafe {
            if ffi::PyObject_TypeCheck(object.as_ptr(), class) == 0 {
                return None;
            }
            let header = object.as_ptr().cast::<Header>();
            let (nd, descr) = ((*header).nd as usize, (*header).descr);
            let is_native = (*descr).byte_order == b'=';
            let (shape, strides): (&[usize], &[isize]) = match nd {
                0 => (&[], &[]), // the pointers are NULL
                _ => (from_raw_parts((*header).dimensions, nd), from_raw_parts((*header).strides, nd)),
            };
            Some(Array {
                data: (*header).data,
                shape,
                strides,
                number: if is_native { (*descr).number } else { -1 },
                flags: (*header).flags,
                is_owner: (*header).base.is_null(),
            })
        }
    }

    /// Where the first element is, if the elements are such, in the byte order of the machine.
    #[inline]
    pub(crate) fn elements<T: Element>(&self) -> Option<*mut T> {
        (self.number == T::NUMBER).then_some(self.data.cast())
    }

    #[inline]
    pub(crate) fn is_aligned(&self) -> bool {
        self.flags & ALIGNED != 0
    }

    #[inline]
    pub(crate) fn is_writeable(&self) -> bool {
        self.flags & WRITEABLE != 0
    }

    /// Whether the elements lie side by side in the order of C.
    #[inline]
    pub(crate) fn is_c_contiguous(&self) -> bool {
        self.flags & C_CONTIGUOUS != 0
    }

    /// Whether the elements lie side by side in the order of Fortran.
    #[inline]
    pub(crate) fn is_fortran_contiguous(&self) -> bool {
        self.flags & F_CONTIGUOUS != 0
    }
}

/// A new array at `data`, or in memory of its own if that is NULL.
#[inline]
fn created<'py, T: Element>(py: Python<'py>, shape: &[usize], data: *mut T) -> PyResult<Bound<'py, PyAny>> {
    let Api { class, new } = api(py)?;
    let flags = if data.is_null() { 0 } else { C_CONTIGUOUS | ALIGNED | WRITEABLE };
    let (strides, object) = (null(), null_mut());
    // SAFETY: arguments as numpy documents them; the size is that of the type.
    unsafe {
        let array =
            new(*class, shape.len() as c_int, shape.as_ptr(), T::NUMBER, strides, data.cast(), 0, flags, object);
        Bound::from_owned_ptr_or_err(py, array)
    }
}

/// A new array of one dimension with a copy of these numbers.
#[inline]
pub(crate) fn from_slice<'py, T: Element>(py: Python<'py>, numbers: &[T]) -> PyResult<Bound<'py, PyAny>> {
    let array = created::<T>(py, &[numbers.len()], null_mut())?;
    // SAFETY: the header and the memory of an array that nobody else has.
    unsafe {
        let data = (*array.as_ptr().cast::<Header>()).data.cast::<T>();
        data.copy_from_nonoverlapping(numbers.as_ptr(), numbers.len());
    }
    Ok(array)
}

/// The numbers as a new array, which then owns them.
pub(crate) fn from_vec<'py, T: Element>(
    py: Python<'py>, mut numbers: Vec<T>, shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    assert_eq!(numbers.len(), shape.iter().product::<usize>());
    let data = numbers.as_mut_ptr();
    let owner = PyCapsule::new_with_value(py, numbers, c"quatint.numbers")?;
    let array = created(py, shape, data)?;
    // SAFETY: the header of an array that nobody else has, and which has no base; it takes the reference.
    unsafe { (*array.as_ptr().cast::<Header>()).base = owner.into_ptr() };
    Ok(array)
}

/// A new array, from now on read-only: what a property returns is a copy, and what is written into a copy would be lost.
pub(crate) fn read_only(array: Bound<'_, PyAny>) -> Bound<'_, PyAny> {
    debug_assert!(Array::of(&array).is_some());
    // SAFETY: the header of a live array that nobody else has.
    unsafe { (*array.as_ptr().cast::<Header>()).flags &= !WRITEABLE };
    array
}

/// The numbers of an array of any shape, in the order of C.
pub(crate) fn to_vec<T: Element>(array: &Bound<'_, PyAny>) -> PyResult<Option<Vec<T>>> {
    let flat = array.call_method0("ravel")?;
    let Some(header) = Array::of(&flat).filter(|header| header.is_aligned() && header.is_c_contiguous()) else {
        return Ok(None);
    };
    let (elements, length) = (header.elements::<T>(), header.shape.iter().product());
    // SAFETY: so many elements of this type, side by side; attached to Python.
    Ok(elements.map(|elements| unsafe { from_raw_parts(elements, length) }.to_vec()))
}
