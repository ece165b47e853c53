//! Memory on the device, by the functions of the driver.

use std::ffi::{CStr, c_int, c_void};
use std::sync::MutexGuard;

/// The driver of this process.
pub struct Driver {
    library: *mut c_void,
    /// In tests, which take turns.
    _turn: Option<MutexGuard<'static, ()>>,
}

impl Driver {
    /// Loads the driver of this name. A library that is loaded already is found by the end of its
    /// name.
    pub fn load(name: &CStr, turn: Option<MutexGuard<'static, ()>>) -> Self {
        // SAFETY: a driver may be loaded at any time
        let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
        assert!(!library.is_null(), "{name:?} cannot be loaded");
        Driver {
            library,
            _turn: turn,
        }
    }

    fn function(&self, name: &CStr) -> *mut c_void {
        // SAFETY: the library is loaded
        let found = unsafe { libc::dlsym(self.library, name.as_ptr()) };
        assert!(!found.is_null(), "{name:?}");
        found
    }

    /// A number that the stand-in tells.
    pub fn number(&self, name: &CStr) -> i64 {
        // SAFETY: these functions take nothing and return a number
        unsafe { std::mem::transmute::<*mut c_void, extern "C" fn() -> i64>(self.function(name))() }
    }

    /// The status of a function of the driver, or of the stand-in.
    pub fn call(&self, name: &CStr, a: u64, b: u64, c: u64) -> c_int {
        type Call = extern "C" fn(u64, u64, u64) -> c_int;
        // SAFETY: the functions that are called by it take up to three words
        unsafe { std::mem::transmute::<*mut c_void, Call>(self.function(name))(a, b, c) }
    }

    fn in_context(&self, name: &CStr, a: u64, b: u64, c: u64) {
        let mut context = 0_u64;
        let place = (&raw mut context) as u64;
        assert_eq!(self.call(c"cuInit", 0, 0, 0), 0);
        assert_eq!(self.call(c"cuDevicePrimaryCtxRetain", place, 0, 0), 0);
        assert_eq!(self.call(c"cuCtxPushCurrent_v2", context, 0, 0), 0);
        assert_eq!(self.call(name, a, b, c), 0, "{name:?}");
        assert_eq!(self.call(c"cuCtxPopCurrent_v2", place, 0, 0), 0);
        assert_eq!(self.call(c"cuDevicePrimaryCtxRelease_v2", 0, 0, 0), 0);
    }

    /// Memory on the device with a copy of numbers.
    pub fn array<T: Copy>(&self, numbers: &[T]) -> Memory<'_, T> {
        let mut address = 0_u64;
        let size = size_of_val(numbers).max(1) as u64;
        self.in_context(c"cuMemAlloc_v2", (&raw mut address) as u64, size, 0);
        let memory = Memory {
            driver: self,
            at: std::ptr::without_provenance_mut(address as usize),
            count: numbers.len(),
        };
        memory.write(numbers);
        memory
    }
}

/// Memory on the device.
pub struct Memory<'d, T> {
    driver: &'d Driver,
    pub at: *mut T,
    count: usize,
}

impl<T: Copy> Memory<'_, T> {
    pub fn write(&self, numbers: &[T]) {
        let from = numbers.as_ptr() as u64;
        let size = size_of_val(numbers) as u64;
        let driver = self.driver;
        driver.in_context(c"cuMemcpyHtoD_v2", self.at as u64, from, size);
        driver.in_context(c"cuStreamSynchronize", 0, 0, 0);
    }

    /// Copies as many numbers from other memory of the device.
    #[allow(dead_code)] // for the checks of a device
    pub fn copy_from(&self, other: &Memory<T>) {
        let size = (self.count * size_of::<T>()) as u64;
        let (to, from) = (self.at as u64, other.at as u64);
        self.driver.in_context(c"cuMemcpyDtoD_v2", to, from, size);
    }

    /// What is there, when the device has done what it has been given.
    pub fn read(&self) -> Vec<T> {
        let mut to = Vec::<T>::with_capacity(self.count);
        let size = (self.count * size_of::<T>()) as u64;
        let place = to.as_mut_ptr() as u64;
        self.driver
            .in_context(c"cuMemcpyDtoH_v2", place, self.at as u64, size);
        // SAFETY: all of it has been written
        unsafe { to.set_len(self.count) };
        to
    }
}

impl<T> Drop for Memory<'_, T> {
    fn drop(&mut self) {
        self.driver
            .in_context(c"cuMemFree_v2", self.at as u64, 0, 0);
    }
}
