//! Bodies with axes of zero moment: lines, bodies that turn about one axis only, and points.

use crate::common::METHODS;
use crate::common::bits::state_bits;
use crate::common::generic::Random;
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use quatint::torque::{
    ConstantBody, FluidDrag, Free, GravityGradient, Langevin, LinearDrag, UniformField,
};
use quatint::{
    Body, Crossing, Ensemble, Frame, Inertia, Method, Parts, VelocityKind, View, ViewMut,
};

type V = Vector3<f64>;
type Q = UnitQuaternion<f64>;

/// Unit vectors: the body axes, and two beside them, one of which is close to one.
fn axes() -> [V; 5] {
    let tilted = V::new(1.0, 3e-4, -2e-4).normalize();
    [V::x(), V::y(), V::z(), V::new(2.0, -3.0, 6.0) / 7.0, tilted]
}

/// `(0, b, b)` along `e`.
fn line(b: f64, e: &V) -> Matrix3<f64> {
    (Matrix3::identity() - e * e.transpose()) * b
}

/// `(0, 0, b)`: turns about `e` only.
fn wheel(b: f64, e: &V) -> Matrix3<f64> {
    e * e.transpose() * b
}

fn orientation() -> Q {
    Q::new_normalize(Quaternion::new(0.8, 0.1, -0.3, 0.5))
}

fn body(tensor: &Matrix3<f64>, omega: V) -> Body {
    Body::new(Inertia::new(tensor).expect("valid"), orientation(), omega).expect("valid")
}

/// Classical Runge-Kutta, with steps so small that only rounding is left.
fn runge_kutta<const K: usize>(
    mut y: nalgebra::SVector<f64, K>,
    time: f64,
    rate: impl Fn(&nalgebra::SVector<f64, K>) -> nalgebra::SVector<f64, K>,
) -> nalgebra::SVector<f64, K> {
    let steps = 20_000;
    let h = time / f64::from(steps);
    for _ in 0..steps {
        let k1 = rate(&y);
        let k2 = rate(&(y + k1 * (0.5 * h)));
        let k3 = rate(&(y + k2 * (0.5 * h)));
        let k4 = rate(&(y + k3 * h));
        y += (k1 + (k2 + k3) * 2.0 + k4) * (h / 6.0);
    }
    y
}

const FIELD: [f64; 3] = [0.3, -0.2, -1.0];

/// The axis `n` of a dipole of moment b and its velocity: `n̈ = (F − (F·n) n)/b − |ṅ|² n`, a spherical pendulum.
fn spherical_pendulum(n: V, velocity: V, b: f64, time: f64) -> (V, V) {
    let field = V::from(FIELD);
    let y = nalgebra::SVector::<f64, 6>::from_iterator(n.iter().chain(&velocity).copied());
    let y = runge_kutta(y, time, |y| {
        let (n, v): (V, V) = (y.fixed_rows::<3>(0).into(), y.fixed_rows::<3>(3).into());
        let acceleration = (field - n * field.dot(&n)) / b - n * v.norm_squared();
        nalgebra::SVector::<f64, 6>::from_iterator(v.iter().chain(&acceleration).copied())
    });
    (y.fixed_rows::<3>(0).into(), y.fixed_rows::<3>(3).into())
}

#[test]
fn a_linear_molecule_in_a_field_moves_as_a_spherical_pendulum() {
    let (b, time, omega) = (0.7, 3.0, V::new(0.9, -1.1, 0.6));
    for e in axes() {
        let mut dipole = UniformField::new(e.into(), FIELD).expect("finite");
        let start = body(&line(b, &e), omega);
        let n = orientation() * e;
        let exact = spherical_pendulum(n, omega.cross(&n), b, time);
        assert!((start.angular_velocity() - (omega - n * omega.dot(&n))).norm() < 1e-15);
        let error = |body: &Body| {
            let n = body.orientation() * e;
            let v = body.angular_velocity().cross(&n);
            assert!(
                body.angular_velocity_body().dot(&e).abs() < 1e-14,
                "ω about the line"
            );
            (n - exact.0).norm().max((v - exact.1).norm())
        };
        let mut solved = start.clone();
        solved.solve(time, 1e-14, &mut dipole).expect("smooth");
        assert!(error(&solved) < 1e-12, "solve, {e:?}: {:e}", error(&solved));
        for method in METHODS {
            let stepped = |steps: u64| {
                let mut body = start.clone();
                body.set_method(method);
                body.advance(time / steps as f64, steps, &mut dipole.clone())
                    .expect("finite");
                error(&body)
            };
            if method == Method::Splitting6 {
                assert!(stepped(600) < 1e-12, "{e:?}: {:e}", stepped(600));
            }
            let (coarse, fine) = if method.order() == 6 {
                (24, 48)
            } else {
                (100, 200)
            };
            let order = (stepped(coarse) / stepped(fine)).log2();
            assert!(
                (order - f64::from(method.order())).abs() < 0.6,
                "{} about {e:?}: order {order}",
                method.name()
            );
        }
    }
}

