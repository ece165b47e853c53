//! What the table of cases (cases.rs) does not have: a body and an ensemble with a callback, and an
//! assembly. The tests of every language repeat them with the same numbers. Nothing in them lies
//! along an axis, so a transposed matrix, another order of components, a mistaken frame or a
//! conjugated quaternion shows. Where they come is compared here with a Runge-Kutta method.

use crate::common::bits::{row, state_bits};
use crate::common::{rk4, root};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use quatint::rotation::components;
use quatint::{Body, Ensemble, Frame, Inertia, Layout, Mass, VelocityKind, View, ViewMut};

/// Each file must have these numbers as Rust prints them, with the digits that give their bits.
fn expect_numbers_in(files: &[&str], numbers: &[f64]) {
    for file in files {
        let text = std::fs::read_to_string(root().join(file)).unwrap();
        for number in numbers {
            assert!(text.contains(&number.to_string()), "{file} lacks {number}");
        }
    }
}

#[test]
fn a_generic_body_comes_where_it_comes_in_every_language() {
    let tensor = Matrix3::new(
        5.72, 0.768, -0.576, 0.768, 5.0992, -1.5744, -0.576, -1.5744, 4.1808,
    );
    let q = UnitQuaternion::new_unchecked(Quaternion::new(0.5, -0.1, 0.7, 0.5));
    let omega = Vector3::new(0.3, -0.7, 1.1);
    let torque = |t: f64, q: &UnitQuaternion<f64>, omega: &Vector3<f64>| {
        Vector3::new(
            0.3 + q.i * q.j - 0.2 * omega.y,
            0.1 * t - q.w * q.k,
            0.2 + q.j * q.k + 0.3 * omega.x,
        )
    };
    let mut body = Body::new(Inertia::new(&tensor).unwrap(), q, omega).unwrap();
    body.advance(0.01, 100, &mut { torque }).unwrap();
    let (end_q, end_omega) = rk4(&tensor, q, omega, 1.0, 1000, torque);
    assert!(body.orientation().angle_to(&end_q) < 1e-5, "{end_q}");
    assert!((body.angular_velocity() - end_omega).norm() < 2e-5);

    let end_q = [
        0.4591273469192799,
        -0.5026845302823357,
        0.1801445488229428,
        0.7099706218253464,
    ];
    let end_omega = [0.7566512967365715, -0.8861596187131292, 0.9622951882072567];
    let end_omega_body = [
        -1.318525692064565,
        -0.37332023040899964,
        -0.6371295699234223,
    ];
    assert_eq!(state_bits(&body), row(end_q, end_omega_body));
    assert_eq!(body.angular_velocity(), Vector3::from(end_omega));
    let files = [
        "tests/c/test_body.c",
        "tests/cpp/test_body.cpp",
        "tests/fortran/test_body.f90",
        "bindings/python/tests/test_body.py",
        "bindings/julia/Quatint/test/body.jl",
        "bindings/matlab/tests/test_body.m",
    ];
    expect_numbers_in(&files, &end_q);
    expect_numbers_in(&files, &end_omega);
    expect_numbers_in(&files, &end_omega_body);
}

fn turned(q: [f64; 4]) -> UnitQuaternion<f64> {
    let [w, x, y, z] = q;
    UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z))
}

