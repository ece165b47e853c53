//! The vocabulary the C functions are written in: what takes a pointer in, what gives a result out.
//!
//! Each word is told the argument's name, so that the message can say it. Inputs are copied, so arguments may alias;
//! outputs are checked first and written last, so a call that fails changes nothing.

use super::status::{QI_ERR_PANIC, QI_OK, qi_status, remember};
use crate::{Error, Interrupted};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Why a call did not do what it was asked to.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    #[error("`{0}` is NULL")]
    Null(&'static str),
    #[error("`{0}` is not aligned for what it points to")]
    Misaligned(&'static str),
    #[error("`{0}` is in use: its own torque callback, or another thread, calls it during a call that changes it")]
    Busy(&'static str),
    #[error("memory is exhausted")]
    Memory,
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    #[error(transparent)]
    Refused(#[from] Error),
}

/// Runs a C function's body; a failure or a panic becomes a status, and its detail is kept for `qi_last_error`.
#[inline(always)]
pub(super) fn boundary(function: &'static str, body: impl FnOnce() -> Result<(), Failure>) -> qi_status {
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
    body: impl FnOnce() -> Result<*mut T, Failure>,
) -> *mut T {
    if !status.is_null() && !status.is_aligned() {
        boundary(function, || Err(Failure::Misaligned("status")));
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
fn contained<T>(function: &'static str, body: impl FnOnce() -> Result<T, Failure>) -> Result<T, qi_status> {
    // What a panic could leave half done is behind `Handle`, whose objects commit a step in one piece.
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(failure)) => Err(failed(function, &failure)),
        Err(_) => {
            remember(function, &"a defect of the library: it panicked");
            Err(QI_ERR_PANIC)
        }
    }
}

#[cold]
fn failed(function: &'static str, failure: &Failure) -> qi_status {
    remember(function, failure);
    failure.status()
}

/// A pointer that is neither NULL nor misaligned.
#[inline(always)]
pub(super) fn usable<T>(pointer: *const T, name: &'static str) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(Failure::Null(name));
    }
    if !pointer.is_aligned() {
        return Err(Failure::Misaligned(name));
    }
    Ok(())
}

/// Copies `N` values in.
///
/// # Safety
/// A usable pointer is valid for `N` reads.
#[inline(always)]
pub(super) unsafe fn input<const N: usize>(pointer: *const f64, name: &'static str) -> Result<[f64; N], Failure> {
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
) -> Result<Option<[f64; N]>, Failure> {
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
pub(super) unsafe fn output<const N: usize>(pointer: *mut f64, name: &'static str) -> Result<Output<N>, Failure> {
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

/// A place for a count that the caller may not want.
pub(super) struct OptionalOutput<T>(*mut T);

/// Checks a place for a count, where NULL means it is not wanted, and makes the count 0.
///
/// # Safety
/// A usable pointer is valid for writes until the [`OptionalOutput`] is gone.
pub(super) unsafe fn optional_output<T: Default>(
    pointer: *mut T,
    name: &'static str,
) -> Result<OptionalOutput<T>, Failure> {
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
    use crate::ffi::qi_last_error;
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
        boundary("é".repeat(300).leak(), || Err(Failure::Memory));
        // SAFETY: as above.
        let message = unsafe { CStr::from_ptr(qi_last_error()) };
        assert_eq!(message.to_str().map(str::len), Ok(510));
    }
}
