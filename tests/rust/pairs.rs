//! Where two features meet: what one call does must not depend on a detour before it.

use crate::common::bits::state_bits_in;
use crate::common::generic::{Random, Shape, tensor};
use nalgebra::Vector3;
use quatint::torque::UniformField;
use quatint::{
    Body, Ensemble, Error, Frame, Inertia, Layout, Method, Parts, Progress, VelocityKind, View,
    ViewMut,
};

type V = Vector3<f64>;

const COUNT: usize = 5;
const ALL: Parts = Parts {
    state: true,
    inertia: true,
    torque: true,
    memory: true,
    id: true,
    bound: true,
};

fn bodies(random: &mut Random) -> Ensemble<'static, 'static> {
    let mut e = Ensemble::new(COUNT).unwrap();
    let tensors: Vec<f64> = (0..COUNT)
        .flat_map(|_| {
            let moments = random.moments(Shape::Compact);
            let tensor = tensor(moments, &random.rotation());
            tensor.as_slice().to_vec()
        })
        .collect();
    e.set_inertias(View::rows(&tensors).unwrap()).unwrap();
    for body in 0..COUNT {
        e.set_orientation(body, random.rotation()).unwrap();
        e.set_angular_velocity(body, random.vector()).unwrap();
    }
    e
}

fn states(e: &Ensemble) -> Vec<[u64; 7]> {
    (0..e.count()).map(|body| state_bits_in(e, body)).collect()
}

const GRADIENT: [f64; 9] = [0.0, 1.0, 0.2, 0.0, 0.0, 0.0, 0.3, 0.0, 0.0];

/// One of the calls that decide how an ensemble takes its steps, by what they set: 0, torque; 1, drag; 2, random torques; 3, rotors;
/// 4, method.
fn set(e: &mut Ensemble, what: usize, choice: usize) -> Result<(), quatint::Failure> {
    let three = &[0.3, 0.5, 0.2];
    let shared = View::shared(three, COUNT);
    match (what, choice) {
        (0, 0) => e.set_free(),
        (0, 1) => e.set_shear_flow(shared, 0.1, GRADIENT),
        (0, 2) => e.set_uniform_field(shared, [0.1, -0.2, 0.3]),
        (0, _) => e.set_linear_drag(shared),
        (1, 0 | 1) => e.clear_drag(),
        (1, _) => e.set_drag(shared, None),
        (2, 0 | 1) => e.clear_langevin(),
        (2, _) => e.set_langevin(shared, None, 0.7, 3),
        (3, 0 | 1) => e.set_rotor_momentum(None),
        (3, _) => e.set_rotor_momentum(Some(shared)),
        (_, 0) => e.set_method(Method::Pcdm),
        (_, 1) => e.set_method(Method::Splitting),
        (_, 2) => e.set_method(Method::Splitting4),
        (_, _) => e.set_method(Method::Cf4),
    }
}

/// Steps, rows and selections have the bits of an ensemble to which the same was said once.
#[test]
fn what_has_been_set_and_taken_away_leaves_nothing_behind() {
    let random = &mut Random(8);
    let mut taken = 0;
    for case in 0..4000 {
        let seed = random.one_of(&[1, 2, 3]);
        let [mut e, mut fresh] = [1, 2].map(|_| bodies(&mut Random(seed)));
        for _ in 0..random.one_of(&[3, 6, 9]) {
            // some are refused, which changes nothing
            let _ = set(
                &mut e,
                random.one_of(&[0, 1, 2, 3, 4]),
                random.one_of(&[0, 1, 2, 3]),
            );
        }
        let last: Vec<usize> = (0..5).map(|_| random.one_of(&[0, 1, 2, 3])).collect();
        let order = random.one_of(&[[4, 0, 2, 1, 3], [0, 1, 4, 3, 2], [2, 3, 0, 4, 1]]);
        for nothing in 0..4 {
            set(&mut e, nothing, 0).unwrap();
        }
        set(&mut e, 4, 0).unwrap();
        let is_allowed = order.iter().all(|&what| {
            let outcomes = [&mut e, &mut fresh].map(|e| set(e, what, last[what]).is_ok());
            assert_eq!(outcomes[0], outcomes[1], "{case}");
            outcomes[0]
        });
        if !is_allowed {
            continue;
        }
        for _ in 0..2 {
            let [left, right] = [&mut e, &mut fresh].map(|e| e.step(0.1).is_ok());
            assert_eq!(left, right, "{case}: {last:?}");
            taken += usize::from(left);
            assert_eq!(states(&e), states(&fresh), "{case}: {last:?}");
            let rows = [&e, &fresh].map(|e| {
                let mut rows = vec![0.0; COUNT * e.row_size(ALL)];
                e.rows(ALL, None, &mut rows).unwrap();
                rows.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
            });
            assert_eq!(rows[0], rows[1], "{case}: {last:?}");
            for e in [&mut e, &mut fresh] {
                e.select(&[2, 0, 1, 4, 3]).unwrap();
            }
        }
    }
    assert!(taken > 2000, "{taken}");
}

