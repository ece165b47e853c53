//! Restores the states before a sweep that failed.
//! - Across: the own blocks still hold these states.
//! - Gathered: the spare blocks hold them, as gathered. The chunks that have changed are scattered back.
//! - In place: the spare blocks hold the states some sweeps earlier. The steps since are retaken, with the same bits.

use super::Ensemble;
use super::active::Active;
use super::kicks::{Motion, Predicted};
use super::part::{Kept, Part};
use super::stages::Saved;
use super::steps::{DRIFT, is_in_one_loop};
use super::sweep::{Storage, Sweep, Work};
use crate::error::{Error, Failure};
use crate::memory::StatesMut;
use crate::method::Method;

/// How to rebuild `own` from `spare`: `steps` steps of `h`, with the current torque and inertias, or as many drifts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Retake {
    h: f64,
    steps: u64,
    are_drifts: bool,
}

impl Retake {
    const MOST: u64 = 64;

    /// Adds more steps or drifts; `None` if their kind or length differs, or if they are too many.
    fn extended(self, by: Retake) -> Option<Retake> {
        let steps = self.steps.saturating_add(by.steps);
        let is_same = self.h.to_bits() == by.h.to_bits() && self.are_drifts == by.are_drifts;
        (is_same && steps <= Retake::MOST).then_some(Retake { steps, ..by })
    }
}

/// Who has computed the last torque.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TorqueFrom {
    /// The ensemble's callback or ready-made torque.
    Ensemble,
    /// The caller of the stage protocol.
    Stages,
    /// Rows with memory, which anyone may have computed.
    Rows,
}

