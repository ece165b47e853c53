//! The order of the house: modules import downhill only.

use crate::common::root;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the crate. Each may import from those in lines above its own.
const LAYERS: [&[&str]; 9] = [
    &["kernel"],
    &["step_size"],
    &["error"],
    &["clock", "exact_sum", "rotation", "simd"],
    &["inertia", "memory", "torque"],
    &["mass", "method", "rows", "solve", "status", "threads"],
    &["body", "ensemble"],
    &["ffi"],
    &["lib"],
];

fn files() -> Vec<PathBuf> {
    fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            if entry.path().is_dir() {
                collect(&entry.path(), files)
            } else {
                files.push(entry.path())
            }
        }
    }
    let mut files = Vec::new();
    collect(&root().join("src"), &mut files);
    assert!(files.len() > 40);
    files
}

/// `["ensemble", "sweep"]` for src/ensemble/sweep.rs; `["ensemble"]` for its mod.rs.
fn module(file: &Path) -> Vec<String> {
    let path = file
        .strip_prefix(root().join("src"))
        .expect("in src")
        .with_extension("");
    let mut names: Vec<_> = path
        .iter()
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.retain(|name| name != "mod");
    names
}

/// The code without comments, so that links in them do not count.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).expect("readable");
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The names that follow `prefix` in the code, also the first of each in braces.
fn named_after<'a>(code: &'a str, prefix: &str) -> Vec<&'a str> {
    let mut names = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        let rest = &code[at + prefix.len()..];
        let list = if let Some(braced) = rest.strip_prefix('{') {
            braced.split('}').next().unwrap_or("")
        } else {
            rest
        };
        let items = if rest.starts_with('{') {
            list.split(',').collect()
        } else {
            vec![list]
        };
        for item in items {
            let item = item.trim_start();
            let end = item
                .find(|c: char| !(c.is_alphanumeric() || c == '_'))
                .unwrap_or(item.len());
            names.push(&item[..end]);
        }
    }
    names
}

#[test]
fn no_module_imports_from_one_above_it() {
    let layer = |name: &str| LAYERS.iter().position(|layer| layer.contains(&name));
    for file in files() {
        let from = module(&file);
        let own = layer(&from[0]).unwrap_or_else(|| panic!("{} has no layer", from[0]));
        for name in named_after(&code(&file), "crate::") {
            if let Some(used) = layer(name).filter(|_| name != from[0]) {
                assert!(used < own, "{} imports from {name}", file.display());
            }
        }
    }
}

#[test]
fn no_two_files_of_a_folder_import_each_other_not_even_in_a_circle() {
    let mut uses: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> = BTreeMap::new();
    for file in files() {
        let from = module(&file);
        if let [folder, _] = &from[..] {
            let code = code(&file);
            let siblings = named_after(&code, "super::");
            let of = siblings
                .into_iter()
                .map(|name| vec![folder.clone(), name.to_owned()]);
            uses.entry(from.clone()).or_default().extend(of);
        }
    }
    for start in uses.keys() {
        let (mut seen, mut next) = (BTreeSet::new(), vec![start]);
        while let Some(module) = next.pop() {
            for used in uses
                .get(module)
                .into_iter()
                .flatten()
                .filter_map(|used| uses.get_key_value(used))
            {
                assert!(
                    used.0 != start,
                    "{start:?} is in a circle, by way of {module:?}"
                );
                if seen.insert(used.0) {
                    next.push(used.0);
                }
            }
        }
    }
}

/// The names in the first column of the table in bindings/python/src/lib.rs.
fn files_of_the_python_binding() -> Vec<String> {
    let text = fs::read_to_string(root().join("bindings/python/src/lib.rs")).expect("readable");
    let rows = text.lines().filter_map(|line| line.strip_prefix("//! | "));
    let names = rows.filter_map(|row| row.split(" | ").next());
    names.skip(1).map(str::to_owned).collect() // without the heading
}

#[test]
fn each_file_of_the_python_binding_imports_only_from_files_above_it_in_the_table() {
    let order = files_of_the_python_binding();
    let place = |name: &str| order.iter().position(|listed| listed == name);
    let folder = root().join("bindings/python/src");
    let mut seen = 0;
    for entry in fs::read_dir(&folder).expect("a folder").flatten() {
        let file = entry.path();
        let name = file.file_stem().expect("a name").to_string_lossy();
        if name == "lib" {
            continue;
        }
        let own = place(&name).unwrap_or_else(|| panic!("{name} is not in the table"));
        for used in named_after(&code(&file), "crate::") {
            if used == name {
                continue; // a macro names its own file
            }
            let used_place = place(used).unwrap_or_else(|| panic!("{name} imports {used}"));
            assert!(used_place < own, "{name} imports from {used}");
        }
        seen += 1;
    }
    assert_eq!(
        seen,
        order.len(),
        "the table names a file that is not there"
    );
}

