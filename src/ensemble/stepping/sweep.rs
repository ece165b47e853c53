//! A sweep visits each chunk of bodies once, on one thread or several. The threads divide
//! consecutive positions with their memory among themselves.

use super::motion::{Checkpoint, Chunk, Motion, Pass, Saved, Scratch, Writes};
use super::whole::WholeSteps;
use crate::clock::Clock;
use crate::ensemble::VelocityKind;
use crate::ensemble::bodies::active::Active;
use crate::ensemble::bodies::parameters::Inertias;
use crate::ensemble::lanes::CHUNK;
use crate::ensemble::states::own::Bound;
use crate::error::Failure;
use crate::kernel::Column;
use crate::memory::{Block, StatesMut, blocks_for};
use crate::threads::{End, Threads, locked, unlocked};
use std::sync::Mutex;

/// Where a sweep reads the states and where it writes them, and so how they are undone.
#[derive(Clone, Copy)]
pub(crate) enum StateAccess<'p> {
    /// From the current blocks to the other ones: there is nothing to undo.
    DoubleBuffer,
    /// Within the current blocks. The other ones hold a checkpoint, and the steps since then are
    /// taken again.
    InPlace {
        again: WholeSteps<'p>,
        since: Checkpoint,
    },
    /// From the caller's arrays, or from the places of listed bodies, and back. The other blocks
    /// keep the states before, by position: they are scattered back.
    Gathered,
    /// A stage, which stays in the other blocks, by position; the states are read where they are.
    /// There is nothing to undo.
    Stage { gathers: bool },
}

impl StateAccess<'_> {
    /// Whether the states are gathered from the caller's arrays or the places of listed bodies.
    #[inline(always)]
    pub(crate) fn gathers(&self) -> bool {
        matches!(
            self,
            StateAccess::Gathered | StateAccess::Stage { gathers: true }
        )
    }
}

/// What a sweep does.
#[derive(Clone, Copy)]
pub(crate) struct Sweep<'s> {
    pub(crate) pass: &'s dyn Pass,
    pub(crate) inertias: &'s Inertias,
    pub(crate) active: &'s Active,
    pub(crate) access: &'s StateAccess<'s>,
    /// The clock at the start.
    pub(crate) clock: Clock,
    pub(crate) h: f64,
    pub(crate) steps: u64,
}

/// Consecutive positions, with their memory: what one thread takes.
struct Part<'m> {
    first: usize,
    count: usize,
    /// Empty where states are gathered.
    current: StatesMut<'m>,
    other: StatesMut<'m>,
    /// A flag for each chunk; empty unless states are gathered.
    scattered: &'m mut [bool],
    /// The columns that the pass saves for each block; 0 if it saves nothing.
    saved_columns: usize,
    /// What the method has kept from before the sweep. A sweep in place writes it there again.
    kept_before: &'m mut [Column],
    /// What the method keeps after the sweep, otherwise.
    kept_after: &'m mut [Column],
    predicted: &'m mut [Block<3>],
}

impl<'m> Part<'m> {
    /// Splits off `grain` positions at one end, or all if there are fewer; `None` if none are left.
    fn take(&mut self, end: End, grain: usize) -> Option<Part<'m>> {
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
    fn front(&mut self, count: usize) -> Part<'m> {
        let blocks = blocks_for(count);
        let columns = blocks * self.saved_columns;
        let first = self.first;
        self.first += count;
        self.count -= count;
        Part {
            first,
            count,
            current: take_front(&mut self.current, blocks),
            other: take_front(&mut self.other, blocks),
            scattered: take_front(&mut self.scattered, count.div_ceil(CHUNK)),
            saved_columns: self.saved_columns,
            kept_before: take_front(&mut self.kept_before, columns),
            kept_after: take_front(&mut self.kept_after, columns),
            predicted: take_front(&mut self.predicted, blocks),
        }
    }
}

#[inline(always)]
pub(crate) fn take_front<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    slice
        .split_off_mut(..count.min(slice.len()))
        .unwrap_or_default()
}

/// The failure that taking the steps one by one would meet first.
fn earlier(a: Option<Failure>, b: Option<Failure>) -> Option<Failure> {
    a.into_iter()
        .chain(b)
        .min_by_key(|failure| (failure.completed, failure.body))
}

