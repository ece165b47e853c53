//! The state of a body, and the torque that its method keeps from step to step.

use super::Body;
use crate::error::{Error, check, finite};
use crate::kernel::{Quat, State, Vec3};
use crate::method::{Change, Kept, Plan, Scheme};
use crate::rotation::{self, VELOCITY_TOO_LARGE, components};
use nalgebra::{UnitQuaternion, Vector3};

/// The vectors that a method keeps from step to step, if it keeps the last torque.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LastTorque {
    pub(super) is_known: bool,
    /// Whether a scheme with implicit drag has kept it: the torque without its resistance then.
    is_damped: bool,
    /// Two vectors, spaced as those of the state; the second, which steps with implicit drag keep,
    /// is 0 until it is known.
    numbers: [[f64; 2]; 6],
}

impl LastTorque {
    /// From the numbers of a row; empty if nothing is known.
    pub(super) fn of_row(plan: &Plan, numbers: &[f64]) -> Self {
        let is_known = !numbers.is_empty() && numbers.iter().all(|number| number.is_finite());
        let mut last = LastTorque {
            is_known,
            is_damped: plan.is_damped(),
            ..Self::default()
        };
        for (place, number) in last.numbers.iter_mut().zip(numbers) {
            if number.is_finite() {
                place[0] = *number;
            }
        }
        last
    }

    /// Writes the part of a row that has [`Plan::kept`] numbers; NaN in the place of a torque that
    /// is not known.
    pub(super) fn read(&self, plan: &Plan, to: &mut [f64]) {
        if self.is_damped != plan.is_damped() {
            return Self::default().read_numbers(to);
        }
        self.read_numbers(to);
    }

    fn read_numbers(&self, to: &mut [f64]) {
        for (to, [number, _]) in to.iter_mut().zip(self.numbers) {
            *to = number;
        }
        if !self.is_known {
            let torque = to.len().min(3);
            to[..torque].fill(f64::NAN);
        }
    }

    /// The saved values, if they are those of this scheme.
    #[inline(always)]
    pub(super) fn get<S: Scheme>(&self) -> Kept<f64> {
        if S::IS_DAMPED && !self.is_damped {
            return Kept::nothing();
        }
        let [[a, _], [b, _], [c, _], [d, _], [e, _], [f, _]] = self.numbers;
        Kept {
            is_known: S::KEEPS_TORQUE && self.is_known && self.is_damped == S::IS_DAMPED,
            saved: [Vec3([a, b, c]), Vec3([d, e, f])],
        }
    }

    /// Keeps the saved values, if the scheme keeps them.
    #[inline(always)]
    pub(super) fn put<S: Scheme>(&mut self, kept: &Kept<f64>) {
        if S::KEEPS_TORQUE && kept.is_known {
            for k in 0..3 * S::SAVED {
                self.numbers[k][0] = kept.saved[k / 3].0[k % 3];
            }
            self.is_known = true;
            self.is_damped = S::IS_DAMPED;
        }
    }

    #[inline(always)]
    pub(super) fn forget(&mut self, change: Change) {
        self.is_known = false;
        self.is_damped = self.is_damped && change == Change::Forces;
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
    /// values of [`Body::orientation`] and [`Body::angular_velocity_body`] bit for bit (but for
    /// what rounding leaves about a locked axis that is no body axis). Errors: as [`Body::new`];
    /// the state is then unchanged.
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
        self.forget(Change::Motion);
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
    /// none yet. The first three, the last torque, are NaN if it is not known: a drag was set
    /// since. See [`Method::keeps_torque`](crate::Method::keeps_torque).
    pub fn memory(&self) -> Option<[f64; 7]> {
        if !(self.kept.is_known || self.kept.is_damped) {
            return None;
        }
        let mut memory = [0.0; 7];
        let (numbers, is_damped) = memory.split_at_mut(6);
        if self.kept.is_damped {
            is_damped[0] = 1.0;
            self.kept.read_numbers(numbers);
        } else {
            self.kept.read_numbers(&mut numbers[..3]);
        }
        Some(memory)
    }

    /// Restores [`Body::memory`], so that the body goes on with the same bits. A restart sets it
    /// last, because all that sets something else forgets it: see [`Body::forget_torque`]. Errors:
    /// [`Error::NotFinite`]. Then nothing has changed.
    pub fn set_memory(&mut self, memory: Option<[f64; 7]>) -> Result<(), Error> {
        let [a, b, c, rate @ .., is_damped] = memory.unwrap_or_default();
        let torque = [a, b, c];
        let is_known = memory.is_some() && !torque.iter().all(|number| number.is_nan());
        let [a, b, c] = finite("memory", if is_known { torque } else { [0.0; 3] })?;
        let [d, e, f] = finite("memory", rate)?;
        let [is_damped] = finite("memory", [is_damped])?;
        self.kept = LastTorque {
            is_known,
            is_damped: is_damped != 0.0,
            numbers: [a, b, c, d, e, f].map(|number| [number, 0.0]),
        };
        Ok(())
    }
}
