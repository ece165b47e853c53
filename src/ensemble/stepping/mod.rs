//! Steps: chosen, run over chunks on threads, committed or undone.

pub(crate) mod kicks;
pub(crate) mod last_torques;
pub(crate) mod motion;
pub(crate) mod protocol;
pub(crate) mod stages;
pub(crate) mod step;
pub(crate) mod sweep;
pub(crate) mod thermalize;
pub(crate) mod transaction;
pub(crate) mod whole;
