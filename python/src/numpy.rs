//! numpy's arrays: what their headers say, and new ones. This uses the header of an array and three
//! places of numpy's C interface, which numpy 2 has kept from numpy 1. The crate for all of that
//! interface takes, with what it depends on, half as long to compile as this extension.

#![allow(unsafe_code)] // numpy's C interface

use crate::errors::raised;
use pyo3::exceptions::{PyImportError, PyModuleNotFoundError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyCapsule;
use std::ffi::{c_int, c_long, c_uint, c_void};
use std::mem::transmute;
use std::ops::{Deref, DerefMut};
use std::ptr::{null, null_mut};
use std::slice::{from_raw_parts, from_raw_parts_mut};

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

/// The order of bytes of this machine.
const NATIVE: u8 = if cfg!(target_endian = "little") {
    b'<'
} else {
    b'>'
};

/// `NPY_ARRAY_C_CONTIGUOUS` and its like.
const C_CONTIGUOUS: c_int = 0x1;
const F_CONTIGUOUS: c_int = 0x2;
const ALIGNED: c_int = 0x100;
const WRITEABLE: c_int = 0x400;

/// `PyArray_GetNDArrayCVersion`.
type Version = unsafe extern "C" fn() -> c_uint;

/// `PyArray_New`: class, number of dimensions, their lengths, number of the element's type,
/// strides, data, size of an element, flags, object.
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

// SAFETY: the class and the function live as long as the process, and are used by threads that are
// attached to Python.
unsafe impl Send for Api {}
// SAFETY: as above.
unsafe impl Sync for Api {}

#[inline]
fn api(py: Python<'_>) -> PyResult<&Api> {
    static API: PyOnceLock<Api> = PyOnceLock::new();
    API.get_or_try_init(py, || {
        let module = py.import("numpy._core.multiarray").or_else(|error| {
            let is_older = error.is_instance_of::<PyModuleNotFoundError>(py); // numpy 1
            if is_older {
                py.import("numpy.core.multiarray")
            } else {
                Err(error)
            }
        })?;
        let capsule = module.getattr("_ARRAY_API")?.cast_into::<PyCapsule>()?;
        let table = capsule.pointer_checked(None)?.cast::<*mut c_void>();
        // SAFETY: these are at these places in every version.
        let (version, class, new) = unsafe {
            let version = transmute::<*mut c_void, Version>(table.read())();
            (
                version,
                table.add(2).read(),
                transmute::<*mut c_void, New>(table.add(93).read()),
            )
        };
        if !matches!(version >> 24, 1 | 2) {
            let message = format!(
                "quatint knows numpy 1 and 2; this one has the binary interface {version:#x}"
            );
            return Err(PyImportError::new_err(message));
        }
        Ok(Api {
            class: class.cast(),
            new,
        })
    })
}

/// Loads numpy, and fails if that is not there or not known. All other functions here need it.
pub(crate) fn load(py: Python<'_>) -> PyResult<()> {
    api(py).map(|_| ())
}

/// The element of an array, with its number in `NPY_TYPES`.
pub(crate) trait Element: Copy {
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
    /// Whether it is no view of another object.
    pub(crate) has_no_base: bool,
}

impl<'a> Array<'a> {
    /// The header of an object, if that is an array.
    #[inline]
    pub(crate) fn of(object: &'a Bound<'_, PyAny>) -> Option<Self> {
        let class = api(object.py()).ok()?.class;
        // SAFETY: attached to Python; an object of this class, or of one that is derived from it,
        // begins with the header.
        unsafe {
            if ffi::PyObject_TypeCheck(object.as_ptr(), class) == 0 {
                return None;
            }
            let header = object.as_ptr().cast::<Header>();
            let (nd, descr) = ((*header).nd as usize, (*header).descr);
            let is_native = [b'=', NATIVE].contains(&(*descr).byte_order);
            let (shape, strides): (&[usize], &[isize]) = match nd {
                0 => (&[], &[]), // the pointers may be NULL
                _ => (
                    from_raw_parts((*header).dimensions, nd),
                    from_raw_parts((*header).strides, nd),
                ),
            };
            Some(Array {
                data: (*header).data,
                shape,
                strides,
                number: if is_native { (*descr).number } else { -1 },
                flags: (*header).flags,
                has_no_base: (*header).base.is_null(),
            })
        }
    }

    /// The number of elements.
    fn count(&self) -> usize {
        self.shape.iter().product()
    }

    /// Where the first element is, if the elements are such, in the byte order of the machine.
    #[inline]
    pub(crate) fn elements<T: Element>(&self) -> Option<*mut T> {
        (self.number == T::NUMBER).then_some(self.data.cast())
    }

    /// Whether elements of 8 bytes are where Rust may read them. numpy calls any array without
    /// elements aligned.
    #[inline]
    pub(crate) fn is_aligned(&self) -> bool {
        self.flags & ALIGNED != 0 && self.data.cast::<f64>().is_aligned()
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

/// A new array in the order of C, which nobody else has yet: a slice of its numbers.
pub(crate) struct NewArray<'py, T> {
    array: Bound<'py, PyAny>,
    data: *mut T,
    length: usize,
}

impl<'py> NewArray<'py, f64> {
    /// Zeros.
    pub(crate) fn zeros(py: Python<'py>, shape: &[usize]) -> PyResult<Self> {
        // SAFETY: so many numbers, for which 0 bits are 0.
        let array = Self::new(py, shape, |data| unsafe {
            data.write_bytes(0, shape.iter().product())
        });
        array.map_err(|_| raised(py, quatint::Error::Memory))
    }
}

impl<'py, T: Element> NewArray<'py, T> {
    /// `write` gets the memory.
    #[inline]
    fn new(py: Python<'py>, shape: &[usize], write: impl FnOnce(*mut T)) -> PyResult<Self> {
        let Api { class, new } = api(py)?;
        // SAFETY: arguments as numpy documents them. With no data, numpy allocates; with no size of
        // an element, it is that of the type.
        let array = unsafe {
            let array = new(
                *class,
                shape.len() as c_int,
                shape.as_ptr(),
                T::NUMBER,
                null(),
                null_mut(),
                0,
                0,
                null_mut(),
            );
            Bound::from_owned_ptr_or_err(py, array)?
        };
        // SAFETY: the header of an array.
        let data = unsafe { (*array.as_ptr().cast::<Header>()).data.cast::<T>() };
        write(data);
        Ok(NewArray {
            array,
            data,
            length: shape.iter().product(),
        })
    }

    /// A copy of these numbers, as many as the shape has.
    #[inline]
    pub(crate) fn of(py: Python<'py>, numbers: &[T], shape: &[usize]) -> PyResult<Self> {
        assert_eq!(numbers.len(), shape.iter().product::<usize>());
        // SAFETY: so many numbers, in memory that nobody else has.
        Self::new(py, shape, |data| unsafe {
            data.copy_from_nonoverlapping(numbers.as_ptr(), numbers.len())
        })
    }

    /// The array, for Python.
    pub(crate) fn writeable(self) -> Bound<'py, PyAny> {
        self.array
    }

    /// The array, for Python: what a property returns is a copy, and what is written into a copy
    /// would be lost.
    #[inline]
    pub(crate) fn read_only(self) -> Bound<'py, PyAny> {
        // SAFETY: the header of an array that nobody else has.
        unsafe { (*self.array.as_ptr().cast::<Header>()).flags &= !WRITEABLE };
        self.array
    }
}

impl<T> Deref for NewArray<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: so many numbers, which have been written; the array lives.
        unsafe { from_raw_parts(self.data, self.length) }
    }
}

impl<T> DerefMut for NewArray<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above; nobody else has the array.
        unsafe { from_raw_parts_mut(self.data, self.length) }
    }
}

/// The numbers of an array of any shape, in the order of C; `None` if they are of another type, or
/// if a class of a user does not give all.
pub(crate) fn to_vec<T: Element>(array: &Bound<'_, PyAny>) -> PyResult<Option<Vec<T>>> {
    let flat = array.call_method0("ravel")?;
    let (Some(given), Some(flat)) = (Array::of(array), Array::of(&flat)) else {
        return Ok(None);
    };
    let count = given.count();
    let is_whole = flat.is_c_contiguous() && flat.is_aligned() && flat.count() == count;
    // SAFETY: so many elements of this type, side by side; attached to Python.
    Ok(flat
        .elements::<T>()
        .filter(|_| is_whole)
        .map(|data| unsafe { from_raw_parts(data, count) }.to_vec()))
}