/// Each of the ten kinds of parts, the last one a hole.
fn generic_assembly() -> Mass {
    let [a, b, c, d] = [
        [0.1, 0.2, -0.3],
        [1.3, 0.1, 0.2],
        [0.4, 1.5, 0.1],
        [0.2, 0.3, 1.1],
    ];
    let tetrahedron = [[a, c, b], [a, b, d], [b, c, d], [c, a, d]];
    let triangles = tetrahedron.map(|corners| std::array::from_fn(|n| corners[n / 3][n % 3]));
    let known = Matrix3::new(0.11, 0.012, -0.009, 0.012, 0.13, 0.007, -0.009, 0.007, 0.12);
    let mut sum = Mass::default();
    sum.add_point(0.7, Vector3::new(0.4, -0.3, 0.9)).unwrap();
    sum.add_sphere(2.5, 0.35, Vector3::new(-0.8, 0.6, 0.2))
        .unwrap();
    sum.add_ellipsoid(
        1.9,
        Vector3::new(0.3, 0.5, 0.7),
        Vector3::new(0.2, -0.9, -0.4),
        turned([0.5, -0.1, 0.7, 0.5]),
    )
    .unwrap();
    sum.add_box(
        3.1,
        Vector3::new(0.6, 0.9, 1.3),
        Vector3::new(0.7, 0.8, -0.5),
        turned([0.1, 0.7, -0.5, 0.5]),
    )
    .unwrap();
    let place = Vector3::new(-0.3, -0.4, 1.1);
    sum.add_cylinder(1.3, 0.25, 1.7, place, turned([0.7, 0.5, 0.1, -0.5]))
        .unwrap();
    let place = Vector3::new(0.6, -0.7, 0.3);
    sum.add_capsule(0.9, 0.3, 0.8, place, turned([0.1, -0.5, 0.7, 0.5]))
        .unwrap();
    let place = Vector3::new(-0.5, 0.3, -0.8);
    sum.add_hemisphere(1.7, 0.6, place, turned([0.7, -0.1, 0.5, 0.5]))
        .unwrap();
    let place = Vector3::new(-0.2, 0.9, 0.5);
    sum.add_cone(1.1, 0.4, 1.2, place, turned([0.5, 0.7, 0.5, -0.1]))
        .unwrap();
    sum.add_mesh(6.4, &triangles).unwrap();
    let place = Vector3::new(0.5, 0.7, -0.6);
    sum.add_inertia(-0.4, &-known, place, turned([0.5, 0.5, -0.7, 0.1]))
        .unwrap();
    sum
}

/// The numbers are those of the formulas for each part and of Steiner's theorem, in fractions; the
/// moments are the zeros of the characteristic polynomial.
#[test]
fn a_generic_assembly_has_the_same_mass_properties_in_every_language() {
    let mass = 15.0656;
    let centre = [
        0.07906090696686491,
        0.21905798640611726,
        0.039709005947323704,
    ];
    let [xx, yy, zz] = [11.600948941891815, 10.07999641799384, 11.69820579132151];
    let [xy, xz, yz] = [0.30560892760832625, 1.0400209969838572, 1.1330076497875956];
    let moments = [9.472672911802718, 10.843628033272779, 13.062850206131667];

    let about_a_point = [16.202272386666667, 12.77106938, 15.079283166666666];
    let products_about_it = [1.70047696, -0.1592364, 3.4076544];

    let properties = generic_assembly().properties().unwrap();
    let expected = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    assert!((properties.mass - mass).abs() < 1e-14);
    assert!((properties.centre - Vector3::from(centre)).amax() < 1e-15);
    assert!((properties.inertia - expected).amax() < 2e-14);
    let [xx_p, yy_p, zz_p] = about_a_point;
    let [xy_p, xz_p, yz_p] = products_about_it;
    let expected = Matrix3::new(xx_p, xy_p, xz_p, xy_p, yy_p, yz_p, xz_p, yz_p, zz_p);
    let point = Vector3::new(0.3, -0.2, 0.4);
    let about = generic_assembly().inertia_about(point).unwrap();
    assert!((about - expected).amax() < 3e-14);
    let inertia = Inertia::new(&properties.inertia).unwrap();
    let mut principal: [f64; 3] = inertia.principal_moments().into();
    principal.sort_by(f64::total_cmp);
    for (a, b) in principal.iter().zip(moments) {
        assert!((a - b).abs() < 2e-14, "{principal:?}");
    }
    let files = [
        "tests/c/test_mass.c",
        "tests/cpp/test_mass.cpp",
        "tests/fortran/test_mass.f90",
        "bindings/python/tests/test_mass.py",
        "bindings/julia/Quatint/test/mass.jl",
        "bindings/matlab/tests/test_mass.m",
    ];
    expect_numbers_in(&files, &[mass, xx, yy, zz, xy, xz, yz]);
    expect_numbers_in(&files, &centre);
    expect_numbers_in(&files, &moments);
    expect_numbers_in(&files, &about_a_point);
    expect_numbers_in(&files, &products_about_it);
}

const BODIES: usize = 5;
const DT: f64 = 0.01;
const STEPS: u32 = 100;

