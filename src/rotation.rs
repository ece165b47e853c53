//! Conversions between rotations: axis and angle, rotation vector, matrix, Euler angles, and unit
//! quaternions.
//!
//! Trigonometry is allowed here, outside the integrators. It is that of the `libm` crate, which has
//! the same bits on every platform.

use crate::error::{Error, check, finite};
use crate::kernel::{Quat, Vec3, exp_of_any_length};
use nalgebra::{Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector3};
use std::f64::consts::PI;

/// Tolerance for the length of a given orientation: `||q| − 1|`.
const UNIT: f64 = 1e-3;

/// Tolerance for `||q|² − 1|` to keep the bits of `q`. Steps keep it within 21 ε: saved states are
/// restored exactly.
pub(crate) const UNIT_TO_ROUNDING: f64 = 512.0 * f64::EPSILON;

/// Checks and normalises an orientation. Components that have unit length to rounding keep their
/// bits. Errors: it must be finite and within 1e-3 of unit length.
#[doc(hidden)] // for the bindings
pub fn checked(name: &'static str, components: [f64; 4]) -> Result<Quat<f64>, Error> {
    let [w, x, y, z] = components;
    // −0 becomes +0: a body at rest keeps its bits
    let q = Quat([w + 0.0, x + 0.0, y + 0.0, z + 0.0]);
    let norm_squared = q.norm_squared();
    if (norm_squared - 1.0).abs() <= UNIT_TO_ROUNDING {
        return Ok(q);
    }
    finite(name, components)?;
    let length = norm_squared.sqrt();
    if (length - 1.0).abs() <= UNIT {
        Ok(Quat(q.0.map(|c| c / length)))
    } else {
        Err(Error::NotUnit { name, length })
    }
}

/// [`checked`] for a quaternion that is the result of a computation: within 1e-12 of unit length it
/// keeps every bit, also the signs of zeros.
pub(crate) fn checked_bits(name: &'static str, components: [f64; 4]) -> Result<Quat<f64>, Error> {
    let q = Quat(components);
    if (q.norm_squared() - 1.0).abs() <= 1e-12 {
        Ok(q)
    } else {
        checked(name, components)
    }
}

/// Checks an angular velocity (rad/s): it stays finite in every frame. −0 becomes +0: a body at
/// rest keeps its bits. Errors: it must be finite and below 1e154 rad/s.
#[inline]
pub(crate) fn checked_omega(name: &'static str, omega: [f64; 3]) -> Result<Vec3<f64>, Error> {
    let omega = Vec3(omega) + Vec3::splat(0.0);
    finite(name, omega.0)?;
    check(
        omega.dot(omega).is_finite(),
        name,
        "must be less than 1e154 rad/s",
    )?;
    Ok(omega)
}

pub(crate) const VELOCITY_TOO_LARGE: &str =
    "must belong to an angular velocity of less than 1e154 rad/s";

/// `(w, x, y, z)`.
#[doc(hidden)] // for the bindings
pub fn components(q: UnitQuaternion<f64>) -> [f64; 4] {
    [q.w, q.i, q.j, q.k]
}

fn quat(q: UnitQuaternion<f64>) -> Quat<f64> {
    Quat(components(q))
}

#[doc(hidden)] // for the bindings
pub fn orientation_of(q: Quat<f64>) -> UnitQuaternion<f64> {
    let [w, x, y, z] = q.0;
    UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z))
}

/// The unit vector along `vector`. Errors: `vector` must be finite and not zero.
pub(crate) fn direction(name: &'static str, vector: [f64; 3]) -> Result<Vec3<f64>, Error> {
    let vector = Vec3(finite(name, vector)?);
    let greatest = vector.0.iter().fold(0.0, |m: f64, c| m.max(c.abs()));
    if greatest == 0.0 {
        return Err(Error::NoDirection { name });
    }
    // Scaled by a power of two: squares neither overflow nor underflow, and an exact direction
    // stays exact.
    let (_, exponent) = libm::frexp(greatest);
    let scaled = Vec3(vector.0.map(|c| libm::scalbn(c, -exponent)));
    let length = scaled.dot(scaled).sqrt();
    Ok(Vec3(scaled.0.map(|c| c / length)))
}

