//! Draws the pictures of the demo and of the documentation from files that C programs write.

mod energy;
mod motion;
mod peers;
mod style;

use std::error::Error;

const USAGE: &str = "usage: quatint-plot picture.svg folder motion.case …    (reads folder/motion.csv for each case)
       quatint-plot peers runs.tsv picture.svg page.md evaluations.md …
       quatint-plot energy table.csv picture.svg";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [command, runs, picture, page, evaluations @ ..] if command == "peers" => {
            peers::report(runs, picture, page, evaluations)
        }
        [command, table, picture] if command == "energy" => energy::draw(table, picture),
        [picture, folder, cases @ ..] if picture != "peers" && !cases.is_empty() => {
            motion::draw(picture, folder, cases)
        }
        _ => Err(USAGE.into()),
    }
}
