//! Bodies that come and go: rows, resize, select, release, clocks. The reference is always an ensemble that was left alone.

use crate::common::bits::state_bits_in;
use crate::common::{METHODS, if_shown};
use nalgebra::{UnitQuaternion, Vector3};
use quatint::kernel::Quat;
use quatint::rotation::{components, orientation_of};
use quatint::{
    ChunkTorque, Ensemble, Error, Frame, Inertia, Layout, Method, Parts, VelocityKind, View,
    ViewMut,
};

const N: usize = 70; // more than a chunk, not a multiple of anything
const DT: f64 = 0.013;
const ALL: Parts = Parts {
    state: true,
    inertia: true,
    torque: true,
    memory: true,
    id: false,
    bound: false,
};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Load {
    Free,
    Field,
    Drag,
    OfTime,
}

/// Numbers without pattern.
fn noise(i: usize) -> f64 {
    (12.9898 * (i as f64 + 1.0)).sin()
}

fn noises(count: usize, seed: usize) -> Vec<f64> {
    (0..count).map(|i| noise(i + 1000 * seed)).collect()
}

/// Method and kind of torque are set, but neither states nor parameters are those of a body.
fn empty(count: usize, method: Method, load: Load) -> Ensemble<'static, 'static> {
    let mut e = Ensemble::new(count).expect("memory");
    let zeros = vec![0.0; 3 * count];
    match load {
        Load::Free => e.set_free(),
        Load::Field => e.set_uniform_field(View::rows(&zeros).expect("rows"), [0.1, -0.2, -1.0]),
        Load::Drag => e.set_linear_drag(View::rows(&zeros).expect("rows")),
        Load::OfTime => {
            let torque: Box<ChunkTorque> = Box::new(|time, _, count, q, omega, torque| {
                for i in 0..count {
                    torque[3 * i] = (3.0 * time).sin() - 0.1 * if_shown(omega[3 * i]);
                    torque[3 * i + 1] = q[4 * i] * q[4 * i + 2];
                }
                Ok(())
            });
            e.set_torque(torque, Layout::Aos, Frame::World)
        }
    }
    .expect("valid");
    e.set_method(method).expect("valid");
    e
}

fn filled(method: Method, load: Load) -> Ensemble<'static, 'static> {
    let mut e = empty(N, method, load);
    let vectors = noises(3 * N, 1);
    match load {
        Load::Field => e
            .set_uniform_field(View::rows(&vectors).expect("rows"), [0.1, -0.2, -1.0])
            .expect("valid"),
        Load::Drag => {
            let positive: Vec<f64> = vectors.iter().map(|x| x.abs()).collect();
            e.set_linear_drag(View::rows(&positive).expect("rows"))
                .expect("valid");
        }
        _ => {}
    }
    let mut tensors = Vec::new();
    for i in 0..N {
        let (a, b) = (0.1 * noise(i), 0.2 * noise(i + 7));
        tensors.extend([1.0 + a, b, 0.0, b, 2.0, a, 0.0, a, 2.5 + b]);
    }
    e.set_inertias(View::rows(&tensors).expect("rows"))
        .expect("valid");
    for i in 0..N {
        let q = [noise(i), noise(i + 200), noise(i + 400), 1.0];
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        e.set_orientation(i, orientation_of(Quat(q.map(|x| x / length))))
            .expect("unit");
        e.set_angular_velocity(i, [noise(i + 1), noise(i + 2), noise(i + 3)].into())
            .expect("finite");
    }
    e.set_time(0.1).expect("finite");
    e
}

fn rows_of(e: &Ensemble, parts: Parts, bodies: Option<&[usize]>) -> Vec<f64> {
    let mut rows = vec![0.0; e.row_size(parts) * bodies.map_or(e.count(), <[usize]>::len)];
    e.rows(parts, bodies, &mut rows).expect("room");
    rows
}

fn combinations() -> impl Iterator<Item = (Method, Load)> {
    METHODS.into_iter().flat_map(|method| {
        let loads = [Load::Free, Load::Field, Load::Drag, Load::OfTime];
        loads
            .into_iter()
            .filter(move |&load| load != Load::Drag || method.allows_resistance())
            .map(move |load| (method, load))
    })
}

