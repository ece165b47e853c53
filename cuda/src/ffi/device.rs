//! Devices.

use super::status::{done, qi_cuda_status};
use crate::opened::Opened;
use crate::refusal::Refusal;
use std::ffi::{CString, c_char};
use std::sync::Arc;

/// A device with the kernels of this library.
pub struct qi_cuda_device(Arc<Opened>, CString);

pub(super) unsafe fn device_at<'a>(
    device: *const qi_cuda_device,
) -> Result<&'a Arc<Opened>, Refusal> {
    match device.as_ref() {
        Some(device) => Ok(&device.0),
        None => Err(Refusal::Null("device")),
    }
}

/// Open a device: load the CUDA driver, and use the device's primary context, which is that of the
/// CUDA runtime, CuPy and CUDA.jl. The driver compiles each kernel where it is first used, also while
/// a graph is captured: a tenth of a second to one, the first time; it keeps the result.
/// @param ordinal  the number of the device, from 0
/// @param status   NULL: not wanted
/// @return NULL if that fails: QI_CUDA_ERR_DRIVER without a driver, QI_CUDA_ERR_DEVICE if there is
///         no such device or it is older than compute capability 7.0, QI_CUDA_ERR_CUDA
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_open_device(
    ordinal: i32,
    status: *mut qi_cuda_status,
) -> *mut qi_cuda_device {
    let mut opened = std::ptr::null_mut();
    let outcome = done("qi_cuda_open_device", || {
        let device = Opened::new(ordinal)?;
        let name = CString::new(device.device.name()).unwrap_or_default();
        opened = Box::into_raw(Box::new(qi_cuda_device(Arc::new(device), name)));
        Ok(())
    });
    // SAFETY: it is valid, or NULL
    if let Some(status) = unsafe { status.as_mut() } {
        *status = outcome;
    }
    opened
}

/// Close a device. Its ensembles stay valid until they are destroyed. NULL: does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_close_device(device: *mut qi_cuda_device) {
    if !device.is_null() {
        let _ = done("qi_cuda_close_device", || {
            // SAFETY: it is of `qi_cuda_open_device`, and given back once
            drop(unsafe { Box::from_raw(device) });
            Ok(())
        });
    }
}

/// The name of a device, which stays valid as long as the device is open.
/// @return NULL for NULL
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_device_name(device: *const qi_cuda_device) -> *const c_char {
    match device.as_ref() {
        Some(device) => device.1.as_ptr(),
        None => std::ptr::null(),
    }
}

/// Check that the device computes as IEEE 754 says, bit for bit, on a million pairs of numbers: each
/// kind of arithmetic, comparison and conversion that the kernels have, in doubles and in floats. The
/// bits of all results depend on it.
/// @return QI_CUDA_ERR_CUDA if they are not
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_cuda_test_device(device: *const qi_cuda_device) -> qi_cuda_status {
    done("qi_cuda_test_device", || {
        crate::self_test::operations(device_at(device)?)
    })
}
