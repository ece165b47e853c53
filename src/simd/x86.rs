//! SSE2, AVX2 and AVX-512. Everything from the entries of a job down to the intrinsics is inlined,
//! and so compiled for the instruction set of the entry. A vector type is used only inside the entry
//! that enables its instructions; the type of SSE2, which every processor has, is used anywhere.

use super::Lanes;
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

impl Lanes for F64x2 {}

// Rows of three are transferred as two numbers and one, because a masked full register could touch
// the next cache line.

impl Lanes for F64x4 {
    #[inline(always)]
    unsafe fn load_rows<const K: usize>(first: *const f64, stride: isize) -> [Self; 4] {
        const { assert!(K == 3 || K == 4) };
        let mut rows = [F64x4::splat(0.0).0; 4];
        for i in 0..4 {
            let row = first.wrapping_offset(i as isize * stride);
            // SAFETY: used only inside the entry that enables the instructions; the first K numbers
            // of each row are readable.
            rows[i] = unsafe {
                if K == 4 {
                    _mm256_loadu_pd(row)
                } else {
                    _mm256_set_m128d(_mm_load_sd(row.wrapping_add(2)), _mm_loadu_pd(row))
                }
            };
        }
        let [a, b, c, d] = transposed(rows);
        [F64x4(a), F64x4(b), F64x4(c), F64x4(d)]
    }

    #[inline(always)]
    unsafe fn store_rows<const K: usize>(columns: [Self; K], first: *mut f64, stride: isize) {
        const { assert!(K == 3 || K == 4) };
        let rows = transposed([columns[0].0, columns[1].0, columns[2].0, columns[K - 1].0]);
        for i in 0..4 {
            let row = first.wrapping_offset(i as isize * stride);
            // SAFETY: used only inside the entry that enables the instructions; the first K numbers
            // of each row are writable.
            unsafe {
                if K == 4 {
                    _mm256_storeu_pd(row, rows[i]);
                } else {
                    _mm_storeu_pd(row, _mm256_castpd256_pd128(rows[i]));
                    _mm_store_sd(row.wrapping_add(2), _mm256_extractf128_pd::<1>(rows[i]));
                }
            }
        }
    }
}

/// Exchanges rows and columns.
#[inline(always)]
fn transposed([a, b, c, d]: [__m256d; 4]) -> [__m256d; 4] {
    // SAFETY: used only inside the entry that enables the instructions.
    unsafe {
        let ab_02 = _mm256_unpacklo_pd(a, b);
        let ab_13 = _mm256_unpackhi_pd(a, b);
        let cd_02 = _mm256_unpacklo_pd(c, d);
        let cd_13 = _mm256_unpackhi_pd(c, d);
        [
            _mm256_permute2f128_pd::<0x20>(ab_02, cd_02),
            _mm256_permute2f128_pd::<0x20>(ab_13, cd_13),
            _mm256_permute2f128_pd::<0x31>(ab_02, cd_02),
            _mm256_permute2f128_pd::<0x31>(ab_13, cd_13),
        ]
    }
}

impl Lanes for F64x8 {
    #[inline(always)]
    unsafe fn load_rows<const K: usize>(first: *const f64, stride: isize) -> [Self; 4] {
        const { assert!(K == 3 || K == 4) };
        // SAFETY: used only inside the entry that enables the instructions; the first K numbers of
        // each row are readable.
        let [a, b, c, d] = unsafe {
            if K == 4 {
                load_rows_of_four(first, stride)
            } else {
                load_rows_of_three(first, stride)
            }
        };
        [F64x8(a), F64x8(b), F64x8(c), F64x8(d)]
    }

    #[inline(always)]
    unsafe fn store_rows<const K: usize>(columns: [Self; K], first: *mut f64, stride: isize) {
        const { assert!(K == 3 || K == 4) };
        let [c0, c1, c2, c3] = [columns[0].0, columns[1].0, columns[2].0, columns[K - 1].0];
        // SAFETY: used only inside the entry that enables the instructions; the first K numbers of
        // each row are writable.
        unsafe {
            if K == 4 {
                store_rows_of_four([c0, c1, c2, c3], first, stride);
            } else {
                store_rows_of_three([c0, c1, c2], first, stride);
            }
        }
    }
}

/// The columns of eight rows of four.
///
/// # Safety
/// The rows are readable, and the entry enables the instructions.
#[inline(always)]
unsafe fn load_rows_of_four(first: *const f64, stride: isize) -> [__m512d; 4] {
    // SAFETY: guaranteed by the caller.
    unsafe {
        // rows 0 and 2, 1 and 3, 4 and 6, 5 and 7: the quarters of the columns then come out in
        // order
        let mut twos = [F64x8::splat(0.0).0; 4];
        for (two, i) in twos.iter_mut().zip([0, 1, 4, 5]) {
            let low = first.wrapping_offset(i * stride);
            let high = first.wrapping_offset((i + 2) * stride);
            let low = _mm512_castpd256_pd512(_mm256_loadu_pd(low));
            *two = _mm512_insertf64x4::<1>(low, _mm256_loadu_pd(high));
        }
        let [a, b, c, d] = twos;
        let ab_02 = _mm512_unpacklo_pd(a, b);
        let ab_13 = _mm512_unpackhi_pd(a, b);
        let cd_02 = _mm512_unpacklo_pd(c, d);
        let cd_13 = _mm512_unpackhi_pd(c, d);
        [
            _mm512_shuffle_f64x2::<0b10_00_10_00>(ab_02, cd_02),
            _mm512_shuffle_f64x2::<0b10_00_10_00>(ab_13, cd_13),
            _mm512_shuffle_f64x2::<0b11_01_11_01>(ab_02, cd_02),
            _mm512_shuffle_f64x2::<0b11_01_11_01>(ab_13, cd_13),
        ]
    }
}

