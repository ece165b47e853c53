//! The torque on one body.

use super::check::{boundary, input};
use super::choices::frame_of;
use super::failure::{Fault, qi_status};
use super::objects::{exclusive, qi_body};
use super::torque::{BodyTorque, qi_torque_fn};
use crate::torque::{ConstantBody, ConstantWorld, Either, Frame, GravityGradient, LinearDrag, ShearFlow, UniformField};
use libc::c_void;

/// Let a function of the caller's act on the body, in place of the torque before.
///
/// @param torque     the function; NULL: no torque acts
/// @param user_data  passed to every call as it is; may be NULL
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_torque(body: *mut qi_body, torque: qi_torque_fn, user_data: *mut c_void) -> qi_status {
    // SAFETY: by the header's contract of handles.
    boundary("qi_set_torque", || unsafe { set(body, || Ok(BodyTorque::callback(torque, user_data))) })
}

/// Let a constant torque act on the body, in place of the torque before.
///
/// @param torque  3 doubles, in the frame given
/// @param frame   QI_FRAME_WORLD: it keeps its direction in space; QI_FRAME_BODY: it turns with the body, as a thruster does
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (frame)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_constant_torque(body: *mut qi_body, torque: *const f64, frame: i32) -> qi_status {
    let make = || {
        // SAFETY: by the header's contract of pointers.
        let torque = unsafe { input(torque, "torque") }?;
        Ok(match frame_of(frame)? {
            Frame::World => BodyTorque::InWorld(Either::A(ConstantWorld::new(torque)?)),
            Frame::Body => BodyTorque::InBodyFrame(Either::A(ConstantBody::new(torque)?)),
        })
    };
    // SAFETY: by the header's contract of handles.
    boundary("qi_set_constant_torque", || unsafe { set(body, make) })
}

/// Let a uniform field act on the body, in place of the torque before: `(R v) x F`.
///
/// The weight F of a top whose centre of mass is at v from its fixed point; a dipole v in a field F.
///
/// @param vector_body  3 doubles, v, body frame
/// @param field_world  3 doubles, F, world frame
/// @return QI_OK, or QI_ERR_NON_FINITE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_uniform_field_torque(
    body: *mut qi_body,
    vector_body: *const f64,
    field_world: *const f64,
) -> qi_status {
    let make = || {
        // SAFETY: by the header's contract of pointers.
        let (v, field) = unsafe { (input(vector_body, "vector_body")?, input(field_world, "field_world")?) };
        Ok(BodyTorque::UniformField(UniformField::new(v, field)?))
    };
    // SAFETY: by the header's contract of handles.
    boundary("qi_set_uniform_field_torque", || unsafe { set(body, make) })
}

/// Let a central gravity field act on the body, in place of the torque before: `3 g n x (I n)`.
///
/// For a body small beside its distance r from the attracting mass; source: Wertz, Spacecraft Attitude Determination and
/// Control, eq. 17-31. The direction n stays fixed in the world: for a body on an orbit, set it anew as it goes.
///
/// @param direction_world  3 doubles, along the line to the attracting mass, of any length but 0, world frame
/// @param gradient         g = G M / r^3, in 1/time^2: on a circular orbit the square of the orbital rate
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (no direction)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_gravity_gradient_torque(
    body: *mut qi_body,
    direction_world: *const f64,
    gradient: f64,
) -> qi_status {
    let make = || {
        // SAFETY: by the header's contract of pointers.
        let direction_world = unsafe { input(direction_world, "direction_world") }?;
        Ok(BodyTorque::InWorld(Either::B(Either::A(GravityGradient::new(direction_world, gradient)?))))
    };
    // SAFETY: by the header's contract of handles.
    boundary("qi_set_gravity_gradient_torque", || unsafe { set(body, make) })
}

/// Let a linear drag act on the body, in place of the torque before: `-c_i omega_i` about each axis of the body.
///
/// @param coefficients  3 doubles, c, torque per rad/s about the body axes x, y, z; a negative one drives
/// @return QI_OK, or QI_ERR_NON_FINITE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_linear_drag_torque(body: *mut qi_body, coefficients: *const f64) -> qi_status {
    let make = || {
        // SAFETY: by the header's contract of pointers.
        let coefficients = unsafe { input(coefficients, "coefficients") }?;
        Ok(BodyTorque::InBodyFrame(Either::B(LinearDrag::new(coefficients)?)))
    };
    // SAFETY: by the header's contract of handles.
    boundary("qi_set_linear_drag_torque", || unsafe { set(body, make) })
}

/// Let a viscous fluid in linear flow act on the body, an ellipsoid, in place of the torque before: Jeffery's torque.
///
/// For slow flow (no inertia of the fluid). Source: G. B. Jeffery, Proc. R. Soc. Lond. A 102, 161 (1922), eq. 36. The body axes
/// are those of the ellipsoid. The bodies' translation is not concerned: the velocity is that relative to its centre.
///
/// @param semi_axes          3 doubles, along the body axes, positive
/// @param viscosity          dynamic viscosity of the fluid, positive
/// @param velocity_gradient  9 doubles, row-major, world frame: how component i of the velocity changes along axis j
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (not positive)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_shear_flow_torque(
    body: *mut qi_body,
    semi_axes: *const f64,
    viscosity: f64,
    velocity_gradient: *const f64,
) -> qi_status {
    let make = || {
        // SAFETY: by the header's contract of pointers.
        let (axes, gradient) =
            unsafe { (input(semi_axes, "semi_axes")?, input(velocity_gradient, "velocity_gradient")?) };
        Ok(BodyTorque::InWorld(Either::B(Either::B(ShearFlow::new(axes, viscosity, gradient)?))))
    };
    // SAFETY: by the header's contract of handles.
    boundary("qi_set_shear_flow_torque", || unsafe { set(body, make) })
}

/// # Safety
/// That of [`exclusive`].
unsafe fn set(body: *mut qi_body, make: impl FnOnce() -> Result<BodyTorque, Fault>) -> Result<(), Fault> {
    // SAFETY: the caller's.
    let mut body = unsafe { exclusive(body, "body") }?;
    body.torque = make()?;
    Ok(())
}
