//! What each method promises of itself, measured for all of them by one suite.

#![allow(clippy::excessive_precision)] // the references have all digits that are known

use crate::common::generic::{Random, Shape, tensor as tensor_of};
use crate::common::rk4;
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use quatint::kernel::{PrincipalInertia, TorqueState, Vec3};
use quatint::torque::UniformField;
use quatint::{Body, Error, Inertia, Method, Torque};

type WorldTorque = fn(f64, &UnitQuaternion<f64>, &Vector3<f64>) -> Vector3<f64>;

/// A body whose inertia is asymmetric and given in axes that are not principal.
fn tensor() -> Matrix3<f64> {
    Matrix3::new(1.3, 0.2, -0.1, 0.2, 2.1, 0.3, -0.1, 0.3, 2.9)
}

const OMEGA: Vector3<f64> = Vector3::new(0.7, -0.4, 1.1);

/// Weight at a body point: turns with the body, so each common mistake asks it in the wrong place.
fn weight(_: f64, q: &UnitQuaternion<f64>, _: &Vector3<f64>) -> Vector3<f64> {
    (q * Vector3::new(0.3, 0.1, 1.0)).cross(&Vector3::new(0.0, 0.0, -2.0))
}

/// Driven and damped: depends on time and on the angular velocity.
fn driven(t: f64, q: &UnitQuaternion<f64>, omega: &Vector3<f64>) -> Vector3<f64> {
    weight(t, q, omega) + Vector3::new((3.0 * t).sin(), t, (2.0 * t).cos()) - omega * 0.5
}

fn body(method: Method) -> Body {
    let inertia = Inertia::new(&tensor()).expect("valid tensor");
    let mut body = Body::new(inertia, UnitQuaternion::identity(), OMEGA).expect("valid state");
    body.set_method(method);
    body
}

fn error_of(method: Method, torque: WorldTorque, steps: u64) -> f64 {
    let (time, mut body) = (2.0, body(method));
    body.advance(time / steps as f64, steps, &mut { torque })
        .expect("the motion is finite");

    let (q, omega) = rk4(
        &tensor(),
        UnitQuaternion::identity(),
        OMEGA,
        time,
        8192,
        torque,
    );
    body.orientation()
        .angle_to(&q)
        .max((body.angular_velocity() - omega).norm())
}

/// `steps`: so few that rounding does not show in the error, so many that it goes by its leading term.
fn keeps_its_promises(method: Method, steps: u64, within: f64) {
    for (name, torque) in [("weight", weight as WorldTorque), ("driven", driven)] {
        let [coarse, fine] = [steps, 2 * steps].map(|steps| error_of(method, torque, steps));
        let order = (coarse / fine).log2();
        let off = (order - f64::from(method.order())).abs();
        assert!(
            off < within,
            "{} under {name}: order {order}, {coarse:e}, {fine:e}",
            method.name()
        );
    }

    // integrated backwards in time, the body returns to its start within the error of the method
    let mut body = body(method);
    body.advance(1e-3, 1000, &mut weight)
        .expect("the motion is finite");
    body.advance(-1e-3, 1000, &mut weight)
        .expect("the motion is finite");
    let angle = body.orientation().angle();
    println!("{}: {angle:e} from where it started", method.name());
    let most = if method.order() == 2 { 1e-9 } else { 1e-12 };
    assert!(
        angle < most,
        "{}: {angle:e} from where it started",
        method.name()
    );
    assert_eq!(body.time(), 0.0);
}

/// The torque of a heavy top turns with the body. Frozen over the step, or taken to the body at the midpoint with q₀, it
/// lowers the order to 1. Measured here: 2.000 and 2.003.
#[test]
fn pcdm_is_second_order_when_the_torque_turns_with_the_body() {
    keeps_its_promises(Method::Pcdm, 512, 0.02);
}

/// Measured here: 4.02 and 4.02.
#[test]
fn cf4_is_fourth_order_under_torques_of_orientation_time_and_angular_velocity() {
    keeps_its_promises(Method::Cf4, 64, 0.1);
}

