//! The exact rotation of a rigid body without torque, over any time, for any inertia.
//!
//! One formula for sphere, symmetric and asymmetric bodies, separatrix, needle and rest; no
//! elliptic functions by name. With half-angles `ŵ = ½h ω`, moments relative to the first,
//! `rᵢ = (Iⱼ − Iₖ)/Iᵢ`, `G² = Σ Iᵢ²ŵᵢ²`, `2T = Σ Iᵢŵᵢ²`, (i, j, k) cyclic:
//! ```text
//!     pᵢ = rⱼ rₖ ŵᵢ²      eᵢ = mean(p) − pᵢ      a = −(e₁e₂ + e₂e₃ + e₃e₁)/5      b = e₁e₂e₃/7
//!     W = (½h)² ℘(½h)     V = −½(½h)³ ℘′(½h)     both series in a and b
//!     Xᵢ = W − eᵢ         Yᵢ = XⱼXₖ              Θᵢ = Y₁ + Y₂ + Y₃ − 2Yᵢ         Δ = Θᵢ² − 4V²pᵢ  (the same for each i)
//!     ω₁ᵢ = ( ωᵢ ΘⱼΘₖ + 2V Θᵢ rᵢ ŵⱼωₖ ) / Δ
//!
//!     dᵢ = (IⱼIₖ/Iᵢ)(rⱼŵₖ² − rₖŵⱼ²)/G² = 1/Iᵢ − 2T/G²          s = G² d₁d₂d₃          D = ⅓G²(d₁d₂ + d₂d₃ + d₃d₁)
//!     φ = 2T/G² + s J     J = ∫₀¹ x² dx / (W(xh) + D(xh))        C = cos Gφ             S = sin(Gφ)/G
//!     q₁ ∝ q₀ ⊗ ( 2 C (W + D) V (X₁ + r₂r₃ ŵ₁ ½hω₁₁),  Θ₁ (C (W + D) dᵢ + V S − C s) Iᵢ ½h(ωᵢ + ω₁ᵢ) )
//! ```
//!
//! The first part is the addition theorem of Weierstrass' ℘ applied to Euler's top (E. T.
//! Whittaker, *Analytical Dynamics*, 4th ed., ch. VI). The second states that the rotation has the
//! axis `(I⁻¹ + κ)(L₀ + L₁)` with an invariant κ, as in discrete Moser–Veselov mechanics (J. Moser,
//! A. P. Veselov, Commun. Math. Phys. 139, 217 (1991)). The series hold for short steps:
//! `a ≤ 1.7e-4` and `(Gφ)² ≤ 0.327`, 1.14 rad about L. For longer steps see `long`. Each number
//! that tends to 1 is computed as its difference from 1, and ω₁ as the gain of ω, so errors stay
//! near 1e-16 per step.

mod long;
mod periods;
mod series;
mod under_noise;

use super::{Number, PrincipalInertia, Quat, State, Vec3};
use long::Long;
pub(crate) use long::each_if_at_most;
use series::{conserving, cos_sinc_in_ratio, integral, series};
pub use under_noise::{free_rotation_under_noise, inverse_sums};

/// A free rotation over some time.
#[derive(Clone, Copy, Debug)]
pub struct FreeRotation<N> {
    /// In the body axes of the start; **not** of unit length.
    pub rotation: Quat<N>,
    /// The change of angular velocity, body frame, rad/s.
    pub gained: Vec3<N>,
    /// 0 for a body at rest, otherwise positive.
    pub motion: N,
}

impl<N: Number> FreeRotation<N> {
    /// From principal axes to body axes.
    #[inline(always)]
    fn in_body_axes(self, inertia: &PrincipalInertia<N>) -> Self {
        let [cosine, ..] = self.rotation.0;
        let vector = inertia.from_principal(self.rotation.vector());
        FreeRotation {
            rotation: Quat::from_parts(cosine, vector),
            gained: inertia.from_principal(self.gained),
            motion: self.motion,
        }
    }
}

