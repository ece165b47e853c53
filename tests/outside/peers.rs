//! The part of `make bench-peers` that needs no other library: its program measures quatint and the hand-written
//! method, and the page and the picture are made from these results.

use crate::common::{Library, root, scratch, success};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs one round of the comparison for the contenders of `quatint.c`. Returns the file with the results.
fn compared(folder: &Path) -> std::path::PathBuf {
    let release = Library::Shared
        .path()
        .parent()
        .expect("in a folder")
        .to_owned();
    let sources = root().join("benches/peers");
    let [plugin, program, rows] =
        ["quatint.so", "compare", "runs.tsv"].map(|name| folder.join(name));
    let gcc = || {
        let mut gcc = Command::new("gcc");
        gcc.args(["-O3", "-march=native", "-Wall", "-Wextra", "-Werror"]);
        gcc
    };
    let mut library = gcc();
    library
        .args(["-shared", "-fPIC", "-o"])
        .arg(&plugin)
        .arg(sources.join("quatint.c"));
    library
        .arg("-I")
        .arg(root().join("include"))
        .arg("-L")
        .arg(&release);
    success(
        library
            .arg(format!("-Wl,-rpath,{}", release.display()))
            .args(["-lquatint", "-lm"]),
    );
    success(
        gcc()
            .arg("-o")
            .arg(&program)
            .arg(sources.join("compare.c"))
            .args(["-lm", "-ldl"]),
    );
    fs::write(
        &rows,
        success(Command::new(&program).arg("--quick").arg(&plugin)).stdout,
    )
    .expect("writable");
    rows
}

fn report(rows: &Path, picture: &Path, page: &Path) -> std::process::Output {
    let mut plot = Command::new(env!("CARGO"));
    plot.args(["run", "--quiet", "-p", "quatint-plot", "--", "peers"])
        .current_dir(root());
    plot.args([rows, picture, page])
        .output()
        .expect("cargo starts")
}

/// The contenders of `quatint.c`, and in how many problems they take part.
const CONTENDERS: [(&str, usize); 16] = [
    ("quatint PCDM, callback", 2),
    ("quatint PCDM", 2),
    ("quatint SPLITTING", 2),
    ("quatint SPLITTING_4", 1),
    ("quatint SPLITTING_6", 1),
    ("quatint FORCE_GRADIENT", 1),
    ("quatint CF4", 2),
    ("quatint drift", 1),
    ("quatint PCDM, 4096 bodies", 3),
    ("quatint SPLITTING, 4096 bodies", 3),
    ("quatint SPLITTING_4, 4096 bodies", 2),
    ("quatint SPLITTING_6, 4096 bodies", 2),
    ("quatint FORCE_GRADIENT, 4096 bodies", 2),
    ("quatint CF4, 4096 bodies", 3),
    ("quatint drift, 4096 bodies", 1),
    ("C by hand", 2),
];

