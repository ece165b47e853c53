//! The damping by a linear drag, and the functions by which methods take it implicitly.
//!
//! In principal axes `ω' = … − I⁻¹ Ĉ ω`, with the coefficients `Ĉ = Rᵀ C R` of the drag about
//! these axes. Where they are those of the drag, Ĉ is diagonal, and so is `z = h I⁻¹ Ĉ`.
//! Otherwise z is similar to a symmetric matrix, `S h Ĉ S` with `S = I^-½`, so it is eliminated
//! without pivots. (Without S, too, whose roots would make an ulp of a factor of two in the
//! units. With the torque of rotors the symmetric part is still positive.) The functions of z,
//!
//! ```text
//!     φ₁ = (1 + z/6)/n        φ₂ = (½ + z/6)/n        φ₃ = (1/6 + z/12)/n        n = 1 + ⅔z + z²/6
//! ```
//!
//! have one denominator, `n = ((z + 2)² + 2)/6`. So one complex system gives all of them, without
//! the square of z, in which the slow part of a drag would be lost beside the fast part:
//!
//! ```text
//!     y = (z + 2 − i√2)⁻¹ v:        φ₁ v = Re y + 2√2 Im y        φ₂ v = Re y + Im y/√2        φ₃ v = ½ Re y
//! ```
//!
//! The result does not depend on the units, nor on the choice of axes of a body of revolution.

use crate::kernel::{Number, PrincipalInertia, Vec3, each_if_at_most};

/// `I⁻¹ Ĉ` of a body, 1 per unit of time, in principal axes.
///
/// No field is uninitialised or `None`, also where a diagonal damping does not need it: the
/// compiler may compute both ways, and products with arbitrary bits can be slow.
#[derive(Clone, Copy, Debug)]
pub struct Damping<N> {
    /// Those of the drag, about the body axes.
    coefficients: Vec3<N>,
    /// Whether the tensor is not diagonal, in some lane: the axes of the drag are not the principal
    /// axes, or there are rotors.
    is_full: bool,
    /// 0 beside the diagonal, if the damping is not full.
    tensor: Tensor<N>,
}

/// A matrix, 0 in the rows and, beside the diagonal, in the columns of locked axes.
#[derive(Clone, Copy, Debug)]
struct Tensor<N> {
    diagonal: Vec3<N>,
    /// The elements 23, 31, 12.
    upper: Vec3<N>,
    /// The elements 32, 13, 21.
    lower: Vec3<N>,
}

/// [`Damping`] over a duration: z, and its functions.
pub struct Dampened<N> {
    diagonal: Vec3<N>,
    phis: [Vec3<N>; 3],
    /// More than 0 in lanes where z is not diagonal. Beside `full`, because the compiler may compare
    /// it before it looks whether there is one.
    is_mixed: N,
    full: Option<Full<N>>,
}

struct Full<N> {
    /// z
    tensor: Tensor<N>,
    factors: Factors<N>,
}

/// A vector times each of the three functions.
pub struct Applied<N> {
    /// `φ₁ v`
    pub first: Vec3<N>,
    /// `φ₂ v`
    pub second: Vec3<N>,
    /// `φ₃ v`
    pub third: Vec3<N>,
}

impl<N: Number> Damping<N> {
    /// No drag.
    #[inline(always)]
    pub fn none() -> Self {
        Damping::diagonal(Vec3::splat(0.0), Vec3::splat(0.0))
    }

    #[inline(always)]
    fn diagonal(coefficients: Vec3<N>, rates: Vec3<N>) -> Self {
        let zero = Vec3::splat(0.0);
        let tensor = Tensor {
            diagonal: rates,
            upper: zero,
            lower: zero,
        };
        Damping {
            coefficients,
            is_full: false,
            tensor,
        }
    }

    /// The damping by a drag with these coefficients about the body axes.
    #[inline(always)]
    pub fn new(inertia: &PrincipalInertia<N>, coefficients_body: Vec3<N>) -> Self {
        if !inertia.is_turned {
            let rates = coefficients_body.times(inertia.reciprocals);
            return Damping::diagonal(coefficients_body, rates);
        }
        let [x, y, z] = inertia.turn.axes();
        let [cx, cy, cz] = [
            x.times(coefficients_body),
            y.times(coefficients_body),
            z.times(coefficients_body),
        ];
        let [r1, r2, r3] = inertia.reciprocals.0;
        let c23 = unless_locked(r2, r3, cy.dot(z));
        let c31 = unless_locked(r3, r1, cz.dot(x));
        let c12 = unless_locked(r1, r2, cx.dot(y));
        let tensor = Tensor {
            diagonal: Vec3([cx.dot(x), cy.dot(y), cz.dot(z)]).times(inertia.reciprocals),
            upper: Vec3([c23 * r2, c31 * r3, c12 * r1]),
            lower: Vec3([c23 * r3, c31 * r1, c12 * r2]),
        };
        Damping {
            coefficients: coefficients_body,
            is_full: true,
            tensor,
        }
    }

