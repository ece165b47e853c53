//! The exponential of a rotation vector, `exp(v) = (cos |v|/2, sin(|v|/2)/|v| · v)`.
//!
//! Both `cos x` and `sin x / x` are even, so polynomials in `y = x²` do: no square root, no division, nothing special at
//! rest. The coefficients are minimax with the first two held at their exact (correctly rounded) values, by Remez' exchange in
//! 50 digits, then rounded: for `y ≤ ½`, and with one less for `y ≤ ⅛`, which is as far as a turn to the middle of a step gets
//! where that of the whole step gets to `½`. Against the true functions, coefficients as rounded: cos 1.8e-17 and 7e-18 absolute,
//! sinc 3.0e-18 and 5e-19; evaluated in double precision all are within 1 ulp (`tests/exponential.rs` measures it).

use super::{MOST_LANES, Number, Quat, Vec3};

/// The angle that polynomials are to hold for. Greater ones stay as accurate, but are computed lane by lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// `x² ≤ ½`: half-angles up to 0.707, a rotation of 1.41 rad.
    Whole,
    /// `x² ≤ ⅛`: half as much.
    Half,
}

impl Range {
    /// The greatest `x²`.
    #[inline(always)]
    pub const fn end(self) -> f64 {
        match self {
            Range::Whole => 0.5,
            Range::Half => 0.125,
        }
    }
}

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

const COS_HALF: [f64; 6] =
    [1.0, -0.5, 0.041666666666592155, -0.0013888888845840768, 2.480150186046589e-05, -2.748664687130862e-07];

const SINC_HALF: [f64; 6] = [
    1.0,
    -0.16666666666666666,
    0.00833333333332695,
    -0.00019841269806680263,
    2.7557252155849832e-06,
    -2.4997315800136035e-08,
];

/// Half the rotation vector of a turn with the angular velocity `spin` (rad/s) for `time`; its square is the `y` of [`cos_sinc`].
/// No square is taken before the two are multiplied: only the angle must be in range.
#[inline(always)]
pub fn half_turn<N: Number>(spin: Vec3<N>, time: f64) -> Vec3<N> {
    spin * N::splat(0.5 * time)
}

/// `exp(v)` of a rotation vector, rad.
#[inline(always)]
pub fn exp<N: Number>(v: Vec3<N>) -> Quat<N> {
    let half = half_turn(v, 1.0);
    exp_of_half_turn(half, half.dot(half), Range::Whole)
}

/// `exp(2v)`, the turn that `v` is half the rotation vector of, with `y = |v|²`.
#[inline(always)]
pub fn exp_of_half_turn<N: Number>(v: Vec3<N>, y: N, range: Range) -> Quat<N> {
    let (cos, sinc) = cos_sinc(y, range);
    Quat::from_parts(cos, v * sinc)
}

/// `(cos x, sin x / x)` of `y = x²`, for any finite `y ≥ 0`; NaN for an infinite one.
#[inline(always)]
pub fn cos_sinc<N: Number>(y: N, range: Range) -> (N, N) {
    let y2 = y * y;
    let (mut cos, mut sinc) = match range {
        Range::Whole => (polynomial(&COS, y, y2), polynomial(&SINC, y, y2)),
        Range::Half => (shorter(&COS_HALF, y, y2), shorter(&SINC_HALF, y, y2)),
    };
    if y.any_above(range.end()) {
        // seldom; and through memory of its own, or the others would go through memory as well
        let mut lanes = [[0.0; MOST_LANES]; 3];
        y.store(&mut lanes[0]);
        cos.store(&mut lanes[1]);
        sinc.store(&mut lanes[2]);
        lane_by_lane(&mut lanes, N::LANES, range);
        (cos, sinc) = (N::load(&lanes[1]), N::load(&lanes[2]));
    }
    (cos, sinc)
}

/// Does each lane beyond the range by itself; the others keep their bits. The arrays: `y`, and `cos` and `sinc` of it.
#[cold]
#[inline(never)]
fn lane_by_lane(lanes: &mut [[f64; MOST_LANES]; 3], count: usize, range: Range) {
    for i in 0..count {
        if lanes[0][i] > range.end() {
            (lanes[1][i], lanes[2][i]) = beyond_the_polynomials(lanes[0][i]);
        }
    }
}

/// Estrin's scheme: half as many operations one after the other as Horner's, for two more. The 1 is added last, to what is
/// small beside it.
#[inline(always)]
fn polynomial<N: Number>(coefficients: &[f64; 7], y: N, y2: N) -> N {
    let [c0, c1, c2, c3, c4, c5, c6] = *coefficients;
    let y4 = y2 * y2;
    let low = N::splat(c1) * y + (N::splat(c2) + N::splat(c3) * y) * y2;
    let high = (N::splat(c4) + N::splat(c5) * y) + N::splat(c6) * y2;
    N::splat(c0) + (low + high * y4)
}

/// The same with a coefficient less.
#[inline(always)]
fn shorter<N: Number>(coefficients: &[f64; 6], y: N, y2: N) -> N {
    let [c0, c1, c2, c3, c4, c5] = *coefficients;
    let y4 = y2 * y2;
    let low = N::splat(c1) * y + (N::splat(c2) + N::splat(c3) * y) * y2;
    let high = N::splat(c4) + N::splat(c5) * y;
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
    while y > Range::Whole.end() {
        y *= 0.25;
        halvings += 1;
    }
    let (mut c, mut s) = (polynomial(&COS, y, y * y), polynomial(&SINC, y, y * y));
    for _ in 0..halvings {
        (c, s) = (c * c - y * (s * s), s * c);
        y *= 4.0;
        let towards_one = 0.5 * (3.0 - (c * c + y * (s * s)));
        (c, s) = (c * towards_one, s * towards_one);
    }
    (c, s)
}
