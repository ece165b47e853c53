//! Conversion between bound arrays and states: unit orientations, and angular velocities in the
//! body frame.

use crate::ensemble::bodies::parameters::{InertiaSource, Inertias};
use crate::ensemble::lanes::{is_not_finite, lanes};
use crate::kernel::{MOST_LANES, Number, Quat, State, Vec3};
use crate::memory::{self, Bodies, States, StatesMut, load, store};
use crate::rotation;
use crate::simd::Job;

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
    pub(crate) fn is_momentum(self) -> bool {
        matches!(
            self,
            VelocityKind::AngularMomentumWorld | VelocityKind::AngularMomentumBody
        )
    }

    pub(crate) fn is_world(self) -> bool {
        matches!(
            self,
            VelocityKind::OmegaWorld | VelocityKind::AngularMomentumWorld
        )
    }
}

/// How to convert between angular velocities in the body frame and the quantity in a bound array,
/// which stands in their place in a state.
#[derive(Clone, Copy)]
pub(crate) struct Conversion<'a> {
    world: bool,
    momentum: bool,
    /// Whether an axis may be locked, about which the caller may have written a velocity.
    pub(super) has_zero_moment: bool,
    inertias: &'a Inertias,
}

impl<'a> Conversion<'a> {
    #[inline]
    pub(crate) fn new(kind: VelocityKind, inertias: &'a Inertias) -> Self {
        Conversion {
            world: kind.is_world(),
            momentum: kind.is_momentum(),
            has_zero_moment: inertias.has_zero_moment(),
            inertias,
        }
    }

    /// Whether it takes nothing but a rotation from or to the world frame. A step whose loops make
    /// this one choice themselves takes 0.96 of the time.
    fn is_plain(self) -> bool {
        self.world && !self.momentum && !self.has_zero_moment
    }

    /// The angular velocity, body frame, of the `i`-th and the following bodies.
    #[inline(always)]
    pub(crate) fn to_body_frame<N: Number>(
        self,
        state: &State<N>,
        bodies: &Bodies,
        i: usize,
    ) -> Vec3<N> {
        let mut velocity = state.omega_body;
        if self.world {
            velocity = state.q.to_body(velocity);
        }
        if self.momentum {
            velocity = self.inertias.at(bodies, i).angular_velocity(velocity);
        } else if self.has_zero_moment {
            velocity = self.inertias.at(bodies, i).without_locked_axes(velocity);
        }
        // −0 becomes +0: a body at rest keeps its bits
        if self.world || self.momentum {
            velocity + Vec3::splat(0.0)
        } else {
            velocity
        }
    }

    /// The reverse: the quantity for a bound array.
    #[inline(always)]
    pub(crate) fn to_bound<N: Number>(
        self,
        state: &State<N>,
        bodies: &Bodies,
        i: usize,
    ) -> Vec3<N> {
        let mut quantity = state.omega_body;
        if self.momentum {
            quantity = self.inertias.at(bodies, i).angular_momentum(quantity);
        }
        if self.world {
            state.q.to_world(quantity)
        } else {
            quantity
        }
    }
}

/// Whether the first `count` orientations are of unit length to rounding, as steps leave them.
pub(crate) struct AreUnit<'a> {
    pub(crate) states: States<'a>,
    pub(crate) count: usize,
}

impl Job<bool> for AreUnit<'_> {
    #[inline(always)]
    fn in_lanes<N: Number>(&mut self) -> bool {
        let mut beyond = N::splat(0.0);
        lanes!(self.count, N, b, lane, {
            let deviation = deviation(load::<N>(&self.states[b], lane).q);
            beyond = beyond + deviation.if_at_most(LEFT_BY_STEPS, N::splat(0.0), N::splat(1.0));
        });
        !beyond.any_above(0.5)
    }
}

/// Converts gathered numbers to states. Returns the first position whose orientation is not within
/// 1e-3 of unit length.
pub(crate) struct ToBodyFrame<'a> {
    pub(crate) bodies: &'a Bodies<'a>,
    pub(crate) from: States<'a>,
    pub(crate) to: StatesMut<'a>,
    pub(crate) conversion: Conversion<'a>,
}

