//! Kicks and drifts.

use crate::access::Numbers;
use crate::acting;
use crate::bodies::{self, Bound, fail};
use crate::kernel::{FreeRotation, PrincipalInertia, State, Vec3};
use crate::kernel::{free_rotation, short_free_rotation, velocity_kicked};
use crate::layout::{Arguments, MOMENTUM_WORLD, OVERFLOW, TORQUE_NOT_FINITE};
use crate::method::kicked_with_drag;
use crate::single::rotation_in_single;

/// A kick by the array of torques (none: zero torque), then a drift: `ensemble::kick_loops` for one
/// body. `steps` above 1 repeats a drift.
///
/// # Safety
/// As a kernel.
#[inline(always)]
pub(crate) unsafe fn kick_drift(arguments: &Arguments) {
    // SAFETY: as this function
    unsafe { short_first(arguments, short_free_rotation) }
}

/// As [`kick_drift`], with free rotations in single precision where they are short.
///
/// # Safety
/// As a kernel.
#[inline(always)]
pub(crate) unsafe fn single_kick_drift(arguments: &Arguments) {
    // SAFETY: as this function
    unsafe { short_first(arguments, rotation_in_single) }
}

/// [`kick_drift_by`] rotations that are short. A body that has another, which is rare, begins again:
/// nothing has been written by then, so that no number has to be kept for it.
///
/// # Safety
/// As a kernel.
#[inline(always)]
unsafe fn short_first(
    arguments: &Arguments,
    rotate: impl Fn(&PrincipalInertia<f64>, Vec3<f64>, f64) -> Option<FreeRotation<f64>>,
) {
    // SAFETY: as this function
    unsafe {
        if let Some(i) = bodies::of_thread(arguments)
            && kick_drift_by(arguments, i, rotate).is_none()
        {
            begin_again(*arguments);
        }
    }
}

/// # Safety
/// As a kernel.
#[cold]
#[inline(never)]
unsafe extern "C" fn begin_again(arguments: Arguments) {
    let rotate = |inertia: &_, omega, h| {
        // each drift for itself, so that many of a call have the bits of single ones
        let single = match arguments.drifts_in_single {
            0 => None,
            _ => rotation_in_single(inertia, omega, h),
        };
        single.or_else(|| Some(free_rotation(inertia, omega, h)))
    };
    // SAFETY: as this function
    unsafe {
        if let Some(i) = bodies::of_thread(&arguments) {
            kick_drift_by(&arguments, i, rotate);
        }
    }
}

/// A kick and a drift of body `i`; `None`: `rotate` does not know one of the rotations, and nothing
/// has been written.
///
/// # Safety
/// As a kernel.
#[inline(always)]
unsafe fn kick_drift_by(
    arguments: &Arguments,
    i: u64,
    rotate: impl Fn(&PrincipalInertia<f64>, Vec3<f64>, f64) -> Option<FreeRotation<f64>>,
) -> Option<()> {
    // SAFETY: as this function
    unsafe {
        let inertia = bodies::inertia(arguments, i);
        let given = bodies::read(arguments, i);
        let Some(start) = bodies::start(arguments, i, &inertia) else {
            return Some(());
        };
        let Some(mut impulse) = impulse(arguments, i, &start) else {
            fail(arguments, i, TORQUE_NOT_FINITE);
            return Some(());
        };
        let kicked = kicked(arguments, i, &inertia, &start, &mut impulse);
        let keeps = arguments.velocity_kind == MOMENTUM_WORLD && arguments.keeps_momenta != 0;
        let kept = momentum(arguments, &inertia, (&given, &start), &impulse);
        let is_turned = arguments.h != 0.0 || start.q.0 != given.q.0;
        let (state, mut bound) = drifted(arguments, &inertia, &kicked, rotate)?;
        if keeps {
            bound.quantity = kept;
        }
        let is_finite = state.is_finite() && bodies::are_finite(bound.quantity.0);
        if !is_finite {
            fail(arguments, i, OVERFLOW);
            return Some(());
        }
        if is_turned {
            arguments.orientation.give_orientation(i, bound.q.0);
        }
        bodies::write_velocity(arguments, i, &bound);
        Some(())
    }
}

