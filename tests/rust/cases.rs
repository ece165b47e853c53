//! The table of cases, tests/data/cases.txt: what is done to generic bodies and ensembles, and the
//! numbers that come of it. A short program in each language does the same and compares every bit:
//! a transposed matrix, another order of components, a mistaken frame, or one number for all where
//! each body has its own shows there. That the numbers are right is proved by the other tests here.
//!
//! `QUATINT_REFRESH=1 cargo test --features harness --test rust cases::` writes the table anew.
//!
//! A line is a statement: a word, and numbers or words. Numbers are decimal, with as many digits as
//! give their bits.
//!
//! ```text
//! case NAME                  ends the one before
//! body I q ω                 9 numbers by rows, 4 as w x y z, 3 in the world frame
//! ensemble N                 N bodies as created
//! expect NOUN numbers        what must have come out, to the bit
//! ```
//!
//! The other words are those of tools/bindings/interface.toml: nouns, which are set, and verbs. In
//! an ensemble of N bodies, N times as many numbers are those of each body; otherwise all share them.
//! Numbers stand in the order of the C function, and those of each body by rows, with these words
//! after them: a frame, what to keep, the axes. A bath is
//!
//! ```text
//! langevin coefficients flow kt seed     and, of a body, id
//! ```
//!
//! Bodies are counted from 0. Seeds and ids have 64 bits, of which a floating-point number loses some.

use crate::common::generic::{Random, Shape, tensor};
use crate::common::root;
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use quatint::rotation::components;
use quatint::torque::{
    ConstantBody, ConstantWorld, FluidDrag, Free, GravityGradient, Langevin, LinearDrag, ShearFlow,
    UniformField,
};
use quatint::{Body, Ensemble, Frame, Inertia, Keep, Method, SolveMethod, View, ViewMut};
use std::fmt::Write;

const METHODS: [(&str, Method); 7] = [
    ("pcdm", Method::Pcdm),
    ("splitting", Method::Splitting),
    ("splitting_4", Method::Splitting4),
    ("splitting_6", Method::Splitting6),
    ("cf4", Method::Cf4),
    ("force_gradient", Method::ForceGradient),
    ("brownian", Method::Brownian),
];

// ---- what the table asks for

/// The statements of all cases, with nothing after `expect NOUN`.
fn statements() -> String {
    let mut writer = Writer {
        text: String::new(),
        random: Random(5960),
    };
    let torques = [
        Writer::constant_torque,
        Writer::uniform_field_torque,
        Writer::gravity_gradient_torque,
        Writer::linear_drag_torque,
        Writer::shear_flow_torque,
    ];
    for count in [None, Some(5)] {
        for (method, _) in &METHODS[..6] {
            for (n, torque) in torques.iter().enumerate() {
                // other methods take no torque that depends on the angular velocity
                let takes_all = ["pcdm", "splitting", "cf4"].contains(method);
                if takes_all || n < 3 {
                    writer.start(&format!("{method}, torque {}", n + 1), count);
                    writer.line("method", &[method]);
                    torque(&mut writer, count);
                    writer.line("advance", &["0.01", "7"]);
                    writer.expect_all(count);
                }
            }
        }
        writer.cases_of_other_torques(count);
        writer.cases_without_steps(count);
    }
    writer.text
}

struct Writer {
    text: String,
    random: Random,
}

impl Writer {
    fn line(&mut self, word: &str, rest: &[&str]) {
        writeln!(self.text, "{word} {}", rest.join(" ")).unwrap();
    }

    /// A number with few digits.
    fn number(&mut self, low: f64, high: f64) -> f64 {
        (self.random.between(low, high) * 1000.0).round() / 1000.0
    }

    fn numbers(&mut self, count: usize, low: f64, high: f64) -> String {
        let numbers: Vec<f64> = (0..count).map(|_| self.number(low, high)).collect();
        joined(&numbers)
    }

