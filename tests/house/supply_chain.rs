//! What goes into the library and into the Python extension besides our own source: the crates, where they come from, and their
//! licences. Nothing here needs the network once the crates are there, as they are after any build.

use crate::common::{root, success};
use serde_json::Value;
use spdx::{Expression, ParseMode};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The licences a crate may have. Its expression must hold with these alone. All allow linking with closed programs, and ask at
/// most for a notice, which THIRD-PARTY.md gives.
const ACCEPTED: [&str; 5] = ["MIT", "Apache-2.0", "BSD-2-Clause", "Zlib", "Unicode-3.0"];

/// An exception that allows more than its licence.
const HARMLESS: &str = "LLVM-exception";

/// A few hundred crates could be in a library unseen. Whoever raises these numbers has looked at the new ones.
const MOST_CRATES: usize = 12;
const MOST_MORE_IN_THE_EXTENSION: usize = 12;

fn metadata() -> Value {
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["metadata", "--locked", "--format-version", "1"])
        .current_dir(root());
    // The crates of other platforms are not there. None of them is in the library: Cargo.lock would show it as one more.
    cargo.args(["--filter-platform", "x86_64-unknown-linux-gnu"]);
    serde_json::from_slice(&success(&mut cargo).stdout).expect("cargo writes JSON")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The crates whose code is in the library: what quatint needs, and what that needs, without procedural macros, build scripts
/// and tests. Sorted by name.
fn crates_in_the_library(metadata: &Value) -> Vec<&Value> {
    crates_in("quatint", metadata)
}

/// The crates whose code is in the Python extension, with those of the library.
fn crates_in_the_extension(metadata: &Value) -> Vec<&Value> {
    let mut crates = crates_in("quatint-python", metadata);
    crates.retain(|package| !package["source"].is_null());
    crates
}

/// The crates whose code is in the Python extension, but not in the library.
fn more_in_the_extension(metadata: &Value) -> Vec<&Value> {
    let library: BTreeSet<_> = crates_in_the_library(metadata)
        .iter()
        .map(|package| text(&package["id"]))
        .collect();
    let mut crates = crates_in_the_extension(metadata);
    crates.retain(|package| !library.contains(text(&package["id"])));
    crates
}

/// `cargo metadata` also has what the tests and tools of the workspace switch on in these crates, so the names come from
/// `cargo tree`.
fn crates_in<'a>(package: &str, metadata: &'a Value) -> Vec<&'a Value> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args([
            "tree",
            "--locked",
            "--package",
            package,
            "--edges",
            "normal,no-proc-macro",
        ])
        .current_dir(root());
    cargo.args([
        "--target",
        "x86_64-unknown-linux-gnu",
        "--prefix",
        "none",
        "--no-dedupe",
        "--format",
        "{p}",
    ]);
    let tree = String::from_utf8(success(&mut cargo).stdout).expect("text");
    let linked: BTreeSet<_> = tree
        .lines()
        .skip(1)
        .map(|line| line.split(" (").next().unwrap_or(line).trim())
        .collect();
    let label =
        |package: &Value| format!("{} v{}", text(&package["name"]), text(&package["version"]));
    let mut found: Vec<_> = list(&metadata["packages"])
        .iter()
        .filter(|package| linked.contains(&*label(package)))
        .collect();
    found.sort_by_key(|package| text(&package["name"]));
    assert_eq!(found.len(), linked.len(), "{linked:?}");
    found
}

/// Whether the accepted licences suffice for an SPDX expression.
fn accepted(expression: &str) -> bool {
    let expression = Expression::parse_mode(expression, ParseMode::LAX)
        .unwrap_or_else(|error| panic!("{expression:?}: {error}"));
    expression.evaluate(|needed| {
        let licence = needed.license.id().map(|id| id.name);
        let exception = needed.addition.as_ref().map(ToString::to_string);
        licence.is_some_and(|name| ACCEPTED.contains(&name))
            && exception.is_none_or(|name| name == HARMLESS)
    })
}

/// The licence of a binary: that of our source, then those that one cannot choose away of the crates in it.
fn licence_of_the_binary(crates: &[&Value]) -> String {
    let mut kept = BTreeSet::new();
    for package in crates.iter().filter(|p| !p["source"].is_null()) {
        let licence = text(&package["license"]);
        let parsed = Expression::parse_mode(licence, ParseMode::LAX).expect(licence);
        let alone = |one: &&str| {
            parsed.evaluate(|needed| needed.license.id().is_some_and(|id| id.name == *one))
        };
        let chosen = ACCEPTED.iter().copied().find(alone);
        kept.insert(chosen.unwrap_or_else(|| panic!("{licence} asks for more than one")));
    }
    let kept: Vec<_> = kept.into_iter().collect();
    format!("(MIT OR Apache-2.0) AND {}", kept.join(" AND "))
}

