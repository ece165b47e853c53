//! A sweep: some steps of all chunks, on one thread or several.
//! States in own memory are read from one set of blocks and written to the other; the sets are swapped on success, so undoing
//! costs nothing. The common ready-made torques mostly need one set only: see `undo`. States in the caller's arrays, or of a
//! list of active bodies, are gathered and scattered; the spare blocks keep the states before the sweep until it succeeds.

use super::binding::Bound;
use super::exchange::{ChunkScratch, Scratch};
use super::lanes::CHUNK;
use super::parameters::Inertias;
use super::stages::{Stage, StageTorque};
use super::steps::{Steps, is_in_one_loop};
use super::threads::{End, Threads};
use super::torque::{EnsembleTorque, ReadyMade};
use crate::clock::Clock;
use crate::error::Failure;
use crate::memory::{Ahead, Bodies, PackedTorques, States, StatesMut, blocks_for};
use crate::method::Method;
use crate::torque::Frame;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// More bodies than a second-level cache of 1 MiB holds with their states before and after a step.
const BEYOND_CACHE: usize = (1 << 20) / (2 * size_of::<[f64; 7]>());

#[derive(Clone, Copy)]
pub(super) struct Sweep<'a> {
    pub(super) method: Method,
    pub(super) inertias: &'a Inertias,
    pub(super) torque: &'a EnsembleTorque,
    pub(super) active: Option<&'a [usize]>,
    pub(super) storage: Storage,
    pub(super) clock: Clock,
    pub(super) h: f64,
    pub(super) steps: u64,
}

/// TorqueSource and destination of the states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    /// From the own blocks to the spare ones.
    Across,
    /// Within the own blocks: only the loops of `steps`.
    InPlace,
    /// From the caller's arrays, or for a list of active bodies, and back. The spare blocks keep the states before the sweep.
    Gathered,
}

/// Consecutive positions: the work of one thread.
pub(super) struct Part<'a> {
    pub(super) first: usize,
    pub(super) count: usize,
    /// The own blocks: those of these positions or, if states are gathered, of all bodies.
    pub(super) own: StatesMut<'a>,
    /// The spare blocks of these positions.
    pub(super) spare: StatesMut<'a>,
    /// For each chunk: whether its new states have been scattered.
    pub(super) done: &'a mut [bool],
}

/// The failure that taking the steps one by one would meet first.
fn earlier(a: Result<(), Failure>, b: Result<(), Failure>) -> Result<(), Failure> {
    match (a, b) {
        (Err(a), Err(b)) => Err(if (b.completed, b.body) < (a.completed, a.body) { b } else { a }),
        (a, b) => a.and(b),
    }
}

impl<'a> Part<'a> {
    /// Splits off `grain` positions at one end; `None` if none are left.
    fn take_at(&mut self, end: End, grain: usize) -> Option<Part<'a>> {
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
    fn take(&mut self, count: usize) -> Option<Part<'a>> {
        let (first, count) = (self.first, self.count.min(count));
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
        })
    }
}

fn take_front<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    slice.split_off_mut(..count.min(slice.len())).unwrap_or_default()
}

/// Some steps of the bodies of a chunk.
pub(super) struct Run<'a> {
    first: usize,
    bodies: Bodies<'a>,
    clock: Clock,
    steps: u64,
}

