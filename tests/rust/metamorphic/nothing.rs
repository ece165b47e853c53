//! A feature that is set to nothing, or set and taken away, acts as one that is not there: with the same bits, or, where another
//! formula is used then, up to rounding.

use super::scene::{
    Arrays, Home, Kind, Q, Scene, Thing, Trap, V, Way, Wildness, all_in, all_of, angle,
};
use super::{hold, holds, ratio_of_moments};
use crate::common::bits::{state_bits, state_bits_in};
use crate::common::generic::Random;
use nalgebra::Matrix3;
use quatint::torque::{FluidDrag, Free, Langevin, resistances};
use quatint::{Body, Ensemble, Frame, Inertia, Keep, Method, View};

/// Rounding, magnified by the motion.
const ROUNDING: f64 = 2e-9;

const OF_BODY: [&str; 12] = [
    "a motor of zero",
    "a rotor of zero",
    "a rotor that is taken away",
    "no drag",
    "a drag that is taken away",
    "no random torques",
    "random torques that are taken away",
    "no locks",
    "the same inertia",
    "an inertia function that ends",
    "the same method",
    "the same state",
];

/// Does nothing to a body. Returns whether it may be done to this one.
fn do_nothing_to(body: &mut Body, what: &str, thing: &Thing) -> bool {
    let is_paired = thing.locked.contains(&true);
    match what {
        "a motor of zero" if body.rotor_torque().is_none() => {
            body.set_rotor_torque(Some(V::zeros())).expect("nothing")
        }
        "a rotor of zero" if body.rotor_momentum().is_none() => {
            body.set_rotor_momentum(Some(V::zeros())).expect("nothing")
        }
        "a rotor that is taken away"
            if body.rotor_momentum().is_none() && body.rotor_torque().is_none() && !is_paired =>
        {
            body.set_rotor_momentum(Some(thing.rotor)).expect("finite");
            body.set_rotor_momentum(None).expect("nothing");
        }
        "no drag" if body.drag().is_none() => body.set_drag(None).expect("nothing"),
        "a drag that is taken away"
            if body.drag().is_none()
                && body.langevin().is_none()
                && body.method().allows_resistance() =>
        {
            body.set_drag(Some(
                FluidDrag::new(thing.coefficients, thing.flow.into()).expect("finite"),
            ))
            .expect("allowed");
            body.set_drag(None).expect("nothing");
        }
        "no random torques" if body.langevin().is_none() => {
            body.set_langevin(None).expect("nothing")
        }
        "random torques that are taken away"
            if body.langevin().is_none() && body.drag().is_none() =>
        {
            body.set_langevin(Some(
                Langevin::new(thing.coefficients, [0.0; 3], 1.0, 1, 1).expect("valid"),
            ))
            .expect("allowed");
            body.set_langevin(None).expect("nothing");
        }
        "no locks" => {
            let inertia = body
                .inertia()
                .with_locked_axes([false; 3])
                .expect("nothing");
            assert!(inertia.principal_moments() == body.inertia().principal_moments());
        }
        "an inertia function that ends" => return false, // see below: the function of a body with growth is its own
        "the same method" => body.set_method(body.method()),
        // what rounding leaves of an angular velocity about a turned axis of zero moment does not stay
        "the same state"
            if !thing.is_aligned && body.inertia().principal_moments().min() == 0.0 =>
        {
            return false;
        }
        "the same state" => body
            .set_state_body(body.orientation(), body.angular_velocity_body())
            .expect("finite"),
        _ => return false,
    }
    true
}

