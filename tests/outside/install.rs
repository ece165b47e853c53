//! Installation: where `make install` puts each file, and projects outside the repository that find the library there
//! with plain `cc`, pkg-config, CMake and Meson, or that build it themselves. Their program is
//! `c_examples/heavy_top.c`, which calls libm; none of them names libm.

use crate::common::docs::{programs, programs_of};
use crate::common::{Library, abi_version, root, scratch, success};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The output of c_examples/heavy_top.c, which is the same for every build.
const HEAVY_TOP: &str = include_str!("../heavy_top.txt");

/// The installed files, each with its mode or its link target. VERSION stands for the version of the crate, ABI for
/// that in the SONAME.
const FILES: [(&str, &str); 31] = [
    ("include/quatint.h", "644"),
    ("include/quatint.hpp", "644"),
    ("lib/cmake/quatint/quatint-config-version.cmake", "644"),
    ("lib/cmake/quatint/quatint-config.cmake", "644"),
    ("lib/cmake/quatint/quatint-targets.cmake", "644"),
    ("lib/libquatint.a", "644"),
    ("lib/libquatint.so", "libquatint.so.VERSION"),
    ("lib/libquatint.so.ABI", "libquatint.so.VERSION"),
    ("lib/libquatint.so.VERSION", "755"),
    ("lib/pkgconfig/quatint.pc", "644"),
    ("share/licenses/quatint/LICENSE-APACHE", "644"),
    ("share/licenses/quatint/LICENSE-MIT", "644"),
    ("share/licenses/quatint/THIRD-PARTY.md", "644"),
    ("share/quatint/fortran/CMakeLists.txt", "644"),
    ("share/quatint/fortran/fpm.toml", "644"),
    ("share/quatint/fortran/quatint.f90", "644"),
    ("share/quatint/fortran/src/quatint.f90", "644"),
    ("share/quatint/fortran/src/quatint_arrays.f90", "644"),
    ("share/quatint/fortran/src/quatint_attitude.f90", "644"),
    ("share/quatint/fortran/src/quatint_body.f90", "644"),
    ("share/quatint/fortran/src/quatint_c.f90", "644"),
    ("share/quatint/fortran/src/quatint_callbacks.f90", "644"),
    ("share/quatint/fortran/src/quatint_ensemble.f90", "644"),
    ("share/quatint/fortran/src/quatint_loop.f90", "644"),
    ("share/quatint/fortran/src/quatint_mass.f90", "644"),
    ("share/quatint/fortran/src/quatint_parts.f90", "644"),
    ("share/quatint/fortran/src/quatint_plain.f90", "644"),
    ("share/quatint/fortran/src/quatint_solve.f90", "644"),
    ("share/quatint/fortran/src/quatint_support.f90", "644"),
    ("share/quatint/fortran/src/quatint_torques.f90", "644"),
    ("share/quatint/fortran/src/quatint_types.f90", "644"),
];

/// An empty scratch folder.
fn empty(name: &str) -> PathBuf {
    let folder = scratch("install").join(name);
    let _ = fs::remove_dir_all(&folder); // ignore the error if the folder does not exist
    fs::create_dir_all(&folder).expect("target/tmp is writable");
    folder
}

/// Runs `make` in the repository after building the release libraries.
fn make(target: &str, variables: &[(&str, &Path)]) -> String {
    Library::Shared.path();
    let mut make = Command::new("make");
    make.arg(target)
        .current_dir(root())
        .env_remove("MAKEFLAGS")
        .env_remove("DESTDIR");
    make.args(
        variables
            .iter()
            .map(|(name, folder)| format!("{name}={}", folder.display())),
    );
    let output = success(&mut make);
    String::from_utf8([output.stdout, output.stderr].concat()).expect("text")
}

/// All files below a folder, each with its mode or its link target. Left out: the list of folders for `make uninstall`.
fn files_below(folder: &Path) -> Vec<(String, String)> {
    let (mut files, mut folders) = (vec![], vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(next)
            .expect("a folder")
            .map(|entry| entry.expect("readable").path())
        {
            let metadata = fs::symlink_metadata(&path).expect("there");
            if metadata.is_dir() {
                folders.push(path);
                continue;
            }
            let what = match fs::read_link(&path) {
                Ok(target) => target.display().to_string(),
                Err(_) => format!("{:o}", metadata.permissions().mode() & 0o777),
            };
            files.push((
                path.strip_prefix(folder)
                    .expect("below")
                    .display()
                    .to_string(),
                what,
            ));
        }
    }
    files.retain(|(path, _)| path != "share/quatint/made-folders");
    files.sort();
    files
}

fn expected_files() -> Vec<(String, String)> {
    let fill_in = |text: &str| {
        text.replace("VERSION", env!("CARGO_PKG_VERSION"))
            .replace("ABI", &abi_version())
    };
    let mut files: Vec<_> = FILES
        .iter()
        .map(|(path, what)| (fill_in(path), fill_in(what)))
        .collect();
    files.sort();
    files
}

