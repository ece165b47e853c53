//! Events: where a function of the motion leaves one side of zero, for zero or for the other side.
//!
//! A value of the function is on the positive side, on the negative side, or zero to rounding,
//! because a computed value near zero may have any sign. The size of rounding errors is
//! measured ([`CheckedEvent::rounding`](super::event_function)). What makes a value zero is
//! that of the state alone. So the end of one solution and the start of the next, which are the
//! same state, are judged alike, and no event is found twice or lost in between. The rounding
//! differs from place to place, and it may show at one place and not beside it; but a value that
//! goes slowly away from zero must not count as zero again. So to leave zero is to go some way
//! ([`Rounding::near_zero`]), at several points, and what is farther from zero than a start that
//! is not zero is none.
//!
//! - to leave zero is no event, at the start or later. The side is then the one that is reached;
//! - two samples at zero are a stretch of zeros: an event at its beginning. One sample may be the
//!   place where the function crosses, or where it touches zero and turns back, which is none: the
//!   next sample tells. After the end of a solution there is no next one: an end at zero is an event.

use super::event_function::{Rounding, Side};
use crate::error::Error;

/// The events that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// From negative to zero or positive.
    Rising = 1,
    /// From positive to zero or negative.
    Falling = -1,
    /// Both.
    Any = 0,
}

impl Crossing {
    fn includes(self, side_before: Side) -> bool {
        match self {
            Crossing::Any => side_before != Side::Zero,
            Crossing::Rising => side_before == Side::Negative,
            Crossing::Falling => side_before == Side::Positive,
        }
    }
}

/// The event function within a step.
pub(super) trait WithinStep {
    /// Its value at a part of the step, from 0 to 1.
    fn value(&mut self, part: f64) -> Result<f64, Error>;

    /// By how much rounding changes the value there.
    fn rounding(&mut self, part: f64) -> Result<Rounding, Error>;
}

/// A search starts with `FEWEST` equal parts of a step. They are halved, at least once and up to
/// `MOST` parts, until cubic interpolation predicts the values between them to the fraction
/// `PREDICTED` of their range.
const FEWEST: usize = 8;
const MOST: usize = 256;
const PREDICTED: f64 = 0.02;

/// The golden section. `SECTIONS` of them find an extremum to 1e-8 of a part.
const GOLDEN: f64 = 0.6180339887498949;
const SECTIONS: usize = 40;

/// A function that starts at zero is looked at after this many ulp of the clock: in an ulp, the
/// state goes on and the time does not.
const ULPS_TO_LEAVE: f64 = 64.0;
const TO_LEAVE: usize = 3;

/// The value of the function at a part of a step.
#[derive(Clone, Copy)]
struct Point {
    part: f64,
    value: f64,
}

impl Point {
    fn at(part: f64, function: &mut dyn WithinStep) -> Result<Self, Error> {
        let value = function.value(part)?;
        Ok(Point { part, value })
    }

    fn is_on(&self, side: Side) -> bool {
        Side::of(self.value, 0.0) == side
    }

    /// Whether the value is far from zero, by the rounding there or by `most`: at a jump that is as
    /// great as the jump.
    fn is_far(&self, most: f64, function: &mut dyn WithinStep) -> Result<bool, Error> {
        let size = self.value.abs();
        Ok(size > most || size > 0.0 && size > function.rounding(self.part)?.near_zero())
    }

    /// Whether the value is on the other side of zero, seen from `side`, by more than rounding: by
    /// more than the rounding there, and more than `rounding`.
    fn is_beyond(
        &self,
        side: f64,
        rounding: f64,
        function: &mut dyn WithinStep,
    ) -> Result<bool, Error> {
        let height = side * self.value;
        Ok(height < -rounding && height < -function.rounding(self.part)?.near_zero())
    }
}

/// The last point on the side of a search, and the first zero since then.
struct Way {
    near: Point,
    zero: Option<Point>,
}

