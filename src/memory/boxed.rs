//! Boxes where memory may run out.

use crate::error::Error;

/// A box, or an error where `Box::new` would abort.
pub(crate) fn boxed<T>(value: T) -> Result<Box<T>, Error> {
    const { assert!(size_of::<T>() > 0) };
    // SAFETY: the layout has a size.
    let place = unsafe { std::alloc::alloc(std::alloc::Layout::new::<T>()) }.cast::<T>();
    if place.is_null() {
        return Err(Error::Memory);
    }
    // SAFETY: allocated as a box of T is, and written before it becomes one.
    unsafe {
        place.write(value);
        Ok(Box::from_raw(place))
    }
}