/// They said "MIT OR Apache-2.0", which is the licence of the source alone: nalgebra and its kin are under Apache-2.0.
#[test]
fn recipes_and_wheels_name_the_licence_of_the_source_and_those_of_the_crates() {
    let metadata = metadata();
    let library = licence_of_the_binary(&crates_in_the_library(&metadata));
    let extension = licence_of_the_binary(&crates_in_the_extension(&metadata));
    assert!(library.contains(" AND Apache-2.0") && extension.contains("BSD-2-Clause"));
    for (file, licence, line) in [
        (
            "packaging/conan/conanfile.py",
            &library,
            "    license = \"{}\"",
        ),
        ("packaging/conda/recipe.yaml", &library, "  license: {} #"),
        (
            "packaging/spack/package.py",
            &library,
            "    license(\"{}\")",
        ),
        (
            "packaging/vcpkg/vcpkg.json",
            &library,
            "\"license\": \"{}\"",
        ),
        ("THIRD-PARTY.md", &library, "`{}`"),
        (
            "bindings/python/pyproject.toml",
            &extension,
            "license = \"{}\"",
        ),
        ("bindings/python/THIRD-PARTY-PYTHON.md", &extension, "`{}`"),
    ] {
        let said = fs::read_to_string(root().join(file)).expect("readable");
        let line = line.replace("{}", licence);
        assert!(said.contains(&line), "{file} does not say {line}");
    }
}

/// Also the crates of the tests and tools, which are on the machine of whoever works on quatint.
#[test]
fn every_crate_has_an_accepted_licence() {
    let metadata = metadata();
    for package in list(&metadata["packages"])
        .iter()
        .filter(|p| !p["source"].is_null())
    {
        let (name, licence) = (text(&package["name"]), text(&package["license"]));
        assert!(accepted(licence), "{name}: {licence:?}");
    }
}

/// Cargo.lock lists the crates of every platform. `--locked` compares each with its checksum.
#[test]
fn every_crate_comes_from_the_registry_of_rust_and_has_a_checksum() {
    let lock = fs::read_to_string(root().join("Cargo.lock")).expect("Cargo.lock is committed");
    let mut crates = 0;
    for package in lock.split("[[package]]").skip(1) {
        let field = |name: &str| {
            let line = package
                .lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix(" = \""));
            line.map(|value| value.trim_end_matches('"'))
        };
        let name = field("name").expect("a package has a name");
        if name.starts_with("quatint") {
            assert_eq!(field("source"), None, "{name}");
            continue;
        }
        crates += 1;
        assert_eq!(
            field("source"),
            Some("registry+https://github.com/rust-lang/crates.io-index"),
            "{name}"
        );
        assert!(
            field("checksum").is_some_and(|sum| sum.len() == 64),
            "{name}"
        );
    }
    assert!(crates > 20, "only {crates} crates were found");
}

#[test]
fn the_library_holds_few_crates_and_none_in_two_versions() {
    let metadata = metadata();
    let crates = crates_in_the_library(&metadata);
    let names: BTreeSet<_> = crates
        .iter()
        .map(|package| text(&package["name"]))
        .collect();
    assert!(
        names.contains("nalgebra") && names.contains("libm") && !names.contains("syn"),
        "{names:?}"
    );
    assert_eq!(names.len(), crates.len(), "{names:?}");
    assert!(
        crates.len() <= MOST_CRATES,
        "{} crates: {names:?}",
        crates.len()
    );
}

#[test]
fn the_python_extension_adds_few_crates_and_none_in_two_versions() {
    let metadata = metadata();
    let crates = more_in_the_extension(&metadata);
    let names: BTreeSet<_> = crates
        .iter()
        .map(|package| text(&package["name"]))
        .collect();
    assert!(
        names.contains("pyo3") && !names.contains("quatint") && !names.contains("syn"),
        "{names:?}"
    );
    assert!(
        crates.len() <= MOST_MORE_IN_THE_EXTENSION,
        "{} crates: {names:?}",
        crates.len()
    );
    let library = crates_in_the_library(&metadata);
    assert!(
        library
            .iter()
            .all(|package| !names.contains(text(&package["name"]))),
        "{names:?}"
    );
    assert_eq!(names.len(), crates.len(), "{names:?}");
}

