//! The Python package: builds a wheel as pip does, runs the tests of the package with it, uses the C library in it from C, CMake
//! and Fortran, and runs the programs of docs/python.md. `tests/setup_python.sh` makes the environment.

use crate::common::docs::programs;
use crate::common::{Library, abi_version, root, scratch, success};
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
    command.env_remove("LD_LIBRARY_PATH"); // of cargo: programs would find the library of the build tree by it
    command
}

/// A wheel with the library that these tests have built, and with the release libraries for C.
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
        pip.arg("--config-settings=profile=dev")
            .arg("--wheel-dir")
            .arg(&folder)
            .arg(root().join("python"));
        success(
            pip.env("PATH", path_with_the_environment())
                .env("QUATINT_LIBRARY", Library::Shared.path()),
        );
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
        .arg(root().join("python/tests"));
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

/// CPython 3.10 and later load the extension; the wheel has the licences, and each other file of an installation but the links.
#[test]
fn the_wheel_serves_every_python_and_contains_what_make_install_installs() {
    let name = wheel().file_name().expect("a file").to_string_lossy();
    assert!(
        name.starts_with(&format!(
            "quatint-{}-cp310-abi3-",
            env!("CARGO_PKG_VERSION")
        )),
        "{name}"
    );
    let list = "import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist(), sep='\\n')";
    let list = output_of(bare_python().args(["-c", list]).arg(wheel()));
    let mut in_the_wheel: Vec<_> = list
        .lines()
        .filter_map(|line| line.strip_prefix("quatint/_c/"))
        .collect();
    in_the_wheel.sort_unstable();

    let prefix = empty("prefix");
    let mut make = Command::new("make");
    make.args(["-C"])
        .arg(root())
        .arg("install")
        .arg(format!("PREFIX={}", prefix.display()));
    success(make.env_remove("MAKEFLAGS").env_remove("DESTDIR"));
    let installed = output_of(
        Command::new("find")
            .args([".", "-not", "-type", "d"])
            .current_dir(&prefix),
    );
    let real = format!("libquatint.so.{}", env!("CARGO_PKG_VERSION"));
    let mut installed: Vec<_> = installed
        .lines()
        .map(|line| line.trim_start_matches("./"))
        .collect();
    installed.retain(|file| !file.ends_with(&real) && !file.ends_with("made-folders"));
    installed.retain(|file| !file.contains("/LICENSE-")); // they are with the metadata
    installed.sort_unstable();
    assert_eq!(in_the_wheel, installed);

    let info = format!("quatint-{}.dist-info/licenses", env!("CARGO_PKG_VERSION"));
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY.md"] {
        assert!(
            list.lines().any(|line| line == format!("{info}/{file}")),
            "{list}"
        );
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
assert data.description.startswith("# quatint") and "import quatint" in data.description
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
    assert_eq!(said, "2 with machine code\n"); // the extension and the shared library
}

/// Guix sets the year 1970, which zip archives do not know.
#[test]
fn the_metadata_before_a_build_is_that_of_the_wheel_whatever_the_time() {
    let program = r#"
import pathlib, sys, zipfile
sys.path.insert(0, "backend")
import quatint_build, quatint_wheel

def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

folder = pathlib.Path(sys.argv[1])
name = quatint_build.prepare_metadata_for_build_wheel(folder)
prepared = contents(folder)
assert name == "quatint-" + quatint_wheel.version() + ".dist-info" and name + "/METADATA" in prepared
wheel = quatint_wheel.Wheel(quatint_build.tag({}))
wheel.add("quatint/library", b"code", 0o755)
wheel.finish(folder)
with zipfile.ZipFile(folder / wheel.name) as packed:
    assert packed.getinfo("quatint/library").external_attr >> 16 == 0o100755
    assert packed.getinfo("quatint/library").date_time == (1980, 1, 1, 0, 0, 0)
    assert {file: packed.read(file) for file in prepared} == prepared
    assert set(packed.namelist()) == {"quatint/library", name + "/RECORD"} | set(prepared)
"#;
    let mut python = bare_python();
    python
        .args(["-B", "-c", program])
        .arg(empty("prepared"))
        .env("SOURCE_DATE_EPOCH", "1");
    success(
        python
            .current_dir(root().join("python"))
            .env("PATH", path_with_the_environment()),
    );
}

