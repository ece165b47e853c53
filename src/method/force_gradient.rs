//! Force-gradient splitting: two exact free rotations per step, and a kick between them with the gradient of the torque.
//!
//! Order 4 with positive coefficients, so the errors of large steps are small: scheme 4A of S. A. Chin, Phys. Lett. A 226, 344 (1997);
//! for rigid bodies, I. P. Omelyan, J. Chem. Phys. 127, 044102 (2007). No derivative is computed: the middle kick takes the torque at
//! an orientation that the torque itself has turned (I. P. Omelyan, Phys. Rev. E 74, 036703 (2006)).
//! ```text
//!     L += h/6 τ₀       free rotation for h/2       τ½ at q½       τ′ at q½ ⊗ exp(δ), δ = h²/24 I⁻¹τ½
//!     L += 2h/3 τ′      free rotation for h/2       τ₁ at q₁       L += h/6 τ₁
//! ```
//!
//! τ′, a vector in space, is turned back by δ to the body frame of q½. To first order τ′ = τ½ + (δ·∂)τ, so the middle kick contains
//! `[B,[A,B]]`, where A is the free rotation and B the kick, for any torque of orientation and time, with a potential or without. The
//! step is reversible and preserves the volume of phase space.

use super::{Move, Scheme, Step, Turn};
use crate::kernel::{FreeRotation, Number, Quat, Vec3, velocity_kicked};

/// Order 4, three torques per step.
#[derive(Clone, Copy, Debug, Default)]
pub struct ForceGradient;

impl Scheme for ForceGradient {
    const NAME: &'static str = "force-gradient splitting";
    const ORDER: u32 = 4;
    const TORQUE_AT: &'static [f64] = &[0.0, 0.5, 0.5, 1.0];
    const HAS_FIELD_LOOPS: bool = true;
    const KEEPS_TORQUE: bool = true;
    /// The last torque, in the body frame.
    type Saved<N: Number> = [Vec3<N>; 1];

    #[inline(always)]
    fn opened<N: Number>(_: &Step<N>, torque_body: Option<Vec3<N>>) -> [Vec3<N>; 1] {
        [torque_body.unwrap_or(Vec3::splat(0.0))]
    }

    #[inline(always)]
    fn stage<N: Number>(
        i: usize,
        step: &Step<N>,
        omega_body: Vec3<N>,
        torque_body: Option<Vec3<N>>,
        [last]: &mut [Vec3<N>; 1],
    ) -> Move<N> {
        let torque = torque_body.unwrap_or(*last);
        if i == 1 {
            *last = torque;
            let turn = if step.acts { Turn::Free(turned(half_delta(step, torque))) } else { Turn::Stay };
            return Move { turn, omega_body };
        }
        let is_turned = i == 2 && step.acts;
        let half_delta = if is_turned { half_delta(step, *last) } else { Vec3::splat(0.0) };
        let torque = if is_turned { brought_back(half_delta, torque) } else { torque };
        let kicked = velocity_kicked(step.inertia, torque, step.h * KICKS[i]);
        let omega_body = if step.acts { omega_body + kicked } else { omega_body };
        if i == 3 {
            *last = torque;
            return Move { turn: Turn::Stay, omega_body };
        }
        let mut free = step.free_rotation(omega_body, 0.5 * step.h, false);
        if is_turned {
            free.rotation = Quat::from_parts(N::splat(1.0), -half_delta) * free.rotation;
            free.motion = free.motion + half_delta.dot(half_delta);
        }
        Move { turn: Turn::Free(free), omega_body: omega_body + free.gained }
    }
}

/// In units of h. Stage 1 has no kick: it turns the body by δ.
const KICKS: [f64; 4] = [1.0 / 6.0, 0.0, 2.0 / 3.0, 1.0 / 6.0];

/// `½δ`, body frame.
#[inline(always)]
fn half_delta<N: Number>(step: &Step<N>, torque: Vec3<N>) -> Vec3<N> {
    velocity_kicked(step.inertia, torque, step.h * step.h * (1.0 / 48.0))
}

/// The rotation by δ = 2v, to the second order: by `2 atan |v|`. Not of unit length, and 2 for δ = 0, as [`FreeRotation`] has it.
#[inline(always)]
fn turned<N: Number>(v: Vec3<N>) -> FreeRotation<N> {
    let motion = v.dot(v);
    // where the norm would overflow, NaN, which is noticed: otherwise the torque would be asked at q = 0
    let two = motion.if_at_most(1e300, N::splat(2.0), N::splat(f64::NAN));
    FreeRotation { rotation: Quat::from_parts(two, v + v), gained: Vec3::splat(0.0), motion }
}

/// A vector in the body frame after [`turned`], in the body frame before it.
#[inline(always)]
fn brought_back<N: Number>(v: Vec3<N>, vector: Vec3<N>) -> Vec3<N> {
    let cross = v.cross(vector);
    vector + (cross + v.cross(cross)) * (N::splat(2.0) / (N::splat(1.0) + v.dot(v)))
}