    /// A line with `width` numbers, in every other ensemble for each body, and with others after them.
    fn line_each(&mut self, word: &str, count: Option<usize>, width: usize, low: f64, rest: &str) {
        let is_each = self.random.between(0.0, 1.0) < 0.5;
        let bodies = count.filter(|_| is_each).unwrap_or(1);
        let numbers = self.numbers(bodies * width, low, 1.5);
        let rest = rest.split(' ').filter(|word| !word.is_empty());
        let all: Vec<&str> = std::iter::once(numbers.as_str()).chain(rest).collect();
        self.line(word, &all);
    }

    /// Six digits: of unit length to 1e-3, which the library makes exact.
    fn orientation(&mut self) -> String {
        let digits = |c: f64| (c * 1e6).round() / 1e6;
        joined(&components(self.random.rotation()).map(digits))
    }

    fn inertia(&mut self) -> String {
        let moments = self.random.moments(Shape::Compact);
        let turned = tensor(moments, &self.random.rotation());
        let digits = turned.map(|x| (x * 1e6).round() / 1e6);
        joined(digits.transpose().as_slice())
    }

    fn start(&mut self, name: &str, count: Option<usize>) {
        let Some(count) = count else {
            writeln!(self.text, "\ncase body: {name}").unwrap();
            let [inertia, q] = [self.inertia(), self.orientation()];
            let omega = self.numbers(3, -1.5, 1.5);
            self.line("body", &[&inertia, &q, &omega]);
            return;
        };
        writeln!(self.text, "\ncase ensemble: {name}").unwrap();
        self.line("ensemble", &[&count.to_string()]);
        let inertias: Vec<String> = (0..count).map(|_| self.inertia()).collect();
        let orientations: Vec<String> = (0..count).map(|_| self.orientation()).collect();
        self.line("inertias", &[&inertias.join(" ")]);
        self.line("orientations", &[&orientations.join(" ")]);
        let omega = self.numbers(3 * count, -1.5, 1.5);
        self.line("angular_velocities", &[&omega]);
    }

    fn expect_all(&mut self, count: Option<usize>) {
        let nouns: &[&str] = match count {
            None => &[
                "time",
                "orientation",
                "angular_velocity",
                "angular_velocity_body",
            ],
            Some(_) => &["time", "orientations", "angular_velocities"],
        };
        for noun in nouns {
            self.line("expect", &[noun]);
        }
    }

    fn constant_torque(&mut self, count: Option<usize>) {
        let frame = self.random.one_of(&["world", "body"]);
        self.line_each("constant_torque", count, 3, -1.5, frame);
    }

    fn uniform_field_torque(&mut self, count: Option<usize>) {
        let field = self.numbers(3, -1.5, 1.5);
        self.line_each("uniform_field_torque", count, 3, -1.5, &field);
    }

    fn gravity_gradient_torque(&mut self, count: Option<usize>) {
        let direction = self.numbers(3, -1.5, 1.5);
        let is_each = self.random.between(0.0, 1.0) < 0.5;
        let gradients = self.numbers(count.filter(|_| is_each).unwrap_or(1), 0.1, 1.5);
        self.line("gravity_gradient_torque", &[&direction, &gradients]);
    }

    fn linear_drag_torque(&mut self, count: Option<usize>) {
        self.line_each("linear_drag_torque", count, 3, 0.0, "");
    }

    fn shear_flow_torque(&mut self, count: Option<usize>) {
        let [viscosity, gradient] = [self.numbers(1, 0.01, 0.1), self.numbers(9, -1.0, 1.0)];
        let rest = format!("{viscosity} {gradient}");
        self.line_each("shear_flow_torque", count, 3, 0.4, &rest);
    }