/// About a fixed axis `J θ̈ = −m sin θ`; the period of an amplitude θ₀ is `2π √(J/m) / agm(1, cos ½θ₀)`.
#[test]
fn a_body_that_turns_about_one_axis_moves_as_a_plane_pendulum() {
    let (moment, strength) = (0.6, 1.3);
    for e in axes() {
        // a body vector across the axis, in a field across it in space; what the field has along the axis does nothing
        let across = e.cross(&V::new(0.3, 0.5, 0.9)).normalize();
        let start = body(&wheel(moment, &e), V::zeros());
        let axis = start.orientation() * e;
        let arm = (start.orientation() * across) * strength;
        let amplitude = 2.0_f64;
        let field = Q::from_scaled_axis(axis * amplitude) * arm.normalize() + axis * 0.8;
        let mut torque =
            UniformField::new((across * strength).into(), field.into()).expect("finite");
        let (mut large, mut small) = (1.0, (0.5 * amplitude).cos());
        for _ in 0..6 {
            (large, small) = (0.5 * (large + small), (large * small).sqrt());
        }
        let period = std::f64::consts::TAU * (moment / strength).sqrt() / large;

        let mut body = start.clone();
        body.solve(period, 1e-14, &mut torque).expect("smooth");
        assert!(
            body.orientation().angle_to(&start.orientation()) < 1e-12
                && body.angular_velocity().norm() < 1e-12
        );
        let mut body = start.clone();
        body.set_method(Method::Splitting6);
        body.advance(period / 800.0, 800, &mut torque)
            .expect("finite");
        assert!(
            body.orientation().angle_to(&start.orientation()) < 1e-12
                && body.angular_velocity().norm() < 1e-12
        );
        assert!(
            (body.orientation() * e - axis).norm() < 1e-13,
            "the axis has moved"
        );
        // an eighth of the period, where it is on its way, by another method; and the event at the lowest point
        let time = 0.13 * period;
        let y = runge_kutta(nalgebra::Vector2::new(amplitude, 0.0), time, |y| {
            nalgebra::Vector2::new(y[1], -strength / moment * y[0].sin())
        });
        body = start.clone();
        body.set_method(Method::Splitting4);
        body.advance(time / 2000.0, 2000, &mut torque)
            .expect("finite");
        let turned = (start.orientation().rotation_to(&body.orientation())).angle();
        assert!(
            (turned - (amplitude - y[0])).abs() < 1e-12
                && (body.angular_velocity().norm() + y[1]).abs() < 1e-12
        );
        let lowest = |_: f64, q: &Q, _: &V| axis.dot(&(q * across).cross(&(field - axis * 0.8)));
        let found = start
            .clone()
            .solve_until(period, 1e-14, lowest, Crossing::Any, &mut torque)
            .expect("smooth");
        assert!((found.expect("it passes") - 0.25 * period).abs() < 1e-12);
    }
}

