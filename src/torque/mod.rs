//! What turns the body: the torque interface, and one file for each torque that needs no callback.
//!
//! A ready-made torque is a formula over [`Number`], so one body and the lanes of an ensemble share it.

mod constant;
mod gravity_gradient;
mod linear_drag;
mod shear_flow;
mod uniform_field;

pub use constant::{ConstantBody, ConstantWorld};
pub use gravity_gradient::GravityGradient;
pub use linear_drag::LinearDrag;
pub use shear_flow::{LinearFlow, ShearFlow, carlson_rd, resistances};
pub use uniform_field::UniformField;
pub(crate) use uniform_field::{TopWeight, VerticalField};

use crate::kernel::{Here, Number, PrincipalInertia, Vec3};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use std::convert::Infallible;

/// A torque on a body, asked once for every stage of a step.
///
/// It may depend on time, orientation and angular velocity. A closure
/// `|time, &orientation, &angular_velocity| -> torque` over `f64, &UnitQuaternion<f64>, &Vector3<f64>` is a torque, with both
/// vectors in the **world** frame; so are the ready-made torques of this module. Implement the trait to work in the body
/// frame, to fail, or to serve blocks of lanes.
pub trait Torque<N: Number = f64> {
    /// Why no torque could be given. The step is then abandoned and the body stays as it was.
    type Error;

    /// Whether there is a torque at all. Where there is none, it is never asked, and Euler's equation does without its term.
    const ACTS: bool = true;

    /// Whether the torque depends on the orientation. Where it does not, a step composes its rotations in body axes and never
    /// computes the orientation in between; the results differ by rounding.
    const ASKS_ORIENTATION: bool = true;

    /// Whether the torque depends on the time. Ensembles step chunk by chunk, many steps at once, only where it does not.
    const ASKS_TIME: bool = true;

    /// The torque in the **body** frame, at `time` and in the state `here`.
    fn torque_body(&mut self, time: f64, here: &Here<N>, inertia: &PrincipalInertia<N>)
    -> Result<Vec3<N>, Self::Error>;
}

/// The axes that components are given along.
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
    const ASKS_ORIENTATION: bool = false;
    const ASKS_TIME: bool = false;

    #[inline(always)]
    fn torque_body(&mut self, _: f64, _: &Here<N>, _: &PrincipalInertia<N>) -> Result<Vec3<N>, Infallible> {
        Ok(Vec3::splat(0.0))
    }
}

/// One torque or the other, chosen at run time.
#[derive(Clone, Copy, Debug)]
pub enum Either<A, B> {
    /// The one.
    A(A),
    /// The other.
    B(B),
}

impl<N: Number, A: Torque<N>, B: Torque<N, Error = A::Error>> Torque<N> for Either<A, B> {
    type Error = A::Error;
    const ASKS_ORIENTATION: bool = A::ASKS_ORIENTATION || B::ASKS_ORIENTATION;
    const ASKS_TIME: bool = A::ASKS_TIME || B::ASKS_TIME;

    #[inline(always)]
    fn torque_body(&mut self, time: f64, here: &Here<N>, inertia: &PrincipalInertia<N>) -> Result<Vec3<N>, A::Error> {
        match self {
            Either::A(torque) => torque.torque_body(time, here, inertia),
            Either::B(torque) => torque.torque_body(time, here, inertia),
        }
    }
}

impl<F> Torque<f64> for F
where
    F: FnMut(f64, &UnitQuaternion<f64>, &Vector3<f64>) -> Vector3<f64>,
{
    type Error = Infallible;

    #[inline]
    fn torque_body(&mut self, time: f64, here: &Here<f64>, _: &PrincipalInertia<f64>) -> Result<Vec3<f64>, Infallible> {
        let [w, x, y, z] = here.q.0;
        let orientation = UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z));
        let omega_world = Vector3::from(here.omega_world.0);
        let torque_world = self(time, &orientation, &omega_world);
        Ok(here.to_world.rotate_back(Vec3(torque_world.into())))
    }
}

/// Writes the trait of a ready-made torque around its method `at(&self, here, inertia) -> torque in the body frame`.
macro_rules! ready_made {
    ($name:ident, asks_orientation: $asks:literal) => {
        impl<N: Number> $crate::torque::Torque<N> for $name<N> {
            type Error = std::convert::Infallible;
            const ASKS_ORIENTATION: bool = $asks;
            const ASKS_TIME: bool = false;

            #[inline(always)]
            fn torque_body(
                &mut self,
                _: f64,
                here: &$crate::kernel::Here<N>,
                inertia: &$crate::kernel::PrincipalInertia<N>,
            ) -> Result<Vec3<N>, Self::Error> {
                Ok(self.at(here, inertia))
            }
        }
    };
}
use ready_made;