/// The exported functions of src/ffi are unsafe as a whole, so the compiler would not see it.
#[test]
fn a_pointer_of_the_program_is_used_only_where_src_ffi_checks_it() {
    const CHECKED: [&str; 7] = [
        "check", "objects", "failure", "torque", "rotation", "body", "solve",
    ]; // these have blocks with reasons
    let all = files().into_iter().map(|file| (module(&file), file));
    let others = all.filter(|(names, _)| {
        names[0] == "ffi" && !CHECKED.contains(&names.last().map_or("", |name| name))
    });
    let mut seen = 0;
    for (_, file) in others {
        let code = code(&file);
        for use_of_a_pointer in [
            ".read(",
            ".write(",
            "from_raw",
            "transmute",
            "&*",
            "&mut *",
            "= *",
            "(*",
        ] {
            assert!(
                !code.contains(use_of_a_pointer),
                "{}: {use_of_a_pointer}",
                file.display()
            );
        }
        seen += 1;
    }
    assert!(seen > 6);
}

/// A function gives its name to errors.
#[test]
fn a_function_of_the_c_interface_says_its_own_name() {
    let mut seen = 0;
    for file in files() {
        let code = code(&file);
        for function in code.split("pub unsafe extern \"C\" fn ").skip(1) {
            let name = function.split('(').next().expect("a name");
            let body = function.split("\n}\n").next().expect("a body");
            for (at, _) in body.match_indices("(\"qi_") {
                let said = body[at + 2..].split('"').next().expect("a string");
                assert_eq!(said, name, "{}", file.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 100, "{seen}");
}

/// A reader should see a function at a glance, and find a subject by the name of its file.
const MOST_LINES_OF_A_FUNCTION: usize = 60;
const MOST_LINES_OF_A_FILE: usize = 500;

/// Functions that are longer, with the reason.
const LONGER: [(&str, &str); 7] = [
    (
        "kick_loops.rs: all",
        "a loop of the lanes, which reads from top to bottom",
    ),
    ("random_loops.rs: in_lanes", "a loop of the lanes"),
    (
        "staged_steps.rs: take_stage",
        "one loop over chunks that borrows most fields of an ensemble",
    ),
    (
        "kicks.rs: take_kick_drift",
        "arguments that are looked at one after the other",
    ),
    ("error.rs: fmt", "a list of messages"),
    ("under_noise.rs: short", "a series, term by term"),
    (
        "mod.rs: rotation_by",
        "a rotation from its functions, whose parts would be called",
    ),
];

#[test]
fn no_function_has_more_than_sixty_lines_but_for_those_with_a_reason() {
    let mut seen = BTreeSet::new();
    for file in files() {
        let text = fs::read_to_string(&file).expect("readable");
        let lines: Vec<_> = text.lines().collect();
        let name_of_file = file.file_name().expect("a file").to_string_lossy();
        for (first, line) in lines.iter().enumerate() {
            let Some(name) = name_of_function(line) else {
                continue;
            };
            let indent = line.len() - line.trim_start().len();
            let end = format!("{}}}", " ".repeat(indent));
            let rest = &lines[first..];
            let Some(count) = rest.iter().position(|line| *line == end) else {
                continue; // declared without a body, or written in one line
            };
            let function = format!("{name_of_file}: {name}");
            if count + 1 > MOST_LINES_OF_A_FUNCTION {
                let has_reason = LONGER.iter().any(|(longer, _)| *longer == function);
                assert!(has_reason, "{function}: {} lines", count + 1);
                seen.insert(function);
            }
        }
    }
    for (longer, _) in LONGER {
        assert!(seen.contains(longer), "{longer} is short enough now");
    }
}

/// The name of the function that begins in this line, if one does.
fn name_of_function(line: &str) -> Option<&str> {
    let mut words = line.trim_start();
    for word in [
        "pub(crate) ",
        "pub(super) ",
        "pub ",
        "const ",
        "unsafe ",
        "extern \"C\" ",
    ] {
        words = words.strip_prefix(word).unwrap_or(words);
    }
    let name = words.strip_prefix("fn ")?;
    let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
    Some(&name[..end])
}

#[test]
fn no_file_has_more_than_five_hundred_lines() {
    for file in files() {
        let lines = fs::read_to_string(&file).expect("readable").lines().count();
        assert!(
            lines <= MOST_LINES_OF_A_FILE,
            "{}: {lines} lines",
            file.display()
        );
    }
}
