//! Another inertia for a body, an inertia that changes, and axes about which bodies do not turn.

use super::prelude::*;
use crate::inertia::axes_of;
use crate::simd::clear_upper_halves;
use crate::{Inertia, Keep};
use nalgebra::Matrix3;

/// qi_set_inertia(): the angular velocity stays. A part is cut off, and leaves with its momentum.
pub const QI_KEEP_ANGULAR_VELOCITY: i32 = 0;
/// qi_set_inertia(): the angular momentum stays. Material moves inside the body, as when a panel
/// unfolds.
pub const QI_KEEP_ANGULAR_MOMENTUM: i32 = 1;

/// The body axis x, for qi_set_locked_axes(). The constants may be added.
pub const QI_AXIS_X: i32 = 1;
/// The body axis y.
pub const QI_AXIS_Y: i32 = 2;
/// The body axis z.
pub const QI_AXIS_Z: i32 = 4;

/// Set the inertia, a constant one. Orientation, clock and torque do not change. The splitting
/// methods ask for the torque again. No axis is locked then, unless a moment is zero.
///
/// ```c
/// status = qi_set_inertia(body, unfolded, QI_KEEP_ANGULAR_MOMENTUM);
/// ```
/// @param inertia  9 doubles, as in qi_create_body()
/// @param keep     QI_KEEP_ANGULAR_VELOCITY or QI_KEEP_ANGULAR_MOMENTUM; what belongs to axes of
///                 zero moment is taken away in any case
/// @return QI_OK, or QI_ERR_INERTIA, QI_ERR_NON_FINITE, QI_ERR_INVALID (keep; the angular velocity
///         becomes too large). The body has then not changed
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_inertia(
    body: *mut qi_body,
    inertia: *const f64,
    keep: i32,
) -> qi_status {
    change("qi_set_inertia", body, |b| {
        let tensor: [f64; 9] = arg!(input(inertia));
        let keep = match keep {
            QI_KEEP_ANGULAR_VELOCITY => Keep::AngularVelocity,
            QI_KEEP_ANGULAR_MOMENTUM => Keep::AngularMomentum,
            _ => {
                return Err(Fault::from(Error::Invalid {
                    name: "keep",
                    must: "must be QI_KEEP_ANGULAR_VELOCITY or QI_KEEP_ANGULAR_MOMENTUM",
                }));
            }
        };
        let inertia = Inertia::new(&Matrix3::from_row_slice(&tensor))?;
        Ok(b.body.set_inertia(inertia, keep)?)
    })
}

/// Inertia function of qi_set_inertia_function(). It is called on the thread that moves the body,
/// at times that are not in order, and must return the same inertia for the same time. It must not
/// use the body.
/// @param time       the time
/// @param inertia    out: 9 doubles, as in qi_create_body()
/// @param user_data  from qi_set_inertia_function()
/// @return 0; any other value stops the call that moves the body with QI_ERR_CALLBACK
pub type qi_inertia_fn =
    Option<unsafe extern "C" fn(time: f64, inertia: *mut f64, user_data: *mut c_void) -> i32>;

/// Give the body an inertia that changes with its clock: panels unfold, propellant burns, a skater
/// draws in the arms. Material moves inside the body without an angular momentum of its own, so the
/// body's angular momentum P = I(t) omega changes by the torque alone: in the body frame
/// `P' = P x omega + torque`. (Gas that leaves a nozzle takes momentum along: add this as a
/// torque.) Two panels that unfold as mirror images are such a case; a single one is not: give its
/// angular momentum h(t) relative to the body by qi_set_rotor_momentum() at the start, and -h'(t)
/// by qi_set_rotor_torque() before each step.
///
/// QI_METHOD_SPLITTING takes steps of order 2, each with the inertia at its middle; it asks for the
/// torque twice a step. So does qi_drift(). (Under a stiff drag the error by the change is smaller
/// by some I / (c h), so it falls as h until the steps resolve the decay.) Solutions, with
/// QI_SOLVE_NONSTIFF, read the inertia at each evaluation of the torque; their tolerance is that of
/// the angular momentum, so about a thin axis the error of the angular velocity is greater, by the
/// ratio of the moments. Other methods return QI_ERR_INVALID, as does
/// qi_get_angular_acceleration(): it would need the rate of the inertia.
///
/// The body has the inertia of its time at once, and the angular velocity stays. It also stays when
/// qi_set_time() and the like set the clock. Energy and momentum are those of the inertia at the
/// clock; that of a row that is set is not taken. qi_set_inertia() and qi_set_locked_axes() end the
/// change.
///
/// An axis of zero moment keeps its direction in the body, but may get a moment, or lose it: a step
/// or a solution in which the function turns such an axis is refused (QI_ERR_INVALID).
///
/// If the function fails in a step, the body keeps the state before it. A solution ends where its
/// last step ended.
/// @param inertia    the function; NULL: the inertia is constant from now on
/// @param user_data  passed to the function. The caller owns it, and keeps it while it is set
/// @return QI_OK, or QI_ERR_CALLBACK, QI_ERR_INERTIA, QI_ERR_NON_FINITE (from the function, which
///         is called once), QI_ERR_MEMORY. Nothing has changed then
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_inertia_function(
    body: *mut qi_body,
    inertia: qi_inertia_fn,
    user_data: *mut c_void,
) -> qi_status {
    change("qi_set_inertia_function", body, |b| {
        let Some(function) = inertia else {
            b.body.end_inertia_function();
            return Ok(());
        };
        let asked = InertiaCallback {
            function,
            user_data,
        };
        Ok(b.body
            .set_inertia_function(move |time| asked.inertia(time))?)
    })
}

