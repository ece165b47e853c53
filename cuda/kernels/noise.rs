//! What drag and noise do with a body in a step.

use crate::access::Numbers;
use crate::bodies;
use crate::device::thread;
use crate::kernel::{Quat, Vec3, drawn, normals};
use crate::layout::Arguments;
use crate::method::{Bath, MODE_NUMBERS, Modes, Response, diffusion, relaxation};

/// The effect in a step with this number of a draw. `q`: the orientation at its start.
///
/// # Safety
/// As a kernel.
#[inline(always)]
pub(crate) unsafe fn bath(
    arguments: &Arguments,
    i: u64,
    q: Quat<f64>,
    draw: u64,
    has_modes: bool,
) -> Bath<f64> {
    // SAFETY: as this function
    unsafe {
        let id = if arguments.ids.is_there() {
            arguments.ids.bits(i)
        } else {
            i
        };
        let three = normals::<1>(&drawn::<1>(arguments.seed, draw, |_| id));
        let deviates = Vec3([
            f64::from(three[0][0]),
            f64::from(three[1][0]),
            f64::from(three[2][0]),
        ]);
        let [a, b, c, x, y, z] = arguments.factors.get(i);
        let factors = [Vec3([a, b, c]), Vec3([x, y, z])];
        let mut bath = if has_modes && arguments.modes.is_there() {
            let modes = Modes::of_numbers(arguments.modes.get::<MODE_NUMBERS>(i));
            modes.in_body(factors, deviates)
        } else {
            let [response, spread] = factors;
            Bath {
                response: Response::Diagonal(response),
                noise: spread.times(deviates),
                drawn: None,
                flow_body: None,
            }
        };
        if arguments.noise_flow.is_there() {
            bath.flow_body = Some(q.to_body(Vec3(arguments.noise_flow.get(i))));
        }
        bath
    }
}

/// Computes the factors of each body.
///
/// # Safety
/// As a kernel.
#[inline(always)]
pub(crate) unsafe fn prepare(arguments: &Arguments) {
    let i = thread(); // of all bodies, because others may be active in the next step
    if i >= arguments.count {
        return;
    }
    // SAFETY: as this function
    unsafe {
        let inertia = bodies::inertia(arguments, i);
        let coefficients = Vec3(arguments.noise_coefficients.get(i));
        let kt = arguments.kt;
        let h = arguments.h;
        let [Vec3([a, b, c]), Vec3([x, y, z])] = if arguments.is_brownian != 0 {
            diffusion(inertia.reciprocals, coefficients, kt, h)
        } else if arguments.modes.is_there() {
            let modes = Modes::of_numbers(arguments.modes.get::<MODE_NUMBERS>(i));
            relaxation(&modes, kt, h)
        } else {
            relaxation(&Modes::aligned(inertia.reciprocals, coefficients), kt, h)
        };
        arguments.factors.put_from(i, 0, [a, b, c, x, y, z]);
    }
}
