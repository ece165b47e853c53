//! The threads of an ensemble. They start with [`Threads::start`], share work in [`Threads::run`],
//! and end with the ensemble.
//!
//! The standard library and thread pools end the process when there is no memory for their notes
//! about a thread or a piece of work. Here it is an error, and [`Threads::run`] allocates nothing
//! (where a lock of the standard library does not, as on Linux).

#![allow(unsafe_code)] // starts threads by the C library, and lends them work that borrows

mod thread;

use crate::{error::Error, memory::make_room};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::{any::Any, ffi::c_void, hint::spin_loop, thread::yield_now, time::Instant};
use thread::{Thread, process};

/// The end of the bodies that a thread takes from. The caller and every second helper take from the
/// front, the others from the back: a body mostly stays in the cache of the same core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Front,
    Back,
}

/// Work that any number of threads may do at once; it divides the task itself.
type Work<'a> = &'a (dyn Fn(End) + Sync);

/// The caller's helpers, which wait for work.
pub(crate) struct Threads {
    /// The process that started them: a fork has none of them.
    process: u32,
    helpers: Vec<Thread>,
    /// One; a vector because its memory can be refused, and because it stays where it is when
    /// `Threads` moves.
    shared: Vec<Shared>,
}

/// What the caller and the helpers share.
#[derive(Default)]
struct Shared {
    offer: Mutex<Offer>,
    /// The helpers wait here for an offer.
    offered: Condvar,
    /// The caller waits here until the helpers have begun, and until they have done their work.
    done: Condvar,
    /// How many more helpers may take the work, and how many are doing it. Changed under the lock
    /// only; read without it while waiting.
    open: AtomicUsize,
    busy: AtomicUsize,
}

#[derive(Default)]
struct Offer {
    /// The work, valid as long as a helper may still take it or is busy with it.
    work: Option<Work<'static>>,
    /// The helpers that have begun, and those that sleep.
    begun: usize,
    asleep: usize,
    panic: Option<Box<dyn Any + Send>>,
    ends: bool,
}

impl Threads {
    /// Starts `count - 1` helpers, and waits until they run: when a fork comes, no start of a
    /// thread holds a lock of the memory allocator.
    pub(crate) fn start(count: usize) -> Result<Self, Error> {
        let mut threads = Threads {
            process: process(),
            helpers: Vec::new(),
            shared: Vec::new(),
        };
        make_room(&mut threads.shared, 1)?;
        threads.shared.push(Shared::default());
        make_room(&mut threads.helpers, count - 1)?;
        for _ in 1..count {
            let shared = threads.shared.as_ptr().cast_mut().cast();
            // if one does not start, drop ends the others
            threads.helpers.push(Thread::start(help, shared)?);
        }
        let shared = &threads.shared[0];
        drop(
            shared
                .done
                .wait_while(locked(&shared.offer), |offer| offer.begun < count - 1),
        );
        Ok(threads)
    }

    pub(crate) fn are_here(&self) -> bool {
        self.process == process()
    }

    pub(crate) fn count(&self) -> usize {
        self.helpers.len() + 1
    }

    /// Runs `work` on this thread and on helpers, at most `most` times in all. A helper that does
    /// not wake before this thread has finished is not waited for. The helpers stay awake for a
    /// while for the next call.
    pub(crate) fn run(&mut self, most: usize, work: Work) {
        let shared = &self.shared[0];
        let helpers = self.helpers.len();
        let mut offer = locked(&shared.offer);
        discard(offer.panic.take()); // of a run in which the caller's thread panicked too
        // SAFETY: only the lifetime changes. `Taken` withdraws the offer and waits for who took it
        // before `work` ends, also if it panics.
        offer.work = Some(unsafe { std::mem::transmute::<Work<'_>, Work<'static>>(work) });
        let open = helpers.min(most - 1);
        shared.open.store(open, Ordering::Relaxed);
        let to_wake = (open + offer.asleep).saturating_sub(helpers);
        let all = to_wake == offer.asleep;
        drop(offer);
        let taken = Taken(shared);
        match to_wake {
            0 => {}
            _ if all => shared.offered.notify_all(),
            _ => {
                for _ in 0..to_wake {
                    shared.offered.notify_one();
                }
            }
        }
        work(End::Front);
        drop(taken);
        let panic = locked(&shared.offer).panic.take();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }
}

