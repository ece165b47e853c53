//! The stage protocol: the caller computes all torques, and we never call back.
//!
//! The same `Present` and `Absorb` as for callbacks, over the whole ensemble instead of a chunk. The spare blocks hold the
//! states of the stage, in the order of positions.

use super::Ensemble;
use super::blocks::blocks_for;
use super::chunk::*;
use super::sweep::{FAR, Scratch, bodies_at};
use super::torque::{Frame, Layout};
use crate::error::Error;
use crate::kernel::MOST_LANES;
use crate::method::Method;
use crate::simd::{self, Job, Lanes};
use std::marker::PhantomData;

/// A step that has been begun.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    dt: f64,
    /// The next stage to present, or the one whose torque is awaited.
    stage: usize,
    awaiting: bool,
}

/// What is to be done next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next {
    /// Supply the torque at this time, for the states that have been written.
    NeedTorque(f64),
    /// Nothing: the step is taken.
    Taken,
}

/// Whether all of these are finite.
struct AreFinite<'a>(&'a [f64]);

impl Job for AreFinite<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<N: Lanes>(&mut self) -> bool {
        let (blocks, rest) = self.0.as_chunks::<MOST_LANES>();
        let mut flaws = [0.0; MOST_LANES]; // each stays zero, or becomes NaN
        for block in blocks {
            for k in 0..MOST_LANES {
                flaws[k] += block[k] * 0.0;
            }
        }
        flaws.iter().all(|flaw| *flaw == 0.0) && rest.iter().all(|number| number.is_finite())
    }
}

const NO_STEP: Error = Error::Order("no step has been begun");

impl<M: Method> Ensemble<M> {
    /// Begins a step of length `dt`. Until it is taken or cancelled, nothing else may change the ensemble.
    ///
    /// # Errors
    /// `dt` must be finite, and no step begun already.
    pub fn begin_step(&mut self, dt: f64) -> Result<(), Error> {
        self.may_change()?;
        let [dt] = crate::error::finite("dt", [dt])?;
        self.pending = Some(Pending { dt, stage: 0, awaiting: false });
        Ok(())
    }

    /// Writes the next stage, packed as [`Ensemble::set_stage_layout`] says: 4 numbers a body for the orientation, 3 for the
    /// angular velocity (world); or takes the step when the last torque has been supplied. With a list of active bodies, in
    /// its order.
    ///
    /// # Errors
    /// [`Error::Order`] where no step is begun or a torque is awaited; [`Error::Capacity`].
    pub fn next_stage(&mut self, orientation: &mut [f64], angular_velocity: &mut [f64]) -> Result<Next, Error> {
        let pending = self.pending.ok_or(NO_STEP)?;
        if pending.awaiting {
            return Err(Error::Order("the torque of the last stage has not been supplied"));
        }
        if pending.stage == M::TORQUE_AT.len() || pending.dt == 0.0 {
            self.pending = None;
            if pending.dt != 0.0 {
                self.take_staged().map_err(|setback| setback.error)?;
                self.clock.advance(pending.dt);
            }
            return Ok(Next::Taken);
        }
        let positions = self.positions();
        for (name, needed, given) in [
            ("orientation", 4 * positions, orientation.len()),
            ("angular_velocity", 3 * positions, angular_velocity.len()),
        ] {
            if given < needed {
                return Err(Error::Capacity { name, needed: needed as u64, given: given as u64 });
            }
        }
        let layout = self.stage_layout;
        let is_far = positions > FAR;
        let Self { own, spare, binding, inertias, active, scratch, .. } = self;
        let Scratch { start, end: raw, .. } = &mut scratch[0];
        if pending.stage == 0 && !binding.is_empty() {
            // nothing is written where a bound array holds what is no rotation
            for first in (0..positions).step_by(CHUNK) {
                let count = (positions - first).min(CHUNK);
                let bodies = &bodies_at(active.as_deref(), first, count);
                binding.at_start(own, inertias, bodies, count, raw, start).map_err(|setback| setback.error)?;
            }
        }
        for first in (0..positions).step_by(CHUNK) {
            let count = (positions - first).min(CHUNK);
            let bodies = &bodies_at(active.as_deref(), first, count);
            let states = if pending.stage == 0 {
                binding.at_start(own, inertias, bodies, count, raw, start).map_err(|setback| setback.error)?
            } else {
                &spare[blocks_for(first)..]
            };
            let shown = Shown {
                layout,
                orientation: &mut orientation[place::<4>(layout, positions, first, 0)..4 * positions],
                angular_velocity: &mut angular_velocity[place::<3>(layout, positions, first, 0)..3 * positions],
                stride: positions,
            };
            let soon =
                &Soon { blocks: [states.get(CHUNK_BLOCKS..).unwrap_or(&[]), &[]], rows: &[None, None], first: 0 };
            let (frame, soon) = (Frame::World, is_far.then_some(soon));
            simd::run_on(count, &mut Present { count, states, frame, notes: None, shown, soon });
        }
        self.pending = Some(Pending { awaiting: true, ..pending });
        Ok(Next::NeedTorque(self.clock.now() + M::TORQUE_AT[pending.stage] * pending.dt))
    }

