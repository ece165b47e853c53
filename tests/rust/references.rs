//! Numbers that others have published, each with its source: the reports and tests of other programs, and old papers.
//!
//! Numbers of a source have all the digits that it prints, and the bounds follow from them. The differences that were
//! measured stand in the comments.

#![allow(clippy::excessive_precision)] // digits as in the sources

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use quatint::kernel::{PrincipalInertia, TorqueState, Vec3};
use quatint::rotation::{EulerSequence, components};
use quatint::torque::{ConstantBody, Free, GravityGradient, ShearFlow, UniformField, resistances};
use quatint::{Body, Crossing, Ensemble, Inertia, Method, SolveMethod, Torque, View};
use std::convert::Infallible;
use std::f64::consts::PI;

type Q = UnitQuaternion<f64>;
type V = Vector3<f64>;

fn body(tensor: Matrix3<f64>, q: Q, omega_body: [f64; 3]) -> Body {
    let inertia = Inertia::new(&tensor).expect("valid");
    Body::new(inertia, q, q * V::from(omega_body)).expect("finite")
}

fn diagonal(moments: [f64; 3]) -> Matrix3<f64> {
    Matrix3::from_diagonal(&moments.into())
}

/// The angle between two orientations, also where it is too small for a cosine.
fn angle(left: &Q, right: &Q) -> f64 {
    2.0 * (left.inverse() * right).imag().norm()
}

/// The greatest difference of a component.
fn apart(found: V, expected: [f64; 3]) -> f64 {
    (found - V::from(expected)).amax()
}

/// The numbers of a row of text.
fn numbers<const N: usize>(row: &str) -> [f64; N] {
    let mut words = row.split_whitespace();
    [(); N].map(|()| words.next().expect("N words").parse().expect("a number"))
}

/// Run with --nocapture to see the numbers quoted in the comments.
fn assert_below(what: &str, difference: f64, bound: f64) {
    println!("{what}: {difference:.1e} (bound {bound:.1e})");
    assert!(
        difference < bound,
        "{what}: {difference:e}, bound {bound:e}"
    );
}

/// JEOD runs for eight hours.
const END: f64 = 28800.0;

/// JEOD prints 16 digits, which have the errors of eight hours of its steps: its orbits are within 3e-12 of Kepler's.
const JEOD: f64 = 1e-11;

/// JEOD prints the quaternion of the transformation from inertial to body axes, scalar first. Ours is its inverse.
fn from_jeod(quaternion: &str) -> Q {
    let [w, x, y, z] = numbers(quaternion);
    Q::new_normalize(Quaternion::new(w, x, y, z)).inverse()
}

fn assert_ends_as_in_jeod(end: &Body, quaternion: &str, rates: &str) {
    let rates = V::from(numbers(rates));
    let turned = angle(&end.orientation(), &from_jeod(quaternion));
    assert_below("attitude, rad", turned, JEOD);
    let relative = (end.angular_velocity_body() - rates).norm() / rates.norm();
    assert_below("rates, relative", relative, JEOD);
}

/// The Space Station, turning freely but for 10 N m about the body's x axis from 1000 s to 2000 s.
fn station_after_eight_hours(omega_body: [f64; 3]) -> Body {
    let tensor = Matrix3::new(
        1.02e8, -6.96e6, -5.48e6, //
        -6.96e6, 0.91e8, 5.90e5, //
        -5.48e6, 5.90e5, 1.64e8,
    );
    let start =
        from_jeod("0.2368106365237557 0.7173117043670278 -0.6140880728910785 0.2286492509067215");
    let mut station = body(tensor, start, omega_body);
    let mut thruster = ConstantBody::new([10.0, 0.0, 0.0]).expect("finite");
    station.drift(1000.0).expect("finite");
    station.solve(2000.0, 1e-12, &mut thruster).expect("smooth");
    station.drift(END - 2000.0).expect("finite");
    station
}

