//! Makes the stand-in for the driver, and memory on its device.

use crate::memory::Driver;
use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The folder of the crate.
pub fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder for what a test writes.
pub fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&path).expect("the folder of the build is writable");
    path
}

fn succeeds(command: &mut Command) {
    let output = command.output().expect("it can be started");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {text}");
}

/// The kernels in C.
pub fn translated() -> &'static Path {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| {
        let to = scratch("translated").join("kernels.c");
        let script = folder().join("tests/stand_in/ptx_to_c.py");
        let module = folder().join("ptx/quatint.ptx");
        succeeds(Command::new("python3").arg(script).arg(module).arg(&to));
        to
    })
}

/// Compiles a stand-in from kernels in C, in a folder of this name.
pub fn compiled(kernels: &str, name: &str) -> PathBuf {
    let to = scratch(name);
    std::fs::write(to.join("kernels.c"), kernels).expect("writable");
    let library = to.join("libcuda.so.1");
    let source = folder().join("tests/stand_in/stand_in.c");
    succeeds(
        Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-ffp-contract=off", "-w"])
            .arg("-Werror=implicit-function-declaration")
            .args(["-fno-strict-aliasing", "-Wl,-soname,libcuda.so.1"])
            .args(std::env::var_os(COVERAGE).map(|_| "--coverage"))
            .arg(format!("-I{}", to.display()))
            .arg(source)
            .arg("-o")
            .arg(&library)
            .arg("-lm"),
    );
    library
}

/// The path of a stand-in that is to be taken instead of the right one.
pub const OTHER: &str = "QUATINT_OTHER_STAND_IN";

/// Set for a stand-in that counts which of its lines have run: see `cuda/tests/coverage.sh`.
const COVERAGE: &str = "QUATINT_COVERAGE";

/// The path of the stand-in.
pub fn library() -> &'static Path {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| match std::env::var_os(OTHER) {
        Some(other) => other.into(),
        None => {
            let kernels = std::fs::read_to_string(translated()).expect("just written");
            compiled(&kernels, "stand_in")
        }
    })
}

/// Loads the stand-in, so that the library finds it by its name. One test at a time has it.
pub fn driver() -> Driver {
    static TURN: Mutex<()> = Mutex::new(());
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let path = CString::new(library().to_str().expect("a path")).expect("no zeros");
    Driver::load(&path, Some(turn))
}
