//! The data of bodies as rows of plain numbers: messages between ranks, files, restart.

use super::Ensemble;
use super::parameters::{Inertias, Parameter};
use super::stores::{Kept, Store};
use super::undo::TorqueFrom;
use crate::error::{Error, Failure, finite};
use crate::inertia::Inertia;
use crate::kernel::{Quat, Vec3};
use crate::memory::{self, Block};
use crate::rotation;

/// The parts of a row, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// `w, x, y, z` and the angular velocity in the body frame: 7 numbers.
    pub state: bool,
    /// The principal moments, and the rotation from the principal axes to the body frame `w, x, y, z`: 7 numbers.
    pub inertia: bool,
    /// The parameters of the ready-made torque: 0, 1, 3 or 6 numbers.
    pub torque: bool,
    /// What the method keeps from step to step: 0, 3 (the last torque, body frame) or 7 numbers. NaN: it keeps nothing yet.
    pub memory: bool,
}

/// Where each part of a row begins.
struct Layout {
    inertia: usize,
    torque: usize,
    memory: usize,
    width: usize,
}

/// `w, x, y, z, ω₁, ω₂, ω₃` as an ensemble keeps them: a restored state has the same bits.
fn checked_state([w, x, y, z, a, b, c]: [f64; 7]) -> Result<[f64; 7], Error> {
    let q = rotation::checked_bits("rows", [w, x, y, z])?;
    let omega = Vec3(finite("rows", [a, b, c])?);
    if !omega.dot(omega).is_finite() {
        return Err(Error::OutOfRange { name: "rows" });
    }
    Ok([q.0[0], q.0[1], q.0[2], q.0[3], a, b, c])
}

fn checked_inertia([a, b, c, w, x, y, z]: [f64; 7]) -> Result<Inertia, Error> {
    Inertia::restored([a, b, c], rotation::checked_bits("rows", [w, x, y, z])?)
}

fn seven(numbers: &[f64]) -> [f64; 7] {
    let mut seven = [0.0; 7];
    seven.copy_from_slice(&numbers[..7]);
    seven
}