#[test]
fn nothing_that_is_set_at_the_start_changes_no_bit_of_a_body() {
    hold(401, 1.0, |random| {
        let mut scene = Scene::random(random, 1, Wildness::Wild);
        let what = random.one_of(&OF_BODY);
        if what == "the same inertia" || what == "an inertia function that ends" {
            scene.growth = None;
        }
        let thing = &scene.things[0];
        let mut plain = scene.body(0);
        let mut other = scene.body(0);
        let is_done = match what {
            "the same inertia" => {
                other
                    .set_inertia(*plain.inertia(), Keep::AngularVelocity)
                    .expect("the same");
                true
            }
            "an inertia function that ends" => {
                let inertia = *plain.inertia();
                other
                    .set_inertia_function(move |_| Ok(inertia))
                    .expect("the same");
                other.end_inertia_function();
                true
            }
            _ => do_nothing_to(&mut other, what, thing),
        };
        if !is_done {
            return Ok(());
        }
        let outcomes = [
            scene.advance(0, &mut plain, scene.dt, scene.steps).is_ok(),
            scene.advance(0, &mut other, scene.dt, scene.steps).is_ok(),
        ];
        holds(
            outcomes[0] == outcomes[1] && all_of(&plain) == all_of(&other),
            || format!("{what}: {}", scene.name()),
            || format!("{outcomes:?} {plain:?} {other:?}\n{scene:#?}"),
        )
    });
}

const OF_ENSEMBLE: [&str; 17] = [
    "a list of all bodies",
    "a list of all bodies that is taken away",
    "a list that is taken away",
    "no drag",
    "a drag that is taken away",
    "no random torques",
    "random torques that are taken away",
    "no rotors",
    "rotors that are taken away",
    "no locks",
    "a flow of zero",
    "gradients that are those of all",
    "gradients that are taken away",
    "ids that are those of before",
    "the same torque",
    "another method in between",
    "as many bodies",
];

#[test]
fn nothing_that_is_set_at_the_start_changes_no_bit_of_an_ensemble() {
    hold(402, 1.0, |random| {
        let n = random.one_of(&[1, 2, 3, 20, 70]);
        let mut scene = Scene::random(random, n, Wildness::Wild).for_ensembles();
        let what = random.one_of(&OF_ENSEMBLE);
        if what == "a flow of zero" {
            scene.has_flow = false;
        }
        if what.starts_with("gradients") {
            scene.binds_gradients = false;
        }
        let home = if what == "as many bodies" {
            Home::own()
        } else {
            Home::random(random, &scene)
        };
        let way = if what.starts_with("gradients") {
            Way::Once
        } else {
            Way::random(random, &scene)
        };
        let mut arrays = [(); 2].map(|()| Arrays::of(&scene, &home));
        let [left, right] = &mut arrays;
        let [mut plain, mut other] = [
            scene.ensemble(&home, left, way),
            scene.ensemble(&home, right, way),
        ];
        let all: Vec<usize> = (0..n).collect();
        let flat =
            |get: fn(&Thing) -> [f64; 3]| scene.things.iter().flat_map(get).collect::<Vec<f64>>();
        let coefficients = flat(|thing| thing.coefficients);
        let rotors = flat(|thing| thing.rotor.into());
        let zeros = vec![0.0; 3 * n];
        let of_all: Vec<f64> = (0..n).flat_map(|_| scene.fluid).collect();
        let of_others: Vec<f64> = scene.things.iter().flat_map(|thing| thing.fluid).collect();
        let three = |numbers| View::<3>::rows(numbers).expect("whole");
        let momenta_or_pairs = home.name().contains("Momentum")
            || scene
                .things
                .iter()
                .any(|thing| thing.locked.contains(&true));
        let outcome = match what {
            "a list of all bodies" => other.set_active(Some(&all)),
            "a list of all bodies that is taken away" => other
                .set_active(Some(&all))
                .and_then(|()| other.set_active(None)),
            "a list that is taken away" => other
                .set_active(Some(&all[n / 2..]))
                .and_then(|()| other.set_active(None)),
            "no drag" if !scene.has_drag => other.clear_drag(),
            "a drag that is taken away"
                if !scene.has_drag && scene.bath.is_none() && scene.method.allows_resistance() =>
            {
                other
                    .set_drag(three(&coefficients), Some(three(&zeros)))
                    .and_then(|()| other.clear_drag())
            }
            "no random torques" if scene.bath.is_none() => other.clear_langevin(),
            "random torques that are taken away" if scene.bath.is_none() && !scene.has_drag => {
                other
                    .set_langevin(three(&coefficients), None, 1.0, 1)
                    .and_then(|()| other.clear_langevin())
            }
            "no rotors" if !scene.has_rotors => other.set_rotor_momentum(None),
            "rotors that are taken away" if !scene.has_rotors && !momenta_or_pairs => other
                .set_rotor_momentum(Some(three(&rotors)))
                .and_then(|()| other.set_rotor_momentum(None)),
            "no locks" => other.lock_axes(&[0], true),
            "a flow of zero" if scene.has_drag => {
                other.set_drag(three(&coefficients), Some(three(&zeros)))
            }
            "a flow of zero" => match scene.bath {
                Some((kt, seed)) => {
                    other.set_langevin(three(&coefficients), Some(three(&zeros)), kt, seed)
                }
                None => return Ok(()),
            },
            "gradients that are those of all" => {
                other.bind_flow_gradients(Some(View::rows(&of_all).expect("whole")))
            }
            "gradients that are taken away" => other
                .bind_flow_gradients(Some(View::rows(&of_others).expect("whole")))
                .and_then(|()| other.bind_flow_gradients(None)),
            "ids that are those of before" => {
                let ids: Vec<u64> = (0..n).map(|i| other.id(i)).collect();
                other.set_ids(Some(&ids))
            }
            "the same torque" => {
                scene.set_torque(&mut other, way, &Trap::never(), None);
                Ok(())
            }
            "another method in between" => other
                .set_method(Method::Pcdm)
                .and_then(|()| other.set_method(scene.method)),
            "as many bodies" if !scene.binds_gradients => other.resize(n),
            _ => return Ok(()),
        };
        let kind = |what: &str, how: &str| format!("{what}, {how}: {}", scene.name());
        if let Err(failure) = outcome {
            return Err(format!(
                "{}\n{failure}\n{home:#?} {scene:#?}",
                kind(what, "refused")
            ));
        }
        let outcomes = [
            scene.move_on(&mut plain, way, scene.steps, None),
            scene.move_on(&mut other, way, scene.steps, None),
        ];
        holds(
            outcomes[0] == outcomes[1] && all_in(&plain) == all_in(&other),
            || {
                kind(
                    what,
                    if outcomes[0] == outcomes[1] {
                        "other bits"
                    } else {
                        "another outcome"
                    },
                )
            },
            || {
                format!(
                    "{way:?}, {}, {outcomes:?}\n{home:#?} {scene:#?}",
                    home.name()
                )
            },
        )
    });
}

