//! `quatint.hpp`: builds and runs the C++ tests, the examples and the programs of docs/cpp.md with g++ and clang++.

use crate::common::docs::programs_of;
use crate::common::{
    Library, all_ok, compile, header_functions, link, quiet_success, root, scratch, sources,
    success, valgrind,
};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Both are required: a test fails if one is missing.
const COMPILERS: [&str; 2] = ["g++", "clang++"];

/// The command of a compiler that treats every warning as an error.
fn strict(compiler: &str, standard: &str) -> Command {
    let mut command = Command::new(compiler);
    command
        .arg(format!("-std=c++{standard}"))
        .arg("-I")
        .arg(root().join("include"));
    command.args(["-isystem", "/usr/include/eigen3"]);
    command.args([
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Wconversion",
        "-Wshadow",
        "-Werror",
    ]);
    command
}

/// A precompiled header, for `-include`: Eigen alone takes a second.
fn precompiled(compiler: &str, standard: &str, folder: &Path, text: &str) -> PathBuf {
    fs::create_dir_all(folder).expect("writable");
    let header = folder.join("top.hpp");
    fs::write(&header, text).expect("writable");
    let kind = if compiler == "g++" { "gch" } else { "pch" };
    quiet_success(
        strict(compiler, standard)
            .args(["-x", "c++-header"])
            .arg(&header)
            .arg("-o")
            .arg(header.with_extension(format!("hpp.{kind}"))),
    );
    header
}

/// Compiles one source file to an object file, as C++17 if `flags` name no other standard.
fn object(compiler: &str, source: &Path, folder: &Path, flags: &[&str]) -> PathBuf {
    let object = folder.join(format!(
        "{}_{compiler}.o",
        source.file_stem().expect("a file").to_string_lossy()
    ));
    quiet_success(
        strict(compiler, "17")
            .args(flags)
            .arg("-c")
            .arg(source)
            .arg("-o")
            .arg(&object),
    );
    object
}

/// Links a program with a library, using these flags.
fn linked(compiler: &str, objects: &[&Path], library: Library, flags: &[&str]) -> PathBuf {
    let binary = objects[0].with_extension(format!("{library:?}"));
    success(link(
        Command::new(compiler)
            .args(flags)
            .args(objects)
            .arg("-o")
            .arg(&binary),
        library,
    ));
    binary
}

/// One compiler optimizes. What clang optimizes takes three times as long to compile.
fn optimization(compiler: &str) -> &'static str {
    if compiler == "g++" { "-O1" } else { "-O0" }
}

/// Compiles a program of one source file and links it with each library.
fn with_both_libraries(compiler: &str, source: &Path, folder: &Path) -> [PathBuf; 2] {
    let object = object(compiler, source, folder, &[optimization(compiler)]);
    [Library::Static, Library::Shared].map(|library| linked(compiler, &[&object], library, &[]))
}

