//! Ensembles: bodies whose states lie in arrays on a device.

use super::arguments::{Number, array, is_scalar_last, numbers};
use super::device::{device_at, qi_cuda_device};
use super::status::{QI_CUDA_ANGMOM_CONJUGATE, QI_CUDA_OMEGA_WORLD, done, qi_cuda_status};
use crate::ensemble::{Active, Ensemble};
use crate::error::check;
use crate::layout::{Array, MOMENTUM_CONJUGATE};
use crate::properties::Inertias;
use crate::refusal::Refusal;
use std::ffi::c_void;

/// Bodies whose orientations and angular velocities lie in arrays on a device.
pub struct qi_cuda_ensemble(Ensemble);

/// Changes an ensemble.
pub(super) unsafe fn change(
    function: &str,
    ensemble: *mut qi_cuda_ensemble,
    run: impl FnOnce(&mut Ensemble) -> Result<(), Refusal>,
) -> qi_cuda_status {
    done(function, || run(ensemble_at(ensemble)?))
}

pub(super) unsafe fn read(
    function: &str,
    ensemble: *const qi_cuda_ensemble,
    run: impl FnOnce(&Ensemble) -> Result<(), Refusal>,
) -> qi_cuda_status {
    done(function, || match ensemble.as_ref() {
        Some(ensemble) => run(&ensemble.0),
        None => Err(Refusal::Null("ensemble")),
    })
}

pub(super) unsafe fn ensemble_at<'a>(
    ensemble: *mut qi_cuda_ensemble,
) -> Result<&'a mut Ensemble, Refusal> {
    match ensemble.as_mut() {
        Some(ensemble) => Ok(&mut ensemble.0),
        None => Err(Refusal::Null("ensemble")),
    }
}

/// Create an ensemble of `count` bodies: unit inertia, no torque, time 0, method PCDM. Its states
/// are in arrays that have to be bound.
/// @param status  NULL: not wanted
/// @return NULL if that fails
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_create_ensemble(
    device: *const qi_cuda_device,
    count: usize,
    status: *mut qi_cuda_status,
) -> *mut qi_cuda_ensemble {
    let mut created = std::ptr::null_mut();
    let outcome = done("qi_cuda_create_ensemble", || {
        let ensemble = Ensemble::new(device_at(device)?, count)?;
        created = Box::into_raw(Box::new(qi_cuda_ensemble(ensemble)));
        Ok(())
    });
    // SAFETY: it is valid, or NULL
    if let Some(status) = unsafe { status.as_mut() } {
        *status = outcome;
    }
    created
}

/// Destroy an ensemble, after the kernels that use its memory. The bound arrays stay. NULL: does
/// nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_destroy_ensemble(ensemble: *mut qi_cuda_ensemble) {
    if !ensemble.is_null() {
        let _ = done("qi_cuda_destroy_ensemble", || {
            // SAFETY: it is of `qi_cuda_create_ensemble`, and given back once
            drop(unsafe { Box::from_raw(ensemble) });
            Ok(())
        });
    }
}

/// From now on start all kernels in this stream: a cudaStream_t or CUstream of the device's primary
/// context. NULL: the default stream. It waits for what the device has been given, as functions wait
/// for the stream that replace parameters. The stream must stay until another is set or the ensemble
/// is destroyed; neither of these uses it any more. Random torques are refused while a graph is
/// captured from it (QI_CUDA_ERR_ORDER).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_set_stream(
    ensemble: *mut qi_cuda_ensemble,
    stream: *mut c_void,
) -> qi_cuda_status {
    change("qi_cuda_set_stream", ensemble, |e| e.set_stream(stream))
}

/// An array of orientations on the device.
fn orientations<T: Number>(
    e: &Ensemble,
    data: *mut T,
    strides: [isize; 2],
    layout: i32,
) -> Result<Array, Refusal> {
    let mut array = array(data.cast_const(), (e.count, 4), strides, "data")?;
    array.is_scalar_last = is_scalar_last(layout)?;
    Ok(array)
}

