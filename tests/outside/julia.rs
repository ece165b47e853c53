//! The Julia package: runs its tests, compares its examples with the C programs, draws a picture, and runs the programs of
//! docs/julia.md.

use crate::common::docs::programs_of;
use crate::common::{Library, compile, root, scratch, success};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Julia with the project of the package. Uses the one that `tests/setup_julia.sh` unpacked, else the one on the PATH.
fn julia() -> Command {
    Library::Shared.path(); // the package finds it in the build tree
    let unpacked = root().join("target/julia/julia");
    let julia = if unpacked.exists() {
        unpacked
    } else {
        PathBuf::from("julia")
    };
    let mut command = Command::new(julia);
    command.arg("--startup-file=no").arg(format!(
        "--project={}",
        root().join("bindings/julia/Quatint").display()
    ));
    command
}

fn output_of(command: &mut Command) -> String {
    String::from_utf8(success(command).stdout).expect("text")
}

#[test]
fn the_tests_of_the_package_pass() {
    let summary = output_of(julia().arg(root().join("bindings/julia/Quatint/test/runtests.jl")));
    let total = summary
        .lines()
        .find(|line| line.starts_with("Quatint "))
        .expect("a summary");
    let passed: u32 = total
        .split_whitespace()
        .nth(2)
        .expect("a number")
        .parse()
        .expect("a number");
    assert!(passed > 200, "{summary}");
}

/// A copy of the package alone, as Pkg installs it: `QUATINT_LIBRARY` names the library.
#[test]
fn the_package_and_its_tests_read_nothing_outside_of_its_folder() {
    let folder = scratch("julia_alone");
    let _ = fs::remove_dir_all(folder.join("Quatint"));
    success(
        Command::new("cp")
            .arg("-r")
            .arg(root().join("bindings/julia/Quatint"))
            .arg(&folder),
    );
    let tests = r#"using Test, Quatint; cd(ARGS[1]); include(joinpath(ARGS[1], "Quatint/test/library.jl"))"#;
    let mut julia = julia();
    julia
        .arg(format!("--project={}", folder.join("Quatint").display()))
        .args(["-e", tests])
        .arg(&folder);
    let summary = output_of(julia.env("QUATINT_LIBRARY", Library::Shared.path()));
    assert!(summary.contains("Test Summary:"), "{summary}");
}

/// Pkg.add copies the folder of the package only. Its deps/build.jl builds the library from the repository that Pkg has cloned.
/// A stand-in for cargo gives the library of this build, where the sources of the commit are.
#[test]
fn pkg_add_from_the_repository_gives_a_package_that_loads() {
    let folder = scratch("julia_pkg_add");
    let _ = fs::remove_dir_all(&folder);
    let [repository, depot, tools] = ["repository", "depot", "tools"].map(|name| folder.join(name));
    fs::create_dir_all(repository.join("bindings/julia")).expect("writable");
    fs::create_dir_all(depot.join("registries/None")).expect("writable"); // no registry: nothing is downloaded
    fs::create_dir_all(&tools).expect("writable");
    let registry = "name = \"None\"\nuuid = \"1d0b5b1c-52ef-4a6c-9a4e-0d3c3d2a7c11\"\nrepo = \"\"\n[packages]\n";
    fs::write(depot.join("registries/None/Registry.toml"), registry).expect("writable");
    success(
        Command::new("cp")
            .arg("-r")
            .arg(root().join("bindings/julia/Quatint"))
            .arg(repository.join("bindings/julia")),
    );
    success(
        Command::new("cp")
            .arg(root().join("Cargo.toml"))
            .arg(&repository),
    );
    let commit = "git init -q . && git add . && git -c user.name=a -c user.email=a@b commit -qm first && \
        echo more >more && git add . && git -c user.name=a -c user.email=a@b commit -qm second";
    success(
        Command::new("sh")
            .args(["-c", commit])
            .current_dir(&repository),
    );
    let built = Library::Shared.path();
    let cargo = format!(
        "#!/bin/sh\n# build --release -p quatint-capi --locked --target-dir FOLDER\ntest -f Cargo.toml && mkdir -p \"$7/release\" && \
        cp '{}' \"$7/release/\"\n",
        built.display()
    );
    fs::write(tools.join("cargo"), cargo).expect("writable");
    success(Command::new("chmod").arg("+x").arg(tools.join("cargo")));

    let add = r#"using Pkg; Pkg.add(url = ARGS[1], subdir = "bindings/julia/Quatint");
        using Quatint; print("\n", Quatint.Libdl.dlpath(Quatint.LIBRARY[]))"#;
    let path = format!(
        "{}:{}",
        tools.display(),
        std::env::var("PATH").expect("a PATH")
    );
    let mut julia = julia();
    julia
        .arg(format!(
            "--project={}",
            folder.join("environment").display()
        ))
        .args(["-e", add])
        .arg(&repository);
    julia
        .env("PATH", path)
        .env("JULIA_DEPOT_PATH", &depot)
        .env("JULIA_PKG_SERVER", "")
        .env_remove("QUATINT_LIBRARY");
    julia.env_remove("LD_LIBRARY_PATH"); // of cargo: by it the library would count as installed
    let output = output_of(&mut julia);
    let loaded = output.lines().last().expect("a path"); // Pkg prints above it
    assert!(
        loaded.starts_with(depot.join("packages/Quatint").to_str().expect("text")),
        "{loaded}"
    );
    assert!(loaded.ends_with("deps/libquatint.so"), "{loaded}");
}

#[test]
fn the_examples_print_the_bits_of_the_c_programs() {
    let folder = scratch("julia");
    for (name, arguments) in [("heavy_top", &[][..]), ("fibres", &["2000"][..])] {
        let binary = compile(
            &root().join(format!("c_examples/{name}.c")),
            Library::Shared,
            &folder,
        );
        let in_c = output_of(Command::new(binary).args(arguments));
        let example = root().join(format!("examples/julia/{name}.jl"));
        assert_eq!(output_of(julia().arg(example).args(arguments)), in_c);
    }
}

/// The example compares the greatest lean with the exact one, and fails where it is not.
#[test]
fn the_nodding_top_leans_as_far_as_it_must_and_is_drawn() {
    let picture = scratch("julia_nodding_top").join("nodding_top.svg");
    let _ = fs::remove_file(&picture); // from an earlier run
    let text = output_of(
        julia()
            .arg(root().join("examples/julia/nodding_top.jl"))
            .arg(&picture),
    );
    assert!(
        text.contains("it nods every 4.541609 s, from 0.600000 to 1.149483 rad"),
        "{text}"
    );
    assert!(
        text.contains("is right to 1e-10 in 20 nods: true"),
        "{text}"
    );
    let drawn = fs::read_to_string(&picture).expect("drawn");
    assert!(drawn.starts_with("<svg") && drawn.ends_with("</svg>\n") && drawn.len() > 20_000);
    assert_eq!(drawn.matches("r='4'").count(), 20);
}

#[test]
fn the_programs_on_the_julia_page_print_what_it_says() {
    let programs = programs_of("julia", &["julia"]);
    assert!(programs.len() >= 16);
    for (i, program) in programs.iter().enumerate() {
        let source = scratch("julia_page").join(format!("program_{i}.jl"));
        fs::write(&source, &program.code).expect("writable");
        assert_eq!(
            Some(output_of(julia().arg(&source))),
            program.output,
            "{}",
            source.display()
        );
    }
}
