//! The state of a body, and the torque that its method keeps from step to step.

use super::Body;
use crate::error::{Error, check, finite};
use crate::kernel::{Quat, Saved, State, Vec3};
use crate::method::{Plan, Scheme};
use crate::rotation::{self, VELOCITY_TOO_LARGE, components};
use nalgebra::{UnitQuaternion, Vector3};

/// The state between steps, its numbers 16 bytes apart. If they were adjacent, the compiler could
/// store them singly and load them in pairs, or the reverse. A load that spans two stores cannot be
/// forwarded, which costs 8 ns per step. (The default is no state yet.)
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SpacedState([[f64; 2]; 7]);

impl SpacedState {
    #[inline(always)]
    pub(super) fn put(&mut self, state: &State<f64>) {
        let [w, x, y, z] = state.q.0;
        let [a, b, c] = state.omega_body.0;
        for (place, number) in self.0.iter_mut().zip([w, x, y, z, a, b, c]) {
            place[0] = number;
        }
    }

    #[inline(always)]
    pub(super) fn get(&self) -> State<f64> {
        let [[w, _], [x, _], [y, _], [z, _], [a, _], [b, _], [c, _]] = self.0;
        State {
            q: Quat([w, x, y, z]),
            omega_body: Vec3([a, b, c]),
        }
    }
}

/// The vectors that a method keeps from step to step, if it keeps the last torque.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LastTorque {
    pub(super) is_known: bool,
    /// Whether [`Body::set_memory`] has restored it, and no step has been taken since.
    pub(super) is_restored: bool,
    /// Whether a scheme with implicit drag has kept it: an acceleration then, not a torque.
    is_damped: bool,
    /// Two vectors, spaced as in [`SpacedState`]. The last time step, which methods with implicit
    /// drag need, is beside the last number.
    numbers: [[f64; 2]; 6],
}

impl LastTorque {
    /// The last time step.
    pub(super) fn dt(&mut self) -> &mut f64 {
        &mut self.numbers[5][1]
    }

    /// From the numbers of a row; `None` if nothing is known.
    pub(super) fn of_row(plan: &Plan, numbers: Option<&[f64]>) -> Self {
        let mut last = LastTorque {
            is_known: numbers.is_some(),
            is_restored: numbers.is_some(),
            is_damped: plan.is_damped(),
            ..Self::default()
        };
        let mut numbers = numbers.unwrap_or_default();
        let kept = numbers.split_off(..plan.kept()).unwrap_or_default();
        for (place, number) in last.numbers.iter_mut().zip(kept) {
            place[0] = *number;
        }
        if let Some(dt) = numbers.first() {
            *last.dt() = *dt;
        }
        last
    }

    /// Writes the part of a row that has [`Plan::memory_width`] numbers; NaN if nothing is known.
    pub(super) fn read(&self, plan: &Plan, to: &mut [f64]) {
        to.fill(f64::NAN);
        if !self.is_known || self.is_damped != plan.is_damped() {
            return;
        }
        let (kept, dt) = to.split_at_mut(plan.kept());
        for (to, [number, _]) in kept.iter_mut().zip(self.numbers) {
            *to = number;
        }
        dt.fill(self.numbers[5][1]);
    }

    /// The saved values, if they are known and of this scheme.
    #[inline(always)]
    pub(super) fn get<S: Scheme>(&self) -> Option<Saved<f64>> {
        let [[a, _], [b, _], [c, _], [d, _], [e, _], [f, _]] = self.numbers;
        let is_kept = S::KEEPS_TORQUE && self.is_known && self.is_damped == S::IS_DAMPED;
        is_kept.then_some([Vec3([a, b, c]), Vec3([d, e, f])])
    }

    /// Keeps the saved values, if the scheme keeps them.
    #[inline(always)]
    pub(super) fn put<S: Scheme>(&mut self, saved: &Option<Saved<f64>>) {
        if S::KEEPS_TORQUE
            && let Some(saved) = saved
        {
            for k in 0..3 * S::SAVED {
                self.numbers[k][0] = saved[k / 3].0[k % 3];
            }
            self.is_known = true;
            self.is_damped = S::IS_DAMPED;
        }
    }
}