/// Builds every test program with a compiler and these libraries. Each is linked with the shared second translation
/// unit.
fn test_programs(
    compiler: &str,
    libraries: &[Library],
    folder: &str,
    flags: &[&str],
) -> Vec<PathBuf> {
    let (folder, second) = (scratch(folder), root().join("tests/cpp/second_unit.cpp"));
    let tests: Vec<_> = sources("tests/cpp", "cpp")
        .into_iter()
        .filter(|path| *path != second)
        .collect();
    assert!(tests.len() >= 6);
    let second = object(compiler, &second, &folder, flags);
    let objects = tests
        .iter()
        .map(|test| object(compiler, test, &folder, flags));
    objects
        .flat_map(|test| {
            libraries
                .iter()
                .map(|library| linked(compiler, &[&test, &second], *library, flags))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// The test programs of a compiler with each library, built once: two tests run those of g++.
fn tests_of(compiler: &str) -> &'static [PathBuf] {
    static PROGRAMS: [OnceLock<Vec<PathBuf>>; 2] = [const { OnceLock::new() }; 2];
    let is_clang = compiler == COMPILERS[1];
    // Each compiler by a standard of its own, the sanitizers by a third; valgrind runs those of g++.
    let [standard, debug] = if is_clang {
        ["-std=c++20", "-g0"]
    } else {
        ["-std=c++17", "-g1"]
    };
    let flags = [standard, debug, optimization(compiler)];
    PROGRAMS[usize::from(is_clang)]
        .get_or_init(|| test_programs(compiler, &[Library::Static, Library::Shared], "cpp", &flags))
}

#[test]
fn the_cpp_tests_pass_with_both_compilers_and_both_libraries() {
    for program in COMPILERS.into_iter().flat_map(tests_of) {
        all_ok(program);
    }
}

#[test]
fn valgrind_finds_no_error_and_no_leak_in_the_cpp_tests() {
    for program in tests_of("g++")
        .iter()
        .filter(|program| program.extension().is_some_and(|kind| kind == "Static"))
    {
        // this test counts calls of its own operator new, which valgrind replaces
        if program
            .file_stem()
            .is_some_and(|name| name == "test_allocation_g++")
        {
            continue;
        }
        quiet_success(&mut valgrind(&Command::new(program)));
    }
}

/// Without optimization, which takes half the time to compile and hides nothing, and by a later standard. (The sanitizers
/// of gcc find the same and take twice as long.)
#[test]
fn the_sanitizers_of_clang_find_nothing_in_the_cpp_tests() {
    let flags = [
        "-std=c++2b",
        "-O0",
        "-g",
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all",
    ];
    for program in test_programs("clang++", &[Library::Shared], "cpp_sanitized", &flags) {
        all_ok(&program);
    }
}

#[test]
fn the_header_and_the_examples_compile_without_a_warning_as_cpp_17_20_and_23() {
    let folder = scratch("cpp_standards");
    let alone = folder.join("alone.cpp");
    let code = "int main() { return quatint::Body(quatint::diagonal(1, 1, 1)).time() != 0; }\n";
    fs::write(&alone, format!("#include <quatint.hpp>\n{code}")).expect("writable");
    for compiler in COMPILERS {
        for standard in ["17", "20", "2b"] {
            quiet_success(strict(compiler, standard).arg("-fsyntax-only").arg(&alone));
        }
        // the other tests compile the other sources: our tests by each standard, with one of the compilers
        for standard in ["20", "2b"] {
            let folder = folder.join(format!("{compiler}_{standard}"));
            let header = precompiled(compiler, standard, &folder, "#include <quatint.hpp>\n");
            for source in sources("examples/cpp", "cpp") {
                quiet_success(
                    strict(compiler, standard)
                        .args(["-fsyntax-only", "-include"])
                        .args([&header, &source]),
                );
            }
        }
    }
}

#[test]
fn a_callable_that_is_no_torque_is_refused_by_the_compiler_in_words() {
    let folder = scratch("cpp_refused");
    let headers = COMPILERS.map(|compiler| {
        let top = "#include <Eigen/Geometry>\n#include <quatint.hpp>\nusing namespace quatint;\n";
        precompiled(compiler, "17", &folder.join(compiler), top)
    });
    for (name, call, words) in [
        (
            "body",
            "Body(diagonal(1, 1, 1)).set_torque([](double) { return Vector{}; });",
            "a torque on a body is callable as",
        ),
        (
            "each",
            "Ensemble(1).set_torque([](double) { return Vector{}; });",
            "a torque on each body of an ensemble is",
        ),
        (
            "chunk",
            "Ensemble(1).set_chunk_torque([](double) {});",
            "a torque on a chunk of bodies is callable as",
        ),
        (
            "stage",
            "Ensemble(1).step_with(0.1, [](double) {});",
            "the torque of step_with() and advance_with() is callable as",
        ),
        (
            "result",
            "Body(diagonal(1, 1, 1)).set_torque([](double, const double *, const double *, double *) { return true; });",
            "returns nothing, or std::int32_t: 0 when all is well",
        ),
        (
            "two",
            "Body(diagonal(1, 1, 1)).set_torque([](double, auto, auto) { return std::array<double, 2>{}; });",
            "a torque has three components",
        ),
        (
            "four", // the orientation, returned by mistake
            "Ensemble(1).set_torque([](double, std::size_t, const Quaternion &q, const Vector &) { return q; });",
            "a torque has three components",
        ),
        (
            "nothing", // a return statement forgotten
            "Body(diagonal(1, 1, 1)).set_torque([](double, const Quaternion &, const Vector &) {});",
            "this torque returns nothing: it must return a quatint::Vector",
        ),
        (
            "nothing_each",
            "Ensemble(1).set_torque([](double, std::size_t, const Quaternion &, const Vector &) {});",
            "this torque returns nothing: it must return a quatint::Vector",
        ),
        (
            "number",
            "Body(diagonal(1, 1, 1)).set_torque([](double, const Quaternion &, const Vector &w) { return -w[0]; });",
            "this torque returns a type that is no vector",
        ),
        (
            "quaternion",
            "Ensemble(1).set_torque([](double, std::size_t, auto, auto) { return Eigen::Quaterniond(); });",
            "this torque returns a type that is no vector",
        ),
        (
            "expression", // of objects that are gone
            "Body(diagonal(1, 1, 1)).set_torque([](double, const Quaternion &, const Vector &w) { \
             return -2 * Eigen::Vector3d(w.data()); });",
            "this torque returns an Eigen expression",
        ),
        (
            "expression_each",
            "Ensemble(1).set_torque([](double, std::size_t, const Quaternion &, const Vector &w) { \
             return Eigen::Map<const Eigen::Vector3d>(w.data()); });",
            "this torque returns an Eigen expression",
        ),
        (
            "eigen_body",
            "const Eigen::MatrixXd inertia = Eigen::MatrixXd::Identity(3, 3); Body body(inertia);",
            "an inertia of a size that the compiler knows: Eigen::Matrix3d",
        ),
        (
            "moments",
            "Body body(Vector{1, 2, 3});",
            "diagonal(I1, I2, I3) is that of three moments",
        ),
        (
            "monitor",
            "Body(diagonal(1, 1, 1)).solve(1, 1e-9, [](double t, const Quaternion &, const Vector &) { return t > 5; });",
            "it ends the solution by an exception, not by what it returns",
        ),
        (
            "eigen_moments",
            "Body body(Eigen::Vector3d(1, 2, 3));",
            "diagonal(I1, I2, I3) is that of three moments",
        ),
        (
            "eigen_getter", // the order of four numbers is not said
            "const auto q = Body(diagonal(1, 1, 1)).orientation<Eigen::Vector4d>();",
            "a Quaternion becomes an Eigen::Quaterniond",
        ),
        (
            "event",
            "Body(diagonal(1, 1, 1)).solve_until(1, 1e-9, [](double t) { return t; });",
            "an event is callable as double(double time",
        ),
        (
            "inertia", // Eigen's matrix is no Matrix
            "Body(diagonal(1, 1, 1)).set_inertia_function([](double) { return Eigen::Matrix3d(); });",
            "an inertia function is callable as Matrix(double time)",
        ),
        (
            "crossing", // a condition has no sign to change
            "Body(diagonal(1, 1, 1)).solve_until(1, 1e-9, [](double t, auto, auto) { return t > 1; });",
            "an event is callable as double(double time",
        ),
    ] {
        let source = folder.join(format!("{name}.cpp"));
        fs::write(&source, format!("int main() {{ {call} }}\n")).expect("writable");
        for (compiler, header) in COMPILERS.iter().zip(&headers) {
            let output = strict(compiler, "17")
                .args(["-fsyntax-only", "-include"])
                .args([header, &source])
                .output()
                .expect("starts");
            let text = String::from_utf8_lossy(&output.stderr);
            assert!(
                !output.status.success() && text.contains(words),
                "{compiler}, {name}: {text}"
            );
            if ["nothing", "number", "expression"]
                .iter()
                .any(|begin| name.starts_with(begin))
            {
                assert_eq!(
                    text.matches("error: ").count(),
                    1,
                    "{compiler}, {name}: {text}"
                ); // and nothing else
            }
        }
    }
}

/// Each line has one mistake, and the compiler shows the deleted overload with these words. Without warnings: not every program
/// has -Wconversion.
#[test]
fn a_count_a_seed_an_id_or_a_view_that_is_none_is_refused_by_the_compiler() {
    let calls = [
        ("body.advance(0.1, 0.5);", "steps are a whole number"),
        (
            "body.advance(0.1, 0.5, completed);",
            "steps are a whole number",
        ),
        ("body.record(0.1, 1e3);", "steps are a whole number"),
        ("body.record(0.1, 1000, 0.5);", "steps are a whole number"),
        (
            "body.record(0.1, 1e3, 10, rows);",
            "steps are a whole number",
        ),
        (
            "body.set_langevin({1, 1, 1}, 42, 1.5, 7);",
            "seed and id are whole numbers",
        ), // kT and seed swapped
        (
            "body.set_langevin({1, 1, 1}, 1.5, 42, 7.0f, {0, 0, 1});",
            "seed and id are whole numbers",
        ),
        ("body.set_noise_draws(1e3);", "draws are a whole number"),
        (
            "body.set_solve_most_evaluations(1e6);",
            "evaluations are a whole number",
        ),
        (
            "integrate(diagonal(1, 1, 1), q, w, 0, 0.1, 1e3);",
            "steps are a whole number",
        ),
        (
            "integrate(diagonal(1, 1, 1), q, w, 0, 0.1, 1e3, torque);",
            "steps are a whole number",
        ),
        ("Ensemble many(1e6);", "the count is a whole number"),
        ("e.resize(0.5);", "the count is a whole number"),
        ("e.advance(0.1, 0.5);", "steps are a whole number"),
        (
            "e.advance_with(0.1, 1e3, torque);",
            "steps are a whole number",
        ),
        ("e.begin_steps(0.1, 1e3);", "steps are a whole number"),
        (
            "e.set_langevin(Vector{1, 1, 1}, 42, 1.5);",
            "the seed is a whole number",
        ),
        (
            "e.set_langevin(Vector{1, 1, 1}, 42, 1.5, w);",
            "the seed is a whole number",
        ),
        ("e.set_noise_draws(1e3);", "draws are a whole number"),
        ("e.set_threads(2.0);", "threads are a whole number"),
        ("soa(w.data(), 1.0);", "the count is a whole number"),
        ("e.set_constant_torque({0, 0, 1});", "write Vector{0, 0, 1}"), // a null pointer and its strides
        (
            "e.set_angular_velocities({nullptr, 3});",
            "write Vector{0, 0, 1}",
        ),
        ("e.get_angular_momenta({0, 3, 1});", "numbers are no view"),
    ];
    let lines: Vec<_> = calls.map(|(call, _)| call).into();
    let source = scratch("cpp_counts").join("counts.cpp");
    let setting = "Body body(diagonal(1, 1, 1)); Ensemble e(1); Quaternion q{1, 0, 0, 0}; Vector w{}; std::uint64_t completed; \
                   std::vector<Record> rows; auto torque = [](double, const double *, const double *, double *) {};";
    fs::write(
        &source,
        format!(
            "#include <quatint.hpp>\nusing namespace quatint; int main() {{ {setting}\n{}\n}}\n",
            lines.join("\n")
        ),
    )
    .expect("writable");
    for compiler in COMPILERS {
        let mut command = Command::new(compiler);
        command
            .args(["-std=c++17", "-w", "-fsyntax-only", "-I"])
            .arg(root().join("include"))
            .arg(&source);
        let output = command
            .args((compiler == "clang++").then_some("-ferror-limit=0"))
            .output()
            .expect("starts");
        let text = String::from_utf8_lossy(&output.stderr);
        let mut errors: Vec<String> = Vec::new(); // each with the notes below it
        for line in text.lines() {
            if line.contains("counts.cpp:") && line.contains(" error: ") {
                errors.push(String::new());
            }
            errors
                .last_mut()
                .into_iter()
                .for_each(|about| *about += line);
        }
        for (i, (call, words)) in calls.iter().enumerate() {
            let here = format!("counts.cpp:{}:", i + 3);
            let about = errors.iter().find(|about| about.contains(&here));
            assert!(
                about.is_some_and(|about| about.contains("deleted") && about.contains(words)),
                "{compiler}, {call}: {text}"
            );
        }
        assert_eq!(errors.len(), calls.len(), "{compiler}: {text}");
    }
}

#[test]
fn a_getter_whose_value_is_dropped_is_a_warning() {
    let calls = [
        "body.orientation();",
        "body.method();",
        "body.row();",
        "e.total_kinetic_energy();",
        "e.angular_velocities();",
        "e.count();",
        "diagonal(1, 1, 1);",
        "rotate({1, 0, 0, 0}, {1, 0, 0});",
    ];
    let source = scratch("cpp_dropped").join("dropped.cpp");
    let setting = "Body body(diagonal(1, 1, 1)); Ensemble e(1);";
    fs::write(
        &source,
        format!(
            "#include <quatint.hpp>\nusing namespace quatint; int main() {{ {setting}\n{}\n}}\n",
            calls.join("\n")
        ),
    )
    .expect("writable");
    for compiler in COMPILERS {
        let mut command = Command::new(compiler);
        let output = command
            .args(["-std=c++17", "-fsyntax-only", "-I"])
            .arg(root().join("include"))
            .arg(&source)
            .output()
            .expect("starts");
        let text = String::from_utf8_lossy(&output.stderr);
        for (i, call) in calls.iter().enumerate() {
            let place = format!("dropped.cpp:{}:", i + 3);
            let warns = |line: &str| line.contains(&place) && line.contains("warning: ");
            assert!(text.lines().any(warns), "{compiler}, {call}: {text}");
        }
    }
}

#[test]
fn a_compiler_of_cpp_14_is_told_in_one_line_which_standard_the_header_needs() {
    let source = scratch("cpp_14").join("alone.cpp");
    fs::write(&source, "#include <quatint.hpp>\nint main() {}\n").expect("writable");
    for (compiler, standard) in [
        ("g++", "14"),
        ("g++", "98"),
        ("clang++", "14"),
        ("clang++", "11"),
    ] {
        let output = strict(compiler, standard)
            .arg("-fsyntax-only")
            .arg(&source)
            .output()
            .expect("starts");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && text.contains("needs C++17: compile with -std=c++17"),
            "{compiler}: {text}"
        );
        assert_eq!(text.matches("error: ").count(), 1, "{compiler}: {text}");
    }
}

/// The C++ header as it is installed: with its parts in it.
fn header_in_one() -> String {
    let mut script = Command::new(root().join("cmake/one_header.sh"));
    script.arg(root().join("include"));
    let header = String::from_utf8(success(&mut script).stdout).expect("text");
    assert!(!header.contains("#include \"quatint/"), "a part is missing");
    header
}

#[test]
fn the_cpp_header_calls_every_function_of_the_c_header() {
    let header = header_in_one();
    for name in header_functions() {
        assert!(
            header.contains(&format!("{name}(")),
            "quatint.hpp does not call {name}"
        );
    }
}

/// The public functions of an ensemble that take a view: members stand four columns from the margin.
fn functions_that_take_a_view() -> Vec<String> {
    let header = fs::read_to_string(root().join("include/quatint/ensemble.hpp")).expect("readable");
    let (public, _) = header.split_once("\nprivate:").expect("a private part");
    let mut names = Vec::new();
    for (place, _) in public.match_indices("\n    ") {
        let member = &public[place + 5..];
        let Some((name, rest)) = member
            .split_once('(')
            .filter(|_| !member.starts_with([' ', '/', '{', '}']))
        else {
            continue;
        };
        let parameters = rest.split(')').next().expect("a part");
        let mut words = parameters.split(|c: char| !c.is_alphanumeric());
        if words.any(|word| word == "View" || word == "ConstView") {
            names.push(name.split(' ').next_back().expect("a part").to_owned());
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

#[test]
fn each_cpp_function_that_takes_an_array_is_tried_with_every_form() {
    let names = functions_that_take_a_view();
    assert!(names.len() >= 30, "{names:?}");
    for name in names {
        assert!(
            include_str!("../cpp/test_forms.cpp").contains(&format!("(\"{name}\", ")),
            "tests/cpp/test_forms.cpp does not try {name}()"
        );
    }
}

#[test]
fn the_statuses_of_cpp_are_those_of_the_c_header() {
    let c = fs::read_to_string(root().join("include/quatint.h")).expect("readable");
    let cpp = header_in_one();
    let names: Vec<_> = c
        .lines()
        .filter_map(|line| line.strip_prefix("#define QI_ERR_")?.split(' ').next())
        .collect();
    assert!(names.len() >= 13);
    for name in names {
        let row = format!("    {} = QI_ERR_{name}", name.to_lowercase());
        assert!(cpp.contains(&row), "quatint.hpp has no{row}");
    }
}

#[test]
fn the_heavy_top_and_the_fibres_print_the_bits_of_the_c_programs() {
    let folder = scratch("cpp_examples");
    for (name, arguments) in [("heavy_top", &[][..]), ("fibres", &["2000"][..])] {
        let c = compile(
            &root().join(format!("c_examples/{name}.c")),
            Library::Shared,
            &folder,
        );
        let expected = success(Command::new(c).args(arguments)).stdout;
        assert!(expected.split(|byte| *byte == b'\n').count() > 3);
        for compiler in COMPILERS {
            for binary in with_both_libraries(
                compiler,
                &root().join(format!("examples/cpp/{name}.cpp")),
                &folder,
            ) {
                let printed = success(Command::new(binary).args(arguments)).stdout;
                assert_eq!(
                    String::from_utf8_lossy(&printed),
                    String::from_utf8_lossy(&expected),
                    "{name}, {compiler}"
                );
            }
        }
    }
}

/// Its exit status says whether angular momentum is conserved and the attitude held.
#[test]
fn the_satellite_prints_what_it_printed_and_draws() {
    let folder = scratch("cpp_satellite");
    let picture = folder.join("satellite.svg");
    for compiler in COMPILERS {
        for binary in with_both_libraries(
            compiler,
            &root().join("examples/cpp/satellite.cpp"),
            &folder,
        ) {
            let printed = success(Command::new(binary).arg(&picture)).stdout;
            assert_eq!(
                String::from_utf8_lossy(&printed),
                include_str!("../satellite.txt"),
                "{compiler}"
            );
            let drawn = std::fs::read_to_string(&picture).expect("drawn");
            assert!(
                drawn.ends_with("</svg>\n") && drawn.matches("<polyline").count() == 4,
                "{compiler}: {drawn}"
            );
        }
    }
}

#[test]
fn quaternions_of_eigen_are_bound_in_place() {
    let folder = scratch("cpp_eigen");
    for compiler in COMPILERS {
        for binary in with_both_libraries(compiler, &root().join("examples/cpp/eigen.cpp"), &folder)
        {
            let text = String::from_utf8(success(&mut Command::new(binary)).stdout).expect("text");
            assert!(
                text.contains("t = 40.0   mean of the long axes along the field: +1.0000"),
                "{text}"
            );
        }
    }
}

#[test]
fn the_programs_of_the_cpp_page_compile_as_printed_and_print_what_the_page_says() {
    let folder = scratch("cpp_page");
    let programs = programs_of("cpp", &["cpp"]);
    assert!(programs.len() >= 17, "only {} programs", programs.len());
    for (i, program) in programs.iter().enumerate() {
        let source = folder.join(format!("program_{i}.cpp"));
        fs::write(&source, &program.code).expect("writable");
        for compiler in COMPILERS {
            for binary in with_both_libraries(compiler, &source, &folder) {
                let run = success(&mut Command::new(&binary));
                let printed = String::from_utf8_lossy(&run.stdout);
                assert_eq!(
                    Some(&*printed),
                    program.output.as_deref(),
                    "{}",
                    binary.display()
                );
            }
        }
    }
}

#[test]
fn the_program_in_the_comment_of_the_header_compiles_and_runs() {
    let header = fs::read_to_string(root().join("include/quatint.hpp")).expect("readable");
    let lines = header
        .lines()
        .skip_while(|line| !line.contains("A program:"))
        .skip(2);
    let body: Vec<_> = lines
        .map_while(|line| line.strip_prefix(" *     "))
        .collect();
    assert!(body.len() > 5, "{body:?}");
    let source = scratch("cpp_comment").join("comment.cpp");
    let energy = "return top.kinetic_energy() > 0 ? 0 : 1;";
    fs::write(
        &source,
        format!(
            "#include <quatint.hpp>\nint main()\n{{\n{}\n{energy}\n}}\n",
            body.join("\n")
        ),
    )
    .expect("writable");
    for compiler in COMPILERS {
        for binary in with_both_libraries(compiler, &source, &scratch("cpp_comment")) {
            success(&mut Command::new(binary));
        }
    }
}
