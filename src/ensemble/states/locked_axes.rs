//! Locked axes, of zero moment: what turns a body about them is taken away.

use super::convert::{VelocityKind, normalised};
use crate::ensemble::Ensemble;
use crate::ensemble::bodies::parameters::Inertias;
use crate::kernel::{MOST_LANES, State};
use crate::memory;

impl Ensemble<'_, '_> {
    /// Takes away what turns these bodies about locked axes: in own memory, and in a bound array of
    /// angular velocities where a body is active. (Bound momenta stay; and what the caller writes
    /// to the array later is taken away where it is read.)
    pub(crate) fn stop_about_locked_axes(&mut self, bodies: impl Iterator<Item = usize> + Clone) {
        if !self.inertias.has_zero_moment() {
            return;
        }
        let bound = &self.motion.states.bound;
        if bound.velocities.is_some() && !bound.kind.is_momentum() {
            for body in bodies.clone() {
                if self.active.contains(body)
                    && self.check_bound(body).is_ok()
                    && self.turns_about_locked_axes(body)
                {
                    self.put_state(body, &self.state(body));
                }
            }
        }
        self.stop_in_own_memory(bodies);
    }

    /// Whether a bound array holds a rotation about a locked axis that is more than rounding, which
    /// stays: otherwise a lock that is there already would change bits.
    fn turns_about_locked_axes(&self, body: usize) -> bool {
        let bound = &self.motion.states.bound;
        let State { q, omega_body } = bound.get(&self.motion.states.current, body);
        let omega_body = match bound.kind {
            VelocityKind::OmegaWorld => normalised(q).to_body(omega_body),
            _ => omega_body,
        };
        let locked = self.inertias.of_body(body).locked(omega_body);
        locked.dot(locked) > 1e-18 * omega_body.dot(omega_body)
    }

    /// [`Ensemble::stop_about_locked_axes`], but in own memory alone.
    pub(crate) fn stop_in_own_memory(&mut self, bodies: impl Iterator<Item = usize>) {
        if !self.inertias.has_zero_moment() {
            return;
        }
        for body in bodies {
            let block = &mut self.motion.states.current[body / MOST_LANES];
            let lane = body % MOST_LANES;
            let state = without_locked_axes(&self.inertias, body, &memory::load(block, lane));
            memory::store(&state, block, lane);
        }
    }
}

/// The state without a rotation about locked axes.
#[inline(always)]
pub(crate) fn without_locked_axes(
    inertias: &Inertias,
    body: usize,
    state: &State<f64>,
) -> State<f64> {
    let mut state = *state;
    if inertias.has_zero_moment() {
        state.omega_body = inertias.of_body(body).without_locked_axes(state.omega_body);
    }
    state
}
