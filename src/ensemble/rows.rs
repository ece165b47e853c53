//! The data of bodies as rows of plain numbers: messages between ranks, files, restart.

use super::Ensemble;
use crate::ensemble::bodies::parameters::Inertias;
use crate::ensemble::bodies::stores::{Store, first};
use crate::ensemble::states::convert::Conversion;
use crate::ensemble::stepping::sweep::take_front;
use crate::error::{Error, Failure, check, check_room};
use crate::inertia::{Inertia, of_motion};
use crate::kernel::{State, Vec3};
use crate::memory::{Bodies, Output};
use crate::method::Change;
use crate::rows::{
    Parts, Row, RowMut, Widths, checked_inertia, checked_state, clear_rate_beyond_range,
    state_numbers,
};
use crate::torque::not_negative;

impl Ensemble<'_, '_> {
    /// Numbers per row.
    pub fn row_size(&self, parts: Parts) -> usize {
        self.widths(parts).total()
    }

    /// Writes a row for each of the `bodies` (`None`: for all, in order). Errors:
    /// [`Error::Capacity`] if `rows` is too short; [`Error::Invalid`] if an index is too large.
    pub fn rows(
        &self,
        parts: Parts,
        bodies: Option<&[usize]>,
        rows: &mut [f64],
    ) -> Result<(), Failure> {
        self.write_rows(parts, bodies, Output::of(rows))
    }

    /// As [`Ensemble::rows`].
    pub(crate) fn write_rows(
        &self,
        parts: Parts,
        bodies: Option<&[usize]>,
        mut rows: Output,
    ) -> Result<(), Failure> {
        let widths = self.widths(parts);
        let width = widths.total();
        let bodies = self.check_rows(width, bodies, rows.len())?;
        if width == 0 {
            return Ok(());
        }
        self.read_each(bodies, |body, state| {
            let row = rows.take_front(width);
            self.read_row(body, state, RowMut::new(&widths, row));
            Ok(())
        })
    }

    #[inline]
    fn read_row(&self, body: usize, state: &State<f64>, row: RowMut) {
        if let Some(to) = row.state {
            *to = state_numbers(state);
        }
        if let Some(to) = row.inertia {
            *to = self.inertias.numbers(body);
        }
        let mut torque = row.torque;
        if !torque.is_empty() {
            for store in self.torque_stores() {
                store.read(body, take_front(&mut torque, store.width()));
            }
        }
        if !row.memory.is_empty() {
            self.motion.last.read(&self.active, body, row.memory);
            clear_rate_beyond_range(row.memory);
        }
        if let Some(to) = row.id {
            *to = f64::from_bits(self.id(body));
        }
        if let Some(to) = row.bound {
            let states = &self.motion.states;
            *to = states.bound.get(&states.current, body).omega_body.0;
        }
    }

    /// Replaces the data of the `bodies` (`None`: of all, in order) by rows from
    /// [`Ensemble::rows`]: see `qi_set_ensemble_rows`. What rows with memory bring is forgotten by
    /// all that asks for the last torque anew: set them last. Errors, with the first body
    /// concerned: what the setters of states and inertias refuse; [`Error::Capacity`];
    /// [`Error::Invalid`] if an index is too large; [`Error::Memory`]; [`Error::Order`] in the
    /// middle of a step. Then nothing has changed.
    pub fn set_rows(
        &mut self,
        parts: Parts,
        bodies: Option<&[usize]>,
        rows: &[f64],
    ) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let widths = self.widths(parts);
        let width = widths.total();
        let bodies = &self.check_rows(width, bodies, rows.len())?;
        if width == 0 || bodies.count() == 0 {
            return Ok(());
        }
        let row = |i: usize| Row::new("rows", &widths, &rows[i * width..][..width]);
        let rows = || (0..bodies.count()).map(|i| (bodies.get(i), row(i)));
        for (body, row) in rows() {
            self.check_row(body, &row)
                .map_err(|cause| Failure::of_body(body, cause))?;
        }
        if parts.inertia && !parts.state {
            let moments =
                rows().filter_map(|(body, row)| Some((body, of_motion(*first(row.inertia?)))));
            self.check_bound_momenta(moments.filter(|&(body, _)| self.active.contains(body)))?;
        }
        let total = self.count();
        if parts.id {
            self.acting.random.make_ids(total)?;
        }
        self.motion.checkpoint = None; // it has the inertias and parameters as they are
        if widths.inertia + widths.torque > 0 {
            for (_, row) in rows() {
                self.acting.random.forget_prepared(); // also if there is no memory below
                if let Some(numbers) = row.inertia {
                    self.inertias.separate_for(total, numbers)?;
                }
                self.each_torque_store(row.torque, |store, numbers| {
                    store.separate_for(total, numbers)
                })?;
            }
        }

