//! PCDM, predictor-corrector direct multiplication: the default method.
//!
//! It is explicit, has order 2 and takes two torque evaluations per step; |q| = 1 to rounding.
//! `exp(v)` is the rotation by the angle |v| about v, ⊗ the product of quaternions, T the torque
//! (world frame). The paper is ZW13, see `src/lib.rs`.
//! ```text
//!     a₀ = I⁻¹( R(q₀)ᵀ T(t, q₀, ω₀)      − ω₀ × I ω₀ )
//!     q½ = q₀ ⊗ exp( ½h ω¼ ),  ω¼ = ω₀ + ¼h a₀          ω½ = ω₀ + ½h a₀               predict
//!     a½ = I⁻¹( R(q½)ᵀ T(t + ½h, q½, ω½) − ω½ × I ω½ )
//!     q₁ = exp( h R(q½) ω½ ) ⊗ q₀                        ω₁ = ω₀ + h a½                correct
//! ```
//!
//! ω is in the body frame of its stage: the first rotation is by ω¼ in the axes of q₀, the second
//! by ω½ in the axes of q½. Two mistakes are common: to exchange ¼ and ½; to rotate the midpoint
//! torque to the body frame with q₀. Each reduces the order to 1, and
//! `pcdm_is_second_order_when_the_torque_turns_with_the_body` fails.

use super::{Scheme, Step, ToNext, Turn};
use crate::kernel::{Number, Saved, Vec3, velocity_gained};

/// The method of Zhao and van Wachem (2013): order 2, two torque evaluations per step.
pub struct Pcdm;

impl Scheme for Pcdm {
    const TORQUE_AT: &'static [f64] = &[0.0, 0.5];

    #[inline(always)]
    fn stage<N: Number>(
        i: usize,
        step: &Step<N>,
        omega_body: Vec3<N>,
        torque_body: Option<Vec3<N>>,
        _: &mut Saved<N>,
    ) -> ToNext<N> {
        let w0 = step.omega_start_body;
        let h = step.h;
        match i {
            // predict: ω¼ for ½h, then ω½
            0 => {
                let a_quarter_h = velocity_gained(step.inertia, omega_body, torque_body, 0.25 * h);
                let w_quarter = w0 + a_quarter_h;
                (Turn::AtStart(w_quarter, 0.5 * h), w_quarter + a_quarter_h)
            }
            // correct: ω½ for h, then ω₁
            _ => {
                let ah = velocity_gained(step.inertia, omega_body, torque_body, h);
                (Turn::AtStage(h), w0 + ah)
            }
        }
    }
}
