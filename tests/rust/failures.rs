//! Which input is refused, with which message, and that a failed step changes nothing.

use crate::common::METHODS;
use crate::common::bits::state_bits;
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use quatint::kernel::{PrincipalInertia, TorqueState, Vec3};
use quatint::torque::{ConstantBody, Free};
use quatint::{
    Body, ChunkTorque, Ensemble, Error, Failure, Frame, Inertia, Layout, Method, StepSize, Torque,
    VelocityKind, ViewMut,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

fn body() -> Body {
    let inertia = Inertia::new(&Matrix3::new(1.0, 0.1, 0.0, 0.1, 2.0, 0.0, 0.0, 0.0, 2.5))
        .expect("valid inertia");
    Body::new(
        inertia,
        UnitQuaternion::identity(),
        Vector3::new(0.1, 0.2, 0.3),
    )
    .expect("valid state")
}

/// The whole state of a body, as bits.
fn bits(body: &Body) -> ([u64; 7], u64) {
    (state_bits(body), body.time().to_bits())
}

/// A torque that misbehaves at one call.
struct Turns<'a> {
    call: u32,
    bad_call: u32,
    bad: &'a dyn Fn(f64) -> Result<Vec3<f64>, Error>,
}

impl Torque for Turns<'_> {
    type Error = Error;
    fn torque_body(
        &mut self,
        time: f64,
        _: &TorqueState<f64>,
        _: &PrincipalInertia<f64>,
    ) -> Result<Vec3<f64>, Error> {
        self.call += 1;
        if self.call == self.bad_call {
            (self.bad)(time)
        } else {
            Ok(Vec3([0.1, -0.2, 0.3]))
        }
    }
}

#[test]
fn a_torque_that_fails_at_either_stage_leaves_the_body_bitwise_as_it_was() {
    for (stage, time) in [(1, 0.0), (2, 0.05)] {
        let mut body = body();
        let before = bits(&body);

        let fails = |time| Err(Error::Callback { result: 7, time });
        let outcome = body.step(
            0.1,
            &mut Turns {
                call: 0,
                bad_call: stage,
                bad: &fails,
            },
        );
        assert_eq!(outcome, Err(Error::Callback { result: 7, time }));
        assert_eq!(bits(&body), before);

        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let not_finite = |_| Ok(Vec3([0.0, bad, 0.0]));
            let outcome = body.step(
                0.1,
                &mut Turns {
                    call: 0,
                    bad_call: stage,
                    bad: &not_finite,
                },
            );
            assert!(
                matches!(outcome, Err(Error::TorqueNotFinite { time: at, .. }) if at == time),
                "{outcome:?}"
            );
            assert_eq!(bits(&body), before);
        }
    }
}

#[test]
fn a_motion_that_overflows_is_an_error_and_not_a_nan() {
    let mut body = body();
    let before = bits(&body);
    for torque in [1e200, 1e300, f64::MAX] {
        let outcome = body.step(
            1e10,
            &mut ConstantBody {
                torque: Vec3([torque, 0.0, torque]),
            },
        );
        assert!(
            matches!(
                outcome,
                Err(Error::Overflow {
                    time: 0.0,
                    size: Some(_)
                })
            ),
            "{outcome:?}"
        );
        assert_eq!(bits(&body), before);
    }
}

/// The size of the step in an error that must be an overflow.
/// A torque so large that the orientation beside the motion, where the force-gradient splitting asks again, cannot be computed.
#[test]
fn no_torque_is_asked_at_a_quaternion_that_is_not_of_unit_length() {
    for size in [1e140, 1e150, 1e154, 1e156, 1e200, 1e300] {
        let mut body = body();
        body.set_method(Method::ForceGradient);
        let before = bits(&body);
        let mut lengths = Vec::new();
        let outcome = body.step(
            1.0,
            &mut |time: f64, q: &UnitQuaternion<f64>, _: &Vector3<f64>| {
                lengths.push(q.coords.norm());
                Vector3::new(if time == 0.5 { size } else { 0.0 }, 0.0, 0.0)
            },
        );
        assert!(
            lengths.iter().all(|length| (length - 1.0).abs() < 1e-15),
            "{size:e}: {lengths:?}"
        );
        assert!(
            size < 1e153 || matches!(outcome, Err(Error::Overflow { .. })),
            "{size:e}: {outcome:?}"
        );
        assert!(outcome.is_ok() || bits(&body) == before);
    }
}

