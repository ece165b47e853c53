//! The data of bodies as rows of plain numbers: messages between ranks, files, restart.

use super::lanes::{CHUNK, CHUNK_BLOCKS, chunks};
use super::parameters::Inertias;
use super::stores::{self, RowPart, Store};
use super::{AT_REST, Ensemble};
use super::{last_torques::Known, torque::ReadyMade};
use crate::error::{Error, Failure, finite};
use crate::kernel::{MOST_LANES, Quat, Vec3};
use crate::memory::{self, Block, Bodies};
use crate::{inertia::Inertia, rotation};

/// The parts of a row, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// `w, x, y, z` and the angular velocity in the body frame: 7 numbers.
    pub state: bool,
    /// The principal moments, and the rotation from the principal axes to the body frame `w, x, y, z`: 7 numbers.
    pub inertia: bool,
    /// The parameters of the ready-made torque: 0, 1, 3 or 6 numbers. With a drag of [`Ensemble::set_drag`] then its 3 coefficients and the
    /// 3 components of the fluid's rotation; with random torques theirs.
    pub torque: bool,
    /// What the method keeps from step to step: 0, 3 (the last torque, body frame) or 7 numbers. NaN: it keeps nothing yet.
    pub memory: bool,
    /// The id that the noise of the body depends on: the bits of an integer in the place of 1 number, which is none to compute with.
    pub id: bool,
}

/// Where each part of a row begins.
struct Places {
    inertia: usize,
    torque: usize,
    memory: usize,
    id: usize,
    width: usize,
}

/// `w, x, y, z, ω₁, ω₂, ω₃` as an ensemble keeps them: a restored state has the same bits.
#[inline(always)]
fn checked_state(&[w, x, y, z, a, b, c]: &[f64; 7]) -> Result<[f64; 7], Error> {
    let omega = Vec3([a, b, c]);
    if !omega.dot(omega).is_finite() {
        finite("rows", [a, b, c])?;
        return Err(Error::Invalid { name: "rows", must: "must have angular velocities of less than 1e154 rad/s" });
    }
    let [w, x, y, z] = rotation::checked_bits("rows", [w, x, y, z])?.0;
    Ok([w, x, y, z, a, b, c])
}

/// The principal moments with their reciprocals, and the rotation from the principal axes to the body frame.
#[inline(always)]
fn checked_inertia(&[a, b, c, w, x, y, z]: &[f64; 7]) -> Result<([f64; 6], [f64; 4]), Error> {
    Ok((Inertia::checked_moments("rows", [a, b, c])?, rotation::checked_bits("rows", [w, x, y, z])?.0))
}

