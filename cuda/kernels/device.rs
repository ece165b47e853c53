//! What the hardware has and `core` lacks. `cuda/ptx/module.py` writes the functions that are only
//! declared here: `sqrt.rn` and the registers that tell a thread its number.

use crate::access::Numbers;
use crate::layout::Arguments;

unsafe extern "C" {
    safe fn qi_device_sqrt(x: f64) -> f64;
    safe fn qi_device_sqrt_single(x: f32) -> f32;
    safe fn qi_device_thread() -> u64;
}

/// The number of this thread, which is that of its body.
#[inline(always)]
pub(crate) fn thread() -> u64 {
    qi_device_thread()
}

#[inline(always)]
pub(crate) fn sqrt(x: f64) -> f64 {
    qi_device_sqrt(x)
}

#[inline(always)]
pub(crate) fn sqrt_single(x: f32) -> f32 {
    qi_device_sqrt_single(x)
}

/// From here on each double is a whole number.
const ALL_WHOLE: f64 = (1_u64 << 52) as f64;

pub(crate) fn floor(x: f64) -> f64 {
    if !(-ALL_WHOLE < x && x < ALL_WHOLE) {
        return x; // also NaN
    }
    let towards_zero = x as i64 as f64;
    if towards_zero > x {
        towards_zero - 1.0
    } else {
        towards_zero
    }
}

pub(crate) fn ceil(x: f64) -> f64 {
    -floor(-x)
}

/// The operations themselves, of two numbers: for a test of a device and of its driver's compiler.
/// The first array is read, the second written.
///
/// # Safety
/// As a kernel.
#[inline(always)]
pub(crate) unsafe fn operations(arguments: &Arguments) {
    let i = thread();
    if i >= arguments.count {
        return;
    }
    // SAFETY: as this function
    unsafe {
        let [a, b] = arguments.torque_array.get(i);
        let to = &arguments.shown_velocity;
        let single = f64::from(sqrt_single(a as f32));
        to.put_from(i, 0, [a + b, a - b, a * b, a / b, sqrt(a), 1.0 / b, single]);
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
