//! Another inertia for a body: a part is cut off, a panel unfolds, an axis is locked.

use super::Body;
use crate::error::{Error, check};
use crate::inertia::Inertia;
use crate::kernel::{State, Vec3};
use crate::method::Change;
use crate::rotation::VELOCITY_TOO_LARGE;

/// What stays when a body gets another inertia.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The angular velocity: a part is cut off and leaves with its momentum.
    AngularVelocity,
    /// The angular momentum: material moves inside the body, as when a panel unfolds.
    AngularMomentum,
}

impl Body {
    /// Sets the inertia. The orientation and the clock stay, and of the motion what `keep` says,
    /// but for the rotation about axes of zero moment, which is taken away. Errors:
    /// [`Error::Invalid`] if the angular velocity becomes too large. Then nothing has changed. An
    /// inertia function ends here.
    pub fn set_inertia(&mut self, inertia: Inertia, keep: Keep) -> Result<(), Error> {
        self.exchange_inertia(inertia, keep)?;
        self.forget(Change::Motion);
        self.end_inertia_function();
        Ok(())
    }

    /// [`Body::set_inertia`], of a body whose inertia may go on changing.
    pub(super) fn exchange_inertia(&mut self, inertia: Inertia, keep: Keep) -> Result<(), Error> {
        let State { q, omega_body } = self.state.get();
        let omega_body = match keep {
            Keep::AngularVelocity => omega_body,
            Keep::AngularMomentum => {
                let momentum_body = self.inertia.principal.angular_momentum(omega_body);
                inertia.principal.angular_velocity(momentum_body) + Vec3::splat(0.0)
            }
        };
        check(
            omega_body.dot(omega_body).is_finite(),
            "inertia",
            VELOCITY_TOO_LARGE,
        )?;
        self.inertia = inertia;
        let omega_body = self.inertia.principal.without_locked_axes(omega_body);
        self.state.put(&State { q, omega_body });
        self.forget_torque();
        self.set_parameters(&[], None); // what depends on the inertia
        Ok(())
    }

    /// Locks body axes, besides those that are locked: see [`Inertia::with_locked_axes`]. The
    /// rotation about them is taken away. Errors: as [`Inertia::with_locked_axes`] and
    /// [`Body::set_inertia`].
    pub fn lock_axes(&mut self, is_locked: [bool; 3]) -> Result<(), Error> {
        let inertia = self.inertia.with_locked_axes(is_locked)?;
        if inertia.numbers() == self.inertia.numbers() {
            self.end_inertia_function(); // and the motion goes on
            return Ok(());
        }
        self.set_inertia(inertia, Keep::AngularVelocity)
    }
}
