//! Reads the rows that `benches/peers/compare.c` writes, and computes orders and errors at equal
//! cost from them.

/// What the setting of a run is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Setting {
    /// The number of steps.
    Steps,
    /// A relative and absolute tolerance.
    Tolerance,
    /// Always 1: the contender is exact in one step.
    OneStep,
}

/// A method of a library.
pub(crate) struct Contender {
    pub(crate) name: String,
    pub(crate) library: String,
    pub(crate) method: String,
    pub(crate) torque: String,
    pub(crate) unit: String,
    pub(crate) number: String,
    /// Nominal order; 0 if it varies.
    pub(crate) order: u32,
    pub(crate) setting: Setting,
    /// Number of bodies integrated together.
    pub(crate) bodies: u32,
}

/// One integration of a problem from start to end.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    pub(crate) setting: f64,
    pub(crate) steps: f64,
    pub(crate) evaluations: f64,
    /// Microseconds for one body.
    pub(crate) cost: f64,
    /// Greatest error of a component of q; infinite if the run did not reach the end.
    pub(crate) error: f64,
}

pub(crate) struct Problem {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) end: f64,
    /// Whether a torque acts on the body.
    pub(crate) torqued: bool,
    /// The number of steps at which contenders with fixed steps are compared.
    pub(crate) common: f64,
    /// The runs of each contender, from coarse to fine; none of a contender that leaves this
    /// problem out.
    pub(crate) runs: Vec<Vec<Run>>,
}

pub(crate) struct Results {
    pub(crate) machine: String,
    pub(crate) contenders: Vec<Contender>,
    pub(crate) problems: Vec<Problem>,
}

impl Results {
    pub(crate) fn read(text: &str) -> Result<Results, String> {
        let mut results = Results {
            machine: String::new(),
            contenders: vec![],
            problems: vec![],
        };
        for (index, line) in text.lines().enumerate() {
            results
                .row(line)
                .ok_or_else(|| format!("line {}: not understood: {line}", index + 1))?;
        }
        if results
            .problems
            .iter()
            .all(|p| p.runs.iter().all(Vec::is_empty))
        {
            return Err("nothing was measured".into());
        }
        Ok(results)
    }

    fn row(&mut self, line: &str) -> Option<()> {
        let number = |text: &str| text.parse::<f64>().ok();
        match line.split('\t').collect::<Vec<_>>()[..] {
            ["machine", machine] => self.machine = machine.into(),
            [
                "contender",
                name,
                library,
                method,
                torque,
                unit,
                of,
                order,
                setting,
                bodies,
            ] => self.contenders.push(Contender {
                name: name.into(),
                library: library.into(),
                method: method.into(),
                torque: torque.into(),
                unit: unit.into(),
                number: of.into(),
                order: order.parse().ok()?,
                setting: match setting {
                    "0" => Setting::Steps,
                    "1" => Setting::Tolerance,
                    "2" => Setting::OneStep,
                    _ => return None,
                },
                bodies: bodies.parse().ok()?,
            }),
            ["problem", name, title, end, common, torqued] => self.problems.push(Problem {
                name: name.into(),
                title: title.into(),
                end: number(end)?,
                common: number(common)?,
                torqued: torqued == "1",
                runs: self.contenders.iter().map(|_| vec![]).collect(),
            }),
            [
                "run",
                problem,
                contender,
                setting,
                steps,
                evaluations,
                cost,
                error,
                _error_of_omega,
            ] => {
                let contender = self.contenders.iter().position(|c| c.name == contender)?;
                let problem = self.problems.iter_mut().find(|p| p.name == problem)?;
                problem.runs[contender].push(Run {
                    setting: number(setting)?,
                    steps: number(steps)?,
                    evaluations: number(evaluations)?,
                    cost: number(cost)?,
                    error: number(error)?,
                });
            }
            _ => return None,
        }
        Some(())
    }
}

/// The index of the run with the least error. In finer runs rounding dominates.
fn best(runs: &[Run]) -> Option<usize> {
    (0..runs.len())
        .filter(|&i| runs[i].error.is_finite())
        .min_by(|&i, &j| runs[i].error.total_cmp(&runs[j].error))
}

/// The measured order: the slope of log error over log number of evaluations, by least squares.
/// Leaves out coarse runs (error above 0.05) and runs near rounding (error below three times the
/// least error).
pub(crate) fn order(runs: &[Run]) -> Option<f64> {
    let best = best(runs)?;
    let points: Vec<(f64, f64)> = runs[..=best]
        .iter()
        .filter(|run| run.error < 0.05 && run.error > 3.0 * runs[best].error)
        .map(|run| (run.evaluations.ln(), run.error.ln()))
        .collect();
    if points.len() < 2 {
        return None;
    }
    let n = points.len() as f64;
    let (x, y) = points
        .iter()
        .fold((0.0, 0.0), |(x, y), p| (x + p.0 / n, y + p.1 / n));
    let covariance: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    let variance: f64 = points.iter().map(|p| (p.0 - x).powi(2)).sum();
    Some(-covariance / variance)
}

