//! The inertia tensor: validation and diagonalisation.

use crate::error::{Error, check, finite};
use crate::kernel::{PrincipalInertia, Quat, Vec3};
use crate::rotation::{checked_bits, components, orientation_of};
use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};
use std::hint::black_box;

/// Tolerance for the asymmetry of a tensor, relative to its greatest entry.
const SYMMETRY: f64 = 1e-12;

/// A tensor is singular to rounding if its determinant, scaled to the range 0 to 1, is at most
/// this.
const SINGULAR: f64 = 16.0 * f64::EPSILON;

/// A moment of at most `ZERO` times the greatest is a rounding error of the tensor's entries and
/// counts as 0, if the axes are far enough from the body axes: if the scaled determinant is at most
/// `TURNED`. A needle along a body axis may have any thickness.
const ZERO: f64 = 1e-14;
const TURNED: f64 = 0.5;

/// Tolerance for the difference between the other two moments of a line, relative to the greater
/// one.
const EQUAL: f64 = 1e-12;

/// The inertia tensor of a rigid body about its centre of mass (or its fixed point), in the body
/// frame.
///
/// Any symmetric positive definite tensor is valid, also with the added mass of a fluid. Principal
/// moments may be zero: `(0, b, b)` is a line (b equal to 1e-12, then averaged), `(0, 0, b)` turns
/// about one of its axes only, `(0, 0, 0)` is a point. About an axis of zero moment the angular
/// velocity is 0: that part of a velocity that is set is taken away, and torques do nothing.
/// `include/quatint.h` says more at its top, under *Inertia*.
///
/// ```
/// use quatint::nalgebra::Matrix3;
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
    pub(crate) principal: PrincipalInertia<f64>,
    pub(crate) principal_to_body: Quat<f64>,
}

impl Inertia {
    /// From the full tensor. A diagonal tensor keeps its axes; any other is diagonalised. Errors:
    /// it must be as [`Inertia`] says, and symmetric to 1e-12 of its greatest entry; opposite
    /// entries are then averaged.
    pub fn new(tensor: &Matrix3<f64>) -> Result<Self, Error> {
        let tensor = &symmetric(tensor)?;
        let off_diagonal = [tensor[(0, 1)], tensor[(0, 2)], tensor[(1, 2)]];
        let greatest = tensor.amax();
        if off_diagonal == [0.0; 3] {
            return Self::from_principal(tensor.diagonal(), None);
        }

        // Scaled so that the greatest entry is between ½ and 1: powers of two change no bit, and
        // nothing overflows.
        let (_, exponent) = libm::frexp(greatest);
        let [xy, xz, yz] = off_diagonal.map(|x| libm::scalbn(x, -exponent));
        let [xx, yy, zz] = [0, 1, 2].map(|i| libm::scalbn(tensor[(i, i)], -exponent));
        let tensor = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        let (moments, axes) = diagonalised(tensor);
        let determinant = scaled_determinant(&tensor);
        let without_rounding = moments.map(|m| {
            if m.abs() <= ZERO * moments.max() {
                0.0
            } else {
                m
            }
        });
        if determinant <= TURNED
            && without_rounding.min() == 0.0
            && settled(without_rounding.into()).is_some()
        {
            return Self::from_principal(scaled(without_rounding, exponent), Some(axes));
        }
        if determinant <= SINGULAR {
            return Err(Error::InertiaNotPositive {
                moments: scaled(moments, exponent).into(),
            });
        }
        Self::from_principal(scaled(moments, exponent), Some(axes))
    }

    /// From the moments about the body axes, which are then the principal axes.
    /// Errors: each moment must be finite and positive, but for zero moments as [`Inertia`] says.
    pub fn from_moments(moments: Vector3<f64>) -> Result<Self, Error> {
        Self::from_principal(Vector3::from(finite("inertia", moments.into())?), None)
    }

    /// [`Inertia::with_reciprocals`] of [`Inertia::from_moments`].
    #[inline]
    pub(crate) fn checked_moments(
        name: &'static str,
        moments: [f64; 3],
    ) -> Result<[f64; 6], Error> {
        // far from the bounds of what can be computed
        if moments.iter().all(|moment| (1e-90..1e90).contains(moment)) {
            let [a, b, c] = moments;
            return Ok([a, b, c, 1.0 / a, 1.0 / b, 1.0 / c]);
        }
        Ok(Self::from_principal(finite(name, moments)?.into(), None)?.with_reciprocals())
    }

