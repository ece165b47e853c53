//! The helpers that every C function uses: they check pointers, copy inputs, write outputs, and
//! turn failures into statuses.
//!
//! Each takes the name of the argument, for the error message. Inputs are copied, so arguments may
//! overlap. Outputs are checked first and written last, so a failed call changes nothing.

use super::failure::{Fault, QI_ERR_MISALIGNED, QI_ERR_NULL, QI_OK, qi_status, remember};
use crate::error::{check, finite};
use crate::memory::{Output, View, ViewMut};
use crate::{Ensemble, simd::clear_upper_halves};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// `arg!(input(torque))` is `input(torque, "torque")?`, and so with the other helpers.
macro_rules! arg {
    ($helper:ident($pointer:ident $(, $more:expr)*)) => { $helper($pointer $(, $more)*, stringify!($pointer))? };
}
pub(super) use arg;

/// As `arg!`, but NULL is allowed: `None`.
macro_rules! optional {
    ($helper:ident($pointer:ident $(, $more:expr)*)) => {
        if $pointer.is_null() { None } else { Some(arg!($helper($pointer $(, $more)*))) }
    };
}
pub(super) use optional;

/// `out!(time)` is `(time, "time")`: the place of a result.
macro_rules! out {
    ($pointer:ident) => {
        ($pointer, stringify!($pointer))
    };
}
pub(super) use out;

/// Runs the body of a C function. A failure or a panic becomes a status; its detail is kept for
/// `qi_last_error`, with the name of the function.
pub(super) fn boundary(
    function: &'static str,
    body: impl FnOnce() -> Result<(), Fault>,
) -> qi_status {
    contained(function, body).err().unwrap_or(QI_OK)
}

/// Runs the body of a constructor: NULL on failure, and the status if the caller wants it.
pub(super) unsafe fn construct<T>(
    function: &'static str,
    status: *mut qi_status,
    body: impl FnOnce() -> Result<*mut T, Fault>,
) -> *mut T {
    let Ok(put_status) = contained(function, || optional_output(status, "status")) else {
        return std::ptr::null_mut();
    };
    let made = contained(function, body);
    put_status(made.err().unwrap_or(QI_OK));
    made.unwrap_or(std::ptr::null_mut())
}

#[inline(always)]
pub(super) fn contained<T>(
    function: &'static str,
    body: impl FnOnce() -> Result<T, Fault>,
) -> Result<T, qi_status> {
    clear_upper_halves::<false>();
    // Unwind safe: a panic can only interrupt objects behind `Handle`, and these commit a step as a
    // whole. (Faults by reference: a copy of what has just been written waits for the stores, in
    // each call that succeeds.)
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(fault)) => Err(remember(function, &fault)),
        Err(_) => Err(remember(function, &Fault::Panic)),
    }
}

/// Checks that a pointer is neither NULL nor misaligned.
#[inline(always)]
pub(super) fn usable<T>(pointer: *const T, name: &'static str) -> Result<(), Fault> {
    if pointer.is_null() {
        return Err(Fault::Pointer(name, &(QI_ERR_NULL, "is NULL")));
    }
    let misaligned = &(QI_ERR_MISALIGNED, "is not aligned to its type");
    if pointer.is_aligned() {
        Ok(())
    } else {
        Err(Fault::Pointer(name, misaligned))
    }
}

/// As [`usable`], but the array of no bodies may be NULL.
pub(super) fn usable_for<T>(
    count: usize,
    pointer: *const T,
    name: &'static str,
) -> Result<(), Fault> {
    if count == 0 && pointer.is_null() {
        Ok(())
    } else {
        usable(pointer, name)
    }
}

/// Copies `N` values in.
#[inline(always)]
pub(super) unsafe fn input<T: Copy, const N: usize>(
    pointer: *const T,
    name: &'static str,
) -> Result<[T; N], Fault> {
    usable(pointer, name)?;
    // SAFETY: usable, so valid for a read.
    Ok(unsafe { pointer.cast::<[T; N]>().read() })
}

/// As [`input`] of finite numbers.
#[inline(always)]
pub(super) unsafe fn numbers<const N: usize>(
    pointer: *const f64,
    name: &'static str,
) -> Result<[f64; N], Fault> {
    Ok(finite(name, input(pointer, name)?)?)
}

