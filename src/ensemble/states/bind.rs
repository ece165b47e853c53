//! States move into the caller's arrays, and back into own memory.

use super::convert::{LEFT_BY_STEPS, deviation, is_beyond, normalised, turned};
use super::own::{Bound, StateStore, copy_columns};
use crate::ensemble::lanes::CHUNK_AT_REST;
use crate::ensemble::lanes::chunks_of;
use crate::ensemble::{Ensemble, VelocityKind};
use crate::error::{Error, Failure, check};
use crate::inertia::least_moment;
use crate::kernel::{MOST_LANES, Quat, State, Vec3};
use crate::memory::{self, Bodies, States, View, ViewMut, load, store};
use crate::method::Change;
use crate::rotation::{VELOCITY_TOO_LARGE, checked, checked_omega};
use std::ops::Range;

impl<'a> Ensemble<'a, '_> {
    /// From now on keeps the orientations in the caller's array: see `qi_bind_orientations`.
    /// Errors: as [`Ensemble::set_orientations`]; the array overlaps the bound angular velocities.
    pub fn bind_orientations(&mut self, mut array: ViewMut<'a, 4>) -> Result<(), Failure> {
        let view = array.as_view();
        self.check_binding(
            &view,
            &self.motion.states.bound.velocities,
            "must not overlap the bound angular velocities",
        )?;
        let deviates = self.check_given(Some(&array), None, |body| {
            checked(view.name(), view.get(body)).map(drop)
        })?;
        self.begin(Change::Motion)?;
        let active = &self.active;
        let StateStore { current, bound, .. } = &mut self.motion.states;
        // The array bound before may overlap this one: it is read to the end before this one is
        // written.
        let are_velocities_own = bound.velocities.is_none();
        if are_velocities_own {
            for body in (0..active.moving).map(|i| active.body(i)) {
                let q = normalised(Quat(array.as_view().get(body)));
                let state = turned(&bound.get(current, body), q, false);
                store(&state, &mut current[body / MOST_LANES], body % MOST_LANES);
            }
        }
        if deviates {
            for body in (0..active.moving).map(|i| active.body(i)) {
                let q = if are_velocities_own {
                    load(&current[body / MOST_LANES], body % MOST_LANES).q
                } else {
                    normalised(Quat(array.as_view().get(body)))
                };
                array.put(body, q.0);
            }
        }
        bound.orientations = Some(array.named("bound orientations"));
        self.stop_in_own_memory(0..self.count());
        Ok(())
    }

    /// The same for angular velocities or momenta: see `qi_bind_angular_velocities`. Errors: as
    /// [`Ensemble::set_angular_velocities`]; the array overlaps the bound orientations.
    pub fn bind_angular_velocities(
        &mut self,
        array: ViewMut<'a, 3>,
        kind: VelocityKind,
    ) -> Result<(), Failure> {
        let view = array.as_view();
        self.check_binding(
            &view,
            &self.motion.states.bound.orientations,
            "must not overlap the bound orientations",
        )?;
        self.check_given(None, Some(&array), |body| {
            checked_omega(view.name(), view.get(body)).map(drop)
        })?;
        self.check_kind(kind)?;
        if kind.is_momentum() {
            check_momenta(
                &view,
                self.active_bodies()
                    .map(|body| (body, self.inertias.of_body(body).moments.0)),
            )?;
        }
        self.begin(Change::Motion)?;
        let name = if kind.is_momentum() {
            "bound angular momenta"
        } else {
            "bound angular velocities"
        };
        self.motion.states.bound.velocities = Some(array.named(name));
        self.motion.states.bound.kind = kind;
        Ok(())
    }

    /// Refuses momenta where the angular velocity does not follow from them.
    pub(crate) fn check_kind(&self, kind: VelocityKind) -> Result<(), Error> {
        if kind.is_momentum() {
            let has_rotors = self.acting.rotors.is_some();
            check(!has_rotors, "rotor", NOT_WITH_MOMENTA)?;
        }
        Ok(())
    }

    /// Keeps all states in the ensemble's own memory from now on: see `qi_release_arrays`. The row
    /// of a body that is not active may hold anything: where it holds no state, the body has the
    /// one that it last had in own memory. Errors, with the first active body: an orientation in
    /// the caller's array is not of unit length, an angular velocity is not finite or is 1e154
    /// rad/s or more; [`Error::Order`] in the middle of a step. Then nothing has changed.
    pub fn release_arrays(&mut self) -> Result<(), Failure> {
        self.release_first(self.count())
    }

    /// Reads the first `count` bodies of bound arrays: the others are about to be dropped.
    pub(crate) fn release_first(&mut self, count: usize) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        if !self.motion.states.bound.is_empty() {
            let positions = self.active.position_of(count).min(self.active.moving);
            let StateStore { current, bound, .. } = &self.motion.states;
            let [mut raw, mut tile] = [CHUNK_AT_REST; 2];
            for bodies in chunks_of(self.active.bodies(0, positions)) {
                let is_wrong = bound
                    .at_start(current, &self.inertias, &bodies, &mut raw, &mut tile)
                    .is_err();
                if is_wrong || any_deviates(&tile, bodies.count()) {
                    check_each(&bodies, |body| self.check_bound(body))?;
                }
            }
            let StateStore { current, bound, .. } = &mut self.motion.states;
            for bodies in chunks_of(self.active.bodies(0, positions)) {
                let _ = bound.at_start(current, &self.inertias, &bodies, &mut raw, &mut tile);
                copy_columns(
                    (&tile, &Bodies::first(bodies.count())),
                    (current, &bodies),
                    0..7,
                );
            }
            for body in 0..count {
                if !self.active.contains(body) && self.check_bound(body).is_ok() {
                    let StateStore { current, bound, .. } = &mut self.motion.states;
                    let body = Bodies::one(body);
                    let _ = bound.at_start(current, &self.inertias, &body, &mut raw, &mut tile);
                    copy_columns((&tile, &Bodies::first(1)), (current, &body), 0..7);
                }
            }
            self.motion.states.bound = Bound::nothing();
            self.motion.checkpoint = None;
        }
        self.motion.states.predicted = None;
        self.release_flow_gradients();
        Ok(())
    }

    /// Refuses numbers in bound arrays that are no state: the caller may have written to them.
    pub(crate) fn check_bound(&self, body: usize) -> Result<(), Error> {
        let bound = &self.motion.states.bound;
        if let Some(array) = &bound.orientations {
            checked(array.as_view().name(), array.as_view().get(body))?;
        }
        if let Some(array) = &bound.velocities {
            let omega_body = self.state(body).omega_body.0;
            if let Err(error) = checked_omega(array.as_view().name(), omega_body) {
                bound.check_velocity(body)?; // an error that shows the caller's numbers is better
                return Err(error);
            }
        }
        Ok(())
    }

    /// Before these active bodies get these principal moments: the angular velocities of bound
    /// momenta follow.
    pub(crate) fn check_bound_momenta(
        &self,
        bodies: impl Iterator<Item = (usize, [f64; 3])>,
    ) -> Result<(), Failure> {
        let bound = &self.motion.states.bound;
        match &bound.velocities {
            Some(momenta) if bound.kind.is_momentum() => check_momenta(&momenta.as_view(), bodies),
            _ => Ok(()),
        }
    }

    /// Before an array of orientations or of velocities is bound: checks the bodies of each chunk
    /// in which one deviates. Returns whether one does.
    fn check_given(
        &self,
        q: Option<&ViewMut<4>>,
        omega: Option<&ViewMut<3>>,
        check: impl Fn(usize) -> Result<(), Error>,
    ) -> Result<bool, Failure> {
        let mut given = CHUNK_AT_REST;
        let mut any = false;
        for (_, bodies) in self.active.chunks() {
            memory::gather(q, omega, &bodies, &mut given);
            if any_deviates(&given, bodies.count()) {
                any = true;
                check_each(&bodies, &check)?;
            }
        }
        Ok(any)
    }

    pub(crate) fn overlaps_bound<const K: usize>(&self, array: &View<K>) -> bool {
        self.motion.states.bound.overlaps(array)
            || self.overlaps_predicted(array)
            || self.overlaps_flow_gradients(array)
    }

    /// Whether numbers at these addresses, one after the other, overlap a bound array.
    #[inline]
    pub(crate) fn addresses_overlap_bound(&self, numbers: &Range<*const f64>) -> bool {
        let StateStore {
            bound, predicted, ..
        } = &self.motion.states;
        if let Some(array) = &bound.orientations
            && array.as_view().overlaps_addresses(numbers)
        {
            return true;
        }
        if let Some(array) = &bound.velocities
            && array.as_view().overlaps_addresses(numbers)
        {
            return true;
        }
        if let Some(predicted) = predicted
            && predicted.array.as_view().overlaps_addresses(numbers)
        {
            return true;
        }
        self.acting
            .fluid
            .bound()
            .is_some_and(|gradients| gradients.overlaps_addresses(numbers))
    }

    fn check_binding<const K: usize, const L: usize>(
        &self,
        array: &View<K>,
        other: &Option<ViewMut<L>>,
        must: &'static str,
    ) -> Result<(), Failure> {
        self.check_count(array)?;
        let overlaps = other.iter().any(|other| other.as_view().overlaps(array))
            || self.overlaps_predicted(array)
            || self.overlaps_flow_gradients(array);
        check(!overlaps, array.name(), must)?;
        Ok(self.check_no_step_begun()?)
    }
}