/// At large angles a step, in a direction that turns with the body or not: what one step leaves in |q| must not grow in the next.
#[test]
fn the_length_of_q_stays_within_rounding_at_any_angle_a_step() {
    let weak: WorldTorque = |_, q, _| q * Vector3::new(1e-9, 0.0, 0.0);
    for (moments, torque) in [
        (Vector3::repeat(1.5), weak),
        (Vector3::repeat(1.5), weight),
        (Vector3::new(1.0, 2.0, 2.5), weak),
    ] {
        let inertia = Inertia::from_moments(moments).expect("valid moments");
        for k in 1..100 {
            let spin = Vector3::new(0.1, 0.9, -0.4).normalize() * (0.1 * f64::from(k)); // up to ten radians a step of 1
            let q = UnitQuaternion::from_euler_angles(0.3, 1.2, -2.0);
            let mut body = Body::new(inertia, q, spin).expect("valid state");
            for _ in 0..300 {
                if body.advance(1.0, 1, &mut { torque }).is_err() {
                    break; // an explicit method may make an asymmetric body ever faster at such steps
                }
                let excess = body.orientation().into_inner().norm_squared() - 1.0;
                assert!(
                    excess.abs() < 20.0 * f64::EPSILON,
                    "{} rad a step: {excess:e}",
                    spin.norm()
                );
            }
        }
    }
}

/// A problem whose end is known to 19 digits, by integration with 40 digits.
struct Problem<T> {
    moments: [f64; 3],
    q0: [f64; 4],
    omega0_body: [f64; 3],
    torque: T,
    /// At t = 10; the angular velocity in the body frame.
    end: ([f64; 4], [f64; 3]),
}

impl<T: Torque<Error: Into<Error>> + Clone> Problem<T> {
    /// Errors of the orientation, and relative errors of the angular velocity, for a number of torque evaluations.
    fn errors(&self, method: Method, torques: u64) -> [f64; 2] {
        let inertia = Inertia::from_moments(self.moments.into()).expect("valid moments");
        let [w, x, y, z] = self.q0;
        let q0 = UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z));
        let mut body =
            Body::new(inertia, q0, q0 * Vector3::from(self.omega0_body)).expect("valid state");
        body.set_method(method);
        let stages = method.torque_at().len() - usize::from(method.keeps_torque());
        let steps = torques / stages as u64;
        body.advance(10.0 / steps as f64, steps, &mut self.torque.clone())
            .expect("the motion is finite");

        let ([w, x, y, z], omega) = (self.end.0, Vector3::from(self.end.1));
        let (q, exact) = (body.orientation().into_inner(), Quaternion::new(w, x, y, z));
        [
            (q - exact).norm().min((q + exact).norm()),
            (body.angular_velocity_body() - omega).norm() / omega.norm(),
        ]
    }

    /// `table`: torque evaluations, error of q, relative error of ω.
    fn meets(&self, method: Method, table: &[(u64, f64, f64)]) {
        for &(torques, of_q, of_omega) in table {
            let measured = self.errors(method, torques);
            for (measured, expected) in measured.into_iter().zip([of_q, of_omega]) {
                let ratio = measured / expected;
                assert!(
                    (ratio - 1.0).abs() < 0.1,
                    "{}, {torques}: {measured:e}, {expected:e}",
                    method.name()
                );
            }
        }
    }
}

/// A heavy asymmetric top, mgl = 1 along its third axis.
fn heavy_top() -> Problem<UniformField<f64>> {
    Problem {
        moments: [1.0, 1.5, 0.7],
        q0: [0.9, 0.3, 0.2, 0.1],
        omega0_body: [0.4, -0.3, 5.0],
        torque: UniformField::new([0.0, 0.0, 1.0], [0.0, 0.0, -1.0]).expect("finite"),
        end: (
            [
                0.3351412470151196668,
                -0.4534187512674758765,
                0.4123653760309821749,
                0.7155742988670086309,
            ],
            [
                -1.256449440850632084,
                0.2771355471177039129,
                4.936206652845846537,
            ],
        ),
    }
}

/// `τ = −C (ω − RᵀΩ) + Rᵀ f(t)`: forced, and damped towards a fluid that turns.
#[derive(Clone)]
struct Forced;

impl Torque for Forced {
    type Error = std::convert::Infallible;

