//! Functions of one body: torques, compiled or not, and events.

use crate::compiled::CompiledBody;
use crate::errors::with_note;
use crate::passed::Reused;
use crate::returned::three;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use quatint::kernel::{PrincipalInertia, TorqueState, Vec3};
use quatint::{Error, Torque};

/// Told with what a function raises that has got no angular velocity.
const HIDDEN_OMEGA: &str = "`omega` was NaN, because this method gives torques none; \"pcdm\", \"splitting\" \
    and \"cf4\" do, and solve_method \"nonstiff\" and \"stiff\"";

/// A function `(t, q, omega)` and its arrays.
pub(crate) struct Function {
    function: Py<PyAny>,
    orientation: Reused<4>,
    angular_velocity: Reused<3>,
    /// What the function raised.
    pub(crate) raised: Option<PyErr>,
}

impl Function {
    pub(crate) fn new(function: Py<PyAny>) -> Self {
        Function {
            function,
            orientation: Reused::default(),
            angular_velocity: Reused::default(),
            raised: None,
        }
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.function)
    }

    /// The result, or `None` if the function or `read` has raised.
    #[inline]
    pub(crate) fn call<R>(
        &mut self,
        time: f64,
        q: [f64; 4],
        omega: [f64; 3],
        read: impl FnOnce(Python<'_>, &Bound<'_, PyAny>) -> PyResult<R>,
    ) -> Option<R> {
        let outcome = Python::attach(|py| {
            let q = self.orientation.with(py, q)?;
            let numbers = self.angular_velocity.with(py, omega)?;
            let returned = self.function.bind(py).call1((time, q, numbers));
            returned
                .and_then(|returned| read(py, &returned))
                .map_err(|error| {
                    if omega[0].is_nan() {
                        return with_note(py, error, HIDDEN_OMEGA);
                    }
                    error
                })
        });
        outcome.map_err(|error| self.raised = Some(error)).ok()
    }

    /// Refuses a torque that is not finite: a rotation would make all its components NaN.
    #[inline(never)] // the state stays in registers for compiled functions
    fn ask(&mut self, time: f64, q: [f64; 4], omega: [f64; 3]) -> Result<Vec3<f64>, Error> {
        let torque = self
            .call(time, q, omega, three)
            .ok_or(Error::Callback { result: 1, time })?;
        if !torque.iter().all(|number| number.is_finite()) {
            return Err(Error::TorqueNotFinite { time, torque });
        }
        Ok(Vec3(torque))
    }
}

/// A function whose torques are asked one by one.
pub(crate) enum Callable {
    Compiled(CompiledBody),
    Python(Function),
}

/// A function as a torque, with angular velocity and torque in its frame.
pub(crate) struct InFrame {
    pub(crate) function: Callable,
    pub(crate) in_world: bool,
}

impl InFrame {
    #[inline(always)]
    fn ask(&mut self, time: f64, q: [f64; 4], omega: [f64; 3]) -> Result<Vec3<f64>, Error> {
        match &mut self.function {
            Callable::Compiled(function) => function.ask(time, q, omega),
            Callable::Python(function) => function.ask(time, q, omega),
        }
    }
}

impl Torque for InFrame {
    type Error = Error;

    #[inline(always)]
    fn torque_body(
        &mut self,
        time: f64,
        here: &TorqueState<f64>,
        _: &PrincipalInertia<f64>,
    ) -> Result<Vec3<f64>, Error> {
        if self.in_world {
            let torque_world = self.ask(time, here.q.0, here.omega_world.0)?;
            return Ok(here.to_world.rotate_back(torque_world));
        }
        self.ask(time, here.q.0, here.omega_body.0)
    }
}
