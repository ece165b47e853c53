//! Gives the shared library the name by which the loader looks for it at run time.
//!
//! With the feature `harness` it also prepares what the tests of the C interface need: the header
//! that cbindgen makes of `src/ffi`, and the C test programs, compiled by `cc`. Both go to
//! `OUT_DIR`, and the library contains nothing of them. A build without the feature needs neither
//! cbindgen nor a C compiler.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    name_the_shared_library();
    #[cfg(feature = "harness")]
    harness::prepare();
}

fn name_the_shared_library() {
    let version = version_of_the_interface();
    match variable("CARGO_CFG_TARGET_OS").as_str() {
        "linux" | "android" | "freebsd" | "netbsd" | "openbsd" | "dragonfly" => {
            // This argument is for this package alone. Cargo would pass a `rustc-cdylib-link-arg`
            // on to every shared library that contains quatint, and the loader would take the
            // Python extension for libquatint. In programs, the linker ignores the name.
            println!("cargo:rustc-link-arg=-Wl,-soname,libquatint.so.{version}");
            // A program may unload its plug-ins. The code of threads that are about to end must
            // then stay in memory.
            println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
        }
        "macos" => {
            let name = format!("@rpath/libquatint.{version}.dylib");
            println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,{name}");
        }
        _ => {} // Windows finds a DLL by its file name.
    }
}

/// `MAJOR`, or `0.MINOR`: while the major version is 0, each minor version may change the
/// interface.
fn version_of_the_interface() -> String {
    let major = variable("CARGO_PKG_VERSION_MAJOR");
    if major == "0" {
        format!("0.{}", variable("CARGO_PKG_VERSION_MINOR"))
    } else {
        major
    }
}

fn variable(name: &str) -> String {
    env::var(name).expect("cargo sets it")
}

#[cfg(feature = "harness")]
mod harness {
    use std::fs;
    use std::path::{Path, PathBuf};

    /// The files that hold the C interface, in the order of the header.
    const FILES: [&str; 21] = [
        "failure",
        "choices",
        "rotation",
        "mass",
        "torque",
        "objects",
        "body",
        "body_torques",
        "inertia",
        "solve",
        "ensemble",
        "ensemble_torques",
        "ensemble_states",
        "rows",
        "population",
        "sums",
        "ensemble_stages",
        "kicks",
        "points",
        "torque_sums",
        "random",
    ];

    pub(super) fn prepare() {
        for input in ["src/ffi", "cbindgen.toml", "include/quatint.h", "tests/c"] {
            println!("cargo:rerun-if-changed={input}");
        }
        let out = PathBuf::from(super::variable("OUT_DIR"));
        fs::write(out.join("quatint.h"), header()).expect("OUT_DIR is writable");
        compile_c_tests(&out);
    }

    fn header() -> String {
        let config = cbindgen::Config::from_file("cbindgen.toml").expect("cbindgen.toml is valid");
        let mut builder = cbindgen::Builder::new().with_config(config);
        for file in FILES {
            builder = builder.with_src(format!("src/ffi/{file}.rs"));
        }
        let mut header = Vec::new();
        builder
            .generate()
            .expect("src/ffi parses")
            .write(&mut header);
        String::from_utf8(header)
            .expect("cbindgen writes UTF-8")
            // C90 has no comments of this form.
            .replace("// extern \"C\"", "/* extern \"C\" */")
            .replace("// __cplusplus", "/* __cplusplus */")
            .replace("\nqi_status qi_", "\nQI_WARN_UNUSED qi_status qi_")
    }

    /// Compiles each program in `tests/c` to an object. `harness.txt` has a line for each: its name
    /// and its object.
    fn compile_c_tests(out: &Path) {
        let mut lines = String::new();
        for source in c_files(Path::new("tests/c")) {
            let name = source.file_stem().expect("a file has a name");
            let name = name.to_str().expect("the names are ASCII");
            let objects = cc::Build::new()
                .file(&source)
                .include(out) // the header that has just been made, before the committed one
                .include("include")
                .out_dir(out.join(name))
                .cargo_metadata(false)
                .inherit_rustflags(false)
                .std("c99")
                .opt_level(2)
                .warnings(true)
                .extra_warnings(true)
                .warnings_into_errors(true)
                .flag("-pedantic-errors")
                .flag("-Wno-unknown-pragmas")
                .compile_intermediates();
            lines += &format!("{name} {}\n", objects[0].display());
        }
        fs::write(out.join("harness.txt"), lines).expect("OUT_DIR is writable");
    }

    /// The C files in a folder, in the order of their names.
    fn c_files(folder: &Path) -> Vec<PathBuf> {
        let mut files = Vec::new();
        for entry in fs::read_dir(folder).expect("the folder is there").flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|extension| extension == "c") {
                files.push(path);
            }
        }
        files.sort();
        files
    }
}