/// A search through the steps of a solution.
pub(super) struct Search {
    pub(super) crossing: Crossing,
    /// The side of the last value that was not zero; zero from a start at zero until the function
    /// leaves it.
    pub(super) side: Side,
    /// The value at the start of the next step, and the rounding there.
    pub(super) last: f64,
    pub(super) rounding: Rounding,
}

/// A step that is searched.
pub(super) struct StepSearch {
    pub(super) samples: Samples,
    /// The least part of the step that the elapsed time resolves.
    pub(super) resolution: f64,
    /// An ulp of the clock, as a part of the step.
    pub(super) ulp: f64,
    pub(super) rounding_at_end: Rounding,
    pub(super) is_last: bool,
}

/// The values of the function at equal parts of a step.
pub(super) struct Samples {
    values: [f64; MOST + 1],
    count: usize,
}

impl Search {
    /// The first event within a step, as a part of it: the first point that is off the side.
    pub(super) fn through(
        &mut self,
        step: &mut StepSearch,
        function: &mut dyn WithinStep,
    ) -> Result<Option<f64>, Error> {
        let count = step.samples.count;
        let values = &mut step.samples.values[..=count];
        let last = values[count];
        let at_start = self.rounding.near_zero();
        let most = at_start.max(step.rounding_at_end.near_zero());
        count_as_zero(values, most, function)?;
        // At an extremum the rounding may be 0, by chance. The rounding of the state and of the
        // function's arithmetic shows at the ends of the step too.
        let rounding = (self.rounding.of_state).max(step.rounding_at_end.of_state);

        let start = Point {
            part: 0.0,
            value: self.last,
        };
        let mut way = Way {
            near: start,
            zero: (values[0] == 0.0).then_some(start),
        };
        if self.side == Side::Zero {
            let first_part = 1.0 / count as f64;
            if let Some(left) = leaves_zero(step.ulp, first_part, at_start, function)? {
                self.go_to(left, &mut way);
            }
        }
        // a dip near a sample comes before it or after it
        let mut later = dip(values, 0, rounding, function)?;
        for i in 1..=count {
            let sample = Point {
                part: i as f64 / count as f64,
                value: values[i],
            };
            let mut points = [later.take(), None, Some(sample)];
            if let Some(found) = dip(values, i, rounding, function)? {
                if found.part < sample.part {
                    points[1] = Some(found);
                } else {
                    later = Some(found);
                }
            }
            for point in points.into_iter().flatten() {
                let point = self.seen(point, most, function)?;
                if let Some(far) = self.go_to(point, &mut way) {
                    return located(way.near, far, self.side, step.resolution, function).map(Some);
                }
            }
        }
        self.last = last;
        self.rounding = step.rounding_at_end;
        let Some(zero) = way.zero.filter(|_| self.crossing.includes(self.side)) else {
            return Ok(None);
        };
        // a zero at the very end of a step may be a touch, unless nothing follows
        let part = located(way.near, zero, self.side, step.resolution, function)?;
        Ok((step.is_last || part < 1.0).then_some(part))
    }

    /// A point, which is at zero where the function has been there and is not far from it.
    fn seen(
        &self,
        mut point: Point,
        most: f64,
        function: &mut dyn WithinStep,
    ) -> Result<Point, Error> {
        if self.side == Side::Zero && !point.is_far(most, function)? {
            point.value = 0.0;
        }
        Ok(point)
    }

    /// Goes on to a point. Where there was an event, returns the first point that is off the side.
    /// At the first zero this is not known yet, and where a second one follows, that is the point:
    /// it is farther from where rounding begins to count as zero.
    fn go_to(&mut self, point: Point, way: &mut Way) -> Option<Point> {
        let side = Side::of(point.value, 0.0);
        if side == Side::Zero && way.zero.is_none() {
            way.zero = Some(point);
            return None;
        }
        if side != self.side && self.crossing.includes(self.side) {
            return Some(point);
        }
        self.side = side;
        way.near = point;
        if side != Side::Zero {
            way.zero = None;
        }
        None
    }
}

