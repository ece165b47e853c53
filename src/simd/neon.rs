//! NEON, which every processor of aarch64 has: two doubles in a register.

use super::vector::*;
use std::arch::aarch64::*;

vector!(
    F64x2, float64x2_t, 2,
    vdupq_n_f64, vaddq_f64, vsubq_f64, vmulq_f64, vdivq_f64, vsqrtq_f64,
    negated: |x| vnegq_f64(x),
    above: |y, bound| vmaxvq_u32(vreinterpretq_u32_u64(vcgtq_f64(y, bound))),
    choose: |x, limit, then, otherwise| vbslq_f64(vcleq_f64(x, limit), then, otherwise),
    features:
);
