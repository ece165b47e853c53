//! The Fortran modules, with gfortran: it passes the Fortran tests and gives bitwise the results of the C programs, that for MPI
//! included. Also runs the programs of docs/fortran.md and examples/fortran. tests/house/bindings.rs compares its interfaces with the header.

use crate::common::docs::{programs, programs_of};
use crate::common::{Library, compile, link, quiet_success, root, scratch, success, valgrind};
use crate::fortran_arrays;
use crate::mpi::mpirun;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// gfortran in a folder of its own (for the .mod files), with every warning an error. Programs with torque procedures
/// need -Wno-unused-dummy-argument, because a torque procedure must have all arguments of the interface.
fn gfortran(folder: &Path) -> Command {
    let mut gfortran = Command::new("gfortran");
    gfortran.current_dir(folder).args([
        "-std=f2018",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-O2",
        "-ffp-contract=off",
    ]);
    gfortran
}

/// The folder of the module, compiled with these flags, once: it takes three times as long as a test.
fn module(flags: &[&str]) -> PathBuf {
    type Modules = HashMap<String, Arc<OnceLock<PathBuf>>>;
    static MODULES: LazyLock<Mutex<Modules>> = LazyLock::new(Mutex::default);
    let name = format!("fortran_module{}", flags.concat());
    let of_flags = Arc::clone(
        MODULES
            .lock()
            .expect("no panic")
            .entry(name.clone())
            .or_default(),
    );
    let compiled = of_flags.get_or_init(|| {
        let folder = scratch(&name);
        let source = root().join("bindings/fortran/quatint.f90");
        quiet_success(gfortran(&folder).args(flags).arg("-c").arg(source));
        folder
    });
    compiled.clone()
}

/// Compiles the sources and links them, with the module.
fn build(sources: &[PathBuf], library: Library, folder: &Path, flags: &[&str]) -> PathBuf {
    let name = sources
        .last()
        .expect("a source")
        .file_stem()
        .expect("a file")
        .to_string_lossy();
    let binary = folder.join(format!("{name}_{library:?}"));
    let module = module(flags);
    let mut command = gfortran(folder);
    command
        .arg("-Wno-unused-dummy-argument")
        .args(flags)
        .arg("-I")
        .arg(&module)
        .args(sources)
        .arg(module.join("quatint.o"))
        .arg("-o")
        .arg(&binary);
    let release = library.path().parent().expect("in a folder").to_owned();
    match library {
        Library::Static => command.arg(library.path()),
        Library::Shared => command
            .arg(format!("-Wl,-rpath,{}", release.display()))
            .arg("-L")
            .arg(release)
            .arg("-lquatint"),
    };
    quiet_success(command.args(["-lm", "-lpthread", "-ldl"]));
    binary
}

fn test_sources(name: &str) -> [PathBuf; 2] {
    ["check", name].map(|file| root().join(format!("tests/fortran/{file}.f90")))
}

const TESTS: [&str; 12] = [
    "test_body",
    "test_cases",
    "test_copies",
    "test_ensemble",
    "test_inertia",
    "test_attitude",
    "test_mass",
    "test_points",
    "test_population",
    "test_random",
    "test_rotation",
    "test_types",
];

/// The test programs with the static library and debug information, built once: two tests run them.
/// (The shared library has no symbol versions for a moment while another test builds it.)
fn optimized_tests() -> &'static [PathBuf] {
    static PROGRAMS: OnceLock<Vec<PathBuf>> = OnceLock::new();
    PROGRAMS.get_or_init(|| tests("fortran_O2", Library::Static, &["-g"]))
}

/// The test programs, built with a library and these flags.
fn tests(folder: &str, library: Library, flags: &[&str]) -> Vec<PathBuf> {
    let folder = scratch(folder);
    TESTS
        .iter()
        .map(|test| build(&test_sources(test), library, &folder, flags))
        .collect()
}

#[test]
fn the_fortran_tests_pass_with_the_static_and_the_shared_library_with_and_without_checks() {
    let vectors = tests("fortran_O3", Library::Shared, &["-O3", "-march=native"]);
    let checks = ["-O0", "-g", "-fcheck=all,no-array-temps"];
    let checked = tests("fortran_checked", Library::Static, &checks);
    for program in optimized_tests().iter().chain(&vectors).chain(&checked) {
        let text = String::from_utf8(success(&mut Command::new(program)).stdout).expect("text");
        assert!(
            text.lines().count() > 20 && text.lines().all(|line| line.starts_with("ok ")),
            "{program:?}: {text}"
        );
    }
}

