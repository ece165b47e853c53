//! Rotors in bodies, such as reaction wheels, and their motors.

use crate::arrays::Input;
use crate::ensemble::{self, Ensemble};
use crate::errors::Outcome;
use crate::new_arrays::NewArray;
use pyo3::prelude::*;
use quatint::{Parts, View};

/// Whether rotors, or motors that are about to set them in motion, make a free rotation take time.
pub(crate) fn has_rotors(body: &quatint::Body) -> bool {
    body.rotor_momentum().is_some() || body.rotor_torque().is_some()
}

impl ensemble::Inner {
    /// Rotors of no momentum: rows then have theirs.
    pub(crate) fn make_room_for_rotors(&mut self, py: Python<'_>) -> PyResult<()> {
        let none = View::shared(&[0.0; 3], self.ensemble.count());
        self.ensemble.set_rotor_momentum(Some(none)).raise(py)?;
        self.has_rotors = true;
        Ok(())
    }
}

#[pymethods]
impl Ensemble {
    /// Angular momenta of rotors in the bodies, body frame: (n, 3), the present ones; None: no
    /// rotors. Set it to (n, 3), (3,) or None.
    #[getter]
    fn rotor_momentum<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let inner = self.lock(py)?;
        if !inner.has_rotors {
            return Ok(None);
        }
        let parts = Parts {
            torque: true,
            ..Parts::default()
        };
        let rows = inner.rows(py, parts, None)?;
        let width = inner.ensemble.row_size(parts);
        // random torques are last, rotors before them
        let end = width - if inner.langevin.is_some() { 6 } else { 0 };
        let momenta: Vec<f64> = rows
            .chunks_exact(width)
            .flat_map(|row| &row[end - 3..end])
            .copied()
            .collect();
        NewArray::of(py, &momenta, &[inner.ensemble.count(), 3])
            .map(NewArray::read_only)
            .map(Some)
    }

    #[setter]
    fn set_rotor_momentum(
        &self,
        py: Python<'_>,
        momenta: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let momenta = Input::<3>::or_none(py, momenta, "rotor_momentum")?;
        let mut inner = self.lock(py)?;
        let given = Input::view_or_none(&momenta, py, inner.ensemble.count())?;
        inner.ensemble.set_rotor_momentum(given).raise(py)?;
        inner.has_rotors = momenta.is_some();
        Ok(())
    }
}