/// Rotation by `angle` (rad) about `axis`, which may have any length but zero. Errors: both must be
/// finite, and the axis not zero.
pub fn from_axis_angle(axis: Vector3<f64>, angle: f64) -> Result<UnitQuaternion<f64>, Error> {
    let axis = direction("axis", axis.into())?;
    let [angle] = finite("angle", [angle])?;
    let (sin, cos) = libm::sincos(0.5 * angle);
    let [x, y, z] = (axis * sin).0;
    Ok(orientation_of(Quat([cos, x, y, z]).renormalised()))
}

/// Unit axis, and angle in `[0, π]`. For the identity the axis is x.
pub fn to_axis_angle(q: UnitQuaternion<f64>) -> (Vector3<f64>, f64) {
    let (axis, angle) = axis_angle_of(quat(q));
    (axis.0.into(), angle)
}

fn axis_angle_of(q: Quat<f64>) -> (Vec3<f64>, f64) {
    // the same rotation, with w ≥ 0
    let [w, x, y, z] = if q.0[0] < 0.0 { q.0.map(|c| -c) } else { q.0 };
    let axis = direction("axis", [x, y, z]).unwrap_or(Vec3([1.0, 0.0, 0.0]));
    (axis, 2.0 * libm::atan2(axis.dot(Vec3([x, y, z])), w))
}

/// Rotation by `|v|` (rad) about `v`. Errors: `v` and `|v|²` must be finite.
pub fn from_rotation_vector(v: Vector3<f64>) -> Result<UnitQuaternion<f64>, Error> {
    rotated_by(Vec3(v.into())).map(orientation_of)
}

fn rotated_by(v: Vec3<f64>) -> Result<Quat<f64>, Error> {
    finite("rotation_vector", v.0)?;
    check(
        v.dot(v).is_finite(),
        "rotation_vector",
        "must be shorter than 1e154 rad",
    )?;
    Ok(exp_of_any_length(v).renormalised())
}

/// The shortest rotation vector, of length at most π.
pub fn to_rotation_vector(q: UnitQuaternion<f64>) -> Vector3<f64> {
    rotation_vector_of(quat(q)).0.into()
}

fn rotation_vector_of(q: Quat<f64>) -> Vec3<f64> {
    let (axis, angle) = axis_angle_of(q);
    axis * angle
}

/// From a rotation matrix: `v_world = R v_body`.
/// Errors: every entry of `RᵀR` must be within 1e-3 of the identity, and the determinant positive.
pub fn from_matrix(r: &Matrix3<f64>) -> Result<UnitQuaternion<f64>, Error> {
    finite("matrix", rows_of(r))?;
    let deviation = (r.transpose() * r - Matrix3::identity()).amax();
    let determinant = r.determinant();
    // negated: also true for NaN, after an overflow
    if !(deviation <= UNIT && determinant > 0.0) {
        return Err(Error::NotRotation {
            name: "matrix",
            deviation,
            determinant,
        });
    }
    let q = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*r));
    checked("matrix", components(q)).map(orientation_of)
}

/// Row-major.
#[doc(hidden)] // for the bindings
pub fn rows_of(matrix: &Matrix3<f64>) -> [f64; 9] {
    std::array::from_fn(|i| matrix[(i / 3, i % 3)])
}

/// The orientation of modified Rodrigues parameters `tan(angle / 4) axis`. Errors: they must be
/// finite.
pub fn from_mrp(parameters: Vector3<f64>) -> Result<UnitQuaternion<f64>, Error> {
    let mut s = Vec3(finite("parameters", parameters.into())?);
    let length = libm::hypot(libm::hypot(s.0[0], s.0[1]), s.0[2]);
    if length > 1.0 {
        // the shadow set, −s/s², which is the same rotation
        s = s * (1.0 / length) * (-1.0 / length);
    }
    let square = s.dot(s);
    let scale = 1.0 / (1.0 + square);
    let [x, y, z] = (s * (2.0 * scale)).0;
    let q = Quat([(1.0 - square) * scale, x, y, z]);
    Ok(orientation_of(q.renormalised()))
}

