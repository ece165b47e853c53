//! A sweep: some steps of all chunks, on one thread or several.
//! States in own memory are read from one set of blocks and written to the other; the sets are swapped on success, so undoing
//! costs nothing. The common ready-made torques mostly need one set only: see `undo`. States in the caller's arrays, or of a
//! list of active bodies, are gathered and scattered; the spare blocks keep the states before the sweep until it succeeds.

use super::binding::Bound;
use super::drag::Drag;
use super::exchange::{ChunkScratch, Exchange, Scratch};
use super::kicks::{Chunk, Motion, Moved};
use super::lanes::{CHUNK, Tile};
use super::open::Open;
use super::parameters::Inertias;
use super::part::{Part, take_front};
use super::stages::{Saved, Stage, StageTorque};
use super::steps::{DRIFT, Steps, is_in_one_loop};
use super::torque::{EnsembleTorque, ReadyMade};
use crate::clock::Clock;
use crate::error::Failure;
use crate::kernel::Column;
use crate::memory::{Ahead, Bodies, PackedTorques, States, StatesMut, blocks_for};
use crate::method::Choice;
use crate::threads::{Threads, locked};
use crate::torque::Frame;
use std::sync::Mutex;

/// More bodies than a second-level cache of 1 MiB holds with their states before and after a step.
const BEYOND_CACHE: usize = (1 << 20) / (2 * size_of::<[f64; 7]>());

#[derive(Clone, Copy)]
pub(super) struct Sweep<'a> {
    pub(super) method: Choice,
    pub(super) drag: Option<&'a Drag>,
    pub(super) inertias: &'a Inertias,
    pub(super) torque: &'a EnsembleTorque,
    pub(super) active: Option<&'a [usize]>,
    pub(super) storage: Storage,
    pub(super) clock: Clock,
    pub(super) h: f64,
    pub(super) steps: u64,
    pub(super) work: Work<'a>,
}

/// What a sweep does with each chunk.
#[derive(Clone, Copy)]
pub(super) enum Work<'a> {
    /// Takes the steps.
    Steps,
    /// Takes no step, but asks for the torque at its start: for a method that keeps the last torque and has none.
    Open,
    /// A kick, a drift, or both.
    Move(&'a Motion<'a>),
    /// A drift alone, where there is a loop for it.
    Drift,
}

impl Work<'_> {
    /// The method and the torque: those of the ensemble, but for a drift alone.
    pub(super) fn by(self, method: Choice, torque: &EnsembleTorque) -> (Choice, &EnsembleTorque) {
        if let Work::Drift = self { DRIFT } else { (method, torque) }
    }
}

/// Source and destination of the states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    /// From the own blocks to the spare ones.
    Across,
    /// Within the own blocks: only the loops of `steps`.
    InPlace,
    /// From the caller's arrays, or for a list of active bodies, and back. The spare blocks keep the states before the sweep.
    Gathered,
}

