//! The torque on an ensemble: ready-made, with numbers of each body, or a callback for a chunk of
//! bodies.

use super::torque_loops::TorqueTask;
use crate::ensemble::Ensemble;
use crate::ensemble::bodies::parameters::{Parameter, TorqueParameters};
use crate::ensemble::bodies::stores::Store;
use crate::error::{Failure, finite};
use crate::memory::{Layout, View, boxed};
use crate::rotation::direction;
use crate::torque::{
    ConstantBody, ConstantWorld, GravityGradient, LinearDrag, ShearFlow, UniformField,
};
use crate::torque::{Frame, LinearFlow, PerBody, list_of_torques, resistances};

/// A torque callback for a chunk of bodies:
/// `|time, first, count, orientation, angular_velocity, torque| -> Result<(), i32>`.
///
/// It writes the torques of bodies `first .. first + count` (with a list of active bodies: of these
/// positions in it). The packed arrays have the layout and frame given to [`Ensemble::set_torque`];
/// `torque` is zero on entry. An error abandons the step. With more than one thread, several
/// threads call it at once. It may borrow for `'t`, as long as the ensemble lives.
pub type ChunkTorque<'t> =
    dyn Fn(f64, usize, usize, &[f64], &[f64], &mut [f64]) -> Result<(), i32> + Send + Sync + 't;

/// Defines the torques: none, a callback, and the ready-made ones, which do not depend on time.
macro_rules! ensemble_torque {
    ($($name:ident: $k:literal),*) => {
        pub(crate) enum EnsembleTorque<'t> {
            Free,
            Callback { torque: Box<ChunkTorque<'t>>, layout: Layout, frame: Frame },
            $($name(Box<TorqueParameters<$name<f64>, $k>>)),*
        }

        impl EnsembleTorque<'_> {
            pub(crate) fn acts(&self) -> bool {
                !matches!(self, EnsembleTorque::Free)
            }

            pub(crate) fn is_callback(&self) -> bool {
                matches!(self, EnsembleTorque::Callback { .. })
            }

            pub(crate) fn parameters(&self) -> Option<&dyn Store> {
                match self {
                    $(EnsembleTorque::$name(numbers) => Some(&numbers.each),)*
                    _ => None,
                }
            }

            pub(crate) fn parameters_mut(&mut self) -> Option<&mut dyn Store> {
                match self {
                    $(EnsembleTorque::$name(numbers) => Some(&mut numbers.each),)*
                    _ => None,
                }
            }

            pub(crate) fn resists(&self) -> bool {
                match self {
                    $(EnsembleTorque::$name(_) => <$name<f64> as PerBody<$k>>::RESISTS,)*
                    _ => false,
                }
            }

            /// Whether the torque resists, and this resistance is not that of the random torques,
            /// if there are some.
            pub(crate) fn resists_besides(&self, is_random: bool) -> bool {
                self.resists() && !(is_random && matches!(self, EnsembleTorque::ShearFlow(_)))
            }

            /// Writes the torques at some states, or the coefficients of their resistance. Those
            /// of a callback have been written by then: see `Forces::ask`.
            pub(crate) fn write_if_ready_made(&self, at: &mut TorqueTask) {
                match self {
                    $(EnsembleTorque::$name(numbers) => at.write::<false>(&**numbers),)*
                    _ => {}
                }
            }
        }
    };
}
list_of_torques!(ensemble_torque);

