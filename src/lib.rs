//! The rotation of rigid bodies under torque: orientation and angular velocity, advanced in time.
//!
//! quatint implements **PCDM**, the predictor–corrector direct multiplication of Zhao and van Wachem (2013), for simulation
//! codes: particles of any shape, satellites, asteroids. What most programs link is its C library (`include/quatint.h`);
//! this crate is the same thing for Rust.
//!
//! ```
//! use nalgebra::{UnitQuaternion, Vector3};
//! use quatint::{Body, Inertia, torque::Free};
//!
//! // A wing nut, spun about the axis of its middle moment, turns over (the Dzhanibekov effect).
//! let inertia = Inertia::from_moments(Vector3::new(3.0, 5.0, 9.0))?;
//! let mut nut = Body::new(inertia, UnitQuaternion::identity(), Vector3::new(0.0, 0.4, 0.01 / 9.0))?;
//! let half_period = 118.11088704638574 / 2.0;
//! nut.advance(half_period / 20000.0, 20000, &mut Free)?;
//! assert!((nut.angular_velocity_body().y + 0.4).abs() < 1e-7);
//! # Ok::<(), quatint::Error>(())
//! ```
//!
//! # The map of the house
//!
//! | module | holds |
//! |---|---|
//! | [`kernel`] | the arithmetic, generic over one number trait: IEEE `+ - * /` and `sqrt` in a fixed order |
//! | [`method`] | integration methods, one file each, built only from the kernel |
//! | [`torque`] | the torque interface and the ready-made torques |
//! | [`Inertia`] | a validated tensor and its principal axes |
//! | [`Body`] | one rigid body |
//! | [`Ensemble`] | many bodies: columns of states, chunks, threads, stages |
//! | [`simd`] | vector registers as numbers, chosen at run time |
//! | [`rotation`] | axis and angle, rotation vectors, matrices, Euler angles |
//! | [`ffi`] | the C layer: pointers in, statuses out, no mathematics |
//!
//! # Conventions
//!
//! Quaternions are `(w, x, y, z)`, of unit length, and take body vectors to the world. Angular velocity is in rad/s; torque,
//! inertia and time are in any consistent units. A name without a frame means the world frame; `_body` says otherwise.
//! The library keeps no global state, prints nothing and allocates nothing in a step.
//!
//! # References
//!
//! - ZW13: F. Zhao, B. G. M. van Wachem, *A novel Quaternion integration approach for describing the behaviour of
//!   non-spherical particles*, Acta Mech. 224, 3091–3109 (2013), doi 10.1007/s00707-013-0914-2.
//! - LL76: L. D. Landau, E. M. Lifshitz, *Mechanics*, 3rd ed., Pergamon (1976).

#![allow(clippy::manual_map, clippy::needless_range_loop)] // no closures in the kernels: see src/kernel/mod.rs

mod body;
mod clock;
mod ensemble;
mod error;
mod inertia;

pub mod ffi;
pub mod kernel;
pub mod memory;
pub mod method;
pub mod rotation;
pub mod simd;
pub mod torque;

pub use body::{Body, Record};
pub use ensemble::{ChunkTorque, Ensemble, Progress, VelocityKind};
pub use error::{Error, Failure};
pub use inertia::Inertia;
pub use memory::{Layout, View, ViewMut};
pub use method::Method;
pub use torque::{Frame, Torque};