/// From now on keep the orientations in this array on the device. Steps read and write it.
/// @param layout  QI_CUDA_SCALAR_FIRST or QI_CUDA_SCALAR_LAST
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_bind_orientations(
    ensemble: *mut qi_cuda_ensemble,
    data: *mut f64,
    body_stride: isize,
    component_stride: isize,
    layout: i32,
) -> qi_cuda_status {
    change("qi_cuda_bind_orientations", ensemble, |e| {
        let strides = [body_stride, component_stride];
        e.bind_orientations(orientations(e, data, strides, layout)?)
    })
}

/// The same for an array of floats; strides count floats. The library computes in double precision,
/// from the floats that a call finds; at its end it rounds to the nearest floats. Steps of one call
/// are not rounded in between.
/// @param layout  as in qi_cuda_bind_orientations()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_bind_orientations_f32(
    ensemble: *mut qi_cuda_ensemble,
    data: *mut f32,
    body_stride: isize,
    component_stride: isize,
    layout: i32,
) -> qi_cuda_status {
    change("qi_cuda_bind_orientations_f32", ensemble, |e| {
        let strides = [body_stride, component_stride];
        e.bind_orientations(orientations(e, data, strides, layout)?)
    })
}

/// From now on keep angular velocities or momenta in this array on the device. Steps read and write
/// it.
/// @param kind  QI_CUDA_OMEGA_WORLD, QI_CUDA_OMEGA_BODY, QI_CUDA_ANGMOM_WORLD, QI_CUDA_ANGMOM_BODY or
///              QI_CUDA_ANGMOM_CONJUGATE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_bind_angular_velocities(
    ensemble: *mut qi_cuda_ensemble,
    data: *mut f64,
    body_stride: isize,
    component_stride: isize,
    kind: i32,
) -> qi_cuda_status {
    change("qi_cuda_bind_angular_velocities", ensemble, |e| {
        let strides = [body_stride, component_stride];
        let kind = kind_of(kind)?;
        let components = components_of(kind);
        let array = array(data.cast_const(), (e.count, components), strides, "data")?;
        e.bind_velocities(array, kind)
    })
}

/// The same for an array of floats: see qi_cuda_bind_orientations_f32().
/// @param kind  as in qi_cuda_bind_angular_velocities()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_bind_angular_velocities_f32(
    ensemble: *mut qi_cuda_ensemble,
    data: *mut f32,
    body_stride: isize,
    component_stride: isize,
    kind: i32,
) -> qi_cuda_status {
    change("qi_cuda_bind_angular_velocities_f32", ensemble, |e| {
        let strides = [body_stride, component_stride];
        let kind = kind_of(kind)?;
        let components = components_of(kind);
        let array = array(data.cast_const(), (e.count, components), strides, "data")?;
        e.bind_velocities(array, kind)
    })
}

/// The number of a kind, which is the same for kernels.
fn kind_of(kind: i32) -> Result<u32, Refusal> {
    let is_known = (QI_CUDA_OMEGA_WORLD..=QI_CUDA_ANGMOM_CONJUGATE).contains(&kind);
    check(
        is_known,
        "kind",
        "must be one of the five kinds of velocities",
    )?;
    Ok(kind.unsigned_abs())
}

/// The numbers of a body in an array of this kind.
fn components_of(kind: u32) -> usize {
    if kind == MOMENTUM_CONJUGATE { 4 } else { 3 }
}

/// Choose the active bodies: only they move, and only they are in sums. The list stays where it is,
/// on the device, and each call reads it; when you have changed it, call this function again. All
/// arrays have a place for each body, active or not; those of bodies that are not active are neither
/// read nor written. A number of bodies that changes: create the ensemble for the greatest one.
/// @param indices  each once, below the number of bodies; on the device. NULL: the first bodies
/// @param count    the number of active bodies
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_bind_active(
    ensemble: *mut qi_cuda_ensemble,
    indices: *const u32,
    count: usize,
) -> qi_cuda_status {
    change("qi_cuda_bind_active", ensemble, |e| {
        if !indices.is_aligned() {
            return Err(Refusal::Misaligned("indices"));
        }
        let list = indices.addr() as u64;
        e.bind_active(Active { list, count })
    })
}

/// The total rotational kinetic energy of the active bodies. The sum has the same bits in each call,
/// and those of qi_get_total_kinetic_energy() but for rounding errors. It waits, and reports failures
/// as qi_cuda_check() does.
/// @param energy  1 double, output, in the memory of the host
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_get_total_kinetic_energy(
    ensemble: *mut qi_cuda_ensemble,
    energy: *mut f64,
) -> qi_cuda_status {
    change("qi_cuda_get_total_kinetic_energy", ensemble, |e| {
        let to = energy.as_mut().ok_or(Refusal::Null("energy"))?;
        [*to, ..] = e.totals()?;
        Ok(())
    })
}

