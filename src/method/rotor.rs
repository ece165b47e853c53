//! Drifts of a body that has rotors.

use super::{composition::Composition, splitting};
use crate::error::{Error, check};
use crate::kernel::{PrincipalInertia, Rotor, State, Vec3, free_gyrostat};

/// The state after a time without torque, by the drifts and turns of a step, in parts that turn the
/// body by at most 1 rad each. The result may not be finite. Errors: [`Error::Invalid`] beyond 1e6
/// rad, because these would take seconds, or for ever.
pub(crate) fn drifted_with_rotors(
    composition: &Composition,
    inertia: &PrincipalInertia<f64>,
    rotor: &Rotor<f64>,
    start: &State<f64>,
    duration: f64,
) -> Result<State<f64>, Error> {
    // no rotation with this energy is faster, and rotors alone do no work
    let per_least = inertia.reciprocals.0.into_iter().fold(0.0, f64::max);
    let [w1, w2, w3] = inertia.to_principal(start.omega_body).0;
    let [i1, i2, i3] = inertia.moments.0.map(|moment| (moment * per_least).sqrt());
    let of_energy = length(Vec3([i1 * w1, i2 * w2, i3 * w3]));
    let driven = length(rotor.motor) * duration.abs();
    let fastest = of_energy + (length(rotor.momentum) + (driven + driven)) * per_least;
    let parts = (fastest * duration.abs()).ceil().max(1.0);
    check(
        parts < 1e6,
        "duration",
        "must turn a body with rotors by less than 1e6 rad",
    )?;
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
    Ok(state)
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
