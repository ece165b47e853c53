//! The inertia tensor: validated once, diagonalised once.

use crate::error::{Error, finite};
use crate::kernel::{PrincipalInertia, Quat, Vec3};
use nalgebra::{Matrix3, Quaternion, Rotation3, SymmetricEigen, UnitQuaternion, Vector3};

/// How far from symmetric a tensor may be, relative to its greatest entry.
const SYMMETRY: f64 = 1e-12;

/// Beside the greatest moment of a tensor that had to be diagonalised, anything less is rounding and not a moment.
const SINGULAR: f64 = 8.0 * f64::EPSILON;

/// The inertia of a rigid body about its centre of mass (or its fixed point), in the body frame.
///
/// Any symmetric positive definite tensor will do. The triangle inequality of mass distributions is not asked for: the
/// tensors of bodies in a fluid, with their added mass, need not satisfy it.
///
/// ```
/// use nalgebra::Matrix3;
/// use quatint::Inertia;
///
/// let inertia = Inertia::new(&Matrix3::new(2.0, 1.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 4.0))?;
/// let [i1, i2, i3] = inertia.principal_moments().into();
/// assert!((i1 - 1.0).abs() < 1e-15 && (i2 - 3.0).abs() < 1e-15 && (i3 - 4.0).abs() < 1e-15);
/// # Ok::<(), quatint::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Inertia {
    principal: PrincipalInertia<f64>,
    principal_to_body: Option<Quat<f64>>,
}

impl Inertia {
    /// From the full tensor. One that is diagonal keeps its axes, in their order; any other is diagonalised, its moments
    /// in ascending order.
    ///
    /// # Errors
    /// It must be finite, symmetric (to 1e-12 of its greatest entry; then the mean is taken) and positive definite.
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

        // Diagonalised with its greatest entry between ½ and 1, so that no power of two changes a bit and none overflows.
        let (_, exponent) = libm::frexp(greatest);
        let down = |x: f64| libm::scalbn(x, -exponent);
        let [xy, xz, yz] = off_diagonal.map(down);
        let [xx, yy, zz] = [0, 1, 2].map(|i| down(tensor[(i, i)]));
        let (moments, axes) = diagonalised(Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz));
        if moments[0] < SINGULAR * moments[2] {
            return Err(Error::InertiaNotPositive { moments: moments.map(|m| libm::scalbn(m, exponent)).into() });
        }
        Self::from_principal(moments.map(|m| libm::scalbn(m, exponent)), Some(axes))
    }

    /// From the moments about the body axes, which are principal.
    ///
    /// # Errors
    /// Each must be finite and positive.
    pub fn from_moments(moments: Vector3<f64>) -> Result<Self, Error> {
        Self::from_principal(Vector3::from(finite("inertia", moments.into())?), None)
    }

    /// `I₁, I₂, I₃`.
    pub fn principal_moments(&self) -> Vector3<f64> {
        self.principal.moments.0.into()
    }

    /// The rotation that takes components along the principal axes to the body frame.
    pub fn principal_to_body(&self) -> UnitQuaternion<f64> {
        let [w, x, y, z] = self.principal_to_body.unwrap_or(Quat::identity()).0;
        UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z))
    }

    /// What the kernels use.
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
        Ok(Inertia { principal, principal_to_body })
    }
}

/// Moments in ascending order, and the rotation from their axes (right-handed) to the frame of `tensor`.
fn diagonalised(tensor: Matrix3<f64>) -> (Vector3<f64>, Quat<f64>) {
    let eigen = SymmetricEigen::new(tensor);
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| eigen.eigenvalues[a].total_cmp(&eigen.eigenvalues[b]));

    let column = |i: usize| eigen.eigenvectors.column(order[i]).into_owned();
    let (first, second) = (column(0), column(1));
    let axes = Matrix3::from_columns(&[first, second, first.cross(&second)]);
    let rotation = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
    let q = rotation.quaternion();
    (order.map(|i| eigen.eigenvalues[i]).into(), Quat([q.w, q.i, q.j, q.k]).renormalised())
}
