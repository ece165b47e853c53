//! Errors as data. An [`Error`] is the cause; a [`Failure`] adds the index of the body and the
//! number of completed steps.

use crate::step_size::StepSize;
use std::{collections::TryReserveError, convert::Infallible, error, fmt, sync::Arc};

/// Defines [`Error`]: each kind with its message.
macro_rules! errors {
    ($(
        $(#[$doc:meta])*
        $kind:ident $({ $($field:ident: $type:ty),* })? $(($inner:ident: $inner_type:ty))? => $($message:expr),+;
    )*) => {
        /// Why a call was refused or a step abandoned. In both cases nothing has changed.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        #[allow(missing_docs)] // of the fields: the messages show what they are
        pub enum Error {
            $($(#[$doc])* $kind $({ $($field: $type),* })? $(($inner_type))?,)*
        }

        impl fmt::Display for Error {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Error::$kind $({ $($field),* })? $(($inner))? => write!(f, $($message),+),)*
                }
            }
        }
    };
}

errors! {
    /// An argument contains a NaN or an infinity.
    NotFinite { name: &'static str, index: Option<usize>, value: f64 } =>
        "`{name}{}` is {value:?}, not a finite number", Within("[", index, "]");
    /// A quaternion's length is not within 1e-3 of 1.
    NotUnit { name: &'static str, length: f64 } =>
        "`{name}` is not a rotation quaternion: its length is {length:?}, which is not within 1e-3 of 1";
    /// A vector that must have a direction is zero.
    NoDirection { name: &'static str } => "`{name}` is the zero vector, which has no direction";
    /// A 3×3 matrix is not a rotation.
    NotRotation { name: &'static str, deviation: f64, determinant: f64 } =>
        "`{name}` is not a rotation matrix: an entry of RᵀR differs from the identity by {deviation:?} (at most 1e-3), \
         and its determinant is {determinant:?} (must be positive)";
    /// An argument is outside its range.
    Invalid { name: &'static str, must: &'static str } => "`{name}` {must}";
    /// The inertia tensor is not symmetric.
    InertiaNotSymmetric { row: usize, column: usize, relative: f64 } =>
        "`inertia` is not symmetric: [{row}][{column}] and [{column}][{row}] differ by {relative:e} of its greatest entry (at most 1e-12)";
    /// The inertia tensor is not positive definite.
    InertiaNotPositive { moments: [f64; 3] } =>
        "`inertia` is not positive definite: its principal moments are {:?}, {:?}, {:?} (each must be positive, and the axes not \
         linearly dependent to rounding{})", moments[0], moments[1], moments[2], or_zero(moments);
    /// A principal moment is too large or too small: its reciprocal is not a normal number, or its
    /// ratio to another is not.
    InertiaOutOfRange { moment: f64 } =>
        "`inertia` is out of range: a principal moment is {moment:e} (from 1e-307 to 1e307, and within 1e307 of the others)";
    /// A result overflows.
    OutOfRange { name: &'static str } => "`{name}` overflows";
    /// An array is too small.
    Capacity { name: &'static str, needed: u64, given: u64 } => "`{name}` is too small: {needed} needed, {given} given";
    /// The torque callback stopped the step.
    Callback { result: i32, time: f64 } => "the torque callback returned {result} at time {time:?}";
    /// As [`Error::Callback`], for a chunk of bodies.
    ChunkCallback { first: usize, last: usize, result: i32, time: f64 } =>
        "the torque callback for bodies {first} to {last} returned {result} at time {time:?}";
    /// The caller's own error, from a torque that returned it: see [`Error::torque_error`].
    Torque(error: TorqueError) => "{error}";
    /// A torque is NaN or infinite.
    TorqueNotFinite { time: f64, torque: [f64; 3] } =>
        "the torque is not finite at time {time:?}: ({:?}, {:?}, {:?})", torque[0], torque[1], torque[2];
    /// An event function is NaN or infinite.
    EventNotFinite { time: f64, value: f64 } => "the event function is {value:?} at time {time:?}";
    /// The motion overflows: the torque or the time step is too large. `size`: of the step, from
    /// the state before it.
    Overflow { time: f64, size: Option<StepSize> } =>
        "the motion overflows in the step that starts at time {time:?}: the torque or dt is too large{}", Within("; ", size, "");
    /// A drag is too stiff for an explicit method.
    TooStiff { stiffness: f64, bound: f64 } =>
        "the drag is too stiff for CF4: c h / I is {stiffness:.3}, above its bound of stability {bound} (take PCDM or the splitting of \
         order 2, which take drag implicitly, or a smaller step)";
    /// Calls of the stage protocol in an invalid order, or a change in the middle of a step.
    Order(message: &'static str) => "{message}";
    /// Out of memory.
    Memory => "memory is exhausted";
    /// Error control finds no step that is short enough: the torque or the motion is singular.
    StepUnderflow { time: f64, step: f64, looks_stiff: bool } =>
        "no step from time {time:?} is exact enough, not even {step:e}, the shortest that time resolves: the torque or the motion is \
         singular there{}", stiff(*looks_stiff);
    /// Error control has asked for as many torques as it may.
    TooManyEvaluations { most: u64, time: f64, looks_stiff: bool } =>
        "the solution is at time {time:?} after {most} evaluations, the most that are allowed: allow more, take a larger tolerance, or \
         look for a torque that jumps or grows without bound{}", stiff(*looks_stiff);
}

impl error::Error for Error {}

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

impl error::Error for Failure {}

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

/// Defines conversions: `given` becomes what the expression makes of it.
macro_rules! conversions {
    ($($from:ty => $to:ty: |$given:pat_param| $made:expr;)*) => {
        $(impl From<$from> for $to {
            #[cold]
            fn from($given: $from) -> Self {
                $made
            }
        })*
    };
}

conversions! {
    Error => Failure: |cause| Failure { cause, body: None, completed: 0 };
    Failure => Error: |failure| failure.cause;
    TryReserveError => Failure: |_| Error::Memory.into();
    TryReserveError => Error: |_| Error::Memory;
    Infallible => Error: |never| match never {};
}

/// What moments may be, where one is zero, or as good as that.
fn or_zero(moments: &[f64; 3]) -> &'static str {
    let (least, greatest) = moments.iter().fold((0.0_f64, 0.0_f64), |(least, most), m| {
        (least.min(*m), most.max(*m))
    });
    let is_zero = least >= -1e-14 * greatest;
    if is_zero {
        "; or one is zero and the others are equal, those of a line; or two or three are zero"
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

fn stiff(looks_stiff: bool) -> &'static str {
    if looks_stiff {
        "; it looks stiff: qi_set_solve_method(body, QI_SOLVE_STIFF) takes other steps"
    } else {
        ""
    }
}

/// What stands before the cause in the message of a failure, such as "after 3 steps: body 7: ".
pub(crate) struct Prefix<'a>(pub(crate) &'a Failure);

impl fmt::Display for Prefix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = self.0.completed;
        if steps > 0 {
            write!(
                f,
                "after {steps} step{}: ",
                if steps == 1 { "" } else { "s" }
            )?;
        }
        write!(f, "{}", Within("body ", &self.0.body, ": "))
    }
}

/// A part of the message that may be missing, with what stands before and after it.
struct Within<'a, T>(&'static str, &'a Option<T>, &'static str);

impl<T: fmt::Display> fmt::Display for Within<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.1
            .as_ref()
            .map_or(Ok(()), |part| write!(f, "{}{part}{}", self.0, self.2))
    }
}
