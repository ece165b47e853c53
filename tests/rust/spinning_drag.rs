//! Drag on bodies that spin: a nutation decays as the drag says, no faster and no slower, whichever
//! way the drag is set; what is stiff stays stable; a drag of nothing changes no bit.

#![allow(unsafe_code)] // the caller writes an array between the steps, which no reference allows

use crate::common::bits::{state_bits, state_bits_in};
use crate::common::generic::{Random, Shape, tensor};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use quatint::torque::{ConstantBody, FluidDrag, Free, LinearDrag, UniformField};
use quatint::{Body, Ensemble, Frame, Inertia, Method, SolveMethod, View};

const SHAPES: [Shape; 5] = [
    Shape::Compact,
    Shape::Compact,
    Shape::Rod(0.08),
    Shape::Disc,
    Shape::NearSphere(0.1),
];

/// A body whose principal axes are its own.
fn spinning(random: &mut Random, speed: f64) -> Body {
    let shape = random.one_of(&SHAPES);
    let inertia = Inertia::from_moments(random.moments(shape)).expect("positive");
    let q = random.rotation();
    let mut body = Body::new(inertia, q, random.direction() * speed).expect("valid");
    body.set_method(Method::Splitting);
    body
}

/// The ways of setting a drag.
#[derive(Clone, Copy, Debug)]
enum Way {
    Drag,
    Torque,
    HalfOfEach,
    InEnsemble,
}

/// Takes steps under the drag `c I`.
fn advance(body: &mut Body, way: Way, c: f64, h: f64, steps: u64) {
    let coefficients = body.inertia().principal_moments() * c;
    match way {
        Way::Drag => {
            let drag = FluidDrag::new(coefficients.into(), [0.0; 3]).expect("finite");
            body.set_drag(Some(drag)).expect("allowed");
            body.advance(h, steps, &mut Free).expect("stable");
        }
        Way::Torque => {
            let mut torque = LinearDrag::new(coefficients.into()).expect("finite");
            body.advance(h, steps, &mut torque).expect("stable");
        }
        Way::HalfOfEach => {
            let half = (coefficients * 0.5).into();
            let drag = FluidDrag::new(half, [0.0; 3]).expect("finite");
            body.set_drag(Some(drag)).expect("allowed");
            let mut torque = LinearDrag::new(half).expect("finite");
            body.advance(h, steps, &mut torque).expect("stable");
        }
        Way::InEnsemble => {
            let mut e = Ensemble::new(3).expect("memory");
            e.set_method(Method::Splitting).expect("no step begun");
            let moments = [
                body.inertia().principal_moments().into(),
                [1.0; 3],
                [2.0; 3],
            ]
            .concat();
            e.set_principal_inertias(View::rows(&moments).expect("rows"))
                .expect("positive");
            // a neighbour whose drag is stiff, and one without any
            let all = [coefficients.into(), [1e3; 3], [0.0; 3]].concat();
            e.set_drag(View::rows(&all).expect("rows"), None)
                .expect("allowed");
            e.set_orientation(0, body.orientation()).expect("unit");
            e.set_angular_velocity(0, body.angular_velocity())
                .expect("finite");
            e.advance(h, steps).expect("stable");
            body.set_state_body(e.orientation(0), e.angular_velocity_body(0))
                .expect("finite");
        }
    }
}

