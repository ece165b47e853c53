//! A sweep visits each chunk once, on one thread or several.

use super::part::{Part, take_front};
use super::pass::{BEYOND_CACHE, Chunk, Leaves, Pass};
use super::{
    VelocityKind, active::Active, lanes::CHUNK, parameters::Inertias, scratch::Scratch, stage_loops::Saved,
    states::Bound,
};
use crate::memory::{Ahead, blocks_for};
use crate::threads::{Threads, locked};
use crate::{clock::Clock, error::Failure};
use std::sync::Mutex;

#[derive(Clone, Copy)]
pub(super) struct Sweep<'a> {
    pub(super) pass: &'a dyn Pass,
    pub(super) inertias: &'a Inertias,
    pub(super) active: &'a Active,
    pub(super) storage: Storage,
    pub(super) clock: Clock,
    pub(super) h: f64,
    pub(super) steps: u64,
}

/// Source and destination of the states: see `journal`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    Across,
    InPlace,
    Gathered,
}

/// The failure that taking the steps one by one would meet first.
fn earlier(a: Result<(), Failure>, b: Result<(), Failure>) -> Result<(), Failure> {
    match (a, b) {
        (Err(a), Err(b)) => Err(if (b.completed, b.body) < (a.completed, a.body) { b } else { a }),
        (a, b) => a.and(b),
    }
}

/// Positions per piece of work; with one thread, all.
fn grain(count: usize, threads: usize) -> usize {
    if threads <= 1 { usize::MAX } else { (count / (4 * threads)).next_multiple_of(CHUNK).max(4 * CHUNK) }
}

