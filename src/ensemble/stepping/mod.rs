//! Steps: chosen, run over chunks on threads, committed or undone.

pub(crate) mod chunk;
pub(crate) mod kick_loops;
pub(crate) mod last_torques;
pub(crate) mod motion;
pub(crate) mod scratch;
pub(crate) mod stage_loops;
pub(crate) mod stages;
pub(crate) mod step;
pub(crate) mod sweep;
pub(crate) mod transaction;
pub(crate) mod whole;
