//! One body: its life, its state and clock, and steps.

use super::prelude::*;
use super::torque::{BodyTorque, qi_torque_fn, with_torque};
use crate::kernel::Quat;
use crate::rotation::{components, orientation_of};
use crate::{Body, Inertia, Record};
use nalgebra::{Matrix3, UnitQuaternion};

/// A quaternion of the caller, whose length the functions of [`Body`] check.
unsafe fn quaternion(
    pointer: *const f64,
    name: &'static str,
) -> Result<UnitQuaternion<f64>, Fault> {
    Ok(orientation_of(Quat(input(pointer, name)?)))
}

unsafe fn new_body(
    inertia: *const f64,
    orientation: *const f64,
    angular_velocity: *const f64,
) -> Result<Body, Fault> {
    let tensor: [f64; 9] = arg!(input(inertia));
    let inertia = Inertia::new(&Matrix3::from_row_slice(&tensor))?;
    let orientation = optional!(quaternion(orientation)).unwrap_or_default();
    let omega_world = optional!(input(angular_velocity)).unwrap_or_default();
    Ok(Body::new(inertia, orientation, omega_world.into())?)
}

/// Gets a quantity of a body; it is refused if it is not finite.
unsafe fn get<const N: usize>(
    function: &'static str,
    body: *const qi_body,
    pointer: *mut f64,
    name: &'static str,
    quantity: impl FnOnce(&Body) -> [f64; N],
) -> qi_status {
    compute(function, pointer, name, || {
        let numbers = quantity(&shared(body)?.body);
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err(Error::OutOfRange { name }.into());
        }
        Ok(numbers)
    })
}

/// Create a rigid body. Its clock stands at 0 and no torque acts on it. The arrays are copied.
/// `inertia` is diagonalised here, once; all inputs and outputs in the body frame refer to the
/// frame in which `inertia` is given. The products of inertia have the sign
/// `I_xy = -integral of x y dm`. A tensor with the other sign is mostly accepted, but has other
/// principal axes and moments: look at them with qi_get_principal_axes().
///
/// ```c
/// const double inertia[9] = {1, 0, 0,  0, 2, 0,  0, 0, 3}, spin[3] = {0, 0.01, 5};
/// qi_body *body = qi_create_body(inertia, NULL, spin, NULL);
/// if (body == NULL) puts(qi_last_error());
/// ```
/// @param orientation       4 doubles (w, x, y, z); NULL: identity
/// @param angular_velocity  3 doubles, world frame, rad/s; NULL: at rest
/// @param status            receives QI_OK or the error, such as QI_ERR_INERTIA; NULL: not wanted
/// @return the new body, or NULL on failure
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_create_body(
    inertia: *const f64,
    orientation: *const f64,
    angular_velocity: *const f64,
    status: *mut qi_status,
) -> *mut qi_body {
    construct("qi_create_body", status, || {
        let body = new_body(inertia, orientation, angular_velocity)?;
        give(TorquedBody {
            body,
            torque: BodyTorque::callback(None, std::ptr::null_mut()),
        })
    })
}

/// Destroy a body; NULL: nothing happens. The pointer must not be used again, and the body's own
/// callback must not call this function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_destroy_body(body: *mut qi_body) {
    destroy("qi_destroy_body", body);
}

/// Tell the method that something which the torque reads has changed, such as a sampled command, or
/// a field that another program computes. The splitting methods begin a step with the torque from
/// the end of the last step; after this call, they ask for the torque again, which costs one more
/// torque evaluation. The other methods, qi_solve() and qi_kick() keep no torque.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_forget_torque(body: *mut qi_body) -> qi_status {
    change("qi_forget_torque", body, |b| {
        b.body.forget_torque();
        Ok(())
    })
}

