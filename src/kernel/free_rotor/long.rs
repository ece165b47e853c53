//! Free rotations beyond the range of the series, all lanes at once. The functions of an eighth, a
//! quarter or half of the step are taken to twice the time again and again. Much longer steps are
//! taken in equal parts.

use super::periods::over_periods;
use super::{
    FreeRotation, Functions, Greatest, MOST_A, MOST_ANGLE2, Motion, NOT_ZERO, RotorRatios,
};
use super::{by_series, conserving, less_1, rotation_by, short, sum};
use crate::kernel::{Column, MOST_LANES, Number, Quat, RareWork, Vec3};

/// The greatest `a` and `(2T/G)²` of a rotation in one part. Its functions are doubled from an
/// eighth of it or more. `V` is well above 0 there.
const MOST_A_IN_ONE: f64 = 0.15;
const MOST_ANGLE2_IN_ONE: f64 = 64.0 * MOST_ANGLE2;

/// The most parts that the lanes take together. Longer steps are left to `periods`.
const MOST_PARTS: f64 = 64.0;

/// A step that is long in some lane. It takes ½h, ω in principal axes (3 numbers) and the ratios
/// (2 + 3 + 3 numbers), and returns the rotation (4) and the gain of ω (3).
pub(super) struct Long;

impl RareWork for Long {
    type Given<'a, N: Number> = &'a [N; 12];
    type Outcome<N: Number> = [N; 7];

    #[inline(always)]
    fn of_lanes<N: Number>(given: &[N; 12]) -> [N; 7] {
        let (half_h, ref omega, ref ratios) = body(given);
        let motion = &Motion::of(ratios, *omega, half_h);
        let a = motion.a;
        let angle2 = motion.mean_angle2();
        let one = N::splat(1.0);
        let zero = N::splat(0.0);
        let is_long = a.if_at_most(MOST_A, angle2.if_at_most(MOST_ANGLE2, zero, one), one);
        let is_in_one = !(a.any_above(MOST_A_IN_ONE) || angle2.any_above(MOST_ANGLE2_IN_ONE));
        if is_in_one && !(-is_long).any_above(-1.0) {
            let whole =
                rotation_by::<N, Greatest>(&by_doubling(motion), ratios, *omega, half_h, motion);
            return numbers(
                whole.rotation,
                conserving(ratios, *omega, whole.gained, half_h),
            );
        }

        let parts = parts_of_lanes(a, angle2);
        // the first part, because the numbers of the whole could overflow; 1e-17 changes nothing:
        // see NOT_ZERO
        let half_part = half_h / (parts.if_at_most(0.0, one, parts) + N::splat(1e-17));
        let half_part = parts.if_at_most(0.0, zero, half_part);
        let motion = &Motion::of(ratios, *omega, half_part);
        let functions = &by_doubling(motion);
        let part = rotation_by::<N, Greatest>(functions, ratios, *omega, half_part, motion);
        let is_any_in_one = (-parts).any_above(-2.0);
        let gained = if is_any_in_one {
            conserving(ratios, *omega, part.gained, half_part)
        } else {
            part.gained
        };
        let mut turned = numbers(part.rotation, gained);
        if (-is_long).any_above(-1.0) {
            let short = short(ratios, *omega, half_part, motion);
            turned = each_if_at_most(is_long, 0.0, numbers(short.rotation, short.gained), turned);
        }
        if parts.any_above(1.0) {
            let in_parts = in_parts(ratios, *omega, half_part, parts, functions, motion, &part);
            turned = each_if_at_most(parts, 1.0, turned, in_parts);
        }
        if (-parts).any_above(-1.0) {
            turned = far_lanes(turned, given, parts);
        }
        turned
    }
}

