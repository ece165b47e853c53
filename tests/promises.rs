//! docs/promises.md names tests that exist.

mod common;

use common::root;
use std::fs;

#[test]
fn every_test_on_the_page_of_promises_exists() {
    let page = fs::read_to_string(root().join("docs/promises.md")).expect("the page");
    let named: Vec<_> = page.split('`').skip(1).step_by(2).filter_map(|code| code.split_once(": ")).collect();
    assert!(named.len() > 40, "only {} tests were found on the page", named.len());
    for (file, test) in named {
        let text = fs::read_to_string(root().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        assert!(text.contains(test), "{file} has no {test}");
    }
    for row in page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| promise |")) {
        assert!(row.contains("`tests/") || row.contains("`unsafe_code`"), "no test holds: {row}");
    }
}