impl Body {
    /// Sets orientation (body to world) and angular velocity (world frame). The clock does not
    /// change. Errors: as [`Body::new`]; the state is then unchanged.
    pub fn set_state(
        &mut self,
        orientation: UnitQuaternion<f64>,
        angular_velocity: Vector3<f64>,
    ) -> Result<(), Error> {
        let q = rotation::checked("orientation", components(orientation))?;
        let omega_world = rotation::checked_omega("angular_velocity", angular_velocity.into())?;
        self.place(q, q.to_body(omega_world) + Vec3::splat(0.0));
        Ok(())
    }

    /// Like [`Body::set_state`], with the angular velocity in the **body** frame. Restores the
    /// values of [`Body::orientation`] and [`Body::angular_velocity_body`] bit for bit. Errors: as
    /// [`Body::new`]; the state is then unchanged.
    pub fn set_state_body(
        &mut self,
        orientation: UnitQuaternion<f64>,
        angular_velocity_body: Vector3<f64>,
    ) -> Result<(), Error> {
        let q = rotation::checked_bits("orientation", components(orientation))?;
        rotation::checked_omega("angular_velocity_body", angular_velocity_body.into())?;
        self.place(q, Vec3(angular_velocity_body.into()));
        Ok(())
    }

    /// Sets the state, without a rotation about locked axes.
    pub(super) fn place(&mut self, q: Quat<f64>, omega_body: Vec3<f64>) {
        let omega_body = self.inertia.principal.without_locked_axes(omega_body);
        self.state.put(&State { q, omega_body });
        self.forget_computed();
    }

    /// Sets the angular velocity so that the angular momentum, with that of rotors, is this one:
    /// world frame. Orientation and clock stay. Errors: as [`Body::set_state`]; the angular
    /// velocity must be finite.
    pub fn set_angular_momentum(&mut self, angular_momentum: Vector3<f64>) -> Result<(), Error> {
        let q = self.state.get().q;
        let momentum_body = q.to_body(Vec3(finite("angular_momentum", angular_momentum.into())?));
        let mut of_body = momentum_body;
        if let Some(rotor) = self.rotor() {
            of_body = of_body - rotor.momentum;
        }
        let omega_body = self.inertia.principal.angular_velocity(of_body) + Vec3::splat(0.0);
        check(
            omega_body.dot(omega_body).is_finite(),
            "angular_momentum",
            VELOCITY_TOO_LARGE,
        )?;
        self.place(q, omega_body);
        Ok(())
    }

    /// The numbers that the method keeps from step to step, for a file; `None` if it keeps none, or
    /// none yet. See [`Method::keeps_torque`](crate::Method::keeps_torque).
    pub fn memory(&self) -> Option<[f64; 8]> {
        let LastTorque {
            is_known,
            is_damped,
            numbers: [[a, _], [b, _], [c, _], [d, _], [e, _], [f, dt]],
            ..
        } = self.kept;
        is_known.then_some([a, b, c, d, e, f, dt, f64::from(is_damped)])
    }

    /// Restores [`Body::memory`], so that the body goes on with the same bits. State, clock,
    /// method, drag and rotors may be set before or after it: the memory stays until the next step,
    /// kick, drift or solution. Errors: [`Error::NotFinite`].
    pub fn set_memory(&mut self, memory: Option<[f64; 8]>) -> Result<(), Error> {
        let [a, b, c, d, e, f, dt, is_damped] = finite("memory", memory.unwrap_or_default())?;
        let numbers = [[a, 0.0], [b, 0.0], [c, 0.0], [d, 0.0], [e, 0.0], [f, dt]];
        let is_known = memory.is_some();
        self.kept = LastTorque {
            is_known,
            is_restored: is_known,
            is_damped: is_damped != 0.0,
            numbers,
        };
        Ok(())
    }
}
