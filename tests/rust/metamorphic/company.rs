//! A body alone has the bits of that body in any ensemble: in own memory or in bound arrays, on threads, in a list, by callbacks or by
//! the stage protocol, in one call or in many.

use super::scene::{ALL, Arrays, Home, STATE, Scene, Thing, Trap, V, Way, Wildness, all_in, angle};
use super::{hold, holds};
use crate::common::bits::{state_bits, state_bits_in};
use crate::common::generic::Random;
use quatint::{Body, Ensemble, Frame, Method, View};

/// How many bodies: also more than a chunk has.
fn count(random: &mut Random) -> usize {
    random.one_of(&[1, 1, 2, 2, 3, 5, 9, 17, 33, 70])
}

/// A list of bodies that move, or all.
fn list(random: &mut Random, count: usize) -> Option<Vec<usize>> {
    (random.between(0.0, 1.0) < 0.3).then(|| {
        let part = random.between(0.2, 1.0);
        (0..count)
            .filter(|_| random.between(0.0, 1.0) < part)
            .collect()
    })
}

/// Some of the bodies, or all of few.
fn some(random: &mut Random, count: usize) -> Vec<usize> {
    if count <= 5 {
        return (0..count).collect();
    }
    (0..4)
        .map(|_| (random.between(0.0, count as f64)) as usize)
        .collect()
}

/// A line, or a locked axis, that is no body axis keeps what rounding leaves about it, but bound
/// arrays and lists do not hold that: the header says so. Measured: 1e-17 of the spin.
fn are_near(alone: &[u64], among: &[u64]) -> bool {
    let numbers = alone.iter().zip(among);
    numbers
        .map(|(a, b)| (f64::from_bits(*a), f64::from_bits(*b)))
        .all(|(a, b)| (a - b).abs() < 1e-13)
}

#[test]
fn a_body_in_any_ensemble_has_the_bits_of_the_body_alone() {
    hold(201, 1.0, |random| {
        let n = count(random);
        let scene = Scene::random(random, n, Wildness::Wild).for_ensembles();
        let home = Home::random(random, &scene).with_velocities_in_body_frame();
        let way = Way::random(random, &scene);
        let list = list(random, n);
        let active = list.as_deref();
        let mut arrays = Arrays::of(&scene, &home);
        let mut e = scene.equipped(&home, &mut arrays, way, &Trap::never(), active);
        e.set_rows(STATE, None, &scene.states()).expect("states");
        e.set_time(scene.clock).expect("finite");
        let outcome = scene.move_on(&mut e, way, scene.steps, active);
        let kind = |what: &str| format!("{what}: {}", scene.name());
        let problem = |i: usize| {
            format!(
                "{way:?}, {}, body {i} of {n}, list {list:?}: {home:#?}\n{:#?}\n{:#?}",
                home.name(),
                scene.things.get(i),
                Scene {
                    things: vec![],
                    ..scene.clone()
                }
            )
        };
        if let Err(failure) = outcome {
            let Some(i) = failure.body else {
                return Err(format!("{}\n{failure}\n{}", kind("refused"), problem(0)));
            };
            let mut body = scene.body(i);
            let alone = scene.advance(i, &mut body, scene.dt, scene.steps);
            return holds(
                alone.is_err(),
                || kind("fails only in the ensemble"),
                || format!("{failure}\n{}", problem(i)),
            );
        }
        for i in some(random, n) {
            let mut body = scene.body(i);
            let is_moved = active.is_none_or(|active| active.contains(&i));
            if is_moved {
                let alone = scene.advance(i, &mut body, scene.dt, scene.steps);
                holds(
                    alone.is_ok(),
                    || kind("fails only alone"),
                    || format!("{alone:?}\n{}", problem(i)),
                )?;
            }
            let [alone, among] = [state_bits(&body), state_bits_in(&e, i)];
            let numbers = |bits: [u64; 7]| bits.map(f64::from_bits);
            let is_line =
                scene.things[i].is_turned_line(scene.given) && (home.binds() || active.is_some());
            holds(
                alone == among || is_line && are_near(&alone, &among),
                || kind("other bits"),
                || {
                    format!(
                        "alone {:?}\namong {:?}\n{}",
                        numbers(alone),
                        numbers(among),
                        problem(i)
                    )
                },
            )?;
        }
        drop(e);
        holds(
            arrays.are_clean_between(&home, n),
            || kind("writes between the bodies"),
            || problem(0),
        )
    });
}

