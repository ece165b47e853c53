//! Instruction sets: vector registers as [`Number`](crate::kernel::Number)s, chosen at run time.
//!
//! A [`Job`] is written once for any [`Lanes`]. [`run`] compiles it for each instruction set and calls the best that this
//! machine has. Each lane performs the same IEEE operations in the same order as an `f64`, so the choice changes no bit.

#![allow(unsafe_code)] // vector intrinsics, and calls of functions compiled for more than the baseline

mod pair;
mod rows;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use rows::Lanes;
pub(crate) use rows::{load_columns, load_packed, store_columns, store_packed};
use std::sync::OnceLock;

#[cfg(not(target_arch = "x86_64"))]
use run_portable as baseline;
#[cfg(target_arch = "x86_64")]
use x86::baseline;

/// Code that is generic over the lanes, and compiled for each instruction set.
pub trait Job {
    /// The result.
    type Output;

    /// Runs the job with vectors `N`. It and all that it calls must be `#[inline(always)]` to get the instruction set.
    fn run<N: Lanes>(&mut self) -> Self::Output;
}

/// The instruction sets, ascending. `QUATINT_SIMD` (`baseline`, `avx2`, `avx512`; environment, read once) limits the choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Available on every machine of the architecture: SSE2, NEON.
    Baseline,
    /// Four lanes per register.
    Avx2,
    /// Eight lanes per register, and twice as many registers.
    Avx512,
}

/// The instruction set in use.
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

/// Runs a job with this machine's instruction set. `job` is a reference: copying fields just written stalls store forwarding.
#[inline(always)]
pub fn run<J: Job>(job: &mut J) -> J::Output {
    run_checked(level(), job)
}

/// Runs a job with the instruction set `level`, or with the best available one below it.
pub fn run_at<J: Job>(level: Level, job: &mut J) -> J::Output {
    run_checked(level.min(available()), job)
}

/// Runs a job on any architecture: four lanes as plain numbers, which the compiler vectorises if it can.
#[inline(never)] // compiled once, not at each call
pub fn run_portable<J: Job>(job: &mut J) -> J::Output {
    job.run::<pair::Pair<pair::Pair<f64>>>()
}

/// `level` must be available.
#[inline(always)]
fn run_checked<J: Job>(level: Level, job: &mut J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    match level {
        // SAFETY: the caller has checked that the instruction set is available.
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

#[cfg(not(target_arch = "x86_64"))]
pub(crate) use pair::Two;
/// Two numbers: on x86-64 in a register that every processor has.
#[cfg(target_arch = "x86_64")]
pub(crate) use x86::F64x2 as Two;

/// Bytes per cache line.
pub const LINE: usize = 64;

/// Prefetches a value that the hardware prefetcher would miss. Has no other effect.
#[inline(always)]
pub fn prefetch<T>(soon: &T) {
    let start = std::ptr::from_ref(soon).cast::<u8>();
    for line in (0..size_of::<T>()).step_by(LINE) {
        prefetch_at(start.wrapping_add(line));
    }
}

/// Prefetches the cache line at any address, valid or not.
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

/// Runs a job on `count` numbers: as scalars if there are too few for a vector.
#[inline(always)]
pub fn run_on<J: Job>(count: usize, job: &mut J) -> J::Output {
    if count <= 2 { one_by_one(job) } else { run(job) }
}

#[inline(never)]
fn one_by_one<J: Job>(job: &mut J) -> J::Output {
    job.run::<f64>()
}
