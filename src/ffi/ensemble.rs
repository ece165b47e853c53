//! Many bodies.

use super::check::{Failure, boundary, construct, input, optional_output, output, usable};
use super::ensemble_torque::layout_of;
use super::handle::{Opaque, exclusive, give, shared, take_back};
use super::status::{QI_NEED_TORQUE, QI_OK, qi_status};
use super::strided::Strided;
use crate::ensemble::{Ensemble, Kind, Next, at_body, with_angular_velocity, with_orientation};
use crate::error::Error;
use crate::kernel::Quat;
use crate::{Inertia, rotation};
use libc::{ptrdiff_t, size_t};
use nalgebra::Matrix3;
use std::sync::Arc;

/// Orientations as (w, x, y, z).
pub const QI_SCALAR_FIRST: i32 = 0;
/// Orientations as (x, y, z, w).
pub const QI_SCALAR_LAST: i32 = 1;
/// Angular velocities, world frame.
pub const QI_OMEGA_WORLD: i32 = 0;
/// Angular velocities, body frame: what the integrator itself keeps, and the only one with the bits of a body stepped alone.
pub const QI_OMEGA_BODY: i32 = 1;
/// Angular momenta `I omega`, world frame.
pub const QI_ANGMOM_WORLD: i32 = 2;
/// Angular momenta `I omega`, body frame.
pub const QI_ANGMOM_BODY: i32 = 3;

/// Rigid bodies that step together: their states (in memory of its own or of the caller's), inertias, torque and one clock.
///
/// The bits of each body are those of the same body stepped alone as a qi_body, for any number of bodies and threads, on every
/// instruction set. Calls with a `const qi_ensemble *` may run at the same time; any other wants the ensemble to itself.
/// Different ensembles are independent.
pub struct qi_ensemble {
    _opaque: [u8; 0],
}

impl Opaque for qi_ensemble {
    type Object = BoundEnsemble;
}

/// What a `qi_ensemble` stands for.
pub struct BoundEnsemble {
    pub(super) ensemble: Ensemble,
    orientations: Option<Arc<Strided<4>>>,
    angular_velocities: Option<Arc<Strided<3>>>,
    callback_result: i32,
}

impl BoundEnsemble {
    /// Whether an array has memory in common with a bound one.
    fn shares<const K: usize>(&self, data: &Strided<K>) -> bool {
        self.orientations.as_ref().is_some_and(|bound| data.overlaps(bound))
            || self.angular_velocities.as_ref().is_some_and(|bound| data.overlaps(bound))
    }

    /// A copy of an array that has memory in common with a bound one, which is written while the other is read.
    fn copied<const K: usize>(&self, data: &Strided<K>) -> Result<Option<Vec<[f64; K]>>, Failure> {
        if !self.shares(data) {
            return Ok(None);
        }
        let mut copy = Vec::new();
        copy.try_reserve_exact(self.ensemble.count()).map_err(Error::from)?;
        copy.extend((0..self.ensemble.count()).map(|i| data.get(i)));
        Ok(Some(copy))
    }

    /// Keeps what a callback returned when it stopped a step.
    fn noted<T>(&mut self, outcome: Result<T, Failure>) -> Result<T, Failure> {
        if let Err(failure) = &outcome {
            let error = match failure {
                Failure::Refused(error) => *error,
                Failure::Interrupted(interrupted) => interrupted.error,
                _ => return outcome,
            };
            if let Error::CallbackAt { result, .. } = error {
                self.callback_result = result;
            }
        }
        outcome
    }
}

/// Create an ensemble: every body at the identity, at rest, with unit inertia and no torque; the clock at 0; one thread.
///
/// Memory:    112 bytes a body, and what is set for each body besides (inertia 24, or 56 where axes are turned).
/// Ownership: the caller owns it and gives it to qi_destroy_ensemble() once.
///
/// @param count   number of bodies; 0 is allowed
/// @param status  receives QI_OK or the error (QI_ERR_MEMORY, QI_ERR_MISALIGNED); NULL: not wanted
/// @return the new ensemble, or NULL
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_create_ensemble(count: size_t, status: *mut qi_status) -> *mut qi_ensemble {
    let make = || {
        let ensemble = Ensemble::new(count)?;
        give(BoundEnsemble { ensemble, orientations: None, angular_velocities: None, callback_result: 0 })
    };
    // SAFETY: by the header's contract of pointers.
    unsafe { construct("qi_create_ensemble", status, make) }
}

