//! Functions for rotations and orientations.

use super::prelude::*;
use crate::attitude;
use crate::kernel::Vec3;
use crate::rotation::{self, EulerSequence, components, orientation_of, rows_of};
use crate::simd::clear_upper_halves;
use nalgebra::{Matrix3, Quaternion, Vector3};

/// Reads a string of three letters. Of a longer one, the fourth letter is read too, so that it is
/// refused.
unsafe fn sequence_in(pointer: *const c_char, name: &'static str) -> Result<EulerSequence, Fault> {
    usable(pointer, name)?;
    let mut letters = [0; 4];
    let mut length = 0;
    while length < letters.len() {
        // SAFETY: the string has not ended before this character.
        let character = unsafe { pointer.add(length).read() } as u8;
        if character == 0 {
            break;
        }
        letters[length] = character;
        length += 1;
    }
    Ok(EulerSequence::parse(&letters[..length])?)
}

fn numbers(vector: Vector3<f64>) -> [f64; 3] {
    vector.into()
}

/// Rotate a vector from the body frame to the world frame: `v_world = q v_body q^-1`.
/// @param v_body       3 doubles, body frame
/// @param v_world      receives 3 doubles, world frame
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_rotate(
    orientation: *const f64,
    v_body: *const f64,
    v_world: *mut f64,
) -> qi_status {
    compute("qi_rotate", v_world, "v_world", || {
        let q = arg!(unit(orientation));
        let v_world = q.to_world(Vec3(arg!(finite_input(v_body))));
        Ok(finite("v_world", v_world.0)?)
    })
}

/// Rotate a vector from the world frame to the body frame: `v_body = q^-1 v_world q`.
/// @param v_world      3 doubles, world frame
/// @param v_body       receives 3 doubles, body frame
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_rotate_inverse(
    orientation: *const f64,
    v_world: *const f64,
    v_body: *mut f64,
) -> qi_status {
    compute("qi_rotate_inverse", v_body, "v_body", || {
        let q = arg!(unit(orientation));
        let v_body = q.to_body(Vec3(arg!(finite_input(v_world))));
        Ok(finite("v_body", v_body.0)?)
    })
}

/// Compute the orientation of a body that is rotated by `angle` about `axis`, starting from the
/// axes of the world.
///
/// ```c
/// const double z[3] = {0, 0, 1};
/// double orientation[4];
/// status = qi_orientation_from_axis_angle(z, 0.5, orientation);
/// ```
/// @param axis         3 doubles, of any length but 0
/// @param angle        rad, right-handed about the axis
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_from_axis_angle(
    axis: *const f64,
    angle: f64,
    orientation: *mut f64,
) -> qi_status {
    compute(
        "qi_orientation_from_axis_angle",
        orientation,
        "orientation",
        || {
            let axis: [f64; 3] = arg!(input(axis));
            Ok(components(rotation::from_axis_angle(axis.into(), angle)?))
        },
    )
}

/// Compute the axis and the angle of an orientation.
/// @param axis         receives 3 doubles, a unit vector; (1, 0, 0) for the identity
/// @param angle        receives 1 double, rad, from 0 to pi
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_to_axis_angle(
    orientation: *const f64,
    axis: *mut f64,
    angle: *mut f64,
) -> qi_status {
    compute("qi_orientation_to_axis_angle", axis, "axis", || {
        let q = orientation_of(arg!(unit(orientation)));
        let place_of_angle = arg!(output(angle));
        let (axis, angle) = rotation::to_axis_angle(q);
        place_of_angle.put(angle);
        Ok(numbers(axis))
    })
}

/// Compute the orientation of a rotation vector. Its direction is the axis of the rotation, its
/// length the angle (rad).
/// @param rotation_vector  3 doubles, rad; shorter than 1e154 rad
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_from_rotation_vector(
    rotation_vector: *const f64,
    orientation: *mut f64,
) -> qi_status {
    compute(
        "qi_orientation_from_rotation_vector",
        orientation,
        "orientation",
        || {
            let vector: [f64; 3] = arg!(input(rotation_vector));
            Ok(components(rotation::from_rotation_vector(vector.into())?))
        },
    )
}

/// Compute the rotation vector of an orientation: the shortest one, whose length is at most pi.
/// @param rotation_vector  receives 3 doubles, rad
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_to_rotation_vector(
    orientation: *const f64,
    rotation_vector: *mut f64,
) -> qi_status {
    compute(
        "qi_orientation_to_rotation_vector",
        rotation_vector,
        "rotation_vector",
        || {
            let q = orientation_of(arg!(unit(orientation)));
            Ok(numbers(rotation::to_rotation_vector(q)))
        },
    )
}

