//! Extracts the programs from the documentation pages, to be compiled and run.

use super::root;
use std::fs;

/// A fenced code block of a page that is a complete program, and its output from the ```text block
/// that follows.
pub struct Program {
    pub language: String,
    pub code: String,
    pub output: Option<String>,
}

/// The programs of a language: those of its page, and those of the page of its other subjects.
pub fn programs_of(name: &str, languages: &[&str]) -> Vec<Program> {
    let mut all = programs(&format!("docs/{name}.md"), languages);
    all.extend(programs(&format!("docs/{name}-programs.md"), languages));
    all
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
