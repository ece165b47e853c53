//! The command: it refreshes the files, or with `--check` says whether one is out of date.

use quatint_bindings::{Binding, bindings};
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: quatint-bindings [--check]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.as_slice() {
        [] => refresh(root()),
        [option] if option == "--check" => check(root()),
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// The root of the repository that this tool was built in.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn refresh(root: &Path) -> Result<(), Box<dyn Error>> {
    for binding in bindings(root)? {
        if binding.committed != binding.refreshed {
            std::fs::write(root.join(binding.path), &binding.refreshed)?;
            println!("{} is refreshed", binding.path);
        }
    }
    Ok(())
}

fn check(root: &Path) -> Result<(), Box<dyn Error>> {
    let complaints: Vec<String> = bindings(root)?
        .iter()
        .filter_map(Binding::complaint)
        .collect();
    if complaints.is_empty() {
        Ok(())
    } else {
        Err(complaints.join("\n").into())
    }
}
