//! Loads a library of the system at run time.

use std::ffi::{CStr, c_void};

#[cfg(unix)]
pub(super) fn open(name: &CStr) -> Result<*mut c_void, String> {
    // SAFETY: the driver may be loaded at any time
    unsafe {
        let library = libc::dlopen(name.as_ptr(), libc::RTLD_NOW);
        if !library.is_null() {
            return Ok(library);
        }
        let reason = libc::dlerror();
        Err(if reason.is_null() {
            "it cannot be loaded".to_owned()
        } else {
            CStr::from_ptr(reason).to_string_lossy().into_owned()
        })
    }
}

#[cfg(unix)]
pub(super) fn find(library: *mut c_void, name: &CStr) -> Option<*mut c_void> {
    // SAFETY: the library stays open
    let address = unsafe { libc::dlsym(library, name.as_ptr()) };
    (!address.is_null()).then_some(address)
}

#[cfg(not(unix))]
pub(super) fn open(_: &CStr) -> Result<*mut c_void, String> {
    Err("this library finds the driver on Linux alone".to_owned())
}

#[cfg(not(unix))]
pub(super) fn find(_: *mut c_void, _: &CStr) -> Option<*mut c_void> {
    None
}