/// Destroy an ensemble. Arrays that were bound to it stay, with the last states in them.
///
/// @param ensemble  the ensemble; NULL: nothing happens
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_destroy_ensemble(ensemble: *mut qi_ensemble) {
    boundary("qi_destroy_ensemble", || {
        if !ensemble.is_null() {
            // One whose step is running stays, and leaks: freeing it under the integrator would be worse.
            // SAFETY: by the header's contract of handles.
            drop(unsafe { exclusive(ensemble, "ensemble") }?);
        }
        // SAFETY: from `give`, by the header's contract, and not used again.
        unsafe { take_back(ensemble) };
        Ok(())
    });
}

/// The number of bodies; 0 for NULL.
///
/// @param ensemble  the ensemble
/// @return the number
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_ensemble_count(ensemble: *const qi_ensemble) -> size_t {
    let mut count = 0;
    boundary("qi_get_ensemble_count", || {
        // SAFETY: by the header's contract of handles.
        count = unsafe { shared(ensemble, "ensemble") }?.ensemble.count();
        Ok(())
    });
    count
}

/// Set the inertias. Angular velocities stay (where the caller's array holds angular momenta, those).
///
/// @param ensemble     the ensemble
/// @param inertia      9 doubles a body, packed, as for qi_create_body(): body i's begin at `inertia[i * body_stride]`
/// @param body_stride  doubles from body to body; 0: one tensor for all
/// @return QI_OK, or QI_ERR_INERTIA (one for all), QI_ERR_INVALID (names the body), QI_ERR_NON_FINITE, QI_ERR_NULL,
///         QI_ERR_MISALIGNED, QI_ERR_MEMORY, QI_ERR_ORDER (in the middle of a step), QI_ERR_BUSY; then nothing changed
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_inertias(
    ensemble: *mut qi_ensemble,
    inertia: *const f64,
    body_stride: ptrdiff_t,
) -> qi_status {
    boundary("qi_set_inertias", || {
        // SAFETY: by the header's contract of pointers and handles.
        let mut e = unsafe { exclusive(ensemble, "ensemble") }?;
        let count = if body_stride == 0 { 1 } else { e.ensemble.count() };
        // SAFETY: by the header's contract of pointers.
        let tensors = unsafe { Strided::<9>::new(inertia, count, body_stride, 1, "inertia") }?;
        let tensor = |i: usize| Inertia::new(&Matrix3::from_row_slice(&tensors.get(i)));
        if body_stride == 0 { Ok(e.ensemble.set_inertia(tensor(0)?)?) } else { Ok(e.ensemble.set_inertias(tensor)?) }
    })
}

/// Set the orientations; the angular velocities in the world frame stay.
///
/// @param ensemble          the ensemble
/// @param data              component c of body i, in the order w, x, y, z, is `data[i * body_stride + c * component_stride]`;
///                          each of unit length (to 1e-3), then normalised
/// @param body_stride       doubles from body to body: 4 for packed quaternions, 1 for columns; 0: one for all
/// @param component_stride  doubles from component to component: 1 for packed quaternions
/// @return QI_OK, or QI_ERR_INVALID (names the body; or strides), QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_ORDER, QI_ERR_BUSY;
///         then nothing changed
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_orientations(
    ensemble: *mut qi_ensemble,
    data: *const f64,
    body_stride: ptrdiff_t,
    component_stride: ptrdiff_t,
) -> qi_status {
    boundary("qi_set_orientations", || {
        // SAFETY: by the header's contract of pointers and handles.
        let mut e = unsafe { exclusive(ensemble, "ensemble") }?;
        let count = e.ensemble.count();
        // SAFETY: by the header's contract of pointers.
        let data = unsafe { Strided::<4>::new(data, count, body_stride, component_stride, "data") }?;
        e.ensemble.may_change()?;
        let copy = e.copied(&data)?;
        let given = |i: usize| copy.as_ref().map_or_else(|| data.get(i), |copy| copy[i]);
        let checked = |i: usize| rotation::checked("data", given(i)).map_err(|error| at_body(i, error));
        (0..count).try_for_each(|i| checked(i).map(drop))?;
        e.ensemble.write_states(|i, state| with_orientation(state, checked(i).map_or([1.0, 0.0, 0.0, 0.0], |q| q.0)));
        Ok(())
    })
}

