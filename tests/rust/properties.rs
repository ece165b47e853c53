//! Properties that hold for every body, tested with random bodies.

use crate::common::bits::state_bits;
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use proptest::prelude::*;
use quatint::kernel::{Quat, Vec3};
use quatint::rotation::{self, EulerSequence};
use quatint::torque::{Free, UniformField};
use quatint::{Body, Inertia};

fn vector(range: f64) -> impl Strategy<Value = Vector3<f64>> {
    prop::array::uniform3(-range..range).prop_map(Vector3::from)
}

fn orientation() -> impl Strategy<Value = UnitQuaternion<f64>> {
    let components = prop::array::uniform4(-1.0..1.0_f64);
    components
        .prop_map(|[w, i, j, k]| Quaternion::new(w, i, j, k))
        .prop_filter("has a direction", |q| q.norm() > 0.1)
        .prop_map(UnitQuaternion::new_normalize)
}

/// A tensor with positive moments over three decades, in random axes.
fn tensor() -> impl Strategy<Value = Matrix3<f64>> {
    (prop::array::uniform3(-1.5..1.5_f64), orientation()).prop_map(|(exponents, axes)| {
        let r = axes.to_rotation_matrix();
        let t = r
            * Matrix3::from_diagonal(&Vector3::from(exponents.map(|e| 10_f64.powf(e))))
            * r.inverse();
        (t + t.transpose()) * 0.5
    })
}

/// The tensor of a mass distribution: its moments are sums of two second moments of mass, `I₁ = b + c` and cyclically.
fn solid() -> impl Strategy<Value = Matrix3<f64>> {
    (prop::array::uniform3(0.1..1.0_f64), orientation()).prop_map(|([a, b, c], axes)| {
        let r = axes.to_rotation_matrix();
        let t = r * Matrix3::from_diagonal(&Vector3::new(b + c, c + a, a + b)) * r.inverse();
        (t + t.transpose()) * 0.5
    })
}

fn quat(q: UnitQuaternion<f64>) -> Quat<f64> {
    Quat([q.w, q.i, q.j, q.k])
}

