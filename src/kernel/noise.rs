//! Normal deviates that are a function of (seed, id, draw): they depend on no body before, lane,
//! thread or order.
//!
//! Bits: Philox4x32-10, a counter-based generator, with the key `seed` and the counter
//! `(draw, id)`. J. Salmon, M. Moraes, R. Dror, D. Shaw, *Parallel random numbers: as easy as 1, 2,
//! 3*, SC11 (2011), doi 10.1145/2063384.2063405. A block has 128 bits. Each half of it is a radius
//! `r = √(−2 ln u)` with 38 bits and an angle θ with 26: three deviates by G. Box, M. Muller, Ann.
//! Math. Stat. 29, 610 (1958),
//! ```text
//!     ξ₁ = r cos θ        ξ₂ = r sin θ        ξ₃ = r′ sin ½θ′        θ, θ′ from −π to π
//! ```
//!
//! No deviate is beyond 7.36, as 2e-13 of exact deviates would be. In single precision a radius is
//! wrong by 5e-7 of it (by 3e-8/r below 0.1, 2e-4 at most), sine and cosine by 8e-7, variances by
//! 1e-7. The compiler vectorises the loops over arrays.

use super::roots;

const MULTIPLIERS: [u64; 2] = [0xd251_1f53, 0xcd9e_8d57];
const WEYL: [u32; 2] = [0x9e37_79b9, 0xbb67_ae85];

/// Philox4x32-10 of a counter. The arithmetic is of 64 bits, because vector registers multiply so.
#[inline(always)]
pub fn philox(counter: [u32; 4], key: u64) -> [u32; 4] {
    let [mut x0, mut x1, mut x2, mut x3] = counter.map(u64::from);
    let mut k0 = key as u32;
    let mut k1 = (key >> 32) as u32;
    for _ in 0..10 {
        let p0 = u64::from(x0 as u32) * MULTIPLIERS[0];
        let p1 = u64::from(x2 as u32) * MULTIPLIERS[1];
        x0 = (p1 >> 32) ^ x1 ^ u64::from(k0);
        x2 = (p0 >> 32) ^ x3 ^ u64::from(k1);
        x1 = p1; // the high half has no meaning
        x3 = p0;
        k0 = k0.wrapping_add(WEYL[0]);
        k1 = k1.wrapping_add(WEYL[1]);
    }
    [x0 as u32, x1 as u32, x2 as u32, x3 as u32]
}

/// The blocks of bodies with these ids: a column for each word.
#[inline(always)]
pub fn drawn<const K: usize>(seed: u64, draw: u64, id: impl Fn(usize) -> u64) -> [[u32; K]; 4] {
    let [mut w0, mut w1, mut w2, mut w3] = [[0; K]; 4];
    for i in 0..K {
        let id = id(i);
        [w0[i], w1[i], w2[i], w3[i]] = philox(
            [
                draw as u32,
                (draw >> 32) as u32,
                id as u32,
                (id >> 32) as u32,
            ],
            seed,
        );
    }
    [w0, w1, w2, w3]
}

/// Three normal deviates of mean 0 and variance 1 from each block: a column for each axis.
#[inline(always)]
pub fn normals<const K: usize>([w0, w1, w2, w3]: &[[u32; K]; 4]) -> [[f32; K]; 3] {
    let [mut x, mut y, mut z] = [[0.0; K]; 3];
    let unit = 1.0 / (1_u32 << 31) as f32; // of θ/π, from −1 to 1, of the low 26 bits
    for i in 0..K {
        let r = radius(w0[i], w1[i]);
        let r3 = radius(w2[i], w3[i]);
        let angle = (w1[i] << 6 | 1 << 5) as i32 as f32 * unit;
        let angle3 = (w3[i] << 6 | 1 << 5) as i32 as f32 * unit;
        let square = angle * angle;
        let sin_half = angle * polynomial(&SIN, square);
        let cos_half = polynomial(&COS, square);
        let half_sin = sin_half * cos_half;
        x[i] = r * (1.0 - sin_half * (sin_half + sin_half));
        y[i] = r * (half_sin + half_sin);
        z[i] = r3 * (angle3 * polynomial(&SIN, angle3 * angle3));
    }
    [x, y, z]
}

/// `√(−2 ln u)` for `u = (k + ½) 2⁻³⁸`: k is a word, and the high 6 bits of the other one. With
/// `u = m 2⁻ᵉ`, m from √½ to √2, `ln m = 2 artanh s`, `s = (m − 1)/(m + 1)`.
#[inline(always)]
fn radius(word: u32, other: u32) -> f32 {
    let low = (word & 1) << 7 | other >> 26 << 1 | 1;
    let x = (word >> 1) as i32 as f32 + low as i32 as f32 * (1.0 / 256.0);
    let exponent = (x
        .to_bits()
        .wrapping_sub(std::f32::consts::FRAC_1_SQRT_2.to_bits()) as i32)
        >> 23;
    let m = f32::from_bits(x.to_bits().wrapping_sub((exponent << 23) as u32));
    let s = (m - 1.0) / (m + 1.0);
    roots::sqrt_single(
        (31 - exponent) as f32 * (2.0 * std::f32::consts::LN_2) + s * polynomial(&ARTANH, s * s),
    )
}

/// `−4 artanh(s)/s` in s², for s up to (√2 − 1)/(√2 + 1).
const ARTANH: [f32; 4] = [-4.0, -1.333_336_3, -0.799_495_14, -0.598_530_3];

/// `sin(½π x)/x` and `cos(½π x)` in x², for x up to 1.
const SIN: [f32; 5] = [
    std::f32::consts::FRAC_PI_2,
    -0.645_963_8,
    0.079_689_93,
    -4.674_157_5e-3,
    1.516_785_3e-4,
];
const COS: [f32; 6] = [
    1.0,
    -1.233_700_5,
    0.253_669_32,
    -0.020_862_688,
    9.177_248e-4,
    -2.382_492e-5,
];

/// Horner's scheme, which has the fewest products: these limit the speed.
#[inline(always)]
fn polynomial<const K: usize>(c: &[f32; K], y: f32) -> f32 {
    let mut sum = c[K - 1];
    for k in (0..K - 1).rev() {
        sum = c[k] + sum * y;
    }
    sum
}
