//! Bodies with rotors, such as reaction wheels: conservation, order of every method, and sums of torques.

use crate::common::METHODS;
use crate::common::bits::{state_bits, state_bits_in};
use crate::common::generic::{Random, Shape, tensor};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use quatint::torque::{Free, LinearDrag, Sum, UniformField};
use quatint::{
    Body, Ensemble, Error, Frame, Inertia, Method, Parts, Progress, VelocityKind, View, ViewMut,
};

const SPLITTING: Method = Method::Splitting;

/// An asymmetric body, axes not principal, with a momentum bias as large as its own momentum.
fn gyrostat(method: Method) -> Body {
    let inertia =
        Inertia::new(&Matrix3::new(1.0, 0.1, 0.0, 0.1, 2.0, 0.2, 0.0, 0.2, 2.5)).expect("valid");
    let q = UnitQuaternion::new_normalize(Quaternion::new(0.9, 0.3, 0.2, 0.1));
    let mut body = Body::new(inertia, q, Vector3::new(0.4, -0.3, 0.5)).expect("valid");
    body.set_rotor_momentum(Some(Vector3::new(0.8, -0.5, 1.1)))
        .expect("finite");
    body.set_method(method);
    body
}

fn distance(a: &Body, b: &Body) -> f64 {
    let dq = (a.orientation().into_inner() - b.orientation().into_inner()).norm();
    dq.max((a.angular_velocity_body() - b.angular_velocity_body()).norm())
}

#[test]
fn error_control_keeps_momentum_with_the_rotor_and_energy_without() {
    let mut body = gyrostat(Method::Pcdm);
    let (momentum, energy) = (body.angular_momentum(), body.kinetic_energy());
    body.solve(20.0, 1e-13, &mut Free).expect("smooth");
    assert!((body.angular_momentum() - momentum).norm() < 1e-11 * momentum.norm());
    assert!((body.kinetic_energy() / energy - 1.0).abs() < 1e-11);
    // not what it would be without rotors
    let mut without = gyrostat(Method::Pcdm);
    without.set_rotor_momentum(None).expect("none");
    without.solve(20.0, 1e-13, &mut Free).expect("smooth");
    assert!(distance(&body, &without) > 0.1);
}

/// A symmetric body with a rotor on its axis is a symmetric body with another spin: its axis precesses about L at |L|/I₁.
#[test]
fn a_rotor_on_the_axis_of_a_symmetric_body_changes_the_precession_as_the_exact_solution_says() {
    let (i1, i3, spin, h, tilt_rate) = (1.0, 0.5, 3.0, 4.0, 0.7);
    let inertia = Inertia::from_moments(Vector3::new(i1, i1, i3)).expect("valid");
    let mut body = Body::new(
        inertia,
        UnitQuaternion::identity(),
        Vector3::new(tilt_rate, 0.0, spin),
    )
    .expect("valid");
    body.set_rotor_momentum(Some(Vector3::new(0.0, 0.0, h)))
        .expect("finite");
    let momentum = body.angular_momentum();
    assert_eq!(momentum, Vector3::new(i1 * tilt_rate, 0.0, i3 * spin + h));
    let time = 7.3;
    body.solve(time, 1e-13, &mut Free).expect("smooth");
    // q = exp(L t / I₁) ⊗ exp((ω₃ − L₃/I₁) t e₃)
    let exact = UnitQuaternion::from_scaled_axis(momentum * (time / i1))
        * UnitQuaternion::from_scaled_axis(Vector3::z() * ((spin - momentum.z / i1) * time));
    assert!(
        body.orientation().angle_to(&exact) < 1e-11,
        "{:e}",
        body.orientation().angle_to(&exact)
    );
}

#[test]
fn every_method_keeps_its_order_with_a_rotor_under_a_torque() {
    let mut weight = UniformField::new([0.0, 0.1, 0.9], [0.0, 0.0, -1.0]).expect("finite");
    let mut exact = gyrostat(Method::Pcdm);
    exact.solve(4.0, 1e-14, &mut weight).expect("smooth");
    for method in METHODS {
        let mut error = |steps: u64| {
            let mut body = gyrostat(method);
            body.advance(4.0 / steps as f64, steps, &mut weight)
                .expect("finite");
            distance(&body, &exact)
        };
        let (coarse, fine) = if method.order() == 6 {
            (16, 32)
        } else {
            (40, 80)
        };
        let (before, after) = (error(coarse), error(fine));
        let order = (before / after).log2();
        println!(
            "{}: {before:.1e}, {after:.1e}: order {order:.2}",
            method.name()
        );
        let expected = f64::from(method.order());
        assert!(
            (order - expected).abs() < if expected > 5.0 { 0.8 } else { 0.3 },
            "{}: {order}",
            method.name()
        );
    }
}

