//! Locked bodies, bodies at rest, and events that are reached and stay.

use super::scene::{Q, Scene, Thing, Trap, V, Wildness, angle, locks_of, quaternion};
use super::{hold, holds, ratio_of_moments};
use crate::common::generic::{LOCKS, Random, Shape, tensor};
use nalgebra::Matrix3;
use quatint::torque::{ConstantWorld, Free, GravityGradient, Langevin, UniformField};
use quatint::{Body, Crossing, Ensemble, Inertia, Method, SolveMethod, View};

/// A lock moves no mass: the torque of a gradient of gravity stays that of the mass about the free axes.
#[test]
fn a_lock_leaves_the_gravity_gradient_that_of_the_mass() {
    hold(901, 0.7, |random| {
        let scene = Scene::random(random, 1, Wildness::Smooth);
        let thing: &Thing = &scene.things[0];
        let shape = random.one_of(&[Shape::Compact, Shape::Disc, Shape::Rod(0.1)]);
        let moments = random.moments(shape);
        let tensor = Matrix3::from_diagonal(&moments);
        let locks = locks_of(moments, random.one_of(&LOCKS[..6])); // not all three axes
        let method = random.one_of(&[
            Method::Pcdm,
            Method::Splitting,
            Method::Splitting4,
            Method::Splitting6,
            Method::ForceGradient,
            Method::Cf4,
        ]);
        let inertia = Inertia::new(&tensor)
            .expect("valid")
            .with_locked_axes(locks)
            .expect("aligned");
        let mut start = Body::new(inertia, thing.q, thing.q * thing.omega_body).expect("finite");
        start.set_method(method);
        let mut ready = GravityGradient::new(scene.planet.into(), thing.gradient).expect("finite");
        let (planet, gradient) = (scene.planet, thing.gradient);
        let mut function = move |_: f64, q: &Q, _: &V| {
            let n = q.inverse_transform_vector(&planet);
            q * (n.cross(&(tensor * n)) * (3.0 * gradient))
        };
        let how = random.one_of(&["torque", "steps", "solution", "ensemble"]);
        let [mut left, mut right] = [start.clone(), start.clone()];
        let off = match how {
            "torque" => {
                let free = |torque: V| {
                    let body = thing.q.inverse_transform_vector(&torque);
                    V::from_fn(|axis, _| if locks[axis] { 0.0 } else { body[axis] })
                };
                let torques = [
                    left.total_torque(&mut ready),
                    right.total_torque(&mut function),
                ];
                (free(torques[0].clone().expect("finite"))
                    - free(torques[1].clone().expect("finite")))
                .norm()
            }
            "steps" => {
                left.advance(scene.dt, 20, &mut ready).expect("smooth");
                right.advance(scene.dt, 20, &mut function).expect("smooth");
                angle(&left.orientation(), &right.orientation())
            }
            "solution" => {
                left.solve(scene.duration(), 1e-11, &mut ready)
                    .expect("smooth");
                right
                    .solve(scene.duration(), 1e-11, &mut function)
                    .expect("smooth");
                angle(&left.orientation(), &right.orientation())
            }
            _ => {
                let mut e = Ensemble::new(1).expect("memory");
                e.set_inertia(inertia).expect("valid");
                e.set_method(method).expect("allowed");
                e.set_gravity_gradient(planet.into(), View::shared(&[gradient], 1))
                    .expect("finite");
                e.set_orientation(0, start.orientation()).expect("unit");
                e.set_angular_velocity(0, start.angular_velocity())
                    .expect("finite");
                e.advance(scene.dt, 20).expect("smooth");
                right.advance(scene.dt, 20, &mut function).expect("smooth");
                angle(&e.orientation(0), &right.orientation())
            }
        };
        holds(
            off < 1e-8,
            || {
                format!(
                    "{how}, {} locked",
                    locks.iter().filter(|lock| **lock).count()
                )
            },
            || format!("{off:e} {method:?} {tensor} {locks:?} {scene:#?}"),
        )
    });
}

/// A body in a stable equilibrium, at rest.
struct Rest {
    body: Body,
    torque: UniformField,
    name: &'static str,
    duration: f64,
}

