//! Vectors of three numbers.

use super::Number;
use std::ops::{Add, Mul, Neg, Sub};

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

/// Sum and difference.
macro_rules! componentwise {
    ($($operator:ident $method:ident $symbol:tt),*) => {$(
        impl<N: Number> $operator for Vec3<N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let ([a1, a2, a3], [b1, b2, b3]) = (self.0, other.0);
                Vec3([a1 $symbol b1, a2 $symbol b2, a3 $symbol b3])
            }
        }
    )*};
}
componentwise!(Add add +, Sub sub -);

impl<N: Number> Neg for Vec3<N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        let [a1, a2, a3] = self.0;
        Vec3([-a1, -a2, -a3])
    }
}

impl<N: Number> Mul<N> for Vec3<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: N) -> Self {
        let [a1, a2, a3] = self.0;
        Vec3([a1 * factor, a2 * factor, a3 * factor])
    }
}
