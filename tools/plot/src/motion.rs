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

/// The entries of a case file, a key and a value in each line.
struct Case<'a> {
    path: &'a str,
    entries: Vec<(&'a str, &'a str)>,
}

impl<'a> Case<'a> {
    fn parse(path: &'a str, text: &'a str) -> Self {
        let mut entries = vec![];
        for line in text.lines() {
            if line.starts_with('#') {
                continue;
            }
            if let Some((key, value)) = line.split_once(' ') {
                entries.push((key, value.trim()));
            }
        }
        Case { path, entries }
    }

    fn entry(&self, key: &str) -> Option<&'a str> {
        let mut entries = self.entries.iter();
        let (_, value) = entries.find(|(name, _)| *name == key)?;
        Some(value)
    }

    fn needed(&self, key: &str) -> Result<&'a str, String> {
        let path = self.path;
        self.entry(key)
            .ok_or_else(|| format!("{path}: no entry `{key}`"))
    }

    fn numbers(&self, key: &str) -> Result<Vec<f64>, String> {
        let words = self.needed(key)?.split_whitespace();
        let numbers: Result<Vec<f64>, _> = words.map(str::parse).collect();
        numbers.map_err(|error| format!("{}: {key}: {error}", self.path))
    }

    fn published(&self) -> Result<Published, String> {
        match (self.needed("observe")?, &*self.numbers("published")?) {
            ("tumbling", &[about, round]) => Ok(Published::Periods([about, round])),
            ("flips", &[between]) => Ok(Published::Flips(between)),
            ("end", &[w, x, y, z]) => Ok(Published::End([w, x, y, z])),
            _ => Err(format!(
                "{}: `observe` and `published` do not match",
                self.path
            )),
        }
    }

    fn axis(&self) -> Result<usize, String> {
        let mark = self.numbers("mark")?;
        mark.iter()
            .position(|x| *x == 1.0)
            .ok_or_else(|| format!("{}: no axis in `mark`", self.path))
    }
}

fn read(case: &str, folder: &str) -> Result<Motion, Box<dyn Error>> {
    let text = std::fs::read_to_string(case).map_err(|e| format!("{case}: {e}"))?;
    let entries = Case::parse(case, &text);
    let published = entries.published()?;
    let axis = entries.axis()?;

    let name = Path::new(case).with_extension("csv");
    let file = Path::new(folder).join(name.file_name().unwrap_or_default());
    let path = file.display();
    let mut rows = read_rows(&file).map_err(|e| format!("{path}: {e}"))?;
    // Of a tumbling body as much as the eye can follow: four periods of the long axis.
    if let Published::Periods([_, round]) = published {
        rows.retain(|row| row[0] <= 4.0 * round);
    }
    if rows.len() < 2 {
        return Err(format!("{path}: fewer than two rows").into());
    }
    Ok(Motion {
        title: entries.needed("title")?.to_owned(),
        time_unit: entries.needed("time_unit")?.to_owned(),
        published,
        axis,
        weighs: entries.entry("weight").is_some(),
        rows,
    })
}

fn read_rows(file: &Path) -> Result<Vec<[f64; 7]>, Box<dyn Error>> {
    let mut rows = vec![];
    for line in std::fs::read_to_string(file)?.lines() {
        if line.starts_with('#') {
            continue;
        }
        let numbers: Vec<f64> = line.split(',').map(str::parse).collect::<Result<_, _>>()?;
        let row = numbers.try_into();
        rows.push(row.map_err(|_| "a row does not have 7 columns")?);
    }
    Ok(rows)
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
    let [t0, t1] = [pair[0][0], pair[1][0]];
    let [a, b] = [pair[0][column], pair[1][column]];
    Some(t0 + (t1 - t0) * a / (a - b))
}

/// The left panel: angular velocity in the body frame. A bar shows the published period.
fn spin(area: &Area<'_>, motion: &Motion) -> Result<(), Box<dyn Error>> {
    let (head, body) = area.split_vertically(HEAD);
    spin_head(&head, motion)?;
    spin_chart(&body, motion)
}

/// What the literature says, in a sentence.
fn note(motion: &Motion) -> String {
    let unit = &motion.time_unit;
    match motion.published {
        Published::Periods([about, round]) => format!(
            "published periods: {about} {unit} (rotation about the long axis), {round} {unit} (its precession)"
        ),
        Published::Flips(between) => {
            format!("exact time between flips (sign changes of ω₂): {between:.4} {unit}")
        }
        Published::End(q) => {
            let [w, x, y, z] = q.map(|c| format!("{c:.4}").replace('-', "−"));
            format!("published orientation at the end: q = ({w}, {x}, {y}, {z})")
        }
    }
}

