//! The solution for stiff torques: errors and evaluations, also where nothing is stiff; dense output, events, limits; and that the explicit
//! method says when it is the wrong one.

use crate::common::bits::state_bits;
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use quatint::torque::FluidDrag;
use quatint::{Body, Crossing, Error, Failure, Inertia, SolveMethod, Statistics};

type Q = UnitQuaternion<f64>;
type V = Vector3<f64>;

fn body(moments: [f64; 3], q: [f64; 4], omega_body: [f64; 3]) -> Body {
    let q = Q::new_normalize(Quaternion::new(q[0], q[1], q[2], q[3]));
    Body::new(
        Inertia::from_moments(moments.into()).expect("valid"),
        q,
        q * V::from(omega_body),
    )
    .expect("valid")
}

fn stiff(mut body: Body) -> Body {
    body.set_solve_method(SolveMethod::Stiff);
    body
}

/// The distance of the quaternions.
fn apart(left: &Body, right: &Body) -> f64 {
    0.5 * left.orientation().angle_to(&right.orientation())
}

fn bits(body: &Body) -> (u64, [u64; 7]) {
    (body.time().to_bits(), state_bits(body))
}

fn weight(_: f64, q: &Q, _: &V) -> V {
    (q * V::z()).cross(&-V::z())
}

/// A full drag matrix of some scale, towards a fluid that turns, and a weak field.
fn dragged(scale: f64) -> impl FnMut(f64, &Q, &V) -> V {
    let drag = Matrix3::new(2.0, 0.7, -0.3, 0.7, 1.5, 0.4, -0.3, 0.4, 1.0) * scale;
    move |t, q, omega| {
        weight(t, q, omega)
            - q * (drag * q.inverse_transform_vector(&(omega - V::new(0.2, 0.0, 0.5))))
    }
}

fn swimmer() -> Body {
    body([1.0, 1.5, 2.2], [0.6, 0.5, -0.1, 0.3], [2.0, -1.0, 1.5])
}

/// A spring towards a direction that turns, critically damped.
fn sprung(stiffness: f64) -> impl FnMut(f64, &Q, &V) -> V {
    move |t, q, omega| {
        let target = V::new(
            (0.5 * t).cos(),
            0.6 * (0.5 * t).sin(),
            0.8 * (0.5 * t).sin(),
        );
        (q * V::x()).cross(&target) * stiffness - omega * (2.0 * stiffness.sqrt())
    }
}

/// The other method at a small tolerance is the reference. Measured at 1e4: 223, 464, 943 torques and errors of 5e-7, 5e-8, 6e-11, where the
/// explicit method takes 212 576 to 317 416, and CVODE's BDF 90, 215, 481 with errors of 5e-3, 2e-6, 3e-8.
#[test]
fn stiff_drag_takes_hundreds_of_torques_instead_of_hundreds_of_thousands() {
    for scale in [1e2, 1e4] {
        let mut exact = swimmer();
        exact.solve(5.0, 1e-11, &mut dragged(scale)).expect("slow");
        for (tolerance, most) in [(1e-3, 400), (1e-6, 900), (1e-9, 4000)] {
            let mut swimmer = stiff(swimmer());
            let statistics = swimmer
                .solve(5.0, tolerance, &mut dragged(scale))
                .expect("stable");
            let error = apart(&swimmer, &exact);
            println!("{scale:e}, {tolerance:e}: {statistics:?}, error {error:.1e}");
            assert!(
                statistics.evaluations <= most && error < tolerance,
                "{tolerance:e}: {statistics:?}, {error:e}"
            );
            let slip = (swimmer.angular_velocity() - exact.angular_velocity()).norm();
            assert!(slip < 10.0 * tolerance, "{tolerance:e}: {slip:e}");
        }
    }
}

