//! The stage protocol of many bodies.

use super::check::{output, usable, view};
use super::choices::layout_of;
use super::failure::{Fault, QI_NEED_TORQUE, QI_OK, qi_status};
use super::objects::{change, qi_ensemble};
use crate::error::Error;
use crate::{Ensemble, Progress};

/// Begin a step whose torques the caller computes: for codes that cannot be called back. Then, until QI_OK comes:
///
///   while ((status = qi_next_ensemble_stage(e, &time, q, omega)) == QI_NEED_TORQUE) {
///       ... torque for every body, at this time, orientation and angular velocity ...
///       qi_supply_ensemble_torque(e, torque);
///   }
///
/// The arrays are packed as qi_set_ensemble_stage_layout() says. Any torque that was set is not asked. Until the step is taken or
/// cancelled nothing else may change the ensemble, and a bound array must not be written. The bits are those of a torque callback
/// in the world frame. qi_continue_ensemble_step() does both in one pass over the bodies.
///
/// @param dt        length of the step; negative: backwards in time; 0: no stage is needed
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_ORDER (one has been begun)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_begin_ensemble_step(ensemble: *mut qi_ensemble, dt: f64) -> qi_status {
    change("qi_begin_ensemble_step", ensemble, |e| Ok(e.begin_steps(dt, 1)?))
}

/// Begin many steps whose torques the caller computes: as qi_begin_ensemble_step() for each, where QI_OK comes when all are taken.
/// When one fails, those before it stand; qi_get_ensemble_time() tells how far it came.
///
/// @param dt        length of each step
/// @param steps     how many; 0: no stage is needed
/// @return as qi_begin_ensemble_step()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_begin_ensemble_steps(ensemble: *mut qi_ensemble, dt: f64, steps: u64) -> qi_status {
    change("qi_begin_ensemble_steps", ensemble, |e| Ok(e.begin_steps(dt, steps)?))
}

/// Lay out the arrays of the stage protocol: a packed row for each body, or packed columns, as in `q(n,4)` of Fortran, Julia and
/// MATLAB. Columns spare a transposition each way. It stays until it is set again.
///
/// @param layout    for n bodies that move: QI_LAYOUT_AOS, `orientation[4 * i + c]` and so on, as before this is called; or
///                  QI_LAYOUT_SOA, `orientation[c * n + i]`
/// @return QI_OK, or QI_ERR_INVALID (layout), QI_ERR_ORDER (a step has been begun)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_stage_layout(ensemble: *mut qi_ensemble, layout: i32) -> qi_status {
    change("qi_set_ensemble_stage_layout", ensemble, |e| Ok(e.set_stage_layout(layout_of(layout)?)?))
}

/// Ask for the next stage of a step that has been begun.
///
/// @param time              receives the time of the stage
/// @param orientation       receives 4 doubles (w, x, y, z) a body, packed; not in a bound array, which holds the start of the step
/// @param angular_velocity  receives 3 doubles a body, packed, world frame; likewise
/// @return QI_NEED_TORQUE: the stage has been written; supply the torque and ask again. QI_OK: the step is taken, or all that were
///         begun, and nothing was written. Or QI_ERR_ORIENTATION and QI_ERR_NON_FINITE (as qi_step_ensemble()), QI_ERR_INVALID (an overlap), QI_ERR_ORDER,
///         QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_BUSY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_next_ensemble_stage(
    ensemble: *mut qi_ensemble,
    time: *mut f64,
    orientation: *mut f64,
    angular_velocity: *mut f64,
) -> qi_status {
    stage("qi_next_ensemble_stage", ensemble, None, time, orientation, angular_velocity)
}

/// Supply the torque of the stage that was written last.
///
/// Failure: a torque that is not finite is named and still awaited. Where the motion overflows, the step is cancelled, and those
/// that were to come.
///
/// @param torque    3 doubles a body, packed, world frame
/// @return QI_OK, or QI_ERR_NON_FINITE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_supply_ensemble_torque(ensemble: *mut qi_ensemble, torque: *const f64) -> qi_status {
    change("qi_supply_ensemble_torque", ensemble, |e| {
        // SAFETY: by the header's contract of pointers.
        Ok(e.supply_torque(unsafe { packed_torque(e, torque) }?)?)
    })
}

