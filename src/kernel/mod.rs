//! The arithmetic of the integrators, generic over [`Number`]: an `f64`, or a SIMD vector of lanes.
//!
//! Only IEEE `+ - * /` and `sqrt`, in the order of the source: no fused multiply-add, no platform
//! `libm`, no allocation, no `unsafe`. This order is a promise: a body's result has the same 64
//! bits on every machine and in every lane. A change of it belongs under *Numbers* in the
//! CHANGELOG. There are no closures either, but for the one that gives `drawn` its ids: closures
//! cannot be forced inline, and code that is not inlined is compiled without the caller's
//! instruction set. Noise is in single precision, over arrays.

mod euler;
mod exp;
mod free_rotor;
mod gyrostat;
mod noise;
mod number;
mod roots;
mod state;
mod vectors;

pub use euler::{PrincipalInertia, principal_velocity_gained, velocity_gained, velocity_kicked};
pub use exp::{Range, cos_sinc, exp, exp_of_any_length, exp_of_half, half_angle};
pub use free_rotor::{
    FreeRotation, RotorRatios, free_rotation, free_rotation_under_noise, inverse_sums,
    short_free_rotation,
};
pub(crate) use free_rotor::{drifted, each_if_at_most};
pub use gyrostat::{GyrostatPart, Rotor, free_gyrostat};
pub use noise::{drawn, normals, philox};
pub(crate) use number::operators;
pub use number::{MOST_LANES, Number, RareWork};
pub use state::{Column, Saved, State, TorqueState, load_saved, store_saved};
pub use vectors::{Quat, RotationMatrix, Vec3};
