//! Orientations: conversions for one or for many, in the arithmetic of the library.

use crate::arrays::{Input, filled, vector};
use crate::errors::raised;
use numpy::{PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use quatint::kernel::{Quat, Vec3};
use quatint::rotation::{self, EulerSequence, checked};
use quatint::{Error, View};

/// The numbers of an argument that may be a `scipy.spatial.transform.Rotation`, which has the scalar last.
pub(crate) fn numbers_of<'py>(py: Python<'py>, orientation: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if !orientation.hasattr("as_quat")? {
        return Ok(orientation.clone());
    }
    let scalar_last = orientation.call_method0("as_quat")?;
    let options = PyDict::new(py);
    options.set_item("axis", -1)?;
    py.import("numpy")?.call_method("roll", (scalar_last, 1), Some(&options))
}

/// One orientation.
pub(crate) fn orientation_of(py: Python<'_>, orientation: &Bound<'_, PyAny>) -> PyResult<[f64; 4]> {
    vector(py, &numbers_of(py, orientation)?, "orientation")
}

/// A Rotation of scipy, from an array with the scalar first.
pub(crate) fn scipy_rotation<'py>(py: Python<'py>, orientations: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let options = PyDict::new(py);
    options.set_item("axis", -1)?;
    let scalar_last = py.import("numpy")?.call_method("roll", (orientations, -1), Some(&options))?;
    py.import("scipy.spatial.transform")?.getattr("Rotation")?.call_method1("from_quat", (scalar_last,))
}

/// Applies `f` to each row of an argument: `(K,)` to `(L,)`, `(n, K)` to `(n, L)`.
fn each<'py, const K: usize, const L: usize>(
    py: Python<'py>, given: &Bound<'py, PyAny>, name: &'static str, f: impl Fn([f64; K]) -> Result<[f64; L], Error>,
) -> PyResult<Bound<'py, PyAny>> {
    pairs::<K, 0, L>(py, given, name, None, |a, _| f(a))
}

/// Applies `f` to the rows of two arguments, which broadcast.
fn pairs<'py, const K: usize, const M: usize, const L: usize>(
    py: Python<'py>, first: &Bound<'py, PyAny>, name: &'static str, second: Option<(&Bound<'py, PyAny>, &'static str)>,
    f: impl Fn([f64; K], [f64; M]) -> Result<[f64; L], Error>,
) -> PyResult<Bound<'py, PyAny>> {
    let a = Input::<K>::new(py, &numbers_of(py, first)?, name)?;
    let b = match second {
        Some((object, name)) => Some(Input::<M>::new(py, &numbers_of(py, object)?, name)?),
        None => None,
    };
    let count = match (a.count(), b.as_ref().and_then(Input::count)) {
        (Some(1), Some(more)) => Some(more),
        (first, second) => first.or(second),
    };
    let n = count.unwrap_or(1);
    let (a, b): (View<K>, Option<View<M>>) = (a.view(py, n)?, b.as_ref().map(|b| b.view(py, n)).transpose()?);
    let all: Bound<'py, PyArray2<f64>> = filled::<L>(py, n, |to| {
        for i in 0..n {
            let result = f(a.get(i), b.map_or([0.0; M], |b| b.get(i)));
            let failure = |error| raised(py, quatint::Failure { cause: error, body: count.map(|_| i), completed: 0 });
            to.put(i, result.map_err(failure)?);
        }
        Ok(())
    })?;
    match (count, L) {
        (None, 1) => all.get_item((0, 0)),
        (None, _) => all.get_item(0),
        (Some(n), 1) => Ok(all.reshape([n])?.into_any()),
        _ => Ok(all.into_any()),
    }
}

fn unit(q: [f64; 4]) -> Result<Quat<f64>, Error> {
    checked("orientation", q)
}

/// rotate(orientation, vector_body): the vector in the world frame. (4,) or (n, 4) with (3,) or (n, 3).
#[pyfunction]
fn rotate<'py>(
    py: Python<'py>, orientation: &Bound<'py, PyAny>, vector: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    pairs(py, orientation, "orientation", Some((vector, "vector")), |q, v| Ok(unit(q)?.to_world(Vec3(finite(v)?)).0))
}

/// rotate_inverse(orientation, vector_world): the vector in the body frame.
#[pyfunction]
fn rotate_inverse<'py>(
    py: Python<'py>, orientation: &Bound<'py, PyAny>, vector: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    pairs(py, orientation, "orientation", Some((vector, "vector")), |q, v| Ok(unit(q)?.to_body(Vec3(finite(v)?)).0))
}

/// orientation_from_axis_angle(axis, angle): rotation by an angle (rad) about an axis of any length but 0.
#[pyfunction]
fn orientation_from_axis_angle<'py>(
    py: Python<'py>, axis: &Bound<'py, PyAny>, angle: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    pairs(py, axis, "axis", Some((angle, "angle")), |v, [angle]| Ok(rotation::from_axis_angle(v, angle)?.0))
}

