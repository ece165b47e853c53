//! The arguments of C functions as those of the library.

use super::status::{
    QI_CUDA_FRAME_BODY, QI_CUDA_FRAME_WORLD, QI_CUDA_SCALAR_FIRST, QI_CUDA_SCALAR_LAST,
};
use crate::columns::Numbers;
use crate::ensemble::Ensemble;
use crate::error::{Error, check};
use crate::layout::Array;
use crate::refusal::Refusal;

fn check_pointer<T>(pointer: *const T, name: &'static str) -> Result<(), Refusal> {
    if pointer.is_null() {
        return Err(Refusal::Null(name));
    }
    if !pointer.is_aligned() {
        return Err(Refusal::Misaligned(name));
    }
    Ok(())
}

/// Numbers that all bodies share.
pub(super) unsafe fn input<const K: usize>(
    pointer: *const f64,
    name: &'static str,
) -> Result<[f64; K], Refusal> {
    check_pointer(pointer, name)?;
    Ok(*pointer.cast::<[f64; K]>())
}

/// Numbers of each of the bodies, in the memory of the host or of a device. A body stride of 0: all
/// bodies share them.
pub(super) unsafe fn numbers<const K: usize>(
    e: &Ensemble,
    pointer: *const f64,
    body_stride: isize,
    component_stride: isize,
    name: &'static str,
) -> Result<Numbers<K>, Refusal> {
    let count = e.count;
    if body_stride != 0 && count == 0 {
        return Ok(Numbers::Each(Vec::new()));
    }
    check_pointer(pointer, name)?;
    // from the first to the last of them in memory, whatever the signs of the strides
    let ends = [
        (count.max(1) as isize - 1) * body_stride,
        (K as isize - 1) * component_stride,
    ];
    let before: isize = ends.iter().map(|end| end.min(&0)).sum();
    let after: isize = ends.iter().map(|end| end.max(&0)).sum();
    let first = pointer.wrapping_offset(before);
    let copy = e.device().copy_from(first, (after - before) as usize + 1)?;
    let first = copy.as_ref().map_or(first, |copy| copy.as_ptr());
    let at = |body: usize| {
        std::array::from_fn(|k| {
            let offset = body as isize * body_stride + k as isize * component_stride;
            *first.wrapping_offset(offset - before)
        })
    };
    if body_stride == 0 {
        return Ok(Numbers::Shared(at(0)));
    }
    let mut all = Vec::new();
    all.try_reserve_exact(count).map_err(Error::from)?;
    all.extend((0..count).map(at));
    Ok(Numbers::Each(all))
}

/// [`numbers`], if there are some.
pub(super) unsafe fn optional<const K: usize>(
    e: &Ensemble,
    pointer: *const f64,
    body_stride: isize,
    name: &'static str,
) -> Result<Option<Numbers<K>>, Refusal> {
    if pointer.is_null() {
        return Ok(None);
    }
    numbers(e, pointer, body_stride, 1, name).map(Some)
}

/// An array on the device, in which no two numbers share a place.
pub(super) fn array<T: Number>(
    pointer: *const T,
    (count, components): (usize, usize),
    [body, component]: [isize; 2],
    name: &'static str,
) -> Result<Array, Refusal> {
    if count > 0 {
        check_pointer(pointer, name)?;
        // bodies one after the other, or columns
        let is_by_body = body.unsigned_abs() >= components.saturating_mul(component.unsigned_abs());
        let is_by_column = component.unsigned_abs() >= count.saturating_mul(body.unsigned_abs());
        let are_apart = component != 0
            && (body != 0 || count == 1)
            && (is_by_body || is_by_column || count == 1);
        check(
            are_apart,
            name,
            "must have strides by which no two numbers share a place",
        )?;
        let last = (count as i128 - 1) * body.unsigned_abs() as i128
            + (components as i128 - 1) * component.unsigned_abs() as i128;
        check(
            last * (size_of::<T>() as i128) < i64::MAX as i128,
            name,
            "must have strides that fit into memory",
        )?;
    }
    Ok(Array {
        address: pointer.addr() as u64,
        body: body as i64,
        component: component as i64,
        is_single: u32::from(T::IS_SINGLE),
        is_scalar_last: 0,
    })
}

/// The numbers of arrays on the device.
pub(super) trait Number {
    const IS_SINGLE: bool;
}

impl Number for f64 {
    const IS_SINGLE: bool = false;
}

impl Number for f32 {
    const IS_SINGLE: bool = true;
}

/// Whether the scalar is last.
pub(super) fn is_scalar_last(layout: i32) -> Result<u32, Error> {
    check(
        [QI_CUDA_SCALAR_FIRST, QI_CUDA_SCALAR_LAST].contains(&layout),
        "layout",
        "must be QI_CUDA_SCALAR_FIRST or QI_CUDA_SCALAR_LAST",
    )?;
    Ok(u32::from(layout == QI_CUDA_SCALAR_LAST))
}

/// Whether it is the body frame.
pub(super) fn is_body_frame(frame: i32) -> Result<bool, Error> {
    check(
        [QI_CUDA_FRAME_WORLD, QI_CUDA_FRAME_BODY].contains(&frame),
        "frame",
        "must be QI_CUDA_FRAME_WORLD or QI_CUDA_FRAME_BODY",
    )?;
    Ok(frame == QI_CUDA_FRAME_BODY)
}