/// The licence files of a crate that apply: its MIT licence where it offers one, else all there are; notices always.
fn licence_files(package: &Value) -> Vec<String> {
    let folder = Path::new(text(&package["manifest_path"]))
        .parent()
        .expect("a file is in a folder");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the crate is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.is_file())
        .filter(|path| {
            let name = path
                .file_name()
                .expect("a file")
                .to_string_lossy()
                .to_uppercase();
            ["LICENSE", "LICENCE", "COPYING", "NOTICE"]
                .iter()
                .any(|start| name.starts_with(start))
        })
        .collect();
    let name = |path: &Path| {
        path.file_name()
            .expect("a file")
            .to_string_lossy()
            .to_uppercase()
    };
    if files.iter().any(|path| name(path).contains("MIT")) {
        files.retain(|path| name(path).contains("MIT") || name(path).starts_with("NOTICE"));
    }
    files.sort();
    assert!(
        !files.is_empty(),
        "{} has no licence file",
        text(&package["name"])
    );
    let read =
        |path| String::from_utf8_lossy(&fs::read(path).expect("readable")).replace("\r\n", "\n");
    files
        .into_iter()
        .map(|path| {
            read(path)
                .lines()
                .map(str::trim_end)
                .collect::<Vec<_>>()
                .join("\n")
        })
        .collect()
}

/// The table of the crates, and the texts of their licences.
fn table_and_texts(crates: &[&Value]) -> String {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut table = String::new();
    for package in crates {
        let [name, version, licence] =
            ["name", "version", "license"].map(|field| text(&package[field]));
        table += &format!(
            "| {name} | {version} | {} |\n",
            licence.replace('/', " OR ")
        );
        for file in licence_files(package) {
            texts
                .entry(file.trim().to_owned())
                .or_default()
                .push(name.to_owned());
        }
    }
    // in the order of the crates, not of the texts
    let mut texts: Vec<_> = texts
        .into_iter()
        .map(|(text, names)| (names.join(", "), text))
        .collect();
    texts.sort();
    let texts: Vec<_> = texts
        .iter()
        .map(|(names, text)| format!("## {names}\n\n```text\n{text}\n```\n"))
        .collect();
    format!(
        "| crate | version | licence |\n|---|---|---|\n{table}\n{}",
        texts.join("\n")
    )
}

/// The note on Rust's standard library, which is in both.
fn of_the_standard_library(what: &str) -> String {
    format!(
        "\
{what} also contains parts of Rust's standard library (MIT OR Apache-2.0, copyright The Rust Project contributors) and
of the crates in it. Their notices depend on the version of Rust. In an archive or a wheel they are in
COPYRIGHT-library.html, beside this file; otherwise in `share/doc/rust` of the toolchain, whose folder `rustc --print
sysroot` prints."
    )
}

fn third_party(metadata: &Value) -> String {
    format!(
        "# Licences of what is in the library

Written by `make third-party`; do not edit. libquatint contains quatint, which is under MIT or Apache 2.0 at your option
(LICENSE-MIT, LICENSE-APACHE), and the crates below. Where a crate offers a choice, its MIT licence is taken. Whoever
passes on one of the libraries, or a program that contains the static one, passes on the files of this folder with it. In
the words of SPDX the source is under `MIT OR Apache-2.0`, and libquatint, with the crates, under `{}`.

{}

{}",
        licence_of_the_binary(&crates_in_the_library(metadata)),
        of_the_standard_library("libquatint"),
        table_and_texts(&crates_in_the_library(metadata))
    )
}

fn third_party_of_the_extension(metadata: &Value) -> String {
    format!(
        "# Licences of what is in the Python extension

Written by `make third-party`; do not edit. The extension `_quatint` contains quatint, which is under MIT or Apache 2.0 at your
option (LICENSE-MIT, LICENSE-APACHE), and the crates below. Where a crate offers a choice, its MIT licence is taken. In the
words of SPDX the source is under `MIT OR Apache-2.0`, and the extension, with the crates, under
`{}`.

{}

{}",
        licence_of_the_binary(&crates_in_the_extension(metadata)),
        of_the_standard_library("The extension"),
        table_and_texts(&crates_in_the_extension(metadata))
    )
}

/// Compares a file with what it must contain. `make third-party` writes it first.
fn is_up_to_date(file: &str, must: &str) {
    let path = root().join(file);
    if std::env::var_os("QUATINT_REFRESH").is_some() {
        fs::write(&path, must).expect("writable");
    }
    let committed = fs::read_to_string(path).unwrap_or_else(|e| panic!("{file}: {e}"));
    assert!(
        committed == must,
        "{file} is out of date: refresh it with `make third-party` and commit it"
    );
}

#[test]
fn third_party_md_has_the_licence_of_every_crate_in_the_library() {
    is_up_to_date("THIRD-PARTY.md", &third_party(&metadata()));
}

#[test]
fn third_party_md_of_the_wheel_has_the_licence_of_every_crate_in_the_extension() {
    is_up_to_date(
        "bindings/python/THIRD-PARTY-PYTHON.md",
        &third_party_of_the_extension(&metadata()),
    );
}
