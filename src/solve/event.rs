//! Events: where a function of the motion crosses zero.

use crate::error::Error;

/// The crossings that are events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// From negative to positive.
    Rising = 1,
    /// From positive to negative.
    Falling = -1,
    /// Both.
    Any = 0,
}

impl Crossing {
    /// `side_before`: not 0.
    fn includes(self, side_before: f64) -> bool {
        self == Crossing::Any || (side_before < 0.0) == (self == Crossing::Rising)
    }
}

/// The function at a part of a step.
type Value<'v> = dyn FnMut(f64) -> Result<f64, Error> + 'v;

/// The fewest and the most parts in which a step is searched. The parts are halved until cubic interpolation predicts the values between
/// them to this fraction of their range.
const FEWEST: usize = 8;
const MOST: usize = 256;
const PREDICTED: f64 = 0.02;

/// The golden section, and how often an extremum is sought by it: to 1e-9 of a part.
const GOLDEN: f64 = 0.6180339887498949;
const SECTIONS: usize = 40;

pub(super) struct Watch {
    pub(super) crossing: Crossing,
    /// The last value that was not 0. It is 0 from a start on the event until the function leaves 0.
    pub(super) side: f64,
    pub(super) last: f64,
}

impl Watch {
    /// The first event within a step, as a part of it, on the far side of the crossing. `value`: the event function at a part of the step.
    /// `resolution`: the part that the clock resolves. The end of the last step is an event if the function has just become 0 there.
    pub(super) fn search(
        &mut self,
        resolution: f64,
        is_last: bool,
        value: &mut Value,
    ) -> Result<Option<f64>, Error> {
        let mut values = [0.0; MOST + 1];
        values[0] = self.last;
        let count = sampled(&mut values, value)?;
        let point = |i: usize| (i as f64 / count as f64, values[i]);
        let (mut near, mut zero, mut later) = (point(0), None, dip(&values[..=count], 0, value)?);
        for i in 1..=count {
            let found = dip(&values[..=count], i, value)?;
            let (before, after) = if found.is_some_and(|x| x.0 < point(i).0) {
                (found, None)
            } else {
                (None, found)
            };
            for next in later.into_iter().chain(before).chain([point(i)]) {
                if next.1 == 0.0 {
                    zero = zero.or(Some(next.0));
                    continue;
                }
                let crossed = (next.1 > 0.0) != (self.side > 0.0) && self.side != 0.0;
                if crossed && self.crossing.includes(self.side) {
                    return Ok(Some(match zero {
                        Some(zero) => zero,
                        None if near.1 == 0.0 => near.0,
                        None => located(near, next, resolution, value)?,
                    }));
                }
                (self.side, near, zero) = (next.1, next, None);
            }
            later = after;
        }
        self.last = values[count];
        let has_become_0 =
            self.last == 0.0 && self.side != 0.0 && self.crossing.includes(self.side);
        Ok((is_last && has_become_0).then_some(1.0))
    }
}

/// Fills `values` with the function at equal parts of the step, and returns their number. `values[0]` is known.
fn sampled(values: &mut [f64; MOST + 1], value: &mut Value) -> Result<usize, Error> {
    let mut count = FEWEST;
    for i in 1..=count {
        values[i] = value(i as f64 / count as f64)?;
    }
    loop {
        for i in (1..=count).rev() {
            values[2 * i] = values[i];
        }
        let mut worst: f64 = 0.0;
        for i in 0..count {
            let at = 2 * i + 1;
            values[at] = value(at as f64 / (2 * count) as f64)?;
            // the cubic through the four values nearest to the middle of the four intervals that hold it
            let first = (2 * i).saturating_sub(2).min(2 * count - 6);
            let [a, b, c, d] = [0, 2, 4, 6].map(|k| values[first + k]);
            let predicted = match at - first {
                1 => (5.0 * a + 15.0 * b - 5.0 * c + d) / 16.0,
                3 => (9.0 * (b + c) - (a + d)) / 16.0,
                _ => (5.0 * d + 15.0 * c - 5.0 * b + a) / 16.0,
            };
            worst = worst.max((predicted - values[at]).abs());
        }
        count *= 2;
        let (low, high) = values[..=count]
            .iter()
            .fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(*v), h.max(*v)));
        if count == MOST || worst <= PREDICTED * (high - low) {
            return Ok(count);
        }
    }
}