#[test]
fn the_splittings_keep_the_momentum_of_a_free_gyrostat_to_rounding_and_its_energy_within_bounds_and_return()
 {
    for (method, bound) in [
        (SPLITTING, 2e-3),
        (Method::Splitting4, 1e-7),
        (Method::Splitting6, 1e-10),
    ] {
        let mut body = gyrostat(method);
        let (start, energy, momentum) =
            (body.clone(), body.kinetic_energy(), body.angular_momentum());
        let mut greatest = [0.0_f64; 2]; // in each half of the time
        for (half, i) in (0..2).flat_map(|half| (0..50_000).map(move |i| (half, i))) {
            body.step(0.1, &mut Free).expect("finite");
            if i % 7 == 0 {
                greatest[half] = greatest[half].max((body.kinetic_energy() / energy - 1.0).abs());
            }
        }
        println!(
            "{}: energy {:.1e}, {:.1e}",
            method.name(),
            greatest[0],
            greatest[1]
        );
        assert!(
            greatest[0] < bound && (greatest[1] / greatest[0] - 1.0).abs() < 0.1,
            "{greatest:?}"
        );
        assert!((body.angular_momentum() - momentum).norm() < 1e-12 * momentum.norm());
        body.advance(-0.1, 100_000, &mut Free).expect("finite");
        assert!(
            distance(&body, &start) < 1e-6,
            "{}: {:e}",
            method.name(),
            distance(&body, &start)
        );
    }
}

/// A wheel with ten times the momentum of the body, whose turn in a step is 1 rad and more. Measured: 7e-13, 2e-13, 8e-13.
#[test]
fn a_satellite_with_a_heavy_wheel_keeps_its_momentum_over_a_million_steps() {
    for method in [SPLITTING, Method::Splitting4, Method::Splitting6] {
        let inertia = Inertia::from_moments(Vector3::new(1.0, 2.0, 3.0)).expect("valid");
        let omega = Vector3::new(0.1, 0.2, 0.1);
        let mut satellite = Body::new(inertia, UnitQuaternion::identity(), omega).expect("valid");
        let wheel =
            Vector3::new(0.5, 0.3, -0.8).normalize() * (10.0 * satellite.angular_momentum().norm());
        satellite.set_rotor_momentum(Some(wheel)).expect("finite");
        satellite.set_method(method);
        let momentum = satellite.angular_momentum();
        satellite
            .advance(0.2, 1_000_000, &mut Free)
            .expect("finite");
        let error = (satellite.angular_momentum() - momentum).norm() / momentum.norm();
        assert!(error < 1e-12, "{}: {error:e}", method.name());
    }
}

/// Near the separatrix, under a weak field: where a split that keeps the energy of the body alone lets energy and momentum wander.
#[test]
fn a_gyrostat_near_its_separatrix_in_a_weak_field_keeps_energy_and_the_momentum_about_the_field() {
    let force = Vector3::new(0.0, 0.02, -0.1);
    let arm = Vector3::new(0.1, 0.05, 0.2);
    for (method, h, bound) in [
        (SPLITTING, 0.1, 2e-4),
        (Method::Splitting4, 0.3, 2e-7),
        (Method::Splitting6, 0.5, 2e-8),
    ] {
        let inertia = Inertia::from_moments(Vector3::new(1.0, 2.0, 3.0)).expect("valid");
        let q = UnitQuaternion::new_normalize(Quaternion::new(0.7, 0.1, -0.5, 0.4));
        let mut body = Body::new(inertia, q, q * Vector3::new(1e-3, 1.2, -2e-3)).expect("valid");
        body.set_rotor_momentum(Some(Vector3::new(0.02, 0.15, -0.03)))
            .expect("finite");
        body.set_method(method);
        let mut weight = UniformField::new(arm.into(), force.into()).expect("finite");
        let energy = |body: &Body| body.kinetic_energy() - (body.orientation() * arm).dot(&force);
        let about = |body: &Body| body.angular_momentum().dot(&force) / force.norm();
        let (e, l) = (energy(&body), about(&body));
        let mut worst = [0.0_f64; 2];
        for _ in 0..2000 {
            body.advance(h, 50, &mut weight).expect("finite");
            worst = [
                worst[0].max((energy(&body) / e - 1.0).abs()),
                worst[1].max((about(&body) / l - 1.0).abs()),
            ];
        }
        println!(
            "{}: energy {:.1e}, momentum {:.1e}",
            method.name(),
            worst[0],
            worst[1]
        );
        assert!(
            worst[0] < bound && worst[1] < 1e-11,
            "{}: {worst:?}",
            method.name()
        );
    }
}

