//! The picture of the demo. Each motion is a row of two panels: the angular velocity in the body
//! frame over time, and the path of the tip of a body axis.

use crate::style::{BLACK, COLOURS, GREY, MAGENTA, PURPLE};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::error::Error;
use std::path::Path;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// What the demo compares with the literature.
enum Published {
    /// Period of the rotation about the long axis, and period of the long axis about the angular
    /// momentum.
    Periods([f64; 2]),
    /// Exact time from one flip to the next.
    Flips(f64),
    /// Orientation at the end.
    End([f64; 4]),
}

/// A motion of the demo: its case file (see `c_examples/cases`) and the trajectory that `tumble -o`
/// wrote.
struct Motion {
    title: String,
    time_unit: String,
    published: Published,
    /// Index of the body axis whose tip is drawn.
    axis: usize,
    /// The body has a weight: its axis is seen from above, not along the angular momentum.
    weighs: bool,
    /// time, ω₁, ω₂, ω₃, x, y, z
    rows: Vec<[f64; 7]>,
}

fn read(case: &str, folder: &str) -> Result<Motion, Box<dyn Error>> {
    let text = std::fs::read_to_string(case).map_err(|e| format!("{case}: {e}"))?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let entries: Vec<(&str, &str)> = lines
        .filter_map(|line| line.split_once(' '))
        .map(|(key, value)| (key, value.trim()))
        .collect();
    let entry = |key: &str| {
        entries
            .iter()
            .find(|(name, _)| *name == key)
            .map(|(_, value)| *value)
    };
    let needed = |key: &str| entry(key).ok_or_else(|| format!("{case}: no entry `{key}`"));
    let numbers = |key: &str| -> Result<Vec<f64>, Box<dyn Error>> {
        let parsed: Result<Vec<f64>, _> = needed(key)?.split_whitespace().map(str::parse).collect();
        Ok(parsed.map_err(|e| format!("{case}: {key}: {e}"))?)
    };
    let published = match (needed("observe")?, &*numbers("published")?) {
        ("tumbling", &[about, round]) => Published::Periods([about, round]),
        ("flips", &[between]) => Published::Flips(between),
        ("end", &[w, x, y, z]) => Published::End([w, x, y, z]),
        _ => return Err(format!("{case}: `observe` and `published` do not match").into()),
    };
    let axis = numbers("mark")?
        .iter()
        .position(|x| *x == 1.0)
        .ok_or_else(|| format!("{case}: no axis in `mark`"))?;

    let name = Path::new(case).with_extension("csv");
    let file = Path::new(folder).join(name.file_name().unwrap_or_default());
    let path = file.display();
    let rows = std::fs::read_to_string(&file)
        .map_err(|e| format!("{path}: {e}"))?
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let numbers: Vec<f64> = line.split(',').map(str::parse).collect::<Result<_, _>>()?;
            Ok(numbers
                .try_into()
                .map_err(|_| format!("{path}: a row does not have 7 columns"))?)
        })
        .collect::<Result<Vec<[f64; 7]>, Box<dyn Error>>>()?;
    // of a tumbling body as much as the eye can follow: four periods of the long axis
    let shown = match published {
        Published::Periods([_, round]) => 4.0 * round,
        _ => f64::INFINITY,
    };
    let rows: Vec<_> = rows.into_iter().filter(|row| row[0] <= shown).collect();
    if rows.len() < 2 {
        return Err(format!("{path}: fewer than two rows").into());
    }
    let title = needed("title")?.to_owned();
    let time_unit = needed("time_unit")?.to_owned();
    Ok(Motion {
        title,
        time_unit,
        published,
        axis,
        weighs: entry("weight").is_some(),
        rows,
    })
}

/// Units of the drawing per pixel of the picture: plotters rounds to whole units, so that points have
/// one decimal.
const UNITS: i32 = 10;

const WIDTH: i32 = 1000 * UNITS;
const LEFT: i32 = 650 * UNITS;
/// Height of a row, and of the two lines of text above its panels.
const ROW: i32 = 350 * UNITS;
const HEAD: i32 = 50 * UNITS;
/// Width of the y labels.
const LABELS: i32 = 62 * UNITS;
const MARGIN: i32 = 8 * UNITS;
const THIN: u32 = UNITS as u32;
const THICK: u32 = 2 * THIN;

const CAPTION: (&str, i32) = ("sans-serif", 17 * UNITS);
const NOTE: (&str, i32) = ("sans-serif", 15 * UNITS);
const LEGEND: (&str, i32) = NOTE;

