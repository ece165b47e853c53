//! One stage of a step for a chunk: callbacks, the stage protocol, and methods and torques without a loop in `steps`.

use super::lanes::{ByScheme, Tile, finite_check, first_not_finite, is_not_finite, lanes};
use super::parameters::{InertiaSource, Inertias};
use super::torque::ReadyMade;
use crate::error::{Error, Failure};
use crate::kernel::{Here, MOST_LANES, Number, RotationMatrix, SavedNumbers, State};
use crate::memory::{
    Ahead, Block, Bodies, PackedStates, PackedTorques, States, StatesMut, load, load_vector, store, store_vector,
};
use crate::method::{self, Scheme, Step, WithScheme};
use crate::simd::{self, Job, Lanes};
use crate::torque::Frame;
use std::hint::black_box;
use std::marker::PhantomData;

/// The rotation matrix (9, by rows) and the world angular velocity (3) of each body of a chunk, kept between the two halves of
/// a stage: writing the states for the caller, and taking its torque.
#[inline(always)]
fn keep<N: Number>(here: &Here<N>, to: &mut Block<12>, lane: usize) {
    for (i, row) in here.to_world.rows().into_iter().enumerate() {
        store_vector(row, to, 3 * i, lane);
    }
    store_vector(here.omega_world, to, 9, lane);
}

#[inline(always)]
fn kept<N: Number>(state: &State<N>, from: &Block<12>, lane: usize) -> Here<N> {
    let rows = [load_vector(from, 0, lane), load_vector(from, 3, lane), load_vector(from, 6, lane)];
    let to_world = RotationMatrix::from_rows(rows);
    Here { q: state.q, to_world, omega_body: state.omega_body, omega_world: load_vector(from, 9, lane) }
}

/// Writes the states of a chunk to packed arrays.
pub(super) struct WriteStates<'a> {
    pub(super) count: usize,
    pub(super) states: States<'a>,
    pub(super) frame: Frame,
    /// Output for the matrices; only in the world frame.
    pub(super) matrices: Option<&'a mut Tile<12>>,
    pub(super) shown: PackedStates<'a>,
    pub(super) ahead: Option<&'a Ahead<'a>>,
}

impl Job for WriteStates<'_> {
    type Output = ();

    #[inline(always)]
    fn run<N: Lanes>(&mut self) {
        match self.frame {
            Frame::World => self.show::<N, true>(),
            Frame::Body => self.show::<N, false>(),
        }
    }
}

impl WriteStates<'_> {
    #[inline(always)]
    fn show<N: Lanes, const WORLD: bool>(&mut self) {
        lanes!(self.count, N, b, lane, ahead: self.ahead, {
            let state = load::<N>(&self.states[b], lane);
            let omega = if WORLD {
                let here = Here::at(&state);
                if let Some(matrices) = &mut self.matrices {
                    keep(&here, &mut matrices[b], lane);
                }
                here.omega_world
            } else {
                state.omega_body
            };
            self.shown.put::<N>(b * MOST_LANES + lane, self.count, state.q, omega);
        });
    }
}

pub(super) enum StageTorque<'a> {
    Packed(PackedTorques<'a>, Frame),
    Ready(&'a ReadyMade),
}

/// Takes the torque of stage `i` and advances to the next stage, or to the end of the step.
pub(super) struct Stage<'a> {
    pub(super) i: usize,
    pub(super) bodies: &'a Bodies<'a>,
    pub(super) start: States<'a>,
    /// In: the states of stage `i` (ignored for stage 0, which reads `start`). Out: those of the next stage.
    pub(super) stage: StatesMut<'a>,
    /// The values that the method saves: as many columns per block as numbers per body.
    pub(super) saved: &'a mut [[f64; MOST_LANES]],
    pub(super) torque: StageTorque<'a>,
    pub(super) matrices: Option<&'a Tile<12>>,
    pub(super) ahead: Option<&'a Ahead<'a>>,
    pub(super) inertias: &'a Inertias,
    pub(super) time: f64,
    pub(super) h: f64,
}

impl WithScheme for &mut Stage<'_> {
    type Output = Result<(), Failure>;

    fn with<S: Scheme>(self) -> Self::Output {
        simd::run_on(self.bodies.count(), &mut ByScheme::<_, S>(self, PhantomData))
    }
}

impl<S: Scheme> Job for ByScheme<'_, Stage<'_>, S> {
    type Output = Result<(), Failure>;

    #[inline(always)]
    fn run<N: Lanes>(&mut self) -> Self::Output {
        let Stage { i, inertias, ref torque, matrices, .. } = *self.0;
        // PCDM has separate loops for caller's torques if all bodies share an inertia in principal axes.
        if S::IS_SPECIALISED
            && let (StageTorque::Packed(torque, frame), Some(shared)) = (torque, inertias.shared_aligned())
        {
            // field by field, as it was just stored: a wider load would wait for all of the stores
            let torque = PackedTorques { layout: torque.layout, torque: torque.torque, stride: torque.stride };
            return match (i, frame, matrices.is_some()) {
                (0, Frame::World, true) => self.caller::<N, _, true, true, true>(&shared, torque),
                (0, Frame::World, false) => self.caller::<N, _, true, true, false>(&shared, torque),
                (0, Frame::Body, _) => self.caller::<N, _, true, false, false>(&shared, torque),
                (_, Frame::World, true) => self.caller::<N, _, false, true, true>(&shared, torque),
                (_, Frame::World, false) => self.caller::<N, _, false, true, false>(&shared, torque),
                (_, Frame::Body, _) => self.caller::<N, _, false, false, false>(&shared, torque),
            };
        }
        self.any::<N>()
    }
}