/// The modified Rodrigues parameters of `q`, of at most unit length.
pub fn to_mrp(q: UnitQuaternion<f64>) -> Vector3<f64> {
    let [w, x, y, z] = components(q);
    // q and −q are the same rotation; the one with w >= 0 has the shorter parameters
    let sign = if w < 0.0 { -1.0 } else { 1.0 };
    Vector3::new(x, y, z) * (sign / (1.0 + w.abs()))
}

/// The rotation matrix: `v_world = R v_body`.
pub fn to_matrix(q: UnitQuaternion<f64>) -> Matrix3<f64> {
    let columns = [0, 1, 2].map(|axis| quat(q).to_world(unit_vector(axis)).0.into());
    Matrix3::from_columns(&columns)
}

/// Interpolates along the shortest great arc: `a` at t = 0, `±b` at t = 1. Beyond them the rotation
/// continues. Errors: `t` must be finite.
pub fn slerp(
    a: UnitQuaternion<f64>,
    b: UnitQuaternion<f64>,
    t: f64,
) -> Result<UnitQuaternion<f64>, Error> {
    let [t] = finite("t", [t])?;
    let [a, b] = [quat(a), quat(b)];
    let between = rotation_vector_of(a.conjugate() * b) * t;
    let rotation = rotated_by(between).map_err(|_| Error::Invalid {
        name: "t",
        must: "must be less than 1e153",
    })?;
    Ok(orientation_of((a * rotation).renormalised()))
}

/// The angle of the rotation between two orientations, in `[0, π]`.
pub fn angle_between(a: UnitQuaternion<f64>, b: UnitQuaternion<f64>) -> f64 {
    axis_angle_of(quat(a).conjugate() * quat(b)).1
}

/// Three axes for Euler (Tait–Bryan, Cardan) angles. Adjacent axes differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EulerSequence {
    axes: [usize; 3],
    intrinsic: bool,
}

impl EulerSequence {
    /// Parses `"xyz"` (lower case: extrinsic, fixed axes) or `"ZXZ"` (upper case: intrinsic, body
    /// axes) etc., as SciPy does. Errors: [`Error::Invalid`] for anything else.
    pub fn parse(letters: &[u8]) -> Result<Self, Error> {
        let intrinsic = letters.first().is_some_and(u8::is_ascii_uppercase);
        let first = if intrinsic { b'X' } else { b'x' };
        let axes = <[u8; 3]>::try_from(letters)
            .map(|three| three.map(|letter| letter.wrapping_sub(first) as usize));
        let must = "must be three of x, y, z (extrinsic) or of X, Y, Z (intrinsic), no axis twice \
                    in a row";
        match axes {
            Ok(axes @ [i, j, k]) if i.max(j).max(k) < 3 && i != j && j != k => {
                Ok(EulerSequence { axes, intrinsic })
            }
            _ => Err(Error::Invalid {
                name: "sequence",
                must,
            }),
        }
    }

    /// The orientation after the three rotations by `angles` (rad), in sequence. Errors: the angles
    /// must be finite.
    pub fn to_orientation(self, angles: [f64; 3]) -> Result<UnitQuaternion<f64>, Error> {
        let angles = finite("angles", angles)?;
        let [first, second, third] = self.rotations(angles);
        let q = if self.intrinsic {
            first * second * third
        } else {
            third * second * first
        };
        Ok(orientation_of(q.renormalised()))
    }

    /// The rotations by each of the angles about its own axis.
    fn rotations(self, angles: [f64; 3]) -> [Quat<f64>; 3] {
        std::array::from_fn(|n| {
            let (sin, cos) = libm::sincos(0.5 * angles[n]);
            let mut q = Quat([cos, 0.0, 0.0, 0.0]);
            q.0[1 + self.axes[n]] = sin;
            q
        })
    }

