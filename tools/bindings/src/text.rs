//! Lines of bounded length, and words within a text.

/// A space at which no line is broken.
pub(crate) const NO_BREAK: &str = "\u{a0}";

/// A text that is broken after its commas alone.
pub(crate) fn breaking_at_commas(text: &str) -> String {
    text.replace(' ', NO_BREAK)
        .replace(&format!(",{NO_BREAK}"), ", ")
}

/// A text in lines of at most this width, the first of which begins with `first`, the others with
/// `others`.
pub(crate) fn in_lines(width: usize, first: &str, others: &str, text: &str) -> String {
    Lines {
        first,
        others,
        continued: "",
        width,
    }
    .of(text)
}

/// How lines are broken: what the first and the others begin with, and what a line that goes on
/// ends with.
pub(crate) struct Lines<'a> {
    pub(crate) first: &'a str,
    pub(crate) others: &'a str,
    pub(crate) continued: &'a str,
    pub(crate) width: usize,
}

impl Lines<'_> {
    /// Breaks a text at its spaces, but not at [`NO_BREAK`]. Each line ends with a line break.
    pub(crate) fn of(&self, text: &str) -> String {
        let mut lines = vec![];
        let mut line = self.first.to_owned();
        let mut empty = true;
        for word in text.split(' ') {
            let length = line.chars().count() + 1 + word.chars().count() + self.continued.len();
            if !empty && length > self.width {
                lines.push(line + self.continued);
                line = self.others.to_owned();
                empty = true;
            }
            if !empty {
                line.push(' ');
            }
            line.push_str(word);
            empty = false;
        }
        lines.push(line);
        lines.join("\n").replace(NO_BREAK, " ") + "\n"
    }
}

/// The text if it is short enough. If not, what it says before its first colon or semicolon.
pub(crate) fn brief(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    for (end, _) in text.match_indices([':', ';']) {
        let before = &text[..end];
        let after = &text[end + 1..];
        if after.starts_with(' ') && has_balanced_brackets(before) {
            return format!("{before}.");
        }
    }
    text.to_owned()
}

fn has_balanced_brackets(text: &str) -> bool {
    text.matches('(').count() == text.matches(')').count()
}

pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// With a small first letter.
pub(crate) fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| {
        first.to_lowercase().chain(letters).collect()
    })
}

/// "Lets drag act." is "Let drag act."
pub(crate) fn imperative(text: &str) -> String {
    let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
    let verb = match verb.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => verb.strip_suffix('s').unwrap_or(verb).to_owned(),
    };
    format!("{verb} {rest}")
}

/// The text with each `{name}` as the language writes it.
pub(crate) fn with_names(text: &str, written: impl Fn(&str) -> String) -> String {
    let mut parts = text.split('{');
    let mut whole = parts.next().unwrap_or("").to_owned();
    for part in parts {
        match part.split_once('}') {
            Some((name, after)) => whole += &(written(name) + after),
            None => whole += part,
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_broken_at_spaces_and_each_line_says_that_it_goes_on() {
        let lines = Lines {
            first: "call f(",
            others: "   ",
            continued: " &",
            width: 13,
        };
        assert_eq!(lines.of("a, b, c, d)"), "call f(a, &\n   b, c, d)\n");
    }

    #[test]
    fn a_word_that_is_longer_than_a_line_has_one_of_its_own() {
        assert_eq!(in_lines(5, "", "", "a incredible b"), "a\nincredible\nb\n");
    }

    #[test]
    fn a_text_that_is_too_long_is_cut_before_its_first_colon_outside_of_brackets() {
        let text = "Take steps (all: or none): until the end; and more.";
        assert_eq!(brief(text, 50), "Take steps (all: or none).");
        assert_eq!(brief(text, 51), text);
        assert_eq!(brief("Take steps.", 5), "Take steps.");
    }
}
