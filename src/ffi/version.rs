//! The versions of the header and of the library.

use std::ffi::c_char;

/// Major version of the header.
pub const QI_VERSION_MAJOR: u32 = 0;
/// Minor version of the header.
pub const QI_VERSION_MINOR: u32 = 2;
/// Patch version of the header.
pub const QI_VERSION_PATCH: u32 = 0;
/// Version of the header as one number, for comparisons: `MAJOR << 16 | MINOR << 8 | PATCH`.
pub const QI_VERSION_NUMBER: u32 = (QI_VERSION_MAJOR << 16) | (QI_VERSION_MINOR << 8) | QI_VERSION_PATCH;

/// Version of the linked library, to compare with QI_VERSION_NUMBER.
#[unsafe(no_mangle)]
pub extern "C" fn qi_version_number() -> u32 {
    QI_VERSION_NUMBER
}

/// Version of the linked library, such as "0.1.0": a static string, never NULL.
#[unsafe(no_mangle)]
pub extern "C" fn qi_version_string() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
