//! The caller's arrays, in which an ensemble works.

use crate::arrays::{shape_of, whole_numbers};
use crate::bound_arrays::{Held, HeldVelocities, bound, bound_matrices};
use crate::ensemble::{Ensemble, Inner};
use crate::errors::{Outcome, refused};
use crate::names::kind_of;
use crate::rotation::is_scalar_first;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use quatint::{VelocityKind, ViewMut};

/// The row of each of `count` bodies.
fn rows_of(
    py: Python<'_>,
    rows: Option<&Bound<'_, PyAny>>,
    count: usize,
) -> PyResult<Option<Vec<i32>>> {
    let Some(rows) = rows else { return Ok(None) };
    let rows: Vec<i32> = whole_numbers(py, rows, "rows", "integers of 32 bits")?;
    if rows.len() != count {
        let given = rows.len();
        let message = format!("`rows` has {given} elements, but there are {count} bodies");
        return Err(refused(py, &message));
    }
    Ok(Some(rows))
}

/// The array as a view. With `rows`, body `i` is in row `rows[i]`; without, the array has a row for
/// each body.
fn view_of<const K: usize>(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    count: usize,
    name: &'static str,
    rows: Option<&[i32]>,
) -> PyResult<ViewMut<'static, K>> {
    let Some(rows) = rows else {
        return bound(array, count, name);
    };
    let length = shape_of(array).first().copied().unwrap_or(0);
    let view = bound(array, length, name)?;
    view.in_rows(rows).raise(py)
}

/// The array that is bound, or None.
fn array_of(py: Python<'_>, held: Option<&Held>) -> Option<Py<PyAny>> {
    held.map(|held| held.array.clone_ref(py))
}

impl Inner {
    pub(crate) fn bind_velocities(
        &mut self,
        py: Python<'_>,
        array: &Bound<'_, PyAny>,
        kind: VelocityKind,
        rows: Option<Vec<i32>>,
    ) -> PyResult<()> {
        let count = self.ensemble.count();
        let view = view_of::<3>(py, array, count, "angular_velocities", rows.as_deref())?;
        let held = Held::new(array)?;
        self.ensemble
            .bind_angular_velocities(view, kind)
            .raise(py)?;
        self.bound.velocities = Some(HeldVelocities { held, kind, rows });
        Ok(())
    }

    pub(crate) fn bind_flow_gradients(
        &mut self,
        py: Python<'_>,
        gradients: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let count = self.ensemble.count();
        let view = gradients
            .map(|array| bound_matrices(array, count, "gradients"))
            .transpose()?;
        let held = gradients.map(Held::new).transpose()?;
        self.ensemble.bind_flow_gradients(view).raise(py)?;
        self.bound.flow_gradients = held;
        self.has_lost_gradients = false;
        Ok(())
    }
}

#[pymethods]
impl Ensemble {
    /// From now on keep the orientations in an array (n, 4) of float64, without a copy. Its
    /// contents become the orientations and are normalised there. The angular velocities in the
    /// world frame stay.
    ///
    /// The array may have any strides that are multiples of 8 bytes: C or Fortran order, a field of
    /// a structured array, a slice. It must be writeable and aligned; other arrays are refused,
    /// never copied. The ensemble keeps the array alive. Between calls you may read and write it.
    /// scalar_first=False: (x, y, z, w). rows: body i is in row rows[i] of the array, which may have more
    /// rows.
    #[pyo3(signature = (array, *, scalar_first=None, rows=None, scalar_last=None))]
    fn bind_orientations(
        &self,
        py: Python<'_>,
        array: &Bound<'_, PyAny>,
        scalar_first: Option<bool>,
        rows: Option<&Bound<'_, PyAny>>,
        scalar_last: Option<bool>,
    ) -> PyResult<()> {
        let scalar_first = is_scalar_first(py, scalar_first, scalar_last)?;
        let mut inner = self.lock(py)?;
        let count = inner.ensemble.count();
        let rows = rows_of(py, rows, count)?;
        let view = view_of::<4>(py, array, count, "orientations", rows.as_deref())?;
        let view = if scalar_first == Some(false) {
            view.scalar_last()
        } else {
            view
        };
        let held = Held::new(array)?;
        inner.ensemble.bind_orientations(view).raise(py)?;
        inner.bound.orientations = Some(held); // releases the array before, which is no longer used
        Ok(())
    }