/// By rows. The principal moments are 3, 5, 7; 2, 3.5, 4; 1, 4, 4.5; 2.5, 1.5, 3; 6, 2, 5.
const INERTIAS: [[f64; 9]; BODIES] = [
    [
        4.28, -0.576, 0.768, -0.576, 5.8192, 1.5744, 0.768, 1.5744, 4.9008,
    ],
    [
        2.54, 0.576, -0.432, 0.576, 3.3344, 0.4992, -0.432, 0.4992, 3.6256,
    ],
    [
        3.3736, 1.008, 0.8352, 1.008, 3.24, -1.344, 0.8352, -1.344, 2.8864,
    ],
    [
        2.14, -0.384, 0.288, -0.384, 2.2704, 0.5472, 0.288, 0.5472, 2.5896,
    ],
    [
        3.3104, -0.288, 1.7472, -0.288, 5.36, -0.384, 1.7472, -0.384, 4.3296,
    ],
];
const ORIENTATIONS: [[f64; 4]; BODIES] = [
    [0.5, -0.1, 0.7, 0.5],
    [0.1, 0.3, -0.9, 0.3],
    [-0.4, 0.2, 0.8, -0.4],
    [0.7, -0.7, 0.1, -0.1],
    [0.8, 0.4, -0.2, 0.4],
];
/// World frame.
const ANGULAR_VELOCITIES: [[f64; 3]; BODIES] = [
    [0.3, -0.7, 1.1],
    [-1.2, 0.6, 0.9],
    [0.5, 1.3, -0.4],
    [-0.8, -0.5, 1.4],
    [1.5, 0.2, -0.6],
];
/// Of the drag, about the axes of the body.
const COEFFICIENTS: [[f64; 3]; BODIES] = [
    [0.15, 0.45, 0.85],
    [0.95, 0.25, 0.55],
    [0.35, 0.65, 0.05],
    [0.75, 0.85, 0.45],
    [0.25, 0.55, 1.15],
];
/// The angular velocity of the fluid, world frame.
const FLOW: [f64; 3] = [0.2, -0.1, 0.7];

/// World frame.
#[derive(Debug)]
struct States {
    orientations: [[f64; 4]; BODIES],
    angular_velocities: [[f64; 3]; BODIES],
}

impl States {
    fn bits(&self) -> [[u64; 7]; BODIES] {
        std::array::from_fn(|i| row(self.orientations[i], self.angular_velocities[i]))
    }
}

const END_WITH_DRAG: States = States {
    orientations: [
        [
            0.34322020947937526,
            -0.514673656491571,
            0.3044616219105275,
            0.7243024478090221,
        ],
        [
            0.31006876234467107,
            0.6136993314393463,
            -0.35805990008763133,
            0.6316831493384788,
        ],
        [
            -0.8736102551308665,
            -0.04098689822035527,
            0.45930491590566064,
            -0.15544835325390347,
        ],
        [
            0.32177863570546605,
            -0.8003367741310565,
            -0.5056576909313071,
            0.01516104148935328,
        ],
        [
            0.2975224835456055,
            0.8789496752635488,
            -0.3574468432490278,
            0.10563898139541861,
        ],
    ],
    angular_velocities: [
        [0.20088039458460782, -0.49848139829966837, 1.137601037989131],
        [-0.9276233943553918, 0.5198630595773146, 0.9390982789857145],
        [0.5402056759807812, 1.1383960793268375, -0.3958854438749477],
        [-0.6051480153623199, -0.7941029935567219, 0.9135233403515265],
        [1.6177997825038815, -0.3283464562297587, 0.3651749686206678],
    ],
};

/// World frame. A compiler may contract `a * b + c`, which then rounds once: here this changes no
/// bit, because products that stand in a sum are by powers of two.
fn torque_of_one(q: [f64; 4], omega: [f64; 3]) -> [f64; 3] {
    [
        0.5 * q[1] - 0.25 * omega[1],
        q[0] * q[3],
        0.25 * omega[0] - 0.5 * q[2],
    ]
}

fn torque_of_chunk(
    _: f64,
    _: usize,
    count: usize,
    q: &[f64],
    omega: &[f64],
    torque: &mut [f64],
) -> Result<(), i32> {
    for i in 0..count {
        let q = q[4 * i..][..4].try_into().unwrap();
        let omega = omega[3 * i..][..3].try_into().unwrap();
        torque[3 * i..][..3].copy_from_slice(&torque_of_one(q, omega));
    }
    Ok(())
}

/// By PCDM, with the torque of the callback and drag.
fn set_torques(e: &mut Ensemble) {
    let coefficients = View::rows(COEFFICIENTS.as_flattened()).unwrap();
    let flow = View::shared(&FLOW, BODIES);
    e.set_drag(coefficients, Some(flow)).unwrap();
    e.set_torque(Box::new(torque_of_chunk), Layout::Aos, Frame::World)
        .unwrap();
}