    /// The principal moments, negative about axes that [`Inertia::with_locked_axes`] has locked,
    /// and the rotation from the principal axes to the body frame `w, x, y, z`: a part of a row.
    pub(crate) fn numbers(&self) -> [f64; 7] {
        let [a, b, c] = signed(self.with_reciprocals());
        let [w, x, y, z] = self.principal_to_body.0;
        [a, b, c, w, x, y, z]
    }

    /// Errors: an axis of zero moment has turned in the body, where this inertia becomes `later`. It
    /// may get a moment, and an axis may lose its own.
    pub(crate) fn check_lines_stay(&self, later: &Inertia) -> Result<(), Error> {
        let has_lines_of = |all: &Inertia, some: &Inertia| {
            some.lines().all(|line| {
                let turned = line - all.principal.locked(line);
                turned.dot(turned) < 1e-16
            })
        };
        check(
            has_lines_of(later, self) || has_lines_of(self, later),
            "inertia",
            "must not turn an axis of zero moment in the body",
        )
    }

    /// The axes of zero moment, body frame.
    fn lines(&self) -> impl Iterator<Item = Vec3<f64>> {
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vec3);
        let reciprocals = self.principal.reciprocals.0;
        (axes.into_iter().zip(reciprocals))
            .filter(|(_, reciprocal)| *reciprocal == 0.0)
            .map(|(axis, _)| self.principal.from_principal(axis))
    }

    /// From [`Inertia::numbers`], bit for bit.
    pub(crate) fn of_numbers(name: &'static str, numbers: &[f64; 7]) -> Result<Self, Error> {
        let &[a, b, c, w, x, y, z] = numbers;
        let moments = finite(name, [a, b, c])?;
        let axes = checked_bits(name, [w, x, y, z])?;
        let is_turned = axes.0 != [1.0, 0.0, 0.0, 0.0];
        Self::with_locks(
            moments.map(f64::abs),
            is_turned.then_some(axes),
            moments.map(|moment| moment < 0.0),
        )
    }

    /// The inertia of the same body if it does not turn about some of its body axes, each of which
    /// must be a principal axis: nothing turns the body about them, and the moments that its motion
    /// has about them are then 0. Axes that are locked stay so. The mass stays where it is, so a
    /// gravity gradient acts as before.
    ///
    /// Something holds the body there. (It is no hinge in the world: the axes turn with the body.)
    /// Errors: [`Error::NotPrincipal`]; [`Error::Invalid`] if one axis is locked and the moments
    /// about the other two differ, because the lock then takes angular momentum from a free body.
    pub fn with_locked_axes(&self, is_locked: [bool; 3]) -> Result<Self, Error> {
        let of_motion = self.tensor(self.principal.moments);
        if !(0..3).any(|axis| is_locked[axis] && of_motion.row(axis).amax() > 0.0) {
            return Ok(*self); // to diagonalise once more would round once more
        }
        let greatest = of_motion.amax();
        let mut tensor = self.tensor(self.principal.of_mass);
        for axis in (0..3).filter(|&axis| is_locked[axis]) {
            for other in (0..3).filter(|&other| other != axis) {
                let relative = of_motion[(axis, other)].abs() / greatest;
                if relative > SYMMETRY {
                    return Err(Error::NotPrincipal { axis, relative });
                }
                tensor[(axis, other)] = 0.0;
                tensor[(other, axis)] = 0.0;
            }
        }
        // an axis that is locked already is a body axis, so it has the same number
        let [.., x, y, z] = self.with_reciprocals();
        let is_free = [x, y, z].map(|reciprocal| reciprocal > 0.0);
        let is_locked = [0, 1, 2].map(|axis| is_locked[axis] || !is_free[axis]);
        if !self.principal.is_turned {
            return Self::with_locks(tensor.diagonal().into(), None, is_locked);
        }
        // what is left beside a locked axis is a block of its own, whose axes lie beside it
        let of_all = tensor.amax();
        let (moments, axes) = diagonalised(tensor);
        let moments = [0, 1, 2].map(|axis| {
            let greatest = if is_locked[axis] { of_all } else { greatest };
            if moments[axis].abs() <= ZERO * greatest {
                0.0
            } else {
                moments[axis]
            }
        });
        let is_turned = axes.0 != [1.0, 0.0, 0.0, 0.0];
        Self::with_locks(moments, is_turned.then_some(axes), is_locked)
    }

    /// The tensor with these principal moments, in the body frame.
    fn tensor(&self, moments: Vec3<f64>) -> Matrix3<f64> {
        if !self.principal.is_turned {
            return Matrix3::from_diagonal(&moments.0.into());
        }
        let axes = self.principal_to_body.to_matrix().axes();
        let mut tensor = Matrix3::zeros();
        for (moment, axis) in moments.0.into_iter().zip(axes) {
            let axis = Vector3::from(axis.0);
            tensor += axis * axis.transpose() * moment;
        }
        tensor
    }

    /// The principal moments of the mass and their reciprocals, 0 about a locked axis.
    pub(crate) fn with_reciprocals(&self) -> [f64; 6] {
        let [a, b, c] = self.principal.of_mass.0;
        let [x, y, z] = self.principal.reciprocals.0;
        [a, b, c, x, y, z]
    }

    /// `(I₁, I₂, I₃)`, 0 about a locked axis: the inertia that the motion has.
    pub fn principal_moments(&self) -> Vector3<f64> {
        self.principal.moments.0.into()
    }

    /// The rotation from the principal axes to the body frame.
    pub fn principal_to_body(&self) -> UnitQuaternion<f64> {
        orientation_of(self.principal_to_body)
    }

    fn from_principal(
        moments: Vector3<f64>,
        principal_to_body: Option<Quat<f64>>,
    ) -> Result<Self, Error> {
        Self::with_locks(moments.into(), principal_to_body, [false; 3])
    }

    /// From the moments of a mass, about axes some of which are locked.
    fn with_locks(
        of_mass: [f64; 3],
        principal_to_body: Option<Quat<f64>>,
        is_locked: [bool; 3],
    ) -> Result<Self, Error> {
        let of_mass = beside_locks(of_mass, is_locked)?;
        if let Some(&moment) = of_mass
            .iter()
            .find(|&&m| m != 0.0 && !(1e-307..=1e307).contains(&m))
        {
            return Err(Error::InertiaOutOfRange { moment });
        }
        // 0 about a locked axis. Not by a branch, because the compiler may divide by zero and then
        // choose, which raises a flag.
        let reciprocals = [0, 1, 2].map(|k| {
            let is_locked = is_locked[k] || of_mass[k] == 0.0;
            1.0 / black_box(if is_locked { f64::INFINITY } else { of_mass[k] })
        });
        let principal = PrincipalInertia::of(Vec3(of_mass), Vec3(reciprocals), principal_to_body);
        if !principal.rotor.r.0.iter().all(|ratio| ratio.is_finite()) {
            return Err(Error::InertiaOutOfRange {
                moment: least_moment(of_mass),
            });
        }
        Ok(Inertia {
            principal,
            principal_to_body: principal_to_body.unwrap_or(Quat::identity()),
        })
    }
}

