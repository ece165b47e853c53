//! The instruction sets: vector registers as [`Number`](crate::kernel::Number)s, and the choice between them at run time.
//!
//! No formula is here. A [`Job`] is written once over any [`Lanes`]; [`run`] compiles it for each instruction set and
//! calls the one this machine has. Each lane does the same IEEE operations in the same order as an `f64` would, so the choice
//! changes no bit.

#![allow(unsafe_code)] // vector intrinsics, and calls of functions compiled for more than the baseline

#[cfg(target_arch = "x86_64")]
mod pair;
#[cfg(any(test, not(target_arch = "x86_64")))]
mod portable;
mod rows;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use rows::Lanes;
pub(crate) use rows::{load_columns, load_packed, store_columns, store_packed};
use std::sync::OnceLock;

#[cfg(not(target_arch = "x86_64"))]
use portable::baseline;
#[cfg(target_arch = "x86_64")]
use x86::baseline;

/// Work that is written over any block of lanes.
pub trait Job {
    /// What it comes to.
    type Output;

    /// Does it with blocks `N`. To be `#[inline(always)]`, all the way down, or the instruction set does not reach it.
    fn run<N: Lanes>(&mut self) -> Self::Output;
}

/// The instruction sets, from least to most. The environment variable `QUATINT_SIMD` (`baseline`, `avx2`, `avx512`), read
/// once, keeps the choice from going higher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What every machine of the architecture has: SSE2, NEON.
    Baseline,
    /// Four lanes a register.
    Avx2,
    /// Eight lanes a register, and twice as many registers.
    Avx512,
}

/// The level in use.
pub fn level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(|| {
        let most = match std::env::var("QUATINT_SIMD").as_deref() {
            Ok("baseline") => Level::Baseline,
            Ok("avx2") => Level::Avx2,
            _ => Level::Avx512,
        };
        most.min(available())
    })
}

