//! DOP853, the Runge-Kutta method of order 8 by Dormand and Prince: HNW93, sections II.5, II.6 and
//! II.10.
//!
//! ```text
//!     yᵢ = y₀ + Σ aᵢⱼ kⱼ        kᵢ = h f(t₀ + cᵢ h, yᵢ)        y₁ = y₀ + Σ bⱼ kⱼ
//! ```
//!
//! A step takes 11 torque evaluations within it and one at its end, which is the first of the next
//! step. The coefficients are in [`super::tableau`].

use super::control::{ErrorEstimate, StepPlan};
use super::motion::{Equations, Rates, Unknowns};
use super::tableau::{
    AT, DENSE, DENSE_AT, DENSE_SLOPES, ERROR_3, ERROR_5, SLOPES, STAGES, Weights,
};
use crate::error::Error;
use crate::kernel::{State, Vec3};

/// The number of stages, with the stages that only dense output needs.
const ALL_STAGES: usize = 16;

/// The stages of the last step that was tried.
pub(super) struct Dop853 {
    /// `kᵢ`, the gains of the unknowns in the step at the rates of each stage.
    gains: [Unknowns; ALL_STAGES],
    /// What the unknowns gained in the step.
    gained: Unknowns,
    /// The end of the step.
    pub(super) end: State<f64>,
    /// The angular velocity of the last stage, which is at the end of the step but of lower order.
    last_omega: Vec3<f64>,
}

impl Dop853 {
    pub(super) fn new(start: &State<f64>) -> Self {
        // all of it is overwritten before it is read
        Dop853 {
            gains: [Unknowns::of(start); ALL_STAGES],
            gained: Unknowns::of(start),
            end: *start,
            last_omega: start.omega_body,
        }
    }

    /// Computes a step. `rates` are those of the start. An [`Error::Overflow`] or
    /// [`Error::TorqueNotFinite`] may only mean that the step is too long.
    pub(super) fn try_step(
        &mut self,
        motion: &mut Equations,
        plan: &StepPlan,
        start: &State<f64>,
        rates: &Rates,
    ) -> Result<ErrorEstimate, Error> {
        let y0 = Unknowns::of(start);
        self.gains[0] = y0.gain_at(rates, plan.h);
        self.take_stages(motion, plan, &y0)?;
        self.gained = self.weighted(SLOPES[STAGES - 1]);
        self.end = y0.plus(&self.gained).end_state();
        if !self.end.is_finite() {
            return Err(Error::Overflow {
                time: f64::NAN, // the integrator adds the time
                size: None,
            });
        }
        let third = self.gained.minus(&self.weighted(ERROR_3));
        Ok(ErrorEstimate::Explicit {
            fifth: self.weighted(ERROR_5).squared(),
            third: third.squared(),
        })
    }

    #[inline(always)]
    fn take_stages(
        &mut self,
        motion: &mut Equations,
        plan: &StepPlan,
        y0: &Unknowns,
    ) -> Result<(), Error> {
        self.take_stage::<1>(motion, plan, y0)?;
        self.take_stage::<2>(motion, plan, y0)?;
        self.take_stage::<3>(motion, plan, y0)?;
        self.take_stage::<4>(motion, plan, y0)?;
        self.take_stage::<5>(motion, plan, y0)?;
        self.take_stage::<6>(motion, plan, y0)?;
        self.take_stage::<7>(motion, plan, y0)?;
        self.take_stage::<8>(motion, plan, y0)?;
        self.take_stage::<9>(motion, plan, y0)?;
        self.take_stage::<10>(motion, plan, y0)?;
        self.last_omega = self.take_stage::<11>(motion, plan, y0)?;
        Ok(())
    }

    /// Takes one stage and returns its angular velocity. The stages are compiled one by one, with
    /// their weights as constants: a loop over stages and weights takes twice as many instructions.
    #[inline(always)]
    fn take_stage<const STAGE: usize>(
        &mut self,
        motion: &mut Equations,
        plan: &StepPlan,
        y0: &Unknowns,
    ) -> Result<Vec3<f64>, Error> {
        let y = self.added(*y0, SLOPES[STAGE - 1]);
        let here = y.state();
        let rates = motion.rates(plan.elapsed(AT[STAGE - 1]), &here)?;
        self.gains[STAGE] = y.gain_at(&rates, plan.h);
        Ok(here.omega_body)
    }