/// Supply the torque of the stage that was written last, and ask for the next: qi_supply_ensemble_torque() and
/// qi_next_ensemble_stage() to the same bits, in one pass over the bodies (the last of a step in two, with bound arrays or a list
/// of active bodies). With many steps:
///
///   qi_begin_ensemble_steps(e, dt, steps);
///   status = qi_next_ensemble_stage(e, &time, q, omega);
///   while (status == QI_NEED_TORQUE) {
///       ... torque for every body, at this time, orientation and angular velocity ...
///       status = qi_continue_ensemble_step(e, torque, &time, q, omega);
///   }
///
/// Failure: as for both. If a torque is not finite, nothing is written. On overflow the output arrays may be partly overwritten.
///
/// @param torque            3 doubles a body, packed, world frame; in memory of its own
/// @param time              receives the time of the stage
/// @param orientation       as for qi_next_ensemble_stage()
/// @param angular_velocity  likewise
/// @return as qi_next_ensemble_stage()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_continue_ensemble_step(
    ensemble: *mut qi_ensemble,
    torque: *const f64,
    time: *mut f64,
    orientation: *mut f64,
    angular_velocity: *mut f64,
) -> qi_status {
    stage("qi_continue_ensemble_step", ensemble, Some(torque), time, orientation, angular_velocity)
}

/// Give up the step in hand, and those that were begun with it: the ensemble is as before this step. Without one nothing happens.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cancel_ensemble_step(ensemble: *mut qi_ensemble) -> qi_status {
    change("qi_cancel_ensemble_step", ensemble, |e| {
        e.cancel_step();
        Ok(())
    })
}

/// A call that writes a stage, or finds that there is none left. Where it is given the torque of the stage before, it takes that
/// first.
fn stage(
    function: &'static str,
    ensemble: *mut qi_ensemble,
    torque: Option<*const f64>,
    time: *mut f64,
    orientation: *mut f64,
    angular_velocity: *mut f64,
) -> qi_status {
    let mut need = false;
    let status = change(function, ensemble, |e| {
        // SAFETY: by the header's contract of pointers.
        let time = unsafe { output(time, "time") }?;
        let positions = e.positions();
        // SAFETY: by the header's contract of pointers.
        let (q, omega) = unsafe {
            let q = view::<4>(orientation, positions, 4, 1, "orientation")?;
            (q, view::<3>(angular_velocity, positions, 3, 1, "angular_velocity")?)
        };
        if e.overlaps_bound(&q) || e.overlaps_bound(&omega) || q.overlaps(&omega) {
            let name = "orientation or angular_velocity";
            return Err(Error::Invalid { name, must: "must not have memory in common with a bound array" }.into());
        }
        let torque = match torque {
            None => None,
            Some(torque) => {
                // SAFETY: by the header's contract of pointers; it is read only.
                let place = unsafe { view::<3>(torque, positions, 3, 1, "torque") }?;
                if e.overlaps_bound(&place) || place.overlaps(&q) || place.overlaps(&omega) {
                    let must = "must not have memory in common with what is written";
                    return Err(Error::Invalid { name: "torque", must }.into());
                }
                // SAFETY: by the header's contract of pointers.
                Some(unsafe { packed_torque(e, torque) }?)
            }
        };
        // SAFETY: usable, so valid for as many writes as the header says; nobody else's during the call.
        let (q, omega) = unsafe {
            let q = std::slice::from_raw_parts_mut(orientation, 4 * positions);
            (q, std::slice::from_raw_parts_mut(angular_velocity, 3 * positions))
        };
        let progress = match torque {
            None => e.next_stage(q, omega),
            Some(torque) => e.continue_step(torque, q, omega),
        };
        if let Progress::NeedTorque(at) = progress? {
            time.put([at]);
            need = true;
        }
        Ok(())
    });
    if status == QI_OK && need { QI_NEED_TORQUE } else { status }
}

/// # Safety
/// By the header's contract of pointers, valid for as many reads as it says.
unsafe fn packed_torque<'a>(e: &Ensemble, torque: *const f64) -> Result<&'a [f64], Fault> {
    usable(torque, "torque")?;
    // SAFETY: usable, and the caller's.
    Ok(unsafe { std::slice::from_raw_parts(torque, 3 * e.positions()) })
}