/// The moments of inertia, relative to the first one, and the functions of them in the formulas.
#[derive(Clone, Copy, Debug)]
pub struct RotorRatios<N> {
    /// `I₂/I₁` and `I₃/I₁`
    pub(crate) moments: [N; 2],
    /// `rᵢ = (Iⱼ − Iₖ)/Iᵢ`
    pub(crate) r: Vec3<N>,
    /// `rⱼ rₖ`
    pub(crate) rr: Vec3<N>,
    /// `Iⱼ Iₖ/(Iᵢ I₁)`
    pub(crate) inverse: Vec3<N>,
}

impl<N: Number> RotorRatios<N> {
    #[inline(always)]
    pub(in crate::kernel) fn new(moments: Vec3<N>, reciprocals: Vec3<N>, ratios: Vec3<N>) -> Self {
        let [i1, i2, i3] = moments.0;
        let [x1, x2, x3] = reciprocals.0;
        let [r1, r2, r3] = ratios.0;
        // if the first moment is 0: relative to the one that is not 0, or to half of each of the
        // others, which are equal
        let relative = x1.if_at_most(0.0, x2 + x3, x1);
        let j2 = i2 * relative;
        let j3 = i3 * relative;
        RotorRatios {
            moments: [j2, j3],
            r: ratios,
            rr: Vec3([r2 * r3, r3 * r1, r1 * r2]),
            inverse: Vec3([j2 * j3, j3 * (i1 * x2), j2 * (i1 * x3)]),
        }
    }

    /// `I v / I₁`
    #[inline(always)]
    fn momentum(&self, v: Vec3<N>) -> Vec3<N> {
        let [j2, j3] = self.moments;
        let [v1, v2, v3] = v.0;
        Vec3([v1, j2 * v2, j3 * v3])
    }
}

/// The rotation of a body without torque during `duration`, from its angular velocity at the start.
#[inline(always)]
pub fn free_rotation<N: Number>(
    inertia: &PrincipalInertia<N>,
    omega_body: Vec3<N>,
    duration: f64,
) -> FreeRotation<N> {
    let omega = inertia.to_principal(omega_body);
    let half_h = N::splat(0.5 * duration);
    in_principal_axes(&inertia.rotor, omega, half_h).in_body_axes(inertia)
}

/// [`free_rotation`], if the series hold for it in every lane. A thread of a GPU has few registers,
/// and the code of other rotations would occupy them.
#[inline(always)]
pub fn short_free_rotation<N: Number>(
    inertia: &PrincipalInertia<N>,
    omega_body: Vec3<N>,
    duration: f64,
) -> Option<FreeRotation<N>> {
    let omega = inertia.to_principal(omega_body);
    let half_h = N::splat(0.5 * duration);
    let motion = Motion::of(&inertia.rotor, omega, half_h);
    if motion.is_long() {
        return None;
    }
    Some(short(&inertia.rotor, omega, half_h, &motion).in_body_axes(inertia))
}

/// The state of a body without torque after `duration`.
#[inline(always)]
pub(crate) fn drifted<N: Number>(
    inertia: &PrincipalInertia<N>,
    start: &State<N>,
    duration: f64,
) -> State<N> {
    let free = free_rotation(inertia, start.omega_body, duration);
    State {
        q: start.q.turned_freely(free.rotation, free.motion),
        omega_body: start.omega_body + free.gained,
    }
}

/// [`free_rotation`] in principal axes, during twice `half_h`.
#[inline(always)]
pub(super) fn in_principal_axes<N: Number>(
    ratios: &RotorRatios<N>,
    omega: Vec3<N>,
    half_h: N,
) -> FreeRotation<N> {
    let motion = Motion::of(ratios, omega, half_h);
    if motion.is_long() {
        let [q0, q1, q2, q3, w1, w2, w3] = long(ratios, omega, half_h);
        let rotation = Quat([q0, q1, q2, q3]);
        let gained = Vec3([w1, w2, w3]);
        FreeRotation {
            rotation,
            gained,
            motion: motion.twice_energy,
        }
    } else {
        short(ratios, omega, half_h, &motion)
    }
}

/// The greatest `a`, and the greatest square of `2T/G`, for which the series hold. `(Gφ)²` is then
/// at most 0.327.
const MOST_A: f64 = 1.7e-4;
const MOST_ANGLE2: f64 = 0.325;

