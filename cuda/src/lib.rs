//! Rotations of rigid bodies in the memory of a GPU: the library of `quatint_cuda.h`.
//!
//! **Experimental, and not run on a GPU yet**: docs/gpu.md says what has been tested. The kernels
//! are compiled from the same files as the library (`cuda/kernels`), to a text in PTX that is part
//! of this library. The driver is looked for when a device is opened.
//!
//! | module | contents | imports from |
//! |---|---|---|
//! | layout | the arguments of a kernel, in memory | |
//! | driver | the functions of the driver; devices, launches and memory | |
//! | refusal | why a call is refused | driver, layout |
//! | columns | numbers of bodies on host and device | driver, layout |
//! | properties | inertias, torques, drag and noise of an ensemble | all above |
//! | ensemble | bodies: bound arrays, failures, the arguments of all kernels | all above |
//! | steps | steps, kicks and drifts | layout, refusal, columns, ensemble |
//! | protocol | the stage protocol | layout, refusal, columns, ensemble |
//! | self_test | whether a device computes as IEEE 754 says | layout, driver, refusal, ensemble |
//! | ffi | the C functions | all above |
//!
//! The other modules are files of the library, which see the same modules here as there. An
//! ensemble also holds the state of its protocol. `tests/house/layers.rs` checks the table.

// of the files of the library
#![allow(clippy::manual_map, clippy::needless_range_loop)]
#![allow(clippy::wrong_self_convention)] // public there, and named so

#[path = "../../src/clock.rs"]
#[allow(dead_code)]
mod clock;
#[path = "../../src/error.rs"]
#[allow(dead_code)]
mod error;
#[path = "../../src/inertia.rs"]
#[allow(dead_code)]
mod inertia;
#[path = "../../src/kernel/mod.rs"]
#[allow(dead_code, unused_imports)]
mod kernel;
#[path = "../../src/method/mod.rs"]
#[allow(dead_code, unused_imports)]
mod method;
#[path = "../../src/rotation.rs"]
#[allow(dead_code)]
mod rotation;
#[path = "../../src/step_size.rs"]
#[allow(dead_code)]
mod step_size;
#[path = "../../src/torque/mod.rs"]
#[allow(dead_code, unused_imports)]
mod torque;

mod columns;
mod driver;
mod ensemble;
#[allow(dead_code)] // some are for kernels alone
mod layout;
mod properties;
mod protocol;
mod refusal;
mod self_test;
mod steps;

pub mod ffi;