/// Copies a project of tests/install, with its program, to a folder outside the source tree.
fn outside(project: &str, folder: &Path) -> PathBuf {
    let copy = folder.join(project);
    fs::create_dir_all(&copy).expect("writable");
    for entry in fs::read_dir(root().join("tests/install").join(project))
        .expect("a project of tests/install")
    {
        let entry = entry.expect("readable");
        fs::copy(entry.path(), copy.join(entry.file_name())).expect("writable");
    }
    fs::copy(
        root().join("c_examples/heavy_top.c"),
        copy.join("heavy_top.c"),
    )
    .expect("writable");
    copy
}

/// Whether a program was linked with the shared library, read from its dynamic section.
fn needs_the_shared_library(program: &Path) -> bool {
    let output = success(Command::new("readelf").arg("-d").arg(program));
    String::from_utf8_lossy(&output.stdout).contains("libquatint.so")
}

/// Checks that the program prints the expected bits and is linked with the expected library.
fn check(program: &Path, library: Library) {
    check_with(program, library, None);
}

/// The same, with the folder that the loader is told to search.
fn check_with(program: &Path, library: Library, searched: Option<&Path>) {
    let mut run = Command::new(program);
    let output = success(match searched {
        None => run.env_remove("LD_LIBRARY_PATH"),
        Some(lib) => run.env("LD_LIBRARY_PATH", lib),
    });
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        HEAVY_TOP,
        "{}",
        program.display()
    );
    assert_eq!(
        needs_the_shared_library(program),
        library == Library::Shared,
        "{}",
        program.display()
    );
}

/// Runs a command line with the shell in a folder. pkg-config finds the installed library.
fn shell(line: &str, folder: &Path, lib: &Path) -> String {
    let mut sh = Command::new("sh");
    sh.args(["-ec", line])
        .current_dir(folder)
        .env("PKG_CONFIG_PATH", lib.join("pkgconfig"))
        .env("LIB", lib);
    String::from_utf8(success(&mut sh).stdout).expect("text")
}

/// Configures and builds a project with CMake. Returns the output of both.
fn cmake(project: &Path, build: &Path, settings: &[String]) -> String {
    let mut configure = Command::new("cmake");
    let configured = success(
        configure
            .arg("-S")
            .arg(project)
            .arg("-B")
            .arg(build)
            .args(["-G", "Ninja"])
            .args(settings),
    );
    let built = success(
        Command::new("cmake")
            .arg("--build")
            .arg(build)
            .arg("--verbose"),
    );
    String::from_utf8([configured.stdout, built.stdout].concat()).expect("text")
}

/// The table of docs/install.md on linking: each way with its code, as printed.
fn link_table() -> Vec<(String, Vec<String>)> {
    let page = fs::read_to_string(root().join("docs/install.md")).expect("the page");
    let section = page
        .split("\n## Linking\n")
        .nth(1)
        .expect("the section on linking");
    let rows = section.lines().filter_map(|row| {
        row.strip_prefix("| ")?
            .strip_suffix(" |")?
            .split_once(" | ")
    });
    let code = |cell: &str| {
        cell.split('`')
            .skip(1)
            .step_by(2)
            .map(|code| code.replace("\\|", "|"))
            .collect()
    };
    let rows: Vec<_> = rows
        .map(|(way, cell)| (way.replace('`', ""), code(cell)))
        .collect();
    assert_eq!(rows.len(), 8, "{rows:?}");
    rows
}

/// The commands of that table that compile `dem.c`.
fn documented_commands() -> Vec<(String, Library)> {
    let commands: Vec<_> = link_table()
        .into_iter()
        .filter_map(|(way, code)| {
            let library = if way.contains("static") {
                Library::Static
            } else {
                Library::Shared
            };
            code.into_iter()
                .find(|line| line.starts_with("cc dem.c "))
                .map(|line| (line, library))
        })
        .collect();
    assert_eq!(commands.len(), 4, "{commands:?}");
    commands
}

/// Runs the command lines of the pages, as printed, in a folder with the program under the name that they give it.
fn run_as_printed(line: &str, folder: &Path, prefix: &Path) {
    let lib = prefix.join("lib");
    shell(
        &format!("PREFIX={}; {line}", prefix.display()),
        folder,
        &lib,
    );
}

