//! Stiff linear drag: stable for any coefficients, of order 2, with the bits of bodies alone.

#![allow(clippy::excessive_precision)] // the references have all digits that are known

use crate::common::METHODS;
use crate::common::bits::{state_bits, state_bits_in};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use quatint::kernel::{PrincipalInertia, TorqueState, Vec3};
use quatint::torque::{ConstantWorld, FluidDrag, Free, LinearDrag, ShearFlow, resistances};
use quatint::{
    Body, Ensemble, Error, Frame, Inertia, Layout, Method, Parts, Progress, Torque, View,
};
use std::f64::consts::PI;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

const SHEAR: [f64; 9] = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];

/// An ellipsoid of semi-axes (5, 1, 1) at rest in u = (y, 0, 0), viscosity 1.
fn fibre(density: f64) -> (Body, ShearFlow<f64>) {
    let mass = density * 4.0 / 3.0 * PI * 5.0;
    let moments = [2.0, 26.0, 26.0].map(|sum| mass / 5.0 * sum);
    let q = UnitQuaternion::new_normalize(Quaternion::new(0.9, 0.3, 0.2, 0.1));
    let inertia = Inertia::from_moments(moments.into()).expect("valid");
    let body = Body::new(inertia, q, Vector3::zeros()).expect("valid");
    (
        body,
        ShearFlow::new([5.0, 1.0, 1.0], 1.0, SHEAR).expect("valid"),
    )
}

/// At t = 5, density 0.01: orientation by an independent program with 40 digits.
const END: [f64; 4] = [
    0.8333316309184144380,
    0.5459058696211536591,
    0.0773312197606657209,
    -0.0395608197183462399,
];

fn error_at_end(method: Method, steps: u64) -> f64 {
    let (mut body, mut torque) = fibre(0.01);
    body.set_method(method);
    body.advance(5.0 / steps as f64, steps, &mut torque)
        .expect("stable");
    let [w, x, y, z] = END;
    (body.orientation().into_inner() - Quaternion::new(w, x, y, z)).norm()
}

/// Measured: PCDM 9.1e-5, 5.5e-6, 4.4e-7; splitting 1.3e-4, 7.9e-6, 3.8e-7, as prototypes in another program had.
#[test]
fn a_stiff_fibre_in_shear_flow_follows_the_reference() {
    for (method, expected) in [
        (Method::Pcdm, [9.1e-5, 5.5e-6, 4.4e-7]),
        (Method::Splitting, [1.3e-4, 7.9e-6, 3.8e-7]),
    ] {
        for (steps, expected) in [25, 100, 400].into_iter().zip(expected) {
            let error = error_at_end(method, steps);
            println!("{}, {steps} steps: {error:.2e}", method.name());
            assert!(
                (error / expected - 1.0).abs() < 0.1,
                "{}, {steps}: {error:e}, {expected:e}",
                method.name()
            );
        }
    }
}

/// c h / I from 0.1 to 1000: a method is stable, or it refuses.
#[test]
fn no_method_gives_nan_however_stiff_the_drag() {
    let (_, spin) = resistances([5.0, 1.0, 1.0], 1.0).expect("valid");
    for stiffness in [0.1, 1.0, 2.0, 5.0, 30.0, 1000.0] {
        for method in METHODS {
            let h = 0.05;
            let (unit, _) = fibre(1.0);
            let rate = spin
                .iter()
                .zip(&unit.inertia().principal_moments())
                .map(|(c, i)| c / i)
                .fold(0.0, f64::max);
            let (mut body, mut torque) = fibre(rate * h / stiffness);
            body.set_method(method);
            match body.advance(h, 100, &mut torque) {
                Ok(()) => assert!(
                    body.angular_velocity().norm() < 2.0,
                    "{}: {stiffness}",
                    method.name()
                ),
                Err(failure) => {
                    let refused = matches!(
                        failure.cause,
                        Error::TooStiff { .. } | Error::Invalid { .. }
                    );
                    assert!(
                        refused && failure.completed == 0,
                        "{}, {stiffness}: {failure}",
                        method.name()
                    );
                    assert!(!matches!(method, Method::Pcdm | Method::Splitting));
                }
            }
        }
    }
}

