//! Mass, centre of mass and inertia of assemblies, and principal axes.

use crate::arrays::{Input, float_array, vector, wrong_shape};
use crate::errors::{Outcome, exclusive};
use crate::inertia::Given;
use crate::new_arrays::NewArray;
use crate::rotation::unit_orientation_of;
use crate::torques::result;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use numpy::PyUntypedArrayMethods;
use pyo3::prelude::*;
use quatint::rotation::components;
use std::sync::{Mutex, MutexGuard};

/// Mass, centre of mass and inertia of an assembly, as a sum over its parts.
///
/// Mass() is the sum of no parts. The methods add_... add a part each, in any order. All positions
/// are in the same axes, those of the assembly, whose origin may be anywhere. An
/// orientation leads from the axes of the part to those of the assembly. A part with a negative
/// mass is a hole. ``a + b`` is the sum of the parts of both. ``numbers`` are 20 numbers that may
/// be added element by element, for example by MPI; ``Mass(numbers)`` takes them back.
#[pyclass(frozen, module = "quatint")]
pub(crate) struct Mass(Mutex<quatint::Mass>);

impl Mass {
    fn of(sum: quatint::Mass) -> Self {
        Mass(Mutex::new(sum))
    }

    fn lock<'a>(&'a self, py: Python<'_>) -> PyResult<MutexGuard<'a, quatint::Mass>> {
        exclusive(py, &self.0, "assembly")
    }

    /// Adds a part that has a position and an orientation.
    fn add_placed(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        orientation: Option<&Bound<'_, PyAny>>,
        add: impl FnOnce(
            &mut quatint::Mass,
            Vector3<f64>,
            UnitQuaternion<f64>,
        ) -> Result<(), quatint::Error>,
    ) -> PyResult<()> {
        let position = point(py, position, "position")?;
        let orientation = turn(py, orientation)?;
        add(&mut *self.lock(py)?, position, orientation).raise(py)
    }
}

fn point(py: Python<'_>, given: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Vector3<f64>> {
    Ok(vector::<3>(py, given, name)?.into())
}

/// The orientation of a part; `None`: along the axes of the assembly.
fn turn(py: Python<'_>, given: Option<&Bound<'_, PyAny>>) -> PyResult<UnitQuaternion<f64>> {
    match given {
        Some(given) => unit_orientation_of(py, given),
        None => Ok(UnitQuaternion::identity()),
    }
}