/// NASA, JSC Engineering Orbital Dynamics (JEOD), verif/SIM_dyncomp, run 9A: torque, zero rate. The last row of
/// SET_test_val/RUN_9A/log_state_ASCII.csv. Measured: 5e-14 rad, 3e-15 of the rates.
#[test]
fn jeod_9a_ends_where_nasa_says() {
    let attitude = "0.7519599906623781 -0.1381383235762205 0.01275190192580681 0.6444465571324457";
    let rates = "9.751635347691358e-05 8.882593782196596e-06 1.53007486831241e-05";
    assert_ends_as_in_jeod(&station_after_eight_hours([0.0; 3]), attitude, rates);
}

/// As above, run 9B: torque, initial rate. Measured: 1.6e-12 rad, 2e-13 of the rates.
#[test]
fn jeod_9b_ends_where_nasa_says() {
    let attitude = "-0.3170011650039812 -0.5866170655406695 0.376943289268734 0.642887576857603";
    let rates = "-0.0007282187220568775 -0.0008332384627087039 -0.0002424925044840342";
    let end = station_after_eight_hours([0.0, -0.001134454274550824, 0.0]);
    assert_ends_as_in_jeod(&end, attitude, rates);
}

/// The Earth's gravity gradient on a body on an elliptic orbit.
struct OnOrbit {
    position: V,
    velocity: V,
}

impl OnOrbit {
    /// μ of the Earth in JEOD, m³/s².
    const MU: f64 = 3.986004415e14;

    /// The position at a time: Kepler's equation for the change of the eccentric anomaly, and Lagrange's f and g.
    fn position_at(&self, t: f64) -> V {
        let (r0, v0) = (self.position, self.velocity);
        let a = 1.0 / (2.0 / r0.norm() - v0.norm_squared() / Self::MU);
        let n = (Self::MU / a.powi(3)).sqrt();
        let e_cos = 1.0 - r0.norm() / a;
        let e_sin = r0.dot(&v0) / (n * a * a);
        let mut x = n * t;
        for _ in 0..10 {
            let residual = x - e_cos * x.sin() + e_sin * (1.0 - x.cos()) - n * t;
            x -= residual / (1.0 - e_cos * x.cos() + e_sin * x.sin());
        }
        let f = 1.0 - a / r0.norm() * (1.0 - x.cos());
        let g = t - (x - x.sin()) / n;
        r0 * f + v0 * g
    }

    fn assert_ends_at(&self, position: &str) {
        let position = V::from(numbers(position));
        let relative = (self.position_at(END) - position).norm() / position.norm();
        assert_below("orbit, relative", relative, JEOD);
    }
}

impl Torque for OnOrbit {
    type Error = Infallible;

    fn torque_body(
        &mut self,
        t: f64,
        here: &TorqueState<f64>,
        inertia: &PrincipalInertia<f64>,
    ) -> Result<Vec3<f64>, Infallible> {
        let r = self.position_at(t);
        let gradient = Self::MU / r.norm().powi(3);
        GravityGradient::new(r.into(), gradient)
            .expect("finite")
            .torque_body(t, here, inertia)
    }
}

/// A cylinder of 1000 kg, 12 m long and 2 m thick, after eight hours: in steps of a minute, and with error control.
fn cylinders_after_eight_hours(start: Q, omega_body: [f64; 3], mut orbit: OnOrbit) -> [Body; 2] {
    let cylinder = body(diagonal([500.0, 12250.0, 12250.0]), start, omega_body);
    let mut stepped = cylinder.clone();
    stepped.set_method(Method::Splitting6);
    stepped.advance(60.0, 480, &mut orbit).expect("finite");
    let mut solved = cylinder;
    solved.solve(END, 1e-12, &mut orbit).expect("smooth");
    [stepped, solved]
}