    /// The angles of `q`. See `qi_orientation_to_euler`: their ranges, gimbal lock, and the source.
    pub fn angles_of(self, q: UnitQuaternion<f64>) -> [f64; 3] {
        // Extrinsic rotations about i, j, k equal intrinsic rotations about k, j, i.
        let [i, j, k] = if self.intrinsic {
            [self.axes[2], self.axes[1], self.axes[0]]
        } else {
            self.axes
        };
        let proper = i == k;
        let k = if proper { 3 - i - j } else { k };
        // sign of the permutation (i, j, k)
        let sign = if (j + 3 - i) % 3 == 1 { 1.0 } else { -1.0 };

        let w = q.w;
        let v = &components(q)[1..];
        let (a, b, c, d) = if proper {
            (w, v[i], v[j], v[k] * sign)
        } else {
            (w - v[j], v[i] + v[k] * sign, v[j] + w, v[k] * sign - v[i])
        };
        // For angles θ₁, θ₂, θ₃: a + ib ∝ cos(θ₂/2) e^{i(θ₁+θ₃)/2} and c + id ∝ sin(θ₂/2)
        // e^{i(θ₃−θ₁)/2}.
        let cos = libm::hypot(a, b);
        let sin = libm::hypot(c, d);
        let half_sum = libm::atan2(b, a);
        let half_difference = libm::atan2(d, c);
        let second = 2.0 * libm::atan2(sin, cos);

        // First and third in the caller's order. In gimbal lock the undetermined combination is
        // noise: the third is set to 0.
        let along = if self.intrinsic { 1.0 } else { -1.0 };
        let (first, third) = if sin <= UNIT_TO_ROUNDING {
            (2.0 * half_sum, 0.0)
        } else if cos <= UNIT_TO_ROUNDING {
            (2.0 * along * half_difference, 0.0)
        } else {
            (
                half_sum + along * half_difference,
                half_sum - along * half_difference,
            )
        };
        let mut angles = [first, second, third];
        if !proper {
            angles[if self.intrinsic { 0 } else { 2 }] *= sign;
            angles[1] -= 0.5 * PI;
        }
        [wrapped(angles[0]), angles[1], wrapped(angles[2])].map(|angle| angle + 0.0) // no −0
    }

    /// The axes about which the three angles turn the body at these angles, in the world frame.
    fn axes_in_the_world(self, angles: [f64; 3]) -> [Vec3<f64>; 3] {
        let [first, second, third] = self.rotations(angles);
        let [i, j, k] = self.axes.map(unit_vector);
        if self.intrinsic {
            [i, first.to_world(j), (first * second).to_world(k)]
        } else {
            [(third * second).to_world(i), third.to_world(j), k]
        }
    }

    /// The angular velocity (world frame) at these angles (rad) and their rates. The body turns
    /// about the three axes at once: `ω = Σ rateₙ axisₙ`. Errors: all must be finite.
    pub fn to_angular_velocity(
        self,
        angles: [f64; 3],
        rates: [f64; 3],
    ) -> Result<Vector3<f64>, Error> {
        let angles = finite("angles", angles)?;
        let [first, second, third] = finite("rates", rates)?;
        let [i, j, k] = self.axes_in_the_world(angles);
        let omega = i * first + j * second + k * third;
        Ok(finite("angular_velocity", omega.0)?.into())
    }

    /// The rates of the angles (rad) at which the body has this angular velocity (world frame).
    /// Errors: all must be finite, and at gimbal lock there are no such rates.
    pub fn rates_of(self, angles: [f64; 3], omega: Vector3<f64>) -> Result<[f64; 3], Error> {
        let angles = finite("angles", angles)?;
        let omega = Vec3(finite("angular_velocity", omega.into())?);
        let [i, j, k] = self.axes_in_the_world(angles);
        // j is a unit vector at right angles to i and k, so the volume is the sine of the angle
        // between these two.
        let volume = i.dot(j.cross(k));
        check(
            volume.abs() > UNIT_TO_ROUNDING,
            "angles",
            "must not be at gimbal lock, where the first and the third axis are parallel",
        )?;
        let rates = [
            omega.dot(j.cross(k)) / volume,
            omega.dot(j),
            omega.dot(i.cross(j)) / volume,
        ];
        finite("rates", rates)
    }
}

fn unit_vector(axis: usize) -> Vec3<f64> {
    let mut vector = [0.0; 3];
    vector[axis] = 1.0;
    Vec3(vector)
}

/// Wraps an angle in `[−3π, 3π]` to `(−π, π]`.
fn wrapped(angle: f64) -> f64 {
    if angle > PI {
        angle - 2.0 * PI
    } else if angle <= -PI {
        angle + 2.0 * PI
    } else {
        angle
    }
}