    /// What acts beside the torque: drag, noise, rotors.
    fn cases_of_other_torques(&mut self, count: Option<usize>) {
        for method in ["pcdm", "splitting"] {
            self.start(&format!("drag, {method}"), count);
            self.line("method", &[method]);
            let flow = self.numbers(3, -1.0, 1.0);
            self.line_each("drag", count, 3, 0.0, &flow);
            self.line("advance", &["0.02", "5"]);
            self.expect_all(count);
        }
        for method in ["splitting", "brownian"] {
            self.start(&format!("noise, {method}"), count);
            self.line("method", &[method]);
            let flow = self.numbers(3, -1.0, 1.0);
            let mut rest = format!("{flow} 0.7 1234567890123");
            match count {
                None => rest += " 9007199254740993",
                Some(_) => self.line("ids", &["4 7 9007199254740993 0 2"]),
            }
            self.line_each("langevin", count, 3, 0.2, &rest);
            self.line("noise_draws", &["3"]);
            self.line("advance", &["0.02", "5"]);
            self.line("thermalize", &["0.04"]);
            self.expect_all(count);
            self.line("expect", &["noise_draws"]);
        }
        self.start("rotors", count);
        self.line("method", &["splitting"]);
        self.line_each("rotor_momentum", count, 3, -1.0, "");
        if count.is_none() {
            self.line_each("rotor_torque", count, 3, -1.0, "");
        }
        self.line("advance", &["0.02", "5"]);
        self.expect_all(count);
        if count.is_none() {
            self.line("expect", &["rotor_momentum"]);
            self.line("expect", &["rotor_torque"]);
        }
    }

    fn cases_without_steps(&mut self, count: Option<usize>) {
        self.start("kicks and drifts", count);
        for frame in ["world", "body"] {
            self.line("method", &["splitting"]);
            let torques = self.numbers(3 * count.unwrap_or(1), -1.5, 1.5);
            self.line("kick", &["0.1", &torques, frame]);
            self.line("drift", &["0.3"]);
        }
        self.expect_all(count);
        self.start("a clock", count);
        self.line("time", &["0.3"]);
        self.line("advance", &["0.1", "3"]);
        self.line("expect", &["clock"]);
        self.line("clock", &["0.7", "1e-17"]);
        self.line("drift", &["0.1"]);
        self.expect_all(count);
        self.line("expect", &["clock"]);
        match count {
            None => self.cases_of_bodies_alone(),
            Some(count) => self.cases_of_ensembles_alone(count),
        }
    }

    fn cases_of_bodies_alone(&mut self) {
        let count = None;
        for word in ["state", "state_body", "angular_momentum"] {
            self.start(&format!("what follows from a new {word}"), count);
            self.constant_torque(count);
            let [q, vector] = [self.orientation(), self.numbers(3, -1.5, 1.5)];
            if word == "angular_momentum" {
                self.line(word, &[&vector]);
            } else {
                self.line(word, &[&q, &vector]);
            }
            for noun in [
                "angular_velocity",
                "angular_momentum",
                "kinetic_energy",
                "acting_torque",
                "angular_acceleration",
            ] {
                self.line("expect", &[noun]);
            }
        }
        for keep in ["angular_velocity", "angular_momentum"] {
            self.start(&format!("another inertia, {keep} kept"), count);
            let inertia = self.inertia();
            self.line("inertia", &[&inertia, keep]);
            self.expect_all(count);
        }
        self.start("locked axes", count);
        let diagonal = self.numbers(3, 1.0, 1.5).replace(' ', " 0 0 0 ");
        self.line("inertia", &[&diagonal, "angular_velocity"]);
        self.line("lock_axes", &["xz"]);
        self.line("advance", &["0.05", "4"]);
        self.expect_all(count);
        for method in ["nonstiff", "stiff", "splitting"] {
            self.start(&format!("a solution, {method}"), count);
            self.uniform_field_torque(count);
            self.line("solve_method", &[method]);
            self.line("solve", &["1.5", "1e-9"]);
            self.expect_all(count);
        }
    }