/// All memory is freed: by finalizers, when a callback is replaced, and when a body is moved.
#[test]
fn valgrind_finds_no_error_and_no_leak_in_the_fortran_tests() {
    for program in optimized_tests() {
        quiet_success(&mut valgrind(&Command::new(program)));
    }
}

#[test]
fn the_fortran_tests_call_every_procedure_of_the_types() {
    let module = read("bindings/fortran/src/quatint_types.f90");
    let tests: String = TESTS
        .iter()
        .map(|t| read(&format!("tests/fortran/{t}.f90")))
        .collect();
    let mut procedures = 0;
    for line in module.lines() {
        let Some((_, rest)) = line
            .trim_start()
            .split_once(":: ")
            .filter(|(head, _)| *head == "procedure " || *head == "generic ")
        else {
            continue;
        };
        let name = rest.split(' ').next().expect("a name");
        procedures += 1;
        assert!(
            name.starts_with("assignment") || tests.contains(&format!("%{name}(")),
            "no Fortran test calls {name}"
        );
    }
    assert!(
        procedures > 90,
        "only {procedures} procedures were found in the module"
    );
}

/// gfortran 12 reads an expression one element off in `select rank`, binds the neighbours of a component, and takes an array
/// without elements for one of assumed size. A test with variables sees nothing of it.
#[test]
fn every_array_argument_takes_every_form_of_an_array_as_it_takes_a_variable_or_refuses_it() {
    let folder = scratch("fortran_arrays");
    let source = folder.join("arrays.f90");
    let program = fortran_arrays::program(&read("bindings/fortran/src/quatint_types.f90"))
        .unwrap_or_else(|missing| panic!("{missing}"));
    fs::write(&source, program).expect("writable");
    let flags = ["-O0", "-w", "-ffree-line-length-none"];
    let binary = build(&[source], Library::Shared, &folder, &flags);
    let text = String::from_utf8(success(&mut Command::new(binary)).stdout).expect("text");
    let forms = text.split(' ').next().and_then(|n| n.parse::<u32>().ok());
    assert!(
        forms.is_some_and(|n| n > 4000) && text.ends_with(" forms of arrays, 0 wrong\n"),
        "{text}"
    );
}

#[test]
fn an_error_without_stat_stops_the_program_with_its_text() {
    let binary = build(
        &test_sources("stops"),
        Library::Shared,
        &scratch("fortran_stops"),
        &[],
    );
    let copied = "quatint: a body cannot be copied by an assignment; use move_to";
    for (case, text) in [
        (
            "inertia",
            "qi_create_body: `inertia` is not positive definite: its principal moments are -1.0, 0.0, 0.0",
        ),
        (
            "callback",
            "qi_step: the torque callback returned 3 at time 0.0",
        ),
        (
            "event",
            "quatint: the event function returned 4 at time 0.0",
        ),
        (
            "tolerance",
            "qi_solve: `tolerance` is NaN, not a finite number",
        ),
        (
            "nan in a torque",
            "qi_step_ensemble: body 3: the torque is not finite at time 0.0",
        ),
        ("copy", copied),
        ("copy onto", copied),
        ("copy in an array", copied),
        ("copy in a component", copied),
        ("copy by a structure constructor", copied),
        ("copy by an array constructor", copied),
        ("copy of the result of a function", copied),
        ("copy of a copy", copied),
        (
            "copy of an array in a component",
            "qi_step: `body` is NULL (not created yet, destroyed, moved, or a copy, which owns nothing)",
        ),
        (
            "result of a function as a source",
            "qi_step: `body` is NULL (not created yet, destroyed, moved, or a copy, which owns nothing)",
        ),
        (
            "moved copy",
            "quatint: a copy of a body cannot be moved, because it owns nothing",
        ),
        (
            "copy of an ensemble",
            "quatint: an ensemble cannot be copied by an assignment; use move_to",
        ),
        (
            "moved",
            "qi_step: `body` is NULL (not created yet, destroyed, moved, or a copy, which owns nothing)",
        ),
        (
            "destroyed",
            "qi_step_ensemble: `ensemble` is NULL (not created yet, destroyed, moved, or a copy, which owns nothing)",
        ),
        (
            "never created",
            "quatint: there is no ensemble (not created yet, destroyed, moved, or a copy, which owns nothing)",
        ),
        (
            "unallocated",
            "quatint: `torque` is not allocated, or is a pointer without a target",
        ),
        (
            "unallocated, with a drift",
            "quatint: `torque` is not allocated, or is a pointer without a target",
        ),
        (
            "stat for data",
            "quatint: `data` is an integer: for the status write stat=...",
        ),
        (
            "matrix of another size",
            "quatint: `inertia` has the shape (3, 5); it must be (3, 3)",
        ),
        (
            "shape",
            "quatint: `orientations` has the shape (3, 5); it must be (4, 5)",
        ),
    ] {
        let output = Command::new(&binary).arg(case).output().expect("starts");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{case}: {err}");
        assert!(
            err.contains(&format!("ERROR STOP {text}")) && output.stdout.is_empty(),
            "{case}: {err}"
        );
    }
    let output = success(Command::new(&binary).arg("nothing of the kind"));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "it goes on\n");
}

