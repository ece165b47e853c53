//! Between angular velocity and angular momentum.

use super::rates::{Numbers, turned};
use crate::kernel::{Here, PrincipalInertia, Quat, RotationMatrix, State, Vec3};

/// The inertia in units of a power of two next to its greatest moment: angular momenta are then neither too large nor too small for a
/// double, and no bit changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub(super) inertia: PrincipalInertia<f64>,
    /// One over the unit.
    pub(super) reciprocal: f64,
}

impl Unit {
    pub(super) fn new(inertia: &PrincipalInertia<f64>) -> Self {
        let [a, b, c] = inertia.moments.0;
        let greatest = if [a, b, c] == [0.0; 3] { 1.0 } else { a.max(b).max(c) };
        let unit = f64::from_bits(greatest.to_bits() & 0x7ff0_0000_0000_0000);
        let mut inertia = *inertia;
        (inertia.moments, inertia.reciprocals) = (inertia.moments * (1.0 / unit), inertia.reciprocals * unit);
        Unit { inertia, reciprocal: 1.0 / unit }
    }

    pub(super) fn of(&self, state: &State<f64>) -> Numbers {
        let momentum = self.inertia.angular_momentum(state.omega_body);
        Numbers::new(state.q, state.q.to_world(momentum), 0.5 * momentum.dot(state.omega_body), momentum)
    }

    /// The angular velocity, body frame.
    #[inline(always)]
    pub(super) fn omega_body(&self, to_world: &RotationMatrix<f64>, momentum: Vec3<f64>) -> Vec3<f64> {
        self.inertia.angular_velocity(to_world.rotate_back(momentum))
    }

    /// The rates of unknowns, times the step, from the rate of the momentum in the world frame.
    #[inline(always)]
    pub(super) fn rates(&self, numbers: &Numbers, omega_body: Vec3<f64>, rate: Vec3<f64>, h: f64) -> Numbers {
        let (q, rate) = (numbers.q(), rate * h);
        let own = self.gyroscopic(numbers.own()) * h + q.to_body(rate);
        Numbers::new(turned(q.scaled(0.5 * h), omega_body), rate, q.to_world(omega_body).dot(rate), own)
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
        let (q, squared) = (of_unit_length_to_rounding(numbers.q()), numbers.q().norm_squared());
        let omega_body = self.omega_body(&q.to_matrix(), numbers.momentum());
        let is_finite = squared > 0.0 && (squared + omega_body.dot(omega_body)).is_finite();
        is_finite.then_some(State { q, omega_body })
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
    let matrix = RotationMatrix::from_rows([
        Vec3([(ww + xx) - (yy + zz), xy - wz, xz + wy]),
        Vec3([xy + wz, (ww + yy) - (xx + zz), yz - wx]),
        Vec3([xz - wy, yz + wx, (ww + zz) - (xx + yy)]),
    ]);
    (matrix, (ww + xx) + (yy + zz))
}

/// The state passed to a torque, for a quaternion of any length.
#[inline(always)]
pub(super) fn here(
    q: Quat<f64>, omega_body: Vec3<f64>, (scaled, squared): (RotationMatrix<f64>, f64), per: f64,
) -> Here<f64> {
    let [a, b, c] = scaled.rows();
    Here {
        q: q.scaled(of_length(squared)),
        to_world: RotationMatrix::from_rows([a * per, b * per, c * per]),
        omega_body,
        omega_world: scaled.rotate(omega_body) * per,
    }
}

/// `q/|q|`; the bits stay if the length is 1 to rounding.
#[inline(always)]
pub(super) fn of_unit_length_to_rounding(q: Quat<f64>) -> Quat<f64> {
    if (q.norm_squared() - 1.0).abs() <= 4.0 * f64::EPSILON { q } else { of_unit_length(q) }
}

/// `q/|q|`. For a length close to 1, as in all stages of a step that is exact enough, by the binomial series.
#[inline(always)]
pub(super) fn of_unit_length(q: Quat<f64>) -> Quat<f64> {
    q.scaled(of_length(q.norm_squared()))
}

#[inline(always)]
fn of_length(squared: f64) -> f64 {
    let e = squared - 1.0;
    let e2 = e * e;
    if e2 <= 1e-8 { 1.0 + (e2 * (0.375 - 0.3125 * e) - 0.5 * e) } else { 1.0 / squared.sqrt() }
}