/// Moments times a power of two.
fn scaled(moments: Vector3<f64>, exponent: i32) -> Vector3<f64> {
    moments.map(|m| libm::scalbn(m, exponent))
}

/// A tensor whose opposite entries are averaged. Errors: it must be finite, and symmetric to 1e-12
/// of its greatest entry.
pub(crate) fn symmetric(tensor: &Matrix3<f64>) -> Result<Matrix3<f64>, Error> {
    finite::<9>("inertia", std::array::from_fn(|n| tensor[(n / 3, n % 3)]))?;
    let greatest = tensor.amax().max(f64::MIN_POSITIVE);
    for (row, column) in [(0, 1), (0, 2), (1, 2)] {
        let relative = (tensor[(row, column)] - tensor[(column, row)]).abs() / greatest;
        if relative > SYMMETRY {
            return Err(Error::InertiaNotSymmetric {
                row,
                column,
                relative,
            });
        }
    }
    let [xy, xz, yz] =
        [(0, 1), (0, 2), (1, 2)].map(|(i, j)| 0.5 * tensor[(i, j)] + 0.5 * tensor[(j, i)]);
    let diagonal = tensor.diagonal();
    Ok(Matrix3::new(
        diagonal.x, xy, xz, xy, diagonal.y, yz, xz, yz, diagonal.z,
    ))
}

/// The least moment that is not 0; infinite if there is none.
pub(crate) fn least_moment(moments: [f64; 3]) -> f64 {
    moments
        .into_iter()
        .filter(|&m| m != 0.0)
        .fold(f64::INFINITY, f64::min)
}

/// The moments, if a body can have them: each positive, or one zero and the others equal, or two or
/// three zero.
fn settled(moments: [f64; 3]) -> Option<[f64; 3]> {
    let is_line = moments.iter().filter(|&&m| m == 0.0).count() == 1;
    let least = least_moment(moments);
    let greatest = moments.into_iter().fold(0.0, f64::max);
    if moments.iter().any(|&m| m < 0.0) || is_line && greatest - least > EQUAL * greatest {
        return None;
    }
    let mean = 0.5 * least + 0.5 * greatest;
    Some(moments.map(|m| if is_line && m != 0.0 { mean } else { m + 0.0 })) // not −0
}

