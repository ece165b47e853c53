//! The free rotation of a body that noise will push: the formulas of
//! [`free_rotation`](super::free_rotation) at half of the work (PERF-11).
//!
//! Drag and noise make a body forget rounding errors, so nothing keeps them from adding up, and
//! numbers may cancel, by some 1e-16 times the ratio of the moments. With `xᵢ = I₁/Iᵢ` and
//! `λ = 2T/G²` the formulas become, since `dᵢ = xᵢ − λ`,
//! ```text
//!     c₁ = x₁ + x₂ + x₃      c₂ = x₁x₂ + x₂x₃ + x₃x₁      c₃ = x₁x₂x₃
//!     D = 2Tλ + ⅓ (G²c₂ − 2·2Tc₁)      s = G²c₃ − 2Tc₂ + 2Tλ (c₁ − λ)
//!     (C (W + D) dᵢ + V S − C s) Iᵢ = C (W + D) + (V S − C (s + λ (W + D))) Iᵢ
//! ```
//!
//! Series and tangent leave out order 9 in the step, far below the error of a step of BAOAB: 1e-14
//! rad in a rotation of 0.1 rad, 7e-12 in one of 0.2 rad, 3e-8 in one of 0.5 rad, 1e-7 at most.
//! Thin rods that tumble swing about themselves too, faster: 3e-10 in 0.1 rad.

use super::{FreeRotation, LEAST_MOMENTUM2, MOST_A, MOST_ANGLE2, each_if_at_most, long, sum};
use crate::kernel::{Number, PrincipalInertia, Quat, Vec3};

/// Three sums of an inertia in these formulas, `c₁`, `c₂` and `c₃`; and a number that is added to
/// a: it makes every rotation of a needle long, because the digits of these formulas would cancel.
#[inline(always)]
pub fn inverse_sums<N: Number>(inertia: &PrincipalInertia<N>) -> [N; 4] {
    let one = N::splat(1.0);
    let mut x = inertia.reciprocals * inertia.moments.0[0];
    let j = inertia.rotor.momentum(Vec3([one; 3]));
    for i in 1..3 {
        // where an axis is locked, j is 0, 1 or 2; this axis counts as if it had the moment of an
        // axis that is not locked
        let beside_locked = j.0[i].if_at_most(1.0, one, N::splat(0.5));
        x.0[i] = x.0[i].if_at_most(0.0, beside_locked, x.0[i]);
    }
    let [_, x2, x3] = x.0;
    // at least the greatest of two moments
    let ratio = ((j.0[1] + j.0[2]) + (x2 + x3)) + (x2 * j.0[2] + x3 * j.0[1]);
    [
        one + (x2 + x3),
        (x2 + x3) + x2 * x3,
        x2 * x3,
        ratio.if_at_most(1e6, N::splat(0.0), one),
    ]
}

/// The rotation during `duration`, as [`free_rotation`](super::free_rotation). With `short_only`
/// turn and gain are NaN unless the rotation is short in each lane.
#[inline(always)]
pub fn free_rotation_under_noise<N: Number>(
    inertia: &PrincipalInertia<N>,
    sums: &[N; 4],
    omega_body: Vec3<N>,
    duration: f64,
    short_only: bool,
) -> FreeRotation<N> {
    let ratios = &inertia.rotor;
    let omega = inertia.to_principal(omega_body);
    let half_h = N::splat(0.5 * duration);
    let (mut numbers, a, angle2, twice_energy) = short(inertia, sums, omega, half_h);
    if a.any_above(MOST_A) || angle2.any_above(MOST_ANGLE2) {
        if short_only {
            numbers = [N::splat(f64::NAN); 7];
        } else {
            let long = long(ratios, omega, half_h);
            let one = N::splat(1.0);
            let zero = N::splat(0.0);
            let is_long = a.if_at_most(MOST_A, angle2.if_at_most(MOST_ANGLE2, zero, one), one);
            numbers = each_if_at_most(is_long, 0.0, numbers, long);
        }
    }
    let [q0, q1, q2, q3, g1, g2, g3] = numbers;
    FreeRotation {
        rotation: Quat::from_parts(q0, inertia.from_principal(Vec3([q1, q2, q3]))),
        gained: inertia.from_principal(Vec3([g1, g2, g3])),
        motion: twice_energy,
    }
}

