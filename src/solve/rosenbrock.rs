//! RODAS, a Rosenbrock method for stiff torques: order 4 with an estimate of order 3, L-stable,
//! stiffly accurate. E. Hairer, G. Wanner, *Solving Ordinary Differential Equations II*, 2nd ed.,
//! Springer (1996), section IV.7; its coefficients are those of their program.
//!
//! The unknowns are the rotation vector `u` from the start of the step, and the turn `v = h ω` that
//! the angular velocity makes in a step, both in the body frame, in rad; the time is in units of
//! the step. With `a` the angular acceleration:
//! ```text
//!     u' = v + ½ u×v + c(|u|) u×(u×v)        c = (1 − x cot x)/(4x²), x = |u|/2        the inverse of dexp
//!     v' = h² a(t, q₀ exp(u), v/h)
//!     (1/γ − J) kᵢ = F(y₀ + Σ aᵢⱼ kⱼ) + Σ cᵢⱼ kⱼ + dᵢ ∂F/∂t        J = ∂F/∂y at the start
//! ```
//! Where J has great eigenvalues, the `k` contain the motion after their transients have decayed,
//! so steps may be longer than the transients.

use super::control::{SquaredError, StepPlan};
use super::motion::{Equations, of_unit_length_to_rounding};
use crate::error::Error;
use crate::kernel::{State, Vec3, exp};

const GAMMA: f64 = 0.25;
const AT: [f64; 6] = [0.0, 0.386, 0.21, 0.63, 1.0, 1.0];
const OF_TIME: [f64; 6] = [0.25, -0.1043, 0.1035, -0.0362, 0.0, 0.0];
const TO_STAGE: [&[f64]; 6] = [
    &[],
    &[1.544],
    &[0.9466785280815826, 0.2557011698983284],
    &[3.314825187068521, 2.896124015972201, 0.9986419139977817],
    &[
        1.221224509226641,
        6.019134481288629,
        12.53708332932087,
        -0.687886036105895,
    ],
    &[
        1.221224509226641,
        6.019134481288629,
        12.53708332932087,
        -0.687886036105895,
        1.0,
    ],
];
#[rustfmt::skip]
const OF_STAGES: [&[f64]; 6] = [
    &[],
    &[-5.6688],
    &[-2.430093356833875, -0.2063599157091915],
    &[-0.1073529058151375, -9.594562251023355, -20.47028614809616],
    &[7.496443313967647, -10.24680431464352, -33.99990352819905, 11.7089089320616],
    &[
        8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136,
        -6.058818238834054,
    ],
];
/// Of the dense output, of order 3.
const DENSE: [[f64; 5]; 2] = [
    [
        10.12623508344586,
        -7.487995877610167,
        -34.80091861555747,
        -7.992771707568823,
        1.025137723295662,
    ],
    [
        -0.6762803392801253,
        6.087714651680015,
        16.43084320892478,
        24.76722511418386,
        -6.594389125716872,
    ],
];

/// The farthest turn that a step is planned for, rad.
pub(super) const FARTHEST_STIFF: f64 = 1.0;

/// The square of the farthest turn of a stage, at which the series of [`dexp_inverse`] is exact to
/// 1e-10.
const FARTHEST_SQUARED: f64 = 2.0;

/// Increment of the angles for the difference quotients, in radians, and of the angular velocity in
/// units of the speed: half the digits.
const INCREMENT: f64 = 1.0 / (1 << 25) as f64;

/// Increment of the time, in units of the step: a compromise between rounding and curvature.
pub(super) const INCREMENT_OF_TIME: f64 = 1e-5;

/// The derivatives of the angular acceleration at the start of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slopes {
    acceleration: Vec3<f64>,
    /// By the rotation vector, for each body axis.
    by_turn: [Vec3<f64>; 3],
    /// By the angular velocity, for each body axis.
    by_omega: [Vec3<f64>; 3],
    by_time: Vec3<f64>,
}

