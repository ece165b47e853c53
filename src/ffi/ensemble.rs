//! Many bodies: making them, choosing what moves them, and their steps.

use super::check::{boundary, construct, optional_output, output, place, usable};
use super::choices::{method_of, number_of};
use super::failure::qi_status;
use super::objects::{change, exclusive, give, qi_ensemble, shared, take_back};
use crate::Ensemble;
use crate::error::Error;
use libc::size_t;

/// Create an ensemble: every body at the identity, at rest, with unit inertia and no torque; the clock at 0; one thread.
///
/// Memory:    112 bytes a body, and what is set for each body besides (inertia 24, or 56 where axes are turned).
/// Ownership: the caller owns it and gives it to qi_destroy_ensemble() once.
///
/// @param count   number of bodies; 0 is allowed
/// @param status  receives QI_OK or the error (QI_ERR_MEMORY, QI_ERR_MISALIGNED); NULL: not wanted
/// @return the new ensemble, or NULL
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_create_ensemble(count: size_t, status: *mut qi_status) -> *mut qi_ensemble {
    // SAFETY: by the header's contract of pointers.
    unsafe { construct("qi_create_ensemble", status, || give(Ensemble::new(count)?)) }
}

/// Destroy an ensemble. Arrays that were bound to it stay, with the last states in them.
///
/// @param ensemble  the ensemble; NULL: nothing happens
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_destroy_ensemble(ensemble: *mut qi_ensemble) {
    boundary("qi_destroy_ensemble", || {
        if !ensemble.is_null() {
            // One whose step is running stays, and leaks: freeing it under the integrator would be worse.
            // SAFETY: by the header's contract of handles.
            drop(unsafe { exclusive(ensemble, "ensemble") }?);
        }
        // SAFETY: from `give`, by the header's contract, and not used again.
        unsafe { take_back(ensemble) };
        Ok(())
    });
}

/// The number of bodies; 0 for NULL.
///
/// @return the number
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_ensemble_count(ensemble: *const qi_ensemble) -> size_t {
    let mut count = 0;
    boundary("qi_get_ensemble_count", || {
        // SAFETY: by the header's contract of handles.
        count = unsafe { shared(ensemble, "ensemble") }?.count();
        Ok(())
    });
    count
}

/// Get the clock of the ensemble; see qi_get_time().
///
/// @param time      receives 1 double
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_ensemble_time(ensemble: *const qi_ensemble, time: *mut f64) -> qi_status {
    boundary("qi_get_ensemble_time", || {
        // SAFETY: by the header's contract of pointers and handles.
        let (e, place) = unsafe { (shared(ensemble, "ensemble")?, output(time, "time")?) };
        place.put([e.time()]);
        Ok(())
    })
}

/// Set the clock of the ensemble.
///
/// @param time      finite
/// @return QI_OK, or QI_ERR_NON_FINITE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_time(ensemble: *mut qi_ensemble, time: f64) -> qi_status {
    change("qi_set_ensemble_time", ensemble, |e| Ok(e.set_time(time)?))
}

/// Choose the method that advances the bodies. States, clock and torque stay.
///
/// @param method    QI_METHOD_PCDM (a new ensemble has it) or QI_METHOD_CF4
/// @return QI_OK, or QI_ERR_INVALID (method)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_method(ensemble: *mut qi_ensemble, method: i32) -> qi_status {
    change("qi_set_ensemble_method", ensemble, |e| Ok(e.set_method(method_of(method)?)?))
}

/// Get the method that advances the bodies.
///
/// @param method    receives the number of the method, a QI_METHOD constant
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_ensemble_method(ensemble: *const qi_ensemble, method: *mut i32) -> qi_status {
    boundary("qi_get_ensemble_method", || {
        // SAFETY: by the header's contract of pointers and handles.
        let (e, place) = unsafe { (shared(ensemble, "ensemble")?, place(method, "method")?) };
        place.put(number_of(e.method()));
        Ok(())
    })
}

