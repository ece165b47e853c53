//! The functions of the CUDA driver that this library needs, found at run time: it is built, and
//! starts, where there is no CUDA.

mod buffer;
mod kernel;
mod loader;
mod pinned;

pub(crate) use buffer::{Buffer, Plain};
pub(crate) use kernel::Kernel;
pub(crate) use pinned::Pinned;

use loader::{find, open};
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

/// What the driver returns: 0 is success.
type Code = c_int;
/// An address in the memory of the device.
pub(crate) type Address = u64;

/// Declares the table of functions, by the names and types that `cuda.h` gives them.
macro_rules! functions {
    ($($name:ident($($type:ty),*);)*) => {
        #[allow(non_snake_case)]
        struct Functions {
            $($name: unsafe extern "C" fn($($type),*) -> Code,)*
        }

        impl Functions {
            /// # Safety
            /// The functions that `find` finds must have the types above.
            unsafe fn of(find: impl Fn(&CStr) -> Option<*mut c_void>) -> Result<Self, Problem> {
                Ok(Functions {
                    $($name: {
                        const NAME: &CStr = match CStr::from_bytes_with_nul(
                            concat!(stringify!($name), "\0").as_bytes(),
                        ) {
                            Ok(name) => name,
                            Err(_) => panic!("a name without zeros"),
                        };
                        let address = find(NAME).ok_or(Problem::OldDriver {
                            lacks: stringify!($name),
                        })?;
                        // SAFETY: the caller says that it has this type
                        unsafe {
                            std::mem::transmute::<
                                *mut c_void,
                                unsafe extern "C" fn($($type),*) -> Code,
                            >(address)
                        }
                    },)*
                })
            }
        }
    };
}

functions! {
    cuInit(c_uint);
    cuDriverGetVersion(*mut c_int);
    cuDeviceGet(*mut c_int, c_int);
    cuDeviceGetName(*mut c_char, c_int, c_int);
    cuDeviceGetAttribute(*mut c_int, c_int, c_int);
    cuDevicePrimaryCtxRetain(*mut *mut c_void, c_int);
    cuDevicePrimaryCtxRelease_v2(c_int);
    cuCtxPushCurrent_v2(*mut c_void);
    cuCtxPopCurrent_v2(*mut *mut c_void);
    cuThreadExchangeStreamCaptureMode(*mut c_int);
    cuModuleLoadDataEx(*mut *mut c_void, *const c_void, c_uint, *mut c_int, *mut *mut c_void);
    cuModuleUnload(*mut c_void);
    cuModuleGetFunction(*mut *mut c_void, *mut c_void, *const c_char);
    cuMemAlloc_v2(*mut Address, usize);
    cuMemFree_v2(Address);
    cuMemcpyHtoD_v2(Address, *const c_void, usize);
    cuMemcpyDtoH_v2(*mut c_void, Address, usize);
    cuMemAllocHost_v2(*mut *mut c_void, usize);
    cuMemFreeHost(*mut c_void);
    cuMemcpyHtoDAsync_v2(Address, *const c_void, usize, *mut c_void);
    cuMemcpyDtoHAsync_v2(*mut c_void, Address, usize, *mut c_void);
    cuEventCreate(*mut *mut c_void, c_uint);
    cuEventRecord(*mut c_void, *mut c_void);
    cuEventQuery(*mut c_void);
    cuEventDestroy_v2(*mut c_void);
    cuCtxSynchronize();
    cuStreamSynchronize(*mut c_void);
    cuPointerGetAttribute(*mut c_void, c_int, Address);
    cuStreamIsCapturing(*mut c_void, *mut c_int);
    cuLaunchKernel(
        *mut c_void, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, *mut c_void,
        *mut *mut c_void, *mut *mut c_void
    );
    cuGetErrorName(Code, *mut *const c_char);
}

/// Why the device cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Problem {
    /// There is no driver. The text is the loader's.
    NoDriver { reason: String },
    /// The driver is older than this library needs.
    OldDriver { lacks: &'static str },
    /// There is no such device.
    NoDevice { reason: String },
    /// The device is older than the kernels need.
    OldDevice { major: i32, minor: i32 },
    /// A function of the driver has failed.
    Failed {
        call: &'static str,
        error: String,
        log: String,
    },
    /// The memory of the device is exhausted.
    Memory,
}