    fn torque_body(
        &mut self,
        t: f64,
        here: &TorqueState<f64>,
        _: &PrincipalInertia<f64>,
    ) -> Result<Vec3<f64>, Self::Error> {
        let slip = here.omega_body - here.to_world.rotate_back(Vec3([0.0, 0.0, -0.5]));
        let force = here
            .to_world
            .rotate_back(Vec3([0.3 * (2.0 * t).cos(), 0.0, 0.2 * t.sin()]));
        Ok(force - Vec3([2.0, 3.0, 4.0]).times(slip))
    }
}

fn forced_and_damped() -> Problem<Forced> {
    Problem {
        moments: [1.0, 2.0, 3.0],
        q0: [0.9, 0.3, 0.2, 0.1],
        omega0_body: [1.0, 1.0, 1.0],
        torque: Forced,
        end: (
            [
                -0.01349125341651636098,
                0.03175063997173321528,
                -0.5820979874863652412,
                -0.8123864941682376884,
            ],
            [
                -0.08912296804314166011,
                -0.4758861088479123139,
                -0.1454180205574167062,
            ],
        ),
    }
}

/// Of orientation and time, without a potential.
fn steered(t: f64, q: &UnitQuaternion<f64>, omega: &Vector3<f64>) -> Vector3<f64> {
    weight(t, q, omega)
        + q * Vector3::new(0.4, -0.2, 0.5)
        + Vector3::new((3.0 * t).sin(), t, (2.0 * t).cos())
}

/// Measured: 4.01.
#[test]
fn force_gradient_is_of_order_four_under_a_torque_of_orientation_and_time_without_a_potential() {
    let [coarse, fine] = [16, 32].map(|steps| error_of(Method::ForceGradient, steered, steps));
    let order = (coarse / fine).log2();
    println!("order {order}, {coarse:e}, {fine:e}");
    assert!(
        (order - 4.0).abs() < 0.1,
        "order {order}, {coarse:e}, {fine:e}"
    );
}

/// The errors that prototypes in another program had, to two digits.
#[test]
fn the_errors_on_the_heavy_top_and_the_forced_case_are_those_of_independent_programs() {
    let top = heavy_top();
    top.meets(
        Method::Pcdm,
        &[
            (480, 1.5e-2, 3.3e-3),
            (2400, 6.5e-4, 1.1e-4),
            (9600, 4.1e-5, 6.4e-6),
        ],
    );
    top.meets(
        Method::Cf4,
        &[
            (96, 9.4e-2, 2.3e-2),
            (480, 1.7e-4, 1.9e-5),
            (2400, 2.9e-7, 1.8e-8),
            (9600, 1.1e-9, 6.0e-11),
        ],
    );
    top.meets(
        Method::Splitting,
        &[
            (96, 2.4e-3, 9.2e-4),
            (480, 9.5e-5, 3.7e-5),
            (2400, 3.8e-6, 1.5e-6),
            (9600, 2.4e-7, 9.2e-8),
        ],
    );
    top.meets(
        Method::Splitting4,
        &[
            (96, 8.2e-3, 1.5e-3),
            (480, 1.0e-8, 2.4e-9),
            (2400, 1.5e-11, 8.3e-12),
        ],
    );
    top.meets(Method::Splitting6, &[(473, 2.7e-9, 2.2e-9)]);
    top.meets(
        Method::ForceGradient,
        &[
            (96, 4.55e-5, 2.99e-5),
            (480, 6.05e-8, 4.06e-8),
            (2400, 9.65e-11, 6.47e-11),
        ],
    );
    let forced = forced_and_damped();
    forced.meets(
        Method::Splitting,
        &[
            (96, 6.2e-3, 1.0e-2),
            (480, 2.4e-4, 4.1e-4),
            (2400, 9.8e-6, 1.6e-5),
            (9600, 6.1e-7, 1.0e-6),
        ],
    );
    forced.meets(
        Method::Pcdm,
        &[
            (480, 3.4e-4, 6.4e-4),
            (2400, 1.3e-5, 2.5e-5),
            (9600, 8.2e-7, 1.5e-6),
        ],
    );
    forced.meets(
        Method::Cf4,
        &[
            (96, 3.0e-3, 1.6e-3),
            (480, 2.6e-6, 2.3e-6),
            (2400, 3.6e-9, 3.6e-9),
            (9600, 1.4e-11, 1.4e-11),
        ],
    );
}

