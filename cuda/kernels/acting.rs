//! The torque on a body, and the coefficients of all that resists its rotation.

use crate::access::Numbers;
use crate::kernel::{PrincipalInertia, TorqueState, Vec3};
use crate::layout::{Arguments, CONSTANT_BODY, CONSTANT_WORLD, GRAVITY_GRADIENT};
use crate::layout::{LINEAR_DRAG, SHEAR_FLOW, SUPPLIED, UNIFORM_FIELD};
use crate::torque::{
    ConstantBody, ConstantWorld, FluidDrag, GravityGradient, LinearDrag, LinearFlow, PerBody,
    ShearFlow, Torque, UniformField,
};

/// The torque in the body frame, with the drag besides.
///
/// # Safety
/// As a kernel.
#[inline(always)]
pub(crate) unsafe fn torque(
    arguments: &Arguments,
    i: u64,
    here: &TorqueState<f64>,
    inertia: &PrincipalInertia<f64>,
) -> Vec3<f64> {
    let here = &if arguments.sees_rest != 0 {
        here.at_rest()
    } else {
        *here
    };
    // SAFETY: as this function
    let torque = unsafe { main_torque(arguments, i, here, inertia) };
    if arguments.drag.is_there() {
        // SAFETY: as this function
        torque + unsafe { drag(arguments, i) }.at(here)
    } else {
        torque
    }
}

/// # Safety
/// As a kernel.
#[inline(always)]
unsafe fn main_torque(
    arguments: &Arguments,
    i: u64,
    here: &TorqueState<f64>,
    inertia: &PrincipalInertia<f64>,
) -> Vec3<f64> {
    let numbers = &arguments.torque_numbers;
    let [a, b, c, ..] = arguments.torque_shared;
    let shared = &[a, b, c];
    // SAFETY: as this function
    unsafe {
        match arguments.torque {
            CONSTANT_WORLD => of::<ConstantWorld<f64>, 3>(numbers.get(i), &(), here, inertia),
            CONSTANT_BODY => of::<ConstantBody<f64>, 3>(numbers.get(i), &(), here, inertia),
            UNIFORM_FIELD => of::<UniformField<f64>, 3>(numbers.get(i), shared, here, inertia),
            GRAVITY_GRADIENT => {
                of::<GravityGradient<f64>, 1>(numbers.get(i), shared, here, inertia)
            }
            LINEAR_DRAG => of::<LinearDrag<f64>, 3>(numbers.get(i), &(), here, inertia),
            SHEAR_FLOW => {
                let flow = LinearFlow::new(if arguments.flow_gradients.is_there() {
                    arguments.flow_gradients.get(i)
                } else {
                    arguments.torque_shared
                });
                of::<ShearFlow<f64>, 6>(numbers.get(i), &flow, here, inertia)
            }
            SUPPLIED => {
                let given = Vec3(arguments.torque_array.given(i));
                here.to_world.rotate_back(given)
            }
            _ => Vec3::splat(0.0),
        }
    }
}

#[inline(always)]
fn of<T: PerBody<K>, const K: usize>(
    numbers: [f64; K],
    shared: &T::Shared,
    here: &TorqueState<f64>,
    inertia: &PrincipalInertia<f64>,
) -> Vec3<f64> {
    let mut torque = T::on::<f64>(numbers, shared);
    let Ok(torque_body) = torque.torque_body(0.0, here, inertia);
    torque_body
}

/// The drag besides the torque.
///
/// # Safety
/// As a kernel; there must be a drag.
#[inline(always)]
pub(crate) unsafe fn drag(arguments: &Arguments, i: u64) -> FluidDrag<f64> {
    // SAFETY: as this function
    unsafe {
        FluidDrag {
            coefficients: Vec3(arguments.drag.get(i)),
            flow: Vec3(arguments.drag_flow.get(i)),
        }
    }
}

/// The coefficients of all that is known to resist the rotation, body axes.
///
/// # Safety
/// As a kernel.
#[inline(always)]
pub(crate) unsafe fn resistance(arguments: &Arguments, i: u64) -> Vec3<f64> {
    let numbers = &arguments.torque_numbers;
    // SAFETY: as this function
    unsafe {
        let resistance = match arguments.torque {
            LINEAR_DRAG => Vec3(numbers.get(i)),
            SHEAR_FLOW => Vec3(numbers.get_from(i, 3)),
            _ => Vec3::splat(0.0),
        };
        if arguments.drag.is_there() {
            resistance + Vec3(arguments.drag.get(i))
        } else {
            resistance
        }
    }
}
