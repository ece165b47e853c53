//! All that acts on a body: the torque with its checks, drag, and the gyroscopic torque of rotors.

use crate::kernel::{Here, PrincipalInertia, Rotor, State, Vec3};
use crate::torque::{FluidDrag, Torque};
use crate::{clock::Span, error::Error, solve::is_finite};

/// Takes times since the start, which an ulp of the clock does not blur. Calls the torque only for finite states, and accepts only finite
/// torques. Under a ready-made torque, the end of the step shows whether all was finite, as in ensembles.
pub(super) struct Guarded<'t, T: ?Sized> {
    pub(super) torque: &'t mut T,
    pub(super) span: Span,
}

impl<T: Torque<Error: Into<Error>> + ?Sized> Torque for Guarded<'_, T> {
    type Error = Error;
    const ACTS: bool = T::ACTS;
    const ASKS_ORIENTATION: bool = T::ASKS_ORIENTATION;

    #[inline(always)]
    fn torque_body(
        &mut self,
        t: f64,
        here: &Here<f64>,
        inertia: &PrincipalInertia<f64>,
    ) -> Result<Vec3<f64>, Error> {
        let state = State {
            q: here.q,
            omega_body: here.omega_body,
        };
        if T::ASKS_ORIENTATION && !T::IS_READY_MADE && !is_finite(&state) {
            return Err(Error::Overflow {
                time: self.span.time(0.0),
                size: None,
            });
        }
        let time = self.span.time(t);
        let torque = (self.torque)
            .torque_body(time, here, inertia)
            .map_err(Into::into)?;
        let [x, y, z] = torque.0;
        // the sum is finite unless a component is not, or some are close to the largest double
        if T::IS_READY_MADE || (x + y + z).is_finite() || torque.0.iter().all(|x| x.is_finite()) {
            return Ok(torque);
        }
        Err(Error::TorqueNotFinite {
            time,
            torque: torque.0,
        })
    }
}

/// The torque with the body's drag and the gyroscopic torque of its rotors.
pub(super) struct Dragged<'t, T: ?Sized> {
    pub(super) guarded: Guarded<'t, T>,
    pub(super) drag: Option<FluidDrag<f64>>,
    pub(super) rotor: Option<&'t Rotor<f64>>,
}

impl<T: ?Sized> Dragged<'_, T> {
    /// What acts besides the torque, body frame, is added to it.
    #[inline(always)]
    fn plus_the_others(&self, mut torque: Vec3<f64>, t: f64, here: &Here<f64>) -> Vec3<f64> {
        if let Some(drag) = &self.drag {
            torque = torque + drag.at(here);
        }
        if let Some(rotor) = self.rotor {
            let momentum = rotor.after(t - self.guarded.span.start);
            torque = torque + momentum.cross(here.omega_body);
            if rotor.is_driven {
                torque = torque + rotor.motor;
            }
        }
        torque
    }
}

impl<T: Torque<Error: Into<Error>> + ?Sized> Torque for Dragged<'_, T> {
    type Error = Error;

    #[inline(always)]
    fn torque_body(
        &mut self,
        t: f64,
        here: &Here<f64>,
        inertia: &PrincipalInertia<f64>,
    ) -> Result<Vec3<f64>, Error> {
        let torque = self
            .guarded
            .torque_if_any(t, here, inertia)?
            .unwrap_or(Vec3::splat(0.0));
        Ok(self.plus_the_others(torque, t, here))
    }
}
