//! Free rotations beyond the range of the series, one lane at a time: in equal parts or, for very many radians, by doubling.

use super::{MOST_A, MOST_Y, Motion, RotorRatios, integral, near, series};
use crate::kernel::{Column, MOST_LANES, Quat, Range, Vec3, cos_sinc};

/// The most equal parts of a step. A longer step is doubled up from its 2ᵏ-th part, which near a separatrix loses digits.
const MOST_PARTS: f64 = 256.0;

/// Columns: the rotation (4), what ω gains (3), ω in principal axes (3), the moments (3), `a` and `(Gφ)²`.
pub(super) struct Lanes(pub(super) [Column; 15]);

impl Default for Lanes {
    fn default() -> Self {
        Lanes([[0.0; MOST_LANES]; 15])
    }
}

#[cold]
#[inline(never)]
pub(super) fn lane_by_lane(lanes: &mut Lanes, count: usize, duration: f64) {
    for i in 0..count {
        let get = |k: usize| lanes.0[k][i];
        let three = |k: usize| Vec3([get(k), get(k + 1), get(k + 2)]);
        let (a, y) = (get(13), get(14));
        if a > MOST_A || y > MOST_Y {
            let (rotation, gained) = far(&ratios(three(10)), three(7), duration, a);
            (0..4).for_each(|k| lanes.0[k][i] = rotation.0[k]);
            (0..3).for_each(|k| lanes.0[4 + k][i] = gained.0[k]);
        }
    }
}

/// As in a `PrincipalInertia`, with the same bits.
fn ratios(moments: Vec3<f64>) -> RotorRatios<f64> {
    let [i1, i2, i3] = moments.0;
    let reciprocals = Vec3(moments.0.map(|moment| 1.0 / moment));
    let ratios = Vec3([i2 - i3, i3 - i1, i1 - i2]).times(reciprocals);
    RotorRatios::new(moments, reciprocals, ratios)
}

/// The rotation, of unit length, and what ω gains.
fn far(ratios: &RotorRatios<f64>, omega: Vec3<f64>, duration: f64, a: f64) -> (Quat<f64>, Vec3<f64>) {
    let least = (a / MOST_A).sqrt().sqrt(); // a is of order 4 in the duration
    if least <= 1.0 || least.is_nan() || least > MOST_PARTS {
        let (rotation, end) = doubled(ratios, omega, duration);
        return (rotation, conserving(ratios, omega, end - omega));
    }
    let mut parts: u32 = 2;
    while f64::from(parts) < least {
        parts *= 2;
    }
    let part = duration / f64::from(parts);
    let (mut rotation, mut now) = (Quat::identity(), omega);
    for _ in 0..parts {
        let (free, y) = near(ratios, now, part, &Motion::of(ratios, now, part));
        let (turn, end) = if y > MOST_Y { doubled(ratios, now, part) } else { (free.rotation, now + free.gained) };
        rotation = rotation * turn;
        rotation = rotation.scaled(1.0 / rotation.norm_squared().sqrt());
        now = omega + conserving(ratios, omega, end - omega);
    }
    (rotation, now - omega)
}

/// What ω gains, with the least change that restores `2T` and `G²`: rounding errors then do not add up from part to part. If the
/// gradients `I ω` and `I² ω` are almost parallel (sphere, principal axis), one condition nearly implies the other.
fn conserving(ratios: &RotorRatios<f64>, start: Vec3<f64>, gained: Vec3<f64>) -> Vec3<f64> {
    const LEAST_SINE2: f64 = 1e-4;
    let sum = start + (start + gained);
    let squares_gained = gained.times(sum); // ω₁ᵢ² − ωᵢ²
    let (u, v) = (ratios.momentum(start + gained), ratios.momentum(ratios.momentum(start + gained)));
    let energy = 0.5 * ratios.momentum(squares_gained).dot(Vec3::splat(1.0));
    let momentum = 0.5 * ratios.momentum(ratios.momentum(squares_gained)).dot(Vec3::splat(1.0));
    let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
    let determinant = uu * vv - uv * uv;
    if determinant > LEAST_SINE2 * (uu * vv) {
        let along_u = (energy * vv - momentum * uv) / determinant;
        let along_v = (momentum * uu - energy * uv) / determinant;
        gained - (u * along_u + v * along_v)
    } else if uu > 0.0 {
        gained - u * (energy / uu)
    } else {
        gained
    }
}

/// Any step: the functions and the phase at a 2ᵏ-th part of it, then doubled k times. With `σ` the ratio of the part to the step
/// and `z = σ²`, all up to a common scale (weights 1, 2, 3 for σ; X and W′; V):
/// ```text
///     N = 2 S σ z V,   E = W′³ − s₁ s z² W′ + 2 G² s² z³,   s₁ = G² Σ dᵢ             phase: 2 × phase + atan(G N / E)
///     σ → 2 σ V        X → Θ²        V → Θ₁Θ₂Θ₃        W′ → mean(X) + D z
/// ```
fn doubled(ratios: &RotorRatios<f64>, omega: Vec3<f64>, duration: f64) -> (Quat<f64>, Vec3<f64>) {
    let motion = Motion::of(ratios, omega, duration);
    let Motion { half, p, e, a, b, d, s, big_d, momentum2, mean_rate, .. } = motion;
    if !(a.is_finite() && b.is_finite() && momentum2.is_finite()) {
        return (Quat([f64::NAN; 4]), Vec3([f64::NAN; 3]));
    }
    let (mut sigma, mut a_part, mut doublings) = (1.0, a, 0);
    while a_part > MOST_A {
        sigma *= 0.5;
        a_part *= 1.0 / 16.0;
        doublings += 1;
    }
    let s1 = momentum2 * (d.0[0] + d.0[1] + d.0[2]);
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
    let mut end = Vec3::splat(0.0);
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let turned = (ratios.r.0[i] * (half.0[j] * omega.0[k])) * (2.0 * sigma * v * theta[i]);
        end.0[i] = (omega.0[i] * (theta[j] * theta[k]) + turned) / delta;
    }

    let (cos_mean, sinc_mean) = cos_sinc(momentum2 * (mean_rate * mean_rate), Range::Whole);
    let sin_mean = mean_rate * sinc_mean;
    let (c, sn) = (cos_mean * cos - momentum2 * (sin_mean * sin), sin_mean * cos + cos_mean * sin);
    let half_h = 0.5 * duration;
    let i = least(theta.map(|theta| -theta.abs()));
    let scalar = (2.0 * (c * w)) * v * (x[i] + z * (ratios.rr.0[i] * (half.0[i] * (end.0[i] * half_h))));
    let momenta = ratios.momentum(omega + end);
    let mut vector = Vec3::splat(0.0);
    for k in 0..3 {
        let along = c * (sigma * d.0[k] * w - sigma * z * s) + v * sn;
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
    if a <= b && a <= c {
        0
    } else if b <= c {
        1
    } else {
        2
    }
}
