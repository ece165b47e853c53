//! Orientations from given angular velocities.

use crate::arrays::{Input, vector, whole};
use crate::errors::{Outcome, count_of_steps, with_note};
use crate::functions::check_function;
use crate::names::frame_of;
use crate::new_arrays::NewArray;
use crate::returned::returned;
use crate::rotation::{orientation_of, unit_orientation_of};
use pyo3::prelude::*;
use quatint::nalgebra::{Quaternion, Vector3};
use quatint::rotation::components;
use quatint::{Error, attitude};

fn numbers<'py>(py: Python<'py>, numbers: [f64; 4]) -> PyResult<Bound<'py, PyAny>> {
    Ok(NewArray::of(py, &numbers, &[4])?.writeable())
}

/// turn_orientation(orientation, start, end, steps, rate, *, frame="world"): the orientation at the
/// time end of what turns with the angular velocity rate(time), from start on.
#[pyfunction]
#[pyo3(signature = (orientation, start, end, steps, rate, *, frame="world"))]
fn turn_orientation<'py>(
    py: Python<'py>,
    orientation: &Bound<'py, PyAny>,
    start: f64,
    end: f64,
    #[pyo3(from_py_with = whole)] steps: i64,
    rate: &Bound<'py, PyAny>,
    frame: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let orientation = unit_orientation_of(py, orientation)?;
    let frame = frame_of(py, frame)?;
    let steps = count_of_steps(py, "steps", steps)?;
    check_function(rate, "`rate` is a function of the time", 1)?;
    let mut raised = None;
    let rate_at = |time: f64| {
        let given = rate.call1((time,)).and_then(|given| {
            let given = returned(&given, "an angular velocity", "3 numbers")?;
            vector::<3>(py, given, "angular_velocity")
        });
        given.map(Vector3::from).map_err(|error| {
            raised = Some((error, time));
            Error::RateCallback { result: 1, time }
        })
    };
    let turned = attitude::turned(orientation, start, end, steps as usize, rate_at, frame);
    if let Some((error, time)) = raised {
        let note = format!("raised in the rate function at time {time:?}");
        return Err(with_note(py, error, &note));
    }
    numbers(py, components(turned.raise(py)?))
}

/// turn_by_samples(orientation, angular_velocities, dt, *, frame="world"): the orientation at the
/// last of samples of the angular velocity that are dt apart.
#[pyfunction]
#[pyo3(signature = (orientation, angular_velocities, dt, *, frame="world"))]
fn turn_by_samples<'py>(
    py: Python<'py>,
    orientation: &Bound<'py, PyAny>,
    angular_velocities: &Bound<'py, PyAny>,
    dt: f64,
    frame: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let orientation = unit_orientation_of(py, orientation)?;
    let frame = frame_of(py, frame)?;
    let samples = Input::<3>::new(py, angular_velocities, "angular_velocities")?;
    let samples = samples.view(py, samples.count().unwrap_or(1))?;
    let turned = attitude::turned_by_samples(orientation, samples, dt, frame).raise(py)?;
    numbers(py, components(turned))
}

/// orientation_rate(orientation, angular_velocity): the derivative of a quaternion of any length
/// with respect to time, for an angular velocity in the world frame.
#[pyfunction]
fn orientation_rate<'py>(
    py: Python<'py>,
    orientation: &Bound<'py, PyAny>,
    angular_velocity: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let [w, x, y, z] = orientation_of(py, orientation)?;
    let omega = vector::<3>(py, angular_velocity, "angular_velocity")?;
    let rate = attitude::rate_of(Quaternion::new(w, x, y, z), omega.into()).raise(py)?;
    numbers(py, [rate.w, rate.i, rate.j, rate.k])
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(turn_orientation, module)?)?;
    module.add_function(wrap_pyfunction!(turn_by_samples, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_rate, module)?)
}
