//! Constant torques: in the world frame or in the body frame.

use super::{on_each, ready_made};
use crate::error::{Error, finite};
use crate::kernel::{Here, Number, PrincipalInertia, Vec3};

/// A torque that is constant in the **world** frame.
#[derive(Clone, Copy, Debug)]
pub struct ConstantWorld<N> {
    /// World frame.
    pub torque: Vec3<N>,
}

impl ConstantWorld<f64> {
    /// Errors: the torque must be finite.
    pub fn new(torque: [f64; 3]) -> Result<Self, Error> {
        Ok(ConstantWorld { torque: Vec3(finite("torque", torque)?) })
    }
}

impl<N: Number> ConstantWorld<N> {
    #[inline(always)]
    pub(crate) fn at(&self, here: &Here<N>, _: &PrincipalInertia<N>) -> Vec3<N> {
        here.to_world.rotate_back(self.torque)
    }

    #[inline(always)]
    fn at_world(&self, _: &Here<N>, _: &PrincipalInertia<N>) -> Vec3<N> {
        self.torque
    }
}
ready_made!(ConstantWorld, asks_orientation: true, world: at_world);
on_each!(ConstantWorld, 3, (), |each, ()| ConstantWorld { torque: Vec3(each) });

/// A torque that is constant in the **body** frame, such as that of a thruster fixed to the body.
#[derive(Clone, Copy, Debug)]
pub struct ConstantBody<N> {
    /// Body frame.
    pub torque: Vec3<N>,
}

impl ConstantBody<f64> {
    /// Errors: the torque must be finite.
    pub fn new(torque: [f64; 3]) -> Result<Self, Error> {
        Ok(ConstantBody { torque: Vec3(finite("torque", torque)?) })
    }
}

impl<N: Number> ConstantBody<N> {
    #[inline(always)]
    pub(crate) fn at(&self, _: &Here<N>, _: &PrincipalInertia<N>) -> Vec3<N> {
        self.torque
    }
}
ready_made!(ConstantBody, asks_orientation: false);
on_each!(ConstantBody, 3, (), |each, ()| ConstantBody { torque: Vec3(each) });