#[test]
fn a_free_line_turns_about_its_fixed_angular_velocity_and_a_point_not_at_all() {
    let (time, spin) = (7.0, V::new(1.0, -2.0, 0.5));
    for e in axes() {
        for tensor in [line(2.0, &e), wheel(2.0, &e)] {
            let start = body(&tensor, spin);
            let omega = start.angular_velocity();
            let exact = Q::from_scaled_axis(omega * time) * orientation();
            let check = |body: &Body, what: &str| {
                let error = body
                    .orientation()
                    .angle_to(&exact)
                    .max((body.angular_velocity() - omega).norm());
                assert!(error < 2e-14, "{what}, {e:?}: {error:e}");
                assert!((body.kinetic_energy() - omega.norm_squared()).abs() < 1e-13);
                assert!((body.angular_momentum() - omega * 2.0).norm() < 1e-13);
            };
            for method in METHODS {
                let mut body = start.clone();
                body.set_method(method);
                body.advance(0.01, 700, &mut Free).expect("finite");
                check(&body, method.name());
            }
            let mut drifted = start.clone();
            drifted.drift(time).expect("finite");
            check(&drifted, "drift");
            let mut solved = start.clone();
            solved.solve(time, 1e-10, &mut Free).expect("finite");
            check(&solved, "solve");
        }
    }
    let start = body(&Matrix3::zeros(), spin);
    for method in METHODS {
        let mut point = start.clone();
        point.set_method(method);
        point.set_angular_momentum(spin).expect("finite");
        point
            .advance(0.1, 30, &mut ConstantBody::new([1.0, 2.0, 3.0]).unwrap())
            .expect("finite");
        point.kick(1.0, spin, Frame::World).expect("finite");
        point.drift(3.0).expect("finite");
        point
            .solve(
                9.0,
                1e-9,
                &mut UniformField::new([1.0, 2.0, 3.0], FIELD).unwrap(),
            )
            .expect("smooth");
        assert_eq!(state_bits(&point)[..4], state_bits(&start)[..4]);
        assert_eq!(point.angular_velocity(), V::zeros());
        assert_eq!(point.kinetic_energy(), 0.0);
    }
}

/// 1e5 steps of 0.1: the greatest change of the energy in each quarter is the same.
#[test]
fn the_energy_of_dimers_in_a_field_stays_bounded() {
    let n = 40;
    let mut e = Ensemble::new(n).expect("memory");
    let tensors: Vec<f64> = (0..n)
        .flat_map(|i| line(1.0, &axes()[i % 4]).as_slice().to_vec())
        .collect();
    let arms: Vec<f64> = (0..n)
        .flat_map(|i| axes()[i % 4].as_slice().to_vec())
        .collect();
    e.set_inertias(View::rows(&tensors).unwrap())
        .expect("valid");
    e.set_method(Method::Splitting).unwrap();
    e.set_uniform_field(View::rows(&arms).unwrap(), FIELD)
        .expect("finite");
    for i in 0..n {
        let q = Q::from_euler_angles(0.3 * i as f64, 0.5, 1.1 * i as f64);
        e.set_orientation(i, q).unwrap();
        e.set_angular_velocity(i, [0.3, 0.02 * i as f64, -0.4].into())
            .unwrap();
    }
    let energy = |e: &Ensemble, i: usize| {
        let n = e.orientation(i) * axes()[i % 4];
        e.kinetic_energy(i) - V::from(FIELD).dot(&n)
    };
    let before: Vec<f64> = (0..n).map(|i| energy(&e, i)).collect();
    let mut quarters = [0.0_f64; 4];
    for quarter in &mut quarters {
        for _ in 0..500 {
            e.advance(0.1, 50).expect("finite");
            (0..n).for_each(|i| *quarter = quarter.max((energy(&e, i) - before[i]).abs()));
        }
    }
    assert!(
        quarters[3] < 1.1 * quarters[0] && quarters[0] < 5e-3,
        "{quarters:?}"
    );
    for i in 0..n {
        let along = e.angular_velocity_body(i).dot(&axes()[i % 4]).abs();
        assert!(
            if i % 4 < 3 {
                along == 0.0
            } else {
                along < 1e-13
            },
            "body {i}: {along:e} about its line"
        );
    }
}

#[test]
fn torques_about_locked_axes_do_nothing() {
    for e in axes() {
        let aligned = e.amax() == 1.0;
        for (tensor, locked) in [
            (line(2.0, &e), e),
            (wheel(2.0, &e), e.cross(&V::new(0.1, 0.2, 0.7)).normalize()),
        ] {
            let start = body(&tensor, V::new(0.3, -0.2, 0.9));
            let same = |body: &Body| {
                let (dq, dw) = (
                    body.orientation(),
                    body.angular_velocity_body() - start.angular_velocity_body(),
                );
                assert!(
                    dw.norm()
                        < if aligned && locked.amax() == 1.0 {
                            1e-300
                        } else {
                            1e-13
                        },
                    "{e:?}: {dw:?}"
                );
                dq
            };
            let mut kicked = start.clone();
            kicked.kick(3.0, locked * 5.0, Frame::Body).expect("finite");
            same(&kicked);
            assert_eq!(state_bits(&kicked)[..4], state_bits(&start)[..4]);
            let mut twisted = ConstantBody::new((locked * 5.0).into()).unwrap();
            for method in METHODS {
                let mut body = start.clone();
                body.set_method(method);
                body.advance(0.01, 100, &mut twisted).expect("finite");
                let mut free = start.clone();
                free.drift(1.0).expect("finite");
                assert!(same(&body).angle_to(&free.orientation()) < 1e-13);
            }
            let mut solved = start.clone();
            solved.solve(1.0, 1e-12, &mut twisted).expect("smooth");
            assert!(
                (solved.angular_velocity_body() - start.angular_velocity_body()).norm() < 1e-12
            );
        }
    }
}

