//! The torque on the bodies of an ensemble.

use super::choices::{frame_of, layout_of};
use super::prelude::*;
use super::torque::{ChunkCallback, qi_ensemble_torque_fn};

/// Replace the torque on the bodies by a callback.
/// @param torque     the callback; NULL: no torque acts
/// @param layout     QI_LAYOUT_AOS or QI_LAYOUT_SOA
/// @param frame      QI_FRAME_WORLD or QI_FRAME_BODY, for the angular velocity and the torque
/// @param user_data  passed to every call unchanged; may be NULL
/// @return QI_OK, or QI_ERR_INVALID (layout, frame), QI_ERR_MEMORY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_torque(
    ensemble: *mut qi_ensemble, torque: qi_ensemble_torque_fn, layout: i32, frame: i32, user_data: *mut c_void,
) -> qi_status {
    change("qi_set_ensemble_torque", ensemble, |e| {
        let (layout, frame) = (layout_of(layout)?, frame_of(frame)?);
        let Some(function) = torque else { return Ok(e.set_free()?) };
        Ok(e.set_torque(ChunkCallback { function, user_data }.into_torque()?, layout, frame)?)
    })
}

/// Replace the torque on each body by a constant torque; see qi_set_constant_torque().
/// @param torques      3 doubles a body, in the frame that `frame` selects, at `torques[i * body_stride]` for body i; copied
/// @param frame        QI_FRAME_WORLD or QI_FRAME_BODY
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (frame, stride, or a value out of range), QI_ERR_MEMORY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_constant_torque(
    ensemble: *mut qi_ensemble, torques: *const f64, body_stride: isize, frame: i32,
) -> qi_status {
    change("qi_set_ensemble_constant_torque", ensemble, |e| {
        Ok(e.set_constant_torque(arg!(view(torques, e.count(), body_stride, 1)), frame_of(frame)?)?)
    })
}

/// Replace the torque on each body by that of a uniform field; see qi_set_uniform_field_torque().
/// @param vectors_body  3 doubles a body, v, body frame, at `vectors_body[i * body_stride]` for body i; copied
/// @param field_world   3 doubles, F, world frame
/// @return as qi_set_ensemble_constant_torque()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_uniform_field_torque(
    ensemble: *mut qi_ensemble, vectors_body: *const f64, body_stride: isize, field_world: *const f64,
) -> qi_status {
    change("qi_set_ensemble_uniform_field_torque", ensemble, |e| {
        let vectors_body = arg!(view(vectors_body, e.count(), body_stride, 1));
        Ok(e.set_uniform_field(vectors_body, arg!(input(field_world)))?)
    })
}

/// Replace the torque on each body by that of a central gravity field; see qi_set_gravity_gradient_torque().
/// @param direction_world  3 doubles, n, world frame, along the line to the attracting mass, of any length but 0
/// @param gradients        1 double a body, g = G M / r^3, at `gradients[i * body_stride]` for body i; copied
/// @return as qi_set_ensemble_constant_torque()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_gravity_gradient_torque(
    ensemble: *mut qi_ensemble, direction_world: *const f64, gradients: *const f64, body_stride: isize,
) -> qi_status {
    change("qi_set_ensemble_gravity_gradient_torque", ensemble, |e| {
        let direction_world = arg!(input(direction_world));
        Ok(e.set_gravity_gradient(direction_world, arg!(view(gradients, e.count(), body_stride, 1)))?)
    })
}

/// Replace the torque on each body by a linear drag; see qi_set_linear_drag_torque().
/// @param coefficients  3 doubles a body, c, about the body axes, at `coefficients[i * body_stride]` for body i; copied
/// @return as qi_set_ensemble_constant_torque()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_linear_drag_torque(
    ensemble: *mut qi_ensemble, coefficients: *const f64, body_stride: isize,
) -> qi_status {
    change("qi_set_ensemble_linear_drag_torque", ensemble, |e| {
        Ok(e.set_linear_drag(arg!(view(coefficients, e.count(), body_stride, 1)))?)
    })
}

/// Replace the torque on each body, an ellipsoid, by that of a viscous fluid; see qi_set_shear_flow_torque().
/// @param semi_axes          3 doubles a body, along the body axes, at `semi_axes[i * body_stride]` for body i; copied
/// @param viscosity          dynamic viscosity of the fluid
/// @param velocity_gradient  9 doubles, row-major, world frame
/// @return as qi_set_ensemble_constant_torque()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_shear_flow_torque(
    ensemble: *mut qi_ensemble, semi_axes: *const f64, body_stride: isize, viscosity: f64,
    velocity_gradient: *const f64,
) -> qi_status {
    change("qi_set_ensemble_shear_flow_torque", ensemble, |e| {
        let gradient = arg!(input(velocity_gradient));
        Ok(e.set_shear_flow(arg!(view(semi_axes, e.count(), body_stride, 1)), viscosity, gradient)?)
    })
}