/// Sets the values to 0 that rounding cannot tell from it, but for those that are farther from it
/// than a start that is not. (At the end these count too, where a jump is so near that rounding
/// reaches its other side: the next solution starts there, and would find none.) Those that may be
/// are of the size `most`, the rounding at the ends of the step, or less. At a jump of the function
/// this is as great as the jump, so the rounding is measured at each of them.
fn count_as_zero(
    values: &mut [f64],
    most: f64,
    function: &mut dyn WithinStep,
) -> Result<(), Error> {
    let last = values.len() - 1;
    for i in 0..=last {
        let value = values[i];
        let goes_away = i > 0 && values[0] != 0.0 && value / values[0] >= 1.0;
        let may_be_zero = i == last || !goes_away;
        if value != 0.0 && may_be_zero && Side::of(value, most) == Side::Zero {
            let rounding = function.rounding(i as f64 / last as f64)?;
            let is_zero = Side::of(value, rounding.zero) == Side::Zero;
            if is_zero && (!goes_away || rounding.crosses) {
                values[i] = 0.0;
            }
        }
    }
    Ok(())
}

impl Samples {
    /// `first` is the value at the start, which is known.
    pub(super) fn new(first: f64, function: &mut dyn WithinStep) -> Result<Self, Error> {
        let mut values = [0.0; MOST + 1];
        values[0] = first;
        let mut count = FEWEST;
        for i in 1..=count {
            values[i] = function.value(i as f64 / count as f64)?;
        }
        loop {
            for i in (1..=count).rev() {
                values[2 * i] = values[i];
            }
            let mut worst: f64 = 0.0;
            for i in 0..count {
                let at = 2 * i + 1;
                values[at] = function.value(at as f64 / (2 * count) as f64)?;
                let predicted = cubic(&values[..=2 * count], at);
                worst = worst.max((predicted - values[at]).abs());
            }
            count *= 2;
            let mut low = f64::MAX;
            let mut high = f64::MIN;
            for value in &values[..=count] {
                low = low.min(*value);
                high = high.max(*value);
            }
            if count == MOST || worst <= PREDICTED * (high - low) {
                return Ok(Samples { values, count });
            }
        }
    }
}

/// Predicts the value at an odd place by the cubic through the four nearest values at even places:
/// two on each side, where there are two.
fn cubic(values: &[f64], at: usize) -> f64 {
    let last = values.len() - 1;
    let first = (at - 1).saturating_sub(2).min(last - 6);
    let [a, b, c, d] = [0, 2, 4, 6].map(|k| values[first + k]);
    match at - first {
        1 => (5.0 * a + 15.0 * b - 5.0 * c + d) / 16.0,
        3 => (9.0 * (b + c) - (a + d)) / 16.0,
        _ => (5.0 * d + 15.0 * c - 5.0 * b + a) / 16.0,
    }
}

/// The first of some points after the start, each twice as far as the one before, from which on the
/// function is on one side of zero for `TO_LEAVE` points. One alone may be a rounding error that is
/// seen nowhere else.
fn leaves_zero(
    ulp: f64,
    last: f64,
    near_zero: f64,
    function: &mut dyn WithinStep,
) -> Result<Option<Point>, Error> {
    let mut part = (ULPS_TO_LEAVE * ulp).max(f64::EPSILON); // an ulp may underflow
    let mut left: Option<Point> = None;
    let mut count = 0;
    while part < last {
        let point = Point::at(part, function)?;
        let side = Side::of(point.value, near_zero);
        if side == Side::Zero || left.is_none_or(|left| !left.is_on(side)) {
            left = (side != Side::Zero).then_some(point);
            count = 0;
        }
        count += 1;
        if count == TO_LEAVE {
            return Ok(left);
        }
        part *= 2.0;
    }
    Ok(None)
}