/// The greatest `(r₁ r₂ r₃)²` of a body that counts as symmetric, and the greatest `a` that needs
/// no correction.
const MOST_ASYMMETRY2: f64 = 1e-3;
const MOST_A_AS_IT_IS: f64 = 1e-9;

/// The constants of the motion, times powers of `½h` that make them dimensionless.
struct Motion<N> {
    /// `ŵ = ½h ω`
    half: Vec3<N>,
    p: Vec3<N>,
    mean_p: N,
    e: Vec3<N>,
    a: N,
    b: N,
    /// `2T`
    twice_energy: N,
    /// `G²`
    momentum2: N,
    /// `2T/G²`
    mean_rate: N,
    /// `1/G²`
    per_momentum2: N,
    /// `G² dᵢ`
    gd: Vec3<N>,
    s: N,
    /// `D`
    big_d: N,
}

/// The least divisor `G²`. Below it the rotation is less than 1e-140 rad.
const LEAST_MOMENTUM2: f64 = 1e-280;

/// Added to a divisor, this changes it only if it is 0. The compiler may divide before it selects,
/// and a program that traps floating-point exceptions would stop.
const NOT_ZERO: f64 = 1e-300;

impl<N: Number> Motion<N> {
    #[inline(always)]
    fn of(ratios: &RotorRatios<N>, omega: Vec3<N>, half_h: N) -> Self {
        let half = omega * half_h;
        let [r1, r2, r3] = ratios.r.0;
        let squares = half.times(half);
        let [w11, w22, w33] = squares.0;
        let energies = ratios.momentum(squares);
        let twice_energy = sum(energies);
        let momentum2 = sum(ratios.momentum(energies));
        // Not as (rⱼ rₖ) ŵᵢ²: the rounding error of rⱼ rₖ, the same in every step, would make the
        // energy drift.
        let [r2w11, r3w11] = [r2 * w11, r3 * w11];
        let [r3w22, r1w22] = [r3 * w22, r1 * w22];
        let [r1w33, r2w33] = [r1 * w33, r2 * w33];
        let p = Vec3([r2w11 * r3, r3w22 * r1, r1w33 * r2]);
        let mean = sum(p) * N::splat(1.0 / 3.0);
        let e = Vec3([mean - p.0[0], mean - p.0[1], mean - p.0[2]]);
        let e12 = e.0[0] * e.0[1];

        let one = N::splat(1.0);
        let per_momentum2 =
            one / (momentum2.if_at_most(LEAST_MOMENTUM2, one, momentum2) + N::splat(NOT_ZERO));
        // by the product, because 1/Iᵢ − 2T/G² cancels
        let gd = Vec3([r2w33 - r3w22, r3w11 - r1w33, r1w22 - r2w11]).times(ratios.inverse);
        let gd12 = gd.0[0] * (gd.0[1] * per_momentum2); // G² d₁d₂
        let d3 = gd.0[2] * per_momentum2;
        Motion {
            half,
            p,
            mean_p: mean,
            e,
            a: (e.0[2] * e.0[2] - e12) * N::splat(0.2),
            b: (e12 * e.0[2]) * N::splat(1.0 / 7.0),
            twice_energy,
            momentum2,
            per_momentum2,
            mean_rate: twice_energy * per_momentum2,
            gd,
            s: gd12 * d3,
            big_d: (gd12 + d3 * (gd.0[0] + gd.0[1])) * N::splat(1.0 / 3.0),
        }
    }

    /// Whether the series do not hold in every lane.
    #[inline(always)]
    fn is_long(&self) -> bool {
        self.a.any_above(MOST_A) || self.mean_angle2().any_above(MOST_ANGLE2)
    }

    /// `(2T/G)²`: at short steps `(Gφ)²` to 4 %, at [`MOST_ANGLE2`] to 0.6 %.
    #[inline(always)]
    fn mean_angle2(&self) -> N {
        self.twice_energy * self.mean_rate
    }
}

