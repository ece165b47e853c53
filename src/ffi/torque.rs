//! Torques for one body: the callback and the ready-made ones.

use super::body::qi_body;
use super::check::{Failure, boundary, input};
use super::handle::exclusive;
use super::status::qi_status;
use crate::error::{Error, finite};
use crate::kernel::{PrincipalInertia, Vec3};
use crate::method::Here;
use crate::rotation::direction;
use crate::torque::{
    ConstantBody, ConstantWorld, Free, GravityGradient, LinearDrag, LinearFlow, ShearFlow, Torque, UniformField,
    resistances,
};
use libc::c_void;

/// Components along the axes of the world.
pub const QI_FRAME_WORLD: i32 = 0;
/// Components along the axes of the body.
pub const QI_FRAME_BODY: i32 = 1;

/// A torque on a body, called twice in every step: at its start, and at the predicted middle.
///
/// It returns 0 when all is well. Anything else abandons the step, which returns QI_ERR_CALLBACK and leaves the body as it
/// was; qi_get_callback_result() tells the value. It must not throw or longjmp, nor use the body it is called for (that is
/// QI_ERR_BUSY). It is called on the thread that takes the step.
///
/// @param time              the time of the stage: the body's clock, then half a step later
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
    ConstantWorld(ConstantWorld<f64>),
    ConstantBody(ConstantBody<f64>),
    UniformField(UniformField<f64>),
    GravityGradient(GravityGradient<f64>),
    LinearDrag(LinearDrag<f64>),
    ShearFlow(ShearFlow<f64>),
}

/// Runs `$run` with `$torque` bound to the torque inside: each kind in a function of its own, so that their loops do not
/// compete for registers.
macro_rules! with_torque {
    ($kind:expr, $torque:ident => $run:expr) => {
        match $kind {
            BodyTorque::Free($torque) => out_of_line(|| $run),
            BodyTorque::Callback($torque) => out_of_line(|| $run),
            BodyTorque::ConstantWorld($torque) => out_of_line(|| $run),
            BodyTorque::ConstantBody($torque) => out_of_line(|| $run),
            BodyTorque::UniformField($torque) => out_of_line(|| $run),
            BodyTorque::GravityGradient($torque) => out_of_line(|| $run),
            BodyTorque::LinearDrag($torque) => out_of_line(|| $run),
            BodyTorque::ShearFlow($torque) => out_of_line(|| $run),
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

/// Let a function of the caller's act on the body, in place of the torque before.
///
/// @param body       the body
/// @param torque     the function; NULL: no torque acts
/// @param user_data  passed to every call as it is; may be NULL
/// @return QI_OK, or QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_BUSY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_torque(body: *mut qi_body, torque: qi_torque_fn, user_data: *mut c_void) -> qi_status {
    // SAFETY: by the header's contract of handles.
    boundary("qi_set_torque", || unsafe { set(body, || Ok(BodyTorque::callback(torque, user_data))) })
}

/// Let a constant torque act on the body, in place of the torque before.
///
/// @param body    the body
/// @param torque  3 doubles, in the frame given
/// @param frame   QI_FRAME_WORLD: it keeps its direction in space; QI_FRAME_BODY: it turns with the body, as a thruster does
/// @return QI_OK, or QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_BUSY, QI_ERR_NON_FINITE, QI_ERR_INVALID (frame)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_constant_torque(body: *mut qi_body, torque: *const f64, frame: i32) -> qi_status {
    let make = || {
        // SAFETY: by the header's contract of pointers.
        let torque = Vec3(finite("torque", unsafe { input(torque, "torque") }?)?);
        match frame {
            QI_FRAME_WORLD => Ok(BodyTorque::ConstantWorld(ConstantWorld { torque })),
            QI_FRAME_BODY => Ok(BodyTorque::ConstantBody(ConstantBody { torque })),
            _ => Err(Error::Invalid { name: "frame", must: "must be QI_FRAME_WORLD or QI_FRAME_BODY" }.into()),
        }
    };
    // SAFETY: by the header's contract of handles.
    boundary("qi_set_constant_torque", || unsafe { set(body, make) })
}

/// Let a uniform field act on the body, in place of the torque before: `(R v) x F`.
///
/// The weight F of a top whose centre of mass is at v from its fixed point; a dipole v in a field F.
///
/// @param body         the body
/// @param vector_body  3 doubles, v, body frame
/// @param field_world  3 doubles, F, world frame
/// @return QI_OK, or QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_BUSY, QI_ERR_NON_FINITE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_uniform_field_torque(
    body: *mut qi_body,
    vector_body: *const f64,
    field_world: *const f64,
) -> qi_status {
    let make = || {
        // SAFETY: by the header's contract of pointers.
        let (v, field) = unsafe { (input(vector_body, "vector_body")?, input(field_world, "field_world")?) };
        let vector_body = Vec3(finite("vector_body", v)?);
        let field_world = Vec3(finite("field_world", field)?);
        Ok(BodyTorque::UniformField(UniformField { vector_body, field_world }))
    };
    // SAFETY: by the header's contract of handles.
    boundary("qi_set_uniform_field_torque", || unsafe { set(body, make) })
}

