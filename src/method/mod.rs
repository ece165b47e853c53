//! Integration methods, one file each, and the functions that take a step with any of them.
//!
//! A method is a sequence of *stages*. Each stage gets the torque and returns the rotation to the
//! next stage, and the angular velocity there. This module composes the rotations. [`step`] runs
//! all stages of a step. [`Scheme::next_state`] runs one, for torques that come from outside the
//! loop. Users choose a [`Method`] at run time; the table in `facts` has every fact of each. Loops
//! are compiled for a [`Scheme`].

mod brownian;
mod cf4;
mod composition;
mod damped;
mod damping;
mod langevin;
mod pcdm;
mod splitting;

// what is decided before the steps, on the CPU
#[cfg(not(target_arch = "nvptx64"))]
mod facts;
#[cfg(not(target_arch = "nvptx64"))]
mod modes;
#[cfg(not(target_arch = "nvptx64"))]
mod rotor;

pub use brownian::{Brownian, diffusion};
pub use cf4::Cf4;
pub use composition::Composition;
#[cfg(target_arch = "nvptx64")]
pub(crate) use composition::{BLANES_MOAN_4, BLANES_MOAN_6, FORCE_GRADIENT, STRANG};
#[cfg(target_arch = "nvptx64")]
pub use damped::ShortDampedSplitting;
pub(crate) use damped::kicked_with_drag;
pub use damped::{DampedPcdm, DampedSplitting};
pub use damping::Damping;
#[cfg(not(target_arch = "nvptx64"))]
pub use facts::Method;
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) use facts::{FORWARDS, MOST_SAVED, Plan, SchemeKind};
pub(crate) use langevin::MODE_NUMBERS;
#[cfg(target_arch = "nvptx64")]
pub use langevin::ShortBaoab;
pub use langevin::{Baoab, Bath, Modes, Response, relaxation};
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) use modes::check_diffusion;
pub use pcdm::Pcdm;
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) use rotor::drifted_with_rotors;
#[cfg(target_arch = "nvptx64")]
pub use splitting::ShortSplitting;
pub use splitting::{AnySplitting, ForceGradient, Splitting, Strang};

use crate::kernel::{
    FreeRotation, Number, PrincipalInertia, Quat, Range, Rotor, Saved, State, TorqueState, Vec3,
};
use crate::kernel::{cos_sinc, exp_of_half, half_angle};
use crate::torque::Torque;

/// Constants of a step.
pub struct Step<'a, N> {
    /// The time step.
    pub h: f64,
    /// Angular velocity at the start of the step, body frame.
    pub omega_start_body: Vec3<N>,
    /// The body's inertia.
    pub inertia: &'a PrincipalInertia<N>,
    /// Whether there is a torque.
    pub acts: bool,
    /// The damping by the resistance, for the schemes that take it implicitly.
    pub damping: Damping<N>,
    /// The rotors in the body, for the methods that rotate the body freely; `None`: no rotors.
    pub rotor: Option<&'a Rotor<N>>,
    /// The inertias at the start and at the end, for [`DampedSplitting`]; `None`: as in between.
    pub inertia_at_ends: Option<[&'a PrincipalInertia<N>; 2]>,
    /// The parts of the step, for [`AnySplitting`].
    pub composition: &'static Composition,
    /// Drag and noise, for [`Baoab`] and [`Brownian`].
    pub bath: Option<Bath<N>>,
}

impl<'a, N: Number> Step<'a, N> {
    /// A step of length `h` under a torque that does not resist the rotation.
    #[inline(always)]
    pub(crate) fn new(h: f64, omega_start_body: Vec3<N>, inertia: &'a PrincipalInertia<N>) -> Self {
        Step {
            h,
            omega_start_body,
            inertia,
            acts: true,
            damping: Damping::none(),
            rotor: None,
            inertia_at_ends: None,
            composition: &composition::STRANG,
            bath: None,
        }
    }
}

