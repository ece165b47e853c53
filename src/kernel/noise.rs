//! Normal deviates that are a function of (seed, id, draw): they depend on no body before, lane, thread or order.
//!
//! Bits: Philox4x32-10, a counter-based generator, with the key `seed` and the counter `(draw, id)`. J. Salmon, M. Moraes, R. Dror,
//! D. Shaw, *Parallel random numbers: as easy as 1, 2, 3*, SC11 (2011), doi 10.1145/2063384.2063405. A block has 128 bits. Each half of it is a
//! radius `r = √(−2 ln u)` with 38 bits and an angle θ with 26: three deviates by G. Box, M. Muller, Ann. Math. Stat. 29, 610 (1958),
//! ```text
//!     ξ₁ = r cos θ        ξ₂ = r sin θ        ξ₃ = r′ sin ½θ′        θ, θ′ from −π to π
//! ```
//!
//! No deviate is beyond 7.35, which happens to 2e-13 of them; next to 0 they lie 1e-7 apart. The radii are exact to 2e-13, relative, and sine and
//! cosine to 2e-12: Chebyshev interpolants, fitted in 40 digits. Integer operations are over arrays, which the compiler vectorises.

use super::{Column, MOST_LANES, Number, Vec3};

/// Numbers of each body from which its deviates are made: of each half `m − 1` and `e`, where `u = m 2⁻ᵉ`, and `θ/π · 2²⁶`.
pub const DRAWN: usize = 6;

const MULTIPLIERS: [u64; 2] = [0xd251_1f53, 0xcd9e_8d57];
const WEYL: [u32; 2] = [0x9e37_79b9, 0xbb67_ae85];
const LOW: u64 = 0xffff_ffff;

/// Philox4x32-10. Words of 32 bits, in the low halves.
#[inline(always)]
pub fn philox([mut x0, mut x1, mut x2, mut x3]: [u64; 4], key: u64) -> [u64; 4] {
    let (mut k0, mut k1) = (key as u32, (key >> 32) as u32);
    for _ in 0..10 {
        let (p0, p1) = ((x0 & LOW) * MULTIPLIERS[0], (x2 & LOW) * MULTIPLIERS[1]);
        (x0, x1, x2, x3) = ((p1 >> 32) ^ x1 ^ u64::from(k0), p1, (p0 >> 32) ^ x3 ^ u64::from(k1), p0);
        (k0, k1) = (k0.wrapping_add(WEYL[0]), k1.wrapping_add(WEYL[1]));
    }
    [x0 & LOW, x1 & LOW, x2 & LOW, x3 & LOW]
}

/// The numbers of a body.
#[inline(always)]
pub fn drawn(seed: u64, id: u64, draw: u64) -> [f64; DRAWN] {
    let [w0, w1, w2, w3] = philox([draw & LOW, draw >> 32, id & LOW, id >> 32], seed);
    let ([a, b, c], [d, e, f]) = (half(w0 << 32 | w1), half(w2 << 32 | w3));
    [a, b, c, d, e, f]
}

/// The numbers of [`MOST_LANES`] bodies. Inlined into a job: compiled for its instruction set.
#[inline(always)]
pub fn drawn_columns(seed: u64, ids: &[u64; MOST_LANES], draw: u64, to: &mut [Column; DRAWN]) {
    let [a, b, c, d, e, f] = to;
    for lane in 0..MOST_LANES {
        [a[lane], b[lane], c[lane], d[lane], e[lane], f[lane]] = drawn(seed, ids[lane], draw);
    }
}

/// Bits of an angle; the others of 64 are of a radius.
const ANGLE: u32 = 26;
/// 2⁵² as bits: with an integer below 2⁵² in the fraction, 2⁵² more than the integer.
const SHIFTER: u64 = 0x4330_0000_0000_0000;
const TWO_52: f64 = 4_503_599_627_370_496.0;
const SQRT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;

/// With `u = (k + ½) 2⁻³⁸ = m 2⁻ᵉ`, m from √½ to √2: `m − 1`, `e`, and the angle from −2²⁶ to 2²⁶; all exact.
#[inline(always)]
fn half(bits: u64) -> [f64; 3] {
    let odd = f64::from_bits(SHIFTER | bits >> ANGLE << 1 | 1) - TWO_52;
    let exponent = (odd.to_bits() - SQRT_HALF) >> 52;
    let m = f64::from_bits(odd.to_bits() - (exponent << 52));
    let e = (TWO_52 + f64::from(65 - ANGLE)) - f64::from_bits(SHIFTER | exponent);
    let angle = f64::from_bits(SHIFTER | (bits & ((1 << ANGLE) - 1)) << 1 | 1) - (TWO_52 + (1_u64 << ANGLE) as f64);
    [m - 1.0, e, angle]
}

/// Three normal deviates of mean 0 and variance 1.
#[inline(always)]
pub fn normals<N: Number>([t, e, angle, t3, e3, angle3]: [N; DRAWN]) -> Vec3<N> {
    let (sin_half, y) = sine_of_half(angle);
    let cos_half = polynomial(&COS, y);
    let (sin, r) = (sin_half * cos_half, radius(t, e)); // of ½ sin θ
    let cos = N::splat(1.0) - sin_half * (sin_half + sin_half);
    Vec3([r * cos, r * (sin + sin), radius(t3, e3) * sine_of_half(angle3).0])
}

/// `sin ½θ`, and `(½θ)²`.
#[inline(always)]
fn sine_of_half<N: Number>(angle: N) -> (N, N) {
    let x = angle * N::splat(std::f64::consts::FRAC_PI_2 / (1_u64 << ANGLE) as f64);
    let y = x * x;
    (x * polynomial(&SINC, y), y)
}

/// `√(−2 ln u)`, `u = (1 + t) 2⁻ᵉ < 1`: `ln(1 + t) = 2 artanh s`, `s = t/(2 + t)`.
#[inline(always)]
fn radius<N: Number>(t: N, e: N) -> N {
    let s = t / (N::splat(2.0) + t);
    (e * N::splat(2.0 * std::f64::consts::LN_2) + s * polynomial(&ARTANH, s * s)).sqrt()
}

/// `−4 artanh(s)/s` in s², for s up to (√2 − 1)/(√2 + 1).
#[rustfmt::skip]
const ARTANH: [f64; 6] = [
    -3.9999999999998943, -1.3333333335915851, -0.799999897836606,
    -0.5714433229220464, -0.44348499800343444, -0.39216191578836546,
];

/// `sin x / x` and `cos x` in x², for x up to π/2.
#[rustfmt::skip]
const SINC: [f64; 7] = [
    0.9999999999999496, -0.16666666666466673, 0.00833333332035835, -0.00019841266683130672,
    2.7556952912858047e-06, -2.503026818882279e-08, 1.54112197466489e-10,
];
#[rustfmt::skip]
const COS: [f64; 7] = [
    0.9999999999992479, -0.4999999999701275, 0.04166666647285179, -0.0013888884170789055,
    2.4801039928008272e-05, -2.7524670425081666e-07, 1.9907506103760227e-09,
];

/// Estrin's scheme, as in `exp`.
#[inline(always)]
fn polynomial<N: Number, const K: usize>(c: &[f64; K], y: N) -> N {
    let y2 = y * y;
    let low = (N::splat(c[0]) + N::splat(c[1]) * y) + (N::splat(c[2]) + N::splat(c[3]) * y) * y2;
    let mut high = N::splat(c[4]) + N::splat(c[5]) * y;
    if K > 6 {
        high = high + N::splat(c[6]) * y2;
    }
    low + high * (y2 * y2)
}
