//! Methods of order 2 for torques with stiff linear drag: PCDM and the splitting of order 2 with the drag taken implicitly.
//!
//! The torque contains `−C (ω − flow)`, with the coefficients C as large as may be. With `z = h C/I`, `b = I⁻¹(τ − ω × Iω)`, and
//! ```text
//!     φ₁ = (1 + z/6)/n        φ₂ = (½ + z/6)/n        φ₃ = (1/6 + z/12)/n        n = 1 + ⅔z + z²/6
//! ```
//!
//! for each principal axis, two torques per step ([`DampedPcdm`]) give
//! ```text
//!     ω½ = ω₀ + ½h φ₁(½z) b₀              q½ = q₀ ⊗ exp( ½h (ω₀ + ½h φ₂(½z) b₀) )
//!     d  = 2 ( b½ + C/I (ω½ − ω₀) − b₀ )
//!     ω₁ = ω₀ + h (φ₁ b₀ + φ₂ d)          q₁ = q₀ ⊗ exp( h (ω₀ + h (φ₂ b₀ + φ₃ d)) )
//! ```
//!
//! and one torque per step ([`DampedSplitting`]) gives, with `n = I⁻¹(τ − ω × Iω + C ω)` and its change `n₀ − n₋₁` in the step before,
//! ```text
//!     b₀ = n₀ − C/I ω₀                    q₁ = q₀ ⊗ exp( h (ω₀ + h (φ₂ b₀ + φ₃ (n₀ − n₋₁))) )
//!     ω̃  = ω₀ + h (φ₁ b₀ + φ₂ (n₀ − n₋₁)) n₁ at ( q₁, ω̃ )          ω₁ = ω₀ + h (φ₁ b₀ + φ₂ (n₁ − n₀))
//! ```
//!
//! The φ are the Padé approximants of the functions of exponential integrators (M. Hochbruck, A. Ostermann, Acta Numer. 19, 209
//! (2010), eq. 2.10) with `e⁻ᶻ ≈ (1 − z/3)/(1 + ⅔z + z²/6)`, so both are L-stable. The order does not depend on C being exact: where the
//! principal axes are not the axes of the drag, C is a bound for it.

use super::{Scheme, Step, ToNext, Turn};
use crate::kernel::{Number, PrincipalInertia, Saved, State, Vec3, principal_velocity_gained};
use crate::torque::FluidDrag;

/// [`Pcdm`](super::Pcdm) with implicit drag: order 2, two torques per step.
pub struct DampedPcdm;

/// [`Strang`](super::Strang)'s splitting with implicit drag: order 2, one torque per step.
pub struct DampedSplitting;

/// `φ₁`, `φ₂`, `φ₃` for each principal axis. Numerator and denominator are multiplied by `t²`, so that z² does not overflow.
#[inline(always)]
fn phis<N: Number>(z: Vec3<N>) -> [Vec3<N>; 3] {
    let (one, half, sixth, twelfth) = (
        N::splat(1.0),
        N::splat(0.5),
        N::splat(1.0 / 6.0),
        N::splat(1.0 / 12.0),
    );
    let mut phis = [Vec3::splat(0.0); 3];
    for k in 0..3 {
        let t = z.0[k].if_at_most(1e100, one, N::splat(1e-160));
        let tz = t * z.0[k];
        let scale = t / ((t * t + (t * tz) * N::splat(2.0 / 3.0)) + (tz * sixth) * tz);
        phis[0].0[k] = (t + tz * sixth) * scale;
        phis[1].0[k] = (t * half + tz * sixth) * scale;
        phis[2].0[k] = (t * sixth + tz * twelfth) * scale;
    }
    phis
}

impl Scheme for DampedPcdm {
    const TORQUE_AT: &'static [f64] = &[0.0, 0.5];
    const IS_DAMPED: bool = true;
    /// `h b₀`, principal axes.
    const SAVED: usize = 1;

