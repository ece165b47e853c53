//! The work-precision picture, error over cost, in four figures: one body whose steps a tolerance
//! chooses, over time and over evaluations of the torque, one body in equal steps, and many bodies.
//! The panels of a figure have the same axes. The methods of quatint have colours; other libraries
//! are grey, with a mark each. Each line has its name at its end.

use super::runs::{Contender, Problem, Results, Run, Setting};
use crate::style::{CAPTION, GREY, LEGEND, of_method, power};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::error::Error;
use std::ops::Range;

/// Callbacks are not drawn: their lines are next to those of the ready-made torque.
const LEFT_OUT: &str = ", callback";

const WIDTH: u32 = 1260;
const HEIGHT: u32 = 460;
const TITLE: u32 = 40;

/// The room for the names at the right of a panel, and between the lines of two names, in pixels.
const NAMES: u32 = 150;
const LINE: i32 = 15;

/// Runs with a greater error are not drawn: they are meaningless.
const GREATEST: f64 = 1.0;
/// An error below rounding is drawn here.
const LEAST: f64 = 1e-16;

/// What the errors are drawn over.
#[derive(Clone, Copy)]
enum Cost {
    Time,
    Evaluations,
}

impl Cost {
    fn of(self, run: &Run) -> f64 {
        match self {
            Cost::Time => run.cost,
            Cost::Evaluations => run.evaluations,
        }
    }

    fn label(self) -> &'static str {
        match self {
            Cost::Time => "CPU time of the whole run, one body (µs)",
            Cost::Evaluations => "evaluations of the torque in the whole run",
        }
    }
}

/// The marks of the libraries beside quatint, in their order.
#[derive(Clone, Copy)]
enum Mark {
    Dot,
    Cross,
    Triangle,
    Ring,
}

const MARKS: [Mark; 3] = [Mark::Cross, Mark::Triangle, Mark::Ring];

/// Some contenders on some problems.
struct Figure<'r> {
    title: &'static str,
    cost: Cost,
    problems: Vec<&'r Problem>,
    /// Numbers of contenders that took part in one of them.
    contenders: Vec<usize>,
}

/// A line of a panel.
struct Line<'r> {
    name: &'r str,
    colour: RGBColor,
    mark: Mark,
    points: Vec<(f64, f64)>,
}

pub(crate) fn draw(results: &Results, path: &str) -> Result<(), Box<dyn Error>> {
    let figures = [
        figure(
            results,
            ("One body, steps chosen by a tolerance", Cost::Time),
            |contender| contender.bodies == 1 && contender.setting == Setting::Tolerance,
            |problem| problem.torqued,
        ),
        figure(
            results,
            (
                "The same, by evaluations: for torques that cost more than the step",
                Cost::Evaluations,
            ),
            |contender| contender.bodies == 1 && contender.setting == Setting::Tolerance,
            |problem| problem.torqued,
        ),
        figure(
            results,
            ("One body, steps of equal length", Cost::Time),
            |contender| contender.bodies == 1 && contender.setting != Setting::Tolerance,
            |_| true,
        ),
        figure(
            results,
            ("4096 bodies, one thread", Cost::Time),
            |contender| contender.bodies > 1,
            |problem| problem.torqued,
        ),
    ];
    let size = (WIDTH, HEIGHT * figures.len() as u32);
    let root = SVGBackend::new(path, size).into_drawing_area();
    root.fill(&WHITE)?;
    for (area, figure) in root.split_evenly((figures.len(), 1)).iter().zip(&figures) {
        figure.draw(&root, area, results)?;
    }
    root.present()?;
    Ok(())
}

fn figure<'r>(
    results: &'r Results,
    (title, cost): (&'static str, Cost),
    has_contender: impl Fn(&Contender) -> bool,
    has_problem: impl Fn(&Problem) -> bool,
) -> Figure<'r> {
    let mut contenders = Vec::new();
    for (i, contender) in results.contenders.iter().enumerate() {
        if has_contender(contender) && !contender.name.ends_with(LEFT_OUT) {
            contenders.push(i);
        }
    }
    let mut problems = Vec::new();
    for problem in &results.problems {
        let took_part = contenders.iter().any(|&i| !problem.runs[i].is_empty());
        if has_problem(problem) && took_part {
            problems.push(problem);
        }
    }
    Figure {
        title,
        cost,
        problems,
        contenders,
    }
}

impl Figure<'_> {
    fn draw(
        &self,
        root: &DrawingArea<SVGBackend<'_>, Shift>,
        area: &DrawingArea<SVGBackend<'_>, Shift>,
        results: &Results,
    ) -> Result<(), Box<dyn Error>> {
        let (title, panels) = area.split_vertically(TITLE);
        title.draw(&Text::new(self.title, (12, 14), CAPTION))?;
        let mut lines_of_panels = Vec::new();
        for problem in &self.problems {
            lines_of_panels.push(self.lines(results, problem));
        }
        let (costs, errors) = axes(&lines_of_panels);
        let areas = panels.split_evenly((1, self.problems.len().max(1)));
        for ((area, problem), lines) in areas.iter().zip(&self.problems).zip(&lines_of_panels) {
            let axes = Axes {
                cost: self.cost,
                costs: costs.clone(),
                errors: errors.clone(),
            };
            panel(root, area, &problem.name, lines, &axes)?;
        }
        Ok(())
    }

    fn lines<'r>(&self, results: &'r Results, problem: &Problem) -> Vec<Line<'r>> {
        let mut lines = Vec::new();
        let mut others = 0;
        for &i in &self.contenders {
            let contender = &results.contenders[i];
            let mut mark = Mark::Dot;
            if !contender.name.starts_with("quatint") {
                mark = MARKS[others % MARKS.len()];
                others += 1;
            }
            let points = points(&problem.runs[i], self.cost);
            if points.is_empty() {
                continue;
            }
            let ours = contender.name.strip_prefix("quatint ");
            lines.push(Line {
                name: short(&contender.name),
                colour: ours.map_or(GREY, of_method),
                mark,
                points,
            });
        }
        lines
    }
}