/// Under a drag `c I` and nothing else the momentum decays by `exp(-c t)` in a fixed direction, and
/// the orientation is that of the free motion after the time `(1 − exp(-c t))/c`. 600 rad at 30 rad/s.
///
/// Measured: momenta to 3e-14 of themselves, orientations to 9e-7 rad. With the gyroscopic torque
/// extrapolated in every step the orientations were off by up to 3 rad.
#[test]
fn drag_that_is_proportional_to_the_inertia_damps_and_turns_as_the_exact_solution() {
    let random = &mut Random(71);
    let (speed, c, time) = (30.0_f64, 0.02_f64, 20.0_f64);
    let mut worst = [0.0_f64; 2];
    for turn in [0.1, 0.3] {
        for _ in 0..25 {
            for way in [Way::Drag, Way::Torque, Way::HalfOfEach, Way::InEnsemble] {
                let mut body = spinning(random, speed);
                let momentum = body.angular_momentum() * (-c * time).exp();
                let mut exact = body.clone();
                exact.drift(-(-c * time).exp_m1() / c).expect("finite");

                let steps = (speed * time / turn).round() as u64;
                advance(&mut body, way, c, time / steps as f64, steps);
                let of_momentum = (body.angular_momentum() - momentum).norm() / momentum.norm();
                let off = body.orientation().angle_to(&exact.orientation());
                worst = [worst[0].max(of_momentum), worst[1].max(off)];
                assert!(
                    of_momentum < 1e-4,
                    "{way:?}, {turn}: {of_momentum:e} {body:?}"
                );
                assert!(off < 1e-2, "{way:?}, {turn}: {off:e} rad {body:?}");
            }
        }
    }
    println!("momentum {:e}, orientation {:e}", worst[0], worst[1]);
}

/// The angular velocity at first, and that of the fluid.
type Motion = ([f64; 3], [f64; 3]);

/// Beside each factor, the error of the implicit step alone and that of kicks and drifts alone, as
/// another program had them: of the orientation after 10 s in 1600 steps, under drags of (2, 3, 4)
/// times the factor on (1, 2, 3) in a field.
#[test]
fn a_step_with_drag_takes_the_better_of_both_schemes() {
    let still = ([0.5, -0.8, 1.1], [0.0; 3]);
    let flowing = ([0.5, -0.8, 1.1], [0.3, 0.2, -0.4]);
    let fast = ([5.0, -8.0, 11.0], [3.0, 2.0, -4.0]);
    let table: [(Motion, &[[f64; 3]]); 3] = [
        (
            still,
            &[
                [0.03, 5.0e-5, 2.2e-5],
                [0.1, 4.6e-5, 1.6e-6],
                [0.3, 2.1e-5, 1.9e-6],
                [1.0, 7.6e-7, 7.2e-6],
                [10.0, 9.6e-6, 4.7e-5],
                [100.0, 5.9e-6, 3.6e-4],
            ],
        ),
        (
            flowing,
            &[
                [0.03, 3.9e-5, 1.1e-5],
                [0.1, 3.3e-5, 5.0e-6],
                [0.3, 1.1e-5, 8.1e-6],
                [1.0, 2.8e-6, 1.5e-5],
                [10.0, 8.4e-6, 6.6e-5],
                [100.0, 6.2e-6, 6.8e-4],
            ],
        ),
        (
            fast,
            &[
                [0.01, 0.28, 1.0e-4],
                [0.1, 2.1e-2, 7.4e-5],
                [1.0, 1.4e-3, 6.7e-5],
                [10.0, 2.2e-5, 2.0e-4],
            ],
        ),
    ];
    for ((omega, flow), rows) in table {
        for &[factor, implicit, kicks] in rows {
            let end = |method, steps: u64| {
                let inertia = Inertia::from_moments(Vector3::new(1.0, 2.0, 3.0)).expect("positive");
                let identity = UnitQuaternion::identity();
                let mut body = Body::new(inertia, identity, omega.into()).expect("valid");
                body.set_method(method);
                let coefficients = [2.0, 3.0, 4.0].map(|c| c * factor);
                let drag = FluidDrag::new(coefficients, flow).expect("finite");
                body.set_drag(Some(drag)).expect("allowed");
                let mut field =
                    UniformField::new([0.2, -0.1, 0.9], [0.3, 0.0, -1.3]).expect("finite");
                body.advance(10.0 / steps as f64, steps, &mut field)
                    .expect("stable");
                body.orientation()
            };
            let error = end(Method::Splitting, 1600).angle_to(&end(Method::Pcdm, 400_000));
            println!("{omega:?} {flow:?} {factor}: {error:.1e}, {implicit:.1e} {kicks:.1e}");
            assert!(
                error < 1.5 * f64::min(implicit, kicks),
                "{factor}: {error:e}"
            );
        }
    }
}

