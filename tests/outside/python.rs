//! The Python package: builds a wheel as pip does, runs the tests of the package with it, and runs the programs of
//! docs/python.md. `tests/setup_python.sh` makes the environment.

use crate::common::docs::programs_of;
use crate::common::{Library, root, scratch, success};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The output of c_examples/heavy_top.c, which is the same for every build.
const HEAVY_TOP: &str = include_str!("../heavy_top.txt");

/// The Python of the environment, which sees nothing of the user's own packages.
fn bare_python() -> Command {
    let python = root().join("target/python/bin/python");
    assert!(
        python.exists(),
        "there is no {}: run tests/setup_python.sh",
        python.display()
    );
    // Shells start jobs in the background with SIGINT ignored, and Python then ignores Ctrl-C.
    let mut command = Command::new("env");
    command.arg("--default-signal=INT").arg(python);
    command
        .env_remove("PYTHONPATH")
        .env("PYTHONNOUSERSITE", "1")
        .env("PIP_DISABLE_PIP_VERSION_CHECK", "1");
    command
        .env("PIP_NO_INDEX", "1")
        .env("MPLBACKEND", "Agg")
        .current_dir(scratch("python"));
    command
}

/// A wheel with the library that these tests have built: the profile and the feature are theirs.
fn wheel() -> &'static Path {
    static WHEEL: OnceLock<PathBuf> = OnceLock::new();
    WHEEL.get_or_init(|| {
        let folder = empty("wheel");
        let mut pip = bare_python();
        pip.args([
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--no-build-isolation",
        ]);
        pip.arg("--config-settings=build-args=--profile=dev --features=harness")
            .arg("--wheel-dir")
            .arg(&folder)
            .arg(root().join("bindings/python"));
        success(pip.env("PATH", path_with_the_environment()));
        let mut wheels = fs::read_dir(&folder)
            .expect("there")
            .map(|entry| entry.expect("readable").path());
        wheels.next().expect("a wheel")
    })
}

/// For the programs of the environment, and for the cargo of these tests.
fn path_with_the_environment() -> String {
    let cargo = Path::new(env!("CARGO")).parent().expect("in a folder");
    let path = std::env::var("PATH").expect("a PATH");
    format!(
        "{}:{}:{path}",
        root().join("target/python/bin").display(),
        cargo.display()
    )
}

/// An empty scratch folder.
fn empty(name: &str) -> PathBuf {
    let folder = scratch("python").join(name);
    let _ = fs::remove_dir_all(&folder); // ignore the error if the folder does not exist
    fs::create_dir_all(&folder).expect("target/tmp is writable");
    folder
}

/// Installs the wheel into a folder of its own.
fn install_into(folder: &Path) {
    let mut pip = bare_python();
    pip.args(["-m", "pip", "install", "--quiet", "--no-deps", "--target"])
        .arg(folder)
        .arg(wheel());
    success(&mut pip);
}

/// Python with the package, installed from the wheel.
fn python() -> Command {
    static INSTALLED: OnceLock<PathBuf> = OnceLock::new();
    let installed = INSTALLED.get_or_init(|| {
        let folder = empty("installed");
        install_into(&folder);
        folder
    });
    let mut command = bare_python();
    command.env("PYTHONPATH", installed);
    command
}

fn output_of(command: &mut Command) -> String {
    String::from_utf8(success(command).stdout).expect("text")
}

/// It takes longest, and tests start in the order of their names: begun last, it would leave a processor idle.
#[test]
fn all_tests_of_the_package_pass() {
    let mut pytest = python();
    pytest
        .args([
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-W",
            "error",
        ])
        .arg(root().join("bindings/python/tests"));
    let summary = output_of(pytest.env("PYTHONDONTWRITEBYTECODE", "1"));
    let last = summary.lines().last().expect("a summary");
    let passed: u32 = last
        .split(" passed")
        .next()
        .expect("a part")
        .parse()
        .unwrap_or(0);
    // "skipped" and "xfailed" stand there too, if there are any
    assert!(
        passed >= 5 && last.starts_with(&format!("{passed} passed in ")),
        "{summary}"
    );
}

