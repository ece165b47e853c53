//! The pages of C and Rust, and of the subjects: their programs compile as printed and give the printed output. Also: the Doxygen reference is complete.
//! The pages of the other languages are tested with those languages.

use crate::common::docs::{Program, programs, programs_of};
use crate::common::{Library, compile_with, exported, root, scratch, success};
use std::fs;
use std::process::{Command, Stdio};

#[test]
fn the_programs_of_the_c_pages_compile_and_print_what_they_say() {
    compile_and_compare("c_page", &programs_of("c", &["c"]), 20);
}

#[test]
fn the_programs_of_the_page_on_methods_compile_and_print_what_it_says() {
    compile_and_compare("methods_page", &programs("docs/methods.md", &["c"]), 1);
}

#[test]
fn the_programs_of_the_page_of_measurements_compile_and_print_what_it_says() {
    let programs = programs("docs/measurements.md", &["c"]);
    compile_and_compare("measurements_page", &programs, 1);
}

#[test]
fn the_programs_of_the_page_of_questions_compile_and_print_what_it_says() {
    compile_and_compare("questions_page", &programs("docs/questions.md", &["c"]), 2);
}

#[test]
fn the_programs_of_the_page_on_kicks_compile_and_print_what_it_says() {
    compile_and_compare("kicks_page", &programs("docs/kicks.md", &["c"]), 1);
}

#[test]
fn the_programs_of_the_page_on_random_torques_compile_and_print_what_it_says() {
    compile_and_compare("random_page", &programs("docs/random.md", &["c"]), 2);
}

/// As a crate that depends on quatint alone, without nalgebra: by rustc, with the library that the other tests build.
#[test]
fn the_programs_of_the_rust_page_compile_and_print_what_it_says() {
    let (folder, release) = (scratch("rust_page"), Library::Shared.path());
    let release = release.parent().expect("in a folder");
    let programs = programs("docs/rust.md", &["rust"]);
    assert!(programs.len() >= 7);
    for (number, program) in programs.iter().enumerate() {
        let (source, binary) = (
            folder.join(format!("program_{number}.rs")),
            folder.join(format!("program_{number}")),
        );
        fs::write(&source, &program.code).expect("writable");
        let mut rustc = Command::new("rustc");
        rustc
            .args(["--edition=2024", "-O", "-Dwarnings", "-L"])
            .arg(format!("dependency={}", release.join("deps").display()));
        rustc.arg(format!(
            "--extern=quatint={}",
            release.join("libquatint.rlib").display()
        ));
        success(rustc.arg(&source).arg("-o").arg(&binary));
        let run = success(&mut Command::new(&binary));
        let expected = program
            .output
            .as_deref()
            .expect("the page says what each prints");
        assert_eq!(
            String::from_utf8_lossy(&run.stdout),
            expected,
            "{}",
            source.display()
        );
    }
}

/// A closure that is no torque is refused by the compiler with what is wanted.
#[test]
fn a_closure_that_returns_no_vector_is_refused_by_rustc_in_words() {
    let (folder, release) = (scratch("rust_refused"), Library::Shared.path());
    let release = release.parent().expect("in a folder");
    let source = folder.join("array.rs");
    let code = "use quatint::nalgebra::{UnitQuaternion, Vector3};\nfn main() {}\npub fn turn(body: &mut quatint::Body) {\n    \
        let _ = body.step(0.1, &mut |_: f64, _: &UnitQuaternion<f64>, _: &Vector3<f64>| [0.0, 0.0, 1.0]);\n}\n";
    fs::write(&source, code).expect("writable");
    let mut rustc = Command::new("rustc");
    rustc
        .args(["--edition=2024", "-L"])
        .arg(format!("dependency={}", release.join("deps").display()));
    rustc
        .arg(format!(
            "--extern=quatint={}",
            release.join("libquatint.rlib").display()
        ))
        .arg("-o")
        .arg(folder.join("array"));
    let output = rustc.arg(&source).output().expect("starts");
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success()
            && words.contains("a torque returns a `Vector3<f64>`, or a `Result` of it"),
        "{words}"
    );
}

