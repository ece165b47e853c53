//! A sweep visits each chunk once, on one thread or several, which divide consecutive positions with their memory among themselves.

use super::pass::{BEYOND_CACHE, Chunk, Leaves, Pass};
use super::{
    VelocityKind, active::Active, lanes::CHUNK, parameters::Inertias, scratch::Scratch, stage_loops::Saved,
    states::Bound,
};
use crate::memory::{Ahead, Block, States, StatesMut, blocks_for};
use crate::threads::{End, Threads, locked};
use crate::{clock::Clock, error::Failure, kernel::Column};
use std::sync::Mutex;

/// Consecutive positions: the work of one thread.
pub(super) struct Part<'a> {
    pub(super) first: usize,
    pub(super) count: usize,
    /// The own blocks of these positions; empty where states are gathered.
    pub(super) own: StatesMut<'a>,
    /// The spare blocks of these positions.
    pub(super) spare: StatesMut<'a>,
    /// For each chunk: whether its new states have been scattered.
    pub(super) done: &'a mut [bool],
    /// What the method keeps, before the sweep and, unless it is in place, after it: so many columns per block.
    pub(super) columns: usize,
    pub(super) before: &'a mut [Column],
    pub(super) after: &'a mut [Column],
    /// The predicted velocities; empty if none are predicted.
    pub(super) predicted: &'a mut [Block<3>],
}

impl<'a> Part<'a> {
    /// Splits off `grain` positions at one end; `None` if none are left.
    pub(super) fn take_at(&mut self, end: End, grain: usize) -> Option<Part<'a>> {
        match end {
            End::Front => self.take(grain),
            End::Back => {
                let others = self.count.saturating_sub(1) / grain * grain;
                let front = self.take(others);
                let back = self.take(grain);
                if let Some(front) = front {
                    *self = front;
                }
                back
            }
        }
    }

    /// Splits off the first `count` positions, or all if there are fewer; `None` if none are left.
    pub(super) fn take(&mut self, count: usize) -> Option<Part<'a>> {
        let (first, count, columns) = (self.first, self.count.min(count), self.columns);
        if count == 0 {
            return None;
        }
        let blocks = blocks_for(count);
        self.first += count;
        self.count -= count;
        Some(Part {
            first,
            count,
            own: take_front(&mut self.own, blocks),
            spare: take_front(&mut self.spare, blocks),
            done: take_front(&mut self.done, count.div_ceil(CHUNK)),
            columns,
            before: take_front(&mut self.before, blocks * columns),
            after: take_front(&mut self.after, blocks * columns),
            predicted: take_front(&mut self.predicted, blocks),
        })
    }
}