/// orientation_to_axis_angle(orientation): unit axis, and angle in [0, pi]. The axis of the identity is x.
#[pyfunction]
fn orientation_to_axis_angle<'py>(
    py: Python<'py>, orientation: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let axis = each(py, orientation, "orientation", |q| Ok(rotation::to_axis_angle(unit(q)?).0.0))?;
    let angle = each(py, orientation, "orientation", |q| Ok([rotation::to_axis_angle(unit(q)?).1]))?;
    Ok((axis, angle))
}

/// orientation_from_rotation_vector(vector): rotation by |vector| rad about the vector.
#[pyfunction]
fn orientation_from_rotation_vector<'py>(py: Python<'py>, vector: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    each(py, vector, "rotation_vector", |v| Ok(rotation::from_rotation_vector(v)?.0))
}

/// orientation_to_rotation_vector(orientation): the shortest rotation vector, of length at most pi.
#[pyfunction]
fn orientation_to_rotation_vector<'py>(
    py: Python<'py>, orientation: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    each(py, orientation, "orientation", |q| Ok(rotation::to_rotation_vector(unit(q)?).0))
}

/// orientation_from_matrix(matrix): from rotation matrices (3, 3) or (n, 3, 3), v_world = R v_body.
#[pyfunction]
fn orientation_from_matrix<'py>(py: Python<'py>, matrix: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    each(py, &flattened(py, matrix, "matrix")?, "matrix", |rows| Ok(rotation::from_matrix(rows)?.0))
}

/// orientation_to_matrix(orientation): the rotation matrices, (3, 3) or (n, 3, 3).
#[pyfunction]
fn orientation_to_matrix<'py>(py: Python<'py>, orientation: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let rows = each(py, orientation, "orientation", |q| Ok(rotation::to_matrix(unit(q)?)))?;
    match crate::arrays::shape_of(&rows).as_slice() {
        &[n, _] => rows.call_method1("reshape", (n, 3, 3)),
        _ => rows.call_method1("reshape", (3, 3)),
    }
}

/// orientation_from_euler(sequence, angles): after three rotations; "xyz" about fixed axes, "ZXZ" about body axes, as in scipy.
#[pyfunction]
fn orientation_from_euler<'py>(
    py: Python<'py>, sequence: &str, angles: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let sequence = EulerSequence::parse(sequence.as_bytes()).map_err(|error| raised(py, error))?;
    each(py, angles, "angles", |angles| Ok(sequence.to_orientation(angles)?.0))
}

/// orientation_to_euler(sequence, orientation): the three angles. In gimbal lock the third is 0.
#[pyfunction]
fn orientation_to_euler<'py>(
    py: Python<'py>, sequence: &str, orientation: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let sequence = EulerSequence::parse(sequence.as_bytes()).map_err(|error| raised(py, error))?;
    each(py, orientation, "orientation", |q| Ok(sequence.angles_of(unit(q)?)))
}

/// orientation_product(a, b): the rotation b, then a.
#[pyfunction]
fn orientation_product<'py>(
    py: Python<'py>, a: &Bound<'py, PyAny>, b: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    pairs(py, a, "a", Some((b, "b")), |a, b| Ok((unit(a)? * unit(b)?).renormalised().0))
}

/// orientation_inverse(orientation): world to body.
#[pyfunction]
fn orientation_inverse<'py>(py: Python<'py>, orientation: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    each(py, orientation, "orientation", |q| Ok(unit(q)?.conjugate().0))
}

/// orientation_slerp(a, b, t): from a at t = 0 to b at t = 1, along the shortest great arc.
#[pyfunction]
fn orientation_slerp<'py>(
    py: Python<'py>, a: &Bound<'py, PyAny>, b: &Bound<'py, PyAny>, t: f64,
) -> PyResult<Bound<'py, PyAny>> {
    pairs(py, a, "a", Some((b, "b")), |a, b| Ok(rotation::slerp(unit(a)?, unit(b)?, t)?.0))
}

/// orientation_angle(a, b): the angle of the rotation between two orientations, in [0, pi].
#[pyfunction]
fn orientation_angle<'py>(
    py: Python<'py>, a: &Bound<'py, PyAny>, b: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    pairs(py, a, "a", Some((b, "b")), |a, b| Ok([rotation::angle_between(unit(a)?, unit(b)?)]))
}

fn finite(v: [f64; 3]) -> Result<[f64; 3], Error> {
    match v.iter().position(|x| !x.is_finite()) {
        None => Ok(v),
        Some(index) => Err(Error::NotFinite { name: "vector", index: Some(index), value: v[index] }),
    }
}

/// Matrices as rows of 9 numbers.
fn flattened<'py>(py: Python<'py>, matrices: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let array = crate::arrays::float_array(py, matrices, name)?;
    match crate::arrays::shape_of(&array).as_slice() {
        [3, 3] => array.call_method1("reshape", (9,)),
        &[n, 3, 3] => array.call_method1("reshape", (n, 9)),
        _ => Ok(array), // refused by its shape
    }
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(rotate, module)?)?;
    module.add_function(wrap_pyfunction!(rotate_inverse, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_from_axis_angle, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_to_axis_angle, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_from_rotation_vector, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_to_rotation_vector, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_from_matrix, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_to_matrix, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_from_euler, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_to_euler, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_product, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_inverse, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_slerp, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_angle, module)?)
}