#[test]
fn a_drift_with_a_rotor_has_the_order_of_the_method_and_keeps_the_momentum() {
    for (method, most) in [
        (SPLITTING, 2.0),
        (Method::Cf4, 4.0),
        (Method::Splitting4, 4.0),
        (Method::Splitting6, 6.0),
    ] {
        let error = |duration: f64| {
            let (mut drifted, mut exact) = (gyrostat(method), gyrostat(method));
            drifted.set_time(1e6).expect("finite");
            drifted.drift(duration).expect("finite");
            exact.solve(duration, 1e-14, &mut Free).expect("smooth");
            assert!((drifted.angular_momentum() - exact.angular_momentum()).norm() < 1e-13);
            assert_eq!(drifted.time(), 1e6 + duration);
            distance(&drifted, &exact)
        };
        let order = (error(0.3) / error(0.15)).log2() - 1.0; // of one step the error has an order more
        assert!((order - most).abs() < 0.5, "{}: {order}", method.name());
        assert!(error(20.0) < 20.0 * error(0.5).max(1e-13) * 40.0);
    }
}

/// A drift back takes the parts of the drift, which it must not count from another state: also with motors, and of lines and bodies
/// that turn about one axis. It was 1e-3 rad, where the counts differed.
#[test]
fn a_drift_with_rotors_and_back_returns_to_rounding() {
    let random = &mut Random(77);
    for case in 0..3000 {
        let a = random.between(0.5, 2.0);
        let thin = random.power_of_ten(-3.0, 0.0);
        let moments = match case % 5 {
            0 => Vector3::new(0.0, a, a),
            1 => Vector3::new(a, 0.0, 0.0),
            2 => random.moments(Shape::Rod(thin)),
            _ => random.moments(Shape::Compact),
        };
        let inertia = Inertia::new(&tensor(moments, &random.rotation())).expect("a body");
        let mut body = Body::new(inertia, random.rotation(), random.vector()).expect("a state");
        body.set_method(random.one_of(&METHODS));
        body.set_rotor_momentum(Some(random.vector() * random.one_of(&[0.0, 0.1, 3.0])))
            .expect("finite");
        if case % 2 == 0 {
            body.set_rotor_torque(Some(random.vector()))
                .expect("finite");
        }
        let start = body.clone();
        let duration = random.between(-3.0, 3.0);
        body.drift(duration).expect("finite");
        body.drift(-duration).expect("finite");
        let off = distance(&body, &start);
        let size = 1.0 + start.angular_velocity_body().norm();
        let is_rod = case % 5 == 2; // whose parts are many, and their rounding is magnified
        assert!(
            off < size * if is_rod { 1e-8 } else { 1e-11 },
            "{case}: {off:e} after {duration}, {moments:?}"
        );
    }
}

/// Sums over many finite states overflow, as may what lanes behind the last body hold. Neither is a reason not to drift.
#[test]
fn bodies_with_rotors_drift_also_where_the_sum_of_their_squared_velocities_overflows() {
    let (count, fast, duration) = (48, 9e153, 1e-155);
    let (omega, rotor) = (
        [fast, 0.0, 0.0].repeat(count),
        [0.0, 0.0, 1.0].repeat(count),
    );
    let mut e = Ensemble::new(count).expect("memory");
    e.set_angular_velocities(View::rows(&omega).expect("whole rows"))
        .expect("below 1e154");
    e.set_rotor_momentum(Some(View::rows(&rotor).expect("whole rows")))
        .expect("finite");
    e.drift(duration).expect("a tenth of a radian");
    for body in 0..count {
        assert!(
            (e.orientation(body).i - (0.5 * fast * duration).sin()).abs() < 1e-12,
            "body {body}"
        );
    }
}

