//! Gives the shared library the name by which the loader looks for it at run time.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let version = version_of_the_interface();
    match variable("CARGO_CFG_TARGET_OS").as_str() {
        "linux" | "android" | "freebsd" | "netbsd" | "openbsd" | "dragonfly" => {
            println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libquatint.so.{version}");
            // A program may unload its plug-ins. The code of threads that are about to end must
            // then stay in memory.
            println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
        }
        "macos" => {
            let name = format!("@rpath/libquatint.{version}.dylib");
            println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,{name}");
            let current = variable("CARGO_PKG_VERSION");
            println!("cargo:rustc-cdylib-link-arg=-Wl,-current_version,{current}");
            println!("cargo:rustc-cdylib-link-arg=-Wl,-compatibility_version,{version}");
        }
        // There a program asks for a file, whose name the linker of gcc writes into the import library.
        "windows" if variable("CARGO_CFG_TARGET_ENV") == "gnu" => {
            let definition = PathBuf::from(variable("OUT_DIR")).join("name.def");
            let line = format!("LIBRARY \"quatint-{version}.dll\"\n");
            fs::write(&definition, line).expect("OUT_DIR is for it");
            println!("cargo:rustc-cdylib-link-arg={}", definition.display());
        }
        _ => {}
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
