//! Free rotations beyond the range of the series: in equal parts, all lanes at once, or each lane by itself.

use super::far::doubled;
use super::{MOST_A, MOST_Y, Motion, NOT_ZERO, RotorRatios, near};
use crate::kernel::{Column, MOST_LANES, Number, Quat, RareWork, Vec3};

/// The most parts that all lanes take together.
const MOST_TOGETHER: f64 = 16.0;

/// The most parts of a lane by itself. A longer step is doubled up from a small part, which near a separatrix loses digits.
const MOST_PARTS: f64 = 256.0;

/// The greatest `(Gφ)²` of a part as estimated from that of the whole step.
const MOST_Y_OF_PART: f64 = 0.95 * MOST_Y;

/// The lanes of a vector that has lanes beyond the range of the series.
///
/// Aligned, so that the stack of the loops is: otherwise the registers that they save there lie across cache lines.
#[repr(C, align(64))]
pub(super) struct Far {
    /// The rotation (4), what ω gains (3), ω in principal axes (3), the moments (3), `a` and `(Gφ)²`.
    pub(super) columns: [Column; 15],
    duration: f64,
}

impl Far {
    pub(super) fn new(duration: f64) -> Self {
        Far { columns: [[0.0; MOST_LANES]; 15], duration }
    }
}

impl RareWork for Far {
    #[inline(always)]
    fn on_lanes<N: Number>(&mut self, first: usize) {
        let mut given = [N::splat(0.0); 15];
        for k in 0..15 {
            given[k] = N::load(&self.columns[k][first..]);
        }
        let [.., w1, w2, w3, i1, i2, i3, a, y] = given;
        let (omega, ratios) = (Vec3([w1, w2, w3]), &ratios(Vec3([i1, i2, i3])));
        let (one, zero) = (N::splat(1.0), N::splat(0.0));

        // 1: the series hold, nothing to do. 2, 4, ...: the parts of a lane. 0: more than MOST_TOGETHER.
        let (mut parts, mut n) = (zero, MOST_TOGETHER);
        while n > 1.0 {
            let few = y.if_at_most(MOST_Y_OF_PART * (n * n), N::splat(n), parts);
            parts = a.if_at_most(MOST_A * (n * n) * (n * n), few, parts); // a is of order 4 in the duration
            n *= 0.5;
        }
        parts = y.if_at_most(MOST_Y, a.if_at_most(MOST_A, one, parts), parts);

        // the last term changes nothing: see NOT_ZERO
        let half_h = N::splat(0.5 * self.duration) / (parts.if_at_most(0.0, one, parts) + N::splat(1e-17));
        let (mut now, mut greatest_y) = ((Quat::identity(), omega), zero);
        let mut taken = 0.0;
        while parts.any_above(taken) {
            let (next, y) = part(ratios, omega, now, half_h);
            let ended = N::splat(taken) - parts; // below 0 where this part is needed
            for k in 0..4 {
                now.0.0[k] = ended.if_at_most(-0.5, next.0.0[k], now.0.0[k]);
            }
            for k in 0..3 {
                now.1.0[k] = ended.if_at_most(-0.5, next.1.0[k], now.1.0[k]);
            }
            let excess = ended.if_at_most(-0.5, y - greatest_y, zero);
            greatest_y = excess.if_at_most(0.0, greatest_y, y);
            taken += 1.0;
        }

        now.0 = holding_momentum(ratios, omega, now, half_h);

        // 0 where the whole step, 1 where the parts, 2 where neither is right: a lane by itself
        let together = greatest_y.if_at_most(MOST_Y, one, one + one);
        let way = (parts - one).if_at_most(-0.5, one + one, (parts - one).if_at_most(0.0, zero, together));
        let gained = now.1 - omega;
        let result = [now.0.0[0], now.0.0[1], now.0.0[2], now.0.0[3], gained.0[0], gained.0[1], gained.0[2]];
        for k in 0..7 {
            way.if_at_most(0.0, given[k], result[k]).store(&mut self.columns[k][first..]);
        }
        if way.any_above(1.0) {
            way.store(&mut self.columns[13][first..]);
            self.alone(first, N::LANES);
        }
    }
}

impl Far {
    /// The lanes that need more parts. Column 13 tells which: 2.
    #[cold]
    #[inline(never)]
    fn alone(&mut self, first: usize, count: usize) {
        for i in first..first + count {
            let get = |k: usize| self.columns[k][i];
            let three = |k: usize| Vec3([get(k), get(k + 1), get(k + 2)]);
            if get(13) > 1.0 {
                let (rotation, gained) = many_parts(&ratios(three(10)), three(7), 0.5 * self.duration);
                (0..4).for_each(|k| self.columns[k][i] = rotation.0[k]);
                (0..3).for_each(|k| self.columns[4 + k][i] = gained.0[k]);
            }
        }
    }
}

/// As in a `PrincipalInertia`, with the same bits.
#[inline(always)]
fn ratios<N: Number>(moments: Vec3<N>) -> RotorRatios<N> {
    let ([i1, i2, i3], one) = (moments.0, N::splat(1.0));
    let reciprocals = Vec3([one / i1, one / i2, one / i3]);
    let ratios = Vec3([i2 - i3, i3 - i1, i1 - i2]).times(reciprocals);
    RotorRatios::new(moments, reciprocals, ratios)
}