#[test]
fn driven_wheels_keep_the_whole_momentum_and_every_method_its_order() {
    let motor = Vector3::new(0.2, -0.1, 0.15);
    let mut weight = UniformField::new([0.0, 0.1, 0.9], [0.0, 0.0, -1.0]).expect("finite");
    let driven = |method| {
        let mut body = gyrostat(method);
        body.set_rotor_torque(Some(motor)).expect("finite");
        body
    };
    // the torque as one of the world besides a wheel of which it is subtracted by hand, in small steps
    let mut exact = driven(Method::Pcdm);
    exact.solve(4.0, 1e-14, &mut weight).expect("smooth");
    let left = Vector3::new(0.8, -0.5, 1.1) - motor * 4.0;
    assert!((exact.rotor_momentum().expect("some") - left).norm() < 1e-13);
    let mut by_hand = gyrostat(Method::Splitting6);
    for i in 0..4000 {
        by_hand
            .set_rotor_momentum(Some(
                Vector3::new(0.8, -0.5, 1.1) - motor * (1e-3 * (f64::from(i) + 0.5)),
            ))
            .expect("finite");
        let mut both = |_: f64, q: &UnitQuaternion<f64>, _: &Vector3<f64>| {
            (q * Vector3::new(0.0, 0.1, 0.9)).cross(&Vector3::new(0.0, 0.0, -1.0)) + q * motor
        };
        by_hand.step(1e-3, &mut both).expect("finite");
    }
    assert!(
        distance(&by_hand, &exact) < 1e-6,
        "{:e}",
        distance(&by_hand, &exact)
    );
    for method in METHODS {
        let mut error = |steps: u64| {
            let mut body = driven(method);
            body.advance(4.0 / steps as f64, steps, &mut weight)
                .expect("finite");
            assert!((body.rotor_momentum().expect("some") - left).norm() < 1e-12);
            distance(&body, &exact)
        };
        let (coarse, fine) = if method.order() == 6 {
            (16, 32)
        } else {
            (40, 80)
        };
        let order = (error(coarse) / error(fine)).log2();
        let expected = f64::from(method.order());
        assert!(
            (order - expected).abs() < if expected > 5.0 { 0.8 } else { 0.3 },
            "{}: {order}",
            method.name()
        );
    }
    for method in [SPLITTING, Method::Splitting4, Method::Splitting6] {
        let mut body = driven(method);
        let momentum = body.angular_momentum();
        body.advance(0.05, 1000, &mut Free).expect("finite");
        body.drift(3.0).expect("finite");
        assert!((body.angular_momentum() - momentum).norm() < 1e-12 * momentum.norm());
    }
}

#[test]
fn a_late_clock_changes_no_bit_of_driven_wheels() {
    for method in METHODS {
        let end = |clock: f64| {
            let mut body = gyrostat(method);
            body.set_rotor_torque(Some(Vector3::new(0.2, -0.1, 0.15)))
                .expect("finite");
            body.set_time(clock).expect("finite");
            let mut weight = UniformField::new([0.0, 0.1, 0.9], [0.0, 0.0, -1.0]).expect("finite");
            body.advance(0.0625, 16, &mut weight).expect("finite");
            body.solve(clock + 3.0, 1e-10, &mut weight).expect("smooth");
            (state_bits(&body), body.rotor_momentum())
        };
        assert_eq!(end(0.0), end(1.7e9), "{}", method.name());
    }
}

#[test]
fn a_rotor_of_zero_changes_nothing_but_rounding() {
    for method in METHODS {
        let (mut zero, mut none) = (gyrostat(method), gyrostat(method));
        zero.set_rotor_momentum(Some(Vector3::zeros()))
            .expect("finite");
        none.set_rotor_momentum(None).expect("none");
        zero.advance(0.01, 100, &mut Free).expect("finite");
        none.advance(0.01, 100, &mut Free).expect("finite");
        assert!(
            distance(&zero, &none) < 1e-12,
            "{}: {:e}",
            method.name(),
            distance(&zero, &none)
        );
    }
}

#[test]
fn implicit_drag_and_a_rotor_together_are_stable_and_of_order_2() {
    let mut drag = LinearDrag::new([2.0, 3.0, 4.0]).expect("finite");
    let mut exact = gyrostat(Method::Pcdm);
    exact.solve(1.0, 1e-13, &mut drag).expect("smooth");
    for method in [Method::Pcdm, Method::Splitting] {
        let mut error = |steps: u64| {
            let mut body = gyrostat(method);
            body.advance(1.0 / steps as f64, steps, &mut drag)
                .expect("finite");
            distance(&body, &exact)
        };
        let order = (error(100) / error(200)).log2();
        assert!((order - 2.0).abs() < 0.2, "{}: {order}", method.name());
    }
}

#[test]
fn a_power_of_two_in_inertia_and_rotor_changes_no_bit() {
    for method in METHODS {
        let scaled = |scale: f64| {
            let inertia =
                Inertia::from_moments(Vector3::new(1.3, 2.1, 2.9) * scale).expect("valid");
            let mut body = Body::new(
                inertia,
                UnitQuaternion::identity(),
                Vector3::new(0.4, -0.3, 0.5),
            )
            .expect("valid");
            body.set_rotor_momentum(Some(Vector3::new(0.8, -0.5, 1.1) * scale))
                .expect("finite");
            body.set_method(method);
            body.advance(0.1, 10, &mut Free).expect("finite");
            state_bits(&body)
        };
        assert_eq!(scaled(1.0), scaled(2f64.powi(-87)), "{}", method.name());
    }
}

