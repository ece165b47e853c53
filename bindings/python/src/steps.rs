//! Steps, records, kicks and drifts of one body.

use crate::acting::with_torque;
use crate::arrays::{vector, whole};
use crate::body::{Body, Inner, copied};
use crate::errors::{Outcome, count_of_steps, raised, steps_between_rows};
use crate::interrupt::{after, in_portions};
use crate::names::frame_of;
use crate::new_arrays::NewArray;
use crate::torques::result;
use pyo3::prelude::*;
use quatint::rotation::components;
use quatint::{Error, Failure, Record};

/// Steps of a usual portion: some 5 ms under a ready-made torque, less than 100 ms under a Python
/// function.
const USUAL_PORTION: u64 = 1 << 16;
/// Below so many steps, releasing the lock of the interpreter costs more than it gives.
const RELEASED_FROM: u64 = 64;

impl Inner {
    /// Runs `run` without the lock of the interpreter, where that pays and the torque does not need
    /// it.
    pub(crate) fn released<R: Send>(
        &mut self,
        py: Python<'_>,
        steps: u64,
        run: impl FnOnce(&mut Self) -> R + Send,
    ) -> R {
        let is_short = steps < RELEASED_FROM && !self.acting.is_pointer();
        if is_short || self.is_python() {
            run(self)
        } else {
            py.detach(|| run(self))
        }
    }

    fn step(&mut self, py: Python<'_>, dt: f64) -> PyResult<()> {
        let outcome = self.released(py, 1, |inner| {
            let Inner { body, acting, .. } = inner;
            with_torque!(acting, torque => body.step(dt, torque))
        });
        outcome.map_err(|error| self.explained(py, error))
    }

    /// The angular acceleration, or the torque.
    fn at_present(&mut self, py: Python<'_>, is_acceleration: bool) -> PyResult<[f64; 3]> {
        let outcome = self.released(py, 1, |inner| {
            let Inner { body, acting, .. } = inner;
            if is_acceleration {
                with_torque!(acting, torque => body.angular_acceleration(torque))
            } else {
                with_torque!(acting, torque => body.total_torque(torque))
            }
        });
        let vector = outcome.map_err(|error| self.explained(py, error))?;
        Ok(vector.into())
    }

    /// `before`: the steps of this call that are done.
    fn advance(&mut self, py: Python<'_>, dt: f64, steps: u64, before: u64) -> PyResult<()> {
        in_portions(py, steps, self.usual_portion(), |done, steps| {
            let outcome = self.released(
                py,
                steps,
                |Inner { body, acting, .. }| with_torque!(acting, torque => body.advance(dt, steps, torque)),
            );
            outcome.map_err(|failure| self.explained(py, after(before + done, failure)))
        })
    }

    fn usual_portion(&self) -> u64 {
        if self.is_python() {
            USUAL_PORTION >> 4
        } else {
            USUAL_PORTION
        }
    }

    fn record(&mut self, py: Python<'_>, dt: f64, steps: u64, every: u64) -> PyResult<Vec<Record>> {
        let mut rows: Vec<Record> = Vec::new();
        let count = usize::try_from(steps / every + 1).unwrap_or(usize::MAX);
        rows.try_reserve_exact(count)
            .map_err(|_| raised(py, Error::Memory))?;
        rows.push(self.row());
        let count = steps / every;
        let rest = steps % every;
        let usual = self.usual_portion();
        if every > usual / 64 {
            for row in 0..count {
                self.advance(py, dt, every, row * every)?;
                rows.push(self.row());
            }
        } else {
            in_portions(py, count, usual / every, |done, count| {
                let outcome = self.released(py, count * every, |inner| {
                    for row in done..done + count {
                        let Inner { body, acting, .. } = inner;
                        with_torque!(acting, torque => body.advance(dt, every, torque))
                            .map_err(|failure| after(row * every, failure))?;
                        rows.push(inner.row());
                    }
                    Ok(())
                });
                outcome.map_err(|failure: Failure| self.explained(py, failure))
            })?;
        }
        self.advance(py, dt, rest, count * every)?;
        Ok(rows)
    }

