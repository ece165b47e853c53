//! Setting the state of a body.

use super::Body;
use crate::error::{Error, finite};
use crate::kernel::{Quat, State, Vec3};
use crate::rotation::{self, VELOCITY_TOO_LARGE, components};
use nalgebra::{UnitQuaternion, Vector3};

/// The state between steps, its numbers 16 bytes apart. If they were adjacent, the compiler could store them singly and load
/// them in pairs, or the reverse. A load that spans two stores cannot be forwarded: 8 ns per step.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpacedState([[f64; 2]; 7]);

impl SpacedState {
    #[inline(always)]
    pub(super) fn new(state: &State<f64>) -> Self {
        let ([w, x, y, z], [a, b, c]) = (state.q.0, state.omega_body.0);
        SpacedState([[w, 0.0], [x, 0.0], [y, 0.0], [z, 0.0], [a, 0.0], [b, 0.0], [c, 0.0]])
    }

    #[inline(always)]
    pub(super) fn get(&self) -> State<f64> {
        let [[w, _], [x, _], [y, _], [z, _], [a, _], [b, _], [c, _]] = self.0;
        State { q: Quat([w, x, y, z]), omega_body: Vec3([a, b, c]) }
    }
}

impl Body {
    /// Sets orientation (body to world) and angular velocity (world frame). The clock does not change.
    /// Errors: as [`Body::new`]; the state is then unchanged.
    pub fn set_state(&mut self, orientation: UnitQuaternion<f64>, angular_velocity: Vector3<f64>) -> Result<(), Error> {
        let q = rotation::checked("orientation", components(orientation))?;
        let omega_world = rotation::checked_omega("angular_velocity", angular_velocity.into())?;
        let omega_body = q.to_body(omega_world);
        self.place(q, omega_body + Vec3::splat(0.0));
        Ok(())
    }

    /// Like [`Body::set_state`], with the angular velocity in the **body** frame. Restores the values of [`Body::orientation`]
    /// and [`Body::angular_velocity_body`] bit for bit. Errors: as [`Body::new`]; the state is then unchanged.
    pub fn set_state_body(
        &mut self, orientation: UnitQuaternion<f64>, angular_velocity_body: Vector3<f64>,
    ) -> Result<(), Error> {
        let q = rotation::checked_bits("orientation", components(orientation))?;
        rotation::checked_omega("angular_velocity_body", angular_velocity_body.into())?;
        self.place(q, Vec3(angular_velocity_body.into()));
        Ok(())
    }

    /// Without a rotation about locked axes.
    fn place(&mut self, q: Quat<f64>, omega_body: Vec3<f64>) {
        let omega_body = self.inertia.principal().turnable(omega_body);
        self.state = SpacedState::new(&State { q, omega_body });
        self.forget_computed();
    }

    /// Sets the angular velocity so that the angular momentum, with that of rotors, is this one: world frame. Orientation and clock stay.
    /// Errors: as [`Body::set_state`]; the angular velocity must be finite.
    pub fn set_angular_momentum(&mut self, angular_momentum: Vector3<f64>) -> Result<(), Error> {
        let momentum = Vec3(finite("angular_momentum", angular_momentum.into())?);
        let q = self.state.get().q;
        let momentum_body = q.to_body(momentum);
        let of_body = self.rotor().map_or(momentum_body, |rotor| momentum_body - rotor.momentum);
        let omega_body = self.inertia.principal().angular_velocity(of_body) + Vec3::splat(0.0);
        if !omega_body.dot(omega_body).is_finite() {
            return Err(Error::Invalid { name: "angular_momentum", must: VELOCITY_TOO_LARGE });
        }
        self.place(q, omega_body);
        Ok(())
    }
}