/// Orientations and angular velocities (world) at the end, with the states in the own memory of the
/// ensemble.
fn in_own_memory() -> States {
    let mut e = Ensemble::new(BODIES).unwrap();
    let inertias = View::rows(INERTIAS.as_flattened()).unwrap();
    let orientations = View::rows(ORIENTATIONS.as_flattened()).unwrap();
    let velocities = View::rows(ANGULAR_VELOCITIES.as_flattened()).unwrap();
    e.set_inertias(inertias).unwrap();
    e.set_orientations(orientations).unwrap();
    e.set_angular_velocities(velocities).unwrap();
    set_torques(&mut e);
    e.advance(DT, STEPS.into()).unwrap();
    States {
        orientations: std::array::from_fn(|i| components(e.orientation(i))),
        angular_velocities: std::array::from_fn(|i| e.angular_velocity(i).into()),
    }
}

/// The same in bound arrays. Angular velocities are bound in the body frame, in which the library
/// keeps them; bound in the world frame they would be converted in each step, with other bits.
fn in_bound_arrays() -> States {
    let mut q = ORIENTATIONS;
    let mut omega_body = [[0.0; 3]; BODIES];
    let mut e = Ensemble::new(BODIES).unwrap();
    let inertias = View::rows(INERTIAS.as_flattened()).unwrap();
    e.set_inertias(inertias).unwrap();
    e.bind_orientations(ViewMut::rows(q.as_flattened_mut()).unwrap())
        .unwrap();
    let velocities = ViewMut::rows(omega_body.as_flattened_mut()).unwrap();
    e.bind_angular_velocities(velocities, VelocityKind::OmegaBody)
        .unwrap();
    let velocities = View::rows(ANGULAR_VELOCITIES.as_flattened()).unwrap();
    e.set_angular_velocities(velocities).unwrap();
    set_torques(&mut e);
    e.advance(DT, STEPS.into()).unwrap();
    let angular_velocities = std::array::from_fn(|i| e.angular_velocity(i).into());
    drop(e);
    States {
        orientations: q,
        angular_velocities,
    }
}

/// An independent computation, with small steps.
fn by_runge_kutta(body: usize) -> (UnitQuaternion<f64>, Vector3<f64>) {
    let tensor = Matrix3::from_row_slice(&INERTIAS[body]);
    let q = turned(ORIENTATIONS[body]);
    let omega = Vector3::from(ANGULAR_VELOCITIES[body]);
    let coefficients = Vector3::from(COEFFICIENTS[body]);
    let end = DT * f64::from(STEPS);
    rk4(&tensor, q, omega, end, 2000, |_, q, omega| {
        let slip = q.inverse_transform_vector(&(omega - Vector3::from(FLOW)));
        let drag = q * slip.component_mul(&coefficients);
        Vector3::from(torque_of_one([q.w, q.i, q.j, q.k], (*omega).into())) - drag
    })
}

#[test]
fn a_generic_ensemble_comes_where_it_comes_in_every_language() {
    let end = in_bound_arrays();
    for body in 0..BODIES {
        let (exact_q, exact_omega) = by_runge_kutta(body);
        let [w, x, y, z] = end.orientations[body];
        let q = UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z));
        let turned = q.angle_to(&exact_q);
        let faster = (Vector3::from(end.angular_velocities[body]) - exact_omega).norm();
        assert!(turned < 2e-5, "{body}: {turned:e}");
        assert!(faster < 2e-5, "{body}: {faster:e}");
    }
    assert_eq!(end.bits(), in_own_memory().bits());
    assert_eq!(end.bits(), END_WITH_DRAG.bits(), "{end:?}");
    let files = [
        "tests/c/test_ensemble.c",
        "tests/cpp/test_ensemble.cpp",
        "tests/fortran/test_ensemble.f90",
        "bindings/python/tests/test_ensemble.py",
        "bindings/julia/Quatint/test/ensemble.jl",
        "bindings/matlab/tests/test_ensemble.m",
    ];
    expect_numbers_in(&files, END_WITH_DRAG.orientations.as_flattened());
    expect_numbers_in(&files, END_WITH_DRAG.angular_velocities.as_flattened());
}
