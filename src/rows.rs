//! The data of a body as a row of plain numbers: for messages between ranks, files and restarts.
//!
//! A body and an ensemble write the same rows, in which the parts that are wanted follow one
//! another.

use crate::error::{Error, check, finite};
use crate::kernel::{State, Vec3};
use crate::{inertia::Inertia, rotation};

/// The parts of a row, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// `w, x, y, z` and the angular velocity in the body frame: 7 numbers.
    pub state: bool,
    /// The principal moments, negative about locked axes, and the rotation from the principal axes
    /// to the body frame `w, x, y, z`: 7 numbers.
    pub inertia: bool,
    /// The parameters of the ready-made torque, of a drag, of rotors and of random torques: see
    /// `QI_PART_TORQUE`.
    pub torque: bool,
    /// The numbers that the method keeps from step to step: 0, 3 (the last torque, body frame) or,
    /// with implicit drag, 6 (the last torque without its resistance, and a rate of change). The
    /// torque is NaN if it is not known.
    pub memory: bool,
    /// The id that the noise of the body depends on: the bits of an integer in the place of 1
    /// number. Do not compute with it.
    pub id: bool,
    /// The angular velocity or momentum as the bound array holds it, 3 numbers; where none is
    /// bound, the angular velocity in the body frame. With it, and the state, a bound array of the
    /// same kind gets the same bits again.
    pub bound: bool,
}

/// How many numbers each part of a row has; 0 for a part that is not wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Widths {
    pub(crate) state: usize,
    pub(crate) inertia: usize,
    pub(crate) torque: usize,
    pub(crate) memory: usize,
    pub(crate) id: usize,
    pub(crate) bound: usize,
}

impl Widths {
    /// The widths of the parts that are wanted. `torque` and `memory` are the widths of these
    /// parts.
    pub(crate) fn of(parts: Parts, torque: usize, memory: usize) -> Self {
        Widths {
            state: if_wanted(parts.state, 7),
            inertia: if_wanted(parts.inertia, 7),
            torque: if_wanted(parts.torque, torque),
            memory: if_wanted(parts.memory, memory),
            id: if_wanted(parts.id, 1),
            bound: if_wanted(parts.bound, 3),
        }
    }

    /// The numbers of a row.
    pub(crate) fn total(&self) -> usize {
        self.state + self.inertia + self.torque + self.memory + self.id + self.bound
    }
}

/// `width` of a part that is wanted, otherwise 0.
fn if_wanted(is_wanted: bool, width: usize) -> usize {
    if is_wanted { width } else { 0 }
}

/// A row to be read. A part that is not wanted is `None` or empty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'r> {
    /// The name of the argument that the row comes from.
    pub(crate) name: &'static str,
    pub(crate) state: Option<&'r [f64; 7]>,
    pub(crate) inertia: Option<&'r [f64; 7]>,
    pub(crate) torque: &'r [f64],
    pub(crate) memory: &'r [f64],
    pub(crate) id: Option<f64>,
    pub(crate) bound: Option<&'r [f64; 3]>,
}

impl<'r> Row<'r> {
    /// `row` has the numbers of these widths.
    #[inline]
    pub(crate) fn new(name: &'static str, widths: &Widths, mut row: &'r [f64]) -> Self {
        Row {
            name,
            state: next(&mut row, widths.state).first_chunk(),
            inertia: next(&mut row, widths.inertia).first_chunk(),
            torque: next(&mut row, widths.torque),
            memory: next(&mut row, widths.memory),
            id: next(&mut row, widths.id).first().copied(),
            bound: next(&mut row, widths.bound).first_chunk(),
        }
    }

    /// Whether so many numbers of the memory are known.
    pub(crate) fn knows(&self, width: usize) -> bool {
        let numbers = self.memory.get(..width).unwrap_or_default();
        !numbers.is_empty() && numbers.iter().all(|number| number.is_finite())
    }

