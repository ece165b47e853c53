//! What an opaque pointer points to.

use super::check::{Failure, usable};
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
pub(super) fn give<O: Opaque>(object: O::Object) -> Result<*mut O, Failure> {
    let mut one = Vec::new();
    one.try_reserve_exact(1).map_err(|_| Failure::Memory)?;
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
pub(super) unsafe fn shared<'a, O: Opaque>(pointer: *const O, name: &'static str) -> Result<&'a O::Object, Failure> {
    let pointer = pointer.cast::<Handle<O::Object>>();
    usable(pointer, name)?;
    // SAFETY: usable, so live by the caller's word.
    let handle = unsafe { &*pointer };
    if handle.busy.load(Relaxed) {
        return Err(Failure::Busy(name));
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
) -> Result<Exclusive<'a, O::Object>, Failure> {
    let pointer = pointer.cast::<Handle<O::Object>>();
    usable(pointer, name)?;
    // SAFETY: usable, so live by the caller's word.
    let handle = unsafe { &*pointer };
    if handle.busy.load(Relaxed) {
        return Err(Failure::Busy(name));
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
