//! No imports go in a circle: neither between the rooms of a crate, nor between what lies directly
//! in a folder, at any depth.
//!
//! The rule for a `mod.rs`: it is a file like the others, so where its children import from it, it
//! imports nothing from them, except the types of the fields of its structs, which are the parts of
//! an object. Its `mod` and `pub use` lines are no imports.

use super::modules::{Crate, Graph};
use super::rules::files_in;
use crate::common::{root, scratch};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const CRATES: [&str; 8] = [
    "src/lib.rs",
    "bindings/python/src/lib.rs",
    "tools/bindings/src/lib.rs",
    "tools/bindings/src/main.rs",
    "tools/plot/src/main.rs",
    "cuda/src/lib.rs",
    "cuda/kernels/lib.rs",
    "capi/src/lib.rs",
];

/// An import that closes a circle.
struct Exception {
    from: &'static str,
    to: &'static str,
    reason: &'static str,
}

/// This list is to become shorter.
const EXCEPTIONS: [Exception; 6] = [
    Exception {
        from: "src/body/mod",
        to: "src/body/new_inertia",
        reason: "to set the clock is to exchange an inertia that changes: what to keep is said there",
    },
    Exception {
        from: "src/ffi/objects",
        to: "src/ffi/torque",
        reason: "a handle holds a body with its torque; `torque` uses the prelude, which has handles",
    },
    Exception {
        from: "src/kernel/euler",
        to: "src/kernel/free_rotor",
        reason: "an inertia keeps the ratios of its moments that the free rotation needs",
    },
    Exception {
        from: "src/kernel/free_rotor/mod",
        to: "src/kernel/free_rotor/long",
        reason: "short and long steps use the same functions, and each step takes one of the two",
    },
    Exception {
        from: "src/kernel/free_rotor/mod",
        to: "src/kernel/free_rotor/series",
        reason: "the series read the ratios of the moments, whose type is with the formulas",
    },
    Exception {
        from: "src/kernel/free_rotor/periods",
        to: "src/kernel/free_rotor/long",
        reason: "the end of a long step is held to its energy and momentum in both",
    },
];

/// Whether an import is in the list of exceptions. The names are those of files, without their ends.
pub(crate) fn is_exception(from: &str, to: &str) -> bool {
    let mut exceptions = EXCEPTIONS.iter();
    exceptions.any(|exception| exception.from == from && exception.to == to)
}

/// The graph of each folder of a crate, by its name: `src`, `src/ensemble`.
fn graphs(root_file: &Path, name_of_root: &str) -> BTreeMap<String, Graph> {
    let found = Crate::read(root_file);
    let imports = found.imports();
    let mut graphs = BTreeMap::new();
    for folder in found.folders() {
        let mut name = vec![name_of_root.to_owned()];
        name.extend(folder.iter().cloned());
        graphs.insert(name.join("/"), found.graph(folder, &imports));
    }
    graphs
}

fn graphs_of_all_crates() -> BTreeMap<String, Graph> {
    let mut all = BTreeMap::new();
    for file in CRATES {
        let (folder, _) = file.rsplit_once('/').expect("a file is in a folder");
        all.append(&mut graphs(&root().join(file), folder));
    }
    all
}

/// The shortest way along imports from one place to another, with both of them.
fn way(graph: &Graph, from: &str, to: &str) -> Option<Vec<String>> {
    let mut ways = vec![vec![from.to_owned()]];
    let mut at = 0;
    while at < ways.len() {
        let way = ways[at].clone();
        let end = &way[way.len() - 1];
        if end == to {
            return Some(way);
        }
        for (_, next) in graph.keys().filter(|(importer, _)| importer == end) {
            let is_new = ways.iter().all(|way| !way.contains(next));
            if is_new {
                let mut longer = way.clone();
                longer.push(next.clone());
                ways.push(longer);
            }
        }
        at += 1;
    }
    None
}

/// The shortest circles of each folder, in words: one import may close many longer ones.
fn circles(graphs: &BTreeMap<String, Graph>) -> Vec<String> {
    let mut found = vec![];
    for (folder, graph) in graphs {
        let circles = circles_of(graph);
        let least = circles.iter().map(|(_, back)| back.len()).min();
        for (import, back) in circles {
            if Some(back.len()) == least {
                let from = &import.0;
                let back = back.join(" -> ");
                let written = &graph[import];
                found.push(format!("{folder}: {from} -> {back}, by {written:?}"));
            }
        }
    }
    found
}

/// Each import that is in a circle, and the shortest way back from its end.
fn circles_of(graph: &Graph) -> Vec<(&(String, String), Vec<String>)> {
    let imports = graph.keys();
    let with_way = imports.filter_map(|import| {
        let (from, to) = import;
        Some((import, way(graph, to, from)?))
    });
    with_way.collect()
}

/// The graphs without the imports that a rule picks.
fn without(
    graphs: &BTreeMap<String, Graph>,
    is_left_out: impl Fn(&str, &str) -> bool,
) -> BTreeMap<String, Graph> {
    let mut fewer = graphs.clone();
    for (folder, graph) in &mut fewer {
        let full = |name: &str| format!("{folder}/{name}");
        graph.retain(|(from, to), _| !is_left_out(&full(from), &full(to)));
    }
    fewer
}

