//! The committed C header agrees with the source, is fully documented, and compiles without a warning in every C and
//! C++ standard.

use super::exported::exported;
use crate::common::{compilers, quiet_success, root, scratch};
use quatint::ffi::{QI_VERSION_MAJOR, QI_VERSION_MINOR, QI_VERSION_PATCH};
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

fn committed() -> String {
    fs::read_to_string(root().join("include/quatint.h")).expect("include/quatint.h is committed")
}

/// `build.rs` makes it, with the feature `harness`. `make header` refreshes the committed one.
#[test]
fn the_committed_header_is_what_cbindgen_makes_of_the_source() {
    let generated =
        fs::read_to_string(concat!(env!("OUT_DIR"), "/quatint.h")).expect("made by build.rs");
    if std::env::var_os("QUATINT_REFRESH").is_some() {
        fs::write(root().join("include/quatint.h"), &generated).expect("include/ is writable");
    }
    let message = "include/quatint.h is out of date: refresh it with `make header` and commit it";
    assert!(committed() == generated, "{message}");
}

#[test]
fn the_version_of_the_header_is_that_of_the_package() {
    let numbers = [QI_VERSION_MAJOR, QI_VERSION_MINOR, QI_VERSION_PATCH].map(|n| n.to_string());
    assert_eq!(numbers.join("."), env!("CARGO_PKG_VERSION"));
}

/// What the rules at the top of the header say of an argument of this name, so that each function need not.
const AT_THE_TOP: [&str; 15] = [
    "body",
    "ensemble",
    "orientation",
    "angular_velocity",
    "angular_momentum",
    "energy",
    "duration",
    "frame",
    "inertia",
    "data",
    "time",
    "clock",
    "dt",
    "steps",
    "user_data",
];

/// Whether a comment tells of a parameter.
fn documents(comment: &str, name: &str) -> bool {
    let mut tags = comment
        .split("@param ")
        .skip(1)
        .filter_map(|tag| tag.split(' ').next());
    tags.any(|names| names.split(',').any(|named| named == name))
        || comment.contains(&format!("`{name}`"))
}

/// The comment above the function with this name.
fn comment_of<'a>(header: &'a str, function: &str) -> Option<&'a str> {
    let comments = header
        .split("/**")
        .skip(1)
        .filter_map(|item| item.split_once("*/"));
    let mut of_it = comments.filter(|(_, code)| {
        code.split(';')
            .next()
            .is_some_and(|code| code.contains(function))
    });
    of_it.next().map(|(comment, _)| comment)
}

/// Every declaration of the header has a comment directly above it. This, or that of a function to which it refers by "as", "see" or "and", documents
/// every parameter.
#[test]
fn every_declaration_of_the_header_is_documented() {
    let header = committed();
    let mut seen = BTreeSet::new();
    for (position, _) in header
        .match_indices("(*qi_")
        .chain(header.match_indices(" qi_"))
        .chain(header.match_indices("*qi_"))
    {
        let line_start = header[..position].rfind('\n').map_or(0, |n| n + 1);
        let line = &header[line_start..];
        if line.starts_with([' ', '*', '/', '#']) {
            continue; // a parameter, a comment or a macro
        }
        let declaration = &line[..line.find(';').expect("a declaration ends")];
        let comment = header[..line_start]
            .trim_end()
            .rsplit("/**")
            .next()
            .expect("a split has a last part");
        assert!(
            comment.ends_with("*/") && comment.matches("*/").count() == 1,
            "undocumented: {declaration}"
        );

        let Some((_, parameters)) = declaration
            .split_once("qi_")
            .and_then(|(_, rest)| rest.split_once('('))
        else {
            continue; // a type
        };
        let head = declaration.split('(').next().expect("a first part");
        let name = head.rsplit([' ', '*']).next().expect("a last part");
        if !name.is_empty() {
            seen.insert(name); // else the type of a function pointer
        }
        let words = comment.split_whitespace();
        let words: Vec<&str> = words.filter(|word| *word != "*").collect();
        for parameter in parameters
            .trim_end_matches(')')
            .split(',')
            .filter(|p| p.trim() != "void")
        {
            let name = parameter
                .rsplit([' ', '*'])
                .next()
                .expect("a parameter has a name");
            let refers = |i: usize| ["as", "As", "see"].contains(&words[i - 1]);
            // "as qi_a()", or the second of "as qi_a() and qi_b()"
            let is_referred =
                |i: &usize| refers(*i) || *i > 2 && words[i - 1] == "and" && refers(i - 2);
            let referred = (1..words.len()).filter(is_referred).map(|i| words[i]);
            let mut referred =
                referred.filter_map(|word| comment_of(&header, &word[..word.find("()")? + 1]));
            let documented =
                documents(comment, name) || referred.any(|comment| documents(comment, name));
            let documented = documented || AT_THE_TOP.contains(&name) || name.ends_with("_stride");
            assert!(
                documented || name == "status" && comment.contains("tatus"),
                "{name} of {declaration}"
            );
        }
    }
    let exported = exported("src/ffi");
    let exported: BTreeSet<&str> = exported.iter().map(|function| &*function.name).collect();
    assert_eq!(seen, exported, "the functions that were looked at");
}