/// Measured: 2.00 and 2.00; 3.99; 4.00; 5.99.
#[test]
fn the_splittings_have_their_orders() {
    let (top, forced) = (heavy_top(), forced_and_damped());
    let orders = [
        (
            "order 2",
            2.0,
            top.errors(Method::Splitting, 2000),
            top.errors(Method::Splitting, 4000),
        ),
        (
            "order 2, forced",
            2.0,
            forced.errors(Method::Splitting, 2000),
            forced.errors(Method::Splitting, 4000),
        ),
        (
            "order 4",
            4.0,
            top.errors(Method::Splitting4, 1800),
            top.errors(Method::Splitting4, 3600),
        ),
        (
            "force-gradient",
            4.0,
            top.errors(Method::ForceGradient, 480),
            top.errors(Method::ForceGradient, 960),
        ),
        (
            "order 6",
            6.0,
            top.errors(Method::Splitting6, 440),
            top.errors(Method::Splitting6, 880),
        ),
    ];
    for (name, expected, coarse, fine) in orders {
        for (coarse, fine) in coarse.into_iter().zip(fine) {
            let order = (coarse / fine).log2();
            println!("{name}: {order:.3} ({coarse:.1e}, {fine:.1e})");
            assert!(
                (order - expected).abs() < 0.03 * expected,
                "{name}: order {order}, {coarse:e}, {fine:e}"
            );
        }
    }
}

#[test]
fn the_splittings_run_backwards_to_their_start() {
    let problem = heavy_top();
    let inertia = Inertia::from_moments(problem.moments.into()).expect("valid moments");
    let q0 = UnitQuaternion::new_normalize(Quaternion::new(0.9, 0.3, 0.2, 0.1));
    for method in [
        Method::Splitting,
        Method::Splitting4,
        Method::Splitting6,
        Method::ForceGradient,
    ] {
        let mut body =
            Body::new(inertia, q0, q0 * Vector3::from(problem.omega0_body)).expect("valid state");
        body.set_method(method);
        body.advance(0.02, 10_000, &mut problem.torque.clone())
            .expect("finite");
        body.advance(-0.02, 10_000, &mut problem.torque.clone())
            .expect("finite");
        let angle = body.orientation().angle_to(&q0);
        let omega = (body.angular_velocity_body() - Vector3::from(problem.omega0_body)).norm();
        println!("{}: {angle:.1e}, {omega:.1e}", method.name());
        assert!(
            angle < 3e-11 && omega < 1e-11,
            "{}: {angle:e}, {omega:e}",
            method.name()
        );
    }
}

/// The energy of the heavy top stays within its first swing, and L_z within rounding. PCDM: 260 times the error after a tenth.
#[test]
fn under_the_splittings_the_energy_of_a_heavy_top_stays_bounded() {
    let problem = heavy_top();
    let inertia = Inertia::from_moments(problem.moments.into()).expect("valid moments");
    let q0 = UnitQuaternion::new_normalize(Quaternion::new(0.9, 0.3, 0.2, 0.1));
    for (method, dt, bound) in [
        (Method::Splitting, 0.02, 2e-5),
        (Method::Splitting4, 0.12, 3e-9),
        (Method::ForceGradient, 0.06, 3e-7),
    ] {
        let mut body =
            Body::new(inertia, q0, q0 * Vector3::from(problem.omega0_body)).expect("valid state");
        body.set_method(method);
        let energy = |body: &Body| body.kinetic_energy() + (body.orientation() * Vector3::z()).z;
        let (e0, lz0, l0) = (
            energy(&body),
            body.angular_momentum().z,
            body.angular_momentum().norm(),
        );
        let mut worst = [0.0_f64; 2];
        for part in 0..1000 {
            body.advance(dt, 1000, &mut problem.torque.clone())
                .expect("finite");
            worst[part / 500] = worst[part / 500].max((energy(&body) / e0 - 1.0).abs());
        }
        let lz = (body.angular_momentum().z - lz0).abs() / l0;
        println!("{}: energy {worst:?}, L_z {lz:.1e}", method.name());
        assert!(
            worst[0] < bound && worst[1] < 1.1 * worst[0],
            "{}: energy {worst:?}",
            method.name()
        );
        assert!(lz < 1e-12, "{}: L_z {lz:e}", method.name());
    }
}

