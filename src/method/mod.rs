//! Integration methods, one file each, and the functions that take a step with any of them.
//!
//! A method is a sequence of *stages*. Each stage gets the torque and returns the rotation to the next stage, and the angular
//! velocity there. This module composes the rotations. [`step`] runs all stages of a step.
//! [`next_state`] runs one, for torques that come from outside the loop: an ensemble's callbacks and the stage protocol. Users
//! choose a [`Method`] at run time; loops are compiled for its [`Scheme`].

mod cf4;
mod choice;
mod damped;
mod force_gradient;
mod pcdm;
mod splitting;

pub use cf4::Cf4;
pub(crate) use choice::Choice;
pub use damped::{DampedPcdm, DampedSplitting};
pub use force_gradient::ForceGradient;
pub use pcdm::Pcdm;
pub use splitting::Splitting;

use crate::kernel::{
    FreeRotation, Here, Number, PrincipalInertia, Quat, Range, SavedNumbers, State, Vec3, cos_sinc, exp_of_half,
    free_gyrostat, free_rotation, half_rotation_vector,
};
use crate::step_size::Bounds;
use crate::torque::{FluidDrag, Torque};

/// The integration methods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Order 2, two torques per step: predictor-corrector direct multiplication (Zhao and van Wachem).
    #[default]
    Pcdm,
    /// Order 2, one torque per step: half a kick, exact free rotation, half a kick (Strang). Time-reversible, so the energy stays
    /// bounded; angular momentum changes by the torque alone.
    Splitting,
    /// Order 4, six torques per step: kicks and exact free rotations (Blanes and Moan). For torques that do not depend on the angular
    /// velocity.
    Splitting4,
    /// Order 4, four torques per step: commutator-free Runge-Kutta method (Celledoni, Marthinsen and Owren).
    Cf4,
    /// Order 6, eleven torques per step: otherwise as [`Method::Splitting4`].
    Splitting6,
    /// Order 4, three torques per step: kicks, one with the gradient of the torque, and two exact free rotations (Chin; Omelyan). For
    /// torques that do not depend on the angular velocity.
    ForceGradient,
}

impl Method {
    /// The name used in the literature.
    pub fn name(self) -> &'static str {
        self.with(Facts).0
    }

    /// The global error is proportional to the time step to this power.
    pub fn order(self) -> u32 {
        self.with(Facts).1
    }

    /// The times of the torque evaluations within a step, in units of the time step. A method that keeps the last torque asks for
    /// the first of these only where it has none, as in the first step.
    pub fn torque_at(self) -> &'static [f64] {
        self.with(Facts).2
    }

    /// Whether the last torque of a step serves as the first of the next.
    pub fn keeps_torque(self) -> bool {
        self.with(Facts).4
    }

    /// Whether the order holds for torques that depend on the angular velocity.
    pub fn allows_resistance(self) -> bool {
        !matches!(self, Method::Splitting4 | Method::Splitting6 | Method::ForceGradient)
    }

    /// How large a step may be.
    pub fn bounds(self) -> &'static Bounds {
        const ANY: f64 = f64::INFINITY;
        match self {
            Method::Pcdm => &Bounds { method: Pcdm::NAME, turn: 0.2, drag: 2.0, swing: 0.0 },
            Method::Splitting => &Bounds { method: Splitting::<2>::NAME, turn: ANY, drag: 1.0, swing: 4.0 },
            Method::Splitting4 => &Bounds { method: Splitting::<4>::NAME, turn: ANY, drag: 9.4, swing: 25.0 },
            Method::Splitting6 => &Bounds { method: Splitting::<6>::NAME, turn: ANY, drag: 15.0, swing: 82.0 },
            Method::ForceGradient => &Bounds { method: ForceGradient::NAME, turn: ANY, drag: 4.5, swing: 12.0 },
            Method::Cf4 => &Bounds { method: Cf4::NAME, turn: 1.0, drag: 2.8, swing: 8.0 },
        }
    }

    fn with<W: WithScheme>(self, work: W) -> W::Output {
        Choice { method: self, resists: false }.with(work)
    }
}

