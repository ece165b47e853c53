//! The arithmetic of the integrators, written once and generic over [`Number`]: an `f64` or a block of lanes.
//!
//! Everything here uses only IEEE `+ - * /` and `sqrt`, in the order the source shows: no fused multiply-add, no platform
//! `libm`, no allocation, no `unsafe`; and no closures, which cannot be told to be inlined, and what is not inlined does not
//! get the instruction set it is compiled for. The order is a promise: it makes a body's result the same 64 bits on every machine
//! and in every lane. Changing it is a change of *Numbers* in the CHANGELOG.

mod columns;
mod euler;
mod exp;
mod matrix;
mod number;
mod quat;
mod state;
mod vec3;

pub use columns::Columns;
pub use euler::{PrincipalInertia, velocity_gained};
pub use exp::{Range, cos_sinc, exp, exp_of_half_turn, half_turn};
pub use matrix::RotationMatrix;
pub use number::{MOST_LANES, Number};
pub use quat::Quat;
pub use state::{Here, State};
pub use vec3::Vec3;
