//! Kicks and drifts: the two halves of velocity Verlet, for one body and for ensembles.

use crate::common::bits::{state_bits, state_bits_in};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use quatint::rotation::components;
use quatint::torque::Free;
use quatint::{Body, Ensemble, Error, Frame, Inertia, Method, VelocityKind, View, ViewMut};

fn inertia(i: usize) -> Matrix3<f64> {
    let off = if i.is_multiple_of(2) { 0.0 } else { 0.2 };
    Matrix3::new(
        1.0 + 0.1 * i as f64,
        off,
        0.0,
        off,
        2.0,
        -off,
        0.0,
        -off,
        3.0,
    )
}

fn orientation(i: usize) -> UnitQuaternion<f64> {
    UnitQuaternion::from_euler_angles(0.1 * i as f64, 0.7 - 0.2 * i as f64, 0.3)
}

fn omega(i: usize) -> Vector3<f64> {
    Vector3::new(0.4 + 0.1 * i as f64, -0.3, 1.0 - 0.05 * i as f64)
}

/// The weight of a top of unit arm along its third axis.
fn weight(q: &UnitQuaternion<f64>) -> Vector3<f64> {
    (q * Vector3::z()).cross(&Vector3::new(0.0, 0.0, -1.0))
}

fn unit(w: [f64; 4]) -> UnitQuaternion<f64> {
    UnitQuaternion::new_unchecked(Quaternion::new(w[0], w[1], w[2], w[3]))
}

fn body(i: usize) -> Body {
    Body::new(
        Inertia::new(&inertia(i)).expect("valid"),
        orientation(i),
        omega(i),
    )
    .expect("valid")
}

fn ensemble<'a>(count: usize) -> Ensemble<'a, 'static> {
    let mut e = Ensemble::new(count).expect("memory");
    let tensors: Vec<f64> = (0..count)
        .flat_map(|i| inertia(i).as_slice().to_vec())
        .collect();
    e.set_inertias(View::rows(&tensors).expect("whole rows"))
        .expect("valid");
    for i in 0..count {
        let q = orientation(i);
        e.set_orientation(i, q).expect("valid");
        e.set_angular_velocity(i, omega(i)).expect("valid");
    }
    e
}

const DT: f64 = 0.01;

#[test]
fn kick_drift_kick_is_the_splitting_method() {
    let (mut by_hand, mut by_method) = (body(0), body(0));
    by_method.set_method(Method::Splitting);
    for _ in 0..1000 {
        by_hand
            .kick(0.5 * DT, weight(&by_hand.orientation()), Frame::World)
            .expect("finite");
        by_hand.drift(DT).expect("finite");
        by_hand
            .kick(0.5 * DT, weight(&by_hand.orientation()), Frame::World)
            .expect("finite");
    }
    by_method
        .advance(
            DT,
            1000,
            &mut |_: f64, q: &UnitQuaternion<f64>, _: &Vector3<f64>| weight(q),
        )
        .expect("finite");
    assert!(by_hand.orientation().angle_to(&by_method.orientation()) < 1e-12);
    assert_eq!(by_hand.time(), by_method.time());
}

#[test]
fn ensembles_have_the_bits_of_bodies_alone() {
    for count in [1, 3, 17, 200] {
        for threads in [1, 3] {
            for frame in [Frame::World, Frame::Body] {
                let (mut e, mut alone) =
                    (ensemble(count), (0..count).map(body).collect::<Vec<_>>());
                e.set_threads(threads).expect("threads");
                for step in 0..20 {
                    let torques: Vec<f64> = (0..3 * count)
                        .map(|k| (0.3 * k as f64 + f64::from(step)).sin())
                        .collect();
                    let torque = |i: usize| Vector3::from_row_slice(&torques[3 * i..3 * i + 3]);
                    let view = View::rows(&torques).expect("whole rows");
                    if step % 2 == 0 {
                        e.kick_drift(0.5 * DT, DT, Some(view), frame)
                            .expect("finite");
                    } else {
                        e.kick(0.5 * DT, view, frame).expect("finite");
                        e.drift(DT).expect("finite");
                    }
                    for (i, body) in alone.iter_mut().enumerate() {
                        body.kick(0.5 * DT, torque(i), frame).expect("finite");
                        body.drift(DT).expect("finite");
                    }
                }
                for (i, body) in alone.iter().enumerate() {
                    assert_eq!(state_bits_in(&e, i), state_bits(body), "{i} of {count}");
                }
                assert_eq!(e.time(), alone[0].time());
            }
        }
    }
}

