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

/// The operations themselves, of two numbers: for a test of a device and of its driver's compiler,
/// whose other side is `cuda/src/self_test.rs`. The first array is read, the second written.
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
    let [a, b]: [f64; 2] = unsafe { arguments.torque_array.get(i) };
    let [x, y] = [a as f32, b as f32];
    let [c, d] = [a, b].map(|a| if a.is_nan() { 0.0 } else { a });
    let [m, n] = [a, b].map(|a| (a.to_bits() as u32).rotate_left(13));
    let wide = u64::from(m) * u64::from(n);
    let to = &arguments.shown_velocity;
    // SAFETY: as this function
    unsafe {
        to.put_from(i, 0, [a + b, a - b, a * b, a / b, sqrt(a), 1.0 / b]);
        to.put_from(i, 6, [-a, a.abs(), c.min(d), c.max(d)]);
        to.put_from(
            i,
            10,
            [x + y, x - y, x * y, x / y, sqrt_single(x), 1.0 / y].map(f64::from),
        );
        to.put_from(i, 16, [m as f32, m as i32 as f32].map(f64::from));
        to.put_from(i, 18, [a as i64 as f64, a as u64 as i64 as f64]);
        to.put_from(
            i,
            20,
            [wide as u32, (wide >> 32) as u32, m ^ n].map(f64::from),
        );
        to.put_from(
            i,
            23,
            [a < b, a <= b, a == b].map(|is| if is { 1.0 } else { 0.0 }),
        );
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
