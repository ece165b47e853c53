//! The binary interface does not change unseen. tests/abi/abi.sh compares what the header declares with tests/abi/baseline.abi,
//! and here the symbols of the library with the same file. `make abi-baseline` writes it anew.

use crate::common::{Library, exported, root, scratch};
use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Output};

/// The header, with a text replaced, and what `abi.sh check` says of it.
fn check(from: &str, to: &str) -> (bool, String) {
    let header = fs::read_to_string(root().join("include/quatint.h")).expect("committed");
    assert!(header.contains(from), "the header has no {from:?}");
    let changed = scratch("abi").join("quatint.h");
    fs::write(&changed, header.replacen(from, to, 1)).expect("writable");
    let output = Command::new(root().join("tests/abi/abi.sh"))
        .arg("check")
        .arg(changed)
        .output();
    let Output { status, stderr, .. } = output.expect("the script starts");
    (
        status.success(),
        String::from_utf8_lossy(&stderr).into_owned(),
    )
}

/// One test, because the changed headers take turns in one file.
#[test]
fn the_interface_is_the_committed_one_and_an_incompatible_change_without_a_raised_version_is_caught()
 {
    assert_eq!(
        check("#define QI_OK 0", "#define QI_OK 0"),
        (true, String::new())
    );

    for (from, to) in [
        ("uint32_t qi_version_number(void);", ""),
        (
            "size_t qi_last_error_body(void);",
            "uint32_t qi_last_error_body(void);",
        ),
        (
            "qi_status qi_rotate(const double *orientation",
            "qi_status qi_rotate(const float *orientation",
        ),
        ("(*qi_event_fn)(double time", "(*qi_event_fn)(float time"),
        (
            "qi_torque_fn torque, void *user_data);",
            "void *user_data, qi_torque_fn torque);",
        ),
        ("typedef int32_t qi_status;", "typedef int64_t qi_status;"),
        ("#define QI_ERR_STEP -13", "#define QI_ERR_STEP -14"),
        ("#define QI_ERR_STEP -13", ""),
    ] {
        let (same, said) = check(from, to);
        assert!(
            !same && said.contains("changed incompatibly"),
            "{from} -> {to}: {said}"
        );
    }
    // What is added must get into the baseline, or its later change would go unseen.
    let version = format!(
        "#define QI_VERSION_MINOR {}",
        env!("CARGO_PKG_VERSION_MINOR")
    );
    for (from, to) in [
        ("#define QI_OK 0", "#define QI_OK 0\n#define QI_NEW 1"),
        (
            "uint32_t qi_version_number(void);",
            "uint32_t qi_version_number(void);\nuint32_t qi_new(void);",
        ),
        (&*version, "#define QI_VERSION_MINOR 99"),
    ] {
        let (same, said) = check(from, to);
        assert!(
            !same && said.contains("make abi-baseline") && !said.contains("incompatibly"),
            "{from} -> {to}: {said}"
        );
    }
}

#[test]
fn the_shared_library_exports_the_functions_of_the_baseline() {
    let baseline = fs::read_to_string(root().join("tests/abi/baseline.abi")).expect("committed");
    let symbol = |line: &str| {
        Some(
            line.split_once("<elf-symbol name='")?
                .1
                .split('\'')
                .next()?
                .to_owned(),
        )
    };
    let expected: BTreeSet<_> = baseline.lines().filter_map(symbol).collect();
    let exported: BTreeSet<_> = exported(&Library::Shared.path()).into_iter().collect();
    assert_eq!(exported, expected);
    assert!(
        !baseline.contains("/tmp") && !baseline.contains("='/"),
        "the baseline names a folder of a machine"
    );
}
