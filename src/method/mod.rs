//! Integration methods, one file each, and the one way to take a step with any of them.
//!
//! A method is a sequence of *stages*: it is given the torque at one stage and says how the body turns from the start of the
//! step to the next. Composing the rotations is done here, for all methods; [`step`] runs the stages around a torque that is
//! at hand, an ensemble runs the same ones around callbacks and around the stage protocol. So a method is written once.

mod pcdm;

pub use pcdm::Pcdm;

use crate::kernel::{
    Number, PrincipalInertia, Quat, Range, RotationMatrix, Vec3, cos_sinc, exp_of_half_turn, half_turn,
};
use crate::torque::Torque;

/// Orientation and angular velocity, in the body frame: what the integrators keep between steps.
///
/// Kept in the body frame because there a free symmetric body's spin is constant, and no rounding enters by turning it to
/// the world and back each step (at t = 100 that costs two digits).
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))] // so that it is loaded as it was stored, and a load need not wait for two stores: 5 ns of a step
pub struct State<N> {
    /// Body to world.
    pub q: Quat<N>,
    /// rad/s, body frame.
    pub omega_body: Vec3<N>,
}

/// A state at which a torque is asked.
#[derive(Clone, Copy, Debug)]
pub struct Here<N> {
    /// Body to world.
    pub q: Quat<N>,
    /// The same as a matrix.
    pub to_world: RotationMatrix<N>,
    /// rad/s, body frame.
    pub omega_body: Vec3<N>,
    /// rad/s, world frame.
    pub omega_world: Vec3<N>,
}

/// What is fixed over a step.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a, N> {
    /// Its length.
    pub h: f64,
    /// Angular velocity at its start, body frame.
    pub omega_start: Vec3<N>,
    /// The body's inertia.
    pub inertia: &'a PrincipalInertia<N>,
}

/// How a body gets from the start of a step to the next stage.
#[derive(Clone, Copy, Debug)]
pub struct Turn<N> {
    /// It turns with this angular velocity, given in the body axes of the stage where the torque was asked (`None`: with the one
    /// it has there, which is known in world axes already), …
    pub spin: Option<Vec3<N>>,
    /// … for this long, …
    pub time: f64,
    /// … and then has this angular velocity, in its own axes.
    pub omega_body: Vec3<N>,
}

/// An explicit one-step method.
pub trait Method: Send + Sync + 'static {
    /// As the literature calls it.
    const NAME: &'static str;

    /// The error over a fixed time shrinks like `h` to this power.
    const ORDER: u32;

    /// Where in the step the torque is asked, in units of h: one entry, one call of [`Method::stage`]. The first is 0, at
    /// the start itself.
    const TORQUE_AT: &'static [f64];

    /// Takes the angular velocity at stage `i` and the torque, where there is one, both in the body frame there, and gives the
    /// way from the start of the step to the next stage; the last one given ends the step.
    fn stage<N: Number>(i: usize, step: &Step<N>, omega_body: Vec3<N>, torque_body: Option<Vec3<N>>) -> Turn<N>;
}

impl<N: Number> Here<N> {
    /// The state, ready to be asked a torque at.
    #[inline(always)]
    pub fn at(state: &State<N>) -> Self {
        let to_world = state.q.to_matrix();
        Here { q: state.q, to_world, omega_body: state.omega_body, omega_world: to_world.rotate(state.omega_body) }
    }
}

impl<N: Number> Turn<N> {
    /// Half its rotation vector, where the stage has this angular velocity, in the same axes; and the square of that.
    #[inline(always)]
    fn half(&self, omega_body: Vec3<N>) -> (Vec3<N>, N) {
        let spin = match self.spin {
            Some(spin) => spin,
            None => omega_body,
        };
        let half = half_turn(spin, self.time);
        (half, half.dot(half))
    }

    /// The state after the turn, where the torque was asked at the start itself: `q₀ ⊗ exp(t ω)`.
    #[inline(always)]
    pub fn from_start(&self, q_start: Quat<N>, here: &Here<N>, range: Range) -> State<N> {
        let (half, y) = self.half(here.omega_body);
        State { q: q_start * exp_of_half_turn(half, y, range), omega_body: self.omega_body }
    }

    /// The state after the turn, where the torque was asked `here`: `exp(t R(q) ω) ⊗ q₀`, in world axes as ZW13 has it.
    #[inline(always)]
    pub fn from_here(&self, q_start: Quat<N>, here: &Here<N>, range: Range) -> State<N> {
        let spin_world = match self.spin {
            Some(spin) => here.to_world.rotate(spin),
            None => here.omega_world,
        };
        // as long in these axes as in those, so the angle need not wait for it
        let (cos, sinc) = cos_sinc(self.half(here.omega_body).1, range);
        let rotation = Quat::from_parts(cos, spin_world * (sinc * N::splat(0.5 * self.time)));
        State { q: rotation * q_start, omega_body: self.omega_body }
    }

