//! Steps in stages, for any method and torque: at each stage the torque is asked at the states
//! there, then a loop over the bodies of a chunk moves on to the next. The first torque of a method
//! that keeps the last one is asked in the same way.

use super::motion::{Chunk, ChunkScratch, Pass, Saved, Writes};
use crate::ensemble::acting::ask::Forces;
use crate::ensemble::acting::random::Drawing;
use crate::ensemble::acting::torque_loops::Torques;
use crate::ensemble::bodies::parameters::{ChunkInertias, InertiaSource, Parameter};
use crate::ensemble::lanes::{CHUNK_BLOCKS, finite_check, first_not_finite, is_not_finite, lanes};
use crate::kernel::{MOST_LANES, Number, PrincipalInertia, Rotor, TorqueState, Vec3, store_saved};
use crate::memory::{self, Block, Bodies, States, StatesMut, load, load_vector, store};
use crate::method::{AnySplitting, Baoab, Brownian, Cf4, DampedPcdm, DampedSplitting, Pcdm};
use crate::method::{Damping, Scheme, SchemeKind, Step};
use crate::simd::{self, Job};
use crate::{clock::Clock, error::Failure};
use std::{hint::black_box, marker::PhantomData, ops::Range};

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
                is_far: chunk.is_far && is_first,
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

/// A stage of a chunk.
struct StageData<'a> {
    forces: &'a Forces<'a>,
    bodies: &'a Bodies<'a>,
    /// The position of the first of them.
    first: usize,
    start: States<'a>,
    /// In: the states of the stage (ignored for stage 0, which reads `start`). Out: those of the
    /// next stage, or of the end of the step.
    stage: StatesMut<'a>,
    saved: Saved<'a>,
    /// The torques at these states; with random torques, the noise of this step too.
    torques: &'a mut Torques,
    inertias: &'a ChunkInertias<'a>,
    h: f64,
    is_far: bool,
    /// Which stage it is, and whether it has a torque: what [`StageData::take`] was called with.
    i: usize,
    has_torque: bool,
}

impl StageData<'_> {
    /// Takes stage `i`. `has_torque`: a torque acts, and `torques` has been asked for it; otherwise
    /// there is none, or the method has kept the last one. Returns whether all states are finite.
    ///
    /// The loops, each compiled for each instruction set: one per scheme for bodies that share an
    /// inertia in principal axes, and one for any bodies.
    #[inline(always)]
    fn take(&mut self, i: usize, has_torque: bool) -> bool {
        self.i = i;
        self.has_torque = has_torque;
        match self.forces.plan.scheme {
            SchemeKind::Pcdm => self.take_by::<Pcdm>(),
            SchemeKind::Cf4 => self.take_by::<Cf4>(),
            SchemeKind::Splitting(_) => self.take_with_rotors::<AnySplitting>(),
            SchemeKind::DampedPcdm => self.take_by::<DampedPcdm>(),
            SchemeKind::DampedSplitting => self.take_with_rotors::<DampedSplitting>(),
            SchemeKind::Brownian => self.take_by::<Brownian>(),
            SchemeKind::Baoab if i == 0 => self.take_by::<Baoab>(),
            // BAOAB ends with the same half kick
            SchemeKind::Baoab => self.take_by::<AnySplitting>(),
        }
    }

    /// By a scheme whose free rotations are those of bodies with rotors, where there are some.
    #[inline(always)]
    fn take_with_rotors<S: Scheme>(&mut self) -> bool {
        let Some(rotors) = &self.forces.acting.rotors else {
            return self.take_by::<S>();
        };
        self.run::<S, _>(&WithRotors {
            inertias: *self.inertias,
            momenta: &rotors.each,
        })
    }

    #[inline(always)]
    fn take_by<S: Scheme>(&mut self) -> bool {
        let inertias = self.inertias;
        match self.forces.inertias.shared_aligned() {
            Some(shared) => self.run::<S, _>(shared),
            None => self.run::<S, _>(inertias),
        }
    }

    #[inline(always)]
    fn run<S: Scheme, B: InertiaSource>(&mut self, inertias: &B) -> bool {
        simd::run_on(
            self.bodies.count(),
            &mut Stage::<S, B> {
                data: self,
                inertias,
                scheme: PhantomData,
            },
        )
    }
}