#[test]
fn drag_brings_a_body_to_the_fluids_rotation_for_any_coefficients_and_axes() {
    let flow = [0.3, -0.2, 0.5];
    for size in [1.0, 1e3, 1e9, 1e200] {
        for off in [0.0, 0.4] {
            let tensor = Matrix3::new(1.0, off, 0.0, off, 2.0, -off, 0.0, -off, 3.0);
            let coefficients = [1.0, 20.0, 3.0].map(|c| c * size);
            for method in [Method::Pcdm, Method::Splitting] {
                let mut body = Body::new(
                    Inertia::new(&tensor).expect("valid"),
                    UnitQuaternion::from_euler_angles(0.4, -0.3, 2.0),
                    Vector3::new(5.0, -3.0, 2.0),
                )
                .expect("valid");
                body.set_method(method);
                body.set_drag(Some(FluidDrag::new(coefficients, flow).expect("finite")))
                    .expect("allowed");
                body.advance(0.2, 500, &mut Free).expect("stable");
                let slip = (body.angular_velocity() - Vector3::from(flow)).norm();
                // the gyroscopic torque of the rotating body keeps it off the flow by 1/c
                assert!(
                    slip < 2.0 / size + 1e-9,
                    "{}, {size:e}, {off}: {slip:e}",
                    method.name()
                );
                let mut kicked = body.clone();
                kicked
                    .set_state(body.orientation(), Vector3::new(5.0, -3.0, 2.0))
                    .expect("valid");
                for _ in 0..2000 {
                    kicked
                        .kick(0.1, Vector3::zeros(), Frame::World)
                        .expect("stable");
                    kicked.drift(0.1).expect("finite");
                }
                let slip = (kicked.angular_velocity() - Vector3::from(flow)).norm();
                assert!(slip < 0.2, "kicks, {size:e}, {off}: {slip:e}");
            }
        }
    }
}

/// τ = −c ω about a principal axis: the angular velocity decays exponentially. A third of the drag is besides the ready-made torque. For
/// this linear equation the order is 3.
#[test]
fn implicit_drag_decays_with_order_three() {
    for method in [Method::Pcdm, Method::Splitting] {
        let error = |steps: u64| {
            let inertia = Inertia::from_moments(Vector3::new(1.0, 2.0, 1.5)).expect("valid");
            let mut body = Body::new(
                inertia,
                UnitQuaternion::identity(),
                Vector3::new(0.0, 0.0, 1.0),
            )
            .expect("valid");
            body.set_method(method);
            body.set_drag(Some(
                FluidDrag::new([0.1, 0.2, 1.0], [0.0; 3]).expect("finite"),
            ))
            .expect("allowed");
            let mut torque = LinearDrag::new([0.5, 0.3, 2.0]).expect("finite");
            body.advance(2.0 / steps as f64, steps, &mut torque)
                .expect("stable");
            (body.angular_velocity().z - (-4.0_f64).exp()).abs()
        };
        let order = (error(100) / error(200)).log2();
        println!("{}: {order:.3}", method.name());
        assert!((order - 3.0).abs() < 0.05, "{}: {order}", method.name());
    }
}

