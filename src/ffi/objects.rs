//! The opaque handles and the objects behind them.

use super::check::{boundary, usable};
use super::failure::{Fault, qi_status};
use super::torque::BodyTorque;
use crate::{Body, Ensemble};
use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// An object behind an opaque pointer. It refuses every use while a call changes it.
///
/// A torque callback that uses its own body gets an error instead of undefined behaviour. The flag is not a lock: it may reveal
/// wrong calls from several threads, but it does not make them safe.
pub(super) struct Handle<T> {
    busy: AtomicBool,
    object: UnsafeCell<T>,
}

/// The type of a handle in C: incomplete in the header, where it stands for an `Object`.
pub(super) trait Opaque: Sized {
    type Object;
}

/// Moves an object to the heap, for the caller to keep. Exhausted memory is an error, not an abort.
pub(super) fn give<O: Opaque>(object: O::Object) -> Result<*mut O, Fault> {
    let mut one = Vec::new();
    one.try_reserve_exact(1).map_err(|_| crate::Error::Memory)?;
    one.push(Handle { busy: AtomicBool::new(false), object: UnsafeCell::new(object) });
    Ok(Box::into_raw(one.into_boxed_slice()).cast())
}

/// Takes back and drops what [`give`] gave. NULL: nothing happens.
///
/// # Safety
/// `pointer` is NULL or came from `give`, and is not used again.
pub(super) unsafe fn take_back<O: Opaque>(pointer: *mut O) {
    if !pointer.is_null() {
        let one = std::ptr::slice_from_raw_parts_mut(pointer.cast::<Handle<O::Object>>(), 1);
        // SAFETY: from `into_raw` of a boxed slice of one.
        drop(unsafe { Box::from_raw(one) });
    }
}

/// Exclusive use of an object, until dropped.
pub(super) struct Exclusive<'a, T>(&'a Handle<T>);

/// The object behind a pointer, for a call that does not change it.
///
/// # Safety
/// A usable pointer points to a live handle for `'a`, and no other thread changes the object meanwhile.
#[inline(always)]
pub(super) unsafe fn shared<'a, O: Opaque>(pointer: *const O, name: &'static str) -> Result<&'a O::Object, Fault> {
    let pointer = pointer.cast::<Handle<O::Object>>();
    usable(pointer, name)?;
    // SAFETY: usable, so live, as the caller guarantees.
    let handle = unsafe { &*pointer };
    if handle.busy.load(Relaxed) {
        return Err(Fault::Busy(name));
    }
    // SAFETY: no exclusive reference exists: none on this thread (not busy), none on others (guaranteed by the caller).
    Ok(unsafe { &*handle.object.get() })
}

/// The object behind a pointer, for a call that changes it.
///
/// # Safety
/// A usable pointer points to a live handle for `'a`, and no other thread uses the object meanwhile.
#[inline(always)]
pub(super) unsafe fn exclusive<'a, O: Opaque>(
    pointer: *mut O, name: &'static str,
) -> Result<Exclusive<'a, O::Object>, Fault> {
    let pointer = pointer.cast::<Handle<O::Object>>();
    usable(pointer, name)?;
    // SAFETY: usable, so live, as the caller guarantees.
    let handle = unsafe { &*pointer };
    if handle.busy.load(Relaxed) {
        return Err(Fault::Busy(name));
    }
    handle.busy.store(true, Relaxed);
    Ok(Exclusive(handle))
}

impl<T> Drop for Exclusive<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        self.0.busy.store(false, Relaxed);
    }
}

impl<T> Deref for Exclusive<'_, T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: this call has set `busy`, so there is no other reference.
        unsafe { &*self.0.object.get() }
    }
}

impl<T> DerefMut for Exclusive<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above.
        unsafe { &mut *self.0.object.get() }
    }
}

/// A rigid body: inertia, orientation, angular velocity, clock and torque.
pub struct qi_body {
    _opaque: [u8; 0],
}

impl Opaque for qi_body {
    type Object = TorquedBody;
}

/// The object behind a `qi_body`.
pub(super) struct TorquedBody {
    pub(super) body: Body,
    pub(super) torque: BodyTorque,
}

/// Rigid bodies that step together: states (in the library's memory or in the caller's arrays), inertias, torque and one clock.
/// Each body gets the same bits as a qi_body stepped alone, for any number of bodies and threads and on every instruction set;
/// except where bound velocities are of another kind than QI_OMEGA_BODY, whose conversions round.
pub struct qi_ensemble {
    _opaque: [u8; 0],
}

impl Opaque for qi_ensemble {
    type Object = Ensemble<'static>;
}

/// Runs a call that changes an ensemble. As everywhere in this layer, the caller guarantees valid pointers.
pub(super) fn change(
    function: &'static str, ensemble: *mut qi_ensemble,
    change: impl FnOnce(&mut Ensemble<'static>) -> Result<(), Fault>,
) -> qi_status {
    boundary(function, || {
        // SAFETY: the header requires valid handles.
        change(&mut *unsafe { exclusive(ensemble, "ensemble") }?)
    })
}