/// Builds the program against a prefix with every supported build system, and runs it.
fn use_from_everywhere(prefix: &Path, name: &str) {
    let (folder, lib) = (empty(name), prefix.join("lib"));
    fs::copy(root().join("c_examples/heavy_top.c"), folder.join("dem.c")).expect("writable");
    let mut commands = documented_commands();
    commands.push((
        "cc -static dem.c $(pkg-config --cflags --libs --static quatint)".into(),
        Library::Static,
    ));
    for (command, library) in commands {
        run_as_printed(&command, &folder, prefix);
        check_with(&folder.join("a.out"), library, Some(&lib)); // as the page says of a prefix that the loader does not search
    }

    let build = folder.join("cmake");
    cmake(
        &outside("find_package", &folder),
        &build,
        &[format!("-DCMAKE_PREFIX_PATH={}", prefix.display())],
    );
    check(&build.join("heavy_top_shared"), Library::Shared);
    check(&build.join("heavy_top_static"), Library::Static);
    check(&build.join("heavy_top_quatint"), Library::Shared);

    let project = outside("meson", &folder);
    shell("meson setup build && ninja -C build", &project, &lib);
    check(&project.join("build/heavy_top_static"), Library::Static);
    check(&project.join("build/heavy_top_shared"), Library::Shared);
}

#[test]
fn make_install_puts_each_file_in_its_place_without_building_anew_and_uninstall_takes_all_away() {
    let prefix = empty("places");
    fs::create_dir_all(prefix.join("lib/pkgconfig")).expect("writable"); // empty, but not made by the installation
    let said = make("install", &[("PREFIX", &prefix)]);
    assert!(!said.contains("Compiling"), "{said}");
    assert_eq!(files_below(&prefix), expected_files());
    make("install", &[("PREFIX", &prefix)]); // the second finds all folders made, and must not forget which were

    let other = prefix.join("share/somebody_elses");
    fs::write(&other, "").expect("writable");
    make("uninstall", &[("PREFIX", &prefix)]);
    make("uninstall", &[("PREFIX", &prefix)]); // with nothing to remove it succeeds too
    assert_eq!(
        files_below(&prefix),
        [("share/somebody_elses".into(), "644".into())]
    );
    assert_eq!(folders_below(&prefix), ["lib", "lib/pkgconfig", "share"]);
}

fn folders_below(folder: &Path) -> Vec<String> {
    let output = success(
        Command::new("find")
            .args([".", "-mindepth", "1", "-type", "d"])
            .current_dir(folder),
    );
    let text = String::from_utf8(output.stdout).expect("text");
    let mut folders: Vec<_> = text
        .lines()
        .map(|line| line.trim_start_matches("./").to_owned())
        .collect();
    folders.sort();
    folders
}

/// Neither the prefix nor the folder above it existed, and the prefix has moved since.
#[test]
fn uninstall_takes_every_folder_away_that_install_made_also_where_the_prefix_has_moved() {
    let folder = empty("all_away");
    let [here, there] = ["new/here", "there"].map(|name| folder.join(name));
    make("install", &[("PREFIX", &here)]);
    fs::rename(&here, &there).expect("moves");
    make("uninstall", &[("PREFIX", &there)]);
    assert_eq!(folders_below(&folder), Vec::<String>::new());
}

/// Only one of the libraries: programs link with it in every way, the Fortran module too.
#[test]
fn a_prefix_with_one_library_alone_serves_cc_pkg_config_cmake_meson_and_fortran() {
    for (libraries, library, absent) in [
        ("static", Library::Static, ".so"),
        ("shared", Library::Shared, ".a"),
    ] {
        let folder = empty(&format!("only_{libraries}"));
        let (prefix, lib) = (folder.join("prefix"), folder.join("prefix/lib"));
        make(
            "install",
            &[("PREFIX", &prefix), ("LIBRARIES", Path::new(libraries))],
        );
        let mut expected = expected_files();
        expected.retain(|(file, _)| !file.contains(&format!("lib/libquatint{absent}")));
        assert_eq!(files_below(&prefix), expected);

        fs::copy(
            root().join("c_examples/heavy_top.c"),
            folder.join("heavy_top.c"),
        )
        .expect("writable");
        let line = "cc heavy_top.c $(pkg-config --cflags --libs quatint) -Wl,-rpath,$LIB";
        shell(line, &folder, &lib);
        check(&folder.join("a.out"), library);
        let offered = shell("pkg-config --libs-only-l quatint", &folder, &lib);
        assert_eq!(
            offered.contains("-ldl"),
            library == Library::Static,
            "{offered}"
        ); // glibc may not need it any more

        let build = folder.join("cmake");
        let found = format!("-DCMAKE_PREFIX_PATH={}", prefix.display());
        cmake(
            &outside("find_package", &folder),
            &build,
            std::slice::from_ref(&found),
        );
        check(&build.join("heavy_top_quatint"), library);

        let fortran = folder.join("fortran");
        fs::create_dir_all(&fortran).expect("writable");
        fs::write(
            fortran.join("CMakeLists.txt"),
            "cmake_minimum_required(VERSION 3.15)\nproject(outside Fortran)\nfind_package(quatint CONFIG REQUIRED)\n\
             get_filename_component(folder \"${quatint_FORTRAN_SOURCE}\" DIRECTORY)\n\
             add_subdirectory(\"${folder}\" quatint_fortran)\nadd_executable(program program.f90)\n\
             target_link_libraries(program PRIVATE quatint::fortran)\n",
        )
        .expect("writable");
        fs::write(
            fortran.join("program.f90"),
            "program main\n use quatint\n if (qi_version_number() == 0) error stop\nend program\n",
        )
        .expect("writable");
        cmake(&fortran, &fortran.join("build"), &[found]);
        let program = fortran.join("build/program");
        success(&mut Command::new(&program));
        assert_eq!(
            needs_the_shared_library(&program),
            library == Library::Shared
        );
    }
    let output = Command::new("make")
        .args(["install", "LIBRARIES=all"])
        .current_dir(root())
        .output()
        .expect("starts");
    assert!(String::from_utf8_lossy(&output.stderr).contains("must be both, static or shared"));
}

