//! Where the stage protocol is: which step has been begun, and what may come next.

use crate::columns::Columns;
use crate::error::Error;

/// Steps that have been begun.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Begun {
    pub(crate) dt: f64,
    /// Steps to be taken, including the current one.
    pub(crate) steps: u64,
    /// The next stage to be shown, or the one whose torque is awaited.
    pub(crate) stage: usize,
    pub(crate) awaits_torque: bool,
}

/// Where the protocol is, and its memory.
#[derive(Default)]
pub(crate) struct Protocol {
    pub(crate) pending: Option<Begun>,
    /// The states of the stage.
    pub(crate) states: Option<Columns>,
    /// What the method saves between stages.
    pub(crate) saved: Option<Columns>,
}

impl Protocol {
    pub(crate) fn check_no_step_begun(&self) -> Result<(), Error> {
        if self.pending.is_none() {
            Ok(())
        } else {
            Err(Error::Order(
                "a step has been begun: take it to its end or cancel it first",
            ))
        }
    }

    /// The step that has been begun, if its torque is awaited or, otherwise, if it is not.
    pub(crate) fn begun(&self, awaits_torque: bool) -> Result<Begun, Error> {
        Err(Error::Order(match self.pending {
            Some(begun) if begun.awaits_torque == awaits_torque => return Ok(begun),
            None => "no step has been begun",
            Some(_) if awaits_torque => "no torque is awaited: ask for the next stage first",
            Some(_) => "the torque of the last stage has not been supplied",
        }))
    }
}