/// As users build it: without optimization it would take as long. Cargo keeps what it has built in the folder for the next run.
#[test]
fn a_source_distribution_builds_far_from_the_repository_and_its_library_is_that_of_make() {
    let folder = empty("sdist");
    let program = "import os, sys; sys.path.insert(0, 'backend'); import quatint_build; \
        sys.stdout = sys.stderr; name = quatint_build.build_sdist(sys.argv[1]); os.write(1, name.encode())";
    let mut python = bare_python();
    python
        .args(["-c", program])
        .arg(&folder)
        .current_dir(root().join("python"));
    let name = output_of(
        python
            .env("PATH", path_with_the_environment())
            .env("PYTHONDONTWRITEBYTECODE", "1"),
    );
    let name = name.rsplit('\n').next().expect("a line");
    assert_eq!(
        name,
        format!("quatint-{}.tar.gz", env!("CARGO_PKG_VERSION"))
    );
    success(
        Command::new("tar")
            .arg("xzf")
            .arg(folder.join(name))
            .current_dir(&folder),
    );
    let sources = folder.join(name.trim_end_matches(".tar.gz"));
    let information = fs::read_to_string(sources.join("PKG-INFO")).expect("there");
    assert!(
        information.contains("\nName: quatint\n") && information.contains("import quatint"),
        "{information}"
    );

    let mut pip = bare_python();
    pip.args([
        "-m",
        "pip",
        "install",
        "--verbose",
        "--no-deps",
        "--no-build-isolation",
        "--target",
    ]);
    pip.arg(folder.join("installed")).arg(&sources);
    let target = scratch("python").join("sdist-target");
    pip.env("CARGO_TARGET_DIR", &target)
        .env("PATH", path_with_the_environment());
    let said = success(&mut pip);
    let said = [said.stdout, said.stderr]
        .map(|text| String::from_utf8_lossy(&text).into_owned())
        .concat();
    for step in [
        "quatint: compiles library",
        "quatint: installs the C library",
        "quatint: packs the wheel",
    ] {
        assert!(
            said.contains(step),
            "pip --verbose does not say {step:?}: {said}"
        );
    }
    let program = "import ctypes, quatint; body = quatint.Body([1, 1, 1], angular_velocity=[0, 0, 1]); body.step(0.5); \
        print(body.time, quatint.__file__); ctypes.CDLL(quatint.get_library())";
    let mut python = bare_python();
    let said = output_of(
        python
            .args(["-c", program])
            .env("PYTHONPATH", folder.join("installed")),
    );
    assert_eq!(
        said,
        format!(
            "0.5 {}\n",
            folder.join("installed/quatint/__init__.py").display()
        )
    );

    // an editable installation leads to the package where it lies
    let program = "import sys; sys.path.insert(0, 'python/backend'); import quatint_build, zipfile; \
        wheel = quatint_build.build_editable(sys.argv[1]); zipfile.ZipFile(f'{sys.argv[1]}/{wheel}').extractall(sys.argv[1]); \
        import site; site.addsitedir(sys.argv[1]); import quatint; quatint.Body([1, 1, 1]).step(0.5); print(quatint.__file__)";
    let mut python = bare_python();
    python
        .args(["-c", program])
        .arg(empty("editable"))
        .current_dir(&sources)
        .env("CARGO_TARGET_DIR", &target);
    let said = output_of(python.env("PATH", path_with_the_environment()));
    assert!(
        said.ends_with(&format!(
            "{}\n",
            sources.join("python/quatint/__init__.py").display()
        )),
        "{said}"
    );

    // `make` has nothing to compile after pip, and pip no library after `make`
    let mut make = Command::new("make");
    make.arg("--always-make")
        .arg(format!("TARGET_DIR={}", target.display()))
        .env_remove("MAKEFLAGS");
    let said = success(make.current_dir(&sources));
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    assert!(
        said.contains("Finished") && !said.contains("Compiling"),
        "{said}"
    );
}

#[test]
fn each_target_has_the_tag_by_which_pip_knows_it() {
    let program = r#"
import os, sys
sys.path.insert(0, "backend")
os.environ["MACOSX_DEPLOYMENT_TARGET"] = "13.5"
from quatint_build import tag
for target in "x86_64-unknown-linux-gnu riscv64gc-unknown-linux-gnu x86_64-pc-windows-gnu aarch64-apple-darwin".split():
    print(tag({"target": target}))
print(tag({"target": "armv7-unknown-linux-musleabihf", "compatibility": "musllinux_1_2"}))
tag({"target": "x86_64-unknown-linux-gnu", "compatibility": "manylinux2014"})
"#;
    let mut python = bare_python();
    python
        .args(["-B", "-c", program])
        .current_dir(root().join("python"))
        .env("PATH", path_with_the_environment());
    let output = python.output().expect("starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let expected = [
        "linux_x86_64",
        "linux_riscv64",
        "win_amd64",
        "macosx_13_0_arm64",
        "musllinux_1_2_armv7l",
    ];
    assert_eq!(
        said.lines()
            .map(|tag| tag.trim_start_matches("cp310-abi3-"))
            .collect::<Vec<_>>(),
        expected
    );
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        !output.status.success() && said.contains("`compatibility` must be like manylinux_2_17"),
        "{said}"
    );
}

