//! Instruction sets: vector registers as [`Number`]s, chosen at run time.
//!
//! A [`Job`] is written once for any [`Number`]. [`run_on`] compiles it for each instruction set
//! and calls the best that this machine has. Each lane performs the same IEEE operations in the
//! same order as an `f64`, so the choice changes no bit.

// vector intrinsics, and calls of functions compiled for more than the baseline
#![allow(unsafe_code)]

#[cfg(target_arch = "aarch64")]
mod neon;
mod pair;
mod rows;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

use crate::kernel::Number;
pub(crate) use pair::Pair;
pub(crate) use rows::{load_columns, load_packed, store_columns, store_packed};
pub use rows::{load_rows, store_rows};
use std::sync::OnceLock;

/// Two numbers, in a register that every processor of the architecture has: SSE2, NEON, or
/// elsewhere a pair of plain numbers.
#[cfg(target_arch = "aarch64")]
pub(crate) use neon::F64x2 as Two;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) type Two = Pair<f64>;
#[cfg(target_arch = "x86_64")]
pub(crate) use x86::F64x2 as Two;

/// Code that is generic over the lanes, and compiled for each instruction set. It returns an `R`.
pub trait Job<R = ()> {
    /// Whether the job takes two registers of AVX-512 at a time, which hides latencies. It is for
    /// jobs whose numbers still fit in the registers then, as measured (PERF-4).
    const BY_TWO: bool = false;

    /// Whether the job takes one or two numbers as a pair, which saves the code of one more loop.
    /// It is for jobs that rarely have so few.
    const FEW_IN_A_PAIR: bool = false;

    /// Runs the job with vectors `N`. This function and all that it calls must be
    /// `#[inline(always)]`, to be compiled for the instruction set.
    fn in_lanes<N: Number>(&mut self) -> R;
}

/// The entries to a job, each compiled once and not at each call. As methods of the job they belong
/// to the module that defines its type, and to the codegen unit of that module. If they were
/// functions of this module, all loops of the library would be one unit, which takes minutes and
/// gigabytes to compile.
trait Entries<R>: Job<R> {
    /// # Safety
    /// The processor has AVX-512 F, DQ and VL.
    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
    unsafe fn avx512<N: Number>(&mut self) -> R {
        align_stack();
        self.in_lanes::<N>()
    }

    /// # Safety
    /// The processor has AVX2.
    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    #[target_feature(enable = "avx2")]
    unsafe fn avx2(&mut self) -> R {
        align_stack();
        self.in_lanes::<x86::F64x4>()
    }

    #[inline(never)]
    fn plain<N: Number>(&mut self) -> R {
        self.in_lanes::<N>()
    }
}

impl<R, J: Job<R>> Entries<R> for J {}

/// Makes the compiler align the stack of a function for vector registers (PERF-13). The compiler
/// decides that before it knows which registers it will have to spill. Without a variable that asks
/// for it, each spilled register would cross two cache lines, which costs up to a third of a loop's
/// time.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn align_stack() {
    use std::mem::MaybeUninit;
    #[repr(align(64))]
    struct AsRegister {
        _any: MaybeUninit<u8>,
    }
    std::hint::black_box(&AsRegister {
        _any: MaybeUninit::uninit(),
    });
}

/// The instruction sets, ascending. `QUATINT_SIMD` (`baseline`, `avx2`, `avx512`; environment, read
/// once) limits the choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Available on every machine of the architecture: SSE2 on x86-64, NEON on aarch64, elsewhere
    /// plain numbers.
    Baseline,
    /// Four lanes per register.
    Avx2,
    /// Eight lanes per register, and twice as many registers.
    Avx512,
}

/// The instruction set in use.
#[inline]
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

fn available() -> Level {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        let has_dq_vl =
            is_x86_feature_detected!("avx512dq") && is_x86_feature_detected!("avx512vl");
        return if is_x86_feature_detected!("avx512f") && has_dq_vl {
            Level::Avx512
        } else {
            Level::Avx2
        };
    }
    Level::Baseline
}

