//! The checks of a device, which run on a machine with a GPU, pass with the stand-in.

use crate::stand_in::{folder, library};
use std::path::PathBuf;
use std::process::Command;

/// Built by cargo beside this program.
fn device_check() -> PathBuf {
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--locked", "--quiet", "--package", "quatint-cuda"]);
    build.args(["--features", "harness", "--example", "device_check"]);
    let built = build.current_dir(folder()).status().expect("cargo");
    assert!(built.success());
    let here = std::env::current_exe().expect("this program");
    let profile = here.parent().and_then(|deps| deps.parent());
    profile.expect("a folder").join("examples/device_check")
}

#[test]
fn the_checks_of_a_device_pass_with_the_stand_in() {
    let output = Command::new(device_check())
        .args(["300", "1"])
        .env("LD_LIBRARY_PATH", library().parent().expect("a folder"))
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{output:?}");
    assert!(said.ends_with("passed\n"), "{said}");
    assert_eq!(said.matches("        0 of ").count(), 30, "{said}");
    assert!(said.contains("kick and drift"), "{said}");
}

/// Without a driver they say so.
#[test]
fn the_checks_of_a_device_fail_where_there_is_none() {
    let output = Command::new(device_check())
        .env("QUATINT_STAND_IN", "no-device")
        .env("LD_LIBRARY_PATH", library().parent().expect("a folder"))
        .output()
        .expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("there is no such CUDA device"), "{said}");
}