impl Ensemble<'_> {
    /// Takes `steps` steps, or none. A failure tells how many could have been completed.
    pub(super) fn sweep(&mut self, h: f64, steps: u64) -> Result<(), Failure> {
        // PCDM is stable under any resistance that is known, and keeps nothing from step to step
        if self.method == Method::Pcdm {
            return self.sweep_once(h, steps, Work::Steps);
        }
        let (known, last_h, was_new) = (self.known_torque, self.last_h, self.may_have_newcomers);
        let mut replaces = false;
        let outcome = self.prepare(h, &mut replaces).and_then(|()| self.sweep_once(h, steps, Work::Steps));
        if outcome.is_err() {
            if replaces {
                std::mem::swap(&mut self.saved, &mut self.saved_before);
            }
            (self.known_torque, self.last_h, self.may_have_newcomers) = (known, last_h, was_new);
        }
        outcome
    }

    /// Before steps of `h`: whether they are stable, and the first torque if the method keeps one. Sets `replaces` if known torques have
    /// been asked anew: `saved_before` then has the old ones.
    #[inline(never)]
    fn prepare(&mut self, h: f64, replaces: &mut bool) -> Result<(), Failure> {
        self.check_stable(h)?;
        let acts = self.drag.is_some() || self.torque.acts();
        let asks_all = self.asks_for_first_torque(h, TorqueFrom::Ensemble);
        self.last_h = h;
        if !acts || !(asks_all || self.has_newcomers()) {
            return Ok(());
        }
        *replaces = self.ask_last_torques(asks_all, |e| {
            e.known_torque = None; // a callback may panic
            e.sweep_once(h, 1, Work::Open)
        })?;
        self.may_have_newcomers = false;
        self.known_torque = Some(TorqueFrom::Ensemble);
        Ok(())
    }

    /// Whether the method keeps the last torque but has none from this source. With implicit drag it also keeps a difference from step to
    /// step, which holds for one length of step.
    pub(super) fn asks_for_first_torque(&self, h: f64, source: TorqueFrom) -> bool {
        let choice = self.choice();
        let is_same_step = !choice.resists || self.last_h.to_bits() == h.to_bits();
        let is_known = self.known_torque == Some(source) || self.known_torque == Some(TorqueFrom::Rows);
        choice.keeps_torque() && !(is_known && is_same_step)
    }

    /// Kicks or drifts all bodies, or none.
    pub(super) fn sweep_motion(&mut self, motion: Motion) -> Result<(), Failure> {
        let is_in_one_loop = !self.gathers() && is_in_one_loop(DRIFT.0, DRIFT.1, &self.inertias);
        let is_drift = motion.is_drift() && self.drag.is_none() && is_in_one_loop;
        self.sweep_once(motion.drift, 1, if is_drift { Work::Drift } else { Work::Move(&motion) })
    }

    #[inline(always)]
    fn sweep_once(&mut self, h: f64, steps: u64, work: Work) -> Result<(), Failure> {
        match self.active {
            Active::First(_) if self.bound.is_empty() => self.sweep_first(h, steps, work),
            _ => self.sweep_all(h, steps, work),
        }
    }

    /// For the first bodies in own memory.
    #[inline(never)]
    fn sweep_first(&mut self, h: f64, steps: u64, work: Work) -> Result<(), Failure> {
        let shared = self.shared_block();
        let outcome = self.sweep_all(h, steps, work);
        shared.into_iter().for_each(|block| self.restore_shared_block(block));
        outcome
    }

    #[inline(always)]
    fn sweep_all(&mut self, h: f64, steps: u64, work: Work) -> Result<(), Failure> {
        let is_a_chunk = (1..=super::CHUNK).contains(&self.active_count());
        if is_a_chunk && matches!(work, Work::Steps | Work::Drift) && !self.gathers() {
            self.sweep_chunk(h, steps, work)
        } else {
            self.sweep_chunks(h, steps, work)
        }
    }

    /// Steps of few bodies in own memory. A failure needs no undoing: the own blocks still hold the states before.
    fn sweep_chunk(&mut self, h: f64, steps: u64, work: Work) -> Result<(), Failure> {
        let positions = self.active_count();
        let (method, torque) = work.by(self.choice(), &self.torque);
        let sweep = Sweep {
            method,
            drag: self.drag.as_ref(),
            inertias: &self.inertias,
            torque,
            active: None,
            storage: Storage::Across,
            clock: self.clock,
            h,
            steps,
            work,
        };
        let saved = Saved { from: Some(&self.saved), to: &mut self.saved_spare };
        let between = &mut self.scratch[0].between;
        self.retake = None;
        let outcome = sweep.advance(&sweep.run_at(0, positions), &self.own, &mut self.spare, saved, None, between);
        match outcome {
            Ok(()) => {
                std::mem::swap(&mut self.own, &mut self.spare);
                if self.choice().kept_numbers() > 0 {
                    std::mem::swap(&mut self.saved, &mut self.saved_spare);
                }
                (0..steps).for_each(|_| self.clock.advance(h));
            }
            Err(failure) => self.note_result(&failure),
        }
        outcome
    }

    #[cold]
    fn note_result(&mut self, failure: &Failure) {
        if let Error::ChunkCallback { result, .. } = failure.cause {
            self.callback_result = result;
        }
    }

    #[inline(never)]
    fn sweep_chunks(&mut self, h: f64, steps: u64, work: Work) -> Result<(), Failure> {
        let (gathers, positions) = (self.gathers(), self.active_count());
        let are_drifts = matches!(work, Work::Drift);
        let (method, torque) = work.by(self.choice(), &self.torque);
        let can_retake = !gathers
            && positions > super::CHUNK
            && matches!(work, Work::Steps | Work::Drift)
            && is_in_one_loop(method, torque, &self.inertias);
        let (since, now) = (self.retake.take().filter(|_| can_retake), Retake { h, steps, are_drifts });
        let extended = since.and_then(|since| since.extended(now));
        let sweep = Sweep {
            method,
            drag: self.drag.as_ref(),
            inertias: &self.inertias,
            torque,
            active: self.active.list(),
            storage: match extended {
                _ if gathers => Storage::Gathered,
                Some(_) => Storage::InPlace,
                None => Storage::Across,
            },
            clock: self.clock,
            h,
            steps,
            work,
        };

        self.done.fill(false);
        let (own, spare, bound) = (&mut self.own, &mut self.spare, &mut self.bound);
        let (saved, saved_spare) = (&mut self.saved, &mut self.saved_spare);
        let columns = if are_drifts { 0 } else { method.kept_numbers() };
        let done = &mut self.done[..if gathers { positions.div_ceil(super::CHUNK) } else { 0 }];
        let share = !gathers || bound.is_whole();
        let mut threads = self.threads.as_mut().filter(|threads| share && threads.are_here());
        let predicted = self.predicted.as_mut().map_or(&mut [][..], Predicted::values);
        let scratch = &mut self.scratch;
        let mut run = |sweep: &Sweep, part: Part| super::run(sweep, part, bound, threads.as_deref_mut(), scratch);
        // A Rust callback may panic: the panic resumes after the states are restored.
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let kept = Kept { own: saved, spare: saved_spare, columns };
            run(&sweep, Part { first: 0, count: positions, own, spare, done, kept, predicted })
        }));
        if matches!(outcome, Ok(Ok(()))) {
            if matches!(work, Work::Open) {
                return Ok(());
            }
            if sweep.storage == Storage::Across {
                std::mem::swap(own, spare);
            }
            if sweep.storage != Storage::InPlace && columns > 0 {
                std::mem::swap(saved, saved_spare);
            }
            self.retake = extended.or(can_retake.then_some(now));
            let is_kick = matches!(work, Work::Move(motion) if motion.drift == 0.0);
            if !is_kick {
                (0..steps).for_each(|_| self.clock.advance(h));
            }
            return Ok(());
        }

        if sweep.storage == Storage::Gathered {
            let kept = Kept { own: &mut [], spare: &mut [], columns: 0 };
            sweep.undo(Part { first: 0, count: positions, own, spare, done, kept, predicted: &mut [] }, bound);
        } else if let (Storage::InPlace, Some(since)) = (sweep.storage, since) {
            let (from, to): (StatesMut, StatesMut) = (spare, own);
            let again = Sweep { storage: Storage::Across, steps: since.steps, ..sweep };
            let kept = Kept { own: saved_spare, spare: saved, columns };
            // cannot fail: the same steps succeeded before
            let _ =
                run(&again, Part { first: 0, count: positions, own: from, spare: to, done, kept, predicted: &mut [] });
            self.retake = Some(since);
        }
        let outcome = outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        outcome.inspect_err(|failure| self.note_result(failure))
    }
}
