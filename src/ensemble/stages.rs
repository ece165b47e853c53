//! One stage of a step for a chunk: callbacks, the stage protocol, and methods and torques without a loop in `steps`.

use super::drag::{self, Drag};
use super::lanes::{ByScheme, Tile, finite_check, first_not_finite, is_not_finite, lanes};
use super::parameters::{InertiaSource, Inertias};
use super::torque::ReadyMade;
use crate::error::{Error, Failure};
use crate::kernel::{Column, Here, MOST_LANES, Number, PrincipalInertia, RotationMatrix, SavedNumbers, State, Vec3};
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
    /// The last torque of the step before, which the method has kept.
    Kept,
}

impl StageTorque<'_> {
    /// In the body frame; `None`: the kept one, or none acts.
    #[inline(always)]
    pub(super) fn at<N: Lanes>(
        &self,
        bodies: &Bodies,
        at: usize,
        here: &Here<N>,
        inertia: &PrincipalInertia<N>,
    ) -> Option<Vec3<N>> {
        match self {
            StageTorque::Ready(torque) => torque.torque_body(bodies, at, here, inertia),
            _ => self.of_caller(bodies, at, here),
        }
    }

    #[inline(always)]
    fn of_caller<N: Lanes>(&self, bodies: &Bodies, at: usize, here: &Here<N>) -> Option<Vec3<N>> {
        match self {
            StageTorque::Packed(torque, Frame::World) => {
                Some(here.to_world.rotate_back(torque.get::<N>(at, bodies.count())))
            }
            StageTorque::Packed(torque, Frame::Body) => Some(torque.get::<N>(at, bodies.count())),
            _ => None,
        }
    }

    /// If the torque is not finite, the cause of the failure.
    pub(super) fn refused(&self, i: usize, time: f64) -> Option<Error> {
        match self {
            StageTorque::Packed(torque, _) if torque.of(i).iter().any(|t| !t.is_finite()) => {
                Some(Error::TorqueNotFinite { time, torque: torque.of(i) })
            }
            _ => None,
        }
    }
}

/// The torque with that of a drag.
#[inline(always)]
pub(super) fn with_drag<S: Scheme, N: Number>(
    torque_body: Option<Vec3<N>>,
    drag: Option<&Drag>,
    bodies: &Bodies,
    at: usize,
    here: &Here<N>,
) -> Option<Vec3<N>> {
    if S::TAKES_DRAG
        && let Some(drag) = black_box(drag)
    {
        let drag = drag.at(bodies, at).at(here);
        Some(match torque_body {
            Some(torque) => torque + drag,
            None => Vec3::splat(0.0) + drag,
        })
    } else {
        torque_body
    }
}

/// For the schemes that take it implicitly.
#[inline(always)]
pub(super) fn resistance_of<S: Scheme, N: Number>(
    drag: Option<&Drag>,
    torque: &StageTorque,
    bodies: &Bodies,
    at: usize,
    inertia: &PrincipalInertia<N>,
) -> Vec3<N> {
    if !S::IS_DAMPED {
        return Vec3::splat(0.0);
    }
    let ready_made = if let StageTorque::Ready(torque) = black_box(torque) { Some(*torque) } else { None };
    inertia.resistance_bound(drag::resistance(black_box(drag), ready_made, bodies, at))
}

/// The values that a method saves: as many columns per block as numbers per body.
pub(super) struct Saved<'a> {
    /// Those before the step, if the method keeps them; `None`: they are in `to`.
    pub(super) from: Option<&'a [Column]>,
    pub(super) to: &'a mut [Column],
}

impl Saved<'_> {
    /// At stage `i`. `columns`: per block.
    #[inline(always)]
    pub(super) fn load<S: Scheme, N: Number>(&self, i: usize, b: usize, columns: usize, lane: usize) -> S::Saved<N> {
        if i > 0 {
            return SavedNumbers::load(&self.to[b * columns..][..columns], lane);
        }
        match self.from {
            _ if !S::KEEPS_TORQUE => S::Saved::<N>::empty(),
            Some(from) => SavedNumbers::load(&from[b * columns..][..columns], lane),
            None => SavedNumbers::load(&self.to[b * columns..][..columns], lane),
        }
    }
}

