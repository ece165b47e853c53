//! Where the states of an ensemble are: in its own blocks, or orientations, angular velocities or
//! both in the caller's arrays.

use super::convert::{AreUnit, Conversion, FromBodyFrame, ToBodyFrame, VelocityKind};
use crate::ensemble::bodies::active::Active;
use crate::ensemble::bodies::parameters::Inertias;
use crate::ensemble::lanes::AT_REST;
use crate::ensemble::lanes::MOST_IDLE_STEPS;
use crate::error::{Error, Failure};
use crate::kernel::{MOST_LANES, Quat, State, Vec3};
use crate::memory::{
    self, Block, Bodies, States, StatesMut, View, ViewMut, blocks_for, load, store_vector,
};
use crate::{rotation, simd, threads::End};
use std::ops::Range;

pub(crate) struct StateStore<'a> {
    /// The states; unused where the caller's arrays hold them.
    pub(crate) current: Vec<Block<7>>,
    /// A second set of states: before a step, after it, or of a stage. Empty until it is needed.
    pub(crate) other: Vec<Block<7>>,
    pub(crate) bound: Bound<'a>,
    pub(crate) predicted: Option<Box<Predicted<'a>>>,
    /// Whether the other blocks hold the states of the bodies that do not move, where only the
    /// first ones move.
    pub(crate) rest_is_copied: bool,
    /// During a sweep, where only the first bodies move: the block that others share with them, if
    /// there is one. It has no more elements than this one.
    pub(crate) set_aside: Vec<SharedBlock>,
    /// How many steps idle lanes have taken since they were at rest, or more.
    pub(crate) idle_steps: u64,
}

/// A block of bodies that move and bodies that do not.
pub(crate) struct SharedBlock {
    /// The first body that does not move.
    from: usize,
    /// The states before the sweep.
    before: Block<7>,
}

pub(crate) struct Predicted<'a> {
    pub(crate) array: ViewMut<'a, 3>,
    pub(crate) ahead: f64,
    /// The values of the current call, by position: the array is written when all bodies have
    /// succeeded.
    pub(crate) values: Vec<Block<3>>,
}

impl StateStore<'_> {
    /// Of bodies as created.
    pub(crate) fn at_rest(count: usize) -> Result<Self, Error> {
        Ok(StateStore {
            current: memory::filled(count, AT_REST)?,
            other: Vec::new(),
            bound: Bound::nothing(),
            predicted: None,
            rest_is_copied: false,
            set_aside: Vec::new(),
            idle_steps: 0,
        })
    }

    /// Makes the other blocks, if there are none yet.
    #[inline]
    pub(crate) fn prepare(&mut self) -> Result<(), Error> {
        if self.other.is_empty() {
            self.other = memory::filled(self.current.len() * MOST_LANES, AT_REST)?;
        }
        Ok(())
    }

    /// Whether chunks are gathered from the caller's arrays, or from a list of active bodies.
    #[inline]
    pub(crate) fn gathers(&self, active: &Active) -> bool {
        !self.bound.is_empty() || active.are_listed()
    }

    /// What is known of bodies that do not move, and of idle lanes, no longer holds.
    pub(crate) fn forget_rest(&mut self) {
        self.rest_is_copied = false;
        self.idle_steps = u64::MAX;
    }

    /// Before steps of all of `count` bodies: puts idle lanes at rest if they have taken
    /// [`MOST_IDLE_STEPS`], because they might overflow.
    #[inline(always)]
    pub(crate) fn rest_idle_lanes(&mut self, count: usize, steps: u64) {
        self.idle_steps = self.idle_steps.saturating_add(steps);
        if self.idle_steps >= MOST_IDLE_STEPS {
            self.put_at_rest_from(count);
            self.idle_steps = steps;
        }
    }

    /// Puts the lanes from `first` on at rest that share its block.
    #[cold]
    #[inline(never)]
    fn put_at_rest_from(&mut self, first: usize) {
        memory::fill_idle_lanes(first, &mut self.current, AT_REST);
    }

    /// What has been written takes the place of what has been read.
    #[inline(always)]
    pub(crate) fn exchange(&mut self) {
        std::mem::swap(&mut self.current, &mut self.other);
    }

    /// Where only the first bodies move: copies the others to the other blocks, which a sweep
    /// exchanges with the current ones. Those that share a block with bodies that move are set
    /// aside, and their lanes put at rest as if they were idle, because the sweep computes them too
    /// and they might overflow.
    #[inline(always)]
    pub(crate) fn set_rest_aside(&mut self, active: &Active) -> Result<(), Error> {
        if active.are_all() {
            return Ok(());
        }
        let first = active.moving;
        if !self.rest_is_copied {
            let rest = blocks_for(first)..;
            self.other[rest.clone()].copy_from_slice(&self.current[rest]);
            self.rest_is_copied = true;
        }
        if let Some(shared) = self.current.get(first / MOST_LANES) {
            memory::make_room(&mut self.set_aside, 1)?;
            self.set_aside.push(SharedBlock {
                from: first,
                before: *shared,
            });
            self.put_at_rest_from(first);
        }
        Ok(())
    }

    /// After the sweep: the bodies that were put at rest get their states back.
    #[inline(always)]
    pub(crate) fn put_rest_back(&mut self) {
        let Some(SharedBlock { from, before }) = self.set_aside.pop() else {
            return;
        };
        for body in from..blocks_for(from) * MOST_LANES {
            let state = before.get(body % MOST_LANES);
            memory::set(&mut self.current, body, state);
            memory::set(&mut self.other, body, state);
        }
    }
}

