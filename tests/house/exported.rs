//! The exported functions of the C interfaces, as their source has them.

use super::reader::{is_word, tokens};
use super::rules::files_in;
use std::fs;
use std::path::{Path, PathBuf};

const FOLDERS: [&str; 2] = ["src/ffi", "cuda/src/ffi"];

/// How the attribute of an exported function begins.
const EXPORTED: &str = "#[unsafe(no_mangle)]";

/// Functions that report no error, and so have no use for their name.
const REPORT_NO_ERROR: [&str; 12] = [
    "qi_version_number",
    "qi_version_string",
    "qi_status_name",
    "qi_status_message",
    "qi_last_error",
    "qi_last_error_cause",
    "qi_last_error_body",
    "qi_cuda_last_error",
    "qi_cuda_last_error_body",
    "qi_cuda_version",
    "qi_cuda_version_number",
    "qi_cuda_device_name",
];

pub(crate) struct Exported {
    file: PathBuf,
    pub(crate) name: String,
    /// The lines of the comment above it, with their slashes.
    comment: Vec<String>,
    /// The strings in its body that are names of functions.
    said: Vec<String>,
}

/// All exported functions in the files of a folder.
pub(crate) fn exported(folder: &str) -> Vec<Exported> {
    let mut found = vec![];
    for file in files_in(folder) {
        let text = fs::read_to_string(&file).expect("readable");
        found.extend(exported_in(&file, &text));
    }
    found
}

/// Those of one file, whether their signatures have one line or many.
fn exported_in(file: &Path, text: &str) -> Vec<Exported> {
    let mut found = vec![];
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        if line.trim() == EXPORTED {
            found.push(exported_at(file, &lines, at));
        } else {
            assert!(
                !line.contains("no_mangle") && !line.contains("export_name"),
                "{}: {EXPORTED} stands in a line of its own, where this test looks for it",
                file.display()
            );
        }
    }
    found
}

/// The function with the attribute in one of the lines.
fn exported_at(file: &Path, lines: &[&str], attribute: usize) -> Exported {
    let code = lines[attribute + 1..].join("\n");
    let tokens = tokens(&code);
    let after_fn = tokens.iter().position(|token| *token == "fn");
    let name = tokens[after_fn.expect("a function") + 1];
    let strings = body(&tokens).iter().filter_map(|token| {
        let string = token.strip_prefix('"')?.strip_suffix('"')?;
        (string.starts_with("qi_") && is_word(string)).then(|| string.to_owned())
    });
    Exported {
        file: file.to_owned(),
        name: name.to_owned(),
        comment: comment_above(lines, attribute),
        said: strings.collect(),
    }
}

/// From the first brace to the one that closes it.
fn body<'t>(tokens: &'t [&'t str]) -> &'t [&'t str] {
    let start = tokens.iter().position(|token| *token == "{");
    let start = start.expect("a function has a body");
    let mut open_braces = 0;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match *token {
            "{" => open_braces += 1,
            "}" => open_braces -= 1,
            _ => {}
        }
        if open_braces == 0 {
            return &tokens[start..at];
        }
    }
    panic!("a body ends");
}

/// The lines of documentation above one of the lines, with nothing but other attributes between.
fn comment_above(lines: &[&str], line: usize) -> Vec<String> {
    let above = lines[..line].iter().rev();
    let above = above.skip_while(|line| line.starts_with("#["));
    let comment = above.take_while(|line| line.starts_with("///"));
    comment.map(|line| (*line).to_owned()).collect()
}

fn exported_everywhere() -> Vec<Exported> {
    let functions: Vec<_> = FOLDERS.into_iter().flat_map(exported).collect();
    assert!(functions.len() > 200, "only {}", functions.len());
    functions
}

#[test]
fn each_function_of_the_c_interfaces_gives_its_own_name_to_errors() {
    for Exported {
        file, name, said, ..
    } in exported_everywhere()
    {
        let file = file.display();
        let other = said.iter().find(|said| **said != name);
        assert_eq!(other, None, "{file}: {name} gives another name");
        let reports_none = REPORT_NO_ERROR.contains(&name.as_str());
        assert_eq!(said.is_empty(), reports_none, "{file}: {name}");
    }
}

/// What the comment has to say of each parameter, `header` tests.
#[test]
fn each_function_of_the_c_interfaces_has_a_comment() {
    for Exported {
        file,
        name,
        comment,
        ..
    } in exported_everywhere()
    {
        assert!(!comment.is_empty(), "{}: {name}", file.display());
    }
}

#[test]
fn a_function_is_seen_whose_signature_and_call_have_several_lines() {
    let text = r#"
/// Get the square.
/// @param x  a number
#[allow(dead_code)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_square(
    x: f64,
    square: *mut f64,
) -> qi_status {
    compute(
        "qi_square", // "qi_cube"
        square,
        || Ok("qi_square: {x}"),
    )
}

#[unsafe(no_mangle)]
pub extern "C" fn qi_cube() { other("qi_square") }
"#;
    let functions = exported_in(Path::new("text"), text);
    let [square, cube] = &functions[..] else {
        panic!("{} functions", functions.len());
    };
    assert_eq!(square.name, "qi_square");
    assert_eq!(square.comment.len(), 2);
    assert_eq!(square.said, ["qi_square"]);
    assert_eq!(cube.name, "qi_cube");
    assert_eq!(cube.comment.len(), 0);
    assert_eq!(cube.said, ["qi_square"]);
}
