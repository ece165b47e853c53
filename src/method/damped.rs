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
//! One torque evaluation per step ([`DampedSplitting`]) takes the better of two schemes, chosen in
//! each step by the state at its start. Where the body turns faster than the drag decays, `2 ω²` at
//! least `3 c²`, it is Strang's splitting with the drag, exact but for the Padé approximant, in the
//! kicks. c is the harmonic mean of the rates about the axes, which is small where one of them is:
//! about an axis with hardly any drag the other scheme would feed what swings or nutates. So it
//! would where the drag is weak about all of them, `c h` at most 6 · 10⁻⁴.
//! ```text
//!     ω½ = ω₀ + ½h φ₁(½z) I⁻¹(τ₀ − C ω₀)     free rotation for h, to q₁, ω½′
//!     ω₁ = ω½′ + ½h φ₁(½z) I⁻¹(τ₁ − C ω½′)    τ₁ at ( q₁, ω₁ with τ₀ in the place of τ₁ )
//! ```
//!
//! where τ is the torque without its part `−Cω`. So a drag changes a nutation only as drag does,
//! and a drag of 0 changes no bit. Elsewhere the drag and the gyroscopic torque are in balance,
//! which kicks do not see: from `n = I⁻¹(τ − ω × Iω − İω)`, its change `d = n₁ − n₀` in the step,
//! and that in the step before, as a rate ṅ, with `d₀ = h ṅ`,
//! ```text
//!     b₀ = n₀ − C/I ω₀               q₁ = q₀ ⊗ exp( h (ω₀ + h (φ₂ b₀ + φ₃ w d₀)) )
//!     ω̃  = ω₀ + h (φ₁ b₀ + φ₂ d₀)    n₁ at ( q₁, ω̃ )       ω₁ = ω₀ + h (φ₁ b₀ + φ₂ d)
//!     w  = z/(z + 10 κ²)             κ = 2 h |φ₂ d₀|/|ω₀|
//! ```
//!
//! About an axis without drag w is 0, and this is Verlet's method, as Strang's splitting is:
//! swings keep their energy. With w = 1 they would lose 0.15 κ² of it in each step, where κ is T
//! h²/I, T the torque per radian. Where a drag is stiff κ is small, and `w = 1` keeps order 2.
//!
//! d₀ counts as 0 where it is more than four times n₀: what was so much greater in the step
//! before has decayed, and would feed the motion. It also counts as 0 after a step in which the
//! drag does nothing, `z < 10⁻³`, such as a remainder of 10⁻¹⁶ s before an output: there `n₁ −
//! n₀` is rounding and the error of ω̃, which a longer step would multiply.
//!
//! The torque of rotors with the momentum p, `p × ω`, is linear in ω as the drag is. So z contains
//! it (but not in w), `z = h I⁻¹(C − [p]×)`, with p in the middle of the step, and n the rest,
//! `(p(t) − p½) × ω`, and the torque of the motors: a steady turn is exact, and none is too fast
//! for the step to be stable. z damps a nutation of ν radians a step, `ν² = h² Σ pᵢ²/(Iⱼ Iₖ)`, by
//! ν⁴/72. Where this is more than a small part of what the drag does, `4 c h < min(ν⁴, 0.4)`, the
//! step is one by kicks.
//!
//! Either scheme alone is wrong in the other's place: the second damps or feeds a fast nutation
//! by up to (|ω| h)⁴/4 in each step, the first falls to order 1 where the drag is stiff. Both
//! have order 2, and so has any mixture of their steps: after kicks, where no drag is stiff, d₀
//! counts as 0, an error of h³.
//!
//! The φ are the Padé approximants of the functions of exponential integrators (M. Hochbruck,
//! A. Ostermann, Acta Numer. 19, 209 (2010), eq. 2.10) with `e⁻ᶻ ≈ (1 − z/3)/(1 + ⅔z + z²/6)`, so
//! both are L-stable. Where the principal axes are not the axes of the drag, z is a matrix: see
//! [`Damping`].

use super::composition::STRANG;
use super::damping::Dampened;
use super::{Damping, Scheme, Step, ToNext, Turn, splitting};
use crate::kernel::{Number, PrincipalInertia, Quat, Saved, State, TorqueState, Vec3};
use crate::kernel::{each_if_at_most, principal_velocity_gained, velocity_gained};
use crate::torque::FluidDrag;

