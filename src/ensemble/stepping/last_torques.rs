//! What a method keeps from step to step: the last torque of each body, which is the first of the
//! next step, and with implicit drag the rate of change in the step before (`method::damped`).
//!
//! A [`Change`] forgets the torques, and the rates where it is one of the motion.
//!
//! Bodies that have come since the last step are newcomers: their torque is not known, and the
//! first number kept of them is NaN. Before the next step the torques of all bodies are asked, in
//! chunks as always, but only those of newcomers are taken: no body's bits depend on who comes.

use crate::ensemble::bodies::active::Active;
use crate::error::Error;
use crate::kernel::{Column, MOST_LANES};
use crate::memory::{self, Bodies, blocks_for};
use crate::method::{Change, Plan};

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Known {
    /// Who has computed the last torques; `None`: nothing is known.
    pub(crate) by: Option<ComputedBy>,
    /// Whether there may be newcomers.
    pub(crate) newcomers: bool,
    /// Whether the rates of change are known. If not, they count as 0.
    pub(crate) rates: bool,
}

/// Who has computed the last torques.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ComputedBy {
    /// The ensemble's callback or ready-made torque.
    Ensemble,
    /// The caller of the stage protocol.
    Stages,
    /// Rows with memory, which anyone may have computed.
    Rows,
}

#[derive(Default)]
pub(crate) struct LastTorques {
    pub(crate) known: Known,
    /// How many numbers of each body are kept: those of the steps that were taken last, or of rows.
    /// The stage protocol does not use a torque that resists, and keeps less beside it.
    pub(crate) width: usize,
    /// What is kept for all positions; empty if the method keeps nothing.
    pub(crate) current: Vec<Column>,
    /// A second set, which becomes the current one when a step is complete. It also holds what a
    /// method saves between the stages of the stage protocol.
    pub(crate) next: Vec<Column>,
    /// A third set: what was current before torques were asked anew. A step that fails restores it.
    pub(crate) replaced: Vec<Column>,
    /// What steps of another kind have kept, until a step is complete.
    set_aside: Option<Box<LastTorques>>,
}

impl LastTorques {
    pub(crate) fn forget(&mut self, change: Change) {
        self.known = Known {
            rates: self.known.rates && change == Change::Forces,
            ..Known::default()
        };
    }

    /// Forgets the rates of some bodies.
    pub(crate) fn forget_rates(&mut self, active: &Active, bodies: impl Iterator<Item = usize>) {
        if !self.known.rates {
            return;
        }
        let width = self.width;
        for body in bodies.filter(|body| active.contains(*body)) {
            let position = active.position_of(body);
            let columns = &mut self.current[position / MOST_LANES * width..][..width];
            for column in &mut columns[3..] {
                column[position % MOST_LANES] = 0.0;
            }
        }
    }

    /// Steps begin. Makes room for what a method saves of `count` bodies. What another kind of step
    /// has kept is set aside: a step that fails or is cancelled has changed nothing.
    pub(crate) fn begin(&mut self, plan: &Plan, count: usize) -> Result<(), Error> {
        let knows_anything = self.known.rates || self.known.by.is_some();
        if self.width != plan.kept() && knows_anything {
            let mut before = memory::boxed(LastTorques::default())?;
            std::mem::swap(self, &mut before);
            self.set_aside = Some(before);
        }
        let outcome = self.lay(plan.kept(), plan.saved, count);
        if outcome.is_err() {
            self.take_back();
        }
        outcome
    }

    /// No step is pending any more, and none was completed. Takes back what was set aside.
    pub(crate) fn take_back(&mut self) {
        if let Some(before) = self.set_aside.take() {
            *self = *before;
        }
    }

    /// A step is complete: what steps of another kind have kept is forgotten.
    pub(crate) fn drop_aside(&mut self) {
        self.set_aside = None;
    }

    /// Makes room for what is kept of `count` bodies.
    pub(crate) fn lay(&mut self, width: usize, saved: usize, count: usize) -> Result<(), Error> {
        if self.width != width {
            self.forget(Change::Motion);
            self.width = width;
        }
        let kept = width * blocks_for(count);
        let saved = saved * blocks_for(count);
        let mut sets = [
            (&mut self.current, kept),
            (&mut self.replaced, kept),
            (&mut self.next, saved),
        ];
        sets.iter_mut()
            .try_for_each(|(columns, needed)| memory::make_room(columns, *needed))?;
        for (columns, needed) in sets.into_iter() {
            columns.resize(needed, [0.0; MOST_LANES]);
        }
        Ok(())
    }

    /// Whether the method keeps the last torque, but none is known that `by` can go on with.
    pub(crate) fn are_asked_anew(&self, plan: &Plan, by: ComputedBy) -> bool {
        let is_known = self.known.by == Some(by) || self.known.by == Some(ComputedBy::Rows);
        plan.keeps_torque && !is_known
    }