    fn cases_of_ensembles_alone(&mut self, n: usize) {
        let count = Some(n);
        self.start("some bodies move", count);
        self.line("active", &["0 2 3"]);
        let momenta = self.numbers(3 * n, -1.5, 1.5);
        self.line("angular_momenta", &[&momenta]);
        self.line("scale_angular_momenta", &["1.3"]);
        for frame in ["world", "body"] {
            let torques = self.numbers(3 * n, -1.5, 1.5);
            self.line("kick_drift", &["0.1", "0.2", &torques, frame]);
        }
        self.expect_all(count);
        for noun in [
            "angular_momenta",
            "kinetic_energies",
            "total_kinetic_energy",
            "total_angular_momentum",
            "degrees_of_freedom",
        ] {
            self.line("expect", &[noun]);
        }
        self.start("one state for all", count);
        for (word, width) in [
            ("inertias", 9),
            ("orientations", 4),
            ("angular_velocities", 3),
        ] {
            let numbers = match width {
                9 => self.inertia(),
                4 => self.orientation(),
                _ => self.numbers(3, -1.5, 1.5),
            };
            self.line(word, &[&numbers]);
        }
        self.line("advance", &["0.05", "4"]);
        self.expect_all(count);
        for bodies in [1, n] {
            self.start(&format!("principal inertias, {bodies}"), count);
            let moments = self.numbers(3 * bodies, 1.0, 1.5);
            self.line("principal_inertias", &[&moments]);
            self.line("advance", &["0.05", "4"]);
            self.line("lock_axes", &["xz"]);
            self.line("advance", &["0.05", "4"]);
            self.expect_all(count);
            self.line("expect", &["degrees_of_freedom"]);
        }
    }
}

/// With the digits that give the bits.
fn joined(numbers: &[f64]) -> String {
    let digits: Vec<String> = numbers.iter().map(f64::to_string).collect();
    digits.join(" ")
}

// ---- what comes of it

/// One line of the table.
struct Statement<'a> {
    word: &'a str,
    rest: Vec<&'a str>,
}

impl<'a> Statement<'a> {
    fn new(line: &'a str) -> Self {
        let mut words = line.split_whitespace();
        Statement {
            word: words.next().unwrap(),
            rest: words.collect(),
        }
    }

    /// The numbers, up to a word that is none.
    fn numbers(&self) -> Vec<f64> {
        let parsed = self.rest.iter().map_while(|word| word.parse().ok());
        parsed.collect()
    }

    /// `K` of the numbers.
    fn some<const K: usize>(&self, from: usize) -> [f64; K] {
        *self.numbers()[from..].first_chunk().unwrap()
    }

    fn vector(&self, from: usize) -> Vector3<f64> {
        self.some(from).into()
    }

    fn orientation(&self, from: usize) -> UnitQuaternion<f64> {
        let [w, x, y, z] = self.some(from);
        UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z))
    }

    fn inertia(&self) -> Inertia {
        Inertia::new(&Matrix3::from_row_slice(&self.some::<9>(0))).unwrap()
    }

    fn last(&self) -> &'a str {
        self.rest.last().unwrap()
    }

    /// The whole numbers, exactly.
    fn integers(&self, from: usize) -> Vec<u64> {
        let words = self.rest[from..].iter();
        words.map(|word| word.parse().unwrap()).collect()
    }

    fn locked(&self) -> [bool; 3] {
        ["x", "y", "z"].map(|axis| self.last().contains(axis))
    }

    fn frame(&self) -> Frame {
        match self.last() {
            "world" => Frame::World,
            "body" => Frame::Body,
            other => panic!("{other}"),
        }
    }

    fn method(&self) -> Method {
        let named = |(name, _): &&(&str, Method)| *name == self.last();
        METHODS.iter().find(named).unwrap().1
    }
}

/// The torque of a body: in Rust it is an argument of what moves the body.
enum Torque {
    Free,
    World(ConstantWorld),
    Body(ConstantBody),
    Field(UniformField),
    Gravity(GravityGradient),
    Drag(LinearDrag),
    Flow(ShearFlow),
}

/// Calls a function of a torque with the one at hand.
macro_rules! with {
    ($torque:expr, |$name:ident| $call:expr) => {
        match $torque {
            Torque::Free => {
                let $name = &mut Free;
                $call
            }
            Torque::World($name) => $call,
            Torque::Body($name) => $call,
            Torque::Field($name) => $call,
            Torque::Gravity($name) => $call,
            Torque::Drag($name) => $call,
            Torque::Flow($name) => $call,
        }
    };
}

struct BodyAt {
    body: Body,
    torque: Torque,
}

impl BodyAt {
    fn new(s: &Statement) -> Self {
        BodyAt {
            body: Body::new(s.inertia(), s.orientation(9), s.vector(13)).unwrap(),
            torque: Torque::Free,
        }
    }