/// Errors that the compiler must catch.
#[test]
fn the_compiler_refuses_what_cannot_work() {
    let folder = scratch("fortran_refused");
    quiet_success(
        gfortran(&folder)
            .arg("-c")
            .arg(root().join("bindings/fortran/quatint.f90")),
    );
    let unmatched =
        "Found no matching specific binding for the call to the GENERIC 'bind_orientations'";
    for (case, declarations, statement, complaint) in [
        (
            "no_target",
            "real(dp) :: q(4, 5)",
            "call e%bind_orientations(q)",
            unmatched,
        ),
        (
            "no_target_for_predictions",
            "real(dp) :: w(3, 5)",
            "call e%bind_predicted_velocities(w, 0.1_dp)",
            "Found no matching specific binding for the call to the GENERIC 'bind_predicted_velocities'",
        ),
        (
            "no_target_of_records",
            "type(record_t) :: p(5)",
            "call e%bind_orientations(p(1)%q, p(2)%q)",
            unmatched,
        ),
        (
            "no_target_of_sections",
            "real(dp) :: q(4, 9)",
            "call e%bind_orientations(q(:, ::2))",
            unmatched,
        ),
        (
            "expression",
            "real(dp), target :: q(4, 5)",
            "call e%bind_orientations(2*q)",
            unmatched,
        ),
        (
            "vector_subscript",
            "real(dp), target :: q(4, 9)",
            "call e%bind_orientations(q(:, [5, 4, 3, 2, 1]))",
            unmatched,
        ),
        (
            "vector_subscript_of_records",
            "type(record_t), target :: p(5)",
            "call e%bind_orientations(p(1)%q([1, 2, 3, 4]), p(2)%q([1, 2, 3, 4]))",
            unmatched,
        ),
        (
            "no_target_of_torques",
            "type(record_t) :: p(5)",
            "call e%kick(0.1_dp, p(1)%tau, p(2)%tau)",
            "Found no matching specific binding for the call to the GENERIC 'kick'",
        ),
        (
            "no_torque",
            "",
            "call e%kick(0.1_dp)",
            "Found no matching specific binding for the call to the GENERIC 'kick'",
        ),
        (
            "order_as_frame",
            "",
            "call e%set_torque(rows, frame=QI_SCALAR_LAST)",
            "Found no matching specific binding for the call to the GENERIC 'set_torque'",
        ),
        (
            "layout_as_frame",
            "real(dp) :: tau(5, 3)",
            "call e%kick(0.1_dp, tau, QI_LAYOUT_SOA)",
            "Found no matching specific binding for the call to the GENERIC 'kick'",
        ),
        (
            "order_as_layout",
            "real(dp), target :: q(4, 4)",
            "call e%bind_orientations(q, QI_SCALAR_LAST)",
            unmatched,
        ),
        (
            "crossing_as_method",
            "",
            "call b%set_method(QI_RISING)",
            "Type mismatch in argument 'method' at (1); passed TYPE(qi_crossing_t) to TYPE(qi_method_t)",
        ),
        (
            "method_of_solutions_as_method_of_steps",
            "",
            "call e%set_method(QI_SOLVE_STIFF)",
            "Type mismatch in argument 'method' at (1); passed TYPE(qi_solve_method_t) to TYPE(qi_method_t)",
        ),
        (
            "number_as_method",
            "",
            "call b%set_solve_method(1)",
            "Type mismatch in argument 'method' at (1); passed INTEGER(4) to TYPE(qi_solve_method_t)",
        ),
        (
            "method_as_crossing",
            "logical :: happened",
            "call b%solve_until(1d0, 1d-9, event, happened, QI_METHOD_CF4)",
            "Found no matching specific binding for the call to the GENERIC 'solve_until'",
        ),
        (
            "methods_of_two_kinds",
            "",
            "if (b%method() == QI_SOLVE_STIFF) stop",
            "Operands of comparison operator '==' at (1) are TYPE(qi_method_t)/TYPE(qi_solve_method_t)",
        ),
        (
            "what_a_body_keeps",
            "real(dp) :: tensor(3, 3)",
            "call b%set_inertia(tensor, QI_METHOD_PCDM)",
            "Type mismatch in argument 'keep' at (1); passed TYPE(qi_method_t) to TYPE(qi_keep_t)",
        ),
        (
            "torque_of_chunks_for_a_body",
            "type(chunk_t), target :: t",
            "call b%set_torque(t)",
            "Found no matching specific binding for the call to the GENERIC 'set_torque'",
        ),
        (
            "target",
            "real(dp), target :: q(4, 5)",
            "call e%bind_orientations(q)",
            "",
        ),
        ("function", "", "call e%set_torque(rows)", ""),
        (
            "wrong_layout",
            "",
            "call e%set_torque_soa(rows)",
            "Shape mismatch in dimension 1 of argument 'orientation'",
        ),
        (
            "single",
            "real, target :: q(4, 5)",
            "call e%bind_orientations(q)",
            unmatched,
        ),
    ] {
        let source = folder.join(format!("{case}.f90"));
        let program = format!(
            "module torques\nuse iso_fortran_env, only: dp => real64\nuse quatint\nimplicit none\n\
             type, extends(qi_chunk_torque_t) :: chunk_t\ncontains\nprocedure :: evaluate\nend type\ncontains\n\
             subroutine event(time, orientation, angular_velocity, value, data, stat)\n\
             real(dp), intent(in) :: time, orientation(4), angular_velocity(3)\nreal(dp), intent(out) :: value\n\
             class(*), intent(inout) :: data\ninteger, intent(inout) :: stat\nvalue = time\nend subroutine\n\
             subroutine evaluate(self, time, first, count, orientation, angular_velocity, torque, stat)\n\
             class(chunk_t), intent(inout) :: self\nreal(dp), intent(in) :: time\ninteger, intent(in) :: first, count\n\
             real(dp), intent(in) :: orientation(4, count), angular_velocity(3, count)\n\
             real(dp), intent(inout) :: torque(3, count)\ninteger, intent(inout) :: stat\nend subroutine\n\
             subroutine rows(time, first, count, orientation, angular_velocity, torque, data, stat)\n\
             real(dp), intent(in) :: time\ninteger, intent(in) :: first, count\n\
             real(dp), intent(in) :: orientation(4, count), angular_velocity(3, count)\n\
             real(dp), intent(inout) :: torque(3, count)\nclass(*), intent(inout) :: data\n\
             integer, intent(inout) :: stat\nend subroutine\nend module\n\
             program refused\nuse quatint\nuse torques\nimplicit none\ntype :: record_t\nreal(dp) :: q(4), tau(3)\nend type\n\
             type(qi_ensemble_t) :: e\ntype(qi_body_t) :: b\n{declarations}\n{statement}\nend program\n"
        );
        fs::write(&source, program).expect("writable");
        let output = Command::new("gfortran")
            .current_dir(&folder)
            .args(["-std=f2018", "-c"])
            .arg(&source)
            .output()
            .expect("starts");
        let err = String::from_utf8_lossy(&output.stderr).replace(['‘', '’'], "'");
        assert_eq!(
            output.status.success(),
            complaint.is_empty(),
            "{case}: {err}"
        );
        assert!(err.contains(complaint), "{case}: {err}");
    }
}

