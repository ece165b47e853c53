//! All that can act at once on bodies and ensembles, drawn at random; the ways to hold the bodies, and the ways to move them.

use crate::common::bits::{state_bits, state_bits_in};
use crate::common::generic::{Random, Shape, tensor};
use crate::common::if_shown;
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use quatint::rotation::components;
use quatint::torque::{
    ConstantBody, ConstantWorld, FluidDrag, Free, GravityGradient, Langevin, LinearDrag, ShearFlow,
    StageState, TorqueModel, UniformField,
};
use quatint::{
    Body, Crossing, Ensemble, Error, Failure, Frame, Inertia, Layout, Method, Parts, Progress,
    Record, Statistics, VelocityKind, View, ViewMut,
};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

pub(super) type Q = UnitQuaternion<f64>;
pub(super) type V = Vector3<f64>;

/// All parts of a row.
pub(super) const ALL: Parts = Parts {
    state: true,
    inertia: true,
    torque: true,
    memory: true,
    id: true,
    bound: true,
};
pub(super) const STATE: Parts = Parts {
    state: true,
    inertia: false,
    torque: false,
    memory: false,
    id: false,
    bound: false,
};

/// The torque that acts on all bodies of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Free,
    World,
    Body,
    Field,
    Planet,
    LinearDrag,
    Shear,
    /// A function of time, orientation and, with [`Scene::of_omega`], angular velocity.
    Function(Frame),
}

impl Kind {
    const ALL: [Kind; 10] = [
        Kind::Free,
        Kind::World,
        Kind::Body,
        Kind::Field,
        Kind::Planet,
        Kind::LinearDrag,
        Kind::Shear,
        Kind::Function(Frame::World),
        Kind::Function(Frame::World),
        Kind::Function(Frame::Body),
    ];

    pub(super) fn resists(self) -> bool {
        matches!(self, Kind::LinearDrag | Kind::Shear)
    }

    pub(super) fn is_function(self) -> bool {
        matches!(self, Kind::Function(_))
    }
}

/// How the inertias are given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Given {
    Tensors,
    Moments,
    Shared,
}

/// One body, with the numbers of all that may act on it.
#[derive(Clone, Debug)]
pub(super) struct Thing {
    /// Of the mass, body axes.
    pub(super) tensor: Matrix3<f64>,
    pub(super) is_aligned: bool,
    pub(super) is_thin: bool,
    pub(super) locked: [bool; 3],
    pub(super) q: Q,
    pub(super) omega_body: V,
    /// A constant torque, or a magnet in the body.
    pub(super) vector: V,
    pub(super) gradient: f64,
    /// Of drag or random torques, about the body axes.
    pub(super) coefficients: [f64; 3],
    pub(super) flow: V,
    pub(super) semi_axes: [f64; 3],
    /// The velocity gradient at this body.
    pub(super) fluid: [f64; 9],
    pub(super) rotor: V,
    pub(super) id: u64,
}

/// What the bodies share, and the bodies.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    pub(super) method: Method,
    pub(super) dt: f64,
    pub(super) steps: u64,
    pub(super) clock: f64,
    pub(super) kind: Kind,
    pub(super) given: Given,
    /// Of the arrays of a function.
    pub(super) layout: Layout,
    pub(super) field: V,
    pub(super) planet: V,
    pub(super) viscosity: f64,
    pub(super) fluid: [f64; 9],
    pub(super) binds_gradients: bool,
    /// Of a function: its change with time, and its drag.
    pub(super) of_time: f64,
    pub(super) of_omega: f64,
    pub(super) has_drag: bool,
    pub(super) has_flow: bool,
    /// kT and seed.
    pub(super) bath: Option<(f64, u64)>,
    pub(super) has_rotors: bool,
    /// Of the motors of rotors, on each body; of bodies alone.
    pub(super) motor: Option<V>,
    /// How much the inertia grows; of bodies alone.
    pub(super) growth: Option<f64>,
    pub(super) things: Vec<Thing>,
}

/// How far a scene may go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Wildness {
    /// Steps are in the range of the order: two ways that differ by rounding stay close.
    Smooth,
    /// Fast and slow spins, stiff and weak drag, long steps.
    Wild,
}
use Wildness::{Smooth, Wild};

const METHODS: [Method; 10] = [
    Method::Pcdm,
    Method::Pcdm,
    Method::Splitting,
    Method::Splitting,
    Method::Splitting,
    Method::Splitting4,
    Method::Splitting6,
    Method::ForceGradient,
    Method::Cf4,
    Method::Brownian,
];

/// These locks, or none where just one of them would be beside two different moments.
pub(super) fn locks_of(moments: V, locked: [bool; 3]) -> [bool; 3] {
    let mut of_motion = moments;
    for axis in (0..3).filter(|axis| locked[*axis]) {
        of_motion[axis] = 0.0;
    }
    let free: Vec<f64> = of_motion.iter().copied().filter(|m| *m > 0.0).collect();
    if matches!(free[..], [a, b] if a != b) {
        [false; 3]
    } else {
        locked
    }
}

