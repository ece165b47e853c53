//! PCDM against exact solutions: closed forms, elliptic functions, and digits on which two independent programs agree.
//!
//! The measured value is given beside each bound. The method is of second order, so halving the step quarters the
//! error.

#![allow(clippy::excessive_precision)] // digits as in the publications

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use quatint::kernel::Vec3;
use quatint::torque::{
    ConstantBody, ConstantWorld, Free, LinearDrag, UniformField, carlson_rd, resistances,
};
use quatint::{Body, Inertia, Torque};
use std::f64::consts::PI;

fn body(moments: [f64; 3], omega: [f64; 3]) -> Body {
    let inertia = Inertia::from_moments(moments.into()).expect("valid moments");
    Body::new(inertia, UnitQuaternion::identity(), omega.into()).expect("valid state")
}

fn run<T: Torque<Error: Into<quatint::Error>>>(
    body: &mut Body,
    time: f64,
    steps: u64,
    torque: &mut T,
) {
    body.advance(time / steps as f64, steps, torque)
        .expect("the motion is finite");
}

/// The greatest error of a component of the orientation, and of the angular velocity in the body frame.
fn errors(body: &Body, q: [f64; 4], omega_body: [f64; 3]) -> (f64, f64) {
    let expected = Quaternion::new(q[0], q[1], q[2], q[3]);
    (
        (body.orientation().quaternion().coords - expected.coords).amax(),
        (body.angular_velocity_body() - Vector3::from(omega_body)).amax(),
    )
}

fn assert_below(what: &str, error: f64, bound: f64) {
    println!("{what}: {error:.2e} (bound {bound:.1e})"); // run with --nocapture to see the numbers quoted in the comments
    assert!(error < bound, "{what}: {error:e}, bound {bound:e}");
}

const FREE_TOP_AT_10: ([f64; 4], [f64; 3]) = (
    [
        0.46254544055464282,
        -0.31433514514460452,
        0.04942963127929984,
        0.82752754848441368,
    ],
    [
        -0.60347042309251813,
        -1.27899313854787241,
        0.88772678821573304,
    ],
);

#[test]
fn a_free_asymmetric_top_follows_jacobis_elliptic_functions() {
    let mut previous = f64::NAN;
    for (steps, bound) in [(10_000, 2e-6), (20_000, 5e-7), (40_000, 1.25e-7)] {
        let mut top = body([1.0, 2.0, 3.0], [1.0; 3]);
        run(&mut top, 10.0, steps, &mut Free);
        let (q_error, omega_error) = errors(&top, FREE_TOP_AT_10.0, FREE_TOP_AT_10.1);
        assert_below("q", q_error, bound); // measured 6.6e-7, 1.6e-7, 4.1e-8
        assert_below("omega", omega_error, bound); // measured 1.7e-6, 4.2e-7, 1.1e-7
        if steps > 10_000 {
            let order = (previous / q_error).log2();
            assert!((order - 2.0).abs() < 0.01, "order {order}");
        }
        previous = q_error;
    }
}

/// ω is periodic with the period 4K(½)·√3/2; q is not.
#[test]
fn the_spin_of_a_free_asymmetric_top_returns_after_its_period() {
    let mut top = body([1.0, 2.0, 3.0], [1.0; 3]);
    run(&mut top, 6.4227030842256936, 20_000, &mut Free);
    assert_below(
        "omega",
        (top.angular_velocity_body() - Vector3::new(1.0, 1.0, 1.0)).amax(),
        2e-7,
    ); // measured 9.9e-8
}

#[test]
fn a_wing_nut_turns_over_after_half_its_period() {
    let mut nut = body([3.0, 5.0, 9.0], [0.0, 0.4, 0.01 / 9.0]);
    run(&mut nut, 118.11088704638574 / 2.0, 40_000, &mut Free);
    let expected = Vector3::new(0.0, -0.4, 0.01 / 9.0);
    assert_below(
        "omega",
        (nut.angular_velocity_body() - expected).amax(),
        1e-9,
    ); // measured 2.5e-10
}

#[test]
fn a_free_symmetric_top_precesses_regularly() {
    let (i1, i3, t) = (2.0, 0.7, 7.0);
    let mut top = body([i1, i1, i3], [0.4, -0.3, 2.0]);
    let momentum = top.angular_momentum();
    run(&mut top, t, 7 << 10, &mut Free);

    let spin = Vector3::z() * ((2.0 - momentum.z / i1) * t);
    let expected = UnitQuaternion::from_scaled_axis(momentum * (t / i1))
        * UnitQuaternion::from_scaled_axis(spin);
    assert_below("angle", top.orientation().angle_to(&expected), 4e-6); // measured 1.7e-6
}

