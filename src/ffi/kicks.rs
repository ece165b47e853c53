//! Kicks and drifts, the two halves of velocity Verlet, for codes that compute each torque once per
//! step; what acts in addition to the torque: a linear drag, and rotors.

use super::prelude::*;
use crate::torque::FluidDrag;
use crate::{Ensemble, View};
use nalgebra::Vector3;

const NO_TORQUES: PointerProblem = PointerProblem {
    status: QI_ERR_NULL,
    message: "is NULL; for no torque pass three zeros with the strides 0 and 1",
};

/// The torques of all bodies. NULL is an error, because it more likely comes from a failed malloc
/// than from a program without torque.
unsafe fn torques<'a>(
    torque: *const f64,
    e: &Ensemble,
    body_stride: isize,
    component_stride: isize,
) -> Result<View<'a, 3>, Fault> {
    if torque.is_null() && e.count() > 0 {
        return Err(Fault::Pointer("torque", &NO_TORQUES));
    }
    view(torque, e, body_stride, component_stride, "torque")
}

/// Kick a body: add `duration * torque` to its angular momentum. Orientation and clock do not
/// change. A blow, an impulse J at a point r from the centre of mass, is a kick with the torque
/// `r x J / duration`; without drag any duration does, such as 1.
///
/// A step of velocity Verlet is: kick for dt/2, drift for dt, compute the torque, kick for dt/2. It
/// is reversible and of order 2, and the energy error stays bounded. Every call is complete in
/// itself. With qi_set_drag(), the kick includes the drag of this duration. The drag is taken
/// implicitly, so a kick of any size is stable and of order 2; predicted angular velocities include
/// the drag too.
/// @param torque  3 doubles, in the frame that `frame` selects
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_kick(
    body: *mut qi_body,
    duration: f64,
    torque: *const f64,
    frame: i32,
) -> qi_status {
    change("qi_kick", body, |b| {
        let torque = arg!(input(torque));
        Ok(b.body.kick(duration, torque.into(), frame_of(frame)?)?)
    })
}

/// Rotate a body freely for a duration, exactly but for rounding, whatever its length. The clock
/// moves on. The torque of the body does not act, and is not evaluated.
///
/// Rounding matters where the body turns about its intermediate axis for long and then flips, time
/// and again. If the axis is tilted by a radians, an ulp of the state moves the flips by up to
/// 1e-16 / a^2 of the time: 2e-11 s in 40 flips at a = 0.007 and 15 rad/s. The angular velocities
/// of drifts of different lengths scatter as much.
///
/// With rotors, the drift is composed of parts of at most 1 rad (the greater of |I omega + h| and
/// |h|, over the least moment, times the duration), with the order of the body's method; with motors
/// on a line or beside a locked axis it is 2. A part takes one free rotation at order 2, 6 at order
/// 4, and 10 at order 6, which is for long drifts. The angular momentum is exact; the parts may not
/// exceed 1e6. A drift back takes the same parts and undoes it, to rounding.
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (too long for a body with rotors)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_drift(body: *mut qi_body, duration: f64) -> qi_status {
    change("qi_drift", body, |b| Ok(b.body.drift(duration)?))
}

/// Kick the (active) bodies; see qi_kick(). To angular momenta bound as QI_ANGMOM_WORLD the kick is
/// only added, so that their sum is conserved to rounding. The caller may read and write bound
/// arrays between the calls.
/// @param torque  3 doubles a body; must not overlap a bound array. NULL is QI_ERR_NULL; for no
///                torque, pass three zeros with the strides 0 and 1
/// @return QI_OK, or QI_ERR_NON_FINITE (also for the torque of a body, see qi_last_error_body())
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_kick_ensemble(
    ensemble: *mut qi_ensemble,
    duration: f64,
    torque: *const f64,
    body_stride: isize,
    component_stride: isize,
    frame: i32,
) -> qi_status {
    change("qi_kick_ensemble", ensemble, |e| {
        let torques = torques(torque, e, body_stride, component_stride)?;
        Ok(e.kick(duration, torques, frame_of(frame)?)?)
    })
}