/// The rotation and the gain of ω as numbers; a, above its limit for needles; `(2T/G)²`; `2T`. One
/// function, because it follows the formulas from top to bottom, and its parts would share most of
/// the numbers.
#[inline(always)]
fn short<N: Number>(
    inertia: &PrincipalInertia<N>,
    sums: &[N; 4],
    omega: Vec3<N>,
    half_h: N,
) -> ([N; 7], N, N, N) {
    let one = N::splat(1.0);
    let third = N::splat(1.0 / 3.0);
    let ratios = &inertia.rotor;
    let r = inertia.rotor.r;
    let rr = inertia.rotor.rr;
    let j = ratios.momentum(Vec3([one; 3]));
    let [c1, c2, c3, of_needle] = *sums;
    let half = omega * half_h;
    let squares = half.times(half);
    let twice_energy = sum(ratios.momentum(squares));
    let momentum2 = sum(squares.times(ratios.momentum(j)));
    let rate = twice_energy / (momentum2 + N::splat(LEAST_MOMENTUM2));
    let [p1, p2, p3] = squares.times(rr * third).0; // a third of pᵢ
    let e = [
        (p2 + p3) - (p1 + p1),
        (p3 + p1) - (p2 + p2),
        (p1 + p2) - (p3 + p3),
    ];
    let e12 = e[0] * e[1];
    let a = (e[2] * e[2] - e12) * N::splat(0.2);
    let b = e12 * (e[2] * N::splat(1.0 / 7.0));
    let angle2 = twice_energy * rate;
    let w_less_1 = a + b;
    let big_d = angle2 + (momentum2 * (c2 * third) - twice_energy * (c1 * N::splat(2.0 / 3.0)));
    let s = (momentum2 * c3 - twice_energy * c2) + angle2 * (c1 - rate);
    let v = one - (w_less_1 + b);
    let j = (third - big_d * N::splat(0.2)) + (big_d * big_d - a) * N::splat(1.0 / 7.0);
    let phase = rate + s * j;
    // tan x / x = (1 − 2y/21)/(1 − 3y/7 + y²/105), y = x²: its continued fraction
    let y = momentum2 * (phase * phase);
    let cos = one - y * (N::splat(3.0 / 7.0) - y * N::splat(1.0 / 105.0));
    let sinc = one - y * N::splat(2.0 / 21.0);
    let x = [
        (one - e[0]) + w_less_1,
        (one - e[1]) + w_less_1,
        (one - e[2]) + w_less_1,
    ];
    let y = [x[1] * x[2], x[2] * x[0], x[0] * x[1]];
    let theta = [
        (y[1] + y[2]) - y[0],
        (y[2] + y[0]) - y[1],
        (y[0] + y[1]) - y[2],
    ];
    let v2 = v + v;
    let per_delta = one / (theta[0] * theta[0] - (v2 * v2) * (p1 + (p1 + p1)));
    let v2_omega = omega * v2;
    let mut end = omega;
    for (i, j, k) in [(0, 1, 2), (1, 0, 2), (2, 0, 1)] {
        let turned = theta[i] * (r.0[i] * (half.0[j] * v2_omega.0[k]));
        end.0[i] = (omega.0[i] * (theta[j] * theta[k]) + turned) * per_delta;
    }

    let w_and_d = (one + w_less_1) + big_d;
    let cos_w = cos * w_and_d;
    let of_momenta = (phase * v) * sinc - cos * (s + rate * w_and_d);
    let scalar = (cos_w * v2) * (x[0] + ((rr.0[0] * half_h) * half.0[0]) * end.0[0]);
    let scale = theta[0] * half_h;
    let factors = ratios.momentum(Vec3([of_momenta * scale; 3])) + Vec3([cos_w * scale; 3]);
    let [q1, q2, q3] = factors.times(omega + end).0;
    let [g1, g2, g3] = (end - omega).0;
    (
        [scalar, q1, q2, q3, g1, g2, g3],
        a + of_needle,
        angle2,
        twice_energy,
    )
}