/// Returns the first error of the bodies of a chunk, if one has an error.
#[cold]
fn check_each(bodies: &Bodies, check: impl Fn(usize) -> Result<(), Error>) -> Result<(), Failure> {
    let mut each = (0..bodies.count()).map(|i| bodies.get(i));
    each.try_for_each(|body| check(body).map_err(|error| Failure::of_body(body, error)))
}

/// Whether an orientation is not of unit length to rounding, or an angular velocity or its square
/// is not finite: then the body has to be looked at by itself.
fn any_deviates(states: States, count: usize) -> bool {
    (0..count)
        .map(|i| load::<f64>(&states[i / MOST_LANES], i % MOST_LANES))
        .any(|State { q, omega_body }| {
            is_beyond(deviation(q), LEFT_BY_STEPS) || !omega_body.dot(omega_body).is_finite()
        })
}

/// Refuses momenta that belong, with these principal moments, to too large an angular velocity in
/// some orientation.
fn check_momenta(
    momenta: &View<3>,
    mut bodies: impl Iterator<Item = (usize, [f64; 3])>,
) -> Result<(), Failure> {
    bodies.try_for_each(|(body, moments)| {
        let least = least_moment(moments);
        let momentum = momenta.get(body);
        let greatest = Vec3(momentum.map(|component| component / least));
        // The caller may have written anything to the array: the next step refuses it.
        let is_spoiled = momentum.iter().any(|component| !component.is_finite());
        let checked = check(
            is_spoiled || greatest.dot(greatest).is_finite(),
            momenta.name(),
            VELOCITY_TOO_LARGE,
        );
        checked.map_err(|error| Failure::of_body(body, error))
    })
}

pub(crate) const NOT_WITH_MOMENTA: &str =
    "must not be there with bound angular momenta: bind angular velocities";