#[inline(always)]
pub(super) fn take_front<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    slice.split_off_mut(..count.min(slice.len())).unwrap_or_default()
}

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
    /// Runs a part; on several threads if there is enough work to share. They take `grain` positions at a time, from both ends. `own`: all own
    /// blocks, where states are gathered from them.
    pub(super) fn run(
        &self, part: Part, own: StatesMut, bound: &mut Bound, threads: Option<&mut Threads>, scratch: &mut [Scratch],
    ) -> Result<(), Failure> {
        let grain = grain(part.count, threads.as_ref().map_or(1, |threads| threads.count()));
        let Some(threads) = threads.filter(|_| part.count > grain) else {
            return self.chunks(part, own, bound, &mut scratch[0]);
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
                mine = earlier(mine, self.chunks(piece, &mut [], &mut bound, scratch));
            }
            let mut outcome = locked(&outcome);
            *outcome = earlier(std::mem::replace(&mut *outcome, Ok(())), mine);
        });
        std::mem::replace(&mut *locked(&outcome), Ok(()))
    }

    fn chunks(&self, mut part: Part, own: StatesMut, bound: &mut Bound, scratch: &mut Scratch) -> Result<(), Failure> {
        let mut outcome = Ok(());
        let (rows, is_gathered) = (bound.addresses(), self.storage == Storage::Gathered);
        // Where each state is accessed only once, a chunk need not fit the cache.
        let is_streamed = self.pass.in_place().is_some() && self.steps == 1 && !is_gathered;
        let is_far = part.count > BEYOND_CACHE;
        while let Some(piece) = part.take(if is_streamed { usize::MAX } else { CHUNK }) {
            let this = if is_gathered {
                let ahead = Ahead { blocks: [&*part.spare, &[]], rows, first: part.first };
                let goes_on = part.count > 0 && !self.active.are_listed();
                self.gathered(piece, own, bound, goes_on.then_some(&ahead), scratch)
            } else {
                let ahead = Ahead { blocks: [&*part.own, &*part.spare], rows: [None, None], first: 0 };
                self.in_blocks(piece, (is_far && part.count > 0).then_some(&ahead), scratch)
            };
            if this.is_err() {
                outcome = earlier(outcome, this);
                // With several steps per sweep, a later chunk can fail at an earlier step.
                if self.steps == 1 {
                    return outcome;
                }
            }
        }
        outcome
    }

    fn in_blocks(&self, part: Part, ahead: Option<&Ahead>, scratch: &mut Scratch) -> Result<(), Failure> {
        let Part { first, count, own, spare, before, after, predicted, .. } = part;
        let (bodies, momenta, clock, steps) = (self.active.bodies(first, count), None, self.clock, self.steps);
        let (start, end, saved, ahead) = match self.storage {
            Storage::InPlace => (&[][..], own, Saved { from: None, to: before }, None),
            _ => (&*own, spare, Saved { from: Some(before), to: after }, ahead),
        };
        let chunk = Chunk { bodies, first, start, end, saved, momenta, predicted, ahead, clock, steps };
        self.pass.visit(chunk, &mut scratch.between)
    }

    /// Moves bodies in their arrays: gathers, converts, visits, converts back, scatters. The spare blocks keep the states before.
    fn gathered(
        &self, part: Part, own: StatesMut, bound: &mut Bound, ahead: Option<&Ahead>, scratch: &mut Scratch,
    ) -> Result<(), Failure> {
        let Part { first, count, spare, done, before, after, predicted, .. } = part;
        let (bodies, leaves) = (self.active.bodies(first, count), self.pass.leaves());
        let Scratch { start, end, between } = scratch;
        bound.gather(own, &bodies, spare);
        // Converted numbers are converted back after every step, so that many steps have the same bits as single ones.
        let is_converted = bound.kind != VelocityKind::OmegaBody;
        let (rounds, steps) = if is_converted { (self.steps, 1) } else { (1, self.steps) };
        let has_momenta = bound.kind == VelocityKind::AngularMomentumWorld;
        let mut clock = self.clock;
        for round in 0..rounds {
            let from = if round == 0 { &*spare } else { &end[..] };
            let this = bound.convert(self.inertias, &bodies, from, start).and_then(|()| {
                let saved = Saved { from: (round == 0).then_some(&*before), to: &mut *after };
                let (momenta, predicted) = (has_momenta.then_some(&*spare), &mut *predicted);
                let ahead = ahead.filter(|_| round + 1 == rounds);
                let (start, end) = (&start[..], &mut end[..]);
                let chunk = Chunk { bodies, first, start, end, saved, momenta, predicted, ahead, clock, steps };
                self.pass.visit(chunk, between)
            });
            let this = this.and_then(|()| match leaves {
                Leaves::Nothing => Ok(()),
                Leaves::StatesOrMomenta if has_momenta => Ok(()),
                _ => bound.convert_back(self.inertias, &bodies, end, clock.now()),
            });
            this.map_err(|failure| failure.after(round))?;
            clock.advance(self.h);
        }
        if leaves != Leaves::Nothing {
            bound.scatter(own, &bodies, end);
            done.fill(true);
        }
        Ok(())
    }

    /// Restores the chunks whose new states have been scattered.
    pub(super) fn undo(&self, own: StatesMut, spare: States, bound: &mut Bound, done: &[bool]) {
        for ((first, bodies), _) in self.active.chunks().zip(done).filter(|(_, done)| **done) {
            bound.scatter(own, &bodies, &spare[blocks_for(first)..]);
        }
    }
}
