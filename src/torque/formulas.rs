//! The ready-made torques of one formula each: constant, in a uniform field, in a central gravity
//! field, linear drag, and random torques, which are a drag with the noise that belongs to it.

use super::{on_each, ready_made};
use crate::error::{Error, check, finite};
use crate::kernel::{Number, PrincipalInertia, Rotor, TorqueState, Vec3};
use crate::rotation::direction;
use std::convert::Infallible;

/// A torque that is constant in the **world** frame.
#[derive(Clone, Copy, Debug)]
pub struct ConstantWorld<N = f64> {
    #[doc(hidden)]
    /// World frame.
    pub torque: Vec3<N>,
}

impl ConstantWorld<f64> {
    /// Errors: the torque must be finite.
    pub fn new(torque: [f64; 3]) -> Result<Self, Error> {
        Ok(ConstantWorld {
            torque: Vec3(finite("torque", torque)?),
        })
    }
}
ready_made!(
    ConstantWorld, asks_orientation: true, |me, here, _| here.to_world.rotate_back(me.torque)
);
on_each!(
    ConstantWorld,
    3,
    (),
    |each, ()| ConstantWorld { torque: Vec3(each) },
    |me| (me.torque.0, ())
);

/// A torque that is constant in the **body** frame, such as that of a thruster fixed to the body.
#[derive(Clone, Copy, Debug)]
pub struct ConstantBody<N = f64> {
    #[doc(hidden)]
    /// Body frame.
    pub torque: Vec3<N>,
}

impl ConstantBody<f64> {
    /// Errors: the torque must be finite.
    pub fn new(torque: [f64; 3]) -> Result<Self, Error> {
        Ok(ConstantBody {
            torque: Vec3(finite("torque", torque)?),
        })
    }
}
ready_made!(ConstantBody, asks_orientation: false, |me, _, _| me.torque);
on_each!(
    ConstantBody,
    3,
    (),
    |each, ()| ConstantBody { torque: Vec3(each) },
    |me| (me.torque.0, ())
);

/// The torque `(R(q) v) × F` of a uniform field: a weight `F` at the body point `v`, or a dipole
/// `v` in a field `F`.
#[derive(Clone, Copy, Debug)]
pub struct UniformField<N = f64> {
    #[doc(hidden)]
    /// Lever arm or dipole moment `v`, body frame.
    pub vector_body: Vec3<N>,
    #[doc(hidden)]
    /// Force or field `F`, world frame.
    pub field_world: Vec3<N>,
}

impl UniformField<f64> {
    /// Errors: both vectors must be finite.
    pub fn new(vector_body: [f64; 3], field_world: [f64; 3]) -> Result<Self, Error> {
        let vector_body = Vec3(finite("vector_body", vector_body)?);
        Ok(UniformField {
            vector_body,
            field_world: Vec3(finite("field_world", field_world)?),
        })
    }
}
ready_made!(
    UniformField, asks_orientation: true,
    |me, here, _| me.vector_body.cross(here.to_world.rotate_back(me.field_world))
);
on_each!(
    UniformField,
    3,
    [f64; 3],
    |each, field_world| UniformField {
        vector_body: Vec3(each),
        field_world: Vec3(*field_world).splat_each(),
    },
    |me| (me.vector_body.0, me.field_world.0)
);

/// [`UniformField`] with `F` along the third world axis and `v` along the third body axis (a top's
/// weight): the same bits with a fifth fewer operations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TopWeight<N> {
    /// `v₃`, body frame.
    pub(crate) lever: N,
    /// `F₃`, world frame.
    pub(crate) force: N,
}
ready_made!(TopWeight, asks_orientation: true, |me, here, _| {
    let [up_1, up_2, _] = here.to_world.0[2].0;
    Vec3([-(me.lever * (up_2 * me.force)), me.lever * (up_1 * me.force), N::splat(0.0)])
});

/// The gravity-gradient torque `3 μ/r³ n × (I n)` on a body much smaller than its orbit, with `n`
/// the constant direction to the attracting mass (Wertz, *Spacecraft Attitude Determination and
/// Control*, eq. 17-31).
#[derive(Clone, Copy, Debug)]
pub struct GravityGradient<N = f64> {
    #[doc(hidden)]
    /// Unit vector `n` along the line to the attracting mass, world frame. Its sign does not
    /// matter.
    pub direction_world: Vec3<N>,
    #[doc(hidden)]
    /// `μ/r³`, rad²/s²: on a circular orbit, the square of the orbital rate.
    pub gradient: N,
}

impl GravityGradient<f64> {
    /// Errors: both must be finite. The direction may have any length but 0.
    pub fn new(direction_world: [f64; 3], gradient: f64) -> Result<Self, Error> {
        let direction_world = direction("direction_world", direction_world)?;
        let [gradient] = finite("gradient", [gradient])?;
        Ok(GravityGradient {
            direction_world,
            gradient,
        })
    }
}

/// The torque for a direction `n` and `I n` in the body frame.
#[inline(always)]
pub(crate) fn gravity_gradient<N: Number>(
    n_body: Vec3<N>,
    in_body: Vec3<N>,
    gradient: N,
) -> Vec3<N> {
    n_body.cross(in_body) * (N::splat(3.0) * gradient)
}
ready_made!(GravityGradient, asks_orientation: true, |me, here, inertia| {
    let n_body = here.to_world.rotate_back(me.direction_world);
    gravity_gradient(n_body, inertia.times_tensor(n_body), me.gradient)
});
on_each!(
    GravityGradient,
    1,
    [f64; 3],
    ASKS_INERTIA,
    |[gradient], direction_world| GravityGradient {
        direction_world: Vec3(*direction_world).splat_each(),
        gradient
    },
    |me| ([me.gradient], me.direction_world.0)
);

