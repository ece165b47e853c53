//! Rotations of more parts than the lanes take together: whole periods of the angular velocity, and
//! the rest.
//!
//! The squares of the angular velocity are linear in ℘, so the angular velocity has twice the real
//! period of ℘ (D. F. Lawden, *Elliptic Functions and Applications* (1989), ch. 6):
//!
//! ```text
//!     T = 2π / M( √(e₁−e₃), √(e₁−e₂) )        e₁ ≥ e₂ ≥ e₃; M: the arithmetic-geometric mean
//! ```
//!
//! In a period the body only turns about its angular momentum. So for a duration `m T + t` it turns
//! m times by the angle of one period, and then for t. A period and t are taken in equal parts. The
//! angle of a period and T are computed near a separatrix as well as far from it: where rounding
//! changes them, the body is earlier or later in its motion, but its energy and its angular
//! momentum stay, because each part restores them.

use super::long::{held, unit};
use super::series::integral;
use super::{
    FreeRotation, Functions, Greatest, MOST_A, Motion, RotorRatios, by_series, rotation_by,
};
use crate::kernel::roots::{ceil, floor, sqrt};
use crate::kernel::{Quat, Range, Vec3, cos_sinc};

/// The most parts of a period, or of a rotation that is shorter.
const MOST_PARTS: f64 = 1e6;

const REFUSED: [f64; 7] = [f64::NAN; 7];

/// The rotation during twice `half_h`, of unit length, and the gain of ω; NaN if a period takes
/// more than a million parts. After 1e16 periods the phase is arbitrary, but energy and angular
/// momentum are those of the start.
pub(super) fn over_periods(ratios: &RotorRatios<f64>, omega: Vec3<f64>, half_h: f64) -> [f64; 7] {
    let whole = Motion::of(ratios, omega, half_h);
    if !(whole.a.is_finite() && whole.b.is_finite() && whole.momentum2.is_finite()) {
        return REFUSED;
    }
    let [w1, w2, w3] = whole.half.0; // not ω, whose products may underflow
    if [w2 * w3, w3 * w1, w1 * w2] == [0.0; 3] {
        return about_a_principal_axis(&whole);
    }
    let periods = whole.arithmetic_geometric_mean(ratios) / std::f64::consts::PI;
    let whole_periods = floor(periods + 0.5);
    if whole_periods == 0.0 {
        return in_equal_parts(ratios, omega, half_h, whole.a).unwrap_or(REFUSED);
    }

    let half_period = half_h / periods;
    let rest = (periods - whole_periods) / periods;
    // `a` is of order 4 in the duration
    let a_of_period = whole.a * fourth_power(1.0 / periods);
    let a_of_rest = whole.a * fourth_power(rest);
    let Some(period) = in_equal_parts(ratios, omega, half_period, a_of_period) else {
        return REFUSED;
    };
    let Some(rest) = in_equal_parts(ratios, omega, half_h * rest, a_of_rest) else {
        return REFUSED;
    };
    let [w, x, y, z, ..] = period;
    let momentum = ratios.momentum(omega * half_h);
    let axis = momentum * (1.0 / sqrt(momentum.dot(momentum)));
    let sine = axis.dot(Vec3([x, y, z]));
    let (cosine, sine) = power([w, sine], whole_periods as u64);
    let [w, x, y, z, gained @ ..] = rest;
    let rotation = Quat::from_parts(cosine, axis * sine) * Quat([w, x, y, z]);
    held(ratios, omega, (rotation, Vec3(gained)), half_period)
}

fn fourth_power(x: f64) -> f64 {
    (x * x) * (x * x)
}

/// A rotation during which the angular velocity stays.
fn about_a_principal_axis(motion: &Motion<f64>) -> [f64; 7] {
    let half = motion.half;
    let (cosine, sinc) = cos_sinc(half.dot(half), Range::Whole);
    let [x, y, z] = (half * sinc).0;
    [cosine, x, y, z, 0.0, 0.0, 0.0]
}

impl Motion<f64> {
    /// `M(√(e₁−e₃), √(e₁−e₂))`, in units of one over `½h`. 0 on a separatrix and for a sphere.
    fn arithmetic_geometric_mean(&self, ratios: &RotorRatios<f64>) -> f64 {
        // |eᵢ − eⱼ|, by the product as in `gd`: near a separatrix the difference would be rounding
        let [r1, r2, r3] = ratios.r.0;
        let [w11, w22, w33] = self.half.times(self.half).0;
        let apart = [
            (r1 * (r2 * w33 - r3 * w22)).abs(),
            (r2 * (r3 * w11 - r1 * w33)).abs(),
            (r3 * (r1 * w22 - r2 * w11)).abs(),
        ];
        let e = self.e.0;
        let mut order = [0, 1, 2];
        order.sort_unstable_by(|&i, &j| e[j].total_cmp(&e[i]));
        let [_, middle, least] = order;
        // the difference of two e has the index of the third one
        let mut greater = sqrt(apart[middle]);
        let mut less = sqrt(apart[least]);
        if less == 0.0 || greater == 0.0 {
            return 0.0;
        }
        while (greater - less).abs() > 4.0 * f64::EPSILON * greater {
            let mean = 0.5 * (greater + less);
            less = sqrt(greater * less);
            greater = mean;
        }
        greater
    }
}

/// `(cos α, sin α)` to `(cos nα, sin nα)`.
fn power(cosine_and_sine: [f64; 2], mut n: u64) -> (f64, f64) {
    let mut result = (1.0, 0.0);
    let mut square = (cosine_and_sine[0], cosine_and_sine[1]);
    while n > 0 {
        square = of_unit_length(square);
        if n % 2 == 1 {
            result = of_unit_length(product(result, square));
        }
        square = product(square, square);
        n /= 2;
    }
    result
}

fn product(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

fn of_unit_length((cosine, sine): (f64, f64)) -> (f64, f64) {
    let per = 1.0 / sqrt(cosine * cosine + sine * sine);
    (cosine * per, sine * per)
}

/// The rotation of unit length, and the gain of ω, in as many parts as the `a` of the whole asks
/// for; `None` if these are too many.
fn in_equal_parts(
    ratios: &RotorRatios<f64>,
    omega: Vec3<f64>,
    half_h: f64,
    a: f64,
) -> Option<[f64; 7]> {
    let parts = ceil(sqrt(sqrt(a / MOST_A))).max(1.0);
    if parts > MOST_PARTS {
        return None;
    }
    let half_part = half_h / parts;
    let mut rotation = Quat::identity();
    let mut end = omega;
    for _ in 0..parts as u64 {
        let turn = part(ratios, end, half_part);
        let turn = (unit(turn.rotation), turn.gained);
        let [w, x, y, z, gained @ ..] = held(ratios, end, turn, half_part);
        rotation = rotation * Quat([w, x, y, z]);
        end = end + Vec3(gained);
    }
    Some(held(
        ratios,
        omega,
        (unit(rotation), end - omega),
        half_part,
    ))
}

/// A rotation by any angle for which the series of `W` and `V` hold.
fn part(ratios: &RotorRatios<f64>, omega: Vec3<f64>, half_h: f64) -> FreeRotation<f64> {
    let motion = Motion::of(ratios, omega, half_h);
    let phase = motion.mean_rate + motion.s * integral(motion.big_d, motion.a, motion.b);
    let (cos, sinc) = cos_sinc(motion.momentum2 * (phase * phase), Range::Whole);
    let functions = Functions {
        cos,
        sin: phase * sinc,
        ..by_series(&motion)
    };
    rotation_by::<f64, Greatest>(&functions, ratios, omega, half_h, &motion)
}