#[test]
fn a_torque_about_a_principal_axis_turns_by_half_t_squared() {
    let (torque, moment, t) = (0.6, 1.5, 3.0);
    let mut wheel = body([2.0, 1.0, moment], [0.0; 3]);
    run(
        &mut wheel,
        t,
        1000,
        &mut ConstantWorld {
            torque: Vec3([0.0, 0.0, torque]),
        },
    );
    let expected =
        UnitQuaternion::from_axis_angle(&Vector3::z_axis(), torque * t * t / (2.0 * moment));
    // the trapezoidal rule is exact here
    assert_below("angle", wheel.orientation().angle_to(&expected), 1e-13);
    assert_below(
        "omega",
        (wheel.angular_velocity().z - torque * t / moment).abs(),
        1e-13,
    );
}

#[test]
fn a_damped_sphere_slows_down_exponentially() {
    let (c, moment, t, omega_0) = (0.8, 2.0, 4.0, Vector3::new(1.0, -2.0, 0.5));
    let mut sphere = body([moment; 3], omega_0.into());
    run(
        &mut sphere,
        t,
        4000,
        &mut LinearDrag {
            coefficients: Vec3::splat(c),
        },
    );
    let decay = (-c * t / moment).exp();
    let expected = UnitQuaternion::from_scaled_axis(omega_0 * (moment / c * (1.0 - decay)));
    assert_below("angle", sphere.orientation().angle_to(&expected), 1e-7); // measured 4.9e-8
    assert_below(
        "omega",
        (sphere.angular_velocity() - omega_0 * decay).amax(),
        4e-8,
    ); // measured 1.7e-8
}

/// del Valle et al., CPC 297, 109077 (2024). Published at dt = 1.44e-4: Omelyan 4.6e-6, SPIRAL leapfrog 3.6e-8.
#[test]
fn a_cylinder_under_constant_body_torque_follows_the_published_solution() {
    let q = [
        0.13656657563891536,
        -0.98295179899749849,
        0.02612985147004953,
        -0.12030196227823919,
    ];
    let omega = [
        44.110392937123877,
        -0.69270481859446337,
        -0.83075871003319104,
    ];
    let moments = [
        0.011412817061869171,
        0.022825634123738342,
        0.022825634123738342,
    ];
    for (steps, bound) in [(6944, 6e-7), (13888, 1.5e-7)] {
        let mut cylinder = body(moments, [0.3, -0.9, 0.6]);
        run(
            &mut cylinder,
            1.0,
            steps,
            &mut ConstantBody {
                torque: Vec3([0.5, 0.0, 0.0]),
            },
        );
        let (q_error, omega_error) = errors(&cylinder, q, omega);
        assert_below("q", q_error, bound); // measured 2.8e-7, 7.0e-8
        assert_below("omega", omega_error, 40.0 * bound); // measured 8.6e-6, 2.2e-6
    }
}

/// O. Brüls, A. Cardona, M. Arnold, Mech. Mach. Theory 48 (2012).
#[test]
fn the_heavy_top_benchmark_is_met() {
    let q = [
        -0.70827915297431,
        0.43878108812658,
        0.54572839614542,
        0.08939975282398,
    ];
    let omega = [-2.691590912143, 150.0, 4.917260989894];
    let mut weight = UniformField {
        vector_body: Vec3([0.0, 1.0, 0.0]),
        field_world: Vec3([0.0, 0.0, -147.15]),
    };
    for (steps, bound) in [(20_000, 4e-6), (40_000, 1e-6)] {
        let mut top = body([15.234375, 0.46875, 15.234375], [0.0, 150.0, -4.61538]);
        run(&mut top, 0.2, steps, &mut weight);
        let (q_error, omega_error) = errors(&top, q, omega);
        assert_below("q", q_error, bound); // measured 2.2e-6, 5.6e-7
        assert_below("omega", omega_error, 20.0 * bound); // measured 4.1e-5, 1.0e-5
    }
}

/// The exact period follows from the cubic of NUMERICS 7: u̇ = 0 at the cusp where the top is released, and again one
/// period later.
#[test]
fn a_lagrange_top_nutates_with_its_exact_period() {
    let exact = 1.670852791361963;
    let leaning = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), 1.0);
    let inertia = Inertia::from_moments(Vector3::new(1.0, 1.0, 0.5)).expect("valid moments");
    let mut top =
        Body::new(inertia, leaning, leaning * Vector3::new(0.0, 0.0, 8.0)).expect("valid state");
    let mut weight = UniformField {
        vector_body: Vec3([0.0, 0.0, 1.0]),
        field_world: Vec3([0.0, 0.0, -1.0]),
    };

    let cos_tilt_rate = |top: &Body| {
        top.angular_velocity()
            .cross(&(top.orientation() * Vector3::z()))
            .z
    };
    let dt = exact / 8192.0;
    top.advance(dt, 6000, &mut weight)
        .expect("the motion is finite"); // on the way back up
    let mut before = (top.time(), cos_tilt_rate(&top));
    let returned = loop {
        top.step(dt, &mut weight).expect("the motion is finite");
        let now = (top.time(), cos_tilt_rate(&top));
        if before.1 > 0.0 && now.1 <= 0.0 {
            break before.0 + (now.0 - before.0) * before.1 / (before.1 - now.1);
        }
        before = now;
    };
    assert_below("period", (returned / exact - 1.0).abs(), 4e-7); // measured 1.6e-7
}

