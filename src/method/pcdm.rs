//! PCDM, predictor-corrector direct multiplication: the default method.
//!
//! Order 2, explicit, two torques a step, |q| = 1 to rounding; the energy of a conservative top drifts (1e-2 over T = 200).
//! ZW13: F. Zhao, B. G. M. van Wachem, Acta Mech. 224, 3091–3109 (2013), doi 10.1007/s00707-013-0914-2.
//!
//! ```text
//!     a₀ = I⁻¹( R(q₀)ᵀ T(t, q₀, ω₀)      − ω₀ × I ω₀ )
//!     q½ = q₀ exp( ½h (ω₀ + ¼h a₀) )          ω½ = ω₀ + ½h a₀                  predict
//!     a½ = I⁻¹( R(q½)ᵀ T(t + ½h, q½, ω½) − ω½ × I ω½ )
//!     q₁ = q₀ exp( h R(q₀)ᵀ R(q½) ω½ )        ω₁ = ω₀ + h a½                   correct
//! ```
//!
//! ω in the body frame throughout. ZW13 turns by `exp_world(R(q) v) ⊗ q₀`, which is `q₀ ⊗ exp(R(q₀)ᵀ R(q) v)`; and
//! `R(q₀)ᵀ R(q½)` is the predicted rotation itself.
//!
//! Errata in circulation: ¼ and ½ exchanged; the midpoint torque taken to the body with q₀. Either makes it first order,
//! and `pcdm_is_second_order_when_the_torque_turns_with_the_body` fails.

use super::{Method, Stage, Step};
use crate::kernel::{Number, Vec3, angular_acceleration, exp_of_half};

/// The method of Zhao and van Wachem (2013): order 2, two torques a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pcdm;

impl Method for Pcdm {
    const NAME: &'static str = "PCDM";
    const ORDER: u32 = 2;
    const TORQUE_AT: &'static [f64] = &[0.0, 0.5];

    #[inline(always)]
    fn stage<N: Number>(i: usize, step: &Step<N>, here: &Stage<N>, torque_body: Vec3<N>) -> Stage<N> {
        let (w0, h) = (step.omega_start, N::splat(step.h));
        let (half_h, quarter_h) = (N::splat(0.5 * step.h), N::splat(0.25 * step.h));

        let a = angular_acceleration(step.inertia, here.omega_body, torque_body);
        match i {
            // exp(½h ω¼), with ω¼ = ω₀ + ¼h a₀
            0 => Stage {
                rotation: exp_of_half((w0 + a * quarter_h) * quarter_h), //
                omega_body: w0 + a * half_h,
            },
            // exp(h R(q₀)ᵀ R(q½) ω½)
            _ => Stage {
                rotation: exp_of_half(here.rotation.to_world(here.omega_body) * half_h), //
                omega_body: w0 + a * h,
            },
        }
    }
}
