//! Random torques on the bodies of an ensemble, besides the torque: parameters, ids, and the
//! counter of draws.

use crate::ensemble::Ensemble;
use crate::ensemble::bodies::parameters::Parameter;
use crate::ensemble::bodies::stores::Blocks;
use crate::error::{Error, Failure, check, check_room};
use crate::kernel::{Number, PrincipalInertia, Vec3};
use crate::memory::{self, Block, Bodies, View, boxed};
use crate::method::MODE_NUMBERS;
use crate::torque::not_negative;

/// What noise depends on.
#[derive(Default)]
pub(crate) struct Random {
    pub(crate) heat_bath: Option<Box<HeatBath>>,
    /// The id of each body, 64 bits in the place of a number; `None`: its index.
    pub(crate) ids: Option<Vec<Block<1>>>,
    /// How many times noise has been drawn.
    pub(crate) draws: u64,
}

/// What a sweep does with noise.
#[derive(Clone, Copy)]
pub(crate) struct Drawing<'a> {
    pub(crate) random: &'a Random,
    pub(crate) heat_bath: &'a HeatBath,
    /// The axes of drag and noise, where they are not the body axes.
    pub(crate) modes: Option<&'a Parameter<MODE_NUMBERS>>,
}

/// Drag, noise, and the rotation of the fluid around each body.
pub(crate) struct HeatBath {
    pub(crate) coefficients: Parameter<3>,
    pub(crate) flow: Parameter<3>,
    pub(crate) kt: f64,
    pub(crate) seed: u64,
    /// Whether the next three are known. They follow from coefficients, flow and inertias.
    pub(crate) is_prepared: bool,
    /// Whether the fluid may rotate somewhere.
    pub(crate) has_flow: bool,
    /// The axes of drag and noise, where they are not the body axes of all bodies.
    pub(crate) modes: Option<Parameter<MODE_NUMBERS>>,
    /// Whether some body, active or not, cannot move without inertia.
    pub(crate) has_unfit: bool,
    /// The response and the factors of the deviates, in these axes or the body axes, by position.
    /// To compute them takes as long as a step.
    pub(crate) factors: Parameter<6>,
    /// The steps that `factors` are for: the bits of their length, and whether they are Brownian;
    /// `None`: they are not known.
    pub(crate) of_steps: Option<(u64, bool)>,
}

impl HeatBath {
    #[inline(always)]
    pub(crate) fn factors_at<N: Number>(&self, position: usize) -> [Vec3<N>; 2] {
        let [a, b, c, x, y, z] = self.factors.at(&Bodies::one(position), 0);
        [Vec3([a, b, c]), Vec3([x, y, z])]
    }
}

impl Random {
    /// Coefficients, flow, inertias or the order of the bodies change.
    pub(crate) fn forget_prepared(&mut self) {
        if let Some(heat_bath) = &mut self.heat_bath {
            heat_bath.is_prepared = false;
            heat_bath.of_steps = None;
        }
    }

    /// For the steps that have been prepared; `None`: there are no random torques.
    pub(crate) fn drawing(&self) -> Option<Drawing<'_>> {
        let heat_bath = self.heat_bath.as_deref()?;
        let has_inertia = matches!(heat_bath.of_steps, Some((_, false)));
        Some(Drawing {
            random: self,
            heat_bath,
            modes: heat_bath.modes.as_ref().filter(|_| has_inertia),
        })
    }

    /// The ids as a store, if they are numbers.
    pub(crate) fn ids(&mut self) -> Option<Blocks<'_, 1>> {
        Some(Blocks {
            blocks: self.ids.as_mut()?,
            created: [0.0],
        })
    }

    /// Where each is its index, makes them numbers.
    pub(crate) fn make_ids(&mut self, count: usize) -> Result<(), Error> {
        if self.ids.is_none() {
            self.ids = Some(memory::of_each::<1, Error>(count, |body| {
                Ok([f64::from_bits(body as u64)])
            })?);
        }
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn id(&self, body: usize) -> u64 {
        self.ids
            .as_ref()
            .map_or(body as u64, |ids| memory::get(ids, body)[0].to_bits())
    }

    /// The first id of new bodies: the number after the greatest. Errors: there are not as many.
    pub(crate) fn first_of_new(&self, before: usize, count: usize) -> Result<u64, Error> {
        if self.ids.is_none() || count <= before {
            return Ok(0); // no new ids
        }
        let greatest = (0..before).map(|body| self.id(body)).max();
        let used = greatest.map_or(0, |id| u128::from(id) + 1);
        let new = (count - before) as u128;
        check(
            used + new <= 1 << 64,
            "count",
            "must leave ids for the new bodies: the greatest one is too close to 2^64",
        )?;
        Ok(used as u64)
    }

    /// Numbers new bodies from `first` on.
    pub(crate) fn number_new(&mut self, first: u64, before: usize, count: usize) {
        if let Some(ids) = &mut self.ids {
            for body in before..count {
                let id = first + (body - before) as u64;
                memory::set(ids, body, [f64::from_bits(id)]);
            }
        }
    }
}

