//! What Rust programs have of torques in nalgebra's types: closures, types of their own,
//! resistances.

use super::{Frame, Torque, shear_flow};
use crate::kernel::{PrincipalInertia, TorqueState, Vec3};
use crate::{error::Error, rotation::orientation_of};
use nalgebra::{UnitQuaternion, Vector3};
use std::convert::Infallible;

/// The types that a closure may return as its torque: a vector, or a `Result`, whose error comes
/// out of the step as [`Error::Torque`].
#[diagnostic::on_unimplemented(
    message = "a torque returns a `Vector3<f64>`, or a `Result` of it with a `std::error::Error`"
)]
pub trait TorqueResult {
    /// [`Infallible`], or [`Error`].
    type Error;
    /// The torque.
    fn torque(self) -> Result<Vector3<f64>, Self::Error>;
}

impl TorqueResult for Vector3<f64> {
    type Error = Infallible;

    #[inline(always)]
    fn torque(self) -> Result<Vector3<f64>, Infallible> {
        Ok(self)
    }
}

impl<E: Into<Box<dyn std::error::Error + Send + Sync>>> TorqueResult for Result<Vector3<f64>, E> {
    type Error = Error;

    #[inline(always)]
    fn torque(self) -> Result<Vector3<f64>, Error> {
        self.map_err(Error::from_torque)
    }
}

/// A torque of your own as a type: for what it keeps, counts, or fails with, and for torques that
/// are known in the body frame.
///
/// ```
/// use quatint::nalgebra::Vector3;
/// use quatint::torque::{StageState, TorqueModel};
/// use quatint::{Error, Frame};
///
/// /// Jets that stop the rotation, until the fuel is spent.
/// struct Jets {
///     fuel: f64,
/// }
///
/// impl TorqueModel for Jets {
///     type Error = Error;
///     const FRAME: Frame = Frame::Body;
///
///     fn torque(&mut self, time: f64, at: &StageState) -> Result<Vector3<f64>, Error> {
///         let is_firing = time < self.fuel;
///         Ok(if is_firing { -0.1 * at.angular_velocity_body() } else { Vector3::zeros() })
///     }
/// }
/// ```
pub trait TorqueModel {
    /// The error of the torque. The step is then abandoned and the body unchanged.
    type Error;

    /// The frame of the vectors that [`TorqueModel::torque`] returns.
    const FRAME: Frame;

    /// The torque at this time and state. It is not called for a state that is not finite.
    fn torque(&mut self, time: f64, at: &StageState) -> Result<Vector3<f64>, Self::Error>;
}

/// The state of a body in a stage of a step, as a torque sees it.
#[derive(Clone, Copy, Debug)]
pub struct StageState<'a>(&'a TorqueState<f64>);

impl StageState<'_> {
    /// Body to world.
    #[inline(always)]
    pub fn orientation(&self) -> UnitQuaternion<f64> {
        orientation_of(self.0.q)
    }

    /// rad/s, world frame.
    #[inline(always)]
    pub fn angular_velocity(&self) -> Vector3<f64> {
        self.0.omega_world.0.into()
    }

    /// rad/s, body frame.
    #[inline(always)]
    pub fn angular_velocity_body(&self) -> Vector3<f64> {
        self.0.omega_body.0.into()
    }

    /// A vector of the body frame, in the world frame. The rotation matrix is already known, so
    /// this is faster than by the orientation.
    #[inline(always)]
    pub fn to_world(&self, vector_body: &Vector3<f64>) -> Vector3<f64> {
        let vector_body = Vec3((*vector_body).into());
        self.0.to_world.rotate(vector_body).0.into()
    }

    /// A vector of the world frame, in the body frame.
    #[inline(always)]
    pub fn to_body(&self, vector_world: &Vector3<f64>) -> Vector3<f64> {
        let vector_world = Vec3((*vector_world).into());
        self.0.to_world.rotate_back(vector_world).0.into()
    }
}

impl<F: FnMut(f64, &UnitQuaternion<f64>, &Vector3<f64>) -> A, A: TorqueResult> TorqueModel for F {
    type Error = A::Error;
    const FRAME: Frame = Frame::World;

    #[inline(always)]
    fn torque(&mut self, time: f64, at: &StageState) -> Result<Vector3<f64>, A::Error> {
        self(time, &at.orientation(), &at.angular_velocity()).torque()
    }
}

impl<M: TorqueModel> Torque<f64> for M {
    type Error = M::Error;

    #[inline(always)]
    fn torque_body(
        &mut self,
        time: f64,
        here: &TorqueState<f64>,
        _: &PrincipalInertia<f64>,
    ) -> Result<Vec3<f64>, M::Error> {
        let torque = Vec3(self.torque(time, &StageState(here))?.into());
        Ok(match M::FRAME {
            Frame::World => here.to_world.rotate_back(torque),
            Frame::Body => torque,
        })
    }
}

/// Jeffery's two factors for each axis of an ellipsoid, `16πμ (aⱼ² ∓ aₖ²)/(3(aⱼ²αⱼ + aₖ²αₖ))`: of
/// strain and of spin.
/// # Errors
/// Semi-axes and viscosity must be finite and positive.
pub fn resistances(
    semi_axes: [f64; 3],
    viscosity: f64,
) -> Result<(Vector3<f64>, Vector3<f64>), Error> {
    let (strain, spin) = shear_flow::resistances(semi_axes, viscosity)?;
    Ok((strain.0.into(), spin.0.into()))
}
