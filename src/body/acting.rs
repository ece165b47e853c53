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
        self.checked(t, here, |torque, t| torque.torque_body(t, here, inertia))
    }

    #[inline(always)]
    fn torque_world(
        &mut self,
        t: f64,
        here: &Here<f64>,
        inertia: &PrincipalInertia<f64>,
    ) -> Result<Vec3<f64>, Error> {
        // where a trial step of a solution makes q long, the velocity overflows in this frame alone
        let in_world = Here {
            omega_body: here.omega_world,
            ..*here
        };
        self.checked(t, &in_world, |torque, t| {
            torque.torque_world(t, here, inertia)
        })
    }
}

impl<T: Torque<Error: Into<Error>> + ?Sized> Guarded<'_, T> {
    #[inline(always)]
    fn checked(
        &mut self,
        t: f64,
        &Here { q, omega_body, .. }: &Here<f64>,
        ask: impl FnOnce(&mut T, f64) -> Result<Vec3<f64>, T::Error>,
    ) -> Result<Vec3<f64>, Error> {
        if T::ASKS_ORIENTATION && !T::IS_READY_MADE && !is_finite(&State { q, omega_body }) {
            return Err(Error::Overflow {
                time: self.span.time(0.0),
                size: None,
            });
        }
        let time = self.span.time(t);
        let torque = ask(self.torque, time).map_err(Into::into)?;
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
    /// What acts besides the torque, body frame.
    #[inline(always)]
    fn besides(&self, t: f64, here: &Here<f64>) -> [Option<Vec3<f64>>; 3] {
        let gyroscopic = self.rotor.map(|rotor| {
            rotor
                .after(t - self.guarded.span.start)
                .cross(here.omega_body)
        });
        let motor = self
            .rotor
            .filter(|rotor| rotor.is_driven)
            .map(|rotor| rotor.motor);
        [self.drag.map(|drag| drag.at(here)), gyroscopic, motor]
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
        Ok(self
            .besides(t, here)
            .into_iter()
            .flatten()
            .fold(torque, |sum, part| sum + part))
    }

    #[inline(always)]
    fn torque_world(
        &mut self,
        t: f64,
        here: &Here<f64>,
        inertia: &PrincipalInertia<f64>,
    ) -> Result<Vec3<f64>, Error> {
        let torque = if T::ACTS {
            self.guarded.torque_world(t, here, inertia)?
        } else {
            Vec3::splat(0.0)
        };
        let besides = self.besides(t, here).into_iter().flatten();
        let whole = besides.fold(torque, |sum, part| sum + here.to_world.rotate(part));
        // it changes a momentum in this frame, so it is without its part about locked axes
        let locked = |torque| {
            here.to_world
                .rotate(inertia.locked(here.to_world.rotate_back(torque)))
        };
        Ok(if inertia.is_locked() {
            whole - locked(whole)
        } else {
            whole
        })
    }
}
