//! docs/promises.md names tests that exist; README and the pages are short, their links lead somewhere; the version is the same everywhere.

use super::rules::files_in;
use crate::common::{root, success};
use nalgebra::{UnitQuaternion, Vector3};
use quatint::torque::{Free, UniformField};
use quatint::{Body, Bounds, Inertia, Method};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The tests in the files of a program, as `cargo test -- --list` prints them.
fn tests_of(program: &str) -> Vec<String> {
    let tests = root().join("tests");
    match program {
        "lib" => tests_in(&tests.join("unit"), None),
        "allocation" => tests_in_file(&tests.join("allocation.rs"), ""),
        _ => tests_in(&tests.join(program), Some("")),
    }
}

/// The tests in the files of a folder and the folders in it. `module`: before the names of the
/// modules, which are those of the files; `None`: the files are no modules.
fn tests_in(folder: &Path, module: Option<&str>) -> Vec<String> {
    let mut found = vec![];
    for entry in fs::read_dir(folder).unwrap_or_else(|e| panic!("{folder:?}: {e}")) {
        let path = entry.expect("readable").path();
        let name = path.file_stem().expect("a name").to_string_lossy();
        let within = module.map(|module| format!("{module}{name}::"));
        if path.is_dir() {
            found.extend(tests_in(&path, within.as_deref()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.extend(tests_in_file(&path, &within.unwrap_or_default()));
        }
    }
    found
}

fn tests_in_file(path: &Path, module: &str) -> Vec<String> {
    let text = fs::read_to_string(path).expect("readable");
    let tests = text.split("#[test]\n").skip(1);
    let names = tests.filter_map(|rest| rest.split("fn ").nth(1)?.split('(').next());
    names.map(|name| format!("{module}{name}")).collect()
}

/// Each filter of a command `cargo test ... --test rust -- filter` matches a test of the programs that it names.
fn assert_that_the_filters_match(command: &str) {
    let (flags, filters) = command.split_once(" -- ").expect("filters");
    let words: Vec<_> = flags.split(' ').collect();
    let named = words.windows(2).filter(|two| two[0] == "--test");
    let mut programs: Vec<_> = named.map(|two| two[1]).collect();
    programs.extend(words.contains(&"--lib").then_some("lib"));
    let tests: Vec<_> = programs.into_iter().flat_map(tests_of).collect();
    for filter in filters.split(' ') {
        assert!(
            tests.iter().any(|test| test.contains(filter)),
            "`{filter}` is no test: {command}"
        );
    }
}

/// A goal of make, from the files that the Makefile consists of.
fn is_a_goal(goal: &str) -> bool {
    [
        "Makefile",
        "install.mk",
        "packaging/packaging.mk",
        "fuzz/fuzz.mk",
    ]
    .iter()
    .filter_map(|file| fs::read_to_string(root().join(file)).ok())
    .any(|text| {
        text.lines()
            .any(|line| line.starts_with(&format!("{goal}:")))
    })
}

#[test]
fn every_row_on_the_page_of_promises_ends_in_a_command_that_runs_a_test() {
    let page = fs::read_to_string(root().join("docs/promises.md")).expect("the page");
    let rows = page
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| promise |"));
    let mut count = 0;
    for row in rows {
        let command = row
            .strip_suffix("` |")
            .and_then(|row| row.rsplit('`').next())
            .unwrap_or_else(|| panic!("no command: {row}"));
        match command.strip_prefix("make ") {
            Some(goal) => assert!(is_a_goal(goal), "make has no {goal}"),
            None => assert_that_the_filters_match(command),
        }
        count += 1;
    }
    assert!(count > 35, "only {count} rows were found");
}

/// Those of other programs, such as the tests in C, which one command runs together.
#[test]
fn every_test_that_the_page_of_promises_names_by_its_file_exists() {
    let page = fs::read_to_string(root().join("docs/promises.md")).expect("the page");
    let codes = page.split('`').skip(1).step_by(2);
    let named: Vec<_> = codes
        .filter_map(|code| code.split_once(": "))
        .filter(|(file, _)| !file.contains(' ')) // a command
        .collect();
    assert!(named.len() > 15, "only {} tests were found", named.len());
    for (file, test) in named {
        let text = fs::read_to_string(root().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        assert!(text.contains(test), "{file} has no {test}");
    }
}

/// A newcomer reads it in five minutes.
#[test]
fn readme_has_at_most_1200_words() {
    let words = fs::read_to_string(root().join("README.md"))
        .expect("readable")
        .split_whitespace()
        .count();
    assert!(
        words <= 1200,
        "{words} words: move something to a page in docs"
    );
}

/// In the bindings, the pages, the recipes of packages and the baseline of the interface: packaging/version.py has the list.
#[test]
fn every_place_has_the_version_of_cargo_toml() {
    success(
        Command::new("python3")
            .arg("packaging/version.py")
            .current_dir(root()),
    );
}

/// A page without its code blocks.
fn prose(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.split("\n```").step_by(2).collect()
}

/// The pages of docs, without the list of them.
fn pages() -> Vec<PathBuf> {
    let files = fs::read_dir(root().join("docs")).expect("a folder");
    let mut pages: Vec<_> = files
        .map(|file| file.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .filter(|path| !path.ends_with("SUMMARY.md"))
        .collect();
    pages.sort();
    pages
}

/// The parts in parentheses of `[text](link)`, but for links to other sites.
fn links(text: &str) -> Vec<&str> {
    let links = text.split("](").skip(1);
    let links = links.filter_map(|rest| rest.split(')').next());
    links.filter(|link| !link.starts_with("https://")).collect()
}

/// In the spelling of the sites that show these pages.
fn anchors(path: &Path) -> Vec<String> {
    let text = prose(path);
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let heading = line.trim_start_matches('#').trim().to_lowercase();
            let kept = heading
                .chars()
                .filter(|c| c.is_alphanumeric() || *c == ' ' || *c == '-' || *c == '_');
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

/// Files, and the headings in them.
#[test]
fn every_link_of_readme_and_of_the_pages_leads_somewhere() {
    let mut all = pages();
    all.extend(
        [
            "README.md",
            "CONTRIBUTING.md",
            "SECURITY.md",
            "docs/SUMMARY.md",
        ]
        .map(|page| root().join(page)),
    );
    for path in all {
        for link in links(&prose(&path)) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() {
                path.clone()
            } else {
                path.parent().expect("a folder").join(file)
            };
            let page = path.display();
            assert!(target.exists(), "{page}: {link}: no such file");
            assert!(
                anchor.is_empty() || anchors(&target).iter().any(|heading| heading == anchor),
                "{page}: {link}: no such heading"
            );
        }
    }
}

/// A program that no page shows is not found.
#[test]
fn every_example_is_on_a_page() {
    let pages: String = pages().iter().map(|page| prose(page)).collect();
    let mut examples = files_in("examples");
    examples.extend(files_in("c_examples"));
    for example in examples {
        let path = example.strip_prefix(root()).expect("in this repository");
        let endings = ["c", "cpp", "f90", "jl", "m", "py", "rs"];
        let is_program = path
            .extension()
            .is_some_and(|end| endings.iter().any(|e| end == *e));
        let is_fix = path.starts_with("examples/lammps") || path.starts_with("examples/liggghts");
        if is_program && !is_fix {
            assert!(
                pages.contains(&format!("](../{})", path.display())),
                "{}",
                path.display()
            );
        }
    }
}

/// The methods have the same colour in the pictures of tools/plot and of the example in Python.
#[test]
fn a_method_has_one_colour_in_all_pictures() {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("readable");
    let mut colours = BTreeMap::new();
    for picture in ["energy", "peers"] {
        for text in read(&format!("docs/{picture}.svg")).split("<text ").skip(1) {
            let (attributes, name) = text.split_once(">\n").expect("a text");
            let name = name.lines().next().expect("a line").to_owned();
            let (_, fill) = attributes.split_once("fill=\"").expect("a colour");
            let is_method = ["PCDM", "SPLITTING_4", "FORCE_GRADIENT", "CF4"].contains(&&*name);
            if is_method {
                let colour = fill[..7].to_lowercase();
                assert_eq!(
                    *colours.entry(name.to_lowercase()).or_insert(colour.clone()),
                    colour
                );
            }
        }
    }
    assert_eq!(colours.len(), 4);
    let python = read("examples/python/work_precision.py");
    for (method, colour) in colours {
        assert!(
            python.contains(&format!("\"{method}\": \"{colour}\"")),
            "{method}: {colour}"
        );
    }
}

#[test]
fn the_site_has_every_page_once() {
    let summary = prose(&root().join("docs/SUMMARY.md"));
    let listed: Vec<_> = links(&summary).into_iter().map(String::from).collect();
    for page in pages() {
        let name = page
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let times = listed.iter().filter(|link| **link == name).count();
        assert_eq!(times, 1, "{name} in docs/SUMMARY.md");
    }
    assert_eq!(listed.len(), pages().len() + 1, "README is the first");
}

/// What else there is to say is on the page of its subject, or beside the other programs.
#[test]
fn the_page_of_each_language_has_at_most_1500_words() {
    for language in ["c", "cpp", "fortran", "julia", "matlab", "python", "rust"] {
        let text = prose(&root().join(format!("docs/{language}.md")));
        let words = text
            .split_whitespace()
            .filter(|word| word.contains(char::is_alphanumeric)) // the lines of tables are none
            .count();
        assert!(words <= 1500, "docs/{language}.md has {words} words");
    }
}

/// The table of methods is on one page; README repeats it, word by word, for those who read no other.
#[test]
fn readme_recommends_the_methods_that_the_page_on_methods_recommends() {
    let table = |page: &str| {
        let text = fs::read_to_string(root().join(page)).expect("readable");
        let lines = text.lines().map(String::from);
        let from_head = lines.skip_while(|line| !line.starts_with("| your torque"));
        let rows = from_head.take_while(|line| line.starts_with('|'));
        rows.collect::<Vec<_>>()
    };
    let of_page = table("docs/methods.md");
    assert!(of_page.len() > 8, "{of_page:?}");
    assert_eq!(table("README.md"), of_page);
}

/// The table of docs/methods.md: `none` is a number without a limit, `refused` a torque that the method does not take.
#[test]
fn the_page_on_methods_has_the_limits_of_a_step_that_error_messages_have() {
    let methods = [
        Method::Pcdm,
        Method::Splitting,
        Method::Splitting4,
        Method::Splitting6,
        Method::ForceGradient,
        Method::Cf4,
    ];
    let page = fs::read_to_string(root().join("docs/methods.md")).expect("readable");
    type Limit = fn(&Bounds) -> f64;
    let limits: [(&str, Limit); 3] = [
        ("| rotation per step", |bounds| bounds.turn),
        ("| T h² / I", |bounds| bounds.spring_number),
        ("| C h / I", |bounds| bounds.drag),
    ];
    for (row, limit) in limits {
        let row = page.lines().find(|line| line.starts_with(row));
        let cells: Vec<_> = row.expect("a row").split(" | ").skip(2).collect();
        assert_eq!(cells.len(), methods.len(), "{cells:?}");
        for (cell, method) in cells.into_iter().zip(methods) {
            let limit = limit(method.bounds());
            let said = cell.trim_end_matches(" |");
            match said {
                "none" => assert!(limit.is_infinite(), "{}: {limit}", method.name()),
                "refused" => assert!(!method.allows_resistance(), "{}", method.name()),
                _ => assert_eq!(said.parse(), Ok(limit), "{}", method.name()),
            }
        }
    }
}

/// docs/methods.md says that a compact free body under PCDM overflows after 16 / x^4 steps at the soonest, for a turn of x a step, and a
/// thin blade after 12.9 / x^4. Measured: 10 145 steps of 0.2 rad, in the worst of 50 directions.
#[test]
fn a_free_body_under_pcdm_overflows_after_the_steps_that_the_page_on_methods_says() {
    let (turn, mut soonest): (f64, u64) = (0.2, u64::MAX);
    for direction in 0..50 {
        let (z, angle) = (
            f64::from(direction) / 25.0 - 0.98,
            2.4 * f64::from(direction),
        ); // spread over the sphere
        let axis = Vector3::new(
            (1.0 - z * z).sqrt() * angle.cos(),
            (1.0 - z * z).sqrt() * angle.sin(),
            z,
        );
        let inertia = Inertia::from_moments(Vector3::new(1.0, 2.0, 3.0)).expect("valid");
        let mut body = Body::new(inertia, UnitQuaternion::identity(), axis).expect("valid");
        if let Err(failure) = body.advance(turn, 100_000, &mut Free) {
            soonest = soonest.min(failure.completed);
        }
    }
    let bound = 16.0 / turn.powi(4);
    assert!(
        (bound..1.2 * bound).contains(&(soonest as f64)),
        "{soonest} steps, {bound}"
    );

    // the greatest angular velocity of a blade comes later than its start
    let moments = Vector3::new(0.654371, 0.6550905, 0.0007196);
    let inertia = Inertia::from_moments(moments).expect("valid");
    let omega = Vector3::new(0.4615, 0.887, 0.01447);
    let mut body = Body::new(inertia, UnitQuaternion::identity(), omega).expect("valid");
    let mut greatest = omega.norm();
    for _ in 0..20_000 {
        body.drift(0.05).expect("finite");
        greatest = greatest.max(body.angular_velocity().norm());
    }
    let omega = omega * (turn / greatest);
    let mut body = Body::new(inertia, UnitQuaternion::identity(), omega).expect("valid");
    let failure = body.advance(1.0, 100_000, &mut Free).unwrap_err();
    let bound = 12.9 / turn.powi(4);
    let steps = failure.completed as f64;
    assert!((steps / bound - 1.0).abs() < 0.02, "{steps} steps, {bound}");
}

/// The page on methods said that the energy error of FORCE_GRADIENT is bounded. With an arm in no plane of symmetry it grows: mean errors of
/// 0.7, 2.1, 3.5 and 4.8e-4 in the quarters of t = 1e5. SPLITTING_4, with as many torques, stays at 1.4e-7.
#[test]
fn the_energy_under_force_gradient_drifts_with_a_general_arm_and_under_splitting_4_it_does_not() {
    let (arm, weight) = (Vector3::new(0.5, 0.5, 0.7), Vector3::new(0.0, 0.0, -1.0));
    let quarters = |method, h: f64| {
        let inertia = Inertia::from_moments(Vector3::new(1.3, 0.9, 1.7)).expect("valid");
        let q = UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(0.9, 0.3, 0.2, 0.1));
        let mut body = Body::new(inertia, q, q * Vector3::new(0.4, -0.3, 2.0)).expect("valid");
        body.set_method(method);
        let mut torque = UniformField::new(arm.into(), weight.into()).expect("finite");
        let energy = |body: &Body| body.kinetic_energy() - weight.dot(&(body.orientation() * arm));
        let first = energy(&body);
        [(); 4].map(|()| {
            let mut sum = 0.0;
            for _ in 0..500 {
                body.advance(h, (1e5 / h / 2000.0).round() as u64, &mut torque)
                    .expect("smooth");
                sum += energy(&body) / first - 1.0;
            }
            sum / 500.0
        })
    };
    let drifting = quarters(Method::ForceGradient, 0.2);
    assert!(
        drifting.windows(2).all(|two| two[1] - two[0] > 1e-4),
        "{drifting:?}"
    );
    let bounded = quarters(Method::Splitting4, 0.4);
    assert!(
        bounded.iter().all(|error| error.abs() < 2e-7),
        "{bounded:?}"
    );
}
