//! Methods of order 2 for torques with stiff linear drag: PCDM and the splitting of order 2 with
//! the drag taken implicitly.
//!
//! The torque contains `−C (ω − flow)`, with coefficients C of any size. With
//! `z = h C/I`, `b = I⁻¹(τ − ω × Iω)`, and
//! ```text
//!     φ₁ = (1 + z/6)/n        φ₂ = (½ + z/6)/n        φ₃ = (1/6 + z/12)/n        n = 1 + ⅔z + z²/6
//! ```
//!
//! for each principal axis, two torque evaluations per step ([`DampedPcdm`]) give
//! ```text
//!     ω½ = ω₀ + ½h φ₁(½z) b₀              q½ = q₀ ⊗ exp( ½h (ω₀ + ½h φ₂(½z) b₀) )
//!     d  = 2 ( b½ + C/I (ω½ − ω₀) − b₀ )
//!     ω₁ = ω₀ + h (φ₁ b₀ + φ₂ d)          q₁ = q₀ ⊗ exp( h (ω₀ + h (φ₂ b₀ + φ₃ d)) )
//! ```
//!
//! and one torque evaluation per step ([`DampedSplitting`]) gives, with `n = I⁻¹(τ − ω × Iω + C ω)`
//! and its change `n₀ − n₋₁` in the step before,
//! ```text
//!     b₀ = n₀ − C/I ω₀                    q₁ = q₀ ⊗ exp( h (ω₀ + h (φ₂ b₀ + φ₃ (n₀ − n₋₁))) )
//!     ω̃  = ω₀ + h (φ₁ b₀ + φ₂ (n₀ − n₋₁)) n₁ at ( q₁, ω̃ )          ω₁ = ω₀ + h (φ₁ b₀ + φ₂ (n₁ − n₀))
//! ```
//!
//! The φ are the Padé approximants of the functions of exponential integrators (M. Hochbruck,
//! A. Ostermann, Acta Numer. 19, 209 (2010), eq. 2.10) with `e⁻ᶻ ≈ (1 − z/3)/(1 + ⅔z + z²/6)`, so
//! both are L-stable. Where the principal axes are not the axes of the drag, z is a matrix: see
//! [`Damping`].

use super::{Damping, Scheme, Step, ToNext, Turn};
use crate::kernel::{Number, PrincipalInertia, Saved, State, Vec3, principal_velocity_gained};
use crate::torque::FluidDrag;

/// [`Pcdm`](super::Pcdm) with implicit drag: order 2, two torque evaluations per step.
pub struct DampedPcdm;

/// [`Strang`](super::Strang)'s splitting with implicit drag: order 2, one torque evaluation per
/// step.
pub struct DampedSplitting;

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
        let omega0 = step.omega_start_body;
        let inertia = step.inertia;
        let h = step.h;
        let hb = principal_velocity_gained(inertia, omega_body, torque_body, h);
        if i == 0 {
            *hb0 = hb;
            let half = N::splat(0.5);
            let start = step.damping.over(0.5 * h).phis_times(hb);
            let mean = omega0 + inertia.from_principal(start.second * half);
            let omega_body = omega0 + inertia.from_principal(start.first * half);
            return (Turn::AtStart(mean, 0.5 * h), omega_body);
        }
        let change = inertia.to_principal(omega_body - omega0);
        let damping = step.damping.over(h);
        let hd = (hb + damping.of(change) - *hb0) * N::splat(2.0);
        let start = damping.phis_times(*hb0);
        let slope = damping.phis_times(hd);
        let mean = omega0 + inertia.from_principal(start.second + slope.third);
        let omega_body = omega0 + inertia.from_principal(start.first + slope.second);
        (Turn::AtStart(mean, h), omega_body)
    }
}

/// `n` at a state, in principal axes.
#[inline(always)]
fn undamped<N: Number>(
    step: &Step<N>,
    omega_body: Vec3<N>,
    torque_body: Option<Vec3<N>>,
) -> Vec3<N> {
    let acceleration = principal_velocity_gained(step.inertia, omega_body, torque_body, 1.0);
    acceleration + (step.damping.over(1.0)).of(step.inertia.to_principal(omega_body))
}

impl Scheme for DampedSplitting {
    const TORQUE_AT: &'static [f64] = &[0.0, 1.0];
    const KEEPS_TORQUE: bool = true;
    const IS_DAMPED: bool = true;
    /// `n₀` and `n₋₁`, principal axes.
    const SAVED: usize = 2;

    #[inline(always)]
    fn initial_saved<N: Number>(step: &Step<N>, torque_body: Option<Vec3<N>>) -> Saved<N> {
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
        let omega0 = step.omega_start_body;
        let inertia = step.inertia;
        let h = N::splat(step.h);
        let b0 = *now - (step.damping.over(1.0)).of(inertia.to_principal(omega0));
        let damping = step.damping.over(step.h);
        let start = damping.phis_times(b0);
        if i == 0 {
            let slope = damping.phis_times(*now - *before);
            let mean = omega0 + inertia.from_principal((start.second + slope.third) * h);
            let omega_body = omega0 + inertia.from_principal((start.first + slope.second) * h);
            return (Turn::AtStart(mean, step.h), omega_body);
        }
        // never `None`, because the compiler may compute `next` at stage 0 too: see
        // `PrincipalInertia`'s `turn`
        let torque = torque_body.unwrap_or(Vec3::splat(0.0));
        let next = undamped(step, omega_body, Some(torque));
        let slope = damping.phis_times(next - *now);
        let omega_body = omega0 + inertia.from_principal((start.first + slope.second) * h);
        *before = *now;
        *now = next;
        (Turn::Stay, omega_body)
    }
}

/// The change of angular velocity in a kick by a torque, with the drag during the kick:
/// `h φ₁ I⁻¹τ`, which relaxes toward the fluid's rotation.
#[inline(always)]
pub(crate) fn kicked_with_drag<N: Number>(
    inertia: &PrincipalInertia<N>,
    state: &State<N>,
    drag: &FluidDrag<N>,
    torque_body: Vec3<N>,
    duration: f64,
) -> Vec3<N> {
    let slip = drag
        .coefficients
        .times(state.q.to_body(drag.flow) - state.omega_body);
    let torque = inertia.to_principal(torque_body + slip);
    let gained = torque.times(inertia.reciprocals * N::splat(duration));
    let damping = Damping::new(inertia, drag.coefficients).over(duration);
    inertia.from_principal(damping.phis_times(gained).first)
}
