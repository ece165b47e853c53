//! States move into the caller's arrays: one pass, and another if an orientation must be normalised there.

use super::convert::{LEFT_BY_STEPS, MOST_DEVIATION, deviation, is_beyond, normalised};
use super::lanes::{chunks, is_not_finite, lanes};
use super::{Ensemble, VelocityKind, besides::NOT_WITH_MOMENTA};
use super::{binding::scatter_own, scratch::Scratch, states::StateStore};
use crate::error::{Error, Failure};
use crate::inertia::least_moment;
use crate::kernel::{MOST_LANES, Vec3};
use crate::memory::{self, Bodies, States, StatesMut, View, ViewMut, load, load_vector, store};
use crate::rotation::{VELOCITY_TOO_LARGE, checked, checked_omega};
use crate::simd::{self, Job, Lanes};

impl<'a> Ensemble<'a> {
    /// From now on keeps the orientations in the caller's array. Its contents become the orientations and are normalised there. The world
    /// angular velocities stay; those in a bound array are not touched. Rows of bodies that are not active are neither read nor written.
    /// Errors: as [`Ensemble::set_orientations`]; [`Error::Memory`]; the array overlaps the bound angular velocities.
    pub fn bind_orientations(&mut self, mut array: ViewMut<'a, 4>) -> Result<(), Failure> {
        let overlaps =
            self.states.bound.velocities.as_ref().is_some_and(|other| array.as_view().overlaps(&other.as_view()));
        self.begin_binding(&array.as_view(), overlaps, "must not overlap the bound angular velocities")?;
        let (name, mut changes) = (array.as_view().name(), false);
        let turns = self.states.bound.velocities.is_none();
        if turns && !self.active.are_all() {
            self.states.spare.copy_from_slice(&self.states.own);
        }
        for (first, count) in chunks(self.active_count()) {
            let (bodies, given) = self.chunk(first, count);
            memory::gather(Some(&array), None, &bodies, given);
            let (wrong, differs) = simd::run_on(count, &mut Deviates { count, given });
            changes |= differs;
            if wrong {
                (0..count).try_for_each(|i| {
                    let [w, x, y, z, ..] = memory::get(given, i);
                    checked(name, [w, x, y, z]).map(drop).map_err(|error| Failure::of_body(bodies.get(i), error))
                })?;
            }
            if turns {
                self.turn(first, count);
            }
        }
        if turns {
            std::mem::swap(&mut self.states.own, &mut self.states.spare);
        }
        if changes {
            for (first, count) in chunks(self.active_count()) {
                let (bodies, given) = self.chunk(first, count);
                memory::gather(Some(&array), None, &bodies, given);
                simd::run_on(count, &mut Normalise { count, given });
                memory::scatter(Some(&mut array), None, &bodies, given);
            }
        }
        self.begin_change()?;
        self.states.bound.orientations = Some(array.named("bound orientations"));
        self.lock(0..self.count());
        Ok(())
    }

    /// Keeps the angular velocities or momenta in the caller's array from now on; its contents become the angular velocities.
    /// [`VelocityKind::OmegaBody`] gives the bits of a single body; other kinds are converted at each step (an ulp or two). Rows of bodies
    /// that are not active are neither read nor written.
    /// Errors: as [`Ensemble::set_angular_velocities`]; [`Error::Memory`]; the array overlaps the bound orientations.
    pub fn bind_angular_velocities(&mut self, array: ViewMut<'a, 3>, kind: VelocityKind) -> Result<(), Failure> {
        let overlaps =
            self.states.bound.orientations.as_ref().is_some_and(|other| other.as_view().overlaps(&array.as_view()));
        self.begin_binding(&array.as_view(), overlaps, "must not overlap the bound orientations")?;
        for (first, count) in chunks(self.active_count()) {
            let (bodies, given) = self.chunk(first, count);
            memory::gather(None, Some(&array), &bodies, given);
            check_velocities(array.as_view().name(), &bodies, given)?;
        }
        if kind.is_momentum() && self.besides.rotors.is_some() {
            return Err(Error::Invalid { name: "rotor", must: NOT_WITH_MOMENTA }.into());
        }
        if kind.is_momentum() {
            let moments = |body| self.inertias.moments(body);
            check_momenta(&array.as_view(), self.active_bodies().map(|body| (body, moments(body))))?;
        }
        self.begin_change()?;
        let name = if kind.is_momentum() { "bound angular momenta" } else { "bound angular velocities" };
        self.states.bound.bind_velocities(array.named(name), kind);
        Ok(())
    }

    /// Before these active bodies get these principal moments: the angular velocities of bound momenta follow.
    pub(super) fn check_bound_momenta(&self, bodies: impl Iterator<Item = (usize, [f64; 3])>) -> Result<(), Failure> {
        let momenta = self.states.bound.velocities.as_ref().filter(|_| self.states.bound.holds_momenta());
        momenta.map_or(Ok(()), |momenta| check_momenta(&momenta.as_view(), bodies))
    }

    pub(crate) fn overlaps_bound<const K: usize>(&self, array: &View<K>) -> bool {
        self.states.bound.overlaps(array) || self.overlaps_predicted(array)
    }

