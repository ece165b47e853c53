//! The work on one chunk of bodies, small enough to stay in the first-level cache. Each piece is a [`Job`], compiled for every
//! instruction set, and each loops over blocks of lanes.

use super::parameters::{Bodies, Inertial, Inertias, SharedAligned};
use super::torque::*;
use crate::clock::Clock;
use crate::error::Error;
use crate::kernel::{Number, Quat, Vec3};
use crate::method::{self, Here, Method, State, Step};
use crate::simd::Job;
use std::marker::PhantomData;

/// Bodies in a chunk: with its states before and after, and a callback's arrays, 30 KB.
pub(crate) const CHUNK: usize = 128;

/// `w, x, y, z, ω₁, ω₂, ω₃`, a column each: the states of consecutive positions of a chunk, padded to whole blocks.
pub(super) type States<'a> = [&'a [f64]; 7];
/// The same, to write.
pub(super) type StatesMut<'a> = [&'a mut [f64]; 7];
/// A chunk's states in a place of their own.
pub(super) type Tile = [[f64; CHUNK]; 7];

pub(super) fn tile_mut(tile: &mut Tile) -> StatesMut<'_> {
    tile.each_mut().map(|column| &mut column[..])
}

pub(super) fn shared<'a>(states: &'a StatesMut<'_>) -> States<'a> {
    std::array::from_fn(|c| &*states[c])
}

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
fn load<N: Number>(from: States, i: usize) -> State<N> {
    let [w, x, y, z, a, b, c] = from;
    State {
        q: Quat([N::load(&w[i..]), N::load(&x[i..]), N::load(&y[i..]), N::load(&z[i..])]),
        omega_body: Vec3([N::load(&a[i..]), N::load(&b[i..]), N::load(&c[i..])]),
    }
}

#[inline(always)]
fn store<N: Number>(state: &State<N>, to: &mut StatesMut, i: usize) {
    let ([w, x, y, z], [a, b, c]) = (state.q.0, state.omega_body.0);
    let [to_w, to_x, to_y, to_z, to_a, to_b, to_c] = to;
    w.store(&mut to_w[i..]);
    x.store(&mut to_x[i..]);
    y.store(&mut to_y[i..]);
    z.store(&mut to_z[i..]);
    a.store(&mut to_a[i..]);
    b.store(&mut to_b[i..]);
    c.store(&mut to_c[i..]);
}

/// Zero where a state is finite, NaN where not: the criterion of a single body, `w + |ω|²`.
#[inline(always)]
fn flaw<N: Number>(state: &State<N>) -> N {
    (state.q.0[0] + state.omega_body.dot(state.omega_body)) * N::splat(0.0)
}

#[inline(always)]
fn is_flawed<N: Number>(flaw: N) -> bool {
    flaw.if_at_most(0.0, N::splat(-1.0), N::splat(1.0)).any_above(0.0)
}

/// The first position whose state is not finite.
#[cold]
fn first_flawed(states: States, count: usize) -> Option<usize> {
    (0..count).find(|&i| flaw(&load::<f64>(states, i)) != 0.0)
}

/// Runs `$block` with `$i` at each block of `$count` positions; the last one may reach into the padding.
macro_rules! blocks {
    ($count:expr, $n:ident, $i:ident, $block:expr) => {
        let mut $i = 0;
        while $i < $count {
            $block;
            $i += $n::LANES;
        }
    };
}

/// Steps under a ready-made torque.
pub(super) struct Steps<'a, 'b, M> {
    pub(super) count: usize,
    pub(super) bodies: Bodies<'a>,
    pub(super) start: States<'a>,
    pub(super) end: &'a mut StatesMut<'b>,
    pub(super) inertias: &'a Inertias,
    pub(super) torque: &'a ReadyMade,
    pub(super) clock: Clock,
    pub(super) h: f64,
    pub(super) steps: u64,
    pub(super) method: PhantomData<M>,
}

impl<M: Method> Job for Steps<'_, '_, M> {
    type Output = Result<(), Setback>;

    #[inline(always)]
    fn run<N: Number>(self) -> Self::Output {
        match self.inertias {
            Inertias::Shared(inertia) if inertia.principal().principal_to_body.is_none() => {
                self.with::<N, _>(SharedAligned(inertia.principal()))
            }
            inertias => self.with::<N, _>(inertias),
        }
    }
}

