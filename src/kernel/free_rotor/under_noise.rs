//! The free rotation of a body that noise will push: the formulas of [`free_rotation`](super::free_rotation) at three quarters of the work.
//!
//! Noise makes a body forget the rounding errors of earlier steps, so nothing here keeps them from adding up. The series stop where what
//! they leave out is far below the error of a step of BAOAB: 2e-15 rad in a rotation of 0.2 rad, 3e-11 in one of 0.5 rad, 2e-10 at most.

use super::{FreeRotation, MOST_A, MOST_ANGLE2, Motion, RotorRatios, cos_sinc_in_ratio, each_if_at_most, long};
use crate::kernel::{Number, PrincipalInertia, Quat, Vec3};

/// The rotation during `duration`, as [`free_rotation`](super::free_rotation).
#[inline(always)]
pub fn free_rotation_under_noise<N: Number>(
    inertia: &PrincipalInertia<N>, omega_body: Vec3<N>, duration: f64,
) -> FreeRotation<N> {
    let (ratios, omega, half_h) = (&inertia.rotor, inertia.to_principal(omega_body), N::splat(0.5 * duration));
    let motion = Motion::of(ratios, omega, half_h);
    let mut turned = short(ratios, omega, half_h, &motion);
    let (a, angle2) = (motion.a, motion.mean_angle2());
    if a.any_above(MOST_A) || angle2.any_above(MOST_ANGLE2) {
        let FreeRotation { rotation, gained, .. } = long(ratios, omega, half_h, &motion);
        let ([q0, q1, q2, q3], [g1, g2, g3]) = (rotation.0, gained.0);
        let (one, zero) = (N::splat(1.0), N::splat(0.0));
        let is_long = a.if_at_most(MOST_A, angle2.if_at_most(MOST_ANGLE2, zero, one), one);
        turned = each_if_at_most(is_long, 0.0, turned, [q0, q1, q2, q3, g1, g2, g3]);
    }
    let [q0, q1, q2, q3, g1, g2, g3] = turned;
    FreeRotation {
        rotation: Quat::from_parts(q0, inertia.from_principal(Vec3([q1, q2, q3]))),
        gained: inertia.from_principal(Vec3([g1, g2, g3])),
        motion: motion.twice_energy,
    }
}

/// The rotation, and what ω gains.
#[inline(always)]
fn short<N: Number>(ratios: &RotorRatios<N>, omega: Vec3<N>, half_h: N, motion: &Motion<N>) -> [N; 7] {
    let Motion { half, p, e, a, b, momentum2, per_momentum2, mean_rate, gd, s, big_d, .. } = *motion;
    let (one, third) = (N::splat(1.0), N::splat(1.0 / 3.0));
    let a2 = a * a;
    let w_less_1 = (a + b) + a2 * third;
    let v = one - ((a + (b + b)) + a2);
    // J to order 6 in the step
    let d2 = big_d * big_d;
    let of_order_6 = ((a + a) - d2) * big_d - b;
    let j = (third - big_d * N::splat(0.2)) + ((d2 - a) * N::splat(1.0 / 7.0) + of_order_6 * N::splat(1.0 / 9.0));
    let phase = mean_rate + s * j;
    let (cos, sinc) = cos_sinc_in_ratio(momentum2 * (phase * phase));
    let sin = phase * sinc;

    let w = one + w_less_1;
    let x = Vec3([w - e.0[0], w - e.0[1], w - e.0[2]]);
    let y = Vec3([x.0[1] * x.0[2], x.0[2] * x.0[0], x.0[0] * x.0[1]]);
    let theta = [(y.0[1] + y.0[2]) - y.0[0], (y.0[2] + y.0[0]) - y.0[1], (y.0[0] + y.0[1]) - y.0[2]];
    let per_delta = one / (theta[0] * theta[0] - N::splat(4.0) * ((p.0[0] * x.0[0]) * y.0[0])); // V² = X₁Y₁
    let v2 = v + v;
    let mut end = omega;
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let turned = (v2 * theta[i]) * (ratios.r.0[i] * (half.0[j] * omega.0[k]));
        end.0[i] = (omega.0[i] * (theta[j] * theta[k]) + turned) * per_delta;
    }
    let cos_w = cos * (w + big_d);
    let scale = theta[0] * half_h;
    let (per_gd, constant) = (scale * (cos_w * per_momentum2), scale * (v * sin - cos * s));
    let scalar = (cos_w * v2) * (x.0[0] + ratios.rr.0[0] * (half.0[0] * (end.0[0] * half_h)));
    let momenta = ratios.momentum(omega + end);
    let vector = (gd * per_gd + Vec3([constant; 3])).times(momenta);
    let ([q1, q2, q3], [g1, g2, g3]) = (vector.0, (end - omega).0);
    [scalar, q1, q2, q3, g1, g2, g3]
}