/// Get the orientations.
///
/// @param ensemble          the ensemble
/// @param data              receives component c of body i, in the order w, x, y, z, at
///                          `data[i * body_stride + c * component_stride]`
/// @param body_stride       doubles from body to body
/// @param component_stride  doubles from component to component
/// @return QI_OK, or QI_ERR_INVALID (strides that overlap), QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_BUSY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_orientations(
    ensemble: *const qi_ensemble,
    data: *mut f64,
    body_stride: ptrdiff_t,
    component_stride: ptrdiff_t,
) -> qi_status {
    let function = "qi_get_orientations";
    // SAFETY: by the header's contract of pointers and handles.
    unsafe { get_each(function, ensemble, data, body_stride, component_stride, |_, _, [w, x, y, z, ..]| [w, x, y, z]) }
}

/// Set the angular velocities, world frame.
///
/// @param ensemble          the ensemble
/// @param data              component c of body i is `data[i * body_stride + c * component_stride]`, rad/s
/// @param body_stride       doubles from body to body; 0: one for all
/// @param component_stride  doubles from component to component
/// @return as qi_set_orientations()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_angular_velocities(
    ensemble: *mut qi_ensemble,
    data: *const f64,
    body_stride: ptrdiff_t,
    component_stride: ptrdiff_t,
) -> qi_status {
    boundary("qi_set_angular_velocities", || {
        // SAFETY: by the header's contract of pointers and handles.
        let mut e = unsafe { exclusive(ensemble, "ensemble") }?;
        let count = e.ensemble.count();
        // SAFETY: by the header's contract of pointers.
        let data = unsafe { Strided::<3>::new(data, count, body_stride, component_stride, "data") }?;
        e.ensemble.may_change()?;
        let copy = e.copied(&data)?;
        let given = |i: usize| copy.as_ref().map_or_else(|| data.get(i), |copy| copy[i]);
        let checked = |i: usize| crate::body::checked_omega("data", given(i).into()).map_err(|error| at_body(i, error));
        (0..count).try_for_each(|i| checked(i).map(drop))?;
        e.ensemble.write_states(|i, state| checked(i).map_or(state, |omega| with_angular_velocity(state, omega)));
        Ok(())
    })
}

/// Get the angular velocities, world frame.
///
/// @param ensemble          the ensemble
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
    let omega_world = |_: &Ensemble, _, [w, x, y, z, a, b, c]: [f64; 7]| {
        Quat([w, x, y, z]).to_world(crate::kernel::Vec3([a, b, c])).0
    };
    // SAFETY: by the header's contract of pointers and handles.
    unsafe { get_each(function, ensemble, data, body_stride, component_stride, omega_world) }
}

/// Get the rotational kinetic energies.
///
/// @param ensemble     the ensemble
/// @param energy       receives that of body i at `energy[i * body_stride]`
/// @param body_stride  doubles from body to body
/// @return as qi_get_orientations()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_kinetic_energies(
    ensemble: *const qi_ensemble,
    energy: *mut f64,
    body_stride: ptrdiff_t,
) -> qi_status {
    let energy_of = |e: &Ensemble, i, state| [e.energy_of(i, state)];
    // SAFETY: by the header's contract of pointers and handles.
    unsafe { get_each("qi_get_kinetic_energies", ensemble, energy, body_stride, 1, energy_of) }
}

/// Get the angular momenta, world frame.
///
/// @param ensemble          the ensemble
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
    let momentum_of = |e: &Ensemble, i, state| e.momentum_of(i, state);
    // SAFETY: by the header's contract of pointers and handles.
    unsafe { get_each("qi_get_angular_momenta", ensemble, data, body_stride, component_stride, momentum_of) }
}

