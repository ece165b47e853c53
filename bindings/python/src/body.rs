//! One rigid body.

use crate::acting::Acting;
use crate::arrays::vector;
use crate::callables::Callable;
use crate::changing_inertia::InertiaFunction;
use crate::errors::{Outcome, exclusive};
use crate::functions::with_address;
use crate::inertia::Given;
use crate::names::{frame_of, method_of, name_of_method};
use crate::new_arrays::NewArray;
use crate::rotation::{given_orientations, is_scalar_first, orientation_of, scipy_rotation};
use crate::torques::{as_drag, as_given, drag_of};
use nalgebra::{Quaternion, UnitQuaternion};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use quatint::rotation::components;
use quatint::{Failure, Frame, Layout};
use std::sync::{Mutex, MutexGuard};

/// A rigid body: inertia, orientation, angular velocity, clock, torque and method.
///
/// Body(inertia, orientation=(1, 0, 0, 0), angular_velocity=(0, 0, 0), torque=None, method="pcdm",
/// *, frame="world", time=0.0, scalar_first=None)
///
/// inertia: 3 principal moments about the body axes, or a symmetric 3x3 tensor in the body frame,
/// about the centre of mass (or the fixed point of a top). orientation: (w, x, y, z), scalar first,
/// of unit length within 1e-3, body to world; or a scipy.spatial.transform.Rotation; or (x, y, z,
/// w) with scalar_first=False. angular_velocity: 3 numbers, world frame, rad per unit of time.
///
/// torque: a function ``(t, q, omega) -> 3 numbers`` that gets arrays of 4 and 3 numbers, a
/// ready-made torque, a sum of these, a numba.cfunc, or ``quatint.compiled(f)``. frame: of the
/// function's angular velocity and torque, "world" or "body". method: "pcdm", "splitting", "splitting_4",
/// "splitting_6", "force_gradient", "cf4" or, with langevin, "brownian".
///
/// The arrays that its properties return are read-only copies: in place of
/// ``body.angular_velocity[2] = 5`` or ``+=``, assign a whole vector.
///
/// An exception of the function comes out of the step unchanged; the body is then as after the last
/// completed step. Errors of the library are quatint.Error. One thread at a time may use a body,
/// and its torque may not: BusyError.
#[pyclass(frozen, module = "quatint", weakref)]
pub(crate) struct Body(Mutex<Inner>);

pub(crate) struct Inner {
    pub(crate) body: quatint::Body,
    pub(crate) acting: Acting,
    pub(crate) torque: Option<Py<PyAny>>,
    pub(crate) frame: Frame,
    pub(crate) drag: Option<Py<PyAny>>,
    pub(crate) langevin: Option<Py<PyAny>>,
    pub(crate) given: Given,
    /// The locks of axes since the inertia was given, each a sum: 1 for x, 2 for y, 4 for z. They
    /// keep their order, because each may round.
    pub(crate) locks: Vec<i32>,
    /// What gives the body its inertia, in place of `given` and `locks`.
    pub(crate) inertia_function: Option<InertiaFunction>,
    /// Of solutions with error control: the longest step and the most evaluations; 0: no limit.
    pub(crate) limits: (f64, u64),
}

impl Inner {
    /// The exception of a failed call: what a function has raised, or the library's.
    pub(crate) fn explained(&mut self, py: Python<'_>, failure: impl Into<Failure>) -> PyErr {
        let failure = failure.into();
        let function = self.inertia_function.as_ref();
        function
            .and_then(|function| function.exception(py, &failure))
            .unwrap_or_else(|| self.acting.explained(py, failure))
    }

    /// Whether steps run Python code, so that they keep the lock of the interpreter.
    pub(crate) fn is_python(&self) -> bool {
        let function = self.inertia_function.as_ref();
        self.acting.is_python() || function.is_some_and(InertiaFunction::is_python)
    }

    pub(crate) fn set_torque(
        &mut self,
        py: Python<'_>,
        torque: Option<&Bound<'_, PyAny>>,
        frame: Frame,
    ) -> PyResult<()> {
        let torque = torque.map(|torque| with_address(torque, frame, Layout::Aos));
        let torque = torque.transpose()?;
        let acting = Acting::new(py, torque.as_ref(), frame)?;
        acting.check(py, self.body.method(), self.drag.is_some(), "torque")?;
        self.torque = torque.map(Bound::unbind);
        self.acting = acting;
        self.frame = frame;
        self.body.forget_torque();
        Ok(())
    }

