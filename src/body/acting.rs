//! All that acts on a body: the torque with its checks, drag, and the gyroscopic torque of rotors.

use super::Body;
use crate::error::{Error, check};
use crate::kernel::{Here, PrincipalInertia, Rotor, State, Vec3, velocity_gained};
use crate::torque::{FluidDrag, Torque};
use crate::{clock::Span, solve::is_finite};
use nalgebra::Vector3;

/// Takes times since the start, which an ulp of the clock does not blur. Calls the torque only for
/// finite states, and accepts only finite torques. Under a ready-made torque, the end of the step
/// shows whether all was finite, as in ensembles.
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

impl Body {
    /// All that acts on the body at its present state, world frame: the torque, drag, and the
    /// motors of rotors. The gyroscopic torques `(I ω + h) × ω` are not among it. It asks the
    /// torque once, and the body stays as it is. Errors: the torque returned an error or is not
    /// finite; [`Error::OutOfRange`] if the sum overflows; [`Error::Invalid`] with random torques.
    pub fn total_torque<T: Torque<Error: Into<Error>> + ?Sized>(
        &self,
        torque: &mut T,
    ) -> Result<Vector3<f64>, Error> {
        let (here, torque_body) = self.acting(torque)?;
        in_world(&here, torque_body, "torque")
    }

    /// `dω/dt` at the present state, world frame, rad/s²: by Euler's equation, with all of
    /// [`Body::total_torque`]. Errors: as there.
    pub fn angular_acceleration<T: Torque<Error: Into<Error>> + ?Sized>(
        &self,
        torque: &mut T,
    ) -> Result<Vector3<f64>, Error> {
        let (here, mut torque_body) = self.acting(torque)?;
        let omega = here.omega_body;
        if let Some(rotor) = self.rotor() {
            torque_body = torque_body + rotor.momentum.cross(omega);
        }
        // dω/dt has the same components for both observers, as ω × ω = 0
        let acceleration = velocity_gained(&self.inertia.principal, omega, Some(torque_body), 1.0);
        in_world(&here, acceleration, "angular_acceleration")
    }

    /// The present state, and all that acts there besides the gyroscopic torques, body frame.
    fn acting<T: Torque<Error: Into<Error>> + ?Sized>(
        &self,
        torque: &mut T,
    ) -> Result<(Here<f64>, Vec3<f64>), Error> {
        let must = "must have no random torques: they have no value at an instant";
        check(self.random().is_none(), "body", must)?;
        let here = Here::at(&self.state.get());
        let span = Span::from(self.time());
        let given = Guarded { torque, span }.torque_if_any(0.0, &here, &self.inertia.principal)?;
        let mut acting = given.unwrap_or(Vec3::splat(0.0));
        if let Some(drag) = self.drag() {
            acting = acting + drag.at(&here);
        }
        if let Some(rotor) = self.rotor().filter(|rotor| rotor.is_driven) {
            acting = acting + rotor.motor;
        }
        Ok((here, acting))
    }
}

/// A vector of the body frame, in the world frame. Errors: it overflows.
fn in_world(
    here: &Here<f64>,
    vector_body: Vec3<f64>,
    name: &'static str,
) -> Result<Vector3<f64>, Error> {
    let vector = here.to_world.rotate(vector_body).0;
    if vector.iter().all(|x| x.is_finite()) {
        Ok(vector.into())
    } else {
        Err(Error::OutOfRange { name })
    }
}