/// The bound arrays. What is not bound is in the ensemble's own blocks.
pub(crate) struct Bound<'a> {
    pub(crate) orientations: Option<ViewMut<'a, 4>>,
    pub(crate) velocities: Option<ViewMut<'a, 3>>,
    /// The quantity in `velocities`. Without them the angular velocity in the body frame, which
    /// blocks hold.
    pub(crate) kind: VelocityKind,
}

impl<'a> Bound<'a> {
    pub(crate) fn nothing() -> Self {
        Bound {
            orientations: None,
            velocities: None,
            kind: VelocityKind::OmegaBody,
        }
    }

    /// Refuses numbers of a body in a bound array that are no angular velocities.
    pub(crate) fn check_velocity(&self, body: usize) -> Result<(), Error> {
        let Some(array) = self.velocities.as_ref().map(ViewMut::as_view) else {
            return Ok(());
        };
        rotation::checked_omega(array.name(), array.get(body)).map(drop)
    }

    /// Whether the ensemble's own blocks hold all states.
    pub(crate) fn is_empty(&self) -> bool {
        self.orientations.is_none() && self.velocities.is_none()
    }

    /// Whether the bound arrays hold all states.
    pub(crate) fn is_whole(&self) -> bool {
        self.orientations.is_some() && self.velocities.is_some()
    }

