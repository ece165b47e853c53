//! Whole steps of a chunk in one loop, for the common ready-made torques: states stay in registers from stage to stage.

use super::lanes::{ByScheme, finite_check, first_not_finite, is_not_finite, lanes};
use super::parameters::{InertiaSource, Inertias, Parameter};
use super::stages::Saved;
use super::torque::{EnsembleTorque, ReadyMade, TorqueSource};
use crate::clock::Clock;
use crate::error::{Error, Failure};
use crate::kernel::{MOST_LANES, Number, SavedNumbers};
use crate::memory::{Ahead, Bodies, States, StatesMut, load, store};
use crate::method::{self, Choice, Method, Scheme, WithScheme};
use crate::simd::{self, Job, Lanes, prefetch};
use crate::torque::{Free, TopWeight, Torque};
use std::marker::PhantomData;

pub(super) struct Steps<'a> {
    pub(super) bodies: &'a Bodies<'a>,
    /// `None`: the start is in `end`.
    pub(super) start: Option<States<'a>>,
    pub(super) end: StatesMut<'a>,
    pub(super) saved: Saved<'a>,
    pub(super) inertias: &'a Inertias,
    pub(super) torque: &'a ReadyMade,
    pub(super) clock: &'a Clock,
    pub(super) h: f64,
    pub(super) steps: u64,
    /// Whether the states do not fit the second-level cache.
    pub(super) is_far: bool,
    pub(super) ahead: Option<&'a Ahead<'a>>,
}

impl WithScheme for &mut Steps<'_> {
    type Output = Result<(), Failure>;

    fn with<S: Scheme>(self) -> Self::Output {
        if S::HAS_FIELD_LOOPS {
            simd::run_on(self.bodies.count(), &mut ByScheme::<_, S>(self, PhantomData))
        } else {
            unreachable!("`is_in_one_loop` knows that {} has none", S::NAME)
        }
    }
}

/// Whether there is a loop for this torque. Its code size pays off for PCDM and, with a shared inertia, for the splitting of order 2 and
/// the force-gradient splitting. Under PCDM, torques that ignore the orientation have one with any inertia: only these loops compose
/// rotations as a single body does.
pub(super) fn is_in_one_loop(choice: Choice, torque: &EnsembleTorque, inertias: &Inertias) -> bool {
    let EnsembleTorque::Ready(torque) = torque else { return false };
    match (choice.method, torque) {
        _ if choice.resists => false,
        (Method::Pcdm, ReadyMade::Free | ReadyMade::ConstantBody(_)) => true,
        (Method::Pcdm, ReadyMade::UniformField { .. }) => inertias.is_shared_aligned(),
        (Method::Splitting, ReadyMade::Free | ReadyMade::UniformField { .. }) => inertias.is_shared_aligned(),
        (Method::ForceGradient, ReadyMade::UniformField { .. }) => inertias.is_shared_aligned(),
        _ => false,
    }
}

/// A step that is a drift alone: by a splitting, without torque.
pub(super) const DRIFT: (Choice, &EnsembleTorque) =
    (Choice { method: Method::Splitting, resists: false }, &EnsembleTorque::Ready(ReadyMade::Free));

/// Blocks to prefetch ahead: computing one takes about as long as a memory access.
const AHEAD: usize = 4;

impl<S: Scheme> Job for ByScheme<'_, Steps<'_>, S> {
    type Output = Result<(), Failure>;

    #[inline(always)]
    fn run<N: Lanes>(&mut self) -> Self::Output {
        let Steps { inertias, torque, .. } = *self.0;
        match (torque, inertias.shared_aligned()) {
            (ReadyMade::Free, Some(shared)) if S::IS_SPECIALISED => self.under::<N, _, _>(shared, Free),
            (
                ReadyMade::UniformField {
                    vectors_body: Parameter::Shared([0.0, 0.0, lever]),
                    field_world: [0.0, 0.0, force],
                },
                Some(shared),
            ) => self.under::<N, _, _>(shared, TopWeight { lever: *lever, force: *force }),
            (ReadyMade::UniformField { vectors_body, field_world: [0.0, 0.0, field] }, Some(shared))
                if S::IS_SPECIALISED =>
            {
                self.under::<N, _, _>(shared, (vectors_body, *field))
            }
            (ReadyMade::UniformField { vectors_body, field_world }, Some(shared)) => {
                self.under::<N, _, _>(shared, (vectors_body, field_world))
            }
            _ if S::KEEPS_TORQUE => unreachable!("`is_in_one_loop` knows that {} has none", S::NAME),
            (ReadyMade::ConstantBody(torques), _) => self.under::<N, _, _>(inertias, torques),
            _ => self.under::<N, _, _>(inertias, Free),
        }
    }
}

impl<S: Scheme> ByScheme<'_, Steps<'_>, S> {
    #[inline(always)]
    fn under<N: Number, I: InertiaSource, T: TorqueSource>(&mut self, inertias: I, source: T) -> Result<(), Failure> {
        const { assert!(!<T::At<f64> as Torque>::ASKS_TIME, "the loop does not know the time") };
        let mut from = self.0.start;
        for step in 0..self.0.steps {
            self.step::<N, I, T>(step, from, &inertias, &source)?;
            from = None;
        }
        Ok(())
    }

    /// One step from `from` or, if `None`, in place in `end`.
    #[inline(always)]
    fn step<N: Number, I: InertiaSource, T: TorqueSource>(
        &mut self,
        step: u64,
        from: Option<States>,
        inertias: &I,
        source: &T,
    ) -> Result<(), Failure> {
        // Copies: the compiler must assume that any store may change the fields behind the reference.
        let Steps { bodies, clock, h, is_far, .. } = *self.0;
        let (end, count) = (&mut *self.0.end, bodies.count());
        let ahead = if step == 0 { self.0.ahead } else { None };
        let keeps = S::KEEPS_TORQUE && <T::At<f64> as Torque>::ACTS;
        let (saved, columns) = (&mut self.0.saved, <S::Saved<N> as SavedNumbers<N>>::COUNT);
        let saved = Saved { from: saved.from.filter(|_| step == 0), to: &mut *saved.to };
        let mut finite_checks = N::splat(0.0);
        lanes!(count, N, b, lane, ahead: ahead, {
            if is_far && lane == 0 {
                from.and_then(|start| start.get(b + AHEAD)).into_iter().for_each(prefetch);
                end.get(b + AHEAD).into_iter().for_each(prefetch);
            }
            let state = load::<N>(if let Some(start) = from { &start[b] } else { &end[b] }, lane);
            let i = b * MOST_LANES + lane;
            let (inertia, mut torque) = (inertias.at(bodies, i), source.at(bodies, i));
            let mut numbers = if keeps { Some(saved.load::<S, N>(0, b, columns, lane)) } else { None };
            let Ok(next) = method::step::<S, N, _>(&state, &inertia, 0.0, h, &mut torque, &mut numbers);
            if keeps && let Some(numbers) = numbers {
                numbers.store(&mut saved.to[b * columns..][..columns], lane);
            }
            store(&next, &mut end[b], lane);
            finite_checks = finite_checks + finite_check(&next);
        });
        if is_not_finite(finite_checks)
            && let Some(i) = first_not_finite(end, count)
        {
            let time = clock.after(step, h);
            return Err(Failure::of_body(bodies.get(i), Error::Overflow { time, size: None }).after(step));
        }
        Ok(())
    }
}
