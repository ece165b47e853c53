//! What `make bench-peers` measured: a page's tables and a work-precision picture.

mod picture;
mod runs;
mod tables;

use std::error::Error;
use std::fs;

/// Draws the picture and writes the tables between the two marks of the page; the rest of the page stays.
pub(crate) fn report(runs: &str, picture: &str, page: &str) -> Result<(), Box<dyn Error>> {
    const MARKS: [&str; 2] =
        ["<!-- from here on: written by make bench-peers -->\n", "<!-- until here: written by make bench-peers -->\n"];
    let text = fs::read_to_string(runs).map_err(|e| format!("{runs}: {e}"))?;
    let results = runs::Results::read(&text).map_err(|e| format!("{runs}: {e}"))?;
    let old = fs::read_to_string(page).map_err(|e| format!("{page}: {e}"))?;
    let (before, rest) = old.split_once(MARKS[0]).ok_or_else(|| format!("{page} has no line {}", MARKS[0]))?;
    let (_, after) = rest.split_once(MARKS[1]).ok_or_else(|| format!("{page} has no line {}", MARKS[1]))?;

    picture::draw(&results, picture)?;
    fs::write(page, [before, MARKS[0], &tables::markdown(&results)?, MARKS[1], after].concat())?;
    Ok(())
}
