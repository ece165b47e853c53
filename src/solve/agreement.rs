//! The orientation that agrees with the other unknowns.
//!
//! Orientation and momentum in the world frame say what the body does, but they alone let a body near its intermediate axis fall away from it too
//! early or too late: by the error that a step makes of its energy, and by that of the direction of the momentum in the body. Of both other unknowns
//! know more. The energy changes by the power of the torque alone, that of a free body not at all. And the momentum in the body frame,
//! by Euler's equation, hardly changes while the body spins about nearly the same axis, however far it turns.

use super::inertia::{Unit, to_scaled_matrix};
use super::rates::{Numbers, turned};
use crate::kernel::Vec3;

/// Slower bodies have no energy that a double could hold.
const LEAST: f64 = 1e-290;

/// The square of a relative rounding error.
const ROUNDING: f64 = f64::EPSILON * f64::EPSILON;

/// The squares of the errors of a step: of the orientation in rad, of the momentum in the body frame and in the world frame together relative to
/// it, and of the energy relative to twice it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Doubts {
    of_q: f64,
    of_momentum: f64,
    of_energy: f64,
}

impl Doubts {
    pub(super) const NONE: Self = Doubts { of_q: 0.0, of_momentum: 0.0, of_energy: 0.0 };

    /// From the estimates of order 5 and 3. Rounding is an error too.
    #[inline(always)]
    pub(super) fn new(end: &Numbers, fifth: &Numbers, third: &Numbers) -> Self {
        let size = squared(end.own());
        let world = relative(squared(fifth.momentum()), squared(third.momentum()), size);
        let own = relative(squared(fifth.own()), squared(third.own()), size);
        // the square of an energy may overflow
        let per_energy = 1.0 / end.energy().abs().max(fifth.energy().abs()).max(LEAST);
        let [fifth_energy, third_energy] = [fifth, third].map(|errors| errors.energy() * per_energy);
        Doubts {
            of_q: 4.0 * relative(fifth.q().norm_squared(), third.q().norm_squared(), 1.0),
            of_momentum: own + world,
            of_energy: 0.25 * relative(fifth_energy * fifth_energy, third_energy * third_energy, 1.0) + world,
        }
    }
}

#[inline(always)]
fn squared(v: Vec3<f64>) -> f64 {
    v.dot(v)
}

/// The square of the error that the control of steps assumes, `e₅⁴/(e₅² + 0.01 e₃²)`, relative to the square of a size.
#[inline(always)]
fn relative(fifth: f64, third: f64, size: f64) -> f64 {
    (fifth / (fifth + 0.01 * third).max(f64::MIN_POSITIVE)) * (fifth / size.max(fifth).max(LEAST)) + ROUNDING
}

impl Unit {
    /// What is to be added to orientation and own momentum so that they agree with the momentum in the world frame and the energy: a turn δ, weighed
    /// by the errors e as in least squares. With the momentum L that orientation and momentum have in the body, and P as an unknown of its own:
    /// ```text
    ///     δ₁ = (P − L) × L / L²  e_q² / (e_q² + e_P²)        e² = e_q² e_P² / (e_q² + e_P²), the error across L after it
    ///     δ₂ = s ΔE e² / (s² e² + e_E²)                      s = ω × L, after δ₁, in units of 2E
    /// ```
    #[inline(always)]
    pub(super) fn correction(&self, end: &Numbers, doubts: &Doubts) -> Numbers {
        let (to_world, length) = to_scaled_matrix(end.q());
        let before = to_world.rotate_back(end.momentum()) * (1.0 / length);
        let (own, size, both) = (end.own(), squared(before), doubts.of_q + doubts.of_momentum);
        let mut turn = Vec3::splat(0.0);
        if size > LEAST {
            turn = (own - before).cross(before) * (doubts.of_q / (size * both));
        }
        let momentum = before + before.cross(turn);
        let omega = self.inertia.angular_velocity(momentum);
        let twice = omega.dot(momentum);
        let missing = 2.0 * end.energy() - twice;
        let scale = twice.max(missing.abs());
        if scale > LEAST {
            let (slope, across) = (omega.cross(momentum) * (1.0 / scale), doubts.of_q * doubts.of_momentum);
            let share = across / (squared(slope) * across + doubts.of_energy * both);
            turn = turn + slope * (0.5 * (missing / scale) * share);
        }
        Numbers::new(turned(end.q(), turn * 0.5), Vec3::splat(0.0), 0.0, before + before.cross(turn) - own)
    }
}