/// The ready-made torques. Each replaces the torque before. Parameters are copied.
/// # Errors
/// A number is not finite (with the first such body); `Error::Memory`; `Error::Order` (middle of a
/// step). Nothing has changed.
impl<'t> Ensemble<'_, 't> {
    /// A callback for a chunk of bodies. `frame`: of the angular velocities passed to it and of the
    /// torques it returns.
    ///
    /// ```
    /// use quatint::{Ensemble, Failure, Frame, Layout};
    ///
    /// let strengths = vec![1.0; 1000]; // borrowed by the callback
    /// let mut bodies = Ensemble::new(1000)?;
    /// let torque = |_time: f64, first, count, _q: &[f64], _omega: &[f64], torque: &mut [f64]| {
    ///     for (torque, strength) in torque.chunks_exact_mut(3).zip(&strengths[first..][..count]) {
    ///         torque[2] = *strength;
    ///     }
    ///     Ok(())
    /// };
    /// bodies.set_torque(Box::new(torque), Layout::Aos, Frame::World)?;
    /// bodies.step(0.1)?;
    /// assert_eq!(strengths.len(), 1000);
    /// # Ok::<(), Failure>(())
    /// ```
    pub fn set_torque(
        &mut self,
        torque: Box<ChunkTorque<'t>>,
        layout: Layout,
        frame: Frame,
    ) -> Result<(), Failure> {
        self.put_torque(EnsembleTorque::Callback {
            torque,
            layout,
            frame,
        })
    }

    /// No torque.
    pub fn set_free(&mut self) -> Result<(), Failure> {
        self.put_torque(EnsembleTorque::Free)
    }

    /// A constant torque on each body: see [`ConstantWorld`] and [`ConstantBody`].
    pub fn set_constant_torque(&mut self, torques: View<3>, frame: Frame) -> Result<(), Failure> {
        let each = self.parameter(torques)?;
        match frame {
            Frame::World => self.put_ready_made(EnsembleTorque::ConstantWorld, each, ()),
            Frame::Body => self.put_ready_made(EnsembleTorque::ConstantBody, each, ()),
        }
    }

    /// The torque `(R v) × F` of a uniform field, with a vector `v` for each body: see
    /// [`UniformField`].
    pub fn set_uniform_field(
        &mut self,
        vectors_body: View<3>,
        field_world: [f64; 3],
    ) -> Result<(), Failure> {
        let each = self.parameter(vectors_body)?;
        self.put_ready_made(
            EnsembleTorque::UniformField,
            each,
            finite("field_world", field_world)?,
        )
    }

    /// The gravity-gradient torque, with a gradient `μ/r³` for each body: see [`GravityGradient`].
    pub fn set_gravity_gradient(
        &mut self,
        direction_world: [f64; 3],
        gradients: View<1>,
    ) -> Result<(), Failure> {
        let direction_world = direction("direction_world", direction_world)?.0;
        self.put_ready_made(
            EnsembleTorque::GravityGradient,
            self.parameter(gradients)?,
            direction_world,
        )
    }

    /// Linear drag, with coefficients for each body in body axes: see [`LinearDrag`].
    pub fn set_linear_drag(&mut self, coefficients: View<3>) -> Result<(), Failure> {
        self.put_ready_made(
            EnsembleTorque::LinearDrag,
            self.parameter(coefficients)?,
            (),
        )
    }

    /// Jeffery's torque on ellipsoids in a linear flow, with semi-axes for each body: see
    /// [`ShearFlow`]. Semi-axes and viscosity must be positive. The velocity gradient is row-major,
    /// world frame.
    pub fn set_shear_flow(
        &mut self,
        semi_axes: View<3>,
        viscosity: f64,
        velocity_gradient: [f64; 9],
    ) -> Result<(), Failure> {
        self.check_count(&semi_axes)?;
        let flow = LinearFlow::new(finite("velocity_gradient", velocity_gradient)?);
        let each = Parameter::new(semi_axes, |axes| {
            let (strain, spin) = resistances(axes, viscosity)?;
            Ok([strain.x, strain.y, strain.z, spin.x, spin.y, spin.z])
        })?;
        self.put_ready_made(EnsembleTorque::ShearFlow, each, flow)
    }

    fn put_ready_made<T: PerBody<K>, const K: usize>(
        &mut self,
        of: fn(Box<TorqueParameters<T, K>>) -> EnsembleTorque<'t>,
        each: Parameter<K>,
        shared: T::Shared,
    ) -> Result<(), Failure> {
        self.put_torque(of(boxed(TorqueParameters { each, shared })?))
    }

    fn put_torque(&mut self, torque: EnsembleTorque<'t>) -> Result<(), Failure> {
        self.put("torque", |acting| &mut acting.torque, torque)?;
        Ok(())
    }
}
