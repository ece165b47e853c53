//! The functions of floating-point numbers that `core` lacks. The kernels for GPUs are compiled
//! without `std`, and bring their own: see `cuda/kernels`.

#[cfg(target_arch = "nvptx64")]
pub(super) use crate::device::{ceil, floor, sqrt, sqrt_single};

#[cfg(not(target_arch = "nvptx64"))]
pub(super) use of_std::{ceil, floor, sqrt, sqrt_single};

#[cfg(not(target_arch = "nvptx64"))]
mod of_std {
    #[inline(always)]
    pub(in crate::kernel) fn sqrt(x: f64) -> f64 {
        x.sqrt()
    }

    #[inline(always)]
    pub(in crate::kernel) fn sqrt_single(x: f32) -> f32 {
        x.sqrt()
    }

    #[inline(always)]
    pub(in crate::kernel) fn ceil(x: f64) -> f64 {
        x.ceil()
    }

    #[inline(always)]
    pub(in crate::kernel) fn floor(x: f64) -> f64 {
        x.floor()
    }
}