/// What the snippets of the comments may use. What one declares itself takes the place of it.
const GIVEN: &str = "#include <math.h>\n#include <quatint.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
    extern qi_status status;\nextern qi_body *body;\nextern qi_ensemble *ensemble;\n\
    extern double dt, *torque, *omega, *strength, unfolded[9];\nextern void *particles;\nvoid compute_torques(double *torque);\n";

/// At least a score of functions show how they are called, each in a block of code that compiles below the declarations above.
#[test]
fn the_snippets_in_the_comments_of_the_header_compile() {
    let header = committed();
    let blocks: Vec<_> = header.split(" * ```").skip(1).step_by(2).collect();
    assert!(blocks.len() >= 20, "{} snippets", blocks.len());
    for (number, block) in blocks.iter().enumerate() {
        let lines = block.lines().skip(1); // after `c`
        let code: Vec<_> = lines
            .map(|line| line.strip_prefix(" * ").unwrap_or(""))
            .collect();
        let (callbacks, calls) = match code.iter().rposition(|line| *line == "}") {
            Some(end) => code.split_at(end + 1),
            None => code.split_at(0),
        };
        let (callbacks, calls) = (callbacks.join("\n"), calls.join("\n"));
        let source = scratch("header_snippets").join(format!("snippet_{number}.c"));
        let program = format!(
            "{GIVEN}{callbacks}\nvoid snippet(void);\nvoid snippet(void)\n{{\n{calls}\n}}\n"
        );
        fs::write(&source, program).expect("scratch is writable");
        for compiler in compilers() {
            let mut compile = Command::new(compiler);
            compile.args(["-std=c99", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"]);
            compile.args(["-Wno-unused-variable", "-Wno-unused-but-set-variable", "-I"]);
            compile.arg(root().join("include")).arg(&source);
            quiet_success(&mut compile);
        }
    }
}

#[test]
fn the_header_is_clean_in_every_dialect_of_c_and_cpp() {
    let include = root().join("include");
    let source = scratch("header_dialects").join("twice.c");
    fs::write(
        &source,
        "#include <quatint.h>\n#include <quatint.h>\nint main(void) { return (int)qi_version_number() != QI_VERSION_NUMBER; }\n",
    )
    .expect("scratch is writable");

    for compiler in compilers() {
        for (language, standards) in [
            ("c", &["c90", "c99", "c11", "c17", "c2x"][..]),
            (
                "c++",
                &["c++98", "c++11", "c++14", "c++17", "c++20", "c++2b"][..],
            ),
        ] {
            for standard in standards {
                let mut compile = Command::new(compiler);
                compile.args(["-x", language, &format!("-std={standard}"), "-fsyntax-only"]);
                compile
                    .args(["-Wall", "-Wextra", "-pedantic-errors", "-Werror", "-I"])
                    .arg(&include)
                    .arg(&source);
                quiet_success(&mut compile);
            }
        }
    }
}

#[test]
fn a_status_that_is_ignored_is_a_warning_where_the_program_asks_for_it() {
    let source = scratch("header_unused").join("ignores.c");
    fs::write(
        &source,
        "#include <quatint.h>\nvoid f(qi_body *b) { qi_step(b, 1); }\n",
    )
    .expect("scratch is writable");
    for compiler in compilers() {
        let mut compile = Command::new(compiler);
        compile
            .args([
                "-std=c99",
                "-c",
                "-o",
                "/dev/null",
                "-Wall",
                "-Werror",
                "-I",
            ])
            .arg(root().join("include"))
            .arg(&source);
        quiet_success(&mut compile);
        let output = compile
            .arg("-DQI_WARN_UNUSED=__attribute__((warn_unused_result))")
            .output()
            .expect("it runs");
        assert!(
            !output.status.success() && String::from_utf8_lossy(&output.stderr).contains("unused"),
            "{output:?}"
        );
    }
}
