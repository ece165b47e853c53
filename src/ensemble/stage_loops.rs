//! The loops that take one stage of a step for a chunk: the torque has been asked, in them the bodies move on.

use super::lanes::{finite_check, is_not_finite, lanes};
use super::parameters::{ALIGNED, ChunkInertias, EITHER, InertiaSource, Inertias, Parameter, SharedAligned, TURNED};
use super::{random::HeatBath, random_loops::bath, scratch::Torques, torque_loops::kept};
use crate::kernel::{Column, Here, MOST_LANES, Number, PrincipalInertia, SavedNumbers, State, Vec3};
use crate::memory::{Ahead, Block, Bodies, Layout, PackedTorques, States, StatesMut, load, load_vector, store};
use crate::method::{
    self, AtRunTime, Baoab, Brownian, Cf4, Composition, DampedPcdm, DampedSplitting, Family, Pcdm, Plan, Rotor, Scheme,
    Splitting, Step, Strang,
};
use crate::simd::{self, Job, Lanes};
use std::{hint::black_box, marker::PhantomData};

/// A stage of a chunk.
pub(super) struct StageData<'a> {
    pub(super) i: usize,
    pub(super) bodies: &'a Bodies<'a>,
    pub(super) start: States<'a>,
    /// In: the states of stage `i` (ignored for stage 0, which reads `start`). Out: those of the next stage, or of the end of the step.
    pub(super) stage: StatesMut<'a>,
    pub(super) saved: Saved<'a>,
    /// The torques at these states, in the form that `given` says.
    pub(super) given: Given,
    pub(super) torques: &'a Torques,
    /// Random torques; the tile of their noise is that of this step.
    pub(super) bath: Option<&'a HeatBath>,
    /// The inertia that all bodies share, if its principal axes are the body axes.
    pub(super) shared: Option<&'a PrincipalInertia<f64>>,
    pub(super) inertias: ChunkInertias<'a>,
    /// The angular momenta of rotors.
    pub(super) rotors: Option<&'a Parameter<3>>,
    pub(super) composition: &'static Composition,
    pub(super) ahead: Option<&'a Ahead<'a>>,
    pub(super) h: f64,
}

/// The form of the torques of a stage. (A tag alone: a copy of the arrays, just written, would wait for the stores.)
#[derive(Clone, Copy, Debug)]
pub(super) enum Given {
    /// None acts, or the method has kept the last one.
    Nothing,
    /// In the tile.
    Tile,
    /// As a callback has answered, in the world frame.
    World(Layout),
}

/// The values that a method saves: as many columns per block as numbers per body.
pub(super) struct Saved<'a> {
    /// Those before the step, if the method keeps them; `None`: they are in `to`.
    pub(super) from: Option<&'a [Column]>,
    pub(super) to: &'a mut [Column],
}

impl Saved<'_> {
    pub(super) fn nothing() -> Self {
        Saved { from: None, to: &mut [] }
    }

    pub(super) fn reborrow(&mut self) -> Saved<'_> {
        Saved { from: self.from, to: &mut *self.to }
    }

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

/// Whether there are loops for a callback's answer in the world frame. All loops that run then have the inertia that the bodies share.
pub(super) fn takes_world_torques(plan: &Plan, inertias: &Inertias) -> bool {
    let is_common = match plan.family {
        Family::Pcdm => true,
        Family::Splitting(composition) => composition.predicts,
        _ => false,
    };
    is_common && inertias.shared_aligned().is_some()
}

