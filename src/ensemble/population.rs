//! Changing populations: more or fewer bodies, other orders, and from the caller's arrays into own memory.

use super::binding::Bound;
use super::lanes::CHUNK;
use super::stores::{Blocks, Kept, Store};
use super::{Ensemble, reserve};
use crate::error::{Error, Failure};
use crate::memory::{self, Bodies, blocks_for};

/// The most numbers per body in a store.
const WIDEST: usize = 7;

impl<'a> Ensemble<'a> {
    /// Changes the number of bodies. The first ones stay; new ones are as created: orientation identity, at rest, unit inertia if the
    /// bodies have separate ones, and parameters of torque and drag 0 if these are separate. Bound arrays are let go, as by
    /// [`Ensemble::release_arrays`]; all bodies move. Torque, method, clock and threads stay.
    /// Errors: [`Error::Memory`]; [`Error::Order`] in the middle of a step; as [`Ensemble::release_arrays`]. Then nothing has changed.
    pub fn resize(&mut self, count: usize) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let before = self.count;
        self.each_store(&mut |store| store.reserve(count))?;
        self.reserve_for_count(count)?;
        self.release_arrays()?;
        // a new body has no last torque
        self.change_population(count > before || self.active.is_some());
        self.each_store(&mut |store| {
            store.resize(before, count);
            Ok(())
        })?;
        self.set_count(count);
        Ok(())
    }

    /// Body `i` becomes what body `from[i]` is, for each `i`: bodies can be removed, sorted and copied. Otherwise as [`Ensemble::resize`].
    /// Errors: [`Error::Invalid`] if an index is too large; as [`Ensemble::resize`]. Then nothing has changed.
    pub fn select(&mut self, from: &[usize]) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        self.check_indices("from", from)?;
        let (before, count) = (self.count, from.len());
        let mut rows: Vec<f64> = Vec::new();
        rows.try_reserve_exact(count.saturating_mul(WIDEST))?;
        rows.resize(count * WIDEST, 0.0);
        self.each_store(&mut |store| store.reserve(count))?;
        self.reserve_for_count(count)?;
        self.release_arrays()?;
        self.change_population(self.active.is_some());
        self.each_store(&mut |store| {
            let width = store.width();
            if width == 0 {
                return Ok(());
            }
            let rows = &mut rows[..count * width];
            for (row, &body) in rows.chunks_exact_mut(width).zip(from) {
                store.read(body, row);
            }
            store.resize(before, count);
            for (i, row) in rows.chunks_exact(width).enumerate() {
                store.write(i, row);
            }
            Ok(())
        })?;
        self.set_count(count);
        Ok(())
    }

    /// From now on keeps all states in the ensemble's own memory: the caller's arrays are no longer used. Orientations and angular
    /// velocities in the body frame move bit for bit; other quantities are converted as in a step.
    /// Errors: an orientation in the caller's array is not of unit length, with the first such body; [`Error::Order`] in the middle of a
    /// step. Then nothing has changed.
    pub fn release_arrays(&mut self) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        if self.bound.is_empty() {
            self.predicted = None;
            return Ok(());
        }
        let Self { own, spare, bound, inertias, scratch, count, .. } = self;
        let raw = &mut scratch[0].start;
        for first in (0..*count).step_by(CHUNK) {
            let bodies = &Bodies::From { first, count: (*count - first).min(CHUNK) };
            bound.gather(own, bodies, raw);
            bound.convert(inertias, bodies, raw, &mut spare[blocks_for(first)..][..blocks_for(bodies.count())])?;
        }
        std::mem::swap(own, spare);
        self.bound = Bound::nothing();
        self.predicted = None;
        self.retake = None;
        Ok(())
    }

    fn each_store(&mut self, visit: &mut dyn FnMut(&mut dyn Store) -> Result<(), Error>) -> Result<(), Error> {
        const CREATED: [f64; 7] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let width = self.choice().kept_numbers();
        visit(&mut Blocks { blocks: &mut self.own, created: CREATED })?;
        self.inertias.stores(visit)?;
        if let Some(parameters) = self.torque.parameters_mut() {
            visit(parameters)?;
        }
        if let Some(drag) = &mut self.drag {
            drag.parameters().into_iter().try_for_each(&mut *visit)?;
        }
        visit(&mut Kept { columns: &mut self.saved, width })
    }

    /// Makes room for what is not a store.
    fn reserve_for_count(&mut self, count: usize) -> Result<(), Error> {
        memory::make_room(&mut self.spare, blocks_for(count.max(1)))?;
        let columns = self.choice().saved_numbers() * blocks_for(count);
        memory::make_room(&mut self.saved_spare, columns)?;
        Ok(memory::make_room(&mut self.done, count.div_ceil(CHUNK))?)
    }

    /// Forgets what holds for the bodies as they were.
    fn change_population(&mut self, forgets_torque: bool) {
        self.retake = None;
        self.active = None;
        if forgets_torque {
            self.known_torque = None;
        }
    }

    /// After the stores have been resized. Room has been made.
    fn set_count(&mut self, count: usize) {
        self.count = count;
        self.spare.clear();
        self.spare.extend_from_slice(&self.own);
        self.done.resize(count.div_ceil(CHUNK), false);
        let columns = self.choice().saved_numbers() * blocks_for(count);
        let _ = reserve(&mut self.saved_spare, columns); // has room
    }
}
