//! The exact free rotation against independent solutions: Taylor series of high order, closed forms, and references of 40 digits.

#![allow(clippy::excessive_precision)] // the references have all digits that are known

use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use proptest::prelude::*;
use quatint::kernel::{FreeRotation, PrincipalInertia, Quat, Vec3};
use quatint::kernel::{free_rotation, free_rotation_under_noise, inverse_sums, philox};

type Motion = ([f64; 4], [f64; 3]);

fn inertia(moments: [f64; 3]) -> PrincipalInertia<f64> {
    PrincipalInertia::new(Vec3(moments), None)
}

/// One step of the library.
fn rotated(moments: [f64; 3], (q, omega): Motion, duration: f64) -> Motion {
    let FreeRotation {
        rotation,
        gained,
        motion,
    } = free_rotation(&inertia(moments), Vec3(omega), duration);
    let end = Quat(q) * rotation;
    let scale = if motion == 0.0 {
        0.5
    } else {
        1.0 / end.norm_squared().sqrt()
    };
    (end.scaled(scale).0, (Vec3(omega) + gained).0)
}

/// Orientation and angular velocity by Taylor series of order 30, in steps of at most a tenth of a radian, added by W. Kahan's
/// compensated sum: the rounding errors of so many additions would be greater than the error of the library.
fn by_series(moments: [f64; 3], (mut q, mut omega): Motion, duration: f64) -> Motion {
    const ORDER: usize = 30;
    let [i1, i2, i3] = moments;
    let ratios = [(i2 - i3) / i1, (i3 - i1) / i2, (i1 - i2) / i3];
    let fastest = Vector3::from(omega).norm() * moments.iter().fold(0.0_f64, |m, i| m.max(*i))
        / moments.iter().fold(f64::INFINITY, |m, i| m.min(*i));
    let steps = (fastest * duration.abs() / 0.1).ceil().max(1.0);
    let h = duration / steps;
    let (mut lost_q, mut lost_omega) = ([0.0; 4], [0.0; 3]);
    for _ in 0..steps as u64 {
        let (mut w, mut p) = ([[0.0; 3]; ORDER + 1], [[0.0; 4]; ORDER + 1]);
        (w[0], p[0]) = (omega, q);
        for n in 0..ORDER {
            for i in 0..3 {
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                let product: f64 = (0..=n).map(|m| w[m][j] * w[n - m][k]).sum();
                w[n + 1][i] = ratios[i] * product / (n + 1) as f64;
            }
            let mut sum = Quaternion::new(0.0, 0.0, 0.0, 0.0);
            for m in 0..=n {
                let [a, b, c, d] = p[m];
                let [x, y, z] = w[n - m];
                sum += Quaternion::new(a, b, c, d) * Quaternion::new(0.0, x, y, z);
            }
            let half = 0.5 / (n + 1) as f64;
            p[n + 1] = [sum.w * half, sum.i * half, sum.j * half, sum.k * half];
        }
        for i in 0..3 {
            add(
                &mut omega[i],
                &mut lost_omega[i],
                (1..=ORDER).rev().fold(0.0, |sum, n| (sum + w[n][i]) * h),
            );
        }
        for i in 0..4 {
            add(
                &mut q[i],
                &mut lost_q[i],
                (1..=ORDER).rev().fold(0.0, |sum, n| (sum + p[n][i]) * h),
            );
        }
    }
    (q, omega)
}

fn add(sum: &mut f64, lost: &mut f64, gained: f64) {
    let (before, gained) = (*sum, gained + *lost);
    *sum = before + gained;
    *lost = gained - (*sum - before);
}

/// Distances of the orientations (also up to the sign) and of the angular velocities, relative to their length.
fn distances(a: Motion, b: Motion) -> (f64, f64) {
    let [p, q] = [a.0, b.0].map(|[w, x, y, z]| Quaternion::new(w, x, y, z));
    let omega = Vector3::from(b.1);
    (
        (p - q).norm().min((p + q).norm()),
        (Vector3::from(a.1) - omega).norm() / omega.norm().max(f64::MIN_POSITIVE),
    )
}

fn assert_near(what: &str, a: Motion, b: Motion, bound: f64) {
    let (dq, domega) = distances(a, b);
    println!("{what}: q {dq:.1e}, omega {domega:.1e} (bound {bound:.0e})");
    assert!(
        dq <= bound && domega <= bound,
        "{what}: q {dq:e}, omega {domega:e}, bound {bound:e}"
    );
}

const ONE: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