/// The path of the tip, its start and its end, in colours that no component of ω has.
const PATH: RGBColor = BLACK;
const START: RGBColor = PURPLE;
const END: RGBColor = MAGENTA;

pub(crate) fn draw(picture: &str, folder: &str, cases: &[String]) -> Result<(), Box<dyn Error>> {
    let motions = cases
        .iter()
        .map(|case| read(case, folder))
        .collect::<Result<Vec<_>, _>>()?;

    let height = ROW * motions.len() as i32;
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (WIDTH as u32, height as u32));
        let root = root.into_drawing_area();
        root.fill(&WHITE)?;
        for (area, motion) in root.split_evenly((motions.len(), 1)).iter().zip(&motions) {
            let (left, right) = area.split_horizontally(LEFT);
            spin(&left, motion)?;
            path(&right, motion)?;
        }
        root.present()?;
    }
    let size = |width: i32, height: i32| format!("<svg width=\"{width}\" height=\"{height}\"");
    let in_pixels = svg.replacen(
        &size(WIDTH, height),
        &size(WIDTH / UNITS, height / UNITS),
        1,
    );
    Ok(std::fs::write(picture, in_pixels)?)
}

/// A number without superfluous zeros.
fn plain(x: &f64) -> String {
    ((x * 1e6).round() / 1e6).to_string()
}

/// The first time at which a column changes its sign, interpolated.
fn sign_change(rows: &[[f64; 7]], column: usize) -> Option<f64> {
    let pair = rows
        .windows(2)
        .find(|pair| pair[0][column] * pair[1][column] < 0.0)?;
    let ([t0, t1], [a, b]) = ([pair[0][0], pair[1][0]], [pair[0][column], pair[1][column]]);
    Some(t0 + (t1 - t0) * a / (a - b))
}

/// The left panel: angular velocity in the body frame. A bar shows the published period.
fn spin(area: &Area<'_>, motion: &Motion) -> Result<(), Box<dyn Error>> {
    let (unit, rows) = (&motion.time_unit, &motion.rows);
    let (head, body) = area.split_vertically(HEAD);
    let note = match motion.published {
        Published::Periods([about, round]) => {
            format!(
                "published periods: {about} {unit} (rotation about the long axis), {round} {unit} (its precession)"
            )
        }
        Published::Flips(between) => {
            format!("exact time between flips (sign changes of ω₂): {between:.4} {unit}")
        }
        Published::End(q) => {
            let [w, x, y, z] = q.map(|c| format!("{c:.4}").replace('-', "−"));
            format!("published orientation at the end: q = ({w}, {x}, {y}, {z})")
        }
    };
    head.draw(&Text::new(
        &*motion.title,
        (LABELS + MARGIN, MARGIN),
        CAPTION,
    ))?;
    head.draw(&Text::new(note, (LABELS + MARGIN, 30 * UNITS), NOTE))?;
    for (i, (name, colour)) in ["ω₁", "ω₂", "ω₃"].iter().zip(COLOURS).enumerate() {
        let x = LEFT + (52 * i as i32 - 160) * UNITS;
        head.draw(&PathElement::new(
            [(x, 17 * UNITS), (x + 16 * UNITS, 17 * UNITS)],
            colour.stroke_width(THICK),
        ))?;
        head.draw(&Text::new(*name, (x + 21 * UNITS, 10 * UNITS), LEGEND))?;
    }

    let values = || rows.iter().flat_map(|row| row[1..4].to_vec());
    let (low, high) = values().fold((f64::MAX, f64::MIN), |(low, high), v| {
        (low.min(v), high.max(v))
    });
    let (margin, end) = (0.06 * (high - low), rows[rows.len() - 1][0]);
    let period = match motion.published {
        Published::Periods([about, _]) => Some((about, 1, format!("{about} {unit}"))),
        Published::Flips(between) => Some((between, motion.axis, format!("{between:.4} {unit}"))),
        Published::End(_) => None,
    };
    // the bar with the period is above all curves
    let top = high + if period.is_some() { 3.0 } else { 1.0 } * margin;
    let mut chart = ChartBuilder::on(&body)
        .margin_left(MARGIN)
        .margin_right(MARGIN)
        .margin_bottom(MARGIN)
        .x_label_area_size(38 * UNITS)
        .y_label_area_size(LABELS)
        .build_cartesian_2d(rows[0][0]..end, low - margin..top)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .axis_style(BLACK.stroke_width(THIN))
        .bold_line_style(GREY.mix(0.2).stroke_width(THIN))
        .set_all_tick_mark_size(5 * UNITS)
        .label_style(LEGEND)
        .axis_desc_style(LEGEND)
        .x_label_formatter(&plain)
        .y_label_formatter(&plain)
        .x_desc(format!("time ({unit})"))
        .y_desc(format!("ω, body frame (rad/{unit})"))
        .draw()?;
    for (i, colour) in COLOURS.iter().enumerate() {
        chart.draw_series(LineSeries::new(
            rows.iter().map(|row| (row[0], row[1 + i])),
            colour.stroke_width(THICK),
        ))?;
    }
    if let Some((period, component, label)) = period
        && let Some(start) = sign_change(rows, 1 + component)
    {
        let height = high + 1.8 * margin;
        for t in [start, start + period] {
            chart.draw_series([PathElement::new(
                [(t, low), (t, height + 0.5 * margin)],
                GREY.stroke_width(THIN),
            )])?;
        }
        chart.draw_series([PathElement::new(
            [(start, height), (start + period, height)],
            GREY.stroke_width(THICK),
        )])?;
        let text = EmptyElement::at((start + period, height))
            + Text::new(label, (6 * UNITS, -7 * UNITS), NOTE);
        chart.draw_series([text])?;
    }
    Ok(())
}

