//! Reads the words and signs of a Rust file.

/// A path of a `use` line, and what it is called; `None` for the path before a `*`.
pub(crate) type Leaf = (Vec<String>, Option<String>);

/// The tokens of a file, and how far they are read.
pub(crate) struct Reader<'t> {
    tokens: Vec<&'t str>,
    at: usize,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(text: &'t str) -> Reader<'t> {
        Reader {
            tokens: tokens(text),
            at: 0,
        }
    }

    pub(crate) fn next(&mut self) -> Option<&'t str> {
        let token = self.tokens.get(self.at).copied();
        self.at += 1;
        token
    }

    pub(crate) fn peek(&self) -> &'t str {
        self.tokens.get(self.at).copied().unwrap_or("")
    }

    /// The token some places before the one that was read last.
    pub(crate) fn before(&self, places: usize) -> &'t str {
        let at = self.at.checked_sub(places + 1);
        at.map_or("", |at| self.tokens[at])
    }

    /// The types in the definition of a struct, whose name comes next, without reading it: it ends
    /// with the brace that closes it, or with a semicolon.
    pub(crate) fn types_of_definition(&self) -> Vec<String> {
        let mut types = vec![];
        let mut open_braces = 0;
        for token in &self.tokens[self.at + 1..] {
            match *token {
                "{" => open_braces += 1,
                "}" => open_braces -= 1,
                _ if token.starts_with(char::is_uppercase) => types.push((*token).to_owned()),
                _ => {}
            }
            if open_braces == 0 && (*token == "}" || *token == ";") {
                break;
            }
        }
        types
    }

    /// The names of `word::b::c`, of which `word` is read already.
    pub(crate) fn path_from(&mut self, word: &str) -> Vec<String> {
        let mut path = vec![word.to_owned()];
        while self.peek() == "::" {
            let after = self.tokens.get(self.at + 1).copied().unwrap_or("");
            if !is_word(after) {
                break; // `::<`
            }
            path.push(after.to_owned());
            self.at += 2;
        }
        path
    }

    /// Reads a tree such as `a::{b, c::*, d as e}`, after the path that leads to it.
    pub(crate) fn read_tree(&mut self, mut path: Vec<String>, leaves: &mut Vec<Leaf>) {
        loop {
            match self.next().expect("a use ends") {
                "::" => {}
                "*" => {
                    leaves.push((path, None));
                    return;
                }
                "{" => {
                    while self.peek() != "}" {
                        self.read_tree(path.clone(), leaves);
                        if self.peek() == "," {
                            self.at += 1;
                        }
                    }
                    self.at += 1;
                    return;
                }
                word => {
                    let is_the_module_itself = word == "self" && !path.is_empty();
                    if !is_the_module_itself {
                        path.push(word.to_owned());
                    }
                    if self.peek() == "::" {
                        continue;
                    }
                    let mut name = path.last().cloned();
                    if self.peek() == "as" {
                        self.at += 1;
                        name = self.next().map(str::to_owned);
                    }
                    leaves.push((path, name));
                    return;
                }
            }
        }
    }
}

/// Words, strings and signs in their order, without comments. A string keeps its quotes, so that no
/// word in it is taken for code. `::` is one sign; all other signs are single characters.
pub(crate) fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = vec![];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let comment = length_of_comment(rest);
        let length = comment
            .or_else(|| length_of_string(rest))
            .or_else(|| length_of_character(rest))
            .or_else(|| length_of_word(rest))
            .or_else(|| rest.starts_with("::").then_some(2))
            .unwrap_or(first.len_utf8());
        let (token, after) = rest.split_at(length);
        if comment.is_none() && !first.is_whitespace() {
            tokens.push(token);
        }
        rest = after;
    }
    tokens
}

/// Whether a token is a name or a keyword.
pub(crate) fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && token.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn length_of_word(text: &str) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let length = text.find(|c| !is_part(c)).unwrap_or(text.len());
    (length > 0).then_some(length)
}

fn length_of_comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if !text.starts_with("/*") {
        return None;
    }
    let mut depth = 0; // comments of this kind may contain one another
    let mut at = 0;
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        if rest.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with(b"*/") {
            depth -= 1;
            at += 2;
        } else {
            at += 1;
        }
        if depth == 0 {
            return Some(at);
        }
    }
    Some(text.len())
}

/// Of `"..."`, `r#"..."#`, and both with `b` or `c` before them.
fn length_of_string(text: &str) -> Option<usize> {
    let after_kind = text.strip_prefix(['b', 'c']).unwrap_or(text);
    let after_raw = after_kind.strip_prefix('r').unwrap_or(after_kind);
    let is_raw = after_raw.len() < after_kind.len();
    let after_hashes = after_raw.trim_start_matches('#');
    let hashes = after_raw.len() - after_hashes.len();
    let contents = after_hashes.strip_prefix('"')?;
    if !is_raw && hashes > 0 {
        return None;
    }
    let before = text.len() - contents.len();
    if is_raw {
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(before + contents.find(&end)? + end.len());
    }
    Some(before + length_to_quote(contents, '"')?)
}

/// Of `'a'` and `'\n'`, but not of a lifetime.
fn length_of_character(text: &str) -> Option<usize> {
    let contents = text.strip_prefix('\'')?;
    let first = contents.chars().next()?;
    let is_short = contents[first.len_utf8()..].starts_with('\'');
    if first == '\\' || is_short {
        Some(1 + length_to_quote(contents, '\'')?)
    } else {
        None
    }
}

/// The length of the text up to and with the first quote that no backslash precedes.
fn length_to_quote(text: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        if c == quote && !is_escaped {
            return Some(at + 1);
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    None
}

#[test]
fn a_name_in_a_comment_or_in_a_string_is_no_word_of_the_code() {
    let text = r##"use a::b; // use c
        /* d /* e */ f */ let g: &'h str = "i \" j"; let k = ('l', '\'', '"', r#"m " n"#);"##;
    let tokens = tokens(text);
    let words: Vec<_> = tokens.into_iter().filter(|token| is_word(token)).collect();
    assert_eq!(words, ["use", "a", "b", "let", "g", "h", "str", "let", "k"]);
}
