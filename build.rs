//! Gives the shared library its SONAME. With the feature `harness` it also prepares what the tests
//! of the C interface need: the header that cbindgen makes of `src/ffi`, and the C test programs,
//! compiled by `cc`. Both go to `OUT_DIR`; nothing of them gets into the library, and a build
//! without the feature needs neither cbindgen nor a C compiler.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    name_the_shared_library();
    #[cfg(feature = "harness")]
    harness::prepare();
}

fn name_the_shared_library() {
    let target_os = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let number =
        |part: &str| std::env::var(format!("CARGO_PKG_VERSION_{part}")).unwrap_or_default();
    // while the major version is 0, each minor version may change the interface, so the name
    // contains it
    let version = match number("MAJOR") {
        major if major == "0" => format!("0.{}", number("MINOR")),
        major => major,
    };
    match target_os.as_str() {
        "linux" | "android" | "freebsd" | "netbsd" | "openbsd" | "dragonfly" => {
            // for this package alone: cargo passes a `rustc-cdylib-link-arg` on to every shared
            // library that has quatint in it, and the loader would take the extension for Python
            // for libquatint. The linker drops the name in programs.
            println!("cargo:rustc-link-arg=-Wl,-soname,libquatint.so.{version}");
            // a host may unload its plug-ins: the code of threads that are about to end must stay
            println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
        }
        "macos" => {
            println!(
                "cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libquatint.{version}.dylib"
            );
        }
        _ => {} // Windows finds a DLL by its file name
    }
}

#[cfg(feature = "harness")]
mod harness {
    use std::path::{Path, PathBuf};
    use std::{env, fs};

    /// The files that hold the C interface, in the order of the header.
    const FILES: [&str; 18] = [
        "failure",
        "choices",
        "rotation",
        "torque",
        "objects",
        "body",
        "body_torques",
        "solve",
        "ensemble",
        "ensemble_torques",
        "ensemble_states",
        "rows",
        "population",
        "sums",
        "ensemble_stages",
        "kicks",
        "torque_sums",
        "random",
    ];

    pub(super) fn prepare() {
        let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
        for input in ["src/ffi", "cbindgen.toml", "include/quatint.h", "tests/c"] {
            println!("cargo:rerun-if-changed={input}");
        }
        write_header(&out.join("quatint.h"));
        compile_c_tests(&out);
    }

    fn write_header(to: &Path) {
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
        let header = String::from_utf8(header).expect("cbindgen writes UTF-8");
        let header = header
            .replace("// extern \"C\"", "/* extern \"C\" */")
            .replace("// __cplusplus", "/* __cplusplus */");
        fs::write(
            to,
            header.replace("\nqi_status qi_", "\nQI_WARN_UNUSED qi_status qi_"),
        )
        .expect("OUT_DIR is writable");
    }

    /// An object for each program in `tests/c`, and `harness.txt` with a line for each: name and
    /// object.
    fn compile_c_tests(out: &Path) {
        let mut programs: Vec<_> = fs::read_dir("tests/c")
            .expect("the folder is there")
            .flatten()
            .collect();
        programs.retain(|entry| {
            entry
                .path()
                .extension()
                .is_some_and(|extension| extension == "c")
        });
        programs.sort_by_key(fs::DirEntry::path);
        let mut list = String::new();
        for program in programs {
            let source = program.path();
            let name = source
                .file_stem()
                .expect("a file")
                .to_string_lossy()
                .into_owned();
            let mut cc = cc::Build::new();
            cc.cargo_metadata(false)
                .std("c99")
                .warnings(true)
                .extra_warnings(true)
                .warnings_into_errors(true);
            cc.inherit_rustflags(false)
                .flag("-pedantic-errors")
                .flag("-Wno-unknown-pragmas")
                .include("include")
                .opt_level(2);
            let objects = cc
                .out_dir(out.join(&name))
                .file(&source)
                .compile_intermediates();
            list += &format!("{name} {}\n", objects[0].display());
        }
        fs::write(out.join("harness.txt"), list).expect("OUT_DIR is writable");
    }
}