/// Measured: 160 to 234 torques at 1e-3, 362 to 443 at 1e-6, and 1026 to 2363 at 1e-9.
#[test]
fn stiff_springs_are_followed_from_their_transient_on() {
    for stiffness in [1e2, 1e4, 1e6] {
        let start = || body([1.0, 1.5, 0.7], [0.9, 0.3, 0.2, 0.1], [0.4, -0.3, 0.5]);
        let mut exact = start();
        exact
            .solve(3.0, 1e-11, &mut sprung(stiffness))
            .expect("slow");
        for (tolerance, most) in [(1e-3, 300), (1e-6, 600), (1e-9, 3000)] {
            let mut moved = stiff(start());
            let statistics = moved
                .solve(3.0, tolerance, &mut sprung(stiffness))
                .expect("stable");
            let error = apart(&moved, &exact);
            println!("{stiffness:e}, {tolerance:e}: {statistics:?}, error {error:.1e}");
            assert!(
                statistics.evaluations <= most && error < 2.0 * tolerance,
                "{stiffness:e}: {statistics:?}, {error:e}"
            );
        }
    }
}

/// About a fixed axis, I ω̇ = −c (ω − cos t) has a closed form. The drag acts in the torque and as [`Body::set_drag`], forth and back.
#[test]
fn a_driven_body_under_stiff_drag_follows_its_closed_form() {
    let rate: f64 = 1e6;
    let (share, t) = (1.0 / (1.0 + rate * rate), 3.0_f64);
    let angle = share * (rate * rate * t.sin() + rate * (1.0 - t.cos()) - rate); // what is left of the start: e^(−rate t)
    let of_rest = |angle: f64| Q::from_axis_angle(&V::z_axis(), angle);
    for tolerance in [1e-4, 1e-6, 1e-8] {
        let mut driven = stiff(body([1.0, 1.0, 2.0], [1.0, 0.0, 0.0, 0.0], [0.0; 3]));
        let mut drive = |t: f64, _: &Q, omega: &V| (V::z() * t.cos() - omega) * (2.0 * rate);
        let statistics = driven.solve(t, tolerance, &mut drive).expect("stable");
        let error = driven.orientation().angle_to(&of_rest(angle));
        println!("{tolerance:e}: {statistics:?}, {error:e}");
        assert!(
            error < tolerance && statistics.evaluations < 4000,
            "{tolerance:e}: {error:e}, {statistics:?}"
        );
        assert!((driven.angular_velocity().z - t.cos() - t.sin() / rate).abs() < 10.0 * tolerance);

        let mut other = stiff(body([1.0, 1.0, 2.0], [1.0, 0.0, 0.0, 0.0], [0.0; 3]));
        other
            .set_drag(Some(
                FluidDrag::new([2.0 * rate; 3], [0.0; 3]).expect("finite"),
            ))
            .expect("PCDM allows it");
        let mut push = |t: f64, _: &Q, _: &V| V::z() * (2.0 * rate * t.cos());
        other.solve(t, tolerance, &mut push).expect("stable");
        assert!(other.orientation().angle_to(&driven.orientation()) < tolerance);
    }
}

/// Where nothing is stiff it takes the steps of the explicit method after the first. Measured: 228 torques instead of 205, 485 of 445, 1051 of 1033; with
/// rotors 1.09.
#[test]
fn it_costs_little_more_where_nothing_is_stiff() {
    for (tolerance, most) in [(1e-3, 1.25), (1e-6, 1.15), (1e-9, 1.05)] {
        for rotor in [None, Some(V::new(0.1, -0.3, 0.2))] {
            let mut top = body([1.0, 1.5, 0.7], [0.9, 0.3, 0.2, 0.1], [0.4, -0.3, 5.0]);
            top.set_rotor_momentum(rotor).expect("finite");
            let mut other = stiff(top.clone());
            let of_top = top
                .solve(10.0, tolerance, &mut weight)
                .expect("smooth")
                .evaluations as f64;
            let of_other = other
                .solve(10.0, tolerance, &mut weight)
                .expect("smooth")
                .evaluations as f64;
            assert!(
                of_other <= most * of_top,
                "{tolerance:e}: {of_other}, {of_top}"
            );
            assert!(apart(&top, &other) < 3.0 * tolerance);
        }
    }
}

