//! The Julia package: runs its tests, compares its examples with the C programs, draws a picture, and runs the programs of
//! docs/julia.md.

mod common;

use common::docs::programs;
use common::{Library, compile, root, scratch, success};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Julia with the project of the package. Uses the one that `tests/setup_julia.sh` unpacked, else the one on the PATH.
fn julia() -> Command {
    Library::Shared.path(); // the package finds it in the build tree
    let unpacked = root().join("target/julia/julia");
    let julia = if unpacked.exists() { unpacked } else { PathBuf::from("julia") };
    let mut command = Command::new(julia);
    command.arg("--startup-file=no").arg(format!("--project={}", root().join("julia/Quatint").display()));
    command
}

fn output_of(command: &mut Command) -> String {
    String::from_utf8(success(command).stdout).expect("text")
}

#[test]
fn the_tests_of_the_package_pass() {
    let summary = output_of(julia().arg(root().join("julia/Quatint/test/runtests.jl")));
    let total = summary.lines().find(|line| line.starts_with("Quatint ")).expect("a summary");
    let passed: u32 = total.split_whitespace().nth(2).expect("a number").parse().expect("a number");
    assert!(passed > 200, "{summary}");
}

#[test]
fn the_examples_print_the_bits_of_the_c_programs() {
    let folder = scratch("julia");
    for (name, arguments) in [("heavy_top", &[][..]), ("fibres", &["2000"][..])] {
        let binary = compile(&root().join(format!("c_examples/{name}.c")), Library::Shared, &folder);
        let in_c = output_of(Command::new(binary).args(arguments));
        let example = root().join(format!("julia/examples/{name}.jl"));
        assert_eq!(output_of(julia().arg(example).args(arguments)), in_c);
    }
}

/// The example compares the greatest lean with the exact one, and fails where it is not.
#[test]
fn the_nodding_top_leans_as_far_as_it_must_and_is_drawn() {
    let picture = scratch("julia_nodding_top").join("nodding_top.svg");
    let _ = fs::remove_file(&picture); // from an earlier run
    let text = output_of(julia().arg(root().join("julia/examples/nodding_top.jl")).arg(&picture));
    assert!(text.contains("it nods every 4.541609 s, from 0.600000 to 1.149483 rad"), "{text}");
    assert!(text.contains("is right to 1e-10 in 20 nods: true"), "{text}");
    let drawn = fs::read_to_string(&picture).expect("drawn");
    assert!(drawn.starts_with("<svg") && drawn.ends_with("</svg>\n") && drawn.len() > 20_000);
    assert_eq!(drawn.matches("r='4'").count(), 20);
}

#[test]
fn the_programs_on_the_julia_page_print_what_it_says() {
    let programs = programs("docs/julia.md", &["julia"]);
    assert!(programs.len() >= 11);
    for (i, program) in programs.iter().enumerate() {
        let source = scratch("julia_page").join(format!("program_{i}.jl"));
        fs::write(&source, &program.code).expect("writable");
        assert_eq!(Some(output_of(julia().arg(&source))), program.output, "{}", source.display());
    }
}
