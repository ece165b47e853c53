//! Orientations: conversions for one or for many, in the arithmetic of the library.

use crate::arrays::{Input, float_array, shape_of, together, vector};
use crate::errors::{Outcome, refused};
use crate::new_arrays::mapped;
use numpy::PyUntypedArrayMethods;
use pyo3::exceptions::{PyDeprecationWarning, PyTypeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use quatint::kernel::{Quat, Vec3};
use quatint::nalgebra::{Matrix3, UnitQuaternion};
use quatint::rotation::{
    self, EulerSequence, checked, components, orientation_of as turn_of, rows_of,
};
use quatint::{Error, View};

/// The numbers of an argument that may be a `scipy.spatial.transform.Rotation`, which has the
/// scalar last.
pub(crate) fn numbers_of<'py>(
    py: Python<'py>,
    orientation: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    if !orientation.hasattr("as_quat")? {
        return Ok(orientation.clone());
    }
    rolled(py, &orientation.call_method0("as_quat")?, 1)
}

/// One orientation.
pub(crate) fn orientation_of(py: Python<'_>, orientation: &Bound<'_, PyAny>) -> PyResult<[f64; 4]> {
    vector(py, &numbers_of(py, orientation)?, "orientation")
}

/// One orientation of unit length.
pub(crate) fn unit_orientation_of(
    py: Python<'_>,
    orientation: &Bound<'_, PyAny>,
) -> PyResult<UnitQuaternion<f64>> {
    turn(orientation_of(py, orientation)?).raise(py)
}

/// Whether quaternions have the scalar first, by an argument `scalar_first`, or by its older name
/// `scalar_last`, which is warned of. `None`: neither says.
pub(crate) fn is_scalar_first(
    py: Python<'_>,
    scalar_first: Option<bool>,
    scalar_last: Option<bool>,
) -> PyResult<Option<bool>> {
    let Some(scalar_last) = scalar_last else {
        return Ok(scalar_first);
    };
    if scalar_first.is_some() {
        let message = "`scalar_first` and `scalar_last` say the same: give `scalar_first` alone";
        return Err(refused(py, message));
    }
    let message =
        c"`scalar_last` is deprecated: write scalar_first=False for scalar_last=True, as in scipy";
    PyErr::warn(py, &py.get_type::<PyDeprecationWarning>(), message, 1)?;
    Ok(Some(!scalar_last))
}

/// Orientations for a new object. `scalar_first`: whether they are (w, x, y, z); not said: yes, but
/// (0, 0, 0, 1) alone, half a turn about z and the identity in the other order, is warned of.
pub(crate) fn given_orientations<'py>(
    py: Python<'py>,
    given: &Bound<'py, PyAny>,
    scalar_first: Option<bool>,
    name: &str,
) -> PyResult<Bound<'py, PyAny>> {
    if given.hasattr("as_quat")? {
        return numbers_of(py, given); // a Rotation knows its order
    }
    let array = float_array(py, given, name)?;
    if scalar_first == Some(false) && !array.shape().is_empty() {
        return rolled(py, &array, 1);
    }
    if scalar_first.is_none() && array.shape().last() == Some(&4) {
        let is_last = array.call_method1("__eq__", ([0.0, 0.0, 0.0, 1.0].into_pyobject(py)?,))?;
        if is_last.call_method0("all")?.is_truthy()? && array.getattr("size")?.is_truthy()? {
            let category = py.get_type::<PyUserWarning>();
            PyErr::warn(py, &category, ORDER, 1)?;
        }
    }
    Ok(array.into_any())
}

const ORDER: &std::ffi::CStr = c"the orientation (0, 0, 0, 1) is half a turn about z: quaternions are (w, x, y, z). \
For (x, y, z, w), as in scipy and ROS, give scalar_first=False; if half a turn is meant, scalar_first=True";

/// Rows with the last number first (1), or the first one last (-1).
fn rolled<'py>(py: Python<'py>, rows: &Bound<'py, PyAny>, by: i32) -> PyResult<Bound<'py, PyAny>> {
    let options = PyDict::new(py);
    options.set_item("axis", -1)?;
    py.import("numpy")?
        .call_method("roll", (rows, by), Some(&options))
}

