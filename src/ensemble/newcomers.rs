//! Bodies whose last torque is not known, among others whose is: they have come since the last step. A method that keeps the last torque
//! asks for theirs alone, so that no body's bits depend on who comes. The first number kept of a newcomer is NaN.

use super::Ensemble;
use super::undo::TorqueFrom;
use crate::error::Failure;
use crate::kernel::MOST_LANES;
use crate::memory::Bodies;

impl Ensemble<'_> {
    /// Whether the last torque is known, but not of all bodies.
    pub(super) fn has_newcomers(&mut self) -> bool {
        if self.may_have_newcomers {
            self.may_have_newcomers = (0..self.count).any(|body| self.is_newcomer(body));
        }
        self.may_have_newcomers && self.known_torque.is_some()
    }

    fn is_newcomer(&self, body: usize) -> bool {
        let width = self.choice().kept_numbers();
        width > 0 && self.saved[body / MOST_LANES * width][body % MOST_LANES].is_nan()
    }

    /// After [`Ensemble::begin_change`](super::Ensemble), in which the states of these bodies have changed: `known` is what was known of the
    /// last torque before, and `numbers` gives what is known now of the `i`-th of them.
    pub(super) fn keep_torques<'r>(
        &mut self,
        known: Option<TorqueFrom>,
        bodies: &Bodies,
        numbers: impl Fn(usize) -> Option<&'r [f64]>,
    ) {
        let width = self.choice().kept_numbers();
        if width == 0 || !self.active.is_all() {
            return;
        }
        if known.is_none() {
            (0..self.count).for_each(|body| self.saved[body / MOST_LANES * width][body % MOST_LANES] = f64::NAN);
        }
        for i in 0..bodies.count() {
            let (columns, lane) = (bodies.get(i) / MOST_LANES * width, bodies.get(i) % MOST_LANES);
            match numbers(i) {
                Some(row) => (0..width).for_each(|k| self.saved[columns + k][lane] = row[k]),
                None => self.saved[columns][lane] = f64::NAN,
            }
        }
        self.known_torque = known.or(Some(TorqueFrom::Rows));
        self.may_have_newcomers = true;
    }

    /// Runs `ask`, which replaces the last torques of all bodies. Unless `of_all`, those of bodies that are not newcomers come back; after
    /// a failure all do. Returns whether some were known: then `saved_before` has them.
    pub(super) fn ask_last_torques(
        &mut self,
        of_all: bool,
        ask: impl FnOnce(&mut Self) -> Result<(), Failure>,
    ) -> Result<bool, Failure> {
        let (width, known, was_new) = (self.choice().kept_numbers(), self.known_torque, self.may_have_newcomers);
        if known.is_some() {
            self.saved_before.copy_from_slice(&self.saved);
        }
        if let Err(failure) = ask(self) {
            std::mem::swap(&mut self.saved, &mut self.saved_before);
            (self.known_torque, self.may_have_newcomers) = (known, was_new);
            return Err(failure);
        }
        if !of_all {
            for (after, before) in self.saved.chunks_exact_mut(width).zip(self.saved_before.chunks_exact(width)) {
                for lane in (0..MOST_LANES).filter(|lane| !before[0][*lane].is_nan()) {
                    (0..width).for_each(|k| after[k][lane] = before[k][lane]);
                }
            }
        }
        Ok(known.is_some())
    }
}
