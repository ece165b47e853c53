//! The loops that take one stage of a step for a chunk: the torque has been asked, in them the
//! bodies move on.

use super::lanes::{finite_check, is_not_finite, lanes};
use super::parameters::{ALIGNED, EITHER, SHARED, TURNED, WITH_ROTORS};
use super::parameters::{ChunkInertias, InertiaSource, Inertias, Parameter};
use super::{forces::Forces, scratch::Torques};
use crate::kernel::{self, Column, Here, MOST_LANES, Number, PrincipalInertia, Rotor, Vec3};
use crate::kernel::{inverse_sums, load_saved, store_saved};
use crate::memory::{
    Ahead, Bodies, Layout, PackedTorques, States, StatesMut, load, load_vector, store,
};
use crate::method::{self, Composition, Damping, Family, Plan, Scheme, Step};
use crate::method::{
    AnySplitting, Baoab, Brownian, Cf4, DampedPcdm, DampedSplitting, Pcdm, Strang,
};
use crate::simd::{self, Job, Lanes};
use std::{hint::black_box, marker::PhantomData};

/// A stage of a chunk.
pub(super) struct StageData<'a> {
    pub(super) forces: &'a Forces<'a>,
    pub(super) i: usize,
    pub(super) bodies: &'a Bodies<'a>,
    /// The position of the first of them.
    pub(super) first: usize,
    pub(super) start: States<'a>,
    /// In: the states of stage `i` (ignored for stage 0, which reads `start`). Out: those of the
    /// next stage, or of the end of the step.
    pub(super) stage: StatesMut<'a>,
    pub(super) saved: Saved<'a>,
    pub(super) given: Given,
    /// The torques at these states, in the form that `given` says; with random torques, the noise
    /// of this step too.
    pub(super) torques: &'a mut Torques,
    pub(super) inertias: &'a ChunkInertias<'a>,
    pub(super) ahead: Option<&'a Ahead<'a>>,
    pub(super) h: f64,
}

/// The form of the torques of a stage. (A tag alone: a copy of the arrays, just written, would wait
/// for the stores.)
#[derive(Clone, Copy, Debug)]
pub(super) enum Given {
    /// None acts, or the method has kept the last one.
    Nothing,
    Tile,
    /// As a callback has answered, or the caller of the stage protocol.
    Answer,
}

/// The values that a method saves: as many columns per block as numbers per body.
pub(super) struct Saved<'a> {
    /// Those before the step, if the method keeps them; `None`: they are in `to`.
    pub(super) from: Option<&'a [Column]>,
    pub(super) to: &'a mut [Column],
}

impl Saved<'_> {
    pub(super) fn reborrow(&mut self) -> Saved<'_> {
        Saved {
            from: self.from,
            to: &mut *self.to,
        }
    }

    /// At stage `i`.
    #[inline(always)]
    pub(super) fn load<S: Scheme, N: Number>(
        &self,
        i: usize,
        b: usize,
        lane: usize,
    ) -> kernel::Saved<N> {
        let columns = 3 * S::SAVED;
        match self.from {
            _ if i == 0 && !S::KEEPS_TORQUE => [Vec3::splat(0.0); 2],
            Some(from) if i == 0 => load_saved(&from[b * columns..][..columns], lane),
            _ => load_saved(&self.to[b * columns..][..columns], lane),
        }
    }
}

/// Whether there are loops for an answer as it is. All loops that run then have the inertia that
/// the bodies share.
pub(super) fn takes_answers(plan: &Plan, inertias: &Inertias) -> bool {
    let is_common = matches!(
        plan.family,
        Family::Pcdm | Family::Splitting(Composition { predicts: true, .. })
    );
    is_common && inertias.shared_aligned().is_some()
}

