//! The modules of a crate import what the table in its documentation says.

use super::circles::is_exception;
use super::modules::{Crate, OWN};
use crate::common::root;
use std::collections::BTreeSet;
use std::fs;

/// A row of such a table, whose columns are the name, the contents and, if there is a third one,
/// what the module imports from.
struct Row {
    name: String,
    imports: BTreeSet<String>,
}

/// The rows of the table below a heading in the documentation of a crate.
fn table(file: &str, heading: &str) -> Vec<Row> {
    let text = fs::read_to_string(root().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    let lines = text.lines().skip_while(|line| *line != heading).skip(2);
    let mut rows: Vec<Row> = vec![];
    for line in lines.map_while(|line| line.strip_prefix("//! | ")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let name = cells[0].trim_matches(['[', ']', '`']).to_owned();
        let above = rows.iter().map(|row| row.name.clone()).collect();
        let imports = named(cells[2], &above);
        assert!(
            imports.is_subset(&above),
            "{file}: {name} imports from a module that is not above it: {imports:?}"
        );
        rows.push(Row { name, imports });
    }
    assert!(rows.len() > 5, "{file}: {} rows", rows.len());
    rows
}

/// The modules of a cell: `a, b`, `all above`, or `all above but a, b`.
fn named(cell: &str, above: &BTreeSet<String>) -> BTreeSet<String> {
    let listed = |names: &str| -> BTreeSet<String> {
        let names = names.split(',').map(str::trim);
        names
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect()
    };
    match cell.strip_prefix("all above") {
        None => listed(cell),
        Some("") => above.clone(),
        Some(rest) => {
            let left_out = rest.strip_prefix(" but ").expect("all above but a, b");
            above - &listed(left_out)
        }
    }
}

/// What each module at the root of a crate imports from, without the exceptions of `circles`.
fn imports_of_modules(file: &str) -> Vec<Row> {
    let (folder, _) = file.rsplit_once('/').expect("a file is in a folder");
    let found = Crate::read(&root().join(file));
    let graph = found.graph(&[], &found.imports());
    let mut rows = vec![];
    for name in found.children(&[]) {
        let of_module = graph.keys().filter(|(from, _)| from == name);
        let named_in_table = of_module.filter(|(from, to)| {
            !is_exception(&format!("{folder}/{from}"), &format!("{folder}/{to}"))
        });
        rows.push(Row {
            name: name.clone(),
            imports: named_in_table.map(|(_, to)| to.clone()).collect(),
        });
    }
    rows
}

/// Fails where a module imports from one that its row does not name, where a row names too much, and
/// where a module has no row.
#[test]
fn each_module_imports_from_those_that_its_row_in_the_table_names() {
    const HEADING: &str = "//! | module | contents | imports from |";
    for file in ["src/lib.rs", "cuda/src/lib.rs"] {
        let table = table(file, HEADING);
        let modules = imports_of_modules(file);
        for module in &modules {
            let name = &module.name;
            let row = table.iter().find(|row| row.name == *name);
            let row = row.unwrap_or_else(|| panic!("{file}: {name} has no row in the table"));
            let unnamed = &module.imports - &row.imports;
            let unused = &row.imports - &module.imports;
            assert!(
                unnamed.is_empty(),
                "{file}: {name} also imports from {unnamed:?}"
            );
            assert!(
                unused.is_empty(),
                "{file}: {name} does not import from {unused:?}"
            );
        }
        assert_eq!(modules.len(), table.len(), "{file}: a row has no module");
    }
}

#[test]
fn each_file_of_the_python_binding_imports_only_from_files_above_it_in_the_table() {
    let file = "bindings/python/src/lib.rs";
    let table = table(file, "//! | file | contents |");
    let place = |name: &String| table.iter().position(|row| row.name == *name);
    let modules = imports_of_modules(file);
    for module in &modules {
        let own = place(&module.name);
        assert!(own.is_some(), "{} is not in the table", module.name);
        for used in &module.imports {
            let is_above = used != OWN && place(used) < own;
            assert!(is_above, "{} imports from {used}", module.name);
        }
    }
    assert_eq!(modules.len(), table.len(), "a row has no file");
}