#[inline(always)]
fn sum<N: Number>(v: Vec3<N>) -> N {
    let [v1, v2, v3] = v.0;
    v1 + (v2 + v3)
}

/// The functions of a rotation. W and V are constants of the motion, so the numbers that are
/// rounded must also depend on the phase. Otherwise the rounding error would be the same in every
/// step, and the energy would drift.
struct Functions<N> {
    /// `Xᵢ − 1`
    x_less_1: Vec3<N>,
    /// `V − 1`
    v_less_1: N,
    /// `W + D`
    w_and_d: N,
    /// `C` and `S`, times a common factor
    cos: N,
    sin: N,
}

/// The functions of a step for which the series hold.
#[inline(always)]
fn by_series<N: Number>(motion: &Motion<N>) -> Functions<N> {
    let Motion {
        p,
        mean_p,
        a,
        b,
        big_d,
        ..
    } = *motion;
    let one = N::splat(1.0);
    let (w_less_1, v_less_1) = series(a, b);
    let w_less_mean = w_less_1 - mean_p;
    let phase = motion.mean_rate + motion.s * integral(big_d, a, b);
    let (cos, sinc) = cos_sinc_in_ratio(motion.momentum2 * (phase * phase));
    Functions {
        x_less_1: Vec3([
            w_less_mean + p.0[0],
            w_less_mean + p.0[1],
            w_less_mean + p.0[2],
        ]),
        v_less_1,
        w_and_d: (one + w_less_1) + big_d,
        cos,
        sin: phase * sinc,
    }
}

/// `Yᵢ − 1` and `Θᵢ − 1` from `Xᵢ − 1`.
#[inline(always)]
fn less_1<N: Number>(x: Vec3<N>) -> (Vec3<N>, Vec3<N>) {
    let xx = Vec3([x.0[1] * x.0[2], x.0[2] * x.0[0], x.0[0] * x.0[1]]);
    let y = Vec3([
        (x.0[1] + x.0[2]) + xx.0[0],
        (x.0[2] + x.0[0]) + xx.0[1],
        (x.0[0] + x.0[1]) + xx.0[2],
    ]);
    (
        y,
        Vec3([
            (y.0[1] + y.0[2]) - y.0[0],
            (y.0[2] + y.0[0]) - y.0[1],
            (y.0[0] + y.0[1]) - y.0[2],
        ]),
    )
}

/// A step for which the series hold.
#[inline(always)]
fn short<N: Number>(
    ratios: &RotorRatios<N>,
    omega: Vec3<N>,
    half_h: N,
    motion: &Motion<N>,
) -> FreeRotation<N> {
    let mut free = rotation_by::<N, First>(&by_series(motion), ratios, omega, half_h, motion);
    let asymmetry = ratios.r.0[0] * ratios.rr.0[0]; // r₁ r₂ r₃, 0 for a symmetric body
    let asymmetry2 = asymmetry * asymmetry;
    if (-asymmetry2).any_above(-2.0 * MOST_ASYMMETRY2) && motion.a.any_above(MOST_A_AS_IT_IS) {
        // The constants of a symmetric body's motion have the same bits in each step: most of their
        // rounding errors would add up.
        let gained = conserving(ratios, omega, free.gained, half_h);
        let asymmetry2 = motion
            .a
            .if_at_most(MOST_A_AS_IT_IS, N::splat(1.0), asymmetry2);
        free.gained.0 = each_if_at_most(asymmetry2, MOST_ASYMMETRY2, gained.0, free.gained.0);
    }
    free
}

/// The index i of the formulas that have the same result for each index.
trait Index {
    /// The component of `v` at this index. `by` tells which index serves where it is chosen.
    fn of<N: Number>(by: Vec3<N>, v: Vec3<N>) -> N;
}

/// Index 1: for short steps.
struct First;

/// The index of the greatest component of `by`, in each lane: for long steps.
struct Greatest;

impl Index for First {
    #[inline(always)]
    fn of<N: Number>(_: Vec3<N>, v: Vec3<N>) -> N {
        v.0[0]
    }
}