/// Let a central gravity field act on the body, in place of the torque before: `3 g n x (I n)`.
///
/// For a body small beside its distance r from the attracting mass; source: Wertz, Spacecraft Attitude Determination and
/// Control, eq. 17-31. The direction n stays fixed in the world: for a body on an orbit, set it anew as it goes.
///
/// @param body             the body
/// @param direction_world  3 doubles, along the line to the attracting mass, of any length but 0, world frame
/// @param gradient         g = G M / r^3, in 1/time^2: on a circular orbit the square of the orbital rate
/// @return QI_OK, or QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_BUSY, QI_ERR_NON_FINITE, QI_ERR_INVALID (no direction)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_gravity_gradient_torque(
    body: *mut qi_body,
    direction_world: *const f64,
    gradient: f64,
) -> qi_status {
    let make = || {
        // SAFETY: by the header's contract of pointers.
        let direction_world = direction("direction_world", unsafe { input(direction_world, "direction_world") }?)?;
        let [gradient] = finite("gradient", [gradient])?;
        Ok(BodyTorque::GravityGradient(GravityGradient { direction_world, gradient }))
    };
    // SAFETY: by the header's contract of handles.
    boundary("qi_set_gravity_gradient_torque", || unsafe { set(body, make) })
}

/// Let a linear drag act on the body, in place of the torque before: `-c_i omega_i` about each axis of the body.
///
/// @param body          the body
/// @param coefficients  3 doubles, c, torque per rad/s about the body axes x, y, z; a negative one drives
/// @return QI_OK, or QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_BUSY, QI_ERR_NON_FINITE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_linear_drag_torque(body: *mut qi_body, coefficients: *const f64) -> qi_status {
    let make = || {
        // SAFETY: by the header's contract of pointers.
        let coefficients = Vec3(finite("coefficients", unsafe { input(coefficients, "coefficients") }?)?);
        Ok(BodyTorque::LinearDrag(LinearDrag { coefficients }))
    };
    // SAFETY: by the header's contract of handles.
    boundary("qi_set_linear_drag_torque", || unsafe { set(body, make) })
}

/// Let a viscous fluid in linear flow act on the body, an ellipsoid, in place of the torque before: Jeffery's torque.
///
/// For slow flow (no inertia of the fluid). Source: G. B. Jeffery, Proc. R. Soc. Lond. A 102, 161 (1922), eq. 36. The body axes
/// are those of the ellipsoid. The bodies' translation is not concerned: the velocity is that relative to its centre.
///
/// @param body               the body
/// @param semi_axes          3 doubles, along the body axes, positive
/// @param viscosity          dynamic viscosity of the fluid, positive
/// @param velocity_gradient  9 doubles, row-major, world frame: how component i of the velocity changes along axis j
/// @return QI_OK, or QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_BUSY, QI_ERR_NON_FINITE, QI_ERR_INVALID (not positive)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_shear_flow_torque(
    body: *mut qi_body,
    semi_axes: *const f64,
    viscosity: f64,
    velocity_gradient: *const f64,
) -> qi_status {
    let make = || {
        // SAFETY: by the header's contract of pointers.
        let (axes, gradient) =
            unsafe { (input(semi_axes, "semi_axes")?, input(velocity_gradient, "velocity_gradient")?) };
        let flow = LinearFlow::new(finite("velocity_gradient", gradient)?);
        let (strain_resistance, spin_resistance) = resistances(axes, viscosity)?;
        Ok(BodyTorque::ShearFlow(ShearFlow { strain_resistance, spin_resistance, flow }))
    };
    // SAFETY: by the header's contract of handles.
    boundary("qi_set_shear_flow_torque", || unsafe { set(body, make) })
}

/// # Safety
/// That of [`exclusive`].
unsafe fn set(body: *mut qi_body, make: impl FnOnce() -> Result<BodyTorque, Failure>) -> Result<(), Failure> {
    // SAFETY: the caller's.
    let mut body = unsafe { exclusive(body, "body") }?;
    body.torque = make()?;
    Ok(())
}