/// Whatever the kind of the numbers that are bound, and wherever they are.
#[test]
fn a_bound_body_in_any_ensemble_has_the_bits_of_the_bound_body_alone() {
    hold(202, 0.7, |random| {
        let n = count(random);
        let mut scene = Scene::random(random, n, Wildness::Wild).for_ensembles();
        if scene.given == super::scene::Given::Shared {
            scene.given = super::scene::Given::Tensors; // inertias of one and of many are given alike
        }
        let home = Home::random(random, &scene);
        let way = Way::random(random, &scene);
        let mut arrays = Arrays::of(&scene, &home);
        let mut e = scene.ensemble(&home, &mut arrays, way);
        let together = scene.move_on(&mut e, way, scene.steps, None);
        drop(e);
        if together.is_err() {
            return Ok(()); // the relation above says when
        }
        let i = (random.between(0.0, n as f64)) as usize;
        let alone = Scene {
            things: vec![scene.things[i].clone()],
            ..scene.clone()
        };
        let home_alone = home.of_same_kind(random, 1);
        let way_alone = if way.is_protocol() {
            way
        } else {
            Way::random(random, &scene)
        };
        let mut arrays_alone = Arrays::of(&alone, &home_alone);
        let mut e = alone.ensemble(&home_alone, &mut arrays_alone, way_alone);
        let outcome = alone.move_on(&mut e, way_alone, alone.steps, None);
        drop(e);
        let [left, right] = [
            arrays.of_body(&home, i),
            arrays_alone.of_body(&home_alone, 0),
        ];
        let is_line = scene.things[i].is_turned_line(scene.given);
        holds(
            outcome.is_ok() && (left == right || is_line && are_near(&left, &right)),
            || format!("other bits: {}", scene.name()),
            || {
                format!(
                    "{}, {way:?}, {way_alone:?}, body {i} of {n}: {outcome:?} {left:x?} {right:x?}\n{home:#?} {home_alone:#?}\n{alone:#?}",
                    home.name()
                )
            },
        )
    });
}

/// Velocities that are converted in each step differ by some rounding.
#[test]
fn bodies_bound_in_any_kind_move_as_bodies_in_own_memory() {
    hold(203, 0.7, |random| {
        let scene = Scene::random(random, 3, Wildness::Smooth).for_ensembles();
        let home = Home::random(random, &scene);
        let (way, other) = (Way::random(random, &scene), Way::random(random, &scene));
        let mut arrays = Arrays::of(&scene, &home);
        let mut none = Arrays::of(&scene, &Home::own());
        let mut bound = scene.ensemble(&home, &mut arrays, way);
        let mut own = scene.ensemble(&Home::own(), &mut none, other);
        let outcomes = [
            scene.move_on(&mut bound, way, scene.steps, None),
            scene.move_on(&mut own, other, scene.steps, None),
        ];
        let kind = || format!("{}, {}, {way:?}, {other:?}", scene.name(), home.name());
        if outcomes.iter().any(Result::is_err) {
            return holds(outcomes.iter().all(Result::is_err), kind, || {
                format!("{outcomes:?}\n{scene:#?}")
            });
        }
        for i in 0..3 {
            let off = apart(&scene, &bound, &own, i);
            holds(off < 2e-9, kind, || {
                format!("body {i}: {off:e}\n{home:#?}\n{scene:#?}")
            })?;
        }
        Ok(())
    });
}

/// In radians, and relative to the faster of both and a radian in the run.
fn apart(scene: &Scene, left: &Ensemble, right: &Ensemble, i: usize) -> f64 {
    let least = 1.0 / scene.duration();
    let speed = left.angular_velocity(i).norm().max(least);
    let turned = angle(&left.orientation(i), &right.orientation(i));
    turned.max((left.angular_velocity(i) - right.angular_velocity(i)).norm() / speed)
}

