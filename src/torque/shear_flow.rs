//! The torque of a viscous flow on an ellipsoid.

use super::{on_each, ready_made};
use crate::error::{Error, check, finite};
use crate::kernel::{Number, PrincipalInertia, TorqueState, Vec3};
use std::{convert::Infallible, f64::consts::PI};

/// Jeffery's torque on an ellipsoid in a linear flow `u = G x` without fluid inertia. The semi-axes
/// are along the body axes.
/// ```text
///     τᵢ = 16πμ/(3(aⱼ²αⱼ + aₖ²αₖ)) [ (aⱼ² − aₖ²) Sⱼₖ + (aⱼ² + aₖ²)(Ωᵢ − ωᵢ) ]         (i, j, k) cyclic, body frame
///     S = ½(G + Gᵀ),  Ω = ½ curl u,  αᵢ = ⅔ R_D(aⱼ², aₖ², aᵢ²)
/// ```
///
/// G. B. Jeffery, Proc. R. Soc. Lond. A 102, 161 (1922), eq. 36; R_D: B. C. Carlson, Numer.
/// Algorithms 10, 13 (1995).
#[derive(Clone, Copy, Debug)]
pub struct ShearFlow<N = f64> {
    #[doc(hidden)]
    /// The factor of `Sⱼₖ` for each body axis: see [`resistances`](super::resistances).
    pub strain_resistance: Vec3<N>,
    #[doc(hidden)]
    /// The factor of `Ωᵢ − ωᵢ` for each body axis.
    pub spin_resistance: Vec3<N>,
    #[doc(hidden)]
    /// The flow, world frame.
    pub flow: LinearFlow<N>,
}

/// A linear flow, world frame, rad/s.
#[derive(Clone, Copy, Debug)]
pub struct LinearFlow<N = f64> {
    #[doc(hidden)]
    /// `S₁₁, S₂₂, S₃₃`
    pub stretching: Vec3<N>,
    #[doc(hidden)]
    /// `S₂₃, S₃₁, S₁₂`
    pub shearing: Vec3<N>,
    #[doc(hidden)]
    /// `Ω = ½ curl u`
    pub spin: Vec3<N>,
}

impl<N: Number> LinearFlow<N> {
    /// From the velocity gradient `Gᵢⱼ = ∂uᵢ/∂xⱼ`, row-major. Its trace is 0 for an incompressible
    /// flow; another trace has no effect.
    #[inline(always)]
    pub fn new(g: [N; 9]) -> Self {
        let half = N::splat(0.5);
        LinearFlow {
            stretching: Vec3([g[0], g[4], g[8]]),
            shearing: Vec3([
                half * (g[5] + g[7]),
                half * (g[6] + g[2]),
                half * (g[1] + g[3]),
            ]),
            spin: Vec3([
                half * (g[7] - g[5]),
                half * (g[2] - g[6]),
                half * (g[3] - g[1]),
            ]),
        }
    }

    /// `S v`
    #[inline(always)]
    fn strain(&self, v: Vec3<N>) -> Vec3<N> {
        let [s11, s22, s33] = self.stretching.0;
        let [s23, s31, s12] = self.shearing.0;
        Vec3([
            Vec3([s11, s12, s31]).dot(v), //
            Vec3([s12, s22, s23]).dot(v),
            Vec3([s31, s23, s33]).dot(v),
        ])
    }
}

impl LinearFlow<f64> {
    /// The same flow in every lane.
    #[inline(always)]
    pub fn splat_each<N: Number>(&self) -> LinearFlow<N> {
        let LinearFlow {
            stretching,
            shearing,
            spin,
        } = *self;
        LinearFlow {
            stretching: stretching.splat_each(),
            shearing: shearing.splat_each(),
            spin: spin.splat_each(),
        }
    }
}

impl ShearFlow<f64> {
    /// From semi-axes (along the body axes), dynamic viscosity and velocity gradient
    /// `Gᵢⱼ = ∂uᵢ/∂xⱼ` (row-major, world frame).
    /// # Errors
    /// Semi-axes and viscosity must be finite and positive, the velocity gradient finite.
    pub fn new(
        semi_axes: [f64; 3],
        viscosity: f64,
        velocity_gradient: [f64; 9],
    ) -> Result<Self, Error> {
        let flow = LinearFlow::new(finite("velocity_gradient", velocity_gradient)?);
        let (strain, spin) = resistances(semi_axes, viscosity)?;
        Ok(ShearFlow {
            strain_resistance: strain,
            spin_resistance: spin,
            flow,
        })
    }
}

impl<N: Number> ShearFlow<N> {
    /// From the factors of strain and of spin for each body axis: see
    /// [`resistances`](super::resistances).
    #[inline(always)]
    pub(crate) fn of([a1, a2, a3, b1, b2, b3]: [N; 6], flow: LinearFlow<N>) -> Self {
        ShearFlow {
            strain_resistance: Vec3([a1, a2, a3]),
            spin_resistance: Vec3([b1, b2, b3]),
            flow,
        }
    }