fn size_of(error: Error) -> StepSize {
    match error {
        Error::Overflow {
            size: Some(size), ..
        } => size,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_motion_that_overflows_says_what_was_too_large_alone_and_in_ensembles() {
    // c h / I = 2.5 about the first axis under PCDM: the rotation doubles in every step
    let (c, h, omega) = (5.0, 0.5, 1e-3);
    let inertia = Inertia::from_moments(Vector3::new(1.0, 50.0, 50.0)).expect("valid inertia");
    let mut alone = Body::new(
        inertia,
        UnitQuaternion::identity(),
        Vector3::new(omega, 0.0, 0.0),
    )
    .expect("valid state");
    let mut drag = |_: f64, _: &UnitQuaternion<f64>, omega: &Vector3<f64>| -c * omega;
    let failure = alone.advance(h, 10_000, &mut drag).expect_err("unstable");
    let size = size_of(failure.cause.clone());
    assert!(
        size.drag == 2.5 && size.turn > 1e38 && size.spring_number > 1e38,
        "{size:?}"
    );
    let said = failure.to_string();
    assert!(
        said.contains("c h / I = 2.500e0 for a drag (PCDM needs less than 2)"),
        "{said}"
    );

    for frame in [Frame::World, Frame::Body] {
        for by_stages in [false, true] {
            let mut many = Ensemble::new(70).expect("memory");
            many.set_inertia(inertia).expect("valid");
            many.set_angular_velocity(66, [omega, 0.0, 0.0].into())
                .expect("valid");
            let met = if by_stages {
                let (mut q, mut w) = (vec![0.0; 280], vec![0.0; 210]);
                many.begin_steps(h, 10_000).expect("valid");
                loop {
                    many.next_stage(&mut q, &mut w).expect("finite");
                    let torque: Vec<f64> = w.iter().map(|omega| -c * omega).collect();
                    if let Err(failure) = many.supply_torque(&torque) {
                        break failure;
                    }
                }
            } else {
                let drag: Box<ChunkTorque> = Box::new(move |_, _, _, _, omega, torque| {
                    torque
                        .iter_mut()
                        .zip(omega)
                        .for_each(|(torque, omega)| *torque = -c * omega);
                    Ok(())
                });
                many.set_torque(drag, Layout::Aos, frame).expect("valid");
                many.advance(h, 10_000).expect_err("unstable")
            };
            assert_eq!(met.body, Some(66));
            let met = size_of(met.cause);
            assert!(met.turn > 1e38, "{met:?}");
            // the stage protocol cannot ask again: it knows the torque only where that of stage 0 was too much
            assert!(by_stages && met.drag == 0.0 || met.drag == 2.5, "{met:?}");
        }
    }
}

#[test]
fn a_free_body_that_turns_too_far_in_a_step_is_told_so() {
    let inertia = Inertia::from_moments(Vector3::new(1.0, 2.0, 3.0)).expect("valid inertia");
    let spin = Vector3::new(2.0, 3.0, 2.8);
    let mut body = Body::new(inertia, UnitQuaternion::identity(), spin).expect("valid state");
    let size = size_of(
        body.advance(1.0, 1000, &mut Free)
            .expect_err("unstable")
            .cause,
    );
    assert!(
        f64::from(size.turn) > size.bounds.turn && size.drag == 0.0 && size.spring_number == 0.0,
        "{size:?}"
    );
    let said = size.to_string();
    assert!(said.ends_with("rad (PCDM needs less than 0.1)"), "{said}");

    let mut many = Ensemble::new(3).expect("memory");
    many.set_inertia(inertia).expect("valid");
    many.set_angular_velocity(1, spin).expect("valid");
    let failure = many.advance(1.0, 1000).expect_err("unstable");
    assert_eq!((failure.body, size_of(failure.cause)), (Some(1), size));
}

#[test]
fn ten_thousand_radians_in_a_step_about_a_fixed_axis_are_no_error() {
    let inertia = Inertia::from_moments(Vector3::new(1.0, 2.0, 3.0)).expect("valid inertia");
    for method in METHODS {
        let spin = Vector3::new(0.0, 0.0, 1e4);
        let mut body = Body::new(inertia, UnitQuaternion::identity(), spin).expect("valid state");
        body.set_method(method);
        body.step(1.0, &mut Free).expect("a right answer");
        let exact = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), 1e4);
        assert!(
            body.orientation().angle_to(&exact) < 1e-11,
            "{method:?}: {}",
            body.orientation()
        );
    }
}

