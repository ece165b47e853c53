//! The order of the house: `unsafe` in few places, short functions, short files, small folders.

use crate::common::root;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The files in a folder, and in all folders below it.
pub(crate) fn files_in(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(&root().join(folder), &mut files);
    files.sort();
    files
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        if entry.path().is_dir() {
            collect(&entry.path(), files)
        } else {
            files.push(entry.path())
        }
    }
}

fn files() -> Vec<PathBuf> {
    let files = files_in("src");
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

/// A reader should see a function at a glance, and find a subject by the name of its file.
const MOST_LINES_OF_A_FUNCTION: usize = 60;
const MOST_LINES_OF_A_FILE: usize = 500;

/// Functions that are longer, with the reason.
const LONGER: [(&str, &str); 7] = [
    (
        "kicks.rs: all",
        "a loop of the lanes, which reads from top to bottom",
    ),
    ("random_loops.rs: in_lanes", "a loop of the lanes"),
    ("stages.rs: in_lanes", "a loop of the lanes"),
    ("whole.rs: in_lanes", "a loop of the lanes"),
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
            if line.ends_with(';') {
                continue; // declared without a body
            }
            let indent = line.len() - line.trim_start().len();
            let end = format!("{}}}", " ".repeat(indent));
            let rest = &lines[first..];
            let Some(count) = rest.iter().position(|line| *line == end) else {
                continue; // written in one line
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
    if let Some((_, after)) = words.split_once(") ").filter(|_| words.starts_with("pub(")) {
        words = after;
    }
    for word in ["pub ", "const ", "unsafe ", "extern \"C\" "] {
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

/// So that one sees at a glance what a folder consists of.
const MOST_FILES_OF_A_FOLDER: usize = 12;

/// Folders with more files, and how many they may have. The numbers are to become smaller.
const LARGER_FOLDERS: [(&str, usize); 1] = [("src/ffi", 23)];

#[test]
fn no_folder_of_src_has_more_than_a_dozen_files_but_for_those_in_a_list() {
    let mut counts: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for file in files() {
        let folder = file.parent().expect("a file is in a folder");
        let folder = folder.strip_prefix(root()).expect("in this repository");
        *counts.entry(folder.to_owned()).or_default() += 1;
    }
    for (folder, most) in LARGER_FOLDERS {
        let count = counts.remove(Path::new(folder)).unwrap_or(0);
        assert!(count <= most, "{folder}: {count} files");
        let is_large = count > MOST_FILES_OF_A_FOLDER;
        assert!(is_large, "{folder} is small enough now: {count} files");
    }
    for (folder, count) in counts {
        let is_small = count <= MOST_FILES_OF_A_FOLDER;
        assert!(is_small, "{}: {count} files", folder.display());
    }
}
