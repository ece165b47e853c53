//! The inertias and states of the bodies of an ensemble: they are set, got, summed up, and bound to
//! arrays of the caller.

use super::prelude::*;

/// Set the inertias of the bodies. The angular velocities do not change, except where angular
/// momenta are bound: then the momenta stay, and the angular velocities follow from them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_inertias(
    ensemble: *mut qi_ensemble,
    inertia: *const f64,
    body_stride: isize,
) -> qi_status {
    change("qi_set_inertias", ensemble, |e| {
        let array = arg!(view(inertia, e, body_stride, 1));
        Ok(e.set_inertias(array)?)
    })
}

/// Set the inertias by their principal moments, for bodies whose principal axes are the body axes.
/// Otherwise as qi_set_inertias(), but faster.
/// @param moments  3 doubles a body
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_principal_inertias(
    ensemble: *mut qi_ensemble,
    moments: *const f64,
    body_stride: isize,
    component_stride: isize,
) -> qi_status {
    change("qi_set_principal_inertias", ensemble, |e| {
        let array = arg!(view(moments, e, body_stride, component_stride));
        Ok(e.set_principal_inertias(array)?)
    })
}

/// Set the orientations. The angular velocities in the world frame do not change, except where
/// angular momenta are bound: then the angular momenta in the world frame stay. (To set the
/// orientations from an array with the scalar last, bind it with QI_SCALAR_LAST and call
/// qi_release_arrays().)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_orientations(
    ensemble: *mut qi_ensemble,
    data: *const f64,
    body_stride: isize,
    component_stride: isize,
) -> qi_status {
    change("qi_set_orientations", ensemble, |e| {
        let array = arg!(view(data, e, body_stride, component_stride));
        Ok(e.set_orientations(array)?)
    })
}

/// Get the orientations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_orientations(
    ensemble: *const qi_ensemble,
    data: *mut f64,
    body_stride: isize,
    component_stride: isize,
) -> qi_status {
    read("qi_get_orientations", ensemble, |e| {
        let mut array = arg!(view_mut(data, e, body_stride, component_stride));
        Ok(e.orientations(&mut array)?)
    })
}

/// Set the angular velocities in the world frame.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_angular_velocities(
    ensemble: *mut qi_ensemble,
    data: *const f64,
    body_stride: isize,
    component_stride: isize,
) -> qi_status {
    change("qi_set_angular_velocities", ensemble, |e| {
        let array = arg!(view(data, e, body_stride, component_stride));
        Ok(e.set_angular_velocities(array)?)
    })
}

/// Set the angular momenta in the world frame; the angular velocities follow from orientations and
/// inertias. If angular momenta are bound as QI_ANGMOM_WORLD, they get these numbers bit for bit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_angular_momenta(
    ensemble: *mut qi_ensemble,
    data: *const f64,
    body_stride: isize,
    component_stride: isize,
) -> qi_status {
    change("qi_set_angular_momenta", ensemble, |e| {
        let array = arg!(view(data, e, body_stride, component_stride));
        Ok(e.set_angular_momenta(array)?)
    })
}

/// Get the angular velocities in the world frame.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_angular_velocities(
    ensemble: *const qi_ensemble,
    data: *mut f64,
    body_stride: isize,
    component_stride: isize,
) -> qi_status {
    read("qi_get_angular_velocities", ensemble, |e| {
        let mut array = arg!(view_mut(data, e, body_stride, component_stride));
        Ok(e.angular_velocities(&mut array)?)
    })
}

/// Get the rotational kinetic energy of each body.
/// @param energy  receives the energy of body i at `energy[i * body_stride]`
/// @return QI_OK, or QI_ERR_NON_FINITE (the energy of an active body is not finite)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_kinetic_energies(
    ensemble: *const qi_ensemble,
    energy: *mut f64,
    body_stride: isize,
) -> qi_status {
    read("qi_get_kinetic_energies", ensemble, |e| {
        let mut array = arg!(view_mut(energy, e, body_stride, 1));
        Ok(e.kinetic_energies(&mut array)?)
    })
}

/// Get the angular momenta in the world frame.
/// @return as qi_get_kinetic_energies()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_angular_momenta(
    ensemble: *const qi_ensemble,
    data: *mut f64,
    body_stride: isize,
    component_stride: isize,
) -> qi_status {
    read("qi_get_angular_momenta", ensemble, |e| {
        let mut array = arg!(view_mut(data, e, body_stride, component_stride));
        Ok(e.angular_momenta(&mut array)?)
    })
}

/// Get the total rotational kinetic energy of the active bodies; see qi_get_kinetic_energy(). The
/// compensated sum runs in the order of the indices, so its bits do not depend on the number of
/// threads. qi_get_kinetic_energy_sums() gives a sum that does not depend on the order of the
/// bodies either.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_total_kinetic_energy(
    ensemble: *const qi_ensemble,
    energy: *mut f64,
) -> qi_status {
    compute("qi_get_total_kinetic_energy", energy, "energy", || {
        let energy = shared(ensemble)?.total_kinetic_energy();
        Ok(finite("energy", [energy])?)
    })
}

