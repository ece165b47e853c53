//! The tests of bits notice a kernel that is wrong in one place. All wrong kernels are in one
//! stand-in, whose environment says which of them it has.

use crate::stand_in::{OTHER, compiled, translated};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const STEPS: &str = "bits::steps_of_every_method_under_every_torque_have_the_bits_of_the_library";
const LONG: &str = "bits::long_rotations_have_the_bits_of_the_library";
const LONG_IN_DRAG: &str =
    "bits::long_rotations_in_a_drag_or_with_noise_have_the_bits_of_the_library";
const SINGLE: &str = "drift_precision::drifts_in_single_precision_have_the_bits_of_the_processor";
const COMMON: &str = "bits::calls_of_the_common_form_have_the_bits_of_the_library";

/// A kernel that is wrong in one statement, and the test that notices it.
struct Wrong {
    kernel: &'static str,
    /// The place of the statement among those of the kernel, and the wrong one.
    change: fn(&[&str]) -> (usize, String),
    test: &'static str,
}

const fn wrong(
    kernel: &'static str,
    change: fn(&[&str]) -> (usize, String),
    test: &'static str,
) -> Wrong {
    Wrong {
        kernel,
        change,
        test,
    }
}

/// Kernels of each line are wrong in places of which one at least is not in code for rare bodies.
const WRONG: [&[Wrong]; 20] = [
    &[
        wrong("splitting", other_operation::<3>, STEPS),
        wrong("splitting", other_operation::<5>, STEPS),
        wrong("splitting", other_operation::<6>, STEPS),
    ],
    &[
        wrong("pcdm", contraction::<3>, STEPS),
        wrong("pcdm", contraction::<5>, STEPS),
        wrong("pcdm", contraction::<6>, STEPS),
    ],
    &[wrong("cf4", other_stride, STEPS)],
    &[
        wrong("common_pcdm", other_operation::<3>, COMMON),
        wrong("common_pcdm", other_operation::<5>, COMMON),
        wrong("common_pcdm", other_operation::<6>, COMMON),
    ],
    &[
        wrong("common_pcdm_in_axes", other_operation::<3>, COMMON),
        wrong("common_pcdm_in_axes", other_operation::<5>, COMMON),
        wrong("common_pcdm_in_axes", other_operation::<6>, COMMON),
    ],
    &[
        wrong("common_kick_drift", other_operation::<3>, COMMON),
        wrong("common_kick_drift", other_operation::<5>, COMMON),
        wrong("common_kick_drift", other_operation::<6>, COMMON),
    ],
    &[
        wrong("common_splitting", other_operation::<3>, COMMON),
        wrong("common_splitting", other_operation::<5>, COMMON),
        wrong("common_splitting", other_operation::<6>, COMMON),
    ],
    &[
        wrong("common_damped_pcdm", other_operation::<3>, COMMON),
        wrong("common_damped_pcdm", other_operation::<5>, COMMON),
        wrong("common_damped_pcdm", other_operation::<6>, COMMON),
    ],
    &[
        wrong("common_damped_splitting", other_operation::<3>, COMMON),
        wrong("common_damped_splitting", other_operation::<5>, COMMON),
        wrong("common_damped_splitting", other_operation::<6>, COMMON),
    ],
    &[
        wrong("common_baoab", other_operation::<3>, COMMON),
        wrong("common_baoab", other_operation::<5>, COMMON),
        wrong("common_baoab", other_operation::<6>, COMMON),
    ],
    &[
        wrong("common_brownian", other_operation::<3>, COMMON),
        wrong("common_brownian", other_operation::<5>, COMMON),
        wrong("common_brownian", other_operation::<6>, COMMON),
    ],
    &[wrong("common_kick_drift", never_again, COMMON)],
    &[wrong("common_splitting", never_again, COMMON)],
    &[wrong("single_kick_drift", never_again, SINGLE)],
    &[wrong("common_single_kick_drift", never_again, SINGLE)],
    &[
        wrong("single_kick_drift", other_sum_of_floats::<2>, SINGLE),
        wrong("single_kick_drift", other_sum_of_floats::<4>, SINGLE),
        wrong("single_kick_drift", other_sum_of_floats::<6>, SINGLE),
    ],
    &[
        wrong("common_single_kick_drift", other_sum_of_floats::<2>, SINGLE),
        wrong("common_single_kick_drift", other_sum_of_floats::<4>, SINGLE),
        wrong("common_single_kick_drift", other_sum_of_floats::<6>, SINGLE),
    ],
    &[wrong("splitting", never_again, LONG)],
    &[wrong("damped_splitting", never_again, LONG_IN_DRAG)],
    &[wrong("baoab", never_again, LONG_IN_DRAG)],
];

/// After so many eighths of the kernel, a difference in the place of a sum.
fn other_operation<const EIGHTHS: usize>(kernel: &[&str]) -> (usize, String) {
    let sum = ") + f64(";
    let from = kernel.len() / 8 * EIGHTHS;
    let after = kernel[from..].iter().position(|line| line.contains(sum));
    let at = from + after.expect("a sum");
    (at, kernel[at].replacen(sum, ") - f64(", 1))
}