#[cfg(target_arch = "x86_64")]
fn available() -> Level {
    if is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
    {
        Level::Avx512
    } else if is_x86_feature_detected!("avx2") {
        Level::Avx2
    } else {
        Level::Baseline
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn available() -> Level {
    Level::Baseline
}

/// Does a job with the instructions of this machine.
///
/// Jobs are built where they are run, and taken by reference: to copy what was just stored, in other pieces than it was stored in,
/// waits for all stores before it.
#[inline(always)]
pub fn run<J: Job>(job: &mut J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    match level() {
        // SAFETY: `level` is never more than `available` has detected.
        Level::Avx512 => unsafe { x86::avx512(job) },
        // SAFETY: as above.
        Level::Avx2 => unsafe { x86::avx2(job) },
        Level::Baseline => baseline(job),
    }
    #[cfg(not(target_arch = "x86_64"))]
    baseline(job)
}

/// Bytes that come from memory together.
pub const LINE: usize = 64;

/// Asks for memory that will be needed soon, where it is more than the processor's own foresight reaches. Changes nothing else.
#[inline(always)]
pub fn prefetch<T>(soon: &T) {
    let start = std::ptr::from_ref(soon).cast::<u8>();
    for line in (0..size_of::<T>()).step_by(LINE) {
        prefetch_at(start.wrapping_add(line));
    }
}

/// Asks for the line of memory at any address, valid or not.
#[inline(always)]
pub fn prefetch_at(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch of any address is harmless.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// Does a job on `count` numbers: one at a time where they are too few for a block of lanes.
#[inline(always)]
pub fn run_on<J: Job>(count: usize, job: &mut J) -> J::Output {
    if count <= 2 { one_by_one(job) } else { run(job) }
}

#[inline(never)]
fn one_by_one<J: Job>(job: &mut J) -> J::Output {
    job.run::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{MOST_LANES, Range, Vec3, exp_of_half_turn};

    /// Quaternions of slow and fast turns side by side, and their lengths.
    struct Turns;

    impl Job for Turns {
        type Output = [[f64; MOST_LANES]; 6];

        #[inline(always)]
        fn run<N: Lanes>(&mut self) -> Self::Output {
            let spin: [f64; MOST_LANES] = std::array::from_fn(|i| (i * i * i) as f64 * 0.1 - 0.05);
            let mut out = [[0.0; MOST_LANES]; 6];
            for i in (0..MOST_LANES).step_by(N::LANES) {
                let w = N::load(&spin[i..]);
                let half = Vec3([w, -w, w / N::splat(3.0)]);
                let q = exp_of_half_turn(half, half.dot(half), Range::Half) * exp_of_half_turn(half, w, Range::Whole);
                let [a, b, c, d] = q.0;
                let clamped = w.if_at_most(1.0, q.norm_squared().sqrt(), N::splat(2.0));
                for (column, x) in out.iter_mut().zip([a, b, c, d, clamped, q.towards_unit()]) {
                    x.store(&mut column[i..]);
                }
            }
            out
        }
    }

    #[test]
    fn every_number_does_the_same_arithmetic() {
        let expected = Turns.run::<f64>().map(|column| column.map(f64::to_bits));
        assert_eq!(run(&mut Turns).map(|column| column.map(f64::to_bits)), expected);
        assert_eq!(portable::baseline(&mut Turns).map(|column| column.map(f64::to_bits)), expected);
        #[cfg(target_arch = "x86_64")]
        assert_eq!(x86::baseline(&mut Turns).map(|column| column.map(f64::to_bits)), expected);
    }

    /// Rows that begin five numbers apart, the first `K` of which are turned into columns and written into other rows.
    struct Rows<'a, const K: usize> {
        from: &'a [f64],
        to: &'a mut [f64],
        is_backwards: bool,
        columns: [[f64; MOST_LANES]; K],
    }

    impl<const K: usize> Rows<'_, K> {
        fn start(&self, i: usize) -> usize {
            5 * if self.is_backwards { MOST_LANES - 1 - i } else { i }
        }
    }

    impl<const K: usize> Job for Rows<'_, K> {
        type Output = ();

        #[inline(always)]
        fn run<N: Lanes>(&mut self) {
            let stride = if self.is_backwards { -5 } else { 5 };
            for i in (0..MOST_LANES).step_by(N::LANES) {
                let start = self.start(i);
                // SAFETY: a row of `K` for each lane, from here on.
                let columns: [N; K] = unsafe { N::load_rows(self.from.as_ptr().add(start), stride) };
                for k in 0..K {
                    columns[k].store(&mut self.columns[k][i..]);
                }
                // SAFETY: as above.
                unsafe { N::store_rows(columns, self.to.as_mut_ptr().add(start), stride) };
            }
        }
    }

    fn rows_become_columns_and_rows_again<const K: usize>(run: impl Fn(&mut Rows<K>)) {
        let from: Vec<f64> = (0..5 * (MOST_LANES - 1) + K).map(|i| i as f64).collect(); // the last row ends it
        for is_backwards in [false, true] {
            let mut to = vec![-1.0; from.len()];
            let mut rows = Rows::<K> { from: &from, to: &mut to, is_backwards, columns: [[f64::NAN; MOST_LANES]; K] };
            run(&mut rows);
            for k in 0..K {
                assert_eq!(rows.columns[k], std::array::from_fn(|i| from[rows.start(i) + k]));
            }
            let expected: Vec<f64> = (0..from.len()).map(|i| if i % 5 < K { from[i] } else { -1.0 }).collect();
            assert_eq!(to, expected, "the first {K} numbers of each row, and no others");
        }
    }

    #[test]
    fn rows_become_columns_and_rows_again_in_every_instruction_set() {
        rows_become_columns_and_rows_again::<3>(|rows| rows.run::<f64>());
        rows_become_columns_and_rows_again::<4>(|rows| rows.run::<f64>());
        rows_become_columns_and_rows_again::<3>(|rows| portable::baseline(rows));
        rows_become_columns_and_rows_again::<4>(|rows| portable::baseline(rows));
        #[cfg(target_arch = "x86_64")]
        {
            rows_become_columns_and_rows_again::<3>(|rows| x86::baseline(rows));
            rows_become_columns_and_rows_again::<4>(|rows| x86::baseline(rows));
            if available() >= Level::Avx2 {
                // SAFETY: there is AVX2.
                rows_become_columns_and_rows_again::<3>(|rows| unsafe { x86::avx2(rows) });
                // SAFETY: as above.
                rows_become_columns_and_rows_again::<4>(|rows| unsafe { x86::avx2(rows) });
            }
            if available() >= Level::Avx512 {
                // SAFETY: there is AVX-512.
                rows_become_columns_and_rows_again::<3>(|rows| unsafe { x86::avx512(rows) });
                // SAFETY: as above.
                rows_become_columns_and_rows_again::<4>(|rows| unsafe { x86::avx512(rows) });
            }
        }
    }
}
