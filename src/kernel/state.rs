//! What the integrators keep of a body between steps, and what a torque is told.

use super::{Number, Quat, RotationMatrix, Vec3};

/// Orientation, and angular velocity in the body frame.
///
/// The angular velocity is kept in the body frame because the spin of a free symmetric body is constant there, and because
/// turning it to the world and back in each step would add rounding (two digits at t = 100).
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))] // loaded in the pieces it was stored in: otherwise a load waits for two stores, 5 ns a step
pub struct State<N> {
    /// Body to world.
    pub q: Quat<N>,
    /// rad/s, body frame.
    pub omega_body: Vec3<N>,
}

/// The state at which a torque is asked, in both frames.
#[derive(Clone, Copy, Debug)]
pub struct Here<N> {
    /// Body to world.
    pub q: Quat<N>,
    /// The same rotation as a matrix.
    pub to_world: RotationMatrix<N>,
    /// rad/s, body frame.
    pub omega_body: Vec3<N>,
    /// rad/s, world frame.
    pub omega_world: Vec3<N>,
}

impl<N: Number> Here<N> {
    /// Computes the rotation matrix and the world angular velocity of a state.
    #[inline(always)]
    pub fn at(state: &State<N>) -> Self {
        let to_world = state.q.to_matrix();
        Here { q: state.q, to_world, omega_body: state.omega_body, omega_world: to_world.rotate(state.omega_body) }
    }
}