#[test]
fn ensembles_with_drag_have_the_bits_of_bodies_alone() {
    let count = 70;
    let number = |i: usize, k: usize| 0.5 + (1.3 * i as f64 + k as f64).sin();
    let coefficients: Vec<f64> = (0..3 * count).map(|k| 3.0 * number(k, 1).abs()).collect();
    let flows: Vec<f64> = (0..3 * count).map(|k| number(k, 2)).collect();
    let tensor = |i: usize| {
        let off = if i.is_multiple_of(3) { 0.2 } else { 0.0 };
        Matrix3::new(
            1.0 + 0.01 * i as f64,
            off,
            0.0,
            off,
            2.0,
            0.0,
            0.0,
            0.0,
            3.0,
        )
    };
    let tensors: Vec<f64> = (0..count)
        .flat_map(|i| tensor(i).as_slice().to_vec())
        .collect();
    let torques: Vec<f64> = (0..3 * count).map(|k| number(k, 3)).collect();
    let three = |all: &[f64], i: usize| [all[3 * i], all[3 * i + 1], all[3 * i + 2]];
    for method in [Method::Pcdm, Method::Splitting, Method::Cf4] {
        for threads in [1, 2] {
            let mut e = Ensemble::new(count).expect("memory");
            e.set_threads(threads).expect("threads");
            e.set_method(method).expect("allowed");
            e.set_inertias(View::rows(&tensors).expect("rows"))
                .expect("valid");
            e.set_angular_velocities(View::rows(&flows).expect("rows"))
                .expect("finite");
            e.set_constant_torque(View::rows(&torques).expect("rows"), Frame::World)
                .expect("finite");
            e.set_drag(
                View::rows(&coefficients).expect("rows"),
                Some(View::rows(&flows).expect("rows")),
            )
            .expect("allowed");
            e.advance(0.05, 20).expect("stable");
            e.kick_drift(
                0.3,
                0.1,
                Some(View::rows(&torques).expect("rows")),
                Frame::World,
            )
            .expect("finite");
            for i in 0..count {
                let inertia = Inertia::new(&tensor(i)).expect("valid");
                let omega = Vector3::from(three(&flows, i));
                let mut body =
                    Body::new(inertia, UnitQuaternion::identity(), omega).expect("valid");
                body.set_method(method);
                let drag =
                    FluidDrag::new(three(&coefficients, i), three(&flows, i)).expect("finite");
                body.set_drag(Some(drag)).expect("allowed");
                let mut torque =
                    quatint::torque::ConstantWorld::new(three(&torques, i)).expect("finite");
                body.advance(0.05, 20, &mut torque).expect("stable");
                body.kick(0.3, three(&torques, i).into(), Frame::World)
                    .expect("finite");
                body.drift(0.1).expect("finite");
                assert_eq!(
                    state_bits_in(&e, i),
                    state_bits(&body),
                    "{}, body {i}",
                    method.name()
                );
            }
        }
    }
}

#[test]
fn cf4_refuses_a_drag_that_is_too_stiff_and_names_the_body() {
    let mut e = Ensemble::new(5).expect("memory");
    e.set_method(Method::Cf4).expect("allowed");
    let mut coefficients = vec![1.0; 15];
    coefficients[3 * 3] = 100.0;
    e.set_drag(View::rows(&coefficients).expect("rows"), None)
        .expect("allowed");
    let failure = e.step(0.1).unwrap_err();
    assert_eq!((failure.body, failure.completed), (Some(3), 0));
    assert!(matches!(failure.cause, Error::TooStiff { .. }), "{failure}");
    e.step(0.02).expect("c h / I is 2");
    for method in [
        Method::Splitting4,
        Method::Splitting6,
        Method::ForceGradient,
    ] {
        assert!(matches!(
            e.set_method(method).unwrap_err().cause,
            Error::Invalid { .. }
        ));
    }
}

#[test]
fn a_body_whose_torque_changes_kind_between_steps_does_not_misread_what_the_method_kept() {
    let mut push = quatint::torque::ConstantBody::new([0.3, -0.2, 0.1]).expect("finite");
    let mut drag = LinearDrag::new([2.0, 3.0, 4.0]).expect("finite");
    let (mut body, _) = fibre(1.0);
    body.set_method(Method::Splitting);
    let mut told = body.clone();
    for _ in 0..3 {
        body.step(0.1, &mut push).expect("finite");
        body.step(0.1, &mut drag).expect("finite");
        told.step(0.1, &mut push).expect("finite");
        told.forget_torque();
        told.step(0.1, &mut drag).expect("finite");
        told.forget_torque();
        assert_eq!(state_bits(&body), state_bits(&told));
    }
}

/// Fails when it is told to.
struct Wind(bool);

impl Torque for Wind {
    type Error = Error;
    fn torque_body(
        &mut self,
        time: f64,
        _: &TorqueState<f64>,
        _: &PrincipalInertia<f64>,
    ) -> Result<Vec3<f64>, Error> {
        if self.0 {
            Err(Error::Callback { result: 1, time })
        } else {
            Ok(Vec3([0.1, -0.2, time]))
        }
    }
}