/// The colour says whose method it is, and the title how many bodies.
fn short(name: &str) -> &str {
    let name = name.strip_prefix("quatint ").unwrap_or(name);
    name.split(", 4096").next().unwrap_or(name)
}

/// The decades that hold all points.
fn axes(panels: &[Vec<Line>]) -> (Range<f64>, Range<f64>) {
    let mut costs = (f64::MAX, f64::MIN);
    let mut least_error = GREATEST;
    for line in panels.iter().flatten() {
        for (cost, error) in &line.points {
            costs = (costs.0.min(*cost), costs.1.max(*cost));
            least_error = least_error.min(*error);
        }
    }
    let below = |x: f64| 10f64.powf(x.log10().floor());
    let above = |x: f64| 10f64.powf(x.log10().ceil());
    (below(costs.0)..above(costs.1), below(least_error)..GREATEST)
}

/// The points of the runs, from coarse to fine. A run is left out if a finer one costs less.
fn points(runs: &[Run], cost: Cost) -> Vec<(f64, f64)> {
    let mut points = Vec::new();
    for (i, run) in runs.iter().enumerate() {
        let is_cheapest = runs[i..].iter().all(|finer| cost.of(run) <= cost.of(finer));
        if run.error < GREATEST && is_cheapest {
            points.push((cost.of(run), run.error.max(LEAST)));
        }
    }
    points
}

/// The axes of a panel.
struct Axes {
    cost: Cost,
    costs: Range<f64>,
    errors: Range<f64>,
}

fn panel(
    root: &DrawingArea<SVGBackend<'_>, Shift>,
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    caption: &str,
    lines: &[Line],
    Axes {
        cost,
        costs,
        errors,
    }: &Axes,
) -> Result<(), Box<dyn Error>> {
    let mut chart = ChartBuilder::on(area)
        .caption(caption, LEGEND)
        .margin(8)
        .margin_right(NAMES)
        .x_label_area_size(38)
        .y_label_area_size(62)
        .build_cartesian_2d(costs.clone().log_scale(), errors.clone().log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .label_style(LEGEND)
        .axis_desc_style(LEGEND)
        .y_labels(20)
        .x_label_formatter(&power)
        .y_label_formatter(&power)
        .x_desc(cost.label())
        .y_desc("greatest error of a component of q")
        .draw()?;
    let mut ends = Vec::new();
    for line in lines {
        let is_ours = line.colour != GREY;
        let style = line.colour.stroke_width(if is_ours { 2 } else { 1 });
        chart.draw_series(LineSeries::new(line.points.clone(), style))?;
        let marks = line.points.iter().copied();
        let filled = line.colour.filled();
        match line.mark {
            Mark::Dot => chart.draw_series(marks.map(|at| Circle::new(at, 2, filled)))?,
            Mark::Cross => chart.draw_series(marks.map(|at| Cross::new(at, 3, line.colour)))?,
            Mark::Triangle => {
                chart.draw_series(marks.map(|at| TriangleMarker::new(at, 4, filled)))?
            }
            Mark::Ring => chart.draw_series(marks.map(|at| Circle::new(at, 3, line.colour)))?,
        };
        let last = line.points.last().expect("has points");
        ends.push(chart.backend_coord(last));
    }
    let right = chart.backend_coord(&(costs.end, errors.end)).0 + 8;
    let heights = apart(&ends.iter().map(|end| end.1).collect::<Vec<_>>());
    for ((line, end), height) in lines.iter().zip(&ends).zip(heights) {
        let leader = [*end, (right - 3, height)];
        root.draw(&PathElement::new(leader, line.colour.mix(0.35)))?;
        let style = LEGEND.into_font().color(&line.colour);
        root.draw(&Text::new(line.name, (right, height - LINE / 2), style))?;
    }
    Ok(())
}

/// Moves heights up until none is less than a line from the next below it: most lines end at the
/// bottom, near rounding.
fn apart(heights: &[i32]) -> Vec<i32> {
    let mut order: Vec<usize> = (0..heights.len()).collect();
    order.sort_by_key(|&i| -heights[i]);
    let mut placed = heights.to_vec();
    for pair in order.windows(2) {
        let [below, above] = [pair[0], pair[1]];
        placed[above] = placed[above].min(placed[below] - LINE);
    }
    placed
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
        assert_eq!(
            points(&runs, Cost::Time),
            [(1.0, 0.01), (2.0, LEAST), (3.0, 0.02)]
        );
    }

    #[test]
    fn names_at_equal_heights_are_a_line_apart_in_their_order() {
        let placed = apart(&[100, 100, 103, 300]);
        assert!(
            (placed[1] - placed[0]).abs() >= LINE && placed[2] == 103,
            "{placed:?}"
        );
        assert_eq!(placed[3], 300);
    }
}