impl Slopes {
    /// By difference quotients, from seven torque evaluations. `speed` is the scale of the angular
    /// velocity; `later` is the increment of the time.
    pub(super) fn new(
        motion: &mut Equations,
        plan: &StepPlan,
        state: &State<f64>,
        acceleration: Vec3<f64>,
        speed: f64,
        later: f64,
    ) -> Result<Self, Error> {
        let mut by_turn = [Vec3::splat(0.0); 3];
        let mut by_omega = [Vec3::splat(0.0); 3];
        for k in 0..3 {
            let turned = State {
                q: state.q * exp(along_axis(k, INCREMENT)),
                ..*state
            };
            let change = motion.acceleration(plan.start, &turned)? - acceleration;
            by_turn[k] = change * (1.0 / INCREMENT);

            let faster = State {
                omega_body: state.omega_body + along_axis(k, INCREMENT * speed),
                ..*state
            };
            let change = motion.acceleration(plan.start, &faster)? - acceleration;
            by_omega[k] = over(change, faster.omega_body.0[k] - state.omega_body.0[k]);

            // There is no rotation about a locked body axis. A derivative by it would be a great
            // number in the matrix, and its elimination would leave a rotation by rounding.
            let axis = along_axis(k, 1.0);
            if motion.inertia.locked(axis) == axis {
                by_omega[k] = Vec3::splat(0.0);
            }
        }
        let change = motion.acceleration(plan.start + later, state)? - acceleration;
        Ok(Slopes {
            acceleration,
            by_turn,
            by_omega,
            by_time: over(change, later),
        })
    }

    /// A bound of the rates in the motion, 1/s: nothing grows or decays faster than `e^(rate t)`,
    /// or oscillates faster.
    pub(super) fn rate(&self) -> f64 {
        norm(&self.by_omega) + norm(&self.by_turn).sqrt()
    }

    /// `1/γ − J`
    fn matrix(&self, v: Vec3<f64>, h: f64) -> [[f64; 6]; 6] {
        let mut matrix = [[0.0; 6]; 6];
        let [x, y, z] = (v * 0.5).0;
        let half_cross = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]; // ½ v×
        for i in 0..3 {
            for k in 0..3 {
                matrix[i][k] = half_cross[i][k];
                matrix[3 + i][k] = -(self.by_turn[k].0[i] * h) * h;
                matrix[3 + i][3 + k] = -self.by_omega[k].0[i] * h;
            }
            matrix[i][3 + i] = -1.0;
        }
        for i in 0..6 {
            matrix[i][i] += 1.0 / GAMMA;
        }
        matrix
    }
}

/// A vector of some length along a body axis.
fn along_axis(k: usize, size: f64) -> Vec3<f64> {
    let mut vector = Vec3::splat(0.0);
    vector.0[k] = size;
    vector
}

/// The Frobenius norm.
fn norm(columns: &[Vec3<f64>; 3]) -> f64 {
    columns.iter().map(|v| v.dot(*v)).sum::<f64>().sqrt()
}

/// A step, and the states within it.
#[derive(Clone, Copy, Debug)]
pub(super) struct StiffStep {
    start: State<f64>,
    h: f64,
    end: SixNumbers,
    bends: [SixNumbers; 2],
    pub(super) error: SquaredError,
}

impl StiffStep {
    /// Computes the planned step; `None` if it goes astray or overflows.
    pub(super) fn new(
        motion: &mut Equations,
        plan: &StepPlan,
        start: &State<f64>,
        slopes: &Slopes,
    ) -> Result<Option<Self>, Error> {
        let h = plan.h;
        let zero = Vec3::splat(0.0);
        let first = [zero, start.omega_body * h];
        let Some(matrix) = Factored::new(slopes.matrix(first[1], h)) else {
            return Ok(None);
        };
        let by_time = [zero, ((slopes.by_time * h) * h) * h];
        let mut k = [[zero; 2]; 6];
        let mut here = first;
        for stage in 0..6 {
            here = combined(first, TO_STAGE[stage], &k);
            let [u, v] = here;
            let acceleration = if stage == 0 {
                slopes.acceleration
            } else if u.dot(u) < FARTHEST_SQUARED {
                let elapsed = plan.start + AT[stage] * h;
                motion.acceleration(elapsed, &state(start, here, h))?
            } else {
                return Ok(None); // NaN too
            };
            let rate = [dexp_inverse(u, v), (acceleration * h) * h];
            let right = combined(rate, OF_STAGES[stage], &k);
            let right = combined(right, &[OF_TIME[stage]], &[by_time]);
            k[stage] = of_array(matrix.solved(as_array(right)));
        }
        let [turn, gained] = k[5];
        let curve = StiffStep {
            start: *start,
            h,
            end: combined(here, &[1.0], &k[5..]),
            bends: DENSE.map(|weights| combined([zero; 2], &weights, &k)),
            error: SquaredError::new(turn.dot(turn), over(gained, h)),
        };
        if curve.at(1.0).is_finite() {
            Ok(Some(curve))
        } else {
            Ok(None)
        }
    }

