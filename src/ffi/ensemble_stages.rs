//! The stage protocol of ensembles.

use super::prelude::*;
use crate::memory::Output;
use crate::{Ensemble, Progress};

/// Where a stage is written. No place overlaps another or a bound array.
struct StagePlaces<'a> {
    time: Place<f64>,
    orientation: Output<'a>,
    angular_velocity: Output<'a>,
}

impl<'a> StagePlaces<'a> {
    unsafe fn new(
        e: &Ensemble,
        time: *mut f64,
        orientation: *mut f64,
        angular_velocity: *mut f64,
    ) -> Result<Self, Fault> {
        let time = arg!(output(time));
        let mut bodies = e.active_count();
        if orientation.is_null() && angular_velocity.is_null() {
            bodies = 0; // the states are not wanted
        }
        let orientation = arg!(output_array(orientation, 4 * bodies));
        let angular_velocity = arg!(output_array(angular_velocity, 3 * bodies));
        let overlaps = e.addresses_overlap_bound(&orientation.addresses())
            || e.addresses_overlap_bound(&angular_velocity.addresses())
            || overlap(&orientation.addresses(), &angular_velocity.addresses());
        check(
            !overlaps,
            "orientation or angular_velocity",
            "must not have memory in common with a bound array",
        )?;
        Ok(StagePlaces {
            time,
            orientation,
            angular_velocity,
        })
    }

    /// Checks that the torque of the last stage stays as it is while the next one is written.
    fn check_apart_from(&self, torque: &[f64], e: &Ensemble) -> Result<(), Error> {
        let read = &torque.as_ptr_range();
        let overlaps = e.addresses_overlap_bound(read)
            || overlap(read, &self.orientation.addresses())
            || overlap(read, &self.angular_velocity.addresses());
        check(
            !overlaps,
            "torque",
            "must not have memory in common with what is written",
        )
    }
}

fn status_of(progress: Progress, time: &Place<f64>) -> qi_status {
    match progress {
        Progress::NeedTorque(at) => {
            time.put(at);
            QI_NEED_TORQUE
        }
        Progress::Done => QI_OK,
    }
}

/// Begin a step of the stage protocol, in which the caller computes the torques itself: for
/// programs that cannot use callbacks. Then repeat the following calls. QI_OK ends the step, and a
/// negative status is an error:
///
///   while ((status = qi_next_ensemble_stage(e, &time, q, omega)) == QI_NEED_TORQUE) {
///       ... torque for every body, at this time, orientation and angular velocity ...
///       if ((status = qi_supply_ensemble_torque(e, torque)) != QI_OK) break;
///   }
///
/// The arrays are packed; see qi_set_ensemble_stage_layout(). A torque that is set for the ensemble
/// is not used. Until the step is complete or cancelled, no other call may change the ensemble, and
/// the caller must not write to bound arrays. The bits are those of a torque callback in the world
/// frame. qi_continue_ensemble_step() is both calls in one.
/// @param dt  length of the step; 0: no stage is needed
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_MEMORY, QI_ERR_ORDER (a step has already begun)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_begin_ensemble_step(ensemble: *mut qi_ensemble, dt: f64) -> qi_status {
    change("qi_begin_ensemble_step", ensemble, |e| {
        Ok(e.begin_steps(dt, 1)?)
    })
}

/// Begin many steps of the stage protocol. The loop is that of qi_begin_ensemble_step(), and QI_OK
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
/// transposition in each direction.
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
    compute("qi_get_ensemble_stage_layout", layout, "layout", || {
        Ok(number_of_layout(shared(ensemble)?.stage_layout()))
    })
}

/// Get the next stage of a step that has begun, and its time.
/// @param orientation       receives 4 doubles (w, x, y, z) a body, packed; must not overlap a
///                          bound array
/// @param angular_velocity  receives 3 doubles a body, packed, world frame; must not overlap a
///                          bound array or `orientation`. NaN under QI_METHOD_SPLITTING_4,
///                          _SPLITTING_6 and _FORCE_GRADIENT: the torque must not depend on it. If
///                          both arrays are NULL, the states are not wanted
/// @return QI_NEED_TORQUE: the stage has been written; supply its torque and call again. QI_OK: all
///         steps have been taken, and nothing was written. Or QI_ERR_ORIENTATION and
///         QI_ERR_NON_FINITE (as qi_step_ensemble()), QI_ERR_INVALID (overlap), QI_ERR_ORDER (also
///         if a bound array has been written to in the middle of the step, which is then cancelled)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_next_ensemble_stage(
    ensemble: *mut qi_ensemble,
    time: *mut f64,
    orientation: *mut f64,
    angular_velocity: *mut f64,
) -> qi_status {
    boundary_of_status("qi_next_ensemble_stage", || {
        let (_busy, e) = exclusive(ensemble)?;
        let to = StagePlaces::new(e, time, orientation, angular_velocity)?;
        let progress = e.write_next_stage(to.orientation, to.angular_velocity)?;
        Ok(status_of(progress, &to.time))
    })
}

/// Supply the torque of the last stage that was written. If the torque on a body is not finite,
/// qi_last_error_body() gives the body, and the stage still needs its torque. If the motion
/// overflows, this step and the remaining ones are cancelled.
/// @param torque  3 doubles a body, packed, world frame
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_supply_ensemble_torque(
    ensemble: *mut qi_ensemble,
    torque: *const f64,
) -> qi_status {
    change("qi_supply_ensemble_torque", ensemble, |e| {
        Ok(e.supply_torque(arg!(input_array(torque, 3 * e.active_count())))?)
    })
}

/// Supply the torque of the last stage and get the next one, in one call. The bits and failures are
/// those of qi_supply_ensemble_torque() followed by qi_next_ensemble_stage(). This is the loop
/// after the first qi_next_ensemble_stage():
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
    boundary_of_status("qi_continue_ensemble_step", || {
        let (_busy, e) = exclusive(ensemble)?;
        let to = StagePlaces::new(e, time, orientation, angular_velocity)?;
        let torque = arg!(input_array(torque, 3 * e.active_count()));
        to.check_apart_from(torque, e)?;
        let progress = e.continue_and_write(torque, to.orientation, to.angular_velocity)?;
        Ok(status_of(progress, &to.time))
    })
}

/// Cancel the current step and all steps that were begun with it. The ensemble is as before the
/// current step, except that a splitting method may ask for its torque again. If no step has begun,
/// nothing happens.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cancel_ensemble_step(ensemble: *mut qi_ensemble) -> qi_status {
    change("qi_cancel_ensemble_step", ensemble, |e| {
        e.cancel_step();
        Ok(())
    })
}
