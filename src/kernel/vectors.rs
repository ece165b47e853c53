//! Vectors, rotation quaternions and rotation matrices.

use super::{Number, operators};

/// Three components in one frame, which the variable name tells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vec3<N>(pub [N; 3]);

impl<N: Number> Vec3<N> {
    /// The same value in every component and lane.
    #[inline(always)]
    pub fn splat(value: f64) -> Self {
        Vec3([N::splat(value); 3])
    }

    /// `a · b`
    #[inline(always)]
    pub fn dot(self, other: Self) -> N {
        let [a1, a2, a3] = self.0;
        let [b1, b2, b3] = other.0;
        a1 * b1 + a2 * b2 + a3 * b3
    }

    /// `a × b`
    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        let [a1, a2, a3] = self.0;
        let [b1, b2, b3] = other.0;
        Vec3([
            a2 * b3 - a3 * b2, //
            a3 * b1 - a1 * b3,
            a1 * b2 - a2 * b1,
        ])
    }

    /// Component-wise product.
    #[inline(always)]
    pub fn times(self, other: Self) -> Self {
        let [a1, a2, a3] = self.0;
        let [b1, b2, b3] = other.0;
        Vec3([a1 * b1, a2 * b2, a3 * b3])
    }
}

impl Vec3<f64> {
    /// The same vector in every lane.
    #[inline(always)]
    pub fn splat_each<N: Number>(self) -> Vec3<N> {
        let [a1, a2, a3] = self.0;
        Vec3([N::splat(a1), N::splat(a2), N::splat(a3)])
    }
}

operators!(Vec3:
    Add add(self, b: Self) Vec3([self.0[0] + b.0[0], self.0[1] + b.0[1], self.0[2] + b.0[2]]);
    Sub sub(self, b: Self) Vec3([self.0[0] - b.0[0], self.0[1] - b.0[1], self.0[2] - b.0[2]]);
    Neg neg(self) Vec3([-self.0[0], -self.0[1], -self.0[2]]);
    Mul mul(self, factor: N) Vec3([self.0[0] * factor, self.0[1] * factor, self.0[2] * factor]);
);

/// `(w, x, y, z)`, of unit length to rounding. Rotates from body to world:
/// `v_world = q v_body q⁻¹`.
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

    /// Body to world frame, `R(q) v`: `q (0, v) q⁻¹ = (0, v + w t + u × t)`, `t = 2 u × v`,
    /// `q = (w, u)`.
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

    /// `(3 − |q|²) / 2`: the factor of a Newton iteration for `|q| = 1`. An error `ε` becomes
    /// `−3/2 ε²`, which is below rounding after a step.
    #[inline(always)]
    pub fn towards_unit(self) -> N {
        N::splat(1.5) - N::splat(0.5) * self.norm_squared()
    }

    /// The quaternion after one Newton iteration for `|q| = 1`.
    #[inline(always)]
    pub fn renormalised(self) -> Self {
        self.scaled(self.towards_unit())
    }

    /// `q r / |q r|` for a free rotation `r` of any length: see
    /// [`FreeRotation`](super::FreeRotation). At rest, `q` bit for bit.
    #[inline(always)]
    pub fn turned_freely(self, rotation: Self, motion: N) -> Self {
        // from the factors and not from the product, so that the root need not wait for it
        let unit = N::splat(1.0) / (self.norm_squared() * rotation.norm_squared()).sqrt();
        (self * rotation).scaled(motion.if_at_most(0.0, N::splat(0.5), unit)) // at rest, r = 2
    }

    /// `factor · q`
    #[inline(always)]
    pub fn scaled(self, factor: N) -> Self {
        let [w, x, y, z] = self.0;
        Quat([w * factor, x * factor, y * factor, z * factor])
    }

    /// `R(q)`
    #[inline(always)]
    pub fn to_matrix(self) -> RotationMatrix<N> {
        let [w, x, y, z] = self.0;
        let one = N::splat(1.0);
        let x2 = x + x;
        let y2 = y + y;
        let z2 = z + z;
        let xx = x * x2;
        let yy = y * y2;
        let zz = z * z2;
        let xy = x * y2;
        let xz = x * z2;
        let yz = y * z2;
        let wx = w * x2;
        let wy = w * y2;
        let wz = w * z2;
        RotationMatrix([
            Vec3([one - (yy + zz), xy - wz, xz + wy]), //
            Vec3([xy + wz, one - (xx + zz), yz - wx]),
            Vec3([xz - wy, yz + wx, one - (xx + yy)]),
        ])
    }
}

// The Hamilton product: `a * b` rotates by `b` first, then by `a`.
operators!(Quat:
    Mul mul(self, other: Self) {
        let [a, b, c, d] = self.0;
        let [w, x, y, z] = other.0;
        Quat([
            (a * w - b * x) - (c * y + d * z),
            (a * x + b * w) + (c * z - d * y),
            (a * y + c * w) + (d * x - b * z),
            (a * z + d * w) + (b * y - c * x),
        ])
    };
);

/// A rotation matrix by rows. The first vector takes `24 + 15` operations and each other one 15;
/// with a quaternion each takes 30, in a longer chain.
#[derive(Clone, Copy, Debug)]
pub struct RotationMatrix<N>(pub [Vec3<N>; 3]);

impl<N: Number> RotationMatrix<N> {
    /// The columns: for a body-to-world matrix, the body axes in world components.
    #[inline(always)]
    pub fn axes(&self) -> [Vec3<N>; 3] {
        let [[a, b, c], [d, e, f], [g, h, i]] = [self.0[0].0, self.0[1].0, self.0[2].0];
        [Vec3([a, d, g]), Vec3([b, e, h]), Vec3([c, f, i])]
    }

    /// `R v`
    #[inline(always)]
    pub fn rotate(&self, v: Vec3<N>) -> Vec3<N> {
        let [r1, r2, r3] = self.0;
        Vec3([r1.dot(v), r2.dot(v), r3.dot(v)])
    }

    /// `Rᵀ v`
    #[inline(always)]
    pub fn rotate_back(&self, v: Vec3<N>) -> Vec3<N> {
        let [r1, r2, r3] = self.0;
        let [v1, v2, v3] = v.0;
        r1 * v1 + r2 * v2 + r3 * v3
    }
}
