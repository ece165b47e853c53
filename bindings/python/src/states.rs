//! The states of an ensemble: orientations, velocities, momenta, energies, inertias.

use crate::arrays::{Input, float_array, shape_of, vector, wrong_shape};
use crate::ensemble::{Ensemble, Inner};
use crate::errors::{Outcome, refused};
use crate::new_arrays::{NewArray, filled};
use crate::rotation::{numbers_of, scipy_rotation};
use crate::sums::ExactSum;
use nalgebra::Matrix3;
use pyo3::prelude::*;
use quatint::kernel::Quat;
use quatint::rotation::{orientation_of, rows_of, to_matrix};
use quatint::{Inertia, Parts};

/// Whether each number is positive, as moments are.
fn is_positive(array: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(array.call_method0("min")?.extract::<f64>()? > 0.0)
}

impl Inner {
    pub(crate) fn set_inertia(
        &mut self,
        py: Python<'_>,
        inertia: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let array = float_array(py, inertia, "inertia")?;
        let count = self.ensemble.count();
        let shape = shape_of(&array); // a copy, because `min` may be a function of the user
        match shape.as_slice() {
            [3] | [_, 3] if shape != [3, 3] => {
                let moments = Input::<3>::new(py, &array, "inertia")?;
                self.ensemble
                    .set_principal_inertias(moments.view(py, count)?)
                    .raise(py)
            }
            [3, 3] if count == 3 && is_positive(&array)? => Err(refused(
                py,
                "`inertia` is ambiguous: for 3 bodies the shape (3, 3) could be a tensor for all, or a row of moments for each. \
                 Give a tensor for each, (3, 3, 3): [tensor] * 3, or [numpy.diag(row) for row in moments]",
            )),
            [3, 3] => {
                let flat = array.call_method1("reshape", (9,))?;
                let tensor = vector::<9>(py, &flat, "inertia")?;
                let inertia = Inertia::new(&Matrix3::from_row_slice(&tensor)).raise(py)?;
                self.ensemble.set_inertia(inertia).raise(py)
            }
            &[n, 3, 3] => {
                let flat = array.call_method1("reshape", (n, 9))?;
                let tensors = Input::<9>::new(py, &flat, "inertia")?;
                self.ensemble
                    .set_inertias(tensors.view(py, count)?)
                    .raise(py)
            }
            shape => Err(wrong_shape(
                "inertia",
                "(3,), (n, 3), (3, 3) or (n, 3, 3)",
                shape,
            )),
        }
    }

    pub(crate) fn set_orientations(
        &mut self,
        py: Python<'_>,
        given: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let given = Input::<4>::new(py, &numbers_of(py, given)?, "orientations")?;
        let given = given.view(py, self.ensemble.count())?;
        self.ensemble.set_orientations(given).raise(py)
    }

    pub(crate) fn set_angular_velocities(
        &mut self,
        py: Python<'_>,
        given: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let given = Input::<3>::new(py, given, "angular_velocities")?;
        let given = given.view(py, self.ensemble.count())?;
        self.ensemble.set_angular_velocities(given).raise(py)
    }

    /// Principal moments, negative about locked axes, and the rotations from the principal axes to
    /// the body frame: 7 numbers a body.
    pub(crate) fn inertia_rows<'py>(&self, py: Python<'py>) -> PyResult<NewArray<'py, f64>> {
        self.rows(
            py,
            Parts {
                inertia: true,
                ..Parts::default()
            },
            None,
        )
    }
}

#[pymethods]
impl Ensemble {
    /// Orientations (w, x, y, z), body to world: a new array (n, 4). Set them to (4,), (n, 4) or a
    /// scipy Rotation; the angular velocities in the world frame stay.
    #[getter]
    fn orientations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let e = &self.lock(py)?.ensemble;
        filled(py, &[e.count(), 4], &mut |to| e.orientations(to).raise(py)).map(NewArray::read_only)
    }

    #[setter]
    fn set_orientations(&self, py: Python<'_>, given: &Bound<'_, PyAny>) -> PyResult<()> {
        self.lock(py)?.set_orientations(py, given)
    }

    /// Angular velocities in the body frame: a new array (n, 3).
    #[getter]
    fn angular_velocities_body<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let e = &self.lock(py)?.ensemble;
        filled(py, &[e.count(), 3], &mut |to| {
            (0..e.count()).for_each(|body| to.put(body, e.angular_velocity_body(body).into()));
            Ok(())
        })
        .map(NewArray::read_only)
    }

    /// The orientations as a scipy.spatial.transform.Rotation; imports scipy. Can be set.
    #[getter]
    fn rotation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        scipy_rotation(py, self.orientations(py)?.as_any())
    }

    #[setter]
    fn set_rotation(&self, py: Python<'_>, rotation: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set_orientations(py, rotation)
    }

    /// The inertia tensors in the body frame: a new array (n, 3, 3), computed from principal
    /// moments and axes, with zeros beside locked axes. Set them to (3,) or (n, 3) principal moments about the body axes, or to
    /// (3, 3) or (n, 3, 3) tensors. For three bodies a 3x3 array of positive numbers is ambiguous,
    /// and refused.
    #[getter]
    fn inertia<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let inner = self.lock(py)?;
        let rows = inner.inertia_rows(py)?;
        let n = inner.ensemble.count();
        let mut tensors = NewArray::zeros(py, &[n, 3, 3])?;
        for (row, tensor) in rows.chunks_exact(7).zip(tensors.chunks_exact_mut(9)) {
            let q = Quat([row[3], row[4], row[5], row[6]]);
            let axes = rows_of(&to_matrix(orientation_of(q)));
            for (i, j) in (0..9).map(|k| (k / 3, k % 3)) {
                tensor[3 * i + j] = (0..3)
                    .map(|k| axes[3 * i + k] * row[k].max(0.0) * axes[3 * j + k])
                    .sum();
            }
        }
        Ok(tensors.read_only())
    }

    #[setter]
    fn set_inertia(&self, py: Python<'_>, inertia: &Bound<'_, PyAny>) -> PyResult<()> {
        self.lock(py)?.set_inertia(py, inertia)
    }

    /// The exact sum of the active bodies' rotational energies: an ExactSum, which does not depend
    /// on how bodies are spread over ensembles.
    fn kinetic_energy_sum(&self, py: Python<'_>) -> PyResult<ExactSum> {
        let sum = self.lock(py)?.ensemble.kinetic_energy_sum();
        sum.map(ExactSum::from).raise(py)
    }

    /// The exact sums of the three components of the active bodies' angular momenta, world frame.
    fn angular_momentum_sums(&self, py: Python<'_>) -> PyResult<(ExactSum, ExactSum, ExactSum)> {
        let sums = self.lock(py)?.ensemble.angular_momentum_sums();
        sums.map(|sums| sums.map(ExactSum::from).into()).raise(py)
    }
}