impl Ensemble<'_> {
    /// Numbers per row.
    pub fn row_size(&self, parts: Parts) -> usize {
        self.places(parts).width
    }

    /// Writes a row for each of the `bodies` (`None`: for all, in order).
    /// Errors: [`Error::Capacity`] if `rows` is too short; [`Error::Invalid`] if an index is too large.
    pub fn rows(&self, parts: Parts, bodies: Option<&[usize]>, rows: &mut [f64]) -> Result<(), Failure> {
        let (places, bodies) = (self.places(parts), &self.listed(bodies));
        let count = self.check_rows(&places, bodies, rows.len())?;
        if places.width == 0 || count == 0 {
            return Ok(());
        }
        for (bodies, rows) in pieces(bodies).zip(rows[..count * places.width].chunks_mut(CHUNK * places.width)) {
            self.read_piece(parts, &places, &bodies, RowPart { rows, first: 0, width: places.width });
        }
        Ok(())
    }

    fn read_piece(&self, parts: Parts, places: &Places, bodies: &Bodies, mut to: RowPart<&mut [f64]>) {
        if parts.state {
            self.read_states_to(bodies, to.at(0));
        }
        if parts.inertia {
            self.inertias.read(bodies, to.at(places.inertia));
        }
        if parts.torque {
            let mut first = places.torque;
            for store in self.torque_stores() {
                store.read(bodies, to.at(first));
                first += store.width();
            }
        }
        if places.id > places.memory {
            self.read_memory(bodies, to.at(places.memory));
        }
        if parts.id {
            let ids = to.at(places.id).each().enumerate();
            ids.for_each(|(i, row)| *row = [f64::from_bits(self.random.id(bodies.get(i)))]);
        }
    }

    /// Replaces the data of the `bodies` (`None`: of all, in order) by rows from [`Ensemble::rows`]; of a body that is listed twice, the
    /// last row stays. With the clock, the torque and the method set again, in any order, an ensemble goes on with the bits of the one
    /// whose rows they are: what rows with memory bring stays until the next step, unless states or the list of active bodies change.
    /// Errors, with the first body concerned: what the setters of states and inertias refuse; [`Error::Capacity`]; [`Error::Invalid`] if an
    /// index is too large; [`Error::Memory`]; [`Error::Order`] in the middle of a step. Then nothing has changed.
    pub fn set_rows(&mut self, parts: Parts, bodies: Option<&[usize]>, rows: &[f64]) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let (places, bodies) = (self.places(parts), &self.listed(bodies));
        let count = self.check_rows(&places, bodies, rows.len())?;
        if places.width == 0 || count == 0 {
            return Ok(());
        }
        let rows = &rows[..count * places.width];
        let part = |first| RowPart { rows, first, width: places.width };
        for (i, row) in rows.chunks_exact(places.width).enumerate() {
            check_row(parts, &places, row).map_err(|cause| Failure::of_body(bodies.get(i), cause))?;
        }
        if parts.inertia && !parts.state {
            let moments = part(places.inertia).each().enumerate().map(|(i, &row)| (bodies.get(i), row));
            self.check_bound_momenta(moments.filter(|&(body, _)| self.active.contains(body)))?;
        }
        let total = self.count();
        if parts.torque && self.random.bath.is_some() {
            self.random.check_rows(bodies, part(places.memory - 6))?;
        }
        if parts.id {
            self.random.ids_mut(total)?;
        }
        if parts.inertia && self.inertias.separate_for(total, part(places.inertia))? {
            self.journal.retake = None;
        }
        let mut first = places.torque;
        if parts.torque {
            for store in self.torque_stores_mut() {
                store.separate_for(total, part(first))?;
                first += store.width();
            }
        }

        let known = self.last.known;
        self.begin_change()?;
        self.random.forget_axes();
        for (bodies, rows) in pieces(bodies).zip(rows.chunks(CHUNK * places.width)) {
            self.write_piece(parts, &places, &bodies, rows);
        }
        if known != Known::Nothing || places.id > places.memory {
            let row = |i: usize| &rows[i * places.width..][places.memory..places.id];
            let is_kept = |row: &&[f64]| !row.is_empty() && row.iter().all(|number| number.is_finite());
            let numbers = |i: usize| Some(row(i)).filter(is_kept);
            self.last.keep(self.plan(), &self.active, known, bodies, numbers);
            let kept = self.plan().kept();
            if let Some(&[h]) = (0..count).map(row).find(is_kept).and_then(|row| row.get(kept..)) {
                self.last.h = h;
            }
        }
        Ok(())
    }

    /// The rows have been checked.
    fn write_piece(&mut self, parts: Parts, places: &Places, bodies: &Bodies, rows: &[f64]) {
        let part = |first| RowPart { rows, first, width: places.width };
        // before the states: momenta in a bound array are those of the new inertias
        if parts.inertia {
            self.inertias.write(bodies, part(places.inertia));
        }
        if parts.state {
            self.write_states_from(bodies, part(0));
        }
        if parts.state || parts.inertia {
            self.lock((0..bodies.count()).map(|i| bodies.get(i)));
        }
        if parts.torque {
            let mut first = places.torque;
            for store in self.torque_stores_mut() {
                store.write(bodies, part(first));
                first += store.width();
            }
        }
        if let (true, Some(ids)) = (parts.id, self.random.ids()) {
            { ids }.write(bodies, part(places.id));
        }
    }

    fn places(&self, parts: Parts) -> Places {
        let plan = self.plan();
        let of = |is_wanted: bool, width: usize| if is_wanted { width } else { 0 };
        let inertia = of(parts.state, 7);
        let torque = inertia + of(parts.inertia, 7);
        let memory = torque + of(parts.torque, self.torque_stores().map(Store::width).sum());
        // with implicit drag the length of the last step belongs to it
        let kept = plan.kept();
        let id = memory + of(parts.memory, kept + usize::from(plan.is_damped() && kept > 0));
        Places { inertia, torque, memory, id, width: id + of(parts.id, 1) }
    }

    fn listed<'l>(&self, bodies: Option<&'l [usize]>) -> Bodies<'l> {
        bodies.map_or(Bodies::From { first: 0, count: self.count() }, Bodies::Listed)
    }

    /// Returns the number of rows.
    fn check_rows(&self, places: &Places, bodies: &Bodies, given: usize) -> Result<usize, Error> {
        if let Bodies::Listed(list) = bodies {
            self.check_indices("bodies", list)?;
        }
        let needed = bodies.count() as u64 * places.width as u64;
        if (given as u64) < needed {
            return Err(Error::Capacity { name: "rows", needed, given: given as u64 });
        }
        Ok(bodies.count())
    }

    /// What the torque, the drag, the rotors and random torques know of each body.
    fn torque_stores(&self) -> impl Iterator<Item = &dyn Store> {
        let of_torque = self.torque.ready().and_then(ReadyMade::parameters).into_iter();
        of_torque.chain(self.besides.parameters()).chain(self.random.parameters())
    }

    fn torque_stores_mut(&mut self) -> impl Iterator<Item = &mut dyn Store> {
        let of_torque = self.torque.ready_mut().and_then(ReadyMade::parameters_mut).into_iter();
        of_torque.chain(self.besides.parameters_mut()).chain(self.random.parameters_mut())
    }

    fn read_states_to(&self, bodies: &Bodies, to: RowPart<&mut [f64]>) {
        if self.states.bound.is_empty() {
            return stores::read(&self.states.own, bodies, to);
        }
        match bodies {
            Bodies::Listed(list) => to.each().zip(*list).for_each(|(row, &body)| *row = self.state(body)),
            Bodies::From { .. } => {
                let [mut raw, mut tile] = [[Block::filled(AT_REST); CHUNK_BLOCKS]; 2];
                self.gather(bodies, &mut raw, &mut tile);
                to.each().enumerate().for_each(|(i, row)| *row = memory::get(&tile, i));
            }
        }
    }

    /// The rows have been checked.
    fn write_states_from(&mut self, bodies: &Bodies, from: RowPart<&[f64]>) {
        let state = |row: &[f64; 7]| checked_state(row).unwrap_or(*row);
        if self.states.bound.is_empty() {
            let states = from.each().enumerate();
            return states.for_each(|(i, row)| memory::set(&mut self.states.own, bodies.get(i), state(row)));
        }
        let mut rows = from.each();
        match bodies {
            Bodies::Listed(list) => {
                rows.zip(*list).for_each(|(row, &body)| self.replace_some(body, 1, |_, _| state(row)));
            }
            Bodies::From { first, count } => {
                self.replace_some(*first, *count, |_, before| rows.next().map_or(before, state));
            }
        }
    }

    fn read_memory(&self, bodies: &Bodies, to: RowPart<&mut [f64]>) {
        let (width, last) = (self.plan().kept(), &self.last);
        for (i, row) in to.rows.chunks_exact_mut(to.width).enumerate() {
            let (row, body) = (&mut row[to.first..], bodies.get(i));
            let position = self.active.position_of(body);
            let column = |k: usize| last.columns[position / MOST_LANES * width + k][position % MOST_LANES];
            if last.known == Known::Nothing || !self.active.contains(body) || column(0).is_nan() {
                row.fill(f64::NAN);
                continue;
            }
            row[width..].fill(last.h);
            (0..width).for_each(|k| row[k] = column(k));
        }
    }
}

