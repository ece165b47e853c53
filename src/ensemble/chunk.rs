//! The work on one chunk of bodies, small enough to stay in the first level of cache. Each piece is a [`Job`], compiled for every
//! instruction set, and each loops over blocks of lanes.

use super::binding::Rows;
use super::blocks::{Block, States, StatesMut};
use super::parameters::{Bodies, Inertial, Inertias, Parameter, SharedAligned};
use super::torque::*;
use crate::clock::Clock;
use crate::error::Error;
use crate::kernel::{MOST_LANES, Number, Quat, RotationMatrix, Vec3};
use crate::method::{self, Here, Method, State, Step};
use crate::simd::{Job, Lanes, load_columns, load_packed, prefetch, store_columns, store_packed};
use std::marker::PhantomData;

/// Bodies in a chunk: with its states before and after, a callback's arrays and its notes, 18 KB.
pub(crate) const CHUNK: usize = 64;
/// The same in blocks.
pub(super) const CHUNK_BLOCKS: usize = CHUNK / MOST_LANES;

/// A chunk's numbers in a place of their own.
pub(super) type Tile<const K: usize> = [Block<K>; CHUNK_BLOCKS];

/// Where a chunk failed first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setback {
    /// The step, counted from the start of the sweep.
    pub(super) step: u64,
    /// The body.
    pub(super) body: usize,
    pub(super) error: Error,
}

#[inline(always)]
fn load<N: Number>(block: &Block<7>, lane: usize) -> State<N> {
    State {
        q: Quat([block.load(0, lane), block.load(1, lane), block.load(2, lane), block.load(3, lane)]),
        omega_body: load_vector(block, 4, lane),
    }
}

#[inline(always)]
fn load_vector<N: Number, const K: usize>(block: &Block<K>, k: usize, lane: usize) -> Vec3<N> {
    Vec3([block.load(k, lane), block.load(k + 1, lane), block.load(k + 2, lane)])
}

#[inline(always)]
fn store<N: Number>(state: &State<N>, to: &mut Block<7>, lane: usize) {
    for (k, number) in state.q.0.into_iter().enumerate() {
        to.store(k, lane, number);
    }
    store_vector(state.omega_body, to, 4, lane);
}

#[inline(always)]
fn store_vector<N: Number, const K: usize>(vector: Vec3<N>, to: &mut Block<K>, k: usize, lane: usize) {
    for (c, number) in vector.0.into_iter().enumerate() {
        to.store(k + c, lane, number);
    }
}

/// Finite where a state is: the criterion of a single body, `w + |ω|²`. A sum over many states may also
/// overflow by itself, where none is flawed.
#[inline(always)]
fn flaw<N: Number>(state: &State<N>) -> N {
    state.q.0[0] + state.omega_body.dot(state.omega_body)
}

#[inline(always)]
fn is_flawed<N: Number>(flaw: N) -> bool {
    (flaw * N::splat(0.0)).if_at_most(0.0, N::splat(-1.0), N::splat(1.0)).any_above(0.0)
}

/// The first position whose state is not finite.
#[cold]
fn first_flawed(states: States, count: usize) -> Option<usize> {
    (0..count).find(|&i| !flaw(&load::<f64>(&states[i / MOST_LANES], i % MOST_LANES)).is_finite())
}

/// Runs `$do` at each lane of each block where an `$n` of the first `$count` positions begins; the last may reach beyond them.
/// Before each block, asks for what `$soon` will need.
macro_rules! lanes {
    ($count:expr, $n:ident, $block:ident, $lane:ident, soon: $soon:expr, $do:expr) => {
        for $block in 0..$count.div_ceil(MOST_LANES) {
            if let Some(soon) = $soon {
                soon.prefetch($block);
            }
            let mut $lane = 0;
            while $lane < MOST_LANES && $block * MOST_LANES + $lane < $count {
                $do;
                $lane += $n::LANES;
            }
        }
    };
    ($count:expr, $n:ident, $block:ident, $lane:ident, $do:expr) => {
        lanes!($count, $n, $block, $lane, soon: None::<&Soon>, $do)
    };
}