/// The state after the kick. With drag it corrects the impulse.
///
/// # Safety
/// As a kernel.
#[inline(always)]
unsafe fn kicked(
    arguments: &Arguments,
    i: u64,
    inertia: &PrincipalInertia<f64>,
    start: &State<f64>,
    impulse: &mut Impulse,
) -> State<f64> {
    let kick = arguments.kick;
    let change = if kick != 0.0 && arguments.drag.is_there() {
        // SAFETY: as this function; there is a drag
        let drag = unsafe { acting::drag(arguments, i) };
        let change = kicked_with_drag(inertia, start, &drag, impulse.torque_body, kick);
        impulse.world = start.q.to_world(inertia.angular_momentum(change));
        change
    } else if arguments.torque_array.is_there() {
        velocity_kicked(inertia, impulse.torque_body, kick)
    } else {
        return *start;
    };
    State {
        omega_body: start.omega_body + change,
        ..*start
    }
}

/// The state after the drifts, and what is bound of it; `None`: `rotate` does not know one of them.
#[inline(always)]
fn drifted(
    arguments: &Arguments,
    inertia: &PrincipalInertia<f64>,
    kicked: &State<f64>,
    rotate: impl Fn(&PrincipalInertia<f64>, Vec3<f64>, f64) -> Option<FreeRotation<f64>>,
) -> Option<(State<f64>, Bound)> {
    let mut state = *kicked;
    let mut bound = bodies::to_bound(arguments, inertia, &state);
    if arguments.h == 0.0 {
        return Some((state, bound));
    }
    for step in 0..arguments.steps {
        if step > 0 {
            match bodies::next_start(arguments, inertia, &state, &bound) {
                Some(next) => state = next,
                None => break, // it is not finite, which is noticed
            }
        }
        let free = rotate(inertia, state.omega_body, arguments.h)?;
        state.omega_body = state.omega_body + free.gained;
        state.q = state.q.turned_freely(free.rotation, free.motion);
        bound = bodies::to_bound(arguments, inertia, &state);
    }
    Some((state, bound))
}

/// The torque of a kick, and its impulse.
struct Impulse {
    torque_body: Vec3<f64>,
    world: Vec3<f64>,
}

/// `None`: the torque is not finite.
///
/// # Safety
/// As a kernel.
#[inline(always)]
unsafe fn impulse(arguments: &Arguments, i: u64, start: &State<f64>) -> Option<Impulse> {
    if !arguments.torque_array.is_there() {
        return Some(Impulse {
            torque_body: Vec3::splat(0.0),
            world: Vec3::splat(0.0),
        });
    }
    // SAFETY: as this function
    let given = Vec3(unsafe { arguments.torque_array.given(i) });
    if !bodies::are_finite(given.0) {
        return None;
    }
    let (body, world) = if arguments.torque_is_in_body_frame != 0 {
        (given, start.q.to_world(given))
    } else {
        (start.q.to_body(given), given)
    };
    Some(Impulse {
        torque_body: body,
        world: world * arguments.kick,
    })
}

/// A bound momentum in the world frame, which a drift does not change, and to which a kick adds.
#[inline(always)]
fn momentum(
    arguments: &Arguments,
    inertia: &PrincipalInertia<f64>,
    (given, start): (&Bound, &State<f64>),
    impulse: &Impulse,
) -> Vec3<f64> {
    let mut momentum = given.quantity;
    if arguments.kick != 0.0 {
        momentum = momentum + impulse.world;
    }
    if arguments.has_zero_moment != 0 {
        let locked = inertia.locked(start.q.to_body(momentum));
        momentum = momentum - start.q.to_world(locked);
    }
    momentum
}
