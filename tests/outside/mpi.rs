//! The programs for MPI, on 1 to 4 ranks: every line and every file has the same bits. The tests need `mpicc` and `mpirun`, which
//! `tests/setup.sh` installs; without them they fail.

use crate::common::docs::programs;
use crate::common::{Library, compile_with, link, root, scratch, success};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const RANKS: [usize; 4] = [1, 2, 3, 4];
/// The programs compute in C, too; a fused multiply-add there would change the bits.
const FLAGS: [&str; 2] = ["-ffp-contract=off", "-O2"];

fn mpicc(source: &Path, library: Library, folder: &Path) -> PathBuf {
    let name = source.file_stem().expect("a file").to_string_lossy();
    let binary = folder.join(format!("{name}_mpi_{library:?}"));
    let mut command = Command::new("mpicc");
    command
        .args([
            "-std=c99",
            "-Wall",
            "-Wextra",
            "-pedantic-errors",
            "-Werror",
            "-I",
        ])
        .arg(root().join("include"));
    command.args(FLAGS).arg(source).arg("-o").arg(&binary);
    success(link(&mut command, library));
    binary
}

fn example(name: &str, folder: &Path) -> PathBuf {
    mpicc(
        &root().join(format!("c_examples/{name}.c")),
        Library::Shared,
        folder,
    )
}

/// Runs a program on so many ranks. The tests may run as root, and on fewer processors than ranks.
pub(crate) fn mpirun(ranks: usize, binary: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    // ranks that wait give way, since they may share processors; messages are copied without the rights that containers lack
    command.args([
        "--mca",
        "mpi_yield_when_idle",
        "1",
        "--mca",
        "btl_vader_single_copy_mechanism",
        "none",
    ]);
    command
        .args([
            "--oversubscribe",
            "--allow-run-as-root",
            "--bind-to",
            "none",
            "-n",
        ])
        .arg(ranks.to_string());
    in_own_folder(command.arg(binary).args(arguments));
    command
}

/// Gives Open MPI a folder for each test: runs at the same time would fail to make the one that they share.
fn in_own_folder(command: &mut Command) -> &mut Command {
    let folder = scratch("mpi_runs").join(format!("{:?}", std::thread::current().id()));
    fs::create_dir_all(&folder).expect("writable");
    command.env("OMPI_MCA_orte_tmpdir_base", folder)
}

/// The same for `mpi_bodies.f90`.
fn fortran_example(folder: &Path) -> PathBuf {
    let mut module = Command::new("gfortran");
    success(
        module
            .current_dir(folder)
            .args(["-O1", "-c"])
            .arg(root().join("bindings/fortran/quatint.f90")),
    );
    let binary = folder.join("mpi_bodies_in_fortran");
    let mut mpifort = Command::new("mpifort");
    mpifort.current_dir(folder).args([
        "-std=f2018",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wno-unused-dummy-argument",
    ]);
    mpifort
        .args(FLAGS)
        .arg(root().join("examples/fortran/mpi_bodies.f90"))
        .arg("quatint.o")
        .arg("-o")
        .arg(&binary);
    success(link(&mut mpifort, Library::Shared));
    binary
}

/// `mpi_bodies.c` for one process without MPI.
fn serial_example(folder: &Path) -> PathBuf {
    compile_with(
        &root().join("c_examples/mpi_bodies.c"),
        Library::Static,
        folder,
        &["-DNO_MPI", FLAGS[0]],
    )
}

fn output(command: &mut Command) -> String {
    String::from_utf8(success(command).stdout).expect("text")
}

/// The lines of `mpi_bodies` that must not depend on the ranks: all but the first, which names them.
fn bits(ranks: usize, text: &str) -> String {
    let (first, rest) = text.split_once('\n').expect("lines");
    assert!(
        first.starts_with(&format!("ranks {ranks}, changes of rank ")),
        "{text}"
    );
    assert_eq!(rest.lines().count(), 4, "{text}");
    rest.to_owned()
}