#[test]
fn a_sum_of_torques_is_their_sum_and_keeps_the_resistance_of_its_parts() {
    let (weight, drag) = (
        UniformField::new([0.0, 0.1, 0.9], [0.0, 0.0, -1.0]).expect("finite"),
        LinearDrag::new([2.0, 3.0, 4.0]).expect("finite"),
    );
    let mut by_hand = |_: f64, q: &UnitQuaternion<f64>, omega: &Vector3<f64>| {
        let omega_body = q.inverse() * omega;
        (q * Vector3::new(0.0, 0.1, 0.9)).cross(&Vector3::new(0.0, 0.0, -1.0))
            - q * Vector3::new(2.0, 3.0, 4.0).component_mul(&omega_body)
    };
    let (mut a, mut b) = (gyrostat(Method::Pcdm), gyrostat(Method::Pcdm));
    a.solve(2.0, 1e-12, &mut Sum(weight, drag)).expect("smooth");
    b.solve(2.0, 1e-12, &mut by_hand).expect("smooth");
    assert!(distance(&a, &b) < 1e-11, "{:e}", distance(&a, &b));
    // taken implicitly: stable far beyond c h / I = 2
    let mut stiff = Sum(weight, LinearDrag::new([2e3, 3e3, 4e3]).expect("finite"));
    gyrostat(Method::Pcdm)
        .advance(0.5, 1000, &mut stiff)
        .expect("stable");
}

/// The guard measures the turn at any scale. Moments of 1e160 were refused a turn of a radian; of 1e-170 let pass 2.7e9 rad, which never ended.
#[test]
fn the_limit_of_a_drift_with_rotors_does_not_depend_on_units() {
    for unit in [1.0, 1e160, 1e-170, 1e300, 1e-300] {
        let moments = Vector3::new(unit, 2.0 * unit, 3.0 * unit);
        let inertia = Inertia::from_moments(moments).expect("valid");
        let mut body = Body::new(
            inertia,
            UnitQuaternion::identity(),
            Vector3::new(0.1, 0.2, 0.3),
        )
        .expect("valid");
        body.set_rotor_momentum(Some(0.1 * moments))
            .expect("finite");
        body.drift(1.0)
            .unwrap_or_else(|error| panic!("{unit:e}: {error}"));
        body.set_rotor_momentum(Some(1e5 * moments))
            .expect("finite");
        let error = body.drift(1e4).expect_err("a turn of 1e9 rad and more");
        assert!(
            error.to_string().contains("less than 1e6 rad"),
            "{unit:e}: {error}"
        );
    }
}

const N: usize = 37;
const FIELD: [f64; 3] = [0.0, 0.2, -1.0];

/// Bodies of an ensemble with rotors and separate inertias, axes not principal, and the same bodies alone.
struct Fleet {
    tensors: Vec<f64>,
    rotors: Vec<f64>,
    orientations: Vec<f64>,
    velocities: Vec<f64>,
    arms: Vec<f64>,
}

impl Fleet {
    fn new() -> Self {
        let wave = |i: usize, k: usize| ((i * 7 + k * 3) as f64 * 0.61).sin();
        let each = |scale: f64, width: usize| {
            (0..width * N)
                .map(|i| scale * wave(i / width, i % width))
                .collect()
        };
        let tensors = (0..N).flat_map(|i| {
            let (a, b) = (0.1 * wave(i, 1), 0.2 * wave(i, 2));
            [1.0 + 0.3 * wave(i, 0), a, 0.0, a, 2.0, b, 0.0, b, 2.5]
        });
        let orientations = (0..N).flat_map(|i| {
            let q =
                UnitQuaternion::new_normalize(Quaternion::new(0.9, wave(i, 4), 0.2, wave(i, 5)));
            [q.w, q.i, q.j, q.k]
        });
        let (rotors, velocities, arms) = (each(1.5, 3), each(0.8, 3), each(0.6, 3));
        Fleet {
            tensors: tensors.collect(),
            rotors,
            orientations: orientations.collect(),
            velocities,
            arms,
        }
    }

    fn ensemble(&self, method: Method) -> Ensemble<'static, 'static> {
        let rows = |numbers| View::rows(numbers).expect("whole rows");
        let mut e = Ensemble::new(N).expect("memory");
        e.set_inertias(View::rows(&self.tensors).expect("whole rows"))
            .expect("valid");
        e.set_orientations(View::rows(&self.orientations).expect("whole rows"))
            .expect("valid");
        e.set_angular_velocities(rows(&self.velocities))
            .expect("finite");
        e.set_method(method).expect("allowed");
        e.set_rotor_momentum(Some(rows(&self.rotors)))
            .expect("finite");
        e
    }

