//! The torque interface, and the ready-made torques: formulas over [`Number`], for one body and for
//! ensembles.

mod formulas;
#[cfg(not(target_arch = "nvptx64"))]
mod interface;
#[cfg(not(target_arch = "nvptx64"))]
mod list;
#[cfg(not(target_arch = "nvptx64"))]
mod own_numbers;
mod shear_flow;

pub use formulas::{
    ConstantBody, ConstantWorld, FluidDrag, GravityGradient, Langevin, LinearDrag, UniformField,
};
pub(crate) use formulas::{DragAndRotor, Gyroscopic, TopWeight, gravity_gradient, not_negative};
#[cfg(not(target_arch = "nvptx64"))]
pub use interface::{StageState, TorqueModel, TorqueResult, resistances};
#[cfg(not(target_arch = "nvptx64"))]
pub use list::ReadyMade;
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) use list::list_of_torques;
#[cfg(not(target_arch = "nvptx64"))]
pub use own_numbers::OwnNumbers;
pub use shear_flow::{LinearFlow, ShearFlow, carlson_rd};

use crate::kernel::{Number, PrincipalInertia, TorqueState, Vec3};
use std::convert::Infallible;

/// What acts on a body as its torque, evaluated once per stage: a ready-made torque of this module,
/// a [`Sum`] of two, a closure, or a type of your own with the trait [`TorqueModel`], which is the
/// one to implement.
///
/// A closure `|time, &orientation, &angular_velocity| -> torque` over
/// `f64, &UnitQuaternion<f64>, &Vector3<f64>` has both vectors in the **world** frame; it may also
/// return a `Result` with an error of its own
/// ([`Error::torque_error`](crate::Error::torque_error)).
// The methods are those of the kernel, over the lanes of a register: no part of the interface.
pub trait Torque<N: Number = f64> {
    /// The error of the torque. The step is then abandoned and the body unchanged.
    type Error;

    /// Whether there is a torque. If `false`, it is never evaluated and Euler's equation omits its
    /// term.
    #[doc(hidden)]
    const ACTS: bool = true;

    /// Whether the torque is one of this library's, which may see states that are not finite. Other
    /// torques are never called for such a state.
    #[doc(hidden)]
    const IS_READY_MADE: bool = false;

    /// The torque in the **body** frame, for the state `here` at the time `t`.
    #[doc(hidden)]
    fn torque_body(
        &mut self,
        t: f64,
        here: &TorqueState<N>,
        inertia: &PrincipalInertia<N>,
    ) -> Result<Vec3<N>, Self::Error>;

    /// The coefficients `cᵢ` of a part `−cᵢ ωᵢ` of the torque, in body axes; `None` if none is
    /// known.
    #[doc(hidden)]
    #[inline(always)]
    fn resistance(&self) -> Option<Vec3<N>> {
        None
    }

    /// Whether the torque is that of a whole fluid, with a part that acts on bodies at rest: beside
    /// random torques, which bring the drag of the fluid, that part is left.
    #[doc(hidden)]
    #[inline(always)]
    fn is_of_fluid(&self) -> bool {
        false
    }

    /// Whether the torque depends on the orientation. If not, the stages skip the orientation; the
    /// results differ by rounding.
    #[doc(hidden)]
    #[inline(always)]
    fn asks_orientation(&self) -> bool {
        true
    }

    /// The numbers that a row has of it: those of a [`ReadyMade`] torque.
    #[cfg(not(target_arch = "nvptx64"))]
    #[doc(hidden)]
    fn numbers(&self) -> OwnNumbers {
        OwnNumbers::none()
    }

    /// Replaces [`Torque::numbers`]. There must be as many.
    #[cfg(not(target_arch = "nvptx64"))]
    #[doc(hidden)]
    fn set_numbers(&mut self, _: &[f64]) {}

    /// The torque, if there is one.
    #[doc(hidden)]
    #[inline(always)]
    fn torque_if_any(
        &mut self,
        time: f64,
        here: &TorqueState<N>,
        inertia: &PrincipalInertia<N>,
    ) -> Result<Option<Vec3<N>>, Self::Error> {
        if Self::ACTS {
            self.torque_body(time, here, inertia).map(Some)
        } else {
            Ok(None)
        }
    }
}

/// A ready-made torque on each of many bodies: `K` numbers of each body, and numbers that all
/// share.
pub(crate) trait PerBody<const K: usize> {
    type Shared: Copy + Send + Sync;
    type At<N: Number>: Torque<N, Error = Infallible>;

    /// Whether the torque depends on the inertia.
    const ASKS_INERTIA: bool = false;

    /// Whether a part of the torque is known to resist the rotation.
    const RESISTS: bool = false;

    fn on<N: Number>(each: [N; K], shared: &Self::Shared) -> Self::At<N>;

    /// What [`PerBody::on`] has made the torque from.
    fn parts(&self) -> ([f64; K], Self::Shared);
}

