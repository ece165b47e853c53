//! Steps in stages, for any method and torque: at each stage the torque is asked at the states there, then a loop moves on to the next.
//! The first torque of a method that keeps the last one is asked in the same way.

use super::parameters::{ChunkInertias, Inertias};
use super::pass::{Chunk, Leaves, Pass};
use super::random::{Drawing, Noise};
use super::scratch::{Between, Torques};
use super::stage_loops::{Given, Saved, StageData, takes_world_torques};
use super::torque_loops::{Absorb, AtStates, Wanted};
use super::{besides::Besides, lanes::first_not_finite, torque::EnsembleTorque};
use crate::error::{Error, Failure};
use crate::kernel::{Column, MOST_LANES, SavedNumbers};
use crate::memory::{self, Block, Bodies, PackedTorques, States, StatesMut, blocks_for, load, load_vector};
use crate::method::{DampedSplitting, Family, Plan, Scheme, Step};
use crate::{simd, torque::Frame};
use std::ops::Range;

/// The method, and all that acts on the bodies.
#[derive(Clone, Copy)]
pub(super) struct Forces<'a> {
    pub(super) plan: &'static Plan,
    pub(super) torque: &'a EnsembleTorque,
    /// By the caller of the stage protocol (world frame), in place of these.
    pub(super) supplied: Option<PackedTorques<'a>>,
    pub(super) besides: &'a Besides,
    pub(super) noise: Option<Noise<'a>>,
    pub(super) inertias: &'a Inertias,
}

impl<'a> Forces<'a> {
    /// Whether there is a torque, or anything besides; with random torques there is one, if only zero.
    pub(super) fn act(&self) -> bool {
        self.supplied.is_some() || self.besides.acts() || self.torque.acts() || self.plan.is_random()
    }

    pub(super) fn in_stages(&self, h: f64, stages: Range<usize>) -> Stages<'_, 'a> {
        let takes_answers = !self.besides.acts() && takes_world_torques(self.plan, self.inertias);
        let given = match self.torque {
            EnsembleTorque::Callback { layout, frame: Frame::World, .. } if takes_answers => Given::World(*layout),
            _ if self.act() => Given::Tile,
            _ => Given::Nothing,
        };
        let (noise, is_brownian) =
            (self.noise.filter(|_| self.plan.is_random()), matches!(self.plan.family, Family::Brownian));
        let drawing = noise.map(|noise| noise.over(h, is_brownian, self.inertias));
        Stages { forces: self, h, stages, given, drawing }
    }

    #[inline(always)]
    fn ask(
        &self, (bodies, first): (&Bodies, usize), states: States, time: f64, torques: &mut Torques, given: Given,
    ) -> Result<(), Failure> {
        match (&self.supplied, self.torque) {
            (Some(supplied), _) => {
                let (count, torques, matrices, to) =
                    (bodies.count(), supplied.from(first), None, &mut torques.tile[..]);
                simd::run_on(count, &mut Absorb { count, torques, frame: Frame::World, states, matrices, to });
            }
            (None, EnsembleTorque::Callback { torque, layout, frame }) => {
                torques.show(*layout, *frame, bodies.count(), states);
                torques.ask(&**torque, bodies, first, time)?;
                if !matches!(given, Given::World(_)) {
                    torques.absorb(*layout, *frame, bodies.count(), states);
                }
            }
            (None, EnsembleTorque::Ready(torque)) if self.torque.acts() => {
                torque.evaluate(&mut self.at(bodies, states, &mut torques.tile, Wanted::Torque));
            }
            _ if self.act() => torques.tile.fill(Block::filled([0.0; 3])),
            _ => {}
        }
        if self.besides.acts() {
            let has_rotors = self.plan.composition().is_none(); // a splitting has them in its rotations
            self.besides.add(&mut self.at(bodies, states, &mut torques.tile, Wanted::Torque), has_rotors);
        }
        Ok(())
    }

    pub(super) fn write_resistances(&self, bodies: &Bodies, states: States, to: &mut [Block<3>]) {
        to.fill(Block::filled([0.0; 3]));
        let at = &mut self.at(bodies, states, to, Wanted::Resistance);
        self.torque.ready().into_iter().for_each(|torque| torque.evaluate(at));
        self.besides.add(at, false);
    }

    #[inline(always)]
    fn at<'s>(&'s self, bodies: &'s Bodies, states: States<'s>, to: &'s mut [Block<3>], wants: Wanted) -> AtStates<'s> {
        AtStates { bodies, states, inertias: self.inertias, to, wants }
    }

    /// Of the `i`-th body in the step that starts at `time`. `asked`: when its torque has been asked.
    fn failure(&self, bodies: &Bodies, i: usize, time: f64, asked: Option<f64>, torques: &Torques) -> Failure {
        let refused = match (self.torque, asked) {
            (EnsembleTorque::Callback { layout, .. }, Some(asked)) => {
                torques.answer(*layout, bodies.count()).refused(i, asked)
            }
            _ => None,
        };
        Failure::of_body(bodies.get(i), refused.unwrap_or(Error::Overflow { time, size: None }))
    }

