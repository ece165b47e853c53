//! Sums over the bodies.

use crate::access::Numbers;
use crate::bodies;
use crate::device::thread;
use crate::kernel::Vec3;
use crate::layout::Arguments;

/// The kinetic energy and the angular momentum, world frame, of every so many of the active bodies:
/// each thread has its own, always the same ones in the same order, so that the sums have the same
/// bits in each call.
///
/// # Safety
/// As a kernel.
#[inline(always)]
pub(crate) unsafe fn totals(arguments: &Arguments) {
    let thread = thread();
    if thread >= arguments.count {
        return;
    }
    let mut energy = 0.0;
    let mut momentum = Vec3::splat(0.0);
    let mut place = thread;
    while place < arguments.summed {
        // SAFETY: as this function
        unsafe {
            if let Some(i) = bodies::at(arguments, place) {
                let inertia = bodies::inertia(arguments, i);
                if let Some(state) = bodies::start(arguments, i, &inertia) {
                    let spin = inertia.angular_momentum(state.omega_body);
                    energy = energy + state.omega_body.dot(spin) * 0.5;
                    momentum = momentum + state.q.to_world(spin);
                }
            }
        }
        place += arguments.count;
    }
    let [x, y, z] = momentum.0;
    // SAFETY: as this function
    unsafe { arguments.sums.put_from(thread, 0, [energy, x, y, z]) };
}