/// A body with a full tensor, in a field, and perhaps with a wheel.
fn generic(random: &mut Random, has_wheel: bool) -> (Body, UniformField<f64>, Matrix3<f64>) {
    let shape = random.one_of(&SHAPES);
    let tensor = tensor(random.moments(shape), &random.rotation());
    let inertia = Inertia::new(&tensor).expect("positive");
    let omega = random.vector() * random.power_of_ten(-2.0, 1.0);
    let mut body = Body::new(inertia, random.rotation(), omega).expect("valid");
    body.set_method(Method::Splitting);
    if has_wheel {
        body.set_rotor_momentum(Some(random.vector()))
            .expect("finite");
        body.set_rotor_torque(Some(random.vector() * 0.1))
            .expect("finite");
    }
    let field = UniformField::new(random.vector().into(), random.vector().into());
    (body, field.expect("finite"), tensor)
}

#[test]
fn a_drag_of_zero_changes_no_bit_beside_a_wheel_or_not() {
    let random = &mut Random(72);
    for number in 0..200 {
        let (mut body, mut field, _) = generic(random, number % 2 == 0);
        let mut dragged = body.clone();
        let drag = FluidDrag::new([0.0; 3], random.vector().into()).expect("finite");
        dragged.set_drag(Some(drag)).expect("allowed");
        let h = random.between(-0.3, 0.3);
        body.advance(h, 20, &mut field).expect("finite");
        dragged.advance(h, 20, &mut field).expect("finite");
        assert_eq!(state_bits(&body), state_bits(&dragged), "{number}");
    }
}

/// Nothing but a wheel, whose body is free but for a drag of zero: the momentum stays.
#[test]
fn a_wheel_beside_a_drag_of_zero_keeps_the_momentum() {
    let random = &mut Random(73);
    for _ in 0..20 {
        let mut body = spinning(random, 0.02);
        body.set_rotor_momentum(Some(random.vector()))
            .expect("finite");
        let drag = FluidDrag::new([0.0; 3], [0.0; 3]).expect("finite");
        body.set_drag(Some(drag)).expect("allowed");
        let momentum = body.angular_momentum();
        body.advance(0.5, 20_000, &mut Free).expect("finite");
        let off = (body.angular_momentum() - momentum).norm() / momentum.norm();
        assert!(off < 1e-11, "{off:e}");
    }
}

/// Fast and slow bodies, with stiff and weak drag, in the same registers: each has the bits of a
/// body alone, by whichever scheme its neighbours step.
#[test]
fn in_an_ensemble_each_body_steps_by_its_own_scheme() {
    let random = &mut Random(74);
    for has_wheels in [false, true] {
        for count in [1, 2, 7, 16, 70] {
            let mut bodies = Vec::new();
            let [mut tensors, mut drags, mut wheels] = [const { Vec::new() }; 3];
            for _ in 0..count {
                let (mut body, _, tensor) = generic(random, false);
                let size = random.power_of_ten(-3.0, 2.0);
                let drag = Vector3::from_fn(|_, _| size * random.between(0.1, 1.0));
                let wheel = random.vector();
                if has_wheels {
                    body.set_rotor_momentum(Some(wheel)).expect("finite");
                }
                let of_body = FluidDrag::new(drag.into(), [0.0; 3]).expect("finite");
                body.set_drag(Some(of_body)).expect("allowed");
                bodies.push(body);
                tensors.extend_from_slice(tensor.as_slice());
                drags.extend_from_slice(drag.as_slice());
                wheels.extend_from_slice(wheel.as_slice());
            }
            let mut e = Ensemble::new(count).expect("memory");
            e.set_method(Method::Splitting).expect("no step begun");
            e.set_inertias(View::rows(&tensors).expect("rows"))
                .expect("positive");
            e.set_drag(View::rows(&drags).expect("rows"), None)
                .expect("allowed");
            if has_wheels {
                let wheels = View::rows(&wheels).expect("rows");
                e.set_rotor_momentum(Some(wheels)).expect("allowed");
            }
            for (i, body) in bodies.iter_mut().enumerate() {
                e.set_orientation(i, body.orientation()).expect("unit");
                e.set_angular_velocity(i, body.angular_velocity())
                    .expect("finite");
                let omega_body = e.angular_velocity_body(i);
                body.set_state_body(e.orientation(i), omega_body)
                    .expect("finite");
            }
            e.advance(0.07, 9).expect("stable");
            for (i, body) in bodies.iter_mut().enumerate() {
                body.advance(0.07, 9, &mut Free).expect("stable");
                assert_eq!(state_bits_in(&e, i), state_bits(body), "{i} of {count}");
            }
        }
    }
}

