//! What each body has of its own: inertias, parameters of torques, and which bodies move.

pub(crate) mod active;
pub(crate) mod parameters;
pub(crate) mod stores;