/// Get the rotational kinetic energy of all bodies: a compensated sum in the order of their indices, the same bits for any
/// number of threads.
///
/// @param ensemble  the ensemble
/// @param energy    receives 1 double
/// @return QI_OK, or QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_BUSY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_total_kinetic_energy(ensemble: *const qi_ensemble, energy: *mut f64) -> qi_status {
    // SAFETY: by the header's contract of pointers and handles.
    unsafe { get_one("qi_get_total_kinetic_energy", ensemble, energy, "energy", |e| [e.total_kinetic_energy()]) }
}

/// Get the angular momentum of all bodies (the sum of their spins, without that of their motion), world frame; summed like the
/// energy.
///
/// @param ensemble          the ensemble
/// @param angular_momentum  receives 3 doubles
/// @return QI_OK, or QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_BUSY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_total_angular_momentum(
    ensemble: *const qi_ensemble,
    angular_momentum: *mut f64,
) -> qi_status {
    let (function, name) = ("qi_get_total_angular_momentum", "angular_momentum");
    // SAFETY: by the header's contract of pointers and handles.
    unsafe { get_one(function, ensemble, angular_momentum, name, |e| e.total_angular_momentum().into()) }
}

/// Get the clock of the ensemble; see qi_get_time().
///
/// @param ensemble  the ensemble
/// @param time      receives 1 double
/// @return QI_OK, or QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_BUSY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_ensemble_time(ensemble: *const qi_ensemble, time: *mut f64) -> qi_status {
    // SAFETY: by the header's contract of pointers and handles.
    unsafe { get_one("qi_get_ensemble_time", ensemble, time, "time", |e| [e.time()]) }
}

/// Set the clock of the ensemble.
///
/// @param ensemble  the ensemble
/// @param time      finite
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_ORDER, QI_ERR_BUSY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_time(ensemble: *mut qi_ensemble, time: f64) -> qi_status {
    change("qi_set_ensemble_time", ensemble, |e| Ok(e.ensemble.set_time(time)?))
}

/// Let the orientations be in the caller's array from now on: the ensemble works there, without a copy. The array's contents
/// become the orientations (normalised there); the angular velocities in the world frame stay (those in an array stay there).
///
/// The array must stay until the ensemble is destroyed or bound to another. It may be read and written between calls: what is
/// written must be of unit length to 1e-3, or the next step is refused. What is between the numbers is never touched. A step that
/// fails leaves all of it as it was.
///
/// @param ensemble          the ensemble
/// @param data              component c of body i is `data[i * body_stride + c * component_stride]`
/// @param body_stride       doubles from body to body: 4 for packed quaternions (Fortran `q(4,n)`), 1 for columns (`q(n,4)`),
///                          the size of a struct over 8 for an array of structs
/// @param component_stride  doubles from component to component: 1 for packed quaternions, n for columns
/// @param order             QI_SCALAR_FIRST or QI_SCALAR_LAST
/// @return QI_OK, or QI_ERR_INVALID (names the body; or strides, order, or an overlap with the bound angular velocities),
///         QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_MEMORY, QI_ERR_ORDER, QI_ERR_BUSY; then nothing changed
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_bind_orientations(
    ensemble: *mut qi_ensemble,
    data: *mut f64,
    body_stride: ptrdiff_t,
    component_stride: ptrdiff_t,
    order: i32,
) -> qi_status {
    change("qi_bind_orientations", ensemble, |e| {
        let count = e.ensemble.count();
        // SAFETY: by the header's contract of pointers.
        let data = unsafe { Strided::<4>::distinct(data, count, body_stride, component_stride, "data") }?;
        let data = Arc::new(match order {
            QI_SCALAR_FIRST => data,
            QI_SCALAR_LAST => data.scalar_last(),
            _ => return Err(invalid("order", "must be QI_SCALAR_FIRST or QI_SCALAR_LAST")),
        });
        if e.angular_velocities.as_ref().is_some_and(|other| data.overlaps(other)) {
            return Err(invalid("data", "must not overlap the bound angular velocities"));
        }
        e.ensemble.bind_orientations(Box::new(data.clone()))?;
        e.orientations = Some(data);
        Ok(())
    })
}