impl Ensemble<'_, '_> {
    /// Random torques besides the torque, with coefficients and a flow (world frame; `None`: at
    /// rest) for each body: see [`Body::set_langevin`](crate::Body::set_langevin). Errors: a number
    /// is not finite, a coefficient or kT negative (with the first such body); there is a drag of
    /// [`Ensemble::set_drag`]; `Error::Capacity`; `Error::Memory`; `Error::Order` in the middle of
    /// a step. Nothing has changed.
    pub fn set_langevin(
        &mut self,
        coefficients: View<3>,
        flow: Option<View<3>>,
        kt: f64,
        seed: u64,
    ) -> Result<(), Failure> {
        self.check_count(&coefficients)?;
        let coefficients = Parameter::new(coefficients, |numbers| {
            not_negative(coefficients.name(), numbers)
        })?;
        let flow = flow.map_or(Ok(Parameter::Shared([0.0; 3])), |flow| self.parameter(flow))?;
        let [kt] = not_negative("kt", [kt])?;
        let factors = Parameter::Shared([0.0; 6]);
        let new = HeatBath {
            coefficients,
            flow,
            kt,
            seed,
            is_prepared: false,
            has_flow: false,
            modes: None,
            has_unfit: false,
            factors,
            of_steps: None,
        };
        let heat_bath = Some(boxed(new)?);
        let old = self.put(
            "coefficients",
            |acting| &mut acting.random.heat_bath,
            heat_bath,
        )?;
        if let (Some(old), Some(new)) = (old, &mut self.acting.random.heat_bath) {
            new.factors = old.factors; // their memory
        }
        Ok(())
    }

    /// Removes the random torques. Ids and draws stay. Errors: `Error::Order` in the middle of a
    /// step; `Error::Invalid` in a shear flow, if the method does not take its resistance, which is
    /// then left.
    pub fn clear_langevin(&mut self) -> Result<(), Failure> {
        self.put("coefficients", |acting| &mut acting.random.heat_bath, None)?;
        Ok(())
    }

    /// Sets the id of each body, which its noise depends on; `None`: its index. See
    /// `qi_set_ensemble_ids`. Errors: `Error::Capacity`, `Error::Memory`, `Error::Order`.
    pub fn set_ids(&mut self, ids: Option<&[u64]>) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let count = self.count();
        let Some(ids) = ids else {
            self.acting.random.ids = None;
            return Ok(());
        };
        check_room(ids.len() == count, "ids", count, ids.len())?;
        let numbers = memory::of_each(count, |body| Ok::<_, Error>([f64::from_bits(ids[body])]))?;
        self.acting.random.ids = Some(numbers);
        Ok(())
    }

    /// The id of a body.
    pub fn id(&self, body: usize) -> u64 {
        self.acting.random.id(body)
    }

    /// How many times noise has been drawn: see [`Body::noise`](crate::Body::noise).
    pub fn noise(&self) -> u64 {
        self.acting.random.draws
    }

    /// Restores [`Ensemble::noise`]. Errors: `Error::Order` in the middle of a step.
    pub fn set_noise(&mut self, draws: u64) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        self.acting.random.draws = draws;
        Ok(())
    }

    /// Number of degrees of freedom of the active bodies' rotation: their axes whose moment is not
    /// zero.
    pub fn degrees_of_freedom(&self) -> u64 {
        match self.inertias.shared_aligned() {
            Some(shared) => free_axes(shared) * self.active_count() as u64,
            None => self
                .active_bodies()
                .map(|body| free_axes(&self.inertias.of_body(body)))
                .sum(),
        }
    }
}

/// Number of axes whose moment is not zero.
fn free_axes(inertia: &PrincipalInertia<f64>) -> u64 {
    inertia.reciprocals.0.iter().filter(|x| **x != 0.0).count() as u64
}
