//! The library without a GPU: its kernels are translated to C, and a stand-in for the driver runs
//! them. So the whole host side is tested as it is, and the bits of the text of the kernels beside
//! those of the library on the CPU.

mod bits;
mod bodies;
mod device;
#[cfg(feature = "harness")]
mod drift_precision;
mod failures;
mod groups;
#[cfg(feature = "harness")]
mod header;
mod host;
#[cfg(feature = "harness")]
#[path = "../../kernels/single.rs"]
mod in_single;
mod memory;
mod noise;
mod pages;
mod protocol;
mod random;
mod single;
mod stand_in;
mod streams;
mod teeth;
mod text;

#[cfg(feature = "harness")]
use quatint::kernel; // of `in_single`
