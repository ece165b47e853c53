//! What C can do with ensembles, Rust can: arrays lent by slices, every ready-made torque, callbacks, the stage protocol; and
//! failures say which body and which step, as data.

use crate::common::bits::{state_bits, state_bits_in};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use quatint::rotation::components;
use quatint::torque::{
    ConstantBody, ConstantWorld, Free, GravityGradient, LinearDrag, ShearFlow, UniformField,
};
use quatint::{
    Body, Ensemble, Error, Failure, Frame, Inertia, Layout, Method, Progress, Torque, VelocityKind,
    View, ViewMut,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

const N: usize = 150;
const DT: f64 = 0.01;
const STEPS: u64 = if cfg!(miri) { 2 } else { 20 }; // under Miri a step takes long
const FIELD: [f64; 3] = [0.3, -0.2, -1.0];
const SHEAR: [f64; 9] = [0.0, 1.0, 0.0, 0.0, 0.0, 0.2, 0.1, 0.0, 0.0];

/// A vector for each body, different for each.
fn vectors(scale: f64) -> Vec<f64> {
    (0..3 * N)
        .map(|k| scale * ((k as f64 * 0.7).sin() + 0.1))
        .collect()
}

fn tensors() -> Vec<f64> {
    let tensor = |i: usize| {
        let x = i as f64 / N as f64;
        let off = if i.is_multiple_of(3) { 0.0 } else { 0.2 };
        [1.0 + x, off, 0.0, off, 1.5, -off, 0.0, -off, 2.0 + 0.3 * x]
    };
    (0..N).flat_map(tensor).collect()
}

fn orientations() -> Vec<f64> {
    let q = |i: usize| UnitQuaternion::from_euler_angles(0.1 * i as f64, 0.5, -0.02 * i as f64);
    (0..N)
        .flat_map(|i| [q(i).w, q(i).i, q(i).j, q(i).k])
        .collect()
}

/// Bodies that all differ, in the ensemble's own memory.
fn bodies(method: Method) -> Ensemble<'static, 'static> {
    let mut e = Ensemble::new(N).unwrap();
    e.set_method(method).unwrap();
    e.set_inertias(View::rows(&tensors()).unwrap()).unwrap();
    e.set_orientations(View::rows(&orientations()).unwrap())
        .unwrap();
    e.set_angular_velocities(View::rows(&vectors(2.0)).unwrap())
        .unwrap();
    e
}

/// Body `i` alone.
fn alone(i: usize, method: Method) -> Body {
    let inertia = Inertia::new(&Matrix3::from_row_slice(&tensors()[9 * i..][..9])).unwrap();
    let (q, omega) = (&orientations()[4 * i..][..4], &vectors(2.0)[3 * i..][..3]);
    let q = UnitQuaternion::new_unchecked(Quaternion::new(q[0], q[1], q[2], q[3]));
    let mut body = Body::new(inertia, q, Vector3::from_column_slice(omega)).unwrap();
    body.set_method(method);
    body
}

fn all_bits(e: &Ensemble) -> Vec<[u64; 7]> {
    (0..N).map(|i| state_bits_in(e, i)).collect()
}

fn have_the_bits_of_bodies_alone<T>(set: impl Fn(&mut Ensemble), torque: impl Fn(usize) -> T)
where
    T: Torque<Error: Into<Error>>,
{
    for method in [Method::Pcdm, Method::Cf4] {
        let mut e = bodies(method);
        set(&mut e);
        e.advance(DT, STEPS).unwrap();
        for i in 0..N {
            let mut body = alone(i, method);
            body.advance(DT, STEPS, &mut torque(i)).unwrap();
            assert_eq!(
                state_bits_in(&e, i),
                state_bits(&body),
                "{}, body {i}",
                method.name()
            );
        }
    }
}

fn vector(i: usize) -> [f64; 3] {
    vectors(1.0)[3 * i..][..3].try_into().unwrap()
}

#[test]
fn every_ready_made_torque_has_the_bits_of_a_body_alone() {
    let each = vectors(1.0);
    let rows = || View::<3>::rows(&each).unwrap();
    have_the_bits_of_bodies_alone(|e| e.set_free().unwrap(), |_| Free);
    have_the_bits_of_bodies_alone(
        |e| e.set_constant_torque(rows(), Frame::World).unwrap(),
        |i| ConstantWorld::new(vector(i)).unwrap(),
    );
    have_the_bits_of_bodies_alone(
        |e| e.set_constant_torque(rows(), Frame::Body).unwrap(),
        |i| ConstantBody::new(vector(i)).unwrap(),
    );
    have_the_bits_of_bodies_alone(
        |e| e.set_uniform_field(rows(), FIELD).unwrap(),
        |i| UniformField::new(vector(i), FIELD).unwrap(),
    );
    have_the_bits_of_bodies_alone(
        |e| {
            e.set_gravity_gradient(FIELD, View::strided(&each, 0, N, 3, 1).unwrap())
                .unwrap()
        },
        |i| GravityGradient::new(FIELD, vector(i)[0]).unwrap(),
    );
    have_the_bits_of_bodies_alone(
        |e| e.set_linear_drag(rows()).unwrap(),
        |i| LinearDrag::new(vector(i)).unwrap(),
    );
    have_the_bits_of_bodies_alone(
        |e| {
            e.set_shear_flow(View::shared(&[2.0, 1.0, 0.7], N), 0.01, SHEAR)
                .unwrap()
        },
        |_| ShearFlow::new([2.0, 1.0, 0.7], 0.01, SHEAR).unwrap(),
    );
}

/// Depends on time, orientation and angular velocity.
fn torque(t: f64, q: &[f64], omega: &[f64], torque: &mut [f64]) {
    torque[0] = t.sin() + q[1] * q[2] - 0.1 * omega[0];
    torque[1] = q[0] * q[3] - 0.1 * omega[1];
    torque[2] = (2.0 * t).cos() * q[1] - 0.1 * omega[2];
}

fn of_chunk(
    t: f64,
    _: usize,
    count: usize,
    q: &[f64],
    omega: &[f64],
    given: &mut [f64],
) -> Result<(), i32> {
    (0..count).for_each(|i| torque(t, &q[4 * i..], &omega[3 * i..], &mut given[3 * i..]));
    Ok(())
}

#[test]
fn callbacks_and_the_stage_protocol_have_the_same_bits_with_both_methods() {
    for method in [Method::Pcdm, Method::Cf4] {
        let mut called = bodies(method);
        called
            .set_torque(Box::new(of_chunk), Layout::Aos, Frame::World)
            .unwrap();
        called.advance(DT, STEPS).unwrap();

        let mut staged = bodies(method);
        let (mut q, mut omega, mut given) = (vec![0.0; 4 * N], vec![0.0; 3 * N], vec![0.0; 3 * N]);
        staged.begin_steps(DT, STEPS).unwrap();
        let mut progress = staged.next_stage(&mut q, &mut omega).unwrap();
        let mut stages = 0;
        while let Progress::NeedTorque(t) = progress {
            of_chunk(t, 0, N, &q, &omega, &mut given).unwrap();
            progress = staged.continue_step(&given, &mut q, &mut omega).unwrap();
            stages += 1;
        }
        assert_eq!(stages, STEPS as usize * method.torque_at().len());
        assert!(all_bits(&staged) == all_bits(&called), "{}", method.name());
        assert_eq!(staged.time(), called.time());
    }
}

/// The heavy top and the forced, damped case have numbers in the literature of the method; here, what users see: at the same
/// step, CF4's error is thousands of times smaller, and falls with the fourth power.
#[test]
fn cf4_is_of_fourth_order_in_an_ensemble_too() {
    let end = |method, steps: u64| {
        let mut e = bodies(method);
        e.set_torque(Box::new(of_chunk), Layout::Aos, Frame::World)
            .unwrap();
        e.advance(2.0 / steps as f64, steps).unwrap();
        (0..N)
            .map(|i| Vector3::from(e.angular_velocity(i)))
            .collect::<Vec<_>>()
    };
    let exact = end(Method::Cf4, 4096);
    let error = |method, steps| {
        let off = end(method, steps)
            .iter()
            .zip(&exact)
            .map(|(a, b)| (a - b).norm())
            .fold(0.0, f64::max);
        assert!(off > 1e-12, "{off:e}: rounding");
        off
    };
    let (coarse, fine) = (error(Method::Cf4, 64), error(Method::Cf4, 128));
    let order = (coarse / fine).log2();
    assert!(
        (order - 4.0).abs() < 0.1,
        "order {order}: {coarse:e}, {fine:e}"
    );
    assert!(error(Method::Pcdm, 128) > 1000.0 * fine);
}

#[test]
fn bound_rows_columns_and_records_have_the_bits_of_own_memory() {
    let each = vectors(1.0);
    let field = View::rows(&each).unwrap();
    let mut own = bodies(Method::Pcdm);
    own.set_uniform_field(field, FIELD).unwrap();
    own.advance(DT, STEPS).unwrap();

    let start = bodies(Method::Pcdm);
    let omega_body = |i: usize| -> [f64; 3] { start.angular_velocity_body(i).into() };
    let check = |q: ViewMut<4>, omega: ViewMut<3>| {
        let mut e = bodies(Method::Pcdm);
        e.set_uniform_field(field, FIELD).unwrap();
        e.bind_orientations(q).unwrap();
        e.bind_angular_velocities(omega, VelocityKind::OmegaBody)
            .unwrap();
        e.advance(DT, STEPS).unwrap();
        assert!(all_bits(&e) == all_bits(&own));
    };

    let mut q = orientations();
    let mut omega: Vec<f64> = (0..N).flat_map(omega_body).collect();
    check(
        ViewMut::rows(&mut q).unwrap(),
        ViewMut::rows(&mut omega).unwrap(),
    );
    let last = components(own.orientation(N - 1));
    assert_eq!(
        &q[4 * (N - 1)..],
        &last,
        "the caller's array holds the states"
    );

    let (mut columns, mut omega_columns) = (vec![0.0; 4 * N], vec![0.0; 3 * N]);
    for (k, x) in orientations().into_iter().enumerate() {
        columns[(k + 3) % 4 * N + k / 4] = x; // x, y, z, w
    }
    (0..3 * N).for_each(|k| omega_columns[k % 3 * N + k / 3] = omega_body(k / 3)[k % 3]);
    let scalar_last = ViewMut::columns(&mut columns).unwrap().scalar_last();
    check(scalar_last, ViewMut::columns(&mut omega_columns).unwrap());

    let mut records = vec![-1.0; 16 * N];
    for i in 0..N {
        records[16 * i + 3..][..4].copy_from_slice(&orientations()[4 * i..][..4]);
        records[16 * i + 10..][..3].copy_from_slice(&omega_body(i));
    }
    let (q, omega) = ViewMut::records(&mut records, 16, 3, 10).unwrap();
    check(q, omega);
    assert_eq!(
        records.iter().filter(|x| **x == -1.0).count(),
        9 * N,
        "what lies between is untouched"
    );
}

#[test]
fn views_that_leave_their_slice_or_overlap_themselves_are_refused() {
    let mut data = vec![0.0; 100];
    assert!(View::<3>::rows(&data).is_err(), "100 is no multiple of 3");
    assert!(View::<4>::strided(&data, 0, 25, 4, 1).is_ok());
    assert!(
        View::<4>::strided(&data, 1, 25, 4, 1).is_err(),
        "one too far"
    );
    assert!(
        View::<4>::strided(&data, 96, 25, -4, 1).is_ok(),
        "backwards"
    );
    assert!(View::<4>::strided(&data, 95, 25, -4, 1).is_err());
    assert!(View::<4>::strided(&data, 0, usize::MAX, 1, 1).is_err());
    assert!(
        ViewMut::<4>::strided(&mut data, 0, 25, 3, 1).is_err(),
        "bodies that share numbers"
    );
    assert!(
        ViewMut::records(&mut data, 10, 0, 3).is_err(),
        "vectors that share numbers"
    );
    assert!(
        ViewMut::records(&mut data, 10, 0, 8).is_err(),
        "a vector that leaves its record"
    );
    let mut e = Ensemble::new(3).unwrap();
    let failure = e.set_orientations(View::rows(&data).unwrap()).unwrap_err();
    assert_eq!(
        failure.cause,
        Error::Capacity {
            name: "data",
            needed: 3,
            given: 25
        }
    );
}

#[test]
fn a_failure_says_which_body_and_which_step_as_data() {
    let mut e = bodies(Method::Pcdm);
    let before = all_bits(&e);

    let mut q = orientations();
    q[4 * 77] = 3.0;
    let failure = e.set_orientations(View::rows(&q).unwrap()).unwrap_err();
    assert!(
        matches!(
            failure,
            Failure {
                cause: Error::NotUnit { .. },
                body: Some(77),
                completed: 0
            }
        ),
        "{failure:?}"
    );

    let mut t = tensors();
    t[9 * 5] = -1.0;
    let failure = e.set_inertias(View::rows(&t).unwrap()).unwrap_err();
    assert!(
        matches!(
            failure,
            Failure {
                cause: Error::InertiaNotPositive { .. },
                body: Some(5),
                ..
            }
        ),
        "{failure:?}"
    );

    let mut omega = vectors(2.0);
    omega[3 * 9 + 1] = f64::NAN;
    let failure = e
        .set_angular_velocities(View::rows(&omega).unwrap())
        .unwrap_err();
    assert!(
        matches!(
            failure,
            Failure {
                cause: Error::NotFinite { .. },
                body: Some(9),
                ..
            }
        ),
        "{failure:?}"
    );
    assert!(all_bits(&e) == before, "a failed call changes nothing");

    let stops = |t: f64, first: usize, _: usize, _: &[f64], _: &[f64], _: &mut [f64]| {
        if t > 0.055 && first == 64 {
            Err(42)
        } else {
            Ok(())
        }
    };
    e.set_torque(Box::new(stops), Layout::Aos, Frame::World)
        .unwrap();
    let failure = e.advance(DT, 10).unwrap_err();
    let cause = Error::ChunkCallback {
        first: 64,
        last: 127,
        result: 42,
        time: 0.06,
    };
    assert!(
        matches!(
            failure,
            Failure {
                body: Some(64),
                completed: 6,
                ..
            }
        ),
        "{failure:?}"
    );
    assert_eq!(failure.cause.to_string(), cause.to_string());
    assert_eq!(e.callback_result(), 42);
    assert!(failure.to_string().starts_with(
        "after 6 steps: body 64: the torque callback for bodies 64 to 127 returned 42"
    ));
    assert!((e.time() - 0.06).abs() < 1e-15, "six steps stand");
}

#[derive(Debug, PartialEq)]
struct LeftTheMesh(usize);

impl std::error::Error for LeftTheMesh {}

impl std::fmt::Display for LeftTheMesh {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "left the mesh at cell {}", self.0)
    }
}

