//! Random torques: drag and the noise that belongs to it.

use super::prelude::*;
use crate::torque::Langevin;

/// Set random torques on the body, in addition to the torque: a drag `-c_i (omega_i - flow_i)`
/// about each body axis i, and the noise that belongs to it at the energy kt (Boltzmann's constant
/// times the temperature). Both are exact for any step, in a body that nothing else drives. (The free
/// rotation of such steps has an error of its own: 1e-14 rad in a turn of 0.1 rad, at most 3e-7 rad.)
///
/// Steps of QI_METHOD_SPLITTING are then BAOAB, which takes one torque evaluation per step. In
/// equilibrium averages have order 2, at any friction. What happens in time is (z/2) coth(z/2) times
/// too fast, z = c h / I: 1.02 times at z = 0.5, 1.08 at 1, 5 at 10. This concerns the diffusion and
/// the motion that a torque or a shear flow drives, also if kt is 0, and averages of bodies under a
/// torque in a fluid that rotates (`flow`): keep z below 0.5 there. Steps of QI_METHOD_BROWNIAN have
/// no inertia. The following are refused
/// (QI_ERR_INVALID): steps of any other method, negative steps, QI_METHOD_SPLITTING under
/// qi_set_linear_drag_torque(), qi_set_drag() together with random torques, and qi_solve(),
/// qi_solve_record() and qi_solve_until(). A ready-made torque that resists the rotation
/// acts as on a body at rest. Kicks and drifts ignore random torques; see qi_thermalize().
///
/// The noise is a function of the seed, the id, the number of the draw (qi_get_noise()) and the
/// axis, and of nothing else. docs/random.md has more.
///
/// ```c
/// const double coefficients[3] = {1, 1, 0.5}, kt = 4.1e-21;
/// status = qi_set_langevin(body, coefficients, NULL, kt, 42, 0);
/// ```
/// @param coefficients  3 doubles, c, torque per rad/s about the body axes, not negative; NULL: no
///                      random torques
/// @param flow          3 doubles, angular velocity of the fluid, world frame, rad/s; NULL: at rest
/// @param kt            energy, not negative; 0: drag alone
/// @param seed          seed of all noise of a simulation
/// @param id            id of the noise of this body
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_langevin(
    body: *mut qi_body,
    coefficients: *const f64,
    flow: *const f64,
    kt: f64,
    seed: u64,
    id: u64,
) -> qi_status {
    change("qi_set_langevin", body, |b| {
        let coefficients = optional!(input(coefficients));
        let flow = optional!(input(flow)).unwrap_or_default();
        let langevin = match coefficients {
            Some(coefficients) => Some(Langevin::new(coefficients, flow, kt, seed, id)?),
            None => None,
        };
        if langevin.is_none() {
            b.torque.taken_without_random(&b.body)?;
        }
        Ok(b.body.set_langevin(langevin)?)
    })
}

/// Get the number of draws, which is how many times noise has been drawn: by each step with random
/// torques, and by qi_thermalize(). A step that fails draws none. The number goes on when random
/// torques are set again. With the clock, a row of qi_get_body_row() and the torque, it is all that
/// a restart needs.
/// @param draws  receives the number of draws
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_noise(body: *const qi_body, draws: *mut u64) -> qi_status {
    compute("qi_get_noise", draws, "draws", || {
        Ok(shared(body)?.body.noise())
    })
}

/// Restore the number `draws` that qi_get_noise() gave; any number is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_noise(body: *mut qi_body, draws: u64) -> qi_status {
    change("qi_set_noise", body, |b| {
        b.body.set_noise(draws);
        Ok(())
    })
}

/// Let drag and noise alone act for a duration, exactly, at constant orientation. The clock does
/// not change. Programs that kick and drift call it between two drifts of half a step. It is one
/// draw.
/// @param duration  not negative
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (negative; no random torques)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_thermalize(body: *mut qi_body, duration: f64) -> qi_status {
    change("qi_thermalize", body, |b| {
        Ok(b.body.thermalize(duration)?)
    })
}