/// The bodies of each chunk of rows.
fn pieces<'b>(bodies: &Bodies<'b>) -> impl Iterator<Item = Bodies<'b>> {
    let bodies = *bodies;
    chunks(bodies.count()).map(move |(start, count)| match bodies {
        Bodies::From { first, .. } => Bodies::From { first: first + start, count },
        Bodies::Listed(list) => Bodies::Listed(&list[start..][..count]),
    })
}

fn check_row(parts: Parts, places: &Places, row: &[f64]) -> Result<(), Error> {
    let seven = |first: usize| row[first..].first_chunk().expect("a row has this part");
    if parts.state {
        checked_state(seven(0))?;
    }
    if parts.inertia {
        checked_inertia(seven(places.inertia))?;
    }
    match row[places.torque..places.memory].iter().position(|number| !number.is_finite()) {
        None => Ok(()),
        Some(index) => {
            let index = places.torque + index;
            Err(Error::NotFinite { name: "rows", index: Some(index), value: row[index] })
        }
    }
}

/// The part of a row of a body with this inertia.
fn numbers_of(inertia: &Inertia) -> [f64; 7] {
    let [a, b, c] = inertia.principal_moments().into();
    let [w, x, y, z] = inertia.principal_to_body_if_turned().unwrap_or(Quat::identity()).0;
    [a, b, c, w, x, y, z]
}