/// A torque in the body frame drives the body against the drag, beside a wheel that would make it
/// precess slower or faster than the drag decays: the steady turn is that of Euler's equation, for
/// any length of the step.
#[test]
fn a_steady_turn_against_a_drag_is_exact_beside_wheels_of_any_size() {
    let random = &mut Random(76);
    let mut greatest = 0.0f64;
    for number in 0..300 {
        let shape = random.one_of(&SHAPES);
        let tensor = tensor(random.moments(shape), &random.rotation());
        let inertia = Inertia::new(&tensor).expect("positive");
        let rate = random.power_of_ten(-1.0, 3.0);
        let rates = Vector3::from_fn(|_, _| rate * random.between(0.5, 1.0));
        // some body frame, whose inertia is not diagonal there
        let coefficients = rates.component_mul(&tensor.diagonal());
        let precession = random.direction() * (rate * random.power_of_ten(-1.0, 0.4));
        let wheel = tensor * precession;
        let torque = random.direction() * 0.1 * coefficients.min();
        let mut body = Body::new(inertia, random.rotation(), Vector3::zeros()).expect("valid");
        body.set_method(Method::Splitting);
        let drag = FluidDrag::new(coefficients.into(), [0.0; 3]).expect("finite");
        body.set_drag(Some(drag)).expect("allowed");
        body.set_rotor_momentum(Some(wheel)).expect("finite");
        let h = (random.power_of_ten(-1.0, 2.0) / rate).min(0.3);
        let mut driver = ConstantBody::new(torque.into()).expect("finite");
        for _ in 0..5000 {
            body.step(h, &mut driver).expect("stable");
        }
        let omega = body.angular_velocity_body();
        let gyroscopic = omega.cross(&(tensor * omega + wheel));
        let rest = torque - coefficients.component_mul(&omega) - gyroscopic;
        let off = rest.norm() / torque.norm();
        println!("{number}: {shape:?}, rate {rate:.1e}, step {h:.1e}: {off:.1e}");
        greatest = greatest.max(off);
    }
    assert!(greatest < 1e-12, "{greatest:e}");
}

/// Wheels that would make the body precess slower or faster than the drag decays, and whose motors
/// change them: an error below some h^2, whatever the stiffness.
#[test]
fn a_driven_wheel_beside_a_drag_leaves_order_two_at_any_stiffness() {
    let random = &mut Random(77);
    for number in 0..48 {
        let stiffness = [3.0, 30.0, 300.0, 3000.0][number % 4];
        let ratio = [0.1, 0.5, 1.0, 2.0][number / 4 % 4];
        let (mut start, mut field, tensor) = generic(random, false);
        let size = stiffness * tensor.norm();
        let coefficients = Vector3::from_fn(|_, _| size * random.between(0.5, 1.0));
        let drag = FluidDrag::new(coefficients.into(), [0.6, -0.8, 0.4]).expect("finite");
        start.set_drag(Some(drag)).expect("allowed");
        let wheel = random.direction() * (ratio * size);
        start.set_rotor_momentum(Some(wheel)).expect("finite");
        let motor = random.vector() * (0.2 * size);
        start.set_rotor_torque(Some(motor)).expect("finite");
        start.set_solve_method(SolveMethod::Stiff);
        start.solve(1.0, 1e-12, &mut field).expect("smooth"); // what is fast has decayed
        let mut exact = start.clone();
        exact.solve(3.0, 1e-12, &mut field).expect("smooth");
        for steps in [20_u32, 40, 80, 160] {
            let h = 2.0 / f64::from(steps);
            let mut body = start.clone();
            body.advance(h, steps.into(), &mut field).expect("finite");
            let error = body.orientation().angle_to(&exact.orientation())
                + (body.angular_velocity() - exact.angular_velocity()).norm();
            println!("{number}: {stiffness} {ratio} {h}: {:.2e}", error / (h * h));
            assert!(
                error < 3.0 * h * h,
                "{number}, {stiffness}, {ratio}, {h}: {error:e}"
            );
        }
    }
}

