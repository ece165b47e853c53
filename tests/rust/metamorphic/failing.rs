//! A call that fails changes nothing: whatever fails, at any stage and body, in whatever acts at once; what goes on afterwards has the
//! bits of what has not failed.

use super::scene::{Arrays, Home, How, Kind, Scene, Trap, V, Way, Wildness, all_in, all_of};
use super::{hold, holds};
use crate::common::generic::Random;
use nalgebra::Matrix3;
use quatint::torque::FluidDrag;
use quatint::{
    Body, Ensemble, Error, Failure, Frame, Inertia, Keep, Layout, Method, Progress, VelocityKind,
    View, ViewMut,
};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

const HOW: [How; 3] = [How::Error, How::NotFinite, How::Panic];

/// A scene whose torque is a function, which may fail.
fn with_function(random: &mut Random, count: usize) -> Scene {
    loop {
        let scene = Scene::random(random, count, Wildness::Wild);
        if scene.kind.is_function() {
            return scene;
        }
    }
}

/// The steps that are complete, from the clock.
fn completed(scene: &Scene, time: f64) -> u64 {
    ((time - scene.clock) / scene.dt).round() as u64
}

#[test]
fn a_torque_that_fails_leaves_a_body_where_its_last_step_ended() {
    hold(601, 1.0, |random| {
        let scene = with_function(random, 1);
        let how = random.one_of(&HOW);
        let trap = Trap::after((random.power_of_ten(0.0, 1.6)) as u64 - 1, how);
        let mut body = scene.body(0);
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            scene.advance_into(&trap, 0, &mut body, scene.dt, scene.steps)
        }));
        if !trap.has_sprung() {
            return Ok(());
        }
        let kind = |what: &str| format!("{what}, {how:?}: {}", scene.name());
        let steps = completed(&scene, body.time());
        let is_told = match &outcome {
            Ok(Err(failure)) => how != How::Panic && failure.completed == steps,
            Ok(Ok(())) => false,
            Err(_) => how == How::Panic,
        };
        let mut other = scene.body(0);
        scene
            .advance(0, &mut other, scene.dt, steps)
            .map_err(|failure| format!("the same run fails\n{failure} {scene:#?}"))?;
        let problem = |body: &Body, other: &Body| {
            format!("{steps} steps, {outcome:?}\n{body:?}\n{other:?}\n{scene:#?}")
        };
        holds(is_told, || kind("outcome"), || problem(&body, &other))?;
        holds(
            all_of(&body) == all_of(&other),
            || kind("state"),
            || problem(&body, &other),
        )?;
        let outcomes =
            [&mut body, &mut other].map(|body| scene.advance(0, body, scene.dt, 3).is_ok());
        holds(
            outcomes[0] == outcomes[1] && all_of(&body) == all_of(&other),
            || kind("what follows"),
            || problem(&body, &other),
        )
    });
}

/// Solutions keep the steps before the one that fails.
#[test]
fn a_torque_that_fails_leaves_a_solution_where_its_last_step_ended() {
    hold(602, 0.3, |random| {
        let mut scene = loop {
            let scene = with_function(random, 1);
            if scene.bath.is_none() && scene.method != Method::Brownian {
                break scene;
            }
        };
        scene.steps = 40;
        let how = random.one_of(&HOW);
        let trap = Trap::after((random.power_of_ten(0.0, 2.3)) as u64 - 1, how);
        let method = random.one_of(&[
            quatint::SolveMethod::Nonstiff,
            quatint::SolveMethod::Stiff,
            quatint::SolveMethod::Splitting,
        ]);
        let end = scene.clock + scene.duration();
        let mut body = scene.body(0);
        body.set_solve_method(method);
        body.set_solve_most_evaluations(5000);
        let mut whole = body.clone();
        let mut motions = vec![bits_of(body.time(), &body)];
        let _ = scene.solve_monitored(0, &mut whole, end, 1e-8, |time, q, omega| {
            let [a, b, c]: [f64; 3] = (*omega).into();
            let numbers = [time, q.w, q.i, q.j, q.k, a, b, c];
            motions.push(numbers.map(f64::to_bits));
            ControlFlow::Continue(())
        });
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            scene.solve(&trap, 0, &mut body, end, 1e-8)
        }));
        if !trap.has_sprung() {
            return Ok(());
        }
        let is_told = match (&outcome, how) {
            (Ok(outcome), How::Error | How::NotFinite) => outcome.is_err(),
            (Err(_), How::Panic) => true,
            _ => false,
        };
        let kind = |what: &str| format!("{what}, {how:?}, {method:?}: {}", scene.name());
        let problem = || format!("{outcome:?} {body:?} {scene:#?}");
        if how == How::NotFinite {
            // a shorter step is tried, and other steps follow
            let is_finite = body.angular_velocity().iter().all(|c| c.is_finite());
            return holds(
                is_finite && (is_told || body.time() == end),
                || kind("outcome"),
                problem,
            );
        }
        holds(is_told, || kind("outcome"), problem)?;
        holds(
            motions.contains(&bits_of(body.time(), &body)),
            || kind("state"),
            problem,
        )?;
        // the inertia is that of the clock
        let mut other = body.clone();
        other.set_clock(body.clock()).expect("its own");
        let same = body.inertia().principal_moments() == other.inertia().principal_moments();
        holds(same, || kind("inertia"), problem)
    });
}