/// The number of equal parts in which each lane is taken, a power of 2; 0 for more than
/// [`MOST_PARTS`].
#[inline(always)]
fn parts_of_lanes<N: Number>(a: N, angle2: N) -> N {
    let mut parts = N::splat(0.0);
    let mut n = MOST_PARTS;
    while n >= 1.0 {
        let few = angle2.if_at_most(MOST_ANGLE2_IN_ONE * (n * n), N::splat(n), parts);
        // a is of order 4 in the duration
        parts = a.if_at_most(MOST_A_IN_ONE * (n * n) * (n * n), few, parts);
        n *= 0.5;
    }
    parts
}

#[inline(always)]
fn body<N: Number>(given: &[N; 12]) -> (N, Vec3<N>, RotorRatios<N>) {
    let [half_h, w1, w2, w3, j2, j3, r1, r2, r3, x1, x2, x3] = *given;
    let rr = Vec3([r2 * r3, r3 * r1, r1 * r2]);
    let ratios = RotorRatios {
        moments: [j2, j3],
        r: Vec3([r1, r2, r3]),
        rr,
        inverse: Vec3([x1, x2, x3]),
    };
    (half_h, Vec3([w1, w2, w3]), ratios)
}

/// `turned`, with the results of lanes that take more than [`MOST_PARTS`] parts.
#[inline(always)]
fn far_lanes<N: Number>(turned: [N; 7], given: &[N; 12], parts: N) -> [N; 7] {
    let mut turned = turned;
    let mut lanes = [[0.0; MOST_LANES]; 20];
    for (number, lane) in turned.iter().chain(given).chain([&parts]).zip(&mut lanes) {
        number.store(lane);
    }
    far(&mut lanes, N::LANES);
    for (number, lane) in turned.iter_mut().zip(&lanes) {
        *number = N::load(lane);
    }
    turned
}

/// The lanes with more than [`MOST_PARTS`] parts, one by one.
#[cold]
#[inline(never)]
fn far(lanes: &mut [Column; 20], count: usize) {
    let parts = lanes[19];
    for i in 0..count {
        if parts[i] == 0.0 {
            let (half_h, omega, ratios) = body(&std::array::from_fn(|k| lanes[7 + k][i]));
            let turned = over_periods(&ratios, omega, half_h);
            for k in 0..7 {
                lanes[k][i] = turned[k];
            }
        }
    }
}

/// [`Number::if_at_most`] for several numbers.
#[inline(always)]
pub(crate) fn each_if_at_most<N: Number, const K: usize>(
    x: N,
    bound: f64,
    then: [N; K],
    mut other: [N; K],
) -> [N; K] {
    for k in 0..K {
        other[k] = x.if_at_most(bound, then[k], other[k]);
    }
    other
}

/// The rotation and the gain of ω, as numbers.
#[inline(always)]
fn numbers<N: Number>(rotation: Quat<N>, gained: Vec3<N>) -> [N; 7] {
    let [q0, q1, q2, q3] = rotation.0;
    let [w1, w2, w3] = gained.0;
    [q0, q1, q2, q3, w1, w2, w3]
}

/// The functions of a rotation in one part, which are taken from an eighth, a quarter or half of it
/// to the whole.
#[inline(always)]
fn by_doubling<N: Number>(motion: &Motion<N>) -> Functions<N> {
    let part = part_for_series(motion);
    let mut doubling = Doubling::of_part(motion, part);
    let rates = Rates::of(motion);
    while (-doubling.part).any_above(-0.75) {
        doubling = doubling.doubled(&rates);
    }
    doubling.of_whole()
}

/// The part of the step for which the series hold: an eighth, a quarter or half.
#[inline(always)]
fn part_for_series<N: Number>(motion: &Motion<N>) -> N {
    let angle2 = motion.mean_angle2();
    let mut part = N::splat(0.125);
    for k in [2, 1] {
        let of_a = f64::from(1 << (4 * k));
        let of_angle2 = f64::from(1 << (2 * k));
        let greater_part = N::splat(1.0 / f64::from(1 << k));
        let by_angle = angle2.if_at_most(MOST_ANGLE2 * of_angle2, greater_part, part);
        part = motion.a.if_at_most(MOST_A * of_a, by_angle, part);
    }
    part
}