/// A body that swings about one of its axes, in a field, and has no drag there but about the others:
/// the motion is that of a body without drag. Weak drag about all axes damps a small swing as the
/// textbook says. (The step for a balance with the drag damped both, by 0.15 (T h^2/I)^2 of the energy.)
#[test]
fn a_swing_is_damped_by_the_drag_about_its_own_axis_alone() {
    let random = &mut Random(78);
    for number in 0..60 {
        let moments = random.moments(Shape::Compact);
        let k = moments.imax(); // about others a swing may turn over
        let axes = [0, 1, 2].map(|i| Vector3::ith((k + i) % 3, 1.0));
        let start = random.rotation();
        let arm = axes[1] * moments[k];
        let field = start * axes[1]; // the frequency of small swings is 1
        let mut field = UniformField::new(arm.into(), field.into()).expect("finite");
        let steps_a_period = 14 + 2 * (number as u64 % 20);
        let h = std::f64::consts::TAU / steps_a_period as f64;
        let swing = |coefficients: Vector3<f64>, angle: f64, field: &mut UniformField<f64>| {
            let tilted = start * UnitQuaternion::from_scaled_axis(axes[0] * angle);
            let inertia = Inertia::from_moments(moments).expect("positive");
            let mut body = Body::new(inertia, tilted, Vector3::zeros()).expect("valid");
            body.set_method(Method::Splitting);
            let drag = FluidDrag::new(coefficients.into(), [0.0; 3]).expect("finite");
            body.set_drag(Some(drag)).expect("allowed");
            body.advance(h, 60 * steps_a_period, field).expect("stable");
            let left = body.orientation().angle_to(&start);
            let speed = body.angular_velocity().norm();
            (4.0 * (0.5 * left).sin().powi(2) + speed * speed) / (4.0 * (0.5 * angle).sin().powi(2))
        };
        let mut others = Vector3::from_fn(|_, _| random.power_of_ten(-2.0, 3.0));
        others[k] = 0.0;
        let free = swing(Vector3::zeros(), 0.4, &mut field);
        let beside = swing(others, 0.4, &mut field);
        let apart = (free - beside).abs();
        assert!(
            apart < 1e-9,
            "{number}: {free} without drag, {beside} beside {others}"
        );

        // a coefficient below 0 drives the swing
        let rate = random.power_of_ten(-4.0, -2.0) * [1.0, -1.0][number % 2];
        let left = swing(moments * rate, 1e-5, &mut field);
        let exact = (-rate * 60.0 * std::f64::consts::TAU).exp();
        println!(
            "{number}: {rate:.1e}, {steps_a_period}: {:.3}",
            left / exact
        );
        assert!(
            (0.95..1.05).contains(&(left / exact).powf(0.2)),
            "{number}: {left} of {exact}"
        );
    }
}

/// A rotor along the only axis that has a drag: no drag touches the nutation across it.
#[test]
fn a_nutation_across_the_axis_of_a_drag_stays_beside_a_rotor_along_it() {
    let random = &mut Random(79);
    for number in 0..60 {
        let [across, along] = [random.between(0.5, 2.0), random.between(0.3, 1.0)];
        let moments = Vector3::new(across, across, along);
        let inertia = Inertia::from_moments(moments).expect("positive");
        let omega = Vector3::new(random.between(-0.1, 0.1), 0.1, 0.0);
        let start = random.rotation();
        let mut body = Body::new(inertia, start, start * omega).expect("valid");
        body.set_method(Method::Splitting);
        let drag = [0.0, 0.0, random.power_of_ten(-2.0, 3.0)];
        let drag = FluidDrag::new(drag, [0.0; 3]).expect("finite");
        body.set_drag(Some(drag)).expect("allowed");
        let rotor = Vector3::new(0.0, 0.0, across);
        body.set_rotor_momentum(Some(rotor)).expect("finite");
        let h = random.between(0.05, 0.9);
        body.advance(h, 2000, &mut Free).expect("stable");
        let left = body.angular_velocity_body().norm() / omega.norm();
        assert!((left - 1.0).abs() < 1e-9, "{number}: {left}");
    }
}