/// The right panel: the path of the tip of a body axis, with the axis as a unit vector.
fn path(area: &Area<'_>, motion: &Motion) -> Result<(), Box<dyn Error>> {
    let (head, body) = area.split_vertically(HEAD);
    let seen = if motion.weighs {
        "seen from above"
    } else {
        "seen along L"
    };
    let goes_round = match motion.published {
        Published::Periods([_, round]) => {
            format!(": round in {round} {}", motion.time_unit)
        }
        _ => String::new(),
    };
    head.draw(&Text::new(
        format!("tip of body axis {}, {seen}{goes_round}", motion.axis + 1),
        (20 * UNITS, 10 * UNITS),
        NOTE,
    ))?;
    for (x, name, colour) in [(20, "start", START), (90, "end", END)] {
        head.draw(&Circle::new(
            ((x + 5) * UNITS, 37 * UNITS),
            4 * UNITS,
            colour.filled(),
        ))?;
        head.draw(&Text::new(name, ((x + 15) * UNITS, 30 * UNITS), LEGEND))?;
    }
    head.draw(&PathElement::new(
        [(152 * UNITS, 37 * UNITS), (168 * UNITS, 37 * UNITS)],
        GREY.stroke_width(THIN),
    ))?;
    head.draw(&Text::new("unit circle", (173 * UNITS, 30 * UNITS), LEGEND))?;

    let mut chart = ChartBuilder::on(&body)
        .margin_left(MARGIN)
        .margin_right(MARGIN)
        .margin_bottom(MARGIN)
        .x_label_area_size(38 * UNITS)
        .y_label_area_size(48 * UNITS)
        .build_cartesian_2d(-1.2..1.2, -1.08..1.08)?;
    let [x, y] = if motion.weighs {
        ["x", "y"]
    } else {
        ["x, perpendicular to the angular momentum L", "y"]
    };
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .axis_style(BLACK.stroke_width(THIN))
        .bold_line_style(GREY.mix(0.2).stroke_width(THIN))
        .set_all_tick_mark_size(5 * UNITS)
        .label_style(LEGEND)
        .axis_desc_style(LEGEND)
        .x_labels(5)
        .y_labels(5)
        .x_label_formatter(&plain)
        .y_label_formatter(&plain)
        .x_desc(x)
        .y_desc(y)
        .draw()?;
    let circle = (0..=180)
        .map(|i| f64::from(i).to_radians() * 2.0)
        .map(|a| (a.cos(), a.sin()));
    chart.draw_series(LineSeries::new(circle, GREY.stroke_width(THIN)))?;
    chart.draw_series(LineSeries::new(
        motion.rows.iter().map(|row| (row[4], row[5])),
        PATH.stroke_width(THIN),
    ))?;
    let (start, end) = (motion.rows[0], motion.rows[motion.rows.len() - 1]);
    for (row, colour) in [(start, START), (end, END)] {
        chart.draw_series([Circle::new((row[4], row[5]), 4 * UNITS, colour.filled())])?;
    }
    Ok(())
}