fn at_rest(random: &mut Random) -> Rest {
    let axes = {
        let turned = random.rotation();
        random.one_of(&[Q::identity(), turned])
    };
    let thin = random.power_of_ten(-5.0, -3.0);
    let (name, moments) = match random.one_of(&[0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]) {
        0 => ("rod", random.moments(Shape::Rod(thin))),
        1 => ("disc", random.moments(Shape::Disc)),
        2 => ("sphere", V::repeat(1.0)),
        3 => ("line", V::new(0.0, 1.0, 1.0)),
        _ => ("compact body", random.moments(Shape::Compact)),
    };
    let dipole = random.direction();
    let q = random.rotation();
    let field = (q * dipole) * random.power_of_ten(-1.0, 0.5);
    let body = Body::new(
        Inertia::new(&tensor(moments, &axes)).expect("valid"),
        q,
        V::zeros(),
    )
    .expect("at rest");
    Rest {
        body,
        torque: UniformField::new(dipole.into(), field.into()).expect("finite"),
        name,
        duration: random.between(0.5, 3.0),
    }
}

/// All that the torque can do is to move by the rounding of the equilibrium.
#[test]
fn bodies_at_rest_stay_in_rows_and_set_off_no_event() {
    hold(902, 1.0, |random| {
        let Rest {
            body,
            mut torque,
            name,
            duration,
        } = at_rest(random);
        let method = random.one_of(&[
            SolveMethod::Nonstiff,
            SolveMethod::Nonstiff,
            SolveMethod::Splitting,
            SolveMethod::Stiff,
        ]);
        let tolerance = random.one_of(&[1e-6, 1e-9, 1e-9, 1e-9, 1e-12]);
        let q = body.orientation();
        let mut recorded = body.clone();
        recorded.set_solve_method(method);
        let mut watched = recorded.clone();
        let times: Vec<f64> = (1..=30).map(|i| duration * f64::from(i) / 30.0).collect();
        let mut rows = vec![[0.0; 8]; 30];
        let outcome = recorded
            .solve_record(&times, &mut rows, tolerance, &mut torque)
            .1;
        let most = rows
            .iter()
            .map(|row| angle(&q, &quaternion([row[1], row[2], row[3], row[4]])))
            .fold(0.0, f64::max);
        let problem =
            || format!("{most:e} {outcome:?} {tolerance:e} {duration} {body:?} {torque:?}");
        holds(
            outcome.is_ok() && most < 1e-6,
            || format!("rows of a {name}, {method:?}"),
            problem,
        )?;
        let tilt = move |_: f64, now: &Q, _: &V| angle(&q, now) - 1e-3;
        let event = watched.solve_until(
            duration,
            tolerance,
            tilt,
            Crossing::Rising,
            &mut torque.clone(),
        );
        holds(
            matches!(event, Ok(None)),
            || format!("event of a {name}, {method:?}"),
            || format!("{event:?} {}", problem()),
        )
    });
}

/// Rows are the states that solutions to their times end in, for all that acts at once.
#[test]
fn rows_are_the_states_at_their_times() {
    hold(903, 0.3, |random| {
        let mut scene = Scene::random(random, 1, Wildness::Smooth);
        scene.bath = None;
        if scene.method == Method::Brownian {
            return Ok(());
        }
        let body = scene.body(0);
        let tolerance = 1e-9;
        let most = if scene.growth.is_some() {
            200.0 * tolerance * ratio_of_moments(&body)
        } else {
            200.0 * tolerance
        };
        let end = scene.clock + 3.0 * scene.duration();
        let times: Vec<f64> = (1..=7)
            .map(|i| scene.clock + (end - scene.clock) * f64::from(i) / 7.0)
            .collect();
        let mut rows = vec![[0.0; 8]; 7];
        let mut recorded = body.clone();
        let outcome = scene.solve_record(0, &mut recorded, &times, &mut rows, tolerance);
        let kind = || scene.name();
        holds(
            outcome.is_ok(),
            || format!("fails: {}", kind()),
            || format!("{outcome:?} {scene:#?}"),
        )?;
        let speed = rows
            .iter()
            .map(|row| V::new(row[5], row[6], row[7]).norm())
            .fold(1.0, f64::max);
        for (time, row) in times.iter().zip(&rows) {
            let mut alone = body.clone();
            scene
                .solve(&Trap::never(), 0, &mut alone, *time, tolerance)
                .map_err(|failure| format!("{failure}\n{scene:#?}"))?;
            let off = angle(
                &alone.orientation(),
                &quaternion([row[1], row[2], row[3], row[4]]),
            );
            let off =
                off.max((alone.angular_velocity() - V::new(row[5], row[6], row[7])).norm() / speed);
            holds(off < most, kind, || format!("{off:e} at {time} {scene:#?}"))?;
        }
        Ok(())
    });
}

