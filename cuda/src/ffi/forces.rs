//! What acts on the bodies: the functions of quatint.h with the same names. Parameters are copied,
//! unless a comment says otherwise; those of bodies may be in the memory of the host or the device.

use super::arguments::{array, input, is_body_frame, numbers, optional};
use super::ensemble::{change, qi_cuda_ensemble, read};
use super::status::{QI_CUDA_METHOD_BROWNIAN, QI_CUDA_METHOD_PCDM, qi_cuda_status};
use crate::error::check;
use crate::method::Method;
use crate::properties::{Drag, HeatBath, Torque};
use crate::refusal::Refusal;

/// Choose the integration method.
/// @param method  QI_CUDA_METHOD_PCDM or another
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_set_method(
    ensemble: *mut qi_cuda_ensemble,
    method: i32,
) -> qi_cuda_status {
    change("qi_cuda_set_method", ensemble, |e| {
        let is_known = (QI_CUDA_METHOD_PCDM..=QI_CUDA_METHOD_BROWNIAN).contains(&method);
        check(is_known, "method", "must be one of the methods")?;
        e.set_method(Method::ALL[method as usize])
    })
}

/// Let no torque act. A function on the CPU cannot give torques to bodies on a device: the stage
/// protocol, qi_cuda_begin_steps(), takes torques from your own kernels.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_clear_torque(ensemble: *mut qi_cuda_ensemble) -> qi_cuda_status {
    change("qi_cuda_clear_torque", ensemble, |e| {
        e.set_torque(Torque::free())
    })
}

/// Replace the torque on each body by a constant torque.
/// @param torques  3 doubles a body, in the frame that `frame` selects
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_set_constant_torque(
    ensemble: *mut qi_cuda_ensemble,
    torques: *const f64,
    body_stride: isize,
    frame: i32,
) -> qi_cuda_status {
    change("qi_cuda_set_constant_torque", ensemble, |e| {
        let torques = numbers(e, torques, body_stride, 1, "torques")?;
        let torque = Torque::constant(e.device(), &torques, is_body_frame(frame)?)?;
        e.set_torque(torque)
    })
}

/// Replace the torque on each body by that of a uniform field, (R v) x F.
/// @param vectors_body  3 doubles a body, v, body frame
/// @param field_world   3 doubles, F, world frame
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_set_uniform_field_torque(
    ensemble: *mut qi_cuda_ensemble,
    vectors_body: *const f64,
    body_stride: isize,
    field_world: *const f64,
) -> qi_cuda_status {
    change("qi_cuda_set_uniform_field_torque", ensemble, |e| {
        let vectors = numbers(e, vectors_body, body_stride, 1, "vectors_body")?;
        let field = input(field_world, "field_world")?;
        let torque = Torque::uniform_field(e.device(), &vectors, field)?;
        e.set_torque(torque)
    })
}

/// Replace the torque on each body by that of a central gravity field.
/// @param direction_world  3 doubles: the direction to the centre, world frame, of any length but 0
/// @param gradients        1 double a body, G M / r^3
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_set_gravity_gradient_torque(
    ensemble: *mut qi_cuda_ensemble,
    direction_world: *const f64,
    gradients: *const f64,
    body_stride: isize,
) -> qi_cuda_status {
    change("qi_cuda_set_gravity_gradient_torque", ensemble, |e| {
        let gradients = numbers(e, gradients, body_stride, 1, "gradients")?;
        let direction = input(direction_world, "direction_world")?;
        let torque = Torque::gravity_gradient(e.device(), direction, &gradients)?;
        e.set_torque(torque)
    })
}

/// Replace the torque on each body by a linear drag, -c_i omega_i about each body axis.
/// @param coefficients  3 doubles a body, c
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_set_linear_drag_torque(
    ensemble: *mut qi_cuda_ensemble,
    coefficients: *const f64,
    body_stride: isize,
) -> qi_cuda_status {
    change("qi_cuda_set_linear_drag_torque", ensemble, |e| {
        let coefficients = numbers(e, coefficients, body_stride, 1, "coefficients")?;
        let torque = Torque::linear_drag(e.device(), &coefficients)?;
        e.set_torque(torque)
    })
}

/// Replace the torque on each body by that of a viscous flow on an ellipsoid (Jeffery).
/// @param semi_axes          3 doubles a body, along the body axes
/// @param viscosity          the dynamic viscosity
/// @param velocity_gradient  9 doubles, row-major, world frame, of the flow around all bodies; see
///                           qi_cuda_bind_flow_gradients() for one of each body
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_set_shear_flow_torque(
    ensemble: *mut qi_cuda_ensemble,
    semi_axes: *const f64,
    body_stride: isize,
    viscosity: f64,
    velocity_gradient: *const f64,
) -> qi_cuda_status {
    change("qi_cuda_set_shear_flow_torque", ensemble, |e| {
        let semi_axes = numbers(e, semi_axes, body_stride, 1, "semi_axes")?;
        let gradient = input(velocity_gradient, "velocity_gradient")?;
        let torque = Torque::shear_flow(e.device(), &semi_axes, viscosity, gradient)?;
        e.set_torque(torque)
    })
}

