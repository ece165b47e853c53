//! Steps in stages, for any method and torque: at each stage the torque is asked at the states
//! there, then a loop moves on to the next. The first torque of a method that keeps the last one is
//! asked in the same way.

use super::motion::{Chunk, ChunkScratch, Pass, Saved, Writes};
use super::stage_loops::StageData;
use crate::ensemble::acting::ask::Forces;
use crate::ensemble::acting::random::Drawing;
use crate::ensemble::acting::torque_loops::Torques;
use crate::ensemble::lanes::first_not_finite;
use crate::memory::{self, StatesMut};
use crate::{clock::Clock, error::Failure, kernel::Vec3};
use std::ops::Range;

pub(crate) struct Stages<'f, 'a> {
    forces: &'f Forces<'a>,
    work: Work,
    drawing: Option<Drawing<'a>>,
}

/// What is done with each chunk.
enum Work {
    /// The torques at the start of a step are asked and saved. The bodies stay where they are.
    AskFirst { rates_are_known: bool },
    /// These stages of each step of `h` are taken.
    Take { stages: Range<usize>, h: f64 },
}

impl<'f, 'a> Stages<'f, 'a> {
    /// All stages of steps of `h`.
    pub(crate) fn of_steps(forces: &'f Forces<'a>, h: f64) -> Self {
        let stages = 0..forces.plan.torque_at.len();
        Self::of(forces, Work::Take { stages, h })
    }

    /// One stage of a step of `h`.
    pub(crate) fn one(forces: &'f Forces<'a>, h: f64, stage: usize) -> Self {
        let stages = stage..stage + 1;
        Self::of(forces, Work::Take { stages, h })
    }

    /// Before a step by a method that keeps the last torque, where that is not known.
    pub(crate) fn first_torques(forces: &'f Forces<'a>, rates_are_known: bool) -> Self {
        Self::of(forces, Work::AskFirst { rates_are_known })
    }

    fn of(forces: &'f Forces<'a>, work: Work) -> Self {
        let drawing = if forces.plan.is_random() {
            forces.acting.random.drawing()
        } else {
            None
        };
        Stages {
            forces,
            work,
            drawing,
        }
    }
}

impl Pass for Stages<'_, '_> {
    fn writes(&self) -> Writes {
        match self.work {
            Work::AskFirst { .. } => Writes::Nothing,
            Work::Take { .. } => Writes::States,
        }
    }

    fn saved_columns(&self) -> usize {
        self.forces.plan.kept()
    }

    fn visit(&self, chunk: Chunk, chunk_scratch: &mut ChunkScratch) -> Result<(), Failure> {
        let forces = self.forces;
        let count = chunk.bodies.count();
        let torques = &mut chunk_scratch.torques;
        if count <= 2 {
            // Torques are written one by one, but a stage may be taken in pairs. What other bodies
            // have left in the second lane might overflow.
            memory::fill_idle_lanes(count, &mut torques.tile, [0.0; 3]);
        }
        forces.read_flow_gradients(chunk.bodies, &mut torques.packed);
        if forces.plan.is_damped() {
            forces.write_resistances(chunk.bodies, chunk.start, &mut torques.resistances);
        }
        match &self.work {
            Work::AskFirst { rates_are_known } => self.ask_first(chunk, *rates_are_known, torques),
            Work::Take { stages, h } => self.take_steps(stages, *h, chunk, chunk_scratch),
        }
    }
}

impl Stages<'_, '_> {
    /// Asks for the torques at the start and saves them, beside the rates that the method has kept.
    fn ask_first(
        &self,
        chunk: Chunk,
        rates_are_known: bool,
        torques: &mut Torques,
    ) -> Result<(), Failure> {
        let forces = self.forces;
        let bodies = chunk.bodies;
        let states = chunk.start;
        let time = chunk.clock.now();
        forces.ask((bodies, chunk.first), states, time, torques)?;
        let before = chunk.saved.from.filter(|_| rates_are_known);
        forces.save_first(bodies, states, torques, before, chunk.saved.to);
        for i in 0..bodies.count() {
            let torque = Vec3(memory::get(&torques.tile, i));
            if torque.0.iter().any(|component| !component.is_finite()) {
                return Err(forces.failure(bodies, i, time, Some(time), torques));
            }
        }
        Ok(())
    }

    /// The results of the steps alternate between a tile and `end`; the last is in `end`.
    #[inline(always)]
    fn take_steps(
        &self,
        stages: &Range<usize>,
        h: f64,
        chunk: Chunk,
        chunk_scratch: &mut ChunkScratch,
    ) -> Result<(), Failure> {
        let ChunkScratch {
            torques,
            saved: between_stages,
            inertias: inertia_tile,
            end: tile,
        } = chunk_scratch;
        let Chunk {
            bodies,
            first,
            end,
            saved,
            mut clock,
            steps,
            ..
        } = chunk;
        let saved = saved.or_between_stages(between_stages);
        let inertias = &self.forces.inertias.of_chunk(bodies, inertia_tile);
        let mut after: StatesMut = tile;
        let mut before: StatesMut = end;
        if steps % 2 == 1 {
            std::mem::swap(&mut after, &mut before);
        }
        for step in 0..steps {
            let is_first = step == 0;
            let mut data = StageData {
                forces: self.forces,
                bodies,
                first,
                start: if is_first { chunk.start } else { before },
                stage: after,
                saved: Saved {
                    from: if is_first { saved.from } else { None },
                    to: saved.to,
                },
                torques,
                inertias,
                h,
                i: 0,
                has_torque: false,
            };
            self.take_step(stages, &mut data, &clock, step)
                .map_err(|failure| failure.after(step))?;
            clock.advance(h);
            std::mem::swap(&mut after, &mut before);
        }
        Ok(())
    }

    /// Takes the stages of step number `step`, which starts at the time of the clock.
    #[inline(always)]
    fn take_step(
        &self,
        stages: &Range<usize>,
        data: &mut StageData,
        clock: &Clock,
        step: u64,
    ) -> Result<(), Failure> {
        let forces = self.forces;
        let bodies = data.bodies;
        let bodies_from = (bodies, data.first);
        for i in stages.clone() {
            let time = clock.now() + forces.plan.torque_at[i] * data.h;
            let is_kept = forces.plan.keeps_torque && i == 0;
            if !is_kept {
                let states = if i == 0 { data.start } else { &*data.stage };
                forces.ask(bodies_from, states, time, data.torques)?;
            }
            if let (0, Some(drawing)) = (i, &self.drawing) {
                data.torques.noise.draw(drawing, bodies_from, step);
            }
            let has_torque = !is_kept && forces.act();
            // under a ready-made torque the end of the step shows whether all was finite, as for
            // one body
            let is_checked = i + 1 == stages.end || forces.torque.is_callback();
            if !data.take(i, has_torque)
                && is_checked
                && let Some(bad) = first_not_finite(data.stage, bodies.count())
            {
                let asked_at = if is_kept { None } else { Some(time) };
                return Err(forces.failure(bodies, bad, clock.now(), asked_at, data.torques));
            }
        }
        Ok(())
    }
}