    /// The states within the last step that was tried. This takes three more torque evaluations.
    pub(super) fn dense(
        &mut self,
        motion: &mut Equations,
        plan: &StepPlan,
        start: &State<f64>,
        rates_at_end: &Rates,
    ) -> Result<Polynomial, Error> {
        let h = plan.h;
        let start = Unknowns::of(start);
        self.gains[STAGES] = Unknowns::of(&self.end).gain_at(rates_at_end, h);
        for (i, weights) in DENSE_SLOPES.iter().enumerate() {
            let y = self.added(start, weights);
            let elapsed = plan.elapsed(DENSE_AT[i]);
            let rates = motion.rates(elapsed, &y.state())?;
            self.gains[STAGES + 1 + i] = y.gain_at(&rates, h);
        }
        let at_start = self.gains[0].minus(&self.gained);
        let at_end = self.gained.minus(&self.gains[STAGES]).minus(&at_start);
        let [c3, c4, c5, c6] = DENSE.map(|weights| self.weighted(weights));
        Ok(Polynomial {
            start,
            coefficients: [self.gained, at_start, at_end, c3, c4, c5, c6],
            end_state: self.end,
        })
    }

    /// Whether the greatest rate in the motion, times the step, exceeds `bound`. Near the limit of
    /// stability the last stage and the end of the step, which are at the same time, show that
    /// rate: it is the ratio of the difference between their accelerations to the difference
    /// between their angular velocities. E. Hairer, G. Wanner, *Solving Ordinary Differential
    /// Equations II* (1996), IV.2.
    pub(super) fn changes_by_more_than(
        &self,
        bound: f64,
        acceleration_at_end: Vec3<f64>,
        h: f64,
    ) -> bool {
        let apart = self.end.omega_body - self.last_omega;
        let faster = acceleration_at_end * h - self.gains[STAGES - 1].omega_body();
        faster.dot(faster) > bound * bound * apart.dot(apart)
    }

    fn weighted(&self, weights: &Weights) -> Unknowns {
        let (stage, weight) = weights[0];
        self.added(self.gains[stage % ALL_STAGES].times(weight), &weights[1..])
    }

    /// Adds the newest gain last, so that a processor can add the others before it is known.
    #[inline(always)]
    fn added(&self, mut sum: Unknowns, weights: &Weights) -> Unknowns {
        for &(stage, weight) in weights {
            // `% ALL_STAGES` changes nothing and saves the check of the index
            sum = sum.plus(&self.gains[stage % ALL_STAGES].times(weight));
        }
        sum
    }
}

/// The dense output of DOP853, HNW93, II.6; the quaternion is then normalised:
///
/// ```text
///     y(θ) = y₀ + θ (c₀ + (1−θ)(c₁ + θ (c₂ + (1−θ)(c₃ + θ (c₄ + (1−θ)(c₅ + θ c₆))))))
/// ```
pub(super) struct Polynomial {
    start: Unknowns,
    coefficients: [Unknowns; 7],
    end_state: State<f64>,
}

impl Polynomial {
    /// The state at a part of the step, from 0 to 1. At 1 it has the bits of the step's end.
    pub(super) fn at(&self, part: f64) -> State<f64> {
        if part == 1.0 {
            return self.end_state;
        }
        let (state, _) = self.with_slope(part);
        state
    }

    /// The state at a part of the step, and its derivative by the part.
    #[inline(always)] // so that the compiler drops a derivative that nobody asked for
    pub(super) fn with_slope(&self, part: f64) -> (State<f64>, Unknowns) {
        let rest = 1.0 - part;
        let mut sum = self.coefficients[6].times(part);
        let mut slope = self.coefficients[6];
        for i in (0..6).rev() {
            let inner = sum.plus(&self.coefficients[i]);
            if i % 2 == 0 {
                slope = slope.times(part).plus(&inner);
                sum = inner.times(part);
            } else {
                slope = slope.times(rest).minus(&inner);
                sum = inner.times(rest);
            }
        }
        (self.start.plus(&sum).end_state(), slope)
    }
}