fn sharing_an_inertia<'a>(count: usize) -> (Ensemble<'a, 'static>, Vec<Body>) {
    let shared = Inertia::from_moments(Vector3::new(1.0, 2.0, 3.0)).expect("valid");
    let mut e = Ensemble::new(count).expect("memory");
    e.set_inertia(shared).expect("no step has begun");
    let mut alone = Vec::new();
    for i in 0..count {
        let (q, omega) = (orientation(i), omega(i % 50));
        e.set_orientation(i, q).expect("valid");
        e.set_angular_velocity(i, omega).expect("valid");
        alone.push(Body::new(shared, q, omega).expect("valid"));
    }
    (e, alone)
}

fn same_bits(e: &Ensemble, alone: &[Body]) {
    for (i, body) in alone.iter().enumerate() {
        let of_many = state_bits_in(e, i);
        assert_eq!(of_many, state_bits(body), "body {i} of {}", alone.len());
    }
}

/// Drifts of such bodies, one after the other, are taken in place, and so are steps: they must not be mistaken for each other.
#[test]
fn drifts_of_bodies_that_share_an_inertia_have_the_bits_of_bodies_alone_also_between_steps() {
    for (count, active) in [(1, 1), (3, 3), (200, 200), (2000, 2000), (2000, 1501)] {
        for threads in [1, 3] {
            let (mut e, mut alone) = sharing_an_inertia(count);
            e.set_threads(threads).expect("threads");
            e.set_active(Some(&(0..active).collect::<Vec<_>>()))
                .expect("ascending");
            for h in [DT, DT, DT, 2.0 * DT, 2.0 * DT, -DT] {
                e.drift(h).expect("finite");
                alone[..active]
                    .iter_mut()
                    .for_each(|body| body.drift(h).expect("finite"));
            }
            for _ in 0..3 {
                e.step(DT).expect("finite");
                e.drift(DT).expect("finite");
                alone[..active].iter_mut().for_each(|body| {
                    body.step(DT, &mut Free).expect("finite");
                    body.drift(DT).expect("finite");
                });
            }
            same_bits(&e, &alone);
            assert_eq!(e.time(), alone[0].time());
        }
    }
}

/// In one register: rest, turns in the range of the series, doubled once, twice and three times, in parts, and doubled many times.
#[test]
fn bodies_that_turn_by_a_little_and_by_very_much_in_one_drift_have_the_bits_of_bodies_alone() {
    for moments in [
        [1.0, 2.0, 3.0],
        [15.0, 0.5, 15.0],
        [2.0, 2.0, 2.0],
        [0.01, 1.0, 1.001],
    ] {
        let inertia = Inertia::from_moments(moments.into()).expect("valid moments");
        let mut e = Ensemble::new(200).expect("memory");
        e.set_inertia(inertia).expect("finite");
        let mut alone = Vec::new();
        for i in 0..200 {
            let x = i as f64;
            let turn = if i % 23 == 0 {
                0.0
            } else {
                10_f64.powf(((7 * i) % 40) as f64 * 0.15 - 2.0)
            };
            let spin = Vector3::new(x.cos(), (2.0 * x).sin(), (3.0 * x).cos()) * turn;
            e.set_angular_velocity(i, spin).expect("finite");
            alone.push(Body::new(inertia, UnitQuaternion::identity(), spin).expect("valid state"));
        }
        for h in [1.0, -0.5] {
            e.drift(h).expect("finite");
            alone
                .iter_mut()
                .for_each(|body| body.drift(h).expect("finite"));
            same_bits(&e, &alone);
        }
    }
}