/// Any error of the user's own, a boxed one, a text, or one of the library, which is not wrapped.
#[test]
fn the_error_of_a_torque_comes_out_of_the_step_as_it_went_in_and_the_body_has_not_moved() {
    type Orientation = UnitQuaternion<f64>;
    let inertia = Inertia::from_moments(Vector3::new(1.0, 2.0, 3.0)).unwrap();
    let start = Body::new(
        inertia,
        UnitQuaternion::identity(),
        Vector3::new(1.0, 1.0, 1.0),
    )
    .unwrap();
    for method in [
        Method::Pcdm,
        Method::Splitting,
        Method::Cf4,
        Method::ForceGradient,
    ] {
        let mut body = start.clone();
        body.set_method(method);
        let mut mine =
            |_: f64, _: &Orientation, _: &Vector3<f64>| Err::<Vector3<f64>, _>(LeftTheMesh(7));
        let error = body.step(0.1, &mut mine).unwrap_err();
        assert_eq!(
            (error.torque_error(), error.to_string().as_str()),
            (Some(&LeftTheMesh(7)), "left the mesh at cell 7")
        );
        assert!(error.torque_error::<std::fmt::Error>().is_none() && error == error.clone());
        assert_ne!(
            error,
            body.step(0.1, &mut mine).unwrap_err(),
            "another error"
        );
        assert_eq!((body.time(), state_bits(&body)), (0.0, state_bits(&start)));

        let mut late = |t: f64, _: &Orientation, _: &Vector3<f64>| {
            if t > 0.31 {
                Err(Box::<dyn std::error::Error + Send + Sync>::from(
                    LeftTheMesh(8),
                ))
            } else {
                Ok(Vector3::z())
            }
        };
        let failure = body.advance(0.1, 100, &mut late).unwrap_err();
        assert_eq!(
            (failure.cause.torque_error(), failure.completed),
            (Some(&LeftTheMesh(8)), 3),
            "{method:?}"
        );
        assert_eq!(
            failure.to_string(),
            "after 3 steps: left the mesh at cell 8"
        );
        assert!((body.time() - 0.3).abs() < 1e-15);
        let failure = body.solve(1.0, 1e-9, &mut late).unwrap_err();
        assert_eq!(failure.cause.torque_error(), Some(&LeftTheMesh(8)));
    }

    let mut body = start.clone();
    let mut text =
        |_: f64, _: &Orientation, _: &Vector3<f64>| Err::<Vector3<f64>, _>("no air here");
    assert_eq!(
        body.step(0.1, &mut text).unwrap_err().to_string(),
        "no air here"
    );
    let mut own = |_: f64, _: &Orientation, _: &Vector3<f64>| Err::<Vector3<f64>, _>(Error::Memory);
    assert_eq!(body.step(0.1, &mut own).unwrap_err(), Error::Memory);
    let mut good = |_: f64, _: &Orientation, _: &Vector3<f64>| Ok::<_, LeftTheMesh>(Vector3::z());
    let mut plain = |_: f64, _: &Orientation, _: &Vector3<f64>| Vector3::z();
    let mut other = start.clone();
    body.step(0.1, &mut good).unwrap();
    other.step(0.1, &mut plain).unwrap();
    assert_eq!(state_bits(&body), state_bits(&other));
}