#[test]
fn the_wheel_serves_every_python_and_contains_stubs_and_licences() {
    let version = env!("CARGO_PKG_VERSION");
    let name = wheel().file_name().expect("a file").to_string_lossy();
    assert!(
        name.starts_with(&format!("quatint_rotation-{version}-cp311-abi3-")),
        "{name}"
    );
    let list = "import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist(), sep='\\n')";
    let list = output_of(bare_python().args(["-c", list]).arg(wheel()));
    let licences = format!("quatint_rotation-{version}.dist-info/licenses");
    for file in [
        "quatint/_quatint.abi3.so".to_owned(),
        "quatint/_quatint.pyi".to_owned(),
        "quatint/py.typed".to_owned(),
        format!("{licences}/LICENSE-MIT"),
        format!("{licences}/LICENSE-APACHE"),
        format!("{licences}/THIRD-PARTY-PYTHON.md"),
    ] {
        assert!(list.lines().any(|line| line == file), "{file}: {list}");
    }
}

/// What `twine check --strict` and check-wheel-contents ask for: a description that can be shown, valid metadata, no file twice; and that
/// RECORD has each file.
#[test]
fn the_metadata_of_the_wheel_is_complete_and_no_file_is_in_it_twice() {
    let program = r##"
import base64, csv, hashlib, sys, zipfile
from packaging.metadata import Metadata

wheel = zipfile.ZipFile(sys.argv[1])
names = [name for name in wheel.namelist() if not name.endswith("/")]
(metadata,) = [name for name in names if name.endswith(".dist-info/METADATA")]
data = Metadata.from_email(wheel.read(metadata), validate=True)
assert data.description_content_type.startswith("text/markdown"), data.description_content_type
assert data.description.startswith("# quatint-rotation\n") and "import quatint" in data.description
assert data.author and data.keywords and len(data.classifiers) >= 5 and "Documentation" in data.project_urls
empty = {name for name in names if not wheel.read(name)}
assert empty == {"quatint/py.typed"}, empty
hashes = {}
for name in names:
    if name not in empty:
        hashes.setdefault(hashlib.sha256(wheel.read(name)).hexdigest(), []).append(name)
twice = [names for names in hashes.values() if len(names) > 1]
assert not twice, twice
(record,) = [name for name in names if name.endswith(".dist-info/RECORD")]
rows = {name: (digest, size) for name, digest, size in csv.reader(wheel.read(record).decode().splitlines())}
assert rows.pop(record) == ("", "") and set(rows) == set(names) - {record}
for name, (digest, size) in rows.items():
    expected = base64.urlsafe_b64encode(hashlib.sha256(wheel.read(name)).digest()).decode().rstrip("=")
    assert (digest, int(size)) == (f"sha256={expected}", len(wheel.read(name))), name
elf = [name for name in names if wheel.read(name)[:4] == b"\x7fELF"]
print(len(elf), "with machine code")
"##;
    let said = output_of(bare_python().args(["-c", program]).arg(wheel()));
    assert_eq!(said, "1 with machine code\n");
}

/// The sources of a source distribution, unpacked.
fn sources() -> PathBuf {
    let folder = empty("sdist");
    let mut maturin = Command::new(root().join("target/python/bin/maturin"));
    maturin
        .args(["sdist", "--manifest-path"])
        .arg(root().join("bindings/python/Cargo.toml"))
        .arg("--out")
        .arg(&folder);
    success(maturin.env("PATH", path_with_the_environment()));
    let name = format!("quatint_rotation-{}", env!("CARGO_PKG_VERSION"));
    success(
        Command::new("tar")
            .arg("xzf")
            .arg(format!("{name}.tar.gz"))
            .current_dir(&folder),
    );
    folder.join(name)
}

