//! Whether a device computes as IEEE 754 says.

use crate::driver::{Buffer, Problem};
use crate::layout::{Arguments, Array};
use crate::opened::{Opened, Work};
use crate::refusal::Refusal;

const PAIRS: usize = 1 << 20;
/// The pairs that are on the device at once.
const AT_ONCE: usize = 1 << 17;
const RESULTS: usize = 26;

/// What `cuda/kernels/device.rs` computes of a pair, by the host.
fn results_of(a: f64, b: f64) -> [f64; RESULTS] {
    let [x, y] = [a as f32, b as f32];
    let [c, d] = [a, b].map(|a| if a.is_nan() { 0.0 } else { a });
    let [m, n] = [a, b].map(|a| (a.to_bits() as u32).rotate_left(13));
    let wide = u64::from(m) * u64::from(n);
    let doubles = [a + b, a - b, a * b, a / b, a.sqrt(), 1.0 / b];
    let chosen = [-a, a.abs(), c.min(d), c.max(d)];
    let singles = [x + y, x - y, x * y, x / y, x.sqrt(), 1.0 / y].map(f64::from);
    let of_whole = [m as f32, m as i32 as f32].map(f64::from);
    let whole = [a as i64 as f64, a as u64 as i64 as f64];
    let noise = [wide as u32, (wide >> 32) as u32, m ^ n].map(f64::from);
    let compared = [a < b, a <= b, a == b].map(|is| if is { 1.0 } else { 0.0 });
    let groups: [&[f64]; 7] = [
        &doubles, &chosen, &singles, &of_whole, &whole, &noise, &compared,
    ];
    let mut results = [0.0; RESULTS];
    for (result, of) in results.iter_mut().zip(groups.into_iter().flatten()) {
        *result = *of;
    }
    results
}

/// Compares the results of a million pairs of numbers. Errors: one differs.
pub(crate) fn operations(opened: &Opened) -> Result<(), Refusal> {
    let device = &opened.device;
    let mut results = vec![0.0; RESULTS * AT_ONCE];
    let mut given = Buffer::new::<f64>(device, 2 * AT_ONCE)?;
    let to = Buffer::new::<f64>(device, results.len())?;
    let rows = |buffer: &Buffer, numbers: usize| Array {
        address: buffer.address(),
        body: numbers as i64,
        component: 1,
        ..Array::default()
    };
    let arguments = Arguments {
        count: AT_ONCE as u64,
        torque_array: rows(&given, 2),
        shown_velocity: rows(&to, RESULTS),
        ..Arguments::default()
    };
    for pairs in pairs().chunks_exact(2 * AT_ONCE) {
        given.write(pairs)?;
        // SAFETY: the two buffers live until their numbers have been read
        unsafe { opened.launch(Work::Operations, std::ptr::null_mut(), &arguments)? };
        device.synchronise(std::ptr::null_mut())?;
        to.read(&mut results)?;
        for (pair, results) in pairs.chunks_exact(2).zip(results.chunks_exact(RESULTS)) {
            compare([pair[0], pair[1]], results)?;
        }
    }
    Ok(())
}

fn compare([a, b]: [f64; 2], results: &[f64]) -> Result<(), Refusal> {
    for (k, (result, right)) in results.iter().zip(results_of(a, b)).enumerate() {
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
