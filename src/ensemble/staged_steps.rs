//! What the stage protocol does with the bodies: a stage of all of them, and the end of a step. The
//! other blocks hold the states of the stage, in the order of positions.

use super::Ensemble;
use super::acting::ask::Forces;
use super::lanes::CHUNK;
use super::protocol::{Begun, pack_states};
use super::states::own::StateStore;
use super::stepping::chunk::{Chunk, Pass};
use super::stepping::last_torques::LastTorques;
use super::stepping::motion::Motion;
use super::stepping::scratch::Scratch;
use super::stepping::stage_loops::Saved;
use super::stepping::stages::Stages;
use crate::error::{Error, Failure};
use crate::memory::{self, PackedStates, PackedTorques, blocks_for};

const REWRITTEN: &str =
    "a bound array has been written to in the middle of a step, which is cancelled";

impl Ensemble<'_, '_> {
    /// Advances all bodies from this stage to the next, by the torques that the caller has supplied
    /// or, if there are none, by those that the method has kept. Writes the next stage to `output`
    /// if it is wanted. Supplied torques at the start of a step are only saved by a method that
    /// keeps them.
    pub(super) fn take_stage(
        &mut self,
        begun: Begun,
        supplied: Option<PackedTorques>,
        mut output: Option<&mut PackedStates>,
    ) -> Result<(), Failure> {
        let plan = self.staged_plan();
        let Begun { dt: h, stage, .. } = begun;
        let forces = Forces::of_stages(plan, &self.acting, &self.inertias, supplied);
        let active = &self.active;
        let protocol = &mut self.protocol;
        let Motion {
            states,
            last,
            clock,
            workers,
            ..
        } = &mut self.motion;
        let StateStore {
            current,
            other,
            bound,
            ..
        } = states;
        let LastTorques {
            current: kept_before,
            next: kept_after,
            known,
            ..
        } = last;
        let pass = if plan.keeps_torque && stage == 0 && supplied.is_some() {
            Stages::first_torques(&forces, known.rates)
        } else {
            Stages::one(&forces, h, stage)
        };
        let Scratch {
            start,
            end: raw,
            chunk_scratch,
        } = &mut workers.scratch[0];
        let is_bound = !bound.is_empty();
        for (first, bodies) in active.chunks() {
            let count = bodies.count();
            let start = bound.at_start(current, forces.inertias, &bodies, raw, start);
            if is_bound {
                let at_start = &mut protocol.fingerprints[first / CHUNK];
                let now = memory::fingerprint(raw, count);
                if supplied.is_none() {
                    *at_start = now; // the step begins
                } else if start.is_err() || *at_start != now {
                    protocol.pending = None;
                    return Err(Failure::of_body(bodies.get(0), Error::Order(REWRITTEN)));
                }
            }
            let start = start?;
            let stage_states = &mut other[blocks_for(first)..][..blocks_for(count)];
            let columns_before = plan.saved * blocks_for(first);
            let chunk = Chunk {
                saved: Saved {
                    from: if plan.keeps_torque {
                        Some(&kept_before[columns_before..])
                    } else {
                        None
                    },
                    to: &mut kept_after[columns_before..],
                },
                ..Chunk::new(&bodies, first, start, &mut *stage_states, *clock, 1)
            };
            pass.visit(chunk, chunk_scratch)
                .inspect_err(|_| protocol.pending = None)?;
            if let Some(output) = &mut output {
                pack_states(
                    stage_states,
                    count,
                    plan.hides_velocity(),
                    output.from(first),
                );
            }
        }
        Ok(())
    }

    /// Completes the current step. Returns the remaining steps.
    pub(super) fn complete_step(&mut self, begun: Begun) -> Result<Begun, Failure> {
        self.protocol.pending = None;
        self.motion.clock.advanced(begun.dt)?;
        let time = self.motion.clock.now();
        if self.motion.states.gathers(&self.active) {
            let StateStore {
                current,
                other,
                bound,
                ..
            } = &mut self.motion.states;
            for (first, bodies) in self.active.chunks() {
                let states = &mut other[blocks_for(first)..];
                bound.convert_back(&self.inertias, &bodies, states, time)?;
            }
            for (first, bodies) in self.active.chunks() {
                bound.scatter(current, &bodies, &other[blocks_for(first)..]);
            }
        } else {
            let states = &mut self.motion.states;
            states.set_rest_aside(&self.active)?;
            states.exchange();
            states.rest_idle_lanes(self.active.total, 1);
            states.put_rest_back();
        }
        if self.staged_plan().keeps_torque {
            self.motion.last.exchange();
        }
        self.motion.clock.advance(begun.dt);
        self.acting.random.draws = self
            .acting
            .random
            .draws
            .wrapping_add(u64::from(self.staged_plan().is_random()));
        let begun = Begun {
            steps: begun.steps - 1,
            stage: 0,
            ..begun
        };
        self.protocol.pending = Some(begun);
        Ok(begun)
    }
}
