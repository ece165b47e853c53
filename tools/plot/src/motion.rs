//! The motions of the demo: a row of two panels for each, the angular velocity in the body frame over time, and the path of
//! the marked axis.

use crate::style::{BLUE, CAPTION, COLOURS, GREEN, LEGEND, ORANGE};
use plotters::prelude::*;
use std::error::Error;

struct Motion {
    title: String,
    time_label: String,
    /// time, ω₁, ω₂, ω₃, x, y, z
    rows: Vec<[f64; 7]>,
}

fn read(path: &str) -> Result<Motion, Box<dyn Error>> {
    let text = std::fs::read_to_string(path)?;
    let mut comments = text.lines().filter_map(|line| line.strip_prefix("# "));
    let title = comments.next().unwrap_or(path).to_owned();
    let time_label = comments.next().and_then(|names| names.split(',').next()).unwrap_or("time").to_owned();
    let rows = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let numbers: Vec<f64> = line.split(',').map(str::parse).collect::<Result<_, _>>()?;
            Ok(numbers.try_into().map_err(|_| format!("{path}: a row has not 7 columns"))?)
        })
        .collect::<Result<Vec<[f64; 7]>, Box<dyn Error>>>()?;
    if rows.len() < 2 {
        return Err(format!("{path}: nothing to draw").into());
    }
    Ok(Motion { title, time_label, rows })
}

fn range(values: impl Iterator<Item = f64>) -> std::ops::Range<f64> {
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
    let margin = 0.06 * (high - low).max(1e-12);
    low - margin..high + margin
}

pub(crate) fn draw(picture: &str, files: &[String]) -> Result<(), Box<dyn Error>> {
    let motions = files.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;

    let root = SVGBackend::new(picture, (1000, 330 * motions.len() as u32)).into_drawing_area();
    root.fill(&WHITE)?;
    for (area, motion) in root.split_evenly((motions.len(), 1)).iter().zip(&motions) {
        let (spin, path) = area.split_horizontally(660);

        let mut chart = ChartBuilder::on(&spin)
            .caption(&motion.title, CAPTION)
            .margin(8)
            .x_label_area_size(34)
            .y_label_area_size(56)
            .build_cartesian_2d(
                motion.rows[0][0]..motion.rows[motion.rows.len() - 1][0],
                range(motion.rows.iter().flat_map(|row| row[1..4].to_vec())),
            )?;
        let y_label = "angular velocity, body frame";
        chart.configure_mesh().light_line_style(TRANSPARENT).x_desc(&motion.time_label).y_desc(y_label).draw()?;
        for (i, colour) in COLOURS.iter().enumerate() {
            let line = LineSeries::new(motion.rows.iter().map(|row| (row[0], row[1 + i])), colour.stroke_width(2));
            let legend = move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2));
            chart.draw_series(line)?.label(["ω₁", "ω₂", "ω₃"][i]).legend(legend);
        }
        chart.configure_series_labels().label_font(LEGEND).background_style(WHITE.mix(0.8)).draw()?;

        let mut chart = ChartBuilder::on(&path)
            .caption("path of the marked axis", CAPTION)
            .margin(8)
            .x_label_area_size(34)
            .y_label_area_size(34)
            .build_cartesian_2d(-1.15..1.15, -1.05..1.05)?;
        chart.configure_mesh().light_line_style(TRANSPARENT).x_labels(5).y_labels(5).draw()?;
        let circle = (0..=180).map(|i| f64::from(i).to_radians() * 2.0).map(|a| (a.cos(), a.sin()));
        chart.draw_series(LineSeries::new(circle, BLACK.mix(0.3)))?;
        chart.draw_series(LineSeries::new(motion.rows.iter().map(|row| (row[4], row[5])), BLUE.stroke_width(1)))?;
        let (start, end) = (motion.rows[0], motion.rows[motion.rows.len() - 1]);
        chart.draw_series([Circle::new((start[4], start[5]), 4, GREEN.filled())])?;
        chart.draw_series([Circle::new((end[4], end[5]), 4, ORANGE.filled())])?;
    }
    root.present()?;
    Ok(())
}
