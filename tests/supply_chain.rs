//! What goes into the library besides our own source: the crates, where they come from, and their licences. Nothing here needs
//! the network once the crates are there, as they are after any build.

mod common;

use common::{root, success};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The licences a crate may have. Its expression must hold with these alone. All allow linking with closed programs, and ask at
/// most for a notice, which THIRD-PARTY.md gives.
const ACCEPTED: [&str; 4] = ["MIT", "Apache-2.0", "Zlib", "Unicode-3.0"];

/// A few hundred crates could be in a library unseen. Whoever raises this number has looked at the new ones.
const MOST_CRATES: usize = 30;

fn metadata() -> Value {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--locked", "--format-version", "1"]).current_dir(root());
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
/// and tests. Sorted by name. `cargo metadata` also has what the tests and tools of the workspace switch on in these crates, so
/// the names come from `cargo tree`.
fn crates_in_the_library(metadata: &Value) -> Vec<&Value> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--locked", "--package", "quatint", "--edges", "normal,no-proc-macro"]).current_dir(root());
    cargo.args(["--target", "x86_64-unknown-linux-gnu", "--prefix", "none", "--no-dedupe", "--format", "{p}"]);
    let tree = String::from_utf8(success(&mut cargo).stdout).expect("text");
    let linked: BTreeSet<_> = tree.lines().skip(1).map(|line| line.split(" (").next().unwrap_or(line).trim()).collect();
    let label = |package: &Value| format!("{} v{}", text(&package["name"]), text(&package["version"]));
    let mut found: Vec<_> =
        list(&metadata["packages"]).iter().filter(|package| linked.contains(&*label(package))).collect();
    found.sort_by_key(|package| text(&package["name"]));
    assert_eq!(found.len(), linked.len(), "{linked:?}");
    found
}

/// Whether an SPDX expression of `OR`, `AND` and parentheses holds with the accepted licences.
fn accepted(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<_> = spaced.split_whitespace().collect();
    // A list of alternatives, each a list of terms; parentheses begin a list of their own.
    fn alternatives(words: &[&str], at: &mut usize) -> bool {
        let mut any = all_of(words, at);
        while words.get(*at) == Some(&"OR") {
            *at += 1;
            any |= all_of(words, at);
        }
        any
    }
    fn all_of(words: &[&str], at: &mut usize) -> bool {
        let mut all = term(words, at);
        while words.get(*at) == Some(&"AND") {
            *at += 1;
            all &= term(words, at);
        }
        all
    }
    fn term(words: &[&str], at: &mut usize) -> bool {
        let Some(word) = words.get(*at) else { return false };
        *at += 1;
        if *word != "(" {
            return ACCEPTED.contains(word);
        }
        let inner = alternatives(words, at);
        *at += 1;
        inner && words.get(*at - 1) == Some(&")")
    }
    let mut at = 0;
    alternatives(&words, &mut at) && at == words.len()
}

#[test]
fn a_licence_is_accepted_if_those_of_the_list_suffice() {
    for good in ["MIT", "MIT/Apache-2.0", "GPL-3.0 OR MIT", "(MIT OR GPL-3.0) AND Unicode-3.0"] {
        assert!(accepted(good), "{good}");
    }
    for bad in ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR Zlib", "MIT WITH something", "(MIT OR Zlib) AND LGPL-2.1"] {
        assert!(!accepted(bad), "{bad}");
    }
}

/// Also the crates of the tests and tools, which are on the machine of whoever works on quatint.
#[test]
fn every_crate_has_an_accepted_licence() {
    let metadata = metadata();
    for package in list(&metadata["packages"]).iter().filter(|p| !p["source"].is_null()) {
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
            let line = package.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = \""));
            line.map(|value| value.trim_end_matches('"'))
        };
        let name = field("name").expect("a package has a name");
        if name.starts_with("quatint") {
            assert_eq!(field("source"), None, "{name}");
            continue;
        }
        crates += 1;
        assert_eq!(field("source"), Some("registry+https://github.com/rust-lang/crates.io-index"), "{name}");
        assert!(field("checksum").is_some_and(|sum| sum.len() == 64), "{name}");
    }
    assert!(crates > 20, "only {crates} crates were found");
}

