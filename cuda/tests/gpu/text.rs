//! Rules for the text of the kernels.

use crate::stand_in::folder;
use std::collections::BTreeSet;

fn module() -> String {
    std::fs::read_to_string(folder().join("ptx/quatint.ptx")).expect("it is committed")
}

/// The instructions of a text: operation and operands.
fn instructions(text: &str) -> impl Iterator<Item = &str> {
    let code = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or(""));
    let statements = code.flat_map(|line| line.split(';')).map(str::trim);
    statements
        .map(|statement| match statement.strip_prefix('@') {
            Some(guarded) => guarded
                .split_once(char::is_whitespace)
                .map_or("", |(_, rest)| rest),
            None => statement,
        })
        .filter(|statement| statement.starts_with(|c: char| c.is_ascii_lowercase()))
}

/// What may change bits, or not have those of IEEE 754.
fn refused(instruction: &str) -> bool {
    let operation = instruction.split_whitespace().next().unwrap_or("");
    let parts: Vec<_> = operation.split('.').collect();
    let is_of_floats = parts.contains(&"f64") || parts.contains(&"f32");
    let is_contracted = ["fma", "mad"].contains(&parts[0]) && is_of_floats;
    let is_inexact = parts
        .iter()
        .any(|part| ["ftz", "sat", "approx", "full", "rz", "rm", "rp", "relu"].contains(part));
    let is_rounded = ["add", "sub", "mul", "div", "sqrt", "rcp"].contains(&parts[0]);
    let is_of_a_table = ["sin", "cos", "ex2", "lg2", "rsqrt", "tanh"].contains(&parts[0]);
    is_contracted || is_inexact || is_of_a_table || is_of_floats && is_rounded && parts[1] != "rn"
}

#[test]
fn the_kernels_use_correctly_rounded_operations_only() {
    let text = module();
    let mut of_floats = 0;
    for instruction in instructions(&text) {
        assert!(!refused(instruction), "{instruction}");
        of_floats += usize::from(instruction.contains(".rn.f64"));
    }
    assert!(of_floats > 10_000, "{of_floats}");
}

/// The kind of an operation on numbers that have a fraction, of a conversion, or of the 32 bits that
/// noise is made of.
fn kind(instruction: &str) -> Option<String> {
    let operation = instruction.split_whitespace().next()?;
    let parts: Vec<_> = operation.split('.').collect();
    let is_of_floats = parts.contains(&"f64") || parts.contains(&"f32");
    match parts[0] {
        "setp" if is_of_floats => Some("a comparison".to_owned()),
        "ld" | "st" | "mov" | "selp" => None,
        "shf" => Some(operation.to_owned()),
        _ if is_of_floats || operation == "mul.wide.u32" => Some(operation.to_owned()),
        _ => None,
    }
}

#[test]
fn the_test_of_a_device_has_all_kinds_of_operations_that_the_kernels_have() {
    let text = module();
    let start = text
        .find(".entry qi_kernel_operations(")
        .expect("it is a kernel");
    let after = &text[start + 1..];
    let tested = &after[..after.find(".entry").unwrap_or(after.len())];
    let kinds = |text: &str| -> BTreeSet<_> { instructions(text).filter_map(kind).collect() };
    let missing: Vec<_> = kinds(&text).difference(&kinds(tested)).cloned().collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(kinds(tested).len() > 20, "{:?}", kinds(tested));
}

#[test]
fn the_rules_notice_what_they_are_for() {
    for instruction in [
        "fma.rn.f64 \t%rd1, %rd2, %rd3, %rd4",
        "mad.rn.f32 %r1, %r2, %r3, %r4",
        "add.f64 %rd1, %rd2, %rd3",
        "mul.rn.ftz.f32 %r1, %r2, %r3",
        "div.approx.f32 %r1, %r2, %r3",
        "sqrt.approx.f64 %rd1, %rd2",
        "div.full.f32 %r1, %r2, %r3",
        "mul.rz.f64 %rd1, %rd2, %rd3",
        "rsqrt.approx.f64 %rd1, %rd2",
    ] {
        assert!(refused(instruction), "{instruction}");
    }
    assert!(!refused("mad.lo.s64 %rd1, %rd2, %rd3, %rd4"));
    let guarded = "\t@!%p1 fma.rn.f64 %rd1, %rd2, %rd3, %rd4; // a comment";
    assert!(instructions(guarded).any(refused));
}

/// They are no target of cargo, whose command for formatting passes them by.
#[test]
fn the_source_of_the_kernels_is_formatted() {
    let check = std::process::Command::new("rustfmt")
        .args(["--edition", "2024", "--check"])
        .arg(folder().join("kernels/lib.rs"))
        .output()
        .expect("rustfmt");
    let differences = String::from_utf8_lossy(&check.stdout);
    assert!(check.status.success(), "{differences}");
}

/// A driver finds no function and no variable that is not in the text, and each kernel has bounds.
#[test]
fn the_text_is_whole() {
    let text = module();
    assert!(!text.contains(".extern") && !text.contains(".weak"));
    assert!(
        !text.contains("trap"),
        "it would end the context of the process"
    );
    let kernels = text.matches(".entry qi_kernel_").count();
    assert_eq!(kernels, 25);
    assert_eq!(text.matches(".maxntid 128, 1, 1").count(), kernels);
    assert!(text.contains(".target sm_70\n") && text.contains(".version 6.0\n"));
    // nothing of the place where it was built
    assert!(
        !text.contains('/') || text.matches('/').count() == 3,
        "a path"
    );
}
