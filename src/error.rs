//! Errors as data. An [`Error`] is the cause; a [`Failure`] adds the index of the body and the
//! number of completed steps.

use crate::step_size::StepSize;
use std::{collections::TryReserveError, convert::Infallible, error, fmt, sync::Arc};

/// Why a call was refused or a step abandoned. In both cases nothing has changed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs)] // of the fields: the messages show what they are
pub enum Error {
    /// An argument contains a NaN or an infinity.
    NotFinite {
        name: &'static str,
        index: Option<usize>,
        value: f64,
    },
    /// A quaternion's length is not within 1e-3 of 1.
    NotUnit { name: &'static str, length: f64 },
    /// A vector that must have a direction is zero.
    NoDirection { name: &'static str },
    /// A 3×3 matrix is not a rotation.
    NotRotation {
        name: &'static str,
        deviation: f64,
        determinant: f64,
    },
    /// An argument is outside its range.
    Invalid {
        name: &'static str,
        must: &'static str,
    },
    /// The inertia tensor is not symmetric.
    InertiaNotSymmetric {
        row: usize,
        column: usize,
        relative: f64,
    },
    /// The inertia tensor is not positive definite.
    InertiaNotPositive { moments: [f64; 3] },
    /// A body axis is to be locked, but is not a principal axis.
    NotPrincipal { axis: usize, relative: f64 },
    /// A principal moment is too large or too small: its reciprocal is not a normal number, or its
    /// ratio to another is not.
    InertiaOutOfRange { moment: f64 },
    /// An inertia function returned what is no inertia.
    InertiaFunction { time: f64, cause: Box<Error> },
    /// An inertia function stopped the step or the solution.
    InertiaCallback { result: i32, time: f64 },
    /// A function that gives an angular velocity stopped the turn.
    RateCallback { result: i32, time: f64 },
    /// A result overflows.
    OutOfRange { name: &'static str },
    /// An array is too small.
    Capacity {
        name: &'static str,
        needed: u64,
        given: u64,
    },
    /// The torque callback stopped the step.
    Callback { result: i32, time: f64 },
    /// As [`Error::Callback`], for a chunk of bodies.
    ChunkCallback {
        first: usize,
        last: usize,
        result: i32,
        time: f64,
    },
    /// The caller's own error, from a torque that returned it: see [`Error::torque_error`].
    Torque(TorqueError),
    /// The monitor of a solution ended it.
    Monitor { result: i32, time: f64 },
    /// A torque is NaN or infinite.
    TorqueNotFinite { time: f64, torque: [f64; 3] },
    /// A torque is NaN under a method that gives torques NaN for the angular velocity, because
    /// they must not depend on it.
    TorqueReadsVelocity {
        time: f64,
        method: &'static str,
        /// The methods that take any torque.
        others: &'static str,
    },
    /// An event function is NaN or infinite.
    EventNotFinite { time: f64, value: f64 },
    /// The motion overflows: the torque or the time step is too large. `size`: of the step, from
    /// the state before it.
    Overflow { time: f64, size: Option<StepSize> },
    /// A drag is too stiff for an explicit method.
    TooStiff { stiffness: f64, bound: f64 },
    /// Calls of the stage protocol in an invalid order, or a change in the middle of a step.
    Order(&'static str),
    /// Out of memory.
    Memory,
    /// Error control finds no step that is short enough: the torque or the motion is singular.
    StepUnderflow {
        time: f64,
        step: f64,
        looks_stiff: bool,
    },
    /// Error control has asked for as many torques as it may.
    TooManyEvaluations {
        most: u64,
        time: f64,
        looks_stiff: bool,
    },
}

impl fmt::Display for Error {
    /// One function, because it is a table: the message of each kind.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotFinite { name, index, value } => write!(
                f,
                "`{name}{}` is {value:?}, not a finite number",
                Within("[", index, "]")
            ),
            Error::NotUnit { name, length } => write!(
                f,
                "`{name}` is not a rotation quaternion: its length is {length:?}, which is not \
                 within 1e-3 of 1"
            ),
            Error::NoDirection { name } => {
                write!(f, "`{name}` is the zero vector, which has no direction")
            }
            Error::NotRotation {
                name,
                deviation,
                determinant,
            } => write!(
                f,
                "`{name}` is not a rotation matrix: an entry of RᵀR differs from the identity \
                 by {deviation:?} (at most 1e-3), and its determinant is {determinant:?} (must \
                 be positive)"
            ),
            Error::Invalid { name, must } => write!(f, "`{name}` {must}"),
            Error::InertiaNotSymmetric {
                row,
                column,
                relative,
            } => write!(
                f,
                "`inertia` is not symmetric: [{row}][{column}] and [{column}][{row}] differ by \
                 {relative:e} of its greatest entry (at most 1e-12)"
            ),
            Error::InertiaNotPositive { moments } => write!(
                f,
                "`inertia` is not positive definite: its principal moments are {:?}, {:?}, {:?} \
                 (each must be positive, and the axes not linearly dependent to rounding{})",
                moments[0],
                moments[1],
                moments[2],
                or_zero(moments)
            ),
            Error::NotPrincipal { axis, relative } => write!(
                f,
                "body axis {} is no principal axis, as a locked axis must be: the tensor has an \
                 entry of {relative:e} of the greatest beside it",
                ["x", "y", "z"][*axis]
            ),
            Error::InertiaOutOfRange { moment } => write!(
                f,
                "`inertia` is out of range: a principal moment is {moment:e} (from 1e-307 to \
                 1e307, and within 1e307 of the others)"
            ),
            Error::InertiaFunction { time, cause } => {
                write!(f, "the inertia function, at time {time:?}: {cause}")
            }
            Error::InertiaCallback { result, time } => {
                write!(f, "the inertia function returned {result} at time {time:?}")
            }
            Error::RateCallback { result, time } => {
                write!(f, "the rate callback returned {result} at time {time:?}")
            }
            Error::OutOfRange { name } => write!(f, "`{name}` overflows"),
            Error::Capacity {
                name,
                needed,
                given,
            } => write!(f, "`{name}` is too small: {needed} needed, {given} given"),
            Error::Callback { result, time } => {
                write!(f, "the torque callback returned {result} at time {time:?}")
            }
            Error::ChunkCallback {
                first,
                last,
                result,
                time,
            } => write!(
                f,
                "the torque callback for bodies {first} to {last} returned {result} at time \
                 {time:?}"
            ),
            Error::Torque(error) => write!(f, "{error}"),
            Error::Monitor { result, time } => {
                write!(
                    f,
                    "the monitor of the solution returned {result} at time {time:?}"
                )
            }
            Error::TorqueNotFinite { time, torque } => write!(
                f,
                "the torque is not finite at time {time:?}: ({:?}, {:?}, {:?})",
                torque[0], torque[1], torque[2]
            ),
            Error::TorqueReadsVelocity {
                time,
                method,
                others,
            } => write!(
                f,
                "the torque is NaN at time {time:?}: the {method} needs a torque that does not \
                 depend on the angular velocity, and gives it NaN for that ({others} take any \
                 torque)"
            ),
            Error::EventNotFinite { time, value } => {
                write!(f, "the event function is {value:?} at time {time:?}")
            }
            Error::Overflow { time, size } => write!(
                f,
                "the motion overflows in the step that starts at time {time:?}: the torque or \
                 dt is too large{}",
                Within("; ", size, "")
            ),
            Error::TooStiff { stiffness, bound } => write!(
                f,
                "the drag is too stiff for CF4: c h / I is {stiffness:.3}, above its bound of \
                 stability {bound} (take PCDM or the splitting of order 2, which take drag \
                 implicitly, or a smaller step)"
            ),
            Error::Order(message) => write!(f, "{message}"),
            Error::Memory => write!(f, "memory is exhausted"),
            Error::StepUnderflow {
                time,
                step,
                looks_stiff,
            } => write!(
                f,
                "no step from time {time:?} is exact enough, not even {step:e}, the shortest \
                 that time resolves: the torque or the motion is singular there{}",
                stiff(*looks_stiff)
            ),
            Error::TooManyEvaluations {
                most,
                time,
                looks_stiff,
            } => write!(
                f,
                "the solution is at time {time:?} after {most} evaluations, the most that are \
                 allowed: allow more, take a larger tolerance, or look for a torque that jumps \
                 or grows without bound (of a free body, calls of the event function count){}",
                stiff(*looks_stiff)
            ),
        }
    }
}

impl error::Error for Error {
    /// The caller's error, from a torque that returned it; what an inertia function returned.
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Error::Torque(TorqueError(error)) => Some(&**error),
            Error::InertiaFunction { cause, .. } => Some(&**cause),
            _ => None,
        }
    }
}

