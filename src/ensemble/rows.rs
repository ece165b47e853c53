//! The data of bodies as rows of plain numbers: messages between ranks, files, restart.

use super::stores::{Store, first};
use super::sweep::take_front;
use super::{Ensemble, besides::Besides, check_room, parameters::Inertias, random::Random};
use crate::error::{Error, Failure, check, finite};
use crate::kernel::{State, Vec3};
use crate::{inertia::Inertia, memory::Bodies, rotation, torque::not_negative};

/// The parts of a row, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// `w, x, y, z` and the angular velocity in the body frame: 7 numbers.
    pub state: bool,
    /// The principal moments, and the rotation from the principal axes to the body frame `w, x, y, z`: 7 numbers.
    pub inertia: bool,
    /// The parameters of the ready-made torque, of a drag, of rotors and of random torques: see [`QI_PART_TORQUE`](crate::ffi::QI_PART_TORQUE).
    pub torque: bool,
    /// What the method keeps from step to step: 0, 3 (the last torque, body frame) or 7 numbers. NaN: it keeps nothing yet.
    pub memory: bool,
    /// The id that the noise of the body depends on: the bits of an integer in the place of 1 number, which is none to compute with.
    pub id: bool,
}

/// The numbers of a row for each part in this order; none for a part that is not wanted.
type Split<'r> = [&'r [f64]; 5];

/// `w, x, y, z, ω₁, ω₂, ω₃` as an ensemble keeps them: a restored state has the same bits.
#[inline(always)]
fn checked_state(&[w, x, y, z, a, b, c]: &[f64; 7]) -> Result<State<f64>, Error> {
    let omega_body = Vec3([a, b, c]);
    finite("rows", omega_body.0)?;
    let are_small = omega_body.dot(omega_body).is_finite();
    check(
        are_small,
        "rows",
        "must have angular velocities of less than 1e154 rad/s",
    )?;
    Ok(State {
        q: rotation::checked_bits("rows", [w, x, y, z])?,
        omega_body,
    })
}

/// The principal moments with their reciprocals, and the rotation from the principal axes to the body frame.
#[inline(always)]
fn checked_inertia(&[a, b, c, w, x, y, z]: &[f64; 7]) -> Result<([f64; 6], [f64; 4]), Error> {
    Ok((
        Inertia::checked_moments("rows", [a, b, c])?,
        rotation::checked_bits("rows", [w, x, y, z])?.0,
    ))
}

/// What the torque, the drag, the rotors and random torques know of each body, in this order.
macro_rules! torque_stores {
    ($name:ident, $iter:ident, $parameters:ident $(, $mut:tt)?) => {
        pub(super) fn $name(&$($mut)? self) -> impl Iterator<Item = &$($mut)? dyn Store> {
            let Ensemble { torque, besides: Besides { drag, rotors }, random: Random { bath, .. }, .. } = self;
            let of_torque = torque.$parameters().into_iter();
            let of_drag = drag.$iter().flat_map(|drag| [&$($mut)? drag.coefficients, &$($mut)? drag.flow]);
            let of_bath = bath.$iter().flat_map(|bath| [&$($mut)? bath.coefficients, &$($mut)? bath.flow]);
            let of_rotors = rotors.$iter().map(|rotors| &$($mut)? rotors.each);
            of_torque.chain(of_drag.chain(of_rotors).chain(of_bath).map(|three| three as &$($mut)? dyn Store))
        }
    };
}