/// The rotation from the start of a step, with orientation `q₀`, or from stage `i`, with `qᵢ`, to
/// the next stage.
pub enum Turn<N> {
    /// By a constant angular velocity ω (rad/s) in the body axes of the start, for a duration t:
    /// `q₀ ⊗ exp(t ω)`.
    AtStart(Vec3<N>, f64),
    /// By the angular velocity of stage `i`, for a duration t: `exp(t R(qᵢ) ωᵢ) ⊗ q₀`.
    AtStage(f64),
    /// By a rotation in the body axes of the start, `q₀ ⊗ r`.
    Relative(Quat<N>),
    /// By a free rotation in the body axes of stage `i`, `qᵢ ⊗ r / |qᵢ ⊗ r|`. Only for methods that
    /// keep the last torque.
    Free(FreeRotation<N>),
    /// By two free rotations, one after the other, with the sum of their motions.
    Twice([Quat<N>; 2], N),
    /// No rotation: `qᵢ`. Only for methods that keep the last torque.
    Stay,
}

/// The result of a stage: the rotation to the next one, and the angular velocity there, in its body
/// frame.
pub type ToNext<N> = (Turn<N>, Vec3<N>);

/// What acts on a body, as far as it decides how a method takes its steps.
#[cfg(not(target_arch = "nvptx64"))]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WhatActs {
    /// Whether the torque, or a drag besides it, is known to resist the rotation.
    pub(crate) resists: bool,
    /// Whether there is a drag besides the torque.
    pub(crate) has_drag: bool,
    pub(crate) has_rotors: bool,
    /// Whether there are random torques, with their own drag.
    pub(crate) is_random: bool,
    /// Whether the inertia is a function of the time.
    pub(crate) inertia_changes: bool,
}

/// What has changed since the last step. A method forgets what it has kept: the last torque, which
/// costs one evaluation, after any change.
#[cfg(not(target_arch = "nvptx64"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// What acts, or the clock. The rate of change that steps with implicit drag keep stays, so
    /// that a program that tells a new torque or flow before each step has order 2.
    Forces,
    /// States, inertias, the population or the method: the rate is forgotten, too.
    Motion,
}

#[cfg(not(target_arch = "nvptx64"))]
impl Change {
    /// What a change of what acts forgets: all, if steps keep no rate and rows have none.
    pub(crate) fn of_forces(steps_keep_rate: bool) -> Self {
        if steps_keep_rate {
            Change::Forces
        } else {
            Change::Motion
        }
    }
}

/// What a method keeps from step to step, if it keeps the last torque.
#[derive(Clone, Copy, Debug)]
pub struct Kept<N> {
    /// Whether the torque is known. If not, a step asks for it.
    pub is_known: bool,
    /// What the scheme saves. What is not known is 0.
    pub saved: Saved<N>,
}

impl<N: Number> Kept<N> {
    /// Nothing is known.
    #[inline(always)]
    pub fn nothing() -> Self {
        Kept {
            is_known: false,
            saved: [Vec3::splat(0.0); 2],
        }
    }
}

