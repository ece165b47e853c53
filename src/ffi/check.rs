//! The helpers that every C function uses: they check pointers, copy inputs, write outputs, and
//! turn failures into statuses.
//!
//! The helpers for pointers take the name of the argument, for the error message. Inputs are
//! copied, so arguments may overlap. Outputs are checked first and written last, so a failed call
//! changes nothing.

use super::failure::{Fault, PointerProblem, remember};
use crate::Ensemble;
use crate::error::{check, finite};
use crate::kernel::Quat;
use crate::memory::{Output, View, ViewMut, check_stride, make_room};
use crate::rotation::checked;
use crate::simd::clear_upper_halves;
use crate::status::{QI_OK, qi_status};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Takes an argument in by one of the helpers below, which get the name of the argument for the
/// error message: `arg!(input(torque))` is `input(torque, "torque")?`.
macro_rules! arg {
    ($helper:ident($pointer:ident $(, $more:expr)*)) => {
        $helper($pointer $(, $more)*, stringify!($pointer))?
    };
}
pub(super) use arg;

/// Takes an argument in that may be NULL: `optional!(input(flow))` is `None` for NULL, and
/// otherwise `Some(arg!(input(flow)))`.
macro_rules! optional {
    ($helper:ident($pointer:ident $(, $more:expr)*)) => {
        if $pointer.is_null() {
            None
        } else {
            Some(arg!($helper($pointer $(, $more)*)))
        }
    };
}
pub(super) use optional;

/// Runs the body of a C function. If it fails or panics, the result is the status of the failure,
/// of which [`qi_last_error`](super::qi_last_error) then tells, with the name of the function.
#[inline(always)]
pub(super) fn boundary(
    function: &'static str,
    body: impl FnOnce() -> Result<(), Fault>,
) -> qi_status {
    match contained(function, body) {
        Ok(()) => QI_OK,
        Err(status) => status,
    }
}

/// As [`boundary`], where success has a status of its own: QI_OK, QI_NEED_TORQUE or QI_EVENT.
pub(super) fn boundary_of_status(
    function: &'static str,
    body: impl FnOnce() -> Result<qi_status, Fault>,
) -> qi_status {
    match contained(function, body) {
        Ok(status) => status,
        Err(status) => status,
    }
}

/// As [`boundary`], for a constructor: it returns the new object, or NULL on failure. `status`
/// receives the status, unless it is NULL.
pub(super) unsafe fn construct<T>(
    function: &'static str,
    status: *mut qi_status,
    body: impl FnOnce() -> Result<*mut T, Fault>,
) -> *mut T {
    let Ok(place_of_status) = contained(function, || Ok(optional!(output(status)))) else {
        return std::ptr::null_mut();
    };
    let made = contained(function, body);
    if let Some(place) = place_of_status {
        place.put(match made {
            Ok(_) => QI_OK,
            Err(status) => status,
        });
    }
    made.unwrap_or(std::ptr::null_mut())
}

/// Runs the body of a C function. A fault or a panic is remembered, and becomes the status of a
/// failure.
#[inline(always)]
pub(super) fn contained<T>(
    function: &'static str,
    body: impl FnOnce() -> Result<T, Fault>,
) -> Result<T, qi_status> {
    clear_upper_halves::<false>();
    // Unwind safe: a panic can only interrupt objects behind `Handle`, and these commit a step as a
    // whole.
    let outcome = catch_unwind(AssertUnwindSafe(body));
    // Faults are passed by reference: a copy of what has just been written would wait for the
    // stores, in each call that succeeds.
    match outcome {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(fault)) => Err(remember(function, &fault)),
        Err(_) => Err(remember(function, &Fault::Panic)),
    }
}

/// Checks that a pointer is neither NULL nor misaligned.
#[inline(always)]
pub(super) fn usable<T>(pointer: *const T, name: &'static str) -> Result<(), Fault> {
    if pointer.is_null() {
        return Err(Fault::Pointer(name, &PointerProblem::NULL));
    }
    if !pointer.is_aligned() {
        return Err(Fault::Pointer(name, &PointerProblem::MISALIGNED));
    }
    Ok(())
}

/// As [`usable`], but an array of no bodies may be NULL.
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

/// Copies an array of `N` values in.
#[inline(always)]
pub(super) unsafe fn input<T: Copy, const N: usize>(
    pointer: *const T,
    name: &'static str,
) -> Result<[T; N], Fault> {
    usable(pointer, name)?;
    // SAFETY: usable, so valid for a read.
    Ok(unsafe { pointer.cast::<[T; N]>().read() })
}

/// As [`input`], for numbers that must be finite.
#[inline(always)]
pub(super) unsafe fn finite_input<const N: usize>(
    pointer: *const f64,
    name: &'static str,
) -> Result<[f64; N], Fault> {
    Ok(finite(name, input(pointer, name)?)?)
}

/// A quaternion that has unit length to 1e-3, normalised.
pub(super) unsafe fn unit(pointer: *const f64, name: &'static str) -> Result<Quat<f64>, Fault> {
    Ok(checked(name, input(pointer, name)?)?)
}

/// An array of the caller that is read during the call. Without elements the pointer may be NULL.
pub(super) unsafe fn input_array<'a, T>(
    pointer: *const T,
    count: usize,
    name: &'static str,
) -> Result<&'a [T], Fault> {
    let pointer = array_at(pointer.cast_mut(), count, name)?;
    // SAFETY: usable or empty.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// Copies `count` integers in, `stride` apart.
