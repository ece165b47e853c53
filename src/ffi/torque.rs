//! The callback types, and the torque that a `qi_body` keeps.

use super::prelude::*;
use crate::kernel::{Number, PrincipalInertia, TorqueState, Vec3};
use crate::memory::boxed;
use crate::method::{Method, Plan};
use crate::simd::{Two, clear_upper_halves};
use crate::torque::{Free, LinearFlow, ReadyMade, ShearFlow, Torque};
use crate::{Body, ChunkTorque};
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

/// Torque callback for one body. It is called at each stage of a step, on the thread that takes the
/// step.
///
/// If it returns a value other than 0, the step is aborted and returns QI_ERR_CALLBACK. The body is
/// then as before the step, and qi_get_callback_result() gives the value.
/// @param time    time of the stage. PCDM asks at the start of the step and then at its middle,
///                where the state is predicted. QI_METHOD_FORCE_GRADIENT asks twice at the middle,
///                the second time at an orientation that the torque has turned a little
/// @param angular_velocity  3 doubles, rad/s, world frame. Under QI_METHOD_SPLITTING_4,
///                _SPLITTING_6, _FORCE_GRADIENT and _BROWNIAN they are NaN, because the torque must
///                not depend on them
/// @param torque  receives 3 doubles, world frame; they are 0 before the call
/// @return 0, or any other value to abort the step
pub type qi_torque_fn = Option<
    unsafe extern "C" fn(
        time: f64,
        orientation: *const f64,
        angular_velocity: *const f64,
        torque: *mut f64,
        user_data: *mut c_void,
    ) -> i32,
>;

/// The torque on one body. For each variant the loops over the steps are compiled separately.
pub(super) enum BodyTorque {
    Free(Free),
    Callback(Callback),
    /// In a box, so that the many bodies that have other torques are not as large.
    ReadyMade(Box<Made>),
}

/// A ready-made torque.
pub(super) struct Made {
    pub(super) torque: ReadyMade,
    /// Of a shear flow: from what its resistances have been computed.
    ellipsoid: Option<Ellipsoid>,
}

#[derive(PartialEq)]
pub(super) struct Ellipsoid {
    pub(super) semi_axes: [f64; 3],
    pub(super) viscosity: f64,
}

/// Runs `$run`, in which `$torque` is the torque inside a [`BodyTorque`]. The code of `$run` is
/// compiled for each type of torque, so that no step has to find out which it is.
macro_rules! with_torque {
    ($kind:expr, $torque:ident => $run:expr) => {
        match $kind {
            BodyTorque::Free($torque) => $run,
            BodyTorque::Callback($torque) => $run,
            BodyTorque::ReadyMade(made) => {
                let $torque = &mut made.torque;
                $run
            }
        }
    };
}
pub(super) use with_torque;

impl BodyTorque {
    /// The torque of a callback; there is none if the function is NULL.
    pub(super) fn callback(function: qi_torque_fn, user_data: *mut c_void) -> Self {
        match function {
            None => BodyTorque::Free(Free),
            Some(function) => BodyTorque::Callback(Callback {
                function,
                user_data,
                result: 0,
            }),
        }
    }

    pub(super) fn ready_made(torque: impl Into<ReadyMade>) -> Result<Self, Error> {
        Ok(BodyTorque::ReadyMade(boxed(Made {
            torque: torque.into(),
            ellipsoid: None,
        })?))
    }

    pub(super) fn shear_flow(
        ellipsoid: Ellipsoid,
        velocity_gradient: [f64; 9],
    ) -> Result<Self, Error> {
        let Ellipsoid {
            semi_axes,
            viscosity,
        } = ellipsoid;
        let torque = ShearFlow::new(semi_axes, viscosity, velocity_gradient)?;
        Ok(BodyTorque::ReadyMade(boxed(Made {
            torque: torque.into(),
            ellipsoid: Some(ellipsoid),
        })?))
    }

    /// If the torque is already that of a flow on the same ellipsoid, only the flow changes, so
    /// that the resistances need not be computed again. Returns whether it is.
    pub(super) fn change_flow(
        &mut self,
        ellipsoid: &Ellipsoid,
        velocity_gradient: [f64; 9],
    ) -> Result<bool, Error> {
        if let BodyTorque::ReadyMade(made) = self
            && made.ellipsoid.as_ref() == Some(ellipsoid)
            && let ReadyMade::ShearFlow(torque) = &mut made.torque
        {
            let gradient = finite("velocity_gradient", velocity_gradient)?;
            torque.flow = LinearFlow::new(gradient);
            return Ok(true);
        }
        Ok(false)
    }

    /// How a method takes its steps of a body under this torque. Errors: it does not, and `name`
    /// is refused.
    pub(super) fn taken_by(
        &self,
        body: &Body,
        method: Method,
        name: &'static str,
    ) -> Result<&'static Plan, Error> {
        match self.as_ready_made() {
            Some(torque) => body.takes(method, torque, name),
            None => body.takes(method, &Free, name), // a callback is not known to resist either
        }
    }

    /// Errors: the method does not take this torque once the random ones are gone.
    pub(super) fn taken_without_random(&self, body: &Body) -> Result<(), Error> {
        match self.as_ready_made() {
            Some(torque) => body.takes_without_random(torque),
            None => body.takes_without_random(&Free),
        }
    }

    /// The ready-made torque, if it is one.
    pub(super) fn as_ready_made(&self) -> Option<&ReadyMade> {
        match self {
            BodyTorque::ReadyMade(made) => Some(&made.torque),
            BodyTorque::Free(_) | BodyTorque::Callback(_) => None,
        }
    }

    /// The resistances of a shear flow are about to come from a row.
    pub(super) fn forget_ellipsoid(&mut self) {
        if let BodyTorque::ReadyMade(made) = self {
            made.ellipsoid = None;
        }
    }
}

