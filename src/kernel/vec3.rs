//! Vectors of three numbers.

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
        let ([a1, a2, a3], [b1, b2, b3]) = (self.0, other.0);
        a1 * b1 + a2 * b2 + a3 * b3
    }

    /// `a × b`
    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        let ([a1, a2, a3], [b1, b2, b3]) = (self.0, other.0);
        Vec3([
            a2 * b3 - a3 * b2, //
            a3 * b1 - a1 * b3,
            a1 * b2 - a2 * b1,
        ])
    }

    /// Component-wise product.
    #[inline(always)]
    pub fn times(self, other: Self) -> Self {
        let ([a1, a2, a3], [b1, b2, b3]) = (self.0, other.0);
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
