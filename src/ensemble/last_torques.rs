//! What a method keeps from step to step: the last torque of each body, which is the first of the
//! next step.
//!
//! Bodies that have come since the last step are newcomers: their torque is not known, and the
//! first number kept of them is NaN. Before the next step the torques of all bodies are asked, in
//! chunks as always, but only those of newcomers are taken: no body's bits depend on who comes.

use super::active::Active;
use crate::kernel::{Column, MOST_LANES};
use crate::memory::{self, Bodies, blocks_for};
use crate::{error::Error, method::Plan};

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// `None`: nothing is known.
    pub(super) source: Option<Source>,
    /// Whether there may be newcomers.
    pub(super) newcomers: bool,
}

/// Who has computed the last torques.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The ensemble's callback or ready-made torque.
    Ensemble,
    /// The caller of the stage protocol.
    Stages,
    /// Rows with memory, which anyone may have computed.
    Rows,
}

#[derive(Default)]
pub(super) struct LastTorques {
    pub(super) known: Known,
    pub(super) h: f64,
    /// What is kept for all positions; empty if the method keeps nothing.
    pub(super) columns: Vec<Column>,
    /// A second set: after a step, or between the stages of the stage protocol.
    pub(super) after: Vec<Column>,
    /// A third set: before a step that asks anew for torques.
    pub(super) before: Vec<Column>,
}

impl LastTorques {
    pub(super) fn forget(&mut self) {
        self.known = Known::default();
    }

    /// Makes room for what a method saves of `count` bodies.
    pub(super) fn reserve(&mut self, plan: &Plan, count: usize) -> Result<(), Error> {
        let kept = plan.kept() * blocks_for(count);
        let saved = plan.saved * blocks_for(count);
        let mut sets = [
            (&mut self.columns, kept),
            (&mut self.before, kept),
            (&mut self.after, saved),
        ];
        sets.iter_mut()
            .try_for_each(|(columns, needed)| memory::make_room(columns, *needed))?;
        for (columns, needed) in sets.into_iter() {
            columns.resize(needed, [0.0; MOST_LANES]);
        }
        Ok(())
    }

    /// Whether the method keeps the last torque but has none from this source. With implicit drag
    /// it also keeps a difference from step to step, which holds for one length of step.
    pub(super) fn are_asked_anew(&self, plan: &Plan, h: f64, by: Source) -> bool {
        let is_same_step = !plan.is_damped() || self.h.to_bits() == h.to_bits();
        let is_known = self
            .known
            .source
            .is_some_and(|source| source == by || source == Source::Rows);
        plan.keeps_torque && !(is_known && is_same_step)
    }

    pub(super) fn have_newcomers(&mut self, plan: &Plan, count: usize) -> bool {
        self.known.newcomers =
            self.known.newcomers && (0..count).any(|body| self.is_newcomer(plan, body));
        self.known.newcomers
    }

    fn is_newcomer(&self, plan: &Plan, body: usize) -> bool {
        let width = plan.kept();
        width > 0 && self.columns[body / MOST_LANES * width][body % MOST_LANES].is_nan()
    }

    /// The torques in `after` have been asked of all bodies: they become the last ones, and those
    /// they replace move to `before`. Unless `of_all`, those of bodies that are not newcomers stay.
    pub(super) fn take_over(&mut self, plan: &Plan, of_all: bool, source: Source) {
        if !of_all {
            let width = plan.kept();
            for (after, before) in self
                .after
                .chunks_exact_mut(width)
                .zip(self.columns.chunks_exact(width))
            {
                for lane in (0..MOST_LANES).filter(|lane| !before[0][*lane].is_nan()) {
                    for k in 0..width {
                        after[k][lane] = before[k][lane];
                    }
                }
            }
        }
        std::mem::swap(&mut self.columns, &mut self.after);
        std::mem::swap(&mut self.before, &mut self.after);
        self.known = Known {
            source: Some(source),
            newcomers: false,
        };
    }

    /// Writes what is kept of a body to a part of a row, with the length of the step if there is
    /// room for it. NaN: nothing is known.
    pub(super) fn read(&self, plan: &Plan, active: &Active, body: usize, to: &mut [f64]) {
        let width = plan.kept();
        let position = active.position_of(body);
        to.fill(f64::NAN);
        if self.known.source.is_some() && active.contains(body) && !self.is_newcomer(plan, position)
        {
            let columns = &self.columns[position / MOST_LANES * width..];
            for k in 0..width {
                to[k] = columns[k][position % MOST_LANES];
            }
            to[width..].fill(self.h);
        }
    }

    /// The states of these bodies have changed: `known` is what was known before, `numbers` what is
    /// known now of the `i`-th of them.
    pub(super) fn keep<'r>(
        &mut self,
        plan: &Plan,
        active: &Active,
        known: Known,
        bodies: &Bodies,
        numbers: impl Fn(usize) -> Option<&'r [f64]>,
    ) {
        let width = plan.kept();
        if width == 0 {
            return;
        }
        if known.source.is_none() {
            for body in 0..active.moving {
                self.columns[body / MOST_LANES * width][body % MOST_LANES] = f64::NAN
            }
        }
        for i in (0..bodies.count()).filter(|i| active.contains(bodies.get(*i))) {
            let position = active.position_of(bodies.get(i));
            let columns = position / MOST_LANES * width;
            let lane = position % MOST_LANES;
            match numbers(i) {
                Some(row) => (0..width).for_each(|k| self.columns[columns + k][lane] = row[k]),
                None => self.columns[columns][lane] = f64::NAN,
            }
        }
        let of_others = known.source.filter(|_| bodies.count() < active.total);
        self.known = Known {
            source: of_others.or(Some(Source::Rows)),
            newcomers: true,
        };
    }
}
