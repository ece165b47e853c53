//! The opaque handles, and what they point to.

use super::check::{boundary, usable};
use super::failure::{Fault, qi_status};
use super::torque::BodyTorque;
use crate::{Body, Ensemble};
use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// An object behind an opaque pointer, which refuses to be used while a call is changing it.
///
/// A torque callback that steps its own body, or asks it for its state in the middle of a step, gets an error and not
/// undefined behaviour. The flag is no lock: for calls from several threads it is a help in finding the mistake, no more.
pub(super) struct Handle<T> {
    busy: AtomicBool,
    object: UnsafeCell<T>,
}

/// C's name for a handle: an incomplete type in the header, and the object it stands for.
pub(super) trait Opaque: Sized {
    type Object;
}

/// Moves an object to the heap, where the caller keeps it; memory exhaustion is an error, not an abort.
pub(super) fn give<O: Opaque>(object: O::Object) -> Result<*mut O, Fault> {
    let mut one = Vec::new();
    one.try_reserve_exact(1).map_err(|_| crate::Error::Memory)?;
    one.push(Handle { busy: AtomicBool::new(false), object: UnsafeCell::new(object) });
    Ok(Box::into_raw(one.into_boxed_slice()).cast())
}

/// Takes back and drops what [`give`] gave. NULL is a no-op.
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

/// The object behind a pointer that the call does not change.
///
/// # Safety
/// A usable pointer points to a live handle for `'a`, and no other thread changes the object meanwhile.
#[inline(always)]
pub(super) unsafe fn shared<'a, O: Opaque>(pointer: *const O, name: &'static str) -> Result<&'a O::Object, Fault> {
    let pointer = pointer.cast::<Handle<O::Object>>();
    usable(pointer, name)?;
    // SAFETY: usable, so live by the caller's word.
    let handle = unsafe { &*pointer };
    if handle.busy.load(Relaxed) {
        return Err(Fault::Busy(name));
    }
    // SAFETY: nobody has it exclusively: not this thread, as just seen, and no other, by the caller's word.
    Ok(unsafe { &*handle.object.get() })
}

/// The object behind a pointer, for a call that changes it.
///
/// # Safety
/// A usable pointer points to a live handle for `'a`, and no other thread uses the object meanwhile.
#[inline(always)]
pub(super) unsafe fn exclusive<'a, O: Opaque>(
    pointer: *mut O,
    name: &'static str,
) -> Result<Exclusive<'a, O::Object>, Fault> {
    let pointer = pointer.cast::<Handle<O::Object>>();
    usable(pointer, name)?;
    // SAFETY: usable, so live by the caller's word.
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
        // SAFETY: `busy` is ours, so there is no other reference.
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

/// A rigid body: inertia, orientation, angular velocity, a clock and the torque that acts on it.
///
/// Calls with a `const qi_body *` may run at the same time; any other wants the body to itself. Different bodies are
/// independent.
pub struct qi_body {
    _opaque: [u8; 0],
}

impl Opaque for qi_body {
    type Object = TorquedBody;
}

/// What a `qi_body` stands for.
pub(super) struct TorquedBody {
    pub(super) body: Body,
    pub(super) torque: BodyTorque,
}

/// Rigid bodies that step together: their states (in memory of its own or of the caller's), inertias, torque and one clock.
///
/// The bits of each body are those of the same body stepped alone as a qi_body, for any number of bodies and threads, on every
/// instruction set. Calls with a `const qi_ensemble *` may run at the same time; any other wants the ensemble to itself.
/// Different ensembles are independent.
pub struct qi_ensemble {
    _opaque: [u8; 0],
}

impl Opaque for qi_ensemble {
    type Object = Ensemble<'static>;
}

/// A call that changes an ensemble. Pointers are the caller's word, as everywhere in this layer.
pub(super) fn change(
    function: &'static str,
    ensemble: *mut qi_ensemble,
    change: impl FnOnce(&mut Ensemble<'static>) -> Result<(), Fault>,
) -> qi_status {
    boundary(function, || {
        // SAFETY: by the header's contract of handles.
        change(&mut *unsafe { exclusive(ensemble, "ensemble") }?)
    })
}