/// Cargo then puts the libraries into another folder. `make` used to leave an empty file in the place of each. The crate that is
/// built here is not quatint but one of a line, because quatint takes minutes.
#[test]
fn make_and_cmake_find_the_libraries_also_where_the_target_of_cargo_is_set() {
    let rustc = success(Command::new("rustc").arg("-vV"));
    let rustc = String::from_utf8(rustc.stdout).expect("text");
    let host = rustc
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .expect("a target");
    let folder = empty("cargo_target");
    let cargo = folder.join("cargo");
    fs::create_dir_all(folder.join("src")).expect("writable");
    for (file, text) in [
        (
            "Cargo.toml",
            "[package]\nname = \"quatint-capi\"\n[lib]\nname = \"quatint\"\ncrate-type = [\"cdylib\", \"staticlib\"]\n[workspace]\n".into(),
        ),
        ("src/lib.rs", "#[unsafe(no_mangle)] pub extern \"C\" fn qi_one() -> i32 { 1 }\n".into()),
        (
            "cargo",
            format!("#!/bin/sh\nexec {} \"$@\" --manifest-path {}/Cargo.toml\n", env!("CARGO"), folder.display()),
        ),
    ] {
        fs::write(folder.join(file), text).expect("writable");
    }
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).expect("ours");
    success(Command::new(&cargo).args(["generate-lockfile", "--offline"]));

    let target = folder.join("target");
    let with_target = |command: &mut Command| {
        success(
            command
                .env("CARGO_BUILD_TARGET", host)
                .env_remove("MAKEFLAGS")
                .current_dir(root()),
        );
    };
    let check = || {
        for library in ["libquatint.so", "libquatint.a"] {
            let library = target.join("release").join(library);
            let output = success(
                Command::new("nm")
                    .args(["--defined-only", "--extern-only"])
                    .arg(&library),
            );
            assert!(
                String::from_utf8_lossy(&output.stdout).contains(" T qi_one"),
                "{}",
                library.display()
            );
            fs::remove_file(library).expect("there");
        }
    };
    let [cargo, target_dir] = [&cargo, &target].map(|path| path.display().to_string());
    with_target(
        Command::new("make")
            .arg(format!("TARGET_DIR={target_dir}"))
            .arg(format!("CARGO={cargo}")),
    );
    check();
    let build = folder.join("cmake");
    let settings = [
        format!("-DQUATINT_CARGO_TARGET_DIR={target_dir}"),
        format!("-DQUATINT_CARGO={cargo}"),
    ];
    with_target(
        Command::new("cmake")
            .arg("-S")
            .arg(root())
            .arg("-B")
            .arg(&build)
            .args(settings),
    );
    with_target(Command::new("cmake").arg("--build").arg(&build));
    check();
}

/// Without cargo's product there is no library and no success.
#[test]
fn a_build_that_makes_no_library_fails_and_leaves_none() {
    let folder = empty("no_library");
    let mut make = Command::new("make");
    make.arg(format!("TARGET_DIR={}", folder.display()))
        .arg("CARGO=true")
        .env_remove("MAKEFLAGS");
    let output = make.current_dir(root()).output().expect("make starts");
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && words.contains("cargo has not built libquatint.so"),
        "{words}"
    );
    assert!(!folder.join("release/libquatint.so").exists());
}

#[test]
fn destdir_stages_what_belongs_under_the_prefix_and_is_named_in_no_file() {
    let stage = empty("stage").join("not_yet/there");
    let variables = [("DESTDIR", &*stage), ("PREFIX", Path::new("/usr"))];
    make("install", &variables);
    assert_eq!(files_below(&stage.join("usr")), expected_files());
    assert_eq!(fs::read_dir(&stage).expect("there").count(), 1);
    for (file, _) in expected_files()
        .iter()
        .filter(|(file, _)| file.ends_with(".pc") || file.ends_with(".cmake"))
    {
        let text = fs::read_to_string(stage.join("usr").join(file)).expect("text");
        assert!(
            !text.contains(&*stage.to_string_lossy()) && !text.contains('@'),
            "{file}:\n{text}"
        );
    }
    make("uninstall", &variables);
    assert_eq!(files_below(&stage), []);
}

