//! What turns the body: the torque interface, and torques that need no callback.

mod ready_made;
mod shear_flow;

pub use ready_made::{ConstantBody, ConstantWorld, GravityGradient, LinearDrag, UniformField};
pub(crate) use ready_made::{TopWeight, VerticalField};
pub use shear_flow::{LinearFlow, ShearFlow, carlson_rd, resistances};

use crate::kernel::{Number, PrincipalInertia, Vec3};
use crate::method::Here;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use std::convert::Infallible;

/// A torque on a body, asked once for every stage of a step.
///
/// It may depend on time, orientation and angular velocity. A closure
/// `|time, &orientation, &angular_velocity| -> torque` over `f64, &UnitQuaternion<f64>, &Vector3<f64>` is one, with both
/// vectors in the **world** frame; so are the ready-made torques of this module. Implement it to work in the body frame, to
/// fail, or to serve blocks of lanes.
pub trait Torque<N: Number = f64> {
    /// Why no torque could be given. The step is then abandoned and the body stays as it was.
    type Error;

    /// Whether there is a torque at all. Where there is none, Euler's equation is left without it, and it is never asked.
    const ACTS: bool = true;

    /// Whether the torque looks at the orientation. Where none does, it is not computed inside the step; the rotations are
    /// then composed in body axes instead of the world's, which is the same but for rounding.
    const ASKS_ORIENTATION: bool = true;

    /// The torque in the **body** frame, at `time` and in the state `here`.
    fn torque_body(&mut self, time: f64, here: &Here<N>, inertia: &PrincipalInertia<N>)
    -> Result<Vec3<N>, Self::Error>;
}

/// No torque: free rotation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Free;

impl<N: Number> Torque<N> for Free {
    type Error = Infallible;
    const ACTS: bool = false;
    const ASKS_ORIENTATION: bool = false;

    #[inline(always)]
    fn torque_body(&mut self, _: f64, _: &Here<N>, _: &PrincipalInertia<N>) -> Result<Vec3<N>, Infallible> {
        Ok(Vec3::splat(0.0))
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