/// A point on the other side of zero between two samples on one side: where the function has its extremum near sample `i`, if the parabola
/// through the samples comes near zero there. By golden sections.
fn dip(values: &[f64], i: usize, value: &mut Value) -> Result<Option<(f64, f64)>, Error> {
    let count = values.len() - 1;
    let (middle, next) = (
        i.clamp(1, count - 1),
        [i.saturating_sub(1), (i + 1).min(count)],
    );
    let side = (values[next[0]] + values[next[1]]).signum(); // a start on the event is 0
    let [before, at, after] = [middle - 1, middle, middle + 1].map(|k| side * values[k]);
    let bend = 0.5 * (before - at) + 0.5 * (after - at);
    // the vertex lies at most half a sample from the least one, so at most a quarter of this below
    let may_cross =
        before.min(at).min(after) >= 0.0 && bend > 0.0 && side * values[i] <= 0.5 * bend;
    if !(may_cross && next.iter().all(|k| side * values[*k] >= side * values[i])) {
        return Ok(None);
    }
    let part = |k: usize| k as f64 / count as f64;
    let mut ends = next.map(part);
    let section = |k: usize, [low, high]: [f64; 2]| {
        let length = GOLDEN * (high - low);
        if k == 0 { high - length } else { low + length }
    };
    let mut inner = [section(0, ends), section(1, ends)];
    let mut heights = [side * value(inner[0])?, side * value(inner[1])?];
    for _ in 0..SECTIONS {
        if let Some(k) = (0..2).find(|k| heights[*k] < 0.0) {
            return Ok(Some((inner[k], side * heights[k])));
        }
        let (k, other) = if heights[0] < heights[1] {
            (0, 1)
        } else {
            (1, 0)
        };
        (ends[other], inner[other], heights[other]) = (inner[other], inner[k], heights[k]);
        inner[k] = section(k, ends);
        heights[k] = side * value(inner[k])?;
    }
    Ok(None)
}

/// The zero between two parts with values of opposite sign, to the resolution: inverse quadratic interpolation where it is safe, else
/// bisection (T. R. Chandrupatla, Adv. Eng. Softw. 28, 145 (1997)). Returns the end of the last bracket on the side of `far`, so that a
/// search that begins there does not find the same event again.
fn located(
    near: (f64, f64),
    far: (f64, f64),
    resolution: f64,
    value: &mut Value,
) -> Result<f64, Error> {
    let (mut a, mut b, mut t) = (far, near, 0.5);
    for _ in 0..200 {
        let x = a.0 + t * (b.0 - a.0);
        let new = (x, value(x)?);
        if new.1 == 0.0 {
            return Ok(x);
        }
        let before = if (new.1 > 0.0) == (a.1 > 0.0) {
            a
        } else {
            std::mem::replace(&mut b, a)
        };
        a = new;
        let least = 0.5 * resolution.max(2.0 * f64::EPSILON * a.0) / (b.0 - a.0).abs();
        if least >= 0.5 {
            break;
        }
        let (xi, phi) = (
            (a.0 - b.0) / (before.0 - b.0),
            (a.1 - b.1) / (before.1 - b.1),
        );
        t = if phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi {
            a.1 / (b.1 - a.1) * (before.1 / (b.1 - before.1))
                + (before.0 - a.0) / (b.0 - a.0)
                    * (a.1 / (before.1 - a.1))
                    * (b.1 / (before.1 - b.1))
        } else {
            0.5
        };
        t = t.max(least).min(1.0 - least);
    }
    Ok(if (a.1 > 0.0) == (far.1 > 0.0) {
        a.0
    } else {
        b.0
    })
}
