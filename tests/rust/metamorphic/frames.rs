//! Turned worlds, turned body axes, scaled units and shifted clocks of all that acts at once, and motions that run back.

use super::scene::{Arrays, Home, Kind, Q, Scene, V, Way, Wildness, angle};
use super::{hold, holds};
use crate::common::bits::{state_bits, state_bits_in};
use crate::common::generic::Random;
use nalgebra::Matrix3;
use quatint::{Body, Ensemble, Frame, Method};

/// Rounding, magnified by the motion.
const ROUNDING: f64 = 2e-9;

fn matrix(numbers: [f64; 9]) -> Matrix3<f64> {
    Matrix3::from_row_slice(&numbers)
}

fn row_major(matrix: Matrix3<f64>) -> [f64; 9] {
    let columns = matrix.transpose();
    std::array::from_fn(|k| columns.as_slice()[k])
}

impl Scene {
    fn in_turned_world(&self, by: &Q) -> Self {
        let mut other = self.clone();
        let rotation = by.to_rotation_matrix();
        let turned = |fluid: [f64; 9]| row_major(rotation * matrix(fluid) * rotation.inverse());
        other.field = by * self.field;
        other.planet = by * self.planet;
        other.fluid = turned(self.fluid);
        for thing in &mut other.things {
            thing.q = by * thing.q;
            thing.flow = by * thing.flow;
            thing.fluid = turned(thing.fluid);
            if self.kind == Kind::World {
                thing.vector = by * thing.vector;
            }
        }
        other
    }

    /// With body axes that are the old ones in another order: x is the old y, and so on.
    fn in_turned_axes(&self) -> Self {
        let cycled = |v: V| V::new(v.y, v.z, v.x);
        let three = |[x, y, z]: [f64; 3]| [y, z, x];
        let by = Matrix3::new(0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0);
        let back = Q::from_matrix(&by.transpose());
        let mut other = self.clone();
        other.motor = self.motor.map(cycled);
        for thing in &mut other.things {
            thing.tensor = Matrix3::from_fn(|i, j| thing.tensor[((i + 1) % 3, (j + 1) % 3)]);
            thing.q *= back;
            thing.omega_body = cycled(thing.omega_body);
            thing.coefficients = three(thing.coefficients);
            thing.semi_axes = three(thing.semi_axes);
            thing.rotor = cycled(thing.rotor);
            let [x, y, z] = thing.locked;
            thing.locked = [y, z, x];
            if self.kind != Kind::World {
                thing.vector = cycled(thing.vector);
            }
        }
        other
    }

    /// In other units of mass and time, lengths as they are.
    fn in_units(&self, mass: f64, second: f64) -> Self {
        let (torque, drag) = (mass / (second * second), mass / second);
        let mut other = self.clone();
        other.dt *= second;
        other.clock *= second;
        other.viscosity *= drag;
        other.fluid = self.fluid.map(|g| g / second);
        other.of_time /= second;
        other.of_omega *= drag;
        other.bath = self.bath.map(|(kt, seed)| (kt * torque, seed));
        other.motor = self.motor.map(|motor| motor * torque);
        for thing in &mut other.things {
            thing.tensor *= mass;
            thing.omega_body /= second;
            thing.vector *= torque;
            thing.gradient /= second * second;
            thing.coefficients = thing.coefficients.map(|c| c * drag);
            thing.flow /= second;
            thing.fluid = thing.fluid.map(|g| g / second);
            thing.rotor *= drag;
        }
        other
    }
}

fn apart(duration: f64, left: (Q, V), right: (Q, V)) -> f64 {
    let speed = left.1.norm().max(1.0 / duration);
    angle(&left.0, &right.0).max((left.1 - right.1).norm() / speed)
}

