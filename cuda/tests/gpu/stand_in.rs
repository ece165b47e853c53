//! Makes the stand-in for the driver, and memory on its device.

use std::ffi::{CStr, CString, c_int, c_void};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, OnceLock};

/// The folder of the crate.
pub fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder for what a test writes.
pub fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&path).expect("the folder of the build is writable");
    path
}

fn succeeds(command: &mut Command) {
    let output = command.output().expect("it can be started");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {text}");
}

/// The kernels in C.
pub fn translated() -> &'static Path {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| {
        let to = scratch("translated").join(format!("kernels_{}.c", std::process::id()));
        let script = folder().join("tests/stand_in/ptx_to_c.py");
        let module = folder().join("ptx/quatint.ptx");
        succeeds(Command::new("python3").arg(script).arg(module).arg(&to));
        to
    })
}

/// Compiles a stand-in from kernels in C, in a folder of this name.
pub fn compiled(kernels: &str, name: &str) -> PathBuf {
    let to = scratch(name);
    std::fs::write(to.join("kernels.c"), kernels).expect("writable");
    let library = to.join("libcuda.so.1");
    let source = folder().join("tests/stand_in/stand_in.c");
    succeeds(
        Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-ffp-contract=off", "-w"])
            .arg("-Werror=implicit-function-declaration")
            .args(["-fno-strict-aliasing", "-Wl,-soname,libcuda.so.1"])
            .arg(format!("-I{}", to.display()))
            .arg(source)
            .arg("-o")
            .arg(&library)
            .arg("-lm"),
    );
    library
}

/// The path of a stand-in that is to be taken instead of the right one.
pub const OTHER: &str = "QUATINT_OTHER_STAND_IN";

/// The path of the stand-in.
pub fn library() -> &'static Path {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| match std::env::var_os(OTHER) {
        Some(other) => other.into(),
        None => {
            let kernels = std::fs::read_to_string(translated()).expect("just written");
            compiled(&kernels, &format!("stand_in_{}", std::process::id()))
        }
    })
}

/// The driver of this process, for one test at a time.
pub struct Driver {
    library: *mut c_void,
    _turn: MutexGuard<'static, ()>,
}

/// Loads the stand-in, so that the library finds it by its name.
pub fn driver() -> Driver {
    static TURN: Mutex<()> = Mutex::new(());
    let turn = TURN
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let path = CString::new(library().to_str().expect("a path")).expect("no zeros");
    // SAFETY: it is a library of ours
    let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
    assert!(!library.is_null(), "{path:?} cannot be loaded");
    Driver {
        library,
        _turn: turn,
    }
}

impl Driver {
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

    fn call(&self, name: &CStr, a: u64, b: u64, c: u64) -> c_int {
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
