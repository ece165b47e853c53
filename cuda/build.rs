//! Names the shared library. With the feature `harness` it also makes the header of `src/ffi`, which
//! a test compares with the committed one.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        // MAJOR, or 0.MINOR, as capi/build.rs has it
        let mut version = variable("CARGO_PKG_VERSION_MAJOR");
        if version == "0" {
            version = format!("0.{}", variable("CARGO_PKG_VERSION_MINOR"));
        }
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libquatint_cuda.so.{version}");
        // CUDA may still call it when a program has unloaded its plug-in
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
    #[cfg(feature = "harness")]
    make_header();
}

fn variable(name: &str) -> String {
    env::var(name).expect("cargo sets it")
}

#[cfg(feature = "harness")]
fn make_header() {
    println!("cargo:rerun-if-changed=src/ffi");
    println!("cargo:rerun-if-changed=cbindgen.toml");
    let config = cbindgen::Config::from_file("cbindgen.toml").expect("cbindgen.toml is right");
    let mut builder = cbindgen::Builder::new().with_config(config);
    for name in ["status", "device", "ensemble", "forces", "motion", "stages"] {
        builder = builder.with_src(format!("src/ffi/{name}.rs"));
    }
    let folder = variable("OUT_DIR");
    let header = builder.generate().expect("src/ffi can be read");
    let mut text = Vec::new();
    header.write(&mut text);
    let text = String::from_utf8(text).expect("text").replace(
        "\nqi_cuda_status qi_",
        "\nQI_WARN_UNUSED qi_cuda_status qi_",
    );
    std::fs::write(format!("{folder}/quatint_cuda.h"), text).expect("cargo has made the folder");
}
