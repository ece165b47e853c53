//! Reading and writing the states of an ensemble, one body or all; energies and momenta.

use super::lanes::{CHUNK, CHUNK_BLOCKS, chunks};
use super::{AT_REST, Ensemble, VelocityKind};
use super::{active::Active, binding::Bound, parameters::Inertias};
use crate::error::{Error, Failure, finite};
use crate::kernel::{PrincipalInertia, Quat, Vec3};
use crate::memory::{self, Block, Bodies, StatesMut, View, ViewMut, blocks_for};
use crate::rotation::{self, VELOCITY_TOO_LARGE, checked_omega};
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

    /// Writes the rotational energies. Errors: as [`Ensemble::orientations`]; [`Error::OutOfRange`], with the first such active body.
    pub fn kinetic_energies(&self, to: &mut ViewMut<1>) -> Result<(), Failure> {
        self.write_finite(to, |body, state| [self.energy_of(body, state)])
    }

    /// Writes the angular momenta, world frame. Errors: as [`Ensemble::kinetic_energies`].
    pub fn angular_momenta(&self, to: &mut ViewMut<3>) -> Result<(), Failure> {
        self.write_finite(to, |body, state| self.momentum_of(body, state))
    }

    /// Sets the orientation of a body, `w, x, y, z`. The world angular velocity stays.
    /// Errors: as [`Body::new`](crate::Body::new); [`Error::Order`] in the middle of a step.
    pub fn set_orientation(&mut self, body: usize, orientation: [f64; 4]) -> Result<(), Failure> {
        self.assert_has(body);
        let q = rotation::checked("orientation", orientation)?;
        self.begin_change()?;
        self.turn_some(body, 1, &|_| Some(q));
        Ok(())
    }

    /// Sets the angular velocity of a body, world frame.
    /// Errors: it must be finite and below 1e154 rad/s; [`Error::Order`] in the middle of a step.
    pub fn set_angular_velocity(&mut self, body: usize, omega_world: [f64; 3]) -> Result<(), Failure> {
        self.assert_has(body);
        let omega = checked_omega("angular_velocity", omega_world)?;
        self.check_momentum(body, &omega)?;
        self.begin_change()?;
        self.replace_some(body, 1, |_, state| with_omega_world(state, omega));
        Ok(())
    }

    /// Sets the orientations, `w, x, y, z`, within 1e-3 of unit length. The world angular velocities stay; where angular momenta are bound,
    /// the world angular momenta stay instead.
    /// Errors: as [`Ensemble::set_orientation`], with the first invalid body; [`Error::Capacity`]. Then nothing has changed.
    pub fn set_orientations(&mut self, given: View<4>) -> Result<(), Failure> {
        self.replace_each(given, rotation::checked, |_, _, _| Ok(()), |e, first, count, q| e.turn_some(first, count, q))
    }

    /// Sets the angular velocities, world frame.
    /// Errors: as [`Ensemble::set_angular_velocity`], with the first invalid body; [`Error::Capacity`]. Then nothing has changed.
    pub fn set_angular_velocities(&mut self, given: View<3>) -> Result<(), Failure> {
        self.replace_each(given, checked_omega, Self::check_momentum, |e, first, count, omega| {
            e.replace_some(first, count, |body, state| {
                omega(body).map_or(state, |omega| with_omega_world(state, omega))
            });
        })
    }

    /// Sets the angular momenta about the bodies' own centres, world frame: the angular velocities follow from orientations and inertias.
    /// Bound angular momenta in the world frame get these numbers bit for bit.
    /// Errors: as [`Ensemble::set_angular_velocities`].
    pub fn set_angular_momenta(&mut self, given: View<3>) -> Result<(), Failure> {
        let check = |e: &Self, body: usize, momentum: &Vec3<f64>| {
            let omega = e.velocity_of(body, e.state(body), *momentum);
            if omega.dot(omega).is_finite() {
                return Ok(());
            }
            Err(Error::Invalid { name: given.name(), must: VELOCITY_TOO_LARGE })
        };
        self.replace_each(
            given,
            |name, momentum| Ok(Vec3(finite(name, momentum)?)),
            check,
            |e, first, count, momentum| {
                if let Some(array) = e.states.bound.momenta_world() {
                    return (first..first + count).for_each(|body| {
                        momentum(body).into_iter().for_each(|momentum| array.put(body, momentum.0));
                    });
                }
                let mut omegas = [Vec3::splat(0.0); CHUNK];
                for i in 0..count {
                    let state = e.state(first + i);
                    omegas[i] = momentum(first + i).map_or(Vec3::splat(0.0), |l| e.velocity_of(first + i, state, l));
                }
                e.replace_some(first, count, |body, [w, x, y, z, ..]| {
                    let [a, b, c] = (omegas[body - first] + Vec3::splat(0.0)).0;
                    [w, x, y, z, a, b, c]
                });
            },
        )
    }

    /// Sets orientations. What the velocities are in the world frame stays: a bound array of such is not touched.
    fn turn_some(&mut self, first: usize, count: usize, q: &dyn Fn(usize) -> Option<Quat<f64>>) {
        let kind = self.states.bound.kind();
        for body in first..first + count {
            let Some(q) = q(body).filter(|_| self.states.bound.velocities.is_some() && kind != VelocityKind::OmegaBody)
            else {
                continue;
            };
            let before = Quat(self.orientation(body));
            if kind == VelocityKind::AngularMomentumBody
                && let Some(array) = &mut self.states.bound.velocities
            {
                let momentum_world = before.to_world(Vec3(array.as_view().get(body)));
                array.put(body, q.to_body(momentum_world).0);
            }
            match &mut self.states.bound.orientations {
                Some(array) => array.put(body, q.0),
                None => {
                    let state = with_orientation(memory::get(&self.states.own, body), q);
                    memory::set(&mut self.states.own, body, state);
                }
            }
        }
        if self.states.bound.velocities.is_none() || kind == VelocityKind::OmegaBody {
            self.replace_some(first, count, |body, state| q(body).map_or(state, |q| with_orientation(state, q)));
        }
    }

    /// Refuses an angular velocity whose angular momentum overflows in a bound array.
    fn check_momentum(&self, body: usize, omega_world: &Vec3<f64>) -> Result<(), Error> {
        if !self.states.bound.holds_momenta() {
            return Ok(());
        }
        let momentum = self.momentum_of(body, with_omega_world(self.state(body), *omega_world));
        if momentum.iter().all(|component| component.is_finite()) {
            return Ok(());
        }
        Err(Error::Invalid { name: "angular_velocity", must: "must have an angular momentum that is finite" })
    }

    /// The angular velocity, body frame, that belongs to an angular momentum in the world frame.
    fn velocity_of(&self, body: usize, [w, x, y, z, ..]: [f64; 7], momentum_world: Vec3<f64>) -> Vec3<f64> {
        let momentum_body = Quat([w, x, y, z]).to_body(momentum_world);
        let of_body = self.besides.rotor_of(body).map_or(momentum_body, |rotor| momentum_body - rotor);
        self.inertia_of(body).angular_velocity(of_body)
    }

    pub(super) fn inertia_of(&self, body: usize) -> PrincipalInertia<f64> {
        self.inertias.of_body(body)
    }

    pub(super) fn energy_of(&self, body: usize, [.., a, b, c]: [f64; 7]) -> f64 {
        self.inertia_of(body).kinetic_energy(Vec3([a, b, c]))
    }

    pub(super) fn momentum_of(&self, body: usize, [w, x, y, z, a, b, c]: [f64; 7]) -> [f64; 3] {
        let of_body = self.inertia_of(body).angular_momentum(Vec3([a, b, c]));
        let momentum_body = self.besides.rotor_of(body).map_or(of_body, |rotor| of_body + rotor);
        Quat([w, x, y, z]).to_world(momentum_body).0
    }

    /// Takes away what turns these bodies about locked axes, in the ensemble's own memory. (What is in bound arrays is taken away where it
    /// is read.)
    pub(super) fn lock(&mut self, bodies: impl Iterator<Item = usize>) {
        if self.inertias.is_locked() {
            for body in bodies {
                let state = turnable(&self.inertias, body, memory::get(&self.states.own, body));
                memory::set(&mut self.states.own, body, state);
            }
        }
    }

    fn assert_has(&self, body: usize) {
        assert!(body < self.count(), "body {body} of {}", self.count());
    }

    pub(super) fn state(&self, body: usize) -> [f64; 7] {
        self.assert_has(body);
        let (mut raw, mut one) = ([Block::filled(AT_REST)], [Block::filled(AT_REST)]);
        self.gather(&Bodies::one(body), &mut raw, &mut one);
        one[0].get(0)
    }

    /// The states of `bodies`; angular velocities in the body frame. `raw`: scratch memory.
    pub(super) fn gather(&self, bodies: &Bodies, raw: StatesMut, to: StatesMut) {
        self.states.bound.gather(&self.states.own, bodies, raw);
        // The caller's numbers in a bound array are checked by a step, not here.
        let _ = self.states.bound.convert(&self.inertias, bodies, raw, to);
    }

    /// The reverse of [`Ensemble::gather`]. Overwrites `states`.
    fn scatter(&mut self, bodies: &Bodies, states: StatesMut) {
        // A setter's numbers are below 1e154: they overflow only with an extreme inertia.
        let _ = self.states.bound.convert_back(&self.inertias, bodies, states, self.clock.now());
        self.states.bound.scatter(&mut self.states.own, bodies, states);
    }

    fn read_states(&self, read: impl FnMut(usize, [f64; 7])) {
        self.read_states_of(&Active::all(self.count()), read);
    }

    pub(super) fn read_states_of(&self, active: &Active, mut read: impl FnMut(usize, [f64; 7])) {
        let (mut raw, mut tile) = ([Block::filled(AT_REST); CHUNK_BLOCKS], [Block::filled(AT_REST); CHUNK_BLOCKS]);
        for (_, bodies) in active.chunks() {
            self.gather(&bodies, &mut raw, &mut tile);
            (0..bodies.count()).for_each(|i| read(bodies.get(i), memory::get(&tile, i)));
        }
    }

    fn write_each<const K: usize>(
        &self, to: &mut ViewMut<K>, of: impl Fn(usize, [f64; 7]) -> [f64; K],
    ) -> Result<(), Failure> {
        self.check_count(&to.as_view())?;
        if self.overlaps_bound(&to.as_view()) && !self.states.bound.is_at(&to.as_view()) {
            return Err(Error::Invalid { name: to.as_view().name(), must: "must not overlap a bound array" }.into());
        }
        self.read_states(|body, state| to.put(body, of(body, state)));
        Ok(())
    }

    /// As [`Ensemble::write_each`], for what may overflow.
    fn write_finite<const K: usize>(
        &self, to: &mut ViewMut<K>, of: impl Fn(usize, [f64; 7]) -> [f64; K],
    ) -> Result<(), Failure> {
        self.check_finite(&of)?;
        self.write_each(to, of)
    }

    /// Replaces a part of each state, after all numbers have been checked: by `value`, and by `check`, which knows the body.
    fn replace_each<const K: usize, T>(
        &mut self, given: View<K>, value: impl Fn(&'static str, [f64; K]) -> Result<T, Error>,
        check: impl Fn(&Self, usize, &T) -> Result<(), Error>,
        put: impl Fn(&mut Self, usize, usize, &dyn Fn(usize) -> Option<T>),
    ) -> Result<(), Failure> {
        self.check_count(&given)?;
        self.check_no_step_begun()?;
        let copy = copied(&self.states.bound, &given)?;
        let value = |body: usize| {
            let numbers = copy.as_ref().map_or_else(|| given.get(body), |copy| copy[body]);
            value(given.name(), numbers)
        };
        for body in 0..self.count() {
            let checked = value(body).and_then(|value| check(self, body, &value));
            checked.map_err(|error| if given.is_shared() { error.into() } else { Failure::of_body(body, error) })?;
        }
        self.begin_change()?;
        for (first, count) in chunks(self.count()) {
            put(self, first, count, &|body| value(body).ok());
        }
        Ok(())
    }

    pub(super) fn replace_some(&mut self, first: usize, count: usize, mut by: impl FnMut(usize, [f64; 7]) -> [f64; 7]) {
        let bodies = &Bodies::From { first, count };
        let (mut raw, mut tile) = ([Block::filled(AT_REST); CHUNK_BLOCKS], [Block::filled(AT_REST); CHUNK_BLOCKS]);
        let tile = &mut tile[..blocks_for(count)];
        self.gather(bodies, &mut raw, tile);
        for i in 0..count {
            let state = by(first + i, memory::get(tile, i));
            memory::set(tile, i, turnable(&self.inertias, first + i, state));
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

/// The state without a rotation about locked axes.
fn turnable(inertias: &Inertias, body: usize, state: [f64; 7]) -> [f64; 7] {
    if !inertias.is_locked() {
        return state;
    }
    let [w, x, y, z, a, b, c] = state;
    let [a, b, c] = inertias.of_body(body).turnable(Vec3([a, b, c])).0;
    [w, x, y, z, a, b, c]
}

fn orientation_of([w, x, y, z, ..]: [f64; 7]) -> [f64; 4] {
    [w, x, y, z]
}

fn omega_world_of([w, x, y, z, a, b, c]: [f64; 7]) -> [f64; 3] {
    Quat([w, x, y, z]).to_world(Vec3([a, b, c])).0
}

/// The state with another orientation and the same world angular velocity. Where the orientation before is none, in the row of a body
/// that does not move, the same angular velocity in the body frame.
fn with_orientation(state: [f64; 7], q: Quat<f64>) -> [f64; 7] {
    let [w, x, y, z, in_body @ ..] = state;
    let omega_world = Vec3(omega_world_of(state));
    let is_rotation = rotation::checked("orientation", [w, x, y, z]).is_ok();
    let [a, b, c] = if is_rotation { (q.to_body(omega_world) + Vec3::splat(0.0)).0 } else { in_body };
    let [w, x, y, z] = q.0;
    [w, x, y, z, a, b, c]
}

fn with_omega_world([w, x, y, z, ..]: [f64; 7], omega_world: Vec3<f64>) -> [f64; 7] {
    let [a, b, c] = (Quat([w, x, y, z]).to_body(omega_world) + Vec3::splat(0.0)).0;
    [w, x, y, z, a, b, c]
}
