//! The opaque handles and the objects behind them.

use super::check::{Place, boundary, contained, output, usable};
use super::failure::{Fault, PointerProblem};
use super::torque::BodyTorque;
use crate::memory::boxed;
use crate::status::qi_status;
use crate::{Body, Ensemble, Failure};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// An object behind an opaque pointer. It refuses every use while a call changes it.
///
/// A torque callback that uses its own body gets an error instead of undefined behaviour. The flag
/// is not a lock: it may reveal wrong calls from several threads, but it does not make them safe.
struct Handle<T> {
    busy: AtomicBool,
    object: UnsafeCell<T>,
}

/// The type of a handle in C: incomplete in the header, where it stands for an `Object`.
pub(super) trait Opaque: Sized {
    type Object;
    /// The name of the argument in all functions.
    const NAME: &'static str;
}

/// A rigid body: inertia, orientation, angular velocity, clock and torque.
pub struct qi_body(());

impl Opaque for qi_body {
    type Object = TorquedBody;
    const NAME: &'static str = "body";
}

/// A body and the torque on it, which the functions of [`Body`] take as an argument.
pub(super) struct TorquedBody {
    pub(super) body: Body,
    pub(super) torque: BodyTorque,
}
const _: () = assert!(size_of::<TorquedBody>() <= 624); // programs have many bodies

/// Rigid bodies that step together: states (in the library's memory or in the caller's arrays),
/// inertias, torque and one clock. Each body gets the same bits as a qi_body stepped alone, for any
/// number of bodies and threads and on every instruction set. There are two exceptions: bound
/// velocities of another kind than QI_OMEGA_BODY are converted, which rounds; and a component of -0
/// that is given may become +0 in one and not in the other.
pub struct qi_ensemble(());

impl Opaque for qi_ensemble {
    type Object = Ensemble<'static, 'static>;
    const NAME: &'static str = "ensemble";
}

/// Moves an object to the heap, for the caller to keep. Exhausted memory is an error, not an abort.
pub(super) fn give<O: Opaque>(object: O::Object) -> Result<*mut O, Fault> {
    let handle = boxed(Handle {
        busy: AtomicBool::new(false),
        object: UnsafeCell::new(object),
    })?;
    Ok(Box::into_raw(handle).cast())
}

/// Destroys what [`give`] gave. An object in the middle of a step is not freed but leaked: the
/// integrator still uses it.
pub(super) unsafe fn destroy<O: Opaque>(function: &'static str, object: *mut O) {
    boundary(function, || {
        if !object.is_null() {
            drop(exclusive(object)?);
            // SAFETY: from `give`, and not used again.
            drop(unsafe { Box::from_raw(object.cast::<Handle<O::Object>>()) });
        }
        Ok(())
    });
}

/// The handle behind a pointer, unless a call that changes the object is under way.
#[inline(always)]
unsafe fn handle_unless_busy<'a, O: Opaque>(
    pointer: *const O,
) -> Result<&'a Handle<O::Object>, Fault> {
    let pointer = pointer.cast::<Handle<O::Object>>();
    usable(pointer, O::NAME)?;
    // SAFETY: usable, so alive.
    let handle = unsafe { &*pointer };
    if handle.busy.load(Relaxed) {
        Err(Fault::Pointer(O::NAME, &PointerProblem::IN_USE))
    } else {
        Ok(handle)
    }
}

/// The object behind a pointer, for a call that does not change it.
#[inline(always)]
pub(super) unsafe fn shared<'a, O: Opaque>(pointer: *const O) -> Result<&'a O::Object, Fault> {
    let handle = handle_unless_busy(pointer)?;
    // SAFETY: no exclusive reference exists: none on this thread (not busy), none on others.
    Ok(unsafe { &*handle.object.get() })
}

/// The object behind a pointer, for a call that changes it, with the [`Busy`] that the call keeps
/// until it ends.
#[inline(always)]
pub(super) unsafe fn exclusive<'a, O: Opaque>(
    pointer: *mut O,
) -> Result<(Busy<'a>, &'a mut O::Object), Fault> {
    let handle = handle_unless_busy(pointer)?;
    handle.busy.store(true, Relaxed);
    // SAFETY: this call has set `busy`, so there is no other reference.
    Ok((Busy(&handle.busy), unsafe { &mut *handle.object.get() }))
}

/// The sign that a call changes an object. Until it is dropped, the object refuses every other use.
pub(super) struct Busy<'a>(&'a AtomicBool);

impl Drop for Busy<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        self.0.store(false, Relaxed);
    }
}

/// Runs a call that changes an object.
#[inline(always)] // one call less in each step of one body
pub(super) unsafe fn change<O: Opaque>(
    function: &'static str,
    object: *mut O,
    change: impl FnOnce(&mut O::Object) -> Result<(), Fault>,
) -> qi_status {
    boundary(function, || {
        let (_busy, object) = exclusive(object)?;
        change(object)
    })
}

/// Runs a call that changes an object and counts what it has done. The count is written to
/// `pointer`, the argument `name`, also on failure; NULL: it is not wanted.
pub(super) unsafe fn counted<O: Opaque, N: Copy + Default>(
    function: &'static str,
    object: *mut O,
    pointer: *mut N,
    name: &'static str,
    change: impl FnOnce(&mut O::Object, &mut N) -> Result<(), Fault>,
) -> qi_status {
    boundary(function, || {
        let place: Option<Place<N>> = if pointer.is_null() {
            None
        } else {
            Some(output(pointer, name)?)
        };
        let mut count = N::default();
        if let Some(place) = &place {
            place.put(count); // for the case that the handle is in use
        }
        let (_busy, object) = exclusive(object)?;
        let outcome = change(object, &mut count);
        if let Some(place) = &place {
            place.put(count);
        }
        outcome
    })
}

/// How many of the steps that a call was asked for have been completed.
pub(super) fn completed_of(outcome: &Result<(), Failure>, steps: u64) -> u64 {
    match outcome {
        Ok(()) => steps,
        Err(failure) => failure.completed,
    }
}

/// Runs a call that reads an object.
pub(super) unsafe fn read<O: Opaque>(
    function: &'static str,
    object: *const O,
    read: impl FnOnce(&O::Object) -> Result<(), Fault>,
) -> qi_status {
    boundary(function, || read(shared(object)?))
}

/// Runs a call that reads an object and returns a value in place of a status: 0 on failure.
pub(super) unsafe fn value_or_zero<O: Opaque, T: Default>(
    function: &'static str,
    object: *const O,
    value: impl FnOnce(&O::Object) -> Result<T, Fault>,
) -> T {
    contained(function, || value(shared(object)?)).unwrap_or_default()
}
