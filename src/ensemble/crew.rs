//! The threads of an ensemble, and their memory.

use super::scratch::Scratch;
use crate::error::{Error, Failure};
use crate::{memory::make_room, threads::Threads};

#[derive(Default)]
pub(super) struct Crew {
    pub(super) threads: Option<Threads>,
    pub(super) scratch: Vec<Scratch>,
    /// The return value of the callback that last stopped a step.
    pub(super) callback_result: i32,
}

impl Crew {
    /// `count` threads, including the caller's.
    pub(super) fn set_threads(&mut self, count: usize) -> Result<(), Error> {
        self.threads = if count == 1 { None } else { Some(Threads::start(count)?) };
        Ok(())
    }

    /// Makes the memory of each thread: for a chunk of an ensemble with `count` bodies or, where none is needed, nothing but its place.
    #[inline]
    pub(super) fn prepare(&mut self, count: usize, is_needed: bool) -> Result<(), Error> {
        let threads = self.threads.as_ref().map_or(1, Threads::count);
        let is_ready = self.scratch.len() == threads && (!is_needed || self.scratch[0].fits(count));
        if is_ready { Ok(()) } else { self.make(threads, count, is_needed) }
    }

    #[cold]
    fn make(&mut self, threads: usize, count: usize, is_needed: bool) -> Result<(), Error> {
        let mut all = Vec::new();
        make_room(&mut all, threads)?;
        for _ in 0..threads {
            all.push(if is_needed { Scratch::new(count)? } else { Scratch::default() });
        }
        self.scratch = all;
        Ok(())
    }

    #[cold]
    pub(super) fn note(&mut self, failure: &Failure) {
        if let Error::ChunkCallback { result, .. } = failure.cause {
            self.callback_result = result;
        }
    }
}