/// The columns of eight rows of three; the fourth column is any.
///
/// # Safety
/// The rows are readable, and the entry enables the instructions.
#[inline(always)]
unsafe fn load_rows_of_three(first: *const f64, stride: isize) -> [__m512d; 4] {
    // SAFETY: guaranteed by the caller.
    unsafe {
        // the first two numbers of the even rows and of the odd rows; the third numbers one by one
        let mut pairs = [F64x8::splat(0.0).0; 2];
        for (pairs, i) in pairs.iter_mut().zip([0, 1]) {
            let row = first.wrapping_offset(i * stride);
            let row_2 = row.wrapping_offset(2 * stride);
            let row_4 = row.wrapping_offset(4 * stride);
            let row_6 = row.wrapping_offset(6 * stride);
            let low = _mm256_castpd128_pd256(_mm_loadu_pd(row));
            let low = _mm256_insertf128_pd::<1>(low, _mm_loadu_pd(row_2));
            let high = _mm256_castpd128_pd256(_mm_loadu_pd(row_4));
            let high = _mm256_insertf128_pd::<1>(high, _mm_loadu_pd(row_6));
            *pairs = _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(low), high);
        }
        let mut third = F64x8::splat(0.0).0;
        for i in 0..8 {
            let number = first.wrapping_offset(i * stride).wrapping_add(2);
            third = _mm512_mask_broadcastsd_pd(third, 1 << i, _mm_load_sd(number));
        }
        let [even, odd] = pairs;
        [
            _mm512_unpacklo_pd(even, odd),
            _mm512_unpackhi_pd(even, odd),
            third,
            third,
        ]
    }
}

/// Stores columns to eight rows of four.
///
/// # Safety
/// The rows are writable, and the entry enables the instructions.
#[inline(always)]
unsafe fn store_rows_of_four([c0, c1, c2, c3]: [__m512d; 4], first: *mut f64, stride: isize) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        // even rows, odd rows
        let pairs = [_mm512_unpacklo_pd(c0, c1), _mm512_unpackhi_pd(c0, c1)];
        let others = [_mm512_unpacklo_pd(c2, c3), _mm512_unpackhi_pd(c2, c3)];
        let low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
        let high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
        for i in 0..2 {
            let row = first.wrapping_offset(i as isize * stride);
            let row_2 = row.wrapping_offset(2 * stride);
            let row_4 = row.wrapping_offset(4 * stride);
            let row_6 = row.wrapping_offset(6 * stride);
            let rows_02 = _mm512_permutex2var_pd(pairs[i], low, others[i]);
            let rows_46 = _mm512_permutex2var_pd(pairs[i], high, others[i]);
            _mm256_storeu_pd(row, _mm512_castpd512_pd256(rows_02));
            _mm256_storeu_pd(row_2, _mm512_extractf64x4_pd::<1>(rows_02));
            _mm256_storeu_pd(row_4, _mm512_castpd512_pd256(rows_46));
            _mm256_storeu_pd(row_6, _mm512_extractf64x4_pd::<1>(rows_46));
        }
    }
}

/// Stores columns to eight rows of three.
///
/// # Safety
/// The rows are writable, and the entry enables the instructions.
#[inline(always)]
unsafe fn store_rows_of_three([c0, c1, c2]: [__m512d; 3], first: *mut f64, stride: isize) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        // even rows, odd rows
        let pairs = [_mm512_unpacklo_pd(c0, c1), _mm512_unpackhi_pd(c0, c1)];
        for i in 0..2 {
            let row = first.wrapping_offset(i as isize * stride);
            let row_2 = row.wrapping_offset(2 * stride);
            let row_4 = row.wrapping_offset(4 * stride);
            let row_6 = row.wrapping_offset(6 * stride);
            let low = _mm512_castpd512_pd256(pairs[i]);
            let high = _mm512_extractf64x4_pd::<1>(pairs[i]);
            _mm_storeu_pd(row, _mm256_castpd256_pd128(low));
            _mm_storeu_pd(row_2, _mm256_extractf128_pd::<1>(low));
            _mm_storeu_pd(row_4, _mm256_castpd256_pd128(high));
            _mm_storeu_pd(row_6, _mm256_extractf128_pd::<1>(high));
        }
        let mut third = [0.0; 8];
        F64x8(c2).store(&mut third);
        for i in 0..8 {
            let row = first.wrapping_offset(i as isize * stride);
            row.wrapping_add(2).write(third[i]);
        }
    }
}