#[test]
fn projects_outside_find_the_library_with_cc_pkg_config_cmake_and_meson_also_after_the_prefix_has_moved()
 {
    let folder = empty("move");
    let [here, there] = ["here", "far/away"].map(|name| folder.join(name));
    make("install", &[("PREFIX", &here)]);
    use_from_everywhere(&here, "used_here");

    fs::create_dir(folder.join("far")).expect("writable");
    fs::rename(&here, &there).expect("moves");
    use_from_everywhere(&there, "used_there");
}

/// The projects of the table in docs/install.md, as printed, for every program of the pages for C: half of them call libm.
#[test]
fn every_way_to_link_of_the_pages_links_every_program_of_the_pages_as_printed() {
    let folder = empty("as_printed");
    let prefix = folder.join("prefix");
    make("install", &[("PREFIX", &prefix)]);
    std::os::unix::fs::symlink(root(), folder.join("quatint")).expect("writable"); // as add_subdirectory() wants it

    let mut names = vec![];
    let of_subjects = [
        "docs/methods.md",
        "docs/measurements.md",
        "docs/questions.md",
        "docs/kicks.md",
    ]
    .map(|page| programs(page, &["c"]));
    for (suffix, programs) in [
        (".c", programs_of("c", &["c"])),
        (".c", of_subjects.into_iter().flatten().collect()),
        (".cpp", programs_of("cpp", &["cpp"])),
    ] {
        for program in programs {
            let first = program.code.trim_start_matches(['/', '*', ' ']);
            let name = first
                .split_once(':')
                .expect("a program begins with its name")
                .0
                .to_owned();
            assert!(name.ends_with(suffix), "{name}");
            fs::write(folder.join(&name), &program.code).expect("writable");
            names.push(name);
        }
    }
    let c: Vec<_> = names.iter().filter(|name| name.ends_with(".c")).collect();
    assert!(c.len() >= 22, "{c:?}");

    // the compiler's own command lines
    let mut lines: Vec<_> = documented_commands()
        .into_iter()
        .map(|(line, _)| line)
        .collect();
    for page in ["docs/c.md", "docs/cpp.md", "examples/cpp/satellite.cpp"] {
        let text = fs::read_to_string(root().join(page)).expect("readable");
        let lines_of = text
            .lines()
            .filter(|line| line.contains("pkg-config --cflags") && !line.starts_with("| "));
        lines.extend(lines_of.filter_map(|line| {
            let start = ["c++ -std", "cc wing_nut.c "]
                .into_iter()
                .find_map(|words| line.find(words))?;
            Some(line[start..].split('`').next().expect("a part").to_owned())
        }));
    }
    assert_eq!(lines.len(), 7, "{lines:#?}");
    for line in &lines {
        let (compiler, rest) = line.split_once(' ').expect("words");
        let printed = rest
            .split(' ')
            .find(|word| word.ends_with(".c") || word.ends_with(".cpp"))
            .expect("a source file");
        for name in names
            .iter()
            .filter(|name| name.ends_with(".cpp") == (compiler == "c++"))
        {
            // one program of the page is for OpenMP, one of them for Eigen
            let line = format!(
                "{} -fopenmp -isystem /usr/include/eigen3 -o program",
                line.replace(printed, name)
            );
            run_as_printed(&line, &folder, &prefix);
        }
    }

    // CMake and Meson: a program for each name, linked as the table says
    let code = |way: &str, nth: usize| {
        let table = link_table();
        let (_, code) = table
            .iter()
            .find(|(name, _)| name == way)
            .unwrap_or_else(|| panic!("no {way} in the table"));
        code[nth].clone()
    };
    let targets = |link: &str| {
        let target = |name: &&String| {
            let link = link.replace("(dem ", &format!("({} ", name.trim_end_matches(".c")));
            format!(
                "add_executable({} {name})\n{link}\n",
                name.trim_end_matches(".c")
            )
        };
        c.iter().map(target).collect::<String>()
    };
    let project = "cmake_minimum_required(VERSION 3.15)\nproject(dem C)\nadd_compile_options(-fopenmp)\nadd_link_options(-fopenmp)\n";
    let found = format!("-DCMAKE_PREFIX_PATH={}", prefix.display());
    let here = format!(
        "-DQUATINT_CARGO_TARGET_DIR={}",
        root().join("target").display()
    ); // reuses the existing build
    for (way, begin, link, setting) in [
        ("find", code("CMake", 0), code("CMake", 1), &found),
        ("static", code("CMake", 0), code("CMake, static", 0), &found),
        (
            "source",
            code("CMake, from source", 0),
            code("CMake", 1),
            &here,
        ),
    ] {
        fs::write(
            folder.join("CMakeLists.txt"),
            format!("{project}{begin}\n{}", targets(&link)),
        )
        .expect("writable");
        cmake(
            &folder,
            &folder.join(format!("build_{way}")),
            std::slice::from_ref(setting),
        );
    }
    let mut meson =
        "project('dem', 'c')\nadd_project_arguments('-fopenmp', language: 'c')\n".to_owned();
    for (number, dependency) in [code("Meson", 0), code("Meson", 1)].iter().enumerate() {
        for name in &c {
            meson += &format!(
                "executable('{}_{number}', '{name}', dependencies: {dependency}, link_args: '-fopenmp')\n",
                name.trim_end_matches(".c")
            );
        }
    }
    fs::write(folder.join("meson.build"), meson).expect("writable");
    shell(
        "meson setup build_meson && ninja -C build_meson",
        &folder,
        &prefix.join("lib"),
    );
}

