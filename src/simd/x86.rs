//! SSE2, AVX2 and AVX-512.
//!
//! The intrinsics are compiled into the function that calls them, once everything between has been inlined into one of the
//! three entries below: so a vector type is only ever used inside the entry that has its instructions.

use super::Job;
use super::pair::Pair;
use crate::kernel::Number;
use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Neg, Sub};

#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
pub(super) fn avx512<J: Job>(job: J) -> J::Output {
    job.run::<Pair<F64x8>>()
}

#[target_feature(enable = "avx2")]
pub(super) fn avx2<J: Job>(job: J) -> J::Output {
    job.run::<F64x4>()
}

pub(super) fn baseline<J: Job>(job: J) -> J::Output {
    job.run::<F64x2>()
}

/// Writes a vector type: its name, register, lanes, and the intrinsics for each operation.
macro_rules! vector {
    (
        $(#[$doc:meta])* $name:ident, $register:ident, $lanes:literal,
        $splat:ident, $add:ident, $sub:ident, $mul:ident, $div:ident, $xor:ident, $sqrt:ident,
        above: |$y:ident, $bound:ident| $above:expr,
        choose: |$x:ident, $limit:ident, $then:ident, $otherwise:ident| $choose:expr
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(super) struct $name($register);

        vector!(@operators $name, Add add $add, Sub sub $sub, Mul mul $mul, Div div $div);

        impl Neg for $name {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                // SAFETY: only used where the entry has the instructions.
                $name(unsafe { $xor(self.0, $splat(-0.0)) })
            }
        }

        impl Number for $name {
            const LANES: usize = $lanes;

            #[inline(always)]
            fn load(from: &[f64]) -> Self {
                let lanes: &[f64; $lanes] = from.first_chunk().expect("as many as there are lanes");
                // SAFETY: a register is as many f64, and any bits are one.
                $name(unsafe { lanes.as_ptr().cast::<$register>().read_unaligned() })
            }

            #[inline(always)]
            fn store(self, to: &mut [f64]) {
                let lanes: &mut [f64; $lanes] = to.first_chunk_mut().expect("as many as there are lanes");
                // SAFETY: as in `load`.
                unsafe { lanes.as_mut_ptr().cast::<$register>().write_unaligned(self.0) }
            }

            #[inline(always)]
            fn splat(value: f64) -> Self {
                // SAFETY: only used where the entry has the instructions.
                $name(unsafe { $splat(value) })
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                // SAFETY: only used where the entry has the instructions.
                $name(unsafe { $sqrt(self.0) })
            }

            #[inline(always)]
            fn if_at_most(self, bound: f64, then: Self, otherwise: Self) -> Self {
                let ($x, $then, $otherwise) = (self.0, then.0, otherwise.0);
                // SAFETY: only used where the entry has the instructions.
                $name(unsafe {
                    let $limit = $splat(bound);
                    $choose
                })
            }

            #[inline(always)]
            fn any_above(self, bound: f64) -> bool {
                let $y = self.0;
                // SAFETY: only used where the entry has the instructions.
                unsafe {
                    let $bound = $splat(bound);
                    $above != 0
                }
            }
        }
    };
    (@operators $name:ident, $($operator:ident $method:ident $intrinsic:ident),*) => {$(
        impl $operator for $name {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: only used where the entry has the instructions.
                $name(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    )*};
}

vector!(
    /// SSE2.
    F64x2, __m128d, 2,
    _mm_set1_pd, _mm_add_pd, _mm_sub_pd, _mm_mul_pd, _mm_div_pd, _mm_xor_pd, _mm_sqrt_pd,
    above: |y, bound| _mm_movemask_pd(_mm_cmpgt_pd(y, bound)),
    choose: |x, limit, then, otherwise| {
        let mask = _mm_cmple_pd(x, limit);
        _mm_or_pd(_mm_and_pd(mask, then), _mm_andnot_pd(mask, otherwise))
    }
);

vector!(
    /// AVX.
    F64x4, __m256d, 4,
    _mm256_set1_pd, _mm256_add_pd, _mm256_sub_pd, _mm256_mul_pd, _mm256_div_pd, _mm256_xor_pd, _mm256_sqrt_pd,
    above: |y, bound| _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(y, bound)),
    choose: |x, limit, then, otherwise| _mm256_blendv_pd(otherwise, then, _mm256_cmp_pd::<_CMP_LE_OQ>(x, limit))
);

vector!(
    /// AVX-512.
    F64x8, __m512d, 8,
    _mm512_set1_pd, _mm512_add_pd, _mm512_sub_pd, _mm512_mul_pd, _mm512_div_pd, _mm512_xor_pd, _mm512_sqrt_pd,
    above: |y, bound| _mm512_cmp_pd_mask::<_CMP_GT_OQ>(y, bound),
    choose: |x, limit, then, otherwise| _mm512_mask_blend_pd(_mm512_cmp_pd_mask::<_CMP_LE_OQ>(x, limit), otherwise, then)
);