/// Set random torques on each body, in addition to the torque; see qi_set_langevin(). The arrays
/// have the form of those of qi_set_ensemble_drag().
/// @param coefficients  not negative; NULL: no random torques (QI_ERR_INVALID in a shear flow, if the
///                      method does not take its resistance, which is then left)
/// @param seed          seed of all noise; the ids are those of qi_set_ensemble_ids()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_langevin(
    ensemble: *mut qi_ensemble,
    coefficients: *const f64,
    coefficient_stride: isize,
    flow: *const f64,
    flow_stride: isize,
    kt: f64,
    seed: u64,
) -> qi_status {
    change("qi_set_ensemble_langevin", ensemble, |e| {
        let Some(coefficients) = optional!(view(coefficients, e, coefficient_stride, 1)) else {
            return Ok(e.clear_langevin()?);
        };
        let flow = optional!(view(flow, e, flow_stride, 1));
        Ok(e.set_langevin(coefficients, flow, kt, seed)?)
    })
}

/// Set the id of each body, on which its noise depends. A body with the same seed, id and draws has
/// the same noise in any ensemble, at any index. Bodies keep their ids in qi_select_bodies() and
/// qi_resize_ensemble(); new bodies get the numbers after the greatest.
///
/// Nothing checks that all ids are different, neither here nor in rows and in copies by
/// qi_select_bodies(), because this would take longer than a step. Two bodies with the same id get
/// the same noise in every step, so their rotations are not independent, and averages over them are
/// wrong.
/// @param ids  the id of each body, no two the same; copied. NULL: each body has its index, from
///             now on
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_ids(
    ensemble: *mut qi_ensemble,
    ids: *const u64,
) -> qi_status {
    change("qi_set_ensemble_ids", ensemble, |e| {
        Ok(e.set_ids(optional!(input_array(ids, e.count())))?)
    })
}

/// Get the number of draws; see qi_get_noise(). With the clock and the rows, it is all that a
/// restart needs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_ensemble_noise(
    ensemble: *const qi_ensemble,
    draws: *mut u64,
) -> qi_status {
    compute("qi_get_ensemble_noise", draws, "draws", || {
        Ok(shared(ensemble)?.noise())
    })
}

/// Restore the number that qi_get_ensemble_noise() gave; see qi_set_noise().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_noise(
    ensemble: *mut qi_ensemble,
    draws: u64,
) -> qi_status {
    change("qi_set_ensemble_noise", ensemble, |e| {
        Ok(e.set_noise(draws)?)
    })
}

/// Let drag and noise alone act on the (active) bodies for a duration; see qi_thermalize().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_thermalize_ensemble(
    ensemble: *mut qi_ensemble,
    duration: f64,
) -> qi_status {
    change("qi_thermalize_ensemble", ensemble, |e| {
        Ok(e.thermalize(duration)?)
    })
}

/// Multiply the angular momenta of the (active) bodies by a `factor`, for thermostats of the host
/// program such as Nose-Hoover chains. Orientations and the clock do not change; bound angular
/// velocities or momenta are multiplied as they are. The momenta of rotors do not change either: I
/// omega is multiplied, not I omega + h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_scale_angular_momenta(
    ensemble: *mut qi_ensemble,
    factor: f64,
) -> qi_status {
    change("qi_scale_angular_momenta", ensemble, |e| {
        Ok(e.scale_angular_momenta(factor)?)
    })
}

/// Get the number of rotational degrees of freedom of the active bodies: 3 for each body, less the
/// axes of zero moment. At the temperature T, the mean kinetic energy is kT/2 for each degree of
/// freedom.
/// @param degrees  receives the number of degrees of freedom
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_ensemble_degrees_of_freedom(
    ensemble: *const qi_ensemble,
    degrees: *mut u64,
) -> qi_status {
    compute(
        "qi_get_ensemble_degrees_of_freedom",
        degrees,
        "degrees",
        || Ok(shared(ensemble)?.degrees_of_freedom()),
    )
}
