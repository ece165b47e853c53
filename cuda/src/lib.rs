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
//! | opened | a device with the kernels | driver, layout, refusal |
//! | properties | inertias, torques, drag and noise of an ensemble | driver, layout, refusal, columns |
//! | last_torques | what a method keeps from step to step | columns, layout |
//! | protocol | where the stage protocol is | columns |
//! | failure_record | which bodies have failed | driver, layout, refusal |
//! | ensemble | bodies: bound arrays, failures, the arguments of all kernels | all above |
//! | steps | steps, kicks and drifts | columns, layout, opened, refusal, ensemble, last_torques |
//! | stages | the stage protocol | columns, layout, opened, refusal, last_torques, protocol, ensemble |
//! | self_test | whether a device computes as IEEE 754 says | driver, layout, opened, refusal |
//! | ffi | the C functions | driver, layout, refusal, columns, opened, properties, ensemble, steps, stages, self_test |
//!
//! A module calls only functions and methods of those above it. The other modules are files of the
//! library, which see the same modules here as there. `tests/house/layers.rs` checks the table.

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
mod failure_record;
mod last_torques;
#[allow(dead_code)] // some are for kernels alone
mod layout;
mod opened;
mod properties;
mod protocol;
mod refusal;
mod self_test;
mod stages;
mod steps;

pub mod ffi;
