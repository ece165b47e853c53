//! Torques for an ensemble: the callback and the ready-made ones.

use super::check::Failure;
use super::ensemble::{BoundEnsemble, change, finite_input, invalid, qi_ensemble};
use super::status::qi_status;
use super::strided::Strided;
use super::torque::{QI_FRAME_BODY, QI_FRAME_WORLD};
use crate::ensemble::{ChunkTorque, EnsembleTorque, Frame, Layout, Parameter, ReadyMade};
use crate::error::{Error, finite};
use crate::rotation::direction;
use crate::torque::{LinearFlow, resistances};
use libc::{c_void, ptrdiff_t, size_t};

/// Arrays of structures: `orientation[4 * i + c]`, `angular_velocity[3 * i + c]`, `torque[3 * i + c]`.
pub const QI_LAYOUT_AOS: i32 = 0;
/// Structures of arrays: `orientation[c * count + i]` and so on. No transposition: the fastest.
pub const QI_LAYOUT_SOA: i32 = 1;

/// A torque on a chunk of bodies, called twice in every step for each chunk. All arrays are packed.
///
/// It returns 0 when all is well. Anything else abandons the step, which returns QI_ERR_CALLBACK and leaves all bodies as they
/// were. It must not throw or longjmp, nor use the ensemble it is called for. With one thread it is called on the caller's
/// thread, for the chunks in order; with more, from several threads at once.
///
/// @param time              the time of the stage: the clock, then half a step later
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

struct Callback {
    function: unsafe extern "C" fn(f64, size_t, size_t, *const f64, *const f64, *mut f64, *mut c_void) -> i32,
    user_data: *mut c_void,
}

// SAFETY: by the header's contract the function bears calls from the threads that were asked for.
unsafe impl Send for Callback {}
// SAFETY: as above.
unsafe impl Sync for Callback {}

impl ChunkTorque for Callback {
    fn torque(
        &self,
        time: f64,
        first: usize,
        count: usize,
        orientation: &[f64],
        angular_velocity: &[f64],
        torque: &mut [f64],
    ) -> Result<(), i32> {
        let (q, omega, torque) = (orientation.as_ptr(), angular_velocity.as_ptr(), torque.as_mut_ptr());
        // SAFETY: the caller's function, called as the header says.
        match unsafe { (self.function)(time, first, count, q, omega, torque, self.user_data) } {
            0 => Ok(()),
            result => Err(result),
        }
    }
}

/// Let a function of the caller's act on the bodies, in place of the torque before.
///
/// @param ensemble   the ensemble
/// @param torque     the function; NULL: no torque acts
/// @param layout     QI_LAYOUT_AOS or QI_LAYOUT_SOA
/// @param frame      QI_FRAME_WORLD or QI_FRAME_BODY: of the angular velocity and the torque
/// @param user_data  passed to every call as it is; may be NULL
/// @return QI_OK, or QI_ERR_INVALID (layout, frame), QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_ORDER, QI_ERR_BUSY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_torque(
    ensemble: *mut qi_ensemble,
    torque: qi_ensemble_torque_fn,
    layout: i32,
    frame: i32,
    user_data: *mut c_void,
) -> qi_status {
    change("qi_set_ensemble_torque", ensemble, |e| {
        let layout = layout_of(layout)?;
        let frame = match frame {
            QI_FRAME_WORLD => Frame::World,
            QI_FRAME_BODY => Frame::Body,
            _ => return Err(invalid("frame", "must be QI_FRAME_WORLD or QI_FRAME_BODY")),
        };
        let Some(function) = torque else { return Ok(e.ensemble.set_free()?) };
        Ok(e.ensemble.set_torque(Box::new(Callback { function, user_data }), layout, frame)?)
    })
}

pub(super) fn layout_of(layout: i32) -> Result<Layout, Failure> {
    match layout {
        QI_LAYOUT_AOS => Ok(Layout::Aos),
        QI_LAYOUT_SOA => Ok(Layout::Soa),
        _ => Err(invalid("layout", "must be QI_LAYOUT_AOS or QI_LAYOUT_SOA")),
    }
}

/// Let a constant torque act on each body, in place of the torque before.
///
/// @param ensemble     the ensemble
/// @param torques      3 doubles a body, in the frame given: body i's begin at `torques[i * body_stride]`; copied
/// @param body_stride  doubles from body to body; 0: one for all
/// @param frame        QI_FRAME_WORLD or QI_FRAME_BODY
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (frame, or names the body), QI_ERR_NULL, QI_ERR_MISALIGNED,
///         QI_ERR_MEMORY, QI_ERR_ORDER, QI_ERR_BUSY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_constant_torque(
    ensemble: *mut qi_ensemble,
    torques: *const f64,
    body_stride: ptrdiff_t,
    frame: i32,
) -> qi_status {
    change("qi_set_ensemble_constant_torque", ensemble, |e| {
        // SAFETY: by the header's contract of pointers.
        let torques = unsafe { parameter(e, torques, body_stride, "torques") }?;
        let torque = match frame {
            QI_FRAME_WORLD => ReadyMade::ConstantWorld(torques),
            QI_FRAME_BODY => ReadyMade::ConstantBody(torques),
            _ => return Err(invalid("frame", "must be QI_FRAME_WORLD or QI_FRAME_BODY")),
        };
        ready(e, torque)
    })
}