/// The output of a program that Python runs with the package in this folder.
fn printed_with_the_package_in(folder: &Path) -> String {
    let program = "import quatint; body = quatint.Body([1, 1, 1], angular_velocity=[0, 0, 1]); \
        body.step(0.5); print(body.time, quatint.__file__)";
    output_of(
        bare_python()
            .args(["-c", program])
            .env("PYTHONPATH", folder),
    )
}

/// Installs the package from its sources as editable, into an environment of its own, and returns the
/// file from which Python then takes it.
fn editable(sources: &Path) -> String {
    let environment = empty("editable");
    success(bare_python().args(["-m", "venv"]).arg(&environment));
    let packages =
        "import numpy, pathlib; print(pathlib.Path(numpy.__file__).parent.parent, end='')";
    let packages = output_of(bare_python().args(["-c", packages])); // numpy and maturin
    let python = environment.join("bin/python");
    let mut pip = Command::new(&python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "--editable",
    ]);
    pip.arg(sources)
        .env("PYTHONPATH", &packages)
        .env("CARGO_TARGET_DIR", scratch("python").join("sdist_built"))
        .env("PATH", path_with_the_environment());
    success(&mut pip);
    let program =
        "import quatint; quatint.Body([1, 1, 1]).step(0.5); print(quatint.__file__, end='')";
    let mut command = Command::new(&python);
    command
        .args(["-c", program])
        .current_dir(&environment)
        .env("PYTHONPATH", &packages);
    output_of(&mut command)
}

/// As users build it: without optimization it would take as long. Cargo keeps what it has built in the folder for the next run.
#[test]
fn a_source_distribution_builds_far_from_the_repository() {
    let sources = sources();
    let information = fs::read_to_string(sources.join("PKG-INFO")).expect("there");
    assert!(
        information.contains("\nName: quatint-rotation\n")
            && information.contains("import quatint"),
        "{information}"
    );
    for file in [
        "Cargo.lock",
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "THIRD-PARTY-PYTHON.md",
    ] {
        let read = |folder: &Path| fs::read_to_string(folder.join(file)).expect("there");
        let original = if file == "THIRD-PARTY-PYTHON.md" {
            read(&root().join("bindings/python"))
        } else {
            read(root())
        };
        assert_eq!(read(&sources), original, "{file}");
    }

    let installed = empty("sdist_installed");
    let mut pip = bare_python();
    pip.args([
        "-m",
        "pip",
        "install",
        "--no-deps",
        "--no-build-isolation",
        "--target",
    ]);
    // empty, because the files have old times, which cargo would take for those that it has built before
    pip.arg(&installed)
        .arg(&sources)
        .env("CARGO_TARGET_DIR", empty("sdist_built"))
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0") // builds in half the time
        .env("PATH", path_with_the_environment());
    success(&mut pip);
    let package = installed.join("quatint/__init__.py");
    assert_eq!(
        printed_with_the_package_in(&installed),
        format!("0.5 {}\n", package.display())
    );
    assert_eq!(
        Path::new(&editable(&sources)),
        sources.join("quatint/__init__.py")
    );

    // What depends on the Rust crate has none of the C functions: they would get in the way of
    // those of libquatint in the same process.
    let mut symbols = Command::new("nm");
    symbols.args(["-D", "--defined-only"]);
    let extension = installed.join("quatint/_quatint.abi3.so");
    let exported = output_of(symbols.arg(extension));
    assert!(
        exported.contains("PyInit__quatint") && !exported.contains("qi_"),
        "{exported}"
    );
}

/// Otherwise the loader would give the extension to whatever asks for libquatint in the same process.
#[test]
fn the_extension_does_not_have_the_name_of_the_library() {
    let file = output_of(python().args([
        "-c",
        "import quatint._quatint as extension; print(extension.__file__)",
    ]));
    let dynamic = output_of(Command::new("readelf").arg("-d").arg(file.trim()));
    assert!(
        dynamic.contains("libc.so") && !dynamic.contains("libquatint"),
        "{dynamic}"
    );
}

