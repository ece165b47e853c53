//! Names the shared library. With the feature `harness` it also makes the header of `src/ffi`, which
//! a test compares with the committed one.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libquatint_cuda.so");
    }
    #[cfg(feature = "harness")]
    make_header();
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
    let folder = env::var("OUT_DIR").expect("cargo sets it");
    let header = builder.generate().expect("src/ffi can be read");
    header.write_to_file(format!("{folder}/quatint_cuda.h"));
}