/// A Rotation of scipy, from an array with the scalar first.
pub(crate) fn scipy_rotation<'py>(
    py: Python<'py>,
    orientations: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let scalar_last = rolled(py, orientations, -1)?;
    py.import("scipy.spatial.transform")?
        .getattr("Rotation")?
        .call_method1("from_quat", (scalar_last,))
}

/// Applies `f` to each row of an argument: `(K,)` to `(L,)`, `(n, K)` to `(n, L)`.
fn each<'py, const K: usize, const L: usize>(
    py: Python<'py>,
    given: &Bound<'py, PyAny>,
    name: &'static str,
    f: &dyn Fn([f64; K]) -> Result<[f64; L], Error>,
) -> PyResult<Bound<'py, PyAny>> {
    pairs::<K, 0, L>(py, given, name, None, &|a, _| f(a))
}

/// Applies `f` to the rows of two arguments, which broadcast.
fn pairs<'py, const K: usize, const M: usize, const L: usize>(
    py: Python<'py>,
    first: &Bound<'py, PyAny>,
    name: &'static str,
    second: Option<(&Bound<'py, PyAny>, &'static str)>,
    f: &dyn Fn([f64; K], [f64; M]) -> Result<[f64; L], Error>,
) -> PyResult<Bound<'py, PyAny>> {
    let a = Input::<K>::new(py, &numbers_of(py, first)?, name)?;
    let b = match second {
        Some((object, name)) => Some(Input::<M>::new(py, &numbers_of(py, object)?, name)?),
        None => None,
    };
    let count = together(a.count(), b.as_ref().and_then(Input::count));
    let n = count.unwrap_or(1);
    let a: View<K> = a.view(py, n)?;
    let b: Option<View<M>> = Input::view_or_none(&b, py, n)?;
    mapped(py, count, L, &mut |i, to| {
        to.copy_from_slice(&f(a.get(i), b.map_or([0.0; M], |b| b.get(i)))?);
        Ok(())
    })
}

fn unit(q: [f64; 4]) -> Result<Quat<f64>, Error> {
    checked("orientation", q)
}

fn turn(q: [f64; 4]) -> Result<UnitQuaternion<f64>, Error> {
    unit(q).map(turn_of)
}

/// rotate(orientation, vector_body): the vector in the world frame. (4,) or (n, 4) with (3,) or (n,
/// 3).
#[pyfunction]
fn rotate<'py>(
    py: Python<'py>,
    orientation: &Bound<'py, PyAny>,
    vector: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    pairs(
        py,
        orientation,
        "orientation",
        Some((vector, "vector")),
        &|q, v| Ok(unit(q)?.to_world(Vec3(finite(v)?)).0),
    )
}

/// rotate_inverse(orientation, vector_world): the vector in the body frame.
#[pyfunction]
fn rotate_inverse<'py>(
    py: Python<'py>,
    orientation: &Bound<'py, PyAny>,
    vector: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    pairs(
        py,
        orientation,
        "orientation",
        Some((vector, "vector")),
        &|q, v| Ok(unit(q)?.to_body(Vec3(finite(v)?)).0),
    )
}

/// Angles of a caller, in radians. `degrees`: whether they are given in degrees.
fn radians<const K: usize>(angles: [f64; K], degrees: bool) -> [f64; K] {
    if degrees {
        angles.map(f64::to_radians)
    } else {
        angles
    }
}

/// Angles for a caller.
fn for_caller<const K: usize>(angles: [f64; K], degrees: bool) -> [f64; K] {
    if degrees {
        angles.map(f64::to_degrees)
    } else {
        angles
    }
}

/// orientation_from_axis_angle(axis, angle, *, degrees=False): rotation by an angle about an axis
/// of any length but 0.
#[pyfunction]
#[pyo3(signature = (axis, angle, *, degrees=false))]
fn orientation_from_axis_angle<'py>(
    py: Python<'py>,
    axis: &Bound<'py, PyAny>,
    angle: &Bound<'py, PyAny>,
    degrees: bool,
) -> PyResult<Bound<'py, PyAny>> {
    pairs(py, axis, "axis", Some((angle, "angle")), &|v, angle| {
        let [angle] = radians(angle, degrees);
        Ok(components(rotation::from_axis_angle(v.into(), angle)?))
    })
}

