//! With the feature `harness` this prepares what the tests of the C interface need: the header that
//! cbindgen makes of `src/ffi`, and the C test programs, compiled by `cc`. Both go to `OUT_DIR`, and
//! the library contains nothing of them. A build without the feature needs neither cbindgen nor a C
//! compiler.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "harness")]
    harness::prepare();
}

#[cfg(feature = "harness")]
mod harness {
    use std::env;
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
        for input in [
            "src/ffi",
            "src/status.rs",
            "cbindgen.toml",
            "include/quatint.h",
            "tests/c",
        ] {
            println!("cargo:rerun-if-changed={input}");
        }
        let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
        fs::write(out.join("quatint.h"), header()).expect("OUT_DIR is writable");
        compile_c_tests(&out);
    }

    fn header() -> String {
        let config = cbindgen::Config::from_file("cbindgen.toml").expect("cbindgen.toml is valid");
        let mut builder = cbindgen::Builder::new().with_config(config);
        builder = builder.with_src("src/status.rs");
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