/// The functions of a part of a step. With `σ` the ratio of the part to the step and `z = σ²`, up
/// to a common scale (weights 1, 2, 3 for σ; X and W′; V), where `W′ = W + D` and `s₁ = G² Σ dᵢ`, a
/// doubling is:
/// ```text
///     N = 2 s σ z V,   E = W′³ − s₁ s z² W′ + 2 G² s² z³             phase: 2 × phase + atan(G N / E)
///     σ → 2 σ V        X → Θ²        V → Θ₁Θ₂Θ₃        W′ → mean(X) + D z
/// ```
struct Doubling<N> {
    /// The part of the step: a power of 2.
    part: N,
    /// `σ = part (1 + grown)`
    grown: N,
    z: N,
    /// `X − 1`
    x: Vec3<N>,
    /// `V − 1`
    v: N,
    /// `W′`
    w: N,
    /// The cosine of the phase, and the sine over G, times a common factor.
    cos: N,
    sin: N,
}

/// The constants of the motion in a [`Doubling`].
struct Rates<N> {
    momentum2: N,
    big_d: N,
    /// `2s`
    s_twice: N,
    /// `s s₁`
    s_s1: N,
    /// `2 G² s²`
    s2: N,
}

impl<N: Number> Rates<N> {
    #[inline(always)]
    fn of(motion: &Motion<N>) -> Self {
        let s = motion.s;
        Rates {
            momentum2: motion.momentum2,
            big_d: motion.big_d,
            s_twice: s + s,
            s_s1: s * sum(motion.gd),
            s2: (s * s) * (motion.momentum2 + motion.momentum2),
        }
    }
}

impl<N: Number> Doubling<N> {
    #[inline(always)]
    fn of_part(motion: &Motion<N>, part: N) -> Self {
        let z = part * part;
        let z2 = z * z;
        let of_part = Motion {
            p: motion.p * z,
            mean_p: motion.mean_p * z,
            a: motion.a * z2,
            b: motion.b * (z2 * z),
            momentum2: motion.momentum2 * z,
            s: motion.s * z,
            big_d: motion.big_d * z,
            ..*motion
        };
        let functions = by_series(&of_part);
        Doubling {
            part,
            grown: N::splat(0.0),
            z,
            x: functions.x_less_1,
            v: functions.v_less_1,
            w: functions.w_and_d,
            cos: functions.cos,
            sin: functions.sin * part,
        }
    }

    /// The functions of twice the part. Lanes that are whole stay as they are.
    #[inline(always)]
    fn doubled(&self, rates: &Rates<N>) -> Self {
        let Doubling {
            part,
            grown,
            z,
            x,
            v,
            w,
            cos,
            sin,
        } = *self;
        let one = N::splat(1.0);
        let momentum2 = rates.momentum2;
        let sigma = part + part * grown;
        let n = (rates.s_twice * sigma) * (z + z * v);
        let e = (w * w) * w + (z * z) * (z * rates.s2 - w * rates.s_s1);
        let cos2 = cos * cos - momentum2 * (sin * sin);
        let sin2 = (cos + cos) * sin;
        let cos_next = cos2 * e - momentum2 * (sin2 * n);
        let sin_next = sin2 * e + cos2 * n;

        let (_, theta) = less_1(x);
        let [t1, t2, t3] = theta.0;
        let t12 = t1 * t2;
        let v_next = ((t1 + t2) + t3) + (t12 + t3 * ((t1 + t2) + t12));
        let x_next = theta.times(theta + Vec3::splat(2.0));
        let grown_next = grown + (v + v * grown);
        let doubled = part + part;
        let sigma = doubled + doubled * grown_next;
        let z_next = sigma * sigma;
        let w_next = one + (sum(x_next) * N::splat(1.0 / 3.0) + rates.big_d * z_next);

        let next = [
            z_next, w_next, v_next, cos_next, sin_next, grown_next, doubled,
        ];
        let x = Vec3(each_if_at_most(part, 0.75, x_next.0, x.0));
        let [z, w, v, cos, sin, grown, part] =
            each_if_at_most(part, 0.75, next, [z, w, v, cos, sin, grown, part]);
        Doubling {
            part,
            grown,
            z,
            x,
            v,
            w,
            cos,
            sin,
        }
    }