fn bits_of(time: f64, body: &Body) -> [u64; 8] {
    let q = body.orientation();
    let [a, b, c]: [f64; 3] = body.angular_velocity().into();
    [time, q.w, q.i, q.j, q.k, a, b, c].map(f64::to_bits)
}

#[test]
fn a_torque_that_fails_leaves_every_body_of_an_ensemble_where_its_last_step_ended() {
    hold(603, 1.0, |random| {
        let n = random.one_of(&[1, 2, 5, 20, 70, 130]);
        let scene = with_function(random, n).for_ensembles();
        let home = Home::random(random, &scene);
        let home_of_other = home.of_same_kind(random, n);
        let way = random.one_of(&[Way::Once, Way::Singly, Way::Cuts(3)]);
        let how = random.one_of(&HOW);
        let trap = Trap::after(
            (random.power_of_ten(0.0, 1.0 + (n as f64).log10() + 0.6)) as u64 - 1,
            how,
        );
        let list: Option<Vec<usize>> =
            (random.between(0.0, 1.0) < 0.2).then(|| (0..n).filter(|i| i % 3 != 1).collect());
        let active = list.as_deref();
        let mut arrays = Arrays::of(&scene, &home);
        let mut arrays_of_other = Arrays::of(&scene, &home_of_other);
        let begin = |e: &mut Ensemble| {
            e.set_rows(super::scene::STATE, None, &scene.states())
                .expect("states");
            e.set_time(scene.clock).expect("finite");
        };
        let mut e = scene.equipped(&home, &mut arrays, way, &trap, active);
        begin(&mut e);
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            scene.move_on(&mut e, way, scene.steps, active)
        }));
        if !trap.has_sprung() {
            return Ok(());
        }
        let kind = |what: &str| {
            format!(
                "{what}, {how:?}, {way:?}, {}: {}",
                home.name(),
                scene.name()
            )
        };
        let steps = completed(&scene, e.time());
        let mut other = scene.equipped(
            &home_of_other,
            &mut arrays_of_other,
            way,
            &Trap::never(),
            active,
        );
        begin(&mut other);
        if scene.move_on(&mut other, way, steps, active).is_err() {
            return Ok(());
        }
        let problem = || format!("{steps} steps, {outcome:?} {home:#?} {scene:#?}");
        let is_told = match &outcome {
            Ok(Err(failure)) => {
                how != How::Panic && (way != Way::Once || failure.completed == steps)
            }
            Ok(Ok(())) => false,
            Err(_) => how == How::Panic,
        };
        holds(is_told, || kind("outcome"), problem)?;
        let states = |e: &Ensemble| {
            (0..n)
                .flat_map(|i| crate::common::bits::state_bits_in(e, i))
                .chain([e.noise()])
                .chain(e.clock().map(f64::to_bits))
                .collect::<Vec<u64>>()
        };
        holds(states(&e) == states(&other), || kind("state"), problem)?;
        let outcomes = [
            scene.move_on(&mut e, way, 3, active).is_ok(),
            scene.move_on(&mut other, way, 3, active).is_ok(),
        ];
        holds(
            outcomes[0] == outcomes[1] && all_in(&e) == all_in(&other),
            || kind("what follows"),
            problem,
        )?;
        drop((e, other));
        holds(
            arrays.are_clean_between(&home, n),
            || kind("writes between the bodies"),
            problem,
        )
    });
}

