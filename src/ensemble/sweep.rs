//! A step of the whole ensemble: chunk by chunk, on one thread or several.
//!
//! States in our own memory are read from one set of blocks and written to another, which take each other's place when all
//! went well: undo costs nothing. Under a ready-made torque not even the memory is needed every time: the other blocks keep the
//! states of some steps ago, from which these can be taken again, to the same bits. States in the caller's arrays, and those of a
//! list of active bodies, are gathered and scattered; what they were is kept in the other blocks until all went well.

use super::binding::Binding;
use super::blocks::{Block, States, StatesMut, blocks_for};
use super::chunk::*;
use super::parameters::{Bodies, Inertias};
use super::threads::{End, Threads};
use super::torque::{ChunkTorque, EnsembleTorque, Frame, Layout, ReadyMade};
use crate::clock::Clock;
use crate::error::Error;
use crate::method::Method;
use crate::simd;
use std::marker::PhantomData;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// So many bodies, before and after the step, do not fit a second-level cache: 1 MiB.
pub(super) const FAR: usize = (1 << 20) / (2 * size_of::<[f64; 7]>());

/// What is the same for all chunks of a sweep.
pub(super) struct Sweep<'a, M> {
    pub(super) inertias: &'a Inertias,
    pub(super) torque: &'a EnsembleTorque,
    pub(super) binding: &'a Binding,
    pub(super) active: Option<&'a [usize]>,
    pub(super) way: Way,
    pub(super) clock: Clock,
    pub(super) h: f64,
    pub(super) steps: u64,
    pub(super) method: PhantomData<M>,
}

/// Where states come from and go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// From our own blocks to the spare ones.
    Across,
    /// From our own blocks to where they were; only under a ready-made torque.
    InPlace,
    /// From the caller's arrays, or those of a list of bodies, and back; the spare blocks keep what they were.
    Gathered,
}

/// Consecutive positions: of the bodies, or of the list of active ones.
pub(super) struct Part<'a> {
    pub(super) first: usize,
    pub(super) count: usize,
    /// Our blocks: of these positions, or in place of all bodies.
    pub(super) own: StatesMut<'a>,
    /// The other blocks, of these positions.
    pub(super) spare: StatesMut<'a>,
    /// Which chunks have been advanced in place.
    pub(super) done: &'a mut [bool],
}

/// The setback that taking the steps one by one would have met first.
fn earlier(a: Result<(), Setback>, b: Result<(), Setback>) -> Result<(), Setback> {
    match (a, b) {
        (Err(a), Err(b)) => Err(if (b.step, b.body) < (a.step, a.body) { b } else { a }),
        (a, b) => a.and(b),
    }
}

impl<'a> Part<'a> {
    /// Takes a piece from one end or the other; `None` when there is nothing left.
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

    /// Takes the first positions from it, `count` or all that there are; `None` when there are none.
    fn take(&mut self, count: usize) -> Option<Part<'a>> {
        let (first, count) = (self.first, self.count.min(count));
        let blocks = blocks_for(count);
        self.first += count;
        self.count -= count;
        (count > 0).then(|| Part {
            first,
            count,
            own: take_front(&mut self.own, blocks),
            spare: take_front(&mut self.spare, blocks),
            done: take_front(&mut self.done, count.div_ceil(CHUNK)),
        })
    }
}

/// The first items of a slice, or all that there are; the others stay in it.
fn take_front<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    slice.split_off_mut(..count.min(slice.len())).unwrap_or_default()
}