#[test]
fn the_references_of_forty_digits_are_met_in_one_step() {
    let asymmetric = ([1.0, 2.0, 3.0], (ONE, [1.0; 3]));
    let half = (
        [
            0.9132757397890419629,
            0.1723916035368900057,
            0.2860753700525972764,
            0.2331725558294272707,
        ],
        [
            0.450241977992199158,
            1.340627525173816521,
            0.856877633960712804,
        ],
    );
    assert_near(
        "t = 0.5",
        rotated(asymmetric.0, asymmetric.1, 0.5),
        half,
        4e-16,
    );
    let far = (
        [
            0.7366240458187266543,
            -0.2269491935789174809,
            -0.3391199241449954639,
            -0.5393299135996649479,
        ],
        [
            1.140186561021689235,
            0.8366448506179511109,
            1.048812883523472975,
        ],
    );
    assert_near(
        "t = 1e4",
        rotated(asymmetric.0, asymmetric.1, 1e4),
        far,
        5e-11,
    );
    let (separatrix, omega) = ([1.0, 2.0, 3.0], [1.7320508075688772, 0.5, 1.0]);
    let q = [
        0.5750421233706931349,
        0.5101785621435941155,
        0.484679818025340647,
        0.4172887071049755706,
    ];
    let end = rotated(separatrix, (ONE, omega), 1.0);
    assert_near("separatrix", end, (q, end.1), 8e-16);
    let q = [
        0.9657162625935539616,
        0.1349583644068203223,
        0.1256522389967727779,
        0.1827289108873352789,
    ];
    let end = rotated([0.001, 1.0, 1.0005], (ONE, [0.3, 0.2, 0.4]), 1.0);
    assert_near("needle", end, (q, end.1), 4e-16);
}

/// q(t) = exp_world(L t/I₁) q₀ exp((ω₃ − L₃/I₁) t e₃)
#[test]
fn a_symmetric_body_follows_its_closed_form_at_any_angle() {
    for (moments, omega) in [
        ([2.0, 2.0, 0.7], [0.4, -0.3, 2.0]),
        ([1.0, 1.0, 1.0], [0.3, 0.5, -0.8]),
    ] {
        for duration in [1e-6, 0.1, 1.0, 10.0, 1e3] {
            let momentum = Vector3::new(
                moments[0] * omega[0],
                moments[1] * omega[1],
                moments[2] * omega[2],
            );
            let rate: f64 = omega[2] - momentum.z / moments[0];
            let precession = UnitQuaternion::from_scaled_axis(momentum * (duration / moments[0]));
            let spin = UnitQuaternion::from_scaled_axis(Vector3::z() * (rate * duration));
            let q = precession * spin;
            let (sin, cos) = (rate * duration).sin_cos();
            let end = [
                cos * omega[0] + sin * omega[1],
                cos * omega[1] - sin * omega[0],
                omega[2],
            ];
            let bound = 1e-15 + 3e-15 * duration * Vector3::from(omega).norm();
            let exact = ([q.w, q.i, q.j, q.k], end);
            assert_near(
                &format!("{moments:?}, t = {duration}"),
                rotated(moments, (ONE, omega), duration),
                exact,
                bound,
            );
        }
    }
}

#[test]
fn a_body_at_rest_keeps_every_bit() {
    let q = [0.5123456789, -0.3, 0.77, 0.2];
    assert_eq!(rotated([1.0, 2.0, 3.0], (q, [0.0; 3]), 0.1), (q, [0.0; 3]));
}

#[test]
fn powers_of_two_in_the_inertia_change_no_bit() {
    let (omega, scale) = ([0.7, -0.4, 1.1], 2f64.powi(-400));
    for duration in [0.01, 3.0, 1e5] {
        let end = rotated([1.3, 2.1, 2.9], (ONE, omega), duration);
        assert_eq!(
            end,
            rotated([1.3, 2.1, 2.9].map(|i| i * scale), (ONE, omega), duration)
        );
    }
}

#[test]
fn what_is_not_finite_gives_nan_and_returns() {
    for (omega, duration) in [
        ([f64::NAN, 0.0, 0.0], 0.1),
        ([1e200, 1e200, 1.0], 1.0),
        ([1.0; 3], 1e300),
    ] {
        assert!(
            rotated([1.0, 2.0, 3.0], (ONE, omega), duration).0[0].is_nan(),
            "{omega:?}"
        );
    }
    // angles far too small to see
    for omega in [
        [1e-320, 2e-320, 0.0],
        [1e-160, 1e-160, 1e-160],
        [1e-141, 0.0, 0.0],
    ] {
        assert_eq!(rotated([1.0, 2.0, 3.0], (ONE, omega), 1.0), (ONE, omega));
    }
}