/// Moves body 0, alone or in an ensemble of all; the orientation and the angular velocity in the body frame, as bits too.
fn moved(
    scene: &Scene,
    is_alone: bool,
    home: &Home,
    way: Way,
) -> Result<((Q, V), [u64; 7]), String> {
    if is_alone {
        let mut body = scene.body(0);
        scene
            .advance(0, &mut body, scene.dt, scene.steps)
            .map_err(|failure| failure.to_string())?;
        return Ok((
            (body.orientation(), body.angular_velocity()),
            state_bits(&body),
        ));
    }
    let mut arrays = Arrays::of(scene, home);
    let mut e = scene.ensemble(home, &mut arrays, way);
    scene
        .move_on(&mut e, way, scene.steps, None)
        .map_err(|failure| failure.to_string())?;
    Ok((
        (e.orientation(0), e.angular_velocity(0)),
        state_bits_in(&e, 0),
    ))
}

fn drawn(random: &mut Random, wildness: Wildness) -> (Scene, bool, Home, Way) {
    let scene = Scene::random(random, 2, wildness);
    let is_alone = random.between(0.0, 1.0) < 0.5;
    let scene = if is_alone {
        scene
    } else {
        scene.for_ensembles()
    };
    let home = Home::random(random, &scene);
    let way = Way::random(random, &scene);
    (scene, is_alone, home, way)
}

#[test]
fn a_turn_of_the_world_turns_all_that_acts_at_once() {
    hold(701, 1.0, |random| {
        let (scene, is_alone, home, way) = drawn(random, Wildness::Smooth);
        let by = random.rotation();
        let other = scene.in_turned_world(&by);
        let outcomes = [&scene, &other].map(|scene| moved(scene, is_alone, &home, way));
        let kind = || format!("alone {is_alone}: {}", scene.name());
        match outcomes {
            [Ok((left, _)), Ok((right, _))] => {
                let off = apart(
                    scene.duration(),
                    left,
                    (by.inverse() * right.0, by.inverse() * right.1),
                );
                holds(off < ROUNDING, kind, || {
                    format!("{off:e} {by:?} {way:?} {home:#?} {scene:#?}")
                })
            }
            [Err(_), Err(_)] => Ok(()),
            outcomes => Err(format!("outcomes, {}\n{outcomes:?} {scene:#?}", kind())),
        }
    });
}

/// The axes in another order, so that what belongs to the body axes, such as drag, is again along them. Without noise, which is
/// drawn for each axis.
#[test]
fn another_order_of_the_body_axes_changes_no_motion() {
    hold(702, 1.0, |random| {
        let (mut scene, is_alone, home, way) = drawn(random, Wildness::Smooth);
        scene.bath = scene.bath.map(|(_, seed)| (0.0, seed));
        let other = scene.in_turned_axes();
        let outcomes = [&scene, &other].map(|scene| moved(scene, is_alone, &home, way));
        let back = other.things[0].q.inverse() * scene.things[0].q;
        let kind = || format!("alone {is_alone}: {}", scene.name());
        match outcomes {
            [Ok((left, _)), Ok((right, _))] => {
                let off = apart(scene.duration(), left, (right.0 * back, right.1));
                holds(off < ROUNDING, kind, || {
                    format!("{off:e} {way:?} {home:#?} {scene:#?}")
                })
            }
            [Err(_), Err(_)] => Ok(()),
            outcomes => Err(format!("outcomes, {}\n{outcomes:?} {scene:#?}", kind())),
        }
    });
}