/// The failure that taking the steps one by one would meet first.
fn earlier(a: Result<(), Failure>, b: Result<(), Failure>) -> Result<(), Failure> {
    match (a, b) {
        (Err(a), Err(b)) => Err(if (b.completed, b.body) < (a.completed, a.body) { b } else { a }),
        (a, b) => a.and(b),
    }
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
        threads: &mut Threads,
        scratch: &mut [Scratch],
    ) -> Result<(), Failure> {
        let pieces = part.count.div_ceil(grain);
        let rest = Mutex::new((part, bound.reborrow()));
        let (scratch, outcome) = (Mutex::new(scratch.iter_mut()), Mutex::new(Ok(())));
        threads.run(pieces, &|end| {
            let next = || {
                let (part, bound) = &mut *locked(&rest);
                let piece = part.take_at(end, grain)?;
                let bodies = Bodies::at_positions(self.active, piece.first, piece.count);
                Some((bound.take_at(end, &bodies), piece))
            }; // the lock is released when it returns
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
            let kept = part.kept.take(blocks_for(count));
            let predicted = take_front(&mut part.predicted, blocks_for(count));
            let this = if self.storage == Storage::Gathered {
                let goes_on = part.count > count && self.active.is_none();
                let ahead = Ahead { blocks: [&*part.spare, &[]], rows, first: first + count };
                let ahead = goes_on.then_some(&ahead);
                let chunk = Part { first, count, own: &mut *part.own, spare, done: &mut [], kept, predicted };
                let this = self.gathered(chunk, bound, ahead, scratch);
                let is_written = this.is_ok() && !matches!(self.work, Work::Open);
                done.next().into_iter().for_each(|done| *done = is_written);
                this
            } else {
                let (own, run) = (take_front(&mut part.own, blocks_for(count)), self.run_at(first, count));
                match (self.storage, self.torque) {
                    _ if matches!(self.work, Work::Open) => {
                        self.open(&run, own, kept.own, &mut scratch.between.exchange)
                    }
                    _ if let Work::Move(motion) = self.work => {
                        let torques = &mut scratch.between.end;
                        self.moved(motion, &run, Moved { start: own, end: spare, momenta: None, torques, predicted })
                    }
                    (Storage::InPlace, EnsembleTorque::Ready(torque)) => {
                        self.whole_steps(&run, None, own, Saved { from: None, to: kept.own }, None, torque)
                    }
                    _ => {
                        let ahead = Ahead { blocks: [&*part.own, &*part.spare], rows: [None, None], first: 0 };
                        self.advance(&run, own, spare, kept.across(), is_far.then_some(&ahead), &mut scratch.between)
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
        let steps_once = matches!(self.work, Work::Steps | Work::Drift) && self.steps == 1;
        steps_once && self.storage != Storage::Gathered && self.is_in_one_loop()
    }

    /// Advances bodies in their arrays. The spare blocks keep the states before.
    fn gathered(
        &self,
        chunk: Part,
        bound: &mut Bound,
        ahead: Option<&Ahead>,
        scratch: &mut Scratch,
    ) -> Result<(), Failure> {
        let Part { first, count, own, spare, kept, predicted, .. } = chunk;
        let mut run = self.run_at(first, count);
        let Scratch { start, end, between } = scratch;
        bound.gather(own, &run.bodies, spare);
        // Converted numbers are converted back after every step, so that many steps have the same bits as single ones.
        let is_converted = bound.kind() != super::VelocityKind::OmegaBody;
        let rounds = if is_converted { std::mem::replace(&mut run.steps, 1) } else { 1 };
        for step in 0..rounds {
            let from = if step == 0 { &*spare } else { &end[..] };
            bound.convert(self.inertias, &run.bodies, from, start).map_err(|failure| failure.after(step))?;
            let ahead = if step + 1 == rounds { ahead } else { None };
            match self.work {
                Work::Open => return self.open(&run, start, kept.own, &mut between.exchange),
                Work::Move(motion) => {
                    let adds = Motion::adds_to_momenta(bound.kind());
                    let momenta = adds.then_some(&*spare);
                    let torques = &mut between.end;
                    self.moved(motion, &run, Moved { start, end: &mut *end, momenta, torques, predicted })?;
                    if !adds {
                        bound.convert_back(self.inertias, &run.bodies, end, run.clock.now())?;
                    }
                    break;
                }
                Work::Steps | Work::Drift => {}
            }
            let saved = Saved { from: if step == 0 { Some(&*kept.own) } else { None }, to: &mut *kept.spare };
            self.advance(&run, start, end, saved, ahead, between)
                .and_then(|()| bound.convert_back(self.inertias, &run.bodies, end, run.clock.now()))
                .map_err(|failure| failure.after(step))?;
            run.clock.advance(self.h);
        }
        bound.scatter(own, &run.bodies, end);
        Ok(())
    }

    #[inline(never)]
    fn moved(&self, motion: &Motion, run: &Run, memory: Moved) -> Result<(), Failure> {
        let (bodies, inertias, drag, time) = (&run.bodies, self.inertias, self.drag, run.clock.now());
        motion.take(Chunk { bodies, memory, inertias, drag, time })
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
        saved: Saved,
        ahead: Option<&Ahead>,
        between: &mut ChunkScratch,
    ) -> Result<(), Failure> {
        match self.torque {
            EnsembleTorque::Ready(torque) if self.is_in_one_loop() => {
                self.whole_steps(run, Some(start), end, saved, ahead, torque)
            }
            _ => self.in_stages(run, start, end, saved, ahead, between),
        }
    }

    /// For a ready-made torque with its own loop. Without `start`, the states in `end` are advanced in place.
    #[inline(always)]
    fn whole_steps(
        &self,
        run: &Run,
        start: Option<States>,
        end: StatesMut,
        saved: Saved,
        ahead: Option<&Ahead>,
        torque: &ReadyMade,
    ) -> Result<(), Failure> {
        let mut steps = Steps {
            bodies: &run.bodies,
            start,
            end,
            saved,
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

    /// Asks a callback, if there is one, for the torque of these states.
    #[inline(always)]
    fn ask(&self, run: &Run, states: States, time: f64, exchange: &mut Exchange) -> Result<(), Failure> {
        if let EnsembleTorque::Callback { torque, layout, frame } = self.torque {
            exchange.show(*layout, *frame, run.bodies.count(), states);
            exchange.ask(&**torque, &run.bodies, run.first, time)?;
        }
        Ok(())
    }

    /// The torque of a stage: the callback's answer, or ready-made.
    #[inline(always)]
    fn stage_torque<'s>(&'s self, run: &Run, exchange: &'s Exchange) -> (StageTorque<'s>, Option<&'s Tile<12>>) {
        match self.torque {
            EnsembleTorque::Ready(torque) => (StageTorque::Ready(torque), None),
            EnsembleTorque::Callback { layout, frame, .. } => {
                let (layout, stride) = (*layout, run.bodies.count());
                let packed = PackedTorques { layout, torque: &exchange.torque, stride };
                (StageTorque::Packed(packed, *frame), (*frame == Frame::World).then_some(&exchange.matrices))
            }
        }
    }

    /// Saves the torque at the start.
    #[inline(never)]
    fn open(&self, run: &Run, start: States, saved: &mut [Column], exchange: &mut Exchange) -> Result<(), Failure> {
        let time = run.clock.now();
        self.ask(run, start, time, exchange)?;
        let (torque, _) = self.stage_torque(run, exchange);
        let (inertias, drag, h) = (self.inertias, self.drag, self.h);
        let mut job = Open { bodies: &run.bodies, start, saved, torque, drag, inertias, time, h };
        self.method.with(&mut job)
    }

    /// For any torque and method. The results of the steps alternate between `tile` and `end`; the last is in `end`.
    #[inline(always)]
    fn in_stages(
        &self,
        run: &Run,
        start: States,
        end: StatesMut,
        saved: Saved,
        ahead: Option<&Ahead>,
        between: &mut ChunkScratch,
    ) -> Result<(), Failure> {
        let ChunkScratch { exchange, saved: between_stages, end: tile } = between;
        let keeps = self.method.keeps_torque();
        let is_ready = matches!(self.torque, EnsembleTorque::Ready(_));
        let acts = self.drag.is_some() || self.torque.acts();
        let torque_at = self.method.torque_at();
        let Saved { from, to } = if keeps { saved } else { Saved { from: None, to: between_stages } };
        let (bodies, mut clock) = (&run.bodies, run.clock);
        for step in 0..run.steps {
            let writes_to_end = (run.steps - step) % 2 == 1;
            let (start, stage): (States, StatesMut) = match (step, writes_to_end) {
                (0, true) => (start, &mut *end),
                (0, false) => (start, &mut *tile),
                (_, true) => (&*tile, &mut *end),
                (_, false) => (&*end, &mut *tile),
            };
            let mut i = 0;
            while i < torque_at.len() {
                let (torque, matrices) = if keeps && i == 0 && !is_ready {
                    (StageTorque::Kept, None)
                } else {
                    let time = clock.now() + torque_at[i] * self.h;
                    self.ask(run, if i == 0 { start } else { stage }, time, exchange)?;
                    self.stage_torque(run, exchange)
                };
                // a ready-made torque needs no pause between the stages
                let stages = if is_ready { torque_at.len() } else { 1 };
                let mut job = Stage {
                    i,
                    stages,
                    bodies,
                    start,
                    stage: &mut *stage,
                    saved: Saved { from: from.filter(|_| step == 0), to: &mut *to },
                    torque,
                    drag: self.drag,
                    acts,
                    matrices,
                    ahead: if i == 0 { ahead } else { None },
                    inertias: self.inertias,
                    time: clock.now(),
                    h: self.h,
                };
                self.method.with(&mut job).map_err(|failure| failure.after(step))?;
                i += stages;
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