/// The examples compare the numbers with published and exact ones themselves, and fail where they are wrong. Few fibres and few
/// points make them fast.
#[test]
fn the_examples_print_the_numbers_that_they_must_and_draw_pictures() {
    let folder = empty("examples");
    let run = |name: &str, more: &[&str]| {
        let mut command = python();
        command
            .current_dir(&folder)
            .args(["-W", "error"])
            .arg(root().join(format!("examples/python/{name}.py")));
        let text = output_of(command.arg(format!("{name}.svg")).args(more));
        for picture in [
            folder.join(format!("{name}.svg")),
            root().join(format!("docs/python_{name}.svg")),
        ] {
            let drawn = fs::read_to_string(&picture).expect("drawn");
            assert!(
                drawn.contains("<svg") && drawn.ends_with("</svg>\n"),
                "{}",
                picture.display()
            );
            assert!(
                (20_000..250_000).contains(&drawn.len()),
                "{}: {} bytes",
                picture.display(),
                drawn.len()
            );
        }
        text
    };
    let text = run("toutatis", &[]);
    assert_eq!(
        text,
        "about the long axis: 5.38 days, the long axis about the angular momentum: 7.40 days\n"
    );
    let text = run("work_precision", &["fast"]);
    let orders = "orders: pcdm 2.0, splitting 2.0, cf4 4.0, splitting_4 4.1, force_gradient 4.0, splitting_6 5.9\n";
    assert!(text.starts_with(orders), "{text}");
    let text = run("fibres", &["2000"]);
    assert!(
        text.starts_with("the orientations come back after 16.33"),
        "{text}"
    );
    assert!(
        text.ends_with("half of Jeffery's period: 16.336\n"),
        "{text}"
    );
    let text = run("brownian_fibres", &["500"]);
    let last = text
        .lines()
        .rev()
        .nth(1)
        .expect("a line for each Péclet number");
    assert!(
        text.starts_with("Péclet ") && last.starts_with("  1000 "),
        "{text}"
    );
    let theory: Vec<_> = last.split_whitespace().skip(4).step_by(4).collect();
    assert_eq!(theory, ["0.6830", "0.1025", "0.0066"], "{text}"); // by harmonics of degree 40, 50 and 60 alike
    let text = run("turbulent_fibres", &["200"]);
    let rows: Vec<Vec<_>> = text
        .lines()
        .skip(1)
        .map(|line| line.split_whitespace().take(2).collect())
        .collect();
    assert_eq!(rows.len(), 9, "{text}");
    assert_eq!(rows[4], ["1.0", "0.1667"], "{text}");
}

/// The program stops if PCDM in numpy does not agree with the library. JAX is not among the requirements of the tests.
#[test]
fn the_benchmark_runs_and_its_methods_agree() {
    Library::Shared.path(); // the benchmark links with it
    let mut command = python();
    let text = output_of(
        command
            .arg(root().join("bindings/python/bench/bench.py"))
            .arg("quick"),
    );
    for part in [
        "the C callback, by quatint.compiled",
        "a loop over `stages`",
        "PCDM in numpy",
        "DOP853 of scipy",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

/// One of them prints what c_examples/heavy_top.c prints.
#[test]
fn the_programs_on_the_python_page_print_what_it_says() {
    let programs = programs_of("python", &["python"]);
    assert!(programs.len() >= 24, "{} programs", programs.len());
    assert!(
        programs
            .iter()
            .any(|program| program.output.as_deref() == Some(HEAVY_TOP))
    );
    let folder = empty("page");
    for (i, program) in programs.iter().enumerate() {
        let source = folder.join(format!("program_{i}.py"));
        fs::write(&source, &program.code).expect("writable");
        let printed = output_of(
            python()
                .current_dir(&folder)
                .args(["-W", "error"])
                .arg(&source),
        );
        assert_eq!(Some(printed), program.output, "{}", source.display());
    }
}