    /// From now on keep the angular velocities in an array (n, 3) of float64, without a copy; see
    /// bind_orientations. kind: "omega_world", "omega_body" (the bits of a single body; the others
    /// are converted in each step), "angmom_world" or "angmom_body" (momenta I omega). Copies and
    /// pickles of what is converted are bound to an array of their own.
    #[pyo3(signature = (array, kind="omega_world", *, rows=None))]
    fn bind_angular_velocities(
        &self,
        py: Python<'_>,
        array: &Bound<'_, PyAny>,
        kind: &str,
        rows: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let kind = kind_of(py, kind)?;
        let mut inner = self.lock(py)?;
        let rows = rows_of(py, rows, inner.ensemble.count())?;
        inner.bind_velocities(py, array, kind, rows)
    }

    /// Choose an array (n, 3) for predicted angular velocities, world frame, which kick_drift then
    /// writes: those at the end of the drift, changed by the torque of the kick, for ``ahead``
    /// more. With half a step they are the arguments for torques that depend on the angular
    /// velocity, so an array needs it. None: no longer.
    #[pyo3(signature = (array, ahead=None))]
    fn bind_predicted_velocities(
        &self,
        py: Python<'_>,
        array: Option<&Bound<'_, PyAny>>,
        ahead: Option<f64>,
    ) -> PyResult<()> {
        if array.is_some() && ahead.is_none() {
            return Err(PyTypeError::new_err(
                "bind_predicted_velocities() needs `ahead` with an array: half a step, for order 2",
            ));
        }
        let mut inner = self.lock(py)?;
        let count = inner.ensemble.count();
        let view = array
            .map(|array| bound::<3>(array, count, "predicted_velocities"))
            .transpose()?;
        let held = array.map(Held::new).transpose()?;
        inner
            .ensemble
            .bind_predicted_velocities(view, ahead.unwrap_or(0.0))
            .raise(py)?;
        inner.bound.predicted = held;
        Ok(())
    }

    /// Choose an array with the velocity gradient of the fluid at each body, in place of the one
    /// that all bodies share in ShearFlow: (n, 3, 3) or (n, 9) of float64, whose element [i, j, k]
    /// is d u_j / d x_k at body i, world frame. None: the shared one again.
    ///
    /// Steps read the array where it lies, at each torque evaluation, and never write it: write it
    /// between the steps. Gradients at the middle of the step give order 2. The array may have any
    /// strides: gradients whose first index is that of the axis, as OpenFOAM's, are bound as
    /// gradients.transpose(0, 2, 1); bodies may be at any distance, also 0 (numpy.broadcast_to). The ensemble keeps the array alive. After release_arrays, resize or
    /// select, steps in a shear flow are an OrderError until an array or None is bound. Copies are
    /// bound to the same array, deep copies and pickles to a copy of it.
    fn bind_flow_gradients(
        &self,
        py: Python<'_>,
        gradients: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.lock(py)?.bind_flow_gradients(py, gradients)
    }

    /// The array bound for the orientations, or None.
    #[getter]
    fn bound_orientations(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        Ok(array_of(py, self.lock(py)?.bound.orientations.as_ref()))
    }

    /// The array bound for the angular velocities or momenta, or None.
    #[getter]
    fn bound_angular_velocities(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let inner = self.lock(py)?;
        let bound = inner.bound.velocities.as_ref();
        Ok(array_of(py, bound.map(|bound| &bound.held)))
    }

    /// Copy the states from bound arrays into the ensemble's own memory, and no longer use the
    /// arrays.
    fn release_arrays(&self, py: Python<'_>) -> PyResult<()> {
        let mut inner = self.lock(py)?;
        inner.ensemble.release_arrays().raise(py)?;
        inner.let_go_of_arrays();
        Ok(())
    }
}