    #[inline(always)]
    pub(crate) fn torque_at(&self, here: &TorqueState<N>) -> Vec3<N> {
        let [e1, e2, e3] = here.to_world.axes();
        let s_e2 = self.flow.strain(e2);
        let s_e3 = self.flow.strain(e3);
        // S₂₃, S₃₁, S₁₂ in the body frame
        let strain = Vec3([e2.dot(s_e3), e1.dot(s_e3), e1.dot(s_e2)]);
        let slip = here.to_world.rotate_back(self.flow.spin) - here.omega_body;
        self.strain_resistance.times(strain) + self.spin_resistance.times(slip)
    }
}
ready_made!(
    ShearFlow, asks_orientation: true, |me, here, _| me.torque_at(here),
    resistance: spin_resistance, of_fluid: true
);
on_each!(
    ShearFlow,
    6,
    LinearFlow<f64>,
    RESISTS,
    |resistances, flow| ShearFlow::of(resistances, flow.splat_each()),
    |me| {
        let [a1, a2, a3] = me.strain_resistance.0;
        let [b1, b2, b3] = me.spin_resistance.0;
        ([a1, a2, a3, b1, b2, b3], me.flow)
    }
);

/// Jeffery's two factors for each axis of an ellipsoid, `16πμ (aⱼ² ∓ aₖ²)/(3(aⱼ²αⱼ + aₖ²αₖ))`.
/// # Errors
/// Semi-axes and viscosity must be finite and positive.
pub(super) fn resistances(
    semi_axes: [f64; 3],
    viscosity: f64,
) -> Result<(Vec3<f64>, Vec3<f64>), Error> {
    let must = "must be positive";
    let [viscosity] = finite("viscosity", [viscosity])?;
    let are_positive = finite("semi_axes", semi_axes)?.iter().all(|a| *a > 0.0);
    check(are_positive, "semi_axes", must)?;
    check(viscosity > 0.0, "viscosity", must)?;
    // In units of the longest semi-axis; the factors have the dimension of a volume.
    let greatest = semi_axes.iter().fold(0.0_f64, |m, a| m.max(*a));
    let square = semi_axes.map(|a| (a / greatest) * (a / greatest));
    let are_similar = square.iter().all(|square| *square >= LEAST_SQUARE);
    check(
        are_similar,
        "semi_axes",
        "must be within a factor of 1e100 of each other",
    )?;
    let alpha = [0, 1, 2]
        .map(|i| 2.0 / 3.0 * carlson_rd(square[(i + 1) % 3], square[(i + 2) % 3], square[i]));
    let scale = 16.0 * PI * viscosity * (greatest * greatest * greatest) / 3.0;
    let mut strain = Vec3::splat(0.0);
    let mut spin = Vec3::splat(0.0);
    let mut are_finite = true;
    for i in 0..3 {
        let j = (i + 1) % 3;
        let k = (i + 2) % 3;
        let denominator = square[j] * alpha[j] + square[k] * alpha[k];
        strain.0[i] = scale * (square[j] - square[k]) / denominator;
        spin.0[i] = scale * (square[j] + square[k]) / denominator;
        are_finite &= strain.0[i].is_finite() && spin.0[i].is_finite();
    }
    check(
        are_finite,
        "semi_axes",
        "must not make the resistances overflow",
    )?;
    Ok((strain, spin))
}

/// Carlson's integral is computed from squares, which must not underflow.
const LEAST_SQUARE: f64 = 1e-200;

/// Carlson's symmetric elliptic integral of the second kind,
/// `R_D(x, y, z) = 3/2 ∫₀^∞ dt / (√(t+x) √(t+y) (t+z)^{3/2})`: duplication theorem, then a series
/// of order 5. Only `+ - * /` and `sqrt`.
#[doc(hidden)] // for the tests
pub fn carlson_rd(x: f64, y: f64, z: f64) -> f64 {
    let mut x = x;
    let mut y = y;
    let mut z = z;
    let mut sum = 0.0;
    let mut power = 1.0;
    loop {
        let mean = (x + y + 3.0 * z) / 5.0;
        let [dx, dy, dz] = [x, y, z].map(|v| (mean - v) / mean);
        if dx.abs().max(dy.abs()).max(dz.abs()) < 1e-3 {
            // the omitted terms are of order 6: below 1e-17
            let e2 = dx * dy - 6.0 * dz * dz;
            let e3 = (3.0 * dx * dy - 8.0 * dz * dz) * dz;
            let e4 = 3.0 * (dx * dy - dz * dz) * dz * dz;
            let e5 = dx * dy * dz * dz * dz;
            let series = 1.0 - 3.0 * e2 / 14.0 + e3 / 6.0 + 9.0 * e2 * e2 / 88.0
                - 3.0 * e4 / 22.0
                - 9.0 * e2 * e3 / 52.0
                + 3.0 * e5 / 26.0;
            return 3.0 * sum + power * series / (mean * mean.sqrt());
        }
        let [rx, ry, rz] = [x, y, z].map(f64::sqrt);
        let lambda = rx * (ry + rz) + ry * rz;
        sum += power / (rz * (z + lambda));
        power *= 0.25;
        [x, y, z] = [x, y, z].map(|v| 0.25 * (v + lambda));
    }
}
