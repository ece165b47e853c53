//! The C layer: what `include/quatint.h` declares. Pointers come in, statuses go out; there is no mathematics here.
//!
//! One file per object. The documentation of each function is written for the C header, which cbindgen makes from it;
//! `tests/header.rs` fails when the committed header differs. `check` and `objects` hold the vocabulary the functions are
//! written in, and with it nearly all of the `unsafe`.

#![allow(unsafe_code)]
#![allow(non_camel_case_types)] // C's names
#![allow(clippy::missing_safety_doc)] // the contract of all pointers is said once, at the top of the header

mod body;
mod body_torque;
mod check;
mod choices;
mod ensemble;
mod ensemble_stages;
mod ensemble_states;
mod ensemble_torque;
mod failure;
mod objects;
mod rotation;
mod torque;
mod version;

pub use body::*;
pub use body_torque::*;
pub use choices::*;
pub use ensemble::*;
pub use ensemble_stages::*;
pub use ensemble_states::*;
pub use ensemble_torque::*;
pub use failure::*;
pub use objects::*;
pub use rotation::*;
pub use torque::*;
pub use version::*;
