//! Reading and writing the states of an ensemble, one body or all; energies and momenta, and their
//! totals.

use super::convert::{Conversion, MOST_DEVIATION, VelocityKind, deviation, normalised, turned};
use super::locked_axes::without_locked_axes;
use crate::ensemble::Ensemble;
use crate::ensemble::lanes::CHUNK_AT_REST;
use crate::ensemble::lanes::chunks_of;
use crate::error::{Error, Failure, check, finite};
use crate::kernel::{MOST_LANES, Quat, State, Vec3};
use crate::memory::{self, Bodies, View, ViewMut};
use crate::method::Change;
use crate::rotation::{self, VELOCITY_TOO_LARGE, checked_omega, components, orientation_of};
use crate::{clock::Clock, exact_sum::ExactSum};
use nalgebra::{UnitQuaternion, Vector3};

impl Ensemble<'_, '_> {
    /// Orientation of a body, body to world.
    pub fn orientation(&self, body: usize) -> UnitQuaternion<f64> {
        orientation_of(self.state(body).q)
    }

    /// Angular velocity of a body, world frame.
    pub fn angular_velocity(&self, body: usize) -> Vector3<f64> {
        let state = self.state(body);
        state.q.to_world(state.omega_body).0.into()
    }

    /// Angular velocity of a body, body frame: the value stored in the ensemble's own memory.
    pub fn angular_velocity_body(&self, body: usize) -> Vector3<f64> {
        self.state(body).omega_body.0.into()
    }

    /// Rotational energy of a body.
    pub fn kinetic_energy(&self, body: usize) -> f64 {
        self.energy_of(body, &self.state(body))
    }

    /// Angular momentum of a body, world frame.
    pub fn angular_momentum(&self, body: usize) -> Vector3<f64> {
        self.momentum_of(body, &self.state(body)).into()
    }

    /// Writes the orientations: `w, x, y, z`, body to world. Errors: [`Error::Capacity`] if the
    /// array does not have one row per body.
    pub fn orientations(&self, to: &mut ViewMut<4>) -> Result<(), Failure> {
        let held = self.motion.states.bound.orientations.as_ref();
        self.write_each(to, held.map(ViewMut::as_view), |_, state| state.q.0)
    }

    /// Writes the angular velocities, world frame. Errors: as [`Ensemble::orientations`].
    pub fn angular_velocities(&self, to: &mut ViewMut<3>) -> Result<(), Failure> {
        let held = self.held_if(VelocityKind::OmegaWorld);
        self.write_each(to, held, |_, state| state.q.to_world(state.omega_body).0)
    }

    /// Writes the rotational energies. Errors: as [`Ensemble::orientations`];
    /// [`Error::OutOfRange`], with the first such active body.
    pub fn kinetic_energies(&self, to: &mut ViewMut<1>) -> Result<(), Failure> {
        self.write_finite(to, None, |body, state| [self.energy_of(body, state)])
    }

    /// Writes the angular momenta, world frame. Errors: as [`Ensemble::kinetic_energies`].
    pub fn angular_momenta(&self, to: &mut ViewMut<3>) -> Result<(), Failure> {
        let held = self.held_if(VelocityKind::AngularMomentumWorld);
        self.write_finite(to, held, |body, state| self.momentum_of(body, state))
    }

    /// Rotational energy of the active bodies: a compensated sum in the order of indices.
    pub fn total_kinetic_energy(&self) -> f64 {
        self.compensated_sums(|body, state| [self.energy_of(body, state)])[0]
    }

    /// Sum of the active bodies' angular momenta about their own centres, world frame: a
    /// compensated sum in the order of indices.
    pub fn total_angular_momentum(&self) -> Vector3<f64> {
        self.compensated_sums(|body, state| self.momentum_of(body, state))
            .into()
    }

    fn compensated_sums<const K: usize>(
        &self,
        of: impl Fn(usize, &State<f64>) -> [f64; K],
    ) -> [f64; K] {
        let mut sums = [Clock::default(); K];
        let _ = self.read_each(self.active.bodies(0, self.active.moving), |body, state| {
            for (sum, part) in sums.iter_mut().zip(of(body, state)) {
                sum.advance(part);
            }
            Ok(())
        });
        sums.map(|sum| sum.now())
    }

    /// The exact sum of the active bodies' rotational energies: it does not depend on how bodies
    /// are spread over ensembles. Errors: [`Error::OutOfRange`] if an energy is not finite, with
    /// the first such body.
    pub fn kinetic_energy_sum(&self) -> Result<ExactSum, Failure> {
        Ok(self.exact_sums(|body, state| [self.energy_of(body, state)])?[0])
    }