/// orientation_to_axis_angle(orientation, *, degrees=False): unit axis, and angle in [0, pi]. The
/// axis of the identity is x.
#[pyfunction]
#[pyo3(signature = (orientation, *, degrees=false))]
fn orientation_to_axis_angle<'py>(
    py: Python<'py>,
    orientation: &Bound<'py, PyAny>,
    degrees: bool,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let axis = each(py, orientation, "orientation", &|q| {
        Ok(rotation::to_axis_angle(turn(q)?).0.into())
    })?;
    let angle = each(py, orientation, "orientation", &|q| {
        Ok(for_caller([rotation::to_axis_angle(turn(q)?).1], degrees))
    })?;
    Ok((axis, angle))
}

/// orientation_from_rotation_vector(vector, *, degrees=False): rotation by |vector| about the
/// vector.
#[pyfunction]
#[pyo3(signature = (vector, *, degrees=false))]
fn orientation_from_rotation_vector<'py>(
    py: Python<'py>,
    vector: &Bound<'py, PyAny>,
    degrees: bool,
) -> PyResult<Bound<'py, PyAny>> {
    each(py, vector, "vector", &|v| {
        let vector = radians(v, degrees).into();
        Ok(components(rotation::from_rotation_vector(vector)?))
    })
}

/// orientation_to_rotation_vector(orientation, *, degrees=False): the shortest rotation vector, of
/// length at most pi.
#[pyfunction]
#[pyo3(signature = (orientation, *, degrees=false))]
fn orientation_to_rotation_vector<'py>(
    py: Python<'py>,
    orientation: &Bound<'py, PyAny>,
    degrees: bool,
) -> PyResult<Bound<'py, PyAny>> {
    each(py, orientation, "orientation", &|q| {
        Ok(for_caller(
            rotation::to_rotation_vector(turn(q)?).into(),
            degrees,
        ))
    })
}

/// orientation_exp(vector): the exponential (cos |v|, v / |v| sin |v|) of the quaternion (0, v). It
/// rotates by 2 |v| about v.
#[pyfunction]
fn orientation_exp<'py>(
    py: Python<'py>,
    vector: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    each(py, vector, "vector", &|v| {
        let vector = v.map(|x| 2.0 * x).into();
        Ok(components(rotation::from_rotation_vector(vector)?))
    })
}

/// orientation_log(orientation): the vector v of length at most pi for which orientation_exp(v) is
/// this quaternion, with its sign. It is half the rotation vector if w is not negative.
#[pyfunction]
fn orientation_log<'py>(
    py: Python<'py>,
    orientation: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    each(py, orientation, "orientation", &|q| {
        let q = turn(q)?;
        // the axis of q or of -q, with an angle of at most pi
        let [w, x, y, z] = components(q);
        let (axis, angle) = rotation::to_axis_angle(q);
        let axis = Vec3(axis.into());
        let along = axis.dot(Vec3([x, y, z]));
        let is_opposite = along < 0.0 || (along == 0.0 && w < 0.0);
        Ok((axis
            * if is_opposite {
                0.5 * angle - std::f64::consts::PI
            } else {
                0.5 * angle
            })
        .0)
    })
}

/// orientation_power(orientation, exponent): the rotation by exponent times the shortest angle,
/// about the same axis. exponent: one number, or (n,); -1 is the inverse, 0.5 half the rotation.
#[pyfunction]
fn orientation_power<'py>(
    py: Python<'py>,
    orientation: &Bound<'py, PyAny>,
    exponent: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    pairs(
        py,
        orientation,
        "orientation",
        Some((exponent, "exponent")),
        &|q, [exponent]| {
            let (axis, angle) = rotation::to_axis_angle(turn(q)?);
            if !exponent.is_finite() {
                return Err(Error::NotFinite {
                    name: "exponent",
                    index: None,
                    value: exponent,
                });
            }
            Ok(components(rotation::from_axis_angle(
                axis,
                exponent * angle,
            )?))
        },
    )
}

/// orientation_from_matrix(matrix): from rotation matrices (3, 3) or (n, 3, 3), v_world = R v_body.
#[pyfunction]
fn orientation_from_matrix<'py>(
    py: Python<'py>,
    matrix: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    each(
        py,
        &flattened(py, matrix, "matrix")?,
        "matrix",
        &|rows: [f64; 9]| {
            let matrix = Matrix3::from_row_slice(&rows);
            Ok(components(rotation::from_matrix(&matrix)?))
        },
    )
}

