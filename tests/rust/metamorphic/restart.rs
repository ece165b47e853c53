//! A run that goes on from rows, clock and draws at any time has the bits of one that was not interrupted.

use super::scene::{ALL, Arrays, Home, Scene, Trap, Way, Wildness, all_in, all_of};
use super::{hold, holds};
use quatint::Body;
use quatint::rotation::components;

/// For every kind of binding. The bound arrays themselves have the same bits.
#[test]
fn an_ensemble_that_is_restored_from_rows_goes_on_with_the_bits_of_one_that_was_not_interrupted() {
    hold(501, 1.0, |random| {
        let n = random.one_of(&[1, 2, 3, 9, 20, 70]);
        let scene = Scene::random(random, n, Wildness::Wild).for_ensembles();
        if scene.has_turned_line() {
            return Ok(());
        }
        let home = Home::random(random, &scene);
        let home_after = home.of_same_kind(random, n);
        let way = Way::random(random, &scene);
        // the memory of the stage protocol is that of the other steps, without a resistance
        let list: Option<Vec<usize>> =
            (random.between(0.0, 1.0) < 0.2).then(|| (0..n).filter(|i| i % 3 != 1).collect());
        let active = list.as_deref();
        let mut arrays = Arrays::of(&scene, &home);
        let mut e = scene.equipped(&home, &mut arrays, way, &Trap::never(), active);
        e.set_rows(super::scene::STATE, None, &scene.states())
            .expect("states");
        e.set_time(scene.clock).expect("finite");
        let before = (random.between(0.0, 8.0)) as u64;
        if scene.move_on(&mut e, way, before, active).is_err() {
            return Ok(());
        }
        let mut rows = vec![0.0; n * e.row_size(ALL)];
        e.rows(ALL, None, &mut rows).expect("room");
        let (clock, draws) = (e.clock(), e.noise());

        let mut arrays_after = Arrays::of(&scene, &home_after);
        let mut restored =
            scene.equipped(&home_after, &mut arrays_after, way, &Trap::never(), active);
        restored.set_clock(clock).expect("finite");
        restored.set_noise(draws).expect("no step");
        restored.set_rows(ALL, None, &rows).expect("its own rows"); // last: other changes may forget what they bring
        let kind = |what: &str| format!("{what}: {}; {}", home.name(), scene.name());
        let problem = || format!("{way:?} {before} {list:?}\n{home:#?} {home_after:#?} {scene:#?}");
        let differing = || {
            all_in(&e)
                .iter()
                .zip(all_in(&restored))
                .enumerate()
                .filter(|(_, (a, b))| *a != b)
                .map(|(at, (a, b))| {
                    format!("{at}: {:e} {:e}", f64::from_bits(*a), f64::from_bits(b))
                })
                .collect::<Vec<_>>()
        };
        holds(
            all_in(&e) == all_in(&restored),
            || kind("other rows"),
            || format!("{:?} {}", differing(), problem()),
        )?;
        let outcomes = [
            scene.move_on(&mut e, way, 5, active),
            scene.move_on(&mut restored, way, 5, active),
        ];
        holds(
            outcomes[0] == outcomes[1],
            || kind("another outcome"),
            || format!("{outcomes:?} {}", problem()),
        )?;
        holds(
            all_in(&e) == all_in(&restored),
            || kind("other bits"),
            problem,
        )?;
        drop((e, restored));
        for i in (0..n).filter(|i| active.is_none_or(|active| active.contains(i))) {
            let same = arrays.of_body(&home, i) == arrays_after.of_body(&home_after, i);
            holds(same, || kind("other bits in the arrays"), problem)?;
        }
        Ok(())
    });
}

/// The setters in any order, the memory last: state, clock, noise, rotors and the rest.
#[test]
fn a_body_that_is_restored_goes_on_with_the_bits_of_one_that_was_not_interrupted() {
    hold(502, 1.0, |random| {
        let scene = Scene::random(random, 1, Wildness::Wild);
        if scene.has_turned_line() {
            return Ok(());
        }
        let mut body = scene.body(0);
        let before = (random.between(0.0, 8.0)) as u64;
        if scene.advance(0, &mut body, scene.dt, before).is_err() {
            return Ok(());
        }
        let mut restored = Body::new(
            scene.things[0].inertia(scene.given),
            random.rotation(),
            random.vector(),
        )
        .expect("finite");
        let mut order = [1, 2, 3, 4, 0];
        for at in (1..4).rev() {
            order.swap(at, (random.between(0.0, (at + 1) as f64)) as usize);
        }
        for what in order {
            match what {
                0 => {
                    // with an inertia that changes, the velocity again: the clock has brought another inertia
                    let state = (body.orientation(), body.angular_velocity_body());
                    restored.set_state_body(state.0, state.1).expect("its own");
                    restored.set_memory(body.memory()).expect("finite");
                }
                1 => restored.set_noise(body.noise()),
                2 => restored
                    .set_state_body(body.orientation(), body.angular_velocity_body())
                    .expect("its own"),
                3 => restored.set_clock(body.clock()).expect("finite"),
                _ => {
                    scene.equip(&mut restored, 0);
                    restored
                        .set_rotor_momentum(body.rotor_momentum())
                        .expect("its own");
                }
            }
        }
        let kind = |what: &str| format!("{what}: {}", scene.name());
        let problem = || format!("{order:?} {before} {body:?} {scene:#?}");
        holds(
            all_of(&body) == all_of(&restored),
            || kind("another state"),
            problem,
        )?;
        let (mut on, mut other) = (body.clone(), restored);
        let outcomes = [&mut on, &mut other].map(|body| scene.advance(0, body, scene.dt, 5));
        holds(
            outcomes[0] == outcomes[1] && all_of(&on) == all_of(&other),
            || kind("other bits"),
            || {
                format!(
                    "{outcomes:?} {} {}",
                    [on, other]
                        .map(|body| format!("{:?}", components(body.orientation())))
                        .join(" "),
                    problem()
                )
            },
        )
    });
}

