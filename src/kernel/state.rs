//! The state of a body between steps, and the state passed to a torque.

use super::{Number, Quat, RotationMatrix, Vec3};

/// Orientation, and angular velocity in the body frame. There the spin of a free symmetric body is constant, and no step has to
/// rotate it to the world frame and back, which would add rounding errors (two digits at t = 100).
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))] // aligned, so that each load matches one earlier store: a load that spans two stores waits 5 ns per step
pub struct State<N> {
    /// Body to world.
    pub q: Quat<N>,
    /// rad/s, body frame.
    pub omega_body: Vec3<N>,
}

/// The state passed to a torque, in both frames.
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