    fn begin_binding<const K: usize>(
        &mut self, array: &View<K>, overlaps: bool, must: &'static str,
    ) -> Result<(), Failure> {
        self.check_count(array)?;
        if overlaps || self.overlaps_predicted(array) {
            return Err(Error::Invalid { name: array.name(), must }.into());
        }
        self.check_no_step_begun()?;
        self.journal.retake = None; // the spare blocks are needed
        self.crew.prepare(self.count(), true)?;
        Ok(self.states.prepare()?)
    }

    /// The active bodies of a chunk, and scratch memory.
    fn chunk(&mut self, first: usize, count: usize) -> (Bodies<'_>, StatesMut<'_>) {
        (self.active.bodies(first, count), &mut self.crew.scratch[0].start)
    }

    /// Writes the states with the orientations that have been gathered, and the world angular velocities as they are, to the spare blocks.
    /// The array bound before is only read: it may overlap the new one.
    fn turn(&mut self, first: usize, count: usize) {
        let Self { states: StateStore { own, spare, bound, .. }, inertias, crew, active, .. } = self;
        let bodies = &active.bodies(first, count);
        let Scratch { start: given, end, between } = &mut crew.scratch[0];
        let before = match bodies {
            Bodies::From { first, .. } if bound.is_empty() => &own[first / MOST_LANES..],
            _ => {
                bound.gather(own, bodies, &mut between.end);
                let _ = bound.convert(inertias, bodies, &between.end, end); // these numbers are not checked
                &end[..]
            }
        };
        simd::run_on(count, &mut Turn { count, before, given });
        scatter_own(spare, bodies, given, 0..7);
    }
}

/// Checks angular velocities or momenta.
/// Errors: the first that is not finite, or whose square is not.
pub(super) fn check_velocities(name: &'static str, bodies: &Bodies, given: States) -> Result<(), Failure> {
    let count = bodies.count();
    if !simd::run_on(count, &mut Overflows { count, given }) {
        return Ok(());
    }
    (0..count).try_for_each(|i| {
        let [.., x, y, z] = memory::get(given, i);
        checked_omega(name, [x, y, z]).map(drop).map_err(|error| Failure::of_body(bodies.get(i), error))
    })
}

/// Whether an orientation is not within 1e-3 of unit length, and whether one must be normalised.
struct Deviates<'a> {
    count: usize,
    given: States<'a>,
}

impl Job for Deviates<'_> {
    type Output = (bool, bool);

    #[inline(always)]
    fn in_lanes<N: Lanes>(&mut self) -> (bool, bool) {
        let (mut wrong, mut differs) = (false, false);
        lanes!(self.count, N, b, lane, {
            let deviation = deviation(load::<N>(&self.given[b], lane).q);
            if is_beyond(deviation, LEFT_BY_STEPS) {
                differs = true;
                wrong |= is_beyond(deviation, MOST_DEVIATION);
            }
        });
        (wrong, differs)
    }
}

/// Normalises orientations in place.
struct Normalise<'a> {
    count: usize,
    given: StatesMut<'a>,
}

impl Job for Normalise<'_> {
    type Output = ();

    #[inline(always)]
    fn in_lanes<N: Lanes>(&mut self) {
        lanes!(self.count, N, b, lane, {
            let mut state = load::<N>(&self.given[b], lane);
            state.q = normalised(state.q);
            store(&state, &mut self.given[b], lane);
        });
    }
}

/// Adds to the given orientations the angular velocities of the states before, with the same components in the world frame.
struct Turn<'a> {
    count: usize,
    before: States<'a>,
    given: StatesMut<'a>,
}

impl Job for Turn<'_> {
    type Output = ();

    #[inline(always)]
    fn in_lanes<N: Lanes>(&mut self) {
        lanes!(self.count, N, b, lane, {
            let before = load::<N>(&self.before[b], lane);
            let mut state = load::<N>(&self.given[b], lane);
            state.q = normalised(state.q);
            let omega_world = before.q.to_world(before.omega_body);
            state.omega_body = state.q.to_body(omega_world) + Vec3::splat(0.0);
            store(&state, &mut self.given[b], lane);
        });
    }
}

/// Whether an angular velocity is not finite, or its square is not.
struct Overflows<'a> {
    count: usize,
    given: States<'a>,
}

impl Job for Overflows<'_> {
    type Output = bool;

    #[inline(always)]
    fn in_lanes<N: Lanes>(&mut self) -> bool {
        let mut finite_checks = N::splat(0.0);
        lanes!(self.count, N, b, lane, {
            let omega = load_vector::<N, 7>(&self.given[b], 4, lane);
            finite_checks = finite_checks + omega.dot(omega) * N::splat(0.0);
        });
        is_not_finite(finite_checks)
    }
}

/// Refuses momenta that belong, with these principal moments, to too large an angular velocity in some orientation.
fn check_momenta(momenta: &View<3>, mut bodies: impl Iterator<Item = (usize, [f64; 3])>) -> Result<(), Failure> {
    bodies.try_for_each(|(body, moments)| {
        let least = least_moment(moments);
        let momentum = momenta.get(body);
        let greatest = Vec3(momentum.map(|component| component / least));
        let is_spoiled = momentum.iter().any(|component| !component.is_finite()); // by the caller: the next step refuses it
        if is_spoiled || greatest.dot(greatest).is_finite() {
            return Ok(());
        }
        Err(Failure::of_body(body, Error::Invalid { name: momenta.name(), must: VELOCITY_TOO_LARGE }))
    })
}
