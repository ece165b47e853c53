//! DOP853, the Runge-Kutta method of order 8 by Dormand and Prince: HNW93, sections II.5, II.6 and
//! II.10.
//!
//! ```text
//!     yᵢ = y₀ + Σ aᵢⱼ kⱼ        kᵢ = h f(t₀ + cᵢ h, yᵢ)        y₁ = y₀ + Σ bⱼ kⱼ
//! ```
//!
//! A step takes 11 torque evaluations within it and one at its end, which is the first of the next
//! step. Error estimates are of order 5 and 3, dense output of order 7. The coefficients are at the
//! end: zeros are left out, stages count from 0, and numbers are rounded from 30 digits.

use super::control::{ErrorEstimate, StepPlan};
use super::motion::{Equations, Rates, Unknowns};
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

/// Weights of the rates of earlier stages: number and weight.
type Weights = [(usize, f64)];

/// The number of stages, with that at the start.
const STAGES: usize = 12;

/// Where in a step stages 1 to 11 are, and its end.
#[rustfmt::skip]
const AT: [f64; 12] = [
    0.05260015195876773, 0.0789002279381516, 0.1183503419072274, 0.2816496580927726, 0.3333333333333333, 0.25,
    0.3076923076923077, 0.6512820512820513, 0.6, 0.8571428571428571, 1.0, 1.0,
];

/// The weights that lead there, of order 8 to the end, stage 12. Stage 0 is the start.
#[rustfmt::skip]
const SLOPES: [&Weights; 12] = [
    &[(0, 0.05260015195876773)],
    &[(0, 0.0197250569845379), (1, 0.0591751709536137)],
    &[(0, 0.02958758547680685), (2, 0.08876275643042054)],
    &[(0, 0.2413651341592667), (2, -0.8845494793282861), (3, 0.924834003261792)],
    &[(0, 0.037037037037037035), (3, 0.17082860872947386), (4, 0.12546768756682242)],
    &[(0, 0.037109375), (3, 0.17025221101954405), (4, 0.06021653898045596), (5, -0.017578125)],
    &[
        (0, 0.03709200011850479), (3, 0.17038392571223998), (4, 0.10726203044637328), (5, -0.015319437748624402),
        (6, 0.008273789163814023),
    ],
    &[
        (0, 0.6241109587160757), (3, -3.3608926294469414), (4, -0.868219346841726), (5, 27.59209969944671),
        (6, 20.154067550477894), (7, -43.48988418106996),
    ],
    &[
        (0, 0.47766253643826434), (3, -2.4881146199716677), (4, -0.590290826836843), (5, 21.230051448181193),
        (6, 15.279233632882423), (7, -33.28821096898486), (8, -0.020331201708508627),
    ],
    &[
        (0, -0.9371424300859873), (3, 5.186372428844064), (4, 1.0914373489967295), (5, -8.149787010746927),
        (6, -18.52006565999696), (7, 22.739487099350505), (8, 2.4936055526796523), (9, -3.0467644718982196),
    ],
    &[
        (0, 2.273310147516538), (3, -10.53449546673725), (4, -2.0008720582248625), (5, -17.9589318631188),
        (6, 27.94888452941996), (7, -2.8589982771350235), (8, -8.87285693353063), (9, 12.360567175794303),
        (10, 0.6433927460157636),
    ],
    &[
        (0, 0.054293734116568765), (5, 4.450312892752409), (6, 1.8915178993145003), (7, -5.801203960010585),
        (8, 0.3111643669578199), (9, -0.1521609496625161), (10, 0.20136540080403034), (11, 0.04471061572777259),
    ],
];

#[rustfmt::skip]
const ERROR_5: &Weights = &[
    (0, 0.01312004499419488), (5, -1.2251564463762044), (6, -0.4957589496572502), (7, 1.6643771824549864),
    (8, -0.35032884874997366), (9, 0.3341791187130175), (10, 0.08192320648511571), (11, -0.022355307863886294),
];

/// What the estimate of order 3 subtracts from the gain of the step.
const ERROR_3: &Weights = &[
    (0, 0.2440944881889764),
    (8, 0.7338466882816118),
    (11, 0.022058823529411766),
];

/// Stages 13 to 15, for dense output only.
const DENSE_AT: [f64; 3] = [0.1, 0.2, 0.7777777777777778];
#[rustfmt::skip]
const DENSE_SLOPES: [&Weights; 3] = [
    &[
        (0, 0.056167502283047954), (6, 0.25350021021662483), (7, -0.2462390374708025), (8, -0.12419142326381637),
        (9, 0.15329179827876568), (10, 0.00820105229563469), (11, 0.007567897660545699), (12, -0.008298),
    ],
    &[
        (0, 0.03183464816350214), (5, 0.028300909672366776), (6, 0.053541988307438566), (7, -0.05492374857139099),
        (10, -0.00010834732869724932), (11, 0.0003825710908356584), (12, -0.00034046500868740456),
        (13, 0.1413124436746325),
    ],
    &[
        (0, -0.42889630158379194), (5, -4.697621415361164), (6, 7.683421196062599), (7, 4.06898981839711),
        (8, 0.3567271874552811), (12, -0.0013990241651590145), (13, 2.9475147891527724), (14, -9.15095847217987),
    ],
];

/// The four highest coefficients of the dense output, in the form of [`super::dense`].
#[rustfmt::skip]
const DENSE: [&Weights; 4] = [
    &[
        (0, -8.428938276109013), (5, 0.5667149535193777), (6, -3.0689499459498917), (7, 2.38466765651207),
        (8, 2.117034582445028), (9, -0.871391583777973), (10, 2.2404374302607883), (11, 0.6315787787694688),
        (12, -0.08899033645133331), (13, 18.148505520854727), (14, -9.194632392478356), (15, -4.436036387594894),
    ],
    &[
        (0, 10.427508642579134), (5, 242.28349177525817), (6, 165.20045171727028), (7, -374.5467547226902),
        (8, -22.113666853125306), (9, 7.733432668472264), (10, -30.674084731089398), (11, -9.332130526430229),
        (12, 15.697238121770845), (13, -31.139403219565178), (14, -9.35292435884448), (15, 35.81684148639408),
    ],
    &[
        (0, 19.985053242002433), (5, -387.0373087493518), (6, -189.17813819516758), (7, 527.8081592054236),
        (8, -11.57390253995963), (9, 6.8812326946963), (10, -1.0006050966910838), (11, 0.7777137798053443),
        (12, -2.778205752353508), (13, -60.19669523126412), (14, 84.32040550667716), (15, 11.99229113618279),
    ],
    &[
        (0, -25.69393346270375), (5, -154.18974869023643), (6, -231.5293791760455), (7, 357.6391179106141),
        (8, 93.40532418362432), (9, -37.45832313645163), (10, 104.0996495089623), (11, 29.8402934266605),
        (12, -43.53345659001114), (13, 96.32455395918828), (14, -39.17726167561544), (15, -149.72683625798564),
    ],
];
