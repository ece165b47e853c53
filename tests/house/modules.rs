//! The modules of a crate, and which imports from which, read from its text.
//!
//! An import is a path of a `use` line, or a path with `::` anywhere else in the code, whether it
//! begins with `crate`, `super`, `self`, a child module or a name that a `use` line brought. Its
//! *home* is the module that defines the item: re-exports are followed, so a circle by way of a
//! `pub use` in a parent is seen too. Where a function has the name of a module beside it, a path
//! counts as that of the module.

use super::reader::{Reader, is_word};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The names from the root of the crate to a module; none for the root.
pub(crate) type ModulePath = Vec<String>;

pub(crate) struct Crate {
    modules: BTreeMap<ModulePath, Module>,
    /// The folder of the file at the root.
    folder: PathBuf,
    /// All that are read.
    pub(crate) files: BTreeSet<PathBuf>,
}

/// A file, or a module in braces within a file.
#[derive(Default)]
struct Module {
    path: ModulePath,
    children: BTreeSet<String>,
    /// The names of functions, types, constants and macros that are defined here.
    items: BTreeSet<String>,
    uses: Vec<Use>,
    /// Paths with `::` outside `use` lines.
    paths: Vec<Vec<String>>,
    /// All other words of the code.
    words: BTreeSet<String>,
    /// The types of the fields of the structs that are defined here.
    types_of_fields: BTreeSet<String>,
}

/// One name, or one `*`, of a `use` line.
struct Use {
    path: Vec<String>,
    /// What it is called here; `None` for a `*`.
    name: Option<String>,
    is_public: bool,
}

/// What imports from what, and the paths with which it does.
pub(crate) type Graph = BTreeMap<(String, String), BTreeSet<String>>;

/// The name in a graph of what the file of the folder itself has: its `mod.rs`, or `lib.rs`.
pub(crate) const OWN: &str = "mod";

/// An import of a module from another.
pub(crate) struct Import {
    pub(crate) from: ModulePath,
    pub(crate) home: ModulePath,
    /// As the code writes it.
    pub(crate) written: String,
    /// Whether it is the type of a field of a struct that the module defines.
    pub(crate) is_type_of_field: bool,
}

impl Crate {
    /// Reads the file at the root of a crate, and those of all modules that it declares.
    pub(crate) fn read(root: &Path) -> Crate {
        let mut found = Crate {
            modules: BTreeMap::new(),
            folder: root.parent().expect("a file is in a folder").to_owned(),
            files: BTreeSet::new(),
        };
        found.read_file(root, vec![]);
        found
    }

    fn read_file(&mut self, file: &Path, path: ModulePath) {
        let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        self.files.insert(file.to_owned());
        self.read_module(&mut Reader::new(&text), path);
    }

    /// Reads to the end of the file, or to the brace that closes the module.
    fn read_module(&mut self, reader: &mut Reader, path: ModulePath) {
        let mut module = Module {
            path,
            ..Module::default()
        };
        let mut open_braces = 0;
        while let Some(token) = reader.next() {
            match token {
                "{" => open_braces += 1,
                "}" if open_braces == 0 => break,
                "}" => open_braces -= 1,
                "mod" => self.read_child(reader, &mut module),
                "use" if reader.peek() != "<" => module.read_use(reader),
                _ if is_word(token) => module.read_word(reader, token),
                _ => {}
            }
        }
        self.modules.insert(module.path.clone(), module);
    }

    /// Reads `name;` or `name { ... }` after the word `mod`.
    fn read_child(&mut self, reader: &mut Reader, parent: &mut Module) {
        let name = reader.next().expect("a module has a name").to_owned();
        let path = child(&parent.path, &name);
        if reader.next() == Some("{") {
            self.read_module(reader, path);
            parent.children.insert(name);
        } else if let Some(file) = self.file_of(&path) {
            self.read_file(&file, path);
            parent.children.insert(name);
        } // else `#[path]` names a file elsewhere: a test, or a module of the library in cuda/src
    }

    fn file_of(&self, path: &[String]) -> Option<PathBuf> {
        let without_end: PathBuf = path.iter().collect();
        let stem = self.folder.join(without_end);
        let file = stem.with_extension("rs");
        let folder = stem.join("mod.rs");
        [file, folder].into_iter().find(|file| file.is_file())
    }

    /// All imports between modules of the crate. A `pub use` from a child is none.
    pub(crate) fn imports(&self) -> Vec<Import> {
        let mut imports = vec![];
        for module in self.modules.values() {
            for path in module.imported_paths() {
                let absolute = self.absolute(module, path);
                let home = absolute.and_then(|absolute| self.home(&absolute));
                if let Some(home) = home.filter(|home| *home != module.path) {
                    imports.push(Import {
                        from: module.path.clone(),
                        home,
                        written: path.join("::"),
                        is_type_of_field: module.has_field_of_type(path),
                    });
                }
            }
        }
        imports
    }