/// Of mass and of time, also by odd powers of two, of which the roots are not exact.
#[test]
fn units_that_are_scaled_by_powers_of_two_change_no_bit() {
    hold(703, 1.0, |random| {
        let (mut scene, is_alone, home, way) = drawn(random, Wildness::Wild);
        scene.growth = None;
        let [a, b] = [(); 2].map(|()| (random.between(-20.0, 20.0)) as i32);
        let (mass, second) = (2f64.powi(a), 2f64.powi(b));
        let other = scene.in_units(mass, second);
        let outcomes = [&scene, &other].map(|scene| moved(scene, is_alone, &home, way));
        let kind = |what: &str| format!("{what}, alone {is_alone}: {}", scene.name());
        match outcomes {
            [Ok((_, left)), Ok((_, right))] => {
                let mut scaled = right;
                for bits in &mut scaled[4..] {
                    *bits = (f64::from_bits(*bits) * second).to_bits();
                }
                let numbers = |bits: [u64; 7]| bits.map(f64::from_bits);
                let off = numbers(left)
                    .iter()
                    .zip(numbers(scaled))
                    .map(|(a, b)| (a - b).abs())
                    .fold(0.0, f64::max);
                let size = if off > 1e-12 {
                    "more than rounding"
                } else {
                    "bits"
                };
                // the squares of lesser numbers underflow, in one unit before the other
                let told = |bits: [u64; 7]| {
                    bits.map(|bits| match f64::from_bits(bits).abs() {
                        number if number < 1e-150 => 0,
                        _ => bits,
                    })
                };
                holds(
                    told(left) == told(scaled),
                    || kind(size),
                    || {
                        format!(
                            "{:?} {:?} {mass:e} {second:e} {way:?} {home:#?} {scene:#?}",
                            numbers(left),
                            numbers(scaled)
                        )
                    },
                )
            }
            [Err(_), Err(_)] => Ok(()),
            outcomes => Err(format!("{}\n{outcomes:?} {scene:#?}", kind("outcomes"))),
        }
    });
}

/// The clock shows another time: no bit of what does not depend on time.
#[test]
fn another_time_on_the_clock_changes_no_bit() {
    hold(704, 0.7, |random| {
        let (mut scene, is_alone, home, way) = drawn(random, Wildness::Wild);
        (scene.of_time, scene.growth) = (0.0, None);
        let mut other = scene.clone();
        other.clock = random.one_of(&[7.0, -1e6, 1e12, 0.1]);
        let outcomes = [&scene, &other].map(|scene| moved(scene, is_alone, &home, way));
        let kind = || format!("alone {is_alone}: {}", scene.name());
        match outcomes {
            [Ok((_, left)), Ok((_, right))] => holds(left == right, kind, || {
                format!("{} {way:?} {home:#?} {scene:#?}", other.clock)
            }),
            [Err(_), Err(_)] => Ok(()),
            outcomes => Err(format!("outcomes, {}\n{outcomes:?} {scene:#?}", kind())),
        }
    });
}

/// Without drag, noise and torques of the angular velocity the splittings run back, with rotors, motors and an inertia that changes,
/// under torques of time too.
#[test]
fn splittings_run_back_to_their_start() {
    hold(705, 0.7, |random| {
        let (mut scene, is_alone, home, way) = drawn(random, Wildness::Smooth);
        let is_splitting = matches!(
            scene.method,
            Method::Splitting | Method::Splitting4 | Method::Splitting6 | Method::ForceGradient
        );
        if !is_splitting || scene.kind.resists() {
            return Ok(());
        }
        (scene.bath, scene.has_drag, scene.of_omega) = (None, false, 0.0);
        let way = if way.is_protocol() { Way::Once } else { way };
        let mut body = scene.body(0);
        let start = (body.orientation(), body.angular_velocity());
        let mut arrays = Arrays::of(&scene, &home);
        let mut back = scene.clone();
        back.dt = -scene.dt;
        let end = if is_alone {
            let there = scene.advance(0, &mut body, scene.dt, scene.steps);
            there
                .and_then(|()| scene.advance(0, &mut body, -scene.dt, scene.steps))
                .map(|()| (body.orientation(), body.angular_velocity()))
        } else {
            let mut e = scene.ensemble(&home, &mut arrays, way);
            let there = scene.move_on(&mut e, way, scene.steps, None);
            there
                .and_then(|()| back.move_on(&mut e, way, scene.steps, None))
                .map(|()| (e.orientation(0), e.angular_velocity(0)))
        };
        let kind = || format!("alone {is_alone}: {}", scene.name());
        match end {
            Ok(end) => {
                let off = apart(scene.duration(), start, end);
                holds(off < ROUNDING, kind, || {
                    format!("{off:e} {way:?} {home:#?} {scene:#?}")
                })
            }
            Err(failure) => Err(format!("fails, {}\n{failure} {scene:#?}", kind())),
        }
    });
}

