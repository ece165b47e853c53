//! The size of a time step: the numbers that decide whether a method is stable, and their bounds.

use crate::kernel::{PrincipalInertia, Vec3};
use std::fmt;

/// The effect of a step of length h on a motion. For torques that are a spring or a drag these are
/// the numbers of stability theory. They are in single precision, at most 3.4e38, because a greater
/// [`Error`](crate::Error) would slow down every step that returns one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSize {
    /// The bounds of the method that took the step.
    pub bounds: &'static Bounds,
    /// Turn per step, `|ω| h`, rad.
    pub turn: f32,
    /// `|h_r| h / I`, rad, for the momentum `h_r` of rotors: the nutation per step. The bound of
    /// the turn holds for it too.
    pub nutation: f32,
    /// `c h / I`, if the torque is a drag `−c ω` that the method takes explicitly: the part of ω
    /// that the torque takes away in a step, for the principal axis where it is greatest. 0 if the
    /// torque opposes no component of ω, or is not known.
    pub drag: f32,
    /// `T h² / I`, rad: the turn that the torque adds in a step. 0 if the torque is not known.
    pub spring_number: f32,
}

/// The greatest [`StepSize`] for a bounded motion (PCDM's turn: for some ten thousand steps). A
/// bound is infinite where any size will do. See `docs/methods.md`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Name of the method.
    pub method: &'static str,
    /// Bound of the turn per step, for a body that rotates freely about any axis. A rotation about
    /// a fixed principal axis has no bound.
    pub turn: f64,
    /// Bound of `c h / I`.
    pub drag: f64,
    /// Bound of `T h² / I` for a torque `−T sin θ` that pulls the body back; 0 if such swings grow
    /// at any step.
    pub spring_number: f64,
}

impl StepSize {
    /// The size of a step of `h` from a state; `torque_body` is `None` if the torque is not known.
    /// A torque that `resists` is taken implicitly, or checked before the step, so its drag is 0.
    pub(crate) fn of(
        bounds: &'static Bounds,
        resists: bool,
        h: f64,
        inertia: &PrincipalInertia<f64>,
        rotor: Option<Vec3<f64>>,
        omega_body: Vec3<f64>,
        torque_body: Option<Vec3<f64>>,
    ) -> StepSize {
        let h = h.abs();
        let omega = inertia.to_principal(omega_body);
        let acceleration = over_inertia(inertia, torque_body);
        let nutation = over_inertia(inertia, rotor);
        let mut drag = 0.0_f64;
        if !resists {
            for i in 0..3 {
                let opposing = -(acceleration.0[i] / omega.0[i]) * h; // may be NaN, from 0/0
                if opposing.is_finite() {
                    drag = drag.max(opposing);
                }
            }
        }
        StepSize {
            bounds,
            turn: single(length(omega) * h),
            nutation: single(length(nutation) * h),
            drag: single(drag),
            spring_number: single(length(acceleration) * h * h),
        }
    }
}

/// A momentum or a torque over the inertia, principal axes; 0 for `None`.
fn over_inertia(inertia: &PrincipalInertia<f64>, vector_body: Option<Vec3<f64>>) -> Vec3<f64> {
    inertia
        .to_principal(vector_body.unwrap_or(Vec3::splat(0.0)))
        .times(inertia.reciprocals)
}

/// The length of a vector, in units of its greatest component, whose square may overflow.
fn length(v: Vec3<f64>) -> f64 {
    let mut greatest = 0.0_f64;
    for x in v.0 {
        greatest = greatest.max(x.abs());
    }
    if greatest == 0.0 {
        return 0.0;
    }
    let mut sum = 0.0;
    for x in v.0 {
        sum += (x / greatest) * (x / greatest);
    }
    greatest * sum.sqrt()
}

/// In single precision; the greatest number in place of infinity.
fn single(x: f64) -> f32 {
    (x as f32).min(f32::MAX)
}

impl fmt::Display for StepSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bounds {
            method: name,
            turn,
            drag,
            spring_number,
        } = *self.bounds;
        write!(f, "before it the rotation per step was ")?;
        let numbers = [
            ("", self.turn, " rad", turn),
            (", that by the rotors ", self.nutation, " rad", turn),
            (", c h / I = ", self.drag, " for a drag", drag),
            (
                ", T h² / I = ",
                self.spring_number,
                " for a spring",
                spring_number,
            ),
        ];
        for (before, value, after, bound) in numbers {
            if value > 0.0 || before.is_empty() {
                write!(f, "{before}{value:.3e}{after}")?;
            }
            if bound == 0.0 && value > 0.0 {
                write!(f, " (under {name} swings grow at any step)")?;
            } else if f64::from(value) > bound {
                write!(f, " ({name} needs less than {bound})")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "../tests/unit/step_size.rs"]
mod tests;