/// If a step of another length fails, what was kept comes back.
#[test]
fn a_step_of_another_length_that_fails_changes_no_later_bit() {
    let end = |fails: bool| {
        let (mut body, _) = fibre(0.01);
        body.set_method(Method::Splitting);
        body.set_drag(Some(
            FluidDrag::new([3.0, 2.0, 1.0], [0.0; 3]).expect("valid"),
        ))
        .expect("valid");
        body.advance(0.01, 3, &mut Wind(false)).expect("stable");
        if fails {
            assert!(body.step(0.02, &mut Wind(true)).is_err());
        }
        body.advance(0.01, 3, &mut Wind(false)).expect("stable");
        state_bits(&body)
    };
    assert_eq!(end(false), end(true));

    let memory = Parts {
        memory: true,
        ..Parts::default()
    };
    let mut e = Ensemble::new(40).expect("memory");
    e.set_method(Method::Splitting).expect("no step begun");
    e.set_drag(View::shared(&[3.0, 2.0, 1.0], 40), None)
        .expect("valid");
    e.set_uniform_field(View::shared(&[1.0, 0.0, 0.5], 40), [0.0, 0.0, -9.81])
        .expect("valid");
    e.advance(0.01, 3).expect("stable");
    let rows = |e: &Ensemble| {
        let mut rows = vec![0.0; 40 * e.row_size(memory)];
        e.rows(memory, None, &mut rows).expect("room");
        rows.into_iter().map(f64::to_bits).collect::<Vec<_>>()
    };
    let kept = rows(&e);
    let mut clock = e.clock();
    assert!(kept.iter().all(|bits| f64::from_bits(*bits).is_finite()));
    clock[0] = 0.03;
    assert!(e.step(f64::MAX).is_err());
    assert_eq!(rows(&e), kept);
    assert_eq!(e.clock()[0], clock[0]);
}

/// The torques of a step in stages come from the caller. A ready-made drag was once taken for their resistance, and held the bodies.
#[test]
fn steps_in_stages_do_not_use_the_torque_of_the_ensemble() {
    for method in [Method::Pcdm, Method::Splitting] {
        let ends = [1e-6, 1e6].map(|coefficient| {
            let mut e = Ensemble::new(3).unwrap();
            e.set_method(method).unwrap();
            e.set_linear_drag(View::shared(&[coefficient; 3], 3))
                .unwrap();
            let (mut q, mut omega) = ([0.0; 12], [0.0; 9]);
            e.begin_steps(0.1, 4).unwrap();
            while let Progress::NeedTorque(_) = e.next_stage(&mut q, &mut omega).unwrap() {
                e.supply_torque(&[0.3, -0.2, 0.5, 0.1, 0.2, 0.3, -0.4, 0.1, 0.2])
                    .unwrap();
            }
            [0, 1, 2].map(|body| (e.orientation(body), e.angular_velocity_body(body)))
        });
        assert_eq!(ends[0], ends[1], "{method:?}");
    }
}

/// A step whose last torque has been forgotten asks for one at its start and one at its end.
#[test]
fn a_panic_of_any_torque_of_a_step_changes_no_later_step() {
    let end = |panics_at: Option<i32>, then: f64| {
        let left = Arc::new(AtomicI32::new(-1));
        let counter = Arc::clone(&left);
        let mut e = Ensemble::new(2).unwrap();
        e.set_method(Method::Splitting).unwrap();
        e.set_drag(View::shared(&[0.5, 1.0, 2.0], 2), None).unwrap();
        let push =
            move |t: f64, _: usize, _: usize, q: &[f64], omega: &[f64], torque: &mut [f64]| {
                assert!(counter.fetch_sub(1, Relaxed) != 0, "on purpose");
                (0..6).for_each(|i| torque[i] = 0.1 + 0.05 * q[i] + t * omega[i].sin());
                Ok(())
            };
        e.set_torque(Box::new(push), Layout::Aos, Frame::World)
            .unwrap();
        e.step(0.01).unwrap();
        e.forget_torques().unwrap();
        if let Some(ask) = panics_at {
            left.store(ask, Relaxed);
            assert!(catch_unwind(AssertUnwindSafe(|| e.step(0.02))).is_err());
        }
        left.store(-1, Relaxed);
        e.step(then).unwrap();
        [0, 1].map(|body| (e.orientation(body), e.angular_velocity_body(body)))
    };
    for then in [0.01, 0.02] {
        let undisturbed = end(None, then);
        for ask in [0, 1] {
            assert_eq!(end(Some(ask), then), undisturbed, "torque {ask}, {then} s");
        }
    }
}

