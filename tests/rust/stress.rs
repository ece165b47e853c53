//! Numbers at the edges of what a double holds: inertias of any ratio, turns of thousands of radians, steps of any length. A call
//! that succeeds leaves a finite state of unit length; one that fails leaves every bit.

use crate::common::METHODS;
use crate::common::bits::{state_bits, state_bits_in};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use proptest::prelude::*;
use quatint::kernel::Vec3;
use quatint::torque::{ConstantWorld, Free, UniformField};
use quatint::{Body, Ensemble, Frame, Inertia, Method, View};

/// 10 to a power in this range, evenly in the exponent, with either sign.
fn magnitude(exponents: std::ops::Range<f64>) -> impl Strategy<Value = f64> {
    (exponents, any::<bool>()).prop_map(|(e, negative)| {
        if negative {
            -10_f64.powf(e)
        } else {
            10_f64.powf(e)
        }
    })
}

/// Ordinary numbers, those near overflow, denormals and zeros.
fn anything() -> impl Strategy<Value = f64> {
    prop_oneof![4 => magnitude(-3.0..3.0), 2 => magnitude(-300.0..300.0), 1 => magnitude(-324.0..-307.0), 1 => Just(0.0), 1 => Just(-0.0)]
}

/// Moments whose ratios go to 1e12.
fn moments() -> impl Strategy<Value = [f64; 3]> {
    (
        prop::array::uniform3(-6.0..6.0_f64),
        prop_oneof![Just(0.0), -200.0..200.0_f64],
    )
        .prop_map(|(exponents, scale)| exponents.map(|e| 10_f64.powf(e + scale)))
}

fn orientation() -> impl Strategy<Value = UnitQuaternion<f64>> {
    prop::array::uniform4(-1.0..1.0_f64)
        .prop_map(|[w, i, j, k]| Quaternion::new(w, i, j, k))
        .prop_filter("has a direction", |q| q.norm() > 0.1)
        .prop_map(UnitQuaternion::new_normalize)
}

/// A duration, and an angular velocity that turns by up to 1e4 radians in it.
fn turn() -> impl Strategy<Value = (f64, Vector3<f64>)> {
    let duration = prop_oneof![3 => magnitude(-4.0..2.0), 1 => magnitude(-300.0..300.0)];
    (
        duration,
        magnitude(-8.0..4.0),
        prop::array::uniform3(-1.0..1.0_f64),
    )
        .prop_map(|(duration, angle, direction)| {
            (duration, Vector3::from(direction) * (angle / duration))
        })
}

type Bits = ([u64; 7], [u64; 2]);

fn bits(body: &Body) -> Bits {
    (state_bits(body), body.clock().map(f64::to_bits))
}

/// Whether no number of a free step is far from 1: then it may not be refused.
fn is_modest(duration: f64, omega: Vector3<f64>) -> bool {
    (1e-6..1e6).contains(&duration.abs()) && omega.norm() < 1e9
}

