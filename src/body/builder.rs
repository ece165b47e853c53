//! A body in one expression.

use super::Body;
use crate::error::Error;
use crate::inertia::Inertia;
use crate::method::Method;
use crate::torque::{FluidDrag, Langevin};
use nalgebra::{UnitQuaternion, Vector3};

/// What a body is made of: see [`Body::builder`].
#[derive(Clone, Debug)]
pub struct BodyBuilder {
    inertia: Inertia,
    orientation: UnitQuaternion<f64>,
    angular_velocity: AngularVelocity,
    time: f64,
    method: Method,
    drag: Option<FluidDrag<f64>>,
    rotor_momentum: Option<Vector3<f64>>,
    langevin: Option<Langevin>,
}

/// An angular velocity, as it was given.
#[derive(Clone, Copy, Debug)]
enum AngularVelocity {
    InWorld(Vector3<f64>),
    InBody(Vector3<f64>),
}

impl Body {
    /// Begins a body of this inertia: at rest, in the orientation of the world, at time 0, with
    /// the method PCDM, unless the builder is told otherwise.
    ///
    /// ```
    /// use quatint::nalgebra::{UnitQuaternion, Vector3};
    /// use quatint::{Body, Inertia, Method};
    ///
    /// let mut top = Body::builder(Inertia::from_moments(Vector3::new(1.0, 1.0, 0.5))?)
    ///     .orientation(UnitQuaternion::from_axis_angle(&Vector3::x_axis(), 0.3))
    ///     .angular_velocity_body(Vector3::new(0.0, 0.0, 20.0))
    ///     .method(Method::Splitting)
    ///     .build()?;
    /// assert_eq!(top.method(), Method::Splitting);
    /// # Ok::<(), quatint::Error>(())
    /// ```
    pub fn builder(inertia: Inertia) -> BodyBuilder {
        BodyBuilder {
            inertia,
            orientation: UnitQuaternion::identity(),
            angular_velocity: AngularVelocity::InBody(Vector3::zeros()),
            time: 0.0,
            method: Method::default(),
            drag: None,
            rotor_momentum: None,
            langevin: None,
        }
    }
}

impl BodyBuilder {
    /// The orientation, body to world.
    pub fn orientation(mut self, orientation: UnitQuaternion<f64>) -> Self {
        self.orientation = orientation;
        self
    }

    /// The angular velocity, world frame, rad/s.
    pub fn angular_velocity(mut self, angular_velocity: Vector3<f64>) -> Self {
        self.angular_velocity = AngularVelocity::InWorld(angular_velocity);
        self
    }

    /// The angular velocity, body frame, rad/s.
    pub fn angular_velocity_body(mut self, angular_velocity_body: Vector3<f64>) -> Self {
        self.angular_velocity = AngularVelocity::InBody(angular_velocity_body);
        self
    }

    /// The time of the body's clock.
    pub fn time(mut self, time: f64) -> Self {
        self.time = time;
        self
    }

    /// The integration method.
    pub fn method(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    /// A linear drag besides the torque: see [`Body::set_drag`].
    pub fn drag(mut self, drag: FluidDrag<f64>) -> Self {
        self.drag = Some(drag);
        self
    }

    /// The angular momentum of rotors in the body, body frame: see [`Body::set_rotor_momentum`].
    pub fn rotor_momentum(mut self, momentum_body: Vector3<f64>) -> Self {
        self.rotor_momentum = Some(momentum_body);
        self
    }

    /// Random torques besides the torque: see [`Body::set_langevin`].
    pub fn langevin(mut self, langevin: Langevin) -> Self {
        self.langevin = Some(langevin);
        self
    }

    /// Makes the body. Errors: those of [`Body::new`] and of the functions that set what the
    /// builder was told.
    pub fn build(self) -> Result<Body, Error> {
        let mut body = Body::new(self.inertia, self.orientation, Vector3::zeros())?;
        match self.angular_velocity {
            AngularVelocity::InWorld(omega) => body.set_state(self.orientation, omega)?,
            AngularVelocity::InBody(omega) => body.set_state_body(body.orientation(), omega)?,
        }
        body.set_time(self.time)?;
        body.set_method(self.method);
        body.set_drag(self.drag)?;
        body.set_rotor_momentum(self.rotor_momentum)?;
        body.set_langevin(self.langevin)?;
        Ok(body)
    }
}
