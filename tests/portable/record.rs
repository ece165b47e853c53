//! The bits on record of what generic bodies do one by one: random torques, rotors, kicks, solutions,
//! events. Those of ensembles and their torques are in `ensemble`, whose bodies have the same bits.

use crate::common::generic::{Random, tensor};
use crate::common::{METHODS, bits::state_bits};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use quatint::torque::{ConstantBody, ConstantWorld, FluidDrag, Free, Langevin, UniformField};
use quatint::{Body, Crossing, Frame, Inertia, Method, SolveMethod};

/// Bodies of many shapes, aligned and turned, with axes of zero moment too.
fn bodies(random: &mut Random) -> Vec<Body> {
    let shapes = [
        [1.0, 1.4, 2.1],
        [0.01, 1.0, 1.005],
        [1.0, 1.0, 2.0],
        [1.0, 1.0, 1.0],
        [0.0, 1.3, 1.3],
        [1.3, 0.0, 1.3],
        [0.0, 0.0, 0.8],
    ];
    let mut all = Vec::new();
    for moments in shapes {
        for is_turned in [false, true] {
            let moments = Vector3::from(moments);
            let given = if is_turned {
                tensor(moments, &random.rotation())
            } else {
                Matrix3::from_diagonal(&moments)
            };
            let inertia = Inertia::new(&given).expect("a body");
            let body = Body::new(inertia, random.rotation(), random.vector() * 2.0);
            all.push(body.expect("a state"));
        }
    }
    all
}

fn field(random: &mut Random) -> UniformField<f64> {
    let vector = random.vector();
    UniformField::new(vector.into(), (random.vector() * 3.0).into()).expect("finite")
}

/// FNV-1a, of 64-bit words.
fn mixed(hash: u64, bits: u64) -> u64 {
    (hash ^ bits).wrapping_mul(0x0100_0000_01b3)
}

/// A line of the record: what has been done, and the bits that came of it.
struct Line {
    name: String,
    hash: u64,
}

impl Line {
    fn new(name: impl Into<String>) -> Self {
        Line {
            name: name.into(),
            hash: 0xcbf2_9ce4_8422_2325,
        }
    }

    fn add(&mut self, bits: u64) {
        self.hash = mixed(self.hash, bits);
    }

    fn add_body(&mut self, body: &Body) {
        for bits in state_bits(body) {
            self.add(bits);
        }
    }

    fn text(&self) -> String {
        format!("{}: {:016x}\n", self.name, self.hash)
    }
}

fn in_a_heat_bath(method: Method, has_flow: bool) -> Line {
    let random = &mut Random(1);
    let mut line = Line::new(format!("random torques, {method:?}, flow {has_flow}"));
    for (id, mut body) in bodies(random).into_iter().enumerate() {
        let coefficients = random.vector().map(|x| 0.3 + x.abs());
        let flow = if has_flow {
            random.vector()
        } else {
            Vector3::zeros()
        };
        let bath = Langevin::new(coefficients.into(), flow.into(), 0.7, 5, id as u64);
        body.set_langevin(Some(bath.expect("finite")))
            .expect("memory");
        body.set_method(method);
        let torque = &mut field(random);
        // bodies with turned axes of zero moment have no Brownian motion
        let outcome = body.advance(0.05, 10, torque);
        line.add(u64::from(outcome.is_ok()));
        let _ = body.advance(0.7, 3, torque);
        body.thermalize(0.3).expect("finite");
        line.add_body(&body);
    }
    line
}

fn with_rotors(method: Method, is_driven: bool) -> Line {
    let random = &mut Random(2);
    let mut line = Line::new(format!("rotors, {method:?}, motors {is_driven}"));
    for mut body in bodies(random) {
        body.set_rotor_momentum(Some(random.vector() * 0.1))
            .expect("memory");
        if is_driven {
            body.set_rotor_torque(Some(random.vector() * 0.02))
                .expect("memory");
        }
        body.set_method(method);
        body.advance(0.05, 8, &mut field(random)).expect("finite");
        body.advance(0.1, 4, &mut Free).expect("finite");
        body.drift(3.7).expect("finite");
        body.drift(-0.2).expect("finite");
        line.add_body(&body);
    }
    line
}

fn under_drag(method: Method) -> Line {
    let random = &mut Random(3);
    let mut line = Line::new(format!("drag, {method:?}"));
    for mut body in bodies(random) {
        let coefficients = random.vector().map(|x| 0.1 + x.abs());
        let drag = FluidDrag::new(coefficients.into(), random.vector().into());
        body.set_method(method);
        if body.set_drag(Some(drag.expect("finite"))).is_err() {
            continue; // of order 4 or 6
        }
        let _ = body.advance(0.02, 10, &mut field(random)); // CF4 refuses thin rods
        body.kick(0.4, random.vector(), Frame::World)
            .expect("finite");
        body.kick(40.0, random.vector(), Frame::Body)
            .expect("finite");
        line.add_body(&body);
    }
    line
}

fn free(method: Method) -> Line {
    let random = &mut Random(4);
    let mut line = Line::new(format!("free, {method:?}"));
    for mut body in bodies(random) {
        body.set_method(method);
        body.advance(0.05, 5, &mut Free).expect("finite");
        for time in [0.3, 7.0, 1e3, 1e5, -2.0] {
            body.drift(time).expect("finite");
        }
        line.add_body(&body);
    }
    line
}