const OUT_OF_MEMORY: Code = 2;
const NO_DEVICE: Code = 100;
const INVALID_DEVICE: Code = 101;
/// The oldest driver that has all functions above, as `cuDriverGetVersion` tells it: that of CUDA
/// 11.0.
const OLDEST_DRIVER: c_int = 11_000;
/// The oldest device: the target of the text.
const OLDEST_DEVICE: (c_int, c_int) = (7, 0);

/// The driver of the process.
pub(crate) struct Driver {
    functions: Functions,
}

impl Driver {
    /// The driver, which stays loaded as long as the process runs.
    pub(crate) fn get() -> Result<&'static Driver, Problem> {
        static DRIVER: OnceLock<Result<Driver, Problem>> = OnceLock::new();
        DRIVER
            .get_or_init(Driver::load)
            .as_ref()
            .map_err(Clone::clone)
    }

    fn load() -> Result<Driver, Problem> {
        let library = open(c"libcuda.so.1").map_err(|reason| Problem::NoDriver { reason })?;
        // SAFETY: the functions of the driver have the types that its header gives them
        let functions = unsafe { Functions::of(|name| find(library, name)) }?;
        let driver = Driver { functions };
        // SAFETY: as its documentation says
        let code = unsafe { (driver.functions.cuInit)(0) };
        driver.check_device("cuInit", code)?;
        let mut version = 0;
        // SAFETY: it writes a number
        let code = unsafe { (driver.functions.cuDriverGetVersion)(&mut version) };
        driver.check("cuDriverGetVersion", code)?;
        if version < OLDEST_DRIVER {
            return Err(Problem::OldDriver { lacks: "CUDA 11.0" });
        }
        Ok(driver)
    }

    fn check(&self, call: &'static str, code: Code) -> Result<(), Problem> {
        match code {
            0 => Ok(()),
            OUT_OF_MEMORY => Err(Problem::Memory),
            _ => Err(Problem::Failed {
                call,
                error: self.name_of(code),
                log: String::new(),
            }),
        }
    }

    fn check_device(&self, call: &'static str, code: Code) -> Result<(), Problem> {
        match code {
            NO_DEVICE | INVALID_DEVICE => Err(Problem::NoDevice {
                reason: self.name_of(code),
            }),
            _ => self.check(call, code),
        }
    }

    fn name_of(&self, code: Code) -> String {
        let mut name = std::ptr::null();
        // SAFETY: it writes a pointer to a text of the driver, or NULL
        unsafe {
            (self.functions.cuGetErrorName)(code, &mut name);
            if name.is_null() {
                format!("error {code}")
            } else {
                CStr::from_ptr(name).to_string_lossy().into_owned()
            }
        }
    }
}

/// A device.
pub(crate) struct Device {
    driver: &'static Driver,
    ordinal: c_int,
    name: String,
    context: *mut c_void,
}

// SAFETY: the driver may be called on any thread; what a call changes here is behind its own locks
unsafe impl Send for Device {}
// SAFETY: as above
unsafe impl Sync for Device {}

impl Device {
    /// Opens a device, in its primary context.
    pub(crate) fn open(ordinal: i32) -> Result<Device, Problem> {
        let driver = Driver::get()?;
        let functions = &driver.functions;
        let mut number = 0;
        // SAFETY: it writes a number
        let code = unsafe { (functions.cuDeviceGet)(&mut number, ordinal) };
        driver.check_device("cuDeviceGet", code)?;
        let [major, minor] = [driver.attribute(number, 75)?, driver.attribute(number, 76)?];
        if (major, minor) < OLDEST_DEVICE {
            return Err(Problem::OldDevice { major, minor });
        }
        let name = driver.name_of_device(number)?;
        let mut context = std::ptr::null_mut();
        // SAFETY: it writes a pointer
        let code = unsafe { (functions.cuDevicePrimaryCtxRetain)(&mut context, number) };
        driver.check_device("cuDevicePrimaryCtxRetain", code)?;
        Ok(Device {
            driver,
            ordinal: number,
            name,
            context,
        })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Makes the context current on this thread, until the result is dropped.
    fn enter(&self) -> Result<Inside<'_>, Problem> {
        // SAFETY: the context is retained as long as `self` lives
        let code = unsafe { (self.driver.functions.cuCtxPushCurrent_v2)(self.context) };
        self.driver.check("cuCtxPushCurrent", code)?;
        Ok(Inside(self))
    }

