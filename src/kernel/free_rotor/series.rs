//! The series of a short rotation in `a`, `b` and D, the functions of its angle, and a correction
//! with which rounding errors do not add up from step to step.

use super::{NOT_ZERO, RotorRatios};
use crate::kernel::{Number, Vec3};

/// `W − 1` and `V − 1`. Corrections of the coefficients, fitted for `a` up to `MOST_A`, stand for
/// the terms of order a⁴ and above; the error is below 3e-18.
#[inline(always)]
pub(super) fn series<N: Number>(a: N, b: N) -> (N, N) {
    let a2 = a * a;
    let w_of_a2 = N::splat(1.0 / 3.0 - 2.306e-10)
        + (a * N::splat(2.0 / 39.0 + 2.7183e-6) + b * N::splat(2.0 / 33.0 + 3.6961e-6));
    let w_of_b = a * N::splat(3.0 / 11.0 - 2.756e-10) + b * N::splat(1.0 / 13.0 + 3.7729e-6);
    let v_of_a2 = N::splat(1.614e-9 - 1.0)
        - (a * N::splat(10.0 / 39.0 + 1.90284e-5) + b * N::splat(4.0 / 11.0 + 2.95692e-5));
    let v_of_b = a * N::splat(12.0 / 11.0 - 2.205e-9) + b * N::splat(5.0 / 13.0 + 2.64107e-5);
    (
        (a + b) + (a2 * w_of_a2 + b * w_of_b),
        (a2 * v_of_a2 - b * v_of_b) - (a + (b + b)),
    )
}

/// `J = ∫₀¹ x² dx / (1 + D x² + a x⁴ + b x⁶ + …)`, with `d` for `D`: the power series to order 12
/// in the step, without a³ and b². Corrections of the coefficients, fitted for `a` up to `MOST_A`,
/// stand for the terms that are left out: the angle `Gφ` is right to 3e-16.
#[inline(always)]
pub(super) fn integral<N: Number>(d: N, a: N, b: N) -> N {
    let d2 = d * d;
    let f0 = (N::splat(1.0 / 3.0) - d * N::splat(1.0 / 5.0))
        + d2 * ((N::splat(1.0 / 7.0) - d * N::splat(1.0 / 9.0 + 1.1495e-7))
            + d2 * ((N::splat(1.0 / 11.0 - 1.55786e-5) - d * N::splat(1.0 / 13.0 + 2.55922e-4))
                + d2 * N::splat(1.0 / 15.0 - 1.75729e-3)));
    let f1 = (d * N::splat(2.0 / 9.0 + 6.9945e-7) - N::splat(1.0 / 7.0))
        + d2 * ((d * N::splat(4.0 / 13.0 + 1.44861e-4) - N::splat(3.0 / 11.0 - 4.37292e-5))
            - d2 * N::splat(1.0 / 3.0 - 4.614213e-2));
    let f2 = (d * N::splat(2.0 / 11.0 - 2.29351e-5) - N::splat(1.0 / 9.0 + 1.7086e-7))
        - d2 * (N::splat(3.0 / 13.0 - 1.822938e-3) - d * N::splat(4.0 / 15.0 + 3.393473e-2));
    let f3 = N::splat(2.0 / 33.0 - 1.38662e-5) - d * N::splat(7.0 / 39.0 + 5.818869e-3);
    let f4 = N::splat(19.0 / 143.0 + 3.00294e-3);
    f0 + (a * (f1 + (a * f3 + b * f4)) + b * f2)
}

/// `cos x` and `sin x / x` times a common factor, for `y = x²` up to 0.327: the rational minimax
/// tangent, right to 1.8e-16 rad.
#[inline(always)]
pub(super) fn cos_sinc_in_ratio<N: Number>(y: N) -> (N, N) {
    let one = N::splat(1.0);
    let y2 = y * y;
    let cos = (one - y * N::splat(0.454_617_059_810_967_84))
        + y2 * (N::splat(0.020_232_720_523_014_93) - y * N::splat(9.688_621_599_895_706e-5));
    let sinc =
        (one - y * N::splat(0.121_283_726_477_521_08)) + y2 * N::splat(2.027_033_915_370_935_4e-3);
    (cos, sinc)
}

