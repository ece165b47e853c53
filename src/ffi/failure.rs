//! The versions of the header and of the library; statuses, their names and messages, and the last
//! failure of each thread.

use crate::error::{Error, Failure, Prefix};
use crate::status::*;
use std::cell::UnsafeCell;
use std::ffi::{CStr, c_char};
use std::io::{self, Write};

/// Major version of the header.
pub const QI_VERSION_MAJOR: u32 = 0;
/// Minor version of the header.
pub const QI_VERSION_MINOR: u32 = 2;
/// Patch version of the header.
pub const QI_VERSION_PATCH: u32 = 0;
/// Version of the header as one number, for comparisons: `MAJOR << 16 | MINOR << 8 | PATCH`.
pub const QI_VERSION_NUMBER: u32 =
    (QI_VERSION_MAJOR << 16) | (QI_VERSION_MINOR << 8) | QI_VERSION_PATCH;

/// Name and meaning of a status.
fn described(status: qi_status) -> (&'static CStr, &'static CStr) {
    match status {
        QI_OK => (c"QI_OK", c"success"),
        QI_NEED_TORQUE => (c"QI_NEED_TORQUE", c"the torque of the stage is needed"),
        QI_EVENT => (c"QI_EVENT", c"the event has been reached"),
        QI_ERR_NULL => (c"QI_ERR_NULL", c"a required pointer is NULL"),
        QI_ERR_MISALIGNED => (
            c"QI_ERR_MISALIGNED",
            c"a pointer is not aligned to its type",
        ),
        QI_ERR_INVALID => (c"QI_ERR_INVALID", c"an argument is out of its range"),
        QI_ERR_NON_FINITE => (
            c"QI_ERR_NON_FINITE",
            c"an argument, a torque or the motion is NaN or infinite",
        ),
        QI_ERR_INERTIA => (
            c"QI_ERR_INERTIA",
            c"the inertia tensor is not symmetric positive definite, or out of range",
        ),
        QI_ERR_ORIENTATION => (
            c"QI_ERR_ORIENTATION",
            c"an orientation is too far from a rotation",
        ),
        QI_ERR_CALLBACK => (
            c"QI_ERR_CALLBACK",
            c"a callback returned something other than 0",
        ),
        QI_ERR_CAPACITY => (
            c"QI_ERR_CAPACITY",
            c"there is no room for what would be written",
        ),
        QI_ERR_BUSY => (
            c"QI_ERR_BUSY",
            c"the object is in use, by its own torque callback or by another thread",
        ),
        QI_ERR_MEMORY => (c"QI_ERR_MEMORY", c"memory is exhausted"),
        QI_ERR_PANIC => (c"QI_ERR_PANIC", c"a defect of the library itself"),
        QI_ERR_ORDER => (
            c"QI_ERR_ORDER",
            c"the calls of the stage protocol came in the wrong order",
        ),
        QI_ERR_STEP => (
            c"QI_ERR_STEP",
            c"no step is short enough, or the limit of evaluations is reached",
        ),
        _ => (c"unknown status", c"unknown status"),
    }
}

/// The question that follows the message about a row which cannot be right.
const HINT: &str = "are parts, torque, drag, rotors, random torques and method those of the ensemble or body that wrote it?";

/// Why a C function has failed.
pub(super) enum Fault {
    /// The argument of this name is a pointer that cannot be used.
    Pointer(&'static str, &'static PointerProblem),
    /// The library has panicked.
    Panic,
    /// The Rust function that was called has failed.
    Failed(Failure),
    /// As `Failed`, because of a row that probably has another length than rows have here.
    Row { failure: Failure, width: usize },
}

/// What is wrong with a pointer. The message follows the name of the argument.
pub(super) struct PointerProblem {
    pub(super) status: qi_status,
    pub(super) message: &'static str,
}

impl PointerProblem {
    pub(super) const NULL: Self = PointerProblem {
        status: QI_ERR_NULL,
        message: "is NULL",
    };
    pub(super) const MISALIGNED: Self = PointerProblem {
        status: QI_ERR_MISALIGNED,
        message: "is not aligned to its type",
    };
    pub(super) const IN_USE: Self = PointerProblem {
        status: QI_ERR_BUSY,
        message: "is in use: its own torque callback, or another thread, calls it during a call that changes it; or it was destroyed",
    };
}

impl<F: Into<Failure>> From<F> for Fault {
    #[cold] // so that nothing is copied where nothing fails
    fn from(failure: F) -> Self {
        Fault::Failed(failure.into())
    }
}

impl Fault {
    fn status(&self) -> qi_status {
        match self {
            Fault::Pointer(_, problem) => problem.status,
            Fault::Panic => QI_ERR_PANIC,
            Fault::Failed(failure) | Fault::Row { failure, .. } => status_of(&failure.cause),
        }
    }

    fn failure(&self) -> Option<&Failure> {
        match self {
            Fault::Pointer(..) | Fault::Panic => None,
            Fault::Failed(failure) | Fault::Row { failure, .. } => Some(failure),
        }
    }