/// Let the angular velocities, or angular momenta, be in the caller's array from now on; the array's contents become them.
/// Otherwise as qi_bind_orientations().
///
/// With QI_OMEGA_BODY the bits are those of a body stepped alone; the others are converted at the beginning and the end of each
/// step, which costs an ulp or two.
///
/// @param ensemble          the ensemble
/// @param data              component c of body i is `data[i * body_stride + c * component_stride]`
/// @param body_stride       doubles from body to body
/// @param component_stride  doubles from component to component
/// @param kind              QI_OMEGA_WORLD, QI_OMEGA_BODY, QI_ANGMOM_WORLD or QI_ANGMOM_BODY
/// @return as qi_bind_orientations()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_bind_angular_velocities(
    ensemble: *mut qi_ensemble,
    data: *mut f64,
    body_stride: ptrdiff_t,
    component_stride: ptrdiff_t,
    kind: i32,
) -> qi_status {
    change("qi_bind_angular_velocities", ensemble, |e| {
        let count = e.ensemble.count();
        // SAFETY: by the header's contract of pointers.
        let data = Arc::new(unsafe { Strided::<3>::distinct(data, count, body_stride, component_stride, "data") }?);
        let kind = match kind {
            QI_OMEGA_WORLD => Kind::OmegaWorld,
            QI_OMEGA_BODY => Kind::OmegaBody,
            QI_ANGMOM_WORLD => Kind::AngularMomentumWorld,
            QI_ANGMOM_BODY => Kind::AngularMomentumBody,
            _ => return Err(invalid("kind", "must be QI_OMEGA_WORLD, _OMEGA_BODY, _ANGMOM_WORLD or _ANGMOM_BODY")),
        };
        if e.orientations.as_ref().is_some_and(|other| data.overlaps(other)) {
            return Err(invalid("data", "must not overlap the bound orientations"));
        }
        e.ensemble.bind_angular_velocities(Box::new(data.clone()), kind)?;
        e.angular_velocities = Some(data);
        Ok(())
    })
}

/// Which bodies move: the others keep their states and are asked no torque. `first` of a torque callback, and the arrays of the
/// stage protocol, then count positions in this list.
///
/// @param ensemble  the ensemble
/// @param indices   strictly ascending, each below the number of bodies; copied. NULL: all bodies move
/// @param count     how many
/// @return QI_OK, or QI_ERR_INVALID (indices), QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_MEMORY, QI_ERR_ORDER, QI_ERR_BUSY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_active(
    ensemble: *mut qi_ensemble,
    indices: *const size_t,
    count: size_t,
) -> qi_status {
    change("qi_set_ensemble_active", ensemble, |e| {
        if indices.is_null() {
            return Ok(e.ensemble.set_active(None)?);
        }
        usable(indices, "indices")?;
        if count > e.ensemble.count() {
            return Err(invalid("count", "must not exceed the number of bodies"));
        }
        // SAFETY: usable, so valid for `count` reads by the header's contract.
        Ok(e.ensemble.set_active(Some(unsafe { std::slice::from_raw_parts(indices, count) }))?)
    })
}

/// How many threads step the ensemble, the caller's own among them. The others are started here, belong to the ensemble and end
/// with it. They stay awake for a tenth of a millisecond after a step, so that the next one finds them ready; then they sleep, and
/// to wake them takes some 50 us: worth it from some ten thousand bodies on. They do not outlive a fork().
///
/// @param ensemble  the ensemble
/// @param threads   1 (the default): the caller's own thread does everything, callbacks too. More: callbacks are called from
///                  several threads at once, and must bear it
/// @return QI_OK, or QI_ERR_INVALID (0), QI_ERR_MEMORY (they cannot be started), QI_ERR_NULL, QI_ERR_ORDER, QI_ERR_BUSY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_threads(ensemble: *mut qi_ensemble, threads: size_t) -> qi_status {
    change("qi_set_ensemble_threads", ensemble, |e| Ok(e.ensemble.set_threads(threads)?))
}

/// Take one step of all (active) bodies.
///
/// Failure: every body, in our memory or the caller's, is bitwise as before; qi_last_error() names the first body concerned
/// (among 64 bodies, that which fails at the first stage to fail).
///
/// @param ensemble  the ensemble
/// @param dt        length of the step; negative: backwards in time; 0: nothing happens
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_CALLBACK, QI_ERR_INVALID (an orientation in the caller's array is not within 1e-3
///         of unit length), QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_ORDER, QI_ERR_BUSY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_step_ensemble(ensemble: *mut qi_ensemble, dt: f64) -> qi_status {
    change("qi_step_ensemble", ensemble, |e| {
        let outcome = e.ensemble.step(dt).map_err(Failure::from);
        e.noted(outcome)
    })
}

