//! Drifts of a body that has rotors.

use super::{composition::Composition, splitting};
use crate::error::{Error, check};
use crate::kernel::{PrincipalInertia, Rotor, State, Vec3, free_gyrostat};

/// The state after a time without torque, by the drifts and turns of a step, in parts in which the
/// free rotation and the turns are of at most 1 rad. The way back has as many parts. The result may
/// not be finite. Errors: [`Error::Invalid`] beyond 1e6 rad, because these would take seconds, or
/// for ever.
pub(crate) fn drifted_with_rotors(
    composition: &Composition,
    inertia: &PrincipalInertia<f64>,
    rotor: &Rotor<f64>,
    start: &State<f64>,
    duration: f64,
) -> Result<State<f64>, Error> {
    let momenta = [rotor.momentum, rotor.after(duration)];
    let mut parts = parts(inertia, momenta, start.omega_body, duration)?;
    loop {
        let end = drifted_in_parts(composition, inertia, rotor, start, duration, parts);
        let [first, last] = momenta;
        let back = self::parts(inertia, [last, first], end.omega_body, duration)?;
        // They differ by rounding, or where motors turn a body with locked axes.
        if back > parts {
            parts = back;
        } else {
            return Ok(end);
        }
    }
}

/// In how many parts to drift from a state, with these momenta of the rotors at both ends.
fn parts(
    inertia: &PrincipalInertia<f64>,
    [now, then]: [Vec3<f64>; 2],
    omega_body: Vec3<f64>,
    duration: f64,
) -> Result<f64, Error> {
    let per_least = inertia.reciprocals.0.into_iter().fold(0.0, f64::max);
    // The momentum of body and rotors has the same length all the time, also while motors drive the
    // rotors; beside locked axes, and without motors, that of the body alone.
    let mut momentum = inertia.angular_momentum(omega_body);
    if !inertia.reciprocals.0.contains(&0.0) {
        momentum = momentum + now;
    }
    let greatest = length(momentum).max(length(now)).max(length(then));
    let fastest = greatest * per_least;
    let parts = (fastest * duration.abs()).ceil().max(1.0);
    check(
        parts < 1e6,
        "duration",
        "must turn a body with rotors by less than 1e6 rad",
    )?;
    Ok(parts)
}

fn drifted_in_parts(
    composition: &Composition,
    inertia: &PrincipalInertia<f64>,
    rotor: &Rotor<f64>,
    start: &State<f64>,
    duration: f64,
    parts: f64,
) -> State<f64> {
    let Composition {
        times,
        turns,
        drifts,
        ..
    } = composition;
    let part = duration / parts;
    let mut state = *start;
    let mut later = *rotor;
    for i in 0..parts as u64 {
        later.momentum = rotor.after(part * i as f64);
        for i in 0..drifts.len() {
            let between = splitting::part(&later, times, turns, i, part);
            let free = free_gyrostat(inertia, Some(&between), state.omega_body, part * drifts[i]);
            state.q = state.q.turned_freely(free.rotation, free.motion);
            state.omega_body = state.omega_body + free.gained;
        }
    }
    state
}

/// The length of a vector, without overflow of the squares.
fn length(v: Vec3<f64>) -> f64 {
    let [x, y, z] = v.0;
    let squares = v.dot(v);
    if (1e-280..1e300).contains(&squares) {
        squares.sqrt()
    } else {
        libm::hypot(libm::hypot(x, y), z)
    }
}
