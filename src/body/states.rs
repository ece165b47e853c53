//! Setting the state of a body.

use super::stepping::LastTorque;
use super::{Body, SpacedState};
use crate::error::{Error, finite};
use crate::kernel::{State, Vec3};
use crate::rotation::{self, VELOCITY_TOO_LARGE, components};
use nalgebra::{UnitQuaternion, Vector3};

impl Body {
    /// Sets orientation (body to world) and angular velocity (world frame). The clock does not change.
    /// Errors: as [`Body::new`]; the state is then unchanged.
    pub fn set_state(&mut self, orientation: UnitQuaternion<f64>, angular_velocity: Vector3<f64>) -> Result<(), Error> {
        let q = rotation::checked("orientation", components(orientation))?;
        let omega_world = rotation::checked_omega("angular_velocity", angular_velocity.into())?;
        let omega_body = q.to_body(omega_world);
        self.state = SpacedState::new(&State { q, omega_body: omega_body + Vec3::splat(0.0) });
        self.forget_torque();
        Ok(())
    }

    /// Like [`Body::set_state`], with the angular velocity in the **body** frame. Restores the values of [`Body::orientation`]
    /// and [`Body::angular_velocity_body`] bit for bit. Errors: as [`Body::new`]; the state is then unchanged.
    pub fn set_state_body(
        &mut self, orientation: UnitQuaternion<f64>, angular_velocity_body: Vector3<f64>,
    ) -> Result<(), Error> {
        let q = rotation::checked_bits("orientation", components(orientation))?;
        rotation::checked_omega("angular_velocity_body", angular_velocity_body.into())?;
        self.state = SpacedState::new(&State { q, omega_body: Vec3(angular_velocity_body.into()) });
        self.forget_torque();
        Ok(())
    }

    /// Sets the angular velocity so that the angular momentum, with that of rotors, is this one: world frame. Orientation and clock stay.
    /// Errors: as [`Body::set_state`]; the angular velocity must be finite.
    pub fn set_angular_momentum(&mut self, angular_momentum: Vector3<f64>) -> Result<(), Error> {
        let momentum = Vec3(finite("angular_momentum", angular_momentum.into())?);
        let q = self.state.get().q;
        let momentum_body = q.to_body(momentum);
        let of_body = self.rotor.map_or(momentum_body, |rotor| momentum_body - rotor);
        let omega_body = self.inertia.principal().angular_velocity(of_body) + Vec3::splat(0.0);
        if !omega_body.dot(omega_body).is_finite() {
            return Err(Error::Invalid { name: "angular_momentum", must: VELOCITY_TOO_LARGE });
        }
        self.state = SpacedState::new(&State { q, omega_body });
        self.forget_torque();
        Ok(())
    }

    /// What the method keeps from step to step, as numbers for a file; `None`: nothing, or nothing yet. See
    /// [`Method::keeps_torque`](crate::Method::keeps_torque).
    pub fn memory(&self) -> Option<[f64; 8]> {
        self.kept.as_numbers()
    }

    /// Restores [`Body::memory`], so that the body goes on with the same bits. Call it last: setting state, clock, method, drag or rotors
    /// makes the method forget the torque. Errors: [`Error::NotFinite`].
    pub fn set_memory(&mut self, memory: Option<[f64; 8]>) -> Result<(), Error> {
        self.kept = match memory {
            Some(numbers) => LastTorque::of_numbers(finite("memory", numbers)?),
            None => LastTorque::default(),
        };
        Ok(())
    }
}
