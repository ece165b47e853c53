//! The torques that simulations ask for most, without a callback: for one body and for blocks of lanes alike.

use super::Torque;
use crate::kernel::{Number, PrincipalInertia, Vec3};
use crate::method::Here;
use std::convert::Infallible;

/// Writes the trait around a formula `(self, here, inertia) -> torque in the body frame`.
macro_rules! torque_in_body_frame {
    ($name:ident, asks_orientation: $asks:literal, |$this:ident, $here:ident, $inertia:ident| $formula:expr) => {
        impl<N: Number> Torque<N> for $name<N> {
            type Error = Infallible;
            const ASKS_ORIENTATION: bool = $asks;

            #[inline(always)]
            fn torque_body(
                &mut self,
                _time: f64,
                $here: &Here<N>,
                $inertia: &PrincipalInertia<N>,
            ) -> Result<Vec3<N>, Infallible> {
                let $this = &*self;
                Ok($formula)
            }
        }
    };
}

/// A torque that is constant in the **world** frame.
#[derive(Clone, Copy, Debug)]
pub struct ConstantWorld<N> {
    /// World frame.
    pub torque: Vec3<N>,
}
torque_in_body_frame!(ConstantWorld, asks_orientation: true, |this, here, _inertia| here.to_world.rotate_back(this.torque));

/// A torque that is constant in the **body** frame: a thruster fixed to the body.
#[derive(Clone, Copy, Debug)]
pub struct ConstantBody<N> {
    /// Body frame.
    pub torque: Vec3<N>,
}
torque_in_body_frame!(ConstantBody, asks_orientation: false, |this, _here, _inertia| this.torque);

/// The torque `(R(q) v) × F` of a uniform field: a weight `F` at the body point `v`, a dipole `v` in a field `F`.
#[derive(Clone, Copy, Debug)]
pub struct UniformField<N> {
    /// Lever arm or dipole moment `v`, body frame.
    pub vector_body: Vec3<N>,
    /// Force or field `F`, world frame.
    pub field_world: Vec3<N>,
}
torque_in_body_frame!(UniformField, asks_orientation: true, |this, here, _inertia| this.vector_body.cross(here.to_world.rotate_back(this.field_world)));

/// [`UniformField`] along the third world axis, of a vector along the third body axis, as a top has its weight: the same bits with
/// a fifth fewer operations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TopWeight<N> {
    /// `v₃`, body frame.
    pub(crate) lever: N,
    /// `F₃`, world frame.
    pub(crate) force: N,
}
torque_in_body_frame!(TopWeight, asks_orientation: true, |this, here, _inertia| {
    let [up_1, up_2, _] = here.to_world.rows()[2].0;
    Vec3([-(this.lever * (up_2 * this.force)), this.lever * (up_1 * this.force), N::splat(0.0)])
});

/// [`UniformField`] along the third world axis: the same bits with an eighth fewer operations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VerticalField<N> {
    /// Body frame.
    pub(crate) vector_body: Vec3<N>,
    /// `F₃`, world frame.
    pub(crate) field: N,
}
torque_in_body_frame!(VerticalField, asks_orientation: true, |this, here, _inertia| this.vector_body.cross(here.to_world.rows()[2] * this.field));

/// The torque of a central gravity field on a body small beside its orbit, `3 μ/r³ n × (I n)`, with `n` the direction
/// to the attracting mass (Wertz, *Spacecraft Attitude Determination and Control*, eq. 17-31). Keeps `n` fixed.
#[derive(Clone, Copy, Debug)]
pub struct GravityGradient<N> {
    /// Unit vector `n` along the line to the attracting mass (its sign does not matter), world frame.
    pub direction_world: Vec3<N>,
    /// `μ/r³`, rad²/s²: on a circular orbit the square of the orbital rate.
    pub gradient: N,
}
torque_in_body_frame!(GravityGradient, asks_orientation: true, |this, here, inertia| {
    let n_body = here.to_world.rotate_back(this.direction_world);
    let n_cross_in = n_body.cross(inertia.angular_momentum(n_body));
    n_cross_in * (N::splat(3.0) * this.gradient)
});

/// A drag that resists rotation about each **body** axis in proportion, `τᵢ = −cᵢ ωᵢ`.
#[derive(Clone, Copy, Debug)]
pub struct LinearDrag<N> {
    /// `(c₁, c₂, c₃)`, torque per angular velocity, along the body axes.
    pub coefficients: Vec3<N>,
}
torque_in_body_frame!(LinearDrag, asks_orientation: false, |this, here, _inertia| -this.coefficients.times(here.omega_body));