/// A panic in a callback goes on to the caller when all states are as before, wherever they lie.
#[test]
fn a_panic_in_a_callback_leaves_every_body_as_it_was() {
    let cases = [(1, false), (1, true), (3, false), (3, true)];
    for ((threads, is_bound), active) in cases
        .into_iter()
        .flat_map(|case| [N, 3, 67].map(|active| (case, active)))
    {
        let (mut q, mut omega) = (orientations(), vectors(2.0));
        let mut e = bodies(Method::Pcdm);
        let first: Vec<usize> = (0..active).collect(); // those behind them share a block with the last of them
        e.set_active(Some(&first)).unwrap();
        if is_bound {
            e.bind_orientations(ViewMut::rows(&mut q).unwrap()).unwrap();
            e.bind_angular_velocities(ViewMut::rows(&mut omega).unwrap(), VelocityKind::OmegaBody)
                .unwrap();
        }
        e.set_threads(threads).unwrap();
        let before = all_bits(&e);
        let panics =
            move |_: f64, first: usize, count: usize, _: &[f64], _: &[f64], _: &mut [f64]| {
                assert!(first + count < active, "on purpose");
                Ok(())
            };
        e.set_torque(Box::new(panics), Layout::Aos, Frame::World)
            .unwrap();
        assert!(catch_unwind(AssertUnwindSafe(|| e.step(DT))).is_err());
        assert!(
            all_bits(&e) == before && e.time() == 0.0,
            "{threads} threads, bound: {is_bound}, {active} active"
        );

        e.set_free().unwrap(); // and it is none the worse for it
        e.step(DT).unwrap();
        assert!(all_bits(&e) != before);
    }
}