    /// Writes the part of the message that [`qi_last_error_cause`] gives.
    fn write_cause(&self, to: &mut impl Write) -> io::Result<()> {
        match self {
            Fault::Pointer(argument, problem) => write!(to, "`{argument}` {}", problem.message),
            Fault::Panic => write!(to, "a defect of the library: it panicked"),
            Fault::Failed(failure) => write!(to, "{}", failure.cause),
            Fault::Row { failure, width } => {
                let cause = &failure.cause;
                write!(to, "{cause}. A row has {width} doubles here: {HINT}")
            }
        }
    }
}

fn status_of(error: &Error) -> qi_status {
    use Error::*;
    match error {
        NotFinite { .. }
        | TorqueNotFinite { .. }
        | TorqueReadsVelocity { .. }
        | EventNotFinite { .. } => QI_ERR_NON_FINITE,
        Overflow { .. } | OutOfRange { .. } => QI_ERR_NON_FINITE,
        NotUnit { .. } | NotRotation { .. } => QI_ERR_ORIENTATION,
        NoDirection { .. } | Invalid { .. } | TooStiff { .. } => QI_ERR_INVALID,
        InertiaNotSymmetric { .. }
        | InertiaNotPositive { .. }
        | NotPrincipal { .. }
        | InertiaOutOfRange { .. } => QI_ERR_INERTIA,
        Capacity { .. } => QI_ERR_CAPACITY,
        InertiaFunction { cause, .. } => status_of(cause),
        Callback { .. }
        | ChunkCallback { .. }
        | InertiaCallback { .. }
        | RateCallback { .. }
        | Monitor { .. }
        | Torque(_) => QI_ERR_CALLBACK,
        Order(_) => QI_ERR_ORDER,
        Memory => QI_ERR_MEMORY,
        StepUnderflow { .. } | TooManyEvaluations { .. } => QI_ERR_STEP,
    }
}

/// Get the version of the linked library, to compare with QI_VERSION_NUMBER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_version_number() -> u32 {
    QI_VERSION_NUMBER
}

/// Get the version of the linked library, such as "1.2.3": a static string, never NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_version_string() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Get the name of a status, such as "QI_ERR_CALLBACK": a static string, for any integer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_status_name(status: qi_status) -> *const c_char {
    described(status).0.as_ptr()
}

/// Get a short description of a status: a static string, for any integer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_status_message(status: qi_status) -> *const c_char {
    described(status).1.as_ptr()
}

/// Get the message of the last failure on this thread: the function, the argument or body, and the
/// cause. The message is meant for people; programs get the body from qi_last_error_body(). It is
/// never NULL, and it is empty before the first failure. A successful call does not change it. The
/// library owns the string, which is valid until the next failure on the same thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_last_error() -> *const c_char {
    // SAFETY: the record belongs to this thread, and only `remember` changes it.
    LAST.with(|last| unsafe { (*last.get()).message.as_ptr().cast() })
}

/// Get the cause of the last failure on this thread: the message of qi_last_error() without the
/// function, the number of steps and the body. Language bindings that report these themselves use
/// it. The string is valid as long as that of qi_last_error().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_last_error_cause() -> *const c_char {
    LAST.with(|last| {
        // SAFETY: as above.
        let last = unsafe { &*last.get() };
        last.message[last.cause..].as_ptr().cast()
    })
}

/// Get the index (from 0) of the body that the last failure on this thread concerns, or of the
/// first one if it concerns several. SIZE_MAX means that it concerns no single body of an ensemble.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_last_error_body() -> usize {
    // SAFETY: as above.
    LAST.with(|last| unsafe { (*last.get()).body })
}

/// Stores a fault for [`qi_last_error`] and gives its status. It allocates nothing.
#[cold]
pub(super) fn remember(function: &str, fault: &Fault) -> qi_status {
    LAST.with(|last| {
        // SAFETY: the record belongs to this thread. No reference to it leaves this closure, so
        // `fault` cannot hold one.
        let last = unsafe { &mut *last.get() };
        last.body = fault
            .failure()
            .and_then(|failure| failure.body)
            .unwrap_or(usize::MAX);
        last.write_message(function, fault);
    });
    fault.status()
}

/// The last failure of a thread.
struct Last {
    /// Function, steps, body and cause, in this order. The message ends with a NUL.
    message: [u8; 512],
    /// Where in the message the cause begins.
    cause: usize,
    /// The index of the body; `usize::MAX` if the failure concerns no single body.
    body: usize,
}

impl Last {
    /// A message that does not fit is cut short. This is no error, so the results of `write!` are
    /// ignored.
    fn write_message(&mut self, function: &str, fault: &Fault) {
        let room = self.message.len() - 1; // the last byte is for the NUL
        let mut rest = &mut self.message[..room];
        let _ = write!(rest, "{function}: ");
        if let Some(failure) = fault.failure() {
            let _ = write!(rest, "{}", Prefix(failure));
        }
        self.cause = room - rest.len();
        let _ = fault.write_cause(&mut rest);
        let written = room - rest.len();
        let end = length_in_whole_characters(&self.message[..written]);
        self.message[end] = 0;
    }
}

/// The length of the text without a last character that was cut.
fn length_in_whole_characters(text: &[u8]) -> usize {
    match std::str::from_utf8(text) {
        Ok(text) => text.len(),
        Err(error) => error.valid_up_to(),
    }
}

thread_local! {
    static LAST: UnsafeCell<Last> = const {
        UnsafeCell::new(Last { message: [0; 512], cause: 0, body: usize::MAX })
    };
}