#[test]
fn drag_slows_what_turns_and_leaves_the_locked_axes_alone() {
    // a drag of the same coefficient about each axis: ω falls as exp(−c t/b)
    let (b, c, time) = (0.5, 0.8, 1.5);
    for e in axes() {
        let start = body(&line(b, &e), V::new(0.3, -0.2, 0.9));
        let expected = start.angular_velocity() * (-c * time / b).exp();
        for method in [Method::Pcdm, Method::Splitting, Method::Cf4] {
            let mut body = start.clone();
            body.set_method(method);
            body.advance(time / 2000.0, 2000, &mut LinearDrag::new([c; 3]).unwrap())
                .expect("stable");
            assert!(
                (body.angular_velocity() - expected).norm() < 1e-6,
                "{} {e:?}",
                method.name()
            );
            assert!(body.angular_velocity_body().dot(&e).abs() < 1e-15);
        }
        let mut solved = start.clone();
        solved
            .solve(time, 1e-13, &mut LinearDrag::new([c; 3]).unwrap())
            .expect("smooth");
        assert!((solved.angular_velocity() - expected).norm() < 1e-12);
    }
}

/// The true tensor: `3 μ/r³ n × I n`. A dumbbell on a line librates at `√(3 μ/r³)` for small angles.
#[test]
fn a_gravity_gradient_pulls_a_dumbbell_upright_with_its_own_frequency() {
    let e = axes()[3];
    let (gradient, tilt) = (0.04, 1e-5);
    let towards = orientation() * e;
    let across = towards.cross(&V::x()).normalize();
    let direction = Q::from_scaled_axis(across * tilt) * towards;
    let mut torque = GravityGradient::new(direction.into(), gradient).expect("finite");
    let start = body(&line(3.0, &e), V::zeros());
    let period = std::f64::consts::TAU / (3.0 * gradient).sqrt();
    for method in METHODS {
        let mut body = start.clone();
        body.set_method(method);
        body.advance(0.5 * period / 2000.0, 2000, &mut torque)
            .expect("finite");
        let n = body.orientation() * e;
        let beyond = Q::from_scaled_axis(across * (2.0 * tilt)) * towards;
        assert!(
            (n - beyond).norm() < 1e-4 * tilt,
            "{}: {:e}",
            method.name(),
            (n - beyond).norm()
        );
    }
}