/// In radians, and relative to the speed and a radian in the run.
fn apart(scene: &Scene, left: (Q, V), right: (Q, V)) -> f64 {
    let speed = left.1.norm().max(1.0 / scene.duration());
    angle(&left.0, &right.0).max((left.1 - right.1).norm() / speed)
}

fn state(body: &Body) -> (Q, V) {
    (body.orientation(), body.angular_velocity())
}

fn state_in(e: &Ensemble, i: usize) -> (Q, V) {
    (e.orientation(i), e.angular_velocity(i))
}

/// The features of which nothing has another formula than none of it, in a scene without them.
fn without(random: &mut Random, what: &str) -> Scene {
    loop {
        let mut scene = Scene::random(random, 1, Wildness::Smooth);
        let fits = match what {
            // under PCDM the formula of drag is another one of order 2
            "a drag of zero" => {
                scene.method.allows_resistance()
                    && scene.method != Method::Pcdm
                    && scene.bath.is_none()
                    && !scene.kind.resists()
            }
            "random torques of zero" => {
                scene.method == Method::Splitting && !scene.has_rotors && !scene.kind.resists()
            }
            "an inertia function that is constant" => {
                scene.method == Method::Splitting && scene.of_omega == 0.0 && !scene.kind.resists()
            }
            _ => true,
        };
        if !fits || scene.method == Method::Brownian {
            continue;
        }
        match what {
            "a drag of zero" => scene.has_drag = false,
            "random torques of zero" => (scene.bath, scene.has_drag) = (None, false),
            "an inertia function that is constant" => {
                (scene.growth, scene.has_drag, scene.bath) = (None, false, None)
            }
            _ => {}
        }
        return scene;
    }
}

