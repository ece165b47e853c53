//! Failures on purpose: memory that runs out at any allocation, threads that do not start, small stacks. (Linux with glibc, whose functions
//! a program can replace.)
#![cfg(all(target_os = "linux", target_env = "gnu"))]

use crate::common::{Library, compile_with, root, scratch, success};
use std::process::Command;

#[test]
fn memory_threads_and_stacks_that_run_out_are_a_status_and_nothing_changes() {
    let source = root().join("tests/injection/failures.c");
    let binary = compile_with(
        &source,
        Library::Shared,
        &scratch("injection"),
        &["-std=gnu11", "-ldl", "-lpthread"],
    );
    let output = success(&mut Command::new(binary));
    assert!(String::from_utf8_lossy(&output.stdout).contains("create_ensemble: "));
}

#[test]
fn a_host_may_load_use_and_unload_the_library_again_and_again() {
    let source = root().join("tests/injection/reload.c");
    let binary = compile_with(
        &source,
        Library::Shared,
        &scratch("reload"),
        &["-std=gnu11", "-Wl,--as-needed", "-ldl"],
    );
    let library = Library::Shared.path();
    let output = success(Command::new(binary).arg(library));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "200 times loaded\n"
    );
}
