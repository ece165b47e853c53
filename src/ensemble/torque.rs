//! The torque on an ensemble: ready-made, with parameters per body, or a callback for a chunk of bodies.

use super::Ensemble;
use super::parameters::Parameter;
use crate::error::{Failure, finite};
use crate::kernel::{Here, Number, PrincipalInertia, Vec3};
use crate::memory::{Bodies, Layout, View};
use crate::method::Choice;
use crate::rotation::direction;
use crate::torque::{
    ConstantBody, ConstantWorld, Frame, Free, GravityGradient, LinearDrag, LinearFlow, ShearFlow, TopWeight, Torque,
    UniformField, VerticalField, resistances,
};
use std::convert::Infallible;

/// A torque callback for a chunk of bodies: `|time, first, count, orientation, angular_velocity, torque| -> Result<(), i32>`.
///
/// It writes the torques of bodies `first .. first + count` (with a list of active bodies: of these positions in it). The
/// packed arrays have the layout and frame given to [`Ensemble::set_torque`]; `torque` is zero on entry. An error abandons the
/// step. With more than one thread, several threads call it at once.
pub type ChunkTorque = dyn Fn(f64, usize, usize, &[f64], &[f64], &mut [f64]) -> Result<(), i32> + Send + Sync;

pub(super) enum EnsembleTorque {
    Ready(ReadyMade),
    Callback { torque: Box<ChunkTorque>, layout: Layout, frame: Frame },
}

/// The torques without a callback. None depends on time.
#[derive(Debug)]
pub(super) enum ReadyMade {
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
    /// Strain and spin resistance of each body.
    ShearFlow {
        resistances: Parameter<6>,
        flow: LinearFlow<f64>,
    },
}

/// The ready-made torques. Each replaces the torque before. Parameters are copied.
/// # Errors
/// A number is not finite (with the first such body); `Error::Memory`; `Error::Order` (middle of a step). Nothing has changed.
impl Ensemble<'_> {
    /// A callback for a chunk of bodies. `frame`: of the angular velocities passed to it and of the torques it returns.
    pub fn set_torque(&mut self, torque: Box<ChunkTorque>, layout: Layout, frame: Frame) -> Result<(), Failure> {
        self.put_torque(|_| Ok(EnsembleTorque::Callback { torque, layout, frame }))
    }

    /// No torque.
    pub fn set_free(&mut self) -> Result<(), Failure> {
        self.put_ready_made(|_| Ok(ReadyMade::Free))
    }

    /// A constant torque on each body: see [`ConstantWorld`] and [`ConstantBody`].
    pub fn set_constant_torque(&mut self, torques: View<3>, frame: Frame) -> Result<(), Failure> {
        self.put_ready_made(|e| {
            let torques = e.parameter(torques)?;
            Ok(match frame {
                Frame::World => ReadyMade::ConstantWorld(torques),
                Frame::Body => ReadyMade::ConstantBody(torques),
            })
        })
    }

    /// The torque `(R v) × F` of a uniform field, with a vector `v` for each body: see [`UniformField`].
    pub fn set_uniform_field(&mut self, vectors_body: View<3>, field_world: [f64; 3]) -> Result<(), Failure> {
        self.put_ready_made(|e| {
            let vectors_body = e.parameter(vectors_body)?;
            Ok(ReadyMade::UniformField { vectors_body, field_world: finite("field_world", field_world)? })
        })
    }

    /// The gravity-gradient torque, with a gradient `μ/r³` for each body: see [`GravityGradient`].
    pub fn set_gravity_gradient(&mut self, direction_world: [f64; 3], gradients: View<1>) -> Result<(), Failure> {
        self.put_ready_made(|e| {
            let direction_world = direction("direction_world", direction_world)?.0;
            Ok(ReadyMade::GravityGradient { direction_world, gradients: e.parameter(gradients)? })
        })
    }

    /// Linear drag, with coefficients for each body in body axes: see [`LinearDrag`].
    pub fn set_linear_drag(&mut self, coefficients: View<3>) -> Result<(), Failure> {
        self.put_ready_made(|e| Ok(ReadyMade::LinearDrag(e.parameter(coefficients)?)))
    }

    /// Jeffery's torque on ellipsoids in a linear flow, with semi-axes for each body: see [`ShearFlow`]. Semi-axes and
    /// viscosity must be positive. The velocity gradient is row-major, world frame.
    pub fn set_shear_flow(
        &mut self,
        semi_axes: View<3>,
        viscosity: f64,
        velocity_gradient: [f64; 9],
    ) -> Result<(), Failure> {
        self.put_ready_made(|e| {
            e.check_count(&semi_axes)?;
            let flow = LinearFlow::new(finite("velocity_gradient", velocity_gradient)?);
            let resistances = Parameter::new(semi_axes, |axes| {
                let ([a, b, c], [d, e, f]) = resistances(axes, viscosity).map(|(strain, spin)| (strain.0, spin.0))?;
                Ok([a, b, c, d, e, f])
            })?;
            Ok(ReadyMade::ShearFlow { resistances, flow })
        })
    }

    fn put_ready_made(&mut self, make: impl FnOnce(&Self) -> Result<ReadyMade, Failure>) -> Result<(), Failure> {
        self.put_torque(|e| make(e).map(EnsembleTorque::Ready))
    }

    fn put_torque(&mut self, make: impl FnOnce(&Self) -> Result<EnsembleTorque, Failure>) -> Result<(), Failure> {
        let torque = make(self)?;
        self.check_no_step_begun()?;
        let choice = Choice { method: self.method, resists: self.drag.is_some() || torque.resists() };
        choice.check("torque")?;
        self.reserve_for(choice)?;
        self.begin_change()?;
        self.torque = torque;
        Ok(())
    }
}

