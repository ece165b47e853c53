//! Whole steps of a chunk in one loop, for the common ready-made torques: states stay in registers
//! from stage to stage.

use super::lanes::{CHUNK, finite_check, first_not_finite, is_not_finite, lanes};
use super::parameters::{InertiaSource, Inertias, Numbers, Parameter};
use super::pass::{BEYOND_CACHE, Chunk, Pass};
use super::{
    scratch::Between, torque::EnsembleTorque, torque_loops::TorqueSource, torque_loops::source,
};
use crate::error::{Error, Failure};
use crate::kernel::{MOST_LANES, Number, PrincipalInertia, Vec3, store_saved};
use crate::memory::{Bodies, load, store};
use crate::method::{self, Cf4, Family, ForceGradient, Pcdm, Plan, Scheme, Step, Strang};
use crate::simd::{self, Job, Lanes, prefetch};
use crate::torque::{Free, TopWeight, Torque, UniformField, VerticalField};
use std::marker::PhantomData;

/// Steps by a loop of their own.
#[derive(Clone, Copy)]
pub(super) struct WholeSteps<'a> {
    pub(super) plan: &'a Plan,
    pub(super) torque: &'a EnsembleTorque,
    pub(super) inertias: &'a Inertias,
    pub(super) h: f64,
}

