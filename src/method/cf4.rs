//! CF4, the commutator-free Lie group method of order 4.
//!
//! It is explicit and takes four torque evaluations per step; |q| = 1 to rounding. `exp` and ⊗ are
//! as in PCDM. The paper (CMO03, see `src/lib.rs`) counts its stages from 1 to 4, `stage` from 0;
//! q₀, ω₀ are the start of the step, q₁, ω₁ its end.
//! ```text
//!     K₁ = ω₀               q₂ = q₀ ⊗ exp( ½h K₁ )                          Kᵢ: angular velocity of stage i, body frame
//!     K₂ = ω₀ + ½h a₁       q₃ = q₀ ⊗ exp( ½h K₂ )                          aᵢ: angular acceleration at stage i
//!     K₃ = ω₀ + ½h a₂       q₄ = q₂ ⊗ exp( h K₃ − ½h K₁ )
//!     K₄ = ω₀ +  h a₃       q₁ = q₀ ⊗ exp( h/12 (3K₁ + 2K₂ + 2K₃ − K₄) ) ⊗ exp( h/12 (−K₁ + 2K₂ + 2K₃ + 3K₄) )
//!                           ω₁ = ω₀ + h/6 (a₁ + 2a₂ + 2a₃ + a₄)
//! ```

use super::{Scheme, Step, ToNext, Turn};
use crate::kernel::{Number, Saved, Vec3, exp, velocity_gained};

/// The method of Celledoni, Marthinsen and Owren (2003): order 4, four torque evaluations per step.
pub struct Cf4;

impl Scheme for Cf4 {
    const TORQUE_AT: &'static [f64] = &[0.0, 0.5, 0.5, 1.0];
    /// The partial sums of `h (a₁ + 2a₂ + 2a₃)` and `2K₂ + 2K₃`.
    const SAVED: usize = 2;

    #[inline(always)]
    fn stage<N: Number>(
        i: usize,
        step: &Step<N>,
        omega_body: Vec3<N>,
        torque_body: Option<Vec3<N>>,
        [gained, middle]: &mut Saved<N>,
    ) -> ToNext<N> {
        let k1 = step.omega_start_body;
        let k = omega_body;
        let half = N::splat(0.5);
        let h = N::splat(step.h);
        let half_h = N::splat(0.5 * step.h);
        let ah = velocity_gained(step.inertia, k, torque_body, step.h);
        let (rotation, omega_body) = match i {
            0 => {
                *gained = ah;
                (exp(k1 * half_h), k1 + ah * half)
            }
            1 => {
                *gained = *gained + (ah + ah);
                *middle = k + k;
                (exp(k * half_h), k1 + ah * half)
            }
            2 => {
                *gained = *gained + (ah + ah);
                *middle = *middle + (k + k);
                (exp(k1 * half_h) * exp(k * h - k1 * half_h), k1 + ah)
            }
            _ => {
                let three = N::splat(3.0);
                let twelfth = N::splat(step.h / 12.0);
                let first = (k1 * three - k) + *middle;
                let second = (k * three - k1) + *middle;
                (
                    exp(first * twelfth) * exp(second * twelfth),
                    k1 + (*gained + ah) * N::splat(1.0 / 6.0),
                )
            }
        };
        (Turn::Relative(rotation), omega_body)
    }
}