/// A rotor of momentum h along a line makes it a symmetric top: the line precesses about L at |L|/b.
#[test]
fn a_rotor_along_a_line_makes_it_precess_and_others_do_nothing() {
    let (b, h, time) = (0.8, 1.7, 6.0);
    for e in axes() {
        let mut start = body(&line(b, &e), V::new(0.3, -0.9, 0.5));
        let across = e.cross(&V::new(0.2, 0.7, -0.1)).normalize();
        start
            .set_rotor_momentum(Some(e * h + across * 0.6))
            .expect("finite");
        let l = start.angular_velocity() * b + orientation() * e * h;
        let exact = Q::from_scaled_axis(l * (time / b)) * (orientation() * e);
        let mut ends = Vec::new();
        for method in METHODS {
            let mut body = start.clone();
            body.set_method(method);
            body.advance(time / 6000.0, 6000, &mut Free)
                .expect("finite");
            let error = (body.orientation() * e - exact).norm();
            let most = match method {
                Method::Pcdm => 1e-5,
                Method::Cf4 => 1e-10,
                _ => 1e-11,
            };
            assert!(error < most, "{} {e:?}: {error:e}", method.name());
            ends.push(body);
        }
        let mut drifted = start.clone();
        drifted.drift(time).expect("finite");
        assert!((drifted.orientation() * e - exact).norm() < 1e-13);
        let mut solved = start.clone();
        solved.solve(time, 1e-14, &mut Free).expect("smooth");
        assert!((solved.orientation() * e - exact).norm() < 1e-12);
        assert!((solved.kinetic_energy() / start.kinetic_energy() - 1.0).abs() < 1e-12);
        assert!(solved.orientation().angle_to(&ends[4].orientation()) < 1e-11);

        // driven: a motor about the line takes momentum from the rotor and gives the body none; one across it turns the body
        start
            .set_rotor_torque(Some(e * 0.2 + across * 0.3))
            .expect("finite");
        let mut solved = start.clone();
        solved.solve(time, 1e-14, &mut Free).expect("smooth");
        for method in METHODS {
            let error = |steps: u64| {
                let mut body = start.clone();
                body.set_method(method);
                body.advance(time / steps as f64, steps, &mut Free)
                    .expect("finite");
                assert!(
                    (body.rotor_momentum().unwrap() - solved.rotor_momentum().unwrap()).norm()
                        < 1e-12
                );
                assert!(body.angular_velocity_body().dot(&e).abs() < 1e-12);
                body.orientation().angle_to(&solved.orientation())
            };
            let order = (error(100) / error(200)).log2();
            assert!(
                order > 1.8,
                "{}: order {order}, {:e}",
                method.name(),
                error(200)
            );
        }
    }
    // what turns about one axis only does not feel a rotor, but for the motor about that axis
    let mut wheel = body(&wheel(0.5, &axes()[3]), V::new(0.2, 0.1, 0.9));
    let (omega, e) = (wheel.angular_velocity(), axes()[3]);
    wheel
        .set_rotor_momentum(Some(V::new(3.0, -1.0, 2.0)))
        .expect("finite");
    wheel
        .set_rotor_torque(Some(e * 0.1 + e.cross(&V::x())))
        .expect("finite");
    for method in METHODS {
        let mut body = wheel.clone();
        body.set_method(method);
        body.advance(0.01, 100, &mut Free).expect("finite");
        let expected = omega + orientation() * e * (0.1 / 0.5);
        assert!(
            (body.angular_velocity() - expected).norm() < 1e-13,
            "{}",
            method.name()
        );
    }
}

#[test]
fn moments_that_no_body_has_are_refused_with_the_reason() {
    let refused = |a: f64, b: f64, c: f64| {
        Inertia::from_moments(V::new(a, b, c))
            .expect_err("refused")
            .to_string()
    };
    for (a, b, c) in [(0.0, 1.0, 2.0), (1.0, 0.0, 1.0 + 3e-12), (3.0, 1.0, 0.0)] {
        assert!(
            refused(a, b, c).contains("or one is zero and the others are equal"),
            "{}",
            refused(a, b, c)
        );
    }
    for (a, b, c) in [(-1.0, 0.0, 0.0), (0.0, -1e-30, 1.0), (-1.0, 1.0, 1.0)] {
        assert!(
            refused(a, b, c).contains("not positive definite"),
            "{}",
            refused(a, b, c)
        );
    }
    let e = axes()[3];
    let thick = line(1.0, &e) + axes()[0] * axes()[0].transpose() * 0.2;
    assert!(Inertia::new(&(thick - Matrix3::from_diagonal(&V::new(0.3, 0.0, 0.0)))).is_err());
    for (a, b, c) in [
        (0.0, 1.0, 1.0 + 5e-13),
        (1e-20, 1.0, 1.0),
        (-0.0, 2.0, 2.0),
        (0.0, 0.0, 1e300),
    ] {
        let moments = Inertia::from_moments(V::new(a, b, c))
            .expect("valid")
            .principal_moments();
        assert_eq!(
            moments.x,
            a.abs(),
            "a needle stays a needle, and a zero a zero"
        );
        assert!((moments.z / c - 1.0).abs() < 1e-12);
    }
}

/// Dimers whose tensors are sums of products that are rounded, in 20 000 orientations, near body axes too.
#[test]
fn the_rounding_of_a_tensor_does_not_make_a_line_a_needle() {
    for i in 0..20_000_u32 {
        let near = if i.is_multiple_of(3) {
            1e-3 / f64::from(i + 1)
        } else {
            1.0
        };
        let angles = [f64::from(i) * 0.377, f64::from(i) * 1.137].map(|x| x * near);
        let e = Q::from_euler_angles(0.0, angles[0], angles[1]) * axes()[i as usize % 3];
        let b = 10.0_f64.powf(f64::from(i % 13) - 6.0);
        let rotation = Q::rotation_between(&V::x(), &e).unwrap_or(Q::from_euler_angles(
            0.0,
            0.0,
            std::f64::consts::PI,
        ));
        let matrix = rotation.to_rotation_matrix();
        let turned = matrix * Matrix3::from_diagonal(&V::new(0.0, b, b)) * matrix.transpose();
        for tensor in [line(b, &e), turned, wheel(b, &e)] {
            let inertia =
                Inertia::new(&tensor).unwrap_or_else(|error| panic!("{i}, {e:?}: {error}"));
            let moments = inertia.principal_moments();
            assert!(
                moments.min() == 0.0 && (moments.max() / b - 1.0).abs() < 1e-14,
                "{i}, {e:?}: {moments:?}"
            );
        }
    }
}

