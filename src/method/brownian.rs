//! Brownian motion: overdamped rotation under drag, torque and noise, without inertia.
//!
//! It asks for one torque evaluation a step, at its start, and has weak order 1. C are the
//! coefficients of the drag about the body axes; exp and ⊗ are as in PCDM:
//! ```text
//!     q₁ = q₀ ⊗ exp( h (C⁻¹ τ₀ + flow) + s ξ )        sᵢ² = ( aᵢ² + ¼ aⱼ² aₖ² ) / ( 1 + (aⱼ² + aₖ²)/6 )        aᵢ² = 2 kT h/Cᵢ
//! ```
//!
//! With `s = a` the order would be 1 without torque too, because rotations do not commute: the
//! exponential of Σ aᵢ ξᵢ Xᵢ, with the generators `[Xᵢ, Xⱼ] = Xₖ`, has a mean that differs from
//! `exp(½ Σ aᵢ² Xᵢ²)` by `Σ (2 aᵢ² (aⱼ² + aₖ²) − 3 aⱼ² aₖ²) Xᵢ²/24 + O(h³)`. This s takes the
//! difference away for any C and stays real for any h, so the order is 2 without torque. The
//! mobility is constant in the body, so only the torque makes a drift. The angular velocity of the
//! state is not used and does not change.

use super::{Scheme, Step, ToNext, Turn};
use crate::kernel::{Number, Quat, Saved, Vec3, exp};

/// Brownian motion.
pub struct Brownian;

/// The turn by a torque of 1, and the factors of the deviates, in a step of `h`. Locked body axes
/// (1/I = 0) do not turn.
#[inline(always)]
pub fn diffusion<N: Number>(
    reciprocals: Vec3<N>,
    coefficients: Vec3<N>,
    kt: f64,
    h: f64,
) -> [Vec3<N>; 2] {
    let one = N::splat(1.0);
    let zero = N::splat(0.0);
    let mut response = Vec3::splat(0.0);
    let mut spread = Vec3::splat(0.0);
    for k in 0..3 {
        // 0 on locked axes and in lanes without a body: h/h there, not h/0 (nor h/1, in place of
        // which the compiler takes h/0)
        let c = coefficients.0[k].if_at_most(0.0, N::splat(h), coefficients.0[k]);
        response.0[k] = reciprocals.0[k].if_at_most(0.0, zero, N::splat(h) / c);
    }
    let a2 = response * N::splat(2.0 * kt);
    for i in 0..3 {
        let a = a2.0[(i + 1) % 3];
        let b = a2.0[(i + 2) % 3];
        let s2 = (a2.0[i] + N::splat(0.25) * (a * b)) / (one + (a + b) * N::splat(1.0 / 6.0));
        spread.0[i] = reciprocals.0[i].if_at_most(0.0, zero, s2.sqrt());
    }
    [response, spread]
}

impl Scheme for Brownian {
    const TORQUE_AT: &'static [f64] = &[0.0];
    const TAKES_NOISE: bool = true;
    const HAS_INERTIA: bool = false;

    #[inline(always)]
    fn stage<N: Number>(
        _: usize,
        step: &Step<N>,
        omega_body: Vec3<N>,
        torque_body: Option<Vec3<N>>,
        _: &mut Saved<N>,
    ) -> ToNext<N> {
        let Some(bath) = &step.bath else {
            return (Turn::Relative(Quat::identity()), omega_body);
        };
        let mut turn = bath.noise;
        if let Some(torque) = torque_body {
            turn = turn + bath.response.of(torque);
        }
        if let Some(flow) = bath.flow_body {
            let whole = flow * N::splat(step.h);
            for k in 0..3 {
                turn.0[k] = turn.0[k]
                    + step.inertia.reciprocals.0[k].if_at_most(0.0, N::splat(0.0), whole.0[k]);
            }
        }
        (Turn::Relative(exp(turn)), omega_body)
    }
}
