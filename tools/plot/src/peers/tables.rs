//! The tables of the page.

use super::runs::{Contender, Problem, Results, Run, Setting, cost_at, error_at, exact, order};
use std::error::Error;
use std::fmt::Write;

/// The tolerance at which adaptive contenders are shown.
const TOLERANCE: f64 = 1e-8;

/// The errors, as powers of ten, at which the costs of one body and of many bodies are compared.
const ERRORS_OF_ONE: [i32; 5] = [4, 6, 8, 10, 12];
const ERRORS_OF_MANY: [i32; 12] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

pub(crate) fn markdown(results: &Results) -> Result<String, Box<dyn Error>> {
    let mut page = format!("Machine: {}.\n\n### The methods\n\n", results.machine);
    page += "| | source | method | torque evaluated at, frame | length of q | precision |\n|---|---|---|---|---|---|\n";
    let all = &results.contenders;
    for (i, c) in all.iter().enumerate() {
        // many bodies of a method are not a method of their own
        if !all[..i]
            .iter()
            .any(|other| other.library == c.library && other.method == c.method)
        {
            writeln!(
                page,
                "| {} | {} | {} | {} | {} | {} |",
                c.name, c.library, c.method, c.torque, c.unit, c.number
            )?;
        }
    }
    for problem in &results.problems {
        // those that choose their steps have a table of their own
        let mut groups = groups(results, problem);
        groups.retain(|(_, entries)| entries.iter().any(|(c, _)| c.setting != Setting::Tolerance));
        if groups.is_empty() {
            continue;
        }
        writeln!(page, "\n### {}", problem.title)?;
        for (bodies, entries) in groups {
            table(&mut page, bodies, &entries, problem)?;
        }
    }
    page += "\n### Time at an error, one body\n\nµs from start to end, of the methods that choose their steps. The best of quatint is in bold.\n";
    for problem in results.problems.iter().filter(|problem| problem.torqued) {
        for (_, mut entries) in groups(results, problem)
            .into_iter()
            .filter(|(bodies, _)| *bodies == 1)
        {
            entries.retain(|(contender, _)| contender.setting == Setting::Tolerance);
            if !entries.is_empty() {
                costs(&mut page, &entries, problem, &ERRORS_OF_ONE)?;
            }
        }
    }
    page += "\n### Time at an error, 4096 bodies\n\nµs for one body from start to end. The best method of quatint is in bold.\n";
    for problem in &results.problems {
        for (_, entries) in groups(results, problem)
            .into_iter()
            .filter(|(bodies, _)| *bodies > 1)
        {
            costs(&mut page, &entries, problem, &ERRORS_OF_MANY)?;
        }
    }
    Ok(page)
}

type Entry<'a> = (&'a Contender, &'a [Run]);

