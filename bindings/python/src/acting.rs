//! The torque that acts on a body, of whichever kind.

use crate::callables::{Callable, Function, InFrame};
use crate::compiled::{CompiledBody, pointer_of};
use crate::errors::{raised, refused, with_note};
use crate::functions::{check_function, is_compiled};
use crate::names::name_of_method;
use crate::torques::{Sum, Term, is_a, terms};
use pyo3::prelude::*;
use quatint::kernel::Vec3;
use quatint::torque::{ConstantBody, Free, ReadyMade};
use quatint::{Error, Failure, Frame, Method, Torque};

/// The kinds for which the loops over steps are compiled.
pub(crate) enum Acting {
    Free(Free),
    ReadyMade(ReadyMade),
    Sum(Sum),
    Function(InFrame),
}

/// Runs `$run` with `$torque` bound to the torque inside.
macro_rules! with_torque {
    ($acting:expr, $torque:ident => $run:expr) => {
        match $acting {
            $crate::acting::Acting::Free($torque) => $run,
            $crate::acting::Acting::ReadyMade($torque) => $run,
            $crate::acting::Acting::Sum($torque) => $run,
            $crate::acting::Acting::Function($torque) => $run,
        }
    };
}
pub(crate) use with_torque;

impl Acting {
    /// From what a user gives as a torque. `frame`: of a function's angular velocity and torque;
    /// others know their own.
    pub(crate) fn new(
        py: Python<'_>,
        torque: Option<&Bound<'_, PyAny>>,
        frame: Frame,
    ) -> PyResult<Self> {
        let Some(torque) = torque else {
            return Ok(Acting::Free(Free));
        };
        match TorqueKind::of(torque)? {
            TorqueKind::Ready => Acting::ready_made(py, torque),
            TorqueKind::Compiled => {
                let in_world = torque.getattr("frame")?.extract::<String>()? == "world";
                let function =
                    Callable::Compiled(CompiledBody::new(pointer_of(torque, "body")?.get()));
                Ok(Acting::Function(InFrame { function, in_world }))
            }
            TorqueKind::Function => {
                let function = Callable::Python(Function::new(torque.clone().unbind()));
                Ok(Acting::Function(InFrame {
                    function,
                    in_world: frame == Frame::World,
                }))
            }
        }
    }

    fn ready_made(py: Python<'_>, torque: &Bound<'_, PyAny>) -> PyResult<Self> {
        let terms = terms(torque)?
            .iter()
            .map(Term::new)
            .collect::<PyResult<Vec<_>>>()?;
        match terms[..] {
            [] => Err(refused(py, "a sum of torques must have a term")),
            [Term::Torque(torque)] => Ok(Acting::ReadyMade(torque)),
            _ => Ok(Acting::Sum(Sum(terms))),
        }
    }

    /// A torque of zero that is asked: error control with rotors or a drag takes time also without
    /// a torque.
    pub(crate) fn nothing() -> Self {
        let torque = Vec3([0.0; 3]);
        Acting::ReadyMade(ConstantBody { torque }.into())
    }

    /// What asks a function of the user, if one acts.
    pub(crate) fn callable(&mut self) -> Option<&mut Callable> {
        if let Acting::Function(InFrame { function, .. }) = self {
            Some(function)
        } else {
            None
        }
    }

    /// Whether the torque runs Python code, so that steps keep the lock of the interpreter.
    pub(crate) fn is_python(&self) -> bool {
        matches!(
            self,
            Acting::Function(InFrame {
                function: Callable::Python(_),
                ..
            })
        )
    }

    /// Whether it is a function pointer, which may take long: even a single step releases the lock.
    pub(crate) fn is_pointer(&self) -> bool {
        matches!(
            self,
            Acting::Function(InFrame {
                function: Callable::Compiled(_),
                ..
            })
        )
    }

    /// Refuses a method that does not allow this torque, or a drag besides it. `name`: the argument
    /// that is refused.
    pub(crate) fn check(
        &self,
        py: Python<'_>,
        method: Method,
        has_drag: bool,
        name: &'static str,
    ) -> PyResult<()> {
        let resists =
            has_drag || with_torque!(self, torque => Torque::<f64>::resistance(torque).is_some());
        if resists && !method.allows_resistance() {
            let text = format!(
                "`{name}` is refused: the method \"{}\" needs a torque that does not depend on the angular velocity, as drag and shear \
                 flow do (\"pcdm\", \"splitting\" and \"cf4\" take any torque)",
                name_of_method(method)
            );
            return Err(refused(py, &text));
        }
        Ok(())
    }

    /// The exception of a failed call: that of the Python function, unchanged but for a note, if it
    /// has raised one.
    pub(crate) fn explained(&mut self, py: Python<'_>, failure: Failure) -> PyErr {
        if let Some(Callable::Python(function)) = self.callable()
            && let Some(error) = function.raised.take()
            && let Error::Callback { time, .. } = failure.cause
        {
            return noted(py, error, time, failure.completed);
        }
        raised(py, failure)
    }
}

/// The exception of a torque, with the time at which it was asked.
pub(crate) fn noted(py: Python<'_>, error: PyErr, time: f64, completed: u64) -> PyErr {
    with_note(
        py,
        error,
        &format!(
            "raised in the torque at time {time:?}, after {completed} completed steps of this call"
        ),
    )
}

/// Which kind of torque a user has given.
pub(crate) enum TorqueKind {
    Ready,
    Compiled,
    Function,
}

impl TorqueKind {
    pub(crate) fn of(torque: &Bound<'_, PyAny>) -> PyResult<Self> {
        if is_a(torque, "ReadyMade")? {
            return Ok(TorqueKind::Ready);
        }
        if is_compiled(torque)? {
            return Ok(TorqueKind::Compiled);
        }
        check_function(
            torque,
            "a torque is a function, a ready-made torque or quatint.compiled(f)",
            3,
        )?;
        Ok(TorqueKind::Function)
    }
}