impl<M: Method> Steps<'_, '_, M> {
    #[inline(always)]
    fn with<N: Number, I: Inertial>(self, inertias: I) -> Result<(), Setback> {
        match self.torque {
            ReadyMade::Free => self.under::<N, _, _>(inertias, FreeSource(PhantomData)),
            ReadyMade::ConstantWorld(torque) => {
                self.under::<N, _, _>(inertias, ConstantWorldSource(torque, PhantomData))
            }
            ReadyMade::ConstantBody(torque) => self.under::<N, _, _>(inertias, ConstantBodySource(torque, PhantomData)),
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
    fn under<N: Number, I: Inertial, S: Source>(mut self, inertias: I, source: S) -> Result<(), Setback> {
        let start = self.start;
        self.step::<N, I, S>(0, Some(start), &inertias, &source)?;
        for step in 1..self.steps {
            self.step::<N, I, S>(step, None, &inertias, &source)?;
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
        blocks!(self.count, N, i, flaws = flaws + self.block::<N, I, S>(from, inertias, source, i));
        let time = self.clock.now();
        if is_flawed(flaws)
            && let Some(i) = first_flawed(shared(self.end), self.count)
        {
            let body = self.bodies.at(i);
            return Err(Setback { step, body, error: Error::OverflowAt { body, time } });
        }
        self.clock.advance(self.h);
        Ok(())
    }

    #[inline(always)]
    fn block<N: Number, I: Inertial, S: Source>(
        &mut self,
        from: Option<States>,
        inertias: &I,
        source: &S,
        i: usize,
    ) -> N {
        let state = match from {
            Some(states) => load::<N>(states, i),
            None => load::<N>(shared(self.end), i),
        };
        let inertia = inertias.at(self.bodies, i);
        let mut torque = source.at(self.bodies, i);
        // no ready-made torque looks at the time
        let Ok(end) = method::step::<M, N, _>(&state, &inertia, 0.0, self.h, &mut torque);
        store(&end, self.end, i);
        flaw(&end)
    }
}

/// What a callback, or the caller of the stage protocol, is shown of a chunk: packed orientations and angular velocities.
pub(super) struct Present<'a> {
    pub(super) count: usize,
    pub(super) states: States<'a>,
    pub(super) layout: Layout,
    pub(super) frame: Frame,
    pub(super) orientation: &'a mut [f64],
    pub(super) angular_velocity: &'a mut [f64],
}

impl Job for Present<'_> {
    type Output = ();

    #[inline(always)]
    fn run<N: Number>(self) {
        let [w, x, y, z, a, b, c] = self.states;
        pack([w, x, y, z], self.layout, self.count, self.orientation);
        if self.frame == Frame::Body {
            return pack([a, b, c], self.layout, self.count, self.angular_velocity);
        }
        let mut omega = [[0.0; CHUNK]; 3];
        blocks!(self.count, N, i, omega_world::<N>(self.states, &mut omega, i));
        let [a, b, c] = &omega;
        pack([a, b, c], self.layout, self.count, self.angular_velocity);
    }
}

#[inline(always)]
fn omega_world<N: Number>(states: States, to: &mut [[f64; CHUNK]; 3], i: usize) {
    let [a, b, c] = Here::at(&load::<N>(states, i)).omega_world().0;
    a.store(&mut to[0][i..]);
    b.store(&mut to[1][i..]);
    c.store(&mut to[2][i..]);
}

#[inline(always)]
fn pack<const K: usize>(columns: [&[f64]; K], layout: Layout, count: usize, to: &mut [f64]) {
    match layout {
        Layout::Soa => {
            for k in 0..K {
                to[k * count..(k + 1) * count].copy_from_slice(&columns[k][..count]);
            }
        }
        Layout::Aos => {
            let columns: [&[f64]; K] = std::array::from_fn(|k| &columns[k][..count]);
            for (i, row) in to[..K * count].chunks_exact_mut(K).enumerate() {
                for k in 0..K {
                    row[k] = columns[k][i];
                }
            }
        }
    }
}

/// The torque of a chunk, back in columns.
#[inline(always)]
pub(super) fn unpack(packed: &[f64], layout: Layout, count: usize, to: &mut [[f64; CHUNK]; 3]) {
    for (k, column) in to.iter_mut().enumerate() {
        match layout {
            Layout::Soa => column[..count].copy_from_slice(&packed[k * count..(k + 1) * count]),
            Layout::Aos => {
                for (number, row) in column[..count].iter_mut().zip(packed.chunks_exact(3)) {
                    *number = row[k];
                }
            }
        }
    }
}

/// Takes the torque that was asked at stage `i`, and goes on to the next.
pub(super) struct Absorb<'a, 'b, M> {
    pub(super) i: usize,
    pub(super) count: usize,
    pub(super) bodies: Bodies<'a>,
    pub(super) start: States<'a>,
    /// The states of stage `i` (of the start itself for stage 0, whatever is here), replaced by those of the next.
    pub(super) stage: &'a mut StatesMut<'b>,
    pub(super) torque: &'a [[f64; CHUNK]; 3],
    pub(super) frame: Frame,
    pub(super) inertias: &'a Inertias,
    /// Start of the step.
    pub(super) time: f64,
    pub(super) h: f64,
    pub(super) method: PhantomData<M>,
}

impl<M: Method> Job for Absorb<'_, '_, M> {
    type Output = Result<(), Setback>;

