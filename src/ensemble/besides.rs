//! What acts on the bodies of an ensemble besides the torque: a linear drag, and rotors.

use super::torque_loops::{AtStates, TorqueSource};
use super::{Ensemble, drag::Drag, parameters::Parameter, stores::Store};
use crate::error::{Error, Failure};
use crate::kernel::{Here, Number, PrincipalInertia, Vec3};
use crate::memory::{Bodies, View};
use crate::torque::Torque;
use std::convert::Infallible;

#[derive(Debug, Default)]
pub(super) struct Besides {
    pub(super) drag: Option<Drag>,
    /// The angular momenta of the rotors, body frame.
    pub(super) rotors: Option<Parameter<3>>,
}

impl Besides {
    pub(super) fn acts(&self) -> bool {
        self.drag.is_some() || self.rotors.is_some()
    }

    /// Adds their torques or resistances. `gyroscopic`: also that of rotors.
    #[inline(always)]
    pub(super) fn add(&self, at: &mut AtStates, gyroscopic: bool) {
        self.drag.iter().for_each(|drag| at.add(drag));
        self.rotors.iter().filter(|_| gyroscopic).for_each(|rotors| at.add(Rotors(rotors)));
    }

    pub(super) fn rotor_of(&self, body: usize) -> Option<Vec3<f64>> {
        Some(Vec3(self.rotors.as_ref()?.at(&Bodies::one(body), 0)))
    }

    pub(super) fn parameters(&self) -> impl Iterator<Item = &dyn Store> {
        let rotors = self.rotors.iter().map(|rotors| rotors as &dyn Store);
        self.drag.iter().flat_map(Drag::parameters).chain(rotors)
    }

    pub(super) fn parameters_mut(&mut self) -> impl Iterator<Item = &mut dyn Store> {
        let rotors = self.rotors.iter_mut().map(|rotors| rotors as &mut dyn Store);
        self.drag.iter_mut().flat_map(Drag::parameters_mut).chain(rotors)
    }
}

impl Ensemble<'_> {
    /// The angular momentum of rotors in each body, body frame; `None`: no rotors. See [`Body::set_rotor_momentum`], whose bits these bodies
    /// have, unless its momentum is 0: then it has no rotors when alone, but here one at rest. Totals of angular momentum contain the rotors.
    /// Errors: a number is not finite (with the first such body); [`Error::Capacity`], [`Error::Memory`], [`Error::Order`];
    /// [`Error::Invalid`] while angular momenta are bound, which are those of the bodies alone. Nothing has changed.
    ///
    /// [`Body::set_rotor_momentum`]: crate::Body::set_rotor_momentum
    pub fn set_rotor_momentum(&mut self, momenta: Option<View<3>>) -> Result<(), Failure> {
        let rotors = momenta.map(|momenta| self.parameter(momenta)).transpose()?;
        self.check_no_step_begun()?;
        if rotors.is_some() && self.states.bound.holds_momenta() {
            return Err(Error::Invalid { name: "rotor", must: NOT_WITH_MOMENTA }.into());
        }
        self.begin_change_to(self.method.plan(self.resists(), rotors.is_some(), self.random.bath.is_some()))?;
        self.besides.rotors = rotors;
        Ok(())
    }
}

pub(super) const NOT_WITH_MOMENTA: &str =
    "must not be there together with bound angular momenta: bind angular velocities";

/// The gyroscopic torque `h × ω` of rotors, for methods that do not rotate the body freely.
#[derive(Clone, Copy)]
struct Rotors<'a>(&'a Parameter<3>);

struct Gyroscopic<N>(Vec3<N>);

impl TorqueSource for Rotors<'_> {
    type At<N: Number> = Gyroscopic<N>;

    #[inline(always)]
    fn at<N: Number>(&self, bodies: &Bodies, i: usize) -> Gyroscopic<N> {
        Gyroscopic(Vec3(self.0.at(bodies, i)))
    }
}

impl<N: Number> Torque<N> for Gyroscopic<N> {
    type Error = Infallible;

    #[inline(always)]
    fn torque_body(&mut self, _: f64, here: &Here<N>, _: &PrincipalInertia<N>) -> Result<Vec3<N>, Infallible> {
        Ok(self.0.cross(here.omega_body))
    }
}
