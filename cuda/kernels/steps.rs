//! Steps of one body: all stages with a ready-made torque, or the one that the stage protocol has
//! come to.

use crate::access::Numbers;
use crate::bodies::{self, are_finite, fail};
use crate::kernel::{PrincipalInertia, Quat, Saved, State, TorqueState, Vec3};
use crate::layout::{Arguments, BLANES_MOAN_4, BLANES_MOAN_6, CONSTANT_BODY, FLOW_NOT_FINITE};
use crate::layout::{FORCE_GRADIENT, OVERFLOW, SHEAR_FLOW, SUPPLIED};
use crate::layout::{SAVED_NUMBERS, TORQUE_NOT_FINITE};
use crate::method::{self, Cf4, Composition, DampedSplitting, Damping, Kept, Pcdm, Scheme, Step};
use crate::torque::{ConstantBody, Free, PerBody, Torque};
use crate::{acting, noise};

/// Takes the stages of [`Arguments::stages`], of each of [`Arguments::steps`] steps. After the last
/// stage of a step the state is bound again; otherwise it is that of the next stage. Returns false,
/// and has written nothing, where a rotation is not short and the scheme takes short ones only.
///
/// # Safety
/// As a kernel.
#[inline(always)]
pub(crate) unsafe fn take<S: Scheme>(arguments: &Arguments) -> bool {
    // SAFETY: as this function
    let Some(i) = (unsafe { bodies::of_thread(arguments) }) else {
        return true;
    };
    // SAFETY: as this function
    unsafe {
        let inertia = bodies::inertia(arguments, i);
        let Some(mut start) = bodies::start(arguments, i, &inertia) else {
            return true;
        };
        let mut saved = saved_before::<S>(arguments, i);
        let mut bound = bodies::Bound {
            q: start.q,
            quantity: start.omega_body,
        };
        for step in 0..arguments.steps {
            let Some(end) = one_step::<S>(arguments, i, &inertia, &start, &mut saved, step) else {
                return true;
            };
            if S::ROTATES_SHORT_ONLY && !end.is_finite() {
                return false;
            }
            if arguments.stages[1] < arguments.all_stages {
                put_stage(arguments, i, &end);
                put_saved(arguments, i, &saved, 3 * S::SAVED);
                return true;
            }
            bound = bodies::to_bound(arguments, &inertia, &end);
            if !(end.is_finite() && are_finite(bound.quantity.0)) {
                fail(arguments, i, cause(arguments, i));
                return true;
            }
            let Some(next) = bodies::next_start(arguments, &inertia, &end, &bound) else {
                return true;
            };
            start = next;
        }
        if S::KEEPS_TORQUE {
            put_saved(arguments, i, &saved, 3 * S::SAVED);
        }
        bodies::write(arguments, i, &bound);
        true
    }
}

/// [`take`] of a scheme `S` that rotates short only. A body whose rotation is not short, which is
/// rare, begins again with `A`, the same scheme of any rotations: nothing has been written by then,
/// so that no number has to be kept for it.
///
/// # Safety
/// As a kernel.
#[inline(always)]
pub(crate) unsafe fn short_first<S: Scheme, A: Scheme>(arguments: &Arguments) {
    // SAFETY: as this function
    unsafe {
        if !take::<S>(arguments) {
            begin_again::<A>(*arguments);
        }
    }
}

/// # Safety
/// As a kernel.
#[cold]
#[inline(never)]
unsafe extern "C" fn begin_again<A: Scheme>(arguments: Arguments) {
    // SAFETY: as this function
    unsafe { take::<A>(&arguments) };
}

/// The state after the stages; `None`: a torque was not finite, which has been noted.
///
/// # Safety
/// As a kernel.
#[inline(always)]
unsafe fn one_step<S: Scheme>(
    arguments: &Arguments,
    i: u64,
    inertia: &PrincipalInertia<f64>,
    start: &State<f64>,
    saved: &mut Saved<f64>,
    number: u64,
) -> Option<State<f64>> {
    let [first, end] = arguments.stages;
    let mut step = Step {
        composition: composition(arguments.composition),
        ..Step::new(arguments.h, start.omega_body, inertia)
    };
    // SAFETY: as this function
    unsafe {
        if S::IS_DAMPED {
            step.damping = Damping::new(inertia, acting::resistance(arguments, i));
        }
        let mut state = if first == 0 {
            *start
        } else {
            stage(arguments, i)
        };
        for k in first..end {
            let here = TorqueState::at(&state);
            let torque_body = if S::KEEPS_TORQUE && k == 0 {
                None
            } else {
                Some(acting::torque(arguments, i, &here, inertia))
            };
            if arguments.torque == SUPPLIED && !torque_is_finite(arguments, i) {
                fail(arguments, i, TORQUE_NOT_FINITE);
                spoil_stage(arguments, i);
                return None;
            }
            step.bath = if S::TAKES_NOISE && k == 0 {
                let draw = arguments.draw.wrapping_add(number);
                Some(noise::bath(arguments, i, start.q, draw, S::KEEPS_TORQUE))
            } else {
                None
            };
            state = S::next_state(k as usize, start, &step, &here, torque_body, saved);
        }
        Some(state)
    }
}

