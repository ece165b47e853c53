//! States of many bodies: set, got, and bound to the caller's arrays.

use super::check::{boundary, output, view, view_mut};
use super::choices::{kind_of, ordered};
use super::failure::qi_status;
use super::objects::{change, qi_ensemble, shared};
use crate::Ensemble;
use crate::error::Failure;
use crate::memory::ViewMut;
use libc::ptrdiff_t;

/// Set the inertias. Angular velocities stay (where the caller's array holds angular momenta, those).
///
/// @param inertia      9 doubles a body, packed, as for qi_create_body(): body i's begin at `inertia[i * body_stride]`
/// @param body_stride  doubles from body to body; 0: one tensor for all
/// @return QI_OK, or QI_ERR_INERTIA, QI_ERR_NON_FINITE, QI_ERR_INVALID (stride), QI_ERR_MEMORY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_inertias(
    ensemble: *mut qi_ensemble,
    inertia: *const f64,
    body_stride: ptrdiff_t,
) -> qi_status {
    change("qi_set_inertias", ensemble, |e| {
        // SAFETY: by the header's contract of pointers.
        Ok(e.set_inertias(unsafe { view(inertia, e.count(), body_stride, 1, "inertia") }?)?)
    })
}

/// Set the orientations; the angular velocities in the world frame stay.
///
/// @param data              component c of body i, in the order w, x, y, z, is `data[i * body_stride + c * component_stride]`;
///                          each of unit length (to 1e-3), then normalised
/// @param body_stride       doubles from body to body: 4 for packed quaternions, 1 for columns; 0: one for all
/// @param component_stride  doubles from component to component: 1 for packed quaternions
/// @return QI_OK, or QI_ERR_ORIENTATION, QI_ERR_NON_FINITE, QI_ERR_INVALID (strides), QI_ERR_MEMORY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_orientations(
    ensemble: *mut qi_ensemble,
    data: *const f64,
    body_stride: ptrdiff_t,
    component_stride: ptrdiff_t,
) -> qi_status {
    change("qi_set_orientations", ensemble, |e| {
        // SAFETY: by the header's contract of pointers.
        Ok(e.set_orientations(unsafe { view(data, e.count(), body_stride, component_stride, "data") }?)?)
    })
}

/// Get the orientations.
///
/// @param data              receives component c of body i, in the order w, x, y, z, at
///                          `data[i * body_stride + c * component_stride]`
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
    // SAFETY: by the header's contract of pointers and handles.
    unsafe { get_each(function, ensemble, data, body_stride, component_stride, Ensemble::orientations) }
}

/// Set the angular velocities, world frame.
///
/// @param data              component c of body i is `data[i * body_stride + c * component_stride]`, rad/s
/// @param body_stride       doubles from body to body; 0: one for all
/// @param component_stride  doubles from component to component
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (strides, or 1e154 rad/s and more), QI_ERR_MEMORY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_angular_velocities(
    ensemble: *mut qi_ensemble,
    data: *const f64,
    body_stride: ptrdiff_t,
    component_stride: ptrdiff_t,
) -> qi_status {
    change("qi_set_angular_velocities", ensemble, |e| {
        // SAFETY: by the header's contract of pointers.
        Ok(e.set_angular_velocities(unsafe { view(data, e.count(), body_stride, component_stride, "data") }?)?)
    })
}

/// Get the angular velocities, world frame.
///
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
    // SAFETY: by the header's contract of pointers and handles.
    unsafe { get_each(function, ensemble, data, body_stride, component_stride, Ensemble::angular_velocities) }
}

/// Get the rotational kinetic energies.
///
/// @param energy       receives that of body i at `energy[i * body_stride]`
/// @param body_stride  doubles from body to body
/// @return as qi_get_orientations()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_kinetic_energies(
    ensemble: *const qi_ensemble,
    energy: *mut f64,
    body_stride: ptrdiff_t,
) -> qi_status {
    let function = "qi_get_kinetic_energies";
    // SAFETY: by the header's contract of pointers and handles.
    unsafe { get_each(function, ensemble, energy, body_stride, 1, Ensemble::kinetic_energies) }
}

/// Get the angular momenta, world frame.
///
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
    // SAFETY: by the header's contract of pointers and handles.
    unsafe { get_each(function, ensemble, data, body_stride, component_stride, Ensemble::angular_momenta) }
}

