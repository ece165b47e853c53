//! The small tools for rotations that every caller needs.

use super::check::{boundary, input, output, usable};
use super::failure::{Fault, qi_status};
use crate::error::finite;
use crate::kernel::{Quat, Vec3};
use crate::rotation::{self, EulerSequence, checked};
use libc::c_char;

/// A checked orientation.
///
/// # Safety
/// That of [`input`].
unsafe fn orientation_in(pointer: *const f64, name: &'static str) -> Result<Quat<f64>, Fault> {
    // SAFETY: the caller's.
    Ok(checked(name, unsafe { input(pointer, name) }?)?)
}

/// Take a vector from the body to the world: `v_world = q v_body q^-1`.
///
/// @param orientation  4 doubles (w, x, y, z), body to world, of unit length (to 1e-3), then normalised
/// @param v_body       3 doubles, body frame
/// @param v_world      receives 3 doubles, world frame; may be `v_body`
/// @return QI_OK, or QI_ERR_ORIENTATION, QI_ERR_NON_FINITE (what goes in, or an overflow)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_rotate(orientation: *const f64, v_body: *const f64, v_world: *mut f64) -> qi_status {
    boundary("qi_rotate", || {
        // SAFETY: by the header's contract of pointers.
        let (q, v, place) = unsafe {
            (orientation_in(orientation, "orientation")?, input(v_body, "v_body")?, output(v_world, "v_world")?)
        };
        place.put(finite("v_world", q.to_world(Vec3(finite("v_body", v)?)).0)?);
        Ok(())
    })
}

/// Take a vector from the world to the body: `v_body = q^-1 v_world q`.
///
/// @param orientation  4 doubles (w, x, y, z), body to world, of unit length (to 1e-3), then normalised
/// @param v_world      3 doubles, world frame
/// @param v_body       receives 3 doubles, body frame; may be `v_world`
/// @return as qi_rotate()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_rotate_inverse(
    orientation: *const f64,
    v_world: *const f64,
    v_body: *mut f64,
) -> qi_status {
    boundary("qi_rotate_inverse", || {
        // SAFETY: by the header's contract of pointers.
        let (q, v, place) = unsafe {
            (orientation_in(orientation, "orientation")?, input(v_world, "v_world")?, output(v_body, "v_body")?)
        };
        place.put(finite("v_body", q.to_body(Vec3(finite("v_world", v)?)).0)?);
        Ok(())
    })
}

/// The orientation turned by `angle` about `axis`, from body axes that coincided with the world's.
///
/// @param axis         3 doubles, of any length but 0
/// @param angle        rad, right-handed about the axis
/// @param orientation  receives 4 doubles (w, x, y, z), body to world
/// @return QI_OK, or QI_ERR_INVALID (no direction), QI_ERR_NON_FINITE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_from_axis_angle(
    axis: *const f64,
    angle: f64,
    orientation: *mut f64,
) -> qi_status {
    boundary("qi_orientation_from_axis_angle", || {
        // SAFETY: by the header's contract of pointers.
        let (axis, place) = unsafe { (input(axis, "axis")?, output(orientation, "orientation")?) };
        place.put(rotation::from_axis_angle(axis, angle)?.0);
        Ok(())
    })
}

/// The axis and the angle of an orientation.
///
/// @param orientation  4 doubles (w, x, y, z), of unit length (to 1e-3), then normalised
/// @param axis         receives 3 doubles, of unit length; (1, 0, 0) where nothing is turned
/// @param angle        receives 1 double, rad, from 0 to pi
/// @return as qi_rotate()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_to_axis_angle(
    orientation: *const f64,
    axis: *mut f64,
    angle: *mut f64,
) -> qi_status {
    boundary("qi_orientation_to_axis_angle", || {
        // SAFETY: by the header's contract of pointers.
        let (q, axis_out, angle_out) =
            unsafe { (orientation_in(orientation, "orientation")?, output(axis, "axis")?, output(angle, "angle")?) };
        let (axis, angle) = rotation::to_axis_angle(q);
        axis_out.put(axis.0);
        angle_out.put([angle]);
        Ok(())
    })
}