    /// The functions of the whole step, with σ scaled to 1.
    #[inline(always)]
    fn of_whole(&self) -> Functions<N> {
        let one = N::splat(1.0);
        let grown = self.grown;
        let per_sigma = one / (one + grown);
        let per_z = per_sigma * per_sigma;
        let z_less_1 = grown * (N::splat(2.0) + grown);
        let v_less_1 = (self.v - (grown + z_less_1 * (one + grown))) * (per_z * per_sigma);
        Functions {
            x_less_1: (self.x - Vec3([z_less_1; 3])) * per_z,
            v_less_1,
            w_and_d: self.w * per_z,
            cos: self.cos,
            sin: self.sin,
        }
    }
}

/// The rotation, of unit length, and the gain of ω, in the number of parts of each lane, from the
/// first part. All parts have the same functions.
#[inline(always)]
fn in_parts<N: Number>(
    ratios: &RotorRatios<N>,
    omega: Vec3<N>,
    half_h: N,
    parts: N,
    functions: &Functions<N>,
    motion: &Motion<N>,
    first: &FreeRotation<N>,
) -> [N; 7] {
    let mut rotation = unit(first.rotation);
    let mut end = omega + first.gained;
    // the weights of 2T − λG², which is 0 for λ = 2T/G²
    let weights = ratios.momentum(ratios.momentum(motion.gd));
    let mut taken = 1.0;
    while parts.any_above(taken) {
        // each part restores G², on which the angle depends, and 2T − λG², on whose last digits the
        // period depends near a separatrix
        let angles = end * half_h;
        let gradient = weights.times(end);
        let momenta = ratios.momentum(angles);
        let w = gradient * half_h;
        let along_end =
            N::splat(0.5) * (momenta.dot(momenta) - motion.momentum2) * motion.per_momentum2;
        let along_w = N::splat(0.5) * w.dot(angles) / (w.dot(w) + N::splat(NOT_ZERO));
        let start = end - (end * along_end + gradient * along_w);
        let Motion { half, p, gd, .. } = Motion::of(ratios, start, half_h);
        let motion = &Motion {
            half,
            p,
            gd,
            ..*motion
        };
        let part = rotation_by::<N, Greatest>(functions, ratios, start, half_h, motion);
        let rotation_next = unit(rotation * part.rotation);
        let end_next = start + part.gained;
        let ended = N::splat(taken) - parts; // below 0 where this part is needed
        rotation.0 = each_if_at_most(ended, -0.5, rotation_next.0, rotation.0);
        end.0 = each_if_at_most(ended, -0.5, end_next.0, end.0);
        taken += 1.0;
    }
    held(ratios, omega, (rotation, end - omega), half_h)
}

#[inline(always)]
pub(super) fn unit<N: Number>(q: Quat<N>) -> Quat<N> {
    q.scaled(N::splat(1.0) / q.norm_squared().sqrt())
}

/// A rotation and the gain of ω, with energy and momentum restored, and with the least further turn
/// that leaves the angular momentum where it was in space.
#[inline(always)]
pub(super) fn held<N: Number>(
    ratios: &RotorRatios<N>,
    start: Vec3<N>,
    (turn, gained): (Quat<N>, Vec3<N>),
    half_h: N,
) -> [N; 7] {
    let gained = conserving(ratios, start, gained, half_h);
    // their size does not depend on the unit of time
    let before = ratios.momentum(start * half_h);
    let after = turn.to_world(ratios.momentum((start + gained) * half_h));
    let back = Quat::from_parts(
        before.dot(before) + before.dot(after) + N::splat(1e-140),
        after.cross(before),
    );
    numbers(unit(back * turn), gained)
}
