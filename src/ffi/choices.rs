//! The constants that choose among a few values, and the Rust values they stand for.
//!
//! `x_of` gives the value for a number, or refuses a number that is none of the constants;
//! `number_of_x` gives the number for a value.

use crate::memory::{Layout, ViewMut};
use crate::method::Method;
use crate::torque::Frame;
use crate::{Crossing, Error, SolveMethod, VelocityKind};

/// The components are given in the world frame.
pub const QI_FRAME_WORLD: i32 = 0;
/// The components are given in the body frame.
pub const QI_FRAME_BODY: i32 = 1;

/// Array of structs: `orientation[4 * i + c]`, `angular_velocity[3 * i + c]`, `torque[3 * i + c]`.
pub const QI_LAYOUT_AOS: i32 = 0;
/// Struct of arrays: `orientation[c * count + i]` and so on. This is the fastest layout, because
/// nothing is transposed.
pub const QI_LAYOUT_SOA: i32 = 1;

/// Quaternions stored as (w, x, y, z).
pub const QI_SCALAR_FIRST: i32 = 0;
/// Quaternions stored as (x, y, z, w).
pub const QI_SCALAR_LAST: i32 = 1;

/// Angular velocities in the world frame.
pub const QI_OMEGA_WORLD: i32 = 0;
/// Angular velocities in the body frame, as the integrator keeps them. With any other kind, the
/// bits are not those of a body stepped alone. (Nor are they for what rounding leaves about a
/// locked axis that is no body axis: bound arrays do not hold it.)
pub const QI_OMEGA_BODY: i32 = 1;
/// Angular momenta `I omega` in the world frame.
pub const QI_ANGMOM_WORLD: i32 = 2;
/// Angular momenta `I omega` in the body frame.
pub const QI_ANGMOM_BODY: i32 = 3;

/// PCDM, the default: order 2, two torque evaluations per step. F. Zhao, B. G. M. van Wachem, Acta
/// Mech. 224, 3091 (2013).
pub const QI_METHOD_PCDM: i32 = 0;
/// Order 2, one torque evaluation per step: half a kick, an exact free rotation, half a kick. The
/// method is reversible, and its energy error stays bounded.
pub const QI_METHOD_SPLITTING: i32 = 1;
/// Order 4, six torque evaluations per step, for torques that depend on orientation and time only.
/// Callbacks and the stage protocol are given NaN for the angular velocity: a torque that reads it
/// would lower the order to 1, so it is an error (QI_ERR_NON_FINITE) that names the cause. S.
/// Blanes, P. C. Moan, J. Comput. Appl. Math. 142, 313 (2002).
pub const QI_METHOD_SPLITTING_4: i32 = 2;
/// Order 4, four torque evaluations per step, for any torque: a commutator-free Runge-Kutta method.
/// E. Celledoni, A. Marthinsen, B. Owren, Future Gener. Comput. Syst. 19, 341 (2003).
pub const QI_METHOD_CF4: i32 = 3;
/// Order 6, eleven torque evaluations per step (with rotors ten), for torques that depend on
/// orientation and time only; see QI_METHOD_SPLITTING_4, also for the source.
pub const QI_METHOD_SPLITTING_6: i32 = 4;
/// Order 4, three torque evaluations per step, for torques that depend on orientation and time
/// only, as QI_METHOD_SPLITTING_4: force-gradient splitting. S. A. Chin, Phys. Lett. A 226, 344
/// (1997); I. P. Omelyan, J. Chem. Phys. 127, 044102 (2007).
pub const QI_METHOD_FORCE_GRADIENT: i32 = 5;
/// Overdamped rotation with noise, without inertia: one torque evaluation per step, weak order 1.
/// Without torque in a fluid at rest it is 2, except for the axes across a line, where it stays 1.
/// The method needs qi_set_langevin() or qi_set_ensemble_langevin(), with positive coefficients. It
/// neither uses nor changes the angular velocity, and gives torques NaN for it. Axes of zero moment
/// or that are locked must be body axes.
pub const QI_METHOD_BROWNIAN: i32 = 6;

/// Crossings of zero from negative to positive.
pub const QI_RISING: i32 = 1;
/// Crossings of zero from positive to negative.
pub const QI_FALLING: i32 = -1;
/// Crossings of zero in both directions.
pub const QI_ANY_CROSSING: i32 = 0;