/// The last body spins so fast about its middle axis that the square of its angular velocity overflows once it tumbles: in the middle of
/// drifts that are taken in place, after a step that is.
#[test]
fn a_drift_that_overflows_after_others_leaves_all_bodies_where_they_were() {
    for (count, threads) in [(100, 1), (2000, 1), (2000, 3)] {
        let (mut e, mut alone) = sharing_an_inertia(count);
        e.set_threads(threads).expect("threads");
        let (fast, h) = ([1e149, 1.2e154, 1e149], 1e-154);
        e.set_orientation(count - 1, UnitQuaternion::identity())
            .expect("finite");
        e.set_angular_velocity(count - 1, fast.into())
            .expect("finite");
        alone[count - 1]
            .set_state(UnitQuaternion::identity(), fast.into())
            .expect("finite");
        e.step(h).expect("finite");
        alone
            .iter_mut()
            .for_each(|body| body.step(h, &mut Free).expect("finite"));
        let mut drifts = 0;
        let failure = loop {
            assert!(drifts < 100, "it has not tumbled");
            match e.drift(h) {
                Ok(()) => drifts += 1,
                Err(failure) => break failure,
            }
            alone
                .iter_mut()
                .for_each(|body| body.drift(h).expect("finite"));
        };
        assert!(matches!(failure.cause, Error::Overflow { .. }), "{failure}");
        assert_eq!(failure.body, Some(count - 1));
        assert!(drifts > 2, "{drifts}");
        same_bits(&e, &alone);
        assert_eq!(e.time(), alone[0].time());
        assert!(alone[count - 1].drift(h).is_err(), "as one body alone");
    }
}

/// The caller's arrays hold orientations and angular momenta, which only kicks change, by exactly `duration × torque`.
#[test]
fn momenta_bound_in_the_world_frame_are_only_added_to() {
    let count = 100;
    let reference = ensemble(count);
    let mut q: Vec<f64> = (0..count)
        .flat_map(|i| components(reference.orientation(i)))
        .collect();
    let mut momenta: Vec<f64> = (0..count)
        .flat_map(|i| <[f64; 3]>::from(reference.angular_momentum(i)))
        .collect();
    let (torques, before): (Vec<f64>, _) = (
        (0..3 * count).map(|k| (k as f64).cos()).collect(),
        momenta.clone(),
    );
    let mut e = ensemble(count);
    e.bind_orientations(ViewMut::rows(&mut q).expect("rows"))
        .expect("unit length");
    e.bind_angular_velocities(
        ViewMut::rows(&mut momenta).expect("rows"),
        VelocityKind::AngularMomentumWorld,
    )
    .expect("finite");
    for _ in 0..100 {
        e.drift(0.3).expect("finite");
        e.kick(0.25, View::rows(&torques).expect("rows"), Frame::World)
            .expect("finite");
        e.kick_drift(
            -0.25,
            0.1,
            Some(View::rows(&torques).expect("rows")),
            Frame::World,
        )
        .expect("finite");
    }
    e.kick(0.5, View::rows(&torques).expect("rows"), Frame::World)
        .expect("finite");
    let energy = e.kinetic_energy(7);
    drop(e);
    let expected: Vec<f64> = before
        .iter()
        .zip(&torques)
        .map(|(l, t)| {
            let back = (0..100).fold(*l, |l, _| (l + 0.25 * t) - 0.25 * t);
            back + 0.5 * t
        })
        .collect();
    assert_eq!(momenta, expected);
    assert!(energy > 0.0);
}

