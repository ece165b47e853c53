//! The C interface, declared in `include/quatint.h`. It converts pointers and statuses; it contains
//! no mathematics.
//!
//! cbindgen makes this header from the comments here; `tests/house/header.rs` fails if the
//! committed one differs. What holds for all functions stands once, at the top of the header, whose
//! text is in `cbindgen.toml`.
//!
//! The files `check` and `objects` have the helpers of all functions, and nearly all of the
//! `unsafe`. A typical function is a call of one of these, which gets the name of the function for
//! errors: `change` and `read` for an object, `compute` for a result, `counted` for a call that
//! also reports how far it came on failure, `boundary` for anything else. In it, `arg!` and
//! `optional!` take the arguments in, and a method of [`Body`](crate::Body) or
//! [`Ensemble`](crate::Ensemble) does the work. In these bodies of functions, `b` and `e` are the
//! objects behind the handles `body` and `ensemble`.

#![allow(unsafe_code)]
// SAFETY, for all unsafe functions here: they trust that the program keeps the rules at the top of
// the header. So a pointer that is usable (neither NULL nor misaligned) is valid for what they read
// or write there, as long as their result lives; a handle is alive, and no other thread uses an
// object that a call changes. Where a pointer is read, written or called, a comment refers to this.
#![allow(unsafe_op_in_unsafe_fn)]
#![allow(clippy::doc_lazy_continuation)] // the comments are written for the header and Doxygen
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
mod inertia;
mod kicks;
mod mass;
mod objects;
mod points;
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
pub use self::inertia::*;
pub use self::kicks::*;
pub use self::mass::*;
pub use self::objects::*;
pub use self::points::*;
pub use self::population::*;
pub use self::random::*;
pub use self::rotation::*;
pub use self::rows::*;
pub use self::solve::*;
pub use self::sums::*;
pub use self::torque::*;
pub use self::torque_sums::*;
pub use crate::status::*;

/// The names that nearly every file here uses.
mod prelude {
    pub(super) use super::{check::*, choices::*, failure::*, objects::*};
    pub(super) use crate::error::{Error, check, finite};
    pub(super) use crate::status::*;
    pub(super) use std::ffi::{c_char, c_void};
}
