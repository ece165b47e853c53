//! What acts on a body: besides the torque a drag, random torques and rotors, which few bodies
//! have; the plan of its steps under all of it, and the total torque at an instant.

use super::Body;
use super::changing_inertia::InertiaOfTime;
use super::stepping::TotalTorque;
use crate::clock::Span;
use crate::error::{Error, check, finite};
use crate::kernel::velocity_gained;
use crate::kernel::{PrincipalInertia, Rotor, State, TorqueState, Vec3, drawn, normals};
use crate::memory::boxed;
use crate::method::{Bath, Change, FORWARDS, Method, Modes, Plan, Response, WhatActs};
use crate::method::{check_diffusion, diffusion, relaxation};
use crate::torque::{DragAndRotor, FluidDrag, Langevin, Torque};
use nalgebra::Vector3;

#[derive(Clone, Debug, Default)]
pub(super) struct Acting {
    drag: Option<FluidDrag<f64>>,
    pub(super) rotor: Option<Rotor<f64>>,
    random: Option<RandomTorques>,
    pub(super) changing_inertia: Option<InertiaOfTime>,
}

impl Acting {
    fn are_none(&self) -> bool {
        self.drag.is_none()
            && self.rotor.is_none()
            && self.random.is_none()
            && self.changing_inertia.is_none()
    }
}

/// Random torques, with the axes of drag and noise in this body.
#[derive(Clone, Copy, Debug)]
pub(super) struct RandomTorques {
    of: Langevin,
    modes: Modes<f64>,
}

impl RandomTorques {
    fn new(inertia: &PrincipalInertia<f64>, of: Langevin) -> Self {
        let modes = Modes::new(inertia, of.drag.coefficients);
        RandomTorques { of, modes }
    }
}

impl Body {
    /// A linear drag toward the rotation of a fluid, besides the torque; `None`: none. See
    /// `qi_set_drag`. Errors: [`Error::Invalid`] under a splitting of order 4 or 6, also
    /// force-gradient, or with random torques; [`Error::Memory`].
    pub fn set_drag(&mut self, drag: Option<FluidDrag<f64>>) -> Result<(), Error> {
        if drag.is_none() && self.drag().is_some() {
            self.forget(Change::Motion);
        }
        self.put("drag", |acting| &mut acting.drag, drag)
    }

    /// The drag besides the torque.
    pub fn drag(&self) -> Option<FluidDrag<f64>> {
        self.acting.as_ref()?.drag
    }

    /// Sets the angular momentum of rotors, body frame; `None`: no rotors. See
    /// `qi_set_rotor_momentum`. Errors: [`Error::NotFinite`], [`Error::Memory`].
    pub fn set_rotor_momentum(&mut self, momentum_body: Option<Vector3<f64>>) -> Result<(), Error> {
        let momentum = finite("momentum", momentum_body.unwrap_or_default().into())?;
        let mut motor = Vec3::splat(0.0);
        if let Some(rotor) = self.rotor() {
            motor = rotor.motor;
        }
        self.set_rotor(Vec3(momentum), motor)
    }

    /// The angular momentum of rotors in the body, body frame; `None` if it is zero.
    pub fn rotor_momentum(&self) -> Option<Vector3<f64>> {
        let momentum = self.rotor()?.momentum.0;
        if momentum == [0.0; 3] {
            None
        } else {
            Some(momentum.into())
        }
    }

    /// The torque of the motors that drive the rotors, on the body, body frame; `None`: none.
    pub fn rotor_torque(&self) -> Option<Vector3<f64>> {
        let rotor = self.rotor()?;
        if rotor.is_driven {
            Some(rotor.motor.0.into())
        } else {
            None
        }
    }

    /// Sets the torque of the motors of rotors, body frame; `None`: none. See
    /// `qi_set_rotor_torque`. Errors: [`Error::NotFinite`], [`Error::Memory`].
    pub fn set_rotor_torque(&mut self, torque_body: Option<Vector3<f64>>) -> Result<(), Error> {
        let motor = finite("torque_body", torque_body.unwrap_or_default().into())?;
        let mut momentum = Vec3::splat(0.0);
        if let Some(rotor) = self.rotor() {
            momentum = rotor.momentum;
        }
        self.set_rotor(momentum, Vec3(motor))
    }

    #[inline(always)]
    pub(super) fn rotor(&self) -> Option<&Rotor<f64>> {
        self.acting.as_ref()?.rotor.as_ref()
    }