/// [`Pcdm`](super::Pcdm) with implicit drag: order 2, two torque evaluations per step.
pub struct DampedPcdm;

/// [`Strang`](super::Strang)'s splitting with implicit drag: order 2, one torque evaluation per
/// step.
pub type DampedSplitting = SplittingInDrag<false>;

/// [`DampedSplitting`], as [`ShortSplitting`](super::ShortSplitting).
#[cfg(target_arch = "nvptx64")]
pub type ShortDampedSplitting = SplittingInDrag<true>;

/// [`DampedSplitting`], with any rotations or with short ones only: see
/// [`Scheme::ROTATES_SHORT_ONLY`].
pub struct SplittingInDrag<const ROTATES_SHORT_ONLY: bool>;

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

/// The least `z` of a step that tells a rate of change.
const RESOLVED: f64 = 1e-3;

/// Up to this `z`, the mean of the axes, steps are by kicks, which feed nothing.
const WEAK: f64 = 6e-4;

/// The stages of [`DampedSplitting`] by which it takes a step.
#[derive(Clone, Copy)]
struct Ways<N> {
    /// In each lane more than 0 for the implicit step, otherwise 0 for kicks and a free rotation.
    is_implicit: N,
    any_kicks: bool,
    any_implicit: bool,
}

impl<N: Number> Ways<N> {
    /// Chosen by the state at the start of the step: kicks where the body turns faster than the
    /// drag about its axes decays, or where the implicit step would damp the nutation of rotors.
    #[inline(always)]
    fn of(step: &Step<N>) -> Self {
        let zero = N::splat(0.0);
        let omega = step.omega_start_body;
        let mean = step.damping.harmonic_mean(step.inertia);
        let rate = mean.if_at_most(0.0, zero, mean);
        let excess = (rate * rate) * N::splat(3.0) - omega.dot(omega) * N::splat(2.0);
        let mut is_implicit = excess.if_at_most(0.0, zero, N::splat(1.0));
        let z = rate * N::splat(step.h.abs());
        is_implicit = z.if_at_most(WEAK, zero, is_implicit);
        if let Some(rotor) = step.rotor {
            let [r1, r2, r3] = step.inertia.reciprocals.0;
            let momentum = step.inertia.to_principal(rotor.momentum) * N::splat(step.h);
            let square = momentum
                .times(momentum)
                .dot(Vec3([r2 * r3, r3 * r1, r1 * r2]));
            let fourth = square * square;
            let least = fourth.if_at_most(0.4, fourth, N::splat(0.4));
            let excess = least - z * N::splat(4.0);
            is_implicit = excess.if_at_most(0.0, is_implicit, zero);
        }
        Ways {
            is_implicit,
            any_kicks: (-is_implicit).any_above(-0.5),
            any_implicit: is_implicit.any_above(0.5),
        }
    }

    #[inline(always)]
    fn choose<const K: usize>(&self, kicked: [N; K], implicit: [N; K]) -> [N; K] {
        each_if_at_most(self.is_implicit, 0.0, kicked, implicit)
    }
}

/// `n` at a state, body axes: from the torque without its resistance, `m = τ + C ω`. `time` is the
/// time since the start of the step.
#[inline(always)]
fn undamped<N: Number>(
    step: &Step<N>,
    time: f64,
    omega_body: Vec3<N>,
    unresisted_body: Vec3<N>,
) -> Vec3<N> {
    let mut torque_body = unresisted_body;
    if let Some(rotor) = step.rotor {
        let beside = rotor.motor * N::splat(0.5 * step.h - time);
        torque_body = torque_body + beside.cross(omega_body) + rotor.motor;
    }
    if let Some([start, end]) = step.inertia_at_ends {
        let gained = end.angular_momentum(omega_body) - start.angular_momentum(omega_body);
        torque_body = torque_body - gained * N::splat(1.0 / step.h);
    }
    velocity_gained(step.inertia, omega_body, Some(torque_body), 1.0)
}

