//! Kicks and drifts: the two halves of velocity Verlet, for codes that compute each torque once per step.

use super::choices::frame_of;
use super::prelude::*;
use crate::{Ensemble, View};

/// The torques of all bodies. NULL is more likely a failed malloc than no torque.
unsafe fn torques<'a>(
    torque: *const f64, e: &Ensemble, body_stride: isize, component_stride: isize,
) -> Result<View<'a, 3>, Fault> {
    if torque.is_null() && e.count() > 0 {
        let wrong = &(QI_ERR_NULL, "is NULL; for no torque pass three zeros with the strides 0 and 1");
        return Err(Fault::Pointer("torque", wrong));
    }
    view(torque, e, body_stride, component_stride, "torque")
}

c_functions! {
    /// Kick a body: add `duration * torque` to its angular momentum. Orientation and clock do not change.
    ///
    /// A step of velocity Verlet is: kick for dt/2, drift for dt, compute the torque, kick for dt/2. It is of order 2 and reversible; the
    /// energy error stays bounded. Every call is complete in itself. With qi_set_drag(), the kick includes the drag of this duration.
    /// @param duration  of the kick; may be negative
    /// @param torque    3 doubles, in the frame that `frame` selects
    fn qi_kick(body: *mut qi_body, duration: f64, torque: *const f64, frame: i32) =
        change(body, |b| Ok(b.body.kick(duration, arg!(input(torque)).into(), frame_of(frame)?)?));

    /// Rotate a body freely for a duration, exactly, whatever its length. The clock moves on. The body's torque is not asked. With rotors,
    /// it is composed of parts of at most 1 rad with the order of the body's method: each of one free rotation at order 2, of 6 at order 4, of 10
    /// at order 6, for long drifts. The angular momentum is exact; the turn may not exceed 1e6 rad.
    /// @param duration  may be negative
    /// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (too long for a body with rotors)
    fn qi_drift(body: *mut qi_body, duration: f64) = change(body, |b| Ok(b.body.drift(duration)?));

    /// Kick the (active) bodies; see qi_kick(). Angular momenta bound as QI_ANGMOM_WORLD are only added to, so that their sum is conserved
    /// to rounding. The caller may read and write bound arrays between the calls.
    /// @param torque  3 doubles a body; must not overlap a bound array. NULL is QI_ERR_NULL: no torque is three zeros with the strides 0 and 1
    /// @return QI_OK, or QI_ERR_NON_FINITE (also for the torque of a body, see qi_last_error_body())
    fn qi_kick_ensemble(
        ensemble: *mut qi_ensemble, duration: f64, torque: *const f64, body_stride: isize, component_stride: isize,
        frame: i32,
    ) = change(ensemble, |e| {
        Ok(e.kick(duration, torques(torque, e, body_stride, component_stride)?, frame_of(frame)?)?)
    });

    /// Rotate the (active) bodies freely for a duration, exactly, whatever its length; see qi_drift(). Angular momenta bound as
    /// QI_ANGMOM_WORLD are not written.
    fn qi_drift_ensemble(ensemble: *mut qi_ensemble, duration: f64) = change(ensemble, |e| Ok(e.drift(duration)?));

    /// Kick and then drift, in one pass over the bodies: the first half of a step. The second half is qi_kick_ensemble().
    ///
    /// If predicted velocities are bound, they are written when all bodies have succeeded.
    /// @param kick    duration of the kick
    /// @param drift   duration of the drift
    /// @param torque  as in qi_kick_ensemble()
    /// @return as qi_kick_ensemble()
    fn qi_kick_drift_ensemble(
        ensemble: *mut qi_ensemble, kick: f64, drift: f64, torque: *const f64, body_stride: isize,
        component_stride: isize, frame: i32,
    ) = change(ensemble, |e| {
        Ok(e.kick_drift(kick, drift, Some(torques(torque, e, body_stride, component_stride)?), frame_of(frame)?)?)
    });

    /// Choose an array for predicted angular velocities (world frame), which qi_kick_drift_ensemble() then writes: those at the end of the
    /// drift, changed by the torque of the kick, held in the body frame, for `ahead` more. With `ahead` half a step, they are the arguments
    /// for torques that depend on the angular velocity: the step then keeps order 2.
    /// @param data   must not overlap a bound array; must stay valid; NULL: no longer
    /// @param ahead  duration after the end of the drift; usually half a step
    /// @return QI_OK, or QI_ERR_INVALID (overlap)
    fn qi_bind_predicted_velocities(
        ensemble: *mut qi_ensemble, data: *mut f64, body_stride: isize, component_stride: isize, ahead: f64,
    ) = change(ensemble, |e| {
        Ok(e.bind_predicted_velocities(optional!(view_mut(data, e, body_stride, component_stride)), ahead)?)
    });
}