#[test]
fn a_feature_of_zero_changes_the_motion_by_rounding_alone() {
    hold(403, 1.0, |random| {
        let what = random.one_of(&[
            "a drag of zero",
            "random torques of zero",
            "an inertia function that is constant",
        ]);
        let mut scene = without(random, what);
        if what == "random torques of zero" {
            scene.growth = None;
        }
        let thing = &scene.things[0];
        let mut plain = scene.body(0);
        let mut other = scene.body(0);
        match what {
            "a drag of zero" => other
                .set_drag(Some(
                    FluidDrag::new([0.0; 3], thing.flow.into()).expect("finite"),
                ))
                .expect("allowed"),
            "random torques of zero" => {
                other
                    .set_langevin(Some(
                        Langevin::new([0.0; 3], thing.flow.into(), 0.0, 1, 1).expect("valid"),
                    ))
                    .expect("allowed");
            }
            _ => {
                let inertia = *plain.inertia();
                other
                    .set_inertia_function(move |_| Ok(inertia))
                    .expect("valid");
            }
        }
        let outcomes = [
            scene.advance(0, &mut plain, scene.dt, scene.steps),
            scene.advance(0, &mut other, scene.dt, scene.steps),
        ];
        let off = apart(&scene, state(&plain), state(&other));
        // under noise the free rotation leaves out order 9 in the step: src/kernel/free_rotor/under_noise.rs
        let turn = other.angular_velocity().norm() * scene.dt.abs();
        let most = if what == "random torques of zero" && turn > 0.2 {
            1e-7 * scene.steps as f64
        } else {
            ROUNDING
        };
        holds(
            outcomes.iter().all(Result::is_ok) && off < most,
            || format!("{what}: {}", scene.name()),
            || format!("{off:e} {outcomes:?}\n{scene:#?}"),
        )
    });
}

/// Under PCDM, whose formula with drag is another one of order 2, the two come closer by the square of the step.
#[test]
fn a_drag_of_zero_under_pcdm_is_of_order_2() {
    hold(404, 0.5, |random| {
        let mut scene = Scene::random(random, 1, Wildness::Smooth);
        (scene.method, scene.has_drag, scene.bath, scene.growth) =
            (Method::Pcdm, false, None, None);
        if scene.kind.resists() || scene.things[0].is_thin {
            return Ok(());
        }
        let mut off = |k: u64| {
            let mut plain = scene.body(0);
            let mut other = scene.body(0);
            other
                .set_drag(Some(FluidDrag::new([0.0; 3], [0.0; 3]).expect("finite")))
                .expect("allowed");
            for body in [&mut plain, &mut other] {
                scene
                    .advance(0, body, scene.dt / k as f64, scene.steps * k)
                    .expect("smooth");
            }
            apart(&scene, state(&plain), state(&other))
        };
        let [coarse, fine] = [1, 8].map(&mut off);
        holds(
            fine < coarse / 30.0 + 1e-9,
            || format!("order: {}", scene.name()),
            || format!("{coarse:e} {fine:e}\n{scene:#?}"),
        )
    });
}

/// Torques of zero, and rotors at rest.
#[test]
fn a_torque_of_zero_and_rotors_at_rest_move_an_ensemble_as_none() {
    hold(405, 0.7, |random| {
        let mut scene = Scene::random(random, 3, Wildness::Smooth).for_ensembles();
        if scene.method == Method::Brownian {
            return Ok(());
        }
        let what = random.one_of(&[
            "a constant torque",
            "a constant torque of the body",
            "a field",
            "a gradient",
            "a drag torque",
            "rotors at rest",
            "a callback",
        ]);
        scene.kind = Kind::Free;
        scene.binds_gradients = false;
        let allows = match what {
            "a drag torque" => {
                scene.method.allows_resistance()
                    && scene.method != Method::Pcdm
                    && scene.bath.is_none()
            }
            // a force-gradient step with rotors is another method
            "rotors at rest" => {
                scene.has_rotors = false;
                scene.bath.is_none()
                    && scene.method != Method::ForceGradient
                    && !scene
                        .things
                        .iter()
                        .any(|thing| thing.locked.contains(&true))
            }
            _ => true,
        };
        if !allows {
            return Ok(());
        }
        let mut arrays = [(); 2].map(|()| Arrays::of(&scene, &Home::own()));
        let [left, right] = &mut arrays;
        let [mut plain, mut other] = [
            scene.ensemble(&Home::own(), left, Way::Once),
            scene.ensemble(&Home::own(), right, Way::Once),
        ];
        let zeros = View::<3>::shared(&[0.0; 3], 3);
        match what {
            "a constant torque" => other.set_constant_torque(zeros, Frame::World),
            "a constant torque of the body" => other.set_constant_torque(zeros, Frame::Body),
            "a field" => other.set_uniform_field(zeros, scene.field.into()),
            "a gradient" => {
                other.set_gravity_gradient(scene.planet.into(), View::shared(&[0.0], 3))
            }
            "a drag torque" => other.set_linear_drag(zeros),
            "rotors at rest" => other.set_rotor_momentum(Some(zeros)),
            _ => other.set_torque(
                Box::new(|_, _, _, _, _, _| Ok(())),
                scene.layout,
                Frame::World,
            ),
        }
        .expect("allowed");
        let outcomes = [
            plain.advance(scene.dt, scene.steps),
            other.advance(scene.dt, scene.steps),
        ];
        let off = (0..3)
            .map(|i| apart(&scene, state_in(&plain, i), state_in(&other, i)))
            .fold(0.0, f64::max);
        holds(
            outcomes.iter().all(Result::is_ok) && off < ROUNDING,
            || format!("{what}: {}", scene.name()),
            || format!("{off:e} {outcomes:?}\n{scene:#?}"),
        )
    });
}