/// The orientation of a rotation vector: turned by its length (rad) about its direction.
///
/// @param rotation_vector  3 doubles, rad
/// @param orientation      receives 4 doubles (w, x, y, z), body to world
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (longer than 1e154)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_from_rotation_vector(
    rotation_vector: *const f64,
    orientation: *mut f64,
) -> qi_status {
    boundary("qi_orientation_from_rotation_vector", || {
        // SAFETY: by the header's contract of pointers.
        let (v, place) = unsafe { (input(rotation_vector, "rotation_vector")?, output(orientation, "orientation")?) };
        place.put(rotation::from_rotation_vector(v)?.0);
        Ok(())
    })
}

/// The rotation vector of an orientation: the shortest, of length pi at most.
///
/// @param orientation      4 doubles (w, x, y, z), of unit length (to 1e-3), then normalised
/// @param rotation_vector  receives 3 doubles, rad
/// @return as qi_rotate()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_to_rotation_vector(
    orientation: *const f64,
    rotation_vector: *mut f64,
) -> qi_status {
    boundary("qi_orientation_to_rotation_vector", || {
        // SAFETY: by the header's contract of pointers.
        let (q, place) =
            unsafe { (orientation_in(orientation, "orientation")?, output(rotation_vector, "rotation_vector")?) };
        place.put(rotation::to_rotation_vector(q).0);
        Ok(())
    })
}

/// The orientation of a rotation matrix R, with `v_world = R v_body`.
///
/// @param matrix       9 doubles, row-major (from a column-major language pass the transpose); `R^T R` must be the identity
///                     to 1e-3 in each entry, and the determinant positive
/// @param orientation  receives 4 doubles (w, x, y, z), body to world
/// @return QI_OK, or QI_ERR_ORIENTATION (not a rotation), QI_ERR_NON_FINITE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_from_matrix(matrix: *const f64, orientation: *mut f64) -> qi_status {
    boundary("qi_orientation_from_matrix", || {
        // SAFETY: by the header's contract of pointers.
        let (matrix, place) = unsafe { (input(matrix, "matrix")?, output(orientation, "orientation")?) };
        place.put(rotation::from_matrix(matrix)?.0);
        Ok(())
    })
}

/// The rotation matrix R of an orientation, with `v_world = R v_body`.
///
/// @param orientation  4 doubles (w, x, y, z), of unit length (to 1e-3), then normalised
/// @param matrix       receives 9 doubles, row-major
/// @return as qi_rotate()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_to_matrix(orientation: *const f64, matrix: *mut f64) -> qi_status {
    boundary("qi_orientation_to_matrix", || {
        // SAFETY: by the header's contract of pointers.
        let (q, place) = unsafe { (orientation_in(orientation, "orientation")?, output(matrix, "matrix")?) };
        place.put(rotation::to_matrix(q));
        Ok(())
    })
}

/// The orientation of three Euler (or Tait-Bryan) angles.
///
/// @param angles       3 doubles, rad, in the order of the sequence
/// @param sequence     a string of three axes, no axis twice in a row: "xyz" in lower case turns about the axes of the
///                     world (extrinsic), "ZXZ" in upper case about those of the turning body (intrinsic)
/// @param orientation  receives 4 doubles (w, x, y, z), body to world
/// @return QI_OK, or QI_ERR_INVALID (sequence), QI_ERR_NON_FINITE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_from_euler(
    angles: *const f64,
    sequence: *const c_char,
    orientation: *mut f64,
) -> qi_status {
    boundary("qi_orientation_from_euler", || {
        // SAFETY: by the header's contract of pointers.
        let (angles, sequence, place) = unsafe {
            (input(angles, "angles")?, sequence_in(sequence, "sequence")?, output(orientation, "orientation")?)
        };
        place.put(sequence.to_orientation(angles)?.0);
        Ok(())
    })
}

/// The Euler (or Tait-Bryan) angles of an orientation.
///
/// The first and third are in (-pi, pi]. The second is in [0, pi] where the first and third axes are the same, and in
/// [-pi/2, pi/2] where they differ. At the ends of its range only the sum or the difference of the other two is
/// determined (gimbal lock): then the third angle is 0.
///
/// Source: Bernardes and Viollet, doi 10.1371/journal.pone.0276302.
///
/// @param orientation  4 doubles (w, x, y, z), of unit length (to 1e-3), then normalised
/// @param sequence     a string of three axes, as for qi_orientation_from_euler()
/// @param angles       receives 3 doubles, rad, in the order of the sequence
/// @return as qi_rotate(), or QI_ERR_INVALID (sequence)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_to_euler(
    orientation: *const f64,
    sequence: *const c_char,
    angles: *mut f64,
) -> qi_status {
    boundary("qi_orientation_to_euler", || {
        // SAFETY: by the header's contract of pointers.
        let (q, sequence, place) = unsafe {
            (orientation_in(orientation, "orientation")?, sequence_in(sequence, "sequence")?, output(angles, "angles")?)
        };
        place.put(sequence.angles_of(q));
        Ok(())
    })
}