/// Whether any place of the work is open, or any helper busy.
fn any(count: &AtomicUsize) -> bool {
    count.load(Ordering::Relaxed) > 0
}

/// What a helper does until it is to end.
extern "C" fn help(shared: *mut c_void) -> *mut c_void {
    // SAFETY: `Threads` gave this pointer, and keeps what it points to until the thread has ended.
    // It is shared only.
    let shared = unsafe { &*shared.cast::<Shared>() };
    let mut offer = locked(&shared.offer);
    let end = if offer.begun.is_multiple_of(2) {
        End::Back
    } else {
        End::Front
    };
    offer.begun += 1;
    shared.done.notify_one();
    while !offer.ends {
        if let Some(work) = offer.work.filter(|_| any(&shared.open)) {
            shared.open.fetch_sub(1, Ordering::Relaxed);
            shared.busy.fetch_add(1, Ordering::Relaxed);
            drop(offer);
            let outcome = catch_unwind(AssertUnwindSafe(|| work(end)));
            offer = locked(&shared.offer);
            if let Err(panic) = outcome {
                discard(offer.panic.replace(panic));
            }
            shared.busy.fetch_sub(1, Ordering::Relaxed);
            if !any(&shared.busy) {
                shared.done.notify_one();
            }
        } else {
            offer.asleep += 1;
            offer = shared
                .offered
                .wait(offer)
                .unwrap_or_else(PoisonError::into_inner);
            offer.asleep -= 1;
        }
        drop(offer);
        // Also after waking, or after an offer that others were quicker to take: another may follow
        // soon.
        offer = loop {
            let is_offered = stay_awake(|| any(&shared.open));
            let offer = locked(&shared.offer);
            if !is_offered || any(&shared.open) || offer.ends {
                break offer;
            }
        };
    }
    std::ptr::null_mut()
}

/// Work that helpers may have taken. When it is dropped, no helper has it any more.
struct Taken<'a>(&'a Shared);

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        let Taken(shared) = self;
        let offer = locked(&shared.offer);
        shared.open.store(0, Ordering::Relaxed);
        drop(offer);
        stay_awake(|| !any(&shared.busy));
        let offer = shared
            .done
            .wait_while(locked(&shared.offer), |_| any(&shared.busy));
        offer.unwrap_or_else(PoisonError::into_inner).work = None;
    }
}

/// The lock of a mutex. What it guards is whole even after a panic.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Drops a panic that nobody gets. What panics again in being dropped stays in memory.
fn discard(panic: Option<Box<dyn Any + Send>>) {
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        std::mem::forget(again);
    }
}

/// Spins until `until` holds, for 100 µs at most: waking a thread takes as long as a step of ten
/// thousand bodies. Says whether it holds.
fn stay_awake(until: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    loop {
        for _ in 0..16 {
            if until() {
                return true;
            }
            spin_loop();
        }
        match start.elapsed().as_micros() {
            0..20 => {}
            20..100 => yield_now(), // if there are more threads than cores
            _ => return false,
        }
    }
}

impl Drop for Threads {
    /// Makes the threads end when they have done their work, and waits for that. A forked child has
    /// none.
    fn drop(&mut self) {
        if !self.are_here() {
            // its lock may have been taken at the fork
            return std::mem::forget(std::mem::take(&mut self.shared));
        }
        if let Some(shared) = self.shared.first() {
            locked(&shared.offer).ends = true;
            // no offer: it ends the waiting in `stay_awake`
            shared.open.store(1, Ordering::Relaxed);
            shared.offered.notify_all();
        }
        for helper in self.helpers.drain(..) {
            helper.join();
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/threads.rs"]
mod tests;

/// The threads, for a call that has them to itself.
#[inline(always)]
pub(crate) fn unlocked(threads: &mut Option<Box<Mutex<Threads>>>) -> Option<&mut Threads> {
    match threads {
        Some(threads) => Some(threads.get_mut().unwrap_or_else(PoisonError::into_inner)),
        None => None,
    }
}