impl Thing {
    fn random(random: &mut Random, wildness: Wildness, is_aligned: bool, spin: f64) -> Self {
        let chance = |random: &mut Random, part: f64| random.between(0.0, 1.0) < part;
        let size = random.between(0.5, 2.0);
        let axes = if is_aligned {
            Q::identity()
        } else {
            random.rotation()
        };
        let moments = match random.one_of(&[0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) {
            1 => random.moments(Shape::Disc),
            2 => random.moments(Shape::Rod(1e-2)),
            3 => random.moments(Shape::Rod(if wildness == Wild { 1e-4 } else { 0.06 })),
            4 => random.moments(Shape::NearSphere(1e-6)),
            5 => V::repeat(size),
            6 => random.one_of(&[
                V::new(0.0, size, size),
                V::new(size, 0.0, size),
                V::new(size, size, 0.0),
            ]),
            7 => random.one_of(&[
                V::new(size, 0.0, 0.0),
                V::new(0.0, size, 0.0),
                V::new(0.0, 0.0, size),
            ]),
            8 if wildness == Wild => V::zeros(),
            9 => random.moments(Shape::Rod(0.2)),
            _ => random.moments(Shape::Compact),
        };
        let is_thin = moments.min() < 0.05 * moments.max();
        let length = axes * V::ith(moments.imin(), 1.0);
        // about the length of a rod nothing may push: the motion would be too fast for a step
        let across = |v: V| {
            if is_thin {
                v - length * length.dot(&v)
            } else {
                v
            }
        };
        let free = if is_thin { length } else { random.vector() };
        let [a, b] = [(); 2].map(|()| random.vector());
        let rate = match wildness {
            Smooth => random.between(0.1, 2.0),
            Wild => random.one_of(&[1e-3, 0.1, 1.0, 1.0, 30.0, 1e4]) * random.between(0.5, 1.5),
        };
        let mut coefficients = [(); 3].map(|()| rate * moments.max() * random.between(0.3, 1.0));
        if chance(random, 0.1) {
            coefficients[random.one_of(&[0, 1, 2])] = 0.0;
        }
        let constant = random.vector();
        let is_at_rest = chance(random, 0.1);
        Thing {
            tensor: if is_aligned {
                Matrix3::from_diagonal(&moments)
            } else {
                tensor(moments, &axes)
            },
            is_aligned,
            is_thin,
            locked: locks_of(moments, [(); 3].map(|()| is_aligned && chance(random, 0.1))),
            q: random.rotation(),
            omega_body: if is_at_rest {
                V::zeros()
            } else {
                across(random.vector()) * spin
            },
            vector: if is_thin { free } else { constant },
            gradient: random.between(0.0, 0.5),
            coefficients,
            flow: random.vector() * 0.5,
            semi_axes: [(); 3].map(|()| random.between(0.3, 1.5)),
            fluid: [a.x, a.y, a.z, b.x, b.y, b.z, a.x * b.y, a.y * b.z, -a.z],
            // along a rod, which it makes precess; none is zero, which among rotors is a rotor at rest
            rotor: if is_thin {
                length * random.between(0.1, 1.0)
            } else {
                random.vector()
            },
            id: (random.between(0.0, 1e15)) as u64,
        }
    }

    pub(super) fn inertia(&self, given: Given) -> Inertia {
        let inertia = if given == Given::Moments {
            Inertia::from_moments(self.tensor.diagonal())
        } else {
            Inertia::new(&self.tensor)
        };
        inertia
            .expect("valid")
            .with_locked_axes(self.locked)
            .expect("aligned")
    }

    /// Whether it has an axis of zero moment that is no body axis.
    pub(super) fn is_turned_line(&self, given: Given) -> bool {
        !self.is_aligned && self.inertia(given).principal_moments().min() == 0.0
    }
}

impl Scene {
    /// All that can act at once on `count` bodies.
    pub(super) fn random(random: &mut Random, count: usize, wildness: Wildness) -> Self {
        let chance = |random: &mut Random, part: f64| random.between(0.0, 1.0) < part;
        let method = random.one_of(&METHODS);
        let allows_resistance = matches!(method, Method::Pcdm | Method::Splitting | Method::Cf4);
        let has_bath =
            method == Method::Brownian || method == Method::Splitting && chance(random, 0.3);
        let kind = loop {
            let kind = random.one_of(&Kind::ALL);
            let fits = match kind {
                Kind::LinearDrag => allows_resistance && !has_bath,
                Kind::Shear => allows_resistance,
                _ => true,
            };
            if fits {
                break kind;
            }
        };
        let given = random.one_of(&[
            Given::Tensors,
            Given::Tensors,
            Given::Moments,
            Given::Shared,
        ]);
        let spin = match wildness {
            Smooth => 1.0,
            Wild => random.one_of(&[1e-3, 1.0, 1.0, 30.0]),
        };
        let turn = match (wildness, method) {
            (Smooth, _) => random.between(0.01, 0.05),
            (Wild, Method::Pcdm | Method::Cf4) => random.between(0.01, 0.1),
            (Wild, _) => random.between(0.01, 0.3),
        };
        let mut things: Vec<Thing> = (0..count)
            .map(|_| {
                let is_aligned = given == Given::Moments || chance(random, 0.3);
                Thing::random(random, wildness, is_aligned, spin)
            })
            .collect();
        if given == Given::Shared
            && let Some((first, others)) = things.split_first_mut()
        {
            for thing in others {
                (thing.tensor, thing.is_aligned, thing.locked) =
                    (first.tensor, first.is_aligned, first.locked);
                (thing.is_thin, thing.omega_body, thing.vector) =
                    (first.is_thin, thing.omega_body, thing.vector);
                if first.is_thin {
                    (thing.omega_body, thing.vector, thing.rotor) =
                        (first.omega_body, first.vector, first.rotor);
                }
            }
        }
        let has_rotors = !has_bath && chance(random, 0.25);
        let is_any_thin = things.iter().any(|thing| thing.is_thin);
        let mut scene = Scene {
            method,
            dt: turn / spin.max(1.0),
            steps: 20,
            clock: random.one_of(&[0.0, 3.25, -100.5]),
            kind,
            given,
            layout: random.one_of(&[Layout::Aos, Layout::Soa]),
            field: random.vector(),
            planet: random.direction(),
            viscosity: random.between(0.01, 0.05),
            fluid: [(); 9].map(|()| random.between(-1.0, 1.0)),
            binds_gradients: kind == Kind::Shear && chance(random, 0.5),
            of_time: random.between(-0.5, 0.5),
            of_omega: if is_any_thin || chance(random, 0.5) {
                0.0
            } else {
                random.between(0.1, 1.0)
            },
            has_drag: allows_resistance && !has_bath && chance(random, 0.35),
            has_flow: chance(random, 0.5),
            bath: has_bath.then(|| {
                (
                    random.one_of(&[0.0, 1e-3, 0.3]),
                    (random.between(0.0, 1e15)) as u64,
                )
            }),
            has_rotors,
            motor: (has_rotors && !is_any_thin && chance(random, 0.5))
                .then(|| random.vector() * 0.3),
            growth: (method == Method::Splitting && chance(random, 0.2))
                .then(|| random.between(0.01, 0.2)),
            things,
        };
        let (dt, kind) = (scene.dt, scene.kind);
        for thing in &mut scene.things {
            if thing.is_thin && matches!(kind, Kind::World | Kind::Body) {
                let length = thing.vector;
                let any = random.vector();
                // along the length there is none of it
                thing.vector = if kind == Kind::World {
                    V::zeros()
                } else {
                    any - length * length.dot(&any)
                };
            }
            let moments = thing.inertia(given).principal_moments();
            let least = moments
                .iter()
                .copied()
                .filter(|moment| *moment > 0.0)
                .fold(f64::INFINITY, f64::min);
            let greatest = thing
                .coefficients
                .iter()
                .fold(0.0_f64, |most, c| most.max(*c));
            if method == Method::Cf4 && least.is_finite() && greatest * dt > 2.0 * least {
                thing.coefficients = thing.coefficients.map(|c| c * (least / (greatest * dt)));
            }
            if method == Method::Cf4 && least < 0.01 {
                thing.semi_axes = thing.semi_axes.map(|a| 0.1 * a);
            }
            if method == Method::Brownian {
                thing.coefficients = thing.coefficients.map(|c| c.max(0.1));
            }
        }
        scene
    }

