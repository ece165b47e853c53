//! Builds and runs the example programs and the programs of the README.

use crate::common::docs::programs;
use crate::common::{Library, compile, compile_with, root, scratch, success};
use std::fs;
use std::process::Command;

#[test]
fn tumble_finds_the_published_numbers_and_writes_a_csv_for_each_case() {
    let folder = scratch("tumble");
    let binary = compile(
        &root().join("c_examples/tumble.c"),
        Library::Shared,
        &folder,
    );
    let mut tumble = Command::new(&binary);
    tumble.arg("-o").arg(&folder);
    for case in ["toutatis", "t_handle", "heavy_top"] {
        tumble.arg(root().join(format!("c_examples/cases/{case}.case")));
    }
    let text = String::from_utf8(success(&mut tumble).stdout).expect("text"); // fails if the numbers are wrong
    for expected in [
        "5.3804 day  published 5.4",
        "7.3994 day  published 7.4",
        "flip 6 at     324.80504",
        "order 1.99",
    ] {
        assert!(text.contains(expected), "no `{expected}` in\n{text}");
    }
    for case in ["toutatis", "t_handle", "heavy_top"] {
        let csv = fs::read_to_string(folder.join(format!("{case}.csv"))).expect("written");
        assert!(csv.lines().count() > 500);
    }
}

/// The exit status of each says whether its numbers are right. The test also checks a line of its output.
#[test]
fn the_other_examples_come_out_right() {
    let folder = scratch("ensembles");
    for (name, arguments, expected) in [
        (
            "particles",
            &[][..],
            "t = 40.0   mean of the long axes along the field: +1.0000",
        ),
        ("heavy_top", &[][..], include_str!("../heavy_top.txt")),
        (
            "fibres",
            &["2000"][..],
            "period of an orbit: 15.7080, Jeffery's: 15.7080",
        ),
        ("stages", &[][..], "t = 10.0   energy: -31.31"),
        (
            "kick_drift",
            &[][..],
            "t = 400   energy: -137.0, greatest change: 0.020, of the sum of the momenta: ",
        ),
        (
            "dimers",
            &[][..],
            "2 dimensions   energy: 49.7, greatest change: ",
        ),
        ("openmp", &[][..], "the bits are the same"),
        ("drum", &[][..], "the box is where it must be"),
        (
            "cfd",
            &[][..],
            "with the strides 9, 1, 3: the bits of row-major ones",
        ),
    ] {
        let source = root().join(format!("c_examples/{name}.c"));
        let flags = if name == "openmp" {
            &["-fopenmp"][..]
        } else {
            &[]
        };
        for library in [Library::Static, Library::Shared] {
            let binary = compile_with(&source, library, &folder, flags);
            let text = String::from_utf8(success(Command::new(binary).args(arguments)).stdout)
                .expect("text");
            assert!(
                text.contains(expected),
                "{name}: no `{expected}` in\n{text}"
            );
        }
    }
}

/// The program checks its numbers itself; 5 seconds are its default.
#[test]
fn five_hundred_clumps_keep_their_energy_and_with_friction_come_to_rest_in_a_picture() {
    let folder = scratch("falling_clumps");
    let source = root().join("c_examples/clumps.c");
    let picture = folder.join("heap.svg");
    for (library, seconds) in [(Library::Static, "0.1"), (Library::Shared, "2")] {
        let binary = compile(&source, library, &folder);
        let mut clumps = Command::new(binary);
        clumps.arg(seconds).arg(&picture);
        let text = String::from_utf8(success(&mut clumps).stdout).expect("text");
        assert_eq!(text.matches("the energy, 230495.8 J, ").count(), 2);
        assert!(
            text.ends_with("after a restart the bits are the same\n"),
            "{text}"
        );
        let svg = fs::read_to_string(&picture).expect("written");
        assert_eq!(svg.matches("<circle ").count(), 1500);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && !svg.contains("nan"));
    }
}

/// The program of `make bench-clumps`: 64 clumps for 40000 steps, by `qi_kick_drift_ensemble` and by `qi_drift_ensemble`. It exits
/// with 1 if the energy ever changes by more than 1e-4; 1.7e-5 here. A torque held over the step gives 0.1.
#[test]
fn clumps_in_an_elastic_box_keep_their_energy_to_1e_4_by_kick_and_drift() {
    let folder = scratch("clumps");
    for library in [Library::Static, Library::Shared] {
        let binary = compile(&root().join("benches/clumps.c"), library, &folder);
        let text = String::from_utf8(success(Command::new(binary).arg("20")).stdout).expect("text");
        for expected in [
            "energy after t = 20 ",
            "\n  kick and drift ",
            "\n  own kick, drift ",
        ] {
            assert!(text.contains(expected), "no `{expected}` in\n{text}");
        }
    }
}

