//! Points that are fixed to the bodies.

pub(crate) mod arms;
pub(crate) mod loops;
