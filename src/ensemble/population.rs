//! Changing populations: more or fewer bodies, other orders, and from the caller's arrays into own memory.

use super::binding::{Bound, scatter_own};
use super::stores::{Blocks, Columns, RowPart, Store};
use super::{AT_REST, Ensemble};
use super::{
    active::Active, bind::check_velocities, lanes::chunks, last_torques::Known, scratch::Scratch, states::StateStore,
    torque::ReadyMade,
};
use crate::error::{Error, Failure};
use crate::memory::{self, Block, Bodies, blocks_for};

impl<'a> Ensemble<'a> {
    /// Changes the number of bodies. The first ones stay; new ones are as created: orientation identity, at rest, unit inertia if the
    /// bodies have separate ones, and parameters of torque and drag 0 if these are separate, ids after the greatest. All bodies are active. Torque, method, clock
    /// and threads stay; a method that keeps the last torque asks for those of the new bodies alone.
    ///
    /// Bound arrays are let go, as by [`Ensemble::release_arrays`]: the rows of bodies that stay are read, so they must still be there.
    /// Errors: [`Error::Memory`]; [`Error::Order`] in the middle of a step; as [`Ensemble::release_arrays`]. Then nothing has changed.
    pub fn resize(&mut self, count: usize) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let before = self.count();
        self.each_store(&mut |store| store.reserve(count))?;
        self.reserve_for_count(count)?;
        self.release_first(before.min(count))?;
        self.change_population();
        if let Some(source) = self.last.known.source()
            && count > before
        {
            self.last.known = Known::Some(source);
        }
        self.each_store(&mut |store| {
            store.resize(before, count);
            Ok(())
        })?;
        self.random.number_new(before, count);
        self.set_count(count);
        Ok(())
    }

    /// Body `i` becomes what body `from[i]` is, for each `i`: bodies can be removed, sorted and copied. Those with `from[i] == i` cost next
    /// to nothing. Otherwise as [`Ensemble::resize`].
    /// Errors: [`Error::Invalid`] if an index is too large; as [`Ensemble::resize`]. Then nothing has changed.
    pub fn select(&mut self, from: &[usize]) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        self.check_indices("from", from)?;
        let (before, count) = (self.count(), from.len());
        let moves = Moves::of(from)?;
        let (source, target) =
            moves.as_ref().map_or((Bodies::Listed(from), Bodies::From { first: 0, count }), Moves::bodies);
        if self.random.bath.is_some() {
            self.random.ids_mut(before)?;
        }
        let mut widest = 0;
        self.each_store(&mut |store| {
            widest = widest.max(store.width());
            store.reserve(count)
        })?;
        let mut rows: Vec<f64> = Vec::new();
        rows.try_reserve_exact(source.count().saturating_mul(widest))?;
        self.reserve_for_count(count)?;
        self.release_first(if count == 0 { 0 } else { before })?;
        self.change_population();
        self.each_store(&mut |store| {
            let width = store.width();
            if width > 0 {
                rows.resize(source.count() * width, 0.0);
                store.read(&source, RowPart { rows: &mut rows[..], first: 0, width });
                store.resize(before, count);
                store.write(&target, RowPart { rows: &rows[..], first: 0, width });
            }
            Ok(())
        })?;
        self.set_count(count);
        Ok(())
    }

    /// From now on keeps all states in the ensemble's own memory: the caller's arrays are no longer used. Orientations and angular
    /// velocities in the body frame move bit for bit; other quantities are converted as in a step. Bodies that are not active have the states
    /// that they last had in own memory.
    /// Errors, with the first body: an orientation in the caller's array is not of unit length, an angular velocity is not finite or is 1e154
    /// rad/s or more; [`Error::Order`] in the middle of a step. Then nothing has changed.
    pub fn release_arrays(&mut self) -> Result<(), Failure> {
        self.release_first(self.count())
    }

    /// Reads the first `count` bodies of bound arrays: the others are about to be dropped.
    fn release_first(&mut self, count: usize) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        if self.states.bound.is_empty() {
            self.states.predicted = None;
            return Ok(());
        }
        let positions = self.active.position_of(count).min(self.active_count());
        self.states.prepare()?;
        self.crew.prepare(self.count(), true)?;
        let Self { states: StateStore { own, spare, bound, .. }, inertias, crew, active, .. } = self;
        let Scratch { start: raw, end: states, .. } = &mut crew.scratch[0];
        if !active.are_all() {
            spare.copy_from_slice(own); // the rows of the others may hold anything
        }
        for (first, count) in chunks(positions) {
            let bodies = &active.bodies(first, count);
            bound.gather(own, bodies, raw);
            bound.convert(inertias, bodies, raw, states)?;
            if let Some(array) = &bound.velocities {
                let name = array.as_view().name(); // the caller may have written to it
                let given = |error| check_velocities(name, bodies, raw).and(Err(error));
                check_velocities(name, bodies, states).or_else(given)?;
            }
            scatter_own(spare, bodies, states, 0..7);
        }
        std::mem::swap(own, spare);
        self.states.bound = Bound::nothing();
        self.states.predicted = None;
        self.journal.retake = None;
        Ok(())
    }

    fn each_store(&mut self, visit: &mut dyn FnMut(&mut dyn Store) -> Result<(), Error>) -> Result<(), Error> {
        let width = self.plan().kept();
        visit(&mut Blocks { blocks: &mut self.states.own, created: AT_REST })?;
        self.inertias.stores(visit)?;
        if let Some(parameters) = self.torque.ready_mut().and_then(ReadyMade::parameters_mut) {
            visit(parameters)?;
        }
        self.besides.parameters_mut().try_for_each(&mut *visit)?;
        self.random.parameters_mut().try_for_each(&mut *visit)?;
        if let Some(mut ids) = self.random.ids() {
            visit(&mut ids)?;
        }
        visit(&mut Columns { columns: &mut self.last.columns, width })
    }

    /// Makes room for what is not a store.
    fn reserve_for_count(&mut self, count: usize) -> Result<(), Error> {
        if !self.states.spare.is_empty() {
            memory::make_room(&mut self.states.spare, blocks_for(count.max(1)))?;
        }
        self.last.reserve_others(self.plan(), count)
    }

    /// Forgets what holds for the bodies as they were.
    fn change_population(&mut self) {
        self.journal.retake = None;
        self.random.forget_axes();
        if !self.active.are_all() {
            self.last.forget();
        }
    }

    /// After the stores have been resized. Room has been made.
    fn set_count(&mut self, count: usize) {
        self.active = Active::all(count);
        if !self.states.spare.is_empty() {
            self.states.spare.resize(self.states.own.len(), Block::filled(AT_REST));
        }
        self.last.resize_others(self.plan(), count);
    }
}

/// The bodies that a selection moves, and where to; the others keep their places.
struct Moves {
    from: Vec<usize>,
    to: Vec<usize>,
}

impl Moves {
    /// `None` if most bodies move: then to move all costs less than the lists.
    fn of(from: &[usize]) -> Result<Option<Self>, Error> {
        let moved = || from.iter().enumerate().filter(|(i, body)| i != *body);
        let count = moved().count();
        if 2 * count > from.len() {
            return Ok(None);
        }
        let mut moves = Moves { from: Vec::new(), to: Vec::new() };
        moves.from.try_reserve_exact(count)?;
        moves.to.try_reserve_exact(count)?;
        moved().for_each(|(i, &body)| {
            moves.from.push(body);
            moves.to.push(i);
        });
        Ok(Some(moves))
    }

    fn bodies(&self) -> (Bodies<'_>, Bodies<'_>) {
        (Bodies::Listed(&self.from), Bodies::Listed(&self.to))
    }
}