fn path(file: &Path) -> &str {
    file.to_str().expect("text")
}

/// Bodies, steps, and a step in between. 3 bodies, so that a rank has none; 1 body, which leaves its rank empty; none at all. The
/// step in between is no multiple of 10: some bodies are then on ranks to which their places no longer belong.
const RUNS: [[&str; 3]; 4] = [
    ["137", "60", "25"],
    ["3", "300", "155"],
    ["1", "300", "155"],
    ["0", "60", "25"],
];

#[test]
fn migrating_bodies_have_the_same_bits_on_1_to_4_ranks_without_mpi_and_after_restarts() {
    let folder = scratch("mpi_bodies");
    let binary = example("mpi_bodies", &folder);
    let serial = serial_example(&folder);
    for [bodies, steps, between] in RUNS {
        let file = |name: &str| folder.join(format!("{bodies}_{name}"));
        let whole = file("whole");
        let expected = bits(
            1,
            &output(Command::new(&serial).args([bodies, steps, path(&whole)])),
        );
        let whole = fs::read(whole).expect("written");
        assert_eq!(
            whole.len(),
            HEADER + bodies.parse::<usize>().expect("a number") * (RECORD + CHECK)
        );

        let half = file("half_serial");
        success(Command::new(&serial).args([bodies, between, path(&half)]));
        let half = fs::read(half).expect("written");
        for ranks in RANKS {
            let (end, part) = (
                file(&format!("end_{ranks}")),
                file(&format!("half_{ranks}")),
            );
            assert_eq!(
                bits(
                    ranks,
                    &output(&mut mpirun(ranks, &binary, &[bodies, steps, path(&end)]))
                ),
                expected
            );
            success(&mut mpirun(ranks, &binary, &[bodies, between, path(&part)]));
            assert!(
                fs::read(end).expect("written") == whole,
                "{bodies} bodies, {ranks} ranks: the file at the end"
            );
            assert!(
                fs::read(part).expect("written") == half,
                "{bodies} bodies, {ranks} ranks: the file of step {between}"
            );
        }
        // the files are the same, so one of each number of ranks is enough
        for (wrote, ranks) in [(1, 4), (2, 3), (3, 2), (4, 1)] {
            let (part, end) = (file(&format!("half_{wrote}")), file("restarted"));
            let again = output(&mut mpirun(
                ranks,
                &binary,
                &[bodies, steps, path(&end), path(&part)],
            ));
            assert_eq!(
                bits(ranks, &again),
                expected,
                "{bodies} bodies, written by {wrote} ranks, read by {ranks}"
            );
            assert!(
                fs::read(end).expect("written") == whole,
                "{bodies} bodies: the file after a restart"
            );
        }
        let half = file("half_4");
        let again = output(Command::new(&serial).args([bodies, steps, "-", path(&half)]));
        assert_eq!(
            bits(1, &again),
            expected,
            "{bodies} bodies, restarted without MPI"
        );
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
        let output = mpirun(2, &binary, &[bodies, "10", "-", read])
            .output()
            .expect("starts");
        assert_eq!(output.status.code(), Some(1));
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains(read), "{message}");
    }
}

/// Bytes of the file of `mpi_bodies`: a header, the records of all bodies, then two integers of checksum for each.
const HEADER: usize = 64;
const RECORD: usize = 8 * 24;
const CHECK: usize = 16;

