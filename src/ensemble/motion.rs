//! What the steps of an ensemble change.

use super::last_torques::LastTorques;
use super::scratch::Workers;
use super::states::StateStore;
use crate::clock::Clock;

/// What the steps of an ensemble change, and the memory that they need.
pub(super) struct Motion<'a> {
    pub(super) states: StateStore<'a>,
    pub(super) last: LastTorques,
    pub(super) clock: Clock,
    /// Which steps lead from the other blocks to the current ones; `None`: the other blocks hold
    /// something else.
    pub(super) checkpoint: Option<Checkpoint>,
    pub(super) workers: Workers,
    /// For each chunk of gathered bodies whether its new states have been scattered.
    pub(super) scattered: Vec<bool>,
}

/// `steps` whole steps of `h` with the present torque and inertias. Taken again they give the same
/// bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checkpoint {
    pub(super) h: f64,
    pub(super) steps: u64,
    pub(super) are_drifts: bool,
}