/// Bodies of any size: a power of two in the unit of time changes no bit of steps with drag, also of
/// the slowest and the fastest bodies, whether a coefficient is 0 or negative.
#[test]
fn a_power_of_two_in_the_unit_of_time_changes_no_bit_under_drag() {
    let random = &mut Random(80);
    for number in 0..200 {
        let tensor = tensor(random.moments(Shape::Compact), &random.rotation());
        let inertia = Inertia::new(&tensor).expect("positive");
        let start = random.rotation();
        let omega = random.vector();
        let mut coefficients = Vector3::from_fn(|_, _| random.power_of_ten(-1.0, 2.0));
        coefficients[number % 3] *= [1.0, 0.0, -0.01][number / 3 % 3];
        let arm = random.vector();
        let h = random.power_of_ten(-3.0, -1.0);
        let has_rotor = number % 2 == 0;
        let rotor = random.vector();
        // momenta of 1 over the unit of time, torques of 1 over its square
        let end = |per_time: f64| {
            let mut body = Body::new(inertia, start, omega * per_time).expect("valid");
            body.set_method(Method::Splitting);
            let drag = FluidDrag::new((coefficients * per_time).into(), [0.0; 3]);
            body.set_drag(Some(drag.expect("finite"))).expect("allowed");
            if has_rotor {
                let rotor = rotor * per_time;
                body.set_rotor_momentum(Some(rotor)).expect("finite");
            }
            let arm = (arm * (per_time * per_time)).into();
            let mut field = UniformField::new(arm, [0.3, 0.1, -0.8]).expect("finite");
            let done = body.advance(h / per_time, 20, &mut field);
            assert!(done.is_ok(), "{number}, {per_time:e}: {done:?}");
            let omega = body.angular_velocity_body() / per_time;
            (body.orientation().coords, omega)
        };
        let right = end(1.0);
        for power in [-200, -60, -13, 17, 44, 150] {
            assert_eq!(end(2f64.powi(power)), right, "{number}, 2^{power}");
        }
    }
}

/// Rotors along the axis of a line, a disc or a needle: the nutation across them decays as the drag
/// says, however weak it is.
#[test]
fn a_nutation_by_rotors_decays_as_a_weak_drag_says() {
    let random = &mut Random(81);
    for number in 0..200 {
        let across = random.between(0.5, 2.0);
        let along = across * [0.0, 0.02, 0.7, 2.0][number % 4];
        let inertia = Inertia::from_moments([across, across, along].into()).expect("positive");
        let turn = random.between(0.05, 0.9); // by the rotors in a step
        let rate = random.power_of_ten(-5.0, -2.0);
        let start = random.rotation();
        let omega = start * Vector3::new(1e-5, 2e-5, 0.0);
        let mut body = Body::new(inertia, start, omega).expect("valid");
        body.set_method(Method::Splitting);
        let drag = FluidDrag::new([rate * across; 3], [0.0; 3]).expect("finite");
        body.set_drag(Some(drag)).expect("allowed");
        let rotor = Vector3::new(0.0, 0.0, turn * across);
        body.set_rotor_momentum(Some(rotor)).expect("finite");
        let steps = (1.0 / rate) as u64;
        body.advance(1.0, steps, &mut Free).expect("stable");
        let left = body.angular_velocity().norm() / omega.norm();
        let exponent = -left.ln() / (rate * steps as f64);
        assert!(
            (exponent - 1.0).abs() < 0.08,
            "{number}: {turn}, {rate:e}: {exponent}"
        );
    }
}