    /// A name for the kind of scene, by which failures are counted.
    pub(super) fn name(&self) -> String {
        let parts = [
            (self.has_drag, "drag"),
            (self.bath.is_some(), "random torques"),
            (self.has_rotors, "rotors"),
            (self.motor.is_some(), "motor"),
            (self.growth.is_some(), "growing"),
            (self.binds_gradients, "bound gradients"),
            (self.kind.is_function() && self.of_omega != 0.0, "of omega"),
        ];
        let parts: Vec<_> = parts
            .iter()
            .filter(|part| part.0)
            .map(|part| part.1)
            .collect();
        format!(
            "{:?}, {:?}, with [{}]",
            self.method,
            self.kind,
            parts.join(", ")
        )
    }

    pub(super) fn duration(&self) -> f64 {
        self.dt * self.steps as f64
    }

    /// Whether a body has an axis of zero moment that is no body axis. Rows do not hold what rounding leaves of an angular velocity
    /// about it.
    pub(super) fn has_turned_line(&self) -> bool {
        self.things
            .iter()
            .any(|thing| thing.is_turned_line(self.given))
    }

    /// Without what ensembles lack.
    pub(super) fn for_ensembles(mut self) -> Self {
        self.motor = None;
        self.growth = None;
        self
    }

    pub(super) fn body(&self, i: usize) -> Body {
        let thing = &self.things[i];
        let mut body =
            Body::new(thing.inertia(self.given), Q::identity(), V::zeros()).expect("at rest");
        body.set_state_body(thing.q, thing.omega_body)
            .expect("finite");
        body.set_time(self.clock).expect("finite");
        self.equip(&mut body, i);
        body
    }

