//! Integration methods, one file each, and the one way to take a step with any of them.
//!
//! A method is a sequence of *stages*. At each stage it is given the torque; it answers how the body turns from the start of the
//! step to the next stage, and what its angular velocity is there. This module composes the rotations, for all methods:
//! [`step`] runs the stages where the torque can be asked at once, [`next_state`] goes on by one stage where it cannot (an
//! ensemble's callbacks, the stage protocol). So each method is written once.
//!
//! Users choose a [`Method`] when the program runs. Its [`Scheme`] is what the loops are compiled for.

mod cf4;
mod pcdm;

pub use cf4::Cf4;
pub use pcdm::Pcdm;

use crate::kernel::{
    Columns, Here, Number, PrincipalInertia, Quat, Range, State, Vec3, cos_sinc, exp_of_half_turn, half_turn,
};
use crate::torque::Torque;

/// The integration methods there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Order 2, two torques a step: Zhao and van Wachem's predictor-corrector direct multiplication.
    #[default]
    Pcdm,
    /// Order 4, four torques a step: the commutator-free Runge-Kutta method of Celledoni, Marthinsen and Owren.
    Cf4,
}

impl Method {
    /// As the literature calls it.
    pub fn name(self) -> &'static str {
        self.with(Facts).0
    }

    /// The error over a fixed time shrinks like the step size to this power.
    pub fn order(self) -> u32 {
        self.with(Facts).1
    }

    /// The times in a step at which the torque is asked, in units of the step size.
    pub fn torque_at(self) -> &'static [f64] {
        self.with(Facts).2
    }

    /// How many numbers its stages remember of a body.
    pub(crate) fn memory(self) -> usize {
        self.with(Facts).3
    }

    /// Does some work with the scheme of this method.
    #[inline(always)]
    pub(crate) fn with<W: WithScheme>(self, work: W) -> W::Output {
        match self {
            Method::Pcdm => work.with::<Pcdm>(),
            Method::Cf4 => work.with::<Cf4>(),
        }
    }
}

/// Work that is compiled for each method.
pub(crate) trait WithScheme {
    type Output;

    fn with<S: Scheme>(self) -> Self::Output;
}

/// Name, order, where the torque is asked, numbers remembered.
struct Facts;

impl WithScheme for Facts {
    type Output = (&'static str, u32, &'static [f64], usize);

    fn with<S: Scheme>(self) -> Self::Output {
        (S::NAME, S::ORDER, S::TORQUE_AT, <S::Memory<f64> as Columns<f64>>::COUNT)
    }
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

/// How a body turns from the start of a step, with orientation `q₀`, to the next stage.
#[derive(Clone, Copy, Debug)]
pub enum Turn<N> {
    /// With a constant angular velocity in the body axes of the start, `q₀ ⊗ exp(t ω)`.
    AtStart {
        /// rad/s, body axes of the start.
        omega: Vec3<N>,
        /// For how long.
        time: f64,
    },
    /// With the angular velocity that the body has at the stage of the torque, `exp(t R(qᵢ) ωᵢ) ⊗ q₀`.
    AtStage {
        /// For how long.
        time: f64,
    },
    /// By a rotation in the body axes of the start, `q₀ ⊗ r`.
    Relative(Quat<N>),
}

/// The way to the next stage.
#[derive(Clone, Copy, Debug)]
pub struct Move<N> {
    /// The turn from the start of the step.
    pub turn: Turn<N>,
    /// The angular velocity there, in the body axes there.
    pub omega_body: Vec3<N>,
}

/// An explicit one-step method, written as its stages. The methods of this crate are all there are.
pub trait Scheme: sealed::Sealed + Send + Sync + 'static {
    /// As the literature calls it.
    const NAME: &'static str;

    /// The error over a fixed time shrinks like `h` to this power.
    const ORDER: u32;

    /// Where in the step the torque is asked, in units of `h`: one entry for each call of [`Scheme::stage`]. The first is 0,
    /// at the start itself.
    const TORQUE_AT: &'static [f64];

    /// Whether ensembles have loops of their own for the torques used most, compiled for this method alone.
    const IS_SPECIALISED: bool = false;

    /// What the stages remember of a body.
    type Memory<N: Number>: Columns<N>;

    /// Takes the angular velocity and the torque at stage `i`, both in the body frame there (`None`: no torque acts), and gives
    /// the way to the next stage. The way that the last stage gives ends the step.
    fn stage<N: Number>(
        i: usize,
        step: &Step<N>,
        omega_body: Vec3<N>,
        torque_body: Option<Vec3<N>>,
        memory: &mut Self::Memory<N>,
    ) -> Move<N>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Pcdm {}
    impl Sealed for super::Cf4 {}
}

