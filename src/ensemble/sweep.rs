//! A sweep visits each chunk once, on one thread or several, which divide consecutive positions
//! with their memory among themselves. If it fails, it is undone. The states come from
//! - the own blocks, and go to the spare ones (across): the own blocks still hold the states
//!   before.
//! - the own blocks, and stay there (in place): the spare blocks hold the states some sweeps
//!   earlier. The steps since are retaken.
//! - the caller's arrays, or a list of active bodies (gathered): the spare blocks hold the states
//!   before, to be scattered back.

use super::pass::{BEYOND_CACHE, Chunk, InPlace, Leaves, Pass};
use super::scratch::{Crew, Scratch};
use super::stage_loops::Saved;
use super::states::{Bound, StateStore};
use super::{
    AT_REST, VelocityKind, active::Active, lanes::CHUNK, last_torques::LastTorques,
    parameters::Inertias,
};
use crate::error::{Error, Failure};
use crate::memory::{self, Ahead, Block, Bodies, StatesMut, ViewMut, blocks_for};
use crate::threads::{End, Threads, locked};
use crate::{clock::Clock, kernel::Column};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;

#[derive(Default)]
pub(super) struct Journal {
    /// How to rebuild the own blocks from the spare ones.
    pub(super) retake: Option<Retake>,
    /// For each chunk: whether the current sweep has scattered its new states.
    done: Vec<bool>,
}

/// `steps` steps of `h`, with the current torque and inertias, or as many drifts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Retake {
    h: f64,
    steps: u64,
    kind: InPlace,
}

const MOST_RETAKEN: u64 = 64;

/// All of an ensemble that a sweep changes, with the order of the bodies and their inertias.
pub(super) struct Moving<'e, 'a> {
    pub(super) active: &'e Active,
    pub(super) inertias: &'e Inertias,
    pub(super) states: &'e mut StateStore<'a>,
    pub(super) last: &'e mut LastTorques,
    pub(super) clock: &'e mut Clock,
    pub(super) crew: &'e mut Crew,
    pub(super) journal: &'e mut Journal,
}

impl Moving<'_, '_> {
    /// Takes `steps` steps of `h` by a pass, of all (active) bodies or of none. A failure tells how
    /// many could have been completed.
    #[inline(always)]
    pub(super) fn sweep<P: Pass>(&mut self, pass: &P, h: f64, steps: u64) -> Result<(), Failure> {
        self.states.prepare()?;
        let gathers = self.states.gathers(self.active);
        let positions = self.active.moving;
        let most = if gathers { CHUNK } else { pass.most(steps) };
        let is_needed = gathers || pass.in_place().is_none();
        self.crew.prepare(if is_needed {
            self.active.total.clamp(1, most)
        } else {
            0
        })?;
        let all_in_blocks = !gathers && self.active.are_all();
        if all_in_blocks {
            self.states.stop_behind(positions, steps);
        }
        let outcome = match (1..=CHUNK).contains(&positions) {
            true if all_in_blocks => self.sweep_chunk(pass, steps),
            true if gathers => self.gather_chunk(pass, h, steps),
            _ => self.sweep_chunks(pass, h, steps),
        };
        if let Err(failure) = outcome {
            if all_in_blocks {
                // otherwise lanes that have failed with the last body come back with a step that
                // does not write them
                memory::clear_behind(positions, &mut self.states.spare, AT_REST);
            }
            if let Error::ChunkCallback { result, .. } = failure.cause {
                self.crew.callback_result = result;
            }
            return Err(failure);
        }
        if h != 0.0 {
            for _ in 0..steps {
                self.clock.advance(h);
            }
        }
        Ok(())
    }

    /// Few bodies, all of which move, in own memory. A failure needs no undoing: the own blocks
    /// still hold the states before.
    #[inline(always)]
    fn sweep_chunk<P: Pass>(&mut self, pass: &P, steps: u64) -> Result<(), Failure> {
        self.journal.retake = None;
        let bodies = &Bodies::From {
            first: 0,
            count: self.active.moving,
        };
        let keeps = pass.columns() > 0;
        let StateStore {
            own,
            spare,
            predicted,
            ..
        } = &mut *self.states;
        let LastTorques { columns, after, .. } = &mut *self.last;
        let saved = if keeps {
            Saved {
                from: Some(columns),
                to: after,
            }
        } else {
            Saved {
                from: None,
                to: &mut [],
            }
        };
        let predicted = predicted
            .as_mut()
            .map_or(&mut [][..], |predicted| &mut predicted.values);
        let chunk = Chunk {
            bodies,
            first: 0,
            start: &own[..],
            end: &mut spare[..],
            saved,
            momenta: None,
            predicted,
            ahead: None,
            clock: *self.clock,
            steps,
        };
        pass.visit(chunk, &mut self.crew.scratch[0].between)?;
        if pass.leaves() != Leaves::Nothing {
            self.exchange(true, keeps);
        }
        Ok(())
    }