    /// The state at a part of the step, from 0 to 1.
    pub(super) fn at(&self, part: f64) -> State<f64> {
        let rest = 1.0 - part;
        let start = [Vec3::splat(0.0), self.start.omega_body * self.h];
        let [bend, twist] = self.bends;
        let y = [0, 1]
            .map(|i| start[i] * rest + (self.end[i] + (bend[i] + twist[i] * part) * rest) * part);
        state(&self.start, y, self.h)
    }
}

fn state(start: &State<f64>, [u, v]: SixNumbers, h: f64) -> State<f64> {
    State {
        q: of_unit_length_to_rounding(start.q * exp(u)),
        omega_body: over(v, h),
    }
}

fn over(v: Vec3<f64>, divisor: f64) -> Vec3<f64> {
    Vec3([v.0[0] / divisor, v.0[1] / divisor, v.0[2] / divisor]) // 1/divisor may overflow
}

/// The rate of a rotation vector `u` at the turn rate `v` in the body frame, with c by its series
/// in x² up to x¹².
fn dexp_inverse(u: Vec3<f64>, v: Vec3<f64>) -> Vec3<f64> {
    let y = 0.25 * u.dot(u);
    let series = [
        1.0 / 3.0,
        1.0 / 45.0,
        2.0 / 945.0,
        1.0 / 4725.0,
        2.0 / 93555.0,
        1382.0 / 638_512_875.0,
        4.0 / 18_243_225.0,
    ];
    let c = 0.25 * series.iter().rev().fold(0.0, |sum, term| sum * y + term);
    let cross = u.cross(v);
    v + cross * 0.5 + u.cross(cross) * c
}

/// `u` and `v`, or their rates.
type SixNumbers = [Vec3<f64>; 2];

/// `start + Σ weightₖ vectorₖ`
fn combined(start: SixNumbers, weights: &[f64], vectors: &[SixNumbers]) -> SixNumbers {
    let [mut u, mut v] = start;
    for (weight, vector) in weights.iter().zip(vectors) {
        u = u + vector[0] * *weight;
        v = v + vector[1] * *weight;
    }
    [u, v]
}

fn as_array([u, v]: SixNumbers) -> [f64; 6] {
    let [a, b, c] = u.0;
    let [d, e, f] = v.0;
    [a, b, c, d, e, f]
}

fn of_array([a, b, c, d, e, f]: [f64; 6]) -> SixNumbers {
    [Vec3([a, b, c]), Vec3([d, e, f])]
}

/// The matrix of six linear equations, as the product of triangular ones, and the order of its
/// rows.
struct Factored {
    triangles: [[f64; 6]; 6],
    order: [usize; 6],
}

impl Factored {
    /// Exchanges rows so that the greatest element of a column divides the others. `None` if the
    /// matrix is singular or not finite.
    fn new(mut matrix: [[f64; 6]; 6]) -> Option<Self> {
        let mut order = [0, 1, 2, 3, 4, 5];
        for column in 0..6 {
            let mut greatest = column;
            for row in column..6 {
                if matrix[row][column].abs() > matrix[greatest][column].abs() {
                    greatest = row;
                }
            }
            let size = matrix[greatest][column].abs();
            if !(size > 0.0 && size.is_finite()) {
                return None;
            }
            matrix.swap(column, greatest);
            order.swap(column, greatest);
            let pivot = matrix[column];
            for row in &mut matrix[column + 1..] {
                let factor = row[column] / pivot[column];
                row[column] = factor;
                for k in column + 1..6 {
                    row[k] -= factor * pivot[k];
                }
            }
        }
        Some(Factored {
            triangles: matrix,
            order,
        })
    }

    /// The solution of the equations with this right side.
    fn solved(&self, right: [f64; 6]) -> [f64; 6] {
        let matrix = &self.triangles;
        let mut x = self.order.map(|row| right[row]);
        for row in 0..6 {
            for k in 0..row {
                x[row] -= matrix[row][k] * x[k];
            }
        }
        for row in (0..6).rev() {
            for k in row + 1..6 {
                x[row] -= matrix[row][k] * x[k];
            }
            x[row] /= matrix[row][row];
        }
        x
    }
}