/// The torque without its resistance, `m = τ + C ω`. The torque is never `None` where this counts,
/// but the compiler may compute it at stage 0 too: see `PrincipalInertia`'s `turn`.
#[inline(always)]
fn unresisted<N: Number>(
    step: &Step<N>,
    omega_body: Vec3<N>,
    torque_body: Option<Vec3<N>>,
) -> Vec3<N> {
    torque_body.unwrap_or(Vec3::splat(0.0)) + step.damping.resistance(omega_body)
}

/// The steps of [`DampedSplitting`] by kicks and free rotations.
struct Kicked<const ROTATES_SHORT_ONLY: bool>;

impl<const ROTATES_SHORT_ONLY: bool> Scheme for Kicked<ROTATES_SHORT_ONLY> {
    const TORQUE_AT: &'static [f64] = DampedSplitting::TORQUE_AT;
    const SAVED: usize = DampedSplitting::SAVED;

    #[inline(always)]
    fn stage<N: Number>(
        i: usize,
        step: &Step<N>,
        omega_body: Vec3<N>,
        torque_body: Option<Vec3<N>>,
        saved: &mut Saved<N>,
    ) -> ToNext<N> {
        let h = 0.5 * step.h;
        let damping = step.damping.over(h);
        if i == 0 {
            let [unresisted, _] = *saved;
            let torque = unresisted - step.damping.resistance(omega_body);
            let omega_body = omega_body + kicked(step.inertia, &damping, torque, h);
            let free = splitting::drift(0, step, &STRANG, omega_body, ROTATES_SHORT_ONLY);
            let omega_body = omega_body + free.gained;
            // the prediction of the second half
            let torque = unresisted - step.damping.resistance(omega_body);
            let omega_body = omega_body + kicked(step.inertia, &damping, torque, h);
            return (Turn::Free(free), omega_body);
        }
        let now = unresisted(step, omega_body, torque_body);
        let omega_body = omega_body + kicked(step.inertia, &damping, now - saved[0], h);
        *saved = [now, Vec3::splat(0.0)];
        (Turn::Stay, omega_body)
    }
}

/// The steps of [`DampedSplitting`] in which drag and gyroscopic torque are in balance.
struct Implicit;

impl Scheme for Implicit {
    const TORQUE_AT: &'static [f64] = DampedSplitting::TORQUE_AT;
    const SAVED: usize = DampedSplitting::SAVED;

    #[inline(always)]
    fn stage<N: Number>(
        i: usize,
        step: &Step<N>,
        omega_body: Vec3<N>,
        torque_body: Option<Vec3<N>>,
        saved: &mut Saved<N>,
    ) -> ToNext<N> {
        let inertia = step.inertia;
        let omega0 = step.omega_start_body;
        let h = N::splat(step.h);
        let mut damping = step.damping;
        if let Some(rotor) = step.rotor {
            damping = damping.with_rotors(inertia, rotor.after(0.5 * step.h));
        }
        let damping = damping.over(step.h);
        let n0 = undamped(step, 0.0, omega0, saved[0]);
        let hb0 = inertia.to_principal(n0) * h - damping.of(inertia.to_principal(omega0));
        let mut change = saved[1] * h;
        let excess = change.dot(change) - n0.dot(n0) * N::splat(16.0);
        change = Vec3(each_if_at_most(excess, 0.0, change.0, [N::splat(0.0); 3]));
        if i > 0 {
            let now = unresisted(step, omega_body, torque_body);
            change = undamped(step, step.h, omega_body, now) - n0;
            let unresolved = N::splat(RESOLVED * RESOLVED) - step.damping.rate_squared() * (h * h);
            let rate = change * N::splat(1.0 / step.h);
            let rate = Vec3(each_if_at_most(unresolved, 0.0, rate.0, [N::splat(0.0); 3]));
            *saved = [now, rate];
        }
        let hd = inertia.to_principal(change) * h;
        let gained = damping.phis_times(hd).second;
        let start = damping.phis_times(hb0);
        let end = omega0 + inertia.from_principal(start.first + gained);
        if i > 0 {
            return (Turn::Stay, end);
        }
        let in_balance = in_balance(step, gained, hd);
        let turned = start.second + damping.phis_times(in_balance).third;
        let mean = omega0 + inertia.from_principal(turned);
        (Turn::AtStart(mean, step.h), end)
    }
}