    pub(crate) fn reborrow(&mut self) -> Bound<'_> {
        Bound {
            orientations: self.orientations.as_mut().map(ViewMut::reborrow),
            velocities: self.velocities.as_mut().map(ViewMut::reborrow),
            kind: self.kind,
        }
    }

    /// Splits off the arrays of `bodies`, which are the first or the last.
    pub(crate) fn take_at(&mut self, end: End, bodies: &Bodies) -> Bound<'a> {
        let (first, last) = bodies.ends();
        let kind = self.kind;
        let at = if end == End::Front { last + 1 } else { first };
        let (orientations, q_behind) = self
            .orientations
            .take()
            .map(|array| array.split_at(at))
            .unzip();
        let (velocities, omega_behind) = self
            .velocities
            .take()
            .map(|array| array.split_at(at))
            .unzip();
        let before = Bound {
            orientations,
            velocities,
            kind,
        };
        let behind = Bound {
            orientations: q_behind,
            velocities: omega_behind,
            kind,
        };
        let (taken, rest) = if end == End::Front {
            (before, behind)
        } else {
            (behind, before)
        };
        *self = rest;
        taken
    }

    pub(crate) fn overlaps<const K: usize>(&self, array: &View<K>) -> bool {
        self.orientations
            .as_ref()
            .is_some_and(|bound| array.overlaps(&bound.as_view()))
            || self
                .velocities
                .as_ref()
                .is_some_and(|bound| array.overlaps(&bound.as_view()))
    }

    /// The numbers of a body, unconverted.
    #[inline]
    pub(crate) fn get(&self, current: States, body: usize) -> State<f64> {
        let mut numbers: State<f64> = load(&current[body / MOST_LANES], body % MOST_LANES);
        if let Some(array) = &self.orientations {
            numbers.q = Quat(array.as_view().get(body));
        }
        if let Some(array) = &self.velocities {
            numbers.omega_body = Vec3(array.as_view().get(body));
        }
        numbers
    }

    /// The reverse of [`Bound::get`].
    #[inline]
    pub(crate) fn put(&mut self, current: StatesMut, body: usize, numbers: State<f64>) {
        let block = &mut current[body / MOST_LANES];
        let lane = body % MOST_LANES;
        match &mut self.orientations {
            Some(array) => array.put(body, numbers.q.0),
            None => {
                for k in 0..4 {
                    block.0[k][lane] = numbers.q.0[k];
                }
            }
        }
        match &mut self.velocities {
            Some(array) => array.put(body, numbers.omega_body.0),
            None => store_vector(numbers.omega_body, block, 4, lane),
        }
    }

    /// Copies the numbers of `bodies` to `to`, unconverted.
    pub(crate) fn gather(&self, current: States, bodies: &Bodies, to: StatesMut) {
        memory::fill_idle_lanes(bodies.count(), to, AT_REST);
        memory::gather(
            self.orientations.as_ref(),
            self.velocities.as_ref(),
            bodies,
            to,
        );
        if !self.is_whole() {
            copy_columns(
                (current, bodies),
                (to, &Bodies::first(bodies.count())),
                self.own_columns(),
            );
        }
    }

    pub(crate) fn scatter(&mut self, current: StatesMut, bodies: &Bodies, from: States) {
        memory::scatter(
            self.orientations.as_mut(),
            self.velocities.as_mut(),
            bodies,
            from,
        );
        if !self.is_whole() {
            copy_columns(
                (from, &Bodies::first(bodies.count())),
                (current, bodies),
                self.own_columns(),
            );
        }
    }

    /// The numbers of a state that are in the ensemble's own blocks.
    fn own_columns(&self) -> Range<usize> {
        (if self.orientations.is_none() { 0 } else { 4 })..(if self.velocities.is_none() {
            7
        } else {
            4
        })
    }

    /// Whether the caller may have written a velocity about a locked axis. Own ones are states.
    #[inline(always)]
    fn may_turn_about_locks(&self, inertias: &Inertias) -> bool {
        self.velocities.is_some() && inertias.has_zero_moment()
    }

    /// Whether the gathered numbers of `count` bodies are states already. Idle lanes must be at
    /// rest.
    #[inline(always)]
    pub(crate) fn are_states(&self, inertias: &Inertias, states: States, count: usize) -> bool {
        let are_velocities =
            self.kind == VelocityKind::OmegaBody && !self.may_turn_about_locks(inertias);
        are_velocities && simd::run_on(count, &mut AreUnit { states, count })
    }

    /// Converts gathered numbers to states. Errors: the first body whose orientation is not of unit
    /// length: the caller may have written it since the last step.
    pub(crate) fn convert(
        &self,
        inertias: &Inertias,
        bodies: &Bodies,
        from: States,
        to: StatesMut,
    ) -> Result<(), Failure> {
        let mut conversion = Conversion::new(self.kind, inertias);
        conversion.has_zero_moment = self.may_turn_about_locks(inertias);
        // few are converted one by one, and take steps in pairs
        memory::fill_idle_lanes(bodies.count(), to, AT_REST);
        let wrong = simd::run_on(
            bodies.count(),
            &mut ToBodyFrame {
                bodies,
                from,
                to,
                conversion,
            },
        );
        let Some(i) = wrong else { return Ok(()) };
        let name = self
            .orientations
            .as_ref()
            .map_or("orientation", |array| array.as_view().name());
        let refused = rotation::checked(
            name,
            self::load::<f64>(&from[i / MOST_LANES], i % MOST_LANES).q.0,
        )
        .err();
        Err(Failure::of_body(
            bodies.get(i),
            refused.unwrap_or(Error::OutOfRange { name }),
        ))
    }

    /// The states of `bodies`: in place, or gathered and converted to `to`, with `raw` as scratch
    /// memory. Errors: as [`Bound::convert`], which has converted all nevertheless.
    pub(crate) fn at_start<'s>(
        &self,
        current: States<'s>,
        inertias: &Inertias,
        bodies: &Bodies,
        raw: StatesMut,
        to: StatesMut<'s>,
    ) -> Result<States<'s>, Failure> {
        match bodies {
            _ if !self.is_empty() => {
                self.gather(current, bodies, raw);
                self.convert(inertias, bodies, raw, to)?;
            }
            Bodies::From { first, .. } => return Ok(&current[first / MOST_LANES..]),
            Bodies::Listed(_) => self.gather(current, bodies, to),
        }
        Ok(to)
    }

    /// Converts states to the quantities in the arrays, in place.
    /// Errors: the first body whose numbers overflow, in the step that starts at `time`.
    pub(crate) fn convert_back(
        &self,
        inertias: &Inertias,
        bodies: &Bodies,
        states: StatesMut,
        time: f64,
    ) -> Result<(), Failure> {
        if self.kind == VelocityKind::OmegaBody {
            return Ok(());
        }
        let conversion = Conversion::new(self.kind, inertias);
        let bad = simd::run_on(
            bodies.count(),
            &mut FromBodyFrame {
                bodies,
                states,
                conversion,
            },
        );
        let Some(i) = bad else { return Ok(()) };
        Err(Failure::of_body(
            bodies.get(i),
            Error::Overflow { time, size: None },
        ))
    }
}

/// Copies columns of some bodies to the places of as many others.
pub(crate) fn copy_columns(
    (from, these): (States, &Bodies),
    (to, those): (StatesMut, &Bodies),
    columns: Range<usize>,
) {
    let mut copied = 0;
    if let (Some(a), Some(b)) = (first_block(these), first_block(those)) {
        copied = these.count() / MOST_LANES * MOST_LANES; // whole blocks
        for (from, to) in from[a..].iter().zip(&mut to[b..]).take(copied / MOST_LANES) {
            for k in columns.clone() {
                to.0[k] = from.0[k];
            }
        }
    }
    for i in copied..these.count() {
        let state = memory::get(from, these.get(i));
        let place = those.get(i);
        for k in columns.clone() {
            to[place / MOST_LANES].0[k][place % MOST_LANES] = state[k];
        }
    }
}

/// The block that the bodies begin, if they are consecutive and begin one.
fn first_block(bodies: &Bodies) -> Option<usize> {
    match bodies {
        Bodies::From { first, .. } if first % MOST_LANES == 0 => Some(first / MOST_LANES),
        _ => None,
    }
}