/// Title and note, and the colours of the components.
fn spin_head(head: &Area<'_>, motion: &Motion) -> Result<(), Box<dyn Error>> {
    let left = LABELS + MARGIN;
    head.draw(&Text::new(&*motion.title, (left, MARGIN), CAPTION))?;
    head.draw(&Text::new(note(motion), (left, 30 * UNITS), NOTE))?;
    for (i, (name, colour)) in ["ω₁", "ω₂", "ω₃"].iter().zip(COLOURS).enumerate() {
        let x = LEFT + (52 * i as i32 - 160) * UNITS;
        let line = [(x, 17 * UNITS), (x + 16 * UNITS, 17 * UNITS)];
        head.draw(&PathElement::new(line, colour.stroke_width(THICK)))?;
        head.draw(&Text::new(*name, (x + 21 * UNITS, 10 * UNITS), LEGEND))?;
    }
    Ok(())
}

/// A published period that the chart shows: its length, the component of ω whose first change of
/// sign begins it, and its label.
struct Period {
    length: f64,
    component: usize,
    label: String,
}

fn period(motion: &Motion) -> Option<Period> {
    let unit = &motion.time_unit;
    match motion.published {
        Published::Periods([about, _]) => Some(Period {
            length: about,
            component: 1,
            label: format!("{about} {unit}"),
        }),
        Published::Flips(between) => Some(Period {
            length: between,
            component: motion.axis,
            label: format!("{between:.4} {unit}"),
        }),
        Published::End(_) => None,
    }
}

/// The least and the greatest component of ω.
fn range(rows: &[[f64; 7]]) -> (f64, f64) {
    let mut low = f64::MAX;
    let mut high = f64::MIN;
    for row in rows {
        for omega in &row[1..4] {
            low = low.min(*omega);
            high = high.max(*omega);
        }
    }
    (low, high)
}

fn spin_chart(body: &Area<'_>, motion: &Motion) -> Result<(), Box<dyn Error>> {
    let rows = &motion.rows;
    let unit = &motion.time_unit;
    let (low, high) = range(rows);
    let margin = 0.06 * (high - low);
    let end = rows[rows.len() - 1][0];
    let period = period(motion);
    // The bar with the period is above all curves.
    let margins_above = if period.is_some() { 3.0 } else { 1.0 };
    let top = high + margins_above * margin;
    let mut chart = ChartBuilder::on(body)
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
    if let Some(period) = period
        && let Some(start) = sign_change(rows, 1 + period.component)
    {
        let end = start + period.length;
        let height = high + 1.8 * margin;
        for t in [start, end] {
            let line = [(t, low), (t, height + 0.5 * margin)];
            chart.draw_series([PathElement::new(line, GREY.stroke_width(THIN))])?;
        }
        let bar = [(start, height), (end, height)];
        chart.draw_series([PathElement::new(bar, GREY.stroke_width(THICK))])?;
        let label = Text::new(period.label, (6 * UNITS, -7 * UNITS), NOTE);
        chart.draw_series([EmptyElement::at((end, height)) + label])?;
    }
    Ok(())
}

/// The right panel: the path of the tip of a body axis, with the axis as a unit vector.
fn path(area: &Area<'_>, motion: &Motion) -> Result<(), Box<dyn Error>> {
    let (head, body) = area.split_vertically(HEAD);
    path_head(&head, motion)?;
    path_chart(&body, motion)
}

/// What is drawn, and what the points and the circle mean.
fn path_head(head: &Area<'_>, motion: &Motion) -> Result<(), Box<dyn Error>> {
    let axis = motion.axis + 1;
    let seen = if motion.weighs {
        "seen from above"
    } else {
        "seen along L"
    };
    let goes_round = match motion.published {
        Published::Periods([_, round]) => format!(": round in {round} {}", motion.time_unit),
        _ => String::new(),
    };
    let title = format!("tip of body axis {axis}, {seen}{goes_round}");
    head.draw(&Text::new(title, (20 * UNITS, 10 * UNITS), NOTE))?;
    for (x, name, colour) in [(20, "start", START), (90, "end", END)] {
        let centre = ((x + 5) * UNITS, 37 * UNITS);
        head.draw(&Circle::new(centre, 4 * UNITS, colour.filled()))?;
        head.draw(&Text::new(name, ((x + 15) * UNITS, 30 * UNITS), LEGEND))?;
    }
    let line = [(152 * UNITS, 37 * UNITS), (168 * UNITS, 37 * UNITS)];
    head.draw(&PathElement::new(line, GREY.stroke_width(THIN)))?;
    head.draw(&Text::new("unit circle", (173 * UNITS, 30 * UNITS), LEGEND))?;
    Ok(())
}

fn path_chart(body: &Area<'_>, motion: &Motion) -> Result<(), Box<dyn Error>> {
    let mut chart = ChartBuilder::on(body)
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
    let mut circle = vec![];
    for i in 0..=180 {
        let angle = f64::from(i).to_radians() * 2.0;
        circle.push((angle.cos(), angle.sin()));
    }
    chart.draw_series(LineSeries::new(circle, GREY.stroke_width(THIN)))?;
    chart.draw_series(LineSeries::new(
        motion.rows.iter().map(|row| (row[4], row[5])),
        PATH.stroke_width(THIN),
    ))?;
    let start = motion.rows[0];
    let end = motion.rows[motion.rows.len() - 1];
    for (row, colour) in [(start, START), (end, END)] {
        chart.draw_series([Circle::new((row[4], row[5]), 4 * UNITS, colour.filled())])?;
    }
    Ok(())
}
