//! The bodies that move, where not all do.

use super::Ensemble;
use crate::error::{Error, Failure};
use crate::memory::Bodies;

/// The bodies that move.
#[derive(Debug)]
pub(super) enum Active {
    All,
    /// So many of the first: they need no list, and step in their blocks.
    First(usize),
    Listed(Vec<usize>),
}

impl Active {
    pub(super) fn is_all(&self) -> bool {
        matches!(self, Active::All)
    }

    /// The list, if the bodies are not the first ones.
    #[inline(always)]
    pub(super) fn list(&self) -> Option<&[usize]> {
        match self {
            Active::Listed(list) => Some(list),
            _ => None,
        }
    }

    pub(super) fn contains(&self, body: usize) -> bool {
        match self {
            Active::All => true,
            Active::First(count) => body < *count,
            Active::Listed(list) => list.binary_search(&body).is_ok(),
        }
    }

    /// The position of a body that moves.
    pub(super) fn position_of(&self, body: usize) -> usize {
        self.list().map_or(body, |list| list.partition_point(|&other| other < body))
    }

    #[inline(always)]
    pub(super) fn count(&self, bodies: usize) -> usize {
        match self {
            Active::All => bodies,
            Active::First(count) => *count,
            Active::Listed(list) => list.len(),
        }
    }
}

impl Ensemble<'_> {
    /// Chooses the bodies that move, by strictly ascending index; `None`: all. The others keep their states. A list of the first bodies, or
    /// of all, costs nothing in a step.
    /// Errors: [`Error::Invalid`] if the list does not ascend or an index is too large; [`Error::Memory`], [`Error::Order`].
    pub fn set_active(&mut self, bodies: Option<&[usize]>) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let Some(bodies) = bodies else {
            self.begin_change()?;
            self.active = Active::All;
            return Ok(());
        };
        if !bodies.is_sorted_by(|a, b| a < b) {
            return Err(Error::Invalid { name: "indices", must: "must be strictly ascending" }.into());
        }
        self.check_indices("indices", bodies)?;
        let active = match bodies.last() {
            Some(last) if last + 1 > bodies.len() => {
                let mut list = Vec::new();
                list.try_reserve_exact(bodies.len())?;
                list.extend_from_slice(bodies);
                Active::Listed(list)
            }
            _ if bodies.len() == self.count => Active::All,
            _ => Active::First(bodies.len()),
        };
        self.begin_change()?;
        self.active = active;
        Ok(())
    }

    /// The number of bodies that move, and of bodies in the arrays of the stage protocol.
    #[inline(always)]
    pub fn active_count(&self) -> usize {
        self.active.count(self.count)
    }

    pub(super) fn active_bodies(&self) -> impl Iterator<Item = usize> {
        let bodies = Bodies::at_positions(self.active.list(), 0, self.active_count());
        (0..bodies.count()).map(move |position| bodies.get(position))
    }
}