/// The moments of a mass some of whose axes are locked: as a line, a body that turns about two axes
/// has equal moments about them. About locked axes they are any: a lock makes the thickness of a
/// needle 0, beside moments that are not those of a line.
fn beside_locks(of_mass: [f64; 3], is_locked: [bool; 3]) -> Result<[f64; 3], Error> {
    let of_motion = [0, 1, 2].map(|k| if is_locked[k] { 0.0 } else { of_mass[k] });
    let settled = settled(of_motion).ok_or(if is_locked.contains(&true) {
        Error::Invalid {
            name: "axes",
            must: "must not lock one axis beside two different moments: lock two axes",
        }
    } else {
        Error::InertiaNotPositive { moments: of_mass }
    })?;
    Ok([0, 1, 2].map(|k| if is_locked[k] { of_mass[k] } else { settled[k] }))
}

/// Which axes a number means: bit 0 for x, 1 for y, 2 for z. Errors: it means others too.
pub(crate) fn axes_of(axes: i32) -> Result<[bool; 3], Error> {
    check(
        (0..8).contains(&axes),
        "axes",
        "must be a sum of QI_AXIS_X, QI_AXIS_Y and QI_AXIS_Z",
    )?;
    Ok([axes & 1 != 0, axes & 2 != 0, axes & 4 != 0])
}

/// The principal moments of the mass, negative about locked axes, of
/// [`Inertia::with_reciprocals`]. Not inlined: where all bodies may share an inertia, the compiler
/// would compare before it knows that there are numbers.
#[inline(never)]
pub(crate) fn signed([a, b, c, x, y, z]: [f64; 6]) -> [f64; 3] {
    [(a, x), (b, y), (c, z)].map(|(moment, reciprocal)| {
        let is_locked = reciprocal == 0.0 && moment > 0.0;
        if is_locked { -moment } else { moment }
    })
}

/// The moments that the motion has: those of the mass, 0 where they are negative because their axes
/// are locked.
pub(crate) fn of_motion(signed: [f64; 3]) -> [f64; 3] {
    signed.map(|moment| if moment < 0.0 { 0.0 } else { moment })
}

/// The determinant of the tensor scaled to a unit diagonal, or 0 if by Sylvester's criterion the
/// tensor is not positive definite. It tells a needle (one small moment) from a singular tensor.
fn scaled_determinant(t: &Matrix3<f64>) -> f64 {
    let diagonal = t.diagonal();
    if diagonal.iter().any(|&m| m <= 0.0) {
        return 0.0;
    }
    let [a, b, c] = [(1, 2), (2, 0), (0, 1)]
        .map(|(i, j)| t[(i, j)] / (diagonal[i].sqrt() * diagonal[j].sqrt()));
    let determinant = 1.0 + 2.0 * a * b * c - a * a - b * b - c * c;
    if [a, b, c].iter().all(|x| 1.0 - x * x > SINGULAR) {
        determinant
    } else {
        0.0
    }
}

/// The principal moments, and the rotation from the principal axes (right-handed, closest to the
/// body axes) to the body frame. Jacobi's method gives small moments full relative accuracy (J.
/// Demmel, K. Veselić, SIAM J. Matrix Anal. Appl. 13, 1204 (1992)).
pub(crate) fn diagonalised(mut tensor: Matrix3<f64>) -> (Vector3<f64>, Quat<f64>) {
    let mut axes = Matrix3::identity();
    for sweep in 0..30 {
        let mut rotated = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let off = tensor[(p, q)];
            let a = tensor[(p, p)];
            let b = tensor[(q, q)];
            if off.abs() <= 0.25 * f64::EPSILON * (a.abs().sqrt() * b.abs().sqrt())
                || (off == 0.0 && sweep > 0)
            {
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
            let rp = tensor[(r, p)];
            let rq = tensor[(r, q)];
            tensor[(p, p)] = a - t * off;
            tensor[(q, q)] = b + t * off;
            for (i, j, value) in [
                (p, q, 0.0),
                (r, p, c * rp - s * rq),
                (r, q, s * rp + c * rq),
            ] {
                tensor[(i, j)] = value;
                tensor[(j, i)] = value;
            }
            for k in 0..3 {
                let kp = axes[(k, p)];
                let kq = axes[(k, q)];
                axes[(k, p)] = c * kp - s * kq;
                axes[(k, q)] = s * kp + c * kq;
            }
        }
        if !rotated {
            break;
        }
    }
    let rotation = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
    (tensor.diagonal(), Quat(components(rotation)).renormalised())
}
