//! Bodies that come and go.

use super::prelude::*;

/// Change the number of bodies. The first bodies stay. New bodies are as created: at rest, with the
/// identity orientation. If the bodies have separate inertias, new ones have unit inertia; if they
/// have separate parameters of torque and drag, those of new ones are 0. Where the bodies share
/// these, new ones share them too.
///
/// Torque, method, clock, threads and the ids of noise stay. All bodies are active. Bound arrays
/// are released; see qi_release_arrays(). The rows of bodies that stay are read, so their arrays
/// must still exist: before you free an array, call qi_release_arrays(), or this function with 0.
/// @param count  the new number of bodies
/// @return QI_OK, or QI_ERR_MEMORY, QI_ERR_ORDER (in the middle of a step), QI_ERR_INVALID (ids are so
///         great that there are none above them for the new bodies)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_resize_ensemble(ensemble: *mut qi_ensemble, count: usize) -> qi_status {
    change("qi_resize_ensemble", ensemble, |e| Ok(e.resize(count)?))
}

/// Make body i what body `from[i]` is now: this removes, sorts and copies bodies. Bodies with
/// `from[i] == i` cost next to nothing. Otherwise as qi_resize_ensemble().
/// @param from   an index for each of the new bodies, in any order
/// @param count  the new number of bodies; 0: `from` may be NULL
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_select_bodies(
    ensemble: *mut qi_ensemble,
    from: *const usize,
    count: usize,
) -> qi_status {
    change("qi_select_bodies", ensemble, |e| {
        Ok(e.select(arg!(input_array(from, count)))?)
    })
}

/// Keep all states in the ensemble's own memory from now on. Bound arrays are read once more, and
/// then no longer used. Orientations, and angular velocities bound as QI_OMEGA_BODY, keep their
/// bits; other quantities are converted as in a step. The row of a body that is not active is read,
/// too; where it holds no state, the body has the one that it had in own memory before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_release_arrays(ensemble: *mut qi_ensemble) -> qi_status {
    change("qi_release_arrays", ensemble, |e| Ok(e.release_arrays()?))
}