/// Gives a damaged file of `bodies` bodies the checksums of its contents: what its reader then refuses, it refuses for the contents.
fn seal(file: &mut [u8], bodies: usize) {
    const PRIME: u128 = 2_147_483_647;
    let hash = |words: &[u8], factor: u128, first: u128| {
        words.chunks_exact(2).fold(first % PRIME, |hash, two| {
            (hash * factor + u128::from(u16::from_le_bytes([two[0], two[1]]))) % PRIME
        })
    };
    for (k, factor) in [48271, 69621].into_iter().enumerate() {
        let mut sum = hash(&file[..HEADER - CHECK], factor, 0);
        for id in 0..bodies {
            let record = &file[HEADER + id * RECORD..][..RECORD];
            let number = f64::from_le_bytes(record[..8].try_into().expect("8 bytes"));
            let begin = if (0.0..1e9).contains(&number) {
                number as u128 + 1
            } else {
                1
            };
            let check = hash(record, factor, begin);
            sum = (sum + check) % PRIME;
            file[HEADER + bodies * RECORD + id * CHECK + 8 * k..][..8]
                .copy_from_slice(&(check as u64).to_le_bytes());
        }
        file[HEADER - CHECK + 8 * k..][..8].copy_from_slice(&(sum as u64).to_le_bytes());
    }
}

/// What a run says that must not go on from this file.
fn refusal(command: &mut Command) -> String {
    let output = in_own_folder(command).output().expect("starts");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{command:?}: {message}");
    assert!(
        !String::from_utf8_lossy(&output.stdout).contains("hash"),
        "{command:?}: it went on"
    );
    message
}

/// Each field of the header and of a record, with what no run can have written there. The checksums are those of the contents, so
/// that the fields themselves are looked at. In Rust they are computed anew, as the page says.
#[test]
fn a_file_with_a_field_that_cannot_be_is_refused_with_the_record_and_the_reason() {
    let folder = scratch("mpi_fields");
    let programs = [
        serial_example(&folder),
        example("mpi_bodies", &folder),
        fortran_example(&folder),
    ];
    let [good, bad] = ["good", "bad"].map(|name| folder.join(name));
    success(Command::new(&programs[0]).args(["30", "25", path(&good)]));
    let good = fs::read(good).expect("written");
    let (nan, float, integer) = (f64::NAN.to_le_bytes(), f64::to_le_bytes, i64::to_le_bytes);
    let (first, seventh) = (HEADER, HEADER + 7 * RECORD);
    let [id, place, velocity] = [
        "its id is not",
        "its place is not in the box",
        "its velocity is no number",
    ];
    let cases = [
        (0, integer(0), "", "is not a file of this program"),
        (8, integer(31), "", "has another number of bodies"),
        (16, integer(23), "", "has records of another size"),
        (
            24,
            integer(-7),
            "",
            "is of a step that is negative, or beyond the last one asked for",
        ),
        (
            24,
            integer(9_000_000_000_000_000_000),
            "",
            "is of a step that is negative, or beyond the last one asked for",
        ),
        (
            24,
            integer(26),
            "",
            "has a clock that does not fit its step",
        ),
        (32, nan, "", "has a clock that does not fit its step"),
        (40, float(0.1), "", "has a clock that does not fit its step"),
        (first, nan, "record 0: ", id),
        (first, float(1e6), "record 0: ", id),
        (seventh, float(6.0), "record 7: ", id), // 6 is there already
        (seventh, float(-3.0), "record 7: ", id),
        (seventh, float(7.5), "record 7: ", id),
        (seventh + 8, nan, "record 7: ", place),
        (seventh + 16, float(-5.0), "record 7: ", place),
        (seventh + 24, float(1e300), "record 7: ", place),
        (seventh + 8, float(1.0), "record 7: ", place),
        (seventh + 32, nan, "record 7: ", velocity),
        (seventh + 40, float(-1e9), "record 7: ", velocity),
        (
            seventh + 56,
            float(3.0),
            "record 7: ",
            "is not a rotation quaternion",
        ), // orientation
        (seventh + 88, nan, "record 7: ", "NaN"), // angular velocity
        (seventh + 112, nan, "record 7: ", "NaN"), // a moment
        (
            seventh + 136,
            float(1e300),
            "record 7: ",
            "is not a rotation quaternion",
        ), // of the principal axes
        (
            seventh + 168,
            float(f64::INFINITY),
            "record 7: ",
            "it has an infinite number",
        ), // the last torque
    ];
    for (at, value, record, reason) in cases {
        let mut damaged = good.clone();
        damaged[at..at + 8].copy_from_slice(&value);
        seal(&mut damaged, 30);
        fs::write(&bad, &damaged).expect("writable");
        for program in &programs {
            let message = refusal(Command::new(program).args(["30", "60", "-", path(&bad)]));
            assert!(
                message.contains(record) && message.contains(reason),
                "at {at}, `{record}{reason}`: {message}"
            );
        }
    }
    let mut sealed = good.clone();
    seal(&mut sealed, 30);
    assert!(
        sealed == good,
        "the checksums of this test are those of the program"
    );
    for program in &programs {
        for length in [good.len() - 8, good.len() + 8, 24, 0] {
            let mut other = good.clone();
            other.resize(length, 0);
            fs::write(&bad, &other).expect("writable");
            let message = refusal(Command::new(program).args(["30", "60", "-", path(&bad)]));
            let reason = if length < HEADER {
                "is not a file of this program"
            } else {
                "has not the length of a complete file"
            };
            assert!(message.contains(reason), "{length}: {message}");
        }
    }
}