/// Hands a job the inertias in the form that is quickest for them.
macro_rules! with_inertias {
    ($job:ident, $n:ident) => {
        match $job.inertias {
            Inertias::Shared(inertia) if inertia.principal().principal_to_body.is_none() => {
                $job.with::<$n, _>(SharedAligned(*inertia.principal()))
            }
            inertias => $job.with::<$n, _>(inertias),
        }
    };
}

/// Steps under a ready-made torque.
pub(super) struct Steps<'a, M> {
    pub(super) count: usize,
    pub(super) bodies: &'a Bodies<'a>,
    /// `None`: the states to start from are in `end`.
    pub(super) start: Option<States<'a>>,
    pub(super) end: StatesMut<'a>,
    pub(super) inertias: &'a Inertias,
    pub(super) torque: &'a ReadyMade,
    /// The clock at their start.
    pub(super) clock: &'a Clock,
    pub(super) h: f64,
    pub(super) steps: u64,
    /// Whether the states come from beyond the cache.
    pub(super) far: bool,
    /// What the next chunk needs, to ask for it ahead.
    pub(super) soon: Option<&'a Soon<'a>>,
    pub(super) method: PhantomData<M>,
}

/// What a chunk will need, to ask for while another is worked on.
pub(super) struct Soon<'a> {
    /// Its blocks and those that follow.
    pub(super) blocks: [States<'a>; 2],
    /// Its rows of the caller's arrays, from this body on.
    pub(super) rows: &'a [Option<Rows>; 2],
    pub(super) first: usize,
}

impl Soon<'_> {
    /// Asks for block `b` of each. Not in the loop itself, which is slower by a twentieth with this in it.
    #[cold]
    #[inline(never)]
    fn prefetch(&self, b: usize) {
        for blocks in self.blocks {
            if let Some(block) = blocks.get(b) {
                prefetch(block);
            }
        }
        for rows in self.rows.iter().flatten() {
            let first = self.first + b * MOST_LANES;
            rows.prefetch(first..first + MOST_LANES);
        }
    }
}

/// How many blocks ahead to ask for: the time of a block is about that of an access to memory.
const AHEAD: usize = 4;

impl<M: Method> Job for Steps<'_, M> {
    type Output = Result<(), Setback>;

    #[inline(always)]
    fn run<N: Lanes>(&mut self) -> Self::Output {
        with_inertias!(self, N)
    }
}

