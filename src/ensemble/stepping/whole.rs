//! Whole steps of a chunk in one loop, for the common ready-made torques: states stay in registers
//! from stage to stage.

use super::motion::{Chunk, ChunkScratch, Pass};
use crate::ensemble::acting::ask::Forces;
use crate::ensemble::acting::torque::EnsembleTorque;
use crate::ensemble::acting::torque_loops::TorqueSource;
use crate::ensemble::bodies::parameters::{InertiaSource, Inertias, Parameter, TorqueParameters};
use crate::ensemble::lanes::{finite_check, first_not_finite, is_not_finite, lanes};
use crate::error::{Error, Failure};
use crate::kernel::{MOST_LANES, Number, PrincipalInertia, store_saved};
use crate::memory::{Bodies, load, store};
use crate::method::{self, Cf4, Kept, Pcdm, Scheme, SchemeKind, Step, Strang};
use crate::simd::{self, Job};
use crate::torque::{ConstantBody, Free, TopWeight, Torque, UniformField};
use std::marker::PhantomData;

/// Steps by a loop of their own.
#[derive(Clone, Copy)]
pub(crate) struct WholeSteps<'a> {
    inertias: &'a Inertias,
    steps_by: Loop<'a>,
    pub(crate) h: f64,
    /// How many numbers of each body the steps keep.
    kept: usize,
}