    pub(crate) fn set_drag(&mut self, drag: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let drag = drag.map(as_drag).transpose()?;
        let fluid = drag.as_ref().map(drag_of).transpose()?;
        if let Some(drag) = &drag {
            self.body.set_drag(fluid).raise(drag.py())?;
        } else {
            let _ = self.body.set_drag(None); // removing it is always allowed
        }
        self.drag = drag.map(Bound::unbind);
        Ok(())
    }

    pub(crate) fn set_state(
        &mut self,
        py: Python<'_>,
        q: [f64; 4],
        omega: [f64; 3],
    ) -> PyResult<()> {
        self.body.set_state(quaternion(q), omega.into()).raise(py)
    }
}

pub(crate) fn quaternion([w, x, y, z]: [f64; 4]) -> UnitQuaternion<f64> {
    UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z))
}

/// What a property returns: a copy, which is read-only.
pub(crate) fn copied<'py, const K: usize>(
    py: Python<'py>,
    numbers: [f64; K],
) -> PyResult<Bound<'py, PyAny>> {
    NewArray::of(py, &numbers, &[K]).map(NewArray::read_only)
}

impl Body {
    pub(crate) fn lock<'a>(&'a self, py: Python<'_>) -> PyResult<MutexGuard<'a, Inner>> {
        exclusive(py, &self.0, "body")
    }

    pub(crate) fn of(inner: Inner) -> Self {
        Body(Mutex::new(inner))
    }
}