/// The state of the stage after `i` (after the last: the end of the step), where the torque may depend on the orientation.
#[inline(always)]
pub fn next_state<S: Scheme, N: Number>(
    i: usize,
    start: &State<N>,
    step: &Step<N>,
    here: &Here<N>,
    torque_body: Option<Vec3<N>>,
    memory: &mut S::Memory<N>,
) -> State<N> {
    let Move { turn, omega_body } = S::stage(i, step, here.omega_body, torque_body, memory);
    let range = range_after::<S>(i);
    // The length of q₀ is mended before every stage: a stage that is not of unit length would pass its error on to the turn in
    // its axes, and beyond a quarter turn a step each step would double what the one before it left.
    let q = match turn {
        Turn::AtStart { omega, time } => {
            let (half, y) = half_angle(omega, time);
            mended(start.q, y) * exp_of_half_turn(half, y, range)
        }
        Turn::AtStage { time } => {
            // the angle is the same in both frames, so its cosine need not wait for the angular velocity in the world
            let (_, y) = half_angle(here.omega_body, time);
            let (cos, sinc) = cos_sinc(y, range);
            let rotation = Quat::from_parts(cos, here.omega_world * (sinc * N::splat(0.5 * time)));
            rotation * mended(start.q, y)
        }
        Turn::Relative(rotation) => mended(start.q, squared_sine(rotation)) * rotation,
    };
    State { q, omega_body }
}

/// One step of length `h` from `start` at `time`.
///
/// Where the torque does not look at the orientation, no stage needs its own; the rotations are then composed in the body axes
/// of the start. The length of `q` is mended at the start of each product: `|q|` stays within a few ulp of 1.
#[inline(always)]
pub fn step<S: Scheme, N: Number, T: Torque<N> + ?Sized>(
    start: &State<N>,
    inertia: &PrincipalInertia<N>,
    time: f64,
    h: f64,
    torque: &mut T,
) -> Result<State<N>, T::Error> {
    let step = Step { h, omega_start: start.omega_body, inertia };
    let last = S::TORQUE_AT.len() - 1;
    let mut memory = S::Memory::<N>::empty();
    let mut here = Here::at(start);
    let mut torque_body = asked(torque, time, &here, inertia)?;
    let mut before = Quat::identity();

    for (i, c) in (1..).zip(&S::TORQUE_AT[1..]) {
        let next = if T::ASKS_ORIENTATION {
            next_state::<S, N>(i - 1, start, &step, &here, torque_body, &mut memory)
        } else {
            let Move { turn, omega_body } = S::stage(i - 1, &step, here.omega_body, torque_body, &mut memory);
            (before, _) = rotation_of(&turn, before, here.omega_body, range_after::<S>(i - 1));
            State { q: start.q * before, omega_body }
        };
        here = Here::at(&next);
        torque_body = asked(torque, time + c * h, &here, inertia)?;
    }

    Ok(if T::ASKS_ORIENTATION {
        next_state::<S, N>(last, start, &step, &here, torque_body, &mut memory)
    } else {
        let Move { turn, omega_body } = S::stage(last, &step, here.omega_body, torque_body, &mut memory);
        let (rotation, y) = rotation_of(&turn, before, here.omega_body, range_after::<S>(last));
        State { q: mended(start.q, y) * rotation, omega_body }
    })
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

/// The turn as a rotation in the body axes of the start, and a number that is 0 where it turns nothing. `before` leads from the
/// start to the stage whose angular velocity is given.
#[inline(always)]
fn rotation_of<N: Number>(turn: &Turn<N>, before: Quat<N>, omega_stage: Vec3<N>, range: Range) -> (Quat<N>, N) {
    match *turn {
        Turn::AtStart { omega, time } => {
            let (half, y) = half_angle(omega, time);
            (exp_of_half_turn(half, y, range), y)
        }
        Turn::AtStage { time } => {
            let (half, y) = half_angle(omega_stage, time);
            (exp_of_half_turn(before.to_world(half), y, range), y)
        }
        Turn::Relative(rotation) => (rotation, squared_sine(rotation)),
    }
}

/// Half the rotation vector of a turn, and its square.
#[inline(always)]
fn half_angle<N: Number>(omega: Vec3<N>, time: f64) -> (Vec3<N>, N) {
    let half = half_turn(omega, time);
    (half, half.dot(half))
}

#[inline(always)]
fn squared_sine<N: Number>(rotation: Quat<N>) -> N {
    rotation.vector().dot(rotation.vector())
}

/// The start's orientation after a Newton step towards unit length; but bit for bit as it is where `y`, the squared half-angle
/// of the turn, is 0, so that a body at rest stays at rest exactly.
#[inline(always)]
fn mended<N: Number>(q_start: Quat<N>, y: N) -> Quat<N> {
    q_start.scaled(y.if_at_most(0.0, N::splat(1.0), q_start.towards_unit()))
}

/// How far the turn after stage `i` goes, as a part of the step's: it decides which polynomial serves.
#[inline(always)]
fn range_after<S: Scheme>(i: usize) -> Range {
    match S::TORQUE_AT.get(i + 1) {
        Some(next) if *next <= 0.5 => Range::Half,
        _ => Range::Whole,
    }
}