impl Ensemble<'_> {
    /// Numbers per row.
    pub fn row_size(&self, parts: Parts) -> usize {
        self.widths(parts).iter().sum()
    }

    /// Writes a row for each of the `bodies` (`None`: for all, in order).
    /// Errors: [`Error::Capacity`] if `rows` is too short; [`Error::Invalid`] if an index is too large.
    pub fn rows(
        &self,
        parts: Parts,
        bodies: Option<&[usize]>,
        rows: &mut [f64],
    ) -> Result<(), Failure> {
        let (widths, width) = (self.widths(parts), self.row_size(parts));
        let bodies = self.check_rows(width, bodies, rows.len())?;
        let mut rows = rows.chunks_exact_mut(width.max(1)); // where no part is wanted, nothing is written
        self.read_each(bodies, |body, state| {
            rows.next()
                .into_iter()
                .for_each(|row| self.read_row(widths, body, state, row));
            Ok(())
        })
    }

    #[inline]
    fn read_row(&self, widths: [usize; 5], body: usize, state: &State<f64>, mut row: &mut [f64]) {
        let ([a, b, c, d, e], mut next) = (widths, |width| take_front(&mut row, width)); // not `map`, which is a call
        let [to, inertia, mut torque, memory, id] = [next(a), next(b), next(c), next(d), next(e)];
        if let Some(to) = to.first_chunk_mut() {
            let ([w, x, y, z], [a, b, c]) = (state.q.0, state.omega_body.0);
            *to = [w, x, y, z, a, b, c];
        }
        inertia
            .first_chunk_mut()
            .into_iter()
            .for_each(|to| *to = self.inertias.numbers(body));
        if !torque.is_empty() {
            self.torque_stores()
                .for_each(|store| store.read(body, take_front(&mut torque, store.width())));
        }
        if !memory.is_empty() {
            self.last.read(self.plan(), &self.active, body, memory);
        }
        id.fill(f64::from_bits(self.id(body)));
    }

    /// Replaces the data of the `bodies` (`None`: of all, in order) by rows from [`Ensemble::rows`]: see [`qi_set_ensemble_rows`](crate::ffi::qi_set_ensemble_rows).
    /// What rows with memory bring stays until the next step, unless states or the list of active bodies change.
    /// Errors, with the first body concerned: what the setters of states and inertias refuse; [`Error::Capacity`]; [`Error::Invalid`] if an
    /// index is too large; [`Error::Memory`]; [`Error::Order`] in the middle of a step. Then nothing has changed.
    pub fn set_rows(
        &mut self,
        parts: Parts,
        bodies: Option<&[usize]>,
        rows: &[f64],
    ) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let (widths, width) = (self.widths(parts), self.row_size(parts));
        let bodies = &self.check_rows(width, bodies, rows.len())?;
        if width == 0 || bodies.count() == 0 {
            return Ok(());
        }
        let row = |i: usize| -> Split {
            let ([a, b, c, d, e], mut row) = (widths, &rows[i * width..][..width]); // not `map`, which is a call
            let mut next = |width: usize| row.split_off(..width).unwrap_or_default();
            [next(a), next(b), next(c), next(d), next(e)]
        };
        let rows = || (0..bodies.count()).map(|i| (bodies.get(i), row(i)));
        for (body, row) in rows() {
            self.check_row(row)
                .map_err(|cause| Failure::of_body(body, cause))?;
        }
        if parts.inertia && !parts.state {
            let moments = rows().map(|(body, [_, inertia, ..])| (body, *first(inertia)));
            self.check_bound_momenta(moments.filter(|&(body, _)| self.active.contains(body)))?;
        }
        let total = self.count();
        if parts.id {
            self.random.make_ids(total)?;
        }
        self.journal.retake = None; // it has the inertias and parameters as they are
        let with_parameters = if widths[1] + widths[2] > 0 {
            bodies.count()
        } else {
            0
        };
        for (_, [_, inertia, torque, ..]) in rows().take(with_parameters) {
            self.random.forget_prepared(); // also if there is no memory below
            inertia
                .first_chunk()
                .map_or(Ok(()), |numbers| self.inertias.separate_for(total, numbers))?;
            self.each_torque_store(torque, |store, numbers| store.separate_for(total, numbers))?;
        }

        let known = self.last.known;
        self.begin_change()?;
        for (body, row) in rows() {
            self.write_row(body, row)?;
        }
        let numbers = |i: usize| {
            Some(row(i)[3]).filter(|kept| !kept.is_empty() && kept.iter().all(|x| x.is_finite()))
        };
        if known.source.is_some() || widths[3] > 0 {
            self.last
                .keep(self.plan(), &self.active, known, bodies, numbers);
            let kept = self.plan().kept();
            if let Some(&[h]) = (0..bodies.count())
                .find_map(numbers)
                .and_then(|row| row.get(kept..))
            {
                self.last.h = h;
            }
        }
        Ok(())
    }

    fn check_row(&self, [state, inertia, torque, ..]: Split) -> Result<(), Error> {
        state
            .first_chunk()
            .map_or(Ok(()), |state| checked_state(state).map(drop))?;
        inertia
            .first_chunk()
            .map_or(Ok(()), |inertia| checked_inertia(inertia).map(drop))?;
        if let Some(k) = torque.iter().position(|number| !number.is_finite()) {
            let index = Some(state.len() + inertia.len() + k);
            return Err(Error::NotFinite {
                name: "rows",
                index,
                value: torque[k],
            });
        }
        if let (Some(of_bath), true) = (torque.last_chunk::<6>(), self.random.bath.is_some()) {
            not_negative::<3>("rows", *first(of_bath))?; // coefficients, before the flow
        }
        Ok(())
    }

    /// The row has been checked, and the stores have separate numbers where it has others.
    fn write_row(
        &mut self,
        body: usize,
        [state, inertia, torque, _, id]: Split,
    ) -> Result<(), Error> {
        // before the state: momenta in a bound array are those of the new inertias
        if let (Some(numbers), Inertias::Each(all)) = (inertia.first_chunk(), &mut self.inertias) {
            all.set(body, checked_inertia(numbers)?);
        }
        if let Some(state) = state.first_chunk() {
            self.put_state(body, &checked_state(state)?);
        }
        self.lock([body].into_iter().filter(|_| !inertia.is_empty()));
        self.each_torque_store(torque, |store, numbers| {
            store.write(body, numbers);
            Ok(())
        })?;
        self.random
            .ids()
            .filter(|_| !id.is_empty())
            .into_iter()
            .for_each(|mut ids| ids.write(body, id));
        Ok(())
    }

    fn widths(&self, parts: Parts) -> [usize; 5] {
        let (plan, torque) = (self.plan(), self.torque_stores().map(Store::width).sum());
        // with implicit drag the length of the last step belongs to it
        let memory = plan.kept() + usize::from(plan.is_damped() && plan.kept() > 0);
        let all = [
            (parts.state, 7),
            (parts.inertia, 7),
            (parts.torque, torque),
            (parts.memory, memory),
            (parts.id, 1),
        ];
        all.map(|(is_wanted, width)| if is_wanted { width } else { 0 })
    }

    /// The bodies of so many numbers.
    fn check_rows<'l>(
        &self,
        width: usize,
        bodies: Option<&'l [usize]>,
        given: usize,
    ) -> Result<Bodies<'l>, Error> {
        self.check_indices("bodies", bodies.unwrap_or_default())?;
        let bodies = bodies.map_or(Bodies::first(self.count()), Bodies::Listed);
        let needed = bodies.count().saturating_mul(width);
        check_room(given >= needed, "rows", needed, given).map(|()| bodies)
    }

    torque_stores!(torque_stores, iter, parameters);
    torque_stores!(torque_stores_mut, iter_mut, parameters_mut, mut);

    /// Shows each of these with its numbers in a part of a row, if it has the part.
    fn each_torque_store(
        &mut self,
        mut part: &[f64],
        mut visit: impl FnMut(&mut dyn Store, &[f64]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if part.is_empty() {
            return Ok(());
        }
        self.torque_stores_mut().try_for_each(|store| {
            let numbers = part.split_off(..store.width()).unwrap_or_default();
            visit(store, numbers)
        })
    }
}
