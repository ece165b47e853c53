//! Which bodies have failed since the last check: kernels write it on the device.

use crate::driver::{Address, Buffer, Device, Pinned};
use crate::layout::Failures;
use crate::refusal::Refusal;
use std::ffi::c_void;
use std::sync::Arc;

const NONE: [u64; 2] = [Failures::NONE.first, Failures::NONE.count];

pub(crate) struct FailureRecord {
    on_device: Buffer,
    /// A copy of it on the host.
    seen: Pinned<2>,
    /// What is written on the device when it has been reported.
    none: Pinned<2>,
    /// Whether [`FailureRecord::look`] has asked for a copy that it has not read yet.
    is_asked: bool,
}

impl FailureRecord {
    pub(crate) fn new(device: &Arc<Device>) -> Result<Self, Refusal> {
        Ok(FailureRecord {
            on_device: Buffer::of(device, &NONE)?,
            seen: Pinned::new(device, NONE)?,
            none: Pinned::new(device, NONE)?,
            is_asked: false,
        })
    }

    pub(crate) fn address(&self) -> Address {
        self.on_device.address()
    }

    /// Waits for all that the stream has been given. A failure is forgotten when it is reported.
    pub(crate) fn check(&mut self, device: &Device, stream: *mut c_void) -> Result<(), Refusal> {
        self.is_asked = false;
        self.seen.start_from(&self.on_device, stream)?;
        device.synchronise(stream)?;
        let outcome = reported(self.seen.get());
        if outcome.is_err() {
            self.none.start_to(&self.on_device, stream)?;
        }
        outcome
    }

    /// Reports what is known of what the stream has done, and does not wait. It remains for
    /// [`FailureRecord::check`] to report it again, and to forget it.
    pub(crate) fn look(&mut self, stream: *mut c_void) -> Result<(), Refusal> {
        if self.is_asked {
            if !self.seen.has_arrived()? {
                return Ok(());
            }
            reported(self.seen.get())?;
        }
        self.is_asked = false; // it stays so if the next line fails
        self.seen.start_from(&self.on_device, stream)?;
        self.is_asked = true;
        Ok(())
    }
}

fn reported([first, count]: [u64; 2]) -> Result<(), Refusal> {
    if [first, count] == NONE {
        return Ok(());
    }
    Err(Refusal::Bodies {
        first: first >> 8,
        cause: first & 0xff,
        count,
    })
}
