//! The static library in a program that contains another static library of Rust: each brings Rust's standard library with it.

use crate::common::{Library, compilers, root, scratch, success};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The other library panics, and notices it before anyone else does.
const OTHER: &str = r#"
#[unsafe(no_mangle)]
pub extern "C" fn other_catches() -> i32 {
    std::panic::set_hook(Box::new(|_| ()));
    std::panic::catch_unwind(|| panic!("in the other library")).is_err() as i32
}
"#;

/// Both libraries work in turn: a body turns as it does alone, and a panic of the other ends within it.
const PROGRAM: &str = r#"
#include <quatint.h>
#include <stdio.h>

int other_catches(void);

int main(void)
{
    const double inertia[9] = {3, 0, 0, 0, 5, 0, 0, 0, 9}, omega[3] = {0, 0.4, 0.001};
    double q[4];
    int caught = other_catches();
    qi_body *body = qi_create_body(inertia, NULL, omega, NULL);
    if (body == NULL || qi_advance(body, 1e-3, 60000, NULL) != QI_OK) return 1;
    caught += other_catches();
    if (qi_get_orientation(body, q) != QI_OK) return 1;
    printf("%d panics, %+.4f %+.4f %+.4f %+.4f\n", caught, q[0], q[1], q[2], q[3]);
    qi_destroy_body(body);
    return 0;
}
"#;

/// Links a program with both libraries in either order, and returns what it prints.
fn printed(folder: &Path, source: &str, other: &Path) -> Vec<String> {
    let program = folder.join("program.c");
    fs::write(&program, source).expect("writable");
    let ours = Library::Static.path();
    let orders = [[&*ours, other], [other, &*ours]];
    let run = |order: &[&Path; 2]| {
        let binary = folder.join("program");
        let mut compiler = Command::new(compilers()[0]);
        compiler.arg(&program).arg("-I").arg(root().join("include"));
        compiler
            .args(order)
            .args(["-lpthread", "-lm", "-ldl", "-o"]);
        success(compiler.arg(&binary));
        String::from_utf8(success(&mut Command::new(&binary)).stdout).expect("text")
    };
    orders.iter().map(run).collect()
}

/// The compilers of Rust on this machine; the one of these tests if there is no rustup.
fn compilers_of_rust() -> Vec<Command> {
    let list = Command::new("rustup").args(["toolchain", "list"]).output();
    let list = list.map(|list| String::from_utf8_lossy(&list.stdout).into_owned());
    let named = |line: &str| {
        let mut rustc = Command::new("rustup");
        rustc.args(["run", line.split(' ').next().expect("a name"), "rustc"]);
        rustc
    };
    let found: Vec<_> = list.unwrap_or_default().lines().map(named).collect();
    match found.is_empty() {
        true => vec![Command::new("rustc")],
        false => found,
    }
}

/// That of another compiler made a link fail: `multiple definition of rust_eh_personality`.
#[test]
fn the_static_library_links_beside_one_of_each_compiler_of_rust_and_panics_cross_neither() {
    let folder = scratch("beside");
    let source = folder.join("other.rs");
    fs::write(&source, OTHER).expect("writable");
    for (number, mut rustc) in compilers_of_rust().into_iter().enumerate() {
        let library: PathBuf = folder.join(format!("libother{number}.a"));
        rustc.args(["--crate-type=staticlib", "--edition=2024", "-O", "-o"]);
        success(rustc.arg(&library).arg(&source).current_dir(&folder));
        for said in printed(&folder, PROGRAM, &library) {
            let expected = "2 panics, +0.0014 -0.3144 +0.0000 -0.9493\n";
            assert_eq!(said, expected, "{rustc:?}");
        }
    }
}

/// What a compiler of Rust that is not on this machine would bring: its own function for unwinding.
#[test]
fn the_static_library_has_no_name_but_ours() {
    let folder = scratch("beside_c");
    let object = folder.join("other.o");
    let source = folder.join("other.c");
    let text = "int rust_eh_personality(void) { return 1; }\nint other_catches(void) { return rust_eh_personality(); }\n";
    fs::write(&source, text).expect("writable");
    let mut compiler = Command::new(compilers()[0]);
    success(compiler.arg("-c").arg(&source).arg("-o").arg(&object));
    for said in printed(&folder, PROGRAM, &object) {
        assert!(said.starts_with("2 panics, +0.0014"), "{said}");
    }
    let mut nm = Command::new("nm");
    nm.args(["--defined-only", "--extern-only"]);
    let names = success(nm.arg(Library::Static.path())).stdout;
    let names = String::from_utf8(names).expect("text");
    let names = names.lines().filter_map(|line| line.split(' ').nth(2));
    let (ours, others): (Vec<_>, Vec<_>) = names.partition(|name| name.starts_with("qi_"));
    assert!(ours.len() > 100 && others.is_empty(), "{others:?}");
}
