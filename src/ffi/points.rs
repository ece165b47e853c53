//! Points fixed to the bodies of an ensemble: spheres of clumps, atoms of rigid molecules.

use super::prelude::*;

/// Fix points to the bodies, such as the spheres of clumps or the atoms of rigid molecules; they
/// take the place of the points before. Positions, velocities and forces of the points are then
/// those of the functions below, on all threads of the ensemble and with the same bits on any
/// number. The points do not change the inertia of their body; qi_add_sphere_mass() and the like
/// add up that of a clump.
///
/// qi_resize_ensemble() and qi_select_bodies() remove the points.
///
/// ```c
/// const size_t bodies[4] = {0, 0, 1, 1};
/// const double arms[4][3] = {{-0.5, 0, 0}, {0.5, 0, 0}, {-0.5, 0, 0}, {0.5, 0, 0}};
/// status = qi_set_points(ensemble, 4, bodies, arms[0], 3, 1);
/// ```
/// @param count   number of points; 0: `bodies` and `arms` may be NULL
/// @param bodies  the body of each point, ascending; a body may have any number of points, or none;
///                copied
/// @param arms    3 doubles a point: its position from the centre of mass, in the body frame;
///                copied
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (bodies that are not ascending, or not below
///         the number of bodies; stride), QI_ERR_ORDER (within a step), QI_ERR_MEMORY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_points(
    ensemble: *mut qi_ensemble,
    count: usize,
    bodies: *const usize,
    arms: *const f64,
    point_stride: isize,
    component_stride: isize,
) -> qi_status {
    change("qi_set_points", ensemble, |e| {
        let bodies = arg!(input_array(bodies, count));
        let arms = arg!(view_of(arms, count, point_stride, component_stride));
        Ok(e.set_points(bodies, arms)?)
    })
}

/// Get the number of points of all bodies.
/// @param count  receives the number of points
/// @return QI_OK, or QI_ERR_ORDER (no points have been set for the present bodies)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_point_count(
    ensemble: *const qi_ensemble,
    count: *mut usize,
) -> qi_status {
    compute("qi_get_point_count", count, "count", || {
        Ok(shared(ensemble)?.point_count()?)
    })
}

/// Get the positions of the points in the world frame: `X + R d` for a point with the arm d on a
/// body with the orientation R and its centre of mass at X.
///
/// This holds for all bodies, active or not. Orientations in a bound array are read as they are: a
/// step checks them, this function does not.
/// @param centres      3 doubles a body, X, not checked; NULL: zeros, which give the arms in the
///                     world frame
/// @param body_stride  doubles from one body to the next in `centres`
/// @param positions    receives 3 doubles a point; must not overlap `centres` or a bound array
/// @return QI_OK, or QI_ERR_ORDER (no points have been set for the present bodies), QI_ERR_INVALID
///         (stride, overlap)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_point_positions(
    ensemble: *const qi_ensemble,
    centres: *const f64,
    body_stride: isize,
    centre_component_stride: isize,
    positions: *mut f64,
    point_stride: isize,
    component_stride: isize,
) -> qi_status {
    boundary("qi_get_point_positions", || {
        let e = shared(ensemble)?;
        let centres = optional!(view(centres, e, body_stride, centre_component_stride));
        let count = e.point_count()?;
        let positions = arg!(view_mut_of(
            positions,
            count,
            point_stride,
            component_stride
        ));
        Ok(e.point_positions(centres, positions)?)
    })
}

/// Get the velocities of the points in the world frame: `V + omega x R d`, see
/// qi_get_point_positions(), for a body with the angular velocity omega, whose centre of mass has
/// the velocity V.
/// @param predicted          1: omega is that of qi_bind_predicted_velocities(), for forces that
///                           depend on the velocity; 0: the present angular velocity
/// @param centre_velocities  3 doubles a body, V, not checked; NULL: zeros
/// @param velocities         receives 3 doubles a point; must not overlap `centre_velocities` or a
///                           bound array
/// @return as qi_get_point_positions(), or QI_ERR_INVALID (no predicted velocities are bound)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_point_velocities(
    ensemble: *const qi_ensemble,
    predicted: i32,
    centre_velocities: *const f64,
    body_stride: isize,
    centre_component_stride: isize,
    velocities: *mut f64,
    point_stride: isize,
    component_stride: isize,
) -> qi_status {
    boundary("qi_get_point_velocities", || {
        let e = shared(ensemble)?;
        check(
            predicted == 0 || predicted == 1,
            "predicted",
            "must be 0 or 1",
        )?;
        let centre_velocities = optional!(view(
            centre_velocities,
            e,
            body_stride,
            centre_component_stride
        ));
        let count = e.point_count()?;
        let velocities = arg!(view_mut_of(
            velocities,
            count,
            point_stride,
            component_stride
        ));
        Ok(e.point_velocities(predicted == 1, centre_velocities, velocities)?)
    })
}

/// Sum the forces on the points of each body, and their torques about its centre of mass:
/// `F = sum f` and `T = sum (R d) x f`, in the world frame and in the order of the points. Bodies
/// without points get zeros. The torques are what qi_kick_ensemble() and the stage protocol take.
/// Friction acts at a surface, not at the point: add `a x f` to T, a from the point to the contact.
/// @param forces        3 doubles a point, f, world frame; not checked: a kick refuses a torque
///                      that is not finite
/// @param body_forces   receives 3 doubles a body, F; NULL: not wanted
/// @param body_torques  receives 3 doubles a body, T; NULL: not wanted. The two arrays must overlap
///                      neither each other nor `forces` nor a bound array
/// @return as qi_get_point_positions()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_sum_point_forces(
    ensemble: *const qi_ensemble,
    forces: *const f64,
    point_stride: isize,
    component_stride: isize,
    body_forces: *mut f64,
    force_body_stride: isize,
    force_component_stride: isize,
    body_torques: *mut f64,
    torque_body_stride: isize,
    torque_component_stride: isize,
) -> qi_status {
    boundary("qi_sum_point_forces", || {
        let e = shared(ensemble)?;
        let count = e.point_count()?;
        let forces = arg!(view_of(forces, count, point_stride, component_stride));
        let body_forces = optional!(view_mut(
            body_forces,
            e,
            force_body_stride,
            force_component_stride
        ));
        let body_torques = optional!(view_mut(
            body_torques,
            e,
            torque_body_stride,
            torque_component_stride
        ));
        Ok(e.sum_point_forces(forces, body_forces, body_torques)?)
    })
}