impl<M: Method> Steps<'_, M> {
    #[inline(always)]
    fn with<N: Number, I: Inertial>(&mut self, inertias: I) -> Result<(), Setback> {
        match self.torque {
            ReadyMade::Free => self.under::<N, _, _>(inertias, FreeSource(PhantomData)),
            ReadyMade::ConstantWorld(torque) => {
                self.under::<N, _, _>(inertias, ConstantWorldSource(torque, PhantomData))
            }
            ReadyMade::ConstantBody(torque) => self.under::<N, _, _>(inertias, ConstantBodySource(torque, PhantomData)),
            ReadyMade::UniformField {
                vectors_body: Parameter::Shared([0.0, 0.0, lever]),
                field_world: [0.0, 0.0, force],
            } => self.under::<N, _, _>(inertias, TopWeightSource(lever, force, PhantomData)),
            ReadyMade::UniformField { vectors_body, field_world: [0.0, 0.0, field] } => {
                self.under::<N, _, _>(inertias, VerticalFieldSource(vectors_body, field, PhantomData))
            }
            ReadyMade::UniformField { vectors_body, field_world } => {
                self.under::<N, _, _>(inertias, UniformFieldSource(vectors_body, field_world, PhantomData))
            }
            ReadyMade::GravityGradient { direction_world, gradients } => {
                self.under::<N, _, _>(inertias, GravityGradientSource(direction_world, gradients, PhantomData))
            }
            ReadyMade::LinearDrag(coefficients) => {
                self.under::<N, _, _>(inertias, LinearDragSource(coefficients, PhantomData))
            }
            ReadyMade::ShearFlow { resistances, flow } => {
                self.under::<N, _, _>(inertias, ShearFlowSource(resistances, flow, PhantomData))
            }
        }
    }

    #[inline(always)]
    fn under<N: Number, I: Inertial, S: Source>(&mut self, inertias: I, source: S) -> Result<(), Setback> {
        let mut from = self.start;
        for step in 0..self.steps {
            self.step::<N, I, S>(step, from, &inertias, &source)?;
            from = None;
        }
        Ok(())
    }

    /// One step, from `from` or, in place, from `end`.
    #[inline(always)]
    fn step<N: Number, I: Inertial, S: Source>(
        &mut self,
        step: u64,
        from: Option<States>,
        inertias: &I,
        source: &S,
    ) -> Result<(), Setback> {
        let mut flaws = N::splat(0.0);
        let soon = if step == 0 { self.soon } else { None };
        lanes!(self.count, N, b, lane, soon: soon, {
            if self.far && lane == 0 {
                from.and_then(|start| start.get(b + AHEAD)).into_iter().for_each(prefetch);
                self.end.get(b + AHEAD).into_iter().for_each(prefetch);
            }
            let state = load::<N>(if let Some(start) = from { &start[b] } else { &self.end[b] }, lane);
            let i = b * MOST_LANES + lane;
            let (inertia, mut torque) = (inertias.at(self.bodies, i), source.at(self.bodies, i));
            // no ready-made torque looks at the time
            let Ok(end) = method::step::<M, N, _>(&state, &inertia, 0.0, self.h, &mut torque);
            store(&end, &mut self.end[b], lane);
            flaws = flaws + flaw(&end);
        });
        if is_flawed(flaws)
            && let Some(i) = first_flawed(self.end, self.count)
        {
            let (body, time) = (self.bodies.at(i), self.clock.after(step, self.h));
            return Err(Setback { step, body, error: Error::OverflowAt { body, time } });
        }
        Ok(())
    }
}

/// The arrays of a callback, or of the caller of the stage protocol: packed orientations and angular velocities.
pub(super) struct Shown<'a> {
    pub(super) layout: Layout,
    pub(super) orientation: &'a mut [f64],
    pub(super) angular_velocity: &'a mut [f64],
    /// From column to column, where they are columns.
    pub(super) stride: usize,
}

impl Shown<'_> {
    /// Writes those of the bodies at `i` and after it.
    #[inline(always)]
    fn put<N: Lanes>(&mut self, i: usize, count: usize, q: Quat<N>, omega: Vec3<N>) {
        if i + N::LANES > count {
            let mut block = Block::filled([0.0; 7]);
            store(&State { q, omega_body: omega }, &mut block, 0);
            self.put_some(i, count, &block);
        } else {
            match self.layout {
                Layout::Soa => {
                    store_columns(q.0, &mut self.orientation[i..], self.stride);
                    store_columns(omega.0, &mut self.angular_velocity[i..], self.stride);
                }
                Layout::Aos => {
                    store_packed(q.0, &mut self.orientation[4 * i..]);
                    store_packed(omega.0, &mut self.angular_velocity[3 * i..]);
                }
            }
        }
    }

    /// The same of the last few bodies.
    #[cold]
    #[inline(never)]
    fn put_some(&mut self, first: usize, count: usize, block: &Block<7>) {
        for i in first..count {
            let [w, x, y, z, omega @ ..] = block.get(i - first);
            for (k, number) in [w, x, y, z].into_iter().enumerate() {
                self.orientation[place::<4>(self.layout, self.stride, i, k)] = number;
            }
            for (k, number) in omega.into_iter().enumerate() {
                self.angular_velocity[place::<3>(self.layout, self.stride, i, k)] = number;
            }
        }
    }
}

/// Where number `k` of body `i` is in a packed array of `K` for each.
pub(super) fn place<const K: usize>(layout: Layout, stride: usize, i: usize, k: usize) -> usize {
    match layout {
        Layout::Aos => K * i + k,
        Layout::Soa => k * stride + i,
    }
}

