//! Drag with coefficients that are proportional to the moments has an exact solution, for any body and any spin: the angular momentum
//! decays as exp(-c t) in a fixed direction, and the orientation is that of the free motion after the time (1 - exp(-c t)) / c.

use super::scene::{Q, V, angle};
use super::{hold, holds};
use crate::common::generic::{Random, Shape, tensor};
use nalgebra::Matrix3;
use quatint::torque::{FluidDrag, Free, Langevin, LinearDrag};
use quatint::{Body, Ensemble, Failure, Frame, Inertia, Method, View};

/// How the drag is said.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    SetDrag,
    LinearDrag,
    Langevin,
    Kicks,
    OfEnsemble,
    Callback,
    Solution,
}

const WAYS: [Way; 7] = [
    Way::SetDrag,
    Way::LinearDrag,
    Way::Langevin,
    Way::Kicks,
    Way::OfEnsemble,
    Way::Callback,
    Way::Solution,
];

#[derive(Clone, Debug)]
struct Spin {
    tensor: Matrix3<f64>,
    q: Q,
    omega_body: V,
    rate: f64,
    dt: f64,
    steps: u64,
}

impl Spin {
    /// `turn`: radians in a step; `turns`: of the whole run.
    fn random(
        random: &mut Random,
        speed: f64,
        rate: f64,
        turn: f64,
        turns: f64,
        is_turned: bool,
    ) -> Self {
        let shape = random.one_of(&[
            Shape::Compact,
            Shape::Compact,
            Shape::Disc,
            Shape::Rod(1e-2),
            Shape::Rod(0.1),
            Shape::NearSphere(1e-3),
            Shape::NearSphere(0.0),
        ]);
        let size = random.between(0.5, 2.0);
        let moments = match random.one_of(&[0, 0, 0, 0, 0, 1, 2]) {
            1 => random.one_of(&[
                V::new(0.0, size, size),
                V::new(size, 0.0, size),
                V::new(size, size, 0.0),
            ]),
            2 => random.one_of(&[
                V::new(0.0, 0.0, size),
                V::new(0.0, size, 0.0),
                V::new(size, 0.0, 0.0),
            ]),
            _ => random.moments(shape),
        };
        let axes = random.rotation();
        let tensor = if is_turned {
            tensor(moments, &axes)
        } else {
            Matrix3::from_diagonal(&moments)
        };
        // well apart from the separatrix, which magnifies any difference
        let mut omega_body = random.direction() * speed;
        let middle =
            (0..3).find(|axis| moments[*axis] != moments.min() && moments[*axis] != moments.max());
        if let Some(middle) = middle.filter(|_| !is_turned) {
            omega_body[middle] *= 0.2;
        } else if is_turned {
            omega_body = axes
                * moments.map(|moment| {
                    if moment == moments.max() {
                        speed
                    } else {
                        0.3 * speed
                    }
                });
        }
        let dt = turn / speed;
        Spin {
            tensor,
            q: random.rotation(),
            omega_body,
            rate,
            dt,
            steps: (turns / turn) as u64,
        }
    }

    fn body(&self) -> Body {
        let mut body = Body::new(
            Inertia::new(&self.tensor).expect("valid"),
            self.q,
            V::zeros(),
        )
        .expect("finite");
        body.set_state_body(self.q, self.omega_body)
            .expect("finite");
        body
    }

    /// The end by this way: the orientation and the angular momentum in the world.
    fn end(&self, method: Method, way: Way) -> Result<(Q, V), Failure> {
        let mut body = self.body();
        body.set_method(method);
        let coefficients: [f64; 3] = (self.tensor.diagonal() * self.rate).into();
        let drag = FluidDrag::new(coefficients, [0.0; 3]).expect("finite");
        let end = self.dt * self.steps as f64;
        let tensor = self.tensor * self.rate;
        let mut function =
            move |_: f64, q: &Q, omega: &V| -(q * (tensor * q.inverse_transform_vector(omega)));
        match way {
            Way::SetDrag => {
                body.set_drag(Some(drag))?;
                body.advance(self.dt, self.steps, &mut Free)?;
            }
            Way::LinearDrag => {
                body.advance(self.dt, self.steps, &mut LinearDrag::new(coefficients)?)?
            }
            Way::Langevin => {
                body.set_langevin(Some(Langevin::new(coefficients, [0.0; 3], 0.0, 1, 2)?))?;
                body.advance(self.dt, self.steps, &mut Free)?;
            }
            Way::Kicks => {
                body.set_drag(Some(drag))?;
                for _ in 0..self.steps {
                    body.kick(0.5 * self.dt, V::zeros(), Frame::World)?;
                    body.drift(self.dt)?;
                    body.kick(0.5 * self.dt, V::zeros(), Frame::World)?;
                }
            }
            Way::OfEnsemble => {
                let mut e = Ensemble::new(1)?;
                e.set_inertia(*body.inertia())?;
                e.set_method(method)?;
                e.set_drag(View::shared(&coefficients, 1), None)?;
                e.set_orientation(0, body.orientation())?;
                e.set_angular_velocity(0, body.angular_velocity())?;
                e.advance(self.dt, self.steps)?;
                return Ok((e.orientation(0), e.angular_momentum(0)));
            }
            Way::Callback => body.advance(self.dt, self.steps, &mut function)?,
            Way::Solution => {
                body.set_drag(Some(drag))?;
                body.solve(end, 1e-11, &mut Free)?;
            }
        }
        Ok((body.orientation(), body.angular_momentum()))
    }