/// Get the total torque on the body at its present state: the torque that is set, the drag of
/// qi_set_drag() and the motors of qi_set_rotor_torque(). The gyroscopic torques are not part of
/// it. The callback is called once; the body does not change.
/// @param torque  receives 3 doubles, world frame
/// @return QI_OK, or QI_ERR_CALLBACK, QI_ERR_NON_FINITE, QI_ERR_INVALID (random torques have no
///         value at an instant)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_torque(body: *mut qi_body, torque: *mut f64) -> qi_status {
    boundary("qi_get_torque", || {
        let place: Place<[f64; 3]> = arg!(output(torque));
        let (_busy, TorquedBody { body, torque }) = exclusive(body)?;
        let total = with_torque!(torque, torque => body.total_torque(torque))?;
        place.put(total.into());
        Ok(())
    })
}

/// Get the angular acceleration `d omega / dt` at the present state, rad/s^2. Euler's equation
/// gives it from the torque of qi_get_torque() and the gyroscopic torque `(I omega + h) x omega`,
/// where h is the angular momentum of rotors. The callback is called once; the body does not
/// change.
/// @param angular_acceleration  receives 3 doubles, world frame
/// @return as qi_get_torque()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_angular_acceleration(
    body: *mut qi_body,
    angular_acceleration: *mut f64,
) -> qi_status {
    boundary("qi_get_angular_acceleration", || {
        let place: Place<[f64; 3]> = arg!(output(angular_acceleration));
        let (_busy, TorquedBody { body, torque }) = exclusive(body)?;
        let acceleration = with_torque!(torque, torque => body.angular_acceleration(torque))?;
        place.put(acceleration.into());
        Ok(())
    })
}

/// Choose the integration method. State, clock and torque do not change.
///
/// The splitting methods begin a step with the torque from the end of the last step. They ask for
/// it again after each call that sets the state, the clock, the inertia, locks, the torque, a drag,
/// rotors, random torques or the method, even where it sets what is there already, and after kicks,
/// drifts and solutions. So a restart sets the row last (qi_set_body_row()). They cannot know when
/// something that a callback reads has changed between two steps, such as a sampled command; then
/// call qi_forget_torque().
///
/// ```c
/// status = qi_set_method(body, QI_METHOD_SPLITTING);
/// ```
/// @param method  a QI_METHOD constant; QI_METHOD_PCDM is the default
/// @return QI_OK, or QI_ERR_INVALID: `method` is none of the constants; or the ready-made torque
///         depends on the angular velocity, which QI_METHOD_SPLITTING_4, _SPLITTING_6 and
///         _FORCE_GRADIENT do not allow
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_method(body: *mut qi_body, method: i32) -> qi_status {
    change("qi_set_method", body, |TorquedBody { body, torque }| {
        let method = method_of(method)?;
        torque.taken_by(body, method, "method")?;
        body.set_method(method);
        Ok(())
    })
}

/// Get the integration method.
/// @param method  receives the QI_METHOD constant
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_method(body: *const qi_body, method: *mut i32) -> qi_status {
    compute("qi_get_method", method, "method", || {
        Ok(number_of_method(shared(body)?.body.method()))
    })
}

/// Take one step with the method chosen by qi_set_method(); the default is PCDM, of order 2 and
/// with two torque evaluations.
///
/// If the motion overflows, the message of qi_last_error() gives the size of the step h: |omega| h,
/// c h / I if the torque opposes the rotation, and T h^2 / I, with the bounds of the method
/// (docs/methods.md). For this, the torque is evaluated once more, at the state before the step.
///
/// ```c
/// for (int step = 0; status == QI_OK && step < 1000; step++) status = qi_step(body, 0.01);
/// ```
/// @return QI_OK, or QI_ERR_NON_FINITE (dt, torque or motion), QI_ERR_CALLBACK
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_step(body: *mut qi_body, dt: f64) -> qi_status {
    change("qi_step", body, |TorquedBody { body, torque }| {
        Ok(with_torque!(torque, torque => body.step_by(&dt, torque))?)
    })
}