/// Drifts of any length, with rotors, motors and an inertia that changes; kicks there and back without drag.
#[test]
fn drifts_and_kicks_run_back_to_their_start() {
    hold(706, 1.0, |random| {
        let (mut scene, is_alone, home, _) = drawn(random, Wildness::Wild);
        (scene.bath, scene.has_drag) = (None, false);
        if scene.method == Method::Brownian {
            scene.method = Method::Splitting;
        }
        let speed = scene.things[0].omega_body.norm().max(1.0);
        let [kick, drift] = [random.between(-2.0, 2.0), random.between(-1.5, 1.5) / speed];
        let torque = scene.things[0].vector * 0.1;
        let mut body = scene.body(0);
        let start = (body.orientation(), body.angular_velocity());
        let end = if is_alone {
            let mut both = || -> Result<(), quatint::Error> {
                body.drift(drift)?;
                body.kick(kick, torque, Frame::Body)?;
                body.kick(-kick, torque, Frame::Body)?;
                body.drift(-drift)
            };
            both()
                .map_err(|error| error.to_string())
                .map(|()| (body.orientation(), body.angular_velocity()))
        } else {
            let mut arrays = Arrays::of(&scene, &home);
            let mut e: Ensemble = scene.ensemble(&home, &mut arrays, Way::Once);
            let there = e.drift(drift).and_then(|()| e.drift(-drift));
            there
                .map_err(|failure| failure.to_string())
                .map(|()| (e.orientation(0), e.angular_velocity(0)))
        };
        let parts = [
            (scene.has_rotors, "rotors"),
            (scene.motor.is_some() && is_alone, "motor"),
            (scene.growth.is_some() && is_alone, "growing"),
        ];
        let parts: Vec<_> = parts
            .iter()
            .filter(|part| part.0)
            .map(|part| part.1)
            .collect();
        let kind = || format!("{:?} {parts:?}, alone {is_alone}", scene.method);
        match end {
            Ok(end) => {
                let off = apart(drift.abs().max(0.1), start, end);
                let most = if scene.things[0].is_thin {
                    1e-7
                } else {
                    ROUNDING
                };
                holds(off < most, kind, || {
                    format!("{off:e} {kick} {drift} {home:#?} {scene:#?}")
                })
            }
            Err(failure) => Err(format!("fails, {}\n{failure} {scene:#?}", kind())),
        }
    });
}

/// A drift in parts is that drift, without rotors and at constant inertia.
#[test]
fn a_drift_in_parts_is_the_whole_drift() {
    hold(707, 0.5, |random| {
        let (mut scene, ..) = drawn(random, Wildness::Wild);
        (scene.has_rotors, scene.motor, scene.growth) = (false, None, None);
        let speed = scene.things[0].omega_body.norm().max(1e-3);
        let duration = random.power_of_ten(-2.0, 2.0) / speed;
        let mut whole: Body = scene.body(0);
        let mut parts = whole.clone();
        whole.drift(duration).expect("finite");
        let n = random.one_of(&[2, 3, 7]);
        for _ in 0..n {
            parts.drift(duration / f64::from(n)).expect("finite");
        }
        let off = apart(
            duration,
            (whole.orientation(), whole.angular_velocity()),
            (parts.orientation(), parts.angular_velocity()),
        );
        let most =
            1e-12 * (duration * speed + 1.0) * if scene.things[0].is_thin { 1e3 } else { 1e1 };
        holds(
            off < most,
            || format!("thin {}", scene.things[0].is_thin),
            || format!("{off:e} {duration} {n} {scene:#?}"),
        )
    });
}
