//! Changing populations: more or fewer bodies, other orders, and from the caller's arrays into own
//! memory.

use super::Ensemble;
use super::lanes::AT_REST;
use crate::ensemble::bodies::active::Active;
use crate::ensemble::bodies::parameters::{Inertias, LOCKED};
use crate::ensemble::bodies::stores::{Blocks, Columns, Store};
use crate::ensemble::stepping::last_torques::LastTorques;
use crate::error::{Error, Failure};
use crate::memory::{self, Bodies, blocks_for};
use crate::method::Change;

impl Ensemble<'_, '_> {
    /// Changes the number of bodies: see `qi_resize_ensemble`. New ones get ids after the greatest,
    /// and a method that keeps the last torque asks for theirs alone. Errors: [`Error::Memory`];
    /// [`Error::Invalid`] if ids are so great that new ones have none;
    /// [`Error::Order`] in the middle of a step; as [`Ensemble::release_arrays`]. Then nothing has
    /// changed.
    pub fn resize(&mut self, count: usize) -> Result<(), Failure> {
        let before = self.count();
        let first_id = self.acting.random.first_of_new(before, count)?;
        self.repopulate(count, before.min(count), [Bodies::Listed(&[]); 2])?;
        self.motion.last.known.newcomers |= count > before;
        self.acting.random.number_new(first_id, before, count);
        Ok(())
    }

    /// Body `i` becomes what body `from[i]` is, for each `i`: see `qi_select_bodies`. Errors:
    /// [`Error::Invalid`] if an index is too large; as [`Ensemble::resize`]. Then nothing has
    /// changed.
    pub fn select(&mut self, from: &[usize]) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        self.check_indices("from", from)?;
        let before = self.count();
        let count = from.len();
        let listed = listed_moves(from)?;
        let moves = match &listed {
            Some([from, to]) => [Bodies::Listed(from), Bodies::Listed(to)],
            None => [Bodies::Listed(from), Bodies::first(count)],
        };
        let all_stay = from.iter().enumerate().all(|(body, &from)| from == body);
        let are_made = self.acting.random.ids.is_none() && !all_stay; // bodies keep their ids
        if are_made {
            self.acting.random.make_ids(before)?;
        }
        // the selection may take any body, but none takes none
        let needed = if count == 0 { 0 } else { before };
        let outcome = self.repopulate(count, needed, moves);
        if are_made && outcome.is_err() {
            self.acting.random.ids = None;
        }
        outcome
    }

    /// Changes the number of bodies, and moves the bodies `from` to the places `to`. Only the first
    /// `needed` bodies of bound arrays are read. All memory is made first, so that nothing fails
    /// after the first change.
    fn repopulate(
        &mut self,
        count: usize,
        needed: usize,
        [from, to]: [Bodies; 2],
    ) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let before = self.count();
        let width = self.motion.last.width;
        let mut widest = 0;
        self.each_store(&mut |store| {
            widest = widest.max(store.width());
            store.reserve(count)
        })?;
        let mut numbers: Vec<f64> = Vec::new();
        numbers.try_reserve_exact(from.count().saturating_mul(widest))?;
        let has_other = !self.motion.states.other.is_empty();
        if has_other {
            memory::make_room(&mut self.motion.states.other, blocks_for(count.max(1)))?;
        }
        // Not shorter yet, because the columns of all bodies are read below. If something fails,
        // sets that are too long do no harm.
        self.motion.last.lay(width, width, count.max(before))?;
        self.release_first(needed)?;

        self.motion.checkpoint = None;
        self.acting.random.forget_prepared();
        if !self.active.are_all() {
            self.motion.last.forget(Change::Motion);
        }
        self.each_store(&mut |store| {
            store.repopulate(before, count, [&from, &to], &mut numbers);
            Ok(())
        })?;
        self.active = Active::all(count);
        self.points = None;
        if let Inertias::Each(all) = &mut self.inertias {
            // idle lanes have got the moments of a body as created
            memory::fill_idle_lanes(count, &mut all.moments, LOCKED);
            all.look_at_all(count);
        }
        // Of the other sets only the idle lanes matter, where bodies that are gone may have left
        // what overflows.
        if has_other {
            Blocks {
                blocks: &mut self.motion.states.other,
                created: AT_REST,
            }
            .resize(before, count);
        }
        let LastTorques { next, replaced, .. } = &mut self.motion.last;
        if width > 0 {
            for columns in [next, replaced] {
                Columns { columns, width }.resize(before, count);
            }
        }
        Ok(self.motion.last.lay(width, width, count)?) // there is room
    }

    fn each_store(
        &mut self,
        visit: &mut dyn FnMut(&mut dyn Store) -> Result<(), Error>,
    ) -> Result<(), Error> {
        visit(&mut Blocks {
            blocks: &mut self.motion.states.current,
            created: AT_REST,
        })?;
        self.inertias.stores(visit)?;
        self.torque_stores_mut().try_for_each(&mut *visit)?;
        if let Some(mut ids) = self.acting.random.ids() {
            visit(&mut ids)?;
        }
        visit(&mut Columns {
            columns: &mut self.motion.last.current,
            width: self.motion.last.width,
        })
    }
}

/// The bodies of a selection that do not stay in their place, and the places where they go; `None`
/// if these are more than half: then it costs less to move all than to make the lists.
fn listed_moves(selection: &[usize]) -> Result<Option<[Vec<usize>; 2]>, Error> {
    let mut count = 0;
    for (to, &from) in selection.iter().enumerate() {
        if from != to {
            count += 1;
        }
    }
    if 2 * count > selection.len() {
        return Ok(None);
    }
    let mut bodies = Vec::new();
    let mut places = Vec::new();
    bodies.try_reserve_exact(count)?;
    places.try_reserve_exact(count)?;
    for (to, &from) in selection.iter().enumerate() {
        if from != to {
            bodies.push(from);
            places.push(to);
        }
    }
    Ok(Some([bodies, places]))
}