/// A method as loops are compiled for it: an explicit one-step method, as a sequence of stages.
pub trait Scheme: Send + Sync + 'static {
    /// The time of each stage's torque, in units of `h`. The first is 0.
    const TORQUE_AT: &'static [f64];

    /// Whether the saved values are kept from step to step, because they contain the last torque.
    /// Stage 0 then gets no torque.
    const KEEPS_TORQUE: bool = false;

    /// Whether the scheme takes the resistance implicitly.
    const IS_DAMPED: bool = false;

    /// Whether the first stage takes drag and noise.
    const TAKES_NOISE: bool = false;

    /// Whether rotors turn the body in its free rotations. Otherwise they are a part of the torque.
    const TAKES_ROTORS: bool = false;

    /// Whether bodies have inertia: not in Brownian motion.
    const HAS_INERTIA: bool = true;

    /// Whether the states are NaN where a free rotation is not short, as a GPU has them.
    const ROTATES_SHORT_ONLY: bool = false;

    /// How many vectors are saved between stages; with [`Scheme::KEEPS_TORQUE`], also from step to
    /// step.
    const SAVED: usize = 0;

    /// [`Scheme::TORQUE_AT`], for schemes whose times depend on the step.
    #[inline(always)]
    fn torque_at<N: Number>(_step: &Step<N>) -> &'static [f64] {
        Self::TORQUE_AT
    }

    /// The saved values before a step whose first torque has been asked for: that torque, in the
    /// body frame, unless the scheme keeps other values. `before` are those that it kept before.
    /// Only with [`Scheme::KEEPS_TORQUE`].
    #[inline(always)]
    fn initial_saved<N: Number>(
        _step: &Step<N>,
        torque_body: Option<Vec3<N>>,
        _before: Saved<N>,
    ) -> Saved<N> {
        [torque_body.unwrap_or(Vec3::splat(0.0)), Vec3::splat(0.0)]
    }

    /// Takes the angular velocity and the torque (`None`: no torque) at stage `i`, in the body
    /// frame of that stage. Returns the rotation and angular velocity of the next stage or, from
    /// the last stage, of the end of the step.
    fn stage<N: Number>(
        i: usize,
        step: &Step<N>,
        omega_body: Vec3<N>,
        torque_body: Option<Vec3<N>>,
        saved: &mut Saved<N>,
    ) -> ToNext<N>;

    /// The state of stage `i + 1`, or of the end of the step, for any torque.
    #[inline(always)]
    fn next_state<N: Number>(
        i: usize,
        start: &State<N>,
        step: &Step<N>,
        here: &TorqueState<N>,
        torque_body: Option<Vec3<N>>,
        saved: &mut Saved<N>,
    ) -> State<N>
    where
        Self: Sized,
    {
        let (turn, omega_body) = Self::stage(i, step, here.omega_body, torque_body, saved);
        State {
            q: orientation_after(&turn, start, here, range_after::<Self>(i)),
            omega_body,
        }
    }
}

/// The orientation after a rotation. q₀ is renormalised before every stage. Otherwise an error in
/// |q| changes the computed rotation; beyond a quarter turn per step this error doubles in each
/// step.
#[inline(always)]
fn orientation_after<N: Number>(
    turn: &Turn<N>,
    start: &State<N>,
    here: &TorqueState<N>,
    range: Range,
) -> Quat<N> {
    match turn {
        Turn::AtStage(duration) => {
            // the angle is the same in both frames, so its cosine need not wait for the angular
            // velocity in the world
            let (_, y) = half_angle(here.omega_body, *duration);
            let (cos, sinc) = cos_sinc(y, range);
            let rotation =
                Quat::from_parts(cos, here.omega_world * (sinc * N::splat(0.5 * duration)));
            rotation * renormalised_unless_still(start.q, y)
        }
        Turn::Free(FreeRotation {
            rotation, motion, ..
        }) => here.q.turned_freely(*rotation, *motion),
        Turn::Twice([first, last], motion) => {
            let q = (here.q * *first) * *last;
            q.scaled(motion.if_at_most(
                0.0,
                N::splat(0.25),
                N::splat(1.0) / q.norm_squared().sqrt(),
            ))
        }
        Turn::Stay => here.q,
        _ => {
            let (rotation, y) = rotation_of(turn, Quat::identity(), here.omega_body, range);
            renormalised_unless_still(start.q, y) * rotation
        }
    }
}

/// Takes one step from `start`, which is at `time`. The last product renormalises `q`, so `|q|`
/// stays within a few ulp of 1. `kept` holds the saved values of a method that keeps the last
/// torque, in and out; if the torque is not known on entry, that at the start is asked for.
#[inline(always)]
pub fn step<S: Scheme, N: Number, T: Torque<N> + ?Sized>(
    start: &State<N>,
    step: &Step<N>,
    time: f64,
    torque: &mut T,
    kept: &mut Kept<N>,
) -> Result<State<N>, T::Error> {
    if torque.asks_orientation() || S::KEEPS_TORQUE {
        step_by_orientations::<S, N, T>(start, step, time, torque, kept)
    } else {
        step_in_axes_of_start::<S, N, T>(start, step, time, torque)
    }
}