#[test]
fn bound_arrays_of_every_kind_follow_the_ensembles_own_memory() {
    use VelocityKind::{AngularMomentumBody, AngularMomentumWorld, OmegaBody, OmegaWorld};
    let count = 70;
    let torques: Vec<f64> = (0..3 * count).map(|k| (k as f64).cos()).collect();
    let run = |e: &mut Ensemble| {
        for _ in 0..50 {
            e.kick_drift(
                0.02,
                0.04,
                Some(View::rows(&torques).expect("rows")),
                Frame::World,
            )
            .expect("finite");
        }
    };
    let mut own = ensemble(count);
    run(&mut own);
    for kind in [
        OmegaWorld,
        OmegaBody,
        AngularMomentumWorld,
        AngularMomentumBody,
    ] {
        let reference = ensemble(count);
        let mut records = vec![0.0; 12 * count];
        for (i, record) in records.chunks_mut(12).enumerate() {
            let momentum = reference.angular_momentum(i);
            let inverse = reference.orientation(i).inverse();
            record[1..5].copy_from_slice(&components(reference.orientation(i)));
            let velocity: [f64; 3] = match kind {
                OmegaWorld => reference.angular_velocity(i).into(),
                OmegaBody => reference.angular_velocity_body(i).into(),
                AngularMomentumWorld => momentum.into(),
                AngularMomentumBody => (inverse * momentum).into(),
            };
            record[7..10].copy_from_slice(&velocity);
        }
        let mut e = ensemble(count);
        let (q, velocities) = ViewMut::records(&mut records, 12, 1, 7).expect("fits");
        e.bind_orientations(q).expect("unit length");
        e.bind_angular_velocities(velocities, kind).expect("finite");
        e.set_threads(2).expect("threads");
        run(&mut e);
        for i in 0..count {
            let angle = e.orientation(i).angle_to(&own.orientation(i));
            assert!(angle < 1e-12, "{kind:?}, body {i}: {angle:e}");
            if kind == OmegaBody {
                assert_eq!(components(e.orientation(i)), components(own.orientation(i)));
            }
        }
    }
}

#[test]
fn a_failed_kick_names_the_body_and_changes_nothing() {
    let count = 150;
    for bound in [false, true] {
        let mut q: Vec<f64> = (0..count)
            .flat_map(|i| components(ensemble(count).orientation(i)))
            .collect();
        let mut e = ensemble(count);
        if bound {
            e.bind_orientations(ViewMut::rows(&mut q).expect("rows"))
                .expect("unit length");
        }
        let states = |e: &Ensemble| (0..count).map(|i| state_bits_in(e, i)).collect::<Vec<_>>();
        let before = states(&e);
        let mut torques = vec![1.0; 3 * count];
        torques[3 * 120 + 1] = f64::NAN;
        let failure = e
            .kick_drift(
                0.1,
                0.1,
                Some(View::rows(&torques).expect("rows")),
                Frame::World,
            )
            .unwrap_err();
        assert_eq!(failure.body, Some(120));
        assert!(
            matches!(failure.cause, Error::TorqueNotFinite { .. }),
            "{failure}"
        );
        torques[3 * 120 + 1] = 1e300;
        let failure = e
            .kick_drift(
                1e10,
                0.1,
                Some(View::rows(&torques).expect("rows")),
                Frame::World,
            )
            .unwrap_err();
        assert!(matches!(failure.cause, Error::Overflow { .. }), "{failure}");
        assert_eq!((states(&e), e.time()), (before, 0.0));
    }
}

#[test]
fn only_active_bodies_are_kicked_and_drift() {
    let count = 90;
    let mut e = ensemble(count);
    let active: Vec<usize> = (0..count).filter(|i| i % 7 == 3).collect();
    e.set_active(Some(&active)).expect("ascending");
    let torques: Vec<f64> = (0..3 * count).map(|k| (k as f64).sin()).collect();
    e.kick_drift(
        0.1,
        0.2,
        Some(View::rows(&torques).expect("rows")),
        Frame::Body,
    )
    .expect("finite");
    for i in 0..count {
        let mut alone = body(i);
        if i % 7 == 3 {
            alone
                .kick(
                    0.1,
                    Vector3::from_row_slice(&torques[3 * i..3 * i + 3]),
                    Frame::Body,
                )
                .expect("finite");
            alone.drift(0.2).expect("finite");
        }
        assert_eq!(state_bits_in(&e, i), state_bits(&alone), "body {i}");
    }
}