/// Torques as the caller gave them, packed.
#[derive(Clone, Copy)]
pub(super) struct Packed<'a> {
    pub(super) layout: Layout,
    pub(super) frame: Frame,
    pub(super) torque: &'a [f64],
    /// From column to column, where it is columns.
    pub(super) stride: usize,
}

impl Packed<'_> {
    /// Of the bodies at `i` and after it; 0 beyond the last.
    #[inline(always)]
    fn get<N: Lanes>(&self, i: usize, count: usize) -> Vec3<N> {
        let (torque, stride) = (self.torque, self.stride);
        if i + N::LANES > count {
            return load_vector(&self.get_some(i, count), 0, 0);
        }
        Vec3(match self.layout {
            Layout::Soa => load_columns(&torque[i..], stride),
            Layout::Aos => load_packed(&torque[3 * i..]),
        })
    }

    /// The same of the last few bodies.
    #[cold]
    #[inline(never)]
    fn get_some(&self, first: usize, count: usize) -> Block<3> {
        let mut block = Block::filled([0.0; 3]);
        for i in first..count {
            block.set(i - first, self.of(i));
        }
        block
    }

    /// Of one body.
    pub(super) fn of(&self, i: usize) -> [f64; 3] {
        [0, 1, 2].map(|k| self.torque[place::<3>(self.layout, self.stride, i, k)])
    }
}

/// What is known in world axes of the states of a chunk that are shown in them: the rotation matrix, by rows, and the angular
/// velocity.
pub(super) type Notes = Tile<12>;

#[inline(always)]
fn note<N: Number>(here: &Here<N>, notes: &mut Block<12>, lane: usize) {
    for (i, row) in here.to_world.rows().into_iter().enumerate() {
        store_vector(row, notes, 3 * i, lane);
    }
    store_vector(here.omega_world, notes, 9, lane);
}

/// A state with what was noted of it.
#[inline(always)]
fn noted<N: Number>(state: &State<N>, notes: &Block<12>, lane: usize) -> Here<N> {
    let rows = [load_vector(notes, 0, lane), load_vector(notes, 3, lane), load_vector(notes, 6, lane)];
    let to_world = RotationMatrix::from_rows(rows);
    Here { q: state.q, to_world, omega_body: state.omega_body, omega_world: load_vector(notes, 9, lane) }
}

/// Shows the states of a chunk.
pub(super) struct Present<'a> {
    pub(super) count: usize,
    pub(super) states: States<'a>,
    pub(super) frame: Frame,
    /// To be made of these states, where they are shown in world axes.
    pub(super) notes: Option<&'a mut Notes>,
    pub(super) shown: Shown<'a>,
    /// What the next chunk needs, to ask for it ahead.
    pub(super) soon: Option<&'a Soon<'a>>,
}

impl Job for Present<'_> {
    type Output = ();

    #[inline(always)]
    fn run<N: Lanes>(&mut self) {
        match self.frame {
            Frame::World => self.present::<N, true>(),
            Frame::Body => self.present::<N, false>(),
        }
    }
}

impl Present<'_> {
    #[inline(always)]
    fn present<N: Lanes, const WORLD: bool>(&mut self) {
        lanes!(self.count, N, b, lane, soon: self.soon, {
            let state = load::<N>(&self.states[b], lane);
            let omega = if WORLD {
                let here = Here::at(&state);
                if let Some(notes) = &mut self.notes {
                    note(&here, &mut notes[b], lane);
                }
                here.omega_world
            } else {
                state.omega_body
            };
            self.shown.put::<N>(b * MOST_LANES + lane, self.count, state.q, omega);
        });
    }
}