#[test]
fn a_run_that_is_saved_and_restored_every_ten_steps_has_the_times_and_the_bits_of_one_that_is_not()
{
    for (method, load) in combinations() {
        let (mut run, mut restarted) = (filled(method, load), filled(method, load));
        run.advance(DT, 40).expect("finite");
        for _ in 0..4 {
            restarted.advance(DT, 10).expect("finite");
            let (rows, clock) = (rows_of(&restarted, ALL, None), restarted.clock());
            let mut next = empty(N, method, load);
            next.set_clock(clock).expect("finite");
            next.set_rows(ALL, None, &rows).expect("valid");
            restarted = next;
        }
        assert_eq!(
            run.clock().map(f64::to_bits),
            restarted.clock().map(f64::to_bits),
            "{method:?}, {load:?}"
        );
        (0..N).for_each(|i| {
            assert_eq!(
                state_bits_in(&run, i),
                state_bits_in(&restarted, i),
                "{method:?}, {load:?}, body {i}"
            )
        });
    }
}

#[test]
fn bodies_that_migrate_between_ensembles_keep_their_bits() {
    for (method, load) in combinations() {
        let (mut alone, mut left) = (filled(method, load), filled(method, load));
        alone.advance(DT, 20).expect("finite");
        left.advance(DT, 10).expect("finite");
        // the odd ones leave
        let odd: Vec<usize> = (0..N).filter(|i| i % 2 == 1).collect();
        let even: Vec<usize> = (0..N).filter(|i| i % 2 == 0).collect();
        let mut right = empty(odd.len(), method, load);
        right.set_clock(left.clock()).expect("finite");
        right
            .set_rows(ALL, None, &rows_of(&left, ALL, Some(&odd)))
            .expect("valid");
        left.select(&even).expect("valid");
        assert_eq!((left.count(), right.count()), (even.len(), odd.len()));
        left.advance(DT, 10).expect("finite");
        right.advance(DT, 10).expect("finite");
        for i in 0..N {
            let met = if i % 2 == 0 {
                state_bits_in(&left, i / 2)
            } else {
                state_bits_in(&right, i / 2)
            };
            assert_eq!(
                met,
                state_bits_in(&alone, i),
                "{method:?}, {load:?}, body {i}"
            );
        }
    }
}

#[test]
fn select_sorts_copies_and_removes_and_goes_on_with_the_same_bits() {
    let sorted = (0..2 * N).map(|i| (i * 37 + 5) % N).collect::<Vec<_>>();
    let mut holes_filled = (0..N - 3).collect::<Vec<_>>(); // most bodies keep their places
    (holes_filled[2], holes_filled[20], holes_filled[5]) = (N - 1, N - 3, N - 2);
    let copied = (0..N + 4)
        .map(|i| if i < N { i } else { 3 * (i - N) })
        .collect();
    for from in [sorted, holes_filled, copied] {
        for (method, load) in combinations() {
            let (mut alone, mut selected) = (filled(method, load), filled(method, load));
            alone.advance(DT, 9).expect("finite");
            selected.advance(DT, 5).expect("finite");
            selected.select(&from).expect("valid");
            selected.advance(DT, 4).expect("finite");
            for (i, &body) in from.iter().enumerate() {
                assert_eq!(
                    state_bits_in(&selected, i),
                    state_bits_in(&alone, body),
                    "{method:?}, {load:?}, {i} from {body}"
                );
            }
        }
    }
}

