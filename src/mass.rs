//! The mass properties of an assembly of parts.

use crate::error::{Error, check, finite};
use crate::inertia::symmetric;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

/// Mass, centre of mass and inertia of an assembly, as a sum over its parts.
///
/// The mass, the first moments `∫ x dm` and the second moments `∫ x xᵀ dm` of parts add up, so ten
/// numbers hold any assembly. A part with a negative mass is a hole. All positions are in the same
/// axes, those of the assembly. Their origin may be anywhere; but if it is 10 times as far away as
/// the assembly is wide, the inertia loses two digits, and two more for each further factor of 10.
///
/// ```
/// use quatint::Mass;
/// use quatint::nalgebra::Vector3;
///
/// let mut dumbbell = Mass::default();
/// dumbbell.add_sphere(2.0, 0.5, Vector3::new(0.0, 0.0, 3.0))?;
/// dumbbell.add_sphere(2.0, 0.5, Vector3::new(0.0, 0.0, -1.0))?;
/// let properties = dumbbell.properties()?;
/// assert_eq!(properties.mass, 4.0);
/// assert_eq!(properties.centre, Vector3::new(0.0, 0.0, 1.0));
/// assert!((properties.inertia[(0, 0)] - (2.0 * 0.2 + 4.0 * 4.0)).abs() < 1e-14);
/// # Ok::<(), quatint::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mass {
    mass: f64,
    /// `∫ x dm`
    first: Vector3<f64>,
    /// `∫ x xᵀ dm`
    second: Matrix3<f64>,
}

/// What [`Mass::properties`] returns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// The mass of all parts.
    pub mass: f64,
    /// The centre of mass, in the axes of the assembly.
    pub centre: Vector3<f64>,
    /// The inertia tensor about the centre of mass, along the axes of the assembly:
    /// `I_xx = ∫ (y² + z²) dm`, `I_xy = −∫ x y dm`.
    pub inertia: Matrix3<f64>,
}

impl Mass {
    /// The number of numbers in a sum.
    pub const SIZE: usize = 10;

