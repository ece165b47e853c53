//! Points fixed to the bodies of an ensemble: spheres of clumps, atoms of rigid molecules.

use crate::arrays::{Input, whole_numbers};
use crate::bound_arrays::bound;
use crate::ensemble::{Ensemble, Inner};
use crate::errors::Outcome;
use crate::new_arrays::NewArray;
use pyo3::prelude::*;
use quatint::ViewMut;

/// The body of each point.
fn bodies_of(py: Python<'_>, given: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    let bodies: Vec<i64> = whole_numbers(py, given, "bodies", "integers")?;
    // the library refuses the greatest number, which no body has
    let index_of = |body: i64| usize::try_from(body).unwrap_or(usize::MAX);
    Ok(bodies.into_iter().map(index_of).collect())
}

/// Three numbers for each point or for each body, in a new array or in one of the caller.
struct Output<'py> {
    array: Bound<'py, PyAny>,
    view: ViewMut<'static, 3>,
}

impl<'py> Output<'py> {
    fn new(
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        count: usize,
        name: &'static str,
    ) -> PyResult<Self> {
        let array = match out {
            Some(out) => out.clone(),
            None => NewArray::zeros(py, &[count, 3])?.writeable(),
        };
        let view = bound(&array, count, name)?;
        Ok(Output { array, view })
    }
}

impl Inner {
    fn point_count(&self, py: Python<'_>) -> PyResult<usize> {
        self.ensemble.point_count().raise(py)
    }
}

#[pymethods]
impl Ensemble {
    /// Fix points to the bodies, such as the spheres of clumps or the atoms of rigid molecules, in
    /// place of those before. They do not change the inertia.
    ///
    /// bodies: the body of each point, ascending integers (m,); a body may have any number of
    /// points, or none. arms: (m, 3), the points from the centre of mass, in the body frame; (3,)
    /// for all. Both are copied. resize and select drop the points; copies and pickles have none.
    fn set_points(
        &self,
        py: Python<'_>,
        bodies: &Bound<'_, PyAny>,
        arms: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let bodies = bodies_of(py, bodies)?;
        let arms = Input::<3>::new(py, arms, "arms")?;
        let mut inner = self.lock(py)?;
        inner
            .ensemble
            .set_points(&bodies, arms.view(py, bodies.len())?)
            .raise(py)
    }

    /// The positions of the points, world frame: (m, 3). centres: of mass of the bodies, (n, 3);
    /// None: zeros, which give the arms in the world frame. out: an array of float64 that receives
    /// them and is returned; None: a new one.
    #[pyo3(signature = (centres=None, *, out=None))]
    fn point_positions<'py>(
        &self,
        py: Python<'py>,
        centres: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let centres = Input::or_none(py, centres, "centres")?;
        let mut inner = self.lock(py)?;
        let Output { array, view } = Output::new(py, out, inner.point_count(py)?, "out")?;
        let count = inner.ensemble.count();
        let centres = Input::view_or_none(&centres, py, count)?;
        inner
            .released(py, 1, |e| e.point_positions(centres, view))
            .raise(py)?;
        Ok(array)
    }

    /// The velocities of the points, world frame: (m, 3). centre_velocities: of the centres of mass
    /// of the bodies, (n, 3); None: zeros. predicted: by the angular velocities in the array of
    /// bind_predicted_velocities, for forces that depend on the velocity. out: as in
    /// point_positions.
    #[pyo3(signature = (centre_velocities=None, *, predicted=false, out=None))]
    fn point_velocities<'py>(
        &self,
        py: Python<'py>,
        centre_velocities: Option<&Bound<'py, PyAny>>,
        predicted: bool,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let velocities = Input::or_none(py, centre_velocities, "centre_velocities")?;
        let mut inner = self.lock(py)?;
        let Output { array, view } = Output::new(py, out, inner.point_count(py)?, "out")?;
        let count = inner.ensemble.count();
        let velocities = Input::view_or_none(&velocities, py, count)?;
        inner
            .released(py, 1, |e| e.point_velocities(predicted, velocities, view))
            .raise(py)?;
        Ok(array)
    }

    /// Sum the forces on the points of each body, and their torques about its centre of mass, world
    /// frame, in the order of the points: (forces, torques), each (n, 3). Bodies without points get
    /// zeros. The torques are for kick and stages.
    ///
    /// forces: (m, 3), on each point; (3,) on all. out_forces, out_torques: arrays of float64 that
    /// receive the sums and are returned; None: new ones.
    #[pyo3(signature = (forces, *, out_forces=None, out_torques=None))]
    fn sum_point_forces<'py>(
        &self,
        py: Python<'py>,
        forces: &Bound<'py, PyAny>,
        out_forces: Option<&Bound<'py, PyAny>>,
        out_torques: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let forces = Input::<3>::new(py, forces, "forces")?;
        let mut inner = self.lock(py)?;
        let forces = forces.view(py, inner.point_count(py)?)?;
        let count = inner.ensemble.count();
        let sums = Output::new(py, out_forces, count, "out_forces")?;
        let torques = Output::new(py, out_torques, count, "out_torques")?;
        let views = (sums.view, torques.view);
        inner
            .released(py, 1, |e| {
                e.sum_point_forces(forces, Some(views.0), Some(views.1))
            })
            .raise(py)?;
        Ok((sums.array, torques.array))
    }
}
