//! Statuses, constants, and the last error of a thread.

use crate::driver::Problem;
use crate::error::Error;
use crate::layout::{FLOW_NOT_FINITE, NO_SUCH_BODY, NOT_UNIT, OVERFLOW, TORQUE_NOT_FINITE};
use crate::refusal::Refusal;
use std::cell::RefCell;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of a call. Equal to the statuses of quatint.h, where these have the same meaning.
pub type qi_cuda_status = i32;

/// Success. (A kernel has been started; what becomes of its bodies, qi_cuda_check() tells.)
pub const QI_CUDA_OK: qi_cuda_status = 0;
/// The stage protocol needs the torques of the current stage. This is not an error.
pub const QI_CUDA_NEED_TORQUE: qi_cuda_status = 1;
/// A required pointer is NULL.
pub const QI_CUDA_ERR_NULL: qi_cuda_status = -1;
/// A pointer is not aligned for its type.
pub const QI_CUDA_ERR_MISALIGNED: qi_cuda_status = -2;
/// An argument is out of range.
pub const QI_CUDA_ERR_INVALID: qi_cuda_status = -3;
/// An argument, a torque or a result is NaN or infinite.
pub const QI_CUDA_ERR_NON_FINITE: qi_cuda_status = -4;
/// An inertia is none, or is out of range.
pub const QI_CUDA_ERR_INERTIA: qi_cuda_status = -5;
/// A quaternion is too far from unit length.
pub const QI_CUDA_ERR_ORIENTATION: qi_cuda_status = -6;
/// Out of memory, on the device or the host.
pub const QI_CUDA_ERR_MEMORY: qi_cuda_status = -10;
/// A defect of the library itself.
pub const QI_CUDA_ERR_PANIC: qi_cuda_status = -11;
/// The calls came in the wrong order.
pub const QI_CUDA_ERR_ORDER: qi_cuda_status = -12;
/// There is no CUDA driver, or it is too old.
pub const QI_CUDA_ERR_DRIVER: qi_cuda_status = -101;
/// There is no such device, or it is too old.
pub const QI_CUDA_ERR_DEVICE: qi_cuda_status = -102;
/// A function of the driver has failed. After such an error of a kernel the context of the device
/// can no longer be used, by anyone in the process.
pub const QI_CUDA_ERR_CUDA: qi_cuda_status = -103;

/// World axes.
pub const QI_CUDA_FRAME_WORLD: i32 = 0;
/// Each body's own axes.
pub const QI_CUDA_FRAME_BODY: i32 = 1;

/// The components of a quaternion are w, x, y, z.
pub const QI_CUDA_SCALAR_FIRST: i32 = 0;
/// The components of a quaternion are x, y, z, w.
pub const QI_CUDA_SCALAR_LAST: i32 = 1;

/// Angular velocities, world frame.
pub const QI_CUDA_OMEGA_WORLD: i32 = 0;
/// Angular velocities, body frame: what the integrator computes with.
pub const QI_CUDA_OMEGA_BODY: i32 = 1;
/// Angular momenta, world frame.
pub const QI_CUDA_ANGMOM_WORLD: i32 = 2;
/// Angular momenta, body frame.
pub const QI_CUDA_ANGMOM_BODY: i32 = 3;
/// Quaternions p conjugate to the orientations q, 4 numbers a body with the scalar where that of the
/// orientations is: p = 2 q (0, L), with the momentum L in the body frame, as HOOMD-blue has them.
pub const QI_CUDA_ANGMOM_CONJUGATE: i32 = 4;

/// As QI_METHOD_PCDM of quatint.h; so are the others.
pub const QI_CUDA_METHOD_PCDM: i32 = 0;
/// Splitting of order 2; with random torques, BAOAB.
pub const QI_CUDA_METHOD_SPLITTING: i32 = 1;
/// Splitting of order 4.
pub const QI_CUDA_METHOD_SPLITTING_4: i32 = 2;
/// Commutator-free method of order 4.
pub const QI_CUDA_METHOD_CF4: i32 = 3;
/// Splitting of order 6.
pub const QI_CUDA_METHOD_SPLITTING_6: i32 = 4;
/// Force-gradient splitting of order 4.
pub const QI_CUDA_METHOD_FORCE_GRADIENT: i32 = 5;
/// Overdamped Brownian motion, with random torques alone.
pub const QI_CUDA_METHOD_BROWNIAN: i32 = 6;

/// Free rotations in double precision.
pub const QI_CUDA_DOUBLE: i32 = 0;
/// Free rotations in single precision; see qi_cuda_set_drift_precision().
pub const QI_CUDA_SINGLE: i32 = 1;

/// What qi_cuda_last_error_body() returns if an error concerns no body.
pub const QI_CUDA_NO_BODY: u64 = 0xffff_ffff_ffff_ffff;

/// The room for a message, with the zero at its end.
const ROOM: usize = 512;

struct LastError {
    /// In one place as long as the thread lives: in the arguments of a printf, C may ask for the
    /// message before it makes the call that fails.
    text: [u8; ROOM],
    body: u64,
}