/// Takes the torque of stage `i` and advances to the next stage, or to the end of the step.
pub(super) struct Stage<'a> {
    pub(super) i: usize,
    /// The number of stages to take, starting with `i`: more than one only under a ready-made torque.
    pub(super) stages: usize,
    pub(super) bodies: &'a Bodies<'a>,
    pub(super) start: States<'a>,
    /// In: the states of stage `i` (ignored for stage 0, which reads `start`). Out: those of the next stage.
    pub(super) stage: StatesMut<'a>,
    pub(super) saved: Saved<'a>,
    pub(super) torque: StageTorque<'a>,
    pub(super) drag: Option<&'a Drag>,
    /// Whether there is a torque.
    pub(super) acts: bool,
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
        let Stage { i, inertias, ref torque, matrices, acts, .. } = *self.0;
        // PCDM and the splittings of order 2 and 4 have separate loops for torques from the caller, if all bodies share an inertia in
        // principal axes.
        if S::HAS_CALLER_LOOPS
            && let Some(shared) = inertias.shared_aligned()
        {
            match torque {
                StageTorque::Packed(torque, frame) => {
                    // field by field, as it was just stored: a wider load would wait for all of the stores
                    let torque = PackedTorques { layout: torque.layout, torque: torque.torque, stride: torque.stride };
                    return match (i, frame, matrices.is_some()) {
                        (0, Frame::World, true) if !S::KEEPS_TORQUE => {
                            self.caller::<N, _, true, true, true>(&shared, Some(torque))
                        }
                        (0, Frame::World, false) if !S::KEEPS_TORQUE => {
                            self.caller::<N, _, true, true, false>(&shared, Some(torque))
                        }
                        (0, Frame::Body, _) if !S::KEEPS_TORQUE => {
                            self.caller::<N, _, true, false, false>(&shared, Some(torque))
                        }
                        (_, Frame::World, true) => self.caller::<N, _, false, true, true>(&shared, Some(torque)),
                        (_, Frame::World, false) => self.caller::<N, _, false, true, false>(&shared, Some(torque)),
                        (_, Frame::Body, _) => self.caller::<N, _, false, false, false>(&shared, Some(torque)),
                    };
                }
                StageTorque::Kept if S::KEEPS_TORQUE && acts => {
                    return self.caller::<N, _, true, false, false>(&shared, None);
                }
                _ => {}
            }
        }
        match torque {
            StageTorque::Ready(_) => self.any::<N, true>(),
            _ => self.any::<N, false>(),
        }
    }
}

