//! Why a call is refused, or which bodies have failed.

use crate::driver::Problem;
use crate::error::{Error, Failure};
use crate::layout::{FLOW_NOT_FINITE, NO_SUCH_BODY, NOT_UNIT, TORQUE_NOT_FINITE};
use std::fmt;

/// The reasons of a failed call.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// As the library on the CPU would.
    Library(Failure),
    /// Of the driver or the device.
    Device(Problem),
    /// A required pointer is NULL.
    Null(&'static str),
    /// A pointer is not aligned.
    Misaligned(&'static str),
    /// Bodies have failed since the last check.
    Bodies { first: u64, cause: u64, count: u64 },
    /// A defect of this library.
    Panic,
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Refusal::Library(failure)
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Refusal::Library(error.into())
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Refusal::Device(problem)
    }
}

impl Refusal {
    /// The body that the refusal is about.
    pub(crate) fn body(&self) -> Option<u64> {
        match self {
            Refusal::Library(failure) => failure.body.map(|body| body as u64),
            Refusal::Bodies { first, .. } => Some(*first),
            _ => None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Library(failure) => write!(f, "{failure}"),
            Refusal::Device(problem) => write!(f, "{problem}"),
            Refusal::Null(name) => write!(f, "`{name}` is NULL"),
            Refusal::Misaligned(name) => write!(f, "`{name}` is not aligned for its numbers"),
            Refusal::Panic => f.write_str("a defect of the library"),
            Refusal::Bodies {
                first,
                cause,
                count,
            } => {
                let what = match *cause {
                    NOT_UNIT => "its orientation is not of unit length",
                    TORQUE_NOT_FINITE => "its torque is not finite",
                    FLOW_NOT_FINITE => "the velocity gradient of its fluid is not finite",
                    NO_SUCH_BODY => "there is none, but the list of active bodies names it",
                    _ => "its motion overflows: the torque or the step is too large",
                };
                write!(f, "body {first}: {what}")?;
                if *count > 1 {
                    write!(f, " ({count} failures since the last check)")?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::NoDriver { reason } => write!(f, "there is no CUDA driver: {reason}"),
            Problem::OldDriver { lacks } => {
                write!(f, "the CUDA driver is too old: it lacks {lacks}")
            }
            Problem::NoDevice { reason } => write!(f, "there is no such CUDA device: {reason}"),
            Problem::OldDevice { major, minor } => write!(
                f,
                "the device is of compute capability {major}.{minor}, and the kernels need 7.0"
            ),
            Problem::Failed { call, error, log } if log.is_empty() => {
                write!(f, "{call} has failed: {error}")
            }
            Problem::Failed { call, error, log } => write!(f, "{call} has failed: {error}: {log}"),
            Problem::Memory => f.write_str("the memory of the device is exhausted"),
        }
    }
}
