//! Mass, centre of mass and inertia of assemblies.

use super::prelude::*;
use crate::rotation::orientation_of;
use crate::{Inertia, Mass};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

/// Number of doubles in the sum of an assembly's parts.
///
/// The sum holds the mass, the first moments of x, y and z, and the second moments of xx, yy, zz,
/// xy, xz and yz, the integrals of these products over the mass. Element k of the first ten is the
/// moment k to 30 bits, and element k + 10 is what is left of it: the moment is their sum. An array
/// of zeros is the sum of no parts. The functions qi_add_..._mass() add a part each, in any order.
/// Sums are added element by element, for example by MPI_Allreduce(); up to 8 million sums of
/// similar size lose no digits so. All positions are in the same axes, those of the assembly, whose
/// origin may be anywhere: centre and inertia are as good as the positions of the parts. A part
/// with a negative mass is a hole.
pub const QI_MASS_SIZE: usize = 20;
const _: () = assert!(QI_MASS_SIZE == Mass::SIZE);

/// Adds a part to the sum that `sum` points to. If that fails, the sum does not change.
unsafe fn add_to(
    function: &'static str,
    sum: *mut f64,
    add: impl FnOnce(&mut Mass) -> Result<(), Fault>,
) -> qi_status {
    compute(function, sum, "sum", || {
        let mut total = Mass::from_numbers(arg!(input(sum)))?;
        add(&mut total)?;
        Ok(total.numbers())
    })
}

unsafe fn vector(pointer: *const f64, name: &'static str) -> Result<Vector3<f64>, Fault> {
    Ok(input(pointer, name)?.into())
}

/// The orientation of a part. NULL is the identity.
unsafe fn orientation_or_identity(orientation: *const f64) -> Result<UnitQuaternion<f64>, Fault> {
    match optional!(unit(orientation)) {
        Some(q) => Ok(orientation_of(q)),
        None => Ok(UnitQuaternion::identity()),
    }
}

/// Adds a part that has a position and an orientation.
unsafe fn add_placed(
    function: &'static str,
    sum: *mut f64,
    position: *const f64,
    orientation: *const f64,
    add: impl FnOnce(&mut Mass, Vector3<f64>, UnitQuaternion<f64>) -> Result<(), Error>,
) -> qi_status {
    add_to(function, sum, |total| {
        let position = arg!(vector(position));
        let orientation = orientation_or_identity(orientation)?;
        Ok(add(total, position, orientation)?)
    })
}

/// Add a point to the sum of an assembly.
/// @param mass      of the part; negative: a hole
/// @param position  3 doubles, axes of the assembly
/// @param sum       QI_MASS_SIZE doubles, in and out
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_add_point_mass(
    mass: f64,
    position: *const f64,
    sum: *mut f64,
) -> qi_status {
    add_to("qi_add_point_mass", sum, |total| {
        Ok(total.add_point(mass, arg!(vector(position)))?)
    })
}

/// Add a solid sphere to the sum of an assembly.
/// @param mass      of the part; negative: a hole
/// @param radius    at least 0
/// @param position  3 doubles, its centre, axes of the assembly
/// @param sum       QI_MASS_SIZE doubles, in and out
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_add_sphere_mass(
    mass: f64,
    radius: f64,
    position: *const f64,
    sum: *mut f64,
) -> qi_status {
    add_to("qi_add_sphere_mass", sum, |total| {
        Ok(total.add_sphere(mass, radius, arg!(vector(position)))?)
    })
}

/// Add a solid ellipsoid to the sum of an assembly.
/// @param mass         of the part; negative: a hole
/// @param semi_axes    3 doubles, along its x, y and z axes, at least 0
/// @param position     3 doubles, its centre, axes of the assembly
/// @param orientation  4 doubles (w, x, y, z), from its axes to those of the assembly; NULL: they
///                     are the same
/// @param sum          QI_MASS_SIZE doubles, in and out
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_add_ellipsoid_mass(
    mass: f64,
    semi_axes: *const f64,
    position: *const f64,
    orientation: *const f64,
    sum: *mut f64,
) -> qi_status {
    add_to("qi_add_ellipsoid_mass", sum, |total| {
        let semi_axes = arg!(vector(semi_axes));
        let position = arg!(vector(position));
        let orientation = orientation_or_identity(orientation)?;
        Ok(total.add_ellipsoid(mass, semi_axes, position, orientation)?)
    })
}

/// Add a solid box to the sum of an assembly.
/// @param mass         of the part; negative: a hole
/// @param edges        3 doubles, along its x, y and z axes, at least 0
/// @param position     3 doubles, its centre, axes of the assembly
/// @param orientation  4 doubles (w, x, y, z), from its axes to those of the assembly; NULL: they
///                     are the same
/// @param sum          QI_MASS_SIZE doubles, in and out
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_add_box_mass(
    mass: f64,
    edges: *const f64,
    position: *const f64,
    orientation: *const f64,
    sum: *mut f64,
) -> qi_status {
    add_to("qi_add_box_mass", sum, |total| {
        let edges = arg!(vector(edges));
        let position = arg!(vector(position));
        let orientation = orientation_or_identity(orientation)?;
        Ok(total.add_box(mass, edges, position, orientation)?)
    })
}

