//! Memory of the device.

use super::{Address, Device, Problem};
use std::sync::Arc;

/// Memory of a device.
pub(crate) struct Buffer {
    device: Arc<Device>,
    pub(super) address: Address,
    pub(super) size: usize,
}

/// What may lie in the memory of a device: any bits are a value of it.
pub(crate) trait Plain: Copy {}
impl Plain for f64 {}
impl Plain for u64 {}

impl Buffer {
    /// Room for `count` numbers, which are not set.
    pub(crate) fn new<T: Plain>(device: &Arc<Device>, count: usize) -> Result<Self, Problem> {
        let size = count
            .max(1)
            .checked_mul(size_of::<T>())
            .ok_or(Problem::Memory)?;
        let mut address = 0;
        let inside = device.enter()?;
        // SAFETY: it writes an address
        let code = unsafe { (device.driver.functions.cuMemAlloc_v2)(&mut address, size) };
        drop(inside);
        device.driver.check("cuMemAlloc", code)?;
        Ok(Buffer {
            device: device.clone(),
            address,
            size,
        })
    }

    /// With a copy of these numbers.
    pub(crate) fn of<T: Plain>(device: &Arc<Device>, numbers: &[T]) -> Result<Self, Problem> {
        let mut buffer = Buffer::new::<T>(device, numbers.len())?;
        buffer.write(numbers)?;
        Ok(buffer)
    }

    pub(crate) fn address(&self) -> Address {
        self.address
    }

    /// Copies numbers to the device, where the kernels of any stream then find them. It may wait for
    /// what the device has been given.
    pub(crate) fn write<T: Plain>(&mut self, numbers: &[T]) -> Result<(), Problem> {
        assert!(size_of_val(numbers) <= self.size, "there is no room");
        let _inside = self.device.enter()?;
        // SAFETY: the buffer has room for them
        let code = unsafe {
            (self.device.driver.functions.cuMemcpyHtoD_v2)(
                self.address,
                numbers.as_ptr().cast(),
                size_of_val(numbers),
            )
        };
        self.device.driver.check("cuMemcpyHtoD", code)?;
        // that returns when the numbers have been read, and they may not be there yet
        self.device.synchronise(std::ptr::null_mut())
    }

    /// Copies numbers from the device.
    pub(crate) fn read<T: Plain>(&self, to: &mut [T]) -> Result<(), Problem> {
        assert!(size_of_val(to) <= self.size, "there is not so much");
        let _inside = self.device.enter()?;
        // SAFETY: the buffer has as many, and any bits are a number
        let code = unsafe {
            (self.device.driver.functions.cuMemcpyDtoH_v2)(
                to.as_mut_ptr().cast(),
                self.address,
                size_of_val(to),
            )
        };
        self.device.driver.check("cuMemcpyDtoH", code)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if let Ok(_inside) = self.device.enter() {
            // SAFETY: it is freed once; the driver waits for kernels that use it
            unsafe { (self.device.driver.functions.cuMemFree_v2)(self.address) };
        }
    }
}
