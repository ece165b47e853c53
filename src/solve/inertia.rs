//! Between angular velocity, angular momentum and energy, and the orientation that agrees with them.

use super::rates::{Numbers, turned};
use crate::kernel::{PrincipalInertia, Quat, RotationMatrix, State, Vec3};

/// The inertia in units of a power of two next to its greatest moment: angular momenta then fit a double, and no bit changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub(super) inertia: PrincipalInertia<f64>,
    pub(super) reciprocal: f64,
}

impl Unit {
    pub(super) fn new(inertia: &PrincipalInertia<f64>) -> Self {
        let [a, b, c] = inertia.moments.0;
        let greatest = if [a, b, c] == [0.0; 3] {
            1.0
        } else {
            a.max(b).max(c)
        };
        let unit = f64::from_bits(greatest.to_bits() & 0x7ff0_0000_0000_0000);
        let mut inertia = *inertia;
        (inertia.moments, inertia.reciprocals) =
            (inertia.moments * (1.0 / unit), inertia.reciprocals * unit);
        Unit {
            inertia,
            reciprocal: 1.0 / unit,
        }
    }

    pub(super) fn of(&self, state: &State<f64>) -> Numbers {
        let momentum = self.inertia.angular_momentum(state.omega_body);
        Numbers::new(
            state.q,
            state.q.to_world(momentum),
            0.5 * momentum.dot(state.omega_body),
            momentum,
        )
    }

    #[inline(always)]
    pub(super) fn omega_body(
        &self,
        to_world: &RotationMatrix<f64>,
        momentum: Vec3<f64>,
    ) -> Vec3<f64> {
        self.inertia
            .angular_velocity(to_world.rotate_back(momentum))
    }

    /// The rates of unknowns, times the step, from the rate of the momentum in the world frame.
    #[inline(always)]
    pub(super) fn rates(
        &self,
        numbers: &Numbers,
        omega_body: Vec3<f64>,
        rate: Vec3<f64>,
        h: f64,
    ) -> Numbers {
        let (q, rate) = (numbers.q(), rate * h);
        let own = self.gyroscopic(numbers.own()) * h + q.to_body(rate);
        Numbers::new(
            turned(q.scaled(0.5 * h), omega_body),
            rate,
            q.to_world(omega_body).dot(rate),
            own,
        )
    }

    /// Euler's equation for the momentum in the body frame, without a torque.
    #[inline(always)]
    pub(super) fn gyroscopic(&self, own: Vec3<f64>) -> Vec3<f64> {
        own.cross(self.inertia.angular_velocity(own))
    }

    /// The state of these unknowns with a quaternion of unit length; `None` if it overflows. A quaternion that is of unit length to rounding
    /// keeps its bits, that of a body at rest too.
    #[inline(always)]
    pub(super) fn state(&self, numbers: &Numbers) -> Option<State<f64>> {
        let (q, squared) = (
            of_unit_length_to_rounding(numbers.q()),
            numbers.q().norm_squared(),
        );
        let omega_body = self.omega_body(&q.to_matrix(), numbers.momentum());
        let is_finite = squared > 0.0 && (squared + omega_body.dot(omega_body)).is_finite();
        is_finite.then_some(State { q, omega_body })
    }

    /// What is to be added to orientation and own momentum so that they agree with the momentum in the world frame and the energy.
    ///
    /// Orientation and momentum in the world frame say what the body does, but they alone let a body near its intermediate axis fall away from it
    /// too early or too late: by the error that a step makes of its energy, and by that of the direction of the momentum in the body. Of both other
    /// unknowns know more. The energy changes by the power of the torque alone, that of a free body not at all. And the momentum in the body frame,
    /// by Euler's equation, hardly changes while the body spins about nearly the same axis, however far it turns. So the body gets a turn δ, weighed
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
            let (slope, across) = (
                omega.cross(momentum) * (1.0 / scale),
                doubts.of_q * doubts.of_momentum,
            );
            let share = across / (squared(slope) * across + doubts.of_energy * both);
            turn = turn + slope * (0.5 * (missing / scale) * share);
        }
        Numbers::new(
            turned(end.q(), turn * 0.5),
            Vec3::splat(0.0),
            0.0,
            before + before.cross(turn) - own,
        )
    }
}

/// `|q|² R(q/|q|)` and `|q|²`. Without the length of `q` it is known earlier, and most of the time of a stage is waiting.
#[inline(always)]
pub(super) fn to_scaled_matrix(q: Quat<f64>) -> (RotationMatrix<f64>, f64) {
    let [w, x, y, z] = q.0;
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (ww, xx, yy, zz) = (w * w, x * x, y * y, z * z);
    let (xy, xz, yz) = (x * y2, x * z2, y * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    let matrix = RotationMatrix([
        Vec3([(ww + xx) - (yy + zz), xy - wz, xz + wy]),
        Vec3([xy + wz, (ww + yy) - (xx + zz), yz - wx]),
        Vec3([xz - wy, yz + wx, (ww + zz) - (xx + yy)]),
    ]);
    (matrix, (ww + xx) + (yy + zz))
}

/// `q/|q|`; the bits stay if the length is 1 to rounding.
#[inline(always)]
pub(super) fn of_unit_length_to_rounding(q: Quat<f64>) -> Quat<f64> {
    if (q.norm_squared() - 1.0).abs() <= 4.0 * f64::EPSILON {
        q
    } else {
        of_unit_length(q)
    }
}

/// `q/|q|`. For a length close to 1, as in all stages of a step that is exact enough, by the binomial series.
#[inline(always)]
pub(super) fn of_unit_length(q: Quat<f64>) -> Quat<f64> {
    q.scaled(of_length(q.norm_squared()))
}

#[inline(always)]
pub(super) fn of_length(squared: f64) -> f64 {
    let e = squared - 1.0;
    let e2 = e * e;
    if e2 <= 1e-8 {
        1.0 + (e2 * (0.375 - 0.3125 * e) - 0.5 * e)
    } else {
        1.0 / squared.sqrt()
    }
}

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
    pub(super) const NONE: Self = Doubts {
        of_q: 0.0,
        of_momentum: 0.0,
        of_energy: 0.0,
    };

    /// From the estimates of order 5 and 3. Rounding is an error too.
    #[inline(always)]
    pub(super) fn new(end: &Numbers, fifth: &Numbers, third: &Numbers) -> Self {
        let size = squared(end.own());
        let world = relative(squared(fifth.momentum()), squared(third.momentum()), size);
        let own = relative(squared(fifth.own()), squared(third.own()), size);
        // the square of an energy may overflow
        let per_energy = 1.0 / end.energy().abs().max(fifth.energy().abs()).max(LEAST);
        let (fifth_energy, third_energy) =
            (fifth.energy() * per_energy, third.energy() * per_energy);
        Doubts {
            of_q: 4.0 * relative(fifth.q().norm_squared(), third.q().norm_squared(), 1.0),
            of_momentum: own + world,
            of_energy: 0.25
                * relative(
                    fifth_energy * fifth_energy,
                    third_energy * third_energy,
                    1.0,
                )
                + world,
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
    (fifth / (fifth + 0.01 * third).max(f64::MIN_POSITIVE)) * (fifth / size.max(fifth).max(LEAST))
        + ROUNDING
}