/// As in a distribution: libraries in an architecture-specific folder. Also: headers outside the prefix, which must be
/// found by an absolute path.
#[test]
fn other_folders_for_libraries_and_headers_are_found_too() {
    let folder = empty("folders");
    let [prefix, include] = ["usr", "headers"].map(|name| folder.join(name));
    let lib = prefix.join("lib/x86_64-linux-gnu");
    make(
        "install",
        &[
            ("PREFIX", &prefix),
            ("LIBDIR", &lib),
            ("INCLUDEDIR", &include),
        ],
    );

    let project = outside("find_package", &folder);
    shell(
        "cc heavy_top.c $(pkg-config --cflags --libs quatint) -Wl,-rpath,$LIB",
        &project,
        &lib,
    );
    check(&project.join("a.out"), Library::Shared);
    let build = folder.join("cmake");
    let said = cmake(
        &project,
        &build,
        &[format!(
            "-Dquatint_DIR={}",
            lib.join("cmake/quatint").display()
        )],
    );
    check(&build.join("heavy_top_static"), Library::Static);
    for shown in [include, prefix.join("share/quatint/fortran/quatint.f90")] {
        assert!(
            said.contains(&*shown.to_string_lossy()) && shown.exists(),
            "{said}"
        );
    }
}

#[test]
fn cmake_is_given_the_static_library_where_it_asks_for_no_shared_ones() {
    let prefix = empty("not_shared");
    make("install", &[("PREFIX", &prefix)]);
    let (project, build) = (outside("find_package", &prefix), prefix.join("cmake"));
    cmake(
        &project,
        &build,
        &[
            format!("-DCMAKE_PREFIX_PATH={}", prefix.display()),
            "-DBUILD_SHARED_LIBS=OFF".into(),
        ],
    );
    check(&build.join("heavy_top_quatint"), Library::Static);
}

#[test]
fn a_version_that_is_not_there_is_refused_by_cmake_and_by_pkg_config_with_the_one_that_is() {
    let prefix = empty("versions");
    make("install", &[("PREFIX", &prefix)]);
    let project = outside("find_package", &prefix);
    let [major, minor, patch] = [
        env!("CARGO_PKG_VERSION_MAJOR"),
        env!("CARGO_PKG_VERSION_MINOR"),
        env!("CARGO_PKG_VERSION_PATCH"),
    ]
    .map(|n| n.parse::<u32>().expect("a number"));

    let next = |major: u32, minor: u32, patch: u32| format!("{major}.{minor}.{patch}");
    let (mut good, mut bad) = (
        vec![
            env!("CARGO_PKG_VERSION").to_owned(),
            format!("{major}.{minor}"),
        ],
        vec!["99".to_owned()],
    );
    bad.extend([
        next(major, minor, patch + 1),
        next(major, minor + 1, 0),
        next(major + 1, 0, 0),
    ]);
    if minor > 0 {
        // semantic versioning: a minor version may be incompatible before 1.0, but not after
        if major == 0 { &mut bad } else { &mut good }.push(next(major, minor - 1, 0));
    }
    for (version, accepted) in good
        .iter()
        .map(|v| (v, true))
        .chain(bad.iter().map(|v| (v, false)))
    {
        let mut configure = Command::new("cmake");
        configure
            .arg("-S")
            .arg(&project)
            .arg("-B")
            .arg(prefix.join(format!("cmake_{version}")));
        configure
            .arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display()))
            .arg(format!("-DWANTED_VERSION={version}"));
        let output = configure.output().expect("cmake starts");
        let words = String::from_utf8_lossy(&output.stderr)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        assert_eq!(output.status.success(), accepted, "{version}: {words}");
        if !accepted {
            assert!(
                words.contains(&format!("compatible with requested version \"{version}\"")),
                "{words}"
            );
            assert!(
                words.contains(&format!(
                    "quatint-config.cmake, version: {}",
                    env!("CARGO_PKG_VERSION")
                )),
                "{words}"
            );
        }
    }
    let output = Command::new("pkg-config")
        .args(["--print-errors", "quatint >= 99"])
        .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"))
        .output()
        .expect("pkg-config starts");
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success()
            && words.contains(env!("CARGO_PKG_VERSION"))
            && words.contains("99"),
        "{words}"
    );
}