    fn body(&self, i: usize, method: Method) -> Body {
        let three = |of: &[f64]| Vector3::from_column_slice(&of[3 * i..3 * i + 3]);
        let inertia =
            Inertia::new(&Matrix3::from_row_slice(&self.tensors[9 * i..9 * i + 9])).expect("valid");
        let [w, x, y, z] = self.orientations[4 * i..4 * i + 4].try_into().expect("4");
        let q = UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z));
        let mut body = Body::new(inertia, q, three(&self.velocities)).expect("valid");
        body.set_rotor_momentum(Some(three(&self.rotors)))
            .expect("finite");
        body.set_method(method);
        body
    }

    fn field(&self, i: usize) -> UniformField<f64> {
        UniformField::new(self.arms[3 * i..3 * i + 3].try_into().expect("3"), FIELD)
            .expect("finite")
    }

    fn assert_same(
        &self,
        e: &Ensemble,
        method: Method,
        what: &str,
        mut drive: impl FnMut(&mut Body, usize),
    ) {
        for i in 0..N {
            let mut body = self.body(i, method);
            drive(&mut body, i);
            assert_eq!(
                state_bits_in(e, i),
                state_bits(&body),
                "{what}, {}, body {i}",
                method.name()
            );
            assert!((e.angular_momentum(i) - body.angular_momentum()).norm() < 1e-14);
        }
    }
}

#[test]
fn bodies_with_rotors_have_the_same_bits_in_ensembles_as_alone() {
    let fleet = Fleet::new();
    let arms = || View::rows(&fleet.arms).expect("whole rows");
    for method in METHODS {
        let mut e = fleet.ensemble(method);
        e.advance(0.03, 7).expect("finite");
        fleet.assert_same(&e, method, "free", |body, _| {
            body.advance(0.03, 7, &mut Free).expect("finite")
        });

        let mut e = fleet.ensemble(method);
        e.set_threads(2).expect("two");
        e.set_uniform_field(arms(), FIELD).expect("finite");
        e.advance(0.03, 7).expect("finite");
        let in_field =
            |body: &mut Body, i: usize| body.advance(0.03, 7, &mut fleet.field(i)).expect("finite");
        fleet.assert_same(&e, method, "field", in_field);

        let mut e = fleet.ensemble(method);
        e.kick(0.2, arms(), Frame::Body).expect("finite");
        e.drift(1.7).expect("finite");
        e.kick_drift(0.1, -0.4, Some(arms()), Frame::World)
            .expect("finite");
        fleet.assert_same(&e, method, "kicks and drifts", |body, i| {
            let arm = Vector3::from_column_slice(&fleet.arms[3 * i..3 * i + 3]);
            body.kick(0.2, arm, Frame::Body).expect("finite");
            body.drift(1.7).expect("finite");
            body.kick(0.1, arm, Frame::World).expect("finite");
            body.drift(-0.4).expect("finite");
        });

        // a torque of the caller, of two kinds of access
        let spring = |q: &[f64]| [-q[1], 0.5 * q[2] * q[0], q[3]];
        let mut alone = |_: f64, q: &UnitQuaternion<f64>, _: &Vector3<f64>| {
            Vector3::from(spring(&[q.w, q.i, q.j, q.k]))
        };
        let answer = move |q: &[f64], torque: &mut [f64]| {
            torque
                .chunks_mut(3)
                .zip(q.chunks(4))
                .for_each(|(torque, q)| torque.copy_from_slice(&spring(q)));
        };
        let mut e = fleet.ensemble(method);
        let chunks = move |_: f64, _: usize, _: usize, q: &[f64], _: &[f64], torque: &mut [f64]| {
            answer(q, torque);
            Ok(())
        };
        e.set_torque(Box::new(chunks), quatint::Layout::Aos, Frame::World)
            .expect("valid");
        e.advance(0.03, 5).expect("finite");
        let mut staged = fleet.ensemble(method);
        let (mut q, mut omega, mut torque) = (vec![0.0; 4 * N], vec![0.0; 3 * N], vec![0.0; 3 * N]);
        staged.begin_steps(0.03, 5).expect("valid");
        while let Progress::NeedTorque(_) = staged.next_stage(&mut q, &mut omega).expect("finite") {
            answer(&q, &mut torque);
            staged.supply_torque(&torque).expect("awaited");
        }
        let mut by_callback =
            |body: &mut Body, _| body.advance(0.03, 5, &mut alone).expect("finite");
        fleet.assert_same(&e, method, "callback", &mut by_callback);
        fleet.assert_same(&staged, method, "stages", &mut by_callback);

        if method.allows_resistance() {
            let mut e = fleet.ensemble(method);
            e.set_drag(View::shared(&[0.3, 0.5, 0.2], N), None)
                .expect("allowed");
            e.set_uniform_field(arms(), FIELD).expect("finite");
            e.advance(0.03, 7).expect("finite");
            fleet.assert_same(&e, method, "drag", |body, i| {
                let drag =
                    quatint::torque::FluidDrag::new([0.3, 0.5, 0.2], [0.0; 3]).expect("finite");
                body.set_drag(Some(drag)).expect("allowed");
                in_field(body, i);
            });
        }
    }
}