/// The program of `make bench-random` on a hundredth of its samples. It exits with 1 if a mean or a distribution is wrong.
#[test]
fn deviates_are_normal_and_dipoles_point_to_the_field_as_they_must() {
    let binary = compile(
        &root().join("benches/random.c"),
        Library::Shared,
        &scratch("random"),
    );
    let text = String::from_utf8(success(Command::new(binary).arg("12")).stdout).expect("text");
    for expected in [
        "1.20e+07 deviates",
        "chi2 of 2000 classes",
        "x = 10.0, 1.0e+06 samples",
        "\n  BAOAB ",
    ] {
        assert!(text.contains(expected), "no `{expected}` in\n{text}");
    }
}

#[test]
fn panels_unfold_propellant_burns_and_sloshes_as_theory_says() {
    let folder = scratch("changing_inertia");
    for (name, expected) in [
        ("panels", "  30.0     90.0"),
        ("rocket", "  40.0   0.05693   0.05693"),
        (
            "slosh",
            "dt = 0.0500   the body is off by 4.0e-04 rad, the mass by 6.1e-04 m",
        ),
    ] {
        let source = root().join("c_examples").join(format!("{name}.c"));
        let run = success(&mut Command::new(compile(
            &source,
            Library::Static,
            &folder,
        )));
        let text = String::from_utf8(run.stdout).expect("text"); // fails if the numbers are wrong
        assert!(text.contains(expected), "{text}");
    }
}

/// The exit status of each says whether its numbers are right.
#[test]
fn the_recipes_come_out_right() {
    let folder = scratch("recipes");
    for (name, expected) in [
        (
            "wheels",
            "motors at their limits for 44.6 s; 0.017 rad to go",
        ),
        (
            "orbit",
            "eccentric orbit with magnets: 24 satellites are within",
        ),
        (
            "fixed_steps",
            "0.1250       961                   4.4e-12     8.1",
        ),
        (
            "lyapunov",
            "regular top: 0.0020 /s, of the order of log(t)/t = 0.0021",
        ),
        ("monte_carlo", "the bits of 8 threads are the same"),
    ] {
        let source = root().join("c_examples").join(format!("{name}.c"));
        let flags = if name == "monte_carlo" {
            &["-fopenmp"][..]
        } else {
            &[]
        };
        let binary = compile_with(&source, Library::Static, &folder, flags);
        let text = String::from_utf8(success(&mut Command::new(binary)).stdout).expect("text");
        assert!(
            text.contains(expected),
            "{name}: no `{expected}` in\n{text}"
        );
    }
}

#[test]
fn tumble_says_which_line_of_a_case_it_does_not_understand() {
    let folder = scratch("tumble_bad");
    let binary = compile(
        &root().join("c_examples/tumble.c"),
        Library::Static,
        &folder,
    );
    let case = folder.join("bad.case");
    fs::write(&case, "title x\ninertia 1 0 0 0 1\n").expect("writable");
    let output = Command::new(&binary).arg(&case).output().expect("starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&output.stderr)
            .contains("bad.case:2: not understood: inertia 1 0 0 0 1")
    );
}

#[test]
fn the_programs_in_the_readme_compile_as_printed_and_print_what_the_readme_says() {
    let programs = programs("README.md", &["c"]);
    assert_eq!(programs.len(), 2, "a first program, and a particle code");
    let folder = scratch("readme");
    for (program, name) in programs.iter().zip(["first.c", "magnets.c"]) {
        let source = folder.join(name);
        fs::write(&source, &program.code).expect("writable");
        for library in [Library::Static, Library::Shared] {
            let run = success(&mut Command::new(compile(&source, library, &folder)));
            assert_eq!(
                Some(&*String::from_utf8_lossy(&run.stdout)),
                program.output.as_deref(),
                "{name}"
            );
        }
    }
}

/// They check their numbers themselves.
#[test]
fn the_rust_examples_run() {
    // for the same packages and features as these tests, so that nothing is built twice
    let mut build = Command::new(env!("CARGO"));
    build
        .args(["build", "--quiet", "--workspace", "--examples"])
        .current_dir(root());
    if cfg!(feature = "harness") {
        build.args(["--features", "harness"]);
    }
    success(&mut build);
    let tests = std::env::current_exe().expect("it runs");
    let examples = tests
        .ancestors()
        .nth(2)
        .expect("in target/debug/deps")
        .join("examples");
    for (name, expected) in [
        ("heavy_top", "CF4: 4 torque evaluations a step, order 4"),
        ("particles", "mean alignment +1.0000"),
    ] {
        let text = String::from_utf8(success(&mut Command::new(examples.join(name))).stdout)
            .expect("text");
        assert!(
            text.contains(expected),
            "{name}: no `{expected}` in\n{text}"
        );
    }
}