    /// Supplies the torque of the stage that was written last: packed, 3 numbers a body, world frame.
    ///
    /// # Errors
    /// [`Error::Order`] where none is awaited, [`Error::Capacity`] where there are too few, [`Error::TorqueNotFiniteAt`]: then
    /// it is still awaited. [`Error::OverflowAt`]: then the step is cancelled.
    pub fn supply_torque(&mut self, torque: &[f64]) -> Result<(), Error> {
        let pending = self.pending.ok_or(NO_STEP)?;
        if !pending.awaiting {
            return Err(Error::Order("no torque is awaited: ask for the next stage first"));
        }
        let positions = self.positions();
        if torque.len() < 3 * positions {
            let (needed, given) = (3 * positions as u64, torque.len() as u64);
            return Err(Error::Capacity { name: "torque", needed, given });
        }
        let (time, stage) = (self.clock.now(), pending.stage);
        let layout = self.stage_layout;
        let torque = Packed { layout, frame: Frame::World, torque: &torque[..3 * positions], stride: positions };
        // Before a state of a stage is replaced. The first starts from the bodies' own, and what is not finite shows in what comes.
        if stage > 0
            && !simd::run(&mut AreFinite(torque.torque))
            && let Some(error) = self.not_finite(&torque, pending)
        {
            return Err(error);
        }
        let Self { own, spare, binding, inertias, active, scratch, .. } = self;
        let Scratch { start, end: raw, .. } = &mut scratch[0];
        let is_far = positions > FAR;
        for first in (0..positions).step_by(CHUNK) {
            let count = (positions - first).min(CHUNK);
            let bodies = &bodies_at(active.as_deref(), first, count);
            let states = binding.at_start(own, inertias, bodies, count, raw, start).map_err(|setback| setback.error)?;
            let (stage_states, next) = spare[blocks_for(first)..].split_at_mut(blocks_for(count));
            let soon =
                &Soon { blocks: [states.get(CHUNK_BLOCKS..).unwrap_or(&[]), next], rows: &[None, None], first: 0 };
            let mut absorb = Absorb::<M> {
                i: stage,
                count,
                bodies,
                start: states,
                stage: stage_states,
                torque: Packed { torque: &torque.torque[place::<3>(layout, positions, first, 0)..], ..torque },
                notes: None,
                soon: is_far.then_some(soon),
                inertias,
                time,
                h: pending.dt,
                method: PhantomData,
            };
            if let Err(setback) = simd::run_on(count, &mut absorb) {
                if let Some(error) = self.not_finite(&torque, pending) {
                    return Err(error); // and it is still awaited
                }
                self.pending = None;
                return Err(setback.error);
            }
        }
        self.pending = Some(Pending { stage: stage + 1, awaiting: false, ..pending });
        Ok(())
    }

    /// The first body whose torque is not finite.
    #[cold]
    fn not_finite(&self, torque: &Packed, pending: Pending) -> Option<Error> {
        let i = (0..self.positions()).find(|&i| torque.of(i).iter().any(|t| !t.is_finite()))?;
        let body = bodies_at(self.active.as_deref(), i, 1).at(0);
        let time = self.clock.now() + M::TORQUE_AT[pending.stage] * pending.dt;
        Some(Error::TorqueNotFiniteAt { body, time, torque: torque.of(i) })
    }

    /// How the arrays of the stages are laid out: rows packed for each body, or columns of all.
    ///
    /// # Errors
    /// [`Error::Order`] in the middle of a step.
    pub fn set_stage_layout(&mut self, layout: Layout) -> Result<(), Error> {
        self.settled()?;
        self.stage_layout = layout;
        Ok(())
    }

    /// Gives up a step that has been begun: the ensemble is as before. Without one nothing happens.
    pub fn cancel_step(&mut self) {
        self.pending = None;
    }

    /// Refuses what must wait for the end of a begun step.
    pub(super) fn settled(&self) -> Result<(), Error> {
        match self.pending {
            None => Ok(()),
            Some(_) => Err(Error::Order("a step has been begun: take it to its end or cancel it first")),
        }
    }

    /// Makes the states in the spare blocks the bodies' own.
    fn take_staged(&mut self) -> Result<(), Setback> {
        if !self.gathers() {
            std::mem::swap(&mut self.own, &mut self.spare);
            return Ok(());
        }
        let (positions, time) = (self.positions(), self.clock.now());
        let Self { own, spare, binding, inertias, active, .. } = self;
        let chunk = |first: usize| (first, (positions - first).min(CHUNK));
        for (first, count) in (0..positions).step_by(CHUNK).map(chunk) {
            let bodies = &bodies_at(active.as_deref(), first, count);
            binding.convert_back(inertias, bodies, count, &mut spare[blocks_for(first)..], time)?;
        }
        for (first, count) in (0..positions).step_by(CHUNK).map(chunk) {
            binding.scatter(own, &bodies_at(active.as_deref(), first, count), count, &spare[blocks_for(first)..]);
        }
        Ok(())
    }
}