impl EnsembleTorque {
    /// Whether there is a torque.
    pub(super) fn acts(&self) -> bool {
        !matches!(self, EnsembleTorque::Ready(ReadyMade::Free))
    }

    /// Whether it is known to depend on the angular velocity.
    pub(super) fn resists(&self) -> bool {
        matches!(self, EnsembleTorque::Ready(ReadyMade::LinearDrag(_) | ReadyMade::ShearFlow { .. }))
    }
}

impl ReadyMade {
    /// The torque on the `i`-th and following bodies, one per lane, body frame. For loops that serve any torque.
    #[inline(always)]
    pub(super) fn torque_body<N: Number>(
        &self,
        bodies: &Bodies,
        i: usize,
        here: &Here<N>,
        inertia: &PrincipalInertia<N>,
    ) -> Option<Vec3<N>> {
        Some(match self {
            ReadyMade::Free => return None,
            ReadyMade::ConstantWorld(torque) => ConstantWorld { torque: Vec3(torque.at(bodies, i)) }.at(here, inertia),
            ReadyMade::ConstantBody(torque) => ConstantBody { torque: Vec3(torque.at(bodies, i)) }.at(here, inertia),
            ReadyMade::UniformField { vectors_body, field_world } => {
                (vectors_body, field_world).at(bodies, i).at(here, inertia)
            }
            ReadyMade::GravityGradient { direction_world, gradients } => {
                let [gradient] = gradients.at(bodies, i);
                let direction_world = Vec3(*direction_world).splat_each();
                GravityGradient { direction_world, gradient }.at(here, inertia)
            }
            ReadyMade::LinearDrag(drag) => LinearDrag { coefficients: Vec3(drag.at(bodies, i)) }.at(here, inertia),
            ReadyMade::ShearFlow { resistances, flow } => {
                let [a1, a2, a3, b1, b2, b3] = resistances.at(bodies, i);
                let (strain_resistance, spin_resistance) = (Vec3([a1, a2, a3]), Vec3([b1, b2, b3]));
                ShearFlow { strain_resistance, spin_resistance, flow: flow.splat_each() }.at(here, inertia)
            }
        })
    }
}

/// The torques of a loop over bodies. A loop is compiled for each source.
pub(super) trait TorqueSource {
    type At<N: Number>: Torque<N, Error = Infallible>;

    fn at<N: Number>(&self, bodies: &Bodies, i: usize) -> Self::At<N>;
}

/// Implements [`TorqueSource`]: the parameters, the torque, and how to make it.
macro_rules! source {
    ($(#[$doc:meta])* $name:ty => $torque:ty, |$this:ident, $bodies:ident, $i:ident| $make:expr) => {
        impl TorqueSource for $name {
            type At<N: Number> = $torque;

            #[inline(always)]
            fn at<N: Number>(&self, $bodies: &Bodies, $i: usize) -> $torque {
                let ($this, _) = (self, ($bodies, $i));
                $make
            }
        }
    };
}

source!(Free => Free, |this, bodies, i| *this);
source!(TopWeight<f64> => TopWeight<N>, |this, bodies, i| TopWeight {
    lever: N::splat(this.lever),
    force: N::splat(this.force),
});
// The vector of each body, and the field along the third world axis.
source!((&Parameter<3>, f64) => VerticalField<N>, |this, bodies, i| VerticalField {
    vector_body: Vec3(this.0.at(bodies, i)),
    field: N::splat(this.1),
});
// The vector of each body, and the field.
source!((&Parameter<3>, &[f64; 3]) => UniformField<N>, |this, bodies, i| UniformField {
    vector_body: Vec3(this.0.at(bodies, i)),
    field_world: Vec3(*this.1).splat_each(),
});
// The torque on each body.
source!(&Parameter<3> => ConstantBody<N>, |this, bodies, i| ConstantBody {
    torque: Vec3(Parameter::at(this, bodies, i))
});
