//! The committed header is that of the source.

use crate::stand_in::{folder, scratch};
use std::process::Command;

/// `build.rs` makes it.
fn generated() -> String {
    std::fs::read_to_string(concat!(env!("OUT_DIR"), "/quatint_cuda.h")).expect("made by build.rs")
}

/// `make cuda-header` refreshes it.
#[test]
fn the_committed_header_is_what_cbindgen_makes_of_the_source() {
    let path = folder().join("include/quatint_cuda.h");
    let generated = generated();
    if std::env::var_os("QUATINT_REFRESH").is_some() {
        std::fs::write(&path, &generated).expect("writable");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == generated,
        "refresh it with `make cuda-header` and commit it"
    );
}

#[test]
fn every_function_has_a_comment_that_says_what_its_own_arguments_are() {
    let at_the_top = [
        "ensemble",
        "device",
        "data",
        "body_stride",
        "component_stride",
        "dt",
        "steps",
        "duration",
        "frame",
        "void",
        "count",
        "stream",
        "time",
    ];
    let header = generated();
    let mut functions = 0;
    for item in header.split("/**").skip(2) {
        let (comment, code) = item.split_once("*/").expect("a comment");
        let Some((head, arguments)) = code.split(';').next().and_then(|c| c.split_once('(')) else {
            continue;
        };
        if head.contains("#define") {
            continue; // of a number
        }
        functions += 1;
        for argument in arguments.trim_end_matches(')').split(',') {
            let mut names = argument.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            let name = names.rfind(|n| !n.is_empty()).unwrap_or("void");
            let is_said = at_the_top.contains(&name)
                || comment.contains(&format!("@param {name} "))
                || comment.contains(&format!("`{name}`"));
            assert!(is_said || argument.contains("(*"), "{head}: {name}");
        }
    }
    assert!(functions > 35, "{functions}");
}

#[test]
fn the_header_compiles_without_a_warning_in_c_and_in_cpp() {
    let folder_of_test = scratch("header");
    for (file, compiler, standard) in [
        ("header.c", "cc", "c99"),
        ("header.c", "cc", "c17"),
        ("header.cpp", "c++", "c++98"),
        ("header.cpp", "c++", "c++17"),
    ] {
        let source = folder_of_test.join(file);
        let text = "#include \"quatint_cuda.h\"\nint main(void) { return QI_CUDA_OK; }\n";
        std::fs::write(&source, text).expect("writable");
        let output = Command::new(compiler)
            .args([&format!("-std={standard}"), "-Wall", "-Wextra", "-pedantic"])
            .args(["-Werror", "-fsyntax-only"])
            .arg(format!("-I{}", folder().join("include").display()))
            .arg(&source)
            .output()
            .expect("a compiler");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{compiler} {standard}: {errors}");
    }
}