/// A torque of the stage protocol that is not finite is still awaited; a step that is cancelled has not been.
#[test]
fn a_refused_torque_of_the_protocol_is_still_awaited_and_a_cancelled_step_has_not_been() {
    hold(604, 0.7, |random| {
        let n = random.one_of(&[1, 2, 20, 70]);
        let mut scene = with_function(random, n).for_ensembles();
        scene.kind = Kind::Function(Frame::World);
        let home = Home::random(random, &scene);
        let layout = random.one_of(&[Layout::Aos, Layout::Soa]);
        let way = Way::Protocol(layout);
        let mut arrays = [(); 2].map(|()| Arrays::of(&scene, &home));
        let [left, right] = &mut arrays;
        let [mut e, mut plain] = [
            scene.ensemble(&home, left, way),
            scene.ensemble(&home, right, way),
        ];
        let cancels = random.between(0.0, 1.0) < 0.4;
        let (mut q, mut omega, mut torque) = (vec![0.0; 4 * n], vec![0.0; 3 * n], vec![0.0; 3 * n]);
        let steps = 6;
        let kind = |what: &str| format!("{what}, {}: {}", home.name(), scene.name());
        e.set_stage_layout(layout).expect("no step");
        let mut run = || -> Result<(u64, bool), Failure> {
            e.begin_steps(scene.dt, steps)?;
            let mut progress = e.next_stage(&mut q, &mut omega)?;
            let mut refused = true;
            while let Progress::NeedTorque(time) = progress {
                scene.supply(time, layout, &q, &omega, &mut torque, None);
                if random.between(0.0, 1.0) < 0.3 {
                    let at = (random.between(0.0, torque.len() as f64)) as usize;
                    let right = std::mem::replace(
                        &mut torque[at],
                        random.one_of(&[f64::NAN, f64::INFINITY]),
                    );
                    // as bits, for some methods show NaN
                    let shown = [&q[..], &omega[..]].concat();
                    refused &= if random.between(0.0, 1.0) < 0.5 {
                        e.supply_torque(&torque).is_err()
                    } else {
                        e.continue_step(&torque, &mut q, &mut omega).is_err()
                    };
                    let still_shown = [&q[..], &omega[..]].concat();
                    refused &=
                        (shown.iter().zip(&still_shown)).all(|(a, b)| a.to_bits() == b.to_bits());
                    torque[at] = right;
                }
                if cancels && random.between(0.0, 1.0) < 0.1 {
                    e.cancel_step();
                    return Ok((completed(&scene, e.time()), refused));
                }
                progress = if random.between(0.0, 1.0) < 0.5 {
                    e.continue_step(&torque, &mut q, &mut omega)?
                } else {
                    e.supply_torque(&torque)?;
                    e.next_stage(&mut q, &mut omega)?
                };
            }
            Ok((steps, refused))
        };
        let Ok((done, refused)) = run() else {
            return Ok(()); // overflows
        };
        let problem = || format!("{done} steps, cancels {cancels} {layout:?} {home:#?} {scene:#?}");
        holds(
            refused,
            || kind("a torque that is not finite is taken"),
            problem,
        )?;
        if scene.move_on(&mut plain, way, done, None).is_err() {
            return Ok(());
        }
        let states = |e: &Ensemble| {
            (0..n)
                .map(|i| crate::common::bits::state_bits_in(e, i))
                .collect::<Vec<_>>()
        };
        holds(
            states(&e) == states(&plain)
                && e.clock() == plain.clock()
                && e.noise() == plain.noise(),
            || kind("state"),
            problem,
        )?;
        drop((e, plain));
        holds(arrays[0] == arrays[1], || kind("arrays"), problem)
    });
}

