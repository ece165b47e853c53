//! Rows of plain numbers and clocks: for messages, files and restarts.

use super::prelude::*;
use super::torque::{BodyTorque, with_torque};
use crate::torque::Free;
use crate::{Ensemble, Failure, Parts};
use std::ops::Range;

/// Part of a row, 7 doubles: orientation w, x, y, z and angular velocity in the body frame.
pub const QI_PART_STATE: i32 = 1;
/// Part of a row, 7 doubles: the 3 principal moments, negative about locked axes (the magnitude is
/// the moment of the mass), and the rotation from the principal axes to the body frame, w, x, y, z.
pub const QI_PART_INERTIA: i32 = 2;
/// Part of a row: the parameters of the ready-made torque. They are 3 doubles for a constant
/// torque, a uniform field (the vector v) or a linear drag; 1 for the gravity gradient; 6 for the
/// shear flow; 0 for a callback or no torque. A drag of qi_set_ensemble_drag() adds 6, its 3
/// coefficients and the 3 components of the fluid's rotation. Random torques of
/// qi_set_ensemble_langevin() add their 6 in the same way, and rotors of
/// qi_set_ensemble_rotor_momentum() add their 3.
pub const QI_PART_TORQUE: i32 = 4;
/// Part of a row: what the method keeps from step to step. Under PCDM and CF4 it is 0 doubles.
/// Under the splitting methods it is 3, the last torque in the body frame, or 6 under
/// QI_METHOD_SPLITTING with a resistance that is known: the torque without it, and a rate of
/// change. The torque is NaN if it is not known yet, and so is the rate after steps of the stage
/// protocol in place of a torque that resists; infinities in a row that is set count as NaN. The
/// next step takes this torque as its first, whether a callback or the stage protocol goes on:
/// where the torques come from another source than before the rows, call
/// qi_forget_ensemble_torques().
pub const QI_PART_MEMORY: i32 = 8;
/// Part of a row, 1 double: the id of the body's noise, see qi_set_ensemble_ids(). The double holds
/// the 64 bits of an integer: copy it, but never compute with it.
pub const QI_PART_ID: i32 = 16;
/// Part of a row, 3 doubles: the angular velocity or the angular momentum as the bound array of
/// qi_bind_angular_velocities() holds it; the angular velocity in the body frame where none is
/// bound, and of a qi_body. Bound velocities of another kind than QI_OMEGA_BODY are converted to
/// the body frame for QI_PART_STATE, which rounds: with this part and QI_PART_STATE, an array that
/// is bound with the same kind gets its own bits again. One that is bound with another kind gets
/// the velocity of QI_PART_STATE.
pub const QI_PART_BOUND: i32 = 32;

fn parts_of(parts: i32) -> Result<Parts, Error> {
    check(
        (0..64).contains(&parts),
        "parts",
        "must combine the QI_PART constants",
    )?;
    Ok(Parts {
        state: parts & QI_PART_STATE != 0,
        inertia: parts & QI_PART_INERTIA != 0,
        torque: parts & QI_PART_TORQUE != 0,
        memory: parts & QI_PART_MEMORY != 0,
        id: parts & QI_PART_ID != 0,
        bound: parts & QI_PART_BOUND != 0,
    })
}

impl TorquedBody {
    fn row_size(&self, parts: Parts) -> usize {
        match self.torque.as_ready_made() {
            Some(torque) => self.body.row_size(parts, torque),
            None => self.body.row_size(parts, &Free),
        }
    }

    fn row(&self, parts: Parts, row: &mut [f64]) -> Result<(), Error> {
        match self.torque.as_ready_made() {
            Some(torque) => self.body.row(parts, torque, row),
            None => self.body.row(parts, &Free, row),
        }
    }

    fn set_row(&mut self, parts: Parts, row: &[f64]) -> Result<(), Error> {
        let TorquedBody { body, torque } = self;
        with_torque!(torque, torque => body.set_row(parts, torque, row))?;
        if parts.torque {
            torque.forget_ellipsoid();
        }
        Ok(())
    }
}

/// The bodies that rows belong to; `None` if they are all bodies.
unsafe fn listed<'a>(
    e: &Ensemble,
    bodies: *const usize,
    count: usize,
) -> Result<Option<&'a [usize]>, Fault> {
    if count > 0 && bodies.is_null() {
        check(
            count == e.count(),
            "count",
            "must be the number of bodies where no list is given",
        )?;
        return Ok(None);
    }
    Ok(Some(arg!(input_array(bodies, count))))
}