impl Inertias {
    fn read(&self, bodies: &Bodies, mut to: RowPart<&mut [f64]>) {
        let first = to.first;
        match self {
            Inertias::Shared(inertia) => {
                let numbers = numbers_of(inertia);
                to.each().for_each(|row| *row = numbers);
            }
            Inertias::Each { principal_to_body, .. } => {
                to.at(first).each().enumerate().for_each(|(i, row)| *row = self.moments(bodies.get(i)));
                match principal_to_body {
                    Some(turns) => stores::read(turns, bodies, to.at(first + 3)),
                    None => to.at(first + 3).each().for_each(|row| *row = Quat::identity().0),
                }
            }
        }
    }

    /// Makes the inertias separate if a row differs, with axes of their own if one is turned. Whether this has changed them.
    fn separate_for(&mut self, count: usize, rows: RowPart<&[f64]>) -> Result<bool, Error> {
        let mut is_changed = false;
        if let Inertias::Shared(inertia) = self {
            let numbers = numbers_of(inertia);
            if rows.each().all(|row| *row == numbers) {
                return Ok(false);
            }
            let principal_to_body = match inertia.principal_to_body_if_turned() {
                None => None,
                Some(turn) => Some(memory::filled(count, turn.0)?),
            };
            *self = Inertias::Each {
                moments: memory::filled(count, inertia.with_reciprocals())?,
                principal_to_body,
                is_locked: inertia.principal().is_locked(),
            };
            is_changed = true;
        }
        if let Inertias::Each { principal_to_body: turns @ None, .. } = self
            && rows.each().any(|[.., w, x, y, z]: &[f64; 7]| [*w, *x, *y, *z] != Quat::identity().0)
        {
            *turns = Some(memory::filled(count, Quat::identity().0)?);
            is_changed = true;
        }
        Ok(is_changed)
    }

    /// The rows have been checked.
    fn write(&mut self, bodies: &Bodies, from: RowPart<&[f64]>) {
        let Inertias::Each { moments, principal_to_body, is_locked } = self else { return };
        for (i, row) in from.each().enumerate() {
            if let Ok((these, turn)) = checked_inertia(row) {
                memory::set(moments, bodies.get(i), these);
                *is_locked |= these.contains(&0.0);
                principal_to_body.iter_mut().for_each(|turns| memory::set(turns, bodies.get(i), turn));
            }
        }
    }
}
