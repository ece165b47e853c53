//! The version, and what the recipes of `packaging/` and the workflows say. Nothing is built here, and nothing asks a network.

use crate::common::{abi_version, header_functions, root, scratch, success};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A copy of the files that git knows, as they are now.
fn copy_of_the_repository(name: &str) -> PathBuf {
    let folder = scratch(name);
    fs::remove_dir_all(&folder).expect("it was made just now");
    fs::create_dir_all(&folder).expect("writable");
    let script =
        "git ls-files -z | xargs -0 cp --parents --no-dereference --target-directory=\"$0\"";
    let mut copy = Command::new("sh");
    success(copy.args(["-ec", script]).arg(&folder).current_dir(root()));
    folder
}

fn version_py(folder: &Path, arguments: &[&str]) -> Command {
    let mut python = Command::new("python3");
    python.arg("packaging/version.py").args(arguments);
    python.current_dir(folder);
    python
}

/// `packaging/version.py set` left one package of the workspace behind in Cargo.lock, and `make`, which calls cargo with `--locked`,
/// failed after it. The baseline of the interface alone is of the old version: `make abi-baseline` writes it.
#[test]
fn a_version_that_is_set_is_that_of_every_package_and_cargo_takes_the_lock_file_as_it_is() {
    let copy = copy_of_the_repository("version_set");
    success(&mut version_py(&copy, &["set", "7.8.9"]));
    let left = version_py(&copy, &[])
        .stderr(Stdio::inherit())
        .output()
        .expect("python3");
    let left = String::from_utf8_lossy(&left.stdout).into_owned();
    assert!(!left.is_empty(), "the baseline has a version");
    for line in left.lines() {
        assert!(line.starts_with("tests/abi/baseline.abi:"), "{line}");
    }
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--locked", "--offline", "--format-version", "1"]);
    // the crates of other platforms are not there
    cargo.args(["--filter-platform", "x86_64-unknown-linux-gnu"]);
    let found = success(cargo.current_dir(&copy)).stdout;
    let found: Value = serde_json::from_slice(&found).expect("cargo writes JSON");
    let packages = found["packages"].as_array().expect("a list");
    for name in ["quatint", "quatint-capi", "quatint-cuda", "quatint-python"] {
        let package = packages.iter().find(|package| package["name"] == name);
        assert_eq!(package.expect(name)["version"], "7.8.9", "{name}");
    }
    fs::remove_dir_all(copy).expect("ours");
}

/// PyPI has another project of the name and the module `quatint`: `packaging/try.sh` would have installed and tested that one.
#[test]
fn what_installs_our_python_package_for_a_test_asks_no_index_for_it() {
    let read = |file: &str| fs::read_to_string(root().join(file)).expect("text");
    for (file, line) in [
        ("packaging/try.sh", "--no-index --find-links target/dist"),
        ("packaging/test_dist.py", "\"--no-index\", file)"),
        ("tests/free_threaded.sh", "--no-index --no-deps"),
        (
            "bindings/python/bench/run.sh",
            "install --no-index --no-deps",
        ),
        ("tests/outside/python.rs", ".env(\"PIP_NO_INDEX\", \"1\")"),
    ] {
        assert!(read(file).contains(line), "{file} does not say {line}");
    }
    let project = read("bindings/python/pyproject.toml");
    assert!(project.contains("\nname = \"quatint-rotation\""));
    for page in ["README.md", "docs/python.md", "bindings/python/README.md"] {
        let text = read(page);
        for (at, command) in text.match_indices("pip install quatint") {
            assert!(
                text[at + command.len()..].starts_with("-rotation"),
                "{page}"
            );
        }
    }
}

/// The symbols file of Debian: since which version each function is there. `QUATINT_REFRESH=1` adds new ones with this version, and begins
/// anew with a new SONAME.
#[test]
fn the_symbols_file_of_debian_has_every_function_of_the_header() {
    let path = root().join("packaging/debian/symbols");
    let old = fs::read_to_string(&path).unwrap_or_default();
    let abi = abi_version();
    let head = format!("libquatint.so.{abi} libquatint{abi} #MINVER#\n");
    let version = format!("@QUATINT_{abi} ");
    let known: BTreeMap<_, _> = old
        .lines()
        .filter(|_| old.starts_with(&head))
        .filter_map(|line| line.trim().split_once(&*version))
        .collect();
    let mut names = header_functions();
    names.push(format!("QUATINT_{abi}")); // the version of the functions is a symbol too
    names.sort();
    let mut must = head;
    for name in &names {
        let since = known.get(&**name).copied();
        let since = since.unwrap_or(env!("CARGO_PKG_VERSION"));
        must += &format!(" {name}{version}{since}\n");
    }
    if std::env::var_os("QUATINT_REFRESH").is_some() {
        fs::write(&path, &must).expect("writable");
    }
    let now = fs::read_to_string(&path).expect("text");
    assert!(
        now == must,
        "QUATINT_REFRESH=1 writes packaging/debian/symbols"
    );
}