/// Takes the torque that was asked at stage `i`, and goes on to the next.
pub(super) struct Absorb<'a, M> {
    pub(super) i: usize,
    pub(super) count: usize,
    pub(super) bodies: &'a Bodies<'a>,
    pub(super) start: States<'a>,
    /// The states of stage `i` (of the start itself for stage 0, whatever is here), replaced by those of the next.
    pub(super) stage: StatesMut<'a>,
    pub(super) torque: Packed<'a>,
    /// Of stage `i`, where it was shown in world axes; without them they are found again.
    pub(super) notes: Option<&'a Notes>,
    /// What the next chunk needs, to ask for it ahead.
    pub(super) soon: Option<&'a Soon<'a>>,
    pub(super) inertias: &'a Inertias,
    /// Start of the step.
    pub(super) time: f64,
    pub(super) h: f64,
    pub(super) method: PhantomData<M>,
}

impl<M: Method> Job for Absorb<'_, M> {
    type Output = Result<(), Setback>;

    #[inline(always)]
    fn run<N: Lanes>(&mut self) -> Self::Output {
        with_inertias!(self, N)
    }
}

impl<M: Method> Absorb<'_, M> {
    #[inline(always)]
    fn with<N: Lanes, I: Inertial>(&mut self, inertias: I) -> Result<(), Setback> {
        match (self.i, self.torque.frame, self.notes.is_some()) {
            (0, Frame::World, true) => self.stage::<N, I, true, true, true>(&inertias),
            (0, Frame::World, false) => self.stage::<N, I, true, true, false>(&inertias),
            (0, Frame::Body, _) => self.stage::<N, I, true, false, false>(&inertias),
            (_, Frame::World, true) => self.stage::<N, I, false, true, true>(&inertias),
            (_, Frame::World, false) => self.stage::<N, I, false, true, false>(&inertias),
            (_, Frame::Body, _) => self.stage::<N, I, false, false, false>(&inertias),
        }
    }

    #[inline(always)]
    fn stage<N, I, const FIRST: bool, const WORLD: bool, const NOTED: bool>(
        &mut self,
        inertias: &I,
    ) -> Result<(), Setback>
    where
        N: Lanes,
        I: Inertial,
    {
        // known when this is compiled, where there are two
        let i = if FIRST { 0 } else { self.i.clamp(1, M::TORQUE_AT.len() - 1) };
        let mut flaws = N::splat(0.0);
        lanes!(self.count, N, b, lane, soon: self.soon, {
            // first, or all that is loaded before is set aside while the last few are seen to
            let torque = self.torque.get::<N>(b * MOST_LANES + lane, self.count);
            let start = load::<N>(&self.start[b], lane);
            let state = if FIRST { start } else { load::<N>(&self.stage[b], lane) };
            let here = match self.notes {
                Some(notes) if NOTED => noted(&state, &notes[b], lane),
                _ => Here::at(&state),
            };
            let inertia = inertias.at(self.bodies, b * MOST_LANES + lane);
            let torque_body = if WORLD { here.to_world.rotate_back(torque) } else { torque };
            let step = Step { h: self.h, omega_start: start.omega_body, inertia: &inertia };
            let next = method::next_state::<M, N>(i, &start, &step, &here, Some(torque_body));
            store(&next, &mut self.stage[b], lane);
            flaws = flaws + flaw(&next);
        });
        if is_flawed(flaws)
            && let Some(k) = first_flawed(self.stage, self.count)
        {
            let (body, torque) = (self.bodies.at(k), self.torque.of(k));
            let error = if torque.iter().all(|t| t.is_finite()) {
                Error::OverflowAt { body, time: self.time }
            } else {
                Error::TorqueNotFiniteAt { body, time: self.time + M::TORQUE_AT[self.i] * self.h, torque }
            };
            return Err(Setback { step: 0, body, error });
        }
        Ok(())
    }
}

/// What the caller's array of angular velocities holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    OmegaWorld,
    OmegaBody,
    AngularMomentumWorld,
    AngularMomentumBody,
}

