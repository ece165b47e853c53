//! The vocabulary the C functions are written in: what takes a pointer in, what gives a result out.
//!
//! Each word is told the argument's name, so that the message can say it. Inputs are copied, so arguments may alias;
//! outputs are checked first and written last, so a call that fails changes nothing.

use super::failure::{Fault, QI_OK, qi_status, remember};
use crate::memory::{View, ViewMut};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a C function's body; a failure or a panic becomes a status, and its detail is kept for `qi_last_error`.
#[inline(always)]
pub(super) fn boundary(function: &'static str, body: impl FnOnce() -> Result<(), Fault>) -> qi_status {
    match contained(function, body) {
        Ok(()) => QI_OK,
        Err(status) => status,
    }
}

/// Runs a constructor's body: NULL on failure, and the status where the caller wants it.
///
/// # Safety
/// `status` is NULL or valid for a write.
pub(super) unsafe fn construct<T>(
    function: &'static str,
    status: *mut qi_status,
    body: impl FnOnce() -> Result<*mut T, Fault>,
) -> *mut T {
    if !status.is_null() && !status.is_aligned() {
        boundary(function, || Err(Fault::Misaligned("status")));
        return std::ptr::null_mut();
    }
    let (object, outcome) = match contained(function, body) {
        Ok(object) => (object, QI_OK),
        Err(status) => (std::ptr::null_mut(), status),
    };
    if !status.is_null() {
        // SAFETY: not NULL and aligned, so valid by the caller's word.
        unsafe { status.write(outcome) };
    }
    object
}

#[inline(always)]
fn contained<T>(function: &'static str, body: impl FnOnce() -> Result<T, Fault>) -> Result<T, qi_status> {
    // What a panic could leave half done is behind `Handle`, whose objects commit a step in one piece.
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(fault)) => Err(failed(function, &fault)),
        Err(_) => Err(failed(function, &Fault::Panic)),
    }
}

#[cold]
fn failed(function: &'static str, fault: &Fault) -> qi_status {
    remember(function, fault);
    fault.status()
}

/// A pointer that is neither NULL nor misaligned.
#[inline(always)]
pub(super) fn usable<T>(pointer: *const T, name: &'static str) -> Result<(), Fault> {
    if pointer.is_null() {
        return Err(Fault::Null(name));
    }
    if !pointer.is_aligned() {
        return Err(Fault::Misaligned(name));
    }
    Ok(())
}

/// Copies `N` values in.
///
/// # Safety
/// A usable pointer is valid for `N` reads.
#[inline(always)]
pub(super) unsafe fn input<const N: usize>(pointer: *const f64, name: &'static str) -> Result<[f64; N], Fault> {
    usable(pointer, name)?;
    // SAFETY: usable, so valid for N reads by the caller's word.
    Ok(unsafe { pointer.cast::<[f64; N]>().read() })
}

/// Like [`input`], where NULL has a meaning.
///
/// # Safety
/// That of [`input`].
pub(super) unsafe fn optional<const N: usize>(
    pointer: *const f64,
    name: &'static str,
) -> Result<Option<[f64; N]>, Fault> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's.
    unsafe { input(pointer, name) }.map(Some)
}

/// A place for `N` results, written when nothing can fail any more.
pub(super) struct Output<const N: usize>(*mut [f64; N]);

/// Checks a place for `N` results.
///
/// # Safety
/// A usable pointer is valid for `N` writes until the [`Output`] is written.
#[inline(always)]
pub(super) unsafe fn output<const N: usize>(pointer: *mut f64, name: &'static str) -> Result<Output<N>, Fault> {
    usable(pointer, name)?;
    Ok(Output(pointer.cast()))
}

impl<const N: usize> Output<N> {
    /// Writes the results.
    #[inline(always)]
    pub(super) fn put(self, values: [f64; N]) {
        // SAFETY: valid for N writes, by the word given to `output`.
        unsafe { self.0.write(values) };
    }
}

/// An array with `K` numbers for each body, to read; stride 0: the same numbers for all.
///
/// # Safety
/// That of [`View::from_raw`], where the pointer is usable.
pub(super) unsafe fn view<'a, const K: usize>(
    data: *const f64,
    count: usize,
    body_stride: isize,
    component_stride: isize,
    name: &'static str,
) -> Result<View<'a, K>, Fault> {
    usable(data, name)?;
    // SAFETY: the caller's.
    Ok(unsafe { View::from_raw(data, count, body_stride, component_stride, name) }?)
}

/// An array with `K` numbers for each body, to read and write.
///
/// # Safety
/// That of [`ViewMut::from_raw`], where the pointer is usable.
pub(super) unsafe fn view_mut<'a, const K: usize>(
    data: *mut f64,
    count: usize,
    body_stride: isize,
    component_stride: isize,
    name: &'static str,
) -> Result<ViewMut<'a, K>, Fault> {
    usable(data, name)?;
    // SAFETY: the caller's.
    Ok(unsafe { ViewMut::from_raw(data, count, body_stride, component_stride, name) }?)
}

/// A place for one value of another type.
pub(super) struct Place<T>(*mut T);

/// Checks a place for one value.
///
/// # Safety
/// A usable pointer is valid for a write until the [`Place`] is written.
pub(super) unsafe fn place<T>(pointer: *mut T, name: &'static str) -> Result<Place<T>, Fault> {
    usable(pointer, name)?;
    Ok(Place(pointer))
}

impl<T> Place<T> {
    /// Writes the value.
    pub(super) fn put(self, value: T) {
        // SAFETY: valid for a write, by the word given to `place`.
        unsafe { self.0.write(value) };
    }
}

/// A place for a count that the caller may not want.
pub(super) struct OptionalOutput<T>(*mut T);

/// Checks a place for a count, where NULL means it is not wanted, and makes the count 0.
///
/// # Safety
/// A usable pointer is valid for writes until the [`OptionalOutput`] is gone.
pub(super) unsafe fn optional_output<T: Default>(
    pointer: *mut T,
    name: &'static str,
) -> Result<OptionalOutput<T>, Fault> {
    if !pointer.is_null() {
        usable(pointer, name)?;
    }
    let output = OptionalOutput(pointer);
    output.put(T::default());
    Ok(output)
}

impl<T> OptionalOutput<T> {
    pub(super) fn put(&self, value: T) {
        if !self.0.is_null() {
            // SAFETY: not NULL, so valid by the word given to `optional_output`.
            unsafe { self.0.write(value) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ffi::{QI_ERR_PANIC, qi_last_error};
    use std::ffi::CStr;

    #[test]
    fn a_panic_becomes_a_status_and_says_where() {
        std::panic::set_hook(Box::new(|_| {})); // keeps the test's output clean
        let status = boundary("qi_step", || panic!("on purpose"));
        assert_eq!(status, QI_ERR_PANIC);
        // SAFETY: a C string that holds until the next failure on this thread.
        let message = unsafe { CStr::from_ptr(qi_last_error()) };
        assert_eq!(message.to_str(), Ok("qi_step: a defect of the library: it panicked"));
    }

    #[test]
    fn a_message_that_is_too_long_is_cut_at_a_character() {
        boundary("é".repeat(300).leak(), || Err(crate::Error::Memory.into()));
        // SAFETY: as above.
        let message = unsafe { CStr::from_ptr(qi_last_error()) };
        assert_eq!(message.to_str().map(str::len), Ok(510));
    }
}
