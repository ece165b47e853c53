//! Reading and writing the states of an ensemble, one body or all; energies and momenta.

use super::Ensemble;
use super::binding::Bound;
use super::lanes::{CHUNK, CHUNK_BLOCKS};
use super::parameters::InertiaSource;
use crate::error::{Error, Failure};
use crate::kernel::{PrincipalInertia, Quat, Vec3};
use crate::memory::{self, Block, Bodies, StatesMut, View, ViewMut, blocks_for};
use crate::rotation::{self, checked_omega};
use nalgebra::Vector3;

impl Ensemble<'_> {
    /// Orientation of a body: `w, x, y, z`, body to world.
    pub fn orientation(&self, body: usize) -> [f64; 4] {
        orientation_of(self.state(body))
    }

    /// Angular velocity of a body, world frame.
    pub fn angular_velocity(&self, body: usize) -> [f64; 3] {
        omega_world_of(self.state(body))
    }

    /// Angular velocity of a body, body frame: the value stored in the ensemble's own memory.
    pub fn angular_velocity_body(&self, body: usize) -> [f64; 3] {
        let [.., a, b, c] = self.state(body);
        [a, b, c]
    }

    /// Rotational energy of a body.
    pub fn kinetic_energy(&self, body: usize) -> f64 {
        self.energy_of(body, self.state(body))
    }

    /// Angular momentum of a body, world frame.
    pub fn angular_momentum(&self, body: usize) -> Vector3<f64> {
        self.momentum_of(body, self.state(body)).into()
    }

    /// Writes the orientations: `w, x, y, z`, body to world.
    /// Errors: [`Error::Capacity`] if the array does not have one row per body.
    pub fn orientations(&self, to: &mut ViewMut<4>) -> Result<(), Failure> {
        self.write_each(to, |_, state| orientation_of(state))
    }

    /// Writes the angular velocities, world frame. Errors: as [`Ensemble::orientations`].
    pub fn angular_velocities(&self, to: &mut ViewMut<3>) -> Result<(), Failure> {
        self.write_each(to, |_, state| omega_world_of(state))
    }

    /// Writes the rotational energies. Errors: as [`Ensemble::orientations`].
    pub fn kinetic_energies(&self, to: &mut ViewMut<1>) -> Result<(), Failure> {
        self.write_each(to, |body, state| [self.energy_of(body, state)])
    }

    /// Writes the angular momenta, world frame. Errors: as [`Ensemble::orientations`].
    pub fn angular_momenta(&self, to: &mut ViewMut<3>) -> Result<(), Failure> {
        self.write_each(to, |body, state| self.momentum_of(body, state))
    }

    /// Sets the orientation of a body, `w, x, y, z`. The world angular velocity stays.
    /// Errors: as [`Body::new`](crate::Body::new); [`Error::Order`] in the middle of a step.
    pub fn set_orientation(&mut self, body: usize, orientation: [f64; 4]) -> Result<(), Failure> {
        self.assert_has(body);
        self.begin_change()?;
        let q = rotation::checked("orientation", orientation)?;
        self.replace_some(body, 1, |_, state| with_orientation(state, q));
        Ok(())
    }

    /// Sets the angular velocity of a body, world frame.
    /// Errors: it must be finite and below 1e154 rad/s; [`Error::Order`] in the middle of a step.
    pub fn set_angular_velocity(&mut self, body: usize, omega_world: [f64; 3]) -> Result<(), Failure> {
        self.assert_has(body);
        self.begin_change()?;
        let omega = checked_omega("angular_velocity", omega_world)?;
        self.replace_some(body, 1, |_, state| with_omega_world(state, omega));
        Ok(())
    }

    /// Sets the orientations, `w, x, y, z`, within 1e-3 of unit length. The world angular velocities stay.
    /// Errors: as [`Ensemble::set_orientation`], with the first invalid body; [`Error::Capacity`]. Then nothing has changed.
    pub fn set_orientations(&mut self, given: View<4>) -> Result<(), Failure> {
        self.replace_each(given, rotation::checked, with_orientation)
    }

    /// Sets the angular velocities, world frame.
    /// Errors: as [`Ensemble::set_angular_velocity`], with the first invalid body; [`Error::Capacity`]. Then nothing has changed.
    pub fn set_angular_velocities(&mut self, given: View<3>) -> Result<(), Failure> {
        self.replace_each(given, checked_omega, with_omega_world)
    }

    pub(super) fn inertia_of(&self, body: usize) -> PrincipalInertia<f64> {
        (&self.inertias).at(&Bodies::one(body), 0)
    }

    pub(super) fn energy_of(&self, body: usize, [.., a, b, c]: [f64; 7]) -> f64 {
        self.inertia_of(body).kinetic_energy(Vec3([a, b, c]))
    }

    pub(super) fn momentum_of(&self, body: usize, [w, x, y, z, a, b, c]: [f64; 7]) -> [f64; 3] {
        let momentum_body = self.inertia_of(body).angular_momentum(Vec3([a, b, c]));
        Quat([w, x, y, z]).to_world(momentum_body).0
    }

    fn assert_has(&self, body: usize) {
        assert!(body < self.count, "body {body} of {}", self.count);
    }

    pub(super) fn state(&self, body: usize) -> [f64; 7] {
        self.assert_has(body);
        let (mut raw, mut one) = ([Block::filled([0.0; 7])], [Block::filled([0.0; 7])]);
        self.gather(&Bodies::one(body), &mut raw, &mut one);
        one[0].get(0)
    }

    /// The states of `bodies`; angular velocities in the body frame. `raw`: scratch memory.
    pub(super) fn gather(&self, bodies: &Bodies, raw: StatesMut, to: StatesMut) {
        self.bound.gather(&self.own, bodies, raw);
        // The caller's numbers in a bound array are checked by a step, not here.
        let _ = self.bound.convert(&self.inertias, bodies, raw, to);
    }

    /// The reverse of [`Ensemble::gather`]. Overwrites `states`.
    fn scatter(&mut self, bodies: &Bodies, states: StatesMut) {
        // A setter's numbers are below 1e154: they overflow only with an extreme inertia.
        let _ = self.bound.convert_back(&self.inertias, bodies, states, self.clock.now());
        self.bound.scatter(&mut self.own, bodies, states);
    }

    fn read_states(&self, mut read: impl FnMut(usize, [f64; 7])) {
        let (mut raw, mut tile) = ([Block::filled([0.0; 7]); CHUNK_BLOCKS], [Block::filled([0.0; 7]); CHUNK_BLOCKS]);
        for first in (0..self.count).step_by(CHUNK) {
            let count = (self.count - first).min(CHUNK);
            self.gather(&Bodies::From { first, count }, &mut raw, &mut tile);
            (0..count).for_each(|i| read(first + i, memory::get(&tile, i)));
        }
    }

    fn write_each<const K: usize>(
        &self,
        to: &mut ViewMut<K>,
        of: impl Fn(usize, [f64; 7]) -> [f64; K],
    ) -> Result<(), Failure> {
        self.check_count(&to.as_view())?;
        self.read_states(|body, state| to.put(body, of(body, state)));
        Ok(())
    }

    /// Replaces a part of each state by the given numbers, after all have been checked.
    fn replace_each<const K: usize, T>(
        &mut self,
        given: View<K>,
        check: impl Fn(&'static str, [f64; K]) -> Result<T, Error>,
        with: impl Fn([f64; 7], T) -> [f64; 7],
    ) -> Result<(), Failure> {
        self.check_count(&given)?;
        self.begin_change()?;
        let copy = copied(&self.bound, &given)?;
        let checked = |body: usize| {
            let numbers = copy.as_ref().map_or_else(|| given.get(body), |copy| copy[body]);
            check(given.name(), numbers)
                .map_err(|error| if given.is_shared() { error.into() } else { Failure::of_body(body, error) })
        };
        (0..self.count).try_for_each(|body| checked(body).map(drop))?;
        for first in (0..self.count).step_by(CHUNK) {
            let count = (self.count - first).min(CHUNK);
            self.replace_some(first, count, |body, state| checked(body).map_or(state, |value| with(state, value)));
        }
        Ok(())
    }

    pub(super) fn replace_some(
        &mut self,
        first: usize,
        count: usize,
        mut with: impl FnMut(usize, [f64; 7]) -> [f64; 7],
    ) {
        let bodies = &Bodies::From { first, count };
        let (mut raw, mut tile) = ([Block::filled([0.0; 7]); CHUNK_BLOCKS], [Block::filled([0.0; 7]); CHUNK_BLOCKS]);
        let tile = &mut tile[..blocks_for(count)];
        self.gather(bodies, &mut raw, tile);
        for i in 0..count {
            memory::set(tile, i, with(first + i, memory::get(tile, i)));
        }
        self.scatter(bodies, tile);
    }
}

