//! Splitting methods: kicks by the torque, and exact free rotations (drifts) between them.
//!
//! Time-reversible and volume-preserving; |q| = 1 to rounding. The torque of the last kick of a
//! step is that of the first kick of the next: it is kept, in the body frame. The parts of each
//! method are data, a [`Composition`]. Order 2 is Strang's:
//! ```text
//!     L½ = L₀ + ½h τ₀        free rotation for h        τ₁ at ( q₁, I⁻¹(L½ + ½h τ₀) )        L₁ = L½ + ½h τ₁
//! ```
//!
//! The torque is asked at the predicted angular velocity: without the prediction, torques that
//! depend on it lower the order to 1. The others assume that the torque depends on orientation and time
//! alone; otherwise their order is 1. Orders 4 and 6: methods SRKN₆ᵇ and SRKN₁₁ᵇ of BM02; the
//! papers are listed in `src/lib.rs`.
//!
//! The force-gradient splitting has order 4 with positive coefficients, so the errors of large
//! steps are small: scheme 4A of C97: S. A. Chin, Phys. Lett. A 226, 344 (1997); for rigid bodies,
//! I. P. Omelyan, J. Chem. Phys. 127, 044102 (2007). The middle kick takes the torque at an
//! orientation that the torque itself has turned, no derivative (I. P. Omelyan, Phys. Rev. E 74,
//! 036703 (2006)).
//! ```text
//!     L += h/6 τ₀       free rotation for h/2       τ½ at q½       τ′ at q½ ⊗ exp(δ), δ = h²/24 I⁻¹τ½
//!     L += 2h/3 τ′      free rotation for h/2       τ₁ at q₁       L += h/6 τ₁
//! ```
//!
//! τ′, a vector in space, is turned back by δ to the body frame of q½. To first order τ′ = τ½ +
//! (δ·∂)τ, so the middle kick contains `[B,[A,B]]`, where A is the free rotation and B the kick.
//! The free rotation: `kernel::free_rotation`. With rotors each drift is a free rotation between
//! two turns, `kernel::free_gyrostat`.

use super::composition::{Composition, FORCE_GRADIENT, STRANG};
use super::{Scheme, Step, ToNext, Turn};
use crate::kernel::{
    FreeRotation, GyrostatPart, Number, PrincipalInertia, Quat, Rotor, Saved, Vec3,
};
use crate::kernel::{free_gyrostat, short_free_rotation, velocity_kicked};
use std::marker::PhantomData;

/// The splitting methods. `P` has the parts of one of them.
pub struct Splitting<P>(PhantomData<P>);

/// With the parts of [`Step::composition`].
pub type AnySplitting = Splitting<PartsOfStep>;
/// Strang's splitting. Its parts are known when a loop is compiled.
pub type Strang = Splitting<PartsOfStrang>;
/// The force-gradient splitting. Its parts are known when a loop is compiled.
pub type ForceGradient = Splitting<PartsOfForceGradient>;

/// [`AnySplitting`] without rotors, where all free rotations are short; elsewhere the states are
/// NaN. A thread of a GPU has few registers, and the code of long rotations would occupy them.
#[cfg(target_arch = "nvptx64")]
pub type ShortSplitting = Splitting<PartsOfShortStep>;

/// Where a splitting method has its parts from.
pub trait Parts: Send + Sync + 'static {
    /// The parts, if they are known when a loop is compiled; otherwise they are in
    /// [`Step::composition`].
    const KNOWN: Option<&'static Composition>;

    /// See [`Scheme::ROTATES_SHORT_ONLY`].
    const ROTATES_SHORT_ONLY: bool = false;
}

/// See [`AnySplitting`].
pub struct PartsOfStep;
/// See [`Strang`].
pub struct PartsOfStrang;
/// See [`ForceGradient`].
pub struct PartsOfForceGradient;

impl Parts for PartsOfStep {
    const KNOWN: Option<&'static Composition> = None;
}

impl Parts for PartsOfStrang {
    const KNOWN: Option<&'static Composition> = Some(&STRANG);
}

impl Parts for PartsOfForceGradient {
    const KNOWN: Option<&'static Composition> = Some(&FORCE_GRADIENT);
}

/// See [`ShortSplitting`].
#[cfg(target_arch = "nvptx64")]
pub struct PartsOfShortStep;

#[cfg(target_arch = "nvptx64")]
impl Parts for PartsOfShortStep {
    const KNOWN: Option<&'static Composition> = None;
    const ROTATES_SHORT_ONLY: bool = true;
}

impl<P: Parts> Scheme for Splitting<P> {
    const TORQUE_AT: &'static [f64] = &[]; // see `torque_at`
    const KEEPS_TORQUE: bool = true;
    const TAKES_ROTORS: bool = true;
    const ROTATES_SHORT_ONLY: bool = P::ROTATES_SHORT_ONLY;
    /// The last torque, in the body frame.
    const SAVED: usize = 1;

