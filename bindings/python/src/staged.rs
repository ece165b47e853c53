//! A Python function as the torque of an ensemble: the stages of the steps, by the stage protocol.
//! The function sees all bodies at once.

use crate::acting::noted;
use crate::ensemble::{Inner, RELEASED_FROM};
use crate::errors::{Outcome, raised};
use crate::interrupt::after;
use crate::passed::{StageArrays, StageSlices, Strides};
use pyo3::prelude::*;
use quatint::kernel::{Quat, Vec3};
use quatint::{Ensemble, Failure, Frame, Layout, Progress};

/// Arrays for the active bodies: those before, if they still fit.
pub(crate) fn stage_arrays(
    py: Python<'_>,
    before: Option<StageArrays>,
    ensemble: &Ensemble<'_, '_>,
    layout: Layout,
) -> PyResult<StageArrays> {
    match before.filter(|arrays| arrays.is_for(ensemble.active_count(), layout)) {
        Some(arrays) => Ok(arrays),
        None => StageArrays::new(py, ensemble.active_count(), layout),
    }
}

/// Writes the first stage, or takes the torques and writes the next one; without the lock of the
/// interpreter, where that pays and no other thread can see the arrays.
pub(crate) fn next_stage(
    py: Python<'_>,
    ensemble: &mut Ensemble<'static, 'static>,
    arrays: &mut StageArrays,
    is_first: bool,
    given: Option<&[f64]>,
) -> Result<Progress, Failure> {
    let releases = arrays.count >= RELEASED_FROM && arrays.are_ours_alone(py);
    let StageSlices {
        orientation,
        angular_velocity,
        torque,
    } = arrays.slices();
    let torque = given.unwrap_or(torque);
    let mut run = || {
        if is_first {
            ensemble.next_stage(orientation, angular_velocity)
        } else {
            ensemble.continue_step(torque, orientation, angular_velocity)
        }
    };
    if releases { py.detach(run) } else { run() }
}

/// The orientation of body `i` in the array of a stage.
fn orientation_at(orientations: &[f64], strides: Strides, i: usize) -> Quat<f64> {
    let start = i * strides.body;
    Quat([0, 1, 2, 3].map(|c| orientations[start + c * strides.component]))
}

/// The vector of body `i` in an array of a stage.
fn vector_at(vectors: &[f64], strides: Strides, i: usize) -> Vec3<f64> {
    let start = i * strides.body;
    Vec3([0, 1, 2].map(|c| vectors[start + c * strides.component]))
}

fn put_vector(vectors: &mut [f64], strides: Strides, i: usize, vector: Vec3<f64>) {
    let start = i * strides.body;
    for (c, number) in vector.0.into_iter().enumerate() {
        vectors[start + c * strides.component] = number;
    }
}

/// Rotates the angular velocities of a stage to the body frame.
pub(crate) fn velocities_to_body(arrays: &mut StageArrays) {
    let of_vectors = arrays.strides(3);
    let of_orientations = arrays.strides(4);
    let count = arrays.count;
    let StageSlices {
        orientation,
        angular_velocity,
        ..
    } = arrays.slices();
    for i in 0..count {
        let q = orientation_at(orientation, of_orientations, i);
        let omega = vector_at(angular_velocity, of_vectors, i);
        put_vector(angular_velocity, of_vectors, i, q.to_body(omega));
    }
}

/// Rotates the torques that have been taken to the world frame.
pub(crate) fn torques_to_world(arrays: &mut StageArrays) {
    let of_vectors = arrays.strides(3);
    let of_orientations = arrays.strides(4);
    let count = arrays.count;
    let StageSlices {
        orientation,
        torque,
        ..
    } = arrays.slices();
    for i in 0..count {
        let given = vector_at(torque, of_vectors, i);
        if !given.0.iter().all(|number| number.is_finite()) {
            continue; // the library refuses it as given
        }
        let q = orientation_at(orientation, of_orientations, i);
        put_vector(torque, of_vectors, i, q.to_world(given));
    }
}

impl Inner {
    /// Takes steps under a Python function. If it raises, the ensemble is as before the step that
    /// it was called for.
    pub(crate) fn advance_staged(
        &mut self,
        py: Python<'_>,
        dt: f64,
        steps: u64,
        before: u64,
    ) -> PyResult<()> {
        let Some(function) = self.torque.as_ref().map(|torque| torque.bind(py).clone()) else {
            return Ok(());
        };
        self.ensemble.set_stage_layout(self.layout).raise(py)?;
        let mut arrays = stage_arrays(py, self.arrays.take(), &self.ensemble, self.layout)?;
        self.ensemble.begin_steps(dt, steps).raise(py)?;
        let outcome = self.take_stages(py, &function, &mut arrays, before);
        if outcome.is_err() {
            self.ensemble.cancel_step();
        }
        self.arrays = Some(arrays);
        outcome
    }

    fn take_stages(
        &mut self,
        py: Python<'_>,
        function: &Bound<'_, PyAny>,
        arrays: &mut StageArrays,
        before: u64,
    ) -> PyResult<()> {
        let mut completed = before;
        let mut clock = self.ensemble.clock();
        let is_world = self.frame == Frame::World;
        let mut progress = next_stage(py, &mut self.ensemble, arrays, true, None)
            .map_err(|failure| raised(py, after(before, failure)))?;
        while let Progress::NeedTorque(time) = progress {
            if !is_world {
                velocities_to_body(arrays);
            }
            let call = || {
                function.call1((
                    time,
                    arrays.orientation.array.bind(py),
                    arrays.angular_velocity.array.bind(py),
                ))
            };
            let given = call().map_err(|error| noted(py, error, time, completed))?;
            self.bound.expect_in_place(py)?; // the function may have done anything
            let in_place = arrays.in_place(&given).filter(|_| is_world);
            if in_place.is_none() {
                arrays
                    .take(py, &given)
                    .map_err(|error| noted(py, error, time, completed))?;
                if !is_world {
                    torques_to_world(arrays);
                }
            }
            progress = next_stage(py, &mut self.ensemble, arrays, false, in_place)
                .map_err(|failure| raised(py, after(completed, failure)))?;
            // a step moves the clock
            if self.ensemble.clock() != clock {
                clock = self.ensemble.clock();
                completed += 1;
                py.check_signals()?;
            }
        }
        Ok(())
    }
}