/// What every call promises.
fn holds(body: &Body, before: Bits, succeeded: bool) -> Result<(), TestCaseError> {
    let (q, omega) = (body.orientation(), body.angular_velocity_body());
    if succeeded {
        prop_assert!((q.norm() - 1.0).abs() <= 1e-12, "{q:?}");
        prop_assert!(
            omega.iter().all(|x| x.is_finite()) && body.time().is_finite(),
            "{omega:?} {}",
            body.time()
        );
        prop_assert!(body.angular_velocity().iter().all(|x| x.is_finite()));
    } else {
        prop_assert_eq!(bits(body), before);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn steps_of_any_length_succeed_with_a_finite_state_or_change_nothing(
        moments in moments(), q in orientation(), (duration, omega) in turn(), other in anything(), any_step in any::<bool>(),
        vectors in prop::array::uniform6(anything()), method in 0..METHODS.len(), torque in 0..3,
    ) {
        let Ok(inertia) = Inertia::from_moments(moments.into()) else { return Ok(()) };
        let Ok(mut body) = Body::new(inertia, q, omega) else { return Ok(()) };
        body.set_method(METHODS[method]);
        let dt = if any_step { other } else { duration };
        let [a, b, c, d, e, f] = vectors;
        for _ in 0..4 {
            let before = bits(&body);
            let result = match torque {
                0 => body.step(dt, &mut Free),
                1 => body.step(dt, &mut UniformField { vector_body: Vec3([a, b, c]), field_world: Vec3([d, e, f]) }),
                _ => body.step(dt, &mut ConstantWorld { torque: Vec3([a, b, c]) }),
            };
            holds(&body, before, result.is_ok())?;
            // splittings move a free body exactly; the others may overflow in so long steps
            let is_exact = torque == 0 && !matches!(METHODS[method], Method::Pcdm | Method::Cf4);
            if is_exact && !any_step && is_modest(duration, omega) {
                prop_assert!(result.is_ok(), "{result:?}");
            }
        }
    }

    #[test]
    fn kicks_and_drifts_of_any_size_succeed_with_a_finite_state_or_change_nothing(
        moments in moments(), q in orientation(), (duration, omega) in turn(), kick in anything(), torque in prop::array::uniform3(anything()),
    ) {
        let Ok(inertia) = Inertia::from_moments(moments.into()) else { return Ok(()) };
        let Ok(mut body) = Body::new(inertia, q, omega) else { return Ok(()) };
        for _ in 0..3 {
            let before = bits(&body);
            let result = body.kick(kick, torque.into(), Frame::World);
            holds(&body, before, result.is_ok())?;
            let before = bits(&body);
            let result = body.drift(duration);
            holds(&body, before, result.is_ok())?;
        }
    }

    #[test]
    fn a_free_rotation_keeps_the_angular_momentum_to_rounding(
        moments in moments(), q in orientation(), (duration, omega) in turn(),
    ) {
        let Ok(inertia) = Inertia::from_moments(moments.into()) else { return Ok(()) };
        let Ok(mut body) = Body::new(inertia, q, omega) else { return Ok(()) };
        let before = body.angular_momentum();
        let size = before.norm();
        if !(size.is_normal() && size > 1e-290 && size < 1e150) {
            return Ok(()); // norm() squares
        }
        let drifted = body.drift(duration);
        prop_assert!(drifted.is_ok() || !is_modest(duration, omega), "{drifted:?}");
        if drifted.is_ok() {
            let change = (body.angular_momentum() - before).norm() / size;
            // what a nearly symmetric rod may need so that its energy does not drift
            prop_assert!(change < 5e-14, "{change:e}: moments {moments:?}, omega {omega:?}, duration {duration:e}");
        }
    }

    #[test]
    fn ensembles_succeed_with_the_bits_of_bodies_alone_or_name_one_that_fails(
        moments in prop::array::uniform5(moments()), q in orientation(), (duration, omega) in turn(), method in 0..METHODS.len(),
        vector in prop::array::uniform3(anything()),
    ) {
        let mut e = Ensemble::new(5).unwrap();
        let mut bodies = Vec::new();
        if e.set_principal_inertias(View::rows(moments.as_flattened()).unwrap()).is_err() {
            return Ok(());
        }
        e.set_method(METHODS[method]).unwrap();
        if e.set_uniform_field(View::shared(&vector, 5), [0.0, 0.0, -9.81]).is_err() {
            return Ok(());
        }
        for (i, &moments) in moments.iter().enumerate() {
            e.set_orientation(i, q).unwrap();
            if e.set_angular_velocity(i, omega).is_err() {
                return Ok(());
            }
            let mut body = Body::new(Inertia::from_moments(moments.into()).unwrap(), q, omega).unwrap();
            body.set_method(METHODS[method]);
            bodies.push(body);
        }
        let mut field = UniformField { vector_body: Vec3(vector), field_world: Vec3([0.0, 0.0, -9.81]) };
        for _ in 0..3 {
            let together = e.step(duration);
            let alone: Vec<bool> = bodies.iter_mut().map(|body| body.step(duration, &mut field).is_ok()).collect();
            match together {
                Ok(()) => prop_assert!(alone.iter().all(|succeeded| *succeeded)),
                Err(failure) => {
                    prop_assert!(failure.body.is_none_or(|i| !alone[i]), "{failure:?}");
                    prop_assert!(alone.contains(&false));
                    return Ok(());
                }
            }
            for (i, body) in bodies.iter().enumerate() {
                prop_assert_eq!(state_bits_in(&e, i), state_bits(body));
            }
        }
    }
}