    /// Few bodies in the caller's arrays, or of a list. They are scattered last, so this needs no
    /// undoing either.
    #[inline(never)]
    fn gather_chunk(&mut self, pass: &dyn Pass, h: f64, steps: u64) -> Result<(), Failure> {
        self.journal.retake = None;
        self.run(&Sweep {
            pass,
            inertias: self.inertias,
            active: self.active,
            gathers: true,
            is_in_place: false,
            clock: *self.clock,
            h,
            steps,
        })?;
        self.exchange(
            false,
            pass.leaves() != Leaves::Nothing && pass.columns() > 0,
        );
        Ok(())
    }

    #[inline(never)]
    fn sweep_chunks(&mut self, pass: &dyn Pass, h: f64, steps: u64) -> Result<(), Failure> {
        let gathers = self.states.gathers(self.active);
        let keeps = pass.columns() > 0;
        let kind = if gathers { None } else { pass.in_place() };
        let since = self.journal.retake.take().filter(|since| {
            let is_same = Some(since.kind) == kind && since.h.to_bits() == h.to_bits();
            is_same && since.steps.saturating_add(steps) <= MOST_RETAKEN
        });
        let done = &mut self.journal.done;
        let chunks = if gathers {
            self.active.total.div_ceil(CHUNK)
        } else {
            0
        };
        memory::make_room(done, chunks)?;
        done.clear();
        done.resize(chunks, false);
        let shared = if gathers {
            None
        } else {
            self.states.shared_block(self.active)
        };
        let active = self.active;
        let sweep = Sweep {
            pass,
            inertias: self.inertias,
            active,
            gathers,
            is_in_place: since.is_some(),
            clock: *self.clock,
            h,
            steps,
        };
        // A Rust callback may panic: the panic resumes after the states are restored.
        let outcome = catch_unwind(AssertUnwindSafe(|| self.run(&sweep)));
        match (&outcome, since) {
            (Ok(Ok(())), _) if pass.leaves() == Leaves::Nothing => {}
            (Ok(Ok(())), _) => {
                self.exchange(!gathers && since.is_none(), keeps && since.is_none());
                let before = since.map_or(0, |since| since.steps);
                self.journal.retake = kind.map(|kind| Retake {
                    h,
                    steps: before + steps,
                    kind,
                });
            }
            _ if gathers => {
                let StateStore {
                    own, spare, bound, ..
                } = &mut *self.states;
                for ((first, bodies), _) in self
                    .active
                    .chunks()
                    .zip(&self.journal.done)
                    .filter(|(_, done)| **done)
                {
                    bound.scatter(own, &bodies, &spare[blocks_for(first)..]);
                }
            }
            (_, Some(Retake { steps, .. })) => {
                self.exchange(true, keeps);
                let _ = self.run(&Sweep {
                    is_in_place: false,
                    steps,
                    ..sweep
                }); // the same steps succeeded before
                self.exchange(true, keeps);
                self.journal.retake = since;
            }
            _ => {}
        }
        for block in shared.iter() {
            self.states.restore_shared_block(block);
        }
        outcome.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// What a sweep has written takes the place of what it has read.
    #[inline(always)]
    fn exchange(&mut self, states: bool, columns: bool) {
        if states {
            std::mem::swap(&mut self.states.own, &mut self.states.spare);
        }
        if columns {
            std::mem::swap(&mut self.last.columns, &mut self.last.after);
        }
    }

    /// Runs a sweep; on several threads if there is enough work to share. They take `grain`
    /// positions at a time, from both ends.
    fn run(&mut self, sweep: &Sweep) -> Result<(), Failure> {
        let StateStore {
            own,
            spare,
            bound,
            predicted,
            ..
        } = &mut *self.states;
        let LastTorques {
            columns: before,
            after,
            ..
        } = &mut *self.last;
        let Crew {
            threads, scratch, ..
        } = &mut *self.crew;
        let predicted = predicted
            .as_mut()
            .map_or(&mut [][..], |predicted| &mut predicted.values);
        let (own, all) = if sweep.gathers {
            (&mut [][..], &mut own[..])
        } else {
            (&mut own[..], &mut [][..])
        };
        let count = self.active.moving;
        let columns = sweep.pass.columns();
        let done = &mut self.journal.done[..];
        let mut part = Part {
            first: 0,
            count,
            own,
            spare,
            done,
            columns,
            before,
            after,
            predicted,
        };
        let threads = threads
            .as_deref_mut()
            .filter(|all| (!sweep.gathers || bound.is_whole()) && all.are_here());
        let share = |threads: &&mut Threads| {
            (count / (4 * threads.count()))
                .next_multiple_of(CHUNK)
                .max(4 * CHUNK)
        };
        let grain = threads.as_ref().map_or(usize::MAX, share);
        let Some(threads) = threads.filter(|_| count > grain) else {
            let scratch = &mut scratch[0];
            return match sweep.gathers && (1..=CHUNK).contains(&count) {
                true => sweep.gathered(part.front(count), all, bound, None, scratch),
                false => sweep.chunks(part, all, bound, scratch),
            };
        };
        let rest = Mutex::new((part, bound.reborrow()));
        let scratch = Mutex::new(scratch.iter_mut());
        let failure = Mutex::new(None);
        threads.run(count.div_ceil(grain), &|end| {
            let next = || {
                let (part, bound) = &mut *locked(&rest);
                let piece = part.take(end, grain)?;
                let bodies = sweep.active.bodies(piece.first, piece.count);
                Some((bound.take_at(end, &bodies), piece))
            }; // the lock is released when it returns
            let Some(scratch) = locked(&scratch).next() else {
                return;
            };
            let mut mine = None;
            while let Some((mut bound, piece)) = next() {
                mine = earlier(
                    mine,
                    sweep.chunks(piece, &mut [], &mut bound, scratch).err(),
                );
            }
            let mut failure = locked(&failure);
            *failure = earlier(failure.take(), mine);
        });
        locked(&failure).take().map_or(Ok(()), Err)
    }
}

/// Consecutive positions: the work of one thread.
struct Part<'a> {
    first: usize,
    count: usize,
    /// Empty where states are gathered.
    own: StatesMut<'a>,
    spare: StatesMut<'a>,
    done: &'a mut [bool],
    /// What the method keeps, before the sweep and, unless it is in place, after it: so many
    /// columns per block.
    columns: usize,
    before: &'a mut [Column],
    after: &'a mut [Column],
    predicted: &'a mut [Block<3>],
}

