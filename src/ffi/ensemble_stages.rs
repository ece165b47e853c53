//! The stage protocol of ensembles.

use super::prelude::*;
use crate::Progress;
use std::ops::Range;

/// Writes a stage, or finds that none is left. If it is given the torque of the stage before, it
/// takes that first.
unsafe fn stage(
    function: &'static str,
    ensemble: *mut qi_ensemble,
    torque: Option<*const f64>,
    time: *mut f64,
    orientation: *mut f64,
    angular_velocity: *mut f64,
) -> qi_status {
    let status = contained(function, || {
        let (_busy, e) = exclusive(ensemble)?;
        let put_time = arg!(output(time));
        let positions = e.active_count();
        let shown = if orientation.is_null() && angular_velocity.is_null() {
            0
        } else {
            positions
        };
        let q = arg!(results(orientation, 4 * shown));
        let omega = arg!(results(angular_velocity, 3 * shown));
        let q_addresses = &q.addresses();
        let omega_addresses = &omega.addresses();
        let overlap_bound =
            e.addresses_overlap_bound(q_addresses) || e.addresses_overlap_bound(omega_addresses);
        check(
            !overlap_bound && !overlap(q_addresses, omega_addresses),
            "orientation or angular_velocity",
            "must not have memory in common with a bound array",
        )?;
        let torque = torque
            .map(|torque| list(torque, 3 * positions, "torque"))
            .transpose()?;
        if let Some(torque) = torque {
            let read = &torque.as_ptr_range();
            let overlaps = e.addresses_overlap_bound(read)
                || overlap(read, q_addresses)
                || overlap(read, omega_addresses);
            check(
                !overlaps,
                "torque",
                "must not have memory in common with what is written",
            )?;
        }
        let progress = match torque {
            None => e.write_next_stage(q, omega)?,
            Some(torque) => e.continue_and_write(torque, q, omega)?,
        };
        let Progress::NeedTorque(at) = progress else {
            return Ok(QI_OK);
        };
        put_time(at);
        Ok(QI_NEED_TORQUE)
    });
    status.unwrap_or_else(|failure| failure)
}

fn overlap(a: &Range<*const f64>, b: &Range<*const f64>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Begin a step of the stage protocol, in which the caller computes the torques itself: for
/// programs that cannot use callbacks. Then repeat. QI_OK ends the step, a negative status is an
/// error:
///
///   while ((status = qi_next_ensemble_stage(e, &time, q, omega)) == QI_NEED_TORQUE) {
///       ... torque for every body, at this time, orientation and angular velocity ...
///       if ((status = qi_supply_ensemble_torque(e, torque)) != QI_OK) break;
///   }
///
/// The arrays are packed; see qi_set_ensemble_stage_layout(). A torque set for the ensemble is not
/// used. Until the step is taken or cancelled, no other call may change the ensemble, and the
/// caller must not write to bound arrays. The bits are those of a torque callback in the world
/// frame. For speed, qi_continue_ensemble_step() combines the two calls.
/// @param dt  length of the step; 0: no stage is needed
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_MEMORY, QI_ERR_ORDER (a step has already begun)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_begin_ensemble_step(ensemble: *mut qi_ensemble, dt: f64) -> qi_status {
    change("qi_begin_ensemble_step", ensemble, |e| {
        Ok(e.begin_steps(dt, 1)?)
    })
}

/// Begin many steps of the stage protocol. The loop is that of qi_begin_ensemble_step(); QI_OK
/// comes after the last step. If a step fails, the steps before it remain; qi_get_ensemble_time()
/// gives the time reached.
/// @param steps  number of steps; 0: no stage is needed
/// @return as qi_begin_ensemble_step()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_begin_ensemble_steps(
    ensemble: *mut qi_ensemble,
    dt: f64,
    steps: u64,
) -> qi_status {
    change("qi_begin_ensemble_steps", ensemble, |e| {
        Ok(e.begin_steps(dt, steps)?)
    })
}