#[test]
fn no_callback_runs_where_no_body_moves() {
    for (method, is_bound) in [
        (Method::Pcdm, false),
        (Method::Pcdm, true),
        (Method::Splitting, true),
    ] {
        let mut q = orientations();
        let mut e = bodies(method);
        if is_bound {
            e.bind_orientations(ViewMut::rows(&mut q).unwrap()).unwrap();
        }
        e.set_active(Some(&[])).unwrap();
        let fails = |_: f64, _: usize, _: usize, _: &[f64], _: &[f64], _: &mut [f64]| Err(1);
        e.set_torque(Box::new(fails), Layout::Aos, Frame::World)
            .unwrap();
        e.advance(DT, 2).unwrap();
        assert_eq!(e.time(), 2.0 * DT);
    }
}

#[test]
fn only_the_end_of_a_begun_step_lets_the_ensemble_be_changed() {
    let mut e = bodies(Method::Cf4);
    let (mut q, mut omega) = (vec![0.0; 4 * N], vec![0.0; 3 * N]);
    let order = |outcome: Result<(), Failure>| {
        assert!(matches!(outcome.unwrap_err().cause, Error::Order(_)))
    };
    order(e.supply_torque(&omega));
    e.begin_steps(DT, 1).unwrap();
    order(e.begin_steps(DT, 1));
    order(e.set_method(Method::Pcdm));
    order(e.set_free());
    order(e.set_points(&[0], View::rows(&[1.0, 0.0, 0.0]).unwrap()));
    order(e.step(DT));
    order(e.supply_torque(&omega));
    let before = all_bits(&e);
    assert_eq!(
        e.next_stage(&mut q, &mut omega),
        Ok(Progress::NeedTorque(0.0))
    );
    e.supply_torque(&vec![1.0; 3 * N]).unwrap();
    assert_eq!(
        e.next_stage(&mut q, &mut omega),
        Ok(Progress::NeedTorque(0.5 * DT))
    );
    e.cancel_step();
    assert!(all_bits(&e) == before);
    e.step(DT).unwrap();
}