#[test]
fn advance_says_how_many_steps_stand() {
    let (mut stopped, mut reference) = (body(), body());
    let fails = |time| Err(Error::Callback { result: -3, time });
    let outcome = stopped.advance(
        0.25,
        100,
        &mut Turns {
            call: 0,
            bad_call: 24,
            bad: &fails,
        },
    );
    let error = Error::Callback {
        result: -3,
        time: 11.0 * 0.25 + 0.125,
    };
    assert_eq!(
        outcome,
        Err(Failure {
            cause: error,
            body: None,
            completed: 11
        })
    );

    reference
        .advance(
            0.25,
            11,
            &mut Turns {
                call: 0,
                bad_call: 0,
                bad: &fails,
            },
        )
        .expect("no bad call");
    assert_eq!(bits(&stopped), bits(&reference));
}

#[test]
fn record_keeps_the_rows_before_a_failure() {
    let mut body = body();
    let mut rows = [[f64::NAN; 8]; 11];
    let fails = |time| Err(Error::Callback { result: 1, time });
    let mut torque = Turns {
        call: 0,
        bad_call: 2 * 25 + 1,
        bad: &fails,
    };
    let (written, outcome) = body.record(0.1, 100, 10, &mut rows, &mut torque);
    assert_eq!(written, 3); // 0, 10, 20
    assert!(
        matches!(outcome, Err(Failure { completed: 25, .. })),
        "{outcome:?}"
    );
    assert!(
        rows[..3].iter().flatten().all(|x| x.is_finite())
            && rows[3..].iter().flatten().all(|x| x.is_nan())
    );
}

#[test]
fn record_refuses_too_little_room_before_anything_moves() {
    let mut body = body();
    let before = bits(&body);
    let (written, outcome) = body.record(0.1, 100, 10, &mut [[0.0; 8]; 10], &mut Free);
    let error = Error::Capacity {
        name: "capacity",
        needed: 11,
        given: 10,
    };
    assert_eq!(
        (written, outcome),
        (
            0,
            Err(Failure {
                cause: error,
                body: None,
                completed: 0
            })
        )
    );
    let (written, outcome) = body.record(0.1, 100, 0, &mut [[0.0; 8]; 1000], &mut Free);
    assert!(
        written == 0
            && matches!(
                outcome,
                Err(Failure {
                    cause: Error::Invalid { name: "every", .. },
                    ..
                })
            )
    );
    assert_eq!(bits(&body), before);
}

#[test]
fn record_writes_what_steps_would_have_given() {
    let (mut recorded, mut stepped) = (body(), body());
    let mut rows = [[0.0; 8]; 4];
    let (written, outcome) = recorded.record(0.1, 11, 3, &mut rows, &mut Free);
    assert_eq!((written, outcome), (4, Ok(())));
    for (n, row) in rows.iter().enumerate() {
        let (q, omega) = (stepped.orientation(), stepped.angular_velocity());
        assert_eq!(
            *row,
            [
                stepped.time(),
                q.w,
                q.i,
                q.j,
                q.k,
                omega.x,
                omega.y,
                omega.z
            ],
            "row {n}"
        );
        stepped
            .advance(0.1, if n < 3 { 3 } else { 2 }, &mut Free)
            .expect("free");
    }
    assert_eq!(bits(&recorded), bits(&stepped));
}

#[test]
fn a_body_at_rest_stays_at_rest_exactly() {
    let q = UnitQuaternion::from_euler_angles(0.3, 0.2, 0.1);
    let mut body = Body::new(*body().inertia(), q, Vector3::zeros()).expect("valid state");
    let before = state_bits(&body);
    body.advance(0.1, 1000, &mut Free).expect("free");
    assert_eq!(state_bits(&body), before);
    assert_eq!(body.angular_velocity_body(), Vector3::zeros());
}

#[test]
fn a_step_of_zero_does_nothing_and_asks_nothing() {
    let mut body = body();
    let before = bits(&body);
    let fails = |time| Err(Error::Callback { result: 1, time });
    let mut torque = Turns {
        call: 0,
        bad_call: 1,
        bad: &fails,
    };
    assert_eq!(body.step(0.0, &mut torque), Ok(()));
    assert_eq!(body.advance(-0.0, 5, &mut torque), Ok(()));
    assert_eq!((bits(&body), torque.call), (before, 0));
}