#[test]
fn cf4_is_of_order_four_on_the_heavy_top_and_on_the_forced_and_damped_case() {
    for (name, coarse, fine) in [
        (
            "heavy top",
            heavy_top().errors(Method::Cf4, 4800),
            heavy_top().errors(Method::Cf4, 9600),
        ),
        (
            "forced",
            forced_and_damped().errors(Method::Cf4, 1200),
            forced_and_damped().errors(Method::Cf4, 2400),
        ),
    ] {
        for (coarse, fine) in coarse.into_iter().zip(fine) {
            let order = (coarse / fine).log2();
            assert!(
                (order - 4.0).abs() < 0.1,
                "{name}: order {order}, {coarse:e}, {fine:e}"
            );
        }
    }
}

/// A problem in which nothing lies along an axis: principal axes turned in the body, the body turned in the world, vectors in any direction.
struct Generic {
    tensor: Matrix3<f64>,
    q: UnitQuaternion<f64>,
    omega: Vector3<f64>,
    arm: Vector3<f64>,
    field: Vector3<f64>,
    push_body: Vector3<f64>,
    push_world: Vector3<f64>,
}

/// What the torque depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Asks {
    /// The orientation, by a ready-made torque.
    Field,
    /// Orientation and time, without a potential.
    Time,
    /// Orientation, time and angular velocity.
    Velocity,
}

impl Generic {
    fn new(shape: Shape, random: &mut Random) -> Self {
        let axes = random.rotation();
        Self {
            tensor: tensor_of(random.moments(shape), &axes),
            q: random.rotation(),
            omega: random.direction() * 2.0,
            arm: random.direction(),
            field: random.direction(),
            push_body: random.direction() * 0.5,
            push_world: random.direction(),
        }
    }

    fn torque(
        &self,
        asks: Asks,
        t: f64,
        q: &UnitQuaternion<f64>,
        omega: &Vector3<f64>,
    ) -> Vector3<f64> {
        let of_field = (q * self.arm).cross(&self.field);
        let steered = of_field + q * self.push_body + self.push_world * (2.0 * t).cos();
        match asks {
            Asks::Field => of_field,
            Asks::Time => steered,
            Asks::Velocity => steered - omega * 0.4 + self.push_body.cross(omega),
        }
    }

    /// At t = 1, by a Runge-Kutta method that shares no code with the library.
    fn end(&self, asks: Asks) -> (UnitQuaternion<f64>, Vector3<f64>) {
        let torque =
            |t: f64, q: &UnitQuaternion<f64>, omega: &Vector3<f64>| self.torque(asks, t, q, omega);
        rk4(&self.tensor, self.q, self.omega, 1.0, 8192, torque)
    }

    /// The angle and the angular velocity by which a method misses `end`.
    fn error(
        &self,
        method: Method,
        asks: Asks,
        steps: u64,
        end: &(UnitQuaternion<f64>, Vector3<f64>),
    ) -> f64 {
        let inertia = Inertia::new(&self.tensor).expect("valid tensor");
        let mut body = Body::new(inertia, self.q, self.omega).expect("valid state");
        body.set_method(method);
        let dt = 1.0 / steps as f64;
        if let Asks::Field = asks {
            let mut field =
                UniformField::new(self.arm.into(), self.field.into()).expect("finite vectors");
            body.advance(dt, steps, &mut field)
        } else {
            let mut torque = |t: f64, q: &UnitQuaternion<f64>, omega: &Vector3<f64>| {
                self.torque(asks, t, q, omega)
            };
            body.advance(dt, steps, &mut torque)
        }
        .expect("the motion is finite");
        let (q, omega) = end;
        body.orientation()
            .angle_to(q)
            .max((body.angular_velocity() - omega).norm())
    }
}

const SHAPES: [Shape; 4] = [
    Shape::Compact,
    Shape::Rod(0.3),
    Shape::Disc,
    Shape::NearSphere(0.1),
];