    fn set_torque(&mut self, s: &Statement) {
        let a = s.some(0);
        self.torque = match (s.word, s.last()) {
            ("constant_torque", "world") => Torque::World(ConstantWorld::new(a).unwrap()),
            ("constant_torque", _) => Torque::Body(ConstantBody::new(a).unwrap()),
            ("uniform_field_torque", _) => Torque::Field(UniformField::new(a, s.some(3)).unwrap()),
            ("gravity_gradient_torque", _) => {
                let [gradient] = s.some(3);
                Torque::Gravity(GravityGradient::new(a, gradient).unwrap())
            }
            ("linear_drag_torque", _) => Torque::Drag(LinearDrag::new(a).unwrap()),
            ("shear_flow_torque", _) => {
                let [viscosity] = s.some(3);
                Torque::Flow(ShearFlow::new(a, viscosity, s.some(4)).unwrap())
            }
            (word, _) => panic!("no statement on a body: {word}"),
        };
    }

    fn play(&mut self, s: &Statement) {
        let body = &mut self.body;
        match s.word {
            "method" => body.set_method(s.method()),
            "advance" => {
                let [dt] = s.some(0);
                let steps = s.last().parse().unwrap();
                with!(&mut self.torque, |torque| body.advance(dt, steps, torque)).unwrap();
            }
            "solve" => {
                let [time, tolerance] = s.some(0);
                with!(&mut self.torque, |torque| body
                    .solve(time, tolerance, torque))
                .unwrap();
            }
            "drag" => {
                let drag = FluidDrag::new(s.some(0), s.some(3)).unwrap();
                body.set_drag(Some(drag)).unwrap();
            }
            "langevin" => {
                let [kt] = s.some(6);
                let [seed, id] = s.integers(7)[..] else {
                    panic!("no seed and id")
                };
                let bath = Langevin::new(s.some(0), s.some(3), kt, seed, id).unwrap();
                body.set_langevin(Some(bath)).unwrap();
            }
            "noise_draws" => body.set_noise(s.last().parse().unwrap()),
            "thermalize" => body.thermalize(s.some::<1>(0)[0]).unwrap(),
            "rotor_momentum" => body.set_rotor_momentum(Some(s.vector(0))).unwrap(),
            "rotor_torque" => body.set_rotor_torque(Some(s.vector(0))).unwrap(),
            "time" => body.set_time(s.some::<1>(0)[0]).unwrap(),
            "clock" => body.set_clock(s.some(0)).unwrap(),
            "kick" => {
                let [duration] = s.some(0);
                body.kick(duration, s.vector(1), s.frame()).unwrap();
            }
            "drift" => {
                let [duration] = s.some(0);
                body.drift(duration).unwrap();
            }
            "solve_method" => body.set_solve_method(match s.last() {
                "stiff" => SolveMethod::Stiff,
                "splitting" => SolveMethod::Splitting,
                _ => SolveMethod::Nonstiff,
            }),
            "state" => body.set_state(s.orientation(0), s.vector(4)).unwrap(),
            "state_body" => body.set_state_body(s.orientation(0), s.vector(4)).unwrap(),
            "angular_momentum" => body.set_angular_momentum(s.vector(0)).unwrap(),
            "inertia" => {
                let keep = match s.last() {
                    "angular_velocity" => Keep::AngularVelocity,
                    _ => Keep::AngularMomentum,
                };
                body.set_inertia(s.inertia(), keep).unwrap();
            }
            "lock_axes" => body.lock_axes(s.locked()).unwrap(),
            _ => self.set_torque(s),
        }
    }