pub(super) unsafe fn integers(
    pointer: *const i32,
    count: usize,
    stride: isize,
    name: &'static str,
) -> Result<Vec<i32>, Fault> {
    usable_for(count, pointer, name)?;
    check_stride(stride, count.saturating_sub(1))?;
    let mut copy = Vec::new();
    make_room(&mut copy, count)?;
    for i in 0..count {
        // SAFETY: usable, so the caller's array has all places that the stride leads to.
        copy.push(unsafe { pointer.wrapping_offset(i as isize * stride).read() });
    }
    Ok(copy)
}

/// An array of the caller for results. Without elements the pointer may be NULL.
pub(super) unsafe fn output_array<'a>(
    pointer: *mut f64,
    count: usize,
    name: &'static str,
) -> Result<Output<'a>, Fault> {
    let pointer = array_at(pointer, count, name)?;
    // SAFETY: usable or empty.
    Ok(unsafe { Output::from_raw(pointer, count) })
}

/// Checks the pointer to an array. Without elements it may be anything, and is replaced by one that
/// a slice of no elements may have.
fn array_at<T>(pointer: *mut T, count: usize, name: &'static str) -> Result<*mut T, Fault> {
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

/// Where the program wants a `T`: checked when the call begins, written when nothing can fail any
/// more.
pub(super) struct Place<T>(*mut T);

impl<T> Place<T> {
    #[inline(always)]
    pub(super) fn put(&self, result: T) {
        // SAFETY: `output` found the pointer usable, so it is valid for a write.
        unsafe { self.0.write(result) }
    }
}

/// Checks a pointer to which a `T` will be written: one number `P`, or an array of them.
#[inline(always)]
pub(super) unsafe fn output<P, T>(pointer: *mut P, name: &'static str) -> Result<Place<T>, Fault> {
    const {
        assert!(size_of::<T>().is_multiple_of(size_of::<P>()));
        assert!(align_of::<T>() == align_of::<P>());
    };
    usable(pointer, name)?;
    Ok(Place(pointer.cast()))
}

/// Runs a call whose only result is written to `pointer`, the argument `name`.
pub(super) unsafe fn compute<P, T>(
    function: &'static str,
    pointer: *mut P,
    name: &'static str,
    value: impl FnOnce() -> Result<T, Fault>,
) -> qi_status {
    boundary(function, || {
        let place = output(pointer, name)?;
        place.put(value()?);
        Ok(())
    })
}

/// Whether two arrays have memory in common.
pub(super) fn overlap<A, B>(a: &Range<*const A>, b: &Range<*const B>) -> bool {
    a.start.addr() < b.end.addr() && b.start.addr() < a.end.addr()
}

/// A read-only array of `K` numbers for each body. With a body stride of 0, all bodies have the
/// same numbers.
pub(super) unsafe fn view<'a, const K: usize>(
    data: *const f64,
    ensemble: &Ensemble,
    body_stride: isize,
    component_stride: isize,
    name: &'static str,
) -> Result<View<'a, K>, Fault> {
    view_of(data, ensemble.count(), body_stride, component_stride, name)
}

/// [`view`] of `count` bodies or points.
pub(super) unsafe fn view_of<'a, const K: usize>(
    data: *const f64,
    count: usize,
    stride: isize,
    component_stride: isize,
    name: &'static str,
) -> Result<View<'a, K>, Fault> {
    usable_for(count, data, name)?;
    Ok(View::from_raw(data, count, stride, component_stride, name)?)
}

/// A read-only array with a 3×3 matrix for each body.
pub(super) unsafe fn matrices<'a>(
    data: *const f64,
    ensemble: &Ensemble,
    strides: [isize; 3],
    name: &'static str,
) -> Result<View<'a, 9>, Fault> {
    usable_for(ensemble.count(), data, name)?;
    Ok(View::matrices_from_raw(
        data,
        ensemble.count(),
        strides,
        name,
    )?)
}

/// A writable array of `K` numbers for each body.
pub(super) unsafe fn view_mut<'a, const K: usize>(
    data: *mut f64,
    ensemble: &Ensemble,
    body_stride: isize,
    component_stride: isize,
    name: &'static str,
) -> Result<ViewMut<'a, K>, Fault> {
    view_mut_of(data, ensemble.count(), body_stride, component_stride, name)
}

/// [`view_mut`] of `count` bodies or points.
pub(super) unsafe fn view_mut_of<'a, const K: usize>(
    data: *mut f64,
    count: usize,
    stride: isize,
    component_stride: isize,
    name: &'static str,
) -> Result<ViewMut<'a, K>, Fault> {
    usable_for(count, data, name)?;
    Ok(ViewMut::from_raw(
        data,
        count,
        stride,
        component_stride,
        name,
    )?)
}

/// A writable array of `K` numbers for each body, in which body i has row `rows[i]`. NULL: body i
/// has row i.
pub(super) unsafe fn view_in_rows<'a, const K: usize>(
    data: *mut f64,
    ensemble: &Ensemble,
    body_stride: isize,
    component_stride: isize,
    rows: *const i32,
) -> Result<ViewMut<'a, K>, Fault> {
    let Some(rows) = optional!(input_array(rows, ensemble.count())) else {
        return view_mut(data, ensemble, body_stride, component_stride, "data");
    };
    // The caller's array has all rows that are listed. Negative ones are refused by `in_rows`.
    let row_count = match rows.iter().max() {
        Some(&greatest) => greatest.max(0) as usize + 1,
        None => 0,
    };
    let all_rows: ViewMut<'a, K> =
        view_mut_of(data, row_count, body_stride, component_stride, "data")?;
    Ok(all_rows.in_rows(rows)?)
}

#[cfg(test)]
#[path = "../../tests/unit/boundary.rs"]
mod tests;