#[test]
fn resize_keeps_the_first_and_adds_bodies_as_created() {
    for (method, load) in combinations() {
        let (mut alone, mut e) = (filled(method, load), filled(method, load));
        e.resize(13).expect("memory");
        e.resize(101).expect("memory");
        assert_eq!(e.count(), 101);
        assert_eq!(
            (e.orientation(13), e.angular_velocity(13)),
            (UnitQuaternion::identity(), Vector3::zeros())
        );
        let rows = rows_of(
            &e,
            Parts {
                inertia: true,
                torque: true,
                ..Parts::default()
            },
            Some(&[50]),
        );
        assert_eq!(rows[..7], [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
        assert!(rows[7..].iter().all(|parameter| *parameter == 0.0));
        alone.advance(DT, 7).expect("finite");
        e.advance(DT, 7).expect("finite");
        (0..13).for_each(|i| {
            assert_eq!(
                state_bits_in(&e, i),
                state_bits_in(&alone, i),
                "{method:?}, {load:?}, body {i}"
            )
        });
        if load != Load::OfTime {
            (13..101).for_each(|i| {
                assert_eq!(
                    e.orientation(i),
                    UnitQuaternion::identity(),
                    "no torque acts on a new body"
                )
            });
        }
        e.resize(0).expect("memory");
        e.step(DT).expect("nothing to do");
        e.resize(3).expect("memory");
        assert_eq!(e.orientation(2), UnitQuaternion::identity());
    }
}

#[test]
fn released_arrays_leave_the_bits_behind_and_are_not_touched_any_more() {
    let (mut q, mut omega) = (vec![0.0; 4 * N], vec![0.0; 3 * N]);
    let mut alone = filled(Method::Splitting, Load::Field);
    let start = filled(Method::Splitting, Load::Field);
    for i in 0..N {
        q[4 * i..][..4].copy_from_slice(&components(start.orientation(i)));
        omega[3 * i..][..3].copy_from_slice(start.angular_velocity_body(i).as_slice());
    }
    let after = {
        let mut bound = filled(Method::Splitting, Load::Field);
        bound
            .bind_orientations(ViewMut::rows(&mut q).expect("rows"))
            .expect("unit");
        bound
            .bind_angular_velocities(
                ViewMut::rows(&mut omega).expect("rows"),
                VelocityKind::OmegaBody,
            )
            .expect("finite");
        bound.advance(DT, 5).expect("finite");
        bound.release_arrays().expect("unit");
        bound.advance(DT, 5).expect("finite");
        (0..N).map(|i| state_bits_in(&bound, i)).collect::<Vec<_>>()
    };
    alone.advance(DT, 5).expect("finite");
    (0..N).for_each(|i| {
        assert_eq!(
            q[4 * i..][..4],
            components(alone.orientation(i)),
            "as they were when released"
        )
    });
    alone.advance(DT, 5).expect("finite");
    (0..N).for_each(|i| assert_eq!(after[i], state_bits_in(&alone, i), "body {i}"));
}

#[test]
fn rows_keep_signs_of_zeros_and_lengths_to_the_last_bit() {
    let state = Parts {
        state: true,
        ..Parts::default()
    };
    let mut e = Ensemble::new(2).expect("memory");
    let row = [
        1.0 + 8.0 * f64::EPSILON,
        -0.0,
        0.0,
        -0.0,
        -0.0,
        1e-300,
        -3.0,
    ];
    e.set_rows(state, Some(&[1]), &row).expect("valid");
    assert_eq!(
        rows_of(&e, state, Some(&[1]))
            .iter()
            .map(|x| x.to_bits())
            .collect::<Vec<_>>(),
        row.map(f64::to_bits)
    );
    assert_eq!(e.orientation(0), UnitQuaternion::identity());
}

#[test]
fn rows_of_shared_values_keep_them_shared_and_others_make_them_separate() {
    let mut e = Ensemble::new(3).expect("memory");
    e.set_inertia(Inertia::from_moments(Vector3::new(1.0, 2.0, 3.0)).expect("valid"))
        .expect("no step");
    e.set_uniform_field(View::shared(&[0.0, 0.0, 2.0], 3), [0.0, 0.0, -1.0])
        .expect("valid");
    let mut rows = rows_of(&e, ALL, None);
    assert_eq!(
        rows[7..17],
        [1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0]
    );
    rows[17 + 7] = 1.5;
    rows[2 * 17 + 16] = -2.0;
    e.set_rows(ALL, None, &rows).expect("valid");
    assert_eq!(rows_of(&e, ALL, None), rows);
}

#[test]
fn what_is_refused_changes_nothing_and_names_the_body() {
    let mut e = filled(Method::Splitting, Load::Field);
    e.advance(DT, 3).expect("finite");
    let before = rows_of(&e, ALL, None);
    let width = e.row_size(ALL);
    assert_eq!(width, 7 + 7 + 3 + 3);
    for (place, value) in [
        (0, 3.0),
        (1, f64::NAN),
        (5, f64::INFINITY),
        (7, 1e308),
        (8, f64::NEG_INFINITY),
        (10, 0.1),
        (15, f64::NAN),
    ] {
        let mut rows = before.clone();
        rows[40 * width + place] = value;
        let failure = e.set_rows(ALL, None, &rows).expect_err("refused");
        assert_eq!(failure.body, Some(40), "{place}: {failure}");
        assert!(rows_of(&e, ALL, None) == before, "{place}");
    }
    let short = e
        .set_rows(ALL, None, &before[1..])
        .expect_err("refused")
        .cause;
    assert!(
        matches!(short, Error::Capacity { name: "rows", .. }),
        "{short}"
    );
    let far = e
        .set_rows(ALL, Some(&[N]), &before)
        .expect_err("refused")
        .cause;
    assert!(
        matches!(far, Error::Invalid { name: "bodies", .. }),
        "{far}"
    );
    let far = e.select(&[0, N]).expect_err("refused").cause;
    assert!(matches!(far, Error::Invalid { name: "from", .. }), "{far}");
    e.begin_steps(DT, 1).expect("valid");
    for outcome in [
        e.select(&[0]),
        e.resize(3),
        e.release_arrays(),
        e.set_rows(ALL, None, &before),
        e.set_clock([0.0; 2]),
    ] {
        assert!(matches!(
            outcome.expect_err("refused").cause,
            Error::Order(_)
        ));
    }
    e.cancel_step(); // of the stage protocol, which would have asked for the torque anew
    let without_memory = Parts {
        memory: false,
        ..ALL
    };
    let states: Vec<f64> = before
        .chunks(width)
        .flat_map(|row| row[..17].to_vec())
        .collect();
    assert!(rows_of(&e, without_memory, None) == states);
    e.advance(DT, 3).expect("finite");
}

#[test]
fn the_clock_of_a_body_is_restored_with_what_rounding_has_left() {
    use quatint::{Body, torque::Free};
    let inertia = Inertia::from_moments(Vector3::new(1.0, 2.0, 3.0)).expect("valid");
    let mut body = Body::new(
        inertia,
        UnitQuaternion::identity(),
        Vector3::new(1.0, 0.2, 0.3),
    )
    .expect("valid");
    let mut other = body.clone();
    body.advance(0.1, 1000, &mut Free).expect("free");
    other.advance(0.1, 333, &mut Free).expect("free");
    let mut restored = other.clone();
    restored.set_clock(other.clock()).expect("finite");
    restored.advance(0.1, 667, &mut Free).expect("free");
    assert_eq!(restored.time().to_bits(), body.time().to_bits());
    assert!(restored.set_clock([f64::NAN, 0.0]).is_err());
}

/// The first bodies as a list that the ensemble must keep as such: the last body moves too.
fn with_last(first: usize) -> Vec<usize> {
    (0..first).chain([N - 1]).collect()
}

#[test]
fn the_first_bodies_move_with_the_bits_they_have_in_a_list_and_the_others_stay() {
    for (method, load) in combinations() {
        for first in [0, 5, 16, 64, 67, N] {
            let (mut e, mut listed) = (filled(method, load), filled(method, load));
            e.set_active(Some(&(0..first).collect::<Vec<_>>()))
                .expect("ascending");
            listed
                .set_active(Some(&with_last(first.min(N - 1))))
                .expect("ascending");
            let start = filled(method, load);
            for steps in [1, 1, 70, 3] {
                e.advance(DT, steps).expect("finite");
                listed.advance(DT, steps).expect("finite");
            }
            e.drift(DT).expect("finite");
            listed.drift(DT).expect("finite");
            for i in 0..N {
                let wanted = if i < first {
                    state_bits_in(&listed, i)
                } else {
                    state_bits_in(&start, i)
                };
                assert_eq!(
                    state_bits_in(&e, i),
                    wanted,
                    "{method:?}, {load:?}, the first {first}, body {i}"
                );
            }
            assert_eq!((e.active_count(), e.time()), (first, listed.time()));
        }
    }
}

#[test]
fn a_step_in_stages_leaves_the_bodies_behind_the_first_ones_alone() {
    let (mut e, mut alone) = (
        filled(Method::Pcdm, Load::Free),
        filled(Method::Pcdm, Load::Free),
    );
    let start = filled(Method::Pcdm, Load::Free);
    e.set_active(Some(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))
        .expect("ascending");
    let take = |e: &mut Ensemble, count: usize| {
        let (mut q, mut omega) = (vec![0.0; 4 * count], vec![0.0; 3 * count]);
        e.begin_steps(DT, 3).expect("valid");
        let mut progress = e.next_stage(&mut q, &mut omega).expect("finite");
        while progress != quatint::Progress::Done {
            let torque: Vec<f64> = omega.iter().map(|x| -0.1 * x).collect();
            progress = e
                .continue_step(&torque, &mut q, &mut omega)
                .expect("finite");
        }
    };
    take(&mut e, 11);
    take(&mut alone, N);
    (0..11).for_each(|i| assert_eq!(state_bits_in(&e, i), state_bits_in(&alone, i), "body {i}"));
    (11..N).for_each(|i| assert_eq!(state_bits_in(&e, i), state_bits_in(&start, i), "body {i}"));
}

#[test]
fn a_step_of_the_first_bodies_that_fails_changes_nothing() {
    let mut e = filled(Method::Pcdm, Load::Free);
    e.set_active(Some(&(0..67).collect::<Vec<_>>()))
        .expect("ascending");
    e.advance(DT, 3).expect("finite");
    e.set_angular_velocity(66, [1e150, 1e150, 1e150].into())
        .expect("below 1e154");
    let before: Vec<_> = (0..N).map(|i| state_bits_in(&e, i)).collect();
    assert_eq!(e.advance(1.0, 5).expect_err("overflows").body, Some(66));
    assert!((0..N).all(|i| state_bits_in(&e, i) == before[i]));
}

#[test]
fn what_all_bodies_share_is_remembered_while_there_are_none() {
    let mut e = Ensemble::new(0).expect("memory");
    e.set_inertia(Inertia::from_moments(Vector3::new(1.0, 2.0, 3.0)).expect("valid"))
        .expect("no step");
    e.set_uniform_field(View::shared(&[0.0, 0.0, 2.0], 0), [0.0, 0.0, -1.0])
        .expect("valid");
    e.set_drag(View::shared(&[0.5; 3], 0), None).expect("valid");
    e.resize(2).expect("memory");
    let rows = rows_of(&e, ALL, Some(&[1]));
    assert_eq!(
        rows[7..],
        [
            1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.5, 0.5, 0.5, 0.0, 0.0, 0.0
        ]
    );
}

#[test]
fn a_drag_travels_with_its_body() {
    let dragged = |count: usize| {
        let mut e = empty(count, Method::Splitting, Load::Field);
        let zeros = vec![0.0; 3 * count];
        let rows = |numbers| View::rows(numbers).expect("rows");
        e.set_drag(rows(&zeros), Some(rows(&zeros))).expect("valid");
        e
    };
    let (mut alone, mut here) = (dragged(N), dragged(N));
    let rows = rows_of(
        &filled(Method::Splitting, Load::Field),
        Parts {
            memory: false,
            ..ALL
        },
        None,
    );
    let with_drag: Vec<f64> = (0..N)
        .flat_map(|i| {
            let drag = [0.1, 0.2, noise(i).abs(), 0.3, noise(i), 0.0];
            rows[17 * i..][..17]
                .iter()
                .copied()
                .chain(drag)
                .collect::<Vec<_>>()
        })
        .collect();
    for e in [&mut alone, &mut here] {
        e.set_rows(
            Parts {
                memory: false,
                ..ALL
            },
            None,
            &with_drag,
        )
        .expect("valid");
        e.advance(DT, 5).expect("finite");
    }
    alone.advance(DT, 5).expect("finite");
    let mut there = dragged(2);
    there.set_clock(here.clock()).expect("finite");
    there
        .set_rows(ALL, None, &rows_of(&here, ALL, Some(&[40, 3])))
        .expect("valid");
    there.advance(DT, 5).expect("finite");
    assert_eq!(
        [state_bits_in(&there, 0), state_bits_in(&there, 1)],
        [state_bits_in(&alone, 40), state_bits_in(&alone, 3)]
    );
}

#[test]
fn momenta_in_a_bound_array_are_those_of_the_new_inertias() {
    let parts = Parts {
        state: true,
        inertia: true,
        ..Parts::default()
    };
    let (mut q, mut momenta) = ([1.0, 0.0, 0.0, 0.0], [0.0; 3]);
    let mut e = Ensemble::new(1).expect("memory");
    e.bind_orientations(ViewMut::rows(&mut q).expect("rows"))
        .expect("unit");
    let array = ViewMut::rows(&mut momenta).expect("rows");
    e.bind_angular_velocities(array, VelocityKind::AngularMomentumBody)
        .expect("finite");
    let row = [
        1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 5.0, 6.0, 7.0, 1.0, 0.0, 0.0, 0.0,
    ];
    e.set_rows(parts, None, &row).expect("valid");
    assert_eq!(rows_of(&e, parts, None), row);
    drop(e);
    assert_eq!(momenta, [5.0, 12.0, 21.0]);
}

#[test]
fn bodies_that_enter_an_ensemble_keep_their_bits_and_change_no_others() {
    for (method, load) in combinations() {
        let (mut alone, mut here) = (filled(method, load), filled(method, load));
        let mut there = filled(method, load);
        for e in [&mut alone, &mut here, &mut there] {
            e.advance(DT, 10).expect("finite");
        }
        there.select(&[60, 61, 62]).expect("valid");
        let movers = rows_of(&here, ALL, Some(&[5, 50]));
        there.resize(6).expect("memory");
        there.set_rows(ALL, Some(&[4, 3]), &movers).expect("valid");
        // body 5 is new
        let state = Parts {
            state: true,
            ..Parts::default()
        };
        there
            .set_rows(state, Some(&[5]), &[1.0, 0.0, 0.0, 0.0, 0.1, 0.2, 0.3])
            .expect("valid");
        let mut fresh = filled(method, load);
        fresh.select(&[0]).expect("valid");
        fresh
            .set_rows(ALL, None, &rows_of(&there, ALL, Some(&[5])))
            .expect("valid");
        fresh.set_clock(there.clock()).expect("finite");
        for e in [&mut alone, &mut there, &mut fresh] {
            e.advance(DT, 10).expect("finite");
        }
        for (i, body) in [60, 61, 62, 50, 5].into_iter().enumerate() {
            assert_eq!(
                state_bits_in(&there, i),
                state_bits_in(&alone, body),
                "{method:?}, {load:?}, body {body}"
            );
        }
        assert_eq!(
            state_bits_in(&there, 5),
            state_bits_in(&fresh, 0),
            "{method:?}, {load:?}"
        );
    }
}

#[test]
fn the_stage_protocol_asks_for_the_first_torque_of_newcomers_alone() {
    let torque = |q: &[f64], omega: &[f64]| -> Vec<f64> {
        q.chunks(4)
            .zip(omega.chunks(3))
            .flat_map(|(q, w)| [q[0] - w[1], w[0] * q[2], 0.1 - w[2]])
            .collect()
    };
    let take = |e: &mut Ensemble, steps: u64| {
        let (mut q, mut omega) = (vec![0.0; 4 * e.count()], vec![0.0; 3 * e.count()]);
        e.begin_steps(DT, steps).expect("valid");
        let (mut asked, mut progress) = (0, e.next_stage(&mut q, &mut omega).expect("finite"));
        while progress != quatint::Progress::Done {
            asked += 1;
            progress = e
                .continue_step(&torque(&q, &omega), &mut q, &mut omega)
                .expect("finite");
        }
        asked
    };
    let (mut alone, mut e) = (
        filled(Method::Splitting, Load::Free),
        filled(Method::Splitting, Load::Free),
    );
    assert_eq!([take(&mut alone, 5), take(&mut e, 5)], [6, 6]);
    e.resize(N + 1).expect("memory");
    assert_eq!([take(&mut alone, 5), take(&mut e, 5)], [5, 6]);
    (0..N).for_each(|i| assert_eq!(state_bits_in(&e, i), state_bits_in(&alone, i), "body {i}"));
}

#[test]
fn a_body_that_stops_while_arrays_are_bound_has_a_state_after_their_release() {
    let mut e = filled(Method::Splitting, Load::Field);
    e.advance(DT, 3).expect("finite");
    let mut q = vec![0.0; 4 * N];
    e.orientations(&mut ViewMut::rows(&mut q).expect("rows"))
        .expect("room");
    e.bind_orientations(ViewMut::rows(&mut q).expect("rows"))
        .expect("unit");
    e.set_active(Some(&[1, 2])).expect("ascending");
    e.release_arrays().expect("unit");
    for i in 0..N {
        let length = e.orientation(i).norm_squared();
        assert!(
            (length - 1.0).abs() < 1e-12,
            "body {i}: {:?}",
            e.orientation(i)
        );
    }
}