/// After so many eighths of the sums of floats, a difference in the place of one.
fn other_sum_of_floats<const EIGHTHS: usize>(kernel: &[&str]) -> (usize, String) {
    let sum = ") + f32(";
    let sums: Vec<_> = (0..kernel.len())
        .filter(|&k| kernel[k].contains(sum))
        .collect();
    let at = sums[sums.len() / 8 * EIGHTHS];
    (at, kernel[at].replacen(sum, ") - f32(", 1))
}

/// After so many eighths of the kernel, a product and the sum that it goes into, rounded once instead
/// of twice.
fn contraction<const EIGHTHS: usize>(kernel: &[&str]) -> (usize, String) {
    let operands = |line: &str, sign: &str| {
        let (to, value) = line.strip_suffix("));")?.split_once(" = b64(f64(")?;
        let (a, b) = value.split_once(&format!(") {sign} f64("))?;
        Some([to, a, b].map(str::to_owned))
    };
    for k in kernel.len() / 8 * EIGHTHS..kernel.len() - 1 {
        let product = operands(kernel[k], "*");
        let sum = operands(kernel[k + 1], "+");
        if let (Some([product, a, b]), Some([to, c, d])) = (product, sum)
            && d == product
            && a != b
            && !b.starts_with("0x")
        {
            return (
                k + 1,
                format!("{to} = b64(fma(f64({a}), f64({b}), f64({c})));"),
            );
        }
    }
    panic!("no product that goes into a sum");
}

/// The first product of integers is that of the number of the body and a stride.
fn other_stride(kernel: &[&str]) -> (usize, String) {
    let is_product = |line: &&str| line.contains("= (u64)r_rd") && line.contains(" * (u64)r_rd");
    let at = kernel.iter().position(is_product);
    let at = at.expect("a product of integers");
    (at, kernel[at].replace(';', " + 1;"))
}

/// Bodies whose rotation is not short do not begin again.
fn never_again(kernel: &[&str]) -> (usize, String) {
    let are_arguments =
        |line: &&str| line.starts_with("u64 param0[") && **line != *"u64 param0[1];";
    let given = kernel.iter().position(are_arguments);
    let given = given.expect("the arguments of the function that begins again");
    let call = kernel[given..]
        .iter()
        .position(|line| line.starts_with("qi_function_"));
    (given + call.expect("its call"), ";".to_owned())
}

/// The lines of a kernel in the text.
fn lines_of(text: &[&str], kernel: &str) -> std::ops::Range<usize> {
    let head = format!("static void qi_kernel_{kernel}(void *qi_kernel_{kernel}_param_0) {{");
    let first = text.iter().position(|line| *line == head);
    let first = first.expect("the kernel");
    let is_next = |line: &&str| line.starts_with("static void ") || line.starts_with("const ");
    let length = text[first + 1..].iter().position(is_next);
    first..first + 1 + length.expect("what follows a function")
}

/// The stand-in with all the wrong kernels.
fn wrong_kernels() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let text = std::fs::read_to_string(translated()).expect("just written");
        let text: Vec<_> = text.lines().collect();
        let mut changed = BTreeMap::new();
        for (number, wrong) in WRONG.into_iter().flatten().enumerate() {
            let range = lines_of(&text, wrong.kernel);
            let (at, statement) = (wrong.change)(&text[range.clone()]);
            let right = text[range.start + at];
            assert_ne!(statement, right, "nothing has been changed");
            let number = number + 1;
            let either = format!("if (is_wrong({number})) {{ {statement} }} else {{ {right} }}");
            let before = changed.insert(range.start + at, either);
            assert!(before.is_none(), "two changes of one statement");
        }
        let lines: Vec<_> = (0..text.len())
            .map(|k| changed.get(&k).map_or(text[k], String::as_str))
            .collect();
        compiled(&lines.join("\n"), "teeth")
    })
}

/// Whether a test of bits fails. (A crash is a failure too.) 0: no kernel is wrong.
fn is_noticed(number: usize, test: &str) -> bool {
    let output = Command::new(std::env::current_exe().expect("this program"))
        .args([test, "--exact"])
        .env(OTHER, wrong_kernels())
        .env("QUATINT_WRONG", number.to_string())
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("running 1 test"), "{said}");
    !output.status.success()
}

#[test]
fn a_kernel_that_is_wrong_in_one_statement_is_noticed() {
    let mut number = 0;
    for line in WRONG {
        let mut are_noticed = false;
        for wrong in line {
            number += 1;
            are_noticed |= is_noticed(number, wrong.test);
        }
        assert!(are_noticed, "{}, up to {number}", line[0].kernel);
    }
}

#[test]
fn the_kernels_as_they_are_pass() {
    assert!(!is_noticed(0, STEPS));
    assert!(!is_noticed(0, COMMON));
}