#[test]
fn a_project_that_takes_the_repository_in_builds_the_library_with_cargo_once() {
    Library::Shared.path();
    let folder = empty("taken_in");
    let settings = [
        format!("-DQUATINT_SOURCE={}", root().display()),
        format!(
            "-DQUATINT_CARGO_TARGET_DIR={}",
            root().join("target").display()
        ), // reuses the existing build
    ];
    for (project, libraries) in [
        (
            "subdirectory",
            &[
                ("shared", Library::Shared),
                ("static", Library::Static),
                ("quatint", Library::Shared),
            ][..],
        ),
        ("fetch_content", &[("quatint", Library::Shared)]),
    ] {
        let (source, build) = (
            outside(project, &folder),
            folder.join(format!("build_{project}")),
        );
        cmake(&source, &build, &settings);
        for (kind, library) in libraries {
            check(&build.join(format!("heavy_top_{kind}")), *library);
        }
        let again = cmake(&source, &build, &settings);
        assert!(!again.contains("cargo build"), "{again}");

        let mut query = Command::new("ninja");
        query
            .arg("-C")
            .arg(&build)
            .args(["-t", "query"])
            .arg(Library::Static.path()); // the files it depends on
        let inputs = String::from_utf8(success(&mut query).stdout).expect("text");
        for source in [
            "Cargo.toml",
            "Cargo.lock",
            "build.rs",
            "src/lib.rs",
            "src/kernel/exp.rs",
        ] {
            assert!(
                inputs.contains(&*root().join(source).to_string_lossy()),
                "no {source} in\n{inputs}"
            );
        }
    }
}

#[test]
fn cmake_installs_what_make_installs() {
    let folder = empty("cmake_install");
    Library::Shared.path();
    let (build, prefix) = (folder.join("build"), folder.join("prefix"));
    cmake(
        root(),
        &build,
        &[format!(
            "-DQUATINT_CARGO_TARGET_DIR={}",
            root().join("target").display()
        )],
    );
    success(
        Command::new("cmake")
            .arg("--install")
            .arg(&build)
            .arg("--prefix")
            .arg(&prefix)
            .env_remove("MAKEFLAGS"),
    );
    assert_eq!(files_below(&prefix), expected_files());
}

/// Linking would not show a missing library, because current glibc contains all of them; so the lists are compared.
/// Left out: libgcc_s, which the compiler adds itself and which does not exist for `cc -static`; libc; libutil and
/// librt, from which Rust needs nothing with glibc 2.17, the oldest supported, or later.
#[test]
fn the_static_library_asks_for_what_rustc_says_it_needs() {
    let folder = empty("native");
    make("install", &[("PREFIX", &folder)]);
    fs::write(folder.join("empty.rs"), "").expect("writable");
    let mut rustc = Command::new("rustc");
    rustc
        .args([
            "--crate-type=staticlib",
            "--print=native-static-libs",
            "empty.rs",
        ])
        .current_dir(&folder);
    let said = String::from_utf8(success(&mut rustc).stderr).expect("text");
    let needed = said
        .lines()
        .find_map(|line| line.split_once("native-static-libs: "))
        .expect("a list")
        .1;
    let mut needed: Vec<_> = needed.split_whitespace().collect();
    needed.retain(|library| !["-lgcc_s", "-lc", "-lutil", "-lrt"].contains(library));
    needed.push("-lquatint");
    needed.sort_unstable();
    needed.dedup();

    let lib = folder.join("lib");
    let offered = shell("pkg-config --static --libs-only-l quatint", &folder, &lib);
    let mut offered: Vec<_> = offered.split_whitespace().collect();
    offered.sort_unstable();
    assert_eq!(offered, needed);

    let targets =
        fs::read_to_string(lib.join("cmake/quatint/quatint-targets.cmake")).expect("installed");
    assert!(targets.contains("set(_quatint_needs pthread m ${CMAKE_DL_LIBS})"));
}

/// Checks that the installed files are complete. Other tests cover what they do.
#[test]
fn the_installed_cpp_header_and_fortran_module_compile() {
    let prefix = empty("languages");
    make("install", &[("PREFIX", &prefix)]);
    let lib = prefix.join("lib");
    fs::write(
        prefix.join("main.cpp"),
        "#include <quatint.hpp>\nint main() { return qi_version_number() == 0; }\n",
    )
    .expect("writable");
    for compiler in ["g++", "clang++"] {
        let line = format!(
            "{compiler} -std=c++17 main.cpp $(pkg-config --cflags --libs quatint) -Wl,-rpath,$LIB && ./a.out"
        );
        shell(&line, &prefix, &lib);
    }
    shell(
        "gfortran -c $(pkg-config --variable=fortrandir quatint)/quatint.f90 && test -f quatint.mod",
        &prefix,
        &lib,
    );
}