/// Implements [`PerBody`]. It takes the number of numbers of each body, the type of the numbers
/// that all share, the facts that are true of the torque (`ASKS_INERTIA`, `RESISTS`), an expression
/// that makes the torque, and one that takes it apart again. It is a macro because it says in two
/// lines of each torque what would be sixteen.
macro_rules! on_each {
    (
        $name:ident, $k:literal, $shared:ty, $($fact:ident,)*
        |$each:pat_param, $all:pat_param| $make:expr,
        |$me:ident| $parts:expr $(,)?
    ) => {
        impl $crate::torque::PerBody<$k> for $name<f64> {
            type Shared = $shared;
            type At<N: Number> = $name<N>;
            $(const $fact: bool = true;)*

            #[inline(always)]
            fn on<N: Number>($each: [N; $k], $all: &$shared) -> $name<N> {
                $make
            }

            fn parts(&self) -> ([f64; $k], $shared) {
                let $me = self;
                $parts
            }
        }
    };
}
use on_each;

/// The frame of a vector's components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// World axes.
    World,
    /// Each body's own axes.
    Body,
}

/// No torque: free rotation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Free;

impl<N: Number> Torque<N> for Free {
    type Error = Infallible;
    const ACTS: bool = false;

    #[inline(always)]
    fn torque_body(
        &mut self,
        _: f64,
        _: &TorqueState<N>,
        _: &PrincipalInertia<N>,
    ) -> Result<Vec3<N>, Infallible> {
        Ok(Vec3::splat(0.0))
    }

    #[inline(always)]
    fn asks_orientation(&self) -> bool {
        false
    }
}

/// One of two torques, chosen at run time.
#[derive(Clone, Copy, Debug)]
pub enum Either<A, B> {
    /// The first.
    A(A),
    /// The second.
    B(B),
}

impl<N: Number, A: Torque<N>, B: Torque<N, Error = A::Error>> Torque<N> for Either<A, B> {
    type Error = A::Error;
    const IS_READY_MADE: bool = A::IS_READY_MADE && B::IS_READY_MADE;

    #[inline(always)]
    fn torque_body(
        &mut self,
        time: f64,
        here: &TorqueState<N>,
        inertia: &PrincipalInertia<N>,
    ) -> Result<Vec3<N>, A::Error> {
        match self {
            Either::A(torque) => torque.torque_body(time, here, inertia),
            Either::B(torque) => torque.torque_body(time, here, inertia),
        }
    }

    #[inline(always)]
    fn resistance(&self) -> Option<Vec3<N>> {
        match self {
            Either::A(torque) => torque.resistance(),
            Either::B(torque) => torque.resistance(),
        }
    }

    #[inline(always)]
    fn is_of_fluid(&self) -> bool {
        match self {
            Either::A(torque) => torque.is_of_fluid(),
            Either::B(torque) => torque.is_of_fluid(),
        }
    }

    #[inline(always)]
    fn asks_orientation(&self) -> bool {
        match self {
            Either::A(torque) => torque.asks_orientation(),
            Either::B(torque) => torque.asks_orientation(),
        }
    }
}

/// The sum of two torques.
#[derive(Clone, Copy, Debug)]
pub struct Sum<A, B>(pub A, pub B);

impl<N: Number, A: Torque<N>, B: Torque<N, Error = A::Error>> Torque<N> for Sum<A, B> {
    type Error = A::Error;
    const ACTS: bool = A::ACTS || B::ACTS;
    const IS_READY_MADE: bool = A::IS_READY_MADE && B::IS_READY_MADE;

    #[inline(always)]
    fn torque_body(
        &mut self,
        time: f64,
        here: &TorqueState<N>,
        inertia: &PrincipalInertia<N>,
    ) -> Result<Vec3<N>, A::Error> {
        Ok(self.0.torque_body(time, here, inertia)? + self.1.torque_body(time, here, inertia)?)
    }

    #[inline(always)]
    fn resistance(&self) -> Option<Vec3<N>> {
        match (self.0.resistance(), self.1.resistance()) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        }
    }

    #[inline(always)]
    fn is_of_fluid(&self) -> bool {
        self.0.is_of_fluid() && self.1.is_of_fluid()
    }

    #[inline(always)]
    fn asks_orientation(&self) -> bool {
        self.0.asks_orientation() || self.1.asks_orientation()
    }
}

/// Implements [`Torque`] for a ready-made torque by a formula of the torque, the state and the
/// inertia, in the body frame. It is a macro because it says in one line of each torque what would
/// be twenty.
macro_rules! ready_made {
    (
        $name:ident, asks_orientation: $asks:literal,
        |$me:ident, $here:pat_param, $inertia:pat_param| $body:expr
        $(, resistance: $coefficients:ident)? $(, of_fluid: $of_fluid:literal)?
    ) => {
        impl<N: Number> $crate::torque::Torque<N> for $name<N> {
            type Error = Infallible;
            const IS_READY_MADE: bool = true;

            #[inline(always)]
            fn asks_orientation(&self) -> bool {
                $asks
            }

            #[inline(always)]
            fn torque_body(
                &mut self, _: f64, $here: &TorqueState<N>, $inertia: &PrincipalInertia<N>,
            ) -> Result<Vec3<N>, Infallible> {
                let $me = &*self;
                Ok($body)
            }

            $(#[inline(always)]
            fn resistance(&self) -> Option<Vec3<N>> {
                Some(self.$coefficients)
            })?

            $(#[inline(always)]
            fn is_of_fluid(&self) -> bool {
                $of_fluid
            })?
        }
    };
}
use ready_made;