/// Turns what the caller's arrays hold into what the integrator takes: the angular velocity in the body frame. Gives the first
/// position whose orientation is too far from unit length, which a caller may have written since the last step.
pub(super) struct FromKind<'a> {
    pub(super) count: usize,
    pub(super) bodies: &'a Bodies<'a>,
    pub(super) from: States<'a>,
    pub(super) to: StatesMut<'a>,
    pub(super) inertias: &'a Inertias,
    pub(super) kind: Kind,
}

impl Job for FromKind<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<N: Lanes>(&mut self) -> Option<usize> {
        let (world, momentum) = self.kind.is_world_and_momentum();
        let mut wrong = false;
        lanes!(self.count, N, b, lane, {
            let mut state = load::<N>(&self.from[b], lane);
            let deviation = deviation(state.q);
            if deviation.any_above(LEFT_BY_STEPS) {
                // what a caller has written is normalised, as by `rotation::checked`
                let length = state.q.norm_squared().sqrt();
                state.q = Quat(state.q.0.map(|c| deviation.if_at_most(LEFT_BY_STEPS, c, c / length)));
                wrong |= deviation.any_above(MOST_DEVIATION);
            }
            if world {
                state.omega_body = state.q.to_body(state.omega_body);
            }
            if momentum {
                let inertia = self.inertias.of(self.bodies, b * MOST_LANES + lane);
                state.omega_body = inertia.angular_velocity(state.omega_body);
            }
            // −0 becomes +0, which a body at rest keeps to the last bit
            state.omega_body = state.omega_body + Vec3::splat(0.0);
            store(&state, &mut self.to[b], lane);
        });
        let is_wrong = |i: &usize| deviation(Quat(quaternion_at(self.from, *i))) > MOST_DEVIATION;
        if wrong { (0..self.count).find(is_wrong) } else { None }
    }
}

/// `(|q|² − 1)²`, and the most that an orientation within 1e-3 of unit length has.
#[inline(always)]
fn deviation<N: Number>(q: Quat<N>) -> N {
    let excess = q.norm_squared() - N::splat(1.0);
    excess * excess
}
const MOST_DEVIATION: f64 = (1.001 * 1.001 - 1.0) * (1.001 * 1.001 - 1.0);
/// The same of what steps leave, which is left as it is: they keep `|q|² − 1` within 20 ε; here it is 512 ε.
const LEFT_BY_STEPS: f64 = 512.0 * f64::EPSILON * 512.0 * f64::EPSILON;

fn quaternion_at(states: States, i: usize) -> [f64; 4] {
    let [w, x, y, z, ..] = super::blocks::get(states, i);
    [w, x, y, z]
}

/// And back, in place. Gives the first position whose numbers overflow.
pub(super) struct ToKind<'a> {
    pub(super) count: usize,
    pub(super) bodies: &'a Bodies<'a>,
    pub(super) states: StatesMut<'a>,
    pub(super) inertias: &'a Inertias,
    pub(super) kind: Kind,
}

impl Job for ToKind<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<N: Lanes>(&mut self) -> Option<usize> {
        let (world, momentum) = self.kind.is_world_and_momentum();
        let mut flaws = N::splat(0.0);
        lanes!(self.count, N, b, lane, {
            let mut state = load::<N>(&self.states[b], lane);
            if momentum {
                let inertia = self.inertias.of(self.bodies, b * MOST_LANES + lane);
                state.omega_body = inertia.angular_momentum(state.omega_body);
            }
            if world {
                state.omega_body = state.q.to_world(state.omega_body);
            }
            let [x, y, z] = state.omega_body.0;
            flaws = flaws + (x + y + z) * N::splat(0.0);
            store(&state, &mut self.states[b], lane);
        });
        let overflows = |i: &usize| super::blocks::get(self.states, *i).iter().any(|number| !number.is_finite());
        if is_flawed(flaws) { (0..self.count).find(overflows) } else { None }
    }
}

impl Kind {
    #[inline(always)]
    fn is_world_and_momentum(self) -> (bool, bool) {
        let world = matches!(self, Kind::OmegaWorld | Kind::AngularMomentumWorld);
        (world, matches!(self, Kind::AngularMomentumWorld | Kind::AngularMomentumBody))
    }
}