    #[inline(always)]
    fn run<N: Number>(self) -> Self::Output {
        match self.inertias {
            Inertias::Shared(inertia) if inertia.principal().principal_to_body.is_none() => {
                self.with::<N, _>(SharedAligned(inertia.principal()))
            }
            inertias => self.with::<N, _>(inertias),
        }
    }
}

impl<M: Method> Absorb<'_, '_, M> {
    #[inline(always)]
    fn with<N: Number, I: Inertial>(mut self, inertias: I) -> Result<(), Setback> {
        match (self.i, self.frame) {
            (0, Frame::World) => self.stage::<N, I, true, true>(&inertias),
            (0, Frame::Body) => self.stage::<N, I, true, false>(&inertias),
            (_, Frame::World) => self.stage::<N, I, false, true>(&inertias),
            (_, Frame::Body) => self.stage::<N, I, false, false>(&inertias),
        }
    }

    #[inline(always)]
    fn stage<N: Number, I: Inertial, const FIRST: bool, const WORLD: bool>(
        &mut self,
        inertias: &I,
    ) -> Result<(), Setback> {
        let mut flaws = N::splat(0.0);
        blocks!(self.count, N, k, flaws = flaws + self.block::<N, I, FIRST, WORLD>(inertias, k));
        if is_flawed(flaws)
            && let Some(k) = first_flawed(shared(self.stage), self.count)
        {
            let body = self.bodies.at(k);
            let torque = [0, 1, 2].map(|c| self.torque[c][k]);
            let error = if torque.iter().all(|t| t.is_finite()) {
                Error::OverflowAt { body, time: self.time }
            } else {
                Error::TorqueNotFiniteAt { body, time: self.time + M::TORQUE_AT[self.i] * self.h, torque }
            };
            return Err(Setback { step: 0, body, error });
        }
        Ok(())
    }

    #[inline(always)]
    fn block<N: Number, I: Inertial, const FIRST: bool, const WORLD: bool>(&mut self, inertias: &I, k: usize) -> N {
        let start = load::<N>(self.start, k);
        let here = Here::at(&if FIRST { start } else { load::<N>(shared(self.stage), k) });
        let inertia = inertias.at(self.bodies, k);
        let [t1, t2, t3] = self.torque;
        let torque = Vec3([N::load(&t1[k..]), N::load(&t2[k..]), N::load(&t3[k..])]);
        let torque_body = if WORLD { here.to_world.rotate_back(torque) } else { torque };
        let step = Step { h: self.h, omega_start: start.omega_body, inertia: &inertia };
        let i = if FIRST { 0 } else { self.i.max(1) };
        let next = method::next_state::<M, N>(i, &start, &step, &here, torque_body);
        store(&next, self.stage, k);
        flaw(&next)
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

/// Turns what the caller's array holds into the angular velocity in the body frame, or back.
pub(super) struct Convert<'a, 'b> {
    pub(super) count: usize,
    pub(super) bodies: Bodies<'a>,
    pub(super) states: &'a mut StatesMut<'b>,
    pub(super) inertias: &'a Inertias,
    pub(super) kind: Kind,
    pub(super) back: bool,
}

impl Job for Convert<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<N: Number>(mut self) {
        if self.kind != Kind::OmegaBody {
            blocks!(self.count, N, i, self.block::<N>(i));
        }
    }
}

impl Convert<'_, '_> {
    #[inline(always)]
    fn block<N: Number>(&mut self, i: usize) {
        let mut state = load::<N>(shared(self.states), i);
        let inertia = self.inertias.of(self.bodies, i);
        let world = matches!(self.kind, Kind::OmegaWorld | Kind::AngularMomentumWorld);
        let momentum = matches!(self.kind, Kind::AngularMomentumWorld | Kind::AngularMomentumBody);
        if self.back {
            if momentum {
                state.omega_body = inertia.angular_momentum(state.omega_body);
            }
            if world {
                state.omega_body = state.q.to_world(state.omega_body);
            }
        } else {
            if world {
                state.omega_body = state.q.to_body(state.omega_body);
            }
            if momentum {
                state.omega_body = inertia.angular_velocity(state.omega_body);
            }
        }
        store(&state, self.states, i);
    }
}