/// Add a solid cylinder along its z axis to the sum of an assembly.
/// @param mass         of the part; negative: a hole
/// @param radius       at least 0
/// @param length       at least 0
/// @param position     3 doubles, its centre, axes of the assembly
/// @param orientation  4 doubles (w, x, y, z), from its axes to those of the assembly; NULL: they
///                     are the same
/// @param sum          QI_MASS_SIZE doubles, in and out
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_add_cylinder_mass(
    mass: f64,
    radius: f64,
    length: f64,
    position: *const f64,
    orientation: *const f64,
    sum: *mut f64,
) -> qi_status {
    let name = "qi_add_cylinder_mass";
    add_placed(name, sum, position, orientation, |total, at, turned| {
        total.add_cylinder(mass, radius, length, at, turned)
    })
}

/// Add a solid capsule to the sum of an assembly: a cylinder along its z axis with half a sphere on
/// each end.
/// @param mass         of the part; negative: a hole
/// @param radius       at least 0
/// @param length       of the cylinder, without the half spheres; at least 0
/// @param position     3 doubles, its centre, axes of the assembly
/// @param orientation  4 doubles (w, x, y, z), from its axes to those of the assembly; NULL: they
///                     are the same
/// @param sum          QI_MASS_SIZE doubles, in and out
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_add_capsule_mass(
    mass: f64,
    radius: f64,
    length: f64,
    position: *const f64,
    orientation: *const f64,
    sum: *mut f64,
) -> qi_status {
    let name = "qi_add_capsule_mass";
    add_placed(name, sum, position, orientation, |total, at, turned| {
        total.add_capsule(mass, radius, length, at, turned)
    })
}

/// Add half of a solid sphere to the sum of an assembly. It lies above its flat face: its z is 0 to
/// `radius`.
/// @param mass         of the part; negative: a hole
/// @param radius       at least 0
/// @param position     3 doubles, the centre of the flat face, axes of the assembly
/// @param orientation  4 doubles (w, x, y, z), from its axes to those of the assembly; NULL: they
///                     are the same
/// @param sum          QI_MASS_SIZE doubles, in and out
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_add_hemisphere_mass(
    mass: f64,
    radius: f64,
    position: *const f64,
    orientation: *const f64,
    sum: *mut f64,
) -> qi_status {
    let name = "qi_add_hemisphere_mass";
    add_placed(name, sum, position, orientation, |total, at, turned| {
        total.add_hemisphere(mass, radius, at, turned)
    })
}

/// Add a solid cone along its z axis to the sum of an assembly. The base is at its z = 0, the tip
/// at `height`.
/// @param mass         of the part; negative: a hole
/// @param radius       of the base, at least 0
/// @param height       at least 0
/// @param position     3 doubles, the centre of the base, axes of the assembly
/// @param orientation  4 doubles (w, x, y, z), from its axes to those of the assembly; NULL: they
///                     are the same
/// @param sum          QI_MASS_SIZE doubles, in and out
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_add_cone_mass(
    mass: f64,
    radius: f64,
    height: f64,
    position: *const f64,
    orientation: *const f64,
    sum: *mut f64,
) -> qi_status {
    let name = "qi_add_cone_mass";
    add_placed(name, sum, position, orientation, |total, at, turned| {
        total.add_cone(mass, radius, height, at, turned)
    })
}

/// Add the solid inside a closed surface of triangles to the sum of an assembly. It may have
/// hollows; their triangles are counterclockwise as seen from within them. Corners may lie on the
/// edges of other triangles. Errors: the surface must be closed, but for gaps that change the
/// volume by 1e-4 at most, or that rounding to single precision leaves if all corners are numbers
/// of single precision; and the volume inside must be positive (QI_ERR_INVALID).
/// @param density    mass per volume
/// @param triangles  their number; 0: `corners` may be NULL
/// @param corners    9 doubles for each triangle: the x, y, z of three corners, counterclockwise as
///                   seen from outside, axes of the assembly
/// @param sum        QI_MASS_SIZE doubles, in and out
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_add_mesh_mass(
    density: f64,
    triangles: usize,
    corners: *const f64,
    sum: *mut f64,
) -> qi_status {
    add_to("qi_add_mesh_mass", sum, |total| {
        check(
            triangles <= isize::MAX as usize / 72,
            "triangles",
            "must be the number of triangles in an array that can be addressed",
        )?;
        let corners = arg!(input_array(corners, 9 * triangles));
        let (triangles, _) = corners.as_chunks::<9>();
        Ok(total.add_mesh(density, triangles)?)
    })
}