#[test]
fn rows_selections_and_sizes_carry_the_rotors_of_an_ensemble() {
    const ALL: Parts = Parts {
        state: true,
        inertia: true,
        torque: true,
        memory: true,
        id: false,
        bound: false,
    };
    let fleet = Fleet::new();
    let mut e = fleet.ensemble(Method::Splitting4);
    e.set_uniform_field(View::rows(&fleet.arms).expect("whole rows"), FIELD)
        .expect("finite");
    e.advance(0.03, 3).expect("finite");
    let mut rows = vec![0.0; N * e.row_size(ALL)];
    e.rows(ALL, None, &mut rows).expect("room");
    let mut other = Ensemble::new(N).expect("memory");
    other
        .set_inertias(View::rows(&fleet.tensors).expect("whole rows"))
        .expect("valid");
    other
        .set_uniform_field(View::shared(&[0.0; 3], N), FIELD)
        .expect("finite");
    other
        .set_rotor_momentum(Some(View::shared(&[0.0; 3], N)))
        .expect("finite");
    other.set_method(Method::Splitting4).expect("allowed");
    other.set_rows(ALL, None, &rows).expect("whole rows");
    let backwards: Vec<usize> = (0..N).rev().collect();
    other.select(&backwards).expect("bodies");
    e.advance(0.03, 4).expect("finite");
    other.advance(0.03, 4).expect("finite");
    for i in 0..N {
        assert_eq!(e.orientation(i), other.orientation(N - 1 - i));
        assert_eq!(e.angular_momentum(i), other.angular_momentum(N - 1 - i));
    }
    e.resize(N + 1).expect("memory"); // the new one has no rotors
    e.set_angular_velocity(N, [0.1, 0.2, 0.3].into())
        .expect("finite");
    let momentum = e.angular_momentum(N);
    assert!(
        (momentum - Vector3::new(0.1, 0.2, 0.3)).norm() < 1e-15,
        "{momentum}"
    );
}

#[test]
fn rotors_of_an_ensemble_and_bound_momenta_exclude_each_other() {
    let ([mut momenta, mut others], rotors) = ([[0.1; 6]; 2], [1.0, 0.0, 0.0]);
    let mut e = Ensemble::new(2).expect("memory");
    e.set_rotor_momentum(Some(View::shared(&rotors, 2)))
        .expect("finite");
    let refused = e
        .set_rotor_momentum(Some(View::shared(&[f64::NAN; 3], 2)))
        .expect_err("not finite")
        .cause;
    assert!(matches!(refused, Error::NotFinite { .. }), "{refused}");
    let array = ViewMut::rows(&mut momenta).expect("rows");
    let refused = e
        .bind_angular_velocities(array, VelocityKind::AngularMomentumWorld)
        .expect_err("with rotors")
        .cause;
    assert!(
        matches!(refused, Error::Invalid { name: "rotor", .. }),
        "{refused}"
    );
    e.set_rotor_momentum(None).expect("none");
    let array = ViewMut::rows(&mut others).expect("rows");
    e.bind_angular_velocities(array, VelocityKind::AngularMomentumWorld)
        .expect("without rotors");
    let refused = e
        .set_rotor_momentum(Some(View::shared(&rotors, 2)))
        .expect_err("momenta")
        .cause;
    assert!(
        matches!(refused, Error::Invalid { name: "rotor", .. }),
        "{refused}"
    );
}

/// A body keeps the turn by its rotors from step to step. A body that starts anew does not have it, and has the same bits; so has any machine.
#[test]
fn a_turn_that_is_kept_is_that_of_these_rotors_and_of_this_step() {
    let (a, b) = (Vector3::new(0.8, -0.5, 1.1), Vector3::new(-0.3, 0.9, 0.2));
    let mut body = gyrostat(SPLITTING);
    for (rotor, dt) in [
        (a, 0.1),
        (a, 0.1),
        (a, 0.05),
        (b, 0.05),
        (b, -0.05),
        (a, -0.05),
        (a, 0.1),
    ] {
        body.set_rotor_momentum(Some(rotor)).expect("finite");
        body.drift(0.3).expect("finite");
        let mut anew = gyrostat(SPLITTING);
        anew.set_rotor_momentum(Some(rotor)).expect("finite");
        anew.set_state_body(body.orientation(), body.angular_velocity_body())
            .expect("a state");
        for _ in 0..3 {
            body.step(dt, &mut Free).expect("finite");
        }
        anew.advance(dt, 3, &mut Free).expect("finite");
        assert_eq!(state_bits(&anew), state_bits(&body));
    }
    assert_eq!(
        state_bits(&body)[..4],
        [
            0x3fd0fe75ab98838f,
            0x3fe24b949136cd9d,
            0xbfc808f9b035fb22,
            0x3fe81a8109caa90b
        ],
        "{:x?}",
        state_bits(&body)
    );
}

