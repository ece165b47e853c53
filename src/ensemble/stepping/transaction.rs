//! A step is a transaction: all bodies take it, or none. What has not been committed is undone,
//! also if a Rust callback panics.

use super::last_torques::{ComputedBy, Known, LastTorques};
use super::motion::{Checkpoint, Chunk, Motion, Pass, Saved, Writes};
use super::sweep::{StateAccess, Sweep};
use super::whole::WholeSteps;
use crate::ensemble::bodies::active::Active;
use crate::ensemble::bodies::parameters::Inertias;
use crate::ensemble::lanes::{AT_REST, CHUNK};
use crate::ensemble::states::own::StateStore;
use crate::error::Failure;
use crate::memory::{self, Bodies, blocks_for};

/// After so many steps in place the checkpoint is renewed, because a step that fails is undone by
/// taking all steps since the checkpoint again.
const MOST_STEPS_IN_PLACE: u64 = 64;

/// Steps of one call that are under way.
pub(crate) struct Transaction<'t, 'a, 'p> {
    motion: &'t mut Motion<'a>,
    active: &'p Active,
    inertias: &'p Inertias,
    /// What the method kept before.
    known_before: Known,
    /// Whether the torques at the start have been asked. They took the place of those that the
    /// method had kept.
    has_asked: bool,
    /// The pass that ran last.
    last_pass: LastPass<'p>,
    /// The checkpoint after the commit.
    next: Option<Checkpoint>,
}

/// What a transaction has to know of its last pass.
struct LastPass<'p> {
    h: f64,
    steps: u64,
    access: StateAccess<'p>,
    /// Whether it has saved what the method keeps.
    keeps: bool,
}

impl<'t, 'a, 'p> Transaction<'t, 'a, 'p> {
    #[inline(always)]
    pub(crate) fn begin(
        motion: &'t mut Motion<'a>,
        active: &'p Active,
        inertias: &'p Inertias,
    ) -> Self {
        Transaction {
            known_before: motion.last.known,
            motion,
            active,
            inertias,
            has_asked: false,
            last_pass: LastPass {
                h: 0.0,
                steps: 0,
                access: StateAccess::DoubleBuffer,
                keeps: false,
            },
            next: None,
        }
    }

    pub(crate) fn last_torques(&mut self) -> &mut LastTorques {
        &mut self.motion.last
    }

    /// The pass that ran last has asked for the torques at the start: they become the last ones.
    pub(crate) fn replace_last_torques(&mut self, of_all: bool, by: ComputedBy) {
        self.motion.last.take_over(of_all, by);
        self.has_asked = true;
    }

    /// Takes all bodies that move through a pass, `steps` steps of `h`. A failure tells how many
    /// steps could have been completed.
    #[inline(always)]
    pub(crate) fn run<P: Pass>(&mut self, pass: &P, h: f64, steps: u64) -> Result<(), Failure> {
        let gathers = self.motion.states.gathers(self.active);
        self.prepare(pass, gathers)?;
        self.motion.checkpoint = None;
        let access = if pass.writes() == Writes::Stage {
            StateAccess::Stage { gathers }
        } else if gathers {
            StateAccess::Gathered
        } else {
            StateAccess::DoubleBuffer
        };
        self.visit_all(pass, h, steps, access)
    }

    /// As [`Transaction::run`], for steps that can be taken in place: one set of blocks fits a
    /// cache that two sets do not fit (PERF-3).
    #[inline(always)]
    pub(crate) fn run_whole_steps(
        &mut self,
        whole: WholeSteps<'p>,
        steps: u64,
    ) -> Result<(), Failure> {
        let is_one_chunk = self.active.moving <= CHUNK;
        if is_one_chunk || self.motion.states.gathers(self.active) {
            return self.run(&whole, whole.h, steps);
        }
        self.prepare(&whole, false)?;
        let mut next = Checkpoint {
            h: whole.h,
            steps,
            are_drifts: whole.are_drifts(),
        };
        let mut access = StateAccess::DoubleBuffer;
        if let Some(since) = self.motion.checkpoint.take() {
            let are_same =
                since.h.to_bits() == next.h.to_bits() && since.are_drifts == next.are_drifts;
            let all = since.steps.saturating_add(steps);
            if are_same && all <= MOST_STEPS_IN_PLACE {
                next.steps = all;
                access = StateAccess::InPlace {
                    again: whole,
                    since,
                };
            }
        }
        self.next = Some(next);
        self.visit_all(&whole, whole.h, steps, access)
    }

    /// Makes the memory that a pass needs. Nothing has begun if there is none.
    #[inline(always)]
    fn prepare<P: Pass>(&mut self, pass: &P, gathers: bool) -> Result<(), Failure> {
        let Motion {
            states, workers, ..
        } = &mut *self.motion;
        states.prepare()?;
        let bodies = if gathers || pass.needs_scratch() {
            self.active.total.clamp(1, CHUNK)
        } else {
            0
        };
        Ok(workers.prepare(bodies)?)
    }

    #[inline(always)]
    fn visit_all<P: Pass>(
        &mut self,
        pass: &P,
        h: f64,
        steps: u64,
        access: StateAccess<'p>,
    ) -> Result<(), Failure> {
        let gathers = access.gathers();
        self.last_pass = LastPass {
            h,
            steps,
            access,
            keeps: pass.saved_columns() > 0,
        };
        if !gathers && self.active.are_all() {
            let total = self.active.total;
            self.motion.states.rest_idle_lanes(total, steps);
            if (1..=CHUNK).contains(&total) {
                return self.visit_only_chunk(pass, steps);
            }
        }
        let sweep = Sweep {
            pass,
            inertias: self.inertias,
            active: self.active,
            access: &self.last_pass.access,
            clock: self.motion.clock,
            h,
            steps,
        };
        Self::sweep(self.motion, &sweep)
    }