/// An event whose time is known ends a solution there, in the state of a solution to this time, whatever acts at once.
#[test]
fn an_event_at_a_known_time_leaves_the_body_in_the_state_of_this_time() {
    hold(906, 0.3, |random| {
        let mut scene = Scene::random(random, 1, Wildness::Smooth);
        scene.bath = None;
        if scene.method == Method::Brownian {
            return Ok(());
        }
        let time = scene.clock + random.between(0.2, 2.0) * scene.duration();
        let [mut watched, mut plain] = [scene.body(0), scene.body(0)];
        let end = scene.clock + 3.0 * scene.duration();
        let event = scene.solve_until(
            0,
            &mut watched,
            end,
            1e-9,
            |now, _, _| now - time,
            Crossing::Any,
        );
        let outcome = scene.solve(&Trap::never(), 0, &mut plain, time, 1e-9);
        let off = angle(&watched.orientation(), &plain.orientation());
        let is_found =
            matches!(event, Ok(Some(found)) if (found - time).abs() < 1e-12 * time.abs().max(1.0));
        let problem = || format!("{event:?} at {time} {outcome:?} {off:e} {scene:#?}");
        holds(
            is_found && outcome.is_ok() && off < 2e-7,
            || scene.name(),
            problem,
        )
    });
}

/// A function that falls to zero and stays there has one event, where it reaches zero, whatever the end and the slices: a depth
/// that is clamped, a spring that becomes slack, a flag.
#[test]
fn what_reaches_zero_and_stays_is_one_event_where_it_is_reached() {
    hold(904, 0.5, |random| {
        let body = Body::new(
            Inertia::from_moments(random.moments(Shape::Compact)).expect("valid"),
            random.rotation(),
            random.vector() * 0.1,
        )
        .expect("finite");
        let reached = random.between(0.5, 8.0);
        let sign = random.one_of(&[1.0, -1.0]);
        let of_time = move |time: f64| sign * (reached - time).max(0.0);
        let mut magnet = UniformField::new([0.0, 0.1, 0.2], [0.3, 0.1, 0.0]).expect("finite");
        let crossing = random.one_of(&[
            Crossing::Any,
            if sign > 0.0 {
                Crossing::Falling
            } else {
                Crossing::Rising
            },
        ]);
        let end = reached + random.one_of(&[1e-3, 0.3, 5.0, 100.0]) * random.between(0.5, 1.5);
        let slices = random.one_of(&[1, 1, 2, 5]);
        let is_free = random.between(0.0, 1.0) < 0.5;
        let mut body = body;
        let mut found = vec![];
        for slice in 1..=slices {
            let to = end * f64::from(slice) / f64::from(slices);
            while body.time() < to {
                let function = |time: f64, _: &Q, _: &V| of_time(time);
                let event = if is_free {
                    body.solve_until(to, 1e-9, function, crossing, &mut Free)
                } else {
                    body.solve_until(to, 1e-9, function, crossing, &mut magnet)
                };
                match event {
                    Ok(Some(time)) => found.push(time),
                    Ok(None) => break,
                    Err(failure) => return Err(format!("fails\n{failure}")),
                }
                if found.len() > 3 {
                    break;
                }
            }
        }
        let is_right = found.len() == 1 && (found[0] - reached).abs() < 1e-8 * reached;
        let kind = || format!("free {is_free}, {slices} slices: {} events", found.len());
        holds(is_right, kind, || {
            format!("{found:?}, not {reached}, until {end}, {crossing:?} sign {sign}")
        })
    });
}

