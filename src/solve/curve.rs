//! The states within a step of the extrapolated splitting: a polynomial through the quaternions at
//! the start, in the middle and at the end, with their derivatives. The angular velocity is that of
//! the polynomial, `ω = 2 q̄ q′`.

use super::motion::{Equations, Rates, Unknowns, of_unit_length_to_rounding};
use crate::error::Error;
use crate::kernel::{PrincipalInertia, Quat, State, Vec3};
use crate::memory;

/// The nodes on each side of the middle of a step from which derivatives in the middle come.
pub(super) const BESIDE: usize = 5;

/// A state, what its quaternion has gained since the start of the step, and the second derivative
/// of the quaternion by the part of the step.
#[derive(Clone, Copy)]
pub(super) struct Knot {
    state: State<f64>,
    gained: Unknowns,
    second: Unknowns,
}

impl Knot {
    /// In a step of length `h`.
    pub(super) fn new(state: &State<f64>, gained: Unknowns, rates: &Rates, h: f64) -> Self {
        Knot {
            state: *state,
            gained,
            second: second_derivative(state, rates.acceleration, h),
        }
    }

    /// What the quaternion has gained, and its first two derivatives by the part of the step.
    fn derivatives(&self, h: f64) -> [Unknowns; 3] {
        let half_turn = self.state.omega_body * (0.5 * h);
        let first = self.state.q * Quat::from_parts(0.0, half_turn);
        [
            of_quaternion(self.gained.q()),
            of_quaternion(first),
            self.second,
        ]
    }
}

/// The polynomial through what the quaternion has gained since the start, which has smaller
/// rounding errors than the quaternion: its slope is the angular velocity. In Newton's form, `c₀ +
/// (θ − θ₀)(c₁ + (θ − θ₁)(c₂ + …`; a node θ occurs as often as there are conditions at this part of
/// the step.
pub(super) struct Curve {
    start: Quat<f64>,
    coefficients: Vec<Unknowns>,
    h: f64,
    inertia: PrincipalInertia<f64>,
    end_state: State<f64>,
}

/// The second derivative of the quaternion by the part of a step of length `h`:
/// `h² q ⊗ (−¼ |ω|², ½ ω′)`.
pub(super) fn second_derivative(state: &State<f64>, acceleration: Vec3<f64>, h: f64) -> Unknowns {
    let turn = state.omega_body * h;
    let bend = (acceleration * h) * h;
    of_quaternion(state.q * Quat::from_parts(-0.25 * turn.dot(turn), bend * 0.5))
}

fn of_quaternion(q: Quat<f64>) -> Unknowns {
    Unknowns::new(q, Vec3::splat(0.0))
}

impl Curve {
    /// `later`: the derivatives in the middle from the third on.
    pub(super) fn new(
        motion: &Equations,
        h: f64,
        [start, middle, end]: [Knot; 3],
        later: &[Unknowns],
    ) -> Result<Self, Error> {
        let [at_start, at_middle, at_end] = [start, middle, end].map(|knot| knot.derivatives(h));
        let count = later.len() + 9;
        let derivative = |node: f64, k: usize| {
            if node == 0.0 {
                at_start[k]
            } else if node == 1.0 {
                at_end[k]
            } else if k < 3 {
                at_middle[k]
            } else {
                later[k - 3]
            }
        };
        Ok(Curve {
            start: start.state.q,
            coefficients: divided_differences(count, derivative)?,
            h,
            inertia: *motion.inertia,
            end_state: end.state,
        })
    }

    /// The parts of the step at which the slope of the polynomial's error is greatest. With m
    /// conditions in the middle the error is as θ³ (½ − θ)ᵐ near the start, about θ³ e^(−2mθ), and
    /// its slope is greatest where 2mθ = 3 − √3. Elsewhere it is small, whatever the error is.
    pub(super) fn where_errors_are_steepest(&self) -> [f64; 2] {
        let in_the_middle = self.coefficients.len() - 6;
        let part = 0.634 / in_the_middle as f64;
        [part, 1.0 - part]
    }

