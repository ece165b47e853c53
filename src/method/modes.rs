//! The axes in which drag and noise are independent of each other, of any body, and the bodies that
//! Brownian motion is for. Both are looked at before the steps, and take more than arithmetic.

use super::langevin::{MODE_NUMBERS, Matrix, Modes};
use crate::error::{Error, check};
use crate::inertia::diagonalised;
use crate::kernel::{PrincipalInertia, RotationMatrix, Vec3};
use nalgebra::Matrix3;

const UNIT: Matrix<f64> = [
    Vec3([1.0, 0.0, 0.0]),
    Vec3([0.0, 1.0, 0.0]),
    Vec3([0.0, 0.0, 1.0]),
];

impl Modes<f64> {
    /// The modes of any body, with its coefficients in the body axes. `U = R (s I)^-½ Q`, where R
    /// leads from the principal axes to the body frame, and Q from the axes of A to the principal
    /// axes; the variances are then s, which is 1 or 2. (As reciprocals:
    /// `U⁻¹ = Qᵀ (s I) (s I)^-½ Rᵀ`.)
    pub fn new(inertia: &PrincipalInertia<f64>, coefficients: Vec3<f64>) -> Self {
        let Some(turn) = turn_of_axes(inertia) else {
            return Modes::aligned(inertia.reciprocals, coefficients);
        };
        let axes = turn.axes();
        // Moments and coefficients times powers of two give the same axes and noise: roots are
        // taken of numbers that such a factor changes by powers of 4.
        let of_inertia = one_or_two(inertia.reciprocals);
        let of_drag = one_or_two(coefficients);
        let roots = (inertia.reciprocals * (1.0 / of_inertia)).0.map(f64::sqrt);
        let coefficients_scaled = coefficients * (1.0 / of_drag);
        let mut a = Matrix3::zeros();
        for (i, j) in [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)] {
            let entry = roots[i] * roots[j] * axes[i].times(coefficients_scaled).dot(axes[j]);
            a[(i, j)] = entry;
            a[(j, i)] = entry;
        }
        let (rates, q) = diagonalised(a);
        let columns = q.to_matrix().axes();
        // about a locked axis, whose rate is 0, the velocity stays: there the scale is 1
        let mut scale = Vec3(roots);
        let mut inverse = Vec3(roots).times(inertia.moments * of_inertia);
        for k in 0..3 {
            if roots[k] == 0.0 {
                scale.0[k] = 1.0;
                inverse.0[k] = 1.0;
            }
        }
        let [to_body, from_body] =
            [scale, inverse].map(|scale| columns.map(|column| turn.rotate(column.times(scale))));
        let [x, y, z] = to_body.map(|column| column.0);
        let rows = [0, 1, 2].map(|k| Vec3([x[k], y[k], z[k]]));
        // rounding may make a rate negative where a coefficient is 0
        let rates = rates.map(|rate| rate.max(0.0));
        Modes {
            rates: Vec3(rates.into()) * of_inertia * of_drag,
            variances: Vec3::splat(of_inertia),
            axes: Some([
                rows,
                from_body,
                drawn_by_locked_axes(inertia, &turn, coefficients),
            ]),
        }
    }

    /// The modes as numbers, also if their axes are the body axes.
    pub(crate) fn numbers(&self) -> [f64; MODE_NUMBERS] {
        let none = [Vec3::splat(0.0); 3];
        let [[a, b, c], [d, e, f], [g, h, i]] = self.axes.unwrap_or([UNIT, UNIT, none]);
        let all = [self.rates, self.variances, a, b, c, d, e, f, g, h, i];
        std::array::from_fn(|k| all[k / 3].0[k % 3])
    }
}

/// 1 or 2: these numbers, which are not negative, divided by it are between the same powers of 4,
/// also where they are given times two.
fn one_or_two(numbers: Vec3<f64>) -> f64 {
    let greatest = numbers.0.into_iter().fold(0.0, f64::max);
    let (_, exponent) = libm::frexp(greatest);
    if exponent % 2 == 0 { 2.0 } else { 1.0 }
}

/// The matrix of [`Bath::drawn`], body frame. About a locked axis the body does not turn, so the
/// fluid slips there. Where the drag mixes the axes, this drives the rotation about the others to
/// `flow + x`, `Ĉᵤᵤ x = Ĉᵤₗ flowₗ` (u: unlocked, l: locked). Where Ĉᵤᵤ is singular, x has no part
/// that is not damped. It counts as singular where x would multiply the rounding errors of the flow
/// by more than 1e8.
fn drawn_by_locked_axes(
    inertia: &PrincipalInertia<f64>,
    turn: &RotationMatrix<f64>,
    coefficients: Vec3<f64>,
) -> Matrix<f64> {
    let axes = turn.axes();
    // Ĉ, in principal axes
    let c = [0, 1, 2].map(|i| [0, 1, 2].map(|j| axes[i].times(coefficients).dot(axes[j])));
    let least = f64::EPSILON * (c[0][0] + c[1][1] + c[2][2]);
    let (locked, unlocked): (Vec<usize>, Vec<usize>) =
        (0..3).partition(|&i| inertia.reciprocals.0[i] == 0.0);
    let mut drawn = [Vec3::splat(0.0); 3]; // rows, principal axes
    for &l in &locked {
        match unlocked[..] {
            [u] if c[u][u] > least => drawn[u].0[l] = c[u][l] / c[u][u],
            [u, v] => {
                let determinant = c[u][u] * c[v][v] - c[u][v] * c[u][v];
                let trace = c[u][u] + c[v][v];
                if determinant > least * trace {
                    let of_u = c[v][v] * c[u][l] - c[u][v] * c[v][l];
                    let of_v = c[u][u] * c[v][l] - c[u][v] * c[u][l];
                    drawn[u].0[l] = of_u / determinant;
                    drawn[v].0[l] = of_v / determinant;
                } else if trace > least {
                    // of rank 1, whose square is its trace times itself
                    drawn[u].0[l] = (c[u][u] * c[u][l] + c[u][v] * c[v][l]) / trace / trace;
                    drawn[v].0[l] = (c[u][v] * c[u][l] + c[v][v] * c[v][l]) / trace / trace;
                }
            }
            _ => {}
        }
    }
    let columns = UNIT.map(|axis| {
        let principal = turn.rotate_back(axis);
        turn.rotate(RotationMatrix(drawn).rotate(principal)).0
    });
    [0, 1, 2].map(|row| Vec3([columns[0][row], columns[1][row], columns[2][row]]))
}

/// The rotation from the principal axes to the body frame; `None` if they coincide, also if the
/// inertia counts as turned because the axes of other bodies are.
fn turn_of_axes(inertia: &PrincipalInertia<f64>) -> Option<RotationMatrix<f64>> {
    (inertia.is_turned && inertia.turn.0 != UNIT).then_some(inertia.turn)
}

/// Refuses a body whose motion needs inertia: one that could turn without drag.
pub(crate) fn check_diffusion(
    inertia: &PrincipalInertia<f64>,
    coefficients: Vec3<f64>,
) -> Result<(), Error> {
    let mut is_fit = true;
    for k in 0..3 {
        let has_zero_moment = inertia.reciprocals.0[k] == 0.0;
        let is_dragged = coefficients.0[k] > 0.0;
        if has_zero_moment {
            is_fit &= turn_of_axes(inertia).is_none();
        } else {
            is_fit &= is_dragged;
        }
    }
    check(
        is_fit,
        "coefficients",
        "must be positive in Brownian motion, and axes of zero moment must be body axes",
    )
}
