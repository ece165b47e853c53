//! Bodies as rows of numbers; which bodies there are, and which of them move.

use crate::arrays::{
    as_tuple, elements_of, float_array, made_by_numpy, mask_of, shape_of, whole, whole_numbers,
};
use crate::ensemble::{Ensemble, Inner};
use crate::errors::{Outcome, no_body};
use crate::names::parts_of;
use crate::new_arrays::NewArray;
use numpy::PyUntypedArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PySlice;
use quatint::Parts;

/// A list of bodies: indices (negative ones count from the end), a mask of bools, a slice, or one
/// index. `None` for all.
fn indices_of(
    py: Python<'_>,
    given: Option<&Bound<'_, PyAny>>,
    count: usize,
    name: &str,
) -> PyResult<Option<Vec<usize>>> {
    let Some(given) = given else { return Ok(None) };
    let numpy = py.import("numpy")?;
    if given.is_instance_of::<PySlice>() {
        let all = numpy.call_method1("arange", (count,))?;
        return all
            .get_item(given)?
            .call_method0("tolist")?
            .extract()
            .map(Some);
    }
    let array = numpy.call_method1("atleast_1d", (made_by_numpy(py, given, name)?,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    let shape = shape_of(&array);
    if kind == "b" && mask_of(given)?.is_none() {
        if shape != [count] {
            let message = format!(
                "`{name}`, a mask of bodies, must have the shape ({count},), not {}",
                as_tuple(&shape)
            );
            return Err(PyValueError::new_err(message));
        }
        return array
            .call_method0("nonzero")?
            .get_item(0)?
            .call_method0("tolist")?
            .extract()
            .map(Some);
    }
    let is_single = given.getattr("__len__").is_err()
        || shape_of(given).is_empty() && given.is_instance_of::<PyUntypedArray>();
    let listed = if is_single { &array } else { given };
    let indices: Vec<i64> = whole_numbers(py, listed, name, "integers, a slice or a mask")?;
    let in_range = |index: i64| {
        let from_start = if index < 0 {
            index + count as i64
        } else {
            index
        };
        usize::try_from(from_start)
            .ok()
            .filter(|index| *index < count)
            .ok_or_else(|| no_body(py, index, count))
    };
    indices
        .into_iter()
        .map(in_range)
        .collect::<PyResult<_>>()
        .map(Some)
}

impl Inner {
    pub(crate) fn rows<'py>(
        &self,
        py: Python<'py>,
        parts: Parts,
        bodies: Option<&[usize]>,
    ) -> PyResult<NewArray<'py, f64>> {
        let count = bodies.map_or(self.ensemble.count(), <[usize]>::len);
        let mut rows = NewArray::zeros(py, &[count, self.ensemble.row_size(parts)])?;
        self.ensemble.rows(parts, bodies, &mut rows).raise(py)?;
        Ok(rows)
    }

    pub(crate) fn set_active(
        &mut self,
        py: Python<'_>,
        active: Option<Vec<usize>>,
    ) -> PyResult<()> {
        self.ensemble.set_active(active.as_deref()).raise(py)?;
        self.active = active;
        Ok(())
    }

    /// After a change of the population: all bodies move, in own memory.
    fn population_changed(&mut self) {
        self.active = None;
        self.let_go_of_arrays();
    }
}

#[pymethods]
impl Ensemble {
    /// How many numbers ``rows`` returns for each body. parts: as for rows.
    #[pyo3(signature = (parts=None))]
    fn row_size(&self, py: Python<'_>, parts: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
        let parts = parts_of(py, parts)?;
        Ok(self.lock(py)?.ensemble.row_size(parts))
    }