/// Compute the orientation of a rotation matrix R, where `v_world = R v_body`.
/// @param matrix       9 doubles, row-major (in a column-major language, pass the transpose).
///                     `R^T R` must equal the identity to 1e-3 in each entry, and the determinant
///                     must be positive (QI_ERR_ORIENTATION)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_from_matrix(
    matrix: *const f64,
    orientation: *mut f64,
) -> qi_status {
    compute(
        "qi_orientation_from_matrix",
        orientation,
        "orientation",
        || {
            let rows: [f64; 9] = arg!(input(matrix));
            let matrix = Matrix3::from_row_slice(&rows);
            Ok(components(rotation::from_matrix(&matrix)?))
        },
    )
}

/// Compute the rotation matrix R of an orientation, where `v_world = R v_body`.
/// @param matrix       receives 9 doubles, row-major
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_to_matrix(
    orientation: *const f64,
    matrix: *mut f64,
) -> qi_status {
    compute("qi_orientation_to_matrix", matrix, "matrix", || {
        let matrix = rotation::to_matrix(orientation_of(arg!(unit(orientation))));
        Ok(rows_of(&matrix))
    })
}

/// Compute the orientation of three Euler (or Tait-Bryan) angles.
/// @param angles       3 doubles, rad, in the order of the sequence
/// @param sequence     a string of three axes, no axis twice in a row. Lower case, such as "xyz",
///                     rotates about the world axes (extrinsic); upper case, such as "ZXZ", about
///                     the axes of the rotating body (intrinsic)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_from_euler(
    angles: *const f64,
    sequence: *const c_char,
    orientation: *mut f64,
) -> qi_status {
    compute(
        "qi_orientation_from_euler",
        orientation,
        "orientation",
        || {
            let sequence = arg!(sequence_in(sequence));
            Ok(components(sequence.to_orientation(arg!(input(angles)))?))
        },
    )
}

/// Compute the Euler (or Tait-Bryan) angles of an orientation. The first and third angles are in
/// (-pi, pi]. The second angle is in [0, pi] if the first and third axes are the same, and
/// otherwise in [-pi/2, pi/2]. At the ends of that range (gimbal lock), only the sum or the
/// difference of the first and third angles is determined; the third angle is then 0. The angles
/// give the orientation back to some 1e-15 rad, within 1e-12 rad of gimbal lock to 5e-13 rad.
/// Source: Bernardes and Viollet, doi 10.1371/journal.pone.0276302.
/// @param angles       receives 3 doubles, rad, in the order of the sequence: see
///                     qi_orientation_from_euler()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_to_euler(
    orientation: *const f64,
    sequence: *const c_char,
    angles: *mut f64,
) -> qi_status {
    compute("qi_orientation_to_euler", angles, "angles", || {
        let sequence = arg!(sequence_in(sequence));
        Ok(sequence.angles_of(orientation_of(arg!(unit(orientation)))))
    })
}

/// Compute the product of two orientations: the rotation by `b`, followed by the rotation by `a`.
/// If `a` maps frame 1 to frame 0 and `b` maps frame 2 to frame 1, then the product maps frame 2 to
/// frame 0.
/// @param a,b      4 doubles (w, x, y, z) each
/// @param product  receives 4 doubles (w, x, y, z)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_product(
    a: *const f64,
    b: *const f64,
    product: *mut f64,
) -> qi_status {
    compute("qi_orientation_product", product, "product", || {
        Ok((arg!(unit(a)) * arg!(unit(b))).renormalised().0)
    })
}

/// Compute the inverse of an orientation: the rotation from the world frame to the body frame.
/// @param inverse      receives 4 doubles (w, x, y, z)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_inverse(
    orientation: *const f64,
    inverse: *mut f64,
) -> qi_status {
    compute("qi_orientation_inverse", inverse, "inverse", || {
        Ok(arg!(unit(orientation)).conjugate().0)
    })
}