impl StageData<'_> {
    /// Takes the stage. Returns whether all states are finite.
    ///
    /// The loops, each compiled for each instruction set: one per scheme, or two (`common`), for
    /// any inertia. For bodies that share an inertia in principal axes there are more: of CF4 and
    /// the splittings for any stage, of PCDM and the splitting of order 2, the methods of
    /// callbacks, one per stage, with the torque in a tile, and with a callback's answer as it is.
    #[inline(always)]
    pub(super) fn take(&mut self) -> bool {
        let Forces {
            plan,
            inertias,
            besides,
            ..
        } = *self.forces;
        use Given::{Answer, Nothing, Tile};
        let is_strang = plan
            .composition()
            .is_some_and(|composition| composition.predicts)
            || matches!(plan.family, Family::Baoab) && self.i > 0;
        match (plan.family, self.given, self.i, inertias.shared_aligned()) {
            (Family::Splitting(_), ..) if besides.rotors.is_some() => {
                self.run::<AnySplitting, ANY, KEPT_OR_TILE, WITH_ROTORS>()
            }
            (Family::Pcdm, Answer, 0, Some(_)) => self.run::<Pcdm, 0, ANSWER, SHARED>(),
            (Family::Pcdm, Answer, _, Some(_)) => self.run::<Pcdm, 1, ANSWER, SHARED>(),
            (Family::Pcdm, Tile, 0, Some(_)) => self.run::<Pcdm, 0, TILE, SHARED>(),
            (Family::Pcdm, Tile, _, Some(_)) => self.run::<Pcdm, 1, TILE, SHARED>(),
            (Family::Baoab, _, 0, Some(_)) => self.run::<Baoab, 0, KEPT, SHARED>(),
            (_, Nothing, 0, Some(_)) if is_strang => self.run::<Strang, 0, KEPT, SHARED>(),
            (_, Answer, _, Some(_)) if is_strang => self.run::<Strang, 1, ANSWER, SHARED>(),
            (_, Tile, _, Some(_)) if is_strang => self.run::<Strang, 1, TILE, SHARED>(),
            (Family::Cf4, Tile, _, Some(_)) => self.run::<Cf4, ANY, TILE, SHARED>(),
            (Family::Splitting(_), _, _, Some(_)) => {
                self.run::<AnySplitting, ANY, KEPT_OR_TILE, SHARED>()
            }
            (Family::Pcdm, ..) => self.common::<Pcdm>(),
            (Family::Cf4, ..) => self.common::<Cf4>(),
            (Family::Baoab, _, 0, _) => self.run::<Baoab, ANY, KEPT_OR_TILE, EITHER>(),
            (Family::Brownian, ..) => self.run::<Brownian, ANY, KEPT_OR_TILE, EITHER>(),
            (Family::Splitting(_) | Family::Baoab, ..) => self.common::<AnySplitting>(),
            (Family::DampedPcdm, ..) => self.run::<DampedPcdm, ANY, KEPT_OR_TILE, EITHER>(),
            (Family::DampedSplitting, ..) => {
                self.run::<DampedSplitting, ANY, KEPT_OR_TILE, EITHER>()
            }
        }
    }

    /// By two loops, which is up to a twentieth faster.
    fn common<S: Scheme>(&mut self) -> bool {
        match self.inertias.is_turned {
            false => self.run::<S, ANY, KEPT_OR_TILE, ALIGNED>(),
            true => self.run::<S, ANY, KEPT_OR_TILE, TURNED>(),
        }
    }

    #[inline(always)]
    fn run<S: Scheme, const I: usize, const FORM: u8, const AXES: u8>(&mut self) -> bool {
        simd::run_on(
            self.bodies.count(),
            &mut Stage::<S, I, FORM, AXES>(self, PhantomData),
        )
    }
}

/// The stage that the data has.
const ANY: usize = usize::MAX;

// The form of the torque, known when a loop is compiled; one kept by the method is not given.
const KEPT: u8 = 0;
const TILE: u8 = 1;
const ANSWER: u8 = 2;
const KEPT_OR_TILE: u8 = 3;

/// A stage. `AXES`: as for [`ChunkInertias::at`], or [`SHARED`].
struct Stage<'b, 'a, S, const I: usize, const FORM: u8, const AXES: u8>(
    &'b mut StageData<'a>,
    PhantomData<S>,
);