    /// Sets all that acts on a body, and its method, as before a restart.
    pub(super) fn equip(&self, body: &mut Body, i: usize) {
        let thing = &self.things[i];
        body.set_method(self.method);
        let flow = if self.has_flow {
            thing.flow.into()
        } else {
            [0.0; 3]
        };
        if self.has_drag {
            let drag = FluidDrag::new(thing.coefficients, flow).expect("finite");
            body.set_drag(Some(drag)).expect("allowed");
        }
        if let Some((kt, seed)) = self.bath {
            let bath = Langevin::new(thing.coefficients, flow, kt, seed, thing.id).expect("valid");
            body.set_langevin(Some(bath)).expect("allowed");
        }
        if self.has_rotors {
            body.set_rotor_momentum(Some(thing.rotor)).expect("allowed");
            body.set_rotor_torque(self.motor).expect("allowed");
        }
        if let Some(rate) = self.growth {
            let (tensor, clock, locked) = (thing.tensor, self.clock, thing.locked);
            let is_special = thing.is_thin || thing.locked.contains(&true);
            let other = if is_special {
                tensor
            } else {
                Matrix3::identity()
            };
            let function = move |time: f64| {
                let later = time - clock;
                let grown = tensor + other * (rate * (1.0 + later / (1.0 + later.abs())));
                Inertia::new(&grown)?.with_locked_axes(locked)
            };
            body.set_inertia_function(function).expect("valid");
        }
    }
}

/// The law of [`Kind::Function`], in plain arithmetic that is the same everywhere.
#[derive(Clone, Copy, Debug)]
struct Law {
    vector: [f64; 3],
    field: [f64; 3],
    clock: f64,
    of_time: f64,
    of_omega: f64,
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// `R v`, or with `sign` -1 `Rᵀ v`.
fn rotated([w, x, y, z]: [f64; 4], sign: f64, v: [f64; 3]) -> [f64; 3] {
    let axis = [x * sign, y * sign, z * sign];
    let once = cross(axis, v).map(|c| 2.0 * c);
    let twice = cross(axis, once);
    [0, 1, 2].map(|c| v[c] + w * once[c] + twice[c])
}

impl Law {
    fn torque(&self, frame: Frame, time: f64, q: [f64; 4], omega: [f64; 3]) -> [f64; 3] {
        let now = 1.0 + self.of_time * (time - self.clock);
        let field = self.field.map(|f| f * now);
        let turning = match frame {
            Frame::World => cross(rotated(q, 1.0, self.vector), field),
            Frame::Body => cross(self.vector, rotated(q, -1.0, field)),
        };
        [0, 1, 2].map(|c| turning[c] - self.of_omega * if_shown(omega[c]))
    }
}

/// A torque that fails once, after so many evaluations.
#[derive(Clone, Debug)]
pub(super) struct Trap {
    left: Arc<AtomicI64>,
    how: How,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum How {
    Error,
    NotFinite,
    Panic,
}

impl Trap {
    pub(super) fn after(evaluations: u64, how: How) -> Self {
        Trap {
            left: Arc::new(AtomicI64::new(evaluations as i64)),
            how,
        }
    }

    pub(super) fn never() -> Self {
        Trap {
            left: Arc::new(AtomicI64::new(i64::MAX)),
            how: How::Error,
        }
    }

    pub(super) fn has_sprung(&self) -> bool {
        self.left.load(Ordering::SeqCst) < 0
    }

    fn spring(&self, torque: [f64; 3]) -> Result<[f64; 3], String> {
        if self.left.fetch_sub(1, Ordering::SeqCst) != 0 {
            return Ok(torque);
        }
        match self.how {
            How::Error => Err("the trap".into()),
            How::NotFinite => Ok([torque[0], f64::NAN, torque[2]]),
            How::Panic => std::panic::resume_unwind(Box::new("the trap")), // prints nothing
        }
    }
}

struct Function<const IN_BODY: bool> {
    law: Law,
    trap: Trap,
}

impl<const IN_BODY: bool> TorqueModel for Function<IN_BODY> {
    type Error = Error;
    const FRAME: Frame = if IN_BODY { Frame::Body } else { Frame::World };

    fn torque(&mut self, time: f64, at: &StageState) -> Result<V, Error> {
        let omega = if IN_BODY {
            at.angular_velocity_body()
        } else {
            at.angular_velocity()
        };
        let torque = self.law.torque(
            Self::FRAME,
            time,
            components(at.orientation()),
            omega.into(),
        );
        self.trap
            .spring(torque)
            .map(V::from)
            .map_err(Error::from_torque)
    }
}

/// Does something with the torque on a body, whose type depends on its kind.
macro_rules! under {
    ($scene:expr, $i:expr, $trap:expr, $torque:ident => $then:expr) => {{
        let (scene, thing): (&Scene, &Thing) = ($scene, &$scene.things[$i]);
        let vector: [f64; 3] = thing.vector.into();
        match scene.kind {
            Kind::Free => {
                let $torque = &mut Free;
                $then
            }
            Kind::World => {
                let $torque = &mut ConstantWorld::new(vector).expect("finite");
                $then
            }
            Kind::Body => {
                let $torque = &mut ConstantBody::new(vector).expect("finite");
                $then
            }
            Kind::Field => {
                let $torque = &mut UniformField::new(vector, scene.field.into()).expect("finite");
                $then
            }
            Kind::Planet => {
                let $torque =
                    &mut GravityGradient::new(scene.planet.into(), thing.gradient).expect("finite");
                $then
            }
            Kind::LinearDrag => {
                let $torque = &mut LinearDrag::new(thing.coefficients).expect("finite");
                $then
            }
            Kind::Shear => {
                let fluid = if scene.binds_gradients {
                    thing.fluid
                } else {
                    scene.fluid
                };
                let $torque =
                    &mut ShearFlow::new(thing.semi_axes, scene.viscosity, fluid).expect("finite");
                $then
            }
            Kind::Function(Frame::World) => {
                let $torque = &mut Function::<false> {
                    law: scene.law($i),
                    trap: $trap.clone(),
                };
                $then
            }
            Kind::Function(Frame::Body) => {
                let $torque = &mut Function::<true> {
                    law: scene.law($i),
                    trap: $trap.clone(),
                };
                $then
            }
        }
    }};
}

impl Scene {
    fn law(&self, i: usize) -> Law {
        Law {
            vector: self.things[i].vector.into(),
            field: self.field.into(),
            clock: self.clock,
            of_time: self.of_time,
            of_omega: self.of_omega,
        }
    }

