//! An event function, on which side of zero its values are, and by how much rounding changes them.

use super::control::time_to_turn;
use super::motion::Equations;
use crate::clock::Span;
use crate::error::Error;
use crate::kernel::{Quat, State, Vec3, exp};

/// An event function of time and state.
pub(crate) type Event<'e> = dyn FnMut(f64, &State<f64>) -> f64 + 'e;

/// The changes of the state by which the rounding is measured: several times an ulp, and to the
/// other side as much as rounding may change it from the end of a solution to the next state. Only
/// flags need the second, which for other functions counts as if it were of the size of the first.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
const BACK: f64 = 4.0;

/// The changes of the time, in ulp. The time is rounded, and the state is not that of the rounded
/// time: within an ulp of the clock the state goes on, and then the time jumps. So a function of
/// both is a saw: it jumps as with the time, and goes back as with the state, in an ulp.
const ULPS: f64 = 2.0;

/// Changes to both sides whose ratio is less are one change on one side.
const ONE_SIDED: f64 = 1e-3;

/// The rounding counts as this many times the greatest change that was measured.
const MARGIN: f64 = 8.0;

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

    /// By how much rounding changes the function at a state: the state is turned about each axis,
    /// with its angular velocity, and the time is changed by some ulp. Where the inertia changes,
    /// the angular velocity changes with the time, too. The function may be known within the
    /// solution only, so its times stay there.
    pub(super) fn rounding(
        &mut self,
        motion: &Equations,
        span: &Span,
        here: &Moment,
    ) -> Result<Rounding, Error> {
        let Moment { time, state, .. } = here;
        let value = self.value(*time, state)?;
        let speed = motion.ulps_of_velocity() * state.omega_body.dot(state.omega_body).sqrt();
        let mut by_state = Changes::default();
        for axis in 0..3 {
            let [forth, back] = [1.0, -BACK].map(|times| turned(state, axis, times, speed));
            let there = [self.value(*time, &forth)?, self.value(*time, &back)?];
            by_state.add(value, there, [1.0, BACK]);
        }
        let ulp = (time * f64::EPSILON).abs();
        if let Some(changed) = motion.in_inertia_of_neighbour(here.elapsed, ulp, state)? {
            by_state.add(value, [self.value(*time, &changed)?; 2], [1.0; 2]);
        }
        let [before, after] = span.neighbours(*time, ULPS * ulp);
        let mut by_time = Changes::default();
        let there = [self.value(before, state)?, self.value(after, state)?];
        let sizes = [before, after].map(|there| if there == *time { 0.0 } else { ULPS });
        by_time.add(value, there, sizes);
        let mut by_motion = Changes::default();
        let [forth, back] = [ULPS, -ULPS].map(|ulps| moved(state, ulps * ulp));
        let there = [self.value(*time, &forth)?, self.value(*time, &back)?];
        by_motion.add(value, there, [ULPS; 2]);
        let jump = if by_motion.crosses {
            by_motion.rounding(value)
        } else {
            0.0 // the function may depend on the state alone, which is no saw
        };
        Ok(Rounding {
            of_state: by_state.rounding(value),
            of_time: by_time.rounding(value).max(jump),
            crosses: by_state.crosses,
        })
    }
}

/// A state that rounding has turned, some times, about an axis, with its angular velocity.
fn turned(state: &State<f64>, axis: usize, times: f64, speed: f64) -> State<f64> {
    let mut direction = Vec3::splat(0.0);
    direction.0[axis] = times * ROUNDING;
    State {
        q: state.q * Quat::from_parts(1.0, direction),
        omega_body: state.omega_body + direction * speed,
    }
}

/// A state that has turned for a time too short to change its angular velocity, by a radian at most.
fn moved(state: &State<f64>, elapsed: f64) -> State<f64> {
    let most = time_to_turn(1.0, state.omega_body);
    let elapsed = elapsed.clamp(-most, most);
    State {
        q: state.q * exp(state.omega_body * elapsed),
        omega_body: state.omega_body,
    }
}

/// How the function changes with its arguments.
#[derive(Default)]
struct Changes {
    greatest: f64,
    /// Whether one takes the function to zero, or to the other side of it.
    crosses: bool,
    /// Whether one is seen to both sides.
    is_on_both_sides: bool,
}

impl Changes {
    /// Adds the changes of a value where an argument changes to both sides by these sizes, or to
    /// one side if the other size is 0.
    fn add(&mut self, value: f64, there: [f64; 2], sizes: [f64; 2]) {
        let side = Side::of(value, 0.0);
        self.crosses |= there.iter().any(|there| Side::of(*there, 0.0) != side);
        let [forth, back] = [0, 1].map(|k| {
            let k = if sizes[k] > 0.0 { k } else { 1 - k };
            (there[k] - value).abs() / sizes[k].max(1.0)
        });
        let greatest = forth.max(back);
        self.greatest = self.greatest.max(greatest);
        self.is_on_both_sides |= forth.min(back) > ONE_SIDED * greatest;
    }

    /// By how much rounding changes the value. Where all changes are on one side alone, and none
    /// crosses zero, there is a jump beside the value, and no rounding.
    fn rounding(&self, value: f64) -> f64 {
        let rounding = MARGIN * self.greatest;
        if self.crosses || self.is_on_both_sides || rounding < value.abs() {
            rounding
        } else {
            0.0
        }
    }
}

/// By how much rounding changes the function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rounding {
    /// The rounding of the state and, because it shows, that of the function's own arithmetic. A
    /// value of at most this size counts as zero.
    pub(super) of_state: f64,
    /// The rounding of the time, which is great at late clocks where the function is steep. The end
    /// of one solution and the start of the next have the same time, so it makes no value zero; but
    /// it delays when zero is left.
    of_time: f64,
    /// Whether a change of the state takes the function to zero, or to the other side of it.
    pub(super) crosses: bool,
}

impl Rounding {
    pub(super) fn total(&self) -> f64 {
        self.of_state.max(self.of_time)
    }
}
