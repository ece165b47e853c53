//! Another inertia for a body, and axes about which bodies do not turn.

use super::prelude::*;
use crate::inertia::axes_of;
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

/// Set the inertia. Orientation, clock and torque do not change. The splitting methods ask for the
/// torque anew. No axis is locked then, unless a moment is zero.
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

/// Lock body axes: from now on the body does not turn about them. The angular velocity about them
/// is taken away, and stays 0, whatever the torque; about the other axes the body turns with its
/// moments. With one lock the body is a disc or a plate that cannot spin, with two it is a wheel,
/// with three it keeps its orientation. The locked axes turn with the body.
///
/// A lock sets the moment about its axis to zero, so energy and angular momentum are those of the
/// rotation about the other axes, and rows with QI_PART_INERTIA contain it. Locks add up;
/// qi_set_inertia() unlocks. All methods keep their orders. With one lock beside two different
/// moments, the energy of free motion is kept but not the angular momentum, which the lock changes.
/// Rotors cannot be beside such a lock, and QI_METHOD_BROWNIAN asks for principal axes that are the
/// body axes.
/// @param axes  a sum of QI_AXIS_X, QI_AXIS_Y and QI_AXIS_Z; 0: nothing changes
/// @return QI_OK, or QI_ERR_INERTIA (an axis that is not principal), QI_ERR_INVALID (axes; rotors)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_locked_axes(body: *mut qi_body, axes: i32) -> qi_status {
    change("qi_set_locked_axes", body, |b| {
        Ok(b.body.lock_axes(axes_of(axes)?)?)
    })
}

/// Lock body axes of each body of an ensemble; see qi_set_locked_axes(). qi_set_inertias() and its
/// kin unlock.
/// @param axes    1 integer a body at `axes[i * stride]` for body i, as in qi_set_locked_axes()
/// @param stride  from one body to the next; 0: the same axes for all
/// @return QI_OK, or QI_ERR_INERTIA and QI_ERR_INVALID (axes), with the body; QI_ERR_INVALID (with
///         one lock beside two different moments: rotors, or bound angular momenta), QI_ERR_MEMORY,
///         QI_ERR_ORDER
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
