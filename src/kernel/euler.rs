//! Euler's equation for a rotating rigid body.

use super::{Number, Quat, RotationMatrix, RotorRatios, Vec3};

/// The inertia tensor, with all numbers of Euler's equation that depend on it alone. An axis of
/// zero moment is *locked*, and so is one about which something holds the body: its reciprocal is
/// 0, so that no torque changes the angular velocity about it, which is 0 from the start (see
/// [`PrincipalInertia::without_locked_axes`]), and its moment counts as 0 in the equation of
/// motion. All formulas hold, because a ratio that is not 0 multiplies that angular velocity. A
/// lock does not move the mass: torques of the mass read [`PrincipalInertia::of_mass`].
#[derive(Clone, Copy, Debug)]
pub struct PrincipalInertia<N> {
    /// `(I₁, I₂, I₃)`, 0 about a locked axis: the inertia that the motion has.
    pub moments: Vec3<N>,
    /// The principal moments of the mass, whether or not their axes are locked.
    pub of_mass: Vec3<N>,
    /// `(1/I₁, 1/I₂, 1/I₃)`, 0 about a locked axis. Multiplying by them is faster: in vector
    /// registers a division costs sixteen multiplications.
    pub reciprocals: Vec3<N>,
    /// Ratios of the moments, for Euler's equation and the exact free rotation.
    pub rotor: RotorRatios<N>,
    /// Whether the principal axes are not the body axes.
    pub(crate) is_turned: bool,
    /// The rotation from the principal axes to the body frame; 0 if they coincide. It is not an
    /// `Option`, because the compiler may multiply before it selects, and the bits in the place of
    /// `None` may be denormal numbers, which cost 150 cycles a product.
    pub(crate) turn: RotationMatrix<N>,
}

impl PrincipalInertia<f64> {
    /// The same inertia in every lane.
    #[inline(always)]
    pub fn splat<N: Number>(&self) -> PrincipalInertia<N> {
        let RotorRatios {
            moments: [j2, j3],
            r,
            rr,
            inverse,
        } = self.rotor;
        let [t1, t2, t3] = self.turn.0;
        PrincipalInertia {
            moments: self.moments.splat_each(),
            of_mass: self.of_mass.splat_each(),
            reciprocals: self.reciprocals.splat_each(),
            rotor: RotorRatios {
                moments: [N::splat(j2), N::splat(j3)],
                r: r.splat_each(),
                rr: rr.splat_each(),
                inverse: inverse.splat_each(),
            },
            is_turned: self.is_turned,
            turn: RotationMatrix([t1.splat_each(), t2.splat_each(), t3.splat_each()]),
        }
    }
}

impl<N: Number> PrincipalInertia<N> {
    /// From the principal moments and the rotation from the principal axes to the body frame,
    /// `None` if they coincide.
    #[inline(always)]
    pub fn new(moments: Vec3<N>, principal_to_body: Option<Quat<N>>) -> Self {
        let [i1, i2, i3] = moments.0;
        let one = N::splat(1.0);
        PrincipalInertia::of(
            moments,
            Vec3([one / i1, one / i2, one / i3]),
            principal_to_body,
        )
    }

    /// [`PrincipalInertia::new`] of the moments of the mass, with their reciprocals, which are 0
    /// about locked axes.
    #[inline(always)]
    pub(crate) fn of(
        of_mass: Vec3<N>,
        reciprocals: Vec3<N>,
        principal_to_body: Option<Quat<N>>,
    ) -> Self {
        let zero = N::splat(0.0);
        let mut moments = of_mass;
        for k in 0..3 {
            moments.0[k] = reciprocals.0[k].if_at_most(0.0, zero, of_mass.0[k]);
        }
        let [i1, i2, i3] = moments.0;
        let ratios = Vec3([i2 - i3, i3 - i1, i1 - i2]).times(reciprocals);
        let turn = match principal_to_body {
            None => RotationMatrix([Vec3::splat(0.0); 3]),
            Some(q) => q.to_matrix(),
        };
        let rotor = RotorRatios::new(moments, reciprocals, ratios);
        let is_turned = principal_to_body.is_some();
        PrincipalInertia {
            moments,
            of_mass,
            reciprocals,
            rotor,
            is_turned,
            turn,
        }
    }

    /// Whether an axis is locked, in any lane.
    #[inline(always)]
    pub fn has_zero_moment(&self) -> bool {
        let [x, y, z] = self.reciprocals.0;
        let least = -f64::MIN_POSITIVE;
        (-x).any_above(least) || (-y).any_above(least) || (-z).any_above(least)
    }