    /// A sum from its numbers: the mass, the first moments about x, y, z, the second moments xx, yy,
    /// zz, xy, xz, yz. Errors: they must be finite.
    pub fn from_numbers(numbers: [f64; Self::SIZE]) -> Result<Self, Error> {
        let [mass, x, y, z, xx, yy, zz, xy, xz, yz] = finite("sum", numbers)?;
        Ok(Mass {
            mass,
            first: Vector3::new(x, y, z),
            second: Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz),
        })
    }

    /// The numbers of [`Mass::from_numbers`]. Those of two sums may be added one by one.
    pub fn numbers(&self) -> [f64; Self::SIZE] {
        let second = &self.second;
        [
            self.mass,
            self.first.x,
            self.first.y,
            self.first.z,
            second[(0, 0)],
            second[(1, 1)],
            second[(2, 2)],
            second[(0, 1)],
            second[(0, 2)],
            second[(1, 2)],
        ]
    }

    /// Adds the parts of another sum. Errors: the numbers must stay finite; the sum is as it was
    /// after an error.
    pub fn add(&mut self, other: &Mass) -> Result<(), Error> {
        let sum = Mass {
            mass: self.mass + other.mass,
            first: self.first + other.first,
            second: self.second + other.second,
        };
        *self = Mass::from_numbers(sum.numbers())?;
        Ok(())
    }

    /// Adds a point. As for every part: the sum is as it was after an error.
    pub fn add_point(&mut self, mass: f64, position: Vector3<f64>) -> Result<(), Error> {
        self.add_part(mass, position, Matrix3::zeros())
    }

    /// Adds a solid sphere.
    pub fn add_sphere(
        &mut self,
        mass: f64,
        radius: f64,
        position: Vector3<f64>,
    ) -> Result<(), Error> {
        let [radius] = lengths("radius", [radius])?;
        let about_centre = mass * radius * radius / 5.0;
        self.add_part(mass, position, Matrix3::from_diagonal_element(about_centre))
    }

    /// Adds a solid ellipsoid. `orientation`: from its axes to those of the assembly.
    pub fn add_ellipsoid(
        &mut self,
        mass: f64,
        semi_axes: Vector3<f64>,
        position: Vector3<f64>,
        orientation: UnitQuaternion<f64>,
    ) -> Result<(), Error> {
        let about_centre = lengths("semi_axes", semi_axes.into())?.map(|a| mass * a * a / 5.0);
        self.add_turned(mass, position, about_centre, orientation)
    }

    /// Adds a solid box with these edges along its axes. `orientation`: as for an ellipsoid.
    pub fn add_box(
        &mut self,
        mass: f64,
        edges: Vector3<f64>,
        position: Vector3<f64>,
        orientation: UnitQuaternion<f64>,
    ) -> Result<(), Error> {
        let about_centre = lengths("edges", edges.into())?.map(|e| mass * e * e / 12.0);
        self.add_turned(mass, position, about_centre, orientation)
    }

    /// Adds a solid cylinder along its z axis. `orientation`: as for an ellipsoid.
    pub fn add_cylinder(
        &mut self,
        mass: f64,
        radius: f64,
        length: f64,
        position: Vector3<f64>,
        orientation: UnitQuaternion<f64>,
    ) -> Result<(), Error> {
        let [radius] = lengths("radius", [radius])?;
        let [length] = lengths("length", [length])?;
        let across = mass * radius * radius / 4.0;
        let along = mass * length * length / 12.0;
        self.add_turned(mass, position, [across, across, along], orientation)
    }

    /// Adds the solid inside a closed surface of triangles: x, y, z of three corners each,
    /// counterclockwise as seen from outside. It may have hollows, whose surfaces are then
    /// counterclockwise as seen from within them. A negative density makes it a hole. Errors: the
    /// surface must be closed, and the volume positive.
    pub fn add_mesh(&mut self, density: f64, triangles: &[[f64; 9]]) -> Result<(), Error> {
        finite("density", [density])?;
        let Some(&[x, y, z, ..]) = triangles.first() else {
            return Ok(());
        };
        let reference = Vector3::new(x, y, z);
        let solid = Tetrahedra::below(triangles, reference)?;
        let mass = density * solid.volume;
        let first = density * solid.first;
        // from the corner of the mesh to the origin
        let shifted_first = first + mass * reference;
        let shifted_second = density * solid.second
            + reference * first.transpose()
            + first * reference.transpose()
            + mass * reference * reference.transpose();
        self.add(&Mass {
            mass,
            first: shifted_first,
            second: shifted_second,
        })
    }

    /// Adds a part of which the inertia about its own centre of mass is known, along its own axes.
    /// `orientation`: as for an ellipsoid. What is taken away has a negative mass and the negative
    /// of its inertia. Errors: the tensor must be symmetric.
    pub fn add_inertia(
        &mut self,
        mass: f64,
        inertia: &Matrix3<f64>,
        position: Vector3<f64>,
        orientation: UnitQuaternion<f64>,
    ) -> Result<(), Error> {
        let inertia = symmetric(inertia)?;
        // inertia = tr(S) 1 − S, so tr(inertia) = 2 tr(S)
        let about_centre = Matrix3::from_diagonal_element(0.5 * inertia.trace()) - inertia;
        self.add_part(mass, position, rotated(about_centre, orientation))
    }

    /// Mass, centre of mass and inertia. Errors: the mass must be positive.
    pub fn properties(&self) -> Result<MassProperties, Error> {
        check(self.mass > 0.0, "sum", "must have a positive mass")?;
        let centre = self.first / self.mass;
        let second = self.second - self.first * centre.transpose();
        let second = 0.5 * (second + second.transpose());
        let inertia = Matrix3::from_diagonal_element(second.trace()) - second;
        finite("centre", centre.into())?;
        finite::<9>("inertia", std::array::from_fn(|n| inertia[n]))?;
        Ok(MassProperties {
            mass: self.mass,
            centre,
            inertia,
        })
    }

    fn add_turned(
        &mut self,
        mass: f64,
        position: Vector3<f64>,
        about_centre: [f64; 3],
        orientation: UnitQuaternion<f64>,
    ) -> Result<(), Error> {
        let along_own_axes = Matrix3::from_diagonal(&about_centre.into());
        self.add_part(mass, position, rotated(along_own_axes, orientation))
    }

    /// Adds a part by its second moments about its own centre of mass.
    fn add_part(
        &mut self,
        mass: f64,
        position: Vector3<f64>,
        about_centre: Matrix3<f64>,
    ) -> Result<(), Error> {
        finite("mass", [mass])?;
        finite("position", position.into())?;
        let first = mass * position;
        self.add(&Mass {
            mass,
            first,
            second: first * position.transpose() + about_centre,
        })
    }
}

