//! The instruction sets: vector registers as [`Number`](crate::kernel::Number)s, and the choice between them at run time.
//!
//! No formula is here. A [`Job`] is written once over any [`Lanes`]; [`run`] compiles it for each instruction set and
//! calls the one this machine has. Each lane does the same IEEE operations in the same order as an `f64` would, so the choice
//! changes no bit.

#![allow(unsafe_code)] // vector intrinsics, and calls of functions compiled for more than the baseline

#[cfg(target_arch = "x86_64")]
mod pair;
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
/// Jobs are built where they are run, and taken by reference: copying what was just stored, in other pieces than it was stored in,
/// would wait for all stores before it.
#[inline(always)]
pub fn run<J: Job>(job: &mut J) -> J::Output {
    run_checked(level(), job)
}

/// Does a job with the instructions of a level, or the best there are below it.
pub fn run_at<J: Job>(level: Level, job: &mut J) -> J::Output {
    run_checked(level.min(available()), job)
}

/// Does a job with the code for machines that have no instruction set here.
pub fn run_portable<J: Job>(job: &mut J) -> J::Output {
    portable::baseline(job)
}

/// `level`: at most what is available.
#[inline(always)]
fn run_checked<J: Job>(level: Level, job: &mut J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    match level {
        // SAFETY: the caller has asked what is available.
        Level::Avx512 => unsafe { x86::avx512(job) },
        // SAFETY: as above.
        Level::Avx2 => unsafe { x86::avx2(job) },
        Level::Baseline => baseline(job),
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = level;
        baseline(job)
    }
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
