//! Conversion between bound arrays and states: unit orientations, and angular velocities in the body frame.

use super::lanes::{is_not_finite, lanes};
use super::parameters::{InertiaSource, Inertias};
use crate::kernel::{MOST_LANES, Number, Quat, Vec3};
use crate::memory::{self, Bodies, States, StatesMut, load, store};
use crate::rotation;
use crate::simd::{Job, Lanes};

/// The quantity in a bound array of angular velocities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VelocityKind {
    /// Angular velocities, world frame, rad/s.
    OmegaWorld,
    /// Angular velocities, body frame, rad/s: what the integrator stores.
    OmegaBody,
    /// Angular momenta `I ω`, world frame.
    AngularMomentumWorld,
    /// Angular momenta `I ω`, body frame.
    AngularMomentumBody,
}

impl VelocityKind {
    pub(super) fn is_momentum(self) -> bool {
        self.is_world_and_momentum().1
    }

    #[inline(always)]
    fn is_world_and_momentum(self) -> (bool, bool) {
        let world = matches!(self, VelocityKind::OmegaWorld | VelocityKind::AngularMomentumWorld);
        (world, matches!(self, VelocityKind::AngularMomentumWorld | VelocityKind::AngularMomentumBody))
    }
}

/// Converts gathered numbers to states. Returns the first position whose orientation is not within 1e-3 of unit length.
pub(super) struct ToBodyFrame<'a> {
    pub(super) bodies: &'a Bodies<'a>,
    pub(super) from: States<'a>,
    pub(super) to: StatesMut<'a>,
    pub(super) inertias: &'a Inertias,
    pub(super) kind: VelocityKind,
}

impl Job for ToBodyFrame<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn in_lanes<N: Lanes>(&mut self) -> Option<usize> {
        let (world, momentum) = self.kind.is_world_and_momentum();
        let (count, is_locked) = (self.bodies.count(), self.inertias.is_locked());
        let mut wrong = false;
        lanes!(count, N, b, lane, {
            let mut state = load::<N>(&self.from[b], lane);
            let deviation = deviation(state.q);
            if is_beyond(deviation, LEFT_BY_STEPS) {
                state.q = normalised(state.q); // the caller has written this orientation
                wrong |= is_beyond(deviation, MOST_DEVIATION);
            }
            if world {
                state.omega_body = state.q.to_body(state.omega_body);
            }
            if momentum {
                let inertia = self.inertias.at(self.bodies, b * MOST_LANES + lane);
                state.omega_body = inertia.angular_velocity(state.omega_body);
            } else if is_locked {
                state.omega_body = self.inertias.at(self.bodies, b * MOST_LANES + lane).turnable(state.omega_body);
            }
            if world || momentum {
                state.omega_body = state.omega_body + Vec3::splat(0.0); // −0 becomes +0: a body at rest keeps its bits
            }
            store(&state, &mut self.to[b], lane);
        });
        let is_wrong = |i: &usize| is_beyond(deviation(Quat(quaternion_at(self.from, *i))), MOST_DEVIATION);
        if wrong { (0..count).find(is_wrong) } else { None }
    }
}

/// An orientation as in `rotation::checked`.
#[inline(always)]
pub(super) fn normalised<N: Number>(q: Quat<N>) -> Quat<N> {
    let deviation = deviation(q);
    let mut out = q;
    if is_beyond(deviation, LEFT_BY_STEPS) {
        let length = q.norm_squared().sqrt();
        for c in 0..4 {
            out.0[c] = deviation.if_at_most(LEFT_BY_STEPS, q.0[c], q.0[c] / length);
        }
    }
    out
}

#[inline(always)]
pub(super) fn deviation<N: Number>(q: Quat<N>) -> N {
    let excess = q.norm_squared() - N::splat(1.0);
    excess * excess
}
/// The deviation of an orientation of length 1.001.
pub(super) const MOST_DEVIATION: f64 = (1.001 * 1.001 - 1.0) * (1.001 * 1.001 - 1.0);
/// The deviation up to which an orientation keeps its bits.
pub(super) const LEFT_BY_STEPS: f64 = rotation::UNIT_TO_ROUNDING * rotation::UNIT_TO_ROUNDING;

/// Whether the number is above the bound, or NaN, in any lane.
#[inline(always)]
pub(super) fn is_beyond<N: Number>(number: N, bound: f64) -> bool {
    number.if_at_most(bound, N::splat(0.0), N::splat(1.0)).any_above(0.5)
}

fn quaternion_at(states: States, i: usize) -> [f64; 4] {
    let [w, x, y, z, ..] = memory::get(states, i);
    [w, x, y, z]
}

/// Converts states to bound quantities, in place. Returns the first position whose numbers overflow.
pub(super) struct FromBodyFrame<'a> {
    pub(super) bodies: &'a Bodies<'a>,
    pub(super) states: StatesMut<'a>,
    pub(super) inertias: &'a Inertias,
    pub(super) kind: VelocityKind,
}

impl Job for FromBodyFrame<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn in_lanes<N: Lanes>(&mut self) -> Option<usize> {
        let (world, momentum) = self.kind.is_world_and_momentum();
        let count = self.bodies.count();
        let mut finite_checks = N::splat(0.0);
        lanes!(count, N, b, lane, {
            let mut state = load::<N>(&self.states[b], lane);
            if momentum {
                let inertia = self.inertias.at(self.bodies, b * MOST_LANES + lane);
                state.omega_body = inertia.angular_momentum(state.omega_body);
            }
            if world {
                state.omega_body = state.q.to_world(state.omega_body);
            }
            let [x, y, z] = state.omega_body.0;
            finite_checks = finite_checks + (x + y + z) * N::splat(0.0);
            store(&state, &mut self.states[b], lane);
        });
        let overflows = |i: &usize| memory::get(self.states, *i).iter().any(|number| !number.is_finite());
        if is_not_finite(finite_checks) { (0..count).find(overflows) } else { None }
    }
}