    /// The exact sums of the components of the active bodies' angular momenta, world frame. Errors:
    /// as [`Ensemble::kinetic_energy_sum`].
    pub fn angular_momentum_sums(&self) -> Result<[ExactSum; 3], Failure> {
        self.exact_sums(|body, state| self.momentum_of(body, state))
    }

    fn exact_sums<const K: usize>(
        &self,
        of: impl Fn(usize, &State<f64>) -> [f64; K],
    ) -> Result<[ExactSum; K], Failure> {
        let mut sums = [ExactSum::default(); K];
        self.read_finite(of, |terms| {
            for (sum, term) in sums.iter_mut().zip(terms) {
                sum.add(term);
            }
        })?;
        Ok(sums)
    }

    /// Shows the numbers of each active body to `read`, if they are finite.
    pub(crate) fn read_finite<const K: usize>(
        &self,
        of: impl Fn(usize, &State<f64>) -> [f64; K],
        mut read: impl FnMut([f64; K]),
    ) -> Result<(), Failure> {
        self.read_each(self.active.bodies(0, self.active.moving), |body, state| {
            let numbers = of(body, state);
            if !numbers.iter().all(|number| number.is_finite()) {
                return Err(Failure::of_body(
                    body,
                    Error::OutOfRange {
                        name: "energy or angular momentum",
                    },
                ));
            }
            read(numbers);
            Ok(())
        })
    }

