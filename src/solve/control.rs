//! The steps of a solution: where each starts and ends, what error it has made, and how long the
//! next one may be.

use crate::clock::Span;
use crate::kernel::{State, Vec3};

/// The longest turn that a step is planned for, rad; the quaternion turns by half of this angle.
/// Only tolerances above 1e-3 come near it.
pub(super) const FARTHEST: f64 = 4.0;

/// Stands in for rates and speeds of zero, because programs that trap floating-point exceptions
/// must not divide by zero.
const SLOWEST: f64 = 1e-300;

/// Least and greatest ratio of a step to the one before.
const SHRINK: f64 = 0.1;
const GROW: f64 = 6.0;

/// The error of a step is held to this fraction of the tolerance, and the next step is planned for
/// this fraction of its greatest size. With both, the error of a heavy top after 100 steps is about
/// twice the tolerance, and few steps are rejected.
const OF_TOLERANCE: f64 = 0.25;
const OF_STEP: f64 = 0.75;

/// The error estimate of the method of order 4 is multiplied by this factor: it estimates the error
/// of the method of order 3 within, which is less exact.
const FOURTH: f64 = 0.25;

/// Below this tolerance the error estimate consists of rounding errors.
const LEAST_TOLERANCE: f64 = 1e-15;

/// The tolerance of the shortest step. The times of its stages are rounded, so it cannot follow a
/// torque that jumps any closer. The error of such a step is small; under a singular torque it is
/// not.
const LAST_TOLERANCE: f64 = 1e-6;

/// How far the probe before the first step looks ahead, in radians.
const PROBE: f64 = 0.01;

/// Where a step starts and ends. These are elapsed times of the [`Span`].
#[derive(Clone, Copy)]
pub(super) struct StepPlan {
    pub(super) start: f64,
    pub(super) end: f64,
    /// `end − start`, with its sign.
    pub(super) h: f64,
    /// The time elapsed so far cannot resolve a shorter step.
    pub(super) is_shortest: bool,
}

impl StepPlan {
    /// The plan of a step from one part of this step to another.
    pub(super) fn between(&self, from: f64, to: f64) -> StepPlan {
        let start = self.elapsed(from);
        let end = self.elapsed(to);
        StepPlan {
            start,
            end,
            h: end - start,
            is_shortest: self.is_shortest,
        }
    }

    /// The time at a part of the step, from 0 to 1.
    #[inline(always)]
    pub(super) fn elapsed(&self, part: f64) -> f64 {
        if part < 1.0 {
            self.start + part * self.h
        } else {
            self.end
        }
    }
}

/// A step and the state at its end.
#[derive(Clone, Copy)]
pub(super) struct ComputedStep {
    pub(super) plan: StepPlan,
    pub(super) end_state: State<f64>,
}

/// An estimate of the error that a step has made.
pub(super) enum ErrorEstimate {
    /// DOP853 gives estimates of order 5 and of order 3.
    Explicit {
        fifth: SquaredError,
        third: SquaredError,
    },
    /// RODAS gives the difference to a solution of order 3.
    Stiff(SquaredError),
    /// Extrapolation has chosen the next step: its error, squared, in tolerances, and the next
    /// length in units of this one.
    Extrapolated { squared: f64, factor: f64 },
}

/// The squares of an error in the state.
#[derive(Clone, Copy, Debug)]
pub(super) struct SquaredError {
    /// Square of the error in the orientation, rad².
    pub(super) turn: f64,
    /// Square of the error in the angular velocity, rad²/s².
    pub(super) omega: f64,
}

impl SquaredError {
    /// The mean over six numbers, with the angular velocity in units of the given speed.
    #[inline(always)]
    pub(super) fn mean(&self, speed_squared: f64) -> f64 {
        (self.turn + self.omega / speed_squared) / 6.0
    }

    #[inline(always)]
    pub(super) fn new(turn: f64, omega: Vec3<f64>) -> Self {
        SquaredError {
            turn,
            omega: omega.dot(omega),
        }
    }
}

/// Chooses steps. All of its numbers scale with the units: there is no absolute tolerance.
pub(super) struct Control {
    tolerance: f64,
    end: f64,
    /// Time from the start to the end, not negative.
    span: f64,
    longest: f64,
    /// The longest first step.
    pub(super) longest_first: f64,
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
            longest_first: 0.1 * duration.abs(),
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