#[test]
fn a_view_of_a_vector_reads_what_was_given() {
    let data: Vec<f64> = (0..12).map(f64::from).collect();
    assert_eq!(View::<3>::rows(&data).unwrap().get(2), [6.0, 7.0, 8.0]);
    assert_eq!(View::<3>::columns(&data).unwrap().get(2), [2.0, 6.0, 10.0]);
    assert_eq!(
        View::<3>::strided(&data, 11, 2, -3, -1).unwrap().get(1),
        [8.0, 7.0, 6.0]
    );
    assert_eq!(
        View::<3>::shared(&[1.0, 2.0, 3.0], 5).get(4),
        [1.0, 2.0, 3.0]
    );
}

#[test]
fn steps_of_a_method_that_keeps_nothing_leave_nothing_in_the_memory_of_the_next() {
    let mut torque = ConstantBody::new([0.3, 0.2, 0.1]).unwrap();
    let [mut after_cf4, mut alone] = [alone(3, Method::Cf4), alone(3, Method::Splitting)];
    after_cf4.step(0.1, &mut torque).unwrap();
    after_cf4.set_method(Method::Splitting);
    let [after_cf4, alone] = [&mut after_cf4, &mut alone].map(|body| {
        body.step(0.2, &mut torque).unwrap();
        body.memory().unwrap()
    });
    assert_eq!(after_cf4[3..], alone[3..]);
}