fn check_apart(e: &Ensemble, rows: &Range<*const f64>) -> Result<(), Error> {
    check(
        !e.addresses_overlap_bound(rows),
        "rows",
        "must not overlap a bound array",
    )
}

/// The fault of a row, or of one of several rows, that was refused. If rows have another length
/// than the program assumes, their orientations are the first to be refused.
fn row_fault(failure: Failure, width: usize) -> Fault {
    match failure.cause {
        Error::NotUnit { .. } => Fault::Row { failure, width },
        _ => Fault::Failed(failure),
    }
}

/// Get the number of doubles in a row; see qi_get_ensemble_rows(). It is 0 if `ensemble` is NULL or
/// `parts` is not valid.
/// @param parts  QI_PART_STATE, QI_PART_INERTIA, QI_PART_TORQUE, QI_PART_MEMORY, QI_PART_ID and
///               QI_PART_BOUND, combined with |
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_ensemble_row_size(
    ensemble: *const qi_ensemble,
    parts: i32,
) -> usize {
    value_or_zero("qi_get_ensemble_row_size", ensemble, |e| {
        Ok(e.row_size(parts_of(parts)?))
    })
}

/// Get the data of bodies as rows of plain numbers: for messages, files and restarts. A row holds
/// the parts that were asked for, in the order of the constants.
///
/// Rows of all parts hold the whole state of the bodies. An ensemble whose clock
/// (qi_get_ensemble_clock()), kind of torque and method are set again, and that is then filled with
/// them, goes on with the same bits, in any order of the bodies and spread over any number of
/// ensembles, if its velocities are bound with the same kind, or not bound. QI_PART_BOUND can be
/// left out where velocities are not bound, or with QI_OMEGA_BODY; QI_PART_ID where there are no
/// random torques. (Rows do not hold
/// what rounding has left of an angular velocity about a locked axis that is no body axis. This
/// matters only where the body has slowed down 1e7 times.)
///
/// ```c
/// const int32_t parts = QI_PART_STATE | QI_PART_INERTIA | QI_PART_TORQUE | QI_PART_MEMORY;
/// const size_t count = qi_get_ensemble_count(ensemble);
/// const size_t size = qi_get_ensemble_row_size(ensemble, parts);
/// double *rows = malloc(count * size * sizeof *rows), clock[2];
/// status = qi_get_ensemble_rows(ensemble, parts, NULL, count, rows);
/// if (status == QI_OK) status = qi_get_ensemble_clock(ensemble, clock);
/// ```
/// @param parts   QI_PART constants, combined with |
/// @param bodies  indices of the bodies, in any order; NULL: all bodies
/// @param count   number of indices, hence of rows. Without indices: the number of bodies, or 0,
///                with which nothing happens
/// @param rows    receives `count` rows, one after the other; see qi_get_ensemble_row_size(). They
///                must not overlap a bound array or `bodies`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_ensemble_rows(
    ensemble: *const qi_ensemble,
    parts: i32,
    bodies: *const usize,
    count: usize,
    rows: *mut f64,
) -> qi_status {
    read("qi_get_ensemble_rows", ensemble, |e| {
        let parts = parts_of(parts)?;
        let bodies = listed(e, bodies, count)?;
        let rows = arg!(output_array(rows, count.saturating_mul(e.row_size(parts))));
        check_apart(e, &rows.addresses())?;
        let read = bodies.unwrap_or_default().as_ptr_range();
        let overlaps = overlap(&read, &rows.addresses());
        check(!overlaps, "rows", "must not overlap `bodies`")?;
        Ok(e.write_rows(parts, bodies, rows)?)
    })
}

/// Set the data of bodies from rows; see qi_get_ensemble_rows(). All rows are checked before the
/// first is written. Orientations within 1e-12 of unit length keep their bits.
///
/// The size of a row depends on the method and the torque, so set these before the rows. Set all
/// else before them, too: what the rows give for QI_PART_MEMORY is forgotten by each call after
/// which the splitting methods ask for the torques again, see qi_set_ensemble_method(). Rows with
/// NaN for this part set nothing there.
/// @param bodies  indices of the bodies; of a body that is listed twice, the last row stays. NULL:
///                all bodies
/// @param rows    `count` rows. They must not overlap a bound array
/// @return QI_OK, or QI_ERR_INERTIA, QI_ERR_NON_FINITE, QI_ERR_ORIENTATION, QI_ERR_INVALID (parts,
///         an index, count, overlap, a negative coefficient); qi_last_error_body() gives the body
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_rows(
    ensemble: *mut qi_ensemble,
    parts: i32,
    bodies: *const usize,
    count: usize,
    rows: *const f64,
) -> qi_status {
    change("qi_set_ensemble_rows", ensemble, |e| {
        let parts = parts_of(parts)?;
        let bodies = listed(e, bodies, count)?;
        let width = e.row_size(parts);
        let rows = arg!(input_array(rows, count.saturating_mul(width)));
        check_apart(e, &rows.as_ptr_range())?;
        e.set_rows(parts, bodies, rows)
            .map_err(|failure| row_fault(failure, width))
    })
}