/// A small swing beside rotors, or beside a rotation that a flow keeps up: where the drag about its
/// own axis is weak, a stiff drag about the axis of the rotation must not feed it.
#[test]
fn a_stiff_drag_about_one_axis_feeds_no_swing_beside_a_rotation() {
    let random = &mut Random(82);
    for number in 0..60 {
        let along = random.between(0.3, 2.0);
        let inertia = Inertia::from_moments([1.0, 1.0, along].into()).expect("positive");
        let start = random.rotation();
        let rotation = random.between(0.2, 2.0);
        let tilted = start * UnitQuaternion::from_scaled_axis(Vector3::x() * 1e-3);
        let omega = start * Vector3::z() * if number % 2 == 0 { rotation } else { 0.0 };
        let mut body = Body::new(inertia, tilted, omega).expect("valid");
        body.set_method(Method::Splitting);
        if number % 2 == 1 {
            let rotor = Vector3::new(0.0, 0.0, rotation);
            body.set_rotor_momentum(Some(rotor)).expect("finite");
        }
        let weak = [0.0, 1e-4, 1e-3][number % 3];
        let coefficients = [weak, weak, random.power_of_ten(1.0, 4.0)];
        let drag = FluidDrag::new(coefficients, omega.into()).expect("finite");
        body.set_drag(Some(drag)).expect("allowed");
        let strength = random.between(5.0, 80.0); // T h^2 / I from 0.05 to 0.8
        let field = start * Vector3::z() * strength;
        let mut field = UniformField::new([0.0, 0.0, 1.0], field.into()).expect("finite");
        let mut greatest = 0.0f64;
        for _ in 0..40 {
            body.advance(0.1, 500, &mut field).expect("stable");
            let axis = body.orientation() * Vector3::z();
            greatest = greatest.max(axis.angle(&(start * Vector3::z())));
        }
        assert!(greatest < 2e-3, "{number}: {greatest}");
    }
}

/// A fibre without inertia to speak of, in a flow that changes in time. The gradient is bound at the
/// middle of each step, or told by the setter: both schemes have order 2 for any `c h / I`.
#[test]
fn a_flow_that_is_told_for_the_middle_of_each_step_gives_order_two_at_any_stiffness() {
    let random = &mut Random(75);
    for moment in [1.0, 1e-2, 1e-4, 1e-9] {
        let gradient: [f64; 9] = std::array::from_fn(|_| random.between(-0.5, 0.5));
        let (start, period) = (random.rotation(), random.between(4.0, 8.0));
        let end = |method, steps: u32, is_bound: bool| {
            let mut e = Ensemble::new(1).expect("memory");
            e.set_method(method).expect("no step begun");
            let moments = [moment / 50.0, moment, moment];
            e.set_principal_inertias(View::rows(&moments).expect("rows"))
                .expect("positive");
            e.set_orientation(0, start).expect("unit");
            let axes = [0.5, 0.05, 0.05];
            let axes = View::rows(&axes).expect("rows");
            e.set_shear_flow(axes, 1.0, gradient).expect("finite");
            let mut bound = [0.0; 9];
            if is_bound {
                // SAFETY: the array outlives the ensemble, and is written between its steps only.
                let view = unsafe { View::from_raw(bound.as_ptr(), 1, 9, 1, "gradients") };
                e.bind_flow_gradients(Some(view.expect("valid")))
                    .expect("free");
            }
            let h = 10.0 / f64::from(steps);
            for step in 0..steps {
                let time = (f64::from(step) + 0.5) * h;
                let now = gradient.map(|x| x * (std::f64::consts::TAU * time / period).cos());
                if is_bound {
                    bound = now;
                    std::hint::black_box(&mut bound);
                } else {
                    e.set_shear_flow(axes, 1.0, now).expect("finite");
                }
                e.step(h).expect("stable");
            }
            e.orientation(0) * Vector3::x()
        };
        let exact = end(Method::Pcdm, 32_000, false);
        for is_bound in [false, true] {
            let off = |steps| end(Method::Splitting, steps, is_bound).angle(&exact);
            let [coarse, middle, fine] = [250, 500, 1000].map(off);
            let order = (coarse / fine).log2() / 2.0;
            println!("{moment:e}: {coarse:.1e} {middle:.1e} {fine:.1e}, order {order:.2}");
            assert!(
                order > 1.8,
                "{moment:e}, {is_bound}: {coarse:e} {middle:e} {fine:e}"
            );
        }
    }
}

