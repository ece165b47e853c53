//! The data of a body as a row of plain numbers: the row of an ensemble of this one body.

use super::{Body, states::LastTorque};
use crate::error::Error;
use crate::inertia::Inertia;
use crate::method::Plan;
use crate::rows::{Parts, Row, RowMut, Widths, checked_state, state_numbers};
use crate::torque::{Torque, not_negative};

/// How many numbers of a row a drag has, and so have random torques: its coefficients and the
/// fluid's rotation.
const OF_DRAG: usize = 6;
/// How many numbers rotors have: their angular momentum.
const OF_ROTORS: usize = 3;

impl Body {
    /// How the body takes its steps under a torque.
    pub(crate) fn plan_under<T: Torque + ?Sized>(&self, torque: &T) -> &'static Plan {
        self.method.plan(self.what_acts(self.resists(torque)))
    }

    /// How many numbers each part of a row has. The ready-made torque has `own` of them.
    pub(crate) fn row_widths(&self, parts: Parts, plan: &Plan, own: usize) -> Widths {
        let mut torque = own;
        if self.drag().is_some() {
            torque += OF_DRAG;
        }
        if self.rotor().is_some() {
            torque += OF_ROTORS;
        }
        if self.random().is_some() {
            torque += OF_DRAG;
        }
        Widths::of(parts, torque, plan.kept())
    }

    /// Writes a row. `own` are the numbers of the ready-made torque.
    pub(crate) fn read_row(&self, plan: &Plan, own: &[f64], row: RowMut) {
        if let Some(to) = row.state {
            *to = state_numbers(&self.state.get());
        }
        if let Some(to) = row.inertia {
            *to = self.inertia.numbers();
        }
        if !row.torque.is_empty() {
            self.read_parameters(own, row.torque);
        }
        if !row.memory.is_empty() {
            self.kept.read(plan, row.memory);
        }
        if let Some(to) = row.id {
            let id = match self.langevin() {
                Some(langevin) => langevin.id,
                None => 0,
            };
            *to = f64::from_bits(id);
        }
        if let Some(to) = row.bound {
            *to = self.state.get().omega_body.0;
        }
    }

    fn read_parameters(&self, own: &[f64], mut to: &mut [f64]) {
        put(&mut to, own);
        if let Some(drag) = self.drag() {
            put(&mut to, &drag.coefficients.0);
            put(&mut to, &drag.flow.0);
        }
        if let Some(rotor) = self.rotor() {
            put(&mut to, &rotor.momentum.0);
        }
        if let Some(random) = self.langevin() {
            put(&mut to, &random.drag.coefficients.0);
            put(&mut to, &random.drag.flow.0);
        }
    }

    /// Sets all of a row but the `own` numbers of the ready-made torque. Errors: as
    /// `qi_set_body_row`; then nothing has changed.
    pub(crate) fn set_row(&mut self, plan: &Plan, own: usize, row: &Row) -> Result<(), Error> {
        row.check()?;
        let mut state = self.state.get();
        if let Some(numbers) = row.state {
            state = checked_state(row.name, numbers)?;
        }
        let mut inertia = self.inertia;
        if let Some(numbers) = row.inertia
            && *numbers != inertia.numbers()
            && self.changing_inertia().is_none()
        {
            // not where they are the same: its axes may be turned by the identity
            inertia = Inertia::of_numbers(row.name, numbers)?;
        }
        let parameters = row.torque.get(own..).unwrap_or_default();
        if self.random().is_some()
            && let Some(&[a, b, c, ..]) = parameters.last_chunk::<OF_DRAG>()
        {
            not_negative(row.name, [a, b, c])?;
        }

        // nothing fails from here on
        self.inertia = inertia;
        self.place(state.q, state.omega_body);
        self.set_parameters(parameters, row.id);
        if !row.memory.is_empty() {
            self.kept = LastTorque::of_row(plan, row.memory);
        }
        Ok(())
    }
}

/// Writes numbers to the front of `to`, which becomes the rest.
fn put(to: &mut &mut [f64], numbers: &[f64]) {
    let place = to.split_off_mut(..numbers.len());
    place.expect("room for it").copy_from_slice(numbers);
}