/// Reads at most four characters: three and the end, or it is no sequence.
///
/// # Safety
/// A usable pointer is a C string.
unsafe fn sequence_in(pointer: *const c_char, name: &'static str) -> Result<EulerSequence, Fault> {
    usable(pointer, name)?;
    let mut letters = [0_u8; 4];
    let mut length = 0;
    while length < letters.len() {
        // SAFETY: none of the characters before was the end of the string.
        letters[length] = unsafe { pointer.add(length).read() } as u8;
        if letters[length] == 0 {
            break;
        }
        length += 1;
    }
    Ok(EulerSequence::parse(&letters[..length])?)
}

/// The product of two orientations: turned by `b` first, then by `a`. With `a` from frame 1 to 0 and `b` from 2 to 1, the
/// product is from 2 to 0.
///
/// @param a        4 doubles (w, x, y, z), of unit length (to 1e-3), then normalised
/// @param b        4 doubles, likewise
/// @param product  receives 4 doubles; may be `a` or `b`
/// @return as qi_rotate()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_product(a: *const f64, b: *const f64, product: *mut f64) -> qi_status {
    boundary("qi_orientation_product", || {
        // SAFETY: by the header's contract of pointers.
        let (a, b, place) = unsafe { (orientation_in(a, "a")?, orientation_in(b, "b")?, output(product, "product")?) };
        place.put((a * b).renormalised().0);
        Ok(())
    })
}

/// The inverse of an orientation: world to body, as an orientation.
///
/// @param orientation  4 doubles (w, x, y, z), of unit length (to 1e-3), then normalised
/// @param inverse      receives 4 doubles; may be `orientation`
/// @return as qi_rotate()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_inverse(orientation: *const f64, inverse: *mut f64) -> qi_status {
    boundary("qi_orientation_inverse", || {
        // SAFETY: by the header's contract of pointers.
        let (q, place) = unsafe { (orientation_in(orientation, "orientation")?, output(inverse, "inverse")?) };
        place.put(q.conjugate().0);
        Ok(())
    })
}

/// Between two orientations, along the shortest arc and at constant angular velocity (slerp): `a` at t = 0, `b` at t = 1,
/// as a rotation (the sign of the quaternion may be the other). Beyond 0 and 1 the rotation goes on.
///
/// @param a            4 doubles (w, x, y, z), of unit length (to 1e-3), then normalised
/// @param b            4 doubles, likewise
/// @param t            the fraction of the way
/// @param orientation  receives 4 doubles; may be `a` or `b`
/// @return as qi_rotate(), QI_ERR_NON_FINITE for `t` too, QI_ERR_INVALID (t of 1e153 or more)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_slerp(
    a: *const f64,
    b: *const f64,
    t: f64,
    orientation: *mut f64,
) -> qi_status {
    boundary("qi_orientation_slerp", || {
        // SAFETY: by the header's contract of pointers.
        let (a, b, place) =
            unsafe { (orientation_in(a, "a")?, orientation_in(b, "b")?, output(orientation, "orientation")?) };
        place.put(rotation::slerp(a, b, t)?.0);
        Ok(())
    })
}

/// The angle of the rotation from one orientation to another.
///
/// @param a      4 doubles (w, x, y, z), of unit length (to 1e-3), then normalised
/// @param b      4 doubles, likewise
/// @param angle  receives 1 double, rad, from 0 to pi
/// @return as qi_rotate()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_angle(a: *const f64, b: *const f64, angle: *mut f64) -> qi_status {
    boundary("qi_orientation_angle", || {
        // SAFETY: by the header's contract of pointers.
        let (a, b, place) = unsafe { (orientation_in(a, "a")?, orientation_in(b, "b")?, output(angle, "angle")?) };
        place.put([rotation::angle_between(a, b)]);
        Ok(())
    })
}