/// Runs a job with the instruction set `level`, or with the best available one below it.
pub fn run_at<R, J: Job<R>>(level: Level, job: &mut J) -> R {
    run_checked(level.min(available()), job)
}

/// Runs a job with four lanes as plain numbers, as any architecture can.
pub fn run_portable<R, J: Job<R>>(job: &mut J) -> R {
    job.plain::<Pair<Pair<f64>>>()
}

/// Runs a job with the instruction set `level`, which must be available.
#[inline(always)]
fn run_checked<R, J: Job<R>>(level: Level, job: &mut J) -> R {
    match level {
        // SAFETY: the caller has checked that the instruction set is available.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 if J::BY_TWO => unsafe { job.avx512::<Pair<x86::F64x8>>() },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { job.avx512::<x86::F64x8>() },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { job.avx2() },
        _ => job.plain::<Two>(),
    }
}

/// Clears the upper halves of the AVX registers, which a caller or, with `AFTER_CALL`, a callback
/// may have left in use. Otherwise scalar instructions would depend on them, and code of one body
/// would take five to fifteen times as long. Code compiled for more than the baseline may use it
/// only with `AFTER_CALL`: the registers then count as changed. Otherwise they do not, because a
/// function of Windows would have to restore them.
#[inline(always)]
pub(crate) fn clear_upper_halves<const AFTER_CALL: bool>() {
    #[cfg(all(target_arch = "x86_64", not(target_feature = "avx")))]
    if is_x86_feature_detected!("avx") {
        use std::arch::asm;
        match AFTER_CALL {
            // SAFETY: the processor has AVX. Code of the baseline has nothing in upper halves.
            false => unsafe { asm!("vzeroupper", options(nomem, nostack, preserves_flags)) },
            // SAFETY: the processor has AVX. After a call no code counts on these registers.
            true => unsafe {
                asm!(
                    "vzeroupper",
                    clobber_abi("C"),
                    options(nomem, nostack, preserves_flags)
                )
            },
        }
    }
}

/// Prefetches the element `ahead` places after this one of an array, which may be beyond its end.
/// It has no other effect.
#[inline(always)]
pub(crate) fn prefetch<T>(here: &T, ahead: usize) {
    const LINE: usize = 64; // bytes
    let there = std::ptr::from_ref(here).wrapping_add(ahead).cast::<i8>();
    #[cfg(target_arch = "x86_64")]
    for offset in (0..size_of::<T>()).step_by(LINE) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch of any address is harmless.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(there.wrapping_add(offset)) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (there, LINE);
}

/// A job without lanes: code of one body, or a loop that the compiler vectorises.
impl<R, F: FnMut() -> R> Job<R> for F {
    #[inline(always)]
    fn in_lanes<N: Number>(&mut self) -> R {
        self()
    }
}

/// Runs code of one body, in a function of its own. With `by_avx512` that function is compiled for
/// AVX-512, if the machine has it: there are twice as many registers then, and no operation
/// overwrites an operand, but not all code is faster.
#[inline(always)]
pub(crate) fn run_single<R>(by_avx512: bool, mut run: impl FnMut() -> R) -> R {
    if cfg!(target_arch = "x86_64") && by_avx512 && level() == Level::Avx512 {
        // SAFETY: the instruction set is available.
        #[cfg(target_arch = "x86_64")]
        return unsafe { run.avx512::<f64>() };
    }
    run.plain::<f64>()
}

/// Runs a job on `count` numbers with this machine's instruction set. One or two numbers are
/// scalars or a pair, on which loops rely. `job` is a reference, because copying fields that were
/// just written would wait for their stores.
#[inline(always)]
pub fn run_on<R, J: Job<R>>(count: usize, job: &mut J) -> R {
    match count {
        0..=2 if J::FEW_IN_A_PAIR => job.plain::<Two>(),
        0..=2 => job.plain::<f64>(),
        _ => run_checked(level(), job),
    }
}