/// Kicks, drifts, both in one call, drag and noise alone.
#[test]
fn kicks_and_drifts_of_any_ensemble_have_the_bits_of_bodies_alone() {
    hold(204, 0.7, |random| {
        let n = count(random);
        let mut scene = Scene::random(random, n, Wildness::Wild).for_ensembles();
        if scene.method == Method::Brownian {
            scene.method = Method::Splitting;
        }
        let home = Home::random(random, &scene).with_velocities_in_body_frame();
        let mut arrays = Arrays::of(&scene, &home);
        let mut e = scene.ensemble(&home, &mut arrays, Way::Once);
        let mut bodies: Vec<Body> = (0..n).map(|i| scene.body(i)).collect();
        let torques: Vec<f64> = scene
            .things
            .iter()
            .flat_map(|thing: &Thing| <[f64; 3]>::from(thing.vector))
            .collect();
        let frame = random.one_of(&[Frame::World, Frame::Body]);
        let mut calls = vec![];
        for _ in 0..4 {
            let [kick, drift] = [(); 2].map(|()| random.between(-2.0, 5.0) * scene.dt);
            let call = random.one_of(&[0, 1, 2, 3, 4]);
            calls.push((call, kick, drift));
            let view = View::rows(&torques).expect("whole");
            let outcome = match call {
                0 => e.kick(kick, view, frame),
                1 => e.drift(drift),
                2 if scene.bath.is_some() => e.thermalize(drift.abs()),
                3 => e.kick_drift(kick, drift, None, frame),
                _ => e.kick_drift(kick, drift, Some(view), frame),
            };
            let mut alone = Ok(());
            for (body, thing) in bodies.iter_mut().zip(&scene.things) {
                let mut of_body = || match call {
                    0 => body.kick(kick, thing.vector, frame),
                    1 => body.drift(drift),
                    2 if scene.bath.is_some() => body.thermalize(drift.abs()),
                    3 => body
                        .kick(kick, V::zeros(), frame)
                        .and_then(|()| body.drift(drift)),
                    _ => body
                        .kick(kick, thing.vector, frame)
                        .and_then(|()| body.drift(drift)),
                };
                alone = alone.and(of_body());
            }
            let kind = || format!("outcomes: {}", scene.name());
            holds(outcome.is_ok() == alone.is_ok(), kind, || {
                format!("{calls:?} {outcome:?} {alone:?}\n{scene:#?}")
            })?;
            if outcome.is_err() {
                return Ok(());
            }
        }
        for (i, body) in bodies.iter().enumerate() {
            let [alone, among] = [state_bits(body), state_bits_in(&e, i)];
            let is_line = scene.things[i].is_turned_line(scene.given) && home.binds();
            holds(
                alone == among || is_line && are_near(&alone, &among),
                || format!("other bits: {}", scene.name()),
                || {
                    format!(
                        "{}, {frame:?}, body {i} of {n}: {calls:?}\n{home:#?} {scene:#?}",
                        home.name()
                    )
                },
            )?;
        }
        Ok(())
    });
}