#[pymethods]
impl Body {
    #[new]
    #[pyo3(signature = (
        inertia, orientation=None, angular_velocity=None, torque=None, method="pcdm", *, frame="world", time=0.0, scalar_first=None,
        scalar_last=None
    ))]
    #[allow(clippy::too_many_arguments)] // keywords
    fn new(
        py: Python<'_>,
        inertia: &Bound<'_, PyAny>,
        orientation: Option<&Bound<'_, PyAny>>,
        angular_velocity: Option<&Bound<'_, PyAny>>,
        torque: Option<&Bound<'_, PyAny>>,
        method: &str,
        frame: &str,
        time: f64,
        scalar_first: Option<bool>,
        scalar_last: Option<bool>,
    ) -> PyResult<Self> {
        let given = Given::of(py, inertia)?;
        let scalar_first = is_scalar_first(py, scalar_first, scalar_last)?;
        let q = match orientation {
            Some(q) => {
                let name = "orientation";
                vector(py, &given_orientations(py, q, scalar_first, name)?, name)?
            }
            None => [1.0, 0.0, 0.0, 0.0],
        };
        let omega =
            angular_velocity.map_or(Ok([0.0; 3]), |omega| vector(py, omega, "angular_velocity"))?;
        let mut body =
            quatint::Body::new(given.inertia(py)?, quaternion(q), omega.into()).raise(py)?;
        body.set_method(method_of(py, method)?);
        body.set_time(time).raise(py)?;
        let acting = Acting::new(py, None, Frame::World)?;
        let frame = frame_of(py, frame)?;
        let limits = (0.0, 0);
        let mut inner = Inner {
            body,
            acting,
            torque: None,
            frame,
            drag: None,
            langevin: None,
            given,
            locks: Vec::new(),
            inertia_function: None,
            limits,
        };
        inner.set_torque(py, torque, frame)?;
        Ok(Body::of(inner))
    }

    /// Orientation (w, x, y, z), body to world: a new array of 4 numbers. Set it to 4 numbers or to
    /// a scipy Rotation; the angular velocity in the world frame stays.
    #[getter]
    fn orientation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        copied(py, components(self.lock(py)?.body.orientation()))
    }

    #[setter]
    fn set_orientation(&self, py: Python<'_>, orientation: &Bound<'_, PyAny>) -> PyResult<()> {
        let q = orientation_of(py, orientation)?;
        let mut inner = self.lock(py)?;
        let omega = inner.body.angular_velocity().into();
        inner.set_state(py, q, omega)
    }

    /// Angular velocity in the world frame, rad per unit of time: a new array of 3 numbers.
    #[getter]
    fn angular_velocity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        copied(py, self.lock(py)?.body.angular_velocity().into())
    }

    #[setter]
    fn set_angular_velocity(&self, py: Python<'_>, omega: &Bound<'_, PyAny>) -> PyResult<()> {
        let omega = vector(py, omega, "angular_velocity")?;
        let mut inner = self.lock(py)?;
        let q = components(inner.body.orientation());
        inner.set_state(py, q, omega)
    }

    /// Angular velocity in the body frame, as the body stores it.
    #[getter]
    fn angular_velocity_body<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        copied(py, self.lock(py)?.body.angular_velocity_body().into())
    }

    #[setter]
    fn set_angular_velocity_body(&self, py: Python<'_>, omega: &Bound<'_, PyAny>) -> PyResult<()> {
        let omega = vector(py, omega, "angular_velocity_body")?;
        let body = &mut self.lock(py)?.body;
        body.set_state_body(body.orientation(), omega.into())
            .raise(py)
    }

    /// The orientation as a scipy.spatial.transform.Rotation; imports scipy. Can be set.
    #[getter]
    fn rotation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        scipy_rotation(py, self.orientation(py)?.as_any())
    }

    #[setter]
    fn set_rotation(&self, py: Python<'_>, rotation: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set_orientation(py, rotation)
    }

    /// The integration method: "pcdm", "splitting", "splitting_4", "splitting_6", "force_gradient",
    /// "cf4" or "brownian", which needs langevin.
    #[getter]
    fn method(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(name_of_method(self.lock(py)?.body.method()))
    }

    #[setter]
    fn set_method(&self, py: Python<'_>, method: &str) -> PyResult<()> {
        let mut inner = self.lock(py)?;
        let method = method_of(py, method)?;
        inner
            .acting
            .check(py, method, inner.drag.is_some(), "method")?;
        inner.body.set_method(method);
        Ok(())
    }

    /// The torque, as it was given, a numba.cfunc as quatint.compiled(f); None: none. What is
    /// assigned keeps the frame of the function before: see set_torque.
    #[getter]
    fn torque(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        Ok(as_given(py, &self.lock(py)?.torque))
    }

    #[setter(torque)]
    fn replace_torque(&self, py: Python<'_>, torque: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let mut inner = self.lock(py)?;
        let frame = inner.frame;
        inner.set_torque(py, torque, frame)
    }

    /// Set the torque: a function, a ready-made torque, a sum of these, a compiled one, or None.
    /// ``frame``, "world" or "body", is that of a function's angular velocity and torque; other
    /// torques know theirs.
    #[pyo3(signature = (torque, *, frame="world"))]
    fn set_torque(
        &self,
        py: Python<'_>,
        torque: Option<&Bound<'_, PyAny>>,
        frame: &str,
    ) -> PyResult<()> {
        let frame = frame_of(py, frame)?;
        self.lock(py)?.set_torque(py, torque, frame)
    }

    /// A linear drag in addition to the torque, taken implicitly by every step and kick: a LinearDrag, or
    /// its 3 coefficients; None: none.
    #[getter]
    fn drag(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        Ok(as_given(py, &self.lock(py)?.drag))
    }

    #[setter]
    fn set_drag(&self, py: Python<'_>, drag: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        self.lock(py)?.set_drag(drag)
    }

    /// Set orientation and angular velocity (world frame) together.
    fn set_state(
        &self,
        py: Python<'_>,
        orientation: &Bound<'_, PyAny>,
        angular_velocity: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let q = orientation_of(py, orientation)?;
        let omega = vector(py, angular_velocity, "angular_velocity")?;
        self.lock(py)?.set_state(py, q, omega)
    }

    /// Set orientation and angular velocity together, the latter in the body frame: restores the
    /// bits of a state.
    fn set_state_body(
        &self,
        py: Python<'_>,
        orientation: &Bound<'_, PyAny>,
        angular_velocity_body: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let q = orientation_of(py, orientation)?;
        let omega = vector::<3>(py, angular_velocity_body, "angular_velocity_body")?;
        self.lock(py)?
            .body
            .set_state_body(quaternion(q), omega.into())
            .raise(py)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // in use: the call that uses it also keeps its objects alive
        let Ok(mut inner) = self.0.try_lock() else {
            return Ok(());
        };
        if let Some(Callable::Python(function)) = inner.acting.callable() {
            function.traverse(&visit)?;
        }
        if let Some(function) = &inner.inertia_function {
            function.traverse(&visit)?;
        }
        visit.call(&inner.torque)?;
        visit.call(&inner.drag)?;
        visit.call(&inner.langevin)
    }

    fn __clear__(&self) {
        if let Ok(mut inner) = self.0.try_lock() {
            inner.acting = Acting::Free(quatint::torque::Free);
            inner.body.end_inertia_function();
            inner.inertia_function = None;
            inner.torque = None;
            inner.drag = None;
            inner.langevin = None;
        }
    }
}
