//! The velocity gradient of the fluid at each body, in an array of the caller, which a flow solver
//! writes between the steps.

use super::torque_loops::TorqueSource;
use crate::ensemble::Ensemble;
use crate::ensemble::bodies::parameters::Parameter;
use crate::error::{Error, Failure, check, finite};
use crate::kernel::{MOST_LANES, Number};
use crate::memory::{Block, Bodies, View, blocks_for, boxed};
use crate::method::Change;
use crate::torque::{LinearFlow, ShearFlow};

/// Where the velocity gradients of a shear flow are.
pub(crate) enum FlowGradients<'a> {
    /// With the torque: all bodies share one.
    WithTorque,
    /// In the caller's array. In a box, because few ensembles have it.
    Bound(Box<View<'a, 9>>),
    /// Nowhere: the array was bound for other bodies.
    Released,
}

impl<'a> FlowGradients<'a> {
    pub(crate) fn bound(&self) -> Option<&View<'a, 9>> {
        match self {
            FlowGradients::Bound(gradients) => Some(gradients),
            FlowGradients::WithTorque | FlowGradients::Released => None,
        }
    }
}

/// Ellipsoids in a flow whose velocity gradient differs from body to body.
#[derive(Clone, Copy)]
pub(super) struct InFluid<'a> {
    /// As [`ShearFlow`] has them for each body.
    pub(super) resistances: &'a Parameter<6>,
    /// The gradients at the bodies of a chunk, in nine columns.
    pub(super) gradients: &'a [Block<10>],
}

impl InFluid<'_> {
    /// The flow at the `i`-th and the following bodies, one per lane.
    #[inline(always)]
    fn flow_at<N: Number>(&self, i: usize) -> LinearFlow<N> {
        let block = &self.gradients[i / MOST_LANES];
        LinearFlow::new(std::array::from_fn(|k| block.load(k, i % MOST_LANES)))
    }
}

impl TorqueSource for InFluid<'_> {
    type At<N: Number> = ShearFlow<N>;

    #[inline(always)]
    fn at<N: Number>(&self, bodies: &Bodies, i: usize) -> ShearFlow<N> {
        ShearFlow::of(self.resistances.at(bodies, i), self.flow_at(i))
    }
}

/// Reads the numbers of bodies to columns. Lanes without a body get zeros: a fluid at rest.
#[inline(never)]
pub(super) fn read_columns(from: &View<9>, bodies: &Bodies, to: &mut [Block<10>]) {
    let count = bodies.count();
    if let Some(last) = to[..blocks_for(count)].last_mut() {
        *last = Block::filled([0.0; 10]);
    }
    for i in 0..count {
        let numbers = from.get(bodies.get(i));
        let block = &mut to[i / MOST_LANES].0;
        for k in 0..9 {
            block[k][i % MOST_LANES] = numbers[k];
        }
    }
}

impl<'a> Ensemble<'a, '_> {
    /// From now on the torque of [`Ensemble::set_shear_flow`] reads the velocity gradient at each
    /// body in the caller's array, number 3 j + k being `∂u_j/∂x_k`, world frame
    /// ([`View::matrices`] takes any strides); `None`: it is again the one that all bodies share.
    /// See `qi_bind_flow_gradients`. Errors: [`Error::NotFinite`], with the first such body;
    /// [`Error::Capacity`]; [`Error::Order`] in the middle of a step; the array overlaps a bound
    /// one. Then nothing has changed.
    pub fn bind_flow_gradients(&mut self, gradients: Option<View<'a, 9>>) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        if let Some(gradients) = &gradients {
            self.check_count(gradients)?;
            check(
                !self.motion.states.bound.overlaps(gradients)
                    && !self.overlaps_predicted(gradients),
                gradients.name(),
                "must not overlap a bound array",
            )?;
            for body in self.active_bodies() {
                finite(gradients.name(), gradients.get(body))
                    .map_err(|error| Failure::of_body(body, error))?;
            }
        }
        let gradients = match gradients {
            Some(gradients) => FlowGradients::Bound(boxed(gradients)?),
            None => FlowGradients::WithTorque,
        };
        self.forget_torques()?;
        self.acting.fluid = gradients;
        Ok(())
    }

    /// Before steps in a shear flow. The caller may have written other gradients since the last
    /// ones, so a method that keeps the last torque asks for it anew. Errors: [`Error::Order`] if
    /// the array is gone.
    pub(crate) fn begin_in_flow(&mut self) -> Result<(), Error> {
        match self.acting.fluid {
            FlowGradients::WithTorque => {}
            FlowGradients::Bound(_) => {
                self.motion.checkpoint = None;
                self.motion.last.forget(Change::Forces);
            }
            FlowGradients::Released => {
                return Err(Error::Order(
                    "the flow gradients were bound for other bodies: bind them again, or NULL",
                ));
            }
        }
        Ok(())
    }

    /// The bodies are about to change: the array no longer belongs to them.
    pub(crate) fn release_flow_gradients(&mut self) {
        if let FlowGradients::Bound(_) = self.acting.fluid {
            self.acting.fluid = FlowGradients::Released;
        }
    }

    pub(crate) fn overlaps_flow_gradients<const K: usize>(&self, array: &View<K>) -> bool {
        match &self.acting.fluid {
            FlowGradients::Bound(gradients) => gradients.overlaps(array),
            FlowGradients::WithTorque | FlowGradients::Released => false,
        }
    }
}