    /// The part of a vector about locked axes, body frame.
    #[inline(always)]
    pub fn locked(&self, v_body: Vec3<N>) -> Vec3<N> {
        let mut v = self.to_principal(v_body);
        for i in 0..3 {
            v.0[i] = self.reciprocals.0[i].if_at_most(0.0, v.0[i], N::splat(0.0));
        }
        self.from_principal(v) + Vec3::splat(0.0) // not −0
    }

    /// An angular velocity without its part about locked axes, body frame. In turned principal axes
    /// a part of rounding errors (1e-9 of the whole) stays, so that a state that is read and set
    /// again keeps its bits.
    #[inline(always)]
    pub fn without_locked_axes(&self, omega_body: Vec3<N>) -> Vec3<N> {
        let mut locked = self.locked(omega_body);
        if self.is_turned {
            let [Vec3([_, a, b]), Vec3([.., c]), _] = self.turn.0;
            let zero = N::splat(0.0);
            let one = N::splat(1.0);
            let excess = locked.dot(locked) - omega_body.dot(omega_body) * N::splat(1e-18);
            // 0 where the axes of other bodies are turned and these are not: no rounding then
            let is_lost =
                (a * a + b * b + c * c).if_at_most(0.0, one, excess.if_at_most(0.0, zero, one));
            locked = locked * is_lost + Vec3::splat(0.0);
        }
        omega_body - locked
    }

    /// `I ω`, the angular momentum, in the body frame.
    #[inline(always)]
    pub fn angular_momentum(&self, omega_body: Vec3<N>) -> Vec3<N> {
        self.from_principal(self.moments.times(self.to_principal(omega_body)))
    }

    /// The tensor of the mass times a vector, body frame: `I ω` as if no axis were locked.
    #[inline(always)]
    pub fn times_tensor(&self, v_body: Vec3<N>) -> Vec3<N> {
        self.from_principal(self.of_mass.times(self.to_principal(v_body)))
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

    /// From body to principal axes.
    #[inline(always)]
    pub fn to_principal(&self, v_body: Vec3<N>) -> Vec3<N> {
        if self.is_turned {
            self.turn.rotate_back(v_body)
        } else {
            v_body
        }
    }

    /// From principal to body axes.
    #[inline(always)]
    pub fn from_principal(&self, v_principal: Vec3<N>) -> Vec3<N> {
        if self.is_turned {
            self.turn.rotate(v_principal)
        } else {
            v_principal
        }
    }
}

/// The change of angular velocity in a kick, by the angular momentum `torque × duration`, rad/s,
/// body frame.
#[inline(always)]
pub fn velocity_kicked<N: Number>(
    inertia: &PrincipalInertia<N>,
    torque_body: Vec3<N>,
    duration: f64,
) -> Vec3<N> {
    let kick = inertia
        .to_principal(torque_body)
        .times(inertia.reciprocals * N::splat(duration));
    inertia.from_principal(kick)
}

/// The change of angular velocity over `time` at the acceleration of this state, rad/s, body frame:
/// Euler's equation, LL76 §36.
/// ```text
///     t ω̇₁ = t/I₁ τ₁ + t (I₂ − I₃)/I₁ ω₂ ω₃         and cyclically, 1 → 2 → 3 → 1, in principal axes
/// ```
///
/// The factors of inertia and time are grouped, so that bodies with the same inertia share them.
/// Without torque its term is omitted, because adding 0 would cost an operation. The change is
/// rotated to principal axes and back, but not the state. So an inertia in other axes adds rounding
/// errors to the change, where they are harmless, and none to the orientation. Scaling moments and
/// torque by the same power of two changes no bit, as long as `t/I` stays a normal number.
#[inline(always)]
pub fn velocity_gained<N: Number>(
    inertia: &PrincipalInertia<N>,
    omega_body: Vec3<N>,
    torque_body: Option<Vec3<N>>,
    duration: f64,
) -> Vec3<N> {
    inertia.from_principal(principal_velocity_gained(
        inertia,
        omega_body,
        torque_body,
        duration,
    ))
}

/// [`velocity_gained`] in principal axes.
#[inline(always)]
pub fn principal_velocity_gained<N: Number>(
    inertia: &PrincipalInertia<N>,
    omega_body: Vec3<N>,
    torque_body: Option<Vec3<N>>,
    duration: f64,
) -> Vec3<N> {
    let duration = N::splat(duration);
    let [w1, w2, w3] = inertia.to_principal(omega_body).0;
    let of_itself = (inertia.rotor.r * duration).times(Vec3([w2 * w3, w3 * w1, w1 * w2]));
    match torque_body {
        None => of_itself,
        Some(torque) => {
            inertia
                .to_principal(torque)
                .times(inertia.reciprocals * duration)
                + of_itself
        }
    }
}