/// With stand-ins for the words of Spack and BinaryBuilder. `make test-recipes` has the
/// recipes whose tools can be had.
#[test]
fn the_recipes_for_spack_and_yggdrasil_install_the_libraries_that_are_asked_for() {
    Library::Shared.path();
    for (script, last) in [
        ("packaging/test_spack.py", "for each choice of libraries\n"),
        (
            "packaging/test_yggdrasil.sh",
            "and the package loads its library\n",
        ),
    ] {
        let mut command = Command::new(if script.ends_with(".py") {
            "python3"
        } else {
            "sh"
        });
        let output = success(
            command
                .arg(script)
                .current_dir(root())
                .env_remove("MAKEFLAGS"),
        );
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.ends_with(last), "{said}");
    }
}

/// Linked by pkg-config, without CUDA and without a GPU.
#[test]
fn the_library_for_gpus_is_installed_with_its_file_for_pkg_config_and_taken_away_again() {
    let prefix = empty("cuda");
    make("install-cuda", &[("PREFIX", &prefix)]);
    let program = "#include <quatint_cuda.h>\n\
        int main(void) { return qi_cuda_version_number() != QI_CUDA_VERSION_NUMBER; }\n";
    fs::write(prefix.join("version.c"), program).expect("writable");
    let lib = prefix.join("lib");
    shell(
        "cc version.c $(pkg-config --cflags --libs quatint_cuda) -Wl,-rpath,$LIB && ./a.out && rm version.c a.out",
        &prefix,
        &lib,
    );
    let names: Vec<_> = files_below(&prefix)
        .into_iter()
        .map(|file| file.0)
        .collect();
    let version = env!("CARGO_PKG_VERSION");
    let abi = abi_version();
    let expected = [
        "include/quatint_cuda.h".to_owned(),
        "lib/libquatint_cuda.a".to_owned(),
        "lib/libquatint_cuda.so".to_owned(),
        format!("lib/libquatint_cuda.so.{abi}"),
        format!("lib/libquatint_cuda.so.{version}"),
        "lib/pkgconfig/quatint_cuda.pc".to_owned(),
    ];
    assert_eq!(names, expected);
    make("uninstall-cuda", &[("PREFIX", &prefix)]);
    assert_eq!(files_below(&prefix), []);
}

/// As find_package asks the file that says the version.
#[test]
fn cmake_takes_a_range_that_has_the_version_and_no_library_for_addresses_of_another_size() {
    let prefix = empty("range");
    make("install", &[("PREFIX", &prefix)]);
    let file = prefix.join("lib/cmake/quatint/quatint-config-version.cmake");
    let script = prefix.join("ask.cmake");
    let ask = |settings: &str| {
        let said = "message(\"${PACKAGE_VERSION_COMPATIBLE} ${PACKAGE_VERSION_UNSUITABLE}\")";
        let text = format!("{settings}\ninclude({})\n{said}\n", file.display());
        fs::write(&script, text).expect("writable");
        let output = success(Command::new("cmake").arg("-P").arg(&script));
        String::from_utf8_lossy(&output.stderr).trim().to_owned()
    };
    let version = env!("CARGO_PKG_VERSION");
    for (oldest, newest, end, is_in) in [
        ("0.1", "99", "EXCLUDE", "TRUE"),
        (version, version, "INCLUDE", "TRUE"),
        ("0.1", version, "EXCLUDE", "FALSE"),
        ("98", "99", "INCLUDE", "FALSE"),
        ("0.0.1", "0.0.2", "INCLUDE", "FALSE"),
    ] {
        let range = format!(
            "set(PACKAGE_FIND_VERSION_RANGE {oldest}...{newest})\nset(PACKAGE_FIND_VERSION_MIN {oldest})\n\
             set(PACKAGE_FIND_VERSION_MAX {newest})\nset(PACKAGE_FIND_VERSION_RANGE_MAX {end})"
        );
        assert_eq!(ask(&range), is_in, "{range}");
    }
    let bytes = size_of::<usize>();
    let exact = format!("set(PACKAGE_FIND_VERSION {version})\nset(CMAKE_SIZEOF_VOID_P {bytes})");
    assert!(!ask(&exact).contains("TRUE TRUE"));
    let other = format!("set(CMAKE_SIZEOF_VOID_P {})", 12 - bytes);
    assert!(ask(&other).ends_with(" TRUE"), "{}", ask(&other));
}
