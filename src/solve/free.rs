//! A body on which nothing acts: its rotation is exact over any time.

use crate::error::Error;
use crate::inertia::least_moment;
use crate::kernel::{PrincipalInertia, State, free_rotation};

/// A free body at some time.
#[derive(Clone, Copy)]
pub(crate) struct FreeBody<'a> {
    pub(crate) inertia: &'a PrincipalInertia<f64>,
    pub(crate) state: State<f64>,
    /// For errors.
    pub(crate) time: f64,
}

impl FreeBody<'_> {
    pub(crate) fn after(&self, duration: f64) -> Result<State<f64>, Error> {
        let end = drifted(self.inertia, &self.state, duration);
        if is_finite(&end) {
            return Ok(end);
        }
        Err(Error::Overflow {
            time: self.time,
            size: None,
        })
    }

    /// The time in which the fastest rotation with this energy turns by a radian: |ω|² is at most
    /// twice the energy over the least moment.
    pub(super) fn radian(&self) -> f64 {
        let moments = self.inertia.moments.0;
        let omega = self.state.omega_body.0;
        let least = least_moment(moments);
        let [x, y, z] = [0, 1, 2].map(|axis| (moments[axis] / least).sqrt() * omega[axis]);
        1.0 / libm::hypot(libm::hypot(x, y), z).max(f64::MIN_POSITIVE)
    }
}

/// The state after a time without torque.
#[inline(always)]
pub(crate) fn drifted(
    inertia: &PrincipalInertia<f64>,
    start: &State<f64>,
    duration: f64,
) -> State<f64> {
    let free = free_rotation(inertia, start.omega_body, duration);
    State {
        q: start.q.turned_freely(free.rotation, free.motion),
        omega_body: start.omega_body + free.gained,
    }
}

/// Tests the result of a step. One component of `q` is enough: it depends on all. If `|ω|²` is
/// finite, no rotated ω overflows.
#[inline(always)]
pub(crate) fn is_finite(state: &State<f64>) -> bool {
    (state.q.0[0] + state.omega_body.dot(state.omega_body)).is_finite()
}