/// The total angular momentum of the active bodies about their centres, world frame; as
/// qi_cuda_get_total_kinetic_energy().
/// @param angular_momentum  3 doubles, output, in the memory of the host
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_get_total_angular_momentum(
    ensemble: *mut qi_cuda_ensemble,
    angular_momentum: *mut f64,
) -> qi_cuda_status {
    change("qi_cuda_get_total_angular_momentum", ensemble, |e| {
        let to = angular_momentum.cast::<[f64; 3]>();
        let to = to.as_mut().ok_or(Refusal::Null("angular_momentum"))?;
        let [_, x, y, z] = e.totals()?;
        *to = [x, y, z];
        Ok(())
    })
}

/// Set the inertia tensors, as qi_set_inertias() of quatint.h.
/// @param inertia  9 doubles a body, in the memory of the host or the device; copied. With a
///                 `body_stride` of 0 all bodies share them, which is faster.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_set_inertias(
    ensemble: *mut qi_cuda_ensemble,
    inertia: *const f64,
    body_stride: isize,
) -> qi_cuda_status {
    change("qi_cuda_set_inertias", ensemble, |e| {
        let tensors = numbers(e, inertia, body_stride, 1, "inertia")?;
        let inertias = Inertias::of_tensors(e.device(), &tensors)?;
        e.set_inertias(inertias)
    })
}

/// Set the inertias by their principal moments, for bodies whose principal axes are the body axes.
/// @param moments  3 doubles a body, in the memory of the host or the device; copied
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_set_principal_inertias(
    ensemble: *mut qi_cuda_ensemble,
    moments: *const f64,
    body_stride: isize,
    component_stride: isize,
) -> qi_cuda_status {
    change("qi_cuda_set_principal_inertias", ensemble, |e| {
        let moments = numbers(e, moments, body_stride, component_stride, "moments")?;
        let inertias = Inertias::of_moments(e.device(), &moments)?;
        e.set_inertias(inertias)
    })
}

/// Lock body axes, besides those that are locked, as qi_lock_axes() of quatint.h.
/// @param axes         a sum of 1 for x, 2 for y and 4 for z, in the memory of the host
/// @param body_stride  1: a number for each body; 0: one for all
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_lock_axes(
    ensemble: *mut qi_cuda_ensemble,
    axes: *const i32,
    body_stride: isize,
) -> qi_cuda_status {
    change("qi_cuda_lock_axes", ensemble, |e| {
        check(
            [0, 1].contains(&body_stride),
            "body_stride",
            "must be 0 or 1",
        )?;
        if axes.is_null() {
            return Err(Refusal::Null("axes"));
        }
        let given = if body_stride == 0 { 1 } else { e.count };
        let axes = std::slice::from_raw_parts(axes, given);
        let inertias = e.inertias.with_locked_axes(e.device(), e.count, axes)?;
        e.set_inertias(inertias)
    })
}

/// Wait until the stream has done what it has been given, and report what has failed: the first
/// body that has failed since the last check, whose index qi_cuda_last_error_body() returns. A body
/// fails in a call if its orientation is not of unit length (QI_CUDA_ERR_ORIENTATION), or a torque
/// or its motion is not finite (QI_CUDA_ERR_NON_FINITE). Then it keeps the state from before the
/// call; all others have moved, and so has the clock. After a failure, methods that keep the last
/// torques ask for them again. Only sums wait, too, and functions that copy parameters and need
/// memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_check(ensemble: *mut qi_cuda_ensemble) -> qi_cuda_status {
    change("qi_cuda_check", ensemble, |e| e.check())
}

/// As qi_cuda_check(), but without waiting, for loops that would stop at a failure: it tells what is
/// known by now. Each call asks the device, and a later one has the answer; so QI_CUDA_OK after the
/// last steps says nothing. A failure that it tells stays until qi_cuda_check() has told it too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_look(ensemble: *mut qi_cuda_ensemble) -> qi_cuda_status {
    change("qi_cuda_look", ensemble, |e| e.look())
}