/// Any inertias, of bodies with rotors.
#[derive(Clone, Copy)]
struct WithRotors<'c> {
    inertias: ChunkInertias<'c>,
    momenta: &'c Parameter<3>,
}

impl InertiaSource for WithRotors<'_> {
    #[inline(always)]
    fn at<N: Number>(&self, bodies: &Bodies, i: usize) -> PrincipalInertia<N> {
        self.inertias.at(bodies, i)
    }

    #[inline(always)]
    fn rotor<N: Number>(&self, bodies: &Bodies, i: usize) -> Option<Rotor<N>> {
        Some(Rotor::new(Vec3(self.momenta.at(bodies, i)), None))
    }
}

/// The torque in the body frame; `None`: none acts, or the method has kept it. `black_box` hides
/// that the branch is the same for all bodies: otherwise the compiler duplicates the loop.
#[inline(always)]
fn torque_in<N: Number>(
    tile: &[Block<3>],
    has_torque: bool,
    b: usize,
    lane: usize,
) -> Option<Vec3<N>> {
    if black_box(has_torque) {
        Some(load_vector(&tile[b], 0, lane))
    } else {
        None
    }
}

/// A stage by scheme `S`.
struct Stage<'b, 'a, S, B> {
    data: &'b mut StageData<'a>,
    inertias: &'b B,
    scheme: PhantomData<S>,
}

impl<S: Scheme, B: InertiaSource> Job<bool> for Stage<'_, '_, S, B> {
    const FEW_IN_A_PAIR: bool = !B::IS_SHARED || S::TAKES_NOISE;

    #[inline(always)]
    fn in_lanes<N: Number>(&mut self) -> bool {
        // Copies: the compiler must assume that any store may change the fields behind the
        // reference.
        let StageData {
            forces,
            bodies,
            first,
            start,
            i,
            has_torque,
            h,
            is_far,
            ..
        } = *self.data;
        let inertias = *self.inertias;
        let torques = &*self.data.torques;
        let composition = forces.plan.composition_or_strang();
        let count = bodies.count();
        let tile = &torques.tile[..];
        let resistances = &torques.resistances[..];
        let noise = &torques.noise;
        let stage = &mut *self.data.stage;
        let columns = 3 * S::SAVED;
        let saved = self.data.saved.reborrow();
        let heat_bath = forces.acting.random.heat_bath.as_deref();
        if S::TAKES_NOISE && heat_bath.is_none() {
            unreachable!("methods with noise are those of bodies in a heat bath");
        }
        // not in the loop, where the compiler would leave them
        let mut finite_checks = N::splat(0.0);
        lanes!(count, N, b, lane, {
            if is_far && i == 0 && lane == 0 {
                simd::prefetch(&start[b], CHUNK_BLOCKS); // of the next chunk, PERF-2
                simd::prefetch(&stage[b], CHUNK_BLOCKS);
            }
            let start = load::<N>(&start[b], lane);
            let state = if i == 0 {
                start
            } else {
                load::<N>(&stage[b], lane)
            };
            let here = TorqueState::at(&state);
            let position = b * MOST_LANES + lane;
            let inertia = inertias.at::<N>(bodies, position);
            let torque_body = torque_in(tile, has_torque, b, lane);
            let mut step = Step {
                composition,
                ..Step::new(h, start.omega_body, &inertia)
            };
            if S::IS_DAMPED {
                step.damping = Damping::new(&inertia, load_vector(&resistances[b], 0, lane));
            }
            if S::TAKES_NOISE
                && let Some(heat_bath) = heat_bath
            {
                let is_turned = !B::IS_SHARED && S::KEEPS_TORQUE && inertia.is_turned;
                step.bath =
                    Some(noise.bath(heat_bath, (bodies, first), (b, lane), start.q, is_turned));
            }
            let rotor = inertias.rotor::<N>(bodies, position);
            step.rotor = rotor.as_ref();
            let mut numbers = saved.load::<S, N>(i, b, lane);
            let next = S::next_state(i, &start, &step, &here, torque_body, &mut numbers);
            store(&next, &mut stage[b], lane);
            if columns > 0 {
                store_saved(&numbers, &mut saved.to[b * columns..][..columns], lane);
            }
            finite_checks = finite_checks + finite_check(&next);
        });
        !is_not_finite(finite_checks)
    }
}
