//! The inertia tensor: validation and diagonalisation.

use crate::error::{Error, finite};
use crate::kernel::{PrincipalInertia, Quat, Vec3};
use nalgebra::{Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector3};

/// Tolerance for the asymmetry of a tensor, relative to its greatest entry.
const SYMMETRY: f64 = 1e-12;

/// A tensor is singular to rounding if its determinant, scaled to the range 0 to 1, is at most this.
const SINGULAR: f64 = 16.0 * f64::EPSILON;

/// The inertia tensor of a rigid body about its centre of mass (or its fixed point), in the body frame.
///
/// Any symmetric positive definite tensor is valid. The triangle inequality of mass distributions is not required: a tensor
/// that includes the added mass of a fluid may violate it.
///
/// ```
/// use nalgebra::Matrix3;
/// use quatint::Inertia;
///
/// let inertia = Inertia::new(&Matrix3::new(2.0, 1.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 4.0))?;
/// let mut moments: [f64; 3] = inertia.principal_moments().into();
/// moments.sort_by(f64::total_cmp);
/// let [i1, i2, i3] = moments;
/// assert!((i1 - 1.0).abs() < 1e-15 && (i2 - 3.0).abs() < 1e-15 && (i3 - 4.0).abs() < 1e-15);
/// # Ok::<(), quatint::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Inertia {
    principal: PrincipalInertia<f64>,
    principal_to_body: Option<Quat<f64>>,
}

impl Inertia {
    /// From the full tensor. A diagonal tensor keeps its axes; any other is diagonalised.
    /// Errors: it must be finite, positive definite, and symmetric to 1e-12 of its greatest entry; opposite entries are then averaged.
    pub fn new(tensor: &Matrix3<f64>) -> Result<Self, Error> {
        finite::<9>("inertia", std::array::from_fn(|n| tensor[(n / 3, n % 3)]))?;

        let greatest = tensor.amax();
        for (row, column) in [(0, 1), (0, 2), (1, 2)] {
            let relative = (tensor[(row, column)] - tensor[(column, row)]).abs() / greatest;
            if relative > SYMMETRY {
                return Err(Error::InertiaNotSymmetric { row, column, relative });
            }
        }
        let off_diagonal = [(0, 1), (0, 2), (1, 2)].map(|(i, j)| 0.5 * tensor[(i, j)] + 0.5 * tensor[(j, i)]);
        if off_diagonal == [0.0; 3] {
            return Self::from_principal(tensor.diagonal(), None);
        }

        // Scaled so that the greatest entry is between ½ and 1: powers of two change no bit, and nothing overflows.
        let (_, exponent) = libm::frexp(greatest);
        let [xy, xz, yz] = off_diagonal.map(|x| libm::scalbn(x, -exponent));
        let [xx, yy, zz] = [0, 1, 2].map(|i| libm::scalbn(tensor[(i, i)], -exponent));
        let tensor = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        let (moments, axes) = diagonalised(tensor);
        let moments = moments.map(|m| libm::scalbn(m, exponent));
        if !is_positive_definite(&tensor) {
            return Err(Error::InertiaNotPositive { moments: moments.into() });
        }
        Self::from_principal(moments, Some(axes))
    }

    /// From the moments about the body axes, which are then the principal axes.
    /// Errors: each moment must be finite and positive.
    pub fn from_moments(moments: Vector3<f64>) -> Result<Self, Error> {
        Self::from_principal(Vector3::from(finite("inertia", moments.into())?), None)
    }

    /// As [`Inertia::from_moments`], without the inertia.
    #[inline]
    pub(crate) fn check_moments(name: &'static str, moments: [f64; 3]) -> Result<(), Error> {
        // far from the bounds of what can be computed
        if moments.iter().all(|moment| (1e-90..1e90).contains(moment)) {
            return Ok(());
        }
        Self::from_principal(finite(name, moments)?.into(), None).map(drop)
    }

    /// `(I₁, I₂, I₃)`
    pub fn principal_moments(&self) -> Vector3<f64> {
        self.principal.moments.0.into()
    }

