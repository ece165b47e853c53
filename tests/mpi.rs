//! The programs for MPI, on 1 to 4 ranks: every line and every file has the same bits. The tests need `mpicc` and `mpirun`, which
//! `tests/setup.sh` installs; without them they fail.

mod common;

use common::docs::programs;
use common::{Library, compile_with, link, root, scratch, success};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

const RANKS: [usize; 4] = [1, 2, 3, 4];
/// The programs compute in C, too; a fused multiply-add there would change the bits.
const FLAGS: [&str; 2] = ["-ffp-contract=off", "-O2"];

fn mpicc(source: &Path, library: Library, folder: &Path) -> PathBuf {
    let name = source.file_stem().expect("a file").to_string_lossy();
    let binary = folder.join(format!("{name}_mpi_{library:?}"));
    let mut command = Command::new("mpicc");
    command.args(["-std=c99", "-Wall", "-Wextra", "-pedantic-errors", "-Werror", "-I"]).arg(root().join("include"));
    command.args(FLAGS).arg(source).arg("-o").arg(&binary);
    success(link(&mut command, library));
    binary
}

fn example(name: &str, folder: &Path) -> PathBuf {
    mpicc(&root().join(format!("c_examples/{name}.c")), Library::Shared, folder)
}

/// Runs a program on so many ranks. The tests may run as root, and on fewer processors than ranks.
fn mpirun(ranks: usize, binary: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    // ranks that wait give way, since they may share processors; messages are copied without the rights that containers lack
    command.args(["--mca", "mpi_yield_when_idle", "1", "--mca", "btl_vader_single_copy_mechanism", "none"]);
    command.args(["--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-n"]).arg(ranks.to_string());
    // a folder for each run: runs at the same time would fail to make the one that they share
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let folder = scratch("mpi_runs").join(RUNS.fetch_add(1, Ordering::Relaxed).to_string());
    fs::create_dir_all(&folder).expect("writable");
    command.env("OMPI_MCA_orte_tmpdir_base", folder);
    command.arg(binary).args(arguments);
    command
}

fn output(command: &mut Command) -> String {
    String::from_utf8(success(command).stdout).expect("text")
}

/// The lines of `mpi_bodies` that must not depend on the ranks: all but the first, which names them.
fn bits(ranks: usize, text: &str) -> String {
    let (first, rest) = text.split_once('\n').expect("lines");
    assert!(first.starts_with(&format!("ranks {ranks}, changes of rank ")), "{text}");
    assert_eq!(rest.lines().count(), 4, "{text}");
    rest.to_owned()
}

fn path(file: &Path) -> &str {
    file.to_str().expect("text")
}

/// Bodies, steps, and a step in between. 3 bodies, so that a rank has none; 1 body, which leaves its rank empty; none at all. The
/// step in between is no multiple of 10: some bodies are then on ranks to which their places no longer belong.
const RUNS: [[&str; 3]; 4] = [["137", "60", "25"], ["3", "300", "155"], ["1", "300", "155"], ["0", "60", "25"]];

#[test]
fn migrating_bodies_have_the_same_bits_on_1_to_4_ranks_without_mpi_and_after_restarts() {
    let folder = scratch("mpi_bodies");
    let binary = example("mpi_bodies", &folder);
    let serial =
        compile_with(&root().join("c_examples/mpi_bodies.c"), Library::Static, &folder, &["-DNO_MPI", FLAGS[0]]);
    for [bodies, steps, between] in RUNS {
        let file = |name: &str| folder.join(format!("{bodies}_{name}"));
        let whole = file("whole");
        let expected = bits(1, &output(Command::new(&serial).args([bodies, steps, path(&whole)])));
        let whole = fs::read(whole).expect("written");
        assert_eq!(whole.len(), 64 + bodies.parse::<usize>().expect("a number") * 192);

        let half = file("half_serial");
        success(Command::new(&serial).args([bodies, between, path(&half)]));
        let half = fs::read(half).expect("written");
        for ranks in RANKS {
            let (end, part) = (file(&format!("end_{ranks}")), file(&format!("half_{ranks}")));
            assert_eq!(bits(ranks, &output(&mut mpirun(ranks, &binary, &[bodies, steps, path(&end)]))), expected);
            success(&mut mpirun(ranks, &binary, &[bodies, between, path(&part)]));
            assert!(fs::read(end).expect("written") == whole, "{bodies} bodies, {ranks} ranks: the file at the end");
            assert!(
                fs::read(part).expect("written") == half,
                "{bodies} bodies, {ranks} ranks: the file of step {between}"
            );
        }
        // the files are the same, so one of each number of ranks is enough
        for (wrote, ranks) in [(1, 4), (2, 3), (3, 2), (4, 1)] {
            let (part, end) = (file(&format!("half_{wrote}")), file("restarted"));
            let again = output(&mut mpirun(ranks, &binary, &[bodies, steps, path(&end), path(&part)]));
            assert_eq!(bits(ranks, &again), expected, "{bodies} bodies, written by {wrote} ranks, read by {ranks}");
            assert!(fs::read(end).expect("written") == whole, "{bodies} bodies: the file after a restart");
        }
        let half = file("half_4");
        let again = output(Command::new(&serial).args([bodies, steps, "-", path(&half)]));
        assert_eq!(bits(1, &again), expected, "{bodies} bodies, restarted without MPI");
    }
}