/// A point on the other side of zero between samples that are all on one side. The extremum of the
/// function near sample `i` is sought by golden sections, if the parabola through the samples comes
/// near zero there.
fn dip(
    values: &[f64],
    i: usize,
    rounding: f64,
    function: &mut dyn WithinStep,
) -> Result<Option<Point>, Error> {
    let count = values.len() - 1;
    let ends = [i.saturating_sub(1), (i + 1).min(count)];
    let side = (values[ends[0]] + values[ends[1]]).signum(); // the start may be 0
    // the distances from zero, negative on the other side
    let height = side * values[i];
    let [height_before, height_after] = ends.map(|k| side * values[k]);

    let middle = i.clamp(1, count - 1);
    let [before, at, after] = [middle - 1, middle, middle + 1].map(|k| side * values[k]);
    let bend = 0.5 * (before - at) + 0.5 * (after - at);
    // The vertex of the parabola lies at most half a sample from the least sample, so at most a
    // quarter of `bend` below it. Half allows for a function that is no parabola.
    let may_cross = before.min(at).min(after) >= 0.0 && bend > 0.0 && height <= 0.5 * bend;
    let is_least = height_before >= height && height_after >= height;
    if !(may_cross && is_least) {
        return Ok(None);
    }

    let [mut low, mut high] = ends.map(|k| k as f64 / count as f64);
    let mut lower = Point::at(high - GOLDEN * (high - low), function)?;
    let mut upper = Point::at(low + GOLDEN * (high - low), function)?;
    for point in [lower, upper] {
        if point.is_beyond(side, rounding, function)? {
            return Ok(Some(point));
        }
    }
    for _ in 1..SECTIONS {
        let new;
        if side * lower.value < side * upper.value {
            high = upper.part;
            upper = lower;
            new = Point::at(high - GOLDEN * (high - low), function)?;
            lower = new;
        } else {
            low = lower.part;
            lower = upper;
            new = Point::at(low + GOLDEN * (high - low), function)?;
            upper = new;
        }
        if new.is_beyond(side, rounding, function)? {
            return Ok(Some(new));
        }
    }
    Ok(None)
}

/// The zero between two points, to the resolution, by inverse quadratic interpolation where it is
/// safe, otherwise by bisection (T. R. Chandrupatla, Adv. Eng. Softw. 28, 145 (1997)). `side` is
/// the side of `near` or, if `near` is the start of the step and zero to rounding, of the points
/// before it. Returns the end of the last bracket that is not on this side, or a 0 on the way to
/// the other side, which rounding may repeat at a few neighbouring times, but not further off.
fn located(
    near: Point,
    far: Point,
    side: Side,
    resolution: f64,
    function: &mut dyn WithinStep,
) -> Result<f64, Error> {
    if !near.is_on(side) {
        return Ok(near.part);
    }
    let mut a = far;
    let mut b = near;
    let mut t = 0.5;
    for _ in 0..200 {
        let new = Point::at(a.part + t * (b.part - a.part), function)?;
        if new.value == 0.0 && far.value != 0.0 {
            let earlier = new.part - 64.0 * resolution.max(f64::EPSILON * new.part);
            if earlier <= near.part || Point::at(earlier, function)?.is_on(side) {
                return Ok(new.part);
            }
        }
        let before = if new.is_on(side) == a.is_on(side) {
            a
        } else {
            std::mem::replace(&mut b, a)
        };
        a = new;
        let least = 0.5 * resolution.max(2.0 * f64::EPSILON * a.part) / (b.part - a.part).abs();
        if least >= 0.5 {
            break;
        }
        let xi = (a.part - b.part) / (before.part - b.part);
        let phi = (a.value - b.value) / (before.value - b.value);
        t = if phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi {
            let by_secant =
                a.value / (b.value - a.value) * (before.value / (b.value - before.value));
            let by_curvature = (before.part - a.part) / (b.part - a.part)
                * (a.value / (before.value - a.value))
                * (b.value / (before.value - b.value));
            by_secant + by_curvature
        } else {
            0.5
        };
        t = t.max(least).min(1.0 - least);
    }
    Ok(if a.is_on(side) { b.part } else { a.part })
}
