//! The helpers that every C function uses: they check pointers, copy inputs, write outputs, and turn failures into statuses.
//!
//! Each takes the name of the argument, for the error message. Inputs are copied, so arguments may overlap. Outputs are checked
//! first and written last, so a failed call changes nothing.

use super::failure::{Fault, QI_OK, qi_status, remember};
use crate::memory::{View, ViewMut};
use crate::simd::clear_upper_halves;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// `arg!(input(torque))` is `input(torque, "torque")?`, and so with the other helpers.
macro_rules! arg {
    ($helper:ident($pointer:ident $(, $more:expr)*)) => { $helper($pointer $(, $more)*, stringify!($pointer))? };
}
pub(super) use arg;

/// Runs the body of a C function. A failure or a panic becomes a status; its detail is kept for `qi_last_error`.
#[inline(always)]
pub(super) fn boundary(function: &'static str, body: impl FnOnce() -> Result<(), Fault>) -> qi_status {
    match contained(function, body) {
        Ok(()) => QI_OK,
        Err(status) => status,
    }
}

/// Runs the body of a constructor: NULL on failure, and the status if the caller wants it.
pub(super) unsafe fn construct<T>(
    function: &'static str, status: *mut qi_status, body: impl FnOnce() -> Result<*mut T, Fault>,
) -> *mut T {
    if !status.is_null() && !status.is_aligned() {
        boundary(function, || Err(Fault::Misaligned("status")));
        return std::ptr::null_mut();
    }
    let (object, outcome) = match contained(function, body) {
        Ok(object) => (object, QI_OK),
        Err(status) => (std::ptr::null_mut(), status),
    };
    Output(status).put(outcome);
    object
}

#[inline(always)]
fn contained<T>(function: &'static str, body: impl FnOnce() -> Result<T, Fault>) -> Result<T, qi_status> {
    clear_upper_halves();
    // Unwind safe: a panic can only interrupt objects behind `Handle`, and these commit a step as a whole.
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

/// Checks that a pointer is neither NULL nor misaligned.
#[inline(always)]
pub(super) fn usable<T>(pointer: *const T, name: &'static str) -> Result<(), Fault> {
    if pointer.is_null() {
        return Err(Fault::Null(name));
    }
    if pointer.is_aligned() { Ok(()) } else { Err(Fault::Misaligned(name)) }
}

/// Copies `N` values in.
#[inline(always)]
pub(super) unsafe fn input<T: Copy, const N: usize>(pointer: *const T, name: &'static str) -> Result<[T; N], Fault> {
    usable(pointer, name)?;
    // SAFETY: usable, so valid for a read.
    Ok(unsafe { pointer.cast::<[T; N]>().read() })
}

/// As [`input`], but NULL is allowed.
pub(super) unsafe fn optional<T: Copy, const N: usize>(
    pointer: *const T, name: &'static str,
) -> Result<Option<[T; N]>, Fault> {
    if pointer.is_null() { Ok(None) } else { input(pointer, name).map(Some) }
}

/// An array of the caller. Empty: the pointer may be NULL.
pub(super) unsafe fn list<'a, T>(pointer: *const T, count: usize, name: &'static str) -> Result<&'a [T], Fault> {
    let pointer = place_of(pointer.cast_mut(), count, name)?;
    // SAFETY: usable or empty.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// An array of the caller to be written. Empty: the pointer may be NULL.
pub(super) unsafe fn list_mut<'a, T>(pointer: *mut T, count: usize, name: &'static str) -> Result<&'a mut [T], Fault> {
    let pointer = place_of(pointer, count, name)?;
    // SAFETY: usable or empty.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer, count) })
}

/// The pointer, or for an array of nothing one that is never used.
fn place_of<T>(pointer: *mut T, count: usize, name: &'static str) -> Result<*mut T, Fault> {
    if count == 0 {
        return Ok(std::ptr::NonNull::dangling().as_ptr());
    }
    usable(pointer, name)?;
    if count > isize::MAX as usize / size_of::<T>() {
        return Err(crate::Error::Invalid { name, must: "must be an array that can be addressed" }.into());
    }
    Ok(pointer)
}

/// The destination of a result, written when nothing can fail any more. NULL: nowhere.
pub(super) struct Output<T>(*mut T);

impl<T> Output<T> {
    #[inline(always)]
    pub(super) fn put(&self, result: T) {
        if !self.0.is_null() {
            // SAFETY: not NULL, so valid for a write.
            unsafe { self.0.write(result) };
        }
    }
}

/// Checks the destination of a `T`, which is some numbers `P`.
#[inline(always)]
pub(super) unsafe fn output<P, T>(pointer: *mut P, name: &'static str) -> Result<Output<T>, Fault> {
    const { assert!(size_of::<T>().is_multiple_of(size_of::<P>()) && align_of::<T>() == align_of::<P>()) };
    usable(pointer, name)?;
    Ok(Output(pointer.cast()))
}

/// As [`output`], but NULL is allowed: the caller does not want it.
pub(super) unsafe fn optional_output<T>(pointer: *mut T, name: &'static str) -> Result<Output<T>, Fault> {
    if pointer.is_null() { Ok(Output(pointer)) } else { output(pointer, name) }
}

/// Runs a call that writes what it computes to `place`, which has the size of a `T`.
#[inline(always)]
pub(super) unsafe fn compute<P, T>(
    function: &'static str, place: *mut P, name: &'static str, value: impl FnOnce() -> Result<T, Fault>,
) -> qi_status {
    boundary(function, || {
        let place = output(place, name)?;
        place.put(value()?);
        Ok(())
    })
}

/// A read-only array of `K` numbers per body; body stride 0: the same numbers for all bodies.
pub(super) unsafe fn view<'a, const K: usize>(
    data: *const f64, count: usize, body_stride: isize, component_stride: isize, name: &'static str,
) -> Result<View<'a, K>, Fault> {
    if count > 0 || !data.is_null() {
        usable(data, name)?;
    }
    Ok(View::from_raw(data, count, body_stride, component_stride, name)?)
}

/// As [`view`] of packed components, but NULL is allowed.
pub(super) unsafe fn optional_view<'a, const K: usize>(
    data: *const f64, count: usize, body_stride: isize, name: &'static str,
) -> Result<Option<View<'a, K>>, Fault> {
    if data.is_null() { Ok(None) } else { view(data, count, body_stride, 1, name).map(Some) }
}

/// A writable array of `K` numbers per body.
pub(super) unsafe fn view_mut<'a, const K: usize>(
    data: *mut f64, count: usize, body_stride: isize, component_stride: isize, name: &'static str,
) -> Result<ViewMut<'a, K>, Fault> {
    if count > 0 || !data.is_null() {
        usable(data, name)?;
    }
    Ok(ViewMut::from_raw(data, count, body_stride, component_stride, name)?)
}

#[cfg(test)]
#[path = "../../tests/unit/boundary.rs"]
mod tests;
