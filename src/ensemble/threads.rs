//! The threads of an ensemble: started when they are asked for, gone before the ensemble is.

use crate::error::Error;
use std::thread::{Builder, JoinHandle};

/// A pool, and the threads in it.
pub(super) struct Threads {
    pool: Option<rayon::ThreadPool>,
    handles: Vec<JoinHandle<()>>,
}

impl Threads {
    pub(super) fn start(threads: usize) -> Result<Self, Error> {
        let mut handles = Vec::new();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .spawn_handler(|worker| {
                handles.push(Builder::new().name("quatint".into()).spawn(|| worker.run())?);
                Ok(())
            })
            .build();
        Ok(Threads { pool: Some(pool.map_err(|_| Error::Memory)?), handles })
    }

    pub(super) fn count(&self) -> usize {
        self.handles.len()
    }

    /// Runs this on the pool, where `rayon::join` shares work among its threads.
    pub(super) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.as_ref().expect("there until drop").install(work)
    }
}

impl Drop for Threads {
    /// Waits for the threads to end: when the ensemble is gone, nothing of it runs or keeps memory.
    fn drop(&mut self) {
        self.pool = None;
        for handle in self.handles.drain(..) {
            let _ = handle.join(); // a panic in it has been reported by the step it was in
        }
    }
}