#[test]
fn a_body_restored_with_its_memory_goes_on_with_the_same_bits() {
    for method in [Method::Pcdm, Method::Splitting, Method::Cf4] {
        for with_drag in [false, true] {
            let mut torque = LinearDrag::new([0.3, 0.2, 0.1]).unwrap();
            let mut constant = ConstantBody::new([0.3, 0.2, 0.1]).unwrap();
            let mut step = |body: &mut Body, steps| match with_drag {
                true => body.advance(0.1, steps, &mut torque).unwrap(),
                false => body.advance(0.1, steps, &mut constant).unwrap(),
            };
            let mut body = alone(3, method);
            step(&mut body, 7);
            assert_eq!(body.memory().is_some(), method == Method::Splitting);
            let mut again = Body::new(
                *body.inertia(),
                UnitQuaternion::identity(),
                Vector3::zeros(),
            )
            .unwrap();
            again.set_method(method);
            again
                .set_state_body(body.orientation(), body.angular_velocity_body())
                .unwrap();
            again.set_clock(body.clock()).unwrap();
            again.set_memory(body.memory()).unwrap();
            step(&mut body, 7);
            step(&mut again, 7);
            assert_eq!(
                state_bits(&again),
                state_bits(&body),
                "{method:?}, drag: {with_drag}"
            );
            assert!(again.set_memory(Some([f64::NAN; 7])).is_err());
        }
    }
}

#[test]
fn a_builder_makes_the_body_that_the_setters_make() {
    let inertia = Inertia::from_moments(Vector3::new(1.0, 1.5, 2.2)).unwrap();
    let q = UnitQuaternion::from_euler_angles(0.3, -0.5, 1.1);
    let omega = Vector3::new(0.4, -0.7, 0.2);
    let h = Vector3::new(0.1, 0.0, -0.3);
    let mut built = Body::builder(inertia)
        .orientation(q)
        .angular_velocity_body(omega)
        .time(2.5)
        .method(Method::Splitting)
        .rotor_momentum(h)
        .build()
        .expect("valid");
    let mut set = Body::new(inertia, q, Vector3::zeros()).expect("valid");
    set.set_state_body(set.orientation(), omega).unwrap();
    set.set_time(2.5).unwrap();
    set.set_method(Method::Splitting);
    set.set_rotor_momentum(Some(h)).unwrap();
    for body in [&mut built, &mut set] {
        body.advance(0.01, 20, &mut Free).expect("finite");
    }
    assert_eq!(state_bits(&built), state_bits(&set));
    assert_eq!(built.time(), set.time());
    let at_rest = Body::builder(inertia).build().expect("valid");
    assert_eq!(at_rest.angular_velocity(), Vector3::zeros());
    let in_world = Body::builder(inertia)
        .orientation(q)
        .angular_velocity(omega)
        .build()
        .expect("valid");
    assert!((in_world.angular_velocity() - omega).norm() < 1e-15);
    let nan = Body::builder(inertia).time(f64::NAN).build();
    assert!(nan.expect_err("NaN").to_string().contains("`time`"));
}