/// orientation_to_matrix(orientation): the rotation matrices, (3, 3) or (n, 3, 3).
#[pyfunction]
fn orientation_to_matrix<'py>(
    py: Python<'py>,
    orientation: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let rows = each(py, orientation, "orientation", &|q| {
        Ok(rows_of(&rotation::to_matrix(turn(q)?)))
    })?;
    match shape_of(&rows).as_slice() {
        &[n, _] => rows.call_method1("reshape", (n, 3, 3)),
        _ => rows.call_method1("reshape", (3, 3)),
    }
}

/// The sequence of axes of a function of Euler angles, which is called as `call` says.
fn sequence_of(
    py: Python<'_>,
    sequence: &Bound<'_, PyAny>,
    call: &str,
    next: &Bound<'_, PyAny>,
) -> PyResult<EulerSequence> {
    if let Ok(letters) = sequence.cast::<PyString>() {
        return EulerSequence::parse(letters.to_string_lossy().as_bytes()).raise(py);
    }
    let are_swapped = next.is_instance_of::<PyString>();
    let class = sequence.get_type().name()?;
    let why = if are_swapped {
        format!("the arguments are swapped: write {call}, with {next:?} first")
    } else {
        format!("`sequence` must be a string, such as \"ZXZ\", not {class}: write {call}")
    };
    Err(PyTypeError::new_err(why))
}

/// orientation_from_euler(sequence, angles, *, degrees=False): after three rotations; "xyz" about
/// fixed axes, "ZXZ" about body axes, as in scipy.
#[pyfunction]
#[pyo3(signature = (sequence, angles, *, degrees=false))]
fn orientation_from_euler<'py>(
    py: Python<'py>,
    sequence: &Bound<'py, PyAny>,
    angles: &Bound<'py, PyAny>,
    degrees: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let call = "orientation_from_euler(sequence, angles)";
    let sequence = sequence_of(py, sequence, call, angles)?;
    each(py, angles, "angles", &|angles| {
        Ok(components(
            sequence.to_orientation(radians(angles, degrees))?,
        ))
    })
}

/// orientation_to_euler(sequence, orientation, *, degrees=False): the three angles. In gimbal lock
/// the third is 0.
#[pyfunction]
#[pyo3(signature = (sequence, orientation, *, degrees=false))]
fn orientation_to_euler<'py>(
    py: Python<'py>,
    sequence: &Bound<'py, PyAny>,
    orientation: &Bound<'py, PyAny>,
    degrees: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let call = "orientation_to_euler(sequence, orientation)";
    let sequence = sequence_of(py, sequence, call, orientation)?;
    each(py, orientation, "orientation", &|q| {
        Ok(for_caller(sequence.angles_of(turn(q)?), degrees))
    })
}

/// angular_velocity_from_euler_rates(sequence, angles, rates, *, degrees=False): the angular
/// velocity, world frame, of a body whose Euler angles change at these rates. degrees: of angles,
/// rates and result.
#[pyfunction]
#[pyo3(signature = (sequence, angles, rates, *, degrees=false))]
fn angular_velocity_from_euler_rates<'py>(
    py: Python<'py>,
    sequence: &Bound<'py, PyAny>,
    angles: &Bound<'py, PyAny>,
    rates: &Bound<'py, PyAny>,
    degrees: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let call = "angular_velocity_from_euler_rates(sequence, angles, rates)";
    let sequence = sequence_of(py, sequence, call, angles)?;
    let rates = Some((rates, "rates"));
    pairs(py, angles, "angles", rates, &|angles, rates| {
        let omega =
            sequence.to_angular_velocity(radians(angles, degrees), radians(rates, degrees))?;
        Ok(for_caller(omega.into(), degrees))
    })
}

