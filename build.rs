//! Gives the shared library its SONAME. The C header is not made here: a build must not write into the source tree,
//! so it is committed, and `tests/header.rs` compares it with `src/ffi`.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");

    let target_os = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let version = std::env::var("CARGO_PKG_VERSION_MAJOR").unwrap_or_default();
    match target_os.as_str() {
        "linux" | "android" | "freebsd" | "netbsd" | "openbsd" | "dragonfly" => {
            println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libquatint.so.{version}");
        }
        "macos" => {
            println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libquatint.{version}.dylib");
        }
        _ => {} // Windows finds a DLL by its file name
    }
}