/// From now on the torque of a shear flow reads the velocity gradient at each body in this array on
/// the device, which your flow solver may write between the steps. NULL: it is again the one that
/// all bodies share.
/// @param gradients  9 doubles a body, row-major, world frame
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_bind_flow_gradients(
    ensemble: *mut qi_cuda_ensemble,
    gradients: *const f64,
    body_stride: isize,
    component_stride: isize,
) -> qi_cuda_status {
    change("qi_cuda_bind_flow_gradients", ensemble, |e| {
        if gradients.is_null() {
            return e.bind_flow_gradients(None);
        }
        let strides = [body_stride, component_stride];
        let array = array(gradients, (e.count, 9), strides, "gradients")?;
        e.bind_flow_gradients(Some(array))
    })
}

/// A linear drag on each body, besides the torque. NULL for `coefficients`: none.
/// @param coefficients        3 doubles a body, about the body axes
/// @param coefficient_stride  the body stride of `coefficients`
/// @param flow                3 doubles a body: the angular velocity of the fluid, world frame. NULL:
///                            the fluid is at rest
/// @param flow_stride         the body stride of `flow`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_set_drag(
    ensemble: *mut qi_cuda_ensemble,
    coefficients: *const f64,
    coefficient_stride: isize,
    flow: *const f64,
    flow_stride: isize,
) -> qi_cuda_status {
    change("qi_cuda_set_drag", ensemble, |e| {
        let coefficients = optional(e, coefficients, coefficient_stride, "coefficients")?;
        let flow = optional(e, flow, flow_stride, "flow")?;
        let drag = coefficients.map(|c| Drag::new(e.device(), &c, flow.as_ref()));
        e.set_drag(drag.transpose()?)
    })
}

/// Random torques besides the torque: drag, and the noise that belongs to it at the energy kT, which
/// is that of the CPU, bit for bit. NULL for `coefficients`: none.
/// @param coefficients        3 doubles a body, about the body axes
/// @param coefficient_stride  the body stride of `coefficients`
/// @param flow                as in qi_cuda_set_drag()
/// @param flow_stride         the body stride of `flow`
/// @param kt                  the energy kT
/// @param seed                the seed of all noise
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_set_langevin(
    ensemble: *mut qi_cuda_ensemble,
    coefficients: *const f64,
    coefficient_stride: isize,
    flow: *const f64,
    flow_stride: isize,
    kt: f64,
    seed: u64,
) -> qi_cuda_status {
    change("qi_cuda_set_langevin", ensemble, |e| {
        let coefficients = optional(e, coefficients, coefficient_stride, "coefficients")?;
        let flow = optional(e, flow, flow_stride, "flow")?;
        let bath = coefficients.map(|c| HeatBath::new(e.device(), &c, flow.as_ref(), kt, seed));
        e.set_heat_bath(bath.transpose()?)
    })
}

/// Set the id of each body, which its noise depends on. NULL: its index.
/// @param ids  a number for each body
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_set_ids(
    ensemble: *mut qi_cuda_ensemble,
    ids: *const u64,
) -> qi_cuda_status {
    change("qi_cuda_set_ids", ensemble, |e| {
        let ids = if ids.is_null() {
            None
        } else {
            Some(std::slice::from_raw_parts(ids, e.count))
        };
        e.set_ids(ids)
    })
}

/// How many times noise has been drawn, which the noise of the next step depends on.
/// @param draws  1 number, output
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_get_noise(
    ensemble: *const qi_cuda_ensemble,
    draws: *mut u64,
) -> qi_cuda_status {
    read("qi_cuda_get_noise", ensemble, |e| {
        *draws.as_mut().ok_or(Refusal::Null("draws"))? = e.random.draws;
        Ok(())
    })
}

/// Restore what qi_cuda_get_noise() has returned.
/// @param draws  the number of draws
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_set_noise(
    ensemble: *mut qi_cuda_ensemble,
    draws: u64,
) -> qi_cuda_status {
    change("qi_cuda_set_noise", ensemble, |e| {
        e.protocol.check_no_step_begun()?;
        e.random.draws = draws;
        Ok(())
    })
}

/// Make a method that keeps the last torques ask for them again in the next step: call it when you
/// have written to a bound array, or something else that the torque reads has changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_forget_torques(ensemble: *mut qi_cuda_ensemble) -> qi_cuda_status {
    change("qi_cuda_forget_torques", ensemble, |e| {
        Ok(e.forget_torques()?)
    })
}
