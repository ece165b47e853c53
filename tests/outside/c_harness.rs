//! The C tests against the release libraries. `build.rs` compiles them (feature `harness`); here they are linked with the static
//! and the shared library, and run under valgrind. Also tests of the symbols in the two library files.

use crate::common::{
    Library, abi_version, all_ok, exported, header_functions, link, quiet_success, root, scratch,
    sources, success, valgrind,
};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The C test programs that `build.rs` has compiled: name and object.
fn test_programs() -> Vec<(String, PathBuf)> {
    let list =
        fs::read_to_string(concat!(env!("OUT_DIR"), "/harness.txt")).expect("made by build.rs");
    let programs = list.lines().filter_map(|line| line.split_once(' '));
    let programs: Vec<_> = programs
        .map(|(name, object)| (name.to_owned(), PathBuf::from(object)))
        .collect();
    assert_eq!(programs.len(), sources("tests/c", "c").len());
    programs
}

fn linked(name: &str, object: &Path, library: Library, folder: &str) -> PathBuf {
    let binary = scratch(folder).join(format!("{name}_{library:?}"));
    success(link(
        Command::new("cc").arg(object).arg("-o").arg(&binary),
        library,
    ));
    binary
}

#[test]
fn the_c_tests_pass_with_the_static_and_the_shared_library() {
    for (name, object) in test_programs() {
        for library in [Library::Static, Library::Shared] {
            all_ok(&linked(&name, &object, library, "c_harness"));
        }
    }
}

#[test]
fn valgrind_finds_no_error_and_no_leak() {
    for (name, object) in test_programs() {
        quiet_success(&mut valgrind(&Command::new(linked(
            &name,
            &object,
            Library::Static,
            "c_valgrind",
        ))));
    }
}

#[test]
fn the_c_tests_call_every_function_of_the_header() {
    let tests: String = sources("tests/c", "c")
        .iter()
        .map(|p| fs::read_to_string(p).expect("readable"))
        .collect();
    for name in header_functions() {
        assert!(
            tests.contains(&format!("{name}(")),
            "no C test calls {name}"
        );
    }
}

#[test]
fn the_shared_library_exports_the_header_and_nothing_else_and_has_a_soname() {
    let library = Library::Shared.path();
    let symbols = exported(&library);
    let header =
        fs::read_to_string(root().join("include/quatint.h")).expect("the header is committed");
    for symbol in &symbols {
        assert!(
            symbol.starts_with("qi_") && header.contains(&format!("{symbol}(")),
            "{symbol} is exported"
        );
    }
    assert!(symbols.len() >= 40);

    let output = success(Command::new("readelf").arg("-d").arg(&library));
    // A program linked with 0.1 must not start with 0.2, which CMake refuses as well.
    let soname = format!("[libquatint.so.{}]", abi_version());
    assert!(String::from_utf8_lossy(&output.stdout).contains(&soname));
}

#[test]
fn the_shipped_archive_holds_no_object_of_the_harness() {
    let output = success(
        Command::new("nm")
            .args(["--defined-only", "--format=posix"])
            .arg(Library::Static.path()),
    );
    let symbols = String::from_utf8_lossy(&output.stdout);
    for name in ["troublesome", "meddling", "commanded", "main "] {
        assert!(
            !symbols.lines().any(|line| line.starts_with(name)),
            "{name} is in the archive"
        );
    }
}

#[test]
fn a_build_without_the_harness_needs_neither_cbindgen_nor_a_c_compiler() {
    let mut tree = Command::new(env!("CARGO"));
    tree.args(["tree", "--edges", "normal,build", "--prefix", "none"])
        .current_dir(root());
    let packages = String::from_utf8(success(&mut tree).stdout).expect("text");
    assert!(
        packages.starts_with("quatint ") && packages.contains("nalgebra "),
        "{packages}"
    );
    for line in packages.lines() {
        assert!(
            !line.starts_with("cbindgen ") && !line.starts_with("cc "),
            "{line}"
        );
    }
}