/// Where gathered states come from and go to: the blocks of what is not bound, and the caller's
/// arrays.
struct Places<'s, 'b> {
    current: StatesMut<'s>,
    bound: &'s mut Bound<'b>,
}

impl Sweep<'_> {
    /// Visits all chunks; on several threads if there is enough work to share.
    pub(crate) fn run(&self, motion: &mut Motion) -> Result<(), Failure> {
        let Motion {
            states,
            last,
            workers,
            scattered,
            ..
        } = motion;
        let mut part = Part {
            first: 0,
            count: self.active.moving,
            current: &mut [],
            other: &mut states.other,
            scattered,
            saved_columns: self.pass.saved_columns(),
            kept_before: &mut last.current,
            kept_after: &mut last.next,
            predicted: match &mut states.predicted {
                Some(predicted) => &mut predicted.values,
                None => &mut [],
            },
        };
        let mut places = Places {
            current: &mut [],
            bound: &mut states.bound,
        };
        if self.access.gathers() {
            places.current = &mut states.current;
        } else {
            part.current = &mut states.current;
        }
        if let Some(threads) = unlocked(&mut workers.threads)
            && threads.are_here()
            && (!self.access.gathers() || places.bound.is_whole())
        {
            let grain = grain(part.count, threads.count());
            if part.count > grain {
                let scratch = &mut workers.scratch[..];
                return self.run_on_threads(threads, grain, part, places.bound, scratch);
            }
        }
        let scratch = &mut workers.scratch[0];
        self.chunks(part, &mut places, scratch)
    }

    /// The threads take `grain` positions at a time, from both ends.
    fn run_on_threads(
        &self,
        threads: &mut Threads,
        grain: usize,
        part: Part,
        bound: &mut Bound,
        scratch: &mut [Scratch],
    ) -> Result<(), Failure> {
        let pieces = part.count.div_ceil(grain);
        let rest = Mutex::new((part, bound.reborrow()));
        let scratch = Mutex::new(scratch.iter_mut());
        let failure = Mutex::new(None);
        threads.run(pieces, &|end| {
            let next = || {
                let (part, bound) = &mut *locked(&rest);
                let piece = part.take(end, grain)?;
                let bodies = self.active.bodies(piece.first, piece.count);
                Some((bound.take_at(end, &bodies), piece))
            }; // the lock is released when it returns
            let Some(scratch) = locked(&scratch).next() else {
                return;
            };
            let mut mine = None;
            while let Some((mut bound, piece)) = next() {
                let mut places = Places {
                    current: &mut [],
                    bound: &mut bound,
                };
                let outcome = self.chunks(piece, &mut places, scratch);
                mine = earlier(mine, outcome.err());
            }
            let mut failure = locked(&failure);
            *failure = earlier(failure.take(), mine);
        });
        match locked(&failure).take() {
            Some(failure) => Err(failure),
            None => Ok(()),
        }
    }

    fn is_far(&self) -> bool {
        const IN_CACHE: usize = 1 << 14;
        self.active.moving > IN_CACHE
    }

    /// Visits the chunks of a part one after the other.
    fn chunks(
        &self,
        part: Part,
        places: &mut Places,
        scratch: &mut Scratch,
    ) -> Result<(), Failure> {
        // a copy stays in registers, the argument does not
        let mut part = Part { ..part };
        let mut failure = None;
        while part.count > 0 {
            let piece = part.front(part.count.min(CHUNK));
            let outcome = match self.access {
                StateAccess::DoubleBuffer | StateAccess::Stage { gathers: false } => {
                    self.double_buffered(piece, scratch)
                }
                StateAccess::InPlace { .. } => self.in_place(piece, scratch),
                StateAccess::Gathered => self.gathered(piece, places, scratch),
                StateAccess::Stage { gathers: true } => self.gathered_stage(piece, places, scratch),
            };
            if let Err(this) = outcome {
                failure = earlier(failure, Some(this));
                if self.steps == 1 {
                    break; // otherwise a later chunk can fail at an earlier step
                }
            }
        }
        match failure {
            Some(failure) => Err(failure),
            None => Ok(()),
        }
    }

    #[inline(always)]
    fn double_buffered(&self, piece: Part, scratch: &mut Scratch) -> Result<(), Failure> {
        let bodies = &self.active.bodies(piece.first, piece.count);
        let start = piece.current;
        let end = piece.other;
        let chunk = Chunk {
            saved: Saved {
                from: Some(piece.kept_before),
                to: piece.kept_after,
            },
            predicted: piece.predicted,
            is_far: self.is_far(),
            ..Chunk::new(bodies, piece.first, start, end, self.clock, self.steps)
        };
        self.pass.visit(chunk, &mut scratch.chunk_scratch)
    }

    #[inline(always)]
    fn in_place(&self, piece: Part, scratch: &mut Scratch) -> Result<(), Failure> {
        let bodies = &self.active.bodies(piece.first, piece.count);
        let chunk = Chunk {
            saved: Saved {
                from: None,
                to: piece.kept_before,
            },
            predicted: piece.predicted,
            is_far: self.is_far(),
            ..Chunk::new(
                bodies,
                piece.first,
                &[],
                piece.current,
                self.clock,
                self.steps,
            )
        };
        self.pass.visit(chunk, &mut scratch.chunk_scratch)
    }

    /// Moves bodies in their arrays: gathers, converts, visits, converts back, scatters.
    fn gathered(
        &self,
        piece: Part,
        places: &mut Places,
        scratch: &mut Scratch,
    ) -> Result<(), Failure> {
        let Places { current, bound } = places;
        let bodies = &self.active.bodies(piece.first, piece.count);
        let raw = piece.other;
        bound.gather(current, bodies, raw);
        let are_states = bound.are_states(self.inertias, raw, piece.count);
        // Converted numbers are converted back after every step, so that many steps have the same
        // bits as single ones.
        let is_converted = bound.kind != VelocityKind::OmegaBody;
        let rounds = if is_converted { self.steps } else { 1 };
        let steps = if is_converted { 1 } else { self.steps };
        let writes = self.pass.writes();
        let writes_momenta =
            writes == Writes::StatesOrMomenta && bound.kind == VelocityKind::AngularMomentumWorld;
        let mut clock = self.clock;
        for round in 0..rounds {
            let is_first = round == 0;
            if !are_states {
                let from = if is_first { &*raw } else { &scratch.end };
                bound
                    .convert(self.inertias, bodies, from, &mut scratch.start)
                    .map_err(|failure| failure.after(round))?;
            }
            let start = if are_states { &*raw } else { &scratch.start };
            let chunk = Chunk {
                saved: Saved {
                    from: is_first.then_some(&*piece.kept_before),
                    to: piece.kept_after,
                },
                momenta: if writes_momenta { Some(raw) } else { None },
                predicted: piece.predicted,
                ..Chunk::new(bodies, piece.first, start, &mut scratch.end, clock, steps)
            };
            self.pass
                .visit(chunk, &mut scratch.chunk_scratch)
                .map_err(|failure| failure.after(round))?;
            if writes != Writes::Nothing && !writes_momenta {
                bound
                    .convert_back(self.inertias, bodies, &mut scratch.end, clock.now())
                    .map_err(|failure| failure.after(round))?;
            }
            clock.advance(self.h);
        }
        if writes != Writes::Nothing {
            bound.scatter(current, bodies, &scratch.end);
            piece.scattered.fill(true);
        }
        Ok(())
    }

    /// Takes gathered bodies to their next stage, which stays in the other blocks.
    fn gathered_stage(
        &self,
        piece: Part,
        places: &mut Places,
        scratch: &mut Scratch,
    ) -> Result<(), Failure> {
        let Places { current, bound } = places;
        let bodies = &self.active.bodies(piece.first, piece.count);
        let raw = &mut scratch.end;
        let start = bound.at_start(current, self.inertias, bodies, raw, &mut scratch.start);
        if !bound.is_empty() {
            self.pass.check_bound(piece.first, bodies, raw)?;
        }
        let chunk = Chunk {
            saved: Saved {
                from: Some(piece.kept_before),
                to: piece.kept_after,
            },
            ..Chunk::new(
                bodies,
                piece.first,
                start?,
                piece.other,
                self.clock,
                self.steps,
            )
        };
        self.pass.visit(chunk, &mut scratch.chunk_scratch)
    }
}

/// How many positions a thread takes at a time.
fn grain(count: usize, threads: usize) -> usize {
    (count / (4 * threads))
        .next_multiple_of(CHUNK)
        .max(4 * CHUNK)
}
