//! The size of the steps.

use crate::{clock::Span, kernel::Vec3};

/// The longest turn that a step is planned for, rad: the quaternion turns by half of it. Only tolerances above 1e-3 come near it.
pub(super) const FARTHEST: f64 = 4.0;

/// In place of rates and speeds of zero, by which programs that trap floating-point exceptions cannot divide.
const SLOWEST: f64 = 1e-300;

/// Least and greatest ratio of a step to the one before.
const SHRINK: f64 = 0.1;
const GROW: f64 = 6.0;

/// The error of a step is held to this fraction of the tolerance, and the next step planned for this fraction of its greatest size. With
/// both, the error of a heavy top after 100 steps is about the tolerance, and few steps are rejected.
const OF_TOLERANCE: f64 = 0.125;
const OF_STEP: f64 = 0.85;

/// The fraction for a method of order 4 is larger by this.
const FOURTH: f64 = 0.25;

/// Below this the error estimate is rounding.
const LEAST_TOLERANCE: f64 = 1e-15;

/// What the tolerance becomes in the shortest step. The times of its stages are rounded, so it cannot follow a torque that jumps
/// any closer; the error of such a step is small, that of a singular torque is not.
const LAST_TOLERANCE: f64 = 1e-6;

/// Chooses steps. All of its numbers scale with the units: there is no absolute tolerance.
pub(super) struct Control {
    tolerance: f64,
    /// One over the tolerance squared, and over the 6 numbers of a mean.
    per_square: f64,
    end: f64,
    /// Time from the start to the end.
    span: f64,
    longest: f64,
    /// The greatest |ω|² so far.
    greatest_squared: f64,
    /// The next step, with its sign.
    pub(super) h: f64,
    pub(super) was_rejected: bool,
}

pub(super) struct Plan {
    pub(super) h: f64,
    pub(super) end: f64,
    /// The time elapsed so far cannot resolve a shorter one.
    pub(super) is_shortest: bool,
}

impl Control {
    pub(super) fn new(tolerance: f64, longest: f64, span: &Span, omega: Vec3<f64>) -> Self {
        let (end, span, speed) = (span.end, span.end - span.start, length(omega));
        let tolerance = (OF_TOLERANCE * tolerance).max(LEAST_TOLERANCE);
        let (per_square, greatest_squared) = (1.0 / (6.0 * tolerance * tolerance), speed * speed);
        let (h, span) = (0.01 * span, span.abs());
        Control {
            tolerance,
            per_square,
            end,
            span,
            longest,
            greatest_squared,
            h,
            was_rejected: false,
        }
    }

    /// A short step to look ahead from the start: 0.01 rad at this speed and acceleration.
    pub(super) fn probe(&mut self, omega: Vec3<f64>, acceleration: Vec3<f64>) -> f64 {
        let rate = length(omega).max(length(acceleration).sqrt());
        self.h = (0.01 / rate.max(SLOWEST))
            .min(0.01 * self.span)
            .copysign(self.h);
        self.h
    }

    /// The first step, as HNW93, II.4, with rates in place of norms that mix units. Over times whose reciprocals overflow, no change is seen.
    pub(super) fn begin(&mut self, omega: Vec3<f64>, before: Vec3<f64>, after: Vec3<f64>) {
        let probe = self.h.abs();
        let (least, most) = (length(before), length(before).max(length(after)));
        let speed = length(omega).max(most * probe);
        let change = if probe * speed > 1e-280 {
            length(after - before) / probe / speed.max(SLOWEST)
        } else {
            0.0
        };
        let rate = length(omega).max(least.sqrt()).max(change.sqrt());
        let longest = 3.0 * self.tolerance.sqrt().sqrt().sqrt() / rate.max(SLOWEST);
        if longest > 0.0 {
            self.h = longest
                .min(100.0 * probe)
                .min(0.1 * self.span)
                .copysign(self.h);
        }
    }

    /// The next step to try. A remainder shorter than two steps is halved, so that no tiny step is left.
    pub(super) fn plan(&self, time: f64, omega: Vec3<f64>, farthest: f64) -> Plan {
        let (remaining, speed) = ((self.end - time).abs(), length(omega));
        let shortest = (64.0 * f64::EPSILON * time.abs()).max(1e-30 * self.span);
        let mut h = self
            .h
            .abs()
            .min(farthest / speed.max(SLOWEST))
            .min(self.longest)
            .max(shortest);
        if h >= remaining * (1.0 - 1e-10) {
            return Plan {
                h: self.end - time,
                end: self.end,
                is_shortest: remaining <= shortest,
            };
        }
        let is_shortest = h <= shortest;
        h = h.min(0.5 * remaining);
        let end = time + h.copysign(self.h);
        Plan {
            h: end - time,
            end,
            is_shortest,
        }
    }

    /// Whether the step is exact enough, and the size of the next. `errors`: the squares of an estimate, in rad and rad/s. With `third`, those
    /// of order 3, `errors` are of order 5, and the error is `e₅²/√(e₅² + 0.01 e₃²)`; without, the method is of order 4. An error is a root mean
    /// square over radians and the angular velocity relative to the greatest one. `omega`: near the end of the step.
    #[inline(always)]
    pub(super) fn accepts(
        &mut self,
        plan: &Plan,
        errors: [f64; 2],
        third: Option<[f64; 2]>,
        omega: Vec3<f64>,
    ) -> bool {
        let (greatest, slow) = (
            self.greatest_squared.max(omega.dot(omega)),
            self.slow(plan.h.abs()),
        );
        let per_speed = 1.0 / greatest.max(slow * slow);
        let size = |[turn, omega]: [f64; 2]| turn + omega * per_speed;
        let (fifth, third) = (size(errors), third.map(size));
        // squared, and in units of the tolerance
        let error = match third {
            None => fifth * self.per_square * (FOURTH * FOURTH),
            Some(third) if fifth != 0.0 => {
                fifth * (fifth / (fifth + 0.01 * third)) * self.per_square
            }
            Some(_) => 0.0,
        };
        let root = inverse_sixteenth_root(error);
        let factor = if third.is_some() { root } else { root * root };
        let most = if plan.is_shortest {
            (LAST_TOLERANCE / self.tolerance).max(1.0)
        } else {
            1.0
        };
        let is_accepted = error <= most * most; // not NaN
        let grow = if self.was_rejected || !is_accepted {
            1.0
        } else {
            GROW
        };
        // NaN gives the least factor
        self.h = plan.h * (OF_STEP * factor).max(SHRINK).min(grow);
        self.was_rejected = !is_accepted;
        // A step that went astray says nothing about the motion.
        self.greatest_squared = if is_accepted {
            greatest
        } else {
            self.greatest_squared
        };
        is_accepted
    }

    #[inline(always)]
    fn slow(&self, h: f64) -> f64 {
        // A body that has hardly moved yet: what turns it by a radian until the end, or a microradian in this step, is small. Otherwise
        // no step across a jump of the torque would be short enough.
        // (Neither its reciprocal nor its square is beyond the range of numbers, for spans of 1e-200 s or 1e200 s.)
        (1.0 / self.span.max(1e-150))
            .min(1e-6 / h.max(1e-150))
            .max(1e-150)
    }

    /// A speed to which the speed of the body compares.
    pub(super) fn speed(&self, plan: &Plan) -> f64 {
        self.greatest_squared.sqrt().max(self.slow(plan.h.abs()))
    }
}

/// `x^(−1/16)` to 1 %, which is exact enough for the size of a step and takes a third of the time of four roots. The exponent of a
/// double is its logarithm; then one Newton iteration.
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
