//! The rotation of rigid bodies under torque: orientation and angular velocity, advanced in time.
//!
//! For simulations of particles, satellites, asteroids. Methods: **PCDM** (predictor–corrector
//! direct multiplication, ZW13) of order 2, **splitting** methods of order 2, 4 and 6 (BM02;
//! force-gradient C97) with the exact free rotation, and **CF4** (CMO03) of order 4; kicks and
//! drifts for codes with velocity Verlet; random torques (BAOAB, Brownian motion). **Error
//! control** for one body: to a time, to a tolerance, until an event ([`Body::solve`]).
//! docs/methods.md says which to take. Most programs link the C library; this is its Rust crate.
//! Where a method says "see `qi_…`", that function of include/quatint.h documents it in full.
//!
//! ```
//! use quatint::nalgebra::{UnitQuaternion, Vector3};
//! use quatint::{Body, Inertia, torque::Free};
//!
//! // A wing nut, spinning about its intermediate principal axis, flips over (the Dzhanibekov effect).
//! let inertia = Inertia::from_moments(Vector3::new(3.0, 5.0, 7.0))?;
//! let mut nut = Body::new(inertia, UnitQuaternion::identity(), Vector3::new(0.0, 0.4, 0.01 / 7.0))?;
//! let half_period = 149.0763448967709 / 2.0;
//! nut.advance(half_period / 20000.0, 20000, &mut Free)?;
//! assert!((nut.angular_velocity_body().y + 0.4).abs() < 1e-7);
//! # Ok::<(), quatint::Error>(())
//! ```
//!
//! # Modules: each imports only from modules above it in this table
//!
//! `tests/house/layers.rs` reads the last column: a module imports from those named there, and from
//! no other.
//!
//! | module | contents | imports from |
//! |---|---|---|
//! | kernel | the arithmetic, generic over one number trait: IEEE `+ - * /` and `sqrt` in a fixed order | |
//! | step_size | [`StepSize`]: what decides whether a step is stable | kernel |
//! | error | [`Error`], [`Failure`] | step_size |
//! | clock | the compensated sum of the time steps | error |
//! | exact_sum | [`ExactSum`]: sums of doubles without rounding | |
//! | [`rotation`] | axis and angle, rotation vectors, matrices, Euler angles | kernel, error |
//! | simd | vector registers as numbers; the instruction set is chosen at run time | kernel |
//! | inertia | [`Inertia`]: a validated tensor and its principal axes | kernel, error, rotation |
//! | mass | [`Mass`]: mass, centre of mass and inertia of an assembly | error, inertia |
//! | memory | [`View`], [`ViewMut`], blocks, views of the caller's arrays, packed arrays, prefetching | kernel, error, simd |
//! | threads | the threads of an ensemble | error, memory |
//! | [`torque`] | the interface [`Torque`] and the ready-made torques | kernel, error, rotation |
//! | method | [`Method`]: the integration methods, one file each | kernel, step_size, error, inertia, torque |
//! | solve | error control: a Runge-Kutta method of order 8, extrapolated splitting, a Rosenbrock method, dense output, events | kernel, error, clock, simd, inertia, memory, torque |
//! | rows | [`Parts`]: the data of a body as a row of plain numbers | kernel, error, rotation, inertia |
//! | body | [`Body`]: one rigid body | all above but exact_sum, mass, threads |
//! | ensemble | [`Ensemble`]: many bodies | all above but mass, solve, body |
//! | [`attitude`] | the orientation of a body from its angular velocity | kernel, error, rotation, memory, torque |
//! | status | the statuses of the C interface | |
//! | ffi | the C interface: pointers in, statuses out, no mathematics | all above but step_size, clock, threads |
//!
//! # Words
//!
//! | word | meaning |
//! |---|---|
//! | body frame, world frame | axes fixed to the body; axes fixed in space |
//! | scheme | the type behind a [`Method`], for which loops are compiled |
//! | step | one time step, of length `dt` or `h`; it consists of stages |
//! | stage | one torque evaluation in a step, counted from 0; PCDM has 2, CF4 has 4 |
//! | kick | a change of the angular momentum by duration × torque, at constant orientation |
//! | drift | a free rotation for some duration |
//! | draw | the noise of one step, or of drag and noise alone; a counter, on which the noise depends with seed and id |
//! | kept | of a splitting method: the last torque, which is the first of the next step |
//! | position | index among the bodies that move: in the list of active bodies; without a list, the body's own |
//! | lane | one number of a vector register; each lane computes a different body |
//! | idle lane | a lane behind the last body of a chunk; loops compute it too, so it has to stay finite |
//! | job | code that is generic over the lanes, compiled for each instruction set |
//! | block | the numbers of 16 bodies in memory, a column for each number |
//! | chunk | 64 bodies, which fit the first-level cache |
//! | part | consecutive positions; each thread takes parts until none is left |
//! | sweep | some steps of all chunks, each chunk visited once by a pass |
//! | view | an array of the caller with its strides |
//! | failure | an error with the body it concerns and the number of completed steps |
//!
//! # The rooms of an ensemble
//!
//! | room | what is in it |
//! |---|---|
//! | lanes | the loop over the lanes of a chunk |
//! | bodies | what each body has of its own: inertias, parameters of torques; which bodies move |
//! | states | in blocks of the ensemble, or in the caller's arrays |
//! | acting | what acts on the bodies as one value, and how a chunk asks for its torques |
//! | stepping | steps: chosen, run over chunks on threads, committed or undone |
//! | points | points that are fixed to the bodies |
//!
//! A room imports from those above it. The files beside them take the calls that go through all
//! rooms.
//!
//! # A step of an ensemble
//!
//! ```text
//!  Ensemble::step, advance         stepping/step         chooses the pass, and asks for the first torque of a method that keeps the last
//!    Transaction::run, commit      stepping/transaction  decides where the states go; what is not committed is undone
//!    Sweep::run, chunks            stepping/sweep        gives parts to the threads; gathers, converts and scatters what is in the caller's arrays
//!      Pass::visit                 stepping/whole        takes all stages in one loop, for common torques
//!                                  stepping/stages       asks for the torque of each stage (acting/ask), then moves on
//!                                  acting/torque_loops   packs for a callback, and unpacks
//!                                  stepping/kicks        kicks and drifts
//!  Ensemble::next_stage, supply_torque, continue_step
//!    stepping/protocol    checks the order of the calls; each stage is a transaction, which takes all bodies through it
//!  Ensemble::resize, select, rows, set_rows
//!    population, rows    move what bodies/stores holds for each body: states, inertias, parameters, the last torque
//! ```
//!
//! # Conventions
//!
//! Quaternions are `(w, x, y, z)`, of unit length, and rotate vectors from the body to the world
//! frame. Units are any consistent set; angles are in radians, angular velocity is in radians per
//! unit of time. In the public interface a name without `_body` means the world frame. The library
//! prints nothing. A step allocates nothing, but for the first of an ensemble after a change of it.
//!
//! # References
//!
//! - ZW13: F. Zhao, B. G. M. van Wachem, *A novel Quaternion integration approach for describing
//!   the behaviour of non-spherical particles*, Acta Mech. 224, 3091–3109 (2013), doi
//!   10.1007/s00707-013-0914-2.
//! - CMO03: E. Celledoni, A. Marthinsen, B. Owren, Future Gener. Comput. Syst. 19, 341–352 (2003),
//!   doi 10.1016/S0167-739X(02)00161-9.
//! - BM02: S. Blanes, P. C. Moan, J. Comput. Appl. Math. 142, 313–330 (2002), doi
//!   10.1016/S0377-0427(01)00492-7.
//! - C97: S. A. Chin, Phys. Lett. A 226, 344–348 (1997), doi 10.1016/S0375-9601(97)00003-0.
//! - HNW93: E. Hairer, S. P. Nørsett, G. Wanner, *Solving Ordinary Differential Equations I*, 2nd
//!   ed., Springer (1993).
//! - LL76: L. D. Landau, E. M. Lifshitz, *Mechanics*, 3rd ed., Pergamon (1976).