    /// `C ω`, body axes: the torque of the drag in a fluid at rest is its opposite.
    #[inline(always)]
    pub fn resistance(&self, omega_body: Vec3<N>) -> Vec3<N> {
        self.coefficients.times(omega_body)
    }

    /// The sum of the squares of the entries of `I^-½ Ĉ I^-½`, which does not depend on the axes.
    #[inline(always)]
    pub fn rate_squared(&self) -> N {
        let Tensor {
            diagonal,
            upper,
            lower,
        } = self.tensor;
        diagonal.dot(diagonal) + upper.dot(lower) * N::splat(2.0)
    }

    /// The damping and the gyroscopic torque of rotors of this momentum: `I⁻¹ (Ĉ − [h]×)`.
    #[inline(always)]
    pub fn with_rotors(mut self, inertia: &PrincipalInertia<N>, momentum_body: Vec3<N>) -> Self {
        let [h1, h2, h3] = inertia.to_principal(momentum_body).0;
        let [r1, r2, r3] = inertia.reciprocals.0;
        let h1 = unless_locked(r2, r3, h1);
        let h2 = unless_locked(r3, r1, h2);
        let h3 = unless_locked(r1, r2, h3);
        let Tensor { upper, lower, .. } = self.tensor;
        self.tensor.upper = upper + Vec3([h1 * r2, h2 * r3, h3 * r1]);
        self.tensor.lower = lower - Vec3([h1 * r3, h2 * r1, h3 * r2]);
        self.is_full = true;
        self
    }

    /// The damping by a drag with the magnitudes of the coefficients, which may be negative.
    #[inline(always)]
    pub fn magnitude(&self, inertia: &PrincipalInertia<N>) -> Self {
        let opposite = -self.coefficients;
        let [x, y, z] = opposite.0;
        if !(x.any_above(0.0) || y.any_above(0.0) || z.any_above(0.0)) {
            return *self;
        }
        let mut magnitudes = self.coefficients;
        for k in 0..3 {
            let opposite = opposite.0[k];
            magnitudes.0[k] = opposite.if_at_most(0.0, magnitudes.0[k], opposite);
        }
        Damping::new(inertia, magnitudes)
    }

    /// The harmonic mean of the rates at which the drag slows the rotation about the free axes:
    /// small where one of them is, and at most 0 if one is.
    #[inline(always)]
    pub fn harmonic_mean(&self, inertia: &PrincipalInertia<N>) -> N {
        let [zero, one] = [N::splat(0.0), N::splat(1.0)];
        let size = (self.rate_squared() + N::splat(f64::MIN_POSITIVE)).sqrt();
        let per_size = one / size;
        let mut diagonal = self.tensor.diagonal * per_size;
        let upper = self.tensor.upper * per_size;
        let lower = self.tensor.lower * per_size;
        let mut free = zero;
        for k in 0..3 {
            let reciprocal = inertia.reciprocals.0[k];
            diagonal.0[k] = reciprocal.if_at_most(0.0, N::splat(1e9), diagonal.0[k]);
            free = free + reciprocal.if_at_most(0.0, zero, one);
        }
        let [d1, d2, d3] = diagonal.0;
        let [z23, z31, z12] = upper.0;
        let [z32, z13, z21] = lower.0;
        let m1 = d2 * d3 - z23 * z32;
        let m2 = d3 * d1 - z31 * z13;
        let m3 = d1 * d2 - z12 * z21;
        let determinant = d1 * m1 - (z12 * (z21 * d3 - z23 * z31) - z13 * (z21 * z32 - d2 * z31));
        let minors = (m1 + m2) + m3;
        // the minors may be 0 where coefficients are, or are of both signs
        let mean = (determinant * minors) / (minors * minors + N::splat(1e-200));
        (size * free) * mean
    }

    /// The damping over a duration.
    #[inline(always)]
    pub fn over(&self, duration: f64) -> Dampened<N> {
        let h = N::splat(duration);
        let tensor = Tensor {
            diagonal: self.tensor.diagonal * h,
            upper: self.tensor.upper * h,
            lower: self.tensor.lower * h,
        };
        let mut full = None;
        let mut is_mixed = N::splat(0.0);
        if self.is_full {
            is_mixed = tensor.upper.dot(tensor.upper);
            full = Some(Full {
                factors: Factors::new(&tensor),
                tensor,
            });
        }
        Dampened {
            diagonal: tensor.diagonal,
            phis: phis(tensor.diagonal),
            is_mixed,
            full,
        }
    }
}