impl LastError {
    fn set(&mut self, text: &str, body: u64) {
        let mut length = text.len().min(ROOM - 1);
        while !text.is_char_boundary(length) {
            length -= 1;
        }
        self.text = [0; ROOM];
        self.text[..length].copy_from_slice(&text.as_bytes()[..length]);
        self.body = body;
    }
}

thread_local! {
    static LAST: RefCell<LastError> = const {
        RefCell::new(LastError {
            text: [0; ROOM],
            body: QI_CUDA_NO_BODY,
        })
    };
}

/// The message of the last failed call on this thread; empty if none has failed. The next call that
/// fails on this thread replaces it.
#[unsafe(no_mangle)]
pub extern "C" fn qi_cuda_last_error() -> *const c_char {
    LAST.with(|last| last.borrow().text.as_ptr().cast())
}

/// The index of the body that the last failed call on this thread is about; QI_CUDA_NO_BODY: none.
#[unsafe(no_mangle)]
pub extern "C" fn qi_cuda_last_error_body() -> u64 {
    LAST.with(|last| last.borrow().body)
}

/// Major version of this header.
pub const QI_CUDA_VERSION_MAJOR: u32 = 0;
/// Minor version of this header.
pub const QI_CUDA_VERSION_MINOR: u32 = 2;
/// Patch version of this header.
pub const QI_CUDA_VERSION_PATCH: u32 = 0;
/// Version of this header as a number that can be compared.
pub const QI_CUDA_VERSION_NUMBER: u32 =
    (QI_CUDA_VERSION_MAJOR << 16) | (QI_CUDA_VERSION_MINOR << 8) | QI_CUDA_VERSION_PATCH;

/// The version of the linked library, to compare with QI_CUDA_VERSION_NUMBER.
#[unsafe(no_mangle)]
pub extern "C" fn qi_cuda_version_number() -> u32 {
    QI_CUDA_VERSION_NUMBER
}

/// The version of this library, as "0.2.0".
#[unsafe(no_mangle)]
pub extern "C" fn qi_cuda_version() -> *const c_char {
    const VERSION: &std::ffi::CStr = match std::ffi::CStr::from_bytes_with_nul(
        concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes(),
    ) {
        Ok(text) => text,
        Err(_) => panic!("a text without zeros"),
    };
    VERSION.as_ptr()
}

fn status_of(refusal: &Refusal) -> qi_cuda_status {
    match refusal {
        Refusal::Null(_) => QI_CUDA_ERR_NULL,
        Refusal::Misaligned(_) => QI_CUDA_ERR_MISALIGNED,
        Refusal::Panic => QI_CUDA_ERR_PANIC,
        Refusal::Bodies { cause, .. } => match *cause {
            NOT_UNIT => QI_CUDA_ERR_ORIENTATION,
            NO_SUCH_BODY => QI_CUDA_ERR_INVALID,
            TORQUE_NOT_FINITE | FLOW_NOT_FINITE | OVERFLOW => QI_CUDA_ERR_NON_FINITE,
            _ => QI_CUDA_ERR_PANIC,
        },
        Refusal::Device(problem) => match problem {
            Problem::NoDriver { .. } | Problem::OldDriver { .. } => QI_CUDA_ERR_DRIVER,
            Problem::NoDevice { .. } | Problem::OldDevice { .. } => QI_CUDA_ERR_DEVICE,
            Problem::Failed { .. } => QI_CUDA_ERR_CUDA,
            Problem::Memory => QI_CUDA_ERR_MEMORY,
        },
        Refusal::Library(failure) => status_of_error(&failure.cause),
    }
}

fn status_of_error(error: &Error) -> qi_cuda_status {
    match error {
        Error::NotFinite { .. } | Error::OutOfRange { .. } => QI_CUDA_ERR_NON_FINITE,
        Error::NotUnit { .. } | Error::NotRotation { .. } => QI_CUDA_ERR_ORIENTATION,
        Error::InertiaNotSymmetric { .. }
        | Error::InertiaNotPositive { .. }
        | Error::NotPrincipal { .. }
        | Error::InertiaOutOfRange { .. } => QI_CUDA_ERR_INERTIA,
        Error::Order(_) => QI_CUDA_ERR_ORDER,
        Error::Memory => QI_CUDA_ERR_MEMORY,
        _ => QI_CUDA_ERR_INVALID,
    }
}

/// Runs the body of a C function. Its errors begin with the name of the function.
pub(super) fn status(
    function: &str,
    run: impl FnOnce() -> Result<qi_cuda_status, Refusal>,
) -> qi_cuda_status {
    let outcome = catch_unwind(AssertUnwindSafe(run)).unwrap_or(Err(Refusal::Panic));
    match outcome {
        Ok(status) => status,
        Err(refusal) => {
            let text = format!("{function}: {refusal}").replace('\0', " ");
            let body = refusal.body().unwrap_or(QI_CUDA_NO_BODY);
            LAST.with(|last| last.borrow_mut().set(&text, body));
            status_of(&refusal)
        }
    }
}

/// [`status`] of what returns nothing.
pub(super) fn done(function: &str, run: impl FnOnce() -> Result<(), Refusal>) -> qi_cuda_status {
    status(function, || run().map(|()| QI_CUDA_OK))
}