/// Add a part whose inertia is known to the sum of an assembly. What is taken away has a negative
/// mass and the negative of its inertia.
/// @param mass         of the part; negative: a hole
/// @param inertia      9 doubles, symmetric, about the part's own centre of mass, along its own
///                     axes
/// @param position     3 doubles, its centre of mass, axes of the assembly
/// @param orientation  4 doubles (w, x, y, z), from its axes to those of the assembly; NULL: they
///                     are the same
/// @param sum          QI_MASS_SIZE doubles, in and out
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_add_inertia_mass(
    mass: f64,
    inertia: *const f64,
    position: *const f64,
    orientation: *const f64,
    sum: *mut f64,
) -> qi_status {
    add_to("qi_add_inertia_mass", sum, |total| {
        let numbers: [f64; 9] = arg!(input(inertia));
        let inertia = Matrix3::from_row_slice(&numbers);
        let position = arg!(vector(position));
        let orientation = orientation_or_identity(orientation)?;
        Ok(total.add_inertia(mass, &inertia, position, orientation)?)
    })
}

/// Get the mass, the centre of mass and the inertia of an assembly from the sum of its parts. The
/// inertia is what qi_create_body() takes for a body frame with these axes and its origin in the
/// centre of mass. Errors: the mass must be positive, and the inertia that of a mass: no moment
/// negative, and none greater than the sum of the other two by more than a hundredth, as holes
/// outside of the parts may make them. The added mass of a fluid is no part: add it to the inertia.
///
/// ```c
/// const double middle[3] = {0, 0, 0}, edges[3] = {1, 0.5, 0.5}, tip[3] = {0.5, 0, 0};
/// double sum[QI_MASS_SIZE] = {0}, mass, centre[3], inertia[9];
/// status = qi_add_box_mass(10.0, edges, middle, NULL, sum);
/// if (status == QI_OK) status = qi_add_point_mass(0.5, tip, sum);
/// if (status == QI_OK) status = qi_get_mass_properties(sum, &mass, centre, inertia);
/// ```
/// @param sum      QI_MASS_SIZE doubles
/// @param mass     receives 1 double
/// @param centre   receives 3 doubles, axes of the assembly
/// @param inertia  receives 9 doubles: the tensor about the centre of mass, with
///                 `I_xx = integral of (y^2 + z^2) dm` and `I_xy = -integral of x y dm`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_mass_properties(
    sum: *const f64,
    mass: *mut f64,
    centre: *mut f64,
    inertia: *mut f64,
) -> qi_status {
    boundary("qi_get_mass_properties", || {
        let place_of_mass = arg!(output(mass));
        let place_of_centre = arg!(output(centre));
        let place_of_inertia = arg!(output(inertia));
        let properties = Mass::from_numbers(arg!(input(sum)))?.properties()?;
        place_of_mass.put(properties.mass);
        let centre: [f64; 3] = properties.centre.into();
        place_of_centre.put(centre);
        let inertia: [f64; 9] = std::array::from_fn(|n| properties.inertia[n]);
        place_of_inertia.put(inertia);
        Ok(())
    })
}

/// Get the inertia of an assembly about any point, for example that of a hinge or of a fixed tip:
/// the inertia about the centre of mass, and `m (d^2 1 - d d^T)` for a centre of mass at the
/// distance d from the point. A body that is held in the point turns as qi_create_body() computes
/// with this tensor and with torques about the point. Errors: as of qi_get_mass_properties().
/// @param sum      QI_MASS_SIZE doubles
/// @param point    3 doubles, axes of the assembly
/// @param inertia  receives 9 doubles: the tensor about the point, along the axes of the assembly
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_inertia_about(
    sum: *const f64,
    point: *const f64,
    inertia: *mut f64,
) -> qi_status {
    compute("qi_get_inertia_about", inertia, "inertia", || {
        let total = Mass::from_numbers(arg!(input(sum)))?;
        let about = total.inertia_about(arg!(vector(point)))?;
        let numbers: [f64; 9] = std::array::from_fn(|n| about[n]);
        Ok(numbers)
    })
}

/// Get the principal moments and axes of an inertia tensor, as the library computes with them. No
/// moment of a solid is greater than the sum of the other two; a tensor for which one is greater is
/// accepted, because with the added mass of a fluid it may be right, but often it has products of
/// inertia with the wrong sign (it must have `I_xy = -integral of x y dm`).
///
/// Jacobi's method rotates the body axes until the tensor is diagonal, and axis k is what the body
/// axis k becomes: the moments are not sorted, and a diagonal tensor has the identity. Axes of
/// tensors that turn relative to the body axes change places near 45 degrees; docs/inertia.md says
/// how to follow them.
/// @param inertia      9 doubles, as for qi_create_body()
/// @param moments      receives 3 doubles
/// @param orientation  receives 4 doubles (w, x, y, z), the rotation from the principal axes to the
///                     body axes: `inertia = R diag(moments) R^T`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_principal_axes(
    inertia: *const f64,
    moments: *mut f64,
    orientation: *mut f64,
) -> qi_status {
    boundary("qi_get_principal_axes", || {
        let place_of_moments = arg!(output(moments));
        let place_of_orientation = arg!(output(orientation));
        let numbers: [f64; 9] = arg!(input(inertia));
        let inertia = Inertia::new(&Matrix3::from_row_slice(&numbers))?;
        let principal_moments: [f64; 3] = inertia.principal_moments().into();
        place_of_moments.put(principal_moments);
        place_of_orientation.put(inertia.principal_to_body.0);
        Ok(())
    })
}