/// The order by halving the step, and the value at small steps. A wrong axis, frame or weight that hides on problems along axes shows here.
/// Measured: orders 2.00 ± 0.01, 4.00 ± 0.07, 6.00 ± 0.11; at small steps half of the bounds in the table.
#[test]
fn every_method_has_its_order_and_the_values_of_runge_kutta_on_generic_bodies() {
    use Asks::{Field, Time, Velocity};
    let table: [(Method, &[Asks], u64, u64, f64); 6] = [
        (Method::Pcdm, &[Field, Time, Velocity], 200, 4000, 2e-6),
        (Method::Splitting, &[Field, Time, Velocity], 200, 4000, 2e-7),
        (Method::Cf4, &[Field, Time, Velocity], 40, 1000, 1e-11),
        (Method::Splitting4, &[Field, Time], 20, 200, 2e-12),
        (Method::ForceGradient, &[Field, Time], 20, 400, 1e-11),
        (Method::Splitting6, &[Field, Time], 4, 40, 5e-13),
    ];
    let mut random = Random(11);
    for shape in SHAPES {
        for case in 0..3 {
            let problem = Generic::new(shape, &mut random);
            for asks in [Field, Time, Velocity] {
                let end = problem.end(asks);
                for (method, of, steps, many_steps, most) in table {
                    if !of.contains(&asks) {
                        continue;
                    }
                    let error = |steps| problem.error(method, asks, steps, &end);
                    let (coarse, fine, least) = (error(steps), error(2 * steps), error(many_steps));
                    let order = (coarse / fine).log2();
                    let name = format!("{}, {shape:?}, {asks:?}, case {case}", method.name());
                    println!("{name}: order {order:.2}, {coarse:.1e}, {fine:.1e}; {least:.1e}");
                    assert!(
                        (order - f64::from(method.order())).abs() < 0.05 * order,
                        "{name}: order {order}, {coarse:e}, {fine:e}"
                    );
                    assert!(least < most, "{name}: {least:e} at {many_steps} steps");
                }
            }
        }
    }
}

/// Thrusters: a torque in the body frame that depends on time and on the angular velocity, but not on
/// the orientation, so that no stage needs one.
struct Thrusters;

impl Thrusters {
    fn torque(time: f64, [a, b, c]: [f64; 3]) -> [f64; 3] {
        let push = 1.0 + time + libm::sin(3.0 * time);
        [
            0.3 * push - 0.2 * b,
            0.5 - 0.1 * a * push,
            -0.4 * push - 0.3 * c,
        ]
    }
}

impl Torque for Thrusters {
    type Error = std::convert::Infallible;

    fn asks_orientation(&self) -> bool {
        false
    }

    fn torque_body(
        &mut self,
        time: f64,
        here: &TorqueState<f64>,
        _: &PrincipalInertia<f64>,
    ) -> Result<Vec3<f64>, Self::Error> {
        Ok(Vec3(Thrusters::torque(time, here.omega_body.0)))
    }
}

#[test]
fn torques_that_ignore_the_orientation_are_followed_to_the_order_of_the_method() {
    let q = UnitQuaternion::new_normalize(Quaternion::new(0.6, -0.3, 0.5, 0.4));
    let (exact_q, exact_omega) = rk4(&tensor(), q, q * OMEGA, 1.5, 6000, |t, q, omega| {
        let omega_body = q.inverse_transform_vector(omega);
        q * Vector3::from(Thrusters::torque(t, omega_body.into()))
    });
    for method in [Method::Pcdm, Method::Cf4, Method::Splitting] {
        let errors = [20, 40].map(|steps: u32| {
            let inertia = Inertia::new(&tensor()).expect("valid");
            let mut body = Body::new(inertia, q, q * OMEGA).expect("valid");
            body.set_method(method);
            let dt = 1.5 / f64::from(steps);
            body.advance(dt, steps.into(), &mut Thrusters)
                .expect("finite");
            body.orientation().angle_to(&exact_q) + (body.angular_velocity() - exact_omega).norm()
        });
        let factor = 2.0_f64.powi(method.order() as i32);
        assert!(
            errors[0] / errors[1] > 0.75 * factor,
            "{method:?}: {errors:?}"
        );
        assert!(errors[1] < 1e-2, "{method:?}: {errors:?}");
    }
}
