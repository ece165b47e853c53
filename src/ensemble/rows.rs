//! The data of bodies as rows of plain numbers: messages between ranks, files, restart.

use super::stores::{Store, first};
use super::sweep::take_front;
use super::{Ensemble, besides::Besides, parameters::Inertias, random::Random, too_small, torque::ReadyMade};
use crate::error::{Error, Failure, finite};
use crate::kernel::{State, Vec3};
use crate::memory::Bodies;
use crate::{inertia::Inertia, rotation, torque::not_negative};

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
fn checked_state(&[w, x, y, z, a, b, c]: &[f64; 7]) -> Result<State<f64>, Error> {
    let omega_body = Vec3([a, b, c]);
    if !omega_body.dot(omega_body).is_finite() {
        finite("rows", [a, b, c])?;
        return Err(Error::Invalid { name: "rows", must: "must have angular velocities of less than 1e154 rad/s" });
    }
    Ok(State { q: rotation::checked_bits("rows", [w, x, y, z])?, omega_body })
}

/// The principal moments with their reciprocals, and the rotation from the principal axes to the body frame.
#[inline(always)]
fn checked_inertia(&[a, b, c, w, x, y, z]: &[f64; 7]) -> Result<([f64; 6], [f64; 4]), Error> {
    Ok((Inertia::checked_moments("rows", [a, b, c])?, rotation::checked_bits("rows", [w, x, y, z])?.0))
}

/// What the torque, the drag, the rotors and random torques know of each body, in this order.
macro_rules! torque_stores {
    ($name:ident, $iter:ident, $ready:ident, $parameters:ident $(, $mut:tt)?) => {
        pub(super) fn $name(&$($mut)? self) -> impl Iterator<Item = &$($mut)? dyn Store> {
            let Ensemble { torque, besides: Besides { drag, rotors }, random: Random { bath, .. }, .. } = self;
            let of_torque = torque.$ready().and_then(ReadyMade::$parameters).into_iter();
            let of_drag = drag.$iter().flat_map(|drag| [&$($mut)? drag.coefficients, &$($mut)? drag.flow]);
            let of_bath = bath.$iter().flat_map(|bath| [&$($mut)? bath.coefficients, &$($mut)? bath.flow]);
            of_torque.chain(of_drag.chain(rotors.$iter()).chain(of_bath).map(|three| three as &$($mut)? dyn Store))
        }
    };
}