/// Rotate the (active) bodies freely for a duration, exactly, whatever its length; see qi_drift().
/// Angular momenta bound as QI_ANGMOM_WORLD are not written, except those of bodies with a zero
/// moment or locked axes, which change in their last bits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_drift_ensemble(ensemble: *mut qi_ensemble, duration: f64) -> qi_status {
    change("qi_drift_ensemble", ensemble, |e| Ok(e.drift(duration)?))
}

/// Kick for the duration `kick` and then drift for the duration `drift`, in one pass over the
/// bodies. This is the first half of a step of velocity Verlet; see qi_kick_ensemble(), which is
/// the second half. If predicted velocities are bound, they are written when all bodies have
/// succeeded.
///
/// ```c
/// status = qi_kick_drift_ensemble(ensemble, dt / 2, dt, torque, 3, 1, QI_FRAME_WORLD);
/// compute_torques(torque);
/// if (status == QI_OK) status = qi_kick_ensemble(ensemble, dt / 2, torque, 3, 1, QI_FRAME_WORLD);
/// ```
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_kick_drift_ensemble(
    ensemble: *mut qi_ensemble,
    kick: f64,
    drift: f64,
    torque: *const f64,
    body_stride: isize,
    component_stride: isize,
    frame: i32,
) -> qi_status {
    change("qi_kick_drift_ensemble", ensemble, |e| {
        let torques = torques(torque, e, body_stride, component_stride)?;
        Ok(e.kick_drift(kick, drift, Some(torques), frame_of(frame)?)?)
    })
}

/// Choose an array for predicted angular velocities (world frame), which qi_kick_drift_ensemble()
/// then writes. They are the angular velocities at the end of the drift, after the torque of the
/// kick, held constant in the body frame, has acted on them for `ahead` more. If `ahead` is half a
/// step, torques that depend on the angular velocity can be computed from them, and the step then
/// keeps order 2.
/// @param data   must not overlap a bound array; must stay valid; NULL: no array is written any
///               more
/// @param ahead  duration after the end of the drift; usually half a step
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_bind_predicted_velocities(
    ensemble: *mut qi_ensemble,
    data: *mut f64,
    body_stride: isize,
    component_stride: isize,
    ahead: f64,
) -> qi_status {
    change("qi_bind_predicted_velocities", ensemble, |e| {
        let array = optional!(view_mut(data, e, body_stride, component_stride));
        Ok(e.bind_predicted_velocities(array, ahead)?)
    })
}

