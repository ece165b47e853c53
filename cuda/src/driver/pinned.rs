//! Memory of the host that the device copies to and from in the order of a stream, without a wait.

use super::{Buffer, Device, Problem};
use std::ffi::{c_int, c_uint, c_void};
use std::sync::Arc;

/// What an event says that has not happened.
const NOT_READY: c_int = 600;
/// `CU_EVENT_DISABLE_TIMING`: an event that is only waited for.
const WITHOUT_TIMES: c_uint = 2;

/// Numbers of the host, and an event by which a copy to them is known to be complete.
pub(crate) struct Pinned<const K: usize> {
    device: Arc<Device>,
    numbers: *mut [u64; K],
    event: *mut c_void,
}

// SAFETY: the memory is this object's own, and the event a handle, which any thread may use
unsafe impl<const K: usize> Send for Pinned<K> {}

impl<const K: usize> Pinned<K> {
    pub(crate) fn new(device: &Arc<Device>, numbers: [u64; K]) -> Result<Self, Problem> {
        let mut pinned = Pinned {
            device: device.clone(),
            numbers: std::ptr::null_mut(),
            event: std::ptr::null_mut(),
        };
        let driver = device.driver;
        let mut memory = std::ptr::null_mut();
        let _inside = device.enter()?;
        // SAFETY: it writes an address
        let code = unsafe { (driver.functions.cuMemAllocHost_v2)(&mut memory, 8 * K) };
        driver.check("cuMemAllocHost", code)?;
        pinned.numbers = memory.cast();
        // SAFETY: there is room for them
        unsafe { pinned.numbers.write(numbers) };
        // SAFETY: it writes a handle
        let code = unsafe { (driver.functions.cuEventCreate)(&mut pinned.event, WITHOUT_TIMES) };
        driver.check("cuEventCreate", code)?;
        Ok(pinned)
    }

    /// The numbers, when no copy to them is under way.
    pub(crate) fn get(&self) -> [u64; K] {
        // SAFETY: the device may have written them
        unsafe { self.numbers.read_volatile() }
    }

    /// Copies them to the device, after what the stream has been given. They must not change then.
    pub(crate) fn start_to(&self, to: &Buffer, stream: *mut c_void) -> Result<(), Problem> {
        assert!(8 * K <= to.size, "there is no room");
        let driver = self.device.driver;
        let _inside = self.device.enter()?;
        // SAFETY: the buffer has room; `drop` waits for the device
        let code = unsafe {
            (driver.functions.cuMemcpyHtoDAsync_v2)(to.address, self.numbers.cast(), 8 * K, stream)
        };
        driver.check("cuMemcpyHtoDAsync", code)
    }

    /// Copies numbers of the device here, after what the stream has been given.
    pub(crate) fn start_from(&self, from: &Buffer, stream: *mut c_void) -> Result<(), Problem> {
        assert!(8 * K <= from.size, "there is not so much");
        let driver = self.device.driver;
        let _inside = self.device.enter()?;
        // SAFETY: the buffer has as many; `drop` waits for the device
        let code = unsafe {
            (driver.functions.cuMemcpyDtoHAsync_v2)(
                self.numbers.cast(),
                from.address,
                8 * K,
                stream,
            )
        };
        driver.check("cuMemcpyDtoHAsync", code)?;
        // SAFETY: the event is there; the caller of the library has said that this is a stream
        let code = unsafe { (driver.functions.cuEventRecord)(self.event, stream) };
        driver.check("cuEventRecord", code)
    }

    /// Whether the last [`Pinned::start_from`] is complete.
    pub(crate) fn has_arrived(&self) -> Result<bool, Problem> {
        let driver = self.device.driver;
        let _inside = self.device.enter()?;
        // SAFETY: the event is there
        let code = unsafe { (driver.functions.cuEventQuery)(self.event) };
        if code == NOT_READY {
            return Ok(false);
        }
        driver.check("cuEventQuery", code)?;
        Ok(true)
    }
}

impl<const K: usize> Drop for Pinned<K> {
    fn drop(&mut self) {
        let _ = self.device.synchronise_all(); // a copy may be under way
        let Ok(_inside) = self.device.enter() else {
            return;
        };
        let functions = &self.device.driver.functions;
        // SAFETY: each is given back once, and nothing uses it any more
        unsafe {
            if !self.event.is_null() {
                (functions.cuEventDestroy_v2)(self.event);
            }
            if !self.numbers.is_null() {
                (functions.cuMemFreeHost)(self.numbers.cast());
            }
        }
    }
}