impl WholeSteps<'_> {
    /// Only if there is a loop for them.
    #[inline(always)]
    pub(super) fn exist(&self) -> bool {
        matches!(self.choose(None), Ok(true))
    }

    /// Free steps of a splitting, whatever its order.
    #[inline(always)]
    pub(super) fn are_drifts(&self) -> bool {
        matches!(
            (self.plan.family, self.torque),
            (Family::Splitting(_), EnsembleTorque::Free)
        )
    }

    /// The list of loops, each compiled for each instruction set. Their size pays off for PCDM and,
    /// where bodies share an inertia, for a drift (a free step of any splitting), the splitting of
    /// order 2 and the force-gradient splitting. Under PCDM, torques that ignore the orientation
    /// have one with any inertia: only these loops compose rotations as a single body does. Returns
    /// whether there is a loop.
    #[inline(always)]
    fn choose(&self, chunk: Option<&mut Chunk>) -> Result<bool, Failure> {
        use EnsembleTorque::{ConstantBody, Free as NoTorque, UniformField as InField};
        let any = || self.inertias;
        let shared = self.inertias.shared_aligned().map(|shared| || *shared);
        match (self.plan.family, self.torque, shared) {
            (Family::Pcdm, NoTorque, Some(shared)) => {
                self.take::<Pcdm, _, _>(chunk, shared, Free)?
            }
            (Family::Pcdm, NoTorque, None) => self.take::<Pcdm, _, _>(chunk, any, Free)?,
            (Family::Cf4, NoTorque, _) => self.take::<Cf4, _, _>(chunk, any, Free)?,
            (Family::Pcdm, ConstantBody(torque), _) => {
                self.take::<Pcdm, _, _>(chunk, any, &**torque)?
            }
            (Family::Splitting(_), NoTorque, Some(shared)) => {
                self.take::<Strang, _, _>(chunk, shared, Free)?
            }
            (Family::Pcdm, InField(field), Some(shared)) => {
                self.in_field::<Pcdm, true>(chunk, shared, field)?
            }
            (Family::Splitting(parts), InField(field), Some(shared)) if parts.predicts => {
                self.in_field::<Strang, true>(chunk, shared, field)?
            }
            (Family::Splitting(parts), InField(field), Some(shared))
                if parts.gradient.is_some() =>
            {
                self.in_field::<ForceGradient, false>(chunk, shared, field)?
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `BY_EACH`: with a loop of its own for a vertical field on bodies of which each has its
    /// vector.
    #[inline(always)]
    fn in_field<S: Scheme, const BY_EACH: bool>(
        &self,
        chunk: Option<&mut Chunk>,
        shared: impl Fn() -> PrincipalInertia<f64>,
        field: &Numbers<UniformField<f64>, 3>,
    ) -> Result<(), Failure> {
        match (field.shared, &field.each) {
            ([0.0, 0.0, force], Parameter::Shared([0.0, 0.0, lever])) => self.take::<S, _, _>(
                chunk,
                shared,
                TopWeight {
                    lever: *lever,
                    force,
                },
            ),
            ([0.0, 0.0, force], each) if BY_EACH => {
                self.take::<S, _, _>(chunk, shared, (each, force))
            }
            _ => self.take::<S, _, _>(chunk, shared, field),
        }
    }

    /// Without a chunk, only tells that there is a loop.
    #[inline(always)]
    fn take<S: Scheme, I: InertiaSource, T: TorqueSource>(
        &self,
        chunk: Option<&mut Chunk>,
        inertias: impl Fn() -> I,
        torque: T,
    ) -> Result<(), Failure> {
        let Some(chunk) = chunk else { return Ok(()) };
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
fn run<S: Scheme, I: InertiaSource, F: Fn() -> I, T: TorqueSource>(
    mut whole: Whole<S, F, T>,
) -> Result<(), Failure> {
    simd::run_on(whole.chunk.bodies.count(), &mut whole)
}

impl Pass for WholeSteps<'_> {
    #[inline(always)]
    fn columns(&self) -> usize {
        if self.are_drifts() {
            0
        } else {
            self.plan.kept()
        }
    }

    #[inline(always)]
    fn needs_scratch(&self) -> bool {
        false
    }

    /// Where each state is accessed only once, a chunk need not fit the cache.
    fn most(&self, steps: u64) -> usize {
        if steps == 1 { usize::MAX } else { CHUNK }
    }

    #[inline(always)]
    fn visit(&self, mut chunk: Chunk, _: &mut Between) -> Result<(), Failure> {
        self.choose(Some(&mut chunk)).map(drop)
    }
}

struct Whole<'b, 'a, S, F, T> {
    chunk: &'b mut Chunk<'a>,
    /// Gives them to the loop: an inertia that is passed on would be copied by `memcpy`, whose wide
    /// registers slow down a single body.
    inertias: F,
    torque: T,
    h: f64,
    scheme: PhantomData<S>,
}

impl<S: Scheme, I: InertiaSource, F: Fn() -> I, T: TorqueSource> Job<Result<(), Failure>>
    for Whole<'_, '_, S, F, T>
{
    const BY_TWO: bool = true;

    #[inline(always)]
    fn in_lanes<N: Lanes>(&mut self) -> Result<(), Failure> {
        // the first step from `start` or, like those after it, in place in `end`
        let mut from = Some(self.chunk.start).filter(|start| !start.is_empty());
        for step in 0..self.chunk.steps {
            // Copies: the compiler must assume that any store may change the fields behind the
            // reference.
            let chunk = &mut *self.chunk;
            let inertias = (self.inertias)();
            let source = self.torque;
            let h = self.h;
            let bodies = chunk.bodies;
            let end = &mut *chunk.end;
            let count = chunk.bodies.count();
            let is_far = count > BEYOND_CACHE;
            let ahead = if step == 0 { chunk.ahead } else { None };
            let keeps = S::KEEPS_TORQUE && <T::At<f64> as Torque>::ACTS;
            let columns = 3 * S::SAVED;
            let mut saved = chunk.saved.reborrow();
            saved.from = saved.from.filter(|_| step == 0);
            let mut finite_checks = N::splat(0.0);
            lanes!(count, N, b, lane, ahead: ahead, {
                if is_far && lane == 0 {
                    from.and_then(|start| start.get(b + AHEAD)).into_iter().for_each(prefetch);
                    end.get(b + AHEAD).into_iter().for_each(prefetch);
                }
                let state = load::<N>(if let Some(start) = from { &start[b] } else { &end[b] }, lane);
                let i = b * MOST_LANES + lane;
                let inertia = inertias.at(bodies, i);
                let mut torque = source.at(bodies, i);
                let mut numbers = if keeps { Some(saved.load::<S, N>(0, b, lane)) } else { None };
                let step = Step { acts: <T::At<f64> as Torque>::ACTS, ..Step::new(h, state.omega_body, &inertia) };
                let Ok(next) = method::step::<S, N, _>(&state, &step, 0.0, &mut torque, &mut numbers);
                if keeps && let Some(numbers) = numbers {
                    store_saved(&numbers, &mut saved.to[b * columns..][..columns], lane);
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

/// Blocks to prefetch ahead: computing one takes about as long as a memory access.
const AHEAD: usize = 4;

source!(Free => Free, |this, bodies, i| *this);
source!(TopWeight<f64> => TopWeight<N>, |this, bodies, i|
    TopWeight { lever: N::splat(this.lever), force: N::splat(this.force) });
source!((&Parameter<3>, f64) => VerticalField<N>, |this, bodies, i|
    VerticalField { vector_body: Vec3(this.0.at(bodies, i)), field: N::splat(this.1) });