/// Rust 1.63 of Debian 12 fails with "failed to parse the `edition` key", which tells nobody what to do.
#[test]
fn a_toolchain_that_is_too_old_is_refused_with_the_version_that_is_needed() {
    let folder = empty("old_rust");
    let cargo = folder.join("cargo");
    fs::write(
        &cargo,
        "#!/bin/sh\necho 'cargo 1.63.0 (fd9c4297c 2022-07-01)'\n",
    )
    .expect("writable");
    success(Command::new("chmod").arg("+x").arg(&cargo));
    let mut pip = bare_python();
    pip.args([
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
    ])
    .arg(&folder);
    pip.arg(root().join("python")).env(
        "PATH",
        format!("{}:{}", folder.display(), path_with_the_environment()),
    );
    let output = pip.output().expect("starts");
    let said = [output.stdout, output.stderr]
        .map(|text| String::from_utf8_lossy(&text).into_owned())
        .concat();
    let needed = "the build needs Rust 1.91 or newer, but";
    assert!(
        !output.status.success() && said.contains(needed) && said.contains("is cargo 1.63.0"),
        "{said}"
    );
    assert!(said.contains("https://rustup.rs"), "{said}");
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

/// The package lies in a folder that is not the one it was installed into, and the programs far from the repository.
#[test]
fn programs_outside_find_the_library_of_the_wheel_by_the_options_that_python_prints() {
    let folder = empty("outside");
    install_into(&folder.join("first"));
    fs::rename(folder.join("first"), folder.join("moved")).expect("moves");
    fs::copy(
        root().join("c_examples/heavy_top.c"),
        folder.join("heavy_top.c"),
    )
    .expect("writable");
    let fortran = "program main\n use quatint\n if (qi_version_number() == 0) error stop\n print '(a)', 'linked'\nend program\n";
    fs::write(folder.join("program.f90"), fortran).expect("writable");

    let python = root().join("target/python/bin/python");
    let shell = |line: &str| {
        let mut command = Command::new("sh");
        command
            .args(["-ec", line])
            .current_dir(&folder)
            .env_remove("LD_LIBRARY_PATH")
            .env("PYTHON", &python);
        output_of(
            command
                .env("PYTHONPATH", folder.join("moved"))
                .env("PYTHONNOUSERSITE", "1"),
        )
    };
    let needed =
        |program: &str| output_of(Command::new("readelf").arg("-d").arg(folder.join(program)));
    let soname = format!("libquatint.so.{}", abi_version());

    assert_eq!(
        shell("cc heavy_top.c -o shared $($PYTHON -m quatint --cflags --libs) && ./shared"),
        HEAVY_TOP
    );
    assert!(needed("shared").contains(&soname));
    assert_eq!(
        shell(
            "cc heavy_top.c -o static $($PYTHON -m quatint --cflags --libs --static) && ./static"
        ),
        HEAVY_TOP
    );
    assert!(!needed("static").contains("libquatint"));
    let pkg_config = "PKG_CONFIG_PATH=$(dirname $($PYTHON -m quatint --library))/pkgconfig; export PKG_CONFIG_PATH; \
        cc heavy_top.c -o found $(pkg-config --cflags quatint) $(pkg-config --libs --static quatint) && \
        LD_LIBRARY_PATH=$(dirname $($PYTHON -m quatint --library)) ./found";
    assert_eq!(shell(pkg_config), HEAVY_TOP);
    for option in ["--libs", "--libs --static"] {
        let line = format!(
            "gfortran $($PYTHON -m quatint --fortran) program.f90 -o fortran $($PYTHON -m quatint {option}) && ./fortran"
        );
        assert_eq!(shell(&line), "linked\n");
    }

    let project = folder.join("project");
    success(
        Command::new("cp")
            .arg("-r")
            .arg(root().join("tests/install/find_package"))
            .arg(&project),
    );
    fs::copy(
        root().join("c_examples/heavy_top.c"),
        project.join("heavy_top.c"),
    )
    .expect("writable");
    for variable in ["CMAKE_PREFIX_PATH", "quatint_DIR"] {
        let line = format!(
            "cmake -S project -B {variable} -D{variable}=$($PYTHON -m quatint --cmake-dir) && cmake --build {variable}"
        );
        shell(&line);
        for program in ["heavy_top_shared", "heavy_top_static", "heavy_top_quatint"] {
            assert_eq!(shell(&format!("{variable}/{program}")), HEAVY_TOP);
        }
    }
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
            .arg(root().join(format!("python/examples/{name}.py")));
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
}

/// The program stops if PCDM in numpy does not agree with the library. JAX is not among the requirements of the tests.
#[test]
fn the_benchmark_runs_and_its_methods_agree() {
    let mut command = python();
    let text = output_of(
        command
            .arg(root().join("python/bench/bench.py"))
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
    let programs = programs("docs/python.md", &["python"]);
    assert!(programs.len() >= 20, "{} programs", programs.len());
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