/// What says again what is there already costs a torque evaluation, and no order.
#[test]
fn what_is_set_again_before_each_step_keeps_the_rate_of_change() {
    let steps = |again: &dyn Fn(&mut Ensemble)| {
        let mut e = Ensemble::new(3).expect("memory");
        e.set_method(Method::Splitting).expect("no step begun");
        let moments = [1.0, 1.3, 1.05];
        e.set_principal_inertias(View::shared(&moments, 3))
            .expect("positive");
        let coefficients = [600.0, 300.0, 800.0];
        e.set_drag(View::shared(&coefficients, 3), None)
            .expect("finite");
        let torque = [300.0, -200.0, 500.0];
        e.set_constant_torque(View::shared(&torque, 3), Frame::World)
            .expect("finite");
        e.set_active(Some(&[0, 2])).expect("ascending");
        for _ in 0..25 {
            again(&mut e);
            e.step(0.08).expect("stable");
        }
        state_bits_in(&e, 2)
    };
    let asked = steps(&|e| e.forget_torques().expect("no step begun"));
    assert_eq!(
        asked,
        steps(&|e| e.set_active(Some(&[0, 2])).expect("ascending"))
    );
    assert_eq!(
        asked,
        steps(&|e| e.set_method(Method::Splitting).expect("any torque"))
    );
    // another list is of other bodies
    let other = |e: &mut Ensemble| {
        e.set_active(None).expect("all");
        e.set_active(Some(&[0, 2])).expect("ascending");
    };
    assert_ne!(asked, steps(&other));
}

/// A fast body comes to a drag that is faster than it: what was the rate of change in the fast steps
/// would feed the motion, up to 17 times in one step, if the slow ones extrapolated it. Beside a body
/// that has no memory, because the turns are beyond the bound of the header.
#[test]
fn what_a_fast_body_has_left_does_not_feed_the_slow_steps_after_it() {
    let random = &mut Random(76);
    for number in 0..20_000 {
        let inertia = Inertia::from_moments(random.moments(Shape::Compact)).expect("positive");
        let h = 0.5;
        let omega = random.direction() * random.between(0.5, 60.0);
        let mut body = Body::new(inertia, random.rotation(), omega).expect("valid");
        body.set_method(Method::Splitting);
        let size = random.power_of_ten(-1.0, 1.5);
        let coefficients = Vector3::from_fn(|_, _| size * random.between(1.0, 5.0));
        let drag = FluidDrag::new(coefficients.into(), [0.0; 3]).expect("finite");
        body.set_drag(Some(drag)).expect("allowed");
        for step in 0..6 {
            let before = body.kinetic_energy();
            let mut forgetful = body.clone();
            forgetful.set_method(Method::Splitting);
            forgetful.step(h, &mut Free).expect("stable");
            body.step(h, &mut Free).expect("stable");
            let after = body.kinetic_energy();
            assert!(
                after <= 3.0 * before.max(forgetful.kinetic_energy()),
                "{number}, {step}: {before:e} to {after:e}"
            );
        }
    }
}

/// What a row does not have is no longer there: a body whose drag is taken away and set again, and
/// one that gets its row in between.
#[test]
fn a_drag_that_is_off_at_a_checkpoint_leaves_nothing_that_a_restart_has_not() {
    let random = &mut Random(77);
    for number in 0..100 {
        let (mut body, mut field, _) = generic(random, number % 2 == 0);
        let drag = FluidDrag::new([4.0, 6.0, 8.0], [0.0; 3]).expect("finite");
        body.set_drag(Some(drag)).expect("allowed");
        body.advance(0.1, 3, &mut field).expect("stable");
        body.set_drag(None).expect("allowed");
        let mut again = body.clone();
        again.set_memory(None).expect("nothing");
        for body in [&mut body, &mut again] {
            body.set_drag(Some(drag)).expect("allowed");
            body.step(0.1, &mut field).expect("stable");
        }
        assert_eq!(state_bits(&body), state_bits(&again), "{number}");
    }
}
