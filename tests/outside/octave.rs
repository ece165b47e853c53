//! The MATLAB package under Octave: builds it, runs its tests and plots, compares its examples bitwise with the C
//! programs, and runs the loadlibrary script and the programs of docs/matlab.md.

use crate::common::docs::programs_of;
use crate::common::{
    Library, compile, header_functions, quiet_success, root, scratch, sources, success,
};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Once;

/// Octave with the package on its path and this working folder. Builds the MEX file first.
fn octave(folder: &Path) -> Command {
    static BUILD: Once = Once::new();
    let matlab = root().join("bindings/matlab");
    BUILD.call_once(|| {
        Library::Shared.path();
        let mut build = Command::new("octave-cli");
        build
            .args(["--norc", "--no-history", "--eval", "build_quatint"])
            .current_dir(root().join("bindings/matlab"));
        quiet_success(&mut build);
    });
    let mut octave = Command::new("octave-cli");
    octave
        .args(["--norc", "--no-history"])
        .current_dir(folder)
        .env_remove("DISPLAY");
    for part in ["", "tests", "tests/calllib"] {
        octave.arg("--path").arg(matlab.join(part));
    }
    octave.arg("--path").arg(root().join("examples/matlab"));
    octave
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// Runs a command and returns its output. A warning is a failure.
fn run(command: &mut Command) -> String {
    let output = success(command);
    assert!(
        output.stderr.is_empty(),
        "{command:?}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    stdout(&output)
}

fn eval(folder: &Path, code: &str) -> String {
    run(octave(folder).args(["--eval", code]))
}

#[test]
fn the_octave_tests_pass() {
    let tests: Vec<PathBuf> = sources("bindings/matlab/tests", "m");
    let names = tests
        .iter()
        .map(|path| path.file_stem().expect("a file").to_string_lossy());
    let names: Vec<_> = names.filter(|name| name.starts_with("test_")).collect();
    assert!(names.len() >= 4);
    for name in names {
        let text = eval(&scratch("octave"), &name);
        let right = text.lines().all(|line| line.starts_with("ok "));
        assert!(right && text.lines().count() > 5, "{name}: {text}");
    }
}

/// mkoctfile hides warnings, so the sources are compiled here too.
#[test]
fn the_mex_sources_are_c99_without_a_warning() {
    let include = stdout(&success(
        Command::new("mkoctfile").args(["-p", "OCTINCLUDEDIR"]),
    ));
    for compiler in crate::common::compilers() {
        let mut command = Command::new(compiler);
        command.args([
            "-std=c99",
            "-Wall",
            "-Wextra",
            "-Wno-missing-field-initializers",
            "-Werror",
            "-fsyntax-only",
        ]);
        command
            .arg("-isystem")
            .arg(include.trim())
            .arg("-I")
            .arg(root().join("include"));
        quiet_success(command.args(sources("bindings/matlab/src", "c")));
    }
}

/// As for a user: an interactive session that receives the signal of Ctrl-C.
#[test]
fn ctrl_c_in_a_torque_leaves_the_body_and_the_session() {
    let mut command = octave(&scratch("octave"));
    command
        .arg("--interactive")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut session = command.spawn().expect("starts");
    let script = fs::read(root().join("bindings/matlab/tests/interrupted.m")).expect("readable");
    session
        .stdin
        .take()
        .expect("piped")
        .write_all(&script)
        .expect("it reads");
    let output = session.wait_with_output().expect("ends");
    assert!(output.status.success(), "{output:?}");
    let text = stdout(&output);
    let said: Vec<_> = text
        .lines()
        .filter_map(|line| Some(line.split_once('=')?.1))
        .collect();
    let stepped = [
        "the clock stands at 0.3",
        "and goes on to 0.4",
        "stopped on the way: 1",
    ];
    let solved = ["the solution stands within: 1", "and goes on to 10", "end"];
    assert_eq!(said, [stepped, solved].concat(), "{output:?}");
}

fn c_program(name: &str, arguments: &[&str]) -> String {
    let binary = compile(
        &root().join(format!("c_examples/{name}.c")),
        Library::Shared,
        &scratch("octave"),
    );
    stdout(&success(Command::new(binary).args(arguments)))
}

#[test]
fn the_heavy_top_and_the_fibres_print_the_bits_of_the_c_programs() {
    let folder = scratch("octave");
    assert_eq!(eval(&folder, "heavy_top"), c_program("heavy_top", &[]));
    assert_eq!(
        eval(&folder, "fibres(2000)"),
        c_program("fibres", &["2000"])
    );
}

/// Octave has no loadlibrary. The script runs with stand-ins that are as strict as MATLAB: they read the functions from
/// the header, parsed by pycparser, and check the number and types of all arguments.
#[test]
fn the_loadlibrary_script_does_the_heavy_top_both_ways_and_has_the_bits_of_the_c_program() {
    let text = eval(&scratch("octave_calllib"), "run_both_ways");
    let (ready, staged) = text
        .split_once("the stage protocol: an ensemble of one, the torque computed here\n")
        .expect(&text);
    let expected = c_program("heavy_top", &[]);
    assert_eq!(staged, expected);
    // the ready-made torque rounds in a different order, so the last digits differ
    let lines = ready.lines().skip(1).zip(expected.lines());
    assert!(
        lines.clone().count() == 3 && lines.clone().all(|(a, b)| a[..24] == b[..24]),
        "{text}"
    );
}

#[test]
fn the_header_parses_for_a_strict_c_parser_with_types_that_calllib_passes() {
    let signatures = root().join("bindings/matlab/tests/calllib/signatures.sh");
    let text = run(Command::new(&signatures).arg(root().join("include/quatint.h")));
    let mut parsed: Vec<_> = text
        .lines()
        .map(|line| line.split(' ').next().expect("a name").to_owned())
        .collect();
    let mut declared = header_functions();
    parsed.sort();
    declared.sort();
    assert_eq!(parsed, declared);
    assert!(text.contains("\nqi_step int32_t qi_body* double\n"));
    assert!(text.contains("\nqi_set_torque int32_t qi_body* function void*\n"));

    for unsupported in [
        "__attribute__((pure)) double f(void);",
        "long double f(void);",
        "double f(__int128 x);",
        "struct pair { double a, b; }; double f(struct pair *p);",
        "double f(double v[restrict 3]);",
    ] {
        let header = scratch("octave").join("unsupported.h");
        fs::write(&header, unsupported).expect("writable");
        let output = Command::new("sh")
            .arg(&signatures)
            .arg(&header)
            .output()
            .expect("starts");
        assert!(
            !output.status.success(),
            "{unsupported} was taken: {}",
            stdout(&output)
        );
    }
}

/// Checks that the pictures are drawn, and that the printed numbers of the motion are right.
#[test]
fn the_plots_are_drawn_and_tell_the_published_period() {
    let folder = scratch("octave_plots");
    for (example, expected) in [
        ("tumbling_asteroid", "the long axis goes round in 7.40 days"),
        (
            "heavy_top_plot",
            "spin 20 rad/s: it leans by 28.65 to 31.10 degrees",
        ),
        (
            "tumbling_moon",
            "its axis first lies in the plane of the orbit after 6.25 orbits",
        ),
    ] {
        for format in ["png", "svg"] {
            let file = folder.join(format!("{example}.{format}"));
            let _ = fs::remove_file(&file); // from an earlier run
            let code = format!("{example}('{example}.{format}')");
            let output = success(octave(&folder).args(["--eval", &code])); // ignores a warning about gnuplot
            assert!(stdout(&output).contains(expected), "{output:?}");
            let picture = fs::read(&file).expect("drawn");
            assert!(
                picture.len() > 15_000,
                "{example}.{format}: {} bytes",
                picture.len()
            );
            assert!(picture.starts_with(if format == "png" { b"\x89PNG" } else { b"<?xm" }));
        }
    }
}

/// Uses a copy of the folder without a build tree beside it. The library is found by its prefix or by pkg-config;
/// without both there is an error message.
#[test]
fn the_mex_file_builds_against_an_installed_library() {
    let folder = scratch("octave_installed");
    let prefix = folder.join("prefix");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("writable");
    Library::Shared.path();
    let mut install = Command::new("make");
    install
        .arg("install")
        .arg(format!("PREFIX={}", prefix.display()))
        .current_dir(root());
    success(install.env_remove("MAKEFLAGS").env_remove("DESTDIR"));
    let copy = folder.join("matlab");
    fs::create_dir_all(&copy).expect("writable");
    for part in ["build_quatint.m", "src", "+quatint"] {
        let part = root().join("bindings/matlab").join(part);
        success(Command::new("cp").arg("-r").arg(part).arg(&copy));
    }

    let try_it = |arguments: &str, pkg_config_path: &Path| {
        let _ = fs::remove_file(folder.join("matlab/quatint_mex.mex"));
        let code = format!(
            "build_quatint{arguments}; b = quatint.Body(eye(3)); b.step(0.5); printf('%g %s\\n', b.time, quatint.libraryVersion())"
        );
        let mut octave = Command::new("octave-cli");
        octave
            .args(["--norc", "--no-history", "--eval", &code])
            .current_dir(folder.join("matlab"));
        octave
            .env("PKG_CONFIG_PATH", pkg_config_path)
            .env("PKG_CONFIG_LIBDIR", pkg_config_path);
        octave.output().expect("starts")
    };
    let expected = format!("0.5 {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(
        stdout(&try_it(&format!("('{}')", prefix.display()), &folder)),
        expected
    );
    assert_eq!(stdout(&try_it("", &prefix.join("lib/pkgconfig"))), expected);
    let missing = try_it("", &folder);
    let err = String::from_utf8_lossy(&missing.stderr);
    assert!(
        !missing.status.success()
            && err.contains("run `make`, or give the prefix where it is installed"),
        "{err}"
    );
}

#[test]
fn the_programs_of_the_page_print_what_it_says() {
    let folder = scratch("octave_docs");
    let programs = programs_of("matlab", &["matlab"]);
    assert!(
        programs.len() >= 19,
        "only {} programs were found",
        programs.len()
    );
    for (i, program) in programs.iter().enumerate() {
        let source = folder.join(format!("program_{i}.m"));
        fs::write(&source, &program.code).expect("writable");
        let text = run(octave(&folder).arg(&source));
        assert_eq!(
            Some(text.as_str()),
            program.output.as_deref(),
            "program {i}:\n{}",
            program.code
        );
    }
}