/// The gain of ω, less the smallest change of ω that would explain the rounding errors of `G²` and
/// `2T − λG²`. `λ` makes their gradients `I²ω` and `Iω − λI²ω` orthogonal, so few digits are lost
/// where `Iω` and `I²ω` are almost parallel. Where they are parallel, `G²` alone is restored.
#[inline(always)]
pub(super) fn conserving<N: Number>(
    ratios: &RotorRatios<N>,
    start: Vec3<N>,
    gained: Vec3<N>,
    half_h: N,
) -> Vec3<N> {
    const LEAST_SINE2: f64 = 1e-26;
    const MOST_CORRECTION2: f64 = 1e-27;
    let half = N::splat(0.5);
    let not_zero = N::splat(NOT_ZERO);
    let end = start + gained;
    // as angles, because the fourth powers of angular velocities underflow in some units of time
    let angles = end * half_h;
    let squares_gained = (gained * half_h).times(((start + start) + gained) * half_h);
    let moments = ratios.momentum(Vec3([N::splat(1.0); 3]));
    let squares = ratios.momentum(moments); // the weights of G²
    let u = moments.times(angles);
    let v = squares.times(angles);
    let uv = u.dot(v);
    let v2 = v.dot(v);
    let weights = moments * v2 - squares * uv; // of (2T − λG²) v²
    let w = weights.times(angles);
    let w2 = w.dot(w); // u² v² v² times the squared sine between u and v
    let is_parallel = w2 - (uv * uv) * (v2 * N::splat(LEAST_SINE2)); // if at most 0
    let along_w = sum_of_cancelling(weights.times(squares_gained));
    let along_w = half * is_parallel.if_at_most(0.0, N::splat(0.0), along_w) / (w2 + not_zero);
    // A correction changes the momentum by no more than some of its last digits: where the gradient
    // almost vanishes, as for a nearly symmetric rod that turns across its length, it would leave
    // the orbit.
    let momentum = moments.times(w);
    let size2 = (along_w * along_w) * momentum.dot(momentum);
    let most2 = u.dot(u) * N::splat(MOST_CORRECTION2);
    let shortened = along_w * (most2 / (size2 + not_zero)).sqrt();
    let along_w = (size2 - most2).if_at_most(0.0, along_w, shortened);
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

/// Numbers up to half a unit in the last place of the gain of ω, or of ω at the end if that is
/// somewhat greater. In a long step rounding would undo each smaller correction, also one with the
/// same sign in every step. With these numbers corrections are right on average.
#[inline(always)]
fn dither<N: Number>(gained: Vec3<N>, end: Vec3<N>, half_h: N) -> Vec3<N> {
    const TO_WHOLE_NUMBERS: f64 = 1.5 / f64::EPSILON; // added and subtracted
    let mut dither = gained;
    for i in 0..3 {
        let gained = gained.0[i];
        let end = end.0[i];
        let angle_gained = gained * half_h;
        let angle = end * half_h;
        let square_gained = angle_gained * angle_gained;
        let square = angle * angle;
        let greater = (square_gained - square).if_at_most(0.0, end, gained);
        let greater = (square_gained * N::splat(64.0) - square).if_at_most(0.0, gained, greater);
        let ulp = (greater + greater * N::splat(0.500_000_01 * f64::EPSILON)) - greater;
        // the digits after the point are as good as random
        let digits = angle_gained * N::splat(f64::from(1 << 30));
        let whole = (digits + N::splat(TO_WHOLE_NUMBERS)) - N::splat(TO_WHOLE_NUMBERS);
        dither.0[i] = ulp * (digits - whole);
    }
    dither
}
