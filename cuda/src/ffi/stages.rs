//! The stage protocol: torques from the caller's own kernels.

use super::arguments::{Number, array};
use super::ensemble::{change, ensemble_at, qi_cuda_ensemble};
use super::status::{QI_CUDA_NEED_TORQUE, QI_CUDA_OK, qi_cuda_status, status};
use crate::ensemble::Ensemble;
use crate::layout::Array;
use crate::refusal::Refusal;
use crate::stages::Shown;

/// Begin steps with torques from your own kernels:
///
///     qi_cuda_begin_steps(ensemble, dt, steps);
///     while (qi_cuda_next_stage(ensemble, orientation, angular_velocity, &time)
///            == QI_CUDA_NEED_TORQUE) {
///         my_kernel<<<blocks, 128, 0, stream>>>(time, orientation, angular_velocity, torque);
///         qi_cuda_supply_torque(ensemble, torque);
///     }
///
/// Until they end, the bound arrays must not be written to, and nothing else may change the
/// ensemble (QI_CUDA_ERR_ORDER). A body whose torque is not finite keeps its state from before the
/// step, and what is shown of its later stages in this step is NaN.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_begin_steps(
    ensemble: *mut qi_cuda_ensemble,
    dt: f64,
    steps: u64,
) -> qi_cuda_status {
    change("qi_cuda_begin_steps", ensemble, |e| {
        e.begin_steps(dt, steps)
    })
}

fn packed<T: Number>(
    e: &Ensemble,
    data: *const T,
    components: usize,
    name: &'static str,
) -> Result<Array, Refusal> {
    if data.is_null() {
        return Ok(Array::default());
    }
    array(data, (e.count, components), [components as isize, 1], name)
}

unsafe fn next<T: Number>(
    function: &str,
    ensemble: *mut qi_cuda_ensemble,
    [orientation, angular_velocity]: [*mut T; 2],
    time: *mut f64,
) -> qi_cuda_status {
    status(function, || {
        let e = ensemble_at(ensemble)?;
        let shown = Shown {
            orientation: packed(e, orientation.cast_const(), 4, "orientation")?,
            velocity: packed(e, angular_velocity.cast_const(), 3, "angular_velocity")?,
        };
        Ok(match e.next_stage(shown)? {
            None => QI_CUDA_OK,
            Some(of_stage) => {
                // SAFETY: it is valid, or NULL
                if let Some(time) = unsafe { time.as_mut() } {
                    *time = of_stage;
                }
                QI_CUDA_NEED_TORQUE
            }
        })
    })
}

/// Write the states of the next stage to arrays on the device.
/// @param orientation       4 doubles a body, packed, scalar first; NULL: not wanted
/// @param angular_velocity  3 doubles a body, packed, world frame; NULL: not wanted
/// @param time              1 double, output, in the memory of the host: the time of this stage.
///                          NULL: not wanted
/// @return QI_CUDA_NEED_TORQUE, or QI_CUDA_OK when all steps are complete
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_next_stage(
    ensemble: *mut qi_cuda_ensemble,
    orientation: *mut f64,
    angular_velocity: *mut f64,
    time: *mut f64,
) -> qi_cuda_status {
    let to = [orientation, angular_velocity];
    next("qi_cuda_next_stage", ensemble, to, time)
}

/// The same for arrays of floats.
/// @param orientation       4 floats a body, packed, scalar first; NULL: not wanted
/// @param angular_velocity  3 floats a body, packed, world frame; NULL: not wanted
/// @param time              as in qi_cuda_next_stage()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_next_stage_f32(
    ensemble: *mut qi_cuda_ensemble,
    orientation: *mut f32,
    angular_velocity: *mut f32,
    time: *mut f64,
) -> qi_cuda_status {
    let to = [orientation, angular_velocity];
    next("qi_cuda_next_stage_f32", ensemble, to, time)
}

/// Supply the torques of the stage shown last. With those of the last stage of a step the bound
/// arrays have its end.
/// @param torque  3 doubles a body, packed, world frame, on the device
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_supply_torque(
    ensemble: *mut qi_cuda_ensemble,
    torque: *const f64,
) -> qi_cuda_status {
    change("qi_cuda_supply_torque", ensemble, |e| {
        let torque = array(torque, (e.count, 3), [3, 1], "torque")?;
        e.supply_torque(torque)
    })
}

/// The same for an array of floats.
/// @param torque  3 floats a body, packed, world frame, on the device
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_supply_torque_f32(
    ensemble: *mut qi_cuda_ensemble,
    torque: *const f32,
) -> qi_cuda_status {
    change("qi_cuda_supply_torque_f32", ensemble, |e| {
        let torque = array(torque, (e.count, 3), [3, 1], "torque")?;
        e.supply_torque(torque)
    })
}

/// Cancel the step that has been begun and those after it. The bodies are as before the step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_cancel_step(ensemble: *mut qi_cuda_ensemble) -> qi_cuda_status {
    change("qi_cuda_cancel_step", ensemble, |e| {
        e.cancel_step();
        Ok(())
    })
}