/// In a fluid at rest the torque of a shear flow is a drag.
#[test]
fn a_shear_flow_of_zero_is_a_drag() {
    hold(406, 0.7, |random| {
        let mut scene = Scene::random(random, 3, Wildness::Smooth).for_ensembles();
        if !scene.method.allows_resistance() || scene.bath.is_some() {
            return Ok(());
        }
        scene.kind = Kind::Shear;
        scene.fluid = [0.0; 9];
        let is_bound = random.between(0.0, 1.0) < 0.5;
        scene.binds_gradients = is_bound;
        for thing in &mut scene.things {
            thing.fluid = [0.0; 9];
        }
        let mut drag = scene.clone();
        (drag.kind, drag.binds_gradients) = (Kind::LinearDrag, false);
        for thing in &mut drag.things {
            thing.coefficients = resistances(thing.semi_axes, scene.viscosity)
                .expect("positive")
                .1
                .into();
        }
        drag.has_drag = false;
        scene.has_drag = false;
        let mut arrays = [
            Arrays::of(&scene, &Home::own()),
            Arrays::of(&drag, &Home::own()),
        ];
        let [left, right] = &mut arrays;
        let [mut shear, mut resisted] = [
            scene.ensemble(&Home::own(), left, Way::Once),
            drag.ensemble(&Home::own(), right, Way::Once),
        ];
        let outcomes = [
            shear.advance(scene.dt, scene.steps),
            resisted.advance(scene.dt, scene.steps),
        ];
        if outcomes.iter().all(Result::is_err) {
            return Ok(()); // too stiff for CF4
        }
        let off = (0..3)
            .map(|i| apart(&scene, state_in(&shear, i), state_in(&resisted, i)))
            .fold(0.0, f64::max);
        holds(
            outcomes.iter().all(Result::is_ok) && off < ROUNDING,
            || format!("bound {is_bound}: {}", scene.name()),
            || format!("{off:e} {outcomes:?}\n{scene:#?}"),
        )
    });
}

/// Solutions with error control come as close as their tolerance.
#[test]
fn a_feature_of_zero_changes_no_solution() {
    hold(407, 0.2, |random| {
        let mut scene = Scene::random(random, 1, Wildness::Smooth);
        (scene.bath, scene.has_drag, scene.has_rotors, scene.motor) = (None, false, false, None);
        if scene.method == Method::Brownian {
            return Ok(());
        }
        let what = random.one_of(&[
            "a drag of zero",
            "an inertia function that is constant",
            "no locks",
        ]);
        if what != "a drag of zero" {
            scene.growth = None;
        }
        let (mut plain, mut other) = (scene.body(0), scene.body(0));
        match what {
            "a drag of zero" if scene.method.allows_resistance() => {
                other
                    .set_drag(Some(
                        FluidDrag::new([0.0; 3], [0.3, 0.2, 0.1]).expect("finite"),
                    ))
                    .expect("allowed");
            }
            "an inertia function that is constant" => {
                let inertia = *plain.inertia();
                other
                    .set_inertia_function(move |_| Ok(inertia))
                    .expect("valid");
            }
            _ => other.lock_axes([false; 3]).expect("nothing"),
        }
        let end = scene.clock + scene.duration();
        let outcomes = [&mut plain, &mut other]
            .map(|body| scene.solve(&Trap::never(), 0, body, end, 1e-11).is_ok());
        let off = apart(&scene, state(&plain), state(&other));
        let most = if what == "an inertia function that is constant" {
            1e-8 * ratio_of_moments(&plain)
        } else {
            1e-8
        };
        holds(
            outcomes[0] && outcomes[1] && off < most,
            || format!("{what}: {}", scene.name()),
            || format!("{off:e} {outcomes:?}\n{scene:#?}"),
        )
    });
}

