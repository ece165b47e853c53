//! Steps, kicks and drifts, and the clock. They start kernels and do not wait for them.

use super::arguments::{Number, array, is_body_frame};
use super::ensemble::{change, qi_cuda_ensemble, read};
use super::status::{QI_CUDA_DOUBLE, QI_CUDA_SINGLE, qi_cuda_status};
use crate::ensemble::Ensemble;
use crate::error::check;
use crate::refusal::Refusal;
use crate::steps::KickTorque;

/// Take steps under the ready-made torque, in one kernel. The results have the bits of the CPU.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_advance(
    ensemble: *mut qi_cuda_ensemble,
    dt: f64,
    steps: u64,
) -> qi_cuda_status {
    change("qi_cuda_advance", ensemble, |e| e.advance(dt, steps))
}

fn kick_torque<T: Number>(
    e: &Ensemble,
    torque: *const T,
    strides: [isize; 2],
    frame: i32,
) -> Result<Option<KickTorque>, Refusal> {
    let is_in_body_frame = is_body_frame(frame)?;
    if torque.is_null() {
        return Ok(None);
    }
    let array = array(torque, (e.count, 3), strides, "torque")?;
    Ok(Some(KickTorque {
        array,
        is_in_body_frame,
    }))
}

/// Kick: add `duration` times the torque to the angular momenta, at constant orientation.
/// @param torque  3 doubles a body, on the device; read by the kernel. NULL: zero torque
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_kick(
    ensemble: *mut qi_cuda_ensemble,
    duration: f64,
    torque: *const f64,
    body_stride: isize,
    component_stride: isize,
    frame: i32,
) -> qi_cuda_status {
    change("qi_cuda_kick", ensemble, |e| {
        let torque = kick_torque(e, torque, [body_stride, component_stride], frame)?;
        e.kick_drift(duration, 0.0, torque)
    })
}

/// Choose how drifts compute free rotations: QI_CUDA_DOUBLE, or QI_CUDA_SINGLE for cards that have few
/// units for doubles. This concerns qi_cuda_drift(), qi_cuda_kick_drift() and steps of splitting
/// methods without a torque.
///
/// In single precision the turn of a drift, and the change of angular velocity, are floats, which are
/// added to the state in doubles: each drift is wrong by up to 1e-6 of the angle that it turns by, and
/// the energy and the momentum of a body that has tumbled through 10000 rad by up to 1e-4 of
/// themselves. (A momentum that is bound in the world frame is kept by drifts all the same.) Rotations
/// of more than about 1 rad, and of less than about 1e-16, are computed in doubles. The bits are the
/// same on each device.
/// @param precision  QI_CUDA_DOUBLE, as without this call, or QI_CUDA_SINGLE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_set_drift_precision(
    ensemble: *mut qi_cuda_ensemble,
    precision: i32,
) -> qi_cuda_status {
    change("qi_cuda_set_drift_precision", ensemble, |e| {
        let is_known = [QI_CUDA_DOUBLE, QI_CUDA_SINGLE].contains(&precision);
        check(
            is_known,
            "precision",
            "must be QI_CUDA_DOUBLE or QI_CUDA_SINGLE",
        )?;
        e.set_drift_precision(precision == QI_CUDA_SINGLE)
    })
}

/// Drift: rotate the bodies freely for a duration.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_drift(
    ensemble: *mut qi_cuda_ensemble,
    duration: f64,
) -> qi_cuda_status {
    change("qi_cuda_drift", ensemble, |e| {
        e.kick_drift(0.0, duration, None)
    })
}

/// A kick, then a drift, in one kernel.
/// @param kick    the duration of the kick
/// @param drift   the duration of the drift
/// @param torque  as in qi_cuda_kick()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_kick_drift(
    ensemble: *mut qi_cuda_ensemble,
    kick: f64,
    drift: f64,
    torque: *const f64,
    body_stride: isize,
    component_stride: isize,
    frame: i32,
) -> qi_cuda_status {
    change("qi_cuda_kick_drift", ensemble, |e| {
        let torque = kick_torque(e, torque, [body_stride, component_stride], frame)?;
        e.kick_drift(kick, drift, torque)
    })
}

/// The same for an array of floats; strides count floats.
/// @param kick    the duration of the kick
/// @param drift   the duration of the drift
/// @param torque  3 floats a body, on the device
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_kick_drift_f32(
    ensemble: *mut qi_cuda_ensemble,
    kick: f64,
    drift: f64,
    torque: *const f32,
    body_stride: isize,
    component_stride: isize,
    frame: i32,
) -> qi_cuda_status {
    change("qi_cuda_kick_drift_f32", ensemble, |e| {
        let torque = kick_torque(e, torque, [body_stride, component_stride], frame)?;
        e.kick_drift(kick, drift, torque)
    })
}

/// The time of the clock, after the steps that have been started.
/// @param time  1 double, output
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_get_time(
    ensemble: *const qi_cuda_ensemble,
    time: *mut f64,
) -> qi_cuda_status {
    read("qi_cuda_get_time", ensemble, |e| {
        *time.as_mut().ok_or(Refusal::Null("time"))? = e.clock.now();
        Ok(())
    })
}

/// Set the clock.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_set_time(
    ensemble: *mut qi_cuda_ensemble,
    time: f64,
) -> qi_cuda_status {
    change("qi_cuda_set_time", ensemble, |e| e.set_time(time))
}