/// As above, run 10A: gravity gradient, circular orbit, zero rate. Measured: 3e-13 rad, 6e-13 of the rates.
#[test]
fn jeod_10a_ends_where_nasa_says() {
    let orbit = OnOrbit {
        position: V::new(-4292653.41, 955168.47, 5139356.57),
        velocity: V::new(109.649663, -7527.72649, 1484.521489),
    };
    orbit.assert_ends_at("-1024262.411095882 -6151093.565368023 2599975.06217899");
    let start =
        from_jeod("0.2949554834573935 -0.3013397571377723 0.5879739300516263 -0.6902769524808205");
    let omega = [-1.97989570839746e-05, -0.001134281491669957, 0.0];
    let attitude = "0.08088465634744321 -0.6544148616587985 0.7285587498795035 -0.1854750904614061";
    let rates = "-1.97989570839746e-05 -0.001080027400090759 -0.0007098670173048437";
    for end in cylinders_after_eight_hours(start, omega, orbit) {
        assert_ends_as_in_jeod(&end, attitude, rates);
    }
}

/// As above, run 10D: gravity gradient, elliptic orbit, initial rate. Measured: 2e-12 rad, 1e-12 of the rates.
#[test]
fn jeod_10d_ends_where_nasa_says() {
    let orbit = OnOrbit {
        position: V::new(-4315967.74, 960356.2, 5167269.53),
        velocity: V::new(129.091037, -7491.513855, 1452.515654),
    };
    orbit.assert_ends_at("-1051395.223245429 -6116653.272961161 2626343.274205685");
    let start =
        from_jeod("0.2949554836647295 -0.3013397570548775 0.5879739299692612 -0.6902769524985716");
    let omega = [-1.958561461497211e-05, -0.00094752618460716, 0.0];
    let attitude = "0.06340824136898686 -0.6705404150554688 0.7195671668810134 -0.1690504038757788";
    let rates = "-1.958561461497211e-05 -0.001062058853745821 -0.0006901638686869954";
    for end in cylinders_after_eight_hours(start, omega, orbit) {
        assert_ends_as_in_jeod(&end, attitude, rates);
    }
}

/// NASA/TM-2015-218675 (NESC), atmospheric check case 2: a brick falls and tumbles, without drag or damping. The last
/// row, at 30 s, of Atmos_02_sim_04.csv. That of simulation 01 differs from it by 3e-9 degrees, the others by 7e-5 and
/// more. Measured: 5e-9 degrees, 3e-10 degrees/s.
///
/// The brick starts above the equator with its axes to the north, to the east and down. The angles refer to these
/// directions at the place where it is: they turn with the Earth, and by the longitude of the trajectory.
#[test]
fn nesc_check_case_2_ends_with_the_angles_of_the_report() {
    let degree = PI / 180.0;
    let moments = [0.001894220, 0.006211019, 0.007194665]; // slug ft²
    let omega = [10.0, 20.0, 30.0].map(|rate| rate * degree); // relative to inertial space
    let mut brick = body(diagonal(moments), Q::identity(), omega);
    brick.drift(30.0).expect("finite");

    let earth = 7.292115e-5; // rad/s
    let longitude = 5.74552213287e-5 * degree;
    let north_east_down = Q::from_axis_angle(&V::x_axis(), earth * 30.0 + longitude);
    let attitude = north_east_down.inverse() * brick.orientation();
    let (roll, pitch, yaw) = attitude.euler_angles();
    let angles = V::new(yaw, pitch, roll) / degree;
    let expected = [-4.28935504226, -3.81965492189, -56.1513075938];
    assert_below("angles, degrees", apart(angles, expected), 1e-8);

    let rates = brick.angular_velocity_body() / degree;
    let expected = [12.6183907757, -17.3974747619, 31.1195888868];
    assert_below("rates, degrees/s", apart(rates, expected), 1e-9);
}

