//! States of ensembles: set, get and bind to arrays of the caller.

use super::check::{boundary, output, view, view_mut};
use super::choices::{kind_of, ordered};
use super::failure::qi_status;
use super::objects::{change, qi_ensemble, shared};
use crate::Ensemble;
use crate::error::Failure;
use crate::memory::ViewMut;
use libc::ptrdiff_t;

/// Set the inertias. The angular velocities do not change. With bound angular momenta, the momenta stay and the velocities
/// change.
/// @param inertia      9 doubles a body, packed, at `inertia[i * body_stride]` for body i
/// @param body_stride  doubles from body to body; 0: one tensor for all
/// @return QI_OK, or QI_ERR_INERTIA, QI_ERR_NON_FINITE, QI_ERR_INVALID (stride), QI_ERR_MEMORY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_inertias(
    ensemble: *mut qi_ensemble,
    inertia: *const f64,
    body_stride: ptrdiff_t,
) -> qi_status {
    change("qi_set_inertias", ensemble, |e| {
        // SAFETY: the header requires valid pointers.
        Ok(e.set_inertias(unsafe { view(inertia, e.count(), body_stride, 1, "inertia") }?)?)
    })
}

/// Set the orientations. The angular velocities in the world frame do not change.
/// @param data              component c (of w, x, y, z) of body i at `data[i * body_stride + c * component_stride]`
/// @param body_stride       doubles from body to body; 0: one orientation for all
/// @param component_stride  doubles from component to component
/// @return QI_OK, or QI_ERR_ORIENTATION, QI_ERR_NON_FINITE, QI_ERR_INVALID (strides), QI_ERR_MEMORY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_orientations(
    ensemble: *mut qi_ensemble,
    data: *const f64,
    body_stride: ptrdiff_t,
    component_stride: ptrdiff_t,
) -> qi_status {
    change("qi_set_orientations", ensemble, |e| {
        // SAFETY: the header requires valid pointers.
        Ok(e.set_orientations(unsafe { view(data, e.count(), body_stride, component_stride, "data") }?)?)
    })
}

/// Get the orientations.
/// @param data              receives component c (of w, x, y, z) of body i at `data[i * body_stride + c * component_stride]`
/// @param body_stride       doubles from body to body
/// @param component_stride  doubles from component to component
/// @return QI_OK, or QI_ERR_INVALID (strides that overlap)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_orientations(
    ensemble: *const qi_ensemble,
    data: *mut f64,
    body_stride: ptrdiff_t,
    component_stride: ptrdiff_t,
) -> qi_status {
    let function = "qi_get_orientations";
    // SAFETY: the header requires valid pointers and handles.
    unsafe { get_each(function, ensemble, data, body_stride, component_stride, Ensemble::orientations) }
}

/// Set the angular velocities in the world frame.
/// @param data              component c of body i at `data[i * body_stride + c * component_stride]`, rad/s
/// @param body_stride       doubles from body to body; 0: one for all
/// @param component_stride  doubles from component to component
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (strides, or 1e154 rad/s or more), QI_ERR_MEMORY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_angular_velocities(
    ensemble: *mut qi_ensemble,
    data: *const f64,
    body_stride: ptrdiff_t,
    component_stride: ptrdiff_t,
) -> qi_status {
    change("qi_set_angular_velocities", ensemble, |e| {
        // SAFETY: the header requires valid pointers.
        Ok(e.set_angular_velocities(unsafe { view(data, e.count(), body_stride, component_stride, "data") }?)?)
    })
}

/// Get the angular velocities in the world frame.
/// @param data              receives component c of body i at `data[i * body_stride + c * component_stride]`, rad/s
/// @param body_stride       doubles from body to body
/// @param component_stride  doubles from component to component
/// @return as qi_get_orientations()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_angular_velocities(
    ensemble: *const qi_ensemble,
    data: *mut f64,
    body_stride: ptrdiff_t,
    component_stride: ptrdiff_t,
) -> qi_status {
    let function = "qi_get_angular_velocities";
    // SAFETY: the header requires valid pointers and handles.
    unsafe { get_each(function, ensemble, data, body_stride, component_stride, Ensemble::angular_velocities) }
}

/// Get the rotational kinetic energy of each body.
/// @param energy       receives the energy of body i at `energy[i * body_stride]`
/// @param body_stride  doubles from body to body
/// @return as qi_get_orientations()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_kinetic_energies(
    ensemble: *const qi_ensemble,
    energy: *mut f64,
    body_stride: ptrdiff_t,
) -> qi_status {
    let function = "qi_get_kinetic_energies";
    // SAFETY: the header requires valid pointers and handles.
    unsafe { get_each(function, ensemble, energy, body_stride, 1, Ensemble::kinetic_energies) }
}

/// Get the angular momenta in the world frame.
/// @param data              receives component c of body i at `data[i * body_stride + c * component_stride]`
/// @param body_stride       doubles from body to body
/// @param component_stride  doubles from component to component
/// @return as qi_get_orientations()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_angular_momenta(
    ensemble: *const qi_ensemble,
    data: *mut f64,
    body_stride: ptrdiff_t,
    component_stride: ptrdiff_t,
) -> qi_status {
    let function = "qi_get_angular_momenta";
    // SAFETY: the header requires valid pointers and handles.
    unsafe { get_each(function, ensemble, data, body_stride, component_stride, Ensemble::angular_momenta) }
}

