//! A free rotation of any length, by doubling.

use super::{MOST_A, Motion, RotorRatios, integral, series};
use crate::kernel::{Quat, Range, Vec3, cos_sinc};

/// The rotation, of unit length, and ω at its end: the functions and the phase at a 2ᵏ-th part of it, then doubled k times by the
/// formulas of [`super::long`]. A common scale keeps the numbers near 1.
pub(super) fn doubled(ratios: &RotorRatios<f64>, omega: Vec3<f64>, half_h: f64) -> (Quat<f64>, Vec3<f64>) {
    let motion = Motion::of(ratios, omega, half_h);
    let Motion { half, p, e, a, b, gd, s, big_d, momentum2, per_momentum2, mean_rate, .. } = motion;
    if !(a.is_finite() && b.is_finite() && momentum2.is_finite()) {
        return (Quat([f64::NAN; 4]), Vec3([f64::NAN; 3]));
    }
    let (mut sigma, mut a_part, mut doublings) = (1.0, a, 0);
    while a_part > MOST_A {
        sigma *= 0.5;
        a_part *= 1.0 / 16.0;
        doublings += 1;
    }
    let s1 = gd.0[0] + gd.0[1] + gd.0[2];
    let mut z = sigma * sigma;
    let (a_part, b_part, d_part) = (a * z * z, b * z * z * z, big_d * z);
    let (w_less_1, v_less_1) = series(a_part, b_part);
    let mut v = 1.0 + v_less_1;
    let mut x = e.0.map(|e| 1.0 + (w_less_1 - e * z));
    let mut w = 1.0 + (w_less_1 + d_part);
    let phase = (s * z * sigma) * integral(d_part, a_part, b_part);
    let (mut cos, sinc) = cos_sinc(momentum2 * (phase * phase), Range::Whole);
    let mut sin = phase * sinc; // over G
    for _ in 0..doublings {
        let n = 2.0 * s * sigma * z * v;
        let m = w * w * w - s1 * s * (z * z * w) + 2.0 * momentum2 * (s * s) * (z * z * z);
        let unit = 1.0 / (m * m + momentum2 * n * n).sqrt();
        let (n, m) = (n * unit, m * unit);
        let (cos2, sin2) = (cos * cos - momentum2 * (sin * sin), 2.0 * cos * sin);
        (cos, sin) = (cos2 * m - momentum2 * (sin2 * n), sin2 * m + cos2 * n);
        let towards_one = 0.5 * (3.0 - (cos * cos + momentum2 * (sin * sin)));
        (cos, sin) = (cos * towards_one, sin * towards_one);

        let theta = thetas(x);
        sigma *= 2.0 * v;
        z = sigma * sigma;
        x = theta.map(|theta| theta * theta);
        let sum = x[0] + x[1] + x[2];
        w = (sum + (3.0 * big_d) * z) * (1.0 / 3.0);
        v = theta[0] * theta[1] * theta[2];
        let scale = 1.0 / (sum.abs() + z * (big_d.abs() + (e.0[0].abs() + e.0[1].abs() + e.0[2].abs()))).sqrt();
        let scale2 = scale * scale;
        sigma *= scale;
        z *= scale2;
        w *= scale2;
        v *= scale2 * scale;
        x = x.map(|x| x * scale2);
    }

    let theta = thetas(x);
    // Δ is the same for each i: the one that cancels least
    let i = least(p.0);
    let delta = theta[i] * theta[i] - 4.0 * v * v * (z * p.0[i]);
    if delta == 0.0 {
        return (Quat([f64::NAN; 4]), Vec3([f64::NAN; 3])); // on a separatrix, or about the intermediate axis
    }
    let mut end = Vec3::splat(0.0);
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let turned = (ratios.r.0[i] * (half.0[j] * omega.0[k])) * (2.0 * sigma * v * theta[i]);
        end.0[i] = (omega.0[i] * (theta[j] * theta[k]) + turned) / delta;
    }

    let (cos_mean, sinc_mean) = cos_sinc(momentum2 * (mean_rate * mean_rate), Range::Whole);
    let sin_mean = mean_rate * sinc_mean;
    let (c, sn) = (cos_mean * cos - momentum2 * (sin_mean * sin), sin_mean * cos + cos_mean * sin);
    let i = least(theta.map(|theta| -theta.abs()));
    let scalar = (2.0 * (c * w)) * v * (x[i] + z * (ratios.rr.0[i] * (half.0[i] * (end.0[i] * half_h))));
    let momenta = ratios.momentum(omega + end);
    let mut vector = Vec3::splat(0.0);
    for k in 0..3 {
        let along = c * (sigma * (gd.0[k] * per_momentum2) * w - sigma * z * s) + v * sn;
        vector.0[k] = theta[i] * along * half_h * momenta.0[k];
    }
    let rotation = Quat::from_parts(scalar, vector);
    // The common factor may be negative: the scalar has the sign of the cosine, the part along L that of the sine.
    let both = momentum2 + ratios.momentum(half).dot(ratios.momentum(end * half_h));
    let agreement = scalar * c * both.abs() + vector.dot(momenta) * half_h * sn * momentum2;
    let unit = 1.0 / rotation.norm_squared().sqrt();
    (rotation.scaled(if agreement < 0.0 { -unit } else { unit }), end)
}

/// `Θᵢ` of `X`.
fn thetas([x1, x2, x3]: [f64; 3]) -> [f64; 3] {
    let (y1, y2, y3) = (x2 * x3, x3 * x1, x1 * x2);
    [y2 + y3 - y1, y3 + y1 - y2, y1 + y2 - y3]
}

/// The index of the least number.
fn least([a, b, c]: [f64; 3]) -> usize {
    if a <= b && a <= c { 0 } else { 1 + usize::from(c < b) }
}
