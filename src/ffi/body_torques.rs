//! The torque on one body.

use super::prelude::*;
use super::torque::{BodyTorque, Ellipsoid, qi_torque_fn};
use crate::method::Change;
use crate::torque::{
    ConstantBody, ConstantWorld, Frame, GravityGradient, LinearDrag, UniformField,
};

impl TorquedBody {
    fn set_torque(&mut self, torque: BodyTorque) -> Result<(), Fault> {
        let plan = torque.taken_by(&self.body, self.body.method(), "torque")?;
        self.torque = torque;
        self.body.forget(Change::of_forces(plan.is_damped()));
        Ok(())
    }
}

/// Replace the torque on the body by a callback.
///
/// ```c
/// static int32_t pendulum(double time, const double *q, const double *omega, double *torque,
///                         void *data)
/// {
///     const double arm[3] = {0, 0, -1}, weight[3] = {0, 0, -9.81};
///     (void)time, (void)omega, (void)data;
///     return qi_add_uniform_field_torque(q, arm, weight, torque) != QI_OK;
/// }
///
/// status = qi_set_torque(body, pendulum, NULL);
/// ```
/// @param torque     the callback; NULL: no torque acts
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_torque(
    body: *mut qi_body,
    torque: qi_torque_fn,
    user_data: *mut c_void,
) -> qi_status {
    change("qi_set_torque", body, |b| {
        b.set_torque(BodyTorque::callback(torque, user_data))
    })
}

/// Replace the torque on the body by a constant torque.
/// @param torque  3 doubles, in the frame that `frame` selects
/// @param frame   with QI_FRAME_WORLD, the torque keeps its direction in space; with QI_FRAME_BODY,
///                it turns with the body, like that of a thruster
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_constant_torque(
    body: *mut qi_body,
    torque: *const f64,
    frame: i32,
) -> qi_status {
    change("qi_set_constant_torque", body, |b| {
        let torque = arg!(input(torque));
        b.set_torque(match frame_of(frame)? {
            Frame::World => BodyTorque::ready_made(ConstantWorld::new(torque)?)?,
            Frame::Body => BodyTorque::ready_made(ConstantBody::new(torque)?)?,
        })
    })
}

/// Replace the torque on the body by that of a uniform field: `(R v) x F`, where R is the rotation
/// matrix of the body. For a top, F is the weight, and v points from the fixed point to the centre
/// of mass. For a dipole, v is its moment, and F is the field.
///
/// ```c
/// const double arm[3] = {0, 0, 0.04}, weight[3] = {0, 0, -9.81 * 0.3};
/// status = qi_set_uniform_field_torque(body, arm, weight);
/// ```
/// @param vector_body  3 doubles, v, body frame
/// @param field_world  3 doubles, F, world frame
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_uniform_field_torque(
    body: *mut qi_body,
    vector_body: *const f64,
    field_world: *const f64,
) -> qi_status {
    change("qi_set_uniform_field_torque", body, |b| {
        let field = UniformField::new(arg!(input(vector_body)), arg!(input(field_world)))?;
        b.set_torque(BodyTorque::ready_made(field)?)
    })
}

/// Replace the torque on the body by that of a central gravity field: `3 g n x (I n)`. The body
/// must be small compared with its distance r from the attracting mass. The direction n is fixed in
/// the world frame; for a body in orbit, set the torque again as the body moves. I is that of the
/// mass: qi_set_locked_axes() does not change the torque. Source: Wertz, Spacecraft Attitude
/// Determination and Control, eq. 17-31.
/// @param direction_world  3 doubles, n, world frame, along the line to the attracting mass, of any
///                         length but 0
/// @param gradient         g = G M / r^3, in 1/time^2; on a circular orbit, this is the square of
///                         the orbital rate
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_gravity_gradient_torque(
    body: *mut qi_body,
    direction_world: *const f64,
    gradient: f64,
) -> qi_status {
    change("qi_set_gravity_gradient_torque", body, |b| {
        let gravity = GravityGradient::new(arg!(input(direction_world)), gradient)?;
        b.set_torque(BodyTorque::ready_made(gravity)?)
    })
}

/// Replace the torque on the body by a linear drag: `-c_i omega_i` about each body axis i.
/// @param coefficients  3 doubles, c, torque per rad/s about the body axes x, y, z; a negative
///                      coefficient drives the rotation
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_linear_drag_torque(
    body: *mut qi_body,
    coefficients: *const f64,
) -> qi_status {
    change("qi_set_linear_drag_torque", body, |b| {
        let drag = LinearDrag::new(arg!(input(coefficients)))?;
        b.set_torque(BodyTorque::ready_made(drag)?)
    })
}

/// Replace the torque on the body by Jeffery's torque: that of a viscous fluid in linear flow on an
/// ellipsoid.
///
/// It holds for slow flow, where the inertia of the fluid is negligible. The axes of the ellipsoid
/// are the body axes. The translation of the body does not matter. Source: G. B. Jeffery, Proc. R.
/// Soc. Lond. A 102, 161 (1922), eq. 36.
///
/// A gradient that changes along the way of the body is set again before each step. With the same
/// semi-axes and viscosity only the gradient is exchanged, which takes as long as reading it. (For
/// many bodies: qi_bind_flow_gradients().)
///
/// Beside random torques the torque acts as on a body at rest, because they bring the drag of this
/// fluid: give them the resistances of the ellipsoid, and a fluid that does not rotate (NULL).
/// @param semi_axes          3 doubles, along the body axes, positive
/// @param viscosity          dynamic viscosity of the fluid, positive
/// @param velocity_gradient  9 doubles, row-major, world frame: entry (i, j) is d(velocity
///                           component i) / d(position j). OpenFOAM's grad(U) is the transpose
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_shear_flow_torque(
    body: *mut qi_body,
    semi_axes: *const f64,
    viscosity: f64,
    velocity_gradient: *const f64,
) -> qi_status {
    change("qi_set_shear_flow_torque", body, |b| {
        let ellipsoid = Ellipsoid {
            semi_axes: arg!(input(semi_axes)),
            viscosity,
        };
        let velocity_gradient = arg!(input(velocity_gradient));
        if b.torque.change_flow(&ellipsoid, velocity_gradient)? {
            b.body.forget_torque();
            return Ok(());
        }
        b.set_torque(BodyTorque::shear_flow(ellipsoid, velocity_gradient)?)
    })
}

/// Get the last return value of the torque callback. It is 0 if the callback succeeded, if it has
/// not run yet, if there is no callback, or if `body` is NULL. (For an ensemble,
/// qi_get_ensemble_callback_result() gives the value that aborted a step.)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_callback_result(body: *const qi_body) -> i32 {
    value_or_zero("qi_get_callback_result", body, |b| match &b.torque {
        BodyTorque::Callback(callback) => Ok(callback.result),
        _ => Ok(0),
    })
}