impl<N: Number> Dampened<N> {
    /// `z v`, in principal axes.
    #[inline(always)]
    pub fn of(&self, v: Vec3<N>) -> Vec3<N> {
        match &self.full {
            None => self.diagonal.times(v),
            Some(full) => full.tensor.times(v),
        }
    }

    /// The three functions of z, times a vector in principal axes. Lanes whose z is diagonal have
    /// the bits of a damping that is diagonal in all lanes.
    #[inline(always)]
    pub fn phis_times(&self, v: Vec3<N>) -> Applied<N> {
        let [phi1, phi2, phi3] = self.phis;
        let mut applied = Applied {
            first: phi1.times(v),
            second: phi2.times(v),
            third: phi3.times(v),
        };
        if let Some(full) = &self.full {
            let [real, imaginary] = full.factors.solved(v);
            let first = real + imaginary * N::splat(2.0 * std::f64::consts::SQRT_2);
            let second = real + imaginary * N::splat(std::f64::consts::FRAC_1_SQRT_2);
            let third = real * N::splat(0.5);
            applied = Applied {
                first: if_mixed(self.is_mixed, first, applied.first),
                second: if_mixed(self.is_mixed, second, applied.second),
                third: if_mixed(self.is_mixed, third, applied.third),
            };
        }
        applied
    }

    /// `a z (a z + b)⁻¹ v` in principal axes, for numbers of at least 0 and z that damps: about
    /// stiff axes v, about others 0. b is raised above the rounding of z, which may be singular.
    #[inline(always)]
    pub fn stiff_part(&self, a: N, b: N, v: Vec3<N>) -> Vec3<N> {
        let right = self.of(v) * a;
        let mut diagonal = self.diagonal * a;
        let [d1, d2, d3] = diagonal.0;
        let b = b + ((d1 + d2) + d3) * N::splat(OVER_ROUNDING) + N::splat(NOT_ZERO);
        for k in 0..3 {
            diagonal.0[k] = diagonal.0[k] + b;
        }
        let mut part = right;
        for k in 0..3 {
            part.0[k] = right.0[k] / diagonal.0[k];
        }
        if let Some(full) = &self.full {
            let tensor = Tensor {
                diagonal,
                upper: full.tensor.upper * a,
                lower: full.tensor.lower * a,
            };
            part = if_mixed(self.is_mixed, tensor.solved(right), part);
        }
        part
    }
}

impl<N: Number> Tensor<N> {
    #[inline(always)]
    fn times(&self, v: Vec3<N>) -> Vec3<N> {
        let [z23, z31, z12] = self.upper.0;
        let [z32, z13, z21] = self.lower.0;
        let [v1, v2, v3] = v.0;
        self.diagonal.times(v)
            + Vec3([
                z12 * v2 + z13 * v3,
                z21 * v1 + z23 * v3,
                z31 * v1 + z32 * v2,
            ])
    }

    /// The solution of three equations, by elimination without pivots.
    #[inline(always)]
    fn solved(&self, right: Vec3<N>) -> Vec3<N> {
        let [k11, k22, k33] = self.diagonal.0;
        let [k23, k31, k12] = self.upper.0;
        let [k32, k13, k21] = self.lower.0;
        let [v1, v2, v3] = right.0;
        let l21 = k21 / k11;
        let l31 = k31 / k11;
        let u22 = k22 - l21 * k12;
        let u23 = k23 - l21 * k13;
        let l32 = (k32 - l31 * k12) / u22;
        let u33 = (k33 - l31 * k13) - l32 * u23;
        let w2 = v2 - l21 * v1;
        let w3 = (v3 - l31 * v1) - l32 * w2;
        let y3 = w3 / u33;
        let y2 = (w2 - u23 * y3) / u22;
        let y1 = ((v1 - k12 * y2) - k13 * y3) / k11;
        Vec3([y1, y2, y3])
    }
}

/// In each lane `full` if z is not diagonal there, otherwise `diagonal`.
#[inline(always)]
fn if_mixed<N: Number>(is_mixed: N, full: Vec3<N>, diagonal: Vec3<N>) -> Vec3<N> {
    Vec3(each_if_at_most(is_mixed, 0.0, diagonal.0, full.0))
}

/// A number, or 0 where one of two axes is locked.
#[inline(always)]
fn unless_locked<N: Number>(first: N, second: N, number: N) -> N {
    let zero = N::splat(0.0);
    first.if_at_most(0.0, zero, second.if_at_most(0.0, zero, number))
}

/// The least divisors of [`Dampened::stiff_part`], in parts of z, and where z is 0.
const OVER_ROUNDING: f64 = 1e-13;
const NOT_ZERO: f64 = 1e-40;