impl<S: Scheme> ByScheme<'_, Stage<'_>, S> {
    /// The loop for torques from the caller, specialised at compile time.
    #[inline(always)]
    fn caller<N, I, const FIRST: bool, const WORLD: bool, const KEPT: bool>(
        &mut self,
        inertias: &I,
        torque: Option<PackedTorques>,
    ) -> Result<(), Failure>
    where
        N: Lanes,
        I: InertiaSource,
    {
        // Copies: the compiler must assume that any store may change the fields behind the reference.
        let Stage { i, bodies, start, matrices, ahead, h, .. } = *self.0;
        let (stage, count) = (&mut *self.0.stage, bodies.count());
        let (saved, columns) = (&mut self.0.saved, <S::Saved<N> as SavedNumbers<N>>::COUNT);
        let saved = Saved { from: saved.from, to: &mut *saved.to };
        // For two stages, a compile-time constant.
        let i = if FIRST { 0 } else { i.clamp(1, S::TORQUE_AT.len() - 1) };
        let mut finite_checks = N::splat(0.0);
        lanes!(count, N, b, lane, ahead: ahead, {
            let at = b * MOST_LANES + lane;
            // Loaded first: it may call a function for the last bodies, and registers in use would be spilled.
            let torque = match &torque {
                Some(torque) => torque.get::<N>(at, count),
                None => Vec3::splat(0.0),
            };
            let start = load::<N>(&start[b], lane);
            let state = if FIRST { start } else { load::<N>(&stage[b], lane) };
            let here = match matrices {
                Some(matrices) if KEPT => kept(&state, &matrices[b], lane),
                _ => Here::at(&state),
            };
            let inertia = inertias.at(bodies, at);
            let torque_body = if WORLD { here.to_world.rotate_back(torque) } else { torque };
            let torque_body = if FIRST && S::KEEPS_TORQUE { None } else { Some(torque_body) };
            let resistance = Vec3::splat(0.0);
            let step = Step { h, omega_start_body: start.omega_body, inertia: &inertia, acts: true, resistance, rotor: None };
            let mut numbers = saved.load::<S, N>(i, b, columns, lane);
            let next = method::next_state::<S, N>(i, &start, &step, &here, torque_body, &mut numbers);
            if columns > 0 {
                numbers.store(&mut saved.to[b * columns..][..columns], lane);
            }
            store(&next, &mut stage[b], lane);
            finite_checks = finite_checks + finite_check(&next);
        });
        self.outcome(finite_checks)
    }

    /// The loop for anything else. `READY`: under a ready-made torque, which needs no pause between the stages.
    #[inline(always)]
    fn any<N: Lanes, const READY: bool>(&mut self) -> Result<(), Failure> {
        let Stage { i, stages, bodies, start, matrices, ahead, inertias, h, ref torque, drag, acts, .. } = *self.0;
        let (saved, columns) = (&mut self.0.saved, <S::Saved<N> as SavedNumbers<N>>::COUNT);
        let (stage, saved) = (&mut *self.0.stage, Saved { from: saved.from, to: &mut *saved.to });
        let (count, first) = (bodies.count(), i.min(S::TORQUE_AT.len() - 1));
        let end = if READY { (i + stages).min(S::TORQUE_AT.len()) } else { first + 1 };
        let mut finite_checks = N::splat(0.0);
        lanes!(count, N, b, lane, ahead: ahead, {
            let at = b * MOST_LANES + lane;
            let start = load::<N>(&start[b], lane);
            let mut state = if first == 0 { start } else { load::<N>(&stage[b], lane) };
            let inertia = inertias.at(bodies, at);
            let resistance = resistance_of::<S, N>(drag, torque, bodies, at, &inertia);
            let step = Step { h, omega_start_body: start.omega_body, inertia: &inertia, acts, resistance, rotor: None };
            let mut numbers = saved.load::<S, N>(first, b, columns, lane);
            let mut i = first;
            while i < end {
                let here = match black_box(matrices) {
                    Some(matrices) => kept(&state, &matrices[b], lane),
                    None => Here::at(&state),
                };
                let torque_body = match black_box(torque) {
                    _ if S::KEEPS_TORQUE && i == 0 => None,
                    StageTorque::Ready(torque) if READY => torque.torque_body(bodies, at, &here, &inertia),
                    torque if !READY => torque.of_caller(bodies, at, &here),
                    _ => None,
                };
                let torque_body = if S::KEEPS_TORQUE && i == 0 {
                    torque_body
                } else {
                    with_drag::<S, N>(torque_body, drag, bodies, at, &here)
                };
                state = method::next_state::<S, N>(i, &start, &step, &here, torque_body, &mut numbers);
                i += 1;
            }
            numbers.store(&mut saved.to[b * columns..][..columns], lane);
            store(&state, &mut stage[b], lane);
            finite_checks = finite_checks + finite_check(&state);
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
        let time = self.time + S::TORQUE_AT[self.i] * self.h;
        let cause = self.torque.refused(i, time).unwrap_or(Error::Overflow { time: self.time, size: None });
        Some(Failure::of_body(self.bodies.get(i), cause))
    }
}