/// What a call refuses, of a body: with what acts at once, before and between steps.
#[test]
fn a_call_that_a_body_refuses_changes_nothing_of_it() {
    hold(605, 0.7, |random| {
        let scene = Scene::random(random, 1, Wildness::Wild);
        let mut body = scene.body(0);
        let _ = scene.advance(0, &mut body, scene.dt, random.one_of(&[0, 3]));
        let before = (
            all_of(&body),
            body.memory().map(|memory| memory.map(f64::to_bits)),
            format!("{body:?}"),
        );
        let mut plain = body.clone();
        let nan = V::new(0.1, f64::NAN, 0.2);
        let far = V::new(1e200, 0.0, 0.0);
        let call = random.one_of(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
        let refused = match call {
            0 => body.kick(1.0, nan, Frame::World).is_err(),
            1 => body.drift(f64::NAN).is_err(),
            2 => body.set_state(body.orientation(), nan).is_err(),
            3 => body.set_angular_momentum(nan).is_err(),
            4 => body
                .set_state_body(super::scene::quaternion([0.5, 0.5, 0.5, 0.1]), V::zeros())
                .is_err(),
            5 => body.set_rotor_momentum(Some(nan)).is_err(),
            6 => body.set_memory(Some([f64::NAN; 7])).is_err(),
            7 => body.set_clock([f64::INFINITY, 0.0]).is_err(),
            8 => {
                body.set_drag(FluidDrag::new([1.0; 3], [0.0; 3]).ok())
                    .is_err()
                    || {
                        return Ok(()); // allowed
                    }
            }
            9 => scene.advance(0, &mut body, f64::NAN, 3).is_err(),
            10 => body.kick(1e300, far, Frame::Body).is_err(),
            _ => body
                .set_inertia_function(|time| {
                    Err(Error::Invalid {
                        name: "inertia",
                        must: if time < 0.0 { "a" } else { "b" },
                    })
                })
                .is_err(),
        };
        let after = (
            all_of(&body),
            body.memory().map(|memory| memory.map(f64::to_bits)),
            format!("{body:?}"),
        );
        let is_mine = call != 10 || refused; // a body of zero moments takes any kick
        holds(
            refused || !is_mine || call == 10,
            || format!("call {call} is taken: {}", scene.name()),
            || format!("{scene:#?}"),
        )?;
        if !refused {
            return Ok(());
        }
        holds(
            before == after,
            || format!("call {call} changes: {}", scene.name()),
            || format!("{before:?} {after:?} {scene:#?}"),
        )?;
        let outcomes =
            [&mut body, &mut plain].map(|body| scene.advance(0, body, scene.dt, 3).is_ok());
        holds(
            outcomes[0] == outcomes[1] && all_of(&body) == all_of(&plain),
            || format!("call {call}, what follows: {}", scene.name()),
            || format!("{scene:#?}"),
        )
    });
}

/// What a call refuses, of an ensemble, whose arrays keep their bits.
#[test]
fn a_call_that_an_ensemble_refuses_changes_nothing_of_it() {
    hold(606, 1.0, |random| {
        let n = random.one_of(&[2, 5, 20, 70]);
        let scene = Scene::random(random, n, Wildness::Wild).for_ensembles();
        let home = Home::random(random, &scene);
        let way = if scene.binds_gradients {
            Way::Once
        } else {
            random.one_of(&[Way::Once, Way::Cuts(2)])
        };
        let mut arrays = [(); 2].map(|()| Arrays::of(&scene, &home));
        let [left, right] = &mut arrays;
        let [mut e, mut plain] = [
            scene.ensemble(&home, left, way),
            scene.ensemble(&home, right, way),
        ];
        let before = random.one_of(&[0, 3]);
        if scene.move_on(&mut e, way, before, None).is_err() {
            return Ok(());
        }
        let _ = scene.move_on(&mut plain, way, before, None);
        let bad = (random.between(0.0, n as f64)) as usize;
        let mut threes: Vec<f64> = (0..3 * n).map(|_| random.between(0.1, 1.0)).collect();
        threes[3 * bad + 1] = f64::NAN;
        let mut fours: Vec<f64> = (0..n).flat_map(|_| [1.0, 0.0, 0.0, 0.0]).collect();
        fours[4 * bad] = 0.5;
        let mut nines: Vec<f64> = (0..n)
            .flat_map(|_| [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])
            .collect();
        nines[9 * bad + 4] = -1.0;
        let mut rows = vec![0.0; n * e.row_size(super::scene::ALL)];
        e.rows(super::scene::ALL, None, &mut rows).expect("room");
        let width = rows.len() / n;
        rows[bad * width + random.one_of(&[0, 5, 8])] = f64::NAN;
        let mut fours_to_bind = fours.clone();
        let mut threes_to_bind = threes.clone();
        let three = View::<3>::rows(&threes).expect("whole");
        let nine = View::<9>::rows(&nines).expect("whole");
        let call = random.one_of(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
        let allowed_list = [n - 1, n];
        let outcome = match call {
            0 => e.kick(scene.dt, three, Frame::World),
            1 => e.kick_drift(scene.dt, scene.dt, Some(three), Frame::Body),
            2 => e.set_orientations(View::rows(&fours).expect("whole")),
            3 => e.set_angular_velocities(three),
            4 => e.set_angular_momenta(three),
            5 => e.set_inertias(nine),
            6 => e.set_drag(three, None),
            7 => e.set_rows(super::scene::ALL, None, &rows),
            8 => e.set_rotor_momentum(Some(three)),
            9 => e.set_constant_torque(three, Frame::World),
            10 => e.advance(f64::INFINITY, 3),
            11 => e.set_active(Some(&allowed_list)),
            12 => e.select(&allowed_list),
            13 => e.set_clock([f64::NAN, 0.0]),
            14 => e.set_langevin(three, None, 1.0, 1),
            _ => e.drift(f64::NAN),
        };
        let kind = |what: &str| format!("call {call} {what}: {}, {}", home.name(), scene.name());
        let problem = || format!("{outcome:?} body {bad} of {n} {home:#?} {scene:#?}");
        holds(outcome.is_err(), || kind("is taken"), problem)?;
        holds(all_in(&e) == all_in(&plain), || kind("changes"), problem)?;
        let outcomes = [
            scene.move_on(&mut e, way, 3, None).is_ok(),
            scene.move_on(&mut plain, way, 3, None).is_ok(),
        ];
        holds(
            outcomes[0] == outcomes[1] && all_in(&e) == all_in(&plain),
            || kind("what follows"),
            problem,
        )?;
        drop((e, plain));
        holds(arrays[0] == arrays[1], || kind("arrays"), problem)?;
        // a binding that is refused leaves the array as it is
        let mut e = Ensemble::new(n).expect("memory");
        let refused = e
            .bind_orientations(ViewMut::rows(&mut fours_to_bind).expect("whole"))
            .is_err()
            && e.bind_angular_velocities(
                ViewMut::rows(&mut threes_to_bind).expect("whole"),
                VelocityKind::OmegaWorld,
            )
            .is_err();
        drop(e);
        let same = fours == fours_to_bind
            && threes
                .iter()
                .zip(&threes_to_bind)
                .all(|(a, b)| a.to_bits() == b.to_bits());
        holds(refused && same, || kind("binds"), problem)
    });
}

/// An inertia function that fails or panics at any time, in steps, drifts and solutions.
#[test]
fn an_inertia_function_that_fails_leaves_the_body_as_it_was() {
    hold(607, 0.5, |random| {
        let mut scene = Scene::random(random, 1, Wildness::Wild);
        (scene.method, scene.bath, scene.growth) = (Method::Splitting, None, None);
        if scene.things[0].locked.contains(&true) {
            return Ok(());
        }
        let how = random.one_of(&[How::Error, How::Panic]);
        let left = Arc::new(AtomicI64::new(i64::MAX));
        let tensor = scene.things[0].tensor;
        let make = |left: &Arc<AtomicI64>| {
            let (left, clock) = (left.clone(), scene.clock);
            move |time: f64| -> Result<Inertia, Error> {
                if left.fetch_sub(1, Ordering::SeqCst) == 0 {
                    if how == How::Panic {
                        std::panic::resume_unwind(Box::new("the trap"));
                    }
                    return Err(Error::from_torque("the trap"));
                }
                let later = time - clock;
                Inertia::new(&(tensor * (1.1 + 0.1 * later / (1.0 + later.abs()))))
            }
        };
        let mut body = scene.body(0);
        body.set_inertia_function(make(&left)).expect("valid");
        let way = random.one_of(&["steps", "drift", "solution", "clock", "state"]);
        let mut other = body.clone();
        left.store((random.between(0.0, 7.0)) as i64, Ordering::SeqCst);
        let outcome = catch_unwind(AssertUnwindSafe(|| match way {
            "steps" => scene.advance(0, &mut body, scene.dt, 4),
            "drift" => body.drift(scene.dt).map_err(Failure::from),
            "solution" => scene
                .solve(
                    &Trap::never(),
                    0,
                    &mut body,
                    scene.clock + 0.1 * scene.dt,
                    1e-6,
                )
                .map(drop),
            "clock" => body.set_time(3.0).map_err(Failure::from),
            _ => body
                .set_inertia(
                    Inertia::new(&Matrix3::identity()).expect("valid"),
                    Keep::AngularMomentum,
                )
                .map_err(Failure::from),
        }));
        if left.swap(i64::MAX, Ordering::SeqCst) >= 0 {
            return Ok(());
        }
        let kind = |what: &str| format!("{what}, {how:?}, {way}: {}", scene.name());
        let is_told = match (&outcome, how) {
            (Ok(outcome), How::Error) => outcome.is_err(),
            (outcome, _) => outcome.is_err(),
        };
        let steps = if way == "steps" {
            completed(&scene, body.time())
        } else {
            0
        };
        let _ = scene.advance(0, &mut other, scene.dt, steps);
        let is_same =
            all_of(&body) == all_of(&other) || way == "solution" && body.time() != other.time();
        holds(
            is_told && is_same,
            || kind("state"),
            || format!("{steps} {outcome:?} {body:?} {other:?} {scene:#?}"),
        )
    });
}