/// For a greater z these functions use `t z`, and multiply numerators and denominators by powers of
/// t, so that nothing overflows.
const GREATEST: f64 = 1e100;
const SCALE: f64 = 1e-160;

/// `φ₁`, `φ₂`, `φ₃` of each component.
#[inline(always)]
fn phis<N: Number>(z: Vec3<N>) -> [Vec3<N>; 3] {
    let one = N::splat(1.0);
    let half = N::splat(0.5);
    let sixth = N::splat(1.0 / 6.0);
    let twelfth = N::splat(1.0 / 12.0);
    let mut phis = [Vec3::splat(0.0); 3];
    for k in 0..3 {
        let t = z.0[k].if_at_most(GREATEST, one, N::splat(SCALE));
        let tz = t * z.0[k];
        let scale = t / ((t * t + (t * tz) * N::splat(2.0 / 3.0)) + (tz * sixth) * tz);
        phis[0].0[k] = (t + tz * sixth) * scale;
        phis[1].0[k] = (t * half + tz * sixth) * scale;
        phis[2].0[k] = (t * sixth + tz * twelfth) * scale;
    }
    phis
}

/// A complex number.
#[derive(Clone, Copy)]
struct Complex<N>(N, N);

impl<N: Number> Complex<N> {
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Complex(
            self.0 * other.0 - self.1 * other.1,
            self.0 * other.1 + self.1 * other.0,
        )
    }

    #[inline(always)]
    fn scaled(self, factor: N) -> Self {
        Complex(self.0 * factor, self.1 * factor)
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Complex(self.0 - other.0, self.1 - other.1)
    }

    #[inline(always)]
    fn reciprocal(self) -> Self {
        let per = N::splat(1.0) / (self.0 * self.0 + self.1 * self.1);
        Complex(self.0 * per, -(self.1 * per))
    }
}

/// `K = t (z + 2 − i√2)` as `L U`, the diagonal of L being 1: the reciprocals of the diagonal of U,
/// the other elements of both, and t.
struct Factors<N> {
    inverse: [Complex<N>; 3],
    l21: Complex<N>,
    l31: Complex<N>,
    l32: Complex<N>,
    u12: N,
    u13: N,
    u23: Complex<N>,
    t: N,
}

impl<N: Number> Factors<N> {
    #[inline(always)]
    fn new(z: &Tensor<N>) -> Self {
        let [z1, z2, z3] = z.diagonal.0;
        let trace = z1 + z2 + z3;
        let t = trace.if_at_most(GREATEST, N::splat(1.0), N::splat(SCALE));
        let [k23, k31, u12] = (z.upper * t).0;
        let [k32, u13, k21] = (z.lower * t).0;
        let shift = Complex(t * N::splat(2.0), -(t * N::splat(std::f64::consts::SQRT_2)));
        let [k11, k22, k33] = [
            Complex(z1 * t + shift.0, shift.1),
            Complex(z2 * t + shift.0, shift.1),
            Complex(z3 * t + shift.0, shift.1),
        ];
        let zero = N::splat(0.0);

        let inverse1 = k11.reciprocal();
        let l21 = inverse1.scaled(k21);
        let l31 = inverse1.scaled(k31);
        let inverse2 = k22.minus(l21.scaled(u12)).reciprocal();
        let u23 = Complex(k23, zero).minus(l21.scaled(u13));
        let l32 = (Complex(k32, zero).minus(l31.scaled(u12))).times(inverse2);
        let u33 = k33.minus(l31.scaled(u13)).minus(l32.times(u23));
        Factors {
            inverse: [inverse1, inverse2, u33.reciprocal()],
            l21,
            l31,
            l32,
            u12,
            u13,
            u23,
            t,
        }
    }

    /// The real and the imaginary part of `t K⁻¹ v`.
    #[inline(always)]
    fn solved(&self, v: Vec3<N>) -> [Vec3<N>; 2] {
        let zero = N::splat(0.0);
        let [v1, v2, v3] = (v * self.t).0;
        let w1 = Complex(v1, zero);
        let w2 = Complex(v2, zero).minus(self.l21.scaled(v1));
        let w3 = (Complex(v3, zero).minus(self.l31.scaled(v1))).minus(self.l32.times(w2));
        let [inverse1, inverse2, inverse3] = self.inverse;
        let y3 = w3.times(inverse3);
        let y2 = w2.minus(self.u23.times(y3)).times(inverse2);
        let y1 = (w1.minus(y2.scaled(self.u12)))
            .minus(y3.scaled(self.u13))
            .times(inverse1);
        [Vec3([y1.0, y2.0, y3.0]), Vec3([y1.1, y2.1, y3.1])]
    }
}