    pub(super) fn advance(
        &self,
        i: usize,
        body: &mut Body,
        dt: f64,
        steps: u64,
    ) -> Result<(), Failure> {
        self.advance_into(&Trap::never(), i, body, dt, steps)
    }

    pub(super) fn advance_into(
        &self,
        trap: &Trap,
        i: usize,
        body: &mut Body,
        dt: f64,
        steps: u64,
    ) -> Result<(), Failure> {
        under!(self, i, trap, torque => body.advance(dt, steps, torque))
    }

    pub(super) fn solve(
        &self,
        trap: &Trap,
        i: usize,
        body: &mut Body,
        end: f64,
        tolerance: f64,
    ) -> Result<Statistics, Failure> {
        under!(self, i, trap, torque => body.solve(end, tolerance, torque))
    }

    pub(super) fn solve_monitored(
        &self,
        i: usize,
        body: &mut Body,
        end: f64,
        tolerance: f64,
        monitor: impl FnMut(f64, &Q, &V) -> ControlFlow<i32>,
    ) -> Result<Statistics, Failure> {
        let trap = Trap::never();
        under!(self, i, trap, torque => body.solve_monitored(end, tolerance, torque, 1, monitor))
    }

    pub(super) fn solve_record(
        &self,
        i: usize,
        body: &mut Body,
        times: &[f64],
        rows: &mut [Record],
        tolerance: f64,
    ) -> Result<Statistics, Failure> {
        let trap = Trap::never();
        under!(self, i, trap, torque => body.solve_record(times, rows, tolerance, torque).1)
    }

    pub(super) fn solve_until(
        &self,
        i: usize,
        body: &mut Body,
        end: f64,
        tolerance: f64,
        event: impl FnMut(f64, &Q, &V) -> f64,
        crossing: Crossing,
    ) -> Result<Option<f64>, Failure> {
        let trap = Trap::never();
        under!(self, i, trap, torque => body.solve_until(end, tolerance, event, crossing, torque))
    }
}

/// All that can be read of a body, as bits.
pub(super) fn all_of(body: &Body) -> Vec<u64> {
    let mut numbers: Vec<f64> = vec![];
    numbers.extend(body.clock());
    numbers.extend(body.inertia().principal_moments().iter());
    numbers.extend(components(body.inertia().principal_to_body()));
    numbers.extend(body.rotor_momentum().unwrap_or_default().iter());
    numbers.extend(body.rotor_torque().unwrap_or_default().iter());
    let mut bits: Vec<u64> = numbers.into_iter().map(f64::to_bits).collect();
    bits.extend(state_bits(body));
    bits.push(body.noise());
    bits
}

/// An array of the caller: where the `k` numbers of a body are.
#[derive(Clone, Debug)]
pub(super) struct Place {
    first: usize,
    body_stride: usize,
    component_stride: usize,
    length: usize,
    rows: Option<Vec<i32>>,
    scalar_last: bool,
}

impl Place {
    fn random(random: &mut Random, count: usize, k: usize) -> Self {
        let has_rows = count > 0 && random.between(0.0, 1.0) < 0.3;
        let of_rows = if has_rows {
            count + random.one_of(&[0, 1, 7])
        } else {
            count
        };
        let (first, body_stride, component_stride) = match random.one_of(&[0, 1, 2, 3]) {
            0 => (0, k, 1),
            1 => (0, 1, of_rows),
            2 => (3, 1, of_rows + 2),
            _ => (2, k + 5, 1),
        };
        let mut rows: Vec<i32> = (0..of_rows as i32).collect();
        for at in (1..rows.len()).rev() {
            rows.swap(at, (random.between(0.0, (at + 1) as f64)) as usize);
        }
        rows.truncate(count);
        Place {
            first,
            body_stride,
            component_stride,
            length: first + of_rows.max(1) * body_stride + k * component_stride + 3,
            rows: has_rows.then_some(rows),
            scalar_last: k == 4 && random.between(0.0, 1.0) < 0.5,
        }
    }

    fn at(&self, body: usize, component: usize) -> usize {
        let row = self.rows.as_ref().map_or(body, |rows| rows[body] as usize);
        let component = if self.scalar_last {
            (component + 3) % 4
        } else {
            component
        };
        self.first + row * self.body_stride + component * self.component_stride
    }

    fn rows_of(&self, count: usize) -> usize {
        self.rows.as_ref().map_or(count, |rows| {
            rows.iter().max().map_or(0, |row| *row as usize + 1)
        })
    }

    fn view<'a, const K: usize>(&self, data: &'a mut [f64], count: usize) -> ViewMut<'a, K> {
        let view = ViewMut::strided(
            data,
            self.first,
            self.rows_of(count),
            self.body_stride as isize,
            self.component_stride as isize,
        );
        let view = view.expect("it fits");
        match &self.rows {
            Some(rows) => view.in_rows(rows).expect("rows of it"),
            None => view,
        }
    }
}

/// Where the bodies of an ensemble are.
#[derive(Clone, Debug)]
pub(super) struct Home {
    q: Option<Place>,
    velocity: Option<(Place, VelocityKind)>,
    pub(super) threads: usize,
}

impl Home {
    pub(super) fn own() -> Self {
        Home {
            q: None,
            velocity: None,
            threads: 1,
        }
    }

