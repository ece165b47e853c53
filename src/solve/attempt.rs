//! A step that is exact enough, and the states within it.

use super::inertia::{Doubts, Unit};
use super::{rates::Numbers, rosenbrock::Curve};
use crate::kernel::{PrincipalInertia, State, free_rotation};
use crate::{error::Error, inertia::least_moment};

/// A step that is exact enough, not yet taken. Its start and end are elapsed times of the [`Span`](crate::clock::Span).
pub(super) struct Attempt {
    pub(super) start: f64,
    pub(super) end: f64,
    pub(super) state: State<f64>,
    pub(super) h: f64,
    pub(super) gained: Numbers,
    pub(super) doubts: Doubts,
    /// The step, if it is of the stiff method.
    pub(super) curve: Option<Curve>,
}

impl Attempt {
    pub(super) fn elapsed(&self, part: f64) -> f64 {
        if part < 1.0 {
            self.start + part * self.h
        } else {
            self.end
        }
    }
}

/// A body as it is without torque: its rotation is exact over any time.
#[derive(Clone, Copy)]
pub(crate) struct FreeBody<'a> {
    pub(crate) inertia: &'a PrincipalInertia<f64>,
    pub(crate) state: State<f64>,
    /// For errors.
    pub(crate) time: f64,
}

impl FreeBody<'_> {
    pub(crate) fn after(&self, duration: f64) -> Result<State<f64>, Error> {
        let end = drifted(self.inertia, &self.state, duration);
        if is_finite(&end) {
            Ok(end)
        } else {
            Err(Error::Overflow {
                time: self.time,
                size: None,
            })
        }
    }

    /// The time in which the fastest rotation with this energy turns by a radian: |ω|² is at most twice the energy over the least moment.
    pub(super) fn radian(&self) -> f64 {
        let (moments, omega) = (self.inertia.moments.0, self.state.omega_body.0);
        let [x, y, z] =
            [0, 1, 2].map(|axis| (moments[axis] / least_moment(moments)).sqrt() * omega[axis]);
        1.0 / libm::hypot(libm::hypot(x, y), z).max(f64::MIN_POSITIVE)
    }
}

/// The state after a time without torque.
#[inline(always)]
pub(crate) fn drifted(
    inertia: &PrincipalInertia<f64>,
    start: &State<f64>,
    duration: f64,
) -> State<f64> {
    let free = free_rotation(inertia, start.omega_body, duration);
    State {
        q: start.q.turned_freely(free.rotation, free.motion),
        omega_body: start.omega_body + free.gained,
    }
}

/// Tests the result of a step. One component of `q` is enough: it depends on all. If `|ω|²` is finite, no rotated ω overflows.
#[inline(always)]
pub(crate) fn is_finite(state: &State<f64>) -> bool {
    (state.q.0[0] + state.omega_body.dot(state.omega_body)).is_finite()
}

/// The states within a step.
#[allow(clippy::large_enum_variant)] // one at a time, on the stack
pub(super) enum Dense<'a> {
    /// In the form of HNW93, II.6, the quaternion then normalised:
    /// ```text
    ///     y(θ) = y₀ + θ (c₀ + (1−θ)(c₁ + θ (c₂ + (1−θ)(c₃ + θ (c₄ + (1−θ)(c₅ + θ c₆))))))
    /// ```
    OfOrder7 {
        unit: Unit,
        start: Numbers,
        doubts: Doubts,
        coefficients: [Numbers; 7],
    },
    OfOrder3(Curve),
    /// From an elapsed time on.
    Exact(FreeBody<'a>, f64),
}

impl Dense<'_> {
    /// The state at a part of the step, from 0 to 1, and at that elapsed time; at 1 the bits of the step's end.
    pub(super) fn at(&self, part: f64, elapsed: f64) -> Result<State<f64>, Error> {
        match self {
            Dense::Exact(body, start) => body.after(elapsed - start),
            Dense::OfOrder3(curve) => Ok(curve.at(part)),
            Dense::OfOrder7 {
                unit,
                start,
                doubts,
                coefficients,
            } => {
                let mut sum = coefficients[6].times(part);
                for i in (0..6).rev() {
                    sum = sum.plus(&coefficients[i]).times(if i % 2 == 0 {
                        part
                    } else {
                        1.0 - part
                    });
                }
                let mut end = start.plus(&sum);
                if part < 1.0 {
                    end = end.plus(&unit.correction(&end, doubts)); // at 1 the gain contains it
                }
                // within a step that did not overflow
                Ok(unit.state(&end).unwrap_or(State {
                    q: end.q(),
                    omega_body: end.momentum(),
                }))
            }
        }
    }
}