/// The whole output is compared. Its last lines are the 64 bits of each number of the final state.
#[test]
fn the_heavy_top_and_the_fibres_print_what_the_c_programs_print_bit_for_bit() {
    for (name, arguments) in [("heavy_top", &[][..]), ("fibres", &["2000"][..])] {
        let folder = scratch("fortran_examples");
        let in_c = compile(
            &root().join(format!("c_examples/{name}.c")),
            Library::Shared,
            &folder,
        );
        let expected = success(Command::new(in_c).args(arguments)).stdout;
        assert!(expected.split(|&c| c == b'\n').count() > 3);
        for library in [Library::Static, Library::Shared] {
            let in_fortran = build(
                &[root().join(format!("examples/fortran/{name}.f90"))],
                library,
                &folder.join(""),
                &[],
            );
            let output = success(Command::new(in_fortran).args(arguments)).stdout;
            let [output, expected] =
                [&output, &expected].map(|bytes| String::from_utf8_lossy(bytes));
            assert_eq!(output, expected, "{name}");
        }
    }
}

/// The program compares its turning points with elliptic functions. The picture has a dot for each of the 14, twice.
#[test]
fn the_nutation_of_a_top_is_followed_to_a_tolerance_and_drawn() {
    let folder = scratch("fortran_nutation");
    let nutation = build(
        &[root().join("examples/fortran/nutation.f90")],
        Library::Static,
        &folder,
        &[],
    );
    let text =
        String::from_utf8(success(Command::new(nutation).arg(&folder)).stdout).expect("text"); // fails if one is wrong
    assert!(
        text.contains("  14  11.695970  1.0000       11.695970  1.0000\n")
            && text.ends_with(" torque evaluations\n"),
        "{text}"
    );
    let [data, picture] = ["nutation.dat", "nutation.svg"]
        .map(|n| fs::read_to_string(folder.join(n)).expect("written"));
    assert!(data.lines().skip(1).all(|row| {
        row.split_whitespace()
            .filter_map(|n| n.parse::<f64>().ok())
            .count()
            == 5
    }));
    assert_eq!(data.lines().count(), 1202);
    assert_eq!(picture.matches("<circle r=\"3\"").count(), 28);
    assert!(
        picture.starts_with("<svg ") && picture.ends_with("</svg>\n") && !picture.contains('*'),
        "a number is too wide"
    );
}