/// A damaged byte anywhere is refused; inside a record, the message says which.
#[test]
fn a_file_with_a_damaged_byte_is_refused() {
    let folder = scratch("mpi_bytes");
    let programs = [
        serial_example(&folder),
        example("mpi_bodies", &folder),
        fortran_example(&folder),
    ];
    let [good, bad, later] = ["good", "bad", "later"].map(|name| folder.join(name));
    success(Command::new(&programs[0]).args(["30", "25", path(&good)]));
    success(Command::new(&programs[0]).args(["30", "26", path(&later)]));
    let [good, later] = [good, later].map(|file| fs::read(file).expect("written"));
    for (program, stride) in [(&programs[0], 5), (&programs[1], 501), (&programs[2], 501)] {
        for at in (0..good.len()).step_by(stride) {
            let mut damaged = good.clone();
            damaged[at] ^= 1 << (at % 8);
            fs::write(&bad, &damaged).expect("writable");
            let message = refusal(Command::new(program).args(["30", "60", "-", path(&bad)]));
            if (HEADER..HEADER + 30 * RECORD).contains(&at) {
                assert!(
                    message.contains(&format!("record {}: ", (at - HEADER) / RECORD)),
                    "byte {at}: {message}"
                );
            }
        }
        // each record is right, but they are not of one step: a file that was overwritten in its place and not to the end
        for records in [1, 15, 29] {
            let mut mixed = good.clone();
            let checks = HEADER + 30 * RECORD;
            for part in [
                HEADER..HEADER + records * RECORD,
                checks..checks + records * CHECK,
            ] {
                mixed[part.clone()].copy_from_slice(&later[part]);
            }
            fs::write(&bad, &mixed).expect("writable");
            let message = refusal(Command::new(program).args(["30", "60", "-", path(&bad)]));
            assert!(message.contains("has a wrong checksum"), "{message}");
        }
    }
}