impl Ensemble<'_> {
    /// Numbers per row.
    pub fn row_size(&self, parts: Parts) -> usize {
        self.places(parts).width
    }

    /// Writes a row for each of the `bodies` (`None`: for all, in order).
    /// Errors: [`Error::Capacity`] if `rows` is too short; [`Error::Invalid`] if an index is too large.
    pub fn rows(&self, parts: Parts, bodies: Option<&[usize]>, rows: &mut [f64]) -> Result<(), Failure> {
        let places = self.places(parts);
        let bodies = self.check_rows(&places, bodies, rows.len())?;
        if places.width == 0 {
            return Ok(());
        }
        let mut rows = rows.chunks_exact_mut(places.width);
        self.read_each(&bodies, |body, state| {
            rows.next().into_iter().for_each(|row| self.read_row(parts, &places, body, state, row));
            Ok(())
        })
    }

    #[inline]
    fn read_row(&self, parts: Parts, places: &Places, body: usize, state: &State<f64>, row: &mut [f64]) {
        if parts.state {
            row[..4].copy_from_slice(&state.q.0);
            row[4..7].copy_from_slice(&state.omega_body.0);
        }
        if parts.inertia {
            row[places.inertia..][..7].copy_from_slice(&self.inertias.numbers(body));
        }
        if places.memory > places.torque {
            let mut rest = &mut row[places.torque..places.memory];
            self.torque_stores().for_each(|store| store.read(body, take_front(&mut rest, store.width())));
        }
        if places.id > places.memory {
            self.last.read(self.plan(), &self.active, body, &mut row[places.memory..places.id]);
        }
        if parts.id {
            row[places.id] = f64::from_bits(self.id(body));
        }
    }

    /// Replaces the data of the `bodies` (`None`: of all, in order) by rows from [`Ensemble::rows`]; of a body that is listed twice, the
    /// last row stays. With the clock, the torque and the method set again, in any order, an ensemble goes on with the bits of the one
    /// whose rows they are: what rows with memory bring stays until the next step, unless states or the list of active bodies change.
    /// Errors, with the first body concerned: what the setters of states and inertias refuse; [`Error::Capacity`]; [`Error::Invalid`] if an
    /// index is too large; [`Error::Memory`]; [`Error::Order`] in the middle of a step. Then nothing has changed.
    pub fn set_rows(&mut self, parts: Parts, bodies: Option<&[usize]>, rows: &[f64]) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let places = self.places(parts);
        let bodies = &self.check_rows(&places, bodies, rows.len())?;
        if places.width == 0 || bodies.count() == 0 {
            return Ok(());
        }
        let row = |i: usize| &rows[i * places.width..][..places.width];
        let rows = || (0..bodies.count()).map(|i| (bodies.get(i), row(i)));
        for (body, row) in rows() {
            self.check_row(parts, &places, row).map_err(|cause| Failure::of_body(body, cause))?;
        }
        if parts.inertia && !parts.state {
            let moments = rows().map(|(body, row)| (body, *first(&row[places.inertia..])));
            self.check_bound_momenta(moments.filter(|&(body, _)| self.active.contains(body)))?;
        }
        let total = self.count();
        if parts.id {
            self.random.ids_mut(total)?;
        }
        self.journal.retake = None; // it has the inertias and parameters as they are
        for (_, row) in rows() {
            if parts.inertia {
                self.inertias.separate_for(total, first(&row[places.inertia..]))?;
            }
            if parts.torque {
                self.each_torque_store(&row[places.torque..], |store, numbers| store.separate_for(total, numbers))?;
            }
        }

        let known = self.last.known;
        self.begin_change()?;
        self.random.forget_axes();
        for (body, row) in rows() {
            self.write_row(parts, &places, body, row)?;
        }
        if known.source.is_some() || places.id > places.memory {
            let numbers = |i: usize| Some(&row(i)[places.memory..places.id]).filter(|row| is_kept(row));
            self.last.keep(self.plan(), &self.active, known, bodies, numbers);
            let kept = self.plan().kept();
            if let Some(&[h]) = (0..bodies.count()).find_map(numbers).and_then(|row| row.get(kept..)) {
                self.last.h = h;
            }
        }
        Ok(())
    }

    fn check_row(&self, parts: Parts, places: &Places, row: &[f64]) -> Result<(), Error> {
        if parts.state {
            checked_state(first(row))?;
        }
        if parts.inertia {
            checked_inertia(first(&row[places.inertia..]))?;
        }
        for index in places.torque..places.memory {
            if !row[index].is_finite() {
                return Err(Error::NotFinite { name: "rows", index: Some(index), value: row[index] });
            }
        }
        if parts.torque && self.random.bath.is_some() {
            not_negative::<3>("rows", *first(&row[places.memory - 6..]))?; // coefficients, before the flow
        }
        Ok(())
    }

    /// The row has been checked, and the stores have separate numbers where it has others.
    fn write_row(&mut self, parts: Parts, places: &Places, body: usize, row: &[f64]) -> Result<(), Error> {
        // before the state: momenta in a bound array are those of the new inertias
        if let (true, Inertias::Each(all)) = (parts.inertia, &mut self.inertias) {
            all.set(body, checked_inertia(first(&row[places.inertia..]))?);
        }
        if parts.state {
            self.put_state(body, &checked_state(first(row))?);
        }
        if parts.inertia {
            self.lock([body].into_iter());
        }
        if parts.torque {
            self.each_torque_store(&row[places.torque..], |store, numbers| {
                store.write(body, numbers);
                Ok(())
            })?;
        }
        if let (true, Some(mut ids)) = (parts.id, self.random.ids()) {
            ids.write(body, &row[places.id..]);
        }
        Ok(())
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

    /// The bodies of so many numbers.
    fn check_rows<'l>(&self, places: &Places, bodies: Option<&'l [usize]>, given: usize) -> Result<Bodies<'l>, Error> {
        self.check_indices("bodies", bodies.unwrap_or_default())?;
        let bodies = bodies.map_or(self.all_bodies(), Bodies::Listed);
        let needed = bodies.count().saturating_mul(places.width);
        if given < needed { Err(too_small("rows", needed, given)) } else { Ok(bodies) }
    }

    torque_stores!(torque_stores, iter, ready, parameters);
    torque_stores!(torque_stores_mut, iter_mut, ready_mut, parameters_mut, mut);

    /// Shows each of these with its numbers in a part of a row.
    fn each_torque_store(
        &mut self, mut part: &[f64], mut visit: impl FnMut(&mut dyn Store, &[f64]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.torque_stores_mut().try_for_each(|store| {
            let (numbers, rest) = part.split_at(store.width());
            part = rest;
            visit(store, numbers)
        })
    }
}

/// Whether a row has what the method keeps.
fn is_kept(memory: &[f64]) -> bool {
    !memory.is_empty() && memory.iter().all(|number| number.is_finite())
}