    /// Shows the states of bodies, which may be in any order, to `read`. The caller's numbers in a
    /// bound array are checked by a step, not here.
    #[inline]
    pub(crate) fn read_each(
        &self,
        bodies: Bodies,
        mut read: impl FnMut(usize, &State<f64>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let [mut raw, mut tile] = [CHUNK_AT_REST; 2];
        for bodies in chunks_of(bodies) {
            let states = self.motion.states.bound.at_start(
                &self.motion.states.current,
                &self.inertias,
                &bodies,
                &mut raw,
                &mut tile,
            );
            let states = if let Ok(states) = states {
                states
            } else {
                &tile
            };
            for i in 0..bodies.count() {
                read(
                    bodies.get(i),
                    &memory::load(&states[i / MOST_LANES], i % MOST_LANES),
                )?;
            }
        }
        Ok(())
    }

    /// Sets the orientation of a body. The world angular velocity stays.
    /// Errors: as [`Body::new`](crate::Body::new); [`Error::Order`] in the middle of a step.
    pub fn set_orientation(
        &mut self,
        body: usize,
        orientation: UnitQuaternion<f64>,
    ) -> Result<(), Failure> {
        self.assert_has(body);
        let q = self.checked_turn("orientation", body, components(orientation))?;
        self.begin(Change::Motion)?;
        self.turn(body, q);
        Ok(())
    }

    /// Sets the angular velocity of a body, world frame.
    /// Errors: it must be finite and below 1e154 rad/s; [`Error::Order`] in the middle of a step.
    pub fn set_angular_velocity(
        &mut self,
        body: usize,
        omega_world: Vector3<f64>,
    ) -> Result<(), Failure> {
        self.assert_has(body);
        let state = self.with_omega_world("angular_velocity", body, omega_world.into())?;
        self.begin(Change::Motion)?;
        self.put_state(body, &state);
        Ok(())
    }

    /// Sets the orientations, `w, x, y, z`, within 1e-3 of unit length: see `qi_set_orientations`.
    /// Errors: as [`Ensemble::set_orientation`], with the first invalid body; [`Error::Capacity`].
    /// Then nothing has changed.
    pub fn set_orientations(&mut self, given: View<4>) -> Result<(), Failure> {
        self.replace_each(
            given,
            |e, body, q| e.checked_turn(given.name(), body, q),
            |e, body, q| e.turn(body, q),
        )
    }

    /// Sets the angular velocities, world frame. Errors: as [`Ensemble::set_angular_velocity`],
    /// with the first invalid body; [`Error::Capacity`]. Then nothing has changed.
    pub fn set_angular_velocities(&mut self, given: View<3>) -> Result<(), Failure> {
        self.replace_each(
            given,
            |e, body, omega| e.with_omega_world(given.name(), body, omega),
            |e, body, state| e.put_state(body, &state),
        )
    }

    /// Sets the angular momenta about the bodies' own centres, world frame: see
    /// `qi_set_angular_momenta`. Errors: as [`Ensemble::set_angular_velocities`].
    pub fn set_angular_momenta(&mut self, given: View<3>) -> Result<(), Failure> {
        self.replace_each(
            given,
            |e, body, momentum| {
                let state = e.with_momentum_world(given.name(), body, momentum)?;
                Ok((momentum, state))
            },
            |e, body, (momentum, state)| {
                let bound = &mut e.motion.states.bound;
                if bound.kind == VelocityKind::AngularMomentumWorld
                    && let Some(array) = &mut bound.velocities
                {
                    array.put(body, momentum); // with the bits that were given
                } else {
                    e.put_state(body, &state);
                }
            },
        )
    }

    /// The state with another angular momentum. Errors: the momentum is not finite, or belongs to
    /// too large an angular velocity.
    fn with_momentum_world(
        &self,
        name: &'static str,
        body: usize,
        momentum: [f64; 3],
    ) -> Result<State<f64>, Error> {
        let state = self.state(body);
        let mut momentum_body = state.q.to_body(Vec3(finite(name, momentum)?));
        if let Some(rotor) = self.acting.rotor_of(body) {
            momentum_body = momentum_body - rotor;
        }
        let omega_body = self.inertias.of_body(body).angular_velocity(momentum_body);
        check(
            omega_body.dot(omega_body).is_finite(),
            name,
            VELOCITY_TOO_LARGE,
        )?;
        Ok(State {
            omega_body: omega_body + Vec3::splat(0.0),
            ..state
        })
    }

    /// An orientation to be set. Errors: it is none; bound angular momenta in the body frame would
    /// overflow.
    fn checked_turn(
        &self,
        name: &'static str,
        body: usize,
        q: [f64; 4],
    ) -> Result<Quat<f64>, Error> {
        let q = rotation::checked(name, q)?;
        let bound = &self.motion.states.bound;
        if bound.kind == VelocityKind::AngularMomentumBody {
            let before = bound.get(&self.motion.states.current, body);
            let after = turned(&before, q, false);
            let overflows = before.omega_body.0.iter().all(|number| number.is_finite())
                && !after.omega_body.0.iter().all(|number| number.is_finite());
            check(!overflows, name, "must leave angular momenta finite")?;
        }
        Ok(q)
    }

    /// Sets an orientation. The angular velocity stays as it is in the world frame, so a bound
    /// array of angular velocities or momenta in the world frame is not touched.
    fn turn(&mut self, body: usize, q: Quat<f64>) {
        let bound = &mut self.motion.states.bound;
        let current = &mut self.motion.states.current;
        let mut before = bound.get(current, body);
        let is_in_world = bound.kind.is_world();
        if !is_in_world {
            before = without_locked_axes(&self.inertias, body, &before);
        }
        bound.put(current, body, turned(&before, q, is_in_world));
        self.stop_about_locked_axes([body].into_iter());
    }

    /// The state with another angular velocity. Errors: the angular velocity is not finite or too
    /// large; its angular momentum is to be kept in a bound array, and overflows.
    #[inline(always)]
    fn with_omega_world(
        &self,
        name: &'static str,
        body: usize,
        omega: [f64; 3],
    ) -> Result<State<f64>, Error> {
        let omega_world = checked_omega(name, omega)?;
        let state = self.state(body);
        // The caller may have written numbers to a bound array that are no orientation. The given
        // velocity is then taken for one in the body frame.
        let q = if deviation(state.q) <= MOST_DEVIATION {
            state.q
        } else {
            Quat::identity()
        };
        let state = State {
            omega_body: q.to_body(omega_world) + Vec3::splat(0.0),
            ..state
        };
        if self.motion.states.bound.kind.is_momentum() {
            let momentum = self.momentum_of(body, &state);
            check(
                momentum.iter().all(|component| component.is_finite()),
                "angular_velocity",
                "must have an angular momentum that is finite",
            )?;
        }
        Ok(state)
    }

    pub(crate) fn energy_of(&self, body: usize, state: &State<f64>) -> f64 {
        self.inertias.of_body(body).kinetic_energy(state.omega_body)
    }

    pub(crate) fn momentum_of(&self, body: usize, state: &State<f64>) -> [f64; 3] {
        let mut momentum_body = self
            .inertias
            .of_body(body)
            .angular_momentum(state.omega_body);
        if let Some(rotor) = self.acting.rotor_of(body) {
            momentum_body = momentum_body + rotor;
        }
        state.q.to_world(momentum_body).0
    }

    fn assert_has(&self, body: usize) {
        assert!(body < self.count(), "body {body} of {}", self.count());
    }

    /// The state of a body. The caller's numbers in a bound array are checked by a step, not here.
    #[inline(always)]
    pub(crate) fn state(&self, body: usize) -> State<f64> {
        self.assert_has(body);
        let bound = &self.motion.states.bound;
        let mut state = bound.get(&self.motion.states.current, body);
        if !bound.is_empty() {
            state.q = normalised(state.q);
            state.omega_body = Conversion::new(bound.kind, &self.inertias).to_body_frame(
                &state,
                &Bodies::one(body),
                0,
            );
        }
        state
    }

    /// Writes a state to where the numbers of the body are. (They are below 1e154, and overflow
    /// only with an extreme inertia.)
    #[inline]
    pub(crate) fn put_state(&mut self, body: usize, state: &State<f64>) {
        let bound = &mut self.motion.states.bound;
        let current = &mut self.motion.states.current;
        let state = without_locked_axes(&self.inertias, body, state);
        let kept =
            Conversion::new(bound.kind, &self.inertias).to_bound(&state, &Bodies::one(body), 0);
        bound.put(
            current,
            body,
            State {
                omega_body: kept,
                ..state
            },
        );
    }

    /// The bound array of angular velocities or momenta, if it holds this quantity.
    fn held_if(&self, kind: VelocityKind) -> Option<View<'_, 3>> {
        let bound = &self.motion.states.bound;
        let velocities = bound.velocities.as_ref().filter(|_| bound.kind == kind);
        velocities.map(ViewMut::as_view)
    }