#[test]
fn what_is_read_is_the_true_tensor_and_a_restart_from_rows_keeps_the_bits() {
    let n = 20;
    let tensors: Vec<f64> = (0..n)
        .flat_map(|i| {
            let e = axes()[i % 5];
            let tensor = [
                line(1.5, &e),
                wheel(1.5, &e),
                Matrix3::zeros(),
                Matrix3::identity() * 1.5,
            ][i / 5];
            tensor.as_slice().to_vec()
        })
        .collect();
    let make = |n: usize| {
        let mut e = Ensemble::new(n).unwrap();
        e.set_method(Method::Splitting).unwrap();
        e.set_uniform_field(View::shared(&[0.4, 0.1, 0.9], n), FIELD)
            .unwrap();
        e
    };
    let mut first = make(n);
    first.set_inertias(View::rows(&tensors).unwrap()).unwrap();
    for i in 0..n {
        let q = Q::from_euler_angles(0.3 * i as f64, 0.5, 1.1);
        first.set_orientation(i, q).unwrap();
        first
            .set_angular_velocity(i, [0.3, -0.8, 0.5].into())
            .unwrap();
        let omega = V::from(first.angular_velocity(i));
        let tensor = q.to_rotation_matrix()
            * Matrix3::from_row_slice(&tensors[9 * i..9 * i + 9])
            * q.to_rotation_matrix().transpose();
        assert!((first.angular_momentum(i) - tensor * omega).norm() < 1e-14);
        assert!((first.kinetic_energy(i) - 0.5 * omega.dot(&(tensor * omega))).abs() < 1e-14);
    }
    first.advance(0.01, 100).unwrap();
    let parts = Parts {
        state: true,
        inertia: true,
        torque: true,
        memory: true,
        id: false,
        bound: false,
    };
    let mut rows = vec![0.0; n * first.row_size(parts)];
    first.rows(parts, None, &mut rows).unwrap();
    let width = first.row_size(parts);
    for (row, expected) in rows.chunks(width).zip([[0.0, 1.5, 1.5], [1.5, 0.0, 1.5]]) {
        assert_eq!(row[7..10], expected);
    }
    let mut second = make(n);
    second.set_rows(parts, None, &rows).unwrap();
    // and in another order, with more bodies first
    let mut third = make(n + 7);
    third.resize(n).unwrap();
    third.set_rows(parts, None, &rows).unwrap();
    let backwards: Vec<usize> = (0..n).rev().collect();
    third.select(&backwards).unwrap();
    for e in [&mut first, &mut second, &mut third] {
        e.advance(0.01, 100).unwrap();
    }
    for i in 0..n {
        let bits = |e: &Ensemble, i: usize| (e.orientation(i), e.angular_velocity_body(i));
        assert_eq!(bits(&first, i), bits(&second, i), "body {i}");
        assert_eq!(bits(&first, i), bits(&third, n - 1 - i), "body {i}");
    }
    // rows that spin about a locked axis lose that
    rows[4..7].copy_from_slice(&[2.0, 0.5, 0.25]);
    second.set_rows(parts, None, &rows).unwrap();
    assert_eq!(second.angular_velocity_body(0), V::from([0.0, 0.5, 0.25]));
    // a negative moment is that of a locked axis, but no body has one zero beside two that differ
    rows[7..10].copy_from_slice(&[-3.0, 1.0, 1.0]);
    second.set_rows(parts, None, &rows).unwrap();
    assert_eq!(second.angular_velocity_body(0), V::from([0.0, 0.5, 0.25]));
    for moments in [[0.0, 1.0, 2.0], [-3.0, 1.0, 2.0], [0.0, 1.0, f64::NAN]] {
        rows[7..10].copy_from_slice(&moments);
        assert!(second.set_rows(parts, None, &rows).is_err());
    }
}

