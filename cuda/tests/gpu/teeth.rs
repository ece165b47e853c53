//! The tests of bits notice a kernel that is wrong in one place.

use crate::stand_in::{OTHER, compiled, translated};
use std::process::Command;

/// The kernels in C, and the range of one kernel in them.
fn kernels(name: &str) -> (String, std::ops::Range<usize>) {
    let text = std::fs::read_to_string(translated()).expect("just written");
    let first = text
        .find(&format!(
            "static void qi_kernel_{name}(void *qi_kernel_{name}_param_0) {{"
        ))
        .expect("the kernel");
    let after = &text[first + 1..];
    let end = after
        .find("\nstatic void ")
        .or(after.find("\nconst struct "));
    let end = first + end.expect("what follows a function");
    (text, first..end)
}

/// The kernels with other text in the place of a part of one.
fn with(name: &str, change: impl Fn(&str) -> String) -> String {
    let (text, range) = kernels(name);
    let changed = change(&text[range.clone()]);
    assert_ne!(changed, text[range.clone()], "nothing has been changed");
    format!("{}{changed}{}", &text[..range.start], &text[range.end..])
}

/// Whether a test of bits fails with these kernels. (A crash is a failure too.)
fn is_noticed(kernels: &str, name: &str) -> bool {
    let library = compiled(kernels, &format!("teeth_{name}"));
    let test = "bits::steps_of_every_method_under_every_torque_have_the_bits_of_the_library";
    let output = Command::new(std::env::current_exe().expect("this program"))
        .args([test, "--exact"])
        .env(OTHER, library)
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("running 1 test"), "{said}");
    !output.status.success()
}

#[test]
fn one_other_operation_is_noticed() {
    // in the last quarter of the kernel, where it turns the body
    let changed = with("splitting", |kernel| {
        let sum = ") + f64(";
        let from = kernel.len() / 4 * 3;
        let at = from + kernel[from..].find(sum).expect("a sum");
        format!("{}) - f64({}", &kernel[..at], &kernel[at + sum.len()..])
    });
    assert!(is_noticed(&changed, "operation"));
}

/// A product and the sum that it goes into, rounded once instead of twice.
#[test]
fn one_contraction_is_noticed() {
    let changed = with("pcdm", |kernel| {
        let lines: Vec<_> = kernel.lines().collect();
        let mut changed = lines.clone();
        let mut fused = String::new();
        for k in (0..lines.len() - 1).rev() {
            let operands = |line: &str, sign: &str| {
                let (to, value) = line.strip_suffix("));")?.split_once(" = b64(f64(")?;
                let (a, b) = value.split_once(&format!(") {sign} f64("))?;
                Some([to, a, b].map(str::to_owned))
            };
            let product = operands(lines[k], "*");
            let sum = operands(lines[k + 1], "+");
            if let (Some([product, a, b]), Some([to, c, d])) = (product, sum)
                && d == product
                && a != b
                && !b.starts_with("0x")
            {
                fused = format!("{to} = b64(fma(f64({a}), f64({b}), f64({c})));");
                changed[k + 1] = &fused;
                break;
            }
        }
        assert!(!fused.is_empty(), "no product that goes into a sum");
        changed.join("\n")
    });
    assert!(is_noticed(&changed, "contraction"));
}

#[test]
fn one_wrong_stride_is_noticed() {
    // the first product of integers is that of the number of the body and a stride
    let changed = with("cf4", |kernel| {
        let line = kernel
            .lines()
            .find(|l| l.contains("= (u64)r_rd") && l.contains(" * (u64)r_rd"));
        let line = line.expect("a product of integers");
        kernel.replacen(line, &line.replace(';', " + 1;"), 1)
    });
    assert!(is_noticed(&changed, "stride"));
}

#[test]
fn the_kernels_as_they_are_pass() {
    let (text, _) = kernels("pcdm");
    assert!(!is_noticed(&text, "nothing"));
}