impl<M: Method> Sweep<'_, M> {
    /// Advances every position of a part, in pieces of `grain` that the threads take in turn, from both ends.
    pub(super) fn run(
        &self,
        part: Part,
        grain: usize,
        threads: &Threads,
        scratch: &mut [Scratch],
    ) -> Result<(), Setback> {
        let pieces = part.count.div_ceil(grain);
        let (rest, scratch, outcome) = (Mutex::new(part), Mutex::new(scratch.iter_mut()), Mutex::new(Ok(())));
        threads.run(pieces, |end| {
            let next = || locked(&rest).take_at(end, grain); // and lets go of the lock
            let Some(scratch) = locked(&scratch).next() else { return };
            let mut mine = Ok(());
            while let Some(piece) = next() {
                mine = earlier(mine, self.chunks(piece, scratch));
            }
            let mut outcome = locked(&outcome);
            *outcome = earlier(*outcome, mine);
        });
        *locked(&outcome)
    }

    pub(super) fn chunks(&self, mut part: Part, scratch: &mut Scratch) -> Result<(), Setback> {
        let mut outcome = Ok(());
        let mut done = part.done.iter_mut();
        let rows = self.binding.rows();
        let size = if self.is_streamed() { usize::MAX } else { CHUNK };
        while part.count > 0 {
            let (first, count) = (part.first, part.count.min(size));
            let is_far = part.count > FAR && part.count > count;
            let spare = take_front(&mut part.spare, blocks_for(count));
            let this = if self.way == Way::Gathered {
                let goes_on = part.count > count && self.active.is_none();
                let soon = Soon { blocks: [&*part.spare, &[]], rows: &rows, first: first + count };
                let this = self.gathered(first, count, part.own, spare, goes_on.then_some(&soon), scratch);
                done.next().into_iter().for_each(|done| *done = this.is_ok());
                this
            } else {
                let (own, run) = (take_front(&mut part.own, blocks_for(count)), self.run_at(first, count));
                match (self.way, self.torque) {
                    (Way::InPlace, EnsembleTorque::Ready(torque)) => self.steps(&run, None, own, None, torque),
                    _ => {
                        let soon = Soon { blocks: [&*part.own, &*part.spare], rows: &[None, None], first: 0 };
                        self.advance(&run, own, spare, is_far.then_some(&soon), &mut scratch.exchange)
                    }
                }
            };
            if this.is_err() {
                outcome = earlier(outcome, this);
                // Later chunks can only fail at an earlier step where several are taken at once.
                if self.steps == 1 {
                    return outcome;
                }
            }
            part.first += count;
            part.count -= count;
        }
        outcome
    }

    /// A single chunk, from our blocks to the spare ones: nothing to split.
    pub(super) fn single(&self, part: Part, scratch: &mut Scratch) -> Result<(), Setback> {
        self.advance(&self.run_at(0, part.count), part.own, part.spare, None, &mut scratch.exchange)
    }

    /// Whether every state is touched once, so that a chunk need not fit the cache.
    fn is_streamed(&self) -> bool {
        self.way != Way::Gathered && self.steps == 1 && matches!(self.torque, EnsembleTorque::Ready(_))
    }

    /// Advances a chunk where it is; the spare blocks keep what it was.
    fn gathered(
        &self,
        first: usize,
        count: usize,
        own: StatesMut,
        spare: StatesMut,
        soon: Option<&Soon>,
        scratch: &mut Scratch,
    ) -> Result<(), Setback> {
        let mut run = self.run_at(first, count);
        let Scratch { start, end, exchange } = scratch;
        self.binding.gather(own, &run.bodies, count, spare);
        // Where the caller's array is converted, it is at every step, as if they were taken one by one.
        let is_converted = self.binding.kind() != Kind::OmegaBody;
        let rounds = if is_converted { std::mem::replace(&mut run.steps, 1) } else { 1 };
        for step in 0..rounds {
            let from = if step == 0 { &*spare } else { &end[..] };
            self.binding.convert(self.inertias, &run.bodies, count, from, start)?;
            let soon = if step + 1 == rounds { soon } else { None };
            self.advance(&run, start, end, soon, exchange)
                .and_then(|()| self.binding.convert_back(self.inertias, &run.bodies, count, end, run.clock.now()))
                .map_err(|s| Setback { step: s.step + step, ..s })?;
            run.clock.advance(self.h);
        }
        self.binding.scatter(own, &run.bodies, count, end);
        Ok(())
    }

    /// All that is to be done with a chunk.
    fn run_at(&self, first: usize, count: usize) -> Run<'_> {
        let Sweep { clock, steps, .. } = *self;
        Run { first, count, bodies: bodies_at(self.active, first, count), clock, steps }
    }

    /// From `start` to `end`, both in blocks of this chunk.
    #[inline(always)] // arguments handed over in memory would be read in other pieces than they were written in
    fn advance(
        &self,
        run: &Run,
        start: States,
        end: StatesMut,
        soon: Option<&Soon>,
        exchange: &mut Exchange,
    ) -> Result<(), Setback> {
        match self.torque {
            EnsembleTorque::Ready(torque) => self.steps(run, Some(start), end, soon, torque),
            EnsembleTorque::Callback { torque, layout, frame } => {
                let Run { first, count, bodies, clock, .. } = run;
                let (first, count) = (*first, *count);
                let call = Call { torque: &**torque, layout: *layout, frame: *frame, bodies, first, count };
                for i in 0..M::TORQUE_AT.len() {
                    exchange.show(&call, if i == 0 { start } else { end });
                    exchange.ask(&call, clock.now() + M::TORQUE_AT[i] * self.h)?;
                    let Exchange { notes, torque, .. } = exchange;
                    let (layout, frame) = (*layout, *frame);
                    let mut absorb = Absorb::<M> {
                        i,
                        count,
                        bodies,
                        start,
                        stage: end,
                        torque: Packed { layout, frame, torque, stride: count },
                        notes: if frame == Frame::World { Some(notes) } else { None },
                        soon: if i == 0 { soon } else { None },
                        inertias: self.inertias,
                        time: clock.now(),
                        h: self.h,
                        method: PhantomData,
                    };
                    simd::run_on(count, &mut absorb)?;
                }
                Ok(())
            }
        }
    }

    /// The same under a ready-made torque; without a start, from `end`.
    #[inline(always)]
    fn steps(
        &self,
        run: &Run,
        start: Option<States>,
        end: StatesMut,
        soon: Option<&Soon>,
        torque: &ReadyMade,
    ) -> Result<(), Setback> {
        let count = run.count;
        let mut steps = Steps::<M> {
            count,
            bodies: &run.bodies,
            start,
            end,
            inertias: self.inertias,
            torque,
            clock: &run.clock,
            h: self.h,
            steps: run.steps,
            far: count > FAR,
            soon,
            method: PhantomData,
        };
        simd::run_on(count, &mut steps)
    }

    /// Puts the chunks that were gathered and advanced back to what they were.
    pub(super) fn undo(&self, part: Part) {
        for (chunk, done) in part.done.iter().enumerate() {
            if *done {
                let first = chunk * CHUNK;
                let count = (part.count - first).min(CHUNK);
                let kept = &part.spare[blocks_for(first)..];
                self.binding.scatter(part.own, &bodies_at(self.active, first, count), count, kept);
            }
        }
    }
}