/// The callback of a program, its user data and its last return value.
pub(super) struct Callback {
    function: unsafe extern "C" fn(f64, *const f64, *const f64, *mut f64, *mut c_void) -> i32,
    user_data: *mut c_void,
    pub(super) result: i32,
}

impl Torque<f64> for Callback {
    type Error = Error;

    #[inline(always)]
    fn torque_body(
        &mut self,
        time: f64,
        here: &TorqueState<f64>,
        _: &PrincipalInertia<f64>,
    ) -> Result<Vec3<f64>, Error> {
        let [w, x, y, z] = here.q.0;
        let mut orientation = MaybeUninit::uninit();
        let orientation = store_pairs(&mut orientation, [[w, x], [y, z]]);
        let [x, y, z] = here.omega_world.0;
        let mut omega_world = MaybeUninit::uninit();
        let omega_world = store_pairs(&mut omega_world, [[x, y], [z, z]]); // the last z is not used
        let mut torque_world = [0.0; 3];
        // SAFETY: the caller's function, called as the header says; the arrays live until it
        // returns.
        self.result = unsafe {
            (self.function)(
                time,
                orientation,
                omega_world,
                torque_world.as_mut_ptr(),
                self.user_data,
            )
        };
        clear_upper_halves::<true>();
        if self.result != 0 {
            return Err(Error::Callback {
                result: self.result,
                time,
            });
        }
        let [x, y, z] = load_one_by_one(&torque_world);
        // This is checked before the rotation to the body frame, which would make all components
        // NaN. The sum is a quick test: it is finite for nearly all finite torques.
        if (x + y + z) * 0.0 != 0.0 && !(x.is_finite() && y.is_finite() && z.is_finite()) {
            return Err(Error::TorqueNotFinite {
                time,
                torque: [x, y, z],
            });
        }
        Ok(here.to_world.rotate_back(Vec3([x, y, z])))
    }
}

/// Stores four numbers, on x86-64 in pairs: C compilers load them in pairs, and a load of two
/// numbers that were stored one by one waits for both stores (5 ns a step). The stores are
/// volatile, because the compiler would split others.
#[inline(always)]
fn store_pairs(place: &mut MaybeUninit<[Two; 2]>, [first, second]: [[f64; 2]; 2]) -> *const f64 {
    let pairs = place.as_mut_ptr().cast::<Two>();
    // SAFETY: the two elements of `place`, each two `f64` in memory.
    unsafe {
        pairs.write_volatile(Two::load(&first));
        pairs.add(1).write_volatile(Two::load(&second));
    }
    pairs.cast()
}

/// Loads three numbers that a callback has just written. A load of several numbers at once would
/// stall store forwarding (5 ns a step), so the loads are volatile.
#[inline(always)]
fn load_one_by_one(numbers: &[f64; 3]) -> [f64; 3] {
    let first = numbers.as_ptr();
    // SAFETY: the elements of `numbers`.
    unsafe {
        [
            first.read_volatile(),
            first.add(1).read_volatile(),
            first.add(2).read_volatile(),
        ]
    }
}

/// Torque callback for a chunk of bodies. It is called for each chunk at each stage of a step; see
/// qi_torque_fn.
///
/// The arrays are packed, in the layout given to qi_set_ensemble_torque(). An ensemble with one
/// thread calls the function on the caller's thread, chunk by chunk in order. With more threads,
/// several of them call it at once. If it aborts a step, no body has moved.
/// @param first             index of the first body of the chunk; after qi_set_ensemble_active(),
///                          its position in that list
/// @param count             number of bodies in the chunk, at most 64
/// @param orientation       4 doubles a body (w, x, y, z)
/// @param angular_velocity  3 doubles a body, rad/s, in the frame given to
///                          qi_set_ensemble_torque(), or NaN as for qi_torque_fn
/// @param torque            receives 3 doubles a body, in the same frame; they are 0 before the
///                          call
/// @return as qi_torque_fn; qi_get_ensemble_callback_result() gives the value
pub type qi_ensemble_torque_fn = Option<
    unsafe extern "C" fn(
        time: f64,
        first: usize,
        count: usize,
        orientation: *const f64,
        angular_velocity: *const f64,
        torque: *mut f64,
        user_data: *mut c_void,
    ) -> i32,
>;

/// The torque of a callback, or `None` if the function is NULL. The header requires that the
/// function is thread-safe if there are several threads. Errors: [`Error::Memory`].
pub(super) fn chunk_torque(
    function: qi_ensemble_torque_fn,
    user_data: *mut c_void,
) -> Result<Option<Box<ChunkTorque<'static>>>, Error> {
    let Some(function) = function else {
        return Ok(None);
    };
    let user_data = AtomicPtr::new(user_data); // a plain pointer would not be `Sync`
    let torque = move |time: f64,
                       first: usize,
                       count: usize,
                       q: &[f64],
                       omega: &[f64],
                       torque: &mut [f64]| {
        let q = q.as_ptr();
        let omega = omega.as_ptr();
        let torque = torque.as_mut_ptr();
        let user_data = user_data.load(Relaxed);
        // SAFETY: the caller's function, called as the header says.
        let result = unsafe { function(time, first, count, q, omega, torque, user_data) };
        clear_upper_halves::<true>();
        if result == 0 { Ok(()) } else { Err(result) }
    };
    Ok(Some(boxed(torque)?))
}
