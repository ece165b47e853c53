//! Ensembles: torque, creation, settings and steps; their states, which are set, got and bound to
//! arrays of the caller.

use super::prelude::*;
use super::torque::{chunk_torque, qi_ensemble_torque_fn};
use crate::{Ensemble, ensemble::MOST_THREADS};

/// The most threads of an ensemble.
pub const QI_MAX_THREADS: usize = 1024;
const _: () = assert!(QI_MAX_THREADS == MOST_THREADS);

/// Replace the torque on the bodies by a callback; see qi_set_torque().
/// @param layout     QI_LAYOUT_AOS or QI_LAYOUT_SOA
/// @param frame      QI_FRAME_WORLD or QI_FRAME_BODY, for the angular velocity and the torque
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

/// Create an ensemble. Each body has the identity orientation and unit inertia, is at rest, and no
/// torque acts on it. The clock stands at 0. Of large ensembles a body takes 112 bytes, half of
/// them from the first step on, plus what is set for each body (its inertia: 48 bytes, or 80 if its
/// principal axes are not the body axes; with random torques 48 or 240 more). Memory comes in
/// blocks of 16 bodies; besides them an ensemble takes 2.0 kB, and each of its threads that of a
/// chunk from the first step on: 40 kB for 64 bodies, 150 kB with random torques. So for many
/// groups of few bodies each, one ensemble with all of them costs less than an ensemble for each.
/// @param count   number of bodies; may be 0
/// @param status  receives QI_OK or the error: QI_ERR_MEMORY; NULL: not wanted
/// @return the new ensemble, or NULL on failure
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_create_ensemble(
    count: usize,
    status: *mut qi_status,
) -> *mut qi_ensemble {
    construct("qi_create_ensemble", status, || give(Ensemble::new(count)?))
}

/// Destroy an ensemble; see qi_destroy_body(). Arrays that were bound to it keep the last states.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_destroy_ensemble(ensemble: *mut qi_ensemble) {
    destroy("qi_destroy_ensemble", ensemble);
}

/// Get the number of bodies; 0 if `ensemble` is NULL, or in use: in its own callback, whose
/// arguments say how many bodies it gets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_ensemble_count(ensemble: *const qi_ensemble) -> usize {
    returned("qi_get_ensemble_count", ensemble, |e| Ok(e.count()))
}

/// Get the ensemble's clock; see qi_get_time().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_ensemble_time(
    ensemble: *const qi_ensemble,
    time: *mut f64,
) -> qi_status {
    compute("qi_get_ensemble_time", out!(time), || {
        Ok(shared(ensemble)?.time())
    })
}

/// Set the ensemble's clock.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_time(ensemble: *mut qi_ensemble, time: f64) -> qi_status {
    change("qi_set_ensemble_time", ensemble, |e| Ok(e.set_time(time)?))
}

/// Choose the integration method; see qi_set_method(). The splitting methods keep the last torque;
/// they do not notice that the caller has written into a bound array: then call
/// qi_forget_ensemble_torques(), and they ask for the torque anew.
/// @return as qi_set_method(), or QI_ERR_MEMORY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_method(
    ensemble: *mut qi_ensemble,
    method: i32,
) -> qi_status {
    change("qi_set_ensemble_method", ensemble, |e| {
        Ok(e.set_method(method_of(method)?)?)
    })
}

/// Get the integration method; see qi_get_method().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_ensemble_method(
    ensemble: *const qi_ensemble,
    method: *mut i32,
) -> qi_status {
    compute("qi_get_ensemble_method", out!(method), || {
        Ok(shared(ensemble)?.method() as i32)
    })
}

/// Say that something has changed that the torque reads, or that states in bound arrays have been
/// written; see qi_forget_torque().
/// @return QI_OK, or QI_ERR_ORDER (in the middle of a step)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_forget_ensemble_torques(ensemble: *mut qi_ensemble) -> qi_status {
    change("qi_forget_ensemble_torques", ensemble, |e| {
        Ok(e.forget_torques()?)
    })
}

/// Choose the active bodies: only they move. The others keep their states, and no torque is
/// requested for them. The `first` of a torque callback and the arrays of the stage protocol then
/// refer to positions in this list. A list of the first bodies costs little. Rows of other bodies
/// in bound arrays may hold anything: steps, kicks, totals and binding neither read nor write them.
/// @param indices  strictly ascending, each below the number of bodies; copied. NULL: all bodies
///                 move
/// @param count    number of indices
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_active(
    ensemble: *mut qi_ensemble,
    indices: *const usize,
    count: usize,
) -> qi_status {
    change("qi_set_ensemble_active", ensemble, |e| {
        check(
            indices.is_null() || count <= e.count(),
            "count",
            "must not exceed the number of bodies",
        )?;
        Ok(e.set_active(optional!(list(indices, count)))?)
    })
}

