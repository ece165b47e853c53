//! The version, and what the recipes of `packaging/` and the workflows say. Nothing is built here, and nothing asks a network.

use crate::common::{root, scratch, success};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A copy of the files that git knows, as they are now.
fn copy_of_the_repository(name: &str) -> PathBuf {
    let folder = scratch(name);
    fs::remove_dir_all(&folder).expect("it was made just now");
    fs::create_dir_all(&folder).expect("writable");
    let script =
        "git ls-files -z | xargs -0 cp --parents --no-dereference --target-directory=\"$0\"";
    let mut copy = Command::new("sh");
    success(copy.args(["-ec", script]).arg(&folder).current_dir(root()));
    folder
}

fn version_py(folder: &Path, arguments: &[&str]) -> Command {
    let mut python = Command::new("python3");
    python.arg("packaging/version.py").args(arguments);
    python.current_dir(folder);
    python
}

/// `packaging/version.py set` left one package of the workspace behind in Cargo.lock, and `make`, which calls cargo with `--locked`,
/// failed after it. The baseline of the interface alone is of the old version: `make abi-baseline` writes it.
#[test]
fn a_version_that_is_set_is_that_of_every_package_and_cargo_takes_the_lock_file_as_it_is() {
    let copy = copy_of_the_repository("version_set");
    success(&mut version_py(&copy, &["set", "7.8.9"]));
    let left = version_py(&copy, &[])
        .stderr(Stdio::inherit())
        .output()
        .expect("python3");
    let left = String::from_utf8_lossy(&left.stdout).into_owned();
    assert!(!left.is_empty(), "the baseline has a version");
    for line in left.lines() {
        assert!(line.starts_with("tests/abi/baseline.abi:"), "{line}");
    }
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--locked", "--offline", "--format-version", "1"]);
    // the crates of other platforms are not there
    cargo.args(["--filter-platform", "x86_64-unknown-linux-gnu"]);
    let found = success(cargo.current_dir(&copy)).stdout;
    let found: Value = serde_json::from_slice(&found).expect("cargo writes JSON");
    let packages = found["packages"].as_array().expect("a list");
    for name in ["quatint", "quatint-capi", "quatint-cuda", "quatint-python"] {
        let package = packages.iter().find(|package| package["name"] == name);
        assert_eq!(package.expect(name)["version"], "7.8.9", "{name}");
    }
    fs::remove_dir_all(copy).expect("ours");
}