impl<S: Scheme, const I: usize, const FORM: u8, const AXES: u8> Job<bool>
    for Stage<'_, '_, S, I, FORM, AXES>
{
    const BY_TWO: bool = !Self::FEW_IN_A_PAIR;
    const FEW_IN_A_PAIR: bool = AXES != SHARED || I == ANY || S::TAKES_NOISE;

    #[inline(always)]
    fn in_lanes<N: Lanes>(&mut self) -> bool {
        // Copies: the compiler must assume that any store may change the fields behind the
        // reference.
        let StageData {
            forces,
            bodies,
            first,
            start,
            given,
            inertias: &inertias,
            ahead,
            h,
            ..
        } = *self.0;
        let i = if I == ANY { self.0.i } else { I };
        let torques = &*self.0.torques;
        let shared = match forces.inertias.shared_aligned() {
            Some(shared) if AXES == SHARED => *shared,
            _ => PrincipalInertia::new(Vec3::splat(1.0), None), // not used
        };
        let composition = forces.plan.composition_or_any();
        let count = bodies.count();
        let no_answer = (
            PackedTorques {
                layout: Layout::Soa,
                torque: &[],
                stride: 0,
            },
            true,
        );
        let (answer, is_in_world) = forces
            .answer(&torques.packed, first, count)
            .unwrap_or(no_answer);
        let tile = &torques.tile[..];
        let is_given = matches!(given, Given::Tile);
        let resistances = &torques.resistances[..];
        let noise = &torques.noise;
        let stage = &mut *self.0.stage;
        let columns = 3 * S::SAVED;
        let saved = self.0.saved.reborrow();
        let rotors = forces
            .besides
            .rotors
            .as_ref()
            .map_or(&Parameter::Shared([0.0; 3]), |rotors| &rotors.each); // with rotors
        let heat = forces.random.bath.as_deref();
        if S::TAKES_NOISE && heat.is_none() {
            return true; // does not happen; without this, the loop would have a branch for it
        }
        // not in the loop, where the compiler would leave them
        let mut finite_checks = N::splat(0.0);
        let sums = inverse_sums(&shared);
        lanes!(count, N, b, lane, ahead: ahead, {
            // first: it may call a function for the last bodies, and registers in use would be
            // spilled
            let answer = if FORM == ANSWER { answer.get(b * MOST_LANES + lane, count) } else { Vec3::splat(0.0) };
            let start = load::<N>(&start[b], lane);
            let state = if i == 0 { start } else { load::<N>(&stage[b], lane) };
            let here = Here::at(&state);
            let inertia = if AXES == SHARED { shared.at(bodies, 0) } else { inertias.at::<N, AXES>(b, lane) };
            let torque_body = match FORM {
                ANSWER if is_in_world => Some(here.to_world.rotate_back(answer)),
                ANSWER => Some(answer),
                TILE => Some(load_vector(&tile[b], 0, lane)),
                // a scheme that keeps no torque is given one: `whole` has a loop for its free
                // bodies
                KEPT_OR_TILE if !S::KEEPS_TORQUE || black_box(is_given) => Some(load_vector(&tile[b], 0, lane)),
                _ => None,
            };
            let rotor;
            let mut step = Step { composition, ..Step::new(h, start.omega_body, &inertia) };
            if S::IS_DAMPED {
                step.damping = Damping::new(&inertia, load_vector(&resistances[b], 0, lane));
            }
            if let (true, Some(heat)) = (S::TAKES_NOISE, heat) {
                let is_turned = AXES != SHARED && S::KEEPS_TORQUE && inertias.is_turned;
                step.sums = if AXES == SHARED { Some(sums.map(N::splat)) } else { None };
                step.bath = Some(noise.bath(heat, (bodies, first), (b, lane), start.q, is_turned));
            }
            if AXES == WITH_ROTORS {
                rotor = Rotor::new(Vec3(rotors.at(bodies, b * MOST_LANES + lane)), None);
                step.rotor = Some(&rotor);
            }
            let mut numbers = saved.load::<S, N>(i, b, lane);
            let next = method::next_state::<S, N>(i, &start, &step, &here, torque_body, &mut numbers, None);
            // Before what is saved: the compiler sees that an orientation that stays is there
            // already. First stages are slower so.
            if I != 0 {
                store(&next, &mut stage[b], lane);
            }
            if columns > 0 {
                store_saved(&numbers, &mut saved.to[b * columns..][..columns], lane);
            }
            if I == 0 {
                store(&next, &mut stage[b], lane);
            }
            finite_checks = finite_checks + finite_check(&next);
        });
        !is_not_finite(finite_checks)
    }
}
