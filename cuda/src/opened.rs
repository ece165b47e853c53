//! A device with the kernels of this library.

use crate::driver::{Device, Kernel};
use crate::layout::Arguments;
use crate::method::SchemeKind;
use crate::refusal::Refusal;
use std::ffi::{CStr, c_void};
use std::sync::Arc;

/// The kernels, each a function of [`Arguments`].
const KERNELS: [&CStr; 18] = [
    c"qi_kernel_pcdm",
    c"qi_kernel_cf4",
    c"qi_kernel_splitting",
    c"qi_kernel_damped_pcdm",
    c"qi_kernel_damped_splitting",
    c"qi_kernel_baoab",
    c"qi_kernel_brownian",
    c"qi_kernel_pcdm_in_axes",
    c"qi_kernel_cf4_in_axes",
    c"qi_kernel_first_torques",
    c"qi_kernel_show",
    c"qi_kernel_kick_drift",
    c"qi_kernel_common_pcdm",
    c"qi_kernel_common_pcdm_in_axes",
    c"qi_kernel_common_kick_drift",
    c"qi_kernel_factors",
    c"qi_kernel_totals",
    c"qi_kernel_operations",
];

/// An index of [`KERNELS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    Pcdm,
    Cf4,
    Splitting,
    DampedPcdm,
    DampedSplitting,
    Baoab,
    Brownian,
    PcdmInAxes,
    Cf4InAxes,
    FirstTorques,
    Show,
    KickDrift,
    CommonPcdm,
    CommonPcdmInAxes,
    CommonKickDrift,
    Factors,
    Totals,
    Operations,
}

impl Work {
    /// The stages of a scheme.
    pub(crate) fn of(scheme: SchemeKind) -> Self {
        match scheme {
            SchemeKind::Pcdm => Work::Pcdm,
            SchemeKind::Cf4 => Work::Cf4,
            SchemeKind::Splitting(_) => Work::Splitting,
            SchemeKind::DampedPcdm => Work::DampedPcdm,
            SchemeKind::DampedSplitting => Work::DampedSplitting,
            SchemeKind::Baoab => Work::Baoab,
            SchemeKind::Brownian => Work::Brownian,
        }
    }

    /// The kernel for arguments of the common form, if it has one of its own.
    fn in_common_form(self) -> Self {
        match self {
            Work::Pcdm => Work::CommonPcdm,
            Work::PcdmInAxes => Work::CommonPcdmInAxes,
            Work::KickDrift => Work::CommonKickDrift,
            other => other,
        }
    }
}

/// A device with its kernels.
pub(crate) struct Opened {
    pub(crate) device: Arc<Device>,
    kernels: [Kernel; KERNELS.len()],
}

/// The text of the kernels, which `make ptx` writes.
const TEXT: &str = concat!(include_str!("../ptx/quatint.ptx"), "\0");

impl Opened {
    pub(crate) fn new(ordinal: i32) -> Result<Self, Refusal> {
        let text = CStr::from_bytes_with_nul(TEXT.as_bytes()).expect("one zero, at the end");
        let device = Device::open(ordinal, text)?;
        let mut kernels = [None; KERNELS.len()];
        for (kernel, name) in kernels.iter_mut().zip(KERNELS) {
            *kernel = Some(device.kernel(name)?);
        }
        Ok(Opened {
            device: Arc::new(device),
            kernels: kernels.map(|kernel| kernel.expect("found above")),
        })
    }

    /// Starts a kernel for all bodies of the arguments.
    ///
    /// # Safety
    /// The addresses must be those of arrays on the device that stay until the kernel has ended.
    pub(crate) unsafe fn launch(
        &self,
        work: Work,
        stream: *mut c_void,
        arguments: &Arguments,
    ) -> Result<(), Refusal> {
        let is_common = *arguments == arguments.in_common_form();
        let work = if is_common {
            work.in_common_form()
        } else {
            work
        };
        let kernel = self.kernels[work as usize];
        // SAFETY: these are the arguments of every kernel, and their addresses are as above
        unsafe {
            self.device
                .launch(kernel, arguments.count, stream, arguments)?
        };
        Ok(())
    }
}