/// An array of the caller. Empty: the pointer may be NULL.
pub(super) unsafe fn list<'a, T>(
    pointer: *const T,
    count: usize,
    name: &'static str,
) -> Result<&'a [T], Fault> {
    let pointer = place_of(pointer.cast_mut(), count, name)?;
    // SAFETY: usable or empty.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// An array of the caller for results. Empty: the pointer may be NULL.
pub(super) unsafe fn results<'a>(
    pointer: *mut f64,
    count: usize,
    name: &'static str,
) -> Result<Output<'a>, Fault> {
    let pointer = place_of(pointer, count, name)?;
    // SAFETY: usable or empty.
    Ok(unsafe { Output::from_raw(pointer, count) })
}

/// The pointer, or for an array of nothing one that is never used.
fn place_of<T>(pointer: *mut T, count: usize, name: &'static str) -> Result<*mut T, Fault> {
    if count == 0 {
        return Ok(std::ptr::NonNull::dangling().as_ptr());
    }
    usable(pointer, name)?;
    check(
        count <= isize::MAX as usize / size_of::<T>(),
        name,
        "must be an array that can be addressed",
    )?;
    Ok(pointer)
}

/// Checks the place of a `T`, which is some numbers `P`. Gives what writes a result there, when
/// nothing can fail any more.
#[inline(always)]
pub(super) unsafe fn output<P, T>(
    pointer: *mut P,
    name: &'static str,
) -> Result<impl Fn(T), Fault> {
    const {
        assert!(size_of::<T>().is_multiple_of(size_of::<P>()) && align_of::<T>() == align_of::<P>())
    };
    usable(pointer, name)?;
    // SAFETY: usable, so valid for a write.
    Ok(move |result| unsafe { pointer.cast::<T>().write(result) })
}

/// As [`output`], but NULL is allowed: the caller does not want it.
pub(super) unsafe fn optional_output<T>(
    pointer: *mut T,
    name: &'static str,
) -> Result<impl Fn(T), Fault> {
    let put = if pointer.is_null() {
        None
    } else {
        Some(output(pointer, name)?)
    };
    Ok(move |result| put.as_ref().map_or((), |put| put(result)))
}

/// Runs a call that writes what it computes to `place`, which has the size of a `T`.
pub(super) unsafe fn compute<P, T>(
    function: &'static str,
    (place, name): (*mut P, &'static str),
    value: impl FnOnce() -> Result<T, Fault>,
) -> qi_status {
    boundary(function, || {
        let put = output(place, name)?;
        put(value()?);
        Ok(())
    })
}

/// A read-only array of `K` numbers per body; body stride 0: the same numbers for all bodies.
pub(super) unsafe fn view<'a, const K: usize>(
    data: *const f64,
    e: &Ensemble,
    body_stride: isize,
    component_stride: isize,
    name: &'static str,
) -> Result<View<'a, K>, Fault> {
    usable_for(e.count(), data, name)?;
    Ok(View::from_raw(
        data,
        e.count(),
        body_stride,
        component_stride,
        name,
    )?)
}

/// A writable array of `K` numbers per body.
pub(super) unsafe fn view_mut<'a, const K: usize>(
    data: *mut f64,
    e: &Ensemble,
    body_stride: isize,
    component_stride: isize,
    name: &'static str,
) -> Result<ViewMut<'a, K>, Fault> {
    usable_for(e.count(), data, name)?;
    Ok(ViewMut::from_raw(
        data,
        e.count(),
        body_stride,
        component_stride,
        name,
    )?)
}

/// A writable array whose row `rows[i]` is that of body i.
pub(super) unsafe fn view_in_rows<'a, const K: usize>(
    data: *mut f64,
    e: &Ensemble,
    body_stride: isize,
    component_stride: isize,
    rows: *const i32,
) -> Result<ViewMut<'a, K>, Fault> {
    let Some(rows) = optional!(list(rows, e.count())) else {
        return view_mut(data, e, body_stride, component_stride, "data");
    };
    // the caller's array has all rows that are listed
    let reach = rows.iter().max().map_or(0, |&row| row.max(0) as usize + 1);
    usable_for(reach, data, "data")?;
    Ok(ViewMut::from_raw(data, reach, body_stride, component_stride, "data")?.in_rows(rows)?)
}

#[cfg(test)]
#[path = "../../tests/unit/boundary.rs"]
mod tests;
