//! Rounding errors of free rotations that do not add up from step to step.

use super::{NOT_ZERO, RotorRatios};
use crate::kernel::{Number, Vec3};

/// What ω gains, without the least change that would give `G²` and `2T − λG²` what rounding has added to them. `λ` makes their gradients
/// `I²ω` and `Iω − λI²ω` orthogonal: few digits are lost where `Iω` and `I²ω` are almost parallel. Where they are, `G²` is enough.
#[inline(always)]
pub(super) fn conserving<N: Number>(ratios: &RotorRatios<N>, start: Vec3<N>, gained: Vec3<N>, half_h: N) -> Vec3<N> {
    const LEAST_SINE2: f64 = 1e-26;
    let (half, not_zero, end) = (N::splat(0.5), N::splat(NOT_ZERO), start + gained);
    // angles: the fourth powers of angular velocities underflow in some unit of time
    let angles = end * half_h;
    let squares_gained = (gained * half_h).times(((start + start) + gained) * half_h);
    let moments = ratios.momentum(Vec3([N::splat(1.0); 3]));
    let squares = ratios.momentum(moments); // the weights of G²
    let (u, v) = (moments.times(angles), squares.times(angles));
    let (uv, v2) = (u.dot(v), v.dot(v));
    let weights = moments * v2 - squares * uv; // of (2T − λG²) v²
    let w = weights.times(angles);
    let w2 = w.dot(w); // u² v² v² times the squared sine between u and v
    let is_parallel = w2 - (uv * uv) * (v2 * N::splat(LEAST_SINE2)); // if at most 0
    let along_w = sum_of_cancelling(weights.times(squares_gained));
    let along_w = half * is_parallel.if_at_most(0.0, N::splat(0.0), along_w) / (w2 + not_zero);
    let along_v = half * sum_of_cancelling(squares.times(squares_gained)) / (v2 + not_zero);
    gained - ((squares * along_v + weights * along_w).times(end) + dither(gained, end, half_h))
}

/// The sum of three numbers, with the rounding error of the first addition (D. E. Knuth's TwoSum).
#[inline(always)]
fn sum_of_cancelling<N: Number>(v: Vec3<N>) -> N {
    let [v1, v2, v3] = v.0;
    let sum = v1 + v2;
    let of_v2 = sum - v1;
    let lost = (v1 - (sum - of_v2)) + (v2 - of_v2);
    (sum + v3) + lost
}

/// Numbers up to half a unit in the last place of what ω gains, or of ω at the end if that is somewhat greater: in a long step rounding
/// would undo each correction of less, also one with the same sign in every step. With them corrections are right on average.
#[inline(always)]
fn dither<N: Number>(gained: Vec3<N>, end: Vec3<N>, half_h: N) -> Vec3<N> {
    const TO_WHOLE_NUMBERS: f64 = 1.5 / f64::EPSILON; // added and subtracted
    let mut dither = gained;
    for i in 0..3 {
        let (gained, end) = (gained.0[i], end.0[i]);
        let (angle_gained, angle) = (gained * half_h, end * half_h);
        let (square_gained, square) = (angle_gained * angle_gained, angle * angle);
        let greater = (square_gained - square).if_at_most(0.0, end, gained);
        let greater = (square_gained * N::splat(64.0) - square).if_at_most(0.0, gained, greater);
        let ulp = (greater + greater * N::splat(0.500_000_01 * f64::EPSILON)) - greater;
        let digits = angle_gained * N::splat(f64::from(1 << 30)); // those after the point are as good as random
        let whole = (digits + N::splat(TO_WHOLE_NUMBERS)) - N::splat(TO_WHOLE_NUMBERS);
        dither.0[i] = ulp * (digits - whole);
    }
    dither
}