/// Linear drag about each **body** axis: `τᵢ = −cᵢ ωᵢ`.
#[derive(Clone, Copy, Debug)]
pub struct LinearDrag<N = f64> {
    #[doc(hidden)]
    /// `(c₁, c₂, c₃)` in body axes: torque per angular velocity.
    pub coefficients: Vec3<N>,
}

impl LinearDrag<f64> {
    /// Errors: the coefficients must be finite. A negative coefficient drives the rotation.
    pub fn new(coefficients: [f64; 3]) -> Result<Self, Error> {
        Ok(LinearDrag {
            coefficients: Vec3(finite("coefficients", coefficients)?),
        })
    }
}
ready_made!(
    LinearDrag, asks_orientation: false, |me, here, _| -me.coefficients.times(here.omega_body),
    resistance: coefficients
);
on_each!(
    LinearDrag,
    3,
    (),
    RESISTS,
    |each, ()| LinearDrag {
        coefficients: Vec3(each)
    },
    |me| (me.coefficients.0, ())
);

/// Linear drag about each **body** axis toward the rotation of a fluid, `τᵢ = −cᵢ (ωᵢ − flowᵢ)`:
/// acts besides another torque.
#[derive(Clone, Copy, Debug)]
pub struct FluidDrag<N = f64> {
    #[doc(hidden)]
    /// `(c₁, c₂, c₃)` in body axes: torque per angular velocity.
    pub coefficients: Vec3<N>,
    #[doc(hidden)]
    /// Angular velocity of the fluid, world frame, rad/s.
    pub flow: Vec3<N>,
}

impl FluidDrag<f64> {
    /// Errors: the numbers must be finite. A negative coefficient drives the rotation.
    pub fn new(coefficients: [f64; 3], flow: [f64; 3]) -> Result<Self, Error> {
        let coefficients = Vec3(finite("coefficients", coefficients)?);
        Ok(FluidDrag {
            coefficients,
            flow: Vec3(finite("flow", flow)?),
        })
    }
}

ready_made!(FluidDrag, asks_orientation: true, |me, here, _| me.at(here), resistance: coefficients);

impl<N: Number> FluidDrag<N> {
    /// The drag at a state, body frame.
    #[inline(always)]
    pub(crate) fn at(&self, here: &TorqueState<N>) -> Vec3<N> {
        self.coefficients
            .times(here.to_world.rotate_back(self.flow) - here.omega_body)
    }
}

/// A drag and rotors of one body, which act besides its torque.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DragAndRotor<'r> {
    pub(crate) drag: Option<FluidDrag<f64>>,
    /// The rotors at the elapsed time `start`.
    pub(crate) rotor: Option<&'r Rotor<f64>>,
    pub(crate) start: f64,
}

impl DragAndRotor<'_> {
    /// Whether there is any.
    #[inline(always)]
    pub(crate) fn acts(&self) -> bool {
        self.drag.is_some() || self.rotor.is_some()
    }

    /// A torque, with the drag, the gyroscopic torque of the rotors and that of their motors, body
    /// frame, at a state and an elapsed time.
    #[inline(always)]
    pub(crate) fn added_to(
        &self,
        torque_body: Vec3<f64>,
        elapsed: f64,
        here: &TorqueState<f64>,
    ) -> Vec3<f64> {
        let mut total = torque_body;
        if let Some(drag) = &self.drag {
            total = total + drag.at(here);
        }
        if let Some(rotor) = self.rotor {
            let momentum = rotor.after(elapsed - self.start);
            total = total + momentum.cross(here.omega_body);
            if rotor.is_driven {
                total = total + rotor.motor;
            }
        }
        total
    }
}

/// The gyroscopic torque `h × ω` of rotors, for methods that do not rotate the body freely.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gyroscopic<N>(Vec3<N>);
ready_made!(Gyroscopic, asks_orientation: false, |me, here, _| me.0.cross(here.omega_body));
on_each!(Gyroscopic, 3, (), |each, ()| Gyroscopic(Vec3(each)), |me| (
    me.0.0,
    ()
));

/// Drag `−cᵢ (ωᵢ − flowᵢ)` about each body axis, with noise at the energy kT: see
/// [`Body::set_langevin`](crate::Body::set_langevin).
#[derive(Clone, Copy, Debug)]
pub struct Langevin {
    /// The drag.
    pub drag: FluidDrag<f64>,
    #[doc(hidden)]
    /// The energy kT.
    pub kt: f64,
    #[doc(hidden)]
    /// The seed of all noise of a simulation.
    pub seed: u64,
    #[doc(hidden)]
    /// The id of this body, on which its noise depends.
    pub id: u64,
}

impl Langevin {
    /// Errors: the numbers must be finite, coefficients and kT not negative.
    pub fn new(
        coefficients: [f64; 3],
        flow: [f64; 3],
        kt: f64,
        seed: u64,
        id: u64,
    ) -> Result<Self, Error> {
        let drag = FluidDrag::new(not_negative("coefficients", coefficients)?, flow)?;
        let [kt] = not_negative("kt", [kt])?;
        Ok(Langevin { drag, kt, seed, id })
    }
}

/// Returns the values if all are finite and none is negative.
pub(crate) fn not_negative<const N: usize>(
    name: &'static str,
    values: [f64; N],
) -> Result<[f64; N], Error> {
    check(
        !finite(name, values)?.iter().any(|value| *value < 0.0),
        name,
        "must not be negative",
    )?;
    Ok(values)
}
