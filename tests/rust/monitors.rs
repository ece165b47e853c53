//! Monitors of solutions: what they see, that they change no bit, and where they end a solution. Of generic bodies, under torques
//! of time and motion, with rotors, drag, stiff torques and inertias that change.

use crate::common::generic::{Random, tensor};
use nalgebra::{UnitQuaternion, Vector3};
use quatint::torque::Free;
use quatint::{Body, Error, Inertia, Record, SolveMethod};
use std::ops::ControlFlow;

type Q = UnitQuaternion<f64>;
type V = Vector3<f64>;

fn torque(t: f64, q: &Q, omega: &V) -> V {
    (q * V::new(0.1, 0.2, 1.0)).cross(&V::new(0.3, -0.2, -1.0)) + V::x() * t.cos() - omega * 0.05
}

/// A generic body, with what else decides its motion.
fn start(random: &mut Random, kind: usize) -> Body {
    let axes = random.rotation();
    let moments = V::from_fn(|_, _| random.between(0.5, 1.0)); // none is above the sum of the others
    let inertia = move |time: f64| Inertia::new(&tensor(moments * (1.0 + 0.1 * time.sin()), &axes));
    let q = random.rotation();
    let omega = random.rotation() * V::new(0.4, 1.1, -0.7);
    let mut body = Body::new(inertia(0.0).expect("valid"), q, omega).expect("finite");
    body.set_time(random.one_of(&[0.0, -7.3, 1e4]))
        .expect("finite");
    match kind {
        0 => {}
        1 => body
            .set_rotor_momentum(Some(V::new(0.3, -0.1, 0.2)))
            .expect("finite"),
        2 => body.set_solve_method(SolveMethod::Stiff),
        _ => body.set_inertia_function(inertia).expect("valid"),
    }
    body
}

fn row(time: f64, q: &Q, omega: &V) -> Record {
    [time, q.w, q.i, q.j, q.k, omega.x, omega.y, omega.z]
}

fn row_of(body: &Body) -> Record {
    row(body.time(), &body.orientation(), &body.angular_velocity())
}

#[test]
fn a_monitor_sees_the_state_after_each_step_and_changes_no_bit() {
    let mut random = Random(0x0b5e);
    for kind in 0..4 {
        for towards in [3.0, -3.0] {
            let body = start(&mut random, kind);
            let end = body.time() + towards;
            let mut plain = body.clone();
            let cost = plain.solve(end, 1e-9, &mut torque).expect("smooth");
            let mut seen = vec![];
            let mut monitored = body.clone();
            let monitor = |time: f64, q: &Q, omega: &V| {
                seen.push(row(time, q, omega));
                ControlFlow::Continue(())
            };
            let outcome = monitored.solve_monitored(end, 1e-9, &mut torque, 1, monitor);
            assert_eq!(outcome.expect("smooth"), cost);
            assert_eq!(row_of(&monitored), row_of(&plain));
            assert_eq!(seen.len() as u64, cost.accepted);
            assert!(seen.len() > 5, "{}", seen.len());
            // the last one differs by the rounding of an inertia that is exchanged
            for (left, right) in seen[seen.len() - 1].iter().zip(row_of(&plain)) {
                assert!((left - right).abs() < 1e-13, "{left} {right}");
            }
            // rows at the times of the steps, which need no dense output
            let times: Vec<f64> = seen.iter().map(|row| row[0]).collect();
            let mut rows = vec![[0.0; 8]; times.len()];
            let mut recorded = body.clone();
            let (count, _) = recorded.solve_record(&times, &mut rows, 1e-9, &mut torque);
            assert_eq!(count, times.len());
            for (seen, row) in seen.iter().zip(&rows) {
                for (left, right) in seen.iter().zip(row) {
                    assert!((left - right).abs() < 1e-11, "{left} {right}"); // a late clock rounds the times
                }
            }
        }
    }
}

