//! Metamorphic relations on generic random problems: what must not change when the same thing is said in another way, and what
//! must change by a law that is known.
//!
//! | file | relations |
//! |---|---|
//! | motions | one body under torques: turned worlds and axes, other units, parts of a run, orders |
//! | decay | drag with an exact solution, for any body and any spin |
//! | nothing | a feature that is set to nothing acts as one that is not there |
//! | company | a body alone and in any ensemble |
//! | restart | a run that goes on from rows, and one that was not interrupted |
//! | failing | a call that fails changes nothing |
//! | frames | turned worlds, scaled units and shifted clocks of all that acts at once; drifts there and back |
//! | orders | halved steps quarter the error |
//! | resting | bodies at rest and locked bodies |
//! | sequences | any sequence of calls on an ensemble, and on its bodies alone |
//!
//! `scene` draws what all but the first share: all that can act at once. `make metamorphic PROBLEMS=100000` takes more problems than
//! `make test`. A failure names its case, which `QUATINT_CASE=7` repeats alone.

mod company;
mod decay;
mod failing;
mod frames;
mod motions;
mod nothing;
mod orders;
mod restart;
mod resting;
mod scene;
mod sequences;

use crate::common::generic::Random;
use quatint::Body;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

fn number_in(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is a number")),
    )
}

/// How many problems each relation takes.
fn cases() -> u64 {
    number_in("QUATINT_PROBLEMS").unwrap_or(300)
}

/// Tries a relation on problems, a part of [`cases`] where a problem costs much. Each case draws from a seed of its own. The
/// relation returns what is wrong: the kind of problem in the first line, by which failures are counted, and all of the problem below.
fn hold(seed: u64, part: f64, relation: impl Fn(&mut Random) -> Result<(), String>) {
    let count = ((cases() as f64 * part) as u64).max(1);
    let chosen = number_in("QUATINT_CASE").map(|case| case..case + 1);
    let mut kinds = BTreeMap::<String, (u64, u64, String)>::new();
    let mut failures = 0;
    for case in chosen.unwrap_or(0..count) {
        let mut random = Random(
            seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ case.wrapping_mul(0xd1b5_4a32_d192_ed03),
        );
        let outcome = catch_unwind(AssertUnwindSafe(|| relation(&mut random)));
        let outcome = outcome.unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Err(format!("a panic: {}", text.unwrap_or_default()))
        });
        if let Err(text) = outcome {
            failures += 1;
            let kind = text.lines().next().unwrap_or_default().to_owned();
            kinds.entry(kind).or_insert((0, case, text)).0 += 1;
        }
    }
    if failures == 0 {
        return;
    }
    let mut report = format!("{failures} of {count} problems fail");
    for (kind, (times, case, _)) in &kinds {
        report += &format!("\n{times:8} times, first with QUATINT_CASE={case}: {kind}");
    }
    let (_, case, text) = kinds.into_values().next().expect("one has failed");
    panic!("{report}\nQUATINT_CASE={case}: {text}");
}

/// The greatest moment over the least that is not 0. Where a function gives the inertia, the tolerance of solutions is that of the
/// angular momentum, and the error of the angular velocity is greater by this.
fn ratio_of_moments(body: &Body) -> f64 {
    let moments = body.inertia().principal_moments();
    let turning = moments.iter().copied().filter(|&moment| moment > 0.0);
    (moments.max() / turning.fold(f64::INFINITY, f64::min)).max(1.0)
}

/// What a relation returns where it does not hold.
fn holds(
    does: bool,
    kind: impl FnOnce() -> String,
    problem: impl FnOnce() -> String,
) -> Result<(), String> {
    if does {
        Ok(())
    } else {
        Err(format!("{}\n{}", kind(), problem()))
    }
}