/// Problem B5 of DETEST, F. Krogh's equations of a rigid body (L. Shampine, M. Gordon 1975), at t = 20:
/// y₁′ = y₂ y₃, y₂′ = −y₁ y₃, y₃′ = −0.51 y₁ y₂, from (0, 1, 1). Measured: 2e-15.
///
/// A body with the moments 2, 3, 1 obeys them with ω = (√1.53 y₁, √0.51 y₂, √3 y₃).
#[test]
fn detest_b5_ends_with_sixteen_digits() {
    let scale = V::new(1.53_f64.sqrt(), 0.51_f64.sqrt(), 3_f64.sqrt());
    let start = body(
        diagonal([2.0, 3.0, 1.0]),
        Q::identity(),
        [0.0, scale.y, scale.z],
    );
    let expected = [-0.9396570798729192, -0.3421177754000779, 0.7414126596199957];
    let mut drifted = start.clone();
    drifted.drift(20.0).expect("finite");
    let mut solved = start;
    solved.solve(20.0, 1e-13, &mut Free).expect("smooth");
    for end in [drifted, solved] {
        let y = end.angular_velocity_body().component_div(&scale);
        assert_below("y", apart(y, expected), 1e-14);
    }
}

/// EXUDYN (J. Gerstmayr), TestModels/explicitLieGroupIntegratorTest.py: the heavy top of O. Brüls, A. Cardona and
/// M. Arnold, Mech. Mach. Theory 48 (2012). The angular velocity about the world's y axis: at t = 0.01 "converged to 14
/// digits"; at t = 2 by DOPRI5 with a tolerance of 1e-14, from which RK67 with steps of 2e-5 differs by 5e-11. Measured:
/// 1.3e-12 and 7e-11.
#[test]
fn the_heavy_top_of_exudyn_has_its_converged_angular_velocities() {
    let mut weight = UniformField::new([0.0, 1.0, 0.0], [0.0, 0.0, -15.0 * 9.81]).expect("finite");
    for (time, expected, bound) in [
        (0.01, 149.8473939540758, 1e-11),
        (2.0, -106.16380414306643, 1e-10),
    ] {
        let moments = diagonal([15.234375, 0.46875, 15.234375]);
        let mut top = body(moments, Q::identity(), [0.0, 150.0, -4.61538]);
        top.solve(time, 1e-14, &mut weight).expect("smooth");
        let found = top.angular_velocity().y;
        assert_below("rad/s", (found - expected).abs(), bound);
    }
}

/// Basilisk prints modified Rodrigues parameters, tan(φ/4) times the axis, to nine digits.
fn assert_turned_as_in_basilisk(craft: &Body, expected: [f64; 3]) {
    let q = craft.orientation().into_inner();
    let q = if q.w < 0.0 { -q } else { q };
    let found = q.imag() / (1.0 + q.w);
    for (found, expected) in found.iter().zip(expected) {
        let last_digit = 10f64.powf(expected.abs().log10().floor() - 8.0);
        let difference = (found - expected).abs();
        assert_below("parameter", difference, 0.5 * last_digit);
    }
}

/// Basilisk (AVS Lab), test_spacecraft.py, SCTransAndRotation: a spacecraft that turns freely, after 10 s. Measured: 0.2
/// units of the last digit.
#[test]
fn basilisks_free_spacecraft_turns_as_basilisk_says() {
    let moments = diagonal([500.0, 200.0, 300.0]);
    let mut craft = body(moments, Q::identity(), [0.5, -0.4, 0.7]);
    craft.drift(10.0).expect("finite");
    let expected = [3.73034285e-01, -2.39564413e-03, 2.08570797e-01];
    assert_turned_as_in_basilisk(&craft, expected);
}

