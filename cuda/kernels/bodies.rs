//! The inertia of a body, its state from bound quantities and back, and the record of failures.

use crate::access::Numbers;
use crate::kernel::{PrincipalInertia, Quat, State, Vec3};
use crate::layout::{Arguments, NO_SUCH_BODY, NOT_UNIT};
use crate::layout::{MOMENTUM_BODY, MOMENTUM_CONJUGATE, MOMENTUM_WORLD, OMEGA_BODY, OMEGA_WORLD};
use crate::{device, layout};
use std::sync::atomic::{AtomicU64, Ordering};

/// The body of this thread; `None`: there is none.
///
/// # Safety
/// As a kernel.
#[inline(always)]
pub(crate) unsafe fn of_thread(arguments: &Arguments) -> Option<u64> {
    let place = device::thread();
    if place >= arguments.count {
        return None;
    }
    // SAFETY: as this function
    unsafe { at(arguments, place) }
}

/// The active body at a place; `None`: the list names one that is not there, which is noted.
///
/// # Safety
/// As a kernel; there must be as many active bodies.
#[inline(always)]
pub(crate) unsafe fn at(arguments: &Arguments, place: u64) -> Option<u64> {
    if arguments.active == 0 {
        return Some(place);
    }
    let list = arguments.active as *const u32;
    // SAFETY: as this function
    unsafe {
        let body = u64::from(*list.wrapping_add(place as usize));
        if body < arguments.bodies {
            return Some(body);
        }
        fail(arguments, body, NO_SUCH_BODY);
    }
    None
}

/// The inertia, with the operations of the library's own for each body.
///
/// # Safety
/// As a kernel.
#[inline(always)]
pub(crate) unsafe fn inertia(arguments: &Arguments, i: u64) -> PrincipalInertia<f64> {
    if arguments.inertia_is_plain != 0 {
        return layout::plain_inertia(&arguments.plain_inertia);
    }
    // SAFETY: as this function
    let [a, b, c, x, y, z] = unsafe { arguments.inertia.get(i) };
    let turn = if arguments.inertia_is_turned != 0 {
        // SAFETY: as this function
        Some(Quat(unsafe { arguments.inertia.get_from(i, 6) }))
    } else {
        None
    };
    PrincipalInertia::of(Vec3([a, b, c]), Vec3([x, y, z]), turn)
}

/// What is bound: an orientation, and the quantity in the array of velocities.
#[derive(Clone, Copy)]
pub(crate) struct Bound {
    pub(crate) q: Quat<f64>,
    pub(crate) quantity: Vec3<f64>,
}

/// # Safety
/// As a kernel.
#[inline(always)]
pub(crate) unsafe fn read(arguments: &Arguments, i: u64) -> Bound {
    // SAFETY: as this function
    unsafe {
        let q = Quat(arguments.orientation.orientation(i));
        let quantity = if arguments.velocity_kind == MOMENTUM_CONJUGATE {
            let conjugate = Quat(arguments.velocity.orientation(i));
            (q.conjugate() * conjugate).vector() * 0.5
        } else {
            Vec3(arguments.velocity.given(i))
        };
        Bound { q, quantity }
    }
}

/// # Safety
/// As a kernel.
#[inline(always)]
pub(crate) unsafe fn write(arguments: &Arguments, i: u64, bound: &Bound) {
    // SAFETY: as this function
    unsafe {
        arguments.orientation.give_orientation(i, bound.q.0);
        write_velocity(arguments, i, bound);
    }
}

/// # Safety
/// As a kernel.
#[inline(always)]
pub(crate) unsafe fn write_velocity(arguments: &Arguments, i: u64, bound: &Bound) {
    // SAFETY: as this function
    unsafe {
        if arguments.velocity_kind == MOMENTUM_CONJUGATE {
            let conjugate = bound.q * Quat::from_parts(0.0, bound.quantity * 2.0);
            arguments.velocity.give_orientation(i, conjugate.0);
        } else {
            arguments.velocity.give(i, bound.quantity.0);
        }
    }
}

/// Up to this deviation an orientation keeps its bits, and up to the other it is normalised: the
/// bounds of `ensemble::convert`.
const LEFT_BY_STEPS: f64 = (512.0 * f64::EPSILON) * (512.0 * f64::EPSILON);
const MOST_DEVIATION: f64 = (1.001 * 1.001 - 1.0) * (1.001 * 1.001 - 1.0);