/// Interpolate between two orientations along the shortest arc, at constant angular velocity
/// (slerp). The result is the rotation `a` at t = 0 and the rotation `b` at t = 1, where its
/// quaternion may have the opposite sign. Outside of [0, 1] the rotation goes on.
/// @param a,b  4 doubles (w, x, y, z) each
/// @param t    fraction of the arc, of a magnitude below 1e153
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_slerp(
    a: *const f64,
    b: *const f64,
    t: f64,
    orientation: *mut f64,
) -> qi_status {
    compute("qi_orientation_slerp", orientation, "orientation", || {
        let a = orientation_of(arg!(unit(a)));
        let b = orientation_of(arg!(unit(b)));
        Ok(components(rotation::slerp(a, b, t)?))
    })
}

/// Compute the angle of the rotation from one orientation to another.
/// @param a,b    4 doubles (w, x, y, z) each
/// @param angle  receives 1 double, rad, from 0 to pi
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_angle(
    a: *const f64,
    b: *const f64,
    angle: *mut f64,
) -> qi_status {
    compute("qi_orientation_angle", angle, "angle", || {
        let a = orientation_of(arg!(unit(a)));
        let b = orientation_of(arg!(unit(b)));
        Ok(rotation::angle_between(a, b))
    })
}

/// Compute the angular velocity of a body from its Euler (or Tait-Bryan) angles and their rates.
/// @param angles            3 doubles, rad, in the order of the sequence: see
///                          qi_orientation_from_euler()
/// @param rates             3 doubles, rad/s, in the same order
/// @param sequence          such as "ZXZ"
/// @param angular_velocity  receives 3 doubles, rad/s, world frame
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_angular_velocity_from_euler_rates(
    angles: *const f64,
    rates: *const f64,
    sequence: *const c_char,
    angular_velocity: *mut f64,
) -> qi_status {
    compute(
        "qi_angular_velocity_from_euler_rates",
        angular_velocity,
        "angular_velocity",
        || {
            let sequence = arg!(sequence_in(sequence));
            let angles = arg!(input(angles));
            let omega = sequence.to_angular_velocity(angles, arg!(input(rates)))?;
            Ok(numbers(omega))
        },
    )
}

/// Compute the rates of the Euler (or Tait-Bryan) angles of a body from its angular velocity. At
/// gimbal lock, where the first and the third axis are parallel, there are none (QI_ERR_INVALID);
/// near it they are large.
/// @param angles            3 doubles, rad, in the order of the sequence: see
///                          qi_orientation_from_euler()
/// @param angular_velocity  3 doubles, rad/s, world frame
/// @param sequence          such as "ZXZ"
/// @param rates             receives 3 doubles, rad/s, in the order of the sequence
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_angular_velocity_to_euler_rates(
    angles: *const f64,
    angular_velocity: *const f64,
    sequence: *const c_char,
    rates: *mut f64,
) -> qi_status {
    compute("qi_angular_velocity_to_euler_rates", rates, "rates", || {
        let sequence = arg!(sequence_in(sequence));
        let angles = arg!(input(angles));
        let omega: [f64; 3] = arg!(input(angular_velocity));
        Ok(sequence.rates_of(angles, omega.into())?)
    })
}

/// Compute the orientation of modified Rodrigues parameters, `tan(angle / 4) axis`. Source: H.
/// Schaub, J. L. Junkins, J. Astronaut. Sci. 44, 1 (1996).
/// @param parameters  3 doubles of any length; those longer than 1 are of the shadow set
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_from_mrp(
    parameters: *const f64,
    orientation: *mut f64,
) -> qi_status {
    compute(
        "qi_orientation_from_mrp",
        orientation,
        "orientation",
        || {
            let parameters: [f64; 3] = arg!(input(parameters));
            Ok(components(rotation::from_mrp(parameters.into())?))
        },
    )
}

/// Compute the modified Rodrigues parameters of an orientation, `tan(angle / 4) axis`: those of at
/// most unit length, for angles up to pi.
/// @param parameters  receives 3 doubles
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_to_mrp(
    orientation: *const f64,
    parameters: *mut f64,
) -> qi_status {
    compute("qi_orientation_to_mrp", parameters, "parameters", || {
        let q = orientation_of(arg!(unit(orientation)));
        Ok(numbers(rotation::to_mrp(q)))
    })
}

/// Function that gives an angular velocity at a time, for qi_turn_orientation(). It is called on
/// the thread of the call.
/// @param angular_velocity  receives 3 doubles, rad/s, in the frame of the call; they are 0 before
/// @return 0, or any other value to end the call with QI_ERR_CALLBACK
pub type qi_rate_fn = Option<
    unsafe extern "C" fn(time: f64, angular_velocity: *mut f64, user_data: *mut c_void) -> i32,
