//! The torque of a ready-made torque at a state: for functions that add something to it.

use crate::arrays::{Input, together};
use crate::errors::refused;
use crate::inertia::Given;
use crate::new_arrays::mapped;
use crate::rotation::numbers_of;
use crate::torques::{Sum, Term, is_a, terms};
use pyo3::prelude::*;
use quatint::Torque;
use quatint::kernel::{PrincipalInertia, State, TorqueState, Vec3};
use quatint::rotation::{checked, components};

/// torque_at(torque, orientation, angular_velocity, inertia=None): the torque in the world frame,
/// at one state or at many.
#[pyfunction]
#[pyo3(signature = (torque, orientation, angular_velocity, inertia=None))]
pub(crate) fn torque_at<'py>(
    py: Python<'py>,
    torque: &Bound<'py, PyAny>,
    orientation: &Bound<'py, PyAny>,
    angular_velocity: &Bound<'py, PyAny>,
    inertia: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut sum = Sum(Vec::new());
    for term in terms(torque)? {
        if inertia.is_none() && is_a(&term, "GravityGradient")? {
            return Err(refused(
                py,
                "the gravity gradient needs `inertia`: 3 moments or a 3x3 tensor",
            ));
        }
        sum.0.push(Term::new(&term)?);
    }
    let inertia = match inertia {
        None => PrincipalInertia::new(Vec3([1.0; 3]), None), // is not asked
        Some(inertia) => {
            let inertia = Given::of(py, inertia)?.inertia(py)?;
            let [w, x, y, z] = components(inertia.principal_to_body());
            let turn = Some(quatint::kernel::Quat([w, x, y, z]))
                .filter(|turn| turn.0 != [1.0, 0.0, 0.0, 0.0]);
            PrincipalInertia::new(Vec3(inertia.principal_moments().into()), turn)
        }
    };
    let q = Input::<4>::new(py, &numbers_of(py, orientation)?, "orientation")?;
    let omega = Input::<3>::new(py, angular_velocity, "angular_velocity")?;
    let count = together(q.count(), omega.count());
    let n = count.unwrap_or(1);
    let q = q.view(py, n)?;
    let omega = omega.view(py, n)?;
    mapped(py, count, 3, &mut |i, to| {
        let q = checked("orientation", q.get(i))?;
        let here = TorqueState::at(&State {
            q,
            omega_body: q.to_body(Vec3(omega.get(i))),
        });
        let Ok(torque_body) = sum.torque_body(0.0, &here, &inertia);
        to.copy_from_slice(&here.to_world.rotate(torque_body).0);
        Ok(())
    })
}