#[test]
fn the_dem_loop_turns_its_rods_and_tells_what_a_step_costs() {
    let dem = build(
        &[root().join("examples/fortran/dem.f90")],
        Library::Shared,
        &scratch("fortran_dem"),
        &["-O3"],
    );
    let text = String::from_utf8(success(&mut Command::new(dem)).stdout).expect("text"); // fails if the rods are wrong
    assert!(
        text.contains("the long axes along the field, the least:  1.0000"),
        "{text}"
    );
    let cost: f64 = text
        .lines()
        .last()
        .and_then(|l| l.split(' ').next())
        .and_then(|n| n.parse().ok())
        .expect("a number");
    assert!(
        cost > 1.0 && text.ends_with(" ns per body and step\n"),
        "{text}"
    );
}

/// The program checks its energies itself.
#[test]
fn the_clumps_keep_their_energy_and_come_to_rest_with_dashpots() {
    let clumps = build(
        &[root().join("examples/fortran/clumps.f90")],
        Library::Shared,
        &scratch("fortran_clumps"),
        &[],
    );
    let text = String::from_utf8(success(Command::new(clumps).arg("1")).stdout).expect("text");
    assert_eq!(text.matches("           230495.8 J ").count(), 3, "{text}");
}

/// What the program prints after its first line, which alone tells the number of ranks, and the changes of rank.
fn results(run: &mut Command) -> (String, u64) {
    let text = String::from_utf8(success(run).stdout).expect("text");
    let (first, rest) = text.split_once('\n').expect("lines");
    let changes = first
        .rsplit(' ')
        .next()
        .and_then(|n| n.parse().ok())
        .unwrap_or_else(|| panic!("no number: {first}"));
    (rest.to_owned(), changes)
}