    /// Steps begin, whose torques `by` computes. From now on what is known counts as its own, also
    /// if rows have brought it.
    pub(crate) fn continue_by(&mut self, by: ComputedBy) {
        if self.known.by.is_some() {
            self.known.by = Some(by);
        }
    }

    /// Where there may be newcomers, looks whether there are: `known.newcomers` is exact then.
    pub(crate) fn look_for_newcomers(&mut self, count: usize) {
        self.known.newcomers =
            self.known.newcomers && (0..count).any(|body| self.is_newcomer(body));
    }

    fn is_newcomer(&self, body: usize) -> bool {
        let width = self.width;
        width > 0 && self.current[body / MOST_LANES * width][body % MOST_LANES].is_nan()
    }

    /// The torques in `next` have been asked of all bodies: they become the current ones, and those
    /// that were current move to `replaced`. Unless `of_all`, only the torques of newcomers change.
    pub(crate) fn take_over(&mut self, of_all: bool, by: ComputedBy) {
        if !of_all {
            let width = self.width;
            for (next, current) in self
                .next
                .chunks_exact_mut(width)
                .zip(self.current.chunks_exact(width))
            {
                for lane in (0..MOST_LANES).filter(|lane| !current[0][*lane].is_nan()) {
                    for k in 0..width {
                        next[k][lane] = current[k][lane];
                    }
                }
            }
        }
        std::mem::swap(&mut self.current, &mut self.next);
        std::mem::swap(&mut self.replaced, &mut self.next);
        self.known = Known {
            by: Some(by),
            newcomers: false,
            rates: true,
        };
    }

    /// What a step has written takes the place of what it has read.
    #[inline(always)]
    pub(crate) fn exchange(&mut self) {
        std::mem::swap(&mut self.current, &mut self.next);
    }

    /// Undoes [`LastTorques::take_over`], but for what is known.
    pub(crate) fn restore_replaced(&mut self) {
        std::mem::swap(&mut self.current, &mut self.replaced);
    }

    /// Writes what is kept of a body to a part of a row. NaN in the place of a torque that is not
    /// known, and of a rate that is not kept beside one that is; 0 in that of a rate that is not
    /// known.
    pub(crate) fn read(&self, active: &Active, body: usize, to: &mut [f64]) {
        if let Some(before) = &self.set_aside {
            return before.read(active, body, to);
        }
        let position = active.position_of(body);
        let lane = position % MOST_LANES;
        let are_read = active.contains(body) && (3..=to.len()).contains(&self.width);
        let (torque, rate) = to.split_at_mut(to.len().min(3));
        torque.fill(f64::NAN);
        rate.fill(0.0);
        if !are_read {
            return;
        }
        let columns = &self.current[position / MOST_LANES * self.width..][..self.width];
        let (torques, rates) = columns.split_at(3);
        if self.known.by.is_some() && !torques[0][lane].is_nan() {
            for (number, column) in torque.iter_mut().zip(torques) {
                *number = column[lane];
            }
            if rates.is_empty() {
                rate.fill(f64::NAN);
            }
        }
        if self.known.rates {
            for (number, column) in rate.iter_mut().zip(rates) {
                *number = column[lane];
            }
        }
    }

    /// The states of these bodies have changed: `known` is what was known before, `numbers` what a
    /// row has of the `i`-th of them, empty if nothing.
    pub(crate) fn keep<'r>(
        &mut self,
        active: &Active,
        known: Known,
        bodies: &Bodies,
        numbers: impl Fn(usize) -> &'r [f64],
    ) {
        let width = self.width;
        if width == 0 {
            return;
        }
        if known.by.is_none() {
            for body in 0..active.moving {
                self.current[body / MOST_LANES * width][body % MOST_LANES] = f64::NAN
            }
        }
        if !known.rates {
            for columns in self.current.chunks_exact_mut(width) {
                columns[3..].fill([0.0; MOST_LANES]);
            }
        }
        for i in (0..bodies.count()).filter(|i| active.contains(bodies.get(*i))) {
            let position = active.position_of(bodies.get(i));
            let columns = position / MOST_LANES * width;
            let lane = position % MOST_LANES;
            let row = numbers(i);
            for k in 0..width {
                let number = row.get(k).copied().filter(|number| number.is_finite());
                self.current[columns + k][lane] = number.unwrap_or(0.0);
            }
            let is_known = row.len() >= width && row[..width].iter().all(|x| x.is_finite());
            if !is_known {
                self.current[columns][lane] = f64::NAN;
            }
        }
        let of_others = known.by.filter(|_| bodies.count() < active.total);
        self.known = Known {
            by: of_others.or(Some(ComputedBy::Rows)),
            newcomers: true,
            rates: true,
        };
    }
}
