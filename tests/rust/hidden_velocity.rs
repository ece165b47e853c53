//! The splittings of order 4 and 6 need torques that do not depend on the angular velocity, so they
//! give torques NaN for it: a torque that reads it is an error that says so, not a result of order 1.

use crate::common::METHODS;
use crate::common::bits::{state_bits, state_bits_in};
use crate::common::generic::Random;
use nalgebra::{UnitQuaternion, Vector3};
use quatint::torque::Langevin;
use quatint::{Body, Ensemble, Error, Frame, Inertia, Layout, Method, Progress, View};

/// The methods that give NaN.
fn hides(method: Method) -> bool {
    !method.allows_resistance() || method == Method::Brownian
}

fn top(random: &mut Random, method: Method, has_wheel: bool) -> Body {
    let inertia = Inertia::from_moments(Vector3::new(1.0, 1.5, 0.7)).expect("positive");
    let mut body = Body::new(inertia, random.rotation(), random.vector()).expect("valid");
    body.set_method(method);
    if has_wheel {
        body.set_rotor_momentum(Some(random.vector()))
            .expect("finite");
    }
    body
}

#[test]
fn a_torque_that_reads_the_angular_velocity_is_refused_by_name_where_the_order_would_be_1() {
    let random = &mut Random(76);
    for method in METHODS {
        for has_wheel in [false, true] {
            let mut body = top(random, method, has_wheel);
            let before = (state_bits(&body), body.clock());
            let mut drag = |_: f64, _: &UnitQuaternion<f64>, omega: &Vector3<f64>| -0.1 * omega;
            let outcome = body.advance(0.01, 3, &mut drag);
            if !hides(method) {
                outcome.expect("any torque");
                continue;
            }
            let failure = outcome.expect_err("it reads the angular velocity");
            let Error::TorqueReadsVelocity {
                time, method: name, ..
            } = failure.cause
            else {
                panic!("{failure}");
            };
            assert_eq!((name, failure.completed), (method.name(), 0));
            assert!((0.0..0.01).contains(&time));
            assert!(failure.to_string().contains("PCDM"), "{failure}");
            assert_eq!((state_bits(&body), body.clock()), before);

            // a torque of orientation and time is taken, and is not shown the angular velocity
            let mut pull = |_: f64, q: &UnitQuaternion<f64>, omega: &Vector3<f64>| {
                assert!(omega.iter().all(|x| x.is_nan()));
                (q * Vector3::z()).cross(&Vector3::x())
            };
            body.advance(0.01, 3, &mut pull).expect("finite");
        }
    }
}

#[test]
fn a_chunk_callback_that_reads_the_angular_velocity_is_refused_by_name() {
    for method in METHODS {
        for layout in [Layout::Aos, Layout::Soa] {
            for (count, threads) in [(1, 1), (3, 1), (70, 2)] {
                for frame in [Frame::World, Frame::Body] {
                    let mut e = Ensemble::new(count).expect("memory");
                    e.set_threads(threads).expect("threads");
                    e.set_method(method).expect("no step begun");
                    let drag = |_: f64,
                                _: usize,
                                _: usize,
                                _: &[f64],
                                omega: &[f64],
                                torque: &mut [f64]| {
                        for (to, omega) in torque.iter_mut().zip(omega) {
                            *to = -0.1 * omega;
                        }
                        Ok(())
                    };
                    e.set_torque(Box::new(drag), layout, frame)
                        .expect("no step begun");
                    let before: Vec<_> = (0..count).map(|i| state_bits_in(&e, i)).collect();
                    let outcome = e.advance(0.01, 2);
                    if !hides(method) {
                        outcome.expect("any torque");
                        continue;
                    }
                    let failure = outcome.expect_err("it reads the angular velocity");
                    let is_named = matches!(failure.cause, Error::TorqueReadsVelocity { .. });
                    assert!(is_named, "{failure}");
                    assert_eq!(failure.body, Some(0));
                    assert_eq!(e.time(), 0.0);
                    let after: Vec<_> = (0..count).map(|i| state_bits_in(&e, i)).collect();
                    assert_eq!(after, before);
                }
            }
        }
    }
}

#[test]
fn the_stage_protocol_shows_no_angular_velocity_where_a_torque_must_not_depend_on_it() {
    for method in METHODS {
        for layout in [Layout::Aos, Layout::Soa] {
            let count = 21;
            let mut e = Ensemble::new(count).expect("memory");
            e.set_method(method).expect("no step begun");
            e.set_stage_layout(layout).expect("no step begun");
            let mut q = vec![0.0; 4 * count];
            let mut omega = vec![0.0; 3 * count];
            let mut torque = vec![0.1; 3 * count];
            e.begin_steps(0.01, 3).expect("no step begun");
            let mut progress = e.next_stage(&mut q, &mut omega).expect("finite");
            let mut stage = 0;
            while let Progress::NeedTorque(_) = progress {
                assert!(q.iter().all(|x| x.is_finite()));
                assert!(
                    omega.iter().all(|x| x.is_nan() == hides(method)),
                    "{method:?}"
                );
                if hides(method) && stage == 1 {
                    torque[4] = omega[4];
                    let failure = e.supply_torque(&torque).expect_err("NaN");
                    let is_named = matches!(failure.cause, Error::TorqueReadsVelocity { .. });
                    assert!(is_named, "{failure}");
                    torque[4] = 0.1; // it is still awaited
                }
                progress = if stage % 2 == 0 {
                    e.supply_torque(&torque).expect("finite");
                    e.next_stage(&mut q, &mut omega).expect("finite")
                } else {
                    e.continue_step(&torque, &mut q, &mut omega)
                        .expect("finite")
                };
                stage += 1;
            }
            assert!((e.time() - 0.03).abs() < 1e-15);
        }
    }
}

/// An overdamped body has no angular velocity of its own.
#[test]
fn brownian_motion_shows_no_angular_velocity() {
    let random = &mut Random(78);
    let mut body = top(random, Method::Brownian, false);
    let bath = Langevin::new([1.0; 3], [0.0; 3], 0.0, 1, 0).expect("positive");
    body.set_langevin(Some(bath)).expect("no drag");
    let before = state_bits(&body);
    let mut drag = |_: f64, _: &UnitQuaternion<f64>, omega: &Vector3<f64>| -2.0 * omega;
    let failure = body.advance(0.01, 3, &mut drag).expect_err("it reads it");
    assert!(
        matches!(failure.cause, Error::TorqueReadsVelocity { .. }),
        "{failure}"
    );
    assert_eq!(state_bits(&body), before);
    let mut pull = |_: f64, q: &UnitQuaternion<f64>, omega: &Vector3<f64>| {
        assert!(omega.iter().all(|x| x.is_nan()));
        (q * Vector3::z()).cross(&Vector3::x())
    };
    body.advance(0.01, 3, &mut pull).expect("finite");

    let mut e = Ensemble::new(1).expect("memory");
    e.set_method(Method::Brownian).expect("no step begun");
    e.set_langevin(View::shared(&[1.0; 3], 1), None, 0.0, 1)
        .expect("positive");
    e.set_angular_velocity(0, Vector3::z()).expect("finite");
    let (mut q, mut omega) = ([0.0; 4], [0.0; 3]);
    e.begin_steps(0.01, 1).expect("random torques");
    e.next_stage(&mut q, &mut omega).expect("a stage");
    assert!(omega.iter().all(|x| x.is_nan()));
}
