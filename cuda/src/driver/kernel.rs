//! Kernels. Each is in a module of its own, which the driver compiles where it is first used.

use super::{Device, Problem};
use std::ffi::{CStr, c_int, c_uint, c_void};

/// A kernel in the memory of a device.
pub(crate) struct Kernel {
    module: *mut c_void,
    function: *mut c_void,
}

// SAFETY: a kernel is a handle, which any thread may launch
unsafe impl Send for Kernel {}
// SAFETY: as above
unsafe impl Sync for Kernel {}

/// Threads in a block, for which the kernels are compiled.
const THREADS: u64 = 128;
const MOST_BLOCKS: u64 = (1 << 31) - 1;

impl Device {
    /// Compiles the text of a module for the device, in the driver, and finds its kernel of this
    /// name, with the one argument that [`Device::launch`] gives it.
    pub(crate) fn load(&self, text: &CStr, name: &CStr) -> Result<Kernel, Problem> {
        let _inside = self.enter()?;
        // While a graph is captured, the driver refuses calls that might wait for its stream.
        const RELAXED: c_int = 2;
        let mut mode = RELAXED;
        self.exchange_capture_mode(&mut mode)?;
        let kernel = self.compiled(text).and_then(|module| {
            let function = self.function_of(module, name);
            if function.is_err() {
                self.unload_module(module);
            }
            Ok(Kernel {
                module,
                function: function?,
            })
        });
        let restored = self.exchange_capture_mode(&mut mode);
        let kernel = kernel?;
        if restored.is_err() {
            self.unload_module(kernel.module);
        }
        restored.map(|()| kernel)
    }

    /// Exchanges what this thread may call while a graph is captured.
    fn exchange_capture_mode(&self, mode: &mut c_int) -> Result<(), Problem> {
        // SAFETY: it reads and writes a number
        let code = unsafe { (self.driver.functions.cuThreadExchangeStreamCaptureMode)(mode) };
        self.driver.check("cuThreadExchangeStreamCaptureMode", code)
    }

    fn compiled(&self, text: &CStr) -> Result<*mut c_void, Problem> {
        const ERROR_LOG: c_int = 5;
        const ERROR_LOG_SIZE: c_int = 6;
        let mut log = [0_u8; 4096];
        let mut options = [ERROR_LOG, ERROR_LOG_SIZE];
        let mut values = [
            log.as_mut_ptr().cast::<c_void>(),
            std::ptr::without_provenance_mut(log.len() - 1),
        ];
        let mut module = std::ptr::null_mut();
        // SAFETY: the text ends with a zero, and the log has the size that is given
        let code = unsafe {
            (self.driver.functions.cuModuleLoadDataEx)(
                &mut module,
                text.as_ptr().cast(),
                2,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        let outcome = self.driver.check("cuModuleLoadDataEx", code);
        outcome.map_err(|problem| match problem {
            Problem::Failed { call, error, .. } => Problem::Failed {
                call,
                error,
                log: CStr::from_bytes_until_nul(&log)
                    .map(|text| text.to_string_lossy().trim().to_owned())
                    .unwrap_or_default(),
            },
            other => other,
        })?;
        Ok(module)
    }

    fn function_of(&self, module: *mut c_void, name: &CStr) -> Result<*mut c_void, Problem> {
        let mut function = std::ptr::null_mut();
        // SAFETY: it writes a pointer
        let code = unsafe {
            (self.driver.functions.cuModuleGetFunction)(&mut function, module, name.as_ptr())
        };
        self.driver.check("cuModuleGetFunction", code)?;
        Ok(function)
    }

    /// Starts a kernel for `count` bodies, and does not wait for it. The driver copies the
    /// arguments.
    ///
    /// # Safety
    /// The kernel must be one of this device that takes such arguments, with addresses of arrays on
    /// the device that stay until the kernel has ended.
    pub(crate) unsafe fn launch<A: Copy>(
        &self,
        kernel: &Kernel,
        count: u64,
        stream: *mut c_void,
        arguments: &A,
    ) -> Result<(), Problem> {
        if count == 0 {
            return Ok(());
        }
        let blocks = count.div_ceil(THREADS);
        if blocks > MOST_BLOCKS {
            return Err(Problem::Memory);
        }
        let mut copy = *arguments;
        let mut pointers = [(&raw mut copy).cast::<c_void>()];
        let _inside = self.enter()?;
        // SAFETY: as this function
        let code = unsafe {
            (self.driver.functions.cuLaunchKernel)(
                kernel.function,
                blocks as c_uint,
                1,
                1,
                THREADS as c_uint,
                1,
                1,
                0,
                stream,
                pointers.as_mut_ptr(),
                std::ptr::null_mut(),
            )
        };
        self.driver.check("cuLaunchKernel", code)
    }

    /// Takes a kernel out of the memory of the device.
    pub(crate) fn unload(&self, kernel: &Kernel) {
        if let Ok(_inside) = self.enter() {
            self.unload_module(kernel.module);
        }
    }

    fn unload_module(&self, module: *mut c_void) {
        // SAFETY: it is of this device, and nothing uses it any more
        unsafe { (self.driver.functions.cuModuleUnload)(module) };
    }
}