    #[inline(always)]
    fn stage<N: Number>(
        i: usize,
        step: &Step<N>,
        omega_body: Vec3<N>,
        torque_body: Option<Vec3<N>>,
        [hb0, _]: &mut Saved<N>,
    ) -> ToNext<N> {
        let (omega0, inertia, h) = (step.omega_start_body, step.inertia, step.h);
        let z = step.damping * N::splat(h);
        let hb = principal_velocity_gained(inertia, omega_body, torque_body, h);
        if i == 0 {
            *hb0 = hb;
            let (half, [phi1, phi2, _]) = (N::splat(0.5), phis(z * N::splat(0.5)));
            let mean = omega0 + inertia.from_principal(phi2.times(hb) * half);
            let omega_body = omega0 + inertia.from_principal(phi1.times(hb) * half);
            return (Turn::AtStart(mean, 0.5 * h), omega_body);
        }
        let change = inertia.to_principal(omega_body - omega0);
        let hd = (hb + z.times(change) - *hb0) * N::splat(2.0);
        let [phi1, phi2, phi3] = phis(z);
        let mean = omega0 + inertia.from_principal(phi2.times(*hb0) + phi3.times(hd));
        let omega_body = omega0 + inertia.from_principal(phi1.times(*hb0) + phi2.times(hd));
        (Turn::AtStart(mean, h), omega_body)
    }
}

/// `n` at a state.
#[inline(always)]
fn undamped<N: Number>(
    step: &Step<N>,
    omega_body: Vec3<N>,
    torque_body: Option<Vec3<N>>,
) -> Vec3<N> {
    let acceleration = principal_velocity_gained(step.inertia, omega_body, torque_body, 1.0);
    acceleration + step.damping.times(step.inertia.to_principal(omega_body))
}

impl Scheme for DampedSplitting {
    const TORQUE_AT: &'static [f64] = &[0.0, 1.0];
    const KEEPS_TORQUE: bool = true;
    const IS_DAMPED: bool = true;
    /// `n₀` and `n₋₁`, principal axes.
    const SAVED: usize = 2;

    #[inline(always)]
    fn opened<N: Number>(step: &Step<N>, torque_body: Option<Vec3<N>>) -> Saved<N> {
        [undamped(step, step.omega_start_body, torque_body); 2]
    }

    #[inline(always)]
    fn stage<N: Number>(
        i: usize,
        step: &Step<N>,
        omega_body: Vec3<N>,
        torque_body: Option<Vec3<N>>,
        [now, before]: &mut Saved<N>,
    ) -> ToNext<N> {
        let (omega0, inertia, h) = (step.omega_start_body, step.inertia, N::splat(step.h));
        let b0 = *now - step.damping.times(inertia.to_principal(omega0));
        let [phi1, phi2, phi3] = phis(step.damping * h);
        if i == 0 {
            let slope = *now - *before;
            let mean = omega0 + inertia.from_principal((phi2.times(b0) + phi3.times(slope)) * h);
            let omega_body =
                omega0 + inertia.from_principal((phi1.times(b0) + phi2.times(slope)) * h);
            return (Turn::AtStart(mean, step.h), omega_body);
        }
        // a number also at stage 0, where the compiler may compute `next` too: see `PrincipalInertia`'s `turn`
        let next = undamped(
            step,
            omega_body,
            Some(torque_body.unwrap_or(Vec3::splat(0.0))),
        );
        let omega_body =
            omega0 + inertia.from_principal((phi1.times(b0) + phi2.times(next - *now)) * h);
        (*before, *now) = (*now, next);
        (Turn::Stay, omega_body)
    }
}

/// The change of angular velocity in a kick by a torque, with the drag of its duration: `h φ₁ I⁻¹τ`, which relaxes toward the fluid's rotation.
#[inline(always)]
pub(crate) fn kicked_with_drag<N: Number>(
    inertia: &PrincipalInertia<N>,
    state: &State<N>,
    drag: &FluidDrag<N>,
    torque_body: Vec3<N>,
    duration: f64,
) -> Vec3<N> {
    let (h, damping) = (N::splat(duration), inertia.damping(drag.coefficients));
    let slip = drag
        .coefficients
        .times(state.q.to_body(drag.flow) - state.omega_body);
    let [phi1, ..] = phis(damping * h);
    inertia.from_principal(
        phi1.times(inertia.to_principal(torque_body + slip))
            .times(inertia.reciprocals * h),
    )
}