        let width = self.width_of_memory(rows().map(|(_, row)| row));
        self.motion.last.lay(width, width, total)?;
        let known = self.motion.last.known;
        self.begin(Change::Motion)?;
        for (body, row) in rows() {
            self.write_row(body, &row)?;
        }
        if known.by.is_some() || known.rates || widths.memory > 0 {
            let memory = |i: usize| row(i).memory;
            self.motion.last.keep(&self.active, known, bodies, memory);
        }
        Ok(())
    }

    /// How many numbers of the memory in rows are kept: those that the first row knows, or as many
    /// as before.
    fn width_of_memory<'r>(&self, mut rows: impl Iterator<Item = Row<'r>>) -> usize {
        let width = self.plan().kept();
        let staged = self.staged_plan().kept();
        match rows.find(|row| row.knows(width.min(staged))) {
            Some(row) if row.knows(width) => width,
            Some(_) => staged,
            None if self.motion.last.width == staged => staged,
            None => width,
        }
    }

    /// As [`Ensemble::put_state`], with the numbers that a bound array has held for this state, if
    /// they are of the kind that is bound here: then they are those of this state, bit for bit.
    fn put_held_state(&mut self, body: usize, state: &State<f64>, held: [f64; 3]) {
        let bound = &mut self.motion.states.bound;
        let numbers = State {
            omega_body: Vec3(held),
            ..*state
        };
        let conversion = Conversion::new(bound.kind, &self.inertias);
        let meant = conversion.to_body_frame(&numbers, &Bodies::one(body), 0);
        let is_meant = meant.0.map(f64::to_bits) == state.omega_body.0.map(f64::to_bits);
        if bound.velocities.is_some() && is_meant {
            bound.put(&mut self.motion.states.current, body, numbers);
        } else {
            self.put_state(body, state);
        }
    }

    fn check_row(&self, body: usize, row: &Row) -> Result<(), Error> {
        row.check()?;
        if let Some(state) = row.state
            && self.motion.states.bound.kind.is_momentum()
        {
            let inertia = match row.inertia {
                Some(numbers) => Inertia::of_numbers(row.name, numbers)?.principal,
                None => self.inertias.of_body(body),
            };
            let state = checked_state(row.name, state)?;
            let momentum = inertia.angular_momentum(state.omega_body);
            check(
                state
                    .q
                    .to_world(momentum)
                    .0
                    .iter()
                    .all(|number| number.is_finite()),
                row.name,
                "must have angular momenta that are finite",
            )?;
        }
        if let (Some(of_bath), true) = (
            row.torque.last_chunk::<6>(),
            self.acting.random.heat_bath.is_some(),
        ) {
            not_negative::<3>(row.name, *first(of_bath))?; // coefficients, before the flow
        }
        Ok(())
    }

    /// The row has been checked, and the stores have separate numbers where it has others.
    fn write_row(&mut self, body: usize, row: &Row) -> Result<(), Error> {
        // before the state: momenta in a bound array are those of the new inertias
        if let (Some(numbers), Inertias::Each(all)) = (row.inertia, &mut self.inertias) {
            all.set(body, checked_inertia(row.name, numbers)?);
        }
        if let Some(state) = row.state {
            let state = checked_state(row.name, state)?;
            match row.bound {
                Some(held) => self.put_held_state(body, &state, *held),
                None => self.put_state(body, &state),
            }
        }
        if row.state.is_some() {
            self.stop_in_own_memory([body].into_iter()); // an array has it from the state
        } else if row.inertia.is_some() {
            self.stop_about_locked_axes([body].into_iter());
        }
        self.each_torque_store(row.torque, |store, numbers| {
            store.write(body, numbers);
            Ok(())
        })?;
        if let (Some(id), Some(mut ids)) = (row.id, self.acting.random.ids()) {
            ids.write(body, &[id]);
        }
        Ok(())
    }

    fn widths(&self, parts: Parts) -> Widths {
        let torque = self.torque_stores().map(Store::width).sum();
        Widths::of(parts, torque, self.plan().kept())
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

    /// What the torque, the drag, the rotors and random torques know of each body, in this order.
    pub(super) fn torque_stores(&self) -> impl Iterator<Item = &dyn Store> {
        let of_torque = self.acting.torque.parameters();
        let drag = self.acting.drag.as_ref();
        let of_drag = drag.map(|drag| [&drag.coefficients as &dyn Store, &drag.flow]);
        let rotors = self.acting.rotors.as_ref();
        let of_rotors = rotors.map(|rotors| &rotors.each as &dyn Store);
        let bath = self.acting.random.heat_bath.as_ref();
        let of_bath = bath.map(|bath| [&bath.coefficients as &dyn Store, &bath.flow]);
        let of_drag = of_drag.into_iter().flatten();
        let of_bath = of_bath.into_iter().flatten();
        of_torque
            .into_iter()
            .chain(of_drag)
            .chain(of_rotors)
            .chain(of_bath)
    }

    /// As [`Ensemble::torque_stores`].
    pub(super) fn torque_stores_mut(&mut self) -> impl Iterator<Item = &mut dyn Store> {
        let of_torque = self.acting.torque.parameters_mut();
        let drag = self.acting.drag.as_mut();
        let of_drag = drag.map(|drag| [&mut drag.coefficients as &mut dyn Store, &mut drag.flow]);
        let rotors = self.acting.rotors.as_mut();
        let of_rotors = rotors.map(|rotors| &mut rotors.each as &mut dyn Store);
        let bath = self.acting.random.heat_bath.as_mut();
        let of_bath = bath.map(|bath| [&mut bath.coefficients as &mut dyn Store, &mut bath.flow]);
        let of_drag = of_drag.into_iter().flatten();
        let of_bath = of_bath.into_iter().flatten();
        of_torque
            .into_iter()
            .chain(of_drag)
            .chain(of_rotors)
            .chain(of_bath)
    }

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