/// The number by which CF4 judges a step is the greatest rate at which the drag slows the body, the
/// greatest eigenvalue of `I⁻¹ C`, whatever the axes.
#[test]
fn cf4_refuses_a_step_from_its_bound_of_the_stiffness_on() {
    let random = &mut crate::common::generic::Random(4);
    for _ in 0..20 {
        let moments = Vector3::from_fn(|_, _| random.between(0.2, 3.0));
        let axes = random.rotation();
        let tensor = crate::common::generic::tensor(moments, &axes);
        let coefficients = Vector3::from_fn(|_, _| random.between(0.1, 5.0));
        let inertia = Inertia::new(&tensor).expect("valid");
        // in body axes the eigenvalues of I⁻¹ C are those of C^½ I⁻¹ C^½
        let root = Matrix3::from_diagonal(&coefficients.map(f64::sqrt));
        let reciprocal = tensor.try_inverse().expect("positive definite");
        let rate = (root * reciprocal * root).symmetric_eigenvalues().max();
        let step = |dt: f64| {
            let mut body = Body::new(inertia, axes, Vector3::x()).expect("valid");
            body.set_method(Method::Cf4);
            let drag = FluidDrag::new(coefficients.into(), [0.0; 3]).expect("finite");
            body.set_drag(Some(drag)).expect("memory");
            body.step(dt, &mut Free)
        };
        step(2.7 / rate * (1.0 - 1e-12)).expect("just short enough");
        step(-2.7 / rate * (1.0 - 1e-12)).expect("just short enough");
        let refused = step(2.7 / rate * (1.0 + 1e-12)).expect_err("too long");
        let Error::TooStiff { stiffness, bound } = refused else {
            panic!("{refused}");
        };
        assert!((stiffness - 2.7).abs() < 1e-9 && bound == 2.7);
    }
}

#[test]
fn methods_say_whether_they_allow_a_drag_and_what_they_are_called() {
    let mut names = Vec::new();
    for &method in Method::ALL {
        let inertia = Inertia::from_moments(Vector3::new(1.0, 2.0, 2.5)).expect("valid");
        let identity = UnitQuaternion::identity();
        let mut body = Body::new(inertia, identity, Vector3::zeros()).expect("valid");
        body.set_method(method);
        let drag = FluidDrag::new([1.0; 3], [0.0; 3]).expect("finite");
        let is_allowed = body.set_drag(Some(drag)).is_ok();
        assert_eq!(method.allows_resistance(), is_allowed, "{method:?}");
        assert!(method.name().len() > 2);
        names.push(method.name());
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Method::ALL.len());
    assert!(names.contains(&"PCDM"));
}

/// Bodies of different inertias in a field, which turn by some tenths of a radian a second.
fn in_stiff_drag(count: usize, coefficient: f64) -> Ensemble<'static, 'static> {
    let mut e = Ensemble::new(count).unwrap();
    e.set_method(Method::Splitting).unwrap();
    let moments: Vec<f64> = (0..3 * count).map(|k| 1.0 + 0.1 * (k % 7) as f64).collect();
    e.set_principal_inertias(View::rows(&moments).unwrap())
        .unwrap();
    let lever: Vec<f64> = (0..3 * count).map(|k| 1.0 + 0.2 * (k % 5) as f64).collect();
    let pull = coefficient * 0.3; // so that the body turns by some tenth of a radian a second
    e.set_uniform_field(View::rows(&lever).unwrap(), [0.4 * pull, 0.0, -pull])
        .unwrap();
    let drag = [coefficient, 0.7 * coefficient, 1.3 * coefficient];
    e.set_drag(View::shared(&drag, count), None).unwrap();
    e
}

