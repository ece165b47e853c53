//! Helpers shared by the test programs.
#![allow(dead_code, unreachable_pub)] // each test program uses some of them

pub mod bits;
pub mod docs;
pub mod generic;
pub mod levels;

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use quatint::Method;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A component of the angular velocity as a torque is shown it; 0 under the methods that show NaN.
pub fn if_shown(omega: f64) -> f64 {
    if omega.is_nan() { 0.0 } else { omega }
}

/// Every method but Brownian motion, which needs random torques.
pub const METHODS: [Method; Method::ALL.len() - 1] = {
    let mut methods = [Method::Pcdm; Method::ALL.len() - 1];
    let mut count = 0;
    let mut i = 0;
    while i < Method::ALL.len() {
        if !matches!(Method::ALL[i], Method::Brownian) {
            methods[count] = Method::ALL[i];
            count += 1;
        }
        i += 1;
    }
    methods
};

/// A build folder for a test, under target/.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("target/tmp is writable");
    folder
}

/// The C compilers that must accept the C code we ship. Both are required: a test fails if one is
/// missing.
pub fn compilers() -> [&'static str; 2] {
    ["gcc", "clang"]
}

/// Runs a command that must succeed.
pub fn success(command: &mut Command) -> Output {
    let output = command
        .output()
        .unwrap_or_else(|e| panic!("{:?} does not start: {e}", command.get_program()));
    let out = String::from_utf8_lossy(&output.stdout);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{command:?}\n{}\n{out}{err}",
        output.status
    );
    output
}