/// Take many steps: the bits of qi_step_ensemble() that many times, and what failures leave too. Without a callback, steps are
/// taken chunk by chunk while the bodies are in the cache.
///
/// @param ensemble   the ensemble
/// @param dt         length of each step; negative: backwards in time; 0: nothing happens
/// @param steps      how many
/// @param completed  receives the number of steps that stand, on failure too; NULL: not wanted
/// @return as qi_step_ensemble()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_advance_ensemble(
    ensemble: *mut qi_ensemble,
    dt: f64,
    steps: u64,
    completed: *mut u64,
) -> qi_status {
    boundary("qi_advance_ensemble", || {
        // SAFETY: by the header's contract of pointers and handles.
        let (completed, mut e) =
            unsafe { (optional_output(completed, "completed")?, exclusive(ensemble, "ensemble")?) };
        let outcome = e.ensemble.advance(dt, steps);
        completed.put(outcome.map_or_else(|interrupted| interrupted.completed, |()| steps));
        e.noted(outcome.map_err(Failure::from))
    })
}

/// What a torque callback returned when it last stopped a step; 0 where none has, or for NULL.
///
/// @param ensemble  the ensemble
/// @return the callback's value
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_ensemble_callback_result(ensemble: *const qi_ensemble) -> i32 {
    let mut result = 0;
    boundary("qi_get_ensemble_callback_result", || {
        // SAFETY: by the header's contract of handles.
        result = unsafe { shared(ensemble, "ensemble") }?.callback_result;
        Ok(())
    });
    result
}

/// Begin a step whose torques the caller computes: for codes that cannot be called back. Then, until QI_OK comes:
///
///   while ((status = qi_next_ensemble_stage(e, &time, q, omega)) == QI_NEED_TORQUE) {
///       ... torque for every body, at this time, orientation and angular velocity ...
///       qi_supply_ensemble_torque(e, torque);
///   }
///
/// The arrays are packed as qi_set_ensemble_stage_layout() says. Any torque that was set is not asked. Until the step is taken or
/// cancelled nothing else may change the ensemble, and a bound array must not be written. The bits are those of a torque callback
/// in the world frame. qi_continue_ensemble_step() does both in one pass over the bodies.
///
/// @param ensemble  the ensemble
/// @param dt        length of the step; negative: backwards in time; 0: no stage is needed
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_ORDER (one has been begun), QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_BUSY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_begin_ensemble_step(ensemble: *mut qi_ensemble, dt: f64) -> qi_status {
    change("qi_begin_ensemble_step", ensemble, |e| Ok(e.ensemble.begin_steps(dt, 1)?))
}

/// Begin many steps whose torques the caller computes: as qi_begin_ensemble_step() for each, where QI_OK comes when all are taken.
/// When one fails, those before it stand; qi_get_ensemble_time() tells how far it came.
///
/// @param ensemble  the ensemble
/// @param dt        length of each step
/// @param steps     how many; 0: no stage is needed
/// @return as qi_begin_ensemble_step()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_begin_ensemble_steps(ensemble: *mut qi_ensemble, dt: f64, steps: u64) -> qi_status {
    change("qi_begin_ensemble_steps", ensemble, |e| Ok(e.ensemble.begin_steps(dt, steps)?))
}

/// Lay out the arrays of the stage protocol: a packed row for each body, or packed columns, as in `q(n,4)` of Fortran, Julia and
/// MATLAB. Columns spare a transposition each way. It stays until it is set again.
///
/// @param ensemble  the ensemble
/// @param layout    for n bodies that move: QI_LAYOUT_AOS, `orientation[4 * i + c]` and so on, as before this is called; or
///                  QI_LAYOUT_SOA, `orientation[c * n + i]`
/// @return QI_OK, or QI_ERR_INVALID (layout), QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_ORDER (a step has been begun), QI_ERR_BUSY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_stage_layout(ensemble: *mut qi_ensemble, layout: i32) -> qi_status {
    change("qi_set_ensemble_stage_layout", ensemble, |e| Ok(e.ensemble.set_stage_layout(layout_of(layout)?)?))
}