/// Get the number of active bodies, which is that of the bodies in a stage of
/// qi_next_ensemble_stage().
/// @param count  receives the number of active bodies
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_ensemble_active_count(
    ensemble: *const qi_ensemble,
    count: *mut usize,
) -> qi_status {
    compute("qi_get_ensemble_active_count", out!(count), || {
        Ok(shared(ensemble)?.active_count())
    })
}

/// Set the number of threads that step the ensemble, including the caller's thread. The others
/// start here and end with it.
///
/// After a step, they wait actively for 0.1 ms, so that the next step finds them ready: threads
/// then pay off from about 2000 bodies. Afterwards they sleep. A step wakes them, which takes about
/// 50 us; meanwhile the calling thread works alone. They do not survive a fork(): in the child, the
/// ensemble steps on the calling thread, until this function starts others. They block signals, but
/// not those of faults, and have stacks of 8 MiB.
///
/// The caller's thread alone steps a list of active bodies in the ensemble's own memory, ensembles
/// of which one array is bound and the other is not, and the stages of qi_next_ensemble_stage(): 12
/// ns a body where all bodies take 3. Bind both arrays, and lists use the threads.
/// @param threads  at most QI_MAX_THREADS. 1 (the default): everything runs on the caller's thread,
///                 callbacks too. More: several threads run the callback at once, so it must be
///                 thread-safe
/// @return QI_OK, or QI_ERR_INVALID (0 or too many), QI_ERR_MEMORY (the threads cannot start)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_threads(
    ensemble: *mut qi_ensemble,
    threads: usize,
) -> qi_status {
    change("qi_set_ensemble_threads", ensemble, |e| {
        Ok(e.set_threads(threads)?)
    })
}

/// Take one step of all active bodies. On failure no body has moved, and qi_last_error_body() gives
/// the first body that failed. (Within a chunk of 64 bodies, it is the first one to fail at the
/// earliest stage.) If the motion overflows, the message gives the size of the step for this body;
/// see qi_step().
/// @return QI_OK, or QI_ERR_NON_FINITE (dt, torque or motion), QI_ERR_CALLBACK, QI_ERR_ORIENTATION
///         (in a bound array)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_step_ensemble(ensemble: *mut qi_ensemble, dt: f64) -> qi_status {
    change("qi_step_ensemble", ensemble, |e| Ok(e.step(dt)?))
}

/// Take many steps; see qi_advance(). Without a callback, several steps of a chunk are taken while
/// it is in the cache.
/// @return as qi_step_ensemble()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_advance_ensemble(
    ensemble: *mut qi_ensemble,
    dt: f64,
    steps: u64,
    completed: *mut u64,
) -> qi_status {
    counted("qi_advance_ensemble", ensemble, out!(completed), |e| {
        let outcome = e.advance(dt, steps);
        Ok((completed_of(&outcome, steps), outcome))
    })
}

/// Get the return value of the torque callback that last aborted a step; 0 if none has, or if
/// `ensemble` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_ensemble_callback_result(ensemble: *const qi_ensemble) -> i32 {
    returned("qi_get_ensemble_callback_result", ensemble, |e| {
        Ok(e.callback_result())
    })
}

/// Set the inertias of the bodies. The angular velocities do not change; with bound angular momenta
/// they do, and the momenta stay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_inertias(
    ensemble: *mut qi_ensemble,
    inertia: *const f64,
    body_stride: isize,
) -> qi_status {
    change("qi_set_inertias", ensemble, |e| {
        Ok(e.set_inertias(arg!(view(inertia, e, body_stride, 1)))?)
    })
}

/// Set the inertias by their principal moments, where the principal axes are the body axes.
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
        Ok(e.set_principal_inertias(arg!(view(moments, e, body_stride, component_stride)))?)
    })
}

/// Set the orientations. The angular velocities in the world frame do not change; with bound
/// angular momenta, the angular momenta in the world frame do not. (Of an array with the scalar
/// last, bind it with QI_SCALAR_LAST and call qi_release_arrays().)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_orientations(
    ensemble: *mut qi_ensemble,
    data: *const f64,
    body_stride: isize,
    component_stride: isize,
) -> qi_status {
    change("qi_set_orientations", ensemble, |e| {
        Ok(e.set_orientations(arg!(view(data, e, body_stride, component_stride)))?)
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
        Ok(e.orientations(&mut arg!(view_mut(data, e, body_stride, component_stride)))?)
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
        Ok(e.set_angular_velocities(arg!(view(data, e, body_stride, component_stride)))?)
    })
}

