//! Rates of Euler angles, and modified Rodrigues parameters.

use crate::common::generic::Random;
use nalgebra::{UnitQuaternion, Vector3};
use quatint::rotation::{self, EulerSequence};
use quatint::{Body, Frame, Inertia};

fn sequences() -> impl Iterator<Item = EulerSequence> {
    let axes = ["x", "y", "z"];
    let mut all = Vec::new();
    for i in 0..3 {
        for j in (0..3).filter(|&j| j != i) {
            for k in (0..3).filter(|&k| k != j) {
                let letters = [axes[i], axes[j], axes[k]].concat();
                all.push(EulerSequence::parse(letters.as_bytes()).unwrap());
                all.push(EulerSequence::parse(letters.to_uppercase().as_bytes()).unwrap());
            }
        }
    }
    assert_eq!(all.len(), 24);
    all.into_iter()
}

#[test]
fn rates_of_the_angles_turn_the_body_as_the_angles_change() {
    let mut random = Random(3);
    for sequence in sequences() {
        for _ in 0..20 {
            let angles: [f64; 3] = std::array::from_fn(|_| random.between(-1.4, 1.4));
            let rates: [f64; 3] = std::array::from_fn(|_| random.between(-2.0, 2.0));
            let h = 1e-3;
            let at = |t: f64| {
                let moved = std::array::from_fn(|n| angles[n] + t * rates[n]);
                sequence.to_orientation(moved).unwrap()
            };
            // central differences of order 4 for the velocity in the world frame
            let difference = |t: f64| (at(t) * at(-t).inverse()).scaled_axis() / (2.0 * t);
            let measured: Vector3<f64> = (4.0 * difference(h) - difference(2.0 * h)) / 3.0;
            let omega = sequence.to_angular_velocity(angles, rates).unwrap();
            let off = (omega - measured).norm();
            assert!(off < 1e-9, "{sequence:?}: {off:e}");

            if angles[1].abs() > 0.1 {
                let back = sequence.rates_of(angles, omega).unwrap();
                for (a, b) in back.iter().zip(rates) {
                    assert!((a - b).abs() < 1e-13, "{sequence:?} {back:?} {rates:?}");
                }
            }
        }
    }
}

#[test]
fn at_gimbal_lock_there_are_no_rates() {
    for sequence in sequences() {
        let mut locked = 0;
        for second in [0.0, std::f64::consts::FRAC_PI_2, std::f64::consts::PI] {
            let angles = [0.7, second, -0.4];
            sequence.to_angular_velocity(angles, [1.0; 3]).unwrap();
            locked += i32::from(sequence.rates_of(angles, [1.0; 3].into()).is_err());
        }
        assert!(locked == 1 || locked == 2, "{sequence:?}");
        assert!(
            sequence
                .rates_of([0.7, f64::NAN, 0.0], [1.0; 3].into())
                .is_err()
        );
    }
}

#[test]
fn rodrigues_parameters_are_the_tangent_of_a_quarter_of_the_angle() {
    let mut random = Random(4);
    for _ in 0..1000 {
        let angle = random.between(-6.2, 6.2);
        let axis: [f64; 3] = random.direction().into();
        let q = rotation::from_axis_angle(axis.into(), angle).unwrap();
        let long = axis.map(|x| x * (0.25 * angle).tan());
        let there = rotation::from_mrp(long.into()).unwrap();
        assert!(q.angle_to(&there) < 1e-14, "{angle}");
        assert!((there.norm() - 1.0).abs() < 1e-15, "{there:?}");
        let short = rotation::to_mrp(q);
        assert!(short.norm_squared() <= 1.0 + 1e-15);
        let back = rotation::from_mrp(short).unwrap();
        assert!(q.angle_to(&back) < 1e-14, "{angle}");
    }
    // a whole turn is the identity, and nothing overflows on the way there
    let far = rotation::from_mrp([1e300, -1e300, 1e300].into()).unwrap();
    assert!(far.angle() < 1e-14);
    assert!(rotation::from_mrp([f64::INFINITY, 0.0, 0.0].into()).is_err());
}

/// The attitude exp(a t) exp(b t), whose angular velocity in the body frame is known.
fn coning(t: f64) -> (UnitQuaternion<f64>, Vector3<f64>) {
    let a = Vector3::new(0.5, -0.3, 0.8);
    let b = Vector3::new(-0.7, 1.1, 0.4);
    let second = UnitQuaternion::from_scaled_axis(b * t);
    let attitude = UnitQuaternion::from_scaled_axis(a * t) * second;
    (attitude, b + second.inverse() * a)
}

