//! One thread: started by the C library, where what runs out is an error.

use crate::error::Error;
use std::ffi::c_void;
#[cfg(all(unix, not(miri)))]
use std::{mem::MaybeUninit, ptr::null_mut};

/// What a thread runs, and what it gets.
type Main = extern "C" fn(*mut c_void) -> *mut c_void;

/// The stack of a helper, in bytes: that of a main thread, since callbacks run on that and on
/// helpers.
const STACK: usize = 8 << 20;

/// The number of the process, by which a fork is told from it. Where there are no forks it is 0:
/// processes may have no numbers there.
pub(super) fn process() -> u32 {
    if cfg!(all(unix, not(miri))) {
        std::process::id()
    } else {
        0
    }
}

#[cfg(all(unix, not(miri)))] // Miri has neither attributes of threads nor signals
// in some C libraries a pointer; as a number, any thread may have it
pub(super) struct Thread(usize);

#[cfg(all(unix, not(miri)))]
impl Thread {
    /// Starts a thread that runs `main`. The thread blocks signals, which go to the host's threads,
    /// but those of its own faults: it gets the mask of the thread that starts it, so that has the
    /// same for this moment.
    pub(super) fn start(main: Main, argument: *mut c_void) -> Result<Self, Error> {
        let mut attributes = MaybeUninit::uninit();
        let mut thread = MaybeUninit::uninit();
        let mut blocked = MaybeUninit::uninit();
        let mut before = MaybeUninit::uninit();
        // SAFETY: init initialises the attributes, which the next calls use and destroy ends;
        // create initialises the thread if it returns 0. sigfillset initialises the first set, the
        // first pthread_sigmask the second, and neither can fail here. `main` takes the argument as
        // it is.
        unsafe {
            if libc::pthread_attr_init(attributes.as_mut_ptr()) != 0 {
                return Err(Error::Memory);
            }
            libc::pthread_attr_setstacksize(attributes.as_mut_ptr(), STACK);
            libc::sigfillset(blocked.as_mut_ptr());
            for fault in [
                libc::SIGSEGV,
                libc::SIGBUS,
                libc::SIGFPE,
                libc::SIGILL,
                libc::SIGTRAP,
                libc::SIGSYS,
            ] {
                libc::sigdelset(blocked.as_mut_ptr(), fault);
            }
            libc::pthread_sigmask(libc::SIG_SETMASK, blocked.as_ptr(), before.as_mut_ptr());
            let status =
                libc::pthread_create(thread.as_mut_ptr(), attributes.as_ptr(), main, argument);
            libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), null_mut());
            libc::pthread_attr_destroy(attributes.as_mut_ptr());
            if status == 0 {
                Ok(Thread(thread.assume_init() as usize))
            } else {
                Err(Error::Memory)
            }
        }
    }

    pub(super) fn join(self) {
        // SAFETY: a thread that was started, joined here alone.
        unsafe { libc::pthread_join(self.0 as libc::pthread_t, null_mut()) };
    }
}

/// By the standard library, which ends the process if there is no memory for a thread, and returns
/// an error where there are no threads.
#[cfg(any(not(unix), miri))]
pub(super) struct Thread(std::thread::JoinHandle<()>);

#[cfg(any(not(unix), miri))]
impl Thread {
    pub(super) fn start(main: Main, argument: *mut c_void) -> Result<Self, Error> {
        let address = argument.expose_provenance();
        let run = move || _ = main(std::ptr::with_exposed_provenance_mut(address));
        std::thread::Builder::new()
            .stack_size(STACK)
            .spawn(run)
            .map(Thread)
            .map_err(|_| Error::Memory)
    }

    pub(super) fn join(self) {
        let _ = self.0.join(); // it does not panic
    }
}
