//! A new ensemble, from what the user gives.

use crate::arrays::whole;
use crate::ensemble::{Ensemble, Inner};
use crate::errors::Outcome;
use crate::names::{frame_of, layout_of, method_of};
use crate::rotation::{given_orientations, is_scalar_first};
use pyo3::prelude::*;

#[pymethods]
impl Ensemble {
    #[new]
    #[pyo3(signature = (
        count, *, inertia=None, orientations=None, angular_velocities=None, torque=None, method="pcdm", threads=1, frame="world",
        layout="aos", scalar_first=None, scalar_last=None
    ))]
    #[allow(clippy::too_many_arguments)] // keywords
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = whole)] count: usize,
        inertia: Option<&Bound<'_, PyAny>>,
        orientations: Option<&Bound<'_, PyAny>>,
        angular_velocities: Option<&Bound<'_, PyAny>>,
        torque: Option<&Bound<'_, PyAny>>,
        method: &str,
        #[pyo3(from_py_with = whole)] threads: usize,
        frame: &str,
        layout: &str,
        scalar_first: Option<bool>,
        scalar_last: Option<bool>,
    ) -> PyResult<Self> {
        let scalar_first = is_scalar_first(py, scalar_first, scalar_last)?;
        let mut inner = Inner::new(py, count)?;
        if let Some(inertia) = inertia {
            inner.set_inertia(py, inertia)?;
        }
        if let Some(orientations) = orientations {
            let given = given_orientations(py, orientations, scalar_first, "orientations")?;
            inner.set_orientations(py, &given)?;
        }
        if let Some(omega) = angular_velocities {
            inner.set_angular_velocities(py, omega)?;
        }
        inner
            .ensemble
            .set_method(method_of(py, method)?)
            .raise(py)?;
        inner.set_torque(py, torque, (frame_of(py, frame)?, layout_of(py, layout)?))?;
        inner.set_threads(py, threads)?;
        Ok(Ensemble::of(inner))
    }
}
