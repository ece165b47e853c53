//! The bodies of an ensemble, and which of them move.

use crate::ensemble::Ensemble;
use crate::ensemble::lanes::{CHUNK, chunks_of};
use crate::error::{Failure, check};
use crate::memory::Bodies;
use crate::method::Change;

#[derive(PartialEq)]
pub(crate) struct Active {
    pub(crate) total: usize,
    /// The number of bodies that move: they have the positions 0, 1, … (PERF-12)
    pub(crate) moving: usize,
    /// Those that move; empty if they are the first ones, which step in their blocks.
    listed: Vec<usize>,
}

impl Active {
    pub(crate) fn all(total: usize) -> Self {
        Active {
            total,
            moving: total,
            listed: Vec::new(),
        }
    }

    pub(crate) fn are_all(&self) -> bool {
        self.moving == self.total
    }

    #[inline(always)]
    pub(crate) fn are_listed(&self) -> bool {
        !self.listed.is_empty()
    }

    pub(crate) fn contains(&self, body: usize) -> bool {
        if self.are_listed() {
            self.listed.binary_search(&body).is_ok()
        } else {
            body < self.moving
        }
    }

    pub(crate) fn position_of(&self, body: usize) -> usize {
        if self.are_listed() {
            self.listed.partition_point(|&other| other < body)
        } else {
            body
        }
    }

    pub(crate) fn body(&self, position: usize) -> usize {
        if self.are_listed() {
            self.listed[position]
        } else {
            position
        }
    }

    #[inline(always)] // a copy of what a call has just written would wait for its stores
    pub(crate) fn bodies(&self, first: usize, count: usize) -> Bodies<'_> {
        if self.are_listed() {
            Bodies::Listed(&self.listed[first..][..count])
        } else {
            Bodies::From { first, count }
        }
    }

    /// The first position and the bodies of each chunk.
    pub(crate) fn chunks(&self) -> impl Iterator<Item = (usize, Bodies<'_>)> {
        (0..)
            .step_by(CHUNK)
            .zip(chunks_of(self.bodies(0, self.moving)))
    }
}

impl Ensemble<'_, '_> {
    /// Chooses the bodies that move, by strictly ascending index; `None`: all. The others keep
    /// their states. A list of the first ones costs little. Errors: `Error::Invalid` if the list
    /// does not ascend or an index is too large; `Error::Memory`, `Error::Order`.
    pub fn set_active(&mut self, bodies: Option<&[usize]>) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let mut active = Active::all(self.count());
        if let Some(bodies) = bodies {
            check(
                bodies.is_sorted_by(|a, b| a < b),
                "indices",
                "must be strictly ascending",
            )?;
            self.check_indices("indices", bodies)?;
            active.moving = bodies.len();
            if bodies.last().is_some_and(|last| last + 1 > bodies.len()) {
                active.listed.try_reserve_exact(bodies.len())?;
                active.listed.extend_from_slice(bodies);
            }
        }
        if active == self.active {
            return self.forget_torques(); // the bodies, and what is kept of them, are the same
        }
        self.begin(Change::Motion)?;
        self.active = active;
        if let Some(heat_bath) = &mut self.acting.random.heat_bath {
            heat_bath.of_steps = None;
        }
        Ok(())
    }

    /// The number of bodies that move, and of bodies in the arrays of the stage protocol.
    #[inline(always)]
    pub fn active_count(&self) -> usize {
        self.active.moving
    }

    pub(crate) fn active_bodies(&self) -> impl Iterator<Item = usize> {
        (0..self.active.moving).map(|position| self.active.body(position))
    }
}