/// Some steps of a chunk.
struct Run<'a> {
    first: usize,
    count: usize,
    bodies: Bodies<'a>,
    clock: Clock,
    steps: u64,
}

/// The bodies at some positions.
pub(super) fn bodies_at(active: Option<&[usize]>, first: usize, count: usize) -> Bodies<'_> {
    match active {
        None => Bodies::From(first),
        Some(list) => Bodies::Listed(&list[first..first + count]),
    }
}

/// Room to work in.
pub(super) struct Scratch {
    pub(super) start: Tile<7>,
    pub(super) end: Tile<7>,
    pub(super) exchange: Exchange,
}

impl Scratch {
    pub(super) fn new() -> Self {
        let tile = [Block::filled([0.0; 7]); CHUNK_BLOCKS];
        Scratch { start: tile, end: tile, exchange: Exchange::new() }
    }
}

/// The packed arrays of a callback, and what is kept of the states they show.
pub(super) struct Exchange {
    orientation: [f64; 4 * CHUNK],
    angular_velocity: [f64; 3 * CHUNK],
    pub(super) notes: Notes,
    torque: [f64; 3 * CHUNK],
}

/// A callback for a chunk.
struct Call<'a> {
    torque: &'a dyn ChunkTorque,
    layout: Layout,
    frame: Frame,
    bodies: &'a Bodies<'a>,
    first: usize,
    count: usize,
}

impl Exchange {
    fn new() -> Self {
        Exchange {
            orientation: [0.0; 4 * CHUNK],
            angular_velocity: [0.0; 3 * CHUNK],
            notes: [Block::filled([0.0; 12]); CHUNK_BLOCKS],
            torque: [0.0; 3 * CHUNK],
        }
    }

    fn show(&mut self, &Call { layout, frame, count, .. }: &Call, states: States) {
        let Exchange { orientation, angular_velocity, notes, .. } = self;
        let shown = Shown { layout, orientation, angular_velocity, stride: count };
        simd::run_on(count, &mut Present { count, states, frame, notes: Some(notes), shown, soon: None });
    }

    fn ask(&mut self, call: &Call, time: f64) -> Result<(), Setback> {
        let Call { torque, bodies, first, count, .. } = *call;
        let (orientation, angular_velocity) = (&self.orientation[..4 * count], &self.angular_velocity[..3 * count]);
        let packed = &mut self.torque[..3 * count];
        // in parts, each short enough that the C library does not take the way for great ones, which begins slowly
        packed.chunks_mut(CHUNK).for_each(|part| part.fill(0.0));
        torque.torque(time, first, count, orientation, angular_velocity, packed).map_err(|result| {
            let (body, last) = (bodies.at(0), bodies.at(count - 1));
            Setback { step: 0, body, error: Error::CallbackAt { first: body, last, result, time } }
        })
    }
}

/// Positions in each piece of work where there are threads; all of them where there are not.
pub(super) fn grain(count: usize, threads: usize) -> usize {
    if threads <= 1 { usize::MAX } else { (count / (4 * threads)).next_multiple_of(CHUNK).max(4 * CHUNK) }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner) // a panic is on its way to the caller; nothing is left half done
}