/// A step that computes the orientation at each stage.
#[inline(always)]
fn step_by_orientations<S: Scheme, N: Number, T: Torque<N> + ?Sized>(
    start: &State<N>,
    step: &Step<N>,
    time: f64,
    torque: &mut T,
    kept: &mut Kept<N>,
) -> Result<State<N>, T::Error> {
    let torque_at = S::torque_at(step);
    let last = torque_at.len() - 1;
    let mut here = TorqueState::at(start);
    let mut torque_body = None;
    let mut saved = kept.saved;
    if !(S::KEEPS_TORQUE && kept.is_known) {
        torque_body = torque.torque_if_any(time, &here, step.inertia)?;
        saved = S::initial_saved(step, torque_body, kept.saved);
    }

    for (i, c) in (1..).zip(&torque_at[1..]) {
        let next = S::next_state(i - 1, start, step, &here, torque_body, &mut saved);
        here = TorqueState::at(&next);
        torque_body = torque.torque_if_any(time + c * step.h, &here, step.inertia)?;
    }

    let end = S::next_state(last, start, step, &here, torque_body, &mut saved);
    if S::KEEPS_TORQUE {
        *kept = Kept {
            is_known: true,
            saved,
        };
    }
    Ok(end)
}

/// A step under a torque that ignores the orientation, by a method that keeps no torque. The
/// rotations are composed in the body axes of the start, and the compiler drops the orientations of
/// the inner stages.
#[inline(always)]
fn step_in_axes_of_start<S: Scheme, N: Number, T: Torque<N> + ?Sized>(
    start: &State<N>,
    step: &Step<N>,
    time: f64,
    torque: &mut T,
) -> Result<State<N>, T::Error> {
    let torque_at = S::torque_at(step);
    let last = torque_at.len() - 1;
    let mut here = TorqueState::at(start);
    let mut torque_body = torque.torque_if_any(time, &here, step.inertia)?;
    let mut saved = [Vec3::splat(0.0); 2];
    let mut before = Quat::identity();

    for (i, c) in (1..).zip(&torque_at[1..]) {
        let (turn, omega_body) = S::stage(i - 1, step, here.omega_body, torque_body, &mut saved);
        (before, _) = rotation_of(&turn, before, here.omega_body, range_after::<S>(i - 1));
        here = TorqueState::at(&State {
            q: start.q * before,
            omega_body,
        });
        torque_body = torque.torque_if_any(time + c * step.h, &here, step.inertia)?;
    }

    let (turn, omega_body) = S::stage(last, step, here.omega_body, torque_body, &mut saved);
    let (rotation, y) = rotation_of(&turn, before, here.omega_body, range_after::<S>(last));
    Ok(State {
        q: renormalised_unless_still(start.q, y) * rotation,
        omega_body,
    })
}

/// The rotation in the axes of the start, and a number that is 0 for the identity. `before` leads
/// from the start to the stage.
#[inline(always)]
fn rotation_of<N: Number>(
    turn: &Turn<N>,
    before: Quat<N>,
    omega_stage_body: Vec3<N>,
    range: Range,
) -> (Quat<N>, N) {
    match *turn {
        Turn::AtStart(omega, duration) => {
            let (half, y) = half_angle(omega, duration);
            (exp_of_half(half, y, range), y)
        }
        Turn::AtStage(duration) => {
            let (half, y) = half_angle(omega_stage_body, duration);
            (exp_of_half(before.to_world(half), y, range), y)
        }
        Turn::Relative(rotation) => (rotation, rotation.vector().dot(rotation.vector())),
        Turn::Free(_) | Turn::Twice(..) | Turn::Stay => {
            unreachable!("composed from stage to stage")
        }
    }
}

/// `q_start` renormalised; unchanged if `y` is 0 (no rotation), so that a body at rest stays at
/// rest exactly.
#[inline(always)]
fn renormalised_unless_still<N: Number>(q_start: Quat<N>, y: N) -> Quat<N> {
    q_start.scaled(y.if_at_most(0.0, N::splat(1.0), q_start.towards_unit()))
}

/// The polynomial for the rotation after stage `i`, chosen by its fraction of the step.
#[inline(always)]
fn range_after<S: Scheme>(i: usize) -> Range {
    match S::TORQUE_AT.get(i + 1) {
        Some(next) if *next <= 0.5 => Range::Half,
        _ => Range::Whole,
    }
}