    /// Any that the scene allows.
    pub(super) fn random(random: &mut Random, scene: &Scene) -> Self {
        let count = scene.things.len();
        let [binds_q, binds_velocity] = [(); 2].map(|()| random.between(0.0, 1.0) < 0.7);
        let allows_momenta = !scene.has_rotors;
        let kind = loop {
            let kind = random.one_of(&[
                VelocityKind::OmegaWorld,
                VelocityKind::OmegaBody,
                VelocityKind::AngularMomentumWorld,
                VelocityKind::AngularMomentumBody,
            ]);
            let is_momentum = matches!(
                kind,
                VelocityKind::AngularMomentumWorld | VelocityKind::AngularMomentumBody
            );
            if allows_momenta || !is_momentum {
                break kind;
            }
        };
        Home {
            q: binds_q.then(|| Place::random(random, count, 4)),
            velocity: binds_velocity.then(|| (Place::random(random, count, 3), kind)),
            threads: random.one_of(&[1, 1, 1, 2, 3]),
        }
    }

    /// Of the same kind, for other bodies.
    pub(super) fn of_same_kind(&self, random: &mut Random, count: usize) -> Self {
        Home {
            q: self.q.as_ref().map(|_| Place::random(random, count, 4)),
            velocity: self
                .velocity
                .as_ref()
                .map(|(_, kind)| (Place::random(random, count, 3), *kind)),
            threads: random.one_of(&[1, 1, 2]),
        }
    }

    pub(super) fn with_velocities_in_body_frame(mut self) -> Self {
        if let Some((_, kind)) = &mut self.velocity {
            *kind = VelocityKind::OmegaBody;
        }
        self
    }

    pub(super) fn binds(&self) -> bool {
        self.q.is_some() || self.velocity.is_some()
    }

    pub(super) fn name(&self) -> String {
        let q = if self.q.is_some() { "bound" } else { "own" };
        match &self.velocity {
            Some((_, kind)) => format!("{q} orientations, {kind:?}"),
            None => format!("{q} orientations, own velocities"),
        }
    }
}

/// What no body has, between the numbers of bound arrays.
const BETWEEN: f64 = 777.0;

/// The arrays of a home.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Arrays {
    q: Vec<f64>,
    velocity: Vec<f64>,
    fluid: Vec<f64>,
}

impl Arrays {
    pub(super) fn of(scene: &Scene, home: &Home) -> Self {
        let mut arrays = Arrays {
            q: home
                .q
                .as_ref()
                .map_or(vec![], |place| vec![BETWEEN; place.length]),
            velocity: home
                .velocity
                .as_ref()
                .map_or(vec![], |(place, _)| vec![BETWEEN; place.length]),
            fluid: scene.things.iter().flat_map(|thing| thing.fluid).collect(),
        };
        for body in 0..scene.things.len() {
            if let Some(place) = &home.q {
                for c in 0..4 {
                    arrays.q[place.at(body, c)] = [1.0, 0.0, 0.0, 0.0][c];
                }
            }
            if let Some((place, _)) = &home.velocity {
                for c in 0..3 {
                    arrays.velocity[place.at(body, c)] = 0.0;
                }
            }
        }
        arrays
    }

    /// The numbers of a body in the bound arrays, as bits.
    pub(super) fn of_body(&self, home: &Home, body: usize) -> Vec<u64> {
        let q = home
            .q
            .iter()
            .flat_map(|place| (0..4).map(|c| self.q[place.at(body, c)]));
        let velocity = home
            .velocity
            .iter()
            .flat_map(|(place, _)| (0..3).map(|c| self.velocity[place.at(body, c)]));
        q.chain(velocity).map(f64::to_bits).collect()
    }

    /// Whether nothing has been written between the numbers of the bodies.
    pub(super) fn are_clean_between(&self, home: &Home, count: usize) -> bool {
        let is_clean = |data: &[f64], place: Option<&Place>, k: usize| {
            let used: std::collections::BTreeSet<usize> = place
                .iter()
                .flat_map(|place| {
                    (0..count).flat_map(move |body| (0..k).map(move |c| place.at(body, c)))
                })
                .collect();
            data.iter()
                .enumerate()
                .all(|(at, number)| used.contains(&at) || *number == BETWEEN)
        };
        is_clean(&self.q, home.q.as_ref(), 4)
            && is_clean(
                &self.velocity,
                home.velocity.as_ref().map(|both| &both.0),
                3,
            )
    }
}

/// How steps of an ensemble are taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Way {
    Once,
    Singly,
    /// In calls of so many steps.
    Cuts(u64),
    /// The stage protocol, with a call that supplies and one that asks.
    Protocol(Layout),
    /// The stage protocol, with both in one call.
    Continued(Layout),
}