/// Get the rotational kinetic energy of all bodies: a compensated sum in the order of their indices, the same bits for any
/// number of threads.
///
/// @param energy    receives 1 double
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_total_kinetic_energy(ensemble: *const qi_ensemble, energy: *mut f64) -> qi_status {
    // SAFETY: by the header's contract of pointers and handles.
    unsafe { get_one("qi_get_total_kinetic_energy", ensemble, energy, "energy", |e| [e.total_kinetic_energy()]) }
}

/// Get the angular momentum of all bodies (the sum of their spins, without that of their motion), world frame; summed like the
/// energy.
///
/// @param angular_momentum  receives 3 doubles
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_total_angular_momentum(
    ensemble: *const qi_ensemble,
    angular_momentum: *mut f64,
) -> qi_status {
    let (function, name) = ("qi_get_total_angular_momentum", "angular_momentum");
    // SAFETY: by the header's contract of pointers and handles.
    unsafe { get_one(function, ensemble, angular_momentum, name, |e| e.total_angular_momentum().into()) }
}

/// Let the orientations be in the caller's array from now on: the ensemble works there, without a copy. The array's contents
/// become the orientations (normalised there); the angular velocities in the world frame stay (those in an array stay there).
///
/// The array must stay until the ensemble is destroyed or bound to another. It may be read and written between calls: what is
/// written must be of unit length to 1e-3, or the next step is refused. What is between the numbers is never touched. A step that
/// fails leaves all of it as it was.
///
/// @param data              component c of body i is `data[i * body_stride + c * component_stride]`
/// @param body_stride       doubles from body to body: 4 for packed quaternions (Fortran `q(4,n)`), 1 for columns (`q(n,4)`),
///                          the size of a struct over 8 for an array of structs
/// @param component_stride  doubles from component to component: 1 for packed quaternions, n for columns
/// @param order             QI_SCALAR_FIRST or QI_SCALAR_LAST
/// @return QI_OK, or QI_ERR_ORIENTATION, QI_ERR_NON_FINITE, QI_ERR_INVALID (strides, order, or an overlap with the bound angular
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
        // SAFETY: by the header's contract of pointers.
        let data = unsafe { view_mut(data, e.count(), body_stride, component_stride, "data") }?;
        Ok(e.bind_orientations(ordered(data, order)?)?)
    })
}

/// Let the angular velocities, or angular momenta, be in the caller's array from now on; the array's contents become them.
/// Otherwise as qi_bind_orientations().
///
/// With QI_OMEGA_BODY the bits are those of a body stepped alone; the others are converted at the beginning and the end of each
/// step, which costs an ulp or two.
///
/// @param data              component c of body i is `data[i * body_stride + c * component_stride]`
/// @param body_stride       doubles from body to body
/// @param component_stride  doubles from component to component
/// @param kind              QI_OMEGA_WORLD, QI_OMEGA_BODY, QI_ANGMOM_WORLD or QI_ANGMOM_BODY
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (strides, kind, or an overlap with the bound orientations), QI_ERR_MEMORY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_bind_angular_velocities(
    ensemble: *mut qi_ensemble,
    data: *mut f64,
    body_stride: ptrdiff_t,
    component_stride: ptrdiff_t,
    kind: i32,
) -> qi_status {
    change("qi_bind_angular_velocities", ensemble, |e| {
        // SAFETY: by the header's contract of pointers.
        let data = unsafe { view_mut(data, e.count(), body_stride, component_stride, "data") }?;
        Ok(e.bind_angular_velocities(data, kind_of(kind)?)?)
    })
}

/// # Safety
/// That of [`shared`] and [`view_mut`].
unsafe fn get_each<const K: usize>(
    function: &'static str,
    ensemble: *const qi_ensemble,
    data: *mut f64,
    body_stride: isize,
    component_stride: isize,
    get: impl Fn(&Ensemble<'static>, &mut ViewMut<K>) -> Result<(), Failure>,
) -> qi_status {
    boundary(function, || {
        // SAFETY: the caller's.
        let e = unsafe { shared(ensemble, "ensemble") }?;
        // SAFETY: the caller's.
        let mut data = unsafe { view_mut(data, e.count(), body_stride, component_stride, "data") }?;
        Ok(get(e, &mut data)?)
    })
}

/// # Safety
/// That of [`shared`] and [`output`].
unsafe fn get_one<const K: usize>(
    function: &'static str,
    ensemble: *const qi_ensemble,
    place: *mut f64,
    name: &'static str,
    value: impl FnOnce(&Ensemble<'static>) -> [f64; K],
) -> qi_status {
    boundary(function, || {
        // SAFETY: the caller's.
        let (e, place) = unsafe { (shared(ensemble, "ensemble")?, output(place, name)?) };
        place.put(value(e));
        Ok(())
    })
}
