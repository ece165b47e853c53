//! Whether a device computes as IEEE 754 says.

use crate::driver::{Buffer, Problem};
use crate::layout::{Arguments, Array};
use crate::opened::{Opened, Work};
use crate::refusal::Refusal;

const PAIRS: usize = 1 << 20;
const RESULTS: usize = 7;

/// Compares the results of a million pairs of numbers. Errors: one differs.
pub(crate) fn operations(opened: &Opened) -> Result<(), Refusal> {
    let device = &opened.device;
    let pairs = pairs();
    let mut results = vec![0.0; RESULTS * PAIRS];
    let given = Buffer::of(device, &pairs)?;
    let to = Buffer::new::<f64>(device, results.len())?;
    let rows = |buffer: &Buffer, numbers: usize| Array {
        address: buffer.address(),
        body: numbers as i64,
        component: 1,
        ..Array::default()
    };
    let arguments = Arguments {
        count: PAIRS as u64,
        torque_array: rows(&given, 2),
        shown_velocity: rows(&to, RESULTS),
        ..Arguments::default()
    };
    // SAFETY: the two buffers live until their numbers have been read
    unsafe { opened.launch(Work::Operations, std::ptr::null_mut(), &arguments)? };
    device.synchronise(std::ptr::null_mut())?;
    to.read(&mut results)?;
    for (pair, results) in pairs.chunks_exact(2).zip(results.chunks_exact(RESULTS)) {
        let [a, b] = [pair[0], pair[1]];
        let single = f64::from((a as f32).sqrt());
        let right = [a + b, a - b, a * b, a / b, a.sqrt(), 1.0 / b, single];
        for (k, (result, right)) in results.iter().zip(right).enumerate() {
            let are_none = result.is_nan() && right.is_nan();
            if result.to_bits() != right.to_bits() && !are_none {
                let log = format!("operation {k} of {a:e} and {b:e} is {result:e}, not {right:e}");
                return Err(Refusal::Device(Problem::Failed {
                    call: "the device",
                    error: "it does not compute as IEEE 754 says".to_owned(),
                    log,
                }));
            }
        }
    }
    Ok(())
}

/// Random bits: any numbers, numbers near each other, denormal numbers, and numbers near 1.
fn pairs() -> Vec<f64> {
    let mut state = 88_172_645_463_325_252_u64;
    let mut bits = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    const SIGN_AND_FRACTION: u64 = 0x800f_ffff_ffff_ffff;
    let mut pairs = Vec::with_capacity(2 * PAIRS);
    for i in 0..PAIRS {
        let mut pair = [bits(), bits()];
        match i % 4 {
            1 => pair[1] = (pair[0] & !0xfff_ffff) | (pair[1] & 0xfff_ffff),
            2 => pair = pair.map(|x| x & (SIGN_AND_FRACTION | 1 << 52)),
            3 => pair = pair.map(|x| x & SIGN_AND_FRACTION | (1000 + x % 48) << 52),
            _ => {}
        }
        pairs.extend(pair.map(f64::from_bits));
    }
    pairs
}
