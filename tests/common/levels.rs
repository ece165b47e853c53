//! Instruction sets. If the machine lacks the one that a test asks for, the library takes a lower
//! one and says nothing. A test that asks for one therefore calls a function of this file, which
//! prints the one in force. It fails if that is below the one that `QUATINT_EXPECT_SIMD`
//! (`baseline`, `avx2`, `avx512`) says this machine has. `.ci/run` sets the variable from what the
//! kernel tells of the processor.

use quatint::kernel::{MOST_LANES, Number};
use quatint::simd::{Job, Level, run_at, run_on};
use std::process::Command;

pub const LEVELS: [Level; 3] = [Level::Baseline, Level::Avx2, Level::Avx512];

/// Its name in `QUATINT_SIMD`.
pub fn name(level: Level) -> &'static str {
    match level {
        Level::Baseline => "baseline",
        Level::Avx2 => "avx2",
        Level::Avx512 => "avx512",
    }
}

fn level_named(text: &str) -> Level {
    LEVELS
        .into_iter()
        .find(|&level| name(level) == text)
        .unwrap_or_else(|| panic!("{text:?} is no instruction set"))
}

/// The lanes of the registers that a loop is compiled for.
struct Registers;

impl Job<usize> for Registers {
    #[inline(always)]
    fn in_lanes<N: Number>(&mut self) -> usize {
        N::LANES
    }
}

fn level_with(lanes: usize) -> Level {
    match lanes {
        2 => Level::Baseline,
        4 => Level::Avx2,
        8 => Level::Avx512,
        _ => panic!("{lanes} lanes"),
    }
}

/// The level that `run_at(asked, ..)` takes on this machine, printed and checked.
pub fn taken_for(asked: Level) -> Level {
    let taken = level_with(run_at(asked, &mut Registers));
    check(asked, taken);
    taken
}

fn check(asked: Level, taken: Level) {
    println!("asked for {}: {} is in force", name(asked), name(taken));
    assert!(taken <= asked, "more than was asked for");
    if let Ok(text) = std::env::var("QUATINT_EXPECT_SIMD") {
        let expected = level_named(&text).min(asked);
        assert!(
            taken >= expected,
            "asked for {}, got {}, and QUATINT_EXPECT_SIMD is {text}",
            name(asked),
            name(taken)
        );
    }
}

const MARK: &str = "instruction set in force: ";

/// For [`tests_at`], which runs this beside the tests that it is to run.
#[test]
fn this_program_says_which_instruction_set_is_in_force() {
    println!(
        "{MARK}{}.",
        name(level_with(run_on(MOST_LANES, &mut Registers)))
    );
}

/// Runs the tests of this program with `filter` in their names again, limited to a level, and
/// checks which is in force there. Returns what they print, which counts one test more than these.
pub fn tests_at(level: Level, filter: &str) -> String {
    let output = Command::new(std::env::current_exe().expect("this program"))
        .args([
            filter,
            "this_program_says_which_instruction_set_is_in_force",
            "--nocapture",
        ])
        .env("QUATINT_SIMD", name(level))
        .output()
        .expect("it starts again");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{level:?}: {text}{errors}");
    // With a single thread the mark stands behind the name of a test, not at the start of a line.
    let (_, from_mark) = text.split_once(MARK).expect("it says so");
    let (taken, _) = from_mark.split_once('.').expect("a sentence");
    check(level, level_named(taken));
    text
}
