//! The programs of the documentation pages and of `examples`, to be compiled and run.

use super::root;
use std::fs;

/// A fenced code block of a page that is a complete program, and its output from the ```text block
/// that follows.
pub struct Program {
    pub language: String,
    pub code: String,
    pub output: Option<String>,
}

/// The programs of a language: those of its page, and those of `examples/NAME` that say what they print.
pub fn programs_of(name: &str, languages: &[&str]) -> Vec<Program> {
    let mut all = programs(&format!("docs/{name}.md"), languages);
    all.extend(examples_that_say_what_they_print(name));
    all
}

/// Each ends with a comment, `It prints:` and the lines of its output. Tests of their own run the other examples.
fn examples_that_say_what_they_print(folder: &str) -> Vec<Program> {
    let folder = root().join("examples").join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("readable").path())
        .collect();
    files.sort();
    let texts = files
        .iter()
        .map(|file| fs::read_to_string(file).expect("a text"));
    texts
        .filter_map(|code| {
            Some(Program {
                output: Some(printed(&code)?),
                language: String::new(),
                code,
            })
        })
        .collect()
}

/// The output in the comment at the end of a program. In C it stands between the ends of the comment, elsewhere behind the sign of comments.
fn printed(code: &str) -> Option<String> {
    let (program, comment) = code.rsplit_once(" It prints:\n")?;
    let sign = program.lines().last()?; // of the comment: `//`, `/*`
    let lines = comment.lines().filter(|line| sign != "/*" || *line != "*/");
    let lines = lines.map(|line| {
        line.strip_prefix(sign)
            .map_or(line, |rest| rest.strip_prefix(' ').unwrap_or(rest))
    });
    Some(lines.map(|line| format!("{line}\n")).collect())
}

/// The fenced code blocks in these languages, in the order of the page. A ```text block gives the
/// output of the program above it if only prose stands between. A block whose first line contains
/// `fragment:` is not a complete program and is left out.
pub fn programs(page: &str, languages: &[&str]) -> Vec<Program> {
    let text = fs::read_to_string(root().join(page)).unwrap_or_else(|e| panic!("{page}: {e}"));
    let mut programs: Vec<Program> = vec![];
    let mut fences = text.split("\n```");
    fences.next();
    while let (Some(block), _after) = (fences.next(), fences.next()) {
        let (language, code) = block.split_once('\n').expect("a fence ends its line");
        let code = format!("{code}\n");
        let first_line = code.lines().next().unwrap_or("");
        if languages.contains(&language) && !first_line.contains("fragment:") {
            programs.push(Program {
                language: language.into(),
                code,
                output: None,
            });
        } else if language == "text"
            && let Some(last) = programs.last_mut().filter(|p| p.output.is_none())
        {
            last.output = Some(code);
        }
    }
    programs
}