#[test]
fn a_monitor_ends_a_solution_where_its_step_has_ended_and_another_call_goes_on() {
    let mut random = Random(0xe0d);
    for kind in 0..4 {
        let body = start(&mut random, kind);
        let end = body.time() + 3.0;
        let mut steps = vec![];
        let mut whole = body.clone();
        let all = whole.solve_monitored(end, 1e-9, &mut torque, 1, |time, q, omega| {
            steps.push(row(time, q, omega));
            ControlFlow::Continue(())
        });
        all.expect("smooth");
        let mut stopped = body.clone();
        let mut calls = 0;
        let outcome = stopped.solve_monitored(end, 1e-9, &mut torque, 1, |_, _, _| {
            calls += 1;
            if calls == 3 {
                ControlFlow::Break(-7)
            } else {
                ControlFlow::Continue(())
            }
        });
        let failure = outcome.expect_err("it ends the solution");
        assert!(
            matches!(failure.cause, Error::Monitor { result: -7, time } if time == stopped.time())
        );
        assert_eq!((failure.completed, calls), (3, 3));
        assert!(
            failure
                .to_string()
                .contains("the monitor of the solution returned -7 at time"),
            "{failure}"
        );
        assert_eq!(stopped.time(), steps[2][0]);
        for (left, right) in row_of(&stopped).iter().zip(steps[2]) {
            assert!((left - right).abs() < 1e-13, "{left} {right}");
        }
        stopped.solve(end, 1e-9, &mut torque).expect("smooth");
        for (left, right) in row_of(&stopped).iter().zip(row_of(&whole)) {
            assert!((left - right).abs() < 1e-7, "{left} {right}");
        }
    }
}

#[test]
fn the_rows_of_a_step_are_written_before_the_monitor_is_called() {
    let mut random = Random(0x20e5);
    for kind in 0..4 {
        let body = start(&mut random, kind);
        let times: Vec<f64> = (1..=300)
            .map(|i| body.time() + 0.01 * f64::from(i))
            .collect();
        let mut plain = body.clone();
        let mut expected = vec![[0.0; 8]; times.len()];
        let (_, outcome) = plain.solve_record(&times, &mut expected, 1e-9, &mut torque);
        let cost = outcome.expect("smooth");
        let mut recorded = body.clone();
        let mut rows = vec![[0.0; 8]; times.len()];
        let mut reached = body.time();
        let monitor = |time: f64, _: &Q, _: &V| {
            reached = time;
            if time > times[150] {
                ControlFlow::Break(1)
            } else {
                ControlFlow::Continue(())
            }
        };
        let (count, outcome) =
            recorded.solve_record_monitored(&times, &mut rows, 1e-9, &mut torque, 1, monitor);
        outcome.expect_err("it ends the solution");
        assert_eq!(count, times.iter().filter(|time| **time <= reached).count());
        assert_eq!(rows[..count], expected[..count]);
        assert!(rows[count..].iter().all(|row| *row == [0.0; 8]));
        let mut recorded = body.clone();
        let go_on = |_: f64, _: &Q, _: &V| ControlFlow::Continue(());
        let (_, outcome) =
            recorded.solve_record_monitored(&times, &mut rows, 1e-9, &mut torque, 1, go_on);
        assert_eq!(outcome.expect("smooth"), cost);
        assert_eq!(rows, expected);
        assert_eq!(row_of(&recorded), row_of(&plain));
    }
}

/// At a late clock, where an elapsed time is finer than the clock.
#[test]
fn the_row_of_the_time_that_the_clock_shows_is_written_when_the_monitor_ends_there() {
    let mut random = Random(0x1a7e);
    let mut ended_at_a_time = 0;
    for k in 0..3000_u32 {
        let mut body = start(&mut random, 2 * (k as usize % 2));
        let now = 846_189.06 + 0.001 * f64::from(k);
        body.set_time(now).expect("finite");
        let duration = 0.05 * f64::from(1 + k % 100) * if k % 3 == 0 { -1.0 } else { 1.0 };
        let times: Vec<f64> = (1..=16)
            .map(|i| now + duration * f64::from(i) / 16.0)
            .collect();
        let mut rows = vec![[0.0; 8]; times.len()];
        let mut left = i64::from(k % 4);
        let monitor = |_: f64, _: &Q, _: &V| {
            left -= 1;
            if left < 0 {
                ControlFlow::Break(1)
            } else {
                ControlFlow::Continue(())
            }
        };
        let (count, outcome) =
            body.solve_record_monitored(&times, &mut rows, 1e-4, &mut torque, 1, monitor);
        if outcome.is_err() && times.contains(&body.time()) {
            ended_at_a_time += 1;
            assert_eq!(times[count - 1], body.time(), "of {times:?}, {count} rows");
            assert_eq!(rows[count - 1], row_of(&body));
        }
    }
    assert!(ended_at_a_time > 100, "{ended_at_a_time}");
}

#[test]
fn a_free_body_takes_one_step_which_the_monitor_sees() {
    let mut body = start(&mut Random(0xf2ee), 0);
    let end = body.time() + 1e3;
    let mut seen = vec![];
    let monitor = |time: f64, q: &Q, omega: &V| {
        seen.push(row(time, q, omega));
        ControlFlow::Continue(())
    };
    body.solve_monitored(end, 1e-9, &mut Free, 1, monitor)
        .expect("exact");
    assert_eq!(seen, [row_of(&body)]);
}