/// Basilisk, test_reactionWheelStateEffector_integrated.py, BalancedWheels: a spacecraft with three reaction wheels,
/// whose motors act for half a second, after one second. The third motor is told to give -0.5 N m, and gives 0.2 N m,
/// the most that it can. Measured: 0.1 units of the last digit.
#[test]
fn basilisks_balanced_wheels_turn_the_spacecraft_as_basilisk_says() {
    let rpm = 2.0 * PI / 60.0;
    let wheel = 100.0 / (6000.0 * rpm); // the moment of a wheel, from its greatest momentum and speed
    let speeds = V::new(500.0, 200.0, -150.0) * rpm;
    let motors = V::new(0.2, 0.1, -0.2);
    let omega = [0.08, 0.01, 0.0];

    // torques of motors go with the inertia less that of the wheels about their axes, and with their whole momentum
    let carrier = diagonal([900.0, 800.0, 600.0]) - Matrix3::identity() * wheel;
    let mut craft = body(carrier, Q::identity(), omega);
    let momentum = (speeds + V::from(omega)) * wheel;
    craft.set_rotor_momentum(Some(momentum)).expect("finite");
    craft.set_rotor_torque(Some(-motors)).expect("finite");
    craft.solve(0.5, 1e-13, &mut Free).expect("smooth");
    craft.set_rotor_torque(None).expect("none");
    craft.solve(1.0, 1e-13, &mut Free).expect("smooth");
    let expected = [1.99853994e-02, 2.45647716e-03, 8.45356279e-06];
    assert_turned_as_in_basilisk(&craft, expected);
}

/// Radar observations of asteroid 4179 Toutatis (Y. Takahashi, M. Busch, D. Scheeres 2013), 17 of 1992 and one of 2008:
/// days since 9 November 1992, time (UTC); Euler angles ZXZ in degrees; angular velocity about the body axes in degrees a
/// day. Then what the test physics/euler_solver_test.cpp of Principia expects of a free body: the relative error of the
/// magnitude of the angular velocity, and the errors in degrees of its direction and of the directions of three axes.
const TOUTATIS: &str = "
      23 21:40  122.2 86.5 107.0  -35.6   7.2  -97.0  0.011  4.5  7.9 5.4 5.9
      24 19:30   86.3 81.8  24.5  -16.4 -29.1  -91.9  0.076  0.5  6.6 7.7 4.7
      25 18:10   47.8 60.7 284.0   29.1 -23.2  -97.8  0.005  5.0   13  15 9.4
      26 18:50   14.6 39.4 207.1   33.3   8.2  -92.2  0.064  1.1  9.4 4.3 8.4
      27 17:30  331.3 23.7 151.6    6.6  34.5  -95.8  0.032  0.8  2.0 0.6 2.1
      28 17:20  222.5 25.4 143.9   12.8  25.4 -104.1  0.028   24  5.7  15  15
      29 16:40  169.8 45.5 106.9  -31.1 -21.9  -97.7  0.0001 2.7  3.0 2.6 2.6
      30 17:50  137.3 71.3  22.3   11.8 -36.9  -94.9  0.028  3.4  3.4 3.4 1.1
      31 17:20  103.1 85.2 292.6   35.8  -8.9  -97.9  0.0009 0.8  3.1 1.4 3.4
      32 09:40   77.0 85.7 225.5   31.0  17.0  -96.3  0.022  1.0  2.8 1.6 2.7
      33 09:20   42.8 70.2 133.2   -1.3  37.0  -95.9  0.025  2.2  2.0 3.2 2.6
      34 08:10   13.7 44.4  51.9  -38.3  17.9  -97.3  0.013  3.4  2.5 5.3 5.3
      35 07:50  323.7 14.0   0.0  -70.5 -30.6  -91.1  0.119   22  4.1 3.8 4.5
      36 07:50  193.2 24.4  21.4   22.1 -26.6  -96.6  0.026  4.9  3.2 8.2 8.0
      37 07:10  165.1 46.4 310.6   33.4  -3.4  -93.7  0.052  2.6  7.3 5.8 8.0
      38 06:49  130.6 76.1 234.9   12.6  33.9  -94.0  0.045  2.1  0.8 1.1 1.2
      39 07:09   91.6 81.6 142.4  -24.3  29.6 -102.0  0.036  2.1  5.6 6.3 4.1
    5858 10:45   86.2 85.0   0.3   -0.4 -36.2  -98.9  0.0005  40   29 122 131";

