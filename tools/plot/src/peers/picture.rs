//! The work-precision picture: error over cost, with a panel for each problem and a line for each contender, two panels in a row.
//! Contenders of one body are above, those of many bodies below.

use super::runs::{Contender, Problem, Results, Run};
use crate::style::{
    BLACK, BLUE, BROWN, CAPTION, GOLD, GREEN, GREY, LEGEND, LIME, MAGENTA, NAVY, ORANGE, PINK,
    PURPLE, RED, SKY, power,
};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::error::Error;

/// Each method of quatint has a colour, and each other library. The first entry with which a name begins counts.
const COLOURS: [(&str, RGBColor); 15] = [
    ("quatint PCDM", BLUE),
    ("quatint SPLITTING_4", GREEN),
    ("quatint SPLITTING_6", BLACK),
    ("quatint SPLITTING", SKY),
    ("quatint FORCE_GRADIENT", NAVY),
    ("quatint CF4", GOLD),
    ("quatint qi_solve", MAGENTA),
    ("quatint drift", LIME),
    ("GSL", ORANGE),
    ("CVODE", PINK),
    ("ARKODE", PINK),
    ("odeint", PURPLE),
    ("ODE", BROWN),
    ("Bullet", RED),
    ("", GREY), // all others
];

/// Callbacks are not drawn: their lines are next to those of the ready-made torque.
const LEFT_OUT: &str = ", callback";

#[derive(Clone, Copy)]
struct Look {
    colour: RGBColor,
    mark: usize,
    width: u32,
}

fn looks(contenders: &[&Contender]) -> Vec<Look> {
    let mut seen = vec![];
    let look = |c: &&Contender| {
        let (_, colour) = COLOURS
            .iter()
            .find(|(name, _)| c.name.starts_with(name))
            .expect("the last has any name");
        let of_quatint = c.name.starts_with("quatint");
        let family = if of_quatint { BLUE } else { *colour };
        let mark = seen.iter().filter(|other| **other == family).count();
        seen.push(family);
        Look {
            colour: *colour,
            mark,
            width: if of_quatint || c.bodies > 1 { 3 } else { 1 },
        }
    };
    contenders.iter().map(look).collect()
}

/// Outlines of the marks around (0, 0), in pixels.
const MARKS: [&[(i32, i32)]; 4] = [
    &[
        (-2, -4),
        (2, -4),
        (4, -2),
        (4, 2),
        (2, 4),
        (-2, 4),
        (-4, 2),
        (-4, -2),
    ],
    &[(0, -5), (5, 4), (-5, 4)],
    &[(-4, -4), (4, -4), (4, 4), (-4, 4)],
    &[(0, -6), (6, 0), (0, 6), (-6, 0)],
];

impl Look {
    fn outline(self, (x, y): (i32, i32)) -> Vec<(i32, i32)> {
        MARKS[self.mark % MARKS.len()]
            .iter()
            .map(|(dx, dy)| (x + dx, y + dy))
            .collect()
    }
}

const COLUMNS: usize = 2;
const PANEL: u32 = 520;
const LEGEND_WIDTH: u32 = 220;
const HEIGHT: u32 = 500;

/// Runs with a greater error are not drawn: they are meaningless.
const GREATEST: f64 = 1.0;
/// An error below rounding is drawn here.
const LEAST: f64 = 1e-16;