/// A long run with a wheel: no momentum is lost to a drag of zero.
#[test]
fn a_drag_of_zero_beside_a_wheel_takes_no_momentum() {
    hold(408, 0.03, |random| {
        let moments = random.moments(crate::common::generic::Shape::Compact);
        let tensor = Matrix3::from_diagonal(&(moments * 3.0));
        let q = random.rotation();
        let mut body = Body::new(
            Inertia::new(&tensor).expect("valid"),
            q,
            random.vector() * 0.02,
        )
        .expect("finite");
        body.set_method(Method::Splitting);
        body.set_rotor_momentum(Some(random.vector() * 0.5))
            .expect("finite");
        let momentum = body.angular_momentum();
        let mut plain = body.clone();
        body.set_drag(Some(FluidDrag::new([0.0; 3], [0.0; 3]).expect("finite")))
            .expect("allowed");
        let dt = random.one_of(&[0.5, 2.0]);
        let outcomes = [&mut plain, &mut body].map(|body| body.advance(dt, 2000, &mut Free));
        let lost =
            [plain, body].map(|body| (body.angular_momentum() - momentum).norm() / momentum.norm());
        holds(
            outcomes.iter().all(Result::is_ok) && lost[0] < 1e-10 && lost[1] < 1e-10,
            || format!("dt {dt}"),
            || format!("{lost:?} {outcomes:?} {tensor} {q:?}"),
        )
    });
}

/// What is set to nothing between two steps, under torques that are the same when they are asked for anew.
#[test]
fn nothing_that_is_set_between_steps_changes_no_bit() {
    hold(409, 0.7, |random| {
        let mut scene = Scene::random(random, 1, Wildness::Wild);
        let what = random.one_of(&OF_BODY);
        (scene.of_time, scene.of_omega) = (0.0, 0.0);
        // a rate of change, which what is taken away forgets
        let keeps = scene.method.keeps_torque() && (scene.has_drag || scene.kind.resists());
        let is_one_call = what.starts_with("no ") || what.ends_with("of zero");
        let has_own_test = what == "the same inertia" || what == "an inertia function that ends";
        if keeps && !is_one_call || has_own_test {
            return Ok(());
        }
        let (mut plain, mut other) = (scene.body(0), scene.body(0));
        for _ in 0..4 {
            let outcomes =
                [&mut plain, &mut other].map(|body| scene.advance(0, body, scene.dt, 4).is_ok());
            if outcomes != [true; 2] {
                return holds(
                    outcomes[0] == outcomes[1],
                    || format!("{what}, outcomes: {}", scene.name()),
                    || format!("{scene:#?}"),
                );
            }
            do_nothing_to(&mut other, what, &scene.things[0]);
        }
        let is_same = if keeps {
            apart(&scene, state(&plain), state(&other)) <= ROUNDING // the torque without the resistance
        } else {
            state_bits(&plain) == state_bits(&other)
        };
        holds(
            is_same,
            || format!("{what}: {}", scene.name()),
            || format!("{plain:?} {other:?} {scene:#?}"),
        )
    });
}