/// The Earth and the Sun turn Toutatis, which Principia leaves out, too: in 2008 it is far from where it was observed.
/// Each of the 90 numbers must agree within one unit of its last digit, as in Principia. Measured: 0.62 units at most.
/// Leap seconds are left out: there are six, in which the body turns by 0.007 degrees.
#[test]
fn toutatis_tumbles_from_1992_to_2008_as_in_principia() {
    let degree = PI / 180.0;
    let zxz = |angles: [f64; 3]| {
        let sequence = EulerSequence::parse(b"ZXZ").expect("three axes");
        let angles = angles.map(|angle| angle * degree);
        let [w, x, y, z] = components(sequence.to_orientation(angles).expect("finite"));
        Q::new_unchecked(Quaternion::new(w, x, y, z))
    };
    let start = zxz([145.498, 65.865, 241.524]); // at 17:49:47
    let omega = [14.51, 33.529, -98.709].map(|rate| rate * degree);

    for row in TOUTATIS.trim().lines() {
        let row = row.replace(':', " ");
        let words: Vec<&str> = row.split_whitespace().collect();
        let number = |at: usize| words[at].parse::<f64>().expect("a number");
        let (day, hours, minutes) = (number(0), number(1) - 17.0, number(2) - 49.0);
        let observed = zxz([number(3), number(4), number(5)]);
        let observed_spin = V::new(number(6), number(7), number(8)) * degree;

        let mut asteroid = body(diagonal([3.0836, 3.235, 1.0]), start, omega);
        let seconds = 3600.0 * hours + 60.0 * minutes - 47.0;
        asteroid.drift(day + seconds / 86400.0).expect("finite");
        let (attitude, spin) = (asteroid.orientation(), asteroid.angular_velocity_body());
        let off = |axis: V| (attitude * axis).angle(&(observed * axis)) / degree;
        let found = [
            (spin.norm() / observed_spin.norm() - 1.0).abs(),
            spin.angle(&observed_spin) / degree,
            off(V::z()),
            off(V::x()),
            off(V::y()),
        ];
        for (i, found) in found.iter().enumerate() {
            let decimals = words[9 + i].split_once('.').map_or(0, |two| two.1.len());
            let last_digit = 10f64.powi(-(decimals as i32));
            let difference = (found - number(9 + i)).abs();
            assert_below(&format!("day {day}, number {i}"), difference, last_digit);
        }
    }
}

/// Products of the direction cosines of a body about the axis `j`: one of first rank, four of second.
fn cosines(r: &Matrix3<f64>, j: usize) -> [f64; 5] {
    let (k, l) = ((j + 1) % 3, (j + 2) % 3);
    [
        r[(j, j)],
        r[(k, k)] * r[(l, l)] + r[(k, l)] * r[(l, k)],
        r[(j, j)].powi(2),
        r[(k, l)].powi(2),
        r[(l, k)].powi(2),
    ]
}

/// Their means after the time t: F. Perrin, J. Phys. Radium 7, 1 (1936), eqs. 23, 24, 32 and 33, which the test
/// rotational-diffusion-aniso.py of ESPResSo quotes. `d` are the coefficients of diffusion.
///
/// ESPResSo has 2s for s in eq. 33. With this the squares of a row of direction cosines would not add up to 1.
fn perrin(d: [f64; 3], j: usize, t: f64) -> [f64; 5] {
    let (k, l) = ((j + 1) % 3, (j + 2) % 3);
    let mean = (d[0] + d[1] + d[2]) / 3.0;
    let s = (mean * mean - (d[0] * d[1] + d[1] * d[2] + d[2] * d[0]) / 3.0).sqrt();
    let slow = (-6.0 * (mean - s) * t).exp();
    let fast = (-6.0 * (mean + s) * t).exp();
    let x = (d[j] - mean) / s;
    let off_diagonal = (2.0 - (1.0 - x) * slow - (1.0 + x) * fast) / 6.0;
    [
        (-(d[k] + d[l]) * t).exp(),
        (-(4.0 * d[j] + d[k] + d[l]) * t).exp(),
        (1.0 + (1.0 + 0.5 * x) * slow + (1.0 - 0.5 * x) * fast) / 3.0,
        off_diagonal,
        off_diagonal,
    ]
}

