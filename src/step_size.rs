//! The size of a time step: the numbers that decide whether a method is stable, and their bounds.

use crate::kernel::{PrincipalInertia, Vec3};
use std::fmt;

/// What a step of length h does to a motion. For torques that are a spring or a drag these are the
/// numbers of stability theory. In single precision, at most 3.4e38: a greater
/// [`Error`](crate::Error) would slow down every step that returns one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSize {
    /// Of the method that took the step.
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
    pub swing: f32,
}

/// The greatest [`StepSize`] for a bounded motion (PCDM's turn: for some ten thousand steps);
/// infinite: any. See `docs/methods.md`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Name of the method.
    pub method: &'static str,
    /// Of the turn per step, for a body that rotates freely about any axis. A rotation about a
    /// fixed principal axis has no bound.
    pub turn: f64,
    /// Of `c h / I`.
    pub drag: f64,
    /// Of `T h² / I` for a torque `−T sin θ` that pulls the body back; 0: such swings grow at any
    /// step.
    pub swing: f64,
}

impl StepSize {
    /// Of a step of `h` from a state, under a torque that is known or not. One that `resists` is
    /// taken implicitly, or checked before the step.
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
        let over_inertia = |vector: Option<Vec3<f64>>| {
            inertia
                .to_principal(vector.unwrap_or(Vec3::splat(0.0)))
                .times(inertia.reciprocals)
        };
        let acceleration = over_inertia(torque_body);
        // in units of the greatest component, whose square may overflow
        let greatest = |v: Vec3<f64>| v.0.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let length = |v: Vec3<f64>| match greatest(v) {
            0.0 => 0.0,
            unit => {
                unit * v
                    .0
                    .iter()
                    .map(|x| (x / unit) * (x / unit))
                    .sum::<f64>()
                    .sqrt()
            }
        };
        // NaN for 0/0: not the greatest
        let opposing = |i: usize| -(acceleration.0[i] / omega.0[i]) * h;
        let drag = [0, 1, 2]
            .map(opposing)
            .into_iter()
            .filter(|drag| drag.is_finite() && !resists)
            .fold(0.0, f64::max);
        let [turn, nutation, swing] =
            [omega, over_inertia(rotor), acceleration].map(|v| length(v) * h);
        let [turn, nutation, drag, swing] =
            [turn, nutation, drag, swing * h].map(|x| (x as f32).min(f32::MAX));
        StepSize {
            bounds,
            turn,
            nutation,
            drag,
            swing,
        }
    }
}

impl fmt::Display for StepSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bounds {
            method: name,
            turn,
            drag,
            swing,
        } = *self.bounds;
        write!(f, "before it the turn per step was ")?;
        let numbers = [
            ("", self.turn, " rad", turn),
            (", that by the rotors ", self.nutation, " rad", turn),
            (", c h / I = ", self.drag, " for a drag", drag),
            (", T h² / I = ", self.swing, "", swing),
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