/// Orientations, velocities of any kind, or both are bound; then some bodies stop, and the arrays are released in one of three ways.
/// The bodies that stopped had the state from before the binding.
#[test]
fn bodies_that_are_not_active_keep_their_states_when_arrays_are_released() {
    let random = &mut Random(9);
    let kinds = [
        VelocityKind::OmegaBody,
        VelocityKind::OmegaWorld,
        VelocityKind::AngularMomentumBody,
        VelocityKind::AngularMomentumWorld,
    ];
    for case in 0..400 {
        let mut e = bodies(random);
        let mut q: Vec<f64> = (0..COUNT)
            .flat_map(|_| {
                let q = random.rotation();
                [q.w, q.i, q.j, q.k]
            })
            .collect();
        let mut v: Vec<f64> = (0..3 * COUNT).map(|_| random.between(-1.0, 1.0)).collect();
        let [binds_q, binds_v] = random.one_of(&[[true, false], [false, true], [true, true]]);
        if binds_q {
            e.bind_orientations(ViewMut::rows(&mut q).unwrap()).unwrap();
        }
        if binds_v {
            let array = ViewMut::rows(&mut v).unwrap();
            e.bind_angular_velocities(array, random.one_of(&kinds))
                .unwrap();
        }
        e.advance(0.1, 5).unwrap();
        let list: &[usize] = random.one_of(&[&[0][..], &[0, 1, 2], &[1, 4], &[], &[2, 3]]);
        e.set_active(Some(list)).unwrap();
        let before = states(&e);
        let from = match case % 3 {
            0 => {
                e.release_arrays().unwrap();
                vec![0, 1, 2, 3, 4]
            }
            1 => {
                e.resize(4).unwrap();
                vec![0, 1, 2, 3]
            }
            _ => {
                e.select(&[4, 1, 1, 0]).unwrap();
                vec![4, 1, 1, 0]
            }
        };
        let expected: Vec<_> = from.iter().map(|&body| before[body]).collect();
        assert_eq!(states(&e), expected, "{case}: {list:?}");
    }
}

/// As the header says, rows of bodies that do not move may hold anything.
#[test]
fn a_row_of_a_body_that_is_not_active_and_holds_no_state_leaves_it_the_one_before() {
    let mut e = bodies(&mut Random(3));
    let own = states(&e);
    let mut q = vec![f64::NAN; 4 * COUNT];
    q[4..8].copy_from_slice(&[0.6, 0.0, 0.8, 0.0]);
    e.set_active(Some(&[1])).unwrap();
    e.bind_orientations(ViewMut::rows(&mut q).unwrap()).unwrap();
    e.step(0.1).unwrap();
    e.release_arrays().unwrap();
    for body in [0, 2, 3, 4] {
        assert_eq!(state_bits_in(&e, body), own[body]);
    }
}