/// A wheel on a generic axis, driven by a motor: body and wheel as two bodies, by an independent Runge-Kutta method with the
/// speed of the wheel as an unknown. What the header says, with the torque of the motor: inertia less `J a aᵀ`, `h = J (W + a · ω) a`.
/// Two other readings, which the header excludes, would be off by 2e-2.
#[test]
fn a_driven_wheel_on_any_axis_moves_as_two_bodies_do() {
    let mut random = Random(11);
    for _ in 0..20 {
        let axes = random.rotation();
        let locked = tensor(random.moments(Shape::Compact), &axes);
        let (axis, wheel) = (random.direction(), random.between(0.02, 0.08));
        let (motor, speed) = (random.between(-0.3, 0.3), random.between(-20.0, 20.0));
        let (q0, omega0) = (random.rotation(), random.vector());
        let carrier = locked - axis * axis.transpose() * wheel;
        let inverse = carrier.try_inverse().expect("positive");

        // (I − J a aᵀ) ω' = (I ω + J W a) × ω − τ a and J (W' + a · ω') = τ, body frame
        let rates = |q: Quaternion<f64>, omega: Vector3<f64>, speed: f64| {
            let momentum = locked * omega + axis * (wheel * speed);
            let acceleration = inverse * (momentum.cross(&omega) - axis * motor);
            let turn = q * Quaternion::from_imag(omega) * 0.5;
            (turn, acceleration, motor / wheel - axis.dot(&acceleration))
        };
        let (mut q, mut omega, mut w) = (q0.into_inner(), omega0, speed);
        let (end, steps) = (3.0, 6000);
        let h = end / f64::from(steps);
        for _ in 0..steps {
            let (a1, b1, c1) = rates(q, omega, w);
            let (a2, b2, c2) = rates(
                q + a1 * (0.5 * h),
                omega + b1 * (0.5 * h),
                w + c1 * (0.5 * h),
            );
            let (a3, b3, c3) = rates(
                q + a2 * (0.5 * h),
                omega + b2 * (0.5 * h),
                w + c2 * (0.5 * h),
            );
            let (a4, b4, c4) = rates(q + a3 * h, omega + b3 * h, w + c3 * h);
            q += (a1 + a2 * 2.0 + a3 * 2.0 + a4) * (h / 6.0);
            omega += (b1 + b2 * 2.0 + b3 * 2.0 + b4) * (h / 6.0);
            w += (c1 + c2 * 2.0 + c3 * 2.0 + c4) * (h / 6.0);
        }

        let inertia = Inertia::new(&carrier).expect("valid");
        let mut body = Body::new(inertia, q0, q0 * omega0).expect("finite");
        let axial = wheel * (speed + axis.dot(&omega0));
        body.set_rotor_momentum(Some(axis * axial)).expect("finite");
        body.set_rotor_torque(Some(axis * -motor)).expect("finite");
        body.solve(end, 1e-12, &mut Free).expect("smooth");
        let found = body.rotor_momentum().expect("set").dot(&axis) / wheel
            - axis.dot(&body.angular_velocity_body());
        let apart = body
            .orientation()
            .angle_to(&UnitQuaternion::new_normalize(q));
        assert!(apart < 1e-7, "{apart:e} rad");
        assert!((body.angular_velocity_body() - omega).norm() < 1e-8);
        assert!(
            (found - w).abs() < 1e-6,
            "the speed of the wheel: {found}, {w}"
        );
    }
}

/// A satellite with the moment 1 and a wheel of 0.1, both at rest; the motor acts with 0.01 N m for 10 s.
#[test]
fn a_motor_turns_the_satellite_less_its_wheel() {
    let inertia = Inertia::from_moments(Vector3::new(1.0, 1.0, 0.9)).expect("valid");
    let mut body = Body::new(inertia, UnitQuaternion::identity(), Vector3::zeros()).expect("valid");
    body.set_rotor_torque(Some(Vector3::new(0.0, 0.0, -0.01)))
        .expect("finite");
    body.solve(10.0, 1e-12, &mut Free).expect("smooth");
    let omega = body.angular_velocity_body().z;
    let speed = body.rotor_momentum().expect("driven").z / 0.1 - omega;
    assert!((omega + 1.0 / 9.0).abs() < 1e-13 && (speed - 10.0 / 9.0).abs() < 1e-12);
}
