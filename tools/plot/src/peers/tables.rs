//! The tables of the page.

use super::runs::{Contender, Problem, Results, Run, error_at, order};
use std::error::Error;
use std::fmt::Write;

/// The tolerance at which adaptive contenders are shown.
const TOLERANCE: f64 = 1e-8;

pub(crate) fn markdown(results: &Results) -> Result<String, Box<dyn Error>> {
    let mut page = format!("Machine: {}.\n\n### The methods\n\n", results.machine);
    page += "| | source | method | torque evaluated at, frame | length of q | precision |\n|---|---|---|---|---|---|\n";
    for c in &results.contenders {
        writeln!(page, "| {} | {} | {} | {} | {} | {} |", c.name, c.library, c.method, c.torque, c.unit, c.number)?;
    }
    for problem in &results.problems {
        table(&mut page, &results.contenders, problem)?;
    }
    Ok(page)
}

fn table(page: &mut String, contenders: &[Contender], problem: &Problem) -> Result<(), Box<dyn Error>> {
    let reference = |steps: f64| {
        let run = problem.runs[0].iter().find(|run| run.setting == steps);
        run.map(|run| run.cost)
            .ok_or_else(|| format!("{}: no run of {} of {steps} steps", problem.name, contenders[0].name))
    };
    let costs = [reference(problem.common / 10.0)?, reference(problem.common)?];
    writeln!(page, "\n### {}\n", problem.title)?;
    writeln!(
        page,
        "Equal cost is the time that {} needs for {} steps ({} µs) or for {} steps ({} µs).\n",
        contenders[0].name,
        problem.common / 10.0,
        significant(costs[0]),
        problem.common,
        significant(costs[1])
    )?;
    writeln!(
        page,
        "| | step size h or tolerance | steps | evaluations per step | ns per body and step | error | order: nominal, measured \
         | error at {} µs | error at {} µs |\n|---|---|---|---|---|---|---|---|---|",
        significant(costs[0]),
        significant(costs[1])
    )?;
    for (contender, runs) in contenders.iter().zip(&problem.runs) {
        let setting = if contender.adaptive { TOLERANCE } else { problem.common };
        let near = |run: &&Run| (run.setting / setting - 1.0).abs() < 1e-9;
        let name = &contender.name;
        let run = runs.iter().find(near).ok_or_else(|| format!("{}: {name} has no run at {setting}", problem.name))?;
        let shown = if contender.adaptive {
            format!("tol {setting:.0e}")
        } else {
            format!("h = {:.0e}", problem.end / setting)
        };
        let nominal = if contender.order == 0 { "varies".into() } else { contender.order.to_string() };
        let measured = order(runs).map_or("–".into(), |order| format!("{order:.1}"));
        write!(page, "| {name} | {shown} | {} | {} ", run.steps, short(run.evaluations / run.steps))?;
        write!(
            page,
            "| {} | {} | {nominal}, {measured} ",
            significant(1e3 * run.cost / run.steps),
            error(Some(run.error))
        )?;
        writeln!(page, "| {} | {} |", error(error_at(runs, costs[0])), error(error_at(runs, costs[1])))?;
    }
    Ok(())
}

fn error(error: Option<f64>) -> String {
    match error {
        Some(error) if error >= 0.095 && error.is_finite() => format!("{error:.1}"),
        Some(error) if error.is_finite() => format!("{error:.1e}"),
        _ => "–".into(),
    }
}

/// A number with two or three digits, without an exponent.
fn significant(x: f64) -> String {
    let digits = (2.0 - x.log10().floor()).clamp(0.0, 6.0) as usize;
    let rounded = if x >= 1000.0 { (x / 10.0).round() * 10.0 } else { x };
    format!("{rounded:.digits$}")
}

/// A whole number without decimals, any other number with one.
fn short(x: f64) -> String {
    if x.fract() == 0.0 { x.to_string() } else { format!("{x:.1}") }
}
