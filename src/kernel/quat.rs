//! Rotation quaternions, scalar first.

use super::{Number, Vec3};
use std::ops::Mul;

/// `(w, x, y, z)`, of unit length to rounding. Rotates from body to world: `v_world = q v_body q⁻¹`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quat<N>(pub [N; 4]);

impl<N: Number> Quat<N> {
    /// The identity: body and world axes coincide.
    #[inline(always)]
    pub fn identity() -> Self {
        let zero = N::splat(0.0);
        Quat([N::splat(1.0), zero, zero, zero])
    }

    /// From the scalar and the vector part.
    #[inline(always)]
    pub fn from_parts(scalar: N, vector: Vec3<N>) -> Self {
        let [x, y, z] = vector.0;
        Quat([scalar, x, y, z])
    }

    /// The vector part.
    #[inline(always)]
    pub fn vector(self) -> Vec3<N> {
        let [_, x, y, z] = self.0;
        Vec3([x, y, z])
    }

    /// `|q|²`
    #[inline(always)]
    pub fn norm_squared(self) -> N {
        let [w, x, y, z] = self.0;
        (w * w + x * x) + (y * y + z * z)
    }

    /// `q⁻¹` of a unit quaternion.
    #[inline(always)]
    pub fn conjugate(self) -> Self {
        let [w, x, y, z] = self.0;
        Quat([w, -x, -y, -z])
    }

    /// Body to world frame, `R(q) v`: `q (0, v) q⁻¹ = (0, v + w t + u × t)`, `t = 2 u × v`, `q = (w, u)`.
    #[inline(always)]
    pub fn to_world(self, v_body: Vec3<N>) -> Vec3<N> {
        let u = self.vector();
        let u_cross_v = u.cross(v_body);
        let t = u_cross_v + u_cross_v;
        v_body + t * self.0[0] + u.cross(t)
    }

    /// Rotates a vector from the world to the body frame, `R(q)ᵀ v`.
    #[inline(always)]
    pub fn to_body(self, v_world: Vec3<N>) -> Vec3<N> {
        self.conjugate().to_world(v_world)
    }

    /// `(3 − |q|²) / 2`: the factor of a Newton iteration for `|q| = 1`. Error `ε` becomes `−3/2 ε²`; below rounding after a step.
    #[inline(always)]
    pub fn towards_unit(self) -> N {
        N::splat(1.5) - N::splat(0.5) * self.norm_squared()
    }

    /// After one Newton iteration for `|q| = 1`.
    #[inline(always)]
    pub fn renormalised(self) -> Self {
        self.scaled(self.towards_unit())
    }

    /// `q r / |q r|` for a free rotation `r` of any length: see [`FreeRotation`](super::FreeRotation). At rest, `q` bit for bit.
    #[inline(always)]
    pub fn turned_freely(self, rotation: Self, motion: N) -> Self {
        // not from the product, so that the root need not wait for it
        let unit = N::splat(1.0) / (self.norm_squared() * rotation.norm_squared()).sqrt();
        (self * rotation).scaled(motion.if_at_most(0.0, N::splat(0.5), unit)) // at rest, r = 2
    }

    /// `factor · q`
    #[inline(always)]
    pub fn scaled(self, factor: N) -> Self {
        let [w, x, y, z] = self.0;
        Quat([w * factor, x * factor, y * factor, z * factor])
    }
}

/// The Hamilton product: `a * b` rotates by `b` first, then by `a`.
impl<N: Number> Mul for Quat<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let ([a, b, c, d], [w, x, y, z]) = (self.0, other.0);
        Quat([
            (a * w - b * x) - (c * y + d * z),
            (a * x + b * w) + (c * z - d * y),
            (a * y + c * w) + (d * x - b * z),
            (a * z + d * w) + (b * y - c * x),
        ])
    }
}