impl StageData<'_> {
    /// Takes the stage. Returns whether all states are finite.
    ///
    /// The loops, each compiled for each instruction set: one per scheme, for any inertia. PCDM and the splitting of order 2, the methods of
    /// callbacks, have more for bodies that share an inertia in principal axes, one per stage: with the torque in a tile, and with a
    /// callback's answer as it is.
    #[inline(always)]
    pub(super) fn take(&mut self, plan: &Plan) -> bool {
        use Given::{Nothing, Tile, World};
        type Strangs = Splitting<Strang>;
        let is_strang = plan.composition().is_some_and(|composition| composition.predicts)
            || matches!(plan.family, Family::Baoab) && self.i > 0;
        match (plan.family, self.given, self.i, self.shared) {
            (Family::Splitting(_), ..) if self.rotors.is_some() => simd::run_in_pairs_on(
                self.bodies.count(),
                &mut Any::<Splitting<AtRunTime>, EITHER, true>(self, PhantomData),
            ),
            (Family::Pcdm, World(layout), 0, Some(shared)) => self.alike::<Pcdm, 0, _>(shared, InWorld(layout)),
            (Family::Pcdm, World(layout), _, Some(shared)) => self.alike::<Pcdm, 1, _>(shared, InWorld(layout)),
            (Family::Pcdm, Tile, 0, Some(shared)) => self.alike::<Pcdm, 0, _>(shared, InTile),
            (Family::Pcdm, Tile, _, Some(shared)) => self.alike::<Pcdm, 1, _>(shared, InTile),
            (Family::Baoab, _, 0, Some(shared)) => self.alike::<Baoab, 0, _>(shared, Kept),
            (_, Nothing, 0, Some(shared)) if is_strang => self.alike::<Strangs, 0, _>(shared, Kept),
            (_, World(layout), _, Some(shared)) if is_strang => self.alike::<Strangs, 1, _>(shared, InWorld(layout)),
            (_, Tile, _, Some(shared)) if is_strang => self.alike::<Strangs, 1, _>(shared, InTile),
            (Family::Pcdm, ..) => self.any::<Pcdm>(),
            (Family::Cf4, ..) => self.any::<Cf4>(),
            (Family::Baoab, _, 0, _) => self.any::<Baoab>(),
            (Family::Brownian, ..) => self.any::<Brownian>(),
            (Family::Splitting(_) | Family::Baoab, ..) => self.any::<Splitting<AtRunTime>>(),
            (Family::DampedPcdm, ..) => self.any::<DampedPcdm>(),
            (Family::DampedSplitting, ..) => self.any::<DampedSplitting>(),
        }
    }

    /// Whether the fluid of random torques moves.
    fn has_flow(&self) -> bool {
        self.bath.is_some_and(HeatBath::has_flow)
    }

    fn any<S: Scheme>(&mut self) -> bool {
        let count = self.bodies.count();
        match self.inertias.is_turned {
            _ if S::IS_DAMPED || S::TAKES_NOISE => {
                simd::run_in_pairs_on(count, &mut Any::<S, EITHER, false>(self, PhantomData))
            }
            false => simd::run_in_pairs_on(count, &mut Any::<S, ALIGNED, false>(self, PhantomData)),
            true => simd::run_in_pairs_on(count, &mut Any::<S, TURNED, false>(self, PhantomData)),
        }
    }

    #[inline(always)]
    fn alike<S: Scheme, const I: usize, G: Form>(&mut self, shared: &PrincipalInertia<f64>, form: G) -> bool {
        let (count, mut job) =
            (self.bodies.count(), Alike::<S, I, G> { data: self, shared, form, scheme: PhantomData });
        if S::TAKES_NOISE { simd::run_in_pairs_on(count, &mut job) } else { simd::run_on(count, &mut job) }
    }
}

/// For any inertias, stage and torque.
struct Any<'b, 'a, S, const AXES: u8, const ROTORS: bool>(&'b mut StageData<'a>, PhantomData<S>);

impl<S: Scheme, const AXES: u8, const ROTORS: bool> Job for Any<'_, '_, S, AXES, ROTORS> {
    type Output = bool;

    #[inline(always)]
    fn in_lanes<N: Lanes>(&mut self) -> bool {
        // Copies: the compiler must assume that any store may change the fields behind the reference.
        let StageData { i, bodies, start, given, torques, inertias, rotors, composition, ahead, h, .. } = *self.0;
        let (resistances, has_flow) = (&torques.resistances[..], self.0.has_flow());
        let (stage, columns) = (&mut *self.0.stage, <S::Saved<N> as SavedNumbers<N>>::COUNT);
        let saved = self.0.saved.reborrow();
        let (tile, is_given) = (&torques.tile[..], matches!(given, Given::Tile));
        let rotors = rotors.unwrap_or(&Parameter::Shared([0.0; 3])); // without `ROTORS` not used
        let mut finite_checks = N::splat(0.0);
        lanes!(bodies.count(), N, b, lane, ahead: ahead, {
            let start = load::<N>(&start[b], lane);
            let state = if i == 0 { start } else { load::<N>(&stage[b], lane) };
            let inertia = inertias.at::<N, AXES>(b, lane);
            // a scheme that keeps no torque is given one: `whole` has a loop for its free bodies
            let is_given = !S::KEEPS_TORQUE || black_box(is_given);
            let torque_body = if is_given { Some(load_vector(&tile[b], 0, lane)) } else { None };
            let mut step = Step { composition, ..Step::new(h, start.omega_body, &inertia) };
            if S::IS_DAMPED {
                step.resistance = inertia.resistance_bound(load_vector(&resistances[b], 0, lane));
            }
            if S::TAKES_NOISE {
                step.bath = Some(bath(&torques.noise[b], start.q, S::KEEPS_TORQUE && inertias.is_turned, has_flow, lane));
            }
            if ROTORS {
                let momentum = Vec3(rotors.at(bodies, b * MOST_LANES + lane));
                step.rotor = Some(Rotor { momentum, motor: None });
            }
            let mut numbers = saved.load::<S, N>(i, b, columns, lane);
            let next = method::next_state::<S, N>(i, &start, &step, &Here::at(&state), torque_body, &mut numbers);
            numbers.store(&mut saved.to[b * columns..][..columns], lane);
            store(&next, &mut stage[b], lane);
            finite_checks = finite_checks + finite_check(&next);
        });
        !is_not_finite(finite_checks)
    }
}

/// The form in which the torque is given, known when the loop is compiled.
trait Form: Copy {
    type Arrays<'a>: Copy;