impl Ensemble<'_> {
    /// Numbers per row.
    pub fn row_size(&self, parts: Parts) -> usize {
        self.layout(parts).width
    }

    /// Writes a row for each of the `bodies` (`None`: for all, in order).
    /// Errors: [`Error::Capacity`] if `rows` is too short; [`Error::Invalid`] if an index is too large.
    pub fn rows(&self, parts: Parts, bodies: Option<&[usize]>, rows: &mut [f64]) -> Result<(), Failure> {
        let layout = self.check_rows(parts, bodies, rows.len())?;
        if layout.width == 0 {
            return Ok(());
        }
        let knows = self.known_torque.is_some();
        for (i, row) in rows.chunks_exact_mut(layout.width).take(self.rows_of(bodies)).enumerate() {
            let body = bodies.map_or(i, |list| list[i]);
            if parts.state {
                row[..7].copy_from_slice(&self.state_now(body));
            }
            if parts.inertia {
                row[layout.inertia..][..7].copy_from_slice(&self.inertia_numbers(body));
            }
            if parts.torque
                && let Some(parameters) = self.torque.parameters()
            {
                parameters.read(body, &mut row[layout.torque..layout.memory]);
            }
            if parts.memory {
                self.read_memory(body, knows, &mut row[layout.memory..]);
            }
        }
        Ok(())
    }

    /// Replaces the data of the `bodies` (`None`: of all, in order) by rows from [`Ensemble::rows`]; of a body that is listed twice, the
    /// last row stays. With the clock, the torque and the method set again, and rows with memory set after these, an ensemble goes on
    /// with the bits of the one whose rows they are.
    /// Errors, with the first body concerned: what the setters of states and inertias refuse; [`Error::Capacity`]; [`Error::Invalid`] if an
    /// index is too large; [`Error::Memory`]; [`Error::Order`] in the middle of a step. Then nothing has changed.
    pub fn set_rows(&mut self, parts: Parts, bodies: Option<&[usize]>, rows: &[f64]) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let layout = self.check_rows(parts, bodies, rows.len())?;
        if layout.width == 0 {
            return Ok(());
        }
        let count = self.rows_of(bodies);
        let body_of = |i: usize| bodies.map_or(i, |list| list[i]);
        let row_of = |i: usize| &rows[i * layout.width..][..layout.width];
        let mut keeps = parts.memory && layout.width > layout.memory;
        for i in 0..count {
            let (body, row) = (body_of(i), row_of(i));
            self.check_row(parts, &layout, row).map_err(|cause| Failure::of_body(body, cause))?;
            keeps &= row[layout.memory..].iter().all(|number| number.is_finite());
        }
        if parts.inertia && (0..count).any(|i| self.inertia_numbers(body_of(i)) != seven(&row_of(i)[layout.inertia..]))
        {
            self.separate_inertias((0..count).any(|i| row_of(i)[layout.inertia + 3] != 1.0))?;
        }
        if parts.torque && layout.memory > layout.torque {
            self.separate_parameters(&layout, (0..count).map(|i| (body_of(i), row_of(i))))?;
        }

        let known = self.known_torque;
        self.begin_change()?;
        for i in 0..count {
            let (body, row) = (body_of(i), row_of(i));
            if parts.state {
                let state = checked_state(seven(row))?;
                self.put_state(body, state);
            }
            if parts.inertia {
                let inertia = checked_inertia(seven(&row[layout.inertia..]))?;
                self.put_inertia(body, &inertia);
            }
            if parts.torque
                && let Some(parameters) = self.torque.parameters_mut()
            {
                parameters.write(body, &row[layout.torque..layout.memory]);
            }
            if keeps {
                self.write_memory(body, &row[layout.memory..]);
            }
        }
        // What is kept is known if the rows bring it for all bodies, or for some where that of the others is known.
        if keeps && self.active.is_none() && (known.is_some() || bodies.is_none()) {
            self.known_torque = known.or(Some(TorqueFrom::Rows));
        }
        Ok(())
    }

    fn layout(&self, parts: Parts) -> Layout {
        let choice = self.choice();
        let of = |is_wanted: bool, width: usize| if is_wanted { width } else { 0 };
        let inertia = of(parts.state, 7);
        let torque = inertia + of(parts.inertia, 7);
        let memory = torque + of(parts.torque, self.torque.parameters().map_or(0, Store::width));
        // with implicit drag the length of the last step belongs to it
        let kept = choice.kept_numbers();
        let width = memory + of(parts.memory, kept + usize::from(choice.resists && kept > 0));
        Layout { inertia, torque, memory, width }
    }

    fn rows_of(&self, bodies: Option<&[usize]>) -> usize {
        bodies.map_or(self.count, <[usize]>::len)
    }

    fn check_rows(&self, parts: Parts, bodies: Option<&[usize]>, given: usize) -> Result<Layout, Error> {
        self.check_indices("bodies", bodies.unwrap_or_default())?;
        let layout = self.layout(parts);
        let needed = self.rows_of(bodies) as u64 * layout.width as u64;
        if (given as u64) < needed {
            return Err(Error::Capacity { name: "rows", needed, given: given as u64 });
        }
        Ok(layout)
    }

    fn check_row(&self, parts: Parts, layout: &Layout, row: &[f64]) -> Result<(), Error> {
        if parts.state {
            checked_state(seven(row))?;
        }
        if parts.inertia {
            checked_inertia(seven(&row[layout.inertia..]))?;
        }
        match row[layout.torque..layout.memory].iter().position(|number| !number.is_finite()) {
            None => Ok(()),
            Some(index) => {
                let index = layout.torque + index;
                Err(Error::NotFinite { name: "rows", index: Some(index), value: row[index] })
            }
        }
    }

    fn state_now(&self, body: usize) -> [f64; 7] {
        if self.bound.is_empty() { memory::get(&self.own, body) } else { self.state(body) }
    }

    fn put_state(&mut self, body: usize, state: [f64; 7]) {
        if self.bound.is_empty() {
            memory::set(&mut self.own, body, state);
        } else {
            self.replace_some(body, 1, |_, _| state);
        }
    }

    fn inertia_numbers(&self, body: usize) -> [f64; 7] {
        let ([a, b, c], [w, x, y, z]) = match &self.inertias {
            Inertias::Shared(inertia) => {
                let turn = inertia.principal_to_body_if_turned().unwrap_or(Quat::identity());
                (inertia.principal_moments().into(), turn.0)
            }
            Inertias::Each { moments, principal_to_body } => {
                let turn = principal_to_body.as_ref().map_or(Quat::identity().0, |turns| memory::get(turns, body));
                (memory::get(moments, body), turn)
            }
        };
        [a, b, c, w, x, y, z]
    }

    /// Makes the inertias separate, with axes of their own if any is turned.
    fn separate_inertias(&mut self, is_turned: bool) -> Result<(), Error> {
        let count = self.count;
        if let Inertias::Shared(inertia) = &self.inertias {
            let moments = memory::filled(count, inertia.principal_moments().into())?;
            let principal_to_body = match inertia.principal_to_body_if_turned() {
                None => None,
                Some(turn) => Some(memory::filled(count, turn.0)?),
            };
            self.inertias = Inertias::Each { moments, principal_to_body };
            self.retake = None;
        }
        if let Inertias::Each { principal_to_body: turns @ None, .. } = &mut self.inertias
            && is_turned
        {
            *turns = Some(memory::filled(count, Quat::identity().0)?);
        }
        Ok(())
    }

    fn put_inertia(&mut self, body: usize, inertia: &Inertia) {
        if let Inertias::Each { moments, principal_to_body } = &mut self.inertias {
            memory::set(moments, body, inertia.principal_moments().into());
            if let Some(turns) = principal_to_body {
                memory::set(turns, body, inertia.principal_to_body_if_turned().unwrap_or(Quat::identity()).0);
            }
        }
    }

    /// Makes the parameters of the torque separate, if a row differs from a shared one.
    fn separate_parameters<'r>(
        &mut self,
        layout: &Layout,
        mut rows: impl Iterator<Item = (usize, &'r [f64])>,
    ) -> Result<(), Error> {
        let count = self.count;
        let Some(parameters) = self.torque.parameters_mut() else { return Ok(()) };
        let mut now = [0.0; 6];
        let now = &mut now[..parameters.width()];
        let differs = rows.any(|(body, row)| {
            parameters.read(body, now);
            *now != row[layout.torque..layout.memory]
        });
        if differs { parameters.separate(count) } else { Ok(()) }
    }

    fn read_memory(&self, body: usize, is_known: bool, to: &mut [f64]) {
        let width = self.choice().kept_numbers();
        if !is_known || self.active.is_some() {
            to.fill(f64::NAN);
            return;
        }
        Kept::read_from(&self.saved, width, body, &mut to[..width]);
        if let Some(h) = to.get_mut(width) {
            *h = self.last_h;
        }
    }

    fn write_memory(&mut self, body: usize, from: &[f64]) {
        let width = self.choice().kept_numbers();
        Kept { columns: &mut self.saved, width }.write(body, &from[..width]);
        if let Some(h) = from.get(width) {
            self.last_h = *h;
        }
    }
}

impl<const K: usize> Parameter<K> {
    /// Separate numbers for each body.
    pub(super) fn make_separate(&mut self, count: usize) -> Result<(), Error> {
        if let Parameter::Shared(numbers) = self {
            let blocks: Vec<Block<K>> = memory::filled(count, *numbers)?;
            *self = Parameter::Each(blocks);
        }
        Ok(())
    }
}
