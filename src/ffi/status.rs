//! Statuses, their names and messages, and the detail of the last failure.

use super::check::Failure;
use crate::Error;
use libc::c_char;
use std::cell::UnsafeCell;
use std::ffi::CStr;
use std::fmt::{self, Write};

/// What a call came to: QI_OK is 0, errors are negative, and a positive status is "not an error, but".
pub type qi_status = i32;

/// All is well.
pub const QI_OK: qi_status = 0;
/// Not an error: the stage protocol waits for a torque.
pub const QI_NEED_TORQUE: qi_status = 1;
/// A pointer that must not be is NULL.
pub const QI_ERR_NULL: qi_status = -1;
/// A pointer is not aligned for what it points to.
pub const QI_ERR_MISALIGNED: qi_status = -2;
/// An argument is outside the values it may have.
pub const QI_ERR_INVALID: qi_status = -3;
/// An argument, a torque or the motion itself is NaN or infinite.
pub const QI_ERR_NON_FINITE: qi_status = -4;
/// The inertia tensor is not symmetric, not positive definite, or out of range.
pub const QI_ERR_INERTIA: qi_status = -5;
/// An orientation is too far from unit length, or a matrix from a rotation.
pub const QI_ERR_ORIENTATION: qi_status = -6;
/// The torque callback returned something other than 0.
pub const QI_ERR_CALLBACK: qi_status = -7;
/// There is no room for what would be written.
pub const QI_ERR_CAPACITY: qi_status = -8;
/// The object is in use: by a call of its own torque callback, or from another thread.
pub const QI_ERR_BUSY: qi_status = -9;
/// Memory is exhausted.
pub const QI_ERR_MEMORY: qi_status = -10;
/// A defect of the library itself; the object is valid.
pub const QI_ERR_PANIC: qi_status = -11;
/// The calls of the stage protocol came in an order that makes no sense.
pub const QI_ERR_ORDER: qi_status = -12;

/// The name and the meaning of a status.
fn described(status: qi_status) -> (&'static CStr, &'static CStr) {
    match status {
        QI_OK => (c"QI_OK", c"all is well"),
        QI_NEED_TORQUE => (c"QI_NEED_TORQUE", c"a torque is needed to go on"),
        QI_ERR_NULL => (c"QI_ERR_NULL", c"a pointer that must not be is NULL"),
        QI_ERR_MISALIGNED => (c"QI_ERR_MISALIGNED", c"a pointer is not aligned for what it points to"),
        QI_ERR_INVALID => (c"QI_ERR_INVALID", c"an argument is outside the values it may have"),
        QI_ERR_NON_FINITE => (c"QI_ERR_NON_FINITE", c"an argument, a torque or the motion is NaN or infinite"),
        QI_ERR_INERTIA => {
            (c"QI_ERR_INERTIA", c"the inertia tensor is not symmetric, not positive definite or out of range")
        }
        QI_ERR_ORIENTATION => (c"QI_ERR_ORIENTATION", c"an orientation is too far from a rotation"),
        QI_ERR_CALLBACK => (c"QI_ERR_CALLBACK", c"the torque callback returned something other than 0"),
        QI_ERR_CAPACITY => (c"QI_ERR_CAPACITY", c"there is no room for what would be written"),
        QI_ERR_BUSY => (c"QI_ERR_BUSY", c"the object is in use, by its own torque callback or by another thread"),
        QI_ERR_MEMORY => (c"QI_ERR_MEMORY", c"memory is exhausted"),
        QI_ERR_PANIC => (c"QI_ERR_PANIC", c"a defect of the library itself"),
        QI_ERR_ORDER => (c"QI_ERR_ORDER", c"the calls of the stage protocol came in the wrong order"),
        _ => (c"unknown status", c"unknown status"),
    }
}

impl Failure {
    pub(super) fn status(&self) -> qi_status {
        match self {
            Failure::Null(_) => QI_ERR_NULL,
            Failure::Misaligned(_) => QI_ERR_MISALIGNED,
            Failure::Busy(_) => QI_ERR_BUSY,
            Failure::Memory => QI_ERR_MEMORY,
            Failure::Interrupted(interrupted) => status_of(&interrupted.error),
            Failure::Refused(error) => status_of(error),
        }
    }
}

fn status_of(error: &Error) -> qi_status {
    match error {
        Error::NotFinite { .. }
        | Error::TorqueNotFinite { .. }
        | Error::TorqueNotFiniteAt { .. }
        | Error::Overflow { .. }
        | Error::OverflowAt { .. }
        | Error::OutOfRange { .. } => QI_ERR_NON_FINITE,
        Error::NotUnit { .. } | Error::NotRotation { .. } => QI_ERR_ORIENTATION,
        Error::NoDirection { .. } | Error::Invalid { .. } | Error::AtBody { .. } => QI_ERR_INVALID,
        Error::InertiaNotSymmetric { .. } | Error::InertiaNotPositive { .. } | Error::InertiaOutOfRange { .. } => {
            QI_ERR_INERTIA
        }
        Error::Capacity { .. } => QI_ERR_CAPACITY,
        Error::Callback { .. } | Error::CallbackAt { .. } => QI_ERR_CALLBACK,
        Error::Order(_) => QI_ERR_ORDER,
        Error::Memory => QI_ERR_MEMORY,
    }
}

/// Name of a status, such as "QI_ERR_CALLBACK": a static string, for any integer. Any thread may call it; it cannot fail.
#[unsafe(no_mangle)]
pub extern "C" fn qi_status_name(status: qi_status) -> *const c_char {
    described(status).0.as_ptr()
}

/// Meaning of a status in a few words: a static string, for any integer. Any thread may call it; it cannot fail.
#[unsafe(no_mangle)]
pub extern "C" fn qi_status_message(status: qi_status) -> *const c_char {
    described(status).1.as_ptr()
}

/// Detail of the last failure on this thread: which function, which argument or body, and what was wrong with it.
///
/// Never NULL, and empty before the first failure. A call that succeeds leaves it as it is. The string belongs to the
/// library and holds until the next failure on the same thread.
#[unsafe(no_mangle)]
pub extern "C" fn qi_last_error() -> *const c_char {
    // SAFETY: the buffer is this thread's own, and nobody holds a reference into it outside of `remember`.
    LAST_ERROR.with(|message| unsafe { (*message.get()).bytes.as_ptr().cast() })
}

/// Keeps the detail of a failure for [`qi_last_error`]. Allocates nothing.
pub(super) fn remember(function: &str, detail: &dyn fmt::Display) {
    LAST_ERROR.with(|message| {
        // SAFETY: the buffer is this thread's own, and `detail` cannot reach it: no reference to it leaves this closure.
        let message = unsafe { &mut *message.get() };
        message.length = 0;
        let _ = write!(message, "{function}: {detail}"); // cut short where it does not fit, which is not an error
        message.bytes[message.length] = 0;
    });
}

/// A string of bounded length with a NUL behind it.
struct Message {
    bytes: [u8; 512],
    length: usize,
}

thread_local! {
    static LAST_ERROR: UnsafeCell<Message> = const { UnsafeCell::new(Message { bytes: [0; 512], length: 0 }) };
}

impl Write for Message {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = self.bytes.len() - 1 - self.length;
        let taken = text.floor_char_boundary(room);
        self.bytes[self.length..self.length + taken].copy_from_slice(&text.as_bytes()[..taken]);
        self.length += taken;
        if taken < text.len() { Err(fmt::Error) } else { Ok(()) }
    }
}
