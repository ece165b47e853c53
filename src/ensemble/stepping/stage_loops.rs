//! The loops that take one stage of a step for a chunk: the torque has been asked, in them the
//! bodies move on.

use super::motion::Saved;
use crate::ensemble::acting::ask::Forces;
use crate::ensemble::acting::torque_loops::Torques;
use crate::ensemble::bodies::parameters::{ChunkInertias, Parameter};
use crate::ensemble::lanes::{finite_check, is_not_finite, lanes};
use crate::kernel::store_saved;
use crate::kernel::{MOST_LANES, Number, PrincipalInertia, Rotor, TorqueState, Vec3};
use crate::memory::{Block, Bodies, States, StatesMut, load, load_vector, store};
use crate::method::{AnySplitting, Baoab, Brownian, Cf4, DampedPcdm, DampedSplitting, Pcdm};
use crate::method::{Damping, Scheme, SchemeKind, Step};
use crate::simd::{self, Job};
use std::{hint::black_box, marker::PhantomData};

/// A stage of a chunk.
pub(crate) struct StageData<'a> {
    pub(crate) forces: &'a Forces<'a>,
    pub(crate) bodies: &'a Bodies<'a>,
    /// The position of the first of them.
    pub(crate) first: usize,
    pub(crate) start: States<'a>,
    /// In: the states of the stage (ignored for stage 0, which reads `start`). Out: those of the
    /// next stage, or of the end of the step.
    pub(crate) stage: StatesMut<'a>,
    pub(crate) saved: Saved<'a>,
    /// The torques at these states; with random torques, the noise of this step too.
    pub(crate) torques: &'a mut Torques,
    pub(crate) inertias: &'a ChunkInertias<'a>,
    pub(crate) h: f64,
    /// Which stage it is, and whether it has a torque: what [`StageData::take`] was called with.
    pub(crate) i: usize,
    pub(crate) has_torque: bool,
}

impl StageData<'_> {
    /// Takes stage `i`. `has_torque`: a torque acts, and `torques` has been asked for it; otherwise
    /// there is none, or the method has kept the last one. Returns whether all states are finite.
    ///
    /// The loops, each compiled for each instruction set: one per scheme for bodies that share an
    /// inertia in principal axes, and one for any bodies.
    #[inline(always)]
    pub(crate) fn take(&mut self, i: usize, has_torque: bool) -> bool {
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
    fn run<S: Scheme, B: InertiaInput>(&mut self, inertias: &B) -> bool {
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

/// Where a loop finds the inertias of a chunk: known when it is compiled.
trait InertiaInput: Copy {
    const IS_SHARED: bool = false;

    /// Of the lanes in block `b`.
    fn at<N: Number>(&self, b: usize, lane: usize) -> PrincipalInertia<N>;

    /// What rotors in the bodies hold.
    #[inline(always)]
    fn rotor<N: Number>(&self, _bodies: &Bodies, _i: usize) -> Option<Rotor<N>> {
        None
    }
}

/// One inertia for all, in principal axes.
impl InertiaInput for PrincipalInertia<f64> {
    const IS_SHARED: bool = true;

    #[inline(always)]
    fn at<N: Number>(&self, _: usize, _: usize) -> PrincipalInertia<N> {
        PrincipalInertia {
            is_turned: false,
            ..self.splat()
        }
    }
}

/// Any inertias.
impl InertiaInput for ChunkInertias<'_> {
    #[inline(always)]
    fn at<N: Number>(&self, b: usize, lane: usize) -> PrincipalInertia<N> {
        ChunkInertias::at(self, b, lane)
    }
}

/// Any inertias, of bodies with rotors.
#[derive(Clone, Copy)]
struct WithRotors<'c> {
    inertias: ChunkInertias<'c>,
    momenta: &'c Parameter<3>,
}

impl InertiaInput for WithRotors<'_> {
    #[inline(always)]
    fn at<N: Number>(&self, b: usize, lane: usize) -> PrincipalInertia<N> {
        self.inertias.at(b, lane)
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

impl<S: Scheme, B: InertiaInput> Job<bool> for Stage<'_, '_, S, B> {
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
            let start = load::<N>(&start[b], lane);
            let state = if i == 0 {
                start
            } else {
                load::<N>(&stage[b], lane)
            };
            let here = TorqueState::at(&state);
            let inertia = inertias.at::<N>(b, lane);
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
            let rotor = inertias.rotor::<N>(bodies, b * MOST_LANES + lane);
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