/// Between two steps of an ensemble: a step that is cancelled, or has no length, and what is set to
/// nothing. The torque may be asked for anew, which rounds otherwise; a rate of change that steps with
/// a stiff drag keep is not forgotten.
#[test]
fn nothing_that_is_done_between_steps_changes_the_motion_of_an_ensemble() {
    hold(411, 0.5, |random| {
        let n = random.one_of(&[1, 2, 3, 20, 70]);
        let mut scene = Scene::random(random, n, Wildness::Wild).for_ensembles();
        (scene.of_time, scene.of_omega) = (0.0, 0.0);
        let what = random.one_of(&[
            "a step that is begun and cancelled",
            "a stage that is cancelled",
            "a step of no length",
            "no steps",
            "no drag",
            "no random torques",
            "no rotors",
            "no locks",
            "the same method",
        ]);
        let home = Home::random(random, &scene);
        let mut arrays = [(); 2].map(|()| Arrays::of(&scene, &home));
        let [left, right] = &mut arrays;
        let [mut plain, mut other] =
            [left, right].map(|arrays| scene.ensemble(&home, arrays, Way::Once));
        for _ in 0..4 {
            let outcomes = [&mut plain, &mut other].map(|e| e.advance(scene.dt, 2).is_ok());
            if outcomes != [true; 2] {
                return holds(
                    outcomes[0] == outcomes[1],
                    || format!("{what}, outcomes: {}", scene.name()),
                    || format!("{scene:#?}"),
                );
            }
            let e = &mut other;
            let outcome = match what {
                "a step that is begun and cancelled" => {
                    e.begin_steps(scene.dt, 1).map(|()| e.cancel_step())
                }
                "a stage that is cancelled" => e
                    .begin_steps(scene.dt, 2)
                    .and_then(|()| e.next_stage(&mut [], &mut []))
                    .map(|_| e.cancel_step()),
                "a step of no length" => e
                    .begin_steps(0.0, 2)
                    .and_then(|()| e.next_stage(&mut [], &mut []).map(drop)),
                "no steps" => e
                    .begin_steps(scene.dt, 0)
                    .and_then(|()| e.next_stage(&mut [], &mut []).map(drop)),
                "no drag" if !scene.has_drag => e.clear_drag(),
                "no random torques" if scene.bath.is_none() => e.clear_langevin(),
                "no rotors" if !scene.has_rotors => e.set_rotor_momentum(None),
                "no locks" => e.lock_axes(&[0], true),
                "the same method" => e.set_method(scene.method),
                _ => return Ok(()),
            };
            let may_refuse = what.contains("step") || what.contains("stage"); // its own torques resist otherwise
            if outcome.is_err() && !may_refuse {
                return Err(format!("{what}, refused: {outcome:?}\n{scene:#?}"));
            }
        }
        let worst = (0..n)
            .map(|i| apart(&scene, state_in(&plain, i), state_in(&other, i)))
            .fold(0.0, f64::max);
        holds(
            worst <= ROUNDING,
            || format!("{what}: {}", scene.name()),
            || format!("{worst:e} {} {scene:#?}", home.name()),
        )
    });
}

/// One step of an ensemble with all bodies idle but one is that of this one.
#[test]
fn bodies_that_are_not_listed_keep_every_bit() {
    hold(410, 0.5, |random| {
        let n = random.one_of(&[2, 3, 20, 70]);
        let scene = Scene::random(random, n, Wildness::Wild).for_ensembles();
        let home = Home::random(random, &scene);
        let way = Way::random(random, &scene);
        let mut arrays = Arrays::of(&scene, &home);
        let list: Vec<usize> = (0..n).filter(|_| random.between(0.0, 1.0) < 0.4).collect();
        let mut e = scene.ensemble(&home, &mut arrays, way);
        let before: Vec<_> = (0..n).map(|i| state_bits_in(&e, i)).collect();
        scene.set_torque(&mut e, way, &Trap::never(), Some(&list));
        e.set_active(Some(&list)).expect("ascending");
        let outcome = scene.move_on(&mut e, way, 3, Some(&list));
        for i in (0..n).filter(|i| outcome.is_err() || !list.contains(i)) {
            let is_same = before[i] == state_bits_in(&e, i);
            let is_left = is_same
                || outcome
                    .as_ref()
                    .is_err_and(|failure| failure.completed > 0 || way != Way::Once);
            holds(
                is_left,
                || format!("{} {}", scene.name(), home.name()),
                || format!("body {i}, list {list:?} {way:?} {scene:#?}"),
            )?;
        }
        Ok(())
    });
}
