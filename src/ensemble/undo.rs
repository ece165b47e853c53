//! How an ensemble gets back to the states before a sweep that failed.
//!
//! - Across: the states before the sweep are in the blocks it started from. They stay the bodies' own.
//! - Gathered: the spare blocks keep what was gathered. The chunks that were advanced are scattered back.
//! - In place: the spare blocks hold the states of some sweeps ago. The steps from there are taken again, to the same bits.

use super::sweep::{Part, Sweep, Way};
use super::{Ensemble, FUSED};
use crate::error::{Error, Failure};
use crate::memory::StatesMut;

/// How the states in `own` came from those in `spare`: by `steps` steps of `h`, under the torque and the inertias that still are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Retake {
    h: f64,
    steps: u64,
}

impl Retake {
    /// The most steps to take again.
    const MOST: u64 = 64;

    /// By so many steps more, where they are like those before and not too many.
    fn extended(self, h: f64, steps: u64) -> Option<Retake> {
        let steps = self.steps.saturating_add(steps);
        (self.h.to_bits() == h.to_bits() && steps <= Retake::MOST && steps <= FUSED).then_some(Retake { h, steps })
    }
}

impl Ensemble<'_> {
    /// Takes some steps, or none. The failure then says how many could have been completed.
    pub(super) fn sweep(&mut self, h: f64, steps: u64) -> Result<(), Failure> {
        let (gathers, positions) = (self.gathers(), self.positions());
        let sweep = Sweep {
            method: self.method,
            inertias: &self.inertias,
            torque: &self.torque,
            active: self.active.as_deref(),
            way: if gathers { Way::Gathered } else { Way::Across },
            clock: self.clock,
            h,
            steps,
        };
        let can_retake = !gathers && positions > super::CHUNK && sweep.is_in_one_loop();
        let since = self.retake.take().filter(|_| can_retake);
        let extended = since.and_then(|since| since.extended(h, steps));
        let sweep = if extended.is_some() { Sweep { way: Way::InPlace, ..sweep } } else { sweep };

        self.done.fill(false);
        let (own, spare, bound) = (&mut self.own, &mut self.spare, &mut self.bound);
        let done = &mut self.done[..if gathers { positions.div_ceil(super::CHUNK) } else { 0 }];
        let threads = self.threads.as_ref().filter(|_| !gathers || bound.is_whole());
        let scratch = &mut self.scratch;
        let mut run = |sweep: &Sweep, part: Part| super::run(sweep, part, bound, threads, scratch);
        // a callback in Rust may panic; the panic goes on when the states are as before
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            run(&sweep, Part { first: 0, count: positions, own, spare, done })
        }));
        if matches!(outcome, Ok(Ok(()))) {
            if sweep.way == Way::Across {
                std::mem::swap(own, spare);
            }
            self.retake = extended.or(can_retake.then_some(Retake { h, steps }));
            (0..steps).for_each(|_| self.clock.advance(h));
            return Ok(());
        }

        match (sweep.way, since) {
            (Way::Across, _) => {}
            (Way::Gathered, _) => {
                sweep.undo(Part { first: 0, count: positions, own, spare, done }, bound);
            }
            (Way::InPlace, since) => {
                let (from, to): (StatesMut, StatesMut) = (spare, own);
                let since = since.unwrap_or(Retake { h, steps: 0 });
                let again = Sweep { way: Way::Across, steps: since.steps, ..sweep };
                let part = Part { first: 0, count: positions, own: from, spare: to, done };
                let _ = run(&again, part); // it went well before
                self.retake = Some(since);
            }
        }
        let outcome = outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        if let Err(Failure { cause: Error::ChunkCallback { result, .. }, .. }) = outcome {
            self.callback_result = result;
        }
        outcome
    }
}