/// Of order 3 within stiff steps. Measured: 2e-7.
#[test]
fn dense_output_and_events_are_as_exact_as_the_steps() {
    let tolerance = 1e-6;
    let times: Vec<f64> = (1..=200).map(|i| 0.025 * f64::from(i)).collect();
    let mut rows = vec![[0.0; 8]; 200];
    let mut recorded = stiff(swimmer());
    let (written, outcome) = recorded.solve_record(&times, &mut rows, tolerance, &mut dragged(1e3));
    assert_eq!(written, 200);
    let mut plain = stiff(swimmer());
    let statistics = plain
        .solve(5.0, tolerance, &mut dragged(1e3))
        .expect("stable");
    assert_eq!(bits(&plain), bits(&recorded));
    let evaluations = outcome.expect("stable").evaluations;
    assert!(
        (statistics.evaluations..statistics.evaluations + 80).contains(&evaluations),
        "{evaluations} {statistics:?}"
    );

    let (mut exact, mut worst) = (swimmer(), 0.0_f64);
    for row in &rows {
        exact.solve(row[0], 1e-11, &mut dragged(1e3)).expect("slow");
        let q = Q::new_normalize(Quaternion::new(row[1], row[2], row[3], row[4]));
        worst = worst.max(0.5 * q.angle_to(&exact.orientation()));
    }
    println!("{worst:e}");
    assert!(worst < 10.0 * tolerance, "{worst:e}");

    let level = |_: f64, q: &Q, _: &V| (q * V::x()).y;
    let found = [stiff(swimmer()), swimmer()].map(|mut body| {
        let found = body
            .solve_until(5.0, 1e-8, level, Crossing::Any, &mut dragged(1e3))
            .expect("stable");
        assert!((body.orientation() * V::x()).y.abs() < 1e-12);
        found.expect("it turns")
    });
    assert!((found[0] - found[1]).abs() < 1e-6, "{found:?}");
}

#[test]
fn a_body_at_rest_stays_at_rest_and_units_change_no_bit() {
    let mut resting = stiff(body([1.0, 2.0, 3.0], [0.9, 0.3, 0.2, 0.1], [0.0; 3]));
    let before = state_bits(&resting);
    let statistics = resting
        .solve(1e6, 1e-9, &mut |_: f64, _: &Q, omega: &V| omega * -1e4)
        .expect("at rest");
    assert_eq!(state_bits(&resting), before);
    assert!(statistics.evaluations < 200, "{statistics:?}");

    let run = |mass: f64, second: f64| {
        let start = body(
            [1.0, 1.5, 2.2].map(|i| i * mass),
            [0.6, 0.5, -0.1, 0.3],
            [2.0, -1.0, 1.5].map(|w| w / second),
        );
        let (mut start, mut unscaled) = (stiff(start), dragged(1e3));
        let mut torque = |t: f64, q: &Q, omega: &V| {
            unscaled(t / second, q, &(omega * second)) * (mass / (second * second)) //
        };
        let statistics = start
            .solve(3.0 * second, 1e-6, &mut torque)
            .expect("stable");
        (
            statistics,
            start.orientation().coords.map(f64::to_bits),
            (start.angular_velocity_body() * second).map(f64::to_bits),
        )
    };
    for (mass, second) in [
        (2f64.powi(60), 1.0),
        (2f64.powi(-70), 1.0),
        (1.0, 2f64.powi(30)),
        (1.0, 2f64.powi(-40)),
    ] {
        assert!(run(mass, second) == run(1.0, 1.0), "{mass:e} {second:e}");
    }
}

/// Unix time: an ulp of the clock is 2.4e-7 s.
#[test]
fn a_late_clock_spoils_nothing() {
    let solved = |start: f64| {
        let mut body = stiff(swimmer());
        body.set_time(start).expect("finite");
        let statistics = body
            .solve(start + 4.0, 1e-8, &mut dragged(1e4))
            .expect("stable");
        (body, statistics)
    };
    let ((early, _), (late, statistics)) = (solved(0.0), solved(1.7e9));
    assert!(
        apart(&early, &late) < 1e-9 && statistics.evaluations < 1000,
        "{:e}, {statistics:?}",
        apart(&early, &late)
    );
}

