//! The size of the steps.

use super::step::{ErrorEstimate, Plan, SquaredError};
use crate::clock::Span;
use crate::kernel::Vec3;

/// The longest turn that a step is planned for, rad: the quaternion turns by half of it. Only
/// tolerances above 1e-3 come near it.
pub(super) const FARTHEST: f64 = 4.0;

/// In place of rates and speeds of zero, by which programs that trap floating-point exceptions
/// cannot divide.
const SLOWEST: f64 = 1e-300;

/// Least and greatest ratio of a step to the one before.
const SHRINK: f64 = 0.1;
const GROW: f64 = 6.0;

/// The error of a step is held to this fraction of the tolerance, and the next step is planned for
/// this fraction of its greatest size. With both, the error of a heavy top after 100 steps is about
/// twice the tolerance, and few steps are rejected.
const OF_TOLERANCE: f64 = 0.25;
const OF_STEP: f64 = 0.75;

/// The error estimate of the method of order 4 counts by this only: it is that of the method of
/// order 3 within, which is less exact.
const FOURTH: f64 = 0.25;

/// Below this the error estimate is rounding.
const LEAST_TOLERANCE: f64 = 1e-15;

/// What the tolerance becomes in the shortest step. The times of its stages are rounded, so it
/// cannot follow a torque that jumps any closer; the error of such a step is small, that of a
/// singular torque is not.
const LAST_TOLERANCE: f64 = 1e-6;

/// The first trial of a step: how far it looks ahead, in radians.
const PROBE: f64 = 0.01;

/// Chooses steps. All of its numbers scale with the units: there is no absolute tolerance.
pub(super) struct Control {
    tolerance: f64,
    end: f64,
    /// Time from the start to the end, not negative.
    span: f64,
    longest: f64,
    /// The greatest |ω|² so far.
    greatest_squared: f64,
    /// The next step, with its sign.
    h: f64,
    was_rejected: bool,
}

impl Control {
    pub(super) fn new(tolerance: f64, longest: f64, span: &Span, omega: Vec3<f64>) -> Self {
        let duration = span.end - span.start;
        Control {
            tolerance: (OF_TOLERANCE * tolerance).max(LEAST_TOLERANCE),
            end: span.end,
            span: duration.abs(),
            longest,
            greatest_squared: omega.dot(omega),
            h: 0.01 * duration,
            was_rejected: false,
        }
    }

    /// The length of the next step, not negative.
    pub(super) fn next_length(&self) -> f64 {
        self.h.abs()
    }

    /// A short step to look ahead from the start, at this speed and acceleration.
    pub(super) fn probe(&mut self, omega: Vec3<f64>, acceleration: Vec3<f64>) -> f64 {
        let rate = length(omega).max(length(acceleration).sqrt());
        let probe = (PROBE / rate.max(SLOWEST)).min(0.01 * self.span);
        self.h = probe.copysign(self.h);
        self.h
    }

    /// Chooses the first step, as HNW93, II.4, with rates in place of norms that mix units.
    /// `before` and `after`: the accelerations at the start and after the probe. Over times whose
    /// reciprocals overflow, no change is seen.
    pub(super) fn begin(&mut self, omega: Vec3<f64>, before: Vec3<f64>, after: Vec3<f64>) {
        let probe = self.h.abs();
        let least = length(before);
        let most = least.max(length(after));
        let speed = length(omega).max(most * probe);
        let change = if probe * speed > 1e-280 {
            length(after - before) / probe / speed.max(SLOWEST)
        } else {
            0.0
        };
        let rate = length(omega).max(least.sqrt()).max(change.sqrt());
        let longest = 3.0 * self.tolerance.sqrt().sqrt().sqrt() / rate.max(SLOWEST);
        if longest > 0.0 {
            let first = longest.min(100.0 * probe).min(0.1 * self.span);
            self.h = first.copysign(self.h);
        }
    }

    /// The next step to try. A remainder shorter than two steps is halved, so that no tiny step is
    /// left.
    pub(super) fn plan(&self, elapsed: f64, omega: Vec3<f64>, farthest: f64) -> Plan {
        let remaining = (self.end - elapsed).abs();
        let shortest = (64.0 * f64::EPSILON * elapsed.abs()).max(1e-30 * self.span);
        let mut length = (self.h.abs())
            .min(farthest / length(omega).max(SLOWEST))
            .min(self.longest)
            .max(shortest);
        if length >= remaining * (1.0 - 1e-10) {
            return Plan {
                start: elapsed,
                end: self.end,
                h: self.end - elapsed,
                is_shortest: remaining <= shortest,
            };
        }
        let is_shortest = length <= shortest;
        length = length.min(0.5 * remaining);
        let end = elapsed + length.copysign(self.h);
        Plan {
            start: elapsed,
            end,
            h: end - elapsed,
            is_shortest,
        }
    }