/// The contenders that take part in a problem, those of one body and those of many.
fn groups<'a>(results: &'a Results, problem: &'a Problem) -> Vec<(u32, Vec<Entry<'a>>)> {
    let mut groups: Vec<(u32, Vec<Entry<'a>>)> = vec![];
    for (contender, runs) in results
        .contenders
        .iter()
        .zip(&problem.runs)
        .filter(|(_, runs)| !runs.is_empty())
    {
        match groups
            .iter_mut()
            .find(|(bodies, _)| *bodies == contender.bodies)
        {
            Some((_, entries)) => entries.push((contender, runs)),
            None => groups.push((contender.bodies, vec![(contender, runs)])),
        }
    }
    groups
}

fn table(
    page: &mut String,
    bodies: u32,
    entries: &[Entry<'_>],
    problem: &Problem,
) -> Result<(), Box<dyn Error>> {
    let (first, runs) = entries[0];
    let reference = |steps: f64| {
        let run = runs.iter().find(|run| run.setting == steps);
        run.map(|run| run.cost).ok_or_else(|| {
            format!(
                "{}: no run of {} of {steps} steps",
                problem.name, first.name
            )
        })
    };
    let costs = [
        reference(problem.common / 10.0)?,
        reference(problem.common)?,
    ];
    writeln!(
        page,
        "\n{}. Equal cost is the time that {} needs for {} steps ({} µs) or for {} steps ({} µs).\n",
        if bodies == 1 {
            "One body".into()
        } else {
            format!("{bodies} bodies")
        },
        first.name,
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
    for (contender, runs) in entries {
        let setting = match contender.setting {
            Setting::Steps => problem.common,
            Setting::Tolerance => TOLERANCE,
            Setting::OneStep => 1.0,
        };
        let near = |run: &&Run| (run.setting / setting - 1.0).abs() < 1e-9;
        let name = &contender.name;
        let run = runs
            .iter()
            .find(near)
            .ok_or_else(|| format!("{}: {name} has no run at {setting}", problem.name))?;
        let shown = match contender.setting {
            Setting::Tolerance => format!("tol {setting:.0e}"),
            _ => format!("h = {:.0e}", problem.end / setting),
        };
        let nominal = if contender.order == 0 {
            "varies".into()
        } else {
            contender.order.to_string()
        };
        let order = match order(runs) {
            _ if exact(problem, runs) => "exact".into(),
            Some(measured) => format!("{nominal}, {measured:.1}"),
            None => format!("{nominal}, –"),
        };
        write!(
            page,
            "| {name} | {shown} | {} | {} ",
            run.steps,
            short(run.evaluations / run.steps)
        )?;
        write!(
            page,
            "| {} | {} | {order} ",
            significant(1e3 * run.cost / run.steps),
            error(Some(run.error))
        )?;
        writeln!(
            page,
            "| {} | {} |",
            error(error_at(runs, costs[0])),
            error(error_at(runs, costs[1]))
        )?;
    }
    Ok(())
}

/// The costs at each error, and how quatint's best method compares with the other libraries' best.
fn costs(
    page: &mut String,
    entries: &[Entry<'_>],
    problem: &Problem,
    errors: &[i32],
) -> Result<(), Box<dyn Error>> {
    let ours = |contender: &Contender| contender.name.starts_with("quatint");
    let names = entries
        .iter()
        .map(|(contender, _)| contender.name.replace(", 4096 bodies", ""));
    writeln!(page, "\n{}:\n", problem.title)?;
    writeln!(
        page,
        "| error | {} | best of quatint / other |",
        names.collect::<Vec<_>>().join(" | ")
    )?;
    writeln!(page, "|---|{}---|", "---|".repeat(entries.len()))?;
    for power in errors {
        let error = 10f64.powi(-power);
        let costs: Vec<Option<f64>> = entries
            .iter()
            .map(|(_, runs)| cost_at(runs, error))
            .collect();
        let best = |of_quatint: bool| {
            let same = entries
                .iter()
                .zip(&costs)
                .filter(|((contender, _), _)| ours(contender) == of_quatint);
            same.filter_map(|(_, cost)| *cost).min_by(f64::total_cmp)
        };
        write!(page, "| 1e-{power} ")?;
        for ((contender, _), cost) in entries.iter().zip(&costs) {
            let shown = cost.map_or("–".into(), significant);
            let bold = if ours(contender) && cost.is_some() && *cost == best(true) {
                "**"
            } else {
                ""
            };
            write!(page, "| {bold}{shown}{bold} ")?;
        }
        let ratio = best(true)
            .zip(best(false))
            .map(|(ours, others)| format!("{:.2}", ours / others));
        writeln!(page, "| {} |", ratio.unwrap_or("–".into()))?;
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
    let rounded = if x >= 1000.0 {
        (x / 10.0).round() * 10.0
    } else {
        x
    };
    format!("{rounded:.digits$}")
}

/// A whole number without decimals, any other number with one.
fn short(x: f64) -> String {
    if x.fract() == 0.0 {
        x.to_string()
    } else {
        format!("{x:.1}")
    }
}
