//! The tests that `make test-targets` also runs on every other processor and system: those that compare bits, alone, in ensembles, on threads
//! and with each instruction set, and those of error control. They are a program of their own, so that emulators have little to do.

#[path = "../common/mod.rs"]
mod common;

mod ensemble;
mod record;
mod simd;
mod solve;