impl Sweep<'_> {
    /// Runs a part: the threads take `grain` positions at a time, from both ends.
    pub(super) fn run(
        &self,
        part: Part,
        bound: &mut Bound,
        grain: usize,
        threads: &Threads,
        scratch: &mut [Scratch],
    ) -> Result<(), Failure> {
        let pieces = part.count.div_ceil(grain);
        let rest = Mutex::new((part, bound.reborrow()));
        let (scratch, outcome) = (Mutex::new(scratch.iter_mut()), Mutex::new(Ok(())));
        threads.run(pieces, |end| {
            let next = || {
                let (part, bound) = &mut *locked(&rest);
                let piece = part.take_at(end, grain)?;
                let bodies = Bodies::at_positions(self.active, piece.first, piece.count);
                Some((bound.take_at(end, &bodies), piece))
            }; // also releases the lock
            let Some(scratch) = locked(&scratch).next() else { return };
            let mut mine = Ok(());
            while let Some((mut bound, piece)) = next() {
                mine = earlier(mine, self.chunks(piece, &mut bound, scratch));
            }
            let mut outcome = locked(&outcome);
            *outcome = earlier(*outcome, mine);
        });
        *locked(&outcome)
    }

    pub(super) fn chunks(&self, mut part: Part, bound: &mut Bound, scratch: &mut Scratch) -> Result<(), Failure> {
        let mut outcome = Ok(());
        let mut done = part.done.iter_mut();
        let rows = bound.rows();
        let size = if self.is_streamed() { usize::MAX } else { CHUNK };
        while part.count > 0 {
            let (first, count) = (part.first, part.count.min(size));
            let is_far = part.count > BEYOND_CACHE && part.count > count;
            let spare = take_front(&mut part.spare, blocks_for(count));
            let this = if self.storage == Storage::Gathered {
                let goes_on = part.count > count && self.active.is_none();
                let ahead = Ahead { blocks: [&*part.spare, &[]], rows, first: first + count };
                let run = self.run_at(first, count);
                let ahead = goes_on.then_some(&ahead);
                let this = self.gathered(run, part.own, spare, bound, ahead, scratch);
                done.next().into_iter().for_each(|done| *done = this.is_ok());
                this
            } else {
                let (own, run) = (take_front(&mut part.own, blocks_for(count)), self.run_at(first, count));
                match (self.storage, self.torque) {
                    (Storage::InPlace, EnsembleTorque::Ready(torque)) => {
                        self.whole_steps(&run, None, own, None, torque)
                    }
                    _ => {
                        let ahead = Ahead { blocks: [&*part.own, &*part.spare], rows: [None, None], first: 0 };
                        self.advance(&run, own, spare, is_far.then_some(&ahead), &mut scratch.between)
                    }
                }
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

    fn is_in_one_loop(&self) -> bool {
        is_in_one_loop(self.method, self.torque, self.inertias)
    }

    /// Whether each state is accessed only once per sweep: a chunk then need not fit the cache.
    fn is_streamed(&self) -> bool {
        self.storage != Storage::Gathered && self.steps == 1 && self.is_in_one_loop()
    }

    /// Advances bodies in their arrays. The spare blocks keep the states before.
    fn gathered(
        &self,
        mut run: Run,
        own: StatesMut,
        spare: StatesMut,
        bound: &mut Bound,
        ahead: Option<&Ahead>,
        scratch: &mut Scratch,
    ) -> Result<(), Failure> {
        let Scratch { start, end, between } = scratch;
        bound.gather(own, &run.bodies, spare);
        // Converted numbers are converted back after every step, so that many steps have the same bits as single ones.
        let is_converted = bound.kind() != super::VelocityKind::OmegaBody;
        let rounds = if is_converted { std::mem::replace(&mut run.steps, 1) } else { 1 };
        for step in 0..rounds {
            let from = if step == 0 { &*spare } else { &end[..] };
            bound.convert(self.inertias, &run.bodies, from, start).map_err(|failure| failure.after(step))?;
            let ahead = if step + 1 == rounds { ahead } else { None };
            self.advance(&run, start, end, ahead, between)
                .and_then(|()| bound.convert_back(self.inertias, &run.bodies, end, run.clock.now()))
                .map_err(|failure| failure.after(step))?;
            run.clock.advance(self.h);
        }
        bound.scatter(own, &run.bodies, end);
        Ok(())
    }

    pub(super) fn run_at(&self, first: usize, count: usize) -> Run<'_> {
        let Sweep { clock, steps, active, .. } = *self;
        Run { first, bodies: Bodies::at_positions(active, first, count), clock, steps }
    }

    /// From `start` to `end`, both blocks of this chunk.
    #[inline(always)] // passing the arguments in memory would stall store forwarding
    pub(super) fn advance(
        &self,
        run: &Run,
        start: States,
        end: StatesMut,
        ahead: Option<&Ahead>,
        between: &mut ChunkScratch,
    ) -> Result<(), Failure> {
        match self.torque {
            EnsembleTorque::Ready(torque) if self.is_in_one_loop() => {
                self.whole_steps(run, Some(start), end, ahead, torque)
            }
            _ => self.in_stages(run, start, end, ahead, between),
        }
    }

    /// For a ready-made torque with its own loop. Without `start`, the states in `end` are advanced in place.
    #[inline(always)]
    fn whole_steps(
        &self,
        run: &Run,
        start: Option<States>,
        end: StatesMut,
        ahead: Option<&Ahead>,
        torque: &ReadyMade,
    ) -> Result<(), Failure> {
        let mut steps = Steps {
            bodies: &run.bodies,
            start,
            end,
            inertias: self.inertias,
            torque,
            clock: &run.clock,
            h: self.h,
            steps: run.steps,
            is_far: run.bodies.count() > BEYOND_CACHE,
            ahead,
        };
        self.method.with(&mut steps)
    }

    /// For any torque and method. The results of the steps alternate between `tile` and `end`; the last is in `end`.
    #[inline(always)]
    fn in_stages(
        &self,
        run: &Run,
        start: States,
        end: StatesMut,
        ahead: Option<&Ahead>,
        between: &mut ChunkScratch,
    ) -> Result<(), Failure> {
        let ChunkScratch { exchange, saved, end: tile } = between;
        let (bodies, count, mut clock) = (&run.bodies, run.bodies.count(), run.clock);
        for step in 0..run.steps {
            let writes_to_end = (run.steps - step) % 2 == 1;
            let (start, stage): (States, StatesMut) = match (step, writes_to_end) {
                (0, true) => (start, &mut *end),
                (0, false) => (start, &mut *tile),
                (_, true) => (&*tile, &mut *end),
                (_, false) => (&*end, &mut *tile),
            };
            for (i, at) in self.method.torque_at().iter().enumerate() {
                let (torque, matrices) = match self.torque {
                    EnsembleTorque::Ready(torque) => (StageTorque::Ready(torque), None),
                    EnsembleTorque::Callback { torque, layout, frame } => {
                        exchange.show(*layout, *frame, count, if i == 0 { start } else { stage });
                        exchange.ask(&**torque, bodies, run.first, clock.now() + at * self.h)?;
                        let packed = PackedTorques { layout: *layout, torque: &exchange.torque, stride: count };
                        (StageTorque::Packed(packed, *frame), (*frame == Frame::World).then_some(&exchange.matrices))
                    }
                };
                let mut job = Stage {
                    i,
                    bodies,
                    start,
                    stage: &mut *stage,
                    saved,
                    torque,
                    matrices,
                    ahead: if i == 0 { ahead } else { None },
                    inertias: self.inertias,
                    time: clock.now(),
                    h: self.h,
                };
                self.method.with(&mut job).map_err(|failure| failure.after(step))?;
            }
            clock.advance(self.h);
        }
        Ok(())
    }

    /// Restores the chunks whose new states have been scattered.
    pub(super) fn undo(&self, part: Part, bound: &mut Bound) {
        for (chunk, done) in part.done.iter().enumerate() {
            if *done {
                let first = chunk * CHUNK;
                let count = (part.count - first).min(CHUNK);
                let before = &part.spare[blocks_for(first)..];
                bound.scatter(part.own, &Bodies::at_positions(self.active, first, count), before);
            }
        }
    }
}

/// Positions per piece of work; with one thread, all.
pub(super) fn grain(count: usize, threads: usize) -> usize {
    if threads <= 1 { usize::MAX } else { (count / (4 * threads)).next_multiple_of(CHUNK).max(4 * CHUNK) }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner) // after a panic, which reaches the caller; the data is consistent
}