impl<'a> Part<'a> {
    /// Splits off `grain` positions at one end, or all if there are fewer; `None` if none are left.
    fn take(&mut self, end: End, grain: usize) -> Option<Part<'a>> {
        if self.count == 0 {
            return None;
        }
        Some(match end {
            End::Front => self.front(self.count.min(grain)),
            End::Back => {
                let front = self.front((self.count - 1) / grain * grain);
                std::mem::replace(self, front)
            }
        })
    }

    /// Inlined: a copy of a part that was just written waits for the stores, a tenth of the time of
    /// a kick.
    #[inline(always)]
    fn front(&mut self, count: usize) -> Part<'a> {
        let first = self.first;
        let blocks = blocks_for(count);
        let columns = self.columns;
        self.first += count;
        self.count -= count;
        let own = take_front(&mut self.own, blocks);
        let spare = take_front(&mut self.spare, blocks);
        let before = take_front(&mut self.before, blocks * columns);
        let after = take_front(&mut self.after, blocks * columns);
        let done = take_front(&mut self.done, count.div_ceil(CHUNK));
        let predicted = take_front(&mut self.predicted, blocks);
        Part {
            first,
            count,
            own,
            spare,
            done,
            columns,
            before,
            after,
            predicted,
        }
    }
}

#[inline(always)]
pub(super) fn take_front<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    slice
        .split_off_mut(..count.min(slice.len()))
        .unwrap_or_default()
}

#[derive(Clone, Copy)]
struct Sweep<'a> {
    pass: &'a dyn Pass,
    inertias: &'a Inertias,
    active: &'a Active,
    /// Where the states come from and go to: see the top of this file. Neither of the two: from the
    /// own blocks to the spare ones.
    gathers: bool,
    is_in_place: bool,
    clock: Clock,
    h: f64,
    steps: u64,
}

/// The failure that taking the steps one by one would meet first.
fn earlier(a: Option<Failure>, b: Option<Failure>) -> Option<Failure> {
    a.into_iter()
        .chain(b)
        .min_by_key(|failure| (failure.completed, failure.body))
}

