//! Torques for a state, to be added up in a callback.

use super::prelude::*;
use crate::kernel::{Here, Vec3};
use crate::rotation::{checked, direction};
use crate::torque::{
    FluidDrag, LinearFlow, ShearFlow, UniformField, gravity_gradient, resistances,
};

/// Adds a torque in the body frame to the caller's torque in the world frame. `angular_velocity`:
/// if the torque depends on it.
unsafe fn add(
    function: &'static str,
    orientation: *const f64,
    angular_velocity: Option<*const f64>,
    torque: *mut f64,
    torque_body: impl FnOnce(&Here<f64>) -> Result<Vec3<f64>, Fault>,
) -> qi_status {
    compute(function, out!(torque), || {
        let q = checked("orientation", arg!(input(orientation)))?;
        let sum = arg!(input(torque));
        let omega_world = angular_velocity
            .map(|omega| numbers(omega, "angular_velocity"))
            .transpose()?;
        let to_world = q.to_matrix();
        let omega_world = Vec3(omega_world.unwrap_or_default());
        let here = Here {
            q,
            to_world,
            omega_body: to_world.rotate_back(omega_world),
            omega_world,
        };
        let added = Vec3(sum) + to_world.rotate(torque_body(&here)?);
        Ok(finite("torque", added.0)?)
    })
}

/// Add a torque that is given in the body frame, such as that of a thruster or of a wheel, to a
/// torque in the world frame.
///
/// This and the following functions let a callback add up several torques. Each adds to `torque`;
/// when a callback is called, its torque is 0. They take the state that the callback gets.
/// @param torque_body  3 doubles, body frame
/// @param torque       3 doubles, world frame: the sum
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_add_body_torque(
    orientation: *const f64,
    torque_body: *const f64,
    torque: *mut f64,
) -> qi_status {
    add("qi_add_body_torque", orientation, None, torque, |_| {
        Ok(Vec3(arg!(numbers(torque_body))))
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
    add(
        "qi_add_uniform_field_torque",
        orientation,
        None,
        torque,
        |here| {
            let field = UniformField::new(arg!(input(vector_body)), arg!(input(field_world)))?;
            Ok(field
                .vector_body
                .cross(here.to_world.rotate_back(field.field_world)))
        },
    )
}

/// Add the torque of a central gravity field, `3 g n x (I n)`; see qi_set_gravity_gradient_torque()
/// and qi_add_body_torque(). In a callback the direction may follow the orbit.
/// @param inertia  9 doubles, I, body frame, row-major, symmetric
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_add_gravity_gradient_torque(
    orientation: *const f64,
    inertia: *const f64,
    direction_world: *const f64,
    gradient: f64,
    torque: *mut f64,
) -> qi_status {
    add(
        "qi_add_gravity_gradient_torque",
        orientation,
        None,
        torque,
        |here| {
            let [a, b, c, d, e, f, g, h, i] = arg!(numbers(inertia));
            let direction = direction("direction_world", arg!(input(direction_world)))?;
            let [gradient] = finite("gradient", [gradient])?;
            let n = here.to_world.rotate_back(direction);
            let i_n = [[a, b, c], [d, e, f], [g, h, i]].map(|row| Vec3(row).dot(n));
            Ok(gravity_gradient(n, Vec3(i_n), gradient))
        },
    )
}

/// Add a linear drag toward the rotation of a fluid, `-c_i (omega_i - flow_i)` about each body axis
/// i; see qi_add_body_torque(). It is explicit: for a stiff drag take qi_set_drag().
/// @param coefficients      3 doubles, c, torque per rad/s about the body axes
/// @param flow              3 doubles, angular velocity of the fluid, world frame, rad/s; NULL: at
///                          rest
/// @param torque            3 doubles, world frame: the sum; unchanged on failure
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_add_linear_drag_torque(
    orientation: *const f64,
    angular_velocity: *const f64,
    coefficients: *const f64,
    flow: *const f64,
    torque: *mut f64,
) -> qi_status {
    add(
        "qi_add_linear_drag_torque",
        orientation,
        Some(angular_velocity),
        torque,
        |here| {
            Ok(FluidDrag::new(
                arg!(input(coefficients)),
                optional!(input(flow)).unwrap_or_default(),
            )?
            .at(here))
        },
    )
}

/// Compute what qi_add_shear_flow_torque() needs of an ellipsoid; see qi_set_shear_flow_torque().
/// @param resistances  receives 6 doubles: torque per strain rate, then torque per angular
///                     velocity, about the body axes
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_shear_flow_resistances(
    semi_axes: *const f64,
    viscosity: f64,
    resistances: *mut f64,
) -> qi_status {
    compute("qi_get_shear_flow_resistances", out!(resistances), || {
        let (Vec3([a, b, c]), Vec3([d, e, f])) =
            self::resistances(arg!(input(semi_axes)), viscosity)?;
        Ok([a, b, c, d, e, f])
    })
}

/// Add Jeffery's torque; see qi_set_shear_flow_torque() and qi_add_body_torque(). In a callback the
/// flow may depend on time. It is explicit: for a stiff one take qi_set_shear_flow_torque().
/// @param resistances  6 doubles from qi_get_shear_flow_resistances()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_add_shear_flow_torque(
    orientation: *const f64,
    angular_velocity: *const f64,
    resistances: *const f64,
    velocity_gradient: *const f64,
    torque: *mut f64,
) -> qi_status {
    add(
        "qi_add_shear_flow_torque",
        orientation,
        Some(angular_velocity),
        torque,
        |here| {
            let [a, b, c, d, e, f] = arg!(numbers(resistances));
            let flow = LinearFlow::new(arg!(numbers(velocity_gradient)));
            let strain_resistance = Vec3([a, b, c]);
            let spin_resistance = Vec3([d, e, f]);
            Ok(ShearFlow {
                strain_resistance,
                spin_resistance,
                flow,
            }
            .torque_at(here))
        },
    )
}