/// Get the rotational kinetic energy of all bodies. The compensated sum runs in index order, so its bits do not depend on the
/// number of threads.
/// @param energy  receives 1 double
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_total_kinetic_energy(ensemble: *const qi_ensemble, energy: *mut f64) -> qi_status {
    // SAFETY: the header requires valid pointers and handles.
    unsafe { get_one("qi_get_total_kinetic_energy", ensemble, energy, "energy", |e| [e.total_kinetic_energy()]) }
}

/// Get the angular momentum of all bodies in the world frame: the sum of their spins, without orbital angular momentum. It is
/// summed like qi_get_total_kinetic_energy().
/// @param angular_momentum  receives 3 doubles, world frame
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_total_angular_momentum(
    ensemble: *const qi_ensemble,
    angular_momentum: *mut f64,
) -> qi_status {
    let (function, name) = ("qi_get_total_angular_momentum", "angular_momentum");
    // SAFETY: the header requires valid pointers and handles.
    unsafe { get_one(function, ensemble, angular_momentum, name, |e| e.total_angular_momentum().into()) }
}

/// Bind the orientations to an array of the caller: the ensemble works in this array, without a copy. Its contents become the
/// orientations and are normalised in place. The angular velocities in the world frame do not change; if they are bound too,
/// their array keeps its values.
///
/// The array must exist until the ensemble is destroyed or another array is bound. The caller may read and write it between
/// calls. An orientation written there must have unit length to 1e-3, or the next step fails. The ensemble never touches the
/// memory between the components.
///
/// @param data              component c of body i at `data[i * body_stride + c * component_stride]`
/// @param body_stride       doubles from body to body
/// @param component_stride  doubles from component to component
/// @param order             QI_SCALAR_FIRST or QI_SCALAR_LAST
/// @return QI_OK, or QI_ERR_ORIENTATION, QI_ERR_NON_FINITE, QI_ERR_INVALID (strides, order, or overlap with the bound angular
///         velocities), QI_ERR_MEMORY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_bind_orientations(
    ensemble: *mut qi_ensemble,
    data: *mut f64,
    body_stride: ptrdiff_t,
    component_stride: ptrdiff_t,
    order: i32,
) -> qi_status {
    change("qi_bind_orientations", ensemble, |e| {
        // SAFETY: the header requires valid pointers.
        let data = unsafe { view_mut(data, e.count(), body_stride, component_stride, "data") }?;
        Ok(e.bind_orientations(ordered(data, order)?)?)
    })
}

/// Bind the angular velocities or angular momenta to an array of the caller; see qi_bind_orientations(). With QI_OMEGA_BODY,
/// each body gets the same bits as a body stepped alone. The other kinds are converted at the start and the end of each step,
/// which costs an ulp or two.
/// @param data              component c of body i at `data[i * body_stride + c * component_stride]`
/// @param body_stride       doubles from body to body
/// @param component_stride  doubles from component to component
/// @param kind              QI_OMEGA_WORLD, QI_OMEGA_BODY, QI_ANGMOM_WORLD or QI_ANGMOM_BODY
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (strides, kind, or overlap with the bound orientations), QI_ERR_MEMORY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_bind_angular_velocities(
    ensemble: *mut qi_ensemble,
    data: *mut f64,
    body_stride: ptrdiff_t,
    component_stride: ptrdiff_t,
    kind: i32,
) -> qi_status {
    change("qi_bind_angular_velocities", ensemble, |e| {
        // SAFETY: the header requires valid pointers.
        let data = unsafe { view_mut(data, e.count(), body_stride, component_stride, "data") }?;
        Ok(e.bind_angular_velocities(data, kind_of(kind)?)?)
    })
}

/// # Safety
/// As for [`shared`] and [`view_mut`].
unsafe fn get_each<const K: usize>(
    function: &'static str,
    ensemble: *const qi_ensemble,
    data: *mut f64,
    body_stride: isize,
    component_stride: isize,
    get: impl Fn(&Ensemble<'static>, &mut ViewMut<K>) -> Result<(), Failure>,
) -> qi_status {
    boundary(function, || {
        // SAFETY: guaranteed by the caller.
        let e = unsafe { shared(ensemble, "ensemble") }?;
        // SAFETY: guaranteed by the caller.
        let mut data = unsafe { view_mut(data, e.count(), body_stride, component_stride, "data") }?;
        Ok(get(e, &mut data)?)
    })
}

/// # Safety
/// As for [`shared`] and [`output`].
unsafe fn get_one<const K: usize>(
    function: &'static str,
    ensemble: *const qi_ensemble,
    place: *mut f64,
    name: &'static str,
    value: impl FnOnce(&Ensemble<'static>) -> [f64; K],
) -> qi_status {
    boundary(function, || {
        // SAFETY: guaranteed by the caller.
        let (e, place) = unsafe { (shared(ensemble, "ensemble")?, output(place, name)?) };
        place.put(value(e));
        Ok(())
    })
}