#[test]
fn bodies_do_change_their_ranks() {
    let folder = scratch("mpi_changes");
    let binary = example("mpi_bodies", &folder);
    for [bodies, steps, _] in RUNS {
        for ranks in RANKS {
            let text = output(&mut mpirun(ranks, &binary, &[bodies, steps]));
            let changes = text.lines().next().and_then(|line| line.rsplit(' ').next());
            let changes: usize = changes.and_then(|n| n.parse().ok()).expect("a number");
            assert_eq!(changes > 0, ranks > 1 && bodies != "0", "{text}");
        }
    }
}

#[test]
fn a_file_of_another_number_of_bodies_is_refused() {
    let folder = scratch("mpi_refuses");
    let binary = example("mpi_bodies", &folder);
    let file = folder.join("of_ten");
    success(&mut mpirun(2, &binary, &["10", "5", path(&file)]));
    for (bodies, read) in [("11", path(&file)), ("10", "/nonexistent/file")] {
        let output = mpirun(2, &binary, &[bodies, "10", "-", read]).output().expect("starts");
        assert_eq!(output.status.code(), Some(1));
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains(read), "{message}");
    }
}

/// The exit status says that the failures made on purpose left every rank as it was. The energies show each bit.
#[test]
fn a_step_that_fails_on_one_rank_leaves_all_ranks_as_they_were() {
    let folder = scratch("mpi_pairs");
    let binary = example("mpi_pairs", &folder);
    let serial =
        compile_with(&root().join("c_examples/mpi_pairs.c"), Library::Static, &folder, &["-DNO_MPI", FLAGS[0]]);
    for bodies in ["100", "2"] {
        let expected = output(Command::new(&serial).arg(bodies));
        assert_eq!(expected.lines().filter(|l| l.ends_with("every rank is as it was before the step")).count(), 2);
        for ranks in RANKS {
            assert_eq!(output(&mut mpirun(ranks, &binary, &[bodies])), expected, "{bodies} bodies on {ranks} ranks");
        }
    }
}

#[test]
fn the_fragments_of_the_page_on_mpi_are_those_of_the_examples() {
    let page = fs::read_to_string(root().join("docs/mpi.md")).expect("the page is there");
    let mut fragments = 0;
    for block in page.split("\n```c\n/* fragment: ").skip(1) {
        let (name, code) = block.split_once(" */\n").expect("it names a file");
        let code = code.split("\n```").next().expect("it ends");
        let example = fs::read_to_string(root().join(name)).expect("readable");
        assert!(example.contains(code), "not in {name}:\n{code}");
        fragments += 1;
    }
    assert!(fragments >= 5);
}

/// They are also compiled with the static library.
#[test]
fn the_programs_of_the_page_on_mpi_print_what_it_says_on_any_number_of_ranks() {
    let folder = scratch("mpi_page");
    let programs = programs("docs/mpi.md", &["c"]);
    assert!(!programs.is_empty());
    for (number, program) in programs.iter().enumerate() {
        let source = folder.join(format!("program_{number}.c"));
        fs::write(&source, &program.code).expect("writable");
        let expected = program.output.as_deref().expect("the page says what each prints");
        for library in [Library::Static, Library::Shared] {
            let binary = mpicc(&source, library, &folder);
            for ranks in RANKS {
                assert_eq!(output(&mut mpirun(ranks, &binary, &[])), expected, "program {number} on {ranks} ranks");
            }
        }
    }
}

/// The bench compares ways that must agree: it stops if they do not. Few bodies here.
#[test]
fn the_bench_of_migration_runs() {
    let folder = scratch("mpi_bench");
    let binary = mpicc(&root().join("benches/mpi.c"), Library::Shared, &folder);
    let text = output(&mut mpirun(2, &binary, &["2000", "400"]));
    for expected in ["\n  with migration by rows ", "\n  with migration, made anew ", "\n  on 2 ranks "] {
        assert!(text.contains(expected), "no `{expected}` in\n{text}");
    }
}
