//! Two versions of the library in one process, that of the program and that of a plug-in. The other version is a stand-in with one
//! function, linked as cmake/versioned.sh links ours.

use crate::common::{Library, abi_version, compilers, exported, root, scratch, success};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const OTHER: &str = "const char *qi_version_string(void) { return \"other\"; }\n";

const PLUGIN: &str = r#"
#include <quatint.h>
const char *plugin_version(void);
const char *plugin_version(void) { return qi_version_string(); }
"#;

/// Prints the version of the program, if it has one, and then of each plug-in, all with names for everyone.
const HOST: &str = r#"
#include <dlfcn.h>
#include <stdio.h>
#ifdef LINKED
#include <quatint.h>
#endif

int main(int count, char **files)
{
#ifdef LINKED
    printf("%s ", qi_version_string());
#endif
    for (int i = 1; i < count; i++) {
        void *plugin = dlopen(files[i], RTLD_NOW | RTLD_GLOBAL);
        const char *(*version)(void) = plugin ? (const char *(*)(void))dlsym(plugin, "plugin_version") : 0;
        if (version == 0) return printf("%s\n", dlerror()), 1;
        printf("%s ", version());
    }
    return 0;
}
"#;

/// Compiles a text with options.
fn compile(folder: &Path, name: &str, text: &str, options: &[&str]) -> PathBuf {
    let source = folder.join(format!("{name}.c"));
    fs::write(&source, text).expect("writable");
    let binary = folder.join(name);
    let mut compiler = Command::new(compilers()[0]);
    compiler.arg(&source).arg("-I").arg(root().join("include"));
    success(compiler.args(options).arg("-o").arg(&binary));
    binary
}

/// The other version, with symbol versions or without, under a name for the loader.
fn stand_in(folder: &Path, name: &str, soname: &str, is_versioned: bool) -> PathBuf {
    let script = folder.join("versions");
    fs::write(&script, "QUATINT_99 { global: qi_*; local: *; };\n").expect("writable");
    let script = format!("-Wl,--version-script={}", script.display());
    let soname = format!("-Wl,-soname,{soname}");
    let mut options = vec!["-shared", "-fPIC", &*soname];
    if is_versioned {
        options.push(&script);
    }
    compile(folder, name, OTHER, &options)
}

fn printed(program: &Path, plugins: &[&Path]) -> String {
    let output = success(Command::new(program).args(plugins));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn a_program_and_a_plug_in_call_each_the_version_that_it_was_linked_with() {
    let folder = scratch("versions");
    let ours = Library::Shared.path();
    let other = stand_in(&folder, "libquatint.so.99", "libquatint.so.99", true);
    let [us, them] = [&ours, &other].map(|library| {
        let place = library.parent().expect("in a folder");
        let rpath = format!("-Wl,-rpath,{}", place.display());
        [library.display().to_string(), rpath]
    });
    let plugin = |name, [library, rpath]: &[String; 2]| {
        compile(&folder, name, PLUGIN, &["-shared", "-fPIC", library, rpath])
    };
    let host = |name, [library, rpath]: &[String; 2]| {
        compile(&folder, name, HOST, &["-DLINKED", library, rpath, "-ldl"])
    };
    let [old, new] = [
        plugin("plugin_ours.so", &us),
        plugin("plugin_other.so", &them),
    ];
    let neither = compile(&folder, "host", HOST, &["-ldl"]);
    let version = env!("CARGO_PKG_VERSION");
    // a program without quatint, whose plug-ins show their names to everyone
    assert_eq!(
        printed(&neither, &[&old, &new]),
        format!("{version} other ")
    );
    assert_eq!(
        printed(&neither, &[&new, &old]),
        format!("other {version} ")
    );
    // a program with one of them, and a plug-in with the other
    let [with_ours, with_other] = [host("host_ours", &us), host("host_other", &them)];
    assert_eq!(printed(&with_ours, &[&new]), format!("{version} other "));
    assert_eq!(printed(&with_other, &[&old]), format!("other {version} "));
}

/// One that was linked before the functions had versions.
#[test]
fn a_program_that_knows_no_symbol_versions_runs_with_the_library() {
    let folder = scratch("versions_old");
    let soname = format!("libquatint.so.{}", abi_version());
    let unversioned = stand_in(&folder, &soname, &soname, false);
    let library = unversioned.display().to_string();
    let program = compile(&folder, "program", HOST, &["-DLINKED", &library, "-ldl"]);
    let run = |place: &Path| {
        let mut command = Command::new(&program);
        let output = success(command.env("LD_LIBRARY_PATH", place));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        String::from_utf8(output.stdout).expect("text")
    };
    assert_eq!(run(&folder), "other ");
    let ours = Library::Shared.path();
    let place = ours.parent().expect("in a folder");
    assert_eq!(run(place), format!("{} ", env!("CARGO_PKG_VERSION")));
}

#[test]
fn each_function_of_the_shared_library_has_the_version_of_the_soname() {
    let library = Library::Shared.path();
    let mut nm = Command::new("nm");
    let output = success(nm.args(["-D", "--defined-only"]).arg(&library));
    let symbols = String::from_utf8(output.stdout).expect("text");
    let version = format!("@@QUATINT_{}", abi_version());
    let versioned = symbols.lines().filter(|line| line.ends_with(&version));
    assert_eq!(versioned.count(), exported(&library).len());
}
