//! The exponential of a rotation vector, `exp(v) = (cos |v|/2, sin(|v|/2)/|v| · v)`.
//!
//! Both `cos x` and `sin x / x` are even, so polynomials in `y = x²` do: no square root, no division, nothing special at
//! rest. The coefficients are minimax on `0 ≤ y ≤ ½` with the first two held at their exact (correctly rounded) values, by
//! Remez' exchange in 50 digits, then rounded. Against the true functions, coefficients as rounded: cos 1.8e-17 absolute,
//! sinc 3.0e-18; evaluated in double precision both are within 1 ulp (`tests/exponential.rs` measures it).

use super::{MOST_LANES, Number, Quat, Vec3};

/// The polynomials hold for `x² ≤ FAST_RANGE`: half-angles up to 0.707, a rotation of 1.41 rad in a step. Greater angles
/// stay as accurate, but are computed lane by lane.
pub const FAST_RANGE: f64 = 0.5;

const COS: [f64; 7] = [
    1.0,
    -0.5,
    0.04166666666664409,
    -0.001388888888429939,
    2.4801583925428913e-05,
    -2.755616652528797e-07,
    2.0690936628966543e-09,
];

const SINC: [f64; 7] = [
    1.0,
    -0.16666666666666666,
    0.00833333333333239,
    -0.0001984126983921227,
    2.7557317513988647e-06,
    -2.5051457403545025e-08,
    1.5944120511722895e-10,
];

/// `exp(t ω)`: the unit quaternion that turns with the angular velocity `spin` (rad/s) for `time`. `same_length` is a vector as
/// long as `spin`, and may be `spin`: where that comes out of a rotation, the angle need not wait for it.
#[inline(always)]
pub fn exp_of_turn<N: Number>(spin: Vec3<N>, time: f64, same_length: Vec3<N>) -> Quat<N> {
    let half = N::splat(0.5 * time);
    let (cos, sinc) = cos_sinc(half_angle_squared(same_length, time));
    let [x, y, z] = (spin * (sinc * half)).0;
    Quat([cos, x, y, z])
}

/// `x²`, where `x` is half the angle turned with the angular velocity `spin` in `time`. No square is taken before the two are
/// multiplied: only the angle must be in range.
#[inline(always)]
pub fn half_angle_squared<N: Number>(spin: Vec3<N>, time: f64) -> N {
    let half_turn = spin * N::splat(0.5 * time);
    half_turn.dot(half_turn)
}

/// `exp(v)` of a rotation vector, rad.
#[inline(always)]
pub fn exp<N: Number>(v: Vec3<N>) -> Quat<N> {
    exp_of_turn(v, 1.0, v)
}

/// `(cos x, sin x / x)` of `y = x²`, for any finite `y ≥ 0`; NaN for an infinite one.
#[inline(always)]
pub fn cos_sinc<N: Number>(y: N) -> (N, N) {
    let (cos, sinc) = (polynomial(&COS, y), polynomial(&SINC, y));
    if y.any_above(FAST_RANGE) { lane_by_lane(y, cos, sinc) } else { (cos, sinc) }
}

/// Seldom: through memory, where each lane beyond the range is done by itself and the others keep their bits.
#[cold]
#[inline(never)]
fn lane_by_lane<N: Number>(y: N, cos: N, sinc: N) -> (N, N) {
    let mut lanes = [[0.0; MOST_LANES]; 3];
    y.store(&mut lanes[0]);
    cos.store(&mut lanes[1]);
    sinc.store(&mut lanes[2]);
    for i in 0..N::LANES {
        if lanes[0][i] > FAST_RANGE {
            (lanes[1][i], lanes[2][i]) = beyond_the_polynomials(lanes[0][i]);
        }
    }
    (N::load(&lanes[1]), N::load(&lanes[2]))
}

/// Estrin's scheme: half as many operations one after the other as Horner's, for two more. The 1 is added last, to what is
/// small beside it.
#[inline(always)]
fn polynomial<N: Number>(coefficients: &[f64; 7], y: N) -> N {
    let [c0, c1, c2, c3, c4, c5, c6] = *coefficients;
    let y2 = y * y;
    let y4 = y2 * y2;
    let low = N::splat(c1) * y + (N::splat(c2) + N::splat(c3) * y) * y2;
    let high = (N::splat(c4) + N::splat(c5) * y) + N::splat(c6) * y2;
    N::splat(c0) + (low + high * y4)
}

/// Halves `x` until the polynomials hold, then doubles back. With `c = cos x`, `s = sin x / x`:
///
/// ```text
///     cos 2x = c² − x² s²        sin 2x / 2x = s c        c² + x² s² = 1
/// ```
///
/// Each doubling doubles what is off in the angle (unavoidable: `y` itself is only known to rounding) and in the norm
/// (avoidable: a Newton step towards the third identity). The angle comes out within a few ulp of `x`.
fn beyond_the_polynomials(y: f64) -> (f64, f64) {
    if y.is_infinite() {
        return (f64::NAN, f64::NAN); // |ω h|² overflowed: there is no angle to speak of
    }
    let (mut y, mut halvings) = (y, 0);
    while y > FAST_RANGE {
        y *= 0.25;
        halvings += 1;
    }
    let (mut c, mut s) = (polynomial(&COS, y), polynomial(&SINC, y));
    for _ in 0..halvings {
        (c, s) = (c * c - y * (s * s), s * c);
        y *= 4.0;
        let towards_one = 0.5 * (3.0 - (c * c + y * (s * s)));
        (c, s) = (c * towards_one, s * towards_one);
    }
    (c, s)
}
