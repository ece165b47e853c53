//! Where the pages promise an order, a smaller step divides the error as this order says, for all that acts at once.

#![allow(unsafe_code)] // the caller writes an array of gradients between the steps, which no reference allows

use super::scene::{Arrays, Home, Kind, Q, Scene, Thing, Trap, V, Way, Wildness, angle};
use super::{hold, holds};
use nalgebra::Matrix3;
use quatint::torque::resistances;
use quatint::{Body, Frame, Layout, Method, View};
use std::cell::Cell;

fn apart(duration: f64, left: (Q, V), right: (Q, V)) -> f64 {
    let speed = left.1.norm().max(right.1.norm()).max(1.0 / duration);
    angle(&left.0, &right.0).max((left.1 - right.1).norm() / speed)
}

fn state(body: &Body) -> (Q, V) {
    (body.orientation(), body.angular_velocity())
}

/// Beside a solution with error control: drag in every way, flow, rotors, motors, an inertia that changes, torques of the angular
/// velocity where the method sees them.
#[test]
fn a_quarter_of_the_step_divides_the_error_of_all_that_acts_at_once() {
    hold(801, 0.7, |random| {
        let mut scene = Scene::random(random, 1, Wildness::Smooth);
        let bath = scene.bath.take();
        if scene.method == Method::Brownian {
            scene.method = Method::Splitting;
        }
        let is_of_high_order = matches!(
            scene.method,
            Method::Splitting4 | Method::Splitting6 | Method::ForceGradient
        );
        let is_line = scene.things[0]
            .inertia(scene.given)
            .principal_moments()
            .min()
            == 0.0;
        if is_of_high_order {
            scene.of_omega = 0.0;
        }
        // for a line the motors make the order of the splittings 2
        let order = match scene.method {
            Method::Pcdm | Method::Splitting => 2,
            Method::Splitting6 if scene.motor.is_none() || !is_line => 6,
            _ if scene.motor.is_some() && is_line => 2,
            _ => 4,
        };
        // at kT = 0 random torques are a drag
        let is_cold = bath.is_some() && !scene.kind.resists() && scene.method == Method::Splitting;
        scene.has_drag |= is_cold;
        if scene.things[0].is_thin {
            return Ok(()); // about its length the drag is stiff, and these steps are not in the range of the order
        }
        let end = scene.clock + scene.duration();
        let mut exact = scene.body(0);
        scene
            .solve(&Trap::never(), 0, &mut exact, end, 1e-13)
            .map_err(|failure| {
                format!("the solution fails: {}\n{failure} {scene:#?}", scene.name())
            })?;
        if is_cold {
            (scene.has_drag, scene.bath) = (false, Some((0.0, 1)));
            scene.has_rotors = false;
            scene.motor = None;
            let mut dragged = scene.clone();
            (dragged.has_drag, dragged.bath) = (true, None);
            exact = dragged.body(0);
            dragged
                .solve(&Trap::never(), 0, &mut exact, end, 1e-13)
                .map_err(|failure| {
                    format!("the solution fails: {}\n{failure} {scene:#?}", scene.name())
                })?;
        }
        let error = |k: u64| {
            let mut body = scene.body(0);
            scene
                .advance(0, &mut body, scene.dt / k as f64, scene.steps * k)
                .map_err(|failure| failure.to_string())?;
            Ok::<f64, String>(apart(scene.duration(), state(&exact), state(&body)))
        };
        let [coarse, fine] = [error(2), error(8)];
        let kind = || scene.name();
        // A body at rest beside wheels: larger steps, which are implicit, hold it exactly, and smaller
        // ones, by kicks, turn it by (|h| dt/I)²/250 of |h|/I.
        let wheels = if scene.has_rotors && scene.method == Method::Splitting {
            let moments = scene.things[0].inertia(scene.given).principal_moments();
            scene.things[0].rotor.norm() / moments.min().max(1e-3)
        } else {
            0.0
        };
        let by_kicks = (wheels * scene.dt / 8.0).powi(2) / 250.0 * wheels * scene.duration();
        let least = 2e-9 + by_kicks;
        match (coarse, fine) {
            (Ok(coarse), Ok(fine)) => {
                let most = 3.0 * coarse * 0.25f64.powi(order - 1) + least;
                holds(fine < most, kind, || {
                    format!("order {order}: {coarse:e} {fine:e}\n{scene:#?}")
                })
            }
            outcomes => Err(format!("fails: {}\n{outcomes:?} {scene:#?}", kind())),
        }
    });
}

/// The gradient of a flow that changes smoothly.
fn gradient(scene: &Scene, thing: &Thing, time: f64) -> [f64; 9] {
    let phase = time / scene.duration();
    std::array::from_fn(|k| scene.fluid[k] * (2.0 * phase).cos() + thing.fluid[k] * phase)
}

/// The angular velocity, body frame, with which the fluid carries a body at the start: no layer at the beginning.
fn carried(scene: &Scene, thing: &Thing) -> V {
    let rotation = thing.q.to_rotation_matrix();
    let gradient =
        rotation.inverse() * Matrix3::from_row_slice(&gradient(scene, thing, 0.0)) * rotation;
    let strain = (gradient + gradient.transpose()) * 0.5;
    let turn = (gradient - gradient.transpose()) * 0.5;
    let (of_strain, of_spin) = resistances(thing.semi_axes, scene.viscosity).expect("positive");
    V::from_fn(|i, _| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        turn[(k, j)] + of_strain[i] / of_spin[i] * strain[(j, k)]
    })
}

