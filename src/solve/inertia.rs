//! Between angular velocity and angular momentum.

use super::rates::{Numbers, turned};
use crate::kernel::{Here, PrincipalInertia, Quat, RotationMatrix, State, Vec3};

/// Slower bodies have no energy that a double could hold.
const LEAST_ENERGY: f64 = 1e-290;

/// The relative rounding error of an energy.
const ROUNDING: f64 = f64::EPSILON;

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
        Numbers::new(state.q, state.q.to_world(momentum), 0.5 * momentum.dot(state.omega_body))
    }

    /// The angular velocity, body frame.
    #[inline(always)]
    pub(super) fn omega_body(&self, to_world: &RotationMatrix<f64>, momentum: Vec3<f64>) -> Vec3<f64> {
        self.inertia.angular_velocity(to_world.rotate_back(momentum))
    }

    /// What is to be added to the quaternion so that the energy is what the torque has made of it. Orientation and momentum alone leave
    /// the energy with the error of a step, by which a body near its intermediate axis falls away from it: it would flip too early or too late.
    /// With the slope `s` of the energy by a turn, the orientation and the energy are weighed by their errors, as in least squares:
    /// ```text
    ///     δ = s ΔE / (s² + (e_E/e_q)²)        s = ω × L, in units of 2E
    /// ```
    /// `doubt` is (e_E/e_q)², see [`Unit::doubt`].
    #[inline(always)]
    pub(super) fn turn_of_energy(&self, end: &Numbers, doubt: f64) -> Numbers {
        let (to_world, squared) = to_scaled_matrix(end.q());
        let momentum = to_world.rotate_back(end.momentum()) * (1.0 / squared);
        let omega = self.inertia.angular_velocity(momentum);
        let (twice, turn) = (omega.dot(momentum), omega.cross(momentum));
        let missing = 2.0 * end.energy() - twice;
        let scale = twice.max(missing.abs());
        let delta = if scale > LEAST_ENERGY {
            let slope = turn * (1.0 / scale);
            slope * (0.25 * (missing / scale) / (slope.dot(slope) + doubt))
        } else {
            Vec3::splat(0.0)
        };
        Numbers::new(turned(end.q(), delta), Vec3::splat(0.0), 0.0)
    }

    /// From the error estimates of a step, of order 5 and 3. Rounding is an error of the energy too, to be compared with what both estimate.
    #[inline(always)]
    pub(super) fn doubt(&self, end: &Numbers, fifth: &Numbers, third: &Numbers) -> f64 {
        let (energy, error) = (end.energy().abs(), fifth.energy().abs());
        let relative = error / energy.max(error).max(LEAST_ENERGY);
        let [of_fifth, of_third] = [fifth, third].map(|errors| (4.0 * errors.q().norm_squared()).max(1e-60));
        let share = of_fifth / (of_fifth + 0.01 * of_third);
        (relative * relative + ROUNDING * (ROUNDING / share)) / of_fifth
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