/// With random torques or without them, with ids that were given or without.
#[test]
fn bodies_keep_their_ids_through_selections_at_any_time() {
    let coefficients = &[1.0, 2.0, 3.0];
    for case in 0..2 * 2 * 3 {
        let mut e = bodies(&mut Random(4));
        e.set_method(Method::Splitting).unwrap();
        let bath = View::shared(coefficients, COUNT);
        if case % 2 == 0 {
            e.set_ids(None).unwrap();
        }
        match case / 2 % 3 {
            0 => {}
            1 => e.set_langevin(bath, None, 1.0, 7).unwrap(),
            _ => {
                e.set_langevin(bath, None, 1.0, 7).unwrap();
                e.clear_langevin().unwrap();
            }
        }
        if case / 6 == 1 {
            e.select(&[0, 1, 2, 3, 4]).unwrap();
        }
        e.select(&[3, 0, 4, 1, 2]).unwrap();
        e.select(&[0, 1, 2, 3]).unwrap();
        let ids: Vec<u64> = (0..4).map(|body| e.id(body)).collect();
        assert_eq!(ids, [3, 0, 4, 1], "{case}");
        e.resize(5).unwrap();
        assert_eq!(e.id(4), 5, "{case}: after the greatest");
    }
}

/// A lock takes the velocity away for good, in own memory and in a bound array alike.
#[test]
fn a_lock_that_is_undone_gives_no_velocity_back_wherever_it_is_kept() {
    let random = &mut Random(6);
    for case in 0..200 {
        let moments = random.moments(Shape::Compact);
        let inertia = Inertia::from_moments(moments).unwrap();
        let q = random.rotation();
        let omega = random.vector();
        let axes = random.one_of(&[3, 5, 6, 7]);
        for kind in [
            None,
            Some(VelocityKind::OmegaBody),
            Some(VelocityKind::OmegaWorld),
        ] {
            let mut v = vec![0.0; 3];
            let mut e = Ensemble::new(1).unwrap();
            e.set_inertia(inertia).unwrap();
            e.set_orientation(0, q).unwrap();
            if let Some(kind) = kind {
                e.bind_angular_velocities(ViewMut::rows(&mut v).unwrap(), kind)
                    .unwrap();
            }
            e.set_angular_velocity(0, omega).unwrap();
            let before = Vector3::from(e.angular_velocity_body(0));
            if case % 2 == 0 {
                e.lock_axes(&[axes], true).unwrap();
            } else {
                let mut row = vec![0.0; 7];
                let inertia_alone = Parts {
                    inertia: true,
                    ..Parts::default()
                };
                e.rows(inertia_alone, None, &mut row).unwrap();
                let unlocked = row.clone();
                row[..3].copy_from_slice(&[0.0, 1.5, 1.5]);
                e.set_rows(inertia_alone, None, &row).unwrap();
                e.set_rows(inertia_alone, None, &unlocked).unwrap();
            }
            e.set_inertia(inertia).unwrap();
            let after = Vector3::from(e.angular_velocity_body(0));
            let is_locked = |k: usize| {
                if case % 2 == 0 {
                    axes >> k & 1 == 1
                } else {
                    k == 0
                }
            };
            for k in 0..3 {
                let expected = if is_locked(k) { 0.0 } else { before[k] };
                assert!(
                    (after[k] - expected).abs() < 1e-15,
                    "{case}, {kind:?}: {after}"
                );
            }
        }
    }
}