#[test]
fn a_new_inertia_or_orientation_takes_the_angular_velocity_about_a_locked_axis_away() {
    let mut e = Ensemble::new(2).unwrap();
    for i in 0..2 {
        e.set_angular_velocity(i, [1.0, 2.0, 3.0].into()).unwrap();
    }
    e.set_inertia(Inertia::from_moments(V::new(0.0, 1.0, 1.0)).unwrap())
        .unwrap();
    assert_eq!(e.angular_velocity(1), V::from([0.0, 2.0, 3.0]));
    let quarter = std::f64::consts::FRAC_1_SQRT_2;
    let turn = Quaternion::new(quarter, 0.0, 0.0, quarter);
    e.set_orientation(0, Q::new_unchecked(turn)).unwrap(); // its line is now along y
    let [x, y, z]: [f64; 3] = e.angular_velocity(0).into();
    assert!(
        x.abs() < 1e-15 && y.abs() < 1e-15 && z == 3.0,
        "{x} {y} {z}"
    );
    e.set_principal_inertias(View::rows(&[0.0, 0.0, 2.0, 3.0, 4.0, 5.0]).unwrap())
        .unwrap();
    assert_eq!(e.angular_velocity(0), V::from([0.0, 0.0, 3.0]));
    assert_eq!(e.angular_velocity(1), V::from([0.0, 2.0, 3.0]));
    assert_eq!(
        (e.kinetic_energy(0), e.angular_momentum(0)),
        (9.0, V::new(0.0, 0.0, 6.0))
    );
    // a failed call changes nothing
    assert!(
        e.set_principal_inertias(View::rows(&[1.0, 1.0, 1.0, 0.0, 4.0, 5.0]).unwrap())
            .is_err()
    );
    assert_eq!(e.kinetic_energy(0), 9.0);
}

/// Kicks with a part about the line, velocity Verlet, in each kind of array and in own memory, alone too.
#[test]
fn kicks_and_drifts_keep_bound_momenta_across_the_line() {
    let kinds = [
        VelocityKind::OmegaBody,
        VelocityKind::OmegaWorld,
        VelocityKind::AngularMomentumBody,
        VelocityKind::AngularMomentumWorld,
    ];
    for e in axes() {
        let tensors = [
            line(2.0, &e),
            Matrix3::new(1.0, 0.1, 0.0, 0.1, 2.0, 0.0, 0.0, 0.0, 3.0),
        ];
        let numbers: Vec<f64> = tensors.iter().flat_map(|t| t.as_slice().to_vec()).collect();
        let mut alone = tensors.map(|tensor| body(&tensor, V::new(0.3, -0.2, 0.9)));
        let torque =
            |q: &Q, omega: &V| (q * e).cross(&V::from(FIELD)) + omega * 0.2 + (q * e) * 7.0;
        for _ in 0..200 {
            for body in &mut alone {
                let given = torque(&body.orientation(), &V::new(0.1, 0.2, 0.3));
                body.kick(0.01, given, Frame::World).unwrap();
                body.drift(0.01).unwrap();
            }
        }
        for kind in kinds {
            let mut velocities = vec![0.0; 6];
            let mut many = Ensemble::new(2).unwrap();
            many.set_inertias(View::rows(&numbers).unwrap()).unwrap();
            let q = orientation();
            let start = tensors.map(|tensor| body(&tensor, V::new(0.3, -0.2, 0.9)));
            for i in 0..2 {
                many.set_orientation(i, q).unwrap();
                // with something about the line, which is to be taken away
                let (omega, momentum) = (V::new(0.3, -0.2, 0.9), start[i].angular_momentum());
                let momentum = if i == 0 {
                    momentum + q * e * 3.0
                } else {
                    momentum
                };
                let number: V = match kind {
                    VelocityKind::OmegaBody => q.inverse() * omega,
                    VelocityKind::OmegaWorld => omega,
                    VelocityKind::AngularMomentumBody => q.inverse() * momentum,
                    VelocityKind::AngularMomentumWorld => momentum,
                };
                velocities[3 * i..3 * i + 3].copy_from_slice(number.as_slice());
            }
            many.bind_angular_velocities(ViewMut::rows(&mut velocities).unwrap(), kind)
                .unwrap();
            for _ in 0..200 {
                let torques: Vec<f64> = (0..2)
                    .flat_map(|i| {
                        let q = many.orientation(i);
                        torque(&q, &V::new(0.1, 0.2, 0.3)).as_slice().to_vec()
                    })
                    .collect();
                many.kick_drift(
                    0.01,
                    0.01,
                    Some(View::rows(&torques).unwrap()),
                    Frame::World,
                )
                .unwrap();
            }
            for (i, body) in alone.iter().enumerate() {
                let q = many.orientation(i);
                let angle = q.angle_to(&body.orientation());
                let omega = (V::from(many.angular_velocity(i)) - body.angular_velocity()).norm();
                assert!(
                    angle < 1e-12 && omega < 1e-12,
                    "{kind:?}, body {i}, {e:?}: {angle:e} {omega:e}"
                );
            }
        }
    }
}