/// A process is killed at its first call that writes the file, in another run at its second, and so on, until a run ends well. Each time
/// the file must be that of before, and a run that goes on from it comes to the right end. tests/mpi/killer.c does the killing.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn a_run_that_is_killed_at_any_write_leaves_the_file_of_before() {
    use std::os::unix::process::ExitStatusExt;
    let folder = scratch("mpi_killed");
    let killer = folder.join("killer.so");
    let mut gcc = Command::new("gcc");
    gcc.args(["-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC"])
        .arg(root().join("tests/mpi/killer.c"));
    success(gcc.arg("-o").arg(&killer).arg("-ldl"));

    let serial = serial_example(&folder);
    let [before, end, file] = ["before", "end", "file"].map(|name| folder.join(name));
    success(Command::new(&serial).args(["137", "25", path(&before)]));
    let expected = output(Command::new(&serial).args(["137", "60", path(&end)]));
    let [old, new] = [&before, &end].map(|file| fs::read(file).expect("written"));
    let (in_c, in_fortran) = (example("mpi_bodies", &folder), fortran_example(&folder));
    let runs = [
        (&serial, 0, 0),
        (&in_c, 2, 0),
        (&in_c, 2, 1),
        (&in_fortran, 2, 0),
        (&in_fortran, 2, 1),
    ];
    for (program, ranks, killed) in runs {
        for call in 1.. {
            fs::write(&file, &old).expect("writable");
            let _ = fs::remove_file(folder.join("file.new")); // ignore the error if the last run left none
            let arguments = [
                &format!("LD_PRELOAD={}", path(&killer)),
                &format!("KILL_FILE={}", path(&file)),
                &format!("KILL_AT={call}"),
                &format!("KILL_RANK={killed}"),
                path(program),
                "137",
                "60",
                path(&file),
                path(&before),
            ];
            let env = Path::new("env");
            let mut run = if ranks == 0 {
                Command::new(env)
            } else {
                mpirun(ranks, env, &[])
            };
            let ended = run.args(arguments).output().expect("starts").status;
            if ended.success() {
                assert!(
                    call > if killed == 0 { 5 } else { 2 },
                    "{program:?}: only {call} calls"
                );
                assert!(
                    fs::read(&file).expect("there") == new,
                    "{program:?}, rank {killed}: the new file"
                );
                break;
            }
            assert!(
                ended.signal() == Some(9) || ended.code() == Some(128 + 9),
                "{program:?}, call {call}: {ended:?}"
            );
            assert!(
                fs::read(&file).expect("there") == old,
                "{program:?}, rank {killed}, killed at call {call}"
            );
            let again = output(Command::new(&serial).args(["137", "60", "-", path(&file)]));
            assert_eq!(
                again, expected,
                "{program:?}, rank {killed}, killed at call {call}"
            );
        }
    }
}

/// The exit status says that the failures made on purpose left every rank as it was. The energies show each bit.
#[test]
fn a_step_that_fails_on_one_rank_leaves_all_ranks_as_they_were() {
    let folder = scratch("mpi_pairs");
    let binary = example("mpi_pairs", &folder);
    let serial = compile_with(
        &root().join("c_examples/mpi_pairs.c"),
        Library::Static,
        &folder,
        &["-DNO_MPI", FLAGS[0]],
    );
    for bodies in ["100", "2"] {
        let expected = output(Command::new(&serial).arg(bodies));
        assert_eq!(
            expected
                .lines()
                .filter(|l| l.ends_with("every rank is as it was before the step"))
                .count(),
            2
        );
        for ranks in RANKS {
            assert_eq!(
                output(&mut mpirun(ranks, &binary, &[bodies])),
                expected,
                "{bodies} bodies on {ranks} ranks"
            );
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
        let expected = program
            .output
            .as_deref()
            .expect("the page says what each prints");
        for library in [Library::Static, Library::Shared] {
            let binary = mpicc(&source, library, &folder);
            for ranks in RANKS {
                assert_eq!(
                    output(&mut mpirun(ranks, &binary, &[])),
                    expected,
                    "program {number} on {ranks} ranks"
                );
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
    for expected in [
        "\n  with migration by rows ",
        "\n  with migration, made anew ",
        "\n  on 2 ranks ",
    ] {
        assert!(text.contains(expected), "no `{expected}` in\n{text}");
    }
}

/// Bodies with random torques that change ranks every seventh step: BAOAB, and Brownian motion with coefficients of each body.
#[test]
fn random_motion_has_the_same_bits_on_any_number_of_ranks() {
    let folder = scratch("mpi_noise");
    let binary = mpicc(&root().join("tests/mpi/noise.c"), Library::Shared, &folder);
    for method in [&[][..], &["brownian"]] {
        let alone = output(&mut mpirun(1, &binary, method));
        assert!(alone.starts_with("70 draws, bits "), "{alone}");
        for ranks in [2, 4] {
            assert_eq!(
                output(&mut mpirun(ranks, &binary, method)),
                alone,
                "{method:?} on {ranks} ranks"
            );
        }
    }
}
