//! The choice of a scheme at run time.

use super::{Cf4, DampedPcdm, DampedSplitting, Facts, ForceGradient, Method, Pcdm, Splitting, WithScheme};
use crate::error::Error;
use crate::kernel::{PrincipalInertia, Vec3};
use crate::step_size::StepSize;

/// A method, and whether the torque is known to resist the rotation: then the resistance is taken implicitly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) method: Method,
    pub(crate) resists: bool,
}

impl Choice {
    /// As [`Method::torque_at`].
    pub(crate) fn torque_at(self) -> &'static [f64] {
        self.with(Facts).2
    }

    /// As [`Method::keeps_torque`].
    pub(crate) fn keeps_torque(self) -> bool {
        self.with(Facts).4
    }

    /// Numbers per body that the method saves between stages, or from step to step.
    pub(crate) fn saved_numbers(self) -> usize {
        self.with(Facts).3
    }

    /// Numbers per body that the method keeps from step to step.
    #[inline(always)]
    pub(crate) fn kept_numbers(self) -> usize {
        match self.method {
            Method::Pcdm => 0,
            _ if self.keeps_torque() => self.saved_numbers(),
            _ => 0,
        }
    }

    /// Refuses a method that loses its order under a resistance. `name`: the argument that is refused.
    pub(crate) fn check(self, name: &'static str) -> Result<(), Error> {
        if self.resists && !self.method.allows_resistance() {
            return Err(Error::Invalid { name, must: RESISTANCE });
        }
        Ok(())
    }

    /// Whether the method rotates the body freely between kicks; a rotor is then part of the rotation, otherwise of the torque.
    pub(crate) fn rotates_freely(self) -> bool {
        !self.resists && !matches!(self.method, Method::Pcdm | Method::Cf4)
    }

    /// Whether the method takes a resistance explicitly, so that it may be too stiff.
    pub(crate) fn is_explicit_under_resistance(self) -> bool {
        self.resists && self.method == Method::Cf4
    }

    /// Refuses a step of `h` that is not stable under a resistance with these coefficients (body axes). Only CF4 has a bound.
    pub(crate) fn check_stable(
        self,
        inertia: &PrincipalInertia<f64>,
        coefficients: Vec3<f64>,
        h: f64,
    ) -> Result<(), Error> {
        let rates = inertia.resistance_bound(coefficients).times(inertia.reciprocals);
        let stiffness = rates.0.iter().fold(0.0_f64, |most, rate| rate.max(most)) * h.abs();
        if self.is_explicit_under_resistance() && stiffness > MOST_STIFFNESS_OF_CF4 {
            return Err(Error::TooStiff { stiffness, bound: MOST_STIFFNESS_OF_CF4 });
        }
        Ok(())
    }

    /// The size of a step of `h` from a state, under a torque that is known or not.
    pub(crate) fn step_size(
        self,
        h: f64,
        inertia: &PrincipalInertia<f64>,
        omega_body: Vec3<f64>,
        torque_body: Option<Vec3<f64>>,
    ) -> StepSize {
        let size = StepSize::of(self.method.bounds(), h, inertia, omega_body, torque_body);
        if self.resists { StepSize { drag: 0.0, ..size } } else { size } // implicit, or checked before the step
    }

    /// Runs `work` with the scheme of this method.
    #[inline(always)]
    pub(crate) fn with<W: WithScheme>(self, work: W) -> W::Output {
        match (self.method, self.resists) {
            (Method::Pcdm, false) => work.with::<Pcdm>(),
            (Method::Splitting, false) => work.with::<Splitting<2>>(),
            (Method::Splitting4, _) => work.with::<Splitting<4>>(),
            (Method::Cf4, _) => work.with::<Cf4>(),
            (Method::Splitting6, _) => work.with::<Splitting<6>>(),
            (Method::ForceGradient, _) => work.with::<ForceGradient>(),
            (Method::Pcdm, true) => work.with::<DampedPcdm>(),
            (Method::Splitting, true) => work.with::<DampedSplitting>(),
        }
    }
}

/// CF4 is explicit. Its stability function `1 − z + z²/2 − z³/6 + z⁴/24` is below 1 up to z = 2.785.
const MOST_STIFFNESS_OF_CF4: f64 = 2.7;

/// What a torque or a method that is refused must be.
const RESISTANCE: &str = "must change: a splitting of order 4 or 6, also the force-gradient splitting, needs a torque that does \
    not depend on the angular velocity (take the splitting of order 2, PCDM or CF4)";