/// Every bit of every body is in the hash and in the file: a migration or a restart that loses the last torque, the rest of the
/// clock or the order of the records changes them.
#[test]
fn bodies_that_move_between_mpi_ranks_have_the_bits_of_the_c_program_on_one_rank_also_after_a_restart()
 {
    let folder = scratch("fortran_mpi");
    let [in_c, in_fortran] = ["in_c", "in_fortran"].map(|name| folder.join(name));
    let source = root().join("c_examples/mpi_bodies.c");
    let mut mpicc = Command::new("mpicc");
    mpicc
        .args(["-std=c99", "-O2", "-ffp-contract=off", "-I"])
        .arg(root().join("include"))
        .arg(source);
    success(link(mpicc.arg("-o").arg(&in_c), Library::Shared));
    let module = module(&[]);
    let mut mpifort = Command::new("mpifort");
    mpifort.current_dir(&folder).args([
        "-std=f2018",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-O2",
        "-ffp-contract=off",
    ]);
    mpifort
        .arg("-Wno-unused-dummy-argument")
        .arg("-I")
        .arg(&module)
        .arg(root().join("examples/fortran/mpi_bodies.f90"))
        .arg(module.join("quatint.o"));
    quiet_success(link(mpifort.arg("-o").arg(&in_fortran), Library::Shared));

    let file = |name: &str| folder.join(name).to_str().expect("text").to_owned();
    let [whole, half, other] = ["whole", "half", "other"].map(file);
    let (expected, _) = results(&mut mpirun(1, &in_c, &["300", "65", &whole]));
    let bits = fs::read(&whole).expect("written");
    assert_eq!(bits.len(), 64 + 300 * (192 + 16));
    for ranks in 1..=4 {
        let (text, changes) = results(&mut mpirun(ranks, &in_fortran, &["300", "65", &other]));
        assert_eq!(text, expected, "{ranks} ranks");
        assert_eq!(changes > 0, ranks > 1, "{ranks} ranks");
        assert!(fs::read(&other).expect("written") == bits, "{ranks} ranks");
    }
    for [(first, ranks), (second, others)] in [
        [(&in_fortran, 3), (&in_fortran, 2)],
        [(&in_c, 2), (&in_fortran, 4)],
        [(&in_fortran, 4), (&in_c, 3)],
    ] {
        success(&mut mpirun(ranks, first, &["300", "35", &half]));
        let (text, _) = results(&mut mpirun(others, second, &["300", "65", &other, &half]));
        assert_eq!(text, expected, "from {ranks} to {others} ranks");
        assert!(
            fs::read(&other).expect("written") == bits,
            "from {ranks} to {others} ranks"
        );
    }
    for bodies in ["0", "2"] {
        let (expected, _) = results(&mut mpirun(1, &in_c, &[bodies, "20"]));
        success(&mut mpirun(4, &in_fortran, &[bodies, "15", &half]));
        let (text, _) = results(&mut mpirun(4, &in_fortran, &[bodies, "20", "-", &half]));
        assert_eq!(text, expected, "{bodies} bodies");
    }
    let output = mpirun(2, &in_fortran, &["300", "65", "-", &half])
        .output()
        .expect("starts");
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code() == Some(1) && err.contains("has another number of bodies"),
        "{err}"
    );
}

/// Module procedures need no code on the stack. Passing an internal procedure does, which shows that this test can
/// detect it.
#[test]
fn no_program_asks_for_an_executable_stack() {
    let folder = scratch("fortran_stack");
    let flags_of = |option: &str, file: &Path, entry: &str| {
        let text = String::from_utf8(success(Command::new("readelf").arg(option).arg(file)).stdout)
            .expect("text");
        text.lines()
            .find(|line| line.contains(entry))
            .unwrap_or_else(|| panic!("no {entry} in {file:?}"))
            .to_owned()
    };
    for example in ["heavy_top", "fibres", "nutation", "dem", "clumps"] {
        let binary = build(
            &[root().join(format!("examples/fortran/{example}.f90"))],
            Library::Shared,
            &folder,
            &[],
        );
        assert!(
            flags_of("-lW", &binary, "GNU_STACK").contains(" RW "),
            "{example}"
        );
    }
    let module = module(&[]);
    let [check, internal] = test_sources("internal");
    quiet_success(
        gfortran(&folder)
            .args(["-Wno-unused-dummy-argument", "-I"])
            .arg(&module)
            .arg("-c")
            .args([check, internal]),
    );
    let section = ".note.GNU-stack";
    assert!(!flags_of("-SW", &module.join("quatint.o"), section).contains(" X "));
    assert!(!flags_of("-SW", &folder.join("check.o"), section).contains(" X "));
    assert!(flags_of("-SW", &folder.join("internal.o"), section).contains(" X "));
}

