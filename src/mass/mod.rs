//! The mass properties of an assembly of parts.

mod surface;
mod two_doubles;

use crate::error::{Error, check, finite};
use crate::inertia::{diagonalised, symmetric};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use surface::Surface;
use two_doubles::TwoDoubles;

/// Mass, centre of mass and inertia of an assembly, as a sum over its parts.
///
/// The mass, the first moments `∫ x dm` and the second moments `∫ x xᵀ dm` of parts add up, so ten
/// numbers hold any assembly. Each of them is two doubles, so that neither many parts nor a distant
/// origin cost digits: inertia and centre are as good as the positions of the parts. A part with a
/// negative mass is a hole. All positions are in the same axes, those of the assembly, whose origin
/// may be anywhere.
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
    /// The mass, the first moments, and the second moments of [`PAIRS`].
    moments: [TwoDoubles; 10],
}

/// The factors of the second moments.
const PAIRS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

/// What rounding may leave of the second moments about the centre, relative to those about the
/// origin: a sum has 83 bits of them.
const ROUNDING: f64 = 1.0 / (1u128 << 74) as f64;

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
    pub const SIZE: usize = 20;

    /// A sum from its numbers, which are those of [`Mass::numbers`], or element-wise sums of them.
    /// Errors: they must be finite.
    pub fn from_numbers(numbers: [f64; Self::SIZE]) -> Result<Self, Error> {
        let numbers = finite("sum", numbers)?;
        Ok(Mass {
            moments: std::array::from_fn(|k| TwoDoubles::sum(numbers[k], numbers[k + 10])),
        })
    }

    /// The mass, the first moments about x, y, z, the second moments xx, yy, zz, xy, xz, yz: of
    /// each 30 bits, and then in the same order what is left of each. Those of several sums may be
    /// added element by element; of up to 8 million sums of similar size this loses no digits.
    pub fn numbers(&self) -> [f64; Self::SIZE] {
        let parts = self.moments.map(TwoDoubles::coarse_and_fine);
        std::array::from_fn(|k| parts[k % 10][k / 10])
    }

    /// Adds the parts of another sum. Errors: the numbers must stay finite; the sum is as it was
    /// after an error.
    pub fn add(&mut self, other: &Mass) -> Result<(), Error> {
        let moments = std::array::from_fn(|k| self.moments[k].plus(other.moments[k]));
        let sum = Mass { moments };
        finite("sum", sum.numbers())?;
        *self = sum;
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

    /// Adds a solid capsule: a cylinder along its z axis, of this length, with half a sphere on
    /// each end. `orientation`: as for an ellipsoid.
    pub fn add_capsule(
        &mut self,
        mass: f64,
        radius: f64,
        length: f64,
        position: Vector3<f64>,
        orientation: UnitQuaternion<f64>,
    ) -> Result<(), Error> {
        let [radius] = lengths("radius", [radius])?;
        let [length] = lengths("length", [length])?;
        // two half spheres have the volume of a cylinder of this length
        let of_ends = 4.0 / 3.0 * radius;
        let whole = of_ends + length;
        let share = if whole > 0.0 { of_ends / whole } else { 0.0 };
        let ends = mass * share;
        let cylinder = mass - ends;
        let across = cylinder * radius * radius / 4.0 + ends * radius * radius / 5.0;
        // Steiner: the centre of half a sphere lies 3/8 of the radius beyond its flat face
        let along = cylinder * length * length / 12.0
            + ends * (radius * radius / 5.0 + 0.375 * radius * length + 0.25 * length * length);
        self.add_turned(mass, position, [across, across, along], orientation)
    }

    /// Adds half of a solid sphere, which lies above its flat face, along its z axis. `position`:
    /// the centre of the flat face. `orientation`: as for an ellipsoid.
    pub fn add_hemisphere(
        &mut self,
        mass: f64,
        radius: f64,
        position: Vector3<f64>,
        orientation: UnitQuaternion<f64>,
    ) -> Result<(), Error> {
        let [radius] = lengths("radius", [radius])?;
        let first = mass * (0.375 * radius);
        let about_face = [mass * radius * radius / 5.0; 3];
        self.add_upon(mass, position, first, about_face, orientation)
    }

    /// Adds a solid cone, along its z axis from its base to its tip. `position`: the centre of the
    /// base. `orientation`: as for an ellipsoid.
    pub fn add_cone(
        &mut self,
        mass: f64,
        radius: f64,
        height: f64,
        position: Vector3<f64>,
        orientation: UnitQuaternion<f64>,
    ) -> Result<(), Error> {
        let [radius] = lengths("radius", [radius])?;
        let [height] = lengths("height", [height])?;
        let first = mass * (0.25 * height);
        let across = 0.15 * mass * radius * radius;
        let along = mass * height * height / 10.0;
        self.add_upon(mass, position, first, [across, across, along], orientation)
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
        finite_corners(triangles)?;
        let surface = Surface::of(triangles);
        let solid = surface.solid();
        check(
            surface.is_closed(),
            "corners",
            "must be those of a closed surface, whose triangles all turn counterclockwise as seen from outside",
        )?;
        check(
            solid.volume > surface.rounding(),
            "corners",
            "must enclose a positive volume: the triangles turn clockwise as seen from outside, or lie in a plane",
        )?;
        let first = density * Vector3::from(solid.first);
        let second = density * Matrix3::from(solid.second); // symmetric
        self.add_about(Vector3::new(x, y, z), density * solid.volume, first, second)
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

    /// Mass, centre of mass and inertia. Errors: the mass must be positive, and the inertia that of
    /// a mass: no moment negative, and none greater than the sum of the other two by more than a
    /// hundredth.
    pub fn properties(&self) -> Result<MassProperties, Error> {
        let [mass, x, y, z, ..] = self.moments;
        let first = [x, y, z];
        check(mass.value() > 0.0, "sum", "must have a positive mass")?;
        let centre = first.map(|moment| moment.over(mass));
        let [xx, yy, zz] = [4, 5, 6].map(|k| self.moments[k].value().abs());
        let mut second = Matrix3::zeros();
        for (k, (i, j)) in PAIRS.into_iter().enumerate() {
            let about_centre = self.moments[4 + k].minus(first[i].times(centre[j])).value();
            if about_centre.abs() > ROUNDING * (xx + yy + zz) {
                second[(i, j)] = about_centre;
                second[(j, i)] = about_centre;
            }
        }
        let inertia = Matrix3::from_diagonal_element(second.trace()) - second;
        let centre = finite("centre", centre.map(TwoDoubles::value))?;
        finite::<9>("inertia", std::array::from_fn(|n| inertia[n]))?;
        check(
            is_of_a_mass(&inertia),
            "sum",
            "must have moments of inertia that are not negative, none greater than the sum of the other two: \
             holes must lie in the parts around them, and known inertias be those of masses",
        )?;
        Ok(MassProperties {
            mass: mass.value(),
            centre: centre.into(),
            inertia,
        })
    }

    /// The inertia tensor about any point, along the axes of the assembly: that about the centre of
    /// mass and, of Steiner, `m (d² 1 − d dᵀ)` for a centre of mass at the distance d. Errors: as
    /// [`Mass::properties`].
    pub fn inertia_about(&self, point: Vector3<f64>) -> Result<Matrix3<f64>, Error> {
        finite("point", point.into())?;
        let MassProperties { mass, inertia, .. } = self.properties()?;
        let d = Vector3::from([0, 1, 2].map(|i| {
            let centre = self.moments[1 + i].over(self.moments[0]);
            centre.minus(point[i].into()).value()
        }));
        let of_the_centre = Matrix3::from_diagonal_element(d.norm_squared()) - d * d.transpose();
        let about = inertia + mass * of_the_centre;
        finite::<9>("inertia", std::array::from_fn(|n| about[n]))?;
        Ok(about)
    }

    /// Adds a part that stands on `position`, along its own z axis: `first` is its first moment
    /// along that axis, `second` are the second moments along its axes, both about `position`.
    fn add_upon(
        &mut self,
        mass: f64,
        position: Vector3<f64>,
        first: f64,
        second: [f64; 3],
        orientation: UnitQuaternion<f64>,
    ) -> Result<(), Error> {
        let first = orientation * Vector3::new(0.0, 0.0, first);
        let along_own_axes = Matrix3::from_diagonal(&second.into());
        self.add_about(position, mass, first, rotated(along_own_axes, orientation))
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
        self.add_about(position, mass, Vector3::zeros(), about_centre)
    }

    /// Adds a part by its moments about a point p: `∫ x dm = m p + first` and
    /// `∫ x xᵀ dm = m p pᵀ + p firstᵀ + first pᵀ + second`.
    fn add_about(
        &mut self,
        point: Vector3<f64>,
        mass: f64,
        first: Vector3<f64>,
        second: Matrix3<f64>,
    ) -> Result<(), Error> {
        finite("mass", [mass])?;
        finite("position", point.into())?;
        let shifted = [0, 1, 2].map(|i| TwoDoubles::product(mass, point[i]));
        let mut moments = [TwoDoubles::from(mass); 10];
        for i in 0..3 {
            moments[1 + i] = shifted[i].plus(first[i].into());
        }
        for (k, (i, j)) in PAIRS.into_iter().enumerate() {
            moments[4 + k] = shifted[i]
                .times(point[j].into())
                .plus(TwoDoubles::product(point[i], first[j]))
                .plus(TwoDoubles::product(first[i], point[j]))
                .plus(second[(i, j)].into());
        }
        self.add(&Mass { moments })
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

fn finite_corners(triangles: &[[f64; 9]]) -> Result<(), Error> {
    let corners = triangles.as_flattened();
    match corners.iter().position(|value| !value.is_finite()) {
        Some(index) => Err(Error::NotFinite {
            name: "corners",
            index: Some(index),
            value: corners[index],
        }),
        None => Ok(()),
    }
}

/// Whether masses can have this inertia, to rounding and to the few digits of known inertias.
fn is_of_a_mass(inertia: &Matrix3<f64>) -> bool {
    const NEGATIVE: f64 = 1e-12;
    const GREATER: f64 = 1e-2;
    let (moments, _) = diagonalised(*inertia);
    let least = moments.min();
    let greatest = moments.max();
    least >= -NEGATIVE * greatest && greatest <= (1.0 + GREATER) * (moments.sum() - greatest)
}
