//! Random torques on one body.

use super::Body;
use crate::error::{Error, finite};
use crate::kernel::{State, Vec3, drawn, normals};
use crate::method::{Bath, FORWARDS, Family, Modes, Plan, Response, check_diffusion, diffusion, relaxation};
use crate::torque::{Langevin, NOT_BOTH};

/// Random torques, with the axes of drag and noise in this body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Random {
    of: Langevin,
    modes: Modes<f64>,
}

impl Body {
    /// Random torques besides the torque: a drag `−cᵢ (ωᵢ − flowᵢ)` about each body axis and the noise that belongs to it at the energy kT,
    /// both exact for any step; `None`: none. Under [`Method::Splitting`](crate::Method::Splitting) steps then are BAOAB, of order 2 for
    /// averages; [`Method::Brownian`](crate::Method::Brownian) has no inertia; steps by another method, backwards, or under a torque that
    /// resists the rotation are refused. The noise depends on seed, id and [`Body::noise`] alone. docs/random.md says more.
    /// Errors: [`Error::Invalid`] with a drag of [`Body::set_drag`]; [`Error::Memory`].
    pub fn set_langevin(&mut self, langevin: Option<Langevin>) -> Result<(), Error> {
        if langevin.is_some() && self.drag().is_some() {
            return Err(Error::Invalid { name: "coefficients", must: NOT_BOTH });
        }
        let inertia = self.inertia.principal();
        let random = langevin.map(|of| Random { of, modes: Modes::new(inertia, of.drag.coefficients) });
        self.change_extras(random.is_some(), |extras| extras.random = random)
    }

    /// The random torques.
    pub fn langevin(&self) -> Option<Langevin> {
        self.random().map(|random| random.of)
    }

    /// How many times noise has been drawn: by each step under random torques, and by [`Body::thermalize`]. It goes on where random torques are
    /// set anew. With state, clock and [`Body::memory`] it is all that a restart needs.
    pub fn noise(&self) -> u64 {
        self.draws
    }

    /// Restores [`Body::noise`].
    pub fn set_noise(&mut self, draws: u64) {
        self.draws = draws;
    }

    /// Drag and noise alone, for a duration of at least 0, at constant orientation; the clock stays. For programs that kick and drift: between
    /// two drifts of half a step.
    /// Errors: [`Error::NotFinite`], [`Error::Invalid`] (negative; no random torques), [`Error::Overflow`]. Then nothing has changed.
    pub fn thermalize(&mut self, duration: f64) -> Result<(), Error> {
        let [duration] = finite("duration", [duration])?;
        let random = self.random().ok_or(NO_RANDOM)?;
        if duration < 0.0 {
            return Err(Error::Invalid { name: "duration", must: FORWARDS });
        }
        let State { q, omega_body } = self.state.get();
        let bath = self.relaxing(&random, duration);
        let omega_body = bath.relaxed(omega_body, bath.flow_body.unwrap_or(Vec3::splat(0.0)));
        self.arrive_now(&State { q, omega_body })?;
        self.draws = self.draws.wrapping_add(1);
        self.forget_torque();
        Ok(())
    }

    #[inline]
    pub(super) fn random(&self) -> Option<Random> {
        self.extras.as_ref()?.random
    }

    /// What random torques do in a step of `h`.
    pub(super) fn bath(&self, plan: &Plan, h: f64) -> Result<Option<Bath<f64>>, Error> {
        let Some(random) = self.random() else { return Ok(None) };
        let Langevin { kt, drag, .. } = random.of;
        Ok(match plan.family {
            Family::Baoab => Some(self.relaxing(&random, h)),
            Family::Brownian => {
                let inertia = self.inertia.principal();
                check_diffusion(inertia, drag.coefficients)?;
                let [response, spread] = diffusion(inertia.reciprocals, drag.coefficients, kt, h);
                let noise = spread.times(self.deviates(&random));
                Some(Bath { response: Response::Diagonal(response), noise, flow_body: self.flow(&random) })
            }
            _ => None,
        })
    }

    fn relaxing(&self, random: &Random, duration: f64) -> Bath<f64> {
        let modes = &random.modes;
        let (response, noise) = modes.in_body(relaxation(modes, random.of.kt, duration), self.deviates(random));
        Bath { response, noise, flow_body: self.flow(random) }
    }

    fn deviates(&self, random: &Random) -> Vec3<f64> {
        normals(drawn(random.of.seed, random.of.id, self.draws))
    }

    /// The angular velocity of the fluid, body frame.
    fn flow(&self, random: &Random) -> Option<Vec3<f64>> {
        let flow = random.of.drag.flow;
        (flow.0 != [0.0; 3]).then(|| self.state.get().q.to_body(flow))
    }
}

const NO_RANDOM: Error = Error::Invalid { name: "body", must: "must have random torques" };