    /// Few bodies, all of which move, in own memory: what a sweep does with them, and no more
    /// (PERF-1).
    #[inline(always)]
    fn visit_only_chunk<P: Pass>(&mut self, pass: &P, steps: u64) -> Result<(), Failure> {
        let Motion {
            states,
            last,
            clock,
            workers,
            ..
        } = &mut *self.motion;
        let bodies = &Bodies::first(self.active.total);
        let mut chunk = Chunk::new(bodies, 0, &states.current, &mut states.other, *clock, steps);
        if self.last_pass.keeps {
            chunk.saved = Saved {
                from: Some(&last.current),
                to: &mut last.next,
            };
        }
        if let Some(predicted) = &mut states.predicted {
            chunk.predicted = &mut predicted.values;
        }
        pass.visit(chunk, &mut workers.scratch[0].chunk_scratch)
    }

    #[inline(never)]
    fn sweep(motion: &mut Motion, sweep: &Sweep) -> Result<(), Failure> {
        let Motion {
            states, scattered, ..
        } = &mut *motion;
        scattered.clear();
        if matches!(sweep.access, StateAccess::Gathered) {
            let chunks = sweep.active.total.div_ceil(CHUNK);
            memory::make_room(scattered, chunks)?;
            scattered.resize(chunks, false);
        } else if !sweep.access.gathers() {
            states.set_rest_aside(sweep.active)?;
        }
        sweep.run(motion)?;
        motion.states.put_rest_back();
        Ok(())
    }

    /// What the last pass has done stays, and the clock follows.
    #[inline(always)]
    pub(crate) fn commit(mut self) {
        match self.last_pass.access {
            StateAccess::DoubleBuffer => self.exchange_sets(),
            StateAccess::InPlace { .. } | StateAccess::Stage { .. } => {}
            StateAccess::Gathered => self.exchange_kept(),
        }
        let LastPass { h, steps, .. } = self.last_pass;
        self.motion.checkpoint = self.next;
        if h != 0.0 {
            for _ in 0..steps {
                self.motion.clock.advance(h);
            }
        }
        std::mem::forget(self);
    }

    /// Completes a step of `h`: its last stage becomes the state, and what was saved from stage to
    /// stage what the method keeps, if it does. Errors: the first body whose numbers in a bound
    /// array would overflow.
    pub(crate) fn commit_stages(self, h: f64, keeps: bool) -> Result<(), Failure> {
        let Motion {
            states,
            last,
            clock,
            ..
        } = &mut *self.motion;
        clock.advanced(h)?;
        if states.gathers(self.active) {
            let StateStore {
                current,
                other,
                bound,
                ..
            } = states;
            for (first, bodies) in self.active.chunks() {
                let end = &mut other[blocks_for(first)..];
                bound.convert_back(self.inertias, &bodies, end, clock.now())?;
            }
            for (first, bodies) in self.active.chunks() {
                bound.scatter(current, &bodies, &other[blocks_for(first)..]);
            }
        } else {
            states.exchange();
        }
        if keeps {
            last.exchange();
        }
        clock.advance(h);
        std::mem::forget(self);
        Ok(())
    }

    /// What has been written takes the place of what has been read.
    #[inline(always)]
    fn exchange_sets(&mut self) {
        self.motion.states.exchange();
        self.exchange_kept();
    }

    #[inline(always)]
    fn exchange_kept(&mut self) {
        if self.last_pass.keeps {
            self.motion.last.exchange();
        }
    }

    /// Gives the bodies whose new states have been scattered those before, which the other blocks
    /// hold.
    fn scatter_back(&mut self) {
        let Motion {
            states, scattered, ..
        } = &mut *self.motion;
        for ((first, bodies), is_scattered) in self.active.chunks().zip(scattered) {
            if *is_scattered {
                let before = &states.other[blocks_for(first)..];
                states.bound.scatter(&mut states.current, &bodies, before);
            }
        }
    }

    /// Takes the steps since the checkpoint once more. They cannot fail, because they have not
    /// failed before.
    fn step_again(&mut self, again: &WholeSteps, since: Checkpoint) {
        self.exchange_sets();
        let _ = Sweep {
            pass: again,
            inertias: self.inertias,
            active: self.active,
            access: &StateAccess::DoubleBuffer,
            clock: self.motion.clock,
            h: since.h,
            steps: since.steps,
        }
        .run(self.motion);
        self.exchange_sets();
        self.motion.checkpoint = Some(since);
    }
}

impl Drop for Transaction<'_, '_, '_> {
    #[cold]
    fn drop(&mut self) {
        match self.last_pass.access {
            StateAccess::DoubleBuffer | StateAccess::Stage { .. } => {}
            StateAccess::InPlace { again, since } => self.step_again(&again, since),
            StateAccess::Gathered => self.scatter_back(),
        }
        let Motion { states, last, .. } = &mut *self.motion;
        states.put_rest_back();
        if self.active.are_all() && !states.other.is_empty() {
            // Idle lanes that have overflowed with the last body would otherwise come back with a
            // step that does not write them.
            memory::fill_idle_lanes(self.active.total, &mut states.other, AT_REST);
        }
        if self.has_asked {
            last.restore_replaced();
        }
        last.known = self.known_before;
    }
}
