//! The generated parts of a file: each is the lines between two marker lines.

const END: &str = " ---- end of what `make bindings` writes";

/// The file with another generated part: the one from `source`. `comment` is what a comment line
/// begins with.
pub(crate) fn replaced(
    file: &str,
    comment: &str,
    source: &str,
    generated: &str,
) -> Result<String, String> {
    let start =
        format!("\n{comment} ---- `make bindings` writes these lines from {source}: do not edit");
    let end = format!("\n{comment}{END}\n");
    let (before, rest) = file.split_once(&start).ok_or_else(|| missing(&start))?;
    let (_, after) = rest.split_once(&end).ok_or_else(|| missing(&end))?;
    let generated = generated.trim_end();
    Ok(format!("{before}{start}\n{generated}{end}{after}"))
}

fn missing(line: &str) -> String {
    format!("the line `{}` is missing", line.trim())
}

/// The number of the first line that differs, from 1.
pub(crate) fn first_difference(one: &str, other: &str) -> Option<usize> {
    if one == other {
        return None;
    }
    let pairs = one.lines().zip(other.lines());
    Some(1 + pairs.take_while(|(a, b)| a == b).count())
}

/// The line with this number, from 1; empty after the last.
pub(crate) fn line(text: &str, number: usize) -> &str {
    text.lines().nth(number - 1).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "by hand\n# ---- `make bindings` writes these lines from include/quatint.h: do not edit\nold\n\
                        # ---- end of what `make bindings` writes\nby hand too\n";

    #[test]
    fn only_the_lines_between_the_markers_are_replaced() {
        let new = replaced(FILE, "#", "include/quatint.h", "new\nlines\n").unwrap();
        assert_eq!(new, FILE.replace("old", "new\nlines"));
        assert_eq!(
            replaced(&FILE.replace("old\n", ""), "#", "include/quatint.h", "old").unwrap(),
            FILE
        );
    }

    #[test]
    fn a_file_without_a_marker_is_refused_with_the_line_that_is_missing() {
        let error = replaced(
            &FILE.replace("---- end", "end"),
            "#",
            "include/quatint.h",
            "",
        )
        .unwrap_err();
        assert_eq!(
            error,
            "the line `# ---- end of what `make bindings` writes` is missing"
        );
    }

    #[test]
    fn a_file_that_ends_early_differs_in_the_line_after_its_last() {
        assert_eq!(first_difference("a\nb\n", "a\nb\nc\n"), Some(3));
        assert_eq!(first_difference("a\n", "a\n"), None);
    }
}
