//! Rotation vectors around the start of a step, `q = q₀ exp(u)`, and their rate.
//!
//! ```text
//!     u̇ = ω + ½ u × ω + c u × (u × ω)        c = (1 − x cot x)/(4x²) = n/(4 sinc x)        x = ½ |u|
//!     n = (sinc x − cos x)/x²
//! ```
//! The inverse of the exponential's derivative: H. Munthe-Kaas, BIT 38, 92 (1998). It has a pole at |u| = 2π. A step stays below 2 rad,
//! where cos, sinc and n are minimax polynomials in y = x² (Remez exchange in 50 digits, then rounded). Their errors are 4e-18, 3e-19
//! and 2e-17.

use crate::kernel::{Quat, Vec3};

/// The longest rotation vector in a step, rad.
pub(super) const FARTHEST: f64 = 2.0;

#[rustfmt::skip]
const COS: [f64; 8] = [
    1.0, -0.5, 0.04166666666666546, -0.0013888888888724537,
    2.4801587218435107e-05, -2.75572985709409e-07, 2.087405182746956e-09, -1.1291194163127458e-11,
];

#[rustfmt::skip]
const SINC: [f64; 8] = [
    1.0, -0.16666666666666666, 0.008333333333333104, -0.00019841269841078233,
    2.7557319147946817e-06, -2.5052092243769363e-08, 1.6057159897360298e-10, -7.533077794541908e-13,
];

#[rustfmt::skip]
const N: [f64; 8] = [
    0.3333333333333333, -0.03333333333333333, 0.001190476190476178, -2.204585537909093e-05,
    2.505210834726435e-07, -1.927084448877304e-09, 1.0705071906565079e-11, -4.439420687232984e-14,
];

/// `exp(u)` and `c`; `None` beyond [`FARTHEST`], and for NaN.
#[inline(always)]
pub(super) fn chart(u: Vec3<f64>) -> Option<(Quat<f64>, f64)> {
    let half = u * 0.5;
    let y = half.dot(half);
    if y <= 0.25 * FARTHEST * FARTHEST {
        let sinc = polynomial(&SINC, y);
        Some((Quat::from_parts(polynomial(&COS, y), half * sinc), polynomial(&N, y) / (4.0 * sinc)))
    } else {
        None
    }
}

/// `u̇ h` for a rotation vector `u` and `spin = ω h`.
#[inline(always)]
pub(super) fn turned(u: Vec3<f64>, spin: Vec3<f64>, c: f64) -> Vec3<f64> {
    let across = u.cross(spin);
    spin + across * 0.5 + u.cross(across) * c
}

/// Estrin's scheme, the first coefficient last.
#[inline(always)]
fn polynomial(c: &[f64; 8], y: f64) -> f64 {
    let (y2, y4) = (y * y, (y * y) * (y * y));
    let low = c[1] * y + (c[2] + c[3] * y) * y2;
    let high = (c[4] + c[5] * y) + (c[6] + c[7] * y) * y2;
    c[0] + (low + high * y4)
}
