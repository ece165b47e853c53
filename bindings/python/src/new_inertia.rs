//! Another inertia for a body, one that changes, and its locked axes.

use crate::body::{Body, Inner};
use crate::changing_inertia::InertiaFunction;
use crate::errors::Outcome;
use crate::inertia::Given;
use crate::names::{axes_of, keep_of};
use crate::new_arrays::NewArray;
use pyo3::prelude::*;
use quatint::Keep;

impl Inner {
    fn set_inertia(&mut self, py: Python<'_>, given: Given, keep: Keep) -> PyResult<()> {
        self.body.set_inertia(given.inertia(py)?, keep).raise(py)?;
        self.given = given;
        self.locks.clear();
        self.inertia_function = None;
        Ok(())
    }

    pub(crate) fn set_inertia_function(
        &mut self,
        py: Python<'_>,
        function: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        if let Some(function) = function {
            self.inertia_function = Some(InertiaFunction::set(&mut self.body, function)?);
            self.locks.clear();
        } else if self.inertia_function.is_some() {
            let now = Given::tensor_of(self.body.inertia());
            self.set_inertia(py, now, Keep::AngularVelocity)?;
        }
        Ok(())
    }

    /// Locks axes in addition to those that are locked: a sum, 1 for x, 2 for y, 4 for z.
    pub(crate) fn lock_axes(&mut self, py: Python<'_>, axes: i32) -> PyResult<()> {
        let is_locked = [1, 2, 4].map(|axis| axes & axis != 0);
        if self.inertia_function.is_some() {
            let now = Given::tensor_of(self.body.inertia());
            let mut body = self.body.clone(); // both, or neither
            body.set_inertia(now.inertia(py)?, Keep::AngularVelocity)
                .raise(py)?;
            body.lock_axes(is_locked).raise(py)?;
            self.body = body;
            self.given = now;
            self.inertia_function = None;
        } else {
            self.body.lock_axes(is_locked).raise(py)?;
        }
        if axes & !self.locked_axes() != 0 {
            self.locks.push(axes);
        }
        Ok(())
    }

    fn locked_axes(&self) -> i32 {
        self.locks.iter().fold(0, |all, axes| all | axes)
    }

    /// The inertia tensor, row-major: zeros beside locked axes.
    fn tensor(&self) -> [f64; 9] {
        if self.inertia_function.is_some() {
            return Given::tensor_of(self.body.inertia()).tensor();
        }
        let mut tensor = self.given.tensor();
        let locked = self.locked_axes();
        for (n, entry) in tensor.iter_mut().enumerate() {
            let [row, column] = [n / 3, n % 3];
            if locked & (1 << row | 1 << column) != 0 {
                *entry = 0.0;
            }
        }
        tensor
    }
}

#[pymethods]
impl Body {
    /// The inertia tensor, 3x3, body frame; zeros beside locked axes. Set it to 3 principal moments
    /// or a 3x3 tensor; the angular velocity stays: see set_inertia.
    #[getter]
    fn inertia<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        NewArray::of(py, &self.lock(py)?.tensor(), &[3, 3]).map(NewArray::read_only)
    }

    #[setter(inertia)]
    fn replace_inertia(&self, py: Python<'_>, inertia: &Bound<'_, PyAny>) -> PyResult<()> {
        let given = Given::of(py, inertia)?;
        self.lock(py)?.set_inertia(py, given, Keep::AngularVelocity)
    }

    /// Set the inertia: 3 principal moments, or a symmetric 3x3 tensor in the body frame.
    ///
    /// keep: "angular_velocity" where a part is cut off and leaves with its momentum,
    /// "angular_momentum" where material moves inside the body, as when a panel unfolds.
    /// Orientation, clock and torque stay. No axis is locked then.
    #[pyo3(signature = (inertia, *, keep="angular_velocity"))]
    fn set_inertia(&self, py: Python<'_>, inertia: &Bound<'_, PyAny>, keep: &str) -> PyResult<()> {
        let given = Given::of(py, inertia)?;
        let keep = keep_of(py, keep)?;
        self.lock(py)?.set_inertia(py, given, keep)
    }

    /// Give the body an inertia that changes with its clock: panels unfold, propellant burns.
    ///
    /// function: ``f(time)`` returns 3 principal moments or a 3x3 tensor, the same for the same
    /// time; or quatint.compiled(f), where f has the signature of qi_inertia_fn (numba:
    /// quatint.INERTIA_SIGNATURE). None: the inertia is constant from now on. Material moves inside
    /// the body without an angular momentum of its own, so the torque alone changes the angular
    /// momentum. The angular velocity stays at this call, and when the clock is set. The method
    /// "splitting" moves such a body, drift, and solve and the other solutions with the solve_method
    /// "nonstiff". A new inertia and lock_axes end the change.
    ///
    /// An exception of the function comes out of the call unchanged; a step has then changed
    /// nothing.
    #[pyo3(name = "set_inertia_function")]
    fn replace_inertia_function(
        &self,
        py: Python<'_>,
        function: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.lock(py)?.set_inertia_function(py, function)
    }

    /// The function that gives the inertia, as it was given to set_inertia_function; None: the
    /// inertia is constant.
    #[getter]
    fn inertia_function(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let inner = self.lock(py)?;
        let function = inner.inertia_function.as_ref();
        Ok(function.map(|function| function.given.clone_ref(py)))
    }

    /// Lock body axes, in addition to those that are locked: from now on the body does not turn about
    /// them, whatever the torque.
    ///
    /// axes: the letters of the axes, such as "z" or "xy". Each must be a principal axis. With two
    /// locks the body is a wheel, with three it keeps its orientation. One lock alone asks for equal
    /// moments about the other two axes: it makes a disc that cannot spin. The locked axes turn with
    /// the body. The angular velocity about them is taken away, and the moments about them are zero:
    /// energy and angular momentum are those of the rotation about the other axes. A new inertia
    /// unlocks.
    #[pyo3(name = "lock_axes")]
    fn lock_named_axes(&self, py: Python<'_>, axes: &str) -> PyResult<()> {
        let axes = axes_of(py, axes)?;
        self.lock(py)?.lock_axes(py, axes)
    }
}
