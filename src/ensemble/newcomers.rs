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

    /// Runs `ask`, which replaces the last torques of all bodies. Those of bodies that are not newcomers come back; all do if it fails.
    pub(super) fn ask_newcomers(&mut self, ask: impl FnOnce(&mut Self) -> Result<(), Failure>) -> Result<(), Failure> {
        let (width, known) = (self.choice().kept_numbers(), self.known_torque);
        let kept = self.saved.len();
        self.saved_spare[..kept].copy_from_slice(&self.saved);
        let outcome = ask(self);
        for (after, before) in self.saved.chunks_exact_mut(width).zip(self.saved_spare.chunks_exact(width)) {
            for lane in (0..MOST_LANES).filter(|lane| outcome.is_err() || !before[0][*lane].is_nan()) {
                (0..width).for_each(|k| after[k][lane] = before[k][lane]);
            }
        }
        if outcome.is_err() {
            (self.known_torque, self.may_have_newcomers) = (known, true);
        }
        outcome
    }
}