    /// Whether an array is the bound one that holds what is to be written: then it is there
    /// already. Errors: the array is not one for all bodies, or overlaps a bound one.
    fn is_held<const K: usize>(
        &self,
        array: &View<K>,
        held: &Option<View<K>>,
    ) -> Result<bool, Error> {
        self.check_count(array)?;
        if held.as_ref().is_some_and(|held| held.is_same_array(array)) {
            return Ok(true);
        }
        let must = "must not overlap a bound array";
        check(!self.overlaps_bound(array), array.name(), must)?;
        Ok(false)
    }

    /// Writes numbers of each body.
    fn write_each<const K: usize>(
        &self,
        to: &mut ViewMut<K>,
        held: Option<View<K>>,
        of: impl Fn(usize, &State<f64>) -> [f64; K],
    ) -> Result<(), Failure> {
        if self.is_held(&to.as_view(), &held)? {
            return Ok(());
        }
        self.read_each(Bodies::first(self.count()), |body, state| {
            to.put(body, of(body, state));
            Ok(())
        })
    }

    /// As [`Ensemble::write_each`], for what may overflow. An array that is refused is the first
    /// fault.
    fn write_finite<const K: usize>(
        &self,
        to: &mut ViewMut<K>,
        held: Option<View<K>>,
        of: impl Fn(usize, &State<f64>) -> [f64; K],
    ) -> Result<(), Failure> {
        self.is_held(&to.as_view(), &held)?;
        self.read_finite(&of, |_| {})?;
        self.write_each(to, held, of)
    }

    /// Replaces a part of each state by what `value` makes of the given numbers. It makes each of
    /// them twice, first to see whether one is refused, because there is no memory for all.
    fn replace_each<const K: usize, T>(
        &mut self,
        given: View<K>,
        value: impl Fn(&Self, usize, [f64; K]) -> Result<T, Error>,
        put: impl Fn(&mut Self, usize, T),
    ) -> Result<(), Failure> {
        self.check_count(&given)?;
        self.check_no_step_begun()?;
        let mut copy = Vec::new();
        let is_written = self.motion.states.bound.overlaps(&given); // while it is read
        if is_written {
            copy.try_reserve_exact(given.count())?;
            copy.extend((0..given.count()).map(|body| given.get(body)));
        }
        let numbers = |body: usize| {
            if is_written {
                copy[body]
            } else {
                given.get(body)
            }
        };
        let is_shared = given.shared_numbers().is_some();
        for body in 0..self.count() {
            let failure = |error| {
                if is_shared {
                    Failure::from(error)
                } else {
                    Failure::of_body(body, error)
                }
            };
            value(self, body, numbers(body)).map_err(failure)?;
        }
        self.begin(Change::Motion)?;
        for body in 0..self.count() {
            if let Ok(value) = value(self, body, numbers(body)) {
                put(self, body, value);
            }
        }
        Ok(())
    }
}