/// The steps are so small that truncation error and rounding error are about equal.
#[test]
fn a_million_steps_keep_what_must_be_kept() {
    let mut free = body([1.0, 2.0, 3.0], [0.3, 1.0, -0.2]);
    let (momentum, energy) = (free.angular_momentum(), free.kinetic_energy());
    free.advance(1e-4, 1_000_000, &mut Free)
        .expect("the motion is finite");
    let length = free.orientation().quaternion().norm();
    assert_below("|q|", (length - 1.0).abs(), 1e-13); // measured 1.1e-16
    assert_below(
        "L",
        (free.angular_momentum() - momentum).norm() / momentum.norm(),
        2e-9,
    ); // measured 7.7e-10
    assert_below("E", (free.kinetic_energy() / energy - 1.0).abs(), 2e-10); // measured 1.0e-10
    assert_below("clock", (free.time() - 100.0).abs(), 2e-14);

    let mut top = body([1.0, 1.0, 0.5], [0.5, 0.1, 8.0]);
    let mut weight = UniformField {
        vector_body: Vec3([0.0, 0.0, 1.0]),
        field_world: Vec3([0.0, 0.0, -1.0]),
    };
    let momentum = top.angular_momentum();
    top.advance(1e-4, 1_000_000, &mut weight)
        .expect("the motion is finite");
    assert_below(
        "|q|",
        (top.orientation().quaternion().norm() - 1.0).abs(),
        1e-13,
    );
    assert_below(
        "L_z",
        (top.angular_momentum().z / momentum.z - 1.0).abs(),
        4e-10,
    ); // measured 1.5e-10
    assert_below(
        "L_3",
        (top.angular_velocity_body().z / 8.0 - 1.0).abs(),
        1e-15,
    ); // measured 0
}

#[test]
fn a_rotation_of_ten_thousand_radians_in_one_step_is_right() {
    for axis in [Vector3::x(), Vector3::new(1.0, -2.0, 0.5).normalize()] {
        for angle in [0.1, 1.0, 2.0, PI, 100.0, 1e4, -1e4] {
            let mut sphere = body([2.0; 3], (axis * angle).into());
            sphere.step(1.0, &mut Free).expect("the motion is finite");
            let (sin, cos) = (0.5 * angle).sin_cos();
            let expected = Quaternion::from_parts(cos, axis * sin);
            let error = (sphere.orientation().quaternion().coords - expected.coords).amax();
            assert_below("q", error, 1e-11); // measured 8.2e-13
            assert_below(
                "|q|",
                (sphere.orientation().quaternion().norm() - 1.0).abs(),
                1e-15,
            );
        }
    }
}

#[test]
fn the_motion_does_not_depend_on_the_body_axes_chosen() {
    // The same body with its inertia in rotated axes, T = R diag Rᵀ, and its initial orientation rotated back.
    let turned = UnitQuaternion::from_euler_angles(0.4, -1.1, 2.0);
    let r = turned.to_rotation_matrix();
    let tensor = r * Matrix3::from_diagonal(&Vector3::new(1.0, 2.0, 3.0)) * r.inverse();
    let tensor = (tensor + tensor.transpose()) * 0.5;
    let inertia = Inertia::new(&tensor).expect("valid tensor");
    let mut top =
        Body::new(inertia, turned.inverse(), Vector3::new(1.0, 1.0, 1.0)).expect("valid state");
    run(&mut top, 10.0, 10_000, &mut Free);

    let mut plain = body([1.0, 2.0, 3.0], [1.0; 3]);
    run(&mut plain, 10.0, 10_000, &mut Free);
    let difference = (top.orientation() * turned).angle_to(&plain.orientation());
    assert_below("angle", difference, 1e-12); // measured 1.1e-13
}

/// Carlson 1995, table 3, and the value where all arguments are equal.
#[test]
fn carlsons_integral_has_its_published_values() {
    for (x, y, z, exact) in [
        (0.0, 2.0, 1.0, 1.7972103521033883),
        (2.0, 3.0, 4.0, 0.16510527294261053),
        (4.0, 4.0, 4.0, 0.125),
    ] {
        let relative = carlson_rd(x, y, z) / exact - 1.0;
        assert!(relative.abs() < 1e-14, "R_D({x}, {y}, {z}): {relative:e}");
    }
}

#[test]
fn a_sphere_feels_stokes_resistance_and_no_strain() {
    let (strain, spin) = resistances([2.0; 3], 0.7).expect("a sphere");
    for i in 0..3 {
        assert!(strain[i].abs() < 1e-14);
        assert!(
            (spin[i] / (8.0 * std::f64::consts::PI * 0.7 * 8.0) - 1.0).abs() < 1e-14,
            "{}",
            spin[i]
        );
    }
}