    /// After a step that could not be computed: the next is this fraction of it.
    pub(super) fn shorten(&mut self, plan: &Plan, factor: f64) {
        self.h = plan.h * factor;
        self.was_rejected = true;
    }

    /// Whether a step is exact enough, and the size of the next. `omega`: at the end of the step.
    ///
    /// An error is a root mean square over six numbers: radians, and the angular velocity relative
    /// to the greatest one. From estimates of order 5 and 3 it is `e₅²/√(e₅² + 0.01 e₃²)`, of order
    /// 8.
    #[inline(always)]
    pub(super) fn accepts(&mut self, plan: &Plan, error: &ErrorEstimate, omega: Vec3<f64>) -> bool {
        let greatest_squared = self.greatest_squared.max(omega.dot(omega));
        let slow = self.slow(plan);
        let speed_squared = greatest_squared.max(slow * slow);
        let mean = |error: &SquaredError| error.mean(speed_squared);

        // the square of the error in units of the tolerance, and the step for which it would be 1,
        // relative to this step
        let tolerance_squared = self.tolerance * self.tolerance;
        let (squared, longest) = match error {
            ErrorEstimate::Explicit { fifth, third } => {
                let fifth = mean(fifth);
                let mut squared = 0.0;
                if fifth != 0.0 {
                    squared = fifth * (fifth / (fifth + 0.01 * mean(third))) / tolerance_squared;
                }
                (squared, inverse_sixteenth_root(squared))
            }
            ErrorEstimate::Stiff(error) => {
                let squared = mean(error) / tolerance_squared * (FOURTH * FOURTH);
                let root = inverse_sixteenth_root(squared);
                (squared, root * root)
            }
        };

        let most = if plan.is_shortest {
            (LAST_TOLERANCE / self.tolerance).max(1.0)
        } else {
            1.0
        };
        let is_accepted = squared <= most * most; // not NaN
        let grow = if self.was_rejected || !is_accepted {
            1.0
        } else {
            GROW
        };
        // NaN gives the least factor
        self.h = plan.h * (OF_STEP * longest).max(SHRINK).min(grow);
        self.was_rejected = !is_accepted;
        if is_accepted {
            // a step that went astray says nothing about the motion
            self.greatest_squared = greatest_squared;
        }
        is_accepted
    }

    /// Whether an error within a step is more than some tolerances.
    pub(super) fn exceeds(&self, tolerances: f64, plan: &Plan, error: &SquaredError) -> bool {
        let speed = self.speed(plan);
        let most = tolerances * self.tolerance / OF_TOLERANCE;
        let squared = error.mean(speed * speed);
        squared.is_nan() || squared > most * most
    }

    /// What is slow for a body that has hardly moved yet: a speed that turns it by a radian until
    /// the end, or by a microradian in this step. Otherwise no step across a jump of the torque
    /// would be short enough.
    ///
    /// Neither its reciprocal nor its square is beyond the range of numbers, for spans of 1e-200 s
    /// or 1e200 s.
    #[inline(always)]
    fn slow(&self, plan: &Plan) -> f64 {
        let until_end = 1.0 / self.span.max(1e-150);
        let in_step = 1e-6 / plan.h.abs().max(1e-150);
        until_end.min(in_step).max(1e-150)
    }

    /// A speed to which the speed of the body compares.
    pub(super) fn speed(&self, plan: &Plan) -> f64 {
        self.greatest_squared.sqrt().max(self.slow(plan))
    }
}

/// `x^(−1/16)` to 1 %, which is exact enough for the size of a step and takes a third of the time
/// of four roots. The exponent of a double is its logarithm; then one Newton iteration.
#[inline(always)]
fn inverse_sixteenth_root(x: f64) -> f64 {
    if x < 1e-30 {
        return f64::INFINITY;
    }
    let y = f64::from_bits(FIRST_GUESS - (x.to_bits() >> 4));
    let y2 = y * y;
    let y4 = y2 * y2;
    let y8 = y4 * y4;
    y * (1.0625 - 0.0625 * (x * y8) * y8)
}
const FIRST_GUESS: u64 = 0x43EE_2C00_0000_0000;

fn length(v: Vec3<f64>) -> f64 {
    v.dot(v).sqrt()
}