    /// The modules that have children.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &ModulePath> {
        let modules = self.modules.values();
        let folders = modules.filter(|module| !module.children.is_empty());
        folders.map(|module| &module.path)
    }

    /// The names of the modules directly in one.
    pub(crate) fn children(&self, folder: &[String]) -> &BTreeSet<String> {
        &self.modules[folder].children
    }

    /// The imports between what lies directly in a folder. A folder in it counts as one, with all
    /// that is below it.
    pub(crate) fn graph(&self, folder: &[String], imports: &[Import]) -> Graph {
        let mut graph = Graph::new();
        let place = |path: &ModulePath| {
            let name = path.strip_prefix(folder)?.first();
            Some(name.cloned().unwrap_or(OWN.to_owned()))
        };
        for import in imports {
            let (Some(from), Some(to)) = (place(&import.from), place(&import.home)) else {
                continue; // one of them is elsewhere
            };
            let is_part_of_object = from == OWN && import.is_type_of_field;
            if from != to && !is_part_of_object {
                let written = graph.entry((from, to)).or_default();
                written.insert(import.written.clone());
            }
        }
        graph
    }

    /// A path from the root of the crate; `None` where it leads out of the crate.
    fn absolute(&self, module: &Module, path: &[String]) -> Option<ModulePath> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some(joined(&module.path, rest)),
            "super" => {
                let mut above = module.path.clone();
                above.pop();
                let supers = rest.iter().take_while(|name| *name == "super").count();
                above.truncate(above.len() - supers);
                Some(joined(&above, &rest[supers..]))
            }
            _ if module.children.contains(first) => Some(joined(&module.path, path)),
            _ => {
                let brought = module.use_of(first)?;
                if brought.path[0] == *first {
                    return None; // another crate, or a macro that is defined here
                }
                Some(joined(&self.absolute(module, &brought.path)?, rest))
            }
        }
    }

    /// The module that defines what is at the end of an absolute path.
    fn home(&self, path: &[String]) -> Option<ModulePath> {
        let mut module = &self.modules[&vec![]];
        for (at, name) in path.iter().enumerate() {
            let rest = &path[at + 1..];
            if module.children.contains(name) {
                module = &self.modules[&child(&module.path, name)];
            } else if module.items.contains(name) {
                break;
            } else if let Some(brought) = module.use_of(name) {
                let further = self.absolute(module, &brought.path)?;
                return self.home(&joined(&further, rest));
            } else {
                let brought = module
                    .stars()
                    .find_map(|star| self.through(module, star, name));
                // a macro may define the item; at the root, a `#[path]` may declare the module
                let is_root = module.path.is_empty();
                return brought.or_else(|| (!is_root).then(|| module.path.clone()));
            }
        }
        Some(module.path.clone())
    }

    /// The home of a name that `path::*` brings into a module, if it brings it.
    fn through(&self, module: &Module, star: &Use, name: &String) -> Option<ModulePath> {
        let opened = self.home(&self.absolute(module, &star.path)?)?;
        let opened = &self.modules[&opened];
        let brings = opened.items.contains(name) || opened.use_of(name).is_some();
        if brings {
            self.home(&child(&opened.path, name))
        } else {
            None
        }
    }
}

impl Module {
    /// Reads the tree after the word `use`, to its semicolon.
    fn read_use(&mut self, reader: &mut Reader) {
        let before = reader.before(1);
        let is_public = before == "pub" || before == ")"; // `pub(crate) use`
        let mut leaves = vec![];
        reader.read_tree(vec![], &mut leaves);
        for (path, name) in leaves {
            self.uses.push(Use {
                path,
                name,
                is_public,
            });
        }
    }

    /// Reads a word that begins neither a `use` line nor a module, with the path that it may begin.
    fn read_word(&mut self, reader: &mut Reader, word: &str) {
        let before = reader.before(1);
        let is_inner = before == "." || before == "::" || before == "'";
        let is_variable_of_macro = before == "$" && word != "crate";
        let is_visibility = before == "in" && reader.before(2) == "(" && reader.before(3) == "pub";
        if DEFINES.contains(&before) || before == "!" && reader.before(2) == "macro_rules" {
            self.items.insert(word.to_owned());
        }
        if word == "struct" {
            self.types_of_fields.extend(reader.types_of_definition());
        }
        let path = reader.path_from(word);
        if is_inner || is_variable_of_macro || is_visibility {
            return;
        }
        if path.len() > 1 {
            self.paths.push(path);
        } else {
            self.words.insert(word.to_owned());
        }
    }

    fn has_field_of_type(&self, path: &[String]) -> bool {
        path.iter().any(|name| self.types_of_fields.contains(name))
    }

    fn use_of(&self, name: &str) -> Option<&Use> {
        let mut uses = self.uses.iter();
        uses.find(|used| used.name.as_deref() == Some(name))
    }

    fn stars(&self) -> impl Iterator<Item = &Use> {
        self.uses.iter().filter(|used| used.name.is_none())
    }

    /// The paths of all imports.
    fn imported_paths(&self) -> impl Iterator<Item = &Vec<String>> {
        let counted = self.uses.iter().filter(|used| !self.only_passes_on(used));
        let used = counted.map(|used| &used.path);
        used.chain(&self.paths)
    }

    /// Whether a `pub use` from a child brings a name that the code here does not have.
    fn only_passes_on(&self, used: &Use) -> bool {
        let path: Vec<&String> = used
            .path
            .iter()
            .skip_while(|name| *name == "self")
            .collect();
        let is_of_child = path
            .first()
            .is_some_and(|first| self.children.contains(*first));
        let is_here = used
            .name
            .as_ref()
            .is_some_and(|name| self.words.contains(name));
        used.is_public && is_of_child && !is_here
    }
}

/// The words before the name of an item.
const DEFINES: [&str; 8] = [
    "fn", "struct", "enum", "union", "trait", "type", "const", "static",
];

fn child(path: &[String], name: &str) -> ModulePath {
    joined(path, &[name.to_owned()])
}

fn joined(path: &[String], further: &[String]) -> ModulePath {
    [path, further].concat()
}
