//! What Fortran and Julia declare of the header: in step with it.

use crate::common::root;
use std::process::Command;

/// Refresh them with `make bindings`.
#[test]
fn the_declarations_in_fortran_and_julia_are_what_the_tool_writes_from_the_header() {
    let mut tool = Command::new(env!("CARGO"));
    tool.args(["run", "--quiet", "-p", "quatint-bindings", "--", "--check"])
        .current_dir(root());
    let run = tool.output().expect("cargo starts");
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
}
