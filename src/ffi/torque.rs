//! What acts on a body of C's: the types of callbacks, and the torque that a handle keeps.

use crate::ChunkTorque;
use crate::error::Error;
use crate::kernel::{Here, PrincipalInertia, Vec3};
use crate::torque::{
    ConstantBody, ConstantWorld, Either, Free, GravityGradient, LinearDrag, ShearFlow, Torque, UniformField,
};
use libc::{c_void, size_t};

/// A torque on a body, called at each stage of a step: by PCDM twice, at the start and at the predicted middle.
///
/// It returns 0 when all is well. Anything else abandons the step, which returns QI_ERR_CALLBACK and leaves the body as it
/// was; qi_get_callback_result() tells the value. It must not throw or longjmp, nor use the body it is called for (that is
/// QI_ERR_BUSY). It is called on the thread that takes the step.
///
/// @param time              the time of the stage (PCDM: the body's clock, then half a step later)
/// @param orientation       4 doubles (w, x, y, z), body to world
/// @param angular_velocity  3 doubles, world frame, rad/s
/// @param torque            receives 3 doubles, world frame; they are 0 before the call
/// @param user_data         what was given to qi_set_torque()
/// @return 0, or any other value to abandon the step
pub type qi_torque_fn = Option<
    unsafe extern "C" fn(
        time: f64,
        orientation: *const f64,
        angular_velocity: *const f64,
        torque: *mut f64,
        user_data: *mut c_void,
    ) -> i32,
>;

/// The torque that acts on a C body.
pub(super) enum BodyTorque {
    Free(Free),
    Callback(Callback),
    UniformField(UniformField<f64>),
    InWorld(InWorld),
    InBodyFrame(Either<ConstantBody<f64>, LinearDrag<f64>>),
}

/// The torques in the world frame that are used least; they share their code.
type InWorld = Either<ConstantWorld<f64>, Either<GravityGradient<f64>, ShearFlow<f64>>>;

/// Runs `$run` with `$torque` bound to the torque inside: each kind in a function of its own, so that their loops do not
/// compete for registers.
macro_rules! with_torque {
    ($kind:expr, $torque:ident => $run:expr) => {
        match $kind {
            BodyTorque::Free($torque) => out_of_line(|| $run),
            BodyTorque::Callback($torque) => out_of_line(|| $run),
            BodyTorque::UniformField($torque) => out_of_line(|| $run),
            BodyTorque::InWorld($torque) => out_of_line(|| $run),
            BodyTorque::InBodyFrame($torque) => out_of_line(|| $run),
        }
    };
}
pub(super) use with_torque;

#[inline(never)]
pub(super) fn out_of_line<R>(run: impl FnOnce() -> R) -> R {
    run()
}

impl BodyTorque {
    pub(super) fn callback(function: qi_torque_fn, user_data: *mut c_void) -> Self {
        match function {
            None => BodyTorque::Free(Free),
            Some(function) => BodyTorque::Callback(Callback { function, user_data, result: 0 }),
        }
    }
}

/// A function pointer with its user data, and what it last returned.
pub(super) struct Callback {
    function: unsafe extern "C" fn(f64, *const f64, *const f64, *mut f64, *mut c_void) -> i32,
    user_data: *mut c_void,
    pub(super) result: i32,
}

impl Torque<f64> for Callback {
    type Error = Error;

    #[inline(always)]
    fn torque_body(&mut self, time: f64, here: &Here<f64>, _: &PrincipalInertia<f64>) -> Result<Vec3<f64>, Error> {
        let (orientation, omega_world) = (here.q.0, here.omega_world.0);
        let mut torque_world = [0.0; 3];
        // SAFETY: the caller's function, called as the header says; the arrays live until it returns.
        self.result = unsafe {
            (self.function)(time, orientation.as_ptr(), omega_world.as_ptr(), torque_world.as_mut_ptr(), self.user_data)
        };
        if self.result != 0 {
            return Err(Error::Callback { result: self.result, time });
        }
        // One by one, as the function has just written them: a wider load would wait until the stores have left for the
        // cache, 5 ns a step.
        // SAFETY: initialised elements of the array above.
        let torque_world = [0, 1, 2].map(|i| unsafe { (&raw const torque_world[i]).read_volatile() });
        Ok(here.to_world.rotate_back(Vec3(torque_world)))
    }
}

/// A torque on a chunk of bodies, called at each stage of a step for each chunk: by PCDM twice. All arrays are packed.
///
/// It returns 0 when all is well. Anything else abandons the step, which returns QI_ERR_CALLBACK and leaves all bodies as they
/// were. It must not throw or longjmp, nor use the ensemble it is called for. With one thread it is called on the caller's
/// thread, for the chunks in order; with more, from several threads at once.
///
/// @param time              the time of the stage (PCDM: the clock, then half a step later)
/// @param first             the first body of the chunk (its position, where there is a list of active bodies)
/// @param count             bodies in the chunk: at most 64
/// @param orientation       4 doubles a body (w, x, y, z), body to world
/// @param angular_velocity  3 doubles a body, rad/s, in the frame that was asked for
/// @param torque            receives 3 doubles a body, in the same frame; they are 0 before the call
/// @param user_data         what was given to qi_set_ensemble_torque()
/// @return 0, or any other value to abandon the step
pub type qi_ensemble_torque_fn = Option<
    unsafe extern "C" fn(
        time: f64,
        first: size_t,
        count: size_t,
        orientation: *const f64,
        angular_velocity: *const f64,
        torque: *mut f64,
        user_data: *mut c_void,
    ) -> i32,
>;

/// A function pointer with its user data.
pub(super) struct ChunkCallback {
    pub(super) function:
        unsafe extern "C" fn(f64, size_t, size_t, *const f64, *const f64, *mut f64, *mut c_void) -> i32,
    pub(super) user_data: *mut c_void,
}

// SAFETY: by the header's contract the function bears calls from the threads that were asked for.
unsafe impl Send for ChunkCallback {}
// SAFETY: as above.
unsafe impl Sync for ChunkCallback {}

impl ChunkCallback {
    pub(super) fn into_torque(self) -> Box<ChunkTorque> {
        Box::new(move |time, first, count, q, omega, torque| {
            let (this, torque) = (&self, torque.as_mut_ptr());
            // SAFETY: the caller's function, called as the header says.
            match unsafe { (this.function)(time, first, count, q.as_ptr(), omega.as_ptr(), torque, this.user_data) } {
                0 => Ok(()),
                result => Err(result),
            }
        })
    }
}