/// Refuses a number of steps that cannot be meant: a negative one, in languages without unsigned
/// numbers.
pub(crate) fn check_steps(steps: u64) -> Result<(), Error> {
    check(steps < 1 << 63, "steps", "must be less than 2^63")
}

impl Error {
    /// An error of the caller's, to be returned by a [`Torque`](crate::Torque). A closure that
    /// returns a `Result` needs no such call.
    pub fn from_torque(error: impl Into<Box<dyn error::Error + Send + Sync>>) -> Self {
        match error.into().downcast::<Error>() {
            Ok(own) => *own,
            Err(error) => Error::Torque(TorqueError(Arc::from(error))),
        }
    }

    /// The caller's error, if the torque returned one of this type.
    pub fn torque_error<E: error::Error + 'static>(&self) -> Option<&E> {
        if let Error::Torque(TorqueError(error)) = self {
            error.downcast_ref()
        } else {
            None
        }
    }
}

/// The error that the caller's torque returned. Two are equal if they are the same one.
#[derive(Clone, Debug)]
pub struct TorqueError(Arc<dyn error::Error + Send + Sync>);

impl fmt::Display for TorqueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PartialEq for TorqueError {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// An [`Error`], with the body and the number of completed steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The cause.
    pub cause: Error,
    /// Index of the body; the first, if several failed. `None` if no single body is concerned.
    pub body: Option<usize>,
    /// Steps of this call that were completed; their result stays.
    pub completed: u64,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Prefix(self), self.cause)
    }
}