#[test]
fn what_is_taken_away_about_a_locked_axis_does_not_depend_on_the_axes_of_other_bodies() {
    let turned = Matrix3::new(1.0, 0.1, 0.0, 0.1, 2.0, 0.0, 0.0, 0.0, 2.5);
    let tensors: Vec<f64> = [turned, wheel(2.0, &V::x())]
        .iter()
        .flat_map(|t| t.as_slice().to_vec())
        .collect();
    let mut e = Ensemble::new(2).unwrap();
    e.set_inertias(View::rows(&tensors).unwrap()).unwrap();
    for tiny in [1e-17, 1e-170] {
        e.set_angular_velocity(1, [-0.05, tiny, 0.5 * tiny].into())
            .unwrap();
        assert_eq!(e.angular_velocity_body(1), V::from([-0.05, 0.0, 0.0]));
    }
}

/// What rounding leaves about a turned line is not taken away, whatever the direction: it would change the bits.
#[test]
fn a_state_that_is_read_and_set_again_keeps_its_bits_for_lines_in_any_direction() {
    let mut random = Random(5);
    for case in 0..300 {
        let e = random.direction();
        let mut start = body(&line(2.0, &e), random.vector());
        let mut torque = ConstantBody::new(random.vector().into()).unwrap();
        start.advance(0.1, 3, &mut torque).expect("finite");
        let mut again = start.clone();
        again
            .set_state_body(start.orientation(), start.angular_velocity_body())
            .expect("a state");
        assert_eq!(state_bits(&again), state_bits(&start), "case {case}: {e:?}");
    }
}

/// What is more than rounding is taken away, also where the principal axes are turned about one
/// body axis only.
#[test]
fn an_angular_velocity_about_a_turned_locked_axis_is_taken_away_unless_it_is_rounding() {
    let mut random = Random(6);
    let x = random.between(0.2, 1.2);
    let directions = [
        V::new(0.0, x.cos(), x.sin()),
        V::new(x.sin(), 0.0, x.cos()),
        V::new(x.cos(), x.sin(), 0.0),
        random.direction(),
    ];
    for e in directions {
        let across = e.cross(&random.direction());
        let mut body = body(&line(1.5, &e), V::zeros());
        for (part, is_rounding) in [(1e-8, false), (1e-10, true), (-1e-10, true)] {
            let given = across + e * (part * across.norm());
            body.set_state_body(orientation(), given).expect("a state");
            let taken = body.angular_velocity_body();
            if is_rounding {
                assert_eq!(taken, given, "{e:?}");
            } else {
                let along = taken.dot(&e) / across.norm();
                assert!(along.abs() < 1e-15, "{e:?}: {along:e}");
            }
        }
    }
}

/// A fluid that slips about a locked axis drives the rotation about the others, where the drag
/// mixes the axes.
#[test]
fn random_torques_without_temperature_are_the_drag_of_bodies_with_locked_axes() {
    let mut random = Random(8);
    for case in 0..6 {
        let e = random.direction();
        let tensor = if case % 2 == 0 {
            wheel(1.2, &e)
        } else {
            line(1.2, &e)
        };
        let coefficients = random.vector().map(|x| 0.3 + x.abs());
        let flow = random.vector() * 2.0;
        let mut dragged = body(&tensor, random.vector());
        let mut bathed = dragged.clone();
        for body in [&mut dragged, &mut bathed] {
            body.set_method(Method::Splitting);
        }
        let drag = FluidDrag::new(coefficients.into(), flow.into()).unwrap();
        dragged.set_drag(Some(drag)).unwrap();
        let bath = Langevin::new(coefficients.into(), flow.into(), 0.0, 1, 0).unwrap();
        bathed.set_langevin(Some(bath)).unwrap();
        for body in [&mut dragged, &mut bathed] {
            body.advance(1e-3, 3000, &mut Free).expect("stable");
        }
        let apart = (dragged.angular_velocity() - bathed.angular_velocity()).norm();
        assert!(apart < 1e-5, "case {case}: {apart:e}");
        assert!(bathed.angular_velocity().norm() > 0.05);
    }
}