fn compile_and_compare(folder: &str, programs: &[Program], least: usize) {
    let folder = scratch(folder);
    assert!(programs.len() >= least);
    for (number, program) in programs.iter().enumerate() {
        let source = folder.join(format!("program_{number}.c"));
        fs::write(&source, &program.code).expect("writable");
        let expected = program
            .output
            .as_deref()
            .expect("the page says what each prints");
        for library in [Library::Static, Library::Shared] {
            let binary = compile_with(&source, library, &folder, &["-fopenmp"]);
            let run = success(&mut Command::new(binary));
            assert_eq!(
                String::from_utf8_lossy(&run.stdout),
                expected,
                "{}",
                source.display()
            );
        }
    }
}

/// A comment that Doxygen cannot parse, or a documented parameter that does not exist, fails here and in `make docs`.
#[test]
fn doxygen_reads_the_headers_without_a_warning_and_lists_every_function_of_the_c_interface() {
    let folder = scratch("reference");
    let _ = fs::remove_dir_all(&folder); // ignore the error if the folder does not exist
    fs::create_dir_all(&folder).expect("writable");
    let mut settings =
        fs::read_to_string(root().join("docs/doxygen/Doxyfile")).expect("it is there");
    settings.push_str(&format!("OUTPUT_DIRECTORY = {}\n", folder.display()));
    fs::write(folder.join("Doxyfile"), settings).expect("writable");
    let output = success(
        Command::new("doxygen")
            .arg(folder.join("Doxyfile"))
            .current_dir(root())
            .stdin(Stdio::null()),
    );
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );

    // each group of the header has a page
    let files = fs::read_dir(folder.join("c")).expect("a folder");
    let files = files.map(|file| file.expect("readable").path());
    let of_groups = files.filter(|file| file.to_string_lossy().contains("/group__"));
    let page: String = of_groups
        .map(|file| fs::read_to_string(file).expect("readable"))
        .collect();
    let functions = exported(&Library::Shared.path());
    assert!(functions.len() > 40);
    for function in functions {
        assert!(
            page.contains(&format!("</span>{function}()</h2>")),
            "{function} is not in the reference"
        );
    }
}

/// What `make site` gives to mdBook, without it: tabs in place of links to programs, and the functions of Python and Julia.
#[test]
fn the_site_has_tabs_of_programs_and_the_functions_of_python_and_julia() {
    let folder = scratch("site_pages");
    let write = "import sys, pathlib; sys.path.insert(0, sys.argv[1]); import site_pages; site_pages.write_pages(pathlib.Path(sys.argv[2]))";
    let mut python = Command::new("python3");
    python.args(["-B", "-c", write]);
    success(python.arg(root().join("docs/site")).arg(&folder));
    let read = |page: &str| fs::read_to_string(folder.join(page)).expect("written");

    let mut includes = 0;
    for page in fs::read_dir(&folder).expect("a folder") {
        let path = page.expect("readable").path();
        if path.extension().is_none_or(|end| end != "md") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("readable");
        let left = text.lines().find(|line| line.starts_with("Programs: "));
        assert_eq!(left, None, "{}", path.display());
        for include in text.split("{{#include ../").skip(1) {
            let (file, _) = include.split_once("}}").expect("an end");
            assert!(root().join(file).is_file(), "{}: {file}", path.display());
            includes += 1;
        }
    }
    assert!(includes > 80, "{includes} programs");
    let tabs = read("inertia.md");
    assert!(tabs.contains("<summary>Fortran</summary>\n\n[panel.f90](https://"));

    let python = read("reference-python.md");
    assert!(python.contains("### Body.advance\n\n```python\nadvance(dt, steps)\n```\n"));
    let julia = read("reference-julia.md");
    assert!(julia.contains("### set_torque!\n\n```julia\nset_torque!(body, torque)\n```\n"));
    assert!(read("SUMMARY.md").contains("  - [Functions in Julia](reference-julia.md)\n"));
}