impl error::Error for Failure {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        Some(&self.cause)
    }
}

impl Failure {
    pub(crate) fn of_body(body: usize, cause: Error) -> Self {
        Failure {
            cause,
            body: Some(body),
            completed: 0,
        }
    }

    /// The same failure, with `steps` more completed.
    pub(crate) fn after(self, steps: u64) -> Self {
        Failure {
            completed: self.completed + steps,
            ..self
        }
    }
}

impl From<Error> for Failure {
    #[cold]
    fn from(cause: Error) -> Self {
        Failure {
            cause,
            body: None,
            completed: 0,
        }
    }
}

impl From<Failure> for Error {
    #[cold]
    fn from(failure: Failure) -> Self {
        failure.cause
    }
}

impl From<TryReserveError> for Failure {
    #[cold]
    fn from(_: TryReserveError) -> Self {
        Error::Memory.into()
    }
}

impl From<TryReserveError> for Error {
    #[cold]
    fn from(_: TryReserveError) -> Self {
        Error::Memory
    }
}

impl From<Infallible> for Error {
    #[cold]
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// Refuses an array of another size than is needed.
pub(crate) fn check_room(
    fits: bool,
    name: &'static str,
    needed: usize,
    given: usize,
) -> Result<(), Error> {
    if fits {
        Ok(())
    } else {
        Err(Error::Capacity {
            name,
            needed: needed as u64,
            given: given as u64,
        })
    }
}

/// The rules for moments of which one is zero to rounding; nothing for others.
fn or_zero(moments: &[f64; 3]) -> &'static str {
    let mut least = 0.0_f64;
    let mut greatest = 0.0_f64;
    for moment in moments {
        least = least.min(*moment);
        greatest = greatest.max(*moment);
    }
    if least >= -1e-14 * greatest {
        "; or one is zero and the others are equal, those of a line; or two or three are zero. Axes \
         about which a body does not turn, although it has moments, are locked by \
         qi_set_locked_axes()"
    } else {
        ""
    }
}

/// Refuses an argument that is not valid.
#[inline(always)]
pub(crate) fn check(is_valid: bool, name: &'static str, must: &'static str) -> Result<(), Error> {
    if is_valid {
        Ok(())
    } else {
        Err(Error::Invalid { name, must })
    }
}

/// Returns the values if all are finite.
#[inline]
pub(crate) fn finite<const N: usize>(
    name: &'static str,
    values: [f64; N],
) -> Result<[f64; N], Error> {
    if values.iter().all(|v| v.is_finite()) {
        Ok(values)
    } else {
        Err(not_finite(name, &values))
    }
}

#[cold]
fn not_finite(name: &'static str, values: &[f64]) -> Error {
    let index = values
        .iter()
        .position(|v| !v.is_finite())
        .unwrap_or_default();
    Error::NotFinite {
        name,
        index: (values.len() > 1).then_some(index),
        value: values[index],
    }
}

/// The advice for a torque that looks stiff; nothing for others.
fn stiff(looks_stiff: bool) -> &'static str {
    if looks_stiff {
        "; it looks stiff: qi_set_solve_method(body, QI_SOLVE_STIFF) takes other steps"
    } else {
        ""
    }
}

/// The start of the message of a failure, before the cause, such as "after 3 steps: body 7: ".
pub(crate) struct Prefix<'a>(pub(crate) &'a Failure);

impl fmt::Display for Prefix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = self.0.completed;
        if steps > 0 {
            let plural = if steps == 1 { "" } else { "s" };
            write!(f, "after {steps} step{plural}: ")?;
        }
        write!(f, "{}", Within("body ", &self.0.body, ": "))
    }
}

/// A part of a message that may be missing, with the text before and after it.
struct Within<'a, T>(&'static str, &'a Option<T>, &'static str);

impl<T: fmt::Display> fmt::Display for Within<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Within(before, part, after) = self;
        match part {
            Some(part) => write!(f, "{before}{part}{after}"),
            None => Ok(()),
        }
    }
}