/// Get the number of doubles in a row of one body; see qi_get_body_row(). It is 0 if `body` is NULL
/// or `parts` is not valid.
/// @param parts  QI_PART constants, combined with |
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_body_row_size(body: *const qi_body, parts: i32) -> usize {
    value_or_zero("qi_get_body_row_size", body, |b| {
        Ok(b.row_size(parts_of(parts)?))
    })
}

/// Get the data of a body as a row of plain numbers. It is the row that an ensemble of this one
/// body under the same torque would give; see qi_get_ensemble_rows(). A row of all parts, the clock
/// (qi_get_clock()) and, for random torques, qi_get_noise() are all that a restart with the same
/// bits needs, if torque, method, drag and motors are set again. Without random torques the id is
/// 0.
/// @param parts  QI_PART constants, combined with |
/// @param row    receives the row, qi_get_body_row_size() doubles
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_body_row(
    body: *const qi_body,
    parts: i32,
    row: *mut f64,
) -> qi_status {
    read("qi_get_body_row", body, |b| {
        let parts = parts_of(parts)?;
        let width = b.row_size(parts);
        let row = arg!(output_array(row, width)).take_front(width);
        Ok(b.row(parts, row)?)
    })
}

/// Set the data of a body from a row of a body or of an ensemble. The size of a row depends on
/// torque, method, drag, rotors and random torques, so set these before the row. Set all else
/// before it, too: what the row gives for QI_PART_MEMORY is forgotten by each call after which the
/// splitting methods ask for the torque again, see qi_set_method(). NaN means that nothing is kept.
/// An orientation within 1e-12 of unit length keeps its bits. The whole row is checked before the
/// body changes.
/// @param parts  QI_PART constants, combined with |
/// @param row    qi_get_body_row_size() doubles
/// @return QI_OK, or QI_ERR_INERTIA, QI_ERR_NON_FINITE, QI_ERR_ORIENTATION, QI_ERR_INVALID (parts,
///         a negative coefficient)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_body_row(
    body: *mut qi_body,
    parts: i32,
    row: *const f64,
) -> qi_status {
    change("qi_set_body_row", body, |b| {
        let parts = parts_of(parts)?;
        let width = b.row_size(parts);
        let row = arg!(input_array(row, width));
        b.set_row(parts, row)
            .map_err(|cause| row_fault(cause.into(), width))
    })
}

/// Get the whole clock: the time, and what rounding has left of the sum of the steps; see
/// qi_set_clock().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_clock(body: *const qi_body, clock: *mut f64) -> qi_status {
    compute("qi_get_clock", clock, "clock", || {
        Ok(shared(body)?.body.clock())
    })
}

/// Restore the whole clock. A run that goes on from it has, bit for bit, the times of a run that
/// was not interrupted.
/// @param clock  2 doubles from qi_get_clock(). They are not checked but for being finite: the next
///               step adds the second to the time
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_clock(body: *mut qi_body, clock: *const f64) -> qi_status {
    change("qi_set_clock", body, |b| {
        Ok(b.body.set_clock(arg!(input(clock)))?)
    })
}

/// Get the whole clock of an ensemble; see qi_get_clock().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_ensemble_clock(
    ensemble: *const qi_ensemble,
    clock: *mut f64,
) -> qi_status {
    compute("qi_get_ensemble_clock", clock, "clock", || {
        Ok(shared(ensemble)?.clock())
    })
}

/// Restore the whole clock of an ensemble; see qi_set_clock().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_clock(
    ensemble: *mut qi_ensemble,
    clock: *const f64,
) -> qi_status {
    change("qi_set_ensemble_clock", ensemble, |e| {
        Ok(e.set_clock(arg!(input(clock)))?)
    })
}
