//! The work-precision picture: error over cost, with a panel for each problem and a line for each contender.

use super::runs::{Contender, Problem, Results, Run};
use crate::style::{BLUE, BROWN, CAPTION, GREEN, GREY, LEGEND, ORANGE, PURPLE, RED, power};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::error::Error;

/// Each library has a colour. Its contenders differ by their marks.
const LIBRARIES: [(&str, RGBColor); 7] = [
    ("quatint", BLUE),
    ("GSL", ORANGE),
    ("SUNDIALS", GREEN),
    ("Boost", PURPLE),
    ("ODE", BROWN),
    ("Bullet", RED),
    ("", GREY), // all others
];

#[derive(Clone, Copy)]
struct Look {
    colour: RGBColor,
    mark: usize,
    width: u32,
}

fn looks(contenders: &[Contender]) -> Vec<Look> {
    let library = |c: &Contender| LIBRARIES.iter().position(|(name, _)| c.library.starts_with(name));
    let mut seen = [0; LIBRARIES.len()];
    let look = |c| {
        let i = library(c).expect("the last has any name");
        seen[i] += 1;
        Look { colour: LIBRARIES[i].1, mark: seen[i] - 1, width: if i == 0 { 2 } else { 1 } }
    };
    contenders.iter().map(look).collect()
}

/// Outlines of the marks around (0, 0), in pixels.
const MARKS: [&[(i32, i32)]; 4] = [
    &[(-2, -4), (2, -4), (4, -2), (4, 2), (2, 4), (-2, 4), (-4, 2), (-4, -2)],
    &[(0, -5), (5, 4), (-5, 4)],
    &[(-4, -4), (4, -4), (4, 4), (-4, 4)],
    &[(0, -6), (6, 0), (0, 6), (-6, 0)],
];

impl Look {
    fn outline(self, (x, y): (i32, i32)) -> Vec<(i32, i32)> {
        MARKS[self.mark % MARKS.len()].iter().map(|(dx, dy)| (x + dx, y + dy)).collect()
    }
}

const PANEL: u32 = 520;
const LEGEND_WIDTH: u32 = 215;
const HEIGHT: u32 = 560;

/// Runs with a greater error are not drawn: they are meaningless.
const GREATEST: f64 = 1.0;

pub(crate) fn draw(results: &Results, path: &str) -> Result<(), Box<dyn Error>> {
    let panels = PANEL * results.problems.len() as u32;
    let root = SVGBackend::new(path, (panels + LEGEND_WIDTH, HEIGHT)).into_drawing_area();
    root.fill(&WHITE)?;
    let (left, legend) = root.split_horizontally(panels);
    let looks = looks(&results.contenders);

    for (area, problem) in left.split_evenly((1, results.problems.len())).iter().zip(&results.problems) {
        panel(area, problem, &looks)?;
    }
    for (i, (contender, look)) in results.contenders.iter().zip(&looks).enumerate() {
        let y = 60 + 27 * i as i32;
        legend.draw(&PathElement::new([(4, y), (36, y)], look.colour.stroke_width(look.width)))?;
        legend.draw(&Polygon::new(look.outline((20, y)), look.colour.filled()))?;
        legend.draw(&Text::new(contender.name.replace('`', ""), (44, y - 7), LEGEND))?;
    }
    root.present()?;
    Ok(())
}

fn panel(area: &DrawingArea<SVGBackend<'_>, Shift>, problem: &Problem, looks: &[Look]) -> Result<(), Box<dyn Error>> {
    let drawn = |runs: &[Run]| -> Vec<(f64, f64)> {
        runs.iter().filter(|run| run.error > 0.0 && run.error < GREATEST).map(|run| (run.cost, run.error)).collect()
    };
    let costs = problem.runs.iter().flat_map(|runs| drawn(runs)).map(|(cost, _)| cost);
    let (least, most) = costs.fold((f64::MAX, f64::MIN), |(low, high), cost| (low.min(cost), high.max(cost)));
    let least_error = problem.runs.iter().flat_map(|runs| drawn(runs)).map(|(_, e)| e).fold(GREATEST, f64::min);
    let decades = |low: f64, high: f64| 10f64.powf(low.log10().floor())..10f64.powf(high.log10().ceil());

    let mut chart = ChartBuilder::on(area)
        .caption(&problem.name, CAPTION)
        .margin(8)
        .x_label_area_size(38)
        .y_label_area_size(62)
        .build_cartesian_2d(decades(least, most).log_scale(), decades(least_error, GREATEST).log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .label_style(LEGEND)
        .axis_desc_style(LEGEND)
        .x_label_formatter(&power)
        .y_label_formatter(&power)
        .x_desc("cost: CPU time of the whole run, one body (µs)")
        .y_desc("greatest error of a component of q at the end")
        .draw()?;
    for (runs, look) in problem.runs.iter().zip(looks) {
        chart.draw_series(LineSeries::new(drawn(runs), look.colour.stroke_width(look.width)))?;
        chart.draw_series(
            drawn(runs)
                .into_iter()
                .map(|point| EmptyElement::at(point) + Polygon::new(look.outline((0, 0)), look.colour.filled())),
        )?;
    }
    Ok(())
}