/// Gradients that the caller writes between the steps, where they are bound.
struct Gradients(Vec<Cell<f64>>);

impl Gradients {
    fn view(&self, count: usize) -> View<'_, 9> {
        // SAFETY: 9 numbers of each body, which live as long as the view, and are written between steps alone.
        unsafe { View::from_raw(self.0.as_ptr().cast(), count, 9, 1, "gradients") }
            .expect("aligned")
    }
}

/// The end of bodies in a flow whose gradients are written before each call of so many steps: those of its middle.
fn in_flow(scene: &Scene, k: u64) -> Result<Vec<(Q, V)>, String> {
    let n = scene.things.len();
    let dt = scene.dt / k as f64;
    let gradients = Gradients(vec![Cell::new(0.0); 9 * n]);
    let write = |time: f64| {
        for (i, thing) in scene.things.iter().enumerate() {
            for (c, number) in gradient(scene, thing, time).into_iter().enumerate() {
                gradients.0[9 * i + c].set(number);
            }
        }
    };
    let mut none = Arrays::of(scene, &Home::own());
    let mut plain = scene.clone();
    plain.binds_gradients = false;
    let mut e = plain.ensemble(&Home::own(), &mut none, Way::Once);
    write(0.0);
    e.bind_flow_gradients(Some(gradients.view(n)))
        .expect("finite");
    for step in 0..scene.steps * k {
        write((step as f64 + 0.5) * dt);
        e.step(dt).map_err(|failure| failure.to_string())?;
    }
    Ok((0..n)
        .map(|i| (e.orientation(i), e.angular_velocity(i)))
        .collect())
}

/// Under PCDM and SPLITTING, of bodies of any inertia: C h / I from small to great. Compared with itself at half the step.
#[test]
fn gradients_that_change_smoothly_are_followed_with_order_2_at_any_drag() {
    hold(802, 0.3, |random| {
        let mut scene = loop {
            let scene = Scene::random(random, 2, Wildness::Smooth).for_ensembles();
            if matches!(scene.method, Method::Pcdm | Method::Splitting) && scene.bath.is_none() {
                break scene;
            }
        };
        (scene.kind, scene.has_drag, scene.has_rotors) = (Kind::Shear, false, false);
        scene.steps = 40;
        let least = random.power_of_ten(-9.0, 0.0);
        for thing in &mut scene.things {
            thing.tensor *= least;
            thing.locked = [false; 3];
            if thing.is_thin {
                return Ok(());
            }
        }
        let start = scene.clone();
        for thing in &mut scene.things {
            thing.omega_body = carried(&start, thing);
        }
        let ends = [2, 4, 8, 16].map(|k| in_flow(&scene, k));
        let kind = || format!("{:?}, I of 1e{:.0}", scene.method, least.log10());
        let [Ok(a), Ok(b), Ok(c), Ok(d)] = ends else {
            return Err(format!("fails, {}\n{ends:?} {scene:#?}", kind()));
        };
        // what a start that is not quite that of the fluid leaves, in steps as long as it decays, is of order 1, and small
        let orientations = |left: &[(Q, V)], right: &[(Q, V)]| {
            left.iter()
                .zip(right)
                .map(|(l, r)| angle(&l.0, &r.0))
                .fold(0.0, f64::max)
        };
        let steps = [
            orientations(&a, &b),
            orientations(&b, &c),
            orientations(&c, &d),
        ];
        holds(steps[2] < 0.15 * steps[0] + 2e-5, kind, || {
            format!("{steps:?} {scene:#?}")
        })
    });
}

/// Kicks and drifts around a force loop, with drag and rotors: velocity Verlet for rotations.
#[test]
fn kicks_and_drifts_around_a_force_loop_are_of_order_2() {
    hold(803, 0.5, |random| {
        let mut scene = Scene::random(random, 1, Wildness::Smooth);
        (scene.kind, scene.bath, scene.of_omega, scene.method) =
            (Kind::Function(Frame::World), None, 0.0, Method::Splitting);
        if scene.things[0].is_thin {
            return Ok(());
        }
        scene.has_drag = random.between(0.0, 1.0) < 0.5;
        let end = scene.clock + scene.duration();
        let mut exact = scene.body(0);
        scene
            .solve(&Trap::never(), 0, &mut exact, end, 1e-13)
            .map_err(|failure| {
                format!("the solution fails: {}\n{failure} {scene:#?}", scene.name())
            })?;
        let torque = |body: &Body| {
            let mut torque = [0.0; 3];
            scene.supply(
                body.time(),
                Layout::Aos,
                &quatint::rotation::components(body.orientation()),
                &[0.0; 3],
                &mut torque,
                None,
            );
            V::from(torque)
        };
        let error = |k: u64| -> Result<f64, quatint::Error> {
            let mut body = scene.body(0);
            let dt = scene.dt / k as f64;
            for _ in 0..scene.steps * k {
                body.kick(0.5 * dt, torque(&body), Frame::World)?;
                body.drift(dt)?;
                body.kick(0.5 * dt, torque(&body), Frame::World)?;
            }
            Ok(apart(scene.duration(), state(&exact), state(&body)))
        };
        let [coarse, fine] = [4, 16].map(|k| error(k).map_err(|error| error.to_string()));
        match (coarse, fine) {
            (Ok(coarse), Ok(fine)) => holds(
                fine < 0.75 * 0.25 * coarse + 2e-9,
                || scene.name(),
                || format!("{coarse:e} {fine:e}\n{scene:#?}"),
            ),
            outcomes => Err(format!("fails: {}\n{outcomes:?} {scene:#?}", scene.name())),
        }
    });
}
