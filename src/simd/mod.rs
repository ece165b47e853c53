//! The instruction sets: vector registers as [`Number`]s, and the choice between them at run time.
//!
//! No formula is here. A [`Job`] is written once over any [`Number`]; [`run`] compiles it for each instruction set and
//! calls the one this machine has. Each lane does the same IEEE operations in the same order as an `f64` would, so the choice
//! changes no bit.

#![allow(unsafe_code)] // vector intrinsics, and calls of functions compiled for more than the baseline

#[cfg(target_arch = "x86_64")]
mod pair;
#[cfg(any(test, not(target_arch = "x86_64")))]
mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

use crate::kernel::Number;
use std::sync::OnceLock;

/// Work that is written over any block of lanes.
pub trait Job {
    /// What it comes to.
    type Output;

    /// Does it with blocks `N`. To be `#[inline(always)]`, all the way down, or the instruction set does not reach it.
    fn run<N: Number>(self) -> Self::Output;
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
#[inline(always)] // so that a job is built where it is read: a copy of what was just stored waits for all stores before it
pub fn run<J: Job>(job: J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    match level() {
        // SAFETY: `level` is never more than `available` has detected.
        Level::Avx512 => unsafe { x86::avx512(job) },
        // SAFETY: as above.
        Level::Avx2 => unsafe { x86::avx2(job) },
        Level::Baseline => x86::baseline(job),
    }
    #[cfg(not(target_arch = "x86_64"))]
    portable::baseline(job)
}

/// Asks for memory that will be needed soon, where it is more than the processor's own foresight reaches. Changes nothing else.
#[inline(always)]
pub fn prefetch<T>(soon: &T) {
    let start = std::ptr::from_ref(soon).cast::<u8>();
    for line in (0..size_of::<T>()).step_by(64) {
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
pub fn run_on<J: Job>(count: usize, job: J) -> J::Output {
    if count <= 2 { job.run::<f64>() } else { run(job) }
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
        fn run<N: Number>(self) -> Self::Output {
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
        assert_eq!(run(Turns).map(|column| column.map(f64::to_bits)), expected);
        assert_eq!(portable::baseline(Turns).map(|column| column.map(f64::to_bits)), expected);
        #[cfg(target_arch = "x86_64")]
        assert_eq!(x86::baseline(Turns).map(|column| column.map(f64::to_bits)), expected);
    }
}
