//! What several test programs share.
#![allow(dead_code, unreachable_pub)] // each uses a part

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder for a test to build in, under target/.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("target/tmp is writable");
    folder
}

/// The C compilers that must accept what we ship. Both must be there: a compiler that is missing is not a pass.
pub fn compilers() -> [&'static str; 2] {
    ["gcc", "clang"]
}

/// Runs a command that must succeed.
pub fn success(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|e| panic!("{:?} does not start: {e}", command.get_program()));
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(output.status.success(), "{command:?}\n{}\n{out}{err}", output.status);
    output
}

/// Runs a command that must succeed without a word of complaint.
pub fn quiet_success(command: &mut Command) {
    let output = success(command);
    assert!(output.stderr.is_empty(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
}