#[test]
fn errors_lead_to_their_sources_and_an_ensemble_can_be_printed() {
    use std::error::Error as _;
    let inertia = Inertia::from_moments(Vector3::new(1.0, 1.5, 2.2)).unwrap();
    let mut body = Body::builder(inertia).build().expect("valid");
    let mut failing = |_: f64, _: &UnitQuaternion<f64>, _: &Vector3<f64>| {
        Err::<Vector3<f64>, std::fmt::Error>(std::fmt::Error)
    };
    let failure = body.advance(0.1, 1, &mut failing).expect_err("it fails");
    let cause = failure.source().expect("the error of the library");
    let own = cause.source().expect("the error of the torque");
    assert!(own.downcast_ref::<std::fmt::Error>().is_some());
    let text = format!("{:?}", Ensemble::new(12).unwrap());
    assert!(
        text.starts_with("Ensemble { count: 12, active: 12, time: 0.0, method: Pcdm"),
        "{text}"
    );
}

type BoxedTorque<'a> =
    Box<dyn FnMut(f64, &UnitQuaternion<f64>, &Vector3<f64>) -> Vector3<f64> + 'a>;

/// One body under a torque, an event and a monitor that borrow what lives for the call alone.
fn solved_with_borrows<'a>(
    body: &mut Body,
    table: &'a [f64],
    seen: &'a mut Vec<f64>,
    asked: &'a std::cell::Cell<u32>,
) -> Result<Option<f64>, Failure> {
    let mut torque = |_: f64, q: &UnitQuaternion<f64>, _: &Vector3<f64>| {
        asked.set(asked.get() + 1);
        q * Vector3::new(table[0], 0.0, 0.0)
    };
    let monitor = |time: f64, _: &UnitQuaternion<f64>, _: &Vector3<f64>| {
        seen.push(time);
        std::ops::ControlFlow::Continue(())
    };
    body.solve_monitored(1.0, 1e-9, &mut torque, 1, monitor)?;
    let mut chosen: BoxedTorque<'a> = Box::new(torque);
    let event = |_: f64, _: &UnitQuaternion<f64>, omega: &Vector3<f64>| omega.x - table[1];
    body.solve_until(9.0, 1e-12, event, quatint::Crossing::Rising, &mut chosen)
}

/// A body keeps no closure. One that had to be `'static` would not compile here.
#[test]
fn torques_events_and_monitors_of_a_body_may_borrow_for_one_call() {
    let inertia = Inertia::from_moments(Vector3::new(2.0, 3.0, 4.0)).unwrap();
    let mut body = Body::new(inertia, UnitQuaternion::identity(), Vector3::zeros()).unwrap();
    let (mut table, mut seen) = (vec![4.0, 3.0], Vec::new());
    let asked = std::cell::Cell::new(0); // not Sync: nor need a torque be
    let found = solved_with_borrows(&mut body, &table, &mut seen, &asked).unwrap();
    assert!((found.unwrap() - 1.5).abs() < 1e-12, "{found:?}"); // 4 t / 2 = 3
    assert_eq!(seen.last(), Some(&1.0));
    let before = asked.get();
    assert!(before > 12);
    (table[1], seen) = (6.0, Vec::new()); // they are the program's again
    body.set_time(0.0).unwrap();
    let found = solved_with_borrows(&mut body, &table, &mut seen, &asked).unwrap();
    assert!(
        (found.unwrap() - 1.5).abs() < 1e-12 && asked.get() > before,
        "{found:?}"
    ); // from 3 to 6
}
