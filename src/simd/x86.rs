//! SSE2, AVX2 and AVX-512. Everything from the entries of a job down to the intrinsics is inlined,
//! and so compiled for the instruction set of the entry. A vector type is used only inside the
//! entry that enables its instructions; the type of SSE2, which every processor has, is used
//! anywhere.

use super::vector::*;
use std::arch::x86_64::*;

vector!(
    F64x2, __m128d, 2,
    _mm_set1_pd, _mm_add_pd, _mm_sub_pd, _mm_mul_pd, _mm_div_pd, _mm_sqrt_pd,
    negated: |x| _mm_xor_pd(x, _mm_set1_pd(-0.0)),
    above: |y, bound| _mm_movemask_pd(_mm_cmpgt_pd(y, bound)),
    choose: |x, limit, then, otherwise| {
        let mask = _mm_cmple_pd(x, limit);
        _mm_or_pd(_mm_and_pd(mask, then), _mm_andnot_pd(mask, otherwise))
    },
    features:
);

vector!(
    F64x4, __m256d, 4,
    _mm256_set1_pd, _mm256_add_pd, _mm256_sub_pd, _mm256_mul_pd, _mm256_div_pd, _mm256_sqrt_pd,
    negated: |x| _mm256_xor_pd(x, _mm256_set1_pd(-0.0)),
    above: |y, bound| _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(y, bound)),
    choose: |x, limit, then, otherwise| {
        _mm256_blendv_pd(otherwise, then, _mm256_cmp_pd::<_CMP_LE_OQ>(x, limit))
    },
    features: "avx2"
);

vector!(
    F64x8, __m512d, 8,
    _mm512_set1_pd, _mm512_add_pd, _mm512_sub_pd, _mm512_mul_pd, _mm512_div_pd, _mm512_sqrt_pd,
    negated: |x| _mm512_xor_pd(x, _mm512_set1_pd(-0.0)),
    above: |y, bound| _mm512_cmp_pd_mask::<_CMP_GT_OQ>(y, bound),
    choose: |x, limit, then, otherwise| {
        _mm512_mask_blend_pd(_mm512_cmp_pd_mask::<_CMP_LE_OQ>(x, limit), otherwise, then)
    },
    features: "avx512f,avx512dq,avx512vl"
);
