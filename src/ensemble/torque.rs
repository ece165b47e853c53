//! The torque on an ensemble: ready-made, with parameters for each body, or asked of the caller a chunk at a time.

use super::parameters::{Bodies, Parameter};
use crate::kernel::{Number, Vec3};
use crate::torque::{
    ConstantBody, ConstantWorld, Free, GravityGradient, LinearDrag, LinearFlow, ShearFlow, TopWeight, Torque,
    UniformField, VerticalField,
};
use std::convert::Infallible;

/// How the packed arrays of a [`ChunkTorque`] are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Array of structures: `orientation[4 i + c]`, `angular_velocity[3 i + c]`, `torque[3 i + c]`.
    Aos,
    /// Structure of arrays: `orientation[c count + i]` and so on; no transposition, the fastest.
    Soa,
}

/// The frame of the angular velocity and the torque.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// World axes.
    World,
    /// Each body's own.
    Body,
}

/// A torque that is asked for a chunk of bodies at a time.
pub trait ChunkTorque: Send + Sync {
    /// Writes the torque on the bodies `first .. first + count` (positions in the list of active bodies, where there is one).
    /// The arrays are packed, in the layout and frame it was registered with; `torque` comes as zeros. With more than one
    /// thread it is called from several at once.
    ///
    /// # Errors
    /// Any other number than 0 abandons the step.
    fn torque(
        &self,
        time: f64,
        first: usize,
        count: usize,
        orientation: &[f64],
        angular_velocity: &[f64],
        torque: &mut [f64],
    ) -> Result<(), i32>;
}

impl<F> ChunkTorque for F
where
    F: Fn(f64, usize, usize, &[f64], &[f64], &mut [f64]) -> Result<(), i32> + Send + Sync,
{
    fn torque(
        &self,
        time: f64,
        first: usize,
        count: usize,
        orientation: &[f64],
        angular_velocity: &[f64],
        torque: &mut [f64],
    ) -> Result<(), i32> {
        self(time, first, count, orientation, angular_velocity, torque)
    }
}

/// What acts on the bodies of an ensemble.
pub(crate) enum EnsembleTorque {
    Ready(ReadyMade),
    Callback { torque: Box<dyn ChunkTorque>, layout: Layout, frame: Frame },
}

/// The torques that need no callback.
#[derive(Debug)]
pub(crate) enum ReadyMade {
    Free,
    ConstantWorld(Parameter<3>),
    ConstantBody(Parameter<3>),
    UniformField {
        vectors_body: Parameter<3>,
        field_world: [f64; 3],
    },
    GravityGradient {
        direction_world: [f64; 3],
        gradients: Parameter<1>,
    },
    LinearDrag(Parameter<3>),
    /// The strain and the spin resistance of each body.
    ShearFlow {
        resistances: Parameter<6>,
        flow: LinearFlow<f64>,
    },
}

/// Gives the torque of a block of bodies: one for each kind, so that each is compiled into a loop of its own.
pub(super) trait Source {
    type At<N: Number>: Torque<N, Error = Infallible>;

    fn at<N: Number>(&self, bodies: &Bodies, i: usize) -> Self::At<N>;
}

/// Writes a source: what it holds, the torque it gives, and how.
macro_rules! source {
    ($name:ident($($field:ident: $type:ty),*) -> $torque:ident $(<$n:ident>)?, |$bodies:ident, $i:ident| $make:expr) => {
        pub(super) struct $name<'a>($(pub(super) &'a $type,)* pub(super) std::marker::PhantomData<&'a ()>);

        impl Source for $name<'_> {
            type At<N: Number> = $torque $(<$n>)?;

            #[inline(always)]
            fn at<N: Number>(&self, $bodies: &Bodies, $i: usize) -> Self::At<N> {
                let $name($($field,)* _) = self;
                let _ = ($bodies, $i);
                $make
            }
        }
    };
}

source!(FreeSource() -> Free, |bodies, i| Free);
source!(ConstantWorldSource(torque: Parameter<3>) -> ConstantWorld<N>, |bodies, i| ConstantWorld {
    torque: Vec3(torque.at(bodies, i))
});
source!(ConstantBodySource(torque: Parameter<3>) -> ConstantBody<N>, |bodies, i| ConstantBody {
    torque: Vec3(torque.at(bodies, i))
});
source!(UniformFieldSource(vectors: Parameter<3>, field: [f64; 3]) -> UniformField<N>, |bodies, i| UniformField {
    vector_body: Vec3(vectors.at(bodies, i)),
    field_world: Vec3(**field).splat_each(),
});
source!(VerticalFieldSource(vectors: Parameter<3>, field: f64) -> VerticalField<N>, |bodies, i| VerticalField {
    vector_body: Vec3(vectors.at(bodies, i)),
    field: N::splat(**field),
});
source!(TopWeightSource(lever: f64, force: f64) -> TopWeight<N>, |bodies, i| TopWeight {
    lever: N::splat(**lever),
    force: N::splat(**force),
});
source!(GravityGradientSource(direction: [f64; 3], gradients: Parameter<1>) -> GravityGradient<N>, |bodies, i| {
    let [gradient] = gradients.at(bodies, i);
    GravityGradient { direction_world: Vec3(**direction).splat_each(), gradient }
});
source!(LinearDragSource(coefficients: Parameter<3>) -> LinearDrag<N>, |bodies, i| LinearDrag {
    coefficients: Vec3(coefficients.at(bodies, i))
});
source!(ShearFlowSource(resistances: Parameter<6>, flow: LinearFlow<f64>) -> ShearFlow<N>, |bodies, i| {
    let [a1, a2, a3, b1, b2, b3] = resistances.at(bodies, i);
    ShearFlow {
        strain_resistance: Vec3([a1, a2, a3]),
        spin_resistance: Vec3([b1, b2, b3]),
        flow: flow.splat_each(),
    }
});
