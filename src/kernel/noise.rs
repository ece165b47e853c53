//! Normal deviates that are a function of (seed, id, draw): they depend on no body before, lane, thread or order.
//!
//! Bits: Philox4x32-10, a counter-based generator, with the key `seed` and the counter `(draw, id)`. J. Salmon, M. Moraes, R. Dror,
//! D. Shaw, *Parallel random numbers: as easy as 1, 2, 3*, SC11 (2011), doi 10.1145/2063384.2063405. A block has 128 bits. Each half of it is a
//! radius `r = √(−2 ln u)` with 38 bits and an angle θ with 26: three deviates by G. Box, M. Muller, Ann. Math. Stat. 29, 610 (1958),
//! ```text
//!     ξ₁ = r cos θ        ξ₂ = r sin θ        ξ₃ = r′ sin ½θ′        θ, θ′ from −π to π
//! ```
//!
//! No deviate is beyond 7.35, which happens to 2e-13 of them; next to 0 they lie 1e-7 apart. The radii are exact to 4e-10, relative, and sine and
//! cosine to 5e-10: minimax polynomials. Integer operations are over arrays, which the compiler vectorises.

use super::{Number, Vec3};

/// Numbers of each body from which its deviates are made: of each half `m − 1` and `e`, where `u = m 2⁻ᵉ`, and `θ/π`.
pub const DRAWN: usize = 6;

const MULTIPLIERS: [u64; 2] = [0xd251_1f53, 0xcd9e_8d57];
const WEYL: [u32; 2] = [0x9e37_79b9, 0xbb67_ae85];
const LOW: u64 = 0xffff_ffff;

/// Philox4x32-10 of some counters, side by side: operations of one fill the latency of those of another. The words of 32 bits are in the low
/// halves; what is in the high ones has no meaning, in the counters either.
#[inline(always)]
pub fn philox<const K: usize>([mut x0, mut x1, mut x2, mut x3]: [[u64; K]; 4], key: u64) -> [[u64; K]; 4] {
    let (mut k0, mut k1) = (key as u32, (key >> 32) as u32);
    for _ in 0..10 {
        for i in 0..K {
            let (p0, p1) = ((x0[i] & LOW) * MULTIPLIERS[0], (x2[i] & LOW) * MULTIPLIERS[1]);
            x0[i] = (p1 >> 32) ^ x1[i] ^ u64::from(k0);
            x2[i] = (p0 >> 32) ^ x3[i] ^ u64::from(k1);
            (x1[i], x3[i]) = (p1, p0);
        }
        (k0, k1) = (k0.wrapping_add(WEYL[0]), k1.wrapping_add(WEYL[1]));
    }
    [x0, x1, x2, x3]
}

/// The numbers of the bodies with these ids and `plus`, one column for each number.
#[inline(always)]
pub fn drawn<const K: usize>(seed: u64, ids: &[u64; K], plus: u64, draw: u64) -> [[f64; K]; DRAWN] {
    let (mut id, mut high) = (*ids, *ids);
    for i in 0..K {
        id[i] = ids[i].wrapping_add(plus);
        high[i] = id[i] >> 32;
    }
    let [w0, w1, w2, w3] = philox([[draw; K], [draw >> 32; K], id, high], seed);
    let mut numbers = [[0.0; K]; DRAWN];
    for i in 0..K {
        let ([a, b, c], [d, e, f]) = (half(w0[i] << 32 | w1[i] & LOW), half(w2[i] << 32 | w3[i] & LOW));
        for (k, number) in [a, b, c, d, e, f].into_iter().enumerate() {
            numbers[k][i] = number;
        }
    }
    numbers
}

/// Bits of an angle; the others of 64 are of a radius.
const ANGLE: u32 = 26;
/// 2⁵² as bits: with an integer below 2⁵² in the fraction, 2⁵² more than the integer.
const SHIFTER: u64 = 0x4330_0000_0000_0000;
const TWO_52: f64 = 4_503_599_627_370_496.0;
const TWO: u64 = 0x4000_0000_0000_0000;
const FRACTION: u64 = (1 << 52) - 1;
const SQRT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;

/// With `u = (k + ½) 2⁻³⁸ = m 2⁻ᵉ`, m from √½ to √2: `m − 1`, `e`, and the angle from −1 to 1; all exact.
#[inline(always)]
fn half(bits: u64) -> [f64; 3] {
    let odd = f64::from_bits(SHIFTER | bits >> ANGLE << 1 | 1) - TWO_52;
    let exponent = (odd.to_bits() - SQRT_HALF) >> 52;
    let m = f64::from_bits(odd.to_bits() - (exponent << 52));
    let e = (TWO_52 + f64::from(65 - ANGLE)) - f64::from_bits(SHIFTER | exponent);
    let angle = f64::from_bits(TWO | (bits << 1 | 1) << (51 - ANGLE) & FRACTION) - 3.0;
    [m - 1.0, e, angle]
}

/// Three normal deviates of mean 0 and variance 1.
#[inline(always)]
pub fn normals<N: Number>([t, e, angle, t3, e3, angle3]: [N; DRAWN]) -> Vec3<N> {
    let (y, r) = (angle * angle, radius(t, e));
    let (sin_half, cos_half) = (angle * polynomial(&SIN, y), polynomial(&COS, y));
    let (sin, cos) = (sin_half * cos_half, N::splat(1.0) - sin_half * (sin_half + sin_half)); // of ½ sin θ
    let sin3 = angle3 * polynomial(&SIN, angle3 * angle3);
    Vec3([r * cos, r * (sin + sin), radius(t3, e3) * sin3])
}

/// `√(−2 ln u)`, `u = (1 + t) 2⁻ᵉ < 1`: `ln(1 + t) = 2 artanh s`, `s = t/(2 + t)`.
#[inline(always)]
fn radius<N: Number>(t: N, e: N) -> N {
    let s = t / (N::splat(2.0) + t);
    (e * N::splat(2.0 * std::f64::consts::LN_2) + s * polynomial(&ARTANH, s * s)).sqrt()
}

/// `−4 artanh(s)/s` in s², for s up to (√2 − 1)/(√2 + 1).
const ARTANH: [f64; 4] = [-3.999999997243, -1.333336319007, -0.799495898840, -0.598513013849];

/// `sin(½π x)/x` and `cos(½π x)` in x², for x up to 1.
const SIN: [f64; 6] = [1.570796326762, -0.645964095265, 0.07969260126, -0.00468165102, 1.6024703e-4, -3.428791e-6];
const COS: [f64; 6] = [0.99999999978, -1.23370053431, 0.25366932278, -0.02086268839, 9.1772484e-4, -2.382492e-5];

/// Horner's scheme, which has the fewest products: they are what limits the speed.
#[inline(always)]
fn polynomial<N: Number, const K: usize>(c: &[f64; K], y: N) -> N {
    let mut sum = N::splat(c[K - 1]);
    for k in (0..K - 1).rev() {
        sum = N::splat(c[k]) + sum * y;
    }
    sum
}