/// A driven, damped body by kick and drift: the torque sees the predicted angular velocity, and the order is 2. Without: 1.
#[test]
fn predicted_velocities_keep_order_two_under_torques_of_the_angular_velocity() {
    let torque = |t: f64, q: [f64; 4], omega: [f64; 3]| -> [f64; 3] {
        let push = Vector3::new(t.cos(), 0.2, t.sin());
        (weight(&unit(q)) + push - Vector3::from(omega) * 0.6).into()
    };
    let run = |steps: u32, is_predicted: bool, is_dragged: bool| {
        let (h, mut predicted) = (2.0 / f64::from(steps), vec![0.0; 3]);
        let mut e = ensemble(1);
        e.set_inertia(Inertia::new(&inertia(1)).expect("a tensor"))
            .expect("memory");
        if is_dragged {
            let coefficients = View::shared(&[0.5, 2.0, 3.5], 1);
            let flow = View::shared(&[0.0, 1.0, -2.0], 1);
            e.set_drag(coefficients, Some(flow)).expect("allowed");
        }
        let array = ViewMut::rows(&mut predicted).expect("rows");
        e.bind_predicted_velocities(Some(array), 0.5 * h)
            .expect("memory");
        let mut now = torque(
            0.0,
            components(e.orientation(0)),
            e.angular_velocity(0).into(),
        );
        for _ in 0..steps {
            e.kick_drift(
                0.5 * h,
                h,
                Some(View::rows(&now).expect("rows")),
                Frame::World,
            )
            .expect("finite");
            let seen = e.predicted_velocity(0).expect("bound");
            now = torque(
                e.time(),
                components(e.orientation(0)),
                if is_predicted {
                    seen.into()
                } else {
                    e.angular_velocity(0).into()
                },
            );
            e.kick(0.5 * h, View::rows(&now).expect("rows"), Frame::World)
                .expect("finite");
        }
        e.orientation(0)
    };
    for (is_predicted, is_dragged, expected) in [
        (true, false, 2.0),
        (false, false, 1.0),
        (true, true, 2.0),
        (false, true, 1.0),
    ] {
        let exact = run(1 << 14, true, is_dragged);
        let error = |steps| run(steps, is_predicted, is_dragged).angle_to(&exact);
        let order = (error(200) / error(400)).log2();
        assert!(
            (order - expected).abs() < 0.06,
            "predicted {is_predicted}, dragged {is_dragged}: order {order}"
        );
    }
}

#[test]
fn a_kick_leaves_the_whole_clock_as_it_is() {
    let mut e = Ensemble::new(3).expect("memory");
    e.set_clock([0.5, 0.25]).expect("finite"); // steps leave less, a program may set any
    e.kick(1.0, View::shared(&[1.0, 0.0, 0.0], 3), Frame::World)
        .expect("finite");
    e.kick_drift(1.0, 0.0, None, Frame::World).expect("finite");
    assert_eq!(e.clock(), [0.5, 0.25]);
}

#[test]
fn a_component_stride_of_zero_gives_all_components_one_number() {
    for count in [1, 2, 5, 70] {
        let numbers: Vec<f64> = (0..3 * count).map(|i| 0.1 + i as f64).collect();
        let repeated: Vec<f64> = (0..3 * count).map(|i| numbers[3 * (i / 3)]).collect();
        let kicked = |torque: View<3>| {
            let mut bodies = Ensemble::new(count).expect("memory");
            bodies.kick(0.5, torque, Frame::World).expect("finite");
            (0..count)
                .map(|i| bodies.angular_velocity(i))
                .collect::<Vec<_>>()
        };
        let (once, thrice) = (
            View::strided(&numbers, 0, count, 3, 0),
            View::strided(&repeated, 0, count, 3, 1),
        );
        assert_eq!(
            kicked(once.expect("inside")),
            kicked(thrice.expect("inside"))
        );
    }
}