    /// The exact end.
    fn exact(&self) -> (Q, V) {
        let mut body = self.body();
        let time = self.dt * self.steps as f64;
        let start = body.angular_momentum();
        body.drift((1.0 - (-self.rate * time).exp()) / self.rate)
            .expect("finite");
        (body.orientation(), start * (-self.rate * time).exp())
    }
}

fn check(
    name: &str,
    spin: &Spin,
    method: Method,
    way: Way,
    most: (f64, f64),
) -> Result<(), String> {
    let (q, momentum) = spin.exact();
    let kind = |what: &str| format!("{name}: {what}, {method:?}, {way:?}");
    match spin.end(method, way) {
        Err(failure) => Err(format!("{}\n{failure}\n{spin:#?}", kind("fails"))),
        Ok((q_end, momentum_end)) => {
            let off = (momentum_end - momentum).norm() / momentum.norm().max(1e-300);
            let turned = angle(&q, &q_end);
            let what = match (off < most.0, turned < most.1) {
                (true, true) => return Ok(()),
                (false, true) => "momentum",
                (true, false) => "orientation",
                (false, false) => "momentum and orientation",
            };
            Err(format!(
                "{}\nmomentum {off:e}, orientation {turned:e}\n{spin:#?}",
                kind(what)
            ))
        }
    }
}

/// 30 rad/s, c = 0.02, 600 rad, in steps of 0.1 and 0.3 rad: the drag takes a third of the momentum, and nothing else.
#[test]
fn a_spinning_body_loses_to_weak_drag_what_the_exact_solution_says() {
    hold(301, 0.1, |random| {
        let turn = random.one_of(&[0.1, 0.3]);
        let way = random.one_of(&[
            Way::SetDrag,
            Way::LinearDrag,
            Way::Langevin,
            Way::Kicks,
            Way::OfEnsemble,
            Way::Solution,
        ]);
        let spin = Spin::random(random, 30.0, 0.02, turn, 600.0, false);
        check("weak", &spin, Method::Splitting, way, (1e-4, 1e-2))
    });
}

/// The same as a callback, where the method sees any torque.
#[test]
fn a_spinning_body_loses_to_weak_drag_in_a_callback_what_the_exact_solution_says() {
    hold(302, 0.1, |random| {
        let (method, turn) = random.one_of(&[
            (Method::Splitting, 0.1),
            (Method::Splitting, 0.3),
            (Method::Cf4, 0.1),
        ]);
        let spin = Spin::random(random, 30.0, 0.02, turn, 600.0, true);
        check("weak", &spin, method, Way::Callback, (1e-4, 1e-2))
    });
}

/// Any drag and any spin, in short steps, by every method that takes drag, to the accuracy of order 2.
#[test]
fn any_spin_under_any_drag_in_every_way_is_that_of_the_exact_solution() {
    hold(303, 0.5, |random| {
        let method = random.one_of(&[
            Method::Pcdm,
            Method::Splitting,
            Method::Splitting,
            Method::Cf4,
        ]);
        let way = random.one_of(&WAYS);
        let way = if way == Way::Langevin && method != Method::Splitting {
            Way::SetDrag
        } else {
            way
        };
        let speed = random.power_of_ten(-3.0, 2.0);
        // of the spin: from next to nothing to more than a decay in a radian
        let rate = speed * random.power_of_ten(-4.0, 0.3);
        let spin = Spin::random(random, speed, rate, 0.01, 4.0, false);
        let least = if method == Method::Pcdm { 3e-4 } else { 1e-5 };
        // order 2 in the drag of a step, and what PCDM adds to a free rotation
        let damped = (rate * spin.dt).powi(2) * rate * spin.dt * spin.steps as f64;
        check("any", &spin, method, way, (least + damped, 1e-3))
    });
}

/// Stiff drag decays and stays at rest, in every way that takes it implicitly.
#[test]
fn stiff_drag_brings_a_body_to_rest_where_the_exact_solution_says() {
    hold(304, 0.5, |random| {
        let (method, way) = random.one_of(&[
            (Method::Pcdm, Way::SetDrag),
            (Method::Pcdm, Way::LinearDrag),
            (Method::Splitting, Way::SetDrag),
            (Method::Splitting, Way::LinearDrag),
            (Method::Splitting, Way::Langevin),
            (Method::Splitting, Way::Kicks),
            (Method::Splitting, Way::OfEnsemble),
        ]);
        let rate = random.power_of_ten(1.0, 8.0);
        let spin = Spin::random(random, 1.0, rate, 0.1, 2.0, false);
        let (q, _) = spin.exact();
        match spin.end(method, way) {
            Err(failure) => Err(format!("fails: {method:?}, {way:?}\n{failure}\n{spin:#?}")),
            Ok((q_end, momentum_end)) => {
                let left = momentum_end.norm() / (spin.tensor * spin.omega_body).norm().max(1e-300);
                let turned = angle(&q, &q_end);
                holds(
                    left < 1e-3 && turned < 0.1, // one of the first radians at most
                    || format!("{method:?}, {way:?}, rate 1e{:.0}", rate.log10()),
                    || format!("left {left:e}, turned {turned:e}\n{spin:#?}"),
                )
            }
        }
    });
}