/// A copy of `given`, if it shares memory with a bound array, which is written while `given` is read.
fn copied<const K: usize>(bound: &Bound, given: &View<K>) -> Result<Option<Vec<[f64; K]>>, Failure> {
    if !bound.overlaps(given) {
        return Ok(None);
    }
    let mut copy = Vec::new();
    copy.try_reserve_exact(given.count())?;
    copy.extend((0..given.count()).map(|body| given.get(body)));
    Ok(Some(copy))
}

fn orientation_of([w, x, y, z, ..]: [f64; 7]) -> [f64; 4] {
    [w, x, y, z]
}

fn omega_world_of([w, x, y, z, a, b, c]: [f64; 7]) -> [f64; 3] {
    Quat([w, x, y, z]).to_world(Vec3([a, b, c])).0
}

/// The state with another orientation and the same world angular velocity.
fn with_orientation(state: [f64; 7], q: Quat<f64>) -> [f64; 7] {
    let omega_world = Vec3(omega_world_of(state));
    let ([w, x, y, z], [a, b, c]) = (q.0, (q.to_body(omega_world) + Vec3::splat(0.0)).0);
    [w, x, y, z, a, b, c]
}

fn with_omega_world([w, x, y, z, ..]: [f64; 7], omega_world: Vec3<f64>) -> [f64; 7] {
    let [a, b, c] = (Quat([w, x, y, z]).to_body(omega_world) + Vec3::splat(0.0)).0;
    [w, x, y, z, a, b, c]
}