>;

/// Turn an orientation with a given angular velocity, from one time to another: gyroscopes, drums,
/// paddles, other bodies whose motion is prescribed. Each step asks for the angular velocity at two
/// times within it (the points of Gauss), and has order 4 (two terms of Magnus' series): coning,
/// oscillations about two axes that leave a drift, is included. Errors: of the callback, whose
/// result stands in the message; a rate that is not finite, or 1e154 rad/s or more. `orientation`
/// is then as it was.
/// @param orientation  4 doubles (w, x, y, z), in and out: at `start`, then at `end`
/// @param end          of the turn; may lie before `start`
/// @param steps        from 1 to 1e15; the more, the more accurate
/// @param rate         the function that gives the angular velocity at a time
/// @param frame        QI_FRAME_WORLD or QI_FRAME_BODY, of the angular velocity
/// @return QI_OK, or QI_ERR_CALLBACK, QI_ERR_NON_FINITE, QI_ERR_ORIENTATION, QI_ERR_INVALID
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_turn_orientation(
    orientation: *mut f64,
    start: f64,
    end: f64,
    steps: usize,
    rate: qi_rate_fn,
    frame: i32,
    user_data: *mut c_void,
) -> qi_status {
    compute("qi_turn_orientation", orientation, "orientation", || {
        let from = orientation_of(arg!(unit(orientation)));
        let function = rate.ok_or(Fault::Pointer("rate", &PointerProblem::NULL))?;
        let rate_at = |time| {
            let mut omega = [0.0; 3];
            // SAFETY: the caller's function, called as the header says; the array lives until it
            // returns.
            let result = unsafe { function(time, omega.as_mut_ptr(), user_data) };
            clear_upper_halves::<true>();
            if result == 0 {
                Ok(omega.into())
            } else {
                Err(Error::RateCallback { result, time })
            }
        };
        let frame = frame_of(frame)?;
        let turned = attitude::turned(from, start, end, steps, rate_at, frame)?;
        Ok(components(turned))
    })
}

/// Turn an orientation with angular velocities that are sampled at equal intervals, as gyroscopes
/// give them: from the time of the first sample to that of the last one. Through the four samples
/// around each interval goes a cubic, for which the turn has order 4 as that of
/// qi_turn_orientation() has, coning included. A record in pieces: the last sample of a piece is
/// the first one of the next. Two samples alone give order 2, three and more order 4.
/// @param orientation         4 doubles (w, x, y, z), in and out: at the first sample, then at the
///                            last
/// @param samples             at least 2
/// @param angular_velocities  3 doubles a sample, rad/s, in the frame that `frame` selects
/// @param sample_stride       doubles from a sample to the next: 3 where they follow each other
/// @param dt                  from a sample to the next; negative where they go back in time
/// @param frame               QI_FRAME_BODY, as gyroscopes measure, or QI_FRAME_WORLD
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_ORIENTATION, QI_ERR_INVALID
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_turn_by_samples(
    orientation: *mut f64,
    samples: usize,
    angular_velocities: *const f64,
    sample_stride: isize,
    dt: f64,
    frame: i32,
) -> qi_status {
    compute("qi_turn_by_samples", orientation, "orientation", || {
        let from = orientation_of(arg!(unit(orientation)));
        check(samples >= 2, "samples", "must be at least 2")?;
        let measured = arg!(view_of(angular_velocities, samples, sample_stride, 1));
        let turned = attitude::turned_by_samples(from, measured, dt, frame_of(frame)?)?;
        Ok(components(turned))
    })
}

/// Compute the derivative of an orientation with respect to time, `dq/dt = (0, omega) q / 2`, for a
/// solver of your own.
/// @param orientation       4 doubles (w, x, y, z), of any length: a solver's q is not of unit
///                          length within its steps, and this derivative does not change its length
/// @param angular_velocity  3 doubles, rad/s, world frame
/// @param rate              receives 4 doubles
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_orientation_rate(
    orientation: *const f64,
    angular_velocity: *const f64,
    rate: *mut f64,
) -> qi_status {
    compute("qi_orientation_rate", rate, "rate", || {
        let [w, x, y, z] = arg!(input(orientation));
        let omega: [f64; 3] = arg!(input(angular_velocity));
        let rate = attitude::rate_of(Quaternion::new(w, x, y, z), omega.into())?;
        Ok([rate.w, rate.i, rate.j, rate.k])
    })
}