/// The module as a part of another CMake project. tests/outside/install.rs tests the installed module.
#[test]
fn cmake_builds_the_module_and_a_program_which_a_change_within_a_submodule_does_not_build_again() {
    let folder = scratch("fortran_cmake");
    let release = Library::Shared
        .path()
        .parent()
        .expect("in a folder")
        .to_owned();
    let copy = folder.join("fortran");
    let _ = fs::remove_dir_all(&copy);
    let mut cp = Command::new("cp");
    success(cp.arg("-r").arg(root().join("bindings/fortran")).arg(&copy));
    fs::write(
        folder.join("CMakeLists.txt"),
        format!(
            "cmake_minimum_required(VERSION 3.15)\nproject(dem LANGUAGES Fortran)\n\
             add_library(quatint::shared SHARED IMPORTED GLOBAL)\n\
             set_target_properties(quatint::shared PROPERTIES IMPORTED_LOCATION \"{}/libquatint.so\")\n\
             add_subdirectory(fortran quatint_fortran)\n\
             add_executable(dem \"{}\")\ntarget_link_libraries(dem PRIVATE quatint::fortran)\n",
            release.display(),
            root().join("examples/fortran/dem.f90").display(),
        ),
    )
    .expect("writable");
    let build = folder.join("build");
    success(
        Command::new("cmake")
            .args(["-G", "Unix Makefiles", "-S"])
            .arg(&folder)
            .arg("-B")
            .arg(&build),
    );
    success(Command::new("cmake").arg("--build").arg(&build));
    let text = success(Command::new(build.join("dem")).arg("3")).stdout;
    assert!(String::from_utf8_lossy(&text).contains("ns per body and step"));

    std::thread::sleep(std::time::Duration::from_millis(1100)); // for clocks of files that count seconds
    let part = copy.join("src/quatint_mass.f90");
    let changed = fs::read_to_string(&part)
        .expect("there")
        .replace("      mass = 0\n", "      mass = -1\n");
    fs::write(&part, changed).expect("writable");
    let said = success(Command::new("cmake").arg("--build").arg(&build)).stdout;
    let said = String::from_utf8_lossy(&said);
    assert!(
        said.contains("src/quatint_mass.f90.o") && said.matches("Building").count() == 1,
        "{said}"
    );
}

/// Builds a program outside the repository, from an installed prefix and with the command lines of the page.
#[test]
fn a_program_is_built_from_the_installed_prefix_by_pkg_config_and_by_cmake() {
    Library::Shared.path();
    let folder = scratch("fortran_installed");
    let prefix = folder.join("prefix");
    let mut make = Command::new("make");
    make.args(["install", &format!("PREFIX={}", prefix.display())])
        .current_dir(root());
    success(make.env_remove("MAKEFLAGS").env_remove("DESTDIR"));
    let dem = root().join("examples/fortran/dem.f90");

    let page = read("docs/fortran.md");
    for line in page.lines().filter(|line| line.starts_with("gfortran -O2")) {
        let line = line.replace("wing_nut.f90", &dem.to_string_lossy());
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &line])
            .current_dir(&folder)
            .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
        quiet_success(&mut shell);
    }
    let run = success(
        Command::new(folder.join("a.out"))
            .arg("3")
            .env("LD_LIBRARY_PATH", prefix.join("lib")),
    );
    assert!(String::from_utf8_lossy(&run.stdout).contains("ns per body and step"));

    let (_, fragment) = page.split_once("```cmake\n").expect("CMake on the page");
    let (fragment, _) = fragment.split_once("```").expect("its end");
    let (package, link) = fragment.split_at(fragment.find("target_link_libraries").expect("links"));
    let project = format!(
        "cmake_minimum_required(VERSION 3.15)\nproject(dem LANGUAGES Fortran)\n{package}add_executable(my_code \"{}\")\n{link}",
        dem.display()
    );
    fs::write(folder.join("CMakeLists.txt"), project).expect("writable");
    let build = folder.join("build");
    let mut cmake = Command::new("cmake");
    cmake
        .args(["-G", "Unix Makefiles", "-S"])
        .arg(&folder)
        .arg("-B")
        .arg(&build);
    success(cmake.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())));
    success(Command::new("cmake").arg("--build").arg(&build));
    let run = success(Command::new(build.join("my_code")).arg("3"));
    assert!(String::from_utf8_lossy(&run.stdout).contains("ns per body and step"));
}