    /// Saves the torques in the tile, or what else the method keeps of them. `torques` has their resistances too.
    fn save_first(&self, bodies: &Bodies, states: States, torques: &Torques, saved: &mut [Column]) {
        if !self.plan.is_damped() {
            let blocks = &torques.tile[..blocks_for(bodies.count())];
            return saved.chunks_exact_mut(3).zip(blocks).for_each(|(saved, block)| saved.copy_from_slice(&block.0));
        }
        saved[..blocks_for(bodies.count()) * self.plan.saved].fill([0.0; MOST_LANES]); // also lanes behind the last body
        for i in 0..bodies.count() {
            let (b, lane) = (i / MOST_LANES, i % MOST_LANES);
            let state = load::<f64>(&states[b], lane);
            let inertia = self.inertias.of_body(bodies.get(i));
            let resistance = inertia.resistance_bound(load_vector(&torques.resistances[b], 0, lane));
            let step = Step { resistance, ..Step::new(0.0, state.omega_body, &inertia) };
            let kept = DampedSplitting::opened::<f64>(&step, Some(load_vector(&torques.tile[b], 0, lane)));
            kept.store(&mut saved[b * self.plan.saved..][..self.plan.saved], lane);
        }
    }
}

pub(super) struct Stages<'f, 'a> {
    forces: &'f Forces<'a>,
    h: f64,
    /// Those that are taken. None: the torque at the start of a step is asked and saved, for a method that keeps the last one and has none.
    stages: Range<usize>,
    /// A callback's answer as it is, if it is in the world frame and nothing acts besides it.
    given: Given,
    drawing: Option<Drawing<'a>>,
}

impl Pass for Stages<'_, '_> {
    fn leaves(&self) -> Leaves {
        if self.stages.is_empty() { Leaves::Nothing } else { Leaves::States }
    }

    fn columns(&self) -> usize {
        self.forces.plan.kept()
    }

    /// The results of the steps alternate between a tile and `end`; the last is in `end`.
    fn visit(&self, chunk: Chunk, between: &mut Between) -> Result<(), Failure> {
        let (forces, Plan { torque_at, keeps_torque, .. }) = (self.forces, self.forces.plan);
        let Between { torques, saved: between_stages, inertias: inertia_tile, end: tile } = between;
        let Chunk { bodies, first, end, mut saved, ahead, mut clock, steps, .. } = chunk;
        let count = bodies.count();
        // few are asked one by one, and take a stage in pairs: what the others have left might overflow
        memory::clear_behind(count, &mut torques.tile, [0.0; 3]);
        if saved.to.is_empty() {
            saved = Saved { from: None, to: between_stages };
        }
        if forces.plan.is_damped() {
            forces.write_resistances(bodies, chunk.start, &mut torques.resistances);
        }
        if self.stages.is_empty() {
            let (states, time) = (chunk.start, clock.now());
            forces.ask((bodies, first), states, time, torques, Given::Tile)?;
            let is_bad = |i: &usize| memory::get(&torques.tile, *i).iter().any(|torque| !torque.is_finite());
            let bad = (0..count).find(is_bad);
            forces.save_first(bodies, states, torques, saved.to);
            return bad.map_or(Ok(()), |bad| Err(forces.failure(bodies, bad, time, Some(time), torques)));
        }
        let are_used = !takes_world_torques(forces.plan, forces.inertias) || forces.besides.rotors.is_some();
        let inertias = if are_used { forces.inertias.of_chunk(bodies, inertia_tile) } else { ChunkInertias::UNUSED };
        let (mut stage, mut before): (StatesMut, StatesMut) = if steps % 2 == 1 { (end, tile) } else { (tile, end) };
        for step in 0..steps {
            let start = if step == 0 { chunk.start } else { &*before };
            for i in self.stages.clone() {
                let time = clock.now() + torque_at[i] * self.h;
                let is_kept = *keeps_torque && i == 0;
                if !is_kept {
                    let states = if i == 0 { start } else { &*stage };
                    forces.ask((bodies, first), states, time, torques, self.given)?;
                }
                if let (0, Some(drawing)) = (i, &self.drawing) {
                    drawing.draw(bodies, inertias, step, &mut torques.noise);
                }
                let mut data = StageData {
                    i,
                    bodies,
                    start,
                    stage: &mut *stage,
                    saved: Saved { from: saved.from.filter(|_| step == 0), to: &mut *saved.to },
                    given: if is_kept { Given::Nothing } else { self.given },
                    torques,
                    bath: forces.noise.map(|noise| noise.bath),
                    shared: forces.inertias.shared_aligned(),
                    rotors: forces.besides.rotors.as_ref(),
                    inertias,
                    composition: forces.plan.composition_or_any(),
                    ahead: if i == self.stages.start { ahead } else { None },
                    h: self.h,
                };
                // under a ready-made torque the end of the step shows whether all was finite, as for one body
                let is_shown = i + 1 == self.stages.end || forces.torque.ready().is_none();
                if !data.take(forces.plan)
                    && is_shown
                    && let Some(bad) = first_not_finite(stage, count)
                {
                    let asked = if is_kept { None } else { Some(time) };
                    return Err(forces.failure(bodies, bad, clock.now(), asked, torques).after(step));
                }
            }
            clock.advance(self.h);
            std::mem::swap(&mut stage, &mut before);
        }
        Ok(())
    }
}
