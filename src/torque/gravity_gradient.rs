//! The torque of a central gravity field on an extended body.

use super::{on_each, ready_made};
use crate::error::{Error, finite};
use crate::kernel::{Here, Number, PrincipalInertia, Vec3};
use crate::rotation::direction;

/// The gravity-gradient torque `3 μ/r³ n × (I n)` on a body much smaller than its orbit, with `n` the constant direction to the
/// attracting mass (Wertz, *Spacecraft Attitude Determination and Control*, eq. 17-31).
#[derive(Clone, Copy, Debug)]
pub struct GravityGradient<N> {
    /// Unit vector `n` along the line to the attracting mass, world frame. Its sign does not matter.
    pub direction_world: Vec3<N>,
    /// `μ/r³`, rad²/s²: on a circular orbit, the square of the orbital rate.
    pub gradient: N,
}

impl GravityGradient<f64> {
    /// Errors: both must be finite. The direction may have any length but 0.
    pub fn new(direction_world: [f64; 3], gradient: f64) -> Result<Self, Error> {
        let direction_world = direction("direction_world", direction_world)?;
        let [gradient] = finite("gradient", [gradient])?;
        Ok(GravityGradient { direction_world, gradient })
    }
}

impl<N: Number> GravityGradient<N> {
    #[inline(always)]
    pub(crate) fn at(&self, here: &Here<N>, inertia: &PrincipalInertia<N>) -> Vec3<N> {
        let n_body = here.to_world.rotate_back(self.direction_world);
        gravity_gradient(n_body, inertia.angular_momentum(n_body), self.gradient)
    }
}

/// The torque for a direction `n` and `I n` in the body frame.
#[inline(always)]
pub(crate) fn gravity_gradient<N: Number>(n_body: Vec3<N>, in_body: Vec3<N>, gradient: N) -> Vec3<N> {
    n_body.cross(in_body) * (N::splat(3.0) * gradient)
}
ready_made!(GravityGradient, asks_orientation: true);
on_each!(
    GravityGradient,
    1,
    [f64; 3],
    |[gradient], direction_world| GravityGradient { direction_world: Vec3(*direction_world).splat_each(), gradient },
    ASKS_INERTIA
);