#[test]
fn the_library_holds_few_crates_and_none_in_two_versions() {
    let metadata = metadata();
    let crates = crates_in_the_library(&metadata);
    let names: BTreeSet<_> = crates.iter().map(|package| text(&package["name"])).collect();
    assert!(names.contains("nalgebra") && names.contains("rayon-core") && !names.contains("syn"), "{names:?}");
    assert_eq!(names.len(), crates.len(), "{names:?}");
    assert!(crates.len() <= MOST_CRATES, "{} crates: {names:?}", crates.len());
}

/// The licence files of a crate that apply: its MIT licence where it offers one, else all there are; notices always.
fn licence_files(package: &Value) -> Vec<String> {
    let folder = Path::new(text(&package["manifest_path"])).parent().expect("a file is in a folder");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the crate is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.is_file())
        .filter(|path| {
            let name = path.file_name().expect("a file").to_string_lossy().to_uppercase();
            ["LICENSE", "LICENCE", "COPYING", "NOTICE"].iter().any(|start| name.starts_with(start))
        })
        .collect();
    let name = |path: &Path| path.file_name().expect("a file").to_string_lossy().to_uppercase();
    if files.iter().any(|path| name(path).contains("MIT")) {
        files.retain(|path| name(path).contains("MIT") || name(path).starts_with("NOTICE"));
    }
    files.sort();
    assert!(!files.is_empty(), "{} has no licence file", text(&package["name"]));
    let read = |path| String::from_utf8_lossy(&fs::read(path).expect("readable")).replace("\r\n", "\n");
    files.into_iter().map(|path| read(path).lines().map(str::trim_end).collect::<Vec<_>>().join("\n")).collect()
}

fn third_party(metadata: &Value) -> String {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut table = String::new();
    for package in crates_in_the_library(metadata) {
        let [name, version, licence] = ["name", "version", "license"].map(|field| text(&package[field]));
        table += &format!("| {name} | {version} | {} |\n", licence.replace('/', " OR "));
        for file in licence_files(package) {
            texts.entry(file.trim().to_owned()).or_default().push(name.to_owned());
        }
    }
    // in the order of the crates, not of the texts
    let mut texts: Vec<_> = texts.into_iter().map(|(text, names)| (names.join(", "), text)).collect();
    texts.sort();
    let texts: Vec<_> = texts.iter().map(|(names, text)| format!("## {names}\n\n```text\n{text}\n```\n")).collect();
    format!(
        "# Licences of what is in the library

Written by `make third-party`; do not edit. libquatint contains quatint, which is under MIT or Apache 2.0 at your option
(LICENSE-MIT, LICENSE-APACHE), and the crates below. Where a crate offers a choice, its MIT licence is taken. Whoever
passes on a program that contains the static library passes on these notices with it.

libquatint also contains parts of Rust's standard library (MIT OR Apache-2.0, copyright The Rust Project contributors) and
of the crates in it. Their notices depend on the version of Rust: they are in `share/doc/rust/COPYRIGHT-library.html` of
the toolchain, whose folder `rustc --print sysroot` prints.

| crate | version | licence |
|---|---|---|
{table}
{}",
        texts.join("\n")
    )
}

#[test]
fn third_party_md_has_the_licence_of_every_crate_in_the_library() {
    let (file, written) = (root().join("THIRD-PARTY.md"), third_party(&metadata()));
    if std::env::var_os("QUATINT_REFRESH").is_some() {
        fs::write(&file, &written).expect("writable");
    }
    let committed = fs::read_to_string(file).expect("THIRD-PARTY.md is committed");
    assert!(committed == written, "THIRD-PARTY.md is out of date: refresh it with `make third-party` and commit it");
}
