//! The free rotation of a gyrostat: a body with rotors that have a constant angular momentum `h` in body axes.
//!
//! Euler's equation is then `I ω̇ = I ω × ω + h × ω`. Both parts alone have exact solutions that keep the energy `½ ω · I ω`: the
//! free rotation of the body, and, with the orientation fixed,
//! ```text
//!     I ω̇ = h × ω:    √I ω rotates about k = √I h / √(I₁I₂I₃) by the angle |k| t
//! ```
//!
//! They alternate: half the second, the first, half the second (Strang, order 2); for order 6 nine such steps of different lengths (W.
//! Kahan, R. C. Li, Math. Comput. 66, 1089 (1997), method s9odr6a).

use super::{FreeRotation, Number, PrincipalInertia, Quat, Range, Vec3, exp_of_half, free_rotation};

/// Lengths of the nine steps of order 6; they are symmetric and add up to 1.
const ORDER_6: [f64; 9] = {
    const HALF: [f64; 4] = [0.3921614440073141, 0.33259913678935943, -0.7062461725576393, 0.0822135962935508];
    let middle = 1.0 - 2.0 * (HALF[0] + HALF[1] + HALF[2] + HALF[3]);
    [HALF[0], HALF[1], HALF[2], HALF[3], middle, HALF[3], HALF[2], HALF[1], HALF[0]]
};

/// As [`free_rotation`], with rotors of angular momentum `rotor` (body frame), to order 2 or 6 in the duration. The energy is exact.
#[inline(always)]
pub fn free_gyrostat<N: Number>(
    inertia: &PrincipalInertia<N>, rotor: Vec3<N>, omega_body: Vec3<N>, duration: f64, is_order_2: bool,
) -> FreeRotation<N> {
    let lengths: &[f64] = if is_order_2 { &[1.0] } else { &ORDER_6 };
    let (mut rotation, mut omega, mut motion) = (Quat::identity(), omega_body, N::splat(0.0));
    for length in lengths {
        let part = duration * length;
        omega = precessed(inertia, rotor, omega, 0.5 * part);
        let free = free_rotation(inertia, omega, part);
        rotation = rotation.turned_freely(free.rotation, free.motion);
        motion = motion + free.motion;
        omega = precessed(inertia, rotor, omega + free.gained, 0.5 * part);
    }
    // `turned_freely` expects the rotation 2 of a body at rest
    FreeRotation { rotation: rotation.scaled(N::splat(2.0)), gained: omega - omega_body, motion }
}

/// ω after the second part alone. √I relative to the first moment: a power of two in inertia and rotor changes no bit.
#[inline(always)]
fn precessed<N: Number>(inertia: &PrincipalInertia<N>, rotor: Vec3<N>, omega: Vec3<N>, duration: f64) -> Vec3<N> {
    let [_, i2, i3] = inertia.moments.0;
    let per_first = inertia.reciprocals.0[0];
    let (root2, root3) = ((i2 * per_first).sqrt(), (i3 * per_first).sqrt());
    let (h, [w1, w2, w3]) = (inertia.to_principal(rotor), inertia.to_principal(omega).0);
    let k = Vec3([h.0[0], h.0[1] * root2, h.0[2] * root3]) * (per_first / (root2 * root3));
    let half = k * N::splat(0.5 * duration);
    let turn = exp_of_half(half, half.dot(half), Range::Whole);
    let [y1, y2, y3] = turn.to_world(Vec3([w1, w2 * root2, w3 * root3])).0;
    inertia.from_principal(Vec3([y1, y2 / root2, y3 / root3]))
}
