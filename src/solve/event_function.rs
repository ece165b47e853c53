//! An event function, on which side of zero its values are, and by how much rounding changes them.

use super::motion::Equations;
use crate::clock::Span;
use crate::error::Error;
use crate::kernel::{Quat, State, Vec3};

/// An event function of time and state.
pub(crate) type Event<'e> = dyn FnMut(f64, &State<f64>) -> f64 + 'e;

/// By how many ulp the state is changed to see what rounding does to a function: some times more
/// than from the end of a solution to the next state.
const ULPS_OF_STATE: f64 = 16.0;

/// By how many ulp the length of the quaternion is changed. It is 1 to rounding, but not the same
/// 1 at the end of a solution and after the start of the next. It becomes shorter alone: no arc
/// cosine of its numbers is NaN for that.
const ULPS_OF_LENGTH: f64 = 4.0;

/// The rounding of the state counts as this many times the greatest change that was seen.
const MARGIN: f64 = 4.0;

/// A value has left zero if it is more than this many times the rounding of the state off.
const FAR: f64 = 8.0;

/// By how many ulp the time is changed. A function of time and state is a saw: within an ulp of the
/// clock it goes on with the state alone, and then it jumps with the time.
const ULPS_OF_TIME: f64 = 2.0;

/// On which side of zero a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Negative,
    Zero,
    Positive,
}

impl Side {
    /// A value counts as zero if its size is at most `rounding`.
    pub(super) fn of(value: f64, rounding: f64) -> Self {
        if value > rounding {
            Side::Positive
        } else if value < -rounding {
            Side::Negative
        } else {
            Side::Zero
        }
    }
}

/// A state within a solution.
pub(super) struct Moment {
    /// The time of the clock, and since the start of the solution.
    pub(super) time: f64,
    pub(super) elapsed: f64,
    pub(super) state: State<f64>,
}

/// The event function, with its checks.
pub(super) struct CheckedEvent<'w, 'e> {
    pub(super) function: &'w mut Event<'e>,
    /// How often the function has been asked.
    pub(super) asked: u64,
    /// How often the function may be asked.
    pub(super) most: u64,
}

impl CheckedEvent<'_, '_> {
    pub(super) fn value(&mut self, time: f64, state: &State<f64>) -> Result<f64, Error> {
        if self.asked == self.most {
            return Err(Error::TooManyEvaluations {
                most: self.most,
                time: f64::NAN, // the search adds the time
                looks_stiff: false,
            });
        }
        self.asked += 1;
        let value = (self.function)(time, state);
        if value.is_finite() {
            Ok(value)
        } else {
            Err(Error::EventNotFinite { time, value })
        }
    }

    /// By how much rounding changes the function at a state: the state is changed, and the time by
    /// some ulp. Where the inertia changes, the angular velocity changes with the time, too. The
    /// function may be known within the solution only, so its times stay there.
    pub(super) fn rounding(
        &mut self,
        motion: &Equations,
        span: &Span,
        here: &Moment,
    ) -> Result<Rounding, Error> {
        let Moment {
            time,
            elapsed,
            state,
        } = here;
        let value = self.value(*time, state)?;
        let speed = motion.ulps_of_velocity() * state.omega_body.dot(state.omega_body).sqrt();
        let mut by_state = Changes::default();
        for [forth, back] in rounded(state, speed) {
            by_state.add(
                value,
                [self.value(*time, &forth)?, self.value(*time, &back)?],
            );
        }
        let mut at_neighbours = [0.0; 2];
        let apart = ULPS_OF_TIME * (time * f64::EPSILON).abs();
        for (there, other) in at_neighbours.iter_mut().zip(span.neighbours(*time, apart)) {
            let changed = motion.in_inertia_of(span.elapsed(other), *elapsed, state)?;
            *there = self.value(other, &changed)?;
        }
        let mut by_time = Changes::default();
        by_time.add(value, at_neighbours);
        // what is seen on one side alone, and is not the way to zero, is a jump
        let change = if by_state.crosses {
            by_state.greatest
        } else {
            by_state.on_both_sides
        };
        Ok(Rounding {
            zero: MARGIN * change,
            of_state: MARGIN * by_state.greatest,
            of_time: by_time.greatest,
            crosses: by_state.crosses,
        })
    }
}

/// States that differ from a state by rounding, in pairs: turned forth and back, and shorter.
fn rounded(state: &State<f64>, speed: f64) -> [[State<f64>; 2]; 4] {
    let turn = ULPS_OF_STATE * f64::EPSILON;
    let shorter = ULPS_OF_LENGTH * f64::EPSILON;
    let turns = [0, 1, 2].map(|axis| [turn, -turn].map(|angle| turned(state, axis, angle, speed)));
    let lengths = [1.0, 2.0].map(|k| shortened(state, 1.0 - k * shorter));
    [turns[0], turns[1], turns[2], lengths]
}

/// A state that is turned about an axis, with its angular velocity.
fn turned(state: &State<f64>, axis: usize, angle: f64, speed: f64) -> State<f64> {
    let mut direction = Vec3::splat(0.0);
    direction.0[axis] = angle;
    State {
        q: state.q * Quat::from_parts(1.0, direction),
        omega_body: state.omega_body + direction * speed,
    }
}

fn shortened(state: &State<f64>, length: f64) -> State<f64> {
    State {
        q: state.q.scaled(length),
        omega_body: state.omega_body,
    }
}

/// How a value of the function changes with its arguments.
#[derive(Default)]
struct Changes {
    greatest: f64,
    /// The greatest change that is seen on both sides.
    on_both_sides: f64,
    /// Whether one takes the function to zero, or to the other side of it.
    crosses: bool,
}

impl Changes {
    /// Adds the changes of a value to these two, where an argument goes forth and back.
    fn add(&mut self, value: f64, changed: [f64; 2]) {
        let side = Side::of(value, 0.0);
        let [forth, back] = changed.map(|changed| (changed - value).abs());
        self.greatest = self.greatest.max(forth.max(back));
        self.on_both_sides = self.on_both_sides.max(forth.min(back));
        self.crosses |= changed
            .iter()
            .any(|changed| Side::of(*changed, 0.0) != side);
    }
}

/// By how much rounding changes the function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rounding {
    /// A value of at most this size counts as zero. It is the rounding of the state, without jumps.
    pub(super) zero: f64,
    /// The rounding of the state and, because it shows, that of the function's own arithmetic.
    pub(super) of_state: f64,
    /// The rounding of the time, which is great at late clocks where the function is steep. The end
    /// of one solution and the start of the next have the same time, so it makes no value zero.
    of_time: f64,
    /// Whether a change of the state takes the function to zero, or to the other side of it.
    pub(super) crosses: bool,
}

impl Rounding {
    /// A value of at most this size may not have left zero: the rounding differs from place to
    /// place.
    pub(super) fn near_zero(&self) -> f64 {
        (FAR * self.of_state).max(self.of_time)
    }
}