/// Errors up to this are those of rounding.
const ROUNDING: f64 = 1e-11;

/// Whether the contender solves the problem exactly: with the longest steps too its errors are
/// those of rounding.
pub(crate) fn exact(problem: &Problem, runs: &[Run]) -> bool {
    !problem.torqued && runs.iter().all(|run| run.error < ROUNDING)
}

/// The runs that no other run beats in both cost and error, from the cheapest to the most accurate.
fn front(runs: &[Run]) -> Vec<Run> {
    let mut sorted: Vec<Run> = runs
        .iter()
        .copied()
        .filter(|run| run.error.is_finite())
        .collect();
    sorted.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    let mut least = f64::INFINITY;
    sorted.retain(|run| {
        let better = run.error < least;
        least = least.min(run.error);
        better
    });
    sorted
}

/// The least error that can be reached at a cost. It is interpolated between two runs, in the
/// logarithms of cost and error. At a cost above that of the best run it is the error of that run.
/// None if even the coarsest run costs more.
pub(crate) fn error_at(runs: &[Run], cost: f64) -> Option<f64> {
    let front = front(runs);
    let after = front
        .iter()
        .position(|run| run.cost > cost)
        .unwrap_or(front.len());
    let worse = front[after.checked_sub(1)?];
    Some(front.get(after).map_or(worse.error, |run| {
        let part = (cost / worse.cost).ln() / (run.cost / worse.cost).ln();
        worse.error * (run.error / worse.error).powf(part)
    }))
}

/// The least cost at which an error can be reached, interpolated likewise. For an error above that
/// of the cheapest run it is the cost of that run. None if even the best run has a greater error.
pub(crate) fn cost_at(runs: &[Run], error: f64) -> Option<f64> {
    let front = front(runs);
    let reached = front.iter().position(|run| run.error <= error)?;
    let run = front[reached];
    Some(reached.checked_sub(1).map_or(run.cost, |before| {
        let worse = front[before];
        let part = (error / worse.error).ln() / (run.error / worse.error).ln();
        worse.cost * (run.cost / worse.cost).powf(part)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs of a method of some order whose step costs one microsecond; in the finest runs rounding
    /// dominates and grows.
    fn method(order: i32) -> Vec<Run> {
        (1..=8)
            .map(|k| 10f64.powi(k))
            .map(|steps| Run {
                setting: steps,
                steps,
                evaluations: 2.0 * steps,
                cost: steps,
                error: steps.powi(-order) + 1e-16 * steps,
            })
            .collect()
    }

    #[test]
    fn the_order_is_the_slope_without_the_coarse_runs_and_the_rounding() {
        for expected in 1..=4 {
            let measured = order(&method(expected)).expect("enough runs");
            assert!(
                (measured - f64::from(expected)).abs() < 0.05,
                "{measured} for {expected}"
            );
        }
        assert!(order(&method(2)[..1]).is_none());
    }

    #[test]
    fn the_error_at_a_cost_is_interpolated_and_never_rises() {
        let runs = method(2);
        assert!(error_at(&runs, 5.0).is_none(), "the coarsest run costs 10");
        let between = error_at(&runs, 10f64.powf(2.5)).expect("inside");
        assert!((between / 1e-5 - 1.0).abs() < 1e-6, "{between}");
        let least = runs.iter().map(|run| run.error).fold(1.0, f64::min);
        assert_eq!(
            error_at(&runs, 1e8),
            Some(least),
            "the last run is the worse for rounding"
        );
    }

    #[test]
    fn a_run_that_did_not_arrive_buys_nothing() {
        let mut runs = method(1);
        runs[2].error = f64::INFINITY;
        let error = error_at(&runs, 1000.0).expect("inside");
        assert!(
            (error / 1e-3 - 1.0).abs() < 1e-3,
            "{error}: between the runs of 100 and 10000"
        );
    }

    #[test]
    fn the_cost_of_an_error_is_interpolated_and_has_a_least_value() {
        let runs = method(2);
        let between = cost_at(&runs, 1e-5).expect("inside");
        assert!((between / 10f64.powf(2.5) - 1.0).abs() < 1e-6, "{between}");
        assert_eq!(
            cost_at(&runs, 1.0),
            Some(10.0),
            "the coarsest run is the cheapest"
        );
        assert!(cost_at(&runs, 1e-17).is_none(), "below rounding");
    }

    #[test]
    fn a_coarse_run_that_costs_more_than_a_finer_one_does_not_count() {
        let mut runs = method(1);
        runs[0].cost = 1e3;
        assert_eq!(cost_at(&runs, 0.1), Some(100.0));
        assert!(error_at(&runs, 50.0).is_none());
    }

    #[test]
    fn a_row_that_is_not_understood_is_named() {
        let Err(message) = Results::read("machine\tM\nrun\tfree top\tnobody\t1\t1\t1\t1\t1\t1\n")
        else {
            panic!("a run of an unknown contender was taken");
        };
        assert!(
            message.starts_with("line 2: not understood: run"),
            "{message}"
        );
    }
}