    #[inline(always)]
    fn torque_at<N: Number>(step: &Step<N>) -> &'static [f64] {
        P::KNOWN.unwrap_or(step.composition).times
    }

    #[inline(always)]
    fn stage<N: Number>(
        i: usize,
        step: &Step<N>,
        omega_body: Vec3<N>,
        torque_body: Option<Vec3<N>>,
        [last, _]: &mut Saved<N>,
    ) -> ToNext<N> {
        let composition = P::KNOWN.unwrap_or(step.composition);
        let mut torque = torque_body.unwrap_or(*last);
        // ½δ, by which the body had been turned when the torque was asked
        let mut half_delta = None;
        if let Some((turned_at, c)) = composition.gradient {
            let factor = step.h * step.h * (0.5 * c);
            if i == turned_at {
                *last = torque;
                let half = velocity_kicked(step.inertia, torque, factor);
                return (Turn::Free(rotation_by_twice(half)), omega_body);
            }
            if i == turned_at + 1 {
                let half = velocity_kicked(step.inertia, *last, factor);
                torque = turned_back(torque, half, step.inertia);
                half_delta = Some(half);
            }
        }
        // with the prediction, the angular velocity of stage 1 already contains a kick by the
        // torque before
        let change = if composition.predicts && i == 1 {
            torque - *last
        } else {
            torque
        };
        let kicked = velocity_kicked(step.inertia, change, step.h * composition.kicks[i]);
        let omega_body = if step.acts {
            omega_body + kicked
        } else {
            omega_body
        };
        *last = torque;
        if i == composition.drifts.len() {
            return (Turn::Stay, omega_body);
        }
        let mut free = drift(i, step, composition, omega_body, P::ROTATES_SHORT_ONLY);
        if let Some(half) = half_delta {
            free.rotation = Quat::from_parts(N::splat(1.0), -half) * free.rotation;
            free.motion = free.motion + half.dot(half);
        }
        let after = omega_body + free.gained;
        let omega_body = if composition.predicts && step.acts {
            after + kicked
        } else {
            after
        };
        (Turn::Free(free), omega_body)
    }
}

/// A free rotation if it is short, otherwise NaN.
#[inline(always)]
fn short_rotation<N: Number>(
    inertia: &PrincipalInertia<N>,
    omega_body: Vec3<N>,
    duration: f64,
) -> FreeRotation<N> {
    short_free_rotation(inertia, omega_body, duration).unwrap_or(FreeRotation {
        rotation: Quat([N::splat(f64::NAN); 4]),
        gained: Vec3::splat(f64::NAN),
        motion: N::splat(f64::NAN),
    })
}

/// The drift after stage `i`, with the turns beside it if the body has rotors; with
/// `rotates_short_only` it has none, and is NaN where it is not short.
#[inline(always)]
pub(super) fn drift<N: Number>(
    i: usize,
    step: &Step<N>,
    composition: &Composition,
    omega_body: Vec3<N>,
    rotates_short_only: bool,
) -> FreeRotation<N> {
    let Composition {
        drifts,
        times,
        turns,
        ..
    } = composition;
    let duration = step.h * drifts[i];
    if rotates_short_only {
        return short_rotation(step.inertia, omega_body, duration);
    }
    let part = match step.rotor {
        None => None,
        Some(rotor) => Some(part(rotor, times, turns, i, step.h)),
    };
    free_gyrostat(step.inertia, part.as_ref(), omega_body, duration)
}

/// The `i`-th drift of a step of `h`, with the turns beside it.
#[inline(always)]
pub(super) fn part<'a, N: Number>(
    rotor: &'a Rotor<N>,
    times: &[f64],
    turns: &[[f64; 2]],
    i: usize,
    h: f64,
) -> GyrostatPart<'a, N> {
    let [before, after] = turns[i];
    GyrostatPart {
        rotor,
        times: [h * times[i], h * times[i + 1]],
        turns: [h * before, h * after],
    }
}

/// The rotation by δ = 2v, to the second order: by `2 atan |v|`. Not of unit length, and 2 for δ =
/// 0, as [`FreeRotation`] has it.
#[inline(always)]
fn rotation_by_twice<N: Number>(v: Vec3<N>) -> FreeRotation<N> {
    let motion = v.dot(v);
    // where the norm would overflow, NaN, which is noticed: otherwise the torque would be asked at
    // q = 0
    let two = motion.if_at_most(1e300, N::splat(2.0), N::splat(f64::NAN));
    FreeRotation {
        rotation: Quat::from_parts(two, v + v),
        gained: Vec3::splat(0.0),
        motion,
    }
}

/// A torque from the body frame after the turn by δ to the frame before it; `half` is ½δ.
#[inline(always)]
fn turned_back<N: Number>(
    torque: Vec3<N>,
    half: Vec3<N>,
    inertia: &PrincipalInertia<N>,
) -> Vec3<N> {
    let mut torque = torque;
    if inertia.has_zero_moment() {
        // a torque about the line of a linear body does nothing, neither after the turn nor before
        torque = torque - inertia.locked(torque);
    }
    let cross = half.cross(torque);
    torque + (cross + half.cross(cross)) * (N::splat(2.0) / (N::splat(1.0) + half.dot(half)))
}
