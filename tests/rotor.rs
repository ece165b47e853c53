//! Bodies with rotors, such as reaction wheels: conservation, order of every method, and sums of torques.

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use quatint::torque::{Free, LinearDrag, Sum, UniformField};
use quatint::{Body, Inertia, Method};

const METHODS: [Method; 6] =
    [Method::Pcdm, Method::Splitting, Method::Splitting4, Method::Cf4, Method::Splitting6, Method::ForceGradient];

/// An asymmetric body, axes not principal, with a momentum bias as large as its own momentum.
fn gyrostat(method: Method) -> Body {
    let inertia = Inertia::new(&Matrix3::new(1.0, 0.1, 0.0, 0.1, 2.0, 0.2, 0.0, 0.2, 2.5)).expect("valid");
    let q = UnitQuaternion::new_normalize(Quaternion::new(0.9, 0.3, 0.2, 0.1));
    let mut body = Body::new(inertia, q, Vector3::new(0.4, -0.3, 0.5)).expect("valid");
    body.set_rotor_momentum(Some(Vector3::new(0.8, -0.5, 1.1))).expect("finite");
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
    let mut body = Body::new(inertia, UnitQuaternion::identity(), Vector3::new(tilt_rate, 0.0, spin)).expect("valid");
    body.set_rotor_momentum(Some(Vector3::new(0.0, 0.0, h))).expect("finite");
    let momentum = body.angular_momentum();
    assert_eq!(momentum, Vector3::new(i1 * tilt_rate, 0.0, i3 * spin + h));
    let time = 7.3;
    body.solve(time, 1e-13, &mut Free).expect("smooth");
    // q = exp(L t / I₁) ⊗ exp((ω₃ − L₃/I₁) t e₃)
    let exact = UnitQuaternion::from_scaled_axis(momentum * (time / i1))
        * UnitQuaternion::from_scaled_axis(Vector3::z() * ((spin - momentum.z / i1) * time));
    assert!(body.orientation().angle_to(&exact) < 1e-11, "{:e}", body.orientation().angle_to(&exact));
}

#[test]
fn every_method_keeps_its_order_with_a_rotor_under_a_torque() {
    let mut weight = UniformField::new([0.0, 0.1, 0.9], [0.0, 0.0, -1.0]).expect("finite");
    let mut exact = gyrostat(Method::Pcdm);
    exact.solve(4.0, 1e-14, &mut weight).expect("smooth");
    for method in METHODS {
        let mut error = |steps: u64| {
            let mut body = gyrostat(method);
            body.advance(4.0 / steps as f64, steps, &mut weight).expect("finite");
            distance(&body, &exact)
        };
        let (coarse, fine) = if method.order() == 6 { (16, 32) } else { (40, 80) };
        let (before, after) = (error(coarse), error(fine));
        let order = (before / after).log2();
        println!("{}: {before:.1e}, {after:.1e}: order {order:.2}", method.name());
        let expected = f64::from(method.order());
        assert!((order - expected).abs() < if expected > 5.0 { 0.8 } else { 0.3 }, "{}: {order}", method.name());
    }
}

#[test]
fn the_splittings_keep_the_energy_of_a_free_gyrostat_exactly_and_return() {
    for method in [Method::Splitting, Method::Splitting4, Method::Splitting6, Method::ForceGradient] {
        let mut body = gyrostat(method);
        let (start, energy) = (body.clone(), body.kinetic_energy());
        body.advance(0.1, 10_000, &mut Free).expect("finite");
        let change = (body.kinetic_energy() / energy - 1.0).abs(); // rounding
        assert!(change < 2e-10, "{}: {change:e}", method.name());
        // the rounding error of the energy changes the rate: 1e-10 over 2000 s
        body.advance(-0.1, 10_000, &mut Free).expect("finite");
        assert!(distance(&body, &start) < 1e-7, "{}: {:e}", method.name(), distance(&body, &start));
    }
}

#[test]
fn a_drift_with_a_rotor_is_the_exact_motion_and_a_rotor_of_zero_changes_nothing_but_rounding() {
    let (mut drifted, mut exact) = (gyrostat(Method::Splitting), gyrostat(Method::Splitting));
    drifted.set_time(1e6).expect("finite");
    drifted.drift(3.0).expect("finite");
    exact.solve(3.0, 1e-14, &mut Free).expect("smooth");
    assert!(distance(&drifted, &exact) < 1e-12 && drifted.time() == 1e6 + 3.0);
    for method in METHODS {
        let (mut zero, mut none) = (gyrostat(method), gyrostat(method));
        zero.set_rotor_momentum(Some(Vector3::zeros())).expect("finite");
        none.set_rotor_momentum(None).expect("none");
        zero.advance(0.01, 100, &mut Free).expect("finite");
        none.advance(0.01, 100, &mut Free).expect("finite");
        assert!(distance(&zero, &none) < 1e-12, "{}: {:e}", method.name(), distance(&zero, &none));
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
            body.advance(1.0 / steps as f64, steps, &mut drag).expect("finite");
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
            let inertia = Inertia::from_moments(Vector3::new(1.3, 2.1, 2.9) * scale).expect("valid");
            let mut body = Body::new(inertia, UnitQuaternion::identity(), Vector3::new(0.4, -0.3, 0.5)).expect("valid");
            body.set_rotor_momentum(Some(Vector3::new(0.8, -0.5, 1.1) * scale)).expect("finite");
            body.set_method(method);
            body.advance(0.1, 10, &mut Free).expect("finite");
            (body.orientation(), body.angular_velocity_body())
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
    gyrostat(Method::Pcdm).advance(0.5, 1000, &mut stiff).expect("stable");
}