/// Code that is compiled for each scheme.
pub(crate) trait WithScheme {
    type Output;

    fn with<S: Scheme>(self) -> Self::Output;
}

/// Name, order, `torque_at`, numbers saved, whether the last torque is kept.
struct Facts;

impl WithScheme for Facts {
    type Output = (&'static str, u32, &'static [f64], usize, bool);

    fn with<S: Scheme>(self) -> Self::Output {
        (S::NAME, S::ORDER, S::TORQUE_AT, <S::Saved<f64> as SavedNumbers<f64>>::COUNT, S::KEEPS_TORQUE)
    }
}

/// Constants of a step.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a, N> {
    /// The time step.
    pub h: f64,
    /// Angular velocity at the start of the step, body frame.
    pub omega_start_body: Vec3<N>,
    /// The body's inertia.
    pub inertia: &'a PrincipalInertia<N>,
    /// Whether there is a torque.
    pub acts: bool,
    /// The coefficients of the resistance about the principal axes, for the schemes that take it implicitly.
    pub resistance: Vec3<N>,
    /// The angular momentum of rotors in the body, body frame, for the methods that rotate the body freely; `None`: no rotors.
    pub rotor: Option<Vec3<N>>,
}

impl<N: Number> Step<'_, N> {
    /// The free rotation of the body, with or without rotors; `to_order_2`: rotors to order 2 are enough.
    #[inline(always)]
    fn free_rotation(&self, omega_body: Vec3<N>, duration: f64, to_order_2: bool) -> FreeRotation<N> {
        match self.rotor {
            None => free_rotation(self.inertia, omega_body, duration),
            Some(rotor) => free_gyrostat(self.inertia, rotor, omega_body, duration, to_order_2),
        }
    }
}

/// The rotation from the start of a step, with orientation `q₀`, or from stage `i`, with `qᵢ`, to the next stage.
#[derive(Clone, Copy, Debug)]
pub enum Turn<N> {
    /// By a constant angular velocity in the body axes of the start: `q₀ ⊗ exp(t ω)`.
    AtStart {
        /// rad/s, body axes of the start.
        omega: Vec3<N>,
        /// Duration.
        duration: f64,
    },
    /// By the angular velocity of stage `i`: `exp(t R(qᵢ) ωᵢ) ⊗ q₀`.
    AtStage {
        /// Duration.
        duration: f64,
    },
    /// By a rotation in the body axes of the start, `q₀ ⊗ r`.
    Relative(Quat<N>),
    /// By a free rotation in the body axes of stage `i`, `qᵢ ⊗ r / |qᵢ ⊗ r|`. Only for methods that keep the last torque.
    Free(FreeRotation<N>),
    /// None: `qᵢ`. Only for methods that keep the last torque.
    Stay,
}

/// The result of a stage.
#[derive(Clone, Copy, Debug)]
pub struct Move<N> {
    /// The rotation to the next stage.
    pub turn: Turn<N>,
    /// The angular velocity at the next stage, in the body frame there.
    pub omega_body: Vec3<N>,
}

