//! The picture of energy errors over a million steps, a line for each method, from the table of
//! `benches/energy.c`.

use crate::style::{BROWN, CAPTION, LEGEND, RED, of_method, power};
use plotters::prelude::*;
use std::error::Error;

/// A column of the table for each.
const LINES: usize = 8;
const SIZE: (u32, u32) = (900, 520);
/// Width of the names to the right of the lines.
const NAMES: u32 = 225;

/// Of a line: what programs do by hand has colours of its own.
fn colour(name: &str) -> RGBColor {
    match name {
        "PCDM extrapolated" => BROWN,
        "Richardson, as in LAMMPS" => RED,
        _ => of_method(name),
    }
}

pub(crate) fn draw(table: &str, picture: &str) -> Result<(), Box<dyn Error>> {
    let text = std::fs::read_to_string(table).map_err(|e| format!("{table}: {e}"))?;
    let Table { names, rows } = parse(&text).map_err(|e| format!("{table}: {e}"))?;
    let last = rows.last().ok_or("the table has no rows")?;

    let root = SVGBackend::new(picture, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption("Heavy asymmetric top, ω ≈ 5 rad/s, step 0.01 s", CAPTION)
        .margin(8)
        .margin_right(NAMES)
        .x_label_area_size(38)
        .y_label_area_size(62)
        .build_cartesian_2d((1.0..last[0]).log_scale(), (1e-16..10.0).log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .label_style(LEGEND)
        .axis_desc_style(LEGEND)
        .x_labels(7)
        .y_labels(18)
        .x_label_formatter(&power)
        .y_label_formatter(&power)
        .x_desc("steps")
        .y_desc("greatest relative error of the energy so far")
        .draw()?;
    for (i, name) in names.iter().enumerate() {
        let points = rows
            .iter()
            .map(|row| (row[0], row[i + 1]))
            .filter(|point| point.1 > 0.0);
        chart.draw_series(LineSeries::new(points, colour(name).stroke_width(2)))?;
    }
    // Each name stands at the end of its line, below the name of the line above it.
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|a, b| last[b + 1].total_cmp(&last[a + 1]));
    let mut lowest = i32::MIN;
    for i in order {
        let (x, y) = chart.backend_coord(&(last[0], last[i + 1]));
        lowest = (y - 8).max(lowest.saturating_add(18));
        root.draw(&Text::new(
            names[i],
            (x + 8, lowest),
            LEGEND.into_font().color(&colour(names[i])),
        ))?;
    }
    root.present()?;
    Ok(())
}

/// The names of the methods, and rows of the number of steps and an error for each of them.
struct Table<'a> {
    names: Vec<&'a str>,
    rows: Vec<Vec<f64>>,
}

fn parse(text: &str) -> Result<Table<'_>, Box<dyn Error>> {
    let mut lines = text.lines();
    let head = lines.next().ok_or("the table is empty")?;
    let names: Vec<&str> = head.split(';').skip(1).collect();
    let columns = LINES + 1;
    let mut rows = vec![];
    for line in lines {
        let row: Vec<f64> = line.split(';').map(str::parse).collect::<Result<_, _>>()?;
        if row.len() != columns {
            return Err(format!("not {columns} columns in each row").into());
        }
        rows.push(row);
    }
    if names.len() != LINES {
        return Err(format!("not {columns} columns in each row").into());
    }
    Ok(Table { names, rows })
}