    /// The rotation from the principal axes to the body frame.
    pub fn principal_to_body(&self) -> UnitQuaternion<f64> {
        let [w, x, y, z] = self.principal_to_body.unwrap_or(Quat::identity()).0;
        UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z))
    }

    /// As [`Inertia::principal_to_body`]; `None` if the principal axes are the body axes.
    pub(crate) fn principal_to_body_if_turned(&self) -> Option<Quat<f64>> {
        self.principal_to_body
    }

    pub(crate) fn principal(&self) -> &PrincipalInertia<f64> {
        &self.principal
    }

    fn from_principal(moments: Vector3<f64>, principal_to_body: Option<Quat<f64>>) -> Result<Self, Error> {
        if moments.iter().any(|&m| m <= 0.0) {
            return Err(Error::InertiaNotPositive { moments: moments.into() });
        }
        if let Some(&moment) = moments.iter().find(|&&m| !(1e-307..=1e307).contains(&m)) {
            return Err(Error::InertiaOutOfRange { moment });
        }
        let principal = PrincipalInertia::new(Vec3(moments.into()), principal_to_body);
        if !principal.ratios.0.iter().all(|ratio| ratio.is_finite()) {
            return Err(Error::InertiaOutOfRange { moment: moments.min() });
        }
        Ok(Inertia { principal, principal_to_body })
    }
}

/// Sylvester's criterion on the tensor scaled to a unit diagonal: this tells a needle (one small moment) from a singular one.
fn is_positive_definite(t: &Matrix3<f64>) -> bool {
    let diagonal = t.diagonal();
    if diagonal.iter().any(|&m| m <= 0.0) {
        return false;
    }
    let scaled = |i: usize, j: usize| t[(i, j)] / (diagonal[i].sqrt() * diagonal[j].sqrt());
    let (a, b, c) = (scaled(1, 2), scaled(2, 0), scaled(0, 1));
    let determinant = 1.0 + 2.0 * a * b * c - a * a - b * b - c * c;
    [a, b, c].iter().all(|x| 1.0 - x * x > SINGULAR) && determinant > SINGULAR
}

/// The principal moments, and the rotation from the principal axes (right-handed, closest to the body axes) to the body frame.
/// Jacobi's method: unlike QR, small moments get full relative accuracy (J. Demmel, K. Veselić, SIAM J. Matrix Anal. Appl. 13,
/// 1204 (1992)).
pub(crate) fn diagonalised(mut tensor: Matrix3<f64>) -> (Vector3<f64>, Quat<f64>) {
    let mut axes = Matrix3::identity();
    for sweep in 0..30 {
        let mut rotated = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let off = tensor[(p, q)];
            let (a, b) = (tensor[(p, p)], tensor[(q, q)]);
            if off.abs() <= 0.25 * f64::EPSILON * (a.abs().sqrt() * b.abs().sqrt()) || (off == 0.0 && sweep > 0) {
                tensor[(p, q)] = 0.0;
                tensor[(q, p)] = 0.0;
                continue;
            }
            rotated = true;
            // tangent of the smaller of the two angles that annihilate `off`
            let theta = (b - a) / (2.0 * off);
            let t = theta.signum() / (theta.abs() + (1.0 + theta * theta).sqrt());
            let c = 1.0 / (1.0 + t * t).sqrt();
            let s = t * c;
            let r = 3 - p - q;
            let (rp, rq) = (tensor[(r, p)], tensor[(r, q)]);
            tensor[(p, p)] = a - t * off;
            tensor[(q, q)] = b + t * off;
            for (i, j, value) in [(p, q, 0.0), (r, p, c * rp - s * rq), (r, q, s * rp + c * rq)] {
                tensor[(i, j)] = value;
                tensor[(j, i)] = value;
            }
            for k in 0..3 {
                let (kp, kq) = (axes[(k, p)], axes[(k, q)]);
                axes[(k, p)] = c * kp - s * kq;
                axes[(k, q)] = s * kp + c * kq;
            }
        }
        if !rotated {
            break;
        }
    }
    let rotation = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
    let q = rotation.quaternion();
    (tensor.diagonal(), Quat([q.w, q.i, q.j, q.k]).renormalised())
}
