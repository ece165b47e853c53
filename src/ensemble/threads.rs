//! The threads of an ensemble. They start with [`Threads::start`] and end with the ensemble.

use crate::error::Error;
use std::hint::spin_loop;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{Builder, JoinHandle, yield_now};
use std::time::Instant;

/// The end that a thread takes work from. Half start at each end: a body's state mostly stays in the cache of the same core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Front,
    Back,
}

/// The stack of a helper, in bytes: that of a main thread, since callbacks run on both.
const STACK: usize = 8 << 20;

pub(super) struct Threads {
    /// The process that started them: a fork has none of them.
    process: u32,
    pool: Option<rayon::ThreadPool>,
    helpers: Vec<JoinHandle<()>>,
    /// The number of calls of [`Threads::run`].
    calls: Arc<AtomicUsize>,
}

impl Threads {
    /// Starts `count - 1` helpers.
    pub(super) fn start(count: usize) -> Result<Self, Error> {
        let mut helpers = Vec::new();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(count - 1)
            .spawn_handler(|worker| {
                helpers.push(Builder::new().name("quatint".into()).stack_size(STACK).spawn(|| worker.run())?);
                Ok(())
            })
            .build();
        let process = std::process::id();
        Ok(Threads { process, pool: Some(pool.map_err(|_| Error::Memory)?), helpers, calls: Arc::default() })
    }

    /// Whether this process has them.
    pub(super) fn are_here(&self) -> bool {
        self.process == std::process::id()
    }

    pub(super) fn count(&self) -> usize {
        self.helpers.len() + 1
    }

    /// Runs `work` on this thread and the helpers, at most `most` times; `work` itself divides the task. The helpers then stay
    /// awake for the next call. On a thread of a rayon pool, only that thread works.
    pub(super) fn run(&self, most: usize, work: impl Fn(End) + Sync) {
        if rayon::current_thread_index().is_some() {
            // In a foreign pool, waiting would let this thread run other jobs of that pool, even its own caller.
            return work(End::Front);
        }
        let helpers = self.helpers.len().min(most - 1);
        let (busy, call) = (AtomicUsize::new(helpers), self.calls.load(Ordering::Relaxed) + 1);
        self.pool.as_ref().expect("there until drop").in_place_scope(|scope| {
            for _ in 0..helpers {
                scope.spawn(|_| {
                    let _leave = Leave(&busy);
                    let helper = rayon::current_thread_index().unwrap_or(0);
                    work(if helper.is_multiple_of(2) { End::Back } else { End::Front });
                    let calls = Arc::clone(&self.calls);
                    rayon::spawn(move || stay_awake(|| calls.load(Ordering::Relaxed) != call));
                });
            }
            self.calls.store(call, Ordering::Relaxed);
            work(End::Front);
            stay_awake(|| busy.load(Ordering::Acquire) == 0); // a longer wait happens in the scope
        });
    }
}

/// Spins until `until` holds, for 100 µs at most: waking a thread takes as long as a step of ten thousand bodies.
fn stay_awake(until: impl Fn() -> bool) {
    let start = Instant::now();
    loop {
        for _ in 0..16 {
            if until() {
                return;
            }
            spin_loop();
        }
        match start.elapsed().as_micros() {
            0..20 => {}
            20..100 => yield_now(), // if there are more threads than cores
            _ => return,
        }
    }
}

/// Counts a helper as done, even after a panic.
struct Leave<'a>(&'a AtomicUsize);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

impl Drop for Threads {
    /// Waits for the threads to end. In a fork, nothing answers that would end.
    fn drop(&mut self) {
        if !self.are_here() {
            std::mem::forget(self.pool.take());
            return std::mem::forget(std::mem::take(&mut self.helpers));
        }
        self.pool = None;
        for helper in self.helpers.drain(..) {
            let _ = helper.join(); // its panic has already been reported
        }
    }
}
