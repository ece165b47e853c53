//! What few bodies have: a drag besides the torque, random torques, and rotors.

use super::Body;
use super::random::Random;
use crate::error::{Error, finite};
use crate::kernel::Vec3;
use crate::memory::boxed;
use crate::method::Rotor;
use crate::torque::{FluidDrag, NOT_BOTH};
use nalgebra::Vector3;

#[derive(Clone, Debug, Default)]
pub(super) struct Extras {
    drag: Option<FluidDrag<f64>>,
    rotor: Option<Rotor<f64>>,
    pub(super) random: Option<Random>,
}

impl Body {
    /// A linear drag toward the rotation of a fluid, besides the torque; `None`: none. It is taken implicitly in every step and kick, which
    /// are then stable for any coefficients; CF4 takes it explicitly, and refuses steps for which it is too stiff.
    /// Errors: [`Error::Invalid`] under a splitting of order 4 or 6, also force-gradient, or with random torques; [`Error::Memory`].
    pub fn set_drag(&mut self, drag: Option<FluidDrag<f64>>) -> Result<(), Error> {
        self.method.check(drag.is_some(), "drag")?;
        if drag.is_some() && self.random().is_some() {
            return Err(Error::Invalid { name: "drag", must: NOT_BOTH });
        }
        self.change_extras(drag.is_some(), |extras| extras.drag = drag)
    }

    /// The drag besides the torque.
    #[inline]
    pub fn drag(&self) -> Option<FluidDrag<f64>> {
        self.extras.as_ref()?.drag
    }

    /// Sets the angular momentum `h` of rotors in the body, such as reaction wheels, body frame; `None` or zero: no rotors. Euler's equation
    /// then is `I ω̇ = (I ω + h) × ω + τ + u` in every method; ω of the body does not change. `h` is constant in the body but for the torque
    /// `u` of [`Body::set_rotor_torque`]. I is the inertia with the rotors locked.
    /// Errors: [`Error::NotFinite`], [`Error::Memory`].
    pub fn set_rotor_momentum(&mut self, momentum_body: Option<Vector3<f64>>) -> Result<(), Error> {
        let momentum = Vec3(finite("momentum", momentum_body.unwrap_or_default().into())?);
        self.set_rotor(momentum, self.rotor().and_then(|rotor| rotor.motor))
    }

    /// The angular momentum of rotors in the body, body frame; `None` if it is zero.
    pub fn rotor_momentum(&self) -> Option<Vector3<f64>> {
        self.rotor().map(|rotor| rotor.momentum.0.into()).filter(|momentum| *momentum != Vector3::zeros())
    }

    /// The torque of the motors that drive the rotors, on the body, body frame; `None`: none.
    pub fn rotor_torque(&self) -> Option<Vector3<f64>> {
        Some(self.rotor()?.motor?.0.into())
    }

    /// Sets the torque `u` of the motors that drive the rotors, on the body, body frame; `None` or zero: none. It acts on the body while time
    /// passes, in steps, drifts and solutions, and the opposite on the rotors: `ḣ = −u`. A method keeps its order.
    /// Errors: [`Error::NotFinite`], [`Error::Memory`].
    pub fn set_rotor_torque(&mut self, torque_body: Option<Vector3<f64>>) -> Result<(), Error> {
        let motor = finite("torque_body", torque_body.unwrap_or_default().into())?;
        let momentum = self.rotor().map_or(Vec3::splat(0.0), |rotor| rotor.momentum);
        self.set_rotor(momentum, (motor != [0.0; 3]).then_some(Vec3(motor)))
    }

    #[inline(always)]
    pub(super) fn rotor(&self) -> Option<Rotor<f64>> {
        self.extras.as_ref()?.rotor
    }

    fn set_rotor(&mut self, momentum: Vec3<f64>, motor: Option<Vec3<f64>>) -> Result<(), Error> {
        let rotor = (momentum.0 != [0.0; 3] || motor.is_some()).then_some(Rotor { momentum, motor });
        self.change_extras(rotor.is_some(), |extras| extras.rotor = rotor)
    }

    pub(super) fn change_extras(&mut self, is_needed: bool, change: impl FnOnce(&mut Extras)) -> Result<(), Error> {
        if self.extras.is_none() && is_needed {
            self.extras = Some(boxed(Extras::default())?);
        }
        if let Some(extras) = &mut self.extras {
            change(extras);
        }
        self.extras = self
            .extras
            .take()
            .filter(|extras| extras.drag.is_some() || extras.rotor.is_some() || extras.random.is_some());
        self.forget_computed();
        Ok(())
    }

    /// The momentum that the motors have given to the rotors in some time, if it is finite.
    #[inline(always)]
    pub(super) fn drive_rotors(&mut self, time: f64) {
        if let Some(Extras { rotor: Some(rotor), .. }) = self.extras.as_deref_mut() {
            rotor.momentum = rotor.after(time);
        }
    }
}
