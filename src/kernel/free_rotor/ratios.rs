//! An inertia as the formulas of the free rotation need it.

use crate::kernel::{Number, Vec3};

/// What the formulas need of an inertia, relative to the first moment.
#[derive(Clone, Copy, Debug)]
pub struct RotorRatios<N> {
    /// `I₂/I₁` and `I₃/I₁`
    pub(super) moments: [N; 2],
    /// `rᵢ = (Iⱼ − Iₖ)/Iᵢ`
    pub(crate) r: Vec3<N>,
    /// `rⱼ rₖ`
    pub(super) rr: Vec3<N>,
    /// `Iⱼ Iₖ/(Iᵢ I₁)`
    pub(super) inverse: Vec3<N>,
}

impl<N: Number> RotorRatios<N> {
    #[inline(always)]
    pub(in crate::kernel) fn new(moments: Vec3<N>, reciprocals: Vec3<N>, ratios: Vec3<N>) -> Self {
        let ([i1, i2, i3], [x1, x2, x3], [r1, r2, r3]) = (moments.0, reciprocals.0, ratios.0);
        // a moment of 0: relative to the other one, or to half of both, which are equal
        let relative = x1.if_at_most(0.0, x2 + x3, x1);
        let (j2, j3) = (i2 * relative, i3 * relative);
        RotorRatios {
            moments: [j2, j3],
            r: ratios,
            rr: Vec3([r2 * r3, r3 * r1, r1 * r2]),
            inverse: Vec3([j2 * j3, j3 * (i1 * x2), j2 * (i1 * x3)]),
        }
    }

    /// `(r₁ r₂ r₃)²`: 0 for a symmetric body
    #[inline(always)]
    pub(super) fn asymmetry2(&self) -> N {
        let product = self.r.0[0] * self.rr.0[0];
        product * product
    }

    /// `I v / I₁`
    #[inline(always)]
    pub(super) fn momentum(&self, v: Vec3<N>) -> Vec3<N> {
        let ([j2, j3], [v1, v2, v3]) = (self.moments, v.0);
        Vec3([v1, j2 * v2, j3 * v3])
    }
}

impl RotorRatios<f64> {
    #[inline(always)]
    pub(in crate::kernel) fn splat<N: Number>(&self) -> RotorRatios<N> {
        let [j2, j3] = self.moments;
        RotorRatios {
            moments: [N::splat(j2), N::splat(j3)],
            r: self.r.splat_each(),
            rr: self.rr.splat_each(),
            inverse: self.inverse.splat_each(),
        }
    }
}