/// Set a linear drag on the body toward the rotation of a fluid, in addition to the torque:
/// `-c_i (omega_i - flow_i)` about each body axis i.
///
/// The drag is taken implicitly in every step and in qi_kick(): both are stable for any c h / I,
/// where h is the length of the step. Where c h / I is below 1, PCDM and QI_METHOD_SPLITTING
/// have order 2. Where it is large about all axes, SPLITTING keeps order 2 by the rate of change
/// in the step before, which a kick, a drift or a call that sets or binds states, or sets rows,
/// inertias, another list of active bodies or another method forgets, and which a step with c h
/// / I below 1e-3 does not tell, such as the rest of a second: a program that makes such a call
/// before each step has order 1, and better takes PCDM. The order of PCDM may fall to 1 there,
/// and so does that of both for a fast decay at the start which the steps do not resolve.
/// QI_METHOD_CF4 takes the drag explicitly; qi_step() then refuses steps with c h / I above 2.7
/// (QI_ERR_INVALID). The ready-made drag and the resistance of the shear flow are treated in the
/// same way. A drag inside a callback is explicit. A drag that drives the rotation, by a
/// negative coefficient or in a negative step, needs |c h / I| below 1: beyond 3 it would slow
/// the body down.
///
/// A step of QI_METHOD_SPLITTING takes the better of two schemes, chosen for each body by its
/// state at the start of the step. If the body turns faster than the drag slows it down about
/// one of its axes, or has rotors and hardly any drag, the drag is in the kicks, between which
/// the free rotation is exact: a fast nutation decays as the drag says, and a drag of 0 changes
/// nothing. (Take PCDM with short steps there if the drag is stiff about another axis: such a
/// step has order 1, and what rotors carry over from that axis may be wrong by several times
/// itself; or if rotors are fast, see qi_set_rotor_momentum().) Otherwise the drag and the
/// gyroscopic torque, also that of rotors, are taken together, by a step that has order 2 also
/// where the drag is stiff. Then the rotation in a step has a limit: keep |omega| h sqrt(I_max /
/// I_min) below 1; and beside rotors, or a rotation that a flow keeps up, keep T h^2 / I of a
/// swing below 0.3: it would be fed, up to some c / I. PCDM takes the gyroscopic torque
/// explicitly with a drag as without: keep the rotation in a step, and that by rotors, below
/// 0.1.
///
/// This drag and random kicks do not make a thermostat: the bodies stay colder than asked for, by
/// 9 % where c h / I is 0.2, and by 30 % where it is 0.8. qi_set_langevin() is a thermostat; it and
/// this drag exclude each other.
///
/// ```c
/// const double coefficients[3] = {0.1, 0.1, 0.2};
/// status = qi_set_drag(body, coefficients, NULL);
/// ```
/// @param coefficients  3 doubles, c, torque per rad/s about the body axes; NULL: no drag
/// @param flow          3 doubles, angular velocity of the fluid, world frame, rad/s; NULL: at rest
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (QI_METHOD_SPLITTING_4, _SPLITTING_6 and
///         _FORCE_GRADIENT allow no drag)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_drag(
    body: *mut qi_body,
    coefficients: *const f64,
    flow: *const f64,
) -> qi_status {
    change("qi_set_drag", body, |b| {
        let coefficients = optional!(input(coefficients));
        let flow = optional!(input(flow)).unwrap_or_default();
        let drag = match coefficients {
            Some(coefficients) => Some(FluidDrag::new(coefficients, flow)?),
            None => None,
        };
        Ok(b.body.set_drag(drag)?)
    })
}

/// Set a linear drag on each body, in addition to the torque; see qi_set_drag(). The arrays are
/// copied.
/// @param coefficients  3 doubles a body at `coefficients[i * coefficient_stride]` for body i;
///                      NULL: no drag
/// @param flow          3 doubles a body at `flow[i * flow_stride]`: angular velocity of the fluid,
///                      world frame; NULL: at rest
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_drag(
    ensemble: *mut qi_ensemble,
    coefficients: *const f64,
    coefficient_stride: isize,
    flow: *const f64,
    flow_stride: isize,
) -> qi_status {
    change("qi_set_ensemble_drag", ensemble, |e| {
        let Some(coefficients) = optional!(view(coefficients, e, coefficient_stride, 1)) else {
            return Ok(e.clear_drag()?);
        };
        let flow = optional!(view(flow, e, flow_stride, 1));
        Ok(e.set_drag(coefficients, flow)?)
    })
}