/// The inertia function of a program, and its user data.
#[derive(Clone, Copy)]
struct InertiaCallback {
    function: unsafe extern "C" fn(f64, *mut f64, *mut c_void) -> i32,
    user_data: *mut c_void,
}

// SAFETY: it is called on the thread that moves the body, as the header says, and a program moves a
// body on one thread at a time.
unsafe impl Send for InertiaCallback {}
// SAFETY: as above.
unsafe impl Sync for InertiaCallback {}

impl InertiaCallback {
    fn inertia(&self, time: f64) -> Result<Inertia, Error> {
        let mut tensor = [0.0; 9];
        // SAFETY: the caller's function, called as the header says; the array lives until it
        // returns.
        let result = unsafe { (self.function)(time, tensor.as_mut_ptr(), self.user_data) };
        clear_upper_halves::<true>();
        if result == 0 {
            Inertia::new(&Matrix3::from_row_slice(&tensor))
        } else {
            Err(Error::InertiaCallback { result, time })
        }
    }
}

/// Lock body axes: from now on the body does not turn about them. The angular velocity about them
/// is taken away, and stays 0, whatever the torque; about the other axes the body turns with its
/// moments. With two locks the body is a wheel, with three it keeps its orientation. One lock alone
/// asks for equal moments about the other two axes: it makes a disc that cannot spin. (Beside two
/// different moments it would take angular momentum from a free body.) The locked axes turn with
/// the body. What has been taken away does not come back when the axes are unlocked.
///
/// To the motion the moment about a locked axis is zero, so energy and angular momentum are those
/// of the rotation about the other axes. The mass stays where it is, so the torque of
/// qi_set_gravity_gradient_torque() is that of the inertia without the lock. Rows with
/// QI_PART_INERTIA hold the lock. Locks add up; qi_set_inertia() unlocks. All methods keep their
/// orders. QI_METHOD_BROWNIAN asks for principal axes that are the body axes.
/// @param axes  a sum of QI_AXIS_X, QI_AXIS_Y and QI_AXIS_Z; 0: no lock is added, but an inertia
///              function ends, and the splitting methods ask for the torque again
/// @return QI_OK, or QI_ERR_INERTIA (an axis that is not principal), QI_ERR_INVALID (axes; one lock
///         beside two different moments)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_locked_axes(body: *mut qi_body, axes: i32) -> qi_status {
    change("qi_set_locked_axes", body, |b| {
        Ok(b.body.lock_axes(axes_of(axes)?)?)
    })
}

/// Lock body axes of each body of an ensemble; see qi_set_locked_axes(). qi_set_inertias() and
/// qi_set_principal_inertias() unlock. In a bound array of angular velocities, too, those about
/// locked axes are taken away, but not in the rows of bodies that are not active. Bound angular
/// momenta stay as they are.
/// @param axes    1 integer a body at `axes[i * stride]` for body i, as in qi_set_locked_axes()
/// @param stride  from one body to the next; 0: the same axes for all
/// @return QI_OK, or QI_ERR_INERTIA and QI_ERR_INVALID (axes; one lock beside two different
///         moments), with the body; QI_ERR_MEMORY, QI_ERR_ORDER
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_locked_axes(
    ensemble: *mut qi_ensemble,
    axes: *const i32,
    stride: isize,
) -> qi_status {
    change("qi_set_ensemble_locked_axes", ensemble, |e| {
        if e.count() == 0 && axes.is_null() {
            return Ok(());
        }
        let are_shared = stride == 0;
        let count = if are_shared { 1 } else { e.count() };
        let each = arg!(integers(axes, count, stride));
        Ok(e.lock_axes(&each, are_shared)?)
    })
}