/// The rotation from the start, and ω in principal axes.
type Turned<N> = (Quat<N>, Vec3<N>);

/// The next part of a rotation that started with `omega`. Also returns `(Gφ)²` of the part.
#[inline(always)]
fn part<N: Number>(ratios: &RotorRatios<N>, omega: Vec3<N>, now: Turned<N>, half_h: N) -> (Turned<N>, N) {
    let (free, y) = near(ratios, now.1, half_h, &Motion::of(ratios, now.1, half_h));
    (joined(ratios, omega, now.0, free.rotation, now.1 + free.gained, half_h), y)
}

/// A rotation and one after it, which leads to `end`.
#[inline(always)]
fn joined<N: Number>(
    ratios: &RotorRatios<N>,
    omega: Vec3<N>,
    before: Quat<N>,
    turn: Quat<N>,
    end: Vec3<N>,
    half_h: N,
) -> Turned<N> {
    let rotation = before * turn;
    let rotation = rotation.scaled(N::splat(1.0) / rotation.norm_squared().sqrt());
    (rotation, omega + conserving(ratios, omega, end - omega, half_h))
}

/// The rotation, of unit length, and what ω gains.
fn many_parts(ratios: &RotorRatios<f64>, omega: Vec3<f64>, half_h: f64) -> Turned<f64> {
    let least = (Motion::of(ratios, omega, half_h).a / MOST_A).sqrt().sqrt(); // a is of order 4 in the duration
    if least <= 1.0 || least.is_nan() || least > MOST_PARTS {
        let (rotation, end) = doubled(ratios, omega, half_h);
        let gained = conserving(ratios, omega, end - omega, half_h);
        return (holding_momentum(ratios, omega, (rotation, omega + gained), half_h), gained);
    }
    let mut parts: u32 = 2;
    while f64::from(parts) < least {
        parts *= 2;
    }
    let half_h = half_h / f64::from(parts);
    let mut now = (Quat::identity(), omega);
    for _ in 0..parts {
        let (next, y) = part(ratios, omega, now, half_h);
        now = if y > MOST_Y {
            let (turn, end) = doubled(ratios, now.1, half_h);
            joined(ratios, omega, now.0, turn, end, half_h)
        } else {
            next
        };
    }
    (holding_momentum(ratios, omega, now, half_h), now.1 - omega)
}

/// The rotation with the least further turn that leaves the angular momentum where it was in space: what rounding has turned in many
/// parts, or near a separatrix, does not show in it.
#[inline(always)]
fn holding_momentum<N: Number>(
    ratios: &RotorRatios<N>,
    start: Vec3<N>,
    (rotation, end): Turned<N>,
    half_h: N,
) -> Quat<N> {
    let before = ratios.momentum(start * half_h); // of a size that does not depend on the unit of time
    let after = rotation.to_world(ratios.momentum(end * half_h));
    let turn = Quat::from_parts(before.dot(before) + before.dot(after) + N::splat(NOT_ZERO), after.cross(before));
    let rotation = turn * rotation;
    rotation.scaled(N::splat(1.0) / rotation.norm_squared().sqrt())
}

/// What ω gains, with the least change that restores `2T` and `G²`: rounding errors then do not add up from part to part. If the
/// gradients `I ω` and `I² ω` are almost parallel (sphere, principal axis), one condition nearly implies the other: `G²` alone is restored.
#[inline(always)]
fn conserving<N: Number>(ratios: &RotorRatios<N>, start: Vec3<N>, gained: Vec3<N>, half_h: N) -> Vec3<N> {
    const LEAST_SINE2: f64 = 1e-4;
    let (one, zero, half) = (N::splat(1.0), N::splat(0.0), N::splat(0.5));
    let (gradient, sum) = (ratios.momentum(start + gained), start + (start + gained));
    // of a size that does not depend on the unit of time: fourth powers would underflow
    let squares_gained = ratios.momentum((gained * half_h).times(sum * half_h)); // Iᵢ (ω₁ᵢ² − ωᵢ²)
    let u = gradient * half_h;
    let v = ratios.momentum(u);
    let energy = half * (squares_gained.0[0] + squares_gained.0[1] + squares_gained.0[2]);
    let squares_gained = ratios.momentum(squares_gained);
    let momentum = half * (squares_gained.0[0] + squares_gained.0[1] + squares_gained.0[2]);
    let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
    let determinant = uu * vv - uv * uv;
    let is_parallel = determinant - N::splat(LEAST_SINE2) * (uu * vv); // if at most 0
    let divisor = is_parallel.if_at_most(0.0, vv, determinant);
    let divisor = divisor.if_at_most(0.0, one, divisor) + N::splat(NOT_ZERO);
    let along_u = is_parallel.if_at_most(0.0, zero, energy * vv - momentum * uv) / divisor;
    let along_v = is_parallel.if_at_most(0.0, momentum, momentum * uu - energy * uv) / divisor;
    gained - (gradient * along_u + ratios.momentum(gradient) * along_v)
}