/// Steps of PCDM that compose the rotations in the axes of the start, as the library's loops for free
/// bodies and torques fixed in the body do.
///
/// # Safety
/// As a kernel.
#[inline(always)]
pub(crate) unsafe fn pcdm_in_axes(arguments: &Arguments) {
    // SAFETY: as this function
    let Some(i) = (unsafe { bodies::of_thread(arguments) }) else {
        return;
    };
    // SAFETY: as this function
    unsafe {
        if arguments.torque == CONSTANT_BODY {
            let numbers = arguments.torque_numbers.get(i);
            let torque = <ConstantBody<f64> as PerBody<3>>::on::<f64>(numbers, &());
            with_torque::<Pcdm, _>(arguments, i, torque);
        } else {
            with_torque::<Pcdm, _>(arguments, i, Free);
        }
    }
}

/// Steps of CF4 of free bodies, as [`pcdm_in_axes`].
///
/// # Safety
/// As a kernel.
#[inline(always)]
pub(crate) unsafe fn cf4_in_axes(arguments: &Arguments) {
    // SAFETY: as this function
    let Some(i) = (unsafe { bodies::of_thread(arguments) }) else {
        return;
    };
    // SAFETY: as this function
    unsafe { with_torque::<Cf4, _>(arguments, i, Free) };
}

/// # Safety
/// As a kernel.
#[inline(always)]
unsafe fn with_torque<S: Scheme, T: Torque<f64, Error = std::convert::Infallible>>(
    arguments: &Arguments,
    i: u64,
    mut torque: T,
) {
    // SAFETY: as this function
    unsafe {
        let inertia = bodies::inertia(arguments, i);
        let Some(mut start) = bodies::start(arguments, i, &inertia) else {
            return;
        };
        let mut bound = bodies::Bound {
            q: start.q,
            quantity: start.omega_body,
        };
        for _ in 0..arguments.steps {
            let step = Step {
                acts: T::ACTS,
                ..Step::new(arguments.h, start.omega_body, &inertia)
            };
            let Ok(end) =
                method::step::<S, f64, _>(&start, &step, 0.0, &mut torque, &mut Kept::nothing());
            bound = bodies::to_bound(arguments, &inertia, &end);
            if !(end.is_finite() && are_finite(bound.quantity.0)) {
                fail(arguments, i, OVERFLOW);
                return;
            }
            let Some(next) = bodies::next_start(arguments, &inertia, &end, &bound) else {
                return;
            };
            start = next;
        }
        bodies::write(arguments, i, &bound);
    }
}

/// What a method that keeps the last torque keeps before the first step.
///
/// # Safety
/// As a kernel.
#[inline(always)]
pub(crate) unsafe fn ask_first(arguments: &Arguments) {
    // SAFETY: as this function
    let Some(i) = (unsafe { bodies::of_thread(arguments) }) else {
        return;
    };
    // SAFETY: as this function
    unsafe {
        let inertia = bodies::inertia(arguments, i);
        let Some(state) = bodies::start(arguments, i, &inertia) else {
            // its torque is not known: steps fail until all are asked again
            put_saved(arguments, i, &[Vec3::splat(f64::NAN); 2], SAVED_NUMBERS);
            return;
        };
        let here = TorqueState::at(&state);
        let torque = acting::torque(arguments, i, &here, &inertia);
        if !are_finite(torque.0) {
            let is_supplied = arguments.torque == SUPPLIED && !torque_is_finite(arguments, i);
            let cause = if is_supplied {
                TORQUE_NOT_FINITE
            } else {
                cause(arguments, i)
            };
            fail(arguments, i, cause);
        }
        if arguments.is_damped == 0 {
            put_saved(arguments, i, &[torque, Vec3::splat(0.0)], 3);
            return;
        }
        let mut before = [Vec3::splat(0.0); 2];
        if arguments.saved_before.is_there() {
            before[1] = Vec3(arguments.saved_before.get_from(i, 3));
        }
        let step = Step {
            damping: Damping::new(&inertia, acting::resistance(arguments, i)),
            ..Step::new(0.0, state.omega_body, &inertia)
        };
        let saved = DampedSplitting::initial_saved::<f64>(&step, Some(torque), before);
        put_saved(arguments, i, &saved, SAVED_NUMBERS);
    }
}