#[test]
fn no_imports_go_in_a_circle_at_any_depth_of_any_crate() {
    let graphs = graphs_of_all_crates();
    let imports: usize = graphs.values().map(Graph::len).sum();
    assert!(graphs.len() > 15, "{} folders", graphs.len());
    assert!(imports > 500, "{imports} imports");

    let circles = circles(&without(&graphs, is_exception));
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}

#[test]
fn each_exception_still_closes_a_circle() {
    let graphs = graphs_of_all_crates();
    for Exception { from, to, reason } in EXCEPTIONS {
        let is_other = |a: &str, b: &str| is_exception(a, b) && (a, b) != (from, to);
        let circles = circles(&without(&graphs, is_other));
        assert!(!circles.is_empty(), "{from} -> {to} needs no exception");
        assert!(!reason.is_empty());
    }
}

/// A `#[path]` would hide a file, whose imports could go anywhere.
#[test]
fn every_file_beside_the_root_of_a_crate_is_read() {
    let crates = CRATES.map(|file| Crate::read(&root().join(file)));
    let read: BTreeSet<PathBuf> = crates.into_iter().flat_map(|found| found.files).collect();
    for file in CRATES {
        let (folder, _) = file.rsplit_once('/').expect("a file is in a folder");
        for file in files_in(folder) {
            let is_rust = file.extension().is_some_and(|end| end == "rs");
            let is_read = read.contains(&file);
            assert!(is_read || !is_rust, "{} is not read", file.display());
        }
    }
}

/// The circles in a crate of a few files.
fn circles_in(name: &str, files: &[(&str, &str)]) -> Vec<String> {
    let folder = scratch("circles").join(name);
    for (file, code) in files {
        let file = folder.join(file);
        fs::create_dir_all(file.parent().expect("in a folder")).expect("writable");
        fs::write(file, code).expect("writable");
    }
    circles(&graphs(&folder.join("lib.rs"), "src"))
}

#[test]
fn a_circle_is_seen_in_a_nested_folder_however_its_imports_are_written() {
    let ways = [
        ("with_super", "use super::b::{self, B};"),
        ("with_crate", "use crate::outer::inner::b::B;"),
        ("in_nested_braces", "use crate::{outer::{inner::{b::B}}};"),
        ("with_a_star", "use super::b::*;"),
        ("renamed", "use super::b::B as C;"),
        ("in_the_code", "fn a() -> super::b::B { todo!() }"),
        ("in_a_function", "fn a() { use super::b::B; }"),
        ("through_a_parent", "use super::super::B;"),
        ("through_the_root", "use crate::B;"),
        (
            "through_a_name",
            "use super::super::inner; fn a(_: inner::b::B) {}",
        ),
        (
            "in_a_macro",
            "macro_rules! a { () => { $crate::outer::inner::b::B } }",
        ),
    ];
    for (name, import) in ways {
        let circles = circles_in(
            name,
            &[
                ("lib.rs", "mod outer; pub use outer::B;"),
                ("outer/mod.rs", "mod inner; pub use inner::B;"),
                ("outer/inner/mod.rs", "mod a; mod b; pub use b::B;"),
                ("outer/inner/a.rs", &format!("{import} pub struct A;")),
                ("outer/inner/b.rs", "use super::a::A; pub struct B(A);"),
            ],
        );
        assert_eq!(circles.len(), 2, "{name}: {circles:?}");
        assert!(circles[0].starts_with("src/outer/inner: a -> b -> a"));
    }
}

#[test]
fn a_circle_between_two_rooms_is_seen_by_way_of_the_files_in_them() {
    let circles = circles_in(
        "rooms",
        &[
            ("lib.rs", "mod east; mod west;"),
            ("east/mod.rs", "pub mod a; pub mod b;"),
            ("east/a.rs", "pub struct A;"),
            ("east/b.rs", "use crate::west::C;"),
            ("west.rs", "pub struct C(crate::east::a::A);"),
        ],
    );
    assert_eq!(circles.len(), 2, "{circles:?}");
}

#[test]
fn a_parent_may_hold_the_types_of_its_children_but_not_call_them() {
    let circles_with = |name, code: &str| {
        circles_in(
            name,
            &[
                ("lib.rs", "mod object;"),
                ("object/mod.rs", code),
                (
                    "object/part.rs",
                    "use super::Object; pub struct Part; pub fn f(_: Object) {}",
                ),
            ],
        )
    };
    let holds = "mod part; pub use part::f; use part::Part; pub struct Object { part: Part }";
    assert_eq!(circles_with("holds", holds), [""; 0]);
    let calls = format!("{holds} fn g() {{ part::f(Object {{ part: Part }}) }}");
    assert_eq!(circles_with("calls", &calls).len(), 2);
    let calls_by_name = format!("{holds} fn g() {{ f(Object {{ part: Part }}) }}");
    assert_eq!(circles_with("calls_by_name", &calls_by_name).len(), 2);
}

#[test]
fn what_is_only_said_in_comments_and_strings_is_no_import() {
    let circles = circles_in(
        "comments",
        &[
            ("lib.rs", "mod a; mod b;"),
            (
                "a.rs",
                "/* crate::b::B */ pub struct A; // use crate::b::B;\nconst B: &str = \"crate::b::B\";",
            ),
            ("b.rs", "use crate::a::A; pub struct B(A);"),
        ],
    );
    assert_eq!(circles, [""; 0]);
}
