//! What can go wrong, said so that the caller can mend it.
//!
//! An [`Error`] is the cause. Where it befell one body among many, or one step among many, a [`Failure`] says which: as data, so
//! that no caller has to read numbers out of a message.

use std::convert::Infallible;
use std::fmt;

/// Why a call was refused or a step was abandoned. In either case nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An argument has a NaN or an infinity in it.
    #[error("`{name}{}` is {value:?}, not a finite number", Subscript(.index))]
    NotFinite {
        /// The argument.
        name: &'static str,
        /// Which of its components, from 0; `None` for a single number.
        index: Option<usize>,
        /// NaN or ±∞.
        value: f64,
    },

    /// A quaternion's length is not within 1e-3 of 1.
    #[error("`{name}` is not a rotation quaternion: its length is {length:?}, which is not within 1e-3 of 1")]
    NotUnit {
        /// The argument.
        name: &'static str,
        /// Its length.
        length: f64,
    },

    /// A vector that must have a direction is zero.
    #[error("`{name}` is the zero vector, which has no direction")]
    NoDirection {
        /// The argument.
        name: &'static str,
    },

    /// A 3×3 matrix is not a rotation.
    #[error(
        "`{name}` is not a rotation matrix: an entry of RᵀR differs from the identity by {deviation:?} (at most 1e-3), \
         and its determinant is {determinant:?} (must be positive)"
    )]
    NotRotation {
        /// The argument.
        name: &'static str,
        /// The greatest entry of `|RᵀR − 1|`.
        deviation: f64,
        /// Its determinant.
        determinant: f64,
    },

    /// An argument is out of its range.
    #[error("`{name}` {must}")]
    Invalid {
        /// The argument.
        name: &'static str,
        /// "must be …"
        must: &'static str,
    },

    /// The inertia tensor is not symmetric.
    #[error(
        "`inertia` is not symmetric: [{row}][{column}] and [{column}][{row}] differ by {relative:e} of its greatest \
         entry (at most 1e-12)"
    )]
    InertiaNotSymmetric {
        /// Row of the worst pair, from 0.
        row: usize,
        /// Its column.
        column: usize,
        /// Their difference, relative to the greatest entry.
        relative: f64,
    },

    /// The inertia tensor is not positive definite.
    #[error(
        "`inertia` is not positive definite: its principal moments are {:?}, {:?}, {:?} (each must be positive, and the axes not linearly \
         dependent to rounding)", .moments[0], .moments[1], .moments[2]
    )]
    InertiaNotPositive {
        /// Its principal moments.
        moments: [f64; 3],
    },

    /// A moment is so large or small that its reciprocal is not a normal number, or too far from the others for their ratio.
    #[error(
        "`inertia` is out of range: a principal moment is {moment:e} (from 1e-307 to 1e307, and within 1e307 of the others)"
    )]
    InertiaOutOfRange {
        /// The offending moment.
        moment: f64,
    },

    /// A result is beyond the greatest number there is.
    #[error("`{name}` overflows")]
    OutOfRange {
        /// The result.
        name: &'static str,
    },

    /// There is no room for what would be written.
    #[error("`{name}` is too small: {needed} needed, {given} given")]
    Capacity {
        /// The argument.
        name: &'static str,
        /// What is needed.
        needed: u64,
        /// What there is.
        given: u64,
    },

    /// The torque callback said stop.
    #[error("the torque callback returned {result} at time {time:?}")]
    Callback {
        /// What it returned.
        result: i32,
        /// The time it was asked for.
        time: f64,
    },

    /// A torque is NaN or infinite.
    #[error("the torque is not finite at time {time:?}: ({:?}, {:?}, {:?})", .torque[0], .torque[1], .torque[2])]
    TorqueNotFinite {
        /// The time it was asked for.
        time: f64,
        /// The torque, in the frame it was given in.
        torque: [f64; 3],
    },

    /// The motion has left the range of the numbers: the torque or the step is too large.
    #[error("the motion overflows in the step that starts at time {time:?}: the torque or dt is too large")]
    Overflow {
        /// Start of the step.
        time: f64,
    },

    /// Like [`Error::Callback`], for a chunk of bodies.
    #[error("the torque callback for bodies {first} to {last} returned {result} at time {time:?}")]
    ChunkCallback {
        /// The first body it was called for.
        first: usize,
        /// The last.
        last: usize,
        /// What it returned.
        result: i32,
        /// The time it was called for.
        time: f64,
    },

    /// The calls of the stage protocol came in an order that makes no sense.
    #[error("{0}")]
    Order(&'static str),

    /// Memory is exhausted.
    #[error("memory is exhausted")]
    Memory,
}

/// An [`Error`], with the body and the step that it befell.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{}{cause}", self.prefix())]
pub struct Failure {
    /// What went wrong.
    pub cause: Error,
    /// Index of the body concerned; the first, where there are several. `None` where no single body is.
    pub body: Option<usize>,
    /// How many steps of the call were completed before; they stand.
    pub completed: u64,
}

impl Failure {
    /// A cause that belongs to a body of an ensemble.
    pub(crate) fn of_body(body: usize, cause: Error) -> Self {
        Failure { cause, body: Some(body), completed: 0 }
    }

    /// "after 3 steps: body 7: ", as far as it applies.
    pub(crate) fn prefix(&self) -> impl fmt::Display {
        Prefix { body: self.body, completed: self.completed }
    }

    /// The same after some more steps.
    pub(crate) fn after(self, steps: u64) -> Self {
        Failure { completed: self.completed + steps, ..self }
    }
}

impl From<Error> for Failure {
    fn from(cause: Error) -> Self {
        Failure { cause, body: None, completed: 0 }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        failure.cause
    }
}

impl From<std::collections::TryReserveError> for Failure {
    fn from(error: std::collections::TryReserveError) -> Self {
        Error::from(error).into()
    }
}

impl From<std::collections::TryReserveError> for Error {
    fn from(_: std::collections::TryReserveError) -> Self {
        Error::Memory
    }
}

impl From<Infallible> for Error {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// The values, where all are finite.
pub(crate) fn finite<const N: usize>(name: &'static str, values: [f64; N]) -> Result<[f64; N], Error> {
    match values.iter().position(|v| !v.is_finite()) {
        None => Ok(values),
        Some(index) => Err(Error::NotFinite { name, index: (N > 1).then_some(index), value: values[index] }),
    }
}

/// Says after how many steps, and to which body, something happened.
struct Prefix {
    body: Option<usize>,
    completed: u64,
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.completed {
            0 => {}
            1 => write!(f, "after 1 step: ")?,
            steps => write!(f, "after {steps} steps: ")?,
        }
        self.body.map_or(Ok(()), |body| write!(f, "body {body}: "))
    }
}

/// `[3]`, or nothing.
struct Subscript<'a>(&'a Option<usize>);

impl fmt::Display for Subscript<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |index| write!(f, "[{index}]"))
    }
}