/// Rows that are read and set at once are the state itself, in own memory and in arrays of any kind.
#[test]
fn rows_that_are_read_and_set_change_no_bit() {
    hold(503, 0.7, |random| {
        let n = random.one_of(&[1, 3, 20]);
        let scene = Scene::random(random, n, Wildness::Wild).for_ensembles();
        if scene.has_turned_line() {
            return Ok(());
        }
        let home = Home::random(random, &scene);
        let way = Way::random(random, &scene);
        let mut arrays = [(); 2].map(|()| Arrays::of(&scene, &home));
        let [left, right] = &mut arrays;
        let [mut plain, mut other] = [
            scene.ensemble(&home, left, way),
            scene.ensemble(&home, right, way),
        ];
        for _ in 0..3 {
            let outcomes = [&mut plain, &mut other].map(|e| scene.move_on(e, way, 3, None));
            if outcomes.iter().any(Result::is_err) {
                return Ok(());
            }
            let mut rows = vec![0.0; n * other.row_size(ALL)];
            other.rows(ALL, None, &mut rows).expect("room");
            other.set_rows(ALL, None, &rows).expect("its own rows");
            holds(
                all_in(&plain) == all_in(&other),
                || format!("{}; {}", home.name(), scene.name()),
                || format!("{way:?} {home:#?} {scene:#?}"),
            )?;
        }
        drop((plain, other));
        let same = (0..n).all(|i| arrays[0].of_body(&home, i) == arrays[1].of_body(&home, i));
        holds(
            same,
            || format!("arrays: {}; {}", home.name(), scene.name()),
            || format!("{way:?} {home:#?} {scene:#?}"),
        )
    });
}

/// Bodies that migrate: rows from one ensemble, set in another of other size and kind of binding, have the bits of the row.
#[test]
fn a_body_that_migrates_goes_on_with_its_bits() {
    hold(504, 0.7, |random| {
        let scene = Scene::random(random, 4, Wildness::Wild).for_ensembles();
        if scene.has_turned_line() {
            return Ok(());
        }
        let scene = if scene.given == super::scene::Given::Shared {
            Scene {
                given: super::scene::Given::Tensors,
                ..scene
            }
        } else {
            scene
        };
        let home = Home::random(random, &scene);
        let way = if scene.binds_gradients {
            Way::Once
        } else {
            Way::Singly
        };
        let mut arrays = Arrays::of(&scene, &home);
        let mut e = scene.ensemble(&home, &mut arrays, way);
        if scene.move_on(&mut e, way, 3, None).is_err() || scene.kind.is_function() {
            return Ok(()); // a callback knows the bodies by their index
        }
        let width = e.row_size(ALL);
        let mut row = vec![0.0; width];
        e.rows(ALL, Some(&[2]), &mut row).expect("room");
        let many = Scene {
            things: [&scene.things[..], &scene.things[..3]].concat(),
            ..scene.clone()
        };
        let many = if scene.binds_gradients {
            let mut many = many;
            many.things[5].fluid = scene.things[2].fluid;
            many
        } else {
            many
        };
        let home_after = home.of_same_kind(random, 7);
        let mut arrays_after = Arrays::of(&many, &home_after);
        let mut there = many.ensemble(&home_after, &mut arrays_after, way);
        there.set_clock(e.clock()).expect("finite");
        there.set_noise(e.noise()).expect("no step");
        there
            .set_rows(ALL, Some(&[5]), &row)
            .expect("a row of such bodies");
        let outcomes = [
            scene.move_on(&mut e, way, 3, None).is_ok(),
            many.move_on(&mut there, way, 3, None).is_ok(),
        ];
        if outcomes != [true; 2] {
            return Ok(());
        }
        let bits = |e: &quatint::Ensemble, i: usize| {
            let mut row = vec![0.0; width];
            e.rows(ALL, Some(&[i]), &mut row).expect("room");
            row.into_iter().map(f64::to_bits).collect::<Vec<_>>()
        };
        holds(
            bits(&e, 2) == bits(&there, 5),
            || format!("{}; {}", home.name(), scene.name()),
            || format!("{home:#?} {home_after:#?} {scene:#?}"),
        )
    });
}

#[test]
fn a_clone_goes_on_with_the_bits_of_its_original() {
    hold(505, 0.3, |random| {
        let scene = Scene::random(random, 1, Wildness::Wild);
        let mut body = scene.body(0);
        let _ = scene.advance(0, &mut body, scene.dt, 4);
        let mut copy = body.clone();
        let outcomes = [&mut body, &mut copy].map(|body| scene.advance(0, body, scene.dt, 4));
        holds(
            outcomes[0] == outcomes[1] && all_of(&body) == all_of(&copy),
            || scene.name(),
            || format!("{scene:#?}"),
        )
    });
}
