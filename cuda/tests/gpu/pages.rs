//! The programs of docs/gpu.md run, and print what the page says.

use crate::stand_in::{folder, library, scratch};
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

/// The program of the page in a language, and what it prints.
fn program(language: &str) -> (String, String) {
    let page = std::fs::read_to_string(folder().join("../docs/gpu.md")).expect("the page");
    let block = |text: &str, language: &str| {
        let (_, rest) = text
            .split_once(&format!("\n```{language}\n"))
            .expect("a block");
        let (code, after) = rest.split_once("```\n").expect("its end");
        (code.to_owned(), after.to_owned())
    };
    let (code, after) = block(&page, language);
    (code, block(&after, "text").0)
}

fn output(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// Where cargo has put libquatint_cuda.so: beside this program.
fn built() -> PathBuf {
    let here = std::env::current_exe().expect("this program");
    let folder = here.parent().expect("a folder");
    assert!(folder.join("libquatint_cuda.so").exists(), "{folder:?}");
    folder.to_owned()
}

/// The paths of the library and of the stand-in for the driver.
fn libraries() -> String {
    let stand_in = library().parent().expect("a folder");
    format!("{}:{}", built().display(), stand_in.display())
}

/// The name by which the loader looks for the library.
fn loaded() -> String {
    let [major, minor] = [
        env!("CARGO_PKG_VERSION_MAJOR"),
        env!("CARGO_PKG_VERSION_MINOR"),
    ];
    if major == "0" {
        format!("libquatint_cuda.so.0.{minor}")
    } else {
        format!("libquatint_cuda.so.{major}")
    }
}

#[test]
fn the_program_in_cuda_c_prints_what_the_page_says() {
    let (code, printed) = program("cuda");
    let start = code.find("<<<").expect("a kernel is started");
    let name = code[..start].rfind(' ').map_or(0, |at| at + 1);
    let (given, rest) = code[start + 3..].split_once(">>>").expect("its shape");
    let (call, after) = rest.split_once(';').expect("its arguments");
    let [blocks, threads, ..] = given.split(", ").collect::<Vec<_>>()[..] else {
        panic!("{given}");
    };
    let kernel = &code[name..start];
    let before = &code[..name];
    let code = format!("{before}ON_DEVICE({blocks}, {threads}, {kernel}{call});{after}");
    let place = scratch("page");
    let source = place.join("dipoles.cpp");
    std::fs::write(&source, code).expect("writable");
    let binary = place.join("dipoles");
    output(
        Command::new("c++")
            .args(["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror"])
            .arg(format!("-I{}", folder().join("include").display()))
            .arg(format!("-I{}", folder().join("tests/stand_in").display()))
            .arg(&source)
            .arg("-o")
            .arg(&binary)
            .arg(format!("-L{}", built().display()))
            .arg("-lquatint_cuda")
            .arg(library()),
    );
    let link = place.join(loaded());
    let _ = std::fs::remove_file(&link); // of a run before
    symlink(built().join("libquatint_cuda.so"), link).expect("writable");
    let mut run = Command::new(binary);
    run.env(
        "LD_LIBRARY_PATH",
        format!("{}:{}", place.display(), libraries()),
    );
    assert_eq!(output(&mut run), printed);
}

#[test]
fn the_shared_library_has_a_name_with_its_version_and_is_never_unloaded() {
    let library = built().join("libquatint_cuda.so");
    let dynamic = output(Command::new("readelf").args(["--wide", "-d"]).arg(&library));
    assert!(dynamic.contains(&format!("[{}]", loaded())), "{dynamic}");
    assert!(dynamic.contains("NODELETE"), "{dynamic}");
    let symbols = output(
        Command::new("nm")
            .args(["-D", "--defined-only"])
            .arg(&library),
    );
    let foreign = |line: &&str| !line.contains(" qi_cuda_");
    assert_eq!(symbols.lines().find(foreign), None);
}

#[test]
fn the_program_in_python_prints_what_the_page_says() {
    let (code, printed) = program("python");
    let source = scratch("page").join("tops.py");
    std::fs::write(&source, code).expect("writable");
    let mut run = Command::new("python3");
    run.args(["-W", "error"]).arg(source);
    run.env("LD_LIBRARY_PATH", libraries());
    run.env("PYTHONPATH", folder().join("tests/stand_in"));
    run.env("PYTHONDONTWRITEBYTECODE", "1");
    assert_eq!(output(&mut run), printed);
}
