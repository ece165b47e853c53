//! The boundary of the C interface, from within the crate: no C function panics on purpose.

use super::*;
use crate::ffi::{QI_ERR_PANIC, qi_last_error};
use std::ffi::CStr;

#[test]
fn a_panic_becomes_a_status_and_says_where() {
    std::panic::set_hook(Box::new(|_| {})); // keeps the test's output clean
    let status = boundary("qi_step", || panic!("on purpose"));
    assert_eq!(status, QI_ERR_PANIC);
    // SAFETY: a C string, valid until the next failure on this thread.
    let message = unsafe { CStr::from_ptr(qi_last_error()) };
    assert_eq!(
        message.to_str(),
        Ok("qi_step: a defect of the library: it panicked")
    );
}

#[test]
fn a_message_that_is_too_long_is_cut_at_a_character() {
    boundary("é".repeat(300).leak(), || Err(crate::Error::Memory.into()));
    // SAFETY: as above.
    let message = unsafe { CStr::from_ptr(qi_last_error()) };
    assert_eq!(message.to_str().map(str::len), Ok(510));
}
