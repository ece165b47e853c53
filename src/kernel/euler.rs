//! Euler's equation of the rotating rigid body.

use super::{Number, Quat, RotationMatrix, Vec3};

/// The inertia as the equation of motion wants it: what depends on the tensor alone is computed once.
#[derive(Clone, Copy, Debug)]
pub struct PrincipalInertia<N> {
    /// `(I₁, I₂, I₃)`
    pub moments: Vec3<N>,
    /// `(I₂ − I₃, I₃ − I₁, I₁ − I₂)`
    pub differences: Vec3<N>,
    /// `(1/I₁, 1/I₂, 1/I₃)`: a division costs sixteen multiplications on lanes.
    pub reciprocals: Vec3<N>,
    /// The rotation that takes components along the principal axes to the body frame; `None` when the axes are the same.
    pub principal_to_body: Option<RotationMatrix<N>>,
}

impl PrincipalInertia<f64> {
    /// The same inertia in every lane.
    #[inline(always)]
    pub fn splat<N: Number>(&self) -> PrincipalInertia<N> {
        PrincipalInertia {
            moments: self.moments.splat_each(),
            differences: self.differences.splat_each(),
            reciprocals: self.reciprocals.splat_each(),
            principal_to_body: match &self.principal_to_body {
                None => None,
                Some(r) => Some(r.splat_each()),
            },
        }
    }
}

impl<N: Number> PrincipalInertia<N> {
    /// From the principal moments and, where they are not the body axes, the rotation from principal axes to the body.
    #[inline(always)]
    pub fn new(moments: Vec3<N>, principal_to_body: Option<Quat<N>>) -> Self {
        let [i1, i2, i3] = moments.0;
        let one = N::splat(1.0);
        PrincipalInertia {
            moments,
            differences: Vec3([i2 - i3, i3 - i1, i1 - i2]),
            reciprocals: Vec3([one / i1, one / i2, one / i3]),
            principal_to_body: match principal_to_body {
                None => None,
                Some(q) => Some(q.to_matrix()),
            },
        }
    }

    /// `I ω`, the angular momentum, in the body frame.
    #[inline(always)]
    pub fn angular_momentum(&self, omega_body: Vec3<N>) -> Vec3<N> {
        self.from_principal(self.moments.times(self.to_principal(omega_body)))
    }

    /// `I⁻¹ L`, the angular velocity, in the body frame.
    #[inline(always)]
    pub fn angular_velocity(&self, momentum_body: Vec3<N>) -> Vec3<N> {
        self.from_principal(self.reciprocals.times(self.to_principal(momentum_body)))
    }

    /// `½ ω · I ω`, the rotational energy.
    #[inline(always)]
    pub fn kinetic_energy(&self, omega_body: Vec3<N>) -> N {
        let omega = self.to_principal(omega_body);
        N::splat(0.5) * self.moments.times(omega).dot(omega)
    }

    /// Components along the principal axes, of a vector of the body frame.
    #[inline(always)]
    pub fn to_principal(&self, v_body: Vec3<N>) -> Vec3<N> {
        match &self.principal_to_body {
            None => v_body,
            Some(r) => r.rotate_back(v_body),
        }
    }

    /// The vector of the body frame with these components along the principal axes.
    #[inline(always)]
    pub fn from_principal(&self, v_principal: Vec3<N>) -> Vec3<N> {
        match &self.principal_to_body {
            None => v_principal,
            Some(r) => r.rotate(v_principal),
        }
    }
}

/// Angular acceleration of a rigid body, rad/s², in the body frame: Euler's equation, LL76 §36.
///
/// ```text
///     I₁ ω̇₁ = τ₁ + (I₂ − I₃) ω₂ ω₃         and cyclically, 1 → 2 → 3 → 1, in principal axes
/// ```
///
/// Only the acceleration is turned to the principal axes and back, never the state: an inertia given in other axes costs
/// rounding in the acceleration, where it is harmless, and none in the orientation.
/// Scaling the moments and the torque by one power of two changes no bit.
#[inline(always)]
pub fn angular_acceleration<N: Number>(
    inertia: &PrincipalInertia<N>,
    omega_body: Vec3<N>,
    torque_body: Vec3<N>,
) -> Vec3<N> {
    let [w1, w2, w3] = inertia.to_principal(omega_body).0;
    let [t1, t2, t3] = inertia.to_principal(torque_body).0;
    let ([d1, d2, d3], [r1, r2, r3]) = (inertia.differences.0, inertia.reciprocals.0);
    inertia.from_principal(Vec3([
        (t1 + d1 * (w2 * w3)) * r1, //
        (t2 + d2 * (w3 * w1)) * r2,
        (t3 + d3 * (w1 * w2)) * r3,
    ]))
}