impl Job<Option<usize>> for ToBodyFrame<'_> {
    #[inline(always)]
    fn in_lanes<N: Number>(&mut self) -> Option<usize> {
        let bodies = self.bodies;
        let count = self.bodies.count();
        let conversion = self.conversion;
        let mut wrong = false;
        let is_plain = conversion.is_plain();
        lanes!(count, N, b, lane, {
            let mut state = load::<N>(&self.from[b], lane);
            let deviation = deviation(state.q);
            if is_beyond(deviation, LEFT_BY_STEPS) {
                state.q = normalised(state.q); // the caller has written this orientation
                wrong |= is_beyond(deviation, MOST_DEVIATION);
            }
            state.omega_body = match is_plain {
                true => state.q.to_body(state.omega_body) + Vec3::splat(0.0),
                false => conversion.to_body_frame(&state, bodies, b * MOST_LANES + lane),
            };
            store(&state, &mut self.to[b], lane);
        });
        let q = |i: usize| load::<f64>(&self.from[i / MOST_LANES], i % MOST_LANES).q;
        if wrong {
            (0..count).find(|i| is_beyond(deviation(q(*i)), MOST_DEVIATION))
        } else {
            None
        }
    }
}

/// An orientation as in `rotation::checked`.
#[inline(always)]
pub(crate) fn normalised<N: Number>(q: Quat<N>) -> Quat<N> {
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

/// The state with another orientation and the same velocity in the world frame. Where the
/// orientation before is none, in the row of a body that does not move, the same velocity in the
/// body frame.
#[inline(always)]
pub(crate) fn turned<N: Number>(before: &State<N>, q: Quat<N>, is_in_world: bool) -> State<N> {
    if is_in_world {
        return State { q, ..*before };
    }
    let omega_world = normalised(before.q).to_world(before.omega_body);
    let deviation = deviation(before.q);
    let mut omega_body = q.to_body(omega_world) + Vec3::splat(0.0);
    for c in 0..3 {
        omega_body.0[c] =
            deviation.if_at_most(MOST_DEVIATION, omega_body.0[c], before.omega_body.0[c]);
    }
    State { q, omega_body }
}

#[inline(always)]
pub(crate) fn deviation<N: Number>(q: Quat<N>) -> N {
    let excess = q.norm_squared() - N::splat(1.0);
    excess * excess
}
/// The deviation of an orientation of length 1.001.
pub(crate) const MOST_DEVIATION: f64 = (1.001 * 1.001 - 1.0) * (1.001 * 1.001 - 1.0);
/// The deviation up to which an orientation keeps its bits.
pub(crate) const LEFT_BY_STEPS: f64 = rotation::UNIT_TO_ROUNDING * rotation::UNIT_TO_ROUNDING;

/// Whether the number is above the bound, or NaN, in any lane.
#[inline(always)]
pub(crate) fn is_beyond<N: Number>(number: N, bound: f64) -> bool {
    number
        .if_at_most(bound, N::splat(0.0), N::splat(1.0))
        .any_above(0.5)
}

/// Converts states to bound quantities, in place. Returns the first position whose numbers
/// overflow.
pub(crate) struct FromBodyFrame<'a> {
    pub(crate) bodies: &'a Bodies<'a>,
    pub(crate) states: StatesMut<'a>,
    pub(crate) conversion: Conversion<'a>,
}

impl Job<Option<usize>> for FromBodyFrame<'_> {
    #[inline(always)]
    fn in_lanes<N: Number>(&mut self) -> Option<usize> {
        let bodies = self.bodies;
        let count = self.bodies.count();
        let conversion = self.conversion;
        let mut finite_checks = N::splat(0.0);
        let is_plain = conversion.is_plain();
        lanes!(count, N, b, lane, {
            let mut state = load::<N>(&self.states[b], lane);
            state.omega_body = match is_plain {
                true => state.q.to_world(state.omega_body),
                false => conversion.to_bound(&state, bodies, b * MOST_LANES + lane),
            };
            let [x, y, z] = state.omega_body.0;
            finite_checks = finite_checks + (x + y + z) * N::splat(0.0);
            store(&state, &mut self.states[b], lane);
        });
        let overflows = |i: &usize| {
            memory::get(self.states, *i)
                .iter()
                .any(|number| !number.is_finite())
        };
        if is_not_finite(finite_checks) {
            (0..count).find(overflows)
        } else {
            None
        }
    }
}