impl Sweep<'_> {
    /// Runs a part; on several threads if there is enough work to share. They take `grain` positions at a time, from both ends.
    pub(super) fn run(
        &self, part: Part, bound: &mut Bound, threads: Option<&mut Threads>, scratch: &mut [Scratch],
    ) -> Result<(), Failure> {
        let grain = grain(part.count, threads.as_ref().map_or(1, |threads| threads.count()));
        let Some(threads) = threads.filter(|_| part.count > grain) else {
            return self.chunks(part, bound, &mut scratch[0]);
        };
        let pieces = part.count.div_ceil(grain);
        let rest = Mutex::new((part, bound.reborrow()));
        let (scratch, outcome) = (Mutex::new(scratch.iter_mut()), Mutex::new(Ok(())));
        threads.run(pieces, &|end| {
            let next = || {
                let (part, bound) = &mut *locked(&rest);
                let piece = part.take_at(end, grain)?;
                let bodies = self.active.bodies(piece.first, piece.count);
                Some((bound.take_at(end, &bodies), piece))
            }; // the lock is released when it returns
            let Some(scratch) = locked(&scratch).next() else { return };
            let mut mine = Ok(());
            while let Some((mut bound, piece)) = next() {
                mine = earlier(mine, self.chunks(piece, &mut bound, scratch));
            }
            let mut outcome = locked(&outcome);
            *outcome = earlier(std::mem::replace(&mut *outcome, Ok(())), mine);
        });
        std::mem::replace(&mut *locked(&outcome), Ok(()))
    }

    fn chunks(&self, mut part: Part, bound: &mut Bound, scratch: &mut Scratch) -> Result<(), Failure> {
        let mut outcome = Ok(());
        let mut done = part.done.iter_mut();
        let rows = bound.addresses();
        // Where each state is accessed only once, a chunk need not fit the cache.
        let is_streamed = self.pass.in_place().is_some() && self.steps == 1 && self.storage != Storage::Gathered;
        let size = if is_streamed { usize::MAX } else { CHUNK };
        while part.count > 0 {
            let (first, count) = (part.first, part.count.min(size));
            let is_far = part.count > BEYOND_CACHE && part.count > count;
            let spare = take_front(&mut part.spare, blocks_for(count));
            let kept = part.kept.take(blocks_for(count));
            let predicted = take_front(&mut part.predicted, blocks_for(count));
            let this = if self.storage == Storage::Gathered {
                let goes_on = part.count > count && !self.active.are_listed();
                let ahead = Ahead { blocks: [&*part.spare, &[]], rows, first: first + count };
                let ahead = goes_on.then_some(&ahead);
                let chunk = Part { first, count, own: &mut *part.own, spare, done: &mut [], kept, predicted };
                let this = self.gathered(chunk, bound, ahead, scratch);
                let is_written = this.is_ok() && self.pass.leaves() != Leaves::Nothing;
                done.next().into_iter().for_each(|done| *done = is_written);
                this
            } else {
                let own = take_front(&mut part.own, blocks_for(count));
                let is_in_place = self.storage == Storage::InPlace;
                let ahead = Ahead { blocks: [&*part.own, &*part.spare], rows: [None, None], first: 0 };
                let (start, end, saved) = if is_in_place {
                    (&[][..], own, Saved { from: None, to: kept.before })
                } else {
                    (&*own, spare, kept.across())
                };
                let chunk = Chunk {
                    bodies: self.active.bodies(first, count),
                    first,
                    start,
                    is_in_place,
                    end,
                    saved,
                    momenta: None,
                    predicted,
                    ahead: (is_far && !is_in_place).then_some(&ahead),
                    clock: self.clock,
                    steps: self.steps,
                };
                self.pass.visit(chunk, &mut scratch.between)
            };
            if this.is_err() {
                outcome = earlier(outcome, this);
                // With several steps per sweep, a later chunk can fail at an earlier step.
                if self.steps == 1 {
                    return outcome;
                }
            }
            part.first += count;
            part.count -= count;
        }
        outcome
    }

    /// Moves bodies in their arrays: gathers, converts, visits, converts back, scatters. The spare blocks keep the states before.
    fn gathered(
        &self, part: Part, bound: &mut Bound, ahead: Option<&Ahead>, scratch: &mut Scratch,
    ) -> Result<(), Failure> {
        let Part { first, count, own, spare, mut kept, predicted, .. } = part;
        let (bodies, leaves) = (self.active.bodies(first, count), self.pass.leaves());
        let Scratch { start, end, between } = scratch;
        bound.gather(own, &bodies, spare);
        // Converted numbers are converted back after every step, so that many steps have the same bits as single ones.
        let is_converted = bound.kind() != VelocityKind::OmegaBody;
        let (rounds, steps) = if is_converted { (self.steps, 1) } else { (1, self.steps) };
        let momenta = bound.kind() == VelocityKind::AngularMomentumWorld;
        let mut clock = self.clock;
        for round in 0..rounds {
            let from = if round == 0 { &*spare } else { &end[..] };
            bound.convert(self.inertias, &bodies, from, start).map_err(|failure| failure.after(round))?;
            let mut saved = kept.reborrow().across();
            saved.from = saved.from.filter(|_| round == 0);
            let chunk = Chunk {
                bodies,
                first,
                start,
                is_in_place: false,
                end: &mut *end,
                saved,
                momenta: momenta.then_some(&*spare),
                predicted: &mut *predicted,
                ahead: if round + 1 == rounds { ahead } else { None },
                clock,
                steps,
            };
            self.pass.visit(chunk, between).map_err(|failure| failure.after(round))?;
            match leaves {
                Leaves::Nothing => return Ok(()),
                Leaves::StatesOrMomenta if momenta => {}
                _ => bound
                    .convert_back(self.inertias, &bodies, end, clock.now())
                    .map_err(|failure| failure.after(round))?,
            }
            clock.advance(self.h);
        }
        bound.scatter(own, &bodies, end);
        Ok(())
    }

    /// Restores the chunks whose new states have been scattered.
    pub(super) fn undo(&self, part: Part, bound: &mut Bound) {
        for (chunk, done) in part.done.iter().enumerate() {
            if *done {
                let first = chunk * CHUNK;
                let count = (part.count - first).min(CHUNK);
                let before = &part.spare[blocks_for(first)..];
                bound.scatter(part.own, &self.active.bodies(first, count), before);
            }
        }
    }
}