/// The line of the page, in a project whose path has a space, with the library in a prefix that is not the system's.
#[test]
fn fpm_builds_and_runs_a_program_with_the_installed_library_by_the_line_of_the_page() {
    Library::Shared.path();
    let folder = scratch("fortran_fpm");
    let (prefix, project) = (folder.join("prefix"), folder.join("my project"));
    let _ = fs::remove_dir_all(&project);
    fs::create_dir_all(project.join("app")).expect("writable");
    let mut make = Command::new("make");
    make.args(["install", &format!("PREFIX={}", prefix.display())])
        .current_dir(root());
    success(make.env_remove("MAKEFLAGS").env_remove("DESTDIR"));
    let page = read("docs/fortran.md");
    let dependency = page
        .split('`')
        .find(|code| code.starts_with("quatint = {"))
        .expect("the dependency on the page");
    let line = page
        .lines()
        .find(|line| line.contains("fpm run"))
        .expect("the line on the page");
    fs::write(
        project.join("fpm.toml"),
        format!("name = \"nut\"\n\n[dependencies]\n{dependency}\n"),
    )
    .expect("writable");
    let program = &programs("docs/fortran.md", &["fortran"])[0];
    fs::write(project.join("app/main.f90"), &program.code).expect("writable");

    success(&mut Command::new(root().join("tests/setup_fpm.sh")));
    let path = format!(
        "{}:{}",
        root().join("target/fpm/bin").display(),
        std::env::var("PATH").expect("a PATH")
    );
    let mut shell = Command::new("sh");
    shell
        .args(["-c", line])
        .current_dir(&project)
        .env("PATH", path);
    shell.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
    shell
        .env_remove("LD_LIBRARY_PATH")
        .env_remove("LIBRARY_PATH"); // as for a user: cargo sets the first
    let text = String::from_utf8(success(&mut shell).stdout).expect("text");
    assert!(
        text.ends_with(program.output.as_deref().expect("an output")),
        "{text}"
    );
}

#[test]
fn the_fpm_manifest_has_the_version_of_the_library_and_names_files_that_are_there() {
    let manifest = read("bindings/fortran/fpm.toml");
    let version = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(
        manifest.contains(&version) && manifest.contains("link = [\"quatint\"]"),
        "{manifest}"
    );
    let mut files = 0;
    for file in manifest
        .lines()
        .filter_map(|line| line.strip_prefix("main = \""))
    {
        files += 1;
        assert!(
            root()
                .join("examples/fortran")
                .join(file.trim_end_matches('"'))
                .is_file(),
            "{file}"
        );
    }
    assert_eq!(files, 5);
}

#[test]
fn the_programs_of_the_fortran_page_print_what_it_says() {
    let programs = programs_of("fortran", &["fortran"]);
    assert!(
        programs.len() >= 19,
        "only {} programs on the pages",
        programs.len()
    );
    for (n, program) in programs.iter().enumerate() {
        let folder = scratch(&format!("fortran_docs_{n}"));
        let source = folder.join("program.f90");
        fs::write(&source, &program.code).expect("writable");
        let binary = build(&[source], Library::Shared, &folder, &["-fopenmp"]);
        let run = Command::new(binary).output().expect("starts");
        // A program that demonstrates an error ends with `error stop`. Only that line is compared, as runtimes add
        // different text.
        let err = String::from_utf8_lossy(&run.stderr);
        let mut shown = String::from_utf8_lossy(&run.stdout).into_owned();
        shown.extend(
            err.lines()
                .filter(|line| line.starts_with("ERROR STOP"))
                .map(|line| format!("{line}\n")),
        );
        assert_eq!(run.status.success(), !shown.contains("ERROR STOP"), "{err}");
        assert_eq!(
            Some(&*shown),
            program.output.as_deref(),
            "program {n} of the page:\n{}",
            program.code
        );
    }
}
