//! The library as programs outside of Rust find it: its interface, every language, installation, packages. One program runs all of these
//! tests, so that no processor waits for the last test of a language.

#[path = "../common/mod.rs"]
mod common;

mod abi;
mod beside;
#[cfg(feature = "harness")]
mod c_harness;
mod contract;
mod cpp;
mod examples;
mod fortran;
mod fortran_arrays;
mod fuzz;
mod injection;
mod install;
mod julia;
mod mpi;
mod octave;
mod peers;
mod python;
mod versions;