/// The limits hold for stiff steps as for others; a torque that fails or is singular ends a solution at the last step.
#[test]
fn limits_and_failures_end_it_where_its_last_step_ended() {
    let mut limited = stiff(swimmer());
    limited.set_solve_longest_step(0.05).expect("valid");
    assert!(
        limited
            .solve(5.0, 1e-3, &mut dragged(1e4))
            .expect("stable")
            .accepted
            >= 100
    );
    limited.set_solve_most_evaluations(100);
    let failure = limited
        .solve(50.0, 1e-3, &mut dragged(1e4))
        .expect_err("too few");
    assert_eq!(
        failure.cause,
        Error::TooManyEvaluations {
            most: 100,
            time: limited.time(),
            looks_stiff: false
        }
    );
    assert!(limited.time() > 5.0 && limited.solve_statistics().evaluations == 100);

    let mut failing = stiff(swimmer());
    let mut drag = dragged(1e4);
    let mut torque = |t: f64, q: &Q, omega: &V| {
        if t > 1.0 {
            V::repeat(f64::NAN)
        } else {
            drag(t, q, omega)
        }
    };
    let failure = failing.solve(5.0, 1e-6, &mut torque).expect_err("NaN");
    assert!(
        matches!(failure.cause, Error::TorqueNotFinite { .. }),
        "{failure}"
    );
    assert!(
        failing.time() <= 1.0 && failing.time() > 0.99,
        "{}",
        failing.time()
    );
}

/// The explicit method says so where a torque is stiff, and only there.
#[test]
fn a_solution_that_crawls_names_the_other_method() {
    let outcome = |start: Body,
                   torque: &mut dyn FnMut(f64, &Q, &V) -> V,
                   tolerance: f64|
     -> Result<Statistics, Failure> {
        let mut limited = start;
        limited.set_solve_most_evaluations(2000);
        limited.solve(1000.0, tolerance, &mut |t: f64, q: &Q, omega: &V| {
            torque(t, q, omega)
        })
    };
    let spun = || body([1.0, 1.5, 0.7], [0.9, 0.3, 0.2, 0.1], [0.4, -0.3, 5.0]);
    for tolerance in [1e-3, 1e-6] {
        for (start, torque) in [
            (
                swimmer(),
                &mut dragged(1e4) as &mut dyn FnMut(f64, &Q, &V) -> V,
            ),
            (spun(), &mut sprung(1e6)),
        ] {
            let message = outcome(start, torque, tolerance)
                .expect_err("stiff")
                .to_string();
            assert!(
                message.contains("looks stiff") && message.contains("qi_set_solve_method"),
                "{tolerance}: {message}"
            );
        }
        let undamped = &mut |t: f64, q: &Q, _: &V| sprung(100.0)(t, q, &V::zeros());
        for torque in [&mut weight as &mut dyn FnMut(f64, &Q, &V) -> V, undamped] {
            let message = outcome(spun(), torque, tolerance)
                .expect_err("long")
                .to_string();
            assert!(!message.contains("stiff"), "{tolerance}: {message}");
        }
    }
}

/// The first step tried is 905 times longer than the drag takes. One of its two error estimates is
/// beyond the range of numbers, and their ratio was 0.
#[test]
fn a_step_that_goes_astray_beyond_the_range_of_numbers_is_rejected() {
    let inertia = Matrix3::new(1.3, 0.1, 0.05, 0.1, 1.1, -0.1, 0.05, -0.1, 1.6);
    let q = Quaternion::new(
        -0.0286719296057132,
        -0.016596633832295354,
        -0.9162503658113428,
        0.39923394062717515,
    );
    let omega = V::new(
        0.005838617033108101,
        -0.008308366821682598,
        0.0012550702117687688,
    );
    let rate = 0.0114;
    let drag = FluidDrag::new(
        [rate * 0.2 * 1e4, rate * 0.2, rate * 0.4],
        [0.5 * rate, -0.7 * rate, 0.3 * rate],
    )
    .expect("finite");
    for k in 0..40 {
        let mut body = Body::new(
            Inertia::new(&inertia).expect("valid"),
            Q::new_normalize(q),
            omega,
        )
        .expect("finite");
        body.set_drag(Some(drag)).expect("memory");
        body.set_time(461.29154763333435).expect("finite");
        let end = 2097.0 + 0.05 * f64::from(k);
        body.solve(end, 3.7e-6, &mut quatint::torque::Free)
            .expect("the drag is followed");
        let speed = body.angular_velocity().norm();
        assert!((speed - 0.0103).abs() < 1e-3, "{end}: {speed}");
    }
}
