//! The kernels: what a thread of a GPU does with one body.
//!
//! The arithmetic is that of the library, from the same files: `src/kernel`, `src/method` and
//! `src/torque` are compiled here for the target `nvptx64-nvidia-cuda`, without `std`. This crate
//! adds what is around it: how a thread finds its body in arrays, what it keeps in memory between
//! stages and steps, and where it notes a failure. `cuda/ptx/make.sh` compiles it.
//!
//! | module | contents |
//! |---|---|
//! | device | what the hardware has and `core` lacks: the number of the thread, roots |
//! | layout | the arguments of a kernel, shared with the host |
//! | access | numbers of a body in arrays |
//! | bodies | inertias; bound quantities to states and back; failures |
//! | acting | the torques and resistances |
//! | noise | what drag and noise do with a body |
//! | steps | whole steps, or one stage |
//! | kicks | kicks and drifts |
//! | single | free rotations in single precision |
//! | sums | sums over the bodies |

#![no_std]
#![allow(dead_code)] // the files of the library have more than kernels need
#![allow(clippy::manual_map, clippy::needless_range_loop)]

extern crate core as std; // the files of the library name it so

#[path = "../../src/kernel/mod.rs"]
#[allow(unused_imports)]
mod kernel;
#[path = "../../src/method/mod.rs"]
#[allow(unused_imports)]
mod method;
#[path = "../../src/torque/mod.rs"]
#[allow(unused_imports)]
mod torque;

#[path = "../src/layout.rs"]
mod layout;

mod access;
mod acting;
mod bodies;
mod device;
mod kicks;
mod noise;
mod single;
mod steps;
mod sums;

/// What the constructors of torques call. The host checks numbers; no kernel constructs a torque by
/// them.
mod error {
    pub(crate) struct Error;

    pub(crate) fn check(is_right: bool, _: &'static str, _: &'static str) -> Result<(), Error> {
        if is_right { Ok(()) } else { Err(Error) }
    }

    pub(crate) fn finite<const N: usize>(
        _: &'static str,
        values: [f64; N],
    ) -> Result<[f64; N], Error> {
        Ok(values)
    }
}

/// As [`error`].
mod rotation {
    use crate::error::Error;
    use crate::kernel::Vec3;

    pub(crate) fn direction(_: &'static str, vector: [f64; 3]) -> Result<Vec3<f64>, Error> {
        Ok(Vec3(vector))
    }
}

use layout::Arguments;
use method::{AnySplitting, Baoab, Brownian, Cf4, DampedPcdm, DampedSplitting, Pcdm};
use method::{ShortBaoab, ShortDampedSplitting, ShortSplitting};

/// Exports functions over the arguments as kernels, all for arguments of any form or of one.
macro_rules! kernels {
    ($($name:ident: $function:expr $(, $form:ident)?;)*) => {$(
        /// # Safety
        /// Addresses and strides must be those of arrays on the device.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(arguments: Arguments) {
            $(let arguments = arguments.$form();)?
            // SAFETY: as above
            unsafe { $function(&arguments); }
        }
    )*};
}

kernels! {
    qi_kernel_pcdm: steps::take::<Pcdm>;
    qi_kernel_cf4: steps::take::<Cf4>;
    qi_kernel_splitting: steps::short_first::<ShortSplitting, AnySplitting>;
    qi_kernel_damped_pcdm: steps::take::<DampedPcdm>;
    qi_kernel_damped_splitting: steps::short_first::<ShortDampedSplitting, DampedSplitting>;
    qi_kernel_baoab: steps::short_first::<ShortBaoab, Baoab>;
    qi_kernel_brownian: steps::take::<Brownian>;
    qi_kernel_pcdm_in_axes: steps::pcdm_in_axes;
    qi_kernel_cf4_in_axes: steps::cf4_in_axes;
    qi_kernel_first_torques: steps::ask_first;
    qi_kernel_show: steps::show;
    qi_kernel_kick_drift: kicks::kick_drift;
    qi_kernel_single_kick_drift: kicks::single_kick_drift;
    qi_kernel_factors: noise::prepare;
    qi_kernel_totals: sums::totals;
    qi_kernel_operations: device::operations;
}

// those of the common forms
kernels! {
    qi_kernel_common_pcdm: steps::take::<Pcdm>, in_common_form;
    qi_kernel_common_pcdm_in_axes: steps::pcdm_in_axes, in_common_form;
    qi_kernel_common_splitting: steps::short_first::<ShortSplitting, AnySplitting>, in_common_form;
    qi_kernel_common_kick_drift: kicks::kick_drift, in_common_form;
    qi_kernel_common_single_kick_drift: kicks::single_kick_drift, in_common_form;
    qi_kernel_common_baoab: steps::short_first::<ShortBaoab, Baoab>, in_common_form;
    qi_kernel_common_brownian: steps::take::<Brownian>, in_common_form;
    qi_kernel_common_damped_pcdm: steps::take::<DampedPcdm>, in_common_form_beside_drag;
    qi_kernel_common_damped_splitting:
        steps::short_first::<ShortDampedSplitting, DampedSplitting>, in_common_form_beside_drag;
}