    /// Chooses the first step as HNW93 does in II.4, with rates in place of norms that mix units.
    /// `before` and `after` are the accelerations at the start and after the probe. Over times
    /// whose reciprocals overflow, the acceleration counts as constant.
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
            let first = longest.min(100.0 * probe).min(self.longest_first);
            self.h = first.copysign(self.h);
        }
    }

    /// Plans the next step to try. A remainder shorter than two steps is halved, so that no tiny
    /// step is left for the end.
    /// `most` is the longest step for the motion.
    pub(super) fn plan(&self, elapsed: f64, most: f64) -> StepPlan {
        let remaining = (self.end - elapsed).abs();
        let shortest = (64.0 * f64::EPSILON * elapsed.abs())
            .max(1e-30 * self.span)
            .max(f64::MIN_POSITIVE); // of which the reciprocal is finite
        let mut length = (self.h.abs()).min(most).min(self.longest).max(shortest);
        if length >= remaining * (1.0 - 1e-10) {
            return StepPlan {
                start: elapsed,
                end: self.end,
                h: self.end - elapsed,
                is_shortest: remaining <= shortest,
            };
        }
        let is_shortest = length <= shortest;
        length = length.min(0.5 * remaining);
        let end = elapsed + length.copysign(self.h);
        StepPlan {
            start: elapsed,
            end,
            h: end - elapsed,
            is_shortest,
        }
    }

    /// Makes the next step this fraction of one that could not be computed.
    pub(super) fn shorten(&mut self, plan: &StepPlan, factor: f64) {
        self.h = plan.h * factor;
        self.was_rejected = true;
    }

    /// Whether a step is exact enough. Also chooses the size of the next step. `omega` is the
    /// angular velocity at the end of the step.
    ///
    /// An error is a root mean square over six numbers: radians, and the angular velocity relative
    /// to the greatest one so far. Estimates of order 5 and 3 are combined to
    /// `e₅²/√(e₅² + 0.01 e₃²)`, of order 8.
    #[inline(always)]
    pub(super) fn accepts(
        &mut self,
        plan: &StepPlan,
        error: &ErrorEstimate,
        omega: Vec3<f64>,
    ) -> bool {
        let greatest_squared = self.greatest_squared.max(omega.dot(omega));
        let speed_squared = self.speed_squared(plan, omega);
        // `squared` is the square of the error in units of the tolerance, `factor` the length of
        // the next step in units of this one
        let tolerance_squared = self.tolerance * self.tolerance;
        let (squared, factor) = match error {
            ErrorEstimate::Explicit { fifth, third } => {
                let fifth = fifth.mean(speed_squared);
                let mut squared = 0.0;
                if fifth != 0.0 {
                    let third = third.mean(speed_squared);
                    squared = if third < f64::INFINITY {
                        fifth * (fifth / (fifth + 0.01 * third)) / tolerance_squared
                    } else {
                        f64::INFINITY // a step far astray: its ratio would be 0
                    };
                }
                (squared, OF_STEP * inverse_sixteenth_root(squared))
            }
            ErrorEstimate::Stiff(error) => {
                let mean = error.mean(speed_squared);
                let squared = mean / tolerance_squared * (FOURTH * FOURTH);
                let root = inverse_sixteenth_root(squared);
                (squared, OF_STEP * (root * root))
            }
            ErrorEstimate::Extrapolated { squared, factor } => (*squared, *factor),
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
        self.h = plan.h * factor.max(SHRINK).min(grow);
        self.was_rejected = !is_accepted;
        if is_accepted {
            // only now, because a step that went astray says nothing about the motion
            self.greatest_squared = greatest_squared;
        }
        is_accepted
    }

    /// The square of an error in units of the tolerance. `omega` is the angular velocity at the end
    /// of the step.
    pub(super) fn in_tolerances(
        &self,
        plan: &StepPlan,
        error: &SquaredError,
        omega: Vec3<f64>,
    ) -> f64 {
        error.mean(self.speed_squared(plan, omega)) / (self.tolerance * self.tolerance)
    }

    /// The square of the speed to which errors of the angular velocity are compared, with `omega`
    /// at the end of the step.
    #[inline(always)]
    fn speed_squared(&self, plan: &StepPlan, omega: Vec3<f64>) -> f64 {
        let slow = self.slow(plan);
        (self.greatest_squared.max(omega.dot(omega))).max(slow * slow)
    }

    /// Whether an error within a step exceeds this many tolerances.
    pub(super) fn exceeds(&self, tolerances: f64, plan: &StepPlan, error: &SquaredError) -> bool {
        let speed = self.speed(plan);
        let most = tolerances * self.tolerance / OF_TOLERANCE;
        let squared = error.mean(speed * speed);
        squared.is_nan() || squared > most * most
    }

    /// The least speed to which errors are compared, for a body that has hardly moved yet: at this
    /// speed it turns by a radian until the end, or by a microradian in this step. Otherwise no
    /// step across a jump of the torque would be short enough.
    ///
    /// Its reciprocal and its square are in the range of numbers even for spans of 1e-200 s or
    /// 1e200 s.
    #[inline(always)]
    fn slow(&self, plan: &StepPlan) -> f64 {
        let until_end = 1.0 / self.span.max(1e-150);
        let in_step = 1e-6 / plan.h.abs().max(1e-150);
        until_end.min(in_step).max(1e-150)
    }

    /// The speed to which errors of the angular velocity are compared.
    pub(super) fn speed(&self, plan: &StepPlan) -> f64 {
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

/// The time in which a body turns this far, rad.
pub(super) fn time_to_turn(angle: f64, omega: Vec3<f64>) -> f64 {
    angle / length(omega).max(SLOWEST)
}