/// An explicit one-step method, as a sequence of stages. The trait is sealed.
pub trait Scheme: sealed::Sealed + Send + Sync + 'static {
    /// The name used in the literature.
    const NAME: &'static str;

    /// The global error is proportional to `h` to this power.
    const ORDER: u32;

    /// The time of each stage's torque, in units of `h`. The first is 0.
    const TORQUE_AT: &'static [f64];

    /// Whether ensembles have separate loops for this method, for the common torques.
    const IS_SPECIALISED: bool = false;

    /// Whether ensembles have separate loops for this method, for the uniform field.
    const HAS_FIELD_LOOPS: bool = Self::IS_SPECIALISED;

    /// Whether ensembles have separate loops for this method, for torques from the caller.
    const HAS_CALLER_LOOPS: bool = Self::IS_SPECIALISED;

    /// Whether the saved values are kept from step to step, because they contain the last torque. Stage 0 then gets no torque.
    const KEEPS_TORQUE: bool = false;

    /// Whether the scheme takes the resistance implicitly.
    const IS_DAMPED: bool = false;

    /// Whether there may be a drag besides the torque.
    const TAKES_DRAG: bool = Self::IS_DAMPED;

    /// The values saved between stages; with [`Scheme::KEEPS_TORQUE`], also from step to step.
    type Saved<N: Number>: SavedNumbers<N>;

    /// The saved values before a step, from the torque at its start. Only with [`Scheme::KEEPS_TORQUE`].
    #[inline(always)]
    fn opened<N: Number>(_step: &Step<N>, _torque_body: Option<Vec3<N>>) -> Self::Saved<N> {
        Self::Saved::<N>::empty()
    }

    /// Takes the angular velocity and the torque (`None`: no torque) at stage `i`, in the body frame of that stage. Returns the
    /// rotation and angular velocity of the next stage or, from the last stage, of the end of the step.
    fn stage<N: Number>(
        i: usize,
        step: &Step<N>,
        omega_body: Vec3<N>,
        torque_body: Option<Vec3<N>>,
        saved: &mut Self::Saved<N>,
    ) -> Move<N>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Pcdm {}
    impl Sealed for super::Cf4 {}
    impl<const ORDER: u32> Sealed for super::Splitting<ORDER> {}
    impl Sealed for super::ForceGradient {}
    impl Sealed for super::DampedPcdm {}
    impl Sealed for super::DampedSplitting {}
}

/// The change of angular velocity in a kick by a torque, with the drag of its duration: it relaxes toward the fluid's rotation.
#[inline(always)]
pub(crate) fn kicked_with_drag<N: Number>(
    inertia: &PrincipalInertia<N>,
    state: &State<N>,
    drag: &FluidDrag<N>,
    torque_body: Vec3<N>,
    duration: f64,
) -> Vec3<N> {
    let resistance = inertia.resistance_bound(drag.coefficients);
    let step = Step { h: duration, omega_start_body: state.omega_body, inertia, acts: true, resistance, rotor: None };
    let slip = drag.coefficients.times(state.q.to_body(drag.flow) - state.omega_body);
    damped::relaxed(&step, torque_body + slip)
}

/// The state of stage `i + 1`, or of the end of the step, for any torque.
#[inline(always)]
pub fn next_state<S: Scheme, N: Number>(
    i: usize,
    start: &State<N>,
    step: &Step<N>,
    here: &Here<N>,
    torque_body: Option<Vec3<N>>,
    saved: &mut S::Saved<N>,
) -> State<N> {
    let Move { turn, omega_body } = S::stage(i, step, here.omega_body, torque_body, saved);
    let range = range_after::<S>(i);
    // q₀ is renormalised before every stage. Otherwise an error in |q| changes the computed rotation; beyond a quarter turn per
    // step this error doubles in each step.
    let q = match turn {
        Turn::AtStage { duration } => {
            // the angle is the same in both frames, so its cosine need not wait for the angular velocity in the world
            let (_, y) = half_angle(here.omega_body, duration);
            let (cos, sinc) = cos_sinc(y, range);
            let rotation = Quat::from_parts(cos, here.omega_world * (sinc * N::splat(0.5 * duration)));
            rotation * renormalised_unless_still(start.q, y)
        }
        Turn::Free(FreeRotation { rotation, motion, .. }) => here.q.turned_freely(rotation, motion),
        Turn::Stay => here.q,
        turn => {
            let (rotation, y) = rotation_of(&turn, Quat::identity(), here.omega_body, range);
            renormalised_unless_still(start.q, y) * rotation
        }
    };
    State { q, omega_body }
}

