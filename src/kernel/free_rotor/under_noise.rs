//! The free rotation of a body that noise will push: the formulas of [`free_rotation`](super::free_rotation) at two thirds of the work.
//!
//! Drag and noise make a body forget rounding errors, so nothing keeps them from adding up, and numbers may cancel, by some 1e-16 times the
//! ratio of the moments. With `xᵢ = I₁/Iᵢ` and `λ = 2T/G²` the formulas become, since `dᵢ = xᵢ − λ`,
//! ```text
//!     c₁ = x₁ + x₂ + x₃      c₂ = x₁x₂ + x₂x₃ + x₃x₁      c₃ = x₁x₂x₃
//!     D = 2Tλ + ⅓ (G²c₂ − 2·2Tc₁)      s = G²c₃ − 2Tc₂ + λ (2Tc₁ − 2Tλ)
//!     (C (W + D) dᵢ + V S − C s) Iᵢ = C (W + D) + (V S − C (s + λ (W + D))) Iᵢ
//! ```
//!
//! The series stop where what they leave out is far below the error of a step of BAOAB: 2e-15 rad in a rotation of 0.2 rad, 3e-11 in one of
//! 0.5 rad, 2e-10 at most. What limits the speed is operations that wait for each other, so what is ready last is added last.

use super::{FreeRotation, LEAST_MOMENTUM2, MOST_A, MOST_ANGLE2, cos_sinc_in_ratio, each_if_at_most, long, sum};
use crate::kernel::{Number, PrincipalInertia, Quat, Vec3};

/// The rotation during `duration`, as [`free_rotation`](super::free_rotation).
#[inline(always)]
pub fn free_rotation_under_noise<N: Number>(
    inertia: &PrincipalInertia<N>, omega_body: Vec3<N>, duration: f64,
) -> FreeRotation<N> {
    let (ratios, omega, half_h) = (&inertia.rotor, inertia.to_principal(omega_body), N::splat(0.5 * duration));
    let (mut numbers, a, angle2, twice_energy) = short(inertia, omega, half_h);
    if a.any_above(MOST_A) || angle2.any_above(MOST_ANGLE2) {
        let long = long(ratios, omega, half_h);
        let (one, zero) = (N::splat(1.0), N::splat(0.0));
        let is_long = a.if_at_most(MOST_A, angle2.if_at_most(MOST_ANGLE2, zero, one), one);
        numbers = each_if_at_most(is_long, 0.0, numbers, long);
    }
    let [q0, q1, q2, q3, g1, g2, g3] = numbers;
    FreeRotation {
        rotation: Quat::from_parts(q0, inertia.from_principal(Vec3([q1, q2, q3]))),
        gained: inertia.from_principal(Vec3([g1, g2, g3])),
        motion: twice_energy,
    }
}

/// The rotation, and what ω gains; a, above its limit for needles; `(2T/G)²`, `2T`.
#[inline(always)]
fn short<N: Number>(inertia: &PrincipalInertia<N>, omega: Vec3<N>, half_h: N) -> ([N; 7], N, N, N) {
    let (one, third, ninth) = (N::splat(1.0), N::splat(1.0 / 3.0), N::splat(1.0 / 9.0));
    let (ratios, r, rr) = (&inertia.rotor, inertia.rotor.r, inertia.rotor.rr);
    let (mut x, j) = (inertia.reciprocals * inertia.moments.0[0], ratios.momentum(Vec3([one; 3])));
    for i in 1..3 {
        // where an axis is locked, j is 0, 1 or 2: as if the moment of this one were that of an axis that is not
        let beside_locked = j.0[i].if_at_most(1.0, one, N::splat(0.5));
        x.0[i] = x.0[i].if_at_most(0.0, beside_locked, x.0[i]);
    }
    let [_, x2, x3] = x.0;
    let (c1, c2, c3) = (one + (x2 + x3), (x2 + x3) + x2 * x3, x2 * x3);
    let ratio = ((j.0[1] + j.0[2]) + (x2 + x3)) + (x2 * j.0[2] + x3 * j.0[1]); // at least the greatest of two moments
    let half = omega * half_h;
    let squares = half.times(half);
    let (twice_energy, momentum2) = (sum(ratios.momentum(squares)), sum(squares.times(ratios.momentum(j))));
    let rate = twice_energy / (momentum2 + N::splat(LEAST_MOMENTUM2));
    let [p1, p2, p3] = squares.times(rr * third).0; // a third of pᵢ
    let e = [(p2 + p3) - (p1 + p1), (p3 + p1) - (p2 + p2), (p1 + p2) - (p3 + p3)];
    let e12 = e[0] * e[1];
    let five_a = e[2] * e[2] - e12;
    let (a, b) = (five_a * N::splat(0.2), e12 * (e[2] * N::splat(1.0 / 7.0)));
    let (angle2, of_c1) = (twice_energy * rate, twice_energy * c1);
    let big_d = angle2 + (momentum2 * c2 - (of_c1 + of_c1)) * third;
    let s = (momentum2 * c3 - twice_energy * c2) + rate * (of_c1 - angle2);

    let (ab, a2) = (a + b, five_a * five_a);
    let (w_less_1, v) = (ab + a2 * N::splat(0.04 / 3.0), (one - (ab + b)) - a2 * N::splat(0.04));
    // J to order 6 in the step
    let d2 = big_d * big_d;
    let of_order_6 = ((a + a) - d2) * (big_d * ninth) - b * ninth;
    let j = ((third - big_d * N::splat(0.2)) + (d2 - a) * N::splat(1.0 / 7.0)) + of_order_6;
    let phase = rate + s * j;
    let (cos, sinc) = cos_sinc_in_ratio(momentum2 * (phase * phase));

    let x = [(one - e[0]) + w_less_1, (one - e[1]) + w_less_1, (one - e[2]) + w_less_1];
    let y = [x[1] * x[2], x[2] * x[0], x[0] * x[1]];
    let theta = [(y[1] + y[2]) - y[0], (y[2] + y[0]) - y[1], (y[0] + y[1]) - y[2]];
    let four_v2p = (squares.0[0] * (rr.0[0] * N::splat(4.0)) * x[0]) * y[0]; // V² = X₁Y₁
    let per_delta = one / (theta[0] * theta[0] - four_v2p);
    let (v2, mut end) = (v + v, omega);
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let turned = (v2 * theta[i]) * (r.0[i] * (half.0[j] * omega.0[k]));
        end.0[i] = (omega.0[i] * (theta[j] * theta[k]) + turned) * per_delta;
    }

    let w_and_d = (one + w_less_1) + big_d;
    let cos_w = cos * w_and_d;
    let of_momenta = (phase * v) * sinc - cos * (s + rate * w_and_d);
    let scalar = (cos_w * v2) * (x[0] + rr.0[0] * (half.0[0] * (end.0[0] * half_h)));
    let factors = ratios.momentum(Vec3([of_momenta; 3])) + Vec3([cos_w; 3]);
    let ([q1, q2, q3], [g1, g2, g3]) = (factors.times((omega + end) * (theta[0] * half_h)).0, (end - omega).0);
    // a needle counts as long, since the formulas of long rotations do not cancel
    ([scalar, q1, q2, q3, g1, g2, g3], a + ratio.if_at_most(1e6, N::splat(0.0), one), angle2, twice_energy)
}
