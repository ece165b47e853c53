//! The state of the stage protocol: the call that it expects.

use super::lanes::CHUNK;
use crate::memory::{self, Layout, States};

pub(super) struct Protocol {
    pub(super) pending: Pending,
    /// Of the arrays.
    pub(super) layout: Layout,
    /// For each chunk of bound arrays: a fingerprint of the numbers at the start of the step.
    pub(super) gathered: Vec<u64>,
}

impl Protocol {
    pub(super) fn idle() -> Self {
        Protocol { pending: Pending::Nothing, layout: Layout::Aos, gathered: Vec::new() }
    }

    /// Notes the numbers of the chunk of bound arrays that begins at position `first`, at the start of a step.
    pub(super) fn note(&mut self, first: usize, raw: States, count: usize) {
        self.gathered[first / CHUNK] = memory::fingerprint(raw, count);
    }

    /// Whether the caller has left these numbers as they were.
    pub(super) fn is_as_noted(&self, first: usize, raw: States, count: usize) -> bool {
        self.gathered[first / CHUNK] == memory::fingerprint(raw, count)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Begun {
    pub(super) dt: f64,
    /// Steps to be taken, including the current one.
    pub(super) steps: u64,
    /// The next stage to be written, or the stage whose torque is awaited. Equal to the number of stages: the step is complete.
    pub(super) stage: usize,
}

/// The call that the protocol expects.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pending {
    Nothing,
    Stage(Begun),
    Torque(Begun),
}

/// What the caller of the stage protocol has to do next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Progress {
    /// Supply the torque at this time, for the states just written.
    NeedTorque(f64),
    /// Nothing: all steps are complete.
    Done,
}
