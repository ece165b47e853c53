//! Rotors in a body: their momentum during a step, and drifts of a body that has them.

use super::composition::Composition;
use crate::error::Error;
use crate::kernel::{GyrostatPart, Number, PrincipalInertia, State, Vec3, free_gyrostat};

/// Rotors in a body, such as reaction wheels: body frame, at the start of a step.
#[derive(Clone, Copy, Debug)]
pub struct Rotor<N> {
    /// Their angular momentum.
    pub momentum: Vec3<N>,
    /// The torque of their motors on the body; that on the rotors is the opposite. Without motors 0: see [`PrincipalInertia`]'s `turn`.
    pub motor: Vec3<N>,
    /// Whether there are motors.
    pub is_driven: bool,
}

impl<N: Number> Rotor<N> {
    /// Without motors.
    #[inline(always)]
    pub fn held(momentum: Vec3<N>) -> Self {
        Rotor { momentum, motor: Vec3::splat(0.0), is_driven: false }
    }

    /// The angular momentum some time later.
    #[inline(always)]
    pub fn after(&self, time: f64) -> Vec3<N> {
        if self.is_driven { self.momentum - self.motor * N::splat(time) } else { self.momentum }
    }

    /// The turns beside the `i`-th drift of a step of `h`.
    #[inline(always)]
    pub(super) fn part(&self, times: &[f64], turns: &[[f64; 2]], i: usize, h: f64) -> GyrostatPart<N> {
        let [before, after] = turns[i];
        GyrostatPart {
            rotor: self.after(h * times[i]),
            rotor_end: self.is_driven.then(|| self.after(h * times[i + 1])),
            turns: [h * before, h * after],
        }
    }
}

/// The state after a time without torque: the drifts and turns of a step, in parts that turn the body by at most 1 rad each.
/// Errors: [`Error::Invalid`] beyond 1e6 rad, which would take seconds, or for ever. The state may not be finite.
pub(crate) fn drifted_with_rotors(
    composition: &Composition, inertia: &PrincipalInertia<f64>, rotor: &Rotor<f64>, start: &State<f64>, duration: f64,
) -> Result<State<f64>, Error> {
    let driven = length(rotor.motor) * duration.abs();
    let fastest = length(start.omega_body)
        + (length(rotor.momentum) + driven) * inertia.reciprocals.0.into_iter().fold(0.0, f64::max);
    let parts = (fastest * duration.abs()).ceil().max(1.0);
    if parts >= 1e6 {
        return Err(Error::Invalid { name: "duration", must: "must turn a body with rotors by less than 1e6 rad" });
    }
    let (Composition { times, turns, drifts, .. }, part) = (composition, duration / parts);
    let mut state = *start;
    for elapsed in (0..parts as u64).map(|i| part * i as f64) {
        let rotor = Rotor { momentum: rotor.after(elapsed), ..*rotor };
        for i in 0..drifts.len() {
            let free =
                free_gyrostat(inertia, Some(&rotor.part(times, turns, i, part)), state.omega_body, part * drifts[i]);
            state.q = state.q.turned_freely(free.rotation, free.motion);
            state.omega_body = state.omega_body + free.gained;
        }
    }
    Ok(state)
}

/// Without overflow, whatever the components.
fn length(v: Vec3<f64>) -> f64 {
    let [x, y, z] = v.0;
    libm::hypot(libm::hypot(x, y), z)
}
