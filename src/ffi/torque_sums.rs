//! Torques for a state, to be added up in a callback.

use super::prelude::*;
use crate::kernel::{RotationMatrix, TorqueState, Vec3};
use crate::rotation::direction;
use crate::torque::resistances as resistances_of;
use crate::torque::{FluidDrag, LinearFlow, ShearFlow, UniformField, gravity_gradient};

/// Adds a torque that depends on the orientation to the caller's sum. `torque_body` gives it in the
/// body frame, from the rotation of the body.
unsafe fn add_at_orientation(
    function: &'static str,
    orientation: *const f64,
    torque: *mut f64,
    torque_body: impl FnOnce(RotationMatrix<f64>) -> Result<Vec3<f64>, Fault>,
) -> qi_status {
    compute(function, torque, "torque", || {
        let q = arg!(unit(orientation));
        let sum = arg!(input(torque));
        let to_world = q.to_matrix();
        sum_in_world(sum, to_world, torque_body(to_world)?)
    })
}

/// Adds a torque that depends on the orientation and the angular velocity to the caller's sum.
/// `torque_body` gives it in the body frame.
unsafe fn add_at_state(
    function: &'static str,
    orientation: *const f64,
    angular_velocity: *const f64,
    torque: *mut f64,
    torque_body: impl FnOnce(&TorqueState<f64>) -> Result<Vec3<f64>, Fault>,
) -> qi_status {
    compute(function, torque, "torque", || {
        let q = arg!(unit(orientation));
        let sum = arg!(input(torque));
        let omega_world = Vec3(arg!(finite_input(angular_velocity)));
        let to_world = q.to_matrix();
        let here = TorqueState {
            q,
            to_world,
            omega_body: to_world.rotate_back(omega_world),
            omega_world,
        };
        sum_in_world(sum, to_world, torque_body(&here)?)
    })
}

fn sum_in_world(
    sum: [f64; 3],
    to_world: RotationMatrix<f64>,
    torque_body: Vec3<f64>,
) -> Result<[f64; 3], Fault> {
    let sum = Vec3(sum) + to_world.rotate(torque_body);
    Ok(finite("torque", sum.0)?)
}

/// Add a torque that is given in the body frame, such as that of a thruster or a wheel, to a torque
/// in the world frame.
///
/// With this and the following functions, a callback adds up several torques. Each function takes
/// the state that the callback gets, and adds to `torque`, which is 0 when the callback is called.
/// @param torque_body  3 doubles, body frame
/// @param torque       3 doubles, world frame: the sum
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_add_body_torque(
    orientation: *const f64,
    torque_body: *const f64,
    torque: *mut f64,
) -> qi_status {
    add_at_orientation("qi_add_body_torque", orientation, torque, |_| {
        Ok(Vec3(arg!(finite_input(torque_body))))
    })
}

/// Add the torque of a uniform field, `(R v) x F`; see qi_set_uniform_field_torque() and
/// qi_add_body_torque().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_add_uniform_field_torque(
    orientation: *const f64,
    vector_body: *const f64,
    field_world: *const f64,
    torque: *mut f64,
) -> qi_status {
    add_at_orientation(
        "qi_add_uniform_field_torque",
        orientation,
        torque,
        |to_world| {
            let field = UniformField::new(arg!(input(vector_body)), arg!(input(field_world)))?;
            let field_body = to_world.rotate_back(field.field_world);
            Ok(field.vector_body.cross(field_body))
        },
    )
}

/// Add the torque of a central gravity field, `3 g n x (I n)`; see qi_set_gravity_gradient_torque()
/// and qi_add_body_torque(). In a callback, the direction may follow the orbit.
/// @param inertia  9 doubles, I, body frame, row-major, symmetric
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_add_gravity_gradient_torque(
    orientation: *const f64,
    inertia: *const f64,
    direction_world: *const f64,
    gradient: f64,
    torque: *mut f64,
) -> qi_status {
    add_at_orientation(
        "qi_add_gravity_gradient_torque",
        orientation,
        torque,
        |to_world| {
            let [a, b, c, d, e, f, g, h, i] = arg!(finite_input(inertia));
            let direction = direction("direction_world", arg!(input(direction_world)))?;
            let [gradient] = finite("gradient", [gradient])?;
            let n = to_world.rotate_back(direction);
            let i_n = [[a, b, c], [d, e, f], [g, h, i]].map(|row| Vec3(row).dot(n));
            Ok(gravity_gradient(n, Vec3(i_n), gradient))
        },
    )
}

/// Add a linear drag toward the rotation of a fluid, `-c_i (omega_i - flow_i)` about each body axis
/// i; see qi_add_body_torque(). It is explicit; for a stiff drag, use qi_set_drag().
/// @param coefficients  3 doubles, c, torque per rad/s about the body axes
/// @param flow          3 doubles, angular velocity of the fluid, world frame, rad/s; NULL: at rest
/// @param torque        3 doubles, world frame: the sum; unchanged on failure
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_add_linear_drag_torque(
    orientation: *const f64,
    angular_velocity: *const f64,
    coefficients: *const f64,
    flow: *const f64,
    torque: *mut f64,
) -> qi_status {
    add_at_state(
        "qi_add_linear_drag_torque",
        orientation,
        angular_velocity,
        torque,
        |here| {
            let coefficients = arg!(input(coefficients));
            let flow = optional!(input(flow)).unwrap_or_default();
            let drag = FluidDrag::new(coefficients, flow)?;
            Ok(drag.at(here))
        },
    )
}

/// Compute the resistances of an ellipsoid that qi_add_shear_flow_torque() needs; see
/// qi_set_shear_flow_torque().
/// @param resistances  receives 6 doubles: torque per strain rate, then torque per angular
///                     velocity, about the body axes
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_shear_flow_resistances(
    semi_axes: *const f64,
    viscosity: f64,
    resistances: *mut f64,
) -> qi_status {
    compute(
        "qi_get_shear_flow_resistances",
        resistances,
        "resistances",
        || {
            let (strain, spin) = resistances_of(arg!(input(semi_axes)), viscosity)?;
            Ok::<[[f64; 3]; 2], Fault>([strain.into(), spin.into()])
        },
    )
}

/// Add Jeffery's torque; see qi_set_shear_flow_torque() and qi_add_body_torque(). In a callback,
/// the flow may depend on time. The torque is explicit; for a stiff one, use
/// qi_set_shear_flow_torque().
/// @param resistances  6 doubles from qi_get_shear_flow_resistances()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_add_shear_flow_torque(
    orientation: *const f64,
    angular_velocity: *const f64,
    resistances: *const f64,
    velocity_gradient: *const f64,
    torque: *mut f64,
) -> qi_status {
    add_at_state(
        "qi_add_shear_flow_torque",
        orientation,
        angular_velocity,
        torque,
        |here| {
            let [a, b, c, d, e, f] = arg!(finite_input(resistances));
            let flow = ShearFlow {
                strain_resistance: Vec3([a, b, c]),
                spin_resistance: Vec3([d, e, f]),
                flow: LinearFlow::new(arg!(finite_input(velocity_gradient))),
            };
            Ok(flow.torque_at(here))
        },
    )
}