/// Shows the caller of the stage protocol the state of a stage: orientation and angular velocity in
/// the world frame.
///
/// # Safety
/// As a kernel.
#[inline(always)]
pub(crate) unsafe fn show(arguments: &Arguments) {
    // SAFETY: as this function
    let Some(i) = (unsafe { bodies::of_thread(arguments) }) else {
        return;
    };
    // SAFETY: as this function
    unsafe {
        let inertia = bodies::inertia(arguments, i);
        let state = if arguments.stages[0] == 0 {
            let Some(start) = bodies::start(arguments, i, &inertia) else {
                return;
            };
            start
        } else {
            stage(arguments, i)
        };
        if arguments.shown_orientation.is_there() {
            arguments.shown_orientation.give_orientation(i, state.q.0);
        }
        if arguments.shown_velocity.is_there() {
            let mut here = TorqueState::at(&state);
            if arguments.hides_velocity != 0 {
                here = here.without_velocity();
            }
            arguments.shown_velocity.give(i, here.omega_world.0);
        }
    }
}

/// # Safety
/// As a kernel.
#[inline(always)]
unsafe fn torque_is_finite(arguments: &Arguments, i: u64) -> bool {
    // SAFETY: as this function
    are_finite(unsafe { arguments.torque_array.given::<3>(i) })
}

/// Why a body under a torque of the library fails.
///
/// # Safety
/// As a kernel.
#[inline(always)]
unsafe fn cause(arguments: &Arguments, i: u64) -> u64 {
    let gradients = &arguments.flow_gradients;
    if arguments.torque == SHEAR_FLOW && gradients.is_there() {
        // SAFETY: as this function
        if !are_finite(unsafe { gradients.get::<9>(i) }) {
            return FLOW_NOT_FINITE;
        }
    }
    OVERFLOW
}

#[inline(always)]
fn composition(number: u32) -> &'static Composition {
    match number {
        BLANES_MOAN_4 => &method::BLANES_MOAN_4,
        BLANES_MOAN_6 => &method::BLANES_MOAN_6,
        FORCE_GRADIENT => &method::FORCE_GRADIENT,
        _ => &method::STRANG,
    }
}

/// # Safety
/// As a kernel.
#[inline(always)]
unsafe fn saved_before<S: Scheme>(arguments: &Arguments, i: u64) -> Saved<f64> {
    if arguments.stages[0] == 0 && !S::KEEPS_TORQUE {
        return [Vec3::splat(0.0); 2];
    }
    let from = &arguments.saved_before;
    let mut saved = [Vec3::splat(0.0); 2];
    // SAFETY: as this function
    unsafe {
        if S::SAVED > 0 {
            saved[0] = Vec3(from.get(i));
        }
        if S::SAVED > 1 {
            saved[1] = Vec3(from.get_from(i, 3));
        }
    }
    saved
}

/// # Safety
/// As a kernel.
#[inline(always)]
unsafe fn put_saved(arguments: &Arguments, i: u64, saved: &Saved<f64>, count: usize) {
    // SAFETY: as this function
    unsafe {
        if count > 0 {
            arguments.saved_after.put_from(i, 0, saved[0].0);
        }
        if count > 3 {
            arguments.saved_after.put_from(i, 3, saved[1].0);
        }
    }
}

/// # Safety
/// As a kernel.
#[inline(always)]
unsafe fn stage(arguments: &Arguments, i: u64) -> State<f64> {
    // SAFETY: as this function
    unsafe {
        State {
            q: Quat(arguments.stage.get(i)),
            omega_body: Vec3(arguments.stage.get_from(i, 4)),
        }
    }
}

/// # Safety
/// As a kernel.
#[inline(always)]
unsafe fn put_stage(arguments: &Arguments, i: u64, state: &State<f64>) {
    // SAFETY: as this function
    unsafe {
        arguments.stage.put_from(i, 0, state.q.0);
        arguments.stage.put_from(i, 4, state.omega_body.0);
    }
}

/// After a torque that is not finite no state of this step is one.
///
/// # Safety
/// As a kernel.
#[cold]
#[inline(always)]
unsafe fn spoil_stage(arguments: &Arguments, i: u64) {
    if arguments.stage.is_there() {
        // SAFETY: as this function
        unsafe { arguments.stage.put_from(i, 0, [f64::NAN; 7]) }
    }
}