pub(crate) fn draw(results: &Results, path: &str) -> Result<(), Box<dyn Error>> {
    // the rows of panels: of one body, then of many; with the contenders, and how they look, for the legend
    let mut rows = vec![];
    for many in [false, true] {
        let drawn = |i: &usize| {
            let contender = &results.contenders[*i];
            (contender.bodies > 1) == many && !contender.name.ends_with(LEFT_OUT)
        };
        let mut contenders: Vec<usize> = (0..results.contenders.len()).filter(drawn).collect();
        // a free body is drawn once
        let took_part = |p: &&Problem| {
            (p.torqued || !many) && contenders.iter().any(|&i| !p.runs[i].is_empty())
        };
        let problems: Vec<&Problem> = results.problems.iter().filter(took_part).collect();
        contenders.retain(|&i| problems.iter().any(|p| !p.runs[i].is_empty()));
        let looks = looks(
            &contenders
                .iter()
                .map(|&i| &results.contenders[i])
                .collect::<Vec<_>>(),
        );
        let all: Vec<(usize, Look)> = contenders.into_iter().zip(looks).collect();
        for problems in problems.chunks(COLUMNS) {
            let mut shown = all.clone();
            shown.retain(|&(i, _)| problems.iter().any(|p| !p.runs[i].is_empty()));
            rows.push((many, shown, problems.to_vec()));
        }
    }
    let size = (
        PANEL * COLUMNS as u32 + LEGEND_WIDTH,
        HEIGHT * rows.len() as u32,
    );
    let root = SVGBackend::new(path, size).into_drawing_area();
    root.fill(&WHITE)?;

    for (row, (many, shown, problems)) in root.split_evenly((rows.len(), 1)).iter().zip(rows) {
        let (left, legend) = row.split_horizontally(PANEL * COLUMNS as u32);
        let looks: Vec<Look> = shown.iter().map(|(_, look)| *look).collect();
        for (area, problem) in left.split_evenly((1, COLUMNS)).iter().zip(problems) {
            let caption = format!(
                "{}, {}",
                problem.name,
                if many { "4096 bodies" } else { "one body" }
            );
            let runs: Vec<&[Run]> = shown.iter().map(|&(i, _)| &*problem.runs[i]).collect();
            panel(area, &caption, &runs, &looks)?;
        }
        for (k, (i, look)) in shown.iter().enumerate() {
            let y = 50 + 26 * k as i32;
            let name = results.contenders[*i].name.replace(", 4096 bodies", "");
            legend.draw(&PathElement::new(
                [(4, y), (36, y)],
                look.colour.stroke_width(look.width),
            ))?;
            legend.draw(&Polygon::new(look.outline((20, y)), look.colour.filled()))?;
            legend.draw(&Text::new(name, (44, y - 7), LEGEND))?;
        }
    }
    root.present()?;
    Ok(())
}

/// The points of the runs, from coarse to fine. A run is left out if a finer one costs less.
fn points(runs: &[Run]) -> Vec<(f64, f64)> {
    let drawn = |(i, run): &(usize, &Run)| {
        run.error < GREATEST && runs[*i..].iter().all(|finer| run.cost <= finer.cost)
    };
    runs.iter()
        .enumerate()
        .filter(drawn)
        .map(|(_, run)| (run.cost, run.error.max(LEAST)))
        .collect()
}

fn panel(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    caption: &str,
    runs: &[&[Run]],
    looks: &[Look],
) -> Result<(), Box<dyn Error>> {
    let lines: Vec<Vec<(f64, f64)>> = runs.iter().map(|runs| points(runs)).collect();
    let (mut costs, mut least_error) = ((f64::MAX, f64::MIN), GREATEST);
    for (cost, error) in lines.iter().flatten() {
        costs = (costs.0.min(*cost), costs.1.max(*cost));
        least_error = least_error.min(*error);
    }
    let decades =
        |low: f64, high: f64| 10f64.powf(low.log10().floor())..10f64.powf(high.log10().ceil());

    let mut chart = ChartBuilder::on(area)
        .caption(caption, CAPTION)
        .margin(8)
        .x_label_area_size(38)
        .y_label_area_size(62)
        .build_cartesian_2d(
            decades(costs.0, costs.1).log_scale(),
            decades(least_error, GREATEST).log_scale(),
        )?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .label_style(LEGEND)
        .axis_desc_style(LEGEND)
        .y_labels(20)
        .x_label_formatter(&power)
        .y_label_formatter(&power)
        .x_desc("cost: CPU time of the whole run, one body (µs)")
        .y_desc("greatest error of a component of q at the end")
        .draw()?;
    for (line, look) in lines.into_iter().zip(looks) {
        chart.draw_series(LineSeries::new(
            line.clone(),
            look.colour.stroke_width(look.width),
        ))?;
        chart.draw_series(line.into_iter().map(|point| {
            EmptyElement::at(point) + Polygon::new(look.outline((0, 0)), look.colour.filled())
        }))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_not_drawn_if_a_finer_one_costs_less() {
        let run = |cost, error| Run {
            setting: 1.0,
            steps: 1.0,
            evaluations: 1.0,
            cost,
            error,
        };
        let runs = [
            run(5.0, 0.1),
            run(1.0, 0.01),
            run(2.0, 0.0),
            run(3.0, 0.02),
            run(4.0, f64::INFINITY),
        ];
        assert_eq!(points(&runs), [(1.0, 0.01), (2.0, LEAST), (3.0, 0.02)]);
    }
}
