//! The threads of an ensemble: started when they are asked for, gone before the ensemble is.

use crate::error::Error;
use std::hint::spin_loop;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{Builder, JoinHandle, yield_now};
use std::time::Instant;

/// Where a thread takes its work from. Half of them begin at each end, so that a body's state is mostly where it was left: in
/// the cache of one processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Front,
    Back,
}

/// Those that help the caller's own.
pub(super) struct Threads {
    pool: Option<rayon::ThreadPool>,
    helpers: Vec<JoinHandle<()>>,
    /// How often they have been called.
    calls: Arc<AtomicUsize>,
}

impl Threads {
    /// `count` threads with the caller's own.
    pub(super) fn start(count: usize) -> Result<Self, Error> {
        let mut helpers = Vec::new();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(count - 1)
            .spawn_handler(|worker| {
                helpers.push(Builder::new().name("quatint".into()).spawn(|| worker.run())?);
                Ok(())
            })
            .build();
        Ok(Threads { pool: Some(pool.map_err(|_| Error::Memory)?), helpers, calls: Arc::default() })
    }

    pub(super) fn count(&self) -> usize {
        self.helpers.len() + 1
    }

    /// Runs this here and on the helpers, `most` times in all; it shares out the work itself. The helpers then stay awake for
    /// the next call. On a thread of a rayon pool, a helper's among them, it is done by that thread alone.
    pub(super) fn run(&self, most: usize, work: impl Fn(End) + Sync) {
        if rayon::current_thread_index().is_some() {
            // Of another pool: it would take up other work of that pool while it waits, such as what called us.
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
            stay_awake(|| busy.load(Ordering::Acquire) == 0); // then, or if they take long, the scope waits for them
        });
    }
}

/// Waits for this, awake: to be woken takes as long as a step of ten thousand bodies. But no longer than that takes.
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
            20..100 => yield_now(), // where there are more threads than processors
            _ => return,
        }
    }
}

/// Tells that a helper is done, also where it panicked.
struct Leave<'a>(&'a AtomicUsize);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

impl Drop for Threads {
    /// Waits for the threads to end: when the ensemble is gone, nothing of it runs or keeps memory.
    fn drop(&mut self) {
        self.pool = None;
        for helper in self.helpers.drain(..) {
            let _ = helper.join(); // a panic in it has been reported by the step it was in
        }
    }
}