/// Take many steps. The bits are those of repeated calls of qi_step(), in less time. If a step
/// fails, the steps before it remain.
///
/// ```c
/// status = qi_advance(body, 0.01, 1000, NULL);
/// if (status != QI_OK) puts(qi_last_error());
/// ```
/// @param completed  receives the number of steps taken, also on failure; NULL: not wanted
/// @return as qi_step(), or QI_ERR_INVALID (2^63 steps or more)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_advance(
    body: *mut qi_body,
    dt: f64,
    steps: u64,
    completed: *mut u64,
) -> qi_status {
    counted(
        "qi_advance",
        body,
        completed,
        "completed",
        |TorquedBody { body, torque }, completed| {
            let outcome = with_torque!(torque, torque => body.advance(dt, steps, torque));
            *completed = completed_of(&outcome, steps);
            Ok(outcome?)
        },
    )
}

/// Take many steps and record the trajectory as rows: one at the start, and one after every `every`
/// steps.
///
/// A row is 8 doubles: time; orientation w, x, y, z; angular velocity x, y, z (world frame). There
/// are `steps / every + 1` rows. Steps after the last row are taken too. The bits are those of
/// qi_step(). If a step fails, the steps and rows before it remain.
///
/// ```c
/// double rows[101][8];
/// status = qi_record(body, 0.01, 1000, 10, rows[0], 101, NULL);
/// printf("at the time %g the scalar part is %g\n", rows[100][0], rows[100][1]);
/// ```
///
/// @param every     number of steps from row to row, at least 1
/// @param records   receives the rows
/// @param capacity  number of rows that fit into `records`
/// @param written   receives the number of rows written, also on failure; NULL: not wanted
/// @return as qi_step(), or QI_ERR_CAPACITY and QI_ERR_INVALID (every), which leave the body where
///         it was
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_record(
    body: *mut qi_body,
    dt: f64,
    steps: u64,
    every: u64,
    records: *mut f64,
    capacity: usize,
    written: *mut usize,
) -> qi_status {
    counted(
        "qi_record",
        body,
        written,
        "written",
        |TorquedBody { body, torque }, written| {
            arg!(usable(records));
            // SAFETY: usable, so valid for `capacity` rows; `record_into` writes no more.
            let put = |i: usize, row: Record| unsafe { records.cast::<Record>().add(i).write(row) };
            let (rows, outcome) = with_torque!(torque, torque =>
                body.record_into(dt, steps, every, capacity, put, torque));
            *written = rows;
            Ok(outcome?)
        },
    )
}

/// Get the orientation. It is of unit length to rounding.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_orientation(
    body: *const qi_body,
    orientation: *mut f64,
) -> qi_status {
    get(
        "qi_get_orientation",
        body,
        orientation,
        "orientation",
        |b| components(b.orientation()),
    )
}

/// Get the angular velocity in the world frame.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_angular_velocity(
    body: *const qi_body,
    angular_velocity: *mut f64,
) -> qi_status {
    get(
        "qi_get_angular_velocity",
        body,
        angular_velocity,
        "angular_velocity",
        |b| b.angular_velocity().into(),
    )
}

/// Get the angular velocity in the body frame, as the body stores it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_angular_velocity_body(
    body: *const qi_body,
    angular_velocity: *mut f64,
) -> qi_status {
    get(
        "qi_get_angular_velocity_body",
        body,
        angular_velocity,
        "angular_velocity",
        |b| b.angular_velocity_body().into(),
    )
}

/// Set the orientation and the angular velocity. Clock and torque do not change.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_state(
    body: *mut qi_body,
    orientation: *const f64,
    angular_velocity: *const f64,
) -> qi_status {
    change("qi_set_state", body, |b| {
        let orientation = arg!(quaternion(orientation));
        let omega_world = arg!(input(angular_velocity));
        Ok(b.body.set_state(orientation, omega_world.into())?)
    })
}

