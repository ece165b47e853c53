//! Any sequence of calls on an ensemble, and the same calls on its bodies alone: after each the same bits, or the same refusal.

use super::scene::{ALL, Arrays, Home, Kind, Scene, Trap, Way, Wildness};
use super::{hold, holds};
use crate::common::bits::{state_bits, state_bits_in};
use crate::common::generic::Random;
use quatint::torque::{FluidDrag, Langevin};
use quatint::{Body, Ensemble, Frame, Method, View};

/// Whether a scene may be: what acts fits the method.
fn fits(scene: &Scene) -> bool {
    let resists = scene.kind.resists();
    let is_locked = scene
        .things
        .iter()
        .any(|thing| thing.locked.contains(&true));
    let has_zero = |coefficients: [f64; 3]| coefficients.contains(&0.0);
    let fits_method = match scene.method {
        Method::Pcdm | Method::Cf4 => scene.bath.is_none(),
        Method::Splitting => scene.bath.is_none() || scene.kind != Kind::LinearDrag,
        Method::Brownian => {
            scene.bath.is_some()
                && !scene
                    .things
                    .iter()
                    .any(|thing| has_zero(thing.coefficients))
        }
        _ => scene.bath.is_none() && !resists && !scene.has_drag,
    };
    fits_method
        && !(scene.bath.is_some() && (scene.has_drag || scene.has_rotors))
        && !(scene.has_rotors && is_locked)
}

/// What changes between two moves.
fn change(random: &mut Random, scene: &Scene) -> (&'static str, Scene) {
    let mut other = scene.clone();
    let what = random.one_of(&["method", "torque", "drag", "random torques", "rotors"]);
    match what {
        "method" => other.method = random.one_of(Method::ALL),
        "torque" => {
            other.kind = random.one_of(&[
                Kind::Free,
                Kind::World,
                Kind::Field,
                Kind::Planet,
                Kind::LinearDrag,
                Kind::Shear,
                Kind::Function(Frame::World),
                Kind::Function(Frame::Body),
            ]);
        }
        "drag" => other.has_drag = !other.has_drag,
        "random torques" => {
            other.bath = if other.bath.is_some() {
                None
            } else {
                Some((random.between(0.0, 0.2), 5))
            }
        }
        _ => other.has_rotors = !other.has_rotors,
    }
    (what, other)
}

fn put(what: &str, scene: &Scene, e: &mut Ensemble, bodies: &mut [Body]) {
    let flat = |get: fn(&super::scene::Thing) -> [f64; 3]| {
        scene.things.iter().flat_map(get).collect::<Vec<f64>>()
    };
    let coefficients = flat(|thing| thing.coefficients);
    let flows = flat(|thing| thing.flow.into());
    let flow = scene.has_flow.then(|| View::rows(&flows).expect("whole"));
    let of = |i: usize| {
        if scene.has_flow {
            scene.things[i].flow.into()
        } else {
            [0.0; 3]
        }
    };
    let drag = View::<3>::rows(&coefficients).expect("whole");
    match what {
        "method" => e.set_method(scene.method).expect("allowed"),
        "torque" => scene.set_torque(e, Way::Once, &Trap::never(), None),
        "drag" if scene.has_drag => e.set_drag(drag, flow).expect("allowed"),
        "drag" => e.clear_drag().expect("allowed"),
        "random torques" => match scene.bath {
            Some((kt, seed)) => {
                let ids: Vec<u64> = scene.things.iter().map(|thing| thing.id).collect();
                e.set_langevin(drag, flow, kt, seed).expect("allowed");
                e.set_ids(Some(&ids)).expect("memory");
            }
            None => e.clear_langevin().expect("allowed"),
        },
        _ => {
            let rotors = flat(|thing| thing.rotor.into());
            e.set_rotor_momentum(
                scene
                    .has_rotors
                    .then(|| View::rows(&rotors).expect("whole")),
            )
            .expect("allowed");
        }
    }
    for (i, body) in bodies.iter_mut().enumerate() {
        let thing = &scene.things[i];
        match what {
            "method" => body.set_method(scene.method),
            // a body does not know its torque, and cannot know that no drag is left
            "torque" if scene.has_drag || scene.kind.resists() => body.forget_torque(),
            "torque" => forget_all(body),
            "drag" => {
                let drag = FluidDrag::new(thing.coefficients, of(i)).expect("finite");
                body.set_drag(scene.has_drag.then_some(drag))
                    .expect("allowed");
            }
            "random torques" => {
                let bath = scene.bath.map(|(kt, seed)| {
                    Langevin::new(thing.coefficients, of(i), kt, seed, thing.id).expect("valid")
                });
                body.set_langevin(bath).expect("allowed");
            }
            _ => body
                .set_rotor_momentum(scene.has_rotors.then_some(thing.rotor))
                .expect("allowed"),
        }
    }
}

/// A list of active bodies forgets what steps have kept, the rate of change too.
fn forget_all(body: &mut Body) {
    body.set_memory(None).expect("none is finite");
}

