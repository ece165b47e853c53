//! The C interface: pointers in, statuses out. `include/quatint_cuda.h` is generated from this
//! folder.
//!
//! # Safety
//! For every function: handles are those that this library has returned and that have not been
//! given back, and no other thread uses them during the call. Pointers of the host are valid for
//! what the comments say. Addresses of the device are those of arrays there, which stay until the
//! kernels of later calls that use them have ended.

#![allow(non_camel_case_types, clippy::missing_safety_doc)]
#![allow(unsafe_op_in_unsafe_fn)] // their reason is the one above, unless they say another

mod arguments;
mod device;
mod ensemble;
mod forces;
mod motion;
mod stages;
mod status;

pub use device::*;
pub use ensemble::*;
pub use forces::*;
pub use motion::*;
pub use stages::*;
pub use status::*;