/// Which bodies move: the others keep their states and are asked no torque. `first` of a torque callback, and the arrays of the
/// stage protocol, then count positions in this list.
///
/// @param indices   strictly ascending, each below the number of bodies; copied. NULL: all bodies move
/// @param count     how many
/// @return QI_OK, or QI_ERR_INVALID (indices), QI_ERR_MEMORY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_active(
    ensemble: *mut qi_ensemble,
    indices: *const size_t,
    count: size_t,
) -> qi_status {
    change("qi_set_ensemble_active", ensemble, |e| {
        if indices.is_null() {
            return Ok(e.set_active(None)?);
        }
        usable(indices, "indices")?;
        if count > e.count() {
            return Err(Error::Invalid { name: "count", must: "must not exceed the number of bodies" }.into());
        }
        // SAFETY: usable, so valid for `count` reads by the header's contract.
        Ok(e.set_active(Some(unsafe { std::slice::from_raw_parts(indices, count) }))?)
    })
}

/// How many threads step the ensemble, the caller's own among them. The others are started here, belong to the ensemble and end
/// with it. They stay awake for a tenth of a millisecond after a step, so that the next one finds them ready; then they sleep, and
/// to wake them takes some 50 us: worth it from some ten thousand bodies on. They do not outlive a fork().
///
/// @param threads   1 (the default): the caller's own thread does everything, callbacks too. More: callbacks are called from
///                  several threads at once, and must bear it
/// @return QI_OK, or QI_ERR_INVALID (0), QI_ERR_MEMORY (they cannot be started)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_threads(ensemble: *mut qi_ensemble, threads: size_t) -> qi_status {
    change("qi_set_ensemble_threads", ensemble, |e| Ok(e.set_threads(threads)?))
}

/// Take one step of all (active) bodies.
///
/// Failure: every body, in the library's memory or in bound arrays, is bitwise as before. qi_last_error_body() gives the first body
/// concerned. (Within a group of 64 bodies it is the first one to fail at the earliest stage.)
///
/// @param dt        length of the step; negative: backwards in time; 0: nothing happens
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_CALLBACK, QI_ERR_ORIENTATION (one in a bound array is not within 1e-3 of unit length)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_step_ensemble(ensemble: *mut qi_ensemble, dt: f64) -> qi_status {
    change("qi_step_ensemble", ensemble, |e| Ok(e.step(dt)?))
}

/// Take many steps: the bits of qi_step_ensemble() that many times, and what failures leave too. Without a callback, steps are
/// taken chunk by chunk while the bodies are in the cache.
///
/// @param dt         length of each step; negative: backwards in time; 0: nothing happens
/// @param steps      how many
/// @param completed  receives the number of steps that stand, on failure too; NULL: not wanted
/// @return as qi_step_ensemble()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_advance_ensemble(
    ensemble: *mut qi_ensemble,
    dt: f64,
    steps: u64,
    completed: *mut u64,
) -> qi_status {
    boundary("qi_advance_ensemble", || {
        // SAFETY: by the header's contract of pointers and handles.
        let (completed, mut e) =
            unsafe { (optional_output(completed, "completed")?, exclusive(ensemble, "ensemble")?) };
        let outcome = e.advance(dt, steps);
        completed.put(outcome.map_or_else(|failure| failure.completed, |()| steps));
        Ok(outcome?)
    })
}

/// What a torque callback returned when it last stopped a step; 0 where none has, or for NULL.
///
/// @return the callback's value
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_ensemble_callback_result(ensemble: *const qi_ensemble) -> i32 {
    let mut result = 0;
    boundary("qi_get_ensemble_callback_result", || {
        // SAFETY: by the header's contract of handles.
        result = unsafe { shared(ensemble, "ensemble") }?.callback_result();
        Ok(())
    });
    result
}