/// Set the angular momenta in the world frame; the angular velocities follow from orientations and
/// inertias. Angular momenta bound as QI_ANGMOM_WORLD get these numbers bit for bit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_angular_momenta(
    ensemble: *mut qi_ensemble,
    data: *const f64,
    body_stride: isize,
    component_stride: isize,
) -> qi_status {
    change("qi_set_angular_momenta", ensemble, |e| {
        Ok(e.set_angular_momenta(arg!(view(data, e, body_stride, component_stride)))?)
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
        Ok(e.angular_velocities(&mut arg!(view_mut(data, e, body_stride, component_stride)))?)
    })
}

/// Get the rotational kinetic energy of each body.
/// @param energy  receives the energy of body i at `energy[i * body_stride]`
/// @return QI_OK, or QI_ERR_NON_FINITE (that of an active body is not finite)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_kinetic_energies(
    ensemble: *const qi_ensemble,
    energy: *mut f64,
    body_stride: isize,
) -> qi_status {
    read("qi_get_kinetic_energies", ensemble, |e| {
        Ok(e.kinetic_energies(&mut arg!(view_mut(energy, e, body_stride, 1)))?)
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
        Ok(e.angular_momenta(&mut arg!(view_mut(data, e, body_stride, component_stride)))?)
    })
}

/// Get the rotational kinetic energy of the active bodies; see qi_get_kinetic_energy(). The
/// compensated sum runs in index order, so its bits do not depend on the number of threads.
/// qi_get_kinetic_energy_sums() gives a sum that does not depend on the order of the bodies either.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_total_kinetic_energy(
    ensemble: *const qi_ensemble,
    energy: *mut f64,
) -> qi_status {
    compute("qi_get_total_kinetic_energy", out!(energy), || {
        Ok(finite(
            "energy",
            [shared(ensemble)?.total_kinetic_energy()],
        )?)
    })
}

/// Get the angular momentum of the active bodies in the world frame; see qi_get_angular_momentum():
/// the sum of their spins, without orbital angular momentum. It is summed like
/// qi_get_total_kinetic_energy().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_total_angular_momentum(
    ensemble: *const qi_ensemble,
    angular_momentum: *mut f64,
) -> qi_status {
    compute(
        "qi_get_total_angular_momentum",
        out!(angular_momentum),
        || {
            Ok(finite(
                "angular_momentum",
                shared(ensemble)?.total_angular_momentum().into(),
            )?)
        },
    )
}

/// Bind the orientations to an array of the caller: the ensemble works in this array, without a
/// copy. Its contents become the orientations, normalised in place. The angular velocities in the
/// world frame stay; an array bound to them keeps its values.
///
/// The array must exist until the ensemble is destroyed or another array is bound. The caller may
/// read and write it between calls. An orientation written there must have unit length to 1e-3, or
/// the next step fails. The ensemble never touches the memory between the components.
/// @param order             QI_SCALAR_FIRST or QI_SCALAR_LAST
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
        Ok(e.bind_orientations(ordered(
            arg!(view_mut(data, e, body_stride, component_stride)),
            order,
        )?)?)
    })
}

/// Bind the angular velocities or angular momenta to an array of the caller; see
/// qi_bind_orientations(). With QI_OMEGA_BODY, each body gets the same bits as a body stepped
/// alone. The other kinds are converted at the start and the end of each step, which costs an ulp
/// or two of the greatest component each time; momenta of a rod lose up to the ratio of its moments
/// more digits in the angular velocity about its length (1e-10 after 100 steps at a ratio of 1e5).
/// @param kind              QI_OMEGA_WORLD, QI_OMEGA_BODY, QI_ANGMOM_WORLD or QI_ANGMOM_BODY
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
        Ok(e.bind_angular_velocities(
            arg!(view_mut(data, e, body_stride, component_stride)),
            kind_of(kind)?,
        )?)
    })
}

/// Bind the orientations to an array of the caller in another order: for codes that keep
/// orientations and angular velocities in different orders. Otherwise as qi_bind_orientations(),
/// with component c of body i at `data[rows[i] * body_stride + c * component_stride]`.
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
        Ok(e.bind_orientations(ordered(
            view_in_rows(data, e, body_stride, component_stride, rows)?,
            order,
        )?)?)
    })
}

/// Bind the angular velocities or angular momenta to an array of the caller in another order: as
/// qi_bind_angular_velocities(), with the rows as qi_bind_orientation_rows() takes them.
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
        Ok(e.bind_angular_velocities(
            view_in_rows(data, e, body_stride, component_stride, rows)?,
            kind_of(kind)?,
        )?)
    })
}