/// At t = 5 to 40, in steps of 0.5. The bound is four standard errors, estimated from the sample. Measured: 2.5 at most
/// of 60 means. An error of 1 % in kT would be seen.
#[test]
fn brownian_bodies_have_perrins_correlations_of_second_rank() {
    let (count, friction, kt) = (160_000, [40.0, 70.0, 100.0], 1.0);
    let mut bodies = Ensemble::new(count).expect("memory");
    bodies.set_method(Method::Brownian).expect("allowed");
    let coefficients = View::shared(&friction, count);
    bodies
        .set_langevin(coefficients, None, kt, 42)
        .expect("finite");
    for t in [5.0, 10.0, 20.0, 40.0] {
        let steps = 2.0 * (t - bodies.time());
        bodies.advance(0.5, steps as u64).expect("finite");
        for axis in 0..3 {
            let (mut sums, mut squares) = ([0.0; 5], [0.0; 5]);
            for i in 0..count {
                let [w, x, y, z] = components(bodies.orientation(i));
                let q = Q::new_unchecked(Quaternion::new(w, x, y, z));
                let values = cosines(q.to_rotation_matrix().matrix(), axis);
                for k in 0..5 {
                    sums[k] += values[k];
                    squares[k] += values[k].powi(2);
                }
            }
            let expected = perrin(friction.map(|c| kt / c), axis, t);
            for k in 0..5 {
                let mean = sums[k] / count as f64;
                let variance = squares[k] / count as f64 - mean * mean;
                let standard_error = (variance / count as f64).sqrt();
                let difference = (mean - expected[k]).abs() / standard_error;
                let what = format!("t = {t}, axis {axis}, mean {k}, standard errors");
                assert_below(&what, difference, 4.0);
            }
        }
    }
}

/// G. B. Jeffery, Proc. R. Soc. Lond. A 102, 161 (1922): without inertia a spheroid of the aspect ratio r goes round in
/// a shear flow of rate 1 in the time 2π(r + 1/r). These spheroids relax in the time 1e-6, and the tolerance is 1e-9:
/// the bound is ten times that. Measured: 4e-10.
#[test]
fn light_spheroids_go_round_in_the_time_of_jeffery() {
    let shear = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]; // u = (y, 0, 0)
    for r in [5.0_f64, 0.2, 20.0] {
        let semi_axes = [r, 1.0, 1.0];
        let (_, resistance) = resistances(semi_axes, 1.0).expect("positive");
        let moment = 1e-6 * resistance[2];
        let spin = -1.0 / (r * r + 1.0);
        let mut spheroid = body(diagonal([moment; 3]), Q::identity(), [0.0, 0.0, spin]);
        spheroid.set_solve_method(SolveMethod::Stiff);
        let mut flow = ShearFlow::new(semi_axes, 1.0, shear).expect("finite");
        let period = 2.0 * PI * (r + 1.0 / r);
        let mut crossings = Vec::new();
        while crossings.len() < 3 {
            let across = |_: f64, q: &Q, _: &V| (q * V::x()).y;
            let time = spheroid
                .solve_until(2.0 * period, 1e-9, across, Crossing::Any, &mut flow)
                .expect("smooth");
            crossings.push(time.expect("a crossing"));
        }
        let found = crossings[2] - crossings[0];
        assert_below("period", (found / period - 1.0).abs(), 1e-8);
    }
}