#[test]
fn the_page_and_the_picture_are_made_of_what_was_measured() {
    let folder = scratch("peers");
    let rows = compared(&folder);
    let [picture, page] = ["peers.svg", "peers.md"].map(|name| folder.join(name));
    let committed = fs::read_to_string(root().join("docs/peers-tables.md")).expect("there");
    fs::write(&page, &committed).expect("writable");
    let output = report(&rows, &picture, &page);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );

    // quatint's results are bitwise reproducible, so its errors are those of the committed page on any machine
    let made = fs::read_to_string(&page).expect("there");
    let rows = |page: &str, contender: &str| -> Vec<(String, String)> {
        let start = format!("| {contender} | h = ");
        let lines = page.lines().filter(|line| line.starts_with(&start));
        lines
            .map(|line| line.split(" | ").collect::<Vec<_>>())
            .map(|c| (c[5].into(), c[6].into()))
            .collect()
    };
    for (contender, problems) in CONTENDERS {
        let [here, there] = [&made, &committed].map(|page| rows(page, contender));
        assert_eq!(here.len(), problems, "{contender}: a row for each problem");
        assert_eq!(
            there.len(),
            problems,
            "{contender}: a row for each problem of the committed page"
        );
        for ((error, order), (committed, _)) in here.iter().zip(&there) {
            assert_eq!(error, committed, "{contender}");
            let Some((nominal, measured)) = order.split_once(", ") else {
                continue;
            };
            let Ok(measured) = measured.parse::<f64>() else {
                continue;
            };
            let nominal: f64 = nominal.parse().expect("a number");
            // long steps of high order converge faster than their order
            let good = if nominal == 2.0 {
                (measured - nominal).abs() < 0.15
            } else {
                measured > nominal - 0.5
            };
            assert!(good, "{contender}: order {order}");
        }
    }
    let orders_of = |contender: &str| {
        rows(&made, contender)
            .into_iter()
            .map(|(_, order)| order)
            .collect::<Vec<_>>()
    };
    for exact in [
        "quatint SPLITTING",
        "quatint SPLITTING, 4096 bodies",
        "quatint drift",
        "quatint drift, 4096 bodies",
    ] {
        assert_eq!(orders_of(exact)[0], "exact", "{exact}: without torque");
    }
    // error control: the two tops and the driven body, each with the same steps as in the committed page
    for contender in ["quatint qi_solve", "quatint qi_solve, callback"] {
        let steps = |page: &str| -> Vec<String> {
            let start = format!("| {contender} | tol 1e-8 | ");
            page.lines()
                .filter_map(|line| line.strip_prefix(&start))
                .map(|rest| rest[..2].to_string())
                .collect()
        };
        assert_eq!(
            steps(&made).len(),
            1,
            "{contender} in the table of the heavy top"
        );
        assert_eq!(steps(&made), steps(&committed), "{contender}");
    }
    for power in 1..=12 {
        let costs = made
            .lines()
            .filter(|line| line.starts_with(&format!("| 1e-{power} | ")))
            .count();
        let of_one = if [4, 6, 8, 10, 12].contains(&power) {
            3
        } else {
            0
        };
        assert_eq!(
            costs,
            3 + of_one,
            "the time at 1e-{power}, for each problem with many bodies, and with one"
        );
    }
    let [prose, prose_committed] =
        [&made, &committed].map(|page| page.split("<!-- from here").next().expect("some"));
    assert_eq!(prose, prose_committed, "what was written by hand stays");

    let drawn = fs::read_to_string(&picture).expect("there");
    let figures = [
        "One body, steps chosen by a tolerance",
        "One body, steps of equal length",
        "4096 bodies, one thread",
    ];
    let panels = [
        "free top",
        "heavy top",
        "heavy asymmetric top",
        "driven body",
    ];
    let names = ["SPLITTING_6", "qi_solve", "drift", "C by hand"];
    for text in figures.into_iter().chain(panels).chain(names) {
        assert!(drawn.contains(text), "{text} is not in the picture");
    }
    assert!(
        drawn.matches("<polyline").count() >= 20,
        "a line for each contender in each panel"
    );
}

#[test]
fn a_page_without_the_marks_is_left_alone() {
    let folder = scratch("peers_bad");
    let [rows, picture, page] = ["runs.tsv", "peers.svg", "peers.md"].map(|name| folder.join(name));
    fs::write(
        &rows,
        "machine\tM\ncontender\tA\tB\tC\tD\tE\tF\t2\t0\t1\nproblem\tp\tP\t1\t10\t1\nrun\tp\tA\t10\t10\t20\t1\t0.1\t0.1\n",
    )
    .expect("writable");
    fs::write(&page, "# by hand\n").expect("writable");
    let output = report(&rows, &picture, &page);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("has no line <!-- from here on"));
    assert_eq!(fs::read_to_string(&page).expect("there"), "# by hand\n");
}