/// The name and the text of each workflow.
fn workflows() -> Vec<(String, String)> {
    let files = fs::read_dir(root().join(".github/workflows")).expect("a folder");
    let found = files.map(|file| {
        let path = file.expect("readable").path();
        let text = fs::read_to_string(&path).expect("text");
        (path.display().to_string(), text)
    });
    found.collect()
}

/// A tag of an action can be moved to other code.
#[test]
fn every_action_of_a_workflow_is_pinned_by_its_commit_and_keeps_no_credentials() {
    let mut count = 0;
    for (file, text) in workflows() {
        let lines: Vec<_> = text.lines().collect();
        for (i, line) in lines.iter().enumerate() {
            let Some((_, action)) = line.split_once("uses: ") else {
                continue;
            };
            let (_, commit) = action.split_once('@').expect("a version");
            let (commit, tag) = commit.split_once(" # v").unwrap_or((commit, ""));
            let is_hash = commit.len() == 40 && commit.chars().all(|c| c.is_ascii_hexdigit());
            assert!(is_hash && !tag.is_empty(), "{file}: {line}");
            if action.starts_with("actions/checkout@") {
                let with = lines[i + 1..].iter().take(3);
                let kept = with.filter(|line| line.trim() == "persist-credentials: false");
                assert_eq!(kept.count(), 1, "{file}: {line}");
            }
            count += 1;
        }
    }
    assert!(count > 15, "only {count} actions were found");
}

#[test]
fn a_workflow_may_read_alone_ends_in_time_and_runs_nothing_of_cargo_as_root() {
    for (file, text) in workflows() {
        assert!(
            text.contains("\npermissions:\n  contents: read\n"),
            "{file}"
        );
        let runners = text.matches("\n    runs-on: ").count();
        let limits = text.matches("\n    timeout-minutes: ").count();
        assert_eq!(limits, runners, "{file}");
        for line in text.lines().filter(|line| line.contains("sudo ")) {
            let calls_cargo = ["cargo", "make", "tests/", ".ci/run"];
            let is_comment = line.trim().starts_with('#') || line.contains("QUATINT_SUDO");
            assert!(
                is_comment || calls_cargo.iter().all(|name| !line.contains(name)),
                "{file}: {line}"
            );
        }
    }
}

/// The part of a workflow that is one job.
fn job<'a>(workflow: &'a str, name: &str) -> &'a str {
    let (_, rest) = workflow
        .split_once(&format!("\n  {name}:\n"))
        .expect("the job");
    let ends = |at: usize| rest[at..].starts_with("\n  ") && !rest[at + 3..].starts_with(' ');
    let end = rest
        .match_indices('\n')
        .map(|(at, _)| at)
        .find(|&at| ends(at));
    &rest[..end.unwrap_or(rest.len())]
}

#[test]
fn a_release_names_its_compiler_attests_its_checksums_and_publishes_what_a_maintainer_allows() {
    let text = fs::read_to_string(root().join(".github/workflows/release.yml")).expect("text");
    let (_, compiler) = text.split_once("RUSTUP_TOOLCHAIN: ").expect("a compiler");
    let compiler = compiler.split_whitespace().next().expect("a version");
    assert_eq!(compiler.split('.').count(), 3, "{compiler}");
    assert!(job(&text, "attest").contains("subject-checksums: dist/SHA256SUMS"));
    for publisher in ["pypi", "crates-io"] {
        let job = job(&text, publisher);
        assert!(job.contains(&format!("    environment: {publisher}\n")));
        assert!(job.contains("id-token: write") && !job.contains("contents: write"));
        assert!(job.contains("needs: draft") && !job.contains("secrets."));
    }
}