/// The loops, each compiled for each instruction set, with the torques that they read. Their size
/// pays off for PCDM, for a drift (a free step of any splitting) and, where bodies share an
/// inertia, for the splitting of order 2. Under PCDM, torques that ignore the orientation have one
/// with any inertia, because only these loops compose rotations as a single body does. So has CF4
/// without a torque.
#[derive(Clone, Copy)]
enum Loop<'a> {
    FreePcdm,
    FreePcdmSharing(&'a PrincipalInertia<f64>),
    FreeCf4, // PERF-8
    ConstantPcdm(&'a TorqueParameters<ConstantBody<f64>, 3>),
    Drift,
    DriftSharing(&'a PrincipalInertia<f64>),
    PcdmInField(&'a PrincipalInertia<f64>, Field<'a>),
    StrangInField(&'a PrincipalInertia<f64>, Field<'a>),
}

/// A uniform field, by what is known of it.
#[derive(Clone, Copy)]
enum Field<'a> {
    /// Along z, on bodies with one vector along z: the weight of tops (PERF-6).
    OnTops(TopWeight<f64>),
    Any(&'a TorqueParameters<UniformField<f64>, 3>),
}

impl<'a> Field<'a> {
    fn of(field: &'a TorqueParameters<UniformField<f64>, 3>) -> Self {
        match (field.shared, &field.each) {
            ([0.0, 0.0, force], Parameter::Shared([0.0, 0.0, lever])) => Field::OnTops(TopWeight {
                lever: *lever,
                force,
            }),
            _ => Field::Any(field),
        }
    }
}

impl<'a> WholeSteps<'a> {
    /// For steps of `h`; `None`: there is no loop for them.
    #[inline(always)]
    pub(crate) fn select(forces: &Forces<'a>, h: f64) -> Option<Self> {
        if forces.acting.acts_besides_torque() {
            return None;
        }
        let plan = forces.plan;
        let shared = forces.inertias.shared_aligned();
        let steps_by = match (plan.scheme, forces.torque, shared) {
            (SchemeKind::Pcdm, EnsembleTorque::Free, Some(shared)) => Loop::FreePcdmSharing(shared),
            (SchemeKind::Pcdm, EnsembleTorque::Free, None) => Loop::FreePcdm,
            (SchemeKind::Cf4, EnsembleTorque::Free, _) => Loop::FreeCf4,
            (SchemeKind::Pcdm, EnsembleTorque::ConstantBody(torque), _) => {
                Loop::ConstantPcdm(torque)
            }
            (SchemeKind::Splitting(_), EnsembleTorque::Free, _) => {
                return Some(Self::drifts(forces.inertias, h));
            }
            (SchemeKind::Pcdm, EnsembleTorque::UniformField(field), Some(shared)) => {
                Loop::PcdmInField(shared, Field::of(field))
            }
            (SchemeKind::Splitting(parts), EnsembleTorque::UniformField(field), Some(shared))
                if parts.is_strang() =>
            {
                Loop::StrangInField(shared, Field::of(field))
            }
            _ => return None,
        };
        Some(WholeSteps {
            inertias: forces.inertias,
            steps_by,
            h,
            kept: plan.kept(),
        })
    }

    /// Free rotations for `h`, which keep nothing.
    #[inline(always)]
    pub(crate) fn drifts(inertias: &'a Inertias, h: f64) -> Self {
        let steps_by = inertias
            .shared_aligned()
            .map_or(Loop::Drift, Loop::DriftSharing);
        WholeSteps {
            inertias,
            steps_by,
            h,
            kept: 0,
        }
    }

    /// Whether they are free steps of a splitting, whatever its order.
    #[inline(always)]
    pub(crate) fn are_drifts(&self) -> bool {
        matches!(self.steps_by, Loop::Drift | Loop::DriftSharing(_))
    }

    #[inline(always)]
    fn in_field<S: Scheme>(
        &self,
        chunk: &mut Chunk,
        shared: &PrincipalInertia<f64>,
        field: Field,
    ) -> Result<(), Failure> {
        match field {
            Field::OnTops(weight) => self.take::<S, _, _>(chunk, shared, weight),
            Field::Any(field) => self.take::<S, _, _>(chunk, shared, field),
        }
    }

    #[inline(always)]
    fn take<S: Scheme, I: InertiaSource, T: TorqueSource>(
        &self,
        chunk: &mut Chunk,
        inertias: &I,
        torque: T,
    ) -> Result<(), Failure> {
        run(Whole {
            chunk,
            inertias,
            torque,
            h: self.h,
            scheme: PhantomData::<S>,
        })
    }
}

/// A function for each loop: the choice stands at several places.
fn run<S: Scheme, I: InertiaSource, T: TorqueSource>(
    mut whole: Whole<S, I, T>,
) -> Result<(), Failure> {
    simd::run_on(whole.chunk.bodies.count(), &mut whole)
}

impl Pass for WholeSteps<'_> {
    #[inline(always)]
    fn saved_columns(&self) -> usize {
        self.kept
    }

    #[inline(always)]
    fn needs_scratch(&self) -> bool {
        false
    }

    #[inline(always)]
    fn visit(&self, mut chunk: Chunk, _: &mut ChunkScratch) -> Result<(), Failure> {
        let chunk = &mut chunk;
        let any = &self.inertias;
        match self.steps_by {
            Loop::FreePcdm => self.take::<Pcdm, _, _>(chunk, any, Free),
            Loop::FreePcdmSharing(shared) => self.take::<Pcdm, _, _>(chunk, shared, Free),
            Loop::FreeCf4 => self.take::<Cf4, _, _>(chunk, any, Free),
            Loop::ConstantPcdm(torque) => self.take::<Pcdm, _, _>(chunk, any, torque),
            Loop::Drift => self.take::<Strang, _, _>(chunk, any, Free),
            Loop::DriftSharing(shared) => self.take::<Strang, _, _>(chunk, shared, Free),
            Loop::PcdmInField(shared, field) => self.in_field::<Pcdm>(chunk, shared, field),
            Loop::StrangInField(shared, field) => self.in_field::<Strang>(chunk, shared, field),
        }
    }
}

/// How many blocks of eight bodies are prefetched ahead: to compute so many takes about as long as
/// an access to the memory.
const AHEAD: usize = 4;

struct Whole<'b, 'a, S, I, T> {
    chunk: &'b mut Chunk<'a>,
    /// A reference: an inertia that is passed on would be copied by `memcpy`, whose wide registers
    /// slow down a single body.
    inertias: &'b I,
    torque: T,
    h: f64,
    scheme: PhantomData<S>,
}

impl<S: Scheme, I: InertiaSource, T: TorqueSource> Job<Result<(), Failure>>
    for Whole<'_, '_, S, I, T>
{
    const BY_TWO: bool = true; // PERF-4

    #[inline(always)]
    fn in_lanes<N: Number>(&mut self) -> Result<(), Failure> {
        // the first step from `start` or, like those after it, in place in `end`
        let mut from = Some(self.chunk.start).filter(|start| !start.is_empty());
        for step in 0..self.chunk.steps {
            // Copies: the compiler must assume that any store may change the fields behind the
            // reference.
            let chunk = &mut *self.chunk;
            let inertias = *self.inertias;
            let source = self.torque;
            let h = self.h;
            let bodies = chunk.bodies;
            let end = &mut *chunk.end;
            let count = chunk.bodies.count();
            let is_far = chunk.is_far && step == 0; // PERF-2
            let keeps = S::KEEPS_TORQUE && <T::At<f64> as Torque>::ACTS;
            let columns = 3 * S::SAVED;
            let mut saved = chunk.saved.reborrow();
            saved.from = saved.from.filter(|_| step == 0);
            let mut finite_checks = N::splat(0.0);
            lanes!(count, N, b, lane, {
                if is_far && lane == 0 {
                    if let Some(start) = from {
                        simd::prefetch(&start[b], AHEAD);
                    }
                    simd::prefetch(&end[b], AHEAD);
                }
                let state = load::<N>(
                    if let Some(start) = from {
                        &start[b]
                    } else {
                        &end[b]
                    },
                    lane,
                );
                let i = b * MOST_LANES + lane;
                let inertia = inertias.at(bodies, i);
                let mut torque = source.at(bodies, i);
                let mut kept = Kept {
                    is_known: keeps,
                    ..Kept::nothing()
                };
                if keeps {
                    kept.saved = saved.load::<S, N>(0, b, lane);
                }
                let step = Step {
                    acts: <T::At<f64> as Torque>::ACTS,
                    ..Step::new(h, state.omega_body, &inertia)
                };
                let Ok(next) = method::step::<S, N, _>(&state, &step, 0.0, &mut torque, &mut kept);
                if keeps {
                    store_saved(&kept.saved, &mut saved.to[b * columns..][..columns], lane);
                }
                store(&next, &mut end[b], lane);
                finite_checks = finite_checks + finite_check(&next);
            });
            if is_not_finite(finite_checks)
                && let Some(i) = first_not_finite(end, count)
            {
                let time = chunk.clock.after(step, h);
                return Err(
                    Failure::of_body(bodies.get(i), Error::Overflow { time, size: None })
                        .after(step),
                );
            }
            from = None;
        }
        Ok(())
    }
}

impl TorqueSource for Free {
    type At<N: Number> = Free;

    #[inline(always)]
    fn at<N: Number>(&self, _: &Bodies, _: usize) -> Free {
        Free
    }
}

impl TorqueSource for TopWeight<f64> {
    type At<N: Number> = TopWeight<N>;

    #[inline(always)]
    fn at<N: Number>(&self, _: &Bodies, _: usize) -> TopWeight<N> {
        TopWeight {
            lever: N::splat(self.lever),
            force: N::splat(self.force),
        }
    }
}
