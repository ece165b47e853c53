//! The stage protocol: the caller computes all torques, and we never call back.
//!
//! The same `Present` and `Absorb` as for callbacks, over the whole ensemble instead of a chunk. The spare blocks hold the
//! states of the stage, in the order of positions.

use super::Ensemble;
use super::blocks::blocks_for;
use super::chunk::*;
use super::sweep::{self, Scratch, bodies_at};
use super::torque::{Frame, Layout};
use crate::error::Error;
use crate::kernel::MOST_LANES;
use crate::method::Method;
use crate::simd::{self, Job, Lanes};
use std::marker::PhantomData;

/// From how many bodies on it pays to ask for the next block: each pass is short, and the hardware sees as far as the caches go.
const FAR: usize = 4 * sweep::FAR;

/// Steps that have been begun.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    dt: f64,
    /// To be taken, the one in hand included.
    steps: u64,
    /// The next stage to present, or the one whose torque is awaited.
    stage: usize,
    awaiting: bool,
}

/// What is to be done next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next {
    /// Supply the torque at this time, for the states that have been written.
    NeedTorque(f64),
    /// Nothing: the steps are taken.
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

/// Where a stage is to be written.
struct Room<'a> {
    layout: Layout,
    orientation: &'a mut [f64],
    angular_velocity: &'a mut [f64],
    positions: usize,
}

impl Room<'_> {
    /// The part of it for a chunk.
    fn of_chunk(&mut self, first: usize) -> Shown<'_> {
        let Self { layout, positions, .. } = *self;
        Shown {
            layout,
            orientation: &mut self.orientation[place::<4>(layout, positions, first, 0)..4 * positions],
            angular_velocity: &mut self.angular_velocity[place::<3>(layout, positions, first, 0)..3 * positions],
            stride: positions,
        }
    }
}

impl<M: Method> Ensemble<M> {
    /// Begins steps of length `dt`. Until they are taken or cancelled, nothing else may change the ensemble.
    ///
    /// # Errors
    /// `dt` must be finite, and no step begun already.
    pub fn begin_steps(&mut self, dt: f64, steps: u64) -> Result<(), Error> {
        self.may_change()?;
        let [dt] = crate::error::finite("dt", [dt])?;
        self.pending = Some(Pending { dt, steps, stage: 0, awaiting: false });
        Ok(())
    }

    /// Writes the next stage, packed as [`Ensemble::set_stage_layout`] says: 4 numbers a body for the orientation, 3 for the
    /// angular velocity (world). When the last torque of a step has been supplied, the step is taken, and the next stage is the
    /// first of the step after it, if there is one. With a list of active bodies, in its order.
    ///
    /// # Errors
    /// [`Error::Order`] where no step is begun or a torque is awaited; [`Error::Capacity`]; those of [`Ensemble::step`] about bound
    /// arrays.
    pub fn next_stage(&mut self, orientation: &mut [f64], angular_velocity: &mut [f64]) -> Result<Next, Error> {
        let mut pending = self.pending.ok_or(NO_STEP)?;
        if pending.awaiting {
            return Err(Error::Order("the torque of the last stage has not been supplied"));
        }
        if pending.stage == M::TORQUE_AT.len() {
            pending = self.take_step(pending)?;
        }
        if pending.steps == 0 || pending.dt == 0.0 {
            self.pending = None;
            return Ok(Next::Taken);
        }
        let mut room = self.room(orientation, angular_velocity)?;
        let positions = room.positions;
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
            let soon =
                &Soon { blocks: [states.get(CHUNK_BLOCKS..).unwrap_or(&[]), &[]], rows: &[None, None], first: 0 };
            let (shown, soon) = (room.of_chunk(first), is_far.then_some(soon));
            simd::run_on(count, &mut Present { count, states, frame: Frame::World, notes: None, shown, soon });
        }
        Ok(self.await_torque(pending))
    }

    /// Supplies the torque of the stage that was written last: packed, 3 numbers a body, world frame.
    ///
    /// # Errors
    /// [`Error::Order`] where none is awaited, [`Error::Capacity`] where there are too few, [`Error::TorqueNotFiniteAt`]: then
    /// it is still awaited. [`Error::OverflowAt`]: then the step is cancelled, and those that were to come.
    pub fn supply_torque(&mut self, torque: &[f64]) -> Result<(), Error> {
        self.absorb(torque, None).map(|_| ())
    }

    /// Supplies the torque, and writes the next stage while the bodies are at hand: as [`Ensemble::supply_torque`] and
    /// [`Ensemble::next_stage`] after each other, in one pass over them.
    ///
    /// # Errors
    /// Those of both. Where the motion overflows, parts of the next stage may have been written.
    pub fn continue_step(
        &mut self,
        torque: &[f64],
        orientation: &mut [f64],
        angular_velocity: &mut [f64],
    ) -> Result<Next, Error> {
        let room = self.room(orientation, angular_velocity)?;
        let Pending { stage, steps, .. } = self.pending.ok_or(NO_STEP)?;
        let is_last = stage + 1 == M::TORQUE_AT.len();
        // the first stage of another step is what a bound array will hold, which is not known before it is written
        if is_last && (steps == 1 || self.gathers()) {
            self.absorb(torque, None)?;
            return self.next_stage(orientation, angular_velocity);
        }
        let pending = self.absorb(torque, Some(room))?;
        let pending = if is_last { self.take_step(pending)? } else { pending };
        Ok(self.await_torque(pending))
    }

    /// Where these arrays are large enough.
    fn room<'a>(&self, orientation: &'a mut [f64], angular_velocity: &'a mut [f64]) -> Result<Room<'a>, Error> {
        let positions = self.positions();
        for (name, needed, given) in [
            ("orientation", 4 * positions, orientation.len()),
            ("angular_velocity", 3 * positions, angular_velocity.len()),
        ] {
            if given < needed {
                return Err(Error::Capacity { name, needed: needed as u64, given: given as u64 });
            }
        }
        Ok(Room { layout: self.stage_layout, orientation, angular_velocity, positions })
    }

    /// Now the stage has been written.
    fn await_torque(&mut self, pending: Pending) -> Next {
        self.pending = Some(Pending { awaiting: true, ..pending });
        Next::NeedTorque(self.clock.now() + M::TORQUE_AT[pending.stage] * pending.dt)
    }

    /// Takes the torque of the stage, and writes the next one where there is room for it. Gives what is left to be done.
    fn absorb(&mut self, torque: &[f64], mut room: Option<Room>) -> Result<Pending, Error> {
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
        // Before a state of a stage is replaced, or shown. Otherwise the first starts from the bodies' own, and what is not finite
        // shows in what comes.
        if (stage > 0 || room.is_some())
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
            if let Some(room) = &mut room {
                let (states, shown) = (&*stage_states, room.of_chunk(first));
                simd::run_on(
                    count,
                    &mut Present { count, states, frame: Frame::World, notes: None, shown, soon: None },
                );
            }
        }
        let pending = Pending { stage: stage + 1, awaiting: false, ..pending };
        self.pending = Some(pending);
        Ok(pending)
    }

    /// Makes the end of the step in hand the bodies' own. What is left is to take the steps after it.
    fn take_step(&mut self, pending: Pending) -> Result<Pending, Error> {
        self.pending = None;
        self.take_staged().map_err(|setback| setback.error)?;
        self.clock.advance(pending.dt);
        let pending = Pending { steps: pending.steps - 1, stage: 0, awaiting: false, ..pending };
        self.pending = Some(pending);
        Ok(pending)
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

    /// Gives up the step in hand, and those that were to come: the ensemble is as before it. Without one nothing happens.
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