#[test]
fn a_dt_that_is_not_finite_is_refused() {
    for dt in [f64::NAN, f64::INFINITY] {
        let error = body().step(dt, &mut Free).expect_err("refused");
        assert_eq!(
            error.to_string(),
            format!("`dt` is {dt}, not a finite number")
        );
    }
}

#[test]
fn what_was_read_is_restored_bit_for_bit() {
    let mut body = body();
    body.advance(0.05, 777, &mut Free).expect("free");
    let before = bits(&body);
    body.set_state_body(body.orientation(), body.angular_velocity_body())
        .expect("valid state");
    assert_eq!(bits(&body), before);
}

#[test]
fn orientations_are_normalised_within_a_thousandth_and_refused_beyond() {
    let set = |w: f64, x: f64| {
        let q = UnitQuaternion::new_unchecked(Quaternion::new(w, x, 0.0, 0.0));
        body()
            .set_state(q, Vector3::zeros())
            .map_err(|e| e.to_string())
    };
    assert_eq!(set(1.0009, 0.0), Ok(()));
    assert_eq!(set(0.6, 0.8003), Ok(()));
    assert!(set(1.002, 0.0).unwrap_err().contains("its length is 1.002"));
    assert!(set(0.0, 0.0).unwrap_err().contains("its length is 0"));
    assert!(
        set(1.0, f64::NAN)
            .unwrap_err()
            .contains("`orientation[1]` is NaN")
    );
}

#[test]
fn an_inertia_that_cannot_be_is_refused_with_its_reason() {
    let refused = |rows: [f64; 9]| {
        Inertia::new(&Matrix3::from_row_slice(&rows))
            .expect_err("refused")
            .to_string()
    };
    let message = refused([1.0, 0.1, 0.0, 0.2, 1.0, 0.0, 0.0, 0.0, 1.0]);
    assert!(
        message.contains("not symmetric: [0][1] and [1][0]"),
        "{message}"
    );
    let message = refused([1.0, 0.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0, 1.0]);
    assert!(
        message.contains("not positive definite: its principal moments are 1.0, -2.0, 1.0"),
        "{message}"
    );
    let message = refused([1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0]); // singular: moments 0, 1, 2
    assert!(message.contains("not positive definite"), "{message}");
    let message = refused([0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0]);
    assert!(
        message.contains("0.0, 1.0, 2.0")
            && message.contains("one is zero and the others are equal"),
        "{message}"
    );
    let message = refused([1.0, 0.0, 0.0, 0.0, 1.0, f64::NAN, 0.0, f64::NAN, 1.0]);
    assert!(message.contains("`inertia[5]` is NaN"), "{message}");
    assert!(refused([1e-310, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]).contains("out of range"));
    assert!(
        refused([1e-160, 0.0, 0.0, 0.0, 1e160, 0.0, 0.0, 0.0, 1.0])
            .contains("within 1e307 of the others")
    );
}

/// Four chunks in the caller's arrays: the first ones have been written when the last one fails.
#[test]
fn bound_arrays_are_as_before_if_a_later_chunk_fails_or_its_callback_panics() {
    const BODIES: usize = 200;
    for panics in [false, true] {
        let mut q = [1.0, 0.0, 0.0, 0.0].repeat(BODIES);
        let mut omega: Vec<f64> = (0..3 * BODIES).map(|i| 0.1 + 0.01 * i as f64).collect();
        let before = (q.clone(), omega.clone());
        let mut e = Ensemble::new(BODIES).expect("memory");
        e.bind_orientations(ViewMut::rows(&mut q).expect("rows of four"))
            .expect("unit quaternions");
        let array = ViewMut::rows(&mut omega).expect("rows of three");
        e.bind_angular_velocities(array, VelocityKind::OmegaWorld)
            .expect("finite velocities");
        let push = move |_: f64, first: usize, _: usize, _: &[f64], _: &[f64], _: &mut [f64]| {
            assert!(first < 128 || !panics, "on purpose");
            if first < 128 { Ok(()) } else { Err(7) }
        };
        e.set_torque(Box::new(push), Layout::Soa, Frame::Body)
            .expect("no step has begun");
        match catch_unwind(AssertUnwindSafe(|| e.step(0.01))) {
            Ok(outcome) => assert!(outcome.is_err() && !panics),
            Err(_) => assert!(panics),
        }
        drop(e);
        assert_eq!(before, (q, omega), "panics: {panics}");
    }
}