/// `R second Rᵀ`
fn rotated(second: Matrix3<f64>, orientation: UnitQuaternion<f64>) -> Matrix3<f64> {
    let rotation = orientation.to_rotation_matrix();
    rotation.matrix() * second * rotation.matrix().transpose()
}

fn lengths<const N: usize>(name: &'static str, lengths: [f64; N]) -> Result<[f64; N], Error> {
    let lengths = finite(name, lengths)?;
    for length in lengths {
        check(length >= 0.0, name, "must not be negative")?;
    }
    Ok(lengths)
}

/// The volume that is swept by lines from a point to triangles, and its moments about this point.
#[derive(Default)]
struct Tetrahedra {
    volume: f64,
    first: Vector3<f64>,
    second: Matrix3<f64>,
}

impl Tetrahedra {
    /// The areas of a closed surface, as vectors, add up to this part of the sum of their magnitudes
    /// at most. Corners in single precision pass.
    const CLOSED: f64 = 1e-5;

    /// The solid inside of a closed surface. For a tetrahedron with the corners 0, a, b, c and the
    /// volume V = a · (b × c) / 6: `∫ x dV = V s/4` with s = a + b + c, and
    /// `∫ x xᵀ dV = V (s sᵀ + a aᵀ + b bᵀ + c cᵀ) / 20` (F. Tonon, J. Math. Stat. 1, 8 (2005)).
    fn below(triangles: &[[f64; 9]], reference: Vector3<f64>) -> Result<Self, Error> {
        let mut solid = Tetrahedra::default();
        let mut area_vector = Vector3::zeros();
        let mut area = 0.0;
        for (n, corners) in triangles.iter().enumerate() {
            for (k, &value) in corners.iter().enumerate() {
                if !value.is_finite() {
                    return Err(Error::NotFinite {
                        name: "corners",
                        index: Some(9 * n + k),
                        value,
                    });
                }
            }
            let [a, b, c] = [0, 3, 6]
                .map(|k| Vector3::new(corners[k], corners[k + 1], corners[k + 2]) - reference);
            let volume = a.dot(&b.cross(&c)) / 6.0;
            let s = a + b + c;
            solid.volume += volume;
            solid.first += volume / 4.0 * s;
            solid.second += volume / 20.0
                * (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
            let normal = (b - a).cross(&(c - a));
            area_vector += normal;
            area += normal.norm();
        }
        check(
            area_vector.norm() <= Self::CLOSED * area,
            "corners",
            "must be those of a closed surface, whose triangles all turn counterclockwise as seen from outside",
        )?;
        check(
            solid.volume > 0.0,
            "corners",
            "must enclose a positive volume: the triangles turn clockwise as seen from outside, or lie in a plane",
        )?;
        Ok(solid)
    }
}
