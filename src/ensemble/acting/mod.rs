//! What acts on the bodies, and how a chunk asks for its torques.

pub(crate) mod all;
pub(crate) mod ask;
pub(crate) mod drag_and_rotors;
pub(crate) mod fluid;
pub(crate) mod random;
pub(crate) mod random_factors;
pub(crate) mod random_loops;
pub(crate) mod torque;
pub(crate) mod torque_loops;