    /// Waits for what the device has been given, and needs no stream that is still there.
    pub(crate) fn synchronise_all(&self) -> Result<(), Problem> {
        let _inside = self.enter()?;
        // SAFETY: it takes nothing
        let code = unsafe { (self.driver.functions.cuCtxSynchronize)() };
        self.driver.check("cuCtxSynchronize", code)
    }

    /// A copy of the numbers between two addresses, if they are in the memory of a device. It waits
    /// for what the device has been given.
    pub(crate) fn copy_from(
        &self,
        first: *const f64,
        count: usize,
    ) -> Result<Option<Vec<f64>>, Problem> {
        const MEMORY_TYPE: c_int = 2;
        const OF_A_DEVICE: c_uint = 2;
        let mut of: c_uint = 0;
        let address = first.addr() as Address;
        let _inside = self.enter()?;
        let functions = &self.driver.functions;
        // SAFETY: it writes a number, and knows other addresses from those that it has given
        let code = unsafe {
            (functions.cuPointerGetAttribute)((&raw mut of).cast(), MEMORY_TYPE, address)
        };
        if code != 0 || of != OF_A_DEVICE {
            return Ok(None); // the driver does not know the memory of the host
        }
        self.synchronise_all()?;
        let mut copy = Vec::new();
        copy.try_reserve_exact(count).map_err(|_| Problem::Memory)?;
        copy.resize(count, 0.0);
        // SAFETY: there is room for them; the caller has said that they are there
        let code =
            unsafe { (functions.cuMemcpyDtoH_v2)(copy.as_mut_ptr().cast(), address, 8 * count) };
        self.driver.check("cuMemcpyDtoH", code)?;
        Ok(Some(copy))
    }

    /// Whether a graph is captured from the stream.
    pub(crate) fn is_capturing(&self, stream: *mut c_void) -> Result<bool, Problem> {
        let mut is_capturing = 0;
        let _inside = self.enter()?;
        // SAFETY: it writes a number; the caller of the library has said that this is a stream
        let code =
            unsafe { (self.driver.functions.cuStreamIsCapturing)(stream, &mut is_capturing) };
        self.driver.check("cuStreamIsCapturing", code)?;
        Ok(is_capturing != 0)
    }

    /// Waits for what the stream has been given.
    pub(crate) fn synchronise(&self, stream: *mut c_void) -> Result<(), Problem> {
        let _inside = self.enter()?;
        // SAFETY: the caller of the library has said that this is a stream
        let code = unsafe { (self.driver.functions.cuStreamSynchronize)(stream) };
        self.driver.check("cuStreamSynchronize", code)
    }
}

impl Driver {
    fn attribute(&self, device: c_int, attribute: c_int) -> Result<c_int, Problem> {
        let mut value = 0;
        // SAFETY: it writes a number
        let code = unsafe { (self.functions.cuDeviceGetAttribute)(&mut value, attribute, device) };
        self.check("cuDeviceGetAttribute", code)?;
        Ok(value)
    }

    fn name_of_device(&self, device: c_int) -> Result<String, Problem> {
        let mut name = [0_u8; 256];
        // SAFETY: it writes at most so many characters
        let code = unsafe {
            (self.functions.cuDeviceGetName)(name.as_mut_ptr().cast(), name.len() as c_int, device)
        };
        self.check("cuDeviceGetName", code)?;
        let text = CStr::from_bytes_until_nul(&name).unwrap_or_default();
        Ok(text.to_string_lossy().into_owned())
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: nothing uses the context of this device any more
        unsafe { (self.driver.functions.cuDevicePrimaryCtxRelease_v2)(self.ordinal) };
    }
}

/// While this lives the context is current on this thread.
struct Inside<'d>(&'d Device);

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        let mut context = std::ptr::null_mut();
        // SAFETY: it takes away what `enter` has put there
        unsafe { (self.0.driver.functions.cuCtxPopCurrent_v2)(&mut context) };
    }
}