/// Ask for the next stage of a step that has been begun.
///
/// @param ensemble          the ensemble
/// @param time              receives the time of the stage
/// @param orientation       receives 4 doubles (w, x, y, z) a body, packed; not in a bound array, which holds the start of the step
/// @param angular_velocity  receives 3 doubles a body, packed, world frame; likewise
/// @return QI_NEED_TORQUE: the stage has been written; supply the torque and ask again. QI_OK: the step is taken, or all that were
///         begun, and nothing was written. Or QI_ERR_INVALID and QI_ERR_NON_FINITE (as qi_step_ensemble()), QI_ERR_ORDER,
///         QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_BUSY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_next_ensemble_stage(
    ensemble: *mut qi_ensemble,
    time: *mut f64,
    orientation: *mut f64,
    angular_velocity: *mut f64,
) -> qi_status {
    stage("qi_next_ensemble_stage", ensemble, None, time, orientation, angular_velocity)
}

/// Supply the torque of the stage that was written last.
///
/// Failure: a torque that is not finite is named and still awaited. Where the motion overflows, the step is cancelled, and those
/// that were to come.
///
/// @param ensemble  the ensemble
/// @param torque    3 doubles a body, packed, world frame
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_ORDER, QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_BUSY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_supply_ensemble_torque(ensemble: *mut qi_ensemble, torque: *const f64) -> qi_status {
    change("qi_supply_ensemble_torque", ensemble, |e| {
        // SAFETY: the caller's.
        let torque = unsafe { stage_torque(e, torque) }?;
        Ok(e.ensemble.supply_torque(torque)?)
    })
}

/// Supply the torque of the stage that was written last, and ask for the next: qi_supply_ensemble_torque() and
/// qi_next_ensemble_stage() to the same bits, in one pass over the bodies (the last of a step in two, with bound arrays or a list
/// of active bodies). With many steps:
///
///   qi_begin_ensemble_steps(e, dt, steps);
///   status = qi_next_ensemble_stage(e, &time, q, omega);
///   while (status == QI_NEED_TORQUE) {
///       ... torque for every body, at this time, orientation and angular velocity ...
///       status = qi_continue_ensemble_step(e, torque, &time, q, omega);
///   }
///
/// Failure: as of both. Where a torque is not finite nothing is written; where the motion overflows, parts of the next stage are.
///
/// @param ensemble          the ensemble
/// @param torque            3 doubles a body, packed, world frame; in memory of its own
/// @param time              receives the time of the stage
/// @param orientation       as for qi_next_ensemble_stage()
/// @param angular_velocity  likewise
/// @return as qi_next_ensemble_stage()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_continue_ensemble_step(
    ensemble: *mut qi_ensemble,
    torque: *const f64,
    time: *mut f64,
    orientation: *mut f64,
    angular_velocity: *mut f64,
) -> qi_status {
    stage("qi_continue_ensemble_step", ensemble, Some(torque), time, orientation, angular_velocity)
}

/// Give up the step in hand, and those that were begun with it: the ensemble is as before this step. Without one nothing happens.
///
/// @param ensemble  the ensemble
/// @return QI_OK, or QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_BUSY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cancel_ensemble_step(ensemble: *mut qi_ensemble) -> qi_status {
    change("qi_cancel_ensemble_step", ensemble, |e| {
        e.ensemble.cancel_step();
        Ok(())
    })
}