/// Let a uniform field act on each body, in place of the torque before: `(R v) x F`; see qi_set_uniform_field_torque().
///
/// @param ensemble      the ensemble
/// @param vectors_body  3 doubles a body, v, body frame: body i's begin at `vectors_body[i * body_stride]`; copied
/// @param body_stride   doubles from body to body; 0: one vector for all
/// @param field_world   3 doubles, F, world frame
/// @return as qi_set_ensemble_constant_torque()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_uniform_field_torque(
    ensemble: *mut qi_ensemble,
    vectors_body: *const f64,
    body_stride: ptrdiff_t,
    field_world: *const f64,
) -> qi_status {
    change("qi_set_ensemble_uniform_field_torque", ensemble, |e| {
        // SAFETY: by the header's contract of pointers.
        let (vectors_body, field_world) = unsafe {
            (parameter(e, vectors_body, body_stride, "vectors_body")?, finite_input(field_world, "field_world")?)
        };
        ready(e, ReadyMade::UniformField { vectors_body, field_world })
    })
}

/// Let a central gravity field act on each body, in place of the torque before; see qi_set_gravity_gradient_torque().
///
/// @param ensemble         the ensemble
/// @param direction_world  3 doubles, along the line to the attracting mass, of any length but 0, world frame
/// @param gradients        1 double a body, G M / r^3: body i's is `gradients[i * body_stride]`; copied
/// @param body_stride      doubles from body to body; 0: one for all
/// @return as qi_set_ensemble_constant_torque()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_gravity_gradient_torque(
    ensemble: *mut qi_ensemble,
    direction_world: *const f64,
    gradients: *const f64,
    body_stride: ptrdiff_t,
) -> qi_status {
    change("qi_set_ensemble_gravity_gradient_torque", ensemble, |e| {
        // SAFETY: by the header's contract of pointers.
        let (toward, gradients) = unsafe {
            (finite_input(direction_world, "direction_world")?, parameter(e, gradients, body_stride, "gradients")?)
        };
        let direction_world = direction("direction_world", toward)?.0;
        ready(e, ReadyMade::GravityGradient { direction_world, gradients })
    })
}

/// Let a linear drag act on each body, in place of the torque before; see qi_set_linear_drag_torque().
///
/// @param ensemble      the ensemble
/// @param coefficients  3 doubles a body, about its axes: body i's begin at `coefficients[i * body_stride]`; copied
/// @param body_stride   doubles from body to body; 0: one for all
/// @return as qi_set_ensemble_constant_torque()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_linear_drag_torque(
    ensemble: *mut qi_ensemble,
    coefficients: *const f64,
    body_stride: ptrdiff_t,
) -> qi_status {
    change("qi_set_ensemble_linear_drag_torque", ensemble, |e| {
        // SAFETY: by the header's contract of pointers.
        let coefficients = unsafe { parameter(e, coefficients, body_stride, "coefficients") }?;
        ready(e, ReadyMade::LinearDrag(coefficients))
    })
}

/// Let a linear flow act on each body, an ellipsoid, in place of the torque before; see qi_set_shear_flow_torque().
///
/// @param ensemble           the ensemble
/// @param semi_axes          3 doubles a body, along its axes: body i's begin at `semi_axes[i * body_stride]`
/// @param body_stride        doubles from body to body; 0: one ellipsoid for all
/// @param viscosity          dynamic viscosity of the fluid
/// @param velocity_gradient  9 doubles, row-major, world frame: how component i of the velocity changes along axis j
/// @return as qi_set_ensemble_constant_torque()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_shear_flow_torque(
    ensemble: *mut qi_ensemble,
    semi_axes: *const f64,
    body_stride: ptrdiff_t,
    viscosity: f64,
    velocity_gradient: *const f64,
) -> qi_status {
    change("qi_set_ensemble_shear_flow_torque", ensemble, |e| {
        // SAFETY: by the header's contract of pointers.
        let (axes, gradient) = unsafe {
            let count = if body_stride == 0 { 1 } else { e.ensemble.count() };
            let axes = Strided::<3>::new(semi_axes, count, body_stride, 1, "semi_axes")?;
            (axes, finite_input(velocity_gradient, "velocity_gradient")?)
        };
        let both = |i: usize| -> Result<[f64; 6], Error> {
            let ([a, b, c], [d, e, f]) =
                resistances(axes.get(i), viscosity).map(|(strain, spin)| (strain.0, spin.0))?;
            Ok([a, b, c, d, e, f])
        };
        let resistances = if body_stride == 0 { Parameter::Shared(both(0)?) } else { e.ensemble.parameter(both)? };
        ready(e, ReadyMade::ShearFlow { resistances, flow: LinearFlow::new(gradient) })
    })
}

fn ready(e: &mut BoundEnsemble, torque: ReadyMade) -> Result<(), Failure> {
    Ok(e.ensemble.put_torque(EnsembleTorque::Ready(torque))?)
}

/// A parameter of `K` numbers, for each body or (stride 0) the same for all.
///
/// # Safety
/// That of [`Strided::new`].
unsafe fn parameter<const K: usize>(
    e: &BoundEnsemble,
    data: *const f64,
    body_stride: isize,
    name: &'static str,
) -> Result<Parameter<K>, Failure> {
    let count = if body_stride == 0 { 1 } else { e.ensemble.count() };
    // SAFETY: the caller's.
    let data = unsafe { Strided::<K>::new(data, count, body_stride, 1, name) }?;
    if body_stride == 0 {
        return Ok(Parameter::Shared(finite(name, data.get(0))?));
    }
    Ok(e.ensemble.parameter(|i| finite(name, data.get(i)))?)
}