/// Where calls end near an event, before it or after it, and in slices of any length, it is found once; but for calls that end so
/// near that rounding cannot tell.
#[test]
fn an_event_is_found_once_wherever_calls_end_near_it() {
    hold(907, 0.3, |random| {
        let shape = random.one_of(&[Shape::Compact, Shape::Compact, Shape::Disc, Shape::Rod(0.1)]);
        let start = random.one_of(&[0.0, 0.0, 0.7, 1e3]);
        let mut body = Body::new(
            Inertia::from_moments(random.moments(shape)).expect("valid"),
            random.rotation(),
            random.vector(),
        )
        .expect("finite");
        body.set_time(start).expect("finite");
        let (fixed, direction) = (random.vector().normalize(), random.vector().normalize());
        let level = random.between(-0.3, 0.3);
        let is_flag = random.one_of(&[false, true]);
        let function = move |_: f64, q: &Q, _: &V| {
            let above = (q * fixed).dot(&direction) - level;
            if is_flag { above.signum() } else { above }
        };
        let strength = random.one_of(&[0.0, 1.0]);
        let mut torque = ConstantWorld::new((random.vector() * strength).into()).expect("finite");
        let until = |body: &mut Body, to: f64, torque: &mut ConstantWorld<f64>| {
            let outcome = if strength == 0.0 {
                body.solve_until(to, 1e-13, function, Crossing::Any, &mut Free)
            } else {
                body.solve_until(to, 1e-13, function, Crossing::Any, torque)
            };
            outcome.map_err(|failure| format!("fails\n{failure}"))
        };
        let mut first = body.clone();
        let Some(time) = until(&mut first, start + 3.0, &mut torque)? else {
            return Ok(());
        };
        // no other one follows soon
        let after = time + 0.02;
        let slope = first
            .angular_velocity()
            .cross(&(first.orientation() * fixed));
        let is_alone = until(&mut first, after, &mut torque)?.is_none();
        if !is_alone || slope.dot(&direction).abs() < 0.2 * slope.norm() || time - start < 1e-3 {
            return Ok(());
        }
        let slice = 10_f64.powf(random.between(-15.0, -8.0)) * time.max(1.0);
        let slices = random.one_of(&[0.0, 1.0, 5.0, 30.0]);
        let begun = random.between(-0.5 * slices - 1.0, 1.0);
        let mut ends: Vec<f64> = (0..=slices as i32)
            .map(|k| time + (begun + f64::from(k)) * slice)
            .collect();
        ends.push(after);
        let mut found = vec![];
        for &end in &ends {
            while body.time() < end {
                match until(&mut body, end, &mut torque)? {
                    Some(event) => found.push(event),
                    None => break,
                }
                if found.len() > 9 {
                    break;
                }
            }
        }
        let kind = || {
            let times = found.len();
            format!("torque {strength}, clock {start}, flag {is_flag}: {times} times")
        };
        let near = 1e-13 * time.max(1.0);
        let is_near = ends.iter().any(|end| (time - end).abs() < near);
        let most = match (is_near, is_flag) {
            (false, _) => 1,
            (true, false) => 3,
            (true, true) => 6,
        };
        holds((1..=most).contains(&found.len()), kind, || {
            format!("{found:?}, not {time}, ends {ends:?}, slice {slice:e} {body:?}")
        })
    });
}

/// Random torques at kT = 0 are the drag of their coefficients, of turned lines too, whose flow turns them.
#[test]
fn random_torques_at_kt_0_are_a_drag() {
    hold(905, 0.3, |random| {
        let axes = random.rotation();
        let moments = random.one_of(&[
            V::new(0.0, 1.0, 1.0),
            V::new(1.0, 2.0, 2.5),
            V::new(0.0, 0.0, 1.0),
        ]);
        let tensor = tensor(moments, &axes);
        let mut coefficients = [(); 3].map(|()| random.between(0.2, 1.0));
        for _ in 0..random.one_of(&[0, 1, 2]) {
            coefficients[random.one_of(&[0, 1, 2])] = 0.0;
        }
        let flow: [f64; 3] = random.vector().into();
        let start = Body::new(
            Inertia::new(&tensor).expect("valid"),
            random.rotation(),
            random.vector(),
        )
        .expect("finite");
        let end = 1.0;
        let mut exact = start.clone();
        exact
            .set_drag(Some(
                quatint::torque::FluidDrag::new(coefficients, flow).expect("finite"),
            ))
            .expect("allowed");
        exact
            .solve(end, 1e-11, &mut Free)
            .map_err(|failure| failure.to_string())?;
        let error = |steps: u64| {
            let mut body = start.clone();
            body.set_method(Method::Splitting);
            body.set_langevin(Some(
                Langevin::new(coefficients, flow, 0.0, 1, 1).expect("valid"),
            ))
            .expect("allowed");
            body.advance(end / steps as f64, steps, &mut Free)
                .expect("smooth");
            angle(&body.orientation(), &exact.orientation())
                .max((body.angular_velocity() - exact.angular_velocity()).norm())
        };
        let [coarse, fine] = [100, 400].map(error);
        holds(
            fine < 0.2 * coarse + 1e-8,
            || {
                format!(
                    "moments {:?}, {} coefficients of zero",
                    moments.as_slice(),
                    coefficients.iter().filter(|c| **c == 0.0).count()
                )
            },
            || format!("{coarse:e} {fine:e} {coefficients:?} {flow:?} {start:?}"),
        )
    });
}
