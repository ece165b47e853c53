//! The exponential of a rotation vector, `exp(v) = (cos |v|/2, sin(|v|/2)/|v| · v)`.
//!
//! `cos x` and `sin x / x` are even, so they are polynomials in `y = x²`: no square root, no
//! division, no special case at rest. The coefficients are minimax (Remez exchange in 50 digits,
//! then rounded), the first two fixed at their exact values, correctly rounded. One set is for
//! `y ≤ ½`; one with a coefficient less for `y ≤ ⅛`, enough for half a step. Errors with rounded
//! coefficients: cos 1.8e-17 and 7e-18 absolute, sinc 3.0e-18 and 5e-19; in double precision 1 ulp
//! (`tests/rust/exponential.rs`).

use super::{MOST_LANES, Number, Quat, Vec3};

/// The range of a polynomial. Beyond it the result is as accurate, but is computed lane by lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// `x² ≤ ½`: half-angles up to 0.707, a rotation of 1.41 rad.
    Whole,
    /// `x² ≤ ⅛`: half-angles up to 0.354.
    Half,
}

impl Range {
    /// The largest `x²`.
    #[inline(always)]
    pub const fn end(self) -> f64 {
        match self {
            Range::Whole => 0.5,
            Range::Half => 0.125,
        }
    }
}

#[rustfmt::skip]
const COS: [f64; 7] = [
    1.0, -0.5, 0.04166666666664409,
    -0.001388888888429939, 2.4801583925428913e-05, -2.755616652528797e-07, 2.0690936628966543e-09,
];

#[rustfmt::skip]
const SINC: [f64; 7] = [
    1.0, -0.16666666666666666, 0.00833333333333239,
    -0.0001984126983921227, 2.7557317513988647e-06, -2.5051457403545025e-08, 1.5944120511722895e-10,
];

const COS_HALF: [f64; 6] = [
    1.0,
    -0.5,
    0.041666666666592155,
    -0.0013888888845840768,
    2.480150186046589e-05,
    -2.748664687130862e-07,
];

#[rustfmt::skip]
const SINC_HALF: [f64; 6] = [
    1.0, -0.16666666666666666, 0.00833333333332695,
    -0.00019841269806680263, 2.7557252155849832e-06, -2.4997315800136035e-08,
];

/// Half the rotation vector of `spin` (rad/s) over a duration, and its square, the `y` of
/// [`cos_sinc`]. Only the angle must be in the range of numbers.
#[inline(always)]
pub fn half_angle<N: Number>(spin: Vec3<N>, duration: f64) -> (Vec3<N>, N) {
    let half = spin * N::splat(0.5 * duration);
    (half, half.dot(half))
}

/// `exp(v)` of a rotation vector in rad.
#[inline(always)]
pub fn exp<N: Number>(v: Vec3<N>) -> Quat<N> {
    let (half, y) = half_angle(v, 1.0);
    exp_of_half(half, y, Range::Whole)
}

/// `exp(v)` of any length, bit for bit as [`exp`], whose polynomials overflow from 1e26 rad on,
/// although their values are then not used.
#[inline]
pub fn exp_of_any_length(v: Vec3<f64>) -> Quat<f64> {
    let (half, y) = half_angle(v, 1.0);
    if y > Range::Whole.end() {
        let (cos, sinc) = beyond_the_polynomials(y);
        return Quat::from_parts(cos, half * sinc);
    }
    exp_of_half(half, y, Range::Whole)
}

/// `exp(2v)`, for half a rotation vector `v` and `y = |v|²`.
#[inline(always)]
pub fn exp_of_half<N: Number>(v: Vec3<N>, y: N, range: Range) -> Quat<N> {
    let (cos, sinc) = cos_sinc(y, range);
    Quat::from_parts(cos, v * sinc)
}

/// `(cos x, sin x / x)` for `y = x²`, any finite `y ≥ 0`; NaN for infinite `y`.
#[inline(always)]
pub fn cos_sinc<N: Number>(y: N, range: Range) -> (N, N) {
    let y2 = y * y;
    let (mut cos, mut sinc) = match range {
        Range::Whole => (polynomial(&COS, y, y2), polynomial(&SINC, y, y2)),
        Range::Half => (polynomial(&COS_HALF, y, y2), polynomial(&SINC_HALF, y, y2)),
    };
    if y.any_above(range.end()) {
        // This is rare. It needs a buffer of its own, because otherwise the compiler would keep
        // `y`, `cos` and `sinc` in memory on the common path too.
        let mut lanes = [[0.0; MOST_LANES]; 3];
        y.store(&mut lanes[0]);
        cos.store(&mut lanes[1]);
        sinc.store(&mut lanes[2]);
        lane_by_lane(&mut lanes, N::LANES, range);
        cos = N::load(&lanes[1]);
        sinc = N::load(&lanes[2]);
    }
    (cos, sinc)
}

/// Recomputes the lanes beyond the range; the others keep their bits. `lanes` are `y`, `cos` and
/// `sinc`.
#[cold]
#[inline(never)]
fn lane_by_lane(lanes: &mut [[f64; MOST_LANES]; 3], count: usize, range: Range) {
    for i in 0..count {
        if lanes[0][i] > range.end() {
            (lanes[1][i], lanes[2][i]) = beyond_the_polynomials(lanes[0][i]);
        }
    }
}

/// Estrin's scheme, which has half the dependency chain of Horner's for two more operations. The 1
/// is added last, to a small number.
#[inline(always)]
fn polynomial<N: Number, const K: usize>(c: &[f64; K], y: N, y2: N) -> N {
    let y4 = y2 * y2;
    let low = N::splat(c[1]) * y + (N::splat(c[2]) + N::splat(c[3]) * y) * y2;
    let mut high = N::splat(c[4]) + N::splat(c[5]) * y;
    if K > 6 {
        high = high + N::splat(c[6]) * y2;
    }
    N::splat(c[0]) + (low + high * y4)
}

/// Halves `x` until the polynomials hold, then doubles back. With `c = cos x`, `s = sin x / x`:
/// ```text
///     cos 2x = c² − x² s²        sin 2x / 2x = s c        c² + x² s² = 1
/// ```
///
/// Each doubling doubles two errors: that of the angle, which is unavoidable because `y` is
/// rounded, and that of the norm, which a Newton iteration for the third identity removes. The
/// angle is correct to a few ulp of `x`.
fn beyond_the_polynomials(y: f64) -> (f64, f64) {
    if y.is_infinite() {
        return (f64::NAN, f64::NAN); // |ω h|² overflowed: the angle is undefined
    }
    let mut y = y;
    let mut halvings = 0;
    while y > Range::Whole.end() {
        y *= 0.25;
        halvings += 1;
    }
    let mut c = polynomial(&COS, y, y * y);
    let mut s = polynomial(&SINC, y, y * y);
    for _ in 0..halvings {
        let cos_twice = c * c - y * (s * s);
        let sinc_twice = s * c;
        y *= 4.0;
        let towards_one = 0.5 * (3.0 - (cos_twice * cos_twice + y * (sinc_twice * sinc_twice)));
        c = cos_twice * towards_one;
        s = sinc_twice * towards_one;
    }
    (c, s)
}