/// Set the angular momentum h of rotors in the body, such as reaction wheels. Euler's equation is
/// then `I omega' = (I omega + h) x omega + torque + u` in every method and in qi_solve(), where u
/// is the torque of qi_set_rotor_torque(). The angular velocity does not change.
///
/// Only u changes h in the body frame. A wheel with the axial moment of inertia J and the speed W
/// relative to the body, about the axis a (a unit vector), can be described in two ways, which give
/// the same motion:
/// - u is the torque of the motor (or of friction) on the body. The inertia is that with the wheels
///   locked, less `J a a^T` for each wheel. h is the whole axial momentum of the wheel,
///   `J (W + a . omega) a`. The speed is then `W = a . h / J - a . omega`.
/// - u is `-J W' a`, where W' is the commanded acceleration of the wheel. The inertia is that with
///   the wheels locked. h is `J W a`.
///
/// Mixing the two, that is the motor's torque with the inertia of locked wheels, makes the angular
/// velocity wrong by a part J / I.
///
/// qi_get_angular_momentum() includes h; qi_get_kinetic_energy() does not. The splitting methods
/// conserve the angular momentum to rounding and keep their orders, as does qi_drift(), which then
/// has the order of the body's method. With rotors, QI_METHOD_FORCE_GRADIENT takes the six torque
/// evaluations of QI_METHOD_SPLITTING_4. For PCDM and CF4, the limit of the rotation per step holds
/// for |h| dt / I too; under the splittings keep it below 1. The rotation by QI_METHOD_SPLITTING is
/// off by some (|h| dt / I)^2 / 250 of |h| / I, however slowly the body turns: slow bodies beside
/// fast wheels better take QI_METHOD_CF4, or SPLITTING_4. Steps take random torques or rotors, not
/// both: QI_ERR_INVALID.
///
/// ```c
/// const double wheel[3] = {0, 0, 0.5}, motor[3] = {0, 0, 0.01};
/// status = qi_set_rotor_momentum(body, wheel);
/// if (status == QI_OK) status = qi_set_rotor_torque(body, motor);
/// ```
/// @param momentum  3 doubles, h, body frame; NULL or zeros: no rotors
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_rotor_momentum(
    body: *mut qi_body,
    momentum: *const f64,
) -> qi_status {
    change("qi_set_rotor_momentum", body, |b| {
        let momentum = optional!(input(momentum)).map(Vector3::from);
        Ok(b.body.set_rotor_momentum(momentum)?)
    })
}

/// Get the angular momentum of rotors in the body.
/// @param momentum  receives 3 doubles, body frame; 0 without rotors
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_rotor_momentum(
    body: *const qi_body,
    momentum: *mut f64,
) -> qi_status {
    compute("qi_get_rotor_momentum", momentum, "momentum", || {
        Ok(shared(body)?.body.rotor_momentum().unwrap_or_default())
    })
}

/// Set the torque u of the motors that drive the rotors; qi_set_rotor_momentum() says to which
/// inertia it belongs. It acts on the body, and the opposite torque acts on the rotors, `h' = -u`,
/// while time passes: in steps, drifts and solutions. It stays until it is set again; a controller
/// sets it once per sample. The methods keep their orders, except that QI_METHOD_SPLITTING_4,
/// _SPLITTING_6 and _FORCE_GRADIENT have order 2 for bodies with a locked axis, such as a line. The
/// splitting methods and qi_drift() conserve the whole angular momentum to rounding.
/// @param torque_body  3 doubles, u, body frame; NULL or zeros: none
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_rotor_torque(
    body: *mut qi_body,
    torque_body: *const f64,
) -> qi_status {
    change("qi_set_rotor_torque", body, |b| {
        let torque_body = optional!(input(torque_body)).map(Vector3::from);
        Ok(b.body.set_rotor_torque(torque_body)?)
    })
}

/// Get the torque of the motors that drive the rotors.
/// @param torque_body  receives 3 doubles, body frame; 0 without motors
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_rotor_torque(
    body: *const qi_body,
    torque_body: *mut f64,
) -> qi_status {
    compute("qi_get_rotor_torque", torque_body, "torque_body", || {
        Ok(shared(body)?.body.rotor_torque().unwrap_or_default())
    })
}

/// Set the angular momentum of rotors in each body of an ensemble; see qi_set_rotor_momentum(). The
/// bits are those of single bodies with these rotors. A momentum of 0 is here that of a rotor at
/// rest, with which free motion is not one exact rotation. The array is copied. Rows with
/// QI_PART_TORQUE contain it.
/// @param rotor  3 doubles a body at `rotor[i * body_stride]` for body i, body frame; NULL: no
///               rotors
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (stride; while angular momenta are bound),
///         QI_ERR_MEMORY, QI_ERR_ORDER
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_rotor_momentum(
    ensemble: *mut qi_ensemble,
    rotor: *const f64,
    body_stride: isize,
) -> qi_status {
    change("qi_set_ensemble_rotor_momentum", ensemble, |e| {
        Ok(e.set_rotor_momentum(optional!(view(rotor, e, body_stride, 1)))?)
    })
}