/// A call that writes a stage, or finds that there is none left; that which takes the torque of the one before does so first.
fn stage(
    function: &'static str,
    ensemble: *mut qi_ensemble,
    torque: Option<*const f64>,
    time: *mut f64,
    orientation: *mut f64,
    angular_velocity: *mut f64,
) -> qi_status {
    let mut need = false;
    let status = change(function, ensemble, |e| {
        // SAFETY: by the header's contract of pointers.
        let time = unsafe { output(time, "time") }?;
        let positions = e.ensemble.positions();
        // SAFETY: by the header's contract of pointers.
        let places = unsafe {
            let q = Strided::<4>::new(orientation, positions, 4, 1, "orientation")?;
            (q, Strided::<3>::new(angular_velocity, positions, 3, 1, "angular_velocity")?)
        };
        if e.shares(&places.0) || e.shares(&places.1) || places.0.overlaps(&places.1) {
            return Err(invalid(
                "orientation or angular_velocity",
                "must not have memory in common with a bound array",
            ));
        }
        let torque = match torque {
            None => None,
            Some(torque) => {
                // SAFETY: by the header's contract of pointers; it is read only.
                let place = unsafe { Strided::<3>::new(torque, positions, 3, 1, "torque") }?;
                if e.shares(&place) || place.overlaps(&places.0) || place.overlaps(&places.1) {
                    return Err(invalid("torque", "must not have memory in common with what is written"));
                }
                // SAFETY: by the header's contract of pointers.
                Some(unsafe { stage_torque(e, torque) }?)
            }
        };
        // SAFETY: usable, so valid for as many writes as the header says; nobody else's during the call.
        let (q, omega) = unsafe {
            let q = std::slice::from_raw_parts_mut(orientation, 4 * positions);
            (q, std::slice::from_raw_parts_mut(angular_velocity, 3 * positions))
        };
        let next = match torque {
            None => e.ensemble.next_stage(q, omega),
            Some(torque) => e.ensemble.continue_step(torque, q, omega),
        };
        if let Next::NeedTorque(at) = next? {
            time.put([at]);
            need = true;
        }
        Ok(())
    });
    if status == QI_OK && need { QI_NEED_TORQUE } else { status }
}

/// # Safety
/// By the header's contract of pointers, valid for as many reads as it says.
unsafe fn stage_torque<'a>(e: &BoundEnsemble, torque: *const f64) -> Result<&'a [f64], Failure> {
    usable(torque, "torque")?;
    // SAFETY: usable, and the caller's.
    Ok(unsafe { std::slice::from_raw_parts(torque, 3 * e.ensemble.positions()) })
}

pub(super) fn invalid(name: &'static str, must: &'static str) -> Failure {
    Error::Invalid { name, must }.into()
}

/// A call that changes an ensemble. Pointers are the caller's word, as everywhere in this layer.
pub(super) fn change(
    function: &'static str,
    ensemble: *mut qi_ensemble,
    body: impl FnOnce(&mut BoundEnsemble) -> Result<(), Failure>,
) -> qi_status {
    boundary(function, || {
        // SAFETY: by the header's contract of handles.
        body(&mut *unsafe { exclusive(ensemble, "ensemble") }?)
    })
}

/// # Safety
/// That of [`shared`] and [`Strided::distinct`].
unsafe fn get_each<const K: usize>(
    function: &'static str,
    ensemble: *const qi_ensemble,
    data: *mut f64,
    body_stride: isize,
    component_stride: isize,
    value: impl Fn(&Ensemble, usize, [f64; 7]) -> [f64; K],
) -> qi_status {
    boundary(function, || {
        // SAFETY: the caller's.
        let e = &unsafe { shared(ensemble, "ensemble") }?.ensemble;
        // SAFETY: the caller's.
        let data = unsafe { Strided::<K>::distinct(data, e.count(), body_stride, component_stride, "data") }?;
        e.read_states(|i, state| data.put(i, value(e, i, state)));
        Ok(())
    })
}

/// # Safety
/// That of [`shared`] and [`output`].
unsafe fn get_one<const K: usize>(
    function: &'static str,
    ensemble: *const qi_ensemble,
    place: *mut f64,
    name: &'static str,
    value: impl FnOnce(&Ensemble) -> [f64; K],
) -> qi_status {
    boundary(function, || {
        // SAFETY: the caller's.
        let (e, place) = unsafe { (shared(ensemble, "ensemble")?, output(place, name)?) };
        place.put(value(&e.ensemble));
        Ok(())
    })
}

/// A vector for all bodies of an ensemble.
///
/// # Safety
/// That of [`input`].
pub(super) unsafe fn finite_input<const K: usize>(
    pointer: *const f64,
    name: &'static str,
) -> Result<[f64; K], Failure> {
    // SAFETY: the caller's.
    Ok(crate::error::finite(name, unsafe { input(pointer, name) }?)?)
}