/// DOP853, the default of qi_set_solve_method(): an explicit Runge-Kutta method of order 8.
pub const QI_SOLVE_NONSTIFF: i32 = 0;
/// RODAS, a Rosenbrock method of order 4, wherever it costs less than DOP853. It is meant for
/// torques that change faster than the motion, such as drag in a callback and stiff, damped
/// springs. E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, IV.7.
pub const QI_SOLVE_STIFF: i32 = 1;
/// Strang's splitting with the exact free rotation, extrapolated to an order from 4 to 20, for
/// torques that depend on orientation and time: it takes 0.2 to 0.8 times the torque evaluations of
/// DOP853 for the same error, the fewer the smaller the error, the weaker the torque and the
/// thinner the rod. Torque callbacks are given NaN for the angular velocity: a torque that reads it
/// is NaN, and the error says so. E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary
/// Differential Equations I, II.9.
pub const QI_SOLVE_SPLITTING: i32 = 2;

/// The number of the method in C.
pub(super) fn number_of_method(method: Method) -> i32 {
    match method {
        Method::Pcdm => QI_METHOD_PCDM,
        Method::Splitting => QI_METHOD_SPLITTING,
        Method::Splitting4 => QI_METHOD_SPLITTING_4,
        Method::Cf4 => QI_METHOD_CF4,
        Method::Splitting6 => QI_METHOD_SPLITTING_6,
        Method::ForceGradient => QI_METHOD_FORCE_GRADIENT,
        Method::Brownian => QI_METHOD_BROWNIAN,
    }
}

pub(super) fn method_of(number: i32) -> Result<Method, Error> {
    for &method in Method::ALL {
        if number_of_method(method) == number {
            return Ok(method);
        }
    }
    Err(Error::Invalid {
        name: "method",
        must: "must be QI_METHOD_PCDM, _SPLITTING, _SPLITTING_4, _CF4, _SPLITTING_6, _FORCE_GRADIENT or _BROWNIAN",
    })
}

pub(super) fn solve_method_of(method: i32) -> Result<SolveMethod, Error> {
    match method {
        QI_SOLVE_NONSTIFF => Ok(SolveMethod::Nonstiff),
        QI_SOLVE_STIFF => Ok(SolveMethod::Stiff),
        QI_SOLVE_SPLITTING => Ok(SolveMethod::Splitting),
        _ => Err(Error::Invalid {
            name: "method",
            must: "must be QI_SOLVE_NONSTIFF, QI_SOLVE_STIFF or QI_SOLVE_SPLITTING",
        }),
    }
}

pub(super) fn crossing_of(direction: i32) -> Result<Crossing, Error> {
    match direction {
        QI_RISING => Ok(Crossing::Rising),
        QI_FALLING => Ok(Crossing::Falling),
        QI_ANY_CROSSING => Ok(Crossing::Any),
        _ => Err(Error::Invalid {
            name: "direction",
            must: "must be QI_RISING, QI_FALLING or QI_ANY_CROSSING",
        }),
    }
}

pub(super) fn frame_of(frame: i32) -> Result<Frame, Error> {
    match frame {
        QI_FRAME_WORLD => Ok(Frame::World),
        QI_FRAME_BODY => Ok(Frame::Body),
        _ => Err(Error::Invalid {
            name: "frame",
            must: "must be QI_FRAME_WORLD or QI_FRAME_BODY",
        }),
    }
}

/// The number of the layout in C.
pub(super) fn number_of_layout(layout: Layout) -> i32 {
    match layout {
        Layout::Aos => QI_LAYOUT_AOS,
        Layout::Soa => QI_LAYOUT_SOA,
    }
}

pub(super) fn layout_of(layout: i32) -> Result<Layout, Error> {
    match layout {
        QI_LAYOUT_AOS => Ok(Layout::Aos),
        QI_LAYOUT_SOA => Ok(Layout::Soa),
        _ => Err(Error::Invalid {
            name: "layout",
            must: "must be QI_LAYOUT_AOS or QI_LAYOUT_SOA",
        }),
    }
}

pub(super) fn kind_of(kind: i32) -> Result<VelocityKind, Error> {
    match kind {
        QI_OMEGA_WORLD => Ok(VelocityKind::OmegaWorld),
        QI_OMEGA_BODY => Ok(VelocityKind::OmegaBody),
        QI_ANGMOM_WORLD => Ok(VelocityKind::AngularMomentumWorld),
        QI_ANGMOM_BODY => Ok(VelocityKind::AngularMomentumBody),
        _ => Err(Error::Invalid {
            name: "kind",
            must: "must be QI_OMEGA_WORLD, _OMEGA_BODY, _ANGMOM_WORLD or _ANGMOM_BODY",
        }),
    }
}

/// The array, with the scalar component of each quaternion where `order` says.
pub(super) fn ordered(data: ViewMut<4>, order: i32) -> Result<ViewMut<4>, Error> {
    match order {
        QI_SCALAR_FIRST => Ok(data),
        QI_SCALAR_LAST => Ok(data.scalar_last()),
        _ => Err(Error::Invalid {
            name: "order",
            must: "must be QI_SCALAR_FIRST or QI_SCALAR_LAST",
        }),
    }
}