    fn get(&mut self, noun: &str) -> Vec<f64> {
        let body = &mut self.body;
        match noun {
            "time" => vec![body.time()],
            "clock" => body.clock().into(),
            "orientation" => components(body.orientation()).into(),
            "angular_velocity" => body.angular_velocity().as_slice().into(),
            "angular_velocity_body" => body.angular_velocity_body().as_slice().into(),
            "angular_momentum" => body.angular_momentum().as_slice().into(),
            "kinetic_energy" => vec![body.kinetic_energy()],
            "noise_draws" => vec![body.noise() as f64],
            "rotor_momentum" => body.rotor_momentum().unwrap().as_slice().into(),
            "rotor_torque" => body.rotor_torque().unwrap().as_slice().into(),
            "acting_torque" => {
                let torque = with!(&mut self.torque, |torque| body.total_torque(torque));
                torque.unwrap().as_slice().into()
            }
            "angular_acceleration" => {
                let rate = with!(&mut self.torque, |torque| body.angular_acceleration(torque));
                rate.unwrap().as_slice().into()
            }
            other => panic!("{other}"),
        }
    }
}

/// `K` numbers of each body, or of all.
fn each<const K: usize>(numbers: &[f64], count: usize) -> View<'_, K> {
    if numbers.len() == K {
        View::shared(numbers.first_chunk().unwrap(), count)
    } else {
        View::rows(numbers).unwrap()
    }
}

fn play_on_ensemble(e: &mut Ensemble, s: &Statement) {
    let count = e.count();
    let numbers = s.numbers();
    match s.word {
        "inertias" => e.set_inertias(each(&numbers, count)).unwrap(),
        "principal_inertias" => e.set_principal_inertias(each(&numbers, count)).unwrap(),
        "lock_axes" => {
            let bits = s.locked().map(i32::from);
            e.lock_axes(&[bits[0] + 2 * bits[1] + 4 * bits[2]], true)
                .unwrap();
        }
        "active" => {
            let bodies: Vec<usize> = numbers.iter().map(|body| *body as usize).collect();
            e.set_active(Some(&bodies)).unwrap();
        }
        "ids" => e.set_ids(Some(&s.integers(0))).unwrap(),
        "time" => e.set_time(numbers[0]).unwrap(),
        "clock" => e.set_clock(s.some(0)).unwrap(),
        "scale_angular_momenta" => e.scale_angular_momenta(numbers[0]).unwrap(),
        "thermalize" => e.thermalize(numbers[0]).unwrap(),
        "kick_drift" => {
            let torques = each(&numbers[2..], count);
            e.kick_drift(numbers[0], numbers[1], Some(torques), s.frame())
                .unwrap();
        }
        "orientations" => e.set_orientations(each(&numbers, count)).unwrap(),
        "angular_velocities" => e.set_angular_velocities(each(&numbers, count)).unwrap(),
        "angular_momenta" => e.set_angular_momenta(each(&numbers, count)).unwrap(),
        "method" => e.set_method(s.method()).unwrap(),
        "advance" => e.advance(numbers[0], s.last().parse().unwrap()).unwrap(),
        "noise_draws" => e.set_noise(s.last().parse().unwrap()).unwrap(),
        "kick" => {
            let torques = each(&numbers[1..], count);
            e.kick(numbers[0], torques, s.frame()).unwrap();
        }
        "drift" => e.drift(numbers[0]).unwrap(),
        _ => set_forces_of_ensemble(e, s),
    }
}

fn set_forces_of_ensemble(e: &mut Ensemble, s: &Statement) {
    let count = e.count();
    let numbers = s.numbers();
    let n = numbers.len();
    let last_3 = || *numbers.last_chunk().unwrap();
    match s.word {
        "constant_torque" => e
            .set_constant_torque(each(&numbers, count), s.frame())
            .unwrap(),
        "uniform_field_torque" => {
            let vectors = each(&numbers[..n - 3], count);
            e.set_uniform_field(vectors, last_3()).unwrap();
        }
        "gravity_gradient_torque" => {
            let gradients = each(&numbers[3..], count);
            e.set_gravity_gradient(s.some(0), gradients).unwrap();
        }
        "linear_drag_torque" => e.set_linear_drag(each(&numbers, count)).unwrap(),
        "shear_flow_torque" => {
            let axes = each(&numbers[..n - 10], count);
            let gradient = *numbers.last_chunk().unwrap();
            e.set_shear_flow(axes, numbers[n - 10], gradient).unwrap();
        }
        "drag" => {
            let flow = last_3();
            let flow = Some(View::shared(&flow, count));
            e.set_drag(each(&numbers[..n - 3], count), flow).unwrap();
        }
        "langevin" => {
            let [flow @ .., kt, _] = *numbers.last_chunk::<5>().unwrap();
            let flow = Some(View::shared(&flow, count));
            let seed = s.last().parse().unwrap();
            let coefficients = each(&numbers[..n - 5], count);
            e.set_langevin(coefficients, flow, kt, seed).unwrap();
        }
        "rotor_momentum" => e.set_rotor_momentum(Some(each(&numbers, count))).unwrap(),
        word => panic!("no statement on an ensemble: {word}"),
    }
}