    /// The data of bodies for a message or a file: a new array with a row for each of the bodies
    /// (indices, a mask, a slice; None: all).
    ///
    /// parts: "state" (orientation, angular velocity in the body frame: 7 numbers), "inertia"
    /// (principal moments, negative about locked axes, and the rotation from the principal axes to
    /// the body frame: 7), "torque"
    /// (parameters of the ready-made torque, then drag and flow, then rotor_momentum, then
    /// coefficients and flow of langevin), "memory" (what the method keeps from step to step),
    /// "bound" (the angular velocity or momentum as the bound array holds it: 3), several of these,
    /// or "all"; and "id", before "bound", the 64 bits of the body's id in the place of a number.
    /// Whatever their order, the numbers have this one.
    #[pyo3(signature = (bodies=None, parts=None))]
    fn rows<'py>(
        &self,
        py: Python<'py>,
        bodies: Option<&Bound<'py, PyAny>>,
        parts: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let parts = parts_of(py, parts)?;
        let inner = self.lock(py)?;
        let list = indices_of(py, bodies, inner.ensemble.count(), "bodies")?;
        inner
            .rows(py, parts, list.as_deref())
            .map(NewArray::writeable)
    }

    /// Set the data of bodies from ``rows`` of this or of another ensemble. All rows are checked
    /// before the first is written.
    ///
    /// To go on with the same bits, give an ensemble the same method, torque, drag and active
    /// bodies, langevin and rotors if it had some, then ``clock`` and ``noise_draws``, and the rows
    /// last, with "id" if the ids were set.
    #[pyo3(signature = (rows, bodies=None, parts=None))]
    fn set_rows(
        &self,
        py: Python<'_>,
        rows: &Bound<'_, PyAny>,
        bodies: Option<&Bound<'_, PyAny>>,
        parts: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let parts = parts_of(py, parts)?;
        let mut inner = self.lock(py)?;
        let list = indices_of(py, bodies, inner.ensemble.count(), "bodies")?;
        let array = float_array(py, rows, "rows")?;
        let wanted = [
            list.as_ref().map_or(inner.ensemble.count(), Vec::len),
            inner.ensemble.row_size(parts),
        ];
        let shape = shape_of(&array);
        if shape != wanted {
            return Err(PyValueError::new_err(format!(
                "`rows` must have the shape {}, not {}: a row has {} numbers here. Are parts, torque, drag, rotors, langevin and \
                 method those of the ensemble that wrote the rows?",
                as_tuple(&wanted),
                as_tuple(&shape),
                wanted[1]
            )));
        }
        let numbers = elements_of(&array)?;
        inner
            .ensemble
            .set_rows(parts, list.as_deref(), &numbers)
            .raise(py)
    }

    /// The bodies that move: ascending indices, or a mask; None: all. The others keep their states.
    #[getter]
    fn active<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let inner = self.lock(py)?;
        let list = inner
            .active
            .as_ref()
            .map(|list| list.iter().map(|index| *index as i64).collect::<Vec<_>>());
        list.map(|list| NewArray::of(py, &list, &[list.len()]).map(NewArray::read_only))
            .transpose()
    }

    #[setter]
    fn set_active(&self, py: Python<'_>, bodies: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let mut inner = self.lock(py)?;
        let list = indices_of(py, bodies, inner.ensemble.count(), "active")?;
        inner.set_active(py, list)
    }

    /// Change the number of bodies. The first ones stay; new ones are at rest, with the identity as
    /// orientation. All bodies move; bound arrays are released, as by release_arrays.
    fn resize(&self, py: Python<'_>, #[pyo3(from_py_with = whole)] count: usize) -> PyResult<()> {
        let mut inner = self.lock(py)?;
        inner.ensemble.resize(count).raise(py)?;
        inner.population_changed();
        Ok(())
    }

    /// Make body ``bodies[i]`` body i, for each i: removes, sorts and copies bodies. bodies:
    /// indices, a mask or a slice. Otherwise as resize.
    fn select(&self, py: Python<'_>, bodies: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut inner = self.lock(py)?;
        let list =
            indices_of(py, Some(bodies), inner.ensemble.count(), "bodies")?.unwrap_or_default();
        inner.ensemble.select(&list).raise(py)?;
        inner.population_changed();
        Ok(())
    }
}
