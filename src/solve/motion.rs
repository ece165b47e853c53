//! The motion that a solution follows: what acts on the body, and how often that was asked.

use crate::error::Error;
use crate::kernel::{PrincipalInertia, State, Vec3, velocity_gained};

/// All that acts, in the body frame, at a time since the start of the solution. Behind a pointer,
/// so that the methods are compiled once.
pub(crate) type TotalTorque<'a> = dyn FnMut(f64, &State<f64>) -> Result<Vec3<f64>, Error> + 'a;

/// A body with its torque.
pub(crate) struct Motion<'a> {
    pub(crate) inertia: &'a PrincipalInertia<f64>,
    pub(crate) torque: &'a mut TotalTorque<'a>,
    /// How often the torque has been asked, and how often it may be.
    pub(crate) evaluations: u64,
    pub(crate) most_evaluations: u64,
}

impl Motion<'_> {
    /// `ω'` of a state, rad/s², body frame: one evaluation of the torque.
    #[inline(always)]
    pub(super) fn acceleration(
        &mut self,
        elapsed: f64,
        state: &State<f64>,
    ) -> Result<Vec3<f64>, Error> {
        if self.evaluations == self.most_evaluations {
            return Err(self.too_many_evaluations());
        }
        let size = state.q.norm_squared() + state.omega_body.dot(state.omega_body);
        if !size.is_finite() {
            return Err(self.overflow());
        }
        self.evaluations += 1;
        let torque_body = (self.torque)(elapsed, state)?;
        Ok(velocity_gained(
            self.inertia,
            state.omega_body,
            Some(torque_body),
            1.0,
        ))
    }

    /// A trial step went astray. The integrator knows when.
    #[cold]
    fn overflow(&self) -> Error {
        Error::Overflow {
            time: f64::NAN,
            size: None,
        }
    }

    /// The integrator adds when this happened, and whether the torque looks stiff.
    #[cold]
    fn too_many_evaluations(&self) -> Error {
        Error::TooManyEvaluations {
            most: self.most_evaluations,
            time: f64::NAN,
            looks_stiff: false,
        }
    }
}
