//! Nothing runs for ever. Ctrl-C in Python: the portions of steps between which signals are handled, on machines and clocks of any
//! speed, where the time is told, not measured. And the commands that packaging runs.

#[path = "../../bindings/python/src/portions.rs"]
#[allow(dead_code, unreachable_pub)]
mod of_python;

use crate::common::{root, success};
use of_python::{PORTION, Portions};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The usual number for one body under a ready-made torque.
const USUAL: u64 = 1 << 16;

/// The longest of a hundred portions, in seconds, where a step in portion `i` takes `cost(i)` seconds.
fn longest(cost: impl Fn(u32) -> f64) -> f64 {
    let mut portions = Portions::new(USUAL);
    let mut longest: f64 = 0.0;
    for i in 0..100 {
        let time = portions.steps() as f64 * cost(i);
        longest = longest.max(time);
        portions.took(Duration::from_secs_f64(time));
    }
    longest
}

/// A step takes some 1e-7 s on a usual machine. Portions began with 65536 steps: 6 s at 1e-4 s a step.
#[test]
fn no_portion_takes_a_second_on_a_machine_that_is_thousands_of_times_slower() {
    for cost in [1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 9e-4] {
        let longest = longest(|_| cost);
        assert!(longest < 1.0, "{longest} s at {cost} s a step");
    }
}

/// Such as when the cost is that of the contacts of a callback, or another program takes the processor.
#[test]
fn no_portion_takes_a_second_where_steps_become_ten_times_slower() {
    for cost in [1e-9, 1e-8, 1e-7, 1e-6, 1e-5] {
        for moment in 0..100 {
            let longest = longest(|i| if i < moment { cost } else { 10.0 * cost });
            assert!(longest < 1.0, "{longest} s after {moment} at {cost} s");
        }
    }
}

/// A clock that says 0 let portions grow a hundredfold each, to the end of the call.
#[test]
fn portions_have_a_bound_where_the_clock_stands_still() {
    for usual in [0, 1, USUAL, u64::MAX] {
        let mut portions = Portions::new(usual);
        for _ in 0..100 {
            portions.took(Duration::ZERO);
            assert!(portions.steps() <= usual.max(1).saturating_mul(16));
        }
    }
    let mut portions = Portions::new(USUAL);
    portions.took(Duration::from_secs(3600));
    assert_eq!(portions.steps(), 1);
}

/// The lock of the interpreter is taken seldom.
#[test]
fn portions_soon_take_the_time_that_they_are_to_take() {
    for cost in [5e-8, 1e-7, 1e-6, 1e-4] {
        let mut portions = Portions::new(USUAL);
        for _ in 0..6 {
            let time = portions.steps() as f64 * cost;
            portions.took(Duration::from_secs_f64(time));
        }
        let time = portions.steps() as f64 * cost;
        let wanted = PORTION.as_secs_f64();
        assert!((0.5 * wanted..1.1 * wanted).contains(&time), "{time} s");
    }
}

/// `make test-dist` hung in an emulated Python. A child of the command that keeps its output open is ended with it: else the run would
/// last as long as the child, a minute.
#[test]
fn what_packaging_runs_ends_at_its_limit_with_all_its_children_and_shows_what_it_has_printed() {
    let program = "import limits; limits.run(['sh', '-c', 'echo begun; sleep 60 & sleep 60'], 1)";
    let mut python = Command::new("python3");
    python.args(["-c", program]);
    let packaging = root().join("packaging");
    let output = python
        .env("PYTHONPATH", &packaging)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("python3");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(
        said.contains("took more than 1 s") && said.contains("begun"),
        "{said}"
    );
    // nothing else of packaging starts a command
    assert_commands_are_bounded(&packaging);
}

fn assert_commands_are_bounded(packaging: &Path) {
    for file in fs::read_dir(packaging).expect("a folder") {
        let path = file.expect("readable").path();
        let is_python = path.extension().is_some_and(|end| end == "py");
        if is_python && !path.ends_with("limits.py") {
            let text = fs::read_to_string(&path).expect("text");
            let starts = ["subprocess.run", "Popen", "os.system", "check_output"];
            assert!(starts.iter().all(|start| !text.contains(start)), "{path:?}");
        }
    }
}

/// `make test-dist` in the background of a shell, which ignores Ctrl-C for it: the program of the page that sends itself one ran for ever.
#[test]
fn what_packaging_runs_hears_ctrl_c_also_in_the_background_of_a_shell() {
    let inner = "import signal; signal.raise_signal(signal.SIGINT); print('it is deaf')";
    let program = "import limits, sys; done = limits.run([sys.executable, '-c', sys.argv[1]], 60); print(done.stdout, done.stderr)";
    let mut shell = Command::new("sh");
    shell.args([
        "-c",
        "trap '' INT; exec python3 -c \"$0\" \"$1\"",
        program,
        inner,
    ]);
    let packaging = root().join("packaging");
    shell
        .env("PYTHONPATH", packaging)
        .env("PYTHONDONTWRITEBYTECODE", "1");
    let said = String::from_utf8(success(&mut shell).stdout).expect("text");
    assert!(
        said.contains("KeyboardInterrupt") && !said.starts_with("it is deaf"),
        "{said}"
    );
}