    fn arrays(self, torques: &Torques, count: usize) -> Self::Arrays<'_>;

    /// The torque as it is given. It is loaded first: it may call a function for the last bodies, and registers in use would be spilled.
    fn load<N: Lanes>(arrays: Self::Arrays<'_>, b: usize, lane: usize, count: usize) -> Vec3<N>;

    #[inline(always)]
    fn here<N: Lanes>(_: Self::Arrays<'_>, state: &State<N>, _b: usize, _lane: usize) -> Here<N> {
        Here::at(state)
    }

    /// `None`: the method has kept it.
    #[inline(always)]
    fn in_body<N: Lanes>(given: Vec3<N>, _here: &Here<N>) -> Option<Vec3<N>> {
        Some(given)
    }
}

#[derive(Clone, Copy)]
struct InTile;
impl Form for InTile {
    type Arrays<'a> = &'a [Block<3>];

    #[inline(always)]
    fn arrays(self, torques: &Torques, _: usize) -> &[Block<3>] {
        &torques.tile
    }

    #[inline(always)]
    fn load<N: Lanes>(tile: &[Block<3>], b: usize, lane: usize, _: usize) -> Vec3<N> {
        load_vector(&tile[b], 0, lane)
    }
}

#[derive(Clone, Copy)]
struct InWorld(Layout);
impl Form for InWorld {
    type Arrays<'a> = (PackedTorques<'a>, &'a [Block<12>]);

    #[inline(always)]
    fn arrays(self, torques: &Torques, count: usize) -> Self::Arrays<'_> {
        (torques.answer(self.0, count), &torques.matrices)
    }

    #[inline(always)]
    fn load<N: Lanes>((answer, _): Self::Arrays<'_>, b: usize, lane: usize, count: usize) -> Vec3<N> {
        answer.get(b * MOST_LANES + lane, count)
    }

    #[inline(always)]
    fn here<N: Lanes>((_, matrices): Self::Arrays<'_>, state: &State<N>, b: usize, lane: usize) -> Here<N> {
        kept(state, &matrices[b], lane)
    }

    #[inline(always)]
    fn in_body<N: Lanes>(given: Vec3<N>, here: &Here<N>) -> Option<Vec3<N>> {
        Some(here.to_world.rotate_back(given))
    }
}

#[derive(Clone, Copy)]
struct Kept;
impl Form for Kept {
    type Arrays<'a> = ();

    fn arrays(self, _: &Torques, _: usize) {}

    #[inline(always)]
    fn load<N: Lanes>((): (), _: usize, _: usize, _: usize) -> Vec3<N> {
        Vec3::splat(0.0)
    }

    #[inline(always)]
    fn in_body<N: Lanes>(_: Vec3<N>, _: &Here<N>) -> Option<Vec3<N>> {
        None
    }
}

/// The stage that the data has.
const ANY: usize = usize::MAX;

/// For bodies that share an inertia in principal axes, at stage `I`.
struct Alike<'b, 'a, S, const I: usize, G> {
    data: &'b mut StageData<'a>,
    shared: &'b PrincipalInertia<f64>,
    form: G,
    scheme: PhantomData<S>,
}

impl<S: Scheme, const I: usize, G: Form> Job for Alike<'_, '_, S, I, G> {
    type Output = bool;

    #[inline(always)]
    fn in_lanes<N: Lanes>(&mut self) -> bool {
        let StageData { bodies, start, ahead, h, composition, .. } = *self.data;
        let i = if I == ANY { self.data.i } else { I };
        let (shared, count, has_flow) = (SharedAligned(*self.shared), bodies.count(), self.data.has_flow());
        let noise = &self.data.torques.noise[..];
        let arrays = self.form.arrays(self.data.torques, count);
        let (stage, columns) = (&mut *self.data.stage, <S::Saved<N> as SavedNumbers<N>>::COUNT);
        let saved = self.data.saved.reborrow();
        let mut finite_checks = N::splat(0.0);
        lanes!(count, N, b, lane, ahead: ahead, {
            let torque = G::load::<N>(arrays, b, lane, count);
            let start = load::<N>(&start[b], lane);
            let state = if i == 0 { start } else { load::<N>(&stage[b], lane) };
            let here = G::here(arrays, &state, b, lane);
            let (inertia, torque_body) = (shared.at(bodies, 0), G::in_body(torque, &here));
            let mut step = Step { composition, ..Step::new(h, start.omega_body, &inertia) };
            if S::TAKES_NOISE {
                step.bath = Some(bath(&noise[b], start.q, false, has_flow, lane));
            }
            let mut numbers = saved.load::<S, N>(i, b, columns, lane);
            let next = method::next_state::<S, N>(i, &start, &step, &here, torque_body, &mut numbers);
            if columns > 0 {
                numbers.store(&mut saved.to[b * columns..][..columns], lane);
            }
            store(&next, &mut stage[b], lane);
            finite_checks = finite_checks + finite_check(&next);
        });
        !is_not_finite(finite_checks)
    }
}
