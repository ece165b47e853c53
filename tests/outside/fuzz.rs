//! The corpus of the fuzzer against the release library, at each instruction set. The promises of `fuzz/` are checked without
//! instrumented Rust code, whose build takes too long here: `make fuzz` and `make sanitize` have it. The C++ code is under the address and
//! undefined-behaviour sanitizers, so it also sees memory that the library frees twice, leaks or uses through libc.

use crate::common::levels::{LEVELS, name, taken_for};
use crate::common::{Library, link, root, scratch, success};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

fn corpus() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("fuzz/corpus")).expect("the corpus is committed");
    entries.flatten().map(|entry| entry.path()).collect()
}

#[test]
fn the_corpus_of_the_fuzzer_breaks_no_promise() {
    let replay = scratch("fuzz").join("replay");
    let mut clang = Command::new("clang++");
    clang.args([
        "-std=c++17",
        "-O1",
        "-g",
        "-ffp-contract=off",
        "-Wall",
        "-Wextra",
        "-Wshadow",
        "-Werror",
    ]);
    clang
        .args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"])
        .arg("-I")
        .arg(root().join("include"));
    clang
        .args(["calls.cpp", "replay.cpp"].map(|file| root().join("fuzz").join(file)))
        .arg("-o")
        .arg(&replay);
    success(link(&mut clang, Library::Static));

    for level in LEVELS {
        taken_for(level); // by the library in this program; the one in the other asks the processor in the same way
        // more memory than there is must be a status, not the end of the program
        let options = [
            ("QUATINT_SIMD", name(level)),
            ("ASAN_OPTIONS", "allocator_may_return_null=1"),
        ];
        let output = success(Command::new(&replay).args(corpus()).envs(options));
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            format!("ok {} inputs\n", corpus().len())
        );
    }
}

#[test]
fn the_corpus_is_small() {
    let sizes: Vec<_> = corpus()
        .iter()
        .map(|path| fs::metadata(path).expect("a file").len())
        .collect();
    assert!(
        sizes.len() > 50 && sizes.iter().sum::<u64>() < 1 << 20,
        "{} files",
        sizes.len()
    );
}
