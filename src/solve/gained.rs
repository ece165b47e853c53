//! What a motion gains from the start of a step, and the rates of its stages.

use super::chart::chart;
use super::tableau::Weights;
use crate::kernel::{State, Vec3};

/// What a motion gains from the start of a step: rotation vector `u`, rad, and angular velocity, rad/s, body frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gained {
    pub(super) u: Vec3<f64>,
    pub(super) omega: Vec3<f64>,
}

/// The rates of the stages, times the step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rates {
    pub(super) u: [Vec3<f64>; 16],
    pub(super) omega: [Vec3<f64>; 16],
}

impl Rates {
    pub(super) fn zero() -> Self {
        Rates { u: [Vec3::splat(0.0); 16], omega: [Vec3::splat(0.0); 16] }
    }

    pub(super) fn weighted(&self, weights: &Weights) -> Gained {
        Gained { u: sum(&self.u, weights), omega: sum(&self.omega, weights) }
    }

    pub(super) fn at(&self, stage: usize) -> Gained {
        Gained { u: self.u[stage % 16], omega: self.omega[stage % 16] }
    }

    pub(super) fn put(&mut self, stage: usize, rate: Gained) {
        (self.u[stage % 16], self.omega[stage % 16]) = (rate.u, rate.omega);
    }
}

#[inline(always)]
pub(super) fn sum(rates: &[Vec3<f64>; 16], weights: &Weights) -> Vec3<f64> {
    let mut sum = Vec3::splat(0.0);
    for &(stage, weight) in weights {
        sum = sum + rates[stage % 16] * weight;
    }
    sum
}

/// The state after a gain; `None` if it overflows.
#[inline(always)]
pub(super) fn moved(start: &State<f64>, gained: &Gained) -> Option<State<f64>> {
    let (turn, _) = chart(gained.u)?;
    let state = State { q: (start.q * turn).renormalised(), omega_body: start.omega_body + gained.omega };
    state.omega_body.dot(state.omega_body).is_finite().then_some(state)
}