/// Get the total angular momentum of the active bodies in the world frame; see
/// qi_get_angular_momentum(). It is the sum of their spins, without orbital angular momentum, and
/// is summed like qi_get_total_kinetic_energy().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_total_angular_momentum(
    ensemble: *const qi_ensemble,
    angular_momentum: *mut f64,
) -> qi_status {
    compute(
        "qi_get_total_angular_momentum",
        angular_momentum,
        "angular_momentum",
        || {
            let momentum = shared(ensemble)?.total_angular_momentum();
            Ok(finite("angular_momentum", momentum.into())?)
        },
    )
}

/// Bind the orientations to an array of the caller: the ensemble works in this array, without a
/// copy. The contents of the array become the orientations, and are normalised in place. The
/// angular velocities in the world frame do not change, unless an array is bound to them: this
/// array keeps its values.
///
/// The array must exist until the ensemble is destroyed or another array is bound. The caller may
/// read and write it between calls. An orientation written there must have unit length to 1e-3;
/// otherwise the next step fails. The ensemble never touches the memory between the components.
///
/// ```c
/// struct particle { double position[3], q[4], omega[3]; } *p = particles;
/// const ptrdiff_t stride = sizeof *p / sizeof(double);
/// status = qi_bind_orientations(ensemble, p[0].q, stride, 1, QI_SCALAR_FIRST);
/// ```
/// @param order  QI_SCALAR_FIRST or QI_SCALAR_LAST
/// @return QI_OK, or QI_ERR_INVALID (order, or overlap with the bound angular velocities)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_bind_orientations(
    ensemble: *mut qi_ensemble,
    data: *mut f64,
    body_stride: isize,
    component_stride: isize,
    order: i32,
) -> qi_status {
    change("qi_bind_orientations", ensemble, |e| {
        let array = arg!(view_mut(data, e, body_stride, component_stride));
        Ok(e.bind_orientations(ordered(array, order)?)?)
    })
}

/// Bind the angular velocities or angular momenta to an array of the caller; see
/// qi_bind_orientations(). With QI_OMEGA_BODY, each body gets the same bits as a body stepped
/// alone. The other kinds are converted at the start and the end of each step, which costs an ulp
/// or two of the greatest component each time. With the momenta of a rod, the angular velocity
/// about its length loses more digits, up to the ratio of its moments (1e-10 after 100 steps at a
/// ratio of 1e5).
///
/// ```c
/// status = qi_bind_angular_velocities(ensemble, omega, 3, 1, QI_OMEGA_WORLD);
/// ```
/// @param kind  QI_OMEGA_WORLD, QI_OMEGA_BODY, QI_ANGMOM_WORLD or QI_ANGMOM_BODY
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (strides, kind, or overlap with the bound
///         orientations), QI_ERR_MEMORY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_bind_angular_velocities(
    ensemble: *mut qi_ensemble,
    data: *mut f64,
    body_stride: isize,
    component_stride: isize,
    kind: i32,
) -> qi_status {
    change("qi_bind_angular_velocities", ensemble, |e| {
        let array = arg!(view_mut(data, e, body_stride, component_stride));
        Ok(e.bind_angular_velocities(array, kind_of(kind)?)?)
    })
}

/// Bind the orientations to an array of the caller in which the bodies have another order, for
/// codes that keep orientations and angular velocities in different orders. Otherwise as
/// qi_bind_orientations(), with component c of body i at
/// `data[rows[i] * body_stride + c * component_stride]`.
/// @param rows  the row of each body, from 0; all different; copied. Other rows are never touched.
///              NULL: body i is in row i
/// @return as qi_bind_orientations(), or QI_ERR_INVALID (rows; qi_last_error_body() gives the body)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_bind_orientation_rows(
    ensemble: *mut qi_ensemble,
    data: *mut f64,
    body_stride: isize,
    component_stride: isize,
    order: i32,
    rows: *const i32,
) -> qi_status {
    change("qi_bind_orientation_rows", ensemble, |e| {
        let array = view_in_rows(data, e, body_stride, component_stride, rows)?;
        Ok(e.bind_orientations(ordered(array, order)?)?)
    })
}

/// Bind the angular velocities or angular momenta to an array of the caller in which the bodies
/// have another order. Otherwise as qi_bind_angular_velocities(), with the rows as
/// qi_bind_orientation_rows() takes them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_bind_angular_velocity_rows(
    ensemble: *mut qi_ensemble,
    data: *mut f64,
    body_stride: isize,
    component_stride: isize,
    kind: i32,
    rows: *const i32,
) -> qi_status {
    change("qi_bind_angular_velocity_rows", ensemble, |e| {
        let array = view_in_rows(data, e, body_stride, component_stride, rows)?;
        Ok(e.bind_angular_velocities(array, kind_of(kind)?)?)
    })
}