/// angular_velocity_to_euler_rates(sequence, angles, angular_velocity, *, degrees=False): the rates
/// of the Euler angles of a body with this angular velocity, world frame. At gimbal lock there are
/// none.
#[pyfunction]
#[pyo3(signature = (sequence, angles, angular_velocity, *, degrees=false))]
fn angular_velocity_to_euler_rates<'py>(
    py: Python<'py>,
    sequence: &Bound<'py, PyAny>,
    angles: &Bound<'py, PyAny>,
    angular_velocity: &Bound<'py, PyAny>,
    degrees: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let call = "angular_velocity_to_euler_rates(sequence, angles, angular_velocity)";
    let sequence = sequence_of(py, sequence, call, angles)?;
    let omega = Some((angular_velocity, "angular_velocity"));
    pairs(py, angles, "angles", omega, &|angles, omega| {
        let rates = sequence.rates_of(radians(angles, degrees), radians(omega, degrees).into())?;
        Ok(for_caller(rates, degrees))
    })
}

/// orientation_from_mrp(parameters): from modified Rodrigues parameters, tan(angle / 4) times the
/// axis, of any length.
#[pyfunction]
fn orientation_from_mrp<'py>(
    py: Python<'py>,
    parameters: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    each(py, parameters, "parameters", &|parameters| {
        Ok(components(rotation::from_mrp(parameters.into())?))
    })
}

/// orientation_to_mrp(orientation): the modified Rodrigues parameters of at most unit length.
#[pyfunction]
fn orientation_to_mrp<'py>(
    py: Python<'py>,
    orientation: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    each(py, orientation, "orientation", &|q| {
        Ok(rotation::to_mrp(turn(q)?).into())
    })
}

/// orientation_product(a, b): the rotation b, then a.
#[pyfunction]
fn orientation_product<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    pairs(py, a, "a", Some((b, "b")), &|a, b| {
        Ok((unit(a)? * unit(b)?).renormalised().0)
    })
}

/// orientation_inverse(orientation): world to body.
#[pyfunction]
fn orientation_inverse<'py>(
    py: Python<'py>,
    orientation: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    each(py, orientation, "orientation", &|q| {
        Ok(unit(q)?.conjugate().0)
    })
}

/// orientation_slerp(a, b, t): from a at t = 0 to b at t = 1, along the shortest great arc.
#[pyfunction]
fn orientation_slerp<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    t: f64,
) -> PyResult<Bound<'py, PyAny>> {
    pairs(py, a, "a", Some((b, "b")), &|a, b| {
        Ok(components(rotation::slerp(turn(a)?, turn(b)?, t)?))
    })
}

/// orientation_angle(a, b, *, degrees=False): the angle of the rotation between two orientations,
/// in [0, pi].
#[pyfunction]
#[pyo3(signature = (a, b, *, degrees=false))]
fn orientation_angle<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    degrees: bool,
) -> PyResult<Bound<'py, PyAny>> {
    pairs(py, a, "a", Some((b, "b")), &|a, b| {
        Ok(for_caller(
            [rotation::angle_between(turn(a)?, turn(b)?)],
            degrees,
        ))
    })
}

fn finite(v: [f64; 3]) -> Result<[f64; 3], Error> {
    match v.iter().position(|x| !x.is_finite()) {
        None => Ok(v),
        Some(index) => Err(Error::NotFinite {
            name: "vector",
            index: Some(index),
            value: v[index],
        }),
    }
}

/// Matrices as rows of 9 numbers.
fn flattened<'py>(
    py: Python<'py>,
    matrices: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let array = float_array(py, matrices, name)?;
    match array.shape() {
        [3, 3] => array.call_method1("reshape", (9,)),
        &[n, 3, 3] => array.call_method1("reshape", (n, 9)),
        _ => Ok(array.into_any()), // refused by its shape
    }
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(rotate, module)?)?;
    module.add_function(wrap_pyfunction!(rotate_inverse, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_from_axis_angle, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_to_axis_angle, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_from_rotation_vector, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_to_rotation_vector, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_exp, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_log, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_power, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_from_matrix, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_to_matrix, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_from_euler, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_to_euler, module)?)?;
    module.add_function(wrap_pyfunction!(angular_velocity_from_euler_rates, module)?)?;
    module.add_function(wrap_pyfunction!(angular_velocity_to_euler_rates, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_from_mrp, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_to_mrp, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_product, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_inverse, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_slerp, module)?)?;
    module.add_function(wrap_pyfunction!(orientation_angle, module)?)
}