proptest! {
    #[test]
    fn the_principal_axes_give_the_tensor_back(tensor in tensor()) {
        let inertia = Inertia::new(&tensor).unwrap();
        let r = inertia.principal_to_body().to_rotation_matrix();
        let back = r * Matrix3::from_diagonal(&inertia.principal_moments()) * r.inverse();
        prop_assert!((back - tensor).amax() < 2e-14 * tensor.amax(), "{:e}", (back - tensor).amax() / tensor.amax());
        prop_assert!(((r.matrix().determinant()) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn repeated_moments_are_diagonalised_too(moment in 0.1..10.0_f64, other in 0.1..10.0_f64, axes in orientation()) {
        let r = axes.to_rotation_matrix();
        let t = r * Matrix3::from_diagonal(&Vector3::new(moment, moment, other)) * r.inverse();
        let inertia = Inertia::new(&((t + t.transpose()) * 0.5)).unwrap();
        let mut moments: [f64; 3] = [moment, moment, other];
        moments.sort_by(f64::total_cmp);
        let mut found: [f64; 3] = inertia.principal_moments().into();
        found.sort_by(f64::total_cmp);
        let difference = Vector3::from(found) - Vector3::from(moments);
        prop_assert!(difference.amax() < 1e-14 * moment.max(other), "{difference:?}");
    }

    #[test]
    fn a_power_of_two_in_inertia_and_torque_changes_no_bit(
        tensor in solid(), q in orientation(), omega in vector(3.0), arm in vector(1.0), exponent in -300..300_i32,
    ) {
        let run = |scale: f64| {
            let mut body = Body::new(Inertia::new(&(tensor * scale)).unwrap(), q, omega).unwrap();
            let field_world = Vec3([0.0, 0.0, -scale]);
            body.advance(0.01, 50, &mut UniformField { vector_body: Vec3(arm.into()), field_world }).unwrap();
            state_bits(&body)
        };
        prop_assert_eq!(run(1.0), run(2_f64.powi(exponent)));
    }

    #[test]
    fn grains_and_asteroids_move_alike(tensor in solid(), q in orientation(), omega in vector(1.0)) {
        let run = |scale: f64| {
            let mut body = Body::new(Inertia::new(&(tensor * scale)).unwrap(), q, omega).unwrap();
            let field_world = Vec3([0.0, 0.0, -0.1 * scale]);
            body.advance(0.01, 100, &mut UniformField { vector_body: Vec3([0.1, 0.2, 0.3]), field_world }).unwrap();
            (body.orientation(), body.angular_velocity())
        };
        let (q_1, omega_1) = run(1.0);
        for scale in [1e-26, 1e20] {
            let (q, omega) = run(scale);
            prop_assert!((q.coords - q_1.coords).amax() < 1e-12);
            prop_assert!((omega - omega_1).amax() < 1e-12 * omega_1.norm().max(1.0));
        }
    }

    #[test]
    fn free_bodies_keep_momentum_and_energy_to_second_order(tensor in solid(), q in orientation(), omega in vector(1.0)) {
        let drift = |dt: f64, steps| {
            let mut body = Body::new(Inertia::new(&tensor).unwrap(), q, omega).unwrap();
            let (momentum, energy) = (body.angular_momentum(), body.kinetic_energy());
            body.advance(dt, steps, &mut Free).unwrap();
            (body.angular_momentum() - momentum).norm() / momentum.norm() + (body.kinetic_energy() / energy - 1.0).abs()
        };
        let (coarse, fine) = (drift(1e-3, 1000), drift(5e-4, 2000));
        prop_assert!(coarse < 1e-3, "{coarse:e}");
        prop_assert!(fine < 0.27 * coarse + 1e-12, "{coarse:e} {fine:e}");
    }

    #[test]
    fn euler_angles_of_every_sequence_come_back(q in orientation()) {
        for letters in ["xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"] {
            for letters in [letters.to_lowercase(), letters.to_uppercase()] {
                let sequence = EulerSequence::parse(letters.as_bytes()).unwrap();
                let angles = sequence.angles_of(q);
                let back = sequence.to_orientation(angles).unwrap();
                prop_assert!(rotation::angle_between(q, back) < 2e-15 * 4.0, "{letters} {angles:?}");
            }
        }
    }

    #[test]
    fn forms_of_a_rotation_agree_with_nalgebra(q in orientation(), other in orientation(), v in vector(2.0), t in 0.0..1.0_f64) {
        let near = |a: UnitQuaternion<f64>, b: UnitQuaternion<f64>| rotation::angle_between(a, b) < 1e-14;
        let matrix = q.to_rotation_matrix();
        prop_assert!(near(rotation::from_matrix(matrix.matrix()).unwrap(), q));
        prop_assert!((rotation::to_matrix(q) - matrix.matrix()).amax() < 1e-15 * 4.0);

        prop_assert!(near(rotation::from_rotation_vector(v).unwrap(), UnitQuaternion::from_scaled_axis(v)));
        prop_assert!(near(rotation::from_axis_angle(v, t).unwrap(), UnitQuaternion::from_scaled_axis(v.normalize() * t)));
        let back = rotation::from_rotation_vector(rotation::to_rotation_vector(q)).unwrap();
        prop_assert!(near(back, q));

        let angle = q.angle_to(&other);
        prop_assert!((rotation::angle_between(q, other) - angle).abs() < 1e-14);
        let between = rotation::slerp(q, other, t).unwrap();
        prop_assert!((rotation::angle_between(q, between) - t * angle).abs() < 1e-14);
        prop_assert!(rotation::angle_between(rotation::slerp(q, other, 1.0).unwrap(), other) < 1e-14);
        prop_assert!((Vector3::from(quat(q).to_world(Vec3(v.into())).0) - q * v).amax() < 1e-14);
    }
}

#[test]
fn gimbal_lock_leaves_the_third_angle_at_zero() {
    use std::f64::consts::{FRAC_PI_2, PI};
    for letters in [
        "XYZ", "xyz", "ZYX", "zyx", "YXZ", "xzy", "ZXZ", "zxz", "XYX", "yzy",
    ] {
        let sequence = EulerSequence::parse(letters.as_bytes()).unwrap();
        let ends = if letters.as_bytes()[0] == letters.as_bytes()[2] {
            [0.0, PI]
        } else {
            [FRAC_PI_2, -FRAC_PI_2]
        };
        for second in ends {
            let q = sequence.to_orientation([0.4, second, 0.3]).unwrap();
            let angles = sequence.angles_of(q);
            assert_eq!(angles[2], 0.0, "{letters} {angles:?}");
            let back = sequence.to_orientation(angles).unwrap();
            assert!(
                rotation::angle_between(q, back) < 4e-15,
                "{letters} {angles:?}: {:e}",
                rotation::angle_between(q, back)
            );
        }
    }
}

#[test]
fn sequences_that_are_none_are_refused() {
    for letters in ["", "xy", "xyzx", "xxy", "xyy", "xYz", "abc", "xy\0"] {
        assert!(
            EulerSequence::parse(letters.as_bytes()).is_err(),
            "{letters}"
        );
    }
}

#[test]
fn tiny_and_huge_axes_are_axes() {
    for scale in [5e-324, 1e-300, 1e-160, 1e160, 1e308] {
        let q = rotation::from_axis_angle([0.0, scale, 0.0].into(), 1.0).unwrap();
        assert_eq!([q.i, q.j, q.k], [0.0, 0.5_f64.sin(), 0.0], "{scale:e}");
    }
    let tiny = rotation::from_rotation_vector([1e-200, 0.0, 0.0].into()).unwrap();
    assert_eq!(rotation::to_rotation_vector(tiny).x, 1e-200);
}

/// A needle slightly tilted against the body axes: the angular momentum about its thin axis must keep its relative
/// accuracy.
#[test]
fn small_moments_keep_their_relative_accuracy() {
    for m in [1e-6, 1e-10, 1e-14, 1e-18] {
        let tensor = Matrix3::new(m, 0.3 * m, 0.3 * m, 0.3 * m, 1.0, 0.1, 0.3 * m, 0.1, 1.2);
        let omega = Vector3::new(0.7, 0.2, -0.4);
        let body = Body::new(
            Inertia::new(&tensor).unwrap(),
            UnitQuaternion::identity(),
            omega,
        )
        .unwrap();
        let (found, exact) = (body.angular_momentum(), tensor * omega);
        let about_x = (found.x / exact.x - 1.0).abs();
        // the remaining error is cancellation in Σ R D Rᵀ ω
        assert!(
            about_x < 1e-9 && (found - exact).norm() < 1e-15 * 4.0,
            "m = {m:e}: {about_x:e}"
        );
    }
    let graded = Matrix3::new(1e-20, 0.0, 1e-30, 0.0, 1.0, 0.0, 1e-30, 0.0, 1.0);
    assert!(Inertia::new(&graded).is_ok());
}
