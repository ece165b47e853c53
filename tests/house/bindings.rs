//! What the other languages have of the header and of the table of the interface: in step with both.

use crate::common::root;
use std::process::Command;

/// Refresh them with `make bindings`.
#[test]
fn the_generated_parts_of_the_languages_are_what_the_tool_writes() {
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