/// Choose the layout of the arrays in the stage protocol, for all later steps. Columns save a
/// transposition each way.
/// @param layout  for n active bodies: QI_LAYOUT_AOS (the default), rows, `orientation[4 * i + c]`;
///                or QI_LAYOUT_SOA, columns, `orientation[c * n + i]`, as `q(n,4)` in Fortran,
///                Julia and MATLAB
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_stage_layout(
    ensemble: *mut qi_ensemble,
    layout: i32,
) -> qi_status {
    change("qi_set_ensemble_stage_layout", ensemble, |e| {
        Ok(e.set_stage_layout(layout_of(layout)?)?)
    })
}

/// Get the layout of the arrays in the stage protocol.
/// @param layout  receives QI_LAYOUT_AOS or QI_LAYOUT_SOA
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_ensemble_stage_layout(
    ensemble: *const qi_ensemble,
    layout: *mut i32,
) -> qi_status {
    compute("qi_get_ensemble_stage_layout", out!(layout), || {
        Ok(shared(ensemble)?.stage_layout() as i32)
    })
}

/// Get the next stage of a step that has begun, and its time.
/// @param orientation       receives 4 doubles (w, x, y, z) a body, packed; must not overlap a
///                          bound array
/// @param angular_velocity  receives 3 doubles a body, packed, world frame; must not overlap a
///                          bound array or `orientation`. If both arrays are NULL, the states are
///                          not wanted
/// @return QI_NEED_TORQUE: the stage has been written; supply its torque and call again. QI_OK: all
///         steps are taken, and nothing was written. Or QI_ERR_ORIENTATION and QI_ERR_NON_FINITE
///         (as qi_step_ensemble()), QI_ERR_INVALID (overlap), QI_ERR_ORDER (also if a bound array
///         has been written to in the middle of the step, which is then cancelled)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_next_ensemble_stage(
    ensemble: *mut qi_ensemble,
    time: *mut f64,
    orientation: *mut f64,
    angular_velocity: *mut f64,
) -> qi_status {
    stage(
        "qi_next_ensemble_stage",
        ensemble,
        None,
        time,
        orientation,
        angular_velocity,
    )
}

/// Supply the torque of the last stage that was written. If a torque is not finite,
/// qi_last_error_body() gives the body, and the stage still needs its torque. If the motion
/// overflows, this step and the remaining ones are cancelled.
/// @param torque  3 doubles a body, packed, world frame
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_supply_ensemble_torque(
    ensemble: *mut qi_ensemble,
    torque: *const f64,
) -> qi_status {
    change("qi_supply_ensemble_torque", ensemble, |e| {
        Ok(e.supply_torque(arg!(list(torque, 3 * e.active_count())))?)
    })
}

/// Supply the torque of the last stage and get the next one. The bits and failures are those of
/// qi_supply_ensemble_torque() followed by qi_next_ensemble_stage(), in one pass over the bodies.
/// (The last stage of a step takes two passes with bound arrays or a list of active bodies.) On
/// overflow, the output arrays may be partly overwritten. After the first qi_next_ensemble_stage():
///
///   while (status == QI_NEED_TORQUE) {
///       ... torque for every body, at this time, orientation and angular velocity ...
///       status = qi_continue_ensemble_step(e, torque, &time, q, omega);
///   }
///
/// @param torque  3 doubles a body, packed, world frame; must not overlap the other arrays or a
///                bound array
/// @return as qi_next_ensemble_stage()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_continue_ensemble_step(
    ensemble: *mut qi_ensemble,
    torque: *const f64,
    time: *mut f64,
    orientation: *mut f64,
    angular_velocity: *mut f64,
) -> qi_status {
    stage(
        "qi_continue_ensemble_step",
        ensemble,
        Some(torque),
        time,
        orientation,
        angular_velocity,
    )
}

/// Cancel the current step and all that were begun with it. The ensemble is as before the current
/// step, but that a splitting method may ask for its torque anew. If no step has begun, nothing
/// happens.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cancel_ensemble_step(ensemble: *mut qi_ensemble) -> qi_status {
    change("qi_cancel_ensemble_step", ensemble, |e| {
        e.cancel_step();
        Ok(())
    })
}