/// A body in a fluid that turns, by SPLITTING to t = 40 with an output each second.
fn with_outputs(dt: f64, least: f64, coefficient: f64) -> UnitQuaternion<f64> {
    let inertia = Inertia::from_moments(Vector3::new(1.0, 1.5, 1.8)).unwrap();
    let omega = Vector3::new(0.3, -0.2, 0.5);
    let mut body = Body::new(inertia, UnitQuaternion::identity(), omega).unwrap();
    body.set_method(Method::Splitting);
    let coefficients = [1.0, 1.5, 0.8].map(|c| c * coefficient);
    let drag = FluidDrag::new(coefficients, [0.4, 0.8, -0.3]).unwrap();
    body.set_drag(Some(drag)).unwrap();
    let mut torque = ConstantWorld::new([1.0, 2.0, 3.0]).unwrap();
    let mut t = 0.0;
    for second in 1..=40 {
        while t < f64::from(second) {
            let h = dt.min(f64::from(second) - t);
            if h > least {
                body.step(h, &mut torque).unwrap();
            }
            t += h;
        }
    }
    body.orientation()
}

/// The rest of the second is a rounding error, during which the torque changes by rounding errors
/// alone. The rate of change that such a step told was multiplied by the length of the next.
#[test]
fn the_rest_of_a_step_before_an_output_spoils_no_step_after_it() {
    for coefficient in [1e3, 1e4, 1e5] {
        let exact = with_outputs(0.1 / 16.0, 1e-9, coefficient);
        let [without, with] =
            [1e-9, 0.0].map(|least| with_outputs(0.1, least, coefficient).angle_to(&exact));
        // after each output the rate is not known, as in the first step
        assert!(
            with < 10.0 * without,
            "{coefficient}: {with:e}, {without:e}"
        );
    }
}

/// Torques of three numbers a body are kept without a drag, and six with one.
#[test]
fn a_step_that_fails_just_after_a_drag_was_set_leaves_no_rate_of_change() {
    let memory = Parts {
        memory: true,
        ..Parts::default()
    };
    let kept = |e: &Ensemble| {
        let mut rows = vec![0.0; 40 * e.row_size(memory)];
        e.rows(memory, None, &mut rows).unwrap();
        rows.into_iter().map(f64::to_bits).collect::<Vec<_>>()
    };
    let run = |fails: bool| {
        let mut e = in_stiff_drag(40, 30.0);
        e.clear_drag().unwrap();
        e.advance(0.01, 3).unwrap();
        e.set_drag(View::shared(&[30.0, 20.0, 40.0], 40), None)
            .unwrap();
        if fails {
            let before = kept(&e);
            assert!(e.step(f64::MAX).is_err());
            assert_eq!(kept(&e), before);
        }
        e.advance(0.05, 2).unwrap();
        [0, 15, 39].map(|body| state_bits_in(&e, body))
    };
    assert_eq!(run(false), run(true));
}

/// The rows of another body, after the torques were forgotten.
#[test]
fn a_row_that_is_set_leaves_the_rates_of_change_of_the_other_bodies() {
    let parts = Parts {
        state: true,
        ..Parts::default()
    };
    let run = |sets_row: bool| {
        let mut e = in_stiff_drag(3, 100.0);
        for _ in 0..5 {
            e.step(0.05).unwrap();
            e.forget_torques().unwrap();
            if sets_row {
                let mut row = vec![0.0; e.row_size(parts)];
                e.rows(parts, Some(&[1]), &mut row).unwrap();
                e.set_rows(parts, Some(&[1]), &row).unwrap();
            }
        }
        [0, 2].map(|body| state_bits_in(&e, body))
    };
    assert_eq!(run(false), run(true));
}

/// Of the body that is locked itself it is forgotten, as of a body alone.
#[test]
fn a_lock_leaves_the_rates_of_change_of_the_other_bodies() {
    let run = |axes: &[i32]| {
        let mut e = in_stiff_drag(40, 100.0);
        e.set_active(Some(&[0, 2, 17, 39])).unwrap();
        e.advance(0.05, 5).unwrap();
        e.lock_axes(axes, false).unwrap();
        e.advance(0.05, 2).unwrap();
        [0, 2, 17, 39].map(|body| state_bits_in(&e, body))
    };
    let mut axes = vec![0; 40];
    let without = run(&axes);
    axes[2] = 6; // a wheel
    axes[5] = 7; // not active
    let with = run(&axes);
    for (i, (left, right)) in without.iter().zip(&with).enumerate() {
        assert_eq!(left == right, i != 1, "{i}");
    }
}
