//! The stage protocol: the caller computes all torques, and we never call back.
//!
//! The same `Present` and `Absorb` as for callbacks, over the whole ensemble instead of a chunk. The spare blocks hold the
//! states of the stage, in the order of positions.

use super::Ensemble;
use super::blocks::blocks_for;
use super::chunk::*;
use super::sweep::{Scratch, bodies_at};
use super::torque::{Frame, Layout};
use crate::error::Error;
use crate::method::Method;
use crate::simd;
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

const NO_STEP: Error = Error::Order("no step has been begun");

impl<M: Method> Ensemble<M> {
    /// Begins a step of length `dt`. Until it is taken or cancelled, nothing else may change the ensemble.
    ///
    /// # Errors
    /// `dt` must be finite, and no step begun already.
    pub fn begin_step(&mut self, dt: f64) -> Result<(), Error> {
        self.settled()?;
        let [dt] = crate::error::finite("dt", [dt])?;
        self.pending = Some(Pending { dt, stage: 0, awaiting: false });
        Ok(())
    }

    /// Writes the next stage, packed: 4 numbers a body for the orientation, 3 for the angular velocity (world); or takes the
    /// step when the last torque has been supplied. With a list of active bodies, in its order.
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
                self.take_staged();
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
        let Self { own, spare, binding, inertias, active, scratch, .. } = self;
        let Scratch { start, end: raw, exchange } = &mut scratch[0];
        for first in (0..positions).step_by(CHUNK) {
            let count = (positions - first).min(CHUNK);
            let bodies = bodies_at(active.as_deref(), first, count);
            let states = if pending.stage == 0 {
                binding.at_start(own, inertias, bodies, count, raw, start).map_err(|setback| setback.error)?
            } else {
                &spare[blocks_for(first)..]
            };
            let shown = Shown {
                layout: Layout::Aos,
                frame: Frame::World,
                orientation: &mut orientation[4 * first..4 * (first + count)],
                angular_velocity: &mut angular_velocity[3 * first..3 * (first + count)],
                omega_world: &mut exchange.omega_world,
            };
            simd::run_on(count, Present { count, states, shown });
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
        if let Some(i) = torque[..3 * positions].iter().position(|t| !t.is_finite()) {
            let body = bodies_at(self.active.as_deref(), i / 3, 1).at(0);
            let torque = [0, 1, 2].map(|c| torque[i / 3 * 3 + c]);
            let time = time + M::TORQUE_AT[stage] * pending.dt;
            return Err(Error::TorqueNotFiniteAt { body, time, torque });
        }
        let Self { own, spare, binding, inertias, active, scratch, .. } = self;
        let Scratch { start, end: raw, exchange } = &mut scratch[0];
        for first in (0..positions).step_by(CHUNK) {
            let count = (positions - first).min(CHUNK);
            let bodies = bodies_at(active.as_deref(), first, count);
            let absorb = Absorb::<M> {
                i: stage,
                count,
                bodies,
                start: binding.at_start(own, inertias, bodies, count, raw, start).map_err(|setback| setback.error)?,
                stage: &mut spare[blocks_for(first)..],
                packed: &torque[3 * first..3 * (first + count)],
                layout: Layout::Aos,
                frame: Frame::World,
                torque: &mut exchange.torque,
                shown: None,
                inertias,
                time,
                h: pending.dt,
                method: PhantomData,
            };
            if let Err(setback) = simd::run_on(count, absorb) {
                self.pending = None;
                return Err(setback.error);
            }
        }
        self.pending = Some(Pending { stage: stage + 1, awaiting: false, ..pending });
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
    fn take_staged(&mut self) {
        if !self.in_place() {
            return std::mem::swap(&mut self.own, &mut self.spare);
        }
        let positions = self.positions();
        let Self { own, spare, binding, inertias, active, .. } = self;
        for first in (0..positions).step_by(CHUNK) {
            let count = (positions - first).min(CHUNK);
            let (bodies, states) = (bodies_at(active.as_deref(), first, count), &mut spare[blocks_for(first)..]);
            binding.convert_back(inertias, bodies, count, states);
            binding.scatter(own, bodies, count, states);
        }
    }
}