/// Each splitting method, after its own row: the torque of the row is that of the old orientation.
#[test]
fn a_state_that_is_set_after_memory_begins_with_its_own_torque() {
    let random = &mut Random(12);
    let methods = [
        Method::Splitting,
        Method::Splitting4,
        Method::Splitting6,
        Method::ForceGradient,
    ];
    for case in 0..400 {
        let inertia = Inertia::new(&tensor(random.moments(Shape::Compact), &random.rotation()));
        let mut body = Body::new(inertia.unwrap(), random.rotation(), random.vector()).unwrap();
        body.set_method(random.one_of(&methods));
        let field = [(); 2].map(|()| <[f64; 3]>::from(random.vector()));
        let mut field = UniformField::new(field[0], field[1]).unwrap();
        body.step(0.1, &mut field).unwrap();
        let mut restored = body.clone();
        restored.set_memory(body.memory()).unwrap();
        let (q, omega) = (random.rotation(), random.vector());
        let mut fresh = body.clone();
        fresh.forget_torque();
        for body in [&mut restored, &mut fresh] {
            match case % 3 {
                0 => body.set_state(q, omega).unwrap(),
                1 => body.set_state_body(q, omega).unwrap(),
                _ => body.set_angular_momentum(omega).unwrap(),
            }
            assert!(body.memory().is_none());
            body.step(0.1, &mut field).unwrap();
        }
        assert_eq!(restored.orientation(), fresh.orientation(), "{case}");
        assert_eq!(restored.angular_velocity(), fresh.angular_velocity());
    }
}

/// The call that ends a step looks at its arrays first: with short ones nothing has happened.
#[test]
fn a_stage_with_too_short_arrays_takes_no_step() {
    for method in [Method::Pcdm, Method::Splitting, Method::Cf4] {
        let [mut e, mut other] = [1, 2].map(|_| bodies(&mut Random(13)));
        let (mut q, mut omega) = ([0.0; 4 * COUNT], [0.0; 3 * COUNT]);
        for e in [&mut e, &mut other] {
            e.set_method(method).unwrap();
            e.begin_steps(0.1, 2).unwrap();
        }
        loop {
            let before = (states(&e), e.clock());
            for (short_q, short_omega) in [(4 * COUNT - 1, 3 * COUNT), (4 * COUNT, 3 * COUNT - 1)] {
                let outcome = e.next_stage(&mut q[..short_q], &mut omega[..short_omega]);
                let error = outcome.unwrap_err();
                assert!(matches!(error.cause, Error::Capacity { .. }), "{error:?}");
                assert_eq!((states(&e), e.clock()), before);
            }
            let progress = e.next_stage(&mut q, &mut omega).unwrap();
            assert_eq!(other.next_stage(&mut [], &mut []).unwrap(), progress);
            if progress == Progress::Done {
                break;
            }
            let torque: Vec<f64> = omega.iter().map(|x| -0.3 * x).collect();
            for e in [&mut e, &mut other] {
                e.supply_torque(&torque).unwrap();
            }
        }
        assert_eq!(states(&e), states(&other));
        assert!((e.time() - 0.2).abs() < 1e-15);
    }
}

/// The callback borrows a table of the program, which the program has again afterwards. The arrays are lent for one call.
#[test]
fn a_callback_may_borrow_what_lives_as_long_as_the_ensemble() {
    let strengths: Vec<V> = (0..COUNT).map(|i| V::new(i as f64, 1.0, -2.0)).collect();
    let torque = |_: f64, first: usize, count: usize, _: &[f64], _: &[f64], torque: &mut [f64]| {
        for (torque, strength) in torque.chunks_exact_mut(3).zip(&strengths[first..][..count]) {
            torque.copy_from_slice(strength.as_slice());
        }
        Ok(())
    };
    let mut e = Ensemble::new(COUNT).unwrap();
    e.set_torque(Box::new(torque), Layout::Aos, Frame::World)
        .unwrap();
    e.step(0.1).unwrap();
    let mut q = [1.0, 0.0, 0.0, 0.0].repeat(COUNT);
    let mut omega = vec![0.0; 3 * COUNT];
    let kind = VelocityKind::OmegaWorld;
    e.in_arrays(
        ViewMut::rows(&mut q).unwrap(),
        ViewMut::rows(&mut omega).unwrap(),
        kind,
        |e| e.step(0.1),
    )
    .unwrap();
    for body in 0..COUNT {
        let own = Vector3::from(e.angular_velocity(body));
        assert!((own - strengths[body] * 0.1).norm() < 1e-15);
        assert!((V::from_column_slice(&omega[3 * body..][..3]) - own).norm() < 1e-15);
    }
}