    /// Checks the row. Errors: as the setters of a state and of an inertia; parameters of the
    /// torque must be finite.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if let Some(state) = self.state {
            checked_state(self.name, state)?;
        }
        if let Some(inertia) = self.inertia {
            checked_inertia(self.name, inertia)?;
        }
        let mut before = 0;
        if let Some(state) = self.state {
            before += state.len();
        }
        if let Some(inertia) = self.inertia {
            before += inertia.len();
        }
        for (k, &value) in self.torque.iter().enumerate() {
            if !value.is_finite() {
                return Err(Error::NotFinite {
                    name: self.name,
                    index: Some(before + k),
                    value,
                });
            }
        }
        if let Some(bound) = self.bound {
            finite(self.name, *bound)?;
        }
        Ok(())
    }
}

/// A row to be written.
pub(crate) struct RowMut<'r> {
    pub(crate) state: Option<&'r mut [f64; 7]>,
    pub(crate) inertia: Option<&'r mut [f64; 7]>,
    pub(crate) torque: &'r mut [f64],
    pub(crate) memory: &'r mut [f64],
    pub(crate) id: Option<&'r mut f64>,
    pub(crate) bound: Option<&'r mut [f64; 3]>,
}

impl<'r> RowMut<'r> {
    /// `row` has the numbers of these widths.
    #[inline]
    pub(crate) fn new(widths: &Widths, mut row: &'r mut [f64]) -> Self {
        RowMut {
            state: next_mut(&mut row, widths.state).first_chunk_mut(),
            inertia: next_mut(&mut row, widths.inertia).first_chunk_mut(),
            torque: next_mut(&mut row, widths.torque),
            memory: next_mut(&mut row, widths.memory),
            id: next_mut(&mut row, widths.id).first_mut(),
            bound: next_mut(&mut row, widths.bound).first_chunk_mut(),
        }
    }
}

/// Writes 0 for a rate of change that has overflowed, since steps take it as 0 (`method::damped`).
pub(crate) fn clear_rate_beyond_range(memory: &mut [f64]) {
    let rate = memory.get_mut(3..).unwrap_or_default();
    if rate.iter().any(|number| number.is_infinite()) {
        rate.fill(0.0);
    }
}

/// Takes the next numbers of a row, which becomes the rest.
fn next<'r>(row: &mut &'r [f64], width: usize) -> &'r [f64] {
    row.split_off(..width).unwrap_or_default()
}

/// [`next`] of a row to be written.
fn next_mut<'r>(row: &mut &'r mut [f64], width: usize) -> &'r mut [f64] {
    row.split_off_mut(..width).unwrap_or_default()
}

/// The state as the part of a row that holds it.
#[inline]
pub(crate) fn state_numbers(state: &State<f64>) -> [f64; 7] {
    let [w, x, y, z] = state.q.0;
    let [a, b, c] = state.omega_body.0;
    [w, x, y, z, a, b, c]
}

/// The state of a row: one that was read from a body has the same bits.
#[inline(always)]
pub(crate) fn checked_state(name: &'static str, numbers: &[f64; 7]) -> Result<State<f64>, Error> {
    let &[w, x, y, z, a, b, c] = numbers;
    let omega_body = Vec3([a, b, c]);
    finite(name, omega_body.0)?;
    let is_small = omega_body.dot(omega_body).is_finite();
    let must = "must have angular velocities of less than 1e154 rad/s";
    check(is_small, name, must)?;
    Ok(State {
        q: rotation::checked_bits(name, [w, x, y, z])?,
        omega_body,
    })
}

/// The principal moments of the mass with their reciprocals, and the rotation from the principal
/// axes to the body frame.
#[inline(always)]
pub(crate) fn checked_inertia(
    name: &'static str,
    numbers: &[f64; 7],
) -> Result<([f64; 6], [f64; 4]), Error> {
    let &[a, b, c, w, x, y, z] = numbers;
    let moments = [a, b, c];
    let moments = if moments.iter().any(|&moment| moment < 0.0) {
        Inertia::of_numbers(name, numbers)?.with_reciprocals()
    } else {
        Inertia::checked_moments(name, moments)?
    };
    let turn = rotation::checked_bits(name, [w, x, y, z])?;
    Ok((moments, turn.0))
}
