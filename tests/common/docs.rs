//! The programs that the pages print, taken out of them to be compiled and run.

use super::root;
use std::fs;

/// A fenced block of a page that is a whole program, and the ```text block that follows it: what it prints.
pub struct Program {
    pub language: String,
    pub code: String,
    pub output: Option<String>,
}

/// The fenced blocks in some of these languages, in the order of the page. A ```text block (with nothing but prose before it)
/// belongs to the program above it; a block whose first line contains `fragment:` is a part to be shown, not run, and left out.
pub fn programs(page: &str, languages: &[&str]) -> Vec<Program> {
    let text = fs::read_to_string(root().join(page)).unwrap_or_else(|e| panic!("{page}: {e}"));
    let mut programs: Vec<Program> = vec![];
    let mut fences = text.split("\n```");
    fences.next();
    while let (Some(block), _after) = (fences.next(), fences.next()) {
        let (language, code) = block.split_once('\n').expect("a fence ends its line");
        let code = format!("{code}\n");
        if languages.contains(&language) && !code.lines().next().is_some_and(|l| l.contains("fragment:")) {
            programs.push(Program { language: language.into(), code, output: None });
        } else if language == "text"
            && let Some(last) = programs.last_mut().filter(|p| p.output.is_none())
        {
            last.output = Some(code);
        }
    }
    programs
}