impl Index for Greatest {
    #[inline(always)]
    fn of<N: Number>(by: Vec3<N>, v: Vec3<N>) -> N {
        let [p1, p2, p3] = by.0;
        let [v1, v2, v3] = v.0;
        let greater = (p2 - p1).if_at_most(0.0, p1, p2);
        let of_greater = (p2 - p1).if_at_most(0.0, v1, v2);
        (p3 - greater).if_at_most(0.0, of_greater, v3)
    }
}

/// The rotation from its functions. Δ is the same for each index i. The factors of the rotation
/// with index i, `(Xᵢ + rⱼrₖ ŵᵢ ½hω₁ᵢ, Θᵢ)`, are in the same ratio for each i. Short steps take i =
/// 1; long ones take for each lane the index that does not cancel.
///
/// One function, because it reads like the formulas, and in three parts it takes 3 % longer.
#[inline(always)]
fn rotation_by<N: Number, I: Index>(
    functions: &Functions<N>,
    ratios: &RotorRatios<N>,
    omega: Vec3<N>,
    half_h: N,
    motion: &Motion<N>,
) -> FreeRotation<N> {
    let Functions {
        x_less_1: x,
        v_less_1,
        w_and_d,
        cos,
        sin,
    } = *functions;
    let Motion { half, p, gd, s, .. } = *motion;
    let one = N::splat(1.0);
    let v = one + v_less_1;
    let v2 = v + v;

    // Y, Θ and Δ, each less 1
    let (y, theta) = less_1(x);
    let px = I::of(-p, p) * (one + I::of(-p, x));
    let v2p = px + px * I::of(-p, y); // V² = Xᵢ Yᵢ
    let theta_i = I::of(-p, theta);
    let delta = theta_i * (N::splat(2.0) + theta_i) - v2p * N::splat(4.0);
    let reciprocal = one / (one + delta);

    // ω₁ − ω: ωᵢ (ΘⱼΘₖ − Δ) + 2V Θᵢ rᵢ ŵⱼωₖ
    let mut gained = Vec3::splat(0.0);
    for i in 0..3 {
        let j = (i + 1) % 3;
        let k = (i + 2) % 3;
        let product_less_delta = (theta.0[j] + theta.0[k]) + (theta.0[j] * theta.0[k] - delta);
        let twice_turned = (ratios.r.0[i] + ratios.r.0[i]) * (half.0[j] * omega.0[k]);
        let v_theta_less_1 = v_less_1 + v * theta.0[i];
        gained.0[i] = (twice_turned
            + (omega.0[i] * product_less_delta + twice_turned * v_theta_less_1))
            * reciprocal;
    }
    let omega_end = omega + gained;

    let cos_w = cos * w_and_d;
    let rest = v * sin - cos * s;
    let x_i = I::of(p, x);
    let theta_i = I::of(p, theta);
    let rr = I::of(p, ratios.rr);
    let start = I::of(p, half);
    let end = I::of(p, omega_end);
    let scale = (one + theta_i) * half_h;
    let per_gd = scale * (cos_w * motion.per_momentum2);
    let constant = scale * rest;
    let scalar = (cos_w * v2) * ((one + x_i) + rr * (start * (end * half_h)));
    let momenta = ratios.momentum(omega + omega_end);
    let mut vector = Vec3::splat(0.0);
    for i in 0..3 {
        vector.0[i] = (per_gd * gd.0[i] + constant) * momenta.0[i];
    }
    FreeRotation {
        rotation: Quat::from_parts(scalar, vector),
        gained,
        motion: motion.twice_energy,
    }
}

/// The rotation, and the gain of ω, in a step for which the series do not hold in every lane.
#[cold]
// the lanes pass through memory here, so that they stay in registers on the common path
#[inline(always)]
fn long<N: Number>(ratios: &RotorRatios<N>, omega: Vec3<N>, half_h: N) -> [N; 7] {
    let [w1, w2, w3] = omega.0;
    let [j2, j3] = ratios.moments;
    let [r1, r2, r3] = ratios.r.0;
    let [x1, x2, x3] = ratios.inverse.0;
    N::rarely::<N, Long>(&[half_h, w1, w2, w3, j2, j3, r1, r2, r3, x1, x2, x3])
}
