//! Steps, records, kicks and drifts of an ensemble.

use crate::arrays::{Input, whole};
use crate::ensemble::{Ensemble, Inner};
use crate::errors::{Outcome, count_of_steps, raised, steps_between_rows};
use crate::interrupt::{after, in_portions};
use crate::names::frame_of;
use crate::new_arrays::NewArray;
use crate::torques::result;
use pyo3::prelude::*;
use quatint::{Failure, ViewMut};

/// Steps times bodies of a usual portion: some 20 ms.
const USUAL_PORTION: u64 = 1 << 22;

impl Inner {
    /// `before`: the steps of this call that are done.
    pub(crate) fn advance(
        &mut self,
        py: Python<'_>,
        dt: f64,
        steps: u64,
        before: u64,
    ) -> PyResult<()> {
        if self.is_python {
            return self.advance_staged(py, dt, steps, before);
        }
        let usual = USUAL_PORTION / (self.ensemble.count() as u64 + 64);
        in_portions(py, steps, usual, |done, steps| {
            let outcome = self.released(py, steps, |ensemble| ensemble.advance(dt, steps));
            outcome.map_err(|failure: Failure| raised(py, after(before + done, failure)))
        })
    }

    fn record<'py>(
        &mut self,
        py: Python<'py>,
        dt: f64,
        steps: u64,
        every: u64,
    ) -> PyResult<[NewArray<'py, f64>; 3]> {
        let rows = usize::try_from(steps / every + 1).unwrap_or(usize::MAX);
        let n = self.ensemble.count();
        let mut columns = [
            NewArray::zeros(py, &[rows])?,
            NewArray::zeros(py, &[rows, n, 4])?,
            NewArray::zeros(py, &[rows, n, 3])?,
        ];
        self.write_row(py, &mut columns, 0)?;
        for row in 1..rows {
            self.advance(py, dt, every, (row as u64 - 1) * every)?;
            self.write_row(py, &mut columns, row)?;
            py.check_signals()?;
        }
        self.advance(py, dt, steps % every, steps - steps % every)?;
        Ok(columns)
    }

    /// Writes the time, the orientations and the angular velocities into a row of a record.
    fn write_row(
        &self,
        py: Python<'_>,
        [times, q, omega]: &mut [NewArray<'_, f64>; 3],
        row: usize,
    ) -> PyResult<()> {
        let n = self.ensemble.count();
        times[row] = self.ensemble.time();
        let q = &mut q[4 * n * row..][..4 * n];
        let mut q = ViewMut::rows(q).raise(py)?;
        self.ensemble.orientations(&mut q).raise(py)?;
        let omega = &mut omega[3 * n * row..][..3 * n];
        let mut omega = ViewMut::rows(omega).raise(py)?;
        self.ensemble.angular_velocities(&mut omega).raise(py)
    }
}

#[pymethods]
impl Ensemble {
    /// Take one step of length dt of all (active) bodies; negative: backwards in time; 0: nothing
    /// happens.
    fn step(&self, py: Python<'_>, dt: f64) -> PyResult<()> {
        let mut inner = self.lock(py)?;
        if inner.is_python {
            return inner.advance_staged(py, dt, 1, 0);
        }
        inner
            .released(py, 1, |ensemble| ensemble.step(dt))
            .raise(py)
    }

    /// Take many steps: the bits are those of as many calls of step. If one fails, the bodies are as
    /// after the last completed step; the error's ``step`` counts the completed ones, and ``body``
    /// is the index of the first body concerned.
    fn advance(
        &self,
        py: Python<'_>,
        dt: f64,
        #[pyo3(from_py_with = whole)] steps: i64,
    ) -> PyResult<()> {
        let steps = count_of_steps(py, "steps", steps)?;
        self.lock(py)?.advance(py, dt, steps, 0)
    }

    /// Take many steps, and return the start and the states after every ``every`` steps:
    /// Trajectory(t, q, omega) with times (m,), orientations (m, n, 4) and angular velocities (m,
    /// n, 3), world frame, with m = steps // every + 1.
    #[pyo3(signature = (dt, steps, every=1))]
    fn record<'py>(
        &self,
        py: Python<'py>,
        dt: f64,
        #[pyo3(from_py_with = whole)] steps: i64,
        #[pyo3(from_py_with = whole)] every: i64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let steps = count_of_steps(py, "steps", steps)?;
        let every = steps_between_rows(py, every)?;
        let mut inner = self.lock(py)?;
        let columns = inner.record(py, dt, steps, every)?.map(NewArray::writeable);
        result(py, "Trajectory", <(_, _, _)>::from(columns))
    }

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
            .raise(py)
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
        let torque = Input::<3>::or_none(py, torque, "torque")?;
        let frame = frame_of(py, frame)?;
        let mut inner = self.lock(py)?;
        let torque = Input::view_or_none(&torque, py, inner.ensemble.count())?;
        inner
            .released(py, 1, |e| e.kick_drift(kick, drift, torque, frame))
            .raise(py)
    }
}
