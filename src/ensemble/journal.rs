//! A sweep over all bodies, and how it is undone if it fails. The states come from
//! - the own blocks, and go to the spare ones (across): the own blocks still hold the states before.
//! - the own blocks, and stay there (in place): the spare blocks hold the states some sweeps earlier. The steps since are retaken.
//! - the caller's arrays, or a list of active bodies (gathered): the spare blocks hold the states before. The chunks that have changed are
//!   scattered back.

use super::pass::{Chunk, InPlace, Leaves, Pass};
use super::sweep::{Part, Storage, Sweep};
use super::{
    active::Active, lanes::CHUNK, last_torques::LastTorques, parameters::Inertias, scratch::Crew, stage_loops::Saved,
    states::StateStore,
};
use crate::clock::Clock;
use crate::error::{Error, Failure};
use crate::memory::{self, Bodies, StatesMut};

#[derive(Default)]
pub(super) struct Journal {
    /// How to rebuild the own blocks from the spare ones.
    pub(super) retake: Option<Retake>,
    /// For each chunk: whether the current sweep has scattered its new states.
    pub(super) done: Vec<bool>,
}

impl Journal {
    fn prepare(&mut self, count: usize) -> Result<(), Error> {
        let chunks = count.div_ceil(CHUNK);
        memory::make_room(&mut self.done, chunks)?;
        self.done.resize(chunks, false);
        Ok(())
    }
}

/// `steps` steps of `h`, with the current torque and inertias, or as many drifts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Retake {
    h: f64,
    steps: u64,
    kind: InPlace,
}

impl Retake {
    const MOST: u64 = 64;

    /// Adds more steps or drifts; `None` if their kind or length differs, or if they are too many.
    fn extended(self, by: Retake) -> Option<Retake> {
        let steps = self.steps.saturating_add(by.steps);
        let is_same = self.h.to_bits() == by.h.to_bits() && self.kind == by.kind;
        (is_same && steps <= Retake::MOST).then_some(Retake { steps, ..by })
    }
}

/// All of an ensemble that a sweep changes.
pub(super) struct Moving<'e, 'a> {
    pub(super) active: &'e Active,
    pub(super) states: &'e mut StateStore<'a>,
    pub(super) last: &'e mut LastTorques,
    pub(super) clock: &'e mut Clock,
    pub(super) crew: &'e mut Crew,
    pub(super) journal: &'e mut Journal,
}

impl Moving<'_, '_> {
    /// Takes `steps` steps of `h` by a pass, of all (active) bodies or of none. A failure tells how many could have been completed.
    #[inline(always)]
    pub(super) fn sweep<P: Pass>(&mut self, inertias: &Inertias, pass: &P, h: f64, steps: u64) -> Result<(), Failure> {
        self.states.prepare()?;
        let (gathers, positions) = (self.states.gathers(self.active), self.active.moving);
        self.crew.prepare(self.active.total, gathers || pass.in_place().is_none())?;
        if gathers {
            self.journal.prepare(self.active.total)?;
        }
        let shared = if gathers { None } else { self.states.shared_block(self.active) };
        let outcome = if !gathers && (1..=CHUNK).contains(&positions) {
            self.sweep_chunk(pass, h, steps)
        } else {
            self.sweep_chunks(inertias, pass, h, steps)
        };
        if let Some(block) = shared {
            self.states.restore_shared_block(block);
        }
        outcome.inspect_err(|failure| self.crew.note(failure))
    }

