//! Kicks and drifts of an ensemble, for programs with a loop of their own.

use crate::arrays::Input;
use crate::ensemble::Ensemble;
use crate::errors::raised;
use crate::names::frame_of;
use pyo3::prelude::*;

#[pymethods]
impl Ensemble {
    /// Add duration * torque to the angular momenta of the (active) bodies. torque: (3,) or (n, 3),
    /// of any strides, not a bound array. frame: of the torque, "world" or "body". Orientations and
    /// clock stay.
    #[pyo3(signature = (duration, torque, *, frame="world"))]
    fn kick(
        &self,
        py: Python<'_>,
        duration: f64,
        torque: &Bound<'_, PyAny>,
        frame: &str,
    ) -> PyResult<()> {
        let torque = Input::<3>::new(py, torque, "torque")?;
        let frame = frame_of(py, frame)?;
        let mut inner = self.lock(py)?;
        let torque = torque.view(py, inner.ensemble.count())?;
        inner
            .released(py, 1, |e| e.kick(duration, torque, frame))
            .map_err(|failure| raised(py, failure))
    }

    /// Kick for one duration and then drift for another, in one pass over the bodies: the first
    /// half of a step of velocity Verlet. The second half is kick(). torque: as in kick; None:
    /// zero. Writes predicted velocities, if an array is bound for them.
    #[pyo3(signature = (kick, drift, torque=None, *, frame="world"))]
    fn kick_drift(
        &self,
        py: Python<'_>,
        kick: f64,
        drift: f64,
        torque: Option<&Bound<'_, PyAny>>,
        frame: &str,
    ) -> PyResult<()> {
        let torque = torque
            .map(|torque| Input::<3>::new(py, torque, "torque"))
            .transpose()?;
        let frame = frame_of(py, frame)?;
        let mut inner = self.lock(py)?;
        let torque = torque
            .as_ref()
            .map(|torque| torque.view(py, inner.ensemble.count()))
            .transpose()?;
        inner
            .released(py, 1, |e| e.kick_drift(kick, drift, torque, frame))
            .map_err(|failure| raised(py, failure))
    }
}
