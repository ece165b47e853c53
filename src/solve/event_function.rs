//! An event function, on which side of zero its values are, and by how much rounding changes them.

use super::motion::Equations;
use crate::error::Error;
use crate::kernel::{Quat, State, Vec3};

/// An event function of time and state.
pub(crate) type Event<'e> = dyn FnMut(f64, &State<f64>) -> f64 + 'e;

/// The changes of the state by which the rounding is measured: several times an ulp, and to the
/// other side as much as rounding may change it from the end of a solution to the next state. Only
/// flags need the second, which for other functions counts as if it were of the size of the first.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
const BACK: f64 = -4.0;

/// The changes of the time, in ulp, to both sides. The time is rounded, and the state is not that of
/// the rounded time: within an ulp of the clock the state goes on, and then the time jumps. So a
/// function of both is a saw, whose jump is its change with the time in an ulp.
const ULPS: f64 = 2.0;

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
    /// to both sides because a flag may change on one of them, with its angular velocity, and the
    /// time is changed, by some ulp. Where the inertia changes, the angular velocity changes with
    /// the time: the inertia is known at times of the clock alone, and between them the function is
    /// a saw.
    pub(super) fn rounding(
        &mut self,
        motion: &Equations,
        here: &Moment,
    ) -> Result<Rounding, Error> {
        let Moment { time, state, .. } = here;
        let value = self.value(*time, state)?;
        let side = Side::of(value, 0.0);
        let crosses = |there: &f64| Side::of(*there, 0.0) != side;
        let speed = motion.ulps_of_velocity() * state.omega_body.dot(state.omega_body).sqrt();
        let mut of_state: f64 = 0.0;
        let mut state_crosses = false;
        for (axis, times) in [0, 1, 2].into_iter().flat_map(|k| [(k, 1.0), (k, BACK)]) {
            let mut direction = Vec3::splat(0.0);
            direction.0[axis] = times * ROUNDING;
            let changed = State {
                q: state.q * Quat::from_parts(1.0, direction),
                omega_body: state.omega_body + direction * speed,
            };
            let there = self.value(*time, &changed)?;
            state_crosses |= crosses(&there);
            let change = (there - value) / times;
            of_state = of_state.max(change.abs());
        }
        let ulp = (time * (1.0 + f64::EPSILON)).clamp(f64::MIN, f64::MAX) - time;
        let neighbours = [ULPS, -ULPS].map(|ulps| (time + ulps * ulp).clamp(f64::MIN, f64::MAX));
        let there = [
            self.value(neighbours[0], state)?,
            self.value(neighbours[1], state)?,
        ];
        let [later, earlier] = there.map(|there| (there - value).abs() / ULPS);
        let time_crosses = there.iter().any(crosses);
        // a change on one side alone, which stays on the side of the value, is a jump, no rounding
        let mut of_time = if time_crosses {
            later.max(earlier)
        } else {
            later.min(earlier)
        };
        if let Some(changed) = motion.in_inertia_of_neighbour(here.elapsed, ulp, state)? {
            let there = self.value(*time, &changed)?;
            state_crosses |= crosses(&there);
            of_time = of_time.max((there - value).abs());
        }
        Ok(Rounding {
            of_state: MARGIN * of_state,
            of_time: MARGIN * of_time,
            crosses: state_crosses || time_crosses,
        })
    }
}

/// By how much rounding changes the function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rounding {
    /// The rounding of the state and, because it shows, that of the function's own arithmetic.
    pub(super) of_state: f64,
    /// The rounding of the time, which is great at late clocks where the function is steep.
    of_time: f64,
    /// Whether a change that was measured takes the function to zero, or to the other side of it.
    pub(super) crosses: bool,
}

impl Rounding {
    pub(super) fn total(&self) -> f64 {
        self.of_state.max(self.of_time)
    }
}
