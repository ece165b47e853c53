//! The C library, `libquatint.so` and `libquatint.a`: the functions of `src/ffi`, exported.
//!
//! It is a crate of its own, so that a Rust program that depends on quatint gets neither their
//! symbols nor these files.

pub use rotation::ffi::*;