    fn row(&self) -> Record {
        let [w, x, y, z] = components(self.body.orientation());
        let [a, b, c] = self.body.angular_velocity().into();
        [self.body.time(), w, x, y, z, a, b, c]
    }
}

/// Rows as a `Trajectory`: times `(m,)`, orientations `(m, 4)` and angular velocities `(m, 3)`.
pub(crate) fn trajectory<'py>(py: Python<'py>, rows: &[Record]) -> PyResult<Bound<'py, PyAny>> {
    let count = rows.len();
    let mut times = NewArray::zeros(py, &[count])?;
    let mut q = NewArray::zeros(py, &[count, 4])?;
    let mut omega = NewArray::zeros(py, &[count, 3])?;
    for (i, row) in rows.iter().enumerate() {
        times[i] = row[0];
        q[4 * i..][..4].copy_from_slice(&row[1..5]);
        omega[3 * i..][..3].copy_from_slice(&row[5..]);
    }
    result(
        py,
        "Trajectory",
        (times.writeable(), q.writeable(), omega.writeable()),
    )
}

#[pymethods]
impl Body {
    /// Take one step of length dt; negative: backwards in time; 0: nothing happens.
    fn step(&self, py: Python<'_>, dt: f64) -> PyResult<()> {
        self.lock(py)?.step(py, dt)
    }

    /// Take many steps: the bits are those of as many calls of step. If one fails, the body is as after
    /// the last completed step; the error's ``step`` counts the completed ones.
    fn advance(
        &self,
        py: Python<'_>,
        dt: f64,
        #[pyo3(from_py_with = whole)] steps: i64,
    ) -> PyResult<()> {
        let steps = count_of_steps(py, "steps", steps)?;
        self.lock(py)?.advance(py, dt, steps, 0)
    }

    /// Take many steps, and return the start and the state after every ``every`` steps:
    /// Trajectory(t, q, omega) with times (m,), orientations (m, 4) and angular velocities (m, 3)
    /// in the world frame, with m = steps // every + 1.
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
        let rows = self.lock(py)?.record(py, dt, steps, every)?;
        trajectory(py, &rows)
    }

    /// Add duration * torque to the angular momentum. frame: of the torque, "world" or "body".
    /// Orientation and clock stay.
    #[pyo3(signature = (duration, torque, *, frame="world"))]
    fn kick(
        &self,
        py: Python<'_>,
        duration: f64,
        torque: &Bound<'_, PyAny>,
        frame: &str,
    ) -> PyResult<()> {
        let torque = vector::<3>(py, torque, "torque")?;
        let frame = frame_of(py, frame)?;
        self.lock(py)?
            .body
            .kick(duration, torque.into(), frame)
            .raise(py)
    }

    /// All that acts at the present state, drag and motors too, but no gyroscopic torque: 3 numbers
    /// in the world frame. Asks the torque once.
    fn acting_torque<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let acting = self.lock(py)?.at_present(py, false)?;
        copied(py, acting)
    }

    /// The angular acceleration d omega / dt at the present state: 3 numbers in the world frame,
    /// rad/s². Asks the torque once.
    fn angular_acceleration<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let acceleration = self.lock(py)?.at_present(py, true)?;
        copied(py, acceleration)
    }

    /// Kick for one duration, then drift for another: the first half of a step of velocity Verlet.
    #[pyo3(signature = (kick, drift, torque, *, frame="world"))]
    fn kick_drift(
        &self,
        py: Python<'_>,
        kick: f64,
        drift: f64,
        torque: &Bound<'_, PyAny>,
        frame: &str,
    ) -> PyResult<()> {
        for (name, value) in [("kick", kick), ("drift", drift)] {
            if !value.is_finite() {
                let index = None;
                return Err(raised(py, Error::NotFinite { name, index, value }));
            }
        }
        let torque = vector::<3>(py, torque, "torque")?;
        let frame = frame_of(py, frame)?;
        let inner = &mut *self.lock(py)?;
        let mut moved = inner.body.clone(); // both, or neither
        moved
            .kick(kick, torque.into(), frame)
            .and_then(|()| moved.drift(drift))
            .map_err(|error| inner.explained(py, error))?;
        inner.body = moved;
        Ok(())
    }
}