#[test]
fn any_sequence_of_calls_has_the_bits_of_bodies_alone() {
    hold(1001, 1.0, |random| {
        let n = random.one_of(&[1, 2, 3, 17, 70]);
        let mut scene = loop {
            let mut scene = Scene::random(random, n, Wildness::Wild).for_ensembles();
            scene.binds_gradients = false;
            // turned lines are another relation
            if fits(&scene) && !scene.has_turned_line() {
                break scene;
            }
        };
        let home = Home::random(random, &scene).with_velocities_in_body_frame();
        let mut arrays = Arrays::of(&scene, &home);
        let mut e = scene.ensemble(&home, &mut arrays, Way::Once);
        let mut bodies: Vec<Body> = (0..n).map(|i| scene.body(i)).collect();
        let mut calls: Vec<String> = vec![];
        for _ in 0..10 {
            let mut is_refused = false;
            let call = random.one_of(&[
                "steps",
                "steps",
                "change",
                "change",
                "change",
                "kick",
                "drift",
                "list",
                "select",
                "rows",
                "clock",
                "thermalize",
            ]);
            calls.push(call.into());
            match call {
                "steps" => {
                    let way = random.one_of(&[Way::Once, Way::Singly]);
                    let steps = random.one_of(&[1, 2, 5]);
                    is_refused = scene.move_on(&mut e, way, steps, None).is_err();
                    for (i, body) in bodies.iter_mut().enumerate() {
                        let alone = scene.advance(i, body, scene.dt, steps);
                        holds(
                            alone.is_ok() || is_refused,
                            || format!("refused alone: {}", scene.name()),
                            || format!("{calls:?} {alone:?} {scene:#?}"),
                        )?;
                    }
                }
                "change" => {
                    let (what, other) = change(random, &scene);
                    if fits(&other) {
                        put(what, &other, &mut e, &mut bodies);
                        calls.push(format!("{what} to {}", other.name()));
                        scene = other;
                    }
                }
                "kick" => {
                    let torques: Vec<f64> = scene
                        .things
                        .iter()
                        .flat_map(|thing| <[f64; 3]>::from(thing.vector))
                        .collect();
                    is_refused = e
                        .kick(
                            0.3 * scene.dt,
                            View::rows(&torques).expect("whole"),
                            Frame::Body,
                        )
                        .is_err();
                    for (body, thing) in bodies.iter_mut().zip(&scene.things) {
                        is_refused |= body
                            .kick(0.3 * scene.dt, thing.vector, Frame::Body)
                            .is_err();
                    }
                }
                "drift" => {
                    is_refused = e.drift(1.7 * scene.dt).is_err();
                    for body in &mut bodies {
                        is_refused |= body.drift(1.7 * scene.dt).is_err();
                    }
                }
                "list" => {
                    let list: Vec<usize> =
                        (0..n).filter(|_| random.between(0.0, 1.0) < 0.6).collect();
                    // a list of all is no change
                    let forget = if list.len() < n {
                        forget_all
                    } else {
                        Body::forget_torque
                    };
                    e.set_active(Some(&list)).expect("ascending");
                    if scene.kind.is_function() {
                        scene.set_torque(&mut e, Way::Once, &Trap::never(), Some(&list));
                    }
                    is_refused = scene.move_on(&mut e, Way::Once, 2, Some(&list)).is_err();
                    bodies.iter_mut().for_each(forget);
                    for &i in &list {
                        is_refused |= scene.advance(i, &mut bodies[i], scene.dt, 2).is_err();
                    }
                    e.set_active(None).expect("all");
                    if scene.kind.is_function() {
                        scene.set_torque(&mut e, Way::Once, &Trap::never(), None);
                    }
                    for body in &mut bodies {
                        body.set_clock(e.clock()).expect("finite");
                        body.set_noise(e.noise());
                        forget(body);
                    }
                }
                "select" => {
                    let mut from: Vec<usize> = (0..n).collect();
                    for at in (1..n).rev() {
                        from.swap(at, (random.between(0.0, (at + 1) as f64)) as usize);
                    }
                    e.select(&from).expect("allowed");
                    bodies = from.iter().map(|i| bodies[*i].clone()).collect();
                    scene.things = from.iter().map(|i| scene.things[*i].clone()).collect();
                    if scene.kind.is_function() {
                        scene.set_torque(&mut e, Way::Once, &Trap::never(), None); // it knows the bodies by their index
                        bodies.iter_mut().for_each(Body::forget_torque);
                    }
                }
                "rows" => {
                    let mut rows = vec![0.0; n * e.row_size(ALL)];
                    e.rows(ALL, None, &mut rows).expect("room");
                    e.set_rows(ALL, None, &rows).expect("its own");
                }
                "clock" => {
                    let time = random.one_of(&[0.0, 2.5, -7.25]);
                    e.set_time(time).expect("finite");
                    for body in &mut bodies {
                        body.forget_torque();
                        body.set_time(time).expect("finite");
                    }
                    e.forget_torques().expect("no step");
                }
                _ => {
                    if scene.bath.is_some() {
                        is_refused = e.thermalize(scene.dt).is_err();
                        for body in &mut bodies {
                            is_refused |= body.thermalize(scene.dt).is_err();
                        }
                    }
                }
            }
            if is_refused {
                return Ok(());
            }
            for (i, body) in bodies.iter().enumerate() {
                let same = state_bits(body) == state_bits_in(&e, i)
                    && body.noise() == e.noise()
                    && body.clock() == e.clock();
                holds(
                    same,
                    || format!("after {call}: {}", scene.name()),
                    || {
                        format!(
                            "body {i} of {n}: {calls:?}\n{:?} {:?} {home:#?} {scene:#?}",
                            state_bits(body).map(f64::from_bits),
                            state_bits_in(&e, i).map(f64::from_bits)
                        )
                    },
                )?;
            }
        }
        Ok(())
    });
}
