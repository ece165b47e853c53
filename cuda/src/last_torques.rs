//! What a method keeps from step to step.

use crate::columns::{Columns, array_of};
use crate::layout::Array;
use crate::method::Plan;

/// Who has computed the last torques: see the module `last_torques` of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ComputedBy {
    Ensemble,
    Stages,
}

/// What a method keeps from step to step.
#[derive(Default)]
pub(crate) struct LastTorques {
    pub(crate) columns: Option<Columns>,
    /// `None`: the torques are not known.
    pub(crate) by: Option<ComputedBy>,
    /// Whether the rates of change are known, which steps with implicit drag keep besides.
    pub(crate) rates_are_known: bool,
}

impl LastTorques {
    /// Whether the method keeps the last torques, but none are known that `by` can go on with.
    pub(crate) fn are_asked_anew(&self, plan: &Plan, by: ComputedBy) -> bool {
        plan.keeps_torque && self.by != Some(by)
    }

    pub(crate) fn continue_by(&mut self, by: ComputedBy) {
        if self.by.is_some() {
            self.by = Some(by);
        }
    }

    /// The torques have been asked, beside the rates that were known.
    pub(crate) fn become_known_by(&mut self, by: ComputedBy) {
        self.by = Some(by);
        self.rates_are_known = true;
    }

    /// The motion is another one: nothing is known any more.
    pub(crate) fn forget(&mut self) {
        self.by = None;
        self.rates_are_known = false;
    }

    /// Where the rates of change are, if they are known.
    pub(crate) fn rates(&self) -> Array {
        if self.rates_are_known {
            self.array()
        } else {
            Array::default()
        }
    }

    pub(crate) fn array(&self) -> Array {
        array_of(self.columns.as_ref())
    }
}
