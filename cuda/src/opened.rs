//! A device with the kernels of this library.

use crate::driver::{Device, Kernel, Problem};
use crate::layout::Arguments;
use crate::method::SchemeKind;
use crate::refusal::Refusal;
use std::ffi::{CStr, CString, c_void};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The kernels, each a function of [`Arguments`].
const KERNELS: [&CStr; 25] = [
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
    c"qi_kernel_single_kick_drift",
    c"qi_kernel_common_pcdm",
    c"qi_kernel_common_pcdm_in_axes",
    c"qi_kernel_common_splitting",
    c"qi_kernel_common_kick_drift",
    c"qi_kernel_common_single_kick_drift",
    c"qi_kernel_common_damped_pcdm",
    c"qi_kernel_common_damped_splitting",
    c"qi_kernel_common_baoab",
    c"qi_kernel_common_brownian",
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
    SingleKickDrift,
    CommonPcdm,
    CommonPcdmInAxes,
    CommonSplitting,
    CommonKickDrift,
    CommonSingleKickDrift,
    CommonDampedPcdm,
    CommonDampedSplitting,
    CommonBaoab,
    CommonBrownian,
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

    /// The kernel for these arguments: in their precision, and that of their common form, if they have
    /// it and it has one.
    fn for_arguments(self, arguments: &Arguments) -> Self {
        let general = match self {
            Work::KickDrift if arguments.drifts_in_single != 0 => Work::SingleKickDrift,
            other => other,
        };
        let common = match general {
            Work::Pcdm => Work::CommonPcdm,
            Work::PcdmInAxes => Work::CommonPcdmInAxes,
            Work::Splitting => Work::CommonSplitting,
            Work::KickDrift => Work::CommonKickDrift,
            Work::SingleKickDrift => Work::CommonSingleKickDrift,
            Work::DampedPcdm => Work::CommonDampedPcdm,
            Work::DampedSplitting => Work::CommonDampedSplitting,
            Work::Baoab => Work::CommonBaoab,
            Work::Brownian => Work::CommonBrownian,
            other => return other,
        };
        let form = match general {
            Work::DampedPcdm | Work::DampedSplitting => arguments.in_common_form_beside_drag(),
            _ => arguments.in_common_form(),
        };
        if *arguments == form { common } else { general }
    }
}

/// A device with its kernels, each loaded where it is first used: the driver takes half a second for
/// those of a simulation, and six for all.
pub(crate) struct Opened {
    pub(crate) device: Arc<Device>,
    kernels: [OnceLock<Kernel>; KERNELS.len()],
    /// Taken to load one.
    turn: Mutex<()>,
}

/// The text of the kernels, which `make ptx` writes.
const TEXT: &str = include_str!("../ptx/quatint.ptx");
/// What each kernel begins with.
const BEGINS: &str = ".visible .entry ";

/// The text of a module with one kernel: the functions and constants of all, and itself.
fn text_of(kernel: &CStr) -> Result<CString, Refusal> {
    let name = kernel.to_str().expect("letters");
    let begins = format!("{BEGINS}{name}(");
    let first = TEXT.find(BEGINS).expect("the text has kernels");
    let start = TEXT.find(&begins).expect("the text has this kernel");
    let after = start + begins.len();
    let end = TEXT[after..]
        .find(BEGINS)
        .map_or(TEXT.len(), |length| after + length);
    let parts = [&TEXT[..first], &TEXT[start..end]];
    let mut text = Vec::new();
    text.try_reserve_exact(parts.iter().map(|part| part.len()).sum::<usize>() + 1)
        .map_err(|_| Problem::Memory)?;
    for part in parts {
        text.extend_from_slice(part.as_bytes());
    }
    Ok(CString::new(text).expect("no zeros"))
}

impl Opened {
    /// Opens a device. Loads a kernel, so that a driver that refuses the text says so now.
    pub(crate) fn new(ordinal: i32) -> Result<Self, Refusal> {
        let opened = Opened {
            device: Arc::new(Device::open(ordinal)?),
            kernels: std::array::from_fn(|_| OnceLock::new()),
            turn: Mutex::new(()),
        };
        opened.kernel(Work::Show)?;
        Ok(opened)
    }

    fn kernel(&self, work: Work) -> Result<&Kernel, Refusal> {
        let place = &self.kernels[work as usize];
        if let Some(kernel) = place.get() {
            return Ok(kernel);
        }
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = place.get() {
            return Ok(kernel); // another thread has loaded it
        }
        let name = KERNELS[work as usize];
        let kernel = self.device.load(&text_of(name)?, name)?;
        Ok(place.get_or_init(|| kernel))
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
        let kernel = self.kernel(work.for_arguments(arguments))?;
        // SAFETY: these are the arguments of every kernel, and their addresses are as above
        unsafe {
            self.device
                .launch(kernel, arguments.count, stream, arguments)?
        };
        Ok(())
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        for kernel in self.kernels.iter().filter_map(OnceLock::get) {
            self.device.unload(kernel);
        }
    }
}
