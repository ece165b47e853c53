//! The statuses of the C interface, which the binding of Python has too, without the functions of
//! C.

#![allow(non_camel_case_types)] // the names of C

/// Status of a call. QI_OK is 0, and errors are negative. A positive status, such as
/// QI_NEED_TORQUE, is not an error.
pub type qi_status = i32;

/// Success.
pub const QI_OK: qi_status = 0;
/// The stage protocol needs the torque of the current stage. This is not an error.
pub const QI_NEED_TORQUE: qi_status = 1;
/// qi_solve_until() has stopped at an event. This is not an error.
pub const QI_EVENT: qi_status = 2;
/// A required pointer is NULL.
pub const QI_ERR_NULL: qi_status = -1;
/// A pointer is not aligned for its type.
pub const QI_ERR_MISALIGNED: qi_status = -2;
/// An argument is out of range.
pub const QI_ERR_INVALID: qi_status = -3;
/// An argument, a torque or a result is NaN or infinite.
pub const QI_ERR_NON_FINITE: qi_status = -4;
/// The inertia tensor is not symmetric, is not positive definite, or is out of range; or one moment
/// is zero and the two others differ.
pub const QI_ERR_INERTIA: qi_status = -5;
/// A quaternion is too far from unit length, or a matrix is too far from a rotation.
pub const QI_ERR_ORIENTATION: qi_status = -6;
/// A torque callback, an inertia function or a monitor returned a value other than 0.
pub const QI_ERR_CALLBACK: qi_status = -7;
/// An output array is too small.
pub const QI_ERR_CAPACITY: qi_status = -8;
/// The object is in use: its torque callback or another thread used it during a call that changes
/// it.
pub const QI_ERR_BUSY: qi_status = -9;
/// Out of memory.
pub const QI_ERR_MEMORY: qi_status = -10;
/// A defect of the library itself. The object stays valid.
pub const QI_ERR_PANIC: qi_status = -11;
/// The calls of the stage protocol came in the wrong order.
pub const QI_ERR_ORDER: qi_status = -12;
/// Error control finds no step that is short enough, because the torque or the motion is singular;
/// or the call has reached the limit of qi_set_solve_most_evaluations().
pub const QI_ERR_STEP: qi_status = -13;
