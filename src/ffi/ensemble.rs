//! Ensembles: their life, settings and steps.

use super::prelude::*;
use crate::Ensemble;
use crate::ensemble::MOST_THREADS;

/// The largest number of threads of an ensemble.
pub const QI_MAX_THREADS: usize = 1024;
const _: () = assert!(QI_MAX_THREADS == MOST_THREADS);

/// Create an ensemble. Each body is at rest and has the identity orientation and unit inertia; no
/// torque acts on it. The clock stands at 0.
///
/// In a large ensemble, a body takes 112 bytes, half of them from the first step on. What is set
/// for each body takes more: its inertia takes 48 bytes, or 80 if its principal axes are not the
/// body axes; random torques take 48 or 240 bytes. Memory comes in blocks of 16 bodies. Besides the
/// blocks, an ensemble takes 2.0 kB, and each of its threads takes the memory of a chunk from the
/// first step on: 40 kB for 64 bodies, 150 kB with random torques. So for many groups of few bodies
/// each, one ensemble with all of them costs less than an ensemble for each.
///
/// ```c
/// qi_ensemble *ensemble = qi_create_ensemble(1000, NULL);
/// if (ensemble == NULL) puts(qi_last_error());
/// ```
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

/// Get the number of bodies. It is 0 if `ensemble` is NULL, or if it is in use: in its own
/// callback, whose arguments say how many bodies the call concerns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_ensemble_count(ensemble: *const qi_ensemble) -> usize {
    value_or_zero("qi_get_ensemble_count", ensemble, |e| Ok(e.count()))
}

/// Get the ensemble's clock; see qi_get_time().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_ensemble_time(
    ensemble: *const qi_ensemble,
    time: *mut f64,
) -> qi_status {
    compute("qi_get_ensemble_time", time, "time", || {
        Ok(shared(ensemble)?.time())
    })
}

/// Set the ensemble's clock.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_time(ensemble: *mut qi_ensemble, time: f64) -> qi_status {
    change("qi_set_ensemble_time", ensemble, |e| Ok(e.set_time(time)?))
}

/// Choose the integration method; see qi_set_method(). The splitting methods keep the last torques.
/// They ask for them again after each call that qi_set_method() names, and after each that binds
/// arrays, also of velocity gradients, or that sets the list of active bodies. A change of the
/// population concerns the bodies that come, unless there was a list of active bodies, and rows
/// those that are set. Steps also ask again after those of the stage protocol, and this after
/// steps, because the torques of the two may be others. They do not notice when the caller writes
/// into a bound array; then call qi_forget_ensemble_torques().
/// @return as qi_set_method(), or QI_ERR_ORDER (in the middle of a step)
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
    compute("qi_get_ensemble_method", method, "method", || {
        Ok(number_of_method(shared(ensemble)?.method()))
    })
}

/// Tell the method that something which the torque reads has changed, or that states in bound
/// arrays have been written; see qi_forget_torque(). The rate of change that SPLITTING keeps beside
/// a stiff drag stays: set a body that is put elsewhere by a setter or a row.
/// @return QI_OK, or QI_ERR_ORDER (in the middle of a step)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_forget_ensemble_torques(ensemble: *mut qi_ensemble) -> qi_status {
    change("qi_forget_ensemble_torques", ensemble, |e| {
        Ok(e.forget_torques()?)
    })
}

/// Choose the active bodies: only they move. The others keep their states, and no torque is
/// requested for them. The `first` of a torque callback and the arrays of the stage protocol then
/// refer to positions in this list. A list of the first bodies costs little. In bound arrays, the
/// rows of bodies that are not active may hold anything: steps, kicks, totals and binding neither
/// read nor write them. The splitting methods ask for the torques again, so a restart sets the list
/// before the rows. The list that is there already changes nothing else.
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
        Ok(e.set_active(optional!(input_array(indices, count)))?)
    })
}

/// Get the number of active bodies, which is the number of bodies in a stage of
/// qi_next_ensemble_stage().
/// @param count  receives the number of active bodies
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_ensemble_active_count(
    ensemble: *const qi_ensemble,
    count: *mut usize,
) -> qi_status {
    compute("qi_get_ensemble_active_count", count, "count", || {
        Ok(shared(ensemble)?.active_count())
    })
}

/// Set the number of threads that step the ensemble, including the caller's thread. The other
/// threads start here and end with the ensemble.
///
/// After a step, these threads wait actively for 0.1 ms, so that the next step finds them ready:
/// threads then pay off from about 2000 bodies. Afterwards they sleep. A step wakes them, which
/// takes about 50 us; meanwhile the calling thread works alone. They do not survive a fork(): in
/// the child, the ensemble steps on the calling thread, until this function starts others. They
/// block signals, but not those of faults, and have stacks of 8 MiB.
///
/// Some work is done by the caller's thread alone: steps of a list of active bodies in the
/// ensemble's own memory, steps of an ensemble of which one array is bound and the other is not,
/// and what qi_next_ensemble_stage() copies. It takes 12 ns a body where steps of all bodies take
/// 3. If both arrays are bound, steps of a list use the threads too.
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

/// Take many steps; see qi_advance(). Without a callback, the bodies of a chunk take several steps
/// while they are in the cache.
///
/// ```c
/// status = qi_advance_ensemble(ensemble, 0.01, 1000, NULL);
/// ```
/// @return as qi_step_ensemble()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_advance_ensemble(
    ensemble: *mut qi_ensemble,
    dt: f64,
    steps: u64,
    completed: *mut u64,
) -> qi_status {
    counted(
        "qi_advance_ensemble",
        ensemble,
        completed,
        "completed",
        |e, completed| {
            let outcome = e.advance(dt, steps);
            *completed = completed_of(&outcome, steps);
            Ok(outcome?)
        },
    )
}

/// Get the return value of the torque callback that last aborted a step. It is 0 if none has, or if
/// `ensemble` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_ensemble_callback_result(ensemble: *const qi_ensemble) -> i32 {
    value_or_zero("qi_get_ensemble_callback_result", ensemble, |e| {
        Ok(e.callback_result())
    })
}