/// The state of bound quantities, as `ensemble::convert` has it; `None`: the orientation is not of
/// unit length.
#[inline(always)]
pub(crate) fn to_state(
    arguments: &Arguments,
    inertia: &PrincipalInertia<f64>,
    bound: &Bound,
) -> Option<State<f64>> {
    let mut q = bound.q;
    let excess = q.norm_squared() - 1.0;
    let deviation = excess * excess;
    // also if it is NaN
    let is_beyond = |bound: f64| !(deviation <= bound);
    if is_beyond(LEFT_BY_STEPS) {
        if is_beyond(MOST_DEVIATION) {
            return None;
        }
        let length = device::sqrt(q.norm_squared());
        let [w, x, y, z] = q.0;
        q = Quat([w / length, x / length, y / length, z / length]);
    }
    let kind = arguments.velocity_kind;
    let mut velocity = bound.quantity;
    if kind == OMEGA_WORLD || kind == MOMENTUM_WORLD {
        velocity = q.to_body(velocity);
    }
    if is_momentum(kind) {
        velocity = inertia.angular_velocity(velocity);
    } else if arguments.has_zero_moment != 0 {
        velocity = inertia.without_locked_axes(velocity);
    }
    if kind != OMEGA_BODY {
        velocity = velocity + Vec3::splat(0.0); // −0 becomes +0, as on the CPU
    }
    Some(State {
        q,
        omega_body: velocity,
    })
}

#[inline(always)]
fn is_momentum(kind: u32) -> bool {
    [MOMENTUM_WORLD, MOMENTUM_BODY, MOMENTUM_CONJUGATE].contains(&kind)
}

/// The reverse of [`to_state`].
#[inline(always)]
pub(crate) fn to_bound(
    arguments: &Arguments,
    inertia: &PrincipalInertia<f64>,
    state: &State<f64>,
) -> Bound {
    let kind = arguments.velocity_kind;
    let mut quantity = state.omega_body;
    if is_momentum(kind) {
        quantity = inertia.angular_momentum(quantity);
    }
    if kind == OMEGA_WORLD || kind == MOMENTUM_WORLD {
        quantity = state.q.to_world(quantity);
    }
    Bound {
        q: state.q,
        quantity,
    }
}

/// What the next step of a call starts from. Bound quantities that are not states are converted after
/// each step, so that many steps of a call have the bits of single ones. `None`: the orientation is
/// not of unit length any more, which no step leaves.
#[inline(always)]
pub(crate) fn next_start(
    arguments: &Arguments,
    inertia: &PrincipalInertia<f64>,
    end: &State<f64>,
    bound: &Bound,
) -> Option<State<f64>> {
    if arguments.velocity_kind == OMEGA_BODY {
        Some(*end)
    } else {
        to_state(arguments, inertia, bound)
    }
}

/// Whether all numbers are finite.
#[inline(always)]
pub(crate) fn are_finite<const K: usize>(numbers: [f64; K]) -> bool {
    let mut sum = 0.0;
    for number in numbers {
        sum = sum + number * 0.0;
    }
    sum == 0.0
}

/// The state at the start of a call. If there is none, the failure is noted.
///
/// # Safety
/// As a kernel.
#[inline(always)]
pub(crate) unsafe fn start(
    arguments: &Arguments,
    i: u64,
    inertia: &PrincipalInertia<f64>,
) -> Option<State<f64>> {
    // SAFETY: as this function
    let bound = unsafe { read(arguments, i) };
    let state = to_state(arguments, inertia, &bound);
    if state.is_none() {
        // SAFETY: as this function
        unsafe { fail(arguments, i, NOT_UNIT) };
    }
    state
}

/// Notes that body `i` has failed. The record does not depend on the order of the threads.
///
/// # Safety
/// As a kernel.
#[cold]
#[inline(never)]
pub(crate) unsafe fn fail(arguments: &Arguments, i: u64, cause: u64) {
    let failures = arguments.failures as *const AtomicU64;
    // SAFETY: as this function; the record has two numbers
    unsafe {
        (*failures).fetch_min(i << 8 | cause, Ordering::Relaxed);
        (*failures.add(1)).fetch_add(1, Ordering::Relaxed);
    }
}
