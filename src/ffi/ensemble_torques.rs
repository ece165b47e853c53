//! The torque on the bodies of an ensemble.

use super::prelude::*;
use super::torque::{chunk_torque, qi_ensemble_torque_fn};

/// Replace the torque on the bodies by a callback; see qi_set_torque().
///
/// ```c
/// static int32_t motors(double time, size_t first, size_t count, const double *q,
///                       const double *omega, double *torque, void *data)
/// {
///     const double *strength = data;
///     (void)time, (void)q, (void)omega;
///     for (size_t i = 0; i < count; i++) torque[3 * i + 2] = strength[first + i];
///     return 0;
/// }
///
/// status = qi_set_ensemble_torque(ensemble, motors, QI_LAYOUT_AOS, QI_FRAME_BODY, strength);
/// ```
/// @param layout  QI_LAYOUT_AOS or QI_LAYOUT_SOA
/// @param frame   QI_FRAME_WORLD or QI_FRAME_BODY, for the angular velocity and the torque
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_torque(
    ensemble: *mut qi_ensemble,
    torque: qi_ensemble_torque_fn,
    layout: i32,
    frame: i32,
    user_data: *mut c_void,
) -> qi_status {
    change("qi_set_ensemble_torque", ensemble, |e| {
        let layout = layout_of(layout)?;
        let frame = frame_of(frame)?;
        match chunk_torque(torque, user_data)? {
            None => Ok(e.set_free()?),
            Some(torque) => Ok(e.set_torque(torque, layout, frame)?),
        }
    })
}

/// Replace the torque on each body by a constant torque; see qi_set_constant_torque().
/// @param torques      3 doubles a body, in the frame that `frame` selects, at
///                     `torques[i * body_stride]` for body i; copied
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_constant_torque(
    ensemble: *mut qi_ensemble,
    torques: *const f64,
    body_stride: isize,
    frame: i32,
) -> qi_status {
    change("qi_set_ensemble_constant_torque", ensemble, |e| {
        Ok(e.set_constant_torque(arg!(view(torques, e, body_stride, 1)), frame_of(frame)?)?)
    })
}

/// Replace the torque on each body by that of a uniform field; see qi_set_uniform_field_torque().
/// @param vectors_body  3 doubles a body, v, body frame, at `vectors_body[i * body_stride]` for
///                      body i; copied
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_uniform_field_torque(
    ensemble: *mut qi_ensemble,
    vectors_body: *const f64,
    body_stride: isize,
    field_world: *const f64,
) -> qi_status {
    change("qi_set_ensemble_uniform_field_torque", ensemble, |e| {
        Ok(e.set_uniform_field(
            arg!(view(vectors_body, e, body_stride, 1)),
            arg!(input(field_world)),
        )?)
    })
}

/// Replace the torque on each body by that of a central gravity field; see
/// qi_set_gravity_gradient_torque().
/// @param gradients  1 double a body, g = G M / r^3, at `gradients[i * body_stride]` for body i;
///                   copied
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_gravity_gradient_torque(
    ensemble: *mut qi_ensemble,
    direction_world: *const f64,
    gradients: *const f64,
    body_stride: isize,
) -> qi_status {
    change("qi_set_ensemble_gravity_gradient_torque", ensemble, |e| {
        Ok(e.set_gravity_gradient(
            arg!(input(direction_world)),
            arg!(view(gradients, e, body_stride, 1)),
        )?)
    })
}

/// Replace the torque on each body by a linear drag, with coefficients of each body; see
/// qi_set_linear_drag_torque().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_linear_drag_torque(
    ensemble: *mut qi_ensemble,
    coefficients: *const f64,
    body_stride: isize,
) -> qi_status {
    change("qi_set_ensemble_linear_drag_torque", ensemble, |e| {
        Ok(e.set_linear_drag(arg!(view(coefficients, e, body_stride, 1)))?)
    })
}

/// Replace the torque on each body, an ellipsoid with semi-axes of its own, by that of a viscous
/// fluid; see qi_set_shear_flow_torque().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_shear_flow_torque(
    ensemble: *mut qi_ensemble,
    semi_axes: *const f64,
    body_stride: isize,
    viscosity: f64,
    velocity_gradient: *const f64,
) -> qi_status {
    change("qi_set_ensemble_shear_flow_torque", ensemble, |e| {
        Ok(e.set_shear_flow(
            arg!(view(semi_axes, e, body_stride, 1)),
            viscosity,
            arg!(input(velocity_gradient)),
        )?)
    })
}

/// Bind an array of velocity gradients, one at each body, in place of the one that all bodies share
/// in qi_set_ensemble_shear_flow_torque(). Each body has the bits of a body alone with this
/// gradient in qi_set_shear_flow_torque(). The array acts with any method, and with drag and random
/// torques. Under other torques it does not act; but binding, also of NULL, makes the splitting
/// methods ask for the torques again.
///
/// The array is read in each call that takes steps, at every torque evaluation, and never written.
/// A flow solver writes it between the calls; during a call the gradients are constant. Gradients
/// at the middle of the step give order 2. QI_METHOD_SPLITTING computes the torque at the start of
/// each call again, which may change it by rounding: one call of many steps and many calls of one
/// differ in their last bits.
///
/// The array must exist until another one, or NULL, is bound, or the ensemble is destroyed.
/// qi_release_arrays(), qi_resize_ensemble() and qi_select_bodies() release it; then steps in a
/// shear flow fail (QI_ERR_ORDER) until an array or NULL is bound.
/// The strides 9, 3, 1 are for gradients by rows (du_x/dx, du_x/dy, ...), and 9, 1, 3 for gradients
/// as OpenFOAM's fvc::grad(U) has them (du_x/dx, du_y/dx, ...), whose row i holds d u_j / d x_i.
/// @param gradients      9 doubles a body, world frame: d u_j / d x_k at body i is at
///                       `gradients[i * body_stride + j * row_stride + k * column_stride]`; NULL:
///                       the shared gradient again
/// @param body_stride    doubles from one body to the next; 0: all read the same nine
/// @param row_stride     doubles from one component of the velocity to the next
/// @param column_stride  doubles from the derivative along one axis to that along the next
/// @return QI_OK, or QI_ERR_NON_FINITE (an active body; also by a step), QI_ERR_INVALID (strides, or
///         overlap with a bound array)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_bind_flow_gradients(
    ensemble: *mut qi_ensemble,
    gradients: *const f64,
    body_stride: isize,
    row_stride: isize,
    column_stride: isize,
) -> qi_status {
    change("qi_bind_flow_gradients", ensemble, |e| {
        let strides = [body_stride, row_stride, column_stride];
        Ok(e.bind_flow_gradients(optional!(matrices(gradients, e, strides)))?)
    })
}