    /// Few bodies in own memory. A failure needs no undoing: the own blocks still hold the states before.
    #[inline(always)]
    fn sweep_chunk<P: Pass>(&mut self, pass: &P, h: f64, steps: u64) -> Result<(), Failure> {
        let (bodies, states) = (Bodies::From { first: 0, count: self.active.moving }, &mut *self.states);
        let keeps = pass.columns() > 0;
        let saved =
            if keeps { Saved { from: Some(&self.last.columns), to: &mut self.last.after } } else { Saved::nothing() };
        let predicted = states.predicted.as_mut().map_or(&mut [][..], |predicted| &mut predicted.values);
        let (clock, momenta, ahead) = (*self.clock, None, None);
        self.journal.retake = None;
        let (start, end) = (&states.own[..], &mut states.spare[..]);
        let chunk = Chunk { bodies, first: 0, start, end, saved, momenta, predicted, ahead, clock, steps };
        pass.visit(chunk, &mut self.crew.scratch[0].between)?;
        if pass.leaves() != Leaves::Nothing {
            std::mem::swap(&mut states.own, &mut states.spare);
            self.advance(h, steps, keeps);
        }
        Ok(())
    }

    #[inline(always)]
    fn advance(&mut self, h: f64, steps: u64, keeps: bool) {
        if keeps {
            std::mem::swap(&mut self.last.columns, &mut self.last.after);
        }
        if h != 0.0 {
            (0..steps).for_each(|_| self.clock.advance(h));
        }
    }

    #[inline(never)]
    fn sweep_chunks(&mut self, inertias: &Inertias, pass: &dyn Pass, h: f64, steps: u64) -> Result<(), Failure> {
        let (gathers, positions, columns) = (self.states.gathers(self.active), self.active.moving, pass.columns());
        let now = if gathers { None } else { pass.in_place() }.map(|kind| Retake { h, steps, kind });
        let since = self.journal.retake.take().filter(|_| now.is_some());
        let extended = since.zip(now).and_then(|(since, now)| since.extended(now));
        let storage = match extended {
            _ if gathers => Storage::Gathered,
            Some(_) => Storage::InPlace,
            None => Storage::Across,
        };
        let sweep = Sweep { pass, inertias, active: self.active, storage, clock: *self.clock, h, steps };

        self.journal.done.fill(false);
        let StateStore { own, spare, bound, predicted, .. } = &mut *self.states;
        let LastTorques { columns: saved, after, .. } = &mut *self.last;
        let done = &mut self.journal.done[..if gathers { positions.div_ceil(CHUNK) } else { 0 }];
        let share = !gathers || bound.is_whole();
        let mut threads = self.crew.threads.as_deref_mut().filter(|threads| share && threads.are_here());
        let predicted = predicted.as_mut().map_or(&mut [][..], |predicted| &mut predicted.values);
        let scratch = &mut self.crew.scratch;
        // A Rust callback may panic: the panic resumes after the states are restored.
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let (own, all) = if gathers { (&mut [][..], &mut own[..]) } else { (&mut own[..], &mut [][..]) };
            let (before, spare, done) = (&mut saved[..], &mut spare[..], &mut done[..]);
            let part = Part { first: 0, count: positions, own, spare, done, columns, before, after, predicted };
            sweep.run(part, all, bound, threads.as_deref_mut(), scratch)
        }));
        if matches!(outcome, Ok(Ok(()))) {
            if pass.leaves() == Leaves::Nothing {
                return Ok(());
            }
            if storage == Storage::Across {
                std::mem::swap(own, spare);
            }
            self.journal.retake = extended.or(now);
            self.advance(h, steps, storage != Storage::InPlace && columns > 0);
            return Ok(());
        }

        if storage == Storage::Gathered {
            sweep.undo(own, spare, bound, done);
        } else if let (Storage::InPlace, Some(since)) = (storage, since) {
            let again = Sweep { storage: Storage::Across, steps: since.steps, ..sweep };
            let (own, spare): (StatesMut, StatesMut) = (spare, own);
            let (before, after, predicted) = (&mut after[..], &mut saved[..], &mut [][..]);
            let part = Part { first: 0, count: positions, own, spare, done, columns, before, after, predicted };
            let _ = again.run(part, &mut [], bound, threads, scratch); // cannot fail: the same steps succeeded before
            self.journal.retake = Some(since);
        }
        outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}
