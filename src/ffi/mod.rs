//! The C interface, declared in `include/quatint.h`. It converts pointers and statuses; it contains
//! no mathematics.
//!
//! cbindgen makes that header from these comments (`tests/header.rs` fails if the committed one
//! differs). What is true of all functions stands once, at its top. `check` and `objects` hold the
//! helpers of all functions, and nearly all of the `unsafe`.

#![allow(unsafe_code)]
// SAFETY of the unsafe functions here, once for all: they trust that the program keeps the rules at
// the top of the header. So a pointer that is usable (neither NULL nor misaligned) is valid for
// what they read or write there, as long as their result lives; a handle is alive, and no other
// thread uses an object that a call changes. Where a pointer is read, written or called, a block
// refers to this.
#![allow(unsafe_op_in_unsafe_fn)]
#![allow(clippy::doc_lazy_continuation)] // the comments are those of the header, for Doxygen
#![allow(non_camel_case_types)] // the names of C
#![allow(clippy::missing_safety_doc)] // the rules for pointers stand once, at the top of the header

mod body;
mod body_torques;
mod check;
mod choices;
mod ensemble;
mod ensemble_stages;
mod ensemble_states;
mod ensemble_torques;
mod failure;
mod kicks;
mod objects;
mod population;
mod random;
mod rotation;
mod rows;
mod solve;
mod sums;
mod torque;
mod torque_sums;

pub use self::body::*;
pub use self::body_torques::*;
pub use self::choices::*;
pub use self::ensemble::*;
pub use self::ensemble_stages::*;
pub use self::ensemble_states::*;
pub use self::ensemble_torques::*;
pub use self::failure::*;
pub use self::kicks::*;
pub use self::objects::*;
pub use self::population::*;
pub use self::random::*;
pub use self::rotation::*;
pub use self::rows::*;
pub use self::solve::*;
pub use self::sums::*;
pub use self::torque::*;
pub use self::torque_sums::*;

/// What nearly every function here uses.
mod prelude {
    pub(super) use super::{check::*, choices::*, failure::*, objects::*};
    pub(super) use crate::error::{Error, check, finite};
    pub(super) use std::ffi::{c_char, c_void};
}
