//! The total torque on a body: a torque with its checks, drag, and rotors.

use super::Body;
use crate::clock::Span;
use crate::error::{Error, check};
use crate::kernel::{PrincipalInertia, Rotor, State, TorqueState, Vec3, velocity_gained};
use crate::torque::{FluidDrag, Torque};
use nalgebra::Vector3;

/// The total torque: a torque, and the drag and the rotors besides it. Times are elapsed times of
/// `span`, because an ulp of the clock may be long.
///
/// The torque is asked only for finite states, and only finite torques are accepted. Under a
/// ready-made torque the end of the step shows whether all was finite, as in ensembles.
pub(super) struct TotalTorque<'t, T: ?Sized> {
    pub(super) torque: &'t mut T,
    pub(super) span: Span,
    pub(super) drag: Option<FluidDrag<f64>>,
    /// The rotors at the start of `span`; `None` if there are none, or if the method takes them
    /// into its free rotations.
    pub(super) rotor: Option<&'t Rotor<f64>>,
    pub(super) sees: Sees,
}

/// What a torque is shown of the rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sees {
    Rotation,
    /// A body at rest: the torque resists the rotation, beside random torques whose drag is the
    /// whole one.
    Rest,
    /// NaN: see [`Plan::hides_velocity`](crate::method::Plan::hides_velocity).
    NoVelocity,
}

impl<'t, T: Torque<Error: Into<Error>> + ?Sized> TotalTorque<'t, T> {
    /// The torque alone, without drag and rotors.
    #[inline(always)]
    pub(super) fn of(torque: &'t mut T, span: Span) -> Self {
        TotalTorque {
            torque,
            span,
            drag: None,
            rotor: None,
            sees: Sees::Rotation,
        }
    }

    /// The torque, with its checks.
    #[inline(always)]
    fn checked_torque(
        &mut self,
        t: f64,
        here: &TorqueState<f64>,
        inertia: &PrincipalInertia<f64>,
    ) -> Result<Vec3<f64>, Error> {
        let state = State {
            q: here.q,
            omega_body: here.omega_body,
        };
        if !T::IS_READY_MADE && self.torque.asks_orientation() && !state.is_finite() {
            return Err(Error::Overflow {
                time: self.span.time(0.0),
                size: None,
            });
        }
        let time = self.span.time(t);
        let seen = match self.sees {
            Sees::Rotation => *here,
            Sees::Rest => here.at_rest(),
            Sees::NoVelocity => here.without_velocity(),
        };
        let torque = (self.torque)
            .torque_body(time, &seen, inertia)
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

impl<T: Torque<Error: Into<Error>> + ?Sized> Torque for TotalTorque<'_, T> {
    type Error = Error;

    #[inline(always)]
    fn asks_orientation(&self) -> bool {
        self.torque.asks_orientation()
    }

    #[inline(always)]
    fn torque_body(
        &mut self,
        t: f64,
        here: &TorqueState<f64>,
        inertia: &PrincipalInertia<f64>,
    ) -> Result<Vec3<f64>, Error> {
        let mut total = Vec3::splat(0.0);
        if T::ACTS {
            total = self.checked_torque(t, here, inertia)?;
        }
        if let Some(drag) = &self.drag {
            total = total + drag.at(here);
        }
        if let Some(rotor) = self.rotor {
            let momentum = rotor.after(t - self.span.start);
            total = total + momentum.cross(here.omega_body);
            if rotor.is_driven {
                total = total + rotor.motor;
            }
        }
        Ok(total)
    }

    #[inline(always)]
    fn torque_if_any(
        &mut self,
        t: f64,
        here: &TorqueState<f64>,
        inertia: &PrincipalInertia<f64>,
    ) -> Result<Option<Vec3<f64>>, Error> {
        if T::ACTS || self.drag.is_some() || self.rotor.is_some() {
            self.torque_body(t, here, inertia).map(Some)
        } else {
            Ok(None)
        }
    }
}

/// A [`TotalTorque`] behind a pointer, so that methods are compiled once and not for each torque.
pub(super) trait AnyTotalTorque {
    fn at(
        &mut self,
        t: f64,
        here: &TorqueState<f64>,
        inertia: &PrincipalInertia<f64>,
    ) -> Result<Vec3<f64>, Error>;
}

impl<T: Torque<Error: Into<Error>> + ?Sized> AnyTotalTorque for TotalTorque<'_, T> {
    fn at(
        &mut self,
        t: f64,
        here: &TorqueState<f64>,
        inertia: &PrincipalInertia<f64>,
    ) -> Result<Vec3<f64>, Error> {
        self.torque_body(t, here, inertia)
    }
}

impl Torque for dyn AnyTotalTorque + '_ {
    type Error = Error;

    #[inline(always)]
    fn torque_body(
        &mut self,
        t: f64,
        here: &TorqueState<f64>,
        inertia: &PrincipalInertia<f64>,
    ) -> Result<Vec3<f64>, Error> {
        self.at(t, here, inertia)
    }
}

impl Body {
    /// All that acts on the body at its present state, world frame: the torque, drag, and the
    /// motors of rotors, but not the gyroscopic torques `(I ω + h) × ω`. It asks the torque once,
    /// and the body stays as it is. Errors: the torque returned an error or is not finite;
    /// [`Error::OutOfRange`] if the sum overflows; [`Error::Invalid`] with random torques.
    pub fn total_torque<T: Torque<Error: Into<Error>> + ?Sized>(
        &self,
        torque: &mut T,
    ) -> Result<Vector3<f64>, Error> {
        let (here, torque_body) = self.torque_without_gyroscopic(torque)?;
        in_world(&here, torque_body, "torque")
    }

    /// `dω/dt` at the present state, world frame, rad/s²: by Euler's equation, with all of
    /// [`Body::total_torque`]. Errors: as there; [`Error::Invalid`] where the inertia changes,
    /// whose rate nobody knows.
    pub fn angular_acceleration<T: Torque<Error: Into<Error>> + ?Sized>(
        &self,
        torque: &mut T,
    ) -> Result<Vector3<f64>, Error> {
        let is_constant = self.changing_inertia().is_none();
        check(is_constant, "body", "must have a constant inertia")?;
        let (here, mut torque_body) = self.torque_without_gyroscopic(torque)?;
        let omega = here.omega_body;
        if let Some(rotor) = self.rotor() {
            torque_body = torque_body + rotor.momentum.cross(omega);
        }
        // dω/dt has the same components for both observers, as ω × ω = 0
        let acceleration = velocity_gained(&self.inertia.principal, omega, Some(torque_body), 1.0);
        in_world(&here, acceleration, "angular_acceleration")
    }

    /// The present state, and the total torque there without the gyroscopic torques, body frame.
    fn torque_without_gyroscopic<T: Torque<Error: Into<Error>> + ?Sized>(
        &self,
        torque: &mut T,
    ) -> Result<(TorqueState<f64>, Vec3<f64>), Error> {
        let must = "must have no random torques: they have no value at an instant";
        check(self.random().is_none(), "body", must)?;
        let here = TorqueState::at(&self.state.get());
        let mut without_rotors = TotalTorque::of(torque, Span::from(self.time()));
        without_rotors.drag = self.drag();
        let mut total = without_rotors.torque_body(0.0, &here, &self.inertia.principal)?;
        if let Some(rotor) = self.rotor()
            && rotor.is_driven
        {
            total = total + rotor.motor;
        }
        Ok((here, total))
    }
}

/// A vector of the body frame, in the world frame. Errors: it overflows.
fn in_world(
    here: &TorqueState<f64>,
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
