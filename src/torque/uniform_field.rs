//! The torque of a uniform field on a lever arm or a dipole.

use super::{on_each, ready_made};
use crate::error::{Error, finite};
use crate::kernel::{Here, Number, PrincipalInertia, Vec3};

/// The torque `(R(q) v) × F` of a uniform field: a weight `F` at the body point `v`, or a dipole `v` in a field `F`.
#[derive(Clone, Copy, Debug)]
pub struct UniformField<N> {
    /// Lever arm or dipole moment `v`, body frame.
    pub vector_body: Vec3<N>,
    /// Force or field `F`, world frame.
    pub field_world: Vec3<N>,
}

impl UniformField<f64> {
    /// Errors: both vectors must be finite.
    pub fn new(vector_body: [f64; 3], field_world: [f64; 3]) -> Result<Self, Error> {
        let vector_body = Vec3(finite("vector_body", vector_body)?);
        Ok(UniformField { vector_body, field_world: Vec3(finite("field_world", field_world)?) })
    }
}

impl<N: Number> UniformField<N> {
    #[inline(always)]
    pub(crate) fn at(&self, here: &Here<N>, _: &PrincipalInertia<N>) -> Vec3<N> {
        self.vector_body.cross(here.to_world.rotate_back(self.field_world))
    }

    #[inline(always)]
    fn at_world(&self, here: &Here<N>, _: &PrincipalInertia<N>) -> Vec3<N> {
        here.to_world.rotate(self.vector_body).cross(self.field_world)
    }
}
ready_made!(UniformField, asks_orientation: true, world: at_world);
on_each!(UniformField, 3, [f64; 3], |each, field_world| UniformField {
    vector_body: Vec3(each),
    field_world: Vec3(*field_world).splat_each()
});

/// [`UniformField`] with `F` and `v` along the third world and body axis (a top's weight): same bits, a fifth fewer operations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TopWeight<N> {
    /// `v₃`, body frame.
    pub(crate) lever: N,
    /// `F₃`, world frame.
    pub(crate) force: N,
}

impl<N: Number> TopWeight<N> {
    #[inline(always)]
    pub(crate) fn at(&self, here: &Here<N>, _: &PrincipalInertia<N>) -> Vec3<N> {
        let [up_1, up_2, _] = here.to_world.rows()[2].0;
        Vec3([-(self.lever * (up_2 * self.force)), self.lever * (up_1 * self.force), N::splat(0.0)])
    }
}
ready_made!(TopWeight, asks_orientation: true);

/// [`UniformField`] with `F` along the third world axis: the same bits, an eighth fewer operations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VerticalField<N> {
    pub(crate) vector_body: Vec3<N>,
    /// `F₃`, world frame.
    pub(crate) field: N,
}

impl<N: Number> VerticalField<N> {
    #[inline(always)]
    pub(crate) fn at(&self, here: &Here<N>, _: &PrincipalInertia<N>) -> Vec3<N> {
        self.vector_body.cross(here.to_world.rows()[2] * self.field)
    }
}
ready_made!(VerticalField, asks_orientation: true);