/// `w h d₀` in principal axes, from `h φ₂ d₀` and `h d₀`.
#[inline(always)]
fn in_balance<N: Number>(step: &Step<N>, gained: Vec3<N>, hd: Vec3<N>) -> Vec3<N> {
    let of_omega = step.omega_start_body.dot(step.omega_start_body);
    let of_gain = gained.dot(gained) * N::splat(40.0);
    let sum = (of_omega + of_gain) + N::splat(f64::MIN_POSITIVE);
    let per_sum = N::splat(1.0) / sum;
    let drag = step.damping.magnitude(step.inertia).over(step.h.abs());
    drag.stiff_part(of_omega * per_sum, of_gain * per_sum, hd)
}

#[cfg(not(target_arch = "nvptx64"))]
impl DampedSplitting {
    /// Whether a step takes drag and gyroscopic torque in balance.
    pub(crate) fn is_implicit(step: &Step<f64>) -> bool {
        Ways::of(step).any_implicit
    }
}

impl<const ROTATES_SHORT_ONLY: bool> Scheme for SplittingInDrag<ROTATES_SHORT_ONLY> {
    const TORQUE_AT: &'static [f64] = &[0.0, 1.0];
    const KEEPS_TORQUE: bool = true;
    const IS_DAMPED: bool = true;
    const TAKES_ROTORS: bool = true;
    const ROTATES_SHORT_ONLY: bool = ROTATES_SHORT_ONLY;
    /// The last torque without its resistance, `m = τ + C ω`, and the rate of change of n, both in
    /// body axes.
    const SAVED: usize = 2;

    #[inline(always)]
    fn initial_saved<N: Number>(
        step: &Step<N>,
        torque_body: Option<Vec3<N>>,
        [_, rate]: Saved<N>,
    ) -> Saved<N> {
        [unresisted(step, step.omega_start_body, torque_body), rate]
    }

    #[inline(always)]
    fn stage<N: Number>(
        _: usize,
        _: &Step<N>,
        _: Vec3<N>,
        _: Option<Vec3<N>>,
        _: &mut Saved<N>,
    ) -> ToNext<N> {
        unreachable!("`next_state` takes the stages of one scheme or the other")
    }

    /// Both schemes keep numbers of the same kind.
    #[inline(always)]
    fn next_state<N: Number>(
        i: usize,
        start: &State<N>,
        step: &Step<N>,
        here: &TorqueState<N>,
        torque_body: Option<Vec3<N>>,
        saved: &mut Saved<N>,
    ) -> State<N> {
        let ways = Ways::of(step);
        if !ways.any_implicit {
            return Kicked::<ROTATES_SHORT_ONLY>::next_state(
                i,
                start,
                step,
                here,
                torque_body,
                saved,
            );
        }
        let mut of_kicks = *saved;
        let implicit = Implicit::next_state(i, start, step, here, torque_body, saved);
        if !ways.any_kicks {
            return implicit;
        }
        let kicked = Kicked::<ROTATES_SHORT_ONLY>::next_state(
            i,
            start,
            step,
            here,
            torque_body,
            &mut of_kicks,
        );
        saved[1] = Vec3(ways.choose(of_kicks[1].0, saved[1].0)); // m is the same
        State {
            q: Quat(ways.choose(kicked.q.0, implicit.q.0)),
            omega_body: Vec3(ways.choose(kicked.omega_body.0, implicit.omega_body.0)),
        }
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
    let damping = Damping::new(inertia, drag.coefficients).over(duration);
    kicked(inertia, &damping, torque_body + slip, duration)
}

/// The change of angular velocity in a kick by a torque that a drag resists: `h φ₁ I⁻¹τ`.
#[inline(always)]
fn kicked<N: Number>(
    inertia: &PrincipalInertia<N>,
    damping: &Dampened<N>,
    torque_body: Vec3<N>,
    duration: f64,
) -> Vec3<N> {
    let torque = inertia.to_principal(torque_body);
    let gained = torque.times(inertia.reciprocals * N::splat(duration));
    inertia.from_principal(damping.phis_times(gained).first)
}
