//! Integration methods, one file each, and the one way to take a step with any of them.
//!
//! A method is a sequence of *stages*: for each it is given the torque where the previous stage ended and says where the
//! next one is. [`step`] runs that sequence around a torque that is at hand; an ensemble runs the same stages around
//! callbacks and around the stage protocol. So a method is written once.

mod pcdm;

pub use pcdm::Pcdm;

use crate::kernel::{Number, PrincipalInertia, Quat, Vec3};
use crate::torque::Torque;

/// Orientation and angular velocity, in the body frame: what the integrators keep between steps.
///
/// Kept in the body frame because there a free symmetric body's spin is constant, and no rounding enters by turning it to
/// the world and back each step (NUMERICS: at t = 100 that costs two digits).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State<N> {
    /// Body to world.
    pub q: Quat<N>,
    /// rad/s, body frame.
    pub omega_body: Vec3<N>,
}

/// Where a stage stands, seen from the start of the step: `q = q₀ ⊗ rotation`.
///
/// Relative to q₀ because the methods need `R(q₀)ᵀ R(q)`, which is `R(rotation)`; and where no torque asks for `q` itself,
/// it need not be computed.
#[derive(Clone, Copy, Debug)]
pub struct Stage<N> {
    /// Turned since the start of the step.
    pub rotation: Quat<N>,
    /// rad/s, in the body frame of this stage.
    pub omega_body: Vec3<N>,
}

/// What is fixed over a step.
pub struct Step<'a, N> {
    /// Length of the step.
    pub h: f64,
    /// Angular velocity at its start, body frame.
    pub omega_start: Vec3<N>,
    /// The body's inertia.
    pub inertia: &'a PrincipalInertia<N>,
}

/// An explicit one-step method.
pub trait Method: 'static {
    /// As the literature calls it.
    const NAME: &'static str;

    /// The error over a fixed time shrinks like `h` to this power.
    const ORDER: u32;

    /// Where in the step the torque is asked, in units of h: one entry, one call of [`Method::stage`]. The first is 0, at
    /// the start itself.
    const TORQUE_AT: &'static [f64];

    /// Takes the torque at `here`, in the body frame of `here`, and gives the next stage; the last one given ends the step.
    fn stage<N: Number>(i: usize, step: &Step<N>, here: &Stage<N>, torque_body: Vec3<N>) -> Stage<N>;
}

impl<N: Number> Stage<N> {
    /// The start of a step: nothing has turned yet.
    #[inline(always)]
    pub fn at_start(start: &State<N>) -> Self {
        Stage { rotation: Quat::identity(), omega_body: start.omega_body }
    }
}

impl<N: Number> State<N> {
    /// The state a stage stands for; `self` is the start of the step.
    #[inline(always)]
    pub fn at_stage(&self, stage: &Stage<N>) -> Self {
        State { q: self.q * stage.rotation, omega_body: stage.omega_body }
    }

    /// The state in which the last stage ends the step; `self` is its start.
    #[inline(always)]
    pub fn at_end(&self, last: &Stage<N>) -> Self {
        State { q: (self.q * last.rotation).renormalised(), omega_body: last.omega_body }
    }
}

/// One step of length `h` from `start` at `time`.
#[inline(always)]
pub fn step<M: Method, N: Number, T: Torque<N> + ?Sized>(
    start: &State<N>,
    inertia: &PrincipalInertia<N>,
    time: f64,
    h: f64,
    torque: &mut T,
) -> Result<State<N>, T::Error> {
    let step = Step { h, omega_start: start.omega_body, inertia };
    let mut stage = Stage::at_start(start);
    for (i, c) in M::TORQUE_AT.iter().enumerate() {
        let here = if i == 0 { *start } else { start.at_stage(&stage) };
        let torque_body = torque.torque_body(time + c * h, &here, inertia)?;
        stage = M::stage(i, &step, &stage, torque_body);
    }
    Ok(start.at_end(&stage))
}