/// The states and how much they have cost.
fn solved(method: SolveMethod, tolerance: f64, stiffness: f64) -> [Line; 2] {
    let random = &mut Random(5);
    let what = format!("{method:?}, {tolerance:e}, stiffness {stiffness}");
    let mut line = Line::new(format!("solutions, {what}"));
    let mut cost = Line::new(format!("their cost, {what}"));
    for mut body in bodies(random) {
        body.set_solve_method(method);
        let coefficients = random.vector().map(|x| stiffness * (0.1 + x.abs()));
        let drag = FluidDrag::new(coefficients.into(), random.vector().into());
        body.set_drag(Some(drag.expect("finite"))).expect("memory");
        let torque = &mut field(random);
        let spent = body.solve(1.3, tolerance, torque).expect("it is solved");
        cost.add(spent.evaluations);
        cost.add(spent.accepted);
        cost.add(spent.rejected);
        line.add_body(&body);
        let mut rows = [[0.0; 8]; 40];
        let times: [f64; 40] = std::array::from_fn(|k| 1.3 + 0.031 * (k + 1) as f64);
        let (written, outcome) = body.solve_record(&times, &mut rows, tolerance, torque);
        outcome.expect("it is solved");
        cost.add(written as u64);
        for number in rows.as_flattened() {
            line.add(number.to_bits());
        }
    }
    [line, cost]
}

/// The times of events, and how often the event function has been asked.
fn events(crossing: Crossing, is_free: bool) -> [Line; 2] {
    let random = &mut Random(6);
    let mut line = Line::new(format!("events, {crossing:?}, free {is_free}"));
    let mut cost = Line::new(format!("their cost, {crossing:?}, free {is_free}"));
    for mut body in bodies(random) {
        let axis_body = random.direction();
        let axis_world = random.direction();
        let level = random.between(-0.5, 0.5);
        let bend = random.one_of(&[1, 2, 3]);
        let mut asked = 0;
        let mut event = |time: f64, q: &UnitQuaternion<f64>, omega: &Vector3<f64>| {
            asked += 1;
            let height = (q * axis_body).dot(&axis_world) - level;
            match bend {
                1 => height,
                2 => height * height - 1e-4, // two crossings close to each other
                _ => omega.dot(&axis_world) - 0.1 * time,
            }
        };
        let torque = &mut field(random);
        for _ in 0..6 {
            let found = if is_free {
                body.solve_until(8.0, 1e-9, &mut event, crossing, &mut Free)
            } else {
                body.solve_until(8.0, 1e-9, &mut event, crossing, torque)
            };
            match found.expect("it is solved") {
                Some(time) => line.add(time.to_bits()),
                None => break,
            }
        }
        line.add_body(&body);
        cost.add(asked);
    }
    [line, cost]
}

fn constant(method: Method) -> Line {
    let random = &mut Random(7);
    let mut line = Line::new(format!("constant torques, {method:?}"));
    for mut body in bodies(random) {
        body.set_method(method);
        let in_world = &mut ConstantWorld::new(random.vector().into()).expect("finite");
        let outcome = body.advance(0.1, 20, in_world); // too long for some thin rods
        line.add(u64::from(outcome.is_ok()));
        line.add_body(&body);
        body.forget_torque();
        let in_body = &mut ConstantBody::new(random.vector().into()).expect("finite");
        let outcome = body.advance(0.02, 20, in_body);
        line.add(u64::from(outcome.is_ok()));
        line.add_body(&body);
    }
    line
}

/// A change of a line here is a change of *Numbers* in CHANGELOG.md, but for those of a cost.
/// `QUATINT_REFRESH=1 cargo test --test portable on_record` writes the record anew.
#[test]
fn the_bits_of_single_bodies_are_those_on_record() {
    let mut lines = Vec::new();
    for method in [Method::Splitting, Method::Brownian] {
        lines.extend([false, true].map(|has_flow| in_a_heat_bath(method, has_flow)));
    }
    for method in METHODS {
        lines.extend([false, true].map(|is_driven| with_rotors(method, is_driven)));
        lines.extend([under_drag(method), free(method), constant(method)]);
    }
    for method in [
        SolveMethod::Nonstiff,
        SolveMethod::Stiff,
        SolveMethod::Splitting,
    ] {
        for tolerance in [1e-4, 1e-7, 1e-11] {
            lines.extend(solved(method, tolerance, 30.0));
        }
    }
    for tolerance in [1e-5, 1e-9] {
        lines.extend(solved(SolveMethod::Stiff, tolerance, 1e4));
    }
    for crossing in [Crossing::Any, Crossing::Rising, Crossing::Falling] {
        for is_free in [false, true] {
            lines.extend(events(crossing, is_free));
        }
    }
    let text: String = lines.iter().map(Line::text).collect();
    let file = crate::common::root().join("tests/data/bits_of_bodies.txt");
    if std::env::var_os("QUATINT_REFRESH").is_some() {
        std::fs::write(&file, &text).expect("tests/data is writable");
    }
    let on_record = std::fs::read_to_string(&file).expect("the record is committed");
    assert_eq!(text, on_record);
}