fn get_of_ensemble(e: &Ensemble, noun: &str) -> Vec<f64> {
    let count = e.count();
    let [mut one, mut three, mut four] = [1, 3, 4].map(|width| vec![0.0; width * count]);
    match noun {
        "time" => vec![e.time()],
        "clock" => e.clock().into(),
        "degrees_of_freedom" => vec![e.degrees_of_freedom() as f64],
        "noise_draws" => vec![e.noise() as f64],
        "total_kinetic_energy" => vec![e.total_kinetic_energy()],
        "total_angular_momentum" => e.total_angular_momentum().as_slice().into(),
        "orientations" => {
            e.orientations(&mut ViewMut::rows(&mut four).unwrap())
                .unwrap();
            four
        }
        "angular_velocities" => {
            e.angular_velocities(&mut ViewMut::rows(&mut three).unwrap())
                .unwrap();
            three
        }
        "angular_momenta" => {
            e.angular_momenta(&mut ViewMut::rows(&mut three).unwrap())
                .unwrap();
            three
        }
        "kinetic_energies" => {
            e.kinetic_energies(&mut ViewMut::rows(&mut one).unwrap())
                .unwrap();
            one
        }
        other => panic!("{other}"),
    }
}

/// The program that plays the table in each language.
const PLAYERS: [&str; 6] = [
    "tests/c/test_cases.c",
    "tests/cpp/test_cases.cpp",
    "tests/fortran/test_cases.f90",
    "bindings/python/tests/test_cases.py",
    "bindings/julia/Quatint/test/cases.jl",
    "bindings/matlab/tests/test_cases.m",
];

#[test]
fn a_program_of_each_language_plays_the_table() {
    for player in PLAYERS {
        let program = std::fs::read_to_string(root().join(player)).unwrap();
        let names = |quote| program.contains(&format!("tests/data/cases.txt{quote}"));
        assert!(names('"') || names('\''), "{player}");
    }
}

/// The statements, and after each `expect NOUN` the numbers that came of them.
fn table() -> String {
    let mut text = "# See tests/rust/cases.rs, which writes this file.\n".to_string();
    let mut body = None;
    let mut ensemble = None;
    for line in statements().lines() {
        text += line;
        let s = if line.is_empty() || line.starts_with("case") {
            text += "\n";
            continue;
        } else {
            Statement::new(line)
        };
        match s.word {
            "body" => {
                body = Some(BodyAt::new(&s));
                ensemble = None;
            }
            "ensemble" => {
                ensemble = Some(Ensemble::new(s.last().parse().unwrap()).unwrap());
                body = None;
            }
            "expect" => {
                let numbers = match (&mut body, &ensemble) {
                    (Some(body), _) => body.get(s.last()),
                    (None, Some(e)) => get_of_ensemble(e, s.last()),
                    (None, None) => panic!("no object"),
                };
                text += &format!(" {}", joined(&numbers));
            }
            _ => match (&mut body, &mut ensemble) {
                (Some(body), _) => body.play(&s),
                (None, Some(e)) => play_on_ensemble(e, &s),
                (None, None) => panic!("no object"),
            },
        }
        text += "\n";
    }
    text
}

#[test]
fn the_table_that_every_language_plays_has_the_numbers_of_this_library() {
    let path = root().join("tests/data/cases.txt");
    let now = table();
    if std::env::var_os("QUATINT_REFRESH").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    let differing = kept.lines().zip(now.lines()).find(|(a, b)| a != b);
    assert!(differing.is_none(), "{differing:?}");
    assert_eq!(kept.len(), now.len());
}