    /// The turn of stage `i` in the body axes of the start, `exp(t R(before) ω)`, where `before` is the turn from there to where
    /// the torque was asked: the orientation there is not needed.
    #[inline(always)]
    fn rotation_after(&self, i: usize, before: Quat<N>, omega_body: Vec3<N>, range: Range) -> Quat<N> {
        let (half, y) = self.half(omega_body);
        exp_of_half_turn(if i == 0 { half } else { before.to_world(half) }, y, range)
    }

    /// The start's orientation with what earlier steps left in its length mended; but, bit for bit, as it is where this
    /// turn turns nothing, so that a body at rest stays at rest exactly.
    #[inline(always)]
    pub fn mended(&self, q_start: Quat<N>, omega_body: Vec3<N>) -> Quat<N> {
        let (_, y) = self.half(omega_body);
        q_start.scaled(y.if_at_most(0.0, N::splat(1.0), q_start.towards_unit()))
    }
}

/// How far the turn that follows stage `i` goes, as part of a step's.
#[inline(always)]
fn range_after<M: Method>(i: usize) -> Range {
    match M::TORQUE_AT.get(i + 1) {
        Some(next) if *next <= 0.5 => Range::Half,
        _ => Range::Whole,
    }
}

/// The state of the stage after `i`, or the end of the step after the last one, where torques look at the orientation.
///
/// What [`step`] does between two torques, for those who go from stage to stage themselves.
#[inline(always)]
pub fn next_state<M: Method, N: Number>(
    i: usize,
    start: &State<N>,
    step: &Step<N>,
    here: &Here<N>,
    torque_body: Option<Vec3<N>>,
) -> State<N> {
    let turn = M::stage(i, step, here.omega_body, torque_body);
    // Mended before every stage: where a stage is not of unit length, neither is the turn that is given in its axes, and at more
    // than a quarter turn a step each step would double what the one before has left.
    let q_start = turn.mended(start.q, here.omega_body);
    let range = range_after::<M>(i);
    if i == 0 { turn.from_start(q_start, here, range) } else { turn.from_here(q_start, here, range) }
}

/// The torque, where there is one.
#[inline(always)]
fn asked<N: Number, T: Torque<N> + ?Sized>(
    torque: &mut T,
    time: f64,
    here: &Here<N>,
    inertia: &PrincipalInertia<N>,
) -> Result<Option<Vec3<N>>, T::Error> {
    if T::ACTS { torque.torque_body(time, here, inertia).map(Some) } else { Ok(None) }
}

/// One step of length `h` from `start` at `time`.
///
/// The length of `q` is mended at the start of each product: the correction comes from earlier steps and
/// need not wait, and this step's rounding is the next one's to mend. `|q|` stays within a few ulp of 1.
#[inline(always)]
pub fn step<M: Method, N: Number, T: Torque<N> + ?Sized>(
    start: &State<N>,
    inertia: &PrincipalInertia<N>,
    time: f64,
    h: f64,
    torque: &mut T,
) -> Result<State<N>, T::Error> {
    let step = Step { h, omega_start: start.omega_body, inertia };
    let last = M::TORQUE_AT.len() - 1;
    let mut here = Here::at(start);
    let mut torque_body = asked(torque, time, &here, inertia)?;
    let mut before = Quat::identity();

    for (i, c) in (1..).zip(&M::TORQUE_AT[1..]) {
        let next = if T::ASKS_ORIENTATION {
            next_state::<M, N>(i - 1, start, &step, &here, torque_body)
        } else {
            let turn = M::stage(i - 1, &step, here.omega_body, torque_body);
            before = turn.rotation_after(i - 1, before, here.omega_body, range_after::<M>(i - 1));
            State { q: start.q * before, omega_body: turn.omega_body }
        };
        here = Here::at(&next);
        torque_body = asked(torque, time + c * h, &here, inertia)?;
    }

    Ok(if T::ASKS_ORIENTATION {
        next_state::<M, N>(last, start, &step, &here, torque_body)
    } else {
        let turn = M::stage(last, &step, here.omega_body, torque_body);
        let rotation = turn.rotation_after(last, before, here.omega_body, range_after::<M>(last));
        State { q: turn.mended(start.q, here.omega_body) * rotation, omega_body: turn.omega_body }
    })
}
