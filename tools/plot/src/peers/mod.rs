//! Turns the results of `make bench-peers` into the tables of a page and a work-precision picture.

mod picture;
mod runs;
mod tables;

use std::error::Error;
use std::fs;

/// Draws the picture, and replaces the tables between the two marks of the page, with those of the
/// `evaluations` at their end. The rest of the page is unchanged.
pub(crate) fn report(
    runs: &str,
    picture: &str,
    page: &str,
    evaluations: &[String],
) -> Result<(), Box<dyn Error>> {
    const MARKS: [&str; 2] = [
        "<!-- from here on: written by make bench-peers -->\n",
        "<!-- until here: written by make bench-peers -->\n",
    ];
    let text = fs::read_to_string(runs).map_err(|e| format!("{runs}: {e}"))?;
    let results = runs::Results::read(&text).map_err(|e| format!("{runs}: {e}"))?;
    let old = fs::read_to_string(page).map_err(|e| format!("{page}: {e}"))?;
    let (before, rest) = old
        .split_once(MARKS[0])
        .ok_or_else(|| format!("{page} has no line {}", MARKS[0]))?;
    let (_, after) = rest
        .split_once(MARKS[1])
        .ok_or_else(|| format!("{page} has no line {}", MARKS[1]))?;

    let mut written = tables::markdown(&results)?;
    for table in evaluations {
        written += &fs::read_to_string(table).map_err(|e| format!("{table}: {e}"))?;
    }
    picture::draw(&results, picture)?;
    fs::write(page, [before, MARKS[0], &written, MARKS[1], after].concat())?;
    Ok(())
}