/// Steps of every length, one after the other; momentum (in the world) and energy are those of the start.
#[test]
fn momentum_and_energy_stay_for_a_million_steps_of_any_length() {
    let (moments, start): (_, Motion) = ([1.0, 2.0, 3.0], (ONE, [1.0, -0.6, 0.8]));
    let momentum = |(q, omega): Motion| {
        Vector3::from(
            Quat(q)
                .to_world(inertia(moments).angular_momentum(Vec3(omega)))
                .0,
        )
    };
    let energy = |(_, omega): Motion| inertia(moments).kinetic_energy(Vec3(omega));
    for duration in [1e-3, 0.4, 0.5, 40.0] {
        let steps = if duration > 1.0 { 100_000 } else { 1_000_000 };
        let mut state = start;
        for _ in 0..steps {
            state = rotated(moments, state, duration);
        }
        let length = momentum(start).norm();
        let dl = (momentum(state).norm() / length - 1.0).abs();
        let direction = (momentum(state) - momentum(start)).norm() / length;
        let de = (energy(state) / energy(start) - 1.0).abs();
        println!("h = {duration}: |L| {dl:.1e}, L {direction:.1e}, energy {de:.1e}");
        assert!(
            dl < 1e-12 && de < 1e-12 && direction < if duration < 1.0 { 1e-12 } else { 1e-11 },
            "h = {duration}: L {dl:e}, energy {de:e}"
        );
    }
}

/// The constants of the motion of a symmetric body have the same bits in each step, and those of a nearly symmetric one almost; in long
/// steps a correction may be lost in rounding each time. If nothing is done about that, the errors of these bodies add up to 6e-11.
#[test]
fn momentum_and_energy_stay_where_rounding_errors_have_the_same_sign_in_every_step() {
    let bodies = [
        ([1.0, 1.0, 1.9], [1.0; 3], 0.499),
        ([1.0, 1.9, 1.0], [1.0; 3], 0.499),
        ([1.9, 1.0, 1.0], [1.0; 3], 0.499),
        ([2.0, 1.1, 1.1], [0.5, 0.7, 0.4], 1.0),
        ([15.234375, 0.46875, 15.234375], [1.0; 3], 0.26),
        ([1.0, 1.000001, 1.9], [1.0; 3], 0.499),
        ([1.9, 1.0, 1.001], [1.0; 3], 0.499),
        ([2.011, 0.504891, 0.50489], [0.288, -0.546, 0.985], 0.465),
        ([1.0, 1.01, 1.99], [0.1, 3.0, 0.2], 0.6),
        ([5.9, 3.0, 3.0], [-0.18, 0.027, 0.19], 2.5),
        ([20.0, 6.6, 14.0], [-0.38, -0.43, 0.23], 1.3),
        ([10.29, 0.67, 10.29], [-0.41, 0.336, 0.495], 5.03),
        ([15.08, 15.28, 0.411], [-0.46, 0.18, 0.035], 8.8),
        ([18.0, 4.8, 18.0], [0.27, -0.13, -0.29], 14.8),
    ];
    for (moments, omega, duration) in bodies {
        let energy = |(_, omega): Motion| inertia(moments).kinetic_energy(Vec3(omega));
        let momentum = |(_, omega): Motion| {
            Vector3::from(inertia(moments).angular_momentum(Vec3(omega)).0).norm()
        };
        let mut state = (ONE, omega);
        let start = (energy(state), momentum(state));
        for _ in 0..1_000_000 {
            state = rotated(moments, state, duration);
        }
        let (de, dl) = (
            (energy(state) / start.0 - 1.0).abs(),
            (momentum(state) / start.1 - 1.0).abs(),
        );
        println!("{moments:?}, h = {duration}: energy {de:.1e}, |L| {dl:.1e}");
        assert!(
            de < 1e-12 && dl < 1e-12,
            "{moments:?}, h = {duration}: energy {de:e}, L {dl:e}"
        );
    }
}

