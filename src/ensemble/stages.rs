//! Steps in stages, for any method and torque: at each stage the torque is asked at the states
//! there, then a loop moves on to the next. The first torque of a method that keeps the last one is
//! asked in the same way.

use super::lanes::{CHUNK, first_not_finite};
use super::pass::{Chunk, Leaves, Pass};
use super::stage_loops::{Given, Saved, StageData, takes_answers};
use super::{forces::Forces, random::Drawing, scratch::Between};
use crate::memory::{self, StatesMut};
use crate::{error::Failure, method::Plan};
use std::ops::Range;

pub(super) struct Stages<'f, 'a> {
    forces: &'f Forces<'a>,
    h: f64,
    /// Those that are taken. None: the torque at the start of a step is asked and saved, for a
    /// method that keeps the last one and has none.
    stages: Range<usize>,
    /// The form of the torques: an answer as it is, if nothing acts besides it.
    given: Given,
    drawing: Option<Drawing<'a>>,
}

impl<'f, 'a> Stages<'f, 'a> {
    pub(super) fn of(forces: &'f Forces<'a>, h: f64, stages: Range<usize>) -> Self {
        let Forces {
            plan,
            torque,
            supplied,
            besides,
            inertias,
            ..
        } = *forces;
        let is_answered = supplied.is_some() || torque.is_callback();
        let takes_answers = takes_answers(plan, inertias);
        let given = match is_answered && !besides.acts() && takes_answers {
            true => Given::Answer,
            _ if forces.act() => Given::Tile,
            _ => Given::Nothing,
        };
        let drawing = if plan.is_random() {
            forces.random.drawing()
        } else {
            None
        };
        Stages {
            forces,
            h,
            stages,
            given,
            drawing,
        }
    }
}

impl Pass for Stages<'_, '_> {
    fn leaves(&self) -> Leaves {
        if self.stages.is_empty() {
            Leaves::Nothing
        } else {
            Leaves::States
        }
    }

    fn columns(&self) -> usize {
        self.forces.plan.kept()
    }

    /// For callbacks as promised. Where noise is drawn the loops are long: to wait for the last
    /// bodies of each takes 6 % in shorter chunks.
    fn most(&self, _: u64) -> usize {
        if self.drawing.is_some() && !self.forces.torque.is_callback() {
            4 * CHUNK
        } else {
            CHUNK
        }
    }

    /// The results of the steps alternate between a tile and `end`; the last is in `end`.
    fn visit(&self, chunk: Chunk, between: &mut Between) -> Result<(), Failure> {
        let forces = self.forces;
        let Plan {
            torque_at,
            keeps_torque,
            ..
        } = self.forces.plan;
        let Between {
            torques,
            saved: between_stages,
            inertias: inertia_tile,
            end: tile,
        } = between;
        let Chunk {
            bodies,
            first,
            end,
            mut saved,
            ahead,
            mut clock,
            steps,
            ..
        } = chunk;
        let count = bodies.count();
        if count <= 2 {
            // they are asked one by one, and may take a stage in pairs: what others have left might
            // overflow
            memory::clear_behind(count, &mut torques.tile, [0.0; 3]);
        }
        if saved.to.is_empty() {
            saved = Saved {
                from: None,
                to: between_stages,
            };
        }
        if forces.plan.is_damped() {
            forces.write_resistances(bodies, chunk.start, &mut torques.resistances);
        }
        if self.stages.is_empty() {
            let states = chunk.start;
            let time = clock.now();
            forces.ask((bodies, first), states, time, torques, true)?;
            let is_bad = |i: &usize| {
                memory::get(&torques.tile, *i)
                    .iter()
                    .any(|torque| !torque.is_finite())
            };
            let bad = (0..count).find(is_bad);
            forces.save_first(bodies, states, torques, saved.to);
            return bad.map_or(Ok(()), |bad| {
                Err(forces.failure(bodies, bad, time, Some(time), torques))
            });
        }
        let inertias = &forces.inertias.of_chunk(bodies, inertia_tile);
        let (mut after, mut before): (StatesMut, StatesMut) = if steps % 2 == 1 {
            (end, tile)
        } else {
            (tile, end)
        };
        for step in 0..steps {
            let (start, from) = if step == 0 {
                (chunk.start, saved.from)
            } else {
                (&*before, None)
            };
            let saved = Saved {
                from,
                to: &mut *saved.to,
            };
            let stage = &mut *after;
            let torques = &mut *torques;
            let given = self.given;
            let h = self.h;
            let mut data = StageData {
                forces,
                i: 0,
                bodies,
                first,
                start,
                stage,
                saved,
                given,
                torques,
                inertias,
                ahead,
                h,
            };
            for i in self.stages.clone() {
                let time = clock.now() + torque_at[i] * h;
                let is_kept = *keeps_torque && i == 0;
                if !is_kept {
                    let states = if i == 0 { start } else { &*data.stage };
                    forces.ask(
                        (bodies, first),
                        states,
                        time,
                        data.torques,
                        !matches!(given, Given::Answer),
                    )?;
                }
                if let (0, Some(drawing)) = (i, &self.drawing) {
                    data.torques.noise.draw(drawing, (bodies, first), step);
                }
                (data.i, data.given) = (i, if is_kept { Given::Nothing } else { given });
                // under a ready-made torque the end of the step shows whether all was finite, as
                // for one body
                let is_shown = i + 1 == self.stages.end || forces.torque.is_callback();
                if !data.take()
                    && is_shown
                    && let Some(bad) = first_not_finite(data.stage, count)
                {
                    let asked = if is_kept { None } else { Some(time) };
                    return Err(forces
                        .failure(bodies, bad, clock.now(), asked, data.torques)
                        .after(step));
                }
                data.ahead = None; // once a step
            }
            clock.advance(self.h);
            std::mem::swap(&mut after, &mut before);
        }
        Ok(())
    }
}