impl Sweep<'_> {
    /// `own`: all own blocks, where states are gathered from them.
    fn chunks(
        &self,
        part: Part,
        own: StatesMut,
        bound: &mut Bound,
        scratch: &mut Scratch,
    ) -> Result<(), Failure> {
        // a copy stays in registers, the argument does not
        let mut failure = None;
        let mut part = Part { ..part };
        let is_long = part.count > CHUNK; // the next chunk is prefetched
        let q = bound
            .orientations
            .as_ref()
            .filter(|_| is_long)
            .and_then(ViewMut::row_addresses);
        let omega = bound
            .velocities
            .as_ref()
            .filter(|_| is_long)
            .and_then(ViewMut::row_addresses);
        let is_far = part.count > BEYOND_CACHE;
        let most = if self.gathers {
            CHUNK
        } else {
            self.pass.most(self.steps)
        };
        while part.count > 0 {
            let piece = part.front(part.count.min(most));
            let this = if self.gathers {
                let ahead = Ahead {
                    blocks: [&*part.spare, &[]],
                    rows: [q, omega],
                    first: part.first,
                };
                let goes_on = part.count > 0 && !self.active.are_listed();
                self.gathered(piece, own, bound, goes_on.then_some(&ahead), scratch)
            } else {
                let Part {
                    first,
                    count,
                    own,
                    spare,
                    before,
                    after,
                    predicted,
                    ..
                } = piece;
                let bodies = &self.active.bodies(first, count);
                let next = &Ahead {
                    blocks: [&*part.own, &*part.spare],
                    rows: [None, None],
                    first: 0,
                };
                let (start, end, saved, ahead) = match self.is_in_place {
                    true => (
                        &[][..],
                        own,
                        Saved {
                            from: None,
                            to: before,
                        },
                        None,
                    ),
                    false => (
                        &*own,
                        spare,
                        Saved {
                            from: Some(before),
                            to: after,
                        },
                        Some(next),
                    ),
                };
                let ahead = ahead.filter(|_| is_far && part.count > 0);
                let chunk = Chunk {
                    bodies,
                    first,
                    start,
                    end,
                    saved,
                    momenta: None,
                    predicted,
                    ahead,
                    clock: self.clock,
                    steps: self.steps,
                };
                self.pass.visit(chunk, &mut scratch.between)
            };
            if let Err(this) = this {
                failure = earlier(failure, Some(this));
                if self.steps == 1 {
                    break; // otherwise a later chunk can fail at an earlier step
                }
            }
        }
        failure.map_or(Ok(()), Err)
    }

    /// Moves bodies in their arrays: gathers, converts, visits, converts back, scatters. The spare
    /// blocks keep the states before.
    fn gathered(
        &self,
        part: Part,
        own: StatesMut,
        bound: &mut Bound,
        ahead: Option<&Ahead>,
        scratch: &mut Scratch,
    ) -> Result<(), Failure> {
        let Part {
            first,
            count,
            spare,
            done,
            before,
            after,
            predicted,
            ..
        } = part;
        let bodies = &self.active.bodies(first, count);
        let leaves = self.pass.leaves();
        let Scratch {
            start,
            end,
            between,
        } = scratch;
        bound.gather(own, bodies, spare);
        let are_states = bound.are_states(self.inertias, spare, count);
        // Converted numbers are converted back after every step, so that many steps have the same
        // bits as single ones.
        let is_converted = bound.kind != VelocityKind::OmegaBody;
        let (rounds, steps) = if is_converted {
            (self.steps, 1)
        } else {
            (1, self.steps)
        };
        let has_momenta =
            bound.kind == VelocityKind::AngularMomentumWorld && leaves == Leaves::StatesOrMomenta;
        let is_as_bound = has_momenta || leaves == Leaves::Nothing;
        let mut clock = self.clock;
        for round in 0..rounds {
            let mut visit = || {
                if !are_states {
                    bound.convert(
                        self.inertias,
                        bodies,
                        if round == 0 { spare } else { end },
                        start,
                    )?;
                }
                let saved = Saved {
                    from: (round == 0).then_some(&*before),
                    to: &mut *after,
                };
                let momenta = has_momenta.then_some(&*spare);
                let ahead = ahead.filter(|_| round + 1 == rounds);
                let end = &mut end[..];
                let start = if are_states { &*spare } else { &start[..] };
                let chunk = Chunk {
                    bodies,
                    first,
                    start,
                    end: &mut *end,
                    saved,
                    momenta,
                    predicted: &mut *predicted,
                    ahead,
                    clock,
                    steps,
                };
                self.pass.visit(chunk, between)?;
                if is_as_bound {
                    Ok(())
                } else {
                    bound.convert_back(self.inertias, bodies, end, clock.now())
                }
            };
            visit().map_err(|failure| failure.after(round))?;
            clock.advance(self.h);
        }
        if leaves != Leaves::Nothing {
            bound.scatter(own, bodies, end);
            done.fill(true);
        }
        Ok(())
    }
}