    /// The drag of the body and these rotors, as they are at the start of a span.
    pub(super) fn drag_and<'r>(
        &self,
        rotor: Option<&'r Rotor<f64>>,
        span: &Span,
    ) -> DragAndRotor<'r> {
        DragAndRotor {
            drag: self.drag(),
            rotor,
            start: span.start,
        }
    }

    fn set_rotor(&mut self, momentum: Vec3<f64>, motor: Vec3<f64>) -> Result<(), Error> {
        let is_driven = motor.0 != [0.0; 3];
        let mut rotor = None;
        if is_driven || momentum.0 != [0.0; 3] {
            rotor = Some(Rotor::new(momentum, is_driven.then_some(motor)));
        }
        self.put("rotor", |acting| &mut acting.rotor, rotor)
    }

    /// Puts a part in place of that which acts so far, if the method takes what then acts; `None`
    /// takes the part away, which no method refuses. Errors: the method does not take it, and
    /// `name` is refused; [`Error::Memory`]. Then nothing has changed.
    pub(super) fn put<P>(
        &mut self,
        name: &'static str,
        part: fn(&mut Acting) -> &mut Option<P>,
        mut new: Option<P>,
    ) -> Result<(), Error> {
        let is_taken_away = new.is_none();
        if self.acting.is_none() && !is_taken_away {
            self.acting = Some(boxed(Acting::default())?);
        }
        self.swap(part, &mut new);
        if !is_taken_away {
            self.method
                .takes(self.what_acts(self.drag().is_some()), name)
                .inspect_err(|_| self.swap(part, &mut new))?;
        }
        self.forget_torque();
        Ok(())
    }

    /// Exchanges a part of what acts, if anything does. It goes when all parts are `None`.
    fn swap<P>(&mut self, part: fn(&mut Acting) -> &mut Option<P>, other: &mut Option<P>) {
        if let Some(acting) = self.acting.as_deref_mut() {
            std::mem::swap(part(acting), other);
            if acting.are_none() {
                self.acting = None;
            }
        }
    }

    /// Gives the rotors the momentum that their motors bring in some time.
    #[inline(always)]
    pub(super) fn drive_rotors(&mut self, time: f64) {
        if let Some(acting) = self.acting.as_deref_mut()
            && let Some(rotor) = &mut acting.rotor
            && rotor.is_driven
        {
            rotor.momentum = rotor.after(time);
        }
    }

    /// How a method takes its steps under a torque and what acts besides it. Errors: it does not,
    /// and `name` is refused.
    pub(crate) fn takes<T: Torque + ?Sized>(
        &self,
        method: Method,
        torque: &T,
        name: &'static str,
    ) -> Result<&'static Plan, Error> {
        method.takes(self.what_acts(self.resists(torque)), name)
    }

    /// How the method takes steps of `dt` under all that acts. Errors: it does not take them.
    pub(super) fn takes_steps(
        &self,
        dt: f64,
        resistance: Option<Vec3<f64>>,
    ) -> Result<&'static Plan, Error> {
        let plan = self
            .method
            .takes_steps(self.what_acts(resistance.is_some()), dt)?;
        if let Some(coefficients) = resistance {
            self.method
                .check_stable(&self.inertia.principal, coefficients, dt)?;
        }
        Ok(plan)
    }

    /// The coefficients of all that is known to resist the rotation besides random torques; `None`
    /// if nothing is.
    pub(super) fn resistance<T: Torque + ?Sized>(&self, torque: &T) -> Option<Vec3<f64>> {
        match (self.drag(), self.resistance_of(torque)) {
            (Some(drag), Some(own)) => Some(drag.coefficients + own),
            (Some(drag), None) => Some(drag.coefficients),
            (None, own) => own,
        }
    }

    /// The resistance of a torque. That of a whole fluid is in the random torques, if there are
    /// some.
    #[inline(always)]
    fn resistance_of<T: Torque + ?Sized>(&self, torque: &T) -> Option<Vec3<f64>> {
        if torque.is_of_fluid() && self.random().is_some() {
            None
        } else {
            torque.resistance()
        }
    }

    /// What acts on the body. `resists`: as [`Body::resists`], of a torque that the caller knows.
    #[inline(always)]
    pub(super) fn what_acts(&self, resists: bool) -> WhatActs {
        WhatActs {
            resists,
            has_drag: self.drag().is_some(),
            has_rotors: self.rotor().is_some(),
            is_random: self.random().is_some(),
            inertia_changes: self.changing_inertia().is_some(),
        }
    }

    /// Whether the torque, or a drag besides it, is known to resist the rotation.
    #[inline(always)]
    pub(super) fn resists<T: Torque + ?Sized>(&self, torque: &T) -> bool {
        self.drag().is_some() || self.resistance_of(torque).is_some()
    }

    /// Random torques besides the torque; `None`: none. See `qi_set_langevin`. Errors:
    /// [`Error::Invalid`] with a drag of [`Body::set_drag`]; [`Error::Memory`].
    pub fn set_langevin(&mut self, langevin: Option<Langevin>) -> Result<(), Error> {
        let inertia = &self.inertia.principal;
        let random = langevin.map(|of| RandomTorques::new(inertia, of));
        let changes = random.is_some() || self.random().is_some();
        self.put("coefficients", |acting| &mut acting.random, random)?;
        if changes {
            self.forget(Change::Motion);
        }
        Ok(())
    }

    /// Errors: the method does not take this torque once the random ones are gone, with which goes
    /// what they have of its resistance.
    pub(crate) fn takes_without_random<T: Torque + ?Sized>(&self, torque: &T) -> Result<(), Error> {
        let without = WhatActs {
            is_random: false,
            ..self.what_acts(self.drag().is_some() || torque.resistance().is_some())
        };
        self.method.takes(without, "coefficients").map(drop)
    }

    /// The random torques.
    pub fn langevin(&self) -> Option<Langevin> {
        self.random().map(|random| random.of)
    }

    /// The parameters of drag, rotors and random torques, from a row in which they have this order.
    /// Without numbers they stay, but all that depends on the inertia is computed again.
    pub(super) fn set_parameters(&mut self, mut numbers: &[f64], id: Option<f64>) {
        let inertia = &self.inertia.principal;
        let Some(acting) = self.acting.as_deref_mut() else {
            return;
        };
        if let Some(drag) = &mut acting.drag {
            drag.coefficients = next_or(&mut numbers, drag.coefficients);
            drag.flow = next_or(&mut numbers, drag.flow);
        }
        if let Some(rotor) = &mut acting.rotor {
            let motor = rotor.is_driven.then_some(rotor.motor);
            *rotor = Rotor::new(next_or(&mut numbers, rotor.momentum), motor);
        }
        if let Some(random) = &mut acting.random {
            let mut of = random.of;
            of.drag.coefficients = next_or(&mut numbers, of.drag.coefficients);
            of.drag.flow = next_or(&mut numbers, of.drag.flow);
            if let Some(id) = id {
                of.id = id.to_bits();
            }
            *random = RandomTorques::new(inertia, of);
        }
    }

    /// How many times noise has been drawn; see `qi_get_noise`. A restart needs it.
    pub fn noise(&self) -> u64 {
        self.draws
    }

    /// Restores [`Body::noise`].
    pub fn set_noise(&mut self, draws: u64) {
        self.draws = draws;
    }

    /// Drag and noise alone, for a duration of at least 0, at constant orientation and clock:
    /// between two half drifts of programs that kick. Errors: [`Error::NotFinite`],
    /// [`Error::Invalid`] (negative; no random torques), [`Error::Overflow`]. Then nothing has
    /// changed.
    pub fn thermalize(&mut self, duration: f64) -> Result<(), Error> {
        let [duration] = finite("duration", [duration])?;
        let random = self.random().ok_or(Error::Invalid {
            name: "body",
            must: "must have random torques: set them first, as by qi_set_langevin",
        })?;
        check(duration >= 0.0, "duration", FORWARDS)?;
        let State { q, omega_body } = self.state.get();
        let bath = self.bath(random, true, duration)?;
        let omega_body = bath.relaxed(omega_body, bath.flow_body.unwrap_or(Vec3::splat(0.0)));
        self.arrive_now(&State { q, omega_body })?;
        self.draws = self.draws.wrapping_add(1);
        self.forget(Change::Motion);
        Ok(())
    }

    pub(super) fn random(&self) -> Option<&RandomTorques> {
        self.acting.as_ref()?.random.as_ref()
    }

    /// The effect of drag and noise during a time, or on a Brownian step, without inertia.
    pub(super) fn bath(
        &self,
        random: &RandomTorques,
        has_inertia: bool,
        time: f64,
    ) -> Result<Bath<f64>, Error> {
        let RandomTorques {
            of: Langevin { drag, kt, seed, id },
            modes,
        } = *random;
        let deviates =
            Vec3(normals(&drawn(seed, self.draws, |_| id)).map(|[deviate]| f64::from(deviate)));
        let mut bath;
        if has_inertia {
            bath = modes.in_body(relaxation(&modes, kt, time), deviates);
        } else {
            let inertia = &self.inertia.principal;
            check_diffusion(inertia, drag.coefficients)?;
            let [response, spread] = diffusion(inertia.reciprocals, drag.coefficients, kt, time);
            bath = Bath {
                response: Response::Diagonal(response),
                noise: spread.times(deviates),
                drawn: None,
                // not absent: the compiler may multiply it before it looks, as `Damping` says
                flow_body: Some(Vec3::splat(0.0)),
            };
        }
        if drag.flow.0 != [0.0; 3] {
            bath.flow_body = Some(self.state.get().q.to_body(drag.flow));
        }
        Ok(bath)
    }

    /// All that acts on the body at its present state, world frame: the torque, drag, and the
    /// motors of rotors, but not the gyroscopic torques `(I ω + h) × ω`. It asks the torque once,
    /// and the body stays as it is. Errors: the torque returned an error or is not finite;
    /// [`Error::OutOfRange`] if the sum overflows; [`Error::Invalid`] with random torques.
    pub fn total_torque<T: Torque<Error: Into<Error>> + ?Sized>(
        &self,
        torque: &mut T,
    ) -> Result<Vector3<f64>, Error> {
        let (here, torque_body) = self.torque_without_gyroscopic(torque)?;
        in_world(&here, torque_body, "torque")
    }

    /// `dω/dt` at the present state, world frame, rad/s²: by Euler's equation, with all of
    /// [`Body::total_torque`]. Errors: as there; [`Error::Invalid`] where the inertia changes,
    /// whose rate nobody knows.
    pub fn angular_acceleration<T: Torque<Error: Into<Error>> + ?Sized>(
        &self,
        torque: &mut T,
    ) -> Result<Vector3<f64>, Error> {
        let is_constant = self.changing_inertia().is_none();
        check(is_constant, "body", "must have a constant inertia")?;
        let (here, mut torque_body) = self.torque_without_gyroscopic(torque)?;
        let omega = here.omega_body;
        if let Some(rotor) = self.rotor() {
            torque_body = torque_body + rotor.momentum.cross(omega);
        }
        // dω/dt has the same components for both observers, as ω × ω = 0
        let acceleration = velocity_gained(&self.inertia.principal, omega, Some(torque_body), 1.0);
        in_world(&here, acceleration, "angular_acceleration")
    }

    /// The present state, and the total torque there without the gyroscopic torques, body frame.
    fn torque_without_gyroscopic<T: Torque<Error: Into<Error>> + ?Sized>(
        &self,
        torque: &mut T,
    ) -> Result<(TorqueState<f64>, Vec3<f64>), Error> {
        let must = "must have no random torques: they have no value at an instant";
        check(self.random().is_none(), "body", must)?;
        let here = TorqueState::at(&self.state.get());
        let mut without_rotors = TotalTorque::of(torque, Span::from(self.time()));
        without_rotors.besides.drag = self.drag();
        let mut total = without_rotors.torque_body(0.0, &here, &self.inertia.principal)?;
        if let Some(rotor) = self.rotor()
            && rotor.is_driven
        {
            total = total + rotor.motor;
        }
        Ok((here, total))
    }
}

/// A vector of the body frame, in the world frame. Errors: it overflows.
fn in_world(
    here: &TorqueState<f64>,
    vector_body: Vec3<f64>,
    name: &'static str,
) -> Result<Vector3<f64>, Error> {
    let vector = here.to_world.rotate(vector_body).0;
    if vector.iter().all(|x| x.is_finite()) {
        Ok(vector.into())
    } else {
        Err(Error::OutOfRange { name })
    }
}

/// Takes the next three numbers. Without numbers it returns the present ones.
fn next_or(numbers: &mut &[f64], present: Vec3<f64>) -> Vec3<f64> {
    match numbers.split_off(..3) {
        Some(&[a, b, c]) => Vec3([a, b, c]),
        _ => present,
    }
}