// Some functions have callers in the C interface alone.
#![cfg_attr(not(feature = "capi"), allow(dead_code, unused_imports))]
// no closures in the kernel: see src/kernel/mod.rs
#![allow(clippy::manual_map, clippy::needless_range_loop)]

mod body;
mod clock;
mod ensemble;
mod error;
mod exact_sum;
mod inertia;
mod mass;
mod rows;
mod solve;
mod step_size;
mod threads;

pub mod attitude;
pub mod rotation;
pub mod torque;

// For the bindings and the tests of this repository: no part of the interface.
#[cfg(feature = "capi")]
#[doc(hidden)]
pub mod ffi;
#[doc(hidden)]
pub mod kernel;
#[doc(hidden)]
pub mod memory;
#[doc(hidden)]
pub mod method;
#[doc(hidden)]
pub mod simd;
#[doc(hidden)]
pub mod status;

pub use body::{Body, BodyBuilder, Keep, Record};
pub use ensemble::{ChunkTorque, Ensemble, Progress, VelocityKind};
pub use error::{Error, Failure, TorqueError};
pub use exact_sum::ExactSum;
pub use inertia::Inertia;
pub use mass::{Mass, MassProperties};
pub use memory::{Layout, View, ViewMut};
pub use method::Method;
pub use nalgebra; // of the version that the interface takes
pub use rows::Parts;
pub use solve::{Crossing, SolveMethod, Statistics};
pub use step_size::{Bounds, StepSize};
pub use torque::{Frame, Torque};
