//! The C pages: their programs compile as printed and give the printed output. Also: the Doxygen reference is complete.
//! The pages of the other languages are tested with those languages.

mod common;

use common::docs::programs;
use common::{Library, compile_with, root, scratch, success};
use std::fs;
use std::process::{Command, Stdio};

#[test]
fn the_programs_of_the_c_page_compile_and_print_what_it_says() {
    compile_and_compare("docs/c.md", "c_page", 11);
}

#[test]
fn the_programs_of_the_page_on_methods_compile_and_print_what_it_says() {
    compile_and_compare("docs/methods.md", "methods_page", 2);
}

fn compile_and_compare(page: &str, folder: &str, least: usize) {
    let folder = scratch(folder);
    let programs = programs(page, &["c"]);
    assert!(programs.len() >= least);
    for (number, program) in programs.iter().enumerate() {
        let source = folder.join(format!("program_{number}.c"));
        fs::write(&source, &program.code).expect("writable");
        let expected = program.output.as_deref().expect("the page says what each prints");
        for library in [Library::Static, Library::Shared] {
            let binary = compile_with(&source, library, &folder, &["-fopenmp"]);
            let run = success(&mut Command::new(binary));
            assert_eq!(String::from_utf8_lossy(&run.stdout), expected, "{}", source.display());
        }
    }
}

/// A comment that Doxygen cannot parse, or a documented parameter that does not exist, fails here and in `make docs`.
#[test]
fn doxygen_reads_the_headers_without_a_warning_and_lists_every_function_of_the_c_interface() {
    let folder = scratch("reference");
    let _ = fs::remove_dir_all(&folder); // ignore the error if the folder does not exist
    fs::create_dir_all(&folder).expect("writable");
    let mut settings = fs::read_to_string(root().join("docs/Doxyfile")).expect("docs/Doxyfile is there");
    settings.push_str(&format!("OUTPUT_DIRECTORY = {}\n", folder.display()));
    fs::write(folder.join("Doxyfile"), settings).expect("writable");
    let output = success(Command::new("doxygen").arg(folder.join("Doxyfile")).current_dir(root()).stdin(Stdio::null()));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));

    let page = fs::read_to_string(folder.join("c/quatint_8h.html")).expect("a page for the header");
    let symbols =
        success(Command::new("nm").args(["-D", "--defined-only", "--format=posix"]).arg(Library::Shared.path()));
    let symbols = String::from_utf8_lossy(&symbols.stdout).into_owned();
    assert!(symbols.lines().count() > 40);
    for function in symbols.lines().filter_map(|line| line.split(' ').next()) {
        assert!(page.contains(&format!("</span>{function}()</h2>")), "{function} is not in the reference");
    }
}