    /// The state at a part of the step, from 0 to 1. At 1 it has the bits of the step's end.
    pub(super) fn at(&self, part: f64) -> State<f64> {
        if part == 1.0 || self.h == 0.0 {
            return self.end_state; // a part of a step may be too short for the clock
        }
        let (state, _) = self.with_slope(part);
        state
    }

    /// The state at a part of the step, and its derivative by the part.
    pub(super) fn with_slope(&self, part: f64) -> (State<f64>, Unknowns) {
        let count = self.coefficients.len();
        let mut q = self.coefficients[count - 1];
        let mut first = q.times(0.0);
        let mut half_second = first;
        for i in (0..count - 1).rev() {
            let apart = part - node(i, count);
            half_second = half_second.times(apart).plus(&first);
            first = first.times(apart).plus(&q);
            q = q.times(apart).plus(&self.coefficients[i]);
        }
        let q = of_quaternion(self.start).plus(&q).q();
        let [first, second] = [first.q(), half_second.times(2.0).q()];
        let per = 2.0 / q.norm_squared();
        let turn = (q.conjugate() * first).vector() * per; // h ω
        let lengthened = q.0.iter().zip(first.0).map(|(a, b)| a * b).sum::<f64>() * per;
        let bend = (q.conjugate() * second).vector() * per - turn * lengthened; // h² ω′
        let omega_body = turn * (1.0 / self.h);
        let state = State {
            q: of_unit_length_to_rounding(q),
            omega_body: omega_body - self.inertia.locked(omega_body),
        };
        let half_turn = Quat::from_parts(0.0, state.omega_body * (0.5 * self.h));
        (
            state,
            Unknowns::new(state.q * half_turn, bend * (1.0 / self.h)),
        )
    }
}

/// The part of the step of the i-th condition of `count`: three at the start and at the end, the
/// others in the middle.
fn node(i: usize, count: usize) -> f64 {
    if i < 3 {
        0.0
    } else if i + 3 < count {
        0.5
    } else {
        1.0
    }
}

/// Newton's coefficients: a table of divided differences, in which k + 1 equal nodes have the k-th
/// derivative over k!.
fn divided_differences(
    count: usize,
    derivative: impl Fn(f64, usize) -> Unknowns,
) -> Result<Vec<Unknowns>, Error> {
    let mut table = memory::repeated(count, derivative(0.0, 0))?; // the stack may be small
    for (i, value) in table.iter_mut().enumerate() {
        *value = derivative(node(i, count), 0);
    }
    let mut factorial = 1.0;
    for k in 1..count {
        factorial *= k as f64;
        for i in (k..count).rev() {
            let across = node(i, count) - node(i - k, count);
            table[i] = if across == 0.0 {
                derivative(node(i, count), k).times(1.0 / factorial)
            } else {
                table[i].minus(&table[i - 1]).times(1.0 / across)
            };
        }
    }
    Ok(table)
}

/// The derivatives in the middle from central differences, with n nodes in the unit of the part:
/// `δ²ᵏ` for the even ones, `μδ²ᵏ⁺¹` for the odd ones.
pub(super) fn differences(mut even: [Unknowns; 2 * BESIDE + 1], n: f64) -> [Unknowns; 2 * BESIDE] {
    let mut differences = [even[0]; 2 * BESIDE];
    let mut power = n;
    for k in 0..BESIDE {
        let odd = even[BESIDE + 1].minus(&even[BESIDE - 1]);
        differences[2 * k] = odd.times(0.5 * power);
        let before = even;
        for i in k + 1..2 * BESIDE - k {
            let after = before[i + 1].minus(&before[i]);
            even[i] = after.minus(&before[i].minus(&before[i - 1]));
        }
        differences[2 * k + 1] = even[BESIDE].times(power * n);
        power *= n * n;
    }
    differences
}