impl Way {
    pub(super) fn random(random: &mut Random, scene: &Scene) -> Self {
        loop {
            let way = random.one_of(&[
                Way::Once,
                Way::Singly,
                Way::Cuts(3),
                Way::Cuts(7),
                Way::Protocol(Layout::Aos),
                Way::Protocol(Layout::Soa),
                Way::Continued(Layout::Aos),
                Way::Continued(Layout::Soa),
            ]);
            let fits = match way {
                Way::Once => true,
                // the gradients of each call are new, so a torque is asked for anew
                Way::Singly | Way::Cuts(_) => !scene.binds_gradients,
                Way::Protocol(_) | Way::Continued(_) => scene.kind == Kind::Function(Frame::World),
            };
            if fits {
                return way;
            }
        }
    }

    pub(super) fn is_protocol(self) -> bool {
        matches!(self, Way::Protocol(_) | Way::Continued(_))
    }
}

impl Scene {
    /// The ensemble at the start. In the stage protocol no torque is set.
    pub(super) fn ensemble<'a>(
        &self,
        home: &Home,
        arrays: &'a mut Arrays,
        way: Way,
    ) -> Ensemble<'a, 'static> {
        let mut e = self.equipped(home, arrays, way, &Trap::never(), None);
        let states: Vec<f64> = self.states();
        e.set_rows(STATE, None, &states).expect("states");
        e.set_time(self.clock).expect("finite");
        e
    }

    /// The states at the start, as rows.
    pub(super) fn states(&self) -> Vec<f64> {
        self.things
            .iter()
            .flat_map(|thing| {
                components(thing.q)
                    .into_iter()
                    .chain(<[f64; 3]>::from(thing.omega_body))
            })
            .collect()
    }

    /// An ensemble of bodies at rest with all that acts on them, as before a restart.
    pub(super) fn equipped<'a>(
        &self,
        home: &Home,
        arrays: &'a mut Arrays,
        way: Way,
        trap: &Trap,
        active: Option<&[usize]>,
    ) -> Ensemble<'a, 'static> {
        let count = self.things.len();
        let mut e = Ensemble::new(count).expect("memory");
        let flat = |get: fn(&Thing) -> Vec<f64>| -> Vec<f64> {
            self.things.iter().flat_map(get).collect()
        };
        match self.given {
            Given::Shared if count > 0 => e
                .set_inertia(self.things[0].inertia(Given::Shared))
                .expect("valid"),
            Given::Moments => {
                let moments = flat(|thing| thing.tensor.diagonal().iter().copied().collect());
                e.set_principal_inertias(View::rows(&moments).expect("whole"))
                    .expect("valid");
            }
            _ => {
                let tensors = flat(|thing| thing.tensor.transpose().iter().copied().collect());
                e.set_inertias(View::rows(&tensors).expect("whole"))
                    .expect("valid");
            }
        }
        let locks: Vec<i32> = self
            .things
            .iter()
            .map(|thing| {
                (0..3)
                    .map(|axis| i32::from(thing.locked[axis]) << axis)
                    .sum()
            })
            .collect();
        if self.given != Given::Shared && locks.iter().any(|lock| *lock != 0) {
            e.lock_axes(&locks, false).expect("aligned");
        }
        e.set_threads(home.threads).expect("threads");
        let coefficients = flat(|thing| thing.coefficients.to_vec());
        let flows = flat(|thing| thing.flow.iter().copied().collect());
        let flow = self.has_flow.then(|| View::rows(&flows).expect("whole"));
        if let Some((kt, seed)) = self.bath {
            e.set_langevin(View::rows(&coefficients).expect("whole"), flow, kt, seed)
                .expect("allowed");
            let ids: Vec<u64> = self.things.iter().map(|thing| thing.id).collect();
            e.set_ids(Some(&ids)).expect("memory");
        }
        e.set_method(self.method).expect("allowed");
        self.set_torque(&mut e, way, trap, active);
        if self.has_drag {
            e.set_drag(View::rows(&coefficients).expect("whole"), flow)
                .expect("allowed");
        }
        if self.has_rotors {
            let rotors = flat(|thing| thing.rotor.iter().copied().collect());
            e.set_rotor_momentum(Some(View::rows(&rotors).expect("whole")))
                .expect("allowed");
        }
        let Arrays { q, velocity, fluid } = arrays;
        if let Some(place) = &home.q {
            let view = place.view::<4>(q, count);
            e.bind_orientations(if place.scalar_last {
                view.scalar_last()
            } else {
                view
            })
            .expect("unit");
        }
        if let Some((place, kind)) = &home.velocity {
            e.bind_angular_velocities(place.view::<3>(velocity, count), *kind)
                .expect("finite");
        }
        if self.binds_gradients {
            e.bind_flow_gradients(Some(View::rows(fluid).expect("whole")))
                .expect("finite");
        }
        if let Some(active) = active {
            e.set_active(Some(active)).expect("ascending");
        }
        e
    }

    pub(super) fn set_torque(
        &self,
        e: &mut Ensemble,
        way: Way,
        trap: &Trap,
        active: Option<&[usize]>,
    ) {
        let vectors: Vec<f64> = self
            .things
            .iter()
            .flat_map(|thing| <[f64; 3]>::from(thing.vector))
            .collect();
        let vectors = View::rows(&vectors).expect("whole");
        let outcome = match self.kind {
            Kind::Free => e.set_free(),
            Kind::World => e.set_constant_torque(vectors, Frame::World),
            Kind::Body => e.set_constant_torque(vectors, Frame::Body),
            Kind::Field => e.set_uniform_field(vectors, self.field.into()),
            Kind::Planet => {
                let gradients: Vec<f64> = self.things.iter().map(|thing| thing.gradient).collect();
                e.set_gravity_gradient(self.planet.into(), View::rows(&gradients).expect("whole"))
            }
            Kind::LinearDrag => {
                let coefficients: Vec<f64> = self
                    .things
                    .iter()
                    .flat_map(|thing| thing.coefficients)
                    .collect();
                e.set_linear_drag(View::rows(&coefficients).expect("whole"))
            }
            Kind::Shear => {
                let axes: Vec<f64> = self
                    .things
                    .iter()
                    .flat_map(|thing| thing.semi_axes)
                    .collect();
                e.set_shear_flow(
                    View::rows(&axes).expect("whole"),
                    self.viscosity,
                    self.fluid,
                )
            }
            Kind::Function(_) if way.is_protocol() => e.set_free(),
            Kind::Function(frame) => {
                let layout = self.layout;
                let laws: Vec<Law> = self.positions(active).map(|i| self.law(i)).collect();
                let trap = trap.clone();
                let chunk = move |time: f64,
                                  first: usize,
                                  count: usize,
                                  q: &[f64],
                                  omega: &[f64],
                                  torque: &mut [f64]| {
                    let at = |i: usize, c: usize, k: usize| {
                        if layout == Layout::Soa {
                            c * count + i
                        } else {
                            k * i + c
                        }
                    };
                    for i in 0..count {
                        let q = [0, 1, 2, 3].map(|c| q[at(i, c, 4)]);
                        let omega = [0, 1, 2].map(|c| omega[at(i, c, 3)]);
                        let of_body = trap
                            .spring(laws[first + i].torque(frame, time, q, omega))
                            .map_err(|_| 7)?;
                        for c in 0..3 {
                            torque[at(i, c, 3)] = of_body[c];
                        }
                    }
                    Ok(())
                };
                e.set_torque(Box::new(chunk), layout, frame)
            }
        };
        outcome.expect("allowed");
    }

    fn positions<'s>(&'s self, active: Option<&'s [usize]>) -> impl Iterator<Item = usize> + 's {
        let count = active.map_or(self.things.len(), <[usize]>::len);
        (0..count).map(move |position| active.map_or(position, |active| active[position]))
    }

    /// Takes steps of an ensemble.
    pub(super) fn move_on(
        &self,
        e: &mut Ensemble,
        way: Way,
        steps: u64,
        active: Option<&[usize]>,
    ) -> Result<(), Failure> {
        match way {
            Way::Once => e.advance(self.dt, steps),
            Way::Singly => (0..steps).try_for_each(|_| e.step(self.dt)),
            Way::Cuts(most) => {
                let mut left = steps;
                while left > 0 {
                    e.advance(self.dt, left.min(most))?;
                    left -= left.min(most);
                }
                Ok(())
            }
            Way::Protocol(layout) | Way::Continued(layout) => {
                let count = e.active_count();
                let (mut q, mut omega, mut torque) = (
                    vec![0.0; 4 * count],
                    vec![0.0; 3 * count],
                    vec![0.0; 3 * count],
                );
                e.set_stage_layout(layout)?;
                e.begin_steps(self.dt, steps)?;
                let mut progress = e.next_stage(&mut q, &mut omega)?;
                while let Progress::NeedTorque(time) = progress {
                    self.supply(time, layout, &q, &omega, &mut torque, active);
                    progress = if matches!(way, Way::Continued(_)) {
                        e.continue_step(&torque, &mut q, &mut omega)?
                    } else {
                        e.supply_torque(&torque)?;
                        e.next_stage(&mut q, &mut omega)?
                    };
                }
                Ok(())
            }
        }
    }

    /// The torques of a stage of the protocol.
    pub(super) fn supply(
        &self,
        time: f64,
        layout: Layout,
        q: &[f64],
        omega: &[f64],
        torque: &mut [f64],
        active: Option<&[usize]>,
    ) {
        let count = q.len() / 4;
        let at = |i: usize, c: usize, k: usize| {
            if layout == Layout::Soa {
                c * count + i
            } else {
                k * i + c
            }
        };
        for (position, body) in self.positions(active).enumerate() {
            let q = [0, 1, 2, 3].map(|c| q[at(position, c, 4)]);
            let omega = [0, 1, 2].map(|c| omega[at(position, c, 3)]);
            let of_body = self.law(body).torque(Frame::World, time, q, omega);
            for c in 0..3 {
                torque[at(position, c, 3)] = of_body[c];
            }
        }
    }
}

/// All that can be read of an ensemble, as bits: the rows of all bodies, the clock, the draws.
pub(super) fn all_in(e: &Ensemble) -> Vec<u64> {
    let mut rows = vec![0.0; e.count() * e.row_size(ALL)];
    e.rows(ALL, None, &mut rows).expect("room");
    let mut bits: Vec<u64> = rows
        .into_iter()
        .chain(e.clock())
        .map(f64::to_bits)
        .collect();
    bits.push(e.noise());
    for body in 0..e.count() {
        bits.extend(state_bits_in(e, body));
    }
    bits
}

pub(super) fn quaternion([w, x, y, z]: [f64; 4]) -> Q {
    Q::new_unchecked(Quaternion::new(w, x, y, z))
}

pub(super) fn angle(left: &Q, right: &Q) -> f64 {
    2.0 * (left.inverse() * right).imag().norm()
}