/// Runs a command that must succeed and print nothing to stderr.
pub fn quiet_success(command: &mut Command) {
    let output = success(command);
    assert!(
        output.stderr.is_empty(),
        "{command:?}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// The same command under valgrind. It fails on a memory error or leak.
pub fn valgrind(command: &Command) -> Command {
    let mut valgrind = Command::new("valgrind");
    valgrind.args([
        "--quiet",
        "--error-exitcode=9",
        "--leak-check=full",
        "--show-leak-kinds=definite,indirect,possible",
        "--errors-for-leak-kinds=definite,indirect,possible",
        // A test has a frame of 3 MiB, which must not be taken for another stack.
        "--max-stackframe=4000000",
    ]);
    valgrind.arg(command.get_program()).args(command.get_args());
    valgrind
}

/// Integrates the equations of motion with the classical fourth-order Runge-Kutta method in plain
/// nalgebra, in the world frame with the full tensor. An independent reference: it shares no code
/// with the library. Returns the orientation and the angular velocity (world).
pub fn rk4(
    tensor: &Matrix3<f64>,
    orientation: UnitQuaternion<f64>,
    angular_velocity: Vector3<f64>,
    time: f64,
    steps: u32,
    torque: impl Fn(f64, &UnitQuaternion<f64>, &Vector3<f64>) -> Vector3<f64>,
) -> (UnitQuaternion<f64>, Vector3<f64>) {
    let inverse = tensor.try_inverse().expect("regular");
    // y = (q, L): L̇ = T, q̇ = ½ ω q, ω = R I⁻¹ Rᵀ L
    let omega_of =
        |q: &UnitQuaternion<f64>, l: &Vector3<f64>| q * (inverse * q.inverse_transform_vector(l));
    let rate = |t: f64, q: Quaternion<f64>, l: Vector3<f64>| {
        let unit = UnitQuaternion::new_normalize(q);
        let omega = omega_of(&unit, &l);
        (
            Quaternion::from_imag(omega) * q * 0.5,
            torque(t, &unit, &omega),
        )
    };
    let h = time / f64::from(steps);
    let mut q = *orientation.quaternion();
    let mut l = orientation * (tensor * orientation.inverse_transform_vector(&angular_velocity));
    for n in 0..steps {
        let t = h * f64::from(n);
        let (q1, l1) = rate(t, q, l);
        let (q2, l2) = rate(t + 0.5 * h, q + q1 * (0.5 * h), l + l1 * (0.5 * h));
        let (q3, l3) = rate(t + 0.5 * h, q + q2 * (0.5 * h), l + l2 * (0.5 * h));
        let (q4, l4) = rate(t + h, q + q3 * h, l + l3 * h);
        q = (q + (q1 + q2 * 2.0 + q3 * 2.0 + q4) * (h / 6.0)).normalize();
        l += (l1 + l2 * 2.0 + l3 * 2.0 + l4) * (h / 6.0);
    }
    let q = UnitQuaternion::new_normalize(q);
    (q, omega_of(&q, &l))
}

/// The two release libraries. Cargo builds them if they are out of date.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Library {
    Static,
    Shared,
}

impl Library {
    /// The path of the library file, after building it.
    pub fn path(self) -> PathBuf {
        static BUILD: std::sync::Once = std::sync::Once::new();
        let release = root().join("target/release");
        BUILD.call_once(|| {
            // As `make` does it: with other flags cargo would build anew whenever the two take
            // turns.
            let mut build = Command::new(root().join("cmake/build.sh"));
            build
                .arg(root().join("target"))
                .arg("libquatint.so libquatint.a")
                .args([env!("CARGO"), "build", "--quiet"])
                .args(["-p", "quatint-capi", "-p", "quatint"]) // the page of Rust has programs too
                .current_dir(root());
            success(&mut build);
            // At run time the loader looks for the SONAME, not for the file name used to link. The
            // error is that the link exists already.
            let soname = format!("libquatint.so.{}", abi_version());
            #[cfg(unix)]
            let _ = std::os::unix::fs::symlink("libquatint.so", release.join(&soname));
        });
        release.join(match self {
            Library::Static => "libquatint.a",
            Library::Shared => "libquatint.so",
        })
    }
}

/// The version in the SONAME: the major version; while that is 0, the minor version too.
pub fn abi_version() -> String {
    match env!("CARGO_PKG_VERSION_MAJOR") {
        "0" => format!("0.{}", env!("CARGO_PKG_VERSION_MINOR")),
        major => major.into(),
    }
}

/// Compiles a C program with the committed header and a library. Every warning is an error.
pub fn compile(source: &Path, library: Library, folder: &Path) -> PathBuf {
    compile_with(source, library, folder, &[])
}

/// [`compile`] with additional flags.
pub fn compile_with(source: &Path, library: Library, folder: &Path, flags: &[&str]) -> PathBuf {
    let name = source.file_stem().expect("a file").to_string_lossy();
    let binary = folder.join(format!("{name}_{library:?}"));
    let host = host();
    let mut cc = cc::Build::new();
    cc.cargo_metadata(false)
        .cargo_warnings(false)
        .inherit_rustflags(false)
        .opt_level(2)
        .target(&host)
        .host(&host);
    let mut command = cc.get_compiler().to_command();
    command
        .args([
            "-std=c99",
            "-Wall",
            "-Wextra",
            "-pedantic-errors",
            "-Werror",
            "-Wno-unknown-pragmas",
            "-I",
        ])
        .arg(root().join("include"));
    command.args(flags).arg(source).arg("-o").arg(&binary);
    success(link(&mut command, library));
    binary
}

/// Rust's name of this machine.
fn host() -> String {
    let output = success(Command::new("rustc").arg("-vV"));
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines()
        .find_map(|line| line.strip_prefix("host: "))
        .expect("rustc names its host")
        .to_owned()
}

/// Links a program, in any language, with a library.
pub fn link(command: &mut Command, library: Library) -> &mut Command {
    match library {
        Library::Static => command.arg(library.path()),
        Library::Shared => {
            let release = library.path().parent().expect("in a folder").to_owned();
            command
                .arg(format!("-Wl,-rpath,{}", release.display()))
                .arg("-L")
                .arg(release)
                .arg("-lquatint")
        }
    }
    .args(["-lm", "-lpthread", "-ldl"])
}

/// What a shared library exports, without its symbol versions.
pub fn exported(library: &Path) -> Vec<String> {
    let mut nm = Command::new("nm");
    nm.args(["-D", "--defined-only", "--without-symbol-versions"]);
    let output = success(nm.arg("--format=posix").arg(library));
    let symbols = String::from_utf8(output.stdout).expect("text");
    let name = |line: &str| line.split(' ').next().expect("a name").to_owned();
    let is_version = |line: &&str| line.contains(" A ");
    let symbols = symbols.lines().filter(|line| !is_version(line));
    symbols.map(name).collect()
}

/// The functions that `quatint.h` declares.
pub fn header_functions() -> Vec<String> {
    let header =
        std::fs::read_to_string(root().join("include/quatint.h")).expect("the header is committed");
    let mut functions = vec![];
    for line in header.lines() {
        // The others are comments, macros, types and parameters.
        let may_declare = !line.starts_with([' ', '*', '/', '#', 't']);
        if may_declare && let Some(name) = declared_function(line) {
            functions.push(name.to_owned());
        }
    }
    assert!(
        functions.len() >= 40,
        "only {} functions were found in the header",
        functions.len()
    );
    functions
}

fn declared_function(line: &str) -> Option<&str> {
    let mut words = line.split(['(', ' ', '*']);
    words.find(|word| word.starts_with("qi_") && line.contains(&format!("{word}(")))
}

/// The files of a folder with this extension, in order.
pub fn sources(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut sources: Vec<_> = std::fs::read_dir(root().join(folder))
        .unwrap_or_else(|e| panic!("{folder}: {e}"))
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .collect();
    sources.sort();
    sources
}

/// Runs a program that prints a line "ok ..." for each of its tests, and nothing else.
pub fn all_ok(binary: &Path) {
    let output = success(&mut Command::new(binary));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.lines().count() > 2 && text.lines().all(|line| line.starts_with("ok ")),
        "{text}"
    );
}