/// Set the angular momentum, which includes that of rotors, as qi_get_angular_momentum() does; the
/// angular velocity follows from it. Orientation, clock and torque do not change.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_angular_momentum(
    body: *mut qi_body,
    angular_momentum: *const f64,
) -> qi_status {
    change("qi_set_angular_momentum", body, |b| {
        let momentum = arg!(input(angular_momentum));
        Ok(b.body.set_angular_momentum(momentum.into())?)
    })
}

/// Set the orientation, and the angular velocity in the body frame. The values of
/// qi_get_orientation() and qi_get_angular_velocity_body() are set bit for bit (about locked axes,
/// see qi_get_ensemble_rows()). The splitting methods then ask for the torque again; to restart
/// with the same bits, use qi_set_body_row().
/// @param angular_velocity_body  3 doubles, body frame, rad/s
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_state_body(
    body: *mut qi_body,
    orientation: *const f64,
    angular_velocity_body: *const f64,
) -> qi_status {
    change("qi_set_state_body", body, |b| {
        let orientation = arg!(quaternion(orientation));
        let omega_body = arg!(input(angular_velocity_body));
        Ok(b.body.set_state_body(orientation, omega_body.into())?)
    })
}

/// Get the body's clock. Each step adds `dt` with compensated summation, so n steps from 0 give n
/// dt to an ulp.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_time(body: *const qi_body, time: *mut f64) -> qi_status {
    get("qi_get_time", body, time, "time", |b| [b.time()])
}

/// Set the body's clock.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_time(body: *mut qi_body, time: f64) -> qi_status {
    change("qi_set_time", body, |b| Ok(b.body.set_time(time)?))
}

/// Get the angular momentum `I omega`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_angular_momentum(
    body: *const qi_body,
    angular_momentum: *mut f64,
) -> qi_status {
    get(
        "qi_get_angular_momentum",
        body,
        angular_momentum,
        "angular_momentum",
        |b| b.angular_momentum().into(),
    )
}

/// Get the rotational kinetic energy `omega.I omega / 2`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_kinetic_energy(
    body: *const qi_body,
    energy: *mut f64,
) -> qi_status {
    get("qi_get_kinetic_energy", body, energy, "energy", |b| {
        [b.kinetic_energy()]
    })
}

/// Advance a state that the caller keeps, without a handle. The bits are those of a new body whose
/// clock is set to `time`, and which is then advanced. If there are no steps, or if `dt` is 0, the
/// arrays keep their bits.
///
/// Each call diagonalises the inertia, and converts the angular velocity from the world frame and
/// back, which costs an ulp or two. For many calls with few steps each, a body is faster. If any
/// step fails, both arrays are as before the call; this differs from qi_advance().
///
/// @param orientation       4 doubles (w, x, y, z): the start on entry, the end on return
/// @param angular_velocity  3 doubles, world frame, rad/s: the start on entry, the end on return
/// @param torque            the callback; NULL: no torque acts
/// @return as qi_create_body() and qi_step()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_integrate(
    inertia: *const f64,
    orientation: *mut f64,
    angular_velocity: *mut f64,
    time: f64,
    dt: f64,
    steps: u64,
    torque: qi_torque_fn,
    user_data: *mut c_void,
) -> qi_status {
    boundary("qi_integrate", || {
        let place_of_orientation: Place<[f64; 4]> = arg!(output(orientation));
        let place_of_velocity: Place<[f64; 3]> = arg!(output(angular_velocity));
        let mut body = new_body(inertia, orientation, angular_velocity)?;
        body.set_time(time)?;
        let mut torque = BodyTorque::callback(torque, user_data);
        with_torque!(&mut torque, torque => body.advance(dt, steps, torque))?;
        if dt != 0.0 && steps > 0 {
            place_of_orientation.put(components(body.orientation()));
            place_of_velocity.put(body.angular_velocity().into());
        }
        Ok(())
    })
}