/// About the intermediate axis, where doubling loses all digits; see also `a_rotation_of_ten_thousand_radians_in_one_step_is_right`.
#[test]
fn a_steady_rotation_about_the_unstable_axis_is_right_at_any_angle() {
    for (moments, radians) in [
        ([1.0, 2.0, 3.0], 290.0),
        ([1.0, 2.0, 3.0], 1e4),
        ([0.001, 1.0, 1.0005], 1e4),
    ] {
        let (q, omega) = rotated(moments, (ONE, [0.0, 1.0, 0.0]), radians);
        let (sin, cos) = f64::sin_cos(0.5 * radians);
        let sign = if q[0] * cos < 0.0 { -1.0 } else { 1.0 };
        assert!(
            (q[0] - sign * cos).hypot(q[2] - sign * sin) < 1e-15 * radians,
            "{radians} rad: {q:?}"
        );
        assert_eq!(([q[1], q[3]], omega), ([0.0; 2], [0.0, 1.0, 0.0]));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..Default::default() })]

    /// Inertias up to 1 : 30, a few turns in a step at most. Near a separatrix the motion magnifies any rounding error, also those of the
    /// series: what a change of the start by two units in the last place makes of itself is allowed ten times.
    #[test]
    fn any_free_body_follows_the_series(
        logs in prop::array::uniform3(-1.7f64..1.7),
        direction in prop::array::uniform3(-1.0f64..1.0),
        log_angle in -4.0f64..2.5,
        equal in 0..4,
    ) {
        let mut moments = logs.map(f64::exp);
        if equal == 1 { moments[1] = moments[0] }
        if equal == 2 { moments[2] = moments[1] }
        prop_assume!(Vector3::from(direction).norm() > 0.1);
        let duration = log_angle.exp() / Vector3::from(direction).norm();
        let exact = by_series(moments, (ONE, direction), duration);
        let (dq, domega) = distances(rotated(moments, (ONE, direction), duration), exact);
        let turns = (log_angle.exp() / std::f64::consts::TAU).max(1.0);
        let beside = direction.map(|omega| omega * (1.0 + 2.0 * f64::EPSILON));
        let (spread_q, spread_omega) = distances(by_series(moments, (ONE, beside), duration), exact);
        let bound = (1e-13 * turns + 10.0 * spread_q, 1e-12 * turns + 10.0 * spread_omega);
        prop_assert!(dq < bound.0 && domega < bound.1, "q {dq:e}, omega {domega:e}, {moments:?} {direction:?} {duration}");
    }
}

/// Bodies of all shapes, also needles and rods, which swing about themselves fast where they tumble, and directions, in rotations by some
/// angles: within the series, and beyond them.
#[test]
fn under_noise_a_short_rotation_is_less_exact_and_a_long_one_the_same() {
    let part = |i: u32, k: u32| f64::from(philox([i, k, 0, 0], 1)[0]) * libm::exp2(-32.0);
    for (angle, most, of_rods) in [
        (0.1, 2e-14, 4e-10),
        (0.2, 1e-11, 4e-8),
        (0.5, 4e-8, 4e-8),
        (0.8, 4e-8, 4e-8),
        (1.1, 2e-7, 2e-7),
        (3.0, 0.0, 0.0),
        (50.0, 0.0, 0.0),
    ] {
        let mut greatest = [0.0_f64; 3]; // of most bodies, of rods, and of needles
        for i in 0..100_000 {
            let (a, b) = (0.05 + part(i, 1), 0.05 + part(i, 2));
            let mut moments = [
                a,
                b,
                (a - b).abs() + (a + b - (a - b).abs()) * (0.02 + 0.97 * part(i, 3)),
            ];
            if i % 4 == 0 {
                moments = [(-7.0 - 40.0 * part(i, 2)).exp(), 1.0, 1.0]; // a needle: from 1e-3 to 4e-21
                moments.rotate_right(i as usize / 4 % 3);
            }
            let [mut x, mut y, mut z] = [4, 5, 6].map(|k| part(i, k) - 0.5);
            if i % 4 == 1 {
                (x, y, z) = (x * libm::exp(6.0 * part(i, 7)), 0.1 * y, 0.1 * z); // from tumbling to the long axis
                moments = [
                    libm::exp(-7.0 + 4.0 * part(i, 1)),
                    1.0,
                    1.0 + 0.01 * part(i, 2),
                ];
            }
            let omega = Vec3([x, y, z]) * (angle / (x * x + y * y + z * z).sqrt());
            let inertia = inertia(moments);
            let exact = free_rotation(&inertia, omega, 1.0);
            let free =
                free_rotation_under_noise(&inertia, &inverse_sums(&inertia), omega, 1.0, false);
            let unit = |free: FreeRotation<f64>| {
                free.rotation
                    .scaled(1.0 / free.rotation.norm_squared().sqrt())
            };
            let turned = (unit(exact).conjugate() * unit(free)).vector();
            let gained = (exact.gained - free.gained) * (1.0 / angle);
            let greatest = &mut greatest[[2, 1, 0, 0][i as usize % 4]];
            let errors = [2.0 * turned.dot(turned).sqrt(), gained.dot(gained).sqrt()];
            assert!(errors.iter().all(|error| error.is_finite()), "{moments:?}");
            *greatest = greatest.max(errors[0]).max(errors[1]);
        }
        println!("{angle}: {greatest:?}");
        // up to a ratio of 1e6 moments that differ cost digits
        let cancelled = if angle < 2.0 { 1e-12 } else { 0.0 };
        let most = [most, of_rods, cancelled + of_rods];
        assert!(
            (0..3).all(|k| greatest[k] <= most[k]),
            "{angle}: {greatest:?}"
        );
    }
}