impl<S: Scheme> ByScheme<'_, Stage<'_>, S> {
    /// The loop for torques from the caller, specialised at compile time.
    #[inline(always)]
    fn caller<N, I, const FIRST: bool, const WORLD: bool, const KEPT: bool>(
        &mut self,
        inertias: &I,
        torque: PackedTorques,
    ) -> Result<(), Failure>
    where
        N: Lanes,
        I: InertiaSource,
    {
        // Copies: the compiler must assume that any store may change the fields behind the reference.
        let Stage { i, bodies, start, matrices, ahead, h, .. } = *self.0;
        let (stage, count) = (&mut *self.0.stage, bodies.count());
        // For two stages, a compile-time constant.
        let i = if FIRST { 0 } else { i.clamp(1, S::TORQUE_AT.len() - 1) };
        let mut finite_checks = N::splat(0.0);
        lanes!(count, N, b, lane, ahead: ahead, {
            let at = b * MOST_LANES + lane;
            // Loaded first: it may call a function for the last bodies, and registers in use would be spilled.
            let torque = torque.get::<N>(at, count);
            let start = load::<N>(&start[b], lane);
            let state = if FIRST { start } else { load::<N>(&stage[b], lane) };
            let here = match matrices {
                Some(matrices) if KEPT => kept(&state, &matrices[b], lane),
                _ => Here::at(&state),
            };
            let inertia = inertias.at(bodies, at);
            let torque_body = if WORLD { here.to_world.rotate_back(torque) } else { torque };
            let step = Step { h, omega_start_body: start.omega_body, inertia: &inertia };
            let mut saved = S::Saved::<N>::empty();
            let next = method::next_state::<S, N>(i, &start, &step, &here, Some(torque_body), &mut saved);
            store(&next, &mut stage[b], lane);
            finite_checks = finite_checks + finite_check(&next);
        });
        self.outcome(finite_checks)
    }

    #[inline(always)]
    fn any<N: Lanes>(&mut self) -> Result<(), Failure> {
        let Stage { i, bodies, start, matrices, ahead, inertias, h, ref torque, .. } = *self.0;
        let (stage, saved) = (&mut *self.0.stage, &mut *self.0.saved);
        let (count, columns) = (bodies.count(), <S::Saved<N> as SavedNumbers<N>>::COUNT);
        let i = i.min(S::TORQUE_AT.len() - 1);
        let mut finite_checks = N::splat(0.0);
        lanes!(count, N, b, lane, ahead: ahead, {
            let at = b * MOST_LANES + lane;
            let start = load::<N>(&start[b], lane);
            let state = if i == 0 { start } else { load::<N>(&stage[b], lane) };
            let here = match black_box(matrices) {
                Some(matrices) => kept(&state, &matrices[b], lane),
                None => Here::at(&state),
            };
            let inertia = inertias.at(bodies, at);
            let torque_body = match black_box(torque) {
                StageTorque::Packed(torque, Frame::World) => Some(here.to_world.rotate_back(torque.get::<N>(at, count))),
                StageTorque::Packed(torque, Frame::Body) => Some(torque.get::<N>(at, count)),
                StageTorque::Ready(torque) => torque.torque_body(bodies, at, &here, &inertia),
            };
            let step = Step { h, omega_start_body: start.omega_body, inertia: &inertia };
            let columns_here = &mut saved[b * columns..][..columns];
            let mut numbers = if i == 0 { S::Saved::<N>::empty() } else { SavedNumbers::load(columns_here, lane) };
            let next = method::next_state::<S, N>(i, &start, &step, &here, torque_body, &mut numbers);
            numbers.store(columns_here, lane);
            store(&next, &mut stage[b], lane);
            finite_checks = finite_checks + finite_check(&next);
        });
        self.outcome(finite_checks)
    }

    /// Finds the body whose torque or motion is not finite.
    #[inline(always)]
    fn outcome<N: Number>(&self, finite_checks: N) -> Result<(), Failure> {
        if is_not_finite(finite_checks) { self.0.first_failure::<S>().map_or(Ok(()), Err) } else { Ok(()) }
    }
}

impl Stage<'_> {
    #[cold]
    #[inline(never)]
    fn first_failure<S: Scheme>(&self) -> Option<Failure> {
        let i = first_not_finite(self.stage, self.bodies.count())?;
        let cause = match &self.torque {
            StageTorque::Packed(torque, _) if torque.of(i).iter().any(|t| !t.is_finite()) => {
                let time = self.time + S::TORQUE_AT[self.i] * self.h;
                Error::TorqueNotFinite { time, torque: torque.of(i) }
            }
            _ => Error::Overflow { time: self.time },
        };
        Some(Failure::of_body(self.bodies.get(i), cause))
    }
}
