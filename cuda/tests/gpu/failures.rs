//! A body whose step fails keeps its state and is named by the next check; the others move.

use crate::bits::PLAIN;
use crate::bodies::{Case, Kind, OnDevice, message, ok};
use crate::stand_in::driver;
use quatint::Method;
use quatint_cuda::ffi::*;

/// The numbers of all bodies, by body.
fn rows(bodies: &OnDevice, case: &Case) -> Vec<[u64; 7]> {
    let q = bodies.q.read();
    let w = bodies.velocity.as_ref().expect("columns").read();
    let row = |body| {
        std::array::from_fn(|k| {
            let number = if k < 4 {
                q[case.place(4, body, k)]
            } else {
                w[case.place(3, body, k - 4)]
            };
            number.to_bits()
        })
    };
    (0..case.count).map(row).collect()
}

/// Puts numbers in the place of those of a body.
fn spoil(bodies: &OnDevice, case: &Case, body: usize, orientation: f64, velocity: f64) {
    let mut q = bodies.q.read();
    q[case.place(4, body, 0)] += orientation;
    bodies.q.write(&q);
    let array = bodies.velocity.as_ref().expect("columns");
    let mut w = array.read();
    w[case.place(3, body, 1)] *= velocity;
    array.write(&w);
}

fn assert_moved_but(bodies: &OnDevice, case: &Case, before: &[[u64; 7]], still: &[usize]) {
    for (body, (a, b)) in before.iter().zip(rows(bodies, case)).enumerate() {
        let is_at_rest = body % 13 == 1;
        if still.contains(&body) {
            assert_eq!(a, &b, "body {body} has moved");
        } else if !is_at_rest {
            assert_ne!(a, &b, "body {body} has not moved");
        }
    }
}

#[test]
fn a_body_that_fails_keeps_its_state_and_the_first_is_named() {
    let driver = driver();
    for method in [
        Method::Pcdm,
        Method::Splitting,
        Method::Cf4,
        Method::ForceGradient,
    ] {
        for torque in [Kind::Free, Kind::Field] {
            let case = Case {
                method,
                torque,
                fastest: 4.0,
                ..PLAIN
            };
            let bodies = OnDevice::new(&driver, &case);
            spoil(&bodies, &case, 17, 0.5, 1.0);
            spoil(&bodies, &case, 90, 0.0, f64::NAN);
            spoil(&bodies, &case, 132, 0.0, 1e300);
            let before = rows(&bodies, &case);
            // SAFETY: the arrays are there
            unsafe {
                ok(qi_cuda_advance(bodies.ensemble, 0.01, 3));
                assert_eq!(qi_cuda_check(bodies.ensemble), QI_CUDA_ERR_ORIENTATION);
                assert_eq!(qi_cuda_last_error_body(), 17);
                assert!(message().contains("body 17"), "{}", message());
                ok(qi_cuda_check(bodies.ensemble)); // it is reported once
            }
            assert_moved_but(&bodies, &case, &before, &[17, 90, 132]);
            spoil(&bodies, &case, 17, -0.5, 1.0);
            // SAFETY: the arrays are there
            unsafe {
                ok(qi_cuda_kick_drift(
                    bodies.ensemble,
                    0.0,
                    0.01,
                    std::ptr::null(),
                    3,
                    1,
                    0,
                ));
                assert_eq!(qi_cuda_check(bodies.ensemble), QI_CUDA_ERR_NON_FINITE);
                assert_eq!(qi_cuda_last_error_body(), 90);
            }
        }
    }
}

/// A method that keeps the last torques has none of a body that had no orientation. It asks for them
/// again after the failure has been reported.
#[test]
fn a_body_without_a_kept_torque_fails_until_the_failure_is_reported() {
    let driver = driver();
    let case = Case {
        method: Method::Splitting,
        torque: Kind::Field,
        fastest: 4.0,
        ..PLAIN
    };
    let bodies = OnDevice::new(&driver, &case);
    let e = bodies.ensemble;
    spoil(&bodies, &case, 17, 0.5, 1.0);
    // SAFETY: the arrays are there
    unsafe {
        ok(qi_cuda_advance(e, 0.01, 1));
        spoil(&bodies, &case, 17, -0.5, 1.0);
        let before = rows(&bodies, &case);
        ok(qi_cuda_advance(e, 0.01, 1));
        assert_moved_but(&bodies, &case, &before, &[17]);
        assert_eq!(qi_cuda_check(e), QI_CUDA_ERR_ORIENTATION);
        assert_eq!(qi_cuda_last_error_body(), 17);
        let before = rows(&bodies, &case);
        ok(qi_cuda_advance(e, 0.01, 1));
        ok(qi_cuda_check(e));
        assert_moved_but(&bodies, &case, &before, &[]);
    }
}

#[test]
fn torques_and_gradients_that_are_not_finite_are_named() {
    let driver = driver();
    let case = Case {
        fastest: 4.0,
        ..PLAIN
    };
    let bodies = OnDevice::new(&driver, &case);
    let e = bodies.ensemble;
    let mut torques = vec![0.5; 3 * case.count];
    torques[3 * 44 + 1] = f64::INFINITY;
    let torque = driver.array(&torques);
    let before = rows(&bodies, &case);
    // SAFETY: the arrays are there
    unsafe {
        ok(qi_cuda_kick(e, 0.1, torque.at, 3, 1, QI_CUDA_FRAME_WORLD));
        assert_eq!(qi_cuda_check(e), QI_CUDA_ERR_NON_FINITE);
        assert!(message().contains("body 44: its torque"), "{}", message());
        assert_moved_but(&bodies, &case, &before, &[44]);

        let before = rows(&bodies, &case);
        ok(qi_cuda_begin_steps(e, 0.01, 2));
        let nothing = std::ptr::null_mut();
        while qi_cuda_next_stage(e, nothing, nothing, nothing) == QI_CUDA_NEED_TORQUE {
            ok(qi_cuda_supply_torque(e, torque.at));
        }
        assert_eq!(qi_cuda_check(e), QI_CUDA_ERR_NON_FINITE);
        assert_eq!(qi_cuda_last_error_body(), 44);
        assert_moved_but(&bodies, &case, &before, &[44]);

        let mut gradients = vec![0.1; 9 * case.count];
        gradients[9 * 3 + 8] = f64::NAN;
        let gradients = driver.array(&gradients);
        let axes = [1.0, 0.5, 0.5];
        let still = [0.0; 9];
        ok(qi_cuda_set_shear_flow_torque(
            e,
            axes.as_ptr(),
            0,
            0.01,
            still.as_ptr(),
        ));
        ok(qi_cuda_bind_flow_gradients(e, gradients.at, 9, 1));
        let before = rows(&bodies, &case);
        ok(qi_cuda_advance(e, 0.01, 1));
        assert_eq!(qi_cuda_check(e), QI_CUDA_ERR_NON_FINITE);
        assert!(
            message().contains("body 3: the velocity gradient"),
            "{}",
            message()
        );
        assert_moved_but(&bodies, &case, &before, &[3]);
    }
}