/// Takes one step of length `h`, from `start` at `time`.
/// If the torque ignores the orientation, the rotations are composed in the body axes of the start, and the compiler drops the
/// orientations of the inner stages. The last product renormalises `q`, so `|q|` stays within a few ulp of 1. `kept`: for a method
/// that keeps the last torque, its saved values, in and out; `None` on entry: asks for the torque at the start.
#[inline(always)]
pub fn step<S: Scheme, N: Number, T: Torque<N> + ?Sized>(
    start: &State<N>,
    inertia: &PrincipalInertia<N>,
    time: f64,
    h: f64,
    torque: &mut T,
    kept: &mut Option<S::Saved<N>>,
) -> Result<State<N>, T::Error> {
    let resistance = match torque.resistance() {
        Some(coefficients) if S::IS_DAMPED => inertia.resistance_bound(coefficients),
        _ => Vec3::splat(0.0),
    };
    let step =
        Step { h, omega_start_body: start.omega_body, inertia, acts: T::ACTS, resistance, rotor: torque.rotor() };
    let last = S::TORQUE_AT.len() - 1;
    let asks_orientation = T::ASKS_ORIENTATION || S::KEEPS_TORQUE;
    let mut here = Here::at(start);
    let (mut torque_body, mut saved) = match kept {
        Some(kept) if S::KEEPS_TORQUE => (None, *kept),
        _ => {
            let torque_body = torque.torque_if_any(time, &here, inertia)?;
            (torque_body, S::opened(&step, torque_body))
        }
    };
    let mut before = Quat::identity();

    for (i, c) in (1..).zip(&S::TORQUE_AT[1..]) {
        let next = if asks_orientation {
            next_state::<S, N>(i - 1, start, &step, &here, torque_body, &mut saved)
        } else {
            let Move { turn, omega_body } = S::stage(i - 1, &step, here.omega_body, torque_body, &mut saved);
            (before, _) = rotation_of(&turn, before, here.omega_body, range_after::<S>(i - 1));
            State { q: start.q * before, omega_body }
        };
        here = Here::at(&next);
        torque_body = torque.torque_if_any(time + c * h, &here, inertia)?;
    }

    Ok(if asks_orientation {
        let end = next_state::<S, N>(last, start, &step, &here, torque_body, &mut saved);
        if S::KEEPS_TORQUE {
            *kept = Some(saved);
        }
        end
    } else {
        let Move { turn, omega_body } = S::stage(last, &step, here.omega_body, torque_body, &mut saved);
        let (rotation, y) = rotation_of(&turn, before, here.omega_body, range_after::<S>(last));
        State { q: renormalised_unless_still(start.q, y) * rotation, omega_body }
    })
}

/// The rotation in the axes of the start, and a number that is 0 for the identity. `before` leads from the start to the stage.
#[inline(always)]
fn rotation_of<N: Number>(turn: &Turn<N>, before: Quat<N>, omega_stage_body: Vec3<N>, range: Range) -> (Quat<N>, N) {
    match *turn {
        Turn::AtStart { omega, duration } => {
            let (half, y) = half_angle(omega, duration);
            (exp_of_half(half, y, range), y)
        }
        Turn::AtStage { duration } => {
            let (half, y) = half_angle(omega_stage_body, duration);
            (exp_of_half(before.to_world(half), y, range), y)
        }
        Turn::Relative(rotation) => (rotation, squared_sine(rotation)),
        Turn::Free(_) | Turn::Stay => unreachable!("composed from stage to stage"),
    }
}

/// Half the rotation vector, and its square.
#[inline(always)]
fn half_angle<N: Number>(omega: Vec3<N>, duration: f64) -> (Vec3<N>, N) {
    let half = half_rotation_vector(omega, duration);
    (half, half.dot(half))
}

#[inline(always)]
fn squared_sine<N: Number>(rotation: Quat<N>) -> N {
    rotation.vector().dot(rotation.vector())
}

/// `q_start` renormalised; unchanged if `y` is 0 (no rotation), so that a body at rest stays at rest exactly.
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