/// How far the recipe for gyros in docs/conventions.md is off after a time of 3.
fn error_of_gyros(steps: u32) -> f64 {
    let h = 3.0 / f64::from(steps);
    let mut q = UnitQuaternion::identity();
    for n in 0..steps {
        let middle = (f64::from(n) + 0.5) * h;
        let aside = 3.0_f64.sqrt() / 6.0 * h;
        let (_, w1) = coning(middle - aside);
        let (_, w2) = coning(middle + aside);
        let theta = h / 2.0 * (w1 + w2) + 3.0_f64.sqrt() / 12.0 * h * h * w1.cross(&w2);
        q *= rotation::from_rotation_vector(theta).unwrap();
    }
    q.angle_to(&coning(3.0).0)
}

#[test]
fn the_recipe_for_two_samples_of_gyros_a_step_is_of_order_4() {
    let order = (error_of_gyros(40) / error_of_gyros(80)).log2();
    assert!((order - 4.0).abs() < 0.1, "{order}");
    assert!(error_of_gyros(80) < 1e-6);
}

/// The recipe of docs/conventions.md: a bearing with dry friction, on a generic body that a torque
/// swings to and fro. It slides, sticks and slides again, as the closed form says.
#[test]
fn dry_friction_sticks_and_slides_as_the_closed_form_says() {
    let moments = Vector3::new(1.3, 0.8, 0.6);
    let inertia = Inertia::from_moments(moments).unwrap();
    let axis = Vector3::new(0.0, 0.0, 1.0);
    let most = 0.5;
    let amplitude = 0.8;
    let start = 0.2;
    let error_with = |steps: u32| {
        let h = 6.0 / f64::from(steps);
        let q = UnitQuaternion::from_euler_angles(0.3, -0.7, 1.1);
        let mut body = Body::new(inertia, q, q * axis * start).unwrap();
        let mut copy = body.clone();
        let before = axis.dot(&copy.angular_velocity_body());
        copy.kick(1.0, axis, Frame::Body).unwrap();
        let of_axis = axis.dot(&copy.angular_velocity_body()) - before;
        let mut stopped = 0.0;
        for n in 0..steps {
            for (part, time) in [(0, f64::from(n) * h), (1, f64::from(n + 1) * h)] {
                if part == 1 {
                    body.drift(h).unwrap();
                }
                let torque = amplitude * libm::sin(time);
                body.kick(0.5 * h, axis * torque, Frame::Body).unwrap();
                let stop = axis.dot(&body.angular_velocity_body()) / of_axis;
                let friction = -stop.signum() * (stop.abs() / (0.5 * h)).min(most);
                body.kick(0.5 * h, axis * friction, Frame::Body).unwrap();
                let omega = axis.dot(&body.angular_velocity_body());
                if omega == 0.0 {
                    stopped += 0.5 * h;
                }
            }
        }
        let turned = (q.inverse() * body.orientation()).scaled_axis();
        (
            (turned - axis * angle_turned(start, 0.6, amplitude, most)).norm(),
            stopped,
        )
    };
    let (coarse, _) = error_with(300);
    let (fine, stopped) = error_with(3000);
    assert!(coarse < 1e-3 && fine < 2e-5, "{coarse:e} {fine:e}");
    assert!(stopped > 0.5, "it has stuck for {stopped} s");
}

/// The angle after 6 s of `I ω' = A sin t − M sign ω`, by tiny steps of the closed form of each
/// phase: it sticks where ω passes through 0 and |A sin t| is below M.
fn angle_turned(omega: f64, moment: f64, amplitude: f64, most: f64) -> f64 {
    let steps = 600_000;
    let h = 6.0 / f64::from(steps);
    let mut omega = omega;
    let mut angle = 0.0;
    for n in 0..steps {
        let torque = amplitude * libm::sin((f64::from(n) + 0.5) * h);
        let direction = if omega == 0.0 {
            torque.signum()
        } else {
            omega.signum()
        };
        let mut next = omega + h * (torque - most * direction) / moment;
        if omega == 0.0 && torque.abs() < most || omega * next < 0.0 {
            next = 0.0;
        }
        angle += 0.5 * h * (omega + next);
        omega = next;
    }
    angle
}
