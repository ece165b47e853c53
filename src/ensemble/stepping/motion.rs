//! What the steps of an ensemble change.

use super::last_torques::LastTorques;
use super::scratch::Workers;
use crate::clock::Clock;
use crate::ensemble::states::own::StateStore;
use crate::error::Error;

/// What the steps of an ensemble change, and the memory that they need.
pub(crate) struct Motion<'a> {
    pub(crate) states: StateStore<'a>,
    pub(crate) last: LastTorques,
    pub(crate) clock: Clock,
    /// Which steps lead from the other blocks to the current ones; `None`: the other blocks hold
    /// something else.
    pub(crate) checkpoint: Option<Checkpoint>,
    pub(crate) workers: Workers,
    /// For each chunk of gathered bodies whether its new states have been scattered.
    pub(crate) scattered: Vec<bool>,
}

/// `steps` whole steps of `h` with the present torque and inertias. Taken again they give the same
/// bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checkpoint {
    pub(crate) h: f64,
    pub(crate) steps: u64,
    pub(crate) are_drifts: bool,
}

impl Motion<'_> {
    /// Of bodies as created.
    pub(crate) fn at_rest(count: usize) -> Result<Self, Error> {
        Ok(Motion {
            states: StateStore::at_rest(count)?,
            last: LastTorques::default(),
            clock: Clock::default(),
            checkpoint: None,
            workers: Workers::default(),
            scattered: Vec::new(),
        })
    }
}