#[pymethods]
impl Mass {
    #[new]
    #[pyo3(signature = (numbers=None))]
    fn new(py: Python<'_>, numbers: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let numbers = match numbers {
            Some(numbers) => vector(py, numbers, "numbers")?,
            None => [0.0; quatint::Mass::SIZE],
        };
        let sum = quatint::Mass::from_numbers(numbers).raise(py)?;
        Ok(Mass::of(sum))
    }

    /// The mass, and the integrals of x, y, z, xx, yy, zz, xy, xz and yz over it, each to 30 bits,
    /// and then what is left of each: (20,).
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let numbers = self.lock(py)?.numbers();
        NewArray::of(py, &numbers, &[numbers.len()]).map(NewArray::read_only)
    }

    /// add_point(mass, position): adds a point.
    fn add_point(&self, py: Python<'_>, mass: f64, position: &Bound<'_, PyAny>) -> PyResult<()> {
        let position = point(py, position, "position")?;
        self.lock(py)?.add_point(mass, position).raise(py)
    }

    /// add_sphere(mass, radius, position): adds a solid sphere with this centre.
    fn add_sphere(
        &self,
        py: Python<'_>,
        mass: f64,
        radius: f64,
        position: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let position = point(py, position, "position")?;
        self.lock(py)?.add_sphere(mass, radius, position).raise(py)
    }

    /// add_ellipsoid(mass, semi_axes, position, orientation=None): adds a solid ellipsoid with this
    /// centre. None: along the axes of the assembly.
    #[pyo3(signature = (mass, semi_axes, position, orientation=None))]
    fn add_ellipsoid(
        &self,
        py: Python<'_>,
        mass: f64,
        semi_axes: &Bound<'_, PyAny>,
        position: &Bound<'_, PyAny>,
        orientation: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let semi_axes = point(py, semi_axes, "semi_axes")?;
        let position = point(py, position, "position")?;
        let orientation = turn(py, orientation)?;
        self.lock(py)?
            .add_ellipsoid(mass, semi_axes, position, orientation)
            .raise(py)
    }

    /// add_box(mass, edges, position, orientation=None): adds a solid box with this centre. None:
    /// along the axes of the assembly.
    #[pyo3(signature = (mass, edges, position, orientation=None))]
    fn add_box(
        &self,
        py: Python<'_>,
        mass: f64,
        edges: &Bound<'_, PyAny>,
        position: &Bound<'_, PyAny>,
        orientation: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let edges = point(py, edges, "edges")?;
        let position = point(py, position, "position")?;
        let orientation = turn(py, orientation)?;
        self.lock(py)?
            .add_box(mass, edges, position, orientation)
            .raise(py)
    }

    /// add_cylinder(mass, radius, length, position, orientation=None): adds a solid cylinder along
    /// its z axis, with this centre. None: along the axes of the assembly.
    #[pyo3(signature = (mass, radius, length, position, orientation=None))]
    fn add_cylinder(
        &self,
        py: Python<'_>,
        mass: f64,
        radius: f64,
        length: f64,
        position: &Bound<'_, PyAny>,
        orientation: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.add_placed(py, position, orientation, |sum, at, turned| {
            sum.add_cylinder(mass, radius, length, at, turned)
        })
    }

    /// add_capsule(mass, radius, length, position, orientation=None): adds a solid capsule, a cylinder
    /// of this length along its z axis with half a sphere on each end. position: its centre.
    #[pyo3(signature = (mass, radius, length, position, orientation=None))]
    fn add_capsule(
        &self,
        py: Python<'_>,
        mass: f64,
        radius: f64,
        length: f64,
        position: &Bound<'_, PyAny>,
        orientation: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.add_placed(py, position, orientation, |sum, at, turned| {
            sum.add_capsule(mass, radius, length, at, turned)
        })
    }

    /// add_hemisphere(mass, radius, position, orientation=None): adds half of a solid sphere, above its
    /// flat face. position: the centre of that face.
    #[pyo3(signature = (mass, radius, position, orientation=None))]
    fn add_hemisphere(
        &self,
        py: Python<'_>,
        mass: f64,
        radius: f64,
        position: &Bound<'_, PyAny>,
        orientation: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.add_placed(py, position, orientation, |sum, at, turned| {
            sum.add_hemisphere(mass, radius, at, turned)
        })
    }

    /// add_cone(mass, radius, height, position, orientation=None): adds a solid cone along its z axis.
    /// position: the centre of its base.
    #[pyo3(signature = (mass, radius, height, position, orientation=None))]
    fn add_cone(
        &self,
        py: Python<'_>,
        mass: f64,
        radius: f64,
        height: f64,
        position: &Bound<'_, PyAny>,
        orientation: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.add_placed(py, position, orientation, |sum, at, turned| {
            sum.add_cone(mass, radius, height, at, turned)
        })
    }

    /// add_mesh(density, corners): adds the solid inside of a closed surface of triangles, (n, 3,
    /// 3): triangle, corner, x y z. Counterclockwise as seen from outside; the triangles of hollows
    /// as seen from within them.
    fn add_mesh(&self, py: Python<'_>, density: f64, corners: &Bound<'_, PyAny>) -> PyResult<()> {
        let triangles = triangles_of(py, corners)?;
        self.lock(py)?.add_mesh(density, &triangles).raise(py)
    }

    /// add_inertia(mass, inertia, position, orientation=None): adds a part whose inertia, three
    /// moments or a tensor, is known about its own centre of mass and along its own axes. To take a
    /// part away, give the negative of its mass and of its inertia.
    #[pyo3(signature = (mass, inertia, position, orientation=None))]
    fn add_inertia(
        &self,
        py: Python<'_>,
        mass: f64,
        inertia: &Bound<'_, PyAny>,
        position: &Bound<'_, PyAny>,
        orientation: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let inertia = Matrix3::from_row_slice(&Given::of(py, inertia)?.tensor());
        let position = point(py, position, "position")?;
        let orientation = turn(py, orientation)?;
        self.lock(py)?
            .add_inertia(mass, &inertia, position, orientation)
            .raise(py)
    }

    /// properties(): the mass, the centre of mass in the axes of the assembly, and the inertia
    /// about it along these axes, the tensor that Body takes: MassProperties(mass, centre,
    /// inertia).
    fn properties<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let properties = self.lock(py)?.properties().raise(py)?;
        let centre = NewArray::of(py, properties.centre.as_slice(), &[3])?.writeable();
        let inertia = NewArray::of(py, properties.inertia.as_slice(), &[3, 3])?.writeable();
        result(py, "MassProperties", (properties.mass, centre, inertia))
    }

    /// inertia_about(point): the inertia about any point, along the axes of the assembly, (3, 3).
    fn inertia_about<'py>(
        &self,
        py: Python<'py>,
        point: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let point = vector::<3>(py, point, "point")?.into();
        let inertia = self.lock(py)?.inertia_about(point).raise(py)?;
        Ok(NewArray::of(py, inertia.as_slice(), &[3, 3])?.writeable())
    }

    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<Mass>() else {
            return Ok(py.NotImplemented());
        };
        let mut sum = *self.lock(py)?;
        let other = *other.get().lock(py)?;
        sum.add(&other).raise(py)?;
        Ok(Bound::new(py, Mass::of(sum))?.into_any().unbind())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (py.get_type::<Mass>(), (self.numbers(py)?,))
            .into_pyobject(py)
            .map(Bound::into_any)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let numbers = self.lock(py)?.numbers();
        Ok(format!("Mass(of {:?})", numbers[0] + numbers[10]))
    }
}

fn triangles_of(py: Python<'_>, corners: &Bound<'_, PyAny>) -> PyResult<Vec<[f64; 9]>> {
    let array = float_array(py, corners, "corners")?;
    let &[count, 3, 3] = array.shape() else {
        return Err(wrong_shape("corners", "(n, 3, 3)", array.shape()));
    };
    let rows = array.call_method1("reshape", (count, 9))?;
    let rows = Input::<9>::new(py, &rows, "corners")?;
    let view = rows.view(py, count)?;
    Ok((0..count).map(|n| view.get(n)).collect())
}

/// principal_axes(inertia): the principal moments of three moments or a tensor (3, 3), and the
/// rotation from the principal axes to the body axes: PrincipalAxes(moments, orientation).
#[pyfunction]
pub(crate) fn principal_axes<'py>(
    py: Python<'py>,
    inertia: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let inertia = Given::of(py, inertia)?.inertia(py)?;
    let moments = NewArray::of(py, inertia.principal_moments().as_slice(), &[3])?.writeable();
    let q = components(inertia.principal_to_body());
    let orientation = NewArray::of(py, &q, &[4])?.writeable();
    result(py, "PrincipalAxes", (moments, orientation))
}