/// Bodies that come, go and change places keep what they are: rows, ids, memory.
#[test]
fn a_body_keeps_its_bits_where_others_come_and_go() {
    hold(205, 0.7, |random| {
        let n = count(random);
        let scene = Scene::random(random, n, Wildness::Wild).for_ensembles();
        let home = Home::random(random, &scene);
        let way = Way::Once;
        let mut arrays = Arrays::of(&scene, &home);
        let mut e = scene.ensemble(&home, &mut arrays, way);
        if scene.move_on(&mut e, way, 3, None).is_err() {
            return Ok(());
        }
        let list = list(random, n);
        e.set_active(list.as_deref()).expect("ascending");
        let size = e.row_size(ALL);
        let mut before = vec![0.0; n * size];
        e.rows(ALL, None, &mut before).expect("room");
        let from: Vec<usize> = match random.one_of(&[0, 1, 2]) {
            0 => (0..n).collect(),
            1 => (0..n).rev().collect(),
            _ => (0..random.one_of(&[1, n]))
                .map(|_| (random.between(0.0, n as f64)) as usize)
                .collect(),
        };
        let call = random.one_of(&["release", "resize", "select"]);
        let from = match call {
            "release" => {
                e.release_arrays().expect("allowed");
                (0..n).collect()
            }
            "resize" => {
                let most = (random.between(0.0, (n + 3) as f64)) as usize;
                e.resize(most).expect("allowed");
                (0..n.min(most)).collect()
            }
            _ => {
                e.select(&from).expect("allowed");
                from
            }
        };
        let mut after = vec![0.0; e.count() * size];
        e.rows(ALL, None, &mut after).expect("room");
        let parts = 7 + 7; // state and inertia; a memory may be forgotten
        for (to, from) in from.iter().enumerate() {
            let [left, right] = [
                &before[from * size..][..parts],
                &after[to * size..][..parts],
            ];
            let is_same = left
                .iter()
                .zip(right)
                .all(|(a, b)| a.to_bits() == b.to_bits());
            let is_listed = list.as_ref().is_none_or(|list| list.contains(from));
            let is_id_same = e.id(to) == before[(from + 1) * size - 4].to_bits();
            holds(
                is_same && is_id_same,
                || {
                    format!(
                        "{call}: {} of a body that is {}",
                        if is_same { "id" } else { "state" },
                        if is_listed { "active" } else { "inactive" }
                    )
                },
                || {
                    format!(
                        "{}, {}, body {from} to {to} of {n}, list {list:?}: {left:?} {right:?}\n{home:#?} {scene:#?}",
                        scene.name(),
                        home.name()
                    )
                },
            )?;
        }
        Ok(())
    });
}

/// Getters, another number of threads, a step of the protocol that is cancelled.
#[test]
fn calls_that_only_read_change_no_bit() {
    hold(206, 0.3, |random| {
        let n = count(random);
        let scene = Scene::random(random, n, Wildness::Wild).for_ensembles();
        let home = Home::random(random, &scene);
        let way = Way::random(random, &scene);
        let mut arrays = [(); 2].map(|()| Arrays::of(&scene, &home));
        let [left, right] = &mut arrays;
        let [mut watched, mut other] = [
            scene.ensemble(&home, left, way),
            scene.ensemble(&home, right, way),
        ];
        let call = random.one_of(&["getters", "threads", "a cancelled step"]);
        // a splitting method may ask anew for the torque after a step that is cancelled
        let is_asked_anew = scene.method.keeps_torque()
            && (scene.kind.is_function() || scene.kind.resists() || scene.has_drag);
        for _ in 0..3 {
            let outcomes = [
                scene.move_on(&mut watched, way, 4, None),
                scene.move_on(&mut other, way, 4, None),
            ];
            if outcomes.iter().any(Result::is_err) {
                return holds(
                    outcomes[0] == outcomes[1],
                    || format!("{call}, outcomes: {}", scene.name()),
                    || format!("{outcomes:?} {scene:#?}"),
                );
            }
            match call {
                "getters" => {
                    let _ = (
                        all_in(&watched),
                        watched.total_kinetic_energy(),
                        watched.angular_momentum_sums(),
                        watched.degrees_of_freedom(),
                    );
                }
                "threads" => watched
                    .set_threads(random.one_of(&[1, 2]))
                    .expect("threads"),
                _ => {
                    if !is_asked_anew && watched.begin_steps(scene.dt, 2).is_ok() {
                        watched.cancel_step();
                    }
                }
            }
        }
        let states = |e: &Ensemble| (0..n).map(|i| state_bits_in(e, i)).collect::<Vec<_>>();
        holds(
            states(&watched) == states(&other),
            || format!("{call}: {}", scene.name()),
            || format!("{way:?}, {}, {scene:#?}", home.name()),
        )
    });
}
